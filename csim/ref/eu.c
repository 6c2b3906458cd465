/* eu.c - see eu.h. */
#include "eu.h"
#include "igpu/order.h"

#include <assert.h>
#include <string.h>

enum { RR_START = 7 };
/* Whom issues are told: nobody, by a call or in a list, or in the host's sums. */
enum telling { UNTOLD, TOLD, SUMMED };

#define WAITS_FPU (UINT64_C(0xff) << 8 * UOP_FPU_ANY | UINT64_C(0xff) << 8 * UOP_FPU1)
#define WAITS_BRANCH (UINT64_C(0xff) << 8 * UOP_BRANCH)
#define WAITS_FETCH (UINT64_C(0xff) << 8 * REF_FETCH)

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- timers: one per thread, at eu->at[] ---- */

/* The thread's bit among those that wait for `what`. */
static uint8_t bit_of(unsigned slot, unsigned what)
{
    return (uint8_t)(8 * what + slot);
}

static uint64_t waits(unsigned bit)
{
    return UINT64_C(1) << bit;
}

static unsigned who(const struct ref_eu *eu, unsigned what)
{
    return eu->waiting >> 8 * what & 0xff;
}

/* `from`: the next cycle that will look at the wheel. */
static void wheel_put(struct ref_eu *eu, unsigned slot, uint64_t at, uint64_t from)
{
    bool near = at - from < REF_HORIZON;
    unsigned i = (near ? at : from + REF_HORIZON - 1) % REF_HORIZON;

    eu->wheel[i] |= waits(near ? eu->next[slot] : bit_of(slot, REF_BEYOND));
    eu->pend |= UINT64_C(1) << i;
}

/* The same; most timers end at `from`, and take the short way. Not for a cycle that
 * may be looked at once more, since `soon` has no cycle of its own. */
static void timer_put(struct ref_eu *eu, unsigned slot, uint64_t at, uint64_t from)
{
    if (at == from)
        eu->soon |= waits(eu->next[slot]);
    else
        wheel_put(eu, slot, at, from);
}

static uint64_t timer_next(const struct ref_eu *eu, uint64_t from)
{
    unsigned by = from % REF_HORIZON;
    uint64_t pend = eu->pend >> by | eu->pend << (-by % REF_HORIZON);

    return pend ? from + (unsigned)__builtin_ctzll(pend) : HOST_NEVER;
}

/* Threads whose timer ends at t want to fetch or become ready. */
__attribute__((always_inline)) static inline void timer_expire(struct ref_eu *eu,
                                                               uint64_t t)
{
    unsigned i = t % REF_HORIZON;
    uint64_t word = eu->wheel[i];
    unsigned beyond = (unsigned)(word >> 8 * REF_BEYOND);

    eu->wheel[i] = 0;
    eu->pend &= ~(UINT64_C(1) << i);
    eu->waiting |= word & ((UINT64_C(1) << 8 * REF_BEYOND) - 1);
    for (; beyond; beyond &= beyond - 1) {
        unsigned slot = (unsigned)__builtin_ctz(beyond);

        /* at - t >= 1: a timer beyond the horizon of 64 comes 63 cycles on. One that
         * ends at t + 64 may not come to lie at t, which may be looked at once more. */
        wheel_put(eu, slot, eu->at[slot], t);
    }
}

/* ---- scoreboard ---- */

static bool meets(const struct ref_uop *u, const uint64_t *set, unsigned set_x)
{
    return ((u->need[0] & set[0]) | (u->need[1] & set[1]) | (u->need_x & set_x)) != 0;
}

/* Forget the writes that are there at `from`; the last takes the place of each. Returns
 * the first cycle >= from at which those that *u needs are; behind `from`, *last
 * becomes the instruction whose is there last, of several the last in the kernel. last
 * NULL: nobody asks. Once for every instruction: inline. */
