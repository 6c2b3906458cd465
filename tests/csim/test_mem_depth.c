/* test_mem_depth.c - lines of depth and stencil tests:
 * docs/contract/fixed-functions.md, "Depth and stencil", to the cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"

enum { MOST = 130, BOTH = MEM_DEPTH_READ | MEM_DEPTH_WRITTEN };

struct bed {
    struct igpu_config config;
    struct mem_system *mem;
    uint64_t now;             /* of the next launch */
    struct mem_stats counted; /* by the last one */
    struct mem_done done[MOST];
    uint64_t quiet; /* cycles behind its last answer until it is over */
};

static void begin(struct bed *b, const char *const *set)
{
    struct igpu_err err;

    assert_int_equal(igpu_config_preset(&b->config, "skl-gt2", NULL), IGPU_OK);
    for (; *set != NULL; set++)
        if (igpu_config_set(&b->config, *set, &err) != IGPU_OK)
            fail_msg("%s", err.text);
    assert_int_equal(mem_create(&b->mem, &b->config, NULL), IGPU_OK);
    b->now = 1000;
}

static struct mem_graphics thread(uint64_t page, uint64_t lines, uint8_t how)
{
    struct mem_graphics t = {.pixel = true, .runs = lines != 0};

    t.depth[0] = (struct mem_depth){page * MEM_DEPTH_PAGE, lines, how};
    return t;
}

static struct mem_msg payload(uint64_t cycle, uint8_t slot)
{
    struct mem_msg msg = {.cycle = cycle, .op = MEM_PAYLOAD, .rlen = 2, .slot = slot};

    msg.wb = msg.credit = true;
    msg.bytes = 4;
    return msg;
}

/* A launch of threads in slots 0, 1..., one EU, whose payloads are asked for at once;
 * when the last of these came, from its first cycle on. */
