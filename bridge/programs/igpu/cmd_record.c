/* cmd_record.c - `igpu record`: the command line over record.h. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/device.h"
#include "igpu/emu.h"
#include "igpu/hash.h"
#include "igpu/option.h"
#include "igpu/output.h"
#include "igpu/program.h"
#include "traces/program/compile_progress.h"
#include "traces/record/record.h"

enum { MAX_ARGS = 128, MAX_DUMPS = 32, MAX_RACES = 10 };

enum {
    OPT_ARG = IGPU_OPTION_LONG,
    OPT_OFFSET,
    OPT_DUMP,
    OPT_REPEAT,
    OPT_AGAIN,
    OPT_LIMIT,
    OPT_RACES,
    OPT_THREADS,
    OPT_JIT,
    OPT_TOGGLES,
    OPT_LAUNCH,
    OPT_VALUES,
    OPT_VALUE_THREADS,
    OPT_VALUE_COUNT,
    OPT_QUIET
};

static const struct igpu_option table[] = {
    {'d', "device", "NAME", "skl (default), kbl, kbl-gt2 or cfl-gt2"},
    {'k', "kernel", "NAME", "may be left out when the file has one kernel"},
    {'g', "global", "X[,Y[,Z]]", "work-items in all"},
    {'l', "local", "X[,Y[,Z]]", "work-items in a group"},
    {OPT_OFFSET, "offset", "X[,Y[,Z]]", "global offset"},
    {OPT_ARG, "arg", "SPEC",
     "one for each argument, in order:\n"
     "buf:BYTES[:zero|iota|rand:SEED|chase:SEED|file:PATH|...]\n"
     "i32:V u32:V i64:V u64:V f32:V f64:V ..., local:BYTES,\n"
     "image2d:WxH:rgba-unorm8[:INIT] ..., sampler:clamp:linear...\n"
     "(traces/kernels/README.md lists them all)"},
    {'O', "options", "TEXT", "OpenCL build options"},
    {'o', "output", "TRACE.pb", "without it nothing is recorded"},
    {OPT_LAUNCH, "launch", "LAUNCH.pb",
     "write what the launch starts from, for --execute\n"
     "(docs/contract/execution.md); alone, nothing is run"},
    {OPT_DUMP, "dump-buf", "N:FILE", "write argument N's buffer after the run"},
    {OPT_REPEAT, "repeat", "N", "N launches in a row, with the same arguments"},
    {OPT_AGAIN, "again", "N:SPEC", "in all but the first, argument N is this value"},
    {OPT_THREADS, "threads", "N",
     "host threads for the work-groups; the results are the same"},
    {OPT_JIT, "jit", "on|off|now",
     "translate kernels that run long, unless their values are\n"
     "recorded; now: all (default: on)"},
    {OPT_LIMIT, "max-instructions", "N",
     "stop with an error behind N instructions of a launch"},
    {OPT_RACES, "races", "",
     "tell on stderr where threads access the same byte and nothing\n"
     "orders them (docs/guide/races.md)"},
    {OPT_TOGGLES, "toggles", "",
     "count how many bits of the data change, for the energy\n"
     "(docs/contract/power.md, section 9)"},
    {OPT_VALUES, "values", "", "store operands and results of FPU instructions too"},
    {OPT_VALUE_THREADS, "values-threads", "N", "of the first N threads of each launch"},
    {OPT_VALUE_COUNT, "values-instructions", "N",
     "of the first N such instructions of each thread"},
    {OPT_QUIET, "quiet", "", "no summary, no word on a long compilation"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

struct dump {
    uint32_t arg;
    const char *path;
};

struct command {
    struct record_job job;
    struct argspec *arg; /* MAX_ARGS */
    struct argspec again;
    const char *kernel, *options;
    struct dump dump[MAX_DUMPS];
    unsigned dumps;
    unsigned local_dims;
    struct emu_races races;
    unsigned raced; /* lines that were told of races */
    bool quiet, help;
    char line[2048]; /* the command, for the trace's header */
};

