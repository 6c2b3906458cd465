/* test_half.c - every binary16 pattern against the definition of the format. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pattern_has_its_value)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
