/* emu_parallel.c - the groups of a launch over several host threads.
 * Each worker runs batches of groups on a machine of its own and keeps what the hooks
 * would have been told; the hooks hear of batch after batch in order, one at a time. So
 * results, traces and errors are those of one host thread, unless groups race on
 * memory. Memory is bounded: a worker whose log is full waits for its batch's turn and
 * then tells the hooks directly. */
#include "emu_alike.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOG_BYTES = 16 << 20, MAX_WORKERS = 64 };

/* What the hooks were told, in order: a head, and for accesses the addresses, in bulk
 * the words. */
enum event {
    EVENT_BEGIN,
    EVENT_BLOCK,
    EVENT_ACCESS,
    EVENT_TOLD,
    EVENT_ALIKE,
    EVENT_END
};
struct event_head {
    uint32_t kind, what, mask, space; /* what: block or instruction, or words */
    uint64_t thread;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t turned;
    struct emu_machine *base;
    uint64_t groups, next, retired, window, batch;
    atomic_bool stop; /* set under the lock; read without it at every block */
    pthread_mutex_t atomics;
};

struct worker {
    struct emu_machine m;
    struct emu_launch launch; /* with the hooks below */
    struct igpu_err err;
    struct pool *pool;
    uint64_t first, count; /* its batch of groups */
    uint8_t *log;
    size_t used;
    bool direct;  /* its batch's turn has come: no log any more */
    bool refused; /* a hook ended the launch */
    pthread_t host;
};

/* ---- telling the hooks -------------------------------------------------- */

static bool event_tell(struct worker *w, const struct event_head *e, const void *data)
{
    const struct emu_hooks *hooks = &w->pool->base->launch->hooks;
    struct emu_access access = {e->what, e->mask, (enum emu_space)e->space, data};

    switch (e->kind) {
    case EVENT_BEGIN:
        return hooks->thread_begin == NULL ||
               hooks->thread_begin(hooks->ctx, e->thread);
    case EVENT_BLOCK:
        if (hooks->block != NULL)
            hooks->block(hooks->ctx, e->thread, e->what);
        return true;
    case EVENT_ACCESS:
        if (hooks->access != NULL)
            hooks->access(hooks->ctx, e->thread, &access);
        return true;
    case EVENT_TOLD:
        emu_tell_hooks(hooks, e->thread, data, e->what);
        return true;
    case EVENT_ALIKE:
        emu_alike_tell(w->pool->base, e->thread, data);
        return true;
    default:
        if (hooks->thread_end != NULL)
            hooks->thread_end(hooks->ctx, e->thread, data);
        return true;
    }
}

/* Addresses are kept up to the last lane that is on. */
static size_t data_bytes(const struct event_head *e)
{
    uint32_t lanes = e->mask == 0 ? 0 : 32 - (uint32_t)__builtin_clz(e->mask);

    return e->kind == EVENT_ACCESS  ? lanes * sizeof(uint64_t)
           : e->kind == EVENT_TOLD  ? e->what * sizeof(uint64_t)
           : e->kind >= EVENT_ALIKE ? sizeof(struct emu_counts)
                                    : 0;
}

/* Whole logs, in the batch's turn. */
static void replay(struct worker *w)
{
    for (size_t at = 0; at < w->used && !w->refused;) {
        struct event_head e;

        memcpy(&e, w->log + at, sizeof(e));
        at += sizeof(e);
        w->refused = !event_tell(w, &e, w->log + at);
        at += data_bytes(&e);
    }
    w->used = 0;
}

/* Wait until every group before these is over. False: the launch ends. */
static bool await_turn(struct worker *w)
{
    struct pool *p = w->pool;
    bool mine;

    pthread_mutex_lock(&p->lock);
    while (p->retired != w->first && !p->stop)
        pthread_cond_wait(&p->turned, &p->lock);
    mine = p->retired == w->first && !p->stop;
    pthread_mutex_unlock(&p->lock);
    return mine;
}

