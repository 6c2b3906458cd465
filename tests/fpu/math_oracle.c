/* math_oracle.c - see math_oracle.h. */
#include "math_oracle.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "traces/program/half.h"

enum { WIDE = 140 }; /* bits for measuring errors */

const struct oracle_format oracle_f32 = {24, -126, 127}, oracle_f16 = {11, -14, 15};
const uint8_t oracle_functions[9] = {FPU_MATH_INV, FPU_MATH_LOG,  FPU_MATH_EXP,
                                     FPU_MATH_SQT, FPU_MATH_RSQT, FPU_MATH_SIN,
                                     FPU_MATH_COS, FPU_MATH_FDIV, FPU_MATH_POW};

const char *oracle_name(enum fpu_math_fn fn)
{
    static const char *const names[] = {"?",   "inv", "log", "exp",  "sqt", "rsqt",
                                        "sin", "cos", "?",   "fdiv", "pow"};

    return names[fn];
}

double oracle_value(const struct oracle_format *f, uint32_t bits)
{
    float value;

    if (f->precision == 11)
        return half_to_double((uint16_t)bits);
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

uint32_t oracle_bits(const struct oracle_format *f, double value)
{
    float single = (float)value;
    uint32_t bits;

    if (isnan(value))
        return f->precision == 11 ? 0x7E00 : 0x7FC00000;
    if (f->precision == 11)
        return half_from_double(value);
    memcpy(&bits, &single, sizeof(bits));
    return bits;
}

static bool takes_two(enum fpu_math_fn fn)
{
    return fn == FPU_MATH_FDIV || fn == FPU_MATH_POW;
}

static int evaluate(mpfr_t r, enum fpu_math_fn fn, double a, double b, mpfr_rnd_t rnd)
{
    mpfr_t x, y;
    int t;

    mpfr_inits2(24, x, y, (mpfr_ptr)0);
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, takes_two(fn) ? b : 1, MPFR_RNDN);
    switch (fn) {
    case FPU_MATH_INV:
        t = mpfr_ui_div(r, 1, x, rnd);
        break;
    case FPU_MATH_LOG:
        t = mpfr_log2(r, x, rnd);
        break;
    case FPU_MATH_EXP:
        t = mpfr_exp2(r, x, rnd);
        break;
    case FPU_MATH_SQT:
        t = mpfr_sqrt(r, x, rnd);
        break;
    case FPU_MATH_RSQT:
        t = mpfr_rec_sqrt(r, x, rnd);
        if (mpfr_zero_p(x)) /* IEEE 754: the infinity has the zero's sign */
            mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
        break;
    case FPU_MATH_SIN:
        t = mpfr_sin(r, x, rnd);
        break;
    case FPU_MATH_COS:
        t = mpfr_cos(r, x, rnd);
        break;
    case FPU_MATH_FDIV:
        t = mpfr_div(r, x, y, rnd);
        break;
    default:
        mpfr_abs(x, x, MPFR_RNDN);
        t = mpfr_pow(r, x, y, rnd);
        break;
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
    return t;
}

static uint32_t exceptions(void)
{
    return (mpfr_nanflag_p() ? FPU_MATH_INVALID : 0) |
           (mpfr_divby0_p() ? FPU_MATH_DIVZERO : 0) |
           (mpfr_overflow_p() ? FPU_MATH_OVERFLOW : 0) |
           (mpfr_inexflag_p() ? FPU_MATH_INEXACT : 0);
}

uint32_t oracle_round(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                      uint32_t y, uint32_t round, uint32_t *flags)
{
    static const mpfr_rnd_t modes[4] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    double a = oracle_value(f, x), b = oracle_value(f, y), value;
    mpfr_t r, wide;
    int t;

    mpfr_inits2(WIDE, wide, (mpfr_ptr)0);
    evaluate(wide, fn, a, b, MPFR_RNDZ);
    mpfr_init2(r, f->precision);
    mpfr_set_emin(f->emin - f->precision + 2); /* MPFR's exponents are one more */
    mpfr_set_emax(f->emax + 1);
    mpfr_clear_flags();
    t = evaluate(r, fn, a, b, modes[round]);
    if (isnan(a) || (takes_two(fn) && isnan(b)))
        mpfr_clear_nanflag(); /* a quiet NaN is passed on */
    t = mpfr_check_range(r, t, modes[round]);
    mpfr_subnormalize(r, t, modes[round]);
    value = mpfr_get_d(r, MPFR_RNDN);
    *flags = exceptions();
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    if ((*flags & FPU_MATH_INEXACT) && mpfr_regular_p(wide) &&
        mpfr_get_exp(wide) - 1 < f->emin)
        *flags |= FPU_MATH_UNDERFLOW;
    mpfr_clears(r, wide, (mpfr_ptr)0);
    return oracle_bits(f, value);
}

double oracle_ulp(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                  uint32_t y, uint32_t result)
{
    double got = oracle_value(f, result), ulp;
    long exponent;
    mpfr_t r;

    mpfr_init2(r, WIDE);
    evaluate(r, fn, oracle_value(f, x), oracle_value(f, y), MPFR_RNDN);
    if (!mpfr_regular_p(r) || mpfr_get_exp(r) - 1 > f->emax || isnan(got) ||
        isinf(got)) {
        uint32_t flags;

        mpfr_clear(r);
        return oracle_round(f, fn, x, y, 0, &flags) == result ? 0 : -1;
    }
    exponent = mpfr_get_exp(r) - 1;
    if (exponent < f->emin)
        exponent = f->emin;
    mpfr_sub_d(r, r, got, MPFR_RNDN);
    mpfr_mul_2si(r, r, f->precision - 1 - exponent, MPFR_RNDN);
    ulp = fabs(mpfr_get_d(r, MPFR_RNDN));
    mpfr_clear(r);
    return ulp;
}

void oracle_close(void)
{
    mpfr_free_cache();
}
