/* jit_alu.c - integer instructions, moves, selections and comparisons. The emulator
 * computes integers in 64 bits (emu_alu_int.c); here in as few as give the same. */
#include "jit_int.h"

enum { MAX_CHUNKS = ISA_MAX_SIMD / JIT_CHUNK };

static uint32_t size_of(const struct jit_lanes *l)
{
    return isa_type_bytes((enum isa_type)l->type);
}

static bool is_float(const struct jit_lanes *l)
{
    return isa_type_is_float((enum isa_type)l->type);
}

static bool is_signed(const struct jit_lanes *l)
{
    return isa_type_is_signed((enum isa_type)l->type);
}

static bool is_logic(uint32_t op)
{
    return op == ISA_OP_AND || op == ISA_OP_OR || op == ISA_OP_XOR || op == ISA_OP_NOT;
}

static bool is_shift(uint32_t op)
{
    return op == ISA_OP_SHL || op == ISA_OP_SHR || op == ISA_OP_ASR;
}

static bool is_cmp(uint32_t op)
{
    return op == ISA_OP_CMP || op == ISA_OP_CMPN;
}

/* ---- what is legal ----------------------------------------------------------- */

static bool any_mod(const struct jit_inst *in)
{
    bool any = false;

    for (uint32_t k = 0; k < in->nsrc; k++)
        any |= in->src[k].mod != ISA_MOD_NONE;
    return any;
}

static bool any_wide(const struct jit_inst *in)
{
    bool any = size_of(&in->dst) == 8;

    for (uint32_t k = 0; k < in->nsrc; k++)
        any |= size_of(&in->src[k]) == 8;
    return any;
}

/* Comparisons of what 64 bits hold, with a sign or without. */
static bool orders(const struct jit_inst *in)
{
    if (in->nsrc != 2)
        return false;
    if (size_of(&in->src[0]) < 8 && size_of(&in->src[1]) < 8)
        return true;
    return !any_mod(in) && is_signed(&in->src[0]) == is_signed(&in->src[1]);
}

static bool shifts(const struct jit_inst *in)
{
    const struct jit_lanes *s = &in->src[0];

    if (in->nsrc != 2 || (any_wide(in) && size_of(s) < 8))
        return false;
    return size_of(s) < 8 || s->mod == ISA_MOD_NONE;
}

/* A move of an integer to a float: exactly rounded by the host. */
static bool converts(const struct jit_inst *in)
{
    const struct jit_lanes *s = &in->src[0];

    return in->inst->op == ISA_OP_MOV && in->inst->cmod == ISA_CMOD_NONE &&
           size_of(s) <= 4 && (s->mod == ISA_MOD_NONE || size_of(s) < 4) &&
           (in->dst.type == ISA_TYPE_F || in->dst.type == ISA_TYPE_DF);
}

/* mul to acc0, and mach, which goes on with what that left there. */
static bool multiplies(const struct jit_inst *in)
{
    bool twice = in->inst->op == ISA_OP_MACH && in->inst->dst.file == ISA_FILE_ACC;

    return in->nsrc == 2 && in->inst->exec_size >= JIT_CHUNK && !is_float(&in->dst) &&
           !in->inst->saturate && in->inst->cmod == ISA_CMOD_NONE && !any_wide(in) &&
           !twice;
}

static bool int_is_inline(const struct jit_inst *in)
{
    uint32_t op = in->inst->op;
    bool to_float = is_float(&in->dst) && !in->raw;

    if (in->product)
        return multiplies(in);

    if (is_cmp(op))
        return in->inst->cmod >= ISA_CMOD_EQ && in->inst->cmod <= ISA_CMOD_LE &&
               orders(in);
    if (in->inst->saturate || in->inst->cmod > ISA_CMOD_LE)
        return false;
    if (to_float)
        return converts(in);
    switch (op) {
    case ISA_OP_MOV:
    case ISA_OP_NOT:
        return in->nsrc == 1;
    case ISA_OP_ADD:
    case ISA_OP_MUL:
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
        return in->nsrc == 2;
    case ISA_OP_MAD:
        return in->nsrc == 3;
    case ISA_OP_SHL:
        return in->nsrc == 2;
    case ISA_OP_SHR:
    case ISA_OP_ASR:
        return shifts(in);
    case ISA_OP_SEL:
        if (in->nsrc != 2)
            return false;
        return in->inst->pred != ISA_PRED_NONE || (orders(in) && !any_wide(in));
    default:
        return false;
    }
}

