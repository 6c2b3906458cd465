/* test_ref_issue.c - fetch, scoreboard and FPUs of the C reference, sentence by
 * sentence of docs/contract/model.md sections 4.1 to 4.6 and 5. Each case asks for the
 * exact cycle: legal at t, and not at t - 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ref_rig.h"

enum { NONE = 128, FAR = 4000 };

/* Cycle of a lone thread's first issue: START, fetched 2 later, issued 3 later. */
static uint64_t first(const struct rig *r)
{
    return r->config.disp_start_latency + 3;
}

static void first_instruction_issues_three_cycles_after_start(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    RIG_PATH(r, 0, rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 1)));
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(r->open[0].cycle, r->config.disp_start_latency);
    assert_int_equal(rig_cycle(r, 0, 0), r->open[0].cycle + 3);
    rig_free(r);
}

/* Issue to issue of two instructions, the second of which reads the first's
 * result of kind `dst`. */
static uint64_t use_latency(unsigned cls, enum uop_dst dst, uint8_t grfs)
{
    struct rig *r = rig_new();
    struct uop a = rig_fpu(cls, NONE, dst == UOP_DST_GRF ? 10 : NONE, grfs);
    struct uop b = rig_fpu(UOP_ALU32, dst == UOP_DST_GRF ? 10 : NONE, 20, 1);
    uint64_t cycles;

    a.dst = (uint8_t)dst;
    if (dst != UOP_DST_GRF)
        b.need_x = a.need_x = a.set_x = dst == UOP_DST_ACC ? UOP_X_ACC : UOP_X_F1_1;
    RIG_PATH(r, 0, rig_add(r, a), rig_add(r, b));
    rig_start(r, 1);
    rig_run(r, FAR);
    cycles = rig_cycle(r, 0, 1) - rig_cycle(r, 0, 0);
    rig_free(r);
    return cycles;
}

static void dependent_instruction_issues_occ_plus_lat_after_its_source(void **state)
{
    (void)state;
    /* skl-gt2's values; occ per executed GRF + lat */
    assert_int_equal(use_latency(UOP_ALU32, UOP_DST_GRF, 2), 2 * 2 + 10);
    assert_int_equal(use_latency(UOP_ALU32, UOP_DST_GRF, 1), 2 + 10);
    assert_int_equal(use_latency(UOP_ALU32, UOP_DST_ACC, 2), 2 * 2 + 4);
    assert_int_equal(use_latency(UOP_ALU32, UOP_DST_FLAG, 2), 2 * 2 + 12);
    assert_int_equal(use_latency(UOP_ALU64, UOP_DST_GRF, 2), 2 * 4 + 12);
    assert_int_equal(use_latency(UOP_ALU64, UOP_DST_ACC, 4), 4 * 4 + 8);
    assert_int_equal(use_latency(UOP_ALU64, UOP_DST_FLAG, 1), 4 + 16);
    assert_int_equal(use_latency(UOP_DF, UOP_DST_GRF, 4), 4 * 2 + 12);
    assert_int_equal(use_latency(UOP_DF, UOP_DST_ACC, 1), 2 + 8);
    assert_int_equal(use_latency(UOP_DF, UOP_DST_FLAG, 1), 2 + 16);
    assert_int_equal(use_latency(UOP_MATH, UOP_DST_GRF, 2), 2 * 4 + 16);
    assert_int_equal(use_latency(UOP_MATH2, UOP_DST_GRF, 2), 2 * 8 + 24);
    assert_int_equal(use_latency(UOP_IDIV, UOP_DST_GRF, 1), 26 + 28);
    assert_int_equal(use_latency(UOP_DOT, UOP_DST_GRF, 2), 2 * 2 + 12);
    assert_int_equal(use_latency(UOP_LRP, UOP_DST_GRF, 2), 2 * 4 + 12);
}

static void classes_without_special_latencies_ignore_the_destination(void **state)
{
    (void)state;
    assert_int_equal(use_latency(UOP_MATH, UOP_DST_FLAG, 2), 2 * 4 + 16);
    assert_int_equal(use_latency(UOP_DOT, UOP_DST_ACC, 2), 2 * 2 + 12);
}

