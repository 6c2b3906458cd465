/* test_mem_parts.c - the memory side's small parts against naive twins and closed
 * forms: clocks, the calendar, LRU tags, MSHRs, page placement, coalescing, SLM
 * banks, latency buckets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/agenda.h"
#include "csim/mem/cache.h"
#include "csim/mem/clock.h"
#include "csim/mem/coalesce.h"
#include "csim/mem/mshr.h"
#include "csim/mem/translate.h"
#include "csim/mem/wheel.h"
#include "igpu/mem_stats.h"
#include "tests/support/rng.h"

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    return lcg_below(&state, below);
}

static void ticks_and_picoseconds_are_inverse(void **unused)
{
    const uint64_t hz[] = {1, 999, 1066666667, 1150000000, 4000000000, 10000000000};

    (void)unused;
    for (unsigned i = 0; i < sizeof(hz) / sizeof(hz[0]); i++)
        for (uint64_t tick = 0; tick < 1000000; tick = tick * 3 + 1) {
            uint64_t ps = clock_ps(tick, hz[i]);

            assert_int_equal(clock_tick(ps, hz[i]), tick);
            if (tick > 0)
                assert_int_equal(clock_tick(clock_ps(tick - 1, hz[i]) + 1, hz[i]),
                                 tick);
        }
    assert_int_equal(clock_ps(1150000000, 1150000000), UINT64_C(1000000000000));
    assert_int_equal(clock_ps(144, 1150000000), 125217);
    assert_int_equal(clock_tick(125218, 1150000000), 145);
}

static void a_clock_goes_as_the_formula_says(void **unused)
{
    struct clock clock;
    uint64_t tick = 0;

    (void)unused;
    clock_init(&clock, 1150000000);
    for (int i = 0; i < 5000; i++) {
        tick += draw(10) == 0 ? draw(100000) : 1;
        assert_int_equal(clock_at(&clock, tick), clock_ps(tick, 1150000000));
        clock_go(&clock, tick);
        assert_int_equal(clock.ps, clock_ps(tick, 1150000000));
    }
    for (uint64_t far = tick + CLOCK_AHEAD - 9; far < tick + CLOCK_AHEAD + 9; far++)
        assert_int_equal(clock_at(&clock, far), clock_ps(far, 1150000000));
}

static void packets_come_out_in_order(void **unused)
{
    struct wheel wheel;
    uint64_t due[64], now = 5;
    uint32_t taken = 0;

    (void)unused;
    assert_true(wheel_init(&wheel, 64));
    for (uint8_t i = 0; i < 64; i++) {
        due[i] = now + (i % 2 ? draw(WHEEL_SLOTS) : draw(3));
        wheel_put(&wheel, now, due[i], wheel_new(&wheel, PACKET_L3, 0, i, 0));
    }
    while (taken < 64) {
        uint64_t next = wheel_next(&wheel, now);
        uint32_t packet;
        int last = -1;

        assert_true(next >= now && next != UINT64_MAX);
        now = next;
        while ((packet = wheel_take(&wheel, now)) != PACKET_NONE) {
            assert_int_equal(due[wheel.pool[packet].a], now);
            assert_true((int)wheel.pool[packet].a > last);
            last = wheel.pool[packet].a;
            wheel_release(&wheel, packet);
            taken++;
        }
        now++;
    }
    assert_true(wheel_next(&wheel, now) == UINT64_MAX);
    wheel_free(&wheel);
}

static void events_of_one_time_keep_their_order(void **unused)
{
    struct agenda agenda;
    uint64_t ps = 0, tag = 0;

    (void)unused;
    assert_true(agenda_init(&agenda, 1000));
    for (uint32_t i = 0; i < 1000; i++)
        agenda_put(&agenda, draw(20), 0, 0, i);
    for (int i = 0; i < 1000; i++) {
        struct agenda_event event;

        agenda_take(&agenda, &event);

        assert_true(event.ps > ps || (event.ps == ps && (i == 0 || event.tag > tag)));
        ps = event.ps;
        tag = event.tag;
    }
    agenda_free(&agenda);
}

/* Events near and far, at equal times, and behind the one that was taken last, against
 * a search through all. */
