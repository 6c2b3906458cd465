/* profile_eu.c - an EU's fetch, scoreboard and units, followed from what it issued. */
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"
#include "igpu/uop_cycles.h"

enum { RR_START = 7 };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void profile_lose(struct profile *p, const struct profile_eu *eu,
                  const struct profile_event *e, const char *why)
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
    th->from = t + icache_wait(p->tile[eu->tile].icache, eu->id, run, t);
}

static void fetch(struct profile *p, struct profile_eu *eu, unsigned slot, uint64_t t)
{
    struct profile_thread *th = &eu->thread[slot];

    eu->wanting &= (uint8_t) ~(1u << slot);
    eu->fetch_last = (uint8_t)slot;
    eu->fetch_now = t + 1;
    th->fetched = t;
    th->head = th->run.pc++;
    if (--th->run.len != 0 || p->uops[th->head].flags & UOP_EOT)
        return;
    if (th->runs.count == 0) {
        struct profile_event e = {.cycle = t, .uop = th->head, .slot = (uint8_t)slot};

        profile_lose(p, eu, &e, "its next run was not asked for");
        return;
    }
    set_run(p, eu, th, th->runs.run[th->runs.head], t + 1);
    th->runs.head = (th->runs.head + 1) % th->runs.capacity;
    th->runs.count--;
}

static void fetch_next(struct profile *p, struct profile_eu *eu, uint64_t t)
{
    unsigned mask = 0;
    uint64_t first = HOST_NEVER;

    for (unsigned left = eu->wanting; left; left &= left - 1)
        if (eu->thread[__builtin_ctz(left)].want <= t)
            mask |= left & -left;
    fetch(p, eu, pick(mask, eu->fetch_last), t);
    for (unsigned left = eu->wanting; left; left &= left - 1) {
        uint64_t want = eu->thread[__builtin_ctz(left)].want;

        first = want < first ? want : first;
    }
    eu->first_want = first;
}

/* All fetches before `until`. */
static inline void fetch_until(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    while (eu->first_want < until) {
        uint64_t t = later(eu->first_want, eu->fetch_now);

        if (t >= until)
            return;
        fetch_next(p, eu, t);
    }
}

static inline void want_fetch(struct profile_eu *eu, struct profile_thread *th,
                              unsigned slot, uint64_t held)
{
    th->fetched = HOST_NEVER;
    th->held = held;
    th->want = later(held, th->from);
    eu->wanting |= (uint8_t)(1u << slot);
    if (th->want < eu->first_want)
        eu->first_want = th->want;
}

/* ---- scoreboard ---- */

static void forget(struct profile_thread *th, uint64_t before)
{
    struct profile_write *end = th->write + th->writes;

    for (struct profile_write *w = th->write; w != end;)
        if (w->done <= before)
            *w = *--end;
        else
            w++;
    th->writes = (uint32_t)(end - th->write);
    th->prune_at = th->writes + PROFILE_KEPT;
    if (th->prune_at > PROFILE_BITS)
        th->prune_at = PROFILE_BITS;
}

static void add_write(struct profile_thread *th, const struct ref_uop *u, uint64_t t,
                      uint64_t done)
{
    struct profile_write *w;

    if (th->writes == th->prune_at)
        forget(th, t);
    if (th->writes == PROFILE_BITS) /* no EU's: profile_wait() finds the clash */
        return;
    w = &th->write[th->writes++];
    w->done = done;
    w->set[0] = u->set[0];
    w->set[1] = u->set[1];
    w->set_x = u->set_x;
    w->uop = u->index;
    w->message = done == HOST_NEVER;
    w->issued = t;
}

