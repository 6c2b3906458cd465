/* array_engine.c - see array_engine.h. The RTL keeps target time itself; this file
 * clocks it up to a limit, gives it what it asks for, and reports what it does. */
#include "array_engine.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/rtl/rtl_ranges.h"
#include "bridge/rtl/rtl_regs.h"
#include "igpu/icache.h"

enum {
    QUEUE = 256, /* responses under way to a tile: at most 71 */
    UNITS = 4,
    SEND = 2,
    STAMP_MASK = 0x7ff, /* stamps are cycles modulo this + 1 */
    /* As in engine_full.c: without any event for so long, nothing happens by itself. */
    QUIET_CYCLES = 35000
};

struct tile {
    struct icache *icache;
    uint32_t done_head, done_tail;
    struct host_done done[QUEUE];
    uint8_t bslot[HOST_EUS][HOST_SLOTS];
};

struct engine {
    struct host_calls calls;
    struct array_ports p;
    unsigned tiles, pipes;
    uint64_t now, last_event, end;
    bool over;
    struct array_counts counts;
    struct uop *uops;
    struct tile tile[HOST_MAX_TILES];
};

/* ---- one clock --------------------------------------------------------------------
 */

/* The cycle of a stamp: this one or the one before. */
static uint64_t cycle_of(const struct engine *e, uint16_t stamp)
{
    return e->now - ((e->now - stamp) & STAMP_MASK);
}

/* Tile and EU of a pipeline's context. */
static void place(const struct engine *e, unsigned pipe, unsigned ctx, unsigned *tile,
                  unsigned *eu)
{
    unsigned all = pipe * e->p.shape.contexts + ctx;

    *tile = all / e->p.shape.eus;
    *eu = all % e->p.shape.eus;
}

static void report_issue(struct engine *e, unsigned pipe, unsigned unit)
{
    const struct array_ports *p = &e->p;
    unsigned tile, eu, slot = p->ret_slot[pipe] >> 3 * unit & 7;
    struct host_issue issue = {.cycle = cycle_of(e, p->ret_now[pipe]),
                               .uop = p->ret_uop[UNITS * pipe + unit],
                               .slot = (uint8_t)slot,
                               .unit = (uint8_t)unit};

    place(e, pipe, p->ret_ctx[pipe], &tile, &eu);
    issue.tile = (uint8_t)tile;
    issue.eu = (uint8_t)eu;
    e->calls.issue(e->calls.ctx, &issue);
    if (unit == SEND && e->uops[issue.uop].flags & UOP_EOT)
        e->calls.end(e->calls.ctx, tile,
                     &(struct host_end){issue.cycle, issue.eu, issue.slot,
                                        e->tile[tile].bslot[eu][slot]});
}

static void report_issues(struct engine *e)
{
    e->last_event = e->now;
    for (unsigned i = 0; i < e->pipes; i++)
        for (unsigned valid = e->p.ret_valid[i]; valid; valid &= valid - 1)
            report_issue(e, i, (unsigned)__builtin_ctz(valid));
}

/* The next runs that are asked for, in the clock of the question. */
static void answer(struct engine *e)
{
    struct array_ports *p = &e->p;

    for (uint64_t ask = *p->ask; ask; ask &= ask - 1) {
        unsigned i = (unsigned)__builtin_ctzll(ask), tile, eu;
        struct uop_run run;

        place(e, i, p->ask_ctx[i], &tile, &eu);
        run = e->calls.next(e->calls.ctx, tile, eu, p->ask_slot[i]);
        p->run_pc[i] = run.pc;
        p->run_len[i] = (uint16_t)run.len;
        p->run_wait[i] = (uint8_t)icache_wait(e->tile[tile].icache, eu, run,
                                              cycle_of(e, p->ask_now[i]) + 1);
    }
}

/* Thread opened in the cycle that has just ended. */
static void open_thread(struct engine *e, unsigned i, uint64_t cycle)
{
    struct array_ports *p = &e->p;
    unsigned eu = p->open_eu[i], slot = p->open_slot[i];
    struct uop_run run;

    e->tile[i].bslot[eu][slot] = p->open_bslot[i];
    run = e->calls.open(e->calls.ctx, i, eu, slot, p->open_thread[i], p->open_bslot[i],
                        cycle);
    p->open_pc[i] = run.pc;
    p->open_len[i] = (uint16_t)run.len;
    p->open_wait[i] = (uint8_t)icache_wait(e->tile[i].icache, eu, run, cycle + 1);
}

