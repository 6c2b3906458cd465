/* cmd_convert.c - `igpu trace convert`: options, messages, exit status. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/igpu/commands.h"
#include "traces/convert/convert.h"

enum { MAX_GROUP = 64, COMMAND_LINE = 512 };

struct options {
    const char *from, *to, *out, *device;
    enum macsim_variant variant;
    uint32_t threads_per_group;
    const char *const *files;
    uint32_t count;
};

static void print_help(void)
{
    fputs("usage: igpu trace convert --from gtpin-dump [-d skl|kbl]\n"
          "                [--threads-per-group N] -o trace.pb DUMP...\n"
          "       igpu trace convert --to macsim [--variant intel|2018|main] -o DIR "
          "FILE\n"
          "\n"
          "  --from gtpin-dump  text dumps of a GT-Pin trace, one file per hardware\n"
          "                     thread in order; the last may stop in the middle\n"
          "  -d                 the machine it ran on (skl)\n"
          "  --threads-per-group  files that make one work-group (1)\n"
          "  --to macsim        a folder for MacSim's Intel GPU model: trace.txt and\n"
          "                     one gzip file per thread\n"
          "  --variant          opcode numbers and records of its Intel branch\n"
          "                     (intel, the default), its version of 2018 or its main\n"
          "                     branch\n"
          "  -o                 what is written\n",
          stdout);
}

static int usage(const char *what, const char *value)
{
    fprintf(stderr, "igpu trace convert: %s%s%s; see igpu trace convert --help\n", what,
            value ? ": " : "", value ? value : "");
    return IGPU_USAGE;
}

static int set_variant(struct options *o, const char *value)
{
    static const char *const names[] = {
        [MACSIM_INTEL] = "intel", [MACSIM_2018] = "2018", [MACSIM_MAIN] = "main"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], value) == 0) {
            o->variant = (enum macsim_variant)i;
            return 0;
        }
    return usage("--variant: expected intel, 2018 or main, not", value);
}

static int set_option(struct options *o, const char *name, const char *value)
{
    char *end;

    if (strcmp(name, "--from") == 0) {
        o->from = value;
        return strcmp(value, "gtpin-dump") == 0
                   ? 0
                   : usage("--from: expected gtpin-dump, not", value);
    }
    if (strcmp(name, "--to") == 0) {
        o->to = value;
        return strcmp(value, "macsim") == 0
                   ? 0
                   : usage("--to: expected macsim, not", value);
    }
    if (strcmp(name, "-o") == 0) {
        o->out = value;
        return 0;
    }
    if (strcmp(name, "-d") == 0) {
        o->device = value;
        return strcmp(value, "skl") == 0 || strcmp(value, "kbl") == 0
                   ? 0
                   : usage("-d: expected skl or kbl, not", value);
    }
    if (strcmp(name, "--variant") == 0)
        return set_variant(o, value);
    if (strcmp(name, "--threads-per-group") == 0) {
        unsigned long n = strtoul(value, &end, 10);

        o->threads_per_group = (uint32_t)n;
        return value[0] >= '0' && value[0] <= '9' && !*end && n >= 1 && n <= MAX_GROUP
                   ? 0
                   : usage("--threads-per-group: expected 1..64, not", value);
    }
    return usage("unknown option", name);
}

static int parse(int argc, char **argv, struct options *o)
{
    int i = 1;

    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i += 2) {
        int status;

        if (i + 1 == argc)
            return usage("a value is missing after", argv[i]);
        status = set_option(o, argv[i], argv[i + 1]);
        if (status)
            return status;
    }
    o->files = (const char *const *)&argv[i];
    o->count = (uint32_t)(argc - i);
    if (!o->from == !o->to)
        return usage("expected either --from or --to", NULL);
    if (!o->out)
        return usage("-o is missing", NULL);
    if (o->count == 0)
        return usage("a file to convert is missing", NULL);
    if (o->to && o->count > 1)
        return usage("more than one file", o->files[1]);
    return 0;
}

static enum igpu_status import_dumps(const struct options *o, int argc, char **argv,
                                     struct igpu_err *err)
{
    char line[COMMAND_LINE] = "igpu trace";
    struct gtpin_options options = {o->device, line, o->threads_per_group};
    struct gtpin_report report;
    enum igpu_status status;

    for (int i = 0; i < argc; i++)
        (void)snprintf(line + strlen(line), sizeof(line) - strlen(line), " %s",
                       argv[i]);
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
    struct options o = {.device = "skl", .threads_per_group = 1};
    struct igpu_err err = {""};
    enum igpu_status status;

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return IGPU_OK;
    }
    status = (enum igpu_status)parse(argc, argv, &o);
    if (status != IGPU_OK)
        return (int)status;
    status = o.from ? import_dumps(&o, argc, argv, &err) : export_macsim(&o, &err);
    if (status != IGPU_OK)
        fprintf(stderr, "igpu trace convert: %s\n", err.text);
    if (status == IGPU_STOPPED) { /* end as the signal would have ended it */
        (void)signal(caught, SIG_DFL);
        (void)raise(caught);
    }
    return (int)status;
}
