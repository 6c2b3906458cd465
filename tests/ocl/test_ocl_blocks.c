/* test_ocl_blocks.c - block reads and writes of images (cl_intel_subgroups and its
 * short, char and long forms): every type, width and sub-group size, inside an image,
 * across its edges and beyond them, against a model of its bytes; tiled images and one
 * of a buffer. Does not find: how long they take (tests/bridge/test_images.sh). */
#include <stdio.h>

#include "rig.h"

enum { PIXEL = 4, WIDE = 37, HIGH = 21, ROW = WIDE * PIXEL, PITCH = 192, LANES = 16 };

static const struct form {
    const char *type, *suffix;
    unsigned bytes, most; /* of an element; elements of an item */
} forms[] = {{"uchar", "_uc", 1, 16},
             {"ushort", "_us", 2, 8},
             {"uint", "", 4, 8},
             {"ulong", "_ul", 8, 8}};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* Where blocks begin: byte and row. */
static const cl_int2 places[] = {{{0, 0}},          {{4, 1}},    {{20, 5}},
                                 {{124, 17}},       {{140, 3}},  {{-8, -2}},
                                 {{ROW + 4, HIGH}}, {{-400, 9}}, {{12, -30}}};
enum { PLACES = sizeof(places) / sizeof(places[0]) };

static void write_source(char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(
        text, bytes, "#define SG(n) __attribute__((intel_reqd_sub_group_size(n)))\n");

    for (unsigned lanes = 8; lanes <= LANES; lanes *= 2)
        for (unsigned f = 0; f < FORMS; f++)
            for (unsigned n = 1; n <= forms[f].most; n *= 2) {
                char width[12] = "";

                if (n > 1)
                    (void)snprintf(width, sizeof(width), "%u", n);
                used += (size_t)snprintf(
                    text + used, bytes - used,
                    "SG(%u) kernel void r%s%u_%u(read_only image2d_t m, int2 at, "
                    "global "
                    "%s%s *o)\n{ o[get_sub_group_local_id()] = "
                    "intel_sub_group_block_read%s%s(m, at); }\n"
                    "SG(%u) kernel void w%s%u_%u(write_only image2d_t m, int2 at, "
                    "global "
                    "%s%s *o)\n{ intel_sub_group_block_write%s%s(m, at, "
                    "o[get_sub_group_local_id()]); }\n",
                    lanes, forms[f].suffix, n, lanes, forms[f].type, width,
                    forms[f].suffix, width, lanes, forms[f].suffix, n, lanes,
                    forms[f].type, width, forms[f].suffix, width);
                assert_true(used < bytes);
            }
}

static int clamp(int value, int last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

/* The byte that stands at x of row y: of the nearest pixel. */
static unsigned char at(unsigned char image[HIGH][ROW], int x, int y)
{
    int pixel = x >= 0 ? x / PIXEL : -1 - (-1 - x) / PIXEL;

    return image[clamp(y, HIGH - 1)]
                [clamp(pixel, WIDE - 1) * PIXEL + x - pixel * PIXEL];
}

/* Element c of item i: row c, and i elements to the right. */
static int column_of(const struct form *f, unsigned byte, unsigned n)
{
    unsigned item = byte / (f->bytes * n);

    return (int)(item * f->bytes + byte % f->bytes);
}

static int row_of(const struct form *f, unsigned byte, unsigned n)
{
    return (int)(byte / f->bytes % n);
}

static void expect_read(const struct form *f, unsigned lanes, unsigned n, cl_int2 place,
                        unsigned char image[HIGH][ROW], const unsigned char *got)
{
    for (unsigned b = 0; b < lanes * n * f->bytes; b++) {
        int x = place.s[0] + column_of(f, b, n), y = place.s[1] + row_of(f, b, n);

        if (got[b] != at(image, x, y))
            fail_msg("read%s%u of %u items at %d, %d: byte %u is %u, not %u", f->suffix,
                     n, lanes, place.s[0], place.s[1], b, got[b], at(image, x, y));
    }
}

static void model_write(const struct form *f, unsigned lanes, unsigned n, cl_int2 place,
                        unsigned char image[HIGH][ROW], const unsigned char *from)
{
    for (unsigned b = 0; b < lanes * n * f->bytes; b++) {
        int x = place.s[0] + column_of(f, b, n), y = place.s[1] + row_of(f, b, n);

        if (x >= 0 && x < ROW && y >= 0 && y < HIGH)
            image[y][x] = from[b];
    }
}

static cl_mem make_image(const struct rig *rig, cl_mem buffer, const void *data)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = WIDE,
                                .image_height = HIGH,
                                .image_row_pitch = buffer != NULL ? PITCH : 0,
                                .mem_object = buffer};
    cl_int status;
    cl_mem image = clCreateImage(rig->context, data != NULL ? CL_MEM_COPY_HOST_PTR : 0,
                                 &format, &desc, (void *)(uintptr_t)data, &status);

    check(status);
    return image;
}

