/* test_emu_int.c - integer instructions against 128-bit arithmetic: opcodes, types,
 * regions, modifiers, masks, saturation; directed cases for what random ones miss.
 * Does not find: what real hardware does where the manual leaves it open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"

typedef emu_i128 wide;

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

/* ---- the reference ------------------------------------------------------ */

static const uint8_t int_types[] = {ISA_TYPE_UB, ISA_TYPE_B, ISA_TYPE_UW, ISA_TYPE_W,
                                    ISA_TYPE_UD, ISA_TYPE_D, ISA_TYPE_UQ, ISA_TYPE_Q};

static uint32_t size_of(uint32_t type)
{
    return 1u << (type - ISA_TYPE_UB) / 2;
}

static bool signed_type(uint32_t type)
{
    return (type - ISA_TYPE_UB) % 2 == 1;
}

static wide extend(uint64_t bits, uint32_t type)
{
    uint32_t unused = 64 - size_of(type) * 8;

    if (signed_type(type))
        return (int64_t)(bits << unused) >> unused;
    return bits << unused >> unused;
}

static wide read_lane(const uint8_t *grf, const struct isa_operand *o, uint32_t lane)
{
    uint64_t bits = o->imm;
    uint32_t element;

    if (o->file == ISA_FILE_GRF) {
        element = lane / o->width * o->vstride + lane % o->width * o->hstride;
        bits = 0;
        memcpy(&bits, grf + o->reg * 32 + o->byte + element * size_of(o->type),
               size_of(o->type));
    }
    return extend(bits, o->type);
}

static wide modify(wide x, uint32_t mod, bool logic)
{
    if (logic)
        return mod & ISA_MOD_NEG ? ~x : x;
    if ((mod & ISA_MOD_ABS) && x < 0)
        x = -x;
    return mod & ISA_MOD_NEG ? -x : x;
}

static wide saturated(wide x, uint32_t type)
{
    uint32_t bits = size_of(type) * 8;
    wide low = signed_type(type) ? -((wide)1 << (bits - 1)) : 0;
    wide high = ((wide)1 << (bits - signed_type(type))) - 1;

    return x < low ? low : x > high ? high : x;
}

static bool holds(uint32_t cmod, wide a, wide b)
{
    bool table[ISA_CMOD_COUNT] = {
        [ISA_CMOD_EQ] = a == b, [ISA_CMOD_NE] = a != b, [ISA_CMOD_GT] = a > b,
        [ISA_CMOD_GE] = a >= b, [ISA_CMOD_LT] = a < b,  [ISA_CMOD_LE] = a <= b};

    return table[cmod];
}

static uint32_t shift_mask(const struct isa_inst *in)
{
    return size_of(in->dst.type) == 8 || size_of(in->src[0].type) == 8 ? 63 : 31;
}

static wide compute(const struct isa_inst *in, wide a, wide b, wide c, bool chosen)
{
    uint32_t count = (uint32_t)(uint64_t)b & shift_mask(in);
    wide ones = ((wide)1 << size_of(in->src[0].type) * 8) - 1;

    switch (in->op) {
    case ISA_OP_ADD:
        return a + b;
    case ISA_OP_MUL:
        return (wide)((emu_u128)a * (emu_u128)b);
    case ISA_OP_MAD:
        return (wide)((emu_u128)a + (emu_u128)b * (emu_u128)c);
    case ISA_OP_AND:
        return a & b;
    case ISA_OP_OR:
        return a | b;
    case ISA_OP_XOR:
        return a ^ b;
    case ISA_OP_NOT:
        return ~a;
    case ISA_OP_SHL:
        return (wide)((emu_u128)a << count);
    case ISA_OP_SHR:
        return (a & ones) >> count;
    case ISA_OP_ASR:
        return a >> count;
    case ISA_OP_AVG:
        return (a + b + 1) >> 1;
    case ISA_OP_SEL:
        return (in->cmod ? holds(in->cmod, a, b) : chosen) ? a : b;
    default:
        return a;
    }
}

