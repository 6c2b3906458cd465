/* test_sample_plan.c - which groups --sample simulates, and what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sample/options.h"
#include "bridge/host/sample/plan.h"

static struct sample_shape shape_of(uint64_t groups, uint64_t seed)
{
    return (struct sample_shape){.groups = groups,
                                 .group_threads = 4,
                                 .at_once = 42,
                                 .group_instructions = 1000,
                                 .head = 2,
                                 .seed = seed};
}

static void windows_lie_in_their_strata_which_make_up_the_grid(void **state)
{
    struct sample_plan plan;

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (uint32_t strata = 2; strata < 40; strata += 7) {
            struct sample_shape shape = shape_of(20000 + 37 * seed, seed);
            uint64_t at;

            assert_true(sample_plan_make(&plan, &shape, strata));
            assert_int_equal(plan.windows, strata + 2);
            assert_int_equal(plan.window[0].first, 0);
            at = plan.window[0].groups;
            assert_true(at >= 2 * shape.at_once);
            for (uint32_t i = 1; i <= strata; i++) {
                struct sample_window s = sample_plan_stratum(&plan, i);
                const struct sample_window *w = &plan.window[i];

                assert_int_equal(s.first, at);
                at += s.groups;
                assert_true(w->first >= s.first && w->first + w->groups <= at);
                assert_true(w->lead >= shape.at_once && w->lead < w->groups);
                assert_true(w->groups - w->lead >= shape.at_once);
            }
            assert_int_equal(at, plan.window[strata + 1].first);
            assert_int_equal(at + plan.window[strata + 1].groups, shape.groups);
        }
}

static void twice_as_many_strata_keep_the_windows(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (uint32_t strata = 4; strata < 100; strata *= 2) {
            struct sample_shape shape = shape_of(40000 + 37 * seed, seed);
            struct sample_plan few, many;
            uint32_t kept = 0;

            assert_true(sample_plan_make(&few, &shape, strata));
            assert_true(sample_plan_make(&many, &shape, 2 * strata));
            for (uint32_t i = 1; i <= 2 * strata; i++) {
                const struct sample_window *w = &many.window[i];

                kept += memcmp(w, &few.window[(i + 1) / 2], sizeof(*w)) == 0;
            }
            assert_int_equal(kept, strata);
        }
}

static void gaps_are_what_no_window_has(void **state)
{
    struct sample_shape shape = shape_of(9000, 3);
    struct sample_plan plan;
    uint64_t at = 0;

    (void)state;
    assert_true(sample_plan_make(&plan, &shape, 8));
    for (uint32_t i = 0; i < plan.windows; i++) {
        struct sample_window gap = sample_plan_gap(&plan, i);

        assert_int_equal(gap.first, at);
        at += gap.groups;
        assert_int_equal(at, plan.window[i].first);
        at += plan.window[i].groups;
    }
    assert_int_equal(at, shape.groups);
}

static void seeds_choose_other_places_and_the_same_seed_the_same(void **state)
{
    struct sample_shape one = shape_of(9000, 1), two = shape_of(9000, 2);
    struct sample_plan a, b, c;

    (void)state;
    memset(&a, 0, sizeof(a));
    memset(&b, 0, sizeof(b));
    memset(&c, 0, sizeof(c));
    assert_true(sample_plan_make(&a, &one, 8));
    assert_true(sample_plan_make(&b, &one, 8));
    assert_true(sample_plan_make(&c, &two, 8));
    assert_memory_equal(&a, &b, sizeof(a));
    assert_memory_not_equal(&a, &c, sizeof(a));
}

static void a_launch_of_which_half_would_be_simulated_has_no_plan(void **state)
{
    struct sample_plan plan;
    uint64_t groups = 1;

    (void)state;
    for (; groups < 100000; groups++) {
        struct sample_shape shape = shape_of(groups, 1);

        if (sample_plan_make(&plan, &shape, 8))
            break;
        assert_int_equal(plan.windows, 0);
    }
    /* 8 windows of two fillings, half of the strata; head and tail beside them. */
    assert_int_equal(groups, (8 * 2 * 2 + 2 + 1) * 42);
}

static void a_device_holds_what_slots_barriers_and_slm_allow(void **state)
{
    struct igpu_config c;

    (void)state;
    assert_int_equal(igpu_config_preset(&c, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(sample_at_once(&c, 1, false, 0), 168);
    assert_int_equal(sample_at_once(&c, 4, false, 0), 42);
    assert_int_equal(sample_at_once(&c, 16, true, 0), 3 * 3);
    assert_int_equal(sample_at_once(&c, 1, true, 0), 3 * 16);
    assert_int_equal(sample_at_once(&c, 4, true, 16), 3 * 4);
    assert_int_equal(sample_at_once(&c, 500, false, 0), 1);
}

static void options_are_taken_and_others_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "1344",
                                      "error",
                                      "error=2",
                                      "error=0%",
                                      "error=51%",
                                      "error=-2%",
                                      "error=2%,",
                                      "error=2%;seed=1",
                                      "windows=1",
                                      "windows=1000",
                                      "seed=3",
                                      "error=2%,seed=",
                                      "error=2%,seed=x",
                                      "error=2%,launches=1",
                                      "error=2%,windows=8",
                                      "error=nan%",
                                      "error=2%,seed=99999999999999999999"};
    struct sample_options o;
    struct igpu_err err;

    (void)state;
    assert_int_equal(sample_options_parse(&o, "error=2%", &err), IGPU_OK);
    assert_true(o.error > 0.0199 && o.error < 0.0201 && o.launches && o.seed == 1);
    assert_int_equal(sample_options_parse(&o, "windows=16,seed=7,launches=all", &err),
                     IGPU_OK);
    assert_true(o.windows == 16 && o.seed == 7 && !o.launches && o.error <= 0);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (sample_options_parse(&o, bad[i], &err) != IGPU_USAGE)
            fail_msg("--sample %s is taken", bad[i]);
        assert_non_null(strstr(err.text, "expected error=2%"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_lie_in_their_strata_which_make_up_the_grid),
        cmocka_unit_test(twice_as_many_strata_keep_the_windows),
        cmocka_unit_test(gaps_are_what_no_window_has),
        cmocka_unit_test(seeds_choose_other_places_and_the_same_seed_the_same),
        cmocka_unit_test(a_launch_of_which_half_would_be_simulated_has_no_plan),
        cmocka_unit_test(a_device_holds_what_slots_barriers_and_slm_allow),
        cmocka_unit_test(options_are_taken_and_others_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