static void events_come_out_in_order_of_time(void **unused)
{
    enum { MOST = 200, STEPS = 60000 };
    static const uint32_t ahead[] = {1, 700, 20000, 600000, 600000, 30000000};
    struct {
        uint64_t ps;
        uint32_t tag;
    } list[MOST];
    struct agenda agenda;
    uint64_t now = 1000000;
    uint32_t count = 0;

    (void)unused;
    assert_true(agenda_init(&agenda, MOST));
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t most = step / 1000 % 2 ? MOST : 5, first = 0;
        uint64_t ps = draw(50) ? now + draw(ahead[draw(6)]) : now - draw(2000);

        assert_true(agenda_next(&agenda) != UINT64_MAX || count == 0);
        if (count < most && draw(2)) {
            agenda_put(&agenda, ps, 0, ps / 2, step);
            list[count].ps = ps;
            list[count++].tag = step;
        } else if (count != 0) {
            struct agenda_event event;

            for (uint32_t i = 1; i < count; i++)
                if (list[i].ps < list[first].ps)
                    first = i;
            assert_int_equal(agenda_next(&agenda), list[first].ps);
            agenda_take(&agenda, &event);
            assert_int_equal(event.ps, list[first].ps);
            assert_int_equal(event.tag, list[first].tag);
            assert_int_equal(event.line, event.ps / 2);
            now = event.ps > now ? event.ps : now;
            memmove(&list[first], &list[first + 1],
                    (--count - first) * sizeof(list[0]));
        }
    }
    agenda_free(&agenda);
}

/* Naive LRU: a list of tags per set, most recent first. */
static void tags_are_replaced_in_true_lru_order(void **unused)
{
    enum { SETS = 4 };
    static const uint32_t ways[] = {1, 2, 7, 16, 48, 64, 128};

    (void)unused;
    for (unsigned w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
        uint64_t list[SETS][CACHE_MAX_WAYS];
        uint32_t used[SETS] = {0};
        struct cache cache;

        assert_true(cache_init(&cache, SETS, ways[w]));
        for (int i = 0; i < 20000; i++) {
            uint32_t set = draw(SETS), k = 0;
            uint64_t tag = draw(ways[w] * 2);
            uint32_t entry = cache_find(&cache, set, tag);

            while (k < used[set] && list[set][k] != tag)
                k++;
            assert_int_equal(entry != CACHE_NONE, k < used[set]);
            if (entry != CACHE_NONE) {
                cache_touch(&cache, set, entry);
            } else {
                uint32_t victim = cache_victim(&cache, set);

                if (used[set] == ways[w]) {
                    assert_int_equal(cache.tag[victim], list[set][--used[set]]);
                    k = used[set];
                }
                used[set]++;
                cache_fill(&cache, set, victim, tag, false);
            }
            memmove(&list[set][1], &list[set][0], k * sizeof(list[0][0]));
            list[set][0] = tag;
        }
        cache_free(&cache);
    }
}

static void fewer_ways_hold_less(void **unused)
{
    struct cache cache;

    (void)unused;
    assert_true(cache_init(&cache, 1, 64));
    cache_clear(&cache, 48);
    for (uint64_t tag = 0; tag < 49; tag++)
        cache_fill(&cache, 0, cache_victim(&cache, 0), tag, false);
    assert_int_equal(cache_find(&cache, 0, 0), CACHE_NONE);
    for (uint64_t tag = 1; tag < 49; tag++)
        assert_int_not_equal(cache_find(&cache, 0, tag), CACHE_NONE);
    cache_free(&cache);
}

