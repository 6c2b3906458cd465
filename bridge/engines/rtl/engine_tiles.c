/* engine_tiles.c - the RTL in parts behind host.h: an object of the EU class for each
 * EU, one of the local class (local dispatcher, send arbiter) for each tile, one of the
 * global class. This file is their sequencer, and carries what they tell each other;
 * what an EU, an arbiter or a dispatcher does is decided in RTL.
 *
 * A tile is run over a whole window before the next one. In it only what has
 * something to do is clocked: an EU in the cycles that it names and in those in which
 * it is given something, and the local class only when a thread starts or ends, a
 * message waits, or a credit comes back. docs/develop/verilated-unit.md has the
 * measurements behind this cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/engines/rtl/rtl_fields.h"
#include "bridge/engines/rtl/rtl_ranges.h"
#include "bridge/engines/rtl/rtl_regs.h"
#include "bridge/engines/rtl/tiles.h"
#include "igpu_regs_words.h"

/* ---- one cycle of a tile ----------------------------------------------------- */

/* A credit comes back in this cycle. */
static bool credit_at(struct tile_live *t, uint64_t cycle)
{
    const struct host_done *d = &t->done[t->done_head % TILE_QUEUE];

    if (t->done_head == t->done_tail || d->cycle != cycle)
        return false;
    t->done_head++;
    return true;
}

/* Let the send arbiter see the cycle, if it concerns it. Returns the grant. */
static uint8_t send_cycle(const struct tiles *e, struct tile_live *t, bool credit)
{
    uint8_t grant;

    if (!credit && (t->req & ~t->denied) == 0)
        return 0;
    grant = e->shim->local_send(t->local, t->req, t->port, credit);
    /* Without a grant nothing changes until a credit or another request comes. */
    t->denied = grant || credit ? 0 : t->req;
    return grant;
}

/* The granted message leaves. */
static void send(struct tiles *e, struct tile_live *t, unsigned i, uint64_t cycle)
{
    bool full = t->eu[i].full;
    struct rtl_queue q = tile_queue(e, t, i, cycle, NULL, true);
    struct host_msg msg = {cycle, q.uop, t->dpi.number, (uint8_t)i, q.slot};

    t->eu[i].sends--;
    e->calls.msg(e->calls.ctx, &msg);
    if (full)
        tile_wake(t, i, cycle + 1, cycle + 1);
}

/* The thread that was opened in the cycle before. */
static void give(struct tile_live *t, uint64_t cycle, const struct rtl_opened *opened)
{
    struct rtl_visit *v = &t->eu[opened->eu].given;

    v->given = true;
    v->runs |= RTL_OPENED;
    v->open_slot = opened->slot;
    t->eu[opened->eu].from[opened->slot] = cycle + opened->run.wait;
    v->run = opened->run;
    tile_wake(t, opened->eu, cycle + 1, cycle + 1);
}

/* Let the local dispatcher see the cycle, if it concerns it. */
static void local_cycle(const struct tiles *e, struct tile_live *t, uint64_t cycle)
{
    const struct host_start *start = NULL, *s = &t->start[t->start_head % TILE_QUEUE];
    const struct tile_ended *ended = &t->ended[cycle % TILE_AHEAD];

    if (t->start_head != t->start_tail && s->cycle == cycle) {
        start = s;
        t->start_head++;
    }
    t->opened.valid = false;
    if (start || ended->who)
        e->shim->local_step(t->local, start, ended->who, ended->slot, &t->opened);
}

