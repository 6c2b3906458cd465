/* profile_eu.c - an EU's fetch, scoreboard and units, followed from what it issued. */
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"
#include "igpu/order.h"

enum { RR_START = 7 };

/* An event that the contract does not allow. */
static void profile_lose(struct profile *p, const struct profile_eu *eu,
                         const struct host_listed *e, const char *why)
{
    if (p->lost)
        return;
    p->lost = true;
    (void)igpu_fail(&p->why, IGPU_SIM_ERROR,
                    "profile: launch %u, subslice %u EU %u slot %u issues instruction "
                    "%u at cycle %llu: %s (docs/contract/model.md, section 4)",
                    p->now.launch, eu->tile, eu->id, e->slot, e->uop,
                    (unsigned long long)e->cycle, why);
}

/* ---- fetch ---- */

static unsigned pick(unsigned mask, unsigned last)
{
    unsigned above = mask & (~1u << last);

    return (unsigned)__builtin_ctz(above ? above : mask);
}

static void set_run(struct profile *p, struct profile_eu *eu, struct profile_thread *th,
                    struct uop_run run, uint64_t t)
{
    th->run = run;
    th->from = t + icache_wait(p->tile[eu->tile].icache, icache_of(eu->id, 0), run, t);
}

/* Its run is over: the next one, which the engine has asked for. One of length 0 is not
 * known before the branch that decides has issued. */
__attribute__((noinline)) static void next_run(struct profile *p, struct profile_eu *eu,
                                               unsigned slot, uint64_t t)
{
    struct profile_thread *th = &eu->thread[slot];
    struct profile_runs *runs = &th->runs;

    if (p->uop[th->head].eot)
        return;
    if (runs->count == 0) {
        struct host_listed e = {.cycle = t, .uop = th->head, .slot = (uint8_t)slot};

        profile_lose(p, eu, &e, "its next run was not asked for");
        return;
    }
    if (runs->run[runs->head].len != 0)
        set_run(p, eu, th, runs->run[runs->head], t + 1);
    runs->head = runs->head + 1 == runs->capacity ? 0 : runs->head + 1;
    runs->count--;
}

static inline void fetch(struct profile *p, struct profile_eu *eu, unsigned slot,
                         uint64_t t)
{
    struct profile_thread *th = &eu->thread[slot];

    eu->fetch_last = (uint8_t)slot;
    eu->fetch_now = t + 1;
    th->fetched = t;
    th->head = th->run.pc++;
    if (--th->run.len == 0)
        next_run(p, eu, slot, t);
}

static inline uint64_t *want_at(struct profile_eu *eu, uint32_t at)
{
    return &eu->want[at % PROFILE_WANTS];
}

/* At t, of several that want. */
__attribute__((noinline)) static void fetch_one(struct profile *p,
                                                struct profile_eu *eu, uint64_t t)
{
    unsigned mask = 0, slot;
    uint32_t first = eu->want_first, i = first;

    for (; *want_at(eu, i) >> 3 <= t; i++)
        mask |= 1u << (*want_at(eu, i) & 7);
    slot = pick(mask, eu->fetch_last);
    for (i = first; (*want_at(eu, i) & 7) != slot;)
        i++;
    for (; i != first; i--) /* those before it move up */
        *want_at(eu, i) = *want_at(eu, i - 1);
    *want_at(eu, first) = 0;
    eu->want_first = first + 1;
    fetch(p, eu, slot, t);
}

/* All fetches before `until`. */
__attribute__((always_inline)) static inline void
fetch_until(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    for (;;) {
        uint32_t at = eu->want_first;
        uint64_t first = *want_at(eu, at), t = igpu_later(first >> 3, eu->fetch_now);

        if (t >= until)
            return;
        if (*want_at(eu, at + 1) >> 3 <= t) {
            fetch_one(p, eu, t);
            continue;
        }
        *want_at(eu, at) = 0;
        eu->want_first = at + 1;
        fetch(p, eu, first & 7, t);
    }
}

