/* test_math_accuracy.c - extended math against MPFR: error bounds, special values,
 * rounding modes, exceptions, flushed denormals, integer division.
 * Covers all 65,536 halves, and single precision with corner values, every exponent and
 * random mantissas; the long run takes every single-precision operand of the unary
 * functions. Prints the largest error found of each function.
 * Does not find: how far the hardware's own, unpublished, approximation is away.
 * tests/run: timeout=900 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "math_oracle.h"
#include "tests/support/rng.h"

enum { CORNERS = 46 };

static const struct fpu_math_mode nearest = {0, false};

/* docs/contract/fpu-math.md states these, in units of the last place. */
static double bound(enum fpu_math_fn fn, const struct oracle_format *f)
{
    bool rounded_correctly =
        fn == FPU_MATH_INV || fn == FPU_MATH_SQT || fn == FPU_MATH_FDIV;

    return rounded_correctly ? 0.5 : f->precision == 11 ? 0.5001 : 0.51;
}

static uint32_t compute(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                        uint32_t y, struct fpu_math_mode mode, uint32_t *flags)
{
    if (f->precision == 11)
        return fpu_math_f16(fn, (uint16_t)x, (uint16_t)y, mode, flags);
    return fpu_math_f32(fn, x, y, mode, flags);
}

struct worst {
    double ulp;
    uint32_t x, y;
};

static void measure(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                    uint32_t y, struct worst *w)
{
    uint32_t got = compute(f, fn, x, y, nearest, NULL);
    double ulp = oracle_ulp(f, fn, x, y, got);

    if (ulp < 0 || ulp > bound(fn, f))
        fail_msg("%s(%08x, %08x) = %08x: %.4f ulp", oracle_name(fn), x, y, got, ulp);
    if (ulp > w->ulp)
        *w = (struct worst){ulp, x, y};
}

static void show(const struct oracle_format *f, enum fpu_math_fn fn,
                 const struct worst *w)
{
    print_message("%s %-4s at most %.5f ulp (%08x, %08x)\n",
                  f->precision == 11 ? "half  " : "single", oracle_name(fn), w->ulp,
                  w->x, w->y);
}

static uint32_t corner(uint32_t k)
{
    static const uint32_t values[CORNERS / 2] = {
        0,          1,          2,          0x00400000, 0x007FFFFF, 0x00800000,
        0x00800001, 0x33800000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF, 0x3F800000,
        0x3F800001, 0x3FBFFFFF, 0x3FC00000, 0x40000000, 0x40490FDB, 0x42FC0000,
        0x43000000, 0x43160000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000};

    return values[k / 2] | (k & 1) << 31;
}

/* A single-precision number: every exponent alike; often a short or full mantissa. */
static uint32_t any_single(struct rng *r)
{
    uint32_t bits = (uint32_t)rng_next(r), shape = (uint32_t)rng_in(r, 0, 7);

    if (shape == 0)
        bits &= 0xFFFF0000;
    else if (shape == 1)
        bits |= 0x0000FFFF;
    return bits;
}

/* A second operand with which the power is of a middling size. */
static uint32_t power_of_medium_size(struct rng *r, uint32_t x)
{
    double log = log2(fabs(oracle_value(&oracle_f32, x)));
    double y = (double)(int64_t)rng_in(r, 0, 300000) / 1000 - 150;

    return oracle_bits(&oracle_f32, isfinite(log) && fabs(log) > 0x1p-23 ? y / log : y);
}

/* ---- errors ------------------------------------------------------------- */

static void every_half_is_within_its_bound(void **state)
{
    struct rng rng = {11};

    (void)state;
    for (uint32_t k = 0; k < 9; k++) {
        enum fpu_math_fn fn = (enum fpu_math_fn)oracle_functions[k];
        struct worst w = {0, 0, 0};

        for (uint32_t x = 0; x < 65536; x++)
            measure(&oracle_f16, fn, x, (uint32_t)rng_next(&rng) & 0xFFFF, &w);
        show(&oracle_f16, fn, &w);
    }
}

