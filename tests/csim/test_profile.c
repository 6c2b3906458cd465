/* test_profile.c - the profile of hand-made events: each reason's cycles by hand from
 * docs/contract/model.md, section 4, and events that it does not allow are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/profile.h"

enum { OPEN = 100, COUNT = 6 };
enum { ADD, USE, LOAD, TAKE, MATH, END };

/* r1 is written, read; r2 is loaded, read; math needs nothing. */
static const struct uop kernel[COUNT] = {[ADD] = {.need = {2},
                                                  .set = {2},
                                                  .unit = UOP_FPU_ANY,
                                                  .cls = UOP_ALU32,
                                                  .exec_grfs = 1,
                                                  .dst_grfs = 1,
                                                  .bytes = 16,
                                                  .at = 0},
                                         [USE] = {.need = {2},
                                                  .unit = UOP_FPU_ANY,
                                                  .cls = UOP_ALU32,
                                                  .exec_grfs = 1,
                                                  .dst_grfs = 1,
                                                  .bytes = 16,
                                                  .at = 16},
                                         [LOAD] = {.need = {4},
                                                   .set = {4},
                                                   .unit = UOP_SEND,
                                                   .cls = UOP_MSG,
                                                   .payload = 1,
                                                   .rlen = 1,
                                                   .flags = UOP_PORT | UOP_WB,
                                                   .bytes = 16,
                                                   .at = 32},
                                         [TAKE] = {.need = {4},
                                                   .unit = UOP_FPU_ANY,
                                                   .cls = UOP_ALU32,
                                                   .exec_grfs = 1,
                                                   .dst_grfs = 1,
                                                   .bytes = 16,
                                                   .at = 48},
                                         [MATH] = {.unit = UOP_FPU1,
                                                   .cls = UOP_MATH,
                                                   .exec_grfs = 2,
                                                   .dst_grfs = 1,
                                                   .bytes = 16,
                                                   .at = 64},
                                         [END] = {.unit = UOP_SEND,
                                                  .cls = UOP_MSG,
                                                  .payload = 1,
                                                  .flags = UOP_EOT,
                                                  .bytes = 16,
                                                  .at = 80}};

static struct igpu_config config;
static struct profile *profile;
static enum profile_by by = PROFILE_BY_SLOT;
static struct igpu_err err;

static int begin(void **state)
{
    struct host_launch launch = {.cycle = 0, .threads = 2, .tpg = 1};

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", &err), IGPU_OK);
    config.icache_miss = 0;
    config.eu_alu32_occ = 2;
    config.eu_alu32_fe = 2;
    config.eu_alu32_lat = 10;
    config.eu_math_occ = 8;
    config.eu_math_fe = 2;
    config.eu_send_grf = 2;
    config.eu_resp_grf = 1;
    config.dp_in_latency = 16;
    assert_int_equal(profile_create(&profile, &config, by, &err), IGPU_OK);
    assert_int_equal(profile_launch(profile, 7, kernel, COUNT, &launch, &err), IGPU_OK);
    return 0;
}

static int end(void **state)
{
    (void)state;
    profile_destroy(profile);
    return 0;
}

static void issue(unsigned slot, uint32_t uop, unsigned unit, uint64_t cycle)
{
    struct host_issue i = {cycle, uop, 0, 0, (uint8_t)slot, (uint8_t)unit};

    profile_issue(profile, &i);
}

static void open_at(unsigned slot, uint64_t cycle, uint32_t pc, uint32_t len)
{
    profile_open(profile, 0, 0, slot, slot, 0, cycle, (struct uop_run){pc, len, 0});
}

static const struct profile_result *finish(uint64_t last, uint64_t threads)
{
    uint32_t count;
    const struct profile_result *r;

    profile_step(profile, last + 1);
    assert_int_equal(profile_end(profile, last + 33, true, threads, &err), IGPU_OK);
    r = profile_results(profile, &count);
    assert_int_equal(count, 1);
    return r;
}