bool jit_is_inline(const struct jit_gen *g, const struct jit_inst *in)
{
    bool where = in->dst.where == JIT_NOWHERE || in->dst.where == JIT_REGISTERS ||
                 (in->dst.where == JIT_FLAG && in->inst->exec_size == 1);

    if (!in->ordinary || in->nsrc == 0 || size_of(&in->dst) == 0)
        return false;
    for (uint32_t k = 0; k < in->nsrc; k++)
        where &= in->src[k].where == JIT_VALUE || in->src[k].where == JIT_REGISTERS ||
                 (in->src[k].where == JIT_FLAG && in->inst->exec_size == 1);
    if (!where || (is_cmp(in->inst->op) && in->inst->saturate))
        return false;
    if (jit_is_macro(in))
        return jit_macro_is_inline(g, in);
    return in->domain == JIT_INT ? int_is_inline(in) : jit_float_is_inline(g, in);
}

/* ---- integers ------------------------------------------------------------------ */

/* v as source k's modifiers make it. */
static LLVMValueRef modify(struct jit_gen *g, const struct jit_inst *in, uint32_t k,
                           LLVMValueRef v)
{
    const struct jit_lanes *s = &in->src[k];
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));

    if (s->mod == ISA_MOD_NONE)
        return v;
    if (is_logic(in->inst->op))
        return LLVMBuildNot(g->b, v, "");
    if ((s->mod & ISA_MOD_ABS) && is_signed(s))
        v = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, v, zero, ""),
                            LLVMBuildNeg(g->b, v, ""), v, "");
    return s->mod & ISA_MOD_NEG ? LLVMBuildNeg(g->b, v, "") : v;
}

/* Lanes of source k with `bytes`, extended by their own sign, then modified. */
static LLVMValueRef operand(struct jit_gen *g, const struct jit_inst *in, uint32_t k,
                            uint32_t first, uint32_t n, uint32_t bytes)
{
    const struct jit_lanes *s = &in->src[k];
    LLVMTypeRef type = jit_vector(jit_int_type(g, bytes), n);
    LLVMValueRef v = jit_read(g, s, first, n);

    if (size_of(s) < bytes)
        v = is_signed(s) && !is_float(s) ? LLVMBuildSExt(g->b, v, type, "")
                                         : LLVMBuildZExt(g->b, v, type, "");
    v = modify(g, in, k, v);
    return size_of(s) > bytes ? LLVMBuildTrunc(g->b, v, type, "") : v;
}

/* Bytes in which two sources compare as their values do. */
static uint32_t order_bytes(const struct jit_inst *in)
{
    uint32_t a = size_of(&in->src[0]), b = size_of(&in->src[1]);

    if (a == 8 || b == 8)
        return 8;
    if (a < 4 && b < 4)
        return 4;
    return any_mod(in) || is_signed(&in->src[0]) != is_signed(&in->src[1]) ? 8 : 4;
}

static LLVMIntPredicate int_relation(uint32_t cmod, bool with_sign)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return LLVMIntEQ;
    case ISA_CMOD_NE:
        return LLVMIntNE;
    case ISA_CMOD_GT:
        return with_sign ? LLVMIntSGT : LLVMIntUGT;
    case ISA_CMOD_GE:
        return with_sign ? LLVMIntSGE : LLVMIntUGE;
    case ISA_CMOD_LT:
        return with_sign ? LLVMIntSLT : LLVMIntULT;
    default:
        return with_sign ? LLVMIntSLE : LLVMIntULE;
    }
}

/* Unsigned where both are and no bit is free for the sign. */
static LLVMValueRef compare_as(struct jit_gen *g, const struct jit_inst *in,
                               uint32_t cmod, LLVMValueRef a, LLVMValueRef b)
{
    bool with_sign = is_signed(&in->src[0]) || is_signed(&in->src[1]) || any_mod(in);

    return LLVMBuildICmp(g->b, int_relation(cmod, with_sign), a, b, "");
}

static LLVMValueRef compare(struct jit_gen *g, const struct jit_inst *in,
                            uint32_t first, uint32_t n)
{
    uint32_t bytes = order_bytes(in);

    return compare_as(g, in, in->inst->cmod, operand(g, in, 0, first, n, bytes),
                      operand(g, in, 1, first, n, bytes));
}

