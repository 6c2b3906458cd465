/* scale.h - statistics of a part as those of the whole. */
#ifndef IGPU_SAMPLE_SCALE_H
#define IGPU_SAMPLE_SCALE_H
#include "igpu/stats.h"
#include "traces/format/trace.h"

/* Counters grow with the cycles; peaks and mean times stay; what the trace says of the
 * whole launch is taken from there. */
void scale_stats(struct sim_stats *s, double cycles, const struct trace_totals *totals,
                 uint64_t threads);
/* Counters add up; peaks: the highest; mean times: by messages or requests. */
void scale_add(struct sim_stats *sum, const struct sim_stats *s);
#endif
