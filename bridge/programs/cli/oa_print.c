/* oa_print.c - see oa_print.h. */
#include "bridge/programs/cli/oa_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/json.h"

struct printer {
    FILE *out;
    const struct oa_series *series;
    enum oa_style style;
    struct igpu_json json;
    struct oa_value *value;
    uint64_t begin_ns; /* of the next report, from the first on */
    uint32_t at;       /* report of that time */
};

enum igpu_status oa_style_parse(const char *text, enum oa_style *style,
                                struct igpu_err *err)
{
    static const char *const names[] = {"text", "json", "csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0) {
            *style = (enum oa_style)i;
            return IGPU_OK;
        }
    return igpu_fail(err, IGPU_USAGE, "--format %s: expected text, json or csv", text);
}

enum igpu_status oa_set_parse(const char *symbol, const struct oa_set **set,
                              struct igpu_err *err)
{
    *set = oa_set_find(symbol);
    if (*set == NULL)
        return igpu_fail(
            err, IGPU_USAGE,
            "%s: no metric set of this name; igpu counters --list shows all", symbol);
    return IGPU_OK;
}

/* ---- values ---------------------------------------------------------------- */

static void print_value(FILE *out, const struct oa_value *v)
{
    if (v->is_float)
        fprintf(out, "%.6f", v->number);
    else
        fprintf(out, "%" PRIu64, v->integer);
}

/* A metric that this device does not have is left out, or an empty column. */
static void print_text(struct printer *p)
{
    const struct oa_set *set = p->series->set;

    for (uint32_t i = 0; i < set->count; i++) {
        const struct oa_metric *m = oa_set_metric(set, i);

        if (!p->value[i].available)
            continue;
        fprintf(p->out, "%-28s ", m->symbol);
        print_value(p->out, &p->value[i]);
        fprintf(p->out, " %s\n", m->unit);
    }
}

static void print_csv(struct printer *p)
{
    const struct oa_set *set = p->series->set;

    for (uint32_t i = 0; i < set->count; i++) {
        if (i > 0)
            fputc(',', p->out);
        if (p->value[i].available)
            print_value(p->out, &p->value[i]);
    }
    fputc('\n', p->out);
}

static void print_json(struct printer *p)
{
    const struct oa_set *set = p->series->set;

    for (uint32_t i = 0; i < set->count; i++) {
        const char *key = oa_set_metric(set, i)->symbol;

        if (p->value[i].available && p->value[i].is_float)
            igpu_json_real(&p->json, key, p->value[i].number, 6);
        else if (p->value[i].available)
            igpu_json_u64(&p->json, key, p->value[i].integer);
    }
}

/* ---- intervals ------------------------------------------------------------- */

static void begin_output(struct printer *p)
{
    const struct oa_series *s = p->series;

    if (p->style == OA_CSV) {
        if (!s->single)
            fputs(s->interval[0].kernel != NULL ? "launch,kernel," : "begin_ns,end_ns,",
                  p->out);
        for (uint32_t i = 0; i < s->set->count; i++)
            fprintf(p->out, "%s%s", i ? "," : "", oa_set_metric(s->set, i)->symbol);
        fputc('\n', p->out);
    } else if (p->style == OA_JSON) {
        igpu_json_start(&p->json, p->out, false);
        igpu_json_object(&p->json, NULL, IGPU_JSON_LINES);
        igpu_json_text(&p->json, "set", s->set->symbol);
        igpu_json_u64(&p->json, "reports", s->reports);
        igpu_json_u64(&p->json, "lost", s->lost);
        igpu_json_array(&p->json, "intervals", IGPU_JSON_LINES);
    }
}

static uint64_t nanoseconds(const struct oa_series *s, uint64_t ticks)
{
    uint64_t hz = s->device->timestamp_hz;

    return hz == 0 ? 0 : ticks / hz * 1000000000 + ticks % hz * 1000000000 / hz;
}

