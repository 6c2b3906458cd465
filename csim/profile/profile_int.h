/* profile_int.h - what the profile follows of each EU (private to csim/profile).
 *   profile.c        launches, lists of what the engine reports, results
 *   profile_load.c   a launch's kernel as the profile reads it
 *   profile_eu.c     fetch, scoreboard and units of an EU, from its events
 *   profile_msg.c    messages and answers
 *   profile_wait.c   the reasons of one wait
 *   profile_credit.c the data port's credits, and when a subslice had none
 *   profile_sum.c    sums, comparison, names
 *   profile_whole.c  results by themselves: added up, scaled, through a file
 *
 * What is done for each issue is nearly all that a profile costs, so it is kept short:
 * a scoreboard bit is one word, an instruction has few of them and its sums beside it,
 * and what FPUs took is a running count, kept by cycle. */
#ifndef PROFILE_INT_H
#define PROFILE_INT_H
#include "csim/ref/timing.h"
#include "igpu/grow.h"
#include "igpu/icache.h"
#include "igpu/profile.h"

enum { PROFILE_BITS = 136, PROFILE_KEPT = 16, PROFILE_FIRST_RING = 32 };
enum { PROFILE_DISPATCHED = 2 }; /* cycles from an open until the thread can fetch */
enum { PROFILE_WANTS = 16 };     /* a power of two, HOST_SLOTS + 2 at least */

/* A scoreboard bit: the cycle at which it is there, above the instruction that made it
 * busy. HOST_NEVER: a message's that has no answer yet. */
enum { PROFILE_AT = 17 };
_Static_assert(UOP_MAX_KERNEL <= 1 << PROFILE_AT,
               "an instruction fits below its cycle");

/* An instruction as the events need it, and what they add to it; 128 bytes. Its bits
 * are a kernel's own: those that all its instructions need and set together are one
 * (profile_load.c), so most kernels have one word of them and most instructions one or
 * two. */
struct profile_uop {
    uint64_t need[2], set[2];
    uint32_t set_bits; /* those of set and set_x, one by one: profile.bits from here */
    uint8_t sets;      /* how many */
    uint8_t first;     /* the first; of none, a bit that nothing needs */
    uint8_t need_x, set_x;
    bool fpu1; /* its unit is FPU1, not either FPU */
    uint8_t fe, occ;
    bool eot, message, wide; /* wide: it has bits behind the first 64 */
    uint16_t use_lat;
    uint32_t response; /* cycles in which its answer is written */
    uint64_t pad;
    struct host_waits sum; /* where events are followed, until profile_end() */
};
_Static_assert(sizeof(struct profile_uop) == 128, "an index is a shift");

/* A message whose answer sets bits. */
struct profile_msg {
    uint64_t done; /* they are there from then on; HOST_NEVER: not announced */
    uint32_t uop;
    uint8_t level; /* enum mem_level; this and the rest: once answered */
    uint32_t queued, full;
    uint64_t issued, granted, answered;
    uint64_t pad[2]; /* 64 bytes: an index is a shift */
};

struct profile_runs {
    struct uop_run *run; /* ring */
    uint32_t head, count, capacity;
};

struct profile_thread {
    uint64_t last; /* the cycle of its last issue; at first the one behind its open */
    uint64_t fetched;   /* HOST_NEVER: not yet, or no thread */
    uint64_t front;     /* cycles behind `last` that the front end holds it */
    uint64_t want;      /* it wants to fetch from then on */
    uint64_t live[2];   /* bits that may not be there yet */
    uint64_t from;      /* its run can be fetched from then on */
    struct uop_run run; /* not fetched yet */
    uint32_t head;      /* what it has fetched */
    uint8_t live_x;
    bool open;
    struct profile_part *part; /* NULL: nobody asked */
    uint64_t opened;
    uint64_t ended; /* the slot's last thread; HOST_NEVER: none yet */
    uint32_t msgs, prune_at;
    /* Of msg[]: all before it are answered. A pointer, as an index costs more here. */
    struct profile_msg *oldest;
    struct profile_runs runs;
    uint64_t bit[PROFILE_BITS + 1]; /* the last: profile_uop.first */
    struct profile_msg msg[PROFILE_BITS];
};

