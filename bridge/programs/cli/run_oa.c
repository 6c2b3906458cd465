/* run_oa.c - see run_oa.h. */
#include "bridge/programs/cli/run_oa.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum igpu_status run_oa_create(const struct run_options *o, struct oa_stream **stream,
                               struct sim_options *so, struct igpu_err *err)
{
    enum igpu_status status;

    if (o->stream.set == NULL)
        return IGPU_OK;
    status = oa_stream_create(stream, &o->config, &o->stream, err);
    if (status == IGPU_OK)
        so->sampler[so->samplers++] = oa_stream_sampler(*stream);
    so->kinds |= oa_unit_kinds(o->stream.set);
    return status;
}

enum igpu_status run_oa_end(const struct run_options *o, struct oa_stream *stream,
                            struct oa_stream *second, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (stream != NULL)
        status = oa_stream_finish(stream, err);
    if (status == IGPU_OK && second != NULL) {
        status = oa_stream_finish(second, err);
        if (status == IGPU_OK)
            status = oa_stream_compare(stream, second, err);
    }
    if (status == IGPU_OK && o->oa != NULL)
        status = oa_stream_write(stream, o->oa, err);
    return status;
}

/* ---- counter tracks -------------------------------------------------------- */

/* A value of the interval as a track shows it; false: it has none. */
static bool track_value(const struct oa_set *set, uint32_t i, const struct oa_value *v,
                        double seconds, char *name, size_t size, double *value)
{
    const struct oa_metric *m = oa_set_metric(set, i);
    bool bytes = strcmp(m->unit, "bytes") == 0;

    if (!v->available || !oa_unit_drives(set, i) ||
        (!bytes && strcmp(m->unit, "percent") != 0))
        return false;
    (void)snprintf(name, size, "%s (%s)", m->symbol, bytes ? "GB/s" : "%");
    *value = bytes ? v->number / seconds * 1e-9 : v->number;
    return true;
}

static void tracks(const struct oa_stream *stream, uint32_t report,
                   const struct oa_set *set, const struct oa_value *value, bool last,
                   struct timeline *timeline)
{
    uint64_t from = oa_stream_cycle(stream, report);
    uint64_t to = oa_stream_cycle(stream, report + 1);
    double hz = (double)oa_stream_info(stream)->device.max_hz, number;
    char name[80];

    for (uint32_t i = 0; i < set->count && to > from; i++) {
        if (!track_value(set, i, &value[i], (double)(to - from) / hz, name,
                         sizeof(name), &number))
            continue;
        timeline_counter(timeline, name, from, number);
        if (last)
            timeline_counter(timeline, name, to, 0);
    }
}

enum igpu_status run_oa_timeline(const struct oa_stream *stream,
                                 struct timeline *timeline, struct igpu_err *err)
{
    const struct oa_recording_info *info;
    const struct oa_set *set;
    const uint8_t *const *report;
    struct oa_value *value;
    uint32_t count;
    enum igpu_status status = IGPU_OK;

    if (stream == NULL)
        return IGPU_OK;
    info = oa_stream_info(stream);
    set = oa_set_find(info->set);
    report = oa_stream_reports(stream, &count);
    value = calloc(set->count, sizeof(*value));
    if (value == NULL)
        return igpu_no_memory(err, "OA reports");
    for (uint32_t i = 0; status == IGPU_OK && i + 1 < count; i++) {
        struct oa_counters from, to, sum = {0};

        oa_report_read(info->format, report[i], &from);
        oa_report_read(info->format, report[i + 1], &to);
        oa_report_add(info->format, &from, &to, &sum);
        status = oa_set_evaluate(set, &info->device, &sum, value, err);
        if (status == IGPU_OK)
            tracks(stream, i, set, value, i + 2 == count, timeline);
    }
    free(value);
    return status;
}

/* ---- text ------------------------------------------------------------------ */

enum igpu_status run_oa_print(const struct run_options *o,
                              const struct oa_stream *stream,
                              struct trace_reader *reader, struct igpu_err *err)
{
    uint32_t count;

    if (stream == NULL)
        return IGPU_OK;
    (void)oa_stream_reports(stream, &count);
    printf("OA reports    %" PRIu32 "%s", count, o->check ? ", equal in both" : "");
    if (o->every != NULL)
        printf(", one every %g us (exponent %" PRIu32 ")",
               oa_timer_seconds(o->stream.exponent) * 1e6, o->stream.exponent);
    putchar('\n');
    if (o->counters == NULL)
        return IGPU_OK;
    printf("\n%s\n", o->counters);
    return oa_print_stream(stdout, stream, reader, o->stream.reporting, OA_TEXT, err);
}
