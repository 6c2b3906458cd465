/* test_heat.c - reuse of lines against a naive twin, and what belongs to a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/heat.h"
#include "tests/support/rng.h"

enum { LINES = 3000, USES = 20000 };

static uint64_t state = 1;

static void buckets_begin_at_powers_of_two(void **unused)
{
    (void)unused;
    assert_int_equal(heat_bucket(1), 0);
    assert_int_equal(heat_bucket(2), 1);
    assert_int_equal(heat_bucket(3), 1);
    assert_int_equal(heat_bucket(4), 2);
    assert_int_equal(heat_bucket(UINT64_MAX), HEAT_BUCKETS - 1);
}

static void use_and_expect(struct heat *heat, struct heat_result *expected)
{
    uint64_t last[LINES] = {0}, times[LINES] = {0};

    memset(expected, 0, sizeof(*expected));
    for (uint64_t i = 1; i <= USES; i++) {
        uint32_t line = lcg_below(&state, lcg_below(&state, LINES) + 1);

        heat_line(heat, line * UINT64_C(64) + (UINT64_C(1) << 40));
        if (last[line] != 0)
            expected->again[heat_bucket(i - last[line])]++;
        last[line] = i;
        times[line]++;
    }
    for (uint32_t i = 0; i < LINES; i++) {
        expected->lines += times[i] != 0;
        if (times[i] != 0)
            expected->times[heat_bucket(times[i])]++;
    }
}

static void reuse_is_the_naive_twins(void **unused)
{
    struct heat *heat = heat_create();
    struct heat_result expected[2];
    const struct heat_result *got;
    uint32_t count;

    (void)unused;
    assert_non_null(heat);
    for (unsigned i = 0; i < 2;
         i++) { /* the second launch knows nothing of the first */
        heat_begin(heat);
        use_and_expect(heat, &expected[i]);
        assert_true(heat_end(heat));
    }
    got = heat_results(heat, &count);
    assert_int_equal(count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(got[i].whole);
        assert_int_equal(got[i].lines, expected[i].lines);
        assert_memory_equal(got[i].again, expected[i].again, sizeof(got[i].again));
        assert_memory_equal(got[i].times, expected[i].times, sizeof(got[i].times));
    }
    heat_destroy(heat);
}

static void what_lies_between_launches_is_nobodys(void **unused)
{
    struct heat *heat = heat_create();
    const struct heat_result *got;
    uint32_t count;

    (void)unused;
    assert_non_null(heat);
    heat_now(heat)->l3[1].uses = 5;
    heat_begin(heat);
    heat_now(heat)->l3[2].uses = 7;
    assert_true(heat_end(heat));
    got = heat_results(heat, &count);
    assert_int_equal(count, 1);
    assert_int_equal(got->l3[1].uses, 0);
    assert_int_equal(got->l3[2].uses, 7);
    heat_destroy(heat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_begin_at_powers_of_two),
        cmocka_unit_test(reuse_is_the_naive_twins),
        cmocka_unit_test(what_lies_between_launches_is_nobodys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
