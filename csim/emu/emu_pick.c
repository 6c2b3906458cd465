/* emu_pick.c - which function executes an instruction, in which domain. */
#include "emu_int.h"

static bool is_cmp(const struct emu_op *op)
{
    return op->opcode == ISA_OP_CMP || op->opcode == ISA_OP_CMPN;
}

static bool is_float(const struct emu_src *s)
{
    return isa_type_is_float((enum isa_type)s->type);
}

static bool any_64bit(const struct emu_op *op)
{
    bool wide = isa_type_bytes((enum isa_type)op->dst.type) == 8;

    for (uint32_t k = 0; k < op->nsrc; k++)
        wide |= isa_type_bytes((enum isa_type)op->src[k].type) == 8;
    return wide;
}

/* Moves and selections that only copy bits, whatever they mean. */
static bool copies_bits(const struct emu_op *op)
{
    bool copies = op->opcode == ISA_OP_MOV || op->opcode == ISA_OP_MOVI ||
                  op->opcode == ISA_OP_SMOV ||
                  (op->opcode == ISA_OP_SEL && op->pred != ISA_PRED_NONE);

    if (!copies || op->saturate || (op->cmod && op->opcode == ISA_OP_MOV) ||
        !isa_type_is_float((enum isa_type)op->dst.type))
        return false;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (op->src[k].type != op->dst.type || op->src[k].mod != ISA_MOD_NONE)
            return false;
    return true;
}

static const char *pick_domains(struct emu_op *op)
{
    uint32_t floats = 0;

    op->src_dom = EMU_DOM_INT;
    op->raw = copies_bits(op);
    for (uint32_t k = 0; k < op->nsrc && !op->raw; k++) {
        floats += is_float(&op->src[k]);
        if (op->src[k].type == ISA_TYPE_DF)
            op->src_dom = EMU_DOM_F64;
        else if (is_float(&op->src[k]) && op->src_dom == EMU_DOM_INT)
            op->src_dom = EMU_DOM_F32;
    }
    if (floats != 0 && floats != op->nsrc)
        return "integer and float sources in one instruction";
    for (uint32_t k = 0; k < op->nsrc; k++) {
        struct emu_src *s = &op->src[k];

        s->load = emu_pick_load((enum isa_type)s->type, (enum emu_domain)op->src_dom);
        if (s->load == NULL)
            return "a source type that is not modelled";
    }
    op->dst.dom = is_cmp(op) ? EMU_DOM_INT : op->src_dom;
    op->raw |= is_cmp(op); /* all ones or zero, of any type */
    op->is_hf = op->dst.type == ISA_TYPE_HF && op->src_dom == EMU_DOM_F32;
    for (uint32_t k = 0; k < op->nsrc; k++)
        op->is_hf &= op->src[k].type == ISA_TYPE_HF;
    op->is64 = any_64bit(op);
    return NULL;
}

/* Shifts count to 63 when the value or the result has 64 bits. */
static void fix_shift(struct emu_op *op)
{
    if (op->opcode == ISA_OP_SHL || op->opcode == ISA_OP_SHR ||
        op->opcode == ISA_OP_ASR)
        op->is64 = isa_type_bytes((enum isa_type)op->dst.type) == 8 ||
                   isa_type_bytes((enum isa_type)op->src[0].type) == 8;
}

static emu_alu_fn *pick_alu(struct emu_op *op)
{
    enum emu_domain domain = (enum emu_domain)op->src_dom;
    bool needs_wide = any_64bit(op) || op->saturate || op->cmod == ISA_CMOD_OV;
    emu_alu_fn *wide = needs_wide && domain == EMU_DOM_INT ? emu_alu_wide(op) : NULL;

    op->is_wide = wide != NULL;
    if (op->opcode == ISA_OP_MATH)
        return emu_alu_math(op, domain);
    if (wide != NULL)
        return wide;
    if (domain != EMU_DOM_INT)
        return emu_alu_float(op, domain);
    return emu_alu_int(op);
}

