/* isa_encode.c - see isa_encode.h. */
#include "isa_encode.h"

#include <string.h>

static void put(uint8_t *out, uint32_t high, uint32_t low, uint64_t value)
{
    for (uint32_t i = low; i <= high; i++)
        if (value >> (i - low) & 1)
            out[i / 8] = (uint8_t)(out[i / 8] | 1u << (i % 8));
}

static uint32_t log2_of(uint32_t x)
{
    return x == 0 ? 0 : 31 - (uint32_t)__builtin_clz(x);
}

static const uint8_t opcode_numbers[ISA_OP_COUNT] = {
    [ISA_OP_MOV] = 1,    [ISA_OP_SEL] = 2,   [ISA_OP_MOVI] = 3,   [ISA_OP_NOT] = 4,
    [ISA_OP_AND] = 5,    [ISA_OP_OR] = 6,    [ISA_OP_XOR] = 7,    [ISA_OP_SHR] = 8,
    [ISA_OP_SHL] = 9,    [ISA_OP_SMOV] = 10, [ISA_OP_ASR] = 12,   [ISA_OP_CMP] = 16,
    [ISA_OP_CMPN] = 17,  [ISA_OP_CSEL] = 18, [ISA_OP_BFREV] = 23, [ISA_OP_BFE] = 24,
    [ISA_OP_BFI1] = 25,  [ISA_OP_BFI2] = 26, [ISA_OP_MATH] = 56,  [ISA_OP_ADD] = 64,
    [ISA_OP_MUL] = 65,   [ISA_OP_AVG] = 66,  [ISA_OP_FRC] = 67,   [ISA_OP_RNDU] = 68,
    [ISA_OP_RNDD] = 69,  [ISA_OP_RNDE] = 70, [ISA_OP_RNDZ] = 71,  [ISA_OP_MAC] = 72,
    [ISA_OP_MACH] = 73,  [ISA_OP_LZD] = 74,  [ISA_OP_FBH] = 75,   [ISA_OP_FBL] = 76,
    [ISA_OP_CBIT] = 77,  [ISA_OP_ADDC] = 78, [ISA_OP_SUBB] = 79,  [ISA_OP_SAD2] = 80,
    [ISA_OP_SADA2] = 81, [ISA_OP_DP4] = 84,  [ISA_OP_DPH] = 85,   [ISA_OP_DP3] = 86,
    [ISA_OP_DP2] = 87,   [ISA_OP_LINE] = 89, [ISA_OP_PLN] = 90,   [ISA_OP_MAD] = 91,
    [ISA_OP_LRP] = 92,
};

static uint32_t register_type(uint32_t type)
{
    static const uint8_t codes[ISA_TYPE_COUNT] = {
        [ISA_TYPE_UD] = 0, [ISA_TYPE_D] = 1, [ISA_TYPE_UW] = 2, [ISA_TYPE_W] = 3,
        [ISA_TYPE_UB] = 4, [ISA_TYPE_B] = 5, [ISA_TYPE_DF] = 6, [ISA_TYPE_F] = 7,
        [ISA_TYPE_UQ] = 8, [ISA_TYPE_Q] = 9, [ISA_TYPE_HF] = 10};

    return codes[type];
}

static uint32_t immediate_type(uint32_t type)
{
    static const uint8_t codes[ISA_TYPE_COUNT] = {
        [ISA_TYPE_UD] = 0, [ISA_TYPE_D] = 1,  [ISA_TYPE_UW] = 2,  [ISA_TYPE_W] = 3,
        [ISA_TYPE_UV] = 4, [ISA_TYPE_VF] = 5, [ISA_TYPE_V] = 6,   [ISA_TYPE_F] = 7,
        [ISA_TYPE_UQ] = 8, [ISA_TYPE_Q] = 9,  [ISA_TYPE_DF] = 10, [ISA_TYPE_HF] = 11};

    return codes[type];
}

/* Code of a stride or width; ~0 when it has none. */
static uint32_t stride_code(uint32_t stride, uint32_t most)
{
    if ((stride & (stride - 1)) != 0 || stride > most)
        return ~0u;
    return stride == 0 ? 0 : log2_of(stride) + 1;
}

/* Register file: 0 architecture registers, 1 general ones, 3 immediate. */
static uint32_t file_code(uint32_t file)
{
    return file == ISA_FILE_GRF ? 1 : file == ISA_FILE_IMM ? 3 : 0;
}

static uint32_t register_number(const struct isa_operand *o)
{
    switch (o->file) {
    case ISA_FILE_ACC:
        return 0x20u + o->reg;
    case ISA_FILE_FLAG:
        return 0x30u + o->reg;
    case ISA_FILE_ADDR:
        return 0x10u + o->reg;
    default: /* null is architecture register 0 */
        return o->reg;
    }
}

