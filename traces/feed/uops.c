/* uops.c - see uops.h. Rule numbers are sections of docs/contract/model.md. */
#include "traces/feed/uops.h"

#include <string.h>

static uint32_t grfs(uint32_t bytes)
{
    uint32_t n = (bytes + ISA_GRF_BYTES - 1) / ISA_GRF_BYTES;

    return n == 0 ? 1 : n > 8 ? 8 : n;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool is_int32(uint8_t type)
{
    return type == ISA_TYPE_D || type == ISA_TYPE_UD;
}

/* 5.1: the type in which the instruction occupies the lanes. */
static enum isa_type lane_type(const struct isa_inst *inst)
{
    enum isa_type type = isa_exec_type(inst);
    uint32_t dst_bytes = isa_type_bytes((enum isa_type)inst->dst.type);

    if ((inst->op == ISA_OP_MOV || type == ISA_TYPE_NONE || dst_bytes == 8) &&
        dst_bytes > isa_type_bytes(type))
        type = (enum isa_type)inst->dst.type;
    return type;
}

/* 5.1: a multiply of two 32-bit integers takes two passes. */
static bool is_mul32(const struct isa_inst *inst)
{
    switch (inst->op) {
    case ISA_OP_MUL:
    case ISA_OP_MACH:
    case ISA_OP_MAC:
        return is_int32(inst->src[0].type) && is_int32(inst->src[1].type);
    case ISA_OP_MAD:
        return is_int32(inst->src[1].type) && is_int32(inst->src[2].type);
    default:
        return false;
    }
}

static enum uop_class math_class(uint8_t function)
{
    switch (function) {
    case ISA_MATH_FDIV:
    case ISA_MATH_POW:
        return UOP_MATH2;
    case ISA_MATH_IDIV:
    case ISA_MATH_IQOT:
    case ISA_MATH_IREM:
        return UOP_IDIV;
    default:
        return UOP_MATH;
    }
}

static enum uop_class alu_class(const struct isa_inst *inst)
{
    enum isa_type type = lane_type(inst);

    switch (inst->op) {
    case ISA_OP_MATH:
        return math_class(inst->math);
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
        return UOP_DOT;
    case ISA_OP_LRP:
    case ISA_OP_LINE:
    case ISA_OP_PLN:
        return UOP_LRP;
    default:
        break;
    }
    if (type == ISA_TYPE_DF)
        return UOP_DF;
    if (type == ISA_TYPE_Q || type == ISA_TYPE_UQ || is_mul32(inst))
        return UOP_ALU64;
    return UOP_ALU32;
}

static uint8_t x_bits(const struct isa_regset *set)
{
    uint8_t bits = set->flags & 0x0fU; /* UOP_X_F0_0 .. F1_1 in the same order */

    if (set->acc != 0)
        bits |= UOP_X_ACC;
    if (set->addr != 0)
        bits |= UOP_X_ADDR;
    if (set->other & ISA_OTHER_NOTIFY)
        bits |= UOP_X_N0;
    if (set->other & ~(unsigned)ISA_OTHER_NOTIFY)
        bits |= UOP_X_CTL;
    return bits;
}

static bool is_vector_grf(const struct isa_operand *src)
{
    return src->file == ISA_FILE_GRF && !src->indirect &&
           (src->vstride != 0 || src->hstride != 0);
}

/* 5.3: bank of a register. */
static unsigned bank(uint8_t reg)
{
    return (reg & 1U) | (reg >= 64 ? 2U : 0U);
}

static uint32_t bank_conflicts(const struct isa_inst *inst)
{
    const struct isa_operand *a = &inst->src[1];
    const struct isa_operand *b = &inst->src[2];

    if (inst->nsrc != 3 || !is_vector_grf(a) || !is_vector_grf(b))
        return 0;
    if (a->reg == b->reg || bank(a->reg) != bank(b->reg))
        return 0;
    return grfs(inst->exec_size * isa_type_bytes((enum isa_type)a->type));
}

/* ---- 5.5: operands that cost more ---- */

/* More GRFs than this no instruction passes through front end or unit. */
enum { MOST_GRFS = 15 };

static bool by_address(const struct isa_inst *inst)
{
    bool any = inst->dst.indirect;

    for (unsigned i = 0; i < inst->nsrc; i++)
        any |= inst->src[i].indirect;
    return any;
}

/* Addresses of a VxH source, one a row; of several sources the most. */
static uint32_t rows(const struct isa_inst *inst)
{
    uint32_t most = 0;

    for (unsigned i = 0; i < inst->nsrc; i++) {
        const struct isa_operand *src = &inst->src[i];
        uint32_t width = larger(src->width, 1);

        if (src->indirect && src->vxh)
            most = larger(most, (inst->exec_size + width - 1) / width);
    }
    return most;
}

/* GRFs in which the lanes of a source lie. */
static uint32_t source_grfs(const struct isa_operand *src, uint32_t lanes)
{
    uint32_t width = larger(src->width, 1), count = 0;
    uint32_t bytes = isa_type_bytes((enum isa_type)src->type);
    /* A bit for each GRF from the first on: at most 32 * 8 * 4 bytes. */
    uint32_t seen = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t element = i / width * src->vstride + i % width * src->hstride;
        uint32_t at = (src->byte + element * bytes) / ISA_GRF_BYTES;

        if (at < 32 && !(seen >> at & 1)) {
            seen |= UINT32_C(1) << at;
            count++;
        }
    }
    return count;
}