static LLVMValueRef shift(struct jit_gen *g, const struct jit_inst *in, uint32_t first,
                          uint32_t n)
{
    const struct jit_lanes *s = &in->src[0];
    uint32_t op = in->inst->op;
    bool wide = in->is64 || size_of(s) == 8 || (op == ISA_OP_ASR && s->mod);
    uint32_t bytes = wide ? 8 : 4;
    LLVMTypeRef scalar = jit_int_type(g, bytes);
    LLVMValueRef a = operand(g, in, 0, first, n, bytes);
    LLVMValueRef by = LLVMBuildAnd(g->b, operand(g, in, 1, first, n, bytes),
                                   jit_splat_int(g, scalar, in->is64 ? 63 : 31, n), "");

    if (op == ISA_OP_SHL)
        return LLVMBuildShl(g->b, a, by, "");
    if (op == ISA_OP_ASR)
        return is_signed(s) || s->mod ? LLVMBuildAShr(g->b, a, by, "")
                                      : LLVMBuildLShr(g->b, a, by, "");
    if (size_of(s) < bytes) /* zeros come in at its own width */
        a = LLVMBuildAnd(
            g->b, a, jit_splat_int(g, scalar, ((uint64_t)1 << 8 * size_of(s)) - 1, n),
            "");
    return LLVMBuildLShr(g->b, a, by, "");
}

static LLVMValueRef least_or_most(struct jit_gen *g, const struct jit_inst *in,
                                  uint32_t first, uint32_t n)
{
    uint32_t bytes = order_bytes(in), cmod = in->inst->cmod;
    LLVMValueRef a = operand(g, in, 0, first, n, bytes);
    LLVMValueRef b = operand(g, in, 1, first, n, bytes);
    bool least = cmod == ISA_CMOD_LT || cmod == ISA_CMOD_LE;

    return LLVMBuildSelect(
        g->b, compare_as(g, in, least ? ISA_CMOD_LT : ISA_CMOD_GE, a, b), a, b, "");
}

static LLVMValueRef to_float(struct jit_gen *g, const struct jit_inst *in,
                             uint32_t first, uint32_t n)
{
    const struct jit_lanes *s = &in->src[0];
    bool with_sign = is_signed(s) || s->mod;
    LLVMValueRef v = operand(g, in, 0, first, n, 4);
    LLVMTypeRef type =
        jit_vector(in->dst.type == ISA_TYPE_F ? LLVMFloatTypeInContext(g->context)
                                              : LLVMDoubleTypeInContext(g->context),
                   n);

    g->needs_mode = true;
    return with_sign ? LLVMBuildSIToFP(g->b, v, type, "")
                     : LLVMBuildUIToFP(g->b, v, type, "");
}

static LLVMValueRef arithmetic(struct jit_gen *g, const struct jit_inst *in,
                               uint32_t first, uint32_t n)
{
    uint32_t bytes = size_of(&in->dst) == 8 || in->product ? 8 : 4, op = in->inst->op;
    LLVMValueRef a = operand(g, in, 0, first, n, bytes), b, c;

    if (op == ISA_OP_MOV)
        return a;
    if (op == ISA_OP_NOT)
        return LLVMBuildNot(g->b, a, "");
    b = operand(g, in, 1, first, n, bytes);
    switch (op) {
    case ISA_OP_ADD:
        return LLVMBuildAdd(g->b, a, b, "");
    case ISA_OP_MUL:
        return LLVMBuildMul(g->b, a, b, "");
    case ISA_OP_AND:
        return LLVMBuildAnd(g->b, a, b, "");
    case ISA_OP_OR:
        return LLVMBuildOr(g->b, a, b, "");
    case ISA_OP_XOR:
        return LLVMBuildXor(g->b, a, b, "");
    default: /* mad */
        c = operand(g, in, 2, first, n, bytes);
        return LLVMBuildAdd(g->b, LLVMBuildMul(g->b, b, c, ""), a, "");
    }
}

/* acc0 + a * (b without its low 16 bits). */
static LLVMValueRef multiply_high(struct jit_gen *g, const struct jit_inst *in,
                                  uint32_t first, uint32_t n)
{
    LLVMValueRef high = jit_splat_int(g, g->i64, ~UINT64_C(0xFFFF), n);
    LLVMValueRef a = operand(g, in, 0, first, n, 8);
    LLVMValueRef b = LLVMBuildAnd(g->b, operand(g, in, 1, first, n, 8), high, "");

    return LLVMBuildAdd(g->b, jit_product(g, first / n), LLVMBuildMul(g->b, a, b, ""),
                        "");
}

