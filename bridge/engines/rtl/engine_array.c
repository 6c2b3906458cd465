/* engine_array.c - see engine_array.h. The RTL keeps target time itself; this file
 * clocks it up to a limit, gives it what it asks for, and reports what it does. */
#include "bridge/engines/rtl/engine_array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/rtl/array_pages.h"
#include "bridge/engines/rtl/array_shapes.h"
#include "bridge/engines/rtl/rtl_counts.h"
#include "bridge/engines/rtl/rtl_ranges.h"
#include "bridge/engines/rtl/rtl_regs.h"

enum {
    QUEUE = 256, /* responses under way to a tile: at most 71 */
    UNITS = 4,
    SEND = 2,
    STAMP_MASK = 0x7ff, /* stamps are cycles modulo this + 1 */
    SKIP_MASK = 0xff,   /* a skip ends below the next multiple of this + 1 */
    READ_CYCLES = 3,    /* an answer's instruction is read from the store before */
    ARRAY_PAGE = 8,     /* instructions of a page of the store */
    LOADS = 2 * HOST_MAX_TILES * HOST_EUS /* pages to be written at one time */
};

struct thread {
    uint8_t bslot;
    struct uop_run rest; /* of its run, what was not given yet (len 0: nothing) */
};

struct tile {
    struct icache *icache;
    uint32_t done_head, done_tail, read; /* read: the next answer to be released */
    struct host_done done[QUEUE];
    struct thread thread[HOST_EUS][HOST_SLOTS];
};

struct engine {
    struct host_calls calls;
    struct array_ports p;
    unsigned tiles, pipes;        /* in use; built */
    uint64_t now, end, next_done; /* next_done: of all tiles, or HOST_NEVER */
    bool over;
    struct uop *uops;
    uint32_t count;
    struct array_pages *pages; /* NULL: the whole kernel is in the store */
    uint32_t load[LOADS];      /* instructions of pages to be written, a page each */
    unsigned loads, loaded;    /* loaded: instructions of the last one */
    bool counted;              /* count[] is of now */
    struct {
        struct rtl_counts now, before; /* before: at the launch's begin */
    } count_of[HOST_MAX_TILES * HOST_EUS];
    struct tile tile[HOST_MAX_TILES];
};

/* ---- the instruction store
 * -----------------------------------------------------------
 */

static void store(struct engine *e, uint32_t place, const struct uop *uop)
{
    struct rtl_ranges ranges;

    (void)rtl_ranges(uop, &ranges);
    *e->p.store_we = 1;
    *e->p.store_addr = place;
    *e->p.store_set = rtl_set_word(&ranges);
    *e->p.store_need = rtl_need_word(&ranges);
    *e->p.store_uctl = rtl_uctl(uop);
}

/* The next word of a page that is to be written. Time stands meanwhile. */
static void refill(struct engine *e)
{
    uint32_t first = e->load[e->loads - 1], uop = first + e->loaded;

    store(e, array_pages_place(e->pages, first) + e->loaded, &e->uops[uop]);
    if (++e->loaded == ARRAY_PAGE || uop + 1 == e->count) {
        e->loaded = 0;
        e->loads--;
    }
}

/* The instruction that the RTL names by its place in the store. */
static uint32_t uop_at(const struct engine *e, uint32_t place)
{
    return e->pages ? array_pages_uop(e->pages, place) : place;
}

/* What of the thread's run can be given next: all, or what lies in one page. */
static struct uop_run give(struct engine *e, struct thread *t)
{
    struct uop_run run = t->rest;
    bool load;
    uint32_t first;

    if (!e->pages) {
        t->rest.len = 0;
        return run;
    }
    if (run.len > ARRAY_PAGE - run.pc % ARRAY_PAGE)
        run.len = ARRAY_PAGE - run.pc % ARRAY_PAGE;
    t->rest.pc += run.len;
    t->rest.len -= run.len;
    first = run.pc - run.pc % ARRAY_PAGE;
    run.pc = array_pages_promise(e->pages, run.pc, run.len, &load);
    assert(run.pc != UINT32_MAX); /* array_engine_create() looks to it */
    if (load) {
        /* The page in hand goes on first: it is the last. */
        assert(e->loads < LOADS);
        if (e->loaded != 0) {
            e->load[e->loads] = e->load[e->loads - 1];
            e->load[e->loads - 1] = first;
        } else {
            e->load[e->loads] = first;
        }
        e->loads++;
    }
    return run;
}

static void page_release(struct engine *e, uint32_t uop)
{
    bool promised = array_pages_release(e->pages, uop);

    assert(promised);
    (void)promised;
}

