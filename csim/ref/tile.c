/* tile.c - see tile.h. */
#include "tile.h"

#include <assert.h>
#include <string.h>

enum { RR_START = 7 };

void ref_tile_init(struct ref_tile *tile, unsigned id, const struct igpu_config *config)
{
    tile->id = (uint8_t)id;
    tile->eus = (uint8_t)config->eu_count;
    tile->slots = (uint8_t)((1u << config->eu_threads) - 1);
    tile->credits = (uint32_t)config->dp_queue;
    for (unsigned i = 0; i < HOST_EUS; i++) {
        tile->eu[i].tile = (uint8_t)id;
        tile->eu[i].id = (uint8_t)i;
    }
}

void ref_tile_launch(struct ref_tile *tile, const struct ref_env *env, uint64_t cycle)
{
    assert(tile->start_count == 0);
    assert(tile->credits + tile->back_count == env->config.dp_queue);
    tile->now = tile->granted = cycle;
    tile->credits = (uint32_t)env->config.dp_queue;
    tile->back_count = 0;
    tile->eu_at = 0;
    memset(tile->slot_at, 0, sizeof(tile->slot_at));
    tile->last = RR_START;
    for (unsigned i = 0; i < tile->eus; i++)
        ref_eu_launch(&tile->eu[i], env, cycle);
}

void ref_tile_start(struct ref_tile *tile, const struct ref_start *start)
{
    assert(tile->start_count < REF_RING && start->cycle >= tile->now);
    tile->start[(tile->start_first + tile->start_count++) % REF_RING] = *start;
}

void ref_tile_done(struct ref_tile *tile, const struct ref_env *env,
                   const struct host_done *done)
{
    assert(done->cycle >= tile->now && done->eu < tile->eus && done->uop < env->count);
    if (done->credit) {
        assert(tile->back_count < REF_RING);
        tile->back[(tile->back_first + tile->back_count++) % REF_RING] = done->cycle;
    }
    if (done->wb)
        ref_eu_respond(&tile->eu[done->eu], env, done->slot, done->uop, done->cycle);
}

/* ---- local dispatcher ---- */

/* The first EU with a free slot, and its first free slot, from the pointers on. */
static void open_thread(struct ref_tile *tile, const struct ref_env *env,
                        const struct ref_start *start)
{
    unsigned eu = tile->eu_at, slot, free, tries = 0;
    struct uop_run run;

    while ((free = tile->slots & ~(unsigned)tile->eu[eu].open) == 0) {
        eu = eu + 1 == tile->eus ? 0 : eu + 1;
        tries++;
        assert(tries < tile->eus); /* the global dispatcher counts */
    }
    (void)tries;
    slot = ref_pick(free, tile->slot_at[eu] ? tile->slot_at[eu] - 1u : RR_START);
    tile->eu_at = (uint8_t)(eu + 1 == tile->eus ? 0 : eu + 1);
    tile->slot_at[eu] = (uint8_t)(slot + 1 == env->config.eu_threads ? 0 : slot + 1);
    run = env->calls.open(env->calls.ctx, tile->id, eu, slot, start->thread,
                          start->bslot, start->cycle);
    ref_eu_open(&tile->eu[eu], env, slot, run, start->bslot);
}

/* ---- send arbiter ---- */

static void take_credits_back(struct ref_tile *tile, uint64_t t)
{
    /* A DONE's credit can be used from the cycle after it on. */
    while (tile->back_count > 0 && tile->back[tile->back_first] < t) {
        tile->back_first = (tile->back_first + 1) % REF_RING;
        tile->back_count--;
        tile->credits++;
    }
}

static struct ref_arb_view view(const struct ref_tile *tile)
{
    struct ref_arb_view v = {.now = tile->granted, .credited = 0};

    if (tile->credits == 0)
        v.credited =
            tile->back_count > 0 ? tile->back[tile->back_first] + 1 : HOST_NEVER;
    return v;
}

/* The first cycle in which the EU's oldest message can be granted. */
static uint64_t grant_from(const struct ref_eu *eu, const struct ref_arb_view *v)
{
    const struct ref_queued *q = &eu->queue[eu->oldest];

    return q->port && v->credited > q->from ? v->credited : q->from;
}

