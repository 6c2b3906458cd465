/* test_sample_interval.c - the statistical part of a sample's interval: Student's t,
 * the degrees of freedom of neighbours' differences, and how often both hold the mean.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sample/likes.h"
#include "igpu/hash.h"

enum { DRAWS = 20000, COST = 100000, SCATTER = 10000 };

/* Quantiles 0.975 of t. */
static void t_is_near_its_quantiles_and_hardly_ever_less(void **state)
{
    static const double exact[][2] = {
        {1, 12.706},    {2, 4.303},   {2.25, 3.875},   {2.909, 3.239}, {3, 3.182},
        {3.571, 2.913}, {4.9, 2.586}, {6.231, 2.425},  {7, 2.365},     {10.227, 2.221},
        {14.5, 2.138},  {15, 2.131},  {20.891, 2.080}, {40, 2.021},    {170.2, 1.974}};

    (void)state;
    for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++) {
        double part = measure_student(exact[i][0]) / exact[i][1];

        assert_true(part > 0.997 && part < 1.016);
    }
}

static void t_falls_with_the_degrees(void **state)
{
    (void)state;
    assert_true(fabs(measure_student(0.5) - measure_student(1)) < 1e-12);
    for (double degrees = 1; degrees < 100; degrees += 0.05)
        assert_true(measure_student(degrees + 0.05) < measure_student(degrees));
}

/* Two windows have one change; of many, each has two thirds of a degree. */
static void degrees_are_those_of_the_changes(void **state)
{
    (void)state;
    assert_true(fabs(measure_degrees(2) - 1) < 1e-12);
    assert_true(fabs(measure_degrees(4) - 2.25) < 1e-12);
    assert_true(fabs(measure_degrees(8) - 4.9) < 1e-12);
    assert_true(fabs(measure_degrees(256) / 255 * 1.5 - 1) < 0.01);
}

/* Normal, by Box and Muller, of mean 0 and variance 1. */
static double normal(uint64_t *at)
{
    double u = (double)(igpu_splitmix(at) >> 11) * 0x1p-53;
    double v = (double)(igpu_splitmix(at) >> 11) * 0x1p-53;

    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

/* Part of the intervals of normal windows that hold their mean, of so many strata and
 * windows evenly in them. */
static double held(uint32_t strata, uint32_t windows)
{
    static struct measure m;
    uint64_t at = (uint64_t)strata << 32 | windows;
    uint32_t count = 0;

    memset(&m, 0, sizeof(m));
    m.windows = strata + 2;
    m.last.cycle = m.last.sum = 1000;
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        struct estimate e;

        for (uint32_t i = 1; i <= strata; i++)
            m.window[i] = (struct measure_window){
                .instructions =
                    i * windows / strata > (i - 1) * windows / strata ? 1000 : 0,
                .resident = (uint64_t)(COST + SCATTER * normal(&at) + 0.5),
                .rest_instructions = 1000};
        e = measure_estimate(&m, 0);
        count += fabs(e.cycles - (double)strata * COST) <= e.statistical;
    }
    return (double)count / DRAWS;
}

/* Exactly (tests/perf/sampling/intervals.py): 96.3, 95.9, 95.6, 95.4, 95.1 %. */
static void an_interval_holds_as_often_as_it_says(void **state)
{
    static const uint32_t strata[] = {4, 5, 6, 8, 16};

    (void)state;
    for (size_t i = 0; i < sizeof(strata) / sizeof(strata[0]); i++) {
        double part = held(strata[i], strata[i]);

        assert_true(part > 0.946 && part < 0.97);
    }
}

/* Windows that stand for others, too. */
static void and_where_not_all_strata_have_a_window(void **state)
{
    static const uint32_t has[][2] = {{8, 5}, {8, 6}, {8, 7}, {16, 9}, {16, 13}};

    (void)state;
    for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++) {
        double part = held(has[i][0], has[i][1]);

        assert_true(part > 0.94 && part < 0.97);
    }
}

static struct estimate shown(uint32_t count, double half)
{
    return (struct estimate){.cycles = 1e6,
                             .count = count,
                             .statistical = half * 1e6,
                             .scatter =
                                 half * 1e6 / measure_student(measure_degrees(count))};
}

/* With one window less than is asked for the next look should find too much. */
static void as_many_windows_follow_as_the_error_needs(void **state)
{
    (void)state;
    for (uint32_t count = 4; count < 40; count += 5)
        for (double half = 0.012; half < 0.025; half += 0.003) {
            struct estimate e = shown(count, half);
            uint32_t all = count + measure_more(&e, 0.01);
            double next = MEASURE_AGAIN * measure_student(measure_degrees(all)) *
                          e.scatter * sqrt((double)count / all);
            double less = MEASURE_AGAIN * measure_student(measure_degrees(all - 1)) *
                          e.scatter * sqrt((double)count / (all - 1));

            assert_true(all > count && next <= 0.01 * e.cycles);
            assert_true(all == count + 1 || less > 0.01 * e.cycles);
        }
}

static void but_no_more_than_seven_times_as_many(void **state)
{
    struct estimate e = shown(4, 0.5), hopeless = shown(5, 0.02);

    (void)state;
    assert_int_equal(measure_more(&e, 0.01), 28);
    hopeless.allowed = 0.02 * hopeless.cycles;
    assert_int_equal(measure_more(&hopeless, 0.01), 35);
    hopeless.fades = 0.015 * hopeless.cycles;
    assert_in_range(measure_more(&hopeless, 0.01), 2, 34);
}

/* A launch that is left out lies in what is guessed of it, of its group's scatter. */
static void a_launch_left_out_is_where_it_is_guessed(void **state)
{
    static const uint32_t simulated[] = {3, 4, 8, 20};
    uint64_t at = 7;

    (void)state;
    for (size_t k = 0; k < sizeof(simulated) / sizeof(simulated[0]); k++) {
        uint32_t held = 0;

        for (uint32_t i = 0; i < DRAWS; i++) {
            struct likes l = {0};
            struct estimate guess;

            for (uint32_t n = 0; n <= simulated[k]; n++) { /* the first is apart */
                struct estimate time = {.cycles = COST + SCATTER * normal(&at)};

                likes_take(&l, &time, 1000);
            }
            guess = likes_guess(&l, 1000);
            held +=
                fabs(COST + SCATTER * normal(&at) - guess.cycles) <= guess.statistical;
        }
        assert_in_range(held, DRAWS * 0.945, DRAWS * 0.96);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(t_is_near_its_quantiles_and_hardly_ever_less),
        cmocka_unit_test(t_falls_with_the_degrees),
        cmocka_unit_test(degrees_are_those_of_the_changes),
        cmocka_unit_test(an_interval_holds_as_often_as_it_says),
        cmocka_unit_test(and_where_not_all_strata_have_a_window),
        cmocka_unit_test(as_many_windows_follow_as_the_error_needs),
        cmocka_unit_test(but_no_more_than_seven_times_as_many),
        cmocka_unit_test(a_launch_left_out_is_where_it_is_guessed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
