/* gateway.c - see gateway.h. */
#include "csim/mem/gateway.h"

#include <assert.h>
#include <string.h>

enum { THREAD_SLOTS = 7 };

void gateway_init(struct gateway *gateway, uint8_t number,
                  const struct igpu_config *config, struct dataport *port,
                  struct wheel *wheel, struct mem_stats *stats)
{
    memset(gateway, 0, sizeof(*gateway));
    gateway->config = config;
    gateway->number = number;
    gateway->port = port;
    gateway->wheel = wheel;
    gateway->stats = stats;
}

void gateway_group(struct gateway *gateway, uint8_t slot, uint32_t threads)
{
    struct gateway_group *group = &gateway->group[slot];

    assert(slot < GATEWAY_SLOTS && group->arrived == 0);
    /* Ends of the group before may still be in the queue: `use` tells them apart. */
    group->use++;
    group->threads = threads;
}

/* Put an event into the queue; ends may be announced out of order. */
static void event_put(struct gateway *gateway, const struct gateway_event *event)
{
    uint32_t i = gateway->count++;

    assert(gateway->count <= GATEWAY_QUEUE);
    for (; i > 0; i--) {
        const struct gateway_event *before =
            &gateway->queue[(gateway->head + i - 1) % GATEWAY_QUEUE];

        if (before->at <= event->at)
            break;
        gateway->queue[(gateway->head + i) % GATEWAY_QUEUE] = *before;
    }
    gateway->queue[(gateway->head + i) % GATEWAY_QUEUE] = *event;
}

void gateway_arrive(struct gateway *gateway, uint8_t record)
{
    const struct mem_msg *msg = &gateway->port->record[record].msg;
    struct gateway_event event = {
        msg->cycle + gateway->config->dp_in_latency, 0, msg->bslot,
        (uint8_t)(msg->eu * THREAD_SLOTS + msg->slot), record};

    assert(msg->bslot < GATEWAY_SLOTS && event.thread < GATEWAY_THREADS);
    event.use = gateway->group[msg->bslot].use;
    event_put(gateway, &event);
}

void gateway_end(struct gateway *gateway, uint8_t slot, uint64_t cycle)
{
    struct gateway_event event = {cycle + gateway->config->dp_in_latency,
                                  gateway->group[slot].use, slot, 0, PORT_NONE};

    event_put(gateway, &event);
}

/* Returns true if the event may have completed its group's barrier. */
static bool apply(struct gateway *gateway, const struct gateway_event *event)
{
    struct gateway_group *group = &gateway->group[event->slot];

    if (event->use != group->use)
        return false;
    if (event->record == PORT_NONE) {
        assert(group->threads > 0);
        group->threads--;
        return true;
    }
    assert((group->arrived >> event->thread & 1) == 0);
    group->arrived |= UINT64_C(1) << event->thread;
    gateway->record[event->thread] = event->record;
    gateway->stats->gw_arrivals++;
    return true;
}

void gateway_tick(struct gateway *gateway, uint64_t now)
{
    uint32_t touched = 0; /* bit: slot. Looked at in slot order, when all is applied */

    while (gateway_next(gateway) <= now) {
        const struct gateway_event *event = &gateway->queue[gateway->head];

        touched |= (uint32_t)apply(gateway, event) << event->slot;
        gateway->head = (gateway->head + 1) % GATEWAY_QUEUE;
        gateway->count--;
    }
    for (; touched != 0; touched &= touched - 1) {
        uint8_t slot = (uint8_t)__builtin_ctz(touched);
        struct gateway_group *group = &gateway->group[slot];

        if (group->arrived == 0 ||
            (uint32_t)__builtin_popcountll(group->arrived) < group->threads)
            continue;
        group->telling |= group->arrived;
        group->arrived = 0;
        gateway->stats->gw_barriers++;
        wheel_put(gateway->wheel, now, now + gateway->config->gw_latency,
                  wheel_new(gateway->wheel, PACKET_FIRE, gateway->number, slot, 0));
    }
}

void gateway_fire(struct gateway *gateway, uint64_t now, uint8_t slot)
{
    struct gateway_group *group = &gateway->group[slot];

    for (; group->telling != 0; group->telling &= group->telling - 1)
        dataport_answer(gateway->port, now,
                        gateway->record[__builtin_ctzll(group->telling)]);
}
