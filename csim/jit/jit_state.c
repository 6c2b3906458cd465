/* jit_state.c - the thread: registers and flags as values, what is odd, what is
 * counted.
 */
#include "jit_int.h"

#include "igpu/bits.h"

#include <string.h>

/* ---- memory and calls ----------------------------------------------------- */

LLVMValueRef jit_pointer(const struct jit_gen *g, const void *p)
{
    return LLVMConstIntToPtr(jit_u64(g, (uint64_t)(uintptr_t)p), g->ptr);
}

LLVMValueRef jit_place_of(struct jit_gen *g, LLVMValueRef base, uint64_t offset,
                          LLVMTypeRef type)
{
    LLVMValueRef by = jit_u64(g, offset);

    return jit_cast(g, LLVMBuildGEP2(g->b, g->i8, base, &by, 1, ""),
                    LLVMPointerType(type, 0));
}

/* Vectors of the thread lie as the registers do: at any multiple of four bytes. */
LLVMValueRef jit_load(struct jit_gen *g, LLVMValueRef base, uint64_t offset,
                      LLVMTypeRef type)
{
    LLVMValueRef v =
        LLVMBuildLoad2(g->b, type, jit_place_of(g, base, offset, type), "");

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        LLVMSetAlignment(v, 4);
    return v;
}

void jit_store(struct jit_gen *g, LLVMValueRef base, uint64_t offset, LLVMValueRef v)
{
    LLVMValueRef to = jit_place_of(g, base, offset, LLVMTypeOf(v));
    LLVMValueRef store = LLVMBuildStore(g->b, v, to);

    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
        LLVMSetAlignment(store, 4);
}

LLVMValueRef jit_entry(struct jit_gen *g, uint32_t index)
{
    LLVMValueRef table = jit_load(g, g->machine, g->k->layout.m_table, g->ptr);

    return jit_load(g, table, (uint64_t)index * sizeof(void *), g->ptr);
}

LLVMValueRef jit_op(struct jit_gen *g, const struct jit_inst *in)
{
    return jit_entry(g, JIT_CALL_INST + 2 * (uint32_t)(in - g->k->inst));
}

LLVMValueRef jit_call(struct jit_gen *g, uint32_t index, LLVMTypeRef result,
                      LLVMValueRef *args, uint32_t nargs)
{
    LLVMTypeRef types[8];
    LLVMTypeRef type;
    LLVMValueRef at;

    for (uint32_t i = 0; i < nargs && i < 8; i++)
        types[i] = LLVMTypeOf(args[i]);
    type = LLVMFunctionType(result, types, nargs, 0);
    at = LLVMBuildBitCast(g->b, jit_entry(g, index), LLVMPointerType(type, 0), "");
    return LLVMBuildCall2(g->b, type, at, args, nargs, "");
}

LLVMBasicBlockRef jit_block(struct jit_gen *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->context, g->function, name);
}

void jit_at(struct jit_gen *g, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(g->b, block);
}

void jit_branch_if(struct jit_gen *g, LLVMValueRef cond, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no)
{
    LLVMBuildCondBr(g->b, cond, yes, no);
}

/* ---- segments -------------------------------------------------------------- */

void jit_begin(struct jit_gen *g, uint32_t index)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);

    g->first = index;
    g->odd = g->odd_bits = g->macro_odd = NULL;
    g->needs_mode = false;
    g->tallies = 0;
    g->instructions = 0;
    g->lanes = g->flops = jit_u64(g, 0);
    g->log = NULL;
    g->told = g->sends = g->most = 0;
    g->bail = jit_block(g, "bail");
    jit_at(g, g->bail);
    if (g->fresh) {
        LLVMBuildRet(g->b, LLVMConstInt(g->i8, JIT_UNBEGUN, 0));
    } else {
        jit_store(g, g->thread, g->k->layout.at, jit_u32(g, index));
        LLVMBuildBr(g->b, g->leave);
    }
    jit_at(g, here);
}

