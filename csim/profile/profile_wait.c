/* profile_wait.c - one wait, cut into reasons (docs/guide/profile.md, section 2). */
#include <stdlib.h>

#include "csim/profile/profile_int.h"
#include "igpu/order.h"
#include "igpu/uop_cycles.h"

/* Who waits, and where it is counted. */
struct wait {
    struct profile *p;
    uint32_t uop;
    struct profile_inst *inst;
    struct profile_part *part; /* may be NULL */
    const struct profile_tile *tile;
};

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Where the edge would lie among those that were blamed of late. */
static inline struct profile_blamed *profile_late(struct profile *p, uint32_t uop,
                                                  enum profile_reason reason,
                                                  uint32_t producer)
{
    return &p->late[(uop * 8 + producer * 32 + reason) % PROFILE_LATE];
}

/* One that was not blamed of late. */
__attribute__((noinline)) static void blame_another(struct profile *p, uint32_t uop,
                                                    enum profile_reason reason,
                                                    uint64_t cycles, uint32_t producer)
{
    struct profile_result *r = &p->now;
    struct profile_inst *inst = &r->inst[uop];
    struct profile_blamed *late = profile_late(p, uop, reason, producer);
    uint32_t i;

    *late = (struct profile_blamed){inst, producer, (uint32_t)reason, r->edges};
    for (i = inst->edge; i != PROFILE_NONE; i = r->edge[i].next)
        if (r->edge[i].producer == producer && r->edge[i].reason == reason) {
            r->edge[i].cycles += cycles;
            late->edge = i;
            return;
        }
    if (!profile_room((void **)&r->edge, r->edges, &p->edge_room, sizeof(*r->edge))) {
        p->out_of_memory = true;
        late->inst = NULL;
        return;
    }
    r->edge[r->edges] =
        (struct profile_edge){producer, inst->edge, (uint32_t)reason, cycles};
    inst->edge = r->edges++;
}

static inline void blame_inst(struct profile *p, struct profile_inst *inst,
                              uint32_t uop, enum profile_reason reason, uint64_t cycles,
                              uint32_t producer)
{
    struct profile_blamed *late = profile_late(p, uop, reason, producer);

    inst->wait[reason] += cycles;
    if (late->inst == inst && late->producer == producer && late->reason == reason)
        p->now.edge[late->edge].cycles += cycles;
    else
        blame_another(p, uop, reason, cycles, producer);
}

void profile_blame(struct profile *p, uint32_t uop, enum profile_reason reason,
                   uint64_t cycles, uint32_t producer)
{
    if (cycles != 0)
        blame_inst(p, &p->now.inst[uop], uop, reason, cycles, producer);
}

/* The same of whoever waits. */
static inline void blame(const struct wait *w, enum profile_reason reason,
                         uint64_t cycles, uint32_t producer)
{
    if (cycles == 0)
        return;
    blame_inst(w->p, w->inst, w->uop, reason, cycles, producer);
    if (w->part != NULL)
        w->part->wait[reason] += cycles;
}

/* ---- messages ---- */

static uint64_t zeros(const struct wait *w, uint64_t from, uint64_t to)
{
    return from < to ? profile_zero_in(w->tile, from, to) : 0;
}

static enum profile_reason reason_of(uint8_t level)
{
    static const uint8_t reasons[MEM_LEVELS] = {
        [MEM_AT_L3] = PROFILE_MSG_L3,         [MEM_AT_LLC] = PROFILE_MSG_LLC,
        [MEM_AT_EDRAM] = PROFILE_MSG_EDRAM,   [MEM_AT_DRAM] = PROFILE_MSG_DRAM,
        [MEM_AT_SLM] = PROFILE_MSG_SLM,       [MEM_AT_SAMPLER] = PROFILE_MSG_SAMPLER,
        [MEM_AT_TARGET] = PROFILE_MSG_TARGET, [MEM_AT_PAYLOAD] = PROFILE_MSG_FIXED,
        [MEM_AT_GATEWAY] = PROFILE_MSG_OTHER, [MEM_AT_PORT] = PROFILE_MSG_OTHER,
    };

    return (enum profile_reason)reasons[level];
}

/* The part of [from, to) that lies in [begin, end). */
static uint64_t interval_part(uint64_t from, uint64_t to, uint64_t begin, uint64_t end)
{
    from = igpu_later(from, begin);
    to = sooner(to, end);
    return from < to ? to - from : 0;
}

