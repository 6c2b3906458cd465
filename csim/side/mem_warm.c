/* mem_warm.c - accesses outside of time: what threads that are not simulated leave in
 * the caches (igpu/mem.h). */
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

/* The last mem_run() may have left the LLC a cycle behind. */
static void catch_up(struct mem_system *mem)
{
    (void)gti_await(&mem->gti, mem->clock.ps);
}

uint64_t mem_held(struct mem_system *mem)
{
    catch_up(mem);
    return (uint64_t)cache_held(&mem->llc.cache) + cache_held(&mem->llc.edram.cache);
}

void mem_empty_below(struct mem_system *mem)
{
    catch_up(mem);
    llc_empty(&mem->llc);
}

void mem_warm_below(struct mem_system *mem, uint64_t line, bool write)
{
    struct translate *translate = &mem->translate;

    catch_up(mem);
    if (l3_has_place(&mem->l3, line)) {
        mem_warm(mem, line, write);
        return;
    }
    if (translate_warm(translate, line))
        llc_warm(&mem->llc, translate_entry(translate, line), false, true);
    llc_warm(&mem->llc, translate_line(translate, line), write, false);
}
