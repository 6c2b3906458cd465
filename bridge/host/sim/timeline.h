/* timeline.h - what a run did and when, as a file for Perfetto (ui.perfetto.dev) or
 * chrome://tracing; timeline_out.h has its two forms.
 *
 * A process for each subslice, in it for each EU a track for each thread slot (a slice
 * from open to end), and for each of its four units (a slice for each instruction,
 * issue cycle and occupancy); messages from grant to answer, with what answered them,
 * are asynchronous slices. With a profile each thread slot has a track of its thread's
 * waits, a slice for each reason.
 * Times are simulated. Memory in proportion to what is under way, not to the length of
 * the run.
 * Tests: tests/bridge/test_timeline.sh */
#ifndef IGPU_TIMELINE_H
#define IGPU_TIMELINE_H
#include "bridge/host/sim/sim.h"

struct timeline;

/* Create `path` (whole or not at all, see igpu/output.h). The reader, the configuration
 * and the sim (made with options.log) stay the caller's and outlive the timeline. */
enum igpu_status timeline_open(struct timeline **timeline, const char *path,
                               const struct igpu_config *config,
                               struct trace_reader *reader, struct sim *sim,
                               struct igpu_err *err);
/* Of instructions, threads, waits and messages only what lies, in part, in cycles
 * [from, to), of launches and EUs (subslice x EUs + EU) first to last. */
struct timeline_window {
    uint64_t from, to;
    uint32_t first_launch, last_launch, first_eu, last_eu;
};
void timeline_window(struct timeline *t, const struct timeline_window *window);
/* The sim's profile, before the first step: waits are shown. */
void timeline_waits(struct timeline *t, struct profile *profile);
/* One sim_step(), and what it did goes into the file. */
enum sim_state timeline_step(struct timeline *t);
/* From `cycle` on the GPU's counter track `name` has this value. Any order. */
void timeline_counter(struct timeline *t, const char *name, uint64_t cycle,
                      double value);
/* End all that is under way now, complete the file; t is gone. */
enum igpu_status timeline_close(struct timeline *t, struct igpu_err *err);
/* Give up: no file, t is gone. NULL is allowed. */
void timeline_abort(struct timeline *t);
#endif
