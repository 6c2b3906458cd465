/* fpu_oracle_int.c - integer operations by their definitions, on exact values. */
#include "fpu_oracle_int.h"

#include "tests/csim/isa_oracle.h"

typedef oracle_int i128;
typedef oracle_uint u128;

static uint32_t bits_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type) * 8;
}

static i128 most_of(uint32_t type)
{
    return ((i128)1 << (bits_of(type) - isa_type_is_signed((enum isa_type)type))) - 1;
}

static i128 least_of(uint32_t type)
{
    return isa_type_is_signed((enum isa_type)type) ? -most_of(type) - 1 : 0;
}

static uint64_t wrap(i128 x, uint32_t type)
{
    return (uint64_t)((u128)x & (((u128)1 << bits_of(type)) - 1));
}

/* The type's value of these bits. */
static i128 value_of(uint64_t bits, uint32_t type)
{
    i128 x = (i128)wrap((i128)bits, type);

    if (isa_type_is_signed((enum isa_type)type) && x > most_of(type))
        x -= (i128)1 << bits_of(type);
    return x;
}

static bool is_logic(uint32_t op)
{
    return op == IGPU_FPU_OP_AND || op == IGPU_FPU_OP_OR || op == IGPU_FPU_OP_XOR ||
           op == IGPU_FPU_OP_NOT;
}

static i128 source(const struct fpu_case *c, uint32_t k)
{
    i128 x = value_of(c->src[k], c->op.stype[k]);

    if (is_logic(c->op.op))
        return c->op.mod[k] & ISA_MOD_NEG ? ~x : x;
    if ((c->op.mod[k] & ISA_MOD_ABS) && x < 0)
        x = -x;
    return c->op.mod[k] & ISA_MOD_NEG ? -x : x;
}

/* ---- bits --------------------------------------------------------------- */

static uint32_t count_of(uint32_t x)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < 32; i++)
        n += x >> i & 1;
    return n;
}

static uint32_t reversed(uint32_t x)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}

/* Number of the first bit equal to `bit` from the top (or the bottom); 32: none. */
static uint32_t first(uint32_t x, uint32_t bit, bool from_top)
{
    for (uint32_t i = 0; i < 32; i++)
        if ((x >> (from_top ? 31 - i : i) & 1) == bit)
            return i;
    return 32;
}

static uint32_t none_is_ones(uint32_t i)
{
    return i == 32 ? UINT32_MAX : i;
}

static i128 extract(uint32_t width, uint32_t offset, uint32_t x, bool is_signed)
{
    uint32_t end;
    i128 out = 0;

    width &= 31;
    offset &= 31;
    end = offset + width > 32 ? 32 : offset + width;
    for (uint32_t i = offset; i < end; i++)
        out |= (i128)(x >> i & 1) << (i - offset);
    if (is_signed && width != 0 && (x >> (end - 1) & 1))
        out -= (i128)1 << (end - offset);
    return out;
}

static uint32_t mask_of(uint32_t width, uint32_t offset)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < 32; i++)
        if (i >= (offset & 31) && i < (offset & 31) + (width & 31))
            out |= (uint32_t)1 << i;
    return out;
}

static uint32_t insert(uint32_t mask, uint32_t value, uint32_t base)
{
    uint32_t low = first(mask, 1, false);

    return (base & ~mask) | (low == 32 ? 0 : value << low & mask);
}

static i128 bit_result(const struct fpu_case *c, const i128 *s)
{
    uint32_t x = (uint32_t)(u128)s[0], y = (uint32_t)(u128)s[1];
    bool is_signed = c->op.stype[0] == ISA_TYPE_D;

    switch (c->op.op) {
    case IGPU_FPU_OP_BFE:
        return extract(x, y, (uint32_t)(u128)s[2], c->op.dtype == ISA_TYPE_D);
    case IGPU_FPU_OP_BFI1:
        return mask_of(x, y);
    case IGPU_FPU_OP_BFI2:
        return insert(x, y, (uint32_t)(u128)s[2]);
    case IGPU_FPU_OP_BFREV:
        return reversed(x);
    case IGPU_FPU_OP_CBIT:
        return count_of(x);
    case IGPU_FPU_OP_FBH:
        return none_is_ones(first(x, is_signed && x >> 31 ? 0 : 1, true));
    case IGPU_FPU_OP_FBL:
        return none_is_ones(first(x, 1, false));
    default:
        return first(x, 1, true);
    }
}

