/* cmd_bench.c - `igpu bench`: options, help, and where results go. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/host/sim/config_file.h"
#include "bridge/programs/bench/bench.h"
#include "bridge/programs/bench/commands.h"
#include "igpu/option.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { OPT_ENGINE = IGPU_OPTION_LONG, OPT_JSON, OPT_QUIET, OPT_OWN };
enum { MAX_JOBS = 64 };

const struct bench *const benches[] = {
    &bench_flops,
    &bench_latency,
    &bench_interference,
    &bench_mlp,
    &bench_coalescing,
    &bench_bandwidth,
    &bench_flop,
    &bench_memory,
    &bench_power,
    &bench_measured,
    NULL,
};

static const struct igpu_option common[] = {
    {'c', "config", "NAME|FILE", "a machine, or a file (default skl-gt2):"},
    {'s', "set", "KEY=VALUE", "change one parameter; repeatable"},
    {'j', "jobs", "N", "simulations at a time (default: the processors)"},
    {OPT_ENGINE, "engine", "ref|rtl",
     "C reference, or ./Vigpu beside igpu (default ref)"},
    {OPT_JSON, "json", "FILE|-", "results as JSON"},
    {OPT_QUIET, "quiet", "", "no progress"},
    {'h', "help", "", "this"},
    {.name = NULL},
};
enum { COMMON = sizeof(common) / sizeof(common[0]) - 1 };

static void list(FILE *out)
{
    for (uint32_t i = 0; benches[i] != NULL; i++)
        fprintf(out, "  %-12s %s\n", benches[i]->name, benches[i]->text);
}

static void help_all(FILE *out)
{
    fputs("usage: igpu bench list\n"
          "       igpu bench NAME [options]\n\n",
          out);
    list(out);
    fputs("\nigpu bench NAME --help tells the options of one.\n", out);
}

static void help_one(FILE *out, const struct bench *b)
{
    fprintf(out, "usage: igpu bench %s [options]\n\n%s\n\n", b->name, b->text);
    for (const struct bench_option *o = b->options; o->name != NULL; o++) {
        char left[64];

        (void)snprintf(left, sizeof(left), "--%s %s", o->name, o->arg);
        fprintf(out, "      %-22s %s", left, o->help);
        if (o->value != NULL)
            fprintf(out, " (default %s)", o->value);
        fputc('\n', out);
    }
    igpu_option_help(out, common);
    fputs("\nA list of numbers is N, A..B, A..B:STEP, or several of these with commas "
          "between; K, M, G\nare powers of 1024. Traces are recorded once and kept in "
          "~/.cache/vigpu/traces.\n"
          "Exit status: 0 done, 1 simulation error, 2 usage, 3 bad input, 5 out of "
          "memory.\n",
          out);
}

static enum igpu_status parse_jobs(struct bench_context *c, const char *text,
                                   struct igpu_err *err)
{
    uint64_t n;

    if (!igpu_option_count(text, 1, MAX_JOBS, &n))
        return igpu_fail(err, IGPU_USAGE, "--jobs %s: expected a number from 1 to %d",
                         text, MAX_JOBS);
    c->jobs = (uint32_t)n;
    return IGPU_OK;
}

static enum igpu_status bench_take(struct bench_context *c, int option,
                                   struct igpu_err *err)
{
    switch (option) {
    case 'c':
        c->config_name = optarg;
        return IGPU_OK;
    case 's':
        if (c->settings == BENCH_MAX_SETTINGS)
            return igpu_fail(err, IGPU_USAGE, "-s: at most %d settings",
                             BENCH_MAX_SETTINGS);
        c->setting[c->settings++] = optarg;
        return IGPU_OK;
    case 'j':
        return parse_jobs(c, optarg, err);
    case OPT_ENGINE:
        if (strcmp(optarg, "ref") != 0 && strcmp(optarg, "rtl") != 0)
            return igpu_fail(err, IGPU_USAGE, "--engine %s: expected ref or rtl",
                             optarg);
        c->engine = optarg;
        return IGPU_OK;
    case OPT_JSON:
        c->json = optarg;
        return IGPU_OK;
    case OPT_QUIET:
        c->quiet = true;
        return IGPU_OK;
    case 'h':
        c->help = true;
        return IGPU_OK;
    default:
        c->value[option - OPT_OWN] = optarg;
        return IGPU_OK;
    }
}

static enum igpu_status find_bench(const char *name, const struct bench **found,
                                   struct igpu_err *err)
{
    for (uint32_t i = 0; benches[i] != NULL; i++)
        if (strcmp(benches[i]->name, name) == 0) {
            *found = benches[i];
            return IGPU_OK;
        }
    return igpu_fail(err, IGPU_USAGE, "no experiment %s; see igpu bench list", name);
}

static enum igpu_status resolve_config(struct bench_context *c, struct igpu_err *err)
{
    enum igpu_status status = config_load(&c->config, c->config_name, err);

    for (uint32_t i = 0; status == IGPU_OK && i < c->settings; i++)
        status = igpu_config_set(&c->config, c->setting[i], err);
    return status == IGPU_OK ? igpu_config_check(&c->config, err) : status;
}

/* argv[0] is the experiment's name; strings stay argv's. */
static enum igpu_status parse(struct bench_context *c, int argc, char **argv,
                              struct igpu_err *err)
{
    struct igpu_option table[COMMON + BENCH_MAX_OPTIONS + 1];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    enum igpu_status status;
    int option, n = COMMON;