/* 7 is reserved. */
static uint32_t condition(uint32_t cmod)
{
    return cmod < ISA_CMOD_OV ? cmod : cmod + 1;
}

static void put_controls(const struct isa_inst *inst, uint8_t *out, bool align16)
{
    put(out, 6, 0, opcode_numbers[inst->op]);
    put(out, 8, 8, align16);
    put(out, 11, 11, inst->chan_offset / 4 & 1);
    put(out, 13, 12, inst->chan_offset / 8);
    if (inst->pred != ISA_PRED_NONE)
        put(out, 19, 16, inst->pred);
    put(out, 20, 20, inst->pred_inverse);
    put(out, 23, 21, log2_of(inst->exec_size));
    put(out, 27, 24, inst->op == ISA_OP_MATH ? inst->math : condition(inst->cmod));
    put(out, 28, 28, inst->acc_wr_en);
    put(out, 31, 31, inst->saturate);
    if (inst->flag >= 0) {
        put(out, 32, 32, (uint32_t)inst->flag & 1);
        put(out, 33, 33, (uint32_t)inst->flag >> 1);
    }
    put(out, 34, 34, inst->no_mask);
}

static bool put_dest(const struct isa_operand *o, uint8_t *out)
{
    uint32_t stride = stride_code(o->hstride, 4);

    put(out, 36, 35, file_code(o->file));
    put(out, 40, 37, register_type(o->type));
    put(out, 62, 61, stride);
    put(out, 63, 63, o->indirect);
    if (o->indirect) {
        put(out, 56, 48, (uint32_t)o->addr_imm & 0x1FF);
        put(out, 47, 47, (uint32_t)o->addr_imm >> 9 & 1);
        put(out, 60, 57, o->addr_sub);
    } else {
        put(out, 52, 48, o->byte);
        put(out, 60, 53, register_number(o));
    }
    return stride != ~0u && stride != 0;
}

/* Source whose 25 bits start at `at`; `imm9` is the place of its address's top bit. */
static bool put_source(const struct isa_operand *o, uint8_t *out, uint32_t at,
                       uint32_t imm9)
{
    uint32_t v = o->vxh ? 15 : stride_code(o->vstride, 32);
    uint32_t h = stride_code(o->hstride, 4), w = stride_code(o->width, 16);

    if (o->indirect) {
        put(out, at + 8, at, (uint32_t)o->addr_imm & 0x1FF);
        put(out, imm9, imm9, (uint32_t)o->addr_imm >> 9 & 1);
        put(out, at + 12, at + 9, o->addr_sub);
    } else {
        put(out, at + 4, at, o->byte);
        put(out, at + 12, at + 5, register_number(o));
    }
    put(out, at + 13, at + 13, o->mod & ISA_MOD_ABS);
    put(out, at + 14, at + 14, o->mod >> 1);
    put(out, at + 15, at + 15, o->indirect);
    if (v == ~0u || h == ~0u || w == ~0u || w == 0)
        return false;
    put(out, at + 17, at + 16, h);
    put(out, at + 20, at + 18, w - 1);
    put(out, at + 24, at + 21, v);
    return true;
}

/* Immediates of 64 bits fill the second half, others its upper dword. Words come
 * twice. */
static void put_immediate(const struct isa_operand *o, uint8_t *out)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)o->type);
    bool vector = o->type >= ISA_TYPE_V;

    if (bytes == 8)
        put(out, 127, 64, o->imm);
    else
        put(out, 127, 96, bytes == 2 && !vector ? o->imm * 0x10001 : o->imm);
}

static bool encode_binary(const struct isa_inst *inst, uint8_t *out)
{
    const struct isa_operand *a = &inst->src[0], *b = &inst->src[1];
    bool ok = put_dest(&inst->dst, out);

    put(out, 42, 41, file_code(a->file));
    put(out, 46, 43,
        a->file == ISA_FILE_IMM ? immediate_type(a->type) : register_type(a->type));
    if (a->file == ISA_FILE_IMM) {
        /* source 1's type repeats it where nothing else stands */
        if (isa_type_bytes((enum isa_type)a->type) != 8)
            put(out, 94, 91, immediate_type(a->type));
        put_immediate(a, out);
        return ok && inst->nsrc == 1;
    }
    ok &= put_source(a, out, 64, 95);
    if (inst->nsrc < 2)
        return ok;
    put(out, 90, 89, file_code(b->file));
    put(out, 94, 91,
        b->file == ISA_FILE_IMM ? immediate_type(b->type) : register_type(b->type));
    if (b->file == ISA_FILE_IMM) {
        put_immediate(b, out);
        return ok && isa_type_bytes((enum isa_type)b->type) < 8;
    }
    return put_source(b, out, 96, 121) && ok;
}

