/* isa_text.c - one line of assembly for an instruction, in iga64's syntax. */
#include "igpu/isa.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "igpu/half.h"

/* Output that counts what it cannot hold. */
struct out {
    char *text;
    size_t cap, length;
};

static void text_put(struct out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void text_put(struct out *out, const char *format, ...)
{
    size_t room = out->length < out->cap ? out->cap - out->length : 0;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(room > 0 ? out->text + out->length : NULL, room, format, args);
    va_end(args);
    if (n > 0)
        out->length += (size_t)n;
}

/* Start the column behind those before it. */
static void pad(struct out *out, size_t column)
{
    do
        text_put(out, " ");
    while (out->length < column);
}

static bool is_ternary(const struct isa_inst *inst)
{
    return inst->nsrc == 3;
}

static bool is_send(const struct isa_inst *inst)
{
    return isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND;
}

static bool is_logic(const struct isa_inst *inst)
{
    return inst->op == ISA_OP_NOT || inst->op == ISA_OP_AND || inst->op == ISA_OP_OR ||
           inst->op == ISA_OP_XOR;
}

static void put_predicate(struct out *out, const struct isa_inst *inst)
{
    const char *suffix = isa_pred_suffix((enum isa_pred)inst->pred);

    if (inst->pred == ISA_PRED_NONE) {
        if (inst->no_mask)
            text_put(out, "(W)");
        return;
    }
    text_put(out, "(%s%sf%d.%d%s%s)", inst->no_mask ? "W&" : "",
             inst->pred_inverse ? "~" : "", inst->flag / 2, inst->flag % 2,
             suffix[0] != '\0' ? "." : "", suffix);
}

static void put_mnemonic(struct out *out, const struct isa_inst *inst)
{
    text_put(out, "%s", isa_opcode_name((enum isa_opcode)inst->op));
    if (inst->op == ISA_OP_MATH)
        text_put(out, ".%s", isa_math_name((enum isa_math)inst->math));
    if (inst->branch_ctrl)
        text_put(out, ".b");
    if (inst->op != ISA_OP_JMPI && inst->op != ISA_OP_WAIT && inst->op != ISA_OP_NOP &&
        inst->op != ISA_OP_ILLEGAL)
        text_put(out, " (%u|M%u)", inst->exec_size, inst->chan_offset);
    if (inst->cmod != ISA_CMOD_NONE)
        text_put(out, " (%s)f%d.%d", isa_cmod_name((enum isa_cmod)inst->cmod),
                 inst->flag / 2, inst->flag % 2);
}

static void put_type(struct out *out, const struct isa_operand *op)
{
    if (op->type != ISA_TYPE_NONE)
        text_put(out, ":%s", isa_type_name((enum isa_type)op->type));
}

/* The register part: r12.3, r34.nomme, r[a0.1,-16], null, ip. */
static void put_register(struct out *out, const struct isa_operand *op)
{
    if (op->indirect) {
        text_put(out, "r[a0.%u", op->addr_sub);
        if (op->addr_imm != 0)
            text_put(out, ",%d", op->addr_imm);
        text_put(out, "]");
        return;
    }
    text_put(out, "%s", isa_file_name((enum isa_file)op->file));
    if (op->file == ISA_FILE_NULL || op->file == ISA_FILE_IP)
        return;
    text_put(out, "%u.", op->reg);
    if (op->mme == ISA_MME_NOMME)
        text_put(out, "nomme");
    else if (op->mme >= 0)
        text_put(out, "mme%d", op->mme);
    else
        text_put(out, "%u", op->subreg);
}

static double immediate_value(const struct isa_operand *op)
{
    uint32_t word = (uint32_t)op->imm;
    float single;
    double wide;

    if (op->type == ISA_TYPE_HF)
        return (double)igpu_half_to_float((uint16_t)op->imm);
    if (op->type == ISA_TYPE_F) {
        memcpy(&single, &word, sizeof(single));
        return (double)single;
    }
    memcpy(&wide, &op->imm, sizeof(wide));
    return wide;
}

static void put_immediate(struct out *out, const struct isa_operand *op)
{
    switch (op->type) {
    case ISA_TYPE_B:
        text_put(out, "%d", (int8_t)op->imm);
        break;
    case ISA_TYPE_W:
        text_put(out, "%d", (int16_t)op->imm);
        break;
    case ISA_TYPE_D:
        text_put(out, "%" PRId32, (int32_t)op->imm);
        break;
    case ISA_TYPE_Q:
        text_put(out, "%" PRId64, (int64_t)op->imm);
        break;
    case ISA_TYPE_HF:
    case ISA_TYPE_F:
    case ISA_TYPE_DF:
        if (isfinite(immediate_value(op)))
            text_put(out, "%.*g", op->type == ISA_TYPE_DF ? 17 : 9,
                     immediate_value(op));
        else
            text_put(out, "0x%" PRIX64, op->imm);
        break;
    default:
        text_put(out, "0x%" PRIX64, op->imm);
        break;
    }
    put_type(out, op);
}

static void put_dest(struct out *out, const struct isa_inst *inst)
{
    bool plain = inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA;

    if (inst->saturate)
        text_put(out, "(sat)");
    put_register(out, &inst->dst);
    if (!plain && inst->dst.mme == ISA_MME_NONE)
        text_put(out, "<%u>", inst->dst.hstride);
    put_type(out, &inst->dst);
}

/* Three-source instructions have short regions: <0;0> or <2;1>, last <0> or <1>. */
static void put_region(struct out *out, const struct isa_inst *inst, uint32_t i)
{
    const struct isa_operand *op = &inst->src[i];

    if (op->width == 0 || op->mme != ISA_MME_NONE)
        return;
    if (is_ternary(inst) && op->width == 1 && op->vstride <= 1) {
        if (i == 2)
            text_put(out, "<%u>", op->vstride);
        else
            text_put(out, op->vstride == 0 ? "<0;0>" : "<2;1>");
        return;
    }
    if (op->vxh)
        text_put(out, "<%u,%u>", op->width, op->hstride);
    else
        text_put(out, "<%u;%u,%u>", op->vstride, op->width, op->hstride);
    for (uint32_t k = 0; k < 4 && op->swizzle != 0; k++)
        text_put(out, "%s%c", k == 0 ? "." : "", "xyzw"[op->swizzle >> 2 * k & 3]);
}

static void put_source(struct out *out, const struct isa_inst *inst, uint32_t i)
{
    static const char *const modifiers[] = {"", "(abs)", "-", "-(abs)"};
    const struct isa_operand *op = &inst->src[i];
    bool invert = op->mod == ISA_MOD_NEG && is_logic(inst);

    if (op->file == ISA_FILE_IMM) {
        put_immediate(out, op);
        return;
    }
    text_put(out, "%s", invert ? "~" : modifiers[op->mod & 3]);
    put_register(out, op);
    if (inst->op != ISA_OP_RET && inst->op != ISA_OP_JMPI)
        put_region(out, inst, i);
    put_type(out, op);
}

/* Send operands are whole registers: no region, and subregister only when odd. */
static void put_payload(struct out *out, const struct isa_operand *op)
{
    if (op->indirect)
        put_register(out, op);
    else if (op->file == ISA_FILE_GRF)
        text_put(out, "r%u", op->reg);
    else
        text_put(out, "%s", isa_file_name((enum isa_file)op->file));
    put_type(out, op);
}

static void put_descriptors(struct out *out, const struct isa_message *msg)
{
    if (msg->exdesc_reg)
        text_put(out, "a0.2");
    else
        text_put(out, "0x%" PRIX32, msg->exdesc);
    pad(out, 0);
    if (msg->desc_reg)
        text_put(out, "a0.0");
    else
        text_put(out, "0x%08" PRIX32, msg->desc);
}

static void put_operands(struct out *out, const struct isa_inst *inst)
{
    bool send = is_send(inst);

    if (inst->dst.file != ISA_FILE_NONE) {
        pad(out, 32);
        if (send)
            put_payload(out, &inst->dst);
        else
            put_dest(out, inst);
    }
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        pad(out, 46 + 18 * (size_t)i);
        if (send)
            put_payload(out, &inst->src[i]);
        else
            put_source(out, inst, i);
    }
    if (send) {
        pad(out, 64);
        put_descriptors(out, &inst->msg);
    }
    if (inst->jip != ISA_NO_TARGET) {
        pad(out, 46);
        text_put(out, "%" PRId32, inst->jip);
    }
    if (inst->uip != ISA_NO_TARGET) {
        pad(out, 64);
        text_put(out, "%" PRId32, inst->uip);
    }
}

static void put_options(struct out *out, const struct isa_inst *inst)
{
    const char *separator = " {";

    const struct {
        bool on;
        const char *name;
    } options[] = {{inst->acc_wr_en, "AccWrEn"},
                   {inst->compacted, "Compacted"},
                   {inst->eot, "EOT"},
                   {inst->thread_switch, "Switch"}};

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (!options[i].on)
            continue;
        text_put(out, "%s%s", separator, options[i].name);
        separator = ",";
    }
    if (separator[0] == ',')
        text_put(out, "}");
}

size_t isa_disasm(const struct isa_inst *inst, char *text, size_t cap)
{
    struct out out = {text, cap, 0};

    if (cap > 0)
        text[0] = '\0';
    put_predicate(&out, inst);
    pad(&out, 8);
    put_mnemonic(&out, inst);
    put_operands(&out, inst);
    put_options(&out, inst);
    return out.length;
}
