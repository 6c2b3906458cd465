/* others.c - see others.h. */
#include "csim/side/others.h"

#include <assert.h>

/* ---- when they have something to do ---- */

void others_plan(struct mem_system *mem, uint32_t port)
{
    uint64_t next = gateway_next(&mem->gateway[port]), at;

    at = ff_uses(&mem->ff, port) ? ff_next(&mem->ff, port) : UINT64_MAX;
    mem->other_at[port] = at < next ? at : next;
    if (mem->other_at[port] < mem->at[port])
        mem->at[port] = mem->other_at[port];
}

static void plan_changed(struct mem_system *mem, ff_changed changed)
{
    for (ff_changed rest = changed; rest != 0; rest &= rest - 1)
        others_plan(mem, (uint32_t)__builtin_ctz(rest));
}

void others_wake(struct mem_system *mem, uint64_t now)
{
    for (uint32_t i = 0; i < mem->ports; i++)
        if (ff_uses(&mem->ff, i))
            mem->at[i] = mem->other_at[i] = now;
}

/* ---- what comes ---- */

void others_send(struct mem_system *mem, const struct mem_msg *msg)
{
    uint32_t port = msg->subslice;

    if (msg->op == MEM_BARRIER)
        gateway_arrive(&mem->gateway[port], dataport_record(&mem->port[port], msg));
    else
        ff_send(&mem->ff, msg);
    others_plan(mem, port);
}

void mem_graphics_begin(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                        uint8_t slot, uint64_t cycle, uint64_t start,
                        const struct mem_graphics *thread)
{
    assert(cycle >= mem->until);
    ff_begin(&mem->ff, subslice, eu, slot, cycle, start, thread);
}

void mem_graphics_end(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                      uint8_t slot, uint64_t cycle)
{
    assert(cycle >= mem->until);
    plan_changed(mem, ff_end(&mem->ff, subslice, eu, slot, cycle));
}

/* ---- time ---- */

void others_depth(struct mem_system *mem, uint64_t now)
{
    ff_changed changed;
    bool room;

    while (ff_depth(&mem->ff, now, &room, &changed))
        if (room)
            others_wake(mem, now);
        else
            plan_changed(mem, changed);
}

void others_tick(struct mem_system *mem, uint32_t port, uint64_t now)
{
    if (gateway_next(&mem->gateway[port]) <= now)
        gateway_tick(&mem->gateway[port], now);
    if (ff_uses(&mem->ff, port))
        ff_tick(&mem->ff, port, now);
    others_plan(mem, port);
}
