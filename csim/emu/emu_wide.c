/* emu_wide.c - integer instructions that 64-bit lanes cannot hold: saturation of
 * sums and products, and comparisons of unsigned with signed 64-bit values. */
#include "emu_int.h"

static emu_i128 widen(int64_t value, uint32_t type, bool is_plain)
{
    if (type == ISA_TYPE_UQ && is_plain)
        return (emu_i128)(uint64_t)value;
    return value;
}

static emu_i128 source(const struct emu_op *op, const union emu_lanes *s, uint32_t k,
                       uint32_t i)
{
    const struct emu_src *src = &op->src[k];

    /* Modifiers were applied in 64 bits; a negated uq is negative. */
    return widen(s[k].i[i], src->type, src->mod == ISA_MOD_NONE);
}

static int64_t clamp(emu_i128 x, uint32_t type)
{
    if (type == ISA_TYPE_UQ)
        return x < 0 ? 0 : x > UINT64_MAX ? -1 : (int64_t)(uint64_t)x;
    return x < INT64_MIN ? INT64_MIN : x > INT64_MAX ? INT64_MAX : (int64_t)x;
}

/* For narrower destinations emu_store() clamps again; that must see the sign. */
static int64_t result(const struct emu_op *op, emu_i128 x)
{
    return clamp(x, op->dst.type == ISA_TYPE_UQ ? ISA_TYPE_UQ : ISA_TYPE_Q);
}

static uint32_t wide_arith(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                           union emu_lanes *r, const union emu_lanes *s)
{
    (void)t;
    for (uint32_t i = 0; i < n; i++) {
        emu_i128 x = source(op, s, 0, i);

        if (op->opcode == ISA_OP_ADD)
            x += source(op, s, 1, i);
        else if (op->opcode == ISA_OP_MUL)
            x *= source(op, s, 1, i);
        else if (op->opcode == ISA_OP_MAD)
            x += source(op, s, 1, i) * source(op, s, 2, i);
        r->i[i] = result(op, x);
    }
    return 0;
}

static bool holds(uint32_t cmod, emu_i128 a, emu_i128 b)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return a == b;
    case ISA_CMOD_NE:
        return a != b;
    case ISA_CMOD_GT:
        return a > b;
    case ISA_CMOD_GE:
        return a >= b;
    case ISA_CMOD_LT:
        return a < b;
    default:
        return a <= b;
    }
}

static uint32_t wide_cmp(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    uint32_t bits = 0;

    (void)t, (void)r;
    for (uint32_t i = 0; i < n; i++)
        bits |= (uint32_t)holds(op->cmod, source(op, s, 0, i), source(op, s, 1, i))
                << i;
    return bits;
}

static uint32_t wide_sel(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    (void)t;
    for (uint32_t i = 0; i < n; i++)
        r->i[i] = holds(op->cmod, source(op, s, 0, i), source(op, s, 1, i)) ? s[0].i[i]
                                                                            : s[1].i[i];
    return 0;
}

emu_alu_fn *emu_alu_wide(const struct emu_op *op)
{
    bool mixed = op->nsrc == 2 &&
                 (op->src[0].type == ISA_TYPE_UQ) != (op->src[1].type == ISA_TYPE_UQ);

    if (mixed && op->opcode == ISA_OP_CMP)
        return wide_cmp;
    if (mixed && op->opcode == ISA_OP_SEL && op->cmod)
        return wide_sel;
    if (op->saturate && (op->opcode == ISA_OP_MOV || op->opcode == ISA_OP_ADD ||
                         op->opcode == ISA_OP_MUL || op->opcode == ISA_OP_MAD))
        return wide_arith;
    return NULL;
}