static inline void want_fetch(struct profile_eu *eu, struct profile_thread *th,
                              unsigned slot)
{
    uint64_t want = igpu_later(th->last + th->front, th->from), key = want << 3 | slot;
    uint32_t at = eu->want_end++;

    th->fetched = HOST_NEVER;
    th->want = want;
    *want_at(eu, at + 1) = HOST_NEVER;
    for (; *want_at(eu, at - 1) > key; at--)
        *want_at(eu, at) = *want_at(eu, at - 1);
    *want_at(eu, at) = key;
}

/* ---- scoreboard ---- */

/* Messages whose answers nobody can wait for any more. */
__attribute__((noinline)) static void forget(struct profile_thread *th, uint64_t before)
{
    uint32_t kept = 0;

    th->oldest = th->msg;
    for (uint32_t i = 0; i < th->msgs; i++) {
        if (th->msg[i].done <= before)
            continue;
        th->msg[kept++] = th->msg[i];
    }
    th->msgs = kept;
    th->prune_at = kept + PROFILE_KEPT;
    if (th->prune_at > PROFILE_BITS)
        th->prune_at = PROFILE_BITS;
}

static inline void add_msg(const struct profile *p, struct profile_thread *th,
                           uint32_t uop, uint64_t t)
{
    struct profile_msg *m;

    if (th->msgs == th->prune_at)
        forget(th, t);
    if (th->msgs == PROFILE_BITS) /* no EU's: count_operands() finds the clash */
        return;
    m = &th->msg[th->msgs++]; /* the rest: once answered */
    m->done = HOST_NEVER;
    m->uop = uop;
    m->issued = t;
    if (p->tells == PROFILE_TELLS_WAITS)
        return;
    profile_set_live(th, &p->uop[uop]);
    profile_set_bits(p, th, &p->uop[uop], HOST_NEVER);
}

/* ---- units ---- */

static inline void add_issue(struct profile_eu *eu, struct profile_issues *n,
                             uint64_t t, uint32_t occ)
{
    uint32_t mask = n->capacity - 1;

    if (n->count != n->capacity) {
        n->count++;
    } else if (n->count == 0 || n->past[n->next & mask].cycle >= n->floor) {
        if (!profile_make_room(eu, n)) {
            eu->out_of_memory = true;
            return;
        }
        mask = n->capacity - 1;
        n->count += n->count != n->capacity;
    }
    n->past[n->next++ & mask] = (struct profile_past){t, occ};
}

/* Its next event is of cycle t. */
static inline void take_cycle(struct profile_eu *eu, uint64_t t)
{
    uint64_t at = eu->taken_to;

    if (at == t)
        return;
    eu->taken += eu->taking;
    eu->taking = 0;
    eu->taken_to = t;
    if (t - at > PROFILE_TOOK)
        at = t - PROFILE_TOOK;
    do
        eu->took[++at % PROFILE_TOOK] = eu->taken;
    while (at != t);
}

/* ---- events ---- */

/* Where a thread that is opened is counted beside its instructions. */
static struct profile_part *part_of(struct profile *p, const struct profile_eu *eu,
                                    const struct host_listed *open)
{
    uint32_t at = (eu->tile * (uint32_t)HOST_EUS + eu->id) * HOST_SLOTS + open->slot;

    if (p->by == PROFILE_BY_INST)
        return NULL;
    if (p->by == PROFILE_BY_GROUP)
        at = open->uop / p->group_threads;
    if (p->by == PROFILE_BY_STAGE)
        at = open->uop;
    return at < p->now.parts ? &p->now.part[at] : NULL;
}

static void forget_bits(struct profile_thread *th)
{
    th->live[0] = th->live[1] = 0;
    th->live_x = 0;
    th->msgs = 0;
    th->oldest = th->msg;
    th->prune_at = PROFILE_KEPT;
}

/* Where it begins to fetch; as event *e, its open, has it. */
static void follow(struct profile *p, struct profile_eu *eu,
                   const struct host_listed *e)
{
    struct profile_thread *th = &eu->thread[e->slot];

    set_run(p, eu, th, th->runs.run[th->runs.head], e->cycle + 1);
    th->runs.head = (th->runs.head + 1) % th->runs.capacity;
    th->runs.count--;
    want_fetch(eu, th, e->slot);
}

