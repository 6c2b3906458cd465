/* mem.c - the memory side: builds the parts, runs their cycles, and keeps the public
 * interface (igpu/mem.h). The order of the parts within a cycle is the contract of
 * docs/contract/memory.md, section 2. */
#include "csim/side/others.h"
#include "igpu/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One packet for each line that can be under way, each message's answer and each
 * barrier. */
static uint32_t packets(const struct igpu_config *config)
{
    uint32_t port = LINES_MAX_ENTRIES * LINES_MAX + PORT_RECORDS + GATEWAY_SLOTS +
                    (3 * MEM_MAX_LANES + 2) * LINES_UNIT_ENTRIES;
    uint32_t banks = (uint32_t)(config->l3_banks * config->gpu_slices);

    return port * (uint32_t)config->gpu_subslices + banks * (uint32_t)config->l3_mshrs;
}

static bool init(struct mem_system *mem)
{
    const struct igpu_config *c = &mem->config;

    clock_init(&mem->clock, c->gpu_clock_hz);
    mem->sample_at = UINT64_MAX;
    mem->ports = (uint32_t)c->gpu_subslices;
    mem->table = calloc((size_t)mem->ports * LINES_ENTRIES, sizeof(*mem->table));
    if (mem->table == NULL || !wheel_init(&mem->wheel, packets(c)) ||
        !l3_init(&mem->l3, c, &mem->wheel, mem->table, &mem->stats) ||
        !translate_init(&mem->translate, c, &mem->stats) ||
        !llc_init(&mem->llc, c, GTI_REQUESTERS, &mem->stats) ||
        !cpu_init(&mem->cpu, c, &mem->llc, &mem->stats) ||
        !gti_init(&mem->gti, c, &mem->l3, &mem->llc, &mem->translate, &mem->wheel,
                  &mem->stats))
        return false;
    for (uint8_t i = 0; i < mem->ports; i++) {
        mem->at[i] = mem->other_at[i] = UINT64_MAX;
        dataport_init(&mem->port[i], i, c, mem->table, &mem->in_table, &mem->at[i],
                      &mem->l3, &mem->wheel, &mem->stats);
        gateway_init(&mem->gateway[i], i, c, &mem->port[i], &mem->wheel, &mem->stats);
    }
    return ff_init(&mem->ff, c, mem->port, &mem->stats);
}

enum igpu_status mem_create(struct mem_system **mem, const struct igpu_config *config,
                            struct igpu_err *err)
{
    enum igpu_status status = igpu_config_check_memory(config, err);

    *mem = NULL;
    if (status != IGPU_OK)
        return status;
    *mem = calloc(1, sizeof(**mem));
    if (*mem != NULL) {
        (*mem)->config = *config;
        if (init(*mem))
            return IGPU_OK;
    }
    mem_destroy(*mem);
    *mem = NULL;
    return igpu_fail(err, IGPU_NO_MEMORY,
                     "the memory side: out of memory; make llc.size, edram.size or "
                     "l3.sets smaller");
}

void mem_destroy(struct mem_system *mem)
{
    if (mem == NULL)
        return;
    gti_free(&mem->gti);
    cpu_free(&mem->cpu);
    llc_free(&mem->llc);
    translate_free(&mem->translate);
    l3_free(&mem->l3);
    wheel_free(&mem->wheel);
    ff_free(&mem->ff);
    free(mem->table);
    free(mem);
}

static void flush_line(void *ctx, uint64_t line)
{
    struct mem_system *mem = ctx;

    llc_flush(&mem->llc, translate_line(&mem->translate, line));
}

/* A line of pixels leaves their cache, outside of time. */
static void flush_pixels(void *ctx, uint64_t line)
{
    mem_warm(ctx, line, true);
}

void mem_launch(struct mem_system *mem, bool uses_slm)
{
    const struct igpu_config *c = &mem->config;
    uint32_t ways = (uint32_t)(uses_slm ? c->l3_ways_slm : c->l3_ways);

    assert(mem_idle(mem));
    mem->stats.mem_messages_inflight_peak = 0;
    mem->stats.mem_lines_inflight_peak = 0;
    cpu_launch(&mem->cpu);
    ff_launch(&mem->ff, flush_pixels, mem);
    if (uses_slm != mem->uses_slm)
        l3_repartition(&mem->l3, ways, flush_line, mem);
    mem->uses_slm = uses_slm;
}

