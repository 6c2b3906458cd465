/* stats.h - the statistics of a launch or of a run, and their writers.
 * Names, units and definitions: stats.def. Everything here is the same for every
 * engine, machine and thread count. */
#ifndef IGPU_STATS_H
#define IGPU_STATS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/config.h"
#include "igpu/power.h"

struct sim_stats {
#define IGPU_STAT(section, name, unit, text) uint64_t section##_##name;
#include "igpu/stats.def"
#undef IGPU_STAT
    char kernel[128]; /* name; "" for a whole run */
    uint32_t index;   /* launch */
    uint32_t queue;   /* of its program, from 0; 0 also where the trace does not tell */
    bool complete;
};

/* What is not the same everywhere: about this run on this host. */
struct sim_host {
    double seconds, cpu_seconds; /* of the simulation loop */
    uint64_t rss_bytes;
};

/* Energies of the launches and of all of them; without --energy there are none. */
struct stats_energy {
    const struct power_report *total, *launch; /* as many as launches */
    const struct power_band *band;             /* of the total; NULL: not asked for */
    uint64_t seed;
    uint32_t draws;
};

/* Of what was extrapolated: the bounds of `cycles` with 95 % confidence, and how much
 * was simulated for it. */
struct stats_interval {
    uint64_t low, high, threads;
};
struct stats_sample {
    const struct stats_interval *total, *launch; /* as many as launches */
    uint32_t launches;                           /* of which something was simulated */
};

/* Of --band: the bounds of a real machine's cycles, and the least and most that the
 * sets of parameters give by themselves. */
struct stats_band {
    uint64_t low, high, least, most;
    uint32_t sets;
};

struct stats_report {
    const char *engine, *trace_path;
    const struct igpu_config *config;
    uint32_t kernels, launches_total;
    uint64_t threads_total;
    const struct sim_stats *total;
    const struct sim_stats *launch;
    uint32_t launches;
    struct sim_host host;
    const struct stats_energy *energy; /* NULL: not asked for */
    const struct stats_sample *sample; /* NULL: all was simulated */
    const struct stats_band *band;     /* of the total; NULL: not asked for */
};

/* One JSON object, with a newline at its end. */
void stats_write_json(FILE *out, const struct stats_report *report);
/* A header line and one line for each launch and for the total. */
void stats_write_csv(FILE *out, const struct stats_report *report);
/* Both into files ("-": stdout), NULL: not. Status as of igpu_output_put(). */
enum igpu_status stats_put(struct stats_report *report, const char *json,
                           const char *csv, struct igpu_err *err);
/* For people. */
void stats_write_text(FILE *out, const struct stats_report *report);
/* Every key with unit and definition. */
void stats_write_help(FILE *out);
#endif