static void open_thread(struct profile *p, struct profile_eu *eu,
                        const struct host_listed *e)
{
    struct profile_thread *th = &eu->thread[e->slot];

    if (p->tells == PROFILE_TELLS_ISSUES)
        fetch_until(p, eu, e->cycle);
    if (th->open || (p->tells != PROFILE_TELLS_WAITS && th->runs.count == 0)) {
        profile_lose(p, eu, e, "a thread is opened where one runs");
        return;
    }
    p->now.threads++;
    if (th->ended == HOST_NEVER)
        p->now.empty[PROFILE_EMPTY_START] += e->cycle - p->now.start;
    else
        p->now.empty[PROFILE_EMPTY_BETWEEN] += e->cycle - th->ended - 1;
    th->part = part_of(p, eu, e);
    /* EUs are taken one after the other: a group's first thread may come later. */
    if (th->part != NULL && (th->part->first == 0 || e->cycle < th->part->first)) {
        th->part->first = e->cycle;
        th->part->subslice = eu->tile;
    }
    th->open = true;
    forget_bits(th);
    th->opened = e->cycle;
    th->last = e->cycle + PROFILE_DISPATCHED - 1;
    p->now.inst[e->producer].wait[PROFILE_DISPATCH] += PROFILE_DISPATCHED;
    if (th->part != NULL)
        th->part->wait[PROFILE_DISPATCH] += PROFILE_DISPATCHED;
    th->front = 1;
    th->run.len = 0;
    if (p->tells == PROFILE_TELLS_ISSUES)
        follow(p, eu, e);
}

static void end_thread(struct profile *p, struct profile_thread *th, uint64_t t)
{
    th->open = false;
    th->fetched = HOST_NEVER;
    th->ended = t;
    p->now.thread_cycles += t + 1 - th->opened;
    if (th->part == NULL)
        return;
    th->part->threads++;
    th->part->thread_cycles += t + 1 - th->opened;
    th->part->last = igpu_later(th->part->last, t + 1);
}

/* Of SEND or BRANCH. Returns false where the thread has ended. */
__attribute__((always_inline)) static inline bool
issued_other(struct profile *p, struct profile_eu *eu, const struct host_listed *e,
             const struct profile_uop *u)
{
    struct profile_thread *th = &eu->thread[e->slot];

    if (e->unit != EU_SEND) {
        add_issue(eu, &eu->branch, e->cycle, u->occ);
        return true;
    }
    add_issue(eu, &eu->send, e->cycle, u->occ);
    if (u->eot)
        end_thread(p, th, e->cycle);
    else if (u->sets)
        add_msg(p, th, e->uop, e->cycle);
    return !u->eot;
}

static inline void issued_fpu(const struct profile *p, struct profile_eu *eu,
                              struct profile_thread *th, const struct host_listed *e,
                              const struct profile_uop *u)
{
    uint64_t done = igpu_later(e->cycle + u->use_lat, eu->result[e->unit] + u->occ);

    eu->result[e->unit] = done;
    eu->taking |= (uint64_t)e->unit << 32 | 1;
    profile_set_live(th, u);
    profile_set_bits(p, th, u, done << PROFILE_AT | e->uop);
}

/* ---- what it has waited for ---- */

/* The last of `bits`, of word k of bit[]. */
static inline uint64_t last_of(const struct profile_thread *th, unsigned k,
                               uint64_t bits, uint64_t last)
{
    for (; bits; bits &= bits - 1)
        last = igpu_later(last, th->bit[64 * k + (unsigned)__builtin_ctzll(bits)]);
    return last;
}

/* The last of the bits that *u needs. They will be there when it issues: the thread
 * need not look at them again. */
static inline uint64_t last_bit(struct profile_thread *th, const struct profile_uop *u)
{
    uint64_t now = u->need[0] & th->live[0], last = 0;

    if (now != 0)
        last = last_of(th, 0, now, 0);
    th->live[0] ^= now;
    if (!u->wide)
        return last;
    now = u->need[1] & th->live[1];
    last = last_of(th, 1, now, last);
    th->live[1] ^= now;
    now = u->need_x & th->live_x;
    th->live_x ^= (uint8_t)now;
    return last_of(th, 2, now, last);
}

