/* feature_trace.c - the features of a launch that a trace holds, read thread by thread.
 */
#include "traces/features/feature_state.h"

enum { PIECES = 8 };

uint32_t features_piece(uint64_t groups, uint32_t threads_per_group, uint64_t sample,
                        uint32_t i, uint64_t *first, uint64_t *count)
{
    uint64_t wanted = (sample + threads_per_group - 1) / threads_per_group;
    uint64_t least = (WINDOW + threads_per_group - 1) / threads_per_group, pieces;

    *first = 0;
    *count = groups;
    if (sample == 0 || wanted >= groups)
        return 1;
    /* A piece is a window of threads at least, else neighbours seem to share nothing.
     */
    pieces = wanted / least > PIECES ? PIECES : wanted < least ? 1 : wanted / least;
    *count = wanted / pieces;
    *first = pieces == 1 ? (groups - *count) / 2 : i * (groups - *count) / (pieces - 1);
    return (uint32_t)pieces;
}

static enum igpu_status read_blocks(struct features *f, struct thread *t,
                                    struct trace_cursor *c, struct igpu_err *err)
{
    const uint32_t *blocks;
    uint32_t count;
    enum trace_next next;

    while ((next = trace_cursor_blocks(c, &blocks, &count, err)) == TRACE_NEXT_OK)
        for (uint32_t i = 0; i < count; i++)
            features_block(f, t, blocks[i]);
    return next == TRACE_NEXT_END ? IGPU_OK : IGPU_BAD_INPUT;
}

static enum igpu_status read_accesses(struct features *f, struct thread *t,
                                      struct trace_cursor *c, struct igpu_err *err)
{
    struct trace_access access;
    enum trace_next next;

    while ((next = trace_cursor_next_access(c, &access, err)) == TRACE_NEXT_OK)
        feature_access(f, t, access.inst, access.mask, access.addr);
    return next == TRACE_NEXT_END ? IGPU_OK : IGPU_BAD_INPUT;
}

/* The thread `number` of the trace, told as thread `as`. */
static enum igpu_status read_thread(struct features *f, struct trace_reader *reader,
                                    uint32_t launch, uint64_t number, uint64_t as,
                                    struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    struct trace_totals totals = {0, 0, 0};
    struct thread *t = features_thread_begin(f, as);
    struct trace_cursor *c =
        trace_cursor_open(reader, launch, (uint32_t)number, &status, err);

    if (c == NULL)
        return status;
    status = read_blocks(f, t, c, err);
    if (status == IGPU_OK)
        status = read_accesses(f, t, c, err);
    if (status == IGPU_OK)
        status = trace_cursor_totals(c, &totals, err);
    trace_cursor_close(c);
    if (status == IGPU_OK)
        features_thread_end(f, t, &totals);
    return status;
}

enum igpu_status features_of_trace(struct features *f, struct trace_reader *reader,
                                   uint32_t index, uint64_t sample, double *value,
                                   uint64_t *read, struct igpu_err *err)
{
    const struct trace_launch *launch = trace_launch(reader, index);
    const struct trace_kernel *kernel = trace_kernel(reader, launch->kernel);
    uint64_t tpg = launch->threads_per_group, groups = launch->threads / tpg;
    uint64_t first, count, as = 0;
    uint32_t pieces = features_piece(groups, (uint32_t)tpg, sample, 0, &first, &count);
    enum igpu_status status =
        features_begin(f, kernel, launch, pieces * count * tpg, err);

    for (uint32_t i = 0; i < pieces && status == IGPU_OK; i++) {
        (void)features_piece(groups, (uint32_t)tpg, sample, i, &first, &count);
        for (uint64_t n = first * tpg; n < (first + count) * tpg && status == IGPU_OK;
             n++)
            status = read_thread(f, reader, index, n, as++, err);
    }
    if (read != NULL)
        *read = as;
    return status == IGPU_OK ? features_end(f, value, err) : status;
}
