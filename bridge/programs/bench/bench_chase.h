/* bench_chase.h - what the experiments with pointer chases share. */
#ifndef BRIDGE_BENCH_CHASE_H
#define BRIDGE_BENCH_CHASE_H
#include <stdint.h>

#include "bridge/programs/bench/bench.h"

/* Steps that each of `chases` chases over `bytes` walks to warm the caches, and again
 * to be measured: whole laps if a lap is short, one lap if all the lines together are
 * no more than twice what the caches below the L3 hold; else as many as that is: what
 * comes after cannot be in any cache with true LRU. `least` steps at the least. */
uint64_t bench_chase_steps(const struct igpu_config *config, uint64_t bytes,
                           uint64_t chases, uint64_t least);

/* The statistics that tell where accesses were served, into row `i` of a table with
 * bench_chase_columns. */
#define BENCH_CHASE_COLUMNS                                                            \
    {"l3_hits_percent", 2}, {"tlb_hits_percent", 2}, {"llc_hits_percent", 2},          \
        {"cpu_llc_hits_percent", 2}, {"edram_hits_percent", 2}, {"dram_row_hits", 0},  \
        {"dram_row_misses", 0}, {"dram_row_conflicts", 0}, {"dram_wait_ns", 2},        \
    {                                                                                  \
        "dram_queue_ns", 2                                                             \
    }
void bench_chase_served(const struct bench_context *c, const struct bench_sim *sim,
                        struct bench_table *t, uint32_t i);

/* Fill *sim: a chase of the GPU over `bytes`, launched twice, each for `steps` steps
 * (a multiple of 16) from the beginning. */
void bench_chase_sim(struct bench_sim *sim, uint64_t bytes, uint64_t steps);
/* The same, but a launch of `first` steps and `more` launches of `steps`, each from
 * where the one before ended. */
void bench_chase_on_sim(struct bench_sim *sim, uint64_t bytes, uint64_t first,
                        uint32_t more, uint64_t steps);
/* Fill *sim: a chase of the CPU alone. */
void bench_chase_alone(struct bench_sim *sim, uint64_t bytes, uint64_t warm,
                       uint64_t measured);
/* Nanoseconds of an access of the CPU agents in the measured launch. */
double bench_chase_cpu_ns(const struct bench_sim *sim);
#endif
