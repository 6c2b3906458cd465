/* emu_build.c - isa_inst to emu_op: where operands lie, which lanes, which flags. */
#include "emu_int.h"

#include <stdlib.h>

/* ---- register files ----------------------------------------------------- */

struct file_place {
    uint32_t offset, bytes; /* in struct emu_thread; 0 bytes: not readable */
    bool writable;
};

#define PLACE(member, can_write)                                                       \
    {                                                                                  \
        offsetof(struct emu_thread, member), sizeof(((struct emu_thread *)0)->member), \
            can_write                                                                  \
    }

static struct file_place line_place(uint32_t file)
{
    static const struct file_place places[ISA_FILE_COUNT] = {
        [ISA_FILE_GRF] = PLACE(grf, true),
        [ISA_FILE_ACC] = PLACE(acc, true),
        [ISA_FILE_FLAG] = PLACE(flag, true),
        [ISA_FILE_ADDR] = PLACE(addr, true),
        [ISA_FILE_CTRL] = PLACE(ctrl, true),
        [ISA_FILE_STATE] = PLACE(state, true), /* sr0.2 alone: check_dest() */
        [ISA_FILE_NOTIFY] = PLACE(notify, true),
        [ISA_FILE_IP] = PLACE(ip, false),
        [ISA_FILE_TIME] = PLACE(time, false),
        [ISA_FILE_CHMASK] = PLACE(chmask, false),
        [ISA_FILE_SP] = PLACE(stack, true),
        [ISA_FILE_TDR] = PLACE(none, false),
        [ISA_FILE_MSG] = PLACE(none, false),
        [ISA_FILE_OTHER] = PLACE(none, false),
    };

    return places[file];
}

/* Bytes from one register of the file to the next. */
static uint32_t register_bytes(uint32_t file)
{
    return file == ISA_FILE_FLAG ? 4 : ISA_GRF_BYTES;
}

/* ---- sources ------------------------------------------------------------ */

/* Offset of element i from the operand's start, in bytes. */
static int32_t element_offset(const struct isa_operand *o, uint32_t i)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)o->type);
    uint32_t width = o->width ? o->width : 1u, row = i / width, column = i % width;

    if (o->swizzle != 0)
        column = o->swizzle >> 2 * column & 3;
    if (o->vxh) /* the row's place comes from its address */
        return (int32_t)(column * o->hstride) * size;
    return (int32_t)(row * o->vstride + column * o->hstride) * size;
}

static bool own_gather(struct emu_src *s)
{
    s->gather = calloc(1, sizeof(*s->gather));
    return s->gather != NULL;
}

/* 8-bit floats of VF: sign, 3 bits of exponent (bias 3), 4 of fraction. */
static uint32_t expand_vf(uint32_t byte)
{
    if ((byte & 0x7F) == 0)
        return byte << 24;
    return (byte & 0x80) << 24 | ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19;
}

/* Lane i of an integer vector takes the nibble of the destination's word: i, or 2 i
 * where the destination has dwords. The compiler packs them so
 * (docs/develop/sources.md). */
static uint32_t nibble_step(const struct isa_operand *dst)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)dst->type);

    return dst->file == ISA_FILE_GRF && bytes > 2 ? bytes / 2 : 1;
}

static bool build_vector_imm(struct emu_src *s, const struct isa_operand *o,
                             uint32_t step)
{
    uint32_t imm = (uint32_t)o->imm;

    if (!own_gather(s))
        return false;
    s->region = EMU_REG_TABLE;
    if (o->type == ISA_TYPE_VF) {
        s->type = ISA_TYPE_F;
        for (uint32_t i = 0; i < 4; i++)
            ((emu_ud *)s->gather->data)[i] = expand_vf(imm >> (8 * i) & 0xFF);
        for (uint32_t i = 0; i < EMU_LANES; i++)
            s->gather->off[i] = (int32_t)(i % 4 * 4);
        return true;
    }
    s->type = o->type == ISA_TYPE_V ? ISA_TYPE_W : ISA_TYPE_UW;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t nibble = imm >> (4 * i) & 15;
        bool negative = o->type == ISA_TYPE_V && nibble >= 8;

        ((emu_uw *)s->gather->data)[i] =
            (uint16_t)(negative ? nibble | 0xFFF0 : nibble);
    }
    for (uint32_t i = 0; i < EMU_LANES; i++)
        s->gather->off[i] = (int32_t)(i * step % 8 * 2);
    return true;
}

