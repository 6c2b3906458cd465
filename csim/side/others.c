/* others.c - see others.h. */
#include "csim/side/others.h"

#include <assert.h>
#include <string.h>

/* ---- when they have something to do ---- */

/* What launches of compute kernels leave alone: not asked before it was given
 * something. */
static bool has_graphics(const struct mem_system *mem, uint32_t port)
{
    return (mem->graphics >> port & 1) != 0;
}

static uint64_t next_graphics(const struct mem_system *mem, uint32_t port)
{
    uint64_t next = payload_next(&mem->payload[port]);
    uint64_t at = texture_next(&mem->texture[port]);

    next = at < next ? at : next;
    at = target_next(&mem->target[port]);
    return at < next ? at : next;
}

void others_plan(struct mem_system *mem, uint32_t port)
{
    uint64_t next = gateway_next(&mem->gateway[port]), at;

    at = has_graphics(mem, port) ? next_graphics(mem, port) : UINT64_MAX;
    mem->other_at[port] = at < next ? at : next;
    if (mem->other_at[port] < mem->at[port])
        mem->at[port] = mem->other_at[port];
}

void others_wake(struct mem_system *mem, uint64_t now)
{
    for (uint32_t i = 0; i < mem->ports; i++)
        if (has_graphics(mem, i))
            mem->at[i] = mem->other_at[i] = now;
}

/* ---- what comes ---- */

void others_send(struct mem_system *mem, const struct mem_msg *msg)
{
    uint32_t port = msg->subslice;

    if (msg->op != MEM_BARRIER)
        mem->graphics |= UINT32_C(1) << port;
    if (msg->op == MEM_BARRIER)
        gateway_arrive(&mem->gateway[port], dataport_record(&mem->port[port], msg));
    else if (msg->op == MEM_PAYLOAD)
        payload_send(&mem->payload[port], msg,
                     mem->fixed.slot[port][msg->eu][msg->slot].made,
                     mem->fixed.slot[port][msg->eu][msg->slot].depth);
    else if (msg->op != MEM_TARGET)
        texture_send(&mem->texture[port], msg);
    else
        target_send(&mem->target[port], msg);
    others_plan(mem, port);
}

/* Of a thread whose payload's time is known, the lines that its tests touch: with them
 * it becomes unknown again. */
static void give_depth(struct mem_system *mem, uint8_t tile, uint8_t eu, uint8_t slot,
                       uint64_t cycle, const struct mem_graphics *thread)
{
    const struct igpu_config *c = &mem->config;
    struct depth *depth = &mem->depth[tile * c->gpu_slices / c->gpu_subslices];
    struct fixed_slot *s = &mem->fixed.slot[tile][eu][slot];
    struct depth_item item = {.came = cycle + c->dp_in_latency,
                              .at = cycle + c->dp_in_latency,
                              .ready = s->made,
                              .tile = tile,
                              .eu = eu,
                              .slot = slot,
                              .runs = (uint8_t)thread->runs};

    if (depth->cache.sets == 0 || thread->runs == 0)
        return;
    if (s->tested > item.at)
        item.at = s->tested;
    memcpy(item.line, thread->depth, thread->runs * sizeof(*item.line));
    s->made = FIXED_UNKNOWN;
    s->depth = true;
    depth_add(depth, &item);
    if (depth_next(depth) < mem->depth_at)
        mem->depth_at = depth_next(depth);
}

void mem_graphics_begin(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                        uint8_t slot, uint64_t cycle, uint64_t start,
                        const struct mem_graphics *thread)
{
    assert(cycle >= mem->until);
    fixed_begin(&mem->fixed, subslice, eu, slot, start, thread);
    if (mem->fixed.slot[subslice][eu][slot].made != FIXED_UNKNOWN)
        give_depth(mem, subslice, eu, slot, cycle, thread);
}

/* The slot's payload, if its time is known now. */
static void tell_made(struct mem_system *mem, uint8_t tile, uint8_t eu, uint8_t slot)
{
    const struct fixed_slot *s = &mem->fixed.slot[tile][eu][slot];

    if (s->made == FIXED_UNKNOWN)
        return;
    payload_made(&mem->payload[tile], eu, slot, s->made, s->depth);
    others_plan(mem, tile);
}

void mem_graphics_end(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                      uint8_t slot, uint64_t cycle)
{
    struct fixed_waiting w;

    assert(cycle >= mem->until);
    fixed_end(&mem->fixed, subslice, eu, slot, cycle);
    while (fixed_made(&mem->fixed, &w)) {
        give_depth(mem, w.tile, w.eu, w.slot, cycle, &w.thread);
        tell_made(mem, w.tile, w.eu, w.slot);
    }
}

/* ---- time ---- */

uint64_t others_plan_depth(struct mem_system *mem)
{
    mem->depth_at = UINT64_MAX;
    for (uint64_t i = 0; i < mem->config.gpu_slices; i++)
        if (depth_next(&mem->depth[i]) < mem->depth_at)
            mem->depth_at = depth_next(&mem->depth[i]);
    return mem->depth_at;
}

/* An item's last line is looked up. */
static void depth_done(struct mem_system *mem, uint64_t now,
                       const struct depth_item *done)
{
    struct fixed_slot *s = &mem->fixed.slot[done->tile][done->eu][done->slot];

    if (done->ready != DEPTH_NO_THREAD) {
        s->made = done->ready > now ? done->ready : now;
        tell_made(mem, done->tile, done->eu, done->slot);
        return;
    }
    others_wake(mem, now); /* there is room for a message's lines */
}

void others_depth(struct mem_system *mem, uint64_t now)
{
    struct depth_item done;

    for (uint64_t i = 0; i < mem->config.gpu_slices; i++) {
        struct depth *d = &mem->depth[i];

        while (depth_next(d) <= now)
            if (depth_tick(d, now, &done))
                depth_done(mem, now, &done);
    }
    (void)others_plan_depth(mem);
}

static void tick_graphics(struct mem_system *mem, uint32_t port, uint64_t now)
{
    if (mem->payload[port].count != 0)
        payload_tick(&mem->payload[port], now);
    if (mem->texture[port].in.count != 0)
        texture_tick(&mem->texture[port], now);
    if (mem->target[port].in.count != 0)
        target_tick(&mem->target[port], now);
}

void others_tick(struct mem_system *mem, uint32_t port, uint64_t now)
{
    if (gateway_next(&mem->gateway[port]) <= now)
        gateway_tick(&mem->gateway[port], now);
    if (has_graphics(mem, port))
        tick_graphics(mem, port, now);
    others_plan(mem, port);
}
