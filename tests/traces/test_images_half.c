/* test_images_half.c - half-precision reads and writes, depth images and images that a
 * kernel reads and writes (test_images_half.cl), at each SIMD width, whose messages
 * differ, and without optimisation, which has descriptors in registers, against
 * image_model.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "image_model.h"
#include "traces/program/compile.h"
#include "traces/program/half.h"
#include "traces/program/program.h"
#include "zebin_image.h"

enum { ITEMS = 64, WIDTHS = 4 }; /* SIMD8, 16, 32; SIMD8 not optimised */

static struct emu_mem *mem;
static struct program *program[WIDTHS];
static uint8_t texels[2][4096];
static float at[ITEMS][2];
static union {
    float f[ITEMS];
    uint16_t h[ITEMS][4];
} data;
static uint64_t texels_va[2], at_va, data_va, seed = 5;

static unsigned simd(unsigned width)
{
    return width == 3 ? 8 : 8u << width;
}

static int set_up(void **state)
{
    const char *dir = getenv("IGPU_TMP");
    struct igpu_err err = {.text = ""};

    (void)state;
    mem = emu_mem_new();
    for (unsigned i = 0; i < WIDTHS; i++) {
        char options[64];
        struct compile_request request = {.source_path =
                                              "tests/traces/test_images_half.cl",
                                          .device = "skl",
                                          .options = options,
                                          .cache_dir = dir != NULL ? dir : ""};
        struct compile_result built;

        (void)snprintf(options, sizeof(options), "-cl-std=CL2.0 -DSIMD=%u%s", simd(i),
                       i == 3 ? " -cl-opt-disable" : "");
        if (compile_opencl(&request, &built, &err) != IGPU_OK ||
            program_open_memory("test_images_half.cl", built.image, built.bytes, mem,
                                &program[i], &err) != IGPU_OK) {
            fprintf(stderr, "%s\n%s\n", err.text, built.log);
            return -1;
        }
        compile_free(&built);
    }
    return emu_mem_map(mem, texels[0], sizeof(texels[0]), 0, &texels_va[0], &err) ||
           emu_mem_map(mem, texels[1], sizeof(texels[1]), 0, &texels_va[1], &err) ||
           emu_mem_map(mem, at, sizeof(at), 0, &at_va, &err) ||
           emu_mem_map(mem, &data, sizeof(data), 0, &data_va, &err);
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WIDTHS; i++)
        program_free(program[i]);
    emu_mem_free(mem);
    return 0;
}

