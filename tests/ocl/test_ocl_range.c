/* test_ocl_range.c - the shape of a launch: groups cut off at the end of the range,
 * with what each work-item is told, and what is refused; results whatever the number of
 * host threads; samples of a launch that still execute it in full. */
#include "rig.h"

static const char ids[] =
    "kernel void ids(global uint *out)\n"
    "{ size_t x = get_global_id(0), y = get_global_id(1);\n"
    "  global uint *o = out + 8 * (x + y * get_global_size(0));\n"
    "  o[0] = get_local_id(0); o[1] = get_local_id(1);\n"
    "  o[2] = get_local_size(0); o[3] = get_local_size(1);\n"
    "  o[4] = get_group_id(0) + 100 * get_group_id(1);\n"
    "  o[5] = get_num_groups(0) + 100 * get_num_groups(1);\n"
    "  o[6] = get_enqueued_local_size(0) + 100 * get_enqueued_local_size(1);\n"
    "  o[7] = work_group_reduce_add(1); }\n";

static cl_kernel kernel_of(const struct rig *rig, const char *source, const char *name,
                           const char *options)
{
    cl_program program = rig_program(rig, source, options);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    check(status);
    check(clReleaseProgram(program));
    return kernel;
}

static cl_uint least(cl_uint a, cl_uint b)
{
    return a < b ? a : b;
}

static void groups_are_cut_off_at_the_end(void **state)
{
    enum { W = 37, H = 11, LX = 16, LY = 4 };
    const struct rig *rig = *state;
    const size_t global[2] = {W, H}, local[2] = {LX, LY};
    cl_kernel kernel = kernel_of(rig, ids, "ids", "-cl-std=CL3.0");
    cl_uint *out = malloc(W * H * 8 * sizeof(cl_uint));
    cl_mem buffer = rig_buffer(rig, W * H * 8 * sizeof(cl_uint), NULL);

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 2, NULL, global, local, 0, NULL,
                                 NULL));
    rig_read(rig, buffer, out, W * H * 8 * sizeof(cl_uint));
    for (cl_uint y = 0; y < H; y++)
        for (cl_uint x = 0; x < W; x++) {
            const cl_uint *o = out + 8 * (x + y * W);
            cl_uint w = least(LX, W - x / LX * LX), h = least(LY, H - y / LY * LY);
            const cl_uint want[8] = {x % LX,
                                     y % LY,
                                     w,
                                     h,
                                     x / LX + 100 * (y / LY),
                                     (W + LX - 1) / LX + 100 * ((H + LY - 1) / LY),
                                     LX + 100 * LY,
                                     w * h};

            for (unsigned i = 0; i < 8; i++)
                assert_int_equal(o[i], want[i]);
        }
    free(out);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void cut_groups_need_a_program_that_allows_them(void **state)
{
    static const char source[] =
        "kernel void one(global uint *o) { o[get_global_id(0)] = 1; }\n"
        "kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
        "void fixed(global uint *o) { o[get_global_id(0)] = 1; }\n";
    static const struct {
        const char *options, *kernel;
        cl_int status;
    } cases[] = {
        {"", "one", CL_INVALID_WORK_GROUP_SIZE},
        {"-cl-std=CL1.2", "one", CL_INVALID_WORK_GROUP_SIZE},
        {"-cl-std=CL3.0", "one", CL_SUCCESS},
        {"-cl-std=CL3.0", "fixed", CL_SUCCESS},
        {"-cl-std=CL3.0 -cl-uniform-work-group-size", "one",
         CL_INVALID_WORK_GROUP_SIZE},
    };
    const struct rig *rig = *state;
    const size_t global = 33, local = 16;
    cl_mem buffer = rig_buffer(rig, global * sizeof(cl_uint), NULL);
    cl_bool offered = CL_FALSE;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                          sizeof(offered), &offered, NULL));
    assert_true(offered);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cl_kernel kernel = kernel_of(rig, source, cases[i].kernel, cases[i].options);

        check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
        assert_int_equal(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &global,
                                                &local, 0, NULL, NULL),
                         cases[i].status);
        check(clFinish(rig->queue));
        check(clReleaseKernel(kernel));
    }
    check(clReleaseMemObject(buffer));
}