static bool event_keep(struct worker *w, const struct event_head *e, const void *data)
{
    size_t bytes = data_bytes(e);

    if (!w->direct && w->used + sizeof(*e) + bytes > LOG_BYTES) {
        if (!await_turn(w))
            return false;
        replay(w);
        w->direct = true;
    }
    if (w->direct) {
        w->refused = w->refused || !event_tell(w, e, data);
        return !w->refused;
    }
    memcpy(w->log + w->used, e, sizeof(*e));
    if (data != NULL && bytes != 0)
        memcpy(w->log + w->used + sizeof(*e), data, bytes);
    w->used += sizeof(*e) + bytes;
    return true;
}

static bool log_begin(void *ctx, uint64_t thread)
{
    struct event_head e = {.kind = EVENT_BEGIN, .thread = thread};

    return event_keep(ctx, &e, NULL);
}

/* Nobody waits for what the thread does. */
static void stop_unless(struct worker *w, uint64_t thread, bool kept)
{
    if (kept && !atomic_load(&w->pool->stop))
        return;
    for (uint32_t i = 0; i < w->m.group.places; i++)
        if (w->m.group.thread[i].number == thread)
            w->m.group.thread[i].stop = EMU_STOP_ERROR;
    w->m.status = IGPU_STOPPED;
}

static void log_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct event_head e = {.kind = EVENT_BLOCK, .what = block, .thread = thread};
    struct worker *w = ctx;

    stop_unless(w, thread,
                w->pool->base->launch->hooks.block == NULL || event_keep(w, &e, NULL));
}

static void log_told(void *ctx, uint64_t thread, const uint64_t *word, size_t words)
{
    struct event_head e = {
        .kind = EVENT_TOLD, .what = (uint32_t)words, .thread = thread};

    stop_unless(ctx, thread, event_keep(ctx, &e, word));
}

static void log_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct event_head e = {EVENT_ACCESS, access->inst, access->mask,
                           (uint32_t)access->space, thread};

    (void)event_keep(ctx, &e, access->addr);
}

static void log_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct event_head e = {.kind = EVENT_END, .thread = thread};

    (void)event_keep(ctx, &e, counts);
}

static void log_alike(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct event_head e = {.kind = EVENT_ALIKE, .thread = thread};

    (void)event_keep(ctx, &e, counts);
}

/* ---- workers ------------------------------------------------------------ */

/* The next groups to w; false when there are none. */
static bool take_batch(struct worker *w)
{
    struct pool *p = w->pool;
    bool got;

    pthread_mutex_lock(&p->lock);
    while (!p->stop && p->next < p->groups &&
           p->next - p->retired + p->batch > p->window)
        pthread_cond_wait(&p->turned, &p->lock);
    got = !p->stop && p->next < p->groups;
    if (got) {
        w->first = p->next;
        w->count = p->groups - p->next < p->batch ? p->groups - p->next : p->batch;
        p->next += w->count;
    }
    pthread_mutex_unlock(&p->lock);
    return got;
}

/* In order: tell what is left, hand over counts and a failure. */
static void retire(struct worker *w)
{
    struct pool *p = w->pool;
    struct emu_machine *base = p->base;

    if (!await_turn(w))
        return;
    replay(w);
    if (w->refused)
        w->m.status = igpu_fail(&w->err, IGPU_STOPPED, "stopped");
    emu_add_counts(&base->counts, &w->m.counts);
    memset(&w->m.counts, 0, sizeof(w->m.counts));
    pthread_mutex_lock(&p->lock);
    if (w->m.status != IGPU_OK) {
        base->status = w->m.status;
        if (base->err != NULL)
            *base->err = w->err;
        p->stop = true;
    }
    p->retired += w->count;
    pthread_cond_broadcast(&p->turned);
    pthread_mutex_unlock(&p->lock);
}

static void *work(void *argument)
{
    struct worker *w = argument;

    while (take_batch(w)) {
        bool runs = true;

        w->direct = false;
        for (uint64_t i = 0; i < w->count && runs; i++) {
            emu_start_group(&w->m, w->first + i);
            runs = emu_continue_group(&w->m, UINT64_MAX) == EMU_OVER;
        }
        retire(w);
    }
    return NULL;
}

