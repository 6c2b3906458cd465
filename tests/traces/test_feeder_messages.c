/* test_feeder_messages.c - the messages that the feeder makes of sends: kind, lanes,
 * addresses, lengths, and the order over threads of one slot. */
#include "tests/traces/feeder_rig.h"

enum {
    RD,
    RD_XZ,
    WR,
    SLM_RD,
    SCATTERED,
    BLOCK,
    ATOMIC,
    TEXELS,
    FENCE,
    BARRIER,
    FLUSH,
    END
};

/* One block with one instruction of each kind, in the order of the enum. */
static struct trace_kernel message_kernel(void)
{
    struct isa_inst i[] = {
        [RD] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false),
        [RD_XZ] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false),
        [WR] = message_inst(20, ISA_MSG_UNTYPED_WRITE, false, true),
        [SLM_RD] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false),
        [SCATTERED] = message_inst(20, ISA_MSG_SCATTERED_READ, true, false),
        [BLOCK] = message_inst(20, ISA_MSG_BLOCK_WRITE, false, true),
        [ATOMIC] = message_inst(20, ISA_MSG_UNTYPED_ATOMIC, true, true),
        [TEXELS] = message_inst(20, ISA_MSG_SAMPLER, true, false),
        [FENCE] = message_inst(20, ISA_MSG_FENCE, false, false),
        [BARRIER] = message_inst(20, ISA_MSG_BARRIER, false, false),
        [FLUSH] = message_inst(20, ISA_MSG_SAMPLER_FLUSH, false, false),
        [END] = eot_inst(),
    };
    struct trace_kernel k;

    i[RD_XZ].msg.comp_mask = 0xa; /* y and w: 12 bytes from address + 4 on */
    i[RD_XZ].msg.elements = 2;
    i[RD_XZ].msg.rlen = 4;
    i[WR].msg.comp_mask = 0x7;
    i[WR].msg.elements = 3;
    i[SLM_RD].msg.addr_model = ISA_ADDR_SLM;
    i[SCATTERED].msg.elements = 2;
    i[SCATTERED].msg.element_bytes = 8;
    i[SCATTERED].msg.comp_mask = 0;
    i[BLOCK].msg.block_bytes = 128;
    i[BLOCK].msg.comp_mask = 0;
    i[FENCE].msg.commit = true;
    i[FENCE].msg.rlen = 1;
    make_kernel(&k, "messages", END + 1, 1);
    for (unsigned n = 0; n <= END; n++)
        add_inst(&k, i[n]);
    add_block(&k)->ends_thread = true;
    k.barriers = true;
    return k;
}

static const struct story message_story = {"0",
                                           {{RD, 0xffff, 0x1000, 4},
                                            {RD_XZ, 0x8001, 0x2000, 16},
                                            {WR, 0x00f0, 0x3000, 64},
                                            {SLM_RD, 0x0003, 8, 4},
                                            {SCATTERED, 0x0002, 0x5000, 8},
                                            {BLOCK, 0x0001, 0x6000, 0},
                                            {ATOMIC, 0x0000, 0, 0},
                                            {TEXELS, 0x0ffe, 0x7000, 20}},
                                           8};

static struct mem_msg message(struct rig *rig, unsigned slot, uint32_t uop)
{
    struct mem_msg msg;

    memset(&msg, 0xa5, sizeof(msg));
    feeder_message(rig->feeder, 2, 3, slot, uop, &msg);
    assert_true(msg.cycle == UINT64_C(0xa5a5a5a5a5a5a5a5)); /* the caller's */
    assert_int_equal(msg.bslot, 0xa5);
    assert_int_equal(msg.subslice, 2);
    assert_int_equal(msg.eu, 3);
    assert_int_equal(msg.slot, slot);
    assert_int_equal(msg.uop, uop);
    return msg;
}

/* Open the story's thread and grant its messages up to, not including, `to`. */
static void grant_until(struct rig *rig, uint32_t to)
{
    struct trace_kernel k = message_kernel();

    make_rig(rig, &k, 1, &message_story);
    expect_run(feeder_open(rig->feeder, 2, 3, 4, 0), 0, END + 1);
    for (uint32_t i = 0; i < END; i++)
        feeder_issued(feeder_issues(rig->feeder, 2, 3, 4), true);
    for (uint32_t i = 0; i < to; i++)
        (void)message(rig, 4, i);
}

