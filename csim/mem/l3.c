/* l3.c - see l3.h. */
#include "csim/mem/l3.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/policy.h"
#include "igpu/heat.h"
#include "igpu/mem.h"

#define ALL_BYTES UINT64_MAX

/* The subslices of a slice reach the banks of the other one through the fabric. */
static void init_fabric(struct l3 *l3)
{
    const struct igpu_config *c = l3->config;

    for (uint32_t b = 0; b < l3->banks; b++)
        for (uint32_t port = 0; port < c->gpu_subslices; port++) {
            uint64_t home = port * c->gpu_slices / c->gpu_subslices;

            l3->fabric[b][port] =
                b / l3->banks_per_slice == home ? 0 : c->l3_fabric_latency;
        }
}

bool l3_init(struct l3 *l3, const struct igpu_config *config, struct wheel *wheel,
             struct lines *table, struct mem_stats *stats)
{
    uint32_t sets = (uint32_t)config->l3_sets, ways = (uint32_t)config->l3_ways;
    uint32_t mshrs = (uint32_t)config->l3_mshrs;

    l3->config = config;
    l3->wheel = wheel;
    l3->table = table;
    l3->stats = stats;
    l3->banks_per_slice = (uint32_t)config->l3_banks;
    l3->banks = l3->banks_per_slice * (uint32_t)config->gpu_slices;
    init_fabric(l3);
    l3->bank_bits = (uint32_t)__builtin_ctz(l3->banks);
    l3->plain = config->l3_bank_hash != 0 ? 0 : l3->banks - 1;
    l3->index_bits = l3->bank_bits + (uint32_t)__builtin_ctz(sets);
    for (uint32_t b = 0; b < l3->banks; b++) {
        struct l3_bank *bank = &l3->bank[b];

        list_clear(&bank->queue);
        mshr_init(&bank->mshr, mshrs);
        /* Fetches begin only when the write buffer has room; those under way may
         * still fill it beyond. */
        bank->victim_size = (uint32_t)config->l3_write_buffer + mshrs;
        bank->victim = calloc(bank->victim_size, sizeof(*bank->victim));
        bank->fetch = calloc(mshrs, sizeof(*bank->fetch));
        bank->bytes = calloc((size_t)sets * ways, sizeof(*bank->bytes));
        if (!bank->victim || !bank->fetch || !bank->bytes ||
            !cache_init(&bank->cache, sets, ways) ||
            !cache_follow(&bank->cache, policy_replacement(config->l3_policy)))
            return false;
    }
    return true;
}

void l3_free(struct l3 *l3)
{
    for (uint32_t b = 0; b < l3->banks; b++) {
        cache_free(&l3->bank[b].cache);
        free(l3->bank[b].bytes);
        free(l3->bank[b].fetch);
        free(l3->bank[b].victim);
    }
}

static uint32_t set_of(const struct l3 *l3, uint64_t line)
{
    return l3_set_at(l3, l3_index(l3, line));
}

void l3_arrive(struct l3 *l3, uint32_t packet)
{
    const struct packet *p = &l3->wheel->pool[packet];
    uint32_t b = l3_bank_at(l3, l3_entry(l3, p->unit, p->a)->line[p->b].place);

    list_append(&l3->bank[b].queue, l3->wheel->pool, packet);
    l3->bank[b].queued++;
    l3->active |= UINT32_C(1) << b;
}

/* The packet goes back to its data port. */
static void packet_answer(struct l3 *l3, uint64_t now, uint32_t b, uint32_t packet)
{
    struct packet *p = &l3->wheel->pool[packet];

    p->kind = PACKET_LINE;
    wheel_put(l3->wheel, now, now + l3->config->l3_latency + l3->fabric[b][p->unit],
              packet);
}

static bool write_buffer_full(const struct l3 *l3, const struct l3_bank *bank)
{
    return bank->victim_count >= l3->config->l3_write_buffer;
}

/* Put line into its set; a modified victim goes to the write buffer. Returns the
 * entry. */
static inline uint32_t install(struct l3 *l3, uint32_t b, uint64_t line)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t set = set_of(l3, line), entry = cache_victim(&bank->cache, set);

    if (bank->cache.flags[entry] & CACHE_DIRTY) {
        uint32_t at = (bank->victim_head + bank->victim_count++) % bank->victim_size;

        assert(bank->victim_count <= bank->victim_size);
        bank->victim[at] =
            (struct l3_victim){bank->cache.tag[entry], bank->bytes[entry] == ALL_BYTES};
        l3->sending |= UINT32_C(1) << b;
        l3->stats->l3_writebacks++;
    }
    cache_fill(&bank->cache, set, entry, line, false);
    return entry;
}

