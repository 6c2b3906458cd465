/* isa_oracle_int.c - integer instructions in 128 bits. */
#include "isa_oracle.h"

static uint32_t bits_of(uint32_t type)
{
    return 8 * isa_type_bytes((enum isa_type)type);
}

static bool is_signed(uint32_t type)
{
    return isa_type_is_signed((enum isa_type)type);
}

oracle_int oracle_extend(uint64_t bits, uint32_t type)
{
    uint32_t unused = 64 - bits_of(type);

    if (is_signed(type))
        return (int64_t)(bits << unused) >> unused;
    return (oracle_int)(bits << unused >> unused);
}

static bool bitwise(uint32_t op)
{
    return op == ISA_OP_AND || op == ISA_OP_OR || op == ISA_OP_XOR || op == ISA_OP_NOT;
}

static oracle_int value(const struct isa_inst *in, uint32_t k, uint64_t bits)
{
    oracle_int x = oracle_extend(bits, in->src[k].type);
    uint32_t mod = in->src[k].mod;

    if (bitwise(in->op))
        return mod & ISA_MOD_NEG ? ~x : x;
    if ((mod & ISA_MOD_ABS) && x < 0)
        x = -x;
    if (mod & ISA_MOD_NEG)
        x = -x;
    /* the divider takes 32 bits, so that the least number is its own negative */
    return in->op == ISA_OP_MATH ? oracle_extend((uint64_t)x, in->src[k].type) : x;
}

/* First set bit from one end, counted one by one. */
static uint32_t scan(uint32_t x, bool from_top, uint32_t none)
{
    for (uint32_t i = 0; i < 32; i++)
        if (x >> (from_top ? 31 - i : i) & 1)
            return i;
    return none;
}

static uint32_t field(uint32_t width, uint32_t offset, uint32_t x, bool sign)
{
    uint32_t out = 0, w = width & 31, o = offset & 31, last = 0;

    for (uint32_t i = 0; i < w && o + i < 32; i++) {
        last = x >> (o + i) & 1;
        out |= last << i;
    }
    if (sign && last)
        for (uint32_t i = w < 32 - o ? w : 32 - o; i < 32; i++)
            out |= 1u << i;
    return out;
}

static uint32_t insert(uint32_t mask, uint32_t x, uint32_t base)
{
    uint32_t next = 0, at = 0;

    while (at < 32 && !(mask >> at & 1))
        at++;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t from = i >= at && i - at < 32 ? x >> (i - at) & 1 : 0;

        next |= (mask >> i & 1 ? from : base >> i & 1) << i;
    }
    return mask == 0 ? base : next;
}

static bool bit_instruction(const struct isa_inst *in, const oracle_int *v,
                            oracle_int *x)
{
    uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], c = (uint32_t)v[2], n = 0;

    switch (in->op) {
    case ISA_OP_BFREV:
        for (uint32_t i = 0; i < 32; i++)
            n |= (a >> i & 1) << (31 - i);
        break;
    case ISA_OP_CBIT:
        for (uint32_t i = 0; i < 32; i++)
            n += a >> i & 1;
        break;
    case ISA_OP_FBL:
        n = scan(a, false, UINT32_MAX);
        break;
    case ISA_OP_FBH:
        n = scan(in->src[0].type == ISA_TYPE_D && a >> 31 ? ~a : a, true, UINT32_MAX);
        break;
    case ISA_OP_LZD:
        n = scan(a, true, 32);
        break;
    case ISA_OP_BFE:
        n = field(a, b, c, in->dst.type == ISA_TYPE_D);
        break;
    case ISA_OP_BFI1:
        for (uint32_t i = 0; i < (a & 31) && i + (b & 31) < 32; i++)
            n |= 1u << (i + (b & 31));
        break;
    case ISA_OP_BFI2:
        n = insert(a, b, c);
        break;
    default:
        return false;
    }
    *x = in->dst.type == ISA_TYPE_D ? (oracle_int)(int32_t)n : (oracle_int)n;
    return true;
}

static oracle_int distance(const struct oracle_lane *l, const struct isa_inst *in,
                           uint32_t c)
{
    oracle_int x = value(in, 0, l->pair[0][c]) - value(in, 1, l->pair[1][c]);

    return x < 0 ? -x : x;
}

/* Instructions that read or leave the accumulator. */
static bool acc_instruction(const struct isa_inst *in, const struct oracle_lane *l,
                            const oracle_int *v, oracle_int *x, struct oracle_result *r)
{
    oracle_int sum;

    switch (in->op) {
    case ISA_OP_ADDC:
        *x = v[0] + v[1];
        r->wide = *x >> 32 != 0;
        return true;
    case ISA_OP_SUBB:
        *x = v[0] - v[1];
        r->wide = *x < 0;
        return true;
    case ISA_OP_MAC:
        *x = v[0] * v[1] + l->wide;
        return true;
    case ISA_OP_MACH:
        sum = l->wide + v[0] * (v[1] - (oracle_int)((uint64_t)v[1] & 0xFFFF));
        r->wide = (int64_t)sum;
        *x = is_signed(in->src[0].type) ? (oracle_int)((int64_t)sum >> 32)
                                        : (oracle_int)((uint64_t)sum >> 32);
        return true;
    case ISA_OP_SAD2:
    case ISA_OP_SADA2:
        *x = distance(l, in, 0) + distance(l, in, 1) +
             (in->op == ISA_OP_SADA2 ? l->wide : 0);
        return true;
    default:
        return false;
    }
}

