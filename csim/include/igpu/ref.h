/* ref.h - the C reference of the compute engines: global dispatcher, tiles with
 * local dispatcher, EUs and send arbiter. Cycle-exact by docs/model.md, written
 * from it alone. Knows no host loop, no trace, no memory side: it takes START's
 * source (a launch), DONE tokens and runs of instructions, and reports issues,
 * messages and ends.
 *
 * Order of reports: ref_calls.issue in ascending cycles for one EU; msg and end
 * in ascending cycles for one tile; a tile's reports of cycles before a START
 * come before that START's open. Nothing else is promised. */
#ifndef IGPU_REF_H
#define IGPU_REF_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/uop.h"

enum { REF_TILES = 6, REF_EUS = 8, REF_SLOTS = 7, REF_NO_BARRIER = 31 };
#define REF_NEVER UINT64_MAX

enum ref_unit { REF_FPU0, REF_FPU1, REF_SEND, REF_BRANCH, REF_UNITS };

/* An instruction, message or end in (tile, eu, slot) at `cycle`. */
struct ref_issue {
    uint64_t cycle;
    uint32_t uop;
    uint8_t tile, eu, slot;
    uint8_t unit; /* enum ref_unit */
};

struct ref_msg {
    uint64_t cycle; /* granted by the send arbiter */
    uint32_t uop;
    uint8_t tile, eu, slot;
};

struct ref_end {
    uint64_t cycle; /* emitted; takes effect disp.end_latency later */
    uint8_t tile, eu, slot;
    uint8_t bslot; /* barrier slot, or REF_NO_BARRIER */
};

struct ref_done {
    uint64_t cycle; /* takes effect */
    uint32_t uop;
    uint8_t tile, eu, slot;
    bool credit, wb;
};

struct ref_open {
    uint64_t cycle;
    uint32_t thread;
    uint8_t tile, eu, slot, bslot;
};

struct ref_launch {
    uint64_t cycle;   /* first cycle; behind the end of the launch before */
    uint32_t threads; /* at least 1; a multiple of tpg when pinned */
    uint32_t tpg;     /* threads of a group, at least 1 */
    bool pinned;      /* a group stays in one subslice */
    uint8_t slm_kb;   /* of one group */
};

struct ref_calls {
    void *ctx;
    /* A thread was opened; returns its first run. */
    struct uop_run (*open)(void *ctx, const struct ref_open *open);
    /* The run after the one whose last instruction was just fetched. */
    struct uop_run (*next)(void *ctx, unsigned tile, unsigned eu, unsigned slot);
    void (*issue)(void *ctx, const struct ref_issue *issue);
    void (*msg)(void *ctx, const struct ref_msg *msg);
    void (*end)(void *ctx, const struct ref_end *end);
};

struct ref_gpu;

/* Build an engine for *config (copied; checked by igpu_config_check before).
 * IGPU_SIM_ERROR: out of memory. */
enum igpu_status ref_gpu_create(struct ref_gpu **gpu, const struct igpu_config *config,
                                const struct ref_calls *calls, struct igpu_err *err);
void ref_gpu_destroy(struct ref_gpu *gpu);

/* Replace the kernel; only between launches. IGPU_BAD_INPUT: an instruction
 * breaks docs/model.md section 5 (the old kernel stays). */
enum igpu_status ref_gpu_load(struct ref_gpu *gpu, const struct uop *uops,
                              uint32_t count, struct igpu_err *err);
/* Begin a launch: everything is as at the start. The one before is over and all
 * its messages are answered; the engine may have run beyond launch->cycle. */
void ref_gpu_launch(struct ref_gpu *gpu, const struct ref_launch *launch);
/* Queue a DONE: cycles per tile ascend strictly, none before the engine's. */
void ref_gpu_done(struct ref_gpu *gpu, const struct ref_done *done);
/* Simulate up to (not including) cycle `until`. The caller has queued every
 * DONE with a cycle below `until`. */
void ref_gpu_run(struct ref_gpu *gpu, uint64_t until);
/* The earliest cycle at which something can happen without a new DONE or
 * launch, never later than it really happens; REF_NEVER: nothing can. */
uint64_t ref_gpu_next_event(const struct ref_gpu *gpu);
/* Set the engine's cycle; `cycle` is not above ref_gpu_next_event(). */
void ref_gpu_skip(struct ref_gpu *gpu, uint64_t cycle);
/* True once the cycle in which the last END takes effect was simulated; *end
 * gets it. */
bool ref_gpu_over(const struct ref_gpu *gpu, uint64_t *end);

/* Process parts in reverse order from now on. Cycles must not depend on it;
 * for tests. */
void ref_gpu_reverse(struct ref_gpu *gpu, bool reverse);
#endif