static void print_help(FILE *out)
{
    fputs("usage: igpu record [-d DEVICE] [-k KERNEL] -g X[,Y[,Z]] -l X[,Y[,Z]]\n"
          "                   [--arg SPEC]... [-O OPTIONS] [-o TRACE.pb] "
          "FILE.cl|FILE.bin\n"
          "\n"
          "Runs the kernel on the emulator and records what every hardware thread "
          "did.\n",
          out);
    igpu_option_help(out, table);
    fputs("\nExit status: 0 done, 1 the kernel cannot be executed, 2 usage, 3 bad "
          "input.\n",
          out);
}

static enum igpu_status parse_dims(const char *what, const char *text, uint64_t dim[3],
                                   unsigned *dims, struct igpu_err *err)
{
    const char *at = text;
    char *end;

    for (*dims = 0; *dims < 3; at = end + 1) {
        errno = 0;
        dim[*dims] = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || errno != 0)
            break;
        (*dims)++;
        if (*end == '\0')
            return IGPU_OK;
        if (*end != ',')
            break;
    }
    return igpu_fail(err, IGPU_USAGE, "%s %s: expected X, X,Y or X,Y,Z", what, text);
}

static enum igpu_status parse_dump(struct command *c, const char *text,
                                   struct igpu_err *err)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != ':' || end[1] == '\0' || n >= MAX_ARGS)
        return igpu_fail(err, IGPU_USAGE,
                         "--dump-buf %s: expected ARGUMENT:FILE, arguments from 0",
                         text);
    if (c->dumps == MAX_DUMPS)
        return igpu_fail(err, IGPU_USAGE, "--dump-buf: at most %d", MAX_DUMPS);
    c->dump[c->dumps++] = (struct dump){(uint32_t)n, end + 1};
    return IGPU_OK;
}

static enum igpu_status parse_count(const char *option, const char *text, uint64_t max,
                                    uint64_t *value, struct igpu_err *err)
{
    if (!igpu_option_count(text, 1, max, value))
        return igpu_fail(err, IGPU_USAGE, "%s %s: expected a number, 1 or more", option,
                         text);
    return IGPU_OK;
}

static enum igpu_status parse_again(struct command *c, const char *text,
                                    struct igpu_err *err)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != ':' || n >= MAX_ARGS)
        return igpu_fail(err, IGPU_USAGE,
                         "--again %s: expected ARGUMENT:SPEC, arguments from 0", text);
    c->job.again_arg = (uint32_t)n;
    c->job.again = &c->again;
    return argspec_parse(end + 1, &c->again, err);
}

static enum igpu_status record_take(struct command *c, int option, struct igpu_err *err)
{
    unsigned dims;

    switch (option) {
    case 'd':
        c->job.device = optarg;
        if (igpu_device_find(optarg) == NULL)
            return igpu_fail(err, IGPU_USAGE, "-d %s: expected %s", optarg,
                             igpu_device_names());
        return IGPU_OK;
    case 'k':
        c->kernel = optarg;
        return IGPU_OK;
    case 'g':
        return parse_dims("-g", optarg, c->job.global, &c->job.dims, err);
    case 'l':
        return parse_dims("-l", optarg, c->job.local, &c->local_dims, err);
    case OPT_OFFSET:
        return parse_dims("--offset", optarg, c->job.offset, &dims, err);
    case OPT_ARG:
        if (c->job.arg_count == MAX_ARGS)
            return igpu_fail(err, IGPU_USAGE, "--arg: at most %d", MAX_ARGS);
        return argspec_parse(optarg, &c->arg[c->job.arg_count++], err);
    case 'O':
        c->options = optarg;
        return IGPU_OK;
    case 'o':
        c->job.trace = optarg;
        return IGPU_OK;
    case OPT_LAUNCH:
        c->job.launches = optarg;
        return IGPU_OK;
    case OPT_DUMP:
        return parse_dump(c, optarg, err);
    case OPT_REPEAT: {
        uint64_t repeat = 0;
        enum igpu_status status =
            parse_count("--repeat", optarg, UINT32_MAX, &repeat, err);

        c->job.repeat = (uint32_t)repeat;
        return status;
    }
    case OPT_AGAIN:
        return parse_again(c, optarg, err);
    case OPT_LIMIT:
        return parse_count("--max-instructions", optarg, UINT64_MAX,
                           &c->job.max_instructions, err);
    case OPT_THREADS: {
        uint64_t threads = 0;
        enum igpu_status status = parse_count("--threads", optarg, 64, &threads, err);

        c->job.host_threads = (uint32_t)threads;
        return status;
    }
    case OPT_JIT:
        if (emu_jit_choice(optarg))
            return setenv("IGPU_JIT", optarg, 1) == 0 ? IGPU_OK : IGPU_USAGE;
        return igpu_fail(err, IGPU_USAGE, "--jit %.60s: expected on, off or now",
                         optarg);
    case OPT_RACES:
        c->job.races = &c->races;
        return IGPU_OK;
    case OPT_TOGGLES:
        c->job.values.toggles = true;
        return IGPU_OK;
    case OPT_VALUES:
        c->job.values.on = true;
        return IGPU_OK;
    case OPT_VALUE_THREADS:
        c->job.values.on = true;
        return parse_count("--values-threads", optarg, UINT32_MAX,
                           &c->job.values.threads, err);
    case OPT_VALUE_COUNT:
        c->job.values.on = true;
        return parse_count("--values-instructions", optarg, UINT64_MAX,
                           &c->job.values.instructions, err);
    case OPT_QUIET:
        c->quiet = true;
        return IGPU_OK;
    default:
        c->help = true;
        return IGPU_OK;
    }
}

