/* fpu_oracle.c - floats by MPFR; see fpu_oracle.h. fpu_oracle_int.c has integers. */
#include "fpu_oracle.h"

#include "fpu_oracle_int.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

struct format {
    uint32_t bits, precision;
    int32_t emax;
    uint32_t ftz;
};

static struct format format_of(uint32_t type)
{
    if (type == ISA_TYPE_HF)
        return (struct format){16, 11, 15, FPU_FTZ_HF};
    if (type == ISA_TYPE_F)
        return (struct format){32, 24, 127, FPU_FTZ_F};
    return (struct format){64, 53, 1023, FPU_FTZ_DF};
}

static bool is_float(uint32_t type)
{
    return isa_type_is_float((enum isa_type)type);
}

static mpfr_rnd_t mode_of(uint32_t rnd)
{
    static const mpfr_rnd_t mode[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

    return mode[rnd & 3];
}

/* ---- numbers ------------------------------------------------------------ */

/* A datum: NaN with its payload left-aligned in 52 bits, or a value. */
struct datum {
    bool nan, signalling, sign;
    uint64_t payload; /* quieted */
};

struct scratch {
    mpfr_t x[3], r, t;
    bool ready;
};
static struct scratch m;

static void prepare(void)
{
    if (m.ready)
        return;
    for (uint32_t k = 0; k < 3; k++)
        mpfr_init2(m.x[k], 68);
    mpfr_init2(m.r, 140);
    mpfr_init2(m.t, 140);
    m.ready = true;
}

void fpu_oracle_free(void)
{
    if (!m.ready)
        return;
    for (uint32_t k = 0; k < 3; k++)
        mpfr_clear(m.x[k]);
    mpfr_clears(m.r, m.t, (mpfr_ptr)0);
    mpfr_free_cache();
    m.ready = false;
}

/* bits of a float type into x, flushed and modified; NaN into *d. */
static void unpack(mpfr_t x, struct datum *d, uint64_t bits, uint32_t type,
                   uint32_t mod, uint32_t ftz)
{
    struct format f = format_of(type);
    uint32_t fb = f.precision - 1, ones = (uint32_t)f.emax * 2 + 1;
    uint64_t frac = bits & (((uint64_t)1 << fb) - 1);
    uint32_t biased = (uint32_t)(bits >> fb) & ones;

    d->sign = bits >> (f.bits - 1) & 1;
    if (mod & ISA_MOD_ABS)
        d->sign = false;
    if (mod & ISA_MOD_NEG)
        d->sign = !d->sign;
    d->nan = biased == ones && frac != 0;
    d->payload = frac << (52 - fb) | (uint64_t)1 << 51;
    d->signalling = d->nan && !(frac >> (fb - 1));
    if (biased == 0 && (ftz & f.ftz))
        frac = 0;
    if (biased == ones)
        mpfr_set_inf(x, 1);
    else if (biased == 0)
        mpfr_set_ui_2exp(x, frac, 1 - f.emax - (int32_t)fb, MPFR_RNDN);
    else
        mpfr_set_ui_2exp(x, frac | (uint64_t)1 << fb,
                         (int32_t)biased - f.emax - (int32_t)fb, MPFR_RNDN);
    mpfr_setsign(x, x, d->sign, MPFR_RNDN);
}

static uint64_t pack_nan(const struct datum *d, uint32_t type)
{
    struct format f = format_of(type);
    uint32_t fb = f.precision - 1;
    uint64_t ones = (uint64_t)f.emax * 2 + 1;

    return (uint64_t)d->sign << (f.bits - 1) | ones << fb | d->payload >> (52 - fb);
}

/* x, which the type holds exactly, as bits. */
static uint64_t pack(mpfr_t x, uint32_t type)
{
    struct format f = format_of(type);
    double value = mpfr_get_d(x, MPFR_RNDN);
    uint64_t bits, frac, fb = f.precision - 1;
    int32_t exp;

    memcpy(&bits, &value, sizeof(bits));
    if (type == ISA_TYPE_DF)
        return bits;
    frac = bits & (((uint64_t)1 << 52) - 1);
    exp = (int32_t)(bits >> 52 & 0x7FF) - 1023;
    bits = bits >> 63 << (f.bits - 1);
    if (value == 0)
        return bits;
    if (isinf(value))
        return bits | ((uint64_t)f.emax * 2 + 1) << fb;
    frac = (frac | (uint64_t)1 << 52) >> (52 - fb);
    if (exp < 1 - f.emax)
        return bits | frac >> (1 - f.emax - exp);
    return bits | (((uint64_t)(exp + f.emax - 1) << fb) + frac);
}

double fpu_value(uint64_t bits, uint32_t type)
{
    struct datum d;

    prepare();
    unpack(m.t, &d, bits, type, 0, 0);
    return d.nan ? NAN : mpfr_get_d(m.t, MPFR_RNDN);
}

/* ---- one rounded operation ---------------------------------------------- */

/* op on m.x[] into m.r with m.r's precision and MPFR's exponent range. */
static int evaluate(uint32_t op, mpfr_rnd_t mode)
{
    switch (op) {
    case IGPU_FPU_OP_ADD:
        return mpfr_add(m.r, m.x[0], m.x[1], mode);
    case IGPU_FPU_OP_MUL:
        return mpfr_mul(m.r, m.x[0], m.x[1], mode);
    case IGPU_FPU_OP_MAD:
        return mpfr_fma(m.r, m.x[1], m.x[2], m.x[0], mode);
    case IGPU_FPU_OP_RNDD:
        return mpfr_floor(m.r, m.x[0]), 0;
    case IGPU_FPU_OP_RNDU:
        return mpfr_ceil(m.r, m.x[0]), 0;
    case IGPU_FPU_OP_RNDZ:
        return mpfr_trunc(m.r, m.x[0]), 0;
    case IGPU_FPU_OP_RNDE:
        return mpfr_roundeven(m.r, m.x[0]), 0;
    case IGPU_FPU_OP_FRC:
        mpfr_set_prec(m.t, 300); /* exact, whatever the magnitude of x */
        mpfr_floor(m.t, m.x[0]);
        return mpfr_sub(m.r, m.x[0], m.t, MPFR_RNDN);
    default:
        return mpfr_set(m.r, m.x[0], mode);
    }
}

/* m.r = op rounded to the format, exceptions into *exc. */
static void rounded(uint32_t op, uint32_t type, uint32_t rnd, uint8_t *exc)
{
    struct format f = format_of(type);
    mpfr_rnd_t mode = op == IGPU_FPU_OP_FRC ? MPFR_RNDN : mode_of(rnd);
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    int inexact;
    bool tiny;

    mpfr_set_prec(m.r, f.precision);
    inexact = evaluate(op, mode);
    if (op >= IGPU_FPU_OP_RNDD && op <= IGPU_FPU_OP_RNDZ && mpfr_cmp(m.r, m.x[0]) != 0)
        *exc |= FPU_INEXACT;
    if (op == IGPU_FPU_OP_FRC && mpfr_cmp_ui(m.r, 1) == 0) {
        mpfr_nextbelow(m.r);
        *exc |= FPU_INEXACT;
        return;
    }
    if (mpfr_regular_p(m.r)) {
        tiny = mpfr_get_exp(m.r) < 2 - f.emax;
        if (tiny) { /* once more, on the grid of denormals */
            mpfr_set_emin(3 - f.emax - (int32_t)f.precision);
            mpfr_set_emax(f.emax + 1);
            inexact = mpfr_check_range(m.r, evaluate(op, mode), mode);
            inexact = mpfr_subnormalize(m.r, inexact, mode);
            mpfr_set_emin(old_min);
            mpfr_set_emax(old_max);
            if (inexact)
                *exc |= FPU_UNDERFLOW;
        } else if (mpfr_get_exp(m.r) > f.emax + 1) {
            mpfr_set_emax(f.emax + 1);
            inexact = mpfr_check_range(m.r, inexact, mode);
            mpfr_set_emax(old_max);
            *exc |= FPU_OVERFLOW;
        }
    }
    if (inexact)
        *exc |= FPU_INEXACT;
}

/* ---- NaN, selection ----------------------------------------------------- */

static const struct datum default_nan = {true, false, false, (uint64_t)1 << 51};

/* The NaN that results, or NULL. */
static const struct datum *find_nan(const struct fpu_op *op, const struct datum *d,
                                    uint8_t *exc)
{
    const struct datum *found = NULL;

    for (uint32_t k = op->nsrc; k-- > 0;) {
        if (d[k].signalling)
            *exc |= FPU_INVALID;
        if (d[k].nan)
            found = &d[k];
    }
    return found;
}

static bool makes_nan(const struct fpu_op *op)
{
    mpfr_set_prec(m.r, 64);
    evaluate(op->op, MPFR_RNDN);
    return mpfr_nan_p(m.r) || (op->op == IGPU_FPU_OP_FRC && mpfr_inf_p(m.x[0]));
}

static bool relation(uint32_t cmod, bool nan, int order)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return !nan && order == 0;
    case ISA_CMOD_NE:
        return nan || order != 0;
    case ISA_CMOD_GT:
        return !nan && order > 0;
    case ISA_CMOD_GE:
        return !nan && order >= 0;
    case ISA_CMOD_LT:
        return !nan && order < 0;
    case ISA_CMOD_LE:
        return !nan && order <= 0;
    default:
        return cmod == ISA_CMOD_UN && nan;
    }
}

