/* machine.h - a simulated machine that runs one launch of a trace after the other, each
 * whole or as a sample of its groups. */
#ifndef IGPU_SAMPLE_MACHINE_H
#define IGPU_SAMPLE_MACHINE_H
#include "bridge/host/sample/measure.h"
#include "bridge/host/sample/options.h"
#include "bridge/host/sample/waits.h"
#include "bridge/host/sample/warm.h"
#include "igpu/stats.h"

struct machine {
    struct sim_options
        sim; /* engine, config, prepare...; mem, start, launches are ours */
    struct trace_reader *reader;
    struct mem_system *mem; /* NULL: cold */
    uint64_t next;          /* cycle in which the next launch begins */
    /* Asked between steps; true ends the run with IGPU_STOPPED. */
    bool (*stop)(void *ctx, uint64_t cycle);
    void *stop_ctx;
    bool profile; /* of each launch, by instruction and what launches simulated whole
                     are told by beside */
    enum profile_by by;
};

/* One launch. */
struct machine_result {
    struct sim_stats stats;         /* of what was simulated */
    struct estimate time;           /* of all; without windows exact */
    uint32_t windows;               /* 0: all was simulated */
    uint64_t threads, instructions; /* simulated */
    uint64_t span;                  /* cycles from its begin to the next one's */
    struct waits_profile *profile;  /* with machine.profile; the caller's to free */
};

/* Release what it holds. */
void machine_free(struct machine *m);
/* Simulate the launch as it is. */
enum igpu_status machine_whole(struct machine *m, uint32_t launch,
                               struct machine_result *r, struct igpu_err *err);
/* Simulate as many windows of it as *options wants, or all of it if windows would be
 * more than half. */
enum igpu_status machine_sample(struct machine *m, uint32_t launch,
                                const struct sample_options *options,
                                struct machine_result *r, struct igpu_err *err);
/* Nothing of launches first..last is simulated: the caches get what they leave. */
enum igpu_status machine_skip(struct machine *m, uint32_t first, uint32_t last,
                              struct igpu_err *err);
#endif
