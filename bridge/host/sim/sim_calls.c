/* sim_calls.c - what the engine reports while it runs a window (host.h): counters,
 * tokens for the memory side, the event log; and the runs of threads that it asks for.
 */
#include <assert.h>

#include "bridge/host/sim/sim_state.h"
#include "igpu/grow.h"

static void add_event(struct sim_tile *t, struct sim_event_list *list,
                      const struct sim_event *event)
{
    if (!IGPU_APPEND(list->event, list->count, list->capacity, *event))
        t->out_of_memory = true;
}

void sim_log(struct sim *s, const struct sim_event *event)
{
    add_event(&s->tile[event->tile], &s->tile[event->tile].log, event);
}

static void add_token(struct sim *s, const struct sim_event *event)
{
    struct sim_tile *t = &s->tile[event->tile];

    add_event(t, &t->tokens, event);
    if (s->options.log)
        sim_log(s, event);
}

static void lock(struct sim *s)
{
    if (s->options.host_threads > 1)
        (void)pthread_mutex_lock(&s->lock);
}

static void unlock(struct sim *s)
{
    if (s->options.host_threads > 1)
        (void)pthread_mutex_unlock(&s->lock);
}

/* A thread will have issued all of its runs when it ends: without a call for each issue
 * its messages are counted here, and lines of code always. */
static void give(const struct sim *s, struct sim_tile *t, struct sim_slot *slot,
                 struct uop_run run)
{
    uint32_t lines;

    if (run.len == 0)
        return;
    lines = s->facts[run.pc + run.len + run.ahead - 1].last_line -
            s->facts[run.pc].first_line + 1;
    t->code_lines += lines;
    slot->run[slot->runs++ % SIM_RUNS] =
        (struct sim_run){(uint32_t)(slot->given - slot->ended), (uint16_t)lines, 0, 0};
    slot->given += run.len;
    if (s->counted)
        slot->issues->sends +=
            s->facts[run.pc + run.len].sends - s->facts[run.pc].sends;
}

_Static_assert((int)PROFILE_STAGES == (int)TRACE_STAGES, "a profile has every stage");

static struct uop_run on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                              uint32_t thread, uint8_t bslot, uint64_t cycle)
{
    struct sim *s = ctx;
    struct sim_event event = {cycle,       thread,        SIM_OPEN, (uint8_t)tile,
                              (uint8_t)eu, (uint8_t)slot, bslot};
    struct uop_run run;

    add_token(s, &event);
    s->tile[tile].opened++;
    s->tile[tile].eu[eu].slot[slot].bslot = bslot;
    s->tile[tile].eu[eu].used = true;
    eu_counters_open(&s->tile[tile].eu[eu].counters, cycle);
    if (s->options.watch.launch != NULL)
        s->options.watch.open(s->options.watch.ctx, tile, eu, slot, thread);
    lock(s);
    run = feeder_open(s->feeder, tile, eu, slot, thread);
    s->tile[tile].eu[eu].slot[slot].stage =
        (uint8_t)feeder_stage(s->feeder, tile, eu, slot);
    unlock(s);
    s->tile[tile].eu[eu].slot[slot].runs = 0;
    give(s, &s->tile[tile], &s->tile[tile].eu[eu].slot[slot], run);
    if (s->options.profile != NULL)
        profile_open(s->options.profile, tile, eu, slot, thread,
                     s->tile[tile].eu[eu].slot[slot].stage, cycle, run);
    return run;
}

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    struct sim *s = ctx;
    struct uop_run run;

    lock(s);
    run = feeder_next(s->feeder, tile, eu, slot);
    unlock(s);
    give(s, &s->tile[tile], &s->tile[tile].eu[eu].slot[slot], run);
    if (s->options.profile != NULL)
        profile_run(s->options.profile, tile, eu, slot, run);
    return run;
}

