/* target.h - one subslice's way to its slice's render targets: messages in order, at
 * the slice's rate of pixels, their lines to the L3; lines whose pixels are read before
 * are fetched there first. Contract: docs/graphics.md, "Timing". Tests:
 * tests/csim/test_mem_graphics.c */
#ifndef MEM_TARGET_H
#define MEM_TARGET_H
#include "csim/mem/dataport.h"

struct target {
    struct dataport *port;
    uint64_t *slice_free; /* from then on the slice takes a message */
    struct port_ring in;
    uint32_t free; /* a bit for each place of a message that has begun */
    uint8_t left[LINES_UNIT_ENTRIES]; /* its lines that the L3 has not yet */
};

/* *slice_free is shared by the slice's subslices, and 0 at first. */
void target_init(struct target *target, struct dataport *port, uint64_t *slice_free);
/* A MEM_TARGET message; ascending cycles. */
void target_send(struct target *target, const struct mem_msg *msg);
/* PACKET_PIXEL takes effect. */
void target_line(struct target *target, uint64_t now, uint32_t packet);
void target_tick(struct target *target, uint64_t now);
/* The next cycle in which target_tick() has something to do; UINT64_MAX. */
uint64_t target_next(const struct target *target);
#endif
