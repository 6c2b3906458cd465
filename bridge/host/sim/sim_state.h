/* sim_state.h - what the files of the host loop share, and who of them does what.
 * Private to bridge/host/sim; everyone else uses sim.h.
 *
 *   sim.c           builds a sim; a step: jump over idle time, then one window
 *   sim_calls.c     what the engine reports while it runs a window: counters, tokens
 *   sim_tokens.c    tokens between engine and memory side at a window's borders
 *   sim_launch.c    a launch's begin, its end, when the next one begins
 *   sim_sample.c    samples of the counters at cycles of somebody's choice
 *   sim_energy.c    events for the power model
 *   sim_describe.c  words for the watchdog */
#ifndef IGPU_SIM_STATE_H
#define IGPU_SIM_STATE_H
#include <pthread.h>

#include "bridge/host/sim/sim.h"
#include "bridge/host/sim/sim_energy.h"
#include "bridge/host/sim/sim_stats.h"
#include "igpu/eu_counters.h"

struct sim_event_list {
    struct sim_event *event;
    uint32_t count, capacity;
};

/* What an issue needs to know of its instruction. */
struct sim_fact {
    uint8_t occ;
    bool send, wb;
    uint8_t kind;                   /* enum sample_kind; with options.kinds */
    uint32_t sends;                 /* of all before it in the kernel */
    uint32_t first_line, last_line; /* of its code */
};

/* Busy cycles of FPU0 and FPU1 by kind of instruction, and of these and SEND by shader;
 * the last one's of each. */
struct sim_kinds {
    uint64_t busy[2][SAMPLE_KINDS], stage[SAMPLE_PIPES][SAMPLE_STAGES];
    uint64_t pixel_both, both_until, until[SAMPLE_PIPES];
    uint8_t last[2], last_stage[SAMPLE_PIPES];
};

/* A run that was given to a thread: its first instruction, counted from the thread's,
 * and lines of its code. */
struct sim_run {
    uint32_t at;
    uint16_t lines, misses, merged;
};

/* More than an engine asks for before they begin: 8 of those that were sent to a board,
 * one that waits to be, two that were taken. */
enum { SIM_RUNS = 16 };

struct sim_slot {
    struct feeder_issues *issues;
    uint32_t last_uop;
    uint32_t responses; /* outstanding, barriers included; s->counted: of messages that
                           were granted */
    uint8_t bslot;
    uint8_t stage; /* enum trace_stage */
    /* In this launch: instructions of the runs that were given, and of the threads that
     * have ended. */
    uint64_t given, ended;
    uint32_t runs; /* of its thread */
    struct sim_run run[SIM_RUNS];
};

struct sim_eu {
    struct eu_counters counters;
    struct sim_slot slot[HOST_SLOTS];
    uint64_t last_issue; /* of this launch; 0: none */
    bool used;           /* a thread was opened in this launch */
    struct sim_kinds kinds;
};

/* What the engine's callbacks touch; one per tile, so that tiles may run on
 * different host threads. */
struct sim_tile {
    struct sim_event_list tokens; /* MSG, OPEN, END of this window */
    struct sim_event_list log;
    struct sim_eu eu[HOST_EUS];
    uint64_t opened, ended;
    /* Lines of code of runs that were given, and those that were not there. */
    uint64_t code_lines, code_misses, code_merged;
    bool out_of_memory;
};

/* A grid's cycle that the memory side has come to and the engine has not. */
struct sim_mem_sample {
    uint64_t cycle;
    struct sample_mem mem;
};

struct sim_sampling {
    uint32_t launch;              /* that has begun last */
    uint64_t next;                /* the grids' next cycle; UINT64_MAX: none */
    struct sim_mem_sample *queue; /* ring, ascending cycles */
    uint32_t head, count, capacity;
    bool out_of_memory;
    struct sample_eu before; /* of the launches that are over */
    struct sample_mem first; /* of the memory side at the start */
    struct sample_graphics graphics;
};