void jit_forget(struct jit_gen *g)
{
    for (uint32_t i = 0; i < JIT_REGS; i++)
        g->r[i] = (struct jit_reg){NULL, false, NULL, NULL};
    for (uint32_t i = 0; i < 2; i++) {
        g->flag[i] = NULL;
        g->flag_dirty[i] = false;
    }
    for (uint32_t i = 0; i < JIT_PRODUCTS; i++) {
        g->product[i] = NULL;
        g->product_dirty[i] = false;
    }
    memset(g->mme, 0, sizeof(g->mme));
    g->plain = false;
}

void jit_bail_if(struct jit_gen *g, LLVMValueRef bad)
{
    LLVMBasicBlockRef good = jit_block(g, "");

    jit_branch_if(g, bad, g->bail, good);
    jit_at(g, good);
}

static LLVMValueRef either(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b)
{
    return a == NULL ? b : LLVMBuildOr(g->b, a, b, "");
}

void jit_make_odd(struct jit_gen *g, LLVMValueRef lanes)
{
    if (jit_width(lanes) == JIT_CHUNK) {
        LLVMValueRef wide = LLVMBuildSExt(g->b, lanes, g->reg, "");

        g->odd = either(g, g->odd, wide);
    } else {
        jit_make_odd_bits(g, jit_to_bits(g, lanes));
    }
}

void jit_make_odd_bits(struct jit_gen *g, LLVMValueRef bits)
{
    g->odd_bits = either(g, g->odd_bits, bits);
}

void jit_macro_odd(struct jit_gen *g, LLVMValueRef lanes)
{
    LLVMTypeRef type = jit_vector(g->i64, JIT_MACRO_LANES);

    g->macro_odd = either(g, g->macro_odd, LLVMBuildSExt(g->b, lanes, type, ""));
}

void jit_no_nan(struct jit_gen *g, LLVMValueRef v, LLVMValueRef mask)
{
    LLVMValueRef nan = LLVMBuildFCmp(g->b, LLVMRealUNO, v, v, "");

    jit_make_odd(g, mask ? LLVMBuildAnd(g->b, nan, mask, "") : nan);
}

static void look_at_unseen(struct jit_gen *g, struct jit_reg *r)
{
    if (r->unseen != NULL)
        jit_no_nan(g, r->unseen, NULL);
    r->unseen = NULL;
}

void jit_check(struct jit_gen *g)
{
    LLVMValueRef bad = NULL;

    for (uint32_t i = 0; i < JIT_REGS; i++)
        look_at_unseen(g, &g->r[i]);
    if (g->needs_mode && !g->plain) {
        LLVMValueRef mode = jit_load(g, g->thread, g->k->layout.mode, g->i32);

        LLVMSetAlignment(mode, 1);
        bad = LLVMBuildICmp(g->b, LLVMIntNE, mode, jit_u32(g, g->k->layout.plain_mode),
                            "");
    }
    if (g->odd != NULL) {
        LLVMValueRef below =
            LLVMBuildICmp(g->b, LLVMIntSLT, g->odd, LLVMConstNull(g->reg), "");
        LLVMValueRef bits = LLVMBuildBitCast(g->b, below, g->i8, "");

        bad = either(g, bad,
                     LLVMBuildICmp(g->b, LLVMIntNE, bits, LLVMConstNull(g->i8), ""));
    }
    if (g->macro_odd != NULL) {
        LLVMValueRef below = LLVMBuildICmp(g->b, LLVMIntSLT, g->macro_odd,
                                           LLVMConstNull(LLVMTypeOf(g->macro_odd)), "");

        bad = either(g, bad,
                     LLVMBuildICmp(g->b, LLVMIntNE, jit_to_bits(g, below),
                                   LLVMConstNull(g->i32), ""));
    }
    if (g->odd_bits != NULL)
        bad = either(
            g, bad,
            LLVMBuildICmp(g->b, LLVMIntNE, g->odd_bits, LLVMConstNull(g->i32), ""));
    if (bad != NULL)
        jit_bail_if(g, bad);
    g->odd = g->odd_bits = g->macro_odd = NULL;
    g->needs_mode = false;
}

