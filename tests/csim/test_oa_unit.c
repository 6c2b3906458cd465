/* test_oa_unit.c - the OA unit's clock, timer and counters (igpu/oa_unit.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/oa_unit.h"

static void the_time_stamp_ticks_at_12_mhz(void **state)
{
    (void)state;
    assert_int_equal(oa_timestamp(0, 1150000000), 0);
    assert_int_equal(oa_timestamp(95, 1150000000), 0); /* a tick is 95.83 cycles */
    assert_int_equal(oa_timestamp(96, 1150000000), 1);
    assert_int_equal(oa_timestamp(1150000000, 1150000000), 12000000);
    assert_int_equal(oa_timestamp(UINT64_C(1) << 60, 1000000000),
                     UINT64_C(13835058055282163)); /* 2^60 x 0.012, rounded down */
}

/* Every cycle of the grid is the first one at or behind its multiple of the period. */
static void the_timer_is_at_the_first_cycle_of_each_period(void **state)
{
    static const uint64_t clocks[] = {300000000, 1050000000, 1150000000, 12000000,
                                      7000000};

    (void)state;
    for (unsigned c = 0; c < 5; c++)
        for (uint32_t e = 0; e < OA_EXPONENTS; e += 3) {
            uint64_t ticks = UINT64_C(2) << e, cycle = 0;

            for (uint64_t n = 1; n < 50; n++) {
                uint64_t at = oa_timer_next(e, clocks[c], cycle + 1);

                assert_true(oa_timestamp(at, clocks[c]) >= n * ticks);
                assert_true(oa_timestamp(at - 1, clocks[c]) < n * ticks);
                assert_int_equal(oa_timer_next(e, clocks[c], at), at);
                cycle = at;
            }
        }
    assert_int_equal(oa_timer_next(6, 1150000000, 0), 12267); /* 10.67 us */
}

static void a_time_gives_the_nearest_exponent(void **state)
{
    static const struct {
        const char *text;
        uint32_t exponent;
    } good[] = {{"10us", 6},   {"10.67us", 6}, {"167ns", 0}, {"100ns", 0},
                {"1.5ms", 13}, {"1s", 23},     {"300s", 31}, {"0.01ms", 6}};
    static const char *const bad[] = {"",      "0",     "0us",  "10",     "us",
                                      "-1us",  "1h",    "1us ", "1e99s",  "nan",
                                      "inf s", "3600s", "1ns",  "0x1us s"};
    struct igpu_err err;
    uint32_t exponent;

    (void)state;
    for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(oa_timer_parse(good[i].text, &exponent, &err), IGPU_OK);
        assert_int_equal(exponent, good[i].exponent);
    }
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(oa_timer_parse(bad[i], &exponent, &err), IGPU_USAGE);
        assert_non_null(strstr(err.text, bad[i]));
    }
}

static void read_set(const char *set, const struct igpu_sample *sample,
                     struct oa_counters *counters)
{
    struct igpu_config config;

    assert_int_equal(igpu_config_preset(&config, "kbl-gt3e", NULL), IGPU_OK);
    config.gpu_clock_hz = 1150000000;
    *counters = (struct oa_counters){.report_id = 5, .context = 9};
    oa_unit_read(oa_set_find(set), &config, sample, counters);
}

/* What a set chooses goes before what all sets have; the rest is 0. */
static void sets_choose_their_counters(void **state)
{
    struct igpu_sample s = {.cycle = 9600, .busy = 9500};
    struct oa_counters c;

    (void)state;
    s.eu = (struct sample_eu){.threads = 3,
                              .active = 100,
                              .stall = 50,
                              .fpu0 = 40,
                              .fpu1 = 30,
                              .fpu_both = 20,
                              .send = 10,
                              .resident = 807};
    s.mem.gti_reads = 77;
    s.mem.bank[1].gti_reads = 5;
    s.mem.bank[5].gti_reads = 6; /* bank 1 of the second slice */
    s.mem.bank[2].accesses = 9;
    s.mem.port[1].lines[0] = 11;
    s.mem.slm_read_blocks = 4;
    read_set("ComputeBasic", &s, &c);
    assert_int_equal(c.report_id, 5);
    assert_int_equal(c.context, 9);
    assert_int_equal(c.clocks, 9600);
    assert_int_equal(c.timestamp, 100);
    assert_int_equal(c.a[0], 9500);
    assert_int_equal(c.a[4], 3);
    assert_int_equal(c.a[7], 100);
    assert_int_equal(c.a[8], 50);
    assert_int_equal(c.a[9], 20);
    assert_int_equal(c.a[10], 40);
    assert_int_equal(c.a[11], 30);
    assert_int_equal(c.a[12], 10);
    assert_int_equal(c.a[13], 100);
    assert_int_equal(c.a[30], 4);
    assert_int_equal(c.b[7], 11);
    assert_int_equal(c.c[4], 77);
    assert_int_equal(c.a[21], 0);
    read_set("MemoryReads", &s, &c);
    assert_int_equal(c.a[10], 0);
    assert_int_equal(c.c[0], 77);
    assert_int_equal(c.c[5], 11);
    read_set("AsyncCompute", &s, &c);
    assert_int_equal(c.a[9], 40);
    assert_int_equal(c.a[17], 100);
    read_set("ComputeL3Cache", &s, &c);
    assert_int_equal(c.b[2], 4);
}

