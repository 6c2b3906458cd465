/* cmd_convert.c - `igpu trace convert`: options, messages, exit status. */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/device.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/convert/convert.h"

enum { MAX_GROUP = 64, COMMAND_LINE = 512 };

struct options {
    const char *from, *to, *out, *device;
    enum macsim_variant variant;
    uint32_t threads_per_group;
    const char *const *files;
    uint32_t count;
    char line[COMMAND_LINE]; /* the command, for the trace's header */
    bool help;
};

static const char program[] = "igpu trace convert";

enum { OPT_FROM = IGPU_OPTION_LONG, OPT_TO, OPT_VARIANT, OPT_GROUP };

static const struct igpu_option table[] = {
    {OPT_FROM, "from", "gtpin-dump",
     "text dumps of a GT-Pin trace, one file per hardware thread\n"
     "in order; the last may stop in the middle"},
    {'d', "device", "NAME", "the machine it ran on (skl), as for igpu record"},
    {OPT_GROUP, "threads-per-group", "N", "files that make one work-group (1)"},
    {OPT_TO, "to", "macsim",
     "a folder for MacSim's Intel GPU model: trace.txt and one\n"
     "gzip file per thread"},
    {OPT_VARIANT, "variant", "intel|2018|main",
     "opcode numbers and records of its Intel branch (default),\n"
     "its version of 2018 or its main branch"},
    {'o', "output", "FILE|DIR", "what is written"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

static void print_help(void)
{
    fputs("usage: igpu trace convert --from gtpin-dump [-d DEVICE]\n"
          "                [--threads-per-group N] -o trace.pb DUMP...\n"
          "       igpu trace convert --to macsim [--variant intel|2018|main] -o DIR "
          "FILE\n\n",
          stdout);
    igpu_option_help(stdout, table);
}

static int usage(const char *what)
{
    return igpu_complain_of(program, IGPU_USAGE, "%s; see %s --help", what, program);
}

/* 0 when `good`, else the exit status after the message. */
static int expect(bool good, const char *option, const char *what)
{
    if (good)
        return 0;
    return igpu_complain_of(program, IGPU_USAGE, "%s %s: expected %s", option, optarg,
                            what);
}

static int set_variant(struct options *o)
{
    static const char *const names[] = {
        [MACSIM_INTEL] = "intel", [MACSIM_2018] = "2018", [MACSIM_MAIN] = "main"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], optarg) == 0) {
            o->variant = (enum macsim_variant)i;
            return 0;
        }
    return expect(false, "--variant", "intel, 2018 or main");
}

static int set_group(struct options *o)
{
    uint64_t n = 0;
    bool good = igpu_option_count(optarg, 1, MAX_GROUP, &n);

    o->threads_per_group = (uint32_t)n;
    return expect(good, "--threads-per-group", "1..64");
}

static int convert_take(struct options *o, int option)
{
    switch (option) {
    case OPT_FROM:
        o->from = optarg;
        return expect(strcmp(optarg, "gtpin-dump") == 0, "--from", "gtpin-dump");
    case OPT_TO:
        o->to = optarg;
        return expect(strcmp(optarg, "macsim") == 0, "--to", "macsim");
    case 'o':
        o->out = optarg;
        return 0;
    case 'd':
        o->device = optarg;
        return expect(igpu_device_find(optarg) != NULL, "-d", igpu_device_names());
    case OPT_VARIANT:
        return set_variant(o);
    case OPT_GROUP:
        return set_group(o);
    default:
        o->help = true;
        return 0;
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    int option, status = 0;

    optind = 1;
    while (status == 0 && !o->help &&
           (option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == '?')
            return igpu_complain_of_option(program, argv[optind - 1]);
        status = convert_take(o, option);
    }
    if (status != 0 || o->help)
        return status;
    o->files = (const char *const *)&argv[optind];
    o->count = (uint32_t)(argc - optind);
    if (!o->from == !o->to)
        return usage("expected either --from or --to");
    if (!o->out)
        return usage("-o is missing");
    if (o->count == 0)
        return usage("a file to convert is missing");
    if (o->to && o->count > 1)
        return usage("--to takes one file");
    return 0;
}

static enum igpu_status import_dumps(const struct options *o, struct igpu_err *err)
{
    struct gtpin_options options = {o->device, o->line, o->threads_per_group};
    struct gtpin_report report;
    enum igpu_status status;

    status = convert_from_gtpin(o->files, o->count, o->out, &options, &report, err);
    if (status != IGPU_OK)
        return status;
    printf("%s: %" PRIu32 " threads, %" PRIu32 " launches, %" PRIu32
           " kernels, %" PRIu64 " instructions, %" PRIu64 " memory accesses\n",
           o->out, report.threads, report.launches, report.kernels, report.instructions,
           report.accesses);
    if (report.cut || report.dropped || report.ends_added)
        printf("%" PRIu32 " dumps stop early, %" PRIu32
               " incomplete instructions dropped, %" PRIu32 " ends of thread added\n",
               report.cut, report.dropped, report.ends_added);
    if (report.without_address)
        printf("%" PRIu64 " memory accesses without an address: no lane is on\n",
               report.without_address);
    if (report.messages_guessed)
        printf("%" PRIu32 " messages without a usable descriptor\n",
               report.messages_guessed);
    return IGPU_OK;
}

/* The only global: what a signal handler may touch. */
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static bool is_stopped(void)
{
    return caught != 0;
}

/* A signal that would end the process lets the export remove what it has written; one
 * that is ignored (nohup) stays so. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction before;

    for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
}

static enum igpu_status export_macsim(const struct options *o, struct igpu_err *err)
{
    struct macsim_report report;
    enum igpu_status status;

    catch_signals();
    status =
        convert_to_macsim(o->files[0], o->out, o->variant, is_stopped, &report, err);

    if (status == IGPU_OK)
        printf("%s: %" PRIu32 " launches, %" PRIu32 " threads, %" PRIu64
               " instructions, %" PRIu64 " records\n",
               o->out, report.launches, report.threads, report.instructions,
               report.records);
    return status;
}

int cmd_convert(int argc, char **argv)
{
    struct options o = {.device = "skl", .threads_per_group = 1, .line = "igpu trace"};
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    for (int i = 0; i < argc; i++) /* before getopt_long() sorts them */
        (void)snprintf(o.line + strlen(o.line), sizeof(o.line) - strlen(o.line), " %s",
                       argv[i]);
    status = (enum igpu_status)parse(argc, argv, &o);
    if (status != IGPU_OK)
        return (int)status;
    if (o.help) {
        print_help();
        return IGPU_OK;
    }
    status = o.from ? import_dumps(&o, &err) : export_macsim(&o, &err);
    if (status != IGPU_OK)
        status = (enum igpu_status)igpu_complain(program, status, &err);
    if (status == IGPU_STOPPED) { /* end as the signal would have ended it */
        (void)signal(caught, SIG_DFL);
        (void)raise(caught);
    }
    return (int)status;
}
