/* ref_rig.h - the C reference engine on a bench: short kernels, a path for each
 * thread, DONEs by hand, and the cycle of everything it does. */
#ifndef REF_RIG_H
#define REF_RIG_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/ref.h"

enum { RIG_UOPS = 64, RIG_THREADS = 512, RIG_STEPS = 64, RIG_LOG = 8192 };

struct rig {
    struct igpu_config config;         /* to be changed before rig_start() */
    const struct host_engine_ops *ops; /* before rig_start(): which reference */
    void *gpu;
    uint32_t run_length; /* longest run that is delivered; 0: no limit */
    /* uop[0] is the EOT that every path ends with */
    struct uop uop[RIG_UOPS];
    uint32_t uops;
    /* What a thread executes before EOT; threads without a path: path 0's. */
    struct {
        uint32_t step[RIG_STEPS], steps;
        bool own;
    } path[RIG_THREADS];
    struct {
        uint32_t thread, at;
    } slot[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
    struct rig_open {
        uint64_t cycle;
        uint8_t tile, eu, slot, bslot;
    } open[RIG_THREADS]; /* by thread */
    uint32_t opens;
    struct host_issue issue[RIG_LOG]; /* as reported */
    uint32_t issue_thread[RIG_LOG], issues;
    struct host_msg msg[RIG_LOG];
    uint32_t msgs;
    struct host_end end[RIG_THREADS]; /* as reported */
    uint32_t ends;
};

/* skl-gt2 with one subslice of one EU; dispatch interval 1. */
struct rig *rig_new(void);
void rig_free(struct rig *r);
/* Add an instruction; returns its index. */
uint32_t rig_add(struct rig *r, struct uop uop);
/* What `thread` executes, ended by RIG_END. */
#define RIG_END UINT32_MAX
void rig_path(struct rig *r, uint32_t thread, const uint32_t *steps);
#define RIG_PATH(r, thread, ...)                                                       \
    rig_path(r, thread, (const uint32_t[]){__VA_ARGS__, RIG_END})
/* Build the engine and launch `threads` in groups of tpg at cycle 0. */
void rig_start(struct rig *r, uint32_t threads);
void rig_start_pinned(struct rig *r, uint32_t threads, uint32_t tpg, uint8_t slm_kb);
void rig_launch(struct rig *r, const struct host_launch *launch);
void rig_run(struct rig *r, uint64_t until);
/* A DONE for the instruction in (0, eu, slot). */
void rig_done(struct rig *r, uint64_t cycle, uint8_t eu, uint8_t slot, uint32_t uop,
              bool credit, bool wb);
/* Cycle in which `thread` issued its instruction number k; HOST_NEVER: not yet. */
uint64_t rig_cycle(const struct rig *r, uint32_t thread, uint32_t k);
/* And the unit it went to, or EU_UNITS. */
unsigned rig_unit(const struct rig *r, uint32_t thread, uint32_t k);
/* Cycle in which `thread` ended; HOST_NEVER: not yet. */
uint64_t rig_end(const struct rig *r, uint32_t thread);

/* An FPU instruction of class `cls` that reads GRF src and writes GRF dst (128:
 * none), E and G being `grfs`. */
struct uop rig_fpu(unsigned cls, unsigned src, unsigned dst, uint8_t grfs);
/* A data-port message that reads GRF src; rlen > 0: answers to GRFs dst... */
struct uop rig_send(unsigned src, uint8_t payload, unsigned dst, uint8_t rlen);
struct uop rig_gate(void);
struct uop rig_branch(unsigned cls, uint8_t need_x);
#endif
