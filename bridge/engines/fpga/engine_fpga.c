/* engine_fpga.c - see engine_fpga.h. The board keeps target time itself and stops where
 * it needs the host. This file tells it how far it may go: to the end of the host's
 * window, further where the host has promised that no DONE comes, but never beyond the
 * first effect that a message may have of which the host was not told. */
#include "bridge/engines/fpga/engine_fpga.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/fpga/fpga_state.h"
#include "bridge/engines/rtl/rtl_ranges.h"
#include "bridge/engines/rtl/rtl_regs.h"
#include "igpu/clock.h"
#include "igpu/mem.h"

enum {
    AHEAD_CYCLES = 1 << 12, /* of the window's end, at most: who stops the run waits */
    JUMP_CYCLES = 1 << 27   /* a limit ahead of what is known: stamps have 28 bits */
};

/* ---- failures ---- */

void fpga_wrong(struct fpga *f, const char *what)
{
    if (f->status == IGPU_OK)
        f->status = igpu_fail(&f->err, IGPU_SIM_ERROR, "FPGA: %s", what);
}

static enum igpu_status fpga_status(void *engine, struct igpu_err *err)
{
    const struct fpga *f = engine;

    if (f->status != IGPU_OK) {
        if (err != NULL)
            *err = f->err;
        return f->status;
    }
    return f->link == NULL ? IGPU_OK : fpga_link_status(f->link, err);
}

bool fpga_failed(const struct fpga *f)
{
    return f->link == NULL || f->status != IGPU_OK ||
           fpga_link_status(f->link, NULL) != IGPU_OK;
}

/* ---- commands ---- */

void fpga_put(struct fpga *f, unsigned command, uint32_t rest)
{
    fpga_link_put(f->link, FIELD(IGPU_LINK_TAG, command) | FIELD(IGPU_LINK_REST, rest));
}

/* Bring the commands' base to `cycle`, which is not before it. */
static void put_base(struct fpga *f, uint64_t cycle)
{
    while (f->cmd_base < cycle) {
        uint64_t step = cycle - f->cmd_base;

        if (step > 0xfffffff)
            step = 0xfffffff;
        fpga_put(f, IGPU_LINK_CMD_AT, (uint32_t)step);
        f->cmd_base += step;
    }
}

static int by_cycle(const void *left, const void *right)
{
    const struct host_done *a = left, *b = right;

    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return a->tile < b->tile ? -1 : a->tile > b->tile;
}

/* DONEs that take effect before `until`. */
static void put_dones(struct fpga *f, uint64_t until)
{
    uint32_t n = 0;

    qsort(f->done, f->dones, sizeof(f->done[0]), by_cycle);
    for (; n < f->dones && f->done[n].cycle < until; n++) {
        const struct host_done *d = &f->done[n];
        uint32_t place = fpga_pages_done(f, d);

        put_base(f, d->cycle);
        f->last_done = d->cycle;
        fpga_put(f, IGPU_LINK_CMD_DONE,
                 FIELD(IGPU_LINK_TILE, d->tile) | FIELD(IGPU_LINK_EU, d->eu) |
                     FIELD(IGPU_LINK_SLOT, d->slot) | FIELD(IGPU_LINK_DONE_UOP, place) |
                     FIELD(IGPU_LINK_DONE_CREDIT, d->credit) |
                     FIELD(IGPU_LINK_DONE_WB, d->wb));
    }
    f->dones -= n;
    memmove(f->done, f->done + n, f->dones * sizeof(f->done[0]));
}

/* How far the board may go. */
static uint64_t allowed(const struct fpga *f, uint64_t until)
{
    uint64_t most = f->over_came ? until : f->promised, wall = fpga_kept_wall(f);

    if (most > until + AHEAD_CYCLES)
        most = until + AHEAD_CYCLES;
    if (most < until)
        most = until;
    if (f->dones > 0 && f->done[0].cycle < most) /* not sent yet */
        most = f->done[0].cycle > until ? f->done[0].cycle : until;
    if (most > f->base + JUMP_CYCLES)
        most = f->base + JUMP_CYCLES;
    if (wall < most)
        most = wall;
    /* Whoever runs to `until` has given all DONEs before it, also where its memory
     * side's latency, and so its window, is longer than the lookahead. */
    return most < until ? until : most;
}