void mem_forget_texels(struct mem_system *mem)
{
    assert(mem_idle(mem));
    ff_forget_texels(&mem->ff);
}

/* ---- tokens in and out ---- */

void mem_send(struct mem_system *mem, const struct mem_msg *msg)
{
    uint32_t port = msg->subslice;

    assert(port < mem->ports && msg->cycle >= mem->until);
    if (msg->op == MEM_BARRIER || msg->op > MEM_INTERPOLATE)
        others_send(mem, msg);
    else
        dataport_send(&mem->port[port], msg);
}

void mem_group_begin(struct mem_system *mem, uint8_t subslice, uint8_t bslot,
                     uint32_t threads)
{
    gateway_group(&mem->gateway[subslice], bslot, threads);
}

void mem_thread_end(struct mem_system *mem, uint8_t subslice, uint8_t bslot,
                    uint64_t cycle)
{
    assert(cycle >= mem->until);
    gateway_end(&mem->gateway[subslice], bslot, cycle);
    others_plan(mem, subslice);
}

/* The earliest completion's cycle, UINT64_MAX without any; *port: the lowest that has
 * it. */
static uint64_t first_done(const struct mem_system *mem, uint32_t *port)
{
    uint64_t first = UINT64_MAX;

    *port = 0;
    for (uint32_t i = 0; i < mem->ports; i++)
        if (mem->port[i].done_at < first) {
            first = mem->port[i].done_at;
            *port = i;
        }
    return first;
}

bool mem_take(struct mem_system *mem, uint64_t before, struct mem_done *done)
{
    uint32_t port;

    if (first_done(mem, &port) >= before)
        return false;
    dataport_take_done(&mem->port[port], done);
    return true;
}

void mem_tell_ways(struct mem_system *mem, bool tell)
{
    for (uint32_t i = 0; i < mem->ports; i++)
        mem->port[i].tells = tell;
}

const struct mem_way *mem_way(const struct mem_system *mem, uint8_t subslice)
{
    const struct dataport *port = &mem->port[subslice];

    return &port->way[(uint8_t)(port->done_head - 1)];
}

/* ---- time ---- */

static void deliver(struct mem_system *mem, uint64_t now, uint32_t packet)
{
    struct packet p = mem->wheel.pool[packet];

    switch ((enum packet_kind)p.kind) {
    case PACKET_L3:
        l3_arrive(&mem->l3, packet);
        return;
    case PACKET_LINE:
        dataport_line(&mem->port[p.unit], now, packet);
        return;
    case PACKET_FILL:
        wheel_release(&mem->wheel, packet);
        l3_fill(&mem->l3, now, p.unit, p.a, p.b);
        return;
    case PACKET_ANSWER:
        wheel_release(&mem->wheel, packet);
        dataport_answer(&mem->port[p.unit], now, p.a);
        return;
    case PACKET_FIRE:
        wheel_release(&mem->wheel, packet);
        gateway_fire(&mem->gateway[p.unit], now, p.a);
        return;
    case PACKET_TEXEL:
        texture_line(&mem->ff.texture[p.unit], now, packet);
        mem->at[p.unit] = mem->other_at[p.unit] = now;
        return;
    case PACKET_PIXEL:
        target_line(&mem->ff.target[p.unit], now, packet);
        others_wake(mem, now); /* they may have waited for it */
        return;
    case PACKET_DEPTH:
        ff_depth_line(&mem->ff, p.unit, now, packet);
        return;
    }
}

static void tick_port(struct mem_system *mem, uint32_t port, uint64_t now)
{
    uint64_t next;

    if (mem->other_at[port] <= now)
        others_tick(mem, port, now);
    next = dataport_tick(&mem->port[port], now);
    mem->at[port] = igpu_earlier(next, mem->other_at[port]);
}

/* The subslices' cycle `now`; returns the first cycle in which they have something to
 * do by themselves. */
