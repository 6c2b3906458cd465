/* mshr.c - see mshr.h. */
#include "csim/mem/mshr.h"

#include <assert.h>

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