static void put_limit(struct fpga *f, uint64_t until)
{
    uint64_t limit = allowed(f, until);

    /* It tells once when it stands: what it says then must be of the last limit. */
    if (!f->idle)
        return;
    if (limit - f->cmd_base > JUMP_CYCLES)
        put_base(f, limit);
    fpga_put(f, IGPU_LINK_CMD_LIMIT, (uint32_t)(limit - f->cmd_base));
    fpga_link_put(f->link, f->marks);
    fpga_link_flush(f->link);
    f->times.limits++;
    f->idle = f->counted = false;
    f->soon = 0;
}

/* The board stands: the first cycle in which something may happen there. */
static uint64_t wakes(const struct fpga *f)
{
    if (f->last_done >= f->base) /* given, not yet taken */
        return f->base;
    return f->soon == FPGA_NEVER ? HOST_NEVER : f->base + f->soon;
}

/* Nothing happens on the board before `until`: it need not be asked. */
static bool sleeps(const struct fpga *f, uint64_t until)
{
    return f->idle && wakes(f) >= until;
}

static void fpga_run(void *engine, uint64_t until)
{
    struct fpga *f = engine;

    if (f->now >= until || fpga_failed(f))
        return;
    /* What was told in this window reaches the memory side after it. */
    fpga_answered(f, f->now);
    put_dones(f, until);
    fpga_deliver(f, until);
    while (f->base < until && !sleeps(f, until)) {
        put_limit(f, until);
        if (!fpga_take_event(f))
            return;
        fpga_deliver(f, until);
    }
    f->times.cycles += until - f->now;
    f->now = until;
}

/* ---- a launch ---- */

static void put_looks(struct fpga *f)
{
    for (unsigned k = 0; k < LOOKS; k++)
        fpga_put(f, IGPU_LINK_CMD_LOOK,
                 FIELD(IGPU_LINK_LOOK_KIND, k) |
                     FIELD(IGPU_LINK_LOOK_CYCLES, f->look[k]));
}

static void fpga_launch(void *engine, const struct host_launch *launch)
{
    struct fpga *f = engine;

    while (!f->idle && fpga_take_event(f)) {
    }
    if (fpga_failed(f))
        return;
    if (f->calls.issue == NULL)
        fpga_counts_begin(f);
    f->now = f->base = f->cmd_base = f->last_done = launch->cycle;
    f->promised = 0;
    f->marks = 0;
    f->opened = 0;
    f->over = f->over_came = false;
    f->kept.head = f->kept.tail;
    f->waiting.head = f->waiting.tail;
    f->dones = 0;
    /* Ends matter where a barrier may wait for a thread that ends. */
    f->look[IGPU_LINK_KIND_EOT] = launch->pinned ? mem_min_latency(&f->config) : 0;
    put_looks(f);
    for (unsigned i = 0; i < f->tiles; i++)
        icache_launch(f->icache[i]);
    fpga_put(f, IGPU_LINK_CMD_CFG,
             FIELD(IGPU_LINK_CFG_ADDR, IGPU_REG_ARBITER) |
                 FIELD(IGPU_LINK_CFG_DATA, launch->oldest));
    fpga_put(f, IGPU_LINK_CMD_LAUNCH,
             FIELD(IGPU_LINK_LAUNCH_SLM, launch->slm_kb) |
                 FIELD(IGPU_LINK_LAUNCH_PINNED, launch->pinned) |
                 FIELD(IGPU_LINK_LAUNCH_TPG, launch->tpg));
    fpga_link_put(f->link, launch->threads);
    fpga_link_put(f->link, (uint32_t)launch->cycle);
    fpga_link_put(f->link, (uint32_t)(launch->cycle >> 32));
}

static void fpga_done(void *engine, const struct host_done *done)
{
    struct fpga *f = engine;

    if (f->dones < sizeof(f->done) / sizeof(f->done[0]))
        f->done[f->dones++] = *done;
    else
        fpga_wrong(f, "more completions are under way than credits allow");
}

static bool fpga_over(void *engine, uint64_t *end)
{
    const struct fpga *f = engine;

    if (f->over)
        *end = f->end;
    return f->over;
}

static uint64_t fpga_next_event(void *engine)
{
    const struct fpga *f = engine;
    uint64_t next = fpga_first_kept(f), first;

    for (uint32_t i = 0; i < f->dones; i++)
        if (f->done[i].cycle < next)
            next = f->done[i].cycle;
    /* Where the board is, something may happen; unless it has said that it sleeps. */
    first = f->idle ? wakes(f) : f->base;
    if (first < next)
        next = first;
    return next > f->now ? next : f->now;
}

