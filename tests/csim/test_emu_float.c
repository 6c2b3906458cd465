/* test_emu_float.c - floating point against MPFR: add, mul, mad in half, single and
 * double, in the four rounding modes, with denormals kept and flushed; conversions
 * between all types; extended math within a bound; selections and comparisons.
 * Does not find: how far real hardware's extended math is from the true value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <mpfr.h>

#include "emu_rig.h"

static struct emu_rig rig;

static int open_rig(void **state)
{
    (void)state;
    emu_rig_open(&rig);
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    emu_rig_close(&rig);
    mpfr_free_cache();
    return 0;
}

/* ---- formats and MPFR --------------------------------------------------- */

struct format {
    enum isa_type type;
    uint32_t bytes, precision;
    int emin, emax; /* of normal numbers */
    uint32_t keep;  /* bit of cr0 that keeps denormals */
};

static const struct format formats[] = {{ISA_TYPE_HF, 2, 11, -14, 15, 1 << 10},
                                        {ISA_TYPE_F, 4, 24, -126, 127, 1 << 7},
                                        {ISA_TYPE_DF, 8, 53, -1022, 1023, 1 << 6}};

static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

static uint64_t exponent_mask(const struct format *f)
{
    return (uint64_t)(f->emax * 2 + 1) << (f->precision - 1);
}

static uint64_t sign_mask(const struct format *f)
{
    return (uint64_t)1 << (f->bytes * 8 - 1);
}

static bool bits_nan(const struct format *f, uint64_t bits)
{
    return (bits & ~sign_mask(f)) > exponent_mask(f);
}

static void set_bits(mpfr_t x, const struct format *f, uint64_t bits, bool flush)
{
    uint64_t frac = bits & (((uint64_t)1 << (f->precision - 1)) - 1);
    uint64_t field = (bits & exponent_mask(f)) >> (f->precision - 1);
    int sign = bits & sign_mask(f) ? -1 : 1;

    if (bits_nan(f, bits)) {
        mpfr_set_nan(x);
    } else if (field == (uint64_t)(f->emax * 2 + 1)) {
        mpfr_set_inf(x, sign);
    } else if (field == 0 && (frac == 0 || flush)) {
        mpfr_set_zero(x, sign);
    } else {
        int exp = field ? (int)field - f->emax : f->emin;

        if (field)
            frac |= (uint64_t)1 << (f->precision - 1);
        mpfr_set_ui_2exp(x, frac, exp - (int)f->precision + 1, MPFR_RNDN);
        mpfr_setsign(x, x, sign < 0, MPFR_RNDN);
    }
}

/* Exact x to bits. x has enough precision for whatever was computed. */
static uint64_t get_bits(mpfr_t x, const struct format *f, mpfr_rnd_t mode, bool flush)
{
    uint64_t sign = mpfr_signbit(x) ? sign_mask(f) : 0, bits;
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    mpfr_t y;
    int inexact;

    if (mpfr_nan_p(x))
        return exponent_mask(f) | (uint64_t)1 << (f->precision - 2);
    mpfr_init2(y, f->precision);
    mpfr_set_emin(f->emin - (int)f->precision + 2);
    mpfr_set_emax(f->emax + 1);
    inexact = mpfr_set(y, x, mode);
    inexact = mpfr_check_range(y, inexact, mode);
    (void)mpfr_subnormalize(y, inexact, mode);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    sign = mpfr_signbit(y) ? sign_mask(f) : 0;
    if (mpfr_inf_p(y)) {
        bits = exponent_mask(f);
    } else if (mpfr_zero_p(y)) {
        bits = 0;
    } else {
        int exp = (int)mpfr_get_exp(y) - 1;
        bool denormal = exp < f->emin;

        mpfr_abs(y, y, MPFR_RNDN);
        mpfr_mul_2si(y, y, (int)f->precision - 1 - (denormal ? f->emin : exp),
                     MPFR_RNDN);
        bits = mpfr_get_ui(y, MPFR_RNDN);
        if (!denormal)
            bits += (uint64_t)(exp - f->emin) << (f->precision - 1);
    }
    mpfr_clear(y);
    if (flush && (bits & exponent_mask(f)) == 0)
        bits = 0;
    return sign | bits;
}

