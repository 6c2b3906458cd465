/* test_gfx_reduction.c - samplers that take the least or greatest of the texels that
 * their filter reads, against texels looked up one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_sample.h"
#include "tests/support/rng.h"

#define BASE ((uint64_t)1 << 32)
enum { SIZE = 16, LEVELS = 3, PITCH = 128, ROWS = 28, BYTES = PITCH * ROWS };
enum { R32_FLOAT = 0xD8, CALLS = 4000 };

static uint64_t state = 7;

/* A texel of a level, beside its edges the nearest. */
static float texel(const struct gfx_surface *s, const uint8_t *host, int32_t x,
                   int32_t y, uint32_t level)
{
    int32_t size = SIZE >> level;
    float v;

    x = x < 0 ? 0 : x >= size ? size - 1 : x;
    y = y < 0 ? 0 : y >= size ? size - 1 : y;
    memcpy(&v, host + gfx_texel_offset(s, (uint32_t)x, (uint32_t)y, level, 0),
           sizeof(v));
    return v;
}

/* Of the up to four texels of a level around u, v. */
static float extreme(const struct gfx_surface *s, const uint8_t *host, float u, float v,
                     uint32_t level, bool least, float so_far)
{
    float x = rintf((u * (float)(SIZE >> level) - 0.5f) * 256) / 256;
    float y = rintf((v * (float)(SIZE >> level) - 0.5f) * 256) / 256;

    for (int32_t k = 0; k < 4; k++) {
        int32_t column = (int32_t)floorf(x) + (k & 1), row = (int32_t)floorf(y) + k / 2;
        float t;

        if ((k & 1 && x == floorf(x)) || (k / 2 && y == floorf(y)))
            continue; /* a weight of 0 */
        t = texel(s, host, column, row, level);
        so_far = least ? fminf(so_far, t) : fmaxf(so_far, t);
    }
    return so_far;
}

static void the_least_and_the_greatest_texel_are_found(void **unused)
{
    static uint8_t host[BYTES];
    const struct gfx_buffer buffer = {BASE, BYTES, host};
    struct gfx_surface s = {.format = tex_format(R32_FLOAT),
                            .type = GFX_2D,
                            .width = SIZE,
                            .height = SIZE,
                            .depth = 1,
                            .pitch = PITCH,
                            .qpitch = ROWS,
                            .levels = LEVELS,
                            .halign = 4,
                            .valign = 4,
                            .va = BASE,
                            .select = {4, 5, 6, 7}};
    struct gfx *g = gfx_new();

    (void)unused;
    for (uint32_t i = 0; i < BYTES / 4; i++) {
        float v = lcg_unit(&state) - 0.5f;

        memcpy(host + 4 * i, &v, sizeof(v));
    }
    assert_non_null(g);
    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    for (uint32_t i = 0; i < CALLS; i++) {
        bool least = i & 1, between = i & 2, centre = i & 4, even = i & 8;
        struct gfx_call c = {
            .s = &s,
            .lanes = 8,
            .mask = 1,
            .type = GFX_SAMPLE_L,
            .dims = 2,
            .sampler = {.min_filter = FILTER_LINEAR,
                        .mag_filter = FILTER_LINEAR,
                        .mip = MIP_LINEAR,
                        .max_lod = 14,
                        .reduction = least ? REDUCE_LEAST : REDUCE_GREATEST,
                        .wrap = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP}}};
        float want = least ? INFINITY : -INFINITY, found;

        c.u[0][0] =
            centre ? (floorf(lcg_unit(&state) * SIZE) + 0.5f) / SIZE : lcg_unit(&state);
        c.u[1][0] =
            even ? (floorf(lcg_unit(&state) * SIZE) + 0.5f) / SIZE : lcg_unit(&state);
        c.lod[0] = between ? 0.25f + lcg_unit(&state) : 0;
        c.probes[0] = 1;
        gfx_flat_begin(&c);
        assert_true(gfx_sample_lane(g, &c, 0));
        gfx_flat_end(g, &c);
        memcpy(&found, &c.rgba[0][0], sizeof(found));
        want = extreme(&s, host, c.u[0][0], c.u[1][0], (uint32_t)c.lod[0], least, want);
        if (c.lod[0] > floorf(c.lod[0]))
            want = extreme(&s, host, c.u[0][0], c.u[1][0], (uint32_t)c.lod[0] + 1,
                           least, want);
        assert_true(found == want);
        assert_true(c.rgba[3][0] == 0x3F800000); /* that every texel has */
    }
    gfx_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_and_the_greatest_texel_are_found)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
