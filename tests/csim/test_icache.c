/* test_icache.c - the instruction cache of a subslice: what a run waits for, to the
 * cycle, what is replaced, and that the order of the EUs' questions does not matter.
 * Does not find: what the hardware's cache looks like; no source says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/icache.h"
#include "tests/support/rng.h"

enum { COUNT = 600, MISS = 77 };

static struct uop uops[COUNT];
static struct icache *cache;
static struct igpu_config config;
static struct {
    uint32_t misses, merged;
    struct icache_who who;
} told; /* of the last question */

static void on_missed(void *ctx, unsigned tile, struct icache_who who, uint32_t misses,
                      uint32_t merged)
{
    assert_ptr_equal(ctx, &told);
    assert_int_equal(tile, 2);
    assert_true(misses + merged > 0);
    told.misses = misses;
    told.merged = merged;
    told.who = who;
}

/* A kernel of instructions of `bytes`, in a cache of `kb` with `ways`. */
static void open_cache(uint64_t kb, uint64_t ways, uint8_t bytes)
{
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.icache_kb = kb;
    config.icache_ways = ways;
    config.icache_miss = MISS;
    for (uint32_t i = 0; i < COUNT; i++) {
        uops[i].at = i * bytes;
        uops[i].bytes = bytes;
    }
    assert_int_equal(icache_create(&cache, &config, NULL), IGPU_OK);
    assert_int_equal(icache_load(cache, uops, COUNT, NULL), IGPU_OK);
    icache_tell(cache, on_missed, &told, 2);
}

static int close_cache(void **state)
{
    (void)state;
    icache_destroy(cache);
    cache = NULL;
    return 0;
}

static uint32_t wait(unsigned eu, uint32_t pc, uint32_t len, uint64_t t)
{
    told.misses = told.merged = 0;
    return icache_wait(cache, icache_of(eu, 0), (struct uop_run){pc, len, 0}, t);
}

static void a_miss_takes_its_time_and_then_hits(void **state)
{
    (void)state;
    open_cache(48, 8, 16);
    assert_int_equal(wait(0, 0, 4, 100), MISS);
    assert_int_equal(wait(0, 0, 4, 110), MISS - 10); /* another thread of the EU */
    assert_int_equal(wait(1, 0, 4, 110), MISS);      /* another EU asks by itself */
    assert_int_equal(wait(0, 0, 4, 100 + MISS - 2), 2);
    assert_int_equal(wait(2, 0, 4, 100 + MISS - 1), MISS);
    assert_int_equal(wait(2, 0, 4, 100 + MISS), 0);
    assert_int_equal(wait(2, 0, 5, 100 + MISS), MISS - 8); /* one line more */
    icache_launch(cache);
    assert_int_equal(wait(2, 0, 4, 1000), MISS);
}

/* Later lines are asked for at once, and reached at two cycles an instruction. */
static void a_run_is_asked_for_whole(void **state)
{
    (void)state;
    open_cache(48, 8, 16);
    assert_int_equal(wait(0, 4, 4, 0), MISS);
    assert_int_equal(wait(0, 0, 12, 200), MISS); /* its first line is missing */
    icache_launch(cache);
    assert_int_equal(wait(0, 0, 4, 0), MISS);
    assert_int_equal(wait(0, 0, 12, 200), MISS - 8);
    icache_launch(cache);
    assert_int_equal(wait(0, 0, 80, 0), MISS);
    assert_int_equal(wait(0, 0, 200, 200), 0); /* in time: 160 cycles away */
}

/* A line of compacted instructions holds eight of them. */
static void compacted_instructions_take_half_the_lines(void **state)
{
    (void)state;
    open_cache(48, 8, 8);
    assert_int_equal(wait(0, 0, 1, 0), MISS);
    assert_int_equal(wait(0, 7, 1, MISS), 0);
    assert_int_equal(wait(0, 8, 1, MISS), MISS);
    (void)close_cache(state);
    open_cache(48, 8, 16);
    for (uint32_t i = 0; i < COUNT; i++)
        uops[i].at += 8; /* every fourth lies in two lines */
    assert_int_equal(icache_load(cache, uops, COUNT, NULL), IGPU_OK);
    assert_int_equal(wait(0, 2, 1, 0), MISS);
    assert_int_equal(wait(0, 3, 1, MISS), MISS);
    assert_int_equal(wait(0, 4, 1, MISS + MISS), 0);
}

/* 1 KB: 16 lines, here in 8 sets of 2 ways. */
static void the_oldest_line_of_a_set_goes(void **state)
{
    (void)state;
    open_cache(1, 2, 16);
    assert_int_equal(wait(0, 0, 1, 0), MISS);        /* line 0 */
    assert_int_equal(wait(0, 4 * 8, 1, 100), MISS);  /* line 8, the same set */
    assert_int_equal(wait(0, 0, 1, 190), 0);         /* being used does not help */
    assert_int_equal(wait(0, 4 * 16, 1, 200), MISS); /* line 16, in at 277 */
    assert_int_equal(wait(0, 0, 1, 276), 0);
    assert_int_equal(wait(0, 0, 1, 277), MISS);
    assert_int_equal(wait(0, 4 * 8, 1, 353), 0);
    assert_int_equal(wait(0, 4 * 8, 1, 354), MISS); /* line 0 is back, 8 is gone */
}

