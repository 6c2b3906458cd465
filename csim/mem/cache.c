/* cache.c - see cache.h. The signatures let one comparison of 64 bits look at
 * eight ways, so that a 64-way set costs about as much as an 8-way one. */
#include "csim/mem/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_01 UINT64_C(0x0101010101010101)
#define BYTES_80 UINT64_C(0x8080808080808080)

static uint8_t signature_of(uint64_t tag)
{
    return (uint8_t)((tag * UINT64_C(0x9e3779b97f4a7c15) >> 57) | 0x80U);
}

bool cache_init(struct cache *cache, uint32_t sets, uint32_t ways)
{
    size_t entries = (size_t)sets * ways;

    assert(sets >= 1 && ways >= 1 && ways <= CACHE_MAX_WAYS);
    memset(cache, 0, sizeof(*cache));
    cache->sets = sets;
    cache->max_ways = ways;
    cache->words = (ways + 7) / 8;
    cache->tag = calloc(entries, sizeof(*cache->tag));
    cache->flags = calloc(entries, 1);
    cache->signature = calloc((size_t)sets * cache->words, sizeof(*cache->signature));
    cache->newer = calloc(entries, 1);
    cache->older = calloc(entries, 1);
    cache->newest = calloc(sets, 1);
    if (!cache->tag || !cache->flags || !cache->signature || !cache->newer ||
        !cache->older || !cache->newest) {
        cache_free(cache);
        return false;
    }
    cache_clear(cache, ways);
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
    memset(cache, 0, sizeof(*cache));
}

void cache_clear(struct cache *cache, uint32_t ways)
{
    assert(ways >= 1 && ways <= cache->max_ways);
    cache->ways = ways;
    memset(cache->flags, 0, (size_t)cache->sets * cache->max_ways);
    memset(cache->signature, 0,
           (size_t)cache->sets * cache->words * sizeof(*cache->signature));
    memset(cache->newest, 0, cache->sets);
    for (uint32_t set = 0; set < cache->sets; set++) {
        uint32_t base = set * cache->max_ways;

        for (uint32_t way = 0; way < ways; way++) {
            cache->older[base + way] = (uint8_t)((way + 1) % ways);
            cache->newer[base + way] = (uint8_t)((way + ways - 1) % ways);
        }
    }
}

void cache_copy(struct cache *to, const struct cache *from)
{
    size_t entries = (size_t)from->sets * from->max_ways;

    assert(to->sets == from->sets && to->max_ways == from->max_ways);
    to->ways = from->ways;
    memcpy(to->tag, from->tag, entries * sizeof(*to->tag));
    memcpy(to->flags, from->flags, entries);
    memcpy(to->signature, from->signature,
           (size_t)from->sets * from->words * sizeof(*to->signature));
    memcpy(to->newer, from->newer, entries);
    memcpy(to->older, from->older, entries);
    memcpy(to->newest, from->newest, from->sets);
}

uint32_t cache_find(const struct cache *cache, uint32_t set, uint64_t tag)
{
    const uint64_t *word = &cache->signature[(size_t)set * cache->words];
    uint64_t pattern = BYTES_01 * signature_of(tag);

    for (uint32_t w = 0; w < cache->words; w++) {
        uint64_t differ = word[w] ^ pattern;
        /* A byte's top bit is set if the byte is zero (or, rarely, follows one). */
        uint64_t equal = (differ - BYTES_01) & ~differ & BYTES_80;

        while (equal != 0) {
            uint32_t way = w * 8 + (uint32_t)__builtin_ctzll(equal) / 8;
            uint32_t entry = set * cache->max_ways + way;

            if (way < cache->ways && cache->flags[entry] != 0 &&
                cache->tag[entry] == tag)
                return entry;
            equal &= equal - 1;
        }
    }
    return CACHE_NONE;
}

void cache_touch(struct cache *cache, uint32_t set, uint32_t entry)
{
    uint32_t base = set * cache->max_ways;
    uint8_t way = (uint8_t)(entry - base), first = cache->newest[set];
    uint8_t last;

    if (way == first)
        return;
    last = cache->newer[base + first];
    if (way != last) {
        uint8_t newer = cache->newer[entry], older = cache->older[entry];

        cache->older[base + newer] = older;
        cache->newer[base + older] = newer;
        cache->older[entry] = first;
        cache->newer[entry] = last;
        cache->newer[base + first] = way;
        cache->older[base + last] = way;
    }
    cache->newest[set] = way; /* in the ring the oldest is before the newest */
}

uint32_t cache_victim(const struct cache *cache, uint32_t set)
{
    uint32_t base = set * cache->max_ways;

    return base + cache->newer[base + cache->newest[set]];
}

static void set_signature(struct cache *cache, uint32_t set, uint32_t entry,
                          uint8_t value)
{
    uint32_t way = entry - set * cache->max_ways;
    uint64_t *word = &cache->signature[(size_t)set * cache->words + way / 8];

    *word &= ~(UINT64_C(0xff) << way % 8 * 8);
    *word |= (uint64_t)value << way % 8 * 8;
}

void cache_fill(struct cache *cache, uint32_t set, uint32_t entry, uint64_t tag,
                bool dirty)
{
    cache->tag[entry] = tag;
    cache->flags[entry] = (uint8_t)(CACHE_VALID | (dirty ? CACHE_DIRTY : 0));
    set_signature(cache, set, entry, signature_of(tag));
    cache_touch(cache, set, entry);
}

void cache_drop(struct cache *cache, uint32_t set, uint32_t entry)
{
    uint32_t base = set * cache->max_ways;

    cache->flags[entry] = 0;
    set_signature(cache, set, entry, 0);
    cache_touch(cache, set, entry);
    cache->newest[set] = cache->older[base + cache->newest[set]];
}
