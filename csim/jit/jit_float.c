/* jit_float.c - float, half and double instructions, to nearest even, and denormals
 * kept or flushed as the kernel's threads begin: other modes leave the segment, and so
 * does a result that is a NaN, whose bits are the emulator's to choose. */
#include "jit_int.h"

static uint32_t size_of(const struct jit_lanes *l)
{
    return isa_type_bytes((enum isa_type)l->type);
}

static bool is_float(const struct jit_lanes *l)
{
    return isa_type_is_float((enum isa_type)l->type);
}

/* ---- what is legal --------------------------------------------------------------- */

static bool reads(const struct jit_gen *g, const struct jit_inst *in,
                  const struct jit_lanes *s)
{
    if (s->type == ISA_TYPE_HF)
        return in->domain == JIT_F32 && g->has_half;
    return s->type == ISA_TYPE_F || (s->type == ISA_TYPE_DF && in->domain == JIT_F64);
}

static bool stores(const struct jit_gen *g, const struct jit_inst *in)
{
    if (in->dst.type == ISA_TYPE_HF)
        return in->domain == JIT_F32 && g->has_half;
    return is_float(&in->dst) || size_of(&in->dst) <= 4;
}

static bool own_type(const struct jit_inst *in)
{
    return in->dst.type == (in->domain == JIT_F32 ? ISA_TYPE_F : ISA_TYPE_DF);
}

static bool takes_fused(uint32_t op)
{
    return op == ISA_OP_MAD || op == ISA_OP_LRP || op == ISA_OP_PLN ||
           op == ISA_OP_FRC || op == ISA_OP_RNDD || op == ISA_OP_RNDU ||
           op == ISA_OP_RNDZ || op == ISA_OP_RNDE;
}

bool jit_float_is_inline(const struct jit_gen *g, const struct jit_inst *in)
{
    uint32_t op = in->inst->op, cmod = in->inst->cmod, sources = 2;

    for (uint32_t k = 0; k < in->nsrc; k++)
        if (!reads(g, in, &in->src[k]))
            return false;
    if (g->k->flushes && in->domain == JIT_F64)
        return false;
    if (!g->has_fused && takes_fused(op))
        return false;
    if (op == ISA_OP_CMP || op == ISA_OP_CMPN)
        return in->nsrc == 2 && cmod != ISA_CMOD_NONE && cmod <= ISA_CMOD_UN &&
               cmod != ISA_CMOD_OV;
    if (!stores(g, in) || cmod == ISA_CMOD_OV ||
        (cmod != ISA_CMOD_NONE && op != ISA_OP_SEL && !own_type(in)))
        return false;
    switch (op) {
    case ISA_OP_MOV:
    case ISA_OP_RNDD:
    case ISA_OP_RNDU:
    case ISA_OP_RNDZ:
    case ISA_OP_RNDE:
        sources = 1;
        break;
    case ISA_OP_ADD:
    case ISA_OP_MUL:
        break;
    case ISA_OP_SEL:
        if (in->inst->pred != ISA_PRED_NONE && in->inst->saturate)
            return false;
        break;
    case ISA_OP_FRC:
        if (in->is_hf || in->domain != JIT_F32)
            return false;
        sources = 1;
        break;
    case ISA_OP_PLN:
        if (in->inst->exec_size < JIT_CHUNK)
            return false;
        break;
    case ISA_OP_LRP:
        sources = 3;
        break;
    case ISA_OP_MAD:
        if (in->is_hf)
            return false;
        sources = 3;
        break;
    case ISA_OP_MATH:
        sources = jit_math_sources(in);
        if (sources == 0)
            return false;
        break;
    default:
        return false;
    }
    return in->nsrc == sources;
}

/* ---- operands ----------------------------------------------------------------------
 */

static LLVMTypeRef scalar_type(const struct jit_gen *g, uint32_t type)
{
    return type == ISA_TYPE_HF  ? LLVMHalfTypeInContext(g->context)
           : type == ISA_TYPE_F ? LLVMFloatTypeInContext(g->context)
                                : LLVMDoubleTypeInContext(g->context);
}

static uint32_t domain_type(const struct jit_inst *in)
{
    return in->domain == JIT_F32 ? ISA_TYPE_F : ISA_TYPE_DF;
}

