/* tile_eu.c - see tiles.h: when an EU is visited, and what it is given. It runs ahead
 * of its tile's time, up to the next cycle in which an input could reach it. */
#include <string.h>

#include "bridge/engines/rtl/tiles.h"

/* EU i has something to do in cycle `at`, or is looked at on the way there: `next` is
 * the next cycle that the tile may execute. */
static void due(struct tile_live *t, unsigned i, uint64_t at, uint64_t next)
{
    if (at - next >= TILE_AHEAD) {
        if (at == RTL_NEVER)
            return;
        at = next + TILE_AHEAD - 1;
    }
    t->due[at % TILE_AHEAD] |= (uint8_t)(1u << i);
    t->pend |= UINT64_C(1) << at % TILE_AHEAD;
}

/* The cycle of a stamp that lies ahead. */
static uint64_t cycle_of(uint64_t now, uint16_t stamp)
{
    return now + ((stamp - now) & TILE_STAMP);
}

/* The EU is visited in this cycle, too. */
void tile_wake(struct tile_live *t, unsigned i, uint64_t at, uint64_t next)
{
    if (at < t->eu[i].wake) {
        t->eu[i].wake = at;
        due(t, i, at, next);
    }
}

/* The EU's send queue at the end of a cycle: a message joins, or NULL; one leaves. */
struct rtl_queue tile_queue(const struct tiles *e, struct tile_live *t, unsigned i,
                            uint64_t cycle, const struct rtl_push *push, bool grant)
{
    struct tile_eu *eu = &t->eu[i];
    struct rtl_queue q;
    uint8_t bit = (uint8_t)(1u << i);

    e->shim->eu_queue(eu->model, cycle & TILE_STAMP, (cycle + 1) & TILE_STAMP, push,
                      grant, &q);
    t->req = (uint8_t)(q.req ? t->req | bit : t->req & ~bit);
    t->port = (uint8_t)(q.port ? t->port | bit : t->port & ~bit);
    eu->full = q.full;
    return q;
}

/* SEND issued: a message, or the end of a thread. */
static void sent(struct tile_live *t, unsigned i, uint64_t cycle, uint64_t next,
                 const struct rtl_shows *s)
{
    struct tile_eu *eu = &t->eu[i];
    uint8_t slot = s->slots >> 3 * TILE_SEND & 7;
    uint64_t join = cycle_of(cycle, s->from) - 1;

    due(t, i, s->eot ? cycle : join, next);
    if (s->eot) {
        struct tile_ended *ended = &t->ended[cycle % TILE_AHEAD];

        ended->who |= (uint8_t)(1u << i);
        ended->slot |= (uint32_t)slot << 3 * i;
        ended->left[i] = (uint8_t)(eu->counts.eu.active_until - cycle);
    } else {
        eu->push[eu->push_tail++ % TILE_SENDS] =
            (struct tile_push){join, {s->uop[TILE_SEND], s->from, slot, s->port}};
        eu->sends++;
    }
}

/* The next run of a thread, in the cycle after this one. None: it will be redirected.
 */
static struct rtl_run next_run(struct tiles *e, struct tile_live *t, unsigned i,
                               unsigned slot, uint64_t cycle)
{
    struct uop_run run = e->calls.next(e->calls.ctx, t->dpi.number, i, slot);
    uint32_t wait;

    if (run.len == 0) {
        t->eu[i].branching |= (uint8_t)(1u << slot);
        return (struct rtl_run){0, 0, 0};
    }
    wait = icache_wait(t->dpi.icache, icache_of(i, slot), run, cycle + 1);
    t->eu[i].from[slot] = cycle + 1 + wait;
    return (struct rtl_run){run.pc, (uint16_t)run.len, (uint8_t)wait};
}

/* The instruction that decides where a thread goes has issued: the EU is told in the
 * next cycle. One unit issues such instructions. */
