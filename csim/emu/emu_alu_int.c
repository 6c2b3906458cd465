/* emu_alu_int.c - integer instructions on 64-bit lanes.
 * Sources are sign- or zero-extended by their own type, results are cut to the
 * destination's type when stored; so mixed types need no care. Where 64 bits are not
 * enough see emu_wide.c. */
#include "emu_int.h"

#define ALU(name, value)                                                               \
    static uint32_t name(struct emu_thread *t, const struct emu_op *op, uint32_t n,    \
                         union emu_lanes *r, const union emu_lanes *s)                 \
    {                                                                                  \
        const int64_t *a = s[0].i, *b = s[1].i, *c = s[2].i;                           \
        int64_t *out = r->i;                                                           \
                                                                                       \
        (void)t, (void)op, (void)b, (void)c;                                           \
        if (n == 16) {                                                                 \
            for (uint32_t i = 0; i < 16; i++)                                          \
                out[i] = (int64_t)(value);                                             \
        } else if (n == 8) {                                                           \
            for (uint32_t i = 0; i < 8; i++)                                           \
                out[i] = (int64_t)(value);                                             \
        } else {                                                                       \
            for (uint32_t i = 0; i < n; i++)                                           \
                out[i] = (int64_t)(value);                                             \
        }                                                                              \
        return 0;                                                                      \
    }

#define U(x) ((uint64_t)(x))

static uint64_t type_mask(uint32_t type)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)type);

    return bytes >= 8 ? UINT64_MAX : ((uint64_t)1 << (bytes * 8)) - 1;
}

ALU(alu_mov, a[i])
ALU(alu_not, ~a[i])
ALU(alu_add, U(a[i]) + U(b[i]))
ALU(alu_mul, U(a[i]) * U(b[i]))
ALU(alu_mad, U(b[i]) * U(c[i]) + U(a[i]))
ALU(alu_and, a[i] & b[i])
ALU(alu_or, a[i] | b[i])
ALU(alu_xor, a[i] ^ b[i])
ALU(alu_avg, (a[i] + b[i] + 1) >> 1)
ALU(alu_shl32, U(a[i]) << (b[i] & 31))
ALU(alu_shl64, U(a[i]) << (b[i] & 63))
ALU(alu_asr32, a[i] >> (b[i] & 31))
ALU(alu_asr64, a[i] >> (b[i] & 63))
ALU(alu_min, a[i] < b[i] ? a[i] : b[i])
ALU(alu_max, a[i] >= b[i] ? a[i] : b[i])
ALU(alu_umin, U(a[i]) < U(b[i]) ? a[i] : b[i])
ALU(alu_umax, U(a[i]) >= U(b[i]) ? a[i] : b[i])
ALU(alu_shr32, (U(a[i]) & type_mask(op->src[0].type)) >> (b[i] & 31))
ALU(alu_shr64, (U(a[i]) & type_mask(op->src[0].type)) >> (b[i] & 63))

/* asr of an unsigned 64-bit value shifts in zeros, as for the narrower ones. */
ALU(alu_usr64, U(a[i]) >> (b[i] & 63))

/* ---- bits --------------------------------------------------------------- */

static int64_t count_bits(uint32_t x)
{
    int64_t n = 0;

    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

static int64_t reverse_bits(uint32_t x)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}

/* First bit from the top that is 1, or differs from the sign; all ones if none. */
static int64_t first_high(uint32_t x, bool is_signed)
{
    if (is_signed && x >> 31)
        x = ~x;
    return x == 0 ? 0xFFFFFFFF : (int64_t)__builtin_clz(x);
}

static int64_t first_low(uint32_t x)
{
    return x == 0 ? 0xFFFFFFFF : (int64_t)__builtin_ctz(x);
}

