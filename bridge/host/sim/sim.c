/* sim.c - see sim.h and sim_state.h. One window of time [now, until):
 *
 *   memory side up to now      every message below now has been sent
 *   DONEs below until          to the engine
 *   engine up to until         makes issues, messages, opens, ends
 *   opens, ends, messages      in ascending (cycle, tile) to the memory side
 *
 * Nothing made in a window can matter before its end, because the window is no
 * longer than the shortest token latency; sim_tokens_deliver() asserts it. */
#include <stdio.h>
#include <stdlib.h>

#include "bridge/host/sim/sim_state.h"

/* No instruction for this long while threads are open means a deadlock that keeps
 * some unit awake. Longer than any memory access by orders of magnitude. */
#define STALL_LIMIT_CYCLES UINT64_C(50000000)

/* No thread of an executed launch came or went for so long: are they of any use? */
#define WATCH_CYCLES UINT64_C(1000000)

/* ---- building ---- */

static void find_eus(struct sim *s)
{
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        for (unsigned j = 0; j < HOST_EUS; j++) {
            s->eu[i][j] = &s->tile[i].eu[j];
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                s->eu[i][j]->slot[k].issues = feeder_issues(s->feeder, i, j, k);
        }
}

/* A DRAM command, to whoever wants to know. */
/* Does somebody ask how messages went? */
static bool wants_ways(const struct sim_options *o)
{
    return o->profile != NULL || o->messages.sent != NULL || o->log;
}

static void on_dram(void *ctx, const struct dram_issue *issue)
{
    struct sim *s = ctx;

    if (s->energy != NULL)
        power_dram_command(s->energy->dram, issue);
    if (s->options.dram != NULL)
        s->options.dram(s->options.dram_ctx, issue);
}

const struct heat *sim_heat(const struct sim *s)
{
    return s->options.heat;
}

enum igpu_status sim_create(struct sim **sim, struct trace_reader *reader,
                            const struct sim_options *options, struct igpu_err *err)
{
    struct sim *s = calloc(1, sizeof(*s));
    struct host_calls calls;
    enum igpu_status status;

    *sim = NULL;
    if (s == NULL)
        return igpu_no_memory(err, "simulation");
    s->options = *options;
    s->looked = options->log || options->watch.launch != NULL || options->energy ||
                options->kinds || options->execute != NULL ||
                (options->profile != NULL && !options->engine->lists);
    s->counted = !s->looked && options->engine->count != NULL;
    calls = sim_calls(s);
    s->config = options->config;
    s->reader = reader;
    s->mem = options->mem;
    s->launch = options->first_launch;
    s->window = options->window != 0 ? options->window : sim_window(s->config);
    (void)pthread_mutex_init(&s->lock, NULL);
    s->facts = calloc(UOP_MAX_KERNEL + 1, sizeof(*s->facts));
    if (s->facts == NULL)
        status = igpu_no_memory(err, "simulation");
    else
        status = feeder_create(&s->feeder, reader, s->config, err);
    if (status == IGPU_OK)
        feeder_pick(s->feeder, options->part, options->parts);
    if (status == IGPU_OK && options->execute != NULL)
        status = feeder_execute(s->feeder, options->execute, options->beside, err);
    if (status == IGPU_OK && s->mem == NULL)
        status = mem_create(&s->mem, s->config, err);
    if (status == IGPU_OK && options->cpu_count != 0)
        status = mem_cpu_trace(s->mem, options->cpu_list, options->cpu_count, err);
    if (status == IGPU_OK)
        status = igpu_config_engine(s->config, options->engine->name, err);
    if (status == IGPU_OK)
        status = options->engine->create(&s->engine, s->config, &calls, err);
    if (status == IGPU_OK && options->energy)
        status = sim_energy_create(&s->energy, s->config,
                                   options->last_launch - options->first_launch + 1,
                                   options->start, err);
    if (status == IGPU_OK && (s->energy != NULL || options->dram != NULL))
        mem_watch_dram(s->mem, on_dram, s);
    if (status == IGPU_OK && options->heat != NULL)
        mem_heat(s->mem, options->heat);
    if (status == IGPU_OK && wants_ways(options))
        mem_tell_ways(s->mem, true);
    if (status == IGPU_OK && options->prepare != NULL)
        status = options->prepare(s->engine, options->prepare_ctx, err);
    if (status == IGPU_OK)
        status = sim_accounts_create(&s->accounts,
                                     options->last_launch - options->first_launch + 1,
                                     mem_stats(s->mem), options->start, err);
    if (status != IGPU_OK) {
        sim_destroy(s);
        return status;
    }
    find_eus(s);
    sim_sample_start(s);
    *sim = s;
    return IGPU_OK;
}

