/* grow.c - a sample of one launch, which grows until its interval is small enough
 * (machine.h; docs/guide/sampling.md, section 2). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/machine_int.h"
#include "bridge/host/sample/scale.h"
#include "bridge/host/sample/settle.h"
#include "bridge/host/sample/walk.h"
#include "bridge/host/sample/windows.h"
#include "igpu/hash.h"
#include "igpu/mem.h"

/* What is measured must be of threads that are as far apart as in a long launch: so
 * many fillings of the device go before the windows that are added; more where the
 * first windows' costs rise or fall, which may be the way there. */
enum { FIRST_HEAD = 2, LEAD_IN = 6, LONG_LEAD_IN = 36 };
/* Where the usual first windows would be more than this part of a launch, it begins
 * with fewer. */
enum { SMALL_PART = 40 };
/* Windows become this part more at a time, at least; and of fewer than so many nobody
 * tells which are of the transient. */
enum { PART_ADDED = 2, FEWEST_CUT = 4 };
/* Of the windows that a simulation adds, its transient may cover this part: they lie
 * side by side in the grid, and what is there is taken from beside them. Of all windows
 * this part must count. */
enum { SMALL_CUT = 8, ENOUGH = 3 };

/* A plan, and what is known of its windows. */
struct grid {
    struct sample_plan plan;
    bool simulated[MEASURE_MOST];
    bool dropped[MEASURE_MOST]; /* has drifted, as was seen before this plan */
    bool drifted[MEASURE_MOST]; /* or now: it does not count */
    struct measure_window window[MEASURE_MOST];
};

struct growth {
    struct windows w; /* what is simulated at a time */
    const struct sample_options *options;
    struct sample_plan first; /* head, windows, tail: simulated as a launch */
    struct mem_system *mem;   /* after it */
    uint64_t next;            /* cycle in which another launch may begin there */
    /* That the first simulation takes, without the windows that were added to it, and
     * with them. */
    uint64_t first_cycles, begin_cycles;
    uint64_t past_cycle, past_sum; /* of the simulations before */
    uint64_t lead_in;    /* groups that go before the windows that are added */
    uint32_t from;       /* of w's windows: the first that shows what was added last */
    uint32_t added, cut; /* windows, and how many of them are of the transient; */
    double left;         /* what the others show of it */
    bool settled; /* what was simulated last is as far from the begin as it must */
    struct grid now, old; /* this plan and the one before: then windows 0 */
    struct measure all;   /* of this one's windows, those that count */
    struct measure so_far;
};

/* ---- the estimate -------------------------------------------------------------- */

/* Where the grid's plan has a window that begins there; 0: nowhere. */
static uint32_t part_find(const struct grid *grid, uint64_t first)
{
    uint32_t i = grid->plan.windows > 0 ? grid->plan.windows - 2 : 0;

    while (i > 0 && grid->plan.window[i].first != first)
        i--;
    return i;
}

/* Was the window of this plan simulated before? */
static bool is_old(const struct growth *g, uint32_t i)
{
    return g->old.simulated[part_find(&g->old, g->now.plan.window[i].first)];
}

/* Instructions of the stratum that the first simulation left out. */
static uint64_t rest(const struct growth *g, uint32_t i)
{
    struct sample_window all = sample_plan_stratum(&g->now.plan, i);
    uint64_t left = windows_instructions(&g->w, all.first, all.groups);

    for (uint32_t k = 1; k + 1 < g->first.windows; k++) {
        const struct sample_window *at = &g->first.window[k];

        if (at->first >= all.first && at->first < all.first + all.groups)
            left -= windows_instructions(&g->w, at->first, at->groups);
    }
    return left;
}

/* Does it? What is simulated behind the windows of a step does not. */
static bool measures(const struct sample_window *w)
{
    return w->groups > w->lead;
}

/* What *m, of g->w's simulation, shows of the grid's windows. */
static void grid_take(struct grid *grid, const struct growth *g,
                      const struct measure *m)
{
    for (uint32_t i = 0; i < grid->plan.windows; i++) {
        const struct sample_window *at = &grid->plan.window[i];

        for (uint32_t k = 0; k < g->w.count; k++) /* a lead may be longer here */
            if (measures(&g->w.window[k]) &&
                g->w.window[k].first + g->w.window[k].lead == at->first + at->lead)
                grid->window[i] = m->window[k];
    }
}

