/* fpu_shape.c - see igpu/values.h. */
#include "igpu/values.h"

static bool is_macro(const struct isa_inst *inst)
{
    return inst->op == ISA_OP_MADM ||
           (inst->op == ISA_OP_MATH && inst->math >= ISA_MATH_INVM);
}

static bool is_scalar(const struct isa_operand *o, uint32_t lanes)
{
    uint32_t width = o->width ? o->width : 1;
    bool still = o->hstride == 0 || width == 1;

    if (o->indirect)
        return false;
    return lanes == 1 || (still && (o->vstride == 0 || width >= lanes));
}

/* Vector immediates become elements of an ordinary type. */
static uint8_t element_type(uint8_t type)
{
    switch (type) {
    case ISA_TYPE_V:
        return ISA_TYPE_W;
    case ISA_TYPE_UV:
        return ISA_TYPE_UW;
    case ISA_TYPE_VF:
        return ISA_TYPE_F;
    default:
        return type;
    }
}

static void shape_source(const struct isa_inst *inst, uint32_t k, struct fpu_shape *s)
{
    const struct isa_operand *o = &inst->src[k];

    s->type[k] = element_type(o->type);
    if (is_macro(inst))
        s->form[k] = FPU_FORM_WIDE;
    else if (o->file == ISA_FILE_IMM)
        s->form[k] = s->type[k] == o->type ? FPU_FORM_IMM : FPU_FORM_VECTOR;
    else
        s->form[k] = is_scalar(o, inst->exec_size) && inst->op != ISA_OP_MOVI
                         ? FPU_FORM_SCALAR
                         : FPU_FORM_VECTOR;
}

static void shape_result(const struct isa_inst *inst, struct fpu_shape *s)
{
    uint8_t file = inst->dst.file;
    bool none = file == ISA_FILE_NONE || file == ISA_FILE_NULL || file == ISA_FILE_TIME;
    bool own = inst->acc_wr_en && (inst->op == ISA_OP_ADDC || inst->op == ISA_OP_SUBB ||
                                   inst->op == ISA_OP_MACH);

    s->result_type = inst->dst.type;
    s->has_carry = own;
    s->has_second = inst->op == ISA_OP_MATH && inst->math == ISA_MATH_IDIV;
    s->result_form = none && (own || !inst->acc_wr_en) ? FPU_FORM_NONE
                     : is_macro(inst)                  ? FPU_FORM_WIDE
                                                       : FPU_FORM_VECTOR;
    if (isa_type_bytes((enum isa_type)inst->dst.type) == 0)
        s->result_form = FPU_FORM_NONE;
}

void fpu_shape_of(const struct isa_inst *inst, struct fpu_shape *s)
{
    *s = (struct fpu_shape){0};
    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_MOVE:
    case ISA_CLASS_LOGIC:
    case ISA_CLASS_ARITH:
    case ISA_CLASS_MATH:
        break;
    default:
        return;
    }
    s->is_fpu = !inst->eot;
    for (s->nsrc = inst->nsrc; s->nsrc > 0; s->nsrc--)
        if (inst->src[s->nsrc - 1].file != ISA_FILE_NULL)
            break;
    for (uint32_t k = 0; k < s->nsrc; k++)
        shape_source(inst, k, s);
    shape_result(inst, s);
    s->has_pred = inst->op == ISA_OP_SEL && inst->pred != ISA_PRED_NONE;
    s->has_flags = inst->cmod != ISA_CMOD_NONE && inst->op != ISA_OP_SEL &&
                   inst->op != ISA_OP_CSEL;
    s->has_acc =
        inst->op == ISA_OP_MAC || inst->op == ISA_OP_MACH || inst->op == ISA_OP_SADA2;
}

void fpu_values_immediates(const struct isa_inst *inst, const struct fpu_shape *s,
                           struct fpu_values *v)
{
    for (uint32_t k = 0; k < s->nsrc; k++)
        if (s->form[k] == FPU_FORM_IMM)
            for (uint32_t i = 0; i < inst->exec_size; i++)
                v->src[k][i] = inst->src[k].imm;
}
