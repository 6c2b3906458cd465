/* test_mem_policy.c - policies with names (docs/contract/memory.md, section 9), each by
 * what it promises: replacement against naive twins and on the accesses that it is made
 * for, prefetchers by what they ask for, schedulers of the DRAM by who is served. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/cache.h"
#include "csim/mem/policy.h"
#include "tests/csim/dram_rig.h"
#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    return lcg_below(&state, below);
}

static const uint64_t named[] = {IGPU_LRU, IGPU_RANDOM, IGPU_SRRIP, IGPU_TREE_PLRU};
enum { NAMED = sizeof(named) / sizeof(named[0]) };

static void start(struct cache *cache, uint64_t policy, uint32_t sets, uint32_t ways)
{
    assert_true(cache_init(cache, sets, ways));
    assert_true(cache_follow(cache, policy_replacement(policy)));
}

/* As l3 and llc do. True: it was there. */
static bool use_line(struct cache *cache, uint64_t line)
{
    uint32_t set = (uint32_t)(line % cache->sets), entry = cache_find(cache, set, line);

    if (entry != CACHE_NONE) {
        cache_touch(cache, set, entry);
        return true;
    }
    cache_fill(cache, set, cache_victim(cache, set), line, false);
    return false;
}

/* ---- what holds for each of them ---- */

static void a_line_that_came_is_found_until_it_is_replaced(void **unused)
{
    (void)unused;
    for (unsigned p = 0; p < NAMED; p++)
        for (uint32_t ways = 1; ways <= 48; ways = ways * 2 + ways % 3) {
            struct cache cache;

            start(&cache, named[p], 4, ways);
            for (uint32_t i = 0; i < 4 * ways; i++)
                assert_false(use_line(&cache, i)); /* room for all: none gives way */
            for (uint32_t i = 0; i < 4 * ways; i++)
                assert_true(use_line(&cache, i));
            for (uint32_t i = 0; i < 20000; i++) {
                uint64_t line = draw(12 * ways);

                (void)use_line(&cache, line);
                assert_int_not_equal(cache_find(&cache, (uint32_t)(line % 4), line),
                                     CACHE_NONE);
            }
            assert_true(cache.wrong == NULL || *cache.wrong == 0);
            cache_free(&cache);
        }
}

static void an_empty_way_is_filled_before_one_is_replaced(void **unused)
{
    (void)unused;
    for (unsigned p = 0; p < NAMED; p++) {
        struct cache cache;
        uint32_t entry;

        start(&cache, named[p], 1, 16);
        for (uint32_t i = 0; i < 100; i++)
            (void)use_line(&cache, i);
        entry = 5;
        cache_drop(&cache, 0, entry);
        assert_int_equal(cache_victim(&cache, 0), entry);
        cache_fill(&cache, 0, entry, 1000, false);
        for (uint32_t i = 0; i < 16; i++)
            assert_true(cache.flags[i] & CACHE_VALID);
        cache_clear(&cache, 8);
        for (uint32_t i = 0; i < 8; i++)
            assert_false(use_line(&cache, i));
        for (uint32_t i = 0; i < 8; i++)
            assert_true(use_line(&cache, i));
        cache_free(&cache);
    }
}

static void a_copy_goes_on_as_its_model(void **unused)
{
    (void)unused;
    for (unsigned p = 0; p < NAMED; p++) {
        struct cache a, b;

        start(&a, named[p], 8, 12);
        start(&b, named[p], 8, 12);
        for (uint32_t i = 0; i < 3000; i++)
            (void)use_line(&a, draw(300));
        cache_copy(&b, &a);
        for (uint32_t i = 0; i < 3000; i++) {
            uint64_t line = draw(300);

            assert_int_equal(use_line(&a, line), use_line(&b, line));
        }
        cache_free(&a);
        cache_free(&b);
    }
}

/* ---- each by itself ---- */