static int64_t extract(int64_t width, int64_t offset, int64_t data, bool is_signed)
{
    uint32_t w = (uint32_t)width & 31, o = (uint32_t)offset & 31, x = (uint32_t)data;

    if (w == 0)
        return 0;
    if (w + o >= 32)
        return is_signed ? (int64_t)((int32_t)x >> o) : (int64_t)(x >> o);
    x <<= 32 - w - o;
    return is_signed ? (int64_t)((int32_t)x >> (32 - w)) : (int64_t)(x >> (32 - w));
}

static int64_t field_mask(int64_t width, int64_t offset)
{
    return (uint32_t)(((1u << (width & 31)) - 1) << (offset & 31));
}

/* The insert is aligned to the mask's lowest bit. */
static int64_t insert(uint32_t mask, uint32_t value, uint32_t base)
{
    uint32_t up = mask == 0 ? 0 : (uint32_t)__builtin_ctz(mask);

    return (mask & (value << up)) | (base & ~mask);
}

ALU(alu_cbit, count_bits((uint32_t)a[i]))
ALU(alu_bfrev, reverse_bits((uint32_t)a[i]))
ALU(alu_fbl, first_low((uint32_t)a[i]))
ALU(alu_fbh, first_high((uint32_t)a[i], op->src[0].type == ISA_TYPE_D))
ALU(alu_lzd, (uint32_t)a[i] == 0 ? 32 : __builtin_clz((uint32_t)a[i]))
ALU(alu_bfe, extract(a[i], b[i], c[i], op->dst.type == ISA_TYPE_D))
ALU(alu_bfi1, field_mask(a[i], b[i]))
ALU(alu_bfi2, insert((uint32_t)a[i], (uint32_t)b[i], (uint32_t)c[i]))

/* ---- the accumulator ---------------------------------------------------- */

/* Unsigned 32-bit; the carry goes to acc0 (AccWrEn comes with both). */
static uint32_t alu_addc(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    (void)op;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t sum = (uint64_t)(uint32_t)s[0].i[i] + (uint32_t)s[1].i[i];

        r->i[i] = (int64_t)sum;
        if (t->mask >> i & 1)
            t->acc_wide[i] = (int64_t)(sum >> 32);
    }
    return 0;
}

static uint32_t alu_subb(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    (void)op;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = (uint32_t)s[0].i[i], y = (uint32_t)s[1].i[i];

        r->i[i] = (int64_t)x - y;
        if (t->mask >> i & 1)
            t->acc_wide[i] = x < y;
    }
    return 0;
}

/* acc0 + src0 * src1[31:16] * 2^16, and its high half: after a mul that left src0 *
 * src1[15:0] in acc0, the product of 32 x 32 bits. */
static uint32_t alu_mach(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    bool is_signed = isa_type_is_signed((enum isa_type)op->src[0].type);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t high = (uint64_t)s[1].i[i] - (uint16_t)s[1].i[i];
        uint64_t sum = (uint64_t)t->acc_wide[i] + (uint64_t)s[0].i[i] * high;

        if (t->mask >> i & 1)
            t->acc_wide[i] = (int64_t)sum;
        r->i[i] = is_signed ? (int64_t)sum >> 32 : (int64_t)(sum >> 32);
    }
    return 0;
}

static uint32_t alu_mac(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                        union emu_lanes *r, const union emu_lanes *s)
{
    (void)op;
    for (uint32_t i = 0; i < n; i++)
        r->i[i] = (int64_t)((uint64_t)s[0].i[i] * (uint64_t)s[1].i[i] +
                            (uint64_t)t->acc_wide[i]);
    return 0;
}

/* ---- comparison --------------------------------------------------------- */

#define COMPARE(name, T, rel) EMU_COMPARE(name, (T)s[0].i[i] rel(T) s[1].i[i])

COMPARE(cmp_eq, int64_t, ==)
COMPARE(cmp_ne, int64_t, !=)
COMPARE(cmp_gt, int64_t, >)
COMPARE(cmp_ge, int64_t, >=)
COMPARE(cmp_lt, int64_t, <)
COMPARE(cmp_le, int64_t, <=)
COMPARE(cmp_ugt, uint64_t, >)
COMPARE(cmp_uge, uint64_t, >=)
COMPARE(cmp_ult, uint64_t, <)
COMPARE(cmp_ule, uint64_t, <=)

