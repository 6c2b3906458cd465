/* sim_launch.c - a launch's begin and end, and when the next one begins
 * (docs/contract/model.md, section 2). */
#include "bridge/host/sim/sim_state.h"
#include "igpu/heat.h"
#include "igpu/uop_cycles.h"

static void state_facts(struct sim *s)
{
    for (uint32_t i = 0; i < s->uop_count; i++) {
        const struct uop *u = &s->uops[i];

        s->facts[i].occ = uop_occupancy(s->config, u);
        s->facts[i].send = u->unit == UOP_SEND && !(u->flags & UOP_EOT);
        s->facts[i].wb = (u->flags & UOP_WB) != 0;
        s->facts[i].first_line = icache_first_line(u);
        s->facts[i].last_line = icache_last_line(u);
        s->facts[i + 1].sends = s->facts[i].sends + s->facts[i].send;
    }
}

/* The launch's policy (docs/contract/model.md, section 4.4). IGPU_USAGE: the engine has
 * none but the default one. */
static enum igpu_status choose_arbiter(struct sim *s, bool *oldest)
{
    enum trace_arbiter told = trace_launch(s->reader, s->launch)->arbiter;
    struct igpu_config config = *s->config;

    if (told != TRACE_ARBITER_ANY)
        config.eu_arbiter =
            told == TRACE_ARBITER_OLDEST ? IGPU_ARBITER_OLDEST : IGPU_ARBITER_RR;
    *oldest = config.eu_arbiter == IGPU_ARBITER_OLDEST;
    if (told == TRACE_ARBITER_ANY)
        return IGPU_OK; /* sim_create() has asked */
    return igpu_config_engine(&config, s->options.engine->name, &s->err);
}

bool sim_launch_begin(struct sim *s, uint64_t cycle)
{
    struct host_launch launch;
    bool oldest = false;
    enum igpu_status status = feeder_launch(s->feeder, s->launch, &s->shape, &s->err);

    if (status == IGPU_OK)
        status = choose_arbiter(s, &oldest);
    if (status == IGPU_OK) {
        s->uops = feeder_uops(s->feeder, s->shape.kernel, &s->uop_count);
        state_facts(s);
        status = s->options.engine->load(s->engine, s->uops, s->uop_count, &s->err);
    }
    if (status != IGPU_OK) {
        (void)sim_fail(s, status);
        return false;
    }
    if (s->energy != NULL)
        sim_energy_begin(s->energy, &trace_kernel(s->reader, s->shape.kernel)->code,
                         trace_launch(s->reader, s->launch)->toggles);
    launch = (struct host_launch){.cycle = cycle,
                                  .threads = s->shape.threads,
                                  .tpg = s->shape.tpg,
                                  .pinned = s->shape.pinned,
                                  .slm_kb = s->shape.slm_kb,
                                  .oldest = oldest};
    status = feeder_begin(s->feeder, s->launch, &s->err);
    if (status != IGPU_OK) {
        (void)sim_fail(s, status);
        return false;
    }
    sim_sample_begin(s, cycle);
    sim_sample_kinds(s);
    mem_launch(s->mem, s->shape.slm_kb > 0);
    if (!s->shape.graphics)
        mem_forget_texels(s->mem);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++) {
        struct sim_tile *t = &s->tile[i];

        t->opened = t->ended = 0;
        t->code_lines = t->code_misses = t->code_merged = 0;
        for (unsigned j = 0; j < HOST_EUS; j++) {
            eu_counters_reset(&t->eu[j].counters, cycle);
            t->eu[j].last_issue = 0;
            t->eu[j].used = false;
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                t->eu[j].slot[k].given = t->eu[j].slot[k].ended = 0;
            t->eu[j].kinds = (struct sim_kinds){.until = {0}};
        }
    }
    if (s->options.watch.launch != NULL)
        s->options.watch.launch(s->options.watch.ctx, s->launch);
    if (s->options.heat != NULL)
        heat_begin(s->options.heat);
    if (s->options.profile != NULL)
        status = profile_launch(s->options.profile, s->launch, s->uops, s->uop_count,
                                &launch, &s->err);
    if (status != IGPU_OK) {
        (void)sim_fail(s, status);
        return false;
    }
    s->options.engine->launch(s->engine, &launch);
    s->launch_start = s->now = s->engine_now = s->moved_at = cycle;
    s->watched = false;
    s->running = true;
    s->over = false;
    return true;
}

