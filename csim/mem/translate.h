/* translate.h - the GPU's addresses to physical ones: where pages lie, and what a
 * translation costs (TLB, page walk). Lines are 64 B, named by address / 64.
 * Contract: docs/memory.md. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_TRANSLATE_H
#define MEM_TRANSLATE_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

struct translate {
    uint64_t seed, walk_ps, pde_ps;
    uint32_t line_bits; /* log2 of lines in a page */
    bool random, use_tlb, use_pde;
    struct cache tlb, pde;
    uint64_t *ready_ps; /* per TLB entry: when its walk ends */
    struct mem_stats *stats;
};

/* False: no memory. */
bool translate_init(struct translate *translate, const struct igpu_config *config,
                    struct mem_stats *stats);
void translate_free(struct translate *translate);

/* The physical line of virtual line `line`; no two lines share one. */
uint64_t translate_line(const struct translate *translate, uint64_t line);

/* Look up the page of virtual `line` at `now_ps`, which never goes back, and return
 * the picoseconds until its translation is known. */
uint64_t translate_wait_ps(struct translate *translate, uint64_t line, uint64_t now_ps);
#endif
