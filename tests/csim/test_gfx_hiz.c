/* test_gfx_hiz.c - hierarchical depth: what a block's note settles is what each of its
 * pixels comes to, for every function and all small ranges; what becomes of notes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_depth.h"
#include "csim/gfx/gfx_int.h"

enum { FUNCTIONS = 8, EQUAL = 3, NOT_EQUAL = 6, MOST = 5 };

/* As the hardware numbers them. */
static bool passes(uint32_t function, int a, int b)
{
    const bool result[FUNCTIONS] = {true, false, a<b, a == b, a <= b, a> b, a != b,
                                    a >= b};

    return result[function];
}

/* Of all pairs of depths of the two ranges: all pass, none, or some. */
static enum gfx_decision literally(uint32_t function, int least, int most, int low,
                                   int high)
{
    bool all = true, any = false;

    for (int a = least; a <= most; a++)
        for (int b = low; b <= high; b++) {
            all = all && passes(function, a, b);
            any = any || passes(function, a, b);
        }
    return all ? GFX_PASSES : any ? GFX_AMBIGUOUS : GFX_FAILS;
}

static void a_block_comes_to_what_its_pixels_do(void **unused)
{
    uint32_t settled = 0;

    (void)unused;
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        for (int i = 0; i < MOST * MOST * MOST * MOST; i++) {
            int least = i % MOST, most = i / MOST % MOST, low = i / MOST / MOST % MOST;
            int high = i / MOST / MOST / MOST;
            enum gfx_decision d, want;

            if (least > most || low > high)
                continue;
            d = gfx_hiz_decide(f, least, most, low, high);
            want = literally(f, least, most, low, high);
            if ((f == EQUAL && want == GFX_PASSES) || f == NOT_EQUAL)
                want = GFX_AMBIGUOUS; /* those are left to the pixels */
            assert_int_equal(d, want);
            settled += d != GFX_AMBIGUOUS;
        }
    assert_true(settled > 500);
}

static void depths_that_are_none_settle_nothing(void **unused)
{
    (void)unused;
    for (uint32_t f = 2; f < FUNCTIONS; f++) {
        assert_int_equal(gfx_hiz_decide(f, NAN, NAN, 0, 1), GFX_AMBIGUOUS);
        assert_int_equal(gfx_hiz_decide(f, 0, 1, NAN, NAN), GFX_AMBIGUOUS);
    }
}

static void a_note_holds_what_was_written(void **unused)
{
    struct gfx_note n = {0, 0, GFX_NOTE_NONE};

    (void)unused;
    assert_false(gfx_note_widen(&n, 7)); /* it says nothing still */
    assert_int_equal(n.state, GFX_NOTE_NONE);
    n = (struct gfx_note){9, 9, GFX_NOTE_CLEAR};
    assert_false(gfx_note_widen(&n, 9));
    assert_int_equal(n.state, GFX_NOTE_CLEAR);
    assert_true(gfx_note_widen(&n, 4));
    assert_int_equal(n.state, GFX_NOTE_RANGE);
    assert_true(gfx_note_widen(&n, 12));
    assert_false(gfx_note_widen(&n, 5));
    assert_true(n.least == 4 && n.most == 12);
}

/* Sixteen buffers have notes, those used last. */
static void notes_are_kept_of_the_last_buffers(void **unused)
{
    struct gfx *g = gfx_new();
    struct gfx_surface s = {.format = tex_format(0xD9), .width = 20, .height = 10};
    struct gfx_notes *n;

    (void)unused;
    assert_non_null(g);
    gfx_map(g, NULL, 0, NULL);
    g->c = gfx_add_context(g);
    for (uint32_t i = 0; i < GFX_NOTED; i++) {
        s.va = 4096 * (uint64_t)(i + 1);
        n = gfx_hiz_find(g, &s, 0, 0);
        assert_true(n->wide == 3 && n->high == 3);
        n->note[8].state = GFX_NOTE_RANGE;
    }
    s.va = 4096;
    assert_int_equal(gfx_hiz_find(g, &s, 0, 0)->note[8].state, GFX_NOTE_RANGE);
    assert_int_equal(gfx_hiz_find(g, &s, 1, 0)->note[8].state, GFX_NOTE_NONE);
    s.va = 8192; /* whose place that layer took */
    assert_int_equal(gfx_hiz_find(g, &s, 0, 0)->note[8].state, GFX_NOTE_NONE);
    s.va = 4096;
    assert_int_equal(gfx_hiz_find(g, &s, 0, 0)->note[8].state, GFX_NOTE_RANGE);
    s.width = s.height = 16384; /* too many blocks */
    assert_null(gfx_hiz_find(g, &s, 0, 0));
    gfx_free(g);
}