/* ---- random instructions ------------------------------------------------ */

static const uint8_t ops[] = {ISA_OP_MOV, ISA_OP_ADD, ISA_OP_MUL, ISA_OP_AND,
                              ISA_OP_OR,  ISA_OP_XOR, ISA_OP_NOT, ISA_OP_SHL,
                              ISA_OP_SHR, ISA_OP_ASR, ISA_OP_AVG, ISA_OP_SEL,
                              ISA_OP_CMP, ISA_OP_MAD, ISA_OP_ADD, ISA_OP_MOV};

static uint32_t below(uint64_t *seed, uint32_t n)
{
    return (uint32_t)(emu_rig_random(seed) >> 33) % n;
}

/* A region whose elements stay within 4 registers. */
static struct isa_operand random_source(uint64_t *seed, uint32_t reg, uint32_t exec)
{
    static const uint8_t regions[][3] = {{8, 8, 1}, {16, 16, 1}, {0, 1, 0}, {1, 1, 0},
                                         {2, 1, 0}, {4, 4, 1},   {4, 1, 0}, {2, 2, 1},
                                         {0, 2, 1}, {8, 4, 2},   {0, 4, 1}};
    uint32_t type = int_types[below(seed, 8)];
    struct isa_operand o;

    if (below(seed, 6) == 0) {
        type = ISA_TYPE_UW + below(seed, 4);
        o = emu_rig_imm((enum isa_type)type, emu_rig_random(seed));
        o.imm &= size_of(type) == 2 ? 0xFFFF : 0xFFFFFFFF;
        return o;
    }
    for (;;) {
        const uint8_t *r = regions[below(seed, 11)];
        uint32_t last = (exec - 1) / r[1] * r[0] + (exec - 1) % r[1] * r[2];

        if ((last + 2) * size_of(type) > 256)
            continue;
        o = emu_rig_src(reg, (enum isa_type)type, r[0], r[1], r[2]);
        o.byte = (uint8_t)(below(seed, 2) * size_of(type));
        return o;
    }
}

static void random_flags(uint64_t *seed, struct isa_inst *in)
{
    in->flag = (int8_t)(below(seed, 2) * 2);
    if (in->op == ISA_OP_CMP || (in->op == ISA_OP_SEL && below(seed, 2)))
        in->cmod = (uint8_t)(in->op == ISA_OP_SEL
                                 ? (below(seed, 2) ? ISA_CMOD_LT : ISA_CMOD_GE)
                                 : ISA_CMOD_EQ + below(seed, 6));
    else if (in->op == ISA_OP_SEL || below(seed, 3) == 0)
        in->pred = ISA_PRED_SEQ;
    in->pred_inverse = in->pred && below(seed, 2);
}

/* What the reference has no opinion on: negated or absolute 64-bit values overflow,
 * saturated shifts, shifts of modified
 * values, logic on absolute values. */
static bool is_defined(const struct isa_inst *in)
{
    bool shift = in->op == ISA_OP_SHL || in->op == ISA_OP_SHR || in->op == ISA_OP_ASR;
    bool plain = in->op == ISA_OP_MOV || in->op == ISA_OP_ADD;
    bool wide_type = size_of(in->dst.type) == 8;

    for (uint32_t k = 0; k < in->nsrc; k++) {
        if ((in->src[k].mod & ISA_MOD_ABS) && in->op >= ISA_OP_NOT &&
            in->op <= ISA_OP_XOR)
            return false;
        wide_type |= size_of(in->src[k].type) == 8;
        if (in->src[k].mod && (shift || size_of(in->src[k].type) == 8))
            return false;
        if (in->op == ISA_OP_AVG && size_of(in->src[k].type) == 8)
            return false;
    }
    if (in->saturate && (shift || (wide_type && !plain)))
        return false;
    return true;
}

