/* profile.c - see igpu/profile.h: launches, and buffers of what the engine reports. */
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"

bool profile_room(void **array, uint32_t count, uint32_t *room, size_t size)
{
    uint32_t more = *room == 0 ? 64 : 2 * *room;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*array, more * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

enum igpu_status profile_create(struct profile **profile,
                                const struct igpu_config *config, enum profile_by by,
                                struct igpu_err *err)
{
    struct profile *p = calloc(1, sizeof(*p));
    enum igpu_status status = IGPU_OK;

    *profile = NULL;
    if (p == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "profile: out of memory");
    p->config = config;
    p->by = by;
    for (unsigned i = 0; i < config->gpu_subslices && status == IGPU_OK; i++) {
        for (unsigned j = 0; j < HOST_EUS; j++) {
            p->tile[i].eu[j].tile = (uint8_t)i;
            p->tile[i].eu[j].id = (uint8_t)j;
        }
        status = icache_create(&p->tile[i].icache, config, err);
    }
    if (status != IGPU_OK)
        profile_destroy(p);
    else
        *profile = p;
    return status;
}

static void free_result(struct profile_result *r)
{
    free(r->inst);
    free(r->edge);
    free(r->send);
    free(r->part);
    memset(r, 0, sizeof(*r));
}

static void free_tile(struct profile_tile *tile)
{
    for (unsigned j = 0; j < HOST_EUS; j++) {
        struct profile_eu *eu = &tile->eu[j];

        free(eu->event);
        for (unsigned k = 0; k < EU_UNITS; k++)
            free(eu->unit[k].past);
        for (unsigned k = 0; k < HOST_SLOTS; k++)
            free(eu->thread[k].runs.run);
    }
    free(tile->grant);
    free(tile->back);
    free(tile->zero);
    icache_destroy(tile->icache);
}

void profile_destroy(struct profile *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        free_tile(&p->tile[i]);
    for (uint32_t i = 0; i < p->results; i++)
        free_result(&p->result[i]);
    free_result(&p->now);
    free(p->result);
    free(p->uops);
    free(p->source);
    free(p);
}

/* ---- a launch begins ---- */

static enum igpu_status load(struct profile *p, const struct uop *uops, uint32_t count,
                             struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    free(p->uops);
    free(p->source);
    p->uops = malloc(count * sizeof(*p->uops));
    p->source = malloc(count * sizeof(*p->source));
    if (p->uops == NULL || p->source == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "profile: out of memory");
    memcpy(p->source, uops, count * sizeof(*uops));
    for (unsigned i = 0; i < p->config->gpu_subslices && status == IGPU_OK; i++)
        status = icache_load(p->tile[i].icache, p->source, count, err);
    return status == IGPU_OK ? ref_timing_decode(p->uops, uops, count, p->config, err)
                             : status;
}

static enum igpu_status make_result(struct profile *p, const struct uop *uops,
                                    uint32_t count, struct igpu_err *err)
{
    struct profile_result *r = &p->now;
    uint32_t sends = 0;

    for (uint32_t i = 0; i < count; i++)
        sends += uops[i].unit == UOP_SEND && !(uops[i].flags & UOP_EOT);
    r->count = count;
    r->sends = sends;
    r->part = r->parts != 0 ? calloc(r->parts, sizeof(*r->part)) : NULL;
    r->inst = calloc(count, sizeof(*r->inst));
    r->send = calloc(sends + 1, sizeof(*r->send));
    if (r->inst == NULL || r->send == NULL || (r->parts != 0 && r->part == NULL))
        return igpu_fail(err, IGPU_SIM_ERROR, "profile: out of memory");
    sends = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool send = uops[i].unit == UOP_SEND && !(uops[i].flags & UOP_EOT);

        r->inst[i].edge = PROFILE_NONE;
        r->inst[i].send = send ? sends++ : PROFILE_NONE;
    }
    return IGPU_OK;
}

static uint32_t parts(const struct profile *p, const struct host_launch *launch)
{
    if (p->by == PROFILE_BY_SLOT)
        return HOST_MAX_TILES * HOST_EUS * HOST_SLOTS;
    return p->by == PROFILE_BY_GROUP
               ? (launch->threads + p->group_threads - 1) / p->group_threads
               : 0;
}

