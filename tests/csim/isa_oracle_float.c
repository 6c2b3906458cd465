/* isa_oracle_float.c - floating point in MPFR: one operation at a time with the
 * precision, range, rounding and denormals of the type in which Gen9 computes, then
 * the conversion to the destination's type. */
#include "isa_oracle.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

/* ---- formats ------------------------------------------------------------ */

struct format {
    uint32_t precision;
    int emin, emax;
    uint32_t keep; /* bit of cr0.0 that keeps denormals */
};

static const struct format *format_of(uint32_t type)
{
    static const struct format half = {11, -14, 15, 1 << 10},
                               single = {24, -126, 127, 1 << 7},
                               wide = {53, -1022, 1023, 1 << 6};

    return type == ISA_TYPE_HF ? &half : type == ISA_TYPE_DF ? &wide : &single;
}

static mpfr_t num[3], out, whole;

void oracle_open(void)
{
    mpfr_inits2(53, num[0], num[1], num[2], (mpfr_ptr)0);
    mpfr_inits2(64, out, whole, (mpfr_ptr)0);
}

void oracle_close(void)
{
    mpfr_clears(num[0], num[1], num[2], out, whole, (mpfr_ptr)0);
    mpfr_free_cache();
}

static mpfr_rnd_t mode_of(uint32_t ctrl)
{
    static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

    return modes[ctrl >> 4 & 3];
}

/* Bits of the type to a double, which holds every one of them. */
static double to_double(uint64_t bits, uint32_t type)
{
    uint32_t u = (uint32_t)bits, e = u >> 10 & 31, m = u & 1023;
    double d;
    float f;

    if (type == ISA_TYPE_DF) {
        memcpy(&d, &bits, sizeof(d));
        return d;
    }
    if (type == ISA_TYPE_F || type == ISA_TYPE_VF) {
        memcpy(&f, &u, sizeof(f));
        return (double)f;
    }
    d = e == 31  ? (m ? NAN : INFINITY)
        : e == 0 ? ldexp(m, -24)
                 : ldexp(m + 1024, (int)e - 25);
    return u & 0x8000 ? -d : d;
}

/* A double that the type holds exactly, to its bits. */
static uint64_t to_bits(double d, uint32_t type)
{
    float f = (float)d;
    uint64_t u = 0;
    uint32_t sign = signbit(d) ? 0x8000 : 0;
    int e;

    if (type == ISA_TYPE_DF) {
        memcpy(&u, &d, sizeof(d));
        return u;
    }
    if (type != ISA_TYPE_HF) {
        memcpy(&u, &f, sizeof(f));
        return u;
    }
    if (isnan(d))
        return 0x7E00;
    d = fabs(d);
    if (isinf(d))
        return sign | 0x7C00;
    (void)frexp(d, &e);
    if (d < 0x1p-14)
        return sign | (uint32_t)ldexp(d, 24);
    return sign |
           (uint32_t)(((uint32_t)(e + 14) << 10) + ((uint32_t)ldexp(d, 11 - e) - 1024));
}

static double flushed(double d, uint32_t type, uint32_t ctrl)
{
    const struct format *f = format_of(type);

    if (!(ctrl & f->keep) && fabs(d) < ldexp(1, f->emin))
        return copysign(0, d);
    return d;
}

static bool exceeded; /* a rounded number was beyond the format's largest */

/* What `out`, rounded to the format's precision, becomes with its range. */
static double ranged(const struct format *f, int inexact, mpfr_rnd_t mode)
{
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();

    exceeded |= mpfr_regular_p(out) && mpfr_get_exp(out) > f->emax + 1;
    mpfr_set_emin(f->emin - (int)f->precision + 2);
    mpfr_set_emax(f->emax + 1);
    inexact = mpfr_check_range(out, inexact, mode);
    (void)mpfr_subnormalize(out, inexact, mode);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    return mpfr_get_d(out, MPFR_RNDN);
}

static double converted(double d, uint32_t type, mpfr_rnd_t mode)
{
    const struct format *f = format_of(type);

    mpfr_set_prec(out, f->precision);
    return ranged(f, mpfr_set_d(out, d, mode), mode);
}

