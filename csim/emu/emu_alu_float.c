/* emu_alu_float.c - float and double instructions on lanes.
 * Half precision computes in float: its sums and products, rounded to float and then
 * to half, are rounded right (24 >= 2 * 11 + 2 bits); mad has its own function.
 * Rounding other than to nearest goes through emu_num.c. */
#include "emu_int.h"

#include <math.h>

/* ---- NaN ---------------------------------------------------------------- */

/* A NaN result is the first NaN source, quieted, else the default one: the host's
 * choice would depend on its compiler. */
static void fix_f32(uint32_t nsrc, uint32_t n, union emu_lanes *r,
                    const union emu_lanes *s)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bits = 0x7FC00000;

        if (!isnan(r->f[i]))
            continue;
        for (uint32_t k = nsrc; k-- > 0;)
            if (isnan(s[k].f[i]))
                bits = ((const emu_ud *)s[k].f)[i] | 0x00400000;
        ((emu_ud *)r->f)[i] = bits;
    }
}

static void fix_f64(uint32_t nsrc, uint32_t n, union emu_lanes *r,
                    const union emu_lanes *s)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = 0x7FF8000000000000;

        if (!isnan(r->d[i]))
            continue;
        for (uint32_t k = nsrc; k-- > 0;)
            if (isnan(s[k].d[i]))
                bits = ((const emu_uq *)s[k].d)[i] | 0x0008000000000000;
        ((emu_uq *)r->d)[i] = bits;
    }
}

static bool has_nan_f32(uint32_t n, const union emu_lanes *r)
{
    uint32_t any = 0;

    for (uint32_t i = 0; i < n; i++)
        any |= (uint32_t)(r->f[i] != r->f[i]);
    return any != 0;
}

static bool has_nan_f64(uint32_t n, const union emu_lanes *r)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < n; i++)
        any |= (uint64_t)(r->d[i] != r->d[i]);
    return any != 0;
}

/* ---- directed rounding -------------------------------------------------- */

static struct emu_num unpack_lane(const union emu_lanes *v, uint32_t i,
                                  enum isa_type type)
{
    if (type == ISA_TYPE_DF)
        return emu_num_unpack(((const emu_uq *)v->d)[i], type);
    return emu_num_unpack(((const emu_ud *)v->f)[i], type);
}

static void pack_lane(union emu_lanes *r, uint32_t i, uint64_t bits, enum isa_type type,
                      bool is_half)
{
    if (type == ISA_TYPE_DF)
        ((emu_uq *)r->d)[i] = bits;
    else if (is_half)
        r->f[i] = igpu_half_to_float((uint16_t)bits);
    else
        ((emu_ud *)r->f)[i] = (uint32_t)bits;
}

/* a * b + c in the mode of cr0, for add (b = 1), mul (no c) and mad. Returns the lanes
 * whose result exceeds the format, also where the mode makes it the largest number. */
static uint32_t rounded(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                        union emu_lanes *r, const union emu_lanes *a,
                        const union emu_lanes *b, const union emu_lanes *c)
{
    enum isa_type type = op->src_dom == EMU_DOM_F64 ? ISA_TYPE_DF : ISA_TYPE_F;
    enum isa_type to = op->is_hf ? ISA_TYPE_HF : type;
    enum emu_round round = (enum emu_round)t->round;
    uint32_t over = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct emu_num x = unpack_lane(a, i, type), y = emu_num_from_int(1, false), z;

        if (b != NULL)
            y = unpack_lane(b, i, type);
        z = emu_num_mul(&x, &y);
        if (c != NULL) {
            struct emu_num addend = unpack_lane(c, i, type);

            z = emu_num_fma(&x, &y, &addend, round);
        }
        over |= (uint32_t)emu_num_exceeds(&z, to) << i;
        pack_lane(r, i, emu_num_pack(&z, to, round), type, op->is_hf);
    }
    return over;
}

/* ---- arithmetic --------------------------------------------------------- */

