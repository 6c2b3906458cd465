/* test_gfx_depth.c - tests of depth a block at a time come to what they come to pixel
 * by pixel, as where somebody is told of writes: pixels, counters, memory, notes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_depth.h"
#include "tests/support/rng.h"

#define BASE ((uint64_t)1 << 32)
enum { TILE = 4096, BYTES = 4 * TILE, WIDE = 64, HIGH = 32, COLUMNS = WIDE / 8 };
enum { D32F = 0x0D8, D24 = 0x0D9, D16 = 0x10A };

struct side {
    struct gfx *g;
    uint8_t memory[BYTES];
};

static void told(void *ctx, uint64_t va, uint64_t bytes, const uint8_t *host)
{
    (void)va;
    (void)host;
    *(uint64_t *)ctx += bytes;
}

static void open_side(struct side *s, uint32_t format, const uint8_t *memory)
{
    const struct gfx_buffer buffer = {BASE, BYTES, s->memory};
    const struct gfx_setup all = {.max_x = WIDE, .max_y = HIGH};
    struct gfx *g = s->g = gfx_new();

    assert_non_null(g);
    memcpy(s->memory, memory, BYTES);
    g->c = gfx_add_context(g);
    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    g->d.depth_on = true;
    g->d.ms.count = 1;
    g->d.depth = (struct gfx_surface){.format = tex_format(format),
                                      .type = GFX_2D,
                                      .tiling = GFX_TILE_Y,
                                      .va = BASE,
                                      .width = WIDE,
                                      .height = HIGH,
                                      .pitch = 256};
    g->hiz.on = true;
    gfx_hiz_primitive(g, &all);
    for (uint32_t i = 0; i < COLUMNS; i++)
        g->hiz.block[i].stamp = g->hiz.stamp;
}

/* Depths of which some are alike, some outside of the range, and one is no number. */
static double any_depth(struct rng *r)
{
    return rng_once_in(r, 50) ? NAN : (double)rng_below(r, 40) / 32 - 0.125;
}

static void fill(struct rng *r, uint32_t format, uint8_t *memory)
{
    struct gfx_surface s = {.format = tex_format(format)};

    for (uint32_t i = 0; i < BYTES; i++)
        memory[i] = (uint8_t)rng_next(r);
    for (uint32_t i = 0; i < BYTES; i += s.format->bytes)
        gfx_store_depth(&s, any_depth(r), memory + i);
}

static struct gfx_group any_group(struct rng *r, double *z)
{
    struct gfx_group group = {.count = GFX_BLOCKS};

    for (uint32_t i = 0; i < GFX_BLOCKS; i++) {
        group.x[i] = (int32_t)(2 * rng_below(r, WIDE / 2));
        group.y[i] = (int32_t)(2 * rng_below(r, HIGH / 2));
    }
    for (uint32_t i = 0; i < 4 * GFX_BLOCKS; i++)
        z[i] = any_depth(r);
    return group;
}

/* What is found of a draw anew. */
static void set(struct gfx *g, uint32_t function, bool test, bool write, uint32_t note)
{
    g->c->state[gfx_kept(GFX_3DSTATE_WM_DEPTH_STENCIL)][1] =
        function << 5 | (uint32_t)test << 1 | write;
    g->c->state[gfx_kept(GFX_3DSTATE_DEPTH_BUFFER)][1] = 1u << 28;
    g->d.tests.known = false;
    g->d.passes = g->d.fails = 0;
    for (uint32_t b = 0; b < GFX_BLOCKS; b++) { /* a note settles all of a block's */
        g->d.passes |= (note + b) % 3 == 1 ? 15u << 4 * b : 0;
        g->d.fails |= (note + b) % 3 == 2 ? 15u << 4 * b : 0;
    }
    for (uint32_t i = 0; i < COLUMNS * HIGH / 4 && note % 5 == 0; i++)
        g->hiz.now->note[i] = (struct gfx_note){0, 0, (uint8_t)((note + i) % 3)};
}

static void same_notes(const struct gfx *a, const struct gfx *b)
{
    for (uint32_t i = 0; i < COLUMNS * HIGH / 4; i++) {
        const struct gfx_note *m = &a->hiz.now->note[i], *n = &b->hiz.now->note[i];

        assert_true(m->least == n->least && m->most == n->most && m->state == n->state);
    }
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const struct gfx_hiz_block *m = &a->hiz.block[i], *n = &b->hiz.block[i];

        assert_int_equal(m->written, n->written);
        assert_true(m->least == n->least && m->most == n->most);
    }
}

