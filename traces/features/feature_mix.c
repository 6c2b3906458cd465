/* feature_mix.c - the mix of instructions: each static one as often as its block was
 * executed. */
#include "traces/features/feature_state.h"

/* FEATURE_COUNT where nothing is counted. */
static enum feature class_feature(enum isa_class cls)
{
    static const uint16_t of[] = {
        [ISA_CLASS_MOVE] = FEATURE_CLASS_MOVE,
        [ISA_CLASS_LOGIC] = FEATURE_CLASS_LOGIC,
        [ISA_CLASS_ARITH] = FEATURE_CLASS_ARITH,
        [ISA_CLASS_MATH] = FEATURE_CLASS_MATH,
        [ISA_CLASS_BRANCH] = FEATURE_CLASS_BRANCH,
        [ISA_CLASS_SEND] = FEATURE_CLASS_SEND,
        [ISA_CLASS_SYNC] = FEATURE_CLASS_SYNC,
        [ISA_CLASS_NOP] = FEATURE_CLASS_NOP,
    };

    return cls == ISA_CLASS_NONE ? FEATURE_COUNT : (enum feature)of[cls];
}

static enum feature op_feature(uint8_t op)
{
    switch (op) {
    case ISA_OP_MOV:
    case ISA_OP_MOVI:
    case ISA_OP_SMOV:
        return FEATURE_OP_MOV;
    case ISA_OP_SEL:
    case ISA_OP_CSEL:
        return FEATURE_OP_SEL;
    case ISA_OP_CMP:
    case ISA_OP_CMPN:
        return FEATURE_OP_CMP;
    case ISA_OP_ADD:
    case ISA_OP_ADDC:
    case ISA_OP_SUBB:
    case ISA_OP_AVG:
        return FEATURE_OP_ADD;
    case ISA_OP_MUL:
        return FEATURE_OP_MUL;
    case ISA_OP_MAD:
    case ISA_OP_MAC:
    case ISA_OP_MADM:
        return FEATURE_OP_MAD;
    case ISA_OP_MACH:
        return FEATURE_OP_MACH;
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_ASR:
        return FEATURE_OP_SHIFT;
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_NOT:
        return FEATURE_OP_BITWISE;
    case ISA_OP_FRC:
    case ISA_OP_RNDU:
    case ISA_OP_RNDD:
    case ISA_OP_RNDE:
    case ISA_OP_RNDZ:
        return FEATURE_OP_ROUND;
    default:
        break;
    }
    switch (isa_opcode_class((enum isa_opcode)op)) {
    case ISA_CLASS_LOGIC:
        return FEATURE_OP_BITS;
    case ISA_CLASS_ARITH:
        return FEATURE_OP_DOT;
    default:
        return FEATURE_COUNT;
    }
}

static enum feature math_feature(uint8_t function)
{
    static const uint16_t of[ISA_MATH_COUNT] = {
        [ISA_MATH_INV] = FEATURE_MATH_INV,    [ISA_MATH_LOG] = FEATURE_MATH_LOGEXP,
        [ISA_MATH_EXP] = FEATURE_MATH_LOGEXP, [ISA_MATH_SQT] = FEATURE_MATH_ROOT,
        [ISA_MATH_RSQT] = FEATURE_MATH_ROOT,  [ISA_MATH_SIN] = FEATURE_MATH_TRIG,
        [ISA_MATH_COS] = FEATURE_MATH_TRIG,   [ISA_MATH_FDIV] = FEATURE_MATH_DIV,
        [ISA_MATH_POW] = FEATURE_MATH_DIV,    [ISA_MATH_IDIV] = FEATURE_MATH_IDIV,
        [ISA_MATH_IQOT] = FEATURE_MATH_IDIV,  [ISA_MATH_IREM] = FEATURE_MATH_IDIV,
        [ISA_MATH_INVM] = FEATURE_MATH_MACRO, [ISA_MATH_RSQTM] = FEATURE_MATH_MACRO,
    };

    return of[function] == 0 ? FEATURE_COUNT : (enum feature)of[function];
}

