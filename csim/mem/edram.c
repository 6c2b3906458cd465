/* edram.c - see edram.h. */
#include "csim/mem/edram.h"

#include <string.h>

#include "csim/mem/clock.h"
#include "igpu/order.h"

bool edram_init(struct edram *edram, const struct igpu_config *config,
                struct mem_stats *stats)
{
    uint64_t beats = (64 + config->edram_bus_bytes - 1) / config->edram_bus_bytes;
    uint32_t sets;

    memset(edram, 0, sizeof(*edram));
    edram->stats = stats;
    edram->present = config->edram_size != 0;
    if (!edram->present)
        return true;
    edram->tag_ps = config->edram_tag_ps;
    edram->latency_ps = config->edram_latency_ps;
    edram->burst_ps = clock_ps(beats, config->edram_clock_hz);
    sets = (uint32_t)(config->edram_size / 64 / config->edram_ways);
    edram->set_bits = (uint32_t)__builtin_ctz(sets);
    return cache_init(&edram->cache, sets, (uint32_t)config->edram_ways);
}

void edram_free(struct edram *edram)
{
    cache_free(&edram->cache);
}

static uint32_t set_of(const struct edram *edram, uint64_t line)
{
    return (uint32_t)((line ^ line >> edram->set_bits) & (edram->cache.sets - 1));
}

bool edram_read(struct edram *edram, uint64_t ps, uint64_t line, uint64_t *data_ps)
{
    uint32_t set = set_of(edram, line), entry = cache_find(&edram->cache, set, line);

    edram->stats->edram_accesses++;
    if (entry == CACHE_NONE) {
        edram->stats->edram_misses++;
        return false;
    }
    edram->stats->edram_hits++;
    cache_touch(&edram->cache, set, entry);
    edram->read_free_ps = igpu_later(ps, edram->read_free_ps) + edram->burst_ps;
    *data_ps = edram->read_free_ps + edram->latency_ps;
    return true;
}

bool edram_store(struct edram *edram, uint64_t ps, uint64_t line,
                 enum edram_source source, uint64_t *victim)
{
    uint32_t set = set_of(edram, line);
    uint32_t entry = cache_find(&edram->cache, set, line);
    bool dirty = source == EDRAM_FROM_LLC, evicted = false;

    if (source == EDRAM_FROM_LLC) {
        edram->stats->edram_accesses++;
        edram->stats->edram_writes++;
        if (entry == CACHE_NONE)
            edram->stats->edram_misses++;
        else
            edram->stats->edram_hits++;
    }
    edram->write_free_ps = igpu_later(ps, edram->write_free_ps) + edram->burst_ps;
    if (entry == CACHE_NONE) {
        entry = cache_victim(&edram->cache, set);
        evicted = (edram->cache.flags[entry] & CACHE_DIRTY) != 0;
        *victim = edram->cache.tag[entry];
        edram->stats->edram_writebacks += evicted;
    } else {
        dirty = dirty || (edram->cache.flags[entry] & CACHE_DIRTY) != 0;
    }
    cache_fill(&edram->cache, set, entry, line, dirty);
    return evicted;
}

void edram_warm(struct edram *edram, uint64_t line, bool dirty)
{
    uint32_t set = set_of(edram, line);
    uint32_t entry = cache_find(&edram->cache, set, line);

    if (entry != CACHE_NONE)
        dirty = dirty || (edram->cache.flags[entry] & CACHE_DIRTY) != 0;
    else
        entry = cache_victim(&edram->cache, set);
    cache_fill(&edram->cache, set, entry, line, dirty);
}
