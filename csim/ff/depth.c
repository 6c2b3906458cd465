/* depth.c - see depth.h. */
#include "csim/ff/depth.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

bool depth_init(struct depth *depth, uint32_t slice, const struct igpu_config *config,
                struct dataport *ports, struct mem_stats *stats)
{
    uint32_t slices = (uint32_t)config->gpu_slices;
    uint32_t subslices = (uint32_t)config->gpu_subslices;
    uint32_t ways = (uint32_t)config->ds_cache_ways;
    uint32_t sets = (uint32_t)(config->ds_cache_bytes / LINE) / ways;

    depth->port = ports;
    for (uint32_t i = subslices; i-- > 0;)
        if (i * slices / subslices == slice) {
            depth->first_port = i;
            depth->ports++;
        }
    depth->stats = stats;
    memset(depth->read_free, 0xFF, sizeof(depth->read_free));
    memset(depth->write_free, 0xFF, sizeof(depth->write_free));
    if (sets == 0)
        return true;
    depth->coming = calloc((size_t)sets * ways, sizeof(*depth->coming));
    return depth->coming != NULL && cache_init(&depth->cache, sets, ways);
}

void depth_free(struct depth *depth)
{
    free(depth->coming);
    cache_free(&depth->cache);
}

void depth_add(struct depth *d, const struct depth_item *item)
{
    uint32_t at = d->first + d->count;

    assert(d->cache.sets > 0 && d->count < DEPTH_QUEUE);
    if (item->ready == DEPTH_NO_THREAD) {
        assert(depth_has_room(d));
        d->late++;
    }
    while (at != d->first && d->queue[(at - 1) % DEPTH_QUEUE].came > item->came) {
        d->queue[at % DEPTH_QUEUE] = d->queue[(at - 1) % DEPTH_QUEUE];
        at--;
    }
    d->queue[at % DEPTH_QUEUE] = *item;
    d->count++;
}

/* Lines side by side in a tile are 8 apart, tiles 64. */
static uint32_t set_of(const struct depth *d, uint64_t line)
{
    return (uint32_t)((line + line / 8 + line / 64) % d->cache.sets);
}

/* ---- a line ------------------------------------------------------------- */

/* The subslice over whose bus the line goes: the first from this one on that may have
 * one more under way; LINES_MAX_PORTS: none. */
static uint32_t find_way(const struct depth *d, const uint32_t free[LINES_MAX_PORTS],
                         uint32_t port)
{
    for (uint32_t i = 0; i < d->ports; i++) {
        uint32_t at = d->first_port + (port - d->first_port + i) % d->ports;

        if (free[at] != 0)
            return at;
    }
    return LINES_MAX_PORTS;
}

static void send(struct depth *d, uint64_t now, uint32_t port, uint32_t table,
                 uint64_t line, uint32_t entry)
{
    uint32_t *free = table == LINES_DEPTH ? &d->read_free[port] : &d->write_free[port];
    uint32_t k = (uint32_t)__builtin_ctz(*free);
    struct dataport *p = &d->port[port];
    struct lines *lines = &p->table[table];

    *free &= *free - 1;
    lines->op = table == LINES_DEPTH ? MEM_READ : MEM_WRITE;
    lines->line[k] = (struct line){.number = line, .bytes = UINT64_MAX, .serial = 1};
    if (table == LINES_DEPTH) {
        d->entry[port][k] = entry;
        d->coming[entry] = 1;
    }
    d->stats->mem_lines++;
    l3_send(p->l3, now, 0, p->number, (uint8_t)table, (uint8_t)k);
}

