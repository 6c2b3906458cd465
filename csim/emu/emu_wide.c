/* emu_wide.c - integer instructions that 64-bit lanes cannot hold: saturation and
 * overflow of sums, products, shifts and logic, averages, and comparisons of unsigned
 * with signed 64-bit values. */
#include "emu_int.h"

/* A source's value. Its modifiers were applied in 64 bits: a negated uq lost its sign,
 * and the negated or absolute least q its magnitude. */
static emu_i128 widen(const struct emu_src *src, int64_t value)
{
    bool negated = (src->mod & ISA_MOD_NEG) != 0;

    if (src->type == ISA_TYPE_UQ && !negated)
        return (emu_i128)(uint64_t)value;
    if (src->type == ISA_TYPE_UQ)
        return value == 0 ? 0 : (emu_i128)(uint64_t)value - ((emu_i128)1 << 64);
    if (value == INT64_MIN && (src->mod == ISA_MOD_NEG || src->mod == ISA_MOD_ABS))
        return -(emu_i128)value;
    return value;
}

static emu_i128 source(const struct emu_op *op, const union emu_lanes *s, uint32_t k,
                       uint32_t i)
{
    return widen(&op->src[k], s[k].i[i]);
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
    if (!op->saturate)
        return (int64_t)(uint64_t)x;
    return clamp(x, op->dst.type == ISA_TYPE_UQ ? ISA_TYPE_UQ : ISA_TYPE_Q);
}

emu_i128 emu_wide_value(const struct emu_op *op, uint32_t k, int64_t value)
{
    return widen(&op->src[k], value);
}

int64_t emu_wide_clamp(const struct emu_op *op, uint32_t k, int64_t value)
{
    return result(op, widen(&op->src[k], value));
}

/* Does the destination's type hold x? */
static bool value_fits(const struct emu_op *op, emu_i128 x)
{
    enum isa_type type = (enum isa_type)op->dst.type;
    uint32_t bits = 8 * isa_type_bytes(type);

    if (isa_type_is_signed(type))
        return x >= -((emu_i128)1 << (bits - 1)) && x < (emu_i128)1 << (bits - 1);
    return x >= 0 && x < (emu_i128)1 << bits;
}

/* A source of logic, whose modifier inverts. The inverse of a uq is negative, as that
 * of any unsigned value; the lane has lost its sign. */
static emu_i128 pattern(const struct emu_op *op, const union emu_lanes *s, uint32_t k,
                        uint32_t i)
{
    const struct emu_src *src = &op->src[k];

    if (src->type != ISA_TYPE_UQ)
        return s[k].i[i];
    return (emu_i128)(uint64_t)s[k].i[i] - (src->mod ? (emu_i128)1 << 64 : 0);
}

static emu_i128 logic(const struct emu_op *op, const union emu_lanes *s, uint32_t i)
{
    emu_i128 x = pattern(op, s, 0, i), y = op->nsrc > 1 ? pattern(op, s, 1, i) : 0;

    switch (op->opcode) {
    case ISA_OP_AND:
        return x & y;
    case ISA_OP_OR:
        return x | y;
    case ISA_OP_XOR:
        return x ^ y;
    default:
        return ~x;
    }
}

static emu_i128 compute(const struct emu_op *op, const union emu_lanes *s, uint32_t i)
{
    emu_i128 x = source(op, s, 0, i);

    switch (op->opcode) {
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_NOT:
        return logic(op, s, i);
    case ISA_OP_AVG:
        return (x + source(op, s, 1, i) + 1) >> 1;
    case ISA_OP_ADD:
        return x + source(op, s, 1, i);
    case ISA_OP_MUL:
        return x * source(op, s, 1, i);
    case ISA_OP_MAD:
        return x + source(op, s, 1, i) * source(op, s, 2, i);
    case ISA_OP_SHL:
        return (emu_i128)((emu_u128)x << (s[1].i[i] & (op->is64 ? 63 : 31)));
    case ISA_OP_SHR:
        return (uint64_t)x >> (s[1].i[i] & (op->is64 ? 63 : 31));
    case ISA_OP_ASR:
        return x >> (s[1].i[i] & (op->is64 ? 63 : 31));
    default:
        return x;
    }
}

/* Returns the lanes whose result the destination does not hold. */
static uint32_t wide_arith(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                           union emu_lanes *r, const union emu_lanes *s)
{
    uint32_t over = 0;

    (void)t;
    for (uint32_t i = 0; i < n; i++) {
        emu_i128 x = compute(op, s, i);

        over |= (uint32_t)!value_fits(op, x) << i;
        r->i[i] = result(op, x);
    }
    return over;
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
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = holds(op->cmod, source(op, s, 0, i), source(op, s, 1, i)) ? 0 : 1;

        r->i[i] = emu_wide_clamp(op, k, s[k].i[i]);
    }
    return 0;
}

emu_alu_fn *emu_alu_wide(const struct emu_op *op)
{
    bool mixed = op->nsrc == 2 &&
                 (op->src[0].type == ISA_TYPE_UQ || op->src[1].type == ISA_TYPE_UQ ||
                  op->src[0].mod || op->src[1].mod);

    switch (op->opcode) {
    case ISA_OP_CMP:
    case ISA_OP_CMPN:
        return mixed ? wide_cmp : NULL;
    case ISA_OP_SEL:
        return op->cmod && (mixed || op->saturate) ? wide_sel : NULL;
    case ISA_OP_SHR: /* narrower values keep to themselves in 64 bits */
        return op->saturate && isa_type_bytes((enum isa_type)op->src[0].type) == 8
                   ? wide_arith
                   : NULL;
    case ISA_OP_ASR:
        return op->saturate || op->src[0].mod ? wide_arith : NULL;
    case ISA_OP_AVG:
        return wide_arith;
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_NOT:
        return op->saturate ? wide_arith : NULL;
    case ISA_OP_MOV:
    case ISA_OP_ADD:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_SHL:
        return op->saturate || op->cmod == ISA_CMOD_OV ? wide_arith : NULL;
    default:
        return NULL;
    }
}
