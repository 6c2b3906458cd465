/* ff.c - see ff.h. */
#include "csim/ff/ff.h"
#include "igpu/order.h"

#include <string.h>

static uint64_t slice_of(const struct ff *ff, uint64_t subslice)
{
    return subslice * ff->config->gpu_slices / ff->config->gpu_subslices;
}

bool ff_init(struct ff *ff, const struct igpu_config *config, struct dataport *ports,
             struct mem_stats *stats)
{
    ff->config = config;
    ff->ports = (uint32_t)config->gpu_subslices;
    ff->depth_at = UINT64_MAX;
    fixed_init(&ff->fixed, config, stats);
    for (uint64_t i = 0; i < config->gpu_slices; i++)
        if (!pixels_init(&ff->pixels[i], config, stats) ||
            !depth_init(&ff->depth[i], (uint32_t)i, config, ports, stats))
            return false;
    for (uint32_t i = 0; i < ff->ports; i++) {
        uint64_t slice = slice_of(ff, i);

        payload_init(&ff->payload[i], &ports[i]);
        target_init(ff->target, &ports[i], &ff->pixels[slice], &ff->depth[slice],
                    &ff->target_free[slice]);
        if (!texture_init(&ff->texture[i], &ports[i]))
            return false;
    }
    return true;
}

void ff_free(struct ff *ff)
{
    for (uint32_t i = 0; i < ff->ports; i++)
        texture_free(&ff->texture[i]);
    for (uint32_t i = 0; i < LINES_MAX_PORTS; i++) {
        pixels_free(&ff->pixels[i]);
        depth_free(&ff->depth[i]);
    }
}

void ff_launch(struct ff *ff, void (*flush)(void *ctx, uint64_t line), void *ctx)
{
    for (uint64_t i = 0; i < ff->config->gpu_slices; i++) {
        pixels_flush(&ff->pixels[i], flush, ctx);
        depth_flush(&ff->depth[i], flush, ctx);
    }
    ff->used = 0;
    fixed_launch(&ff->fixed);
}

void ff_forget_texels(struct ff *ff)
{
    for (uint32_t i = 0; i < ff->ports; i++)
        texture_forget(&ff->texture[i]);
}

/* ---- what comes ---- */

void ff_send(struct ff *ff, const struct mem_msg *msg)
{
    uint32_t port = msg->subslice;
    const struct fixed_slot *s = &ff->fixed.slot[port][msg->eu][msg->slot];

    ff->used |= UINT32_C(1) << port;
    if (msg->op == MEM_PAYLOAD)
        payload_send(&ff->payload[port], msg, s->made, s->depth);
    else if (msg->op != MEM_TARGET)
        texture_send(&ff->texture[port], msg);
    else
        target_send(&ff->target[port], msg);
}

/* Of a thread whose payload's time is known, the lines that its tests touch: with them
 * it becomes unknown again. */
static void give_depth(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot,
                       uint64_t cycle, const struct mem_graphics *thread)
{
    const struct igpu_config *c = ff->config;
    struct depth *depth = &ff->depth[slice_of(ff, tile)];
    struct fixed_slot *s = &ff->fixed.slot[tile][eu][slot];
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
    ff->depth_at = igpu_earlier(ff->depth_at, depth_next(depth));
}

void ff_begin(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot, uint64_t cycle,
              uint64_t start, const struct mem_graphics *thread)
{
    fixed_begin(&ff->fixed, tile, eu, slot, start, thread);
    if (ff->fixed.slot[tile][eu][slot].made != FIXED_UNKNOWN)
        give_depth(ff, tile, eu, slot, cycle, thread);
}

/* The slot's payload, if its time is known now. */
static ff_changed tell_made(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot)
{
    const struct fixed_slot *s = &ff->fixed.slot[tile][eu][slot];

    if (s->made == FIXED_UNKNOWN)
        return 0;
    payload_made(&ff->payload[tile], eu, slot, s->made, s->depth);
    return UINT32_C(1) << tile;
}

