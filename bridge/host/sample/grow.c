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
#include "igpu/mem.h"

/* What is measured must be of threads that are as far apart as in a long launch: so
 * many fillings of the device go before the windows that are added; more where the
 * first windows' costs rise or fall, which may be the way there. */
enum { FIRST_HEAD = 2, LEAD_IN = 6, LONG_LEAD_IN = 36 };
/* Where the usual first windows would be more than this part of a launch, it begins
 * with fewer. */
enum { SMALL_PART = 40 };
/* Of the windows that a simulation adds, its transient may cover this part: they lie
 * side by side in the grid, and what is there is taken from beside them. Of all windows
 * this part must count. */
enum { SMALL_CUT = 8, ENOUGH = 3 };

struct growth {
    struct windows w; /* what is simulated at a time */
    const struct sample_options *options;
    struct sample_plan first; /* head, windows, tail: simulated as a launch */
    struct mem_system *mem;   /* after it */
    uint64_t next, first_cycles;
    bool drifted[WINDOWS_MOST]; /* of the plan's windows: they do not count */
    uint64_t lead_in;           /* groups that go before the windows that are added */
    uint32_t added, cut;     /* windows, and how many of them are of the transient; */
    double left;             /* what the others show of it */
    struct sample_plan plan; /* all windows that have been simulated, */
    struct measure all;      /* and what they took */
    struct measure before;   /* the same of the plan before, */
    struct sample_plan old;  /* which it was */
};

/* ---- the estimate -------------------------------------------------------------- */

/* Where the plan has a window that begins there; 0: nowhere. */
static uint32_t part_find(const struct sample_plan *plan, uint64_t first)
{
    uint32_t i = plan->windows > 0 ? plan->windows - 2 : 0;

    while (i > 0 && plan->window[i].first != first)
        i--;
    return i;
}

/* Instructions of the stratum that the first simulation left out. */
static uint64_t rest(const struct growth *g, uint32_t i)
{
    struct sample_window all = sample_plan_stratum(&g->plan, i);
    uint64_t left = windows_instructions(&g->w, all.first, all.groups);

    for (uint32_t k = 1; k + 1 < g->first.windows; k++) {
        const struct sample_window *at = &g->first.window[k];

        if (at->first >= all.first && at->first < all.first + all.groups)
            left -= windows_instructions(&g->w, at->first, at->groups);
    }
    return left;
}

/* What g->w's simulation has shown, beside what was known. */
static void growth_take(struct growth *g)
{
    const struct measure *m = &g->w.measure;
    struct measure *all = &g->all;
    bool drifted[WINDOWS_MOST];

    memcpy(drifted, g->drifted, sizeof(drifted));
    g->before = *all;
    all->windows = g->plan.windows;
    for (uint32_t i = 1; i + 1 < g->plan.windows; i++) {
        uint64_t first = g->plan.window[i].first;
        uint32_t k = part_find(&g->old, first);

        g->drifted[i] = k > 0 && drifted[k];
        if (k > 0)
            all->window[i] = g->before.window[k];
        for (k = 0; k < g->w.count; k++) /* its first one may begin earlier */
            if (m->window[k].instructions > 0 &&
                g->w.window[k].first + g->w.window[k].lead ==
                    first + g->plan.window[i].lead)
                all->window[i] = m->window[k];
        all->window[i].rest_instructions = rest(g, i);
    }
    if (g->old.windows == 0)
        all->window[0] = m->window[0];
    all->last.cycle += m->last.cycle - m->full.cycle;
    all->last.sum += m->last.sum - m->full.sum;
}

/* ---- simulations --------------------------------------------------------------- */

static enum igpu_status windows_simulate(struct growth *g, struct mem_system **mem,
                                         struct machine_result *r, uint64_t *next,
                                         struct igpu_err *err)
{
    enum igpu_status status = mem_create(mem, g->w.m->sim.config, err);

    if (status != IGPU_OK)
        return status;
    mem_copy_caches(*mem, g->w.m->mem);
    return windows_run(&g->w, *mem, r, next, err);
}

/* The plan as a launch. */
static enum igpu_status growth_begin(struct growth *g, struct machine_result *r,
                                     struct igpu_err *err)
{
    enum igpu_status status;