static void an_mshr_fetches_each_line_once(void **unused)
{
    struct mshr mshr;

    (void)unused;
    mshr_init(&mshr, 3);
    assert_int_equal(mshr_find(&mshr, 7), MSHR_NONE);
    assert_int_equal(mshr_add(&mshr, 7), 0);
    assert_int_equal(mshr_add(&mshr, 8), 1);
    assert_int_equal(mshr_add(&mshr, 7 + 128), 2);
    assert_int_equal(mshr_add(&mshr, 9), MSHR_NONE);
    assert_int_equal(mshr_find(&mshr, 8), 1);
    mshr_remove(&mshr, 1);
    assert_int_equal(mshr_find(&mshr, 8), MSHR_NONE);
    assert_int_equal(mshr_find(&mshr, 7), 0);
    assert_int_equal(mshr_add(&mshr, 9), 1);
    assert_int_equal(mshr.used, 3);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void config_of(struct igpu_config *config)
{
    assert_int_equal(igpu_config_preset(config, "skl-gt2", NULL), IGPU_OK);
}

static void no_two_pages_share_a_place(void **unused)
{
    enum { PAGES = 100000 };
    static uint64_t place[PAGES];
    struct igpu_config config;
    struct mem_stats stats;
    struct translate t;

    (void)unused;
    config_of(&config);
    assert_true(translate_init(&t, &config, &stats));
    for (uint64_t i = 0; i < PAGES; i++) {
        place[i] = translate_line(&t, i * 64 + 5);
        assert_int_equal(place[i] % 64, 5);
    }
    qsort(place, PAGES, sizeof(place[0]), compare);
    for (int i = 1; i < PAGES; i++)
        assert_true(place[i] != place[i - 1]);
    translate_free(&t);
    config.page_random = 0;
    assert_true(translate_init(&t, &config, &stats));
    assert_int_equal(translate_line(&t, 12345), 12345);
    translate_free(&t);
}

static void the_tlb_reaches_two_megabytes(void **unused)
{
    struct igpu_config config;
    struct mem_stats stats = {0};
    struct translate t;
    struct translation *kept;
    uint64_t ahead;

    (void)unused;
    config_of(&config);
    assert_true(translate_init(&t, &config, &stats));
    for (uint64_t page = 0; page < 512; page++) {
        assert_null(translate_find(&t, page * 64));
        kept = translate_keep(&t, page * 64, &ahead);
        kept->walk = page + 1;
        assert_int_equal(ahead, page == 0 ? config.tlb_pde_ps : 0);
    }
    for (uint64_t page = 0; page < 512; page++) {
        kept = translate_find(&t, page * 64 + 63);
        assert_non_null(kept);
        assert_int_equal(kept->walk, page + 1);
        assert_int_equal(translate_by(&t, kept, page * 64 + 63),
                         translate_line(&t, page * 64 + 63));
    }
    assert_int_equal(stats.tlb_pde_misses, 1);
    /* Page 512 x 2: another directory's, and no room but a kept page's. */
    assert_null(translate_find(&t, 1024 * 64));
    (void)translate_keep(&t, 1024 * 64, &ahead);
    assert_int_equal(ahead, config.tlb_pde_ps);
    assert_null(translate_find(&t, 0));
    translate_free(&t);
}

static void eight_pages_share_a_line_of_the_table(void **unused)
{
    struct igpu_config config;
    struct mem_stats stats = {0};
    struct translate t;

    (void)unused;
    config_of(&config);
    assert_true(translate_init(&t, &config, &stats));
    for (uint64_t page = 0; page < 4096; page++)
        assert_int_equal(translate_entry(&t, page * 64 + page % 64) ==
                             translate_entry(&t, (page + 1) * 64),
                         page % 8 != 7);
    translate_free(&t);
}

static void lanes_at(struct mem_msg *msg, uint8_t op, uint8_t lanes, uint16_t bytes,
                     uint64_t base, uint64_t stride)
{
    memset(msg, 0, sizeof(*msg));
    msg->op = op;
    msg->lanes = lanes;
    msg->bytes = bytes;
    for (uint8_t i = 0; i < lanes; i++)
        msg->addr[i] = base + i * stride;
}

static void strides_coalesce_to_the_lines_they_touch(void **unused)
{
    static struct lines lines;
    struct mem_msg msg;

    (void)unused;
    for (uint32_t words = 1; words <= 16; words *= 2) {
        lanes_at(&msg, MEM_READ, 16, 4, 4096, words * 4);
        coalesce_lines(&msg, &lines);
        assert_int_equal(lines.count, words);
        for (uint32_t i = 0; i < words; i++)
            assert_int_equal(lines.line[i].number, 64 + i);
    }
    lanes_at(&msg, MEM_READ, 16, 4, 4096 + 60, 0); /* all the same word */
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.count, 1);
    lanes_at(&msg, MEM_READ, 1, 256, 4096 + 1, 0); /* an unaligned block */
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.count, 5);
    lanes_at(&msg, MEM_READ, 32, 256, 63, 320);
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.count, 160);
}

static void writes_know_their_bytes(void **unused)
{
    static struct lines lines;
    struct mem_msg msg;

    (void)unused;
    lanes_at(&msg, MEM_WRITE, 16, 4, 4096, 4);
    coalesce_lines(&msg, &lines);
    assert_true(lines.line[0].bytes == UINT64_MAX);
    lanes_at(&msg, MEM_WRITE, 2, 4, 4096 + 62, 64);
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.count, 3);
    assert_true(lines.line[0].bytes == UINT64_C(3) << 62);
    assert_true(lines.line[1].bytes == (3 | UINT64_C(3) << 62));
    assert_true(lines.line[2].bytes == 3);
}

