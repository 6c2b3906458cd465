/* disp.c - see disp.h. */
#include "disp.h"

#include <assert.h>
#include <string.h>

void ref_disp_init(struct ref_disp *d, const struct igpu_config *config)
{
    memset(d, 0, sizeof(*d));
    d->config = *config;
    d->over = true;
}

void ref_disp_launch(struct ref_disp *d, const struct host_launch *launch)
{
    assert(d->over && launch->threads > 0 && launch->tpg > 0);
    assert(!launch->pinned || launch->threads % launch->tpg == 0);
    d->launch = *launch;
    d->now = d->try_at = launch->cycle;
    d->blocked = d->over = false;
    d->end = 0;
    d->thread = d->ended = d->group_left = 0;
    d->rr = 0;
    for (unsigned i = 0; i < d->config.gpu_subslices; i++) {
        struct ref_subslice *s = &d->sub[i];

        assert(s->end_count == 0);
        s->slots = (uint32_t)(d->config.eu_count * d->config.eu_threads);
        s->slm_kb = (uint32_t)d->config.disp_slm_kb;
        s->barriers = (1u << d->config.disp_barriers) - 1;
    }
}

void ref_disp_extend(struct ref_disp *d, uint32_t threads)
{
    assert(d->thread < d->launch.threads && threads > d->launch.threads);
    assert(!d->launch.pinned || threads % d->launch.tpg == 0);
    d->launch.threads = threads;
}

void ref_disp_end(struct ref_disp *d, unsigned tile, uint64_t cycle, uint8_t bslot)
{
    struct ref_subslice *s = &d->sub[tile];
    uint32_t i = (s->end_first + s->end_count++) % REF_RING;

    assert(s->end_count <= REF_RING);
    s->end[i].cycle = cycle;
    s->end[i].bslot = bslot;
}

/* Apply what takes effect at or before t. */
static void apply_ends(struct ref_disp *d, uint64_t t)
{
    for (unsigned i = 0; i < d->config.gpu_subslices; i++) {
        struct ref_subslice *s = &d->sub[i];

        for (; s->end_count > 0 && s->end[s->end_first].cycle <= t; s->end_count--) {
            unsigned b = s->end[s->end_first].bslot;

            if (s->end[s->end_first].cycle > d->end)
                d->end = s->end[s->end_first].cycle;
            s->end_first = (s->end_first + 1) % REF_RING;
            s->slots++;
            d->ended++;
            d->blocked = false;
            if (b != HOST_NO_BARRIER && --s->threads[b] == 0) {
                s->barriers |= 1u << b;
                s->slm_kb += d->launch.slm_kb;
            }
        }
    }
    d->over = d->ended == d->launch.threads;
}

static uint64_t next_end(const struct ref_disp *d)
{
    uint64_t next = HOST_NEVER;

    for (unsigned i = 0; i < d->config.gpu_subslices; i++) {
        const struct ref_subslice *s = &d->sub[i];

        if (s->end_count > 0 && s->end[s->end_first].cycle < next)
            next = s->end[s->end_first].cycle;
    }
    return next;
}

static bool group_fits(const struct ref_disp *d, const struct ref_subslice *s)
{
    if (!d->launch.pinned)
        return s->slots > 0;
    return s->slots >= d->launch.tpg && s->barriers != 0 &&
           s->slm_kb >= d->launch.slm_kb;
}

/* The subslice that disp.policy chooses of those with room; -1: none has. */
static int thread_place(struct ref_disp *d)
{
    unsigned n = (unsigned)d->config.gpu_subslices;
    bool least = d->config.disp_policy == IGPU_DISPATCH_LEAST;
    int best = -1;

    for (unsigned k = 0; k < n && (best < 0 || least); k++) {
        unsigned i = (d->rr + k) % n;

        if (group_fits(d, &d->sub[i]) &&
            (best < 0 || d->sub[i].slots > d->sub[best].slots))
            best = (int)i;
    }
    if (best >= 0 && d->config.disp_policy != IGPU_DISPATCH_FILL)
        d->rr = (uint8_t)(((unsigned)best + 1) % n);
    return best;
}

/* Find room for the next thread. False: there is none. */
static bool reserve(struct ref_disp *d)
{
    struct ref_subslice *s;
    int tile;

    if (d->group_left > 0)
        return true;
    tile = thread_place(d);
    if (tile < 0)
        return false;
    s = &d->sub[tile];
    d->group_tile = (uint8_t)tile;
    if (!d->launch.pinned) {
        s->slots--;
        d->group_left = 1;
        d->group_bslot = HOST_NO_BARRIER;
        return true;
    }
    d->group_bslot = (uint8_t)__builtin_ctz(s->barriers);
    d->group_left = d->launch.tpg;
    s->slots -= d->launch.tpg;
    s->slm_kb -= d->launch.slm_kb;
    s->barriers &= s->barriers - 1;
    s->threads[d->group_bslot] = d->launch.tpg;
    return true;
}

bool ref_disp_run(struct ref_disp *d, uint64_t until, struct ref_start *start)
{
    while (ref_disp_next(d) < until) {
        uint64_t t = ref_disp_next(d);

        apply_ends(d, t);
        d->now = t;
        if (d->thread == d->launch.threads || t < d->try_at)
            continue;
        if (!reserve(d)) {
            d->blocked = true;
            continue;
        }
        d->group_left--;
        d->try_at = t + d->config.disp_interval;
        d->now = t + 1;
        *start = (struct ref_start){.cycle = t + d->config.disp_start_latency,
                                    .thread = d->thread++,
                                    .tile = d->group_tile,
                                    .bslot = d->group_bslot};
        return true;
    }
    d->now = until > d->now ? until : d->now;
    return false;
}

uint64_t ref_disp_next(const struct ref_disp *d)
{
    uint64_t next = next_end(d);

    if (d->thread < d->launch.threads && !d->blocked && d->try_at < next)
        next = d->try_at;
    return next > d->now ? next : d->now;
}