/* [from, to), of it before message *m was granted, was waited for it. */
static void for_grant(const struct wait *w, const struct profile_msg *m, uint64_t from,
                      uint64_t to)
{
    uint64_t ready = m->issued + w->p->uops[m->uop].occ;
    uint64_t none = w->p->uops[m->uop].flags & UOP_PORT
                        ? zeros(w, igpu_later(from, ready), sooner(to, m->granted))
                        : 0;

    blame(w, PROFILE_MSG_PAYLOAD, interval_part(from, to, m->issued, ready), m->uop);
    blame(w, PROFILE_MSG_CREDIT, none, m->uop);
    blame(w, PROFILE_MSG_QUEUE, interval_part(from, to, ready, m->granted) - none,
          m->uop);
}

/* [from, to) was waited for message *m, which is there at `to`. */
static void for_message(const struct wait *w, const struct profile_msg *m,
                        uint64_t from, uint64_t to)
{
    uint64_t port = m->granted + w->p->config->dp_in_latency, waits = 0;

    if (from < m->granted)
        for_grant(w, m, from, to);
    if (m->queued != 0 && from < port + m->queued) {
        uint64_t full;

        waits = interval_part(from, to, port, port + m->queued);
        full = sooner(waits, m->full);
        blame(w, PROFILE_MSG_TABLE, full, m->uop);
        blame(w, PROFILE_MSG_PORT, waits - full, m->uop);
    }
    if (from < m->answered)
        blame(w, reason_of(m->level),
              interval_part(from, to, m->granted, m->answered) - waits, m->uop);
    blame(w, PROFILE_MSG_RESPONSE, interval_part(from, to, m->answered, to), m->uop);
}

/* The same for the result of instruction `uop`. */
static void for_operand(const struct wait *w, const struct profile_thread *th,
                        uint32_t uop, uint64_t from, uint64_t to)
{
    const struct profile_msg *m = th->msg + th->msgs;

    /* Mostly one of the last. */
    while (m != th->msg && (m[-1].done != to || m[-1].uop != uop))
        m--;
    if (m-- == th->msg)
        blame(w, PROFILE_OPERAND, to - from, uop);
    else if (m->level == MEM_AT_GATEWAY)
        blame(w, PROFILE_BARRIER, to - from, m->uop);
    else
        for_message(w, m, from, to);
}

/* ---- units ---- */

uint64_t profile_taken_from(struct profile *p, const struct profile_eu *eu,
                            const struct host_listed *e, bool either, uint64_t from)
{
    const struct host_listed *first = profile_list_of(p, eu)->first, *at = e;
    uint64_t cycles = 0, last = e->cycle; /* both may take one in a cycle */

    while (at != first && (--at)->cycle >= from) {
        bool takes =
            either ? at->unit <= EU_FPU1 && at->cycle != last : at->unit == EU_FPU1;

        if (takes)
            last = at->cycle;
        cycles += takes;
    }
    return cycles;
}

uint64_t profile_floor(const struct profile_eu *eu)
{
    uint64_t floor = HOST_NEVER;

    for (unsigned i = 0; i < HOST_SLOTS; i++)
        if (eu->thread[i].open && eu->thread[i].last < floor)
            floor = eu->thread[i].last;
    return floor > UOP_MAX_CYCLES ? floor - UOP_MAX_CYCLES : 0;
}

bool profile_make_room(const struct profile_eu *eu, struct profile_issues *n)
{
    uint32_t size = n->capacity != 0 ? 2 * n->capacity : PROFILE_FIRST_RING;
    struct profile_past *grown;

    n->floor = profile_floor(eu);
    if (n->capacity != 0 && n->past[n->next & (n->capacity - 1)].cycle < n->floor)
        return true;
    grown = malloc(size * sizeof(*grown));
    if (grown == NULL)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        grown[i] = n->past[(n->next + i) & (n->capacity - 1)];
    free(n->past);
    n->past = grown;
    n->capacity = size;
    n->next = n->count;
    return true;
}

/* The unit's issue before `at`, which counts backwards. */
static inline const struct profile_past *past_at(const struct profile_issues *n,
                                                 uint32_t at)
{
    return &n->past[at & (n->capacity - 1)];
}

