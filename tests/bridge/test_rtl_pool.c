/* test_rtl_pool.c - the RTL engine's host threads: each part once a round, whatever the
 * numbers of threads and parts, and what one round wrote is there in the next. Races:
 * tests/bridge/test_threads.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bridge/engines/rtl/rtl_pool.h"

enum { PARTS = 12, ROUNDS = 300 };

struct work {
    unsigned parts, round;
    unsigned done[2][PARTS]; /* plain: of the round before, read, and of this one */
    atomic_uint calls;
};

/* A part looks at what another one did in the round before. */
static void job(void *ctx, unsigned part)
{
    struct work *w = ctx;

    w->done[w->round % 2][part] = w->done[1 - w->round % 2][(part + 1) % w->parts] + 1;
    (void)atomic_fetch_add(&w->calls, 1);
}

static void each_part_is_done_once_a_round(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 10; threads += 3)
        for (unsigned parts = 2; parts <= PARTS; parts += 5) {
            struct work w = {.parts = parts};
            struct rtl_pool *pool = rtl_pool_create(threads, parts, job, &w);

            assert_true((pool == NULL) == (threads == 1));
            for (w.round = 1; pool != NULL && w.round <= ROUNDS; w.round++) {
                rtl_pool_run(pool);
                assert_int_equal(atomic_load(&w.calls), parts * w.round);
            }
            for (unsigned i = 0; pool != NULL && i < parts; i++)
                assert_int_equal(w.done[ROUNDS % 2][i], ROUNDS);
            rtl_pool_destroy(pool);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_is_done_once_a_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
