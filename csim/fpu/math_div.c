/* math_div.c - division, integer division and roots: an estimate of 34 bits from the
 * tables, times the dividend, then one correction by the exact remainder. */
#include "math_int.h"

/* 1 / (mant / 2^31) in units of 2^-40; mant has its top bit set. */
static uint64_t inverse(uint32_t mant)
{
    return math_cubic_at(MATH_SEG_INV + (int32_t)(mant >> 24 & 127), (mant & 0xFFFFFF)
                                                                         << 4);
}

/* 1 / sqrt(v), v = mant / 2^31 or twice that, in units of 2^-40. */
static uint64_t inverse_root(uint32_t mant, bool odd)
{
    return math_cubic_at(MATH_SEG_RSQT + (odd ? 128 : 0) + (int32_t)(mant >> 24 & 127),
                         (mant & 0xFFFFFF) << 4);
}

struct math_out math_div(struct math_in x, struct math_in y)
{
    /* The quotient has 25 or 26 bits: units of 2^-25. The estimate is off by one at
     * the most, being good to 2^-33. */
    uint64_t q = (uint64_t)((math_u128)x.mant * inverse(y.mant << 8) >> 38);
    int64_t rest = (int64_t)(((uint64_t)x.mant << 25) - q * y.mant);
    struct math_out out;

    if (rest < 0) {
        q--;
        rest += y.mant;
    } else if (rest >= y.mant) {
        q++;
        rest -= y.mant;
    }
    out = math_number(x.sign != y.sign, q, 25, rest != 0);
    out.exp += x.exp - y.exp;
    return out;
}

/* x / y, y not zero: the estimate is good to 2^-33, so for 32 bits off by one. */
static struct fpu_math_division divide(uint32_t x, uint32_t y)
{
    uint32_t up = (uint32_t)__builtin_clz(y);
    uint64_t q = (uint64_t)((math_u128)x * inverse(y << up) >> (71 - up));
    int64_t rest = (int64_t)(x - q * y);

    if (rest < 0) {
        q--;
        rest += y;
    } else if (rest >= y) {
        q++;
        rest -= y;
    }
    return (struct fpu_math_division){(uint32_t)q, (uint32_t)rest};
}

struct fpu_math_division fpu_math_idiv(uint32_t x, uint32_t y, bool is_signed)
{
    bool x_neg = is_signed && x >> 31, y_neg = is_signed && y >> 31;
    struct fpu_math_division d;

    if (y == 0)
        return (struct fpu_math_division){UINT32_MAX, x};
    d = divide(x_neg ? 0 - x : x, y_neg ? 0 - y : y);
    if (x_neg != y_neg)
        d.quotient = 0 - d.quotient;
    if (x_neg)
        d.remainder = 0 - d.remainder;
    return d;
}

struct math_out math_sqrt(struct math_in x)
{
    bool odd = x.exp & 1;
    uint64_t v = (uint64_t)x.mant << odd; /* in units of 2^-23, in [1, 4) */
    uint64_t s =
        (uint64_t)((math_u128)v * inverse_root(x.mant << 8, odd) >> 39); /* of 2^-24 */
    int64_t rest = (int64_t)((v << 25) - s * s);
    struct math_out out;

    if (rest < 0) {
        s--;
        rest += (int64_t)(2 * s + 1);
    } else if (rest > (int64_t)(2 * s)) {
        rest -= (int64_t)(2 * s + 1);
        s++;
    }
    out = math_number(false, s, 24, rest != 0);
    out.exp += (x.exp - odd) / 2;
    return out;
}

struct math_out math_rsqrt(struct math_in x)
{
    bool odd = x.exp & 1, exact = !odd && x.mant == 1u << 23;
    struct math_out out =
        math_number(false, inverse_root(x.mant << 8, odd), MATH_UNIT, !exact);

    out.exp -= (x.exp - odd) / 2;
    return out;
}

/* ---- start values of the macros ------------------------------------------- */

uint32_t fpu_math_start_inverse(uint64_t mant)
{
    /* The table is good to 2^-34 and cutting the mantissa makes the inverse larger:
     * so 64 units of 2^-40 more are never below. */
    return (uint32_t)((inverse((uint32_t)(mant >> 32)) + 64 + 0xFFFF) >> 16);
}

uint32_t fpu_math_start_root(uint64_t mant, bool odd)
{
    return (uint32_t)((inverse_root((uint32_t)(mant >> 32), odd) + 0x8000) >> 16);
}