/* ---- operands ----------------------------------------------------------- */

static uint64_t random_bits(uint64_t *seed, const struct format *f)
{
    uint64_t r = emu_rig_random(seed),
             frac = r & (((uint64_t)1 << (f->precision - 1)) - 1);
    uint64_t one = (uint64_t)f->emax << (f->precision - 1);
    uint64_t all = f->bytes == 8 ? UINT64_MAX : sign_mask(f) * 2 - 1;

    switch (r >> 59 & 15) {
    case 0:
        return r & sign_mask(f); /* zeros */
    case 1:
        return exponent_mask(f) | (r & sign_mask(f)); /* infinities */
    case 2:
        return frac | (r & sign_mask(f)); /* denormals */
    case 3:
        return (exponent_mask(f) - 1 - (r & 3)) | (r & sign_mask(f)); /* the largest */
    case 4:
        return (one + (r & 7) - 3) | (r & sign_mask(f)); /* about one */
    case 5:
        return ((uint64_t)1 << (f->precision - 1)) + (r & 7) - 3; /* smallest normal */
    case 6:
    case 7:
    case 8: /* near one, so that sums cancel */
        return (one | frac) ^ (r & sign_mask(f));
    default:
        return emu_rig_random(seed) & all;
    }
}

static void put_lanes(uint32_t reg, const struct format *f, const uint64_t *v,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        memcpy(rig.t->grf + reg * 32 + i * f->bytes, &v[i], f->bytes);
}

static uint64_t get_lane(uint32_t reg, const struct format *f, uint32_t i)
{
    uint64_t bits = 0;

    memcpy(&bits, rig.t->grf + reg * 32 + i * f->bytes, f->bytes);
    return bits;
}

/* ---- arithmetic --------------------------------------------------------- */

static void compute(mpfr_t r, enum isa_opcode op, mpfr_t *v, mpfr_rnd_t mode)
{
    if (op == ISA_OP_ADD)
        mpfr_add(r, v[0], v[1], mode);
    else if (op == ISA_OP_MUL)
        mpfr_mul(r, v[0], v[1], mode);
    else
        mpfr_fma(r, v[1], v[2], v[0], mode);
}

static void check_arith(const struct format *f, enum isa_opcode op, uint32_t mode,
                        bool flush, uint32_t cases, uint64_t *seed)
{
    uint32_t n = f->bytes == 8 ? 8 : 16, nsrc = op == ISA_OP_MAD ? 3 : 2;
    struct isa_inst in = emu_rig_inst(op, n);
    mpfr_t v[3], r;

    in.nsrc = (uint8_t)nsrc;
    in.dst = emu_rig_dst(100, f->type, 1);
    mpfr_inits2(4500, v[0], v[1], v[2], r, (mpfr_ptr)0);
    emu_rig_control(&rig, mode << 4, flush ? f->keep : 0);
    for (uint32_t c = 0; c < cases; c++) {
        uint64_t x[3][16];

        for (uint32_t k = 0; k < nsrc; k++) {
            in.src[k] = emu_rig_packed(20 + 4 * k, f->type);
            in.src[k].mod =
                (uint8_t)(emu_rig_random(seed) % 16 < 4 ? emu_rig_random(seed) % 4 : 0);
            for (uint32_t i = 0; i < n; i++)
                x[k][i] = random_bits(seed, f);
            put_lanes(20 + 4 * k, f, x[k], n);
        }
        if (!emu_rig_run(&rig, &in, 0xFFFF))
            fail_msg("%s", rig.err.text);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t got = get_lane(100, f, i), want;

            for (uint32_t k = 0; k < nsrc; k++) {
                set_bits(v[k], f, x[k][i], flush);
                if (in.src[k].mod & ISA_MOD_ABS)
                    mpfr_abs(v[k], v[k], MPFR_RNDN);
                if (in.src[k].mod & ISA_MOD_NEG)
                    mpfr_neg(v[k], v[k], MPFR_RNDN);
            }
            compute(r, op, v, modes[mode]);
            want = get_bits(r, f, modes[mode], flush);
            if (got != want && !(bits_nan(f, got) && bits_nan(f, want)))
                fail_msg("%s %s mode %u flush %d: 0x%llX 0x%llX 0x%llX: 0x%llX, "
                         "expected 0x%llX",
                         isa_opcode_name(op), isa_type_name(f->type), mode, flush,
                         (unsigned long long)x[0][i], (unsigned long long)x[1][i],
                         nsrc > 2 ? (unsigned long long)x[2][i] : 0,
                         (unsigned long long)got, (unsigned long long)want);
        }
    }
    mpfr_clears(v[0], v[1], v[2], r, (mpfr_ptr)0);
    emu_rig_control(&rig, 0, 0);
}