static uint32_t ternary_type(uint32_t type)
{
    static const uint8_t codes[ISA_TYPE_COUNT] = {[ISA_TYPE_F] = 0,
                                                  [ISA_TYPE_D] = 1,
                                                  [ISA_TYPE_UD] = 2,
                                                  [ISA_TYPE_DF] = 3,
                                                  [ISA_TYPE_HF] = 4};

    return codes[type];
}

/* Three sources are Align16: groups of 16 bytes, of which a single channel enables the
 * first element; a scalar is replicated, or, of 64 bits, swizzled; all else is packed.
 */
static bool encode_ternary(const struct isa_inst *inst, uint8_t *out)
{
    enum { SWIZZLE_XYZW = 0xE4, SWIZZLE_XYXY = 0x44 };
    bool wide = inst->dst.type == ISA_TYPE_DF, single = inst->exec_size == 1;

    if (single)
        put(out, 23, 21, wide ? 1 : 2);
    put(out, 45, 43, ternary_type(inst->src[0].type));
    put(out, 48, 46, ternary_type(inst->dst.type));
    put(out, 52, 49, !single ? 0xF : wide ? 3 : 1);
    put(out, 55, 53, inst->dst.byte / 4);
    put(out, 63, 56, inst->dst.reg);
    for (uint32_t k = 0; k < 3; k++) {
        const struct isa_operand *o = &inst->src[k];
        uint32_t at = 64 + 21 * k;
        bool scalar = o->vstride == 0;

        put(out, 37 + 2 * k, 37 + 2 * k, o->mod & ISA_MOD_ABS);
        put(out, 38 + 2 * k, 38 + 2 * k, o->mod >> 1);
        put(out, at, at, scalar && !wide);
        put(out, at + 8, at + 1, !scalar ? SWIZZLE_XYZW : wide ? SWIZZLE_XYXY : 0);
        put(out, at + 11, at + 9, o->byte / 4);
        put(out, at + 19, at + 12, o->reg);
        put(out, at + 20, at + 20, o->byte / 2 & 1);
        if (k > 0 && o->type == ISA_TYPE_HF) /* 36: source 1, 35: source 2 */
            put(out, 37 - k, 37 - k, 1);
        if (o->file != ISA_FILE_GRF)
            return false;
    }
    return true;
}

bool isa_encode(const struct isa_inst *inst, uint8_t *out)
{
    memset(out, 0, ISA_NATIVE_BYTES);
    put_controls(inst, out, inst->nsrc == 3);
    if (opcode_numbers[inst->op] == 0)
        return false;
    return inst->nsrc == 3 ? encode_ternary(inst, out) : encode_binary(inst, out);
}

/* ---- comparison --------------------------------------------------------- */

static const char *same_operand(const struct isa_operand *a,
                                const struct isa_operand *b, uint32_t exec)
{
    if (a->file != b->file || a->type != b->type)
        return "file or type";
    if (a->file == ISA_FILE_NULL)
        return NULL;
    if (a->file == ISA_FILE_IMM)
        return a->imm == b->imm ? NULL : "immediate";
    if (a->mod != b->mod || a->indirect != b->indirect || a->vxh != b->vxh)
        return "modifier or addressing";
    if (a->indirect ? a->addr_sub != b->addr_sub || a->addr_imm != b->addr_imm
                    : a->reg != b->reg || a->byte != b->byte)
        return "register";
    for (uint32_t i = 0; i < exec; i++) /* regions that name the same elements */
        if (i / (a->width ? a->width : 1u) * a->vstride +
                i % (a->width ? a->width : 1u) * a->hstride !=
            i / (b->width ? b->width : 1u) * b->vstride +
                i % (b->width ? b->width : 1u) * b->hstride)
            return "region";
    return NULL;
}

const char *isa_same(const struct isa_inst *a, const struct isa_inst *b)
{
    const char *what = same_operand(&a->dst, &b->dst, 1);

    if (a->op != b->op || a->math != b->math || a->nsrc != b->nsrc)
        return "opcode, function or sources";
    if (a->exec_size != b->exec_size || a->chan_offset != b->chan_offset ||
        a->no_mask != b->no_mask)
        return "channels";
    if (a->pred != b->pred || a->pred_inverse != b->pred_inverse ||
        a->cmod != b->cmod || a->flag != b->flag)
        return "predicate, condition or flag";
    if (a->saturate != b->saturate || a->acc_wr_en != b->acc_wr_en ||
        (a->dst.file != ISA_FILE_NULL && a->dst.hstride != b->dst.hstride))
        return "saturation, accumulator or stride";
    for (uint32_t k = 0; k < a->nsrc && what == NULL; k++)
        what = same_operand(&a->src[k], &b->src[k], a->exec_size);
    return what;
}
