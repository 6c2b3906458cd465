/* translate.c - see translate.h. */
#include "csim/mem/translate.h"

#include <stdlib.h>
#include <string.h>

#include "csim/mem/scatter.h"

/* Tables lie apart from the GPU's and the CPU's pages. */
#define TABLE_SPACE (UINT64_C(1) << 49)
enum { PAGE_NUMBER_BITS = SCATTER_BITS, PDE_BITS = 9, ENTRIES_BITS = 3, KEY = 51 };

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
    translate->pde_ps = config->tlb_pde_ps;
    translate->line_bits = (uint32_t)__builtin_ctzll(config->page_bytes / 64);
    translate->use_tlb = entries != 0;
    translate->use_pde = config->tlb_pde_entries != 0;
    translate->stats = stats;
    if (!translate->use_tlb)
        return true;
    translate->kept = calloc(entries, sizeof(*translate->kept));
    return translate->kept != NULL &&
           cache_init(&translate->tlb, entries / (uint32_t)config->tlb_ways,
                      (uint32_t)config->tlb_ways) &&
           (!translate->use_pde ||
            cache_init(&translate->pde, 1, (uint32_t)config->tlb_pde_entries));
}

void translate_free(struct translate *translate)
{
    cache_free(&translate->tlb);
    cache_free(&translate->pde);
    free(translate->kept);
    translate->kept = NULL;
}

/* Before the page table's entry can be read: longer if the page directory's entry is
 * not kept. */
static uint64_t ahead_ps(struct translate *translate, uint64_t page)
{
    uint64_t directory = page >> PDE_BITS;
    uint32_t entry;

    if (!translate->use_pde)
        return 0;
    entry = cache_find(&translate->pde, 0, directory);
    if (entry != CACHE_NONE) {
        cache_touch(&translate->pde, 0, entry);
        return 0;
    }
    translate->stats->tlb_pde_misses++;
    cache_fill(&translate->pde, 0, cache_victim(&translate->pde, 0), directory, false);
    return translate->pde_ps;
}

/* A TLB entry for the page, with its frame; no walk. */
static struct translation *page_keep(struct translate *translate, uint64_t page)
{
    uint32_t set = translate_set(translate, page);
    uint32_t entry = cache_victim(&translate->tlb, set);

    cache_fill(&translate->tlb, set, entry, page, false);
    translate->kept[entry].walk = 0;
    translate->kept[entry].frame =
        translate_line(translate, page << translate->line_bits);
    return &translate->kept[entry];
}

struct translation *translate_keep(struct translate *translate, uint64_t line,
                                   uint64_t *ps)
{
    uint64_t page = line >> translate->line_bits;

    *ps = ahead_ps(translate, page);
    return page_keep(translate, page);
}

uint64_t translate_entry(const struct translate *translate, uint64_t line)
{
    uint64_t page = line >> translate->line_bits;
    uint64_t table = scatter(page >> PDE_BITS, translate->seed + KEY);

    return TABLE_SPACE | table << (PDE_BITS - ENTRIES_BITS) |
           (page & ((UINT64_C(1) << PDE_BITS) - 1)) >> ENTRIES_BITS;
}

bool translate_warm(struct translate *translate, uint64_t line)
{
    uint64_t page = line >> translate->line_bits, directory = page >> PDE_BITS;
    uint32_t entry;

    if (!translate->use_tlb || translate_find(translate, line) != NULL)
        return false;
    (void)page_keep(translate, page);
    if (!translate->use_pde)
        return true;
    entry = cache_find(&translate->pde, 0, directory);
    if (entry != CACHE_NONE)
        cache_touch(&translate->pde, 0, entry);
    else
        cache_fill(&translate->pde, 0, cache_victim(&translate->pde, 0), directory,
                   false);
    return true;
}
