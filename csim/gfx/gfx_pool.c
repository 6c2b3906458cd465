/* gfx_pool.c - see gfx_pool.h */
#include "gfx_pool.h"
#include "gfx_texture.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>

#include "igpu/va.h"

/* Looks before a processor is left to others, and before a thread sleeps, whose waking
 * costs the one that wakes it as much as a piece. */
enum { SPINS = 200, IDLE = 10000, MOST_THREADS = 16, LINE = 64 };
/* With less work left the order counts in which pieces spend it. */
#define WORK_KEPT ((uint64_t)1 << 34)

/* What a host thread has for a job. */
struct share {
    struct gfx *g;
    struct igpu_err err;
    uint64_t work, failed; /* the batch's at the start; its first piece that failed */
    alignas(LINE) atomic_uint_fast64_t done; /* pieces, ever */
};

struct copy {
    struct gfx_pool *pool;
    pthread_t host;
    struct share share[GFX_JOBS];
};

struct job {
    gfx_piece *run;
    void *ctx;
    atomic_uint enough;
    atomic_uint_fast64_t failed; /* the lowest; UINT64_MAX: none */
    /* Numbers of pieces, which go on from run to run. */
    alignas(LINE) atomic_uint_fast64_t added;
    alignas(LINE) atomic_uint_fast64_t taken;
};

struct gfx_pool {
    struct copy copy[MOST_THREADS]; /* the first is the caller's */
    uint32_t copies;
    pid_t process;        /* whose threads they are: a fork's child has none */
    pthread_mutex_t lock; /* of `quits` */
    pthread_cond_t more;
    bool quits;
    pthread_mutex_t finding; /* gfx_int.h */
    pthread_mutex_t atomics; /* emu_shader_share() */
    atomic_uint sleepers;
    struct job job[GFX_JOBS];
};

/* ---- pieces ------------------------------------------------------------- */

static void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void gfx_pool_pause(uint32_t *spins)
{
    if (++*spins > SPINS)
        (void)sched_yield();
    else
        rest();
}

static void fail(struct job *j, struct share *own, uint64_t number)
{
    uint_fast64_t first = atomic_load(&j->failed);

    if (number < own->failed)
        own->failed = number;
    while (number < first && !atomic_compare_exchange_weak(&j->failed, &first, number))
        ;
}

/* False: all are taken. */
static bool take(struct job *j, uint64_t *number)
{
    uint_fast64_t n = atomic_load_explicit(&j->taken, memory_order_acquire);

    while (n < atomic_load_explicit(&j->added, memory_order_acquire))
        if (atomic_compare_exchange_weak(&j->taken, &n, n + 1)) {
            *number = n;
            return true;
        }
    return false;
}

static bool do_one(struct copy *c, enum gfx_job which)
{
    struct job *j = &c->pool->job[which];
    struct share *own = &c->share[which];
    uint64_t number;

    if (!take(j, &number))
        return false;
    if (number < atomic_load_explicit(&j->failed, memory_order_relaxed) &&
        j->run(own->g, j->ctx, number) != IGPU_OK)
        fail(j, own, number);
    atomic_store_explicit(&own->done, own->done + 1, memory_order_release);
    return true;
}

static bool is_enough(struct gfx_pool *p)
{
    bool enough = false;

    for (uint32_t i = 0; i < GFX_JOBS; i++) {
        uint_fast64_t taken = atomic_load(&p->job[i].taken);

        enough |=
            atomic_load(&p->job[i].added) >= taken + atomic_load(&p->job[i].enough);
    }
    return enough;
}

/* False: there will be no more. */
static bool sleep_until_more(struct gfx_pool *p)
{
    bool goes_on;

    (void)pthread_mutex_lock(&p->lock);
    (void)atomic_fetch_add(&p->sleepers, 1);
    while (!p->quits && !is_enough(p))
        (void)pthread_cond_wait(&p->more, &p->lock);
    (void)atomic_fetch_sub(&p->sleepers, 1);
    goes_on = !p->quits;
    (void)pthread_mutex_unlock(&p->lock);
    return goes_on;
}

static void *work(void *arg)
{
    struct copy *c = arg;

    while (sleep_until_more(c->pool))
        for (uint32_t looks = 0; looks < IDLE; looks++)
            if (do_one(c, GFX_JOB_BACK) || do_one(c, GFX_JOB_FRONT))
                looks = 0;
            else
                rest();
    return NULL;
}

void gfx_pool_add(struct gfx *g, enum gfx_job which, uint64_t count)
{
    struct gfx_pool *p = g->pool;
    struct job *j = &p->job[which];

    atomic_store(&j->added, j->added + count);
    if (atomic_load(&p->sleepers) == 0 || !is_enough(p))
        return;
    (void)pthread_mutex_lock(&p->lock);
    (void)pthread_cond_broadcast(&p->more);
    (void)pthread_mutex_unlock(&p->lock);
}

bool gfx_pool_help(struct gfx *g, enum gfx_job first)
{
    struct copy *c = &g->pool->copy[0];

    return do_one(c, first) ||
           do_one(c, first == GFX_JOB_BACK ? GFX_JOB_FRONT : GFX_JOB_BACK);
}