static void random_takes_each_way_alike(void **unused)
{
    uint32_t taken[48] = {0}, again = 0, last = 48;
    struct cache cache;

    (void)unused;
    start(&cache, IGPU_RANDOM, 1, 48);
    for (uint64_t i = 0; i < 48 * 1000 + 48; i++) {
        uint32_t way = cache_victim(&cache, 0);

        assert_int_equal(way, cache_victim(&cache, 0));
        if (i >= 48) {
            taken[way]++;
            again += way == last;
            last = way;
        }
        cache_fill(&cache, 0, way, i, false);
    }
    for (unsigned w = 0; w < 48; w++)
        assert_in_range(taken[w], 850, 1150); /* 1000, by 4.7 standard deviations */
    assert_in_range(again, 850, 1150);
    cache_free(&cache);
}

/* The paper's own words, with its loop: values of 0 to 3. */
struct srrip {
    uint8_t value[16];
    uint64_t line[16];
};

static bool srrip_use(struct srrip *s, uint32_t ways, uint64_t line, uint32_t filled)
{
    uint32_t way;

    for (way = 0; way < filled; way++)
        if (s->line[way] == line) {
            s->value[way] = 0;
            return true;
        }
    for (way = 0; way < ways && filled == ways; way++) {
        if (s->value[way] == 3)
            break;
        if (way + 1 == ways)
            for (way = 0; way < ways; way++)
                s->value[way]++;
        if (way == ways)
            way = UINT32_MAX; /* look again */
    }
    if (filled < ways)
        way = filled;
    s->line[way] = line;
    s->value[way] = 2;
    return false;
}

static void srrip_does_as_its_paper_says(void **unused)
{
    for (uint32_t ways = 2; ways <= 16; ways++) {
        struct srrip twin = {0};
        struct cache cache;
        uint32_t filled = 0, hits = 0;

        (void)unused;
        start(&cache, IGPU_SRRIP, 1, ways);
        for (int i = 0; i < 20000; i++) {
            uint64_t line = draw(2) ? draw(ways) : draw(4 * ways);
            bool hit = srrip_use(&twin, ways, line, filled);

            assert_int_equal(use_line(&cache, line), hit);
            filled += !hit && filled < ways;
            hits += hit;
        }
        assert_true(hits > 5000);
        cache_free(&cache);
    }
}

/* A scan passes; lines that were used before it are still there, and LRU loses them. */
static uint32_t left_of_a_scan(uint64_t policy)
{
    struct cache cache;
    uint32_t left = 0;

    start(&cache, policy, 1, 16);
    for (uint64_t round = 0; round < 3; round++)
        for (uint64_t i = 0; i < 8; i++)
            (void)use_line(&cache, i);
    for (uint64_t i = 0; i < 24; i++)
        (void)use_line(&cache, 1000 + i);
    for (uint64_t i = 0; i < 8; i++)
        left += cache_find(&cache, 0, i) != CACHE_NONE;
    cache_free(&cache);
    return left;
}

static void srrip_keeps_what_is_used_over_a_scan(void **unused)
{
    (void)unused;
    assert_int_equal(left_of_a_scan(IGPU_SRRIP), 8);
    assert_int_equal(left_of_a_scan(IGPU_LRU), 0);
}

/* The older half, the older half of that...: by the time of each way's last use. */
static uint32_t older(const uint64_t *used, uint32_t from, uint32_t size, uint32_t ways,
                      uint64_t *last)
{
    uint64_t left, right;
    uint32_t l, r;

    if (size == 1) {
        *last = used[from];
        return from;
    }
    l = older(used, from, size / 2, ways, &left);
    if (from + size / 2 >= ways) {
        *last = left;
        return l;
    }
    r = older(used, from + size / 2, size / 2, ways, &right);
    /* A node points away from the half that was used last: by the half's latest use. */
    left = right = 0;
    for (uint32_t w = from; w < from + size && w < ways; w++) {
        uint64_t *half = w < from + size / 2 ? &left : &right;

        *half = used[w] > *half ? used[w] : *half;
    }
    *last = left > right ? left : right;
    return left > right ? r : l;
}