uint64_t oracle_to_float(oracle_int x, uint32_t type, uint32_t ctrl)
{
    const struct format *f = format_of(type);
    bool sign = x < 0;
    mpfr_rnd_t mode = mode_of(ctrl);
    int inexact;

    mpfr_set_prec(whole, 64);
    mpfr_set_uj(whole, (uint64_t)(sign ? -x : x), MPFR_RNDN);
    if (sign)
        mpfr_neg(whole, whole, MPFR_RNDN);
    mpfr_set_prec(out, f->precision);
    inexact = mpfr_set(out, whole, mode);
    return to_bits(ranged(f, inexact, mode), type);
}

/* ---- one operation ------------------------------------------------------ */

enum step { STEP_ADD, STEP_MUL, STEP_FMA }; /* a + b, a * b, a * b + c */

static double step(enum step what, double a, double b, double c, const struct format *f,
                   mpfr_rnd_t mode)
{
    int inexact;

    mpfr_set_d(num[0], a, MPFR_RNDN);
    mpfr_set_d(num[1], b, MPFR_RNDN);
    mpfr_set_d(num[2], c, MPFR_RNDN);
    mpfr_set_prec(out, f->precision);
    if (what == STEP_ADD)
        inexact = mpfr_add(out, num[0], num[1], mode);
    else if (what == STEP_MUL)
        inexact = mpfr_mul(out, num[0], num[1], mode);
    else
        inexact = mpfr_fma(out, num[0], num[1], num[2], mode);
    return ranged(f, inexact, mode);
}

static int evaluate(uint32_t function, double x, mpfr_rnd_t mode)
{
    switch (function) {
    case ISA_MATH_INV:
        return mpfr_ui_div(out, 1, num[0], mode);
    case ISA_MATH_LOG:
        return mpfr_log2(out, num[0], mode);
    case ISA_MATH_EXP:
        return mpfr_exp2(out, num[0], mode);
    case ISA_MATH_SQT:
        return mpfr_sqrt(out, num[0], mode);
    case ISA_MATH_RSQT:
        if (x == 0) {
            mpfr_set_inf(out, signbit(x) ? -1 : 1);
            return 0;
        }
        return mpfr_rec_sqrt(out, num[0], mode);
    case ISA_MATH_SIN:
        return mpfr_sin(out, num[0], mode);
    case ISA_MATH_COS:
        return mpfr_cos(out, num[0], mode);
    case ISA_MATH_FDIV:
        return mpfr_div(out, num[0], num[1], mode);
    default: /* pow of the magnitude */
        mpfr_abs(num[0], num[0], MPFR_RNDN);
        return mpfr_pow(out, num[0], num[1], mode);
    }
}

static double math(const struct isa_inst *in, const double *v, const struct format *f,
                   mpfr_rnd_t mode)
{
    mpfr_set_d(num[0], v[0], MPFR_RNDN);
    mpfr_set_d(num[1], v[1], MPFR_RNDN);
    mpfr_set_prec(out, f->precision);
    return ranged(f, evaluate(in->math, v[0], mode), mode);
}

/* ---- instructions ------------------------------------------------------- */

struct run {
    const struct isa_inst *in;
    const struct oracle_lane *l;
    const struct format *f; /* in which it computes */
    mpfr_rnd_t mode;
    uint32_t ctrl;
};

/* Source k's number from its bits: denormals flushed, then the modifier. */
static double number(const struct run *r, uint32_t k, uint64_t bits)
{
    const struct isa_operand *o = &r->in->src[k];
    uint32_t type = o->type == ISA_TYPE_VF ? ISA_TYPE_F : o->type;
    double d = flushed(to_double(bits, type), type, r->ctrl);

    if (o->mod & ISA_MOD_ABS)
        d = fabs(d);
    return o->mod & ISA_MOD_NEG ? -d : d;
}

static double fused(const struct run *r, double a, double b, double c)
{
    return step(STEP_FMA, a, b, c, r->f, r->mode);
}

/* What goes from step to step is a single float as any other. */
static double passed(const struct run *r, double x)
{
    return flushed(x, ISA_TYPE_F, r->ctrl);
}

static double dot(const struct run *r)
{
    uint32_t op = r->in->op, terms = op == ISA_OP_DP2 ? 2 : op == ISA_OP_DP3 ? 3 : 4;
    double sum = 0;

    for (uint32_t c = 0; c < terms; c++) {
        double a = number(r, 0, r->l->group[0][c]), b = number(r, 1, r->l->group[1][c]);

        if (op == ISA_OP_DPH && c == 3)
            a = 1;
        sum = c == 0 ? step(STEP_MUL, a, b, 0, r->f, r->mode)
                     : fused(r, a, b, passed(r, sum));
    }
    return sum;
}

