/* waits.c - see waits.h. */
#include "bridge/host/sample/waits.h"

#include <string.h>

void waits_profile_free(struct waits_profile *w)
{
    if (w != NULL)
        profile_result_free(&w->result);
}

void waits_free(struct waits *w)
{
    profile_result_free(&w->sum);
}

/* Of the first `windows` of m's. */
static void take_first(const struct profile_result *r, uint64_t group_threads,
                       const struct measure *m, uint32_t windows,
                       uint64_t sum[PROFILE_REASONS])
{
    uint64_t groups = 0;

    for (uint32_t i = 0; i < windows; i++)
        groups += m->window[i].threads / group_threads;
    memset(sum, 0, PROFILE_REASONS * sizeof(*sum));
    for (uint64_t at = 0; at < groups && at < r->parts; at++)
        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            sum[k] += r->part[at].wait[k];
}

/* The groups of a simulation are numbered from 0 on, window by window. */
static void take_windows(const struct profile_result *r, uint64_t group_threads,
                         struct measure *m)
{
    uint64_t at = 0;

    for (uint32_t i = 0; i < m->windows; i++) {
        struct measure_window *w = &m->window[i];
        uint64_t end = at + w->threads / group_threads;

        memset(w->wait, 0, sizeof(w->wait));
        for (at += w->lead_threads / group_threads; at < end && at < r->parts; at++)
            for (unsigned k = 0; k < PROFILE_REASONS; k++)
                w->wait[k] += r->part[at].wait[k];
        at = end;
    }
}

enum igpu_status waits_take(struct waits *w, struct profile_result *r,
                            uint64_t group_threads, struct measure *m, uint32_t first,
                            struct igpu_err *err)
{
    bool good = true;

    take_windows(r, group_threads, m);
    if (w->begun) {
        good = profile_result_add(&w->sum, r);
        profile_result_free(r);
    } else {
        w->sum = *r;
        take_first(r, group_threads, m, first, w->first);
        w->begun = true;
    }
    return good ? IGPU_OK : igpu_no_memory(err, "sample");
}

void waits_whole(struct waits *w, const struct measure *all, double cycles,
                 const struct trace_launch *launch, uint64_t slots,
                 struct waits_profile *to)
{
    double rest[PROFILE_REASONS], times[PROFILE_REASONS];
    uint64_t sum[PROFILE_REASONS], issues;

    measure_waits(all, rest, to->half);
    profile_sum(&w->sum, sum, &issues);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        times[k] = sum[k] != 0 ? ((double)w->first[k] + rest[k]) / (double)sum[k] : 0;
    to->result = w->sum;
    to->sampled = true;
    memset(&w->sum, 0, sizeof(w->sum));
    profile_result_scale(&to->result,
                         (double)launch->totals.instructions / (double)issues, times,
                         (uint64_t)(cycles + 0.5), launch->threads, slots);
}