static void fpga_skip(void *engine, uint64_t cycle)
{
    struct fpga *f = engine;

    f->times.cycles += cycle - f->now;
    f->now = cycle;
}

static void fpga_promise(void *engine, uint64_t cycle)
{
    struct fpga *f = engine;
    uint64_t port = mem_answer_latency(&f->config, false);

    f->promised = cycle;
    if (f->look[IGPU_LINK_KIND_PORT] == port)
        return;
    /* Who promises has the memory side of docs/contract/memory.md behind him. */
    f->look[IGPU_LINK_KIND_PORT] = f->look[IGPU_LINK_KIND_WRITE] = port;
    f->look[IGPU_LINK_KIND_GATE] = mem_answer_latency(&f->config, true);
    put_looks(f);
}

/* ---- a kernel ---- */

static enum igpu_status fpga_load(void *engine, const struct uop *uops, uint32_t count,
                                  struct igpu_err *err)
{
    struct fpga *f = engine;
    enum igpu_status status = fpga_status(f, err);

    if (status != IGPU_OK)
        return status;
    while (!f->idle && fpga_take_event(f)) {
    }
    status = rtl_ranges_check(uops, count, err);
    if (status == IGPU_OK)
        status = fpga_pages_load(f, uops, count, err);
    for (unsigned i = 0; i < f->tiles && status == IGPU_OK; i++)
        status = icache_load(f->icache[i], f->uops, count, err);
    return status == IGPU_OK ? fpga_status(f, err) : status;
}

/* ---- made, connected ---- */

static void fpga_destroy(void *engine)
{
    struct fpga *f = engine;

    fpga_link_close(f->link);
    for (unsigned i = 0; i < f->tiles; i++)
        icache_destroy(f->icache[i]);
    free(f->kept.event);
    free(f->waiting.event);
    array_pages_destroy(f->pages);
    free(f->uops);
    free(f);
}

static enum igpu_status fpga_create(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    struct fpga *f = calloc(1, sizeof(*f));
    enum igpu_status status = IGPU_OK;

    if (f == NULL)
        return igpu_no_memory(err, "FPGA");
    f->calls = *calls;
    f->config = *config;
    f->tiles = (unsigned)config->gpu_subslices;
    f->idle = true;
    for (unsigned k = 0; k < LOOKS; k++)
        f->look[k] = mem_min_latency(config);
    for (unsigned i = 0; i < f->tiles && status == IGPU_OK; i++)
        status = host_icache(&f->icache[i], config, calls, i, err);
    if (status == IGPU_OK)
        *engine = f;
    else
        fpga_destroy(f);
    return status;
}

static void put_config(struct fpga *f)
{
    size_t count;
    const struct rtl_reg *regs = rtl_regs(&count);

    for (size_t r = 0; r < count; r++) {
        uint64_t value;

        memcpy(&value, (const char *)&f->config + regs[r].offset, sizeof(value));
        fpga_put(f, IGPU_LINK_CMD_CFG,
                 FIELD(IGPU_LINK_CFG_ADDR, regs[r].addr) |
                     FIELD(IGPU_LINK_CFG_DATA, value));
    }
    fpga_link_flush(f->link);
}

/* Does the configuration fit what was built? */
static enum igpu_status board_fits(const struct fpga *f, const char *place,
                                   struct igpu_err *err)
{
    const struct fpga_build *b = fpga_link_build(f->link);

    if (f->config.gpu_subslices > b->tiles || f->config.eu_count > b->eus)
        return igpu_fail(err, IGPU_USAGE,
                         "FPGA at %s: %u subslices of %u EUs were built, the "
                         "configuration has %" PRIu64 " of %" PRIu64
                         "; use -s gpu.subslices, -s eu.count or another bitstream",
                         place, b->tiles, b->eus, f->config.gpu_subslices,
                         f->config.eu_count);
    if (b->tiles > HOST_MAX_TILES || b->eus > HOST_EUS)
        return igpu_fail(err, IGPU_USAGE,
                         "FPGA at %s: built with %u subslices of %u EUs; this program "
                         "has room for %d of %d",
                         place, b->tiles, b->eus, HOST_MAX_TILES, HOST_EUS);
    if (b->runs != RUNS_AHEAD)
        return igpu_fail(err, IGPU_USAGE,
                         "FPGA at %s: built with %u runs ahead of a thread; this "
                         "program needs %u",
                         place, b->runs, RUNS_AHEAD);
    if (f->calls.issue != NULL && !b->retire)
        return igpu_fail(err, IGPU_USAGE,
                         "FPGA at %s: built without the retire stream, which --check, "
                         "power and whatever else looks at each instruction need; "
                         "leave them out or build with one",
                         place);
    return IGPU_OK;
}

