/* cmd_counters.c - `igpu counters`: metric sets, and what a recording of OA reports
 * says in their terms. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/igpu/commands.h"
#include "igpu/json.h"
#include "igpu/oa.h"
#include "igpu/program.h"

enum format { TEXT, JSON, CSV };
enum { OPT_LIST = 256, OPT_SET, OPT_REPORTS, OPT_FORMAT, OPT_HELP };

struct options {
    bool list, reports, help;
    const char *set, *file;
    enum format format;
};

static void print_help(FILE *out)
{
    fputs("usage: igpu counters [--reports] [--format text|json|csv] RECORDING\n"
          "       igpu counters --list [--set NAME] [--format text|csv]\n"
          "\n"
          "Computes the metrics of a recording of OA reports, as i915-perf-recorder "
          "makes\n"
          "it, from its first report to its last.\n"
          "      --reports         from each report to the next instead\n"
          "      --set NAME        the recording's own set, and it is an error if it "
          "has\n"
          "                        another\n"
          "      --list            the metric sets of Skylake GT2; with --set, its "
          "metrics\n"
          "      --format FORMAT   text, json or csv\n"
          "\nExit status: 0 done, 1 not all could be written, 2 usage, 3 bad input.\n",
          out);
}

static enum igpu_status parse_format(const char *text, enum format *format,
                                     struct igpu_err *err)
{
    static const char *const names[] = {"text", "json", "csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (enum format)i;
            return IGPU_OK;
        }
    return igpu_fail(err, IGPU_USAGE, "--format %s: expected text, json or csv", text);
}

static enum igpu_status parse(struct options *o, int argc, char **argv,
                              struct igpu_err *err)
{
    static const struct option longs[] = {
        {"list", no_argument, NULL, OPT_LIST},
        {"set", required_argument, NULL, OPT_SET},
        {"reports", no_argument, NULL, OPT_REPORTS},
        {"format", required_argument, NULL, OPT_FORMAT},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0}};
    enum igpu_status status = IGPU_OK;
    int option;

    opterr = 0;
    optind = 1;
    while (status == IGPU_OK &&
           (option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        switch (option) {
        case OPT_LIST:
            o->list = true;
            break;
        case OPT_SET:
            o->set = optarg;
            break;
        case OPT_REPORTS:
            o->reports = true;
            break;
        case OPT_FORMAT:
            status = parse_format(optarg, &o->format, err);
            break;
        case OPT_HELP:
            o->help = true;
            return IGPU_OK;
        default:
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see igpu "
                             "counters --help",
                             argv[optind - 1]);
        }
    }
    if (status == IGPU_OK && argc - optind != (o->list ? 0 : 1))
        return igpu_fail(err, IGPU_USAGE, "expected %s; see igpu counters --help",
                         o->list ? "no file with --list" : "one RECORDING");
    if (status == IGPU_OK && o->list && o->format == JSON)
        return igpu_fail(err, IGPU_USAGE, "--list has the formats text and csv");
    o->file = argv[optind];
    return status;
}

/* ---- lists ---------------------------------------------------------------- */

static enum igpu_status find_set(const char *symbol, const struct oa_set **set,
                                 struct igpu_err *err)
{
    *set = oa_set_find(symbol);
    if (*set == NULL)
        return igpu_fail(
            err, IGPU_USAGE,
            "%s: no metric set of this name; igpu counters --list shows all", symbol);
    return IGPU_OK;
}

static void list_sets(enum format format)
{
    uint32_t count;
    const struct oa_set *set = oa_sets(&count);

    if (format == CSV)
        puts("set,metrics,uuid,name");
    for (uint32_t i = 0; i < count; i++)
        printf(format == CSV ? "%s,%u,%s,%s\n" : "%-26s %3u metrics  %s  %s\n",
               set[i].symbol, set[i].count, set[i].uuid, set[i].name);
}

static void list_metrics(const struct oa_set *set, enum format format)
{
    if (format == CSV)
        puts("metric,unit,name,equation,maximum,available");
    for (uint32_t i = 0; i < set->count; i++) {
        const struct oa_metric *m = oa_set_metric(set, i);

        if (format == CSV)
            printf("%s,%s,\"%s\",%s,%s,%s\n", m->symbol, m->unit, m->name, m->equation,
                   m->maximum, m->available);
        else
            printf("%-28s %-9s %s\n", m->symbol, m->unit, m->name);
    }
}

/* ---- recordings ------------------------------------------------------------ */

static void print_value(const struct oa_value *v)
{
    if (v->is_float)
        printf("%.6f", v->number);
    else
        printf("%" PRIu64, v->integer);
}

/* The metrics of one interval; a metric that this device does not have is left out, or
 * an empty column. */
static void print_text(const struct oa_set *set, const struct oa_value *value)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct oa_metric *m = oa_set_metric(set, i);

        if (!value[i].available)
            continue;
        printf("%-28s ", m->symbol);
        print_value(&value[i]);
        printf(" %s\n", m->unit);
    }
}

