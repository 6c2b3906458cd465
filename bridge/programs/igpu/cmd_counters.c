/* cmd_counters.c - `igpu counters`: metric sets, and the metrics of a simulation or of
 * a recording of OA reports. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/cli/oa_print.h"
#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/igpu/counters_run.h"
#include "igpu/oa_unit.h"
#include "igpu/option.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum {
    OPT_LIST = IGPU_OPTION_LONG,
    OPT_SET,
    OPT_REPORTS,
    OPT_FORMAT,
    OPT_EVERY,
    OPT_PER_LAUNCH,
    OPT_OA
};

struct options {
    bool list, reports, help;
    const char *set;
    struct counters_run run; /* .trace: the file, trace or recording */
};

static const struct igpu_option table[] = {
    {OPT_SET, "set", "NAME", "metric set (ComputeBasic); of a recording its own"},
    {OPT_EVERY, "every", "TIME", "the OA timer's period nearest to 10us, 1ms, ..."},
    {OPT_PER_LAUNCH, "per-launch", "", "a report before and behind each launch"},
    {OPT_OA, "oa", "FILE", "write the reports as a recording too"},
    {'c', "config", "NAME|FILE", "the machine (skl-gt2)"},
    {'s', "", "KEY=VALUE", "change one parameter; repeatable"},
    {OPT_REPORTS, "reports", "", "of a recording: from each report to the next"},
    {OPT_LIST, "list", "",
     "the metric sets of Skylake GT2; with --set, its metrics,\n"
     "and which of them read 0 in a simulation"},
    {OPT_FORMAT, "format", "FORMAT", "text, json or csv"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

static void print_help(FILE *out)
{
    fputs(
        "usage: igpu counters [--set NAME] [--every TIME | --per-launch] [--oa FILE]\n"
        "                     [-c CONFIG] [-s KEY=VALUE]... [--format F] TRACE.pb\n"
        "       igpu counters [--reports] [--format F] RECORDING\n"
        "       igpu counters --list [--set NAME] [--format text|csv]\n"
        "\n"
        "Simulates a trace on the C reference with the OA unit on, or reads a "
        "recording\n"
        "of OA reports as i915-perf-recorder makes it, and computes a set's metrics,\n"
        "from the first report to the last.\n",
        out);
    igpu_option_help(out, table);
    fputs("\nExit status: 0 done, 1 not all could be written, 2 usage, 3 bad input.\n",
          out);
}

static enum igpu_status counters_take(struct options *o, int option,
                                      struct igpu_err *err)
{
    switch (option) {
    case OPT_LIST:
        o->list = true;
        return IGPU_OK;
    case OPT_SET:
        o->set = optarg;
        return oa_set_parse(optarg, &o->run.stream.set, err);
    case OPT_REPORTS:
        o->reports = true;
        return IGPU_OK;
    case OPT_FORMAT:
        return oa_style_parse(optarg, &o->run.style, err);
    case OPT_EVERY:
        o->run.every = optarg;
        return oa_timer_parse(optarg, &o->run.stream.exponent, err);
    case OPT_PER_LAUNCH:
        o->run.per_launch = true;
        return IGPU_OK;
    case OPT_OA:
        o->run.recording = optarg;
        return IGPU_OK;
    case 'c':
        o->run.config = optarg;
        return IGPU_OK;
    case 's':
        if (o->run.settings == COUNTERS_SETTINGS)
            return igpu_fail(err, IGPU_USAGE, "-s: at most %d settings",
                             COUNTERS_SETTINGS);
        o->run.setting[o->run.settings++] = optarg;
        return IGPU_OK;
    default:
        o->help = true;
        return IGPU_OK;
    }
}

static enum igpu_status options_check(struct options *o, int files,
                                      struct igpu_err *err)
{
    if (files != (o->list ? 0 : 1))
        return igpu_fail(err, IGPU_USAGE, "expected %s; see igpu counters --help",
                         o->list ? "no file with --list" : "one TRACE.pb or RECORDING");
    if (o->list && o->run.style == OA_JSON)
        return igpu_fail(err, IGPU_USAGE, "--list has the formats text and csv");
    if (o->run.every != NULL && o->run.per_launch)
        return igpu_fail(err, IGPU_USAGE,
                         "--every and --per-launch: reports come by the timer or with "
                         "the launches, not both");
    return IGPU_OK;
}

static enum igpu_status parse(struct options *o, int argc, char **argv,
                              struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    int option;

    optind = 1;
    while (status == IGPU_OK &&
           (option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == '?')
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see igpu "
                             "counters --help",
                             argv[optind - 1]);
        status = counters_take(o, option, err);
        if (o->help)
            return IGPU_OK;
    }
    if (status == IGPU_OK)
        status = options_check(o, argc - optind, err);
    o->run.trace = argv[optind];
    return status;
}

/* ---- lists ---------------------------------------------------------------- */

static void list_sets(enum oa_style style)
{
    uint32_t count;
    const struct oa_set *set = oa_sets(&count);

    if (style == OA_CSV)
        puts("set,metrics,uuid,name");
    for (uint32_t i = 0; i < count; i++)
        printf(style == OA_CSV ? "%s,%u,%s,%s\n" : "%-26s %3u metrics  %s  %s\n",
               set[i].symbol, set[i].count, set[i].uuid, set[i].name);
}

/* What each counter of a set's reports counts. */
static void list_counters(const struct oa_set *set)
{
    static const struct {
        char letter;
        uint32_t count;
    } bank[] = {{'A', OA_A_COUNTERS}, {'B', OA_B_COUNTERS}, {'C', OA_C_COUNTERS}};

    puts("\ncounter  counts");
    for (unsigned b = 0; b < sizeof(bank) / sizeof(bank[0]); b++)
        for (uint32_t i = 0; i < bank[b].count; i++) {
            const char *source = oa_unit_source(set, bank[b].letter, i);

            if (source != NULL)
                printf("%c%-7u %s\n", bank[b].letter, i, source);
        }
    puts("all others read 0");
}

static void list_metrics(const struct oa_set *set, enum oa_style style)
{
    if (style == OA_CSV)
        puts("metric,unit,name,equation,maximum,available,simulated");
    for (uint32_t i = 0; i < set->count; i++) {
        const struct oa_metric *m = oa_set_metric(set, i);
        bool driven = oa_unit_drives(set, i);

        if (style == OA_CSV)
            printf("%s,%s,\"%s\",%s,%s,%s,%s\n", m->symbol, m->unit, m->name,
                   m->equation, m->maximum, m->available, driven ? "yes" : "no");
        else
            printf("%-28s %-9s %s%s\n", m->symbol, m->unit, m->name,
                   driven ? "" : " (not simulated: reads 0)");
    }
    if (style == OA_TEXT)
        list_counters(set);
}

/* ---- recordings ------------------------------------------------------------ */

static enum igpu_status print_recording(const struct oa_recording *r,
                                        const struct options *o, struct igpu_err *err)
{
    const char *file = o->run.trace;
    struct oa_series s = {.set = oa_set_find(r->info.set),
                          .device = &r->info.device,
                          .format = r->info.format,
                          .report = r->report,
                          .reports = r->reports,
                          .lost = r->lost,
                          .single = !o->reports};
    struct oa_interval *interval;
    enum igpu_status status;

    if (s.set == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: recorded with set %s, which is none of Skylake GT2's",
                         file, r->info.set);
    if (o->set != NULL && strcmp(o->set, s.set->symbol) != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "--set %s: %s was recorded with %s, whose B and C counters "
                         "count other things",
                         o->set, file, s.set->symbol);
    if (r->info.format != OA_A32U40_A4U32_B8_C8)
        return igpu_fail(
            err, IGPU_BAD_INPUT,
            "%s: reports of format %d; metrics need A32u40_A4u32_B8_C8 (7)", file,
            (int)r->info.format);
    if (r->reports < 2)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: %u reports; differences need at least two", file,
                         r->reports);
    s.intervals = s.single ? 1 : r->reports - 1;
    interval = calloc(s.intervals, sizeof(*interval));
    if (interval == NULL)
        return igpu_no_memory(err, "OA counters");
    for (uint32_t i = 0; i < s.intervals; i++)
        interval[i] =
            (struct oa_interval){.from = i, .to = s.single ? r->reports - 1 : i + 1};
    s.interval = interval;
    status = oa_print(stdout, &s, o->run.style, err);
    free(interval);
    return status;
}