/* A clear: blocks that are all in it are clear, of others it widens what is known. */
static void a_clear_makes_whole_blocks_clear(void **unused)
{
    struct gfx *g = gfx_new();
    struct gfx_surface s = {
        .format = tex_format(0xD9), .width = 20, .height = 10, .va = 4096};
    struct gfx_notes *n;

    (void)unused;
    assert_non_null(g);
    g->c = gfx_add_context(g);
    gfx_hiz_cleared(g, &s, (const uint32_t[4]){0, 0, 20, 10}, true, 50);
    n = gfx_hiz_find(g, &s, 0, 0);
    for (uint32_t i = 0; i < 9; i++)
        assert_true(n->note[i].state == GFX_NOTE_CLEAR && n->note[i].least == 50);
    gfx_hiz_cleared(g, &s, (const uint32_t[4]){4, 4, 20, 10}, true, 60);
    assert_true(n->note[0].state == GFX_NOTE_CLEAR && n->note[0].most == 50);
    assert_true(n->note[3].state == GFX_NOTE_RANGE && n->note[3].least == 50 &&
                n->note[3].most == 60);
    assert_true(n->note[4].state == GFX_NOTE_CLEAR && n->note[4].least == 60);
    assert_true(n->note[8].state == GFX_NOTE_CLEAR && n->note[8].least == 60);
    gfx_hiz_cleared(g, &s, (const uint32_t[4]){0, 0, 20, 10}, false, 10); /* a sample */
    assert_true(n->note[4].state == GFX_NOTE_RANGE && n->note[4].least == 10 &&
                n->note[4].most == 60);
    assert_int_equal(gfx_hiz_resolve(g, &s, (const uint32_t[4]){0, 0, 8, 4}, false),
                     IGPU_OK);
    assert_true(n->note[0].state == GFX_NOTE_NONE && n->note[1].state != GFX_NOTE_NONE);
    gfx_hiz_cleared(g, &s, (const uint32_t[4]){0, 0, 20, 10}, true, 70);
    assert_int_equal(gfx_hiz_resolve(g, &s, (const uint32_t[4]){0, 0, 8, 4}, true),
                     IGPU_OK);
    assert_true(n->note[0].state == GFX_NOTE_RANGE && n->note[0].most == 70);
    assert_int_equal(n->note[1].state, GFX_NOTE_CLEAR);
    gfx_ignore_hiz(g, true);
    gfx_hiz_cleared(g, &s, (const uint32_t[4]){0, 0, 20, 10}, true, 80);
    assert_true(n->note[0].most == 70);
    gfx_free(g);
}

static void ignore(void *ctx, uint32_t thread, const struct gfx_message *message)
{
    (void)ctx;
    (void)thread;
    (void)message;
}

static uint32_t lines(const struct gfx_depth_lines *l, bool notes, bool written)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < l->pages; i++)
        if (l->page[i].notes == notes)
            count += (uint32_t)__builtin_popcountll(written ? l->page[i].written
                                                            : l->page[i].read);
    return count;
}

/* 20x10 pixels of 32 bits: 5x3 lines of 4x4; nine notes, one line for each column. */
static void a_resolve_writes_what_is_clear(void **unused)
{
    const struct gfx_watch watch = {.message = ignore};
    struct gfx *g = gfx_new();
    struct gfx_surface s = {.format = tex_format(0xD9),
                            .width = 20,
                            .height = 10,
                            .va = 1 << 20,
                            .pitch = 128,
                            .tiling = GFX_TILE_Y};
    const uint32_t all[4] = {0, 0, 20, 10};
    struct gfx_depth_lines l;

    (void)unused;
    assert_non_null(g);
    g->c = gfx_add_context(g);
    g->c->state[0x07][1] = 127; /* pitch */
    gfx_watch_threads(g, &watch);
    gfx_hiz_cleared(g, &s, all, true, 50);
    gfx_hiz_find(g, &s, 0, 0)->note[8].state = GFX_NOTE_RANGE; /* 4x2 pixels: a line */
    assert_int_equal(gfx_hiz_resolve(g, &s, all, true), IGPU_OK);
    l = gfx_take_depth(g);
    assert_int_equal(lines(&l, true, false), 3);
    assert_int_equal(lines(&l, true, true), 3);
    assert_int_equal(lines(&l, false, true), 14);
    assert_int_equal(lines(&l, false, false), 0);
    assert_int_equal(gfx_hiz_resolve(g, &s, all, true), IGPU_OK); /* nothing is left */
    l = gfx_take_depth(g);
    assert_int_equal(lines(&l, true, false), 3);
    assert_int_equal(lines(&l, true, true) + lines(&l, false, true), 0);
    assert_int_equal(gfx_hiz_resolve(g, &s, all, false), IGPU_OK);
    l = gfx_take_depth(g);
    assert_int_equal(lines(&l, true, true), 3);
    assert_int_equal(lines(&l, false, true), 0);
    assert_int_equal(gfx_get_counters(g)->hiz_resolves, 3);
    gfx_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_comes_to_what_its_pixels_do),
        cmocka_unit_test(depths_that_are_none_settle_nothing),
        cmocka_unit_test(a_note_holds_what_was_written),
        cmocka_unit_test(notes_are_kept_of_the_last_buffers),
        cmocka_unit_test(a_clear_makes_whole_blocks_clear),
        cmocka_unit_test(a_resolve_writes_what_is_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