static void compare(uint32_t format)
{
    enum { GROUPS = 3000 };
    static struct side blocks, pixels;
    static uint8_t memory[BYTES];
    struct rng r = {format};
    uint64_t bytes = 0, passed = 0;

    fill(&r, format, memory);
    open_side(&blocks, format, memory);
    open_side(&pixels, format, memory);
    pixels.g->told.memory = (struct gfx_memory){.ctx = &bytes, .write = told};
    for (uint32_t i = 0; i < GROUPS; i++) {
        double z[4 * GFX_BLOCKS];
        const struct gfx_group group = any_group(&r, z);
        uint32_t mask = (uint32_t)rng_next(&r), function = rng_below(&r, 8), left;
        uint32_t note = rng_below(&r, 60);
        bool test = !rng_once_in(&r, 8), write = !rng_once_in(&r, 4);
        enum igpu_status status = IGPU_OK;

        set(blocks.g, function, test, write, note);
        set(pixels.g, function, test, write, note);
        left = gfx_depth_stencil(blocks.g, &group, mask, z, true, &status);
        assert_int_equal(left,
                         gfx_depth_stencil(pixels.g, &group, mask, z, true, &status));
        assert_int_equal(status, IGPU_OK);
        assert_true(blocks.g->d.tests.blocks && !pixels.g->d.tests.blocks);
        passed += igpu_count_bits(left);
    }
    assert_true(passed > GROUPS && bytes > GROUPS);
    assert_memory_equal(blocks.memory, pixels.memory, BYTES);
    assert_memory_equal(&blocks.g->counters, &pixels.g->counters,
                        sizeof(blocks.g->counters));
    assert_true(blocks.g->counters.hiz_notes_written > 100);
    same_notes(blocks.g, pixels.g);
    gfx_free(blocks.g);
    gfx_free(pixels.g);
}

static void depths_of_24_bits(void **unused)
{
    (void)unused;
    compare(D24);
}

static void depths_of_16_bits(void **unused)
{
    (void)unused;
    compare(D16);
}

static void depths_that_are_floats(void **unused)
{
    (void)unused;
    compare(D32F);
}

#if defined(__x86_64__)
/* The same blocks by both functions: what passes, what is kept, what is written. */
static void any_host_has_the_same(void **unused)
{
    static uint8_t memory[2][BYTES];
    struct rng r = {7};
    uint32_t passed = 0;

    (void)unused;
    for (uint32_t i = 0; i < 3000 && emu_has_avx2(); i++) {
        const uint32_t formats[3] = {D24, D16, D32F};
        const struct gfx_surface s = {.format = tex_format(formats[i % 3])};
        const struct gfx_tests t = {.function = rng_below(&r, 8),
                                    .depth_test = !rng_once_in(&r, 8),
                                    .depth_write = !rng_once_in(&r, 4),
                                    .low = rng_once_in(&r, 2) ? 0.125f : 0,
                                    .high = rng_once_in(&r, 2) ? 0.75f : 1};
        const uint32_t mask = (uint32_t)rng_next(&r);
        struct gfx_depths now[2][GFX_BLOCKS] = {{{{0}}}};
        uint8_t *at[2][GFX_BLOCKS];
        double z[4 * GFX_BLOCKS];
        uint32_t all, other;

        (void)any_group(&r, z);
        fill(&r, s.format->number, memory[0]);
        memcpy(memory[1], memory[0], BYTES);
        for (uint32_t k = 0; k < 2 * GFX_BLOCKS; k++)
            at[k % 2][k / 2] = memory[k % 2] + 64 * (k / 2);
        all = gfx_test_blocks_any(&s, &t, mask, z, at[0], now[0]);
        other = gfx_test_blocks_avx2(&s, &t, mask, z, at[1], now[1]);
        assert_int_equal(all, other);
        assert_memory_equal(memory[0], memory[1], BYTES);
        for (uint32_t b = 0; b < GFX_BLOCKS; b++)
            if ((all >> 4 * b & 15) != 0)
                assert_memory_equal(&now[0][b], &now[1][b], sizeof(now[0][b]));
        passed += igpu_count_bits(all);
    }
    assert_true(passed > 3000 || !emu_has_avx2());
}
#endif

static void bits_are_counted(void **unused)
{
    struct rng r = {1};

    (void)unused;
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(igpu_count_bits4(i), __builtin_popcount(i));
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t word = (uint32_t)rng_next(&r) & (uint32_t)rng_next(&r);

        assert_int_equal(igpu_count_bits(word), __builtin_popcount(word));
    }
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t word = (uint32_t)rng_next(&r) & (uint32_t)rng_next(&r), fours = 0;

        word &= (uint32_t)rng_next(&r);
        for (uint32_t k = 0; k < 8; k++)
            fours += (word >> 4 * k & 15) != 0;
        assert_int_equal(igpu_count_fours(word), fours);
    }
    assert_int_equal(igpu_count_bits(UINT32_MAX), 32);
    for (uint32_t i = 0; i <= 33; i++) {
        assert_int_equal(igpu_count_bits(igpu_low_bits(i)), i < 32 ? i : 32);
        assert_int_equal(igpu_low_bits(i) & (igpu_low_bits(i) + 1), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_of_24_bits),
        cmocka_unit_test(depths_of_16_bits),
        cmocka_unit_test(depths_that_are_floats),
#if defined(__x86_64__)
        cmocka_unit_test(any_host_has_the_same),
#endif
        cmocka_unit_test(bits_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
