/* trace_verify_values.c - FPU values against the path that they belong to. */
#include <stdlib.h>

#include "traces/format/trace_reader_state.h"

struct walk {
    struct trace_reader *r;
    const struct trace_kernel *kernel;
    uint32_t launch, thread;
    struct trace_cursor *path;
    struct trace_values_cursor *values;
    bool over; /* no more values are stored */
    uint64_t records;
    struct igpu_err *err;
};

/* One executed instruction. */
static enum igpu_status values_step(struct walk *w, uint32_t index)
{
    struct fpu_shape shape;
    struct fpu_values v;
    enum trace_next next;

    fpu_shape_of(&w->kernel->code.inst[index], &shape);
    if (!shape.is_fpu || w->over)
        return IGPU_OK;
    next = trace_values_next(w->values, &v, w->err);
    w->over = next == TRACE_NEXT_END;
    if (next == TRACE_NEXT_ERROR)
        return IGPU_BAD_INPUT;
    if (next == TRACE_NEXT_OK && v.inst != index)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: launch %u, thread %u: FPU values of instruction %u where "
                         "the path has %u; record it again",
                         w->r->path, w->launch, w->thread, v.inst, index);
    w->records += next == TRACE_NEXT_OK;
    return IGPU_OK;
}

static enum igpu_status walk_path(struct walk *w)
{
    uint32_t block = 0;
    struct fpu_values v;
    enum igpu_status status = IGPU_OK;
    enum trace_next next = TRACE_NEXT_OK;

    while (status == IGPU_OK && !w->over &&
           (next = trace_cursor_next_block(w->path, &block, w->err)) == TRACE_NEXT_OK) {
        const struct isa_block *b = &w->kernel->blocks.block[block];

        for (uint32_t i = b->first; i < b->first + b->count && status == IGPU_OK; i++)
            status = values_step(w, i);
    }
    if (status != IGPU_OK || next == TRACE_NEXT_ERROR)
        return IGPU_BAD_INPUT;
    if (w->over)
        return IGPU_OK;
    next = trace_values_next(w->values, &v, w->err);
    if (next == TRACE_NEXT_OK)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: launch %u, thread %u: FPU values behind the path's end; "
                         "record it again",
                         w->r->path, w->launch, w->thread);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

enum igpu_status trace_verify_values(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, uint64_t *records,
                                     struct igpu_err *err)
{
    struct walk w = {.r = r,
                     .kernel = r->kernel[r->launch[launch]->kernel],
                     .launch = launch,
                     .thread = thread,
                     .err = err};
    enum igpu_status status = IGPU_BAD_INPUT;

    if (r->nvalues == 0)
        return IGPU_OK;
    w.values = trace_values_open(r, launch, thread, err);
    if (w.values)
        w.path = trace_cursor_open(r, launch, thread, &status, err);
    if (w.path)
        status = walk_path(&w);
    *records += w.records;
    trace_cursor_close(w.path);
    trace_values_close(w.values);
    return status;
}