void profile_eu_answer(struct profile *p, struct profile_eu *eu,
                       const struct mem_done *done, const struct mem_way *way)
{
    const struct ref_uop *u = &p->uops[done->uop];
    struct profile_thread *th = &eu->thread[done->slot];
    uint64_t grfs = u->rlen > 0 ? u->rlen : 1;

    eu->response = later(done->cycle, eu->response) + grfs * p->config->eu_resp_grf;
    for (uint32_t i = 0; u->sets && i < th->writes; i++) {
        struct profile_write *w = &th->write[i];

        if (w->uop != done->uop || w->done != HOST_NEVER)
            continue;
        w->done = eu->response;
        w->answered = done->cycle;
        w->granted = way->sent;
        w->level = way->level;
        w->queued = way->queued;
        w->full = way->full;
    }
}

/* ---- units ---- */

uint64_t profile_floor(const struct profile_eu *eu)
{
    uint64_t floor = HOST_NEVER;

    for (unsigned i = 0; i < HOST_SLOTS; i++)
        if (eu->thread[i].open && eu->thread[i].last < floor)
            floor = eu->thread[i].last;
    return floor > UOP_MAX_CYCLES ? floor - UOP_MAX_CYCLES : 0;
}

/* Drop what no wait needs any more, or make room. */
static bool make_room(const struct profile_eu *eu, struct profile_issues *n)
{
    uint64_t floor = profile_floor(eu);
    uint32_t size = n->capacity != 0 ? n->capacity : PROFILE_FIRST_RING, first,
             kept = 0;
    struct profile_past *grown;

    first = (n->next + n->capacity - n->count) % size;
    while (kept < n->count && n->past[(first + kept) % size].cycle < floor)
        kept++;
    n->count -= kept;
    if (n->count * 2 <= n->capacity && n->capacity != 0)
        return true;
    first = (first + kept) % size;
    size = n->capacity != 0 ? 2 * n->capacity : PROFILE_FIRST_RING;
    grown = malloc(size * sizeof(*grown));
    if (grown == NULL)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        grown[i] = n->past[(first + i) % n->capacity];
    free(n->past);
    n->past = grown;
    n->capacity = size;
    n->next = n->count;
    return true;
}

static inline void add_issue(struct profile_eu *eu, unsigned unit, uint64_t t,
                             uint32_t occ)
{
    struct profile_issues *n = &eu->unit[unit];

    if (n->count == n->capacity && !make_room(eu, n)) {
        eu->out_of_memory = true;
        return;
    }
    n->past[n->next] = (struct profile_past){t, occ};
    n->next = n->next + 1 == n->capacity ? 0 : n->next + 1;
    n->count++;
}

/* ---- events ---- */

/* Where a thread that is opened is counted beside its instructions. */
static struct profile_part *part_of(struct profile *p, const struct profile_eu *eu,
                                    const struct profile_event *open)
{
    uint32_t at = (eu->tile * (uint32_t)HOST_EUS + eu->id) * HOST_SLOTS + open->slot;

    if (p->by == PROFILE_BY_INST)
        return NULL;
    if (p->by == PROFILE_BY_GROUP)
        at = open->uop / p->group_threads;
    return at < p->now.parts ? &p->now.part[at] : NULL;
}

