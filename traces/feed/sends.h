/* sends.h - messages as the memory side is told of them: what an instruction says, and
 * the addresses of one that is sent. Tests: tests/traces/test_feeder_messages.c */
#ifndef FEED_SENDS_H
#define FEED_SENDS_H
#include "igpu/isa.h"
#include "igpu/mem.h"
#include "traces/feed/texels.h"
#include "traces/format/trace.h"

/* What the memory side is told of a static send, besides addresses. */
struct feed_send {
    uint8_t op, space; /* enum mem_op, mem_space */
    bool has_access;
    bool texels;    /* its addresses are texels: an image read by an OpenCL kernel */
    bool graphics;  /* of MEM_TEXTURE, MEM_TARGET: the trace tells its work */
    uint16_t bytes; /* that one lane moves, */
    uint32_t first; /* from this offset to its address on */
};

struct feed_send feed_send_of(const struct isa_inst *inst);

/* How many lanes a mask enables; most enable the lowest ones, all of them. */
static inline uint8_t feed_lanes_of(uint32_t mask)
{
    if ((mask & (mask + 1)) == 0)
        return (uint8_t)(32 - __builtin_clz(mask));
    return (uint8_t)__builtin_popcount(mask);
}

/* The body of a MEM_TEXTURE or MEM_TARGET message, whose lanes are there. */
void feed_graphics(const struct trace_graphics *from, struct mem_msg *msg);

/* The memory side's view of addresses, one for each lane of mask or the first one. */
static inline __attribute__((always_inline)) void
feed_put_lanes(uint32_t mask, const struct feed_send *send, struct mem_msg *msg)
{
    msg->bytes = send->bytes;
    if (mask == 0 || send->op == MEM_PAYLOAD)
        return;
    if (send->texels) {
        texels_to_lines(mask, msg);
        return;
    }
    msg->lanes = feed_lanes_of(mask);
    for (uint32_t i = 0; send->first != 0 && i < (msg->even ? 1 : msg->lanes); i++)
        msg->addr[i] += send->first;
}
#endif