static enum feature type_feature(const struct isa_inst *inst)
{
    if (isa_type_bytes((enum isa_type)inst->dst.type) == 1)
        return FEATURE_TYPE_B;
    switch (isa_exec_type(inst)) {
    case ISA_TYPE_NONE:
        return FEATURE_COUNT;
    case ISA_TYPE_HF:
        return FEATURE_TYPE_HF;
    case ISA_TYPE_F:
    case ISA_TYPE_VF:
        return FEATURE_TYPE_F;
    case ISA_TYPE_DF:
        return FEATURE_TYPE_DF;
    case ISA_TYPE_Q:
    case ISA_TYPE_UQ:
        return FEATURE_TYPE_Q;
    case ISA_TYPE_D:
    case ISA_TYPE_UD:
        return FEATURE_TYPE_D;
    default:
        return FEATURE_TYPE_W;
    }
}

static enum feature branch_feature(uint8_t op)
{
    switch (op) {
    case ISA_OP_IF:
    case ISA_OP_ELSE:
        return FEATURE_BRANCH_IF;
    case ISA_OP_ENDIF:
        return FEATURE_BRANCH_ENDIF;
    case ISA_OP_WHILE:
    case ISA_OP_BREAK:
    case ISA_OP_CONT:
    case ISA_OP_HALT:
        return FEATURE_BRANCH_LOOP;
    case ISA_OP_GOTO:
    case ISA_OP_JOIN:
        return FEATURE_BRANCH_GOTO;
    case ISA_OP_JMPI:
    case ISA_OP_BRD:
    case ISA_OP_BRC:
        return FEATURE_BRANCH_JUMP;
    default:
        return FEATURE_BRANCH_CALL;
    }
}

static void mix_add(double *value, enum feature feature, double times)
{
    if (feature != FEATURE_COUNT)
        value[feature] += times;
}

static void add_form(double *value, const struct isa_inst *inst, double times)
{
    struct isa_regset reads, writes;
    bool indirect = inst->dst.indirect, immediate = false;

    for (uint32_t i = 0; i < inst->nsrc; i++) {
        indirect = indirect || inst->src[i].indirect;
        immediate = immediate || inst->src[i].file == ISA_FILE_IMM;
    }
    isa_regs(inst, &reads, &writes);
    value[FEATURE_FORM_PREDICATED] += inst->pred != ISA_PRED_NONE ? times : 0;
    value[FEATURE_FORM_CMOD] += inst->cmod != ISA_CMOD_NONE ? times : 0;
    value[FEATURE_FORM_NOMASK] += inst->no_mask ? times : 0;
    value[FEATURE_FORM_COMPACT] += inst->compacted ? times : 0;
    value[FEATURE_FORM_SATURATE] += inst->saturate ? times : 0;
    value[FEATURE_FORM_SWITCH] += inst->thread_switch ? times : 0;
    value[FEATURE_FORM_INDIRECT] += indirect ? times : 0;
    value[FEATURE_FORM_IMMEDIATE] += immediate ? times : 0;
    value[FEATURE_FORM_ACC] += writes.acc != 0 ? times : 0;
    value[FEATURE_FORM_FLAG] += writes.flags != 0 ? times : 0;
}

