/* emu_fused.c - fused loops for what emu_fast.c leaves over of the common forms: one to
 * sixteen lanes of integers of any size and stride, comparisons into flags alone,
 * selections by predicate, and conversions between 32-bit integers, float and double.
 * Integers are lanes of 64 bits, as in emu_alu_int.c, which says the same. */
#include "emu_host.h"

/* ---- sources ------------------------------------------------------------ */

#define LOAD(T)                                                                        \
    do {                                                                               \
        if (stride == (int32_t)sizeof(T)) {                                            \
            for (uint32_t i = 0; i < n; i++)                                           \
                v[i] = (int64_t)((const T *)p)[i];                                     \
        } else if (stride == 0) {                                                      \
            for (uint32_t i = 0; i < n; i++)                                           \
                v[i] = (int64_t) * (const T *)p;                                       \
        } else {                                                                       \
            for (uint32_t i = 0; i < n; i++)                                           \
                v[i] = (int64_t) * (const T *)(p + (int32_t)i * stride);               \
        }                                                                              \
    } while (0)

/* Lanes of a source, floats as their bits; modifiers are left to the caller. */
INLINE void load_bits(const struct emu_thread *t, const struct emu_src *s, uint32_t n,
                      int64_t *v)
{
    const uint8_t *p = emu_src_at(t, s);
    int32_t stride = emu_src_step(s);

    switch (s->type) {
    case ISA_TYPE_UB:
        LOAD(emu_ub);
        break;
    case ISA_TYPE_B:
        LOAD(emu_b);
        break;
    case ISA_TYPE_UW:
    case ISA_TYPE_HF:
        LOAD(emu_uw);
        break;
    case ISA_TYPE_W:
        LOAD(emu_w);
        break;
    case ISA_TYPE_UD:
    case ISA_TYPE_F:
        LOAD(emu_ud);
        break;
    case ISA_TYPE_D:
        LOAD(emu_d);
        break;
    default:
        LOAD(emu_q);
        break;
    }
}

INLINE void load_int(const struct emu_thread *t, const struct emu_src *s, uint32_t n,
                     int64_t *v)
{
    load_bits(t, s, n, v);
    if (s->mod & ISA_MOD_ABS)
        for (uint32_t i = 0; i < n; i++)
            v[i] = v[i] < 0 ? (int64_t)(0 - (uint64_t)v[i]) : v[i];
    if (s->mod & ISA_MOD_NEG)
        for (uint32_t i = 0; i < n; i++)
            v[i] = (int64_t)(0 - (uint64_t)v[i]);
}

/* The same of floats: modifiers change the sign. */
INLINE void load_sign(const struct emu_thread *t, const struct emu_src *s, uint32_t n,
                      int64_t *v)
{
    uint64_t sign = s->type == ISA_TYPE_DF ? (uint64_t)1 << 63 : 0x80000000;
    uint64_t clear = s->mod & ISA_MOD_ABS ? ~sign : UINT64_MAX;
    uint64_t flip = s->mod & ISA_MOD_NEG ? sign : 0;

    load_bits(t, s, n, v);
    if (s->mod)
        for (uint32_t i = 0; i < n; i++)
            v[i] = (int64_t)(((uint64_t)v[i] & clear) ^ flip);
}

/* ---- results ------------------------------------------------------------ */

/* What is chosen and modified is a result, its NaN quiet (docs/contract/fpu.md). */
INLINE void quiet_bits(const struct emu_op *op, uint32_t n, int64_t *v)
{
    bool is_double = op->dst.type == ISA_TYPE_DF;
    uint64_t inf = is_double ? (uint64_t)0x7FF << 52 : 0x7F800000;
    uint64_t sign = is_double ? (uint64_t)1 << 63 : 0x80000000;
    uint64_t quiet = is_double ? (uint64_t)1 << 51 : 0x400000;

    for (uint32_t i = 0; i < n; i++)
        v[i] |= ((uint64_t)v[i] & (sign - 1)) > inf ? (int64_t)quiet : 0;
}

