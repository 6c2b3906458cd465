/* cmd_disasm.c - `igpu disasm`: a trace's kernels, and how often each block ran. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/view/view.h"
#include "igpu/option.h"
#include "igpu/program.h"

static const char program[] = "igpu disasm";

static const struct igpu_option table[] = {
    {'k', "kernel", "NAME", "only this kernel"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

static void print_help(FILE *out)
{
    fputs("usage: igpu disasm [-k KERNEL] TRACE.pb\n"
          "\n"
          "Each kernel's instructions: index, byte, block, how often threads executed "
          "it in\n"
          "all launches, source line where the trace has it (of an inlined function, "
          "behind\n"
          "each <, where it is called), assembly.\n"
          "\n",
          out);
    igpu_option_help(out, table);
}

/* Add what the thread's path has to count[]. */
static enum igpu_status count_thread(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, uint64_t *count,
                                     struct igpu_err *err)
{
    enum igpu_status status;
    struct trace_cursor *cursor = trace_cursor_open(r, launch, thread, &status, err);
    enum trace_next next = TRACE_NEXT_OK;

    if (cursor == NULL)
        return status;
    while (next == TRACE_NEXT_OK) {
        const uint32_t *blocks;
        uint32_t n;

        next = trace_cursor_blocks(cursor, &blocks, &n, err);
        for (uint32_t i = 0; next == TRACE_NEXT_OK && i < n; i++)
            count[blocks[i]]++;
    }
    trace_cursor_close(cursor);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status count_kernel(struct trace_reader *r, uint32_t kernel,
                                     uint64_t *count, struct igpu_err *err)
{
    uint32_t launches = trace_summary(r)->launches;
    enum igpu_status status = IGPU_OK;

    for (uint32_t l = 0; l < launches && status == IGPU_OK; l++) {
        const struct trace_launch *launch = trace_launch(r, l);

        if (launch->kernel != kernel)
            continue;
        for (uint32_t t = 0; t < launch->threads && status == IGPU_OK; t++)
            status = count_thread(r, l, t, count, err);
    }
    return status;
}

enum { LINE_TEXT = 64 };

/* "2:17", of the kernel's second source; the sources' names are below. In an inlined
 * function "<2:30" follows, where it is called, the innermost first. Returns its
 * length, as far as there was room. */
static size_t line_text(const struct trace_kernel *k, uint32_t inst,
                        char text[LINE_TEXT])
{
    uint32_t call = k->line != NULL ? k->line[inst].call : 0;
    size_t at = 0;

    text[0] = '\0';
    if (k->line != NULL && view_source(k, inst) != NULL)
        at = (size_t)snprintf(text, LINE_TEXT, "%u:%u", k->line[inst].source,
                              k->line[inst].line);
    for (; call != 0 && at < LINE_TEXT; call = k->call[call - 1].up)
        at += (size_t)snprintf(text + at, LINE_TEXT - at, "<%u:%u",
                               k->call[call - 1].source, k->call[call - 1].line);
    return at < LINE_TEXT ? at : LINE_TEXT - 1;
}

/* The column's width. 0: no lines were recorded. */
static int line_width(const struct trace_kernel *k)
{
    size_t most = sizeof("source:line") - 1;
    char text[LINE_TEXT];

    for (uint32_t i = 0; k->line != NULL && i < k->code.count; i++) {
        size_t length = line_text(k, i, text);

        most = length > most ? length : most;
    }
    return k->line != NULL ? (int)most : 0;
}

static void print_kernel(const struct trace_kernel *k, const uint64_t *count)
{
    char text[VIEW_ASM], line[LINE_TEXT];
    int width = line_width(k);

    printf("kernel %s: SIMD%u, %u instructions, %u blocks\n", k->name, k->simd,
           k->code.count, k->blocks.count);
    printf("%5s  %6s  %5s  %10s  ", "index", "byte", "block", "executions");
    if (width != 0)
        printf("%-*s  ", width, "source:line");
    puts("instruction");
    for (uint32_t i = 0; i < k->code.count; i++) {
        uint32_t block = k->blocks.block_of[i];

        view_disasm(k, i, text);
        printf("%5u  %6u  %5u  %10" PRIu64 "  ", i, k->code.inst[i].pc, block,
               count[block]);
        if (width != 0) {
            (void)line_text(k, i, line);
            printf("%-*s  ", width, line);
        }
        puts(text);
    }
    for (uint32_t i = 0; i < k->sources; i++)
        printf("source %u: %s\n", i + 1, k->source[i].name);
}

static enum igpu_status disasm(struct trace_reader *r, const char *only,
                               struct igpu_err *err)
{
    uint32_t kernels = trace_summary(r)->kernels, shown = 0;

    for (uint32_t i = 0; i < kernels; i++) {
        const struct trace_kernel *k = trace_kernel(r, i);
        enum igpu_status status;
        uint64_t *count;

        if (only != NULL && strcmp(only, k->name) != 0)
            continue;
        count = calloc(k->blocks.count + 1, sizeof(*count));
        if (count == NULL)
            return igpu_no_memory(err, "a disassembly");
        status = count_kernel(r, i, count, err);
        if (status == IGPU_OK && shown++ > 0)
            putchar('\n');
        if (status == IGPU_OK)
            print_kernel(k, count);
        free(count);
        if (status != IGPU_OK)
            return status;
    }
    if (shown == 0)
        return igpu_fail(err, IGPU_USAGE, "-k %s: the trace has no such kernel",
                         only != NULL ? only : "");
    return IGPU_OK;
}

int cmd_disasm(int argc, char **argv)
{
    const char *only = NULL;
    struct trace_reader *reader;
    struct igpu_err err;
    enum igpu_status status;
    int option;

    optind = 1;
    while ((option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == 'h') {
            print_help(stdout);
            return 0;
        }
        if (option != 'k')
            return igpu_complain_of_option(program, argv[optind - 1]);
        only = optarg;
    }
    if (optind + 1 != argc)
        return igpu_complain_of(program, IGPU_USAGE, "expected one trace; see --help");
    reader = trace_open(argv[optind], &status, &err);
    if (reader != NULL)
        status = disasm(reader, only, &err);
    trace_close(reader);
    return status == IGPU_OK ? 0 : igpu_complain(program, status, &err);
}
