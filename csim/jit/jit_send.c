/* jit_send.c - reads and writes with an address a lane: the place of a send's last
 * memory is kept; whoever is outside it asks the emulator, and then leaves. Lanes in a
 * row are vectors of memory, lanes at one address a scalar. */
#include "jit_int.h"

#include <string.h>

enum {
    PLACE_HOST = 0,
    PLACE_LOW = 8,
    PLACE_BYTES = 16,
    PLACE_ADDRESS = 24,
    PLACE_LIMIT = 32,
    PLACE_SIZE = 40
};
enum { MAX_SEND_CHUNKS = 2, MAX_PARTS = 4 };

struct send {
    const struct jit_inst *in;
    const struct isa_message *msg;
    uint32_t n, chunks;               /* lanes of a chunk; chunks */
    uint32_t size;                    /* bytes of an element in memory */
    uint32_t parts[MAX_PARTS], count; /* elements from the lane's address on */
    uint32_t slot;                    /* bytes of an element in registers */
    uint32_t bytes;       /* from the lane's address to the end of its last */
    uint32_t shift;       /* offsets count so much */
    bool write, wide;     /* wide: offsets of 64 bits */
    uint32_t index;       /* of the instruction */
    struct jit_told told; /* where in the log it is */
    LLVMValueRef mask;    /* i32 */
    bool all;             /* it is the constant of all lanes */
    LLVMValueRef place;   /* i8 *: struct jit_place */
    LLVMValueRef offset[MAX_SEND_CHUNKS];
    LLVMValueRef host, low, limit;                 /* as the check had them */
    LLVMValueRef data[MAX_PARTS][MAX_SEND_CHUNKS]; /* <n x slot> */
};

static bool is_scattered(const struct isa_message *msg)
{
    return msg->family == ISA_MSG_SCATTERED_READ ||
           msg->family == ISA_MSG_SCATTERED_WRITE;
}

bool jit_send_is_inline(const struct jit_inst *in)
{
    const struct isa_message *msg = &in->inst->msg;
    bool lanes = is_scattered(msg) || msg->family == ISA_MSG_UNTYPED_READ ||
                 msg->family == ISA_MSG_UNTYPED_WRITE;
    bool where = msg->addr_model == ISA_ADDR_BTI || msg->addr_model == ISA_ADDR_SLM ||
                 msg->addr_model == ISA_ADDR_A64;

    if (!lanes || !where || !in->ordinary || msg->desc_reg || msg->exdesc_reg ||
        (msg->simd != 8 && msg->simd != 16) || in->inst->exec_size < msg->simd)
        return false;
    if (is_scattered(msg) && msg->element_bytes == 1)
        return msg->elements == 1 || msg->elements == 2 || msg->elements == 4;
    return msg->elements >= 1 && msg->elements <= MAX_PARTS;
}

/* ---- what it is --------------------------------------------------------------------
 */

static void send_describe(struct jit_gen *g, const struct jit_inst *in, struct send *s)
{
    const struct isa_message *msg = &in->inst->msg;
    uint32_t parts = msg->comp_mask;

    *s = (struct send){.in = in, .msg = msg, .n = JIT_CHUNK, .slot = 4};
    s->chunks = msg->simd / JIT_CHUNK;
    s->write =
        msg->family == ISA_MSG_UNTYPED_WRITE || msg->family == ISA_MSG_SCATTERED_WRITE;
    s->wide = msg->addr_model == ISA_ADDR_A64;
    s->size = 4;
    if (is_scattered(msg) && msg->element_bytes == 1) {
        s->size = msg->elements;
        parts = 1;
    } else if (is_scattered(msg)) {
        s->size = s->slot = msg->element_bytes;
        parts = (1u << msg->elements) - 1;
        s->shift = s->size == 4 && !s->wide ? 2 : 0;
    }
    for (uint32_t c = 0; parts >> c != 0; c++)
        if (parts >> c & 1) {
            s->parts[s->count++] = c;
            s->bytes = (c + 1) * s->size;
        }
    s->mask =
        LLVMBuildAnd(g->b, jit_enabled(g, in), jit_u32(g, (1u << msg->simd) - 1), "");
    s->all = jit_is(s->mask, (1u << msg->simd) - 1);
}

