/* llc.c - see llc.h. */
#include "csim/mem/llc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/scatter.h"
#include "igpu/heat.h"
#include "igpu/mem.h"
#include "igpu/order.h"

/* Which physical address bits a slice number's bits are the parity of, as line
 * number masks: measured by Maurice et al., "Reverse engineering Intel last-level
 * cache complex addressing using performance counters" (RAID 2015). */
static const uint64_t slice_mask[3] = {UINT64_C(0x1b5f575440) >> 6,
                                       UINT64_C(0x2eb5faa880) >> 6,
                                       UINT64_C(0x3cccc93100) >> 6};

/* Pages of others lie apart from the GPU's and the CPU's. */
#define OTHERS_SPACE (UINT64_C(5) << 49)
#define WRITTEN_SPACE (UINT64_C(3) << 50)

/* Of any other number of slices no hash is published: an even one, an estimate. */
static uint32_t slice_of_any(const struct llc *llc, uint64_t line)
{
    return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15) >> 32) * llc->slices >> 32);
}

static uint32_t slice_of(const struct llc *llc, uint64_t line)
{
    uint32_t slice = 0;

    if ((llc->slices & (llc->slices - 1)) != 0)
        return slice_of_any(llc, line);

    for (uint32_t bit = 0; UINT32_C(1) << bit < llc->slices; bit++)
        slice |= (uint32_t)__builtin_parityll(line & slice_mask[bit]) << bit;
    return slice;
}

static uint32_t set_of(const struct llc *llc, uint64_t line, uint32_t slice)
{
    return slice * llc->sets_per_slice + (uint32_t)(line & (llc->sets_per_slice - 1));
}

void llc_read(struct llc *llc, uint64_t ps, uint64_t line, uint32_t requester)
{
    if (llc->agents.asleep)
        llc->agents.rouse(llc->agents.self, ps);
    llc->reads_in_flight++;
    agenda_put(&llc->agenda, ps + llc->there_ps, EVENT_READ, line, requester);
}

void llc_write(struct llc *llc, uint64_t ps, uint64_t line, bool whole)
{
    llc->writes_in_flight++;
    agenda_put(&llc->agenda, ps + llc->there_ps, EVENT_WRITE, line, whole);
}

/* ---- page walks ---- */

/* A walker takes it up. */
static void begin_walk(struct llc *llc, uint64_t ps, uint64_t line, uint32_t requester)
{
    llc->walkers++;
    agenda_put(&llc->agenda, ps + llc->config->tlb_walk_ps / 2, EVENT_WALK, line,
               requester);
}

uint64_t llc_walk(struct llc *llc, uint64_t ps, uint64_t line, uint32_t requester,
                  uint64_t then_ps)
{
    struct llc_walk *walk = &llc->walk[requester];

    assert(walk->serial == 0);
    if (llc->agents.asleep)
        llc->agents.rouse(llc->agents.self, ps);
    *walk = (struct llc_walk){++llc->walks * llc->cpu_first + requester,
                              then_ps,
                              LLC_NOBODY,
                              LLC_NOBODY,
                              line,
                              ps,
                              LLC_NOBODY};
    if (llc->walkers < llc->config->tlb_walks) {
        begin_walk(llc, ps, line, requester);
        return walk->serial;
    }
    if (llc->walk_head == LLC_NOBODY)
        llc->walk_head = requester;
    else
        llc->walk[llc->walk_tail].next = requester;
    llc->walk_tail = requester;
    return walk->serial;
}

bool llc_walking(const struct llc *llc, uint64_t walk)
{
    return llc->walk[walk % llc->cpu_first].serial == walk;
}

void llc_read_after(struct llc *llc, uint64_t walk, uint64_t line, uint32_t requester)
{
    struct llc_walk *w = &llc->walk[walk % llc->cpu_first];

    assert(w->serial == walk);
    llc->reads_in_flight++;
    llc->walk_line[requester] = line;
    llc->waiter_next[requester] = LLC_NOBODY;
    if (w->first == LLC_NOBODY)
        w->first = requester;
    else
        llc->waiter_next[w->last] = requester;
    w->last = requester;
}

static void end_walk(struct llc *llc, uint64_t ps, uint32_t requester)
{
    struct llc_walk *walk = &llc->walk[requester];

    for (uint32_t who = walk->first; who != LLC_NOBODY; who = llc->waiter_next[who])
        agenda_put(&llc->agenda, ps + walk->then_ps + llc->there_ps, EVENT_READ,
                   llc->walk_line[who], who);
    walk->serial = 0;
    llc->walkers--;
    if (llc->walk_head != LLC_NOBODY) {
        uint32_t next = llc->walk_head;

        llc->walk_head = llc->walk[next].next;
        begin_walk(llc, igpu_later(ps, llc->walk[next].ps), llc->walk[next].line, next);
    }
}

