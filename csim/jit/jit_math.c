/* jit_math.c - functions of floats. inv, fdiv and sqt are exactly rounded, as the
 * host's; the others are computed in doubles, whose error counts for nothing, and
 * rounded. The emulator's value before it is rounded (csim/fpu) is off by little as
 * well, so both round to the same float unless the double lies next to the middle
 * between two. There the emulator is asked, and wherever an operand is none of those
 * that the formulas are for: lanes that are `near`.
 *
 * How near is told in units of a double's last place, 2^-29 of a float's, and is about
 * twice what the emulator's can be off: values before they are rounded against the
 * host's double precision, every third operand (docs/lab/2026-11-jit.md). Polynomials
 * are Chebyshev interpolations, computed in 200 bits, with their relative error at
 * 4,001 places. */
#include "jit_int.h"

#include <math.h>
#include <stddef.h>

enum { LOST = 29 }; /* bits of a double that a float has not */
enum { FRACTION = 52, BIAS = 1023 };
/* Of a float's unit, and what the emulator's can be off. */
enum {
    NEAR_RSQT = 1 << 17, /* 0.00024, 0.00021 */
    NEAR_LOG = 1 << 16,  /* 0.00012, 0.00006 */
    NEAR_EXP = 3 << 17,  /* 0.00073, 0.00037 */
    NEAR_TRIG = 1 << 19, /* 0.00098, 0.00045 */
    NEAR_POW = 1 << 16   /* for each unit of p in 2^p, beside that of exp: the logarithm
                            is off by 2^-37.7 of itself, so 0.00012, 0.00005 */
};

/* ---- what is legal --------------------------------------------------------------- */

uint32_t jit_math_sources(const struct jit_inst *in)
{
    bool singles = in->domain == JIT_F32 && in->dst.type == ISA_TYPE_F;

    for (uint32_t k = 0; k < in->nsrc; k++)
        singles = singles && in->src[k].type == ISA_TYPE_F;
    switch (singles ? in->inst->math : ISA_MATH_NONE) {
    case ISA_MATH_INV:
    case ISA_MATH_LOG:
    case ISA_MATH_EXP:
    case ISA_MATH_SQT:
    case ISA_MATH_RSQT:
    case ISA_MATH_SIN:
    case ISA_MATH_COS:
        return 1;
    case ISA_MATH_FDIV:
    case ISA_MATH_POW:
        return 2;
    default:
        return 0;
    }
}

/* ---- lanes that are asked ---------------------------------------------------------
 */

LLVMValueRef jit_ask_lanes(struct jit_gen *g, const struct jit_question *q,
                           LLVMValueRef known, LLVMValueRef near)
{
    const uint64_t result = offsetof(struct jit_asked, result);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), ask = jit_block(g, "ask"),
                      go = jit_block(g, "go");
    LLVMTypeRef words = LLVMTypeOf(known);
    LLVMValueRef bits = jit_to_bits(g, near), made, phi;
    LLVMValueRef args[] = {g->asked, bits, jit_u32(g, q->function)};

    jit_branch_if(g, LLVMBuildICmp(g->b, LLVMIntEQ, bits, LLVMConstNull(g->i32), ""),
                  go, ask);
    jit_at(g, ask);
    jit_store(g, g->asked, offsetof(struct jit_asked, x), q->x);
    if (q->y != NULL)
        jit_store(g, g->asked, offsetof(struct jit_asked, y), q->y);
    jit_store(g, g->asked, result, known);
    (void)jit_call(g, q->call, LLVMVoidTypeInContext(g->context), args, 3);
    made = jit_load(g, g->asked, result, words);
    LLVMBuildBr(g->b, go);
    jit_at(g, go);
    phi = LLVMBuildPhi(g->b, words, "");
    LLVMAddIncoming(phi, &known, &here, 1);
    LLVMAddIncoming(phi, &made, &ask, 1);
    return phi;
}

/* A function, its operands, and what is known of it. */
struct value {
    LLVMValueRef v;    /* <n x double> */
    LLVMValueRef near; /* <n x i1>: lanes that are asked */
};