static bool open_worker(struct worker *w, struct pool *pool)
{
    const struct emu_machine *base = pool->base;

    w->m = *base;
    memset(&w->m.counts, 0, sizeof(w->m.counts));
    w->launch = *base->launch;
    w->launch.hooks = (struct emu_hooks){w,
                                         log_begin,
                                         log_block,
                                         log_access,
                                         log_end,
                                         NULL,
                                         base->launch->hooks.global_only,
                                         log_told,
                                         NULL};
    if (base->launch->hooks.access == NULL)
        w->launch.hooks.access = NULL;
    if (base->launch->hooks.block == NULL)
        w->launch.hooks.block = NULL;
    w->m.places = NULL;
    w->m.log = NULL;
    w->m.translated = NULL;
    w->m.start = NULL;
    w->m.launch = &w->launch;
    w->m.err = &w->err;
    w->m.atomics = &pool->atomics;
    w->pool = pool;
    w->m.group.thread =
        aligned_alloc(EMU_LINE, base->threads_per_group * sizeof(*w->m.group.thread));
    w->m.group.slm = calloc(1, base->slm_bytes + 1u);
    w->log = malloc(LOG_BYTES);
    return emu_alike_share(&w->m, base, log_alike, w) && w->m.group.thread != NULL &&
           w->m.group.slm != NULL && w->log != NULL &&
           emu_fill_start(&w->m, w->m.err) == IGPU_OK;
}

static void close_worker(struct worker *w)
{
    emu_alike_end(&w->m);
    free(w->m.group.thread);
    free(w->m.group.slm);
    free(w->m.start);
    free(w->m.places);
    free(w->m.log);
    free(w->log);
}

/* ---- what may run so ---------------------------------------------------- */

uint32_t emu_workers(const struct emu_machine *m)
{
    uint64_t groups = m->end_group - m->first_group;
    uint64_t most = m->hw_threads / m->threads_per_group;
    uint32_t n = m->launch->host_threads;

    if (m->launch->max_instructions != 0 || m->launch->hooks.values != NULL ||
        m->watch != NULL || !emu_any_order(m->p))
        return 1;
    n = n > MAX_WORKERS ? MAX_WORKERS : n;
    n = n > groups ? (uint32_t)groups : n;
    return n > most ? (uint32_t)most : n;
}

/* Groups that a worker takes at a time: few enough that all are busy to the end, many
 * where they are small. */
static uint64_t batch_of(const struct pool *p, uint32_t workers)
{
    uint64_t by_window = p->window / (2 * workers);
    uint64_t by_groups = (p->groups - p->next) / (8 * workers);
    uint64_t batch = by_window < by_groups ? by_window : by_groups;

    return batch < 1 ? 1 : batch;
}

void emu_run_parallel(struct emu_machine *m, uint32_t workers, uint64_t first)
{
    struct pool pool = {
        .base = m, .next = first, .retired = first, .groups = m->end_group};
    struct worker *w = calloc(workers, sizeof(*w));
    uint32_t open = 0, started = 0;

    emu_alike_rest(m);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_mutex_init(&pool.atomics, NULL);
    pthread_cond_init(&pool.turned, NULL);
    /* Groups in flight share out the scratch and private pools. */
    pool.window = m->hw_threads / m->threads_per_group;
    pool.batch = batch_of(&pool, workers);
    while (w != NULL && open < workers && open_worker(&w[open], &pool))
        open++;
    while (started < open &&
           pthread_create(&w[started].host, NULL, work, &w[started]) == 0)
        started++;
    for (uint32_t i = 0; i < started; i++)
        pthread_join(w[i].host, NULL);
    if (started == 0)
        m->status = igpu_no_memory(m->err, "host threads");
    for (uint32_t i = 0; w != NULL && i < workers; i++)
        close_worker(&w[i]);
    pthread_cond_destroy(&pool.turned);
    pthread_mutex_destroy(&pool.atomics);
    pthread_mutex_destroy(&pool.lock);
    free(w);
}
