/* options.c - see options.h. */
#include "bridge/programs/cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/side.h"
#include "bridge/host/sim/machine.h"
#include "bridge/host/sim/power_trace.h"
#include "bridge/programs/cli/oa_print.h"
#include "bridge/programs/view/view.h"
#include "igpu/cpu.h"
#include "igpu/option.h"
#include "igpu/power.h"

enum { MAX_THREADS = 64, MAX_SETTINGS = 256 };

enum {
    BEHIND_LETTERS = 255,
#define OPTION(id, letter, name, value, of, text) OPT_##id,
#include "bridge/programs/cli/options.def"
};

static const struct igpu_option table[] = {
#define OPTION(id, letter, name, value, of, text)                                      \
    {(letter) != 0 ? (letter) : OPT_##id, name, value, text},
#include "bridge/programs/cli/options.def"
    {.name = NULL},
};

/* What igpu_option_next() returned, a letter's option too. */
static int option_of(int got)
{
#define OPTION(id, letter, name, value, of, text)                                      \
    if ((letter) != 0 && got == (letter))                                              \
        return OPT_##id;
#include "bridge/programs/cli/options.def"
    return got;
}

static enum igpu_status parse_count(const char *option, const char *text, uint64_t min,
                                    uint64_t max, uint64_t *value, struct igpu_err *err)
{
    if (!igpu_option_count(text, min, max, value))
        return igpu_fail(err, IGPU_USAGE, "%s %s: expected a number from %llu to %llu",
                         option, text, (unsigned long long)min,
                         (unsigned long long)max);
    return IGPU_OK;
}

static enum igpu_status parse_range(const char *option, const char *what,
                                    const char *text, uint32_t *from, uint32_t *to,
                                    struct igpu_err *err)
{
    uint64_t first, last;

    if (!igpu_option_range(text, UINT32_MAX, &first, &last))
        return igpu_fail(err, IGPU_USAGE, "%s %s: expected A..B, %s counted from 0",
                         option, text, what);
    *from = (uint32_t)first;
    *to = (uint32_t)last;
    return IGPU_OK;
}

static enum igpu_status parse_dump(struct run_options *o, const char *text,
                                   struct igpu_err *err)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != ':' || end[1] == '\0' || n > UINT32_MAX)
        return igpu_fail(err, IGPU_USAGE,
                         "--dump-buf %s: expected ARGUMENT:FILE, arguments from 0",
                         text);
    if (o->dumps == OPTION_DUMPS)
        return igpu_fail(err, IGPU_USAGE, "--dump-buf: at most %d", OPTION_DUMPS);
    o->dump[o->dumps].arg = (uint32_t)n;
    o->dump[o->dumps++].path = end + 1;
    return IGPU_OK;
}

/* N draws, and perhaps a seed (default 1). */
static enum igpu_status parse_band(struct run_options *o, const char *text,
                                   struct igpu_err *err)
{
    char *end;
    unsigned long long draws = strtoull(text, &end, 10), seed = 1;
    bool good = *text >= '1' && *text <= '9' && draws <= POWER_MAX_DRAWS;

    if (good && *end == ':') {
        const char *second = end + 1;

        seed = strtoull(second, &end, 10);
        good = *second >= '0' && *second <= '9';
    }
    if (!good || *end != '\0')
        return igpu_fail(err, IGPU_USAGE,
                         "--energy-band %s: expected N or N:SEED, N from 1 to %d", text,
                         (int)POWER_MAX_DRAWS);
    o->energy = true;
    o->draws = (uint32_t)draws;
    o->seed = seed;
    return IGPU_OK;
}

static enum igpu_status no_rtl(const char *option, const struct engine_set *engines,
                               struct igpu_err *err)
{
    return igpu_fail(err, IGPU_USAGE, "%s: %s has no RTL engine; use ./Vigpu", option,
                     engines->program);
}

struct settings {
    const char *config;
    const char *set[MAX_SETTINGS];
    unsigned count;
    const char *cpu;
};

