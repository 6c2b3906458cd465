/* naive.c - see naive.h: dispatchers, send arbiter, and the engine's interface. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

#include "naive_part.h"

void naive_put(struct naive_tokens *tokens, struct naive_token token)
{
    if (tokens->count == NAIVE_TOKENS)
        abort();
    tokens->token[tokens->count++] = token;
}

bool naive_take(struct naive_tokens *tokens, uint64_t t, struct naive_token *token)
{
    for (unsigned i = 0; i < tokens->count; i++) {
        if (tokens->token[i].cycle == t) {
            *token = tokens->token[i];
            tokens->token[i] = tokens->token[--tokens->count];
            return true;
        }
    }
    return false;
}

unsigned naive_round_robin(const bool *request, unsigned n, unsigned last)
{
    for (unsigned k = 1; k <= n; k++) {
        if (request[(last + k) % n])
            return (last + k) % n;
    }
    return n;
}

/* ---- global dispatcher ---- */

static void take_ends(struct naive *g, uint64_t t)
{
    struct naive_token end;

    for (unsigned i = 0; i < g->config.gpu_subslices; i++) {
        struct naive_tile *tile = &g->tile[i];

        while (naive_take(&tile->ends, t, &end)) {
            tile->free_slots++;
            g->ended++;
            g->end = t;
            if (end.bslot < 16 && --tile->group_left[end.bslot] == 0) {
                tile->barrier_taken[end.bslot] = false;
                tile->free_slm += g->launch.slm_kb;
            }
        }
    }
}

static uint8_t free_barrier(const struct naive *g, const struct naive_tile *tile)
{
    for (uint8_t b = 0; b < g->config.disp_barriers; b++) {
        if (!tile->barrier_taken[b])
            return b;
    }
    return HOST_NO_BARRIER;
}

/* A tile's claim to the next thread that is not a later one of its group: 0, it does
 * not fit; of several the greatest wins, and no two are equal. */
static unsigned claim(const struct naive *g, unsigned i)
{
    unsigned n = (unsigned)g->config.gpu_subslices;
    const struct naive_tile *tile = &g->tile[i];
    unsigned turn = n - (i + n - g->rr) % n; /* n for the tile of rr, 1 for the last */

    if (tile->free_slots < (g->launch.pinned ? g->launch.tpg : 1))
        return 0;
    if (g->launch.pinned &&
        (free_barrier(g, tile) == HOST_NO_BARRIER || tile->free_slm < g->launch.slm_kb))
        return 0;
    switch (g->config.disp_policy) {
    case IGPU_DISPATCH_FILL:
        return n - i;
    case IGPU_DISPATCH_LEAST:
        return (unsigned)tile->free_slots * n + turn;
    default:
        return turn;
    }
}

static bool choose_subslice(struct naive *g)
{
    unsigned n = (unsigned)g->config.gpu_subslices, best = 0;
    struct naive_tile *tile;

    for (unsigned i = 1; i < n; i++)
        if (claim(g, i) > claim(g, best))
            best = i;
    if (claim(g, best) == 0)
        return false;
    tile = &g->tile[best];
    g->group_tile = best;
    g->group_left = g->launch.pinned ? g->launch.tpg : 1;
    g->group_bslot = HOST_NO_BARRIER;
    if (g->launch.pinned) {
        g->group_bslot = free_barrier(g, tile);
        tile->barrier_taken[g->group_bslot] = true;
        tile->group_left[g->group_bslot] = g->launch.tpg;
        tile->free_slm -= g->launch.slm_kb;
    }
    tile->free_slots -= g->group_left;
    g->rr = (best + 1) % n; /* fill does not look at it */
    return true;
}

static void dispatch(struct naive *g, uint64_t t)
{
    if (t < g->may_dispatch || g->dispatched == g->launch.threads)
        return;
    if (g->group_left == 0 && !choose_subslice(g))
        return;
    g->group_left--;
    g->may_dispatch = t + g->config.disp_interval;
    naive_put(&g->tile[g->group_tile].starts,
              (struct naive_token){.cycle = t + g->config.disp_start_latency,
                                   .value = g->dispatched++,
                                   .bslot = g->group_bslot});
}

/* ---- local dispatcher ---- */

static void start(struct naive *g, unsigned i, const struct naive_token *token)
{
    struct naive_tile *tile = &g->tile[i];
    unsigned eus = (unsigned)g->config.eu_count, slots = (unsigned)g->config.eu_threads;

    for (unsigned k = 0; k < eus; k++) {
        unsigned eu = (tile->next_eu + k) % eus;

        for (unsigned m = 0; m < slots; m++) {
            unsigned slot = (tile->next_slot[eu] + m) % slots;
            struct naive_thread *th = &tile->eu[eu].thread[slot];

            if (th->open)
                continue;
            th->open = true;
            th->opened = ++tile->eu[eu].opens;
            th->bslot = token->bslot;
            th->want_from = token->cycle + 2;
            tile->next_eu = (eu + 1) % eus;
            tile->next_slot[eu] = (slot + 1) % slots;
            naive_set_run(g, i, eu, slot,
                          g->calls.open(g->calls.ctx, i, eu, slot, token->value,
                                        token->bslot, token->cycle),
                          token->cycle + 1);
            return;
        }
    }
    abort();
}