static void grant(struct ref_tile *tile, const struct ref_env *env, unsigned id,
                  uint64_t t)
{
    struct ref_eu *eu = &tile->eu[id];
    const struct ref_queued *q = &eu->queue[eu->oldest];
    struct host_msg msg = {.cycle = t,
                           .uop = q->uop,
                           .tile = tile->id,
                           .eu = (uint8_t)id,
                           .slot = q->slot};

    if (q->port)
        tile->credits--;
    eu->oldest = (uint8_t)((eu->oldest + 1) % REF_QUEUE);
    if (--eu->queued == 0)
        tile->out.asking &= ~(1u << id);
    tile->last = (uint8_t)id;
    env->calls.msg(env->calls.ctx, &msg);
}

/* Make the grants of all cycles before `until`. */
static void arbitrate(struct ref_tile *tile, const struct ref_env *env, uint64_t until)
{
    if (tile->out.asking == 0)
        tile->granted = until;
    while (tile->granted < until) {
        uint64_t t = tile->granted, next = HOST_NEVER;
        unsigned requests = 0;
        struct ref_arb_view v;

        take_credits_back(tile, t);
        v = view(tile);
        for (unsigned asking = tile->out.asking; asking; asking &= asking - 1) {
            unsigned i = (unsigned)__builtin_ctz(asking);
            uint64_t from = grant_from(&tile->eu[i], &v);

            if (from <= t)
                requests |= 1u << i;
            else if (from < next)
                next = from;
        }
        if (requests) {
            grant(tile, env, ref_pick(requests, tile->last), t);
            tile->granted = t + 1;
        } else {
            tile->granted = next < until ? next : until;
        }
    }
    take_credits_back(tile, until);
}

/* ---- time ---- */

/* Run the EUs to `limit`; no START takes effect on the way. */
static void run_eus(struct ref_tile *tile, const struct ref_env *env, uint64_t limit,
                    bool reverse)
{
    uint64_t reached = tile->now;

    while (reached < limit) {
        struct ref_arb_view v = view(tile);

        reached = limit;
        for (unsigned k = 0; k < tile->eus; k++) {
            struct ref_eu *eu = &tile->eu[reverse ? tile->eus - 1u - k : k];

            ref_eu_run(eu, env, &v, &tile->out, limit);
            if (eu->now < reached)
                reached = eu->now;
        }
        /* What an EU issues from `reached` on cannot be granted at `reached`. */
        arbitrate(tile, env, reached);
    }
    tile->now = limit;
}

/* Ends from index `first` on: sort by cycle, then EU, and report. */
static void report_ends(struct ref_tile *tile, const struct ref_env *env,
                        unsigned first)
{
    struct host_end *end = tile->out.end;

    for (unsigned i = first + 1; i < tile->out.ends; i++) {
        struct host_end e = end[i];
        unsigned k = i;

        for (; k > first && (end[k - 1].cycle > e.cycle ||
                             (end[k - 1].cycle == e.cycle && end[k - 1].eu > e.eu));
             k--)
            end[k] = end[k - 1];
        end[k] = e;
    }
    for (unsigned i = first; i < tile->out.ends; i++)
        env->calls.end(env->calls.ctx, tile->id, &end[i]);
}

void ref_tile_run(struct ref_tile *tile, const struct ref_env *env, uint64_t until,
                  bool reverse)
{
    tile->out.ends = 0;
    while (tile->now < until) {
        const struct ref_start *start = &tile->start[tile->start_first];
        bool starts = tile->start_count > 0 && start->cycle < until;
        unsigned ended = tile->out.ends;

        run_eus(tile, env, starts ? start->cycle : until, reverse);
        report_ends(tile, env, ended);
        if (starts) {
            open_thread(tile, env, start);
            tile->start_first = (tile->start_first + 1) % REF_RING;
            tile->start_count--;
        }
    }
}

uint64_t ref_tile_next(const struct ref_tile *tile)
{
    struct ref_arb_view v = view(tile);
    uint64_t next =
        tile->start_count > 0 ? tile->start[tile->start_first].cycle : HOST_NEVER;

    for (unsigned i = 0; i < tile->eus; i++) {
        uint64_t at = ref_eu_next(&tile->eu[i], &v);
        uint64_t from = HOST_NEVER;

        if (tile->out.asking >> i & 1)
            from = grant_from(&tile->eu[i], &v);
        if (at < next)
            next = at;
        if (from < next)
            next = from;
    }
    return next > tile->now ? next : tile->now;
}

void ref_tile_skip(struct ref_tile *tile, uint64_t cycle)
{
    tile->now = tile->granted = cycle;
    take_credits_back(tile, cycle);
    for (unsigned i = 0; i < tile->eus; i++)
        tile->eu[i].now = cycle;
}
