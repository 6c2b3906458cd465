/* sample.h - what the simulated machine has counted up to a cycle: the cumulative
 * counters behind OA reports and power timelines. Contract: docs/contract/oa.md,
 * *Samples*.
 *
 * A sample at cycle T holds exactly what happened in cycles below T: an EU's busy time
 * up to T, a message once its port sees it, its lines as they leave, below the GTI all
 * up to T's time. It is the same for every engine and however the host cuts time, so
 * samples of any two grids agree where they meet, and differences add up to the
 * statistics. Who takes them: bridge/host/sim/sim.h (struct sim_sampler), igpu/mem.h.
 */
#ifndef IGPU_SAMPLE_H
#define IGPU_SAMPLE_H
#include <stdint.h>

#include "igpu/limits.h"

enum {
    SAMPLE_PORTS = LIMIT_SUBSLICES,
    SAMPLE_BANKS = 16,
    SAMPLE_OPS = 3,   /* read, write, atomic */
    SAMPLE_PIPES = 3, /* FPU0, FPU1, SEND */
    SAMPLE_STAGES = 6 /* shaders */
};
/* Kinds of FPU instructions, by their sources: one or none, two, three. */
enum sample_kind { SAMPLE_MOVE, SAMPLE_BINARY, SAMPLE_TERNARY, SAMPLE_KINDS };

/* Of a subslice's data port; `op` as in enum mem_op of igpu/mem.h. */
struct sample_port {
    uint64_t messages[SAMPLE_OPS]; /* to global memory, with an enabled lane */
    uint64_t lines[SAMPLE_OPS];    /* distinct 64 B lines of these, sent to the L3 */
    uint64_t full_cycles; /* a message waited for a place in the port's table */
    /* Of its subslice's sampler: cycles in which a message took it, and in which one
     * waited in front of it. */
    uint64_t sampler_busy, sampler_waited;
};

/* Of a bank of the L3; banks of slice s begin at s x l3.banks. */
struct sample_bank {
    uint64_t accesses;              /* lines served */
    uint64_t stalled_cycles;        /* a line waited for an MSHR or the write buffer */
    uint64_t gti_reads, gti_writes; /* its lines through the GTI */
};

/* The memory side's counters by the names of mem_stats.def. Peaks are left out. */
struct sample_mem {
#define MEM_STAT(section, name, unit, text) uint64_t section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    struct sample_port port[SAMPLE_PORTS];
    struct sample_bank bank[SAMPLE_BANKS];
};

/* Summed over all EUs; names and meanings as in stats.def. */
struct sample_eu {
    uint64_t instructions, threads; /* issued; dispatched */
    uint64_t active, stall, fpu0, fpu1, fpu_both, send, branch;
    /* Of fpu0 and fpu1; 0, as all of these, unless sim_options.kinds is set. */
    uint64_t kind[2][SAMPLE_KINDS];
    /* Of fpu0, fpu1 and send, by threads of kernels and compute shaders, of vertex and
     * of pixel shaders; of fpu_both, where both are of pixel shaders. */
    uint64_t compute[SAMPLE_PIPES], vertex[SAMPLE_PIPES], pixel[SAMPLE_PIPES];
    uint64_t pixel_both;
    uint64_t resident; /* thread-cycles: threads open, from START to END inclusive */
};

/* Of the threads of graphics, which have a payload: */
struct sample_graphics {
    uint64_t
        threads[SAMPLE_STAGES]; /* dispatched; by enum trace_stage, compute's is 0 */
    uint64_t blocks;            /* of 2x2 pixels, rasterized for these threads */
};

struct igpu_sample {
    uint64_t cycle;
    uint64_t busy;   /* cycles since the run's first: it has nothing to wait for */
    uint64_t launch; /* that runs; between two, the one before, and from its begin's own
                        sample on the next */
    uint64_t context; /* the launch's, from 1; 1 if the trace does not say */
    struct sample_eu eu;
    struct sample_graphics graphics;
    struct sample_mem mem;
};
#endif
