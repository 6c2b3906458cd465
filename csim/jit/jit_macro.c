/* jit_macro.c - the macro of a double's division: its start (math.invm) and madm, whose
 * operands are macro registers with a wider exponent. While numbers are near (zero, or
 * exponents to 255) a macro register is a double, and all is the host's arithmetic:
 *
 * - A product of two such has bits from 2^-614 on, a sum with a third one as well:
 * fma() rounds once and is zero or normal, as exact arithmetic of any exponent would
 * be.
 * - A start is made of the exactly rounded 1 / b (see start_inverse()).
 *
 * What is not near, and a divisor that is zero, leaves the segment: emu_madm.c and
 * emu_macro.c, which this is the same as, have it then. Four lanes are a vector. */
#include "jit_int.h"

enum { WIDTH = JIT_MACRO_LANES, BIAS = 1023, FRACTION = 52 };

static LLVMTypeRef doubles(const struct jit_gen *g)
{
    return jit_vector(LLVMDoubleTypeInContext(g->context), WIDTH);
}

static LLVMTypeRef words(const struct jit_gen *g)
{
    return jit_vector(g->i64, WIDTH);
}

static LLVMValueRef all_of(struct jit_gen *g, uint64_t bits)
{
    return jit_splat_int(g, g->i64, bits, WIDTH);
}

static LLVMValueRef number(struct jit_gen *g, double x)
{
    LLVMValueRef each[WIDTH];

    for (uint32_t i = 0; i < WIDTH; i++)
        each[i] = LLVMConstReal(LLVMDoubleTypeInContext(g->context), x);
    return LLVMConstVector(each, WIDTH);
}

/* ---- what is legal ----------------------------------------------------------- */

bool jit_is_macro(const struct jit_inst *in)
{
    return in->inst->op == ISA_OP_MADM ||
           (in->inst->op == ISA_OP_MATH && in->inst->math >= ISA_MATH_INVM);
}

static bool is_packed(const struct jit_lanes *d, uint32_t n)
{
    bool packed = d->where == JIT_REGISTERS;

    for (uint32_t i = 1; i < n; i++)
        packed = packed && d->at[i] == d->at[0] + 8 * (int32_t)i;
    return packed;
}

bool jit_macro_is_inline(const struct jit_gen *g, const struct jit_inst *in)
{
    uint32_t n = in->inst->exec_size, cmod = in->inst->cmod;
    bool start = in->inst->op == ISA_OP_MATH;

    if (start && in->inst->math != ISA_MATH_INVM)
        return false;
    return g->has_fused && in->dst.type == ISA_TYPE_DF && (n == 4 || n == 8) &&
           in->nsrc == (start ? 2 : 3) && is_packed(&in->dst, n) &&
           (cmod == ISA_CMOD_NONE || (start && cmod == ISA_CMOD_EO));
}

/* ---- macro registers ----------------------------------------------------------- */

static bool is_mme(int32_t mme)
{
    return mme >= 0 && mme < ISA_MME_NOMME;
}

static uint32_t mme_at(const struct jit_gen *g, uint32_t mme)
{
    return g->k->layout.mme + mme * g->k->layout.mme_bytes;
}

static struct jit_mme *load_mme(struct jit_gen *g, uint32_t mme, uint32_t part)
{
    struct jit_mme *m = &g->mme[mme];
    uint32_t at = mme_at(g, mme);

    if (m->near == NULL)
        m->near = jit_load(g, g->thread, at + g->k->layout.mme_near, g->i32);
    if (m->value[part] == NULL)
        m->value[part] = jit_load(
            g, g->thread, at + g->k->layout.mme_value + 8 * WIDTH * part, doubles(g));
    return m;
}

void jit_macros_back(struct jit_gen *g)
{
    for (uint32_t i = 0; i < JIT_MMES; i++) {
        struct jit_mme *m = &g->mme[i];
        uint32_t at = mme_at(g, i);

        for (uint32_t part = 0; part < JIT_MACRO_PARTS; part++)
            if (m->dirty[part])
                jit_store(g, g->thread, at + g->k->layout.mme_value + 8 * WIDTH * part,
                          m->value[part]);
        if (m->dirty[0] || m->dirty[1])
            jit_store(g, g->thread, at + g->k->layout.mme_near, m->near);
        m->dirty[0] = m->dirty[1] = false;
    }
}

/* ---- what is near ---------------------------------------------------------------- */

static LLVMValueRef magnitude(struct jit_gen *g, LLVMValueRef v)
{
    v = LLVMBuildAnd(g->b, jit_cast(g, v, words(g)), all_of(g, INT64_MAX), "");
    return jit_cast(g, v, doubles(g));
}