__attribute__((always_inline)) static inline uint64_t
writes_scan(struct ref_thread *th, struct ref_write *write, const struct ref_uop *u,
            uint64_t from, uint32_t *last)
{
    uint64_t busy0 = 0, busy1 = 0, at = from;
    unsigned busy_x = 0;
    struct ref_write *end = write + th->writes;

    for (struct ref_write *w = write; w != end;) {
        if (w->done <= from) {
            if (w != --end)
                *w = *end;
            continue;
        }
        busy0 |= w->set[0];
        busy1 |= w->set[1];
        busy_x |= w->set_x;
        if (w->done > at && meets(u, w->set, w->set_x)) {
            at = w->done;
            if (last != NULL)
                *last = w->uop;
        } else if (last != NULL && w->done == at && w->uop > *last &&
                   meets(u, w->set, w->set_x)) {
            *last = w->uop;
        }
        w++;
    }
    th->writes = (uint32_t)(end - write);
    th->busy[0] = busy0;
    th->busy[1] = busy1;
    th->busy_x = (uint8_t)busy_x;
    return at;
}

/* The thread's head waits for its bits from `from` on. */
static void await_bits(struct ref_eu *eu, unsigned slot, uint64_t from)
{
    struct ref_thread *th = &eu->thread[slot];
    uint64_t at = from;

    if (meets(th->head, th->busy, th->busy_x))
        at = writes_scan(th, eu->write[slot], th->head, from, NULL);
    eu->at[slot] = at;
    if (at != HOST_NEVER)
        timer_put(eu, slot, at, from);
}

/* The same where somebody asks for what. */
static void await_told(struct ref_eu *eu, unsigned slot, uint64_t from)
{
    struct ref_thread *th = &eu->thread[slot];
    uint64_t at = from;

    if (meets(th->head, th->busy, th->busy_x))
        at = writes_scan(th, eu->write[slot], th->head, from, &th->producer);
    eu->at[slot] = at;
    if (at != HOST_NEVER)
        timer_put(eu, slot, at, from);
}

static void writes_full(struct ref_eu *eu, unsigned slot, const struct ref_uop *u,
                        uint64_t t)
{
    (void)writes_scan(&eu->thread[slot], eu->write[slot], u, t, NULL);
}

/* Bits that *u, issued at t, sets are there at `done`. They were not busy at t,
 * so once what is there is dropped, there is room for one entry a bit. */
static inline void writes_add(struct ref_eu *eu, unsigned slot, const struct ref_uop *u,
                              uint64_t t, uint64_t done)
{
    struct ref_thread *th = &eu->thread[slot];
    struct ref_write *w;

    if (th->writes == REF_BITS)
        writes_full(eu, slot, u, t);
    w = &eu->write[slot][th->writes++];
    w->done = done;
    w->set[0] = u->set[0];
    w->set[1] = u->set[1];
    w->set_x = u->set_x;
    w->uop = u->index;
    th->busy[0] |= u->set[0];
    th->busy[1] |= u->set[1];
    th->busy_x |= u->set_x;
}

/* ---- fetch ---- */

/* The thread's run, delivered at t. Of length 0: it will be known when its last
 * instruction has issued, tell(). */
static void set_run(const struct ref_eu *eu, struct ref_thread *th, unsigned slot,
                    const struct ref_env *env, struct uop_run run, uint64_t t)
{
    if (run.len == 0)
        return;
    assert(run.pc < env->count && run.len + run.ahead <= env->count - run.pc);
    th->next = &env->uops[run.pc];
    th->left = run.len;
    th->from = t + icache_wait(env->icache[eu->tile], icache_of(eu->id, slot), run, t);
}

