/* power_inst.c - what an instruction does in its EU, as docs/contract/power.md, section
 * 2 says.
 */
#include <string.h>

#include "igpu/power.h"

static bool is_float_op(enum isa_type type)
{
    return isa_type_is_float(type);
}

/* The type in which the lanes work; a conversion does in the float of its two. */
static enum isa_type lane_type(const struct isa_inst *inst)
{
    enum isa_type type = isa_exec_type(inst), dst = (enum isa_type)inst->dst.type;

    if (type == ISA_TYPE_NONE)
        return dst;
    if (!is_float_op(type) && is_float_op(dst))
        return dst;
    return isa_type_bytes(dst) == 8 && isa_type_bytes(type) < 8 ? dst : type;
}

enum operation { OP_ADD, OP_MUL, OP_MAD };

static enum power_class by_type(enum isa_type type, enum operation op)
{
    static const enum power_class table[4][3] = {
        {POWER_INT_ADD, POWER_INT_MUL, POWER_INT_MAD},
        {POWER_HALF_ADD, POWER_HALF_MUL, POWER_HALF_MAD},
        {POWER_SINGLE_ADD, POWER_SINGLE_MUL, POWER_SINGLE_MAD},
        {POWER_DOUBLE_ADD, POWER_DOUBLE_MUL, POWER_DOUBLE_MAD}};

    switch (type) {
    case ISA_TYPE_HF:
        return table[1][op];
    case ISA_TYPE_F:
    case ISA_TYPE_VF:
        return table[2][op];
    case ISA_TYPE_DF:
        return table[3][op];
    case ISA_TYPE_Q:
    case ISA_TYPE_UQ:
        return op == OP_ADD ? POWER_INT64 : table[0][op];
    default:
        return table[0][op];
    }
}

static enum power_class math_class(uint8_t function)
{
    switch (function) {
    case ISA_MATH_FDIV:
    case ISA_MATH_POW:
        return POWER_MATH2;
    case ISA_MATH_IDIV:
    case ISA_MATH_IQOT:
    case ISA_MATH_IREM:
        return POWER_INT_DIV;
    default:
        return POWER_MATH;
    }
}

static enum power_class move_class(const struct isa_inst *inst, enum isa_type type)
{
    bool converts = inst->op == ISA_OP_MOV && isa_exec_type(inst) != ISA_TYPE_NONE &&
                    isa_exec_type(inst) != (enum isa_type)inst->dst.type &&
                    is_float_op(type);

    if (inst->op == ISA_OP_CSEL || (inst->op == ISA_OP_SEL && inst->cmod != 0))
        return by_type(type, OP_ADD); /* compares */
    return converts ? by_type(type, OP_ADD) : POWER_MOVE;
}

static enum power_class class_of(const struct isa_inst *inst)
{
    enum isa_type type = lane_type(inst);

    switch (inst->op) {
    case ISA_OP_MUL:
    case ISA_OP_MACH:
        return by_type(type, OP_MUL);
    case ISA_OP_MAD:
    case ISA_OP_MADM:
    case ISA_OP_MAC:
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
    case ISA_OP_LINE:
    case ISA_OP_PLN:
    case ISA_OP_LRP:
        return by_type(type, OP_MAD);
    default:
        break;
    }
    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_MOVE:
        return move_class(inst, type);
    case ISA_CLASS_LOGIC:
    case ISA_CLASS_ARITH:
        return by_type(type, OP_ADD);
    case ISA_CLASS_MATH:
        return math_class(inst->math);
    case ISA_CLASS_SEND:
        return POWER_SEND;
    default:
        return POWER_CONTROL;
    }
}

/* Lanes in a pass: a GRF of the type in which the instruction executes. */
static uint32_t lanes_a_pass(const struct isa_inst *inst)
{
    uint32_t bytes = isa_type_bytes(lane_type(inst));

    if (bytes < 2)
        bytes = 2;
    return ISA_GRF_BYTES / bytes;
}

static uint32_t passes(const struct isa_inst *inst)
{
    uint32_t lanes = lanes_a_pass(inst);

    return (inst->exec_size + lanes - 1) / lanes;
}

/* Bytes from the operand's GRF to element `lane`. */
static uint32_t offset(const struct isa_operand *op, bool dst, uint32_t lane)
{
    uint32_t element = lane * op->hstride, width = op->width != 0 ? op->width : 1;

    if (!dst)
        element = lane / width * op->vstride + lane % width * op->hstride;
    else if (op->hstride == 0)
        element = lane;
    return op->byte + element * isa_type_bytes((enum isa_type)op->type);
}

/* GRFs that the passes touch, each counted once a pass. */
static uint32_t rows(const struct isa_inst *inst, const struct isa_operand *op,
                     bool dst)
{
    uint32_t a_pass = lanes_a_pass(inst), sum = 0;

    for (uint32_t first = 0; first < inst->exec_size; first += a_pass) {
        uint64_t seen = 0; /* an operand spans fewer than 64 GRFs */

        for (uint32_t i = first; i < first + a_pass && i < inst->exec_size; i++)
            seen |= UINT64_C(1) << (offset(op, dst, i) / ISA_GRF_BYTES % 64);
        sum += (uint32_t)__builtin_popcountll(seen);
    }
    return sum;
}

