/* pieces.c - see pieces.h. */
#include "bridge/host/sample/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/groups.h"

/* A piece is a PART of the instructions that are left, so that the last ones to end do
 * so at about the same time; at least a LEAST of all, since each begins with reading
 * what was before it. */
enum { PART = 16, LEAST = 48 };

static uint64_t work(const struct trace_reader *reader, uint32_t launch)
{
    return trace_launch(reader, launch)->totals.instructions;
}

uint32_t pieces_cut(const struct trace_reader *reader, uint32_t first, uint32_t count,
                    const bool *wanted, struct side_job *job)
{
    uint64_t all = 0, left, sum = 0, limit = 0;
    uint32_t jobs = 0;
    bool open = false;

    for (uint32_t i = 0; i < count; i++)
        all += wanted == NULL || wanted[i] ? work(reader, first + i) : 0;
    left = all;
    for (uint32_t i = 0; i < count; i++) {
        if (wanted != NULL && !wanted[i]) {
            open = false;
            continue;
        }
        if (!open) {
            left -= sum;
            sum = 0;
            limit = left / PART > all / LEAST ? left / PART : all / LEAST;
            job[jobs++].begin = i;
        }
        sum += work(reader, first + i);
        job[jobs - 1].end = i + 1;
        open = sum < limit;
    }
    return jobs;
}

/* ---- rounds --------------------------------------------------------------------- */

/* One after the other: rows that are wanted are simulated, and then it is seen whether
 * more are. */
struct rounds {
    struct grouping g;
    bool *wanted, *done; /* by row */
    uint32_t *of;        /* by group: rows of it so far */
    struct side_job *job;
};

static enum igpu_status rounds_make(struct rounds *r, struct launches *l,
                                    const struct side *side, uint32_t last,
                                    struct igpu_err *err)
{
    enum igpu_status status =
        groups_make(&r->g, side->machine->reader, side->first, last, l, err);

    if (status != IGPU_OK)
        return status;
    r->wanted = calloc(l->count, sizeof(*r->wanted));
    r->done = calloc(l->count, sizeof(*r->done));
    r->of = calloc(l->count, sizeof(*r->of));
    r->job = calloc(l->count, sizeof(*r->job));
    if (r->wanted == NULL || r->done == NULL || r->of == NULL || r->job == NULL)
        return igpu_no_memory(err, "-j");
    return IGPU_OK;
}

static void rounds_free(struct rounds *r)
{
    groups_free(&r->g);
    free(r->wanted);
    free(r->done);
    free(r->of);
    free(r->job);
}

/* Those that are simulated whatever they show. */
static void want_first(struct rounds *r, const struct sample_options *sample)
{
    const struct launches *l = r->g.l;

    for (uint32_t i = 0; i < l->count; i++)
        r->wanted[i] = sample == NULL || likes_always(r->of[l->row[i].group]++, sample);
}

/* Of each group that is not sure yet as many again as were simulated, evenly among
 * those left out. Returns whether there are any. */
static bool want_more(struct rounds *r, const struct sample_options *sample)
{
    const struct launches *l = r->g.l;
    bool any = false;

    memset(r->of, 0, l->count * sizeof(*r->of));
    for (uint32_t i = 0; i < l->count; i++) {
        const struct group *group = &r->g.group[l->row[i].group];
        uint64_t more = group->likes.likes + 1, left = group->skips, k;

        r->wanted[i] = false;
        if (r->done[i] || sample->error <= 0 ||
            likes_unsure(&group->likes) <= sample->error / 2)
            continue;
        k = r->of[l->row[i].group]++;
        r->wanted[i] = more >= left || (k + 1) * more / left > k * more / left;
        any |= r->wanted[i];
    }
    return any;
}

static enum igpu_status go_round(struct rounds *r, const struct side *side,
                                 struct igpu_err *err)
{
    struct launches *l = r->g.l;
    uint32_t jobs = pieces_cut(r->g.reader, side->first, l->count, r->wanted, r->job);
    enum igpu_status status = side_run(side, r->job, jobs, l, err);

    groups_again(&r->g);
    for (uint32_t i = 0; i < l->count && status == IGPU_OK; i++) {
        r->done[i] |= r->wanted[i];
        if (r->done[i])
            groups_take(&r->g, i);
        else
            groups_leave(&r->g, i);
    }
    return status;
}

enum igpu_status pieces_run(struct launches *l, const struct side *side, uint32_t last,
                            struct igpu_err *err)
{
    struct rounds r = {.wanted = NULL};
    enum igpu_status status = rounds_make(&r, l, side, last, err);
    bool more = true;

    if (status == IGPU_OK)
        want_first(&r, side->sample);
    while (more && status == IGPU_OK) {
        status = go_round(&r, side, err);
        more = side->sample != NULL && want_more(&r, side->sample);
    }
    if (status == IGPU_OK)
        groups_end(&r.g);
    rounds_free(&r);
    return status;
}
