/* bench_chase.c - see bench_chase.h. */
#include "bridge/bench/bench_chase.h"

uint64_t bench_chase_steps(const struct igpu_config *config, uint64_t bytes,
                           uint64_t chases, uint64_t least)
{
    uint64_t lap = bytes / 64;
    uint64_t most = 2 * (config->llc_size + config->edram_size) / 64 / chases;

    if (lap >= most && most >= least)
        return most;
    return lap >= least ? lap : (least + lap - 1) / lap * lap;
}
