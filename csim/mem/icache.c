/* icache.c - see igpu/icache.h. */
#include "igpu/icache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

struct line {
    uint64_t in, out;         /* in the cache in cycles in <= t < out */
    uint64_t fill;            /* the earliest fill on its way, or NEVER */
    uint64_t own[ICACHE_EUS]; /* arrival of the EU's last request for it */
};

/* Runs of up to `len` instructions from one on hit from cycle `from` on. */
struct known {
    uint64_t from;
    uint32_t len;
};

/* A request's answer on its way. */
struct fill {
    uint64_t at;
    uint32_t line;
};

/* Lines of a set, the oldest at `next` once it is full. */
struct set {
    uint32_t next, count;
};

struct icache {
    uint64_t miss;
    uint32_t sets, ways;
    const struct uop *uops;
    uint32_t count, lines; /* of the kernel: instructions, lines */
    struct line *line;
    struct known *known; /* by first instruction; only of kernels that fit */
    struct set *set;
    uint32_t *way;     /* line numbers, `ways` a set */
    struct fill *fill; /* ascending cycles, then lines; at most one a line */
    uint32_t fills;
    icache_missed missed; /* or NULL */
    void *ctx;
    unsigned tile;
};

enum igpu_status icache_create(struct icache **cache, const struct igpu_config *config,
                               struct igpu_err *err)
{
    uint64_t lines = config->icache_kb * 1024 / ICACHE_LINE_BYTES;
    struct icache *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return igpu_no_memory(err, "an instruction cache");
    c->miss = config->icache_miss;
    c->ways = (uint32_t)config->icache_ways;
    c->sets = (uint32_t)(lines / c->ways);
    c->set = calloc(c->sets, sizeof(*c->set));
    c->way = calloc((size_t)c->sets * c->ways, sizeof(*c->way));
    if (c->set == NULL || c->way == NULL) {
        icache_destroy(c);
        return igpu_no_memory(err, "an instruction cache");
    }
    *cache = c;
    return IGPU_OK;
}

void icache_destroy(struct icache *cache)
{
    if (cache == NULL)
        return;
    free(cache->line);
    free(cache->known);
    free(cache->set);
    free(cache->way);
    free(cache->fill);
    free(cache);
}

enum igpu_status icache_load(struct icache *cache, const struct uop *uops,
                             uint32_t count, struct igpu_err *err)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < count; i++)
        if (icache_last_line(&uops[i]) > last)
            last = icache_last_line(&uops[i]);
    free(cache->line);
    free(cache->known);
    free(cache->fill);
    cache->uops = uops;
    cache->count = count;
    cache->lines = last + 1;
    cache->line = malloc(cache->lines * sizeof(*cache->line));
    cache->known = malloc(count * sizeof(*cache->known));
    cache->fill = malloc(cache->lines * sizeof(*cache->fill));
    if (cache->line == NULL || cache->known == NULL || cache->fill == NULL)
        return igpu_no_memory(err, "an instruction cache");
    icache_launch(cache);
    return IGPU_OK;
}

void icache_launch(struct icache *cache)
{
    for (uint32_t i = 0; i < cache->lines; i++)
        cache->line[i] = (struct line){.in = NEVER, .out = 0, .fill = NEVER};
    memset(cache->known, 0, cache->count * sizeof(*cache->known));
    memset(cache->set, 0, cache->sets * sizeof(*cache->set));
    cache->fills = 0;
}

/* ---- lines that come and go ---- */

static bool sooner(const struct fill *a, const struct fill *b)
{
    return a->at < b->at || (a->at == b->at && a->line < b->line);
}

/* The answer for `line` arrives at `at`, or sooner if another is on its way. */
static void expect(struct icache *c, uint32_t line, uint64_t at)
{
    struct fill fill = {at, line};
    uint32_t i = 0;

    if (c->line[line].fill <= at)
        return;
    if (c->line[line].fill != NEVER) {
        while (c->fill[i].line != line)
            i++;
        c->fills--;
        memmove(&c->fill[i], &c->fill[i + 1], (c->fills - i) * sizeof(*c->fill));
    }
    for (i = c->fills; i > 0 && sooner(&fill, &c->fill[i - 1]); i--)
        c->fill[i] = c->fill[i - 1];
    c->fill[i] = fill;
    c->fills++;
    c->line[line].fill = at;
}