/* Register k of the payload: source 0, then source 1. */
static uint32_t payload(const struct isa_inst *inst, uint32_t k)
{
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;

    return split && k >= inst->msg.mlen ? inst->src[1].reg + k - inst->msg.mlen
                                        : inst->src[0].reg + k;
}

/* n lanes of `bytes` each that fill registers from `reg` on. */
static LLVMValueRef registers(struct jit_gen *g, const uint32_t *reg, uint32_t n,
                              uint32_t bytes)
{
    static const int32_t ascending[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                        8, 9, 10, 11, 12, 13, 14, 15};
    LLVMValueRef v = jit_reg(g, reg[0]);

    if (bytes == 8)
        v = jit_shuffle(g, v, jit_reg(g, reg[1]), ascending, 16);
    return jit_cast(g, v, jit_vector(jit_int_type(g, bytes), n));
}

static void read_payload(struct jit_gen *g, struct send *s)
{
    const struct isa_inst *inst = s->in->inst;
    uint32_t k = s->msg->header, each = s->wide ? 2 : 1;

    for (uint32_t c = 0; c < s->chunks; c++, k += each) {
        uint32_t reg[2] = {payload(inst, k), each > 1 ? payload(inst, k + 1) : 0};

        s->offset[c] = registers(g, reg, s->n, s->wide ? 8 : 4);
        if (s->shift != 0) {
            LLVMTypeRef type = jit_vector(g->i64, s->n);

            s->offset[c] =
                LLVMBuildShl(g->b, LLVMBuildZExt(g->b, s->offset[c], type, ""),
                             jit_splat_int(g, g->i64, s->shift, s->n), "");
        }
    }
    each = s->slot / 4;
    for (uint32_t p = 0; s->write && p < s->count; p++)
        for (uint32_t c = 0; c < s->chunks; c++, k += each) {
            uint32_t reg[2] = {payload(inst, k), each > 1 ? payload(inst, k + 1) : 0};

            s->data[p][c] = registers(g, reg, s->n, s->slot);
            if (s->size < 4)
                s->data[p][c] =
                    LLVMBuildTrunc(g->b, s->data[p][c],
                                   jit_vector(jit_int_type(g, s->size), s->n), "");
        }
    if (s->shift != 0)
        s->wide = true;
}

/* ---- is it in its place? -------------------------------------------------------- */

/* Offsets from where the place begins that are inside are below: of so many bytes. */
static LLVMValueRef limit_of(struct jit_gen *g, const struct send *s, LLVMValueRef size)
{
    LLVMTypeRef type = LLVMTypeOf(size);
    LLVMValueRef args[] = {size, LLVMConstInt(type, s->bytes - 1, 0)};

    return jit_intrinsic(g, "llvm.usub.sat", &type, 1, args, 2);
}

static void load_place(struct jit_gen *g, struct send *s)
{
    LLVMTypeRef type = s->wide ? g->i64 : g->i32;

    if (s->msg->addr_model == ISA_ADDR_SLM) {
        s->host = jit_load(g, g->machine, g->k->layout.m_slm, g->ptr);
        s->low = jit_u64(g, 0);
        s->limit =
            limit_of(g, s, jit_load(g, g->machine, g->k->layout.m_slm_bytes, g->i32));
        s->limit = LLVMBuildZExt(g->b, s->limit, type, "");
    } else {
        s->host = jit_load(g, s->place, PLACE_HOST, g->ptr);
        s->low = jit_load(g, s->place, PLACE_LOW, g->i64);
        s->limit = jit_load(g, s->place, PLACE_LIMIT, type);
    }
}

/* A new place's limit; what offsets of 32 bits can not say is outside. */
static void store_limit(struct jit_gen *g, const struct send *s)
{
    LLVMValueRef limit = limit_of(g, s, jit_load(g, s->place, PLACE_BYTES, g->i64));
    LLVMValueRef most = jit_u64(g, UINT32_MAX), over;

    if (!s->wide) {
        over = LLVMBuildICmp(g->b, LLVMIntUGT, limit, most, "");
        limit = LLVMBuildSelect(g->b, over, most, limit, "");
    }
    jit_store(g, s->place, PLACE_LIMIT, limit);
}

