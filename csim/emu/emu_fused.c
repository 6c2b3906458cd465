/* emu_fused.c - fused loops for what emu_fast.c leaves over of the common forms: one to
 * sixteen lanes of integers of any size and stride, comparisons into flags alone,
 * selections by predicate, and conversions between 32-bit integers, float and double.
 * Integers are lanes of 64 bits, as in emu_alu_int.c, which says the same. */
#include "emu_host.h"
#include "emu_int.h"

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

/* What is chosen and modified is a result, whose NaN is quiet (docs/fpu.md). */
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
#define ACCESS(N, s, TARGET)                                                           \
    TARGET static void bits_##s(const struct emu_thread *t, const struct emu_src *src, \
                                int64_t *v)                                            \
    {                                                                                  \
        load_bits(t, src, N, v);                                                       \
    }                                                                                  \
    TARGET static void int_##s(const struct emu_thread *t, const struct emu_src *src,  \
                               int64_t *v)                                             \
    {                                                                                  \
        load_int(t, src, N, v);                                                        \
    }                                                                                  \
    TARGET static void sign_##s(const struct emu_thread *t, const struct emu_src *src, \
                                int64_t *v)                                            \
    {                                                                                  \
        load_sign(t, src, N, v);                                                       \
    }                                                                                  \
    TARGET static void put_##s(struct emu_thread *t, const struct emu_op *op,          \
                               uint32_t mask, const int64_t *v)                        \
    {                                                                                  \
        store_bits(t, op, mask, N, v);                                                 \
    }                                                                                  \
    /* All ones for what holds. */                                                     \
    TARGET static void fill_##s(struct emu_thread *t, const struct emu_op *op,         \
                                uint32_t mask, uint32_t bits)                          \
    {                                                                                  \
        int64_t v[N];                                                                  \
                                                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            v[i] = -(int64_t)(bits >> i & 1);                                          \
        store_bits(t, op, mask, N, v);                                                 \
    }

#define ARITH(name, N, s, TARGET, nsources, value)                                     \
    HANDLER(name, TARGET)                                                              \
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
#define COMPARE_AS(name, N, s, TARGET, rel, KIND, load)                                \
    HANDLER(name, TARGET)                                                              \
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

