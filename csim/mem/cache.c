/* cache.c - see cache.h. The signatures let one comparison look at sixteen ways, so
 * that a 64-way set costs about as much as an 8-way one. */
#include "csim/mem/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* `ways` ways, of each set in the order of their numbers. */
static void in_order(struct cache *cache, uint32_t ways)
{
    uint8_t older[CACHE_MAX_WAYS], newer[CACHE_MAX_WAYS];

    cache->ways = ways;
    for (uint32_t way = 0; way < ways; way++) {
        older[way] = (uint8_t)(way + 1 < ways ? way + 1 : 0);
        newer[way] = (uint8_t)(way > 0 ? way - 1 : ways - 1);
    }
    for (uint32_t set = 0; set < cache->sets; set++) {
        memcpy(&cache->older[(size_t)set * cache->max_ways], older, ways);
        memcpy(&cache->newer[(size_t)set * cache->max_ways], newer, ways);
    }
}

bool cache_init(struct cache *cache, uint32_t sets, uint32_t ways)
{
    size_t entries = (size_t)sets * ways;

    assert(sets >= 1 && ways >= 1 && ways <= CACHE_MAX_WAYS);
    memset(cache, 0, sizeof(*cache));
    cache->sets = sets;
    cache->max_ways = ways;
    cache->blocks = (ways + CACHE_BLOCK - 1) / CACHE_BLOCK;
    cache->tag = calloc(entries, sizeof(*cache->tag));
    cache->flags = calloc(entries, 1);
    cache->signature = calloc((size_t)sets * cache->blocks, sizeof(*cache->signature));
    cache->newer = calloc(entries, 1);
    cache->older = calloc(entries, 1);
    cache->newest = calloc(sets, 1);
    if (!cache->tag || !cache->flags || !cache->signature || !cache->newer ||
        !cache->older || !cache->newest) {
        cache_free(cache);
        return false;
    }
    in_order(cache, ways);
    return true;
}

void cache_free(struct cache *cache)
{
    free(cache->tag);
    free(cache->flags);
    free(cache->signature);
    free(cache->newer);
    free(cache->older);
    free(cache->newest);
    free(cache->state);
    free(cache->wrong);
    memset(cache, 0, sizeof(*cache));
}

bool cache_follow(struct cache *cache, const struct igpu_replacement *policy)
{
    if (policy == NULL)
        return true;
    for (uint32_t ways = 1; ways <= cache->max_ways; ways++)
        if (policy->bytes(ways) > cache->state_bytes)
            cache->state_bytes = policy->bytes(ways);
    cache->state_bytes = (cache->state_bytes + 15) & ~UINT32_C(15); /* aligned */
    cache->state = calloc((size_t)cache->sets, cache->state_bytes + 1U);
    cache->wrong = calloc(1, sizeof(*cache->wrong));
    cache->policy = policy;
    return cache->state != NULL && cache->wrong != NULL;
}

void cache_clear(struct cache *cache, uint32_t ways)
{
    assert(ways >= 1 && ways <= cache->max_ways);
    memset(cache->flags, 0, (size_t)cache->sets * cache->max_ways);
    memset(cache->signature, 0,
           (size_t)cache->sets * cache->blocks * sizeof(*cache->signature));
    memset(cache->newest, 0, cache->sets);
    if (cache->state != NULL)
        memset(cache->state, 0, (size_t)cache->sets * cache->state_bytes);
    in_order(cache, ways);
}

uint32_t cache_held(const struct cache *cache)
{
    uint32_t held = 0;

    for (uint32_t i = 0; i < cache->sets * cache->max_ways; i++)
        held += (cache->flags[i] & CACHE_VALID) != 0;
    return held;
}

uint32_t cache_modified(const struct cache *cache)
{
    uint32_t modified = 0;

    for (uint32_t i = 0; i < cache->sets * cache->max_ways; i++)
        modified += (cache->flags[i] & CACHE_DIRTY) != 0;
    return modified;
}

uint32_t cache_flush(struct cache *cache, void (*flush)(void *ctx, uint64_t line),
                     void *ctx)
{
    uint32_t modified = 0;

    for (uint32_t i = 0; i < cache->sets * cache->max_ways; i++)
        if (cache->flags[i] & CACHE_DIRTY) {
            flush(ctx, cache->tag[i]);
            modified++;
        }
    if (cache->sets > 0)
        cache_clear(cache, cache->ways);
    return modified;
}

void cache_copy(struct cache *to, const struct cache *from)
{
    size_t entries = (size_t)from->sets * from->max_ways;

    assert(to->sets == from->sets && to->max_ways == from->max_ways);
    to->ways = from->ways;
    memcpy(to->tag, from->tag, entries * sizeof(*to->tag));
    memcpy(to->flags, from->flags, entries);
    memcpy(to->signature, from->signature,
           (size_t)from->sets * from->blocks * sizeof(*to->signature));
    memcpy(to->newer, from->newer, entries);
    memcpy(to->older, from->older, entries);
    memcpy(to->newest, from->newest, from->sets);
    if (from->state != NULL)
        memcpy(to->state, from->state, (size_t)from->sets * from->state_bytes);
}

void cache_relink(struct cache *cache, uint32_t set, uint32_t entry)
{
    uint32_t base = set * cache->max_ways;
    uint8_t way = (uint8_t)(entry - base), first = cache->newest[set];
    uint8_t last = cache->newer[base + first];
    uint8_t newer = cache->newer[entry], older = cache->older[entry];

    cache->older[base + newer] = older;
    cache->newer[base + older] = newer;
    cache->older[entry] = first;
    cache->newer[entry] = last;
    cache->newer[base + first] = way;
    cache->older[base + last] = way;
}

void cache_drop(struct cache *cache, uint32_t set, uint32_t entry)
{
    uint32_t base = set * cache->max_ways;

    cache->flags[entry] = 0;
    cache_signatures_of(cache, set)[entry - base] = 0;
    if (cache->policy != NULL)
        return; /* it finds the entry by its flags */
    cache_touch(cache, set, entry);
    cache->newest[set] = cache->older[base + cache->newest[set]];
}

/* ---- policies ---- */

uint32_t cache_policy_victim(const struct cache *cache, uint32_t set)
{
    uint32_t base = set * cache->max_ways, way;

    for (way = 0; way < cache->ways; way++)
        if ((cache->flags[base + way] & CACHE_VALID) == 0)
            return base + way;
    way = cache->policy->victim(cache_state(cache, set), cache->ways, set);
    if (way < cache->ways)
        return base + way;
    if (*cache->wrong == 0)
        *cache->wrong = way == UINT32_MAX ? way : way + 1;
    return base;
}

void cache_policy_fill(struct cache *cache, uint32_t set, uint32_t entry, uint64_t tag,
                       bool dirty)
{
    uint32_t way = entry - set * cache->max_ways;
    bool there = (cache->flags[entry] & CACHE_VALID) != 0 && cache->tag[entry] == tag;

    cache->tag[entry] = tag;
    cache->flags[entry] = (uint8_t)(CACHE_VALID | (dirty ? CACHE_DIRTY : 0));
    cache_signatures_of(cache, set)[way] = cache_signature(tag);
    (there ? cache->policy->touch : cache->policy->fill)(cache_state(cache, set),
                                                         cache->ways, way);
}
