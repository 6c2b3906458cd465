/* test_ocl_image.c - images, samplers and printf through the OpenCL API. */
#include "rig.h"
#include "tests/support/capture.h"

#include <unistd.h>

enum { W = 13, H = 7 };

static cl_mem make_image(const struct rig *rig, cl_channel_order order,
                         cl_channel_type type, const cl_image_desc *desc,
                         const void *data)
{
    const cl_image_format format = {order, type};
    cl_int status;
    cl_mem image = clCreateImage(rig->context, data != NULL ? CL_MEM_COPY_HOST_PTR : 0,
                                 &format, desc, (void *)(uintptr_t)data, &status);

    check(status);
    return image;
}

static void a_kernel_reads_and_writes_images(void **state)
{
    static const char source[] =
        "kernel void flip(read_only image2d_t in, write_only image2d_t out, sampler_t "
        "s)\n"
        "{ int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
        "  int w = get_image_width(in);\n"
        "  write_imageui(out, p, read_imageui(in, s, (int2)(w - 1 - p.x, p.y))); }\n";
    const struct rig *rig = *state;
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    const size_t origin[3] = {0, 0, 0}, region[3] = {W, H, 1};
    cl_kernel kernel = rig_kernel(rig, source, "flip");
    cl_uchar in[H][W][4], out[H][W][4];
    cl_mem a, b;
    cl_int status;
    cl_sampler sampler = clCreateSampler(rig->context, CL_FALSE, CL_ADDRESS_NONE,
                                         CL_FILTER_NEAREST, &status);

    check(status);
    for (size_t i = 0; i < sizeof(in); i++)
        ((cl_uchar *)in)[i] = (cl_uchar)(i * 7);
    a = make_image(rig, CL_RGBA, CL_UNSIGNED_INT8, &desc, in);
    b = make_image(rig, CL_RGBA, CL_UNSIGNED_INT8, &desc, NULL);
    check(clSetKernelArg(kernel, 0, sizeof(a), &a));
    check(clSetKernelArg(kernel, 1, sizeof(b), &b));
    check(clSetKernelArg(kernel, 2, sizeof(sampler), &sampler));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 2, NULL, region, NULL, 0, NULL,
                                 NULL));
    check(clEnqueueReadImage(rig->queue, b, CL_TRUE, origin, region, 0, 0, out, 0, NULL,
                             NULL));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            assert_memory_equal(out[y][x], in[y][W - 1 - x], 4);
    check(clReleaseSampler(sampler));
    check(clReleaseMemObject(a));
    check(clReleaseMemObject(b));
    check(clReleaseKernel(kernel));
}

/* The compiler leaves coordinates that are 0 out of the message. */
static void the_first_pixel_is_written(void **state)
{
    static const char source[] = "kernel void first(write_only image2d_t out)\n"
                                 "{ write_imageui(out, (int2)(0, 0), (uint4)(7)); }\n";
    const struct rig *rig = *state;
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    const size_t origin[3] = {0, 0, 0}, region[3] = {W, H, 1};
    cl_kernel kernel = rig_kernel(rig, source, "first");
    cl_uchar out[H * W * 4] = {0};
    cl_mem image = make_image(rig, CL_RGBA, CL_UNSIGNED_INT8, &desc, out);

    check(clSetKernelArg(kernel, 0, sizeof(image), &image));
    rig_run(rig, kernel, 1, 0);
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, origin, region, 0, 0, out, 0,
                             NULL, NULL));
    for (size_t i = 0; i < sizeof(out); i++)
        assert_int_equal(out[i], i < 4 ? 7 : 0);
    check(clReleaseMemObject(image));
    check(clReleaseKernel(kernel));
}