static uint8_t acc_of(const struct emu_op *op)
{
    const struct isa_operand *dst = &op->inst->dst;

    if (op->src_dom != EMU_DOM_INT)
        return EMU_ACC_NONE;
    if (op->acc_wr && (op->opcode == ISA_OP_ADDC || op->opcode == ISA_OP_SUBB ||
                       op->opcode == ISA_OP_MACH))
        return EMU_ACC_OWN;
    if (op->acc_wr || (dst->file == ISA_FILE_ACC && dst->reg == 0 && dst->byte == 0))
        return EMU_ACC_RESULT;
    return EMU_ACC_NONE;
}

/* Logic instructions have the bitwise not for a modifier, nothing else. */
static bool logic_with_abs(const struct emu_op *op)
{
    bool abs = false;

    for (uint32_t k = 0; k < op->nsrc; k++)
        abs |= (op->src[k].mod & ISA_MOD_ABS) != 0;
    return abs && (op->opcode == ISA_OP_AND || op->opcode == ISA_OP_OR ||
                   op->opcode == ISA_OP_XOR || op->opcode == ISA_OP_NOT);
}

static bool may_overflow(const struct emu_op *op)
{
    bool converts =
        (op->src_dom != EMU_DOM_INT) != isa_type_is_float((enum isa_type)op->dst.type);

    switch (op->opcode) {
    case ISA_OP_MOV:
    case ISA_OP_ADD:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_MAC:
        return !converts;
    case ISA_OP_SHL:
        return true;
    default:
        return false;
    }
}

static const char *refuse_cmod(const struct emu_op *op)
{
    bool chooses = op->opcode == ISA_OP_SEL || op->opcode == ISA_OP_CSEL;

    if (op->cmod == ISA_CMOD_EO)
        return "the early-out condition belongs to math.invm and math.rsqtm";
    if (chooses && op->cmod >= ISA_CMOD_OV)
        return "a selection by overflow or unordered";
    if (op->cmod == ISA_CMOD_OV && !may_overflow(op))
        return "an overflow condition where nothing public defines one";
    if (is_cmp(op) && op->cmod == ISA_CMOD_UN && op->src_dom == EMU_DOM_INT)
        return "integers are never unordered";
    if ((is_cmp(op) || op->opcode == ISA_OP_CSEL) && !op->cmod)
        return "a comparison without a condition modifier";
    if (op->opcode == ISA_OP_SEL && op->cmod && op->pred)
        return "sel with both a predicate and a condition modifier";
    return NULL;
}

/* Does a multiplication have a factor of 64 bits? Its product may need 128. */
static bool multiplies_64(const struct emu_op *op)
{
    bool wide = false;

    if (op->opcode != ISA_OP_MUL && op->opcode != ISA_OP_MAD)
        return false;
    for (uint32_t k = op->opcode == ISA_OP_MAD; k < op->nsrc; k++)
        wide |= isa_type_bytes((enum isa_type)op->src[k].type) == 8;
    return wide && op->src_dom == EMU_DOM_INT;
}

/* Combinations that Gen9 does not have or that nothing public defines. */
static const char *refuse(const struct emu_op *op)
{
    if (multiplies_64(op) && (op->saturate || op->cmod == ISA_CMOD_OV))
        return "Gen9 multiplies no 64-bit integers";
    if ((op->opcode == ISA_OP_ADDC || op->opcode == ISA_OP_SUBB) && !op->acc_wr)
        return "addc or subb without AccWrEn";
    if (logic_with_abs(op))
        return "Gen9 has no absolute value in a logic instruction";
    return refuse_cmod(op);
}

static bool is_macro(const struct emu_op *op)
{
    return op->opcode == ISA_OP_MADM ||
           (op->opcode == ISA_OP_MATH && op->math >= ISA_MATH_INVM);
}