static void state_add(struct jit_gen *g, uint32_t offset, LLVMValueRef more)
{
    LLVMValueRef old;

    if (!g->uncounted) {
        old = jit_load(g, g->thread, offset, g->i64);
        more = LLVMBuildAdd(g->b, old, more, "");
    }
    jit_store(g, g->thread, offset, more);
}

/* Lanes counted so far become two sums. */
static void fold(struct jit_gen *g)
{
    for (uint32_t i = 0; i < g->tallies; i++) {
        const struct jit_tally *t = &g->tally[i];
        LLVMValueRef n = LLVMBuildZExt(g->b, jit_popcount(g, t->mask), g->i64, "");
        LLVMValueRef flops = LLVMBuildMul(g->b, n, jit_u64(g, t->flops), "");

        n = LLVMBuildMul(g->b, n, jit_u64(g, t->lanes), "");
        g->lanes = LLVMBuildAdd(g->b, g->lanes, n, "");
        g->flops = LLVMBuildAdd(g->b, g->flops, flops, "");
    }
    g->tallies = 0;
}

static void add_counts(struct jit_gen *g)
{
    if (g->instructions == 0)
        return;
    fold(g);
    state_add(g, g->k->layout.instructions, jit_u64(g, g->instructions));
    state_add(g, g->k->layout.lanes, g->lanes);
    if (!jit_is(g->flops, 0))
        state_add(g, g->k->layout.flops, g->flops);
    g->instructions = 0;
    g->lanes = g->flops = jit_u64(g, 0);
    g->uncounted = false;
}

static void write_back(struct jit_gen *g)
{
    uint64_t live[2];

    jit_live(g, live);
    if (g->fresh)
        jit_first_regs(g, live);
    g->fresh = false;
    for (uint32_t i = 0; i < JIT_REGS; i++) {
        bool is_live = i >= ISA_GRF_COUNT || (live[i / 64] >> i % 64 & 1);

        if (g->r[i].dirty && is_live)
            jit_store(g, g->thread, g->k->layout.registers + i * ISA_GRF_BYTES,
                      g->r[i].now);
        g->r[i].dirty = false;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (g->flag_dirty[i])
            jit_store(g, g->thread, g->k->layout.flag + 4 * i, g->flag[i]);
        g->flag_dirty[i] = false;
    }
    for (uint32_t i = 0; i < JIT_PRODUCTS; i++) {
        if (g->product_dirty[i])
            jit_store(g, g->thread, g->k->layout.products + 8 * JIT_CHUNK * i,
                      g->product[i]);
        g->product_dirty[i] = false;
    }
    jit_macros_back(g);
}

/* Its head, as now is known what it has. */
static void end_group(struct jit_gen *g)
{
    uint32_t words = (g->told - g->group) / 8 - 1;

    if (g->most != 0)
        jit_store(g, g->log, g->group,
                  jit_u64(g, told_head(TOLD_GROUP, g->most, g->sends, words)));
    g->sends = g->most = 0;
}

struct jit_told jit_tell(struct jit_gen *g, uint32_t most, uint32_t lanes)
{
    struct jit_told at;

    if (g->log == NULL)
        g->log = jit_load(g, g->machine, g->k->layout.m_log, g->ptr);
    if (g->sends == g->most)
        end_group(g);
    if (g->most == 0) {
        g->most = most;
        g->group = g->told;
        g->told += 8 * (1 + 2 * most);
    }
    at.group = g->group;
    at.head = g->group + 8 * (1 + g->sends);
    at.address = at.head + 8 * g->most;
    at.lanes = g->told;
    g->sends++;
    g->told += 8 * lanes;
    return at;
}

