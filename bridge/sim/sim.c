/* sim.c - see sim.h. One window of time [now, until):
 *
 *   memory side up to now      every message below now has been sent
 *   DONEs below until          to the engine
 *   engine up to until         makes issues, messages, opens, ends
 *   opens, ends, messages      in ascending (cycle, tile) to the memory side
 *
 * Nothing made in a window can matter before its end, because the window is no
 * longer than the shortest token latency; deliver() asserts it. */
#include "bridge/sim/sim.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/sim/sim_stats.h"
#include "igpu/eu_counters.h"

/* No instruction for this long while threads are open means a deadlock that keeps
 * some unit awake. Longer than any memory access by orders of magnitude. */
#define STALL_LIMIT_CYCLES UINT64_C(50000000)

struct event_list {
    struct sim_event *event;
    uint32_t count, capacity;
};

/* What an issue needs to know of its instruction. */
struct fact {
    uint8_t occ;
    bool send, wb;
};

struct slot {
    struct feeder_issues *issues;
    uint32_t last_uop;
    uint32_t responses; /* outstanding, barriers included */
    uint8_t bslot;
};

struct eu {
    struct eu_counters counters;
    struct slot slot[HOST_SLOTS];
    uint64_t last_issue; /* of this launch; 0: none */
};

/* What the engine's callbacks touch; one per tile, so that tiles may run on
 * different host threads. */
struct tile {
    struct event_list tokens; /* MSG, OPEN, END of this window */
    struct event_list log;
    struct eu eu[HOST_EUS];
    uint64_t opened, ended;
    bool out_of_memory;
};

struct sim {
    struct sim_options options;
    const struct igpu_config *config;
    struct trace_reader *reader;
    struct feeder *feeder;
    struct mem_system *mem;
    void *engine;
    pthread_mutex_t lock; /* the feeder, when the engine uses several threads */
    uint64_t now, window, launch_start, ended_before;
    uint64_t engine_now; /* up to which the engine has run */
    uint64_t stalled_at; /* no deadlock by STALL_LIMIT_CYCLES before */
    uint32_t launch, uop_count;
    const struct uop *uops;
    struct fact *facts; /* per static uop of the loaded kernel */
    struct feeder_launch shape;
    bool running, over;
    uint64_t end, next_launch;
    enum sim_state state;
    enum igpu_status status;
    struct igpu_err err;
    struct tile tile[HOST_MAX_TILES];
    struct eu *eu[HOST_MAX_TILES][HOST_EUS]; /* in tile[]; a load costs less than its
                                                address */
    struct sim_accounts accounts;
};

uint64_t sim_window(const struct igpu_config *config)
{
    uint64_t window = mem_min_latency(config);

    if (config->disp_start_latency < window)
        window = config->disp_start_latency;
    if (config->disp_end_latency < window)
        window = config->disp_end_latency;
    return window;
}

/* ---- the engine's callbacks --------------------------------------------- */

static void add_event(struct tile *t, struct event_list *list,
                      const struct sim_event *event)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        void *grown = realloc(list->event, capacity * sizeof(*list->event));

        if (grown == NULL) {
            t->out_of_memory = true;
            return;
        }
        list->event = grown;
        list->capacity = capacity;
    }
    list->event[list->count++] = *event;
}

static void add_token(struct sim *s, const struct sim_event *event)
{
    struct tile *t = &s->tile[event->tile];

    add_event(t, &t->tokens, event);
    if (s->options.log)
        add_event(t, &t->log, event);
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
    eu_counters_open(&s->tile[tile].eu[eu].counters, cycle);
    if (s->options.watch.launch != NULL)
        s->options.watch.open(s->options.watch.ctx, tile, eu, slot, thread);
    lock(s);
    run = feeder_open(s->feeder, tile, eu, slot, thread);
    unlock(s);
    return run;
}

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    struct sim *s = ctx;
    struct uop_run run;

    lock(s);
    run = feeder_next(s->feeder, tile, eu, slot);
    unlock(s);
    return run;
}

