/* rtl_pool.c - see rtl_pool.h */
#include "bridge/engines/rtl/rtl_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { POOL_THREADS = 8, SPINS = 2000 };

struct worker {
    struct rtl_pool *pool;
    pthread_t thread;
    unsigned number;
};

struct rtl_pool {
    unsigned threads, parts; /* threads: the caller's included */
    void (*job)(void *ctx, unsigned part);
    void *ctx;
    atomic_uint round; /* rises when there is work */
    atomic_uint busy;  /* workers that have not finished it */
    atomic_bool stop;
    struct worker worker[POOL_THREADS];
};

static void pause_a_little(unsigned *spins)
{
    if (++*spins > SPINS)
        (void)sched_yield();
}

static void do_parts(struct rtl_pool *pool, unsigned number)
{
    for (unsigned part = number; part < pool->parts; part += pool->threads)
        pool->job(pool->ctx, part);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct rtl_pool *pool = w->pool;

    for (unsigned round = 1;; round++) {
        unsigned spins = 0;

        while (atomic_load_explicit(&pool->round, memory_order_acquire) != round)
            pause_a_little(&spins);
        if (atomic_load_explicit(&pool->stop, memory_order_relaxed))
            return NULL;
        do_parts(pool, w->number);
        (void)atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_release);
    }
}

struct rtl_pool *rtl_pool_create(unsigned threads, unsigned parts,
                                 void (*job)(void *ctx, unsigned part), void *ctx)
{
    struct rtl_pool *pool = calloc(1, sizeof(*pool));
    unsigned made = 1;

    if (!pool)
        return NULL;
    if (threads > parts)
        threads = parts;
    if (threads > POOL_THREADS)
        threads = POOL_THREADS;
    pool->parts = parts;
    pool->job = job;
    pool->ctx = ctx;
    for (; made < threads; made++) {
        struct worker *w = &pool->worker[made];

        w->pool = pool;
        w->number = made;
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
    pool->threads = made;
    if (made == 1) {
        free(pool);
        return NULL;
    }
    return pool;
}

void rtl_pool_destroy(struct rtl_pool *pool)
{
    if (!pool)
        return;
    atomic_store_explicit(&pool->stop, true, memory_order_relaxed);
    (void)atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    for (unsigned i = 1; i < pool->threads; i++)
        (void)pthread_join(pool->worker[i].thread, NULL);
    free(pool);
}

void rtl_pool_run(struct rtl_pool *pool)
{
    unsigned spins = 0;

    atomic_store_explicit(&pool->busy, pool->threads - 1, memory_order_relaxed);
    (void)atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    do_parts(pool, 0);
    while (atomic_load_explicit(&pool->busy, memory_order_acquire) != 0)
        pause_a_little(&spins);
}