/* Those that count, into g->all. Returns how many do. */
static uint32_t counted(struct growth *g)
{
    uint32_t count = 0;

    g->all.windows = g->now.plan.windows;
    g->all.window[0] = g->now.window[0];
    for (uint32_t i = 1; i + 1 < g->all.windows; i++) {
        struct measure_window *w = &g->all.window[i];
        bool counts = g->now.simulated[i] && !g->now.drifted[i];

        *w = g->now.window[i];
        w->rest_instructions = rest(g, i);
        if (!counts)
            w->resident = w->instructions = 0;
        count += counts;
    }
    return count;
}

static void growth_take(struct growth *g, const struct measure *m)
{
    grid_take(&g->old, g, m);
    grid_take(&g->now, g, m);
    memcpy(g->now.drifted, g->now.dropped, sizeof(g->now.drifted));
    g->all.last.cycle = g->past_cycle + m->last.cycle - m->full.cycle;
    g->all.last.sum = g->past_sum + m->last.sum - m->full.sum;
}

/* Between the head, which is the launch's own begin, and the first window that counts
 * the cost goes from the head's to the window's. */
static void add_begin(const struct growth *g, struct estimate *e)
{
    uint32_t i = 1;
    uint64_t head = g->first.window[0].groups, gap;
    double more;

    while (g->all.window[i].instructions == 0)
        i++;
    gap = g->now.plan.window[i].first + g->now.plan.window[i].lead - head;
    more =
        settle_mean(measure_cost(&g->all.window[0]), measure_cost(&g->all.window[i])) *
        (double)windows_instructions(&g->w, head, gap) / e->at_a_time;
    e->cycles += more;
    e->fades += fabs(more);
}

/* What is left of a simulation's transient is no part of the launch. Of the first
 * windows it cannot be told from what changes along the grid. */
static void add_drift(const struct growth *g, struct estimate *e, bool first)
{
    double left = first ? 0 : settle_mean(g->left, 0) * e->rest;

    e->cycles -= left;
    e->fades += first ? fabs(e->trend) / 2 * e->rest : fabs(left);
}

static struct estimate estimate(const struct growth *g, bool first)
{
    struct estimate e = measure_estimate(&g->all, g->first_cycles);

    if (!first)
        e.statistical *= MEASURE_AGAIN;
    add_begin(g, &e);
    add_drift(g, &e, first);
    e.allowed += e.fades;
    return e;
}

/* ---- judgement ----------------------------------------------------------------- */

/* Of the windows that were added, the first may be of the simulation's transient still.
 */
static void settle(struct growth *g, const struct measure *m)
{
    double cost[MEASURE_MOST];
    uint32_t at[MEASURE_MOST];

    g->added = g->cut = 0;
    for (uint32_t k = g->from; k < g->w.count; k++)
        if (measures(&g->w.window[k])) {
            at[g->added] = k;
            cost[g->added++] = measure_cost(&m->window[k]);
        }
    if (g->added >= FEWEST_CUT)
        g->cut = settle_cut(cost, g->added);
    if (settle_bias(cost, g->added, g->cut) < g->options->error / 4)
        g->cut = 0;
    g->left = settle_left(cost + g->cut, g->added - g->cut);
    for (uint32_t k = 0; k < g->cut; k++) {
        const struct sample_window *w = &g->w.window[at[k]];

        for (uint32_t i = 1; i + 1 < g->now.plan.windows; i++)
            g->now.drifted[i] |=
                g->now.plan.window[i].first + g->now.plan.window[i].lead ==
                w->first + w->lead;
    }
}

/* The nearest old window before place i that counts, from there down (or up); its end:
 * none does. */
static uint32_t nearest(const struct grid *old, uint32_t i, bool up)
{
    while (i > 0 && i + 1 < old->plan.windows &&
           (!old->simulated[i] || old->drifted[i]))
        i = up ? i + 1 : i - 1;
    return i;
}

/* What the windows before say of this place. */
static double expected(const struct grid *old, uint64_t first)
{
    const struct sample_window *at = old->plan.window;
    const struct measure_window *w = old->window;
    uint32_t i = 1, last = old->plan.windows - 2, below, above;
    double part;

    while (i <= last && at[i].first < first)
        i++;
    below = nearest(old, i - 1, false);
    above = nearest(old, i, true);
    if (below == 0 || above > last)
        return measure_cost(&w[below == 0 ? above : below]);
    part =
        (double)(first - at[below].first) / (double)(at[above].first - at[below].first);
    return (1 - part) * measure_cost(&w[below]) + part * measure_cost(&w[above]);
}

/* Do the added windows, longer after their simulation's begin, say something else of
 * the grid than those before? */
