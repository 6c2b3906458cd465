/* payload.c - see payload.h. */
#include "csim/ff/payload.h"

#include <string.h>

void payload_init(struct payload *payload, struct dataport *port)
{
    payload->port = port;
    payload->count = 0;
    memset(payload->unknown, PORT_NONE, sizeof(payload->unknown));
}

static bool is_later(uint64_t at, uint64_t order, uint64_t than, uint64_t than_order)
{
    return at != than ? at > than : order > than_order;
}

static void wait_until(struct payload *payload, uint8_t record, uint64_t made,
                       bool depth)
{
    struct dataport *port = payload->port;
    uint64_t soon = port->record[record].msg.cycle + port->config->dp_in_latency +
                    port->config->dp_empty_latency;
    uint64_t at = made > soon ? made : soon;
    uint64_t order = depth ? port->record[record].msg.cycle + 1 : 0;
    uint32_t i = payload->count++;

    assert(payload->count <= PORT_RECORDS);
    port->stats->ff_wait_cycles += at - soon;
    for (; i > 0 &&
           !is_later(payload->wait[i - 1].at, payload->wait[i - 1].order, at, order);
         i--)
        payload->wait[i] = payload->wait[i - 1];
    payload->wait[i].at = at;
    payload->wait[i].order = order;
    payload->wait[i].record = record;
}

void payload_send(struct payload *payload, const struct mem_msg *msg, uint64_t made,
                  bool depth)
{
    struct dataport *port = payload->port;
    uint8_t record = dataport_record(port, msg);

    port->stats->mem_others++;
    port->stats->ff_threads++;
    if (made == FIXED_UNKNOWN)
        payload->unknown[msg->eu][msg->slot] = record;
    else
        wait_until(payload, record, made, depth);
}

void payload_made(struct payload *payload, uint8_t eu, uint8_t slot, uint64_t made,
                  bool depth)
{
    uint8_t record = payload->unknown[eu][slot];

    if (record == PORT_NONE) /* its message is not sent yet */
        return;
    payload->unknown[eu][slot] = PORT_NONE;
    wait_until(payload, record, made, depth);
}

void payload_tick(struct payload *payload, uint64_t now)
{
    while (payload_next(payload) <= now)
        dataport_answer(payload->port, now, payload->wait[--payload->count].record);
}