/* ---- send arbiter ---- */

/* Which EU's oldest message is granted at t; HOST_EUS: none. */
static unsigned arbiter(const struct naive *g, const struct naive_tile *tile,
                        uint64_t t)
{
    bool request[HOST_EUS] = {false};

    for (unsigned i = 0; i < g->config.eu_count; i++) {
        const struct naive_message *m = &tile->eu[i].queue[0];

        request[i] = tile->eu[i].queued > 0 && t >= m->from &&
                     (!(g->uops[m->uop].flags & UOP_PORT) || tile->credits > 0);
    }
    return naive_round_robin(request, HOST_EUS, tile->winner);
}

static void grant(struct naive *g, unsigned i, unsigned eu, uint64_t t)
{
    struct naive_tile *tile = &g->tile[i];
    struct naive_eu *e = &tile->eu[eu];
    struct host_msg msg = {t, e->queue[0].uop, (uint8_t)i, (uint8_t)eu,
                           e->queue[0].slot};

    tile->winner = eu;
    if (g->uops[msg.uop].flags & UOP_PORT)
        tile->credits--;
    e->queued--;
    memmove(&e->queue[0], &e->queue[1], e->queued * sizeof(e->queue[0]));
    g->calls.msg(g->calls.ctx, &msg);
}

/* ---- a cycle ---- */

static void tick_tile(struct naive *g, unsigned i, uint64_t t)
{
    struct naive_tile *tile = &g->tile[i];
    struct naive_token token;
    unsigned granted = arbiter(g, tile, t);
    unsigned credits = 0;

    while (naive_take(&tile->dones, t, &token)) {
        credits += token.credit;
        if (token.wb)
            naive_eu_respond(g, i, &token);
    }
    while (naive_take(&tile->starts, t, &token))
        start(g, i, &token);
    for (unsigned eu = 0; eu < g->config.eu_count; eu++)
        naive_eu_tick(g, i, eu, t);
    /* The EUs have seen the queues as they were: what is granted leaves now. */
    if (granted < HOST_EUS)
        grant(g, i, granted, t);
    tile->credits += credits;
}

static void run(void *engine, uint64_t until)
{
    struct naive *g = engine;

    for (; g->now < until; g->now++) {
        take_ends(g, g->now);
        dispatch(g, g->now);
        for (unsigned i = 0; i < g->config.gpu_subslices; i++)
            tick_tile(g, i, g->now);
    }
}

/* ---- the rest of struct host_engine_ops ---- */

static enum igpu_status create(void **engine, const struct igpu_config *config,
                               const struct host_calls *calls, struct igpu_err *err)
{
    struct naive *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return igpu_no_memory(err, "the naive model");
    g->config = *config;
    g->calls = *calls;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        if (icache_create(&g->icache[i], config, err) != IGPU_OK)
            abort();
    *engine = g;
    return IGPU_OK;
}

static void destroy(void *engine)
{
    struct naive *g = engine;

    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        icache_destroy(g->icache[i]);
    free(g);
}

static enum igpu_status load(void *engine, const struct uop *uops, uint32_t count,
                             struct igpu_err *err)
{
    struct naive *g = engine;

    g->uops = uops; /* of the case, which outlives the engine */
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        if (icache_load(g->icache[i], uops, count, err) != IGPU_OK)
            return IGPU_SIM_ERROR;
    return IGPU_OK;
}

static void launch(void *engine, const struct host_launch *l)
{
    struct naive *g = engine;

    memset(g->tile, 0, sizeof(g->tile));
    g->launch = *l;
    g->now = g->may_dispatch = l->cycle;
    g->end = 0;
    g->dispatched = g->ended = g->group_left = 0;
    g->rr = 0;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++) {
        struct naive_tile *tile = &g->tile[i];

        icache_launch(g->icache[i]);
        tile->free_slots = g->config.eu_count * g->config.eu_threads;
        tile->free_slm = g->config.disp_slm_kb;
        tile->credits = g->config.dp_queue;
        tile->winner = HOST_EUS - 1;
        for (unsigned e = 0; e < HOST_EUS; e++) {
            for (unsigned k = 0; k < 5; k++)
                tile->eu[e].winner[k] = HOST_SLOTS - 1;
        }
    }
}

static void done(void *engine, const struct host_done *d)
{
    struct naive *g = engine;

    naive_put(&g->tile[d->tile].dones, (struct naive_token){.cycle = d->cycle,
                                                            .value = d->uop,
                                                            .eu = d->eu,
                                                            .slot = d->slot,
                                                            .credit = d->credit,
                                                            .wb = d->wb});
}

static uint64_t next_event(void *engine)
{
    return ((struct naive *)engine)->now;
}

static void skip(void *engine, uint64_t cycle)
{
    ((struct naive *)engine)->now = cycle;
}

static bool launch_over(void *engine, uint64_t *end)
{
    const struct naive *g = engine;

    *end = g->end;
    return g->ended == g->launch.threads;
}

const struct host_engine_ops host_engine_naive = {.name = "naive",
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .load = load,
                                                  .launch = launch,
                                                  .done = done,
                                                  .run = run,
                                                  .next_event = next_event,
                                                  .skip = skip,
                                                  .launch_over = launch_over};