static struct isa_inst random_inst(uint64_t *seed)
{
    for (;;) {
        struct isa_inst in = emu_rig_inst(
            (enum isa_opcode)ops[below(seed, sizeof(ops))], 1u << below(seed, 6));
        uint32_t type = int_types[below(seed, 8)], stride = 1u << below(seed, 3);

        in.nsrc = in.op == ISA_OP_MOV || in.op == ISA_OP_NOT ? 1
                  : in.op == ISA_OP_MAD                      ? 3
                                                             : 2;
        if (in.exec_size * stride * size_of(type) > 256)
            continue;
        in.dst = emu_rig_dst(100, (enum isa_type)type, stride);
        for (uint32_t k = 0; k < in.nsrc; k++) {
            in.src[k] = random_source(seed, 20 + 10 * k, in.exec_size);
            if (below(seed, 4) == 0 && in.src[k].file == ISA_FILE_GRF)
                in.src[k].mod = (uint8_t)below(seed, 4);
        }
        in.saturate = below(seed, 5) == 0 && in.op != ISA_OP_CMP;
        in.no_mask = below(seed, 4) == 0;
        random_flags(seed, &in);
        if (is_defined(&in))
            return in;
    }
}

/* Registers after the instruction, by the reference. */
static uint32_t expect(const struct isa_inst *in, uint8_t *grf, uint32_t flag,
                       uint32_t active)
{
    uint8_t before[EMU_GRF_SIZE];
    uint32_t out = flag;
    bool logic = in->op == ISA_OP_AND || in->op == ISA_OP_OR || in->op == ISA_OP_XOR ||
                 in->op == ISA_OP_NOT;

    memcpy(before, grf, sizeof(before));
    for (uint32_t i = 0; i < in->exec_size; i++) {
        wide v[3] = {0, 0, 0}, x;
        bool bit = (flag >> i & 1) != in->pred_inverse;
        uint64_t bits;

        for (uint32_t k = 0; k < in->nsrc; k++)
            v[k] = modify(read_lane(before, &in->src[k], i), in->src[k].mod, logic);
        if (!(in->no_mask || active >> i & 1))
            continue;
        if (in->pred && in->op != ISA_OP_SEL && !bit)
            continue;
        x = compute(in, v[0], v[1], v[2], bit);
        if (in->op == ISA_OP_CMP) {
            bool is = holds(in->cmod, v[0], v[1]);

            out = (out & ~(1u << i)) | (uint32_t)is << i;
            x = is ? -1 : 0;
        }
        if (in->saturate)
            x = saturated(x, in->dst.type);
        bits = (uint64_t)x;
        memcpy(grf + in->dst.reg * 32 + i * in->dst.hstride * size_of(in->dst.type),
               &bits, size_of(in->dst.type));
    }
    return out;
}

static void random_registers(uint64_t *seed)
{
    static const uint64_t corners[] = {
        0,          1,          UINT64_MAX, UINT64_C(0x8000000000000000),
        0x7FFFFFFF, 0x80000000, 0x8000,     0x7F};

    for (uint32_t i = 0; i < EMU_GRF_SIZE; i += 8) {
        uint64_t x = below(seed, 3) ? emu_rig_random(seed) : corners[below(seed, 8)];

        memcpy(rig.t->grf + i, &x, 8);
    }
    rig.t->flag[0] = (uint32_t)emu_rig_random(seed);
    rig.t->flag[1] = (uint32_t)emu_rig_random(seed);
}