static double interpolate(const struct run *r, double x)
{
    double p = number(r, 0, r->l->plane[0]), q = number(r, 0, r->l->plane[1]);
    double c = number(r, 0, r->l->plane[3]);

    if (r->in->op == ISA_OP_LINE)
        return fused(r, p, x, c);
    c = passed(r, fused(r, p, number(r, 1, r->l->uv[0]), c));
    return fused(r, q, number(r, 1, r->l->uv[1]), c);
}

static double blend(const struct run *r, const double *v)
{
    double rest = passed(r, step(STEP_ADD, 1, -v[0], 0, r->f, r->mode));

    rest = step(STEP_MUL, rest, v[2], 0, r->f, r->mode);
    return fused(r, v[0], v[1], passed(r, rest));
}

static double fraction(const struct run *r, double x)
{
    double f = step(STEP_ADD, x, -floor(x), 0, r->f, MPFR_RNDN);

    return f >= 1 ? 1 - 0x1p-24 : f;
}

static bool holds(uint32_t cmod, double a, double b)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return a == b;
    case ISA_CMOD_NE:
        return !(a == b);
    case ISA_CMOD_GT:
        return a > b;
    case ISA_CMOD_GE:
        return a >= b;
    case ISA_CMOD_LT:
        return a < b;
    case ISA_CMOD_LE:
        return a <= b;
    default: /* unordered */
        return isnan(a) || isnan(b);
    }
}

/* The number that is not NaN, else by the condition. */
static double selected(const struct run *r, const double *v)
{
    if (r->in->pred != ISA_PRED_NONE)
        return r->l->chosen ? v[0] : v[1];
    if (isnan(v[1]))
        return v[0];
    return holds(r->in->cmod, v[0], v[1]) ? v[0] : v[1];
}

static double accumulator(const struct run *r)
{
    uint32_t type = r->in->dst.type;

    return flushed(to_double(r->l->acc, type), type, r->ctrl);
}

static bool compute(const struct run *r, const double *v, double *x)
{
    switch (r->in->op) {
    case ISA_OP_MOV:
    case ISA_OP_SMOV:
        *x = v[0];
        break;
    case ISA_OP_SEL:
        *x = selected(r, v);
        break;
    case ISA_OP_CSEL:
        *x = holds(r->in->cmod, v[2], 0) ? v[0] : v[1];
        break;
    case ISA_OP_ADD:
        *x = step(STEP_ADD, v[0], v[1], 0, r->f, r->mode);
        break;
    case ISA_OP_MUL:
        *x = step(STEP_MUL, v[0], v[1], 0, r->f, r->mode);
        break;
    case ISA_OP_MAD:
        *x = fused(r, v[1], v[2], v[0]);
        break;
    case ISA_OP_MAC:
        *x = fused(r, v[0], v[1], accumulator(r));
        break;
    case ISA_OP_LRP:
        *x = blend(r, v);
        break;
    case ISA_OP_FRC:
        *x = fraction(r, v[0]);
        break;
    case ISA_OP_RNDU:
        *x = ceil(v[0]);
        break;
    case ISA_OP_RNDD:
        *x = floor(v[0]);
        break;
    case ISA_OP_RNDZ:
        *x = trunc(v[0]);
        break;
    case ISA_OP_RNDE:
        *x = nearbyint(v[0]);
        break;
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
        *x = dot(r);
        break;
    case ISA_OP_LINE:
    case ISA_OP_PLN:
        *x = interpolate(r, v[1]);
        break;
    case ISA_OP_MATH:
        *x = math(r->in, v, r->f, r->mode);
        break;
    default:
        return false;
    }
    return true;
}

/* ---- results ------------------------------------------------------------ */