static void write_after_write_waits_like_a_read(void **state)
{
    struct rig *r = rig_new();
    uint32_t a = rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 1));

    (void)state;
    RIG_PATH(r, 0, a, a);
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), rig_cycle(r, 0, 0) + 2 + 10);
    rig_free(r);
}

/* Issue to issue of two independent instructions of one thread. */
static uint64_t front_end(struct uop a, uint64_t conflict)
{
    struct rig *r = rig_new();
    uint64_t cycles;

    r->config.eu_conflict_fe = conflict;
    RIG_PATH(r, 0, rig_add(r, a), rig_add(r, rig_branch(UOP_NOP, 0)));
    rig_start(r, 1);
    rig_run(r, FAR);
    cycles = rig_cycle(r, 0, 1) - rig_cycle(r, 0, 0);
    rig_free(r);
    return cycles;
}

static void front_end_holds_the_thread_for_fe_cycles(void **state)
{
    struct uop mad = rig_fpu(UOP_ALU32, NONE, 10, 2);

    (void)state;
    assert_int_equal(front_end(rig_fpu(UOP_ALU32, NONE, 10, 1), 1), 2);
    assert_int_equal(front_end(rig_fpu(UOP_ALU32, NONE, 10, 4), 1), 8);
    assert_int_equal(front_end(rig_fpu(UOP_ALU64, NONE, 10, 4), 1), 16);
    assert_int_equal(front_end(rig_fpu(UOP_MATH, NONE, 10, 2), 1), 8);
    mad.conflicts = 2;
    assert_int_equal(front_end(mad, 3), 2 * 2 + 2 * 3);
    assert_int_equal(front_end(rig_branch(UOP_CTRL, 0), 1), 8);
    assert_int_equal(front_end(rig_branch(UOP_NOP, 0), 1), 2);
}

static void
a_message_holds_its_thread_as_long_as_the_unit_but_two_at_least(void **state)
{
    (void)state;
    assert_int_equal(front_end(rig_send(5, 7, 0, 0), 1), 7);
    assert_int_equal(front_end(rig_send(5, 1, 0, 0), 1), 2);
}

static void occupancy_and_front_end_saturate_at_255(void **state)
{
    struct rig *r = rig_new();
    uint32_t a;

    (void)state;
    r->config.eu_idiv_occ = r->config.eu_idiv_fe = 63;
    r->config.eu_idiv_lat = 1;
    a = rig_add(r, rig_fpu(UOP_IDIV, NONE, 10, 8));
    RIG_PATH(r, 0, a, rig_add(r, rig_branch(UOP_NOP, 0)),
             rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1)));
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), first(r) + 255);
    assert_int_equal(rig_cycle(r, 0, 2), first(r) + 255 + 2);
    rig_free(r);
}

static void runs_never_delay_a_thread(void **state)
{
    uint64_t end[3];

    (void)state;
    for (uint32_t length = 0; length < 3; length++) {
        struct rig *r = rig_new();
        uint32_t a = rig_add(r, rig_branch(UOP_NOP, 0));

        for (unsigned i = 0; i < 8; i++)
            (void)rig_add(r, rig_branch(UOP_NOP, 0));
        RIG_PATH(r, 0, a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7);
        r->run_length = length;
        rig_start(r, 1);
        rig_run(r, FAR);
        end[length] = rig_end(r, 0);
        assert_int_equal(end[length], first(r) + 8 * 2);
        rig_free(r);
    }
    assert_int_equal(end[0], end[1]);
}

/* ---- two threads ---- */

/* Threads 0 and 1 first make r10, thread 1 one cycle later in half the
 * executed GRFs, so that both have it at the same cycle. */
static struct rig *aligned(uint32_t *make0, uint32_t *make1)
{
    struct rig *r = rig_new();

    r->config.eu_alu32_occ = 1;
    *make0 = rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 2));
    *make1 = rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 1));
    return r;
}