static void singles_are_within_their_bounds(void **state)
{
    uint32_t count = getenv("IGPU_LONG") != NULL ? 3000000 : 60000;
    struct rng rng = {12};

    (void)state;
    for (uint32_t k = 0; k < 9; k++) {
        enum fpu_math_fn fn = (enum fpu_math_fn)oracle_functions[k];
        struct worst w = {0, 0, 0};

        for (uint32_t i = 0; i < CORNERS * CORNERS; i++)
            measure(&oracle_f32, fn, corner(i % CORNERS), corner(i / CORNERS), &w);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t x = any_single(&rng), y = any_single(&rng);

            if (fn == FPU_MATH_EXP || (fn == FPU_MATH_LOG && (i & 1)))
                x = (x & 0x83FFFFFF) | 0x3C000000; /* where it is not trivial */
            if (fn == FPU_MATH_POW)
                y = power_of_medium_size(&rng, x);
            measure(&oracle_f32, fn, x, y, &w);
        }
        show(&oracle_f32, fn, &w);
    }
}

/* ---- every single-precision operand, against double precision ------------- */

static double in_double(enum fpu_math_fn fn, double x)
{
    switch (fn) {
    case FPU_MATH_LOG:
        return log2(x);
    case FPU_MATH_EXP:
        return exp2(x);
    case FPU_MATH_SIN:
        return sin(x);
    case FPU_MATH_COS:
        return cos(x);
    default:
        return 1 / sqrt(x);
    }
}

/* The operand with the largest error. Double precision tells it to 2^-28 ulp. */
static struct worst scan(enum fpu_math_fn fn, uint32_t from, uint32_t to, uint32_t step)
{
    struct worst w = {0, from, 0};

    for (uint32_t x = from; x < to; x += step) {
        uint32_t got = fpu_math_f32(fn, x, 0, nearest, NULL);
        double want = in_double(fn, oracle_value(&oracle_f32, x)), ulp;
        int e;

        frexp(want, &e);
        ulp = fabs(oracle_value(&oracle_f32, got) - want) *
              ldexp(1, 24 - (e < -125 ? -125 : e));
        if (ulp > w.ulp)
            w = (struct worst){ulp, x, 0};
    }
    return w;
}

static void singles_in_order_are_within_their_bounds(void **state)
{
    static const struct {
        enum fpu_math_fn fn;
        uint32_t from, to;
    } part[] = {
        {FPU_MATH_RSQT, 0x3F000000, 0x40000000}, /* other exponents repeat it */
        {FPU_MATH_LOG, 1, 0x7F800000},           {FPU_MATH_EXP, 1, 0x43000000},
        {FPU_MATH_EXP, 0x80000001, 0xC3160000},  {FPU_MATH_SIN, 1, 0x7F800000},
        {FPU_MATH_COS, 1, 0x7F800000},
    };

    uint32_t step = getenv("IGPU_LONG") != NULL ? 1 : 4099;

    (void)state;
    for (uint32_t k = 0; k < sizeof(part) / sizeof(part[0]); k++) {
        struct worst w = scan(part[k].fn, part[k].from, part[k].to, step);
        struct worst exact = {0, 0, 0};

        measure(&oracle_f32, part[k].fn, w.x, 0, &exact);
        print_message("%08x to %08x: ", part[k].from, part[k].to - 1);
        show(&oracle_f32, part[k].fn, &exact);
    }
}

/* The mantissas decide; two exponents for the root. */
static void every_mantissa_is_rounded_correctly(void **state)
{
    uint32_t step = getenv("IGPU_LONG") != NULL ? 1 : 29;

    (void)state;
    for (uint32_t x = 0x3F000000; x < 0x40000000; x += step) {
        double a = oracle_value(&oracle_f32, x);
        uint32_t inv = fpu_math_f32(FPU_MATH_INV, x, 0, nearest, NULL);
        uint32_t sqt = fpu_math_f32(FPU_MATH_SQT, x, 0, nearest, NULL);

        /* IEEE 754 division and root of more than twice the bits, then rounded: no
         * double rounding can go wrong (Figueroa's theorem). */
        if (inv != oracle_bits(&oracle_f32, 1 / a) ||
            sqt != oracle_bits(&oracle_f32, sqrt(a)))
            fail_msg("%08x: inv %08x, sqt %08x", x, inv, sqt);
    }
}

/* ---- modes and exceptions ------------------------------------------------- */

static bool operand_is(const struct oracle_format *f, uint32_t x, bool signalling)
{
    uint32_t frac = x & ((1u << (f->precision - 1)) - 1);
    uint32_t biased = x >> (f->precision - 1) & ((uint32_t)f->emax * 2 + 1);
    uint32_t quiet = 1u << (f->precision - 2);

    if (signalling)
        return biased == (uint32_t)f->emax * 2 + 1 && frac != 0 && !(frac & quiet);
    return biased == 0 && frac != 0;
}

