/* emu_math.c - the extended math unit, and the division and root macros.
 * The hardware's approximations have no public bit-exact description; here a result
 * is computed in double and rounded once, so within half a unit of the last place
 * but for the double functions' own error. The macros are as exact as they have to
 * be: with start values of 24 bits the compiler's madm chain ends in the correctly
 * rounded quotient or root (tests/csim/test_emu_kernels.c). */
#include "emu_int.h"

#include <math.h>

/* ---- functions ---------------------------------------------------------- */

static double evaluate(uint32_t function, double x, double y)
{
    switch (function) {
    case ISA_MATH_INV:
        return 1 / x;
    case ISA_MATH_LOG:
        return log2(x);
    case ISA_MATH_EXP:
        return exp2(x);
    case ISA_MATH_SQT:
        return sqrt(x);
    case ISA_MATH_RSQT:
        return 1 / sqrt(x);
    case ISA_MATH_SIN:
        return sin(x);
    case ISA_MATH_COS:
        return cos(x);
    case ISA_MATH_FDIV:
        return x / y;
    default: /* pow is defined through log2 of the magnitude */
        return pow(fabs(x), y);
    }
}

static uint32_t math_f32(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    for (uint32_t i = 0; i < n; i++) {
        double x = (double)s[0].f[i], y = op->nsrc > 1 ? (double)s[1].f[i] : 0;
        double z = evaluate(op->math, x, y);

        if (isnan(z)) {
            uint32_t bits = 0x7FC00000;

            memcpy(&r->f[i], &bits, sizeof(bits));
        } else if (op->is_hf) {
            r->f[i] =
                emu_half_to_float(emu_double_to_half(z, (enum emu_round)t->round));
        } else {
            r->f[i] = emu_double_to_float(z, (enum emu_round)t->round);
        }
    }
    return 0;
}

/* Division by zero is undefined in OpenCL; this is all ones and the dividend. */
static uint32_t math_int(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    (void)t;
    for (uint32_t i = 0; i < n; i++) {
        int64_t x = s[0].i[i], y = s[1].i[i];
        int64_t quotient = y == 0 ? -1 : x / y;

        r->i[i] = op->math == ISA_MATH_IQOT ? quotient : y == 0 ? x : x % y;
    }
    return 0;
}

emu_alu_fn *emu_alu_math(const struct emu_op *op, enum emu_domain domain)
{
    if (op->math >= ISA_MATH_IDIV && op->math <= ISA_MATH_IREM)
        return domain == EMU_DOM_INT ? math_int : NULL;
    if (domain != EMU_DOM_F32 || op->math >= ISA_MATH_INVM ||
        op->math == ISA_MATH_NONE || op->math == 8)
        return NULL;
    return math_f32;
}

/* ---- macros: operands with a wider exponent ----------------------------- */

static uint64_t raw_element(const struct emu_thread *t, const struct emu_src *s,
                            uint32_t i)
{
    const uint8_t *p = (const uint8_t *)t + s->off;

    if (s->region == EMU_REG_LINEAR)
        p += (int32_t)i * s->stride;
    if (s->type == ISA_TYPE_DF)
        return *(const emu_uq *)p;
    return *(const emu_ud *)p;
}

static struct emu_num macro_source(const struct emu_thread *t, const struct emu_op *op,
                                   uint32_t k, uint32_t i)
{
    const struct emu_src *s = &op->src[k];
    struct emu_num n;

    if (s->mme >= 0 && s->mme < EMU_MME_COUNT)
        n = t->mme[s->mme][i];
    else
        n = emu_num_unpack(raw_element(t, s, i), (enum isa_type)s->type);
    if (s->mod & ISA_MOD_ABS)
        n.sign = false;
    if (s->mod & ISA_MOD_NEG)
        n.sign = !n.sign;
    return n;
}

static void macro_store(struct emu_thread *t, const struct emu_op *op, uint32_t i,
                        struct emu_num n)
{
    enum isa_type type = (enum isa_type)op->dst.type;
    enum emu_round round = (enum emu_round)t->round;
    uint8_t *p = (uint8_t *)t + op->dst.off;
    uint64_t bits;