/* always_inline: of the two ways to run, below. */
__attribute__((always_inline)) static inline void
fetch(struct ref_eu *eu, const struct ref_env *env, uint64_t t, enum telling telling)
{
    unsigned slot = ref_pick(who(eu, REF_FETCH), eu->last[REF_FETCH]);
    struct ref_thread *th = &eu->thread[slot];

    if (telling != UNTOLD) {
        th->wanted = eu->at[slot];
        th->fetched = t;
    }
    eu->waiting &= ~waits(eu->next[slot]);
    eu->last[REF_FETCH] = (uint8_t)slot;
    th->head = th->next++;
    if (--th->left == 0 && !(th->head->flags & UOP_EOT))
        set_run(eu, th, slot, env,
                env->calls.next(env->calls.ctx, eu->tile, eu->id, slot), t + 1);
    eu->next[slot] = bit_of(slot, th->head->unit);
    (telling != UNTOLD ? await_told : await_bits)(eu, slot, t + 1);
}

/* ---- issue ---- */

/* The oldest thread of `ready` (not 0). Apart, so that round-robin stays short. */
__attribute__((noinline)) static unsigned oldest_of(const struct ref_eu *eu,
                                                    unsigned ready)
{
    unsigned rest = ready;

    while (ready & eu->older[__builtin_ctz(rest)])
        rest &= rest - 1;
    return (unsigned)__builtin_ctz(rest);
}

/* Whom the arbiter of `unit` chooses of `ready` (not 0). */
static inline unsigned choose(const struct ref_eu *eu, const struct ref_env *env,
                              unsigned ready, enum eu_unit unit)
{
    return env->oldest ? oldest_of(eu, ready) : ref_pick(ready, eu->last[unit]);
}

/* To whoever wants to know of issues. Where threads are executed in time, that decides
 * where a thread goes whose run was not known: it is delivered during t + 1. */
__attribute__((noinline)) static void tell(struct ref_eu *eu, const struct ref_env *env,
                                           unsigned slot, enum eu_unit unit,
                                           const struct ref_uop *u, uint64_t t)
{
    struct ref_thread *th = &eu->thread[slot];
    struct host_issue report = {.cycle = t,
                                .uop = u->index,
                                .tile = eu->tile,
                                .eu = eu->id,
                                .slot = (uint8_t)slot,
                                .unit = (uint8_t)unit};

    env->calls.issue(env->calls.ctx, &report);
    if (th->left != 0 || u->flags & UOP_EOT)
        return;
    set_run(eu, th, slot, env, env->calls.next(env->calls.ctx, eu->tile, eu->id, slot),
            t + 1);
    assert(th->left > 0);
}

/* Cycles from `ready` on in which an FPU, or FPU1 where *u is for that alone, took
 * another instruction while the thread had all that *u needs. */
static inline uint32_t others(const struct ref_eu *eu, const struct ref_thread *th,
                              const struct ref_uop *u, uint64_t ready)
{
    uint64_t taken =
        eu->taken - (ready >= eu->noted ? eu->took[ready % REF_TOOK] : th->taken);

    return (uint32_t)(u->unit == UOP_FPU1 ? taken >> 32 : taken);
}

/* Into the host's list, with what it would have to follow the thread for. */
__attribute__((noinline)) static void list_issue(const struct ref_eu *eu, unsigned slot,
                                                 enum eu_unit unit,
                                                 const struct ref_uop *u, uint64_t t)
{
    struct host_list *list = eu->list;
    const struct ref_thread *th = &eu->thread[slot];
    uint64_t ready = eu->at[slot];

    if (list->next == list->end && !list->more(list))
        return;
    *list->next++ =
        (struct host_listed){.cycle = t,
                             .uop = u->index,
                             .slot = (uint8_t)slot,
                             .unit = (uint8_t)unit,
                             .last = (uint32_t)(t - th->last),
                             .held = (uint32_t)(t - th->held),
                             .wanted = (uint32_t)(t - th->wanted),
                             .fetched = (uint32_t)(t - th->fetched),
                             .ready = (uint32_t)(t - ready),
                             .producer = th->producer,
                             .taken = unit <= EU_FPU1 ? others(eu, th, u, ready) : 0};
}