/* ---- what is being fetched ---- */

static uint32_t *bucket_of(struct llc *llc, uint64_t line)
{
    return &llc->bucket[(line * UINT64_C(0x9e3779b97f4a7c15) >> 54) % LLC_BUCKETS];
}

static uint32_t find_fetch(struct llc *llc, uint64_t line)
{
    uint32_t i = *bucket_of(llc, line);

    while (i != LLC_NOBODY && llc->fetch[i].line != line)
        i = llc->fetch[i].next;
    return i;
}

/* Begin to fetch line, which goes to that set, at ps, for `source` (DRAM_GPU, else a
 * core's); LLC_NOBODY when every fetch is taken. */
static inline uint32_t begin_fetch(struct llc *llc, uint64_t ps, uint64_t line,
                                   uint32_t slice, uint32_t set, uint8_t source)
{
    uint32_t i = llc->fetch_free, *bucket = bucket_of(llc, line);

    if (i == LLC_NOBODY)
        return i;
    llc->fetch_free = llc->fetch[i].next;
    llc->fetch[i] = (struct llc_fetch){.line = line,
                                       .slice = slice,
                                       .set = set,
                                       .waiters = LLC_NOBODY,
                                       .next = *bucket,
                                       .source = source};
    *bucket = i;
    llc->stats->llc_fetches++;
    if (llc->edram.present)
        agenda_put(&llc->agenda, ps + llc->edram.tag_ps, EVENT_EDRAM, line, i);
    else
        agenda_put(&llc->agenda, ps + llc->dram_there_ps, EVENT_DRAM, line, i);
    return i;
}

static void end_fetch(struct llc *llc, uint32_t i)
{
    uint32_t *at = bucket_of(llc, llc->fetch[i].line);

    while (*at != i)
        at = &llc->fetch[*at].next;
    *at = llc->fetch[i].next;
    llc->fetch[i].next = llc->fetch_free;
    llc->fetch_free = i;
}

/* ---- evictions and fills ---- */

static void to_memory(struct llc *llc, uint64_t ps, uint64_t line)
{
    uint64_t victim;

    if (!llc->edram.present)
        dram_write(&llc->dram, ps, line);
    else if (edram_store(&llc->edram, ps, line, EDRAM_FROM_LLC, &victim))
        dram_write(&llc->dram, ps, victim);
}

/* No other agent keeps `line`; true: one had modified it. (Marks of cores may have come
 * with another system's lines, mem_copy_caches().) */
static bool agents_lose(struct llc *llc, uint64_t line)
{
    return llc->agents.self != NULL && llc->agents.evict(llc->agents.self, line);
}

/* Put line into its set at ps, and send a modified victim on; a victim leaves the
 * CPU's cores too. Returns the entry. */
static inline uint32_t install(struct llc *llc, uint64_t ps, uint32_t set,
                               uint64_t line, bool dirty)
{
    uint32_t entry = cache_victim(&llc->cache, set);
    bool modified = (llc->cache.flags[entry] & CACHE_DIRTY) != 0;

    llc->stats->llc_prefetch_unused += (llc->cache.flags[entry] & CACHE_AHEAD) != 0;
    if (llc->cache.flags[entry] & CACHE_CORE)
        modified |= agents_lose(llc, llc->cache.tag[entry]);
    if (modified) {
        llc->stats->llc_writebacks++;
        to_memory(llc, ps, llc->cache.tag[entry]);
    }
    cache_fill(&llc->cache, set, entry, line, dirty);
    return entry;
}

/* Take a slice's port for one line; returns when it begins. */
static uint64_t take_port(struct llc *llc, uint32_t slice, uint64_t ps)
{
    uint64_t begin = igpu_later(ps, llc->free_ps[slice]);

    llc->free_ps[slice] = begin + llc->port_ps;
    if (llc->heat != NULL)
        heat_use(&heat_now(llc->heat)->llc[slice], begin - ps);
    return begin;
}

static void retry_blocked(struct llc *llc, uint64_t ps);

