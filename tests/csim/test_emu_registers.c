/* test_emu_registers.c - the architecture's own registers as operands, indexed moves,
 * and what the shared memory of a group is rounded to.
 * Does not find: what the hardware's state registers hold beyond what is public. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"

static struct emu_rig rig;

static int open_rig(void **state)
{
    (void)state;
    emu_rig_open(&rig);
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    emu_rig_close(&rig);
    return 0;
}

static struct isa_inst move(struct isa_operand dst, struct isa_operand src, uint32_t n)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, n);

    in.nsrc = 1;
    in.dst = dst;
    in.src[0] = src;
    return in;
}

static struct isa_operand arf(enum isa_file file, uint32_t reg, uint32_t byte,
                              enum isa_type type)
{
    struct isa_operand o = emu_rig_src(reg, type, 0, 1, 0);

    o.file = (uint8_t)file;
    o.byte = (uint8_t)byte;
    o.hstride = 1; /* as a destination; one element is read whatever it says */
    return o;
}

static uint32_t read_word(enum isa_file file, uint32_t reg, uint32_t byte)
{
    struct isa_inst in =
        move(emu_rig_dst(50, ISA_TYPE_UD, 1), arf(file, reg, byte, ISA_TYPE_UD), 1);
    uint32_t value;

    in.pc = 0x120;
    if (!emu_rig_run(&rig, &in, 0x7))
        fail_msg("%s", rig.err.text);
    memcpy(&value, rig.t->grf + 50 * 32, 4);
    return value;
}

static bool write_word(enum isa_file file, uint32_t reg, uint32_t byte, uint32_t value)
{
    struct isa_inst in =
        move(arf(file, reg, byte, ISA_TYPE_UD), emu_rig_imm(ISA_TYPE_UD, value), 1);

    return emu_rig_run(&rig, &in, 0x7);
}

static void state_registers_read(void **state)
{
    (void)state;
    rig.t->state[0] = 0x1234;
    rig.t->state[2] = 0xFF;
    rig.t->counts.instructions = UINT64_C(0x500000007);
    assert_int_equal(read_word(ISA_FILE_STATE, 0, 0), 0x1234);
    assert_int_equal(read_word(ISA_FILE_STATE, 0, 8), 0xFF);
    assert_int_equal(read_word(ISA_FILE_CHMASK, 0, 0), 0x7);
    assert_int_equal(read_word(ISA_FILE_IP, 0, 0), 0x120);
    assert_int_equal(read_word(ISA_FILE_TIME, 0, 0), 7);
    assert_int_equal(read_word(ISA_FILE_TIME, 0, 4), 5);
    assert_int_equal(read_word(ISA_FILE_TDR, 0, 0), 0);
    assert_int_equal(read_word(ISA_FILE_OTHER, 0, 0), 0);
    rig.t->counts.instructions = 0;
}

/* As generated kernels of libraries begin; the rest of the register is not theirs. */
static void the_dispatch_mask_can_be_written(void **state)
{
    struct isa_inst in = move(arf(ISA_FILE_STATE, 0, 8, ISA_TYPE_UD),
                              emu_rig_imm(ISA_TYPE_UD, 0xFFF), 1);

    (void)state;
    rig.t->next_pc = UINT32_MAX;
    rig.t->depth = 0;
    assert_true(emu_rig_run(&rig, &in, 0x7));
    assert_int_equal(rig.t->live, 0xFFF);
    assert_int_equal(rig.t->active, 0xFFF);
    rig.t->next_pc = 8; /* some lanes wait elsewhere */
    assert_true(emu_rig_run(&rig, &in, 0x7));
    assert_int_equal(rig.t->active, 0x7);
    rig.t->next_pc = UINT32_MAX;
    in.src[0] = emu_rig_imm(ISA_TYPE_UD, 0);
    assert_false(emu_rig_run(&rig, &in, 0x7));
    assert_non_null(strstr(rig.err.text, "a dispatch mask without lanes"));
    in.src[0] = emu_rig_imm(ISA_TYPE_UD, 0xFFF);
    in.dst.byte = 0;
    assert_false(emu_rig_run(&rig, &in, 0x7));
}

static void registers_hold_what_is_written(void **state)
{
    static const struct {
        uint8_t file, reg, byte;
    } places[] = {
        {ISA_FILE_FLAG, 0, 0},  {ISA_FILE_FLAG, 1, 0}, {ISA_FILE_ADDR, 0, 0},
        {ISA_FILE_ADDR, 0, 28}, {ISA_FILE_ACC, 0, 4},  {ISA_FILE_ACC, 1, 8},
        {ISA_FILE_SP, 0, 4},    {ISA_FILE_CTRL, 0, 0}, {ISA_FILE_NOTIFY, 0, 0}};
    uint64_t seed = 3;

    (void)state;
    for (uint32_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        uint32_t value = (uint32_t)emu_rig_random(&seed);

        assert_true(write_word((enum isa_file)places[i].file, places[i].reg,
                               places[i].byte, value));
        assert_int_equal(
            read_word((enum isa_file)places[i].file, places[i].reg, places[i].byte),
            value);
    }
    emu_rig_control(&rig, 0, 0);
    assert_int_equal(rig.t->addr[14] | (uint32_t)rig.t->addr[15] << 16,
                     read_word(ISA_FILE_ADDR, 0, 28));
    assert_false(write_word(ISA_FILE_STATE, 0, 0, 1));
    /* A write to tm0 asks for a pause and stores nothing. */
    assert_true(write_word(ISA_FILE_TIME, 0, 0, 0xdeadbeef));
    assert_int_not_equal(read_word(ISA_FILE_TIME, 0, 0), 0xdeadbeef);
    assert_false(write_word(ISA_FILE_IP, 0, 0, 1));
}