static void arithmetic_is_correctly_rounded(void **state)
{
    static const enum isa_opcode ops[] = {ISA_OP_ADD, ISA_OP_MUL, ISA_OP_MAD};
    uint64_t seed = 1;

    (void)state;
    for (uint32_t f = 0; f < 3; f++)
        for (uint32_t o = 0; o < 3; o++)
            for (uint32_t mode = 0; mode < 4; mode++)
                for (uint32_t flush = 0; flush < 2; flush++)
                    check_arith(&formats[f], ops[o], mode, flush, 60, &seed);
    check_arith(&formats[0], ISA_OP_MAD, 0, false, 3000, &seed);
    check_arith(&formats[1], ISA_OP_MAD, 0, false, 1000, &seed);
}

/* ---- conversions -------------------------------------------------------- */

static struct isa_inst mov(enum isa_type to, enum isa_type from, uint32_t n)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, n);

    in.nsrc = 1;
    in.dst = emu_rig_dst(100, to, 1);
    in.src[0] = emu_rig_packed(20, from);
    return in;
}

static void floats_convert_to_floats(void **state)
{
    uint64_t seed = 2;
    mpfr_t x;

    (void)state;
    mpfr_init2(x, 200);
    for (uint32_t n = 0; n < 12000; n++) {
        const struct format *from = &formats[n % 3], *to = &formats[n / 3 % 3];
        uint32_t mode = n / 9 % 4;
        uint64_t bits = random_bits(&seed, n % 2 ? from : to), got, want;
        struct isa_inst in = mov(to->type, from->type, 1);

        if (from->type == to->type)
            continue;
        emu_rig_control(&rig, mode << 4, 0);
        put_lanes(20, from, &bits, 1);
        bits = get_lane(20, from, 0);
        assert_true(emu_rig_run(&rig, &in, 1));
        got = get_lane(100, to, 0);
        set_bits(x, from, bits, false);
        want = get_bits(x, to, modes[mode], false);
        if (got != want && !(bits_nan(to, got) && bits_nan(to, want)))
            fail_msg("%s <- %s 0x%llX mode %u: 0x%llX, expected 0x%llX",
                     isa_type_name(to->type), isa_type_name(from->type),
                     (unsigned long long)bits, mode, (unsigned long long)got,
                     (unsigned long long)want);
    }
    mpfr_clear(x);
    emu_rig_control(&rig, 0, 0);
}