static enum igpu_status take_action(struct run_options *o, int option)
{
    o->action = option == OPT_HELP      ? OPTION_HELP
                : option == OPT_VERSION ? OPTION_VERSION
                                        : OPTION_STATS_HELP;
    return IGPU_OK;
}

/* A page by its name, else JSON. */
static enum igpu_status take_profile(struct run_options *o, const char *file)
{
    const char *end = strrchr(file, '.');

    o->profile = true;
    *(end != NULL && strcmp(end, ".html") == 0 ? &o->profile_html : &o->profile_json) =
        file;
    return IGPU_OK;
}

static enum igpu_status take_by(struct run_options *o, const char *what,
                                struct igpu_err *err)
{
    for (uint8_t by = VIEW_BY_EU; by < VIEW_BYS; by++)
        if (strcmp(what, view_by_name((enum view_by)by)) == 0) {
            o->profile_by = by;
            return IGPU_OK;
        }
    return igpu_fail(err, IGPU_USAGE, "--by %.40s: expected eu, slot, group or stage",
                     what);
}

/* Of the timeline. */
static enum igpu_status take_window(struct run_options *o, int option,
                                    struct igpu_err *err)
{
    struct timeline_window *w = &o->window;

    o->windowed = true;
    if (option == OPT_TIMELINE_FROM)
        return parse_count("--timeline-from", optarg, 0, UINT64_MAX / 2, &w->from, err);
    if (option == OPT_TIMELINE_TO)
        return parse_count("--timeline-to", optarg, 1, UINT64_MAX / 2, &w->to, err);
    if (option == OPT_TIMELINE_EUS)
        return parse_range("--timeline-eus", "EUs", optarg, &w->first_eu, &w->last_eu,
                           err);
    return parse_range("--timeline-launches", "launches", optarg, &w->first_launch,
                       &w->last_launch, err);
}

/* "N%" or "N" cycles. */
static enum igpu_status take_ease(struct run_options *o, const char *text,
                                  struct igpu_err *err)
{
    char number[8];
    size_t length = strlen(text);
    bool percent = length > 1 && length < sizeof(number) && text[length - 1] == '%';
    uint64_t value;

    (void)snprintf(number, sizeof(number), "%.*s", (int)length - percent, text);
    if (length >= sizeof(number) ||
        !igpu_option_count(number, 1, percent ? 100 : 99999, &value))
        return igpu_fail(err, IGPU_USAGE,
                         "--ease %s: expected 1%% to 100%%, or cycles from 1 to 99999",
                         text);
    o->ease_percent = percent ? (uint32_t)value : 0;
    o->ease_cycles = percent ? 0 : (uint32_t)value;
    return IGPU_OK;
}

static enum igpu_status options_take(struct run_options *o, struct settings *settings,
                                     int option, const struct engine_set *engines,
                                     struct igpu_err *err)
{
    uint64_t number = 0;
    enum igpu_status status = IGPU_OK;