static void redirect(struct tiles *e, struct tile_live *t, unsigned i, unsigned slot,
                     uint64_t cycle, struct rtl_shows *s)
{
    struct tile_eu *eu = &t->eu[i];

    eu->branching &= (uint8_t) ~(1u << slot);
    eu->given.redirected = next_run(e, t, i, slot, cycle);
    eu->given.given = true;
    eu->given.runs |= RTL_REDIRECTED;
    eu->given.redirect_slot = (uint8_t)slot;
    s->wake = (cycle + 1) & TILE_STAMP;
}

static void report_issue(struct tiles *e, struct tile_live *t, unsigned i,
                         uint64_t cycle, unsigned unit, unsigned slot,
                         struct rtl_shows *s)
{
    struct host_issue issue = {cycle,      s->uop[unit],  t->dpi.number,
                               (uint8_t)i, (uint8_t)slot, (uint8_t)unit};

    e->calls.issue(e->calls.ctx, &issue);
    if (unit == TILE_BRANCH && t->eu[i].branching >> slot & 1)
        redirect(e, t, i, slot, cycle, s);
}

/* An issue that nobody wants to be told: counted, and in the list if there is one. */
static inline void count_issues(const struct tiles *e, const struct tile_live *t,
                                unsigned i, struct host_counts *counts, uint64_t cycle,
                                const struct rtl_shows *s, bool listed)
{
    const struct tile_eu *eu = &t->eu[i];
    unsigned valid = s->valid;

    do {
        unsigned unit = (unsigned)__builtin_ctz(valid), slot = s->slots >> 3 * unit & 7;

        host_count_issue(counts, slot, unit, cycle, e->occ[s->uop[unit]]);
        if (listed)
            host_list_fetched(&e->calls.list[t->dpi.number * HOST_EUS + i], slot, unit,
                              s->uop[unit], cycle, eu->fetched[slot], eu->there[slot]);
        valid &= valid - 1;
    } while (valid);
}

/* What a visit issues. */
static inline void issued(struct tiles *e, struct tile_live *t, unsigned i,
                          uint64_t cycle, uint64_t next, struct rtl_shows *s,
                          bool listed)
{
    if (listed || e->calls.issue == NULL)
        count_issues(e, t, i, &t->eu[i].counts, cycle, s, listed);
    else
        for (unsigned valid = s->valid; valid; valid &= valid - 1) {
            unsigned unit = (unsigned)__builtin_ctz(valid);

            report_issue(e, t, i, cycle, unit, s->slots >> 3 * unit & 7, s);
        }
    if (s->valid >> TILE_SEND & 1)
        sent(t, i, cycle, next, s);
}

/* A thread that holds an instruction which it did not hold before has fetched it. */
static inline void note_fetch(struct tile_eu *eu, uint64_t cycle)
{
    unsigned now = *eu->holds, came = now & ~(unsigned)eu->held;

    eu->held = (uint8_t)now;
    if (came != 0) {
        unsigned slot = (unsigned)__builtin_ctz(came);

        eu->fetched[slot] = cycle;
        eu->there[slot] = eu->from[slot];
    }
}

/* Returns the EU's next cycle by itself. */
__attribute__((always_inline)) static inline uint64_t visit(struct tiles *e,
                                                            struct tile_live *t,
                                                            unsigned i, uint64_t cycle,
                                                            uint64_t next, bool listed)
{
    struct tile_eu *eu = &t->eu[i];
    bool old = cycle - eu->last >= TILE_OLD;
    struct rtl_shows s;
    unsigned ahead;

    eu->last = cycle;
    if (eu->given.given) {
        e->shim->eu_visit(eu->model, cycle & TILE_STAMP, old, &eu->given, &s);
        memset(&eu->given, 0, sizeof(eu->given));
    } else {
        e->shim->eu_visit(eu->model, cycle & TILE_STAMP, old, NULL, &s);
    }
    if (s.valid)
        issued(e, t, i, cycle, next, &s, listed);
    if (listed)
        note_fetch(eu, cycle);
    if (s.ask) {
        struct rtl_run run = next_run(e, t, i, s.ask_slot, cycle);

        e->shim->eu_answer(eu->model, &run, &s);
        if (eu->given.runs & RTL_REDIRECTED)
            s.wake = (cycle + 1) & TILE_STAMP;
    }
    ahead = (s.wake - (unsigned)cycle) & TILE_STAMP;
    return ahead == TILE_STAMP ? RTL_NEVER : cycle + ahead;
}

