/* test_math_macros.c - the start values of math.invm and math.rsqtm are good enough:
 * the compiler's madm chains (ocloc 22.43, divide_double and divide_float of
 * tests/csim/test_emu_kernels.cl, copied below step by step) end in the correctly
 * rounded quotient and root, on random operands and on operands whose result lies
 * next to the middle of two numbers. And the starts of inverses are what the host's
 * division gives, where csim/jit takes them from there.
 * Does not find: a compiler that emits another chain (tests/csim/test_emu_kernels.c
 * runs what it emits today). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "csim/emu/emu_int.h"
#include "igpu/fpu_math.h"
#include "tests/support/rng.h"

typedef struct emu_num num;

static enum isa_type type; /* of the chain that runs */

static num number(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return emu_num_unpack(bits, ISA_TYPE_DF);
}

/* c + a b, rounded to the type, of any exponent: one madm between mme registers. */
static num madm(num c, num a, num b)
{
    num exact = emu_num_fma(&a, &b, &c, EMU_RNE);

    return emu_num_trim(exact, type, EMU_RNE);
}

static num neg(num a)
{
    a.sign = !a.sign;
    return a;
}

static double packed(num c, num a, num b)
{
    num exact = emu_num_fma(&a, &b, &c, EMU_RNE);
    uint64_t bits = emu_num_pack(&exact, type, EMU_RNE);
    uint32_t low = (uint32_t)bits;
    double value;
    float single;

    memcpy(&single, &low, sizeof(single));
    memcpy(&value, &bits, sizeof(value));
    return type == ISA_TYPE_DF ? value : (double)single;
}

static num start_inverse(num b)
{
    num y = emu_num_from_int(fpu_math_start_inverse((uint64_t)(b.mant >> 64)), b.sign);

    y.exp += -24 - b.exp;
    return y;
}

static num start_root(num x)
{
    bool odd = x.exp & 1;
    num y = emu_num_from_int(fpu_math_start_root((uint64_t)(x.mant >> 64), odd), false);

    y.exp += -24 - (x.exp - odd) / 2;
    return y;
}

static double divide_double(double x, double y)
{
    num a = number(x), b = number(y), zero = number(0), one = number(1);
    num y0 = start_inverse(b);
    num q0 = madm(zero, a, y0), e0 = madm(one, neg(b), y0), r0 = madm(a, neg(b), q0);
    num y1 = madm(y0, e0, y0), e1 = madm(one, neg(b), y1), y2 = madm(y0, e0, y1);
    num q1 = madm(q0, r0, y1), y3 = madm(y1, y2, e1), r1 = madm(a, neg(b), q1);

    return packed(q1, r1, y3);
}

static double divide_single(double x, double y)
{
    num a = number(x), b = number(y), zero = number(0), one = number(1);
    num y0 = start_inverse(b);
    num q0 = madm(zero, a, y0), e0 = madm(one, neg(b), y0), y1 = madm(y0, e0, y0);
    num r0 = madm(a, neg(b), q0), q1 = madm(q0, r0, y1), r1 = madm(a, neg(b), q1);

    return packed(q1, r1, y1);
}

static double root_double(double value)
{
    num x = number(value), zero = number(0), half = number(0.5);
    num y0 = start_root(x);
    num h0 = madm(zero, half, y0), g0 = madm(zero, x, y0);
    num e = madm(half, neg(g0), h0), t = madm(number(1), number(1.5), e);
    num d = madm(zero, e, g0), f = madm(zero, e, h0);
    num g1 = madm(g0, t, d), h1 = madm(h0, t, f), r = madm(x, neg(g1), g1);

    return packed(g1, r, h1);
}

static double root_single(double value)
{
    num x = number(value), zero = number(0), half = number(0.5);
    num y0 = start_root(x);
    num h0 = madm(zero, half, y0), g0 = madm(zero, x, y0);
    num e = madm(half, neg(g0), h0), h1 = madm(h0, h0, e), g1 = madm(g0, g0, e);
    num r = madm(x, neg(g1), g1);

    return packed(g1, h1, r);
}