static bool is_scalar(const struct isa_operand *op)
{
    return op->vstride == 0 && op->hstride == 0;
}

static bool is_packed(const struct isa_inst *inst, const struct isa_operand *op)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)op->type);

    for (uint32_t i = 1; i < inst->exec_size; i++)
        if (offset(op, false, i) != offset(op, false, 0) + i * bytes)
            return false;
    return true;
}

/* An access to accumulators, addresses or flags. */
static void add_special(const struct isa_inst *inst, uint8_t file,
                        struct power_inst *out)
{
    if (file == ISA_FILE_ACC)
        out->accs = (uint8_t)(out->accs + passes(inst));
    else if (file == ISA_FILE_ADDR || file == ISA_FILE_FLAG)
        out->accs++;
}

static void add_source(const struct isa_inst *inst, const struct isa_operand *op,
                       struct power_inst *out)
{
    uint32_t n;

    if (op->file != ISA_FILE_GRF) {
        add_special(inst, op->file, out);
        return;
    }
    n = is_scalar(op) && !op->indirect ? 1 : rows(inst, op, false);
    out->reads = (uint8_t)(out->reads + n);
    if (op->indirect || (!is_scalar(op) && !is_packed(inst, op)))
        out->regions = (uint8_t)(out->regions + n);
}

static void add_destination(const struct isa_inst *inst, struct power_inst *out)
{
    if (inst->dst.file == ISA_FILE_GRF)
        out->writes = (uint8_t)rows(inst, &inst->dst, true);
    else
        add_special(inst, inst->dst.file, out);
    if (inst->acc_wr_en)
        out->accs = (uint8_t)(out->accs + passes(inst));
    if (inst->cmod != ISA_CMOD_NONE)
        out->accs++;
}

void power_inst_from(const struct isa_inst *inst, struct power_inst *out)
{
    memset(out, 0, sizeof(*out));
    out->operands = out->results = POWER_RANDOM;
    out->cls = (uint8_t)class_of(inst);
    out->slots = inst->exec_size;
    out->work = inst->exec_size;
    out->bytes = inst->size;
    if (out->cls == POWER_SEND) {
        out->reads = (uint8_t)(inst->msg.mlen + inst->msg.ext_mlen);
        out->writes = inst->msg.rlen;
        out->moved = (uint8_t)(out->reads + out->writes);
        out->work = 0;
        return;
    }
    if (out->cls == POWER_CONTROL) {
        out->work = 0;
        return;
    }
    if (inst->op == ISA_OP_LRP || inst->op == ISA_OP_PLN)
        out->work = (uint8_t)(2 * inst->exec_size);
    for (uint32_t i = 0; i < inst->nsrc; i++)
        add_source(inst, &inst->src[i], out);
    add_destination(inst, out);
}

static uint16_t of_random(uint64_t toggles, uint64_t bits)
{
    double part = bits > 0 ? 2 * (double)toggles / (double)bits : 1;

    return (uint16_t)(part * POWER_RANDOM + 0.5);
}

void power_inst_toggles(struct power_inst *inst, const struct toggle_count *t)
{
    inst->operands = of_random(t->operand_toggles, t->operand_bits);
    inst->results = of_random(t->result_toggles, t->result_bits);
}

void power_count(struct power_events *events, const struct power_inst *inst,
                 uint64_t times)
{
    struct power_class_events *c = &events->cls[inst->cls];

    c->issued += times;
    c->slots += times * inst->slots;
    c->work += times * inst->work;
    c->reads += times * inst->reads;
    c->writes += times * inst->writes;
    c->accs += times * inst->accs;
    c->regions += times * inst->regions;
    c->bytes += times * inst->bytes;
    c->moved += times * inst->moved;
    c->work_data += times * inst->work * inst->operands;
    c->reads_data += times * inst->reads * inst->operands;
    c->writes_data += times * inst->writes * inst->results;
    c->regions_data += times * inst->regions * inst->operands;
}

void power_add(struct power_events *to, const struct power_events *other)
{
    for (unsigned i = 0; i < POWER_CLASSES; i++) {
        struct power_class_events *a = &to->cls[i];
        const struct power_class_events *b = &other->cls[i];

        a->issued += b->issued;
        a->slots += b->slots;
        a->work += b->work;
        a->reads += b->reads;
        a->writes += b->writes;
        a->accs += b->accs;
        a->regions += b->regions;
        a->bytes += b->bytes;
        a->moved += b->moved;
        a->work_data += b->work_data;
        a->reads_data += b->reads_data;
        a->writes_data += b->writes_data;
        a->regions_data += b->regions_data;
    }
    to->lanes += other->lanes;
    to->flops += other->flops;
    to->cycles += other->cycles;
    to->eu_cycles += other->eu_cycles;
    to->threads += other->threads;
    to->code_lines += other->code_lines;
#define MEM_STAT(section, name, unit, text)                                            \
    to->mem.section##_##name += other->mem.section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    to->dram_acts += other->dram_acts;
    to->dram_pres += other->dram_pres;
    to->dram_open_clocks += other->dram_open_clocks;
    to->dram_down_clocks += other->dram_down_clocks;
}
