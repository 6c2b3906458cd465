/* cpu.c - see cpu.h. An access is looked up in L1 and L2 when it begins; one that
 * misses both is an event of its own when it reaches the LLC's slice. */
#include "csim/mem/cpu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/clock.h"
#include "csim/mem/cpu_source.h"
#include "csim/mem/scatter.h"
#include "igpu/order.h"

#define NEVER UINT64_MAX

static uint32_t id_of(const struct cpu *cpu, const struct cpu_core *core, uint32_t n)
{
    return (uint32_t)(core - cpu->core) * AGENT_IDS_EACH + n;
}

/* ---- private caches ---- */

static uint32_t set_of(const struct cache *cache, uint64_t line)
{
    return (uint32_t)(line & (cache->sets - 1));
}

/* Look `line` up and make it the most recently used. */
static bool touch(struct cache *cache, uint64_t line, bool write)
{
    uint32_t set = set_of(cache, line), entry = cache_find(cache, set, line);

    if (entry == CACHE_NONE)
        return false;
    cache_touch(cache, set, entry);
    if (write)
        cache->flags[entry] |= CACHE_DIRTY;
    return true;
}

/* Put `line` in; true: *victim gets a modified line that has to leave. */
static bool line_put(struct cache *cache, uint64_t line, bool write, uint64_t *victim)
{
    uint32_t set = set_of(cache, line), entry;
    bool leaves;

    if (touch(cache, line, write))
        return false;
    entry = cache_victim(cache, set);
    leaves = (cache->flags[entry] & CACHE_DIRTY) != 0;
    *victim = cache->tag[entry];
    cache_fill(cache, set, entry, line, write);
    return leaves;
}

static void put_l2(struct cpu *cpu, struct cpu_core *core, uint64_t ps, uint64_t line,
                   bool write)
{
    uint64_t victim;

    if (line_put(&core->l2, line, write, &victim)) {
        cpu->stats->cpu_writebacks++;
        llc_cpu_write(cpu->llc, ps, victim);
    }
}

static void put_l1(struct cpu *cpu, struct cpu_core *core, uint64_t ps, uint64_t line,
                   bool write)
{
    uint64_t victim;

    if (line_put(&core->l1, line, write, &victim))
        put_l2(cpu, core, ps, victim, true);
}

static bool drop(struct cache *cache, uint64_t line, bool *modified)
{
    uint32_t set = set_of(cache, line), entry = cache_find(cache, set, line);

    if (entry == CACHE_NONE)
        return false;
    *modified = *modified || (cache->flags[entry] & CACHE_DIRTY) != 0;
    cache_drop(cache, set, entry);
    return true;
}

static bool evict(void *self, uint64_t line)
{
    struct cpu *cpu = self;
    bool modified = false, had = false;

    for (uint32_t i = 0; i < cpu->cores; i++) {
        had |= drop(&cpu->core[i].l1, line, &modified);
        had |= drop(&cpu->core[i].l2, line, &modified);
    }
    cpu->stats->cpu_back_invalidated += had;
    return modified;
}

/* ---- accesses ---- */

/* The place that is free first, and when; NEVER: none is known to get free. */
static uint32_t choose_slot(const struct cpu_core *core, uint64_t *free_ps)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < core->slots; i++)
        if (core->slot[i].free_ps < core->slot[best].free_ps)
            best = i;
    *free_ps = core->slot[best].free_ps;
    return best;
}

/* When every access before has its data. */
static uint64_t all_free(const struct cpu_core *core)
{
    uint64_t ps = 0;

    for (uint32_t i = 0; i < core->slots; i++)
        ps = igpu_later(ps, core->slot[i].free_ps);
    return ps;
}

static void count(struct cpu *cpu, const struct cpu_slot *slot)
{
    cpu->stats->cpu_requests++;
    cpu->stats->cpu_latency_ns_sum += slot->free_ps - slot->issued_ps;
}

/* Served by a private cache after `latency`. */
static void served(struct cpu *cpu, struct cpu_core *core, struct cpu_slot *slot,
                   uint64_t latency)
{
    slot->free_ps = slot->issued_ps + latency;
    core->next_ps = slot->issued_ps + latency;
    core->stage = CPU_PRIVATE;
    count(cpu, slot);
}

static void begin_next(struct cpu *cpu, struct cpu_core *core);