/* The data of a fetch are at the LLC. */
static void line_fill(struct llc *llc, uint64_t ps, uint32_t i, enum mem_level level)
{
    uint64_t line = llc->fetch[i].line;
    uint32_t who = llc->fetch[i].waiters;
    uint64_t begin = take_port(llc, llc->fetch[i].slice, ps);
    uint32_t entry = install(llc, ps, llc->fetch[i].set, line, llc->fetch[i].dirty);

    llc->stats->llc_fills++;
    if (llc->fetch[i].ahead && !llc->fetch[i].dirty)
        llc->cache.flags[entry] |= CACHE_AHEAD;
    end_fetch(llc, i);
    while (who != LLC_NOBODY) {
        uint32_t next = llc->waiter_next[who];

        if (who >= llc->walk_first) {
            agenda_put(&llc->agenda, begin + llc->config->tlb_walk_ps / 2, EVENT_WALKED,
                       line, who - llc->walk_first);
        } else if (who >= llc->cpu_first) {
            llc->cache.flags[entry] |= CACHE_CORE;
            llc->agents.fill(llc->agents.self, who - llc->cpu_first,
                             begin + llc->cpu_back_ps);
        } else {
            agenda_put(&llc->agenda, begin + llc->back_ps, EVENT_ANSWER, level, who);
        }
        who = next;
    }
    retry_blocked(llc, ps);
}

/* ---- accesses ---- */

static void block(struct llc *llc, uint32_t kind, uint64_t line, uint32_t tag)
{
    uint32_t at = (llc->blocked_head + llc->blocked_count++) % llc->blocked_size;

    assert(llc->blocked_count <= llc->blocked_size);
    llc->blocked[at] = (struct llc_blocked){line, tag, kind};
}

/* `who` gets the line when the fetch is over. */
static void await(struct llc *llc, uint32_t fetch, uint32_t who)
{
    llc->stats->llc_prefetch_late += llc->fetch[fetch].ahead;
    llc->fetch[fetch].ahead = false;
    llc->waiter_next[who] = llc->fetch[fetch].waiters;
    llc->fetch[fetch].waiters = who;
}

/* A line that is there is read. */
static void use(struct llc *llc, uint32_t set, uint32_t entry)
{
    if (llc->cache.flags[entry] & CACHE_AHEAD) {
        llc->stats->llc_prefetch_hits++;
        llc->cache.flags[entry] &= (uint8_t)~CACHE_AHEAD;
    }
    cache_touch(&llc->cache, set, entry);
}

/* The GPU read `line`: fetch what the prefetcher asks for, of the same page, while
 * there is room below. */
static void fetch_ahead(struct llc *llc, uint64_t ps, uint64_t line, bool hit)
{
    enum { PAGE_LINES = 64 };
    uint64_t ask[IGPU_PREFETCH_LINES];
    uint32_t n = llc->prefetch->access(llc->prefetch_memory, line, hit, ask);

    for (uint32_t k = 0; k < n && k < IGPU_PREFETCH_LINES; k++) {
        uint32_t slice = slice_of(llc, ask[k]), set = set_of(llc, ask[k], slice), i;

        if (ask[k] / PAGE_LINES != line / PAGE_LINES ||
            cache_find(&llc->cache, set, ask[k]) != CACHE_NONE ||
            find_fetch(llc, ask[k]) != LLC_NOBODY)
            continue;
        if (dram_stalled(&llc->dram) ||
            (i = begin_fetch(llc, ps, ask[k], slice, set, DRAM_GPU)) == LLC_NOBODY)
            return;
        llc->fetch[i].ahead = true;
        llc->stats->llc_prefetches++;
    }
}

/* The entry of a page table; one that is there does not become the most recently used
 * line. */
static void look_for_entry(struct llc *llc, uint64_t ps, uint64_t line,
                           uint32_t requester)
{
    uint32_t slice = slice_of(llc, line), set = set_of(llc, line, slice), i;

    if (cache_find(&llc->cache, set, line) != CACHE_NONE) {
        agenda_put(&llc->agenda, ps + llc->config->tlb_walk_ps / 2, EVENT_WALKED, line,
                   requester);
        return;
    }
    i = find_fetch(llc, line);
    if (i == LLC_NOBODY)
        i = begin_fetch(llc, ps, line, slice, set, DRAM_GPU);
    if (i == LLC_NOBODY) {
        agenda_put(&llc->agenda, ps + LLC_RETRY_PS, EVENT_WALK, line, requester);
        return;
    }
    llc->stats->tlb_walk_misses++;
    await(llc, i, llc->walk_first + requester);
}

