/* launches.c - see launches.h. */
#include "bridge/host/sample/launches.h"

#include <stdlib.h>

#include "bridge/host/sample/groups.h"
#include "bridge/host/sample/scale.h"

static void launches_take(struct launches_row *row, const struct machine_result *r,
                          const struct trace_launch *launch)
{
    row->cycles = r->time.cycles;
    row->statistical = r->time.statistical;
    row->allowed = r->time.allowed;
    row->span = r->span;
    row->threads = r->threads;
    row->windows = r->windows;
    row->profile = r->profile;
    row->stats = r->stats;
    if (r->windows > 0)
        scale_stats(&row->stats, row->cycles, &launch->totals, launch->threads);
}

enum igpu_status launches_one(struct launches_row *row, struct machine *m,
                              uint32_t launch, const struct sample_options *options,
                              struct igpu_err *err)
{
    struct machine_result result;
    enum igpu_status status = options == NULL
                                  ? machine_whole(m, launch, &result, err)
                                  : machine_sample(m, launch, options, &result, err);

    if (status == IGPU_OK)
        launches_take(row, &result, trace_launch(m->reader, launch));
    return status;
}

/* Row by row. *pending: launches left out since the last one that was simulated. */
static enum igpu_status launches_step(struct grouping *g, struct machine *m,
                                      uint32_t row,
                                      const struct sample_options *options,
                                      uint32_t *pending, struct igpu_err *err)
{
    uint32_t launch = g->first + row;
    enum igpu_status status = IGPU_OK;

    if (options != NULL &&
        !likes_wanted(&g->group[g->l->row[row].group].likes, options)) {
        groups_leave(g, row);
        (*pending)++;
        return IGPU_OK;
    }
    if (*pending > 0)
        status = machine_skip(m, launch - *pending, launch - 1, err);
    *pending = 0;
    if (status == IGPU_OK)
        status = launches_one(&g->l->row[row], m, launch, options, err);
    if (status == IGPU_OK)
        groups_take(g, row);
    return status;
}

enum igpu_status launches_run(struct launches *l, struct machine *m, uint32_t first,
                              uint32_t last, const struct sample_options *options,
                              struct igpu_err *err)
{
    struct grouping g;
    enum igpu_status status = groups_make(&g, m->reader, first, last, l, err);
    uint32_t pending = 0;

    for (uint32_t i = 0; i < l->count && status == IGPU_OK; i++)
        status = launches_step(&g, m, i, options, &pending, err);
    if (status == IGPU_OK)
        groups_end(&g);
    groups_free(&g);
    return status;
}

void launches_go_on(struct launches *l)
{
    const struct launches_row *last = &l->row[l->count - 1];

    l->total.cycles += (double)last->span - last->cycles;
    l->total.stats.run_cycles = (uint64_t)(l->total.cycles + 0.5);
}

void launches_free(struct launches *l)
{
    for (uint32_t i = 0; l->row != NULL && i < l->count; i++) {
        waits_profile_free(l->row[i].profile);
        free(l->row[i].profile);
    }
    free(l->row);
    l->row = NULL;
}
