/* llc.h - the last-level cache and what is behind it: slices with ports, the lines
 * being fetched, eDRAM, DRAM. Everything in picoseconds: a request is looked at when
 * it arrives, never ahead of time. Contract: docs/contract/memory.md.
 * Tests: tests/csim/test_mem_levels.c */
#ifndef MEM_LLC_H
#define MEM_LLC_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/agenda.h"
#include "csim/mem/agents.h"
#include "csim/mem/cache.h"
#include "csim/mem/dram.h"
#include "csim/mem/edram.h"
#include "igpu/config.h"
#include "igpu/limits.h"
#include "igpu/mem_stats.h"
#include "igpu/policy.h"

enum { LLC_MAX_SLICES = LIMIT_LLC_SLICES, LLC_BUCKETS = 1024 };
/* estimate: who was turned away, since every fetch was taken, asks again then */
enum { LLC_RETRY_PS = 10000 };

/* What happens at a time. */
enum llc_event {
    EVENT_READ,       /* a read reaches its slice; tag: requester */
    EVENT_WRITE,      /* a modified line reaches its slice; tag: whole */
    EVENT_EDRAM,      /* a fetch reaches the eDRAM's tags; tag: fetch */
    EVENT_DRAM,       /* a fetch reaches the DRAM's controller; tag: fetch */
    EVENT_DRAM_DATA,  /* the controller has its data; tag: fetch */
    EVENT_FROM_EDRAM, /* they are at the LLC; tag: fetch */
    EVENT_FROM_DRAM,  /* the same */
    EVENT_WALK,       /* a page walk looks for its entry; tag: requester */
    EVENT_WALKED,     /* the entry is at the GTI; tag: the same */
    EVENT_ANSWER      /* a line is back at the GTI; tag: requester */
};

struct llc_fetch {
    uint64_t line;
    uint32_t slice, set; /* its place */
    uint32_t waiters;    /* list of requesters, newest first; LLC_NOBODY ends it */
    uint32_t next;       /* in its bucket, or of the free ones */
    bool dirty;          /* a part of the line is to be written when it comes */
    bool ahead;          /* the prefetcher asked, and nobody else yet */
    uint8_t source;      /* who asked, for the DRAM */
};

/* A page walk of the GPU: the read of its table's entry, and reads of the page's lines
 * that wait for it, oldest first. Numbered by the requester that began it. */
struct llc_walk {
    uint64_t serial; /* 0: none under way */
    uint64_t then_ps;
    uint32_t first, last; /* LLC_NOBODY: none */
    uint64_t line;        /* of the entry, while all walkers are busy */
    uint64_t ps;          /* the same: when it came */
    uint32_t next;        /* the same: whose walk is behind it */
};

/* An access that found every fetch taken. */
struct llc_blocked {
    uint64_t line;
    uint32_t tag, kind;
};

struct llc {
    const struct igpu_config *config;
    struct cache cache;
    uint32_t slices, sets_per_slice;
    uint64_t port_ps, there_ps, back_ps; /* one line's port time; the ring */
    uint64_t cpu_there_ps, cpu_back_ps;  /* the ring, for the CPU's cores */
    uint64_t dram_there_ps, dram_back_ps;
    uint64_t free_ps[LLC_MAX_SLICES]; /* when the slice's port is free */
    uint64_t others_ps, others_at;    /* others' next access */
    uint64_t last_ps; /* the latest event; with CPU agents, the latest written line */
    struct agenda agenda;
    struct llc_fetch *fetch;
    uint32_t fetches, fetch_free, bucket[LLC_BUCKETS];
    uint32_t *waiter_next;         /* per requester */
    struct llc_walk *walk;         /* per requester of the GPU */
    uint64_t *walk_line;           /* the same: its line, while it waits for a walk */
    uint64_t walks;                /* begun so far */
    uint32_t walkers;              /* at work; tlb.walks at most */
    uint32_t walk_head, walk_tail; /* walks that wait, by requester; LLC_NOBODY: none */
    struct llc_blocked *blocked;
    uint32_t blocked_head, blocked_count, blocked_size;
    uint32_t reads_in_flight, writes_in_flight, requesters;
    uint32_t cpu_first;  /* requesters from here on are the CPU's */
    uint32_t walk_first; /* from here on, the GPU's for their walks */
    struct heat *heat;   /* NULL: nobody asks */
    struct edram edram;
    struct dram dram;
    struct agents agents;
    struct mem_stats *stats;
    const struct igpu_prefetch *prefetch; /* NULL: none */
    void *prefetch_memory;
};
#define LLC_NOBODY UINT32_MAX

