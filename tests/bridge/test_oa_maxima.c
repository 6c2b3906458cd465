/* test_oa_maxima.c - no metric of any set is above the greatest value that Intel gives
 * for it, of no launch and no interval of 10 us, on the samples or on the traces named.
 *   build/tests/bridge/test_oa_maxima [TRACE.pb...]
 * AvgGpuCoreFrequency divides by a time in ticks: it may be above by one tick and ns.
 * For three metrics Intel gives 64 B a clock and slice, though the L3 gives each
 * subslice that much (docs/contract/oa.md): they must keep to the ports' and banks' own
 * rates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "bridge/host/sim/sim.h"
#include "igpu/oa_unit.h"
#include "igpu/ref.h"

enum { MOST_METRICS = 64, EXPONENT_10US = 6 };

static char **files;
static size_t file_count;

struct watcher {
    const struct igpu_config *config;
    const char *file;
    struct igpu_sample begin, last;
    uint64_t compared, exceeded, above_zero;
    double nearest; /* to its maximum */
};

static uint64_t next(void *ctx, uint64_t from)
{
    const struct watcher *w = ctx;

    return oa_timer_next(EXPONENT_10US, w->config->gpu_clock_hz, from);
}

/* The greatest value; that of a slice where it should be of what works side by side. */
static double maximum(const struct watcher *w, const struct oa_metric *m,
                      const struct oa_value *v, uint64_t ticks)
{
    double slices = (double)w->config->gpu_slices;

    if (strcmp(m->symbol, "AvgGpuCoreFrequency") == 0)
        return v->maximum * (double)(ticks + 1) / ((double)ticks - 1.0 / 83);
    if (strcmp(m->symbol, "UntypedBytesRead") == 0 ||
        strcmp(m->symbol, "UntypedBytesWritten") == 0)
        return v->maximum / slices * (double)w->config->gpu_subslices;
    if (strcmp(m->symbol, "L3TotalThroughput") == 0)
        return v->maximum * (double)w->config->l3_banks;
    return v->maximum;
}

static void check_value(struct watcher *w, const struct oa_set *set, uint32_t i,
                        const struct oa_value *v, uint64_t ticks)
{
    const struct oa_metric *m = oa_set_metric(set, i);
    double most;

    if (!v->available || !v->has_maximum)
        return;
    most = maximum(w, m, v, ticks) * (1 + 1e-9);
    if (most > 0 && v->number / most > w->nearest)
        w->nearest = v->number / most;
    w->compared++;
    w->above_zero += v->number > 0;
    if (v->number <= most)
        return;
    w->exceeded++;
    print_error("%s: %s %s: %g, at most %g\n", w->file, set->symbol, m->symbol,
                v->number, v->maximum);
}

static void check_interval(struct watcher *w, const struct igpu_sample *from,
                           const struct igpu_sample *to)
{
    struct oa_value value[MOST_METRICS];
    struct igpu_err err;
    uint32_t sets;
    const struct oa_set *set = oa_sets(&sets);

    for (uint32_t s = 0; s < sets && to->cycle > from->cycle; s++) {
        struct oa_counters a = {0}, b = {0}, sum = {0};
        uint8_t x[256], y[256];
        struct oa_recording_info info;

        assert_true(set[s].count <= MOST_METRICS);
        oa_unit_info(w->config, &set[s], &info);
        oa_unit_read(&set[s], w->config, from, &a);
        oa_unit_read(&set[s], w->config, to, &b);
        oa_report_write(info.format, &a, x);
        oa_report_write(info.format, &b, y);
        oa_report_read(info.format, x, &a);
        oa_report_read(info.format, y, &b);
        oa_report_add(info.format, &a, &b, &sum);
        if (sum.timestamp == 0)
            continue;
        assert_int_equal(oa_set_evaluate(&set[s], &info.device, &sum, value, &err),
                         IGPU_OK);
        for (uint32_t i = 0; i < set[s].count; i++)
            check_value(w, &set[s], i, &value[i], sum.timestamp);
    }
}

static void take(void *ctx, enum sim_sample_kind kind, const struct igpu_sample *sample)
{
    struct watcher *w = ctx;

    if (kind != SIM_SAMPLE_BEGIN)
        check_interval(w, &w->last, sample);
    else
        w->begin = *sample;
    if (kind == SIM_SAMPLE_END)
        check_interval(w, &w->begin, sample);
    w->last = *sample;
}

static void simulate(struct watcher *w)
{
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = w->config,
                                  .host_threads = 1,
                                  .sampler = {{w, next, take}},
                                  .kinds = true,
                                  .samplers = 1};
    struct igpu_err err = {.text = ""};
    struct trace_reader *reader = trace_open(w->file, NULL, &err);
    enum sim_state state;
    struct sim *sim;

    if (reader == NULL)
        fail_msg("%s", err.text);
    options.last_launch = trace_summary(reader)->launches - 1;
    if (sim_create(&sim, reader, &options, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    assert_int_equal(state, SIM_DONE);
    sim_destroy(sim);
    trace_close(reader);
}

static void no_metric_is_above_its_maximum(void **state)
{
    struct igpu_config config;
    struct watcher w = {.config = &config};

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    for (size_t i = 0; i < file_count; i++) {
        w.file = files[i];
        w.last.cycle = 0;
        simulate(&w);
    }
    printf("%zu traces, %llu values of bounded metrics, %llu above 0, %llu above their "
           "maximum; nearest %.2f %%\n",
           file_count, (unsigned long long)w.compared, (unsigned long long)w.above_zero,
           (unsigned long long)w.exceeded, w.nearest * 100);
    assert_true(w.above_zero > 100 && w.nearest > 0.9);
    assert_int_equal(w.exceeded, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_metric_is_above_its_maximum),
    };
    glob_t found = {0};
    int status;

    if (argc == 1 && glob("traces/samples/*.pb", 0, NULL, &found) == 0) {
        files = found.gl_pathv;
        file_count = found.gl_pathc;
    } else {
        files = argv + 1;
        file_count = (size_t)argc - 1;
    }
    status = cmocka_run_group_tests_name("oa_maxima", tests, NULL, NULL);
    globfree(&found);
    return status;
}
