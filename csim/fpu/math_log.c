/* math_log.c - base-2 logarithm and exponential, and the power made of them. */
#include "math_int.h"

/* log2(x) = e + t g(t), with x = 2^e (1 + t), t in [-1/4, 1/2), g(t) = log2(1 + t) / t
 * from the table. The product keeps its relative accuracy when e is 0, where the
 * result may be small; else it is cut to the units of 2^-56 of e. */
struct math_out math_log(struct math_in x)
{
    bool upper = (x.mant >> 22 & 1) != 0; /* 1.5 or more: seen from the next power */
    int32_t e = x.exp + upper;
    int32_t t = upper ? (int32_t)x.mant - (1 << 24)
                      : (int32_t)((x.mant - (1u << 23)) << 1); /* of 2^-24 */
    uint64_t g = math_cubic_at(MATH_SEG_LOG + (t >> 16), (uint32_t)(t & 0xFFFF) << 12);
    uint64_t product = (uint64_t)(t < 0 ? -t : t) * g; /* of 2^-64 */
    uint64_t whole = (uint64_t)(e < 0 ? -e : e) << 56;

    if (e == 0 && t == 0)
        return (struct math_out){MATH_ZERO, false, 0, 0};
    if (e == 0)
        return math_number(t < 0, product, 64, true);
    product >>= 8;
    return math_number(e < 0, (e < 0) == (t < 0) ? whole + product : whole - product,
                       56, t != 0);
}

/* 2^p with p = product / 2^62 * 2^e, product in [2^62, 2^64), negated when sign. */
static struct math_out power_of_two(bool sign, uint64_t product, int32_t e)
{
    uint32_t down = (uint32_t)(27 - e);
    int64_t p; /* of 2^-35, cut downwards */
    uint32_t frac_d, seg;
    bool lost = true;

    if (e >= 8) /* 2^256 and more, or as little */
        return (struct math_out){MATH_FINITE, false, sign ? -512 : 512,
                                 (UINT64_C(1) << 39) + 1};
    p = 0;
    if (down < 64) {
        p = (int64_t)(product >> down);
        lost = (product & ((UINT64_C(1) << down) - 1)) != 0;
    }
    if (sign)
        p = -p - lost;
    seg = (uint32_t)(p >> 28) & 127;
    frac_d = (uint32_t)p & 0xFFFFFFF;
    lost |= seg != 0 || frac_d != 0;
    return (struct math_out){MATH_FINITE, false, (int32_t)(p >> 35),
                             math_cubic_at(MATH_SEG_EXP + (int32_t)seg, frac_d) >> 1 |
                                 lost};
}

struct math_out math_exp(struct math_in x)
{
    return power_of_two(x.sign, (uint64_t)x.mant << 39, x.exp);
}

struct math_out math_pow(struct math_in x, struct math_in y)
{
    struct math_out log = math_log(x);

    return power_of_two(log.sign != y.sign, y.mant * log.mant, y.exp + log.exp);
}
