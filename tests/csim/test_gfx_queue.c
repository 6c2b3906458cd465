/* test_gfx_queue.c - pieces and groups of a draw on several host threads: each is done
 * once, what they count and spend comes back, groups that draw to the same blocks do so
 * in the order of dispatch, and of those that fail the first one's error counts; which
 * levels of a texture may be drawn to while others are read. Run
 * with ThreadSanitizer, and with a queue that does not wait, by
 * tests/bridge/test_threads.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_pool.h"
#include "csim/gfx/gfx_queue.h"
#include "csim/gfx/gfx_raster.h"
#include "tests/support/rng.h"

enum { THREADS = 3, PIECES = 1000, GROUPS = 3000, BLOCKS = 40 };
enum { FAILS_FIRST = 300, FAILS = 17 };

static struct gfx *new_gfx(void)
{
    struct gfx *g = gfx_new();

    assert_non_null(g);
    gfx_use_host_threads(g, THREADS);
    gfx_map(g, NULL, 0, NULL);
    g->c = gfx_add_context(g);
    assert_non_null(g->c);
    g->d.ms.count = 1;
    g->d.clip[2] = 2 * BLOCKS;
    g->d.clip[3] = 2;
    return g;
}

/* ---- pieces ------------------------------------------------------------- */

struct pieces {
    uint64_t first;
    uint32_t times[PIECES];
    bool fail;
};

static enum igpu_status piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct pieces *p = ctx;
    uint64_t i = number - p->first;

    p->times[i]++;
    w->counters.draws += i;
    if (p->fail && i >= FAILS_FIRST && i % FAILS == 0)
        return gfx_refuse(w, "piece %u", (uint32_t)i);
    return gfx_spend(w, 3);
}

static void each_piece_is_done_once_and_counted(void **unused)
{
    struct gfx *g = new_gfx();
    struct pieces p = {.fail = false};

    (void)unused;
    for (uint64_t round = 1; round <= 3; round++) {
        memset(&p, 0, sizeof(p));
        assert_true(
            gfx_pool_begin(g, GFX_JOB_BACK, piece, &p, GFX_POOL_ENOUGH, &p.first));
        for (uint32_t i = 0; i < PIECES / 10; i++)
            gfx_pool_add(g, GFX_JOB_BACK, 10);
        assert_int_equal(gfx_pool_end(g, GFX_JOB_BACK), IGPU_OK);
        for (uint32_t i = 0; i < PIECES; i++)
            assert_int_equal(p.times[i], 1);
        assert_int_equal(g->counters.draws,
                         round * ((uint64_t)PIECES * (PIECES - 1) / 2));
        assert_int_equal(g->batch.work, round * 3 * PIECES);
    }
    gfx_free(g);
}

static void two_jobs_go_on_at_once(void **unused)
{
    struct gfx *g = new_gfx();
    struct pieces front = {.fail = true}, back = {.fail = false};
    struct igpu_err err = {.text = ""};

    (void)unused;
    g->batch.err = &err;
    assert_true(
        gfx_pool_begin(g, GFX_JOB_FRONT, piece, &front, GFX_POOL_ENOUGH, &front.first));
    gfx_pool_add(g, GFX_JOB_FRONT, PIECES);
    assert_true(
        gfx_pool_begin(g, GFX_JOB_BACK, piece, &back, GFX_POOL_ENOUGH, &back.first));
    for (uint32_t i = 0; i < PIECES / 10; i++) {
        gfx_pool_add(g, GFX_JOB_BACK, 10);
        (void)gfx_pool_help(g, GFX_JOB_FRONT);
    }
    assert_int_equal(gfx_pool_end(g, GFX_JOB_BACK), IGPU_OK);
    assert_string_equal(err.text, "");
    assert_int_equal(g->counters.draws, (uint64_t)PIECES * (PIECES - 1) / 2);
    assert_int_equal(gfx_pool_end(g, GFX_JOB_FRONT), IGPU_SIM_ERROR);
    for (uint32_t i = 0; i < PIECES; i++)
        assert_int_equal(back.times[i], 1);
    for (uint32_t i = 0; i < FAILS_FIRST; i++)
        assert_int_equal(front.times[i], 1);
    gfx_free(g);
}