/* sel by predicate: `chosen`, <n x i1>. */
static LLVMValueRef choose(struct jit_gen *g, const struct jit_inst *in, uint32_t first,
                           uint32_t n, LLVMValueRef chosen)
{
    uint32_t bytes = size_of(&in->dst) == 8 ? 8 : 4;

    return LLVMBuildSelect(g->b, chosen, operand(g, in, 0, first, n, bytes),
                           operand(g, in, 1, first, n, bytes), "");
}

static LLVMValueRef int_result(struct jit_gen *g, const struct jit_inst *in,
                               uint32_t first, uint32_t n, LLVMValueRef pred)
{
    uint32_t op = in->inst->op;

    if (is_float(&in->dst) && !in->raw)
        return to_float(g, in, first, n);
    if (op == ISA_OP_SEL)
        return pred != NULL ? choose(g, in, first, n, jit_to_mask(g, pred, first, n))
                            : least_or_most(g, in, first, n);
    return is_shift(op) ? shift(g, in, first, n) : arithmetic(g, in, first, n);
}

/* ---- results ------------------------------------------------------------------- */

/* Integer lanes cut to the destination's size; floats as their bits. */
static LLVMValueRef as_stored(struct jit_gen *g, const struct jit_inst *in,
                              LLVMValueRef v)
{
    uint32_t n = jit_width(v), size = size_of(&in->dst);
    LLVMTypeRef type = jit_vector(jit_int_type(g, size), n);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));

    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return jit_cast(g, v, type);
    if (LLVMGetIntTypeWidth(element) > 8 * size)
        return LLVMBuildTrunc(g->b, v, type, "");
    return v;
}

/* Lanes of the result that stand in the instruction's relation to zero. */
static LLVMValueRef test(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef v)
{
    return LLVMBuildICmp(g->b, int_relation(in->inst->cmod, is_signed(&in->dst)), v,
                         LLVMConstNull(LLVMTypeOf(v)), "");
}

static LLVMValueRef fill(struct jit_gen *g, const struct jit_inst *in,
                         LLVMValueRef bits)
{
    return LLVMBuildSExt(
        g->b, bits, jit_vector(jit_int_type(g, size_of(&in->dst)), jit_width(bits)),
        "");
}

void jit_set_flags(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef mask,
                   LLVMValueRef bits)
{
    LLVMValueRef by = jit_u32(g, in->flag_shift), old = jit_flag(g, in->flag_reg);
    LLVMValueRef to = LLVMBuildShl(g->b, mask, by, "");

    old = LLVMBuildAnd(g->b, old, LLVMBuildNot(g->b, to, ""), "");
    bits = LLVMBuildAnd(g->b, LLVMBuildShl(g->b, bits, by, ""), to, "");
    jit_set_flag(g, in->flag_reg, LLVMBuildOr(g->b, old, bits, ""));
}

struct chunk {
    LLVMValueRef value, mask; /* as stored; <n x i1> or NULL: all */
    LLVMValueRef unseen;      /* a float that nobody has looked at */
    LLVMValueRef product;     /* what it leaves in acc0; NULL: nothing */
};

/* mul's and mach's result of 64 bits, of which the destination gets a half. */
static void product_chunk(struct jit_gen *g, const struct jit_inst *in, uint32_t first,
                          uint32_t n, struct chunk *c)
{
    bool high = in->inst->op == ISA_OP_MACH;
    LLVMValueRef v, by = jit_splat_int(g, g->i64, 32, n);

    v = high ? multiply_high(g, in, first, n) : arithmetic(g, in, first, n);
    c->product = v;
    c->value = as_stored(g, in, high ? LLVMBuildLShr(g->b, v, by, "") : v);
}

/* Also into the accumulators that can be seen, which a mul has for its destination. */
static void keep_product(struct jit_gen *g, const struct jit_inst *in, uint32_t first,
                         uint32_t n, const struct chunk *c)
{
    struct jit_lanes acc = {.where = JIT_REGISTERS, .type = ISA_TYPE_UD};
    LLVMValueRef v = c->product;
    LLVMTypeRef type = jit_vector(g->i32, n);

    if (c->mask != NULL)
        v = LLVMBuildSelect(g->b, c->mask, v, jit_product(g, first / n), "");
    jit_set_product(g, first / n, v);
    for (uint32_t i = first; i < first + n; i++)
        acc.at[i] =
            (int32_t)(g->k->layout.registers + ISA_GRF_COUNT * ISA_GRF_BYTES + i * 4);
    if (in->inst->op == ISA_OP_MACH)
        jit_write(g, &acc, first, n, LLVMBuildTrunc(g->b, c->product, type, ""),
                  c->mask);
}

