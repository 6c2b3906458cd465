/* responder.c - see responder.h. */
#include "responder.h"

#include <string.h>

#include "tests/support/rng.h"

void resp_init(struct responder *r, const struct rt_case *c)
{
    memset(r, 0, sizeof(*r));
    r->memory = c->memory;
    r->seed = c->seed;
}

/* When the answer to message number `order`, complete at `cycle`, wants to come. */
static uint64_t wish(const struct responder *r, uint64_t cycle, uint64_t order)
{
    struct rng rng = {.state = rng_mix(r->seed) + order};
    uint64_t at = cycle + r->memory.min_latency + rng_in(&rng, 0, r->memory.spread);

    if (r->memory.stall > 0 && rng_once_in(&rng, 64))
        at += r->memory.stall;
    if (r->memory.burst > 0)
        at = (at + r->memory.burst - 1) / r->memory.burst * r->memory.burst;
    return at;
}

static bool answer(struct responder *r, const struct host_msg *msg, uint64_t cycle,
                   bool credit, bool wb)
{
    struct resp_tile *t = &r->tile[msg->tile];
    struct resp_answer *a = &t->answer[t->waiting];

    if (t->waiting == RESP_WAITING)
        return false;
    t->waiting++;
    a->order = r->order++;
    a->wish = wish(r, cycle, a->order);
    a->done = (struct host_done){.uop = msg->uop,
                                 .tile = msg->tile,
                                 .eu = msg->eu,
                                 .slot = msg->slot,
                                 .credit = credit,
                                 .wb = wb};
    return true;
}

/* Every thread of the group that has not ended has arrived: notify them. */
static bool check_barrier(struct responder *r, struct resp_group *g)
{
    bool room = true;

    if (g->arrived == 0 || g->arrived < g->live)
        return true;
    for (uint32_t i = 0; i < g->arrived; i++)
        room = answer(r, &g->arrival[i], g->latest, false, true) && room;
    g->arrived = 0;
    return room;
}

bool resp_message(struct responder *r, const struct host_msg *msg,
                  const struct uop *uop, uint8_t bslot)
{
    struct resp_group *g;

    if (!(uop->flags & UOP_GATE))
        return answer(r, msg, msg->cycle, (uop->flags & UOP_PORT) != 0,
                      (uop->flags & UOP_WB) != 0);
    if (bslot >= RESP_BARRIERS)
        return false;
    g = &r->tile[msg->tile].group[bslot];
    if (g->arrived >= g->live)
        return false;
    g->arrival[g->arrived++] = *msg;
    g->latest = msg->cycle;
    return check_barrier(r, g);
}

void resp_group_begin(struct responder *r, unsigned tile, uint8_t bslot,
                      uint32_t threads)
{
    struct resp_group *g = &r->tile[tile].group[bslot];

    g->live = threads;
    g->arrived = 0;
}

void resp_thread_end(struct responder *r, unsigned tile, uint8_t bslot, uint64_t cycle)
{
    struct resp_group *g = &r->tile[tile].group[bslot];

    g->live--;
    g->latest = cycle;
    (void)check_barrier(r, g);
}

bool resp_take(struct responder *r, unsigned tile, uint64_t before,
               struct host_done *done)
{
    struct resp_tile *t = &r->tile[tile];
    uint32_t best = 0;

    if (t->waiting == 0)
        return false;
    for (uint32_t i = 1; i < t->waiting; i++) {
        const struct resp_answer *a = &t->answer[i], *b = &t->answer[best];

        if (a->wish < b->wish || (a->wish == b->wish && a->order < b->order))
            best = i;
    }
    if (t->next < t->answer[best].wish)
        t->next = t->answer[best].wish;
    if (t->next >= before)
        return false;
    *done = t->answer[best].done;
    done->cycle = t->next++;
    r->last = r->last > done->cycle ? r->last : done->cycle;
    t->answer[best] = t->answer[--t->waiting];
    return true;
}

bool resp_idle(const struct responder *r)
{
    for (unsigned i = 0; i < HOST_MAX_TILES; i++) {
        if (r->tile[i].waiting > 0)
            return false;
    }
    return true;
}
