/* test_mem_cpu.c - the CPU agents: latency of each level, closed-loop work beside the
 * GPU, inclusion, address traces, and the texts that configure them.
 * tests/run: slow turn=0of3 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/scatter.h"
#include "igpu/cpu.h"
#include "tests/csim/mem_driver.h"

static struct igpu_config config;

static void preset(const char *name, const char *agent)
{
    struct igpu_err err;

    assert_int_equal(igpu_config_preset(&config, name, &err), IGPU_OK);
    if (cpu_agent_set(&config, agent, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static double alone_ns(const char *name, const char *agent, struct mem_stats *stats)
{
    struct igpu_err err;
    uint64_t ps, laps, accesses;

    preset(name, agent);
    laps = config.cpu_ws / 64; /* 8 MB are warm after one lap, more than that never */
    laps = laps > 140000 ? 140000 : laps;
    accesses = laps > 40000 ? 40000 : laps;
    if (cpu_run_alone(&config, NULL, 0, laps, accesses, stats, &ps, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    assert_true(stats->cpu_requests >= accesses);
    return (double)stats->cpu_latency_ns_sum / 1e3 / (double)stats->cpu_requests;
}

static void a_chase_takes_what_the_sum_of_its_level_says(void **unused)
{
    struct mem_stats stats;
    double l1, l2;

    (void)unused;
    l1 = alone_ns("skl-gt2", "chase:16K", &stats);
    l2 = alone_ns("skl-gt2", "chase:128K", &stats);
    assert_true(fabs(l1 - 4 / 4.2) < 0.01);
    assert_true(fabs(l2 - 12 / 4.2) < 0.05);
    assert_int_equal(stats.cpu_llc_hits + stats.cpu_llc_misses, 0);
}

static void the_measured_levels_come_out(void **unused)
{
    static const struct {
        const char *preset, *agent;
        double ns, within;
    } point[] = {{"skl-gt2", "chase:4M", 10, 0.05},
                 {"skl-gt2", "chase:256M", 73, 0.05},
                 {"kbl-gt3e", "chase:2M", 10, 0.1},
                 {"kbl-gt3e", "chase:8M", 48, 0.05},
                 {"kbl-gt3e", "chase:256M", 83, 0.1}};
    struct mem_stats stats;

    (void)unused;
    for (unsigned i = 0; i < sizeof(point) / sizeof(point[0]); i++) {
        double ns = alone_ns(point[i].preset, point[i].agent, &stats);

        print_message("%s %s: %.1f ns, measured %.0f\n", point[i].preset,
                      point[i].agent, ns, point[i].ns);
        assert_true(fabs(ns / point[i].ns - 1) <= point[i].within);
    }
}

static void the_clock_of_the_cpu_moves_its_part_only(void **unused)
{
    struct mem_stats stats;
    struct igpu_err err;
    uint64_t ps;
    double fast = alone_ns("skl-gt2", "chase:4M", &stats), slow;

    (void)unused;
    assert_int_equal(igpu_config_set(&config, "cpu.clock_hz=2100000000", &err),
                     IGPU_OK);
    assert_int_equal(cpu_run_alone(&config, NULL, 0, 65536, 40000, &stats, &ps, &err),
                     IGPU_OK);
    slow = (double)stats.cpu_latency_ns_sum / 1e3 / (double)stats.cpu_requests;
    assert_true(fabs(slow - fast - 12 / 4.2) < 0.2); /* 12 cycles twice as long */
}

/* Answers of the GPU, its counters and those of the agent do not depend on how the
 * host cuts time. */
static void windows_change_nothing(void **unused)
{
    static const char *const agent[] = {"chase:8M", "stream:2M"};
    struct drive_chase c = {1 << 20, 20, 35, 300, 0, 7, 0};
    struct drive_result a, b;

    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        preset("skl-gt2", agent[i]);
        c.window = 0;
        drive_chase(&config, &c, &a);
        c.window = 5;
        drive_chase(&config, &c, &b);
        assert_int_equal(a.cycles, b.cycles);
        assert_true(a.step_ns > 100 && a.stats.cpu_requests > 1000);
    }
}

