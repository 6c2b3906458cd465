/* test_mem_warm.c - accesses outside of time leave the caches as accesses in time do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

enum { ACCESSES = 3000, PROBES = 1500 };

/* Whole lines, of 4 MB in a few hot places and elsewhere. */
static struct mem_msg random_access(uint64_t *state, uint64_t cycle)
{
    uint64_t line =
        lcg_below(state, 2) ? lcg_below(state, 1 << 16) : lcg_below(state, 400);
    struct mem_msg msg = drive_read(cycle, (1 << 20) + line * 64);

    msg.bytes = 64;
    if (lcg_below(state, 3) == 0)
        msg.op = MEM_WRITE;
    return msg;
}

static void small_caches(struct igpu_config *c, bool edram)
{
    assert_int_equal(igpu_config_preset(c, "skl-gt2", NULL), IGPU_OK);
    c->l3_sets = 2;
    c->l3_ways = c->l3_ways_slm = 16;
    c->llc_size = 65536;
    c->llc_others_ps = 0;
    c->edram_size = edram ? 1 << 17 : 0;
    c->tlb_entries = 64;
    c->tlb_ways = 4;
}

/* Another one that has the caches of *mem, which is gone. */
static struct mem_system *copied(struct mem_system *mem,
                                 const struct igpu_config *config)
{
    struct mem_system *copy;

    assert_int_equal(mem_create(&copy, config, NULL), IGPU_OK);
    mem_copy_caches(copy, mem);
    mem_destroy(mem);
    return copy;
}

enum how { IN_TIME, OUTSIDE_OF_TIME, COPIED };

/* What the probes find after the accesses, made in time or outside of it, or in a copy
 * of what that left. */
static struct mem_stats probe(const struct igpu_config *config, uint64_t seed,
                              enum how how)
{
    const bool in_time = how == IN_TIME;
    struct mem_msg msg[PROBES];
    struct mem_done done[PROBES];
    struct mem_system *mem;
    struct mem_stats before, after;
    uint64_t state = seed, cycle = 0;

    assert_int_equal(mem_create(&mem, config, NULL), IGPU_OK);
    for (unsigned i = 0; i < ACCESSES; i++) {
        struct mem_msg m = random_access(&state, cycle);

        if (in_time)
            drive_messages(mem, config, &m, 1, done);
        else
            mem_warm(mem, m.addr[0] / 64, m.op == MEM_WRITE);
        cycle += 4000; /* each is over before the next */
    }
    if (how == COPIED)
        mem = copied(mem, config);
    before = *mem_stats(mem);
    if (!in_time) {
        struct mem_stats none;

        memset(&none, 0, sizeof(none));
        assert_memory_equal(&before, &none, sizeof(none));
    }
    for (unsigned i = 0; i < PROBES; i++, cycle += 4000) {
        msg[i] = random_access(&state, cycle);
        drive_messages(mem, config, &msg[i], 1, done);
    }
    after = *mem_stats(mem);
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    mem_stats_sub(&after, &before);
    mem_destroy(mem);
    return after;
}

static void warm_caches_hit_like_used_ones(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct igpu_config config;
        struct mem_stats used, warm, copy;

        small_caches(&config, seed % 2 == 0);
        used = probe(&config, seed, IN_TIME);
        warm = probe(&config, seed, OUTSIDE_OF_TIME);
        copy = probe(&config, seed, COPIED);
        assert_memory_equal(&copy, &warm, sizeof(copy));
        assert_true(used.l3_hits > 50 && used.llc_hits > 20 && used.tlb_hits > 10);
        assert_true(used.l3_misses > 50 && used.llc_misses > 50 &&
                    used.tlb_misses > 50);
        assert_int_equal(warm.l3_hits, used.l3_hits);
        assert_int_equal(warm.l3_writebacks, used.l3_writebacks);
        assert_int_equal(warm.tlb_hits, used.tlb_hits);
        assert_int_equal(warm.tlb_walk_misses, used.tlb_walk_misses);
        assert_int_equal(warm.llc_hits, used.llc_hits);
        assert_int_equal(warm.llc_writebacks, used.llc_writebacks);
        assert_int_equal(warm.edram_hits, used.edram_hits);
        assert_int_equal(warm.edram_writebacks, used.edram_writebacks);
    }
}