    if (op->dst.mme >= 0 && op->dst.mme < EMU_MME_COUNT) {
        n = emu_num_trim(n, type, round);
        t->mme[op->dst.mme][i] = n;
    }
    bits = emu_num_pack(&n, type, round);
    if (type == ISA_TYPE_DF)
        *(emu_uq *)(p + i * 8) = bits;
    else
        *(emu_ud *)(p + i * 4) = (uint32_t)bits;
}

/* The mantissa as a double in [1, 2). */
static double mantissa(const struct emu_num *n)
{
    return (double)(uint64_t)(n->mant >> 75) * 0x1p-52;
}

/* 24 bits of x in [0.5, 1], scaled. An inverse is rounded up: the chain of 1 / b with
 * a mantissa of all ones would end one below from a start value that is too small. */
static struct emu_num from_double(double x, int32_t exp, bool sign, bool up)
{
    struct emu_num n;
    float start = (float)x;
    uint32_t bits;

    if (up && (double)start < x)
        start = nextafterf(start, 2);
    memcpy(&bits, &start, sizeof(bits));
    n = emu_num_unpack(bits, ISA_TYPE_F);
    n.exp += exp;
    n.sign = sign;
    return n;
}

/* Start value of 1 / b, or the whole quotient when an operand is zero, infinite or
 * NaN. Returns whether it is the latter. */
static bool start_inverse(const struct emu_num *a, const struct emu_num *b,
                          struct emu_num *out)
{
    bool sign = a->sign != b->sign;

    if (a->cls == EMU_FINITE && b->cls == EMU_FINITE) {
        *out = from_double(1 / mantissa(b), -b->exp, b->sign, true);
        return false;
    }
    if (a->cls == EMU_NAN || b->cls == EMU_NAN || (a->cls == b->cls))
        *out = (struct emu_num){EMU_NAN, false, 0, 0};
    else if (a->cls == EMU_INF || b->cls == EMU_ZERO)
        *out = (struct emu_num){EMU_INF, sign, 0, 0};
    else
        *out = (struct emu_num){EMU_ZERO, sign, 0, 0};
    return true;
}

/* Start value of 1 / sqrt(x), or the whole root for zero, infinite, NaN, negative. */
static bool start_root(const struct emu_num *x, struct emu_num *out)
{
    int32_t odd = x->exp & 1;

    if (x->cls == EMU_FINITE && !x->sign) {
        *out = from_double(1 / sqrt(mantissa(x) * (odd ? 2 : 1)), -(x->exp - odd) / 2,
                           false, false);
        return false;
    }
    *out = *x;
    if (x->cls == EMU_NAN || (x->sign && x->cls != EMU_ZERO))
        *out = (struct emu_num){EMU_NAN, false, 0, 0};
    return true;
}

/* A lane that a macro starts: early out sets its flag bit. */
static bool start(struct emu_thread *t, const struct emu_op *op, uint32_t i,
                  struct emu_num *out)
{
    struct emu_num x = macro_source(t, op, 0, i), y;

    if (op->math == ISA_MATH_RSQTM)
        return start_root(&x, out);
    y = macro_source(t, op, 1, i);
    return start_inverse(&x, &y, out);
}

void emu_exec_macro(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    struct emu_num out[EMU_LANES];
    uint32_t early = 0;

    for (uint32_t i = 0; i < op->exec; i++) {
        if (!(mask >> i & 1))
            continue;
        if (op->opcode == ISA_OP_MATH) {
            early |= (uint32_t)start(t, op, i, &out[i]) << i;
        } else {
            struct emu_num c = macro_source(t, op, 0, i);
            struct emu_num a = macro_source(t, op, 1, i);
            struct emu_num b = macro_source(t, op, 2, i);

            out[i] = emu_num_fma(&a, &b, &c, (enum emu_round)t->round);
        }
    }
    for (uint32_t i = 0; i < op->exec; i++)
        if (mask >> i & 1)
            macro_store(t, op, i, out[i]);
    if (op->cmod == ISA_CMOD_EO)
        emu_set_flags(t, op, mask, early);
}
