/* emu_load.c - source operands to lanes.
 * Loops over a constant number of lanes are what compilers turn into vectors; 8 and
 * 16 lanes are nearly all there is. */
#include "emu_int.h"

#define FOR_LANES(n, body)                                                             \
    do {                                                                               \
        if ((n) == 16) {                                                               \
            for (uint32_t i = 0; i < 16; i++) {                                        \
                body;                                                                  \
            }                                                                          \
        } else if ((n) == 8) {                                                         \
            for (uint32_t i = 0; i < 8; i++) {                                         \
                body;                                                                  \
            }                                                                          \
        } else {                                                                       \
            for (uint32_t i = 0; i < (n); i++) {                                       \
                body;                                                                  \
            }                                                                          \
        }                                                                              \
    } while (0)

/* One loader: T elements, converted by CONV, into member M. */
#define LOADER(name, T, M, R, CONV)                                                    \
    static void name(const uint8_t *p, const struct emu_src *s, uint32_t n,            \
                     union emu_lanes *out)                                             \
    {                                                                                  \
        if (s->region == EMU_REG_SCALAR) {                                             \
            R value = CONV(*(const T *)p);                                             \
                                                                                       \
            FOR_LANES(n, out->M[i] = value);                                           \
        } else if (s->region == EMU_REG_LINEAR) {                                      \
            int32_t stride = s->stride;                                                \
                                                                                       \
            if (stride == (int32_t)sizeof(T)) {                                        \
                const T *q = (const T *)p;                                             \
                                                                                       \
                FOR_LANES(n, out->M[i] = CONV(q[i]));                                  \
            } else {                                                                   \
                for (uint32_t i = 0; i < n; i++)                                       \
                    out->M[i] = CONV(*(const T *)(p + (int32_t)i * stride));           \
            }                                                                          \
        } else {                                                                       \
            for (uint32_t i = 0; i < n; i++)                                           \
                out->M[i] = CONV(*(const T *)(p + s->gather->off[i]));                 \
        }                                                                              \
    }

#define AS_INT(x) (int64_t)(x)
#define AS_FLOAT(x) (float)(x)
#define AS_DOUBLE(x) (double)(x)
#define HALF_DOUBLE(x) (double)igpu_half_to_float(x)

LOADER(load_ub, emu_ub, i, int64_t, AS_INT)
LOADER(load_b, emu_b, i, int64_t, AS_INT)
LOADER(load_uw, emu_uw, i, int64_t, AS_INT)
LOADER(load_w, emu_w, i, int64_t, AS_INT)
LOADER(load_ud, emu_ud, i, int64_t, AS_INT)
LOADER(load_d, emu_d, i, int64_t, AS_INT)
LOADER(load_q, emu_q, i, int64_t, AS_INT)
LOADER(load_f, emu_f, f, float, AS_FLOAT)
LOADER(load_hf, emu_uw, f, float, igpu_half_to_float)
LOADER(load_df, emu_df, d, double, AS_DOUBLE)
LOADER(load_f_df, emu_f, d, double, AS_DOUBLE)
LOADER(load_hf_df, emu_uw, d, double, HALF_DOUBLE)

/* In the INT domain a float is its bits: raw moves. NULL: no such conversion. */
emu_load_fn *emu_pick_load(enum isa_type type, enum emu_domain domain)
{
    static emu_load_fn *const by_type[3][ISA_TYPE_COUNT] = {
        [EMU_DOM_INT] = {[ISA_TYPE_UB] = load_ub,
                         [ISA_TYPE_B] = load_b,
                         [ISA_TYPE_UW] = load_uw,
                         [ISA_TYPE_W] = load_w,
                         [ISA_TYPE_UD] = load_ud,
                         [ISA_TYPE_D] = load_d,
                         [ISA_TYPE_UQ] = load_q,
                         [ISA_TYPE_Q] = load_q,
                         [ISA_TYPE_HF] = load_uw,
                         [ISA_TYPE_F] = load_ud,
                         [ISA_TYPE_DF] = load_q},
        [EMU_DOM_F32] = {[ISA_TYPE_HF] = load_hf, [ISA_TYPE_F] = load_f},
        [EMU_DOM_F64] = {[ISA_TYPE_HF] = load_hf_df,
                         [ISA_TYPE_F] = load_f_df,
                         [ISA_TYPE_DF] = load_df},
    };

    return by_type[domain][type];
}

static void modify_int(uint32_t mod, bool logic, uint32_t n, union emu_lanes *v)
{
    if (logic) {
        FOR_LANES(n, v->i[i] = ~v->i[i]);
        return;
    }
    if (mod & ISA_MOD_ABS)
        FOR_LANES(n,
                  v->i[i] = v->i[i] < 0 ? (int64_t)(0 - (uint64_t)v->i[i]) : v->i[i]);
    if (mod & ISA_MOD_NEG)
        FOR_LANES(n, v->i[i] = (int64_t)(0 - (uint64_t)v->i[i]));
}

static void emu_modify(uint32_t mod, enum emu_domain domain, bool logic, uint32_t n,
                       union emu_lanes *v)
{
    emu_ud *f = (emu_ud *)v;
    emu_uq *d = (emu_uq *)v;