/* Lanes of chunk c that are outside. */
static LLVMValueRef chunk_outside(struct jit_gen *g, const struct send *s, uint32_t c)
{
    LLVMValueRef at = s->offset[c];

    if (s->wide)
        at = LLVMBuildSub(g->b, at, jit_splat(g, s->low, s->n), "");
    return LLVMBuildICmp(g->b, LLVMIntUGE, at, jit_splat(g, s->limit, s->n), "");
}

/* i1: a lane that is on is outside. */
static LLVMValueRef outside(struct jit_gen *g, const struct send *s)
{
    LLVMValueRef any = NULL;

    for (uint32_t c = 0; c < s->chunks; c++) {
        LLVMValueRef bad = chunk_outside(g, s, c);

        if (!s->all)
            bad = LLVMBuildShl(g->b, jit_to_bits(g, bad), jit_u32(g, c * s->n), "");
        any = any ? LLVMBuildOr(g->b, any, bad, "") : bad;
    }
    any = s->all ? jit_to_bits(g, any) : LLVMBuildAnd(g->b, any, s->mask, "");
    return LLVMBuildICmp(g->b, LLVMIntNE, any, jit_u32(g, 0), "");
}

/* The offset of the first lane that is on, for the emulator to find memory by. */
static LLVMValueRef some_offset(struct jit_gen *g, struct send *s)
{
    LLVMValueRef args[] = {s->mask, LLVMConstNull(g->i1)};
    LLVMValueRef lane = jit_intrinsic(g, "llvm.cttz", &g->i32, 1, args, 2), v;
    LLVMValueRef low = LLVMBuildAnd(g->b, lane, jit_u32(g, s->n - 1), "");

    v = LLVMBuildExtractElement(g->b, s->offset[0], low, "");
    if (s->chunks > 1)
        v = LLVMBuildSelect(
            g->b, LLVMBuildICmp(g->b, LLVMIntULT, lane, jit_u32(g, s->n), ""), v,
            LLVMBuildExtractElement(g->b, s->offset[1], low, ""), "");
    return LLVMBuildZExt(g->b, v, g->i64, "");
}

/* Goes on where all lanes that are on are in the place, which may be a new one. */
static void find_place(struct jit_gen *g, struct send *s)
{
    LLVMBasicBlockRef go, ask, look;
    LLVMValueRef bad, none, args[4];

    if (s->msg->addr_model == ISA_ADDR_SLM) {
        load_place(g, s);
        jit_bail_if(g, outside(g, s));
        return;
    }
    go = jit_block(g, "inside");
    ask = jit_block(g, "ask");
    look = jit_block(g, "look");
    s->place = jit_place_of(g, g->places, (uint64_t)g->place_count * PLACE_SIZE, g->i8);
    g->place_count++;
    load_place(g, s);
    jit_branch_if(g, outside(g, s), ask, go);
    jit_at(g, ask);
    args[0] = g->thread;
    args[1] = jit_op(g, s->in);
    args[2] = s->place;
    args[3] = some_offset(g, s);
    bad = LLVMBuildICmp(g->b, LLVMIntNE, s->mask, jit_u32(g, 0), "");
    args[3] = LLVMBuildSelect(g->b, bad, args[3], jit_u64(g, 0), "");
    none = jit_call(g, JIT_CALL_PLACE, g->i8, args, 4);
    jit_branch_if(g, LLVMBuildICmp(g->b, LLVMIntNE, none, LLVMConstNull(g->i8), ""),
                  look, g->bail);
    jit_at(g, look);
    store_limit(g, s);
    load_place(g, s);
    jit_branch_if(g, outside(g, s), g->bail, go);
    jit_at(g, go);
    load_place(g, s);
}

/* ---- memory --------------------------------------------------------------------- */

static LLVMValueRef at_offset(struct jit_gen *g, struct send *s, LLVMValueRef offset)
{
    if (s->wide)
        offset = LLVMBuildSub(g->b, offset, s->low, "");
    else
        offset = LLVMBuildZExt(g->b, offset, g->i64, "");
    return LLVMBuildGEP2(g->b, g->i8, s->host, &offset, 1, "");
}

