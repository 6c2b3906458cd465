/* mem_warm.c - accesses outside of time: what threads that are not simulated leave in
 * the caches (igpu/mem.h). */
#include <assert.h>
#include <string.h>

#include "csim/side/system.h"

/* What leaves the L3 was translated when it came. */
static void evict(struct mem_system *mem, uint64_t victim)
{
    if (victim != 0)
        llc_warm(&mem->llc, translate_line(&mem->translate, victim), true, false);
}

void mem_warm(struct mem_system *mem, uint64_t line, bool write)
{
    struct translate *translate = &mem->translate;
    uint64_t victim;

    /* A written line is not fetched: it comes to the LLC when it leaves the L3. */
    if (l3_warm(&mem->l3, line, write, &victim) && !write) {
        if (translate_warm(translate, line))
            llc_warm(&mem->llc, translate_entry(translate, line), false, true);
        llc_warm(&mem->llc, translate_line(translate, line), false, false);
    }
    evict(mem, victim);
}

void mem_warm_below(struct mem_system *mem, uint64_t line, bool write)
{
    struct translate *translate = &mem->translate;

    if (l3_has_place(&mem->l3, line)) {
        mem_warm(mem, line, write);
        return;
    }
    if (translate_warm(translate, line))
        llc_warm(&mem->llc, translate_entry(translate, line), false, true);
    llc_warm(&mem->llc, translate_line(translate, line), write, false);
}

void mem_copy_caches(struct mem_system *to, const struct mem_system *from)
{
    assert(mem_idle(to) && mem_idle(from));
    to->uses_slm = from->uses_slm;
    for (uint32_t b = 0; b < from->l3.banks; b++) {
        const struct l3_bank *bank = &from->l3.bank[b];

        cache_copy(&to->l3.bank[b].cache, &bank->cache);
        memcpy(to->l3.bank[b].bytes, bank->bytes,
               (size_t)bank->cache.sets * bank->cache.max_ways * sizeof(*bank->bytes));
    }
    if (from->translate.use_tlb) {
        cache_copy(&to->translate.tlb, &from->translate.tlb);
        for (uint64_t i = 0; i < from->config.tlb_entries; i++)
            to->translate.kept[i] =
                (struct translation){.frame = from->translate.kept[i].frame};
    }
    if (from->translate.use_pde)
        cache_copy(&to->translate.pde, &from->translate.pde);
    cache_copy(&to->llc.cache, &from->llc.cache);
    if (from->llc.edram.present)
        cache_copy(&to->llc.edram.cache, &from->llc.edram.cache);
}
