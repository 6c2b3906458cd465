/* walk.h - what recorded threads do, without simulating them. */
#ifndef IGPU_SAMPLE_WALK_H
#define IGPU_SAMPLE_WALK_H
#include "bridge/host/sample/warm.h"
#include "traces/format/trace.h"

/* What a thread does in all. */
enum igpu_status walk_thread(struct trace_reader *reader, uint32_t launch,
                             uint32_t thread, struct trace_totals *totals,
                             struct igpu_err *err);

/* Hardware-thread instructions of the groups before each, sum[groups] of all: groups +
 * 1 entries, the caller's to free. NULL and *err: memory is short, or the trace is
 * damaged; *status says which. */
uint64_t *walk_instructions(struct trace_reader *reader, uint32_t launch,
                            enum igpu_status *status, struct igpu_err *err);

/* The lines of memory that the threads use, in the order of their numbers. */
enum igpu_status walk_lines(struct trace_reader *reader, uint32_t launch,
                            uint64_t first_thread, uint64_t threads, struct warm *warm,
                            struct igpu_err *err);
#endif