/* With a sampler by the sampler, without one by the compiler's own instructions. */
static void reads_make_denormals_zeros_of_their_sign(void **state)
{
    static const char source[] =
        "kernel void both(read_only image1d_t in, sampler_t s, global uint4 *out)\n"
        "{ int i = get_global_id(0);\n"
        "  out[2 * i] = as_uint4(read_imagef(in, s, i));\n"
        "  out[2 * i + 1] = as_uint4(read_imagef(in, i)); }\n";
    static const cl_uint in[8] = {0x00000001, 0x807FFFFF, 0x00800000, 0x80800000,
                                  0x80000000, 0x3F800000, 0x007FFFFF, 0x7F7FFFFF};
    static const cl_uint want[8] = {0,          0x80000000, 0x00800000, 0x80800000,
                                    0x80000000, 0x3F800000, 0,          0x7F7FFFFF};
    const struct rig *rig = *state;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 2};
    cl_mem image = make_image(rig, CL_RGBA, CL_FLOAT, &desc, in);
    cl_kernel kernel = rig_kernel(rig, source, "both");
    cl_uint out[2][2][4];
    cl_mem buffer = rig_buffer(rig, sizeof(out), NULL);
    cl_int status;
    cl_sampler sampler = clCreateSampler(rig->context, CL_FALSE, CL_ADDRESS_NONE,
                                         CL_FILTER_NEAREST, &status);

    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(image), &image));
    check(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    check(clSetKernelArg(kernel, 2, sizeof(buffer), &buffer));
    rig_run(rig, kernel, 2, 0);
    rig_read(rig, buffer, out, sizeof(out));
    for (int i = 0; i < 2; i++)
        for (int way = 0; way < 2; way++)
            assert_memory_equal(out[i][way], &want[4 * i], sizeof(out[i][way]));
    check(clReleaseSampler(sampler));
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* In place; the second round of each work-item reads what its first one wrote. */
static void a_kernel_reads_and_writes_one_image(void **state)
{
    static const char source[] =
        "#ifndef __opencl_c_read_write_images\n"
        "#error read_write images\n"
        "#endif\n"
        "kernel void twice(read_write image3d_t image)\n"
        "{ int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
        "  for (int i = 0; i < 2; i++) {\n"
        "      write_imageui(image, p, read_imageui(image, p) * 2 + 1);\n"
        "      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel,\n"
        "                             memory_scope_work_item); } }\n";
    const struct rig *rig = *state;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = W,
                                .image_height = H,
                                .image_depth = 3};
    const size_t origin[3] = {0, 0, 0}, region[3] = {W, H, 3};
    cl_program program = rig_program(rig, source, "-cl-std=CL3.0");
    cl_image_format list[128];
    cl_uint formats = 0;
    cl_uchar data[3][H][W][4], was[3][H][W][4];
    cl_kernel kernel;
    cl_mem image;
    cl_int status;

    for (size_t i = 0; i < sizeof(data); i++)
        ((cl_uchar *)was)[i] = (cl_uchar)(i % 61);
    image = make_image(rig, CL_RGBA, CL_UNSIGNED_INT8, &desc, was);
    kernel = clCreateKernel(program, "twice", &status);
    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(image), &image));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 3, NULL, region, NULL, 0, NULL,
                                 NULL));
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, origin, region, 0, 0, data, 0,
                             NULL, NULL));
    for (size_t i = 0; i < sizeof(data); i++)
        assert_int_equal(((cl_uchar *)data)[i], 4 * ((cl_uchar *)was)[i] + 3);
    check(clGetSupportedImageFormats(rig->context, CL_MEM_KERNEL_READ_AND_WRITE,
                                     CL_MEM_OBJECT_IMAGE3D, 128, list, &formats));
    assert_true(formats > 20);
    for (cl_uint i = 0; i < formats; i++)
        assert_true(list[i].image_channel_order != CL_sRGBA);
    check(clReleaseMemObject(image));
    check(clReleaseKernel(kernel));
    check(clReleaseProgram(program));
}

static void depth_is_one_number(void **state)
{
    static const char source[] =
        "kernel void halve(read_only image2d_depth_t in, write_only image2d_depth_t "
        "out)\n"
        "{ int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imagef(out, p, read_imagef(in, p) * 0.5f); }\n";
    const struct rig *rig = *state;
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    const size_t origin[3] = {0, 0, 0}, region[3] = {W, H, 1};
    cl_program program = rig_program(rig, source, "-cl-std=CL3.0");
    float in[H * W];
    cl_ushort out[H * W];
    cl_mem a, b;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "halve", &status);

    check(status);
    for (int i = 0; i < H * W; i++)
        in[i] = (float)i / (H * W);
    a = make_image(rig, CL_DEPTH, CL_FLOAT, &desc, in);
    b = make_image(rig, CL_DEPTH, CL_UNORM_INT16, &desc, NULL);
    check(clSetKernelArg(kernel, 0, sizeof(a), &a));
    check(clSetKernelArg(kernel, 1, sizeof(b), &b));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 2, NULL, region, NULL, 0, NULL,
                                 NULL));
    check(clEnqueueReadImage(rig->queue, b, CL_TRUE, origin, region, 0, 0, out, 0, NULL,
                             NULL));
    for (int i = 0; i < H * W; i++)
        assert_true(out[i] >= in[i] * 32767.5f - 0.51f &&
                    out[i] <= in[i] * 32767.5f + 0.51f);
    check(clReleaseMemObject(a));
    check(clReleaseMemObject(b));
    check(clReleaseKernel(kernel));
    check(clReleaseProgram(program));
}