/* For its operands, from `from` on. Returns where they are there. */
__attribute__((always_inline)) static inline uint64_t
count_operands(struct profile *p, struct profile_eu *eu, struct profile_thread *th,
               const struct host_listed *e, struct profile_uop *u, uint64_t from,
               bool parts)
{
    uint64_t last = last_bit(th, u), there = last >> PROFILE_AT;
    uint32_t producer = last & ((1u << PROFILE_AT) - 1);

    if (there <= from)
        return from;
    if (there > e->cycle) {
        profile_lose(p, eu, e, "an operand is not there");
        return e->cycle;
    }
    if (u->sum.producer == producer) { /* mostly the same as the last time */
        u->sum.operand += there - from;
        if (parts)
            th->part->wait[PROFILE_OPERAND] += there - from;
        return there;
    }
    profile_for_operand(p, eu, e, producer, from, there);
    if (u->sum.producer == PROFILE_NONE && !p->uop[producer].message)
        u->sum.producer = producer; /* it has an edge now */
    return there;
}

/* `cycles` for an FPU, which took others in `taken` of them. */
static inline void add_fpu(uint64_t *wait, uint64_t taken, uint64_t cycles)
{
    wait[PROFILE_OTHER] += taken;
    wait[PROFILE_UNIT] += cycles - taken;
}

/* For an FPU, from `from` to the cycle of *e, the EU's. */
static inline void count_fpu(struct profile *p, const struct profile_eu *eu,
                             const struct profile_thread *th,
                             const struct host_listed *e, struct profile_uop *u,
                             uint64_t from, bool parts)
{
    uint64_t cycles = e->cycle - from, taken;

    if (cycles < PROFILE_TOOK) {
        taken = eu->taken - eu->took[from % PROFILE_TOOK];
        taken = u->fpu1 ? taken >> 32 : (uint32_t)taken;
    } else {
        taken = profile_taken_from(p, eu, e, !u->fpu1, from);
    }
    u->sum.taken += taken;
    u->sum.unit += cycles - taken;
    if (parts)
        add_fpu(th->part->wait, taken, cycles);
}

/* Of a fetch: what it waited for behind what the front end takes. */
static inline void count_late(struct profile_thread *th, struct profile_uop *u,
                              uint64_t held, uint64_t want, uint64_t fetched,
                              bool parts)
{
    uint64_t icache = want - held, fetch = fetched - want;

    u->sum.icache += icache;
    u->sum.fetch += fetch;
    if (!parts)
        return;
    th->part->wait[PROFILE_ICACHE] += icache;
    th->part->wait[PROFILE_FETCH] += fetch;
}

/* Its instruction, of an engine that tells when it was fetched, is the next one. */
static inline bool is_next(struct profile_thread *th, uint32_t uop)
{
    struct profile_runs *runs = &th->runs;

    if (th->run.len == 0) {
        if (runs->count == 0)
            return false;
        th->run = runs->run[runs->head];
        runs->head = runs->head + 1 == runs->capacity ? 0 : runs->head + 1;
        runs->count--;
    }
    th->run.len--;
    return th->run.pc++ == uop;
}

/* `fetches`: told; `parts`: somebody asked for them. False: the contract does not allow
 * it. */
