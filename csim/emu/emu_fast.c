/* emu_fast.c - fused loops for the commonest forms: 8 or 16 lanes of 32 bits (4 or 8
 * of double, 8 of 64-bit integers), packed destination, packed or scalar sources. What
 * is not plain (other rounding, a NaN result, a denormal that is to be flushed) goes
 * the general way. */
#include "emu_host.h"

#include <math.h>

/* ---- sources ------------------------------------------------------------ */

/* Lanes of a 32-bit source: in place when packed, else copied to tmp. */
INLINE const emu_ud *lanes32(const struct emu_thread *t, const struct emu_src *s,
                             uint32_t n, emu_ud *tmp)
{
    const emu_ud *p = (const emu_ud *)((const uint8_t *)t + s->off);
    uint32_t clear = s->mod & ISA_MOD_ABS ? 0x7FFFFFFF : UINT32_MAX;
    uint32_t flip = s->mod & ISA_MOD_NEG ? 0x80000000 : 0;

    if (s->is_imm || s->region == EMU_REG_SCALAR) {
        uint32_t value = s->is_imm ? (uint32_t)s->imm : *p;

        if (s->mod)
            value = (value & clear) ^ flip;
        for (uint32_t i = 0; i < n; i++)
            tmp[i] = value;
        return tmp;
    }
    if (s->mod == ISA_MOD_NONE)
        return p;
    for (uint32_t i = 0; i < n; i++)
        tmp[i] = (p[i] & clear) ^ flip;
    return tmp;
}

INLINE const emu_uq *lanes64(const struct emu_thread *t, const struct emu_src *s,
                             uint32_t n, emu_uq *tmp)
{
    const emu_uq *p = (const emu_uq *)((const uint8_t *)t + s->off);
    uint64_t clear = s->mod & ISA_MOD_ABS ? INT64_MAX : UINT64_MAX;
    uint64_t flip = s->mod & ISA_MOD_NEG ? (uint64_t)1 << 63 : 0;

    if (s->is_imm || s->region == EMU_REG_SCALAR) {
        uint64_t value = ((s->is_imm ? s->imm : *p) & clear) ^ flip;

        for (uint32_t i = 0; i < n; i++)
            tmp[i] = value;
        return tmp;
    }
    if (s->mod == ISA_MOD_NONE)
        return p;
    for (uint32_t i = 0; i < n; i++)
        tmp[i] = (p[i] & clear) ^ flip;
    return tmp;
}

/* An integer source of up to 32 bits, widened by its sign. */
INLINE const emu_ud *lanes_int(const struct emu_thread *t, const struct emu_src *s,
                               uint32_t n, emu_ud *tmp)
{
    const uint8_t *p = emu_src_at(t, s);
    bool scalar = s->is_imm || s->region == EMU_REG_SCALAR;

    if (s->type != ISA_TYPE_W && s->type != ISA_TYPE_UW && !scalar)
        return (const emu_ud *)p; /* a dword, or the bits of a float */
    if (scalar) {
        uint32_t value = *(const emu_ud *)p;

        if (s->type == ISA_TYPE_W)
            value = (uint32_t)(int32_t)(int16_t)value;
        else if (s->type == ISA_TYPE_UW)
            value = (uint16_t)value;
        for (uint32_t i = 0; i < n; i++)
            tmp[i] = value;
    } else if (s->type == ISA_TYPE_W) {
        for (uint32_t i = 0; i < n; i++) {
            int32_t value = ((const emu_w *)p)[i];

            tmp[i] = (uint32_t)value;
        }
    } else {
        for (uint32_t i = 0; i < n; i++)
            tmp[i] = ((const emu_uw *)p)[i];
    }
    return tmp;
}

/* An integer source of 64-bit lanes, or a scalar one of any size. */
INLINE const emu_uq *lanes_long(const struct emu_thread *t, const struct emu_src *s,
                                uint32_t n, emu_uq *tmp)
{
    const uint8_t *p = emu_src_at(t, s);
    uint64_t value;

    if (!s->is_imm && s->region != EMU_REG_SCALAR)
        return (const emu_uq *)p;
    switch (s->type) {
    case ISA_TYPE_UW:
        value = *(const emu_uw *)p;
        break;
    case ISA_TYPE_W:
        value = (uint64_t) * (const emu_w *)p;
        break;
    case ISA_TYPE_UD:
        value = *(const emu_ud *)p;
        break;
    case ISA_TYPE_D:
        value = (uint64_t) * (const emu_d *)p;
        break;
    default:
        value = *(const emu_uq *)p;
        break;
    }
    for (uint32_t i = 0; i < n; i++)
        tmp[i] = value;
    return tmp;
}

/* ---- results ------------------------------------------------------------ */

INLINE void put32(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                  uint32_t n, const emu_ud *r)
{
    emu_ud *out = (emu_ud *)((uint8_t *)t + op->dst.off);

    if (mask == op->full) {
        for (uint32_t i = 0; i < n; i++)
            out[i] = r[i];
    } else {
        for (uint32_t i = 0; i < n; i++)
            out[i] = mask >> i & 1 ? r[i] : out[i];
    }
}

INLINE void put64(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                  uint32_t n, const emu_uq *r)
{
    emu_uq *out = (emu_uq *)((uint8_t *)t + op->dst.off);

    for (uint32_t i = 0; i < n; i++)
        out[i] = mask >> i & 1 ? r[i] : out[i];
}

/* ---- float and double --------------------------------------------------- */

/* Is any lane a denormal? */
INLINE uint32_t tiny32(const emu_ud *v, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        found |= (v[i] & 0x7FFFFFFF) - 1 < 0x7FFFFF;
    return found;
}

