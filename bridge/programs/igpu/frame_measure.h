/* frame_measure.h - looks on while a frame's trace is simulated, and notes what was
 * counted when each draw ended. */
#ifndef BRIDGE_IGPU_FRAME_MEASURE_H
#define BRIDGE_IGPU_FRAME_MEASURE_H
#include "bridge/host/sim/sim.h"
#include "bridge/programs/igpu/frame_cost.h"
#include "igpu/mem_stats.h"

/* What was counted up to a draw's end, to the length of the host's windows. */
struct frame_mark {
    uint64_t cycle;
    uint64_t fpu[2]; /* busy EU-cycles */
    struct mem_stats mem;
};

/* A draw of the trace; those without threads stay zeros. */
struct frame_measured {
    struct frame_cost cost; /* all but its cycles and shares */
    uint64_t left;          /* threads that have not ended */
    struct frame_mark mark; /* at its end, or that of the last before it */
};

struct frame_measure {
    struct trace_reader *reader;
    const struct igpu_config *config;
    struct mem_system *mem;
    struct frame_measured *draw; /* [0]: the frame's first */
    uint32_t draws;
    uint32_t *draw_of;         /* of each thread of the launch */
    uint8_t *occ;              /* of each instruction of its kernel */
    uint32_t slot[6][8][7];    /* the draw of the thread that runs there */
    uint32_t first, last;      /* the launch's draws that have not ended */
    uint64_t fpu[2], last_end; /* so far */
    enum igpu_status status;
    struct igpu_err err;
};

/* *m looks on: give it to a sim of m->reader and m->mem. What goes wrong is kept in
 * m->status. */
struct sim_watch frame_measure_watch(struct frame_measure *m);
void frame_measure_free(struct frame_measure *m);
#endif
