/* bench_sweep.h - read streams out of one level (traces/kernels/bandwidth.cl), for the
 * groups bandwidth and memory. */
#ifndef BRIDGE_BENCH_SWEEP_H
#define BRIDGE_BENCH_SWEEP_H
#include "bridge/programs/bench/bench.h"

enum { SWEEP_ITEMS = 32 }; /* of a work-group */
enum sweep_place { SWEEP_SLM, SWEEP_L3, SWEEP_LLC, SWEEP_EDRAM, SWEEP_DRAM };

struct sweep {
    uint32_t level; /* enum sweep_place */
    uint64_t items, vector, subslices;
    uint64_t bytes; /* read in a launch, for each subslice */
};

/* Option --level of an experiment. IGPU_USAGE too when the machine has no such level.
 */
enum igpu_status sweep_level(const struct bench_context *c, uint32_t *level,
                             struct igpu_err *err);
const char *sweep_level_name(uint32_t level);
/* Loads of each work-item. */
uint64_t sweep_loads(const struct sweep *sweep);
/* Fill *sim; two launches, but one for DRAM. */
void sweep_sim(const struct bench_context *c, const struct sweep *sweep,
               struct bench_sim *sim);
/* Bytes a GPU cycle that a formula allows. */
double sweep_peak(const struct igpu_config *config, uint32_t level, double subslices);
#endif