static LLVMValueRef modify(struct jit_gen *g, const struct jit_lanes *s, uint32_t bytes,
                           LLVMValueRef v)
{
    uint32_t n = jit_width(v);
    LLVMTypeRef scalar = jit_int_type(g, bytes), type = LLVMTypeOf(v);
    uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    LLVMValueRef bits;

    if (s->mod == ISA_MOD_NONE)
        return v;
    bits = jit_cast(g, v, jit_vector(scalar, n));
    if (s->mod & ISA_MOD_ABS)
        bits = LLVMBuildAnd(g->b, bits, jit_splat_int(g, scalar, sign - 1, n), "");
    if (s->mod & ISA_MOD_NEG)
        bits = LLVMBuildXor(g->b, bits, jit_splat_int(g, scalar, sign, n), "");
    return jit_cast(g, bits, type);
}

/* Floats with their denormals made zeros of their sign, if this kernel's are. */
static LLVMValueRef flush(struct jit_gen *g, LLVMValueRef v)
{
    uint32_t n = jit_width(v);
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef bits, tiny, zero;

    if (!g->k->flushes)
        return v;
    bits = jit_cast(g, v, jit_vector(g->i32, n));
    tiny = LLVMBuildAnd(g->b, bits, jit_splat_int(g, g->i32, 0x7F800000, n), "");
    tiny = LLVMBuildICmp(g->b, LLVMIntEQ, tiny, LLVMConstNull(LLVMTypeOf(bits)), "");
    zero = LLVMBuildAnd(g->b, bits, jit_splat_int(g, g->i32, 0x80000000, n), "");
    return jit_cast(g, LLVMBuildSelect(g->b, tiny, zero, bits, ""), type);
}

/* Are these lanes known to have no denormals? */
static bool is_flushed(const struct jit_gen *g, const struct jit_lanes *s,
                       uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++) {
        uint32_t at = (uint32_t)s->at[i] - g->k->layout.registers;

        if (s->where != JIT_REGISTERS || at % 4 != 0 ||
            !jit_reg_is_flushed(&g->r[at / ISA_GRF_BYTES]))
            return false;
    }
    return true;
}

static LLVMValueRef read_lanes(struct jit_gen *g, const struct jit_inst *in,
                               const struct jit_lanes *s, uint32_t first, uint32_t n)
{
    uint32_t to = domain_type(in);
    LLVMValueRef v = jit_read(g, s, first, n);

    v = jit_cast(g, v, jit_vector(scalar_type(g, s->type), n));
    if (s->type == ISA_TYPE_F && !is_flushed(g, s, first, n))
        v = flush(g, v);
    if (s->type != to)
        v = LLVMBuildFPExt(g->b, v, jit_vector(scalar_type(g, to), n), "");
    return modify(g, s, to == ISA_TYPE_F ? 4 : 8, v);
}

static LLVMValueRef operand(struct jit_gen *g, const struct jit_inst *in, uint32_t k,
                            uint32_t first, uint32_t n)
{
    return read_lanes(g, in, &in->src[k], first, n);
}

/* The register that is the eight floats of a source from `first` on, or NULL. */
static struct jit_reg *whole_register(struct jit_gen *g, const struct jit_lanes *s,
                                      uint32_t first)
{
    uint32_t at = (uint32_t)s->at[first] - g->k->layout.registers;

    if (s->where != JIT_REGISTERS || s->type != ISA_TYPE_F || at % ISA_GRF_BYTES != 0)
        return NULL;
    for (uint32_t i = 1; i < JIT_CHUNK; i++)
        if (s->at[first + i] != s->at[first] + 4 * (int32_t)i)
            return NULL;
    return &g->r[at / ISA_GRF_BYTES];
}

/* A NaN in these sources is one in the result, which will be looked at. */
static void seen_by_result(struct jit_gen *g, const struct jit_inst *in, uint32_t first)
{
    for (uint32_t k = 0; k < in->nsrc; k++) {
        struct jit_reg *r = whole_register(g, &in->src[k], first);

        if (r != NULL)
            r->unseen = NULL;
    }
}

/* ---- results ------------------------------------------------------------------------
 */

/* The number when one of both is NaN, the first when both are. */
static LLVMValueRef least_or_most(struct jit_gen *g, const struct jit_inst *in,
                                  LLVMValueRef a, LLVMValueRef b)
{
    bool least = in->inst->cmod == ISA_CMOD_LT || in->inst->cmod == ISA_CMOD_LE;
    LLVMValueRef first =
        LLVMBuildFCmp(g->b, least ? LLVMRealOLT : LLVMRealOGE, a, b, "");

    first = LLVMBuildOr(g->b, first, LLVMBuildFCmp(g->b, LLVMRealUNO, b, b, ""), "");
    return LLVMBuildSelect(g->b, first, a, b, "");
}

