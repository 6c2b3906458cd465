/* mem_copy.c - what one memory side has in its caches, in another (igpu/mem.h). */
#include <assert.h>
#include <string.h>

#include "csim/side/system.h"

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
