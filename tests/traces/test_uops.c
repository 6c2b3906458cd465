/* test_uops.c - static uops of instructions built by hand, against the rules of
 * docs/contract/model.md sections 5.1 (class, unit, E, G), 5.2 (masks) and 5.3
 * (conflicts). */
#include "test_trace_util.h"

#include "traces/feed/uops.h"

enum { DST = 100, SRC0 = 10, SRC1 = 21, SRC2 = 32 };

/* op with a packed destination at r100 and sources at r10, r21, r32 (NONE: absent). */
static struct isa_inst alu(enum isa_opcode op, uint8_t exec, enum isa_type dst,
                           enum isa_type a, enum isa_type b, enum isa_type c)
{
    const enum isa_type types[3] = {a, b, c};
    const uint8_t regs[3] = {SRC0, SRC1, SRC2};
    struct isa_inst i = plain_inst(op);

    i.exec_size = exec;
    i.dst = grf(DST, dst);
    for (; i.nsrc < 3 && types[i.nsrc] != ISA_TYPE_NONE; i.nsrc++)
        i.src[i.nsrc] = grf(regs[i.nsrc], types[i.nsrc]);
    return i;
}

#define NO ISA_TYPE_NONE
#define ALU1(op, n, d, a) alu(ISA_OP_##op, n, ISA_TYPE_##d, ISA_TYPE_##a, NO, NO)
#define ALU2(op, n, d, a, b)                                                           \
    alu(ISA_OP_##op, n, ISA_TYPE_##d, ISA_TYPE_##a, ISA_TYPE_##b, NO)
#define ALU3(op, n, d, a)                                                              \
    alu(ISA_OP_##op, n, ISA_TYPE_##d, ISA_TYPE_##a, ISA_TYPE_##a, ISA_TYPE_##a)

static struct uop made(struct isa_inst inst)
{
    struct uop uop;

    memset(&uop, 0xa5, sizeof(uop));
    uop_from_inst(&inst, NULL, &uop);
    return uop;
}

static struct isa_operand arf(enum isa_file file, enum isa_type type)
{
    struct isa_operand o = grf(0, type);

    o.file = (uint8_t)file;
    return o;
}

/* `count` GRFs from `first` on. */
static void mark(uint64_t mask[2], unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        mask[i / 64] |= UINT64_C(1) << (i % 64);
}

/* uop sets exactly `sets` GRFs from r100 on, and needs those and `reads` from r10. */
static void expect_masks(const struct uop *uop, unsigned reads, unsigned sets)
{
    uint64_t set[2] = {0, 0}, need[2];

    mark(set, DST, sets);
    memcpy(need, set, sizeof(need));
    mark(need, SRC0, reads);
    assert_memory_equal(uop->set, set, sizeof(set));
    assert_memory_equal(uop->need, need, sizeof(need));
}

struct class_case {
    const char *what;
    struct isa_inst inst;
    enum uop_class cls;
    unsigned exec, dst;
};

static void expect_classes(const struct class_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct uop u = made(c[i].inst);
        bool fpu1 = c[i].cls == UOP_DF || c[i].cls == UOP_MATH ||
                    c[i].cls == UOP_MATH2 || c[i].cls == UOP_IDIV;

        if (u.cls != c[i].cls || u.exec_grfs != c[i].exec || u.dst_grfs != c[i].dst ||
            u.unit != (fpu1 ? UOP_FPU1 : UOP_FPU_ANY))
            fail_msg("%s: class %u unit %u E %u G %u; expected class %u E %u G %u",
                     c[i].what, u.cls, u.unit, u.exec_grfs, u.dst_grfs, c[i].cls,
                     c[i].exec, c[i].dst);
        assert_int_equal(u.flags, 0);
        assert_int_equal(u.payload, 0);
        assert_int_equal(u.rlen, 0);
    }
}

static void each_class_of_arithmetic_has_its_unit_and_passes(void **state)
{
    const struct class_case cases[] = {
        {"add(16) f", ALU2(ADD, 16, F, F, F), UOP_ALU32, 2, 2},
        {"mad(8) f", ALU3(MAD, 8, F, F), UOP_ALU32, 1, 1},
        {"mad(32) f", ALU3(MAD, 32, F, F), UOP_ALU32, 4, 4},
        {"add(1) d", ALU2(ADD, 1, D, D, D), UOP_ALU32, 1, 1},
        {"add(16) hf", ALU2(ADD, 16, HF, HF, HF), UOP_ALU32, 1, 1},
        {"add(32) hf", ALU2(ADD, 32, HF, HF, HF), UOP_ALU32, 2, 2},
        {"add(16) f hf f", ALU2(ADD, 16, F, HF, F), UOP_ALU32, 2, 2},
        {"add(16) hf hf f", ALU2(ADD, 16, HF, HF, F), UOP_ALU32, 2, 1},
        {"add(32) w", ALU2(ADD, 32, W, W, W), UOP_ALU32, 2, 2},
        {"add(32) b: as words", ALU2(ADD, 32, B, B, B), UOP_ALU32, 2, 1},
        {"shl(16) d w: source decides", ALU2(SHL, 16, D, W, W), UOP_ALU32, 1, 2},
        {"mov(16) d w: wider of both", ALU1(MOV, 16, D, W), UOP_ALU32, 2, 2},
        {"mov(16) w d", ALU1(MOV, 16, W, D), UOP_ALU32, 2, 1},
        {"mov(16) ub d", ALU1(MOV, 16, UB, D), UOP_ALU32, 2, 1},
        {"mov(32) d", ALU1(MOV, 32, D, D), UOP_ALU32, 4, 4},
        {"mul(16) d w d", ALU2(MUL, 16, D, W, D), UOP_ALU32, 2, 2},
        {"mul(16) f", ALU2(MUL, 16, F, F, F), UOP_ALU32, 2, 2},
        {"add(8) q", ALU2(ADD, 8, Q, Q, Q), UOP_ALU64, 2, 2},
        {"add(16) uq ud uq", ALU2(ADD, 16, UQ, UD, UQ), UOP_ALU64, 4, 4},
        {"add(8) q d d", ALU2(ADD, 8, Q, D, D), UOP_ALU64, 2, 2},
        {"shl(8) uq ud", ALU2(SHL, 8, UQ, UD, UD), UOP_ALU64, 2, 2},
        {"mov(8) q d", ALU1(MOV, 8, Q, D), UOP_ALU64, 2, 2},
        {"mov(8) d q", ALU1(MOV, 8, D, Q), UOP_ALU64, 2, 1},
        {"mul(16) d d d", ALU2(MUL, 16, D, D, D), UOP_ALU64, 2, 2},
        {"mul(16) ud d ud", ALU2(MUL, 16, UD, D, UD), UOP_ALU64, 2, 2},
        {"mul(8) q d d", ALU2(MUL, 8, Q, D, D), UOP_ALU64, 2, 2},
        {"mach(8) d", ALU2(MACH, 8, D, D, D), UOP_ALU64, 1, 1},
        {"mad(8) d", ALU3(MAD, 8, D, D), UOP_ALU64, 1, 1},
        {"add(8) df", ALU2(ADD, 8, DF, DF, DF), UOP_DF, 2, 2},
        {"mad(16) df", ALU3(MAD, 16, DF, DF), UOP_DF, 4, 4},
        {"mov(8) df f", ALU1(MOV, 8, DF, F), UOP_DF, 2, 2},
        {"mov(8) f df", ALU1(MOV, 8, F, DF), UOP_DF, 2, 1},
        {"mul(8) df f f", ALU2(MUL, 8, DF, F, F), UOP_DF, 2, 2},
        {"dp4(8)", ALU2(DP4, 8, F, F, F), UOP_DOT, 1, 1},
        {"dp3(16)", ALU2(DP3, 16, F, F, F), UOP_DOT, 2, 2},
        {"dp2(8)", ALU2(DP2, 8, F, F, F), UOP_DOT, 1, 1},
        {"dph(8)", ALU2(DPH, 8, F, F, F), UOP_DOT, 1, 1},
        {"lrp(16)", ALU3(LRP, 16, F, F), UOP_LRP, 2, 2},
        {"line(8)", ALU2(LINE, 8, F, F, F), UOP_LRP, 1, 1},
        {"pln(16)", ALU2(PLN, 16, F, F, F), UOP_LRP, 2, 2},
        {"csel(16) f", ALU3(CSEL, 16, F, F), UOP_ALU32, 2, 2},
        {"cmp(16) f", ALU2(CMP, 16, F, F, F), UOP_ALU32, 2, 2},
        {"not(16) d", ALU1(NOT, 16, D, D), UOP_ALU32, 2, 2},
    };

    (void)state;
    expect_classes(cases, sizeof(cases) / sizeof(cases[0]));
}

static void the_math_function_decides_its_class(void **state)
{
    static const uint8_t classes[ISA_MATH_COUNT] = {
        [ISA_MATH_INV] = UOP_MATH,  [ISA_MATH_LOG] = UOP_MATH,
        [ISA_MATH_EXP] = UOP_MATH,  [ISA_MATH_SQT] = UOP_MATH,
        [ISA_MATH_RSQT] = UOP_MATH, [ISA_MATH_SIN] = UOP_MATH,
        [ISA_MATH_COS] = UOP_MATH,  [ISA_MATH_FDIV] = UOP_MATH2,
        [ISA_MATH_POW] = UOP_MATH2, [ISA_MATH_IDIV] = UOP_IDIV,
        [ISA_MATH_IQOT] = UOP_IDIV, [ISA_MATH_IREM] = UOP_IDIV,
        [ISA_MATH_INVM] = UOP_MATH, [ISA_MATH_RSQTM] = UOP_MATH,
    };

    (void)state;
    for (uint8_t f = 1; f < ISA_MATH_COUNT; f++) {
        struct isa_inst i = ALU2(MATH, 16, F, F, F);
        struct uop u;

        if (classes[f] == 0)
            continue;
        i.math = f;
        u = made(i);
        if (u.cls != classes[f] || u.unit != UOP_FPU1)
            fail_msg("math %u: class %u, unit %u", f, u.cls, u.unit);
        assert_int_equal(u.exec_grfs, 2);
    }
}

static void passes_follow_the_type_and_stay_between_1_and_8(void **state)
{
    static const enum isa_type types[] = {
        ISA_TYPE_UB, ISA_TYPE_B, ISA_TYPE_UW, ISA_TYPE_W, ISA_TYPE_UD, ISA_TYPE_D,
        ISA_TYPE_UQ, ISA_TYPE_Q, ISA_TYPE_HF, ISA_TYPE_F, ISA_TYPE_DF};
    static const unsigned bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    static const uint8_t sizes[] = {1, 2, 4, 8, 16, 32};

    (void)state;
    for (unsigned t = 0; t < 11; t++)
        for (unsigned n = 0; n < 6; n++)
            for (uint8_t stride = 1; stride <= 4; stride = (uint8_t)(2 * stride)) {
                struct isa_inst i =
                    alu(ISA_OP_ADD, sizes[n], types[t], types[t], types[t], NO);
                unsigned lane = bytes[t] < 2 ? 2 : bytes[t];
                unsigned e = (sizes[n] * lane + 31) / 32;
                unsigned g = (sizes[n] * bytes[t] * stride + 31) / 32;
                struct uop u;

                i.dst.hstride = stride;
                u = made(i);
                assert_int_equal(u.exec_grfs, e);
                assert_int_equal(u.dst_grfs, g > 8 ? 8 : g);
            }
}

static void an_immediate_vector_executes_as_words(void **state)
{
    struct isa_inst i = ALU1(MOV, 16, UW, UV);

    (void)state;
    i.src[0] = arf(ISA_FILE_IMM, ISA_TYPE_UV);
    assert_int_equal(made(i).exec_grfs, 1);
    assert_int_equal(made(i).cls, UOP_ALU32);
}

static void a_null_destination_counts_one_grf_and_sets_none(void **state)
{
    struct isa_inst i = ALU2(CMP, 32, F, F, F);
    struct uop u;

    (void)state;
    i.dst = arf(ISA_FILE_NULL, ISA_TYPE_F);
    u = made(i);
    assert_int_equal(u.exec_grfs, 4);
    assert_int_equal(u.dst_grfs, 1);
    assert_int_equal(u.set[0] | u.set[1], 0);
    assert_int_equal(u.set_x, 0);
}

static void an_accumulator_destination_counts_the_grfs_it_would_fill(void **state)
{
    struct isa_inst i = ALU2(ADD, 16, F, F, F);
    struct uop u;

    (void)state;
    i.dst = arf(ISA_FILE_ACC, ISA_TYPE_F);
    u = made(i);
    assert_int_equal(u.dst_grfs, 2);
    assert_int_equal(u.dst, UOP_DST_ACC);
    assert_int_equal(u.set_x, UOP_X_ACC);
    assert_int_equal(u.need_x, UOP_X_ACC);
    assert_int_equal(u.set[0] | u.set[1], 0);
}

static void the_latency_is_that_of_the_slowest_thing_written(void **state)
{
    struct isa_inst i = ALU2(ADD, 16, D, D, D);

    (void)state;
    assert_int_equal(made(i).dst, UOP_DST_GRF);
    i.acc_wr_en = true; /* a GRF and the accumulator */
    assert_int_equal(made(i).dst, UOP_DST_GRF);
    assert_int_equal(made(i).set_x, UOP_X_ACC);
    i.cmod = ISA_CMOD_NE;
    i.flag = 0;
    assert_int_equal(made(i).dst, UOP_DST_FLAG);
    assert_int_equal(made(i).set_x, UOP_X_ACC | UOP_X_F0_0);

    i = ALU2(MACH, 8, D, D, D);
    i.acc_wr_en = true; /* the accumulator only */
    i.dst = arf(ISA_FILE_NULL, ISA_TYPE_D);
    assert_int_equal(made(i).dst, UOP_DST_ACC);

    i = ALU1(MOV, 1, UW, UW);
    i.dst = arf(ISA_FILE_FLAG, ISA_TYPE_UW);
    assert_int_equal(made(i).dst, UOP_DST_FLAG);
    assert_int_equal(made(i).set_x, UOP_X_F0_0);
}

static void a_packed_instruction_needs_its_sources_and_its_destination(void **state)
{
    struct uop u = made(ALU1(MOV, 16, D, D));

    (void)state;
    expect_masks(&u, 2, 2);
    u = made(ALU1(MOV, 8, Q, D));
    expect_masks(&u, 1, 2);
    u = made(ALU1(MOV, 1, UD, UD));
    expect_masks(&u, 1, 1);
    u = made(ALU1(MOV, 32, F, F));
    expect_masks(&u, 4, 4);
    assert_int_equal(u.need_x | u.set_x, 0);
}

static void a_strided_destination_sets_every_grf_it_touches(void **state)
{
    struct isa_inst i = ALU1(MOV, 16, W, W);
    struct uop u;

    (void)state;
    i.dst.hstride = 4; /* 16 words, 8 bytes apart: 4 GRFs */
    u = made(i);
    expect_masks(&u, 1, 4);
    assert_int_equal(u.dst_grfs, 4);
}

static void a_predicate_needs_the_flag_words_of_its_channels(void **state)
{
    static const struct {
        uint8_t exec, chan;
        int8_t flag;
        uint8_t need;
    } c[] = {{8, 0, 0, UOP_X_F0_0},
             {16, 0, 0, UOP_X_F0_0},
             {16, 0, 1, UOP_X_F0_1},
             {16, 16, 0, UOP_X_F0_1},
             {16, 0, 3, UOP_X_F1_1},
             {32, 0, 0, UOP_X_F0_0 | UOP_X_F0_1},
             {32, 0, 2, UOP_X_F1_0 | UOP_X_F1_1}};

    (void)state;
    for (size_t k = 0; k < sizeof(c) / sizeof(c[0]); k++) {
        struct isa_inst i = ALU1(MOV, 8, W, W);

        i.exec_size = c[k].exec;
        i.chan_offset = c[k].chan;
        i.pred = ISA_PRED_SEQ;
        i.flag = c[k].flag;
        assert_int_equal(made(i).need_x, c[k].need);
        assert_int_equal(made(i).set_x, 0);
        i.pred = ISA_PRED_NONE;
        i.cmod = ISA_CMOD_LT; /* the same words, written */
        assert_int_equal(made(i).need_x, c[k].need);
        assert_int_equal(made(i).set_x, c[k].need);
    }
}

static void sel_reads_a_condition_but_writes_no_flag(void **state)
{
    struct isa_inst i = ALU2(SEL, 16, F, F, F);

    (void)state;
    i.cmod = ISA_CMOD_GE;
    i.flag = 0;
    assert_int_equal(made(i).set_x, 0);
    assert_int_equal(made(i).dst, UOP_DST_GRF);
}

static void an_indirect_source_needs_every_grf_and_a0(void **state)
{
    struct isa_inst i = ALU1(MOV, 8, D, D);
    struct uop u;
    uint64_t set[2] = {0, 0};

    (void)state;
    i.src[0].indirect = true;
    u = made(i);
    mark(set, DST, 1);
    assert_true(u.need[0] == UINT64_MAX && u.need[1] == UINT64_MAX);
    assert_memory_equal(u.set, set, sizeof(set));
    assert_int_equal(u.need_x, UOP_X_ADDR);
    assert_int_equal(u.set_x, 0);
}

static void an_indirect_destination_needs_and_sets_every_grf(void **state)
{
    struct isa_inst i = ALU1(MOV, 8, D, D);
    struct uop u;

    (void)state;
    i.dst.indirect = true;
    u = made(i);
    assert_true(u.need[0] == UINT64_MAX && u.need[1] == UINT64_MAX);
    assert_true(u.set[0] == UINT64_MAX && u.set[1] == UINT64_MAX);
    assert_int_equal(u.need_x, UOP_X_ADDR);
}

static void the_special_registers_have_their_bits(void **state)
{
    static const struct {
        enum isa_file file;
        uint8_t bit;
    } c[] = {{ISA_FILE_ADDR, UOP_X_ADDR}, {ISA_FILE_ACC, UOP_X_ACC},
             {ISA_FILE_CTRL, UOP_X_CTL},  {ISA_FILE_STATE, UOP_X_CTL},
             {ISA_FILE_TIME, UOP_X_CTL},  {ISA_FILE_IP, UOP_X_CTL}};

    (void)state;
    for (size_t k = 0; k < sizeof(c) / sizeof(c[0]); k++) {
        struct isa_inst i = ALU1(MOV, 1, UD, UD);

        i.src[0] = arf(c[k].file, ISA_TYPE_UD);
        assert_int_equal(made(i).need_x, c[k].bit);
        assert_int_equal(made(i).set_x, 0);
        i = ALU1(MOV, 1, UD, UD);
        i.dst = arf(c[k].file, ISA_TYPE_UD);
        assert_int_equal(made(i).set_x, c[k].bit);
    }
}

static void the_mme_registers_share_the_accumulators_bit(void **state)
{
    struct isa_inst i = ALU3(MADM, 8, F, F);

    (void)state;
    i.dst.mme = 2;
    assert_int_equal(made(i).set_x, UOP_X_ACC);
    i.dst.mme = ISA_MME_NOMME;
    assert_int_equal(made(i).set_x, 0);
    i.src[1].mme = 7;
    assert_int_equal(made(i).need_x, UOP_X_ACC);
}

static unsigned conflicts(uint8_t a, uint8_t b)
{
    struct isa_inst i = ALU3(MAD, 16, F, F);

    i.src[1].reg = a;
    i.src[2].reg = b;
    return made(i).conflicts;
}

static void sources_in_one_bank_conflict_for_each_grf_they_read(void **state)
{
    struct isa_inst i = ALU3(MAD, 16, F, F);

    (void)state;
    assert_int_equal(conflicts(20, 30), 2); /* both even, below 64 */
    assert_int_equal(conflicts(21, 31), 2); /* both odd */
    assert_int_equal(conflicts(66, 70), 2); /* both even, from 64 on */
    assert_int_equal(conflicts(20, 31), 0); /* even and odd */
    assert_int_equal(conflicts(20, 84), 0); /* across 64 */
    assert_int_equal(conflicts(63, 65), 0);
    assert_int_equal(conflicts(20, 20), 0); /* one register, read once */

    i.src[1].reg = 20;
    i.src[2].reg = 30;
    i.exec_size = 8;
    assert_int_equal(made(i).conflicts, 1);
    i.exec_size = 16;
    i.src[1].type = i.src[2].type = i.src[0].type = ISA_TYPE_HF;
    assert_int_equal(made(i).conflicts, 1);
    i.src[1].type = i.src[2].type = i.src[0].type = ISA_TYPE_DF;
    assert_int_equal(made(i).conflicts, 4);
}

static void scalars_other_files_and_two_sources_do_not_conflict(void **state)
{
    for (unsigned s = 1; s < 3; s++) {
        struct isa_inst i = ALU3(MAD, 16, F, F);

        i.src[1].reg = 20;
        i.src[2].reg = 30;
        i.src[s].vstride = i.src[s].hstride = 0;
        i.src[s].width = 1;
        assert_int_equal(made(i).conflicts, 0);
        i.src[s] = arf(ISA_FILE_ACC, ISA_TYPE_F);
        assert_int_equal(made(i).conflicts, 0);
    }
    {
        struct isa_inst i = ALU2(ADD, 16, F, F, F);

        i.src[0].reg = 20;
        i.src[1].reg = 30;
        i.src[2] = grf(40, ISA_TYPE_F);
        assert_int_equal(made(i).conflicts, 0);
    }
    (void)state;
}

static void branches_use_the_branch_unit_and_set_nothing(void **state)
{
    static const enum isa_opcode ctrl[] = {
        ISA_OP_IF,   ISA_OP_ELSE, ISA_OP_ENDIF, ISA_OP_WHILE, ISA_OP_BREAK,
        ISA_OP_CONT, ISA_OP_HALT, ISA_OP_GOTO,  ISA_OP_JOIN,  ISA_OP_JMPI,
        ISA_OP_BRC,  ISA_OP_BRD,  ISA_OP_CALL,  ISA_OP_CALLA, ISA_OP_RET};

    (void)state;
    for (size_t k = 0; k < sizeof(ctrl) / sizeof(ctrl[0]); k++) {
        struct isa_inst i = plain_inst(ctrl[k]);
        struct uop u;

        i.pred = ISA_PRED_SEQ;
        i.flag = 1;
        i.dst = grf(DST, ISA_TYPE_UD);
        u = made(i);
        assert_int_equal(u.unit, UOP_BRANCH);
        assert_int_equal(u.cls, UOP_CTRL);
        assert_int_equal(u.need_x, UOP_X_F0_1);
        assert_int_equal(u.set[0] | u.set[1] | u.set_x | u.flags, 0);
    }
}

static void nop_wait_and_illegal_are_of_class_nop(void **state)
{
    static const enum isa_opcode nops[] = {ISA_OP_NOP, ISA_OP_WAIT, ISA_OP_ILLEGAL};

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        struct uop u = made(plain_inst(nops[k]));

        assert_int_equal(u.unit, UOP_BRANCH);
        assert_int_equal(u.cls, UOP_NOP);
        assert_int_equal(u.set[0] | u.set[1] | u.set_x, 0);
    }
}