#define WAITS(r, uop, reason, cycles)                                                  \
    assert_int_equal((r)->inst[uop].wait[PROFILE_##reason], cycles)

static void a_thread_waits_for_a_result(void **state)
{
    const struct profile_result *r;
    uint64_t sum[PROFILE_REASONS], issues;

    (void)state;
    open_at(0, OPEN, ADD, 2);
    profile_run(profile, 0, 0, 0, (struct uop_run){END, 1, 0});
    issue(0, ADD, EU_FPU0, 103);
    issue(0, USE, EU_FPU1, 115);
    issue(0, END, EU_SEND, 117);
    r = finish(117, 18);
    WAITS(r, ADD, DISPATCH, 2);
    WAITS(r, ADD, FRONT_END, 1);
    WAITS(r, USE, FRONT_END, 1);
    WAITS(r, USE, OPERAND, 10);
    WAITS(r, END, FRONT_END, 1);
    assert_int_equal(r->edge[r->inst[USE].edge].producer, ADD);
    assert_int_equal(r->edge[r->inst[USE].edge].cycles, 10);
    profile_sum(r, sum, &issues);
    assert_int_equal(issues, 3);
    assert_int_equal(r->thread_cycles, 18);
    assert_int_equal(r->threads, 1);
    assert_int_equal(r->empty[PROFILE_EMPTY_START], OPEN);
    assert_int_equal(r->empty[PROFILE_EMPTY_TAIL], 32);
    assert_int_equal(r->empty[PROFILE_EMPTY_NEVER], 150 * 167);
}

static void a_message_is_waited_for_in_its_stations(void **state)
{
    struct mem_done done = {.cycle = 300, .uop = LOAD, .credit = true, .wb = true};
    struct mem_way way = {.level = MEM_AT_DRAM,
                          .from = {[MEM_AT_DRAM] = 1},
                          .sent = 120,
                          .queued = 30,
                          .full = 25,
                          .bytes = 64};
    struct host_msg msg = {.cycle = 120, .uop = LOAD};
    const struct profile_result *r;

    (void)state;
    open_at(0, OPEN, LOAD, 2);
    profile_run(profile, 0, 0, 0, (struct uop_run){END, 1, 0});
    issue(0, LOAD, EU_SEND, 103); /* its payload is read until 105 */
    profile_grant(profile, &msg);
    profile_step(profile, 200);
    profile_done(profile, &done, &way);
    issue(0, TAKE, EU_FPU0, 301); /* one GRF is written */
    issue(0, END, EU_SEND, 303);
    r = finish(303, 204);
    WAITS(r, TAKE, FRONT_END, 1); /* 104; ready from 105 on */
    WAITS(r, TAKE, MSG_PAYLOAD, 0);
    WAITS(r, TAKE, MSG_QUEUE, 15);
    WAITS(r, TAKE, MSG_TABLE, 25);
    WAITS(r, TAKE, MSG_PORT, 5);
    WAITS(r, TAKE, MSG_DRAM, 150);
    WAITS(r, TAKE, MSG_RESPONSE, 1);
    assert_int_equal(r->send[r->inst[LOAD].send].messages, 1);
    assert_int_equal(r->send[r->inst[LOAD].send].latency, 180);
    assert_int_equal(r->send[r->inst[LOAD].send].lines, 1);
    assert_int_equal(r->send[r->inst[LOAD].send].bytes, 64);
    assert_int_equal(r->send[r->inst[LOAD].send].bucket[profile_bucket(180)], 1);
}

static void two_threads_share_fetch_and_unit(void **state)
{
    const struct profile_result *r;

    (void)state;
    open_at(0, OPEN, MATH, 2);
    open_at(1, OPEN, MATH, 2);
    issue(0, MATH, EU_FPU1, 103); /* slot 0 fetches at 102, slot 1 at 103 */
    issue(0, END, EU_SEND, 105);
    issue(1, MATH, EU_FPU1, 119); /* FPU1 is taken for 16 cycles */
    issue(1, END, EU_SEND, 121);
    r = finish(121, 6 + 22);
    WAITS(r, MATH, FETCH, 1);
    WAITS(r, MATH, OTHER, 0); /* it was ready at 104, and the other was taken at 103 */
    WAITS(r, MATH, UNIT, 15);
    WAITS(r, MATH, DISPATCH, 4);
}

static void without_credits_a_message_waits_for_one(void **state)
{
    struct mem_done done = {.cycle = 150, .uop = LOAD, .credit = true, .wb = true};
    struct mem_way way = {.level = MEM_AT_L3, .sent = 105};
    struct host_msg msg = {.cycle = 105, .uop = LOAD};
    struct host_launch launch = {.cycle = 0, .threads = 2, .tpg = 1};
    const struct profile_result *r;
    uint32_t count;

    (void)state;
    config.dp_queue = 1;
    assert_int_equal(profile_launch(profile, 8, kernel, COUNT, &launch, &err), IGPU_OK);
    open_at(0, OPEN, LOAD, 2);
    open_at(1, OPEN, LOAD, 2);
    profile_run(profile, 0, 0, 0, (struct uop_run){END, 1, 0});
    profile_run(profile, 0, 0, 1, (struct uop_run){END, 1, 0});
    issue(0, LOAD, EU_SEND, 103);
    issue(1, LOAD, EU_SEND, 105); /* slot 1 has it at 104; SEND is taken until 105 */
    profile_grant(profile, &msg);
    profile_step(profile, 140);
    profile_done(profile, &done, &way); /* the credit can be used at 151 */
    msg.cycle = 151;
    msg.slot = 1;
    profile_grant(profile, &msg);
    issue(0, TAKE, EU_FPU0, 151);
    issue(0, END, EU_SEND, 153);
    profile_step(profile, 180);
    done.cycle = 200;
    done.slot = 1;
    way.sent = 151;
    profile_done(profile, &done, &way);
    issue(1, TAKE, EU_FPU0, 201);
    issue(1, END, EU_SEND, 203);
    profile_step(profile, 204);
    assert_int_equal(profile_end(profile, 240, true, 54 + 104, &err), IGPU_OK);
    r = profile_results(profile, &count);
    WAITS(r, LOAD, UNIT, 1);
    WAITS(r, LOAD, OTHER, 0);
    WAITS(r, TAKE, MSG_QUEUE, 0); /* slot 1's could go at 107: */
    WAITS(r, TAKE, MSG_CREDIT, 151 - 107);
    /* By slot: slot 0 from its open to its end, slot 1 the same and later. */
    assert_int_equal(r->part[0].threads, 1);
    assert_int_equal(r->part[0].thread_cycles, 54);
    assert_int_equal(r->part[0].issues, 3);
    assert_int_equal(r->part[1].first, OPEN);
    assert_int_equal(r->part[1].last, 204);
    assert_int_equal(r->part[1].thread_cycles, 104);
    assert_int_equal(r->part[1].wait[PROFILE_MSG_CREDIT], 151 - 107);
    assert_int_equal(r->part[2].thread_cycles, 0);
}

static void groups_are_told_apart(void **state)
{
    struct host_launch launch = {.cycle = 0, .threads = 4, .tpg = 2};
    const struct profile_result *r;
    uint32_t count;

    (void)state;
    profile_destroy(profile);
    assert_int_equal(profile_create(&profile, &config, PROFILE_BY_GROUP, &err),
                     IGPU_OK);
    assert_int_equal(profile_launch(profile, 9, kernel, COUNT, &launch, &err), IGPU_OK);
    for (unsigned thread = 0; thread < 4; thread++) {
        uint64_t at = OPEN + 40 * thread;

        profile_open(profile, 0, 0, thread, thread, 0, at, (struct uop_run){END, 1, 0});
        issue(thread, END, EU_SEND, at + 3);
    }
    profile_step(profile, OPEN + 200);
    assert_int_equal(profile_end(profile, OPEN + 200, true, 4 * 4, &err), IGPU_OK);
    r = profile_results(profile, &count);
    assert_int_equal(r->parts, 2);
    for (unsigned group = 0; group < 2; group++) {
        assert_int_equal(r->part[group].threads, 2);
        assert_int_equal(r->part[group].thread_cycles, 8);
        assert_int_equal(r->part[group].first, OPEN + 80 * group);
        assert_int_equal(r->part[group].last, OPEN + 80 * group + 44);
    }
}

static void what_is_not_allowed_is_found(void **state)
{
    (void)state;
    open_at(0, OPEN, ADD, 2);
    profile_run(profile, 0, 0, 0, (struct uop_run){END, 1, 0});
    issue(0, ADD, EU_FPU0, 103);
    issue(0, USE, EU_FPU1, 114); /* a cycle too soon */
    profile_step(profile, 120);
    assert_int_equal(profile_end(profile, 150, true, 0, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "an operand is not there"));
}

static void so_is_another_path(void **state)
{
    (void)state;
    open_at(0, OPEN, ADD, 2);
    issue(0, USE, EU_FPU0, 103);
    profile_step(profile, 120);
    assert_int_equal(profile_end(profile, 150, true, 0, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "it has not fetched it"));
}

static void so_are_other_sums(void **state)
{
    (void)state;
    open_at(0, OPEN, END, 1);
    issue(0, END, EU_SEND, 103);
    profile_step(profile, 120);
    assert_int_equal(profile_end(profile, 150, true, 5, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "4 thread-cycles"));
}

static void buckets_are_halves_of_powers_of_two(void **state)
{
    (void)state;
    for (unsigned b = 1; b < PROFILE_BUCKETS; b++) {
        assert_int_equal(profile_bucket(profile_bucket_from(b)), b);
        assert_int_equal(profile_bucket(profile_bucket_from(b) - 1), b - 1);
    }
    assert_int_equal(profile_bucket_from(5), 8);
    assert_int_equal(profile_bucket_from(6), 12);
    assert_int_equal(profile_bucket(UINT64_MAX), PROFILE_BUCKETS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_thread_waits_for_a_result, begin, end),
        cmocka_unit_test_setup_teardown(a_message_is_waited_for_in_its_stations, begin,
                                        end),
        cmocka_unit_test_setup_teardown(two_threads_share_fetch_and_unit, begin, end),
        cmocka_unit_test_setup_teardown(without_credits_a_message_waits_for_one, begin,
                                        end),
        cmocka_unit_test_setup_teardown(groups_are_told_apart, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_allowed_is_found, begin, end),
        cmocka_unit_test_setup_teardown(so_is_another_path, begin, end),
        cmocka_unit_test_setup_teardown(so_are_other_sums, begin, end),
        cmocka_unit_test(buckets_are_halves_of_powers_of_two),
    };

    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