/* Which source a sel or csel takes. */
static uint32_t chosen(const struct fpu_case *c, const struct datum *d)
{
    uint32_t cmod = c->op.cmod;
    bool nan = d[0].nan || d[1].nan;
    int order = nan ? 0 : mpfr_cmp(m.x[0], m.x[1]);

    if (c->op.op == IGPU_FPU_OP_CSEL)
        return !relation(cmod, d[2].nan, d[2].nan ? 0 : mpfr_sgn(m.x[2]));
    if (cmod == ISA_CMOD_NONE)
        return !c->pred;
    if (d[1].nan && cmod >= ISA_CMOD_GT)
        return 0;
    if (cmod == ISA_CMOD_LT || cmod == ISA_CMOD_LE)
        return !relation(ISA_CMOD_LT, nan, order);
    if (cmod == ISA_CMOD_GT || cmod == ISA_CMOD_GE)
        return !relation(ISA_CMOD_GE, nan, order);
    return !relation(cmod, nan, order);
}

static void compare(struct fpu_case *c, const struct datum *d)
{
    bool nan = d[0].nan || d[1].nan;
    uint32_t bytes = isa_type_bytes((enum isa_type)c->op.dtype);

    c->want.flag = relation(c->op.cmod, nan, nan ? 0 : mpfr_cmp(m.x[0], m.x[1])) ||
                   (c->op.op == IGPU_FPU_OP_CMPN && d[1].nan);
    if (c->want.flag)
        c->want.bits = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << bytes * 8) - 1;
    if (d[0].signalling || d[1].signalling ||
        (nan && c->op.cmod >= ISA_CMOD_GT && c->op.cmod <= ISA_CMOD_LE))
        c->want.exc = FPU_INVALID;
}

