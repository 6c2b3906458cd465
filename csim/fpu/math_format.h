/* math_format.h - bit patterns to numbers, and results to rounded bit patterns. Here,
 * so that the compiler makes code of its own of each format. */
#ifndef MATH_FORMAT_H
#define MATH_FORMAT_H
#include "math_int.h"

struct math_format {
    int32_t precision; /* with the hidden bit */
    int32_t emin, emax;
};
static const struct math_format math_f32 = {24, -126, 127}, math_f16 = {11, -14, 15};

static inline struct math_in math_unpack(const struct math_format *f, uint32_t bits,
                                         bool flush, uint32_t *flags)
{
    uint32_t frac_bits = (uint32_t)f->precision - 1;
    uint32_t ebits = (uint32_t)f->emax * 2 + 1;
    uint32_t biased = bits >> frac_bits & ebits;
    uint32_t frac = bits & ((1u << frac_bits) - 1);
    bool sign = (bits >> (f->precision == 24 ? 31 : 15) & 1) != 0;
    uint32_t up;

    if (biased == ebits && frac != 0) {
        if ((frac >> (frac_bits - 1) & 1) == 0)
            *flags |= FPU_MATH_INVALID; /* signalling */
        return (struct math_in){MATH_NAN, sign, 0, 0};
    }
    if (biased == ebits)
        return (struct math_in){MATH_INF, sign, 0, 0};
    if (biased == 0 && (frac == 0 || flush))
        return (struct math_in){MATH_ZERO, sign, 0, 0};
    frac <<= 23 - frac_bits;
    if (biased != 0)
        return (struct math_in){MATH_FINITE, sign, (int32_t)biased - f->emax,
                                frac | 1u << 23};
    *flags |= FPU_MATH_DENORMAL;
    up = (uint32_t)__builtin_clz(frac) - 8;
    return (struct math_in){MATH_FINITE, sign, f->emin - (int32_t)up, frac << up};
}

/* Does a result whose low `drop` bits (1 to 41) go away, with `kept` above them, round
 * away from zero? */
static inline bool math_rounds_up(const struct math_out *out, uint32_t drop,
                                  uint64_t kept, uint8_t round)
{
    uint64_t rest = out->mant & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);

    switch (round) {
    case 0:
        return rest > half || (rest == half && (kept & 1));
    case 1:
        return rest != 0 && !out->sign;
    case 2:
        return rest != 0 && out->sign;
    default:
        return false;
    }
}

static inline uint32_t math_pack_finite(const struct math_format *f,
                                        struct math_out out, struct fpu_math_mode mode,
                                        uint32_t *flags)
{
    uint32_t frac_bits = (uint32_t)f->precision - 1;
    uint32_t inf = ((uint32_t)f->emax * 2 + 1) << frac_bits;
    int32_t tiny = f->emin - out.exp;
    uint32_t drop = 40 - (uint32_t)f->precision;
    uint64_t bits = inf;
    bool inexact = true;

    if (out.exp <= f->emax) {
        drop = tiny <= 0 ? drop : tiny > 41 ? 41 : drop + (uint32_t)tiny;
        drop = drop > 41 ? 41 : drop;
        inexact = (out.mant & ((UINT64_C(1) << drop) - 1)) != 0;
        bits = out.mant >> drop;
        bits += math_rounds_up(&out, drop, bits, mode.round);
        if (tiny < 0) /* the carry into the exponent is the addition's */
            bits += (uint64_t)(-tiny) << frac_bits;
    }
    if (bits >= inf) {
        bool to_max = mode.round == 3 || mode.round == (out.sign ? 1 : 2);

        *flags |= FPU_MATH_OVERFLOW | FPU_MATH_INEXACT;
        return inf - to_max;
    }
    if (mode.flush && bits >> frac_bits == 0) {
        *flags |= FPU_MATH_UNDERFLOW | FPU_MATH_INEXACT;
        return 0;
    }
    if (inexact)
        *flags |= FPU_MATH_INEXACT | (tiny > 0 ? FPU_MATH_UNDERFLOW : 0);
    return (uint32_t)bits;
}

static inline uint32_t math_pack(const struct math_format *f, struct math_out out,
                                 struct fpu_math_mode mode, uint32_t *flags)
{
    uint32_t frac_bits = (uint32_t)f->precision - 1;
    uint32_t inf = ((uint32_t)f->emax * 2 + 1) << frac_bits;
    uint32_t sign = (uint32_t)out.sign << (f->precision == 24 ? 31 : 15);

    switch (out.cls) {
    case MATH_NAN:
        return inf | 1u << (frac_bits - 1);
    case MATH_INF:
        return sign | inf;
    case MATH_ZERO:
        return sign;
    default:
        return sign | math_pack_finite(f, out, mode, flags);
    }
}
#endif