/* Whatever was told of the segment has happened now. */
static void keep_told(struct jit_gen *g)
{
    LLVMValueRef by = jit_u64(g, g->told);

    end_group(g);
    if (g->log != NULL)
        jit_store(g, g->machine, g->k->layout.m_log,
                  LLVMBuildGEP2(g->b, g->i8, g->log, &by, 1, ""));
    g->log = NULL;
    g->told = 0;
}

void jit_end(struct jit_gen *g)
{
    jit_check(g);
    write_back(g);
    add_counts(g);
    keep_told(g);
}

void jit_count(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef mask)
{
    uint32_t i = 0;

    g->instructions++;
    while (i < g->tallies && g->tally[i].mask != mask)
        i++;
    if (i == JIT_TALLIES) {
        fold(g);
        i = 0;
    }
    if (i == g->tallies)
        g->tally[g->tallies++] = (struct jit_tally){mask, 0, 0};
    g->tally[i].lanes++;
    g->tally[i].flops += in->flops;
}

/* ---- registers -------------------------------------------------------------- */

LLVMValueRef jit_reg(struct jit_gen *g, uint32_t index)
{
    struct jit_reg *r = &g->r[index];

    if (r->now != NULL)
        return r->now;
    if (g->fresh && jit_has_first(g, index)) {
        r->dirty = true;
        return r->now = jit_first_reg(g, index);
    }
    r->now =
        jit_load(g, g->thread, g->k->layout.registers + index * ISA_GRF_BYTES, g->reg);
    /* LLVM 14 takes half of a vector whose lanes are extended as they are loaded for
     * what lies there (AVX2: vbroadcasti128); it lets volatile loads be. */
    LLVMSetVolatile(r->now, 1);
    return r->now;
}

void jit_set_reg(struct jit_gen *g, uint32_t index, LLVMValueRef v)
{
    look_at_unseen(g, &g->r[index]);
    g->r[index].now = v;
    g->r[index].dirty = true;
}

LLVMValueRef jit_product(struct jit_gen *g, uint32_t chunk)
{
    if (g->product[chunk] == NULL && g->fresh) {
        jit_set_product(g, chunk, LLVMConstNull(jit_vector(g->i64, JIT_CHUNK)));
    } else if (g->product[chunk] == NULL) {
        g->product[chunk] =
            jit_load(g, g->thread, g->k->layout.products + 8 * JIT_CHUNK * chunk,
                     jit_vector(g->i64, JIT_CHUNK));
        LLVMSetVolatile(g->product[chunk], 1); /* as in jit_reg() */
    }
    return g->product[chunk];
}

void jit_set_product(struct jit_gen *g, uint32_t chunk, LLVMValueRef v)
{
    g->product[chunk] = v;
    g->product_dirty[chunk] = true;
}

LLVMValueRef jit_flag(struct jit_gen *g, uint32_t reg)
{
    if (g->flag[reg] == NULL && g->fresh)
        g->flag[reg] = jit_u32(g, 0);
    if (g->flag[reg] == NULL)
        g->flag[reg] = jit_load(g, g->thread, g->k->layout.flag + 4 * reg, g->i32);
    return g->flag[reg];
}

void jit_set_flag(struct jit_gen *g, uint32_t reg, LLVMValueRef v)
{
    g->flag[reg] = v;
    g->flag_dirty[reg] = true;
}

/* ---- lanes ------------------------------------------------------------------- */