static void random_instructions_agree_with_wide_arithmetic(void **state)
{
    uint64_t seed = 20180402;
    uint8_t grf[EMU_GRF_SIZE];
    char text[160];

    (void)state;
    for (uint32_t n = 0; n < 60000; n++) {
        struct isa_inst in = random_inst(&seed);
        uint32_t active =
            below(&seed, 3) ? UINT32_MAX : (uint32_t)emu_rig_random(&seed);
        uint32_t *flag, want;

        random_registers(&seed);
        flag = &rig.t->flag[in.flag >> 1];
        memcpy(grf, rig.t->grf, sizeof(grf));
        want = expect(&in, grf, *flag, active);
        (void)isa_disasm(&in, text, sizeof(text));
        if (!emu_rig_run(&rig, &in, active))
            fail_msg("case %u: %s", n, rig.err.text);
        if (*flag != want || memcmp(grf, rig.t->grf, sizeof(grf)) != 0)
            fail_msg("case %u: %s, lanes 0x%X: flags 0x%X, expected 0x%X%s", n, text,
                     active, *flag, want, *flag == want ? "; registers differ" : "");
    }
}

/* ---- directed ----------------------------------------------------------- */

/* The value that `op` makes of one lane. */
static uint32_t one(enum isa_opcode op, enum isa_type type, uint32_t a, uint32_t b,
                    uint32_t c, uint32_t nsrc)
{
    struct isa_inst in = emu_rig_inst(op, 1);
    uint32_t v[3] = {a, b, c}, out;

    in.dst = emu_rig_dst(100, type, 1);
    in.nsrc = (uint8_t)nsrc;
    for (uint32_t k = 0; k < nsrc; k++) {
        in.src[k] = emu_rig_src(20 + k, type, 0, 1, 0);
        memcpy(rig.t->grf + (20 + k) * 32, &v[k], 4);
    }
    if (!emu_rig_run(&rig, &in, 1))
        fail_msg("%s", rig.err.text);
    memcpy(&out, rig.t->grf + 100 * 32, 4);
    return out;
}

static void bit_instructions(void **state)
{
    const enum isa_type ud = ISA_TYPE_UD, d = ISA_TYPE_D;

    (void)state;
    assert_int_equal(one(ISA_OP_CBIT, ud, 0xF0F00001, 0, 0, 1), 9);
    assert_int_equal(one(ISA_OP_FBL, ud, 0x00010100, 0, 0, 1), 8);
    assert_int_equal(one(ISA_OP_FBL, ud, 0, 0, 0, 1), 0xFFFFFFFF);
    assert_int_equal(one(ISA_OP_FBH, ud, 0x00010100, 0, 0, 1), 15);
    assert_int_equal(one(ISA_OP_FBH, ud, 0, 0, 0, 1), 0xFFFFFFFF);
    assert_int_equal(one(ISA_OP_FBH, d, 0xFFFF0000, 0, 0, 1), 16);
    assert_int_equal(one(ISA_OP_FBH, d, 0xFFFFFFFF, 0, 0, 1), 0xFFFFFFFF);
    assert_int_equal(one(ISA_OP_LZD, ud, 0, 0, 0, 1), 32);
    assert_int_equal(one(ISA_OP_LZD, ud, 0x0000FFFF, 0, 0, 1), 16);
    assert_int_equal(one(ISA_OP_BFREV, ud, 0x80000003, 0, 0, 1), 0xC0000001);
    assert_int_equal(one(ISA_OP_BFE, ud, 8, 4, 0x00000FF0, 3), 0xFF);
    assert_int_equal(one(ISA_OP_BFE, d, 8, 4, 0x00000FF0, 3), 0xFFFFFFFF);
    assert_int_equal(one(ISA_OP_BFE, ud, 0, 4, 0x00000FF0, 3), 0);
    assert_int_equal(one(ISA_OP_BFE, d, 16, 20, 0xF0000000, 3), 0xFFFFFF00);
    assert_int_equal(one(ISA_OP_BFI1, ud, 8, 12, 0, 2), 0x000FF000);
    assert_int_equal(one(ISA_OP_BFI2, ud, 0x000FF000, 0x1AB, 0x11111111, 3),
                     0x111AB111);
}