static void tree_plru_leaves_the_half_that_was_used_last(void **unused)
{
    (void)unused;
    for (uint32_t ways = 1; ways <= 64; ways += 1 + ways / 3) {
        uint64_t used[64] = {0}, time = 0, last;
        uint32_t size = 1;
        struct cache cache;

        while (size < ways)
            size *= 2;
        start(&cache, IGPU_TREE_PLRU, 1, ways);
        for (uint64_t i = 0; i < ways; i++) {
            used[i] = ++time;
            assert_false(use_line(&cache, i));
        }
        for (int i = 0; i < 5000; i++) {
            uint32_t way = draw(ways);

            if (draw(2)) {
                way = cache_victim(&cache, 0);
                assert_int_equal(way, older(used, 0, size, ways, &last));
                cache_fill(&cache, 0, way, 1000 + (uint64_t)i, false);
            } else {
                cache_touch(&cache, 0, way);
            }
            used[way] = ++time;
            assert_true(ways == 1 || cache_victim(&cache, 0) != way);
        }
        cache_free(&cache);
    }
}

static void of_two_ways_tree_plru_is_lru(void **unused)
{
    struct cache lru, tree;

    (void)unused;
    start(&lru, IGPU_LRU, 4, 2);
    start(&tree, IGPU_TREE_PLRU, 4, 2);
    for (int i = 0; i < 20000; i++) {
        uint64_t line = draw(20);

        assert_int_equal(use_line(&lru, line), use_line(&tree, line));
    }
    cache_free(&lru);
    cache_free(&tree);
}

/* ---- a policy that answers what is no way ---- */

static uint32_t wrong_victim(const void *set, uint32_t ways, uint32_t index)
{
    (void)set, (void)index;
    return ways + 2;
}

static void a_way_that_is_none_is_told(void **unused)
{
    struct igpu_replacement policy = *policy_replacement(IGPU_RANDOM);
    struct cache cache;

    (void)unused;
    policy.victim = wrong_victim;
    assert_true(cache_init(&cache, 1, 4));
    assert_true(cache_follow(&cache, &policy));
    for (uint64_t i = 0; i < 4; i++)
        (void)use_line(&cache, i);
    assert_int_equal(*cache.wrong, 0);
    (void)use_line(&cache, 4);
    assert_int_equal(*cache.wrong, 1 + 6);
    cache_free(&cache);
}

/* ---- prefetchers ---- */

static void next_line_asks_behind_what_was_missed(void **unused)
{
    const struct igpu_prefetch *p = policy_prefetch(IGPU_NEXT_LINE);
    uint64_t ask[IGPU_PREFETCH_LINES];

    (void)unused;
    assert_null(policy_prefetch(IGPU_NO_PREFETCH));
    assert_int_equal(p->access(NULL, 77, true, ask), 0);
    assert_int_equal(p->access(NULL, 77, false, ask), 1);
    assert_int_equal(ask[0], 78);
}

static void stride_goes_on_with_a_step_seen_twice(void **unused)
{
    const struct igpu_prefetch *p = policy_prefetch(IGPU_STRIDE);
    uint64_t ask[IGPU_PREFETCH_LINES];

    (void)unused;
    for (int step = -9; step <= 9; step++) {
        void *memory = calloc(1, p->bytes);
        uint64_t line = 64 * 1000 + 32;

        for (int i = 0; i < 4; i++, line += (uint64_t)(int64_t)step) {
            uint32_t n = p->access(memory, line, true, ask);

            assert_int_equal(n, i >= 2 && step != 0 ? 2 : 0);
            if (n != 0) {
                assert_int_equal(ask[0], line + (uint64_t)(int64_t)step);
                assert_int_equal(ask[1], line + (uint64_t)(int64_t)(2 * step));
            }
            /* Another page in between, with a step of its own. */
            (void)p->access(memory, 64 * 2001 + (uint64_t)i * 3, true, ask);
        }
        assert_int_equal(p->access(memory, 64 * 1000 + 1, true, ask), 0);
        free(memory);
    }
}

static struct igpu_config config_of(const char *const *settings)
{
    struct igpu_config config;

    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    for (; *settings != NULL; settings++)
        assert_int_equal(igpu_config_set(&config, *settings, NULL), IGPU_OK);
    return config;
}

