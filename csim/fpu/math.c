/* math.c - the extended-math functions: special values, and who computes the others.
 * The special values are IEEE 754's; pow is C's of |x|, so 1 for y = 0 and for
 * |x| = 1, whatever the other operand. */
#include "math_format.h"

#include <stddef.h>

static const struct math_out nan_out = {MATH_NAN, false, 0, 0};
static const struct math_out one_out = {MATH_FINITE, false, 0, UINT64_C(1) << 39};

static struct math_out special(enum math_class cls, bool sign)
{
    return (struct math_out){(uint8_t)cls, sign, 0, 0};
}

static struct math_out invalid(uint32_t *flags)
{
    *flags |= FPU_MATH_INVALID;
    return nan_out;
}

static struct math_out by_zero(bool sign, uint32_t *flags)
{
    *flags |= FPU_MATH_DIVZERO;
    return special(MATH_INF, sign);
}

static struct math_out quotient(struct math_in x, struct math_in y, uint32_t *flags)
{
    bool sign = x.sign != y.sign;

    if (x.cls == MATH_NAN || y.cls == MATH_NAN)
        return nan_out;
    if (x.cls == y.cls && x.cls != MATH_FINITE)
        return invalid(flags);
    if (x.cls == MATH_INF)
        return special(MATH_INF, sign);
    if (y.cls == MATH_ZERO)
        return by_zero(sign, flags);
    if (x.cls == MATH_ZERO || y.cls == MATH_INF)
        return special(MATH_ZERO, sign);
    return math_div(x, y);
}

static struct math_out power(struct math_in x, struct math_in y, uint32_t *flags)
{
    bool is_one = x.cls == MATH_FINITE && x.exp == 0 && x.mant == 1u << 23;
    bool grows = x.cls == MATH_INF || (x.cls == MATH_FINITE && x.exp >= 0);

    if (y.cls == MATH_ZERO || is_one)
        return one_out;
    if (x.cls == MATH_NAN || y.cls == MATH_NAN)
        return nan_out;
    if (x.cls == MATH_FINITE && y.cls == MATH_FINITE)
        return math_pow(x, y);
    if (x.cls == MATH_ZERO && y.cls == MATH_FINITE && y.sign)
        return by_zero(false, flags);
    return special(grows != y.sign ? MATH_INF : MATH_ZERO, false);
}

/* Functions of one operand that is zero or infinite. */
static struct math_out edge(enum fpu_math_fn fn, struct math_in x, uint32_t *flags)
{
    bool zero = x.cls == MATH_ZERO;

    switch (fn) {
    case FPU_MATH_LOG:
        if (zero)
            return by_zero(true, flags);
        return x.sign ? invalid(flags) : special(MATH_INF, false);
    case FPU_MATH_EXP:
        if (zero)
            return one_out;
        return special(x.sign ? MATH_ZERO : MATH_INF, false);
    case FPU_MATH_SQT:
        return x.sign && !zero ? invalid(flags)
                               : special((enum math_class)x.cls, x.sign);
    case FPU_MATH_RSQT:
        if (zero)
            return by_zero(x.sign, flags);
        return x.sign ? invalid(flags) : special(MATH_ZERO, false);
    case FPU_MATH_SIN:
        return zero ? special(MATH_ZERO, x.sign) : invalid(flags);
    default:
        return zero ? one_out : invalid(flags);
    }
}

static struct math_out unary(enum fpu_math_fn fn, struct math_in x, uint32_t *flags)
{
    bool needs_positive =
        fn == FPU_MATH_LOG || fn == FPU_MATH_SQT || fn == FPU_MATH_RSQT;

    if (x.cls == MATH_NAN)
        return nan_out;
    if (x.cls != MATH_FINITE)
        return edge(fn, x, flags);
    if (x.sign && needs_positive)
        return invalid(flags);
    switch (fn) {
    case FPU_MATH_LOG:
        return math_log(x);
    case FPU_MATH_EXP:
        return math_exp(x);
    case FPU_MATH_SQT:
        return math_sqrt(x);
    case FPU_MATH_RSQT:
        return math_rsqrt(x);
    default:
        return math_trig(x, fn == FPU_MATH_COS);
    }
}

static inline __attribute__((always_inline)) uint32_t
compute(const struct math_format *f, enum fpu_math_fn fn, uint32_t xbits,
        uint32_t ybits, struct fpu_math_mode mode, uint32_t *flags)
{
    static const struct math_in one = {MATH_FINITE, false, 0, 1u << 23};
    bool binary = fn == FPU_MATH_FDIV || fn == FPU_MATH_POW;
    uint32_t raised = 0, bits;
    struct math_in x = math_unpack(f, xbits, mode.flush, &raised);
    struct math_in y = binary ? math_unpack(f, ybits, mode.flush, &raised) : one;
    struct math_out out;

    if (fn == FPU_MATH_INV)
        out = quotient(one, x, &raised);
    else if (fn == FPU_MATH_FDIV)
        out = quotient(x, y, &raised);
    else if (fn == FPU_MATH_POW)
        out = power(x, y, &raised);
    else
        out = unary(fn, x, &raised);
    bits = math_pack(f, out, mode, &raised);
    if (flags != NULL)
        *flags |= raised;
    return bits;
}

uint32_t fpu_math_f32(enum fpu_math_fn fn, uint32_t x, uint32_t y,
                      struct fpu_math_mode mode, uint32_t *flags)
{
    return compute(&math_f32, fn, x, y, mode, flags);
}

uint16_t fpu_math_f16(enum fpu_math_fn fn, uint16_t x, uint16_t y,
                      struct fpu_math_mode mode, uint32_t *flags)
{
    return (uint16_t)compute(&math_f16, fn, x, y, mode, flags);
}
