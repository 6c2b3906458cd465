/* lockstep_refuse.c - see lockstep_refuse.h. */
#include "bridge/engines/rtl/lockstep_refuse.h"

#include "bridge/engines/rtl/values_plan.h"

/* A register that the RTL has, or makes. */
static bool has_source(const struct isa_operand *o)
{
    switch (o->file) {
    case ISA_FILE_MSG:
    case ISA_FILE_SP:
    case ISA_FILE_NOTIFY:
    case ISA_FILE_TDR:
    case ISA_FILE_OTHER:
        return false;
    case ISA_FILE_CTRL:
        return o->byte < 4;
    default:
        return true;
    }
}

static bool has_destination(const struct isa_operand *o)
{
    switch (o->file) {
    case ISA_FILE_NONE:
    case ISA_FILE_NULL:
    case ISA_FILE_GRF:
    case ISA_FILE_ADDR:
    case ISA_FILE_ACC:
    case ISA_FILE_FLAG:
    case ISA_FILE_NOTIFY:
        return true;
    case ISA_FILE_CTRL:
        return o->byte < 4;
    default:
        return false;
    }
}

static bool refuses_branch(const struct isa_inst *inst)
{
    switch (inst->op) {
    case ISA_OP_JMPI:
        return inst->jip == ISA_NO_TARGET;
    default:
        return false;
    }
}

/* What is more than one operation of the FPU, or has a block of its own: the RTL's plan
 * makes them (igpu_eu_micro, igpu_eu_macro). */
static bool is_composed(const struct isa_inst *inst)
{
    switch (inst->op) {
    case ISA_OP_MAC:
        return isa_type_is_float((enum isa_type)inst->src[0].type);
    case ISA_OP_SMOV:
        return inst->src[1].file == ISA_FILE_IMM;
    case ISA_OP_MATH:
        return inst->math >= ISA_MATH_INVM;
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
    case ISA_OP_LINE:
    case ISA_OP_PLN:
    case ISA_OP_LRP:
    case ISA_OP_SAD2:
    case ISA_OP_MADM:
        return true;
    default:
        return false;
    }
}

bool lockstep_refuses(const struct isa_inst *inst)
{
    struct values_plan plan;

    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_BRANCH:
        return refuses_branch(inst);
    case ISA_CLASS_SEND:
    case ISA_CLASS_SYNC:
    case ISA_CLASS_NOP:
        return false;
    default:
        break;
    }
    values_plan_make(inst, &plan);
    if (!is_composed(inst) &&
        (!plan.is_fpu || plan.reason != NULL || plan.macro || inst->op == ISA_OP_MOVI))
        return true;
    if ((inst->op == ISA_OP_MATH && inst->saturate) || !has_destination(&inst->dst))
        return true;
    for (uint32_t k = 0; k < inst->nsrc; k++)
        if (!has_source(&inst->src[k]) || inst->src[k].swizzle != 0)
            return true;
    return false;
}