/* cr0.0[5:4] takes effect with the next instruction. */
static void control_register_sets_the_rounding(void **state)
{
    static const uint32_t want[4] = {0x3F800000, 0x3F800001, 0x3F800000, 0x3F800000};
    struct isa_inst add = emu_rig_inst(ISA_OP_ADD, 1);
    float one = 1, small = 0x1p-26f;

    (void)state;
    add.nsrc = 2;
    add.dst = emu_rig_dst(60, ISA_TYPE_F, 1);
    add.src[0] = emu_rig_src(61, ISA_TYPE_F, 0, 1, 0);
    add.src[1] = emu_rig_src(62, ISA_TYPE_F, 0, 1, 0);
    memcpy(rig.t->grf + 61 * 32, &one, 4);
    memcpy(rig.t->grf + 62 * 32, &small, 4);
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t got;

        assert_true(write_word(ISA_FILE_CTRL, 0, 0, 0x4C0 | mode << 4));
        assert_true(emu_rig_run(&rig, &add, 1));
        memcpy(&got, rig.t->grf + 60 * 32, 4);
        assert_int_equal(got, want[mode]);
    }
    emu_rig_control(&rig, 0, 0);
}

static void indexed_moves_take_a_byte_for_each_lane(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (uint32_t n = 0; n < 300; n++) {
        static const uint8_t types[] = {ISA_TYPE_UB, ISA_TYPE_B,  ISA_TYPE_UW,
                                        ISA_TYPE_W,  ISA_TYPE_UD, ISA_TYPE_D,
                                        ISA_TYPE_F};
        enum isa_type type = (enum isa_type)types[n % 7];
        uint32_t size = isa_type_bytes(type), lanes = n / 7 % 2 ? 8 : 4;
        struct isa_inst in = emu_rig_inst(ISA_OP_MOVI, lanes);

        for (uint32_t i = 0; i < EMU_GRF_SIZE; i++)
            rig.t->grf[i] = (uint8_t)emu_rig_random(&seed);
        in.nsrc = 1;
        in.dst = emu_rig_dst(100, type, 1);
        in.src[0] = emu_rig_packed(0, type);
        in.src[0].indirect = true;
        in.src[0].addr_sub = 2;
        for (uint32_t i = 0; i < 16; i++) /* the first one's register counts */
            rig.t->addr[i] =
                (uint16_t)(emu_rig_random(&seed) % 100 * 32 +
                           (emu_rig_random(&seed) >> 33) % (32 / size) * size);
        assert_true(emu_rig_run(&rig, &in, 0xFF));
        for (uint32_t i = 0; i < lanes; i++)
            assert_memory_equal(
                rig.t->grf + 100 * 32 + i * size,
                rig.t->grf + rig.t->addr[2] / 32 * 32 + rig.t->addr[2 + i] % 32, size);
    }
}

/* A kernel with `slm` bytes, one thread: what the machine gives the group. */
static uint32_t slm_of(uint32_t slm)
{
    struct isa_inst text[1] = {emu_rig_eot()};
    struct isa_kernel_code code = {text, 1, 16};
    struct emu_kernel kernel = {.name = "slm",
                                .code = &code,
                                .simd = 8,
                                .slm_bytes = slm,
                                .walk_order = {0, 1, 2}};
    struct emu_launch launch = {.work_dim = 1, .global = {8}, .local = {8}};
    struct emu_machine m = {.launch = &launch, .err = &rig.err};
    uint32_t bytes;

    text[0].pc = 0;
    m.p = emu_program_new(&kernel, &rig.err);
    assert_non_null(m.p);
    assert_int_equal(emu_fill_payload(&m, &rig.err), IGPU_OK);
    bytes = m.slm_bytes;
    free(m.payload);
    emu_program_free((struct emu_program *)(uintptr_t)m.p);
    return bytes;
}

static void shared_memory_is_a_power_of_two_of_kilobytes(void **state)
{
    (void)state;
    assert_int_equal(slm_of(0), 0);
    assert_int_equal(slm_of(1), 1024);
    assert_int_equal(slm_of(1024), 1024);
    assert_int_equal(slm_of(1025), 2048);
    assert_int_equal(slm_of(5000), 8192);
    assert_int_equal(slm_of(33000), 65536);
    assert_int_equal(slm_of(65536), 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_registers_read),
        cmocka_unit_test(the_dispatch_mask_can_be_written),
        cmocka_unit_test(registers_hold_what_is_written),
        cmocka_unit_test(control_register_sets_the_rounding),
        cmocka_unit_test(indexed_moves_take_a_byte_for_each_lane),
        cmocka_unit_test(shared_memory_is_a_power_of_two_of_kilobytes),
    };

    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
