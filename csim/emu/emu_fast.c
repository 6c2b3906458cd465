/* emu_fast.c - fused loops for the commonest forms: 8 or 16 lanes of 32 bits (4 or 8
 * of double, 8 of 64-bit integers), packed destination, packed or scalar sources.
 * Each handler exists twice, for any host and for one with AVX2 and FMA; both give the
 * same bits, since every operation is exactly rounded. What is not plain (other
 * rounding, flushed denormals, a NaN result) goes the general way. */
#include "emu_int.h"

#include <math.h>

#include "emu_host.h"

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

INLINE bool is_dword(uint32_t type)
{
    return type == ISA_TYPE_D || type == ISA_TYPE_UD;
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

#define FLOAT_HANDLER(name, N, T, LANE, lanes, put, TARGET, nsources, value)           \
    TARGET static void name(struct emu_thread *t, const struct emu_op *op,             \
                            uint32_t mask)                                             \
    {                                                                                  \
        LANE tmp[3][N];                                                                \
        T r[N];                                                                        \
        uint32_t nan = 0;                                                              \
        const T *a, *b, *c;                                                            \
                                                                                       \
        if (!t->plain) {                                                               \
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
            nan |= (uint32_t)(r[i] != r[i]);                                           \
        if (nan)                                                                       \
            emu_exec_general(t, op, mask);                                             \
        else                                                                           \
            put(t, op, mask, N, (const LANE *)r);                                      \
    }

#define FLOAT_WIDTHS(name, TARGET, nsources, fvalue, dvalue)                           \
    FLOAT_HANDLER(name##_f8, 8, emu_f, emu_ud, lanes32, put32, TARGET, nsources,       \
                  fvalue)                                                              \
    FLOAT_HANDLER(name##_f16, 16, emu_f, emu_ud, lanes32, put32, TARGET, nsources,     \
                  fvalue)                                                              \
    FLOAT_HANDLER(name##_d4, 4, emu_df, emu_uq, lanes64, put64, TARGET, nsources,      \
                  dvalue)                                                              \
    FLOAT_HANDLER(name##_d8, 8, emu_df, emu_uq, lanes64, put64, TARGET, nsources,      \
                  dvalue)

#define FLOAT_ALL(suffix, TARGET)                                                      \
    FLOAT_WIDTHS(add_##suffix, TARGET, 2, a[i] + b[i], a[i] + b[i])                    \
    FLOAT_WIDTHS(mul_##suffix, TARGET, 2, a[i] * b[i], a[i] * b[i])                    \
    FLOAT_WIDTHS(mad_##suffix, TARGET, 3, fmaf(b[i], c[i], a[i]), fma(b[i], c[i], a[i]))

/* ---- integers ----------------------------------------------------------- */

#define INT_HANDLER(name, N, LANE, lanes, put, TARGET, nsources, value)                \
    TARGET static void name(struct emu_thread *t, const struct emu_op *op,             \
                            uint32_t mask)                                             \
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

#define INT_WIDTHS(name, TARGET, nsources, value, wide)                                \
    INT_HANDLER(name##_q8, 8, emu_uq, lanes_long, put64, TARGET, nsources, wide)       \
    INT_HANDLER(name##_i8, 8, emu_ud, lanes_int, put32, TARGET, nsources, value)       \
    INT_HANDLER(name##_i16, 16, emu_ud, lanes_int, put32, TARGET, nsources, value)

#define INT_ALL(suffix, TARGET)                                                        \
    INT_WIDTHS(mov_##suffix, TARGET, 1, a[i], a[i])                                    \
    INT_WIDTHS(iadd_##suffix, TARGET, 2, a[i] + b[i], a[i] + b[i])                     \
    INT_WIDTHS(imul_##suffix, TARGET, 2, a[i] * b[i], a[i] * b[i])                     \
    INT_WIDTHS(and_##suffix, TARGET, 2, a[i] & b[i], a[i] & b[i])                      \
    INT_WIDTHS(or_##suffix, TARGET, 2, a[i] | b[i], a[i] | b[i])                       \
    INT_WIDTHS(xor_##suffix, TARGET, 2, a[i] ^ b[i], a[i] ^ b[i])                      \
    INT_WIDTHS(shl_##suffix, TARGET, 2, a[i] << (b[i] & 31), a[i] << (b[i] & 63))      \
    INT_WIDTHS(shr_##suffix, TARGET, 2, a[i] >> (b[i] & 31), a[i] >> (b[i] & 63))      \
    INT_WIDTHS(asr_##suffix, TARGET, 2, (int32_t)a[i] >> (b[i] & 31),                  \
               (int64_t)a[i] >> (b[i] & 63))

FLOAT_ALL(any, ANY_HOST)
INT_ALL(any, ANY_HOST)
#if HAVE_AVX2
FLOAT_ALL(avx2, AVX2)
INT_ALL(avx2, AVX2)
#endif

/* ---- choice ------------------------------------------------------------- */

enum width { F8, F16, D4, D8, I8, I16, Q8, WIDTHS };

struct handlers {
    emu_run_fn *run[ISA_OP_COUNT][WIDTHS];
};

#define FLOAT_ROW(name)                                                                \
    {                                                                                  \
        name##_f8, name##_f16, name##_d4, name##_d8, NULL, NULL                        \
    }
#define INT_ROW(name)                                                                  \
    {                                                                                  \
        NULL, NULL, NULL, NULL, name##_i8, name##_i16, name##_q8                       \
    }
#define BOTH_ROW(f, i)                                                                 \
    {                                                                                  \
        f##_f8, f##_f16, f##_d4, f##_d8, i##_i8, i##_i16, i##_q8                       \
    }
#define HANDLERS(suffix)                                                               \
    {                                                                                  \
        .run = {                                                                       \
            [ISA_OP_ADD] = BOTH_ROW(add_##suffix, iadd_##suffix),                      \
            [ISA_OP_MUL] = BOTH_ROW(mul_##suffix, imul_##suffix),                      \
            [ISA_OP_MAD] = FLOAT_ROW(mad_##suffix),                                    \
            [ISA_OP_MOV] = INT_ROW(mov_##suffix),                                      \
            [ISA_OP_AND] = INT_ROW(and_##suffix),                                      \
            [ISA_OP_OR] = INT_ROW(or_##suffix),                                        \
            [ISA_OP_XOR] = INT_ROW(xor_##suffix),                                      \
            [ISA_OP_SHL] = INT_ROW(shl_##suffix),                                      \
            [ISA_OP_SHR] = INT_ROW(shr_##suffix),                                      \
            [ISA_OP_ASR] = INT_ROW(asr_##suffix),                                      \
        }                                                                              \
    }

static const struct handlers *choose_host(void)
{
    static const struct handlers any = HANDLERS(any);
#if HAVE_AVX2
    static const struct handlers avx2 = HANDLERS(avx2);

    if (emu_has_avx2())
        return &avx2;
#endif
    return &any;
}

static bool is_packed_or_scalar(const struct emu_src *s)
{
    if (s->region == EMU_REG_SCALAR)
        return true;
    return s->region == EMU_REG_LINEAR &&
           s->stride == (int32_t)isa_type_bytes((enum isa_type)s->type);
}

/* 32-bit result, sources that lanes_int() knows, shifts of the value's own width. */
static bool fits_int(const struct emu_op *op)
{
    uint32_t opcode = op->opcode, type0 = op->src[0].type;
    bool raw = op->raw && op->dst.type == ISA_TYPE_F;

    if (!raw && !is_dword(op->dst.type))
        return false;
    for (uint32_t k = 0; k < op->nsrc && !raw; k++) {
        uint32_t type = op->src[k].type;

        if (op->src[k].mod ||
            !(is_dword(type) || type == ISA_TYPE_W || type == ISA_TYPE_UW))
            return false;
    }
    if (opcode == ISA_OP_SHR)
        return is_dword(type0);
    if (opcode == ISA_OP_ASR) /* unsigned values shift in zeros */
        return type0 == ISA_TYPE_D || type0 == ISA_TYPE_W;
    return true;
}

/* 64-bit result, sources that lanes_long() knows, shifts of whole 64-bit values. */
static bool fits_long(const struct emu_op *op)
{
    uint32_t type0 = op->src[0].type;

    if (op->exec != 8 || (op->dst.type != ISA_TYPE_Q && op->dst.type != ISA_TYPE_UQ) ||
        op->is_wide || op->acc)
        return false;
    for (uint32_t k = 0; k < op->nsrc; k++) {
        const struct emu_src *s = &op->src[k];
        bool is_long = s->type == ISA_TYPE_Q || s->type == ISA_TYPE_UQ;
        bool is_scalar = s->is_imm || s->region == EMU_REG_SCALAR;

        if (s->mod || !(is_long ||
                        (is_scalar && s->type <= ISA_TYPE_D && s->type >= ISA_TYPE_UW)))
            return false;
    }
    if (op->opcode == ISA_OP_SHR || op->opcode == ISA_OP_SHL)
        return type0 == ISA_TYPE_UQ || type0 == ISA_TYPE_Q;
    return op->opcode != ISA_OP_ASR || type0 == ISA_TYPE_Q;
}

static enum width width_of(const struct emu_op *op)
{
    uint32_t dst = op->dst.type;
    bool same = true;

    for (uint32_t k = 0; k < op->nsrc; k++)
        same &= op->src[k].type == dst;
    if (op->src_dom == EMU_DOM_INT)
        return fits_long(op)    ? Q8
               : !fits_int(op)  ? WIDTHS
               : op->exec == 8  ? I8
               : op->exec == 16 ? I16
                                : WIDTHS;
    if (same && dst == ISA_TYPE_F)
        return op->exec == 8 ? F8 : op->exec == 16 ? F16 : WIDTHS;
    if (same && dst == ISA_TYPE_DF)
        return op->exec == 4 ? D4 : op->exec == 8 ? D8 : WIDTHS;
    return WIDTHS;
}

emu_run_fn *emu_pick_fast(const struct emu_op *op)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);
    enum width width = width_of(op);

    if (width == WIDTHS || op->saturate || op->cmod || op->acc || op->acc_wr ||
        op->reads_state || op->writes_ctrl || op->dst.none || op->dst.indirect ||
        op->dst.stride != size)
        return NULL;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (!is_packed_or_scalar(&op->src[k]))
            return NULL;
    return choose_host()->run[op->opcode][width];
}
