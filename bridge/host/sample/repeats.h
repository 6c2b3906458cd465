/* repeats.h - launches of a trace that are another one over again. */
#ifndef IGPU_SAMPLE_REPEATS_H
#define IGPU_SAMPLE_REPEATS_H
#include "traces/format/trace.h"

/* Of each launch the first one of the trace with the same kernel, sizes, arguments and
 * totals, perhaps itself: they access the same lines, but where other data lead to
 * other places and to as many. An entry a launch, the caller's to free; NULL: memory is
 * short. */
uint32_t *repeats_find(const struct trace_reader *reader);
#endif