/* i1: all offsets are the first one's and `pitch` more from lane to lane. */
static LLVMValueRef in_a_row(struct jit_gen *g, struct send *s, LLVMValueRef first,
                             uint32_t pitch)
{
    LLVMTypeRef scalar = s->wide ? g->i64 : g->i32;
    LLVMValueRef base = jit_splat(g, first, s->n), differ = NULL, each[JIT_CHUNK];
    LLVMTypeRef type = jit_vector(scalar, s->n);
    LLVMValueRef bits;

    for (uint32_t c = 0; c < s->chunks; c++) {
        LLVMValueRef d = LLVMBuildSub(g->b, s->offset[c], base, "");

        for (uint32_t i = 0; i < s->n; i++)
            each[i] = LLVMConstInt(scalar, (uint64_t)(c * s->n + i) * pitch, 0);
        d = LLVMBuildXor(g->b, d, LLVMConstVector(each, s->n), "");
        differ = differ ? LLVMBuildOr(g->b, differ, d, "") : d;
    }
    bits =
        jit_to_bits(g, LLVMBuildICmp(g->b, LLVMIntNE, differ, LLVMConstNull(type), ""));
    return LLVMBuildICmp(g->b, LLVMIntEQ, bits, jit_u32(g, 0), "");
}

static LLVMValueRef load_at(struct jit_gen *g, LLVMValueRef p, uint64_t offset,
                            LLVMTypeRef type)
{
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, jit_place_of(g, p, offset, type), "");

    LLVMSetAlignment(v, 1);
    LLVMSetVolatile(v, 1); /* as in jit_reg() */
    return v;
}

static void row_read(struct jit_gen *g, struct send *s, LLVMValueRef p)
{
    LLVMTypeRef type = jit_vector(jit_int_type(g, s->size), s->n * s->count);

    for (uint32_t c = 0; c < s->chunks; c++) {
        LLVMValueRef all = load_at(g, p, (uint64_t)c * s->n * s->bytes, type);

        for (uint32_t j = 0; j < s->count; j++) {
            int32_t index[JIT_CHUNK];

            for (uint32_t i = 0; i < s->n; i++)
                index[i] = (int32_t)(i * s->count + j);
            s->data[j][c] =
                s->count == 1 ? all : jit_shuffle(g, all, NULL, index, s->n);
        }
    }
}

static void row_write(struct jit_gen *g, struct send *s, LLVMValueRef p)
{
    int32_t both[2 * JIT_CHUNK], turn[MAX_PARTS * JIT_CHUNK];

    for (int32_t i = 0; i < 2 * JIT_CHUNK; i++)
        both[i] = i;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->count; j++)
            turn[i * s->count + j] = (int32_t)(j * s->n + i);
    for (uint32_t c = 0; c < s->chunks; c++) {
        LLVMValueRef v = s->data[0][c], store;

        if (s->count == 2) {
            v = jit_shuffle(g, v, s->data[1][c], turn, 2 * s->n);
        } else if (s->count == 4) {
            LLVMValueRef low = jit_shuffle(g, v, s->data[1][c], both, 2 * s->n);
            LLVMValueRef high =
                jit_shuffle(g, s->data[2][c], s->data[3][c], both, 2 * s->n);

            v = jit_shuffle(g, low, high, turn, 4 * s->n);
        }
        store = LLVMBuildStore(
            g->b, v, jit_place_of(g, p, (uint64_t)c * s->n * s->bytes, LLVMTypeOf(v)));
        LLVMSetAlignment(store, 1);
    }
}

static void same_read(struct jit_gen *g, struct send *s, LLVMValueRef p)
{
    for (uint32_t j = 0; j < s->count; j++) {
        LLVMValueRef v =
            load_at(g, p, (uint64_t)s->parts[j] * s->size, jit_int_type(g, s->size));

        for (uint32_t c = 0; c < s->chunks; c++)
            s->data[j][c] = jit_splat(g, v, s->n);
    }
}

static LLVMValueRef pointers(struct jit_gen *g, struct send *s, uint32_t c,
                             uint32_t part, LLVMTypeRef element)
{
    LLVMValueRef offset = s->offset[c], p;
    LLVMTypeRef type = jit_vector(g->i64, s->n);

    if (s->wide)
        offset = LLVMBuildSub(g->b, offset, jit_splat(g, s->low, s->n), "");
    else
        offset = LLVMBuildZExt(g->b, offset, type, "");
    offset = LLVMBuildAdd(g->b, offset,
                          jit_splat_int(g, g->i64, (uint64_t)part * s->size, s->n), "");
    p = LLVMBuildGEP2(g->b, g->i8, s->host, &offset, 1, "");
    return LLVMBuildBitCast(g->b, p, jit_vector(LLVMPointerType(element, 0), s->n), "");
}