static uint64_t tick_ports(struct mem_system *mem, uint64_t now)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t i = 0; i < mem->ports; i++) {
        if (mem->at[i] <= now)
            tick_port(mem, i, now);
        next = igpu_earlier(next, mem->at[i]);
    }
    return next;
}

/* Cycle clock.tick; returns the next one in which something happens on the GPU's side
 * by itself. */
static uint64_t mem_step(struct mem_system *mem)
{
    uint64_t now = mem->clock.tick, ports;
    bool again = false;
    uint32_t packet;

    if (llc_next_ps(&mem->llc) <= mem->clock.ps || mem->gti.pending)
        gti_receive(&mem->gti, &mem->clock);
    while ((packet = wheel_take(&mem->wheel, now)) != PACKET_NONE)
        deliver(mem, now, packet);
    if (mem->l3.active != 0)
        again = l3_tick(&mem->l3, now);
    if (gti_busy(&mem->gti, &mem->l3))
        again |= gti_tick(&mem->gti, &mem->clock);
    if (mem->ff.depth_at <= now)
        others_depth(mem, now);
    ports = tick_ports(mem, now);
    if (mem->ff.used != 0 || mem->ff.depth_at != UINT64_MAX)
        ports = igpu_earlier(ports, ff_plan_depth(&mem->ff));
    if (again || ports <= now + 1)
        return now + 1;
    return igpu_earlier(ports, wheel_next(&mem->wheel, now + 1));
}

/* The first cycle from clock.tick on in which something happens on the GPU's side by
 * itself. */
static uint64_t next_inside(const struct mem_system *mem)
{
    uint64_t now = mem->clock.tick, next;

    if (mem->l3.active != 0 || gti_busy(&mem->gti, &mem->l3))
        return now;
    next = igpu_earlier(wheel_next(&mem->wheel, now), mem->ff.depth_at);
    for (uint32_t i = 0; i < mem->ports; i++)
        next = igpu_earlier(next, mem->at[i]);
    return next > now ? next : now;
}

/* A bound for the cycle in which the LLC's next answer can come. */
static uint64_t next_below(const struct mem_system *mem)
{
    if (mem->gti.pending)
        return clock_tick(mem->gti.answer.ps, mem->config.gpu_clock_hz);
    if (!llc_owes(&mem->llc))
        return UINT64_MAX;
    return clock_tick(llc_next_ps(&mem->llc), mem->config.gpu_clock_hz);
}

/* The next cycle to simulate, at most `next`: the LLC runs ahead to its first answer
 * while nothing can come to it from the GPU. */
static uint64_t next_cycle(struct mem_system *mem, uint64_t next)
{
    uint64_t from = mem->clock.tick + 1, hz = mem->config.gpu_clock_hz, answer;

    if (next <= from)
        return from;
    if (llc_owes(&mem->llc) || mem->gti.pending) {
        answer = gti_await(&mem->gti, clock_at(&mem->clock, next));
        if (answer != UINT64_MAX && clock_tick(answer, hz) < next)
            next = clock_tick(answer, hz);
    }
    return next > from ? next : from;
}

static void run_inside(struct mem_system *mem, uint64_t horizon)
{
    while (mem->clock.tick < horizon) {
        uint64_t next = igpu_earlier(mem_step(mem), horizon);

        clock_go(&mem->clock, next_cycle(mem, next));
    }
    for (uint32_t i = 0; i < mem->ports; i++)
        dataport_count(&mem->port[i], mem->clock.tick);
}

void mem_run(struct mem_system *mem, uint64_t until)
{
    uint64_t horizon = until + mem->config.dp_in_latency;

    assert(until >= mem->until);
    while (mem->sample_at <= horizon) {
        run_inside(mem, mem->sample_at);
        mem_sample_take(mem);
    }
    run_inside(mem, horizon);
    /* Agents alone hold nobody up; bring them here too. */
    if (mem->config.cpu_agent != CPU_NONE && mem->llc.reads_in_flight == 0)
        (void)gti_await(&mem->gti, mem->clock.ps);
    mem->until = until;
}