static void integers_convert_to_floats(void **state)
{
    uint64_t seed = 3;
    mpfr_t x;

    (void)state;
    mpfr_init2(x, 200);
    for (uint32_t n = 0; n < 12000; n++) {
        enum isa_type from = (enum isa_type)(ISA_TYPE_UB + n % 8);
        const struct format *to = &formats[n / 8 % 3];
        uint32_t mode = n / 24 % 4, bytes = isa_type_bytes(from);
        uint64_t bits = emu_rig_random(&seed) >> emu_rig_random(&seed) % 60, got, want;
        struct isa_inst in = mov(to->type, from, 1);
        int64_t value;

        bits <<= 64 - 8 * bytes;
        value = (int64_t)bits >> (64 - 8 * bytes);
        bits >>= 64 - 8 * bytes;
        memcpy(rig.t->grf + 640, &bits, 8);
        emu_rig_control(&rig, mode << 4, 0);
        assert_true(emu_rig_run(&rig, &in, 1));
        got = get_lane(100, to, 0);
        if (isa_type_is_signed(from))
            mpfr_set_si(x, value, MPFR_RNDN);
        else
            mpfr_set_ui(x, bits, MPFR_RNDN);
        want = get_bits(x, to, modes[mode], false);
        if (got != want)
            fail_msg("%s <- %s 0x%llX mode %u: 0x%llX, expected 0x%llX",
                     isa_type_name(to->type), isa_type_name(from),
                     (unsigned long long)bits, mode, (unsigned long long)got,
                     (unsigned long long)want);
    }
    mpfr_clear(x);
    emu_rig_control(&rig, 0, 0);
}

static uint64_t clamp_to(mpfr_t x, enum isa_type type)
{
    uint32_t bits = isa_type_bytes(type) * 8;
    uint64_t max = UINT64_MAX >> (64 - bits), min = 0;

    if (mpfr_nan_p(x))
        return 0;
    if (isa_type_is_signed(type)) {
        max >>= 1;
        min = 0 - max - 1;
        if (mpfr_cmp_si(x, (int64_t)min) <= 0)
            return min;
        if (mpfr_cmp_si(x, (int64_t)max) >= 0)
            return max;
        return (uint64_t)mpfr_get_si(x, MPFR_RNDZ);
    }
    if (mpfr_sgn(x) <= 0)
        return 0;
    return mpfr_cmp_ui(x, max) >= 0 ? max : mpfr_get_ui(x, MPFR_RNDZ);
}

static void floats_convert_to_integers_and_saturate(void **state)
{
    enum { INT_ROUND = 1 << 12 };
    uint64_t seed = 4;
    mpfr_t x;

    (void)state;
    mpfr_init2(x, 2000);
    for (uint32_t n = 0; n < 24000; n++) {
        const struct format *from = &formats[n % 3];
        enum isa_type to = (enum isa_type)(ISA_TYPE_UB + n / 3 % 8);
        uint32_t mode = n / 24 % 4, bytes = isa_type_bytes(to);
        bool by_mode = n / 96 % 2;
        uint64_t bits = random_bits(&seed, from), got = 0, want;
        struct isa_inst in = mov(to, from->type, 1);

        if (n % 5 < 3) /* exponents that matter */
            bits = (bits &
                    (sign_mask(from) | (((uint64_t)1 << (from->precision - 1)) - 1))) |
                   (uint64_t)(from->emax + (int)(emu_rig_random(&seed) % 70) - 3)
                       << (from->precision - 1);
        put_lanes(20, from, &bits, 1);
        bits = get_lane(20, from, 0);
        emu_rig_control(&rig, mode << 4 | (by_mode ? INT_ROUND : 0), 0);
        assert_true(emu_rig_run(&rig, &in, 1));
        memcpy(&got, rig.t->grf + 3200, bytes);
        set_bits(x, from, bits, false);
        if (mpfr_number_p(x))
            mpfr_rint(x, x, by_mode ? modes[mode] : MPFR_RNDZ);
        want = clamp_to(x, to) & (UINT64_MAX >> (64 - 8 * bytes));
        if (got != want)
            fail_msg("%s <- %s 0x%llX mode %u: 0x%llX, expected 0x%llX",
                     isa_type_name(to), isa_type_name(from->type),
                     (unsigned long long)bits, mode, (unsigned long long)got,
                     (unsigned long long)want);
    }
    mpfr_clear(x);
    emu_rig_control(&rig, 0, 0);
}

