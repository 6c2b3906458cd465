/* emu_madm.c - macros in all lanes by the host's doubles, where that is the same:
 * rounded to nearest even, numbers that are zero or whose exponents are so near zero
 * that products, and their sums with others, are zero or normal; divisions and roots
 * that start with neither zeros nor negative numbers. emu_macro.c has the others. */
#include "emu_host.h"

#include <math.h>

#include "igpu/fpu_math.h"

#define INLINE static inline __attribute__((always_inline))

enum { MOST = 16, BIAS = 1023, NEAR_SINGLE = 31 };

/* Zero, or an exponent to `most`. */
INLINE bool is_near(double v, uint32_t most)
{
    uint64_t bits;
    uint32_t exp;

    memcpy(&bits, &v, sizeof(bits));
    exp = (uint32_t)(bits >> 52 & 0x7FF);
    return bits << 1 == 0 || exp - (BIAS - most) <= 2 * most;
}

/* Lanes that are not. */
INLINE uint32_t far_lanes(const double *v, uint32_t n, uint32_t most)
{
    uint32_t far = 0;

    for (uint32_t i = 0; i < n; i++)
        far |= (uint32_t)!is_near(v[i], most) << i;
    return far;
}

INLINE void load_grf(const uint8_t *p, int32_t step, uint32_t n, bool is_double,
                     double *v)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] = is_double ? *(const emu_df *)(p + (int32_t)i * step)
                         : (double)*(const emu_f *)(p + (int32_t)i * step);
}

/* A source's lanes; returns those that are not near. */
INLINE uint32_t load(const struct emu_thread *t, const struct emu_src *s, uint32_t n,
                     bool is_double, double *v)
{
    uint32_t far = 0;

    if (emu_is_mme(s->mme)) {
        memcpy(v, t->mme[s->mme].value, n * sizeof(*v));
        far = ~t->mme[s->mme].near;
        for (uint32_t i = 0; !is_double && i < n; i++)
            far |= (uint32_t)((double)(float)v[i] != v[i]) << i;
    } else {
        load_grf((const uint8_t *)t + s->off, emu_src_step(s), n, is_double, v);
    }
    if (!is_double || !emu_is_mme(s->mme))
        far |= far_lanes(v, n, is_double ? EMU_NEAR : NEAR_SINGLE);
    for (uint32_t i = 0; s->mod & ISA_MOD_ABS && i < n; i++)
        v[i] = fabs(v[i]);
    for (uint32_t i = 0; s->mod & ISA_MOD_NEG && i < n; i++)
        v[i] = -v[i];
    return far;
}

INLINE void store_mme(struct emu_mme *m, const double *v, uint32_t n, uint32_t mask)
{
    uint32_t far = far_lanes(v, n, EMU_NEAR) & mask;

    for (uint32_t i = 0; i < n; i++)
        m->value[i] = mask >> i & 1 ? v[i] : m->value[i];
    m->near |= mask;
    for (; far != 0; far &= far - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(far);

        emu_mme_put(m, i, emu_mme_number(m, i));
    }
}

/* v / 2^24 * 2^exp */
INLINE double scaled(uint32_t v, int32_t exp)
{
    uint64_t bits = (uint64_t)(exp - 24 + BIAS) << 52;
    double power;

    memcpy(&power, &bits, sizeof(power));
    return (double)v * power;
}

/* As start_inverse() and start_root() in emu_macro.c, of v, which is not zero. */
INLINE double start(bool root, double v)
{
    uint64_t bits, mant;
    int32_t exp;

    memcpy(&bits, &v, sizeof(bits));
    mant = bits << 11 | (uint64_t)1 << 63;
    exp = (int32_t)(bits >> 52 & 0x7FF) - BIAS;
    if (root)
        return scaled(fpu_math_start_root(mant, exp & 1), -(exp - (exp & 1)) / 2);
    return copysign(scaled(fpu_math_start_inverse(mant), -exp), v);
}

/* v[0] becomes what a division of v[0] by v[1], or a root of v[0], starts with. False:
 * some lane is over at once. */
INLINE bool run_start(const struct emu_op *op, uint32_t mask, uint32_t n,
                      bool is_double, double v[3][MOST])
{
    const bool root = op->math == ISA_MATH_RSQTM;
    uint32_t early = 0;

    for (uint32_t i = 0; i < n; i++)
        early |= (uint32_t)(root ? !(v[0][i] > 0) : v[0][i] == 0 || v[1][i] == 0) << i;
    if ((early & mask) != 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (mask >> i & 1)
            v[0][i] = start(root, v[root ? 0 : 1][i]);
    for (uint32_t i = 0; i < n && !is_double; i++) /* of a power of two 25 bits */
        v[0][i] = (double)(float)v[0][i];
    return true;
}

INLINE void run_madm(uint32_t n, bool is_double, double v[3][MOST])
{
    for (uint32_t i = 0; i < n; i++)
        v[0][i] = is_double
                      ? fma(v[1][i], v[2][i], v[0][i])
                      : (double)fmaf((float)v[1][i], (float)v[2][i], (float)v[0][i]);
}

INLINE bool run(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                uint32_t n, bool is_double)
{
    uint8_t *to = (uint8_t *)t + op->dst.off;
    double v[3][MOST];
    uint32_t far = 0;

    for (uint32_t k = 0; k < op->nsrc; k++)
        far |= load(t, &op->src[k], n, is_double, v[k]);
    if ((far & mask) != 0)
        return false;
    if (op->opcode == ISA_OP_MADM)
        run_madm(n, is_double, v);
    else if (!run_start(op, mask, n, is_double, v))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!(mask >> i & 1))
            continue;
        if (is_double)
            ((emu_df *)to)[i] = v[0][i];
        else
            ((emu_f *)to)[i] = (float)v[0][i];
    }
    if (emu_is_mme(op->dst.mme))
        store_mme(&t->mme[op->dst.mme], v[0], n, mask);
    if (op->cmod == ISA_CMOD_EO)
        emu_set_flags(t, op, mask, 0);
    return true;
}

INLINE bool run_by_width(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                         bool is_double)
{
    switch (op->exec) {
    case 4:
        return run(t, op, mask, 4, is_double);
    case 8:
        return run(t, op, mask, 8, is_double);
    case MOST:
        return run(t, op, mask, MOST, is_double);
    default:
        return false;
    }
}

void EMU_HOST(emu_exec_madm)(struct emu_thread *t, const struct emu_op *op,
                             uint32_t mask)
{
    if (t->round != EMU_RNE ||
        !(op->dst.type == ISA_TYPE_DF ? run_by_width(t, op, mask, true)
                                      : run_by_width(t, op, mask, false)))
        emu_exec_macro(t, op, mask);
}