/* ---- choice ------------------------------------------------------------- */

static bool both_uq(const struct emu_op *op)
{
    return op->src[0].type == ISA_TYPE_UQ && op->src[1].type == ISA_TYPE_UQ;
}

static emu_alu_fn *pick_cmp(const struct emu_op *op)
{
    static emu_alu_fn *const by_cmod[2][ISA_CMOD_COUNT] = {
        {[ISA_CMOD_EQ] = cmp_eq,
         [ISA_CMOD_NE] = cmp_ne,
         [ISA_CMOD_GT] = cmp_gt,
         [ISA_CMOD_GE] = cmp_ge,
         [ISA_CMOD_LT] = cmp_lt,
         [ISA_CMOD_LE] = cmp_le},
        {[ISA_CMOD_EQ] = cmp_eq,
         [ISA_CMOD_NE] = cmp_ne,
         [ISA_CMOD_GT] = cmp_ugt,
         [ISA_CMOD_GE] = cmp_uge,
         [ISA_CMOD_LT] = cmp_ult,
         [ISA_CMOD_LE] = cmp_ule},
    };

    return by_cmod[both_uq(op)][op->cmod];
}

static emu_alu_fn *pick_sel(const struct emu_op *op)
{
    if (op->cmod == ISA_CMOD_LT || op->cmod == ISA_CMOD_LE)
        return both_uq(op) ? alu_umin : alu_min;
    if (op->cmod == ISA_CMOD_GE || op->cmod == ISA_CMOD_GT)
        return both_uq(op) ? alu_umax : alu_max;
    return NULL;
}

static emu_alu_fn *pick_shift(const struct emu_op *op)
{
    if (op->opcode == ISA_OP_SHL)
        return op->is64 ? alu_shl64 : alu_shl32;
    if (op->opcode == ISA_OP_SHR)
        return op->is64 ? alu_shr64 : alu_shr32;
    if (op->src[0].type == ISA_TYPE_UQ)
        return alu_usr64;
    return op->is64 ? alu_asr64 : alu_asr32;
}

emu_alu_fn *emu_alu_int(const struct emu_op *op)
{
    static emu_alu_fn *const simple[ISA_OP_COUNT] = {
        [ISA_OP_MOV] = alu_mov,     [ISA_OP_ADD] = alu_add,   [ISA_OP_MUL] = alu_mul,
        [ISA_OP_MAD] = alu_mad,     [ISA_OP_AND] = alu_and,   [ISA_OP_OR] = alu_or,
        [ISA_OP_XOR] = alu_xor,     [ISA_OP_NOT] = alu_not,   [ISA_OP_AVG] = alu_avg,
        [ISA_OP_CBIT] = alu_cbit,   [ISA_OP_FBL] = alu_fbl,   [ISA_OP_FBH] = alu_fbh,
        [ISA_OP_LZD] = alu_lzd,     [ISA_OP_BFE] = alu_bfe,   [ISA_OP_BFI1] = alu_bfi1,
        [ISA_OP_BFI2] = alu_bfi2,   [ISA_OP_ADDC] = alu_addc, [ISA_OP_SUBB] = alu_subb,
        [ISA_OP_BFREV] = alu_bfrev, [ISA_OP_MOVI] = alu_mov,  [ISA_OP_SMOV] = alu_mov,
        [ISA_OP_MACH] = alu_mach,   [ISA_OP_MAC] = alu_mac,
    };

    switch (op->opcode) {
    case ISA_OP_CMP:
    case ISA_OP_CMPN: /* integers are never unordered */
        return pick_cmp(op);
    case ISA_OP_SEL:
        return pick_sel(op);
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_ASR:
        return pick_shift(op);
    default:
        return simple[op->opcode];
    }
}
