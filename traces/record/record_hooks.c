/* record_hooks.c - see record_hooks.h. */
#include "traces/record/record_hooks.h"

#include <stdlib.h>
#include <string.h>

static bool on_begin(void *ctx, uint64_t thread)
{
    struct recorder *r = ctx;

    r->thread[thread % RECORDER_OPEN] =
        trace_thread_begin(r->writer, (uint32_t)(thread - r->less));
    r->told[thread % RECORDER_OPEN] = 0;
    if (r->ports != NULL)
        memset(&r->ports[thread % RECORDER_OPEN], 0, sizeof(*r->ports));
    return r->thread[thread % RECORDER_OPEN] != NULL;
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct recorder *r = ctx;

    trace_thread_block(r->thread[thread % RECORDER_OPEN], block);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct recorder *r = ctx;

    trace_thread_access(r->thread[thread % RECORDER_OPEN], access->inst, access->mask,
                        access->addr);
    if (r->also->access != NULL)
        r->also->access(r->also->ctx, thread, access);
}

static void on_told(void *ctx, uint64_t thread, const uint64_t *word, size_t words)
{
    struct recorder *r = ctx;

    trace_thread_told(r->thread[thread % RECORDER_OPEN], word, words);
}

static void on_values(void *ctx, uint64_t thread, const struct fpu_values *values)
{
    struct recorder *r = ctx;
    const struct record_values *limit = &r->values;

    if (r->toggles != NULL)
        toggle_add(&r->code->inst[values->inst], values,
                   &r->ports[thread % RECORDER_OPEN], &r->toggles[values->inst]);
    if (!limit->on || (limit->threads && thread >= limit->threads) ||
        (limit->instructions && r->told[thread % RECORDER_OPEN] >= limit->instructions))
        return;
    r->told[thread % RECORDER_OPEN]++;
    trace_thread_values(r->thread[thread % RECORDER_OPEN], values);
}

static void on_thread_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct recorder *r = ctx;
    struct trace_totals totals = {counts->instructions, counts->lane_instructions,
                                  counts->flops};

    /* The writer keeps an error and trace_writer_launch_end() reports it. */
    (void)trace_thread_end(r->thread[thread % RECORDER_OPEN], &totals, NULL);
    if (r->also->thread_end != NULL)
        r->also->thread_end(r->also->ctx, thread, counts);
}

/* ---- threads that are like those of the first group --------------------------------
 */

static void on_alike_begin(void *ctx, uint64_t first, uint32_t threads)
{
    struct recorder *r = ctx;

    trace_writer_alike_begin(r->writer, (uint32_t)(first - r->less), threads);
}

static bool on_alike_ended(void *ctx, bool proved)
{
    struct recorder *r = ctx;

    return trace_writer_alike_ended(r->writer, proved);
}

static void on_alike(void *ctx, const struct emu_alike_thread *a,
                     const struct emu_counts *counts)
{
    struct recorder *r = ctx;
    struct trace_totals totals = {counts->instructions, counts->lane_instructions,
                                  counts->flops};

    trace_thread_alike(r->writer, (uint32_t)(a->thread - r->less),
                       (uint32_t)(a->like - r->less), a->sends, a->inst, a->way,
                       &totals);
    if (r->also->thread_end != NULL)
        r->also->thread_end(r->also->ctx, a->thread, counts);
}

static const struct emu_alike_hooks alike = {on_alike_begin, on_alike_ended, on_alike};

struct emu_hooks recorder_hooks(struct recorder *r)
{
    bool told = r->values.on || r->toggles != NULL;

    return (struct emu_hooks){r,
                              on_begin,
                              on_block,
                              on_access,
                              on_thread_end,
                              told ? on_values : NULL,
                              false,
                              r->also->access == NULL ? on_told : NULL,
                              r->also->access == NULL && !told ? &alike : NULL};
}

bool recorder_toggles(struct recorder *r)
{
    if (!r->values.toggles)
        return true;
    r->toggles = calloc(r->code->count + 1u, sizeof(*r->toggles));
    r->ports = calloc(RECORDER_OPEN, sizeof(*r->ports));
    return r->toggles != NULL && r->ports != NULL;
}

void recorder_free(struct recorder *r)
{
    free(r->toggles);
    free(r->ports);
}
