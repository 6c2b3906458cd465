/* host.h - one small interface behind which every compute engine sits:
 * Verilated tiles, the Verilated full top, the C reference, an FPGA.
 * The host loop (bridge/host/sim/sim.c) owns time: it pushes tokens, runs the engine to
 * a cycle, and pulls what it made. Contract: docs/contract/model.md. */
#ifndef IGPU_HOST_H
#define IGPU_HOST_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/eu_counters.h"
#include "igpu/icache.h"
#include "igpu/limits.h"
#include "igpu/uop.h"

enum {
    HOST_EUS = LIMIT_EUS,
    HOST_SLOTS = LIMIT_SLOTS,
    HOST_MAX_TILES = LIMIT_SUBSLICES,
    HOST_NO_BARRIER = 31
};
#define HOST_NEVER UINT64_MAX /* the cycle of what needs a new token to happen */

/* START, effective at `cycle`. */
struct host_start {
    uint64_t cycle;
    uint32_t thread;
    uint8_t bslot; /* barrier slot 0..15, or HOST_NO_BARRIER */
};

/* END emitted at `cycle` (effective disp.end_latency later). */
struct host_end {
    uint64_t cycle;
    uint8_t eu, slot, bslot;
    uint8_t left; /* cycles, with this one, until no unit of the EU is occupied; only
                     where issues are not told */
};

struct host_msg {
    uint64_t cycle; /* granted by the send arbiter */
    uint32_t uop;
    uint8_t tile, eu, slot;
};

/* DONE, effective at `cycle`. */
struct host_done {
    uint64_t cycle;
    uint32_t uop;
    uint8_t tile, eu, slot;
    bool credit, wb;
};

/* An instruction issued at `cycle`: what --check compares and counters use. */
struct host_issue {
    uint64_t cycle;
    uint32_t uop;
    uint8_t tile, eu, slot;
    uint8_t unit; /* enum eu_unit */
};

/* The issues of one EU, for a host that reads them behind each window: a few
 * instructions where a call would be fifty. */
struct host_listed {
    uint64_t cycle;
    uint32_t uop;
    uint8_t slot, unit; /* unit: enum eu_unit */
    /* Of engines that have `thread`: cycles before `cycle` of the thread's issue before
     * (at first of the cycle behind its open), up to which the front end then held it,
     * in which it wanted to fetch this one, fetched it, and had all that it needs. Of
     * engines that say `fetches`, `fetched`, and as `wanted` the cycle from which on
     * its code was there (of one long ago, UINT32_MAX). */
    uint32_t last, held, wanted, fetched, ready;
    uint32_t producer; /* whose result came last, where that was behind the fetch */
    uint32_t taken; /* cycles from ready on in which an FPU (or, of an instruction for
                       FPU1, that) took another */
};

/* The same, summed over the issues of one instruction; unit and taken: to FPUs and
 * BRANCH. */
struct host_waits {
    /* What is added together does not lie together: gcc 12 would do two at once, in
     * twice as many steps. */
    uint64_t issues, icache, taken, front, fetch, unit, operand;
    uint32_t producer; /* of operand; the host's to set, UINT32_MAX: none yet */
};

struct host_list {
    struct host_listed *first, *next, *end;
    /* By instruction: an engine that has `thread` adds issues here, and lists only
     * those to SEND and those that waited for another producer: their cycle, uop, slot,
     * unit, ready, producer, and fetched (where the wait for the producer is summed
     * too, the cycle before ready). NULL: it lists all. */
    struct host_waits *waits;
    bool (*more)(struct host_list *list); /* make room; false: this one is lost */
    bool failed;                          /* the host's own: one was lost */
};

static inline void host_list_issue(struct host_list *list, unsigned slot, unsigned unit,
                                   uint32_t uop, uint64_t cycle)
{
    if (list->next == list->end && !list->more(list))
        return;
    list->next->cycle = cycle;
    list->next->uop = uop;
    list->next->slot = (uint8_t)slot;
    list->next->unit = (uint8_t)unit;
    list->next++;
}

/* The same of an engine that says `fetches`: in which cycle, and from which on its code
 * was there. */
static inline void host_list_fetched(struct host_list *list, unsigned slot,
                                     unsigned unit, uint32_t uop, uint64_t cycle,
                                     uint64_t fetched, uint64_t from)
{
    uint64_t wanted = cycle - from;

    if (list->next == list->end && !list->more(list))
        return;
    list->next->fetched = (uint32_t)(cycle - fetched);
    list->next->wanted = wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
    list->next->cycle = cycle;
    list->next->uop = uop;
    list->next->slot = (uint8_t)slot;
    list->next->unit = (uint8_t)unit;
    list->next++;
}

/* What an EU has issued in this launch. Of struct eu_counters what an issue counts;
 * opens and ends are the host's to count. */
struct host_counts {
    struct eu_counters eu;
    uint64_t last;               /* the last issue's cycle; 0: none */
    uint64_t issued[HOST_SLOTS]; /* instructions of all threads of a slot */
};

static inline void host_count_issue(struct host_counts *c, unsigned slot, unsigned unit,
                                    uint64_t cycle, uint32_t occ)
{
    c->last = cycle;
    c->issued[slot]++;
    eu_counters_issue(&c->eu, unit, cycle, occ);
}

