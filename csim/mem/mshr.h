/* mshr.h - miss-status holding registers of one L3 bank: at most one fetch for a
 * line, and a list of what waits for it. Knows nothing of time.
 * Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_MSHR_H
#define MEM_MSHR_H
#include <stdint.h>

#include "csim/mem/wheel.h"
#include "igpu/limits.h"

enum { MSHR_MAX_ENTRIES = LIMIT_MSHRS, MSHR_BUCKETS = 128 };
#define MSHR_NONE UINT32_MAX

struct mshr {
    uint32_t entries, used, free;
    uint32_t bucket[MSHR_BUCKETS];
    struct {
        uint64_t line;
        struct packet_list waiters; /* oldest first */
        uint32_t next;              /* in its bucket, or of the free ones */
        bool absent;                /* the cache has no entry for the line */
    } e[MSHR_MAX_ENTRIES];
};

/* Empty *mshr; 1 <= entries <= MSHR_MAX_ENTRIES. */
void mshr_init(struct mshr *mshr, uint32_t entries);

/* ---- what every miss passes: in the header, so that it is inlined ---- */

static inline uint32_t mshr_bucket(uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 57) % MSHR_BUCKETS;
}

/* The entry that fetches line, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr *mshr, uint64_t line)
{
    uint32_t i = mshr->bucket[mshr_bucket(line)];

    while (i != MSHR_NONE && mshr->e[i].line != line)
        i = mshr->e[i].next;
    return i;
}

/* A new entry for line, without waiters; MSHR_NONE when all are taken. `absent` is the
 * caller's to set. */
static inline uint32_t mshr_add(struct mshr *mshr, uint64_t line)
{
    uint32_t i = mshr->free, *bucket = &mshr->bucket[mshr_bucket(line)];

    if (i == MSHR_NONE)
        return i;
    mshr->free = mshr->e[i].next;
    mshr->e[i].line = line;
    list_clear(&mshr->e[i].waiters);
    mshr->e[i].next = *bucket;
    *bucket = i;
    mshr->used++;
    return i;
}

/* The line came and its waiters left: free the entry. */
static inline void mshr_remove(struct mshr *mshr, uint32_t entry)
{
    uint32_t *at = &mshr->bucket[mshr_bucket(mshr->e[entry].line)];

    while (*at != entry)
        at = &mshr->e[*at].next;
    *at = mshr->e[entry].next;
    mshr->e[entry].next = mshr->free;
    mshr->free = entry;
    mshr->used--;
}
#endif