static bool drifts(const struct growth *g, const struct estimate *e)
{
    double n = 0, sum = 0, squares = 0, at_a_time;

    for (uint32_t i = 1; i + 1 < g->now.plan.windows; i++) {
        const struct measure_window *w = &g->all.window[i];
        double change;

        if (w->instructions == 0 || is_old(g, i))
            continue;
        change = (measure_cost(w) - expected(&g->old, g->now.plan.window[i].first)) *
                 (double)w->rest_instructions;
        n++;
        sum += change;
        squares += change * change;
    }
    at_a_time = (double)g->all.last.sum / (double)g->all.last.cycle;
    sum /= at_a_time;
    squares = n > 1 ? (squares / at_a_time / at_a_time - sum * sum / n) / (n - 1) : 0;
    return fabs(sum) > g->options->error / 4 * e->cycles + sqrt(n * squares);
}

/* The windows before those that were added last have drifted. */
static void drop_old(struct growth *g)
{
    for (uint32_t i = 1; i + 1 < g->now.plan.windows; i++)
        g->now.drifted[i] |= is_old(g, i);
}

static uint32_t simulated(const struct growth *g)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i + 1 < g->now.plan.windows; i++)
        count += g->now.simulated[i];
    return count;
}

/* Is what was simulated last as far from the launch's begin as it must be? */
static bool settled(struct growth *g, struct estimate *e)
{
    uint32_t count = counted(g);

    *e = estimate(g, false);
    if (drifts(g, e)) {
        drop_old(g);
        count = counted(g);
        *e = estimate(g, false);
    }
    return (g->cut <= 1 || g->cut * SMALL_CUT <= g->added) &&
           count * ENOUGH >= simulated(g);
}

/* The estimate by *m, of the simulation so far. Does it suffice? */
static bool look(struct growth *g, const struct measure *m, struct estimate *e)
{
    double error = g->options->error;

    growth_take(g, m);
    if (g->old.plan.windows > 0) {
        settle(g, m);
        g->settled = settled(g, e);
    } else {
        (void)counted(g);
        *e = estimate(g, true);
        g->settled = fabs(e->trend) < error / 2;
    }
    return g->options->windows > 0 ||
           (g->settled && e->statistical <= error * e->cycles - e->allowed);
}

/* ---- more windows -------------------------------------------------------------- */

/* How far what is added has to be from the simulation's begin. */
static void lead_further(struct growth *g)
{
    uint32_t k = 0;

    if (g->old.plan.windows == 0)
        g->lead_in = (g->settled ? LEAD_IN : LONG_LEAD_IN) * g->w.shape.at_once;
    for (uint32_t cut = 0; cut < g->cut; k++)
        if (measures(&g->w.window[g->from + k]))
            g->lead_in += cut++ > 0 ? g->w.window[g->from + k].groups : 0;
    g->from += k;
}

/* `count` of the plan's windows that have not been simulated, evenly among them, are to
 * be. */
static void choose(struct growth *g, uint32_t count, bool chosen[MEASURE_MOST])
{
    struct grid *now = &g->now;
    uint32_t strata = now->plan.windows - 2, missing = strata - simulated(g), at;

    at =
        (uint32_t)(igpu_mix(g->options->seed << 20 | strata << 10 | missing) % missing);
    for (uint32_t i = 1; i <= strata; i++) {
        uint64_t j = at;

        chosen[i] = false;
        if (now->simulated[i])
            continue;
        at = (at + 1) % missing;
        chosen[i] = (j + 1) * count / missing > j * count / missing;
    }
    for (uint32_t i = 1; i <= strata; i++)
        now->simulated[i] |= chosen[i];
}

/* Of a plan of `strata`, what is known before. False: there is none. */
static bool refine(struct growth *g, uint32_t strata)
{
    struct grid *now = &g->now, *old = &g->old;
    struct sample_plan plan;

    if (!sample_plan_make(&plan, &g->w.shape, strata))
        return false;
    *old = *now;
    now->plan = plan;
    for (uint32_t i = 1; i <= strata; i++) {
        uint32_t k = part_find(old, plan.window[i].first);

        now->simulated[i] = k > 0 && old->simulated[k];
        now->dropped[i] = k > 0 && old->drifted[k];
        now->window[i] = old->window[k];
    }
    return true;
}

/* The chosen windows behind those of g->w, from the grid's middle on and then from its
 * begin: what changes with time is not taken for what changes along the grid. A lead
 * lets the threads drift apart. Behind them are a filling of what comes next, with
 * which the device does not run empty of threads as long as theirs, and the launch's
 * tail. */