/* Answers that the RTL has read from the store by now. */
static void release_read(struct engine *e)
{
    for (unsigned i = 0; i < e->tiles; i++) {
        struct tile *t = &e->tile[i];

        for (; t->read != t->done_head; t->read++) {
            const struct host_done *d = &t->done[t->read % QUEUE];

            if (d->cycle + READ_CYCLES > e->now)
                break;
            if (d->wb)
                page_release(e, d->uop);
        }
    }
}

/* ---- what the RTL does --------------------------------------------------------------
 */

/* The cycle of a stamp: this one or one of a few before. */
static uint64_t cycle_of(const struct engine *e, uint16_t stamp)
{
    return e->now - ((e->now - stamp) & STAMP_MASK);
}

/* Tile and EU of a pipeline's context. */
static void context_place(const struct engine *e, unsigned pipe, unsigned ctx,
                          uint8_t *tile, uint8_t *eu)
{
    unsigned all = pipe * e->p.shape.contexts + ctx;

    *tile = (uint8_t)(all / e->p.shape.eus);
    *eu = (uint8_t)(all % e->p.shape.eus);
}

static void report_issue(struct engine *e, const struct host_issue *issue)
{
    bool send = issue->unit == SEND && !(e->uops[issue->uop].flags & UOP_EOT);

    if (e->calls.issue)
        e->calls.issue(e->calls.ctx, issue);
    /* A message's page is needed until it is sent, or answered. */
    if (e->pages && !send)
        page_release(e, issue->uop);
}

static void report_issues(struct engine *e)
{
    const struct array_ports *p = &e->p;

    for (unsigned i = 0; i < e->pipes; i++) {
        struct host_issue issue;

        if (!p->ret_valid[i])
            continue;
        issue.cycle = cycle_of(e, p->ret_now[i]);
        context_place(e, i, p->ret_ctx[i], &issue.tile, &issue.eu);
        for (unsigned valid = p->ret_valid[i]; valid; valid &= valid - 1) {
            unsigned unit = (unsigned)__builtin_ctz(valid);

            issue.uop = uop_at(e, p->ret_uop[UNITS * i + unit]);
            issue.slot = p->ret_slot[i] >> 3 * unit & 7;
            issue.unit = (uint8_t)unit;
            report_issue(e, &issue);
        }
    }
}

static void report_ends(struct engine *e)
{
    const struct array_ports *p = &e->p;

    for (uint64_t ended = *p->ret_end; ended; ended &= ended - 1) {
        unsigned i = (unsigned)__builtin_ctzll(ended);
        struct host_end end = {.cycle = cycle_of(e, p->ret_now[i]),
                               .slot = p->ret_slot[i] >> 3 * SEND & 7,
                               .left = p->ret_left[i]};
        uint8_t tile;

        context_place(e, i, p->ret_ctx[i], &tile, &end.eu);
        end.bslot = e->tile[tile].thread[end.eu][end.slot].bslot;
        e->calls.end(e->calls.ctx, tile, &end);
    }
}

/* The next runs that are asked for, in the clock of the question. */
static void message_answer(struct engine *e)
{
    struct array_ports *p = &e->p;

    for (uint64_t ask = *p->ask; ask; ask &= ask - 1) {
        unsigned i = (unsigned)__builtin_ctzll(ask), slot = p->ask_slot[i];
        uint8_t tile, eu;
        struct thread *t;
        struct uop_run run;
        uint32_t wait = 0;

        context_place(e, i, p->ask_ctx[i], &tile, &eu);
        t = &e->tile[tile].thread[eu][slot];
        if (t->rest.len == 0) {
            t->rest = e->calls.next(e->calls.ctx, tile, eu, slot);
            wait = icache_wait(e->tile[tile].icache, icache_of(eu, slot), t->rest,
                               cycle_of(e, p->ask_now[i]) + 1);
        }
        run = give(e, t);
        p->run_pc[i] = run.pc;
        p->run_len[i] = (uint16_t)run.len;
        p->run_wait[i] = (uint8_t)wait;
    }
    p->load(p->model);
}

/* Thread opened in the cycle that has just ended. */
static void open_thread(struct engine *e, unsigned i, uint64_t cycle)
{
    struct array_ports *p = &e->p;
    unsigned eu = p->open_eu[i], slot = p->open_slot[i];
    struct thread *t = &e->tile[i].thread[eu][slot];
    struct uop_run run;

    t->bslot = p->open_bslot[i];
    t->rest =
        e->calls.open(e->calls.ctx, i, eu, slot, p->open_thread[i], t->bslot, cycle);
    p->open_wait[i] = (uint8_t)icache_wait(e->tile[i].icache, icache_of(eu, slot),
                                           t->rest, cycle + 1);
    run = give(e, t);
    p->open_pc[i] = run.pc;
    p->open_len[i] = (uint16_t)run.len;
}

