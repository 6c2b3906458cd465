/* cache.h - tags of a set-associative cache, with true LRU replacement or a policy
 * (igpu/policy.h). Knows nothing of time or data. The caller chooses the set and the
 * tag. An entry is named by its index, set x max_ways + way. Tests:
 * tests/csim/test_mem_parts.c */
#ifndef MEM_CACHE_H
#define MEM_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "igpu/limits.h"
#include "igpu/policy.h"

enum {
    CACHE_MAX_WAYS = LIMIT_WAYS,
    CACHE_BLOCK = 16 /* ways that are compared at once */
};
/* CORE: a CPU core may have the line too (LLC). AHEAD: it was fetched ahead, and nobody
 * has used it yet. */
enum cache_flags { CACHE_VALID = 1, CACHE_DIRTY = 2, CACHE_CORE = 4, CACHE_AHEAD = 8 };
#define CACHE_NONE UINT32_MAX

/* A byte per way: 0 invalid, else 7 bits of the tag's hash. */
typedef uint8_t cache_signatures __attribute__((vector_size(CACHE_BLOCK)));
typedef uint64_t cache_words __attribute__((vector_size(CACHE_BLOCK)));
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a word's lowest byte is the first way's");

struct cache {
    uint32_t sets, ways; /* ways in use */
    uint32_t max_ways;   /* allocated */
    uint32_t blocks;     /* of signatures in a set */
    uint64_t *tag;
    uint8_t *flags; /* enum cache_flags */
    cache_signatures *signature;
    uint8_t *newer, *older; /* the set's ways in order of use, a ring of ways */
    uint8_t *newest;        /* per set */
    const struct igpu_replacement *policy; /* NULL: LRU */
    uint32_t state_bytes;                  /* of a set, the policy's */
    uint8_t *state;
    uint32_t *wrong; /* 1 + the first victim of the policy that is no way; 0: none */
};

/* All invalid. False: no memory. 1 <= ways <= CACHE_MAX_WAYS. */
bool cache_init(struct cache *cache, uint32_t sets, uint32_t ways);
void cache_free(struct cache *cache);
/* Replace by *policy (NULL: LRU) from now on, before anything is in. False: no memory.
 */
bool cache_follow(struct cache *cache, const struct igpu_replacement *policy);
/* Drop everything and use `ways` ways from now on, at most those of cache_init(). */
void cache_clear(struct cache *cache, uint32_t ways);

/* How many entries are valid. */
uint32_t cache_held(const struct cache *cache);
/* How many entries are modified; 0 of a cache without sets. */
uint32_t cache_modified(const struct cache *cache);
/* Tell of each modified line, in the order of the entries, and drop everything, unless
 * the cache has no sets; returns how many were modified. */
uint32_t cache_flush(struct cache *cache, void (*flush)(void *ctx, uint64_t line),
                     void *ctx);

/* Make *to, of the same sizes, hold what *from holds. */
void cache_copy(struct cache *to, const struct cache *from);

/* Make the entry invalid and the next one to be replaced. */
void cache_drop(struct cache *cache, uint32_t set, uint32_t entry);

/* ---- inside: put the entry, neither first nor last in order of use, between them ----
 */

void cache_relink(struct cache *cache, uint32_t set, uint32_t entry);

/* ---- inside: the same for a policy ---- */

uint32_t cache_policy_victim(const struct cache *cache, uint32_t set);
void cache_policy_fill(struct cache *cache, uint32_t set, uint32_t entry, uint64_t tag,
                       bool dirty);

static inline void *cache_state(const struct cache *cache, uint32_t set)
{
    return cache->state + (size_t)set * cache->state_bytes;
}

/* ---- what every line passes: in the header, so that it is inlined ---- */

/* Make the entry, which is in set, its most recently used. */
static inline void cache_touch(struct cache *cache, uint32_t set, uint32_t entry)
{
    uint32_t base = set * cache->max_ways;
    uint8_t way = (uint8_t)(entry - base), first = cache->newest[set];

    if (cache->policy != NULL) {
        cache->policy->touch(cache_state(cache, set), cache->ways, way);
        return;
    }
    if (way == first)
        return;
    if (way != cache->newer[base + first])
        cache_relink(cache, set, entry);
    cache->newest[set] = way; /* in the ring the oldest is before the newest */
}

/* The entry to replace: an invalid one, else the least recently used, or the policy's.
 */
static inline uint32_t cache_victim(const struct cache *cache, uint32_t set)
{
    uint32_t base = set * cache->max_ways;

    if (cache->policy != NULL)
        return cache_policy_victim(cache, set);
    return base + cache->newer[base + cache->newest[set]];
}

static inline uint8_t cache_signature(uint64_t tag)
{
    return (uint8_t)((tag * UINT64_C(0x9e3779b97f4a7c15) >> 57) | 0x80U);
}

/* Bit w: way w of the block has the signature. */
static inline uint32_t cache_equal(cache_signatures block, uint8_t signature)
{
#ifdef __SSE2__
    return (uint32_t)_mm_movemask_epi8((__m128i)(block == signature));
#else
    cache_words equal =
        (cache_words)(block == signature) & UINT64_C(0x0101010101010101);

    equal = equal * UINT64_C(0x0102040810204080) >> 56; /* a word's bytes, a bit each */
    return (uint32_t)(equal[0] | equal[1] << 8);
#endif
}

/* The entry that holds tag in set, or CACHE_NONE. Changes nothing. */
static inline uint32_t cache_find(const struct cache *cache, uint32_t set, uint64_t tag)
{
    const cache_signatures *block = &cache->signature[(size_t)set * cache->blocks],
                           *end = block + cache->blocks;
    uint32_t entry = set * cache->max_ways;
    uint8_t signature = cache_signature(tag);

    for (; block != end; block++, entry += CACHE_BLOCK) {
        uint32_t equal = cache_equal(*block, signature);

        for (; equal != 0; equal &= equal - 1) {
            uint32_t at = entry + (uint32_t)__builtin_ctz(equal);

            if (cache->tag[at] == tag)
                return at;
        }
    }
    return CACHE_NONE;
}

/* The signature of the set's first way. */
static inline uint8_t *cache_signatures_of(struct cache *cache, uint32_t set)
{
    return (uint8_t *)&cache->signature[(size_t)set * cache->blocks];
}

/* Put tag into the entry of set, valid, with `dirty`, most recently used; an entry that
 * has the tag is used. */
static inline void cache_fill(struct cache *cache, uint32_t set, uint32_t entry,
                              uint64_t tag, bool dirty)
{
    if (cache->policy != NULL) {
        cache_policy_fill(cache, set, entry, tag, dirty);
        return;
    }
    cache->tag[entry] = tag;
    cache->flags[entry] = (uint8_t)(CACHE_VALID | (dirty ? CACHE_DIRTY : 0));
    cache_signatures_of(cache, set)[entry - set * cache->max_ways] =
        cache_signature(tag);
    cache_touch(cache, set, entry);
}
#endif
