/* test_mem_graphics.c - samplers and render targets: docs/contract/fixed-functions.md,
 * "Timing", to the cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"

enum { MOST = 120, RLEN = 2 };

struct bed {
    struct igpu_config config;
    struct mem_system *mem;
    struct mem_done done[MOST];
    struct mem_stats before, counted; /* of the last run */
};

static void begin(struct bed *b, const char *preset)
{
    assert_int_equal(igpu_config_preset(&b->config, preset, NULL), IGPU_OK);
}

static void set(struct bed *b, const char *text)
{
    struct igpu_err err;

    if (igpu_config_set(&b->config, text, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static struct mem_msg message(uint8_t op, uint64_t cycle, uint32_t count)
{
    struct mem_msg msg = {.cycle = cycle, .op = op, .rlen = RLEN};

    msg.bytes = 64;
    msg.wb = msg.credit = true;
    if (op == MEM_TARGET)
        msg.target.written = count;
    else if (op == MEM_TEXTURE)
        msg.texture.samples = count;
    return msg;
}

/* Send them and have every law hold behind them. */
static void run(struct bed *b, const struct mem_msg *msg, uint32_t count)
{
    struct igpu_err err;

    b->before = *mem_stats(b->mem);
    drive_messages(b->mem, &b->config, msg, count, b->done);
    b->counted = *mem_stats(b->mem);
    mem_stats_sub(&b->counted, &b->before);
    if (mem_check(b->mem, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static void create(struct bed *b)
{
    assert_int_equal(mem_create(&b->mem, &b->config, NULL), IGPU_OK);
}

/* The time from the first to the last answer of `count` messages of one cycle. */
static uint64_t spread(struct bed *b, const struct mem_msg *msg, uint32_t count)
{
    run(b, msg, count);
    return b->done[count - 1].cycle - b->done[0].cycle;
}

static void a_sampler_filters_at_its_rate(void **unused)
{
    static const uint64_t rate[] = {1, 2, 4, 8, 16};
    struct mem_msg msg[10];

    (void)unused;
    for (unsigned i = 0; i < sizeof(rate) / sizeof(rate[0]); i++) {
        struct bed b;
        char text[32];

        begin(&b, "skl-gt2");
        (void)snprintf(text, sizeof(text), "tex.samples=%u", (unsigned)rate[i]);
        set(&b, text);
        create(&b);
        for (uint32_t k = 0; k < 10; k++)
            msg[k] = message(MEM_TEXTURE, 100 + k, 17);
        assert_int_equal(spread(&b, msg, 10), 9 * ((17 + rate[i] - 1) / rate[i]));
        assert_int_equal(b.done[0].cycle,
                         100 + b.config.dp_in_latency + (17 + rate[i] - 1) / rate[i] +
                             b.config.tex_latency + b.config.dp_out_latency);
        assert_int_equal(b.counted.tex_samples, 170);
        for (uint32_t k = 0; k < 3; k++) { /* each subslice has its own */
            msg[k] = message(MEM_TEXTURE, 100000, 17);
            msg[k].subslice = (uint8_t)k;
        }
        assert_int_equal(spread(&b, msg, 3), 0);
        mem_destroy(b.mem);
    }
}

/* Samples of every cycle: ten messages, one a cycle from `seen` on, each for `each` of
 * the sampler's. */
struct looked {
    uint64_t seen, each, cycles;
};

static uint64_t up_to(uint64_t now, uint64_t from, uint64_t most)
{
    return now <= from ? 0 : now - from < most ? now - from : most;
}

static uint64_t look(void *ctx, uint64_t cycle, const struct sample_mem *sample)
{
    struct looked *l = ctx;

    assert_int_equal(sample->port[0].sampler_busy, up_to(cycle, l->seen, 10 * l->each));
    assert_int_equal(sample->port[0].sampler_waited,
                     up_to(cycle, l->seen + 1, 9 * l->each - 1));
    assert_int_equal(sample->port[1].sampler_busy, 0);
    l->cycles++;
    return cycle + 1;
}

static void a_samplers_time_is_counted_cycle_by_cycle(void **unused)
{
    struct mem_msg msg[10];

    (void)unused;
    for (uint64_t each = 2; each < 30; each += 9) {
        struct sample_mem after;
        struct looked looked = {.each = each};
        struct bed b;

        begin(&b, "skl-gt2");
        set(&b, "tex.samples=4");
        create(&b);
        for (uint32_t k = 0; k < 10; k++)
            msg[k] = message(MEM_TEXTURE, 100 + k, (uint32_t)(4 * each));
        looked.seen = 100 + b.config.dp_in_latency;
        mem_sample_from(b.mem, 90, &(struct mem_sampler){&looked, look});
        run(&b, msg, 10);
        assert_true(looked.cycles > 10 * each);
        mem_sample(b.mem, &after);
        assert_int_equal(after.port[0].sampler_busy, 10 * each);
        assert_int_equal(after.port[0].sampler_busy, b.counted.tex_busy_cycles);
        assert_int_equal(after.port[0].sampler_waited, 9 * each - 1);
        mem_destroy(b.mem);
    }
}

/* A message of `count` lines from the one numbered `first` on. */
static struct mem_msg lines(uint8_t op, uint64_t cycle, uint64_t first, uint32_t count)
{
    struct mem_msg msg = message(op, cycle, 1);

    for (uint32_t i = 0; i < count; i++)
        msg.addr[msg.lanes++] = (first + i) * 64;
    return msg;
}

static uint64_t time_of(struct bed *b, struct mem_msg msg)
{
    run(b, &msg, 1);
    return b->done[0].cycle - msg.cycle;
}

static void texels_come_from_the_nearest_cache(void **unused)
{
    struct bed b;
    uint64_t first, l1, l2, l3;

    (void)unused;
    begin(&b, "skl-gt2");
    set(&b, "tex.l1_bytes=256");
    set(&b, "tex.l1_ways=4");
    create(&b);
    first = time_of(&b, lines(MEM_TEXTURE, 100, 1000, 1));
    assert_int_equal(b.counted.tex_l2_misses, 1);
    assert_int_equal(b.counted.l3_misses, 1);
    l1 = time_of(&b, lines(MEM_TEXTURE, 10000, 1000, 1));
    assert_int_equal(b.counted.tex_l1_hits, 1);
    assert_int_equal(l1, b.config.dp_in_latency + 1 + b.config.tex_latency +
                             b.config.dp_out_latency);
    (void)time_of(&b, lines(MEM_TEXTURE, 20000, 2000, 4)); /* fills the first cache */
    assert_int_equal(b.counted.tex_l1_misses, 4);
    l2 = time_of(&b, lines(MEM_TEXTURE, 30000, 1000, 1));
    assert_int_equal(b.counted.tex_l2_hits, 1);
    assert_int_equal(b.counted.l3_accesses, 0);
    assert_int_equal(l2 - l1, b.config.tex_l2_latency - 1);
    struct mem_msg other = lines(MEM_TEXTURE, 40000, 1000, 1);

    other.subslice = 1; /* has caches of its own, and shares the L3 */
    l3 = time_of(&b, other);
    assert_int_equal(b.counted.l3_hits, 1);
    assert_int_equal(l3 - l2, b.config.l3_request_latency + b.config.l3_latency + 1);
    assert_true(first > l3);
    mem_destroy(b.mem);
}

static void a_line_on_its_way_is_asked_for_once(void **unused)
{
    struct mem_msg msg[MOST];
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    create(&b);
    for (uint32_t i = 0; i < 20; i++)
        msg[i] = lines(MEM_TEXTURE, 100 + i, 1000, 3);
    run(&b, msg, 20);
    assert_int_equal(b.counted.tex_l1_misses, 3);
    assert_int_equal(b.counted.tex_l1_merged, 57);
    assert_int_equal(b.counted.l3_accesses, 3);
    for (uint32_t i = 0; i < MOST; i++) /* more than may be under way, in one set */
        msg[i] = lines(MEM_TEXTURE, 100000 + i / 3, 100000 + 640 * i, 20);
    for (uint32_t i = 0; i < MOST; i++)
        msg[i].subslice = (uint8_t)(i % 3);
    run(&b, msg, MOST);
    assert_int_equal(b.counted.tex_l1_accesses, 20 * MOST);
    msg[0] = lines(MEM_TEXTURE, 1000000, 5, 2);
    msg[0].addr[1] = msg[0].addr[0]; /* the same line twice */
    run(&b, msg, 1);
    mem_destroy(b.mem);
}

/* The time from a message's answer to that of one of the next cycle, of a line each,
 * out of the L3. */
static uint64_t behind(const char *misses)
{
    struct mem_msg msg[2];
    struct bed b;

    begin(&b, "skl-gt2");
    set(&b, misses);
    create(&b);
    for (uint32_t i = 0; i < 2; i++) {
        msg[i] = lines(MEM_TEXTURE, 100 + i, 1000 + i, 1);
        msg[i].subslice = 1;
    }
    run(&b, msg, 2);
    assert_int_equal(b.counted.l3_misses, 2);
    for (uint32_t i = 0; i < 2; i++)
        msg[i] = lines(MEM_TEXTURE, 10000 + i, 1000 + i, 1);
    run(&b, msg, 2);
    assert_int_equal(b.counted.l3_hits, 2);
    mem_destroy(b.mem);
    return b.done[1].cycle - b.done[0].cycle;
}

static void no_message_begins_while_too_many_lines_are_on_their_way(void **unused)
{
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    assert_int_equal(behind("tex.misses=2"), 1);
    assert_int_equal(behind("tex.misses=1"), b.config.tex_l2_latency +
                                                 b.config.l3_request_latency +
                                                 b.config.l3_latency + 1);
}

/* Kernels begin with empty caches, frames go on with them. */
static void a_sampler_forgets_when_it_is_told(void **unused)
{
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    create(&b);
    (void)time_of(&b, lines(MEM_TEXTURE, 100, 1000, 5));
    mem_launch(b.mem, false);
    (void)time_of(&b, lines(MEM_TEXTURE, 10000, 1000, 5));
    assert_int_equal(b.counted.tex_l1_hits, 5);
    mem_forget_texels(b.mem);
    (void)time_of(&b, lines(MEM_TEXTURE, 20000, 1000, 5));
    assert_int_equal(b.counted.tex_l1_misses, 5);
    assert_int_equal(b.counted.tex_l2_misses, 5);
    assert_int_equal(b.counted.l3_hits, 5);
    mem_destroy(b.mem);
}

static void a_flush_empties_its_subslices_caches(void **unused)
{
    struct mem_msg msg[4];
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    create(&b);
    msg[0] = lines(MEM_TEXTURE, 100, 1000, 5);
    msg[1] = lines(MEM_TEXTURE, 100, 1000, 5);
    msg[1].subslice = 1;
    run(&b, msg, 2);
    msg[0] = message(MEM_FLUSH, 10000, 0);
    msg[0].lanes = 0;
    assert_int_equal(time_of(&b, msg[0]), b.config.dp_in_latency + 1 +
                                              b.config.tex_latency +
                                              b.config.dp_out_latency);
    assert_int_equal(b.counted.tex_busy_cycles, 1);
    assert_int_equal(b.counted.tex_samples, 0);
    msg[0] = lines(MEM_TEXTURE, 20000, 1000, 5);
    msg[1].cycle = 20000;
    run(&b, msg, 2);
    assert_int_equal(b.counted.tex_l2_misses, 5);
    assert_int_equal(b.counted.tex_l1_hits, 5);
    /* What is on its way stays to be waited for; the rest is gone. */
    msg[0] = lines(MEM_TEXTURE, 30000, 2000, 5);
    msg[1] = message(MEM_FLUSH, 30001, 0);
    msg[1].lanes = 0;
    msg[2] = lines(MEM_TEXTURE, 30002, 2000, 5);
    msg[3] = lines(MEM_TEXTURE, 30003, 1000, 5);
    run(&b, msg, 4);
    assert_int_equal(b.counted.tex_l1_merged, 5);
    assert_int_equal(b.counted.tex_l2_misses, 10);
    mem_destroy(b.mem);
}

static void timers_and_the_pixel_interpolator_take_their_time(void **unused)
{
    static const char *const key[] = {"dp.other_latency", "pi.latency"};
    static const uint8_t op[] = {MEM_OTHER, MEM_INTERPOLATE};

    (void)unused;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t latency = 1; latency <= 1000; latency += 333) {
            struct mem_msg msg = message(op[k], 100, 0);
            char text[40];
            struct bed b;

            msg.lanes = 0;
            begin(&b, "skl-gt2");
            (void)snprintf(text, sizeof(text), "%s=%u", key[k], latency);
            set(&b, text);
            create(&b);
            assert_int_equal(time_of(&b, msg), b.config.dp_in_latency + latency +
                                                   b.config.dp_out_latency);
            assert_int_equal(b.counted.mem_others_answered, 1);
            mem_destroy(b.mem);
        }
}

static void a_slice_writes_pixels_at_its_rate(void **unused)
{
    struct mem_msg msg[9];
    struct bed b;

    (void)unused;
    begin(&b, "kbl-gt3e");
    set(&b, "rt.pixels=4");
    set(&b, "rt.blend=2");
    create(&b);
    for (uint32_t k = 0; k < 9; k++) {
        msg[k] = message(MEM_TARGET, 100 + k / 3, 16);
        msg[k].subslice = (uint8_t)(k % 3); /* of the first slice */
    }
    assert_int_equal(spread(&b, msg, 9), 8 * 4);
    for (uint32_t k = 0; k < 9; k++) {
        msg[k].cycle += 10000;
        msg[k].target.read = 1; /* before */
    }
    assert_int_equal(spread(&b, msg, 9), 8 * 8);
    for (uint32_t k = 0; k < 2; k++) { /* the other slice has its own */
        msg[k] = message(MEM_TARGET, 30000, 16);
        msg[k].subslice = (uint8_t)(3 * k);
    }
    assert_int_equal(spread(&b, msg, 2), 0);
    mem_destroy(b.mem);
}

static void without_a_cache_lines_of_pixels_go_to_the_l3(void **unused)
{
    struct mem_msg msg;
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    set(&b, "rt.cache_bytes=0");
    create(&b);
    msg = lines(MEM_TARGET, 100, 1000, 3);
    msg.target.read = 0;
    run(&b, &msg, 1);
    assert_int_equal(b.counted.l3_writes, 3);
    assert_int_equal(b.counted.l3_fetches, 0);
    msg = lines(MEM_TARGET, 10000, 2000, 3);
    msg.target.read = 8;
    run(&b, &msg, 1);
    assert_int_equal(b.counted.l3_atomics, 3); /* read and written */
    assert_int_equal(b.counted.l3_fetches, 3);
    mem_destroy(b.mem);
}

static void written_pixels_stay_in_their_cache(void **unused)
{
    struct mem_msg msg;
    uint64_t first;
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    create(&b);
    msg = lines(MEM_TARGET, 100, 1000, 3);
    msg.target.read = 0;
    first = time_of(&b, msg);
    assert_int_equal(b.counted.rt_misses, 3); /* without a fetch.. */
    assert_int_equal(b.counted.l3_accesses, 0);
    /* ..a line a cycle */
    assert_int_equal(first, b.config.dp_in_latency + 3 + b.config.dp_empty_latency +
                                b.config.dp_out_latency);
    msg.cycle = 10000;
    msg.target.read = 8; /* read as well: they are there */
    assert_int_equal(time_of(&b, msg), first);
    assert_int_equal(b.counted.rt_hits, 3);
    assert_int_equal(b.counted.l3_accesses, 0);
    mem_launch(b.mem, false);
    assert_int_equal(mem_stats(b.mem)->rt_flushed, 3);
    msg.cycle = 20000; /* the L3 has them, the cache is empty */
    assert_true(time_of(&b, msg) > first);
    assert_int_equal(b.counted.rt_misses, 3);
    assert_int_equal(b.counted.l3_hits, 3);
    assert_int_equal(b.counted.l3_fetches, 0);
    mem_destroy(b.mem);
}

static void pixels_on_their_way_are_asked_for_once(void **unused)
{
    struct mem_msg msg[3];
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    create(&b);
    for (uint32_t k = 0; k < 3; k++) {
        msg[k] = lines(MEM_TARGET, 100 + k, 1000, 4);
        msg[k].subslice = (uint8_t)k;
        msg[k].target.written = k == 2 ? 0 : 8; /* the last one only reads them */
        msg[k].target.read = 8;
    }
    run(&b, msg, 3);
    assert_int_equal(b.counted.rt_misses, 4);
    assert_int_equal(b.counted.rt_merged, 8);
    assert_int_equal(b.counted.l3_reads, 4);
    assert_int_equal(b.counted.l3_fetches, 4);
    mem_launch(b.mem, false);
    assert_int_equal(mem_stats(b.mem)->rt_flushed, 4);
    msg[0] = lines(MEM_TARGET, 10000, 2000, 2);
    msg[0].target.read = 8;
    msg[0].addr[1] = msg[0].addr[0]; /* the same line twice */
    run(&b, msg, 1);
    assert_int_equal(b.counted.rt_merged, 1);
    assert_int_equal(b.counted.l3_reads, 1);
    mem_destroy(b.mem);
}

/* Lines of one set: the one that was used longest ago leaves, if it was written. */
static void full_sets_push_out_what_was_written(void **unused)
{
    enum { SETS = 4, WAYS = 2 };
    struct mem_msg msg[3];
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    set(&b, "rt.cache_bytes=512");
    set(&b, "rt.cache_ways=2");
    create(&b);
    for (uint32_t k = 0; k < 3; k++) {
        msg[k] = lines(MEM_TARGET, 10000 * (k + 1), 1000 + k * SETS, 1);
        msg[k].target.written = k == 0 ? 0 : 8;
        msg[k].target.read = k == 0 ? 8 : 0;
    }
    run(&b, msg, 1); /* read: it is clean */
    assert_int_equal(b.counted.l3_reads, 1);
    run(&b, msg + 1, WAYS);
    assert_int_equal(b.counted.rt_writebacks, 0);
    msg[0].cycle = 50000;
    run(&b, msg, 1);
    assert_int_equal(b.counted.rt_writebacks, 1);
    assert_int_equal(b.counted.l3_writes, 1);
    assert_int_equal(b.counted.l3_reads, 1);
    mem_destroy(b.mem);
}

/* Lines 1008 and 1016 are a pair. */
static struct mem_msg pair(uint8_t op, uint64_t cycle, uint8_t how)
{
    struct mem_msg msg = lines(op, cycle, 1008, 2);

    msg.addr[1] = 1016 * 64;
    msg.how[0] = msg.how[1] = how;
    return msg;
}

static void a_packed_pair_is_read_as_one_line(void **unused)
{
    struct mem_msg msg;
    struct bed b;

    (void)unused;
    for (uint64_t on = 0; on < 2; on++) {
        begin(&b, "skl-gt2");
        set(&b, on ? "ff.ccs=1" : "ff.ccs=0");
        create(&b);
        msg = pair(MEM_TEXTURE, 100, MEM_LINE_PACKED);
        run(&b, &msg, 1);
        assert_int_equal(b.counted.tex_packed, 2 * on);
        assert_int_equal(b.counted.tex_l2_misses, 2 - on);
        assert_int_equal(b.counted.l3_fetches, 2 - on);
        msg = pair(MEM_TARGET, 10000, MEM_LINE_PACKED);
        msg.target.read = 8; /* read before: both lines ask for it, it is one below */
        run(&b, &msg, 1);
        assert_int_equal(b.counted.rt_misses, 2);
        assert_int_equal(b.counted.l3_hits, 2);
        assert_int_equal(b.counted.l3_fetches, 0);
        mem_destroy(b.mem);
    }
}

static void a_packed_pair_is_written_as_one_line(void **unused)
{
    struct mem_msg msg;
    struct bed b;

    (void)unused;
    for (uint64_t on = 0; on < 2; on++) {
        begin(&b, "skl-gt2");
        set(&b, on ? "ff.ccs=1" : "ff.ccs=0");
        create(&b);
        msg = pair(MEM_TARGET, 100, MEM_LINE_PACKS);
        msg.target.read = 0;
        run(&b, &msg, 1);
        mem_launch(b.mem, false);
        assert_int_equal(mem_stats(b.mem)->rt_flushed, 2 - on);
        assert_int_equal(mem_stats(b.mem)->rt_packed, on);
        assert_int_equal(mem_stats(b.mem)->rt_spared, on);
        msg.cycle = 10000;
        run(&b, &msg, 1);
        msg = pair(MEM_TARGET, 20000, 0); /* what is written last decides, for both */
        msg.lanes--;
        msg.target.read = 0;
        run(&b, &msg, 1);
        mem_launch(b.mem, false);
        assert_int_equal(mem_stats(b.mem)->rt_flushed, 4 - on);
        assert_int_equal(mem_stats(b.mem)->rt_packed, on);
        mem_destroy(b.mem);
    }
}

/* Pushed out by lines of its set, with its partner, which is in another one. */
static void a_packed_pair_is_pushed_out_as_one_line(void **unused)
{
    enum { SETS = 16, WAYS = 2 };
    struct mem_msg msg[WAYS];
    struct bed b;

    (void)unused;
    begin(&b, "skl-gt2");
    set(&b, "rt.cache_bytes=2048");
    set(&b, "rt.cache_ways=2");
    create(&b);
    msg[0] = pair(MEM_TARGET, 100, MEM_LINE_PACKS);
    msg[0].target.read = 0;
    run(&b, msg, 1);
    for (uint32_t k = 0; k < WAYS; k++) {
        msg[k] = lines(MEM_TARGET, 10000 * (k + 1), 1008 + (k + 1) * SETS, 1);
        msg[k].target.written = 0; /* they are only read */
        msg[k].target.read = 8;
    }
    run(&b, msg, WAYS);
    assert_int_equal(b.counted.rt_writebacks, 1);
    assert_int_equal(b.counted.rt_spared, 1);
    assert_int_equal(b.counted.l3_writes, 1);
    mem_launch(b.mem, false); /* line 1016 has nothing to write any more */
    assert_int_equal(mem_stats(b.mem)->rt_flushed, 0);
    mem_destroy(b.mem);
}

static void sizes_of_caches_are_checked(void **unused)
{
    struct igpu_config config;
    struct mem_system *mem;
    struct igpu_err err;

    (void)unused;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(igpu_config_set(&config, "tex.l1_bytes=1000", &err), IGPU_OK);
    assert_int_equal(mem_create(&mem, &config, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "tex.l1_bytes"));
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(igpu_config_set(&config, "rt.cache_bytes=1000", &err), IGPU_OK);
    assert_int_equal(mem_create(&mem, &config, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "rt.cache_bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sampler_filters_at_its_rate),
        cmocka_unit_test(a_samplers_time_is_counted_cycle_by_cycle),
        cmocka_unit_test(texels_come_from_the_nearest_cache),
        cmocka_unit_test(a_line_on_its_way_is_asked_for_once),
        cmocka_unit_test(no_message_begins_while_too_many_lines_are_on_their_way),
        cmocka_unit_test(a_sampler_forgets_when_it_is_told),
        cmocka_unit_test(a_flush_empties_its_subslices_caches),
        cmocka_unit_test(timers_and_the_pixel_interpolator_take_their_time),
        cmocka_unit_test(a_slice_writes_pixels_at_its_rate),
        cmocka_unit_test(without_a_cache_lines_of_pixels_go_to_the_l3),
        cmocka_unit_test(written_pixels_stay_in_their_cache),
        cmocka_unit_test(pixels_on_their_way_are_asked_for_once),
        cmocka_unit_test(full_sets_push_out_what_was_written),
        cmocka_unit_test(a_packed_pair_is_read_as_one_line),
        cmocka_unit_test(a_packed_pair_is_written_as_one_line),
        cmocka_unit_test(a_packed_pair_is_pushed_out_as_one_line),
        cmocka_unit_test(sizes_of_caches_are_checked)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
