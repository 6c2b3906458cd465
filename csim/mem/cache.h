/* cache.h - tags of a set-associative cache with true LRU replacement. Knows
 * nothing of time or data. The caller chooses the set and the tag.
 * An entry is named by its index, set x max_ways + way.
 * Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_CACHE_H
#define MEM_CACHE_H
#include <stdbool.h>
#include <stdint.h>

enum { CACHE_MAX_WAYS = 128, CACHE_BLOCK = 16 /* ways that are compared at once */ };
/* CORE: a CPU core may have the line too (LLC). */
enum cache_flags { CACHE_VALID = 1, CACHE_DIRTY = 2, CACHE_CORE = 4 };
#define CACHE_NONE UINT32_MAX

/* A byte per way: 0 invalid, else 7 bits of the tag's hash. */
typedef uint8_t cache_signatures __attribute__((vector_size(CACHE_BLOCK)));

struct cache {
    uint32_t sets, ways; /* ways in use */
    uint32_t max_ways;   /* allocated */
    uint32_t blocks;     /* of signatures in a set */
    uint64_t *tag;
    uint8_t *flags; /* enum cache_flags */
    cache_signatures *signature;
    uint8_t *newer, *older; /* the set's ways in order of use, a ring of ways */
    uint8_t *newest;        /* per set */
};

/* All invalid. False: no memory. 1 <= ways <= CACHE_MAX_WAYS. */
bool cache_init(struct cache *cache, uint32_t sets, uint32_t ways);
void cache_free(struct cache *cache);
/* Drop everything and use `ways` ways from now on, at most those of cache_init(). */
void cache_clear(struct cache *cache, uint32_t ways);

/* Make *to, of the same sizes, hold what *from holds. */
void cache_copy(struct cache *to, const struct cache *from);

/* The entry that holds tag in set, or CACHE_NONE. Changes nothing. */
uint32_t cache_find(const struct cache *cache, uint32_t set, uint64_t tag);
/* Make the entry, which is in set, its most recently used. */
void cache_touch(struct cache *cache, uint32_t set, uint32_t entry);
/* The entry to replace: an invalid one, else the least recently used. */
uint32_t cache_victim(const struct cache *cache, uint32_t set);
/* Put tag into the entry of set, valid, with `dirty`, most recently used. */
void cache_fill(struct cache *cache, uint32_t set, uint32_t entry, uint64_t tag,
                bool dirty);
/* Make the entry invalid and the next one to be replaced. */
void cache_drop(struct cache *cache, uint32_t set, uint32_t entry);
#endif