/* Element `at` of the plane equation that source 0 begins, in all lanes. */
static LLVMValueRef plane(struct jit_gen *g, const struct jit_inst *in, uint32_t at,
                          uint32_t n)
{
    struct jit_lanes s = in->src[0];

    for (uint32_t i = 0; i < n; i++)
        s.at[i] = in->src[0].at[0] + 4 * (int32_t)at;
    return read_lanes(g, in, &s, 0, n);
}

/* Source 1 is pairs of registers: eight u, then eight v. */
static LLVMValueRef coordinates(struct jit_gen *g, const struct jit_inst *in,
                                uint32_t second, uint32_t first, uint32_t n)
{
    struct jit_lanes s = in->src[1];

    for (uint32_t i = first; i < first + n; i++)
        s.at[i] = in->src[1].at[0] +
                  (int32_t)((i / 8 * 2 + second) * ISA_GRF_BYTES + i % 8 * 4);
    return read_lanes(g, in, &s, first, n);
}

/* As pln() in emu_vector.c. */
static LLVMValueRef on_plane(struct jit_gen *g, const struct jit_inst *in,
                             uint32_t first, uint32_t n)
{
    LLVMValueRef v = jit_fused(g, plane(g, in, 0, n), coordinates(g, in, 0, first, n),
                               plane(g, in, 3, n));

    return jit_fused(g, plane(g, in, 1, n), coordinates(g, in, 1, first, n),
                     flush(g, v));
}

/* As lrp() there. */
static LLVMValueRef mix(struct jit_gen *g, const LLVMValueRef s[3])
{
    LLVMValueRef v = LLVMBuildFSub(g->b, jit_constant(s[0], 1), s[0], "");

    v = LLVMBuildFMul(g->b, flush(g, v), s[2], "");
    return jit_fused(g, s[0], s[1], flush(g, v));
}

/* As fraction() in emu_alu_float.c; of an infinity it is a NaN. */
static LLVMValueRef fraction(struct jit_gen *g, LLVMValueRef x)
{
    LLVMValueRef f = LLVMBuildFSub(g->b, x, jit_round_to(g, "llvm.floor", x), ""), over;

    over = LLVMBuildFCmp(g->b, LLVMRealOGE, f, jit_constant(f, 1), "");
    return LLVMBuildSelect(g->b, over, jit_constant(f, 0x1.fffffep-1), f, "");
}

/* Denormals of the type that is stored are flushed. */
static LLVMValueRef result(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef v)
{
    return in->dst.type == ISA_TYPE_F ? flush(g, v) : v;
}