uint64_t gfx_pool_failed_at(const struct gfx *g, enum gfx_job which)
{
    return atomic_load_explicit(&g->pool->job[which].failed, memory_order_relaxed);
}

bool gfx_pool_failed(const struct gfx *g, enum gfx_job which)
{
    return gfx_pool_failed_at(g, which) != UINT64_MAX;
}

/* ---- copies ------------------------------------------------------------- */

/* The bytes of *g from `from` to before `end`. */
static void take_part(struct gfx *w, const struct gfx *g, size_t from, size_t end)
{
    memcpy((uint8_t *)w + from, (const uint8_t *)g + from, end - from);
}

/* What the draw has bound, as far as it was looked up. */
static void take_bindings(struct gfx_draw *d, const struct gfx_draw *from)
{
    for (uint32_t k = 0; k < EMU_SHADER_BINDING_WORDS; k++)
        for (uint64_t rest = from->known[k]; rest != 0; rest &= rest - 1) {
            const uint32_t i = 64 * k + (uint32_t)__builtin_ctzll(rest);

            d->binding[i] = from->binding[i];
        }
    for (uint64_t rest = from->bindless_known; rest != 0; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(rest);

        d->bindless[i] = from->bindless[i];
    }
}

/* All of *g, or all but the draw's; registers with which threads begin are made anew,
 * and a copy's stay where it found them last. */
static void take_state(struct gfx *w, const struct gfx *g, bool draws)
{
    const size_t draw = offsetof(struct gfx, d), end = draw + sizeof(w->d);

    take_part(w, g, 0, draw);
    take_part(w, g, end, sizeof(*w));
    if (draws) {
        take_bindings(&w->d, &g->d);
        take_part(w, g, offsetof(struct gfx, d.known),
                  offsetof(struct gfx, d.bindless));
        take_part(w, g, offsetof(struct gfx, d.bindless_number),
                  offsetof(struct gfx, d.registers));
        take_part(w, g, offsetof(struct gfx, d.blocks), end);
    }
    for (uint32_t i = 0; i < GFX_IMAGES; i++)
        w->d.registers[i].kept = 0;
}

/* What *g has, but for what the copy has to itself. False: memory is short. */
static bool update(struct share *c, const struct gfx *g, bool draws)
{
    const uint64_t scratch = IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP;
    struct gfx *w = c->g;
    struct emu_mem *mem = w->mem;
    const struct gfx_thread_space thread = w->thread;
    const struct gfx_hiz hiz = w->hiz;

    free(w->batch.mapped);
    take_state(w, g, draws);
    w->mem = mem;
    w->thread = thread;
    w->hiz.block = hiz.block;
    w->hiz.block_cap = hiz.block_cap;
    w->hiz.stamp = hiz.stamp;
    w->pool = NULL;
    w->queue = NULL;
    w->batch.err = &c->err;
    w->batch.mapped = NULL;
    w->batch.mapped_count = w->batch.mapped_cap = 0;
    memset(&w->counters, 0, sizeof(w->counters));
    memset(&w->told.touched, 0, sizeof(w->told.touched));
    gfx_watch_memory(w, &w->told.memory);
    c->work = w->batch.work;
    c->failed = UINT64_MAX;
    if (!emu_mem_copy(mem, g->mem))
        return false;
    (void)emu_mem_unmap(mem, scratch);
    emu_shader_machine_forget(thread.machine);
    emu_shader_unbind(thread.machine);
    emu_shader_limit(thread.machine, w->batch.most_work - w->batch.work + 1);
    return emu_mem_map_at(mem, scratch, thread.scratch, thread.scratch_bytes, 0,
                          NULL) == IGPU_OK;
}

static bool open_share(struct share *c, struct gfx_pool *pool)
{
    struct gfx *w = calloc(1, sizeof(*w));

    c->g = w;
    if (w == NULL)
        return false;
    w->mem = emu_mem_new();
    w->thread.machine = w->mem != NULL ? emu_shader_machine_new(w->mem) : NULL;
    w->thread.scratch = calloc(1, GFX_SCRATCH_BYTES);
    w->thread.scratch_bytes = GFX_SCRATCH_BYTES;
    if (w->thread.machine == NULL || w->thread.scratch == NULL)
        return false;
    emu_shader_bind_by(w->thread.machine, gfx_bind_buffer, w);
    emu_shader_share(w->thread.machine, &pool->atomics);
    return true;
}

static void close_copy(struct copy *c)
{
    for (uint32_t i = 0; i < GFX_JOBS; i++) {
        struct gfx *w = c->share[i].g;

        if (w == NULL)
            continue;
        free(w->batch.mapped);
        free(w->hiz.block);
        free(w->thread.left.x);
        free(w->thread.scratch);
        emu_shader_machine_free(w->thread.machine);
        emu_mem_free(w->mem);
        free(w);
    }
}

static bool open_copy(struct copy *c, struct gfx_pool *pool)
{
    bool good = true;

    c->pool = pool;
    for (uint32_t i = 0; i < GFX_JOBS && good; i++)
        good = open_share(&c->share[i], pool);
    return good;
}