static void mul_and_mach_make_the_high_half(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (uint32_t n = 0; n < 2000; n++) {
        enum isa_type type = n & 1 ? ISA_TYPE_D : ISA_TYPE_UD;
        struct isa_inst mul = emu_rig_inst(ISA_OP_MUL, 8),
                        mach = emu_rig_inst(ISA_OP_MACH, 8);
        uint32_t a[8], b[8], hi[8], lo[8];

        for (uint32_t i = 0; i < 8; i++) {
            a[i] = (uint32_t)emu_rig_random(&seed);
            b[i] = (uint32_t)emu_rig_random(&seed);
        }
        memcpy(rig.t->grf + 20 * 32, a, 32);
        memcpy(rig.t->grf + 21 * 32, b, 32);
        mul.dst = emu_rig_dst(0, type, 1);
        mul.dst.file = ISA_FILE_ACC;
        mul.src[0] = emu_rig_packed(20, type);
        mul.src[1] = emu_rig_src(21, ISA_TYPE_UW, 2, 1, 0);
        mul.nsrc = mach.nsrc = 2;
        mach.dst = emu_rig_dst(100, ISA_TYPE_D, 1);
        mach.src[0] = emu_rig_packed(20, type);
        mach.src[1] = emu_rig_packed(21, type);
        mach.acc_wr_en = true;
        assert_true(emu_rig_run(&rig, &mul, 0xFF));
        if (!emu_rig_run(&rig, &mach, 0xFF))
            fail_msg("%s", rig.err.text);
        memcpy(hi, rig.t->grf + 100 * 32, 32);
        memcpy(lo, rig.t->acc, 32);
        for (uint32_t i = 0; i < 8; i++) {
            uint64_t product = n & 1
                                   ? (uint64_t)((int64_t)(int32_t)a[i] * (int32_t)b[i])
                                   : (uint64_t)a[i] * b[i];

            assert_int_equal(hi[i], product >> 32);
            assert_int_equal(lo[i], product & UINT32_MAX);
        }
        /* mach alone adds src0 * src1[31:16] * 2^16 to what acc0 holds */
        for (uint32_t i = 0; i < 8; i++)
            rig.t->acc_wide[i] = 0;
        assert_true(emu_rig_run(&rig, &mach, 0xFF));
        memcpy(hi, rig.t->grf + 100 * 32, 32);
        for (uint32_t i = 0; i < 8; i++) {
            int64_t top = n & 1 ? (int64_t)(int32_t)(b[i] & 0xFFFF0000)
                                : (int64_t)(b[i] & 0xFFFF0000);
            int64_t x = n & 1 ? (int64_t)(int32_t)a[i] : (int64_t)a[i];

            assert_int_equal(hi[i], (uint64_t)x * (uint64_t)top >> 32 & UINT32_MAX);
        }
    }
}

static void addc_and_subb_leave_carry_and_borrow(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_ADDC, 8);
    uint32_t a[8] = {0, 1, 0xFFFFFFFF, 0xFFFFFFFF, 5, 4, 0x80000000, 7};
    uint32_t b[8] = {0, 1, 1, 0xFFFFFFFF, 4, 5, 0x80000000, 7}, r[8], acc[8];

    (void)state;
    memcpy(rig.t->grf + 20 * 32, a, 32);
    memcpy(rig.t->grf + 21 * 32, b, 32);
    in.nsrc = 2;
    in.dst = emu_rig_dst(100, ISA_TYPE_UD, 1);
    in.src[0] = emu_rig_packed(20, ISA_TYPE_UD);
    in.src[1] = emu_rig_packed(21, ISA_TYPE_UD);
    in.acc_wr_en = true;
    for (uint32_t op = 0; op < 2; op++) {
        in.op = op ? ISA_OP_SUBB : ISA_OP_ADDC;
        assert_true(emu_rig_run(&rig, &in, 0xFF));
        memcpy(r, rig.t->grf + 100 * 32, 32);
        memcpy(acc, rig.t->acc, 32);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(r[i], op ? a[i] - b[i] : a[i] + b[i]);
            assert_int_equal(acc[i],
                             op ? a[i] < b[i] : (uint64_t)a[i] + b[i] > UINT32_MAX);
        }
    }
}