enum igpu_status profile_launch(struct profile *p, uint32_t index,
                                const struct uop *uops, uint32_t count,
                                const struct host_launch *launch, struct igpu_err *err)
{
    enum igpu_status status = load(p, uops, count, err);

    free_result(&p->now);
    p->edge_room = 0;
    p->now.launch = index;
    p->now.start = launch->cycle;
    p->group_threads = launch->tpg != 0 ? launch->tpg : 1;
    p->now.parts = parts(p, launch);
    p->oldest = launch->oldest;
    p->lost = p->out_of_memory = false;
    if (status == IGPU_OK)
        status = make_result(p, uops, count, err);
    for (unsigned i = 0; i < p->config->gpu_subslices; i++) {
        struct profile_tile *tile = &p->tile[i];

        for (unsigned j = 0; j < HOST_EUS; j++)
            profile_eu_launch(&tile->eu[j], launch->cycle);
        if (status == IGPU_OK)
            icache_launch(tile->icache);
        tile->grants = tile->backs = tile->zeros = 0;
        tile->credits = p->config->dp_queue;
        tile->zero_from = HOST_NEVER;
        tile->out_of_memory = false;
    }
    return status;
}

/* ---- what the engine reports ---- */

static void add_event(struct profile_eu *eu, uint64_t cycle, uint32_t uop,
                      unsigned slot, unsigned unit)
{
    struct profile_event e = {cycle, uop, (uint8_t)slot, (uint8_t)unit};

    if (!profile_room((void **)&eu->event, eu->events, &eu->capacity,
                      sizeof(*eu->event))) {
        eu->out_of_memory = true;
        return;
    }
    if (eu->events > 0 && eu->event[eu->events - 1].cycle > cycle)
        eu->unsorted = true;
    eu->event[eu->events++] = e;
}

void profile_run(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                 struct uop_run run)
{
    struct profile_runs *r = &p->tile[tile].eu[eu].thread[slot].runs;

    if (p->lost) /* nobody takes it any more */
        return;
    if (r->count == r->capacity) {
        uint32_t old = r->capacity;

        if (!profile_room((void **)&r->run, r->count, &r->capacity, sizeof(*r->run))) {
            p->tile[tile].eu[eu].out_of_memory = true;
            return;
        }
        /* The ring's part before its head goes behind the rest. */
        if (r->head > 0)
            memcpy(r->run + old, r->run, r->head * sizeof(*r->run));
    }
    r->run[(r->head + r->count++) % r->capacity] = run;
}

void profile_open(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t thread, uint64_t cycle, struct uop_run run)
{
    profile_run(p, tile, eu, slot, run);
    if (!p->lost)
        add_event(&p->tile[tile].eu[eu], cycle, thread, slot, EU_UNITS);
}

void profile_issue(struct profile *p, const struct host_issue *i)
{
    if (!p->lost)
        add_event(&p->tile[i->tile].eu[i->eu], i->cycle, i->uop, i->slot, i->unit);
}

void profile_grant(struct profile *p, const struct host_msg *msg)
{
    struct profile_tile *tile = &p->tile[msg->tile];

    if (!(p->uops[msg->uop].flags & UOP_PORT))
        return;
    if (!profile_room((void **)&tile->grant, tile->grants, &tile->grant_room,
                      sizeof(*tile->grant)))
        tile->out_of_memory = true;
    else
        tile->grant[tile->grants++] = msg->cycle;
}

/* ---- answers ---- */

static void count_send(struct profile_send *s, uint64_t cycle, const struct mem_way *d)
{
    uint64_t latency = cycle - d->sent;

    s->messages++;
    s->bytes += d->bytes;
    s->level[d->level]++;
    for (unsigned i = 0; i < MEM_LINE_LEVELS; i++) {
        s->from[i] += d->from[i];
        s->lines += d->from[i];
    }
    s->queued += d->queued;
    s->full += d->full;
    s->latency += latency;
    if (latency > s->latency_most)
        s->latency_most = latency;
    s->bucket[profile_bucket(latency)]++;
}