/* A line that is on its way back: to `requester`, at the GTI at `ps`. */
struct llc_answer {
    uint64_t ps;
    uint32_t requester;
    uint8_t level; /* enum mem_level: where the line was */
};

/* `requesters`: how many reads may be under way, each with a number of its own
 * below that; without other agents: who adds them fills `agents`. False: no memory;
 * then call llc_free(). */
bool llc_init(struct llc *llc, const struct igpu_config *config, uint32_t requesters,
              struct mem_stats *stats);
void llc_free(struct llc *llc);

/* A read, or a write of a modified line (`whole`: every byte of it), leaves the GTI
 * for the ring at `ps`; not before the time up to which the LLC has run. */
void llc_read(struct llc *llc, uint64_t ps, uint64_t line, uint32_t requester);
void llc_write(struct llc *llc, uint64_t ps, uint64_t line, bool whole);

/* A page walk of `requester`, which has none under way, leaves the GTI at `ps` for the
 * entry of the page table in `line`: it takes tlb.walk_ps, and a fetch if the LLC does
 * not have it. When it is back, the reads that wait leave for the ring `then_ps` later.
 * Returns the walk's name, never 0. */
uint64_t llc_walk(struct llc *llc, uint64_t ps, uint64_t line, uint32_t requester,
                  uint64_t then_ps);
bool llc_walking(const struct llc *llc, uint64_t walk);
/* A read of physical `line` once `walk`, still under way, is over. */
void llc_read_after(struct llc *llc, uint64_t walk, uint64_t line, uint32_t requester);

/* Store a modified line outside of time, as the flush between two launches does. */
void llc_flush(struct llc *llc, uint64_t line);

/* Outside of time: make a line the most recently used one, or with `entry`, of a page
 * table, only bring it; `write`: modified. What gives way goes to the eDRAM. */
void llc_warm(struct llc *llc, uint64_t line, bool write, bool entry);

/* Outside of time, before anything else: llc.written per cent of the LLC are lines that
 * others wrote and nobody reads. A set that is full of them takes no more. */
void llc_warm_written(struct llc *llc);
/* LLC and eDRAM as they were at the begin; what they lose is not written back. */
void llc_empty(struct llc *llc);

/* Run to `ps` inclusive, or to the first answer: true, *answer is filled, and there
 * may be more. */
bool llc_run(struct llc *llc, uint64_t ps, struct llc_answer *answer);

/* The time of the next event; UINT64_MAX when idle. */
static inline uint64_t llc_next_ps(const struct llc *llc)
{
    uint64_t event = agenda_next(&llc->agenda), dram = dram_next_ps(&llc->dram);

    event = event < dram ? event : dram;
    return event < llc->agents.next_ps ? event : llc->agents.next_ps;
}
/* True: what is behind is full; send nothing new. */
static inline bool llc_stalled(const struct llc *llc)
{
    return llc->blocked_count != 0 ||
           llc->writes_in_flight >= llc->config->gti_writes || dram_stalled(&llc->dram);
}
/* True while an answer to the GPU is to come; without that, only agents are active and
 * time need not stop for the LLC. */
static inline bool llc_owes(const struct llc *llc)
{
    return llc->reads_in_flight != 0 ||
           (llc->agents.self == NULL && llc_next_ps(llc) != UINT64_MAX);
}
/* Fetches under way; demand accesses of the CPU's cores that wait for one. */
uint64_t llc_fetching(const struct llc *llc);
uint64_t llc_cpu_waiting(const struct llc *llc);
/* Nothing of the GPU is under way; without CPU agents, nothing at all. */
bool llc_idle(const struct llc *llc);

/* ---- the agents' side: requester `id` below AGENT_IDS, `ps` the time at the slice
 * ---- */

enum llc_cpu_result {
    LLC_CPU_HIT,  /* the data are at the core at *data_ps */
    LLC_CPU_WAIT, /* agents.fill() will tell */
    LLC_CPU_BUSY  /* no fetch is free or the DRAM is behind: nothing changed */
};
enum llc_cpu_result llc_cpu_read(struct llc *llc, uint64_t ps, uint64_t line,
                                 uint32_t id, bool prefetch, uint64_t *data_ps);
/* A modified line leaves a core. */
void llc_cpu_write(struct llc *llc, uint64_t ps, uint64_t line);
/* Outside of time: make a line the most recently used one, if `fetch` also one that
 * is not there. */
void llc_cpu_warm(struct llc *llc, uint64_t line, bool fetch);
#endif