static const size_t origin[3] = {0, 0, 0}, whole[3] = {WIDE, HIGH, 1};

static void set_up(const struct rig *rig, cl_program program, char way,
                   const struct form *f, unsigned lanes, unsigned n, cl_mem image,
                   cl_int2 place, cl_mem data)
{
    char name[32];
    cl_int status;
    cl_kernel kernel;

    (void)snprintf(name, sizeof(name), "%c%s%u_%u", way, f->suffix, n, lanes);
    kernel = clCreateKernel(program, name, &status);
    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(image), &image));
    check(clSetKernelArg(kernel, 1, sizeof(place), &place));
    check(clSetKernelArg(kernel, 2, sizeof(data), &data));
    rig_run(rig, kernel, lanes, lanes);
    check(clReleaseKernel(kernel));
}

/* One block read and one written, at each place. */
static void try_form(const struct rig *rig, cl_program program, const struct form *f,
                     unsigned lanes, unsigned n, cl_mem image,
                     unsigned char model[HIGH][ROW])
{
    enum { MOST = LANES * 8 * 8 };
    unsigned char data[MOST], got[HIGH][ROW];
    size_t bytes = (size_t)lanes * n * f->bytes;

    for (unsigned p = 0; p < PLACES; p++) {
        cl_mem buffer = rig_buffer(rig, bytes, NULL);

        set_up(rig, program, 'r', f, lanes, n, image, places[p], buffer);
        rig_read(rig, buffer, data, bytes);
        expect_read(f, lanes, n, places[p], model, data);
        for (size_t b = 0; b < bytes; b++)
            data[b] = (unsigned char)(b * 3 + p + n);
        check(clEnqueueWriteBuffer(rig->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                                   NULL));
        set_up(rig, program, 'w', f, lanes, n, image, places[p], buffer);
        model_write(f, lanes, n, places[p], model, data);
        check(clEnqueueReadImage(rig->queue, image, CL_TRUE, origin, whole, 0, 0, got,
                                 0, NULL, NULL));
        if (memcmp(got, model, sizeof(got)) != 0)
            fail_msg("write%s%u of %u items at %d, %d leaves another image", f->suffix,
                     n, lanes, places[p].s[0], places[p].s[1]);
        check(clReleaseMemObject(buffer));
    }
}

static void blocks_of_every_kind_move_their_bytes(void **state)
{
    static char source[32768];
    static unsigned char model[HIGH][ROW];
    const struct rig *rig = *state;
    cl_program program;
    cl_mem image;

    write_source(source, sizeof(source));
    program = rig_program(rig, source, NULL);
    for (size_t i = 0; i < sizeof(model); i++)
        ((unsigned char *)model)[i] = (unsigned char)(i * 7 + i / 256);
    image = make_image(rig, NULL, model);
    for (unsigned lanes = 8; lanes <= LANES; lanes *= 2)
        for (unsigned f = 0; f < FORMS; f++)
            for (unsigned n = 1; n <= forms[f].most; n *= 2)
                try_form(rig, program, &forms[f], lanes, n, image, model);
    check(clReleaseMemObject(image));
    check(clReleaseProgram(program));
}

/* Rows at a pitch, which are not tiled; what lies between them stays. */
static void blocks_of_an_image_of_a_buffer_keep_its_pitch(void **state)
{
    static const char source[] =
        "__attribute__((intel_reqd_sub_group_size(16))) kernel void "
        "r_uc16_16(read_only "
        "image2d_t m, int2 at, global uchar16 *o)\n"
        "{ o[get_sub_group_local_id()] = intel_sub_group_block_read_uc16(m, at); }\n"
        "__attribute__((intel_reqd_sub_group_size(16))) kernel void "
        "w_uc16_16(write_only "
        "image2d_t m, int2 at, global uchar16 *o)\n"
        "{ intel_sub_group_block_write_uc16(m, at, o[get_sub_group_local_id()]); }\n";
    static unsigned char model[HIGH][PITCH], got[HIGH][PITCH], block[LANES * 16];
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, NULL);
    const struct form form = {"uchar", "_uc", 1, 16};
    cl_mem memory, image, data = rig_buffer(rig, sizeof(block), NULL);

    for (size_t i = 0; i < sizeof(model); i++)
        ((unsigned char *)model)[i] = (unsigned char)(i * 11 + i / 256);
    memory = rig_buffer(rig, sizeof(model), model);
    image = make_image(rig, memory, NULL);
    set_up(rig, program, 'r', &form, LANES, 16, image, (cl_int2){{56, 2}}, data);
    rig_read(rig, data, block, sizeof(block));
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 16; c++)
            assert_int_equal(block[i * 16 + c], model[2 + c][56 + i]);
    set_up(rig, program, 'w', &form, LANES, 16, image, (cl_int2){{ROW - 8, 4}}, data);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned c = 0; c < 16; c++)
            model[4 + c][ROW - 8 + i] = block[i * 16 + c];
    rig_read(rig, memory, got, sizeof(got));
    assert_memory_equal(got, model, sizeof(got));
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(memory));
    check(clReleaseMemObject(data));
    check(clReleaseProgram(program));
}