static void send(struct engine *e, unsigned tile, uint64_t cycle)
{
    const struct array_ports *p = &e->p;
    struct host_msg msg = {cycle, uop_at(e, p->msg_uop[tile]), (uint8_t)tile,
                           p->msg_eu[tile], p->msg_slot[tile]};

    e->calls.msg(e->calls.ctx, &msg);
    if (e->pages && !(e->uops[msg.uop].flags & UOP_WB))
        page_release(e, msg.uop);
}

/* What the cycle before e->now brought. */
static void end_cycle(struct engine *e, uint64_t cycle)
{
    const struct array_ports *p = &e->p;

    for (unsigned v = *p->msg_valid; v; v &= v - 1)
        send(e, (unsigned)__builtin_ctz(v), cycle);
    if (*p->open_valid) {
        for (unsigned v = *p->open_valid; v; v &= v - 1)
            open_thread(e, (unsigned)__builtin_ctz(v), cycle);
        p->load(p->model);
    }
    if (*p->over) {
        e->over = true;
        e->end = cycle;
    }
}

/* ---- responses ----------------------------------------------------------------------
 */

static void find_next_done(struct engine *e)
{
    e->next_done = HOST_NEVER;
    for (unsigned i = 0; i < e->tiles; i++) {
        const struct tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];

        if (t->done_head != t->done_tail && d->cycle < e->next_done)
            e->next_done = d->cycle;
    }
}

/* The responses of cycle e->now on the ports. */
static void respond(struct engine *e)
{
    struct array_ports *p = &e->p;

    for (unsigned i = 0; i < e->tiles; i++) {
        struct tile *t = &e->tile[i];
        const struct host_done *d = &t->done[t->done_head % QUEUE];
        uint8_t bit = (uint8_t)(1u << i);

        if (t->done_head == t->done_tail || d->cycle != e->now)
            continue;
        t->done_head++;
        t->read = e->pages ? t->read : t->done_head;
        *p->done_valid |= bit;
        *p->done_wb = (uint8_t)((*p->done_wb & ~bit) | (d->wb ? bit : 0));
        *p->done_credit = (uint8_t)((*p->done_credit & ~bit) | (d->credit ? bit : 0));
        p->done_eu[i] = d->eu;
        p->done_slot[i] = d->slot;
        if (d->wb)
            p->done_uop[i] = e->pages ? array_pages_place(e->pages, d->uop) : d->uop;
    }
    find_next_done(e);
}

/* ---- clocks -------------------------------------------------------------------------
 */

/* While nothing can happen by itself: where something can, at most `until`; 0: at once.
 */
static uint64_t skip_to(const struct engine *e, uint64_t until)
{
    const struct array_ports *p = &e->p;
    uint64_t to = e->now | SKIP_MASK;

    if (*p->soon != STAMP_MASK && e->now + *p->soon < to)
        to = e->now + *p->soon;
    if (e->next_done < to)
        to = e->next_done;
    if (until < to)
        to = until;
    return to > e->now + 1 ? to : 0;
}

/* What is on the inputs in this clock. Returns whether that is something new. */
static bool run_prepare(struct engine *e, uint64_t until)
{
    const struct array_ports *p = &e->p;
    bool change = *p->store_we | *p->skip;
    uint8_t hold = e->loads != 0; /* time stands while a page is written */
    uint64_t to = 0;

    *p->store_we = *p->skip = 0;
    if (hold) {
        refill(e);
        change = true;
    } else if (e->now == e->next_done && e->now < until) {
        respond(e);
        change = true;
    } else if (*p->event & ARRAY_ASLEEP && *p->done_valid == 0) {
        to = skip_to(e, until);
    }
    if (to != 0) {
        *p->skip = 1;
        *p->skip_now = to;
        change = true;
    }
    if (*p->limit != until || *p->hold != hold) {
        *p->limit = until;
        *p->hold = hold;
        change = true;
    }
    return change;
}

/* e->now becomes *p->now. */
static bool next_cycle(struct engine *e)
{
    const struct array_ports *p = &e->p;
    uint64_t cycle = e->now;

    e->now = *p->now;
    end_cycle(e, cycle);
    if (e->pages)
        release_read(e);
    if (*p->done_valid == 0)
        return false;
    *p->done_valid = 0;
    return true;
}

