/* values_plan.c - see values_plan.h. */
#include "bridge/engines/rtl/values_plan.h"

#include <string.h>

enum { NOT_THERE = IGPU_FPU_OP_COUNT };

static uint8_t rtl_op(uint8_t op)
{
    static const uint8_t of[ISA_OP_COUNT] = {
        [ISA_OP_MOV] = 1 + IGPU_FPU_OP_MOV,   [ISA_OP_MOVI] = 1 + IGPU_FPU_OP_MOV,
        [ISA_OP_ADD] = 1 + IGPU_FPU_OP_ADD,   [ISA_OP_MUL] = 1 + IGPU_FPU_OP_MUL,
        [ISA_OP_MAD] = 1 + IGPU_FPU_OP_MAD,   [ISA_OP_CMP] = 1 + IGPU_FPU_OP_CMP,
        [ISA_OP_SEL] = 1 + IGPU_FPU_OP_SEL,   [ISA_OP_CSEL] = 1 + IGPU_FPU_OP_CSEL,
        [ISA_OP_RNDD] = 1 + IGPU_FPU_OP_RNDD, [ISA_OP_RNDU] = 1 + IGPU_FPU_OP_RNDU,
        [ISA_OP_RNDE] = 1 + IGPU_FPU_OP_RNDE, [ISA_OP_RNDZ] = 1 + IGPU_FPU_OP_RNDZ,
        [ISA_OP_FRC] = 1 + IGPU_FPU_OP_FRC,   [ISA_OP_AND] = 1 + IGPU_FPU_OP_AND,
        [ISA_OP_OR] = 1 + IGPU_FPU_OP_OR,     [ISA_OP_XOR] = 1 + IGPU_FPU_OP_XOR,
        [ISA_OP_NOT] = 1 + IGPU_FPU_OP_NOT,   [ISA_OP_SHL] = 1 + IGPU_FPU_OP_SHL,
        [ISA_OP_SHR] = 1 + IGPU_FPU_OP_SHR,   [ISA_OP_ASR] = 1 + IGPU_FPU_OP_ASR,
        [ISA_OP_AVG] = 1 + IGPU_FPU_OP_AVG,   [ISA_OP_ADDC] = 1 + IGPU_FPU_OP_ADDC,
        [ISA_OP_SUBB] = 1 + IGPU_FPU_OP_SUBB, [ISA_OP_MACH] = 1 + IGPU_FPU_OP_MACH,
        [ISA_OP_BFE] = 1 + IGPU_FPU_OP_BFE,   [ISA_OP_BFI1] = 1 + IGPU_FPU_OP_BFI1,
        [ISA_OP_BFI2] = 1 + IGPU_FPU_OP_BFI2, [ISA_OP_BFREV] = 1 + IGPU_FPU_OP_BFREV,
        [ISA_OP_CBIT] = 1 + IGPU_FPU_OP_CBIT, [ISA_OP_FBH] = 1 + IGPU_FPU_OP_FBH,
        [ISA_OP_FBL] = 1 + IGPU_FPU_OP_FBL,   [ISA_OP_LZD] = 1 + IGPU_FPU_OP_LZD,
        [ISA_OP_MADM] = 1 + IGPU_FPU_OP_MAD,  [ISA_OP_CMPN] = 1 + IGPU_FPU_OP_CMPN};

    return op < ISA_OP_COUNT && of[op] ? of[op] - 1 : NOT_THERE;
}

static bool is_float(uint8_t type)
{
    return isa_type_is_float((enum isa_type)type);
}

static bool is_int32(uint8_t type)
{
    return type == ISA_TYPE_D || type == ISA_TYPE_UD;
}

/* Operations without an RTL block, by name. */
static const char *no_block(const struct isa_inst *inst)
{
    switch (inst->op) {
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
        return "dp2 dp3 dp4 dph: sums across lanes";
    case ISA_OP_LINE:
    case ISA_OP_PLN:
    case ISA_OP_LRP:
        return "line pln lrp: more than one rounding";
    case ISA_OP_SAD2:
    case ISA_OP_SADA2:
        return "sad2 sada2: sums across lanes";
    case ISA_OP_MAC:
        return "mac: the accumulator as a source";
    case ISA_OP_SMOV:
        return "smov: a mask of its own";
    default:
        return "an operation of several";
    }
}