    g->first = g->plan;
    g->w.count = g->plan.windows;
    memcpy(g->w.window, g->plan.window, g->w.count * sizeof(*g->w.window));
    status = windows_simulate(g, &g->mem, r, &g->next, err);
    if (status != IGPU_OK)
        return status;
    g->first_cycles = r->stats.run_cycles;
    growth_take(g);
    return IGPU_OK;
}

/* Those of the plan's windows that have not been simulated, from the grid's middle on
 * and then from its begin: what changes with time is not taken for what changes along
 * the grid. A lead lets the threads drift apart, and after them is a filling with which
 * the device does not run empty. */
static void pick(struct growth *g)
{
    const struct sample_plan *plan = &g->plan;
    uint64_t lead;
    uint32_t strata = plan->windows - 2, n = 0;
    struct sample_window *to = g->w.window;

    for (uint32_t k = 0; k < strata; k++) {
        uint32_t i = 1 + (k + strata / 2) % strata;

        if (part_find(&g->old, plan->window[i].first) == 0)
            to[n++] = plan->window[i];
    }
    lead = g->lead_in < to->first ? g->lead_in : to->first;
    to->first -= lead;
    to->groups += lead;
    to->lead += lead;
    to[n] = (struct sample_window){to[n - 1].first + to[n - 1].groups,
                                   g->w.shape.at_once, g->w.shape.at_once};
    g->w.count = n + 1;
}

/* Of the windows that were added, the first may be of the simulation's transient still:
 * the next one's lead is longer by as many. */
static void settle(struct growth *g)
{
    double cost[WINDOWS_MOST];

    g->added = g->w.count - 1;
    for (uint32_t k = 0; k < g->added; k++)
        cost[k] = measure_cost(&g->w.measure.window[k]);
    g->cut = settle_cut(cost, g->added);
    if (settle_bias(cost, g->added, g->cut) < g->options->error / 4)
        g->cut = 0;
    g->left = settle_left(cost + g->cut, g->added - g->cut);
    for (uint32_t k = 0; k < g->cut; k++) {
        const struct sample_window *at = &g->w.window[k];

        for (uint32_t i = 1; i + 1 < g->plan.windows; i++)
            g->drifted[i] |= g->plan.window[i].first + g->plan.window[i].lead ==
                             at->first + at->lead;
        g->lead_in += k > 0 ? at->groups : 0;
    }
}

/* The windows that the plan has beside those of g->old. */
static enum igpu_status windows_grow(struct growth *g, struct machine_result *r,
                                     struct igpu_err *err)
{
    struct machine_result more = *r;
    struct mem_system *mem = NULL;
    uint64_t next;
    enum igpu_status status;

    pick(g);
    status = windows_simulate(g, &mem, &more, &next, err);
    if (mem != NULL)
        mem_destroy(mem);
    if (status != IGPU_OK)
        return status;
    scale_add(&r->stats, &more.stats);
    r->threads += more.threads;
    r->instructions += more.instructions;
    growth_take(g);
    settle(g);
    return IGPU_OK;
}

/* ---- judgement ----------------------------------------------------------------- */

/* The nearest window before place i that counts, from there down (or up); its end: none
 * does. */
static uint32_t nearest(const struct measure *m, uint32_t i, bool up)
{
    while (i > 0 && i + 1 < m->windows && m->window[i].instructions == 0)
        i = up ? i + 1 : i - 1;
    return i;
}

/* What the windows before say of this place. */
static double expected(const struct growth *g, uint64_t first)
{
    const struct sample_plan *old = &g->old;
    const struct measure_window *w = g->before.window;
    uint32_t i = 1, last = old->windows - 2, below, above;
    double part;

    while (i <= last && old->window[i].first < first)
        i++;
    below = nearest(&g->before, i - 1, false);
    above = nearest(&g->before, i, true);
    if (below == 0 || above > last)
        return measure_cost(&w[below == 0 ? above : below]);
    part = (double)(first - old->window[below].first) /
           (double)(old->window[above].first - old->window[below].first);
    return (1 - part) * measure_cost(&w[below]) + part * measure_cost(&w[above]);
}

/* Do the added windows, longer after their simulation's begin, say something else of
 * the grid than those before? */
