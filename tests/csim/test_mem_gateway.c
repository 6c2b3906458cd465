/* test_mem_gateway.c - barriers: complete when every thread that has not ended has
 * arrived; notifications in thread order, one a cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"

static struct igpu_config config;
static struct mem_system *mem;
static uint64_t now;

static void build(void)
{
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    now = 0;
}

static void over(void)
{
    assert_true(mem_idle(mem));
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    mem_destroy(mem);
}

static void arrive(uint64_t cycle, uint8_t subslice, uint8_t bslot, uint8_t eu,
                   uint8_t slot)
{
    struct mem_msg msg;

    memset(&msg, 0, sizeof(msg));
    msg.cycle = cycle;
    msg.subslice = subslice;
    msg.eu = eu;
    msg.slot = slot;
    msg.op = MEM_BARRIER;
    msg.bytes = 4;
    msg.bslot = bslot;
    msg.wb = true;
    msg.uop = 7;
    mem_send(mem, &msg);
}

/* Run to `cycle` and take at most `room` completions. */
static uint32_t run_to(uint64_t cycle, struct mem_done *done, uint32_t room)
{
    uint32_t n = 0;

    mem_run(mem, now = cycle);
    while (n < room && mem_take(mem, now + mem_min_latency(&config), &done[n]))
        n++;
    return n;
}

static uint64_t sum(void)
{
    return config.dp_in_latency + config.gw_latency + config.dp_out_latency;
}

static void the_last_arrival_completes_a_barrier(void **unused)
{
    struct mem_done done[8];

    (void)unused;
    build();
    mem_group_begin(mem, 1, 3, 4);
    arrive(10, 1, 3, 5, 0);
    arrive(11, 1, 3, 0, 6);
    arrive(12, 1, 3, 0, 2);
    assert_int_equal(run_to(500, done, 8), 0);
    assert_int_equal(mem_next_event(mem), UINT64_MAX);
    assert_false(mem_idle(mem));
    arrive(500, 1, 3, 7, 1);
    assert_int_equal(run_to(1000, done, 8), 4);
    for (uint32_t i = 0; i < 4; i++) {
        static const uint8_t eu[] = {0, 0, 5, 7}, slot[] = {2, 6, 0, 1};

        assert_int_equal(done[i].cycle, 500 + sum() + i);
        assert_int_equal(done[i].subslice, 1);
        assert_int_equal(done[i].eu, eu[i]);
        assert_int_equal(done[i].slot, slot[i]);
        assert_int_equal(done[i].uop, 7);
        assert_true(done[i].wb && !done[i].credit);
    }
    assert_int_equal(mem_stats(mem)->gw_barriers, 1);
    over();
}

static void an_ended_thread_is_not_waited_for(void **unused)
{
    struct mem_done done[8];

    (void)unused;
    build();
    mem_group_begin(mem, 0, 0, 3);
    arrive(1, 0, 0, 0, 0);
    mem_thread_end(mem, 0, 0, 20);
    assert_int_equal(run_to(100, done, 8), 0);
    arrive(101, 0, 0, 1, 0);
    /* Announced late and out of order: the end counts at its own time. */
    assert_int_equal(run_to(300, done, 8), 2);
    assert_int_equal(done[0].cycle, 101 + sum());
    /* An end completes a barrier: the same two threads, one of which ends. */
    arrive(400, 0, 0, 0, 0);
    assert_int_equal(run_to(450, done, 8), 0);
    mem_thread_end(mem, 0, 0, 460);
    assert_int_equal(run_to(600, done, 8), 1);
    assert_int_equal(done[0].cycle, 460 + sum());
    over();
}

static void events_of_one_cycle_commute(void **unused)
{
    struct mem_done done[8];

    (void)unused;
    for (int order = 0; order < 2; order++) {
        build();
        mem_group_begin(mem, 0, 0, 3);
        arrive(5, 0, 0, 0, 0);
        if (order == 0)
            mem_thread_end(mem, 0, 0, 6);
        arrive(6, 0, 0, 1, 0);
        if (order == 1)
            mem_thread_end(mem, 0, 0, 6);
        assert_int_equal(run_to(500, done, 8), 2);
        assert_int_equal(done[0].cycle, 6 + sum());
        over();
    }
}

static void a_slot_serves_one_group_after_the_other(void **unused)
{
    struct mem_done done[8];

    (void)unused;
    build();
    for (uint64_t group = 0; group < 5; group++) {
        uint64_t t = group * 1000;

        mem_group_begin(mem, 2, 15, 2);
        arrive(t + 1, 2, 15, 0, 0);
        arrive(t + 2, 2, 15, 0, 1);
        assert_int_equal(run_to(t + 500, done, 8), 2);
        mem_thread_end(mem, 2, 15, t + 990);
        mem_thread_end(mem, 2, 15, t + 980); /* the next begins before they are seen */
    }
    run_to(10000, done, 0);
    over();
}

static void groups_are_apart(void **unused)
{
    struct mem_done done[64];

    (void)unused;
    build();
    for (uint8_t b = 0; b < 16; b++)
        mem_group_begin(mem, b % 3, b, 2);
    for (uint8_t b = 0; b < 16; b++)
        arrive(1 + b, b % 3, b, 0, b % 7);
    assert_int_equal(run_to(500, done, 64), 0);
    for (uint8_t b = 0; b < 16; b++)
        arrive(500 + b, b % 3, b, 1, b % 7);
    assert_int_equal(run_to(1000, done, 64), 32);
    assert_int_equal(mem_stats(mem)->gw_barriers, 16);
    over();
}

static void a_full_subslice_is_told_one_a_cycle(void **unused)
{
    struct mem_done done[64];

    (void)unused;
    build();
    mem_group_begin(mem, 0, 1, 56);
    for (uint8_t i = 0; i < 56; i++)
        arrive(i, 0, 1, i % 8, i / 8);
    assert_int_equal(run_to(500, done, 64), 56);
    for (uint8_t i = 0; i < 56; i++) {
        assert_int_equal(done[i].cycle, 55 + sum() + i);
        assert_int_equal(done[i].eu * 7 + done[i].slot, i);
    }
    over();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_arrival_completes_a_barrier),
        cmocka_unit_test(an_ended_thread_is_not_waited_for),
        cmocka_unit_test(events_of_one_cycle_commute),
        cmocka_unit_test(a_slot_serves_one_group_after_the_other),
        cmocka_unit_test(groups_are_apart),
        cmocka_unit_test(a_full_subslice_is_told_one_a_cycle)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