/* The response of the cycle before; the EU is visited for the next one, too. */
static void take_done(struct tile_eu *eu)
{
    const struct host_done *d = &eu->done[eu->done_head % TILE_DONES];

    eu->given.given = eu->given.done = true;
    eu->given.done_slot = d->slot;
    eu->given.done_uop = d->uop;
    eu->done_head++;
    eu->done_at = eu->done_head == eu->done_tail
                      ? RTL_NEVER
                      : eu->done[eu->done_head % TILE_DONES].cycle + 1;
}

/* The EU's visits from `cycle` on, up to where a thread could be opened in it, where
 * its queue may be full, or where the window ends. */
__attribute__((always_inline)) static inline void
run_ahead(struct tiles *e, struct tile_live *t, unsigned i, uint64_t cycle, bool listed)
{
    struct tile_eu *eu = &t->eu[i];
    uint64_t until = e->until, at = cycle;

    if (t->start_head != t->start_tail &&
        t->start[t->start_head % TILE_QUEUE].cycle < until)
        until = t->start[t->start_head % TILE_QUEUE].cycle;
    if (t->opened.valid)
        until = cycle;
    if (until > cycle + TILE_AHEAD - 1)
        until = cycle + TILE_AHEAD - 1;
    do {
        if (eu->done_at == at)
            take_done(eu);
        at = visit(e, t, i, at, cycle, listed);
        if (eu->done_at < at)
            at = eu->done_at;
    } while (at < until && eu->sends < TILE_SENDS);
    eu->wake = at;
    due(t, i, at, cycle + 1);
}

/* A cycle has come that an EU named once: for itself, or for its messages. */
__attribute__((always_inline)) static inline void
eu_due(struct tiles *e, struct tile_live *t, unsigned i, uint64_t cycle, bool listed)
{
    struct tile_eu *eu = &t->eu[i];

    if (eu->wake == cycle)
        run_ahead(e, t, i, cycle, listed);
    else if (eu->wake > cycle)
        due(t, i, eu->wake, cycle + 1);
    if (eu->push_head != eu->push_tail) {
        const struct tile_push *p = &eu->push[eu->push_head % TILE_SENDS];

        if (p->cycle == cycle) {
            eu->push_head++;
            tile_queue(e, t, i, cycle, &p->word, false);
        } else {
            due(t, i, p->cycle, cycle + 1);
        }
    }
}

__attribute__((always_inline)) static inline void
eus_due(struct tiles *e, struct tile_live *t, uint64_t cycle, bool listed)
{
    unsigned at = cycle % TILE_AHEAD, who = t->due[at];

    t->due[at] = 0;
    t->pend &= ~(UINT64_C(1) << at);
    for (; who; who &= who - 1)
        eu_due(e, t, (unsigned)__builtin_ctz(who), cycle, listed);
}

/* Twice, so that where nobody lists issues nothing is tested. */
__attribute__((noinline)) static void due_listed(struct tiles *e, struct tile_live *t,
                                                 uint64_t cycle)
{
    eus_due(e, t, cycle, true);
}

void tile_eus_due(struct tiles *e, struct tile_live *t, uint64_t cycle)
{
    if (e->calls.list != NULL)
        due_listed(e, t, cycle);
    else
        eus_due(e, t, cycle, false);
}