static void print_interval(struct printer *p, const struct oa_interval *i,
                           uint64_t begin_ns, uint64_t end_ns)
{
    const struct oa_series *s = p->series;

    if (p->style == OA_JSON) {
        igpu_json_object(&p->json, NULL, IGPU_JSON_ROW);
        if (i->kernel != NULL) {
            igpu_json_u64(&p->json, "launch", i->launch);
            igpu_json_text(&p->json, "kernel", i->kernel);
        }
        igpu_json_u64(&p->json, "begin_ns", begin_ns);
        igpu_json_u64(&p->json, "end_ns", end_ns);
        print_json(p);
        igpu_json_end(&p->json);
    } else if (p->style == OA_CSV) {
        if (!s->single && i->kernel != NULL)
            fprintf(p->out, "%u,%s,", i->launch, i->kernel);
        else if (!s->single)
            fprintf(p->out, "%" PRIu64 ",%" PRIu64 ",", begin_ns, end_ns);
        print_csv(p);
    } else {
        if (!s->single && i->kernel != NULL)
            fprintf(p->out, "launch %u %s\n", i->launch, i->kernel);
        else if (!s->single)
            fprintf(p->out, "report %u to %u, %" PRIu64 " to %" PRIu64 " ns\n", i->from,
                    i->to, begin_ns, end_ns);
        print_text(p);
    }
}

/* Add what was counted from report `from` to report `to`; returns the ticks. */
static uint64_t count(const struct oa_series *s, uint32_t from, uint32_t to,
                      struct oa_counters *sum)
{
    struct oa_counters a, b;
    uint64_t before = sum->timestamp;

    oa_report_read(s->format, s->report[from], &a);
    for (uint32_t i = from + 1; i <= to; i++, a = b) {
        oa_report_read(s->format, s->report[i], &b);
        oa_report_add(s->format, &a, &b, sum);
    }
    return sum->timestamp - before;
}

enum igpu_status oa_print(FILE *out, const struct oa_series *s, enum oa_style style,
                          struct igpu_err *err)
{
    struct printer p = {.out = out, .series = s, .style = style};
    struct oa_counters gone = {0};
    enum igpu_status status = IGPU_OK;

    p.value = calloc(s->set->count, sizeof(*p.value));
    if (p.value == NULL)
        return igpu_no_memory(err, "OA counters");
    begin_output(&p);
    for (uint32_t i = 0; status == IGPU_OK && i < s->intervals; i++) {
        const struct oa_interval *interval = &s->interval[i];
        struct oa_counters sum = {0};
        uint64_t begin_ns;

        (void)count(s, p.at, interval->from, &gone);
        begin_ns = nanoseconds(s, gone.timestamp);
        (void)count(s, interval->from, interval->to, &sum);
        gone.timestamp += sum.timestamp;
        p.at = interval->to;
        status = oa_set_evaluate(s->set, s->device, &sum, p.value, err);
        if (status == IGPU_OK)
            print_interval(&p, interval, begin_ns, nanoseconds(s, gone.timestamp));
    }
    if (style == OA_JSON) {
        igpu_json_end(&p.json);
        igpu_json_end(&p.json);
    }
    free(p.value);
    return status;
}

/* ---- of a simulation ------------------------------------------------------- */

static const char *kernel_of(struct trace_reader *reader, uint32_t launch)
{
    return trace_kernel(reader, trace_launch(reader, launch)->kernel)->name;
}

static void find_intervals(const struct oa_stream *stream, struct trace_reader *reader,
                           enum oa_reporting reporting, struct oa_series *s,
                           struct oa_interval *interval)
{
    bool behind;

    if (reporting == OA_WHOLE)
        interval[s->intervals++] = (struct oa_interval){.to = s->reports - 1};
    else
        for (uint32_t i = 0; i + 1 < s->reports; i++) {
            uint32_t launch = oa_stream_launch(stream, i, &behind);

            if (!behind)
                interval[s->intervals++] = (struct oa_interval){
                    i, i + 1, launch,
                    reporting == OA_PER_LAUNCH ? kernel_of(reader, launch) : NULL};
        }
    s->interval = interval;
}

enum igpu_status oa_print_stream(FILE *out, const struct oa_stream *stream,
                                 struct trace_reader *reader,
                                 enum oa_reporting reporting, enum oa_style style,
                                 struct igpu_err *err)
{
    const struct oa_recording_info *info = oa_stream_info(stream);
    struct oa_series s = {.set = oa_set_find(info->set),
                          .device = &info->device,
                          .format = info->format,
                          .single = reporting == OA_WHOLE};
    struct oa_interval *interval;
    enum igpu_status status;

    s.report = oa_stream_reports(stream, &s.reports);
    if (s.reports < 2)
        return igpu_fail(err, IGPU_SIM_ERROR, "%u OA reports: nothing was simulated",
                         s.reports);
    interval = calloc(s.reports, sizeof(*interval));
    if (interval == NULL)
        return igpu_no_memory(err, "OA counters");
    find_intervals(stream, reader, reporting, &s, interval);
    status = oa_print(out, &s, style, err);
    free(interval);
    return status;
}
