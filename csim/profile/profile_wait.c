/* profile_wait.c - one wait, cut into reasons (docs/guide/profile.md, section 2). */
#include "csim/profile/profile_int.h"

/* Who waits, and where it is counted. */
struct wait {
    struct profile *p;
    struct profile_inst *inst;
    struct profile_part *part; /* may be NULL */
    const struct profile_tile *tile;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void count(const struct wait *w, enum profile_reason reason, uint64_t cycles)
{
    w->inst->wait[reason] += cycles;
    if (w->part != NULL)
        w->part->wait[reason] += cycles;
}

/* Where the edge would lie among those that were blamed of late. */
static struct profile_blamed *profile_late(struct profile *p,
                                           const struct profile_inst *inst,
                                           enum profile_reason reason,
                                           uint32_t producer)
{
    uint32_t at = (uint32_t)(inst - p->now.inst) * 8 + producer * 32 + reason;

    return &p->late[at % PROFILE_LATE];
}

void profile_blame(struct profile *p, struct profile_inst *inst,
                   enum profile_reason reason, uint64_t cycles, uint32_t producer)
{
    struct profile_result *r = &p->now;
    struct profile_blamed *late = profile_late(p, inst, reason, producer);
    uint32_t i;

    if (cycles == 0)
        return;
    inst->wait[reason] += cycles;
    if (late->inst == inst && late->producer == producer && late->reason == reason) {
        r->edge[late->edge].cycles += cycles;
        return;
    }
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

/* The same of whoever waits. */
static void blame(const struct wait *w, enum profile_reason reason, uint64_t cycles,
                  uint32_t producer)
{
    if (cycles == 0)
        return;
    profile_blame(w->p, w->inst, reason, cycles, producer);
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
static uint64_t part(uint64_t from, uint64_t to, uint64_t begin, uint64_t end)
{
    from = later(from, begin);
    to = sooner(to, end);
    return from < to ? to - from : 0;
}

/* [from, to) was waited for message *m, which is there at `to`. */
static void for_message(const struct wait *w, const struct profile_msg *m,
                        uint64_t from, uint64_t to)
{
    uint64_t ready = m->issued + w->p->uops[m->uop].occ;
    uint64_t port = m->granted + w->p->config->dp_in_latency;
    uint64_t none = w->p->uops[m->uop].flags & UOP_PORT
                        ? zeros(w, later(from, ready), sooner(to, m->granted))
                        : 0;
    uint64_t queue = part(from, to, ready, m->granted);
    uint64_t waits = part(from, to, port, port + m->queued);
    uint64_t full = sooner(waits, m->full);

    blame(w, PROFILE_MSG_PAYLOAD, part(from, to, m->issued, ready), m->uop);
    blame(w, PROFILE_MSG_CREDIT, none, m->uop);
    blame(w, PROFILE_MSG_QUEUE, queue - none, m->uop);
    blame(w, PROFILE_MSG_TABLE, full, m->uop);
    blame(w, PROFILE_MSG_PORT, waits - full, m->uop);
    blame(w, reason_of(m->level), part(from, to, m->granted, m->answered) - waits,
          m->uop);
    blame(w, PROFILE_MSG_RESPONSE, part(from, to, m->answered, to), m->uop);
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

/* Walks back through a unit's issues, the latest first. */
struct walk {
    const struct profile_issues *issues;
    uint32_t at, left;
};

static struct walk walk_of(const struct profile_issues *n)
{
    return (struct walk){n, n->next, n->count};
}

static const struct profile_past *walk_back(struct walk *k, uint64_t from)
{
    const struct profile_past *past;

    if (k->left == 0)
        return NULL;
    past = &k->issues->past[k->at != 0 ? k->at - 1 : k->issues->capacity - 1];
    return past->cycle >= from ? past : NULL;
}

static void walk_on(struct walk *k)
{
    k->at = k->at != 0 ? k->at - 1 : k->issues->capacity - 1;
    k->left--;
}

uint64_t profile_taken_from(struct profile *p, const struct profile_eu *eu,
                            const struct host_listed *e, bool either, uint64_t from)
{
    const struct host_listed *first = profile_list_of(p, eu)->first, *at = e;
    uint64_t cycles = 0, last = e->cycle; /* both may take one in a cycle */

    while (at != first && (--at)->cycle >= from) {
        bool takes = either ? at->unit <= EU_FPU1 && at->cycle != last
                            : at->unit == EU_FPU1;

        if (takes)
            last = at->cycle;
        cycles += takes;
    }
    return cycles;
}

static uint64_t branch_taken(const struct profile_eu *eu, uint64_t from)
{
    struct walk k = walk_of(&eu->branch);
    uint64_t cycles = 0;

    for (; walk_back(&k, from) != NULL; walk_on(&k))
        cycles++;
    return cycles;
}

/* A gap in which SEND was free, and there mostly is none: the queue was full. */
static inline void for_queue(const struct wait *w, uint64_t from, uint64_t to)
{
    uint64_t none;

    if (from >= to)
        return;
    none = zeros(w, from, to);
    count(w, PROFILE_CREDIT, none);
    count(w, PROFILE_QUEUE, to - from - none);
}

static void for_send(const struct wait *w, const struct profile_eu *eu, uint64_t from,
                     uint64_t to)
{
    struct walk k = walk_of(&eu->send);
    const struct profile_past *past;

    for (; (past = walk_back(&k, from)) != NULL && from < to; walk_on(&k)) {
        uint64_t free = sooner(past->cycle + past->occ, to);

        for_queue(w, free, to);
        count(w, PROFILE_OTHER, 1);
        count(w, PROFILE_UNIT, free - past->cycle - 1);
        to = past->cycle;
    }
    if (k.left != 0) { /* the one before may still occupy it */
        past = walk_back(&k, 0);
        uint64_t free = sooner(later(past->cycle + past->occ, from), to);

        count(w, PROFILE_UNIT, free - from);
        from = free;
    }
    for_queue(w, from, to);
}

/* ---- */

static struct wait wait_of(struct profile *p, struct profile_eu *eu,
                           const struct host_listed *e)
{
    return (struct wait){p, &p->now.inst[e->uop], eu->thread[e->slot].part,
                         &p->tile[eu->tile]};
}

void profile_for_operand(struct profile *p, struct profile_eu *eu,
                         const struct host_listed *e, uint32_t producer, uint64_t from,
                         uint64_t to)
{
    struct wait w = wait_of(p, eu, e);

    for_operand(&w, &eu->thread[e->slot], producer, from, to);
}

void profile_for_other(struct profile *p, struct profile_eu *eu,
                       const struct host_listed *e, uint64_t from)
{
    struct wait w = wait_of(p, eu, e);
    uint64_t taken;

    if (e->unit == EU_SEND) {
        for_send(&w, eu, from, e->cycle);
        return;
    }
    taken = branch_taken(eu, from);
    count(&w, PROFILE_OTHER, taken);
    count(&w, PROFILE_UNIT, e->cycle - from - taken);
}