/* True: served; false: nothing changed, every fetch is taken. */
static bool access_read(struct llc *llc, uint64_t ps, uint64_t line, uint32_t who)
{
    uint32_t slice = slice_of(llc, line), set = set_of(llc, line, slice);
    uint32_t entry = cache_find(&llc->cache, set, line), i;

    if (entry != CACHE_NONE) {
        llc->stats->llc_hits++;
        use(llc, set, entry);
        agenda_put(&llc->agenda, take_port(llc, slice, ps) + llc->back_ps, EVENT_ANSWER,
                   MEM_AT_LLC, who);
    } else {
        i = find_fetch(llc, line);
        if (i != LLC_NOBODY)
            llc->stats->llc_merged++;
        else if ((i = begin_fetch(llc, ps, line, slice, set, DRAM_GPU)) != LLC_NOBODY)
            llc->stats->llc_misses++;
        else
            return false;
        await(llc, i, who);
    }
    llc->stats->llc_accesses++;
    if (llc->prefetch != NULL)
        fetch_ahead(llc, ps, line, entry != CACHE_NONE);
    return true;
}

static bool access_write(struct llc *llc, uint64_t ps, uint64_t line, bool whole)
{
    uint32_t slice = slice_of(llc, line), set = set_of(llc, line, slice);
    uint32_t entry = cache_find(&llc->cache, set, line), i;

    if (entry != CACHE_NONE) {
        llc->stats->llc_hits++;
        cache_fill(&llc->cache, set, entry, line, true);
    } else {
        i = find_fetch(llc, line);
        if (i != LLC_NOBODY)
            llc->stats->llc_merged++;
        else if (whole ||
                 (i = begin_fetch(llc, ps, line, slice, set, DRAM_GPU)) != LLC_NOBODY)
            llc->stats->llc_misses++;
        else
            return false;
        if (i != LLC_NOBODY)
            llc->fetch[i].dirty = true;
        else
            (void)install(llc, ps, set, line, true);
    }
    take_port(llc, slice, ps);
    llc->writes_in_flight--;
    llc->last_ps = ps;
    llc->stats->llc_accesses++;
    llc->stats->llc_writes++;
    return true;
}

static bool serve(struct llc *llc, uint64_t ps, uint32_t kind, uint64_t line,
                  uint32_t tag)
{
    return kind == EVENT_READ ? access_read(llc, ps, line, tag)
                              : access_write(llc, ps, line, tag != 0);
}

/* A fetch is free again: accesses that wait for one go on in order. */
static void retry_blocked(struct llc *llc, uint64_t ps)
{
    while (llc->blocked_count != 0) {
        struct llc_blocked b = llc->blocked[llc->blocked_head];

        if (!serve(llc, ps, b.kind, b.line, b.tag))
            return;
        llc->blocked_head = (llc->blocked_head + 1) % llc->blocked_size;
        llc->blocked_count--;
    }
}

void llc_flush(struct llc *llc, uint64_t line)
{
    uint32_t set = set_of(llc, line, slice_of(llc, line));
    uint32_t entry = cache_find(&llc->cache, set, line);

    if (entry == CACHE_NONE)
        entry = cache_victim(&llc->cache, set);
    cache_fill(&llc->cache, set, entry, line, true);
}

/* The entry that gives way to a line, with what it holds sent on. */
static uint32_t make_room(struct llc *llc, uint32_t set)
{
    uint32_t entry = cache_victim(&llc->cache, set);
    bool modified = (llc->cache.flags[entry] & CACHE_DIRTY) != 0;

    if (llc->cache.flags[entry] & CACHE_CORE)
        modified |= agents_lose(llc, llc->cache.tag[entry]);
    if (modified && llc->edram.present)
        edram_warm(&llc->edram, llc->cache.tag[entry], true);
    return entry;
}

void llc_warm(struct llc *llc, uint64_t line, bool write, bool entry)
{
    uint32_t set = set_of(llc, line, slice_of(llc, line));
    uint32_t at = cache_find(&llc->cache, set, line);

    if (at == CACHE_NONE) {
        if (find_fetch(llc, line) != LLC_NOBODY)
            return;
        if (llc->edram.present && !write)
            edram_warm(&llc->edram, line, false);
        cache_fill(&llc->cache, set, make_room(llc, set), line, write);
        return;
    }
    if (!entry)
        cache_touch(&llc->cache, set, at);
    if (write)
        llc->cache.flags[at] |= CACHE_DIRTY;
}

