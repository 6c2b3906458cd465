/* trace_dump_csv.c - `igpu trace dump --format csv`: a row per executed instruction,
 * in path order, threads one after the other. docs/contract/formats.md lists the
 * columns. */
#include <inttypes.h>

#include "traces/format/trace_dump.h"

struct row {
    const struct trace_kernel *kernel;
    struct trace_cursor *cursor;
    struct trace_access access; /* the next one */
    enum trace_next more;
    uint32_t launch, number, thread;
    uint64_t step;
    FILE *out;
    struct igpu_err *err;
};

static void print_addresses(const struct trace_access *a, FILE *out)
{
    const char *separator = "";

    fprintf(out, "0x%" PRIx32 ",", a->mask);
    for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
        if (a->mask >> lane & 1) {
            fprintf(out, "%s0x%" PRIx64, separator, a->addr[lane]);
            separator = " ";
        }
}

static enum igpu_status print_inst(struct row *w, uint32_t block, uint32_t index)
{
    const struct isa_inst *in = &w->kernel->code.inst[index];

    fprintf(w->out,
            "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu32 "_%" PRIu32 "_%" PRIu32
            ",%" PRIu32 ",%s,%u,",
            w->launch, w->thread, w->step++, w->number, block,
            index - w->kernel->blocks.block[block].first, in->pc,
            isa_opcode_name((enum isa_opcode)in->op), in->exec_size);
    if (w->more == TRACE_NEXT_OK && w->access.inst == index) {
        print_addresses(&w->access, w->out);
        w->more = trace_cursor_next_access(w->cursor, &w->access, w->err);
    } else {
        fputc(',', w->out);
    }
    fputc('\n', w->out);
    return w->more == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_path(struct row *w)
{
    enum igpu_status status = IGPU_OK;
    enum trace_next next;
    uint32_t b;

    w->more = trace_cursor_next_access(w->cursor, &w->access, w->err);
    if (w->more == TRACE_NEXT_ERROR)
        return IGPU_BAD_INPUT;
    while ((next = trace_cursor_next_block(w->cursor, &b, w->err)) == TRACE_NEXT_OK) {
        const struct isa_block *block = &w->kernel->blocks.block[b];

        for (uint32_t i = 0; i < block->count && status == IGPU_OK; i++)
            status = print_inst(w, b, block->first + i);
        if (status != IGPU_OK)
            return status;
    }
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_launch(struct trace_reader *r, struct row *w,
                                     const struct trace_dump_options *o)
{
    const struct trace_launch *l = trace_launch(r, w->launch);
    enum igpu_status status = IGPU_OK;

    w->number = l->kernel;
    w->kernel = trace_kernel(r, l->kernel);
    for (uint32_t t = o->first; t < l->threads && t <= o->last && status == IGPU_OK;
         t++) {
        w->thread = t;
        w->step = 0;
        w->cursor = trace_cursor_open(r, w->launch, t, &status, w->err);
        if (w->cursor)
            status = print_path(w);
        trace_cursor_close(w->cursor);
    }
    return status;
}

enum igpu_status trace_dump_csv(struct trace_reader *r,
                                const struct trace_dump_options *o, FILE *out,
                                struct igpu_err *err)
{
    struct row w = {.out = out, .err = err};
    enum igpu_status status = IGPU_OK;

    fputs("launch,thread,step,ins_uid,pc,opcode,exec_size,mask,addresses\n", out);
    for (w.launch = o->launch_first; w.launch < trace_summary(r)->launches &&
                                     w.launch <= o->launch_last && status == IGPU_OK;
         w.launch++)
        status = print_launch(r, &w, o);
    return status;
}
