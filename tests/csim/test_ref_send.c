/* test_ref_send.c - messages of the C reference: payload, queue, send arbiter,
 * credits, response port; docs/contract/model.md sections 4.3 to 4.7. Each case asks
 * for the exact cycle: legal at t, and not at t - 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ref_rig.h"

enum { NONE = 128, FAR = 4000 };

static uint64_t first(const struct rig *r)
{
    return r->config.disp_start_latency + 3;
}

static void a_message_is_granted_when_its_payload_was_read(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    r->config.eu_send_grf = 2;
    RIG_PATH(r, 0, rig_add(r, rig_send(5, 4, 0, 0)));
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(r->msgs, 1);
    assert_int_equal(r->msg[0].cycle, first(r) + 4 * 2);
    rig_free(r);
}

static void send_is_occupied_while_a_payload_is_read(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    RIG_PATH(r, 0, rig_add(r, rig_send(5, 9, 0, 0)));
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 1, 0), first(r) + 9);
    assert_int_equal(r->msg[1].cycle, first(r) + 9 + 9);
    rig_free(r);
}

static void end_of_thread_occupies_send_and_makes_no_message(void **state)
{
    struct rig *r = rig_new();
    const uint32_t nothing[] = {RIG_END};

    (void)state;
    r->uop[0].payload = 6;
    rig_path(r, 0, nothing);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_end(r, 0), first(r));
    assert_int_equal(rig_end(r, 1), first(r) + 6);
    assert_int_equal(r->msgs, 0);
    rig_free(r);
}

/* One thread with `n` stores, one credit in the subslice. */
static struct rig *stores(uint32_t n, uint64_t credits, uint32_t *store)
{
    struct rig *r = rig_new();
    uint32_t steps[RIG_STEPS], i = 0;

    r->config.dp_queue = credits;
    *store = rig_add(r, rig_send(5, 1, 0, 0));
    for (; i < n; i++)
        steps[i] = *store;
    steps[i] = RIG_END;
    rig_path(r, 0, steps);
    rig_start(r, 1);
    return r;
}

static void the_send_queue_holds_four_messages(void **state)
{
    uint32_t store;
    struct rig *r = stores(6, 1, &store);

    (void)state;
    rig_run(r, 200);
    /* The first is granted, four wait for its credit, the sixth for room. */
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(rig_cycle(r, 0, i), first(r) + 2 * i);
    assert_int_equal(rig_cycle(r, 0, 5), HOST_NEVER);
    rig_done(r, 210, 0, 0, store, true, false);
    rig_run(r, 300);
    /* Credit usable at 211, room seen at 212. */
    assert_int_equal(r->msg[1].cycle, 211);
    assert_int_equal(rig_cycle(r, 0, 5), 212);
    assert_int_equal(r->msgs, 2);
    rig_free(r);
}

static void end_of_thread_needs_room_in_the_queue(void **state)
{
    uint32_t store;
    struct rig *r = stores(5, 1, &store);

    (void)state;
    rig_run(r, 200);
    assert_int_equal(rig_end(r, 0), HOST_NEVER);
    rig_done(r, 210, 0, 0, store, true, false);
    rig_run(r, 300);
    assert_int_equal(rig_end(r, 0), 212);
    rig_free(r);
}

static void as_many_messages_are_out_as_there_are_credits(void **state)
{
    uint32_t store;
    struct rig *r = stores(6, 3, &store);

    (void)state;
    rig_run(r, 200);
    assert_int_equal(r->msgs, 3);
    rig_done(r, 250, 0, 0, store, true, false);
    rig_done(r, 251, 0, 0, store, true, false);
    rig_run(r, 300);
    assert_int_equal(r->msgs, 5);
    assert_int_equal(r->msg[3].cycle, 251);
    assert_int_equal(r->msg[4].cycle, 252);
    rig_free(r);
}

static void a_barrier_message_needs_no_credit(void **state)
{
    struct rig *r = rig_new();
    uint32_t store = rig_add(r, rig_send(5, 1, 0, 0));
    uint32_t gate = rig_add(r, rig_gate());

    (void)state;
    r->config.dp_queue = 1;
    RIG_PATH(r, 0, store, gate);
    rig_start(r, 1);
    rig_run(r, 200);
    assert_int_equal(r->msgs, 2);
    assert_int_equal(r->msg[1].uop, gate);
    assert_int_equal(r->msg[1].cycle, first(r) + 3);
    rig_free(r);
}