/* Send this cycle's ends to the global dispatcher, and report them. */
static void send_ends(const struct tiles *e, struct tile_live *t, uint64_t cycle)
{
    uint64_t effect = cycle + e->config.disp_end_latency;
    struct tile_ends *ends = &t->ends[effect % TILE_RING];
    struct tile_ended *ended = &t->ended[cycle % TILE_AHEAD];

    if (ends->cycle != effect)
        memset(ends, 0, sizeof(*ends));
    ends->cycle = t->ends_last = effect;
    for (unsigned i = 0; i < t->dpi.ends; i++) {
        struct host_end *end = &t->dpi.end[i];

        ends->valid |= (uint8_t)(1u << end->eu);
        ends->bslot |= (uint64_t)end->bslot << 5 * end->eu;
        end->left = ended->left[end->eu];
        e->calls.end(e->calls.ctx, t->dpi.number, end);
    }
    t->dpi.ends = 0;
    memset(ended, 0, sizeof(*ended));
}

/* The arbiter sees requests of the cycles before, an EU its queue before the grant. */
static void tile_cycle(struct tiles *e, struct tile_live *t, uint64_t cycle)
{
    struct rtl_opened opened = t->opened;
    uint8_t grant = send_cycle(e, t, credit_at(t, cycle));

    t->dpi.now = cycle;
    tile_eus_due(e, t, cycle);
    local_cycle(e, t, cycle);
    if (grant)
        send(e, t, (unsigned)__builtin_ctz(grant), cycle);
    if (opened.valid)
        give(t, cycle, &opened);
    if (t->dpi.ends)
        send_ends(e, t, cycle);
}

/* The first cycle >= now in which the tile has something to do. */
static uint64_t tile_next(const struct tile_live *t, uint64_t now)
{
    unsigned by = now % TILE_AHEAD;
    uint64_t next = RTL_NEVER, pend = t->pend >> by | t->pend << (-by % TILE_AHEAD);

    if (t->opened.valid || (t->req & ~t->denied))
        return now;
    if (pend)
        next = now + (unsigned)__builtin_ctzll(pend);
    if (t->done_head != t->done_tail && t->done[t->done_head % TILE_QUEUE].cycle < next)
        next = t->done[t->done_head % TILE_QUEUE].cycle;
    if (t->start_head != t->start_tail &&
        t->start[t->start_head % TILE_QUEUE].cycle < next)
        next = t->start[t->start_head % TILE_QUEUE].cycle;
    return next < now ? now : next;
}

static void tile_run(void *engine, unsigned number)
{
    struct tiles *e = engine;
    struct tile_live *t = &e->tile[number];
    uint64_t cycle = tile_next(t, e->now);

    while (cycle < e->until) {
        tile_cycle(e, t, cycle);
        cycle = tile_next(t, cycle + 1);
    }
}

/* ---- the global dispatcher ---------------------------------------------------- */

/* The last cycle in which ends take effect. */
static uint64_t ends_last(const struct tiles *e)
{
    uint64_t last = 0;

    for (unsigned k = 0; k < e->tiles; k++)
        last = e->tile[k].ends_last > last ? e->tile[k].ends_last : last;
    return last;
}

/* Collect the ends that take effect in `cycle`. */
static bool ends_at(const struct tiles *e, uint64_t cycle, struct rtl_ends *all)
{
    memset(all, 0, sizeof(*all));
    for (unsigned k = 0; k < e->tiles; k++) {
        const struct tile_ends *ends = &e->tile[k].ends[cycle % TILE_RING];

        if (ends->cycle == cycle) {
            all->valid |= (uint64_t)ends->valid << 8 * k;
            all->bslot[k] = ends->bslot;
        }
    }
    return all->valid != 0;
}

static void global_run(struct tiles *e)
{
    uint64_t last = ends_last(e);

    for (uint64_t cycle = e->now; cycle < e->until && !e->over; cycle++) {
        bool dispatch = e->global_next <= cycle;
        struct rtl_ends ends;
        struct rtl_dispatch d;

        if (!dispatch && cycle > last)
            continue;
        if (!ends_at(e, cycle, &ends) && !dispatch)
            continue;
        e->shim->global_step(e->global, cycle, &ends, &d);
        e->global_next = d.next;
        e->over = d.over;
        e->end = cycle;
        for (unsigned k = 0; k < e->tiles; k++)
            if (d.start >> k & 1) {
                struct tile_live *t = &e->tile[k];
                struct host_start *s = &t->start[t->start_tail++ % TILE_QUEUE];

                s->cycle = cycle + e->config.disp_start_latency;
                s->thread = d.thread;
                s->bslot = d.bslot;
            }
    }
}

