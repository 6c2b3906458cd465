/* decode_operand.c - see decode_operand.h. */
#include "decode_operand.h"

/* libiga64's register and data type numbers (1.1.0). */
static enum isa_file file_of(uint32_t number)
{
    static const uint8_t files[] = {
        [1] = ISA_FILE_NULL,  [2] = ISA_FILE_ADDR,    [3] = ISA_FILE_ACC,
        [4] = ISA_FILE_OTHER, [5] = ISA_FILE_FLAG,    [6] = ISA_FILE_CHMASK,
        [7] = ISA_FILE_MSG,   [8] = ISA_FILE_SP,      [9] = ISA_FILE_STATE,
        [10] = ISA_FILE_CTRL, [11] = ISA_FILE_NOTIFY, [12] = ISA_FILE_IP,
        [13] = ISA_FILE_TDR,  [14] = ISA_FILE_TIME,   [17] = ISA_FILE_GRF,
    };

    if (number >= sizeof(files) || files[number] == ISA_FILE_NONE)
        return ISA_FILE_OTHER;
    return (enum isa_file)files[number];
}

static enum isa_type type_of(uint32_t number)
{
    static const uint8_t types[] = {
        [6] = ISA_TYPE_UB,  [7] = ISA_TYPE_B,   [8] = ISA_TYPE_UW,  [9] = ISA_TYPE_W,
        [10] = ISA_TYPE_UD, [11] = ISA_TYPE_D,  [12] = ISA_TYPE_UQ, [13] = ISA_TYPE_Q,
        [14] = ISA_TYPE_HF, [20] = ISA_TYPE_F,  [21] = ISA_TYPE_DF, [23] = ISA_TYPE_V,
        [24] = ISA_TYPE_UV, [25] = ISA_TYPE_VF,
    };

    return number < sizeof(types) ? (enum isa_type)types[number] : ISA_TYPE_NONE;
}

/* Where a direct operand starts. False outside the register file. */
static bool set_register(struct isa_operand *op, uint32_t file, int32_t reg,
                         int32_t subreg)
{
    uint32_t size = isa_type_bytes((enum isa_type)op->type), byte;

    op->file = (uint8_t)file_of(file);
    if (reg < 0)
        reg = 0;
    if (subreg < 0) /* mme operands have none */
        subreg = 0;
    byte = (uint32_t)subreg * (size == 0 ? 4 : size);
    if (reg >= ISA_GRF_COUNT || byte >= ISA_GRF_BYTES)
        return false;
    op->reg = (uint8_t)reg;
    op->subreg = (uint8_t)subreg;
    op->byte = (uint8_t)byte;
    return true;
}

static bool set_indirect(struct isa_operand *op, int32_t subreg, int16_t offset)
{
    op->file = ISA_FILE_GRF;
    op->indirect = true;
    if (subreg < 0 || subreg > 15)
        return false;
    op->addr_sub = (uint8_t)subreg;
    op->addr_imm = offset;
    return true;
}

/* Word immediates are stored twice, so that only the low half counts. */
static uint64_t trim_immediate(enum isa_type type, uint64_t imm)
{
    switch (type) {
    case ISA_TYPE_UQ:
    case ISA_TYPE_Q:
    case ISA_TYPE_DF:
        return imm;
    case ISA_TYPE_UB:
    case ISA_TYPE_B:
        return imm & 0xFF;
    case ISA_TYPE_UW:
    case ISA_TYPE_W:
    case ISA_TYPE_HF:
        return imm & 0xFFFF;
    default:
        return imm & 0xFFFFFFFF;
    }
}

static uint32_t field(const uint8_t *raw, uint32_t hi, uint32_t lo)
{
    uint32_t word = 0;

    for (uint32_t i = lo; i <= hi; i++)
        word |= (uint32_t)(raw[i / 8] >> (i % 8) & 1) << (i - lo);
    return word;
}

/* Region of an ARF operand that the library does not report, from the encoding:
 * vertical stride, width, horizontal stride of source 0 at bits 88:85, 84:82, 81:80,
 * of source 1 32 bits above. A compacted one is taken as scalar: the compiler's
 * uses of these registers all are. */
