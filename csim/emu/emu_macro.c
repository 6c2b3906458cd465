/* emu_macro.c - the division and root macros, whose operands have a wider exponent.
 * They start from the tables of csim/fpu with 24 bits: from there the compiler's madm
 * chain ends in the correctly rounded quotient or root (tests/fpu/test_math_macros.c,
 * tests/csim/test_emu_kernels.c). What follows is for any number; emu_madm.c is most of
 * them. */
#include "emu_int.h"

#include <stdlib.h>

#include "igpu/fpu_math.h"

/* ---- registers ---------------------------------------------------------- */

static uint64_t double_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

struct emu_num emu_mme_number(const struct emu_mme *m, uint32_t i)
{
    if (m->near >> i & 1)
        return emu_num_unpack(double_bits(m->value[i]), ISA_TYPE_DF);
    return m->number[i];
}

void emu_mme_put(struct emu_mme *m, uint32_t i, struct emu_num n)
{
    bool near = n.cls == EMU_ZERO || (n.cls == EMU_FINITE && abs(n.exp) <= EMU_NEAR);
    uint64_t bits = near ? emu_num_pack(&n, ISA_TYPE_DF, EMU_RNE) : 0;

    m->near = (m->near & ~(1u << i)) | (uint32_t)near << i;
    if (near)
        memcpy(&m->value[i], &bits, sizeof(bits));
    else
        m->number[i] = n;
}

/* ---- operands ----------------------------------------------------------- */

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

struct emu_num emu_macro_source(const struct emu_thread *t, const struct emu_op *op,
                                uint32_t k, uint32_t i)
{
    const struct emu_src *s = &op->src[k];

    if (emu_is_mme(s->mme))
        return emu_mme_number(&t->mme[s->mme], i);
    return emu_num_unpack(raw_element(t, s, i), (enum isa_type)s->type);
}

static struct emu_num macro_source(const struct emu_thread *t, const struct emu_op *op,
                                   uint32_t k, uint32_t i)
{
    const struct emu_src *s = &op->src[k];
    struct emu_num n = emu_macro_source(t, op, k, i);

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

    if (emu_is_mme(op->dst.mme)) {
        n = emu_num_trim(n, type, round);
        emu_mme_put(&t->mme[op->dst.mme], i, n);
    }
    bits = emu_num_pack(&n, type, round);
    if (type == ISA_TYPE_DF)
        *(emu_uq *)(p + i * 8) = bits;
    else
        *(emu_ud *)(p + i * 4) = (uint32_t)bits;
}

/* start / 2^24 * 2^exp */
static struct emu_num start_value(uint32_t start, int32_t exp, bool sign)
{
    struct emu_num n = emu_num_from_int(start, sign);

    n.exp += exp - 24;
    return n;
}

struct emu_num emu_inverse_start(const struct emu_num *b)
{
    return start_value(fpu_math_start_inverse((uint64_t)(b->mant >> 64)), -b->exp,
                       b->sign);
}

/* Start value of 1 / b, or the whole quotient when an operand is zero, infinite or
 * NaN. Returns whether it is the latter. */
static bool start_inverse(const struct emu_num *a, const struct emu_num *b,
                          struct emu_num *out)
{
    bool sign = a->sign != b->sign;

    if (a->cls == EMU_FINITE && b->cls == EMU_FINITE) {
        *out = emu_inverse_start(b);
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
    bool odd = x->exp & 1;

    if (x->cls == EMU_FINITE && !x->sign) {
        *out = start_value(fpu_math_start_root((uint64_t)(x->mant >> 64), odd),
                           -(x->exp - odd) / 2, false);
        return false;
    }
    *out = *x;
    if (x->cls == EMU_NAN || (x->sign && x->cls != EMU_ZERO))
        *out = (struct emu_num){EMU_NAN, false, 0, 0};
    return true;
}

/* A lane that a macro starts: early out sets its flag bit. */
static bool macro_start(struct emu_thread *t, const struct emu_op *op, uint32_t i,
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
            early |= (uint32_t)macro_start(t, op, i, &out[i]) << i;
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
