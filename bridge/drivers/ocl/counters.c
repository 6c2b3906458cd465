/* counters.c - see counters.h. */
#include "bridge/drivers/ocl/counters.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/setting.h"
#include "bridge/host/sim/oa_stream.h"

/* The recording of this process. */
static struct {
    struct oa_stream *stream;
    bool refused; /* a wrong setting was told */
} recording;

static void counters_forget(void)
{
    recording.stream = NULL; /* the parent's */
}

static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(NULL, NULL, counters_forget);
}

static const struct oa_set *default_set(void)
{
    const char *name = setting_text(SETTING_OA_SET);

    return oa_set_find(name != NULL ? name : "ComputeBasic");
}

const struct oa_set *counters_set(cl_uint configuration)
{
    uint32_t count;
    const struct oa_set *sets = oa_sets(&count);

    if (configuration == 0)
        return default_set();
    return configuration <= count ? &sets[configuration - 1] : NULL;
}

bool counters_on(const struct counters_launch *launch)
{
    return launch->set != NULL ||
           (setting_text(SETTING_OA) != NULL && !recording.refused);
}

/* ---- the recording --------------------------------------------------------- */

/* What is wrong with a setting is told once; launches go on without. */
static void open_recording(const struct igpu_config *config)
{
    struct igpu_err err;
    const char *every = setting_text(SETTING_OA_EVERY);
    struct oa_stream_options options = {.set = default_set()};
    enum igpu_status status = IGPU_OK;

    if (recording.stream != NULL || recording.refused ||
        setting_text(SETTING_OA) == NULL)
        return;
    options.reporting = every != NULL ? OA_EVERY : OA_WHOLE;
    if (options.set == NULL)
        status =
            igpu_fail(&err, IGPU_USAGE, "IGPU_OA_SET=%s: no metric set of this name",
                      setting_text(SETTING_OA_SET));
    if (status == IGPU_OK && every != NULL)
        status = oa_timer_parse(every, &options.exponent, &err);
    if (status == IGPU_OK)
        status = oa_stream_create(&recording.stream, config, &options, &err);
    recording.refused = status != IGPU_OK;
    if (recording.refused)
        fprintf(stderr, "vigpu: no recording of counters: %s\n", err.text);
}

/* After the device thread has stopped (sched.c). */
static void __attribute__((destructor(101))) close_recording(void)
{
    struct igpu_err err;
    enum igpu_status status;

    if (recording.stream == NULL)
        return;
    status = oa_stream_finish(recording.stream, &err);
    if (status == IGPU_OK)
        status = oa_stream_write(recording.stream, setting_text(SETTING_OA), &err);
    if (status != IGPU_OK)
        fprintf(stderr, "vigpu: IGPU_OA: %s\n", err.text);
    oa_stream_destroy(recording.stream);
    recording.stream = NULL;
}

/* ---- a launch's own report ------------------------------------------------- */

static void counters_take(void *ctx, enum sim_sample_kind kind,
                          const struct igpu_sample *sample)
{
    struct counters_launch *launch = ctx;

    if (kind == SIM_SAMPLE_BEGIN)
        launch->begin = *sample;
    else if (kind == SIM_SAMPLE_END)
        launch->end = *sample;
}

void counters_begin(struct counters_launch *launch, struct sim_options *options)
{
    open_recording(options->config);
    if (recording.stream != NULL) {
        oa_stream_continue(recording.stream, launch->context, options->start);
        options->sampler[options->samplers++] = oa_stream_sampler(recording.stream);
    }
    if (launch->set != NULL)
        options->sampler[options->samplers++] =
            (struct sim_sampler){launch, NULL, counters_take};
    options->kinds = (recording.stream != NULL && oa_unit_kinds(default_set())) ||
                     (launch->set != NULL && oa_unit_kinds(launch->set));
}

static void report_put(uint8_t *report, uint32_t at, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        report[at + i] = (uint8_t)(value >> 8 * i);
}

/* Offsets of the query report: time in ns and clocks; A, then B and C counters, 8 bytes
 * each; when it began; the clock; the report's id and how many there are of the queue's
 * kernel. */
enum {
    AT_TIME = 0,
    AT_CLOCKS = 8,
    AT_A = 0x10,
    AT_B = 0x130,
    AT_C = 0x170,
    AT_BEGIN = 0x1b0,
    AT_FREQUENCY = 0x208,
    AT_REPORTS = 0x214
};

static uint64_t nanoseconds(uint64_t ticks)
{
    return ticks / OA_TIMESTAMP_HZ * 1000000000 +
           ticks % OA_TIMESTAMP_HZ * 1000000000 / OA_TIMESTAMP_HZ;
}

static void write_report(const struct counters_launch *launch,
                         const struct igpu_config *config, uint8_t *report)
{
    struct oa_counters a = {0}, b = {0};

    oa_unit_read(launch->set, config, &launch->begin, &a);
    oa_unit_read(launch->set, config, &launch->end, &b);
    memset(report, 0, COUNTERS_REPORT_BYTES);
    report_put(report, AT_TIME, nanoseconds(b.timestamp - a.timestamp), 8);
    report_put(report, AT_CLOCKS, b.clocks - a.clocks, 8);
    for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
        report_put(report, AT_A + 8 * i, b.a[i] - a.a[i], 8);
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++)
        report_put(report, AT_B + 8 * i, b.b[i] - a.b[i], 8);
    for (uint32_t i = 0; i < OA_C_COUNTERS; i++)
        report_put(report, AT_C + 8 * i, b.c[i] - a.c[i], 8);
    report_put(report, AT_BEGIN, nanoseconds(a.timestamp), 8);
    report_put(report, AT_FREQUENCY, config->gpu_clock_hz, 8);
    report_put(report, AT_REPORTS, 1, 4);
}

enum igpu_status counters_end(struct counters_launch *launch,
                              const struct igpu_config *config, struct igpu_err *err)
{
    if (launch->set == NULL)
        return IGPU_OK;
    launch->report = malloc(COUNTERS_REPORT_BYTES);
    if (launch->report == NULL)
        return igpu_no_memory(err, "a report of counters");
    write_report(launch, config, launch->report);
    return IGPU_OK;
}