static void arf_region(struct isa_operand *op, const uint8_t *raw, uint32_t i,
                       const struct isa_inst *inst)
{
    uint32_t at = 80 + 32 * i, v, h;

    op->width = 1;
    op->vstride = op->hstride = 0;
    if (inst->compacted || inst->exec_size == 1 || i > 1)
        return;
    v = field(raw, at + 8, at + 5);
    h = field(raw, at + 1, at);
    op->width = (uint8_t)(1u << (field(raw, at + 4, at + 2) % 6));
    op->vstride = (uint8_t)(v == 0 || v > 6 ? 0 : 1u << (v - 1));
    op->hstride = (uint8_t)(h == 0 ? 0 : 1u << (h - 1));
}

/* Three-source regions come without a width: <vertical;horizontal>, and the third
 * source's as a horizontal stride alone. */
static void ternary_region(struct isa_operand *op, uint32_t v, uint32_t h)
{
    if (v == KV_VERT_ABSENT) {
        v = h;
        h = 0;
    }
    if (h == 0 || v <= h) { /* <n> or <0;0>: one element a row */
        op->vstride = (uint8_t)v;
        op->width = 1;
        op->hstride = 0;
    } else if (h == 1) { /* rows that touch: packed */
        op->vstride = op->width = 1;
        op->hstride = 0;
    } else {
        op->vstride = (uint8_t)v;
        op->width = (uint8_t)(v / h);
        op->hstride = (uint8_t)h;
    }
}

static void packed_region(struct isa_operand *op)
{
    op->vstride = op->width = 1;
    op->hstride = 0;
}

static bool source_region(const kv_t *kv, const uint8_t *raw, uint32_t i,
                          const struct isa_inst *inst, struct isa_operand *op)
{
    uint32_t v = 0, w = 0, h = 0;

    if (op->mme != ISA_MME_NONE) {
        packed_region(op);
        return true;
    }
    if (kv_get_source_region(kv, (int32_t)inst->pc, i, &v, &w, &h) != 0) {
        arf_region(op, raw, i, inst);
        return true;
    }
    if (w == KV_WIDTH_ABSENT) {
        if ((v > 32 && v != KV_VERT_ABSENT) || h > 4)
            return false;
        ternary_region(op, v, h);
        return true;
    }
    op->vxh = v == KV_REGION_VXH;
    if ((!op->vxh && v > 32) || w < 1 || w > 16 || h > 4)
        return false;
    op->vstride = (uint8_t)(op->vxh ? 0 : v);
    op->width = (uint8_t)w;
    op->hstride = (uint8_t)h;
    return true;
}

static bool is_send(const struct isa_inst *inst)
{
    return isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND;
}

static bool read_register_source(const kv_t *kv, const uint8_t *raw, uint32_t i,
                                 const struct isa_inst *inst, struct isa_operand *op,
                                 uint32_t kind)
{
    int32_t pc = (int32_t)inst->pc, subreg = kv_get_source_sub_register(kv, pc, i);
    int16_t number = 0;
    bool ok;

    op->mod = (uint8_t)(kv_get_source_modifier(kv, pc, i) & 3);
    if (kind == KV_KIND_MACRO && kv_get_source_mme_number(kv, pc, i, &number) == 0)
        op->mme = (int8_t)number;
    if (kind == KV_KIND_INDIRECT) {
        (void)kv_get_source_indirect_imm_off(kv, pc, i, &number);
        ok = set_indirect(op, subreg, number);
    } else {
        ok = set_register(op, kv_get_source_register_type(kv, pc, i),
                          kv_get_source_register(kv, pc, i), subreg);
    }
    if (is_send(inst)) /* whole registers */
        return ok;
    return ok && source_region(kv, raw, i, inst, op);
}

/* Source i into the next free place; labels are no operands. */
static bool read_source(const kv_t *kv, const uint8_t *raw, uint32_t i,
                        struct isa_inst *inst)
{
    int32_t pc = (int32_t)inst->pc;
    uint32_t kind = kv_get_source_register_kind(kv, pc, i);
    struct isa_operand *op = &inst->src[inst->nsrc];

