/* oa_stream.c - see oa_stream.h. */
#include "bridge/host/sim/oa_stream.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/output.h"

enum { REPORT_BYTES = 256, BLOCK_REPORTS = 256 };

struct entry {
    uint32_t launch;
    bool behind;
    uint64_t ticks, cycle;
};

struct oa_stream {
    struct igpu_config config;
    struct oa_stream_options options;
    struct oa_recording_info info;
    const uint8_t **report; /* into blocks */
    struct entry *entry;
    uint32_t count, capacity;
    struct oa_counters last; /* at the latest launch's end */
    uint32_t last_launch, context;
    bool begun, out_of_memory;
    /* Of oa_stream_continue(): of all sims before this one. */
    struct igpu_sample before, now; /* now: with this one, at the latest sample */
    uint64_t offset;                /* of this sim's cycles */
    uint32_t launches, owner;       /* owner: its context; 0: the samples say */
    bool apart;                     /* time up to its begin has passed without a sim */
};

enum igpu_status oa_stream_create(struct oa_stream **stream,
                                  const struct igpu_config *config,
                                  const struct oa_stream_options *options,
                                  struct igpu_err *err)
{
    *stream = NULL;
    if (config->gpu_subslices % config->gpu_slices != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "OA reports need slices that are alike: gpu.subslices=%llu is "
                         "no multiple of gpu.slices=%llu",
                         (unsigned long long)config->gpu_subslices,
                         (unsigned long long)config->gpu_slices);
    *stream = calloc(1, sizeof(**stream));
    if (*stream == NULL)
        return igpu_no_memory(err, "OA reports");
    (*stream)->config = *config;
    (*stream)->options = *options;
    oa_unit_info(config, options->set, &(*stream)->info);
    return IGPU_OK;
}

void oa_stream_destroy(struct oa_stream *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->count; i += BLOCK_REPORTS)
        free((void *)s->report[i]);
    free((void *)s->report);
    free(s->entry);
    free(s);
}

/* ---- reports --------------------------------------------------------------- */

static bool reports_grow(struct oa_stream *s)
{
    size_t capacity = (size_t)s->capacity + BLOCK_REPORTS;
    uint8_t *block = malloc((size_t)BLOCK_REPORTS * REPORT_BYTES);

    if (block == NULL || !IGPU_RESIZE(s->report, capacity) ||
        !IGPU_RESIZE(s->entry, capacity)) {
        free(block);
        return false;
    }
    for (uint32_t i = 0; i < BLOCK_REPORTS; i++)
        s->report[s->capacity + i] = block + (size_t)i * REPORT_BYTES;
    s->capacity += BLOCK_REPORTS;
    return true;
}

static void interval_add(struct oa_stream *s, const struct oa_counters *counters,
                         uint32_t launch, bool behind)
{
    if (s->out_of_memory || (s->count == s->capacity && !reports_grow(s))) {
        s->out_of_memory = true;
        return;
    }
    oa_report_write(OA_A32U40_A4U32_B8_C8, counters, (uint8_t *)s->report[s->count]);
    s->entry[s->count++] =
        (struct entry){launch, behind, counters->timestamp, counters->clocks};
}

static uint64_t on_next(void *ctx, uint64_t from)
{
    const struct oa_stream *s = ctx;

    return oa_timer_next(s->options.exponent, s->config.gpu_clock_hz,
                         from + s->offset) -
           s->offset;
}

/* MI_REPORT_PERF_COUNT's dword is the command's own: the launch, twice, with the bit of
 * a valid context in the one before it alone. Readers then take the two as the borders
 * of that context's time. */
static uint32_t command_id(uint32_t launch, bool behind)
{
    return (2 * launch + behind) % OA_CONTEXT_VALID |
           (behind ? 0 : (uint32_t)OA_CONTEXT_VALID);
}

static void on_begin(struct oa_stream *s, struct oa_counters *now, uint32_t launch)
{
    bool other = !s->begun || now->context != s->context;

    s->begun = true;
    s->context = now->context;
    now->report_id = s->options.reporting == OA_PER_LAUNCH
                         ? command_id(launch, false)
                         : (uint32_t)OA_REASON_CONTEXT_SWITCH | OA_CONTEXT_VALID;
    if (other || s->options.reporting == OA_PER_LAUNCH)
        interval_add(s, now, launch, false);
}

static void launch_end(struct oa_stream *s, struct oa_counters *now, uint32_t launch)
{
    s->last = *now;
    s->last_launch = launch;
    now->report_id = command_id(launch, true);
    if (s->options.reporting == OA_PER_LAUNCH)
        interval_add(s, now, launch, true);
}

/* Counters are 64 bits wide and lie one behind the other. */
static void sum(uint64_t *to, const uint64_t *what, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*to); i++)
        to[i] += what[i];
}

/* The sample in the stream's time, with what the sims before have counted. */
static void go_on(struct oa_stream *s, const struct igpu_sample *sample)
{
    s->now = *sample;
    s->now.cycle += s->offset;
    s->now.busy += s->before.busy;
    s->now.launch += s->launches;
    if (s->owner != 0)
        s->now.context = s->owner;
    sum((uint64_t *)&s->now.eu, (const uint64_t *)&s->before.eu, sizeof(s->now.eu));
    sum((uint64_t *)&s->now.mem, (const uint64_t *)&s->before.mem, sizeof(s->now.mem));
}