static void images_are_filled_copied_and_mapped(void **state)
{
    const struct rig *rig = *state;
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                .image_width = 8,
                                .image_height = 4,
                                .image_array_size = 3};
    const size_t origin[3] = {2, 1, 1}, region[3] = {3, 2, 2}, zero[3] = {0, 0, 0};
    const size_t whole[3] = {8, 4, 3};
    const float color[4] = {0.5f, 1.0f, 2.0f, -1.0f};
    float got[3][4][8][4], *mapped;
    size_t row, slice;
    cl_mem a = make_image(rig, CL_RGBA, CL_FLOAT, &flat, NULL);
    cl_mem b = make_image(rig, CL_RGBA, CL_FLOAT, &flat, NULL);
    cl_mem buffer = rig_buffer(rig, sizeof(got), NULL);
    cl_int status;

    check(clEnqueueFillImage(rig->queue, a, color, origin, region, 0, NULL, NULL));
    check(clEnqueueCopyImage(rig->queue, a, b, origin, zero, region, 0, NULL, NULL));
    check(clEnqueueCopyImageToBuffer(rig->queue, b, buffer, zero, whole, 0, 0, NULL,
                                     NULL));
    rig_read(rig, buffer, got, sizeof(got));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 8; x++)
                for (int c = 0; c < 4; c++)
                    assert_true(got[z][y][x][c] ==
                                (x < 3 && y < 2 && z < 2 ? color[c] : 0));
    mapped = clEnqueueMapImage(rig->queue, a, CL_TRUE, CL_MAP_READ, origin, region,
                               &row, &slice, 0, NULL, NULL, &status);
    check(status);
    assert_memory_equal((uint8_t *)mapped + row + slice, color, sizeof(color));
    check(clEnqueueUnmapMemObject(rig->queue, a, mapped, 0, NULL, NULL));
    assert_int_equal(
        clEnqueueCopyImage(rig->queue, a, a, origin, origin, region, 0, NULL, NULL),
        CL_MEM_COPY_OVERLAP);
    check(clReleaseMemObject(a));
    check(clReleaseMemObject(b));
    check(clReleaseMemObject(buffer));
}

static void a_linear_sampler_interpolates(void **state)
{
    static const char source[] =
        "kernel void sample(read_only image1d_t in, sampler_t s, global float *out)\n"
        "{ out[get_global_id(0)] =\n"
        "      read_imagef(in, s, (get_global_id(0) + 0.5f) / 8.0f).x; }\n";
    const struct rig *rig = *state;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
    const float in[4] = {0, 4, 8, 12};
    /* Texel centres lie at 1/8, 3/8 ...; CLAMP_TO_EDGE holds the outer ones. */
    static const float want[8] = {0, 1, 3, 5, 7, 9, 11, 12};
    cl_kernel kernel = rig_kernel(rig, source, "sample");
    cl_mem image = make_image(rig, CL_R, CL_FLOAT, &desc, in);
    cl_mem out = rig_buffer(rig, sizeof(want), NULL);
    cl_sampler sampler = clCreateSampler(
        rig->context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, NULL);
    float got[8];

    check(clSetKernelArg(kernel, 0, sizeof(image), &image));
    check(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    check(clSetKernelArg(kernel, 2, sizeof(out), &out));
    rig_run(rig, kernel, 8, 8);
    rig_read(rig, out, got, sizeof(got));
    for (int i = 0; i < 8; i++)
        assert_true(got[i] > want[i] - 0.05f && got[i] < want[i] + 0.05f);
    check(clReleaseSampler(sampler));
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(out));
    check(clReleaseKernel(kernel));
}