/* cl_intel_media_block_io: a block of a width and height of its own, whose elements go
 * row by row to one item after the other. */
static void blocks_have_a_width_and_a_height(void **state)
{
    static const char source[] =
        "#if !cl_intel_media_block_io\n#error not there\n#endif\n"
        "#define SG __attribute__((intel_reqd_sub_group_size(8))) kernel void\n"
        "#define ME get_sub_group_local_id()\n"
        "SG r4(read_only image2d_t m, int2 at, global uint2 *o)\n"
        "{ o[ME] = intel_sub_group_media_block_read_ui2(at, 4, 4, m); }\n"
        "SG r2(read_only image2d_t m, int2 at, global ushort4 *o)\n"
        "{ o[ME] = intel_sub_group_media_block_read_us4(at, 8, 4, m); }\n"
        "SG r1(read_only image2d_t m, int2 at, global uchar8 *o)\n"
        "{ o[ME] = intel_sub_group_media_block_read_uc8(at, 16, 4, m); }\n"
        "SG w1(write_only image2d_t m, int2 at, global uchar8 *o)\n"
        "{ intel_sub_group_media_block_write_uc8(at, 16, 4, o[ME], m); }\n";
    enum { ITEMS = 8, LINES = 4, LINE = 16, BLOCK = LINES * LINE, X = 12, Y = 3 };
    static unsigned char model[HIGH][ROW], got[HIGH][ROW], block[BLOCK];
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, NULL);
    cl_mem image, data = rig_buffer(rig, sizeof(block), NULL);
    const cl_int2 place = {{X, Y}};
    const size_t items = ITEMS;

    for (size_t i = 0; i < sizeof(model); i++)
        ((unsigned char *)model)[i] = (unsigned char)(i * 13 + i / 256);
    image = make_image(rig, NULL, model);
    for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
        static const char *const names[] = {"", "r1", "r2", "", "r4", "", "", "", "w1"};
        cl_kernel kernel = clCreateKernel(program, names[bytes], NULL);
        const unsigned each = BLOCK / bytes / ITEMS; /* elements of an item */

        check(clSetKernelArg(kernel, 0, sizeof(image), &image));
        check(clSetKernelArg(kernel, 1, sizeof(place), &place));
        check(clSetKernelArg(kernel, 2, sizeof(data), &data));
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &items, &items, 0,
                                     NULL, NULL));
        check(clFinish(rig->queue));
        check(clReleaseKernel(kernel));
        if (bytes == 8) /* it was the write */
            break;
        rig_read(rig, data, block, sizeof(block));
        for (unsigned e = 0; e < BLOCK / bytes; e++) {
            unsigned at = (e % ITEMS * each + e / ITEMS) * bytes, in = e * bytes;

            assert_memory_equal(block + at, &model[Y + in / LINE][X + in % LINE],
                                bytes);
        }
        for (unsigned i = 0; bytes == 4 && i < BLOCK; i++)
            block[i] = (unsigned char)(200 - i);
        if (bytes == 4)
            check(clEnqueueWriteBuffer(rig->queue, data, CL_TRUE, 0, sizeof(block),
                                       block, 0, NULL, NULL));
    }
    for (unsigned e = 0; e < BLOCK; e++)
        model[Y + e / LINE][X + e % LINE] = block[e % ITEMS * 8 + e / ITEMS];
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, origin, whole, 0, 0, got, 0,
                             NULL, NULL));
    assert_memory_equal(got, model, sizeof(got));
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(data));
    check(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_every_kind_move_their_bytes),
        cmocka_unit_test(blocks_of_an_image_of_a_buffer_keep_its_pitch),
        cmocka_unit_test(blocks_have_a_width_and_a_height),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