#define FLOAT_ALU(name, M, fix, has_nan, nsources, value, A, B, C)                     \
    static uint32_t name(struct emu_thread *t, const struct emu_op *op, uint32_t n,    \
                         union emu_lanes *r, const union emu_lanes *s)                 \
    {                                                                                  \
        uint32_t over = 0;                                                             \
                                                                                       \
        if (t->round != EMU_RNE) {                                                     \
            over = rounded(t, op, n, r, A, B, C);                                      \
        } else if (n == 16) {                                                          \
            for (uint32_t i = 0; i < 16; i++)                                          \
                r->M[i] = value;                                                       \
        } else if (n == 8) {                                                           \
            for (uint32_t i = 0; i < 8; i++)                                           \
                r->M[i] = value;                                                       \
        } else {                                                                       \
            for (uint32_t i = 0; i < n; i++)                                           \
                r->M[i] = value;                                                       \
        }                                                                              \
        if (has_nan(n, r))                                                             \
            fix(nsources, n, r, s);                                                    \
        return over;                                                                   \
    }
#define NOTHING NULL

FLOAT_ALU(add_f32, f, fix_f32, has_nan_f32, 2, s[0].f[i] + s[1].f[i], &s[0], NOTHING,
          &s[1])
FLOAT_ALU(add_f64, d, fix_f64, has_nan_f64, 2, s[0].d[i] + s[1].d[i], &s[0], NOTHING,
          &s[1])
FLOAT_ALU(mul_f32, f, fix_f32, has_nan_f32, 2, s[0].f[i] * s[1].f[i], &s[0], &s[1],
          NOTHING)
FLOAT_ALU(mul_f64, d, fix_f64, has_nan_f64, 2, s[0].d[i] * s[1].d[i], &s[0], &s[1],
          NOTHING)
FLOAT_ALU(mad_f32, f, fix_f32, has_nan_f32, 3, fmaf(s[1].f[i], s[2].f[i], s[0].f[i]),
          &s[1], &s[2], &s[0])
FLOAT_ALU(mad_f64, d, fix_f64, has_nan_f64, 3, fma(s[1].d[i], s[2].d[i], s[0].d[i]),
          &s[1], &s[2], &s[0])

/* x * y + z of half values, rounded to odd in 24 bits: rounding that to half is
 * rounding the exact result. The product is exact in double; the sum's error is
 * exact too (Knuth's two-sum). */
static float half_mad(float x, float y, float z)
{
    double p = (double)x * (double)y, c = (double)z, sum = p + c, back = sum - p;
    double error = (p - (sum - back)) + (c - back), odd;
    uint64_t bits, low = ((uint64_t)1 << 29) - 1;

    if (!isfinite(sum) || sum == 0)
        return (float)sum;
    memcpy(&bits, &sum, sizeof(bits));
    if (error != 0 && signbit(error) != signbit(sum))
        bits--;
    bits = (bits & ~low) | (uint64_t)((bits & low) != 0 || error != 0) << 29;
    memcpy(&odd, &bits, sizeof(odd));
    return (float)odd;
}

FLOAT_ALU(mad_hf, f, fix_f32, has_nan_f32, 3, half_mad(s[1].f[i], s[2].f[i], s[0].f[i]),
          &s[1], &s[2], &s[0])

const struct emu_float_alu emu_f32 = {add_f32, mul_f32, mad_f32};

/* The accumulator holds the destination's type; its denormals are flushed as those of
 * other sources. */
static uint32_t mac_float(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                          union emu_lanes *r, const union emu_lanes *s)
{
    union emu_lanes all[3];

    all[1] = s[0];
    all[2] = s[1];
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = op->src_dom == EMU_DOM_F64    ? ((const emu_uq *)t->acc)[i]
                        : op->dst.type == ISA_TYPE_HF ? ((const emu_uw *)t->acc)[i]
                                                      : ((const emu_ud *)t->acc)[i];
        double x = emu_float_value(t, (enum isa_type)op->dst.type, bits);

        if (op->src_dom == EMU_DOM_F64)
            all[0].d[i] = x;
        else
            all[0].f[i] = (float)x;
    }
    if (op->src_dom == EMU_DOM_F64)
        return mad_f64(t, op, n, r, all);
    return op->is_hf ? mad_hf(t, op, n, r, all) : mad_f32(t, op, n, r, all);
}

/* ---- rounding to whole numbers, moves, selection ------------------------ */

FLOAT_ALU(mov_f32, f, fix_f32, has_nan_f32, 1, s[0].f[i], &s[0], NOTHING, NOTHING)
FLOAT_ALU(mov_f64, d, fix_f64, has_nan_f64, 1, s[0].d[i], &s[0], NOTHING, NOTHING)

/* A result that is a NaN is quiet (docs/contract/fpu.md). */
static void quiet_f32(uint32_t n, union emu_lanes *r)
{
    for (uint32_t i = 0; i < n; i++)
        ((emu_ud *)r->f)[i] |= isnan(r->f[i]) ? 0x00400000 : 0;
}

