/* engine_full.c - the whole Verilated top igpu behind host.h: global dispatcher and
 * tiles wired together, clocked as one. Slower than the tiles (engine_tiles.c); it
 * shows that both ways give the same cycles. This file only carries tokens.
 *
 * Verilator calls the imports of one cycle in an order of its own, so what they
 * report is kept until the cycle is over and handed to the host by tile. Opens and
 * next runs, which are answered at once, touch only their own tile. */
#include <stdlib.h>
#include <string.h>

#include "bridge/rtl/engine_rtl.h"
#include "bridge/rtl/full_shim.h"
#include "bridge/rtl/rtl_regs.h"
#include "bridge/rtl/rtl_tile.h"
#include "igpu/host.h"

_Static_assert((int)FULL_TILES == (int)HOST_MAX_TILES, "every configuration fits");

enum {
    QUEUE = 256,           /* responses under way to a tile: at most 71 */
    ISSUES = 4 * HOST_EUS, /* of a tile in one cycle */
    /* Without an issue, a message, an end, a thread opened or a response for this
     * long, the top is at a fixpoint: no pipe holds a result longer than 1023
     * cycles, 71 responses of 31 GRFs at 15 cycles each need 33015, and front end
     * and delay lines (255, 63) and the dispatch interval (255) add to that. */
    QUIET_CYCLES = 35000
};

struct full_tile {
    struct rtl_tile dpi; /* what the RTL knows as the tile's context */
    unsigned issues;
    bool sent;
    struct host_issue issue[ISSUES]; /* of the cycle in hand */
    struct host_msg msg;
    uint32_t done_head, done_tail;
    struct host_done done[QUEUE];
};

struct engine {
    struct host_calls calls; /* the host's */
    struct host_calls kept;  /* the imports': ours */
    void *top;
    unsigned tiles;
    uint64_t now, last_event, end;
    bool over;
    struct uop *uops;
    struct full_tile tile[FULL_TILES];
};

/* ---- what the imports report ------------------------------------------------- */

static struct uop_run on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                              uint32_t thread, uint8_t bslot, uint64_t cycle)
{
    struct engine *e = ctx;

    e->last_event = cycle;
    return e->calls.open(e->calls.ctx, tile, eu, slot, thread, bslot, cycle);
}

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    const struct engine *e = ctx;

    return e->calls.next(e->calls.ctx, tile, eu, slot);
}

static void on_issue(void *ctx, const struct host_issue *issue)
{
    struct engine *e = ctx;
    struct full_tile *t = &e->tile[issue->tile];

    t->issue[t->issues++] = *issue;
}

static void on_msg(void *ctx, const struct host_msg *msg)
{
    struct engine *e = ctx;
    struct full_tile *t = &e->tile[msg->tile];

    t->msg = *msg;
    t->sent = true;
}

static void on_end(void *ctx, unsigned tile, const struct host_end *end)
{
    const struct engine *e = ctx;

    e->calls.end(e->calls.ctx, tile, end);
}

/* Of one EU, issues come from one process, so they are in order among themselves. */
static void report(struct engine *e, struct full_tile *t)
{
    if (t->issues == 0 && !t->sent)
        return; /* no end either: it comes with its issue */
    e->last_event = t->dpi.now;
    for (unsigned i = 0; i < t->issues; i++)
        e->calls.issue(e->calls.ctx, &t->issue[i]);
    if (t->sent)
        e->calls.msg(e->calls.ctx, &t->msg);
    rtl_tile_flush(&t->dpi);
    t->issues = 0;
    t->sent = false;
}

/* ---- one cycle ----------------------------------------------------------------- */

/* Put the responses of `cycle` on the ports; returns whether there are any. */
static bool respond(struct engine *e, uint64_t cycle)
{
    bool any = false;

    for (unsigned i = 0; i < e->tiles; i++) {
        struct full_tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];

        if (t->done_head == t->done_tail || d->cycle != cycle)
            continue;
        full_shim_done(e->top, d);
        t->done_head++;
        e->last_event = cycle;
        any = true;
    }
    return any;
}

static void full_run(void *engine, uint64_t until)
{
    struct engine *e = engine;
    bool over;

    if (e->now >= until)
        return;
    /* Responses of the first cycle may have come after it was loaded. */
    (void)respond(e, e->now);
    over = full_shim_load(e->top, false, e->now);
    for (; e->now < until; e->now++) {
        for (unsigned i = 0; i < e->tiles; i++)
            e->tile[i].dpi.now = e->now;
        if (over) {
            e->over = true;
            e->end = e->now;
        }
        if (e->now + 1 < until)
            (void)respond(e, e->now + 1);
        over = full_shim_load(e->top, true, e->now + 1);
        for (unsigned i = 0; i < e->tiles; i++)
            report(e, &e->tile[i]);
    }
}