LLVMValueRef jit_zero_off(struct jit_gen *g, LLVMValueRef v, LLVMValueRef mask)
{
    return LLVMBuildSelect(g->b, mask, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* Zero in lanes that are off, of what hosts are slow with: whatever such lanes hold,
 * half of them integers, denormals take an x86 host 150 cycles. Sums do not. */
static LLVMValueRef quiet(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef v,
                          LLVMValueRef mask)
{
    uint32_t op = in->inst->op;
    bool slow =
        op == ISA_OP_MUL || op == ISA_OP_MAD || op == ISA_OP_LRP || op == ISA_OP_MATH;

    return mask == NULL || !slow ? v : jit_zero_off(g, v, mask);
}

static LLVMValueRef compute(struct jit_gen *g, const struct jit_inst *in,
                            uint32_t first, uint32_t n, LLVMValueRef mask)
{
    LLVMValueRef s[ISA_MAX_SRC] = {NULL, NULL, NULL};

    if (in->inst->op == ISA_OP_PLN)
        return result(g, in, on_plane(g, in, first, n));
    for (uint32_t k = 0; k < in->nsrc; k++)
        s[k] = quiet(g, in, operand(g, in, k, first, n), mask);
    switch (in->inst->op) {
    case ISA_OP_ADD:
        return result(g, in, LLVMBuildFAdd(g->b, s[0], s[1], ""));
    case ISA_OP_MUL:
        return result(g, in, LLVMBuildFMul(g->b, s[0], s[1], ""));
    case ISA_OP_MAD:
        return result(g, in, jit_fused(g, s[1], s[2], s[0]));
    case ISA_OP_LRP:
        return result(g, in, mix(g, s));
    case ISA_OP_MATH:
        return result(g, in, jit_math(g, in->inst->math, s, mask));
    case ISA_OP_FRC:
        return fraction(g, s[0]);
    case ISA_OP_RNDD:
        return jit_round_to(g, "llvm.floor", s[0]);
    case ISA_OP_RNDU:
        return jit_round_to(g, "llvm.ceil", s[0]);
    case ISA_OP_RNDZ:
        return jit_round_to(g, "llvm.trunc", s[0]);
    case ISA_OP_RNDE:
        return jit_round_to(g, "llvm.rint", s[0]);
    case ISA_OP_SEL:
        if (in->inst->pred == ISA_PRED_NONE)
            return least_or_most(g, in, s[0], s[1]);
        return LLVMBuildSelect(g->b, jit_to_mask(g, jit_predicate(g, in), first, n),
                               s[0], s[1], "");
    default:
        return s[0];
    }
}

/* To [0, 1], NaN to 0. */
static LLVMValueRef saturate(struct jit_gen *g, LLVMValueRef v)
{
    LLVMValueRef zero = jit_constant(v, 0), one = jit_constant(v, 1);
    LLVMValueRef above = LLVMBuildFCmp(g->b, LLVMRealOGT, v, zero, "");
    LLVMValueRef beyond = LLVMBuildFCmp(g->b, LLVMRealOGT, v, one, "");

    v = LLVMBuildSelect(g->b, beyond, one, v, "");
    return LLVMBuildSelect(g->b, above, v, zero, "");
}

static LLVMRealPredicate relation(uint32_t cmod)
{
    static const LLVMRealPredicate by_cmod[] = {
        [ISA_CMOD_EQ] = LLVMRealOEQ, [ISA_CMOD_NE] = LLVMRealUNE,
        [ISA_CMOD_GT] = LLVMRealOGT, [ISA_CMOD_GE] = LLVMRealOGE,
        [ISA_CMOD_LT] = LLVMRealOLT, [ISA_CMOD_LE] = LLVMRealOLE,
        [ISA_CMOD_UN] = LLVMRealUNO,
    };

    return by_cmod[cmod];
}

LLVMValueRef jit_float_compare(struct jit_gen *g, const struct jit_inst *in,
                               uint32_t first, uint32_t n)
{
    LLVMValueRef a = operand(g, in, 0, first, n), b = operand(g, in, 1, first, n);
    LLVMValueRef holds = LLVMBuildFCmp(g->b, relation(in->inst->cmod), a, b, "");

    g->needs_mode = true;
    if (in->inst->op == ISA_OP_CMPN)
        holds =
            LLVMBuildOr(g->b, holds, LLVMBuildFCmp(g->b, LLVMRealUNO, b, b, ""), "");
    return holds;
}

/* In the destination's type; integers saturate, NaN gives 0. */
static LLVMValueRef to_stored(struct jit_gen *g, const struct jit_inst *in,
                              LLVMValueRef v)
{
    uint32_t from = domain_type(in), to = in->dst.type, n = jit_width(v);
    LLVMTypeRef types[2];

    if (to == from)
        return v;
    if (is_float(&in->dst)) {
        types[0] = jit_vector(scalar_type(g, to), n);
        return to == ISA_TYPE_DF ? LLVMBuildFPExt(g->b, v, types[0], "")
                                 : LLVMBuildFPTrunc(g->b, v, types[0], "");
    }
    types[0] = jit_vector(jit_int_type(g, size_of(&in->dst)), n);
    types[1] = LLVMTypeOf(v);
    return jit_intrinsic(g,
                         isa_type_is_signed((enum isa_type)to) ? "llvm.fptosi.sat"
                                                               : "llvm.fptoui.sat",
                         types, 2, &v, 1);
}

LLVMValueRef jit_float_result(struct jit_gen *g, const struct jit_inst *in,
                              uint32_t first, uint32_t n, LLVMValueRef mask,
                              LLVMValueRef *tested)
{
    uint32_t op = in->inst->op;
    bool sums = op == ISA_OP_ADD || op == ISA_OP_MUL || op == ISA_OP_MAD;
    bool tests = in->inst->cmod != ISA_CMOD_NONE && op != ISA_OP_SEL;
    LLVMValueRef v = compute(g, in, first, n, mask);

    g->needs_mode = true;
    *tested = NULL;
    if (tests) {
        jit_no_nan(g, v, mask);
        *tested =
            LLVMBuildFCmp(g->b, relation(in->inst->cmod), v, jit_constant(v, 0), "");
    } else if (!in->inst->saturate && is_float(&in->dst)) {
        *tested = v; /* a NaN's bits matter only where they are stored */
        if (sums && mask == NULL && n == JIT_CHUNK && in->dst.type == ISA_TYPE_F)
            seen_by_result(g, in, first);
    }
    if (in->inst->saturate && is_float(&in->dst))
        v = saturate(g, v);
    return to_stored(g, in, v);
}