static void expect_message(uint32_t uop, uint8_t op, uint8_t space, uint8_t rlen,
                           uint8_t lanes, uint16_t bytes, uint64_t first, uint64_t step)
{
    struct rig rig;
    struct mem_msg msg;

    grant_until(&rig, uop);
    msg = message(&rig, 4, uop);
    assert_int_equal(msg.op, op);
    assert_int_equal(msg.space, space);
    assert_int_equal(msg.rlen, rlen);
    assert_int_equal(msg.lanes, lanes);
    if (lanes > 0)
        assert_int_equal(msg.bytes, bytes);
    for (unsigned i = 0; i < lanes; i++)
        assert_int_equal(mem_lane(&msg, i), first + i * step);
    assert_int_equal(msg.credit, uop != BARRIER);
    assert_int_equal(msg.wb, rlen > 0 || uop == BARRIER);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void a_read_carries_the_address_of_each_lane(void **state)
{
    (void)state;
    expect_message(RD, MEM_READ, MEM_GLOBAL, 2, 16, 4, 0x1000, 4);
}

static void components_move_the_first_address_and_span_the_last(void **state)
{
    (void)state;
    /* lanes 0 and 15, component y to w: 4 bytes in, 12 bytes long */
    expect_message(RD_XZ, MEM_READ, MEM_GLOBAL, 4, 2, 12, 0x2004, 15 * 16);
}

static void a_write_has_only_the_enabled_lanes(void **state)
{
    (void)state;
    expect_message(WR, MEM_WRITE, MEM_GLOBAL, 0, 4, 12, 0x3000 + 4 * 64, 64);
}

static void shared_local_memory_is_another_space(void **state)
{
    (void)state;
    expect_message(SLM_RD, MEM_READ, MEM_SLM, 2, 2, 4, 8, 4);
}

static void scattered_elements_are_contiguous_bytes_of_a_lane(void **state)
{
    (void)state;
    expect_message(SCATTERED, MEM_READ, MEM_GLOBAL, 2, 1, 16, 0x5008, 0);
}

static void a_block_is_one_lane_of_its_length(void **state)
{
    (void)state;
    expect_message(BLOCK, MEM_WRITE, MEM_GLOBAL, 0, 1, 128, 0x6000, 0);
}

static void an_atomic_without_lanes_is_still_a_message(void **state)
{
    (void)state;
    expect_message(ATOMIC, MEM_ATOMIC, MEM_GLOBAL, 2, 0, 0, 0, 0);
}

static void read_texels_are_samples_and_lines(void **state)
{
    (void)state;
    struct rig rig;
    struct mem_msg msg;

    grant_until(&rig, TEXELS);
    msg = message(&rig, 4, TEXELS);
    assert_int_equal(msg.op, MEM_TEXTURE);
    assert_true(msg.credit && msg.wb && !msg.even);
    /* quads of lanes 1 to 3, 4 to 7, 8 to 11 have 1, 2 and 2 lines */
    assert_int_equal(msg.texture.look_ups, 5);
    assert_int_equal(msg.texture.samples, 11); /* lanes 1 to 11, a sample each.. */
    assert_int_equal(msg.lanes, 4);
    for (unsigned i = 0; i < 4; i++) /* ..from byte 20 to byte 220 */
        assert_int_equal(msg.addr[i], 0x7000 + 64 * i);
    expect_no_error(&rig);
    end_rig(&rig);
}

/* A filter's further lines, and texels of 128 bits. */
static void lanes_behind_the_messages_own_are_lines_and_a_count(void **state)
{
    struct trace_kernel k = message_kernel();
    struct story s = message_story;
    struct rig rig;
    struct mem_msg msg;

    (void)state;
    /* lanes 0 to 3 in one line, 16 and 17 in another, and 31 */
    s.record[7] = (struct record){TEXELS, 0x8003000f, 0x7000, 4};
    make_rig(&rig, &k, 1, &s);
    (void)feeder_open(rig.feeder, 2, 3, 0, 0);
    for (uint32_t i = 0; i < TEXELS; i++)
        (void)message(&rig, 0, i);
    msg = message(&rig, 0, TEXELS);
    assert_int_equal(msg.texture.look_ups, 1);
    assert_int_equal(msg.texture.samples,
                     4 * ((0x7000 + 31 * 4) % 64)); /* lane 31's count */
    assert_int_equal(msg.lanes, 2);
    assert_int_equal(msg.addr[0], 0x7000);
    assert_int_equal(msg.addr[1], 0x7040);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void texels_of_a_line_in_any_order_are_one(void **state)
{
    struct trace_kernel k = message_kernel();
    struct story s[2] = {message_story, message_story};
    struct rig rig;
    struct mem_msg msg;

    (void)state;
    s[0].record[7] = (struct record){TEXELS, 0xffff, 0x7ffc, (uint64_t)-1024};
    s[1].record[7].mask = 0; /* none lies inside of the image */
    make_rig(&rig, &k, 2, s);
    for (uint32_t t = 0; t < 2; t++) {
        (void)feeder_open(rig.feeder, 2, 3, t, t);
        for (uint32_t i = 0; i < TEXELS; i++)
            (void)message(&rig, t, i);
        msg = message(&rig, t, TEXELS);
        assert_int_equal(msg.op, MEM_TEXTURE);
        assert_int_equal(msg.lanes, t == 0 ? 16 : 0);
    }
    expect_no_error(&rig);
    end_rig(&rig);
}

static void fences_barriers_and_flushes_take_no_access(void **state)
{
    (void)state;
    expect_message(FENCE, MEM_FENCE, MEM_GLOBAL, 1, 0, 0, 0, 0);
    expect_message(BARRIER, MEM_BARRIER, MEM_GLOBAL, 0, 0, 0, 0, 0);
    expect_message(FLUSH, MEM_FLUSH, MEM_GLOBAL, 0, 0, 0, 0, 0);
}

static void messages_of_an_ended_thread_come_before_those_of_the_next(void **state)
{
    struct trace_kernel k = message_kernel();
    struct story s[2] = {message_story, message_story};
    struct feeder_where where;
    struct rig rig;

    (void)state;
    s[1].record[0].addr = 0x9000;
    make_rig(&rig, &k, 2, s);
    (void)feeder_open(rig.feeder, 2, 3, 1, 0);
    for (unsigned i = 0; i < 3; i++)
        feeder_issued(feeder_issues(rig.feeder, 2, 3, 1), true);
    assert_int_equal(message(&rig, 1, RD).addr[0], 0x1000);
    assert_true(feeder_where(rig.feeder, 2, 3, 1, &where));
    assert_int_equal(where.issued, 3);
    assert_int_equal(where.messages_waiting, 2);
    feeder_end(rig.feeder, 2, 3, 1);
    assert_false(feeder_where(rig.feeder, 2, 3, 1, &where));

    expect_run(feeder_open(rig.feeder, 2, 3, 1, 1), 0, END + 1);
    feeder_issued(feeder_issues(rig.feeder, 2, 3, 1), true);
    assert_int_equal(message(&rig, 1, RD_XZ).addr[0], 0x2004); /* thread 0's */
    assert_int_equal(message(&rig, 1, WR).addr[0], 0x3100);
    assert_int_equal(message(&rig, 1, RD).addr[0], 0x9000); /* thread 1's */
    assert_true(feeder_where(rig.feeder, 2, 3, 1, &where));
    assert_int_equal(where.thread, 1);
    assert_int_equal(where.issued, 1);
    assert_int_equal(where.messages_waiting, 0);
    feeder_end(rig.feeder, 2, 3, 1);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void three_generations_of_a_slot_may_have_stores_waiting(void **state)
{
    struct trace_kernel k = message_kernel();
    struct story s[3] = {message_story, message_story, message_story};
    struct rig rig;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        s[i].record[0].addr = 0x10000 * (i + 1);
    make_rig(&rig, &k, 3, s);
    for (uint32_t i = 0; i < 3; i++) {
        (void)feeder_open(rig.feeder, 2, 3, 0, i);
        feeder_issued(feeder_issues(rig.feeder, 2, 3, 0), true);
        feeder_end(rig.feeder, 2, 3, 0);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(message(&rig, 0, RD).addr[0], 0x10000 * (i + 1));
    expect_no_error(&rig);
    end_rig(&rig);
}

static void an_access_of_another_instruction_is_reported(void **state)
{
    struct rig rig;
    struct mem_msg msg;

    (void)state;
    grant_until(&rig, RD);
    msg = message(&rig, 4, WR); /* the next record is RD's */
    assert_int_equal(msg.lanes, 0);
    expect_error(&rig, "access of instruction 0 where its path executes 2");
    end_rig(&rig);
}

static void a_missing_access_is_reported_and_the_first_error_stays(void **state)
{
    struct trace_kernel k = message_kernel();
    struct story s = message_story;
    struct rig rig;

    (void)state;
    s.records = 1;
    make_rig(&rig, &k, 1, &s);
    (void)feeder_open(rig.feeder, 2, 3, 0, 0);
    (void)message(&rig, 0, RD);
    expect_no_error(&rig);
    assert_int_equal(message(&rig, 0, RD_XZ).lanes, 0);
    expect_error(&rig, "launch 0, thread 0: no access left");
    (void)feeder_next(rig.feeder, 2, 3, 0);
    (void)feeder_next(rig.feeder, 2, 3, 0); /* beyond the path */
    expect_error(&rig, "no access left");
    end_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_carries_the_address_of_each_lane),
        cmocka_unit_test(components_move_the_first_address_and_span_the_last),
        cmocka_unit_test(a_write_has_only_the_enabled_lanes),
        cmocka_unit_test(shared_local_memory_is_another_space),
        cmocka_unit_test(scattered_elements_are_contiguous_bytes_of_a_lane),
        cmocka_unit_test(a_block_is_one_lane_of_its_length),
        cmocka_unit_test(an_atomic_without_lanes_is_still_a_message),
        cmocka_unit_test(read_texels_are_samples_and_lines),
        cmocka_unit_test(lanes_behind_the_messages_own_are_lines_and_a_count),
        cmocka_unit_test(texels_of_a_line_in_any_order_are_one),
        cmocka_unit_test(fences_barriers_and_flushes_take_no_access),
        cmocka_unit_test(messages_of_an_ended_thread_come_before_those_of_the_next),
        cmocka_unit_test(three_generations_of_a_slot_may_have_stores_waiting),
        cmocka_unit_test(an_access_of_another_instruction_is_reported),
        cmocka_unit_test(a_missing_access_is_reported_and_the_first_error_stays),
    };

    return cmocka_run_group_tests_name("feeder_messages", tests, NULL, NULL);
}