#define STORE(T)                                                                       \
    do {                                                                               \
        if (stride == (int32_t)sizeof(T) && mask == op->full) {                        \
            for (uint32_t i = 0; i < n; i++)                                           \
                ((T *)p)[i] = (T)v[i];                                                 \
        } else if (stride == (int32_t)sizeof(T)) {                                     \
            for (uint32_t i = 0; i < n; i++)                                           \
                ((T *)p)[i] = mask >> i & 1 ? (T)v[i] : ((T *)p)[i];                   \
        } else if (mask != op->full) {                                                 \
            for (uint32_t i = 0; i < n; i++)                                           \
                if (mask >> i & 1)                                                     \
                    *(T *)(p + (int32_t)i * stride) = (T)v[i];                         \
        } else {                                                                       \
            for (uint32_t i = 0; i < n; i++)                                           \
                *(T *)(p + (int32_t)i * stride) = (T)v[i];                             \
        }                                                                              \
    } while (0)

INLINE void store_bits(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                       uint32_t n, const int64_t *v)
{
    uint8_t *p = (uint8_t *)t + op->dst.off;
    int32_t stride = op->dst.stride;

    switch (op->dst.type) {
    case ISA_TYPE_UB:
    case ISA_TYPE_B:
        STORE(emu_ub);
        break;
    case ISA_TYPE_UW:
    case ISA_TYPE_W:
    case ISA_TYPE_HF:
        STORE(emu_uw);
        break;
    case ISA_TYPE_UD:
    case ISA_TYPE_D:
    case ISA_TYPE_F:
        STORE(emu_ud);
        break;
    default:
        STORE(emu_uq);
        break;
    }
}

/* ---- handlers ----------------------------------------------------------- */

/* Operands, which all handlers of a width share. */
#define ACCESS(N, s)                                                                   \
    static void bits_##s(const struct emu_thread *t, const struct emu_src *src,        \
                         int64_t *v)                                                   \
    {                                                                                  \
        load_bits(t, src, N, v);                                                       \
    }                                                                                  \
    static void int_##s(const struct emu_thread *t, const struct emu_src *src,         \
                        int64_t *v)                                                    \
    {                                                                                  \
        load_int(t, src, N, v);                                                        \
    }                                                                                  \
    static void sign_##s(const struct emu_thread *t, const struct emu_src *src,        \
                         int64_t *v)                                                   \
    {                                                                                  \
        load_sign(t, src, N, v);                                                       \
    }                                                                                  \
    static void put_##s(struct emu_thread *t, const struct emu_op *op, uint32_t mask,  \
                        const int64_t *v)                                              \
    {                                                                                  \
        store_bits(t, op, mask, N, v);                                                 \
    }                                                                                  \
    /* All ones for what holds. */                                                     \
    static void fill_##s(struct emu_thread *t, const struct emu_op *op, uint32_t mask, \
                         uint32_t bits)                                                \
    {                                                                                  \
        int64_t v[N];                                                                  \
                                                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            v[i] = -(int64_t)(bits >> i & 1);                                          \
        store_bits(t, op, mask, N, v);                                                 \
    }

#define ARITH(name, N, s, nsources, value)                                             \
    HANDLER(name)                                                                      \
    {                                                                                  \
        int64_t a[N], b[N], r[N];                                                      \
        const uint64_t count = op->is64 ? 63 : 31;                                     \
                                                                                       \
        int_##s(t, &op->src[0], a);                                                    \
        if (nsources > 1)                                                              \
            int_##s(t, &op->src[1], b);                                                \
        (void)count, (void)b;                                                          \
        for (uint32_t i = 0; i < N; i++)                                               \
            r[i] = (int64_t)(value);                                                   \
        put_##s(t, op, mask, r);                                                       \
    }

#define U(x) ((uint64_t)(x))

/* Lanes as one kind of 64-bit integers. */
#define COMPARE_AS(name, N, s, rel, KIND, load)                                        \
    HANDLER(name)                                                                      \
    {                                                                                  \
        int64_t a[N], b[N];                                                            \
        uint32_t bits = 0;                                                             \
                                                                                       \
        load(t, &op->src[0], a);                                                       \
        load(t, &op->src[1], b);                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            bits |= (KIND)a[i] rel(KIND) b[i] ? 1u << i : 0;                           \
        emu_set_flags(t, op, mask, bits);                                              \
        if (!op->dst.none)                                                             \
            fill_##s(t, op, mask, bits);                                               \
    }

