/* translate.h - the GPU's addresses to physical ones: where pages and their table lie,
 * and which translations are kept. Lines are 64 B, named by address / 64.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_TRANSLATE_H
#define MEM_TRANSLATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

/* What is kept of a page's translation. */
struct translation {
    uint64_t walk;  /* the caller's name for the walk that brings it; 0: over */
    uint64_t frame; /* the physical line of the page's first one */
};

struct translate {
    uint64_t seed, pde_ps;
    uint32_t line_bits; /* log2 of lines in a page */
    bool random, use_tlb, use_pde;
    struct cache tlb, pde;
    struct translation *kept; /* per TLB entry */
    struct mem_stats *stats;
};

/* False: no memory. */
bool translate_init(struct translate *translate, const struct igpu_config *config,
                    struct mem_stats *stats);
void translate_free(struct translate *translate);

/* The physical line of virtual line `line`; no two lines share one. */
uint64_t translate_line(const struct translate *translate, uint64_t line);

/* Take a TLB entry for it, whose walk the caller sets. In *ps the time that passes
 * before the walk reads translate_entry(). */
struct translation *translate_keep(struct translate *translate, uint64_t line,
                                   uint64_t *ps);

/* The physical line with the page table's entry for virtual `line`. */
uint64_t translate_entry(const struct translate *translate, uint64_t line);

/* Outside of time: keep the translation of `line`. True: it was not kept before. */
bool translate_warm(struct translate *translate, uint64_t line);

/* ---- what every miss passes: in the header, so that it is inlined ---- */

static inline uint32_t translate_set(const struct translate *translate, uint64_t page)
{
    return (uint32_t)(page & (translate->tlb.sets - 1));
}

/* The translation of virtual `line`; NULL: the TLB does not have it, call
 * translate_keep(). */
static inline struct translation *translate_find(struct translate *translate,
                                                 uint64_t line)
{
    uint64_t page = line >> translate->line_bits;
    uint32_t set = translate_set(translate, page);
    uint32_t entry = cache_find(&translate->tlb, set, page);

    if (entry == CACHE_NONE)
        return NULL;
    cache_touch(&translate->tlb, set, entry);
    return &translate->kept[entry];
}

/* The physical line of virtual line `line`, which has that translation. */
static inline uint64_t translate_by(const struct translate *translate,
                                    const struct translation *translation,
                                    uint64_t line)
{
    return translation->frame | (line & ((UINT64_C(1) << translate->line_bits) - 1));
}
#endif