/* GRFs that a source reads beyond one for each pass; of several sources the most. */
static uint32_t grfs_beyond(const struct isa_inst *inst, uint32_t passes)
{
    uint32_t most = 0;

    for (unsigned i = 0; i < inst->nsrc; i++) {
        const struct isa_operand *src = &inst->src[i];

        if (is_vector_grf(src))
            most = larger(most, source_grfs(src, inst->exec_size));
    }
    return most > passes ? most - passes : 0;
}

static void charge_operands(const struct isa_inst *inst,
                            const struct igpu_config *config, struct uop *uop)
{
    uint32_t scattered = (uint32_t)config->eu_indirect_row * rows(inst);
    uint32_t more =
        scattered + (uint32_t)config->eu_region_grf * grfs_beyond(inst, uop->exec_grfs);
    uint32_t front, passes = larger(uop->exec_grfs, scattered);

    if (by_address(inst))
        more += (uint32_t)config->eu_indirect_grf;
    front = uop->dst_grfs + more;
    uop->dst_grfs = (uint8_t)(front > MOST_GRFS ? MOST_GRFS : front);
    uop->exec_grfs = (uint8_t)(passes > MOST_GRFS ? MOST_GRFS : passes);
}

static void fill_send(const struct isa_inst *inst, struct uop *uop)
{
    uint32_t payload = (uint32_t)inst->msg.mlen + inst->msg.ext_mlen;

    uop->unit = UOP_SEND;
    uop->cls = UOP_MSG;
    uop->payload = (uint8_t)(payload == 0 ? 1 : payload > 31 ? 31 : payload);
    uop->rlen = inst->msg.rlen > 16 ? 16 : inst->msg.rlen;
    if (inst->eot) {
        uop->flags = UOP_EOT;
        memset(uop->need, 0xff, sizeof(uop->need));
        uop->need_x = 0xff;
        memset(uop->set, 0, sizeof(uop->set));
        uop->set_x = 0;
    } else if (inst->msg.family == ISA_MSG_PAYLOAD) {
        uop->flags = UOP_PORT | UOP_WB; /* nothing runs before it is there */
        memset(uop->set, 0xff, sizeof(uop->set));
        memset(uop->need, 0xff, sizeof(uop->need));
        uop->set_x = 0;
    } else if (inst->msg.family == ISA_MSG_BARRIER) {
        uop->flags = UOP_GATE | UOP_WB;
        uop->rlen = 0;
        uop->need_x |= UOP_X_N0;
        uop->set_x |= UOP_X_N0;
    } else {
        uop->flags = UOP_PORT;
        if (uop->rlen > 0)
            uop->flags |= UOP_WB;
        else
            memset(uop->set, 0, sizeof(uop->set));
        uop->set_x = 0;
    }
}