static void vector_immediates(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 16);
    int16_t w[16];
    float f[16];

    (void)state;
    in.nsrc = 1;
    in.dst = emu_rig_dst(100, ISA_TYPE_W, 1);
    in.src[0] = emu_rig_imm(ISA_TYPE_V, 0x7F89ABC1);
    assert_true(emu_rig_run(&rig, &in, 0xFFFF));
    memcpy(w, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(w[i],
                         ((const int16_t[]){1, -4, -5, -6, -7, -8, -1, 7})[i % 8]);
    in.src[0] = emu_rig_imm(ISA_TYPE_UV, 0x76543210);
    assert_true(emu_rig_run(&rig, &in, 0xFFFF));
    memcpy(w, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(w[i], i % 8);
    in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
    in.src[0] = emu_rig_imm(ISA_TYPE_VF, 0xC8003830); /* 1, 1.5, 0, -3 */
    assert_true(emu_rig_run(&rig, &in, 0xFFFF));
    memcpy(f, rig.t->grf + 3200, 64);
    for (uint32_t i = 0; i < 16; i++)
        assert_true(f[i] == ((const float[]){1.0f, 1.5f, 0.0f, -3.0f})[i % 4]);
}

static void indirect_regions(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 8);
    uint32_t out[8];

    (void)state;
    for (uint32_t i = 0; i < 1024; i++)
        memcpy(rig.t->grf + 4 * i, &i, 4);
    in.nsrc = 1;
    in.dst = emu_rig_dst(100, ISA_TYPE_UD, 1);
    in.src[0] = emu_rig_src(0, ISA_TYPE_UD, 0, 1, 0);
    in.src[0].indirect = in.src[0].vxh = true;
    in.src[0].addr_sub = 2;
    in.src[0].addr_imm = 8;
    for (uint32_t i = 0; i < 8; i++)
        rig.t->addr[2 + i] = (uint16_t)(40 * (7 - i));
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    memcpy(out, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], 10 * (7 - i) + 2);
    rig.t->addr[2 + 3] = 41034; /* of a lane that is off; it wraps round */
    rig.t->addr[2 + 6] = 0xFFFE;
    assert_true(emu_rig_run(&rig, &in, 0xB7));
    memcpy(out, rig.t->grf + 3200, 32);
    assert_int_equal(out[2], 10 * 5 + 2);
    assert_int_equal(out[7], 2);
    for (uint32_t i = 0; i < 8; i++)
        rig.t->addr[2 + i] = (uint16_t)(40 * (7 - i));
    in.src[0].width = 4; /* rows of 4 with their own address */
    in.src[0].hstride = 2;
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    memcpy(out, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], 10 * (7 - i / 4) + 2 + 2 * (i % 4));
    in.src[0] = emu_rig_src(0, ISA_TYPE_UD, 4, 4, 1);
    in.src[0].indirect = true;
    in.src[0].addr_sub = 5;
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    memcpy(out, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], 40 + i);
    rig.t->addr[5] = 4090;
    assert_false(emu_rig_run(&rig, &in, 0xFF));
    assert_non_null(strstr(rig.err.text, "indirect operand"));
}

static void indirect_destinations(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 4);
    uint32_t out[8];

    (void)state;
    memset(rig.t->grf, 0, EMU_GRF_SIZE);
    in.nsrc = 1;
    in.dst = emu_rig_dst(0, ISA_TYPE_UD, 2);
    in.dst.indirect = true;
    in.dst.addr_sub = 1;
    in.dst.addr_imm = -32;
    in.src[0] = emu_rig_imm(ISA_TYPE_UV, 0x4030201); /* dwords: every 2nd */
    rig.t->addr[1] = 1632;
    assert_true(emu_rig_run(&rig, &in, 0xB));
    memcpy(out, rig.t->grf + 1600, 32);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], ((const uint32_t[]){1, 0, 2, 0, 0, 0, 4, 0})[i]);
    rig.t->addr[1] = 4120;
    assert_false(emu_rig_run(&rig, &in, 0xF));
}