/* What the cycle before e->now brought. */
static void end_cycle(struct engine *e)
{
    const struct array_ports *p = &e->p;
    uint64_t cycle = e->now - 1;

    if (*p->msg_valid | *p->open_valid)
        e->last_event = e->now;
    for (unsigned v = *p->msg_valid; v; v &= v - 1) {
        unsigned i = (unsigned)__builtin_ctz(v);
        struct host_msg msg = {cycle, p->msg_uop[i], (uint8_t)i, p->msg_eu[i],
                               p->msg_slot[i]};

        e->calls.msg(e->calls.ctx, &msg);
    }
    for (unsigned v = *p->open_valid; v; v &= v - 1)
        open_thread(e, (unsigned)__builtin_ctz(v), cycle);
    if (*p->over) {
        e->over = true;
        e->end = cycle;
    }
}

/* The responses of cycle e->now on the ports. */
static void respond(struct engine *e)
{
    struct array_ports *p = &e->p;

    *p->done_valid = 0;
    for (unsigned i = 0; i < e->tiles; i++) {
        struct tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];
        uint8_t bit = (uint8_t)(1u << i);

        if (t->done_head == t->done_tail || d->cycle != e->now)
            continue;
        t->done_head++;
        e->last_event = e->now;
        *p->done_valid |= bit;
        *p->done_wb = (uint8_t)((*p->done_wb & ~bit) | (d->wb ? bit : 0));
        *p->done_credit = (uint8_t)((*p->done_credit & ~bit) | (d->credit ? bit : 0));
        p->done_eu[i] = d->eu;
        p->done_slot[i] = d->slot;
        p->done_uop[i] = d->uop;
    }
}

void array_engine_run(void *engine, uint64_t until)
{
    struct engine *e = engine;
    struct array_ports *p = &e->p;

    if (e->now >= until)
        return;
    *p->limit = until;
    respond(e);
    do {
        p->clock(p->model);
        e->counts.clocks++;
        if (*p->now != e->now) {
            e->counts.cycles++;
            e->now = *p->now;
            end_cycle(e);
            if (e->now < until)
                respond(e);
        }
        if (*p->event & ARRAY_ISSUES)
            report_issues(e);
        if (*p->event & ARRAY_ASKS)
            answer(e);
    } while (!(*p->event & ARRAY_IDLE));
    *p->done_valid = 0;
}

/* ---- host.h -----------------------------------------------------------------------
 */

void array_engine_destroy(void *engine)
{
    struct engine *e = engine;

    e->p.destroy(e->p.model);
    for (unsigned i = 0; i < e->tiles; i++)
        icache_destroy(e->tile[i].icache);
    free(e->uops);
    free(e);
}

static void configure(struct engine *e, const struct igpu_config *config)
{
    const struct rtl_reg *regs;
    size_t count;

    *e->p.rst_n = 0;
    e->p.clock(e->p.model);
    *e->p.rst_n = 1;
    *e->p.limit = 0;
    *e->p.cfg_we = 1;
    regs = rtl_regs(&count);
    for (size_t r = 0; r < count; r++) {
        uint64_t value;

        memcpy(&value, (const char *)config + regs[r].offset, sizeof(value));
        *e->p.cfg_addr = regs[r].addr;
        *e->p.cfg_data = (uint8_t)value;
        e->p.clock(e->p.model);
    }
    *e->p.cfg_we = 0;
}

enum igpu_status array_engine_create(void **engine, const struct array_ports *ports,
                                     const struct igpu_config *config,
                                     const struct host_calls *calls,
                                     struct igpu_err *err)
{
    struct engine *e = calloc(1, sizeof(*e));
    enum igpu_status status = IGPU_OK;