/* A stream's threads begin a lap together (cpu.meet). True: others are to come. */
static bool meet(struct cpu *cpu, struct cpu_core *core)
{
    if (cpu->agent != CPU_STREAM || cpu->config->cpu_meet == 0 || core->at != 0 ||
        core->stage == CPU_MEETING)
        return false;
    core->stage = CPU_MEETING;
    core->next_ps = NEVER;
    if (++cpu->met < cpu->cores)
        return true;
    cpu->met = 0;
    for (uint32_t i = 0; i < cpu->cores; i++) {
        cpu->core[i].last_issue_ps = core->last_issue_ps;
        begin_next(cpu, &cpu->core[i]);
    }
    return true;
}

/* Begin the core's next access as soon as a place is free. */
static void begin_next(struct cpu *cpu, struct cpu_core *core)
{
    uint64_t free_ps, issue;
    struct cpu_slot *slot;

    if (!core->have_next && meet(cpu, core))
        return;
    if (!core->have_next && !cpu_source_next(cpu, core)) {
        core->next_ps = NEVER;
        core->stage = CPU_WAITING;
        return;
    }
    core->current = choose_slot(core, &free_ps);
    if (core->next_dependent)
        free_ps = all_free(core);
    if (free_ps == NEVER) {
        core->next_ps = NEVER;
        core->stage = CPU_WAITING;
        return;
    }
    issue = igpu_later(free_ps, core->last_issue_ps + core->next_gap_ps);
    core->have_next = false;
    core->last_issue_ps = issue;
    slot = &core->slot[core->current];
    *slot = (struct cpu_slot){issue, NEVER, core->next_line, core->next_write};
    if (touch(&core->l1, slot->line, slot->write)) {
        cpu->stats->cpu_l1_hits++;
        served(cpu, core, slot, cpu->l1_ps);
    } else if (touch(&core->l2, slot->line, false)) {
        cpu->stats->cpu_l2_hits++;
        put_l1(cpu, core, issue, slot->line, slot->write);
        served(cpu, core, slot, cpu->l2_ps);
    } else {
        core->next_ps = issue + cpu->l2_ps + cpu->llc->cpu_there_ps;
        core->stage = CPU_ARRIVING;
    }
}

/* The L2's spatial prefetcher completes the pair of lines of every demand miss. */
static void prefetch_pair(struct cpu *cpu, struct cpu_core *core, uint64_t ps,
                          uint64_t line)
{
    uint32_t n = (uint32_t)__builtin_ctz(~core->pairs);
    uint64_t pair = line ^ 1, data_ps;

    if (n >= AGENT_PREFETCHES ||
        cache_find(&core->l2, set_of(&core->l2, pair), pair) != CACHE_NONE)
        return;
    switch (llc_cpu_read(cpu->llc, ps, pair, id_of(cpu, core, AGENT_LINES + n), true,
                         &data_ps)) {
    case LLC_CPU_HIT:
        put_l2(cpu, core, ps, pair, false);
        break;
    case LLC_CPU_WAIT:
        core->pairs |= UINT32_C(1) << n;
        core->pair[n] = pair;
        break;
    case LLC_CPU_BUSY:
        return;
    }
    cpu->stats->cpu_prefetches++;
}

/* The access of `current` is at the LLC. */
static void arrive(struct cpu *cpu, struct cpu_core *core, uint64_t ps)
{
    struct cpu_slot *slot = &core->slot[core->current];
    uint64_t data_ps, line = slot->line;

    switch (llc_cpu_read(cpu->llc, ps, line, id_of(cpu, core, core->current), false,
                         &data_ps)) {
    case LLC_CPU_BUSY:
        core->next_ps = ps + LLC_RETRY_PS;
        return;
    case LLC_CPU_HIT:
        slot->free_ps = data_ps;
        count(cpu, slot);
        put_l2(cpu, core, ps, line, false);
        put_l1(cpu, core, ps, line, slot->write);
        break;
    case LLC_CPU_WAIT:
        break;
    }
    if (cpu->config->cpu_adjacent != 0 && cpu->agent != CPU_STREAM)
        prefetch_pair(cpu, core, ps, line);
    begin_next(cpu, core);
}

static void set_next(struct cpu *cpu)
{
    uint64_t next_ps = NEVER;

    for (uint32_t i = 0; i < cpu->cores; i++)
        if (cpu->core[i].next_ps < next_ps)
            next_ps = cpu->core[i].next_ps;
    cpu->llc->agents.next_ps = next_ps;
}

void cpu_launch(struct cpu *cpu)
{
    cpu->launches++;
}

/* Of launch cpu.start on. */
static void rouse(void *self, uint64_t ps)
{
    struct cpu *cpu = self;

    if (cpu->launches < cpu->config->cpu_start)
        return;
    cpu->llc->agents.asleep = false;
    for (uint32_t i = 0; i < cpu->cores; i++) {
        cpu->core[i].next_ps = ps;
        cpu->core[i].last_issue_ps = ps;
    }
    cpu->llc->agents.next_ps = ps;
}

