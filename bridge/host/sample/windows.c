/* windows.c - see windows.h. */
#include "bridge/host/sample/windows.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/machine_int.h"
#include "bridge/host/sample/walk.h"

/* How far before a window its caches' content is looked for, in fillings of the
 * device: what was used before then and not since is taken for gone. */
enum { REACH_FILLS = 32 };
/* Caches that lack no more than such a part of their lines are full. */
enum { NEARLY = 16 };
/* Looking further back ends where it brings less than this part of new lines. */
#define FEW_NEW 0.05

/* So many groups have brought so many lines. Caches that are not full yet are to be
 * filled as the launch does, if its groups might fill half of them: a memory is slower
 * once what is evicted was written. */
static bool far_enough(const struct windows *w, bool filled, uint64_t groups,
                       uint64_t lines)
{
    double most = (double)machine_cache_lines(w->m->sim.config);
    double all = (double)w->shape.groups / (double)groups;

    return groups >= REACH_FILLS * w->shape.at_once &&
           (filled || (double)lines * all < most / 2);
}

/* The lines of the groups before `end`, at most from `from` on: of one filling of the
 * device, two, four, ... back from `end`, until they fill the caches or as many
 * fillings again bring few new ones. */
static enum igpu_status walk(struct windows *w, uint64_t from, uint64_t end)
{
    uint64_t most = machine_cache_lines(w->m->sim.config), at = end, lines = 0;
    bool filled = mem_held(w->mem) >= most - most / NEARLY;
    enum igpu_status status = IGPU_OK;

    while (at > from && status == IGPU_OK &&
           (at == end || !far_enough(w, filled, end - at, lines))) {
        uint64_t size = at == end ? w->shape.at_once : end - at, now;

        size = at - from > size ? size : at - from;
        at -= size;
        status = walk_lines(w->m->reader, w->launch, at * w->shape.group_threads,
                            size * w->shape.group_threads, w->warm, &w->err);
        now = warm_lines(w->warm);
        if (now >= most || (double)(now - lines) < FEW_NEW * (double)lines)
            break;
        lines = now;
        warm_older(w->warm);
    }
    return status;
}

/* Threads of the window before still run. What they are yet to touch they find as they
 * would in the launch: without what later groups fetched, or wrote. */
static enum igpu_status leave_lines(struct windows *w, const struct sample_window *at)
{
    uint64_t groups = at->groups < w->shape.at_once ? at->groups : w->shape.at_once;
    enum igpu_status status =
        walk_lines(w->m->reader, w->launch,
                   (at->first + at->groups - groups) * w->shape.group_threads,
                   groups * w->shape.group_threads, w->warm, &w->err);

    warm_leave(w->warm);
    return status;
}

/* The caches get what the threads before the window leave there. Behind a window of
 * later groups they would hold what the launch, where it began with empty ones, did not
 * have yet; in its later half they are taken to have been filled. */
static void on_window(void *ctx, uint32_t i)
{
    struct windows *w = ctx;
    uint64_t end = w->window[i].first, from = 0;
    struct warm_list list;

    if (i > 0 && w->window[i - 1].first < end)
        from = w->window[i - 1].first + w->window[i - 1].groups;
    else if (i > 0 && w->cold && end < w->shape.groups / 2)
        mem_empty_below(w->mem);
    if (end == from || w->status != IGPU_OK)
        return;
    if (i > 0)
        w->status = leave_lines(w, &w->window[i - 1]);
    if (w->status == IGPU_OK)
        w->status = walk(w, from, end);
    if (w->status != IGPU_OK)
        return;
    if (!warm_take(w->warm, &list))
        w->status = igpu_no_memory(&w->err, "sample");
    else
        warm_caches(&list, w->mem, true);
    free(list.line);
}

uint64_t windows_instructions(const struct windows *w, uint64_t first, uint64_t groups)
{
    return w->sum[first + groups] - w->sum[first];
}

static uint64_t windows_threads(const struct windows *w, uint32_t count)
{
    uint64_t threads = 0;

    for (uint32_t i = 0; i < count; i++)
        threads += w->part[i].threads;
    return threads;
}

/* Those from `first` on are to be simulated. */
static void windows_prepare(struct windows *w, uint32_t first)
{
    struct measure *m = &w->measure;

    m->windows = w->count;
    for (uint32_t i = first; i < w->count; i++) {
        const struct sample_window *at = &w->window[i];
        uint64_t threads = w->shape.group_threads;

        m->window[i] = (struct measure_window){
            .threads = at->groups * threads,
            .lead_threads = at->lead * threads,
            .instructions =
                windows_instructions(w, at->first + at->lead, at->groups - at->lead)};
        w->part[i] = (struct feeder_part){at->first * threads, at->groups * threads};
    }
    m->threads = windows_threads(w, w->count);
    m->asks = w->more != NULL;
}

/* Before its last window is simulated a launch is not extended. */
static void on_near_end(void *ctx, struct sim *sim)
{
    struct windows *w = ctx;
    uint32_t count = w->count;

    if (w->status != IGPU_OK || w->measure.left >= w->part[count - 1].threads ||
        !w->more(w->more_ctx))
        return;
    windows_prepare(w, count);
    sim_extend(sim, w->count);
}

enum igpu_status windows_so_far(struct windows *w, struct measure *m,
                                struct igpu_err *err)
{
    const unsigned slots = HOST_MAX_TILES * HOST_EUS * HOST_SLOTS;
    enum igpu_status status = IGPU_OK;

    *m = w->measure;
    for (unsigned i = 0; i < slots && status == IGPU_OK; i++) {
        struct trace_totals totals;
        uint32_t thread, at;

        if (!measure_runs(m, i / HOST_SLOTS / HOST_EUS, i / HOST_SLOTS % HOST_EUS,
                          i % HOST_SLOTS, &thread, &at))
            continue;
        thread += (uint32_t)(w->part[at].first - windows_threads(w, at));
        status = walk_thread(w->m->reader, w->launch, thread, &totals, err);
        if (status == IGPU_OK)
            m->window[at].instructions -= totals.instructions;
    }
    return status;
}

static enum igpu_status keep_waits(struct windows *w, struct profile *profile,
                                   struct igpu_err *err)
{
    struct profile_result result;

    if (!profile_take(profile, &result))
        return igpu_fail(err, IGPU_SIM_ERROR, "sample: no profile");
    return waits_take(&w->waits, &result, w->shape.group_threads, &w->measure, w->begun,
                      err);
}

enum igpu_status windows_run(struct windows *w, struct mem_system *mem,
                             struct machine_result *r, uint64_t *next,
                             struct igpu_err *err)
{
    struct sim_options options = w->m->sim;
    enum igpu_status status = IGPU_OK;

    memset(&w->measure, 0, sizeof(w->measure));
    w->measure.before = on_window;
    w->measure.near_end = on_near_end;
    w->measure.ctx = w;
    w->begun = w->count;
    windows_prepare(w, 0);
    w->mem = mem;
    options.mem = mem;
    options.start = 0;
    options.part = w->part;
    options.parts = w->count;
    options.threads = measure_threads(&w->measure);
    if (w->m->profile)
        status =
            profile_create(&options.profile, w->m->sim.config, PROFILE_BY_GROUP, err);
    if (status == IGPU_OK)
        status = machine_simulate(w->m, &options, w->launch, &w->measure, r, next, err);
    if (status == IGPU_OK && w->m->profile)
        status = keep_waits(w, options.profile, err);
    profile_destroy(options.profile);
    if (status == IGPU_OK && w->status != IGPU_OK) {
        *err = w->err;
        status = w->status;
    }
    return status;
}
