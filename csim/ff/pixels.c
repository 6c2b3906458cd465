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
    pixels->packs = calloc((size_t)sets * ways, sizeof(*pixels->packs));
    return pixels->waiting != NULL && pixels->packs != NULL &&
           cache_init(&pixels->cache, sets, ways);
}

void pixels_free(struct pixels *pixels)
{
    free(pixels->waiting);
    free(pixels->packs);
    cache_free(&pixels->cache);
}

static bool is_on_its_way(const struct pixels *p, uint32_t entry)
{
    uint32_t any = 0;

    for (uint32_t i = 0; i < LINES_MAX_PORTS; i++)
        any |= p->waiting[entry][i];
    return any != 0;
}

/* ---- pairs that one line holds ---- */

/* The entry of the line's partner; CACHE_NONE: it is not there. */
static uint32_t partner_of(const struct pixels *p, uint64_t line)
{
    uint64_t partner = line ^ MEM_PARTNER;

    return cache_find(&p->cache, (uint32_t)(partner % p->cache.sets), partner);
}

/* Is the entry's line written with its partner's? */
static bool goes_along(const struct pixels *p, uint32_t entry)
{
    uint32_t partner =
        p->packs[entry] ? partner_of(p, p->cache.tag[entry]) : CACHE_NONE;

    return partner != CACHE_NONE && (p->cache.flags[partner] & CACHE_DIRTY) != 0;
}

/* The line as which a modified entry goes to the L3. A pair that one line holds goes as
 * a whole: a modified partner has nothing to write any more. */
static uint64_t write_back(struct pixels *p, uint32_t entry)
{
    uint64_t line = p->cache.tag[entry];

    p->cache.flags[entry] &= (uint8_t)~CACHE_DIRTY;
    if (!p->packs[entry])
        return line;
    p->stats->rt_packed++;
    if (goes_along(p, entry)) {
        p->cache.flags[partner_of(p, line)] &= (uint8_t)~CACHE_DIRTY;
        p->stats->rt_spared++;
    }
    return mem_packed_line(line);
}

/* A write of the entry's line decides for both of the pair. */
static void note_packs(struct pixels *p, uint32_t entry, bool packs)
{
    uint32_t partner = partner_of(p, p->cache.tag[entry]);

    p->packs[entry] = packs;
    if (partner != CACHE_NONE)
        p->packs[partner] = packs;
}

/* ---- lines ---- */

/* The entry for a line that is not there; CACHE_NONE: all of the set are on their way.
 */
static uint32_t pixels_take(struct pixels *p, uint64_t line, bool write,
                            uint64_t *victim)
{
    uint32_t set = (uint32_t)(line % p->cache.sets);
    uint32_t entry = cache_victim(&p->cache, set);

    if (is_on_its_way(p, entry))
        return CACHE_NONE;
    if (p->cache.flags[entry] & CACHE_DIRTY) {
        *victim = write_back(p, entry);
        p->stats->rt_writebacks++;
    }
    cache_fill(&p->cache, set, entry, line, write);
    return entry;
}

struct pixels_asked pixels_ask(struct pixels *p, const struct pixels_use *use,
                               uint32_t port, uint32_t place)
{
    struct pixels_asked asked = {PIXELS_PASS_BY, CACHE_NONE, UINT64_MAX};
    uint32_t set;

    if (p->cache.sets == 0) {
        p->stats->rt_misses++;
        return asked;
    }
    set = (uint32_t)(use->line % p->cache.sets);
    asked.entry = cache_find(&p->cache, set, use->line);
    if (asked.entry != CACHE_NONE) {
        bool waits = is_on_its_way(p, asked.entry);

        cache_touch(&p->cache, set, asked.entry);
        p->cache.flags[asked.entry] |= use->write ? CACHE_DIRTY : 0;
        p->stats->rt_hits += !waits;
        p->stats->rt_merged += waits;
        /* A message waits for a line once, also where it names it twice. */
        asked.result = waits && !(p->waiting[asked.entry][port] >> place & 1)
                           ? PIXELS_WAIT
                           : PIXELS_THERE;
    } else {
        asked.entry = pixels_take(p, use->line, use->write, &asked.victim);
        p->stats->rt_misses++;
        if (asked.entry == CACHE_NONE)
            return asked;
        asked.result = use->read ? PIXELS_FETCH : PIXELS_THERE;
    }
    if (use->write)
        note_packs(p, asked.entry, use->packs);
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
    uint32_t lines = 0, entries = p->cache.sets * p->cache.max_ways;

    for (uint32_t i = 0; i < entries; i++) /* of two that go as one, the first */
        lines += (p->cache.flags[i] & CACHE_DIRTY) != 0 &&
                 !((p->cache.tag[i] & MEM_PARTNER) != 0 && goes_along(p, i));
    return lines;
}

void pixels_flush(struct pixels *p, void (*flush)(void *ctx, uint64_t line), void *ctx)
{
    for (uint32_t i = 0; i < p->cache.sets * p->cache.max_ways; i++)
        if (p->cache.flags[i] & CACHE_DIRTY) {
            flush(ctx, write_back(p, i));
            p->stats->rt_flushed++;
        }
    (void)cache_flush(&p->cache, flush, ctx);
}
