/* power_trace.h - power against time: a sampler (sim.h) that notes each component's
 * energy at the cycles of a grid. A launch's intervals add up to its energy.
 * Tests: tests/bridge/test_energy.sh */
#ifndef IGPU_POWER_TRACE_H
#define IGPU_POWER_TRACE_H
#include <stdio.h>

#include "bridge/host/sim/sim.h"

struct power_trace;

struct power_interval {
    uint32_t launch;   /* of the trace */
    uint64_t from, to; /* GPU cycles */
    double part_pj[POWER_PARTS];
};

/* "10us", "500ns", "1ms", 100 ns to 1 s, in GPU cycles (1 at the least). IGPU_USAGE:
 * something else; `option` is what the message calls it. */
enum igpu_status power_every_parse(const char *option, const char *text,
                                   double *seconds, struct igpu_err *err);

/* An interval each `seconds`, and at each launch's begin and end. *config stays the
 * caller's. IGPU_SIM_ERROR: no memory. */
enum igpu_status power_trace_create(struct power_trace **trace,
                                    const struct igpu_config *config, double seconds,
                                    struct igpu_err *err);
/* Add its sampler to *options, which get energy too. */
void power_trace_attach(struct power_trace *trace, struct sim_options *options);
/* The sim that was made from them; before its first step. */
void power_trace_watch(struct power_trace *trace, const struct sim *sim);
void power_trace_destroy(struct power_trace *trace);

/* All intervals so far, in order; IGPU_SIM_ERROR: memory was short. */
enum igpu_status power_trace_get(const struct power_trace *trace,
                                 const struct power_interval **interval,
                                 uint32_t *count, struct igpu_err *err);
/* As CSV: times in us, powers in W, of planes and components. */
void power_trace_csv(FILE *out, const struct power_trace *trace);
/* Watts of a plane in an interval. */
double power_interval_watts(const struct power_trace *trace,
                            const struct power_interval *interval,
                            enum power_plane plane);
#endif