    switch (option) {
    case OPT_CONFIG:
        settings->config = optarg;
        return IGPU_OK;
    case OPT_SET:
        if (settings->count == MAX_SETTINGS)
            return igpu_fail(err, IGPU_USAGE, "-s: at most %d settings", MAX_SETTINGS);
        settings->set[settings->count++] = optarg;
        return IGPU_OK;
    case OPT_JOBS:
        status = parse_count("-j", optarg, 1, SIDE_MOST, &number, err);
        o->jobs = (uint32_t)number;
        return status;
    case OPT_JSON:
        *(engines->profiles ? &o->profile_json : &o->json) = optarg;
        return IGPU_OK;
    case OPT_PROFILE:
        return take_profile(o, optarg);
    case OPT_HTML:
        o->profile = true;
        o->profile_html = optarg;
        return IGPU_OK;
    case OPT_TOP:
        status = parse_count("--top", optarg, 1, UOP_MAX_KERNEL, &number, err);
        o->profile_top = (uint32_t)number;
        return status;
    case OPT_HEAT:
        o->heat = true;
        return IGPU_OK;
    case OPT_EASE:
        return take_ease(o, optarg, err);
    case OPT_BY:
        return take_by(o, optarg, err);
    case OPT_CSV:
        o->csv = optarg;
        return IGPU_OK;
    case OPT_TIMELINE:
        o->timeline = optarg;
        return IGPU_OK;
    case OPT_TIMELINE_FROM:
    case OPT_TIMELINE_TO:
    case OPT_TIMELINE_EUS:
    case OPT_TIMELINE_LAUNCHES:
        return take_window(o, option, err);
    case OPT_WAVE:
        o->wave = optarg;
        return engine_has_rtl(engines) ? IGPU_OK : no_rtl("--wave", engines, err);
    case OPT_ENGINE:
        return engine_find(engines, optarg, &o->engine, &o->place, err);
    case OPT_CHECK:
        o->check = true;
        return engine_has_rtl(engines) ? IGPU_OK : no_rtl("--check", engines, err);
    case OPT_CHECK_VALUES:
        o->check_values = true;
        return engines->values != NULL ? IGPU_OK
                                       : no_rtl("--check-values", engines, err);
    case OPT_EXECUTE:
        o->execute = true;
        return IGPU_OK;
    case OPT_RTL_VALUES:
        o->rtl_values = true;
        return IGPU_OK;
    case OPT_DUMP:
        return parse_dump(o, optarg, err);
    case OPT_KERNELS:
        o->has_range = true;
        return parse_range("--kernels", "launches", optarg, &o->first_launch,
                           &o->last_launch, err);
    case OPT_MAX_CYCLES:
        return parse_count("--max-cycles", optarg, 1, UINT64_MAX / 2, &o->max_cycles,
                           err);
    case OPT_SAMPLE:
        o->sampled = true;
        return sample_options_parse(&o->sample, optarg, err);
    case OPT_BAND:
        o->band = true;
        return IGPU_OK;
    case OPT_WARM:
        o->warm = true;
        return IGPU_OK;
    case OPT_THREADS:
        status = parse_count("--threads", optarg, 1, MAX_THREADS, &number, err);
        o->threads = (uint32_t)number;
        return status;
    case OPT_ENERGY:
        o->energy = true;
        return IGPU_OK;
    case OPT_ENERGY_BAND:
        return parse_band(o, optarg, err);
    case OPT_POWER:
        o->power = optarg;
        o->energy = true;
        return IGPU_OK;
    case OPT_DRAM_COMMANDS:
        o->dram = optarg;
        return IGPU_OK;
    case OPT_MESSAGES:
        o->messages = optarg;
        return IGPU_OK;
    case OPT_SERIES:
        o->series = optarg;
        return IGPU_OK;
    case OPT_SERIES_EVERY:
        return parse_count("--series-every", optarg, 1, UINT32_MAX, &o->series_every,
                           err);
    case OPT_POWER_EVERY:
        return power_every_parse("--power-every", optarg, &o->power_seconds, err);
    case OPT_QUIET:
        o->quiet = true;
        return IGPU_OK;
    case OPT_CPU:
        settings->cpu = optarg;
        return IGPU_OK;
    case OPT_DUMP_CONFIG:
        o->dump_config = optarg;
        return IGPU_OK;
    case OPT_OA:
        o->oa = optarg;
        return IGPU_OK;
    case OPT_COUNTERS:
        o->counters = optarg;
        return oa_set_parse(optarg, &o->stream.set, err);
    case OPT_EVERY:
        o->every = optarg;
        return oa_timer_parse(optarg, &o->stream.exponent, err);
    case OPT_PER_LAUNCH:
        o->per_launch = true;
        return IGPU_OK;
    case OPT_HELP:
    case OPT_VERSION:
    case OPT_STATS_HELP:
        return take_action(o, option);
    default:
        return igpu_fail(err, IGPU_USAGE, "unknown or incomplete option; see --help");
    }
}