static void put(struct growth *g, const bool chosen[MEASURE_MOST])
{
    const struct sample_plan *plan = &g->now.plan;
    uint32_t strata = plan->windows - 2, n = g->w.count;
    struct sample_window *to = &g->w.window[n];
    uint64_t lead = g->lead_in;

    for (uint32_t k = 0; k < g->w.count && lead > 0; k++)
        lead -= lead < g->w.window[k].groups ? lead : g->w.window[k].groups;
    for (uint32_t k = 0; k < strata; k++) {
        uint32_t i = 1 + (k + strata / 2) % strata;

        if (chosen[i])
            g->w.window[n++] = plan->window[i];
    }
    lead = lead < to->first ? lead : to->first;
    to->first -= lead;
    to->groups += lead;
    to->lead += lead;
    g->w.window[n] = (struct sample_window){to[n - g->w.count - 1].first +
                                                to[n - g->w.count - 1].groups,
                                            g->w.shape.at_once, g->w.shape.at_once};
    g->w.window[n + 1] = plan->window[strata + 1];
    g->w.window[n + 1].lead = g->w.window[n + 1].groups;
    g->w.count = n + 2;
}

/* How many windows there are to be: as many as the error wants, and where what there is
 * may not count as many again. */
static uint32_t windows_wanted(const struct growth *g, const struct estimate *e)
{
    uint32_t known = simulated(g), count = measure_more(e, g->options->error);
    uint32_t fewest = g->settled ? (known + PART_ADDED - 1) / PART_ADDED : known;

    return known + (count > fewest ? count : fewest);
}

/* So many windows beside those of g->w, of which the simulation goes on, or in another
 * one. False: they would be too many. */
static bool more(struct growth *g, const struct estimate *e, bool goes_on)
{
    bool chosen[MEASURE_MOST];
    uint32_t known = simulated(g), wanted = windows_wanted(g, e), count;
    uint32_t strata = g->now.plan.windows - 2;

    while (strata <= known || 4 * strata < 3 * wanted) /* nearly as many will do */
        strata *= 2;
    count = (wanted < strata ? wanted : strata) - known;
    if (goes_on && g->w.count + count + 2 > WINDOWS_MOST)
        return false;
    lead_further(g);
    if (!refine(g, strata))
        return false;
    if (!goes_on)
        g->w.count = 0;
    if (!goes_on || count >= FEWEST_CUT)
        g->from = g->w.count;
    choose(g, count, chosen);
    put(g, chosen);
    return true;
}

/* ---- simulations --------------------------------------------------------------- */

/* Nearly all threads of g->w's simulation are open. */
static bool on_near_end(void *ctx)
{
    struct growth *g = ctx;
    struct estimate e;

    g->w.status = windows_so_far(&g->w, &g->so_far, &g->w.err);
    if (g->w.status != IGPU_OK)
        return false;
    if (g->past_cycle == 0)
        g->first_cycles = g->w.measure.window[g->w.begun - 1].opened;
    return !look(g, &g->so_far, &e) && more(g, &e, true);
}

/* g->w's windows, and more of them while it goes on. *good: the estimate suffices. */
static enum igpu_status windows_simulate(struct growth *g, struct mem_system **mem,
                                         bool *good, struct machine_result *r,
                                         uint64_t *next, struct igpu_err *err)
{
    enum igpu_status status = mem_create(mem, g->w.m->sim.config, err);

    if (status != IGPU_OK)
        return status;
    mem_copy_caches(*mem, g->w.m->mem);
    g->w.more = on_near_end;
    g->w.more_ctx = g;
    status = windows_run(&g->w, *mem, r, next, err);
    if (status != IGPU_OK)
        return status;
    if (g->past_cycle == 0)
        g->first_cycles = g->w.measure.window[g->w.begun - 1].opened +
                          r->stats.run_cycles - g->w.measure.last.cycle;
    *good = look(g, &g->w.measure, &r->time);
    g->past_cycle = g->all.last.cycle;
    g->past_sum = g->all.last.sum;
    return IGPU_OK;
}

/* The plan as a launch. */
static enum igpu_status growth_begin(struct growth *g, bool *good,
                                     struct machine_result *r, struct igpu_err *err)
{
    enum igpu_status status;

    g->first = g->now.plan;
    g->w.count = g->from = g->first.windows;
    memcpy(g->w.window, g->first.window, g->w.count * sizeof(*g->w.window));
    for (uint32_t i = 1; i + 1 < g->first.windows; i++)
        g->now.simulated[i] = true;
    status = windows_simulate(g, &g->mem, good, r, &g->next, err);
    g->begin_cycles = r->stats.run_cycles;
    return status;
}

