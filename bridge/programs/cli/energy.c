/* energy.c - see energy.h. */
#include "bridge/programs/cli/energy.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/output.h"

/* Each launch adds its own, so that the run is the sum of its launches. */
static void launch_add(struct power_report *total, const struct power_report *launch)
{
    total->seconds += launch->seconds;
    for (unsigned i = 0; i < POWER_PARTS; i++)
        total->part_pj[i] += launch->part_pj[i];
    for (unsigned i = 0; i < POWER_CLASSES; i++)
        total->class_pj[i] += launch->class_pj[i];
    for (unsigned i = 0; i < POWER_PLANES; i++)
        total->plane_pj[i] += launch->plane_pj[i];
}

enum igpu_status run_energy(struct run_energy *energy, const struct run_options *o,
                            const struct sim *sim, uint32_t launches,
                            struct igpu_err *err)
{
    const struct power_events *each, *all = sim_energy(sim, &each);
    struct power_model model;
    double pj;

    memset(energy, 0, sizeof(*energy));
    energy->launch = calloc(launches + 1, sizeof(*energy->launch));
    if (energy->launch == NULL)
        return igpu_no_memory(err, "energy");
    power_model_init(&model, &o->config);
    energy->total.volts = model.volts;
    for (uint32_t i = 0; i < launches; i++) {
        power_evaluate(&model, &each[i], &energy->launch[i]);
        launch_add(&energy->total, &energy->launch[i]);
    }
    pj = power_igpu_pj(&energy->total);
    if (all->flops > 0 && pj > 0) {
        energy->total.pj_per_flop = pj / (double)all->flops;
        energy->total.gflops_per_watt = 1e3 * (double)all->flops / pj;
    }
    energy->stats =
        (struct stats_energy){&energy->total, energy->launch,
                              o->draws > 0 ? &energy->band : NULL, o->seed, o->draws};
    return o->draws > 0
               ? power_band(&o->config, all, o->seed, o->draws, &energy->band, err)
               : IGPU_OK;
}

void run_energy_free(struct run_energy *energy)
{
    free(energy->launch);
}

enum igpu_status run_energy_tracks(const struct power_trace *trace,
                                   struct timeline *timeline, struct igpu_err *err)
{
    static const char *const names[POWER_PLANES] = {"power PKG [W]", "power PP0 [W]",
                                                    "power PP1 [W]", "power DRAM [W]"};
    const struct power_interval *interval;
    uint32_t count;
    enum igpu_status status = power_trace_get(trace, &interval, &count, err);

    for (uint32_t i = 0; status == IGPU_OK && i < count; i++)
        for (unsigned p = 0; p < POWER_PLANES; p++)
            timeline_counter(
                timeline, names[p], interval[i].from,
                power_interval_watts(trace, &interval[i], (enum power_plane)p));
    return status;
}

static void write_power(FILE *out, void *trace)
{
    power_trace_csv(out, trace);
}

enum igpu_status run_energy_csv(struct power_trace *trace, const struct run_options *o,
                                struct igpu_err *err)
{
    const struct power_interval *interval;
    uint32_t count;
    enum igpu_status status = power_trace_get(trace, &interval, &count, err);

    return status == IGPU_OK ? igpu_output_put(o->power, write_power, trace, err)
                             : status;
}