/* ---- the result's type -------------------------------------------------- */

/* m.r to an integer type. */
static void to_integer(struct fpu_case *c)
{
    uint32_t bits = isa_type_bytes((enum isa_type)c->op.dtype) * 8;
    bool is_signed = isa_type_is_signed((enum isa_type)c->op.dtype), inexact;
    uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    uint64_t low = is_signed ? (uint64_t)1 << (bits - 1) : 0, high = mask ^ low;

    mpfr_set_prec(m.t, 70);
    mpfr_rint(m.t, m.r, c->op.int_round ? mode_of(c->op.rnd) : MPFR_RNDZ);
    inexact = mpfr_cmp(m.t, m.r) != 0;
    if (mpfr_cmp_ui(m.t, high) > 0) {
        c->want.bits = high;
        c->want.exc = FPU_INVALID;
    } else if (is_signed ? mpfr_cmp_si(m.t, (int64_t)(low | ~mask)) < 0
                         : mpfr_sgn(m.t) < 0) {
        c->want.bits = low;
        c->want.exc = FPU_INVALID;
    } else {
        c->want.bits = (mpfr_sgn(m.t) < 0 ? (uint64_t)mpfr_get_si(m.t, MPFR_RNDZ)
                                          : mpfr_get_ui(m.t, MPFR_RNDZ)) &
                       mask;
        c->want.exc = (uint8_t)(c->want.exc | (inexact ? FPU_INEXACT : 0));
    }
}