/* The same where the host has sums: what waits for messages or SEND alone. */
static inline void list_wait(const struct ref_eu *eu, unsigned slot, enum eu_unit unit,
                             uint32_t uop, uint64_t t, bool operand)
{
    struct host_list *list = eu->list;
    const struct ref_thread *th = &eu->thread[slot];
    uint32_t ready = (uint32_t)(t - eu->at[slot]);
    struct host_listed *e = list->next;

    if (e == list->end) {
        if (!list->more(list))
            return;
        e = list->next;
    }
    list->next = e + 1;
    e->cycle = t;
    e->uop = uop;
    e->slot = (uint8_t)slot;
    e->unit = (uint8_t)unit;
    e->ready = ready;
    e->fetched = operand ? (uint32_t)(t - th->fetched) : ready + 1;
    e->producer = th->producer;
}

__attribute__((noinline)) static void list_operand(const struct ref_eu *eu,
                                                   unsigned slot, enum eu_unit unit,
                                                   uint32_t uop, uint64_t t)
{
    list_wait(eu, slot, unit, uop, t, true);
}

/* To the host's sums. */
__attribute__((always_inline)) static inline void
sum_issue(const struct ref_eu *eu, struct host_waits *w, unsigned slot,
          enum eu_unit unit, const struct ref_uop *u, uint64_t t)
{
    const struct ref_thread *th = &eu->thread[slot];
    uint64_t fetched = th->fetched, held = th->held, ready = eu->at[slot];
    bool operand = false;
    uint32_t taken;

    w->issues++;
    w->front += held - th->last;
    if (fetched != held) {
        w->icache += th->wanted - held;
        w->fetch += fetched - th->wanted;
    }
    if (unit <= EU_FPU1 && ready != t) {
        taken = others(eu, th, u, ready);
        w->taken += taken;
        w->unit += t - ready - taken;
    }
    if (unit == EU_BRANCH) /* which takes one each cycle */
        w->taken += t - ready;
    if (ready != fetched + 1) {
        operand = w->producer != th->producer;
        w->operand += operand ? 0 : ready - fetched - 1;
    }
    if (unit == EU_SEND)
        list_wait(eu, slot, unit, u->index, t, operand);
    else if (operand)
        list_operand(eu, slot, unit, u->index, t);
}

__attribute__((always_inline)) static inline void
told(struct ref_eu *eu, const struct ref_env *env, unsigned slot, enum eu_unit unit,
     const struct ref_uop *u, uint64_t t, enum telling telling)
{
    struct ref_thread *th = &eu->thread[slot];

    if (telling == SUMMED) {
        sum_issue(eu, &env->waits[u->index], slot, unit, u, t);
    } else if (env->calls.issue != NULL) {
        tell(eu, env, slot, unit, u, t);
        return;
    } else {
        list_issue(eu, slot, unit, u, t);
    }
    th->last = t;
    th->held = t + u->fe - 1;
    host_count_issue(&eu->counts, slot, unit, t, unit == EU_BRANCH ? 1 : u->occ);
}

/* The thread in `slot` issues its head to `unit` at t. */
__attribute__((always_inline)) static inline const struct ref_uop *
issue(struct ref_eu *eu, const struct ref_env *env, unsigned slot, enum eu_unit unit,
      uint64_t t, enum telling telling)
{
    struct ref_thread *th = &eu->thread[slot];
    const struct ref_uop *u = th->head;

    eu->waiting &= ~waits(eu->next[slot]);
    eu->last[unit] = (uint8_t)slot;
    th->head = NULL;
    eu->next[slot] = bit_of(slot, REF_FETCH);
    if (telling != UNTOLD)
        told(eu, env, slot, unit, u, t, telling);
    else
        host_count_issue(&eu->counts, slot, unit, t, unit == EU_BRANCH ? 1 : u->occ);
    eu->at[slot] = igpu_later(t + u->fe - 1, th->from);
    if (!(u->flags & UOP_EOT))
        timer_put(eu, slot, eu->at[slot], t + 1);
    return u;
}

