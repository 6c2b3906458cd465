/* release.c - see release.h. */
#include "traces/feed/release.h"

/* Enough for any frame, and far from an overflow. */
#define MOST (UINT64_C(1) << 32)

static uint64_t bounded(uint64_t work)
{
    return work < MOST ? work : MOST;
}

/* In cycles, begun ones as whole ones. */
static uint64_t at_rate(uint64_t work, uint64_t rate)
{
    return (work + rate - 1) / rate;
}

uint64_t feed_release(const struct igpu_config *c, const uint64_t work[TRACE_WORKS])
{
    enum { BLOCK_PIXELS = 4 };
    const uint64_t cycles[] = {
        bounded(work[TRACE_WORK_VERTICES]) * c->ff_vertex_cycles,
        at_rate(bounded(work[TRACE_WORK_BYTES]), c->ff_fetch_bytes),
        bounded(work[TRACE_WORK_PRIMITIVES]) * c->ff_primitive_cycles,
        at_rate(bounded(work[TRACE_WORK_BLOCKS]) * BLOCK_PIXELS, c->ff_pixels),
        at_rate(bounded(work[TRACE_WORK_TESTS]), c->ff_tests),
    };
    uint64_t slowest = 0;

    for (unsigned i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++)
        slowest = cycles[i] > slowest ? cycles[i] : slowest;
    return c->ff_latency + slowest;
}