static void but_it_stays_behind_a_message_that_waits_for_one(void **state)
{
    struct rig *r = rig_new();
    uint32_t store = rig_add(r, rig_send(5, 1, 0, 0));
    uint32_t gate = rig_add(r, rig_gate());

    (void)state;
    r->config.dp_queue = 1;
    RIG_PATH(r, 0, store, store, gate);
    rig_start(r, 1);
    rig_run(r, 200);
    assert_int_equal(r->msgs, 1);
    rig_done(r, 200, 0, 0, store, true, false);
    rig_run(r, 300);
    assert_int_equal(r->msg[1].cycle, 201);
    assert_int_equal(r->msg[2].cycle, 202);
    assert_int_equal(r->msg[2].uop, gate);
    rig_free(r);
}

static void eight_eus_take_turns_at_the_arbiter(void **state)
{
    struct rig *r = rig_new();
    uint32_t store;

    (void)state;
    r->config.eu_count = 8;
    r->config.dp_queue = 1;
    store = rig_add(r, rig_send(5, 1, 0, 0));
    RIG_PATH(r, 0, store, store, store);
    rig_start(r, 8);
    rig_run(r, 200);
    for (uint64_t i = 0; i < 20; i++) {
        rig_done(r, 200 + 10 * i, 0, 0, store, true, false);
        rig_run(r, 210 + 10 * i);
    }
    assert_int_equal(r->msgs, 21);
    for (uint32_t i = 0; i < 21; i++)
        assert_int_equal(r->msg[i].eu, i % 8);
    rig_free(r);
}

static void the_arbiter_grants_one_message_a_cycle(void **state)
{
    struct rig *r = rig_new();
    uint32_t big, small;

    (void)state;
    /* EU 1 starts a cycle later with a payload that is a GRF shorter. */
    r->config.eu_count = 2;
    big = rig_add(r, rig_send(5, 4, 0, 0));
    small = rig_add(r, rig_send(5, 3, 0, 0));
    RIG_PATH(r, 0, big);
    RIG_PATH(r, 1, small);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(r->msg[0].cycle, first(r) + 4);
    assert_int_equal(r->msg[0].eu, 0);
    assert_int_equal(r->msg[1].cycle, first(r) + 5);
    assert_int_equal(r->msg[1].eu, 1);
    rig_free(r);
}

/* ---- responses ---- */

static void a_response_is_written_a_grf_a_cycle(void **state)
{
    struct rig *r = rig_new();
    uint32_t load = rig_add(r, rig_send(5, 1, 10, 4));

    (void)state;
    r->config.eu_resp_grf = 3;
    RIG_PATH(r, 0, load, rig_add(r, rig_fpu(UOP_ALU32, 13, 20, 1)));
    rig_start(r, 1);
    rig_run(r, 100);
    rig_done(r, 150, 0, 0, load, true, true);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), 150 + 4 * 3);
    rig_free(r);
}

static void responses_share_one_port_in_order_of_arrival(void **state)
{
    struct rig *r = rig_new();
    uint32_t load = rig_add(r, rig_send(5, 1, 10, 6));
    uint32_t use = rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1));

    (void)state;
    RIG_PATH(r, 0, load, use);
    rig_start(r, 3);
    rig_run(r, 100);
    rig_done(r, 150, 0, 1, load, true, true);
    rig_done(r, 152, 0, 0, load, true, true);
    rig_done(r, 180, 0, 2, load, true, true);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 1, 1), 156);
    assert_int_equal(rig_cycle(r, 0, 1), 162);
    assert_int_equal(rig_cycle(r, 2, 1), 186);
    rig_free(r);
}