static bool build_imm(struct emu_src *s, const struct isa_operand *o, uint32_t step)
{
    s->is_imm = true;
    s->imm = o->imm;
    s->region = EMU_REG_SCALAR;
    if (o->type == ISA_TYPE_V || o->type == ISA_TYPE_UV || o->type == ISA_TYPE_VF)
        return build_vector_imm(s, o, step);
    return true;
}

static bool is_linear(const struct isa_operand *o, uint32_t n)
{
    for (uint32_t i = 2; i < n; i++)
        if (element_offset(o, i) != (int32_t)i * element_offset(o, 1))
            return false;
    return true;
}

static bool build_region(struct emu_src *s, const struct isa_operand *o, uint32_t n)
{
    if (o->indirect) {
        s->region = EMU_REG_INDIRECT;
        s->vxh = o->vxh;
        s->vxh_width = o->width ? o->width : 1;
        s->addr_sub = o->addr_sub;
        s->addr_imm = o->addr_imm;
    } else if (n == 1 || (is_linear(o, n) && element_offset(o, 1) == 0)) {
        s->region = EMU_REG_SCALAR;
        return true;
    } else if (is_linear(o, n)) {
        s->region = EMU_REG_LINEAR;
        s->stride = element_offset(o, 1);
        return true;
    } else {
        s->region = EMU_REG_TABLE;
    }
    if (!own_gather(s))
        return false;
    for (uint32_t i = 0; i < n; i++)
        s->gather->off[i] = element_offset(o, i);
    return true;
}

/* Why the operand cannot be read, or NULL. */
static const char *check_source(const struct isa_operand *o, uint32_t n)
{
    struct file_place place = line_place(o->file);
    uint32_t start = o->reg * register_bytes(o->file) + o->byte;
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)o->type);

    if (place.bytes == 0)
        return "a source in a register file that is not modelled";
    if (size == 0)
        return "a source without a type";
    if (o->indirect)
        return o->file == ISA_FILE_GRF ? NULL : "an indirect source outside r";
    for (uint32_t i = 0; i < n; i++)
        if ((int32_t)start + element_offset(o, i) + size > (int32_t)place.bytes)
            return "a source region runs off its register file";
    return NULL;
}

static bool build_source(struct emu_op *op, uint32_t k)
{
    const struct isa_operand *o = &op->inst->src[k];
    struct emu_src *s = &op->src[k];

    s->type = o->type;
    s->mod = o->type == ISA_TYPE_UQ ? o->mod & ISA_MOD_NEG : o->mod; /* |x| = x */
    s->mme = o->mme;
    if (o->file == ISA_FILE_IMM)
        return build_imm(s, o, nibble_step(&op->inst->dst));
    if (op->reason == NULL)
        op->reason = check_source(o, op->exec);
    s->off = (int32_t)(line_place(o->file).offset + o->reg * register_bytes(o->file) +
                       o->byte);
    if (o->file == ISA_FILE_IP || o->file == ISA_FILE_TIME ||
        o->file == ISA_FILE_CHMASK)
        op->reads_state = 1;
    return build_region(s, o, op->exec);
}

/* ---- destination -------------------------------------------------------- */

/* The dispatch mask, which code generators of libraries set at a kernel's begin. */
static bool is_mask(const struct isa_operand *o, uint32_t n)
{
    enum { MASK = 8 };

    return o->byte == MASK && n == 1 && !o->indirect &&
           isa_type_bytes((enum isa_type)o->type) == 4;
}

static const char *check_dest(const struct isa_operand *o, uint32_t n)
{
    struct file_place place = line_place(o->file);
    uint32_t size = isa_type_bytes((enum isa_type)o->type);
    uint32_t start = o->reg * register_bytes(o->file) + o->byte;

    if (o->file == ISA_FILE_IP)
        return "a jump by writing ip";
    if (!place.writable || (o->file == ISA_FILE_STATE && !is_mask(o, n)))
        return "a destination in a register file that is not modelled";
    if (size == 0)
        return "a destination without a type";
    if (!o->indirect && start + (n - 1) * o->hstride * size + size > place.bytes)
        return "the destination runs off its register file";
    return NULL;
}

static void build_dest(struct emu_op *op)
{
    const struct isa_operand *o = &op->inst->dst;
    struct emu_dst *d = &op->dst;

    d->type = o->type;
    d->mme = o->mme;
    /* A write to tm0.4 makes the thread pause; there is nothing to compute. */
    d->none = o->file == ISA_FILE_NONE || o->file == ISA_FILE_NULL ||
              o->file == ISA_FILE_TIME;
    if (d->none)
        return;
    if (op->reason == NULL)
        op->reason = check_dest(o, op->exec);
    d->off = (int32_t)(line_place(o->file).offset + o->reg * register_bytes(o->file) +
                       o->byte);
    d->stride = (int32_t)(o->hstride * isa_type_bytes((enum isa_type)o->type));
    d->indirect = o->indirect;
    d->addr_sub = o->addr_sub;
    d->addr_imm = o->addr_imm;
    op->writes_ctrl = o->file == ISA_FILE_CTRL;
    op->writes_mask = o->file == ISA_FILE_STATE;
}