static void on_missed(void *ctx, unsigned tile, struct icache_who who, uint32_t misses,
                      uint32_t merged)
{
    struct sim *s = ctx;
    struct sim_slot *slot = &s->tile[tile].eu[who.eu].slot[who.slot];
    struct sim_run *run = &slot->run[(slot->runs - 1 - who.behind) % SIM_RUNS];

    run->misses = (uint16_t)misses;
    run->merged = (uint16_t)merged;
    s->tile[tile].code_misses += misses;
    s->tile[tile].code_merged += merged;
}

static void count_stage(struct sim_kinds *k, const struct host_issue *i, uint8_t stage,
                        uint32_t occ)
{
    unsigned other = i->unit ^ 1U;

    k->stage[i->unit][stage] += occ;
    k->last_stage[i->unit] = stage;
    if (i->unit <= EU_FPU1 && stage == TRACE_STAGE_PIXEL &&
        k->last_stage[other] == TRACE_STAGE_PIXEL)
        eu_counters_cover(&k->pixel_both, &k->both_until, i->cycle,
                          k->until[i->unit] < k->until[other] ? k->until[i->unit]
                                                              : k->until[other]);
}

static void count_kind(struct sim *s, const struct host_issue *i)
{
    struct sim_kinds *k = &s->eu[i->tile][i->eu]->kinds;
    const struct sim_fact *fact = &s->facts[i->uop];

    if (i->unit > EU_SEND)
        return;
    k->until[i->unit] = i->cycle + fact->occ;
    count_stage(k, i, s->eu[i->tile][i->eu]->slot[i->slot].stage, fact->occ);
    if (i->unit > EU_FPU1)
        return;
    k->busy[i->unit][fact->kind] += fact->occ;
    k->last[i->unit] = fact->kind;
}

/* Whoever wants to know of an issue. */
static void show_issue(struct sim *s, struct sim_tile *t, const struct host_issue *i)
{
    if (s->options.log &&
        !IGPU_APPEND(t->log.event, t->log.count, t->log.capacity,
                     (struct sim_event){i->cycle, i->uop, SIM_ISSUE, i->tile, i->eu,
                                        i->slot, i->unit}))
        t->out_of_memory = true;
    if (s->options.watch.launch != NULL)
        s->options.watch.issue(s->options.watch.ctx, i);
    if (s->options.execute != NULL)
        feeder_issue(s->feeder, i->tile, i->eu, i->slot, i->uop, i->cycle);
    if (s->energy != NULL)
        sim_energy_issue(s->energy, i->tile, i->uop);
    if (s->options.kinds)
        count_kind(s, i);
    if (s->options.profile != NULL)
        profile_issue(s->options.profile, i);
}

/* Called for every instruction: the looking last, so that nothing is saved for it. */
static void on_issue(void *ctx, const struct host_issue *i)
{
    struct sim *s = ctx;
    struct sim_tile *t = &s->tile[i->tile];
    struct sim_eu *eu = s->eu[i->tile][i->eu];
    struct sim_slot *slot = &eu->slot[i->slot];
    const struct sim_fact *fact = &s->facts[i->uop];

    eu->last_issue = i->cycle;
    slot->last_uop = i->uop;
    slot->responses += fact->wb;
    feeder_issued(slot->issues, fact->send);
    eu_counters_issue(&eu->counters, i->unit, i->cycle, fact->occ);
    if (s->looked)
        show_issue(s, t, i);
}

static void on_msg(void *ctx, const struct host_msg *m)
{
    struct sim *s = ctx;
    struct sim_event event = {m->cycle, m->uop, SIM_MSG, m->tile, m->eu, m->slot, 0};

    if (s->counted)
        s->tile[m->tile].eu[m->eu].slot[m->slot].responses += s->facts[m->uop].wb;
    if (s->options.profile != NULL)
        profile_grant(s->options.profile, m);
    add_token(s, &event);
}