static void add_timer(struct oa_stream *s, const struct igpu_sample *sample)
{
    struct oa_counters now = {.report_id = (uint32_t)OA_REASON_TIMER | OA_CONTEXT_VALID,
                              .context = (uint32_t)sample->context};

    oa_unit_read(s->options.set, &s->config, sample, &now);
    interval_add(s, &now, (uint32_t)sample->launch, false);
}

/* From one sim's end to the next one's begin nothing but time goes on. */
static void pass_time(struct oa_stream *s, uint64_t until)
{
    struct igpu_sample rest = s->before;

    while (s->options.reporting == OA_EVERY) {
        rest.cycle =
            oa_timer_next(s->options.exponent, s->config.gpu_clock_hz, rest.cycle + 1);
        if (rest.cycle >= until)
            return;
        add_timer(s, &rest);
    }
}

void oa_stream_continue(struct oa_stream *s, uint32_t context, uint64_t start)
{
    s->owner = context;
    if (!s->begun)
        return;
    s->before = s->now;
    s->launches = (uint32_t)s->now.launch + 1;
    if (start + s->offset < s->now.cycle)
        s->offset = s->now.cycle - start;
    s->apart = true;
}

static void on_take(void *ctx, enum sim_sample_kind kind,
                    const struct igpu_sample *sample)
{
    struct oa_stream *s = ctx;
    struct oa_counters now = {0};
    uint32_t launch;

    if (kind == SIM_SAMPLE_BEGIN && s->apart)
        pass_time(s, sample->cycle + s->offset);
    s->apart = false;
    go_on(s, sample);
    launch = (uint32_t)s->now.launch;
    now.context = (uint32_t)s->now.context;
    oa_unit_read(s->options.set, &s->config, &s->now, &now);
    switch (kind) {
    case SIM_SAMPLE_BEGIN:
        on_begin(s, &now, launch);
        break;
    case SIM_SAMPLE_END:
        launch_end(s, &now, launch);
        break;
    case SIM_SAMPLE_GRID:
        add_timer(s, &s->now);
        break;
    }
}

struct sim_sampler oa_stream_sampler(struct oa_stream *s)
{
    return (struct sim_sampler){s, s->options.reporting == OA_EVERY ? on_next : NULL,
                                on_take};
}

/* The context leaves: a switch to none. */
enum igpu_status oa_stream_finish(struct oa_stream *s, struct igpu_err *err)
{
    if (s->begun && s->options.reporting != OA_PER_LAUNCH) {
        s->last.report_id = OA_REASON_CONTEXT_SWITCH;
        interval_add(s, &s->last, s->last_launch, true);
    }
    return s->out_of_memory
               ? igpu_fail(err, IGPU_NO_MEMORY,
                           "OA reports: out of memory after %u; use a longer interval",
                           s->count)
               : IGPU_OK;
}

/* ---- looking --------------------------------------------------------------- */

const uint8_t *const *oa_stream_reports(const struct oa_stream *s, uint32_t *count)
{
    *count = s->count;
    return s->report;
}

uint32_t oa_stream_launch(const struct oa_stream *s, uint32_t index, bool *behind)
{
    *behind = s->entry[index].behind;
    return s->entry[index].launch;
}

uint64_t oa_stream_cycle(const struct oa_stream *s, uint32_t index)
{
    return s->entry[index].cycle;
}

const struct oa_recording_info *oa_stream_info(const struct oa_stream *s)
{
    return &s->info;
}

static uint64_t nanoseconds(uint64_t ticks)
{
    return ticks * 250 / (OA_TIMESTAMP_HZ / 4000000);
}

/* Both clocks at the first and the last report: the host's is the simulated time. */
static void write_recording(FILE *out, void *ctx)
{
    const struct oa_stream *s = ctx;
    struct oa_counters counters;

    oa_recording_begin(out, &s->info);
    if (s->count == 0)
        return;
    oa_recording_correlate(out, nanoseconds(s->entry[0].ticks), s->entry[0].ticks);
    for (uint32_t i = 0; i < s->count; i++) {
        oa_report_read(OA_A32U40_A4U32_B8_C8, s->report[i], &counters);
        oa_recording_report(out, &s->info, &counters);
    }
    oa_recording_correlate(out, nanoseconds(s->entry[s->count - 1].ticks + 1),
                           s->entry[s->count - 1].ticks + 1);
}

enum igpu_status oa_stream_write(const struct oa_stream *s, const char *path,
                                 struct igpu_err *err)
{
    return igpu_output_put(path, write_recording, (void *)s, err);
}

enum igpu_status oa_stream_compare(const struct oa_stream *a, const struct oa_stream *b,
                                   struct igpu_err *err)
{
    uint32_t count = a->count < b->count ? a->count : b->count;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < REPORT_BYTES; k++)
            if (a->report[i][k] != b->report[i][k])
                return igpu_fail(err, IGPU_SIM_ERROR,
                                 "engines differ in OA report %u (launch %u), byte %u: "
                                 "%u and %u",
                                 i, a->entry[i].launch, k, a->report[i][k],
                                 b->report[i][k]);
    if (a->count != b->count)
        return igpu_fail(err, IGPU_SIM_ERROR, "engines made %u and %u OA reports",
                         a->count, b->count);
    return IGPU_OK;
}