static void quiet_f64(uint32_t n, union emu_lanes *r)
{
    for (uint32_t i = 0; i < n; i++)
        ((emu_uq *)r->d)[i] |= isnan(r->d[i]) ? 0x0008000000000000 : 0;
}

void emu_quiet(enum emu_domain domain, uint32_t n, union emu_lanes *r)
{
    if (domain == EMU_DOM_F64)
        quiet_f64(n, r);
    else if (domain == EMU_DOM_F32)
        quiet_f32(n, r);
}

#define PLAIN_ALU(name, M, quiet, value)                                               \
    static uint32_t name(struct emu_thread *t, const struct emu_op *op, uint32_t n,    \
                         union emu_lanes *r, const union emu_lanes *s)                 \
    {                                                                                  \
        (void)t, (void)op;                                                             \
        for (uint32_t i = 0; i < n; i++)                                               \
            r->M[i] = value;                                                           \
        quiet(n, r);                                                                   \
        return 0;                                                                      \
    }

PLAIN_ALU(rndd_f32, f, quiet_f32, floorf(s[0].f[i]))
PLAIN_ALU(rndu_f32, f, quiet_f32, ceilf(s[0].f[i]))
PLAIN_ALU(rndz_f32, f, quiet_f32, truncf(s[0].f[i]))
PLAIN_ALU(rnde_f32, f, quiet_f32, rintf(s[0].f[i]))
PLAIN_ALU(rndd_f64, d, quiet_f64, floor(s[0].d[i]))
PLAIN_ALU(rndu_f64, d, quiet_f64, ceil(s[0].d[i]))
PLAIN_ALU(rndz_f64, d, quiet_f64, trunc(s[0].d[i]))
PLAIN_ALU(rnde_f64, d, quiet_f64, rint(s[0].d[i]))

/* Of an infinity it is invalid: the default NaN, not the host's. */
static float fraction(float x)
{
    float f = isinf(x) ? NAN : x - floorf(x);

    return f >= 1 ? 0x1.fffffep-1f : f;
}

/* Of half precision: rounded to nearest here, so that the mode does not matter. */
static float half_fraction(float x)
{
    float f = fraction(x), unit;
    int exp;

    if (isnan(f))
        return f;
    (void)frexpf(f, &exp);
    unit = ldexpf(1, exp - 11 > -24 ? exp - 11 : -24);
    f = rintf(f / unit) * unit;
    return f >= 1 ? 0x1.ffcp-1f : f;
}

PLAIN_ALU(frc_f32, f, quiet_f32, fraction(s[0].f[i]))
PLAIN_ALU(frc_f16, f, quiet_f32, half_fraction(s[0].f[i]))

/* The number when one of both is NaN, the first when both are. */
PLAIN_ALU(min_f32, f, quiet_f32,
          s[0].f[i] < s[1].f[i] || isnan(s[1].f[i]) ? s[0].f[i] : s[1].f[i])
PLAIN_ALU(max_f32, f, quiet_f32,
          s[0].f[i] >= s[1].f[i] || isnan(s[1].f[i]) ? s[0].f[i] : s[1].f[i])
PLAIN_ALU(min_f64, d, quiet_f64,
          s[0].d[i] < s[1].d[i] || isnan(s[1].d[i]) ? s[0].d[i] : s[1].d[i])
PLAIN_ALU(max_f64, d, quiet_f64,
          s[0].d[i] >= s[1].d[i] || isnan(s[1].d[i]) ? s[0].d[i] : s[1].d[i])

/* ---- comparison --------------------------------------------------------- */

#define COMPARE(name, M, rel) EMU_COMPARE(name, s[0].M[i] rel s[1].M[i])

COMPARE(eq_f32, f, ==)
COMPARE(ne_f32, f, !=)
COMPARE(gt_f32, f, >)
COMPARE(ge_f32, f, >=)
COMPARE(lt_f32, f, <)
COMPARE(le_f32, f, <=)
COMPARE(eq_f64, d, ==)
COMPARE(ne_f64, d, !=)
COMPARE(gt_f64, d, >)
COMPARE(ge_f64, d, >=)
COMPARE(lt_f64, d, <)
COMPARE(le_f64, d, <=)