/* --power-every, of what shows power against time. */
static enum igpu_status choose_intervals(struct run_options *o, struct igpu_err *err)
{
    bool shown = o->power != NULL || (o->energy && o->timeline != NULL);

    if (o->power_seconds > 0 && !shown)
        return igpu_fail(err, IGPU_USAGE,
                         "--power-every is the interval of power against time: use it "
                         "with --power, or --energy and --timeline");
    if (!(o->power_seconds > 0))
        o->power_seconds = 10e-6;
    return IGPU_OK;
}

static enum igpu_status choose_series(struct run_options *o, struct igpu_err *err)
{
    o->series_tracks = o->series_every != 0 && o->timeline != NULL;
    if (o->series_every != 0 && o->series == NULL && o->timeline == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "--series-every is the interval of statistics over time: use "
                         "it with --series FILE or --timeline FILE");
    if (o->series_every == 0)
        o->series_every = 1000;
    return IGPU_OK;
}

/* What --oa, --counters, --every and --per-launch say together. */
static enum igpu_status choose_reports(struct run_options *o, struct igpu_err *err)
{
    bool shown = o->oa != NULL || o->counters != NULL;

    if (o->every != NULL && o->per_launch)
        return igpu_fail(err, IGPU_USAGE,
                         "--every and --per-launch: reports come by the timer or with "
                         "the launches, not both");
    if (!shown && (o->per_launch || (o->every != NULL && o->timeline == NULL)))
        return igpu_fail(err, IGPU_USAGE,
                         "%s says when OA reports come: use it with --oa or --counters",
                         o->per_launch ? "--per-launch" : "--every");
    o->stream.reporting = o->every != NULL ? OA_EVERY
                          : o->per_launch  ? OA_PER_LAUNCH
                                           : OA_WHOLE;
    if (o->stream.set == NULL && (shown || o->every != NULL))
        o->stream.set = oa_set_find("ComputeBasic");
    return IGPU_OK;
}

/* --cpu AGENT, where trace:FILE names a file too. */
static enum igpu_status choose_agent(struct run_options *o, const char *text,
                                     struct igpu_err *err)
{
    if (strncmp(text, "trace:", 6) == 0 && text[6] != '\0') {
        o->cpu_trace = text + 6;
        return cpu_agent_set(&o->config, "trace", err);
    }
    if (strcmp(text, "trace") == 0)
        return igpu_fail(err, IGPU_USAGE, "--cpu trace: expected trace:FILE");
    return cpu_agent_set(&o->config, text, err);
}

static enum igpu_status resolve_config(struct run_options *o,
                                       const struct settings *settings,
                                       struct igpu_err *err)
{
    enum igpu_status status = machine_load(&o->config, settings->config, o->trace,
                                           o->quiet ? NULL : o->machine_note, err);

    for (unsigned i = 0; status == IGPU_OK && i < settings->count; i++)
        status = igpu_config_set(&o->config, settings->set[i], err);
    if (status == IGPU_OK && settings->cpu != NULL)
        status = choose_agent(o, settings->cpu, err);
    if (status == IGPU_OK && o->config.cpu_agent == CPU_TRACE && o->cpu_trace == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "cpu.agent = %d needs its accesses: --cpu trace:FILE",
                         (int)CPU_TRACE);
    return status == IGPU_OK ? igpu_config_check(&o->config, err) : status;
}

struct given {
    bool given;
    const char *option;
};

/* The first of `count` that was given; NULL: none. */
static const char *first_given(const struct given *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (of[i].given)
            return of[i].option;
    return NULL;
}