static const char *pick_macro(struct emu_op *op)
{
    op->src_dom = op->dst.type == ISA_TYPE_DF ? EMU_DOM_F64 : EMU_DOM_F32;
    op->flops = (uint8_t)isa_flops(op->inst);
    op->run = emu_pick_madm();
    if (op->saturate || op->acc_wr || op->dst.none || op->dst.indirect)
        return "a macro with this destination is not modelled";
    if (op->dst.type != ISA_TYPE_DF && op->dst.type != ISA_TYPE_F)
        return "a macro of this type is not modelled";
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (op->src[k].type != op->dst.type || op->src[k].region > EMU_REG_LINEAR ||
            op->src[k].is_imm)
            return "a macro with this source is not modelled";
    return NULL;
}

/* src1 is a mask, not a value that is moved. */
static const char *pick_smov(struct emu_op *op)
{
    struct emu_src *mask = &op->src[1];

    if (op->nsrc != 2 || is_float(mask) ||
        (mask->region != EMU_REG_SCALAR && mask->region != EMU_REG_LINEAR))
        return "smov without a mask of whole numbers";
    mask->load = emu_pick_load((enum isa_type)mask->type, EMU_DOM_INT);
    op->nsrc = 1;
    return NULL;
}

static const char *pick_idiv(struct emu_op *op)
{
    uint32_t last = (uint32_t)op->inst->dst.reg + (op->exec + 7u) / 8 * 2;

    op->alu = emu_alu_math(op, (enum emu_domain)op->src_dom);
    op->run = emu_exec_idiv;
    if (op->alu == NULL || op->inst->dst.file != ISA_FILE_GRF || op->dst.indirect ||
        op->cmod || last > ISA_GRF_COUNT)
        return "math.idiv writes whole registers of quotients and remainders";
    return NULL;
}

static const char *pick_alu_op(struct emu_op *op)
{
    const char *reason;

    op->pred_on = op->pred != ISA_PRED_NONE && op->opcode != ISA_OP_SEL;
    if (is_macro(op))
        return pick_macro(op);
    if (op->opcode == ISA_OP_ILLEGAL)
        return "an illegal instruction";
    if (op->nsrc == 0)
        return "an instruction without sources";
    reason = op->opcode == ISA_OP_SMOV ? pick_smov(op) : NULL;
    if (reason == NULL && op->opcode == ISA_OP_MOVI &&
        (op->src[0].region != EMU_REG_INDIRECT || op->exec > 16))
        reason = "movi takes an indirect source for at most 16 channels";
    if (reason != NULL)
        return reason;
    reason = pick_domains(op);
    if (reason == NULL)
        reason = refuse(op);
    if (reason != NULL)
        return reason;
    fix_shift(op);
    op->flops = (uint8_t)isa_flops(op->inst);
    op->acc = acc_of(op);
    if (op->acc == EMU_ACC_OWN)
        op->acc_wr = 0;
    if (op->opcode == ISA_OP_SEL && op->pred) {
        op->run = emu_exec_sel;
        return NULL;
    }
    op->run = is_cmp(op) ? emu_exec_cmp : emu_exec_general;
    if (op->opcode == ISA_OP_SMOV)
        op->run = emu_exec_smov;
    if (op->opcode == ISA_OP_MATH && op->math == ISA_MATH_IDIV)
        return pick_idiv(op);
    reason = emu_pick_vector(op);
    if (reason == NULL && op->alu == NULL)
        op->alu = pick_alu(op);
    if (reason == NULL && op->alu == NULL)
        reason = "Gen9 does not have this opcode with these types";
    return reason;
}

void emu_pick(struct emu_op *op)
{
    const char *reason = NULL;
    emu_run_fn *fused;

    switch (op->kind) {
    case EMU_KIND_ALU:
        reason = pick_alu_op(op);
        break;
    case EMU_KIND_SEND:
        op->pred_on = op->pred != ISA_PRED_NONE;
        op->run = emu_pick_send(op);
        break;
    default:
        break;
    }
    if (op->reason == NULL)
        op->reason = reason;
    if (op->reason != NULL) {
        op->run = emu_exec_reason;
        return;
    }
    fused = op->kind == EMU_KIND_ALU ? emu_pick_fused(op) : NULL;
    if (fused != NULL)
        op->run = fused;
}
