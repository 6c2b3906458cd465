/* test_half.c - every binary16 pattern against the definition of the format, and back.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/half.h"

static void every_pattern_has_its_value(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        int exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
        float got = igpu_half_to_float((uint16_t)bits), want;
        uint32_t pattern;

        memcpy(&pattern, &got, sizeof(pattern));
        assert_int_equal(pattern >> 31, bits >> 15);
        if (exponent == 0x1F && fraction != 0) {
            assert_true(isnan(got));
            assert_int_equal(pattern & 0x7FFFFF, (uint32_t)fraction << 13);
            continue;
        }
        want = exponent == 0x1F ? INFINITY
               : exponent == 0  ? ldexpf((float)fraction, -24)
                                : ldexpf((float)(fraction + 0x400), exponent - 25);
        assert_true(fabsf(got) == want);
    }
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Each finite pattern and its sign comes back; what lies between it and the next goes
 * to the nearer one, and the middle to the even one. */
static void a_float_becomes_the_nearest_pattern(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7C00; bits++) {
        float low = igpu_half_to_float((uint16_t)bits);
        float high =
            bits == 0x7BFF ? 65536.0f : igpu_half_to_float((uint16_t)(bits + 1));
        float middle = low + (high - low) / 2;

        assert_int_equal(igpu_float_to_half(low), bits);
        assert_int_equal(igpu_float_to_half(-low), bits | 0x8000);
        assert_int_equal(igpu_float_to_half(middle), bits + (bits & 1));
        assert_int_equal(igpu_float_to_half(nextafterf(middle, 0)), bits);
        assert_int_equal(igpu_float_to_half(nextafterf(middle, INFINITY)), bits + 1);
    }
    assert_int_equal(igpu_float_to_half(INFINITY), 0x7C00);
    assert_int_equal(igpu_float_to_half(-FLT_MAX), 0xFC00);
    assert_int_equal(igpu_float_to_half(float_of(0x7F801234)), 0x7E00);
    assert_int_equal(igpu_float_to_half(float_of(0xFFC12000)), 0xFE09);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_has_its_value),
        cmocka_unit_test(a_float_becomes_the_nearest_pattern)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
