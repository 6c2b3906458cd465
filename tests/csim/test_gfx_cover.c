/* test_gfx_cover.c - rows of blocks of random triangles and rectangles: the pixels that
 * exact edges say and the numbers of gfx_weigh(), bit for bit; and between which depths
 * they lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_depth.h"
#include "csim/gfx/gfx_raster.h"
#include "tests/support/rng.h"

enum { GRID = 256, CALLS = 200000 };

static uint64_t state = 1;

/* Within `size` pixels around 0; on the grid. */
static double any_place(uint32_t size)
{
    return ((double)lcg_below(&state, 2 * size * GRID) - size * GRID) / GRID;
}

static struct gfx_setup any_setup(const struct gfx_triangle *t, uint32_t size)
{
    struct gfx_setup s = {.t = t};

    for (uint32_t i = 0; i < 3; i++) {
        s.x[i] = any_place(size);
        s.y[i] = any_place(size);
        s.z[i] = any_place(1);
        s.inv_w[i] = 1 / (3 + any_place(2));
    }
    s.area =
        (s.x[1] - s.x[0]) * (s.y[2] - s.y[0]) - (s.x[2] - s.x[0]) * (s.y[1] - s.y[0]);
    return s;
}

/* Is pixel x, y covered? weight: of its vertices. */
static bool expect(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                   int32_t y, double weight[3])
{
    bool inside = true;

    for (uint32_t k = 0; k < 3; k++) {
        int64_t value =
            e[k].a * (x * GRID + GRID / 2) + e[k].b * (y * GRID + GRID / 2) + e[k].c;

        inside = inside && value + e[k].bias >= 0;
        weight[k] = (double)value / (fabs(s->area) * GRID * GRID);
    }
    return inside || s->t->kind == GFX_RECTANGLE;
}

/* Of a block that was looked at: 1 if it is the group's next one. */
static uint32_t check_block(const struct gfx_setup *s, const struct gfx_edge e[3],
                            int32_t x, int32_t y, const int32_t box[4], uint32_t found,
                            const struct gfx_group *group, uint32_t at)
{
    uint32_t expected = 0;
    struct gfx_point p[4];

    for (uint32_t i = 0; i < 4; i++) {
        const int32_t px = x + (int32_t)(i & 1), py = y + (int32_t)(i >> 1);
        double weight[3];
        bool covered = expect(s, e, px, py, weight);

        covered = covered && px >= box[0] && py >= box[1] && px < box[2] && py < box[3];
        expected |= covered ? 1u << i : 0;
        p[i] = gfx_weigh(s, weight);
    }
    if (expected == 0)
        return 0;
    assert_true(at < GFX_BLOCKS);
    assert_int_equal(found >> 4 * at & 15, expected);
    assert_int_equal(group->x[at], x);
    assert_int_equal(group->y[at], y);
    for (uint32_t i = 0; i < 4; i++) {
        assert_memory_equal(&p[i].z, &group->z[4 * at + i], sizeof(double));
        if (s->later && s->t->kind != GFX_RECTANGLE)
            continue;
        assert_memory_equal(&p[i].b1, &group->b1[4 * at + i], sizeof(double));
        assert_memory_equal(&p[i].b2, &group->b2[4 * at + i], sizeof(double));
        assert_memory_equal(&p[i].w, &group->w[4 * at + i], sizeof(double));
    }
    return 1;
}

/* Of two rows of blocks those with covered pixels, and their numbers. */
static uint32_t check(const struct gfx_setup *s, int32_t x, int32_t y, uint32_t blocks)
{
    const uint32_t first = lcg_below(&state, 4);
    const int32_t left = x + (int32_t)lcg_below(&state, 3),
                  top = y + (int32_t)lcg_below(&state, 2),
                  low = y + 1 + (int32_t)lcg_below(&state, 4);
    const int32_t stop = x + 2 * (int32_t)blocks;
    struct gfx_walk walk = {x, y, y + 4, x, stop, {left, top, stop, low}};
    struct gfx_group group;
    struct gfx_planes planes;
    struct gfx_edge e[3];
    uint32_t found, at = first;

    gfx_make_edges(s, e);
    gfx_planes_avx2(s, e, &planes);
    found = gfx_cover_avx2(s, &planes, &walk, &group, first, GFX_BLOCKS);
    for (uint32_t i = 0; i < 2 * blocks; i++) {
        const int32_t bx = x + 2 * (int32_t)(i % blocks),
                      by = y + 2 * (int32_t)(i / blocks);

        if (by < walk.y || (by == walk.y && bx < walk.x))
            at += check_block(s, e, bx, by, walk.box, found, &group, at);
    }
    assert_true(walk.y == y + 4 || at == GFX_BLOCKS);
    assert_int_equal((uint64_t)found >> 4 * at, 0);
    return at == first ? 0 : found >> 4 * first & 15;
}

