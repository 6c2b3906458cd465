/* test_ref_dispatch.c - global and local dispatcher of the C reference;
 * docs/contract/model.md sections 2 and 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "igpu/ref.h"
#include "ref_rig.h"

enum { NONE = 128, FAR = 20000 };

/* A machine whose threads live `life` cycles from their first issue to EOT. */
static struct rig *machine(uint64_t subslices, uint64_t eus, uint64_t threads,
                           unsigned naps)
{
    struct rig *r = rig_new();
    uint32_t steps[RIG_STEPS], nap, i = 0;

    r->config.gpu_subslices = subslices;
    r->config.eu_count = eus;
    r->config.eu_threads = threads;
    nap = rig_add(r, rig_branch(UOP_CTRL, 0));
    for (; i < naps; i++)
        steps[i] = nap;
    steps[i] = RIG_END;
    rig_path(r, 0, steps);
    return r;
}

static void threads_start_an_interval_apart(void **state)
{
    struct rig *r = machine(1, 1, 7, 60);

    (void)state;
    r->config.disp_interval = 5;
    r->config.disp_start_latency = 17;
    rig_start(r, 4);
    rig_run(r, FAR);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(r->open[i].cycle, 17 + 5 * i);
    rig_free(r);
}

static void a_slot_is_refilled_after_end_and_start_latency(void **state)
{
    struct rig *r = machine(1, 1, 1, 3);

    (void)state;
    r->config.disp_start_latency = 9;
    r->config.disp_end_latency = 13;
    rig_start(r, 3);
    rig_run(r, FAR);
    assert_int_equal(r->open[1].cycle, rig_end(r, 0) + 13 + 9);
    assert_int_equal(r->open[2].cycle, rig_end(r, 1) + 13 + 9);
    rig_free(r);
}

static void the_launch_ends_when_its_last_end_takes_effect(void **state)
{
    struct rig *r = machine(3, 2, 7, 5);
    uint64_t last = 0, end = 0;

    (void)state;
    rig_start(r, 11);
    rig_run(r, 200);
    assert_int_equal(r->ends, 11);
    for (uint32_t i = 0; i < 11; i++)
        last = last > r->end[i].cycle ? last : r->end[i].cycle;
    assert_true(r->ops->launch_over(r->gpu, &end));
    assert_int_equal(end, last + 32);
    rig_free(r);

    r = machine(3, 2, 7, 5);
    rig_start(r, 11);
    rig_run(r, last + 32);
    assert_false(r->ops->launch_over(r->gpu, &end));
    rig_run(r, last + 33);
    assert_true(r->ops->launch_over(r->gpu, &end));
    rig_free(r);
}

static void threads_go_round_subslices_then_eus_then_slots(void **state)
{
    struct rig *r = machine(3, 8, 7, 60);

    (void)state;
    rig_start(r, 168);
    rig_run(r, 168 + 40);
    assert_int_equal(r->opens, 168);
    for (uint32_t i = 0; i < 168; i++) {
        assert_int_equal(r->open[i].tile, i % 3);
        assert_int_equal(r->open[i].eu, i / 3 % 8);
        assert_int_equal(r->open[i].slot, i / 24);
        assert_int_equal(r->open[i].bslot, HOST_NO_BARRIER);
    }
    rig_free(r);
}

static void masked_eus_and_threads_get_nothing(void **state)
{
    struct rig *r = machine(2, 3, 2, 20);

    (void)state;
    rig_start(r, 60);
    rig_run(r, FAR);
    assert_int_equal(r->ends, 60);
    for (uint32_t i = 0; i < 60; i++)
        assert_true(r->open[i].tile < 2 && r->open[i].eu < 3 && r->open[i].slot < 2);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(r->open[i].slot, i / 6);
    assert_true(r->open[12].cycle >= r->end[0].cycle + 32 + 40);
    rig_free(r);
}

/* A thread that ends early makes room in its subslice only: round robin skips
 * the full ones. */