static void both_fpus_issue_in_one_cycle_from_two_threads(void **state)
{
    uint32_t make0, make1, use;
    struct rig *r = aligned(&make0, &make1);

    (void)state;
    use = rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1));
    RIG_PATH(r, 0, make0, use);
    RIG_PATH(r, 1, make1, use);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), first(r) + 2 + 10);
    assert_int_equal(rig_cycle(r, 1, 1), first(r) + 2 + 10);
    assert_true(rig_unit(r, 0, 1) + rig_unit(r, 1, 1) == 1);
    rig_free(r);
}

static void an_eu_fetches_one_instruction_a_cycle(void **state)
{
    uint32_t make0, make1, use, nop;
    struct rig *r = aligned(&make0, &make1);

    (void)state;
    use = rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1));
    nop = rig_add(r, rig_branch(UOP_NOP, 0));
    RIG_PATH(r, 0, make0, use, nop);
    RIG_PATH(r, 1, make1, use, nop);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 1), rig_cycle(r, 1, 1));
    /* Thread 0 was the last to be fetched for, so thread 1 comes first. */
    assert_int_equal(rig_cycle(r, 1, 2), rig_cycle(r, 0, 1) + 2);
    assert_int_equal(rig_cycle(r, 0, 2), rig_cycle(r, 0, 1) + 3);
    rig_free(r);
}

static void fpu1_takes_what_fpu0_left(void **state)
{
    uint32_t make0, make1, any, math;
    struct rig *r = aligned(&make0, &make1);

    (void)state;
    any = rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1));
    math = rig_add(r, rig_fpu(UOP_MATH, 10, 20, 1));
    RIG_PATH(r, 0, make0, any);
    RIG_PATH(r, 1, make1, math);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_unit(r, 0, 1), EU_FPU0);
    assert_int_equal(rig_unit(r, 1, 1), EU_FPU1);
    assert_int_equal(rig_cycle(r, 0, 1), rig_cycle(r, 1, 1));
    rig_free(r);
}

static void a_unit_is_occupied_for_occ_cycles(void **state)
{
    struct rig *r = rig_new();
    uint32_t math = rig_add(r, rig_fpu(UOP_MATH, NONE, 20, 2));

    (void)state;
    RIG_PATH(r, 0, math);
    RIG_PATH(r, 1, math);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 0), first(r));
    assert_int_equal(rig_cycle(r, 1, 0), first(r) + 2 * 4);
    rig_free(r);
}

static void an_fpu_completes_in_order(void **state)
{
    struct rig *r = rig_new();
    uint32_t slow = rig_add(r, rig_fpu(UOP_MATH2, NONE, 20, 1));
    uint32_t fast = rig_add(r, rig_fpu(UOP_DF, NONE, 10, 2));
    uint32_t use = rig_add(r, rig_fpu(UOP_ALU32, 10, 30, 1));

    (void)state;
    RIG_PATH(r, 0, slow);
    RIG_PATH(r, 1, fast, use);
    rig_start(r, 2);
    rig_run(r, FAR);
    /* slow: D = t + 8 + 24; fast, 8 later, would be there at 8 + 4 + 12. */
    assert_int_equal(rig_cycle(r, 1, 0), first(r) + 8);
    assert_int_equal(rig_cycle(r, 1, 1), first(r) + 32 + 4);
    rig_free(r);
}

static void the_other_fpu_does_not_wait_for_it(void **state)
{
    struct rig *r = rig_new();
    uint32_t slow = rig_add(r, rig_fpu(UOP_MATH2, NONE, 20, 1));
    uint32_t fast = rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 1));
    uint32_t use = rig_add(r, rig_fpu(UOP_ALU32, 10, 30, 1));

    (void)state;
    RIG_PATH(r, 0, slow);
    RIG_PATH(r, 1, fast, use);
    rig_start(r, 2);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 1, 1), first(r) + 1 + 2 + 10);
    rig_free(r);
}

