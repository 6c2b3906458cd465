/* test_gfx_weights.c - linear filters: their weights have 8 bits and add up to 1, so
 * that a filter over equal texels gives just that, whatever its kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "csim/gfx/gfx_sample.h"
#include "tests/support/rng.h"

enum { R32_FLOAT = 0xD8, SIZE = 8, LEVELS = 3, BYTES = 1 << 16, CALLS = 20000 };
#define BASE UINT64_C(0x100000)

static uint8_t host[BYTES];
static uint64_t seed = 1;

static struct gfx *start(void)
{
    const struct gfx_buffer buffer = {BASE, BYTES, host};
    struct gfx *g = gfx_new();

    assert_non_null(g);
    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    return g;
}

static struct gfx_surface surface(enum gfx_surface_type type)
{
    return (struct gfx_surface){.format = tex_format(R32_FLOAT),
                                .type = (uint8_t)type,
                                .width = SIZE,
                                .height = SIZE,
                                .depth = type == GFX_3D ? SIZE : 1,
                                .pitch = 4 * SIZE * 2,
                                .qpitch = 2 * SIZE,
                                .levels = LEVELS,
                                .halign = 4,
                                .valign = 4,
                                .va = BASE,
                                .select = {4, 5, 6, 7}};
}

static struct gfx_call call(const struct gfx_surface *s, uint32_t dims)
{
    return (struct gfx_call){.s = s,
                             .lanes = 8,
                             .mask = 1,
                             .type = GFX_SAMPLE_L,
                             .dims = dims,
                             .probes = {1},
                             .sampler = {.min_filter = FILTER_LINEAR,
                                         .mag_filter = FILTER_LINEAR,
                                         .mip = MIP_LINEAR,
                                         .max_lod = 14,
                                         .seamless = s->type == GFX_CUBE,
                                         .wrap = {TEX_WRAP, TEX_CLAMP, TEX_MIRROR}}};
}

static float sample(struct gfx *g, struct gfx_call *c)
{
    float found;

    gfx_flat_begin(c);
    assert_true(gfx_sample_lane(g, c, 0));
    gfx_flat_end(g, c);
    memcpy(&found, &c->rgba[0][0], sizeof(found));
    return found;
}

static void equal_texels_give_just_that(void **unused)
{
    static const struct {
        enum gfx_surface_type type;
        uint32_t dims;
    } kinds[] = {{GFX_2D, 2}, {GFX_3D, 3}, {GFX_CUBE, 2}, {GFX_1D, 1}};
    struct gfx *g = start();

    (void)unused;
    for (uint32_t i = 0; i < CALLS; i++) {
        struct gfx_surface s = surface(kinds[i % 4].type);
        struct gfx_call c = call(&s, kinds[i % 4].dims);
        float v = lcg_unit(&seed) * 3 - 1;

        for (uint32_t k = 0; k < BYTES / 4 && i % 4 == 0; k++)
            memcpy(host + 4 * k, &v, sizeof(v));
        memcpy(&v, host, sizeof(v));
        for (uint32_t d = 0; d < c.dims; d++) {
            c.u[d][0] = lcg_unit(&seed);
            c.way[d][0] = lcg_unit(&seed) / 8;
        }
        c.lod[0] = lcg_unit(&seed) * LEVELS - 0.5f;
        c.probes[0] = i % 3 ? 1 : i % 7 + 1;
        assert_true(sample(g, &c) == v);
    }
    gfx_free(g);
}

/* A comparison that all texels pass is 1. */
static void equal_comparisons_add_up(void **unused)
{
    struct gfx_surface s = surface(GFX_2D);
    struct gfx *g = start();

    (void)unused;
    memset(host, 0, sizeof(host));
    for (uint32_t i = 0; i < CALLS; i++) {
        struct gfx_call c = call(&s, 2);

        c.compares = true;
        c.sampler.compare = i & 1; /* fails never, or always */
        c.u[0][0] = lcg_unit(&seed);
        c.u[1][0] = lcg_unit(&seed);
        assert_true(sample(g, &c) == (i & 1 ? 1.0f : 0.0f));
    }
    gfx_free(g);
}

static void weights_have_eight_bits(void **unused)
{
    struct gfx_surface s = surface(GFX_2D);
    const float one = 1;
    struct gfx *g = start();

    (void)unused;
    memset(host, 0, sizeof(host));
    memcpy(host + 4, &one, sizeof(one)); /* texel 1, 0 */
    for (uint32_t i = 0; i < CALLS; i++) {
        struct gfx_call c = call(&s, 2);
        float f = lcg_unit(&seed);

        c.sampler.mip = MIP_NONE;
        c.u[0][0] = (0.5f + f) / SIZE;
        c.u[1][0] = 0;
        assert_true(fabsf(sample(g, &c) - rintf(f * 256) / 256) <= 1.0f / 256);
        assert_true(sample(g, &c) * 256 == rintf(sample(g, &c) * 256));
        if (fabsf(f * 256 - floorf(f * 256) - 0.5f) > 0.01f)
            assert_true(sample(g, &c) == rintf(f * 256) / 256);
    }
    gfx_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texels_give_just_that),
        cmocka_unit_test(equal_comparisons_add_up),
        cmocka_unit_test(weights_have_eight_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