    if (!e) {
        ports->destroy(ports->model);
        return igpu_fail(err, IGPU_SIM_ERROR, "EU pipelines: out of memory");
    }
    e->p = *ports;
    e->calls = *calls;
    e->tiles = (unsigned)config->gpu_subslices;
    e->pipes = ports->shape.tiles * ports->shape.eus / ports->shape.contexts;
    if (config->gpu_subslices > ports->shape.tiles ||
        config->eu_count > ports->shape.eus)
        status = igpu_fail(err, IGPU_USAGE,
                           "EU pipelines: %u subslices of %u EUs were built; use "
                           "--engine ref",
                           ports->shape.tiles, ports->shape.eus);
    for (unsigned i = 0; i < e->tiles && status == IGPU_OK; i++)
        status = icache_create(&e->tile[i].icache, config, err);
    if (status != IGPU_OK) {
        e->tiles = e->tiles > ports->shape.tiles ? 0 : e->tiles;
        array_engine_destroy(e);
        return status;
    }
    configure(e, config);
    *engine = e;
    return IGPU_OK;
}

static void store(struct engine *e, uint32_t index, const struct rtl_ranges *ranges)
{
    *e->p.store_we = 1;
    *e->p.store_addr = index;
    *e->p.store_set = rtl_set_word(ranges);
    *e->p.store_need = rtl_need_word(ranges);
    *e->p.store_uctl = rtl_uctl(&e->uops[index]);
    e->p.clock(e->p.model);
    *e->p.store_we = 0;
}

enum igpu_status array_engine_load(void *engine, const struct uop *uops, uint32_t count,
                                   struct igpu_err *err)
{
    struct engine *e = engine;
    struct rtl_ranges ranges;
    enum igpu_status status;

    for (uint32_t u = 0; u < count; u++)
        if (!rtl_ranges(&uops[u], &ranges))
            return igpu_fail(err, IGPU_USAGE,
                             "instruction %u of the kernel: its registers are not %d "
                             "ranges and a destination; use --engine ref",
                             u, RTL_SOURCES);
    status = rtl_keep_uops(&e->uops, uops, count, e->p.shape.store, err);
    for (unsigned i = 0; i < e->tiles && status == IGPU_OK; i++)
        status = icache_load(e->tile[i].icache, e->uops, count, err);
    for (uint32_t u = 0; u < count && status == IGPU_OK; u++) {
        (void)rtl_ranges(&e->uops[u], &ranges);
        store(e, u, &ranges);
    }
    return status;
}

void array_engine_launch(void *engine, const struct host_launch *launch)
{
    struct engine *e = engine;
    struct array_ports *p = &e->p;

    e->now = e->last_event = launch->cycle;
    e->over = false;
    for (unsigned i = 0; i < e->tiles; i++) {
        e->tile[i].done_head = e->tile[i].done_tail = 0;
        icache_launch(e->tile[i].icache);
    }
    *p->limit = *p->launch_now = launch->cycle;
    *p->launch_threads = launch->threads;
    *p->launch_tpg = (uint8_t)launch->tpg;
    *p->launch_pinned = launch->pinned;
    *p->launch_slm = launch->slm_kb;
    *p->launch = 1;
    p->clock(p->model);
    *p->launch = 0;
}

void array_engine_done(void *engine, const struct host_done *done)
{
    struct engine *e = engine;
    struct tile *t = &e->tile[done->tile];

    t->done[t->done_tail++ % QUEUE] = *done;
}

uint64_t array_engine_next_event(void *engine)
{
    const struct engine *e = engine;
    uint64_t next = HOST_NEVER;

    if (e->now < e->last_event + QUIET_CYCLES)
        return e->now;
    for (unsigned i = 0; i < e->tiles; i++) {
        const struct tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];

        if (t->done_head != t->done_tail && d->cycle < next)
            next = d->cycle;
    }
    return next;
}

/* Only after QUIET_CYCLES: what the RTL would do in the cycles between is nothing, so
 * it executes them. */
void array_engine_skip(void *engine, uint64_t cycle)
{
    array_engine_run(engine, cycle);
}

bool array_engine_over(void *engine, uint64_t *end)
{
    const struct engine *e = engine;

    if (e->over)
        *end = e->end;
    return e->over;
}

struct array_counts array_engine_counts(const void *engine)
{
    const struct engine *e = engine;

    return e->counts;
}
