/* profile.c - see igpu/profile.h: launches, and buffers of what the engine reports. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"

/* For host_list.more. */
static bool more(struct host_list *list)
{
    size_t used = (size_t)(list->next - list->first),
           room = used == 0 ? 1024 : 2 * used;

    if (!IGPU_RESIZE(list->first, room)) {
        list->failed = true;
        return false;
    }
    list->next = list->first + used;
    list->end = list->first + room;
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
        return igpu_no_memory(err, "profile");
    p->config = config;
    p->by = by;
    for (unsigned i = 0; i < HOST_MAX_TILES * HOST_EUS; i++)
        p->list[i].more = more;
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

static void free_tile(struct profile_tile *tile)
{
    for (unsigned j = 0; j < HOST_EUS; j++) {
        struct profile_eu *eu = &tile->eu[j];

        free(eu->send.past);
        free(eu->branch.past);
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
        profile_result_free(&p->result[i]);
    profile_result_free(&p->now);
    free(p->result);
    for (unsigned i = 0; i < HOST_MAX_TILES * HOST_EUS; i++)
        free(p->list[i].first);
    free(p->waits);
    free(p->uop);
    free(p->bits);
    free(p->uops);
    free(p->source);
    free(p);
}

/* ---- a launch begins ---- */

/* Where the engine may sum waits: unless threads are told apart. */
static bool sum_waits(struct profile *p, uint32_t count)
{
    bool sums = p->tells == PROFILE_TELLS_WAITS && p->by == PROFILE_BY_INST;

    free(p->waits);
    p->waits = sums ? calloc(count, sizeof(*p->waits)) : NULL;
    for (uint32_t i = 0; p->waits != NULL && i < count; i++)
        p->waits[i].producer = PROFILE_NONE;
    for (unsigned i = 0; i < HOST_MAX_TILES * HOST_EUS; i++)
        p->list[i].waits = p->waits;
    return !sums || p->waits != NULL;
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
    if (!sum_waits(p, count))
        return igpu_no_memory(err, "profile");
    r->send = calloc(sends + 1, sizeof(*r->send));
    if (r->inst == NULL || r->send == NULL || (r->parts != 0 && r->part == NULL))
        return igpu_no_memory(err, "profile");
    sends = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool send = uops[i].unit == UOP_SEND && !(uops[i].flags & UOP_EOT);

        r->inst[i].edge = PROFILE_NONE;
        r->send[sends].low = UINT64_MAX;
        r->inst[i].send = send ? sends++ : PROFILE_NONE;
    }
    return IGPU_OK;
}

static uint32_t parts(const struct profile *p, uint32_t threads)
{
    if (p->by == PROFILE_BY_SLOT)
        return HOST_MAX_TILES * HOST_EUS * HOST_SLOTS;
    if (p->by == PROFILE_BY_STAGE)
        return PROFILE_STAGES;
    return p->by == PROFILE_BY_GROUP
               ? (threads + p->group_threads - 1) / p->group_threads
               : 0;
}

enum igpu_status profile_launch(struct profile *p, uint32_t index,
                                const struct uop *uops, uint32_t count,
                                const struct host_launch *launch, struct igpu_err *err)
{
    enum igpu_status status = profile_load(p, uops, count, err);

    profile_result_free(&p->now);
    p->edge_room = 0;
    memset(p->late, 0, sizeof(p->late));
    p->now.launch = index;
    p->now.start = launch->cycle;
    p->group_threads = launch->tpg != 0 ? launch->tpg : 1;
    p->now.parts = parts(p, launch->threads);
    p->oldest = launch->oldest;
    p->lost = p->out_of_memory = false;
    if (status == IGPU_OK)
        status = make_result(p, uops, count, err);
    for (unsigned i = 0; i < p->config->gpu_subslices; i++) {
        struct profile_tile *tile = &p->tile[i];

        for (unsigned j = 0; j < HOST_EUS; j++) {
            struct host_list *list = profile_list_of(p, &tile->eu[j]);

            profile_eu_launch(&tile->eu[j], launch->cycle);
            list->next = list->first;
        }
        if (status == IGPU_OK)
            icache_launch(tile->icache);
        tile->grants = tile->backs = tile->zeros = 0;
        tile->credits = p->config->dp_queue;
        tile->zero_from = HOST_NEVER;
        tile->until = launch->cycle;
        tile->none[tile->until % PROFILE_ZERO_RING] = 0;
        tile->out_of_memory = false;
    }
    return status;
}

enum igpu_status profile_extend(struct profile *p, uint32_t threads,
                                struct igpu_err *err)
{
    struct profile_result *r = &p->now;
    uint32_t count = parts(p, threads);
    struct profile_part *more;

    if (count <= r->parts)
        return IGPU_OK;
    more = calloc(count, sizeof(*more));
    if (more == NULL)
        return igpu_no_memory(err, "profile");
    if (r->parts > 0)
        memcpy(more, r->part, r->parts * sizeof(*more));
    for (unsigned i = 0; i < HOST_MAX_TILES * HOST_EUS * HOST_SLOTS; i++) {
        struct profile_tile *tile = &p->tile[i / HOST_SLOTS / HOST_EUS];
        struct profile_thread *th =
            &tile->eu[i / HOST_SLOTS % HOST_EUS].thread[i % HOST_SLOTS];

        if (th->open && th->part != NULL)
            th->part = more + (th->part - r->part);
    }
    free(r->part);
    r->part = more;
    r->parts = count;
    return IGPU_OK;
}

/* ---- what the engine reports ---- */

void profile_tells(struct profile *p, enum profile_tells tells)
{
    p->tells = tells;
}

void profile_watch(struct profile *p, struct profile_watch watch)
{
    p->watch = watch;
}

void profile_thread(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                    uint64_t last, uint32_t next)
{
    struct profile_thread *th = &p->tile[tile].eu[eu].thread[slot];

    th->last = last;
    th->run.pc = next;
}

struct host_list *profile_list(struct profile *p)
{
    return p->list;
}

/* An engine may report opens behind issues that come later. */
static void add_open(struct profile *p, struct profile_eu *eu, struct host_listed open)
{
    struct host_list *list = profile_list_of(p, eu);
    struct host_listed *at;

    host_list_issue(list, open.slot, open.unit, open.uop, open.cycle);
    if (list->next == list->first)
        return;
    for (at = list->next - 1;
         at > list->first + eu->events && at[-1].cycle > open.cycle; at--)
        at[0] = at[-1];
    *at = open;
}

void profile_run(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                 struct uop_run run)
{
    struct profile_runs *r = &p->tile[tile].eu[eu].thread[slot].runs;

    if (p->lost || p->tells == PROFILE_TELLS_WAITS) /* nobody takes it */
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
                  uint32_t thread, unsigned stage, uint64_t cycle, struct uop_run run)
{
    uint32_t number = p->by == PROFILE_BY_STAGE ? stage : thread;

    profile_run(p, tile, eu, slot, run);
    if (!p->lost)
        add_open(p, &p->tile[tile].eu[eu],
                 (struct host_listed){.cycle = cycle,
                                      .uop = number,
                                      .slot = (uint8_t)slot,
                                      .unit = PROFILE_OPEN,
                                      .producer = run.pc});
}

void profile_issue(struct profile *p, const struct host_issue *i)
{
    host_list_issue(&p->list[i->tile * HOST_EUS + i->eu], i->slot, i->unit, i->uop,
                    i->cycle);
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

/* ---- windows ---- */

/* The first cycle in which one of the tile's EUs fetched or reports something. */
static uint64_t first_cycle(struct profile *p, const struct profile_tile *tile)
{
    uint64_t first = HOST_NEVER;

    for (unsigned j = 0; j < p->config->eu_count; j++) {
        const struct profile_eu *eu = &tile->eu[j];
        const struct host_list *list = profile_list_of(p, eu);

        if (eu->want[eu->want_first % PROFILE_WANTS] >> 3 < first)
            first = eu->want[eu->want_first % PROFILE_WANTS] >> 3;
        if (list->next - list->first > (ptrdiff_t)eu->events &&
            list->first[eu->events].cycle < first)
            first = list->first[eu->events].cycle;
    }
    return first;
}

/* Events that no wait can look at any more leave; what an engine that runs ahead has
 * reported stays. */
static void drop_events(struct profile *p, struct profile_eu *eu)
{
    struct host_list *list = profile_list_of(p, eu);
    size_t room = (size_t)((const char *)list->end - (const char *)list->next);
    size_t size = (size_t)((const char *)list->end - (const char *)list->first);
    uint64_t floor;
    uint32_t old = 0;

    p->out_of_memory |= eu->out_of_memory | list->failed;
    if (room >= size / 4) /* in bytes: no division by 48 */
        return;
    floor = profile_floor(eu);
    while (old < eu->events && list->first[old].cycle < floor)
        old++;
    eu->events -= old;
    list->next -= old;
    memmove(list->first, list->first + old,
            (size_t)(list->next - list->first) * sizeof(*list->first));
}

/* In steps in which no EU asks its cache icache.miss cycles behind another. */
static void step_tile(struct profile *p, struct profile_tile *tile, uint64_t until)
{
    bool follow = p->tells == PROFILE_TELLS_ISSUES;
    uint64_t miss = follow ? p->config->icache_miss : 0;
    uint64_t at = follow ? first_cycle(p, tile) : 0;

    while (at < until) {
        at = miss == 0 || until - at < miss ? until : at + miss;
        for (unsigned j = 0; j < p->config->eu_count; j++)
            profile_eu_take(p, &tile->eu[j], at);
    }
    for (unsigned j = 0; j < p->config->eu_count; j++)
        drop_events(p, &tile->eu[j]);
}

void profile_step(struct profile *p, uint64_t until)
{
    for (unsigned i = 0; i < p->config->gpu_subslices && !p->lost; i++) {
        profile_credit_step(&p->tile[i]);
        step_tile(p, &p->tile[i], until);
        p->out_of_memory |= p->tile[i].out_of_memory;
    }
    for (unsigned i = 0; p->lost && i < HOST_MAX_TILES * HOST_EUS; i++) {
        p->list[i].next = p->list[i].first; /* nobody takes them any more */
        p->tile[i / HOST_EUS].eu[i % HOST_EUS].events = 0;
    }
}

/* ---- a launch ends ---- */

/* `cycles` behind the last issue of a thread that was stopped; its dispatch was counted
 * when it was opened. */
static void unfinished(uint64_t *wait, const struct profile_thread *th, uint64_t end)
{
    bool begun = th->last >= th->opened + PROFILE_DISPATCHED;

    wait[PROFILE_UNFINISHED] += begun ? end - th->last - 1 : end - th->opened;
    wait[PROFILE_DISPATCH] -= begun ? 0 : PROFILE_DISPATCHED;
}

static void end_slot(struct profile *p, struct profile_thread *th, uint64_t end)
{
    struct profile_result *r = &p->now;

    if (th->open) {
        unfinished(r->inst[profile_eu_next(p, th)].wait, th, end);
        r->thread_cycles += end - th->opened;
        if (th->part != NULL) {
            unfinished(th->part->wait, th, end);
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

static void add_wait(struct profile *p, uint32_t i, const struct host_waits *w)
{
    struct profile_inst *inst = &p->now.inst[i];

    inst->issues += w->issues;
    inst->wait[PROFILE_FRONT_END] += w->front;
    inst->wait[PROFILE_ICACHE] += w->icache;
    inst->wait[PROFILE_FETCH] += w->fetch;
    inst->wait[PROFILE_OTHER] += w->taken;
    inst->wait[PROFILE_UNIT] += w->unit;
    profile_blame(p, i, PROFILE_OPERAND, w->operand, w->producer);
}

/* What was summed, by the engine or here, as if each had been added by itself. */
static void add_waits(struct profile *p)
{
    for (uint32_t i = 0; i < p->now.count; i++)
        add_wait(p, i, p->waits != NULL ? &p->waits[i] : &p->uop[i].sum);
}

enum igpu_status profile_end(struct profile *p, uint64_t end, bool complete,
                             uint64_t resident, struct igpu_err *err)
{
    enum igpu_status status;

    add_waits(p);
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
        return igpu_no_memory(err, "profile");
    p->result[p->results++] = p->now;
    memset(&p->now, 0, sizeof(p->now));
    return IGPU_OK;
}

const struct profile_result *profile_results(const struct profile *p, uint32_t *count)
{
    *count = p->results;
    return p->result;
}