/* Lanes first.. of registers: at most two of them a shuffle. */
static LLVMValueRef gather(struct jit_gen *g, const struct jit_lanes *s, uint32_t first,
                           uint32_t n)
{
    uint32_t size = isa_type_bytes((enum isa_type)s->type),
             count = ISA_GRF_BYTES / size;
    LLVMTypeRef type = jit_vector(jit_int_type(g, size), count);
    uint32_t reg[2] = {0, 0}, regs = 0;
    int32_t index[ISA_MAX_SIMD];

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)s->at[first + i] - g->k->layout.registers;
        uint32_t r = at / ISA_GRF_BYTES, k = 0;

        while (k < regs && reg[k] != r)
            k++;
        if (k == 2) { /* too many: two halves */
            LLVMValueRef low = gather(g, s, first, n / 2);
            LLVMValueRef high = gather(g, s, first + n / 2, n - n / 2);

            for (uint32_t j = 0; j < n; j++)
                index[j] = (int32_t)j;
            return jit_shuffle(g, low, high, index, n);
        }
        if (k == regs)
            reg[regs++] = r;
        index[i] = (int32_t)(k * count + at % ISA_GRF_BYTES / size);
    }
    return jit_shuffle(g, jit_cast(g, jit_reg(g, reg[0]), type),
                       regs > 1 ? jit_cast(g, jit_reg(g, reg[1]), type) : NULL, index,
                       n);
}

static LLVMValueRef read_flag(struct jit_gen *g, const struct jit_lanes *s)
{
    uint32_t at = (uint32_t)s->at[0] - g->k->layout.flag;
    uint32_t size = isa_type_bytes((enum isa_type)s->type);
    LLVMValueRef v =
        LLVMBuildLShr(g->b, jit_flag(g, at / 4), jit_u32(g, at % 4 * 8), "");

    if (size < 4)
        v = LLVMBuildTrunc(g->b, v, jit_int_type(g, size), "");
    return jit_splat(g, v, 1);
}

LLVMValueRef jit_read(struct jit_gen *g, const struct jit_lanes *s, uint32_t first,
                      uint32_t n)
{
    LLVMValueRef each[ISA_MAX_SIMD];

    if (s->where == JIT_FLAG)
        return read_flag(g, s);
    if (s->where == JIT_REGISTERS)
        return gather(g, s, first, n);
    for (uint32_t i = 0; i < n; i++)
        each[i] = LLVMConstInt(jit_int_type(g, isa_type_bytes((enum isa_type)s->type)),
                               s->bits[first + i], 0);
    return LLVMConstVector(each, n);
}

static void write_flag(struct jit_gen *g, const struct jit_lanes *d, LLVMValueRef v)
{
    uint32_t at = (uint32_t)d->at[0] - g->k->layout.flag;
    uint32_t size = isa_type_bytes((enum isa_type)d->type), shift = at % 4 * 8;
    uint32_t ones = igpu_low_bits(8 * size) << shift;
    LLVMValueRef x = LLVMBuildExtractElement(g->b, v, jit_u32(g, 0), "");
    LLVMValueRef old = LLVMBuildAnd(g->b, jit_flag(g, at / 4), jit_u32(g, ~ones), "");

    x = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, x, g->i32, ""), jit_u32(g, shift), "");
    jit_set_flag(g, at / 4, LLVMBuildOr(g->b, old, x, ""));
}

/* Lanes into register r: those of v that lie in it. */
static void write_reg(struct jit_gen *g, const struct jit_lanes *d, uint32_t first,
                      uint32_t n, LLVMValueRef v, uint32_t r)
{
    uint32_t size = isa_type_bytes((enum isa_type)d->type),
             count = ISA_GRF_BYTES / size;
    LLVMTypeRef type = jit_vector(jit_int_type(g, size), count);
    int32_t index[ISA_GRF_BYTES], wide[ISA_GRF_BYTES];
    LLVMValueRef all;
    bool whole = true;

    for (uint32_t i = 0; i < count; i++) {
        index[i] = (int32_t)i;
        wide[i] = -1;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)d->at[first + i] - g->k->layout.registers;
        uint32_t e = at % ISA_GRF_BYTES / size;

        if (at / ISA_GRF_BYTES != r)
            continue;
        wide[e] = (int32_t)i;
        index[e] = (int32_t)(count + e);
    }
    for (uint32_t i = 0; i < count; i++)
        whole &= wide[i] >= 0;
    all = jit_shuffle(g, v, NULL, wide, count);
    if (!whole)
        all = jit_shuffle(g, jit_cast(g, jit_reg(g, r), type), all, index, count);
    jit_set_reg(g, r, jit_cast(g, all, g->reg));
}