static enum igpu_status read_recording(const struct options *o, struct igpu_err *err)
{
    struct oa_recording recording;
    enum igpu_status status;

    if (o->run.every != NULL || o->run.per_launch || o->run.recording != NULL ||
        o->run.config != NULL || o->run.settings != 0)
        return igpu_fail(
            err, IGPU_USAGE,
            "%s is no trace: --every, --per-launch, --oa, -c and -s are of "
            "simulations",
            o->run.trace);
    status = oa_recording_open(&recording, o->run.trace, err);
    if (status != IGPU_OK)
        return status;
    status = print_recording(&recording, o, err);
    oa_recording_free(&recording);
    return status;
}

static enum igpu_status counters_execute(struct options *o, struct igpu_err *err)
{
    if (o->list && o->set == NULL)
        list_sets(o->run.style);
    else if (o->list)
        list_metrics(o->run.stream.set, o->run.style);
    if (o->list)
        return IGPU_OK;
    if (!counters_is_trace(o->run.trace))
        return read_recording(o, err);
    if (o->reports)
        return igpu_fail(err, IGPU_USAGE,
                         "--reports is of recordings; a trace has --every and "
                         "--per-launch");
    if (o->set == NULL)
        o->run.stream.set = oa_set_find("ComputeBasic");
    return counters_run(&o->run, err);
}

int cmd_counters(int argc, char **argv)
{
    struct options o = {0};
    struct igpu_err err;
    enum igpu_status status = parse(&o, argc, argv, &err);

    if (status == IGPU_OK && o.help)
        print_help(stdout);
    else if (status == IGPU_OK)
        status = counters_execute(&o, &err);
    return status == IGPU_OK ? 0 : igpu_complain("igpu counters", status, &err);
}