static void store(struct fpu_case *c, uint32_t computed)
{
    struct format f = format_of(c->op.dtype);
    uint64_t exponent;

    if (!is_float(c->op.dtype)) {
        to_integer(c);
        return;
    }
    if (computed != c->op.dtype) {
        mpfr_set(m.x[0], m.r, MPFR_RNDN); /* exact */
        rounded(IGPU_FPU_OP_MOV, c->op.dtype, c->op.rnd, &c->want.exc);
    }
    c->want.bits = pack(m.r, c->op.dtype);
    exponent = ((uint64_t)f.emax * 2 + 1) << (f.precision - 1);
    if ((c->op.ftz & f.ftz) && (c->want.bits & exponent) == 0 && mpfr_sgn(m.r) != 0) {
        c->want.bits &= (uint64_t)1 << (f.bits - 1);
        c->want.exc |= FPU_UNDERFLOW | FPU_INEXACT;
    }
}

static void store_nan(struct fpu_case *c, const struct datum *d)
{
    if (!is_float(c->op.dtype))
        c->want.exc = FPU_INVALID;
    else
        c->want.bits = pack_nan(d, c->op.dtype);
}

static uint32_t compute_type(const struct fpu_op *op)
{
    uint32_t widest = op->dtype == ISA_TYPE_HF ? ISA_TYPE_HF : ISA_TYPE_F;

    for (uint32_t k = 0; k < op->nsrc; k++)
        if (op->stype[k] > widest)
            widest = op->stype[k];
    return widest;
}

static bool copies(const struct fpu_op *op)
{
    bool same = (op->op == IGPU_FPU_OP_MOV || op->op == IGPU_FPU_OP_SEL) && !op->cmod &&
                !op->saturate;

    for (uint32_t k = 0; k < op->nsrc; k++)
        same &= op->stype[k] == op->dtype && op->mod[k] == ISA_MOD_NONE;
    return same;
}

/* The condition modifier looks at the stored value, before saturation; of an integer
 * a NaN has left 0. */
static void result_flag(struct fpu_case *c, bool nan, bool over)
{
    uint32_t cmod = c->op.cmod, bits = isa_type_bytes((enum isa_type)c->op.dtype) * 8;
    uint64_t top = (uint64_t)1 << (bits - 1), value = c->want.bits;
    bool has_sign = isa_type_is_signed((enum isa_type)c->op.dtype);
    int order = value & top && has_sign ? -1 : 1;

    if (value == 0 || (is_float(c->op.dtype) && value == top))
        order = 0;
    if (!is_float(c->op.dtype) && cmod != ISA_CMOD_UN)
        nan = false;
    c->want.flag = relation(cmod, nan, order);
    if (cmod == ISA_CMOD_OV)
        c->want.flag = over;
}

/* Saturation to a float type: [0, 1], NaN to 0. */
static void saturate(struct fpu_case *c)
{
    struct format f = format_of(c->op.dtype);
    uint64_t one = (uint64_t)f.emax << (f.precision - 1);
    uint64_t inf = ((uint64_t)f.emax * 2 + 1) << (f.precision - 1);

    if (!c->op.saturate || !is_float(c->op.dtype))
        return;
    if (c->want.bits > inf) /* negative, or NaN */
        c->want.bits = 0;
    else if (c->want.bits > one)
        c->want.bits = one;
}