static void every_half_converts_there_and_back(void **state)
{
    struct isa_inst up = mov(ISA_TYPE_F, ISA_TYPE_HF, 1), down;

    (void)state;
    down = mov(ISA_TYPE_HF, ISA_TYPE_F, 1);
    down.src[0] = emu_rig_packed(100, ISA_TYPE_F);
    down.dst = emu_rig_dst(110, ISA_TYPE_HF, 1);
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint64_t bits = h, back;

        put_lanes(20, &formats[0], &bits, 1);
        assert_true(emu_rig_run(&rig, &up, 1));
        assert_true(emu_rig_run(&rig, &down, 1));
        back = get_lane(110, &formats[0], 0);
        assert_true(back == h || (bits_nan(&formats[0], h) && back == (h | 0x200)));
    }
}

/* ---- moves, selection, comparison --------------------------------------- */

static void moves_of_one_type_keep_every_bit(void **state)
{
    static const uint32_t odd[] = {0x7F800001, 0xFFC12345, 1, 0x80000001};
    struct isa_inst in = mov(ISA_TYPE_F, ISA_TYPE_F, 8);
    uint32_t x[8];

    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        x[i] = odd[i % 4];
    memcpy(rig.t->grf + 640, x, 32);
    emu_rig_control(&rig, 0, 0x4C0);
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    assert_memory_equal(rig.t->grf + 3200, x, 32);
    emu_rig_control(&rig, 0, 0);
}

static void put_floats(uint32_t reg, const float *v, uint32_t n)
{
    memcpy(rig.t->grf + reg * 32, v, n * sizeof(*v));
}

static void minimum_and_maximum_prefer_numbers(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_SEL, 8);
    float a[8] = {1, 2, NAN, 3, NAN, -INFINITY, -0.0f, 7};
    float b[8] = {2, 1, 5, NAN, NAN, 4, 0.0f, 7}, r[8];

    (void)state;
    put_floats(20, a, 8);
    put_floats(21, b, 8);
    in.nsrc = 2;
    in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
    in.src[0] = emu_rig_packed(20, ISA_TYPE_F);
    in.src[1] = emu_rig_packed(21, ISA_TYPE_F);
    for (uint32_t k = 0; k < 2; k++) {
        in.cmod = k ? ISA_CMOD_GE : ISA_CMOD_LT;
        assert_true(emu_rig_run(&rig, &in, 0xFF));
        memcpy(r, rig.t->grf + 3200, 32);
        for (uint32_t i = 0; i < 8; i++) {
            float want = k ? fmaxf(a[i], b[i]) : fminf(a[i], b[i]);

            assert_true(r[i] == want || (isnan(r[i]) && isnan(want)));
        }
    }
}

static void comparisons_with_nan_are_false_but_not_equal(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_CMP, 4);
    float a[4] = {1, NAN, 3, NAN}, b[4] = {1, 1, 2, NAN};
    static const uint32_t want[] = {
        [ISA_CMOD_EQ] = 1, [ISA_CMOD_NE] = 0xE, [ISA_CMOD_GT] = 4,
        [ISA_CMOD_GE] = 5, [ISA_CMOD_LT] = 0,   [ISA_CMOD_LE] = 1};

    (void)state;
    put_floats(20, a, 4);
    put_floats(21, b, 4);
    in.nsrc = 2;
    in.flag = 0;
    in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
    in.src[0] = emu_rig_packed(20, ISA_TYPE_F);
    in.src[1] = emu_rig_packed(21, ISA_TYPE_F);
    for (uint32_t c = ISA_CMOD_EQ; c <= ISA_CMOD_LE; c++) {
        in.cmod = (uint8_t)c;
        rig.t->flag[0] = 0xA0;
        assert_true(emu_rig_run(&rig, &in, 0xF));
        assert_int_equal(rig.t->flag[0], 0xA0 | want[c]);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(get_lane(100, &formats[1], i),
                             want[c] >> i & 1 ? UINT32_MAX : 0);
    }
}