static void the_first_failure_counts(void **unused)
{
    const uint32_t first = (FAILS_FIRST + FAILS - 1) / FAILS * FAILS;
    struct gfx *g = new_gfx();
    struct pieces p = {.fail = true};
    struct igpu_err err;
    char text[40];

    (void)unused;
    g->batch.err = &err;
    snprintf(text, sizeof(text), "piece %u", first);
    assert_true(gfx_pool_begin(g, GFX_JOB_BACK, piece, &p, GFX_POOL_ENOUGH, &p.first));
    gfx_pool_add(g, GFX_JOB_BACK, PIECES);
    assert_int_equal(gfx_pool_end(g, GFX_JOB_BACK), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, text));
    for (uint32_t i = 0; i <= first; i++)
        assert_int_equal(p.times[i], 1);
    gfx_free(g);
}

static void one_thread_or_little_work_left_does_without(void **unused)
{
    struct gfx *g = new_gfx();
    struct pieces p = {.fail = false};

    (void)unused;
    gfx_limit_work(g, 1 << 20);
    assert_false(gfx_pool_begin(g, GFX_JOB_BACK, piece, &p, GFX_POOL_ENOUGH, &p.first));
    gfx_limit_work(g, UINT64_MAX);
    gfx_use_host_threads(g, 1);
    assert_false(gfx_pool_begin(g, GFX_JOB_BACK, piece, &p, GFX_POOL_ENOUGH, &p.first));
    gfx_free(g);
}

/* ---- groups ------------------------------------------------------------- */

/* What groups, which their masks number, draw to: which was there last, and how often
 * one came too late. */
static struct {
    uint32_t last[BLOCKS], late;
} seen;
static uint32_t fails_at;

static enum igpu_status shade(struct gfx *w, const struct gfx_setup *s,
                              struct gfx_group *group)
{
    /* Shaders take more and less time. */
    for (volatile uint64_t i = group->mask % 7 * 2000; i > 0; i--)
        ;
    if (fails_at != 0 && group->mask >= fails_at)
        return gfx_refuse(w, "group %u", group->mask);
    if (gfx_queue_await(w) != IGPU_OK)
        return IGPU_SIM_ERROR;
    w->counters.ps_blocks += group->count;
    w->counters.ps_attributes += (uint64_t)s->t->v[2]->slot[1][3];
    for (uint32_t b = 0; b < group->count; b++) {
        uint32_t *last = &seen.last[group->x[b] / 2];

        if (*last >= group->mask)
            seen.late++;
        *last = group->mask;
    }
    return IGPU_OK;
}

static uint32_t two_slots(const struct gfx *g)
{
    (void)g;
    return 2;
}

/* What was queued. */
struct queued {
    uint32_t groups;
    uint64_t blocks, values;
};

/* A draw of so many groups, each of up to four blocks of a few, one to three a
 * primitive, whose vertices are other ones as soon as it is queued. */
static enum igpu_status draw(struct gfx *g, struct queued *all)
{
    static const struct gfx_shades shades = {shade, two_slots};
    struct gfx_vertex v[3] = {{.no_edge = false}};
    struct gfx_triangle t = {.v = {&v[0], &v[1], &v[2]}, .provoking = &v[0]};
    const struct gfx_setup s = {.t = &t};
    struct rng rng = {1};
    enum igpu_status status = IGPU_OK;
    uint32_t value = 0;

    memset(&seen, 0, sizeof(seen));
    *all = (struct queued){0, 0, 0};
    for (uint32_t i = 1; i <= GROUPS && status == IGPU_OK; i++) {
        struct gfx_group group = {.count = (uint32_t)rng_in(&rng, 1, 4)};
        uint32_t at = rng_below(&rng, BLOCKS - 4);

        group.mask = i;
        for (uint32_t b = 0; b < group.count; b++)
            group.x[b] = 2 * (int32_t)(at + b);
        if (rng_once_in(&rng, 2)) {
            g->counters.rasterized++;
            value = rng_below(&rng, 100);
        }
        v[2].slot[1][3] = (float)value;
        if (!gfx_queue_takes(g, &shades))
            continue;
        status = gfx_queue_add(g, &s, &group);
        v[2].slot[1][3] = -1;
        all->groups++;
        all->blocks += group.count;
        all->values += value;
    }
    return status;
}