    if (kind == KV_KIND_LABEL)
        return true;
    op->type = (uint8_t)type_of(kv_get_source_data_type(kv, pc, i));
    inst->nsrc++;
    if (kind == KV_KIND_IMMEDIATE) {
        op->file = ISA_FILE_IMM;
        (void)kv_get_source_immediate(kv, pc, i, &op->imm);
        op->imm = trim_immediate((enum isa_type)op->type, op->imm);
        return true;
    }
    return read_register_source(kv, raw, i, inst, op, kind);
}

static bool read_dest(const kv_t *kv, struct isa_inst *inst)
{
    int32_t pc = (int32_t)inst->pc, subreg = kv_get_destination_sub_register(kv, pc);
    uint32_t kind = kv_get_destination_register_kind(kv, pc), stride = 1;
    struct isa_operand *op = &inst->dst;
    int16_t number = 0;

    op->type = (uint8_t)type_of(kv_get_destination_data_type(kv, pc));
    inst->saturate = kv_get_destination_modifier(kv, pc) == 1;
    if (kv_get_destination_region(kv, pc, &stride) != 0 || stride > 4)
        stride = 1;
    op->hstride = (uint8_t)stride;
    if (kind == KV_KIND_MACRO && kv_get_destination_mme_number(kv, pc, &number) == 0)
        op->mme = (int8_t)number;
    if (kind == KV_KIND_INDIRECT) {
        (void)kv_get_destination_indirect_imm_off(kv, pc, &number);
        return set_indirect(op, subreg, number);
    }
    return set_register(op, kv_get_destination_register_type(kv, pc),
                        kv_get_destination_register(kv, pc), subreg);
}

/* ---- Align16 ------------------------------------------------------------ */

/* Of a source of four-byte elements in rows of four: register at bits 76:69, its half
 * at bit 68, which element each of four lanes takes at 65:64, 67:66, 81:80 and 83:82,
 * and the rows' distance at 88:85; source 1 32 bits above. The library reads all of it
 * as Align1. */
static bool align16_source(struct isa_operand *op, const uint8_t *raw, uint32_t at)
{
    uint32_t rows = field(raw, at + 24, at + 21);

    if (op->file == ISA_FILE_IMM)
        return true;
    if (op->file != ISA_FILE_GRF || op->indirect || (rows != 0 && rows != 3) ||
        isa_type_bytes((enum isa_type)op->type) != 4)
        return false;
    op->byte = (uint8_t)(16 * field(raw, at + 4, at + 4));
    op->subreg = op->byte / 4;
    op->vstride = (uint8_t)(rows == 0 ? 0 : 4);
    op->width = 4;
    op->hstride = 1;
    op->swizzle = (uint16_t)(ISA_SWIZZLED | field(raw, at + 3, at) |
                             field(raw, at + 19, at + 16) << 4);
    return true;
}

bool decode_align16(const uint8_t *raw, struct isa_inst *inst)
{
    enum { ALL = 15 };
    struct isa_operand *d = &inst->dst;
    bool good = !inst->compacted && inst->nsrc >= 1 && inst->nsrc <= 2 &&
                inst->pred <= ISA_PRED_SEQ && field(raw, 51, 48) == ALL &&
                (d->file == ISA_FILE_GRF || d->file == ISA_FILE_NULL) && !d->indirect &&
                isa_type_bytes((enum isa_type)d->type) == 4;

    d->byte = (uint8_t)(16 * field(raw, 52, 52));
    d->subreg = d->byte / 4;
    d->hstride = 1;
    for (uint32_t i = 0; i < inst->nsrc && good; i++)
        good = align16_source(&inst->src[i], raw, 64 + 32 * i);
    return good;
}

bool decode_operands(const kv_t *kv, const uint8_t *raw, struct isa_inst *inst)
{
    int32_t pc = (int32_t)inst->pc, count = kv_get_number_sources(kv, pc);

    if (kv_get_has_destination(kv, pc) && !read_dest(kv, inst))
        return false;
    for (int32_t i = 0; i < count && i < ISA_MAX_SRC; i++)
        if (!read_source(kv, raw, (uint32_t)i, inst))
            return false;
    return true;
}