ff_changed ff_end(struct ff *ff, uint8_t tile, uint8_t eu, uint8_t slot, uint64_t cycle)
{
    struct fixed_waiting w;
    ff_changed changed = 0;

    fixed_end(&ff->fixed, tile, eu, slot, cycle);
    while (fixed_made(&ff->fixed, &w)) {
        give_depth(ff, w.tile, w.eu, w.slot, cycle, &w.thread);
        changed |= tell_made(ff, w.tile, w.eu, w.slot);
    }
    return changed;
}

/* ---- time ---- */

uint64_t ff_next(const struct ff *ff, uint32_t port)
{
    uint64_t next = igpu_earlier(payload_next(&ff->payload[port]),
                                 texture_next(&ff->texture[port]));

    return igpu_earlier(next, target_next(&ff->target[port]));
}

void ff_tick(struct ff *ff, uint32_t port, uint64_t now)
{
    if (ff->payload[port].count != 0)
        payload_tick(&ff->payload[port], now);
    if (ff->texture[port].in.count != 0)
        texture_tick(&ff->texture[port], now);
    if (ff->target[port].in.count != 0)
        target_tick(&ff->target[port], now);
}

uint64_t ff_plan_depth(struct ff *ff)
{
    ff->depth_at = UINT64_MAX;
    for (uint64_t i = 0; i < ff->config->gpu_slices; i++)
        ff->depth_at = igpu_earlier(ff->depth_at, depth_next(&ff->depth[i]));
    return ff->depth_at;
}

/* An item's last line is looked up. */
static void depth_done(struct ff *ff, uint64_t now, const struct depth_item *done,
                       bool *room, ff_changed *changed)
{
    struct fixed_slot *s = &ff->fixed.slot[done->tile][done->eu][done->slot];

    *changed = 0;
    *room = done->ready == DEPTH_NO_THREAD;
    if (*room)
        return;
    s->made = done->ready > now ? done->ready : now;
    *changed = tell_made(ff, done->tile, done->eu, done->slot);
}

bool ff_depth(struct ff *ff, uint64_t now, bool *room, ff_changed *changed)
{
    struct depth_item done;

    for (uint64_t i = 0; i < ff->config->gpu_slices; i++) {
        struct depth *d = &ff->depth[i];

        while (depth_next(d) <= now)
            if (depth_tick(d, now, &done)) {
                depth_done(ff, now, &done, room, changed);
                return true;
            }
    }
    (void)ff_plan_depth(ff);
    return false;
}

void ff_depth_line(struct ff *ff, uint32_t unit, uint64_t now, uint32_t packet)
{
    depth_line(&ff->depth[slice_of(ff, unit)], now, packet);
    ff->depth_at = now;
}

/* ---- rest ---- */

bool ff_idle(const struct ff *ff)
{
    for (uint64_t i = 0; i < ff->config->gpu_slices; i++)
        if (!depth_idle(&ff->depth[i]))
            return false;
    return true;
}

bool ff_rested(const struct ff *ff, uint64_t inside)
{
    bool rested = true;

    for (uint64_t i = 0; i < ff->config->gpu_slices && rested; i++)
        rested = ff->depth[i].free_at <= inside;
    for (uint32_t i = 0; i < ff->ports && rested; i++)
        rested = ff->texture[i].busy_until <= inside && ff->target_free[i] <= inside;
    return rested;
}

uint32_t ff_modified(const struct ff *ff)
{
    uint32_t most = 0;

    for (uint64_t i = 0; i < ff->config->gpu_slices; i++) {
        uint32_t n = pixels_modified(&ff->pixels[i]) + depth_modified(&ff->depth[i]);

        most = n > most ? n : most;
    }
    return most;
}

uint64_t ff_last(const struct ff *ff)
{
    uint64_t last = 0;

    for (uint64_t i = 0; i < ff->config->gpu_slices; i++)
        last = ff->depth[i].last > last ? ff->depth[i].last : last;
    return last;
}