static void each_lane(struct jit_gen *g, struct send *s)
{
    LLVMTypeRef element = jit_int_type(g, s->size), types[2];

    types[0] = jit_vector(element, s->n);
    types[1] = jit_vector(LLVMPointerType(element, 0), s->n);
    for (uint32_t j = 0; j < s->count; j++)
        for (uint32_t c = 0; c < s->chunks; c++) {
            LLVMValueRef on = jit_to_mask(g, s->mask, c * s->n, s->n);
            LLVMValueRef p = pointers(g, s, c, s->parts[j], element);
            LLVMValueRef read[] = {p, jit_u32(g, 1), on, LLVMGetUndef(types[0])};
            LLVMValueRef write[] = {s->data[j][c], p, jit_u32(g, 1), on};

            if (s->write)
                jit_intrinsic(g, "llvm.masked.scatter", types, 2, write, 4);
            else
                s->data[j][c] =
                    jit_intrinsic(g, "llvm.masked.gather", types, 2, read, 4);
        }
}

/* ---- what is told -------------------------------------------------------------- */

/* What offsets count from, as an address: i64. */
static LLVMValueRef base_address(struct jit_gen *g, const struct send *s)
{
    return s->msg->addr_model == ISA_ADDR_BTI
               ? jit_load(g, s->place, PLACE_ADDRESS, g->i64)
               : jit_u64(g, 0);
}

/* How many sends from this one on its group may have: reads that follow in the block.
 */
static uint32_t most_told(const struct jit_gen *g, const struct send *s)
{
    const struct isa_block *b = &g->k->blocks->block[g->k->blocks->block_of[s->index]];
    uint32_t most = 1;

    for (uint32_t i = s->index + 1; !s->write && i < b->first + b->count; i++) {
        const struct jit_inst *in = &g->k->inst[i];

        if (in->kind != JIT_SEND || !jit_send_is_inline(in))
            continue;
        if (in->inst->msg.is_write)
            break;
        most++;
    }
    return most < TOLD_MOST ? most : TOLD_MOST;
}

static void tell_head(struct jit_gen *g, const struct send *s, uint32_t kind,
                      uint32_t count)
{
    LLVMValueRef mask = LLVMBuildZExt(g->b, s->mask, g->i64, ""), head;

    kind |= s->msg->addr_model == ISA_ADDR_SLM ? TOLD_SLM : 0u;
    mask = LLVMBuildShl(g->b, mask, jit_u64(g, TOLD_MASK), "");
    head = jit_u64(g, told_head(kind, count, s->index, 0));
    jit_store(g, g->log, s->told.head, LLVMBuildOr(g->b, mask, head, ""));
}

static void tell_lanes(struct jit_gen *g, const struct send *s)
{
    LLVMTypeRef type = jit_vector(g->i64, s->n);
    LLVMValueRef base;

    if (!g->k->tells)
        return;
    tell_head(g, s, TOLD_LANES, s->msg->simd);
    jit_store(g, g->log, s->told.address,
              jit_u64(g, (s->told.lanes - s->told.group) / 8));
    base = jit_splat(g, base_address(g, s), s->n);
    for (uint32_t c = 0; c < s->chunks; c++) {
        LLVMValueRef at = s->offset[c];

        if (!s->wide)
            at = LLVMBuildZExt(g->b, at, type, "");
        jit_store(g, g->log, s->told.lanes + 8 * (uint64_t)c * s->n,
                  LLVMBuildAdd(g->b, at, base, ""));
    }
}

/* first: lane 0's offset. */
static void tell_row(struct jit_gen *g, const struct send *s, LLVMValueRef first,
                     uint32_t pitch)
{
    if (!g->k->tells)
        return;
    tell_head(g, s, TOLD_ROW, pitch);
    if (!s->wide)
        first = LLVMBuildZExt(g->b, first, g->i64, "");
    jit_store(g, g->log, s->told.address,
              LLVMBuildAdd(g->b, first, base_address(g, s), ""));
}