void profile_done(struct profile *p, const struct mem_done *done,
                  const struct mem_way *way)
{
    struct profile_tile *tile = &p->tile[done->subslice];
    uint32_t send = p->now.inst[done->uop].send;

    if (send != PROFILE_NONE)
        count_send(&p->now.send[send], done->cycle, way);
    if (done->wb)
        profile_eu_answer(p, &tile->eu[done->eu], done, way);
    if (!done->credit)
        return;
    if (!profile_room((void **)&tile->back, tile->backs, &tile->back_room,
                      sizeof(*tile->back)))
        tile->out_of_memory = true;
    else
        tile->back[tile->backs++] = done->cycle;
}

/* ---- credits ---- */

static void end_zero(struct profile_tile *tile, uint64_t to)
{
    uint64_t before = 0;

    if (tile->zeros > 0) {
        const struct profile_zero *last = &tile->zero[tile->zeros - 1];

        before = last->before + last->to - last->from;
    }
    if (!profile_room((void **)&tile->zero, tile->zeros, &tile->zero_room,
                      sizeof(*tile->zero))) {
        tile->out_of_memory = true;
        return;
    }
    tile->zero[tile->zeros++] = (struct profile_zero){tile->zero_from, to, before};
    tile->zero_from = HOST_NEVER;
}

/* Intervals that no wait can meet any more go before the array grows. */
static void drop_zeros(struct profile_tile *tile)
{
    uint64_t floor = HOST_NEVER;
    uint32_t n = 0;

    if (tile->zeros == 0 || tile->zeros < tile->zero_room)
        return;
    for (unsigned i = 0; i < HOST_EUS; i++)
        if (profile_floor(&tile->eu[i]) < floor)
            floor = profile_floor(&tile->eu[i]);
    while (n + 1 < tile->zeros && tile->zero[n].to < floor)
        n++;
    if (n < tile->zeros / 2)
        return;
    tile->zeros -= n;
    memmove(tile->zero, tile->zero + n, tile->zeros * sizeof(*tile->zero));
}

/* Grants and credits that come back, in ascending cycles; both are felt in the cycle
 * behind theirs. */
static void follow_credits(struct profile_tile *tile)
{
    uint32_t g = 0, b = 0;

    drop_zeros(tile);
    while (g < tile->grants || b < tile->backs) {
        uint64_t at = g < tile->grants ? tile->grant[g] : HOST_NEVER;

        if (b < tile->backs && tile->back[b] < at)
            at = tile->back[b];
        for (; b < tile->backs && tile->back[b] == at; b++)
            tile->credits++;
        for (; g < tile->grants && tile->grant[g] == at; g++)
            tile->credits--;
        if (tile->credits == 0 && tile->zero_from == HOST_NEVER)
            tile->zero_from = at + 1;
        else if (tile->credits != 0 && tile->zero_from != HOST_NEVER)
            end_zero(tile, at + 1);
    }
    tile->grants = tile->backs = 0;
}

/* ---- windows ---- */

static void drop_taken(struct profile_eu *eu)
{
    eu->events -= eu->taken;
    if (eu->events > 0)
        memmove(eu->event, eu->event + eu->taken, eu->events * sizeof(*eu->event));
    eu->taken = 0;
}

/* The first cycle in which one of the tile's EUs fetched or reports something. */
static uint64_t first_cycle(const struct profile *p, const struct profile_tile *tile)
{
    uint64_t first = HOST_NEVER;

    for (unsigned j = 0; j < p->config->eu_count; j++) {
        const struct profile_eu *eu = &tile->eu[j];

        if (eu->first_want < first)
            first = eu->first_want;
        for (uint32_t k = 0; k < (eu->unsorted ? eu->events : eu->events != 0); k++)
            if (eu->event[k].cycle < first)
                first = eu->event[k].cycle;
    }
    return first;
}

/* In steps in which no EU asks its cache icache.miss cycles behind another. */
static void step_tile(struct profile *p, struct profile_tile *tile, uint64_t until)
{
    uint64_t miss = p->config->icache_miss, at = first_cycle(p, tile);

    while (at < until) {
        at = miss == 0 || until - at < miss ? until : at + miss;
        for (unsigned j = 0; j < p->config->eu_count; j++)
            profile_eu_take(p, &tile->eu[j], at);
    }
    for (unsigned j = 0; j < p->config->eu_count; j++) {
        drop_taken(&tile->eu[j]);
        p->out_of_memory |= tile->eu[j].out_of_memory;
    }
}