/* What needs each cycle, or the real order of time, says so. */
static enum igpu_status check_sampled(const struct run_options *o, struct igpu_err *err)
{
    const struct given whole[] = {{o->check, "--check"},
                                  {o->check_values, "--check-values"},
                                  {o->timeline != NULL, "--timeline"},
                                  {o->wave != NULL, "--wave"},
                                  {o->energy, "--energy"},
                                  {o->sampled && o->profile_by != VIEW_BY_NONE, "--by"},
                                  {o->heat, "--heat"},
                                  {o->dram != NULL, "--dram-commands"},
                                  {o->messages != NULL, "--messages"},
                                  {o->series != NULL, "--series"},
                                  {o->oa != NULL, "--oa"},
                                  {o->counters != NULL, "--counters"},
                                  {o->max_cycles != 0, "--max-cycles"},
                                  {o->place != NULL, "--engine fpga"}};
    const char *option = o->sampled ? "--sample" : o->jobs > 0 ? "-j" : "--warm";
    const char *refused = first_given(whole, sizeof(whole) / sizeof(whole[0]));

    if (refused != NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "%s needs one run of every cycle: use it without %s", refused,
                         option);
    if (o->config.cpu_agent != CPU_NONE)
        return igpu_fail(err, IGPU_USAGE,
                         "a CPU agent needs one run of every cycle: use it without %s",
                         option);
    if (o->warm && !o->has_range)
        return igpu_fail(
            err, IGPU_USAGE,
            "--warm: nothing is before a trace's first launch: use it with "
            "--kernels A..B");
    return IGPU_OK;
}

/* Its further simulations are whole, of recorded paths, and on the reference. */
static enum igpu_status check_band(const struct run_options *o, struct igpu_err *err)
{
    const struct given other[] = {{o->sampled, "--sample"},
                                  {o->jobs > 0, "-j"},
                                  {o->warm, "--warm"},
                                  {o->execute, "--execute"},
                                  {o->profile_only, "igpu profile"},
                                  {o->cpu_trace != NULL, "--cpu trace:FILE"},
                                  {o->max_cycles != 0, "--max-cycles"}};
    const char *refused = first_given(other, sizeof(other) / sizeof(other[0]));

    if (o->band && refused != NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "--band simulates the recorded launches whole, several "
                         "times: use it without %s",
                         refused);
    return IGPU_OK;
}

/* Threads are executed by one host thread, in an engine that can wait for a branch. */
static enum igpu_status check_execute(const struct run_options *o,
                                      const struct engine_set *engines,
                                      struct igpu_err *err)
{
    const struct given other[] = {{o->sampled, "--sample"},
                                  {o->jobs > 0, "-j"},
                                  {o->warm, "--warm"},
                                  {o->check_values, "--check-values"}};
    const char *refused = first_given(other, sizeof(other) / sizeof(other[0]));

    if (!o->execute && o->dumps > 0)
        return igpu_fail(err, IGPU_USAGE,
                         "--dump-buf: a trace has no buffers; use it with --execute");
    if (!o->execute && o->rtl_values)
        return igpu_fail(err, IGPU_USAGE,
                         "--rtl-values: values are computed of launches that are "
                         "executed; use it with --execute");
    if (!o->execute)
        return IGPU_OK;
    if (o->rtl_values && engines->lockstep == NULL)
        return no_rtl("--rtl-values", engines, err);
    if (refused != NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "%s is for recorded paths: use it without --execute", refused);
    if (!o->engine->executes)
        return igpu_fail(
            err, IGPU_USAGE,
            "--execute: the engines rtl, fpga and ref execute; use one of them");
    if (o->threads > 1)
        return igpu_fail(err, IGPU_USAGE,
                         "--execute runs on one host thread: use it without --threads");
    if (o->has_range && o->first_launch != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "--execute: a launch finds what those before it wrote; use "
                         "--kernels 0..%u",
                         o->last_launch);
    return IGPU_OK;
}

static enum igpu_status check_window(const struct run_options *o, struct igpu_err *err)
{
    if (o->windowed && o->timeline == NULL)
        return igpu_fail(
            err, IGPU_USAGE,
            "--timeline-from, -to, -eus and -launches are a timeline's: use "
            "them with --timeline FILE");
    if (o->window.to != 0 && o->window.to <= o->window.from)
        return igpu_fail(err, IGPU_USAGE,
                         "--timeline-to: expected a cycle behind --timeline-from");
    return IGPU_OK;
}

