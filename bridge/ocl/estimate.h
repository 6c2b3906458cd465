/* estimate.h - the time of a launch from that of its sample: looks on while the sample
 * is simulated, warms the caches before each of its places, and extrapolates.
 *
 * While the device is full, a launch takes the cycles that its threads are on it,
 * divided by how many are on it at a time. So each share of the grid takes what the
 * threads of its place took, as many times more as it has instructions (if it was not
 * executed: threads); how many are on the device at a time is the mean from the first
 * end of a thread to the sample's last dispatch. */
#ifndef IGPU_OCL_ESTIMATE_H
#define IGPU_OCL_ESTIMATE_H
#include "bridge/ocl/sample.h"
#include "bridge/sim/sim.h"

struct estimate {
    const struct sim *sim; /* set once it is made */
    struct mem_system *mem;
    struct sample *sample;
    uint32_t next; /* place that is to come */
    uint64_t next_thread;
    uint8_t place[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];  /* of the thread there, */
    uint64_t since[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS]; /* from this cycle on */
    uint64_t open, at; /* threads on the device, since this cycle */
    uint64_t sum;      /* of `open` over cycles until then */
    struct {
        uint64_t cycle, sum;
    } full, last; /* when the first thread ended; at the last dispatch */
};

/* For a sim over the sample's trace, whose memory side is `mem`; *e lives as long as
 * the sim. Set e->sim before its first step. */
struct sim_watch estimate_watch(struct estimate *e, struct sample *sample,
                                struct mem_system *mem);
/* The sample's simulation is over: the caches get what is left for them. Returns the
 * cycles that the rest would take. */
uint64_t estimate_rest(struct estimate *e);
#endif
