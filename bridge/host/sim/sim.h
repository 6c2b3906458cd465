/* sim.h - the host loop: one engine, one memory side and one feeder, advanced
 * together window by window (docs/contract/model.md section 1).
 *
 * A sim owns time. sim_step() advances one window; the caller looks at the state,
 * the clock or a signal flag between steps. Two sims stepped side by side are what
 * --check compares, through the event log. */
#ifndef IGPU_SIM_H
#define IGPU_SIM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/cpu.h"
#include "igpu/host.h"
#include "igpu/mem.h"
#include "igpu/power.h"
#include "igpu/profile.h"
#include "igpu/sample.h"
#include "igpu/stats.h"
#include "traces/feed/feeder.h"

enum sim_state {
    SIM_RUNNING,
    SIM_DONE,    /* all launches are over and the memory side is idle */
    SIM_STOPPED, /* max_cycles reached */
    SIM_FAILED   /* see the sim's status and error */
};

enum sim_event_kind { SIM_ISSUE, SIM_MSG, SIM_ANSWER, SIM_OPEN, SIM_END };

struct sim_event {
    uint64_t cycle;
    uint32_t value; /* ISSUE, MSG, ANSWER: uop; OPEN: thread; END: barrier slot */
    uint8_t kind, tile, eu, slot, unit; /* unit of an ANSWER: enum mem_level */
};

/* Who looks on: told of each launch before its first cycle, and of opens and issues as
 * host.h orders them (for one tile always from one host thread). launch NULL: nobody.
 */
struct sim_watch {
    void *ctx;
    void (*launch)(void *ctx, uint32_t launch);
    void (*open)(void *ctx, unsigned tile, unsigned eu, unsigned slot, uint32_t thread);
    void (*issue)(void *ctx, const struct host_issue *issue);
    /* The thread in a slot ended at `cycle`; NULL: not told. */
    void (*end)(void *ctx, unsigned tile, unsigned eu, unsigned slot, uint64_t cycle);
};

/* Who is told of threads: of each that comes by its SIM_OPEN, of each that goes by its
 * SIM_END, in ascending (cycle, subslice) and there the open first, from the host
 * thread that calls sim_step(). All is the same for every engine, and however time is
 * cut into windows. When a thread comes the memory side has run to its cycle and knows
 * nothing of later ones: what is done to its caches then is done in that cycle. opened
 * NULL: nobody. */
struct sim_threads {
    void *ctx;
    void (*opened)(void *ctx, const struct sim_event *open);
    void (*ended)(void *ctx, const struct sim_event *end);
};

/* Why a sample was taken. Of one cycle: grid, then an end, then a begin; but the grid's
 * cycle that is a begin comes after it. */
enum sim_sample_kind {
    SIM_SAMPLE_GRID,
    SIM_SAMPLE_BEGIN, /* a launch's first cycle */
    SIM_SAMPLE_END    /* all it did is answered and in its place, or the run stopped */
};

/* Who takes samples (igpu/sample.h). Told in ascending cycles, from the host thread
 * that calls sim_step(), counted from the first launch's first cycle on. Engine, watch
 * and log have been told of all before a grid's cycle and of nothing later, but that
 * events behind a launch's last END may have been. A sim without samplers spends
 * nothing on them. */
struct sim_sampler {
    void *ctx;
    /* The first cycle of the grid that is not below `from`; UINT64_MAX: none. NULL:
     * launches only. */
    uint64_t (*next)(void *ctx, uint64_t from);
    /* *sample stays the sim's. */
    void (*take)(void *ctx, enum sim_sample_kind kind,
                 const struct igpu_sample *sample);
};

/* Who is told each message as the memory side gets it, in ascending (cycle, subslice),
 * and each answer as the engine gets it; *msg and *way stay the sim's. sent NULL:
 * nobody. */
struct sim_messages {
    void *ctx;
    void (*sent)(void *ctx, uint32_t launch, const struct mem_msg *msg);
    void (*answered)(void *ctx, const struct mem_done *done, const struct mem_way *way);
};

enum { SIM_SAMPLERS = 4 };