void profile_step(struct profile *p, uint64_t until)
{
    for (unsigned i = 0; i < p->config->gpu_subslices && !p->lost; i++) {
        follow_credits(&p->tile[i]);
        step_tile(p, &p->tile[i], until);
        p->out_of_memory |= p->tile[i].out_of_memory;
    }
}

/* ---- a launch ends ---- */

static void end_slot(struct profile *p, struct profile_thread *th, uint64_t end)
{
    struct profile_result *r = &p->now;

    if (th->open) {
        uint32_t uop = th->fetched != HOST_NEVER ? th->head : th->run.pc;
        r->inst[uop].wait[PROFILE_UNFINISHED] += end - th->last - 1;
        r->thread_cycles += end - th->opened;
        if (th->part != NULL) {
            th->part->wait[PROFILE_UNFINISHED] += end - th->last - 1;
            th->part->thread_cycles += end - th->opened;
            th->part->last = end;
        }
    } else if (th->ended == HOST_NEVER) {
        r->empty[PROFILE_EMPTY_NEVER] += end - r->start;
    } else if (end > th->ended + 1) {
        r->empty[PROFILE_EMPTY_TAIL] += end - th->ended - 1;
    }
}

/* Thread-cycles three times: as the host counted them, from open to end here, and by
 * instruction and reason; and slots are either empty or not. */
static enum igpu_status check_sums(const struct profile *p, uint64_t resident,
                                   struct igpu_err *err)
{
    const struct profile_result *r = &p->now;
    const struct igpu_config *c = p->config;
    uint64_t by[PROFILE_REASONS], sum, slots = r->thread_cycles;

    profile_sum(r, by, &sum);
    for (unsigned i = 0; i < PROFILE_REASONS; i++)
        sum += by[i];
    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        slots += r->empty[i];
    if (sum == r->thread_cycles && (!r->complete || resident == sum) &&
        slots == (r->end - r->start) * c->gpu_subslices * c->eu_count * c->eu_threads)
        return IGPU_OK;
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "profile: launch %u: %llu thread-cycles, %llu by reason, %llu by "
                     "the counters, %llu of slots",
                     r->launch, (unsigned long long)r->thread_cycles,
                     (unsigned long long)sum, (unsigned long long)resident,
                     (unsigned long long)slots);
}

/* And so are they by part, each part in itself and all together. */
static enum igpu_status check_parts(const struct profile_result *r,
                                    struct igpu_err *err)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < r->parts; i++) {
        const struct profile_part *part = &r->part[i];
        uint64_t sum = part->issues;

        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            sum += part->wait[k];
        all += sum;
        if (sum != part->thread_cycles)
            return igpu_fail(err, IGPU_SIM_ERROR,
                             "profile: launch %u, part %u: %llu thread-cycles, %llu by "
                             "reason",
                             r->launch, i, (unsigned long long)part->thread_cycles,
                             (unsigned long long)sum);
    }
    if (r->parts == 0 || all == r->thread_cycles)
        return IGPU_OK;
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "profile: launch %u: %llu thread-cycles, %llu by part", r->launch,
                     (unsigned long long)r->thread_cycles, (unsigned long long)all);
}

enum igpu_status profile_end(struct profile *p, uint64_t end, bool complete,
                             uint64_t resident, struct igpu_err *err)
{
    enum igpu_status status;

    for (unsigned i = 0; i < p->config->gpu_subslices; i++)
        for (unsigned j = 0; j < p->config->eu_count; j++)
            for (unsigned k = 0; k < p->config->eu_threads; k++)
                end_slot(p, &p->tile[i].eu[j].thread[k], end);
    p->now.end = end;
    p->now.complete = complete;
    if (p->lost) {
        *err = p->why;
        return IGPU_SIM_ERROR;
    }
    status = check_sums(p, resident, err);
    if (status == IGPU_OK)
        status = check_parts(&p->now, err);
    if (status != IGPU_OK)
        return status;
    if (p->out_of_memory || !profile_room((void **)&p->result, p->results,
                                          &p->result_room, sizeof(*p->result)))
        return igpu_fail(err, IGPU_SIM_ERROR, "profile: out of memory");
    p->result[p->results++] = p->now;
    memset(&p->now, 0, sizeof(p->now));
    return IGPU_OK;
}

const struct profile_result *profile_results(const struct profile *p, uint32_t *count)
{
    *count = p->results;
    return p->result;
}