static void a_notification_takes_the_port_for_one_grf(void **state)
{
    struct rig *r = rig_new();
    uint32_t gate = rig_add(r, rig_gate());
    uint32_t wait = rig_add(r, rig_branch(UOP_NOP, UOP_X_N0));

    (void)state;
    r->config.eu_resp_grf = 5;
    RIG_PATH(r, 0, gate, wait);
    rig_start(r, 1);
    rig_run(r, 100);
    assert_int_equal(rig_cycle(r, 0, 1), HOST_NEVER);
    rig_done(r, 150, 0, 0, gate, false, true);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), 155);
    rig_free(r);
}

static void other_registers_do_not_wait_for_a_response(void **state)
{
    struct rig *r = rig_new();
    uint32_t load = rig_add(r, rig_send(5, 1, 10, 4));

    (void)state;
    RIG_PATH(r, 0, load, rig_add(r, rig_fpu(UOP_ALU32, 14, 20, 1)),
             rig_add(r, rig_fpu(UOP_ALU32, NONE, 11, 1)));
    rig_start(r, 1);
    rig_run(r, 100);
    assert_int_equal(rig_cycle(r, 0, 1), first(r) + 2);
    assert_int_equal(rig_cycle(r, 0, 2), HOST_NEVER);
    rig_done(r, 130, 0, 0, load, true, true);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 2), 134);
    rig_free(r);
}

static void an_instruction_waits_for_the_last_of_its_responses(void **state)
{
    struct rig *r = rig_new();
    uint32_t a = rig_add(r, rig_send(5, 1, 10, 1));
    uint32_t b = rig_add(r, rig_send(5, 1, 11, 1));
    struct uop both = rig_fpu(UOP_ALU32, 10, 11, 1);

    (void)state;
    RIG_PATH(r, 0, a, b, rig_add(r, both));
    rig_start(r, 1);
    rig_run(r, 100);
    rig_done(r, 110, 0, 0, b, true, true);
    rig_run(r, 200);
    assert_int_equal(rig_cycle(r, 0, 2), HOST_NEVER);
    rig_done(r, 230, 0, 0, a, true, true);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 2), 231);
    rig_free(r);
}

static void next_event_names_a_far_response(void **state)
{
    struct rig *r = rig_new();
    uint32_t load = rig_add(r, rig_send(5, 1, 10, 1));
    uint64_t cycle;

    (void)state;
    RIG_PATH(r, 0, load, rig_add(r, rig_fpu(UOP_ALU32, 10, 11, 1)));
    rig_start(r, 1);
    rig_run(r, 100);
    assert_true(r->ops->next_event(r->gpu) == HOST_NEVER);
    rig_done(r, 1000, 0, 0, load, true, true);
    while ((cycle = r->ops->next_event(r->gpu)) < 1001) {
        (r->ops->skip)(r->gpu, cycle);
        rig_run(r, cycle + 1);
        assert_int_equal(rig_cycle(r, 0, 1), HOST_NEVER);
    }
    assert_int_equal(cycle, 1001);
    (r->ops->skip)(r->gpu, cycle);
    rig_run(r, cycle + 1);
    assert_int_equal(rig_cycle(r, 0, 1), 1001);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_granted_when_its_payload_was_read),
        cmocka_unit_test(send_is_occupied_while_a_payload_is_read),
        cmocka_unit_test(end_of_thread_occupies_send_and_makes_no_message),
        cmocka_unit_test(the_send_queue_holds_four_messages),
        cmocka_unit_test(end_of_thread_needs_room_in_the_queue),
        cmocka_unit_test(as_many_messages_are_out_as_there_are_credits),
        cmocka_unit_test(a_barrier_message_needs_no_credit),
        cmocka_unit_test(but_it_stays_behind_a_message_that_waits_for_one),
        cmocka_unit_test(eight_eus_take_turns_at_the_arbiter),
        cmocka_unit_test(the_arbiter_grants_one_message_a_cycle),
        cmocka_unit_test(a_response_is_written_a_grf_a_cycle),
        cmocka_unit_test(responses_share_one_port_in_order_of_arrival),
        cmocka_unit_test(a_notification_takes_the_port_for_one_grf),
        cmocka_unit_test(other_registers_do_not_wait_for_a_response),
        cmocka_unit_test(an_instruction_waits_for_the_last_of_its_responses),
        cmocka_unit_test(next_event_names_a_far_response),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