/* Which takes no signals. */
static bool start(struct copy *c)
{
    sigset_t all, old;
    bool started;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    started = pthread_create(&c->host, NULL, work, c) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

static struct gfx_pool *new_pool(uint32_t threads)
{
    struct gfx_pool *p = aligned_alloc(LINE, sizeof(*p));

    if (p == NULL)
        return NULL;
    memset(p, 0, sizeof(*p));
    p->process = getpid();
    for (uint32_t i = 0; i < GFX_JOBS; i++)
        p->job[i].enough = GFX_POOL_ENOUGH;
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_mutex_init(&p->finding, NULL);
    (void)pthread_mutex_init(&p->atomics, NULL);
    (void)pthread_cond_init(&p->more, NULL);
    while (p->copies < threads && p->copies < MOST_THREADS) {
        struct copy *c = &p->copy[p->copies];

        if (!open_copy(c, p) || (p->copies > 0 && !start(c))) {
            close_copy(c);
            break;
        }
        p->copies++;
    }
    return p;
}

static bool begin(struct gfx *g, enum gfx_job which, gfx_piece *run, void *ctx,
                  uint32_t enough, bool draws)
{
    struct gfx_pool *p = g->pool;
    struct job *j;

    if (g->host_threads < 2 || g->batch.most_work - g->batch.work < WORK_KEPT)
        return false;
    if (p == NULL || p->process != getpid())
        p = g->pool = new_pool(g->host_threads);
    if (p == NULL || p->copies < 2)
        return false;
    g->finding = &p->finding;
    for (uint32_t i = 0; i < p->copies; i++)
        if (!update(&p->copy[i].share[which], g, draws))
            return false;
    j = &p->job[which];
    j->run = run;
    j->ctx = ctx;
    atomic_store(&j->enough, enough);
    atomic_store(&j->failed, UINT64_MAX);
    return true;
}

static uint64_t added(const struct gfx *g, enum gfx_job which)
{
    return atomic_load_explicit(&g->pool->job[which].added, memory_order_relaxed);
}

bool gfx_pool_begin(struct gfx *g, enum gfx_job which, gfx_piece *run, void *ctx,
                    uint32_t enough, uint64_t *first)
{
    if (!begin(g, which, run, ctx, enough, true))
        return false;
    *first = added(g, which);
    return true;
}

bool gfx_pool_begin_rows(struct gfx *g, gfx_piece *run, void *ctx, uint64_t *first)
{
    if (!begin(g, GFX_JOB_BACK, run, ctx, GFX_POOL_ENOUGH, false))
        return false;
    *first = added(g, GFX_JOB_BACK);
    return true;
}

/* What was counted; the error of the piece that failed first. */
static enum igpu_status take_over(struct gfx *g, struct job *j, const struct share *own)
{
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        gfx_count(g, i * sizeof(uint64_t), gfx_counter_value(&own->g->counters, i));
    if (own->failed != UINT64_MAX && own->failed == atomic_load(&j->failed)) {
        if (g->batch.err != NULL)
            *g->batch.err = own->err;
        return IGPU_SIM_ERROR;
    }
    return IGPU_OK;
}

static uint64_t done(struct gfx_pool *p, enum gfx_job which)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < p->copies; i++)
        sum +=
            atomic_load_explicit(&p->copy[i].share[which].done, memory_order_acquire);
    return sum;
}

enum igpu_status gfx_pool_wait(struct gfx *g, enum gfx_job which)
{
    struct gfx_pool *p = g->pool;
    uint32_t spins = 0;

    while (do_one(&p->copy[0], which))
        ;
    while (done(p, which) != added(g, which))
        gfx_pool_pause(&spins);
    return gfx_pool_failed(g, which) ? IGPU_SIM_ERROR : IGPU_OK;
}

enum igpu_status gfx_pool_end(struct gfx *g, enum gfx_job which)
{
    struct gfx_pool *p = g->pool;
    struct job *j = &p->job[which];
    enum igpu_status status = gfx_pool_wait(g, which);
    uint64_t work = 0;

    for (uint32_t i = 0; i < p->copies; i++) {
        const struct share *own = &p->copy[i].share[which];

        if (take_over(g, j, own) != IGPU_OK)
            status = IGPU_SIM_ERROR;
        work += own->g->batch.work - own->work;
    }
    return status == IGPU_OK ? gfx_spend(g, work) : status;
}

void gfx_pool_free(struct gfx *g)
{
    struct gfx_pool *p = g->pool;

    if (p == NULL || p->process != getpid())
        return;
    (void)pthread_mutex_lock(&p->lock);
    p->quits = true;
    (void)pthread_cond_broadcast(&p->more);
    (void)pthread_mutex_unlock(&p->lock);
    for (uint32_t i = 0; i < p->copies; i++) {
        if (i > 0)
            (void)pthread_join(p->copy[i].host, NULL);
        close_copy(&p->copy[i]);
    }
    (void)pthread_cond_destroy(&p->more);
    (void)pthread_mutex_destroy(&p->finding);
    (void)pthread_mutex_destroy(&p->atomics);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}
