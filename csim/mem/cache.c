/* cache.c - see cache.h. The signatures let one comparison look at sixteen ways, so
 * that a 64-way set costs about as much as an 8-way one. */
#include "csim/mem/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_80 UINT64_C(0x8080808080808080)
typedef uint64_t words __attribute__((vector_size(CACHE_BLOCK)));
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a word's lowest byte is the first way's");

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
           (size_t)cache->sets * cache->blocks * sizeof(*cache->signature));
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
           (size_t)from->sets * from->blocks * sizeof(*to->signature));
    memcpy(to->newer, from->newer, entries);
    memcpy(to->older, from->older, entries);
    memcpy(to->newest, from->newest, from->sets);
}

/* The entry that holds tag, of eight ways from `first` on: a byte of `equal` each, not
 * 0 if its signature is the tag's. */
static uint32_t find_equal(const struct cache *cache, uint32_t set, uint64_t tag,
                           uint32_t first, uint64_t equal)
{
    for (equal &= BYTES_80; equal != 0; equal &= equal - 1) {
        uint32_t way = first + (uint32_t)__builtin_ctzll(equal) / 8;
        uint32_t entry = set * cache->max_ways + way;

        if (cache->tag[entry] == tag)
            return entry;
    }
    return CACHE_NONE;
}

uint32_t cache_find(const struct cache *cache, uint32_t set, uint64_t tag)
{
    const cache_signatures *block = &cache->signature[(size_t)set * cache->blocks];
    uint8_t signature = signature_of(tag);

    for (uint32_t b = 0; b < cache->blocks; b++) {
        words equal = (words)(block[b] == signature);
        uint32_t entry;

        if ((equal[0] | equal[1]) == 0)
            continue;
        entry = find_equal(cache, set, tag, b * CACHE_BLOCK, equal[0]);
        if (entry == CACHE_NONE)
            entry = find_equal(cache, set, tag, b * CACHE_BLOCK + 8, equal[1]);
        if (entry != CACHE_NONE)
            return entry;
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
    uint8_t *first = (uint8_t *)&cache->signature[(size_t)set * cache->blocks];

    first[way] = value;
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