/* ---- the instruction ---------------------------------------------------- */

static void build_flags(struct emu_op *op)
{
    const struct isa_inst *inst = op->inst;
    uint32_t shift;

    op->pred = inst->pred;
    op->pred_inverse = inst->pred_inverse;
    op->cmod = inst->cmod;
    if (inst->flag < 0)
        return;
    shift = 16u * (uint32_t)(inst->flag & 1) + inst->chan_offset;
    op->flag_reg = (uint8_t)(inst->flag >> 1);
    op->flag_shift = (uint8_t)(shift & 31);
    if (shift + op->exec > 32)
        op->reason = "its flag bits run off the flag register";
}

/* Gen9 ends compute threads by a message to the thread spawner alone; what another one
 * would do beside that (a write, say) is not known. */
static void build_end(struct emu_op *op)
{
    if (op->kind == EMU_KIND_EOT && op->inst->msg.family != ISA_MSG_EOT)
        op->reason = "an end of thread (EOT) on a message that does not go to the "
                     "thread spawner";
}

static uint8_t kind_of(const struct isa_inst *inst)
{
    if (inst->msg.family == ISA_MSG_EOT || inst->eot)
        return EMU_KIND_EOT;
    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_SEND:
        return EMU_KIND_SEND;
    case ISA_CLASS_BRANCH:
        return inst->op == ISA_OP_ENDIF || inst->op == ISA_OP_JOIN ? EMU_KIND_NOP
                                                                   : EMU_KIND_BRANCH;
    case ISA_CLASS_SYNC:
        return EMU_KIND_WAIT;
    case ISA_CLASS_NOP:
        return EMU_KIND_NOP;
    default:
        return EMU_KIND_ALU;
    }
}

/* isa_blocks() has seen that every target is an instruction. */
static uint32_t target(const struct emu_program *p, int32_t pc)
{
    int32_t at = pc == ISA_NO_TARGET ? -1 : isa_find(p->code, (uint32_t)pc);

    return at < 0 ? UINT32_MAX : (uint32_t)at;
}

static bool build_operands(struct emu_op *op)
{
    const struct isa_inst *inst = op->inst;

    for (op->nsrc = inst->nsrc; op->nsrc > 0; op->nsrc--)
        if (inst->src[op->nsrc - 1].file != ISA_FILE_NULL)
            break;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (!build_source(op, k))
            return false;
    build_dest(op);
    return true;
}

static bool uses_mme(const struct isa_inst *inst)
{
    bool uses = inst->dst.mme != ISA_MME_NONE;

    for (uint32_t k = 0; k < inst->nsrc; k++)
        uses |= inst->src[k].mme != ISA_MME_NONE;
    return uses;
}

enum igpu_status emu_build_op(struct emu_program *p, uint32_t index,
                              struct igpu_err *err)
{
    const struct isa_inst *inst = &p->code->inst[index];
    struct emu_op *op = &p->op[index];

    op->inst = inst;
    op->index = index;
    op->opcode = inst->op;
    op->math = inst->math;
    op->exec = inst->exec_size;
    op->chan = inst->chan_offset;
    op->no_mask = inst->no_mask;
    op->saturate = inst->saturate;
    op->acc_wr = inst->acc_wr_en;
    op->kind = kind_of(inst);
    op->jip = target(p, inst->jip);
    op->uip = target(p, inst->uip);
    if (op->exec == 0 || op->exec > EMU_LANES || op->chan + op->exec > EMU_LANES)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "kernel %s: instruction at 0x%X has channels %u..%u", p->name,
                         inst->pc, op->chan, op->chan + op->exec - 1u);
    op->full = igpu_low_bits(op->exec);
    build_flags(op);
    build_end(op);
    if (op->kind == EMU_KIND_ALU && !build_operands(op))
        return igpu_no_memory(err, "kernel %s", p->name);
    emu_pick(op);
    p->has_macros |= uses_mme(inst);
    return IGPU_OK;
}

void emu_build_free(struct emu_op *op)
{
    for (uint32_t k = 0; k < ISA_MAX_SRC; k++)
        free(op->src[k].gather);
}