static void agents_run(void *self, uint64_t ps)
{
    struct cpu *cpu = self;

    for (uint32_t i = 0; i < cpu->cores; i++) {
        struct cpu_core *core = &cpu->core[i];

        if (core->next_ps != ps)
            continue;
        if (core->stage == CPU_ARRIVING)
            arrive(cpu, core, ps);
        else
            begin_next(cpu, core);
    }
    set_next(cpu);
}

static void line_fill(void *self, uint32_t id, uint64_t ps)
{
    struct cpu *cpu = self;
    struct cpu_core *core = &cpu->core[id / AGENT_IDS_EACH];
    uint32_t n = id % AGENT_IDS_EACH;

    if (n >= AGENT_LINES) {
        n -= AGENT_LINES;
        core->pairs &= ~(UINT32_C(1) << n);
        put_l2(cpu, core, ps, core->pair[n], false);
        return;
    }
    core->slot[n].free_ps = ps;
    count(cpu, &core->slot[n]);
    put_l2(cpu, core, ps, core->slot[n].line, false);
    put_l1(cpu, core, ps, core->slot[n].line, core->slot[n].write);
    if (core->stage == CPU_WAITING) {
        begin_next(cpu, core);
        set_next(cpu);
    }
}

/* ---- building ---- */

static bool init_core(struct cpu *cpu, struct cpu_core *core)
{
    const struct igpu_config *c = cpu->config;

    core->slots = cpu->agent == CPU_CHASE ? 1 : (uint32_t)c->cpu_lines;
    return cache_init(&core->l1, (uint32_t)(c->cpu_l1_bytes / 64 / c->cpu_l1_ways),
                      (uint32_t)c->cpu_l1_ways) &&
           cache_init(&core->l2, (uint32_t)(c->cpu_l2_bytes / 64 / c->cpu_l2_ways),
                      (uint32_t)c->cpu_l2_ways);
}

/* They have something to do: at once, or when they are roused. */
static void lap_begin(struct cpu *cpu)
{
    struct agents *agents = &cpu->llc->agents;

    agents->asleep = cpu->config->cpu_start > 1;
    agents->next_ps = agents->asleep ? NEVER : 0;
}

static bool wants_pair(void *self)
{
    return cpu_source_wants_pair(self);
}

bool cpu_init(struct cpu *cpu, const struct igpu_config *config, struct llc *llc,
              struct mem_stats *stats)
{
    memset(cpu, 0, sizeof(*cpu));
    cpu->config = config;
    cpu->llc = llc;
    cpu->stats = stats;
    cpu->agent = (uint32_t)config->cpu_agent;
    if (cpu->agent == CPU_NONE)
        return true;
    llc->agents = (struct agents){cpu,        NEVER,     false, rouse,
                                  agents_run, line_fill, evict, wants_pair};
    cpu->cores = cpu_source_threads(config);
    cpu->l1_ps = clock_ps(config->cpu_l1_latency, config->cpu_clock_hz);
    cpu->l2_ps = clock_ps(config->cpu_l2_latency, config->cpu_clock_hz);
    cpu->gap_ps = clock_ps(config->cpu_gap, config->cpu_clock_hz);
    cpu->page_line_bits = (uint32_t)__builtin_ctzll(config->cpu_page_bytes / 64);
    cpu->core = calloc(cpu->cores, sizeof(*cpu->core));
    if (cpu->core == NULL)
        return false;
    for (uint32_t i = 0; i < cpu->cores; i++)
        if (!init_core(cpu, &cpu->core[i]))
            return false;
    if (cpu->agent == CPU_TRACE)
        return true; /* starts with its list */
    cpu_source_init(cpu);
    if (config->cpu_warm != 0)
        cpu_source_warm(cpu);
    lap_begin(cpu);
    return true;
}

bool cpu_set_list(struct cpu *cpu, const struct cpu_access *list, uint32_t count)
{
    assert(cpu->agent == CPU_TRACE && cpu->list == NULL && count > 0);
    cpu->list = malloc(count * sizeof(*list));
    if (cpu->list == NULL)
        return false;
    memcpy(cpu->list, list, count * sizeof(*list));
    cpu->list_count = count;
    lap_begin(cpu);
    return true;
}

void cpu_free(struct cpu *cpu)
{
    for (uint32_t i = 0; cpu->core != NULL && i < cpu->cores; i++) {
        cache_free(&cpu->core[i].l1);
        cache_free(&cpu->core[i].l2);
    }
    free(cpu->core);
    free(cpu->list);
    cpu->core = NULL;
    cpu->list = NULL;
}