/* The command as typed, cut if it is very long. */
static void keep_line(struct command *c, int argc, char **argv)
{
    size_t at = 0;

    for (int i = 0; i < argc && at < sizeof(c->line); i++) {
        int n = snprintf(c->line + at, sizeof(c->line) - at, "%s%s",
                         i == 0 ? "igpu " : " ", argv[i]);

        at += n > 0 ? (size_t)n : 0;
    }
    c->job.command_line = c->line;
}

static void print_text(void *ctx, const char *text, size_t length)
{
    (void)fwrite(text, 1, length, ctx);
}

/* Of several launches the first lines. */
static void print_race(void *ctx, const char *text)
{
    struct command *c = ctx;

    if (c->raced++ < MAX_RACES)
        (void)igpu_complain_of("igpu record", IGPU_OK, "%s", text);
}

static enum igpu_status parse(struct command *c, int argc, char **argv,
                              struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    int option;

    keep_line(c, argc, argv);
    c->job.device = "skl";
    c->job.arg = c->arg;
    c->job.print = print_text;
    c->job.print_ctx = stdout;
    c->races = (struct emu_races){c, print_race};
    optind = 1;
    while (status == IGPU_OK && !c->help &&
           (option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == '?')
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see igpu "
                             "record --help",
                             argv[optind - 1]);
        status = record_take(c, option, err);
    }
    if (status != IGPU_OK || c->help)
        return status;
    if (optind + 1 != argc)
        return igpu_fail(err, IGPU_USAGE,
                         "expected one FILE.cl or FILE.bin, got %d; see igpu record "
                         "--help",
                         argc - optind);
    if (c->job.values.on && c->job.trace == NULL)
        return igpu_fail(err, IGPU_USAGE, "--values needs a trace to write: -o FILE");
    if (c->job.values.toggles && c->job.trace == NULL)
        return igpu_fail(err, IGPU_USAGE, "--toggles needs a trace to write: -o FILE");
    if (c->job.dims == 0 || c->local_dims != c->job.dims)
        return igpu_fail(err, IGPU_USAGE,
                         "-g and -l are needed, with the same number of dimensions");
    c->job.file = argv[optind];
    if (c->job.races != NULL && c->job.launches != NULL && c->job.trace == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "--races: --launch alone runs nothing; -o FILE does");
    c->job.only_launches =
        c->job.launches != NULL && c->job.trace == NULL && c->dumps == 0;
    return IGPU_OK;
}

static void write_buffer(FILE *out, void *ctx)
{
    const struct record_buffer *b = ctx;

    (void)fwrite(b->host, 1, b->bytes, out);
}

static enum igpu_status write_dump(const struct dump *dump,
                                   struct record_result *result, struct igpu_err *err)
{
    struct record_buffer *b =
        dump->arg < result->buffers ? &result->buffer[dump->arg] : NULL;