uint64_t mem_next_event(const struct mem_system *mem)
{
    uint32_t port;
    uint64_t next = next_inside(mem);
    uint64_t below = next_below(mem), done = first_done(mem, &port);

    if (below < next)
        next = below;
    if (next < mem->clock.tick)
        next = mem->clock.tick;
    if (next != UINT64_MAX)
        next += mem->config.dp_out_latency;
    if (done < next)
        next = done;
    return next > mem->until ? next : mem->until;
}

/* Everything is answered and in its place. */
static bool settled(const struct mem_system *mem)
{
    for (uint32_t i = 0; i < mem->ports; i++)
        if (mem->port[i].records_free != PORT_RECORDS)
            return false;
    return ff_idle(&mem->ff) && mem->l3.in_flight == 0 &&
           !gti_busy(&mem->gti, &mem->l3) && llc_idle(&mem->llc);
}

bool mem_idle(const struct mem_system *mem)
{
    uint32_t port;

    return first_done(mem, &port) == UINT64_MAX && settled(mem);
}

bool mem_drained(const struct mem_system *mem, struct mem_drain *drain)
{
    const struct igpu_config *c = &mem->config;
    uint64_t last = ff_last(&mem->ff) + c->dp_out_latency;

    if (!settled(mem) || next_inside(mem) != UINT64_MAX ||
        next_below(mem) != UINT64_MAX)
        return false;
    drain->answered = 0;
    for (uint32_t i = 0; i < mem->ports; i++)
        if (mem->port[i].last_done > drain->answered)
            drain->answered = mem->port[i].last_done;
    drain->quiet = clock_tick(mem->llc.last_ps, c->gpu_clock_hz) + c->dp_out_latency;
    if (drain->answered > drain->quiet)
        drain->quiet = drain->answered;
    if (last > drain->quiet)
        drain->quiet = last;
    drain->quiet += ff_modified(&mem->ff); /* a line a cycle, the slices side by side */
    return true;
}

static bool places_rested(const struct port_places *places, uint64_t inside)
{
    uint32_t last =
        (places->head + places->releasing + LINES_MAX_ENTRIES - 1) % LINES_MAX_ENTRIES;

    return places->releasing == 0 || places->release[last] <= inside;
}

static bool port_rested(const struct dataport *port, uint64_t inside)
{
    return port->busy_until <= inside && port->line_bus_free <= inside &&
           port->back_free <= inside &&
           places_rested(&port->places[PLACE_TABLE], inside) &&
           places_rested(&port->places[PLACE_SLM], inside);
}

bool mem_rested(const struct mem_system *mem, uint64_t cycle)
{
    uint64_t inside = cycle + mem->config.dp_in_latency;
    bool rested = settled(mem);

    for (uint32_t i = 0; i < mem->ports && rested; i++)
        rested = port_rested(&mem->port[i], inside);
    for (uint32_t i = 0; i < mem->l3.banks && rested; i++)
        rested = mem->l3.bank[i].free_at <= inside;
    return rested && ff_rested(&mem->ff, inside);
}

void mem_heat(struct mem_system *mem, struct heat *heat)
{
    mem->l3.heat = mem->llc.heat = mem->llc.dram.heat = heat;
    for (uint32_t i = 0; i < mem->ports; i++)
        mem->port[i].heat = heat;
}

void mem_watch_dram(struct mem_system *mem, dram_watch *watch, void *ctx)
{
    mem->llc.dram.watch = watch;
    mem->llc.dram.watch_ctx = ctx;
}

const struct mem_stats *mem_stats(const struct mem_system *mem)
{
    return &mem->stats;
}

uint64_t mem_min_latency(const struct igpu_config *config)
{
    return config->dp_in_latency + config->dp_out_latency;
}

uint64_t mem_answer_latency(const struct igpu_config *config, bool barrier)
{
    uint64_t inside[] = {config->dp_empty_latency, config->dp_other_latency,
                         config->slm_latency,      config->l3_request_latency,
                         config->tex_latency,      config->pi_latency};
    uint64_t least = inside[0];

    for (unsigned i = 1; i < sizeof(inside) / sizeof(inside[0]); i++)
        if (inside[i] < least)
            least = inside[i];
    return mem_min_latency(config) + (barrier ? config->gw_latency : least);
}