static void log_issue(struct tile *t, const struct host_issue *i)
{
    struct sim_event event = {i->cycle, i->uop,  SIM_ISSUE, i->tile,
                              i->eu,    i->slot, i->unit};

    add_event(t, &t->log, &event);
}

/* Called for every instruction: the log last, so that nothing is saved for it. */
static void on_issue(void *ctx, const struct host_issue *i)
{
    struct sim *s = ctx;
    struct tile *t = &s->tile[i->tile];
    struct eu *eu = s->eu[i->tile][i->eu];
    struct slot *slot = &eu->slot[i->slot];
    const struct fact *fact = &s->facts[i->uop];

    eu->last_issue = i->cycle;
    slot->last_uop = i->uop;
    slot->responses += fact->wb;
    feeder_issued(slot->issues, fact->send);
    eu_counters_issue(&eu->counters, i->unit, i->cycle, fact->occ);
    if (s->options.log)
        log_issue(t, i);
    if (s->options.watch.launch != NULL)
        s->options.watch.issue(s->options.watch.ctx, i);
}

static void on_msg(void *ctx, const struct host_msg *m)
{
    struct sim_event event = {m->cycle, m->uop, SIM_MSG, m->tile, m->eu, m->slot, 0};

    add_token(ctx, &event);
}

static void on_end(void *ctx, unsigned tile, const struct host_end *e)
{
    struct sim *s = ctx;
    struct sim_event event = {e->cycle, e->bslot, SIM_END, (uint8_t)tile,
                              e->eu,    e->slot,  0};

    add_token(s, &event);
    s->tile[tile].ended++;
    eu_counters_end(&s->tile[tile].eu[e->eu].counters, e->cycle);
    lock(s);
    feeder_end(s->feeder, tile, e->eu, e->slot);
    unlock(s);
}

/* ---- building ------------------------------------------------------------ */

static void find_eus(struct sim *s)
{
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        for (unsigned j = 0; j < HOST_EUS; j++) {
            s->eu[i][j] = &s->tile[i].eu[j];
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                s->eu[i][j]->slot[k].issues = feeder_issues(s->feeder, i, j, k);
        }
}

enum igpu_status sim_create(struct sim **sim, struct trace_reader *reader,
                            const struct sim_options *options, struct igpu_err *err)
{
    struct sim *s = calloc(1, sizeof(*s));
    struct host_calls calls = {s, on_open, on_next, on_issue, on_msg, on_end};
    enum igpu_status status;

    *sim = NULL;
    if (s == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "simulation: out of memory");
    s->options = *options;
    s->config = options->config;
    s->reader = reader;
    s->mem = options->mem;
    s->launch = options->first_launch;
    s->window = options->window != 0 ? options->window : sim_window(s->config);
    (void)pthread_mutex_init(&s->lock, NULL);
    s->facts = calloc(UOP_MAX_KERNEL, sizeof(*s->facts));
    if (s->facts == NULL)
        status = igpu_fail(err, IGPU_BAD_INPUT, "simulation: out of memory");
    else
        status = feeder_create(&s->feeder, reader, s->config, err);
    if (status == IGPU_OK && s->mem == NULL)
        status = mem_create(&s->mem, s->config, err);
    if (status == IGPU_OK && options->cpu_count != 0)
        status = mem_cpu_trace(s->mem, options->cpu_list, options->cpu_count, err);
    if (status == IGPU_OK)
        status = options->engine->create(&s->engine, s->config, &calls, err);
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
    *sim = s;
    return IGPU_OK;
}