static void groups_draw_in_order(void **unused)
{
    struct gfx *g = new_gfx();
    struct queued all;

    (void)unused;
    fails_at = 0;
    for (uint32_t i = 0; i < 2; i++) {
        g->counters.ps_blocks = g->counters.ps_attributes = 0;
        assert_int_equal(draw(g, &all), IGPU_OK);
        assert_int_equal(gfx_queue_end(g), IGPU_OK);
        assert_true(all.groups > GROUPS - 100);
        assert_int_equal(seen.late, 0);
        assert_int_equal(g->counters.ps_blocks, all.blocks);
        assert_int_equal(g->counters.ps_attributes, all.values);
    }
    gfx_free(g);
}

static void a_group_that_fails_ends_the_draw(void **unused)
{
    struct gfx *g = new_gfx();
    struct igpu_err err;
    struct queued all;

    (void)unused;
    g->batch.err = &err;
    fails_at = GROUPS / 2;
    assert_int_equal(draw(g, &all), IGPU_SIM_ERROR);
    assert_int_equal(gfx_queue_end(g), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "group 1500"));
    assert_int_equal(seen.late, 0);
    fails_at = 0; /* and the next one does as if nothing had been */
    assert_int_equal(draw(g, &all), IGPU_OK);
    assert_int_equal(gfx_queue_end(g), IGPU_OK);
    assert_int_equal(seen.late, 0);
    gfx_free(g);
}

/* ---- levels ------------------------------------------------------------- */

/* Sixteen texels wide and high, of four bytes. */
static struct gfx_surface texture(enum gfx_tiling tiling, uint32_t pitch)
{
    enum { RGBA8 = 199 };

    return (struct gfx_surface){.format = tex_format(RGBA8),
                                .type = GFX_2D,
                                .tiling = (uint8_t)tiling,
                                .va = 1 << 16,
                                .width = 16,
                                .height = 16,
                                .depth = 1,
                                .pitch = pitch,
                                .qpitch = 28,
                                .halign = 4,
                                .valign = 4,
                                .levels = 1};
}

static bool share_bytes(const struct gfx_surface *s, uint32_t a, uint32_t b)
{
    static uint8_t of[1 << 16];
    bool shared = false;

    memset(of, 0, sizeof(of));
    for (uint32_t level = a;; level = b) {
        for (uint32_t y = 0; y < 16u >> level; y++)
            for (uint32_t x = 0; x < 16u >> level; x++) {
                uint8_t *texel = &of[gfx_texel_offset(s, x, y, level, 0)];

                shared |= level == b && *texel != 0;
                *texel = 1;
            }
        if (level == b)
            return shared;
    }
}

static void other_levels_share_no_byte(void **unused)
{
    static const enum gfx_tiling tilings[] = {GFX_LINEAR, GFX_TILE_X, GFX_TILE_Y};

    (void)unused;
    for (uint32_t i = 0; i < 3 * 5 * 5; i++) {
        struct gfx_surface s = texture(tilings[i / 25], i / 25 == 1 ? 512 : 128),
                           target = s;

        s.min_lod = i % 5;
        target.level = i / 5 % 5;
        assert_int_equal(gfx_is_other_level(&s, &target), s.min_lod != target.level);
        if (s.min_lod != target.level)
            assert_false(share_bytes(&s, s.min_lod, target.level));
    }
}

static void what_is_not_known_to_be_another_level_is_none(void **unused)
{
    const struct gfx_surface s = texture(GFX_LINEAR, 64);
    struct gfx_surface t = s;

    (void)unused;
    t.level = 1;
    assert_true(gfx_is_other_level(&s, &t));
    t.levels = 2;
    assert_false(gfx_is_other_level(&t, &t)); /* it has that one as well */
    t.va += 64;
    assert_false(gfx_is_other_level(&s, &t));
    t.va -= 64;
    t.depth = 2;
    assert_false(gfx_is_other_level(&s, &t));
    t.depth = 1;
    t.width = 8;
    assert_false(gfx_is_other_level(&s, &t));
    t = texture(GFX_LINEAR, 32); /* rows of 8 texels do not hold 16 */
    t.level = 1;
    assert_false(gfx_is_other_level(&t, &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_is_done_once_and_counted),
        cmocka_unit_test(two_jobs_go_on_at_once),
        cmocka_unit_test(the_first_failure_counts),
        cmocka_unit_test(one_thread_or_little_work_left_does_without),
        cmocka_unit_test(groups_draw_in_order),
        cmocka_unit_test(a_group_that_fails_ends_the_draw),
        cmocka_unit_test(other_levels_share_no_byte),
        cmocka_unit_test(what_is_not_known_to_be_another_level_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
