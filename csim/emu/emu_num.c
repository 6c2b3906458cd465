/* emu_num.c - exact arithmetic on unpacked numbers, rounded once.
 * Used where the host's float and double cannot serve: directed rounding, and the
 * division and root macros with their wider exponent. */
#include "emu_int.h"

struct format {
    uint32_t precision; /* with the hidden bit */
    int32_t emin, emax; /* of normal numbers */
};

static struct format format_of(enum isa_type type)
{
    if (type == ISA_TYPE_HF)
        return (struct format){11, -14, 15};
    if (type == ISA_TYPE_DF)
        return (struct format){53, -1022, 1023};
    return (struct format){24, -126, 127};
}

static int top_bit(emu_u128 x)
{
    uint64_t high = (uint64_t)(x >> 64);

    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

static struct emu_num normal(bool sign, int32_t exp, emu_u128 mant)
{
    int up = 127 - top_bit(mant);

    return (struct emu_num){EMU_FINITE, sign, exp - up, mant << up};
}

struct emu_num emu_num_from_int(uint64_t magnitude, bool sign)
{
    if (magnitude == 0)
        return (struct emu_num){EMU_ZERO, sign, 0, 0};
    return normal(sign, 127, magnitude);
}

struct emu_num emu_num_unpack(uint64_t bits, enum isa_type type)
{
    struct format f = format_of(type);
    uint32_t frac_bits = f.precision - 1;
    uint64_t frac = bits & (((uint64_t)1 << frac_bits) - 1);
    uint32_t ebits = (uint32_t)(f.emax * 2 + 1);
    uint32_t biased = (uint32_t)(bits >> frac_bits) & ebits;
    bool sign = bits >> (isa_type_bytes(type) * 8 - 1) & 1;
    int32_t exp = (int32_t)biased - f.emax;

    if (biased == ebits)
        return (struct emu_num){frac ? EMU_NAN : EMU_INF, sign, 0, 0};
    if (biased == 0 && frac == 0)
        return (struct emu_num){EMU_ZERO, sign, 0, 0};
    if (biased == 0)
        return normal(sign, f.emin + 127 - (int32_t)frac_bits, frac);
    frac |= (uint64_t)1 << frac_bits;
    return (struct emu_num){EMU_FINITE, sign, exp, (emu_u128)frac << (127 - frac_bits)};
}

/* x / 2^shift; what falls off makes the lowest bit 1. */
static emu_u128 shift_jam(emu_u128 x, uint32_t shift)
{
    if (shift == 0)
        return x;
    if (shift >= 128)
        return x != 0;
    return x >> shift | ((x << (128 - shift)) != 0);
}

struct emu_num emu_num_mul(const struct emu_num *a, const struct emu_num *b)
{
    bool sign = a->sign != b->sign;

    if (a->cls == EMU_NAN || b->cls == EMU_NAN ||
        (a->cls == EMU_INF && b->cls == EMU_ZERO) ||
        (a->cls == EMU_ZERO && b->cls == EMU_INF))
        return (struct emu_num){EMU_NAN, false, 0, 0};
    if (a->cls == EMU_INF || b->cls == EMU_INF)
        return (struct emu_num){EMU_INF, sign, 0, 0};
    if (a->cls == EMU_ZERO || b->cls == EMU_ZERO)
        return (struct emu_num){EMU_ZERO, sign, 0, 0};
    /* At most 53 bits each, so that the upper halves hold them. */
    return normal(sign, a->exp + b->exp + 1, (a->mant >> 64) * (b->mant >> 64));
}

/* Sum of finite numbers that are not zero. Both have low zero bits enough for the
 * shift by one that makes room for the carry. */
static struct emu_num add_finite(struct emu_num a, struct emu_num b, enum emu_round rnd)
{
    emu_u128 x, y;

    if (a.exp < b.exp) {
        struct emu_num swap = a;

        a = b;
        b = swap;
    }
    x = a.mant >> 1;
    y = shift_jam(b.mant, (uint32_t)(a.exp - b.exp) + 1);
    if (a.sign == b.sign)
        return normal(a.sign, a.exp + 1, x + y);
    if (x == y)
        return (struct emu_num){EMU_ZERO, rnd == EMU_RTN, 0, 0};
    if (x > y)
        return normal(a.sign, a.exp + 1, x - y);
    return normal(b.sign, a.exp + 1, y - x);
}

static struct emu_num add_num(const struct emu_num *a, const struct emu_num *b,
                              enum emu_round rnd)
{
    if (a->cls == EMU_NAN || b->cls == EMU_NAN ||
        (a->cls == EMU_INF && b->cls == EMU_INF && a->sign != b->sign))
        return (struct emu_num){EMU_NAN, false, 0, 0};
    if (a->cls == EMU_INF)
        return *a;
    if (b->cls == EMU_INF)
        return *b;
    if (a->cls == EMU_ZERO && b->cls == EMU_ZERO)
        return (struct emu_num){EMU_ZERO, a->sign == b->sign ? a->sign : rnd == EMU_RTN,
                                0, 0};
    if (a->cls == EMU_ZERO)
        return *b;
    if (b->cls == EMU_ZERO)
        return *a;
    return add_finite(*a, *b, rnd);
}

struct emu_num emu_num_fma(const struct emu_num *a, const struct emu_num *b,
                           const struct emu_num *c, enum emu_round round)
{
    struct emu_num product = emu_num_mul(a, b);

    return add_num(&product, c, round);
}

/* Does dropping the low `drop` bits of mant, with `kept` above them, round away? */
static bool rounds_up(const struct emu_num *n, uint32_t drop, uint64_t kept,
                      enum emu_round round)
{
    emu_u128 rest = drop >= 128 ? n->mant : n->mant & (((emu_u128)1 << drop) - 1);
    emu_u128 half = drop > 128 ? 0 : (emu_u128)1 << (drop - 1);

    if (rest == 0)
        return false;
    if (round == EMU_RTP)
        return !n->sign;
    if (round == EMU_RTN)
        return n->sign;
    if (round == EMU_RTZ || drop > 128)
        return false;
    return rest > half || (rest == half && (kept & 1));
}

bool emu_num_exceeds(const struct emu_num *n, enum isa_type type)
{
    return n->cls == EMU_FINITE && n->exp > format_of(type).emax;
}

uint64_t emu_num_pack(const struct emu_num *n, enum isa_type type, enum emu_round round)
{
    struct format f = format_of(type);
    uint32_t frac_bits = f.precision - 1, drop = 128 - f.precision;
    uint64_t sign = (uint64_t)n->sign << (isa_type_bytes(type) * 8 - 1);
    uint64_t inf = (uint64_t)(f.emax * 2 + 1) << frac_bits, bits;

    if (n->cls == EMU_NAN)
        return inf | (uint64_t)1 << (frac_bits - 1);
    if (n->cls == EMU_INF || (n->cls == EMU_FINITE && n->exp > f.emax + 1))
        bits = inf;
    else if (n->cls == EMU_ZERO)
        return sign;
    else {
        if (n->exp < f.emin)
            drop += (uint32_t)(f.emin - n->exp);
        bits = drop >= 128 ? 0 : (uint64_t)(n->mant >> drop);
        bits += rounds_up(n, drop, bits, round);
        if (n->exp >= f.emin) /* adding carries into the exponent by itself */
            bits += (uint64_t)(n->exp - f.emin) << frac_bits;
    }
    if (bits >= inf && n->cls == EMU_FINITE) {
        bool to_max = round == EMU_RTZ || (round == EMU_RTP && n->sign) ||
                      (round == EMU_RTN && !n->sign);

        bits = inf - to_max;
    }
    return sign | bits;
}

struct emu_num emu_num_trim(struct emu_num n, enum isa_type type, enum emu_round round)
{
    uint32_t precision = format_of(type).precision, drop = 128 - precision;
    uint64_t kept;

    if (n.cls != EMU_FINITE)
        return n;
    kept = (uint64_t)(n.mant >> drop);
    if ((emu_u128)kept << drop == n.mant)
        return n;
    kept += rounds_up(&n, drop, kept, round);
    return normal(n.sign, n.exp + 127 - (int32_t)(precision - 1), kept);
}