static void modify(struct l3_bank *bank, uint32_t entry, uint64_t bytes)
{
    bank->bytes[entry] |= bytes;
    bank->cache.flags[entry] |= CACHE_DIRTY;
}

/* ---- serving a line ---- */

enum result { SERVED, NO_MSHR, NO_WRITE_BUFFER };

static void start_fetch(struct l3 *l3, uint32_t b, uint32_t m)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t at = (bank->fetch_head + bank->fetch_count++) % bank->mshr.entries;

    bank->fetch[at] = (uint8_t)m;
    l3->fetching |= UINT32_C(1) << b;
    l3->stats->l3_fetches++;
    l3->in_flight++;
    if (l3->in_flight > l3->stats->mem_lines_inflight_peak)
        l3->stats->mem_lines_inflight_peak = l3->in_flight;
}

/* Wait for the line if it is being fetched. */
static bool join_fetch(struct l3 *l3, uint32_t b, uint32_t packet, uint64_t number)
{
    struct mshr *mshr = &l3->bank[b].mshr;
    uint32_t m = mshr_find(mshr, number);

    if (m == MSHR_NONE)
        return false;
    list_append(&mshr->e[m].waiters, l3->wheel->pool, packet);
    l3->stats->l3_merged++;
    return true;
}

static enum result serve_write(struct l3 *l3, uint64_t now, uint32_t b, uint32_t packet,
                               const struct line *line)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t set = l3_set_at(l3, line->place);
    uint32_t entry = cache_find(&bank->cache, set, line->number);

    if (entry != CACHE_NONE) {
        cache_touch(&bank->cache, set, entry);
        l3->stats->l3_hits++;
    } else if (join_fetch(l3, b, packet, line->number)) {
        return SERVED;
    } else if (write_buffer_full(l3, bank)) {
        return NO_WRITE_BUFFER;
    } else {
        entry = install(l3, b, line->number);
        bank->bytes[entry] = 0;
        l3->stats->l3_misses++;
    }
    modify(bank, entry, line->bytes);
    packet_answer(l3, now, b, packet);
    return SERVED;
}

static enum result serve_read(struct l3 *l3, uint64_t now, uint32_t b, uint32_t packet,
                              const struct line *line, uint8_t op)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t set = l3_set_at(l3, line->place);
    uint32_t entry = cache_find(&bank->cache, set, line->number);
    uint32_t m;

    if (entry != CACHE_NONE && bank->bytes[entry] == ALL_BYTES) {
        cache_touch(&bank->cache, set, entry);
        l3->stats->l3_hits++;
        if (op == MEM_ATOMIC)
            modify(bank, entry, ALL_BYTES);
        packet_answer(l3, now, b, packet);
        return SERVED;
    }
    if (join_fetch(l3, b, packet, line->number))
        return SERVED;
    if (write_buffer_full(l3, bank))
        return NO_WRITE_BUFFER; /* its fill may evict */
    m = mshr_add(&bank->mshr, line->number);
    if (m == MSHR_NONE)
        return NO_MSHR;
    l3->stats->l3_misses++;
    /* What comes for the line meanwhile joins, so that it stays as it is. */
    bank->mshr.e[m].absent = entry == CACHE_NONE;
    list_append(&bank->mshr.e[m].waiters, l3->wheel->pool, packet);
    start_fetch(l3, b, m);
    return SERVED;
}

/* Is a word of error correction written in part? It has to be read before. */
static bool cuts_word(const struct l3 *l3, uint64_t bytes)
{
    uint32_t size = (uint32_t)l3->config->l3_ecc_bytes;
    uint64_t word = size == 64 ? ALL_BYTES : (UINT64_C(1) << size) - 1;

    for (; bytes != 0; bytes = size == 64 ? 0 : bytes >> size)
        if ((bytes & word) != 0 && (bytes & word) != word)
            return true;
    return false;
}

/* Somebody asks which banks and lines are used. */
static void warm(struct l3 *l3, uint32_t b, uint64_t line)
{
    heat_now(l3->heat)->l3[b].uses++;
    heat_line(l3->heat, line);
}