static void wait_needs_n0_and_nothing_else(void **state)
{
    struct isa_inst i = plain_inst(ISA_OP_WAIT);
    struct uop u;

    (void)state;
    i.exec_size = 1;
    i.nsrc = 1;
    i.src[0] = i.dst = arf(ISA_FILE_NOTIFY, ISA_TYPE_UD);
    u = made(i);
    assert_int_equal(u.need_x, UOP_X_N0);
    assert_int_equal(u.need[0] | u.need[1], 0);
    assert_int_equal(u.set[0] | u.set[1] | u.set_x, 0);
}

static void a_read_sets_its_response_and_takes_a_credit(void **state)
{
    struct isa_inst i = read_inst(DST);
    struct uop u;

    (void)state;
    i.src[0] = grf(SRC0, ISA_TYPE_UD);
    u = made(i);
    assert_int_equal(u.unit, UOP_SEND);
    assert_int_equal(u.cls, UOP_MSG);
    assert_int_equal(u.payload, 2);
    assert_int_equal(u.rlen, 2);
    assert_int_equal(u.flags, UOP_PORT | UOP_WB);
    expect_masks(&u, 2, 2);
}

static void a_split_send_pays_for_both_payloads(void **state)
{
    struct isa_inst i = read_inst(DST);
    uint64_t need[2] = {0, 0};
    struct uop u;

    (void)state;
    i.op = ISA_OP_SENDS;
    i.nsrc = 2;
    i.src[0] = grf(SRC0, ISA_TYPE_UD);
    i.src[1] = grf(SRC1, ISA_TYPE_UD);
    i.dst = arf(ISA_FILE_NULL, ISA_TYPE_UD);
    i.msg.family = ISA_MSG_UNTYPED_WRITE;
    i.msg.is_read = false;
    i.msg.is_write = true;
    i.msg.ext_mlen = 4;
    i.msg.rlen = 0;
    u = made(i);
    mark(need, SRC0, 2);
    mark(need, SRC1, 4);
    assert_int_equal(u.payload, 6);
    assert_int_equal(u.rlen, 0);
    assert_int_equal(u.flags, UOP_PORT);
    assert_memory_equal(u.need, need, sizeof(need));
    assert_int_equal(u.set[0] | u.set[1] | u.set_x, 0);
}

