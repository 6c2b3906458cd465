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

/* The same, where instruction `producer` is to blame. */
static void blame(const struct wait *w, enum profile_reason reason, uint64_t cycles,
                  uint32_t producer)
{
    struct profile *p = w->p;
    struct profile_result *r = &p->now;
    uint32_t i;

    if (cycles == 0)
        return;
    count(w, reason, cycles);
    for (i = w->inst->edge; i != PROFILE_NONE; i = r->edge[i].next)
        if (r->edge[i].producer == producer && r->edge[i].reason == reason) {
            r->edge[i].cycles += cycles;
            return;
        }
    if (!profile_room((void **)&r->edge, r->edges, &p->edge_room, sizeof(*r->edge))) {
        p->out_of_memory = true;
        return;
    }
    r->edge[r->edges] =
        (struct profile_edge){producer, w->inst->edge, (uint32_t)reason, cycles};
    w->inst->edge = r->edges++;
}

/* ---- credits ---- */

uint64_t profile_zero_before(const struct profile_tile *tile, uint64_t cycle)
{
    uint32_t low = 0, high = tile->zeros;
    uint64_t sum = 0;

    if (tile->zero_from < cycle)
        sum = cycle - tile->zero_from;
    while (low < high) { /* the first interval that begins at `cycle` or later */
        uint32_t middle = (low + high) / 2;

        if (tile->zero[middle].from < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) /* those before it may have been dropped */
        return sum + (tile->zeros > 0 ? tile->zero[0].before : 0);
    return sum + tile->zero[low - 1].before +
           (sooner(cycle, tile->zero[low - 1].to) - tile->zero[low - 1].from);
}

static uint64_t zeros(const struct wait *w, uint64_t from, uint64_t to)
{
    return from < to
               ? profile_zero_before(w->tile, to) - profile_zero_before(w->tile, from)
               : 0;
}

/* ---- messages ---- */

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
static void for_message(const struct wait *w, const struct profile_write *m,
                        uint64_t from, uint64_t to)
{
    uint64_t ready = m->issued + w->p->uops[m->uop].occ;
    uint64_t port = m->granted + w->p->config->dp_in_latency;
    uint64_t none = zeros(w, later(from, ready), sooner(to, m->granted));
    uint64_t queue = part(from, to, ready, m->granted);
    uint64_t waits = part(from, to, port, port + m->queued);
    uint64_t full = sooner(waits, m->full);

    if (!(w->p->uops[m->uop].flags & UOP_PORT))
        none = 0;
    blame(w, PROFILE_MSG_PAYLOAD, part(from, to, m->issued, ready), m->uop);
    blame(w, PROFILE_MSG_CREDIT, none, m->uop);
    blame(w, PROFILE_MSG_QUEUE, queue - none, m->uop);
    blame(w, PROFILE_MSG_TABLE, full, m->uop);
    blame(w, PROFILE_MSG_PORT, waits - full, m->uop);
    blame(w, reason_of(m->level), part(from, to, m->granted, m->answered) - waits,
          m->uop);
    blame(w, PROFILE_MSG_RESPONSE, part(from, to, m->answered, to), m->uop);
}

static void for_operand(const struct wait *w, const struct profile_write *m,
                        uint64_t from, uint64_t to)
{
    if (!m->message)
        blame(w, PROFILE_OPERAND, to - from, m->uop);
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

/* Cycles from `from` to `to` in which one of the EU's FPUs took an instruction. */
static uint64_t fpu_walked(const struct profile_eu *eu, unsigned first, uint64_t from,
                           uint64_t to)
{
    struct walk a = walk_of(&eu->unit[EU_FPU1]), b = walk_of(&eu->unit[first]);
    uint64_t cycles = 0, last = to;
    const struct profile_past *x, *y;

    for (;;) {
        x = walk_back(&a, from);
        y = first == EU_FPU1 ? NULL : walk_back(&b, from);
        if (x == NULL && y == NULL)
            return cycles;
        if (x != NULL && (y == NULL || x->cycle >= y->cycle)) {
            cycles += x->cycle < last;
            last = sooner(last, x->cycle);
            walk_on(&a);
        } else {
            cycles += y->cycle < last;
            last = sooner(last, y->cycle);
            walk_on(&b);
        }
    }
}

/* The same; most waits are short. `to` is the EU's cycle. */
static inline uint64_t fpu_taken(const struct profile_eu *eu, unsigned first,
                                 uint64_t from, uint64_t to)
{
    uint64_t ago = to - eu->past_at, length = to - from;

    if (length > 63 || ago > 63)
        return ago >= length ? 0 : fpu_walked(eu, first, from, to);
    /* Bit 0: cycle `to`, which is no part of the wait. */
    return (uint64_t)__builtin_popcountll(eu->past[first == EU_FPU1] << ago &
                                          ((UINT64_C(2) << length) - 2));
}

static uint64_t branch_taken(const struct profile_eu *eu, uint64_t from)
{
    struct walk k = walk_of(&eu->unit[EU_BRANCH]);
    uint64_t cycles = 0;

    for (; walk_back(&k, from) != NULL; walk_on(&k))
        cycles++;
    return cycles;
}

/* A gap in which SEND was free: the queue was full. */
static void for_queue(const struct wait *w, uint64_t from, uint64_t to)
{
    uint64_t none = zeros(w, from, to);

    if (from >= to)
        return;
    count(w, PROFILE_CREDIT, none);
    count(w, PROFILE_QUEUE, to - from - none);
}

static void for_send(const struct wait *w, const struct profile_eu *eu, uint64_t from,
                     uint64_t to)
{
    struct walk k = walk_of(&eu->unit[EU_SEND]);
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

static void for_unit(const struct wait *w, const struct profile_eu *eu, uint8_t unit,
                     uint64_t from, uint64_t to)
{
    uint64_t taken;

    if (unit == UOP_SEND) {
        for_send(w, eu, from, to);
        return;
    }
    taken = unit == UOP_BRANCH
                ? branch_taken(eu, from)
                : fpu_taken(eu, unit == UOP_FPU1 ? EU_FPU1 : EU_FPU0, from, to);
    count(w, PROFILE_OTHER, taken);
    count(w, PROFILE_UNIT, to - from - taken);
}

/* ---- */

static bool meets(const struct ref_uop *u, const struct profile_write *w)
{
    return ((u->need[0] & w->set[0]) | (u->need[1] & w->set[1]) |
            (u->need_x & w->set_x)) != 0;
}

void profile_wait(struct profile *p, struct profile_eu *eu,
                  const struct profile_event *e)
{
    struct profile_thread *th = &eu->thread[e->slot];
    const struct ref_uop *u = &p->uops[e->uop];
    struct wait w = {p, &p->now.inst[e->uop], th->part, &p->tile[eu->tile]};
    uint64_t from = th->fetched + 1, there = from;
    const struct profile_write *last = NULL;

    for (uint32_t i = 0; i < th->writes;) {
        struct profile_write *x = &th->write[i];

        if (x->done <= from) { /* nobody needs it any more */
            *x = th->write[--th->writes];
            continue;
        }
        if (x->done > there && meets(u, x)) {
            last = x;
            there = x->done;
        }
        i++;
    }
    if (there > e->cycle) {
        profile_lose(p, eu, e, "an operand is not there");
        return;
    }
    if (last != NULL)
        for_operand(&w, last, from, there);
    if (there < e->cycle)
        for_unit(&w, eu, u->unit, there, e->cycle);
}