/* Exceptions of the operands by themselves, in a mode that keeps denormals. */
static uint32_t operand_flags(const struct oracle_format *f, enum fpu_math_fn fn,
                              uint32_t x, uint32_t y)
{
    bool two = fn == FPU_MATH_FDIV || fn == FPU_MATH_POW;
    uint32_t flags = 0;

    if (operand_is(f, x, false) || (two && operand_is(f, y, false)))
        flags |= FPU_MATH_DENORMAL;
    if (operand_is(f, x, true) || (two && operand_is(f, y, true)))
        flags |= FPU_MATH_INVALID;
    return flags;
}

static void check_exactly(const struct oracle_format *f, enum fpu_math_fn fn,
                          uint32_t x, uint32_t y, uint32_t round)
{
    uint32_t want_flags, flags = 0, want, got;

    want = oracle_round(f, fn, x, y, round, &want_flags);
    got = compute(f, fn, x, y, (struct fpu_math_mode){(uint8_t)round, false}, &flags);
    want_flags |= operand_flags(f, fn, x, y);
    if (got != want || flags != want_flags)
        fail_msg("%s(%08x, %08x) mode %u: %08x flags %02x, expected %08x flags %02x",
                 oracle_name(fn), x, y, round, got, flags, want, want_flags);
}

static void division_and_root_follow_ieee_in_every_mode(void **state)
{
    static const enum fpu_math_fn fns[3] = {FPU_MATH_INV, FPU_MATH_SQT, FPU_MATH_FDIV};
    uint32_t count = getenv("IGPU_LONG") != NULL ? 1000000 : 40000;
    struct rng rng = {13};

    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < CORNERS * CORNERS * 4; i++)
            check_exactly(&oracle_f32, fns[k], corner(i / 4 % CORNERS),
                          corner(i / 4 / CORNERS), i & 3);
        for (uint32_t i = 0; i < count; i++)
            check_exactly(&oracle_f32, fns[k], any_single(&rng), any_single(&rng),
                          i & 3);
        for (uint32_t x = 0; x < 65536; x++)
            check_exactly(&oracle_f16, fns[k], x, (uint32_t)rng_next(&rng) & 0xFFFF,
                          x >> 5 & 3);
    }
}

/* Of the others: a directed result is one of the two neighbours of the true value, and
 * the exceptions of special operands are raised. */
static void other_functions_round_to_a_neighbour(void **state)
{
    struct rng rng = {14};

    (void)state;
    for (uint32_t i = 0; i < 60000; i++) {
        enum fpu_math_fn fn = (enum fpu_math_fn)oracle_functions[i % 9];
        uint32_t x = i < 20000 ? corner(i / 9 % CORNERS) : any_single(&rng), flags = 0;
        uint32_t round = 1 + i / 9 / CORNERS % 3, want_flags, want, got, y;

        y = i < 20000 ? corner((uint32_t)rng_in(&rng, 0, CORNERS - 1))
                      : power_of_medium_size(&rng, x);
        got = fpu_math_f32(fn, x, y, (struct fpu_math_mode){(uint8_t)round, false},
                           &flags);
        want = oracle_round(&oracle_f32, fn, x, y, round, &want_flags);
        if (got > want + 1 || want > got + 1)
            fail_msg("%s(%08x, %08x) mode %u: %08x, expected %08x", oracle_name(fn), x,
                     y, round, got, want);
        want_flags |= operand_flags(&oracle_f32, fn, x, y);
        if ((flags ^ want_flags) &
            (FPU_MATH_INVALID | FPU_MATH_DENORMAL | FPU_MATH_DIVZERO))
            fail_msg("%s(%08x, %08x): flags %02x", oracle_name(fn), x, y, flags);
    }
}

static uint32_t flushed(const struct oracle_format *f, uint32_t bits)
{
    uint32_t sign = 1u << (f->precision == 11 ? 15 : 31);

    return operand_is(f, bits, false) ? bits & sign : bits;
}