/* Windows that were seen to be missing too late, in a simulation of their own. */
static enum igpu_status windows_grow(struct growth *g, bool *good,
                                     struct machine_result *r, struct igpu_err *err)
{
    struct machine_result more = *r;
    struct mem_system *mem = NULL;
    uint64_t next;
    enum igpu_status status = windows_simulate(g, &mem, good, &more, &next, err);

    if (mem != NULL)
        mem_destroy(mem);
    if (status != IGPU_OK)
        return status;
    scale_add(&r->stats, &more.stats);
    r->threads += more.threads;
    r->instructions += more.instructions;
    r->time = more.time;
    return IGPU_OK;
}

/* *good: the estimate suffices. */
static enum igpu_status sample(struct growth *g, bool *good, struct machine_result *r,
                               struct igpu_err *err)
{
    enum igpu_status status = growth_begin(g, good, r, err);

    while (status == IGPU_OK && !*good && more(g, &r->time, false))
        status = windows_grow(g, good, r, err);
    return status;
}

static uint32_t first_strata(const struct growth *g)
{
    struct sample_plan plan;

    if (g->options->windows > 0)
        return (uint32_t)g->options->windows;
    if (!sample_plan_make(&plan, &g->w.shape, SAMPLE_FIRST_STRATA) ||
        plan.window[1].groups * SAMPLE_FIRST_STRATA * SMALL_PART > g->w.shape.groups)
        return SAMPLE_FEWEST_STRATA;
    return SAMPLE_FIRST_STRATA;
}

/* What is known of the launch. */
static enum igpu_status window_look(struct machine *m, uint32_t launch,
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
        .head = FIRST_HEAD,
        .seed = options->seed};
    shape->group_instructions = (double)l->totals.instructions / (double)shape->groups;
    return IGPU_OK;
}

/* g->w.shape and options are known. */
static enum igpu_status try(struct growth *g, bool *good, struct machine_result *r,
                            struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    uint64_t *sum;

    if (!sample_plan_make(&g->now.plan, &g->w.shape, first_strata(g)))
        return IGPU_OK;
    g->w.warm = warm_new(machine_cache_lines(g->w.m->sim.config));
    g->w.sum = sum = walk_instructions(g->w.m->reader, g->w.launch, &status, err);
    if (status == IGPU_OK && g->w.warm == NULL)
        status = igpu_no_memory(err, "sample");
    if (status == IGPU_OK)
        status = sample(g, good, r, err);
    warm_free(g->w.warm);
    free(sum);
    return status;
}

static enum igpu_status keep_profile(struct growth *g, struct machine_result *r,
                                     struct igpu_err *err)
{
    const struct igpu_config *c = g->w.m->sim.config;
    enum igpu_status status = machine_profile(r, err);

    if (status == IGPU_OK)
        waits_whole(&g->w.waits, &g->all, r->time.cycles,
                    trace_launch(g->w.m->reader, g->w.launch),
                    c->gpu_subslices * c->eu_count * c->eu_threads, r->profile);
    return status;
}

enum igpu_status machine_sample(struct machine *m, uint32_t launch,
                                const struct sample_options *options,
                                struct machine_result *r, struct igpu_err *err)
{
    struct growth *g = calloc(1, sizeof(*g));
    bool cold = m->mem == NULL, good = false;
    enum igpu_status status = machine_ready(m, err);

    if (g == NULL)
        return igpu_no_memory(err, "sample");
    g->w.m = m;
    g->w.launch = launch;
    g->w.cold = cold;
    g->options = options;
    memset(r, 0, sizeof(*r));
    if (status == IGPU_OK)
        status = window_look(m, launch, options, &g->w.shape, err);
    if (status == IGPU_OK)
        status = try(g, &good, r, err);
    if (status == IGPU_OK && good && m->profile)
        status = keep_profile(g, r, err);
    if (status == IGPU_OK && good) {
        r->windows = g->now.plan.windows;
        r->span = (uint64_t)(r->time.cycles + 0.5) + g->next - g->begin_cycles;
        mem_destroy(m->mem);
        m->mem = g->mem;
        m->next = g->next;
        g->mem = NULL;
    }
    if (g->mem != NULL)
        mem_destroy(g->mem);
    waits_free(&g->w.waits);
    free(g);
    return status == IGPU_OK && !good ? machine_whole(m, launch, r, err) : status;
}
