/* machine.c - see machine.h. */
#include "bridge/sample/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/sample/walk.h"
#include "igpu/mem.h"

void machine_free(struct machine *m)
{
    if (m->mem != NULL)
        mem_destroy(m->mem);
    m->mem = NULL;
}

static uint64_t cache_lines(const struct igpu_config *config)
{
    return (config->llc_size + config->edram_size) / 64;
}

/* ---- one simulation ------------------------------------------------------------ */

static enum igpu_status run(const struct machine *m, struct sim *sim,
                            struct igpu_err *err)
{
    enum sim_state state = SIM_RUNNING;

    while (state == SIM_RUNNING) {
        state = sim_step(sim);
        if (m->stop != NULL && m->stop(m->stop_ctx, sim_now(sim)))
            return igpu_fail(err, IGPU_STOPPED, "interrupted");
    }
    return state == SIM_FAILED ? sim_status(sim, err) : IGPU_OK;
}

/* *options->mem from options->start on; *next: the cycle behind it. */
static enum igpu_status simulate(const struct machine *m, struct sim_options *options,
                                 uint32_t launch, struct measure *measure,
                                 struct machine_result *r, uint64_t *next,
                                 struct igpu_err *err)
{
    const struct sim_stats *stats;
    struct sim *sim = NULL;
    uint32_t launches;
    enum igpu_status status;

    options->first_launch = options->last_launch = launch;
    status = sim_create(&sim, m->reader, options, err);
    if (status == IGPU_OK && measure != NULL)
        measure->sim = sim;
    if (status == IGPU_OK)
        status = run(m, sim, err);
    if (status == IGPU_OK) {
        (void)sim_stats(sim, &launches, &stats);
        r->stats = *stats;
        r->threads = stats->run_threads_dispatched;
        r->instructions = stats->run_instructions;
        *next = sim_next_launch(sim);
    }
    sim_destroy(sim);
    return status;
}

static enum igpu_status ready(struct machine *m, struct igpu_err *err)
{
    return m->mem != NULL ? IGPU_OK : mem_create(&m->mem, m->sim.config, err);
}

enum igpu_status machine_whole(struct machine *m, uint32_t launch,
                               struct machine_result *r, struct igpu_err *err)
{
    struct sim_options options = m->sim;
    enum igpu_status status = ready(m, err);
    uint64_t next = 0;

    memset(r, 0, sizeof(*r));
    options.mem = m->mem;
    options.start = m->next;
    if (status == IGPU_OK)
        status = simulate(m, &options, launch, NULL, r, &next, err);
    r->time = (struct estimate){.cycles = (double)r->stats.run_cycles};
    r->span = next - m->next;
    m->next = next;
    return status;
}

/* ---- a sample ------------------------------------------------------------------ */

/* How far before a window its caches' content is looked for, in fillings of the
 * device: what was used before then and not since is taken for gone. */
enum { REACH_FILLS = 32 };

struct sampling {
    struct machine *m;
    struct mem_system *mem; /* of this attempt */
    uint32_t launch;
    uint64_t group_threads, at_once;
    uint64_t reach;      /* groups before a window that are walked */
    const uint64_t *sum; /* instructions before each group */
    struct warm *warm;
    struct sample_plan plan;
    struct measure measure;
    struct feeder_part part[SAMPLE_MOST_STRATA + 2];
    enum igpu_status status; /* of walks */
    struct igpu_err err;
};

/* The lines of the groups before `end`, from `first` on. Where those of a part of them
 * fill the caches, the next walks will be no longer than half as much again. */
static enum igpu_status walk(struct sampling *s, uint64_t first, uint64_t end)
{
    uint64_t most = cache_lines(s->m->sim.config), size = s->at_once;
    enum igpu_status status = IGPU_OK;
    bool filled = false;

    for (uint64_t at = first; at < end && status == IGPU_OK; at += size) {
        uint64_t groups = end - at < size ? end - at : size;

        status = walk_lines(s->m->reader, s->launch, at * s->group_threads,
                            groups * s->group_threads, s->warm, &s->err);
        if (!filled && warm_lines(s->warm) >= most) {
            filled = true;
            s->reach = (at + groups - first) * 3 / 2;
        }
    }
    return status;
}