/* Inline in both places, where f is known. */
__attribute__((always_inline)) static inline void
issue_fpu(struct ref_eu *eu, const struct ref_env *env, unsigned f, unsigned ready,
          uint64_t t, enum telling telling)
{
    unsigned slot = choose(eu, env, ready, (enum eu_unit)f);
    const struct ref_uop *u = issue(eu, env, slot, (enum eu_unit)f, t, telling);
    /* D - t stays far below its limit of 1023: occ + lat is at most 318, and
     * D' - t' - occ' never exceeds a latency. */
    uint64_t done = igpu_later(t + u->use_lat, eu->result[f] + u->occ);
    unsigned oldest = eu->flight_at[f];

    eu->result[f] = done;
    eu->flight[f][oldest] = done;
    oldest = (oldest + 1) % REF_FLIGHT;
    eu->flight_at[f] = (uint8_t)oldest;
    /* Results complete in order: 16 are in flight until the oldest is there. */
    eu->avail[f] = igpu_later(t + u->occ, eu->flight[f][oldest]);
    if (u->sets)
        writes_add(eu, slot, u, t, done);
}

__attribute__((always_inline)) static inline void issue_fpus(struct ref_eu *eu,
                                                             const struct ref_env *env,
                                                             uint64_t t,
                                                             enum telling telling)
{
    uint64_t taken = 0;
    unsigned ready;

    if (telling != UNTOLD)
        eu->took[t % REF_TOOK] = eu->taken;
    if (who(eu, UOP_FPU_ANY) && t >= eu->avail[EU_FPU0]) {
        issue_fpu(eu, env, EU_FPU0, who(eu, UOP_FPU_ANY), t, telling);
        taken = 1;
    }
    ready = who(eu, UOP_FPU_ANY) | who(eu, UOP_FPU1);
    if (ready && t >= eu->avail[EU_FPU1]) {
        issue_fpu(eu, env, EU_FPU1, ready, t, telling);
        taken = (UINT64_C(1) << 32) + 1;
    }
    if (telling != UNTOLD)
        eu->taken += taken;
}

__attribute__((always_inline)) static inline void
issue_send(struct ref_eu *eu, const struct ref_env *env, struct ref_eu_out *out,
           uint64_t t, enum telling telling)
{
    unsigned slot = choose(eu, env, who(eu, UOP_SEND), EU_SEND);
    const struct ref_uop *u = issue(eu, env, slot, EU_SEND, t, telling);

    eu->avail[EU_SEND] = t + u->occ;
    if (u->flags & UOP_EOT) {
        out->end[out->ends++] = (struct host_end){.cycle = t,
                                                  .eu = eu->id,
                                                  .slot = (uint8_t)slot,
                                                  .bslot = eu->thread[slot].bslot};
        eu->open &= (uint8_t) ~(1u << slot);
        return;
    }
    out->asking |= 1u << eu->id;
    eu->queue[(eu->oldest + eu->queued++) % REF_QUEUE] =
        (struct ref_queued){.from = t + u->occ,

                            .uop = u->index,
                            .slot = (uint8_t)slot,
                            .port = (u->flags & UOP_PORT) != 0};
    if (u->sets)
        writes_add(eu, slot, u, t, HOST_NEVER);
}

/* ---- time ---- */

/* A lower bound of the cycle in which a full queue has room again. */
static uint64_t room_from(const struct ref_eu *eu, const struct ref_arb_view *arb)
{
    const struct ref_queued *head = &eu->queue[eu->oldest];
    uint64_t grant = igpu_later(head->from, arb->now);

    if (head->port)
        grant = igpu_later(grant, arb->credited);
    return grant == HOST_NEVER ? HOST_NEVER : grant + 1;
}

static uint64_t send_from(const struct ref_eu *eu, const struct ref_arb_view *arb)
{
    if (eu->queued < REF_QUEUE)
        return eu->avail[EU_SEND];
    return igpu_later(eu->avail[EU_SEND], room_from(eu, arb));
}