/* Issues of SEND or BRANCH, those that a wait may still need: a ring, whose capacity is
 * a power of two. */
struct profile_issues {
    struct profile_past {
        uint64_t cycle;
        uint32_t occ;
    } * past;
    uint32_t next, count,
        capacity;   /* next: where the next one comes, modulo capacity */
    uint64_t floor; /* no wait looks at a cycle before */
};

enum { PROFILE_TOOK = 64 }; /* a power of two */

struct profile_eu {
    uint8_t tile, id;
    uint8_t fetch_last;
    bool out_of_memory;
    uint64_t fetch_now; /* fetches before it are done */
    /* Threads that want to fetch, ascending: the cycle from which on, above the slot. A
     * ring between a 0 before its first and HOST_NEVER behind its last one. */
    uint64_t want[PROFILE_WANTS];
    uint32_t want_first, want_end;
    uint64_t result[2], response;
    /* Cycles before taken_to in which one of the FPUs took an instruction, and from bit
     * 32 on those in which FPU1 did; the same of that cycle; and of each of the cycles
     * before it, at its number modulo PROFILE_TOOK. */
    uint64_t taken, taken_to, taking, took[PROFILE_TOOK];
    struct profile_issues send, branch;
    uint32_t events; /* of its list that are taken; a wait may still look at them */
    struct profile_thread thread[HOST_SLOTS];
};

enum { PROFILE_ZERO_RING = 4096 }; /* a power of two */

/* Cycles [from, to) without a credit; `before`: the cycles of all intervals before. */
struct profile_zero {
    uint64_t from, to, before;
};

struct profile_tile {
    struct profile_eu eu[HOST_EUS];
    struct icache *icache;
    /* Cycles, of this window: messages with a credit; credits. Behind them there is
     * room for HOST_NEVER. */
    uint64_t *grant, *back;
    uint32_t grants, grant_room, backs, back_room;
    uint64_t credits, zero_from; /* zero_from: HOST_NEVER while there are credits */
    struct profile_zero *zero;
    uint32_t zeros, zero_room;
    /* The same of late: cycles without a credit before cycle c, at c; up to `until`,
     * where having one or not changed last. */
    uint32_t none[PROFILE_ZERO_RING];
    uint64_t until;
    bool out_of_memory;
};

/* An edge that was found, so that it need not be sought among its instruction's. */
enum { PROFILE_LATE = 1024 }; /* a power of two */
struct profile_blamed {
    const struct profile_inst *inst; /* NULL: none */
    uint32_t producer, reason, edge;
};

struct profile {
    const struct igpu_config *config;
    struct profile_uop *uop;
    uint8_t *bits;
    struct ref_uop *uops;
    struct uop *source; /* for the caches, whose users' last load may outlive uops */
    uint32_t edge_room;
    enum profile_by by;
    uint32_t group_threads;
    bool oldest, out_of_memory, lost;
    enum profile_tells tells;
    struct profile_watch watch; /* wait NULL: nobody */
    struct host_waits *waits;   /* that the engine sums; NULL: it does not */
    struct igpu_err why;        /* with `lost` */
    struct profile_result now;
    struct profile_result *result;
    uint32_t results, result_room;
    struct host_list list[HOST_MAX_TILES * HOST_EUS]; /* by cycle */
    struct profile_tile tile[HOST_MAX_TILES];
    struct profile_blamed late[PROFILE_LATE];
};

/* An open among a list's issues: its unit; uop is the thread's number, or its stage;
 * producer its first instruction. */
#define PROFILE_OPEN EU_UNITS