static void atomics_on_one_word_follow_each_other(void **unused)
{
    static struct lines lines;
    struct mem_msg msg;

    (void)unused;
    lanes_at(&msg, MEM_ATOMIC, 16, 4, 4096, 0);
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.line[0].serial, 16);
    lanes_at(&msg, MEM_ATOMIC, 16, 4, 4096, 4);
    coalesce_lines(&msg, &lines);
    assert_int_equal(lines.line[0].serial, 1);
}

static void slm_is(uint8_t op, uint8_t lanes, uint16_t bytes, uint64_t base,
                   uint64_t stride, uint32_t cycles, uint32_t even)
{
    struct mem_msg msg;
    struct coalesce_slm cost;

    lanes_at(&msg, op, lanes, bytes, base, stride);
    coalesce_slm(&msg, 16, 1, &cost);
    assert_int_equal(cost.cycles, cycles);
    assert_int_equal(cost.even, even);
}

static void slm_conflicts_are_counted_by_bank(void **unused)
{
    (void)unused;
    slm_is(MEM_READ, 16, 4, 0, 4, 1, 1);      /* one word in each bank */
    slm_is(MEM_READ, 16, 4, 20, 4, 1, 1);     /* unaligned to the row */
    slm_is(MEM_READ, 16, 4, 0, 4 * 17, 1, 1); /* scattered, conflict-free */
    slm_is(MEM_READ, 16, 4, 0, 0, 1, 1);      /* broadcast */
    slm_is(MEM_READ, 16, 4, 0, 8, 2, 1);      /* two words in every other bank */
    slm_is(MEM_READ, 16, 4, 0, 64, 16, 1);    /* all in bank 0 */
    slm_is(MEM_READ, 16, 16, 0, 16, 4, 4);    /* four words a lane */
    slm_is(MEM_READ, 16, 16, 0, 0, 1, 1);     /* the same four words */
    slm_is(MEM_READ, 16, 4, 2, 4, 2, 2);      /* each lane on two words: 17 in all */
    slm_is(MEM_WRITE, 16, 4, 0, 0, 16, 1);    /* writes never share */
    slm_is(MEM_WRITE, 16, 4, 0, 4, 1, 1);
    slm_is(MEM_ATOMIC, 16, 4, 0, 0, 16, 1);
}

/* Lanes at a stride, of which only the first is given. */
static void only_first(struct mem_msg *msg, uint64_t stride)
{
    msg->even = true;
    msg->stride = stride;
    memset(&msg->addr[1], 0xee, sizeof(msg->addr) - sizeof(msg->addr[0]));
}

/* Reads and writes at any stride touch the same lines, given lane by lane or not. */
static void strides_alone_coalesce_to_the_same_lines(void **unused)
{
    static const uint16_t sizes[] = {1, 2, 4, 8, 16, 64, 256};
    static struct lines all, even;

    (void)unused;
    for (uint32_t i = 0; i < 5000; i++) {
        uint16_t bytes = sizes[draw(7)];
        uint64_t stride = draw(3) ? bytes : draw(300) - UINT64_C(100);
        struct mem_msg msg;

        lanes_at(&msg, draw(2) ? MEM_READ : MEM_WRITE, (uint8_t)(1 + draw(32)), bytes,
                 65536 + draw(256), stride);
        coalesce_lines(&msg, &all);
        only_first(&msg, stride);
        coalesce_lines(&msg, &even);
        assert_int_equal(even.count, all.count);
        assert_memory_equal(even.line, all.line, all.count * sizeof(all.line[0]));
    }
}

/* What a message costs in SLM from a list of all words, for a read without those that
 * stand before. */
static void list_slm(const struct mem_msg *msg, uint32_t banks,
                     struct coalesce_slm *cost)
{
    static uint64_t list[32 * 66];
    uint32_t count = 0, load[64] = {0};

    cost->cycles = 1;
    for (uint32_t i = 0; i < msg->lanes; i++)
        for (uint32_t byte = 0; byte < msg->bytes; byte++) {
            uint64_t word = (msg->addr[i] + byte) / 4;
            bool known = byte != 0 && list[count - 1] == word;

            for (uint32_t j = 0; msg->op == MEM_READ && j < count; j++)
                known |= list[j] == word;
            if (!known)
                list[count++] = word;
        }
    for (uint32_t j = 0; j < count; j++)
        if (++load[list[j] % banks] > cost->cycles)
            cost->cycles = load[list[j] % banks];
    cost->words = count;
    cost->even = (count + banks - 1) / banks;
}

