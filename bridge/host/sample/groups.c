/* groups.c - see groups.h. */
#include "bridge/host/sample/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/scale.h"

/* Launches of one kernel and size belong together if none of their totals differs from
 * the group's first by more than this. */
#define ALIKE 0.05

static const struct trace_launch *groups_launch(const struct grouping *g, uint32_t row)
{
    return trace_launch(g->reader, g->first + row);
}

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

static uint32_t group_of(struct grouping *g, uint32_t row)
{
    uint32_t i = 0;

    while (i < g->l->groups &&
           !alike(groups_launch(g, row), groups_launch(g, g->group[i].first)))
        i++;
    if (i == g->l->groups)
        g->group[g->l->groups++] = (struct group){.first = row, .last = row};
    return i;
}

enum igpu_status groups_make(struct grouping *g, struct trace_reader *reader,
                             uint32_t first, uint32_t last, struct launches *l,
                             struct igpu_err *err)
{
    *g = (struct grouping){.l = l, .reader = reader, .first = first};
    *l = (struct launches){.count = last - first + 1};
    l->row = calloc(l->count, sizeof(*l->row));
    g->group = calloc(l->count, sizeof(*g->group));
    if (l->row == NULL || g->group == NULL)
        return igpu_no_memory(err, "sample");
    for (uint32_t i = 0; i < l->count; i++)
        l->row[i].group = group_of(g, i);
    return IGPU_OK;
}

void groups_free(struct grouping *g)
{
    free(g->group);
    g->group = NULL;
}

void groups_again(struct grouping *g)
{
    for (uint32_t i = 0; i < g->l->groups; i++) {
        uint32_t first = g->group[i].first;

        g->group[i] = (struct group){.first = first, .last = first};
    }
    g->l->simulated = 0;
}

void groups_leave(struct grouping *g, uint32_t row)
{
    struct group *of = &g->group[g->l->row[row].group];

    likes_leave(&of->likes);
    of->skips++;
    of->skipped += groups_launch(g, row)->totals.instructions;
}

void groups_take(struct grouping *g, uint32_t row)
{
    const struct launches_row *r = &g->l->row[row];
    struct group *of = &g->group[r->group];
    struct estimate time = {
        .cycles = r->cycles, .statistical = r->statistical, .allowed = r->allowed};

    likes_take(&of->likes, &time, groups_launch(g, row)->totals.instructions);
    of->last = row;
    g->l->simulated++;
}

/* Those left out, as the others of their group on the average. */
static void groups_fill(struct grouping *g)
{
    for (uint32_t i = 0; i < g->l->count; i++) {
        struct launches_row *row = &g->l->row[i];
        const struct group *of = &g->group[row->group];
        const struct launches_row *like = &g->l->row[of->last];
        const struct trace_launch *launch = groups_launch(g, i);
        struct estimate guess;

        g->l->row[row->threads > 0 ? i : of->last].stands_for++;
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

void groups_end(struct grouping *g)
{
    groups_fill(g);
    add_up(g);
}