static const char *plan_math(const struct isa_inst *inst, struct values_plan *p)
{
    uint8_t type = p->in.stype[0];
    bool same = true, division = inst->math >= ISA_MATH_IDIV;

    for (uint32_t k = 0; k < p->shape.nsrc; k++)
        same &= p->shape.type[k] == type;
    p->in.math = true;
    p->in.op = inst->math;
    if (inst->math >= ISA_MATH_INVM) { /* mantissas, as numbers without sign */
        p->nsrc = inst->math == ISA_MATH_INVM ? 1 : 2;
        p->in.dtype = p->in.stype[0] = p->in.stype[1] = p->in.stype[2] = ISA_TYPE_UD;
        memset(p->in.mod, 0, sizeof(p->in.mod));
        return NULL;
    }
    if (!same || (!division && inst->dst.type != type))
        return "math with operands and result of different types";
    if (inst->saturate || inst->cmod)
        return "math with saturation or a condition";
    if (!division)
        return type == ISA_TYPE_F || type == ISA_TYPE_HF ? NULL : "math of other types";
    p->passes = inst->math == ISA_MATH_IDIV ? 2 : 1;
    /* The sources' type says how to divide; the result has the low 32 bits. */
    return is_int32(type) && is_int32(p->in.dtype) && !inst->src[0].mod &&
                   !inst->src[1].mod
               ? NULL
               : "integer division of other types or with modifiers";
}

static const char *plan_lanes(const struct isa_inst *inst, struct values_plan *p)
{
    uint8_t op = rtl_op(inst->op);
    bool plain = op == IGPU_FPU_OP_MOV || op == IGPU_FPU_OP_ADD ||
                 op == IGPU_FPU_OP_SEL || op == IGPU_FPU_OP_CMP ||
                 op == IGPU_FPU_OP_CMPN ||
                 (op >= IGPU_FPU_OP_AND && op <= IGPU_FPU_OP_NOT);

    if (op == NOT_THERE)
        return no_block(inst);
    p->in.op = op;
    p->in.cmod = inst->cmod;
    p->in.saturate = inst->saturate;
    p->carry = op == IGPU_FPU_OP_ADDC || op == IGPU_FPU_OP_SUBB;
    if (inst->op == ISA_OP_MADM && (inst->saturate || inst->cmod))
        return "madm with saturation or a condition";
    if (!plain && !is_float(p->in.stype[0]) && is_float(p->in.dtype))
        return "an integer product or shift that becomes a float";
    return NULL;
}

void values_plan_make(const struct isa_inst *inst, struct values_plan *p)
{
    memset(p, 0, sizeof(*p));
    fpu_shape_of(inst, &p->shape);
    p->is_fpu = p->shape.is_fpu;
    p->nsrc = p->shape.nsrc;
    p->lanes = inst->exec_size;
    p->passes = 1;
    if (!p->is_fpu || p->nsrc == 0)
        return;
    if (inst->op == ISA_OP_MOVI)
        p->nsrc = 1;
    for (uint32_t k = 0; k < 3; k++) {
        p->in.stype[k] = p->shape.type[k < p->nsrc ? k : 0];
        p->in.mod[k] = k < p->nsrc ? inst->src[k].mod : 0;
        if (p->in.stype[k] == ISA_TYPE_UQ)
            p->in.mod[k] &= ISA_MOD_NEG;
    }
    p->in.dtype = inst->dst.type != ISA_TYPE_NONE ? inst->dst.type : p->in.stype[0];
    p->reason = inst->op == ISA_OP_MATH ? plan_math(inst, p) : plan_lanes(inst, p);
    p->macro = p->shape.result_form == FPU_FORM_WIDE;
    p->wide_result = inst->dst.mme >= 0 && inst->dst.mme < ISA_MME_NOMME;
    p->flags = p->shape.has_flags && !p->macro; /* of macros: early out */
    p->result = p->shape.result_form != FPU_FORM_NONE;
    p->slot_bytes = (uint8_t)(fpu_rtl_slot_bits(&p->in) / 8);
    p->result_bytes = (uint8_t)isa_type_bytes((enum isa_type)p->in.dtype);
    for (uint32_t k = 0; k < 3; k++)
        p->source_bytes[k] = (uint8_t)isa_type_bytes((enum isa_type)p->in.stype[k]);
}
