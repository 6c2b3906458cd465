/* test_images.c - kernels that read and write images, as the compiler makes them,
 * against image_model.c: every format, kind, addressing and filter mode, with float
 * and integer coordinates, inside and far outside. Does not find: a mistake that the
 * model shares, such as a misread paragraph of the standard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "image_model.h"
#include "traces/program/compile.h"
#include "traces/program/program.h"
#include "zebin_image.h"

enum { ITEMS = 96, MEMORY = 1 << 16, MAX_KERNELS = 64 };

static const char *const kinds[IMAGE_KIND_COUNT] = {"image1d",       "image1d_buffer",
                                                    "image1d_array", "image2d",
                                                    "image2d_array", "image3d"};

static struct emu_mem *mem;
static struct program *program;
static struct program_kernel *opened[MAX_KERNELS];
static uint8_t memory[MEMORY], before[MEMORY];
static float at[ITEMS][4];
static union {
    float f[ITEMS][4];
    int32_t i[ITEMS][4];
    uint32_t u[ITEMS][4];
} data;
static uint64_t memory_va, at_va, data_va;
static uint64_t seed = 20;

static int set_up(void **state)
{
    const char *dir = getenv("IGPU_TMP");
    struct compile_request request = {.source_path = "tests/traces/test_images.cl",
                                      .device = "skl",
                                      .options = "-cl-std=CL1.2",
                                      .cache_dir = dir != NULL ? dir : ""};
    struct compile_result built;
    struct igpu_err err = {.text = ""};

    (void)state;
    mem = emu_mem_new();
    if (compile_opencl(&request, &built, &err) != IGPU_OK ||
        program_open_memory("test_images.cl", built.image, built.bytes, mem, &program,
                            &err) != IGPU_OK ||
        emu_mem_map(mem, memory, sizeof(memory), 0, &memory_va, &err) != IGPU_OK ||
        emu_mem_map(mem, at, sizeof(at), 0, &at_va, &err) != IGPU_OK ||
        emu_mem_map(mem, &data, sizeof(data), 0, &data_va, &err) != IGPU_OK) {
        fprintf(stderr, "%s\n%s\n", err.text, built.log);
        return -1;
    }
    compile_free(&built);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MAX_KERNELS; i++)
        program_kernel_free(opened[i]);
    program_free(program);
    emu_mem_free(mem);
    return 0;
}

/* Each kernel is opened once. */
static const struct program_kernel *kernel_named(const char *prefix, const char *rest)
{
    char name[64];
    struct igpu_err err = {.text = ""};
    unsigned n = 0;

    (void)snprintf(name, sizeof(name), "%s%s", prefix, rest);
    while (n < MAX_KERNELS && opened[n] != NULL &&
           strcmp(opened[n]->info->name, name) != 0)
        n++;
    assert_true(n < MAX_KERNELS);
    if (opened[n] == NULL)
        opened[n] = program_kernel_new(program->image, name, &err);
    if (opened[n] == NULL)
        fail_msg("%s", err.text);
    return opened[n];
}

static struct emu_arg image_arg(const struct emu_image *image)
{
    return (struct emu_arg){.kind = EMU_ARG_IMAGE, .image = image};
}

static struct emu_arg sampler_arg(const struct emu_sampler *sampler)
{
    return (struct emu_arg){.kind = EMU_ARG_SAMPLER, .sampler = sampler};
}

static struct emu_arg buffer_arg(uint64_t va, uint64_t bytes)
{
    return (struct emu_arg){.kind = EMU_ARG_BUFFER, .va = va, .size = bytes};
}