/* Boolean functions of six clocks: true in 0, 6, 6, 3, 2, 2, 1 and 4 of them. */
static void the_test_set_counts_its_shares(void **state)
{
    static const uint64_t share[] = {0, 6, 6, 3, 2, 2, 1, 4};
    struct igpu_sample s = {.cycle = 0};
    struct oa_counters before, c;

    (void)state;
    read_set("TestOa", &s, &before);
    for (s.cycle = 1; s.cycle <= 600; s.cycle++) {
        read_set("TestOa", &s, &c);
        for (unsigned i = 0; i < 8; i++)
            assert_true(c.b[i] - before.b[i] <= 1);
        before = c;
    }
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(c.b[i], 100 * share[i]);
}

static bool drives(const char *set, const char *metric)
{
    const struct oa_set *s = oa_set_find(set);

    for (uint32_t i = 0; i < s->count; i++)
        if (strcmp(oa_set_metric(s, i)->symbol, metric) == 0)
            return oa_unit_drives(s, i);
    fail_msg("%s has no %s", set, metric);
    return false;
}

static void what_is_not_simulated_is_told(void **state)
{
    (void)state;
    assert_true(drives("RenderBasic", "GpuTime"));
    assert_true(drives("RenderBasic", "EuActive"));
    assert_true(drives("RenderBasic", "L3ShaderThroughput"));
    assert_true(drives("RenderBasic", "Sampler0Busy"));
    assert_true(drives("RenderBasic", "SamplersBusy")); /* through two others */
    assert_true(drives("RenderBasic", "SamplerTexels"));
    assert_false(drives("RenderBasic", "EarlyDepthTestFails"));
    assert_true(drives("ComputeBasic", "EuThreadOccupancy"));
    assert_false(drives("ComputeL3Cache", "EuHybridFpu0Instruction"));
    assert_false(drives("Sampler", "GTRequestQueueFull"));
    assert_null(oa_unit_source(oa_set_find("RenderBasic"), 'A', 13));
    assert_string_equal(oa_unit_source(oa_set_find("L3_1"), 'C', 7),
                        "lines served by bank 1, one a cycle");
}

static void the_device_is_the_configuration_s(void **state)
{
    struct oa_recording_info info;
    struct igpu_config config;

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "kbl-gt3e", NULL), IGPU_OK);
    oa_unit_info(&config, oa_set_find("L3_1"), &info);
    assert_int_equal(info.device.eus, 48);
    assert_int_equal(info.device.slice_mask, 3);
    assert_int_equal(info.device.subslice_mask, 077);
    assert_string_equal(info.set, "L3_1");
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    oa_unit_info(&config, oa_set_find("L3_1"), &info);
    assert_int_equal(info.device.eus, 24);
    assert_int_equal(info.device.subslice_mask, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_stamp_ticks_at_12_mhz),
        cmocka_unit_test(the_timer_is_at_the_first_cycle_of_each_period),
        cmocka_unit_test(a_time_gives_the_nearest_exponent),
        cmocka_unit_test(sets_choose_their_counters),
        cmocka_unit_test(the_test_set_counts_its_shares),
        cmocka_unit_test(what_is_not_simulated_is_told),
        cmocka_unit_test(the_device_is_the_configuration_s),
    };

    return cmocka_run_group_tests_name("oa_unit", tests, NULL, NULL);
}