enum igpu_status options_parse(struct run_options *o, int argc, char **argv,
                               const struct engine_set *engines, struct igpu_err *err)
{
    struct settings settings = {.config = NULL};
    enum igpu_status status = IGPU_OK;
    int option;

    memset(o, 0, sizeof(*o));
    o->threads = 1;
    o->window.last_launch = o->window.last_eu = UINT32_MAX;
    o->argc = argc;
    o->argv = argv;
    o->profile = o->profile_only = engines->profiles;
    o->engine = &engines->engine[0];
    optind = 1;
    while (status == IGPU_OK &&
           (option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == '?')
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see --help",
                             argv[optind - 1]);
        status = options_take(o, &settings, option_of(option), engines, err);
        if (o->action != OPTION_RUN)
            return status;
    }
    if (status == IGPU_OK && o->profile_by != VIEW_BY_NONE && !o->profile)
        status = igpu_fail(err, IGPU_USAGE, "--by: only with --profile FILE");
    if (status == IGPU_OK && o->heat && !o->profile)
        status = igpu_fail(err, IGPU_USAGE, "--heat: only with --profile FILE");
    o->profile_map =
        o->profile_html != NULL && o->profile_by == VIEW_BY_NONE && !o->sampled;
    if (status == IGPU_OK)
        status = choose_reports(o, err);
    if (status == IGPU_OK)
        status = choose_intervals(o, err);
    if (status == IGPU_OK)
        status = choose_series(o, err);
    o->trace = optind < argc ? argv[optind] : NULL;
    if (status == IGPU_OK)
        status = resolve_config(o, &settings, err);
    if (status != IGPU_OK)
        return status;
    status = check_execute(o, engines, err);
    if (status == IGPU_OK)
        status = check_band(o, err);
    if (status == IGPU_OK && (o->sampled || o->jobs > 0 || o->warm))
        status = check_sampled(o, err);
    if (status != IGPU_OK)
        return status;
    if (o->check && o->engine == engine_reference(engines))
        return igpu_fail(err, IGPU_USAGE,
                         "--check compares an RTL engine with the reference; use "
                         "--engine rtl, array or pipe");
    status = check_window(o, err);
    if (status != IGPU_OK)
        return status;
    if (o->check && o->timeline != NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "--timeline shows one engine: use it without --check");
    if (o->wave != NULL && o->engine->waves == NULL)
        return igpu_fail(err, IGPU_USAGE, "--wave shows the tiles: use --engine rtl");
    if (optind + 1 != argc && !(o->dump_config != NULL && optind == argc))
        return igpu_fail(err, IGPU_USAGE, "expected one trace file, got %d; see --help",
                         argc - optind);
    return IGPU_OK;
}

bool options_use_stdout(const struct run_options *o)
{
    const char *const file[] = {o->json, o->csv, o->power, o->profile_json,
                                o->profile_html};
    bool used = false;

    for (unsigned i = 0; i < sizeof(file) / sizeof(file[0]); i++)
        used |= file[i] != NULL && strcmp(file[i], "-") == 0;
    return used;
}

enum igpu_status options_launches(const struct run_options *options,
                                  const struct trace_reader *reader,
                                  struct sim_options *so, struct igpu_err *err)
{
    uint32_t launches = trace_summary(reader)->launches;

    if (launches == 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: the trace has no launch",
                         options->trace);
    so->first_launch = 0;
    so->last_launch = launches - 1;
    if (options->has_range) {
        if (options->last_launch >= launches)
            return igpu_fail(err, IGPU_USAGE,
                             "--kernels %u..%u: the trace has launches 0..%u",
                             options->first_launch, options->last_launch, launches - 1);
        so->first_launch = options->first_launch;
        so->last_launch = options->last_launch;
    }
    return IGPU_OK;
}