/* ---- host.h ---------------------------------------------------------------------- */

static void full_destroy(void *engine)
{
    struct engine *e = engine;

    full_shim_del(e->top);
    for (unsigned i = 0; i < FULL_TILES; i++)
        icache_destroy(e->tile[i].dpi.icache);
    free(e->uops);
    free(e);
}

static enum igpu_status full_create(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    struct engine *e = calloc(1, sizeof(*e));
    void *context[FULL_TILES];
    enum igpu_status status = IGPU_OK;
    const struct rtl_reg *regs;
    size_t count;

    if (!e)
        return igpu_fail(err, IGPU_SIM_ERROR, "RTL engine: out of memory");
    e->calls = *calls;
    e->kept = (struct host_calls){e, on_open, on_next, on_issue, on_msg, on_end};
    e->tiles = (unsigned)config->gpu_subslices;
    for (unsigned i = 0; i < FULL_TILES; i++) {
        e->tile[i].dpi.calls = e->kept;
        e->tile[i].dpi.number = (uint8_t)i;
        context[i] = &e->tile[i].dpi;
    }
    e->top = full_shim_new(context);
    for (unsigned i = 0; i < FULL_TILES && status == IGPU_OK; i++)
        status = icache_create(&e->tile[i].dpi.icache, config, err);
    if (status != IGPU_OK) {
        full_destroy(e);
        return status;
    }
    regs = rtl_regs(&count);
    for (size_t r = 0; r < count; r++) {
        uint64_t value;

        memcpy(&value, (const char *)config + regs[r].offset, sizeof(value));
        full_shim_config(e->top, regs[r].addr, (uint8_t)value);
    }
    *engine = e;
    return IGPU_OK;
}

static enum igpu_status full_load(void *engine, const struct uop *uops, uint32_t count,
                                  struct igpu_err *err)
{
    struct engine *e = engine;
    enum igpu_status status =
        rtl_keep_uops(&e->uops, uops, count, FULL_STORE_DEPTH, err);

    if (status != IGPU_OK)
        return status;
    for (unsigned i = 0; i < FULL_TILES && status == IGPU_OK; i++) {
        e->tile[i].dpi.uops = e->uops;
        status = icache_load(e->tile[i].dpi.icache, e->uops, count, err);
    }
    for (uint32_t u = 0; u < count; u++)
        full_shim_store(e->top, u, &e->uops[u], rtl_uctl(&e->uops[u]));
    return status;
}

static void full_launch(void *engine, const struct host_launch *launch)
{
    struct engine *e = engine;

    e->now = e->last_event = launch->cycle;
    e->over = false;
    for (unsigned i = 0; i < FULL_TILES; i++) {
        e->tile[i].done_head = e->tile[i].done_tail = 0;
        icache_launch(e->tile[i].dpi.icache);
    }
    full_shim_launch(e->top, launch);
}

static void full_done(void *engine, const struct host_done *done)
{
    struct engine *e = engine;
    struct full_tile *t = &e->tile[done->tile];

    t->done[t->done_tail++ % QUEUE] = *done;
}

/* Every cycle counts until nothing was seen for QUIET_CYCLES; from then on only a
 * response can change anything. The same holds after the launch's last end: messages
 * may still wait for their credit. */
static uint64_t full_next_event(void *engine)
{
    const struct engine *e = engine;
    uint64_t next = UINT64_MAX;

    if (e->now < e->last_event + QUIET_CYCLES)
        return e->now;
    for (unsigned i = 0; i < e->tiles; i++) {
        const struct full_tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];

        if (t->done_head != t->done_tail && d->cycle < next)
            next = d->cycle;
    }
    return next;
}

static void full_skip(void *engine, uint64_t cycle)
{
    struct engine *e = engine;

    e->now = cycle;
}

static bool full_launch_over(void *engine, uint64_t *end)
{
    const struct engine *e = engine;

    if (!e->over)
        return false;
    *end = e->end;
    return true;
}

const struct host_engine_ops host_engine_rtl_full = {
    "rtl-full", full_create,     full_destroy, full_load,        full_launch, full_done,
    full_run,   full_next_event, full_skip,    full_launch_over, NULL,
};