static void a_full_subslice_is_skipped(void **state)
{
    struct rig *r = machine(2, 1, 1, 40);
    const uint32_t nothing[] = {RIG_END};

    (void)state;
    rig_path(r, 1, nothing); /* in subslice 1 */
    rig_path(r, 2, nothing);
    rig_path(r, 3, nothing);
    rig_start(r, 4);
    rig_run(r, FAR);
    assert_int_equal(r->open[0].tile, 0);
    assert_int_equal(r->open[1].tile, 1);
    assert_int_equal(r->open[2].tile, 1);
    assert_int_equal(r->open[3].tile, 1);
    rig_free(r);
}

static void fill_takes_the_lowest_subslice_with_room(void **state)
{
    struct rig *r = machine(3, 2, 2, 60);

    (void)state;
    r->config.disp_policy = IGPU_DISPATCH_FILL;
    rig_start(r, 20);
    rig_run(r, FAR);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(r->open[i].tile, i / 4);
    /* The first to end are subslice 0's. */
    for (uint32_t i = 12; i < 16; i++)
        assert_int_equal(r->open[i].tile, 0);
    rig_free(r);
}

/* A thread that ends early leaves subslice 1 emptier: it gets the next one, too. */
static void least_loaded_levels(void **state)
{
    struct rig *r = machine(2, 1, 7, 60);
    const uint32_t nothing[] = {RIG_END};

    (void)state;
    r->config.disp_policy = IGPU_DISPATCH_LEAST;
    r->config.disp_interval = 80;
    rig_path(r, 1, nothing); /* in subslice 1 */
    rig_start(r, 3);
    rig_run(r, FAR);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(r->open[i].tile, i);
    assert_int_equal(r->open[2].tile, 1); /* thread 1 has ended, thread 0 has not */
    rig_free(r);
}

/* ---- pinned groups ---- */

static void a_pinned_group_stays_in_one_subslice(void **state)
{
    struct rig *r = machine(3, 2, 7, 40);

    (void)state;
    rig_start_pinned(r, 24, 4, 0);
    rig_run(r, FAR);
    assert_int_equal(r->ends, 24);
    for (uint32_t i = 0; i < 24; i++) {
        assert_int_equal(r->open[i].tile, i / 4 % 3);
        assert_int_equal(r->open[i].bslot, i / 12);
    }
    rig_free(r);
}

static void a_group_waits_for_all_its_slots_and_nobody_overtakes(void **state)
{
    struct rig *r = machine(1, 1, 7, 10);
    uint64_t second = 0;

    (void)state;
    /* 4 + 4 do not fit in 7 slots: the second group waits for one END. */
    rig_start_pinned(r, 8, 4, 0);
    rig_run(r, FAR);
    second = r->open[4].cycle;
    assert_int_equal(second, r->end[0].cycle + 32 + 40);
    for (uint32_t i = 5; i < 8; i++)
        assert_int_equal(r->open[i].cycle, second + i - 4);
    /* The first group still has its barrier slot. */
    assert_int_equal(r->open[4].bslot, 1);
    rig_free(r);
}

static void a_group_waits_for_a_barrier_slot(void **state)
{
    struct rig *r = machine(1, 1, 7, 10);

    (void)state;
    r->config.disp_barriers = 2;
    rig_start_pinned(r, 6, 2, 0);
    rig_run(r, FAR);
    /* Free when the last thread of group 0 has ended. */
    assert_int_equal(r->open[4].cycle, rig_end(r, 1) + 32 + 40);
    assert_int_equal(r->open[4].bslot, 0);
    rig_free(r);
}

static void a_group_waits_for_slm(void **state)
{
    struct rig *r = machine(1, 1, 7, 10);

    (void)state;
    r->config.disp_slm_kb = 64;
    rig_start_pinned(r, 3, 1, 32);
    rig_run(r, FAR);
    assert_int_equal(r->open[1].cycle, 41);
    assert_int_equal(r->open[2].cycle, rig_end(r, 0) + 32 + 40);
    rig_free(r);

    r = machine(1, 1, 7, 10);
    rig_start_pinned(r, 2, 1, 33);
    rig_run(r, FAR);
    assert_int_equal(r->open[1].cycle, rig_end(r, 0) + 32 + 40);
    rig_free(r);
}