/* ---- host.h ---------------------------------------------------------------------- */

static void tiles_destroy(void *engine)
{
    struct tiles *e = engine;

    rtl_pool_destroy(e->pool);
    for (unsigned k = 0; k < e->tiles; k++) {
        for (unsigned i = 0; i < e->eus; i++)
            e->shim->eu_del(e->tile[k].eu[i].model);
        e->shim->local_del(e->tile[k].local);
        icache_destroy(e->tile[k].dpi.icache);
    }
    e->shim->global_del(e->global);
    e->shim->context_del(e->context);
    igpu_output_abort(&e->waves); /* the context wrote to it until now */
    free(e->uops);
    free(e->occ);
    free(e);
}

static void tile_reset(const struct tiles *e, struct tile_live *t, bool oldest)
{
    for (unsigned i = 0; i < e->eus; i++) {
        struct tile_eu *eu = &t->eu[i];

        eu->wake = RTL_NEVER;
        eu->last = 0;
        eu->full = false;
        eu->branching = 0;
        eu->sends = eu->push_head = eu->push_tail = 0;
        eu->done_head = eu->done_tail = 0;
        eu->done_at = RTL_NEVER;
        eu->held = 0;
        memset(&eu->given, 0, sizeof(eu->given));
        memset(&eu->counts, 0, sizeof(eu->counts));
        eu->given.given = eu->given.first = true;
        e->shim->eu_reset(eu->model, oldest);
    }
    memset(t->due, 0, sizeof(t->due));
    memset(t->ended, 0, sizeof(t->ended));
    t->pend = 0;
    t->req = t->port = t->denied = 0;
    t->opened.valid = false;
    t->ends_last = 0;
    t->start_head = t->start_tail = t->done_head = t->done_tail = 0;
    for (unsigned i = 0; i < TILE_RING; i++)
        t->ends[i].cycle = RTL_NEVER;
}

static enum igpu_status tile_build(struct tiles *e, unsigned number,
                                   struct igpu_err *err)
{
    struct tile_live *t = &e->tile[number];
    char name[32];

    t->dpi.calls = e->calls;
    t->dpi.number = (uint8_t)number;
    (void)snprintf(name, sizeof(name), "tile%u_local", number);
    t->local = e->shim->local(e->context, name, &t->dpi);
    for (unsigned i = 0; i < e->eus; i++) {
        (void)snprintf(name, sizeof(name), "tile%u_eu%u", number, i);
        t->eu[i].model = e->shim->eu(e->context, name);
        t->eu[i].holds = e->shim->eu_held(t->eu[i].model);
    }
    tile_reset(e, t, false);
    return host_icache(&t->dpi.icache, &e->config, &e->calls, number, err);
}

/* Write every run-time parameter to every register it is kept in. */
static void tiles_configure(struct tiles *e)
{
    size_t count;
    const struct rtl_reg *regs = rtl_regs(&count);

    for (size_t r = 0; r < count; r++) {
        uint64_t value;

        memcpy(&value, (const char *)&e->config + regs[r].offset, sizeof(value));
        e->shim->global_config(e->global, regs[r].addr, (uint8_t)value);
        for (unsigned k = 0; k < e->tiles; k++)
            e->shim->local_config(e->tile[k].local, regs[r].addr, (uint8_t)value);
    }
}