static void run(unsigned width, const char *name, const struct emu_arg *arg,
                uint32_t args, uint64_t items)
{
    struct emu_launch l = {.work_dim = 1,
                           .global = {items},
                           .local = {items},
                           .arg = arg,
                           .arg_count = args};
    struct igpu_err err = {.text = ""};
    struct program_kernel *k = program_kernel_new(program[width]->image, name, &err);

    if (k == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(k->info->simd_size, simd(width));
    if (emu_run(k->emu, mem, &l, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    program_kernel_free(k);
}

static struct emu_image image_of(unsigned i, uint8_t kind, uint32_t order,
                                 uint32_t type)
{
    struct emu_image image = {.kind = kind,
                              .order = order,
                              .type = type,
                              .width = 8,
                              .height = 5,
                              .depth = 1,
                              .array_size = kind == IMAGE_2D_ARRAY ? 3 : 1,
                              .va = texels_va[i]};
    struct igpu_err err = {.text = ""};

    assert_int_equal(image_layout(&image, NULL, &err), IGPU_OK);
    for (size_t b = 0; b < sizeof(texels[i]); b++)
        texels[i][b] = (uint8_t)image_random(&seed);
    for (size_t f = 0; type == IMAGE_FLOAT && f < sizeof(texels[i]) / 4; f++)
        ((float *)(void *)texels[i])[f] = (float)(image_random(&seed) % 1000) / 500.0f;
    for (unsigned p = 0; p < ITEMS; p++)
        for (unsigned d = 0; d < 2; d++)
            at[p][d] = (float)(image_random(&seed) % 1200) / 100.0f - 2.0f;
    return image;
}

static struct emu_arg image_arg(const struct emu_image *image)
{
    return (struct emu_arg){.kind = EMU_ARG_IMAGE, .image = image};
}

static struct emu_arg buffer_arg(uint64_t va, uint64_t bytes)
{
    return (struct emu_arg){.kind = EMU_ARG_BUFFER, .va = va, .size = bytes};
}

static void halves_are_read_at_every_width(void **state)
{
    struct emu_sampler s = {.address = SAMPLER_CLAMP_TO_EDGE, .linear = true};

    (void)state;
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct emu_image image = image_of(0, IMAGE_2D, IMAGE_RGBA, IMAGE_UNORM8);
        struct emu_arg arg[] = {image_arg(&image),
                                {.kind = EMU_ARG_SAMPLER, .sampler = &s},
                                buffer_arg(data_va, sizeof(data)),
                                buffer_arg(at_va, sizeof(at))};

        run(w, "halfs", arg, 4, ITEMS);
        for (unsigned i = 0; i < ITEMS; i++) {
            float c[4] = {at[i][0], at[i][1], 0.0f, 0.0f};
            double want[4];

            assert_true(model_read(&image, texels[0], &s, c, want));
            for (unsigned k = 0; k < 4; k++) /* half an ulp of a half, and the filter */
                assert_true(fabs(half_to_double(data.h[i][k]) - want[k]) < 0.00045);
        }
    }
}

static void depth_is_read_at_every_width(void **state)
{
    struct emu_sampler s = {.address = SAMPLER_CLAMP};

    (void)state;
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct emu_image a = image_of(0, IMAGE_2D, IMAGE_DEPTH, IMAGE_FLOAT);
        struct emu_image b = image_of(1, IMAGE_2D_ARRAY, IMAGE_DEPTH, IMAGE_UNORM16);
        struct emu_arg arg[] = {image_arg(&a),
                                image_arg(&b),
                                {.kind = EMU_ARG_SAMPLER, .sampler = &s},
                                buffer_arg(data_va, sizeof(data)),
                                buffer_arg(at_va, sizeof(at))};

        run(w, "depths", arg, 5, ITEMS);
        for (unsigned i = 0; i < ITEMS; i++) {
            float c[4] = {at[i][0], at[i][1], 1.0f, 0.0f};
            double one[4], two[4];

            assert_true(model_read(&a, texels[0], &s, c, one));
            assert_true(model_read(&b, texels[1], &s, c, two));
            assert_true(fabs((double)data.f[i] - (one[0] + 2.0 * two[0])) < 1e-6);
        }
    }
}

static void images_are_read_and_written_at_every_width(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct emu_image image = image_of(0, IMAGE_2D, IMAGE_RGBA, IMAGE_FLOAT);
        struct emu_arg arg = image_arg(&image);
        float before[40][4], after[40][4];

        memcpy(before, texels[0], sizeof(before));
        run(w, "both", &arg, 1, 40);
        memcpy(after, texels[0], sizeof(after));
        for (unsigned i = 0; i < 40; i++)
            for (unsigned c = 0; c < 4; c++)
                assert_true(after[i][c] == before[i][3 - c] * 0.5f);
    }
}

static void halves_are_written_at_every_width(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct emu_image image = image_of(0, IMAGE_2D, IMAGE_RGBA, IMAGE_HALF);
        struct emu_arg arg[] = {image_arg(&image), buffer_arg(data_va, sizeof(data))};

        for (unsigned i = 0; i < ITEMS; i++)
            for (unsigned c = 0; c < 4; c++) /* normal and finite */
                data.h[i][c] = (uint16_t)(0x3000 + image_random(&seed) % 0x4000);
        run(w, "put", arg, 2, 40);
        assert_memory_equal(texels[0], data.h, 40 * 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_read_at_every_width),
        cmocka_unit_test(depth_is_read_at_every_width),
        cmocka_unit_test(images_are_read_and_written_at_every_width),
        cmocka_unit_test(halves_are_written_at_every_width),
    };

    printf("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests_name("images_half", tests, set_up, tear_down);
}
