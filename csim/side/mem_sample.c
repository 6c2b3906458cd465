/* mem_sample.c - what the memory side has counted at a cycle, see igpu/mem.h. */
#include <assert.h>
#include <string.h>

#include "csim/side/system.h"

_Static_assert((int)SAMPLE_PORTS >= (int)LINES_MAX_PORTS &&
                   (int)SAMPLE_BANKS >= (int)L3_MAX_BANKS,
               "a sample has room for every port and bank");
_Static_assert((int)MEM_READ == 0 && (int)MEM_ATOMIC == (int)SAMPLE_OPS - 1,
               "a port's counters are indexed by operation");

void mem_sample(const struct mem_system *mem, struct sample_mem *sample)
{
    memset(sample, 0, sizeof(*sample));
#define MEM_STAT(section, name, unit, text)                                            \
    sample->section##_##name = mem->stats.section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    for (uint32_t i = 0; i < mem->ports; i++)
        sample->port[i] = mem->port[i].counts;
    for (uint32_t i = 0; i < mem->l3.banks; i++)
        sample->bank[i] = mem->l3.bank[i].counts;
}

/* Below the GTI all up to this cycle's time has happened then, as its first step would
 * have it: but what comes behind an answer that this cycle is to take. */
void mem_sample_take(struct mem_system *mem)
{
    struct sample_mem sample;
    uint64_t next;

    if (mem->sample_at >= mem->clock.tick)
        (void)gti_await(&mem->gti, mem->clock.ps);
    mem_sample(mem, &sample);
    for (uint32_t i = 0; i < mem->ports && mem->sample_at >= mem->clock.tick; i++) {
        dataport_take_back(&mem->port[i], mem->sample_at, &sample);
        texture_sample(&mem->ff.texture[i], mem->sample_at, &sample.port[i]);
    }
    next = mem->sampler.take(mem->sampler.ctx, mem->sample_at, &sample);
    assert(next > mem->sample_at);
    mem->sample_at = next;
}

void mem_sample_from(struct mem_system *mem, uint64_t cycle,
                     const struct mem_sampler *sampler)
{
    mem->sampler = *sampler;
    mem->sample_at = cycle;
    while (mem->sample_at <= mem->clock.tick)
        mem_sample_take(mem);
}

uint64_t mem_sample_next(const struct mem_system *mem)
{
    return mem->sample_at;
}