struct host_launch {
    uint64_t cycle; /* first cycle */
    uint32_t threads, tpg;
    bool pinned;
    uint8_t slm_kb;
    bool oldest; /* units take the oldest thread, else round-robin (eu.arbiter) */
};

/* What an engine asks of the host while it runs. Called from run(), for one tile always
 * from one host thread; must not block or fail. Issues come in ascending cycles for
 * each EU, messages and ends for each tile; of one EU and cycle, issue comes before
 * end; all of a tile before a START's cycle comes before that START's open. */
struct host_calls {
    void *ctx;
    /* Thread `thread` was opened in (tile, eu, slot) at `cycle`; returns its first run.
     */
    struct uop_run (*open)(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                           uint32_t thread, uint8_t bslot, uint64_t cycle);
    /* The next run of the thread in (tile, eu, slot). Never asked after EOT. Length 0,
     * only from a host that executes threads (which wants issues): to be asked once
     * more when the thread's last instruction has issued, behind its issue(). */
    struct uop_run (*next)(void *ctx, unsigned tile, unsigned eu, unsigned slot);
    /* NULL: nobody wants issues, and the engine counts them itself (count()). */
    void (*issue)(void *ctx, const struct host_issue *issue);
    /* Of EU `eu` of tile `tile`: [tile x HOST_EUS + eu]. Only where issue is NULL, and
     * for engines that say `lists`. NULL: nobody reads them. */
    struct host_list *list;
    void (*msg)(void *ctx, const struct host_msg *msg);
    void (*end)(void *ctx, unsigned tile, const struct host_end *end);
    bool executes; /* next may return length 0 */
    /* NULL: nobody counts them. For icache_tell(): lines of a run, of which next or
     * open has told before, that the instruction cache of `tile` did not have. */
    icache_missed missed;
};

/* An instruction cache of `tile` for an engine with these calls, as icache_create(). */
static inline enum igpu_status host_icache(struct icache **cache,
                                           const struct igpu_config *config,
                                           const struct host_calls *calls,
                                           unsigned tile, struct igpu_err *err)
{
    enum igpu_status status = icache_create(cache, config, err);

    if (status == IGPU_OK)
        icache_tell(*cache, calls->missed, calls->ctx, tile);
    return status;
}

/* One whole-GPU engine. Cycles never go back. All functions but create are
 * infallible once create returned IGPU_OK, except load. */
struct host_engine_ops {
    const char *name;
    /* Build an engine for *config (copied). Everything is idle, cycle 0. */
    enum igpu_status (*create)(void **engine, const struct igpu_config *config,
                               const struct host_calls *calls, struct igpu_err *err);
    void (*destroy)(void *engine);
    /* Replace the static kernel. Only between launches. IGPU_USAGE if it does
     * not fit the instruction store that was built. */
    enum igpu_status (*load)(void *engine, const struct uop *uops, uint32_t count,
                             struct igpu_err *err);
    /* Begin a launch; the one before is over and all its DONEs were delivered. Its
     * cycle is not before the end before, but may lie less than a window before the
     * cycle up to which the (idle) engine has run. */
    void (*launch)(void *engine, const struct host_launch *launch);
    /* Queue a DONE; cycles per tile ascend strictly, and cycle >= now. */
    void (*done)(void *engine, const struct host_done *done);
    /* Simulate cycles [now, until); until - now <= window. */
    void (*run)(void *engine, uint64_t until);
    /* The earliest cycle >= now at which something can happen without a new
     * token (a queued DONE counts), or HOST_NEVER. The host may set now to it
     * through skip(). */
    uint64_t (*next_event)(void *engine);
    void (*skip)(void *engine, uint64_t cycle);
    /* True once the last END took effect; *end gets its cycle. */
    bool (*launch_over)(void *engine, uint64_t *end);
    /* What was done up to the cycle to which the engine has run, by an EU in which a
     * thread was opened in this launch. NULL: this engine has to tell issues. */
    void (*count)(void *engine, unsigned tile, unsigned eu, struct host_counts *counts);
    bool lists;   /* it keeps calls.list, and counts beside */
    bool fetches; /* and tells fetches in it */
    /* NULL: the list tells issues alone. Of a thread that runs: its last issue's cycle
     * (as host_listed.last), and the instruction that it issues next. */
    void (*thread)(void *engine, unsigned tile, unsigned eu, unsigned slot,
                   uint64_t *last, uint32_t *next);
    /* NULL: it cannot. The launch has so many threads from now on, more than before; of
     * those before some are not dispatched yet. */
    void (*extend)(void *engine, uint32_t threads);
};

/* What an engine on another machine has beyond that. */
struct host_remote {
    /* Before run(): unless a message or an end is made from now on, no DONE that was
     * not given takes effect before `cycle`, which may be far behind the window's end.
     * The engine may run ahead of the window so far, and keep what it makes. */
    void (*promise)(void *engine, uint64_t cycle);
    /* IGPU_OK, or why it no longer works; run() then does nothing. */
    enum igpu_status (*status)(void *engine, struct igpu_err *err);
    /* The cycle that the engine has come to, ahead of the window or not; waits until it
     * goes no further by itself. count() is of that cycle. */
    uint64_t (*reached)(void *engine);
    /* How it went, as lines of text into buf (always terminated). */
    void (*tell)(void *engine, char *buf, uint32_t size);
};

#endif