/* Lanes that are not near make the segment odd; NaNs are not. */
static void must_be_near(struct jit_gen *g, LLVMValueRef v)
{
    LLVMValueRef size = magnitude(g, v), near, zero;

    near = LLVMBuildFCmp(g->b, LLVMRealOGE, size, number(g, 0x1p-255), "");
    zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, v, LLVMConstNull(doubles(g)), "");
    near = LLVMBuildOr(g->b, near, zero, "");
    near = LLVMBuildAnd(
        g->b, near, LLVMBuildFCmp(g->b, LLVMRealOLT, size, number(g, 0x1p256), ""), "");
    jit_macro_odd(g, LLVMBuildNot(g->b, near, ""));
}

/* The lanes of a part, in a word of an instruction's or a register's lanes. */
static LLVMValueRef part_of(struct jit_gen *g, LLVMValueRef lanes, uint32_t part)
{
    return LLVMBuildAnd(g->b, lanes, jit_u32(g, 0xFu << WIDTH * part), "");
}

struct macro {
    const struct jit_inst *in;
    uint32_t part;
    LLVMValueRef lanes, mask; /* that are on: i32, and <4 x i1> of this part */
};

static LLVMValueRef modify(struct jit_gen *g, const struct jit_lanes *s, LLVMValueRef v)
{
    if (s->mod & ISA_MOD_ABS)
        v = magnitude(g, v);
    return s->mod & ISA_MOD_NEG ? LLVMBuildFNeg(g->b, v, "") : v;
}

static LLVMValueRef source(struct jit_gen *g, const struct macro *c, uint32_t k)
{
    const struct jit_lanes *s = &c->in->src[k];
    int32_t mme = c->in->inst->src[k].mme;
    LLVMValueRef v, far;
    struct jit_mme *m;

    if (is_mme(mme)) {
        m = load_mme(g, (uint32_t)mme, c->part);
        v = m->value[c->part];
        far = LLVMBuildAnd(g->b, c->lanes, LLVMBuildNot(g->b, m->near, ""), "");
        if (m->known[c->part] != c->lanes)
            jit_make_odd_bits(g, part_of(g, far, c->part));
    } else {
        v = jit_cast(g, jit_read(g, s, WIDTH * c->part, WIDTH), doubles(g));
        v = jit_zero_off(g, v, c->mask); /* that is near */
        must_be_near(g, v);
    }
    return modify(g, s, v);
}

static void store(struct jit_gen *g, const struct macro *c, LLVMValueRef v)
{
    int32_t mme = c->in->inst->dst.mme;
    bool all = jit_is(c->lanes, c->in->full);
    struct jit_mme *m;

    jit_write(g, &c->in->dst, WIDTH * c->part, WIDTH, jit_cast(g, v, words(g)),
              all ? NULL : c->mask);
    if (!is_mme(mme))
        return;
    m = load_mme(g, (uint32_t)mme, c->part);
    must_be_near(g, jit_zero_off(g, v, c->mask));
    m->near = LLVMBuildOr(g->b, m->near, part_of(g, c->lanes, c->part), "");
    m->value[c->part] =
        all ? v : LLVMBuildSelect(g->b, c->mask, v, m->value[c->part], "");
    m->dirty[c->part] = true;
    m->known[c->part] = c->lanes;
}

/* ---- the start --------------------------------------------------------------------
 */

/* 1 / b, rounded up to 24 bits, without b's exponent and sign: a whole number of 2^-40,
 * a double. The emulator takes it of b's first 32 bits from a table, in those units,
 * adds UP and cuts 16 bits off. The table's is within 45 of the inverse (for all 2^31:
 * tests/fpu/test_math_macros.c), the host's within one: where MARGIN more or less cut
 * the same, that is it. Others are in *near. */
static LLVMValueRef rounded_inverse(struct jit_gen *g, LLVMValueRef bits,
                                    LLVMValueRef *near)
{
    enum { UP = 64 + 0xFFFF, CUT = 0xFFFF, MARGIN = 64 };

    LLVMValueRef base = number(g, 0x1p52), v, low;

    v = LLVMBuildAnd(g->b, bits, all_of(g, 0x000FFFFFFFE00000), "");
    v = LLVMBuildOr(g->b, v, all_of(g, (uint64_t)BIAS << FRACTION), "");
    v = LLVMBuildFDiv(g->b, number(g, 1), jit_cast(g, v, doubles(g)), "");
    v = LLVMBuildFMul(g->b, v, number(g, 0x1p40), "");
    v = LLVMBuildFAdd(g->b, v, number(g, UP), "");
    v = jit_cast(g, LLVMBuildFAdd(g->b, v, base, ""), words(g)); /* units: its bits */
    low = LLVMBuildAdd(g->b, v, all_of(g, MARGIN), "");
    low = LLVMBuildAnd(g->b, low, all_of(g, CUT), "");
    *near = LLVMBuildICmp(g->b, LLVMIntSLT, low, all_of(g, 2 * MARGIN), "");
    v = LLVMBuildAnd(g->b, v, all_of(g, ~(uint64_t)CUT), "");
    return LLVMBuildFSub(g->b, jit_cast(g, v, doubles(g)), base, "");
}