void sim_destroy(struct sim *s)
{
    if (s == NULL)
        return;
    if (s->engine != NULL)
        s->options.engine->destroy(s->engine);
    if (s->mem != NULL && s->mem != s->options.mem)
        mem_destroy(s->mem);
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

/* ---- launches ------------------------------------------------------------ */

static enum sim_state fail(struct sim *s, enum igpu_status status)
{
    s->status = status;
    s->state = SIM_FAILED;
    return s->state;
}

static void state_facts(struct sim *s)
{
    for (uint32_t i = 0; i < s->uop_count; i++) {
        const struct uop *u = &s->uops[i];

        s->facts[i].occ = (uint8_t)eu_occupancy(s->config, u);
        s->facts[i].send = u->unit == UOP_SEND && !(u->flags & UOP_EOT);
        s->facts[i].wb = (u->flags & UOP_WB) != 0;
    }
}

static bool begin_launch(struct sim *s, uint64_t cycle)
{
    struct host_launch launch;
    enum igpu_status status = feeder_launch(s->feeder, s->launch, &s->shape, &s->err);

    if (status == IGPU_OK) {
        s->uops = feeder_uops(s->feeder, s->shape.kernel, &s->uop_count);
        state_facts(s);
        status = s->options.engine->load(s->engine, s->uops, s->uop_count, &s->err);
    }
    if (status != IGPU_OK) {
        (void)fail(s, status);
        return false;
    }
    launch = (struct host_launch){cycle, s->shape.threads, s->shape.tpg,
                                  s->shape.pinned, s->shape.slm_kb};
    feeder_begin(s->feeder, s->launch);
    mem_launch(s->mem, s->shape.slm_kb > 0);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++) {
        struct tile *t = &s->tile[i];

        t->opened = t->ended = 0;
        for (unsigned j = 0; j < HOST_EUS; j++) {
            eu_counters_reset(&t->eu[j].counters, cycle);
            t->eu[j].last_issue = 0;
        }
    }
    if (s->options.watch.launch != NULL)
        s->options.watch.launch(s->options.watch.ctx, s->launch);
    s->options.engine->launch(s->engine, &launch);
    s->launch_start = s->now = s->engine_now = cycle;
    s->running = true;
    s->over = false;
    return true;
}

/* Account for the launch up to `end`. */
static void account(struct sim *s, uint64_t end, bool complete)
{
    struct sim_launch_facts facts = {.config = s->config,
                                     .index = s->launch,
                                     .start = s->launch_start,
                                     .end = end,
                                     .complete = complete,
                                     .mem = mem_stats(s->mem)};

    facts.kernel =
        trace_kernel(s->reader, trace_launch(s->reader, s->launch)->kernel)->name;
    feeder_work(s->feeder, &facts.lane_instructions, &facts.flops);
    for (unsigned i = 0; i < s->config->gpu_subslices; i++) {
        facts.opened += s->tile[i].opened;
        for (unsigned j = 0; j < s->config->eu_count; j++)
            facts.eu[i * HOST_EUS + j] = s->tile[i].eu[j].counters;
    }
    sim_accounts_launch(&s->accounts, &facts);
}

static uint64_t threads_ended(const struct sim *s)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        sum += s->tile[i].ended;
    return sum;
}

/* Once all is answered and in its place: the cycle of the next launch, docs/model.md,
 * section 2. */
static bool next_launch_known(struct sim *s)
{
    struct mem_drain drain;

    if (!s->over || !mem_drained(s->mem, &drain))
        return false;
    s->next_launch = s->end > drain.answered ? s->end : drain.answered;
    s->next_launch += s->config->disp_launch_cycles;
    if (drain.quiet > s->next_launch)
        s->next_launch = drain.quiet;
    return true;
}

static void end_launch(struct sim *s)
{
    enum igpu_status status = mem_check(s->mem, &s->err);

    account(s, s->end, true);
    if (status != IGPU_OK) {
        (void)fail(s, status);
        return;
    }
    s->ended_before += threads_ended(s);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        s->tile[i].ended = 0;
    s->running = false;
    if (s->launch == s->options.last_launch) {
        s->state = SIM_DONE;
        return;
    }
    s->launch++;
    (void)begin_launch(s, s->next_launch);
}