/* The caches get what the threads before the window leave there. */
static void on_window(void *ctx, uint32_t i)
{
    struct sampling *s = ctx;
    struct sample_window gap = sample_plan_gap(&s->plan, i);
    uint64_t end = gap.first + gap.groups;
    struct warm_list list;

    if (gap.groups == 0 || s->status != IGPU_OK)
        return;
    s->status = walk(s, gap.groups > s->reach ? end - s->reach : gap.first, end);
    if (s->status != IGPU_OK)
        return;
    if (!warm_take(s->warm, &list))
        s->status = igpu_fail(&s->err, IGPU_BAD_INPUT, "sample: out of memory");
    else
        warm_caches(&list, s->mem, true);
    free(list.line);
}

static uint64_t between(const struct sampling *s, uint64_t first, uint64_t groups)
{
    return s->sum[first + groups] - s->sum[first];
}

static void fill_measure(struct sampling *s)
{
    struct measure *m = &s->measure;

    memset(m, 0, sizeof(*m));
    m->windows = s->plan.windows;
    m->before = on_window;
    m->before_ctx = s;
    for (uint32_t i = 0; i < s->plan.windows; i++) {
        const struct sample_window *w = &s->plan.window[i];

        m->window[i] = (struct measure_window){
            .threads = w->groups * s->group_threads,
            .lead_threads = w->lead * s->group_threads,
            .instructions = between(s, w->first + w->lead, w->groups - w->lead)};
        if (i > 0 && i + 1 < s->plan.windows) {
            struct sample_window all = sample_plan_stratum(&s->plan, i);

            m->window[i].rest_instructions =
                between(s, all.first, all.groups) - between(s, w->first, w->groups);
        }
        s->part[i] = (struct feeder_part){w->first * s->group_threads,
                                          w->groups * s->group_threads};
    }
}

/* Simulate the plan's windows, from the machine's caches on, which stay as they are;
 * what is left in s->mem. */
static enum igpu_status attempt(struct sampling *s, struct machine_result *r,
                                uint64_t *next, struct igpu_err *err)
{
    struct sim_options options = s->m->sim;
    enum igpu_status status = mem_create(&s->mem, options.config, err);

    if (status != IGPU_OK)
        return status;
    mem_copy_caches(s->mem, s->m->mem);
    fill_measure(s);
    s->reach = REACH_FILLS * s->at_once;
    options.mem = s->mem;
    options.start = 0;
    options.part = s->part;
    options.parts = s->plan.windows;
    options.watch = measure_watch(&s->measure);
    status = simulate(s->m, &options, s->launch, &s->measure, r, next, err);
    if (status == IGPU_OK && s->status != IGPU_OK) {
        *err = s->err;
        status = s->status;
    }
    if (status != IGPU_OK)
        return status;
    r->windows = s->plan.windows;
    r->time = measure_estimate(&s->measure, r->stats.run_cycles);
    r->span = (uint64_t)(r->time.cycles + 0.5) + *next - r->stats.run_cycles;
    return IGPU_OK;
}

static uint32_t first_strata(const struct sample_options *options)
{
    return options->windows > 0 ? (uint32_t)options->windows
                                : (uint32_t)SAMPLE_FIRST_STRATA;
}

/* What attempts have led to. */
struct search {
    uint32_t strata; /* of the next attempt */
    double before;   /* cycles by the attempt with half of this head; 0: none yet */
    bool good;
};

/* Threads that began together drift apart for some fillings of the device, in which
 * they may take longer or less. As windows are few, this must be over with the first;
 * where costs change along the grid it is taken for that until a longer head shows
 * otherwise. */
static void judge(struct search *search, const struct estimate *e,
                  const struct sample_options *options, struct sample_shape *shape)
{
    double error = options->error;

    if (options->windows > 0) {
        search->good = true;
        return;
    }
    search->strata += measure_more_strata(e, error, search->strata);
    search->good = e->statistical <= error * e->cycles - e->allowed &&
                   (fabs(e->trend) < error / 2 ||
                    fabs(e->cycles - search->before) < error / 4 * e->cycles);
    search->before = e->cycles;
    shape->head *= 2;
}

static enum igpu_status sample(struct sampling *s, struct sample_shape *shape,
                               const struct sample_options *options, bool *good,
                               struct machine_result *r, struct igpu_err *err)
{
    struct search search = {.strata = first_strata(options)};
    enum igpu_status status = IGPU_OK;
    uint64_t next = 0;