static void no_misses_without_a_time_for_them(void **state)
{
    (void)state;
    open_cache(1, 2, 16);
    (void)close_cache(state);
    config.icache_miss = 0;
    assert_int_equal(icache_create(&cache, &config, NULL), IGPU_OK);
    assert_int_equal(icache_load(cache, uops, COUNT, NULL), IGPU_OK);
    assert_int_equal(wait(0, 0, 600, 5), 0);
}

static void absent(uint32_t misses, uint32_t merged)
{
    assert_int_equal(told.misses, misses);
    assert_int_equal(told.merged, merged);
}

/* In lines of four instructions. */
static void lines_that_are_not_there_are_told(void **state)
{
    struct icache_who who = {3, 6, 5};

    (void)state;
    open_cache(48, 8, 16);
    (void)wait(0, 2, 8, 100); /* 0 to 2 */
    absent(3, 0);
    (void)wait(0, 0, 4, 100); /* by another thread in the same cycle */
    absent(1, 0);
    (void)wait(0, 0, 16, 101); /* and 3 */
    absent(1, 3);
    (void)wait(1, 0, 4, 101); /* another EU's request is its own */
    absent(1, 0);
    (void)wait(0, 0, 12, 100 + MISS);
    absent(0, 0);
    (void)wait(0, 8, 8, 100 + MISS); /* 2 is there, 3 on its way */
    absent(0, 1);
    (void)icache_wait(cache, who, (struct uop_run){100, 4, 8}, 300);
    absent(3, 0); /* what may follow is asked for too */
    assert_memory_equal(&told.who, &who, sizeof(who));
    icache_tell(cache, NULL, NULL, 0);
    (void)wait(0, 200, 4, 400);
    absent(0, 0);
}

/* ---- order ---- */

enum { QUESTIONS = 20000 };

struct question {
    uint64_t t;
    struct uop_run run;
    unsigned eu;
    uint32_t answer, misses, merged;
};

/* Ask window by window; in one, EU after EU, from the first or from the last on. */
static void ask_in_windows(struct question *q, uint64_t window, bool reverse,
                           bool compare)
{
    for (uint32_t first = 0, end; first < QUESTIONS; first = end) {
        uint64_t limit = (q[first].t / window + 1) * window;

        for (end = first; end < QUESTIONS && q[end].t < limit; end++)
            continue;
        for (unsigned k = 0; k < ICACHE_EUS; k++) {
            for (uint32_t i = first; i < end; i++) {
                struct icache_who who = icache_of(q[i].eu, 0);
                uint32_t answer;

                if (q[i].eu != (reverse ? ICACHE_EUS - 1 - k : k))
                    continue;
                told.misses = told.merged = 0;
                answer = icache_wait(cache, who, q[i].run, q[i].t);
                if (compare) {
                    assert_int_equal(answer, q[i].answer);
                    absent(q[i].misses, q[i].merged);
                }
                q[i].answer = answer;
                q[i].misses = told.misses;
                q[i].merged = told.merged;
            }
        }
    }
}

static void the_order_of_the_eus_does_not_matter(void **state)
{
    static struct question q[QUESTIONS];
    uint32_t waits = 0;
    uint64_t seed = 11, t = 0;

    (void)state;
    for (unsigned kb = 1; kb <= 8; kb += 7) {
        open_cache(kb, kb, 16);
        for (uint32_t i = 0; i < QUESTIONS; i++) {
            uint32_t pc =
                lcg_below(&seed, 8) ? lcg_below(&seed, 100) : lcg_below(&seed, COUNT);

            t += lcg_below(&seed, 3) ? lcg_below(&seed, 2) : lcg_below(&seed, 30);
            q[i] = (struct question){
                .t = t,
                .run = {pc, 1 + lcg_below(&seed, COUNT - pc < 20 ? COUNT - pc : 20), 0},
                .eu = lcg_below(&seed, ICACHE_EUS)};
        }
        ask_in_windows(q, 1, false, false);
        for (uint32_t i = 0; i < QUESTIONS; i++)
            waits += q[i].answer > 0;
        icache_launch(cache);
        ask_in_windows(q, MISS, false, true);
        icache_launch(cache);
        ask_in_windows(q, MISS, true, true);
        icache_launch(cache);
        ask_in_windows(q, 30, true, true);
        (void)close_cache(state);
    }
    assert_true(waits > QUESTIONS / 8);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, close_cache)
    const struct CMUnitTest tests[] = {
        TEST(a_miss_takes_its_time_and_then_hits),
        TEST(a_run_is_asked_for_whole),
        TEST(compacted_instructions_take_half_the_lines),
        TEST(the_oldest_line_of_a_set_goes),
        TEST(no_misses_without_a_time_for_them),
        TEST(lines_that_are_not_there_are_told),
        TEST(the_order_of_the_eus_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