static uint64_t launch(struct bed *b, const struct mem_graphics *t, uint32_t count)
{
    struct mem_stats before = *mem_stats(b->mem);
    uint64_t start = b->now, last = 0;
    struct mem_drain drain;
    struct mem_msg msg[MOST];
    struct igpu_err err;

    mem_launch(b->mem, false);
    for (uint32_t i = 0; i < count; i++) {
        mem_graphics_begin(b->mem, 0, 0, (uint8_t)i, start, start, &t[i]);
        msg[i] = payload(start + i, (uint8_t)i);
    }
    drive_messages(b->mem, &b->config, msg, count, b->done);
    for (uint32_t i = 0; i < count; i++)
        last = b->done[i].cycle > last ? b->done[i].cycle : last;
    for (b->now = last; !mem_drained(b->mem, &drain); b->now += 10)
        mem_run(b->mem, b->now + 10);
    assert_true(mem_idle(b->mem));
    assert_true(drain.quiet >= b->now); /* which came in steps of 10 */
    b->quiet = drain.quiet - last;
    b->now = drain.quiet + 1000;
    for (uint32_t i = 0; i < count; i++)
        mem_graphics_end(b->mem, 0, 0, (uint8_t)i, b->now);
    b->counted = *mem_stats(b->mem);
    mem_stats_sub(&b->counted, &before);
    if (mem_check(b->mem, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    return last - start;
}

static const char *const as_is[] = {NULL};

static void a_payload_waits_until_its_lines_are_looked_up(void **unused)
{
    static const char *const quick[] = {"ff.latency=0", NULL};
    struct mem_graphics t[2] = {thread(7, 0, BOTH), thread(7, UINT64_MAX, BOTH)};
    struct bed b;
    uint64_t without, with;

    (void)unused;
    begin(&b, quick);
    t[0].work[MEM_WORK_TESTS] = t[1].work[MEM_WORK_TESTS] = 1600;
    without = launch(&b, &t[0], 1);
    assert_int_equal(b.counted.ds_lines, 0);
    t[1].depth[0].lines = 0xFF; /* eight, of which the first is looked up at once */
    with = launch(&b, &t[1], 1);
    assert_int_equal(with, without + 7);
    assert_int_equal(b.counted.ds_misses, 8);
    assert_int_equal(b.counted.l3_reads, 8);
    mem_destroy(b.mem);
}

static void a_line_is_fetched_only_to_be_read(void **unused)
{
    struct mem_graphics t[3] = {thread(1, 1, MEM_DEPTH_WRITTEN),
                                thread(2, 1, MEM_DEPTH_READ), thread(3, 1, BOTH)};
    struct bed b;

    (void)unused;
    begin(&b, as_is);
    (void)launch(&b, t, 3);
    assert_int_equal(b.counted.ds_misses, 3);
    assert_int_equal(b.counted.l3_reads, 2);
    assert_int_equal(b.counted.l3_writes, 0);
    (void)launch(&b, t, 1); /* has what was written flushed */
    assert_int_equal(b.counted.ds_flushed, 2);
    mem_destroy(b.mem);
}

static void a_line_that_is_there_is_not_asked_for_again(void **unused)
{
    struct mem_graphics t[3] = {thread(1, 3, BOTH), thread(1, 3, MEM_DEPTH_READ),
                                thread(1, 2, MEM_DEPTH_READ)};
    struct bed b;

    (void)unused;
    begin(&b, as_is);
    t[2].work[MEM_WORK_TESTS] = 16 * 100000; /* long behind the others */
    (void)launch(&b, t, 3);
    assert_int_equal(b.counted.ds_lines, 5);
    assert_int_equal(b.counted.ds_misses, 2);
    assert_int_equal(b.counted.ds_merged, 2);
    assert_int_equal(b.counted.ds_hits, 1);
    assert_int_equal(b.counted.l3_reads, 2);
    mem_destroy(b.mem);
}

static void a_full_set_pushes_out_what_was_written(void **unused)
{
    static const char *const small[] = {"ds.cache_bytes=256", "ds.cache_ways=4", NULL};
    struct mem_graphics t[2] = {thread(1, 0x1F, MEM_DEPTH_WRITTEN),
                                thread(2, 1, MEM_DEPTH_READ)};
    struct bed b;

    (void)unused;
    begin(&b, small);
    (void)launch(&b, t, 1);
    assert_int_equal(b.counted.ds_writebacks, 1); /* five lines in four ways */
    assert_int_equal(b.counted.l3_writes, 1);
    (void)launch(&b, &t[1], 1);
    assert_int_equal(b.counted.ds_flushed, 4);
    assert_int_equal(b.counted.ds_writebacks, 0);
    mem_destroy(b.mem);
}

/* Of a set whose lines are all on their way the next one waits for the first. */
static void a_set_on_its_way_holds_the_next_line_up(void **unused)
{
    static const char *const one[] = {"ds.cache_bytes=64", "ds.cache_ways=1",
                                      "ff.latency=0", NULL};
    struct mem_graphics t = thread(1, 7, MEM_DEPTH_READ);
    struct bed b;
    uint64_t two, three;

    (void)unused;
    begin(&b, one);
    (void)launch(&b, &t, 1); /* brings all lines to the L3 */
    t = thread(1, 3, MEM_DEPTH_READ);
    two = launch(&b, &t, 1);
    t = thread(1, 7, MEM_DEPTH_READ);
    three = launch(&b, &t, 1);
    assert_true(three >= two + b.config.l3_request_latency + b.config.l3_latency);
    mem_destroy(b.mem);
}

static void what_is_modified_makes_a_launch_longer(void **unused)
{
    struct mem_graphics t[2] = {thread(1, UINT64_MAX, BOTH),
                                thread(1, UINT64_MAX, MEM_DEPTH_READ)};
    struct bed b;
    uint64_t written, read;

    (void)unused;
    begin(&b, as_is);
    (void)launch(&b, &t[1], 1); /* the L3 has them */
    (void)launch(&b, &t[0], 1);
    written = b.quiet;
    (void)launch(&b, &t[1], 1);
    read = b.quiet;
    assert_int_equal(written, read + 64);
    mem_destroy(b.mem);
}

static void without_a_cache_there_are_no_lines(void **unused)
{
    static const char *const none[] = {"ds.cache_bytes=0", NULL};
    struct mem_graphics t[2] = {thread(7, UINT64_MAX, BOTH), thread(0, 0, 0)};
    struct bed b;
    uint64_t with;

    (void)unused;
    begin(&b, none);
    with = launch(&b, &t[0], 1);
    assert_int_equal(b.counted.ds_lines, 0);
    assert_int_equal(b.counted.l3_accesses, 0);
    assert_int_equal(launch(&b, &t[1], 1), with);
    mem_destroy(b.mem);
}

static struct mem_msg late(uint64_t cycle, uint64_t line, uint8_t how)
{
    struct mem_msg msg = {.cycle = cycle, .op = MEM_TARGET, .lanes = 1};

    msg.credit = true;
    msg.bytes = 64;
    msg.target.written = 1;
    msg.addr[0] = line * 64;
    msg.how[0] = how;
    return msg;
}

/* Notes take no cycle of the lines' look-ups, but are fetched, and held up, as these.
 */
static void notes_are_looked_up_beside_lines(void **unused)
{
    static const char *const quick[] = {"ff.latency=0", "ff.hiz_blocks=1", NULL};
    struct mem_graphics t = thread(7, 0, 0);
    struct bed b;
    uint64_t lines, notes, none;

    (void)unused;
    begin(&b, quick);
    t.work[MEM_WORK_HIZ] = 1000;
    none = launch(&b, &t, 1);
    assert_int_equal(b.counted.ff_hiz_cycles, 1000);
    t.runs = 2;
    t.depth[0] = (struct mem_depth){8 * MEM_DEPTH_PAGE, 0xFFFF, BOTH + MEM_DEPTH_NOTE};
    t.depth[1] = (struct mem_depth){7 * MEM_DEPTH_PAGE, 0xFF, BOTH};
    notes = launch(&b, &t, 1);
    assert_int_equal(notes, none + 7); /* the eight lines */
    assert_int_equal(b.counted.ds_lines, 24);
    assert_int_equal(b.counted.ds_notes, 16);
    assert_int_equal(b.counted.ds_misses, 24);
    assert_int_equal(b.counted.l3_reads, 24);
    t.depth[0].how = BOTH;
    lines = launch(&b, &t, 1);
    assert_int_equal(lines, notes + 16);
    assert_int_equal(b.counted.ds_notes, 0);
    mem_destroy(b.mem);
}

static void late_tests_touch_lines_that_nobody_waits_for(void **unused)
{
    struct mem_msg msg[MOST];
    struct bed b;
    uint64_t plain;

    (void)unused;
    begin(&b, as_is);
    msg[0] = late(b.now, 5, BOTH);
    msg[0].lanes = 0;
    drive_messages(b.mem, &b.config, msg, 1, b.done);
    plain = b.done[0].cycle - b.now;
    msg[0] = late(b.now + 5000, 5, BOTH);
    drive_messages(b.mem, &b.config, msg, 1, b.done);
    assert_int_equal(b.done[0].cycle - msg[0].cycle, plain);
    assert_int_equal(mem_stats(b.mem)->ds_misses, 1);
    assert_int_equal(mem_stats(b.mem)->rt_lines, 0);
    for (uint32_t i = 0; i < MOST; i++) /* more than wait for it at a time */
        msg[i] = late(b.now + 10000 * (1 + i / 60) + i, 1000 + 64 * i, BOTH);
    for (uint32_t i = 0; i < MOST; i += 60)
        drive_messages(b.mem, &b.config, &msg[i], MOST - i < 60 ? MOST - i : 60,
                       b.done);
    assert_int_equal(mem_stats(b.mem)->ds_misses, 1 + MOST);
    mem_destroy(b.mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_payload_waits_until_its_lines_are_looked_up),
        cmocka_unit_test(a_line_is_fetched_only_to_be_read),
        cmocka_unit_test(a_line_that_is_there_is_not_asked_for_again),
        cmocka_unit_test(a_full_set_pushes_out_what_was_written),
        cmocka_unit_test(a_set_on_its_way_holds_the_next_line_up),
        cmocka_unit_test(what_is_modified_makes_a_launch_longer),
        cmocka_unit_test(without_a_cache_there_are_no_lines),
        cmocka_unit_test(notes_are_looked_up_beside_lines),
        cmocka_unit_test(late_tests_touch_lines_that_nobody_waits_for)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