/* Lanes at a stride up or down, on whole words or not; or in groups; or anywhere. */
static void slm_costs_what_its_words_cost(void **unused)
{
    enum { CASES = 20000 };

    (void)unused;
    for (uint32_t i = 0; i < CASES; i++) {
        static const uint16_t sizes[] = {1, 2, 4, 4, 4, 8, 12, 16, 64};
        struct mem_msg msg;
        struct coalesce_slm cost, list;
        uint32_t banks = UINT32_C(1) << draw(7), group = 1 + draw(16);
        uint64_t stride = (draw(40) - UINT64_C(12)) * (draw(3) ? 4 : 1);

        lanes_at(&msg, draw(2) ? MEM_READ : MEM_WRITE, (uint8_t)(1 + draw(32)),
                 sizes[draw(9)], 4096 + draw(64) * (draw(4) ? 4 : 1), stride);
        for (uint32_t lane = 0; i % 3 == 0 && lane < msg.lanes; lane++)
            msg.addr[lane] += lane / group * 64 * draw(i % 2 ? 2 : 9);
        list_slm(&msg, banks, &list);
        if (i % 3 != 0 && draw(2)) /* the same, said by the stride alone */
            only_first(&msg, stride);
        coalesce_slm(&msg, banks, 1, &cost);
        assert_int_equal(cost.words, list.words);
        assert_int_equal(cost.cycles, list.cycles);
        assert_int_equal(cost.even, list.even);
    }
}

static void latency_buckets_are_narrow_and_in_order(void **unused)
{
    struct mem_stats stats = {0}, copy;

    (void)unused;
    for (uint64_t c = 0; c < 5000000; c += 1 + c / 1000) {
        unsigned bucket = mem_stats_bucket(c);

        assert_true(mem_stats_bucket_cycles(bucket) <= c);
        assert_true(c < mem_stats_bucket_cycles(bucket + 1));
        assert_true((double)mem_stats_bucket_cycles(bucket + 1) <=
                    (double)mem_stats_bucket_cycles(bucket) * 1.016 + 1);
    }
    for (uint64_t c = 1; c <= 100; c++) {
        stats.latency[mem_stats_bucket(c)]++;
        stats.mem_answers++;
        stats.mem_latency_cycles += c;
    }
    assert_int_equal(mem_stats_latency_ps(&stats, 500, 1000000000), 50000);
    assert_int_equal(mem_stats_latency_ps(&stats, 990, 1000000000), 99000);
    assert_int_equal(mem_stats_latency_ps(&stats, 1000, 1000000000), 100000);
    assert_int_equal(mem_stats_latency_avg_ps(&stats, 1000000000), 50500);
    copy = stats;
    mem_stats_add(&copy, &stats);
    mem_stats_sub(&copy, &stats);
    assert_memory_equal(&copy, &stats, sizeof(copy));
    memset(&stats, 0, sizeof(stats));
    assert_int_equal(mem_stats_latency_ps(&stats, 500, 1000000000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_and_picoseconds_are_inverse),
        cmocka_unit_test(a_clock_goes_as_the_formula_says),
        cmocka_unit_test(packets_come_out_in_order),
        cmocka_unit_test(events_of_one_time_keep_their_order),
        cmocka_unit_test(events_come_out_in_order_of_time),
        cmocka_unit_test(tags_are_replaced_in_true_lru_order),
        cmocka_unit_test(fewer_ways_hold_less),
        cmocka_unit_test(an_mshr_fetches_each_line_once),
        cmocka_unit_test(no_two_pages_share_a_place),
        cmocka_unit_test(the_tlb_reaches_two_megabytes),
        cmocka_unit_test(eight_pages_share_a_line_of_the_table),
        cmocka_unit_test(strides_coalesce_to_the_lines_they_touch),
        cmocka_unit_test(writes_know_their_bytes),
        cmocka_unit_test(atomics_on_one_word_follow_each_other),
        cmocka_unit_test(slm_conflicts_are_counted_by_bank),
        cmocka_unit_test(slm_costs_what_its_words_cost),
        cmocka_unit_test(strides_alone_coalesce_to_the_same_lines),
        cmocka_unit_test(latency_buckets_are_narrow_and_in_order)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