/* A number of 24 or 53 bits in [1, 2^spread): random, short, or nearly all ones. */
static double random_number(struct rng *r, int spread)
{
    uint64_t top = type == ISA_TYPE_DF ? UINT64_C(1) << 52 : 1u << 23;
    uint64_t bits = rng_next(r) & (top - 1);

    switch (rng_in(r, 0, 4)) {
    case 0:
        bits &= ~UINT64_C(0) << rng_in(r, 0, 52);
        break;
    case 1:
        bits = (top - 1) & ~(rng_next(r) >> rng_in(r, 40, 63));
        break;
    default:
        break;
    }
    return ldexp((double)(top | bits), (type == ISA_TYPE_DF ? -52 : -23) +
                                           (int)rng_in(r, 0, (uint64_t)spread));
}

static double rounded(long double value)
{
    return type == ISA_TYPE_DF ? (double)value : (double)(float)value;
}

static void check_chains(enum isa_type which, uint32_t count)
{
    double step = which == ISA_TYPE_DF ? 0x1p-53 : 0x1p-24;
    struct rng rng = {21};

    type = which;
    for (uint32_t i = 0; i < count; i++) {
        double b = random_number(&rng, 40), a = random_number(&rng, 40), q, s;

        if (i & 1) /* next to the middle between two quotients, or roots */
            a = rounded((long double)b * ((long double)a * (1 + (long double)step)));
        q = type == ISA_TYPE_DF ? divide_double(a, b) : divide_single(a, b);
        /* The host's IEEE division of doubles; rounding it again to single is safe. */
        if (q != rounded((long double)(a / b)))
            fail_msg("%a / %a: %a", a, b, q);
        if (i & 1)
            a = rounded((long double)b * b * (1 + 2 * (long double)step));
        s = type == ISA_TYPE_DF ? root_double(a) : root_single(a);
        if (s != rounded((long double)sqrt(a)))
            fail_msg("root of %a: %a", a, s);
    }
}

static void double_chains_end_correctly_rounded(void **state)
{
    (void)state;
    check_chains(ISA_TYPE_DF, getenv("IGPU_LONG") != NULL ? 20000000 : 500000);
}

static void single_chains_end_correctly_rounded(void **state)
{
    (void)state;
    check_chains(ISA_TYPE_F, getenv("IGPU_LONG") != NULL ? 20000000 : 500000);
}

/* Every single-precision divisor, whose inverse is the hardest quotient. */
static void every_single_inverse_is_correctly_rounded(void **state)
{
    uint32_t step = getenv("IGPU_LONG") != NULL ? 1 : 13;

    (void)state;
    type = ISA_TYPE_F;
    for (uint32_t mant = (1u << 24) - 1; mant >= 1u << 23; mant -= step) {
        double b = (double)mant;

        if (divide_single(1, b) != rounded((long double)(1 / b)))
            fail_msg("1 / %a", b);
    }
}

/* As rounded_inverse() in csim/jit/jit_macro.c, which asks the emulator for others. */
static bool is_host_start(uint32_t mant, uint32_t *start)
{
    enum { UP = 64 + 0xFFFF, MARGIN = 64 };
    double inverse = 1 / ((double)mant / 0x1p31) * 0x1p40;
    uint64_t units = (uint64_t)(inverse + UP + 0x1p52) - (UINT64_C(1) << 52);

    *start = (uint32_t)(units >> 16);
    return ((units + MARGIN) & 0xFFFF) >= 2 * MARGIN;
}

/* Of the 32 bits of a divisor that the table takes, all or a part. */
static void starts_of_inverses_are_the_hosts(void **state)
{
    uint64_t step = getenv("IGPU_LONG") != NULL ? 1 : 61;

    (void)state;
    for (uint64_t mant = UINT32_MAX; mant >= UINT64_C(1) << 31; mant -= step) {
        uint32_t start;

        if (is_host_start((uint32_t)mant, &start) &&
            start != fpu_math_start_inverse(mant << 32))
            fail_msg("1 / 0x%x", (unsigned)mant);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_of_inverses_are_the_hosts),
        cmocka_unit_test(double_chains_end_correctly_rounded),
        cmocka_unit_test(single_chains_end_correctly_rounded),
        cmocka_unit_test(every_single_inverse_is_correctly_rounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