static oracle_int to_integer(double x, uint32_t type, uint32_t ctrl)
{
    mpfr_rnd_t mode = ctrl & 1 << 12 ? mode_of(ctrl) : MPFR_RNDZ;
    uint32_t bits = 8 * isa_type_bytes((enum isa_type)type);
    bool sign = isa_type_is_signed((enum isa_type)type);
    oracle_int low = sign ? -((oracle_int)1 << (bits - 1)) : 0;
    oracle_int high = ((oracle_int)1 << (bits - sign)) - 1, n;

    if (isnan(x))
        return 0;
    mpfr_set_prec(whole, 64);
    mpfr_set_d(whole, x, MPFR_RNDN);
    mpfr_rint(whole, whole, mode);
    if (mpfr_cmp_d(whole, 0x1p70) > 0 || mpfr_cmp_d(whole, -0x1p70) < 0)
        return x > 0 ? high : low;
    if (mpfr_cmpabs_ui(whole, 0) == 0)
        return 0;
    n = mpfr_cmp_d(whole, 0x1p64) >= 0 || mpfr_cmp_d(whole, -0x1p64) <= 0
            ? (oracle_int)1 << 64
            : (oracle_int)(uint64_t)fabs(mpfr_get_d(whole, MPFR_RNDN));
    n = mpfr_sgn(whole) < 0 ? -n : n;
    return n < low ? low : n > high ? high : n;
}

static bool is_raw(const struct isa_inst *in)
{
    bool moves = in->op == ISA_OP_SMOV || (in->op == ISA_OP_MOV && !in->cmod) ||
                 (in->op == ISA_OP_SEL && in->pred != ISA_PRED_NONE);
    bool same = moves && !in->saturate;

    for (uint32_t k = 0; k < in->nsrc && !(in->op == ISA_OP_SMOV && k > 0); k++)
        same &= in->src[k].type == in->dst.type && in->src[k].mod == ISA_MOD_NONE;
    return same;
}

static void store_float(const struct run *r, double x, bool finite,
                        struct oracle_result *res)
{
    uint32_t type = r->in->dst.type;
    double y = converted(x, type, r->mode);

    r->in->cmod == ISA_CMOD_OV
        ? (res->flag = finite && exceeded)
        : (res->flag = holds(r->in->cmod, flushed(y, type, r->ctrl), 0));
    if (r->in->saturate)
        y = !(y > 0) ? 0 : y > 1 ? 1 : y;
    res->bits = to_bits(flushed(y, type, r->ctrl), type);
    res->any_nan = true;
    res->ulps = r->in->op == ISA_OP_MATH;
}

/* Half precision where every operand is half, double for double, else single. */
static const struct format *computes_in(const struct isa_inst *in)
{
    bool half = in->dst.type == ISA_TYPE_HF;

    for (uint32_t k = 0; k < in->nsrc; k++) {
        if (in->src[k].type == ISA_TYPE_DF)
            return format_of(ISA_TYPE_DF);
        half &= in->src[k].type == ISA_TYPE_HF;
    }
    return format_of(half ? ISA_TYPE_HF : ISA_TYPE_F);
}

bool oracle_float(const struct isa_inst *in, const struct oracle_lane *l,
                  struct oracle_result *res, uint32_t ctrl)
{
    struct run r = {in, l, computes_in(in), mode_of(ctrl), ctrl};
    double v[ISA_MAX_SRC] = {0}, x = 0;
    bool finite = true;

    res->wide = l->wide;
    exceeded = false;
    if (is_raw(in)) {
        res->bits = in->op == ISA_OP_SEL && !l->chosen ? l->src[1] : l->src[0];
        return true;
    }
    for (uint32_t k = 0; k < in->nsrc && (k == 0 || in->op != ISA_OP_SMOV); k++) {
        v[k] = number(&r, k, l->src[k]);
        finite &= isfinite(v[k]) != 0;
    }
    if (in->op == ISA_OP_CMP || in->op == ISA_OP_CMPN) {
        res->flag =
            holds(in->cmod, v[0], v[1]) || (in->op == ISA_OP_CMPN && isnan(v[1]));
        res->bits = res->flag ? UINT64_MAX : 0;
        return true;
    }
    if (!compute(&r, v, &x))
        return false;
    if (!isa_type_is_float((enum isa_type)in->dst.type)) {
        oracle_int n = to_integer(x, in->dst.type, ctrl);

        res->bits = (uint64_t)n;
        res->flag =
            in->cmod == ISA_CMOD_UN ? isnan(x) != 0 : holds(in->cmod, (double)n, 0);
        return true;
    }
    store_float(&r, x, finite, res);
    return true;
}
