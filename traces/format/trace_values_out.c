/* trace_values_out.c - writing the values section, see trace.h and the .proto. A
 * thread's records gather in a buffer of its own; pieces of it, and whole buffers of
 * threads that end, make sections. */
#include <stdlib.h>

#include "traces/format/trace_values.h"
#include "traces/format/trace_writer_state.h"

enum { PIECE_BYTES = 1 << 16 }; /* a thread's buffer, and a section, is full */

static void out_of_memory(struct trace_writer *w)
{
    trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
}

static bool value_add(struct trace_array *a, uint32_t value)
{
    return trace_array_add(a, &value, sizeof(value));
}

void trace_values_flush(struct trace_writer *w)
{
    Vigpu__Trace__Values message = VIGPU__TRACE__VALUES__INIT;
    struct trace_values_out *v = &w->values;

    if (v->thread.count == 0 || w->failed)
        return;
    message.launch = w->launches;
    TRACE_LAY(message, thread, v->thread);
    TRACE_LAY(message, records, v->records);
    TRACE_LAY(message, size, v->size);
    message.data.data = v->data.data;
    message.data.len = v->data.size;
    trace_writer_section(w, TRACE_KIND_VALUES, &message.base, v->of,
                         (const uint32_t[]){v->first, v->last});
    v->bytes += v->data.size;
    v->thread.count = v->records.count = v->size.count = v->data.size = 0;
}

void trace_values_end(struct trace_thread *t)
{
    struct trace_writer *w = t->w;
    struct trace_values_out *v = &w->values;

    if (t->nvalues == 0 || w->failed)
        return;
    if (v->thread.count == 0)
        v->first = v->last = t->id;
    v->first = t->id < v->first ? t->id : v->first;
    v->last = t->id > v->last ? t->id : v->last;
    trace_bytes_put(&v->data, t->values.data, t->values.size);
    if (t->values.failed || v->data.failed || !value_add(&v->thread, t->id) ||
        !value_add(&v->records, t->nvalues) ||
        !value_add(&v->size, (uint32_t)t->values.size))
        out_of_memory(w);
    v->total += t->nvalues;
    t->nvalues = 0;
    t->values.size = 0;
    if (v->data.size >= PIECE_BYTES)
        trace_values_flush(w);
}

void trace_thread_values(struct trace_thread *t, const struct fpu_values *values)
{
    struct trace_writer *w = t->w;
    const struct isa_inst *inst;
    struct fpu_shape shape;

    if (w->failed)
        return;
    if (values->inst >= w->kernel->insts) {
        trace_writer_fail(w, IGPU_SIM_ERROR,
                          "trace writer: thread %u: instruction %u does not exist",
                          t->id, values->inst);
        return;
    }
    inst = &w->kernel->inst[values->inst];
    fpu_shape_of(inst, &shape);
    if (!shape.is_fpu) {
        trace_writer_fail(w, IGPU_SIM_ERROR,
                          "trace writer: thread %u: instruction %u is no FPU's", t->id,
                          values->inst);
        return;
    }
    trace_values_put(&t->values, inst, &shape, values);
    t->nvalues++;
    if (t->values.size >= PIECE_BYTES)
        trace_values_end(t);
}

void trace_values_out_free(struct trace_values_out *v)
{
    free(v->thread.data);
    free(v->records.data);
    free(v->size.data);
    for (int i = 0; i < 3; i++)
        free(v->of[i].data);
    trace_bytes_free(&v->data);
}
