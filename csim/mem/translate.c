/* translate.c - see translate.h. */
#include "csim/mem/translate.h"

#include <stdlib.h>
#include <string.h>

#include "csim/mem/scatter.h"

enum { PAGE_NUMBER_BITS = SCATTER_BITS, PDE_BITS = 9 };

uint64_t translate_line(const struct translate *translate, uint64_t line)
{
    uint64_t page = line >> translate->line_bits;

    if (!translate->random)
        return line;
    return (scatter(page, translate->seed) | page >> PAGE_NUMBER_BITS
                                                         << PAGE_NUMBER_BITS)
               << translate->line_bits |
           (line & ((UINT64_C(1) << translate->line_bits) - 1));
}

bool translate_init(struct translate *translate, const struct igpu_config *config,
                    struct mem_stats *stats)
{
    uint32_t entries = (uint32_t)config->tlb_entries;

    memset(translate, 0, sizeof(*translate));
    translate->seed = config->page_seed;
    translate->random = config->page_random != 0;
    translate->walk_ps = config->tlb_walk_ps;
    translate->pde_ps = config->tlb_pde_ps;
    translate->line_bits = (uint32_t)__builtin_ctzll(config->page_bytes / 64);
    translate->use_tlb = entries != 0;
    translate->use_pde = config->tlb_pde_entries != 0;
    translate->stats = stats;
    if (!translate->use_tlb)
        return true;
    translate->ready_ps = calloc(entries, sizeof(*translate->ready_ps));
    return translate->ready_ps != NULL &&
           cache_init(&translate->tlb, entries / (uint32_t)config->tlb_ways,
                      (uint32_t)config->tlb_ways) &&
           (!translate->use_pde ||
            cache_init(&translate->pde, 1, (uint32_t)config->tlb_pde_entries));
}

void translate_free(struct translate *translate)
{
    cache_free(&translate->tlb);
    cache_free(&translate->pde);
    free(translate->ready_ps);
    translate->ready_ps = NULL;
}

/* A page walk's time: longer if the page directory entry is not kept. */
static uint64_t walk_ps(struct translate *translate, uint64_t page)
{
    uint64_t directory = page >> PDE_BITS;
    uint32_t entry;

    if (!translate->use_pde)
        return translate->walk_ps;
    entry = cache_find(&translate->pde, 0, directory);
    if (entry != CACHE_NONE) {
        cache_touch(&translate->pde, 0, entry);
        return translate->walk_ps;
    }
    translate->stats->tlb_pde_misses++;
    cache_fill(&translate->pde, 0, cache_victim(&translate->pde, 0), directory, false);
    return translate->walk_ps + translate->pde_ps;
}

uint64_t translate_wait_ps(struct translate *translate, uint64_t line, uint64_t now_ps)
{
    uint64_t page = line >> translate->line_bits, wait;
    uint32_t set, entry;

    if (!translate->use_tlb)
        return 0;
    translate->stats->tlb_accesses++;
    set = (uint32_t)(page & (translate->tlb.sets - 1));
    entry = cache_find(&translate->tlb, set, page);
    if (entry != CACHE_NONE) {
        cache_touch(&translate->tlb, set, entry);
        if (translate->ready_ps[entry] <= now_ps) {
            translate->stats->tlb_hits++;
            return 0;
        }
        translate->stats->tlb_merged++;
        return translate->ready_ps[entry] - now_ps;
    }
    translate->stats->tlb_misses++;
    wait = walk_ps(translate, page);
    entry = cache_victim(&translate->tlb, set);
    cache_fill(&translate->tlb, set, entry, page, false);
    translate->ready_ps[entry] = now_ps + wait;
    return wait;
}
