/* jit_start.c - a thread's begin: what its registers hold at first are values until its
 * first segment ends. Before that nothing counts, so where the segment is left the
 * emulator begins the thread. */
#include "jit_int.h"

#define AT(member) offsetof(struct jit_start, member)

/* What a word of the thread is then, if that is known. */
static uint32_t first_word(const struct jit_birth *b, uint32_t at)
{
    for (uint32_t i = 0; i < JIT_BIRTH_WORDS; i++)
        if (b->word[i].at == at)
            return b->word[i].value;
    return 0;
}

static LLVMValueRef filled(const struct jit_gen *g, uint8_t fill)
{
    LLVMValueRef each[ISA_GRF_BYTES];

    for (uint32_t i = 0; i < ISA_GRF_BYTES; i++)
        each[i] = LLVMConstInt(g->i8, fill, 0);
    return LLVMConstBitCast(LLVMConstVector(each, ISA_GRF_BYTES), g->reg);
}

static LLVMValueRef header(struct jit_gen *g)
{
    static const uint8_t word[JIT_HEADER] = JIT_HEADER_WORDS;
    LLVMValueRef r0 = LLVMConstNull(g->reg);

    for (uint32_t i = 0; i < JIT_HEADER; i++)
        r0 = LLVMBuildInsertElement(g->b, r0,
                                    jit_load(g, g->start, AT(header) + 4 * i, g->i32),
                                    jit_u32(g, word[i]), "");
    return r0;
}

/* Others are what the thread before left. */
bool jit_has_first(const struct jit_gen *g, uint32_t index)
{
    const struct jit_birth *b = &g->k->birth;

    return index >= ISA_GRF_COUNT ? b->has_acc : b->reads[index / 64] >> index % 64 & 1;
}

LLVMValueRef jit_first_reg(struct jit_gen *g, uint32_t index)
{
    const struct jit_birth *b = &g->k->birth;
    LLVMValueRef v;

    if (index == 0)
        return header(g);
    if (index >= b->row)
        return filled(g, b->fill);
    v = jit_load(g, g->row, (uint64_t)index * ISA_GRF_BYTES, g->reg);
    LLVMSetVolatile(v, 1); /* as in jit_reg() */
    return v;
}

void jit_first_regs(struct jit_gen *g, const uint64_t live[2])
{
    const struct jit_birth *b = &g->k->birth;

    for (uint32_t i = 0; i < JIT_REGS; i++) {
        bool wanted = i >= ISA_GRF_COUNT || (live[i / 64] >> i % 64 & 1);

        if (g->r[i].now == NULL && wanted && jit_has_first(g, i)) {
            g->r[i].now = jit_first_reg(g, i);
            g->r[i].dirty = true;
        }
    }
    for (uint32_t i = 0; i < JIT_PRODUCTS && b->has_acc; i++)
        if (g->product[i] == NULL)
            jit_set_product(g, i, LLVMConstNull(jit_vector(g->i64, JIT_CHUNK)));
}

/* What is 0, with the words that are not, as vectors. */
static void clear(struct jit_gen *g)
{
    const struct jit_birth *b = &g->k->birth;

    for (uint32_t at = 0; at < b->zero_bytes; at += ISA_GRF_BYTES) {
        LLVMValueRef each[JIT_REG_DWORDS];
        uint32_t n = (b->zero_bytes - at) / 4;

        n = n < JIT_REG_DWORDS ? n : JIT_REG_DWORDS;
        for (uint32_t i = 0; i < n; i++)
            each[i] = jit_u32(g, first_word(b, b->zero + at + 4 * i));
        jit_store(g, g->thread, b->zero + at, LLVMConstVector(each, n));
    }
}

bool jit_start(struct jit_gen *g)
{
    const struct jit_birth *b = &g->k->birth;
    const struct jit_layout *l = &g->k->layout;

    if (!b->inlined)
        return false;
    clear(g);
    jit_store(g, g->thread, l->number, jit_load(g, g->start, AT(number), g->i64));
    jit_store(g, g->thread, l->state, jit_load(g, g->start, AT(state), g->i32));
    g->row = jit_load(g, g->start, AT(row), g->ptr);
    g->fresh = g->uncounted = g->begins = true;
    g->plain = first_word(b, l->mode) == l->plain_mode;
    return true;
}

bool jit_is_first(const struct jit_gen *g, uint32_t at, uint32_t value)
{
    return g->fresh && first_word(&g->k->birth, at) == value;
}