/* The same numbers for blocks that are there already. */
static void check_places(const struct gfx_setup *s, int32_t x, int32_t y)
{
    struct gfx_group group = {.count = 2, .x = {x, x + 64}, .y = {y, y + 2}};
    struct gfx_planes planes;
    struct gfx_edge e[3];

    gfx_make_edges(s, e);
    gfx_planes_avx2(s, e, &planes);
    gfx_place_avx2(&planes, &group, true);
    for (uint32_t i = 0; i < 8; i++) {
        double weight[3];
        struct gfx_point p;

        (void)expect(s, e, group.x[i / 4] + (int32_t)(i & 1),
                     group.y[i / 4] + (int32_t)(i >> 1 & 1), weight);
        p = gfx_weigh(s, weight);
        assert_memory_equal(&p.z, &group.z[i], sizeof(p.z));
        assert_memory_equal(&p.b1, &group.b1[i], sizeof(p.b1));
        assert_memory_equal(&p.b2, &group.b2[i], sizeof(p.b2));
        assert_memory_equal(&p.w, &group.w[i], sizeof(p.w));
    }
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Of the plane through the vertices at a rectangle's corners. */
static void check_span(const struct gfx_setup *s, int32_t x, int32_t y)
{
    const int64_t from[2] = {x * GRID + GRID / 2, y * GRID + GRID / 2},
                  size[2] = {7 * GRID, 3 * GRID};
    struct gfx_edge e[3];
    double corner[4], all[4], z[2], sum, low, high, greatest;

    gfx_make_edges(s, e);
    gfx_find_planes(s, e, from, size, corner, all);
    low = least(least(corner[0], corner[1]), least(corner[2], corner[3]));
    high = most(most(corner[0], corner[1]), most(corner[2], corner[3]));
    greatest = most(most(all[0], all[1]), most(all[2], all[3]));
    if (s->t->kind == GFX_TRIANGLE) {
        low = most(low, least(least(s->z[0], s->z[1]), s->z[2]));
        high = least(high, most(most(s->z[0], s->z[1]), s->z[2]));
    }
    assert_true(gfx_find_span_avx2(s, e, from, size, z, &sum));
    assert_memory_equal(&z[0], &low, sizeof(low));
    assert_memory_equal(&z[1], &high, sizeof(high));
    assert_memory_equal(&sum, &greatest, sizeof(greatest));
}

static void a_depth_without_end_has_no_span(void **unused)
{
    static const double odd[] = {INFINITY, -INFINITY, NAN};
    const struct gfx_triangle t = {.kind = GFX_TRIANGLE};

    (void)unused;
    if (!emu_has_avx2())
        skip();
    for (uint32_t i = 0; i < 9; i++) {
        struct gfx_setup s = {
            .t = &t, .x = {0, 8, 0}, .y = {0, 0, 8}, .z = {1, 1, 1}, .area = 64};
        struct gfx_edge e[3];
        double z[2], sum;

        s.z[i % 3] = odd[i / 3];
        gfx_make_edges(&s, e);
        assert_false(gfx_find_span_avx2(&s, e, (const int64_t[2]){128, 128},
                                        (const int64_t[2]){7 * GRID, 3 * GRID}, z,
                                        &sum));
    }
}

static void blocks_are_those_of_exact_edges(void **unused)
{
    static const uint32_t sizes[] = {2, 16, 1000, 1 << 15};
    uint32_t some = 0, none = 0;

    (void)unused;
    if (!emu_has_avx2())
        skip();
    for (uint32_t call = 0; call < CALLS; call++) {
        const uint32_t size = sizes[lcg_below(&state, 4)];
        const struct gfx_triangle t = {
            .kind = lcg_below(&state, 8) == 0 ? GFX_RECTANGLE : GFX_TRIANGLE};
        const int32_t x = (int32_t)any_place(size) & ~1,
                      y = (int32_t)any_place(size) & ~1;
        struct gfx_setup s = any_setup(&t, size);
        uint32_t mask;

        if (s.area == 0)
            continue;
        check_places(&s, x, y);
        check_span(&s, x, y);
        s.later = lcg_below(&state, 2) == 0;
        mask = check(&s, x, y, 1 + lcg_below(&state, 12));
        some += mask != 0 && mask != 15;
        none += mask == 0;
    }
    assert_true(some > CALLS / 50 && none > CALLS / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_exact_edges),
        cmocka_unit_test(a_depth_without_end_has_no_span)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