static enum igpu_status build(void **engine, const struct rtl_shim *shim,
                              const struct igpu_config *config,
                              const struct host_calls *calls, struct igpu_err *err)
{
    struct tiles *e = calloc(1, sizeof(*e));
    enum igpu_status status = IGPU_OK;

    if (e)
        e->occ = calloc(RTL_STORE_DEPTH, sizeof(*e->occ));
    if (!e || !e->occ) {
        free(e);
        return igpu_no_memory(err, "RTL engine");
    }
    e->shim = shim;
    e->config = *config;
    e->calls = *calls;
    e->tiles = (unsigned)config->gpu_subslices;
    e->eus = (unsigned)config->eu_count;
    e->global_next = RTL_NEVER;
    e->context = shim->context();
    e->global = shim->global(e->context, "global");
    for (unsigned k = 0; k < e->tiles && status == IGPU_OK; k++)
        status = tile_build(e, k, err);
    if (status != IGPU_OK) {
        tiles_destroy(e);
        return status;
    }
    tiles_configure(e);
    *engine = e;
    return IGPU_OK;
}

static enum igpu_status tiles_create(void **engine, const struct igpu_config *config,
                                     const struct host_calls *calls,
                                     struct igpu_err *err)
{
    return build(engine,
                 config->gpu_subslices <= 3 ? &rtl_shim_plain3 : &rtl_shim_plain,
                 config, calls, err);
}

static enum igpu_status wave_create(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    return build(engine, &rtl_shim_wave, config, calls, err);
}

/* Write an instruction to the stores of all EUs. */
static void store(struct tiles *e, uint32_t place)
{
    const struct uop *uop = &e->uops[place];
    struct rtl_store word = {.place = place};
    struct rtl_ranges ranges;

    (void)rtl_ranges(uop, &ranges);
    word.set = rtl_set_word(&ranges);
    word.need = rtl_need_word(&ranges);
    e->shim->local_decode(e->tile[0].local, rtl_uctl(uop), &word.ctl, &word.dur);
    e->occ[place] =
        uop->unit == UOP_BRANCH ? 1 : (uint8_t)FIELD_OF(IGPU_CTL_OCC, word.ctl);
    for (unsigned k = 0; k < e->tiles; k++)
        for (unsigned i = 0; i < e->eus; i++)
            e->shim->eu_store(e->tile[k].eu[i].model, &word);
}

static enum igpu_status tiles_load(void *engine, const struct uop *uops, uint32_t count,
                                   struct igpu_err *err)
{
    struct tiles *e = engine;
    enum igpu_status status = rtl_ranges_check(uops, count, err);

    if (status == IGPU_OK)
        status = rtl_keep_uops(&e->uops, uops, count, RTL_STORE_DEPTH, err);
    for (unsigned k = 0; k < e->tiles && status == IGPU_OK; k++)
        status = icache_load(e->tile[k].dpi.icache, e->uops, count, err);
    for (uint32_t u = 0; u < count && status == IGPU_OK; u++)
        store(e, u);
    return status;
}

static void tiles_launch(void *engine, const struct host_launch *launch)
{
    struct tiles *e = engine;

    e->now = launch->cycle;
    e->over = false;
    e->global_next = launch->cycle;
    e->shim->global_launch(e->global, launch, false);
    for (unsigned k = 0; k < e->tiles; k++) {
        e->shim->local_launch(e->tile[k].local);
        icache_launch(e->tile[k].dpi.icache);
        tile_reset(e, &e->tile[k], launch->oldest);
    }
}

static void tiles_extend(void *engine, uint32_t threads)
{
    struct tiles *e = engine;

    e->shim->global_launch(e->global, &(struct host_launch){.threads = threads}, true);
}

static void tiles_done(void *engine, const struct host_done *done)
{
    struct tiles *e = engine;
    struct tile_live *t = &e->tile[done->tile];
    struct tile_eu *eu = &t->eu[done->eu];

    if (done->credit)
        t->done[t->done_tail++ % TILE_QUEUE] = *done;
    if (done->wb) {
        if (eu->done_head == eu->done_tail)
            eu->done_at = done->cycle + 1;
        eu->done[eu->done_tail++ % TILE_DONES] = *done;
        tile_wake(t, done->eu, done->cycle + 1, e->now);
    }
}

