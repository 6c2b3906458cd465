/* agents.h - the other agents of the LLC as it sees them: it runs them when they are
 * due and tells them what becomes of their lines, without knowing what they are. CPU
 * cores (cpu.h) are the ones there. Times in picoseconds. */
#ifndef MEM_AGENTS_H
#define MEM_AGENTS_H
#include <stdbool.h>
#include <stdint.h>

enum {
    AGENTS_MAX = 8,
    AGENT_LINES = 64,      /* in flight of one: demand */
    AGENT_PREFETCHES = 16, /* and prefetches of pair lines */
    AGENT_IDS_EACH = AGENT_LINES + AGENT_PREFETCHES,
    AGENT_IDS = AGENTS_MAX * AGENT_IDS_EACH /* requesters of the LLC */
};

struct agents {
    void *self;       /* NULL: there are none */
    uint64_t next_ps; /* when one has something to do; UINT64_MAX: waits for a line */
    bool asleep;      /* until the GPU accesses the LLC and rouse() lets them begin */
    void (*rouse)(void *self, uint64_t ps);
    /* Do what is due at `ps` = next_ps. */
    void (*run)(void *self, uint64_t ps);
    /* The line of requester `id` (below AGENT_IDS) is at its agent at `ps`. */
    void (*fill)(void *self, uint32_t id, uint64_t ps);
    /* The LLC evicts `line`, which an agent may have: none keeps it. True: modified. */
    bool (*evict)(void *self, uint64_t line);
    /* Whether the next prefetch of a pair's line that misses the LLC is fetched. */
    bool (*wants_pair)(void *self);
};
#endif
