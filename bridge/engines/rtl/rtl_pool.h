/* rtl_pool.h - host threads that do the same job for several tiles, window after
 * window. Made for windows of some microseconds: waiting threads spin, then yield. */
#ifndef IGPU_RTL_POOL_H
#define IGPU_RTL_POOL_H
#include <stdint.h>

struct rtl_pool;

/* Up to `threads` threads, the caller's included, for job(ctx, part) with part from 0
 * to parts - 1. NULL: no thread could be made; the caller does the work alone. */
struct rtl_pool *rtl_pool_create(unsigned threads, unsigned parts,
                                 void (*job)(void *ctx, unsigned part), void *ctx);
void rtl_pool_destroy(struct rtl_pool *pool);

/* Do the job once for every part and return when all are done. */
void rtl_pool_run(struct rtl_pool *pool);
#endif