__attribute__((always_inline)) static inline uint64_t
next_from(const struct ref_eu *eu, const struct ref_arb_view *arb, uint64_t from)
{
    uint64_t next;

    if (eu->soon || eu->waiting & (WAITS_FETCH | WAITS_BRANCH))
        return from;
    next = timer_next(eu, from);
    if (who(eu, UOP_FPU_ANY))
        next = sooner(next, sooner(eu->avail[EU_FPU0], eu->avail[EU_FPU1]));
    if (who(eu, UOP_FPU1))
        next = sooner(next, eu->avail[EU_FPU1]);
    if (who(eu, UOP_SEND))
        next = sooner(next, send_from(eu, arb));
    return igpu_later(next, from);
}

uint64_t ref_eu_next(const struct ref_eu *eu, const struct ref_arb_view *arb)
{
    return next_from(eu, arb, eu->now);
}

/* took[] begins anew: threads that wait for an FPU keep what they need of it. */
__attribute__((noinline)) static void note_took(struct ref_eu *eu)
{
    unsigned wait = who(eu, UOP_FPU_ANY) | who(eu, UOP_FPU1);

    for (; wait; wait &= wait - 1) {
        unsigned slot = (unsigned)__builtin_ctz(wait);

        if (eu->at[slot] >= eu->noted)
            eu->thread[slot].taken = eu->took[eu->at[slot] % REF_TOOK];
    }
    eu->noted = eu->now;
    eu->noted_to = eu->now + REF_TOOK - 1;
}

/* Three times: what is told costs nothing where nobody asks. */
__attribute__((always_inline)) static inline void
run(struct ref_eu *eu, const struct ref_env *env, const struct ref_arb_view *arb,
    struct ref_eu_out *out, uint64_t limit, enum telling telling)
{
    uint64_t t = next_from(eu, arb, eu->now);
    unsigned ended = out->ends;

    /* It may have stopped there, for the arbiter, behind what became ready. */
    if (telling != UNTOLD && t != eu->now)
        eu->took[eu->now % REF_TOOK] = eu->taken;
    while (t < limit) {
        eu->waiting |= eu->soon;
        eu->soon = 0;
        if (eu->pend >> t % REF_HORIZON & 1)
            timer_expire(eu, t);
        if (eu->queued == REF_QUEUE && who(eu, UOP_SEND) && t >= send_from(eu, arb)) {
            eu->now = t;
            return;
        }
        if (who(eu, REF_FETCH))
            fetch(eu, env, t, telling);
        if (who(eu, UOP_SEND) && eu->queued < REF_QUEUE && t >= eu->avail[EU_SEND])
            issue_send(eu, env, out, t, telling);
        if (eu->waiting & WAITS_FPU)
            issue_fpus(eu, env, t, telling);
        if (who(eu, UOP_BRANCH))
            (void)issue(eu, env, choose(eu, env, who(eu, UOP_BRANCH), EU_BRANCH),
                        EU_BRANCH, t, telling);
        if (out->ends != ended) /* one a cycle: all of this cycle has issued now */
            out->end[ended++].left = (uint8_t)(eu->counts.eu.active_until - t);
        t = next_from(eu, arb, t + 1);
    }
    eu->now = limit;
}

__attribute__((noinline)) static void run_told(struct ref_eu *eu,
                                               const struct ref_env *env,
                                               const struct ref_arb_view *arb,
                                               struct ref_eu_out *out, uint64_t limit)
{
    run(eu, env, arb, out, limit, TOLD);
}

__attribute__((noinline)) static void run_summed(struct ref_eu *eu,
                                                 const struct ref_env *env,
                                                 const struct ref_arb_view *arb,
                                                 struct ref_eu_out *out, uint64_t limit)
{
    run(eu, env, arb, out, limit, SUMMED);
}

__attribute__((noinline)) static void run_untold(struct ref_eu *eu,
                                                 const struct ref_env *env,
                                                 const struct ref_arb_view *arb,
                                                 struct ref_eu_out *out, uint64_t limit)
{
    run(eu, env, arb, out, limit, UNTOLD);
}

