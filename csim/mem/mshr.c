/* mshr.c - see mshr.h. */
#include "csim/mem/mshr.h"

#include <assert.h>

static uint32_t bucket_of(uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 57) % MSHR_BUCKETS;
}

void mshr_init(struct mshr *mshr, uint32_t entries)
{
    assert(entries >= 1 && entries <= MSHR_MAX_ENTRIES);
    mshr->entries = entries;
    mshr->used = 0;
    mshr->free = 0;
    for (uint32_t i = 0; i < entries; i++)
        mshr->e[i].next = i + 1 < entries ? i + 1 : MSHR_NONE;
    for (uint32_t i = 0; i < MSHR_BUCKETS; i++)
        mshr->bucket[i] = MSHR_NONE;
}

uint32_t mshr_find(const struct mshr *mshr, uint64_t line)
{
    uint32_t i = mshr->bucket[bucket_of(line)];

    while (i != MSHR_NONE && mshr->e[i].line != line)
        i = mshr->e[i].next;
    return i;
}

uint32_t mshr_add(struct mshr *mshr, uint64_t line)
{
    uint32_t i = mshr->free, *bucket = &mshr->bucket[bucket_of(line)];

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

void mshr_remove(struct mshr *mshr, uint32_t entry)
{
    uint32_t *at = &mshr->bucket[bucket_of(mshr->e[entry].line)];

    while (*at != entry)
        at = &mshr->e[*at].next;
    *at = mshr->e[entry].next;
    mshr->e[entry].next = mshr->free;
    mshr->free = entry;
    mshr->used--;
}