struct sim_options {
    const struct host_engine_ops *engine;
    const struct igpu_config *config;
    uint32_t first_launch, last_launch; /* inclusive */
    uint64_t max_cycles;                /* 0: no limit */
    uint64_t window;                    /* 0: the largest exact one */
    uint32_t host_threads;              /* that the engine may use; 1 or more */
    bool log;                           /* keep each step's events */
    bool energy;                        /* count for sim_energy() */
    dram_watch *dram;                   /* told each DRAM command; NULL: nobody */
    void *dram_ctx;
    struct sim_watch watch;
    struct sim_threads threads;
    struct sim_messages messages;
    /* Called with the engine once it is made, before it runs; NULL: nothing to do. */
    enum igpu_status (*prepare)(void *engine, const void *ctx, struct igpu_err *err);
    const void *prepare_ctx;
    const struct host_remote *remote; /* what else the engine has; NULL: nothing */
    /* Of cpu.agent = CPU_TRACE (igpu/cpu.h); the list stays the caller's. */
    const struct cpu_access *cpu_list;
    uint32_t cpu_count;
    /* A memory side of the same configuration, idle and the caller's, that a sim before
     * has used up to cycle `start`: caches stay as they are. NULL: a new one, start 0.
     */
    struct mem_system *mem;
    uint64_t start; /* of the first launch */
    struct sim_sampler sampler[SIM_SAMPLERS];
    uint32_t samplers;
    /* Of each launch only these parts (feeder_pick()); parts 0: all of it. */
    const struct feeder_part *part;
    uint32_t parts;
    /* Launches are executed while they are simulated (feeder_execute()); NULL: the
     * reader's paths are. */
    const struct launch_file *execute;
    const struct execute_beside *beside; /* in lock-step with that; NULL: nobody */
    struct profile *profile;             /* told all it wants to know; NULL: nobody */
    struct heat *heat; /* told of banks and lines (igpu/heat.h); NULL: nobody */
    bool kinds; /* samples tell instructions by kind and shader, at a little cost for
                   each */
};

struct sim;
/* options.heat */
const struct heat *sim_heat(const struct sim *sim);

/* Build a sim over an open trace. The reader and *options->config stay the
 * caller's and must outlive the sim. */
enum igpu_status sim_create(struct sim **sim, struct trace_reader *reader,
                            const struct sim_options *options, struct igpu_err *err);
void sim_destroy(struct sim *sim);

/* Advance by at most one window (idle time is jumped over). */
enum sim_state sim_step(struct sim *sim);

/* A launch of parts may get more of them when options.threads is told of the open that
 * leaves no more than so many of its threads to be opened, or before: then some wait to
 * be dispatched. 0: this engine cannot. */
uint64_t sim_extend_by(const struct sim *sim);
/* It has so many parts from now on: options.part has those behind the ones before. */
void sim_extend(struct sim *sim, uint32_t parts);

/* Stop a running sim here: the current launch counts as far as it got. */
void sim_stop(struct sim *sim);

uint64_t sim_now(const struct sim *sim);
uint32_t sim_launch(const struct sim *sim); /* index of the current launch */
/* SIM_DONE: the cycle in which a further launch would begin. */
uint64_t sim_next_launch(const struct sim *sim);
uint64_t sim_threads_ended(const struct sim *sim);
/* The status and, unless IGPU_OK, the text of a failed sim. */
enum igpu_status sim_status(const struct sim *sim, struct igpu_err *err);

/* Statistics of all launches so far; `launches` entries of `launch` are the same
 * for each. Valid until the next step. */
const struct sim_stats *sim_stats(struct sim *sim, uint32_t *launches,
                                  const struct sim_stats **launch);

/* What the power model needs, in the same order, and their sum; NULL without
 * options.energy. Valid until the next step. */
const struct power_events *sim_energy(const struct sim *sim,
                                      const struct power_events **launch);

/* For a sampler of a sim with options.energy: what instructions and DRAM of the launch
 * so far add, up to the sample's cycle; the rest of *events is 0. */
enum igpu_status sim_energy_so_far(const struct sim *sim, uint64_t cycle,
                                   struct power_events *events, struct igpu_err *err);

/* Events of the last step, per tile, in the order in which they were made; only
 * with options.log. */
const struct sim_event *sim_events(const struct sim *sim, unsigned tile,
                                   uint32_t *count);

/* For qsort(): by cycle, EU, slot, kind, unit. Order within a cycle is the engine's
 * own affair. */
int sim_event_compare(const void *left, const void *right);

/* How it went, in the engine's own words (options.remote); always terminated. */
void sim_engine_tell(const struct sim *sim, char *buf, uint32_t size);
/* The engine itself has failed (options.remote), not what it simulates. */
bool sim_engine_failed(const struct sim *sim);

/* What every thread waits for, as lines of text into buf. */
void sim_describe(const struct sim *sim, char *buf, uint32_t size);

/* The window this configuration permits. */
uint64_t sim_window(const struct igpu_config *config);
#endif