static void sixteen_instructions_are_in_flight_in_an_fpu(void **state)
{
    struct rig *r = rig_new();
    uint32_t df[3];
    uint64_t seventeenth = HOST_NEVER;

    (void)state;
    r->config.eu_df_occ = 1;
    r->config.eu_df_fe = 1;
    r->config.eu_df_lat = 63;
    for (unsigned i = 0; i < 3; i++)
        df[i] = rig_add(r, rig_fpu(UOP_DF, NONE, 10 + i, 1));
    RIG_PATH(r, 0, df[0], df[1], df[2]);
    rig_start(r, 7);
    rig_run(r, FAR);
    /* One fetch a cycle feeds one issue a cycle, to the 16th. */
    assert_int_equal(r->issue[0].cycle, first(r));
    assert_true(r->issue[15].cycle < first(r) + 1 + 63);
    seventeenth = r->issue[16].cycle;
    assert_int_equal(r->issue[16].unit, EU_FPU1);
    assert_int_equal(seventeenth, first(r) + 1 + 63);
    rig_free(r);
}

static void
results_of_equal_instructions_come_as_fast_as_the_unit_takes_them(void **state)
{
    struct rig *r = rig_new();
    uint32_t idiv, small, use;

    (void)state;
    r->config.eu_idiv_occ = 63;
    r->config.eu_idiv_fe = 1;
    r->config.eu_df_occ = 1;
    idiv = rig_add(r, rig_fpu(UOP_IDIV, NONE, NONE, 8));
    small = rig_add(r, rig_fpu(UOP_DF, NONE, 10, 1));
    use = rig_add(r, rig_fpu(UOP_ALU32, 10, 20, 1));
    r->uop[idiv].dst_grfs = 1;
    RIG_PATH(r, 0, idiv, idiv, idiv, idiv, idiv, small, use);
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(rig_cycle(r, 0, 5), first(r) + 5 * 255);
    assert_int_equal(rig_cycle(r, 0, 6), first(r) + 5 * 255 + 28 + 1);
    rig_free(r);
}