/* 9 MB go around an LLC of 8 MB with 2 MB pages: when all threads begin a lap together
 * few lines are there again; threads on their own let some of them find theirs. */
static void threads_of_a_stream_meet(void **unused)
{
    struct mem_stats stats;
    struct igpu_err err;
    double hits[2];
    uint64_t ps;

    (void)unused;
    for (uint64_t meet = 0; meet < 2; meet++) {
        preset("skl-gt2", "stream:9M");
        config.cpu_stream_small = 0;
        config.cpu_meet = meet;
        assert_int_equal(
            cpu_run_alone(&config, NULL, 0, 300000, 300000, &stats, &ps, &err),
            IGPU_OK);
        hits[meet] = (double)stats.cpu_llc_hits / (double)stats.cpu_requests;
        print_message("meet %d: %.3f hits\n", (int)meet, hits[meet]);
    }
    assert_true(hits[1] < 0.4 && hits[1] < hits[0] - 0.2);
}

/* An agent that begins with the second launch takes no part in the first. */
static void an_agent_begins_with_its_launch(void **unused)
{
    struct drive_chase c = {1 << 20, 1, 35, 300, 0, 7, 0};
    struct drive_result r;

    (void)unused;
    preset("skl-gt2", "chase:8M");
    config.cpu_start = 2;
    drive_chase(&config, &c, &r);
    assert_int_equal(r.stats.cpu_requests, 0);
    config.cpu_start = 1;
    drive_chase(&config, &c, &r);
    assert_true(r.stats.cpu_requests > 1000);
}

/* The GPU's L3 shares no line with a core and the LLC does not include it: a chase in
 * the L3 takes as long, with the same hits, beside cores that fill the LLC. */
static void the_l3_keeps_its_lines_whatever_a_core_does(void **unused)
{
    struct drive_chase c = {128 << 10, 1, 35, 8000, 0, 7, 0};
    struct drive_result alone, beside;

    (void)unused;
    preset("skl-gt2", "none");
    drive_chase(&config, &c, &alone);
    preset("skl-gt2", "stream:9M");
    drive_chase(&config, &c, &beside);
    assert_true(beside.stats.cpu_llc_misses > 40000);
    assert_int_equal(alone.stats.l3_misses, c.region_bytes / 64);
    assert_int_equal(beside.stats.l3_misses, alone.stats.l3_misses);
    assert_int_equal(beside.stats.l3_hits, alone.stats.l3_hits);
    assert_int_equal(beside.cycles, alone.cycles);
}

static void an_evicted_line_leaves_the_core(void **unused)
{
    /* 128 KB fits in the L2, which hides it from the LLC's replacement; a GPU whose
     * lines fill the LLC drives it out of both. */
    struct drive_chase c = {32 << 20, 100, 35, 3000, 1, 7, 0};
    struct drive_result r;

    (void)unused;
    preset("skl-gt2", "chase:128K");
    config.llc_size = 1 << 20;
    drive_chase(&config, &c, &r);
    assert_true(r.stats.cpu_back_invalidated > 100);
    assert_true(r.stats.cpu_llc_misses > 100);
}

static void a_trace_of_addresses_is_obeyed(void **unused)
{
    /* Two lines, the second one modified, then one that depends on both; the gap of
     * the first keeps laps apart. */
    static const struct cpu_access list[] = {{0x10000, 42000, false, false},
                                             {0x20000, 0, true, false},
                                             {0x30000, 0, false, true}};
    struct mem_stats stats;
    struct igpu_err err;
    uint64_t ps;

    (void)unused;
    preset("skl-gt2", "trace");
    config.cpu_adjacent = 0;
    assert_int_equal(cpu_run_alone(&config, list, 3, 0, 3000, &stats, &ps, &err),
                     IGPU_OK);
    assert_int_equal(stats.cpu_llc_misses, 3);
    assert_int_equal(stats.cpu_l1_hits, stats.cpu_requests - 3);
    /* A lap: 42,000 cycles of 4.2 GHz; the dependent access waits for nothing more. */
    assert_true(ps / (stats.cpu_requests / 3) >= 9900000);
    assert_true(ps / (stats.cpu_requests / 3) <= 10100000);
}