/* Lanes within `margin` (<n x i32>) of the middle between two floats. */
static LLVMValueRef near_middle(struct jit_gen *g, LLVMValueRef v, LLVMValueRef margin)
{
    uint32_t n = jit_width(v);
    LLVMTypeRef type = jit_vector(g->i32, n);
    LLVMValueRef low = jit_cast(g, v, jit_vector(g->i64, n));

    low = LLVMBuildTrunc(g->b, low, type, "");
    low = LLVMBuildAnd(g->b, low, jit_splat_int(g, g->i32, (1u << LOST) - 1, n), "");
    low = LLVMBuildSub(g->b, low, jit_splat_int(g, g->i32, 1u << (LOST - 1), n), "");
    low = LLVMBuildAdd(g->b, low, margin, "");
    margin = LLVMBuildShl(g->b, margin, jit_splat_int(g, g->i32, 1, n), "");
    return LLVMBuildICmp(g->b, LLVMIntULT, low, margin, "");
}

static LLVMValueRef always_near(struct jit_gen *g, LLVMValueRef v, uint32_t margin)
{
    return near_middle(g, v, jit_splat_int(g, g->i32, margin, jit_width(v)));
}

/* ---- doubles -----------------------------------------------------------------------
 */

static LLVMTypeRef words_of(struct jit_gen *g, LLVMValueRef v)
{
    return jit_vector(g->i64, jit_width(v));
}

static LLVMValueRef all_of(struct jit_gen *g, LLVMValueRef like, uint64_t bits)
{
    return jit_splat_int(g, g->i64, bits, jit_width(like));
}

static LLVMValueRef widen(struct jit_gen *g, LLVMValueRef x)
{
    LLVMTypeRef wide = LLVMDoubleTypeInContext(g->context);

    return LLVMBuildFPExt(g->b, x, jit_vector(wide, jit_width(x)), "");
}

/* a * b + c, rounded once or twice. */
static LLVMValueRef mul_add(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef c)
{
    if (g->has_fused)
        return jit_fused(g, a, b, c);
    return LLVMBuildFAdd(g->b, LLVMBuildFMul(g->b, a, b, ""), c, "");
}

/* c[0] + c[1] x + .. + c[n - 1] x^(n - 1) */
static LLVMValueRef polynomial(struct jit_gen *g, LLVMValueRef x, const double *c,
                               uint32_t n)
{
    LLVMValueRef v = jit_constant(x, c[n - 1]);

    while (--n > 0)
        v = mul_add(g, v, x, jit_constant(x, c[n - 1]));
    return v;
}

/* The whole number next to x, |x| below 2^51, and in *bits the same in two's
 * complement, as far as its low bits go; of others there is no knowing. */
static LLVMValueRef whole(struct jit_gen *g, LLVMValueRef x, LLVMValueRef *bits)
{
    LLVMValueRef base = jit_constant(x, 0x1.8p52);

    x = LLVMBuildFAdd(g->b, x, base, "");
    *bits = jit_cast(g, x, words_of(g, x));
    return LLVMBuildFSub(g->b, x, base, "");
}

static LLVMValueRef magnitude(struct jit_gen *g, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    v = LLVMBuildAnd(g->b, jit_cast(g, v, words_of(g, v)), all_of(g, v, INT64_MAX), "");
    return jit_cast(g, v, type);
}

/* ---- functions ----------------------------------------------------------------------
 */

/* Vectors of length 1 or nearly so have roots next to the middle. */
static struct value inverse_root(struct jit_gen *g, LLVMValueRef x)
{
    struct value r;

    r.v = LLVMBuildFDiv(g->b, jit_constant(x, 1), jit_round_to(g, "llvm.sqrt", x), "");
    r.near = always_near(g, r.v, NEAR_RSQT);
    return r;
}

/* log2(x) of finite positive doubles: x = 2^e m, m next to 1 in sqrt(1/2) to sqrt(2),
 * s = (m - 1) / (m + 1); log2(m) / s is a polynomial of s^2, good to 2^-45.0. It is
 * exact for powers of two, and what is small has the same relative error. */
static LLVMValueRef log2_of(struct jit_gen *g, LLVMValueRef x)
{
    static const double c[] = {0x1.71547652b8253p+1, 0x1.ec709dc539e7ep-1,
                               0x1.2776c295ef7bbp-1, 0x1.a61a2cc257f13p-2,
                               0x1.4795a6190fc87p-2, 0x1.21ac9df204ccbp-2};
    const uint64_t one = (uint64_t)BIAS << FRACTION, half = 0x3FE6A09E667F3BCD;
    LLVMValueRef bits = jit_cast(g, x, words_of(g, x)), fraction, e, m, s, unit;

    fraction = all_of(g, x, FRACTION);
    unit = jit_constant(x, 1);
    e = LLVMBuildAdd(g->b, bits, all_of(g, x, one - half), "");
    e = LLVMBuildLShr(g->b, e, fraction, ""); /* with the bias: not negative */
    m = LLVMBuildSub(g->b, bits, LLVMBuildShl(g->b, e, fraction, ""), "");
    m = LLVMBuildAdd(g->b, m, all_of(g, x, one), "");
    m = jit_cast(g, m, LLVMTypeOf(x));
    e = LLVMBuildOr(g->b, e, all_of(g, x, UINT64_C(0x433) << FRACTION), "");
    e = LLVMBuildFSub(g->b, jit_cast(g, e, LLVMTypeOf(x)),
                      jit_constant(x, 0x1p52 + BIAS), "");
    s = LLVMBuildFDiv(g->b, LLVMBuildFSub(g->b, m, unit, ""),
                      LLVMBuildFAdd(g->b, m, unit, ""), "");
    m = polynomial(g, LLVMBuildFMul(g->b, s, s, ""), c, sizeof(c) / sizeof(c[0]));
    return mul_add(g, s, m, e);
}