/* What a division by b starts with. */
static LLVMValueRef start_inverse(struct jit_gen *g, LLVMValueRef b, LLVMValueRef mask)
{
    enum { UNIT = 40 };

    LLVMValueRef bits = jit_cast(g, b, words(g)), near, v, exp, sign;
    struct jit_question start = {.call = JIT_CALL_START, .x = bits};

    v = rounded_inverse(g, bits, &near);
    exp = LLVMBuildAnd(g->b, bits, all_of(g, UINT64_C(0x7FF) << FRACTION), "");
    exp =
        LLVMBuildSub(g->b, all_of(g, (uint64_t)(2 * BIAS - UNIT) << FRACTION), exp, "");
    v = LLVMBuildFMul(g->b, v, jit_cast(g, exp, doubles(g)), "");
    sign = LLVMBuildAnd(g->b, bits, all_of(g, (uint64_t)1 << 63), "");
    v = LLVMBuildOr(g->b, jit_cast(g, v, words(g)), sign, "");
    v = jit_ask_lanes(g, &start, v, LLVMBuildAnd(g->b, near, mask, ""));
    return jit_cast(g, v, doubles(g));
}

/* A dividend that is zero is over at once: a zero with the quotient's sign, and a bit
 * in *early. A divisor that is zero is the emulator's. */
static LLVMValueRef start(struct jit_gen *g, const struct macro *c, LLVMValueRef *early)
{
    LLVMValueRef a = source(g, c, 0), b = source(g, c, 1), none, sign;
    LLVMValueRef null = LLVMConstNull(doubles(g));

    none = LLVMBuildFCmp(g->b, LLVMRealOEQ, b, null, "");
    jit_macro_odd(g, LLVMBuildAnd(g->b, none, c->mask, ""));
    *early = LLVMBuildFCmp(g->b, LLVMRealOEQ, a, null, "");
    sign = LLVMBuildXor(g->b, jit_cast(g, a, words(g)), jit_cast(g, b, words(g)), "");
    sign = LLVMBuildAnd(g->b, sign, all_of(g, (uint64_t)1 << 63), "");
    return LLVMBuildSelect(g->b, *early, jit_cast(g, sign, doubles(g)),
                           start_inverse(g, b, c->mask), "");
}

/* ---- both --------------------------------------------------------------------------
 */

static LLVMValueRef fused(struct jit_gen *g, const struct macro *c)
{
    LLVMValueRef args[3];
    LLVMTypeRef type = doubles(g);

    args[2] = source(g, c, 0);
    args[0] = source(g, c, 1);
    args[1] = source(g, c, 2);
    return jit_intrinsic(g, "llvm.fma", &type, 1, args, 3);
}

void jit_macro(struct jit_gen *g, const struct jit_inst *in)
{
    struct macro c = {.in = in, .lanes = jit_enabled(g, in)};
    LLVMValueRef v[JIT_MACRO_PARTS], early = NULL, flags = jit_u32(g, 0), bits;
    uint32_t parts = in->inst->exec_size / WIDTH;

    g->needs_mode = true;
    jit_count(g, in, c.lanes);
    for (c.part = 0; c.part < parts; c.part++) { /* all is read.. */
        c.mask = jit_to_mask(g, c.lanes, WIDTH * c.part, WIDTH);
        if (in->inst->op == ISA_OP_MADM) {
            v[c.part] = fused(g, &c);
            continue;
        }
        v[c.part] = start(g, &c, &early);
        bits = jit_to_bits(g, early);
        bits = LLVMBuildShl(g->b, bits, jit_u32(g, WIDTH * c.part), "");
        flags = LLVMBuildOr(g->b, flags, bits, "");
    }
    for (c.part = 0; c.part < parts; c.part++) { /* ..before any is written */
        c.mask = jit_to_mask(g, c.lanes, WIDTH * c.part, WIDTH);
        store(g, &c, v[c.part]);
    }
    if (in->inst->cmod == ISA_CMOD_EO)
        jit_set_flags(g, in, c.lanes, flags);
}