static void payload_and_response_keep_to_their_ranges(void **state)
{
    struct isa_inst i = read_inst(DST);

    (void)state;
    i.msg.mlen = 0;
    assert_int_equal(made(i).payload, 1);
    i.msg.mlen = 15;
    i.msg.ext_mlen = 16;
    assert_int_equal(made(i).payload, 31);
    i.msg.ext_mlen = 30;
    assert_int_equal(made(i).payload, 31);
    i.msg.rlen = 16;
    assert_int_equal(made(i).rlen, 16);
    i.msg.rlen = 31;
    assert_int_equal(made(i).rlen, 16);
}

static void a_predicated_message_needs_its_flag(void **state)
{
    struct isa_inst i = read_inst(DST);

    (void)state;
    i.pred = ISA_PRED_SEQ;
    i.flag = 2;
    assert_int_equal(made(i).need_x, UOP_X_F1_0);
}

static void a_message_with_its_descriptor_in_a0_needs_a0(void **state)
{
    struct isa_inst i = read_inst(DST);

    (void)state;
    i.msg.desc_reg = true;
    assert_int_equal(made(i).need_x & UOP_X_ADDR, UOP_X_ADDR);
}

static void a_barrier_makes_n0_busy_without_a_credit(void **state)
{
    struct isa_inst i = read_inst(DST);
    struct uop u;

    (void)state;
    i.dst = arf(ISA_FILE_NULL, ISA_TYPE_UD);
    i.msg.sfid = ISA_SFID_GATEWAY;
    i.msg.family = ISA_MSG_BARRIER;
    i.msg.is_read = false;
    i.msg.mlen = 1;
    i.msg.rlen = 0;
    u = made(i);
    assert_int_equal(u.unit, UOP_SEND);
    assert_int_equal(u.flags, UOP_GATE | UOP_WB);
    assert_int_equal(u.set_x, UOP_X_N0);
    assert_int_equal(u.need_x, UOP_X_N0);
    assert_int_equal(u.rlen, 0);
    assert_int_equal(u.set[0] | u.set[1], 0);
}

