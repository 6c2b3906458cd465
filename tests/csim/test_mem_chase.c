/* test_mem_chase.c - the measured pointer chases (paper 1, figures 5, 7 and 14), with
 * the EU's part of a step as a fixed time: latency of each level and how many chases
 * run side by side. What is calibrated and what is not: docs/contract/memory.md. */
/* tests/run: timeout=600 slow turn=1of3 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"

/* Cycles from an answer to the next grant: in the published single-thread code (shl:q,
 * add:q), and in chase_n of traces/kernels as compiled for SIMD32, whose step of 113
 * cycles in the L3 (tests/perf/shown.py mlp) has 109 of them in the memory side. */
enum { EU_PART = 35, EU_PART_SIMD32 = 4 };
/* Steps before those that are timed, of all threads: a lap of what caches could keep.
 * Of more than twice what LLC and eDRAM hold nothing is found again in any case. */
enum { WARM = 1200000, WARM_BEYOND = 200000, BEYOND = 256 << 20 };

static struct drive_result chase(const char *preset, uint64_t bytes, uint32_t threads,
                                 uint64_t steps)
{
    uint32_t eu_part = threads == 1 ? EU_PART : EU_PART_SIMD32;
    uint32_t warm = bytes * threads >= BEYOND ? WARM_BEYOND : WARM;
    struct drive_chase c = {bytes, threads, eu_part, steps, warm / threads, 7, 0};
    struct drive_result result;
    struct igpu_config config;

    assert_int_equal(igpu_config_preset(&config, preset, NULL), IGPU_OK);
    drive_chase(&config, &c, &result);
    return result;
}

struct point {
    uint64_t bytes;
    double ns;     /* measured */
    double within; /* per cent */
};

static double check_points(const char *preset, const struct point *point,
                           unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++) {
        double ns = chase(preset, point[i].bytes, 1, 100000).step_ns;
        double error = (ns / point[i].ns - 1) * 100;

        print_message("%s %9lu B: %.1f ns, measured %.1f: %+.1f %%\n", preset,
                      point[i].bytes, ns, point[i].ns, error);
        assert_true(fabs(error) <= point[i].within);
        sum += fabs(error);
    }
    return sum / count;
}

static void skylake_levels_are_as_measured(void **unused)
{
    static const struct point point[] = {
        {65536, 125, 5}, {262144, 125, 5}, {1 << 20, 213.54, 5}, {256 << 20, 355, 5}};

    (void)unused;
    (void)check_points("skl-gt2", point, 4);
}

static void skylake_rises_from_1_to_9_megabytes(void **unused)
{
    static const struct point point[] = {{2 << 20, 215.01, 6}, {3 << 20, 231.21, 6},
                                         {4 << 20, 246.6, 6},  {5 << 20, 258.73, 6},
                                         {6 << 20, 273.68, 6}, {7 << 20, 286.89, 6},
                                         {8 << 20, 304.29, 6}, {9 << 20, 318.28, 6}};

    (void)unused;
    assert_true(check_points("skl-gt2", point, 8) < 3.5);
}

/* One number of this machine is calibrated, on the second point. */
static void kaby_lake_levels_are_as_measured(void **unused)
{
    static const struct point point[] = {
        {512 << 10, 144, 5}, {2 << 20, 260, 5}, {8 << 20, 350, 5}, {256 << 20, 422, 5}};

    (void)unused;
    (void)check_points("kbl-gt3e", point, 4);
}

/* Where the ramp beyond the flat part, extended, meets the flat part. */
static double knee(uint64_t bytes, uint64_t steps)
{
    double one = chase("skl-gt2", bytes, 33, steps).step_ns;
    double at_80 = chase("skl-gt2", bytes, 81, steps).step_ns;
    double at_168 = chase("skl-gt2", bytes, 168, steps).step_ns;

    print_message("%lu B a thread: %.1f ns at 33, %.1f at 81, %.1f at 168: knee %.1f\n",
                  bytes, one, at_80, at_168, 168 * at_80 / at_168);
    return 168 * at_80 / at_168;
}

static void a_hundred_chases_run_side_by_side_in_the_l3(void **unused)
{
    double flat, ninety, at;

    (void)unused;
    at = knee(64, 4000);
    assert_true(at >= 100 && at <= 120);
    flat = chase("skl-gt2", 64, 3, 4000).step_ns;
    ninety = chase("skl-gt2", 64, 99, 4000).step_ns;
    assert_true(ninety < flat * 1.01);
    at = knee(2048, 4000);
    assert_true(at >= 100 && at <= 120);
}

static void a_hundred_chases_run_side_by_side_in_dram(void **unused)
{
    double at = knee(8 << 20, 1500);

    (void)unused;
    assert_true(at >= 100 && at <= 120);
}

static void the_same_run_gives_the_same_result(void **unused)
{
    struct drive_result a = chase("skl-gt2", 8 << 20, 50, 500);
    struct drive_result b = chase("skl-gt2", 8 << 20, 50, 500);

    (void)unused;
    assert_int_equal(a.cycles, b.cycles);
    assert_memory_equal(&a.stats, &b.stats, sizeof(a.stats));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skylake_levels_are_as_measured),
        cmocka_unit_test(skylake_rises_from_1_to_9_megabytes),
        cmocka_unit_test(kaby_lake_levels_are_as_measured),
        cmocka_unit_test(a_hundred_chases_run_side_by_side_in_the_l3),
        cmocka_unit_test(a_hundred_chases_run_side_by_side_in_dram),
        cmocka_unit_test(the_same_run_gives_the_same_result)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