__attribute__((always_inline)) static inline bool
take_issue(struct profile *p, struct profile_eu *eu, const struct host_listed *e,
           bool fetches, bool parts)
{
    struct profile_thread *th = &eu->thread[e->slot];
    struct profile_uop *u = &p->uop[e->uop];
    uint64_t t = e->cycle, from, held, fetched;

    if (!fetches)
        fetch_until(p, eu, t);
    held = th->last + th->front;
    fetched = fetches ? t - e->fetched : th->fetched; /* HOST_NEVER: not yet */
    from = fetched + 1;
    if (fetched >= t || fetched < held ||
        (fetches ? !is_next(th, e->uop) : th->head != e->uop)) {
        profile_lose(p, eu, e, "it has not fetched it");
        return false;
    }
    u->sum.issues++;
    u->sum.front += th->front;
    if (parts) {
        th->part->issues++;
        th->part->wait[PROFILE_FRONT_END] += th->front;
    }
    if (fetched != held)
        count_late(th, u, held, fetches ? igpu_later(held, t - e->wanted) : th->want,
                   fetched, parts);
    if (from != t)
        from = count_operands(p, eu, th, e, u, from, parts);
    if (e->unit <= EU_FPU1) {
        take_cycle(eu, t);
        if (from != t)
            count_fpu(p, eu, th, e, u, from, parts);
        issued_fpu(p, eu, th, e, u);
    } else {
        if (from != t)
            profile_for_other(p, eu, e, from);
        if (!issued_other(p, eu, e, u))
            return true;
    }
    th->last = t;
    th->front = u->fe - 1U;
    if (fetches)
        return true;
    if (th->run.len == 0)
        next_run(p, eu, e->slot, t);
    want_fetch(eu, th, e->slot);
    return true;
}

/* ---- the same of an engine that tells fetches ---- */

static void told_front(const struct host_listed *e, uint64_t *wait)
{
    wait[PROFILE_FRONT_END] += e->last - e->held;
    wait[PROFILE_ICACHE] += e->held - e->wanted;
    wait[PROFILE_FETCH] += e->wanted - e->fetched;
}

/* For an operand, behind its fetch. */
static void told_operand(struct profile *p, struct profile_eu *eu,
                         const struct host_listed *e)
{
    profile_for_operand(p, eu, e, e->producer, e->cycle - e->fetched + 1,
                        e->cycle - e->ready);
    if (p->waits != NULL && p->waits[e->uop].producer == PROFILE_NONE &&
        !p->uop[e->producer].message)
        p->waits[e->uop].producer = e->producer; /* those to come are summed */
}

/* What the engine has not summed: all. */
static void take_told_issue(struct profile *p, struct profile_eu *eu,
                            const struct host_listed *e)
{
    struct profile_thread *th = &eu->thread[e->slot];
    struct profile_inst *inst = &p->now.inst[e->uop];

    inst->issues++;
    told_front(e, inst->wait);
    if (th->part != NULL) {
        th->part->issues++;
        told_front(e, th->part->wait);
    }
    if (e->ready + 1 != e->fetched)
        told_operand(p, eu, e);
    th->last = e->cycle;
    if (e->unit > EU_FPU1) {
        if (e->ready != 0)
            profile_for_other(p, eu, e, e->cycle - e->ready);
        (void)issued_other(p, eu, e, &p->uop[e->uop]);
        return;
    }
    add_fpu(inst->wait, e->taken, e->ready);
    if (th->part != NULL)
        add_fpu(th->part->wait, e->taken, e->ready);
}

/* The same: what waits for messages, or SEND. */
static inline void take_told_wait(struct profile *p, struct profile_eu *eu,
                                  const struct host_listed *e)
{
    if (e->ready + 1 != e->fetched)
        told_operand(p, eu, e);
    if (e->unit != EU_SEND)
        return;
    eu->thread[e->slot].last = e->cycle;
    if (e->ready != 0)
        profile_for_other(p, eu, e, e->cycle - e->ready);
    (void)issued_other(p, eu, e, &p->uop[e->uop]);
}

static void take_told(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    const struct host_list *list = profile_list_of(p, eu);
    bool summed = p->waits != NULL;
    struct host_listed *next, *end = list->next;

    if (end == NULL) /* no event was ever told */
        return;
    for (next = list->first + eu->events; next != end && next->cycle < until; next++)
        if (next->unit == PROFILE_OPEN)
            open_thread(p, eu, next);
        else if (summed)
            take_told_wait(p, eu, next);
        else
            take_told_issue(p, eu, next);
    eu->events = (uint32_t)(next - list->first);
}