/* A thread reads line after line, one in 2,000 cycles. *cycles: of all answers. */
static struct mem_stats stream(const char *prefetch, uint64_t *cycles)
{
    enum { LINES = 2048 };
    const char *const settings[] = {prefetch, "llc.others_ps=0", NULL};
    struct igpu_config config = config_of(settings);
    struct mem_system *mem;
    struct mem_stats stats;
    struct mem_done done;

    *cycles = 0;
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    mem_launch(mem, false);
    for (uint64_t i = 0; i < LINES; i++) {
        struct mem_msg msg = drive_read(i * 2000, i * 64);

        drive_messages(mem, &config, &msg, 1, &done);
        *cycles += done.cycle - msg.cycle;
    }
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    stats = *mem_stats(mem);
    mem_destroy(mem);
    return stats;
}

static void lines_that_were_fetched_ahead_are_found(void **unused)
{
    uint64_t none, next, stride;
    struct mem_stats s = stream("llc.prefetch=none", &none);

    (void)unused;
    assert_int_equal(s.llc_prefetches, 0);
    s = stream("llc.prefetch=next-line", &next);
    /* Every second line, and the last of a page asks for none: half of 64. */
    assert_int_equal(s.llc_prefetches, 2048 / 2);
    assert_int_equal(s.llc_prefetch_hits + s.llc_prefetch_late, 2048 / 2);
    assert_int_equal(s.llc_prefetch_unused, 0);
    s = stream("llc.prefetch=stride", &stride);
    assert_int_equal(s.llc_prefetches,
                     2048 / 64 * 61); /* but the first three of a page */
    assert_int_equal(s.llc_prefetch_hits + s.llc_prefetch_late, s.llc_prefetches);
    assert_int_equal(s.llc_accesses, 2048);
    assert_true(next < none * 9 / 10);
    assert_true(stride < next);
}

/* ---- schedulers of the DRAM ---- */

/* Lines of one bank of channel 0, in row order. */
static uint32_t lines_of_bank(const struct dram *dram, uint64_t row, uint64_t *line,
                              uint32_t count)
{
    uint32_t found = 0;

    for (uint64_t i = 0; found < count; i++) {
        struct dram_place p;

        dram_place(dram, i, &p);
        if (p.channel == 0 && p.bank == 0 && p.row == row)
            line[found++] = i;
    }
    return found;
}

/* A core's read of one row comes behind thirty of the GPU's of another, which is open,
 * and more of these follow. How many of them go before it. */
static uint32_t gpu_reads_before_the_cores(const char *schedule)
{
    enum { GPU = 60, CORE = 1000 };
    const char *const settings[] = {schedule, "dram.age_limit=100000", "dram.trefi=0",
                                    NULL};
    struct agenda_event event;
    uint64_t near[GPU], far[1], ps = 0;
    struct dram_rig rig;
    uint32_t before = 0;

    dram_rig_build(&rig, settings);
    (void)lines_of_bank(&rig.dram, 1, near, GPU);
    (void)lines_of_bank(&rig.dram, 2, far, 1);
    for (uint32_t i = 0; i < 30; i++)
        dram_read(&rig.dram, ps, near[i], i, DRAM_GPU);
    dram_read(&rig.dram, ps, far[0], CORE, DRAM_GPU + 1);
    for (uint32_t i = 30; i < GPU; i++)
        dram_read(&rig.dram, ps, near[i], i, DRAM_GPU);
    dram_rig_run(&rig);
    for (uint32_t i = 0; i <= GPU; i++) {
        agenda_take(&rig.agenda, &event);
        if (event.tag == CORE)
            before = i;
    }
    assert_true(agenda_next(&rig.agenda) == UINT64_MAX);
    dram_rig_over(&rig);
    return before;
}

static void bliss_lets_no_stream_keep_others_waiting(void **unused)
{
    (void)unused;
    assert_int_equal(gpu_reads_before_the_cores("dram.schedule=fr-fcfs"), 60);
    assert_int_equal(gpu_reads_before_the_cores("dram.schedule=fcfs"), 30);
    assert_in_range(gpu_reads_before_the_cores("dram.schedule=bliss"), 4, 8);
}

