/* launches.c - see launches.h. */
#include "bridge/sample/launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/sample/likes.h"
#include "bridge/sample/scale.h"

/* Launches of one kernel and size belong together if none of their totals differs from
 * the group's first by more than this. */
#define ALIKE 0.05

/* Launches that execute the same. */
struct group {
    uint32_t first;   /* the launch that began it */
    uint32_t last;    /* that was simulated last */
    uint32_t skips;   /* left out, */
    uint64_t skipped; /* their instructions */
    struct likes likes;
};

struct grouping {
    struct launches *l;
    struct machine *m;
    const struct sample_options *options;
    uint32_t first;   /* launch of row 0 */
    uint32_t pending; /* launches left out since the last one that was simulated */
    struct group *group;
};

static const struct trace_launch *launch_of(const struct grouping *g, uint32_t row)
{
    return trace_launch(g->m->reader, g->first + row);
}

/* ---- groups -------------------------------------------------------------------- */

static bool near(uint64_t a, uint64_t b)
{
    double less = (double)(a < b ? a : b), more = (double)(a < b ? b : a);

    return more - less <= ALIKE * more;
}

static bool alike(const struct trace_launch *a, const struct trace_launch *b)
{
    return a->kernel == b->kernel && a->threads == b->threads &&
           a->threads_per_group == b->threads_per_group &&
           a->slm_bytes == b->slm_bytes && a->dims == b->dims &&
           memcmp(a->global, b->global, sizeof(a->global)) == 0 &&
           memcmp(a->local, b->local, sizeof(a->local)) == 0 &&
           near(a->totals.instructions, b->totals.instructions) &&
           near(a->totals.lane_instructions, b->totals.lane_instructions) &&
           near(a->totals.flops, b->totals.flops) && near(a->blocks, b->blocks) &&
           near(a->accesses, b->accesses) && near(a->lane_accesses, b->lane_accesses);
}

static struct group *group_of(struct grouping *g, uint32_t row)
{
    struct launches *l = g->l;
    uint32_t i = 0;

    while (i < l->groups && !alike(launch_of(g, row), launch_of(g, g->group[i].first)))
        i++;
    if (i == l->groups)
        g->group[l->groups++] = (struct group){.first = row, .last = row};
    l->row[row].group = i;
    return &g->group[i];
}

/* ---- launches ------------------------------------------------------------------ */

static void take(struct launches_row *row, const struct machine_result *r,
                 const struct trace_launch *launch)
{
    row->cycles = r->time.cycles;
    row->statistical = r->time.statistical;
    row->allowed = r->time.allowed;
    row->span = r->span;
    row->threads = r->threads;
    row->windows = r->windows;
    row->stats = r->stats;
    if (r->windows > 0)
        scale_stats(&row->stats, row->cycles, &launch->totals, launch->threads);
}

static enum igpu_status one(struct grouping *g, uint32_t row, struct igpu_err *err)
{
    const struct trace_launch *launch = launch_of(g, row);
    struct group *of = group_of(g, row);
    enum igpu_status status = IGPU_OK;
    struct machine_result result;

    if (!likes_wanted(&of->likes, g->options)) {
        likes_leave(&of->likes);
        of->skips++;
        of->skipped += launch->totals.instructions;
        g->pending++;
        return IGPU_OK;
    }
    if (g->pending > 0)
        status =
            machine_skip(g->m, g->first + row - g->pending, g->first + row - 1, err);
    g->pending = 0;
    if (status == IGPU_OK)
        status = machine_sample(g->m, g->first + row, g->options, &result, err);
    if (status != IGPU_OK)
        return status;
    take(&g->l->row[row], &result, launch);
    likes_take(&of->likes, &result.time, launch->totals.instructions);
    of->last = row;
    g->l->simulated++;
    return IGPU_OK;
}

/* Those left out, as the others of their group on the average. */
static void fill(struct grouping *g)
{
    for (uint32_t i = 0; i < g->l->count; i++) {
        struct launches_row *row = &g->l->row[i];
        const struct group *of = &g->group[row->group];
        const struct launches_row *like = &g->l->row[of->last];
        const struct trace_launch *launch = launch_of(g, i);
        struct estimate guess;

        if (row->threads > 0)
            continue;
        guess = likes_guess(&of->likes, launch->totals.instructions);
        row->cycles = guess.cycles;
        row->statistical = guess.statistical;
        row->allowed = guess.allowed;
        row->span =
            (uint64_t)(row->cycles + 0.5) + like->span - (uint64_t)(like->cycles + 0.5);
        row->stats = like->stats;
        row->stats.index = g->first + i;
        scale_stats(&row->stats, row->cycles, &launch->totals, launch->threads);
    }
}

static void add_up(struct grouping *g)
{
    struct launches *l = g->l;
    double squares = 0;

    memset(&l->total, 0, sizeof(l->total));
    for (uint32_t i = 0; i < l->count; i++) {
        const struct launches_row *row = &l->row[i];

        scale_add(&l->total.stats, &row->stats);
        l->total.allowed += row->allowed;
        l->total.threads += row->threads;
        l->total.cycles += i + 1 < l->count ? (double)row->span : row->cycles;
        if (row->threads > 0)
            squares += row->statistical * row->statistical;
    }
    for (uint32_t i = 0; i < l->groups; i++) {
        const struct group *of = &g->group[i];
        double times, mean;

        if (of->skips == 0)
            continue;
        times = (double)of->skips / of->likes.likes;
        mean = of->likes.mean * (double)of->skipped;
        /* Of the group's mean, and of as many launches about it; and their own. */
        squares += pow(likes_unsure(&of->likes) * mean, 2) * (1 + times) / times;
        squares += of->likes.statistical * (2 * times + times * times);
    }
    l->total.statistical = sqrt(squares);
    l->total.stats.run_cycles = (uint64_t)(l->total.cycles + 0.5);
    l->total.stats.complete = true;
}

enum igpu_status launches_run(struct launches *l, struct machine *m, uint32_t first,
                              uint32_t last, const struct sample_options *options,
                              struct igpu_err *err)
{
    struct grouping g = {.l = l, .m = m, .options = options, .first = first};
    enum igpu_status status = IGPU_OK;

    *l = (struct launches){.count = last - first + 1};
    l->row = calloc(l->count, sizeof(*l->row));
    g.group = calloc(l->count, sizeof(*g.group));
    if (l->row == NULL || g.group == NULL)
        status = igpu_fail(err, IGPU_BAD_INPUT, "sample: out of memory");
    for (uint32_t i = 0; i < l->count && status == IGPU_OK; i++)
        status = one(&g, i, err);
    if (status == IGPU_OK) {
        fill(&g);
        add_up(&g);
    }
    free(g.group);
    return status;
}

void launches_free(struct launches *l)
{
    free(l->row);
    l->row = NULL;
}
