/* cmd_trace.c - `igpu trace info|dump|verify|convert`: options, messages, exit status.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/igpu/commands.h"
#include "igpu/program.h"
#include "traces/format/trace.h"

static void print_help(FILE *out)
{
    fputs("usage: igpu trace info FILE\n"
          "       igpu trace dump [--threads A..B] [--launches A..B] [--no-code]\n"
          "                       [--format text|json|csv] FILE\n"
          "       igpu trace verify FILE\n"
          "       igpu trace convert --from gtpin-dump | --to macsim ...\n"
          "\n"
          "  info    totals, bytes per instruction, kernels and launches\n"
          "  dump    the trace as text or JSON, with GED's names for instruction "
          "fields,\n"
          "          or as CSV, a row per executed instruction\n"
          "  verify  check every checksum, path, access and count\n"
          "  convert from and to other simulators' formats; see its own --help\n",
          out);
}

static int usage(const char *what, const char *value)
{
    fprintf(stderr, "igpu trace: %s%s%s; see igpu trace --help\n", what,
            value ? ": " : "", value ? value : "");
    return IGPU_USAGE;
}

/* "A..B" or "A", decimal, A <= B. */
static bool parse_range(const char *text, uint32_t *first, uint32_t *last)
{
    char *end;
    unsigned long a, b;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    a = b = strtoul(text, &end, 10);
    if (strncmp(end, "..", 2) == 0 && end[2] >= '0' && end[2] <= '9')
        b = strtoul(end + 2, &end, 10);
    if (errno || *end || a > b || b > UINT32_MAX)
        return false;
    *first = (uint32_t)a;
    *last = (uint32_t)b;
    return true;
}

struct options {
    const char *file;
    struct trace_dump_options dump;
};

static int parse_format(const char *value, enum trace_dump_format *format)
{
    static const char *const names[] = {"text", "json", "csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(value, names[i]) == 0) {
            *format = (enum trace_dump_format)i;
            return 0;
        }
    return usage("--format: expected text, json or csv, not", value);
}

/* 0, or the exit status after the message. */
static int parse_option(int argc, char **argv, int *i, struct options *o)
{
    const char *name = argv[*i], *value;

    if (strcmp(name, "--no-code") == 0) {
        o->dump.code = false;
        return 0;
    }
    if (strcmp(name, "--threads") != 0 && strcmp(name, "--launches") != 0 &&
        strcmp(name, "--format") != 0)
        return usage("unknown option", name);
    if (*i + 1 == argc)
        return usage("a value is missing after", name);
    value = argv[++*i];
    if (strcmp(name, "--format") == 0)
        return parse_format(value, &o->dump.format);
    if (!parse_range(value, name[2] == 't' ? &o->dump.first : &o->dump.launch_first,
                     name[2] == 't' ? &o->dump.last : &o->dump.launch_last))
        return usage("expected A..B or a number", value);
    return 0;
}

static int parse(int argc, char **argv, bool dump, struct options *o)
{
    o->file = NULL;
    o->dump = (struct trace_dump_options){0,          UINT32_MAX, 0,
                                          UINT32_MAX, true,       TRACE_DUMP_TEXT};
    for (int i = 2; i < argc; i++) {
        int status = 0;

        if (argv[i][0] == '-' && argv[i][1] && !dump)
            status = usage("unknown option", argv[i]);
        else if (argv[i][0] == '-' && argv[i][1])
            status = parse_option(argc, argv, &i, o);
        else if (o->file)
            status = usage("more than one file", argv[i]);
        else
            o->file = argv[i];
        if (status)
            return status;
    }
    return o->file ? 0 : usage("a trace file is missing", NULL);
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

int cmd_trace(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";
    bool dump = strcmp(verb, "dump") == 0, info = strcmp(verb, "info") == 0;
    struct options o;
    struct trace_reader *r;
    enum igpu_status status;
    struct igpu_err err = {""};

    if (strcmp(verb, "convert") == 0)
        return cmd_convert(argc - 1, argv + 1);
    if (strcmp(verb, "--help") == 0 || (argc > 2 && strcmp(argv[2], "--help") == 0)) {
        print_help(stdout);
        return IGPU_OK;
    }
    if (!dump && !info && strcmp(verb, "verify") != 0)
        return usage("expected info, dump, verify or convert", verb[0] ? verb : NULL);
    status = (enum igpu_status)parse(argc, argv, dump, &o);
    if (status != IGPU_OK)
        return (int)status;
    r = trace_open(o.file, &status, &err);
    if (r && info)
        status = trace_print_info(r, stdout, &err);
    else if (r && dump)
        status = trace_print_dump(r, &o.dump, stdout, &err);
    else if (r)
        status = verify(r, o.file, &err);
    trace_close(r);
    if (status != IGPU_OK)
        (void)igpu_complain("igpu trace", status, &err);
    return (int)status;
}