/* ---- the rest ----------------------------------------------------------- */

static i128 shifted(const struct fpu_case *c, const i128 *s)
{
    bool wide = bits_of(c->op.dtype) == 64 || bits_of(c->op.stype[0]) == 64;
    uint32_t n = (uint32_t)(u128)s[1] & (wide ? 63 : 31);

    if (c->op.op == IGPU_FPU_OP_SHL)
        return (i128)((u128)s[0] << n);
    if (c->op.op == IGPU_FPU_OP_SHR)
        return (i128)(wrap(s[0], c->op.stype[0]) >> n);
    return s[0] >> n; /* of negative values: gcc and clang keep the sign */
}

static i128 result(const struct fpu_case *c, const i128 *s)
{
    bool first_one = oracle_holds(c->op.cmod, s[0], s[1]);

    switch (c->op.op) {
    case IGPU_FPU_OP_MOV:
        return s[0];
    case IGPU_FPU_OP_ADD:
        return s[0] + s[1];
    case IGPU_FPU_OP_MUL:
        return (i128)((u128)s[0] * (u128)s[1]);
    case IGPU_FPU_OP_MAD:
        return (i128)((u128)s[1] * (u128)s[2] + (u128)s[0]);
    case IGPU_FPU_OP_MACH:
        return (s[0] * s[1]) >> 32;
    case IGPU_FPU_OP_AVG:
        return (s[0] + s[1] + 1) >> 1;
    case IGPU_FPU_OP_ADDC:
        return (i128)(uint32_t)(u128)s[0] + (uint32_t)(u128)s[1];
    case IGPU_FPU_OP_SUBB:
        return (i128)(uint32_t)(u128)s[0] - (uint32_t)(u128)s[1];
    case IGPU_FPU_OP_CMP:
    case IGPU_FPU_OP_CMPN:
        return first_one ? -1 : 0;
    case IGPU_FPU_OP_SEL:
        return (c->op.cmod ? first_one : c->pred) ? s[0] : s[1];
    case IGPU_FPU_OP_CSEL:
        return oracle_holds(c->op.cmod, s[2], 0) ? s[0] : s[1];
    case IGPU_FPU_OP_AND:
        return s[0] & s[1];
    case IGPU_FPU_OP_OR:
        return s[0] | s[1];
    case IGPU_FPU_OP_XOR:
        return s[0] ^ s[1];
    case IGPU_FPU_OP_NOT:
        return ~s[0];
    case IGPU_FPU_OP_SHL:
    case IGPU_FPU_OP_SHR:
    case IGPU_FPU_OP_ASR:
        return shifted(c, s);
    default:
        return bit_result(c, s);
    }
}

void fpu_oracle_int(struct fpu_case *c)
{
    i128 s[3] = {0}, x;
    uint32_t type = c->op.dtype;

    for (uint32_t k = 0; k < c->op.nsrc; k++)
        s[k] = source(c, k);
    x = result(c, s);
    c->want.carry = c->op.op == IGPU_FPU_OP_SUBB ? x < 0 : (u128)x >> 32 & 1;
    if (c->op.op == IGPU_FPU_OP_CMP || c->op.op == IGPU_FPU_OP_CMPN) {
        c->want.bits = wrap(x, type);
        c->want.flag = x != 0;
        return;
    }
    c->want.any_flag = c->op.op == IGPU_FPU_OP_SEL || c->op.op == IGPU_FPU_OP_CSEL;
    /* What saturates is looked at whole, else as its type has it. */
    c->want.flag =
        oracle_holds(c->op.cmod, c->op.saturate ? x : value_of(wrap(x, type), type), 0);
    if (c->op.cmod == ISA_CMOD_OV)
        c->want.flag = x > most_of(type) || x < least_of(type);
    if (c->op.saturate && x > most_of(type))
        x = most_of(type);
    if (c->op.saturate && x < least_of(type))
        x = least_of(type);
    c->want.bits = wrap(x, type);
}