__attribute__((always_inline)) static inline void
take(struct profile *p, struct profile_eu *eu, uint64_t until, bool fetches, bool parts)
{
    const struct host_list *list = profile_list_of(p, eu);
    const struct host_listed *next, *end = list->next;

    if (end != NULL) { /* NULL: no event was ever told */
        for (next = list->first + eu->events; next != end && next->cycle < until;
             next++)
            if (next->unit == PROFILE_OPEN)
                open_thread(p, eu, next);
            else if (!take_issue(p, eu, next, fetches, parts))
                return;
        eu->events = (uint32_t)(next - list->first);
    }
    if (!fetches)
        fetch_until(p, eu, until);
}

__attribute__((noinline)) static void take_issues(struct profile *p,
                                                  struct profile_eu *eu, uint64_t until)
{
    take(p, eu, until, false, p->now.parts != 0);
}

__attribute__((noinline)) static void
take_fetches(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    take(p, eu, until, true, false);
}

__attribute__((noinline)) static void take_parts(struct profile *p,
                                                 struct profile_eu *eu, uint64_t until)
{
    take(p, eu, until, true, true);
}

/* What event *e adds to the waits of its instruction is told to who watches. */
static bool take_event(struct profile *p, struct profile_eu *eu,
                       const struct host_listed *e)
{
    bool opens = e->unit == PROFILE_OPEN, good = true;
    uint32_t uop = opens ? e->producer : e->uop;
    uint64_t from = opens ? e->cycle : eu->thread[e->slot].last + 1;
    uint64_t was[PROFILE_REASONS], wait[PROFILE_REASONS];

    profile_waits(p, uop, was);
    if (opens)
        open_thread(p, eu, e);
    else
        good = take_issue(p, eu, e, false, p->now.parts != 0);
    profile_waits(p, uop, wait);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        wait[k] -= was[k];
    if (good)
        p->watch.wait(p->watch.ctx, eu->tile, eu->id, e->slot, uop, from, wait);
    return good;
}

static void take_watched(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    const struct host_list *list = profile_list_of(p, eu);
    const struct host_listed *next, *end = list->next;

    if (end != NULL) {
        for (next = list->first + eu->events; next != end && next->cycle < until;
             next++)
            if (!take_event(p, eu, next))
                return;
        eu->events = (uint32_t)(next - list->first);
    }
    fetch_until(p, eu, until);
}

void profile_eu_take(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    if (p->lost)
        return;
    if (p->tells == PROFILE_TELLS_WAITS)
        take_told(p, eu, until);
    else if (p->tells == PROFILE_TELLS_FETCHES)
        (p->now.parts != 0 ? take_parts : take_fetches)(p, eu, until);
    else if (p->watch.wait != NULL)
        take_watched(p, eu, until);
    else
        take_issues(p, eu, until);
}

uint32_t profile_eu_next(const struct profile *p, const struct profile_thread *th)
{
    if (p->tells == PROFILE_TELLS_FETCHES && th->run.len == 0 && th->runs.count != 0)
        return th->runs.run[th->runs.head].pc;
    return th->fetched != HOST_NEVER ? th->head : th->run.pc;
}

void profile_eu_launch(struct profile_eu *eu, uint64_t cycle)
{
    memset(eu->want, 0, sizeof(eu->want));
    eu->want_first = eu->want_end = 1;
    eu->want[1] = HOST_NEVER;
    eu->fetch_last = RR_START;
    eu->fetch_now = cycle;
    eu->taken = eu->taking = eu->took[cycle % PROFILE_TOOK] = 0;
    eu->taken_to = cycle;
    eu->events = 0;
    eu->result[0] = eu->result[1] = eu->response = 0;
    eu->send.next = eu->send.count = 0;
    eu->branch.next = eu->branch.count = 0;
    eu->send.floor = eu->branch.floor = 0;
    for (unsigned i = 0; i < HOST_SLOTS; i++) {
        struct profile_thread *th = &eu->thread[i];

        th->open = false;
        th->fetched = th->ended = HOST_NEVER;
        th->runs.head = th->runs.count = 0;
        forget_bits(th);
    }
}
