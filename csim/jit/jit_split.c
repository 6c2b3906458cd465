/* jit_split.c - lanes part, and meet: those with the lowest pc go on, as emu_branch.c
 * and emu_flow.c have it. */
#include "jit_int.h"

/* Of all lanes of these chunks. */
static LLVMValueRef lowest(struct jit_gen *g, const LLVMValueRef *v, uint32_t chunks)
{
    LLVMTypeRef type = LLVMTypeOf(v[0]);
    LLVMValueRef low = v[0];

    for (uint32_t c = 1; c < chunks; c++) {
        LLVMValueRef both[] = {low, v[c]};

        low = jit_intrinsic(g, "llvm.umin", &type, 1, both, 2);
    }
    return jit_intrinsic(g, "llvm.vector.reduce.umin", &type, 1, &low, 1);
}

/* Eight lanes' places, from c on: those that wait now are written. */
static LLVMValueRef places_of(struct jit_gen *g, uint32_t c)
{
    uint64_t at = g->k->layout.pc + 4 * (uint64_t)c;
    LLVMValueRef t = LLVMGetParam(g->split, 0), pc;

    pc = jit_load(g, t, at, jit_vector(g->i32, JIT_CHUNK));
    for (uint32_t k = 1; k < 5; k += 2)
        pc = LLVMBuildSelect(
            g->b, jit_to_mask(g, LLVMGetParam(g->split, k), c, JIT_CHUNK),
            jit_splat(g, LLVMGetParam(g->split, k + 1), JIT_CHUNK), pc, "");
    jit_store(g, t, at, pc);
    return pc;
}

/* void split(thread, there, target, here, next): lanes `there` wait at target, lanes
 * `here` at next, then those with the lowest pc become active. In chunks: LLVM takes
 * masks of more lanes than a vector of the host has apart bit by bit. */
void jit_make_split(struct jit_gen *g)
{
    LLVMTypeRef args[] = {g->ptr, g->i32, g->i32, g->i32, g->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), args, 5, 0);
    const struct jit_layout *l = &g->k->layout;
    uint32_t chunks = g->k->simd / JIT_CHUNK;
    LLVMValueRef t, v[ISA_MAX_SIMD / JIT_CHUNK] = {NULL}, lanes = jit_u32(g, 0), low,
                                     live;
    LLVMValueRef none = jit_splat_int(g, g->i32, UINT32_MAX, JIT_CHUNK);

    g->split = LLVMAddFunction(g->module, "split", type);
    LLVMSetLinkage(g->split, LLVMInternalLinkage);
    jit_at(g, LLVMAppendBasicBlockInContext(g->context, g->split, "entry"));
    t = LLVMGetParam(g->split, 0);
    live = jit_load(g, t, l->live, g->i32);
    for (uint32_t c = 0; c < chunks; c++) {
        LLVMValueRef on = jit_to_mask(g, live, c * JIT_CHUNK, JIT_CHUNK);

        v[c] = LLVMBuildSelect(g->b, on, places_of(g, c * JIT_CHUNK), none, "");
    }
    low = lowest(g, v, chunks);
    for (uint32_t c = 0; c < chunks; c++) {
        LLVMValueRef here = LLVMBuildICmp(g->b, LLVMIntEQ, v[c],
                                          jit_splat(g, low, JIT_CHUNK), ""),
                     bits;

        bits = LLVMBuildShl(g->b, jit_to_bits(g, here), jit_u32(g, c * JIT_CHUNK), "");
        lanes = LLVMBuildOr(g->b, lanes, bits, "");
        v[c] = LLVMBuildSelect(g->b, here, none, v[c], "");
    }
    jit_store(g, t, l->at, low);
    jit_store(g, t, l->active, lanes);
    jit_store(g, t, l->next_pc, lowest(g, v, chunks));
    LLVMBuildRetVoid(g->b);
}

void jit_call_split(struct jit_gen *g, LLVMValueRef there, uint32_t target,
                    LLVMValueRef here, uint32_t next)
{
    LLVMValueRef args[] = {g->thread, there, jit_u32(g, target), here,
                           jit_u32(g, next)};

    LLVMBuildCall2(g->b, LLVMGetElementType(LLVMTypeOf(g->split)), g->split, args, 5,
                   "");
}

void jit_split(struct jit_gen *g, LLVMValueRef there, uint32_t target,
               LLVMValueRef here, uint32_t next)
{
    jit_call_split(g, there, target, here, next);
    LLVMBuildBr(g->b, g->dispatch);
}