void array_engine_run(void *engine, uint64_t until)
{
    struct engine *e = engine;
    const struct array_ports *p = &e->p;
    bool change = false;

    e->counted = false;
    while (e->now < until || e->loads != 0 || !(*p->event & ARRAY_IDLE)) {
        change |= run_prepare(e, until);
        if (change)
            p->load(p->model);
        p->clock(p->model);
        change = *p->now != e->now && next_cycle(e);
        if (*p->event & ARRAY_ISSUES && (e->calls.issue || e->pages))
            report_issues(e);
        if (*p->event & ARRAY_ENDS)
            report_ends(e);
        if (*p->event & ARRAY_ASKS)
            message_answer(e);
    }
}

/* ---- host.h -----------------------------------------------------------------------
 */

void array_engine_destroy(void *engine)
{
    struct engine *e = engine;

    e->p.destroy(e->p.model);
    for (unsigned i = 0; i < e->tiles; i++)
        icache_destroy(e->tile[i].icache);
    array_pages_destroy(e->pages);
    free(e->uops);
    free(e);
}

static void clock_step(struct engine *e)
{
    e->p.load(e->p.model);
    e->p.clock(e->p.model);
}

static void array_configure(struct engine *e, const struct igpu_config *config)
{
    const struct rtl_reg *regs;
    size_t count;

    *e->p.rst_n = *e->p.hold = *e->p.skip = *e->p.launch = *e->p.store_we = 0;
    *e->p.done_valid = *e->p.cfg_we = 0;
    *e->p.limit = 0;
    clock_step(e);
    *e->p.rst_n = 1;
    *e->p.cfg_we = 1;
    regs = rtl_regs(&count);
    for (size_t r = 0; r < count; r++) {
        uint64_t value;

        memcpy(&value, (const char *)config + regs[r].offset, sizeof(value));
        *e->p.cfg_addr = regs[r].addr;
        *e->p.cfg_data = (uint8_t)value;
        clock_step(e);
    }
    *e->p.cfg_we = 0;
    clock_step(e);
}

/* Each EU's seven threads may need two pages each (a run and the next), and messages
 * one each: 64 credits and 7 notifications a tile, and what waits in the EUs' queues.
 */
static bool store_suffices(const struct array_shape *s)
{
    uint32_t eus = s->tiles * s->eus,
             pages = 2 * HOST_SLOTS * eus + 71 * s->tiles + 5 * eus;

    return s->store / ARRAY_PAGE >= pages;
}

enum igpu_status array_engine_create(void **engine, const struct array_ports *ports,
                                     const struct igpu_config *config,
                                     const struct host_calls *calls,
                                     struct igpu_err *err)
{
    struct engine *e = calloc(1, sizeof(*e));
    enum igpu_status status = IGPU_OK;

    assert(store_suffices(&ports->shape));
    if (!e) {
        ports->destroy(ports->model);
        return igpu_no_memory(err, "EU pipelines");
    }
    e->p = *ports;
    e->calls = *calls;
    e->next_done = HOST_NEVER;
    e->pipes = ports->shape.tiles * ports->shape.eus / ports->shape.contexts;
    if (config->gpu_subslices > ports->shape.tiles ||
        config->eu_count > ports->shape.eus)
        status = igpu_fail(err, IGPU_USAGE,
                           "EU pipelines: %u subslices of %u EUs were built; use "
                           "--engine array",
                           ports->shape.tiles, ports->shape.eus);
    for (unsigned i = 0; i < config->gpu_subslices && status == IGPU_OK;
         i++, e->tiles++)
        status = host_icache(&e->tile[i].icache, config, calls, i, err);
    if (status != IGPU_OK) {
        array_engine_destroy(e);
        return status;
    }
    array_configure(e, config);
    *engine = e;
    return IGPU_OK;
}

/* Keep the kernel; write what fits of it, or prepare for writing it page by page. */
static enum igpu_status load_store(struct engine *e, struct igpu_err *err)
{
    array_pages_destroy(e->pages);
    e->pages = NULL;
    if (e->count > e->p.shape.store) {
        e->pages = array_pages_create(e->count, e->p.shape.store, ARRAY_PAGE);
        if (!e->pages)
            return igpu_no_memory(err, "EU pipelines");
        return IGPU_OK;
    }
    for (uint32_t u = 0; u < e->count; u++) {
        store(e, u, &e->uops[u]);
        clock_step(e);
    }
    *e->p.store_we = 0;
    return IGPU_OK;
}

enum igpu_status array_engine_load(void *engine, const struct uop *uops, uint32_t count,
                                   struct igpu_err *err)
{
    struct engine *e = engine;
    enum igpu_status status;