/* Many groups, so that host threads have work: each item's result is its own. */
static void every_group_runs_once(void **state)
{
    static const char source[] =
        "kernel void mix(global uint *o, global uint *sum)\n"
        "{ uint x = get_global_id(0);\n"
        "  for (int i = 0; i < 20; i++) x = x * 1664525u + 1013904223u;\n"
        "  o[get_global_id(0)] += x; atomic_add(sum, x); }\n";
    enum { ITEMS = 64 * 1024 };
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "mix");
    cl_mem buffer = rig_buffer(rig, ITEMS * sizeof(cl_uint), NULL);
    cl_mem sum = rig_buffer(rig, sizeof(cl_uint), NULL);
    cl_uint *out = malloc(ITEMS * sizeof(cl_uint)), total = 0, have = 0;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(sum), &sum));
    rig_run(rig, kernel, ITEMS, 64);
    rig_read(rig, buffer, out, ITEMS * sizeof(cl_uint));
    rig_read(rig, sum, &have, sizeof(have));
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint x = i;

        for (int k = 0; k < 20; k++)
            x = x * 1664525u + 1013904223u;
        assert_int_equal(out[i], x);
        total += x;
    }
    assert_int_equal(have, total);
    free(out);
    check(clReleaseMemObject(buffer));
    check(clReleaseMemObject(sum));
    check(clReleaseKernel(kernel));
}

/* Kernels of local_sizes.def. */
enum { PLAIN, LOCAL, IMAGE, KINDS };

static const char by_size[] =
    "kernel void plain(global uint *o) { o[0] = get_local_size(0); }\n"
    "kernel void local_memory(global uint *o, global const float *a)\n"
    "{ local float l[256]; l[get_local_linear_id() & 255] = a[get_local_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); o[0] = l[3] > 1; }\n"
    "kernel void image(global uint *o, read_only image2d_t im)\n"
    "{ float4 v = read_imagef(im, (int2)(get_global_id(0), get_global_id(1)));\n"
    "  o[0] = v.x > 1; }\n";

/* As Intel's driver does, with which programs were tuned. */
static void groups_have_the_size_of_intels_driver(void **state)
{
    static const char *const names[KINDS] = {"plain", "local_memory", "image"};
    static const struct {
        unsigned kind, dims;
        size_t range[3], want[3];
    } cases[] = {
#define SIZE(kind, dims, x, y, z, gx, gy, gz) {kind, dims, {x, y, z}, {gx, gy, gz}},
#include "local_sizes.def"
#undef SIZE
    };
    const struct rig *rig = *state;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_program program = rig_program(rig, by_size, "-cl-std=CL3.0");
    cl_mem buffer = rig_buffer(rig, 4096, NULL);
    cl_mem image = clCreateImage(rig->context, 0, &format, &desc, NULL, NULL);
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest;
    cl_kernel kernel[KINDS];

    *(void **)&suggest = clGetExtensionFunctionAddressForPlatform(
        rig->platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    for (unsigned i = 0; i < KINDS; i++) {
        kernel[i] = clCreateKernel(program, names[i], NULL);
        check(clSetKernelArg(kernel[i], 0, sizeof(buffer), &buffer));
    }
    check(clSetKernelArg(kernel[LOCAL], 1, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel[IMAGE], 1, sizeof(image), &image));
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t got[3] = {1, 1, 1};

        check(suggest(rig->queue, kernel[cases[i].kind], cases[i].dims, NULL,
                      cases[i].range, got));
        if (memcmp(got, cases[i].want, sizeof(got)) != 0)
            fail_msg("%s, %zu x %zu x %zu: %zu x %zu x %zu", names[cases[i].kind],
                     cases[i].range[0], cases[i].range[1], cases[i].range[2], got[0],
                     got[1], got[2]);
    }
    for (unsigned i = 0; i < KINDS; i++)
        check(clReleaseKernel(kernel[i]));
    check(clReleaseProgram(program));
    check(clReleaseMemObject(buffer));
    check(clReleaseMemObject(image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_cut_off_at_the_end),
        cmocka_unit_test(cut_groups_need_a_program_that_allows_them),
        cmocka_unit_test(every_group_runs_once),
        cmocka_unit_test(groups_have_the_size_of_intels_driver),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