static void print_csv(const struct oa_set *set, const struct oa_value *value)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (i > 0)
            putchar(',');
        if (value[i].available)
            print_value(&value[i]);
    }
    putchar('\n');
}

static void print_json(struct igpu_json *json, const struct oa_set *set,
                       const struct oa_value *value)
{
    igpu_json_object(json, NULL, IGPU_JSON_ROW);
    for (uint32_t i = 0; i < set->count; i++) {
        const char *key = oa_set_metric(set, i)->symbol;

        if (value[i].available && value[i].is_float)
            igpu_json_real(json, key, value[i].number, 6);
        else if (value[i].available)
            igpu_json_u64(json, key, value[i].integer);
    }
    igpu_json_end(json);
}

static void begin_output(const struct oa_recording *r, const struct oa_set *set,
                         enum format format, struct igpu_json *json)
{
    if (format == CSV) {
        for (uint32_t i = 0; i < set->count; i++)
            printf("%s%s", i ? "," : "", oa_set_metric(set, i)->symbol);
        putchar('\n');
    } else if (format == JSON) {
        igpu_json_start(json, stdout, false);
        igpu_json_object(json, NULL, IGPU_JSON_LINES);
        igpu_json_text(json, "set", set->symbol);
        igpu_json_u64(json, "reports", r->reports);
        igpu_json_u64(json, "lost", r->lost);
        igpu_json_array(json, "intervals", IGPU_JSON_LINES);
    }
}

static enum igpu_status print_intervals(const struct oa_recording *r,
                                        const struct oa_set *set,
                                        const struct options *o, struct oa_value *value,
                                        struct igpu_err *err)
{
    struct oa_counters from, to, sum = {0};
    struct igpu_json json;

    begin_output(r, set, o->format, &json);
    oa_report_read(r->info.format, r->report[0], &from);
    for (uint32_t i = 1; i < r->reports; i++, from = to) {
        enum igpu_status status;

        oa_report_read(r->info.format, r->report[i], &to);
        oa_report_add(r->info.format, &from, &to, &sum);
        if (!o->reports && i + 1 < r->reports)
            continue;
        status = oa_set_evaluate(set, &r->info.device, &sum, value, err);
        if (status != IGPU_OK)
            return status;
        if (o->reports && o->format == TEXT)
            printf("report %u to %u\n", i - 1, i);
        if (o->format == JSON)
            print_json(&json, set, value);
        else if (o->format == CSV)
            print_csv(set, value);
        else
            print_text(set, value);
        memset(&sum, 0, sizeof(sum));
    }
    if (o->format == JSON) {
        igpu_json_end(&json);
        igpu_json_end(&json);
    }
    return IGPU_OK;
}

static enum igpu_status print_recording(const struct oa_recording *r,
                                        const struct options *o, struct igpu_err *err)
{
    const struct oa_set *set = oa_set_find(r->info.set);
    struct oa_value *value;
    enum igpu_status status;

    if (set == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: recorded with set %s, which is none of Skylake GT2's",
                         o->file, r->info.set);
    if (o->set != NULL && strcmp(o->set, set->symbol) != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "--set %s: %s was recorded with %s, whose B and C counters "
                         "count other things",
                         o->set, o->file, set->symbol);
    if (r->info.format != OA_A32U40_A4U32_B8_C8)
        return igpu_fail(
            err, IGPU_BAD_INPUT,
            "%s: reports of format %d; metrics need A32u40_A4u32_B8_C8 (7)", o->file,
            (int)r->info.format);
    if (r->reports < 2)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: %u reports; differences need at least two", o->file,
                         r->reports);
    value = calloc(set->count, sizeof(*value));
    if (value == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "out of memory");
    status = print_intervals(r, set, o, value, err);
    free(value);
    return status;
}

static enum igpu_status execute(const struct options *o, struct igpu_err *err)
{
    const struct oa_set *set = NULL;
    struct oa_recording recording;
    enum igpu_status status = IGPU_OK;

    if (o->set != NULL)
        status = find_set(o->set, &set, err);
    if (status != IGPU_OK)
        return status;
    if (o->list && set == NULL)
        list_sets(o->format);
    else if (o->list)
        list_metrics(set, o->format);
    if (o->list)
        return IGPU_OK;
    status = oa_recording_open(&recording, o->file, err);
    if (status != IGPU_OK)
        return status;
    status = print_recording(&recording, o, err);
    oa_recording_free(&recording);
    return status;
}

int cmd_counters(int argc, char **argv)
{
    struct options o = {0};
    struct igpu_err err;
    enum igpu_status status = parse(&o, argc, argv, &err);

    if (status == IGPU_OK && o.help)
        print_help(stdout);
    else if (status == IGPU_OK)
        status = execute(&o, &err);
    return status == IGPU_OK ? 0 : igpu_complain("igpu counters", status, &err);
}
