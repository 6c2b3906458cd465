/* mshr.h - miss-status holding registers of one L3 bank: at most one fetch for a
 * line, and a list of what waits for it. Knows nothing of time.
 * Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_MSHR_H
#define MEM_MSHR_H
#include <stdint.h>

#include "csim/mem/wheel.h"

enum { MSHR_MAX_ENTRIES = 256, MSHR_BUCKETS = 128 };
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
/* The entry that fetches line, or MSHR_NONE. */
uint32_t mshr_find(const struct mshr *mshr, uint64_t line);
/* A new entry for line, without waiters; MSHR_NONE when all are taken. `absent` is the
 * caller's to set. */
uint32_t mshr_add(struct mshr *mshr, uint64_t line);
/* The line came and its waiters left: free the entry. */
void mshr_remove(struct mshr *mshr, uint32_t entry);
#endif