    while (status == IGPU_OK && !search.good &&
           sample_plan_make(&s->plan, shape, search.strata)) {
        status = attempt(s, r, &next, err);
        if (status == IGPU_OK)
            judge(&search, &r->time, options, shape);
        if (!search.good && s->mem != NULL) {
            mem_destroy(s->mem);
            s->mem = NULL;
        }
    }
    *good = search.good;
    if (*good) {
        mem_destroy(s->m->mem);
        s->m->mem = s->mem;
        s->m->next = next;
    }
    return status;
}

/* What is known of the launch. */
static enum igpu_status look(struct machine *m, uint32_t launch,
                             const struct sample_options *options,
                             struct sample_shape *shape, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(m->reader, launch);
    struct feeder_launch fed;
    struct feeder *feeder;
    enum igpu_status status = feeder_create(&feeder, m->reader, m->sim.config, err);

    if (status == IGPU_OK)
        status = feeder_launch(feeder, launch, &fed, err);
    feeder_destroy(feeder);
    if (status != IGPU_OK)
        return status;
    *shape = (struct sample_shape){
        .groups = l->threads / l->threads_per_group,
        .group_threads = l->threads_per_group,
        .at_once =
            sample_at_once(m->sim.config, l->threads_per_group, fed.pinned, fed.slm_kb),
        .head = 2,
        .seed = options->seed};
    shape->group_instructions = (double)l->totals.instructions / (double)shape->groups;
    return IGPU_OK;
}

enum igpu_status machine_sample(struct machine *m, uint32_t launch,
                                const struct sample_options *options,
                                struct machine_result *r, struct igpu_err *err)
{
    struct sampling *s = calloc(1, sizeof(*s));
    struct sample_shape shape;
    enum igpu_status status = ready(m, err);
    uint64_t *sum = NULL;
    bool good = false;

    if (s == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "sample: out of memory");
    *s = (struct sampling){.m = m, .launch = launch};
    if (status == IGPU_OK)
        status = look(m, launch, options, &shape, err);
    if (status == IGPU_OK &&
        sample_plan_make(&s->plan, &shape, first_strata(options))) {
        s->group_threads = shape.group_threads;
        s->at_once = shape.at_once;
        s->warm = warm_new(cache_lines(m->sim.config));
        s->sum = sum = walk_instructions(m->reader, launch, &status, err);
        if (status == IGPU_OK && s->warm == NULL)
            status = igpu_fail(err, IGPU_BAD_INPUT, "sample: out of memory");
        if (status == IGPU_OK)
            status = sample(s, &shape, options, &good, r, err);
    }
    warm_free(s->warm);
    free(sum);
    free(s);
    return status == IGPU_OK && !good ? machine_whole(m, launch, r, err) : status;
}

/* The lines that were met, into the caches. */
static enum igpu_status pour(struct warm *warm, struct mem_system *mem,
                             struct igpu_err *err)
{
    struct warm_list list = {NULL, 0};

    if (!warm_take(warm, &list))
        return igpu_fail(err, IGPU_BAD_INPUT, "sample: out of memory");
    warm_caches(&list, mem, false);
    free(list.line);
    return IGPU_OK;
}

/* A kernel with shared memory has another L3 than one without: the change empties it.
 */
enum igpu_status machine_skip(struct machine *m, uint32_t first, uint32_t last,
                              struct igpu_err *err)
{
    struct warm *warm = warm_new(cache_lines(m->sim.config));
    enum igpu_status status = ready(m, err);

    if (warm == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "sample: out of memory");
    for (uint32_t i = first; i <= last && status == IGPU_OK; i++) {
        const struct trace_launch *l = trace_launch(m->reader, i);
        bool slm = l->slm_bytes > 0;

        if (i == first || slm != (trace_launch(m->reader, i - 1)->slm_bytes > 0)) {
            status = pour(warm, m->mem, err);
            mem_launch(m->mem, slm);
        }
        if (status == IGPU_OK)
            status = walk_lines(m->reader, i, 0, l->threads, warm, err);
    }
    if (status == IGPU_OK)
        status = pour(warm, m->mem, err);
    warm_free(warm);
    return status;
}
