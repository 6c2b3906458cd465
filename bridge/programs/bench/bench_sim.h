/* bench_sim.h - one simulation of an experiment: what to record, how to run it, and
 * the statistics it gave. */
#ifndef BRIDGE_BENCH_SIM_H
#define BRIDGE_BENCH_SIM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"

enum {
    BENCH_SIM_ARGS = 8,
    BENCH_SIM_TEXT = 96, /* bytes of an argument or a setting */
    BENCH_SIM_SETTINGS = 8
};

struct bench_sim {
    /* The trace: NULL for none (CPU agents alone, `warm` accesses before the `measured`
     * ones), else `repeat` launches of a kernel of traces/kernels/. */
    const char *file, *kernel;
    char options[160]; /* build options */
    uint64_t global, local;
    uint64_t rows;       /* not 0: a range of two dimensions, local x local a group */
    char trace[4096];    /* not "": this trace instead of a kernel's */
    const char *machine; /* not NULL: instead of the command line's configuration */
    uint32_t repeat;
    uint64_t warm, measured;
    char arg[BENCH_SIM_ARGS][BENCH_SIM_TEXT];
    uint32_t args;
    /* In all launches but the first, argument again_arg is this; "": no change. */
    char again[BENCH_SIM_TEXT];
    uint32_t again_arg;
    /* Settings beyond those of the command line. */
    char setting[BENCH_SIM_SETTINGS][BENCH_SIM_TEXT];
    uint32_t settings;
    bool energy; /* with --energy */
    char *csv;   /* result: what --csv printed; freed by bench_sims_free() */
};

/* Append a formatted argument (see argspec.h), or a key=value setting. */
void bench_sim_arg(struct bench_sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_sim_set(struct bench_sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Column `name` of the last launch; 0 when there is no such column, which is a mistake
 * in the program. */
double bench_sim_value(const struct bench_sim *sim, const char *name);

/* Launches in the result, and the column of launch `launch` (counted from 0). */
uint32_t bench_sim_launches(const struct bench_sim *sim);
double bench_sim_launch_value(const struct bench_sim *sim, const char *name,
                              uint32_t launch);

/* Make the trace unless the cache has it; its path into path[cap]. */
enum igpu_status bench_trace(const struct bench_sim *sim, const char *device,
                             char *path, uint32_t cap, struct igpu_err *err);

void bench_sims_free(struct bench_sim *sims, uint32_t count);
#endif