void jit_write(struct jit_gen *g, const struct jit_lanes *d, uint32_t first, uint32_t n,
               LLVMValueRef v, LLVMValueRef mask)
{
    uint32_t done = UINT32_MAX;

    if (d->where == JIT_NOWHERE)
        return;
    if (mask != NULL)
        v = LLVMBuildSelect(g->b, mask, v, jit_read(g, d, first, n), "");
    if (d->where == JIT_FLAG) {
        write_flag(g, d, v);
        return;
    }
    for (uint32_t i = 0; i < n; i++) { /* registers ascend */
        uint32_t r =
            ((uint32_t)d->at[first + i] - g->k->layout.registers) / ISA_GRF_BYTES;

        if (r != done)
            write_reg(g, d, first, n, v, r);
        done = r;
    }
}

/* ---- predicates --------------------------------------------------------------- */

/* Lanes of each group of `width` for which any bit is set. */
static LLVMValueRef any_of(struct jit_gen *g, LLVMValueRef bits, uint32_t width)
{
    uint32_t lowest = 0, ones = igpu_low_bits(width);

    for (uint32_t i = 0; i < 32; i += width)
        lowest |= 1u << i;
    for (uint32_t s = 1; s < width; s *= 2)
        bits =
            LLVMBuildOr(g->b, bits, LLVMBuildLShr(g->b, bits, jit_u32(g, s), ""), "");
    bits = LLVMBuildAnd(g->b, bits, jit_u32(g, lowest), "");
    return LLVMBuildMul(g->b, bits, jit_u32(g, ones), "");
}

LLVMValueRef jit_predicate(struct jit_gen *g, const struct jit_inst *in)
{
    LLVMValueRef bits = jit_flag(g, in->flag_reg);
    uint32_t pred = in->inst->pred;

    if (pred == ISA_PRED_ANYV)
        bits = LLVMBuildOr(g->b, jit_flag(g, 0), jit_flag(g, 1), "");
    if (pred == ISA_PRED_ALLV)
        bits = LLVMBuildAnd(g->b, jit_flag(g, 0), jit_flag(g, 1), "");
    if (pred >= ISA_PRED_ANY2H && pred <= ISA_PRED_ALL32H) {
        uint32_t k = pred - ISA_PRED_ANY2H;
        bool all = k & 1;

        if (all)
            bits = LLVMBuildNot(g->b, bits, "");
        bits = any_of(g, bits, 2u << k / 2);
        if (all)
            bits = LLVMBuildNot(g->b, bits, "");
    }
    bits = LLVMBuildLShr(g->b, bits, jit_u32(g, in->flag_shift), "");
    if (in->inst->pred_inverse)
        bits = LLVMBuildNot(g->b, bits, "");
    return LLVMBuildAnd(g->b, bits, jit_u32(g, in->full), "");
}

LLVMValueRef jit_enabled(struct jit_gen *g, const struct jit_inst *in)
{
    uint32_t chan = in->inst->chan_offset;
    uint32_t size = (uint32_t)__builtin_ctz(in->inst->exec_size);
    LLVMValueRef mask = jit_u32(g, in->full);

    if (!in->inst->no_mask) {
        mask = g->enabled[chan / 4][size];
        if (mask == NULL)
            mask =
                LLVMBuildAnd(g->b, LLVMBuildLShr(g->b, g->active, jit_u32(g, chan), ""),
                             jit_u32(g, in->full), "");
        g->enabled[chan / 4][size] = mask;
    }
    if (in->pred_on)
        mask = LLVMBuildAnd(g->b, mask, jit_predicate(g, in), "");
    return mask;
}