static void flag_bits_follow_the_channels(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_CMP, 16);

    (void)state;
    in.nsrc = 2;
    in.dst.file = ISA_FILE_NULL;
    in.dst.type = ISA_TYPE_D;
    in.src[0] = emu_rig_imm(ISA_TYPE_UV, 0x76543210);
    in.src[1] = emu_rig_imm(ISA_TYPE_W, 5);
    in.cmod = ISA_CMOD_GE;
    in.flag = 2;
    in.chan_offset = 16;
    rig.t->flag[1] = 0x00120034;
    assert_true(emu_rig_run(&rig, &in, 0x0FFF0000));
    assert_int_equal(rig.t->flag[1], 0x00E00034);
    in.flag = 3; /* f1.1 with M16 has no bits */
    assert_false(emu_rig_run(&rig, &in, UINT32_MAX));
}

/* Forms that the opcode does not have on Gen9, or that nothing public defines. */
static void what_gen9_does_not_have_is_refused_with_a_reason(void **state)
{
    static const struct {
        uint8_t op, type, cmod;
        const char *words;
    } refused[] = {{ISA_OP_MOVI, ISA_TYPE_F, 0, "indirect source"},
                   {ISA_OP_SMOV, ISA_TYPE_F, 0, "mask"},
                   {ISA_OP_DP4, ISA_TYPE_DF, 0, ":f only"},
                   {ISA_OP_LRP, ISA_TYPE_HF, 0, ":f only"},
                   {ISA_OP_LINE, ISA_TYPE_F, 0, "plane"},
                   {ISA_OP_SAD2, ISA_TYPE_F, 0, "bytes"},
                   {ISA_OP_AVG, ISA_TYPE_F, 0, "these types"},
                   {ISA_OP_CMP, ISA_TYPE_D, ISA_CMOD_UN, "unordered"},
                   {ISA_OP_CMP, ISA_TYPE_F, ISA_CMOD_OV, "overflow"},
                   {ISA_OP_ADDC, ISA_TYPE_UD, 0, "AccWrEn"},
                   {ISA_OP_ILLEGAL, ISA_TYPE_UD, 0, "illegal"}};

    (void)state;
    for (uint32_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        enum isa_type type = (enum isa_type)refused[i].type;
        struct isa_inst in = emu_rig_inst((enum isa_opcode)refused[i].op, 8);

        in.nsrc = 2;
        in.dst = emu_rig_dst(100, type, 1);
        in.src[0] = emu_rig_packed(20, type);
        in.src[1] = emu_rig_packed(22, type);
        in.cmod = refused[i].cmod;
        in.flag = in.cmod ? 0 : -1;
        assert_false(emu_rig_run(&rig, &in, 0xFF));
        if (strstr(rig.err.text, refused[i].words) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", rig.err.text, refused[i].words);
        assert_non_null(strstr(rig.err.text, isa_opcode_name((enum isa_opcode)in.op)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions_agree_with_wide_arithmetic),
        cmocka_unit_test(bit_instructions),
        cmocka_unit_test(mul_and_mach_make_the_high_half),
        cmocka_unit_test(addc_and_subb_leave_carry_and_borrow),
        cmocka_unit_test(vector_immediates),
        cmocka_unit_test(indirect_regions),
        cmocka_unit_test(indirect_destinations),
        cmocka_unit_test(flag_bits_follow_the_channels),
        cmocka_unit_test(what_gen9_does_not_have_is_refused_with_a_reason),
    };

    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