void llc_warm_written(struct llc *llc)
{
    uint64_t lines = llc->config->llc_size / 64 * llc->config->llc_written / 100;

    for (uint64_t i = 0; i < lines; i++) {
        uint64_t line = WRITTEN_SPACE + i;
        uint32_t set = set_of(llc, line, slice_of(llc, line));
        uint32_t entry = cache_victim(&llc->cache, set);

        if (!(llc->cache.flags[entry] & CACHE_VALID))
            cache_fill(&llc->cache, set, entry, line, true);
    }
}

void llc_empty(struct llc *llc)
{
    cache_clear(&llc->cache, llc->cache.ways);
    if (llc->edram.present)
        cache_clear(&llc->edram.cache, llc->edram.cache.ways);
    llc_warm_written(llc);
}

/* ---- other agents ---- */

enum llc_cpu_result llc_cpu_read(struct llc *llc, uint64_t ps, uint64_t line,
                                 uint32_t id, bool prefetch, uint64_t *data_ps)
{
    uint32_t slice = slice_of(llc, line), set = set_of(llc, line, slice);
    uint32_t entry = cache_find(&llc->cache, set, line), i;

    if (entry != CACHE_NONE) {
        llc->stats->cpu_llc_hits += !prefetch;
        use(llc, set, entry);
        llc->cache.flags[entry] |= CACHE_CORE;
        *data_ps = take_port(llc, slice, ps) + llc->cpu_back_ps;
        return LLC_CPU_HIT;
    }
    i = find_fetch(llc, line);
    if (i != LLC_NOBODY) {
        llc->stats->cpu_llc_merged += !prefetch;
    } else {
        if (prefetch && !llc->agents.wants_pair(llc->agents.self))
            return LLC_CPU_BUSY;
        if (dram_stalled(&llc->dram) ||
            (i = begin_fetch(llc, ps, line, slice, set,
                             (uint8_t)(DRAM_GPU + 1 + id / AGENT_IDS_EACH))) ==
                LLC_NOBODY)
            return LLC_CPU_BUSY;
        llc->stats->cpu_llc_misses += !prefetch;
        llc->stats->cpu_prefetch_misses += prefetch;
    }
    await(llc, i, llc->cpu_first + id);
    return LLC_CPU_WAIT;
}

void llc_cpu_write(struct llc *llc, uint64_t ps, uint64_t line)
{
    uint32_t slice = slice_of(llc, line), set = set_of(llc, line, slice);
    uint32_t entry = cache_find(&llc->cache, set, line);

    take_port(llc, slice, ps);
    if (entry != CACHE_NONE)
        llc->cache.flags[entry] |= CACHE_DIRTY;
    else
        to_memory(llc, ps, line); /* evicted while the line was on its way */
}

void llc_cpu_warm(struct llc *llc, uint64_t line, bool fetch)
{
    uint32_t set = set_of(llc, line, slice_of(llc, line));
    uint32_t entry = cache_find(&llc->cache, set, line);

    if (entry != CACHE_NONE)
        cache_touch(&llc->cache, set, entry);
    else if (fetch)
        cache_fill(&llc->cache, set, cache_victim(&llc->cache, set), line, false);
}

/* ---- others ---- */

/* What else runs on the machine accesses a line every llc.others_ps, going around
 * llc.others bytes on random pages; it takes no time here, but room. */
static void access_by_others(struct llc *llc, uint64_t until_ps)
{
    enum { PAGE_LINES = 64, KEY = 77 };
    uint64_t lines = llc->config->llc_others / 64;

    for (; llc->others_ps <= until_ps; llc->others_ps += llc->config->llc_others_ps) {
        uint64_t at = llc->others_at;
        uint64_t page = scatter(at / PAGE_LINES, llc->config->page_seed + KEY);
        uint64_t line = OTHERS_SPACE | page * PAGE_LINES | at % PAGE_LINES;
        uint32_t set = set_of(llc, line, slice_of(llc, line));
        uint32_t entry = cache_find(&llc->cache, set, line);

        if (entry != CACHE_NONE)
            cache_touch(&llc->cache, set, entry);
        else
            (void)install(llc, llc->others_ps, set, line, false);
        llc->others_at = at + 1 < lines ? at + 1 : 0;
    }
}

/* ---- events ---- */

static void edram_event(struct llc *llc, const struct agenda_event *e)
{
    uint64_t data_ps;

    if (edram_read(&llc->edram, e->ps, e->line, &data_ps))
        agenda_put(&llc->agenda, data_ps, EVENT_FROM_EDRAM, e->line, e->tag);
    else
        agenda_put(&llc->agenda, e->ps + llc->dram_there_ps, EVENT_DRAM, e->line,
                   e->tag);
}

