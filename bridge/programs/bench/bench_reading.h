/* bench_reading.h - time, counters and power of a simulation's launches but the first,
 * for the groups flop, memory and power. */
#ifndef BRIDGE_BENCH_READING_H
#define BRIDGE_BENCH_READING_H
#include "bridge/programs/bench/bench.h"
#include "igpu/power.h"

struct bench_reading {
    double cycles, spread_percent; /* median over the launches; greatest less least */
    double joules[POWER_PLANES], igpu_joules, mean_seconds; /* of a launch */
    struct power_reading power;                             /* by paper 2's method */
};

/* config: of the simulation. IGPU_SIM_ERROR: out of memory. */
enum igpu_status bench_read(const struct igpu_config *config,
                            const struct bench_sim *sim, uint64_t seed,
                            struct bench_reading *reading, struct igpu_err *err);

/* Columns that both flop and memory have, and their cells. */
#define BENCH_READING_COLUMNS                                                          \
    {"time_us", 3}, {"time_spread_percent", 3}, {"eu_active_percent", 2},              \
        {"eu_stall_percent", 2}, {"fpu_both_percent", 2}, {"igpu_w", 3},               \
        {"igpu_spread_percent", 2}, {"readings", 0}, {"pkg_w", 3},                     \
    {                                                                                  \
        "dram_w", 3                                                                    \
    }
void bench_reading_fill(const struct igpu_config *config, const struct bench_sim *sim,
                        const struct bench_reading *reading, struct bench_table *t,
                        uint32_t row);
#endif