/* Those that are dispatched and not open, and what is dispatched behind an open until
 * the end of its window, of the longest that there are; with some to spare. */
uint64_t sim_extend_by(const struct sim *s)
{
    const struct igpu_config *c = s->config;

    if (s->options.engine->extend == NULL)
        return 0;
    return (c->disp_start_latency + sim_window(c)) / c->disp_interval + 8;
}

void sim_extend(struct sim *s, uint32_t parts)
{
    enum igpu_status status;

    feeder_pick(s->feeder, s->options.part, parts);
    status = feeder_launch(s->feeder, s->launch, &s->shape, &s->err);
    if (status == IGPU_OK && s->options.profile != NULL)
        status = profile_extend(s->options.profile, s->shape.threads, &s->err);
    if (status == IGPU_OK)
        s->options.engine->extend(s->engine, s->shape.threads);
    else
        (void)sim_fail(s, status);
}

/* Thread-cycles, by the counters; threads that still run count as less than zero. */
static uint64_t resident(const struct sim_launch_facts *facts)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < HOST_MAX_TILES * HOST_EUS; i++)
        sum += facts->eu[i].resident;
    return sum;
}

/* Where the threads of a launch that was stopped are. */
static void tell_threads(struct sim *s)
{
    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        for (unsigned j = 0; j < s->config->eu_count; j++)
            for (unsigned k = 0; k < s->config->eu_threads; k++) {
                uint64_t last;
                uint32_t next;

                s->options.engine->thread(s->engine, i, j, k, &last, &next);
                profile_thread(s->options.profile, i, j, k, last, next);
            }
}

void sim_launch_account(struct sim *s, uint64_t end, bool complete)
{
    struct sim_launch_facts facts = {.config = s->config,
                                     .index = s->launch,
                                     .queue =
                                         trace_launch(s->reader, s->launch)->context,
                                     .start = s->launch_start,
                                     .end = end,
                                     .complete = complete,
                                     .mem = mem_stats(s->mem)};

    facts.kernel =
        trace_kernel(s->reader, trace_launch(s->reader, s->launch)->kernel)->name;
    sim_calls_count(s);
    sim_calls_code(s, &facts);
    feeder_work(s->feeder, &facts.lane_instructions, &facts.flops);
    for (unsigned i = 0; i < s->config->gpu_subslices; i++) {
        facts.opened += s->tile[i].opened;
        for (unsigned j = 0; j < s->config->eu_count; j++)
            facts.eu[i * HOST_EUS + j] = s->tile[i].eu[j].counters;
    }
    sim_accounts_launch(&s->accounts, &facts);
    if (s->options.profile != NULL) {
        enum igpu_status status;

        if (!complete && s->counted && s->options.engine->thread != NULL)
            tell_threads(s);
        status =
            profile_end(s->options.profile, end, complete, resident(&facts), &s->err);

        if (status != IGPU_OK)
            (void)sim_fail(s, status);
    }
    if (s->options.heat != NULL && !heat_end(s->options.heat))
        (void)sim_fail(s, igpu_no_memory(&s->err, "heat"));
    if (s->energy != NULL) {
        enum igpu_status status = sim_energy_end(
            s->energy, &s->accounts.launch[s->accounts.count - 1], end, &s->err);

        if (status != IGPU_OK)
            (void)sim_fail(s, status);
    }
}

uint64_t sim_launch_ended(const struct sim *s)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        sum += s->tile[i].ended;
    return sum;
}

bool sim_launch_settled(struct sim *s)
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

/* The cycle in which all is answered and in its place. */
static uint64_t settled_at(const struct sim *s)
{
    struct mem_drain drain = {0};

    (void)mem_drained(s->mem, &drain);
    return drain.quiet > s->end ? drain.quiet : s->end;
}

void sim_launch_end(struct sim *s)
{
    enum igpu_status status = mem_check(s->mem, &s->err);

    sim_launch_account(s, s->end, true);
    sim_sample_end(s, settled_at(s));
    if (status != IGPU_OK)
        (void)sim_fail(s, status);
    if (s->state == SIM_FAILED)
        return;
    s->ended_before += sim_launch_ended(s);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        s->tile[i].ended = 0;
    s->running = false;
    if (s->launch == s->options.last_launch) {
        s->state = SIM_DONE;
        return;
    }
    s->launch++;
    (void)sim_launch_begin(s, s->next_launch);
}