#define COMPARE(name, N, s, TARGET, rel)                                               \
    COMPARE_AS(name##_i##N, N, s, TARGET, rel, int64_t, int_##s)                       \
    COMPARE_AS(name##_u##N, N, s, TARGET, rel, uint64_t, bits_##s)                     \
    HANDLER(name##_f##N, TARGET)                                                       \
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

#define SELECT(name, N, s, TARGET, load, is_float)                                     \
    HANDLER(name, TARGET)                                                              \
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

/* To a float type, of the bits of from: an exactly rounded conversion of the host. */
#define CONVERT(name, N, s, TARGET, FROM, TO, UTO)                                     \
    HANDLER(name, TARGET)                                                              \
    {                                                                                  \
        int64_t a[N];                                                                  \
                                                                                       \
        if (!t->plain) {                                                               \
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

#define ARITH_ALL(N, s, TARGET)                                                        \
    ARITH(mov_##s, N, s, TARGET, 1, a[i])                                              \
    ARITH(add_##s, N, s, TARGET, 2, U(a[i]) + U(b[i]))                                 \
    ARITH(mul_##s, N, s, TARGET, 2, U(a[i]) * U(b[i]))                                 \
    ARITH(and_##s, N, s, TARGET, 2, a[i] & b[i])                                       \
    ARITH(or_##s, N, s, TARGET, 2, a[i] | b[i])                                        \
    ARITH(xor_##s, N, s, TARGET, 2, a[i] ^ b[i])                                       \
    ARITH(shl_##s, N, s, TARGET, 2, U(a[i]) << (U(b[i]) & count))                      \
    ARITH(shr_##s, N, s, TARGET, 2, U(a[i]) >> (U(b[i]) & count))                      \
    ARITH(asr_##s, N, s, TARGET, 2, a[i] >> (U(b[i]) & count))

#define REST(N, s, TARGET)                                                             \
    COMPARE(eq_##s, N, s, TARGET, ==)                                                  \
    COMPARE(ne_##s, N, s, TARGET, !=)                                                  \
    COMPARE(gt_##s, N, s, TARGET, >)                                                   \
    COMPARE(ge_##s, N, s, TARGET, >=)                                                  \
    COMPARE(lt_##s, N, s, TARGET, <)                                                   \
    COMPARE(le_##s, N, s, TARGET, <=)                                                  \
    SELECT(sel_##s, N, s, TARGET, int_##s, false)                                      \
    SELECT(fsel_##s, N, s, TARGET, sign_##s, true)                                     \
    CONVERT(d_f_##s, N, s, TARGET, int32_t, float, uint32_t)                           \
    CONVERT(ud_f_##s, N, s, TARGET, uint32_t, float, uint32_t)                         \
    CONVERT(df_f_##s, N, s, TARGET, double, float, uint32_t)                           \
    CONVERT(d_df_##s, N, s, TARGET, int32_t, double, uint64_t)                         \
    CONVERT(ud_df_##s, N, s, TARGET, uint32_t, double, uint64_t)                       \
    CONVERT(f_df_##s, N, s, TARGET, float, double, uint64_t)

/* ---- choice ------------------------------------------------------------- */

enum compared { SIGNED_64, UNSIGNED_64, FLOATS };

struct handlers {
    emu_run_fn *arith[ISA_OP_COUNT];
    emu_run_fn *cmp[3][ISA_CMOD_COUNT]; /* as enum compared */
    emu_run_fn *sel, *fsel;
    emu_run_fn *to_f[ISA_TYPE_COUNT], *to_df[ISA_TYPE_COUNT];
};

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

#define ALL(N, s, TARGET)                                                              \
    ACCESS(N, s, TARGET)                                                               \
    ARITH_ALL(N, s, TARGET)                                                            \
    REST(N, s, TARGET)

ALL(1, x1, ANY_HOST)
ALL(4, x4, ANY_HOST)
ALL(8, x8, ANY_HOST)
ALL(16, x16, ANY_HOST)
#if HAVE_AVX2
ALL(4, avx4, AVX2)
ALL(8, avx8, AVX2)
ALL(16, avx16, AVX2)
#endif

static const struct handlers *handlers_of(uint32_t lanes)
{
    static const struct handlers x1 = TABLE(1, x1), x4 = TABLE(4, x4),
                                 x8 = TABLE(8, x8), x16 = TABLE(16, x16);
#if HAVE_AVX2
    static const struct handlers avx4 = TABLE(4, avx4), avx8 = TABLE(8, avx8),
                                 avx16 = TABLE(16, avx16);

    if (lanes > 1 && emu_has_avx2())
        return lanes == 4 ? &avx4 : lanes == 8 ? &avx8 : lanes == 16 ? &avx16 : NULL;
#endif
    return lanes == 1    ? &x1
           : lanes == 4  ? &x4
           : lanes == 8  ? &x8
           : lanes == 16 ? &x16
                         : NULL;
}

static bool is_small(uint32_t type) /* an integer that 64 signed bits hold */
{
    return type >= ISA_TYPE_UB && type <= ISA_TYPE_Q && type != ISA_TYPE_UQ;
}

static bool is_logic(const struct emu_op *op)
{
    return op->opcode == ISA_OP_AND || op->opcode == ISA_OP_OR ||
           op->opcode == ISA_OP_XOR;
}

/* What all forms here have in common: no state beside registers and flags. */
static bool is_simple(const struct emu_op *op)
{
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (op->src[k].region > EMU_REG_LINEAR ||
            (op->src[k].is_imm && op->src[k].gather))
            return false;
    return op->nsrc <= 2 && !op->saturate && !op->acc && !op->acc_wr &&
           !op->reads_state && !op->writes_ctrl && !op->dst.indirect;
}

static emu_run_fn *pick_arith(const struct emu_op *op, const struct handlers *h)
{
    bool to_float = isa_type_is_float((enum isa_type)op->dst.type);
    bool shifts = op->opcode == ISA_OP_SHR || op->opcode == ISA_OP_ASR;
    emu_run_fn *copy = NULL;

    if (op->dst.none || op->cmod)
        return NULL;
    if (op->opcode == ISA_OP_MOV && op->src[0].mod == ISA_MOD_NONE && !op->raw) {
        if (op->dst.type == ISA_TYPE_F && h->to_f[op->src[0].type] != NULL)
            return h->to_f[op->src[0].type];
        if (op->dst.type == ISA_TYPE_DF && h->to_df[op->src[0].type] != NULL)
            return h->to_df[op->src[0].type];
    }
    if (op->src_dom != EMU_DOM_INT || (to_float && !op->raw))
        return NULL;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if ((is_logic(op) || shifts || op->opcode == ISA_OP_SHL) && op->src[k].mod)
            return NULL;
    if (op->opcode == ISA_OP_SHR && isa_type_is_signed((enum isa_type)op->src[0].type))
        return NULL; /* shifts in zeros at its own width */
    if (op->opcode == ISA_OP_ASR && op->src[0].type == ISA_TYPE_UQ)
        return NULL;
    if (op->opcode == ISA_OP_MOV)
        copy = emu_pick_copy(op);
    return copy != NULL ? copy : h->arith[op->opcode];
}

static bool is_unsigned(const struct emu_src *s)
{
    return !isa_type_is_signed((enum isa_type)s->type) && s->mod == ISA_MOD_NONE;
}

static emu_run_fn *pick_cmp(const struct emu_op *op, const struct handlers *h)
{
    if (op->src_dom != EMU_DOM_INT)
        return op->opcode == ISA_OP_CMP ? h->cmp[FLOATS][op->cmod] : NULL;
    if (!op->is_wide && is_small(op->src[0].type) && is_small(op->src[1].type))
        return h->cmp[SIGNED_64][op->cmod];
    return is_unsigned(&op->src[0]) && is_unsigned(&op->src[1])
               ? h->cmp[UNSIGNED_64][op->cmod]
               : NULL;
}

static emu_run_fn *pick_sel(const struct emu_op *op, const struct handlers *h)
{
    uint32_t type = op->dst.type;

    if (op->dst.none || op->pred == ISA_PRED_NONE || op->cmod)
        return NULL;
    if (op->src_dom == EMU_DOM_INT && (op->raw || type <= ISA_TYPE_Q))
        return h->sel;
    if ((type == ISA_TYPE_F || type == ISA_TYPE_DF) && op->src[0].type == type &&
        op->src[1].type == type)
        return h->fsel;
    return NULL;
}

emu_run_fn *emu_pick_fused(const struct emu_op *op)
{
    const struct handlers *h = handlers_of(op->exec);

    if (h == NULL || !is_simple(op))
        return NULL;
    if (op->opcode == ISA_OP_CMP || op->opcode == ISA_OP_CMPN)
        return pick_cmp(op, h);
    if (op->is_wide)
        return NULL;
    return op->opcode == ISA_OP_SEL ? pick_sel(op, h) : pick_arith(op, h);
}