    status = rtl_ranges_check(uops, count, err);
    if (status != IGPU_OK)
        return status;
    status = rtl_keep_uops(&e->uops, uops, count, UOP_MAX_KERNEL, err);
    e->count = count;
    for (unsigned i = 0; i < e->tiles && status == IGPU_OK; i++)
        status = icache_load(e->tile[i].icache, e->uops, count, err);
    return status == IGPU_OK ? load_store(e, err) : status;
}

/* ---- counters ---- */

/* All of them, while the RTL stands: the word that was addressed two clocks before. */
static void read_counts(struct engine *e)
{
    const struct array_ports *p = &e->p;
    unsigned contexts = p->shape.contexts;

    for (unsigned i = 0; i < e->pipes * contexts && !e->counted; i++) {
        *p->count_pipe = (uint8_t)(i / contexts);
        *p->count_ctx = (uint8_t)(i % contexts);
        for (unsigned w = 0; w < IGPU_COUNT_WORDS; w++) {
            *p->count_word = (uint8_t)w;
            clock_step(e);
            clock_step(e);
            e->count_of[i].now.word[w] = *p->count;
        }
    }
    e->counted = true;
}

void array_engine_count(void *engine, unsigned tile, unsigned eu,
                        struct host_counts *counts)
{
    struct engine *e = engine;
    unsigned i = tile * e->p.shape.eus + eu;

    read_counts(e);
    rtl_counts_since(&e->count_of[i].now, &e->count_of[i].before, counts);
}

void array_engine_launch(void *engine, const struct host_launch *launch)
{
    struct engine *e = engine;
    struct array_ports *p = &e->p;

    if (!e->calls.issue) {
        read_counts(e);
        for (unsigned i = 0; i < e->pipes * p->shape.contexts; i++)
            e->count_of[i].before = e->count_of[i].now;
    }
    e->now = e->end = launch->cycle;
    e->over = false;
    e->next_done = HOST_NEVER;
    for (unsigned i = 0; i < e->tiles; i++) {
        struct tile *t = &e->tile[i];

        for (; e->pages && t->read != t->done_head; t->read++)
            if (t->done[t->read % QUEUE].wb)
                page_release(e, t->done[t->read % QUEUE].uop);
        t->done_head = t->done_tail = t->read = 0;
        icache_launch(t->icache);
    }
    *p->cfg_we = 1;
    *p->cfg_addr = IGPU_REG_ARBITER;
    *p->cfg_data = launch->oldest;
    clock_step(e);
    *p->cfg_we = 0;
    *p->limit = *p->launch_now = launch->cycle;
    *p->launch_threads = launch->threads;
    *p->launch_tpg = (uint8_t)launch->tpg;
    *p->launch_pinned = launch->pinned;
    *p->launch_slm = launch->slm_kb;
    *p->launch = 1;
    clock_step(e);
    *p->launch = 0;
    p->load(p->model);
}

void array_engine_done(void *engine, const struct host_done *done)
{
    struct engine *e = engine;
    struct tile *t = &e->tile[done->tile];

    assert(t->done_tail - t->read < QUEUE);
    t->done[t->done_tail++ % QUEUE] = *done;
    if (done->cycle < e->next_done)
        e->next_done = done->cycle;
}

uint64_t array_engine_next_event(void *engine)
{
    const struct engine *e = engine;
    uint64_t next = e->next_done;

    if (!(*e->p.event & ARRAY_ASLEEP))
        return e->now;
    if (*e->p.soon != STAMP_MASK && e->now + *e->p.soon < next)
        next = e->now + *e->p.soon;
    return next;
}

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

/* ---- the shapes of ./Vigpu
 * ------------------------------------------------------------
 */

static enum igpu_status create_flat(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    struct array_ports ports;

    if (config->gpu_subslices > 3)
        array_flat_2x24(&ports);
    else
        array_flat_1x24(&ports);
    return array_engine_create(engine, &ports, config, calls, err);
}

static enum igpu_status create_1x24(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    struct array_ports ports;

    array_1x24(&ports);
    return array_engine_create(engine, &ports, config, calls, err);
}

static enum igpu_status create_3x8(void **engine, const struct igpu_config *config,
                                   const struct host_calls *calls, struct igpu_err *err)
{
    struct array_ports ports;

    array_3x8(&ports);
    return array_engine_create(engine, &ports, config, calls, err);
}

const struct host_engine_ops host_engine_array = ARRAY_ENGINE_OPS("array", create_flat);
const struct host_engine_ops host_engine_pipe = ARRAY_ENGINE_OPS("pipe", create_1x24);
const struct host_engine_ops host_engine_pipe_3x8 =
    ARRAY_ENGINE_OPS("pipe:3x8", create_3x8);
