/* options.h - the command line of ./Vigpu and `igpu ref`. */
#ifndef IGPU_OPTIONS_H
#define IGPU_OPTIONS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bridge/host/sample/options.h"
#include "bridge/host/sim/machine.h"
#include "bridge/host/sim/oa_stream.h"
#include "bridge/host/sim/sim.h"
#include "bridge/host/sim/timeline.h"
#include "bridge/programs/cli/engines.h"

enum option_action { OPTION_RUN, OPTION_HELP, OPTION_VERSION, OPTION_STATS_HELP };

enum { OPTION_DUMPS = 32 };

struct run_options {
    enum option_action action;
    struct igpu_config config;
    char machine_note[MACHINE_NOTE]; /* on the machine and the trace's device; "": none
                                      */
    const struct engine *engine;
    const char *trace, *json, *csv, *timeline, *wave, *dump_config;
    const char *place;             /* of --engine fpga:PLACE; NULL: not remote */
    struct timeline_window window; /* of the timeline; to 0: the end */
    bool windowed;                 /* one of them was given */
    const char *cpu_trace;         /* file of the CPU agent's accesses; NULL */
    bool check, check_values, quiet;
    bool execute; /* the trace is a launch file */
    bool rtl_values;
    struct {
        uint32_t arg;
        const char *path;
    } dump[OPTION_DUMPS];
    unsigned dumps;
    bool band; /* cycles with an interval, from sets of parameters */
    bool energy;
    /* Where the threads' cycles go: files, and how many instructions the text has;
     * only: nothing else is told. */
    bool profile, profile_only;
    const char *profile_json, *profile_html;
    uint32_t profile_top;
    bool heat;
    uint32_t ease_percent, ease_cycles; /* of what a verdict names; 0: not asked */
    uint8_t profile_by;                 /* enum view_by */
    bool profile_map;                   /* by EU for the page alone */
    bool sampled;                       /* as `sample` says */
    struct sample_options sample;
    bool warm;     /* the caches as the launches before first_launch leave them */
    uint32_t jobs; /* processes for pieces of the launches; 0: one simulation of all */
    const char *dram;      /* file of the DRAM's commands; NULL */
    const char *messages;  /* file of the messages; NULL */
    const char *series;    /* statistics over time, as CSV; NULL */
    uint64_t series_every; /* cycles; 0: not said */
    bool series_tracks;    /* also, or only, into the timeline */
    const char *power;     /* power against time, as CSV; NULL */
    double power_seconds;  /* of an interval */
    uint32_t draws;        /* of the energy's band; 0: none */
    uint64_t seed;
    bool has_range;
    uint32_t first_launch, last_launch; /* inclusive */
    uint64_t max_cycles;
    uint32_t threads;
    /* OA reports: what was given (NULL: not), and what follows from it; stream.set is
     * NULL without reports. */
    const char *oa, *counters, *every;
    bool per_launch;
    struct oa_stream_options stream;
    int argc; /* all that was given, to be repeated */
    char *const *argv;
};

/* Fill *options. IGPU_USAGE or IGPU_BAD_INPUT with the line to print in *err. */
enum igpu_status options_parse(struct run_options *options, int argc, char **argv,
                               const struct engine_set *engines, struct igpu_err *err);

void options_help(FILE *out, const struct engine_set *engines);
/* One of the files is "-", so that the text has no place there. */
bool options_use_stdout(const struct run_options *options);
/* The launches of the trace that --kernels names, or all, into *so. */
enum igpu_status options_launches(const struct run_options *options,
                                  const struct trace_reader *reader,
                                  struct sim_options *so, struct igpu_err *err);
#endif
