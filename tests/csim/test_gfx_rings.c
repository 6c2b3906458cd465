/* test_gfx_rings.c - tessellated domains by Direct3D's published rules: each is covered
 * once, edge to edge, in the number of triangles that the factors make, halves mirror
 * each other, and some small ones are known triangle by triangle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/gfx/gfx_tess.h"
#include "tests/support/rng.h"

enum { CALLS = 3000 };
static struct gfx_tessellated made;
static uint64_t seed = 5;

static double any(double most)
{
    return (double)lcg_unit(&seed) * most;
}

/* Twice its area, the way of the sun positive. */
static double area_of(const uint16_t *index)
{
    const float *a = made.point[index[0]], *b = made.point[index[1]],
                *c = made.point[index[2]];

    return (double)((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}

static void tessellate(const struct gfx_factors *f)
{
    memset(&made, 0, sizeof(made));
    made.size = 3;
    gfx_tessellate(&made, f);
}

static struct gfx_factors any_factors(enum gfx_domain domain, enum gfx_partition how)
{
    struct gfx_factors f = {.domain = domain, .how = how};

    for (uint32_t i = 0; i < 4; i++)
        f.outer[i] = (float)(0.5 + any(i % 2 ? 12 : 66));
    for (uint32_t i = 0; i < 2; i++)
        f.inner[i] = (float)(0.5 + any(i % 2 ? 66 : 12));
    return f;
}

/* All turn one way, so that none lie on each other where the areas add up to the
 * domain's. */
static void every_domain_is_covered_once(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < CALLS; i++) {
        const enum gfx_partition hows[] = {GFX_CUT_WHOLE, GFX_CUT_ODD, GFX_CUT_EVEN};
        enum gfx_domain domain = i & 1 ? GFX_DOMAIN_QUAD : GFX_DOMAIN_TRI;
        struct gfx_factors f = any_factors(domain, hows[i % 3]);
        double sum = 0;

        tessellate(&f);
        assert_true(made.indices > 0 && made.indices % 3 == 0);
        for (uint32_t k = 0; k < made.indices; k += 3) {
            double area = area_of(made.index + k);

            assert_true(area <= 1e-6);
            sum -= area;
        }
        assert_true(fabs(sum - (domain == GFX_DOMAIN_QUAD ? 2 : 1)) < 1e-3);
    }
}

/* A patch of one factor: n segments a side. */
static uint32_t count_of(enum gfx_domain domain, float n)
{
    const struct gfx_factors f = {
        .domain = domain, .how = GFX_CUT_WHOLE, .outer = {n, n, n, n}, .inner = {n, n}};

    tessellate(&f);
    return made.indices / 3;
}

static void the_factors_make_the_number(void **unused)
{
    (void)unused;
    for (uint32_t n = 2; n <= 64; n++) {
        uint32_t rings = 0;

        assert_int_equal(count_of(GFX_DOMAIN_QUAD, (float)n), 2 * n * n);
        for (uint32_t k = n; k >= 2; k -= 2) /* n outside, n - 2 inside of each ring */
            rings += 3 * (k + k - 2);
        assert_int_equal(count_of(GFX_DOMAIN_TRI, (float)n), rings + n % 2);
    }
}

/* Is there a triangle of these places? */
static int has(const double at[3][2])
{
    for (uint32_t k = 0; k < made.indices; k += 3) {
        uint32_t found = 0;

        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t c = 0; c < 3; c++)
                if (fabs((double)made.point[made.index[k + i]][0] - at[c][0]) < 1e-4 &&
                    fabs((double)made.point[made.index[k + i]][1] - at[c][1]) < 1e-4)
                    found |= 1u << c;
        if (found == 7)
            return 1;
    }
    return 0;
}

/* Of a quad of three segments a side the middle quad's diagonal goes from the upper
 * left to the lower right; of one of five across its row's other way. The first
 * corner's diagonals mirror each other. */
static void diagonals_go_as_published(void **unused)
{
    const struct gfx_factors three = {.domain = GFX_DOMAIN_QUAD,
                                      .how = GFX_CUT_WHOLE,
                                      .outer = {3, 3, 3, 3},
                                      .inner = {3, 3}},
                             five = {.domain = GFX_DOMAIN_QUAD,
                                     .how = GFX_CUT_WHOLE,
                                     .outer = {3, 5, 3, 5},
                                     .inner = {5, 3}};
    const double t = 1.0 / 3, u = 2.0 / 3;

    (void)unused;
    tessellate(&three);
    assert_true(has((const double[3][2]){{t, u}, {t, t}, {u, t}}));
    assert_true(has((const double[3][2]){{t, u}, {u, t}, {u, u}}));
    tessellate(&five);
    for (uint32_t i = 1; i < 4; i++) {
        double a = i / 5.0, b = (i + 1) / 5.0;

        assert_true(has((const double[3][2]){{a, u}, {a, t}, {b, t}}) ||
                    has((const double[3][2]){{a, t}, {b, t}, {b, u}}));
        assert_true(has((const double[3][2]){{a, u}, {b, t}, {a, t}}) ==
                    has((const double[3][2]){{0.2, u}, {0.4, t}, {0.2, t}}));
    }
}

/* Rows of one edge: the outer one's points come by halving, the inner one's too. Of an
 * edge of 4 outside one of 2 the two outer segments at the corner share the inner
 * point.
 */
static void edges_are_walked_by_halves(void **unused)
{
    const struct gfx_factors f = {.domain = GFX_DOMAIN_TRI,
                                  .how = GFX_CUT_WHOLE,
                                  .outer = {4, 1, 1},
                                  .inner = {2}};
    const double c = 1.0 / 3;

    (void)unused;
    tessellate(&f);
    assert_int_equal(made.indices, 3 * 6);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(
            has((const double[3][2]){{0, i / 4.0}, {0, (i + 1) / 4.0}, {c, c}}));
    assert_true(has((const double[3][2]){{0, 0}, {1, 0}, {c, c}}));
    assert_true(has((const double[3][2]){{0, 1}, {1, 0}, {c, c}}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_domain_is_covered_once),
        cmocka_unit_test(the_factors_make_the_number),
        cmocka_unit_test(diagonals_go_as_published),
        cmocka_unit_test(edges_are_walked_by_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