    if (mod == ISA_MOD_NONE)
        return;
    if (domain == EMU_DOM_INT) {
        modify_int(mod, logic, n, v);
    } else if (domain == EMU_DOM_F32) {
        uint32_t clear = mod & ISA_MOD_ABS ? 0x7FFFFFFF : 0xFFFFFFFF;
        uint32_t flip = mod & ISA_MOD_NEG ? 0x80000000 : 0;

        FOR_LANES(n, f[i] = (f[i] & clear) ^ flip);
    } else {
        uint64_t clear = mod & ISA_MOD_ABS ? INT64_MAX : UINT64_MAX;
        uint64_t flip = mod & ISA_MOD_NEG ? (uint64_t)1 << 63 : 0;

        FOR_LANES(n, d[i] = (d[i] & clear) ^ flip);
    }
}

/* Denormals of the operand's type become zeros of their sign. */
static void flush(const struct emu_thread *t, enum isa_type type,
                  enum emu_domain domain, uint32_t n, union emu_lanes *v)
{
    uint32_t bit = type == ISA_TYPE_HF  ? EMU_FTZ_HF
                   : type == ISA_TYPE_F ? EMU_FTZ_F
                                        : EMU_FTZ_DF;
    double least = type == ISA_TYPE_HF  ? 0x1p-14
                   : type == ISA_TYPE_F ? 0x1p-126
                                        : 0x1p-1022;

    if (!(t->ftz & bit) || domain == EMU_DOM_INT || !isa_type_is_float(type))
        return;
    for (uint32_t i = 0; i < n; i++) {
        double x = domain == EMU_DOM_F32 ? (double)v->f[i] : v->d[i];

        if (!(x < least && x > -least))
            continue;
        if (domain == EMU_DOM_F32)
            v->f[i] = __builtin_copysignf(0, v->f[i]);
        else
            v->d[i] = __builtin_copysign(0, v->d[i]);
    }
}

/* Address registers to byte offsets in the register file. */
/* movi: the register comes from the first address, the byte in it from one address a
 * lane. */
static int32_t indexed_byte(const struct emu_thread *t, const struct emu_src *s,
                            uint32_t lane)
{
    uint32_t first = (uint32_t)(t->addr[s->addr_sub] + s->addr_imm);
    uint32_t own = (uint32_t)(t->addr[(s->addr_sub + lane) % 16] + s->addr_imm);

    return (int32_t)((first & ~31u) + (own & 31u));
}

/* Where each lane or row has an address of its own, it may be anything for a lane that
 * is off, or that shuffles from a lane beyond the subgroup: such an address wraps
 * round. A single address must be good. */
static bool gather_indirect(struct emu_thread *t, const struct emu_op *op,
                            const struct emu_src *s, uint32_t n, struct emu_gather *out)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)s->type);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t word = s->addr_sub + (s->vxh ? i / s->vxh_width : 0u);
        int32_t at;

        if (word >= 16) {
            emu_error(t, op, "indirect region needs a0.%u, beyond a0.15", word);
            return false;
        }
        at = t->addr[word] + s->addr_imm + s->gather->off[i];
        if (op->opcode == ISA_OP_MOVI)
            at = indexed_byte(t, s, i);
        if (s->vxh && (at < 0 || at + size > EMU_GRF_SIZE))
            at &= EMU_GRF_SIZE - size;
        if (at < 0 || at + size > EMU_GRF_SIZE) {
            emu_error(t, op, "indirect operand: lane %u reads byte %d of the registers",
                      i, at);
            return false;
        }
        out->off[i] = at;
    }
    return true;
}

static void fetch_indirect(struct emu_thread *t, const struct emu_op *op,
                           const struct emu_src *s, union emu_lanes *out)
{
    struct emu_gather gather;
    struct emu_src direct = *s;

    direct.region = EMU_REG_TABLE;
    direct.gather = &gather;
    if (gather_indirect(t, op, s, op->exec, &gather))
        s->load(t->grf, &direct, op->exec, out);
    else
        memset(out, 0, sizeof(*out));
}

void emu_fetch_from(struct emu_thread *t, const struct emu_op *op,
                    const struct emu_src *s, uint32_t n, union emu_lanes *out)
{
    const uint8_t *base = (const uint8_t *)t + s->off;
    bool logic = op->opcode == ISA_OP_AND || op->opcode == ISA_OP_OR ||
                 op->opcode == ISA_OP_XOR || op->opcode == ISA_OP_NOT;

    if (s->is_imm)
        base = s->gather ? s->gather->data : (const uint8_t *)&s->imm;
    if (s->region == EMU_REG_INDIRECT)
        fetch_indirect(t, op, s, out);
    else
        s->load(base, s, n, out);
    if (t->ftz)
        flush(t, (enum isa_type)s->type, (enum emu_domain)op->src_dom, n, out);
    if (s->mod)
        emu_modify(s->mod, (enum emu_domain)op->src_dom, logic, n, out);
}

void emu_fetch(struct emu_thread *t, const struct emu_op *op, uint32_t k,
               union emu_lanes *out)
{
    emu_fetch_from(t, op, &op->src[k], op->exec, out);
}