struct sim {
    struct sim_options options;
    const struct igpu_config *config;
    struct trace_reader *reader;
    struct feeder *feeder;
    struct mem_system *mem;
    void *engine;
    pthread_mutex_t lock; /* the feeder, when the engine uses several threads */
    uint64_t now, window, launch_start, ended_before;
    uint64_t engine_now; /* up to which the engine has run */
    uint64_t stalled_at; /* no deadlock by STALL_LIMIT_CYCLES before */
    uint32_t launch, uop_count;
    const struct uop *uops;
    struct sim_fact *facts; /* per static uop of the loaded kernel */
    struct feeder_launch shape;
    struct sim_energy *energy; /* NULL: not asked for */
    bool looked;               /* at issues: by the log, a watch, the energy, kinds */
    /* Of executed launches: threads that have come or gone, since when none did,
     * whether they are watched. */
    uint64_t moved, moved_at;
    bool watched;
    bool counted;              /* not looked, and the engine counts issues itself */
    bool stopping;             /* the engine is not to run ahead any more */
    bool running;              /* a launch has begun */
    bool over;                 /* its last END took effect, at `end` */
    uint64_t end, next_launch; /* next_launch: see sim_launch_settled() */
    enum sim_state state;
    enum igpu_status status;
    struct igpu_err err;
    struct sim_tile tile[HOST_MAX_TILES];
    struct sim_eu *eu[HOST_MAX_TILES][HOST_EUS]; /* in tile[]; a load costs less than
                                                its address */
    struct sim_accounts accounts;
    struct sim_sampling sampling;
};

/* It ends with `status`; s->err says why. Returns the new state. */
static inline enum sim_state sim_fail(struct sim *s, enum igpu_status status)
{
    s->status = status;
    s->state = SIM_FAILED;
    return s->state;
}

/* ---- sim_calls.c ---- */

/* For the engine; s stays the caller's. Without `issue` where s->counted. */
struct host_calls sim_calls(struct sim *s);
/* Where s->counted: take what the engine has counted in this launch. */
void sim_calls_count(struct sim *s);
/* Lines of code of the runs whose first instruction has issued, into *facts. Behind
 * sim_calls_count(). */
void sim_calls_code(const struct sim *s, struct sim_launch_facts *facts);
/* Add an event to its tile's log. */
void sim_log(struct sim *s, const struct sim_event *event);

/* ---- sim_tokens.c ---- */

/* Completions that take effect below `until`, to the engine. */
void sim_tokens_deliver(struct sim *s, uint64_t until);
/* What the engine made in its window, to the memory side. */
void sim_tokens_apply(struct sim *s);

/* ---- sim_launch.c ---- */

/* Begin launch s->launch at `cycle`. False: it cannot run; the sim has failed. */
bool sim_launch_begin(struct sim *s, uint64_t cycle);
/* True once the launch is over, all is answered and in its place; then
 * s->next_launch is the next one's first cycle (docs/contract/model.md, section 2). */
bool sim_launch_settled(struct sim *s);
/* Account for the launch and begin the next, if there is one. */
void sim_launch_end(struct sim *s);
/* Account for the launch as far as it got, up to cycle `end`. */
void sim_launch_account(struct sim *s, uint64_t end, bool complete);
/* Threads of this launch that have ended. */
uint64_t sim_launch_ended(const struct sim *s);

/* ---- sim_sample.c ---- */

/* Once the memory side is there. */
void sim_sample_start(struct sim *s);
void sim_sample_destroy(struct sim *s);
/* Before the launch: kinds of its kernel's instructions, with options.kinds. */
void sim_sample_kinds(struct sim *s);
/* Take what is due up to cycle s->now. */
void sim_sample_due(struct sim *s);
/* Launch s->launch is about to begin at `cycle`; has ended and settled, or was stopped,
 * there. */
void sim_sample_begin(struct sim *s, uint64_t cycle);
void sim_sample_end(struct sim *s, uint64_t cycle);

#endif