static void traffic(struct dram_rig *rig, uint32_t sources)
{
    uint64_t ps = 0;

    state = 9;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t line = draw(1 << 20), source = draw(sources);

        ps += draw(9000);
        dram_rig_run_until(rig, ps - (ps != 0));
        if (draw(4) == 0 && !dram_stalled(&rig->dram))
            dram_write(&rig->dram, ps, line);
        else
            dram_read(&rig->dram, ps, line, i, (uint8_t)source);
    }
    dram_rig_run(rig);
}

static bool same_commands(const struct dram_rig *a, const struct dram_rig *b)
{
    bool same = a->issues == b->issues;

    for (uint32_t i = 0; same && i < a->issues; i++)
        same = a->issue[i].clock == b->issue[i].clock &&
               a->issue[i].row == b->issue[i].row &&
               a->issue[i].channel == b->issue[i].channel &&
               a->issue[i].bank == b->issue[i].bank &&
               a->issue[i].command == b->issue[i].command;
    return same;
}

/* And none of its commands breaks a timing rule, nor fcfs's. */
static void bliss_for_one_requester_is_fr_fcfs(void **unused)
{
    static const char *const settings[][2] = {{"dram.schedule=fr-fcfs", NULL},
                                              {"dram.schedule=bliss", NULL},
                                              {"dram.schedule=fcfs", NULL}};
    struct dram_rig rig[3];

    (void)unused;
    for (uint32_t sources = 1; sources <= 4; sources += 3) {
        for (unsigned i = 0; i < 3; i++) {
            struct dram_broken broken;
            uint64_t tight = 0;

            dram_rig_build(&rig[i], settings[i]);
            traffic(&rig[i], sources);
            broken = dram_rig_check(&rig[i], &rig[i].config, &tight);
            if (broken.rule != NULL)
                fail_msg("schedule %u: command %u breaks %s", i, broken.at,
                         broken.rule);
        }
        assert_int_equal(same_commands(&rig[0], &rig[1]), sources == 1);
        for (unsigned i = 0; i < 3; i++)
            dram_rig_over(&rig[i]);
    }
}

static void fcfs_serves_in_order_of_arrival(void **unused)
{
    static const char *const settings[] = {"dram.schedule=fcfs", "dram.channels=1",
                                           NULL};
    struct agenda_event event;
    struct dram_rig rig;
    uint64_t ps = 0;

    (void)unused;
    dram_rig_build(&rig, settings);
    for (uint32_t i = 0; i < 3000; i++) {
        ps += draw(30000);
        dram_rig_run_until(&rig, ps);
        dram_read(&rig.dram, ps, draw(1 << 20), i, DRAM_GPU);
    }
    dram_rig_run(&rig);
    for (uint32_t i = 0; i < 3000; i++) {
        agenda_take(&rig.agenda, &event);
        assert_int_equal(event.tag, i);
    }
    dram_rig_over(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_came_is_found_until_it_is_replaced),
        cmocka_unit_test(an_empty_way_is_filled_before_one_is_replaced),
        cmocka_unit_test(a_copy_goes_on_as_its_model),
        cmocka_unit_test(random_takes_each_way_alike),
        cmocka_unit_test(srrip_does_as_its_paper_says),
        cmocka_unit_test(srrip_keeps_what_is_used_over_a_scan),
        cmocka_unit_test(tree_plru_leaves_the_half_that_was_used_last),
        cmocka_unit_test(of_two_ways_tree_plru_is_lru),
        cmocka_unit_test(a_way_that_is_none_is_told),
        cmocka_unit_test(next_line_asks_behind_what_was_missed),
        cmocka_unit_test(stride_goes_on_with_a_step_seen_twice),
        cmocka_unit_test(lines_that_were_fetched_ahead_are_found),
        cmocka_unit_test(bliss_lets_no_stream_keep_others_waiting),
        cmocka_unit_test(bliss_for_one_requester_is_fr_fcfs),
        cmocka_unit_test(fcfs_serves_in_order_of_arrival),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
