/* target.h - one subslice's way to its slice's render targets: messages in order, at
 * the slice's rate of pixels, their lines to its cache of pixels, and what that lacks
 * or pushes out to the L3. Contract: docs/contract/fixed-functions.md, "Timing". Tests:
 * tests/csim/test_mem_graphics.c */
#ifndef MEM_TARGET_H
#define MEM_TARGET_H
#include "csim/ff/depth.h"
#include "csim/ff/pixels.h"
#include "csim/mem/dataport.h"

struct target {
    struct dataport *port;
    struct target *all; /* that of subslice 0 */
    struct pixels *pixels;
    struct depth *depth;  /* the slice's too */
    uint64_t *slice_free; /* from then on the slice takes a message */
    struct port_ring in;
    uint32_t free; /* a bit for each place of a message that has begun */
    struct {
        uint64_t ready;         /* the slice has looked up all of its lines */
        uint8_t left;           /* lines that it waits for */
        uint8_t victims;        /* that the L3 has not yet */
        uint32_t packed, packs; /* bit: one line holds the pair of line k, as it is
                                   read / as the message leaves it */
        uint32_t entry[MEM_MAX_LANES]; /* of the cache, that line k fills; CACHE_NONE */
    } begun[LINES_UNIT_ENTRIES];
};

/* *pixels, *depth and *slice_free, 0 at first, are shared by the slice's subslices;
 * `all` is the array of every subslice's. */
void target_init(struct target *all, struct dataport *port, struct pixels *pixels,
                 struct depth *depth, uint64_t *slice_free);
/* A MEM_TARGET message; ascending cycles. */
void target_send(struct target *target, const struct mem_msg *msg);
/* PACKET_PIXEL takes effect. */
void target_line(struct target *target, uint64_t now, uint32_t packet);
void target_tick(struct target *target, uint64_t now);
/* The next cycle in which target_tick() has something to do; UINT64_MAX. */
uint64_t target_next(const struct target *target);
#endif
