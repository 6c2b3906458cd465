/* pieces.h - the launches of a trace cut into pieces that are simulated side by side
 * (docs/guide/sampling.md, section 5). Where it is cut follows from the trace alone, so
 * the results are the same for any number of processes. */
#ifndef IGPU_SAMPLE_PIECES_H
#define IGPU_SAMPLE_PIECES_H
#include "bridge/host/sample/side.h"

/* Cut those of the `count` launches from `first` on that are wanted (by row; NULL: all)
 * into runs without gaps, larger ones first: job[count] gets them, rows counted from
 * `first`. Returns how many. */
uint32_t pieces_cut(const struct trace_reader *reader, uint32_t first, uint32_t count,
                    const bool *wanted, struct side_job *job);

/* Launches side->first..last on side->jobs processes. With side->sample as many of them
 * are sampled as its error needs. *l is freed by launches_free() after every call. */
enum igpu_status pieces_run(struct launches *l, const struct side *side, uint32_t last,
                            struct igpu_err *err);
#endif
