/* frame_cost.h - what each draw of a frame's trace takes, and which part of the GPU
 * holds it up. */
#ifndef BRIDGE_IGPU_FRAME_COST_H
#define BRIDGE_IGPU_FRAME_COST_H
#include <stdio.h>

#include "igpu/stats.h"
#include "traces/format/trace.h"

/* Parts of the GPU; each one's share of a draw is its own time over the draw's. */
enum frame_part {
    FRAME_PART_FIXED,   /* the busiest fixed function before the EUs */
    FRAME_PART_SHADERS, /* the busier FPU, mean of all EUs */
    FRAME_PART_SAMPLER,
    FRAME_PART_TARGETS,
    FRAME_PART_MEMORY, /* the busiest of L3 banks, GTI and DRAM */
    FRAME_GPU_PARTS
};

/* A draw's time goes from the end of those before it in its launch to its own end. */
struct frame_cost {
    uint32_t draw, launch; /* draw: dispatches counted with them; launch: from 0 */
    uint64_t threads[TRACE_STAGES], instructions, cycles;
    double share[FRAME_GPU_PARTS];
};

struct frame_costs {
    struct frame_cost *cost; /* of each draw with threads, each dispatch; malloc'ed */
    uint32_t count, launches;
    uint64_t cycles; /* of the frame */
};

/* Simulate a frame's trace on the C reference. IGPU_BAD_INPUT: it is none, or damaged.
 */
enum igpu_status frame_costs_find(struct frame_costs *c, const char *trace,
                                  const struct igpu_config *config,
                                  struct igpu_err *err);
void frame_costs_free(struct frame_costs *c);
/* A table for people, and the same as CSV, shares in per cent. */
void frame_costs_print(FILE *out, const struct frame_costs *c,
                       const struct igpu_config *config);
void frame_costs_csv(FILE *out, const struct frame_costs *c);
#endif
