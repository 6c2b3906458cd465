/* cmd_trace.c - `igpu trace info|dump|verify|pieces|mix|convert`: options, messages,
 * and exit status.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/pieces.h"
#include "bridge/programs/igpu/commands.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/format/trace.h"

static void print_help(FILE *out)
{
    fputs(
        "usage: igpu trace info FILE\n"
        "       igpu trace dump [--threads A..B] [--launches A..B] [--no-code]\n"
        "                       [--format text|json|csv] FILE\n"
        "       igpu trace verify FILE\n"
        "       igpu trace pieces FILE\n"
        "       igpu trace mix FILE\n"
        "       igpu trace convert --from gtpin-dump | --to macsim ...\n"
        "\n"
        "  info    totals, bytes per instruction, kernels and launches\n"
        "  dump    the trace as text or JSON, with GED's names for instruction "
        "fields,\n"
        "          or as CSV, a row per executed instruction\n"
        "  verify  check every checksum, path, access and count\n"
        "  pieces  the ranges of launches that igpu ref -j simulates side by side\n"
        "  mix     opcodes, lanes and lines per message, memory touched (make python)\n"
        "  convert from and to other simulators' formats; see its own --help\n",
        out);
}

static const char program[] = "igpu trace";

enum { OPT_THREADS = IGPU_OPTION_LONG, OPT_LAUNCHES, OPT_NO_CODE, OPT_FORMAT };

static const struct igpu_option dump_options[] = {
    {OPT_THREADS, "threads", "A..B", NULL},
    {OPT_LAUNCHES, "launches", "A..B", NULL},
    {OPT_NO_CODE, "no-code", "", NULL},
    {OPT_FORMAT, "format", "text|json|csv", NULL},
    {'h', "help", "", NULL},
    {.name = NULL},
};
static const struct igpu_option other_options[] = {
    {'h', "help", "", NULL},
    {.name = NULL},
};

struct options {
    const char *file;
    struct trace_dump_options dump;
    bool help;
};

static int parse_format(const char *value, enum trace_dump_format *format)
{
    static const char *const names[] = {"text", "json", "csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(value, names[i]) == 0) {
            *format = (enum trace_dump_format)i;
            return 0;
        }
    return igpu_complain_of(program, IGPU_USAGE,
                            "--format %s: expected text, json or csv", value);
}

/* 0, or the exit status after the message. */
static int trace_take(struct options *o, int option)
{
    bool threads = option == OPT_THREADS;
    uint64_t first, last;

    switch (option) {
    case OPT_NO_CODE:
        o->dump.code = false;
        return 0;
    case OPT_FORMAT:
        return parse_format(optarg, &o->dump.format);
    case 'h':
        o->help = true;
        return 0;
    default:
        if (igpu_option_range(optarg, UINT32_MAX, &first, &last)) {
            *(threads ? &o->dump.first : &o->dump.launch_first) = (uint32_t)first;
            *(threads ? &o->dump.last : &o->dump.launch_last) = (uint32_t)last;
            return 0;
        }
        return igpu_complain_of(program, IGPU_USAGE,
                                "--%s %s: expected A..B or a number",
                                threads ? "threads" : "launches", optarg);
    }
}

/* argv[0] is the verb. */
static int parse(int argc, char **argv, bool dump, struct options *o)
{
    int option, status = 0;

    *o =
        (struct options){.dump = {0, UINT32_MAX, 0, UINT32_MAX, true, TRACE_DUMP_TEXT}};
    optind = 1;
    while (status == 0 &&
           (option = igpu_option_next(dump ? dump_options : other_options, false, argc,
                                      argv)) != -1) {
        if (option == '?')
            return igpu_complain_of_option(program, argv[optind - 1]);
        status = trace_take(o, option);
    }
    if (status != 0 || o->help)
        return status;
    if (optind + 1 != argc)
        return igpu_complain_of(program, IGPU_USAGE,
                                "expected one trace file, got %d; see %s --help",
                                argc - optind, program);
    o->file = argv[optind];
    return 0;
}

static enum igpu_status verify(struct trace_reader *r, const char *file,
                               struct igpu_err *err)
{
    const struct trace_summary *s = trace_summary(r);
    enum igpu_status status = trace_verify(r, err);

    if (status == IGPU_OK)
        printf("%s: ok: %u sections, %u kernels, %u launches, %llu threads, %llu "
               "instructions, %llu accesses\n",
               file, s->chunks, s->kernels, s->launches, (unsigned long long)s->threads,
               (unsigned long long)s->totals.instructions,
               (unsigned long long)s->accesses);
    return status;
}

/* A line each: A..B. */
static enum igpu_status pieces(const struct trace_reader *r, struct igpu_err *err)
{
    uint32_t launches = trace_summary(r)->launches, count;
    struct side_job *piece = calloc((size_t)launches + 1, sizeof(*piece));

    if (piece == NULL)
        return igpu_no_memory(err, "pieces");
    count = pieces_cut(r, 0, launches, NULL, piece);
    for (uint32_t i = 0; i < count; i++)
        printf("%u..%u\n", piece[i].begin, piece[i].end - 1);
    free(piece);
    return IGPU_OK;
}

int cmd_trace(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    bool dump = strcmp(verb, "dump") == 0, info = strcmp(verb, "info") == 0;
    bool cut = strcmp(verb, "pieces") == 0;
    struct options o;
    struct trace_reader *r;
    enum igpu_status status;
    struct igpu_err err = {.text = ""};

    if (strcmp(verb, "convert") == 0)
        return cmd_convert(argc - 1, argv + 1);
    if (strcmp(verb, "mix") == 0)
        return cmd_hand_over(argc, argv);
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) {
        print_help(stdout);
        return IGPU_OK;
    }
    if (!dump && !info && !cut && strcmp(verb, "verify") != 0)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "%s: expected info, dump, verify, pieces, mix or convert; see %s --help",
            verb[0] != '\0' ? verb : "no command", program);
    status = (enum igpu_status)parse(argc - 1, argv + 1, dump, &o);
    if (status != IGPU_OK)
        return (int)status;
    if (o.help) {
        print_help(stdout);
        return IGPU_OK;
    }
    r = trace_open(o.file, &status, &err);
    if (r && info)
        status = trace_print_info(r, stdout, &err);
    else if (r && dump)
        status = trace_print_dump(r, &o.dump, stdout, &err);
    else if (r && cut)
        status = pieces(r, &err);
    else if (r)
        status = verify(r, o.file, &err);
    trace_close(r);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    return (int)status;
}