#define COMPARE(name, N, s, rel)                                                       \
    COMPARE_AS(name##_i##N, N, s, rel, int64_t, int_##s)                               \
    COMPARE_AS(name##_u##N, N, s, rel, uint64_t, bits_##s)                             \
    HANDLER(name##_f##N)                                                               \
    {                                                                                  \
        union emu_lanes v[2];                                                          \
        uint32_t bits = 0;                                                             \
                                                                                       \
        emu_fetch_from(t, op, &op->src[0], N, &v[0]);                                  \
        emu_fetch_from(t, op, &op->src[1], N, &v[1]);                                  \
        if (op->src_dom == EMU_DOM_F32)                                                \
            for (uint32_t i = 0; i < N; i++)                                           \
                bits |= v[0].f[i] rel v[1].f[i] ? 1u << i : 0;                         \
        else                                                                           \
            for (uint32_t i = 0; i < N; i++)                                           \
                bits |= v[0].d[i] rel v[1].d[i] ? 1u << i : 0;                         \
        emu_set_flags(t, op, mask, bits);                                              \
        if (!op->dst.none)                                                             \
            fill_##s(t, op, mask, bits);                                               \
    }

#define SELECT(name, N, s, load, is_float)                                             \
    HANDLER(name)                                                                      \
    {                                                                                  \
        int64_t a[N], b[N];                                                            \
        uint32_t bits = emu_predicate(t, op);                                          \
                                                                                       \
        if (is_float && t->ftz) {                                                      \
            emu_exec_sel(t, op, mask);                                                 \
            return;                                                                    \
        }                                                                              \
        load(t, &op->src[0], a);                                                       \
        load(t, &op->src[1], b);                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            a[i] = bits >> i & 1 ? a[i] : b[i];                                        \
        if (is_float)                                                                  \
            quiet_bits(op, N, a);                                                      \
        put_##s(t, op, mask, a);                                                       \
    }

/* To a float type, of the bits of from: an exactly rounded conversion of the host.
 * Integers become no denormals. */
#define FROM_INT (t->round == EMU_RNE)
#define CONVERT(name, N, s, FROM, TO, UTO, ready)                                      \
    HANDLER(name)                                                                      \
    {                                                                                  \
        int64_t a[N];                                                                  \
                                                                                       \
        if (!(ready)) {                                                                \
            emu_exec_general(t, op, mask);                                             \
            return;                                                                    \
        }                                                                              \
        bits_##s(t, &op->src[0], a);                                                   \
        for (uint32_t i = 0; i < N; i++) {                                             \
            union {                                                                    \
                int64_t bits;                                                          \
                FROM value;                                                            \
            } from = {a[i]};                                                           \
            union {                                                                    \
                TO value;                                                              \
                UTO bits;                                                              \
            } to = {(TO)from.value};                                                   \
                                                                                       \
            a[i] = (int64_t)to.bits;                                                   \
        }                                                                              \
        put_##s(t, op, mask, a);                                                       \
    }

#define ARITH_ALL(N, s)                                                                \
    ARITH(mov_##s, N, s, 1, a[i])                                                      \
    ARITH(add_##s, N, s, 2, U(a[i]) + U(b[i]))                                         \
    ARITH(mul_##s, N, s, 2, U(a[i]) * U(b[i]))                                         \
    ARITH(and_##s, N, s, 2, a[i] & b[i])                                               \
    ARITH(or_##s, N, s, 2, a[i] | b[i])                                                \
    ARITH(xor_##s, N, s, 2, a[i] ^ b[i])                                               \
    ARITH(shl_##s, N, s, 2, U(a[i]) << (U(b[i]) & count))                              \
    ARITH(shr_##s, N, s, 2, U(a[i]) >> (U(b[i]) & count))                              \
    ARITH(asr_##s, N, s, 2, a[i] >> (U(b[i]) & count))

#define REST(N, s)                                                                     \
    COMPARE(eq_##s, N, s, ==)                                                          \
    COMPARE(ne_##s, N, s, !=)                                                          \
    COMPARE(gt_##s, N, s, >)                                                           \
    COMPARE(ge_##s, N, s, >=)                                                          \
    COMPARE(lt_##s, N, s, <)                                                           \
    COMPARE(le_##s, N, s, <=)                                                          \
    SELECT(sel_##s, N, s, int_##s, false)                                              \
    SELECT(fsel_##s, N, s, sign_##s, true)                                             \
    CONVERT(d_f_##s, N, s, int32_t, float, uint32_t, FROM_INT)                         \
    CONVERT(ud_f_##s, N, s, uint32_t, float, uint32_t, FROM_INT)                       \
    CONVERT(df_f_##s, N, s, double, float, uint32_t, t->plain)                         \
    CONVERT(d_df_##s, N, s, int32_t, double, uint64_t, FROM_INT)                       \
    CONVERT(ud_df_##s, N, s, uint32_t, double, uint64_t, FROM_INT)                     \
    CONVERT(f_df_##s, N, s, float, double, uint64_t, t->plain)

#define ALL(N, s)                                                                      \
    ACCESS(N, s)                                                                       \
    ARITH_ALL(N, s)                                                                    \
    REST(N, s)

ALL(1, x1)
ALL(4, x4)
ALL(8, x8)
ALL(16, x16)

/* ---- the table ---------------------------------------------------------- */

#define TABLE(N, s)                                                                    \
    {                                                                                  \
        .arith =                                                                       \
            {[ISA_OP_MOV] = mov_##s, [ISA_OP_ADD] = add_##s, [ISA_OP_MUL] = mul_##s,   \
             [ISA_OP_AND] = and_##s, [ISA_OP_OR] = or_##s,   [ISA_OP_XOR] = xor_##s,   \
             [ISA_OP_SHL] = shl_##s, [ISA_OP_SHR] = shr_##s, [ISA_OP_ASR] = asr_##s},  \
        .cmp = {{[ISA_CMOD_EQ] = eq_##s##_i##N,                                        \
                 [ISA_CMOD_NE] = ne_##s##_i##N,                                        \
                 [ISA_CMOD_GT] = gt_##s##_i##N,                                        \
                 [ISA_CMOD_GE] = ge_##s##_i##N,                                        \
                 [ISA_CMOD_LT] = lt_##s##_i##N,                                        \
                 [ISA_CMOD_LE] = le_##s##_i##N},                                       \
                {[ISA_CMOD_EQ] = eq_##s##_u##N,                                        \
                 [ISA_CMOD_NE] = ne_##s##_u##N,                                        \
                 [ISA_CMOD_GT] = gt_##s##_u##N,                                        \
                 [ISA_CMOD_GE] = ge_##s##_u##N,                                        \
                 [ISA_CMOD_LT] = lt_##s##_u##N,                                        \
                 [ISA_CMOD_LE] = le_##s##_u##N},                                       \
                {[ISA_CMOD_EQ] = eq_##s##_f##N,                                        \
                 [ISA_CMOD_NE] = ne_##s##_f##N,                                        \
                 [ISA_CMOD_GT] = gt_##s##_f##N,                                        \
                 [ISA_CMOD_GE] = ge_##s##_f##N,                                        \
                 [ISA_CMOD_LT] = lt_##s##_f##N,                                        \
                 [ISA_CMOD_LE] = le_##s##_f##N}},                                      \
        .sel = sel_##s, .fsel = fsel_##s,                                              \
        .to_f = {[ISA_TYPE_D] = d_f_##s,                                               \
                 [ISA_TYPE_UD] = ud_f_##s,                                             \
                 [ISA_TYPE_DF] = df_f_##s},                                            \
        .to_df = {[ISA_TYPE_D] = d_df_##s,                                             \
                  [ISA_TYPE_UD] = ud_df_##s,                                           \
                  [ISA_TYPE_F] = f_df_##s},                                            \
    }

const struct emu_strided EMU_HOST(emu_strided)[4] = {TABLE(1, x1), TABLE(4, x4),
                                                     TABLE(8, x8), TABLE(16, x16)};
