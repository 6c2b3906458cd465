/* test_tex_place.c - csim/tex/place.h: each mode of wrapping against the picture it
 * makes, walked texel by texel; weights of 8 bits; coordinates that are none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csim/tex/place.h"

enum { FAR = 40 };

/* A walk along the repeated picture, forwards and back, from its first texel up or from
 * the one before it down: `turns`, the walk turns round at an edge. */
static int32_t walk(int32_t i, int32_t size, bool turns)
{
    int32_t at = i >= 0 ? 0 : turns ? 0 : size - 1, step = i >= 0 ? 1 : turns ? 1 : -1;

    for (int32_t n = i >= 0 ? i : -1 - i; n > 0; n--) {
        int32_t next = at + step;

        if (next >= 0 && next < size)
            at = next;
        else if (turns)
            step = -step; /* an edge's texel stands twice */
        else
            at = next < 0 ? size - 1 : 0;
    }
    return at;
}

static void each_mode_makes_its_picture(void **state)
{
    (void)state;
    for (int32_t size = 1; size <= 7; size++)
        for (int32_t i = -FAR; i <= FAR; i++) {
            bool in = i >= 0 && i < size;
            int32_t edge = i < 0 ? 0 : i >= size ? size - 1 : i;
            int32_t once = i < 0 ? -1 - i : i;

            assert_int_equal(tex_wrap(TEX_WRAP, i, size), walk(i, size, false));
            assert_int_equal(tex_wrap(TEX_MIRROR, i, size), walk(i, size, true));
            assert_int_equal(tex_wrap(TEX_CLAMP, i, size), edge);
            assert_int_equal(tex_wrap(TEX_CLAMP_BORDER, i, size), in ? i : -1);
            assert_int_equal(tex_wrap(TEX_MIRROR_ONCE, i, size),
                             once < size ? once : size - 1);
        }
    assert_int_equal(tex_wrap(TEX_MIRROR, INT32_MIN, 3),
                     (INT32_MAX % 6 < 3) ? INT32_MAX % 6 : 5 - INT32_MAX % 6);
}

static void weights_have_8_bits(void **state)
{
    (void)state;
    for (int32_t i = -5000; i <= 5000; i++) {
        double x = i * 0.00397;
        float weight;
        int32_t low;

        tex_low(x, true, &low, &weight);
        assert_true(weight >= 0 && weight < 1);
        assert_true(weight * 256 == floorf(weight * 256));
        assert_true(fabs(low + (double)weight - (x - 0.5)) <= 1.0 / 512);
        tex_low(x, false, &low, &weight);
        assert_true(low == floor(x) && weight == 0);
    }
}

static void what_is_no_place_is_some_place(void **state)
{
    const double none[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};

    (void)state;
    for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        for (int linear = 0; linear < 2; linear++) {
            float weight;
            int32_t low;

            tex_low(none[i], linear, &low, &weight);
            assert_int_equal(tex_wrap(TEX_CLAMP, low, 8), none[i] > 0 ? 7 : 0);
            assert_true(weight >= 0 && weight < 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mode_makes_its_picture),
        cmocka_unit_test(weights_have_8_bits),
        cmocka_unit_test(what_is_no_place_is_some_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
