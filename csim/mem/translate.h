/* translate.h - the GPU's addresses to physical ones: where pages and their table lie,
 * and which translations are kept. Lines are 64 B, named by address / 64.
 * Contract: docs/memory.md. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_TRANSLATE_H
#define MEM_TRANSLATE_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

struct translate {
    uint64_t seed, pde_ps;
    uint32_t line_bits; /* log2 of lines in a page */
    bool random, use_tlb, use_pde;
    struct cache tlb, pde;
    uint64_t *walk; /* per TLB entry: see translate_find() */
    struct mem_stats *stats;
};

/* False: no memory. */
bool translate_init(struct translate *translate, const struct igpu_config *config,
                    struct mem_stats *stats);
void translate_free(struct translate *translate);

/* The physical line of virtual line `line`; no two lines share one. */
uint64_t translate_line(const struct translate *translate, uint64_t line);

/* The walk (the caller's name for it, 0: over) that brings the translation of virtual
 * `line`; NULL: the TLB does not have it, call translate_keep(). */
uint64_t *translate_find(struct translate *translate, uint64_t line);

/* Take a TLB entry for it. Returns where the caller keeps its walk, and in *ps the
 * time that passes before the walk reads translate_entry(). */
uint64_t *translate_keep(struct translate *translate, uint64_t line, uint64_t *ps);

/* The physical line with the page table's entry for virtual `line`. */
uint64_t translate_entry(const struct translate *translate, uint64_t line);

/* Outside of time: keep the translation of `line`. True: it was not kept before. */
bool translate_warm(struct translate *translate, uint64_t line);
#endif
