/* energy.h - the energies of a run, from its events. */
#ifndef BRIDGE_CLI_ENERGY_H
#define BRIDGE_CLI_ENERGY_H
#include "bridge/host/sim/power_trace.h"
#include "bridge/host/sim/sim.h"
#include "bridge/host/sim/timeline.h"
#include "bridge/programs/cli/options.h"
#include "igpu/stats.h"

/* Everything behind a struct stats_energy. */
struct run_energy {
    struct power_report total, *launch;
    struct power_band band;
    struct stats_energy stats;
};

/* Fill *energy for a sim with `launches` launches over and options.energy. Free it in
 * any case. */
enum igpu_status run_energy(struct run_energy *energy,
                            const struct run_options *options, const struct sim *sim,
                            uint32_t launches, struct igpu_err *err);
/* Power as the timeline's tracks. */
enum igpu_status run_energy_tracks(const struct power_trace *trace,
                                   struct timeline *timeline, struct igpu_err *err);
/* --power: power as CSV, into the file of *options. */
enum igpu_status run_energy_csv(struct power_trace *trace,
                                const struct run_options *options,
                                struct igpu_err *err);
void run_energy_free(struct run_energy *energy);
#endif