/* In pieces that took[] has room for. */
__attribute__((noinline)) static void run_pieces(struct ref_eu *eu,
                                                 const struct ref_env *env,
                                                 const struct ref_arb_view *arb,
                                                 struct ref_eu_out *out, uint64_t limit)
{
    uint64_t to;

    do {
        note_took(eu);
        to = sooner(limit, eu->noted_to);
        (env->waits != NULL ? run_summed : run_told)(eu, env, arb, out, to);
    } while (eu->now == to && to != limit);
}

void ref_eu_run(struct ref_eu *eu, const struct ref_env *env,
                const struct ref_arb_view *arb, struct ref_eu_out *out, uint64_t limit)
{
    if (!env->told)
        run_untold(eu, env, arb, out, limit);
    else if (limit > eu->noted_to)
        run_pieces(eu, env, arb, out, limit);
    else if (env->waits != NULL)
        run_summed(eu, env, arb, out, limit);
    else
        run_told(eu, env, arb, out, limit);
}

/* ---- tokens ---- */

void ref_eu_launch(struct ref_eu *eu, const struct ref_env *env, uint64_t cycle)
{
    assert(eu->open == 0 && eu->pend == 0 && eu->soon == 0 && eu->queued == 0);
    eu->now = cycle;
    memset(&eu->counts, 0, sizeof(eu->counts));
    for (unsigned i = 0; i < REF_WAITS; i++)
        eu->last[i] = RR_START;
    memset(eu->avail, 0, sizeof(eu->avail));
    memset(eu->result, 0, sizeof(eu->result));
    memset(eu->flight, 0, sizeof(eu->flight));
    eu->response = 0;
    eu->taken = 0;
    eu->noted = cycle;
    eu->noted_to = cycle + REF_TOOK - 1;
    eu->list =
        env->calls.list != NULL ? &env->calls.list[eu->tile * HOST_EUS + eu->id] : NULL;
}

/* The slot's thread is the youngest. */
static void make_youngest(struct ref_eu *eu, unsigned slot)
{
    for (unsigned i = 0; i < HOST_SLOTS; i++)
        eu->older[i] &= (uint8_t) ~(1u << slot);
    eu->older[slot] = (uint8_t)((1u << HOST_SLOTS) - 1 - (1u << slot));
}

void ref_eu_open(struct ref_eu *eu, const struct ref_env *env, unsigned slot,
                 struct uop_run run, uint8_t bslot)
{
    struct ref_thread *th = &eu->thread[slot];

    assert(!(eu->open >> slot & 1));
    eu->open |= (uint8_t)(1u << slot);
    make_youngest(eu, slot);
    set_run(eu, th, slot, env, run, eu->now + 1);
    th->head = NULL;
    th->bslot = bslot;
    th->writes = 0;
    th->busy[0] = th->busy[1] = 0;
    th->busy_x = 0;
    eu->next[slot] = bit_of(slot, REF_FETCH);
    th->last = eu->now + 1;
    th->held = eu->now + 2;
    eu->at[slot] = igpu_later(th->held, th->from);
    timer_put(eu, slot, eu->at[slot], eu->now);
}

void ref_eu_respond(struct ref_eu *eu, const struct ref_env *env, unsigned slot,
                    uint32_t uop, uint64_t cycle)
{
    const struct ref_uop *u = &env->uops[uop];
    struct ref_thread *th = &eu->thread[slot];
    uint64_t grfs = u->rlen > 0 ? u->rlen : 1;

    eu->response = igpu_later(cycle, eu->response) + grfs * env->config.eu_resp_grf;
    if (!u->sets)
        return;
    for (unsigned i = 0; i < th->writes; i++) {
        struct ref_write *w = &eu->write[slot][i];

        if (w->uop == uop && w->done == HOST_NEVER)
            w->done = eu->response;
    }
    if (th->head != NULL && eu->at[slot] == HOST_NEVER)
        (env->told ? await_told : await_bits)(eu, slot, eu->now);
}