static void open_thread(struct profile *p, struct profile_eu *eu,
                        const struct profile_event *e)
{
    struct profile_thread *th = &eu->thread[e->slot];

    fetch_until(p, eu, e->cycle);
    if (th->open || th->runs.count == 0) {
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
    th->begun = false;
    th->writes = 0;
    th->prune_at = PROFILE_KEPT;
    th->opened = e->cycle;
    th->last = e->cycle - 1;
    set_run(p, eu, th, th->runs.run[th->runs.head], e->cycle + 1);
    th->runs.head = (th->runs.head + 1) % th->runs.capacity;
    th->runs.count--;
    want_fetch(eu, th, e->slot, e->cycle + 2);
}

static inline void note_fpu(struct profile_eu *eu, unsigned unit, uint64_t t)
{
    uint64_t ago = t - eu->past_at;

    eu->past_at = t;
    eu->past[0] = (ago < 64 ? eu->past[0] << ago : 0) | 1;
    eu->past[1] = (ago < 64 ? eu->past[1] << ago : 0) | unit;
}

/* What the issue leaves behind. */
static inline void issued(struct profile *p, struct profile_eu *eu,
                          const struct profile_event *e, const struct ref_uop *u)
{
    struct profile_thread *th = &eu->thread[e->slot];
    uint64_t t = e->cycle, done = HOST_NEVER;

    add_issue(eu, e->unit, t, u->occ);
    if (u->flags & UOP_EOT) {
        th->open = false;
        th->ended = t;
        p->now.thread_cycles += t + 1 - th->opened;
        if (th->part != NULL) {
            th->part->threads++;
            th->part->thread_cycles += t + 1 - th->opened;
            th->part->last = later(th->part->last, t + 1);
        }
        return;
    }
    if (e->unit <= EU_FPU1) {
        done = later(t + u->use_lat, eu->result[e->unit] + u->occ);
        eu->result[e->unit] = done;
        note_fpu(eu, e->unit, t);
    }
    if (u->sets)
        add_write(th, u, t, done);
    th->last = t;
    th->begun = true;
    want_fetch(eu, th, e->slot, t + u->fe - 1);
}

/* What passed before the thread had its instruction. */
static inline void count_front(const struct profile_thread *th, uint64_t *wait)
{
    if (th->begun) {
        wait[PROFILE_FRONT_END] += th->held - th->last;
    } else {
        wait[PROFILE_DISPATCH] += th->held - th->last - 1;
        wait[PROFILE_FRONT_END]++;
    }
    if (th->want != th->held)
        wait[PROFILE_ICACHE] += th->want - th->held;
    if (th->fetched != th->want)
        wait[PROFILE_FETCH] += th->fetched - th->want;
}

static void take_issue(struct profile *p, struct profile_eu *eu,
                       const struct profile_event *e)
{
    struct profile_thread *th = &eu->thread[e->slot];
    struct profile_inst *inst = &p->now.inst[e->uop];

    fetch_until(p, eu, e->cycle);
    if (!th->open || th->fetched >= e->cycle || th->head != e->uop) {
        profile_lose(p, eu, e, "it has not fetched it");
        return;
    }
    inst->issues++;
    count_front(th, inst->wait);
    if (th->part != NULL) {
        th->part->issues++;
        count_front(th, th->part->wait);
    }
    if (e->cycle - th->fetched > 1)
        profile_wait(p, eu, e);
    issued(p, eu, e, &p->uops[e->uop]);
}

static int by_cycle(const void *left, const void *right)
{
    const struct profile_event *a = left, *b = right;

    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void profile_eu_take(struct profile *p, struct profile_eu *eu, uint64_t until)
{
    if (eu->unsorted)
        qsort(eu->event, eu->events, sizeof(*eu->event), by_cycle);
    eu->unsorted = false;
    for (; eu->taken < eu->events && eu->event[eu->taken].cycle < until && !p->lost;
         eu->taken++)
        if (eu->event[eu->taken].unit == EU_UNITS)
            open_thread(p, eu, &eu->event[eu->taken]);
        else
            take_issue(p, eu, &eu->event[eu->taken]);
    fetch_until(p, eu, until);
}

void profile_eu_launch(struct profile_eu *eu, uint64_t cycle)
{
    eu->events = eu->taken = 0;
    eu->unsorted = false;
    eu->wanting = 0;
    eu->fetch_last = RR_START;
    eu->fetch_now = eu->past_at = cycle;
    eu->first_want = HOST_NEVER;
    eu->past[0] = eu->past[1] = 0;
    eu->result[0] = eu->result[1] = eu->response = 0;
    for (unsigned i = 0; i < EU_UNITS; i++)
        eu->unit[i].next = eu->unit[i].count = 0;
    for (unsigned i = 0; i < HOST_SLOTS; i++) {
        struct profile_thread *th = &eu->thread[i];

        th->open = false;
        th->ended = HOST_NEVER;
        th->writes = 0;
        th->runs.head = th->runs.count = 0;
    }
}