void sim_destroy(struct sim *s)
{
    if (s == NULL)
        return;
    sim_sample_destroy(s);
    if (s->engine != NULL)
        s->options.engine->destroy(s->engine);
    if (s->mem != NULL && s->mem != s->options.mem)
        mem_destroy(s->mem);
    else if (s->mem != NULL && (s->energy != NULL || s->options.dram != NULL))
        mem_watch_dram(s->mem, NULL, NULL);
    if (s->mem != NULL && s->mem == s->options.mem && wants_ways(&s->options))
        mem_tell_ways(s->mem, false);
    sim_energy_destroy(s->energy);
    feeder_destroy(s->feeder);
    sim_accounts_destroy(&s->accounts);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++) {
        free(s->tile[i].tokens.event);
        free(s->tile[i].log.event);
    }
    free(s->facts);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- one window ---- */

static uint64_t last_issue(const struct sim *s)
{
    uint64_t latest = s->launch_start;

    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        for (unsigned j = 0; j < s->config->eu_count; j++)
            if (s->tile[i].eu[j].last_issue > latest)
                latest = s->tile[i].eu[j].last_issue;
    return latest;
}

static enum sim_state deadlock(struct sim *s)
{
    sim_calls_count(s);
    (void)igpu_fail(&s->err, IGPU_SIM_ERROR,
                    "deadlock at cycle %llu: launch %u, %llu of %u threads ended, last "
                    "instruction issued at cycle %llu",
                    (unsigned long long)s->now, s->launch,
                    (unsigned long long)sim_launch_ended(s), s->shape.threads,
                    (unsigned long long)last_issue(s));
    return sim_fail(s, IGPU_SIM_ERROR);
}

/* Threads of an executed launch that run for ever without an effect: where none has
 * come or gone for a while they are watched. */
static bool goes_round(struct sim *s)
{
    uint64_t moved = sim_launch_ended(s);

    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        moved += s->tile[i].opened;
    if (moved != s->moved || s->now < s->moved_at) {
        s->moved = moved;
        s->moved_at = s->now;
        if (s->watched)
            feeder_watch(s->feeder, false);
        s->watched = false;
    } else if (!s->watched && s->now - s->moved_at >= WATCH_CYCLES) {
        s->watched = true;
        feeder_watch(s->feeder, true);
    }
    return s->watched && feeder_stuck(s->feeder);
}

static enum sim_state livelock(struct sim *s)
{
    (void)igpu_fail(
        &s->err, IGPU_SIM_ERROR,
        "livelock at cycle %llu: launch %u, %llu of %u threads ended; every "
        "other one goes round and round without changing memory, or waits at "
        "a barrier for one that does",
        (unsigned long long)s->now, s->launch, (unsigned long long)sim_launch_ended(s),
        s->shape.threads);
    return sim_fail(s, IGPU_SIM_ERROR);
}

/* Jump to the next cycle in which anything can happen. False: there is none. */
static bool jump(struct sim *s)
{
    uint64_t next, mem_next;

    if (s->over) /* a short time, in equal steps: see advance() */
        return true;
    next = s->options.engine->next_event(s->engine);
    mem_next = mem_next_event(s->mem);

    if (mem_next < next)
        next = mem_next;
    if (next == UINT64_MAX)
        return false;
    if (s->options.max_cycles != 0 && next > s->options.max_cycles)
        next = s->options.max_cycles;
    if (next > s->sampling.next)
        next = s->sampling.next;
    if (next > s->now) {
        if (next > s->engine_now) {
            s->options.engine->skip(s->engine, next);
            s->engine_now = next;
        }
        s->now = next;
        mem_run(s->mem, next);
        sim_sample_due(s);
    }
    return true;
}

static bool healthy(struct sim *s)
{
    enum igpu_status status = feeder_error(s->feeder, &s->err);

    if (status == IGPU_OK && s->options.remote != NULL)
        status = s->options.remote->status(s->engine, &s->err);
    for (unsigned i = 0; status == IGPU_OK && i < s->config->gpu_subslices; i++)
        if (s->tile[i].out_of_memory)
            status = igpu_no_memory(&s->err, "simulation");
    if (status == IGPU_OK && s->sampling.out_of_memory)
        status = igpu_no_memory(&s->err, "samples");
    if (status != IGPU_OK)
        (void)sim_fail(s, status);
    return status == IGPU_OK;
}

/* No completion comes before; and no further than counters are looked at, which are of
 * the cycle that the engine has come to. */
static uint64_t promised(const struct sim *s, uint64_t until)
{
    uint64_t cycle = mem_next_event(s->mem);

    if (!s->counted)
        return cycle;
    if (s->sampling.next < cycle)
        cycle = s->sampling.next;
    if (s->options.max_cycles != 0 && s->options.max_cycles < cycle)
        cycle = s->options.max_cycles;
    return s->stopping ? until : cycle;
}