/* ---- one way of several --------------------------------------------------------- */

struct way {
    LLVMBasicBlockRef end;
    LLVMValueRef data[MAX_PARTS][MAX_SEND_CHUNKS];
};

static void parts_keep(struct jit_gen *g, struct send *s, struct way *w,
                       LLVMBasicBlockRef to)
{
    w->end = LLVMGetInsertBlock(g->b);
    memcpy(w->data, s->data, sizeof(w->data));
    LLVMBuildBr(g->b, to);
}

/* All lanes are on: a row, one address, or neither. */
static void by_form(struct jit_gen *g, struct send *s)
{
    LLVMBasicBlockRef row = jit_block(g, "row"), no_row = jit_block(g, "no_row");
    LLVMBasicBlockRef same = jit_block(g, "same"), any = jit_block(g, "any");
    LLVMBasicBlockRef done = jit_block(g, "done");
    LLVMValueRef first = LLVMBuildExtractElement(g->b, s->offset[0], jit_u32(g, 0), "");
    LLVMValueRef p = at_offset(g, s, first);
    struct way way[3];
    uint32_t ways = 0;

    jit_branch_if(g, in_a_row(g, s, first, s->bytes), row, no_row);
    jit_at(g, row);
    tell_row(g, s, first, s->bytes);
    if (s->write)
        row_write(g, s, p);
    else
        row_read(g, s, p);
    parts_keep(g, s, &way[ways++], done);
    jit_at(g, no_row);
    if (s->write) {
        LLVMBuildBr(g->b, any);
        LLVMDeleteBasicBlock(same);
    } else {
        jit_branch_if(g, in_a_row(g, s, first, 0), same, any);
        jit_at(g, same);
        tell_row(g, s, first, 0);
        same_read(g, s, p);
        parts_keep(g, s, &way[ways++], done);
    }
    jit_at(g, any);
    tell_lanes(g, s);
    each_lane(g, s);
    parts_keep(g, s, &way[ways++], done);
    jit_at(g, done);
    for (uint32_t j = 0; !s->write && j < s->count; j++)
        for (uint32_t c = 0; c < s->chunks; c++) {
            LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(way[0].data[j][c]), "");

            for (uint32_t w = 0; w < ways; w++)
                LLVMAddIncoming(phi, &way[w].data[j][c], &way[w].end, 1);
            s->data[j][c] = phi;
        }
}

/* What was read to its registers; lanes that are off keep theirs. */
static void send_take(struct jit_gen *g, struct send *s)
{
    uint32_t reg = s->in->inst->dst.reg, each = s->slot / 4;

    for (uint32_t j = 0; j < s->count; j++)
        for (uint32_t c = 0; c < s->chunks; c++, reg += each) {
            struct jit_lanes to = {.where = JIT_REGISTERS};
            LLVMValueRef v = s->data[j][c];

            to.type = s->slot == 8 ? ISA_TYPE_UQ : ISA_TYPE_UD;
            for (uint32_t i = 0; i < s->n; i++)
                to.at[i] = (int32_t)(g->k->layout.registers + reg * ISA_GRF_BYTES +
                                     i * s->slot);
            if (s->size < s->slot)
                v = LLVMBuildZExt(g->b, v, jit_vector(g->i32, s->n), "");
            jit_write(g, &to, 0, s->n, v,
                      s->all ? NULL : jit_to_mask(g, s->mask, c * s->n, s->n));
        }
}

void jit_send(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    struct send s;
    bool whole;

    send_describe(g, in, &s);
    if (s.write) { /* what was before is done */
        jit_end(g);
        jit_begin(g, index);
    }
    read_payload(g, &s);
    whole = s.all && s.count * s.size == s.bytes && (s.count != 3 || !s.write);
    find_place(g, &s);
    s.index = index;
    if (g->k->tells)
        s.told = jit_tell(g, most_told(g, &s), s.msg->simd);
    if (whole) {
        by_form(g, &s);
    } else {
        tell_lanes(g, &s);
        each_lane(g, &s);
    }
    jit_count(g, in, jit_enabled(g, in));
    if (s.write) {
        jit_end(g);
        jit_begin(g, index + 1);
    } else {
        send_take(g, &s);
    }
}