static bool drifts(const struct growth *g, const struct estimate *e)
{
    double n = 0, sum = 0, squares = 0, at_a_time;

    for (uint32_t i = 1; i + 1 < g->plan.windows; i++) {
        const struct measure_window *w = &g->all.window[i];
        double change;

        if (g->drifted[i] || part_find(&g->old, g->plan.window[i].first) > 0)
            continue;
        change = (measure_cost(w) - expected(g, g->plan.window[i].first)) *
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
    for (uint32_t i = 1; i + 1 < g->plan.windows; i++)
        g->drifted[i] |= part_find(&g->old, g->plan.window[i].first) > 0;
}

/* Those that have drifted no longer count. Returns how many do. */
static uint32_t counted(struct growth *g)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i + 1 < g->plan.windows; i++) {
        if (g->drifted[i])
            g->all.window[i].resident = g->all.window[i].instructions = 0;
        count += !g->drifted[i];
    }
    return count;
}

/* Between the head, which is the launch's own begin, and the first window that counts
 * the cost goes from the head's to the window's. */
static void add_begin(const struct growth *g, struct estimate *e)
{
    uint32_t i = nearest(&g->all, 1, true);
    uint64_t head = g->first.window[0].groups;
    uint64_t gap = g->plan.window[i].first + g->plan.window[i].lead - head;
    double more =
        settle_mean(measure_cost(&g->all.window[0]), measure_cost(&g->all.window[i])) *
        (double)windows_instructions(&g->w, head, gap) / e->at_a_time;

    e->cycles += more;
    e->fades += fabs(more);
}

/* What is left of a simulation's transient is no part of the launch. Of the first
 * simulation it cannot be told from what changes along the grid. */
static void add_drift(const struct growth *g, struct estimate *e, bool first)
{
    double left = first ? 0 : settle_mean(g->left, 0) * e->rest;

    e->cycles -= left;
    e->fades += first ? fabs(e->trend) / 2 * e->rest : fabs(left);
}

static struct estimate estimate(const struct growth *g, bool first)
{
    struct estimate e = measure_estimate(&g->all, g->first_cycles);

    add_begin(g, &e);
    add_drift(g, &e, first);
    e.allowed += e.fades;
    return e;
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

/* The next plan: of twice, four or eight times as many strata. */
static bool more(struct growth *g, const struct estimate *e)
{
    uint32_t strata = g->plan.windows - 2, wanted = 2 * strata;

    g->old = g->plan;
    strata += measure_more_strata(e, g->options->error, strata);
    while (4 * wanted < 3 * strata) /* nearly as many will do */
        wanted *= 2;
    return sample_plan_make(&g->plan, &g->w.shape, wanted);
}

/* Is what was simulated last as far from the launch's begin as it must be? */
static bool settled(struct growth *g, struct estimate *e, bool first)
{
    bool trend = fabs(e->trend) >= g->options->error / 2;
    uint32_t count;

    if (first) {
        g->lead_in = (trend ? LONG_LEAD_IN : LEAD_IN) * g->w.shape.at_once;
        return !trend;
    }
    if (drifts(g, e))
        drop_old(g);
    count = counted(g);
    *e = estimate(g, first);
    return (g->cut <= 1 || g->cut * SMALL_CUT <= g->added) &&
           count * ENOUGH >= g->plan.windows - 2;
}

/* *good: the estimate suffices. */
static enum igpu_status sample(struct growth *g, bool *good, struct machine_result *r,
                               struct igpu_err *err)
{
    double error = g->options->error;
    enum igpu_status status = growth_begin(g, r, err);

    for (bool first = true; status == IGPU_OK; first = false) {
        struct estimate *e = &r->time;

        *e = estimate(g, first);
        *good =
            g->options->windows > 0 ||
            (settled(g, e, first) && e->statistical <= error * e->cycles - e->allowed);
        if (*good || !more(g, e))
            break;
        status = windows_grow(g, r, err);
    }
    return status;
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

    if (!sample_plan_make(&g->plan, &g->w.shape, first_strata(g)))
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
        r->windows = g->plan.windows;
        r->span = (uint64_t)(r->time.cycles + 0.5) + g->next - g->first_cycles;
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
