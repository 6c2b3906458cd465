/* jit_value.c - vectors: their types, shuffles, masks. */
#include "jit_int.h"

#include <string.h>

LLVMTypeRef jit_int_type(const struct jit_gen *g, uint32_t bytes)
{
    return bytes == 1 ? g->i8 : bytes == 2 ? g->i16 : bytes == 4 ? g->i32 : g->i64;
}

LLVMTypeRef jit_vector(LLVMTypeRef scalar, uint32_t n)
{
    return LLVMVectorType(scalar, n);
}

uint32_t jit_width(LLVMValueRef v)
{
    return LLVMGetVectorSize(LLVMTypeOf(v));
}

LLVMValueRef jit_splat(struct jit_gen *g, LLVMValueRef scalar, uint32_t n)
{
    LLVMTypeRef type = jit_vector(LLVMTypeOf(scalar), n);
    LLVMValueRef one =
        LLVMBuildInsertElement(g->b, LLVMGetUndef(type), scalar, jit_u32(g, 0), "");

    return LLVMBuildShuffleVector(g->b, one, LLVMGetUndef(type),
                                  LLVMConstNull(jit_vector(g->i32, n)), "");
}

LLVMValueRef jit_splat_int(struct jit_gen *g, LLVMTypeRef scalar, uint64_t x,
                           uint32_t n)
{
    LLVMValueRef each[ISA_MAX_SIMD];

    (void)g;
    for (uint32_t i = 0; i < n; i++)
        each[i] = LLVMConstInt(scalar, x, 0);
    return LLVMConstVector(each, n);
}

LLVMValueRef jit_shuffle(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b,
                         const int32_t *index, uint32_t n)
{
    LLVMValueRef each[64];

    for (uint32_t i = 0; i < n; i++)
        each[i] = index[i] < 0 ? LLVMGetUndef(g->i32) : jit_u32(g, (uint32_t)index[i]);
    return LLVMBuildShuffleVector(g->b, a, b ? b : LLVMGetUndef(LLVMTypeOf(a)),
                                  LLVMConstVector(each, n), "");
}

LLVMValueRef jit_cast(struct jit_gen *g, LLVMValueRef v, LLVMTypeRef type)
{
    return LLVMTypeOf(v) == type ? v : LLVMBuildBitCast(g->b, v, type, "");
}

/* By a comparison: integers cast to vectors of bits LLVM takes apart bit by bit, where
 * the host has no registers of masks. */
LLVMValueRef jit_to_mask(struct jit_gen *g, LLVMValueRef bits, uint32_t first,
                         uint32_t n)
{
    LLVMValueRef each[ISA_MAX_SIMD], lanes;

    for (uint32_t i = 0; i < n; i++)
        each[i] = jit_u32(g, (uint32_t)1 << (first + i));
    lanes = LLVMBuildAnd(g->b, jit_splat(g, bits, n), LLVMConstVector(each, n), "");
    return LLVMBuildICmp(g->b, LLVMIntEQ, lanes, LLVMConstVector(each, n), "");
}

LLVMValueRef jit_to_bits(struct jit_gen *g, LLVMValueRef mask)
{
    uint32_t n = jit_width(mask);
    LLVMValueRef bits =
        LLVMBuildBitCast(g->b, mask, LLVMIntTypeInContext(g->context, n), "");

    return n < 32 ? LLVMBuildZExt(g->b, bits, g->i32, "") : bits;
}

LLVMValueRef jit_intrinsic(struct jit_gen *g, const char *name, LLVMTypeRef *types,
                           uint32_t count, LLVMValueRef *args, uint32_t nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, id, types, count);
    LLVMTypeRef type = LLVMIntrinsicGetType(g->context, id, types, count);

    return LLVMBuildCall2(g->b, type, function, args, nargs, "");
}

LLVMValueRef jit_constant(LLVMValueRef like, double x)
{
    LLVMValueRef each[ISA_MAX_SIMD];
    uint32_t n = jit_width(like);

    for (uint32_t i = 0; i < n; i++)
        each[i] = LLVMConstReal(LLVMGetElementType(LLVMTypeOf(like)), x);
    return LLVMConstVector(each, n);
}

LLVMValueRef jit_round_to(struct jit_gen *g, const char *name, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return jit_intrinsic(g, name, &type, 1, &v, 1);
}

LLVMValueRef jit_fused(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b,
                       LLVMValueRef c)
{
    LLVMValueRef args[] = {a, b, c};
    LLVMTypeRef type = LLVMTypeOf(a);

    return jit_intrinsic(g, "llvm.fma", &type, 1, args, 3);
}

LLVMValueRef jit_popcount(struct jit_gen *g, LLVMValueRef bits)
{
    return jit_intrinsic(g, "llvm.ctpop", &g->i32, 1, &bits, 1);
}

bool jit_is(LLVMValueRef v, uint64_t x)
{
    return LLVMIsAConstantInt(v) != NULL && LLVMConstIntGetZExtValue(v) == x;
}