static void add_send(double *value, const struct isa_inst *inst, double times)
{
    static const uint16_t family[ISA_MSG_FAMILY_COUNT] = {
        [ISA_MSG_UNTYPED_READ] = FEATURE_MSG_UNTYPED_READ,
        [ISA_MSG_UNTYPED_WRITE] = FEATURE_MSG_UNTYPED_WRITE,
        [ISA_MSG_UNTYPED_ATOMIC] = FEATURE_MSG_UNTYPED_ATOMIC,
        [ISA_MSG_FLOAT_ATOMIC] = FEATURE_MSG_FLOAT_ATOMIC,
        [ISA_MSG_SCATTERED_READ] = FEATURE_MSG_SCATTERED_READ,
        [ISA_MSG_SCATTERED_WRITE] = FEATURE_MSG_SCATTERED_WRITE,
        [ISA_MSG_BLOCK_READ] = FEATURE_MSG_BLOCK_READ,
        [ISA_MSG_BLOCK_WRITE] = FEATURE_MSG_BLOCK_WRITE,
        [ISA_MSG_SCRATCH_READ] = FEATURE_MSG_SCRATCH_READ,
        [ISA_MSG_SCRATCH_WRITE] = FEATURE_MSG_SCRATCH_WRITE,
        [ISA_MSG_TYPED_READ] = FEATURE_MSG_TYPED_READ,
        [ISA_MSG_TYPED_WRITE] = FEATURE_MSG_TYPED_WRITE,
        [ISA_MSG_TYPED_ATOMIC] = FEATURE_MSG_TYPED_ATOMIC,
        [ISA_MSG_SAMPLER] = FEATURE_MSG_SAMPLER,
        [ISA_MSG_SAMPLER_FLUSH] = FEATURE_MSG_FLUSH,
        [ISA_MSG_FENCE] = FEATURE_MSG_FENCE,
        [ISA_MSG_BARRIER] = FEATURE_MSG_BARRIER,
        [ISA_MSG_GATEWAY] = FEATURE_MSG_GATEWAY,
    };
    static const uint16_t model[ISA_ADDR_COUNT] = {
        [ISA_ADDR_BTI] = FEATURE_ADDR_BTI,
        [ISA_ADDR_SLM] = FEATURE_ADDR_SLM,
        [ISA_ADDR_STATELESS] = FEATURE_ADDR_STATELESS,
        [ISA_ADDR_A64] = FEATURE_ADDR_A64,
    };
    const struct isa_message *m = &inst->msg;

    if (m->family < ISA_MSG_FAMILY_COUNT && family[m->family] != 0)
        value[family[m->family]] += times;
    if (trace_has_access(inst) && model[m->addr_model] != 0)
        value[model[m->addr_model]] += times;
    value[FEATURE_SEND_PAYLOAD] += times * ((double)m->mlen + m->ext_mlen);
    value[FEATURE_SEND_RESPONSE] += times * m->rlen;
}

static void add_work(double *value, const struct uop *uop, double times)
{
    static const uint16_t of[] = {
        [UOP_ALU32] = FEATURE_WORK_ALU32, [UOP_ALU64] = FEATURE_WORK_ALU64,
        [UOP_DF] = FEATURE_WORK_DF,       [UOP_MATH] = FEATURE_WORK_MATH,
        [UOP_MATH2] = FEATURE_WORK_MATH2, [UOP_IDIV] = FEATURE_WORK_IDIV,
        [UOP_DOT] = FEATURE_WORK_DOT,     [UOP_LRP] = FEATURE_WORK_LRP,
    };

    if (uop->unit != UOP_FPU_ANY && uop->unit != UOP_FPU1)
        return;
    value[of[uop->cls]] += times * uop->exec_grfs;
    value[FEATURE_WORK_DST] += times * uop->dst_grfs;
    value[FEATURE_WORK_CONFLICTS] += times * uop->conflicts;
}

static void add_inst(double *value, const struct isa_inst *inst, const struct uop *uop,
                     double times)
{
    enum isa_class cls = isa_opcode_class((enum isa_opcode)inst->op);
    uint32_t width = inst->exec_size;

    value[FEATURE_INST_ALL] += times;
    value[FEATURE_INST_SLOTS] += times * width;
    if (width > 0)
        value[FEATURE_WIDTH_1 + __builtin_ctz(width)] += times;
    mix_add(value, class_feature(cls), times);
    mix_add(value, op_feature(inst->op), times);
    if (cls == ISA_CLASS_MATH)
        mix_add(value, math_feature(inst->math), times);
    if (cls == ISA_CLASS_BRANCH)
        mix_add(value, branch_feature(inst->op), times);
    else if (cls != ISA_CLASS_SEND && cls != ISA_CLASS_SYNC && cls != ISA_CLASS_NOP)
        mix_add(value, type_feature(inst), times);
    if (cls == ISA_CLASS_SEND)
        add_send(value, inst, times);
    add_form(value, inst, times);
    add_work(value, uop, times);
}

void feature_mix(struct features *f)
{
    const struct trace_kernel *k = f->kernel;
    uint32_t covered = 0;

    for (uint32_t i = 0; i < k->blocks.count; i++) {
        const struct isa_block *b = &k->blocks.block[i];

        if (f->blocks[i] == 0)
            continue;
        covered += b->count;
        f->value[FEATURE_PATH_BLOCKS] += (double)f->blocks[i];
        for (uint32_t j = b->first; j < b->first + b->count; j++)
            add_inst(f->value, &k->code.inst[j], &f->uops[j], (double)f->blocks[i]);
    }
    f->value[FEATURE_PATH_COVERED] = (double)covered / k->code.count;
}