static enum igpu_status port_open(struct fpga_port *port, const char *place,
                                  struct igpu_err *err)
{
    static const struct {
        const char *name;
        enum igpu_status (*open)(struct fpga_port *, const char *, struct igpu_err *);
    } known[] = {{"udp:", fpga_udp_open},
                 {"serial:", fpga_serial_open},
                 {"pcie:", fpga_window_open}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strncmp(place, known[i].name, strlen(known[i].name)) == 0)
            return known[i].open(port, place + strlen(known[i].name), err);
    return igpu_fail(err, IGPU_USAGE,
                     "--engine fpga:%s: expected fpga:udp:HOST[:PORT], "
                     "fpga:serial:DEVICE[:BAUD] or fpga:pcie:FILE[@OFFSET]",
                     place);
}

enum igpu_status host_fpga_connect(void *engine, const char *place,
                                   struct igpu_err *err)
{
    struct fpga *f = engine;
    struct fpga_port port;
    enum igpu_status status = port_open(&port, place, err);

    if (status == IGPU_OK)
        status = fpga_link_open(&f->link, &port, place, err);
    if (status == IGPU_OK)
        status = board_fits(f, place, err);
    if (status != IGPU_OK)
        return status;
    put_config(f);
    f->began = igpu_seconds(CLOCK_MONOTONIC);
    return fpga_status(f, err);
}

void host_fpga_heed(void *engine, const volatile sig_atomic_t *stop)
{
    const struct fpga *f = engine;

    fpga_link_heed(f->link, stop);
}

/* ---- how it went ---- */

/* A limit cannot be taken back: the board goes on to it, or to where it needs a run. */
static uint64_t fpga_reached(void *engine)
{
    struct fpga *f = engine;

    while (!f->idle && !f->stands && fpga_take_event(f)) {
    }
    return f->base > f->now ? f->base : f->now;
}

static void fpga_tell(void *engine, char *buf, uint32_t size)
{
    const struct fpga *f = engine;
    const struct fpga_build *b = fpga_link_build(f->link);
    struct fpga_traffic t = fpga_link_traffic(f->link);
    const struct fpga_times *n = &f->times;
    double seconds = igpu_seconds(CLOCK_MONOTONIC) - f->began,
           kilo = (double)n->cycles / 1e3;
    uint64_t trips = n->limits + n->opens + n->asks + n->held + n->branches;
    char clock[64] = "clock unknown";

    if (b->clock_khz != 0)
        (void)snprintf(clock, sizeof(clock), "clock %.1f MHz", b->clock_khz / 1e3);
    (void)snprintf(
        buf, size,
        "board         %u x %u EUs, %u a pipeline, %s: %.2f clocks a cycle\n"
        "target        %.1f kHz: %" PRIu64 " cycles in %.3f s\n"
        "round trips   %" PRIu64 ", %.2f in 1000 cycles: %" PRIu64 " limits, %" PRIu64
        " threads, %" PRIu64 " code, %" PRIu64 " pages, %" PRIu64 " branches\n"
        "link          %.2f bytes a cycle out, %.2f in, %" PRIu64 " frames again\n"
        "time          waiting for the board %.3f s, host %.3f s\n",
        b->tiles, b->eus, b->contexts, clock,
        n->cycles == 0 ? 0 : (double)n->clocks / (double)n->cycles,
        seconds > 0 ? kilo / seconds : 0, n->cycles, seconds, trips,
        kilo > 0 ? (double)trips / kilo : 0, n->limits, n->opens, n->asks, n->held,
        n->branches, kilo > 0 ? 4e-3 * (double)t.words_out / kilo : 0,
        kilo > 0 ? 4e-3 * (double)t.words_in / kilo : 0, t.again, t.waited,
        seconds - t.waited);
}

const struct host_engine_ops host_engine_fpga = {
    "fpga",     fpga_create, fpga_destroy,    fpga_load, fpga_launch,
    fpga_done,  fpga_run,    fpga_next_event, fpga_skip, fpga_over,
    fpga_count, false,       false,           NULL,      NULL,
};

const struct host_remote host_remote_fpga = {fpga_promise, fpga_status, fpga_reached,
                                             fpga_tell};