static void dram_data_event(struct llc *llc, const struct agenda_event *e)
{
    uint64_t victim;

    if (llc->edram.present &&
        edram_store(&llc->edram, e->ps, e->line, EDRAM_FROM_DRAM, &victim))
        dram_write(&llc->dram, e->ps, victim);
    agenda_put(&llc->agenda, e->ps + llc->dram_back_ps, EVENT_FROM_DRAM, e->line,
               e->tag);
}

static void run_event(struct llc *llc, const struct agenda_event *e)
{
    switch ((enum llc_event)e->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
        /* In order: nobody overtakes those that wait for a fetch. */
        if (llc->blocked_count != 0 || !serve(llc, e->ps, e->kind, e->line, e->tag))
            block(llc, e->kind, e->line, e->tag);
        break;
    case EVENT_EDRAM:
        edram_event(llc, e);
        break;
    case EVENT_DRAM:
        dram_read(&llc->dram, e->ps, e->line, e->tag, llc->fetch[e->tag].source);
        break;
    case EVENT_DRAM_DATA:
        dram_data_event(llc, e);
        break;
    case EVENT_FROM_EDRAM:
        line_fill(llc, e->ps, e->tag, MEM_AT_EDRAM);
        break;
    case EVENT_FROM_DRAM:
        line_fill(llc, e->ps, e->tag, MEM_AT_DRAM);
        break;
    case EVENT_WALK:
        look_for_entry(llc, e->ps, e->line, e->tag);
        break;
    case EVENT_WALKED:
        end_walk(llc, e->ps, e->tag);
        break;
    case EVENT_ANSWER:
        break;
    }
}

/* Other agents do what is due before `next` and until `until_ps`. False: nothing. */
static bool run_agents(struct llc *llc, uint64_t next, uint64_t until_ps)
{
    uint64_t due_ps = llc->agents.next_ps;

    if (due_ps >= next || due_ps > until_ps)
        return false;
    if (llc->others_ps <= due_ps)
        access_by_others(llc, due_ps);
    llc->agents.run(llc->agents.self, due_ps);
    return true;
}

bool llc_run(struct llc *llc, uint64_t ps, struct llc_answer *answer)
{
    bool alone = llc->agents.self == NULL;

    for (;;) {
        uint64_t dram_ps = dram_next_ps(&llc->dram), own_ps = agenda_next(&llc->agenda);
        struct agenda_event event;

        if (!alone && run_agents(llc, igpu_earlier(own_ps, dram_ps), ps))
            continue;
        if (dram_ps < own_ps && dram_ps <= ps) {
            if (alone)
                llc->last_ps = dram_ps;
            dram_run(&llc->dram, dram_ps);
            continue;
        }
        if (own_ps > ps)
            return false;
        if (alone)
            llc->last_ps = own_ps;
        agenda_take(&llc->agenda, &event);
        if (llc->others_ps <= event.ps)
            access_by_others(llc, event.ps);
        if (event.kind == EVENT_ANSWER) {
            llc->reads_in_flight--;
            *answer = (struct llc_answer){event.ps, event.tag, (uint8_t)event.line};
            return true;
        }
        run_event(llc, &event);
    }
}

uint64_t llc_fetching(const struct llc *llc)
{
    uint64_t count = llc->fetches;

    for (uint32_t i = llc->fetch_free; i != LLC_NOBODY; i = llc->fetch[i].next)
        count--;
    return count;
}

uint64_t llc_cpu_waiting(const struct llc *llc)
{
    uint64_t count = 0;

    for (uint32_t b = 0; b < LLC_BUCKETS; b++)
        for (uint32_t i = llc->bucket[b]; i != LLC_NOBODY; i = llc->fetch[i].next)
            for (uint32_t who = llc->fetch[i].waiters; who != LLC_NOBODY;
                 who = llc->waiter_next[who])
                count += who >= llc->cpu_first && who < llc->walk_first &&
                         (who - llc->cpu_first) % AGENT_IDS_EACH < AGENT_LINES;
    return count;
}

bool llc_idle(const struct llc *llc)
{
    if (llc->reads_in_flight != 0 || llc->writes_in_flight != 0)
        return false;
    return llc->agents.self != NULL ||
           (agenda_next(&llc->agenda) == UINT64_MAX && dram_idle(&llc->dram));
}