static void seven_threads_take_turns(void **state)
{
    struct rig *r = rig_new();
    uint32_t math[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        math[i] = rig_add(r, rig_fpu(UOP_MATH, NONE, 10 + i, 2));
    RIG_PATH(r, 0, math[0], math[1], math[2], math[3]);
    rig_start(r, 7);
    rig_run(r, FAR);
    for (uint32_t i = 0; i < 21; i++) {
        assert_int_equal(r->issue[i].slot, i % 7);
        assert_int_equal(r->issue[i].cycle, first(r) + i * 8);
    }
    rig_free(r);
}

static void the_oldest_ready_thread_issues_first(void **state)
{
    struct rig *r = rig_new();
    uint32_t math[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        math[i] = rig_add(r, rig_fpu(UOP_MATH, NONE, 10 + i, 2));
    RIG_PATH(r, 0, math[0], math[1], math[2], math[3]);
    rig_launch(r, &(struct host_launch){.threads = 7, .tpg = 1, .oldest = true});
    rig_run(r, FAR);
    /* Each is ready again when FPU1 is free, and takes it until it is done. */
    for (uint32_t i = 0; i < 7; i++)
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(rig_cycle(r, i, k), first(r) + (4 * i + k) * 8);
    rig_free(r);
}

static void a_thread_is_as_old_as_it_was_opened_late(void **state)
{
    struct rig *r = rig_new();
    uint32_t math[20], steps[21];

    (void)state;
    r->config.eu_threads = 2;
    for (unsigned i = 0; i < 20; i++)
        steps[i] = math[i] = rig_add(r, rig_fpu(UOP_MATH, NONE, 10 + i, 2));
    steps[20] = RIG_END;
    RIG_PATH(r, 0, math[0]);
    rig_path(r, 1, steps);
    rig_path(r, 2, steps);
    rig_launch(r, &(struct host_launch){.threads = 3, .tpg = 1, .oldest = true});
    rig_run(r, FAR);
    assert_int_equal(r->open[2].slot, 0);
    /* Thread 2 has the slot before thread 1's, and comes behind it. */
    assert_true(r->open[2].cycle + 3 < rig_cycle(r, 1, 19));
    assert_int_equal(rig_cycle(r, 1, 19), first(r) + 20 * 8);
    assert_int_equal(rig_cycle(r, 2, 0), first(r) + 21 * 8);
    rig_free(r);
}

static void branches_issue_beside_both_fpus_and_send(void **state)
{
    struct rig *r = rig_new();
    uint32_t path[4];

    (void)state;
    r->config.disp_interval = 1;
    path[0] = rig_add(r, rig_fpu(UOP_MATH2, NONE, 10, 8));
    path[1] = rig_add(r, rig_fpu(UOP_ALU32, NONE, 10, 8));
    path[2] = rig_add(r, rig_send(5, 31, 0, 0));
    path[3] = rig_add(r, rig_branch(UOP_CTRL, 0));
    for (uint32_t i = 0; i < 4; i++)
        RIG_PATH(r, i, path[i]);
    rig_start(r, 4);
    rig_run(r, FAR);
    /* Nobody waits for another's unit: only START's and fetch's cycle differ. */
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(rig_cycle(r, i, 0), first(r) + i);
    assert_int_equal(rig_unit(r, 3, 0), EU_BRANCH);
    rig_free(r);
}

static void end_of_thread_waits_for_every_bit(void **state)
{
    struct rig *r = rig_new();
    struct uop flag = rig_fpu(UOP_ALU32, NONE, NONE, 1);

    (void)state;
    flag.dst = UOP_DST_FLAG;
    flag.need_x = flag.set_x = UOP_X_F0_1;
    RIG_PATH(r, 0, rig_add(r, flag));
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(rig_end(r, 0), first(r) + 2 + 12);
    assert_int_equal(r->end[0].cycle, rig_end(r, 0));
    rig_free(r);
}

static void many_writes_in_flight_are_all_kept(void **state)
{
    struct rig *r = rig_new();
    uint32_t steps[RIG_STEPS];
    unsigned i;

    (void)state;
    r->config.eu_alu32_lat = 50;
    for (i = 0; i < 50; i++)
        steps[i] = rig_add(r, rig_fpu(UOP_ALU32, NONE, i, 1));
    for (i = 50; i < 60; i++)
        steps[i] = steps[i - 50];
    steps[i] = RIG_END;
    rig_path(r, 0, steps);
    rig_start(r, 1);
    rig_run(r, FAR);
    for (i = 0; i < 60; i++)
        assert_int_equal(rig_cycle(r, 0, i), first(r) + 2 * i);
    assert_int_equal(rig_end(r, 0), first(r) + 2 * 59 + 2 + 50);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_instruction_issues_three_cycles_after_start),
        cmocka_unit_test(dependent_instruction_issues_occ_plus_lat_after_its_source),
        cmocka_unit_test(classes_without_special_latencies_ignore_the_destination),
        cmocka_unit_test(write_after_write_waits_like_a_read),
        cmocka_unit_test(front_end_holds_the_thread_for_fe_cycles),
        cmocka_unit_test(
            a_message_holds_its_thread_as_long_as_the_unit_but_two_at_least),
        cmocka_unit_test(occupancy_and_front_end_saturate_at_255),
        cmocka_unit_test(runs_never_delay_a_thread),
        cmocka_unit_test(both_fpus_issue_in_one_cycle_from_two_threads),
        cmocka_unit_test(an_eu_fetches_one_instruction_a_cycle),
        cmocka_unit_test(fpu1_takes_what_fpu0_left),
        cmocka_unit_test(a_unit_is_occupied_for_occ_cycles),
        cmocka_unit_test(an_fpu_completes_in_order),
        cmocka_unit_test(the_other_fpu_does_not_wait_for_it),
        cmocka_unit_test(sixteen_instructions_are_in_flight_in_an_fpu),
        cmocka_unit_test(
            results_of_equal_instructions_come_as_fast_as_the_unit_takes_them),
        cmocka_unit_test(seven_threads_take_turns),
        cmocka_unit_test(the_oldest_ready_thread_issues_first),
        cmocka_unit_test(a_thread_is_as_old_as_it_was_opened_late),
        cmocka_unit_test(branches_issue_beside_both_fpus_and_send),
        cmocka_unit_test(end_of_thread_waits_for_every_bit),
        cmocka_unit_test(many_writes_in_flight_are_all_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