static void launch(const struct program_kernel *kernel, const struct emu_arg *arg,
                   uint32_t args)
{
    struct emu_launch l = {.work_dim = 1,
                           .global = {ITEMS},
                           .local = {ITEMS / 2},
                           .arg = arg,
                           .arg_count = args};
    struct igpu_err err = {.text = ""};

    assert_int_equal(kernel->arg_count, args);
    for (uint32_t i = 0; i < args; i++)
        assert_int_equal(kernel->arg[i].kind, arg[i].kind);
    if (emu_run(kernel->emu, mem, &l, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

/* ---- material ----------------------------------------------------------- */

static uint32_t noise(uint32_t below)
{
    return image_random(&seed) % below;
}

static struct emu_image image_of(uint8_t kind, uint32_t order, uint32_t type)
{
    struct emu_image image = {.kind = kind,
                              .order = order,
                              .type = type,
                              .width = 13,
                              .height = 1,
                              .depth = 1,
                              .array_size = 1,
                              .va = memory_va};
    uint64_t bytes;
    struct igpu_err err = {.text = ""};

    if (image_dims(kind) > 1)
        image.height = 7;
    if (image_dims(kind) > 2)
        image.depth = 5;
    if (kind == IMAGE_1D_ARRAY || kind == IMAGE_2D_ARRAY)
        image.array_size = 6;
    image.row_pitch = 16 * (uint64_t)image_texel_bytes(order, type);
    if (image_layout(&image, &bytes, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    assert_true(bytes <= sizeof(memory));
    for (size_t i = 0; i < sizeof(memory); i++)
        memory[i] = (uint8_t)noise(256);
    for (size_t i = 0; type == IMAGE_FLOAT && i < sizeof(memory) / 4; i++)
        ((float *)(void *)memory)[i] = (float)noise(8000) / 1000.0f - 4.0f;
    for (size_t i = 0; type == IMAGE_HALF && i < sizeof(memory) / 2; i++)
        memory[2 * i + 1] = (uint8_t)(memory[2 * i + 1] & 0xBF); /* finite, below 2 */
    return image;
}

/* Coordinates in and out of the image: anything, texel centres, edges. */
static void pick_coordinates(const struct emu_image *image, bool normalized)
{
    const float size[4] = {(float)image->width,
                           image->kind == IMAGE_1D_ARRAY ? 6.0f : (float)image->height,
                           image->kind == IMAGE_3D ? 5.0f : 6.0f, 1.0f};

    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned d = 0; d < 4; d++) {
            float span = i % 4 == 0 ? 5.0f : 1.2f;
            float c =
                ((float)noise(4096) / 4095.0f - 0.5f) * size[d] * span + 0.5f * size[d];

            if (i % 3 == 0)
                c = floorf(c) + 0.5f * (float)noise(2);
            at[i][d] = normalized ? c / size[d] : c;
        }
    if (!normalized)
        return;
    for (unsigned i = 0; i < ITEMS; i++) { /* layers are never normalised */
        if (image->kind == IMAGE_1D_ARRAY)
            at[i][1] *= 6.0f;
        if (image->kind == IMAGE_2D_ARRAY)
            at[i][2] *= 6.0f;
    }
}

/* The letter of the kernel that reads the type. */
static const char *letter(uint32_t type)
{
    return !model_is_integer(type) ? "f" : type <= IMAGE_SINT32 ? "i" : "u";
}

static double result(uint32_t type, unsigned i, unsigned c)
{
    return !model_is_integer(type) ? (double)data.f[i][c]
           : type <= IMAGE_SINT32  ? (double)data.i[i][c]
                                   : (double)data.u[i][c];
}

/* Nearest reads of exact values must be exact; the rest within what single precision
 * and a conversion from 8 or 16 bits allow. */
static void expect(const struct emu_image *image, const struct emu_sampler *sampler,
                   unsigned i, const double want[4])
{
    double allowed = model_is_integer(image->type) ? 0.0
                     : sampler->linear             ? 2e-4
                                                   : 2e-7;

    for (unsigned c = 0; c < 4; c++) {
        double got = result(image->type, i, c);

        if (!(fabs(got - want[c]) <= allowed * fmax(1.0, fabs(want[c]))))
            fail_msg(
                "%s, order 0x%X, type 0x%X, address %u %s %s, item %u at %g %g %g, "
                "channel %u: %.9g, expected %.9g",
                kinds[image->kind], (unsigned)image->order, (unsigned)image->type,
                sampler->address, sampler->linear ? "linear" : "nearest",
                sampler->normalized ? "normalized" : "texels", i, (double)at[i][0],
                (double)at[i][1], (double)at[i][2], c, got, want[c]);
    }
}

/* Run prefix_kind with the coordinates in at[] and compare. Returns comparisons. */
static unsigned read_and_compare(const char *prefix, const struct emu_image *image,
                                 const struct emu_sampler *sampler, bool whole)
{
    char name[32];
    struct emu_arg arg[] = {image_arg(image), sampler_arg(sampler),
                            buffer_arg(at_va, sizeof(at)),
                            buffer_arg(data_va, sizeof(data))};
    unsigned compared = 0;

    (void)snprintf(name, sizeof(name), "%s%s_", letter(image->type), prefix);
    launch(kernel_named(name, kinds[image->kind]), arg, 4);
    for (unsigned i = 0; i < ITEMS; i++) {
        float c[4];
        double want[4];

        for (unsigned d = 0; d < 4; d++)
            c[d] = whole ? truncf(at[i][d]) : at[i][d];
        if (!model_read(image, memory, sampler, c, want))
            continue;
        compared++;
        expect(image, sampler, i, want);
    }
    return compared;
}

/* ---- reading ------------------------------------------------------------ */

static void every_format_reads_as_the_standard_says(void **state)
{
    static const uint32_t orders[] = {
#define NUMBER(id, number, word) number,
        IMAGE_ORDERS(NUMBER)};
    static const uint32_t types[] = {IMAGE_TYPES(NUMBER)
#undef NUMBER
    };
    unsigned formats = 0;

    (void)state;
    for (unsigned o = 0; o < sizeof(orders) / sizeof(orders[0]); o++)
        for (unsigned t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
            struct emu_sampler clamp = {.address = SAMPLER_CLAMP};
            struct emu_image image;

            if (image_texel_bytes(orders[o], types[t]) == 0 ||
                orders[o] == IMAGE_DEPTH) /* its own type in OpenCL C */
                continue;
            formats++;
            image = image_of(IMAGE_2D, orders[o], types[t]);
            pick_coordinates(&image, false);
            assert_true(read_and_compare("", &image, &clamp, false) > ITEMS / 2);
            assert_true(read_and_compare("i", &image, &clamp, true) > ITEMS / 2);
            clamp.linear = !model_is_integer(types[t]);
            assert_true(read_and_compare("", &image, &clamp, false) > ITEMS / 2);
        }
    assert_int_equal(formats, 82);
}

static void every_sampler_reads_every_kind_as_the_standard_says(void **state)
{
    static const uint8_t with_sampler[] = {IMAGE_1D, IMAGE_1D_ARRAY, IMAGE_2D,
                                           IMAGE_2D_ARRAY, IMAGE_3D};
    static const uint32_t formats[][2] = {{IMAGE_RGBA, IMAGE_FLOAT},
                                          {IMAGE_RG, IMAGE_UNORM8},
                                          {IMAGE_R, IMAGE_SINT16},
                                          {IMAGE_RGBA, IMAGE_UINT8}};

    (void)state;
    for (unsigned k = 0; k < sizeof(with_sampler); k++)
        for (unsigned f = 0; f < 4; f++)
            for (unsigned mode = 0; mode < 4 * SAMPLER_ADDRESS_COUNT; mode++) {
                struct emu_sampler s = {.address = (uint8_t)(mode / 4),
                                        .linear = mode & 1,
                                        .normalized = mode & 2};
                struct emu_image image;

                if ((s.linear && model_is_integer(formats[f][1])) ||
                    (!s.normalized && s.address >= SAMPLER_REPEAT))
                    continue; /* undefined */
                image = image_of(with_sampler[k], formats[f][0], formats[f][1]);
                pick_coordinates(&image, s.normalized);
                if (s.address == SAMPLER_NONE) /* undefined outside */
                    s.address = SAMPLER_CLAMP_TO_EDGE;
                assert_true(read_and_compare("", &image, &s, false) > ITEMS / 2);
                if (!s.normalized && !s.linear)
                    assert_true(read_and_compare("i", &image, &s, true) > ITEMS / 2);
            }
}

static void reads_without_a_sampler_take_the_texel(void **state)
{
    struct emu_sampler none = {.address = SAMPLER_CLAMP};

    (void)state;
    for (uint8_t kind = 0; kind < IMAGE_KIND_COUNT; kind++) {
        struct emu_image image = image_of(kind, IMAGE_BGRA, IMAGE_UNORM8);
        struct emu_arg arg[] = {image_arg(&image), buffer_arg(at_va, sizeof(at)),
                                buffer_arg(data_va, sizeof(data))};

        for (unsigned i = 0; i < ITEMS; i++) {
            at[i][0] = (float)noise(image.width);
            at[i][1] = (float)noise(kind == IMAGE_1D_ARRAY ? 6 : image.height);
            at[i][2] = (float)noise(kind == IMAGE_2D_ARRAY ? 6 : image.depth);
        }
        launch(kernel_named("f0_", kinds[kind]), arg, 3);
        for (unsigned i = 0; i < ITEMS; i++) {
            double want[4];

            model_texel(&image, memory, (long)at[i][0], (long)at[i][1], (long)at[i][2],
                        want);
            expect(&image, &none, i, want);
        }
    }
}

static void samplers_in_the_source_and_several_images_are_kept_apart(void **state)
{
    struct emu_image image = image_of(IMAGE_2D, IMAGE_RGBA, IMAGE_FLOAT), other;
    struct emu_sampler fixed = {
        .address = SAMPLER_MIRRORED_REPEAT, .normalized = true, .linear = true};
    struct emu_sampler plain = {.address = SAMPLER_CLAMP_TO_EDGE, .normalized = true};
    struct emu_arg arg[] = {image_arg(&image), buffer_arg(at_va, sizeof(at)),
                            buffer_arg(data_va, sizeof(data))};
    struct emu_arg two[] = {image_arg(&image),
                            image_arg(&other),
                            sampler_arg(&fixed),
                            sampler_arg(&plain),
                            arg[1],
                            arg[2]};
    double a[4], b[4];

    (void)state;
    pick_coordinates(&image, true);
    launch(kernel_named("in_", "source"), arg, 3);
    for (unsigned i = 0; i < ITEMS; i++) {
        assert_true(model_read(&image, memory, &fixed, at[i], a));
        expect(&image, &fixed, i, a);
    }
    other = image;
    other.width = 4;
    other.height = 5;
    launch(kernel_named("blend", ""), two, 6);
    for (unsigned i = 0; i < ITEMS; i++) {
        if (!model_read(&image, memory, &fixed, at[i], a) ||
            !model_read(&other, memory, &plain, at[i], b))
            continue;
        for (unsigned c = 0; c < 4; c++)
            a[c] -= 2.0 * b[c];
        expect(&image, &fixed, i, a);
    }
}

/* ---- writing ------------------------------------------------------------ */

static void pick_values(uint32_t type)
{
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (type >= IMAGE_UINT8 && type <= IMAGE_UINT32)
                data.u[i][c] = image_random(&seed) >> noise(32);
            else if (model_is_integer(type))
                data.i[i][c] = (int32_t)image_random(&seed) >> noise(32);
            else
                data.f[i][c] = (float)noise(4000) / 1000.0f - 2.0f;
        }
}

/* What one item leaves in `model`, a copy of the memory before. */
static void store(const struct emu_image *image, unsigned i, uint8_t *model)
{
    const char *channels = model_channels(image->order);
    size_t count = strlen(channels);
    uint32_t bytes = image_texel_bytes(image->order, image->type) / (uint32_t)count;
    bool layered = image->kind == IMAGE_1D_ARRAY;
    uint8_t *p = model + (size_t)at[i][0] * count * bytes;

    p += (size_t)(layered ? at[i][1] : at[i][2]) * image->slice_pitch;
    p += layered ? 0 : (size_t)at[i][1] * image->row_pitch;
    for (size_t c = 0; c < count; c++) {
        const char *from = strchr("rgba", channels[c]);
        uint32_t value = model_store(
            image->order, channels[c], image->type,
            result(image->type, i, from != NULL ? (unsigned)(from - "rgba") : 0));

        memcpy(p + c * bytes, &value, bytes);
    }
}

static void write_and_compare(const struct emu_image *image)
{
    static uint8_t model[MEMORY];
    const char *which = model_is_integer(image->type)
                            ? image->type <= IMAGE_SINT32 ? "wi_" : "wu_"
                            : "w_";
    struct emu_arg arg[] = {image_arg(image), buffer_arg(at_va, sizeof(at)),
                            buffer_arg(data_va, sizeof(data))};

    memcpy(before, memory, sizeof(before));
    memcpy(model, memory, sizeof(model));
    pick_values(image->type);
    for (unsigned i = 0; i < ITEMS; i++) {
        /* each item its own texel; some items outside */
        unsigned rows = image_dims(image->kind) > 1     ? image->height
                        : image->kind == IMAGE_1D_ARRAY ? image->array_size
                                                        : 1;

        at[i][0] = (float)(i % 13);
        at[i][1] = (float)(i / 13 % rows);
        at[i][2] = (float)(i / 13 / rows);
        if (i / 13 / rows >= image->depth * (image->kind == IMAGE_2D_ARRAY ? 6u : 1u))
            at[i][0] = (float)(i % 2 == 0 ? -1 : 13);
        else
            store(image, i, model);
    }
    launch(kernel_named(which, kinds[image->kind]), arg, 3);
    for (size_t b = 0; b < sizeof(memory); b++)
        if (memory[b] != model[b])
            fail_msg("%s, order 0x%X, type 0x%X, byte %zu: %u, expected %u, was %u",
                     kinds[image->kind], (unsigned)image->order, (unsigned)image->type,
                     b, memory[b], model[b], before[b]);
}

static void every_format_and_kind_is_written_as_the_standard_says(void **state)
{
    static const uint32_t types[] = {
#define NUMBER(id, number, word) number,
        IMAGE_TYPES(NUMBER)
#undef NUMBER
    };
    static const uint32_t orders[] = {IMAGE_R,    IMAGE_RG,   IMAGE_RGBA,
                                      IMAGE_BGRA, IMAGE_A,    IMAGE_INTENSITY,
                                      IMAGE_ARGB, IMAGE_SRGBA};
    struct emu_image image;

    (void)state;
    for (unsigned t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        for (unsigned o = 0; o < sizeof(orders) / sizeof(orders[0]); o++)
            if (image_texel_bytes(orders[o], types[t]) != 0) {
                image = image_of(IMAGE_2D, orders[o], types[t]);
                write_and_compare(&image);
            }
    for (uint8_t kind = 0; kind < IMAGE_KIND_COUNT; kind++) {
        image = image_of(kind, IMAGE_RGBA, IMAGE_UNORM16);
        write_and_compare(&image);
    }
}

/* ---- the rest ----------------------------------------------------------- */

static void work_items_that_are_off_touch_nothing(void **state)
{
    struct emu_image image = image_of(IMAGE_2D, IMAGE_RGBA, IMAGE_UNORM8), out = image;
    struct emu_sampler s = {.address = SAMPLER_CLAMP_TO_EDGE};
    struct emu_arg arg[] = {image_arg(&image), image_arg(&out), sampler_arg(&s),
                            buffer_arg(at_va, sizeof(at)),
                            buffer_arg(data_va, sizeof(data))};
    static uint8_t target[16 * 4 * 8];
    uint64_t va;
    struct igpu_err err = {.text = ""};

    (void)state;
    memset(target, 0xEE, sizeof(target));
    assert_int_equal(emu_mem_map(mem, target, sizeof(target), 0, &va, &err), IGPU_OK);
    out.va = va;
    out.width = 16;
    pick_coordinates(&image, false);
    memset(&data, 0x11, sizeof(data));
    launch(kernel_named("some", ""), arg, 5);
    for (unsigned i = 0; i < ITEMS; i++) {
        bool reads = i % 3 == 0, writes = i % 3 == 1;
        double want[4];

        /* i / 16 is a row of 64 bytes; rows beyond the image's 7 do not come up */
        assert_int_equal(target[i * 4], writes ? (i == 0 ? 0 : 255) : 0xEE);
        assert_int_equal(data.u[i][0] == 0x11111111, !reads);
        if (reads && model_read(&image, memory, &s, at[i], want))
            expect(&image, &s, i, want);
    }
    assert_true(emu_mem_unmap(mem, va));
}

/* What the hook was told of the image's messages. */
struct seen {
    const struct emu_image *image;
    unsigned lanes;
    bool wrong;
};

static void see(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct seen *s = ctx;
    uint64_t room = image_footprint(s->image);

    for (unsigned i = 0; i < ISA_MAX_SIMD; i++) {
        uint64_t off = access->addr[i] - s->image->va;

        if (!(access->mask >> i & 1) || access->addr[i] >= at_va)
            continue; /* the buffers lie behind the image */
        s->lanes++;
        s->wrong |= off >= room || off % 4 != 0 || thread >= ITEMS;
    }
}

static void only_texels_inside_are_recorded_and_in_tiles(void **state)
{
    struct emu_image image = image_of(IMAGE_2D, IMAGE_RGBA, IMAGE_UNORM8);
    struct emu_sampler s = {.address = SAMPLER_CLAMP};
    struct seen seen = {.image = &image};
    struct emu_arg arg[] = {image_arg(&image), sampler_arg(&s),
                            buffer_arg(at_va, sizeof(at)),
                            buffer_arg(data_va, sizeof(data))};
    struct emu_launch l = {.work_dim = 1,
                           .global = {ITEMS},
                           .local = {ITEMS / 2},
                           .arg = arg,
                           .arg_count = 4,
                           .hooks = {.ctx = &seen, .access = see}};
    struct igpu_err err = {.text = ""};
    unsigned inside = 0;

    (void)state;
    assert_true(memory_va < at_va && at_va < data_va);
    pick_coordinates(&image, false);
    for (unsigned i = 0; i < ITEMS; i++)
        inside +=
            at[i][0] >= 0.0f && at[i][0] < 13.0f && at[i][1] >= 0.0f && at[i][1] < 7.0f;
    assert_int_equal(emu_run(kernel_named("f_", "image2d")->emu, mem, &l, NULL, &err),
                     IGPU_OK);
    assert_int_equal(seen.lanes, inside);
    assert_true(inside > 0 && inside < ITEMS);
    assert_false(seen.wrong);
}

static void a_kernel_is_told_the_image_it_asks_for(void **state)
{
    struct emu_image image[6] = {image_of(IMAGE_1D, IMAGE_R, IMAGE_FLOAT),
                                 image_of(IMAGE_1D_ARRAY, IMAGE_R, IMAGE_FLOAT),
                                 image_of(IMAGE_2D, IMAGE_BGRA, IMAGE_UNORM8),
                                 image_of(IMAGE_2D_ARRAY, IMAGE_R, IMAGE_FLOAT),
                                 image_of(IMAGE_3D, IMAGE_LUMINANCE, IMAGE_HALF),
                                 image_of(IMAGE_1D_BUFFER, IMAGE_R, IMAGE_UINT8)};
    static const int32_t want[14] = {11, 12, 6, 13, 7, 0x10B6, 0x10D2,
                                     7,  6,  5, 1,  1, 5000,   5};
    struct emu_arg arg[7];

    (void)state;
    image[0].width = 11;
    image[1].width = 12;
    image[5].width = 5000;
    image[5].row_pitch = image[5].slice_pitch = 5000;
    for (unsigned i = 0; i < 6; i++)
        arg[i] = image_arg(&image[i]);
    arg[6] = buffer_arg(data_va, sizeof(data));
    launch(kernel_named("ask", ""), arg, 7);
    for (unsigned i = 0; i < 14; i++)
        assert_int_equal(((int32_t *)data.i)[i], want[i]);
}

static void expect_refused(const struct emu_arg *arg, const char *words)
{
    const struct program_kernel *k = kernel_named("f_", "image2d");
    struct emu_launch l = {
        .work_dim = 1, .global = {ITEMS}, .local = {ITEMS}, .arg = arg, .arg_count = 4};
    struct igpu_err err = {.text = ""};

    assert_int_equal(emu_run(k->emu, mem, &l, NULL, &err), IGPU_USAGE);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    struct emu_image image = image_of(IMAGE_2D, IMAGE_RGBA, IMAGE_FLOAT);
    struct emu_sampler s = {.address = SAMPLER_NONE}, odd = {.address = 9};
    struct emu_arg buffer = buffer_arg(data_va, sizeof(data));
    struct emu_arg arg[] = {image_arg(&image), sampler_arg(&s), buffer, buffer};

    (void)state;
    arg[0] = buffer;
    expect_refused(arg, "argument 0 must be an image");
    arg[0] = image_arg(&image);
    arg[1] = buffer;
    expect_refused(arg, "argument 1 must be a sampler");
    arg[1] = sampler_arg(&odd);
    expect_refused(arg, "argument 1 must be a sampler");
    arg[1] = sampler_arg(&s);
    image.type = IMAGE_UNORM8 + 100;
    expect_refused(arg, "no such format");
    image.type = IMAGE_FLOAT;
    image.height = 0;
    expect_refused(arg, "0 x 1 texels");
    image.height = 7;
    image.row_pitch = 16;
    expect_refused(arg, "pitches of 16");
    image.row_pitch = 65536;
    image.slice_pitch = 0;
    expect_refused(arg, "bytes of mapped memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_reads_as_the_standard_says),
        cmocka_unit_test(every_sampler_reads_every_kind_as_the_standard_says),
        cmocka_unit_test(reads_without_a_sampler_take_the_texel),
        cmocka_unit_test(samplers_in_the_source_and_several_images_are_kept_apart),
        cmocka_unit_test(every_format_and_kind_is_written_as_the_standard_says),
        cmocka_unit_test(work_items_that_are_off_touch_nothing),
        cmocka_unit_test(only_texels_inside_are_recorded_and_in_tiles),
        cmocka_unit_test(a_kernel_is_told_the_image_it_asks_for),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused),
    };

    printf("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests_name("images", tests, set_up, tear_down);
}