/* The oldest of the set goes when there is no way left. */
static void install(struct icache *c, const struct fill *f)
{
    uint32_t at = f->line % c->sets;
    struct set *set = &c->set[at];
    uint32_t *way = &c->way[(size_t)at * c->ways];

    assert(c->line[f->line].out != NEVER); /* it is not there */
    if (set->count == c->ways)
        c->line[way[set->next]].out = f->at;
    else
        set->count++;
    way[set->next] = f->line;
    set->next = (set->next + 1) % c->ways;
    c->line[f->line].in = f->at;
    c->line[f->line].out = NEVER;
}

/* What has arrived by t. */
static void settle(struct icache *c, uint64_t t)
{
    uint32_t n = 0;

    for (; n < c->fills && c->fill[n].at <= t; n++) {
        c->line[c->fill[n].line].fill = NEVER;
        install(c, &c->fill[n]);
    }
    c->fills -= n;
    memmove(&c->fill[0], &c->fill[n], c->fills * sizeof(*c->fill));
}

/* ---- runs ---- */

static bool present(const struct line *line, uint64_t t)
{
    return line->in <= t && t < line->out;
}

/* Lines that a run did not find. */
struct absent {
    uint32_t misses, merged;
};

/* Cycle in which the EU has the line, asked for at t at the latest. Where another EU
 * was asked about first, and is ahead, a line may have come after t: then its fill
 * was on its way at t and serves this request too. A line that went and came back is
 * no matter: between both lie more cycles than EUs may be apart. */
static uint64_t arrival(struct icache *c, unsigned eu, uint32_t number, uint64_t t,
                        struct absent *absent)
{
    struct line *line = &c->line[number];

    if (present(line, t))
        return t;
    /* Asked for in the same cycle by another thread: no order tells who was first. */
    if (line->own[eu] > t && line->own[eu] != t + c->miss)
        absent->merged++;
    else
        absent->misses++;
    if (line->own[eu] <= t) {
        line->own[eu] = t + c->miss;
        if (line->in <= t || line->in == NEVER)
            expect(c, number, t + c->miss);
    }
    return line->own[eu];
}

/* Of what is asked for. */
static uint32_t last_line(const struct icache *c, struct uop_run run)
{
    return icache_last_line(&c->uops[run.pc + run.len + run.ahead - 1]);
}

static bool all_present(const struct icache *c, struct uop_run run, uint64_t t)
{
    uint32_t first = icache_first_line(&c->uops[run.pc]);
    uint32_t last = last_line(c, run);

    while (first <= last && present(&c->line[first], t))
        first++;
    return first > last;
}

/* Ask for the lines of the run that are not there. Returns how long its first
 * instruction has to wait so that no other has to. */
static uint64_t ask(struct icache *c, unsigned eu, struct uop_run run, uint64_t t,
                    struct absent *absent)
{
    const struct uop *u = &c->uops[run.pc];
    uint32_t next = icache_first_line(u);
    uint64_t wait = 0;

    for (uint32_t i = 0; i < run.len; i++) {
        /* Instruction i is fetched no sooner than 2 i cycles after the first. */
        uint64_t reach = t + 2 * (uint64_t)i;

        for (; next <= icache_last_line(&u[i]); next++) {
            uint64_t at = arrival(c, eu, next, t, absent);

            if (at > reach && at - reach > wait)
                wait = at - reach;
        }
    }
    for (uint32_t last = last_line(c, run); next <= last; next++)
        (void)arrival(c, eu, next, t, absent); /* nobody waits for it yet */
    return wait;
}

void icache_tell(struct icache *cache, icache_missed missed, void *ctx, unsigned tile)
{
    cache->missed = missed;
    cache->ctx = ctx;
    cache->tile = tile;
}

uint32_t icache_wait(struct icache *cache, struct icache_who who, struct uop_run run,
                     uint64_t t)
{
    struct known *known = &cache->known[run.pc];
    struct absent absent = {0, 0};
    uint64_t wait;

    if (run.len + run.ahead <= known->len && t >= known->from)
        return 0;
    if (cache->miss == 0)
        return 0;
    settle(cache, t);
    if (all_present(cache, run, t)) {
        if (cache->lines <= cache->sets * cache->ways)
            *known = (struct known){t, run.len + run.ahead};
        return 0;
    }
    wait = ask(cache, who.eu, run, t, &absent);
    if (cache->missed != NULL)
        cache->missed(cache->ctx, cache->tile, who, absent.misses, absent.merged);
    return wait < 2 ? 0 : (uint32_t)wait;
}

bool icache_sure(struct icache *cache, struct uop_run run, uint64_t t)
{
    const struct known *known = &cache->known[run.pc];

    if (cache->miss == 0 || (run.len + run.ahead <= known->len && t >= known->from))
        return true;
    return cache->lines <= cache->sets * cache->ways && all_present(cache, run, t);
}