    if (b == NULL || b->host == NULL)
        return igpu_fail(err, IGPU_USAGE, "--dump-buf %u: argument %u is no buffer",
                         dump->arg, dump->arg);
    return igpu_output_put(dump->path, write_buffer, b, err);
}

static void print_summary(const struct command *c, const struct record_program *p,
                          const struct record_result *r)
{
    bool ran = !c->job.only_launches;

    printf("kernel        %s, SIMD%u, %u instructions\n", p->kernel->name,
           p->kernel->simd_size, p->code.count);
    if (ran)
        printf("threads       %" PRIu64 "\n"
               "instructions  %" PRIu64 " (%" PRIu64 " lanes, %" PRIu64 " FLOPs)\n",
               r->counts.threads, r->counts.instructions, r->counts.lane_instructions,
               r->counts.flops);
    for (uint32_t i = 0; ran && i < r->buffers; i++)
        if (r->buffer[i].host != NULL)
            printf("buffer %-6u %" PRIu64 " bytes, FNV-1a %016" PRIx64 "\n", i,
                   r->buffer[i].bytes,
                   igpu_fnv(IGPU_FNV_BEGIN, r->buffer[i].host, r->buffer[i].bytes));
    if (c->job.trace != NULL)
        printf("trace         %s\n", c->job.trace);
    if (c->job.launches != NULL)
        printf("launch file   %s\n", c->job.launches);
    if (c->job.trace != NULL && record_reads_clock(p))
        fprintf(stderr,
                "igpu record: note: the kernel reads its clock, which counts the "
                "thread's instructions, whatever the simulated timing\n");
    if (c->job.trace != NULL && record_order_matters(p))
        fprintf(stderr, "igpu record: note: the kernel uses values returned by global "
                        "atomics; the recorded path keeps the emulator's order of "
                        "groups, whatever the simulated timing\n");
}

static enum igpu_status record_execute(const struct command *c, struct igpu_err *err)
{
    struct record_program p;
    struct record_result result = {0};
    struct compile_progress progress;
    struct compile_waiting waiting =
        compile_progress_begin(&progress, "igpu record", c->job.device, c->quiet);
    enum igpu_status status;

    waiting.said = compile_progress_said;
    status = record_open(&p, c->job.file, c->job.device, c->options, c->kernel,
                         &waiting, err);

    compile_progress_end(&progress);
    if (status != IGPU_OK)
        return status;
    status = record_run(&p, &c->job, &result, err);
    if (c->raced > MAX_RACES)
        fprintf(stderr, "igpu record: races: %u more lines\n", c->raced - MAX_RACES);
    for (unsigned i = 0; status == IGPU_OK && i < c->dumps; i++)
        status = write_dump(&c->dump[i], &result, err);
    if (status == IGPU_OK && !c->quiet)
        print_summary(c, &p, &result);
    record_result_free(&p, &result);
    record_close(&p);
    return status;
}

int record_command(int argc, char **argv, const char *program,
                   const struct record_observer *observer)
{
    struct command *c = calloc(1, sizeof(*c));
    struct igpu_err err;
    enum igpu_status status = igpu_no_memory(&err, "a command");

    if (c != NULL)
        c->arg = calloc(MAX_ARGS, sizeof(*c->arg));
    if (c != NULL && c->arg != NULL)
        status = parse(c, argc, argv, &err);
    if (status == IGPU_OK && observer != NULL &&
        (c->job.trace != NULL || c->job.launches != NULL))
        status = igpu_fail(&err, IGPU_USAGE,
                           "-o and --launch: nothing is recorded here; use igpu "
                           "record, then %s TRACE.pb",
                           program);
    if (status == IGPU_OK && observer != NULL) {
        c->job.observer = observer;
        c->job.print = NULL;
        c->quiet = true;
    }
    if (status == IGPU_OK && c->help)
        print_help(stdout);
    else if (status == IGPU_OK)
        status = record_execute(c, &err);
    if (status != IGPU_OK)
        status = (enum igpu_status)igpu_complain(program, status, &err);
    if (c != NULL)
        free(c->arg);
    free(c);
    return (int)status;
}

int cmd_record(int argc, char **argv)
{
    return record_command(argc, argv, "igpu record", NULL);
}