static LLVMValueRef one_chunk(struct jit_gen *g, const struct jit_inst *in,
                              uint32_t first, uint32_t n, LLVMValueRef pred,
                              struct chunk *c)
{
    LLVMValueRef bits = NULL, v, tested = NULL;

    if (is_cmp(in->inst->op)) {
        bits = in->domain == JIT_INT ? compare(g, in, first, n)
                                     : jit_float_compare(g, in, first, n);
        c->value = in->dst.where != JIT_NOWHERE ? fill(g, in, bits) : NULL;
        return bits;
    }
    if (in->domain != JIT_INT) {
        v = jit_float_result(g, in, first, n, c->mask, &tested);
        c->unseen = tested;
        if (in->inst->cmod != ISA_CMOD_NONE && in->inst->op != ISA_OP_SEL)
            bits = c->unseen, c->unseen = NULL;
        c->value = as_stored(g, in, v);
        return bits;
    }
    if (in->product) {
        product_chunk(g, in, first, n, c);
        return NULL;
    }
    c->value = as_stored(g, in, int_result(g, in, first, n, pred));
    if (in->inst->cmod != ISA_CMOD_NONE && in->inst->op != ISA_OP_SEL)
        bits = test(g, in, c->value);
    return bits;
}

/* A float result that fills a register is looked at later: what computes with it is a
 * NaN too if it is one. */
static void store_chunk(struct jit_gen *g, const struct jit_inst *in, uint32_t first,
                        uint32_t n, struct chunk *c)
{
    uint32_t before = (uint32_t)in->dst.at[first] - g->k->layout.registers;
    bool whole = c->mask == NULL && n == JIT_CHUNK && in->dst.where == JIT_REGISTERS &&
                 size_of(&in->dst) == 4 && before % ISA_GRF_BYTES == 0 &&
                 in->dst.at[first + 1] == in->dst.at[first] + 4;

    bool flushed = g->k->flushes && in->domain == JIT_F32 && n == JIT_CHUNK &&
                   in->dst.type == ISA_TYPE_F && !is_cmp(in->inst->op) &&
                   in->dst.where == JIT_REGISTERS && before % ISA_GRF_BYTES == 0 &&
                   in->dst.at[first + 1] == in->dst.at[first] + 4;
    struct jit_reg *r = flushed ? &g->r[before / ISA_GRF_BYTES] : NULL;

    flushed = flushed && (c->mask == NULL || jit_reg_is_flushed(r));
    if (c->value != NULL)
        jit_write(g, &in->dst, first, n, c->value, c->mask);
    if (flushed)
        r->flushed = r->now;
    if (c->product != NULL)
        keep_product(g, in, first, n, c);
    if (c->unseen != NULL && whole)
        g->r[before / ISA_GRF_BYTES].unseen = c->unseen;
    else if (c->unseen != NULL)
        jit_no_nan(g, c->unseen, c->mask);
}

bool jit_alu(struct jit_gen *g, const struct jit_inst *in)
{
    uint32_t exec = in->inst->exec_size, n = exec < JIT_CHUNK ? exec : JIT_CHUNK;
    LLVMValueRef mask = jit_enabled(g, in), pred = NULL, flags = NULL;
    bool all = jit_is(mask, in->full);
    struct chunk chunk[MAX_CHUNKS] = {{NULL, NULL, NULL, NULL}};

    if (jit_is_macro(in)) {
        jit_macro(g, in);
        return true;
    }
    if (in->inst->op == ISA_OP_SEL && in->inst->pred != ISA_PRED_NONE)
        pred = jit_predicate(g, in);
    jit_count(g, in, mask);
    for (uint32_t first = 0; first < exec; first += n) { /* all is read.. */
        struct chunk *c = &chunk[first / n];
        LLVMValueRef bits;

        if (!all)
            c->mask = jit_to_mask(g, mask, first, n);
        bits = one_chunk(g, in, first, n, pred, c);
        if (bits != NULL) {
            bits = LLVMBuildShl(g->b, jit_to_bits(g, bits), jit_u32(g, first), "");
            flags = flags ? LLVMBuildOr(g->b, flags, bits, "") : bits;
        }
    }
    if (flags != NULL)
        jit_set_flags(g, in, mask, flags);
    for (uint32_t first = 0; first < exec; first += n) /* ..before any is written */
        store_chunk(g, in, first, n, &chunk[first / n]);
    return true;
}