static void fill_branch(const struct isa_inst *inst, struct uop *uop)
{
    enum isa_class cls = isa_opcode_class((enum isa_opcode)inst->op);

    uop->unit = UOP_BRANCH;
    uop->cls = cls == ISA_CLASS_BRANCH ? UOP_CTRL : UOP_NOP;
    memset(uop->set, 0, sizeof(uop->set));
    uop->set_x = 0;
}

static void fill_alu(const struct isa_inst *inst, const struct isa_regset *writes,
                     struct uop *uop)
{
    uint32_t lane_bytes = isa_type_bytes(lane_type(inst));
    uint32_t stride = inst->dst.hstride == 0 ? 1 : inst->dst.hstride;
    uint32_t dst_bytes = isa_type_bytes((enum isa_type)inst->dst.type) * stride;
    bool none = inst->dst.file == ISA_FILE_NULL || inst->dst.file == ISA_FILE_NONE;

    uop->cls = (uint8_t)alu_class(inst);
    uop->unit = uop->cls == UOP_DF || uop->cls == UOP_MATH || uop->cls == UOP_MATH2 ||
                        uop->cls == UOP_IDIV
                    ? UOP_FPU1
                    : UOP_FPU_ANY;
    uop->exec_grfs = (uint8_t)grfs(inst->exec_size * lane_bytes);
    uop->dst_grfs = (uint8_t)(none ? 1 : grfs(inst->exec_size * dst_bytes));
    uop->conflicts = (uint8_t)bank_conflicts(inst);
    if (writes->flags != 0)
        uop->dst = UOP_DST_FLAG;
    else if (inst->dst.file == ISA_FILE_ACC || (none && writes->acc != 0))
        uop->dst = UOP_DST_ACC;
    else
        uop->dst = UOP_DST_GRF;
}

void uop_from_inst(const struct isa_inst *inst, const struct igpu_config *config,
                   struct uop *uop)
{
    struct isa_regset reads, writes;

    memset(uop, 0, sizeof(*uop));
    uop->at = inst->pc;
    uop->bytes = inst->size;
    uop->switches = inst->thread_switch;
    isa_regs(inst, &reads, &writes);
    for (unsigned i = 0; i < 2; i++) {
        uop->need[i] = reads.grf[i] | writes.grf[i];
        uop->set[i] = writes.grf[i];
    }
    uop->set_x = x_bits(&writes);
    uop->need_x = (uint8_t)(uop->set_x | x_bits(&reads));
    uop->exec_grfs = 1;
    uop->dst_grfs = 1;
    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_SEND:
        fill_send(inst, uop);
        break;
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_SYNC:
    case ISA_CLASS_NOP:
    case ISA_CLASS_NONE:
        fill_branch(inst, uop);
        break;
    default:
        fill_alu(inst, &writes, uop);
        if (config != NULL)
            charge_operands(inst, config, uop);
        break;
    }
}

void uops_from_code(const struct isa_kernel_code *code,
                    const struct igpu_config *config, struct uop *out)
{
    for (uint32_t i = 0; i < code->count; i++)
        uop_from_inst(&code->inst[i], config, &out[i]);
}

const char *uop_unit_name(enum uop_unit unit)
{
    static const char *const names[] = {"FPU0/1", "FPU1", "SEND", "BRANCH"};

    return (unsigned)unit < 4 ? names[unit] : "?";
}