    memset(c, 0, sizeof(*c));
    status = find_bench(argv[0], &c->bench, err);
    if (status != IGPU_OK)
        return status;
    memcpy(table, common, sizeof(common));
    for (int i = 0; c->bench->options[i].name != NULL; i++, n++) {
        c->value[i] = c->bench->options[i].value;
        table[n] = (struct igpu_option){OPT_OWN + i, c->bench->options[i].name,
                                        c->bench->options[i].arg, NULL};
    }
    table[n] = (struct igpu_option){.name = NULL};
    c->config_name = "skl-gt2";
    c->engine = "ref";
    c->jobs = processors < 1          ? 1
              : processors > MAX_JOBS ? MAX_JOBS
                                      : (uint32_t)processors;
    optind = 1;
    while (status == IGPU_OK && !c->help &&
           (option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == '?')
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see igpu "
                             "bench %s --help",
                             argv[optind - 1], c->bench->name);
        status = bench_take(c, option, err);
    }
    if (status != IGPU_OK || c->help)
        return status;
    if (optind < argc)
        return igpu_fail(err, IGPU_USAGE, "%s: options only; see igpu bench %s --help",
                         argv[optind], c->bench->name);
    return resolve_config(c, err);
}

/* ---- results ------------------------------------------------------------- */

static void write_json(FILE *out, void *table)
{
    bench_table_json(out, table);
}

static enum igpu_status bench_execute(const struct bench_context *c,
                                      struct igpu_err *err)
{
    struct bench_table table = {0};
    enum igpu_status status = igpu_output_check(c->json, err);

    if (status == IGPU_OK)
        status = c->bench->run(c, &table, err);
    if (status == IGPU_OK && (c->json == NULL || strcmp(c->json, "-") != 0))
        bench_table_text(stdout, &table);
    if (status == IGPU_OK && c->json != NULL)
        status = igpu_output_put(c->json, write_json, &table, err);
    bench_table_free(&table);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    struct bench_context c;
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status;

    if (argc < 2) {
        return igpu_complain_of("igpu bench", IGPU_USAGE,
                                "expected an experiment; see igpu bench list");
    }
    if (strcmp(argv[1], "list") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        if (argv[1][0] == 'l')
            list(stdout);
        else
            help_all(stdout);
        return 0;
    }
    status = parse(&c, argc - 1, argv + 1, &err);
    if (status == IGPU_OK && c.help)
        help_one(stdout, c.bench);
    else if (status == IGPU_OK)
        status = bench_execute(&c, &err);
    if (status != IGPU_OK)
        return igpu_complain("igpu bench", status, &err);
    return (int)status;
}