static struct value logarithm(struct jit_gen *g, LLVMValueRef x)
{
    LLVMValueRef good =
        LLVMBuildFCmp(g->b, LLVMRealOGT, x, LLVMConstNull(LLVMTypeOf(x)), "");
    struct value r = {.v = log2_of(g, x)};

    good = LLVMBuildAnd(
        g->b, good, LLVMBuildFCmp(g->b, LLVMRealOLT, x, jit_constant(x, 0x1p128), ""),
        "");
    r.near = LLVMBuildOr(g->b, always_near(g, r.v, NEAR_LOG),
                         LLVMBuildNot(g->b, good, ""), "");
    return r;
}

/* 2^p = 2^k (1 + f q(f)), k whole and f to 1/2: good to 2^-44.6, exact for whole p. p
 * is -151 to 1000. */
static LLVMValueRef exp2_of(struct jit_gen *g, LLVMValueRef p)
{
    static const double c[] = {
        0x1.62e42fefa39efp-1,  0x1.ebfbdff823cedp-3,  0x1.c6b08d7047e52p-5,
        0x1.3b2ab7181b755p-7,  0x1.5d87fe86fe88ep-10, 0x1.4308ac85aa947p-13,
        0x1.ffcb9515a8016p-17, 0x1.63d136366db24p-20, 0x1.b63880a30e9ffp-24};
    LLVMValueRef bits, v, f = LLVMBuildFSub(g->b, p, whole(g, p, &bits), "");

    v = mul_add(g, f, polynomial(g, f, c, sizeof(c) / sizeof(c[0])),
                jit_constant(p, 1));
    bits = LLVMBuildShl(g->b, bits, all_of(g, p, FRACTION), "");
    bits = LLVMBuildAdd(g->b, jit_cast(g, v, LLVMTypeOf(bits)), bits, "");
    return jit_cast(g, bits, LLVMTypeOf(p));
}

/* Where the result is an infinity or certainly zero, that; where it is or may be a
 * denormal, or p is a NaN, it is asked. `each`: how much more near for each unit of p.
 */
static struct value power_of_two(struct jit_gen *g, LLVMValueRef p, uint32_t each)
{
    double least = g->k->flushes ? -127.5 : -151;
    LLVMTypeRef type = LLVMTypeOf(p), words = words_of(g, p);
    LLVMValueRef null = LLVMConstNull(type), low, zero, over, margin;
    struct value r;

    low = LLVMBuildFCmp(g->b, LLVMRealULT, p, jit_constant(p, -125.5), "");
    zero = LLVMBuildFCmp(g->b, LLVMRealOLE, p, jit_constant(p, least), "");
    over = LLVMBuildFCmp(g->b, LLVMRealOGE, p, jit_constant(p, 128), "");
    p = LLVMBuildSelect(g->b, low, null, p, "");
    p = LLVMBuildSelect(g->b, over, jit_constant(p, 128), p, "");
    r.v = LLVMBuildSelect(g->b, zero, null, exp2_of(g, p), "");
    margin = mul_add(g, magnitude(g, p), jit_constant(p, each),
                     jit_constant(p, 0x1p52 + NEAR_EXP)); /* a whole number: its bits */
    margin = LLVMBuildTrunc(g->b, jit_cast(g, margin, words),
                            jit_vector(g->i32, jit_width(p)), "");
    r.near = LLVMBuildOr(g->b, near_middle(g, r.v, margin),
                         LLVMBuildXor(g->b, low, zero, ""), "");
    return r;
}

/* |x| to the power y. Of x = 0 the logarithm is -infinity, and what follows is right; y
 * may be infinite. 0 times an infinity is a NaN, and so asked. */
