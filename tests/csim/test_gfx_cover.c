/* test_gfx_cover.c - blocks of random triangles and rectangles: the pixels that exact
 * edges say and the numbers of gfx_weigh(), bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static uint32_t check(const struct gfx_setup *s, int32_t x, int32_t y)
{
    const uint32_t allowed = 1 + lcg_below(&state, 15), first = 4;
    struct gfx_group group;
    struct gfx_edge e[3];
    uint32_t mask, expected = 0;

    gfx_make_edges(s, e);
    mask = gfx_cover_avx2(s, e, x, y, allowed, &group, first);
    for (uint32_t i = 0; i < 4; i++) {
        double weight[3];
        struct gfx_point p;

        expected |= expect(s, e, x + (int32_t)(i & 1), y + (int32_t)(i >> 1), weight)
                        ? 1u << i
                        : 0;
        p = gfx_weigh(s, weight);
        if (mask == 0)
            continue;
        assert_memory_equal(&p.z, &group.z[first + i], sizeof(p.z));
        assert_memory_equal(&p.b1, &group.b1[first + i], sizeof(p.b1));
        assert_memory_equal(&p.b2, &group.b2[first + i], sizeof(p.b2));
        assert_memory_equal(&p.w, &group.w[first + i], sizeof(p.w));
    }
    assert_int_equal(mask, expected & allowed);
    return mask;
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
        const struct gfx_setup s = any_setup(&t, size);
        uint32_t mask;

        if (s.area == 0)
            continue;
        mask = check(&s, (int32_t)any_place(size) & ~1, (int32_t)any_place(size) & ~1);
        some += mask != 0 && mask != 15;
        none += mask == 0;
    }
    assert_true(some > CALLS / 50 && none > CALLS / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_exact_edges)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