static bool shift(const struct isa_inst *in, const oracle_int *v, oracle_int *x)
{
    bool wide = bits_of(in->dst.type) == 64 || bits_of(in->src[0].type) == 64;
    uint32_t count = (uint32_t)v[1] & (wide ? 63 : 31),
             width = bits_of(in->src[0].type);

    switch (in->op) {
    case ISA_OP_SHL:
        *x = (oracle_int)((oracle_uint)v[0] << count);
        return true;
    case ISA_OP_SHR:
        *x = (oracle_int)(((oracle_uint)v[0] & (((oracle_uint)1 << width) - 1)) >>
                          count);
        return true;
    case ISA_OP_ASR:
        *x = v[0] >> count;
        return true;
    default:
        return false;
    }
}

/* math.iqot, irem, idiv; by zero: all ones and the dividend. */
static oracle_int divide(const oracle_int *v, bool rest)
{
    if (v[1] == 0)
        return rest ? v[0] : -1;
    return rest ? v[0] % v[1] : v[0] / v[1];
}

static bool plain(const struct isa_inst *in, const struct oracle_lane *l,
                  const oracle_int *v, oracle_int *x, struct oracle_result *r)
{
    switch (in->op) {
    case ISA_OP_MOV:
    case ISA_OP_SMOV:
        *x = v[0];
        break;
    case ISA_OP_SEL:
        *x = (in->pred ? l->chosen : oracle_holds(in->cmod, v[0], v[1])) ? v[0] : v[1];
        break;
    case ISA_OP_NOT:
        *x = ~v[0];
        break;
    case ISA_OP_AND:
        *x = v[0] & v[1];
        break;
    case ISA_OP_OR:
        *x = v[0] | v[1];
        break;
    case ISA_OP_XOR:
        *x = v[0] ^ v[1];
        break;
    case ISA_OP_ADD:
        *x = v[0] + v[1];
        break;
    case ISA_OP_MUL:
        *x = v[0] * v[1];
        break;
    case ISA_OP_AVG:
        *x = (v[0] + v[1] + 1) >> 1;
        break;
    case ISA_OP_MATH:
        *x = divide(v, in->math == ISA_MATH_IREM);
        r->second = (uint64_t)divide(v, true);
        break;
    default:
        return false;
    }
    return true;
}

static oracle_int low_of(uint32_t type)
{
    return is_signed(type) ? -((oracle_int)1 << (bits_of(type) - 1)) : 0;
}

static oracle_int high_of(uint32_t type)
{
    return ((oracle_int)1 << (bits_of(type) - is_signed(type))) - 1;
}

static oracle_int clamp(oracle_int x, oracle_int low, oracle_int high)
{
    return x < low ? low : x > high ? high : x;
}

static void finish(const struct isa_inst *in, oracle_int x, struct oracle_result *r,
                   uint32_t ctrl)
{
    uint32_t type = in->dst.type;
    bool to_float = isa_type_is_float((enum isa_type)type);
    oracle_int kept;

    if (to_float) {
        r->flag = oracle_holds(in->cmod, x, 0);
        r->bits = oracle_to_float(in->saturate ? clamp(x, 0, 1) : x, type, ctrl);
        return;
    }
    /* What saturates is looked at whole, else as its type has it. */
    kept = oracle_extend((uint64_t)x, type);
    r->flag = in->cmod == ISA_CMOD_OV
                  ? x < low_of(type) || x > high_of(type)
                  : oracle_holds(in->cmod, in->saturate ? x : kept, 0);
    r->bits = (uint64_t)(in->saturate ? clamp(x, low_of(type), high_of(type)) : x);
    if (in->op == ISA_OP_MATH && in->math == ISA_MATH_IDIV && in->saturate)
        r->second = (uint64_t)clamp((int64_t)r->second, low_of(type), high_of(type));
}

bool oracle_integer(const struct isa_inst *in, const struct oracle_lane *l,
                    struct oracle_result *r, uint32_t ctrl)
{
    oracle_int v[ISA_MAX_SRC] = {0}, x = 0;

    r->wide = l->wide;
    for (uint32_t k = 0; k < in->nsrc; k++)
        v[k] = value(in, k, l->src[k]);
    if (in->op == ISA_OP_CMP || in->op == ISA_OP_CMPN) {
        r->flag = oracle_holds(in->cmod, v[0], v[1]);
        r->bits = r->flag ? UINT64_MAX : 0;
        return true;
    }
    if (!bit_instruction(in, v, &x) && !acc_instruction(in, l, v, &x, r) &&
        !shift(in, v, &x) && !plain(in, l, v, &x, r))
        return false;
    finish(in, x, r, ctrl);
    return true;
}