/* ---- one window ---------------------------------------------------------- */

static void deliver(struct sim *s, uint64_t until)
{
    struct mem_done d;

    while (mem_take(s->mem, until, &d)) {
        struct host_done done = {.cycle = d.cycle,
                                 .uop = d.uop,
                                 .tile = d.subslice,
                                 .eu = d.eu,
                                 .slot = d.slot,
                                 .credit = d.credit,
                                 .wb = d.wb};

        assert(d.cycle >= s->now); /* the window's promise */
        s->tile[d.subslice].eu[d.eu].slot[d.slot].responses -= d.wb;
        s->options.engine->done(s->engine, &done);
        if (s->options.log) {
            struct sim_event event = {d.cycle, d.uop,  SIM_ANSWER, d.subslice,
                                      d.eu,    d.slot, 0};

            add_event(&s->tile[d.subslice], &s->tile[d.subslice].log, &event);
        }
    }
}

static void apply_token(struct sim *s, const struct sim_event *e)
{
    uint8_t bslot = s->tile[e->tile].eu[e->eu].slot[e->slot].bslot;

    if (e->kind == SIM_OPEN) {
        /* Threads of a group are dispatched, hence opened, in order. */
        if (e->unit != HOST_NO_BARRIER && e->value % s->shape.tpg == 0)
            mem_group_begin(s->mem, e->tile, e->unit, s->shape.tpg);
    } else if (e->kind == SIM_END) {
        if (e->value != HOST_NO_BARRIER)
            mem_thread_end(s->mem, e->tile, (uint8_t)e->value, e->cycle);
    } else {
        struct mem_msg msg;

        msg.cycle = e->cycle;
        msg.bslot = bslot;
        feeder_message(s->feeder, e->tile, e->eu, e->slot, e->value, &msg);
        mem_send(s->mem, &msg);
    }
}

/* An engine may report messages, opens and ends of a tile one kind after the other:
 * bring them into ascending cycles. They are few and nearly sorted. */
static void sort_tokens(struct event_list *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        struct sim_event moved = list->event[i];
        uint32_t j = i;

        for (; j > 0 && list->event[j - 1].cycle > moved.cycle; j--)
            list->event[j] = list->event[j - 1];
        list->event[j] = moved;
    }
}

/* Tokens of all tiles in ascending (cycle, tile). */
static void apply_tokens(struct sim *s)
{
    uint32_t at[HOST_MAX_TILES] = {0};

    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        sort_tokens(&s->tile[i].tokens);
    for (;;) {
        const struct sim_event *first = NULL;

        for (unsigned i = 0; i < s->config->gpu_subslices; i++) {
            const struct event_list *list = &s->tile[i].tokens;

            if (at[i] < list->count &&
                (first == NULL || list->event[at[i]].cycle < first->cycle))
                first = &list->event[at[i]];
        }
        if (first == NULL)
            break;
        at[first->tile]++;
        apply_token(s, first);
    }
    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        s->tile[i].tokens.count = 0;
}

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
    (void)igpu_fail(&s->err, IGPU_SIM_ERROR,
                    "deadlock at cycle %llu: launch %u, %llu of %u threads ended, last "
                    "instruction issued at cycle %llu",
                    (unsigned long long)s->now, s->launch,
                    (unsigned long long)threads_ended(s), s->shape.threads,
                    (unsigned long long)last_issue(s));
    return fail(s, IGPU_SIM_ERROR);
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
    if (next > s->now) {
        if (next > s->engine_now) {
            s->options.engine->skip(s->engine, next);
            s->engine_now = next;
        }
        s->now = next;
        mem_run(s->mem, next);
    }
    return true;
}

