/* eu.h - one EU: fetch, scoreboard, arbitration, units, send queue
 * (docs/contract/model.md section 4).
 *
 * An EU runs ahead of its tile on its own: nothing but a full send queue makes
 * it ask what the send arbiter did. Between the cycles in which something
 * changes it jumps. A busy bit has no event of its own: each thread keeps what
 * it has under way with the cycle at which it is there, so the cycle from which
 * a fetched instruction is ready is known at its fetch, or once the response it
 * waits for has been announced. */
#ifndef REF_EU_H
#define REF_EU_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"
#include "igpu/icache.h"
#include "timing.h"

enum {
    REF_QUEUE = 4,    /* messages in an EU's send queue */
    REF_FLIGHT = 16,  /* instructions in flight in an FPU */
    REF_BITS = 136,   /* scoreboard bits of a thread */
    REF_HORIZON = 64, /* cycles ahead of which a timer is kept exactly */
    REF_TOOK = 256,   /* cycles, a power of two */
    REF_THREADS = HOST_EUS * HOST_SLOTS
};

/* What all parts share; constant while a kernel runs. */
struct ref_env {
    const struct ref_uop *uops;
    uint32_t count;           /* of uops */
    bool oldest;              /* of this launch: units take the oldest thread */
    bool told;                /* somebody wants issues, by a call or in a list */
    struct host_waits *waits; /* of this launch: that list's; NULL: it has no sums */
    struct host_calls calls;
    struct igpu_config config;
    struct icache *icache[HOST_MAX_TILES];
};

/* Bits that an instruction has made busy, and the cycle they are there. */
struct ref_write {
    uint64_t done; /* HOST_NEVER: not announced yet */
    uint64_t set[2];
    uint32_t uop;
    uint8_t set_x;
};

struct ref_thread {
    const struct ref_uop *next; /* to fetch */
    uint32_t left;              /* in the run */
    uint64_t from;              /* it can be fetched from then on */
    /* Only where env->told: as struct host_listed has them; taken: the EU's, when it
     * had all it needs, where that was before eu->noted. */
    uint64_t last, wanted, held, fetched, taken; /* not in pairs: struct host_waits */
    uint32_t producer;
    const struct ref_uop *head; /* the instruction it holds, or NULL */
    uint64_t busy[2];           /* all bits of its writes; some may be there already */
    uint32_t writes;
    uint8_t busy_x, bslot;
    uint64_t pad[3]; /* 128 bytes: an index is a shift */
};
_Static_assert(sizeof(struct ref_thread) == 128, "as it says");

struct ref_queued {
    uint64_t from; /* first cycle in which it can be granted */
    uint32_t uop;
    uint8_t slot;
    bool port; /* needs a credit */
};

/* What a thread waits for: its unit (enum uop_unit), to fetch, or a timer that
 * lies beyond the horizon. A set of threads by what they wait for is one word: a
 * byte for each of these, in it a bit for each slot. */
enum { REF_FETCH = 4, REF_WAITS = 5, REF_BEYOND = 5 };

struct ref_eu {
    uint64_t now;             /* the next cycle to simulate */
    uint64_t pend;            /* bit t % 64: wheel[t % 64] is not 0 */
    uint64_t soon;            /* threads whose timer ends in the next cycle looked at */
    uint64_t waiting;         /* threads that want to fetch, or are ready */
    uint8_t last[REF_WAITS];  /* round-robin winners: units, then fetch */
    uint8_t next[HOST_SLOTS]; /* what the thread will wait for at at[]: its bit */
    uint8_t open;             /* slots with a thread */
    uint8_t older[HOST_SLOTS]; /* slots that were opened before this one */
    uint8_t tile, id;
    uint8_t queued, oldest;         /* send queue: messages, index of the oldest */
    uint8_t flight_at[2];           /* index of the oldest entry of flight[] */
    struct host_counts counts;      /* where the host does not want issues */
    uint64_t avail[3];              /* FPU0, FPU1, SEND: first cycle to issue again */
    uint64_t at[HOST_SLOTS];        /* timers; HOST_NEVER: waits for a response */
    uint64_t wheel[REF_HORIZON];    /* threads whose timer ends, by cycle % 64 */
    uint64_t result[2];             /* D of the last instruction of FPU0, FPU1 */
    uint64_t response;              /* D of the last response */
    uint64_t flight[2][REF_FLIGHT]; /* D of the last 16 instructions */
    /* Only where env->told: cycles in which an FPU took an instruction, and from bit 32
     * on those in which FPU1 did; and how many before cycle t, at t % REF_TOOK: from
     * `noted` on, of cycles in which a thread waits for an FPU. */
    uint64_t taken, noted, took[REF_TOOK];
    uint64_t noted_to;      /* where took[] has no more room */
    struct host_list *list; /* NULL: there is none */
    struct ref_queued queue[REF_QUEUE];
    struct ref_thread thread[HOST_SLOTS];
    struct ref_write write[HOST_SLOTS][REF_BITS];
};

/* What an EU may know of its tile's send arbiter. */
struct ref_arb_view {
    uint64_t now;      /* every grant before this cycle has been made */
    uint64_t credited; /* no PORT message is granted before this cycle */
};

/* What EUs tell their tile. */
struct ref_eu_out {
    unsigned asking; /* EUs with a message in their queue, bit set */
    unsigned ends;   /* of end[], in any order */
    struct host_end end[REF_THREADS];
};

/* All as at the start, at `cycle`. No slot is open, no message is queued. */
void ref_eu_launch(struct ref_eu *eu, const struct ref_env *env, uint64_t cycle);
/* Give the free slot `slot` a thread, at the EU's cycle. */
void ref_eu_open(struct ref_eu *eu, const struct ref_env *env, unsigned slot,
                 struct uop_run run, uint8_t bslot);
/* A response for (slot, uop) arrives at `cycle`, not before the EU's. */
void ref_eu_respond(struct ref_eu *eu, const struct ref_env *env, unsigned slot,
                    uint32_t uop, uint64_t cycle);
/* Simulate up to `limit`; stops earlier, with eu->now below it, where it has to
 * know whether the arbiter made room in the queue before eu->now. */
void ref_eu_run(struct ref_eu *eu, const struct ref_env *env,
                const struct ref_arb_view *arb, struct ref_eu_out *out, uint64_t limit);
/* The first cycle at which it can do something. */
uint64_t ref_eu_next(const struct ref_eu *eu, const struct ref_arb_view *arb);

/* The first set bit of `mask` (not 0) after `last`, wrapping at bit 8; last 7:
 * the lowest set bit. */
static inline unsigned ref_pick(unsigned mask, unsigned last)
{
    unsigned above = mask & (~1u << last);

    return (unsigned)__builtin_ctz(above ? above : mask);
}
#endif
