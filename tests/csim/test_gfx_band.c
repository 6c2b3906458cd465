/* test_gfx_band.c - large triangles in bands of rows on several host threads: each
 * block is tested and shaded once, behind those of primitives before it, in the groups
 * that one thread makes; and of those that fail the first one's error counts. Run with
 * ThreadSanitizer by tests/bridge/test_threads.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_band.h"
#include "csim/gfx/gfx_queue.h"
#include "tests/support/rng.h"

enum { THREADS = 3, WIDE = 64, HIGH = 512, PRIMITIVES = 120, ALONE = 64, ROOM = 4 };

/* Of each block the primitive that tested, that drew there last; how often one came too
 * late. */
static struct {
    uint64_t tested[HIGH][WIDE], drawn[HIGH][WIDE];
    uint32_t late;
} seen;
static uint64_t fails_at;

static void expect(bool good)
{
    if (!good) /* no write that others see */
        seen.late++;
}

/* Does the primitive's block pass its test? Of some few do, of some all. */
static bool passes(uint64_t number, uint32_t x, uint32_t y)
{
    static const uint32_t of_256[] = {256, 1, 128, 0, 10, 255};

    return rng_mix(number << 32 | y << 16 | x) % 256 < of_256[number % 6];
}

static enum igpu_status find(struct gfx *w, const struct gfx_setup *s,
                             const int32_t rows[2], struct gfx_left *left)
{
    (void)w;
    left->count = 0;
    for (uint32_t y = (uint32_t)rows[0] / 2; y < (uint32_t)rows[1] / 2; y++)
        for (uint32_t x = (uint32_t)s->min_x / 2; x < (uint32_t)s->max_x / 2; x++) {
            const uint32_t at = GFX_FRONT + left->count;

            expect(seen.tested[y][x] < s->number);
            seen.tested[y][x] = s->number;
            if (!passes(s->number, x, y))
                continue;
            left->x[at] = (int32_t)(2 * x);
            left->y[at] = (int32_t)(2 * y);
            left->mask[at] = (uint8_t)(1 + (x + y) % 15);
            for (uint32_t i = 0; i < 4; i++)
                left->b[0][4 * at + i] = left->b[1][4 * at + i] = (float)(x + i);
            left->count++;
        }
    return IGPU_OK;
}

/* Another number for each group. */
static uint64_t digest(uint64_t number, const struct gfx_group *group)
{
    uint64_t all = number << 32 | group->mask;

    for (uint32_t b = 0; b < group->count; b++)
        all = rng_mix(all ^ ((uint64_t)group->x[b] << 32 | (uint32_t)group->y[b]));
    return all;
}

static enum igpu_status shade(struct gfx *w, const struct gfx_setup *s,
                              struct gfx_group *group)
{
    /* Shaders take more and less time, the more where few blocks pass. */
    for (volatile uint64_t i = s->number % 6 == 1 ? 20000 : group->mask % 7 * 20; i > 0;
         i--)
        ;
    if (fails_at != 0 && s->number >= fails_at)
        return gfx_refuse(w, "primitive %u", (uint32_t)s->number);
    if (gfx_queue_await(w) != IGPU_OK)
        return IGPU_SIM_ERROR;
    for (uint32_t b = 0; b < group->count; b++) {
        const int32_t x = group->x[b] / 2, y = group->y[b] / 2;

        expect(seen.drawn[y][x] < s->number);
        seen.drawn[y][x] = s->number;
        for (uint32_t i = 0; i < 4 && group->placed[0] != NULL; i++)
            expect(group->placed[0][4 * b + i] == (float)((uint32_t)x + i) &&
                   group->placed[1][4 * b + i] == (float)((uint32_t)x + i));
    }
    w->counters.ps_blocks += group->count;
    w->counters.ps_attributes += digest(s->number, group);
    return IGPU_OK;
}

static uint32_t no_slots(const struct gfx *g)
{
    (void)g;
    return 0;
}

static const struct gfx_shades shades = {shade, no_slots};
static const struct gfx_band_steps steps = {find, shade};

static struct gfx *new_gfx(void)
{
    static struct gfx_shader shader;
    struct gfx *g = gfx_new();

    assert_non_null(g);
    gfx_use_host_threads(g, THREADS);
    gfx_map(g, NULL, 0, NULL);
    g->c = gfx_add_context(g);
    assert_non_null(g->c);
    g->d.ms.count = 1;
    g->d.clip[2] = 2 * WIDE;
    g->d.clip[3] = 2 * HIGH;
    g->d.ps[1] = &shader;
    g->d.pixel.plain = true;
    return g;
}

/* By rows, as one thread does; counts into what the groups are to come to. */
static enum igpu_status alone(struct gfx *g, const struct gfx_setup *s, bool add,
                              struct gfx_counters *all)
{
    struct gfx_group group = {.count = 0};
    enum igpu_status status = IGPU_OK;

