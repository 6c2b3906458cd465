/* frame_trace.h - `igpu frame trace`, and what it does as a function. */
#ifndef BRIDGE_IGPU_FRAME_TRACE_H
#define BRIDGE_IGPU_FRAME_TRACE_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"
#include "igpu/option.h"

struct frame_recorded {
    uint64_t frame;
    uint32_t draws, dispatches, kernels;
    uint64_t messages, cut; /* with lines; those with more than a record has */
    uint64_t depth_cut;     /* runs of tests' lines for which no thread had room */
};

/* Execute a capture and record the shaders of a frame (0: the last one) to the trace
 * `out`, which appears whole or not at all; no_hiz: without tests by hierarchical
 * depth. The status and text of frame_play() or of the trace writer. */
enum igpu_status frame_trace_record(const char *file, uint64_t frame, bool no_hiz,
                                    const char *out, struct frame_recorded *recorded,
                                    struct igpu_err *err);

extern const struct igpu_option frame_trace_options[]; /* for --help */

/* argv[0] is "trace". Returns the exit status. */
int frame_trace(int argc, char **argv);
#endif