static void csel_tests_its_third_source(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_CSEL, 4);
    float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4] = {-1, 0, 1, NAN}, r[4];

    (void)state;
    put_floats(20, a, 4);
    put_floats(21, b, 4);
    put_floats(22, c, 4);
    in.nsrc = 3;
    in.cmod = ISA_CMOD_GT;
    in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
    for (uint32_t k = 0; k < 3; k++)
        in.src[k] = emu_rig_packed(20 + k, ISA_TYPE_F);
    assert_true(emu_rig_run(&rig, &in, 0xF));
    memcpy(r, rig.t->grf + 3200, 16);
    assert_true(r[0] == 5 && r[1] == 6 && r[2] == 3 && r[3] == 8);
}

static void saturation_of_floats(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_ADD, 8);
    float a[8] = {-1, 0.25f, 0.5f, 0.75f, 1, 2, NAN, INFINITY}, r[8];
    static const float want[8] = {0, 0.5f, 0.75f, 1, 1, 1, 0, 1};

    (void)state;
    put_floats(20, a, 8);
    in.nsrc = 2;
    in.saturate = true;
    in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
    in.src[0] = emu_rig_packed(20, ISA_TYPE_F);
    in.src[1] = emu_rig_imm(ISA_TYPE_F, 0x3E800000);
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    memcpy(r, rig.t->grf + 3200, 32);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(r[i] == want[i]);
}

static void rounding_to_whole_numbers(void **state)
{
    static const enum isa_opcode ops[] = {ISA_OP_RNDD, ISA_OP_RNDU, ISA_OP_RNDE,
                                          ISA_OP_RNDZ};
    static const float want[4][8] = {{-3, -2, -1, 0, 1, 2, 16777216, -1},
                                     {-2, -1, -0.0f, 1, 2, 3, 16777216, -0.0f},
                                     {-2, -2, -0.0f, 0, 2, 2, 16777216, -1},
                                     {-2, -1, -0.0f, 0, 1, 2, 16777216, -0.0f}};
    float a[8] = {-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 16777216, -0.75f};

    (void)state;
    put_floats(20, a, 8);
    for (uint32_t o = 0; o < 4; o++) {
        struct isa_inst in = emu_rig_inst(ops[o], 8);

        in.nsrc = 1;
        in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
        in.src[0] = emu_rig_packed(20, ISA_TYPE_F);
        assert_true(emu_rig_run(&rig, &in, 0xFF));
        assert_memory_equal(rig.t->grf + 3200, want[o], 32);
    }
}

/* ---- extended math ------------------------------------------------------ */