static inline struct host_list *profile_list_of(struct profile *p,
                                                const struct profile_eu *eu)
{
    return &p->list[eu->tile * HOST_EUS + eu->id];
}

static inline void profile_set_bits(const struct profile *p, struct profile_thread *th,
                                    const struct profile_uop *u, uint64_t value)
{
    const uint8_t *bit = &p->bits[u->set_bits];

    th->bit[u->first] = value;
    for (unsigned i = 1; i < u->sets; i++)
        th->bit[bit[i]] = value;
}

static inline void profile_set_live(struct profile_thread *th,
                                    const struct profile_uop *u)
{
    th->live[0] |= u->set[0];
    if (u->wide) {
        th->live[1] |= u->set[1];
        th->live_x |= u->set_x;
    }
}

/* ---- profile_load.c ---- */

/* The kernel of a launch, also for the instruction caches. */
enum igpu_status profile_load(struct profile *p, const struct uop *uops, uint32_t count,
                              struct igpu_err *err);

/* ---- profile_eu.c ---- */
void profile_eu_launch(struct profile_eu *eu, uint64_t cycle);
/* Take the events before `until`, and fetch up to there. */
void profile_eu_take(struct profile *p, struct profile_eu *eu, uint64_t until);
/* The waits of an instruction so far. */
void profile_waits(const struct profile *p, uint32_t uop,
                   uint64_t wait[PROFILE_REASONS]);
/* What the thread issues next. */
uint32_t profile_eu_next(const struct profile *p, const struct profile_thread *th);

/* ---- profile_wait.c ---- */
/* `cycles` of the waits of instruction `uop`, for `reason`, that instruction `producer`
 * is to blame for. */
void profile_blame(struct profile *p, uint32_t uop, enum profile_reason reason,
                   uint64_t cycles, uint32_t producer);
/* Instruction *e has waited in [from, to) for a result of instruction `producer`. */
void profile_for_operand(struct profile *p, struct profile_eu *eu,
                         const struct host_listed *e, uint32_t producer, uint64_t from,
                         uint64_t to);
/* From `from` on it had all it needs, and waited for SEND or BRANCH until e->cycle. */
void profile_for_other(struct profile *p, struct profile_eu *eu,
                       const struct host_listed *e, uint64_t from);
/* Cycles from `from` to that of *e in which FPU1, or for `either` one of the FPUs, took
 * an instruction: by the list, where eu->took does not reach so far back. */
uint64_t profile_taken_from(struct profile *p, const struct profile_eu *eu,
                            const struct host_listed *e, bool either, uint64_t from);
/* No wait of the EU's threads looks at a cycle before. */
uint64_t profile_floor(const struct profile_eu *eu);
/* The ring is full: the oldest may go, or there is more room. False: memory is short.
 */
bool profile_make_room(const struct profile_eu *eu, struct profile_issues *n);

/* ---- profile_credit.c ---- */
/* Take the window's grants and the credits that came back. */
void profile_credit_step(struct profile_tile *tile);
/* Cycles of [from, to) in which the tile had no credit. Apart, for those of long ago or
 * of the window that is not over. */
uint64_t profile_zero_far(const struct profile_tile *tile, uint64_t from, uint64_t to);
static inline uint64_t profile_zero_in(const struct profile_tile *tile, uint64_t from,
                                       uint64_t to)
{
    if (to > tile->until || from + PROFILE_ZERO_RING <= tile->until || from >= to)
        return profile_zero_far(tile, from, to);
    return tile->none[to % PROFILE_ZERO_RING] - tile->none[from % PROFILE_ZERO_RING];
}

/* Room for one more of count, of `size` bytes each. */
static inline bool profile_room(void **array, uint32_t count, uint32_t *room,
                                size_t size)
{
    enum { FIRST = 64 };

    return count < *room || igpu_grow(array, size, room, sizeof(*room),
                                      count < FIRST ? FIRST : (size_t)count + 1, false);
}
#endif