static void modified_lines_come_back_to_memory(void **unused)
{
    static struct cpu_access list[40000];
    struct mem_stats stats;
    struct igpu_err err;
    uint64_t ps;

    (void)unused;
    preset("skl-gt2", "trace");
    config.llc_size = 1 << 20;
    for (unsigned i = 0; i < 40000; i++)
        list[i] = (struct cpu_access){(uint64_t)i * 64, 0, true, false};
    assert_int_equal(cpu_run_alone(&config, list, 40000, 0, 200000, &stats, &ps, &err),
                     IGPU_OK);
    assert_true(stats.cpu_writebacks > 150000);
    assert_true(stats.dram_writes > 150000);
}

static void texts_are_read_or_refused(void **unused)
{
    static const char *const bad[] = {"chase",        "chase:",  "chase:x",
                                      "stream:1M:99", "walk:1M", ""};
    struct igpu_err err;

    (void)unused;
    preset("skl-gt2", "stream:8M:2");
    assert_int_equal(config.cpu_agent, CPU_STREAM);
    assert_int_equal(config.cpu_ws, 8 << 20);
    assert_int_equal(config.cpu_threads, 2);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(cpu_agent_set(&config, bad[i], &err), IGPU_USAGE);
    assert_int_equal(config.cpu_threads, 2);
    preset("skl-gt2", "none");
    assert_int_equal(cpu_run_alone(&config, NULL, 0, 1, 1, NULL, NULL, &err),
                     IGPU_USAGE);
}

static enum igpu_status read_text(const char *text, struct cpu_access **list,
                                  uint32_t *count, struct igpu_err *err)
{
    const char *folder = getenv("IGPU_TMP");
    char path[512];
    FILE *out;

    (void)snprintf(path, sizeof(path), "%s/cpu.txt", folder != NULL ? folder : ".");
    out = fopen(path, "w");
    assert_non_null(out);
    (void)fputs(text, out);
    (void)fclose(out);
    return cpu_trace_read(path, list, count, err);
}

static void files_are_read_or_refused(void **unused)
{
    static const char *const bad[] = {"",
                                      "# nothing\n",
                                      "R\n",
                                      "X 0x1\n",
                                      "R 0x1 2 3\n",
                                      "R0x10\n",
                                      "R -1\n",
                                      "R 99999999999999999\n",
                                      "1 2 3 4\n",
                                      "0x1000 X\n",
                                      "12\n",
                                      "0x1000 R 5\n"};
    struct cpu_access *list;
    struct igpu_err err;
    uint32_t count;

    (void)unused;
    assert_int_equal(
        read_text("# lap\nR 0x1000 4\n\n W 64\nD 128 # end\n", &list, &count, &err),
        IGPU_OK);
    assert_int_equal(count, 3);
    assert_true(list[0].addr == 0x1000 && list[0].gap == 4 && !list[0].write);
    assert_true(list[1].write && list[2].dependent && list[2].addr == 128);
    free(list);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(read_text(bad[i], &list, &count, &err), IGPU_BAD_INPUT);
        assert_null(list);
    }
    assert_int_equal(cpu_trace_read("/nonexistent/file", &list, &count, &err),
                     IGPU_BAD_INPUT);
}

/* Of a process of 64 bits, with its stack at the top: parts above the agent's memory
 * move as wholes, to where nothing is. */
