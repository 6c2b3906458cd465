/* profile_int.h - what the profile follows of each EU (private to csim/profile).
 *   profile.c        launches, buffers of what the engine reports, results
 *   profile_eu.c     fetch, scoreboard and units of an EU, from its events
 *   profile_wait.c   the reasons of one wait
 *   profile_sum.c    sums, comparison, names */
#ifndef PROFILE_INT_H
#define PROFILE_INT_H
#include "csim/ref/timing.h"
#include "igpu/icache.h"
#include "igpu/profile.h"

enum { PROFILE_BITS = 136, PROFILE_KEPT = 16, PROFILE_FIRST_RING = 32 };

/* Bits that an instruction made busy. */
struct profile_write {
    uint64_t done; /* they are there from then on; HOST_NEVER: not announced */
    uint64_t set[2];
    uint32_t uop;
    uint8_t set_x;
    uint8_t level; /* enum mem_level; the rest: of messages, once answered */
    bool message;
    uint32_t queued, full;
    uint64_t issued, granted, answered;
};

struct profile_runs {
    struct uop_run *run; /* ring */
    uint32_t head, count, capacity;
};

struct profile_thread {
    struct profile_part *part; /* NULL: nobody asked */
    uint64_t last; /* the cycle of its last issue; at first the one before its open */
    uint64_t opened;
    uint64_t held;      /* the front end holds it until then */
    uint64_t want;      /* it wants to fetch from then on */
    uint64_t fetched;   /* HOST_NEVER: not yet */
    uint64_t from;      /* its run can be fetched from then on */
    uint64_t ended;     /* the slot's last thread; HOST_NEVER: none yet */
    struct uop_run run; /* not fetched yet */
    uint32_t head;      /* what it has fetched */
    uint32_t writes, prune_at;
    bool open, begun; /* begun: it has issued */
    struct profile_runs runs;
    struct profile_write write[PROFILE_BITS];
};

struct profile_event {
    uint64_t cycle;
    uint32_t uop;       /* open: the thread's number */
    uint8_t slot, unit; /* open: EU_UNITS */
};

/* Issues of a unit, those that a wait may still need. */
struct profile_issues {
    struct profile_past {
        uint64_t cycle;
        uint32_t occ;
    } * past;                       /* ring */
    uint32_t next, count, capacity; /* next: where the next one comes */
};

struct profile_eu {
    struct profile_event *event; /* of this window */
    uint32_t events, taken, capacity;
    bool unsorted, out_of_memory;
    uint8_t tile, id;
    uint8_t wanting, fetch_last;
    uint64_t fetch_now;  /* fetches before it are done */
    uint64_t first_want; /* the least of the wanting threads'; HOST_NEVER */
    /* The last 64 cycles, bit 0: past_at, in which FPU0 or FPU1, and FPU1, took an
     * instruction. */
    uint64_t past[2], past_at;
    uint64_t result[2], response;
    struct profile_issues unit[EU_UNITS];
    struct profile_thread thread[HOST_SLOTS];
};

/* Cycles [from, to) without a credit; `before`: the cycles of all intervals before. */
struct profile_zero {
    uint64_t from, to, before;
};

struct profile_tile {
    struct profile_eu eu[HOST_EUS];
    struct icache *icache;
    uint64_t *grant,
        *back; /* cycles, of this window: messages with a credit; credits */
    uint32_t grants, grant_room, backs, back_room;
    uint64_t credits, zero_from; /* zero_from: HOST_NEVER while there are credits */
    struct profile_zero *zero;
    uint32_t zeros, zero_room;
    bool out_of_memory;
};

struct profile {
    const struct igpu_config *config;
    struct ref_uop *uops;
    struct uop *source; /* for the caches, whose users' last load may outlive uops */
    uint32_t edge_room;
    enum profile_by by;
    uint32_t group_threads;
    bool oldest, out_of_memory, lost;
    struct igpu_err why; /* with `lost` */
    struct profile_result now;
    struct profile_result *result;
    uint32_t results, result_room;
    struct profile_tile tile[HOST_MAX_TILES];
};

/* ---- profile_eu.c ---- */
void profile_eu_launch(struct profile_eu *eu, uint64_t cycle);
/* Take the events before `until`, and fetch up to there. */
void profile_eu_take(struct profile *p, struct profile_eu *eu, uint64_t until);
void profile_eu_answer(struct profile *p, struct profile_eu *eu,
                       const struct mem_done *done, const struct mem_way *way);
/* An event that the contract does not allow. */
void profile_lose(struct profile *p, const struct profile_eu *eu,
                  const struct profile_event *e, const char *why);

/* ---- profile_wait.c ---- */
/* The thread, which has its instruction since th->fetched, issues it at e->cycle, later
 * than it could have. */
void profile_wait(struct profile *p, struct profile_eu *eu,
                  const struct profile_event *e);
/* Cycles before `cycle` in which the tile had no credit. */
uint64_t profile_zero_before(const struct profile_tile *tile, uint64_t cycle);
/* No wait of the EU's threads looks at a cycle before. */
uint64_t profile_floor(const struct profile_eu *eu);

/* Room for one more of count in a ring or array of `size` bytes each. */
bool profile_room(void **array, uint32_t count, uint32_t *room, size_t size);
#endif