static void window_run(struct tiles *e, uint64_t until)
{
    e->until = until;
    global_run(e);
    if (e->pool)
        rtl_pool_run(e->pool);
    else
        for (unsigned k = 0; k < e->tiles; k++)
            tile_run(e, k);
    e->now = until;
}

static void tiles_run(void *engine, uint64_t until)
{
    struct tiles *e = engine;

    if (e->waves.file == NULL) {
        window_run(e, until);
        return;
    }
    /* A file of waves needs all parts at one cycle. */
    while (e->now < until) {
        uint64_t cycle = e->now;

        window_run(e, cycle + 1);
        e->shim->wave_dump(e->context, cycle);
    }
}

static uint64_t tiles_next_event(void *engine)
{
    struct tiles *e = engine;
    uint64_t next = e->over ? RTL_NEVER : e->global_next, last = ends_last(e);
    struct rtl_ends ends;

    for (unsigned k = 0; k < e->tiles; k++) {
        uint64_t tile = tile_next(&e->tile[k], e->now);

        if (tile < next)
            next = tile;
    }
    for (uint64_t c = e->now; !e->over && c <= last && c < next; c++)
        if (ends_at(e, c, &ends))
            next = c;
    return next < e->now ? e->now : next;
}

static void tiles_skip(void *engine, uint64_t cycle)
{
    struct tiles *e = engine;

    e->now = cycle;
}

static bool tiles_launch_over(void *engine, uint64_t *end)
{
    const struct tiles *e = engine;

    if (!e->over || e->end >= e->now)
        return false;
    *end = e->end;
    return true;
}

static void tiles_count(void *engine, unsigned tile, unsigned eu,
                        struct host_counts *counts)
{
    const struct tiles *e = engine;

    *counts = e->tile[tile].eu[eu].counts;
}

enum igpu_status host_rtl_wave(void *engine, const char *path, struct igpu_err *err)
{
    struct tiles *e = engine;

    enum igpu_status status = igpu_output_open(&e->waves, path, err);

    if (status != IGPU_OK)
        return status;
    /* The writer goes back to complete what it wrote. */
    if (fseeko(e->waves.file, 0, SEEK_CUR) != 0)
        status = igpu_fail(err, IGPU_USAGE, "%s: waves need a file, no pipe", path);
    else if (!e->shim->wave_open(e->context, e->waves.file))
        status = igpu_no_memory(err, "%s: waves", path);
    if (status != IGPU_OK)
        igpu_output_abort(&e->waves);
    return status;
}

enum igpu_status host_rtl_wave_close(void *engine, struct igpu_err *err)
{
    struct tiles *e = engine;

    if (e->waves.file == NULL)
        return IGPU_OK;
    if (e->shim->wave_close(e->context))
        return igpu_output_close(&e->waves, err);
    (void)igpu_fail(err, IGPU_SIM_ERROR,
                    "%s: no room for what is temporary; see ulimit -a", e->waves.path);
    igpu_output_abort(&e->waves);
    return IGPU_SIM_ERROR;
}

void host_rtl_threads(void *engine, uint32_t threads)
{
    struct tiles *e = engine;

    if (threads > 1 && !e->pool)
        e->pool = rtl_pool_create(threads, e->tiles, tile_run, e);
}

/* Its two forms differ in what a tile is made of alone. */
#define OPS(CREATE)                                                                    \
    {                                                                                  \
        "rtl", CREATE, tiles_destroy, tiles_load, tiles_launch, tiles_done, tiles_run, \
            tiles_next_event, tiles_skip, tiles_launch_over, tiles_count, true, true,  \
            NULL, tiles_extend                                                         \
    }

const struct host_engine_ops host_engine_rtl = OPS(tiles_create);
const struct host_engine_ops host_engine_rtl_wave = OPS(wave_create);