static void true_value(mpfr_t r, uint32_t f, mpfr_t x, mpfr_t y)
{
    switch (f) {
    case ISA_MATH_INV:
        mpfr_ui_div(r, 1, x, MPFR_RNDN);
        break;
    case ISA_MATH_LOG:
        mpfr_log2(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_EXP:
        mpfr_exp2(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_SQT:
        mpfr_sqrt(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_RSQT:
        mpfr_rec_sqrt(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_SIN:
        mpfr_sin(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_COS:
        mpfr_cos(r, x, MPFR_RNDN);
        break;
    case ISA_MATH_FDIV:
        mpfr_div(r, x, y, MPFR_RNDN);
        break;
    default:
        mpfr_pow(r, x, y, MPFR_RNDN);
        break;
    }
}

static void extended_math_is_within_one_unit(void **state)
{
    static const uint8_t functions[] = {ISA_MATH_INV, ISA_MATH_LOG,  ISA_MATH_EXP,
                                        ISA_MATH_SQT, ISA_MATH_RSQT, ISA_MATH_SIN,
                                        ISA_MATH_COS, ISA_MATH_FDIV, ISA_MATH_POW};
    uint64_t seed = 5;
    mpfr_t x, y, r;

    (void)state;
    mpfr_inits2(300, x, y, r, (mpfr_ptr)0);
    for (uint32_t n = 0; n < 18000; n++) {
        struct isa_inst in = emu_rig_inst(ISA_OP_MATH, 1);
        float a = (float)(emu_rig_random(&seed) % 100000 + 1) * 0.001f, b, got;
        uint64_t bits[2] = {0, 0}, want, result;

        in.math = functions[n % 9];
        b = (float)(emu_rig_random(&seed) % 4000) * 0.01f - 20;
        memcpy(&bits[0], &a, 4);
        memcpy(&bits[1], &b, 4);
        put_lanes(20, &formats[1], &bits[0], 1);
        put_lanes(21, &formats[1], &bits[1], 1);
        in.nsrc = in.math == ISA_MATH_FDIV || in.math == ISA_MATH_POW ? 2 : 1;
        in.dst = emu_rig_dst(100, ISA_TYPE_F, 1);
        in.src[0] = emu_rig_packed(20, ISA_TYPE_F);
        in.src[1] = emu_rig_packed(21, ISA_TYPE_F);
        assert_true(emu_rig_run(&rig, &in, 1));
        result = get_lane(100, &formats[1], 0);
        set_bits(x, &formats[1], bits[0], false);
        set_bits(y, &formats[1], bits[1], false);
        true_value(r, in.math, x, y);
        want = get_bits(r, &formats[1], MPFR_RNDN, false);
        memcpy(&got, &result, 4);
        if (result > want + 1 || want > result + 1)
            fail_msg("math.%s %a %a: %a", isa_math_name((enum isa_math)in.math),
                     (double)a, (double)b, (double)got);
    }
    mpfr_clears(x, y, r, (mpfr_ptr)0);
}

static void integer_division(void **state)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MATH, 1);
    static const int32_t x[] = {7, -7, INT32_MIN, 5, 0}, y[] = {2, 2, -1, 0, 3};
    static const uint32_t want[2][5] = {{3, (uint32_t)-3, 0x80000000, UINT32_MAX, 0},
                                        {1, (uint32_t)-1, 0, 5, 0}};

    (void)state;
    in.nsrc = 2;
    in.dst = emu_rig_dst(100, ISA_TYPE_D, 1);
    in.src[0] = emu_rig_packed(20, ISA_TYPE_D);
    in.src[1] = emu_rig_packed(21, ISA_TYPE_D);
    for (uint32_t k = 0; k < 10; k++) {
        in.math = k / 5 ? ISA_MATH_IREM : ISA_MATH_IQOT;
        memcpy(rig.t->grf + 640, &x[k % 5], 4);
        memcpy(rig.t->grf + 672, &y[k % 5], 4);
        assert_true(emu_rig_run(&rig, &in, 1));
        assert_int_equal(get_lane(100, &formats[1], 0), want[k / 5][k % 5]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_correctly_rounded),
        cmocka_unit_test(floats_convert_to_floats),
        cmocka_unit_test(integers_convert_to_floats),
        cmocka_unit_test(floats_convert_to_integers_and_saturate),
        cmocka_unit_test(every_half_converts_there_and_back),
        cmocka_unit_test(moves_of_one_type_keep_every_bit),
        cmocka_unit_test(minimum_and_maximum_prefer_numbers),
        cmocka_unit_test(comparisons_with_nan_are_false_but_not_equal),
        cmocka_unit_test(csel_tests_its_third_source),
        cmocka_unit_test(saturation_of_floats),
        cmocka_unit_test(rounding_to_whole_numbers),
        cmocka_unit_test(extended_math_is_within_one_unit),
        cmocka_unit_test(integer_division),
    };

    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