static bool healthy(struct sim *s)
{
    enum igpu_status status = feeder_error(s->feeder, &s->err);

    for (unsigned i = 0; status == IGPU_OK && i < s->config->gpu_subslices; i++)
        if (s->tile[i].out_of_memory)
            status = igpu_fail(&s->err, IGPU_BAD_INPUT, "simulation: out of memory");
    if (status != IGPU_OK)
        (void)fail(s, status);
    return status == IGPU_OK;
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
    if (next_launch_known(s) && s->next_launch < until)
        until = s->next_launch + 1; /* it may be a completion's own cycle */
    deliver(s, until);
    if (until > s->engine_now) {
        s->options.engine->run(s->engine, until);
        s->engine_now = until;
    }
    apply_tokens(s);
    if (!s->over && s->options.engine->launch_over(s->engine, &s->end)) {
        s->over = true;
        if (s->end > s->now && s->end < until)
            until = s->end;
    }
    if (next_launch_known(s) && s->next_launch < until)
        until = s->next_launch;
    s->now = until;
    mem_run(s->mem, until);
}

enum sim_state sim_step(struct sim *s)
{
    if (s->state != SIM_RUNNING)
        return s->state;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        s->tile[i].log.count = 0;
    if (!s->running && !begin_launch(s, s->options.start))
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
    if (next_launch_known(s) && mem_idle(s->mem))
        end_launch(s);
    else if (!s->over && s->now > s->stalled_at) {
        s->stalled_at = last_issue(s) + STALL_LIMIT_CYCLES;
        if (s->now > s->stalled_at)
            return deadlock(s);
    }
    return s->state;
}

void sim_stop(struct sim *s)
{
    if (s->state == SIM_RUNNING && s->running)
        account(s, s->over ? s->end : s->now, false);
    if (s->state == SIM_RUNNING)
        s->state = SIM_STOPPED;
}

/* ---- looking ------------------------------------------------------------- */

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
    return s->ended_before + threads_ended(s);
}

enum igpu_status sim_status(const struct sim *s, struct igpu_err *err)
{
    if (err != NULL)
        *err = s->err;
    return s->status;
}

const struct sim_stats *sim_stats(struct sim *s, uint32_t *launches,
                                  const struct sim_stats **launch)
{
    *launches = s->accounts.count;
    *launch = s->accounts.launch;
    return &s->accounts.total;
}

/* One line for a thread that is still there. */
static size_t describe_thread(const struct sim *s, unsigned tile, unsigned eu,
                              unsigned slot, char *buf, size_t size)
{
    const struct isa_kernel_code *code =
        &trace_kernel(s->reader, trace_launch(s->reader, s->launch)->kernel)->code;
    const struct tile *t = &s->tile[tile];
    uint32_t uop = t->eu[eu].slot[slot].last_uop;
    uint32_t responses = t->eu[eu].slot[slot].responses;
    struct feeder_where where;
    char text[160] = "nothing yet";
    int n;

    if (!feeder_where(s->feeder, tile, eu, slot, &where))
        return 0;
    if (where.issued > 0 && uop < code->count)
        (void)isa_disasm(&code->inst[uop], text, sizeof(text));
    n = snprintf(buf, size,
                 "  subslice %u EU %u slot %u: thread %u, %llu issued, last #%u %s; "
                 "waits for %u response%s, %llu message%s not granted\n",
                 tile, eu, slot, where.thread, (unsigned long long)where.issued, uop,
                 text, responses, responses == 1 ? "" : "s",
                 (unsigned long long)where.messages_waiting,
                 where.messages_waiting == 1 ? "" : "s");
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

void sim_describe(const struct sim *s, char *buf, uint32_t size)
{
    size_t at = 0;

    buf[0] = '\0';
    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        for (unsigned j = 0; j < HOST_EUS; j++)
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                at += describe_thread(s, i, j, k, buf + at, size - at);
    if (at + 1 < size)
        mem_describe(s->mem, buf + at, (uint32_t)(size - at));
}

const struct sim_event *sim_events(const struct sim *s, unsigned tile, uint32_t *count)
{
    *count = s->tile[tile].log.count;
    return s->tile[tile].log.event;
}