INLINE uint32_t tiny64(const emu_uq *v, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        found |= (v[i] & INT64_MAX) - 1 < ((uint64_t)1 << 52) - 1;
    return found;
}

#define FLOAT_HANDLER(name, N, T, LANE, lanes, put, tiny, nsources, value)             \
    HANDLER(name)                                                                      \
    {                                                                                  \
        LANE tmp[3][N];                                                                \
        T r[N];                                                                        \
        uint32_t odd = 0;                                                              \
        const T *a, *b, *c;                                                            \
                                                                                       \
        if (t->round != EMU_RNE) {                                                     \
            emu_exec_general(t, op, mask);                                             \
            return;                                                                    \
        }                                                                              \
        a = (const T *)lanes(t, &op->src[0], N, tmp[0]);                               \
        b = (const T *)lanes(t, &op->src[1], N, tmp[1]);                               \
        c = nsources > 2 ? (const T *)lanes(t, &op->src[2], N, tmp[2]) : a;            \
        (void)c;                                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            r[i] = value;                                                              \
        for (uint32_t i = 0; i < N; i++)                                               \
            odd |= (uint32_t)(r[i] != r[i]);                                           \
        if (t->ftz)                                                                    \
            odd |= tiny((const LANE *)a, N) | tiny((const LANE *)b, N) |               \
                   tiny((const LANE *)c, N) | tiny((const LANE *)r, N);                \
        if (odd)                                                                       \
            emu_exec_general(t, op, mask);                                             \
        else                                                                           \
            put(t, op, mask, N, (const LANE *)r);                                      \
    }

#define FLOAT_WIDTHS(name, nsources, fvalue, dvalue)                                   \
    FLOAT_HANDLER(name##_f8, 8, emu_f, emu_ud, lanes32, put32, tiny32, nsources,       \
                  fvalue)                                                              \
    FLOAT_HANDLER(name##_f16, 16, emu_f, emu_ud, lanes32, put32, tiny32, nsources,     \
                  fvalue)                                                              \
    FLOAT_HANDLER(name##_d4, 4, emu_df, emu_uq, lanes64, put64, tiny64, nsources,      \
                  dvalue)                                                              \
    FLOAT_HANDLER(name##_d8, 8, emu_df, emu_uq, lanes64, put64, tiny64, nsources,      \
                  dvalue)

FLOAT_WIDTHS(add, 2, a[i] + b[i], a[i] + b[i])
FLOAT_WIDTHS(mul, 2, a[i] * b[i], a[i] * b[i])
FLOAT_WIDTHS(mad, 3, fmaf(b[i], c[i], a[i]), fma(b[i], c[i], a[i]))

/* ---- integers ----------------------------------------------------------- */

#define INT_HANDLER(name, N, LANE, lanes, put, nsources, value)                        \
    HANDLER(name)                                                                      \
    {                                                                                  \
        LANE tmp[2][N], r[N];                                                          \
        const LANE *a = lanes(t, &op->src[0], N, tmp[0]), *b = a;                      \
                                                                                       \
        if (nsources > 1)                                                              \
            b = lanes(t, &op->src[1], N, tmp[1]);                                      \
        (void)b;                                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            r[i] = (LANE)(value);                                                      \
        put(t, op, mask, N, r);                                                        \
    }

#define INT_WIDTHS(name, nsources, value, wide)                                        \
    INT_HANDLER(name##_q8, 8, emu_uq, lanes_long, put64, nsources, wide)               \
    INT_HANDLER(name##_i8, 8, emu_ud, lanes_int, put32, nsources, value)               \
    INT_HANDLER(name##_i16, 16, emu_ud, lanes_int, put32, nsources, value)

INT_WIDTHS(mov, 1, a[i], a[i])
INT_WIDTHS(iadd, 2, a[i] + b[i], a[i] + b[i])
INT_WIDTHS(imul, 2, a[i] * b[i], a[i] * b[i])
INT_WIDTHS(and, 2, a[i] & b[i], a[i] & b[i])
INT_WIDTHS(or, 2, a[i] | b[i], a[i] | b[i])
INT_WIDTHS(xor, 2, a[i] ^ b[i], a[i] ^ b[i])
INT_WIDTHS(shl, 2, a[i] << (b[i] & 31), a[i] << (b[i] & 63))
INT_WIDTHS(shr, 2, a[i] >> (b[i] & 31), a[i] >> (b[i] & 63))
INT_WIDTHS(asr, 2, (int32_t)a[i] >> (b[i] & 31), (int64_t)a[i] >> (b[i] & 63))

/* ---- the table ---------------------------------------------------------- */

#define FLOAT_ROW(name) name##_f8, name##_f16, name##_d4, name##_d8
#define INT_ROW(name) name##_i8, name##_i16, name##_q8
#define NO_FLOAT NULL, NULL, NULL, NULL

const struct emu_packed EMU_HOST(emu_packed) = {
    .run = {
        [ISA_OP_ADD] = {FLOAT_ROW(add), INT_ROW(iadd)},
        [ISA_OP_MUL] = {FLOAT_ROW(mul), INT_ROW(imul)},
        [ISA_OP_MAD] = {FLOAT_ROW(mad)},
        [ISA_OP_MOV] = {NO_FLOAT, INT_ROW(mov)},
        [ISA_OP_AND] = {NO_FLOAT, INT_ROW(and)},
        [ISA_OP_OR] = {NO_FLOAT, INT_ROW(or)},
        [ISA_OP_XOR] = {NO_FLOAT, INT_ROW(xor)},
        [ISA_OP_SHL] = {NO_FLOAT, INT_ROW(shl)},
        [ISA_OP_SHR] = {NO_FLOAT, INT_ROW(shr)},
        [ISA_OP_ASR] = {NO_FLOAT, INT_ROW(asr)},
    }};
