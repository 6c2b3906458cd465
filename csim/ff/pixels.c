/* pixels.c - see pixels.h. */
#include "csim/ff/pixels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

bool pixels_init(struct pixels *pixels, const struct igpu_config *config,
                 struct mem_stats *stats)
{
    uint32_t ways = (uint32_t)config->rt_cache_ways;
    uint32_t sets = (uint32_t)(config->rt_cache_bytes / LINE) / ways;

    memset(pixels, 0, sizeof(*pixels));
    pixels->stats = stats;
    if (sets == 0)
        return true;
    pixels->waiting = calloc((size_t)sets * ways, sizeof(*pixels->waiting));
    return pixels->waiting != NULL && cache_init(&pixels->cache, sets, ways);
}

void pixels_free(struct pixels *pixels)
{
    free(pixels->waiting);
    cache_free(&pixels->cache);
}

static bool is_on_its_way(const struct pixels *p, uint32_t entry)
{
    uint32_t any = 0;

    for (uint32_t i = 0; i < LINES_MAX_PORTS; i++)
        any |= p->waiting[entry][i];
    return any != 0;
}

/* The entry for a line that is not there; CACHE_NONE: all of the set are on their way.
 */
static uint32_t take(struct pixels *p, uint64_t line, bool write, uint64_t *victim)
{
    uint32_t set = (uint32_t)(line % p->cache.sets);
    uint32_t entry = cache_victim(&p->cache, set);

    if (is_on_its_way(p, entry))
        return CACHE_NONE;
    if (p->cache.flags[entry] & CACHE_DIRTY) {
        *victim = p->cache.tag[entry];
        p->stats->rt_writebacks++;
    }
    cache_fill(&p->cache, set, entry, line, write);
    return entry;
}

struct pixels_asked pixels_ask(struct pixels *p, uint64_t line, bool read, bool write,
                               uint32_t port, uint32_t place)
{
    struct pixels_asked asked = {PIXELS_PASS_BY, CACHE_NONE, UINT64_MAX};
    uint32_t set;

    if (p->cache.sets == 0) {
        p->stats->rt_misses++;
        return asked;
    }
    set = (uint32_t)(line % p->cache.sets);
    asked.entry = cache_find(&p->cache, set, line);
    if (asked.entry != CACHE_NONE) {
        bool waits = is_on_its_way(p, asked.entry);

        cache_touch(&p->cache, set, asked.entry);
        p->cache.flags[asked.entry] |= write ? CACHE_DIRTY : 0;
        p->stats->rt_hits += !waits;
        p->stats->rt_merged += waits;
        /* A message waits for a line once, also where it names it twice. */
        asked.result = waits && !(p->waiting[asked.entry][port] >> place & 1)
                           ? PIXELS_WAIT
                           : PIXELS_THERE;
    } else {
        asked.entry = take(p, line, write, &asked.victim);
        p->stats->rt_misses++;
        if (asked.entry == CACHE_NONE)
            return asked;
        asked.result = read ? PIXELS_FETCH : PIXELS_THERE;
    }
    if (asked.result != PIXELS_THERE)
        p->waiting[asked.entry][port] |= UINT32_C(1) << place;
    return asked;
}

void pixels_filled(struct pixels *p, uint32_t entry, uint32_t waiting[LINES_MAX_PORTS])
{
    memcpy(waiting, p->waiting[entry], sizeof(p->waiting[entry]));
    memset(p->waiting[entry], 0, sizeof(p->waiting[entry]));
}

uint32_t pixels_modified(const struct pixels *p)
{
    return cache_modified(&p->cache);
}

void pixels_flush(struct pixels *p, void (*flush)(void *ctx, uint64_t line), void *ctx)
{
    p->stats->rt_flushed += cache_flush(&p->cache, flush, ctx);
}
