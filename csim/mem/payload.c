/* payload.c - see payload.h. */
#include "csim/mem/payload.h"

void payload_init(struct payload *payload, struct dataport *port)
{
    payload->port = port;
    payload->count = 0;
}

void payload_send(struct payload *payload, const struct mem_msg *msg)
{
    struct dataport *port = payload->port;
    uint64_t soon =
        msg->cycle + port->config->dp_in_latency + port->config->dp_empty_latency;
    uint64_t at = msg->addr[0] > soon ? msg->addr[0] : soon;
    uint32_t i = payload->count++;

    assert(payload->count <= PORT_RECORDS && msg->lanes == 1);
    port->stats->mem_others++;
    port->stats->ff_threads++;
    port->stats->ff_wait_cycles += at - soon;
    for (; i > 0 && payload->wait[i - 1].at <= at; i--)
        payload->wait[i] = payload->wait[i - 1];
    payload->wait[i].at = at;
    payload->wait[i].record = dataport_record(port, msg);
}

void payload_tick(struct payload *payload, uint64_t now)
{
    while (payload_next(payload) <= now)
        dataport_answer(payload->port, now, payload->wait[--payload->count].record);
}
