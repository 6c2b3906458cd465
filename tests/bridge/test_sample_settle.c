/* test_sample_settle.c - what of a sample's windows counts: transients that are cut off
 * and what is left of them, and intervals where windows do not count. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sample/measure.h"
#include "bridge/host/sample/settle.h"

enum { MOST = 64 };

static const double noise[8] = {0.3, -0.1, 0.2, -0.4, 0.1, -0.3, 0.4, -0.2};

/* 100 from the first on, and `more` that is halved with each `half` windows. */
static void decay(double *cost, uint32_t n, double more, double half)
{
    for (uint32_t i = 0; i < n; i++)
        cost[i] = 100 + more * exp2(-(double)i / half) + noise[i % 8];
}

static void a_transient_is_cut_and_steady_costs_are_not(void **state)
{
    double cost[MOST];
    uint32_t cut;

    (void)state;
    decay(cost, 32, 30, 2);
    cut = settle_cut(cost, 32);
    assert_in_range(cut, 8, 16); /* 30 x 2^-4 is 1.9; half of all is the most */
    assert_true(settle_bias(cost, 32, cut) > 0.01);
    assert_true(fabs(settle_left(cost + cut, 32 - cut)) < 0.01);
    decay(cost, 32, 0, 1);
    assert_true(settle_bias(cost, 32, settle_cut(cost, 32)) < 0.001);
}

/* Nearer to the others at first: that is the grid, not the simulation's begin. */
static void a_part_of_the_grid_is_not_cut(void **state)
{
    double cost[MOST];

    (void)state;
    for (uint32_t i = 0; i < 32; i++)
        cost[i] = 100 - (i < 12 ? i : 0) + noise[i % 8];
    assert_int_equal(settle_cut(cost, 32), 0);
    for (uint32_t i = 0; i < 32; i++)
        cost[i] = 100 - (i < 12 ? 12 - i : 0) + noise[i % 8];
    assert_in_range(settle_cut(cost, 32), 8, 13);
}

static void at_most_half_is_cut(void **state)
{
    double cost[MOST];

    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        cost[i] = i == 19 ? 100 : 200;
    assert_true(settle_cut(cost, 20) <= 10);
    assert_int_equal(settle_cut(cost, 1), 0);
    assert_true(fabs(settle_left(cost, 1)) < 1e-12);
}

static void what_is_left_is_early_less_late(void **state)
{
    static const double cost[] = {110, 110, 105, 100, 100, 95, 90, 90};

    (void)state;
    assert_true(fabs(settle_left(cost, 8) - 0.2) < 1e-12);
    assert_true(fabs(settle_mean(110, 90) - 5) < 1e-12);
}

/* The mean of any cost that goes from one to the other slower and slower is no further
 * away than promised. */
static void a_mean_lies_where_it_is_said(void **state)
{
    (void)state;
    for (double half = 1; half < 4000; half *= 3) {
        double sum = 0, half_width = settle_mean(130, 100), last = 0;

        for (uint32_t i = 0; i < 1000; i++) {
            last = 100 + 30 * exp2(-(double)i / half);
            sum += last;
        }
        half_width = settle_mean(130, last);
        assert_true(fabs(sum / 1000 - (last + half_width)) <= half_width + 0.05);
    }
}

/* Strata of 1,000 instructions, one thread at a time. */
static void fill(struct measure *m, const double *cost, uint32_t strata)
{
    memset(m, 0, sizeof(*m));
    m->windows = strata + 2;
    m->last.cycle = m->last.sum = 1000;
    for (uint32_t i = 0; i < strata; i++)
        m->window[i + 1] =
            (struct measure_window){.instructions = cost[i] > 0 ? 1000 : 0,
                                    .resident = (uint64_t)(cost[i] * 1000),
                                    .rest_instructions = 1000};
}

static struct estimate of(const double *cost, uint32_t strata)
{
    static struct measure m;

    fill(&m, cost, strata);
    return measure_estimate(&m, 500);
}

static void a_window_that_does_not_count_is_as_its_neighbours(void **state)
{
    static const double all[] = {10, 12, 14, 16}, some[] = {10, 0, 14, 0},
                        none[] = {0, 0, 14, 16};

    (void)state;
    assert_true(fabs(of(all, 4).cycles - 52500) < 1e-6);
    assert_true(fabs(of(some, 4).cycles - (500 + 10e3 + 12e3 + 14e3 + 14e3)) < 1e-6);
    assert_true(fabs(of(none, 4).cycles - (500 + 3 * 14e3 + 16e3)) < 1e-6);
}

/* Half as many windows that count make the interval wider, as half as many windows do.
 */
static void windows_that_do_not_count_say_nothing(void **state)
{
    double all[32], half[16], some[32];

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        all[i] = 100 + noise[i % 8] + noise[(i / 2 * 3) % 8];
        some[i] = i % 2 == 0 ? all[i] : 0;
        half[i / 2] = i % 2 == 0 ? all[i] : half[i / 2];
    }
    assert_true(of(some, 32).statistical > of(all, 32).statistical);
    /* The same windows, each for two strata; the ends differ by half a stratum. */
    assert_true(fabs(of(some, 32).statistical / (2 * of(half, 16).statistical) - 1) <
                0.1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transient_is_cut_and_steady_costs_are_not),
        cmocka_unit_test(a_part_of_the_grid_is_not_cut),
        cmocka_unit_test(at_most_half_is_cut),
        cmocka_unit_test(what_is_left_is_early_less_late),
        cmocka_unit_test(a_mean_lies_where_it_is_said),
        cmocka_unit_test(a_window_that_does_not_count_is_as_its_neighbours),
        cmocka_unit_test(windows_that_do_not_count_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