static struct value power(struct jit_gen *g, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef log, zero, finite;
    struct value r;

    x = magnitude(g, x);
    zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, x, LLVMConstNull(LLVMTypeOf(x)), "");
    finite = LLVMBuildFCmp(g->b, LLVMRealOLT, x, jit_constant(x, 0x1p128), "");
    log = LLVMBuildSelect(g->b, zero, jit_constant(x, -INFINITY), log2_of(g, x), "");
    r = power_of_two(g, LLVMBuildFMul(g->b, y, log, ""), NEAR_POW);
    r.near = LLVMBuildOr(g->b, r.near, LLVMBuildNot(g->b, finite, ""), "");
    return r;
}

/* r = x - k pi, for the cosine with halves k, is within pi/2, and its sine the result
 * but for the sign: r times a polynomial of r^2, good to 2^-43.5. pi is 33 bits, whose
 * products here are exact, and 53 more. */
static struct value sine(struct jit_gen *g, LLVMValueRef x, bool cosine)
{
    static const double c[] = {0x1.ffffffffffe3ap-1,  -0x1.5555555543bddp-3,
                               0x1.11111109eefb9p-7,  -0x1.a019fd48ebf70p-13,
                               0x1.71dcf81f05f03p-19, -0x1.ae04488789176p-26,
                               0x1.52e572937b1f9p-33};
    LLVMValueRef half = jit_constant(x, 0.5), k, bits, v, far;
    struct value r;

    v = jit_constant(x, 0x1.45f306dc9c883p-2);
    v = cosine ? mul_add(g, x, v, half) : LLVMBuildFMul(g->b, x, v, "");
    k = whole(g, v, &bits);
    if (cosine)
        k = LLVMBuildFSub(g->b, k, half, "");
    k = LLVMBuildFNeg(g->b, k, "");
    v = mul_add(g, k, jit_constant(x, 0x1.921fb544p+1), x);
    v = mul_add(g, k, jit_constant(x, 0x1.0b4611a626331p-33), v);
    v = LLVMBuildFMul(
        g->b, v,
        polynomial(g, LLVMBuildFMul(g->b, v, v, ""), c, sizeof(c) / sizeof(c[0])), "");
    bits = LLVMBuildShl(g->b, bits, all_of(g, x, 63), ""); /* odd: the other sign */
    bits = LLVMBuildXor(g->b, jit_cast(g, v, LLVMTypeOf(bits)), bits, "");
    r.v = jit_cast(g, bits, LLVMTypeOf(x));
    far =
        LLVMBuildFCmp(g->b, LLVMRealUGE, magnitude(g, x), jit_constant(x, 0x1p18), "");
    r.near = LLVMBuildOr(g->b, always_near(g, r.v, NEAR_TRIG), far, "");
    return r;
}

static struct value by_double(struct jit_gen *g, uint32_t function, LLVMValueRef x,
                              LLVMValueRef y)
{
    switch (function) {
    case ISA_MATH_LOG:
        return logarithm(g, x);
    case ISA_MATH_EXP:
        return power_of_two(g, x, 0);
    case ISA_MATH_POW:
        return power(g, x, y);
    case ISA_MATH_SIN:
    case ISA_MATH_COS:
        return sine(g, x, function == ISA_MATH_COS);
    default:
        return inverse_root(g, x);
    }
}

LLVMValueRef jit_math(struct jit_gen *g, uint32_t function, const LLVMValueRef s[2],
                      LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMTypeOf(s[0]), words = jit_vector(g->i32, jit_width(s[0]));
    LLVMValueRef y = function == ISA_MATH_POW ? s[1] : s[0], v;
    struct jit_question ask = {.call = JIT_CALL_MATH, .function = function};
    struct value r;

    switch (function) {
    case ISA_MATH_INV:
        return LLVMBuildFDiv(g->b, jit_constant(s[0], 1), s[0], "");
    case ISA_MATH_FDIV:
        return LLVMBuildFDiv(g->b, s[0], s[1], "");
    case ISA_MATH_SQT:
        return jit_round_to(g, "llvm.sqrt", s[0]);
    default:
        break;
    }
    r = by_double(g, function, widen(g, s[0]), widen(g, y));
    if (mask != NULL)
        r.near = LLVMBuildAnd(g->b, r.near, mask, "");
    ask.x = jit_cast(g, s[0], words);
    ask.y = jit_cast(g, y, words);
    v = LLVMBuildFPTrunc(g->b, r.v, type, "");
    v = jit_ask_lanes(g, &ask, jit_cast(g, v, words), r.near);
    return jit_cast(g, v, type);
}