static void arithmetic(struct fpu_case *c, struct datum *d)
{
    uint32_t type = compute_type(&c->op);
    const struct datum *nan = find_nan(&c->op, d, &c->want.exc);
    uint32_t over;

    if (nan == NULL && makes_nan(&c->op)) {
        nan = &default_nan;
        c->want.exc |= FPU_INVALID;
    }
    if (nan == NULL)
        rounded(c->op.op, type, c->op.rnd, &c->want.exc);
    over = c->want.exc & FPU_OVERFLOW;
    if (nan != NULL)
        store_nan(c, nan);
    else
        store(c, type);
    over |= c->want.exc & FPU_OVERFLOW;
    result_flag(c, nan != NULL, over != 0);
    saturate(c);
}

static void select_one(struct fpu_case *c, struct datum *d)
{
    uint32_t k = chosen(c, d);
    uint8_t exc = 0;

    if (c->op.op == IGPU_FPU_OP_SEL && c->op.cmod == ISA_CMOD_NONE) {
        c->want.exc = d[k].signalling ? FPU_INVALID : 0;
    } else if (c->op.op == IGPU_FPU_OP_CSEL) {
        c->want.exc = d[k].signalling || d[2].signalling ? FPU_INVALID : 0;
    } else {
        find_nan(&c->op, d, &exc);
        c->want.exc = exc;
    }
    c->want.any_flag = true;
    if (d[k].nan) {
        store_nan(c, &d[k]);
        saturate(c);
        return;
    }
    mpfr_swap(m.x[0], m.x[k]);
    rounded(IGPU_FPU_OP_MOV, compute_type(&c->op), c->op.rnd, &c->want.exc);
    store(c, compute_type(&c->op));
    saturate(c);
}

static void from_integer(struct fpu_case *c)
{
    uint64_t bits = c->src[0];
    uint32_t size = isa_type_bytes((enum isa_type)c->op.stype[0]) * 8;
    bool minus =
        isa_type_is_signed((enum isa_type)c->op.stype[0]) && (bits >> (size - 1) & 1);

    if (size < 64)
        bits = minus ? bits | UINT64_MAX << size : bits & (((uint64_t)1 << size) - 1);
    if (minus)
        mpfr_set_si(m.x[0], (int64_t)bits, MPFR_RNDN);
    else
        mpfr_set_ui(m.x[0], bits, MPFR_RNDN);
    if (c->op.mod[0] & ISA_MOD_ABS)
        mpfr_abs(m.x[0], m.x[0], MPFR_RNDN);
    if ((c->op.mod[0] & ISA_MOD_NEG) && mpfr_sgn(m.x[0]) != 0)
        mpfr_neg(m.x[0], m.x[0], MPFR_RNDN);
    rounded(IGPU_FPU_OP_MOV, c->op.dtype, c->op.rnd, &c->want.exc);
    c->want.any_flag = true;
    store(c, c->op.dtype);
    saturate(c);
}

void fpu_oracle(struct fpu_case *c)
{
    bool compares = c->op.op == IGPU_FPU_OP_CMP || c->op.op == IGPU_FPU_OP_CMPN;
    struct datum d[3] = {{0}};

    prepare();
    c->want = (struct fpu_want){0};
    if (!is_float(c->op.stype[0]) && (!is_float(c->op.dtype) || compares)) {
        fpu_oracle_int(c);
        return;
    }
    if (!is_float(c->op.stype[0])) {
        from_integer(c);
        return;
    }
    if (copies(&c->op)) {
        c->want.bits = c->src[c->op.op == IGPU_FPU_OP_SEL && !c->pred];
        return;
    }
    for (uint32_t k = 0; k < c->op.nsrc; k++)
        unpack(m.x[k], &d[k], c->src[k], c->op.stype[k], c->op.mod[k], c->op.ftz);
    if (compares)
        compare(c, d);
    else if (c->op.op == IGPU_FPU_OP_SEL || c->op.op == IGPU_FPU_OP_CSEL)
        select_one(c, d);
    else
        arithmetic(c, d);
}