static void thread_end(void *ctx, unsigned tile, const struct host_end *e)
{
    struct sim *s = ctx;
    struct sim_event event = {e->cycle, e->bslot, SIM_END, (uint8_t)tile,
                              e->eu,    e->slot,  0};
    struct sim_slot *slot = &s->tile[tile].eu[e->eu].slot[e->slot];

    slot->ended = slot->given;
    add_token(s, &event);
    s->tile[tile].ended++;
    if (s->options.watch.end != NULL)
        s->options.watch.end(s->options.watch.ctx, tile, e->eu, e->slot, e->cycle);
    if (s->counted)
        s->tile[tile].eu[e->eu].counters.active_until = e->cycle + e->left;
    eu_counters_end(&s->tile[tile].eu[e->eu].counters, e->cycle);
    lock(s);
    feeder_end(s->feeder, tile, e->eu, e->slot);
    unlock(s);
}

/* One EU in which a thread was opened in this launch. */
static void take_counts(struct sim_eu *eu, const struct host_counts *n)
{
    struct eu_counters was = eu->counters;

    eu->counters = n->eu;
    eu->counters.cover = was.cover;
    eu->counters.cover_until = was.cover_until;
    eu->counters.resident = was.resident;
    eu->counters.open = was.open;
    eu->counters.open_since = was.open_since;
    eu->last_issue = n->last;
    for (unsigned k = 0; k < HOST_SLOTS; k++)
        eu->slot[k].issues->all = n->issued[k] - eu->slot[k].ended;
}

void sim_calls_count(struct sim *s)
{
    struct host_counts counts;

    for (unsigned i = 0; s->counted && i < s->config->gpu_subslices; i++)
        for (unsigned j = 0; j < s->config->eu_count; j++)
            if (s->tile[i].eu[j].used) {
                s->options.engine->count(s->engine, i, j, &counts);
                take_counts(&s->tile[i].eu[j], &counts);
            }
}

/* Less what a thread that has not ended was given and has not begun. */
static void take_back(const struct sim_slot *slot, struct sim_launch_facts *facts)
{
    uint32_t most = slot->runs < SIM_RUNS ? slot->runs : SIM_RUNS;

    for (uint32_t i = 1; slot->given != slot->ended && i <= most; i++) {
        const struct sim_run *run = &slot->run[(slot->runs - i) % SIM_RUNS];

        if (run->at < slot->issues->all)
            return;
        facts->code_lines -= run->lines;
        facts->code_misses -= run->misses;
        facts->code_merged -= run->merged;
    }
    assert(slot->given == slot->ended || most < SIM_RUNS);
}

void sim_calls_code(const struct sim *s, struct sim_launch_facts *facts)
{
    for (unsigned i = 0; i < s->config->gpu_subslices; i++) {
        facts->code_lines += s->tile[i].code_lines;
        facts->code_misses += s->tile[i].code_misses;
        facts->code_merged += s->tile[i].code_merged;
        for (unsigned j = 0; j < s->config->eu_count; j++)
            for (unsigned k = 0; k < s->config->eu_threads; k++)
                take_back(&s->tile[i].eu[j].slot[k], facts);
    }
}

static enum profile_tells told(const struct host_engine_ops *engine)
{
    if (engine->thread != NULL)
        return PROFILE_TELLS_WAITS;
    return engine->fetches ? PROFILE_TELLS_FETCHES : PROFILE_TELLS_ISSUES;
}

struct host_calls sim_calls(struct sim *s)
{
    bool listed = s->counted && s->options.profile != NULL;

    if (s->options.profile != NULL)
        profile_tells(s->options.profile,
                      listed ? told(s->options.engine) : PROFILE_TELLS_ISSUES);
    return (struct host_calls){s,
                               on_open,
                               on_next,
                               s->counted ? NULL : on_issue,
                               listed ? profile_list(s->options.profile) : NULL,
                               on_msg,
                               thread_end,
                               s->options.execute != NULL,
                               on_missed};
}