static void addresses_of_a_process_keep_their_places_in_a_part(void **unused)
{
    static const char many[] = "R 0x100000000000\nR 0x200000000000\n";
    const uint64_t part = UINT64_C(1) << 40;
    struct cpu_access *list;
    struct igpu_err err;
    uint32_t count;
    char text[2048] = "";

    (void)unused;
    assert_int_equal(
        read_text("R 0x7ffd12345680 3\nW 0x7ffd12345680\nR 0x55d2c0a81040 5\n"
                  "R 0x7ffd12349740\nR 0x14c2a80\nR 0xf0000000000\n",
                  &list, &count, &err),
        IGPU_OK);
    assert_int_equal(count, 6);
    for (unsigned i = 0; i < count; i++)
        assert_true(list[i].addr < part << 4);
    assert_true(list[0].addr == list[1].addr && list[0].gap == 3 && list[1].write);
    assert_true(list[3].addr - list[0].addr == 0x9740 - 0x5680);
    assert_true(list[0].addr % part == UINT64_C(0xfd12345680));
    assert_true(list[2].addr % part == UINT64_C(0xd2c0a81040));
    assert_true(list[4].addr == 0x14c2a80 && list[5].addr == UINT64_C(0xf0000000000));
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < i; k++) /* parts stay apart */
            assert_true((i <= 3 && k <= 3 && i != 2 && k != 2) ||
                        list[i].addr / part != list[k].addr / part);
    free(list);
    for (unsigned i = 0; i < 16; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
                       "R 0x%x%010x\n", i, i);
    assert_int_equal(read_text(text, &list, &count, &err),
                     IGPU_OK); /* all are in use */
    free(list);
    (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s", many);
    assert_int_equal(read_text(text, &list, &count, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "in more than 16 parts of 1 TB"));
}

static void lines_of_ramulators_are_read(void **unused)
{
    struct cpu_access *list;
    struct igpu_err err;
    uint32_t count;

    (void)unused;
    assert_int_equal(read_text("0x12345680 R\n0x4cbd56c0 W\n3 20734016\n9 4096 8192\n",
                               &list, &count, &err),
                     IGPU_OK);
    assert_int_equal(count, 5);
    assert_true(list[0].addr == 0x12345680 && !list[0].write && list[0].gap == 0);
    assert_true(list[1].addr == 0x4cbd56c0 && list[1].write);
    assert_true(list[2].addr == 20734016 && list[2].gap == 1 && !list[2].write);
    assert_true(list[3].addr == 4096 && list[3].gap == 3 && !list[3].write);
    assert_true(list[4].addr == 8192 && list[4].gap == 0 && list[4].write);
    free(list);
}

static void a_chase_visits_every_line_once_a_lap(void **unused)
{
    static uint8_t seen[3000];

    (void)unused;
    for (uint64_t i = 0; i < 3000; i++)
        seen[scatter_below(i, 3000, 5)]++;
    for (unsigned i = 0; i < 3000; i++)
        assert_int_equal(seen[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_takes_what_the_sum_of_its_level_says),
        cmocka_unit_test(the_measured_levels_come_out),
        cmocka_unit_test(the_clock_of_the_cpu_moves_its_part_only),
        cmocka_unit_test(windows_change_nothing),
        cmocka_unit_test(threads_of_a_stream_meet),
        cmocka_unit_test(an_agent_begins_with_its_launch),
        cmocka_unit_test(the_l3_keeps_its_lines_whatever_a_core_does),
        cmocka_unit_test(an_evicted_line_leaves_the_core),
        cmocka_unit_test(a_trace_of_addresses_is_obeyed),
        cmocka_unit_test(modified_lines_come_back_to_memory),
        cmocka_unit_test(texts_are_read_or_refused),
        cmocka_unit_test(files_are_read_or_refused),
        cmocka_unit_test(addresses_of_a_process_keep_their_places_in_a_part),
        cmocka_unit_test(lines_of_ramulators_are_read),
        cmocka_unit_test(a_chase_visits_every_line_once_a_lap)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
