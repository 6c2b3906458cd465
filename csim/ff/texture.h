/* texture.h - one subslice's sampler: messages in order, at its rate of bilinear
 * samples and of lines looked up; two caches of its own in front of the L3. A line that
 * is asked for already is waited for. Contract: docs/contract/fixed-functions.md,
 * "Sampler". Tests: tests/csim/test_mem_graphics.c */
#ifndef MEM_TEXTURE_H
#define MEM_TEXTURE_H
#include "csim/mem/cache.h"
#include "csim/mem/dataport.h"

struct texture {
    struct dataport *port;
    struct port_ring in;
    uint64_t busy_until, begun_at; /* of the message that began last */
    uint32_t free;   /* a bit for each place of a message that has begun */
    uint32_t misses; /* lines on their way from the L3 */
    bool used;       /* since it last forgot what the caches held */
    struct cache l1, l2;
    uint32_t *waiting; /* of each entry of l1: the places that wait for its line */
    struct {
        uint64_t ready;                /* the filter is done with it */
        uint32_t left;                 /* lines that are not there */
        uint32_t far;                  /* a bit for each line asked of the L3 */
        uint32_t entry[MEM_MAX_LANES]; /* of l1, that line k fills; CACHE_NONE */
    } begun[LINES_UNIT_ENTRIES];
};

/* False: no memory. */
bool texture_init(struct texture *texture, struct dataport *port);
void texture_free(struct texture *texture);
/* The caches hold nothing but lines that are on their way. */
void texture_forget(struct texture *texture);
/* What *counts has of this sampler, as of a sample in cycle `now`: without what lies in
 * that cycle or later, and with how long the oldest message has waited. */
void texture_sample(const struct texture *texture, uint64_t now,
                    struct sample_port *counts);
/* A MEM_TEXTURE or MEM_FLUSH message; ascending cycles. */
void texture_send(struct texture *texture, const struct mem_msg *msg);
/* PACKET_TEXEL takes effect. */
void texture_line(struct texture *texture, uint64_t now, uint32_t packet);
void texture_tick(struct texture *texture, uint64_t now);
/* The next cycle in which texture_tick() has something to do; UINT64_MAX. */
uint64_t texture_next(const struct texture *texture);
#endif
