/* sim_energy.h - counts what the power model needs while a sim runs (igpu/power.h).
 * Private to bridge/host/sim; its results are sim.h's. Counts of a tile are touched by
 * the host thread that runs the tile alone. */
#ifndef IGPU_SIM_ENERGY_H
#define IGPU_SIM_ENERGY_H
#include "igpu/host.h"
#include "igpu/power.h"
#include "igpu/stats.h"

struct sim_energy {
    const struct igpu_config *config;
    struct power_inst *inst; /* of the loaded kernel's instructions */
    uint32_t *line;          /* line of code in which each ends */
    uint32_t count;
    uint64_t *issued[HOST_MAX_TILES]; /* of each instruction, in this launch */
    struct power_dram *dram;
    struct power_events *launch, total;
    uint32_t launches, capacity;
};

/* For `launches` launches, from GPU cycle `start` on. IGPU_SIM_ERROR: no memory. */
enum igpu_status sim_energy_create(struct sim_energy **energy,
                                   const struct igpu_config *config, uint32_t launches,
                                   uint64_t start, struct igpu_err *err);
void sim_energy_destroy(struct sim_energy *energy);

/* A launch of this code begins. toggles: one for each instruction, or NULL. */
void sim_energy_begin(struct sim_energy *energy, const struct isa_kernel_code *code,
                      const struct toggle_count *toggles);

static inline void sim_energy_issue(struct sim_energy *energy, unsigned tile,
                                    uint32_t uop)
{
    energy->issued[tile][uop]++;
}

/* What instructions and DRAM of the launch so far add, up to `cycle`; the rest of
 * *events is 0. */
enum igpu_status sim_energy_look(const struct sim_energy *energy, uint64_t cycle,
                                 struct power_events *events, struct igpu_err *err);

/* The launch, with these statistics, is over in GPU cycle `end`. */
enum igpu_status sim_energy_end(struct sim_energy *energy,
                                const struct sim_stats *stats, uint64_t end,
                                struct igpu_err *err);
#endif