/* It is not there: take an entry for it. False: it must wait. */
static bool miss(struct depth *d, uint64_t now, uint32_t port, uint64_t line,
                 uint32_t how)
{
    uint32_t set = set_of(d, line);
    uint32_t entry = cache_victim(&d->cache, set);
    bool modified = (d->cache.flags[entry] & CACHE_DIRTY) != 0;
    bool read = (how & MEM_DEPTH_READ) != 0;
    uint32_t in = find_way(d, d->read_free, port),
             out = find_way(d, d->write_free, port);

    if (d->coming[entry] || (modified && out == LINES_MAX_PORTS) ||
        (read && in == LINES_MAX_PORTS))
        return false;
    if (modified) {
        send(d, now, out, LINES_DEPTH_VICTIM, d->cache.tag[entry], CACHE_NONE);
        d->stats->ds_writebacks++;
    }
    cache_fill(&d->cache, set, entry, line, (how & MEM_DEPTH_WRITTEN) != 0);
    if (read)
        send(d, now, in, LINES_DEPTH, line, entry);
    d->stats->ds_misses++;
    return true;
}

/* False: it must wait. */
static bool look_up(struct depth *d, uint64_t now, uint32_t port, uint64_t line,
                    uint32_t how)
{
    uint32_t set = set_of(d, line);
    uint32_t entry = cache_find(&d->cache, set, line);

    if (entry == CACHE_NONE) {
        if (!miss(d, now, port, line, how))
            return false;
    } else {
        cache_touch(&d->cache, set, entry);
        d->cache.flags[entry] |= how & MEM_DEPTH_WRITTEN ? CACHE_DIRTY : 0;
        d->stats->ds_hits += !d->coming[entry];
        d->stats->ds_merged += d->coming[entry];
    }
    d->stats->ds_lines++;
    return true;
}

/* ---- time --------------------------------------------------------------- */

/* Go on to the next run that has a line. True: there is none. */
static bool is_over(struct depth_item *item)
{
    while (item->run < item->runs && item->line[item->run].lines == 0)
        item->run++;
    return item->run == item->runs;
}

bool depth_tick(struct depth *d, uint64_t now, struct depth_item *done)
{
    struct depth_item *item = &d->queue[d->first];

    while (!is_over(item)) {
        struct mem_depth *run = &item->line[item->run];
        bool note = (run->how & MEM_DEPTH_NOTE) != 0;
        uint64_t line = run->page / MEM_DEPTH_PAGE * (MEM_DEPTH_PAGE / LINE) +
                        (uint32_t)__builtin_ctzll(run->lines);

        if (!note && d->free_at > now)
            return false; /* this cycle's line was looked up */
        if (!look_up(d, now, item->tile, line, run->how)) {
            d->stalled = true;
            return false;
        }
        run->lines &= run->lines - 1;
        d->stats->ds_notes += note;
        d->free_at = note ? d->free_at : now + 1;
        d->last = now;
    }
    *done = *item;
    d->late -= item->ready == DEPTH_NO_THREAD;
    d->first = (d->first + 1) % DEPTH_QUEUE;
    d->count--;
    return true;
}

void depth_line(struct depth *d, uint64_t now, uint32_t packet)
{
    struct wheel *wheel = d->port[0].wheel;
    struct packet p = wheel->pool[packet];

    wheel_release(wheel, packet);
    d->last = now;
    d->stalled = false;
    if (p.a == LINES_DEPTH_VICTIM) {
        d->write_free[p.unit] |= UINT32_C(1) << p.b;
        return;
    }
    d->read_free[p.unit] |= UINT32_C(1) << p.b;
    d->coming[d->entry[p.unit][p.b]] = 0;
}

bool depth_idle(const struct depth *d)
{
    uint32_t free = UINT32_MAX;

    for (uint32_t i = 0; i < LINES_MAX_PORTS; i++)
        free &= d->read_free[i] & d->write_free[i];
    return d->count == 0 && free == UINT32_MAX;
}

/* ---- when a launch is over ---------------------------------------------- */

uint32_t depth_modified(const struct depth *d)
{
    return cache_modified(&d->cache);
}

void depth_flush(struct depth *d, void (*flush)(void *ctx, uint64_t line), void *ctx)
{
    d->stats->ds_flushed += cache_flush(&d->cache, flush, ctx);
}