static void printf_reaches_stdout_in_order(void **state)
{
    static const char source[] =
        "kernel void say(global int *a)\n"
        "{ printf(\"item %d of %s: %.2f\\n\", (int)get_global_id(0), \"four\",\n"
        "         0.5f * get_global_id(0)); }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "say");
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    char text[512] = "";
    struct capture printed;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    capture_begin(&printed, STDOUT_FILENO);
    rig_run(rig, kernel, 4, 4);
    capture_end(&printed, text, sizeof(text));
    assert_string_equal(text, "item 0 of four: 0.00\nitem 1 of four: 0.50\n"
                              "item 2 of four: 1.00\nitem 3 of four: 1.50\n");
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void a_full_printf_buffer_is_told(void **state)
{
    static const char source[] =
        "kernel void shout(global int *a, int n)\n"
        "{ for (int i = 0; i < n; i++)\n"
        "      printf(\"%llx of many words that fill the buffer\\n\", -1L - i); }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "shout");
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    char text[64], told[256];
    struct capture printed, errors;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    for (int n = 1; n <= 300000; n += 299999) {
        check(clSetKernelArg(kernel, 1, sizeof(n), &n));
        capture_begin(&printed, STDOUT_FILENO);
        capture_begin(&errors, STDERR_FILENO);
        rig_run(rig, kernel, 1, 1);
        capture_end(&errors, told, sizeof(told));
        capture_end(&printed, text, sizeof(text));
        assert_memory_equal(text, "ffffffffffffffff of many", 24);
        assert_int_equal(strstr(told, "the rest is lost") != NULL, n > 1);
    }
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void images_are_checked(void **state)
{
    const struct rig *rig = *state;
    const cl_image_format good = {CL_RGBA, CL_FLOAT},
                          bad = {CL_RGBA, CL_UNORM_SHORT_565};
    const cl_image_format rare = {CL_RGB, CL_UNORM_SHORT_565};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_image_format list[128];
    cl_uint formats = 0;
    cl_int status;

    check(clGetSupportedImageFormats(rig->context, CL_MEM_READ_ONLY,
                                     CL_MEM_OBJECT_IMAGE2D, 128, list, &formats));
    assert_true(formats > 20 && formats <= 128);
    assert_null(clCreateImage(rig->context, 0, &bad, &desc, NULL, &status));
    assert_int_equal(status, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_null(clCreateImage(rig->context, 0, &rare, &desc, NULL, &status));
    assert_int_equal(status, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    assert_null(clCreateImage(rig->context, 0, &good, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_width = 0;
    assert_null(clCreateImage(rig->context, 0, &good, &desc, NULL, &status));
    assert_int_equal(status, CL_INVALID_IMAGE_SIZE);
    desc.image_width = 4;
    desc.image_row_pitch = 64; /* without memory to lay out */
    assert_null(clCreateImage(rig->context, 0, &good, &desc, NULL, &status));
    assert_int_equal(status, CL_INVALID_IMAGE_DESCRIPTOR);
}

static cl_mem image_of(const struct rig *rig, cl_mem buffer, cl_mem_flags flags,
                       cl_int *status)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                .image_width = 4,
                                .mem_object = buffer};

    return clCreateImage(rig->context, flags, &format, &desc, NULL, status);
}

static void an_image_of_a_buffer_has_its_flags(void **state)
{
    static const cl_mem_flags refused[] = {
        (cl_mem_flags)1 << 40, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_WRITE_ONLY, CL_MEM_USE_HOST_PTR};
    const cl_mem_flags own = CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY;
    const struct rig *rig = *state;
    cl_mem buffer = clCreateBuffer(rig->context, own, 64, NULL, NULL), image;
    cl_mem_flags flags = 0;
    cl_int status;

    for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        assert_null(image_of(rig, buffer, refused[i], &status));
        assert_int_equal(status, CL_INVALID_VALUE);
    }
    image = image_of(rig, buffer, 0, &status);
    check(status);
    check(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL));
    assert_int_equal(flags, own);
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(buffer));
}

static void pipes_and_bad_pitches_are_refused(void **state)
{
    const struct rig *rig = *state;
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                .image_width = 4,
                                .image_array_size = 4};
    cl_mem pipe = clCreatePipe(rig->context, 0, 4, 16, NULL, NULL);
    cl_mem image = clCreateImage(rig->context, 0, &format, &desc, NULL, NULL);
    cl_uint count;
    size_t width;
    uint8_t host[64];

    assert_int_equal(clGetImageInfo(pipe, CL_IMAGE_WIDTH, sizeof(width), &width, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(clEnqueueReadImage(rig->queue, pipe, CL_TRUE, zero, region, 0, 0,
                                        host, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(clEnqueueReadImage(rig->queue, image, CL_TRUE, zero, region, 0, 3,
                                        host, 0, NULL, NULL),
                     CL_INVALID_VALUE); /* layers that overlap */
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, zero, region, 0, 16, host, 0,
                             NULL, NULL));
    assert_int_equal(clGetSupportedImageFormats(rig->context, (cl_mem_flags)1 << 40,
                                                CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count),
                     CL_INVALID_VALUE);
    check(clReleaseMemObject(pipe));
    check(clReleaseMemObject(image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_reads_and_writes_images),
        cmocka_unit_test(the_first_pixel_is_written),
        cmocka_unit_test(a_kernel_reads_and_writes_one_image),
        cmocka_unit_test(depth_is_one_number),
        cmocka_unit_test(images_are_filled_copied_and_mapped),
        cmocka_unit_test(reads_make_denormals_zeros_of_their_sign),
        cmocka_unit_test(a_linear_sampler_interpolates),
        cmocka_unit_test(printf_reaches_stdout_in_order),
        cmocka_unit_test(a_full_printf_buffer_is_told),
        cmocka_unit_test(images_are_checked),
        cmocka_unit_test(an_image_of_a_buffer_has_its_flags),
        cmocka_unit_test(pipes_and_bad_pitches_are_refused),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