EMU_COMPARE(un_f32, isnan(s[0].f[i]) || isnan(s[1].f[i]))
EMU_COMPARE(un_f64, isnan(s[0].d[i]) || isnan(s[1].d[i]))

static emu_alu_fn *pick_cmp(const struct emu_op *op, bool is_double)
{
    static emu_alu_fn *const by_cmod[2][ISA_CMOD_COUNT] = {
        {[ISA_CMOD_EQ] = eq_f32,
         [ISA_CMOD_NE] = ne_f32,
         [ISA_CMOD_GT] = gt_f32,
         [ISA_CMOD_GE] = ge_f32,
         [ISA_CMOD_LT] = lt_f32,
         [ISA_CMOD_LE] = le_f32,
         [ISA_CMOD_UN] = un_f32},
        {[ISA_CMOD_EQ] = eq_f64,
         [ISA_CMOD_NE] = ne_f64,
         [ISA_CMOD_GT] = gt_f64,
         [ISA_CMOD_GE] = ge_f64,
         [ISA_CMOD_LT] = lt_f64,
         [ISA_CMOD_LE] = le_f64,
         [ISA_CMOD_UN] = un_f64},
    };

    return by_cmod[is_double][op->cmod];
}

/* cmpn: a NaN in src1 makes it true, so that the sel that follows takes src0. */
static uint32_t cmpn_float(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                           union emu_lanes *r, const union emu_lanes *s)
{
    bool is_double = op->src_dom == EMU_DOM_F64;
    uint32_t bits = pick_cmp(op, is_double)(t, op, n, r, s);

    for (uint32_t i = 0; i < n; i++)
        bits |= (uint32_t)(is_double ? isnan(s[1].d[i]) : isnan(s[1].f[i])) << i;
    return bits;
}

/* csel: src2 against zero chooses between src0 and src1. */
static uint32_t csel_f32(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    uint32_t bits = emu_test_zero(op, n, EMU_DOM_F32, ISA_TYPE_F, &s[2]);

    (void)t;
    for (uint32_t i = 0; i < n; i++)
        r->f[i] = bits >> i & 1 ? s[0].f[i] : s[1].f[i];
    quiet_f32(n, r);
    return 0;
}

emu_alu_fn *emu_alu_float(const struct emu_op *op, enum emu_domain domain)
{
    static emu_alu_fn *const simple[2][ISA_OP_COUNT] = {
        {[ISA_OP_MOV] = mov_f32,
         [ISA_OP_MOVI] = mov_f32,
         [ISA_OP_SMOV] = mov_f32,
         [ISA_OP_ADD] = add_f32,
         [ISA_OP_MUL] = mul_f32,
         [ISA_OP_MAD] = mad_f32,
         [ISA_OP_MAC] = mac_float,
         [ISA_OP_RNDD] = rndd_f32,
         [ISA_OP_RNDU] = rndu_f32,
         [ISA_OP_RNDZ] = rndz_f32,
         [ISA_OP_RNDE] = rnde_f32,
         [ISA_OP_FRC] = frc_f32,
         [ISA_OP_CSEL] = csel_f32},
        {[ISA_OP_MOV] = mov_f64,
         [ISA_OP_SMOV] = mov_f64,
         [ISA_OP_ADD] = add_f64,
         [ISA_OP_MUL] = mul_f64,
         [ISA_OP_MAD] = mad_f64,
         [ISA_OP_MAC] = mac_float,
         [ISA_OP_RNDD] = rndd_f64,
         [ISA_OP_RNDU] = rndu_f64,
         [ISA_OP_RNDZ] = rndz_f64,
         [ISA_OP_RNDE] = rnde_f64},
    };
    bool is_double = domain == EMU_DOM_F64;

    if (op->opcode == ISA_OP_CMP)
        return pick_cmp(op, is_double);
    if (op->opcode == ISA_OP_CMPN)
        return cmpn_float;
    if (op->opcode == ISA_OP_SEL &&
        (op->cmod == ISA_CMOD_LT || op->cmod == ISA_CMOD_LE))
        return is_double ? min_f64 : min_f32;
    if (op->opcode == ISA_OP_SEL &&
        (op->cmod == ISA_CMOD_GE || op->cmod == ISA_CMOD_GT))
        return is_double ? max_f64 : max_f32;
    if (op->opcode == ISA_OP_MAD && op->is_hf)
        return mad_hf;
    if (op->opcode == ISA_OP_FRC && op->is_hf)
        return frc_f16;
    return simple[is_double][op->opcode];
}