static uint64_t branch_taken(const struct profile_eu *eu, uint64_t from)
{
    const struct profile_issues *n = &eu->branch;
    uint32_t cycles = 0;

    while (cycles < n->count && past_at(n, n->next - 1 - cycles)->cycle >= from)
        cycles++;
    return cycles;
}

/* Cycles of a wait for a unit, by reason. */
static inline void add_wait(uint64_t *wait, struct profile_part *part,
                            enum profile_reason reason, uint64_t cycles)
{
    wait[reason] += cycles;
    if (part != NULL)
        part->wait[reason] += cycles;
}

/* A gap in which SEND was free, and there mostly is none: the queue was full. Returns
 * the cycles without a credit. */
static inline uint64_t in_queue(const struct profile_tile *tile, uint64_t from,
                                uint64_t to)
{
    return from < to ? profile_zero_in(tile, from, to) : 0;
}

static void for_send(const struct profile_tile *tile, const struct profile_eu *eu,
                     uint64_t *wait, struct profile_part *part, uint64_t from,
                     uint64_t to)
{
    const struct profile_issues *n = &eu->send;
    const struct profile_past *past = NULL;
    uint64_t none = 0, gaps = 0, begun = to, free;
    uint32_t left = n->count, at = n->next - 1;

    for (; left != 0 && (past = past_at(n, at))->cycle >= from; left--, at--) {
        free = sooner(past->cycle + past->occ, begun);
        none += in_queue(tile, free, begun);
        gaps += begun - free;
        begun = past->cycle;
    }
    free = from;
    if (left != 0) /* the one before may still occupy it */
        free = sooner(igpu_later(past->cycle + past->occ, from), begun);
    none += in_queue(tile, free, begun);
    gaps += begun - free;
    left = n->count - left;
    if (left != 0)
        add_wait(wait, part, PROFILE_OTHER, left);
    if (to - from != gaps + left)
        add_wait(wait, part, PROFILE_UNIT, to - from - gaps - left);
    if (gaps == 0)
        return;
    add_wait(wait, part, PROFILE_CREDIT, none);
    add_wait(wait, part, PROFILE_QUEUE, gaps - none);
}

/* ---- */

static inline struct wait wait_of(struct profile *p, struct profile_eu *eu,
                                  const struct host_listed *e)
{
    return (struct wait){p, e->uop, &p->now.inst[e->uop], eu->thread[e->slot].part,
                         &p->tile[eu->tile]};
}

void profile_for_operand(struct profile *p, struct profile_eu *eu,
                         const struct host_listed *e, uint32_t producer, uint64_t from,
                         uint64_t to)
{
    struct wait w = wait_of(p, eu, e);

    for_operand(&w, &eu->thread[e->slot], producer, from, to);
}

__attribute__((noinline)) static void for_others(struct profile *p,
                                                 struct profile_eu *eu,
                                                 const struct host_listed *e,
                                                 uint64_t from)
{
    struct profile_part *part = eu->thread[e->slot].part;
    uint64_t *wait = p->now.inst[e->uop].wait, taken;

    if (e->unit == EU_SEND) {
        for_send(&p->tile[eu->tile], eu, wait, part, from, e->cycle);
        return;
    }
    taken = branch_taken(eu, from);
    add_wait(wait, part, PROFILE_OTHER, taken);
    add_wait(wait, part, PROFILE_UNIT, e->cycle - from - taken);
}

void profile_for_other(struct profile *p, struct profile_eu *eu,
                       const struct host_listed *e, uint64_t from)
{
    const struct profile_issues *n = &eu->send;
    const struct profile_past *past = past_at(n, n->next - 1);
    uint64_t *wait = p->now.inst[e->uop].wait, to = e->cycle, free, none;

    if (e->unit != EU_SEND || p->now.parts != 0 || n->count == 0 ||
        past->cycle >= from) {
        for_others(p, eu, e, from);
        return;
    }
    /* Mostly SEND has taken nothing since: it was busy, and then its queue was full. */
    free = past->cycle + past->occ;
    if (free > from) {
        free = sooner(free, to);
        wait[PROFILE_UNIT] += free - from;
        from = free;
    }
    if (from == to)
        return;
    none = profile_zero_in(&p->tile[eu->tile], from, to);
    wait[PROFILE_CREDIT] += none;
    wait[PROFILE_QUEUE] += to - from - none;
}