static void slm_is_free_again_only_when_the_whole_group_ended(void **state)
{
    struct rig *r = machine(1, 1, 7, 4);
    const uint32_t nothing[] = {RIG_END};

    (void)state;
    rig_path(r, 1, nothing);
    rig_start_pinned(r, 4, 2, 64);
    rig_run(r, FAR);
    assert_true(rig_end(r, 1) < rig_end(r, 0));
    assert_int_equal(r->open[2].cycle, rig_end(r, 0) + 32 + 40);
    rig_free(r);
}

/* ---- launches and order ---- */

static void a_launch_starts_with_every_pointer_at_zero(void **state)
{
    struct rig *r = machine(3, 2, 7, 3);
    uint64_t end = 0;

    (void)state;
    rig_start(r, 5);
    rig_run(r, 400);
    assert_true(r->ops->launch_over(r->gpu, &end));
    r->opens = 0;
    rig_launch(r, &(struct host_launch){.cycle = 500, .threads = 2, .tpg = 1});
    rig_run(r, 900);
    assert_int_equal(r->opens, 2);
    assert_int_equal(r->open[0].cycle, 540);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(r->open[i].tile, i);
        assert_int_equal(r->open[i].eu, 0);
        assert_int_equal(r->open[i].slot, 0);
    }
    rig_free(r);
}

static void ends_are_reported_in_cycle_order_in_any_processing_order(void **state)
{
    struct host_end seen[2][64];

    (void)state;
    for (unsigned reverse = 0; reverse < 2; reverse++) {
        struct rig *r = machine(1, 8, 7, 7);

        r->ops = reverse ? &host_engine_ref_reverse : &host_engine_ref;
        rig_start(r, 64);
        rig_run(r, FAR);
        assert_int_equal(r->ends, 64);
        for (uint32_t i = 0; i < 64; i++) {
            seen[reverse][i] = r->end[i];
            if (i > 0)
                assert_true(r->end[i - 1].cycle <= r->end[i].cycle);
            assert_int_equal(seen[0][i].cycle, seen[reverse][i].cycle);
            assert_int_equal(seen[0][i].eu, seen[reverse][i].eu);
            assert_int_equal(seen[0][i].slot, seen[reverse][i].slot);
        }
        rig_free(r);
    }
}

static void a_broken_instruction_is_refused_by_name(void **state)
{
    struct rig *r = machine(1, 1, 7, 1);
    struct uop uops[2] = {{.unit = UOP_BRANCH, .cls = UOP_NOP},
                          {.unit = UOP_FPU_ANY, .set_x = 1, .dst_grfs = 1}};
    struct igpu_err err;

    (void)state;
    rig_start(r, 1);
    rig_run(r, FAR);
    assert_int_equal(r->ops->load(r->gpu, uops, 2, &err), IGPU_BAD_INPUT);
    assert_string_equal(
        err.text, "instruction 1 of the kernel: it sets a bit that it does not "
                  "need (docs/contract/model.md section 5); record the trace again");
    assert_int_equal(r->ops->load(r->gpu, uops, 0, &err), IGPU_USAGE);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_start_an_interval_apart),
        cmocka_unit_test(a_slot_is_refilled_after_end_and_start_latency),
        cmocka_unit_test(the_launch_ends_when_its_last_end_takes_effect),
        cmocka_unit_test(threads_go_round_subslices_then_eus_then_slots),
        cmocka_unit_test(masked_eus_and_threads_get_nothing),
        cmocka_unit_test(a_full_subslice_is_skipped),
        cmocka_unit_test(fill_takes_the_lowest_subslice_with_room),
        cmocka_unit_test(least_loaded_levels),
        cmocka_unit_test(a_pinned_group_stays_in_one_subslice),
        cmocka_unit_test(a_group_waits_for_all_its_slots_and_nobody_overtakes),
        cmocka_unit_test(a_group_waits_for_a_barrier_slot),
        cmocka_unit_test(a_group_waits_for_slm),
        cmocka_unit_test(slm_is_free_again_only_when_the_whole_group_ended),
        cmocka_unit_test(a_launch_starts_with_every_pointer_at_zero),
        cmocka_unit_test(ends_are_reported_in_cycle_order_in_any_processing_order),
        cmocka_unit_test(a_broken_instruction_is_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