/* A launch's end cuts its window short, and from then on time goes on in full windows:
 * so CPU agents, which never stop, have done the same in every engine when the launch
 * is accounted for. The engine may be ahead of the memory side for one window then;
 * what it was to get for that time it has got. The memory side never goes beyond the
 * next launch's first cycle. */
static void advance(struct sim *s)
{
    uint64_t until = s->now + s->window;

    if (s->options.max_cycles != 0 && until > s->options.max_cycles)
        until = s->options.max_cycles;
    if (!s->over && until > s->sampling.next)
        until = s->sampling.next;
    if (sim_launch_settled(s) && s->next_launch < until)
        until = s->next_launch + 1; /* it may be a completion's own cycle */
    sim_tokens_deliver(s, until);
    if (until > s->engine_now) {
        if (s->options.remote != NULL)
            s->options.remote->promise(s->engine, promised(s, until));
        s->options.engine->run(s->engine, until);
        s->engine_now = until;
        if (s->options.profile != NULL)
            profile_step(s->options.profile, until);
    }
    sim_tokens_apply(s);
    if (!s->over && s->options.engine->launch_over(s->engine, &s->end)) {
        s->over = true;
        if (s->end > s->now && s->end < until)
            until = s->end;
    }
    if (sim_launch_settled(s) && s->next_launch < until)
        until = s->next_launch;
    s->now = until;
    mem_run(s->mem, until);
    sim_sample_due(s);
}

enum sim_state sim_step(struct sim *s)
{
    if (s->state != SIM_RUNNING)
        return s->state;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        s->tile[i].log.count = 0;
    if (!s->running && !sim_launch_begin(s, s->options.start))
        return s->state;
    if (!jump(s))
        return deadlock(s);
    if (s->options.max_cycles != 0 && s->now >= s->options.max_cycles) {
        sim_stop(s);
        return s->state;
    }
    advance(s);
    if (!healthy(s))
        return s->state;
    if (sim_launch_settled(s) && mem_idle(s->mem))
        sim_launch_end(s);
    else if (!s->over && s->now > s->stalled_at) {
        sim_calls_count(s);
        s->stalled_at = last_issue(s) + STALL_LIMIT_CYCLES;
        if (s->now > s->stalled_at)
            return deadlock(s);
    }
    if (s->options.execute != NULL && !s->over && goes_round(s))
        return livelock(s);
    return s->state;
}

/* An engine that ran ahead has counted more than this time's. */
static void catch_up(struct sim *s)
{
    s->stopping = true;
    while (s->state == SIM_RUNNING && s->running && !s->over && s->counted &&
           s->options.remote != NULL &&
           s->options.remote->reached(s->engine) > s->engine_now)
        (void)sim_step(s);
}

void sim_stop(struct sim *s)
{
    if (s->options.max_cycles == 0 || s->now < s->options.max_cycles)
        catch_up(s);
    if (s->state == SIM_RUNNING && s->running) {
        sim_launch_account(s, s->over ? s->end : s->now, false);
        sim_sample_end(s, s->now);
    }
    if (s->state == SIM_RUNNING) {
        s->accounts.total.complete = false; /* also where no launch has begun */
        s->state = SIM_STOPPED;
    }
}

/* ---- looking ---- */

uint64_t sim_now(const struct sim *s)
{
    return s->now;
}

uint32_t sim_launch(const struct sim *s)
{
    return s->launch;
}

uint64_t sim_next_launch(const struct sim *s)
{
    return s->next_launch;
}

uint64_t sim_threads_ended(const struct sim *s)
{
    return s->ended_before + sim_launch_ended(s);
}

enum igpu_status sim_status(const struct sim *s, struct igpu_err *err)
{
    if (err != NULL)
        *err = s->err;
    return s->status;
}

void sim_engine_tell(const struct sim *s, char *buf, uint32_t size)
{
    *buf = '\0';
    if (s->options.remote != NULL)
        s->options.remote->tell(s->engine, buf, size);
}

bool sim_engine_failed(const struct sim *s)
{
    return s->options.remote != NULL &&
           s->options.remote->status(s->engine, NULL) != IGPU_OK;
}

const struct sim_stats *sim_stats(struct sim *s, uint32_t *launches,
                                  const struct sim_stats **launch)
{
    *launches = s->accounts.count;
    *launch = s->accounts.launch;
    return &s->accounts.total;
}

const struct power_events *sim_energy(const struct sim *s,
                                      const struct power_events **launch)
{
    *launch = s->energy != NULL ? s->energy->launch : NULL;
    return s->energy != NULL ? &s->energy->total : NULL;
}

enum igpu_status sim_energy_so_far(const struct sim *s, uint64_t cycle,
                                   struct power_events *events, struct igpu_err *err)
{
    return sim_energy_look(s->energy, cycle, events, err);
}

const struct sim_event *sim_events(const struct sim *s, unsigned tile, uint32_t *count)
{
    *count = s->tile[tile].log.count;
    return s->tile[tile].log.event;
}