/* Serve the oldest line of the bank's queue, if it can be served. */
static void tick_bank(struct l3 *l3, uint64_t now, uint32_t b)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t packet = bank->queue.head;
    const struct packet *p = &l3->wheel->pool[packet];
    const struct lines *lines = l3_entry(l3, p->unit, p->a);
    const struct line *line = &lines->line[p->b];
    uint32_t rest = p->next;
    enum result result;

    result = lines->op == MEM_WRITE ? serve_write(l3, now, b, packet, line)
                                    : serve_read(l3, now, b, packet, line, lines->op);
    if (result != SERVED) {
        l3->stats->mem_mshr_full_cycles += result == NO_MSHR;
        l3->stats->mem_write_full_cycles += result == NO_WRITE_BUFFER;
        bank->counts.stalled_cycles++;
        if (l3->heat != NULL)
            heat_now(l3->heat)->l3[b].lost++;
        return;
    }
    bank->queue.head = rest;
    bank->queued--;
    bank->free_at = now + 1;
    l3->stats->l3_accesses++;
    bank->counts.accesses++;
    if (l3->heat != NULL)
        warm(l3, b, line->number);
    l3->stats->l3_reads += lines->op == MEM_READ;
    l3->stats->l3_writes += lines->op == MEM_WRITE;
    if (lines->op == MEM_ATOMIC) {
        l3->stats->l3_atomics++;
        bank->free_at = now + line->serial * l3->config->l3_atomic;
    }
    if (lines->op == MEM_WRITE && cuts_word(l3, line->bytes))
        bank->free_at = now + l3->config->l3_partial_write;
    if (bank->queued == 0)
        l3->active &= ~(UINT32_C(1) << b);
}

bool l3_tick(struct l3 *l3, uint64_t now)
{
    for (uint32_t left = l3->active; left != 0; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctz(left);

        if (l3->bank[b].free_at <= now)
            tick_bank(l3, now, b);
        l3->stats->l3_bank_wait_cycles += l3->bank[b].queued;
    }
    return l3->active != 0;
}

/* ---- lines from below ---- */

void l3_fill(struct l3 *l3, uint64_t now, uint32_t b, uint32_t m, uint8_t level)
{
    struct l3_bank *bank = &l3->bank[b];
    uint64_t number = bank->mshr.e[m].line;
    uint32_t entry = bank->mshr.e[m].absent
                         ? CACHE_NONE
                         : cache_find(&bank->cache, set_of(l3, number), number);
    uint32_t packet = bank->mshr.e[m].waiters.head;

    l3->stats->l3_fills++;
    if (entry == CACHE_NONE)
        entry = install(l3, b, number);
    bank->bytes[entry] = ALL_BYTES; /* what was written meanwhile stays written */
    while (packet != PACKET_NONE) {
        const struct packet *p = &l3->wheel->pool[packet];
        uint32_t next = p->next;

        struct lines *lines = l3_entry(l3, p->unit, p->a);

        lines->from[level]++;
        if (lines->op != MEM_READ)
            modify(bank, entry, ALL_BYTES);
        packet_answer(l3, now, b, packet);
        packet = next;
    }
    mshr_remove(&bank->mshr, m);
    l3->in_flight--;
}

struct l3_victim l3_take_victim(struct l3 *l3, uint32_t b)
{
    struct l3_bank *bank = &l3->bank[b];
    struct l3_victim victim = bank->victim[bank->victim_head];

    assert(bank->victim_count > 0);
    bank->victim_head = (bank->victim_head + 1) % bank->victim_size;
    if (--bank->victim_count == 0)
        l3->sending &= ~(UINT32_C(1) << b);
    return victim;
}

void l3_repartition(struct l3 *l3, uint32_t ways,
                    void (*flush)(void *ctx, uint64_t line), void *ctx)
{
    for (uint32_t b = 0; b < l3->banks; b++) {
        struct l3_bank *bank = &l3->bank[b];
        uint32_t entries = bank->cache.sets * bank->cache.max_ways;

        for (uint32_t entry = 0; entry < entries; entry++)
            if (bank->cache.flags[entry] & CACHE_DIRTY) {
                flush(ctx, bank->cache.tag[entry]);
                l3->stats->l3_flushed++;
            }
        cache_clear(&bank->cache, ways);
    }
}

bool l3_has_place(const struct l3 *l3, uint64_t line)
{
    const struct cache *cache = &l3->bank[l3_bank_at(l3, l3_index(l3, line))].cache;

    return (cache->flags[cache_victim(cache, set_of(l3, line))] & CACHE_VALID) == 0;
}

bool l3_warm(struct l3 *l3, uint64_t line, bool write, uint64_t *victim)
{
    struct l3_bank *bank = &l3->bank[l3_bank_at(l3, l3_index(l3, line))];
    uint32_t set = set_of(l3, line), entry = cache_find(&bank->cache, set, line);
    bool missed = entry == CACHE_NONE;

    *victim = 0;
    if (missed && mshr_find(&bank->mshr, line) != MSHR_NONE)
        return false;
    if (missed) {
        entry = cache_victim(&bank->cache, set);
        if (bank->cache.flags[entry] & CACHE_DIRTY)
            *victim = bank->cache.tag[entry];
        cache_fill(&bank->cache, set, entry, line, false);
    } else {
        cache_touch(&bank->cache, set, entry);
    }
    bank->bytes[entry] = ALL_BYTES;
    if (write)
        modify(bank, entry, ALL_BYTES);
    return missed;
}