static void caches_below_are_emptied(void **unused)
{
    (void)unused;
    for (unsigned edram = 0; edram < 2; edram++) {
        struct igpu_config config;
        struct mem_system *mem;
        uint64_t all;

        small_caches(&config, edram != 0);
        all = (config.llc_size + config.edram_size) / 64;
        assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
        assert_int_equal(mem_held(mem), 0);
        for (uint64_t line = 0; line < 64 * all; line++)
            mem_warm(mem, line, line % 3 == 0);
        assert_true(mem_held(mem) > all - all / 16 && mem_held(mem) <= all);
        mem_empty_below(mem);
        assert_int_equal(mem_held(mem), 0);
        mem_destroy(mem);
    }
}

/* Between messages that are under way, too: nothing is lost or comes twice. */
static void warming_disturbs_nothing_under_way(void **unused)
{
    struct igpu_config config;
    struct mem_system *mem;
    struct mem_done done;
    uint64_t state = 7, now = 0, window;
    uint32_t sent = 0, taken = 0;

    (void)unused;
    small_caches(&config, true);
    window = mem_min_latency(&config);
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    while (taken < ACCESSES || !mem_idle(mem)) {
        for (uint64_t c = now; c < now + window && sent < ACCESSES; c++, sent++) {
            struct mem_msg m = random_access(&state, c);

            if (sent - taken > 60)
                break;
            m.subslice = (uint8_t)(sent % 3);
            mem_send(mem, &m);
        }
        for (unsigned i = 0; i < 10; i++) {
            struct mem_msg m = random_access(&state, 0);

            mem_warm(mem, m.addr[0] / 64, m.op == MEM_WRITE);
        }
        now += window;
        mem_run(mem, now);
        while (mem_take(mem, now + window, &done))
            taken++;
    }
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    mem_destroy(mem);
}

/* ---- in a cycle ---- */

enum { WARM_EVERY = 23, WARM_LINES = 5 };

/* What is counted of accesses at random cycles, with lines warmed between them at
 * cycles of their own, where mem_run() gets no more than `step` cycles at a time. */
static struct mem_stats warm_between(const struct igpu_config *config, uint64_t step)
{
    uint64_t state = 11, warming = 12, now = 0, warm_at = WARM_EVERY;
    struct mem_msg next = random_access(&state, 5);
    uint32_t sent = 0, taken = 0;
    struct mem_system *mem;
    struct mem_stats stats;
    struct mem_done done;

    assert_int_equal(mem_create(&mem, config, NULL), IGPU_OK);
    while (taken < ACCESSES || !mem_idle(mem)) {
        now = now + step < warm_at ? now + step : warm_at;
        for (; sent < ACCESSES && next.cycle < now; sent++) {
            next.subslice = (uint8_t)(sent % 3);
            mem_send(mem, &next);
            next = random_access(&state, next.cycle + 1 + lcg_below(&state, 30));
        }
        assert_true(sent - taken < 64);
        mem_run(mem, now);
        while (mem_take(mem, now + mem_min_latency(config), &done))
            taken++;
        if (now < warm_at)
            continue;
        for (unsigned i = 0; i < WARM_LINES && sent < ACCESSES; i++) {
            struct mem_msg m = random_access(&warming, 0);

            mem_warm_below(mem, m.addr[0] / 64, m.op == MEM_WRITE);
        }
        warm_at += WARM_EVERY;
    }
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    stats = *mem_stats(mem);
    mem_destroy(mem);
    return stats;
}

static void how_time_is_cut_does_not_matter_to_what_is_warmed_in_a_cycle(void **unused)
{
    (void)unused;
    for (unsigned edram = 0; edram < 2; edram++) {
        struct igpu_config config;
        struct mem_stats whole, cut;

        small_caches(&config, edram != 0);
        whole = warm_between(&config, mem_min_latency(&config));
        for (uint64_t step = 1; step < mem_min_latency(&config); step += 2) {
            cut = warm_between(&config, step);
            assert_memory_equal(&cut, &whole, sizeof(cut));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_caches_hit_like_used_ones),
        cmocka_unit_test(caches_below_are_emptied),
        cmocka_unit_test(warming_disturbs_nothing_under_way),
        cmocka_unit_test(how_time_is_cut_does_not_matter_to_what_is_warmed_in_a_cycle)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
