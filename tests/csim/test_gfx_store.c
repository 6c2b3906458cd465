/* test_gfx_store.c - colours that go to a render target at once are those that
 * tex_pack() stores pixel by pixel, there and nowhere else, and counted; blended ones
 * are the same by AVX2 as without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_target.h"
#include "tests/support/rng.h"

#define BASE ((uint64_t)1 << 32)
enum { TILE = 4096, BYTES = 8 * TILE, WIDE = 63, HIGH = 37, PITCH = 512, TRIES = 4000 };
enum { B8G8R8A8 = 0x0C0, R8G8B8A8 = 0x0C7 };

/* Some outside of 0 to 1, some half way between two bytes, and no numbers. */
static float any_colour(struct rng *r)
{
    switch (rng_below(r, 8)) {
    case 0:
        return ((float)rng_below(r, 256) + 0.5f) / 255;
    case 1:
        return tex_float((uint32_t)rng_next(r));
    case 2:
        return 0.5f;
    default:
        return (float)rng_below(r, 1 << 24) / (1 << 23) - 0.5f;
    }
}

static struct gfx_group any_group(struct rng *r)
{
    struct gfx_group group = {.count = GFX_BLOCKS};

    for (uint32_t i = 0; i < GFX_BLOCKS; i++) {
        group.x[i] = (int32_t)(2 * ((4 * i + rng_below(r, 4)) % 31));
        group.y[i] = (int32_t)(2 * rng_below(r, 18));
    }
    group.mask = rng_once_in(r, 3) ? UINT32_MAX : (uint32_t)rng_next(r);
    return group;
}

/* What tex_pack() makes of the pixels of mask. */
static uint32_t expect(const struct gfx_surface *s, const struct gfx_level *level,
                       const struct gfx_group *group, const struct gfx_store *store,
                       uint32_t mask, const uint8_t *grf, uint8_t *memory)
{
    uint32_t written = 0;

    for (uint32_t i = 0; i < store->lanes; i++) {
        const uint32_t p = store->first + i;
        uint32_t rgba[4];

        if (!(group->mask >> p & mask >> i & 1))
            continue;
        for (uint32_t c = 0; c < 4; c++)
            memcpy(&rgba[c], grf + store->colour[c] + 4 * i, 4);
        tex_pack(s->format, rgba,
                 memory + gfx_offset_in(s, level, (uint32_t)group->x[p / 4] + (p & 1),
                                        (uint32_t)group->y[p / 4] + (p >> 1 & 1)));
        written++;
    }
    return written;
}

static void compare(struct gfx *g, struct rng *r, uint32_t tiling)
{
    static uint8_t memory[BYTES], expected[BYTES];
    static _Alignas(32) uint8_t grf[EMU_SHADER_GRF_BYTES];
    const struct isa_inst inst = {.op = 0};
    const struct gfx_buffer buffer = {BASE, BYTES, memory};
    const struct gfx_surface s = {
        .format = tex_format(rng_once_in(r, 2) ? B8G8R8A8 : R8G8B8A8),
        .type = GFX_2D,
        .tiling = (uint8_t)tiling,
        .va = BASE,
        .width = WIDE,
        .height = HIGH,
        .pitch = PITCH};
    const struct gfx_store store = {
        &inst, 8 * rng_below(r, 2), rng_once_in(r, 2) ? 8 : 16, {64, 256, 1024, 3968}};
    const struct gfx_group group = any_group(r);
    const uint32_t mask = rng_once_in(r, 3) ? UINT32_MAX : (uint32_t)rng_next(r);
    const uint64_t before = g->counters.pixels_written;
    struct gfx_target *t = &g->d.target;

    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    for (uint32_t i = 0; i < BYTES; i++)
        memory[i] = expected[i] = (uint8_t)rng_next(r);
    for (uint32_t i = 0; i < sizeof(grf); i += 4) {
        float colour = any_colour(r);

        memcpy(grf + i, &colour, sizeof(colour));
    }
    *t = (struct gfx_target){.known = true,
                             .plain = true,
                             .level = gfx_find_level(&s, 0, 0),
                             .width = WIDE,
                             .height = HIGH,
                             .row = tiling == GFX_TILE_Y   ? 16
                                    : tiling == GFX_TILE_X ? 512
                                                           : PITCH};
    g->d.group = &group;
    assert_false(gfx_store_avx2(g, &inst, grf, mask)); /* not known yet */
    gfx_find_store(g, &s, &store);
    assert_true(gfx_store_avx2(g, &inst, grf, mask));
    assert_int_equal(g->counters.pixels_written - before,
                     expect(&s, &t->level, &group, &store, mask, grf, expected));
    assert_memory_equal(memory, expected, BYTES);
}

static void stored_as_pixel_by_pixel(void **state)
{
    struct gfx *g = gfx_new();
    struct rng r = {1};

    (void)state;
    if (!emu_has_avx2())
        skip();
    assert_non_null(g);
    for (uint32_t i = 0; i < TRIES; i++)
        compare(g, &r, i % 3 == 0 ? GFX_LINEAR : i % 3 == 1 ? GFX_TILE_X : GFX_TILE_Y);
    (void)gfx_map(g, NULL, 0, NULL);
    gfx_free(g);
}

static void a_block_at_the_edge_is_left(void **state)
{
    struct gfx *g = gfx_new();
    const struct isa_inst inst = {.op = 0};
    const struct gfx_group group = {.count = 1, .x = {WIDE - 1}, .y = {0}, .mask = 1};
    static uint8_t grf[EMU_SHADER_GRF_BYTES];

    (void)state;
    if (!emu_has_avx2())
        skip();
    assert_non_null(g);
    g->d.group = &group;
    g->d.target = (struct gfx_target){.known = true, .width = WIDE, .height = HIGH};
    g->d.target.store[0] = (struct gfx_store){&inst, 0, 8, {0}};
    assert_false(gfx_store_avx2(g, &inst, grf, 1));
    assert_int_equal(g->counters.target_messages, 0);
    gfx_free(g);
}

/* Packing alone, which has another form where products are fused. */
static void packed_as_without_avx2(void **state)
{
    const struct gfx_target how = {.known = true};
    const struct gfx_second none = {NULL, 0};
    struct rng r = {2};

    (void)state;
    if (!emu_has_avx2())
        skip();
    for (uint32_t i = 0; i < 20 * TRIES; i++) {
        const struct tex_format *f = tex_format(i % 2 ? B8G8R8A8 : R8G8B8A8);
        struct gfx_operands a, b;
        uint8_t texel[2][TEX_PACKED][4];

        for (uint32_t k = 0; k < 4 * TEX_PACKED; k++)
            a.from.rgba[k / TEX_PACKED][k % TEX_PACKED] = any_colour(&r);
        b.from = a.from;
        gfx_merge_lanes_avx2(&how, f, &none, TEX_PACKED, &a, texel[0]);
        gfx_merge_lanes_any(&how, f, &none, TEX_PACKED, &b, texel[1]);
        assert_memory_equal(texel[0], texel[1], sizeof(texel[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_as_pixel_by_pixel),
        cmocka_unit_test(a_block_at_the_edge_is_left),
        cmocka_unit_test(packed_as_without_avx2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
