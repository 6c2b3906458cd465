/* walk.c - see walk.h. */
#include "bridge/host/sample/walk.h"

#include <stdlib.h>

enum igpu_status walk_thread(struct trace_reader *reader, uint32_t launch,
                             uint32_t thread, struct trace_totals *totals,
                             struct igpu_err *err)
{
    enum igpu_status status;
    struct trace_cursor *cursor =
        trace_cursor_open(reader, launch, thread, &status, err);

    if (cursor == NULL)
        return status;
    status = trace_cursor_totals(cursor, totals, err);
    trace_cursor_close(cursor);
    return status;
}

uint64_t *walk_instructions(struct trace_reader *reader, uint32_t launch,
                            enum igpu_status *status, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(reader, launch);
    uint32_t groups = l->threads / l->threads_per_group;
    uint64_t *sum = calloc((size_t)groups + 1, sizeof(*sum));

    *status = IGPU_OK;
    if (sum == NULL)
        *status = igpu_no_memory(err, "sample");
    for (uint32_t t = 0; t < l->threads && *status == IGPU_OK; t++) {
        uint32_t group = t / l->threads_per_group;
        struct trace_totals totals;

        if (t % l->threads_per_group == 0)
            sum[group + 1] = sum[group];
        *status = walk_thread(reader, launch, t, &totals, err);
        if (*status == IGPU_OK)
            sum[group + 1] += totals.instructions;
    }
    if (*status == IGPU_OK)
        return sum;
    free(sum);
    return NULL;
}

/* Instructions that access memory beyond a subslice: of each if so. NULL: memory is
 * short. */
static bool *beyond_slm(const struct isa_kernel_code *code)
{
    bool *beyond = calloc(code->count, sizeof(*beyond));

    for (uint32_t i = 0; beyond != NULL && i < code->count; i++)
        beyond[i] = trace_has_access(&code->inst[i]) &&
                    code->inst[i].msg.addr_model != ISA_ADDR_SLM;
    return beyond;
}

static enum igpu_status thread_lines(struct trace_cursor *cursor,
                                     const struct isa_inst *inst, const bool *wanted,
                                     struct warm *warm, struct igpu_err *err)
{
    uint64_t addr[TRACE_MAX_LANES], stride;
    uint32_t at, mask;
    enum trace_next got;
    bool even;

    while ((got = trace_cursor_next_of(cursor, wanted, &at, &mask, addr, &even, &stride,
                                       err)) == TRACE_NEXT_OK) {
        if (even)
            warm_row(warm, &inst[at], mask, addr[0], stride);
        else
            warm_lanes(warm, &inst[at], mask, addr);
    }
    return got == TRACE_NEXT_END ? IGPU_OK : IGPU_BAD_INPUT;
}

enum igpu_status walk_lines(struct trace_reader *reader, uint32_t launch,
                            uint64_t first_thread, uint64_t threads, struct warm *warm,
                            struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(reader, launch);
    const struct isa_kernel_code *code = &trace_kernel(reader, l->kernel)->code;
    bool *wanted = beyond_slm(code);
    enum igpu_status status = IGPU_OK;

    if (wanted == NULL)
        return igpu_no_memory(err, "sample");
    for (uint64_t t = 0; t < threads && status == IGPU_OK; t++) {
        struct trace_cursor *cursor = trace_cursor_open(
            reader, launch, (uint32_t)(first_thread + t), &status, err);

        if (cursor == NULL)
            break;
        status = thread_lines(cursor, code->inst, wanted, warm, err);
        trace_cursor_close(cursor);
    }
    free(wanted);
    return status;
}