    for (int32_t y = s->min_y; y < s->max_y && status == IGPU_OK; y += 2)
        for (int32_t x = s->min_x; x < s->max_x; x += 2) {
            const bool last = y + 2 >= s->max_y && x + 2 >= s->max_x;

            if (passes(s->number, (uint32_t)x / 2, (uint32_t)y / 2)) {
                group.x[group.count] = x;
                group.y[group.count] = y;
                group.mask |= (1 + (uint32_t)(x + y) / 2 % 15) << 4 * group.count++;
            }
            if (group.count < (last ? 1 : ROOM))
                continue;
            all->ps_blocks += group.count;
            all->ps_attributes += digest(s->number, &group);
            if (add && status == IGPU_OK)
                status = gfx_queue_add(g, s, &group);
            group.count = group.mask = 0;
        }
    return status;
}

/* What one thread tests before its group is added. */
static void test_alone(const struct gfx_setup *s)
{
    for (int32_t y = s->min_y / 2; y < s->max_y / 2; y++)
        for (int32_t x = s->min_x / 2; x < s->max_x / 2; x++) {
            expect(seen.tested[y][x] < s->number);
            seen.tested[y][x] = s->number;
        }
}

/* Large ones, and here and there a small one; where few blocks of one passed, the next
 * one begins at its last rows. */
static struct gfx_setup setup_of(struct rng *rng, const struct gfx_triangle *t,
                                 uint64_t number, int32_t end)
{
    const bool small = rng_once_in(rng, 8);
    const int32_t any = 2 * (int32_t)rng_below(rng, HIGH - 64);
    const int32_t y = number % 6 == 2 ? end - 24 : any;
    const int32_t rows = small ? 20 : 48 + 2 * (int32_t)rng_below(rng, 40);

    return (struct gfx_setup){.t = t,
                              .number = number,
                              .simple = true,
                              .later = true,
                              .min_x = 0,
                              .max_x = 2 * WIDE,
                              .min_y = y,
                              .max_y = y + rows < 2 * HIGH ? y + rows : 2 * HIGH};
}

static enum igpu_status draw(struct gfx *g, struct gfx_counters *all, uint32_t *bands)
{
    static struct gfx_vertex v;
    const struct gfx_triangle t = {.v = {&v, &v, &v}, .provoking = &v};
    struct gfx_group none = {.count = 0};
    enum igpu_status status = IGPU_OK;
    struct rng rng = {7};
    int32_t end = 0;

    memset(&seen, 0, sizeof(seen));
    *all = (struct gfx_counters){0};
    *bands = 0;
    for (uint32_t i = 0; i < ALONE && !gfx_queue_takes(g, &shades); i++)
        ;
    assert_true(gfx_queue_is_on(g));
    for (uint32_t i = 1; i <= PRIMITIVES && status == IGPU_OK; i++) {
        const struct gfx_setup s = setup_of(&rng, &t, i, end);
        bool taken = false;

        end = s.max_y;
        g->counters.rasterized++;
        if (g->pieces)
            status = gfx_bands_begin(g, &s);
        if (status == IGPU_OK && gfx_is_high(&s, s.min_y))
            taken = gfx_bands_take(g, &s, s.min_y, &none, &steps, &status);
        *bands += taken;
        if (!taken && status == IGPU_OK)
            test_alone(&s);
        if (status == IGPU_OK)
            status = alone(g, &s, !taken, all);
    }
    return status;
}

static void blocks_are_drawn_in_order_and_in_one_threads_groups(void **unused)
{
    struct gfx *g = new_gfx();
    struct gfx_counters all;
    uint32_t bands;

    (void)unused;
    fails_at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        g->counters.ps_blocks = g->counters.ps_attributes = 0;
        assert_int_equal(draw(g, &all, &bands), IGPU_OK);
        assert_int_equal(gfx_queue_end(g), IGPU_OK);
        assert_true(bands > PRIMITIVES / 2 && bands < PRIMITIVES);
        assert_int_equal(seen.late, 0);
        assert_int_equal(g->counters.ps_blocks, all.ps_blocks);
        assert_int_equal(g->counters.ps_attributes, all.ps_attributes);
    }
    gfx_free(g);
}

static void the_first_failure_counts(void **unused)
{
    struct gfx *g = new_gfx();
    struct gfx_counters all;
    struct igpu_err err;
    uint32_t bands;

    (void)unused;
    g->batch.err = &err;
    fails_at = 60;
    (void)draw(g, &all, &bands);
    assert_int_equal(gfx_queue_end(g), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "primitive 60"));
    assert_int_equal(seen.late, 0);
    fails_at = 0; /* and the next one does as if nothing had been */
    assert_int_equal(draw(g, &all, &bands), IGPU_OK);
    assert_int_equal(gfx_queue_end(g), IGPU_OK);
    assert_int_equal(seen.late, 0);
    gfx_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_drawn_in_order_and_in_one_threads_groups),
        cmocka_unit_test(the_first_failure_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