static void flushing_is_a_zero_at_either_end(void **state)
{
    const struct fpu_math_mode flush = {0, true};
    struct rng rng = {15};

    (void)state;
    for (uint32_t i = 0; i < 300000; i++) {
        const struct oracle_format *f = i & 1 ? &oracle_f16 : &oracle_f32;
        enum fpu_math_fn fn = (enum fpu_math_fn)oracle_functions[i % 9];
        uint32_t top = f->precision == 11 ? 0xFFFF : UINT32_MAX;
        uint32_t x = any_single(&rng) & top, y = any_single(&rng) & top, got, want;
        uint32_t flags = 0;

        got = compute(f, fn, x, y, flush, &flags);
        want = compute(f, fn, flushed(f, x), flushed(f, y), nearest, NULL);
        assert_int_equal(got, flushed(f, want));
        if (got != want)
            assert_int_equal(flags & FPU_MATH_UNDERFLOW, FPU_MATH_UNDERFLOW);
        assert_int_equal(flags & FPU_MATH_DENORMAL, 0);
    }
}

/* ---- integers, macros ----------------------------------------------------- */

static void check_division(uint32_t x, uint32_t y)
{
    struct fpu_math_division u = fpu_math_idiv(x, y, false),
                             s = fpu_math_idiv(x, y, true);
    int64_t a = (int32_t)x, b = (int32_t)y;

    if (y == 0) {
        assert_true(u.quotient == UINT32_MAX && u.remainder == x);
        assert_true(s.quotient == UINT32_MAX && s.remainder == x);
        return;
    }
    if (u.quotient != x / y || u.remainder != x % y ||
        s.quotient != (uint32_t)(a / b) || s.remainder != (uint32_t)(a % b))
        fail_msg("%u / %u", x, y);
}

static void integer_division_is_exact(void **state)
{
    uint32_t count = getenv("IGPU_LONG") != NULL ? 400000000 : 4000000;
    struct rng rng = {16};

    (void)state;
    for (uint32_t i = 0; i < 65 * 65; i++) /* powers of two, and one off */
        for (int32_t d = 0; d < 9; d++)
            check_division((1u << i % 32) + (uint32_t)(d % 3 - 1),
                           (1u << i / 65 % 32) + (uint32_t)(d / 3 - 1));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = rng_next(&rng);
        uint32_t x = (uint32_t)bits >> (rng_next(&rng) & 31),
                 y = (uint32_t)(bits >> 32);

        y >>= rng_next(&rng) & 31;
        check_division(x, y);
        if (y != 0) { /* exact quotients, and one less */
            check_division(x / y * y, y);
            check_division(x / y * y - 1, y);
        }
    }
}

static void macro_starts_are_within_their_bounds(void **state)
{
    double least = 0, most = 0, off = 0;
    struct rng rng = {17};

    (void)state;
    for (uint32_t i = 0; i < 3000000; i++) {
        uint64_t mant = rng_next(&rng) | UINT64_C(1) << 63;
        bool odd = i & 1;
        long double m, d;

        if (i % 3 == 0)
            mant |= UINT64_C(0xFFFFFFFF) << (rng_next(&rng) & 31);
        if (i % 3 == 1)
            mant = mant >> (20 + i % 40) << (20 + i % 40) | UINT64_C(1) << 63;
        m = (long double)mant / 0x1p63L;
        d = (long double)fpu_math_start_inverse(mant) - 0x1p24L / m;
        least = fmin(least, (double)d);
        most = fmax(most, (double)d);
        d = (long double)fpu_math_start_root(mant, odd) -
            0x1p24L / sqrtl(odd ? 2 * m : m);
        off = fmax(off, fabs((double)d));
    }
    print_message("start of the inverse: %.4f to %.4f units of 2^-24; root: %.4f\n",
                  least, most, off);
    assert_true(least >= 0 && most < 1.01 && off < 0.51);
}

static int close_oracle(void **state)
{
    (void)state;
    oracle_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_within_its_bound),
        cmocka_unit_test(singles_are_within_their_bounds),
        cmocka_unit_test(singles_in_order_are_within_their_bounds),
        cmocka_unit_test(every_mantissa_is_rounded_correctly),
        cmocka_unit_test(division_and_root_follow_ieee_in_every_mode),
        cmocka_unit_test(other_functions_round_to_a_neighbour),
        cmocka_unit_test(flushing_is_a_zero_at_either_end),
        cmocka_unit_test(integer_division_is_exact),
        cmocka_unit_test(macro_starts_are_within_their_bounds),
    };

    cmocka_set_test_filter(getenv("IGPU_TEST_ONLY")); /* tests/fail/test_fpu_math.sh */
    return cmocka_run_group_tests(tests, NULL, close_oracle);
}
