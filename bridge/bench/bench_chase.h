/* bench_chase.h - what the experiments with pointer chases share. */
#ifndef BRIDGE_BENCH_CHASE_H
#define BRIDGE_BENCH_CHASE_H
#include <stdint.h>

#include "igpu/config.h"

/* Steps that each of `chases` chases over `bytes` walks to warm the caches, and again
 * to be measured: whole laps if a lap is short, one lap if all the lines together are
 * no more than twice what the caches below the L3 hold; else as many as that is: what
 * comes after cannot be in any cache with true LRU. `least` steps at the least. */
uint64_t bench_chase_steps(const struct igpu_config *config, uint64_t bytes,
                           uint64_t chases, uint64_t least);
#endif