static void the_end_of_a_thread_waits_for_everything_and_sets_nothing(void **state)
{
    struct uop u = made(eot_inst());

    (void)state;
    assert_int_equal(u.unit, UOP_SEND);
    assert_int_equal(u.cls, UOP_MSG);
    assert_int_equal(u.flags, UOP_EOT);
    assert_int_equal(u.payload, 1);
    assert_true(u.need[0] == UINT64_MAX && u.need[1] == UINT64_MAX);
    assert_int_equal(u.need_x, 0xff);
    assert_int_equal(u.set[0] | u.set[1] | u.set_x, 0);
}

static void a_kernels_uops_keep_the_order_of_its_code(void **state)
{
    struct isa_inst code[3] = {mad_inst(10), read_inst(30), eot_inst()};
    const struct isa_kernel_code kernel = {code, 3, 48};
    struct uop out[3];

    (void)state;
    uops_from_code(&kernel, NULL, out);
    for (unsigned i = 0; i < 3; i++) {
        struct uop u = made(code[i]);

        assert_memory_equal(&out[i].need, &u.need, sizeof(u.need));
        assert_int_equal(out[i].cls, u.cls);
    }
    assert_string_equal(uop_unit_name(UOP_FPU1), "FPU1");
    assert_string_equal(uop_unit_name((enum uop_unit)7), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_of_arithmetic_has_its_unit_and_passes),
        cmocka_unit_test(the_math_function_decides_its_class),
        cmocka_unit_test(passes_follow_the_type_and_stay_between_1_and_8),
        cmocka_unit_test(an_immediate_vector_executes_as_words),
        cmocka_unit_test(a_null_destination_counts_one_grf_and_sets_none),
        cmocka_unit_test(an_accumulator_destination_counts_the_grfs_it_would_fill),
        cmocka_unit_test(the_latency_is_that_of_the_slowest_thing_written),
        cmocka_unit_test(a_packed_instruction_needs_its_sources_and_its_destination),
        cmocka_unit_test(a_strided_destination_sets_every_grf_it_touches),
        cmocka_unit_test(a_predicate_needs_the_flag_words_of_its_channels),
        cmocka_unit_test(sel_reads_a_condition_but_writes_no_flag),
        cmocka_unit_test(an_indirect_source_needs_every_grf_and_a0),
        cmocka_unit_test(an_indirect_destination_needs_and_sets_every_grf),
        cmocka_unit_test(the_special_registers_have_their_bits),
        cmocka_unit_test(the_mme_registers_share_the_accumulators_bit),
        cmocka_unit_test(sources_in_one_bank_conflict_for_each_grf_they_read),
        cmocka_unit_test(scalars_other_files_and_two_sources_do_not_conflict),
        cmocka_unit_test(branches_use_the_branch_unit_and_set_nothing),
        cmocka_unit_test(nop_wait_and_illegal_are_of_class_nop),
        cmocka_unit_test(wait_needs_n0_and_nothing_else),
        cmocka_unit_test(a_read_sets_its_response_and_takes_a_credit),
        cmocka_unit_test(a_split_send_pays_for_both_payloads),
        cmocka_unit_test(payload_and_response_keep_to_their_ranges),
        cmocka_unit_test(a_predicated_message_needs_its_flag),
        cmocka_unit_test(a_message_with_its_descriptor_in_a0_needs_a0),
        cmocka_unit_test(a_barrier_makes_n0_busy_without_a_credit),
        cmocka_unit_test(the_end_of_a_thread_waits_for_everything_and_sets_nothing),
        cmocka_unit_test(a_kernels_uops_keep_the_order_of_its_code),
    };

    return cmocka_run_group_tests_name("uops", tests, NULL, NULL);
}
