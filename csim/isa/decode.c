/* decode.c - kernel text to struct isa_inst through libiga64.
 * libiga64 reads compacted forms, operands and targets; this file guards it against
 * what it cannot stand and translates its numbers, which move between releases. */
#include "igpu/isa_decode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode_operand.h"
#include "iga_kv.h"

enum { MIN_TEXT_BYTES = 16, NATIVE_BYTES = 16, COMPACT_BYTES = 8 };

/* One decode: the text, the library's view of it, and whose it is. */
struct job {
    const char *name;
    const uint8_t *text;
    size_t bytes; /* without padding */
    const kv_t *kv;
    struct igpu_err *err;
    uint8_t opcode[256]; /* library's opcode -> enum isa_opcode + 1; 0: not asked */
};

static enum igpu_status bad_at(const struct job *job, uint32_t pc, const char *what)
{
    return igpu_fail(job->err, IGPU_BAD_INPUT,
                     "kernel %s: instruction at 0x%" PRIX32 ": %s", job->name, pc,
                     what);
}

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Bit 29 (CmptCtrl) of the first dword tells a compacted instruction. */
static uint32_t raw_size(const uint8_t *p)
{
    return load32(p) >> 29 & 1 ? COMPACT_BYTES : NATIVE_BYTES;
}

/* Where the instructions end and zero padding begins, and how many they are. The
 * last nonzero byte bounds the search, so this stays linear. */
static enum igpu_status measure(struct job *job, size_t bytes, uint32_t *count)
{
    size_t used = bytes, pc = 0;

    while (used > 0 && job->text[used - 1] == 0)
        used--;
    *count = 0;
    while (pc < used) {
        uint32_t size = raw_size(job->text + pc);

        if (size > bytes - pc)
            return bad_at(job, (uint32_t)pc, "cut off in the middle");
        pc += size;
        (*count)++;
    }
    job->bytes = pc;
    return IGPU_OK;
}

static enum isa_opcode lookup_opcode(struct job *job, uint32_t number)
{
    char mnemonic[32] = "";
    size_t length = sizeof(mnemonic);
    iga_opspec_t spec = NULL;
    enum isa_opcode op;

    if (number < 256 && job->opcode[number] != 0)
        return (enum isa_opcode)(job->opcode[number] - 1);
    if (iga_opspec_from_op(IGA_GEN9, number, &spec) != IGA_SUCCESS || spec == NULL ||
        iga_opspec_mnemonic(spec, mnemonic, &length) != IGA_SUCCESS)
        return ISA_OP_COUNT;
    mnemonic[sizeof(mnemonic) - 1] = '\0';
    op = isa_opcode_from_name(mnemonic);
    if (number < 256)
        job->opcode[number] = (uint8_t)(op + 1);
    return op;
}

static bool has_branch_ctrl(enum isa_opcode op)
{
    return op == ISA_OP_GOTO || op == ISA_OP_IF || op == ISA_OP_ELSE;
}

/* The library counts as the hardware does, where 7 is reserved. */
static enum isa_cmod condition(uint32_t number)
{
    enum { KV_CMOD_LE = 6, KV_CMOD_OV = 8, KV_CMOD_UN = 9, KV_CMOD_EO = 255 };

    switch (number) {
    case KV_CMOD_OV:
        return ISA_CMOD_OV;
    case KV_CMOD_UN:
        return ISA_CMOD_UN;
    case KV_CMOD_EO:
        return ISA_CMOD_EO;
    default:
        return number <= KV_CMOD_LE ? (enum isa_cmod)number : ISA_CMOD_COUNT;
    }
}

/* Mask control, predicate, flag and options. */
static void read_controls(const kv_t *kv, int32_t pc, struct isa_inst *inst)
{
    uint32_t cmod = kv_get_flag_modifier(kv, pc);

    inst->exec_size = (uint8_t)kv_get_execution_size(kv, pc);
    inst->chan_offset = (uint8_t)(4 * kv_get_channel_offset(kv, pc));
    inst->no_mask = kv_get_mask_control(kv, pc) == 1;
    inst->pred = (uint8_t)kv_get_predicate(kv, pc);
    inst->pred_inverse =
        inst->pred != ISA_PRED_NONE && kv_get_is_inverse_predicate(kv, pc) != 0;
    inst->cmod = (uint8_t)condition(cmod);
    inst->flag = -1;
    if (inst->pred != ISA_PRED_NONE || inst->cmod != ISA_CMOD_NONE)
        inst->flag = (int8_t)(2 * kv_get_flag_register(kv, pc) +
                              kv_get_flag_sub_register(kv, pc));
    inst->acc_wr_en = kv_has_inst_opt(kv, pc, KV_OPT_ACCWREN);
    inst->eot = kv_has_inst_opt(kv, pc, KV_OPT_EOT);
    inst->thread_switch = kv_has_inst_opt(kv, pc, KV_OPT_SWITCH);
}

/* The math function is bits 27:24, compacted or not; the library renumbers it. */
static void read_function(const kv_t *kv, int32_t pc, uint32_t word0,
                          struct isa_inst *inst)
{
    uint32_t function = 0;

    if (inst->op == ISA_OP_MATH)
        inst->math = (uint8_t)(word0 >> 24 & 0xF);
    else if (has_branch_ctrl((enum isa_opcode)inst->op) &&
             kv_get_subfunction(kv, pc, &function) == KV_SUCCESS)
        inst->branch_ctrl = function != 0;
}

static void read_targets(const kv_t *kv, int32_t pc, struct isa_inst *inst)
{
    int32_t target[KV_MAX_TARGETS] = {ISA_NO_TARGET, ISA_NO_TARGET, ISA_NO_TARGET};
    uint32_t n = kv_get_inst_targets(kv, pc, target);

    inst->jip = n > 0 ? target[0] : ISA_NO_TARGET;
    inst->uip = n > 1 ? target[1] : ISA_NO_TARGET;
}

static void read_message(const kv_t *kv, int32_t pc, struct isa_inst *inst)
{
    uint8_t ex_reg = KV_REG_IMMEDIATE, ex_sub = 0, reg = KV_REG_IMMEDIATE, sub = 0;
    struct isa_message *msg = &inst->msg;

    (void)kv_get_send_indirect_descs(kv, pc, &ex_reg, &ex_sub, &reg, &sub);
    (void)kv_get_send_descs(kv, pc, &msg->exdesc, &msg->desc);
    msg->exdesc_reg = ex_reg != KV_REG_IMMEDIATE;
    msg->desc_reg = reg != KV_REG_IMMEDIATE;
    if (msg->exdesc_reg)
        msg->exdesc = 0;
    if (msg->desc_reg)
        msg->desc = 0;
    isa_message_decode(msg);
    msg->returns_data = msg->returns_data && inst->dst.file == ISA_FILE_GRF;
}

static bool valid_controls(const struct isa_inst *inst)
{
    uint32_t e = inst->exec_size;

    return e >= 1 && e <= ISA_MAX_SIMD && (e & (e - 1)) == 0 &&
           inst->chan_offset + e <= ISA_MAX_SIMD && inst->pred < ISA_PRED_COUNT &&
           inst->cmod < ISA_CMOD_COUNT && inst->flag < 4;
}

/* Access mode is bit 8. Of three-source instructions, and of those whose operands are
 * special accumulators, libiga64 reads Align16 itself; of compacted ones the bit is in
 * a table that no Align16 form is taken from. */
static bool is_align16(const struct isa_inst *inst, const uint8_t *raw)
{
    return !inst->compacted && inst->nsrc < 3 && inst->dst.mme == ISA_MME_NONE &&
           inst->src[0].mme == ISA_MME_NONE && (raw[1] & 1) != 0;
}

static enum igpu_status read_inst(struct job *job, int32_t pc, struct isa_inst *inst)
{
    const uint8_t *raw = job->text + pc;

    inst->pc = (uint32_t)pc;
    inst->size = (uint8_t)raw_size(raw);
    inst->compacted = inst->size == COMPACT_BYTES;
    inst->jip = inst->uip = ISA_NO_TARGET;
    inst->flag = -1;
    inst->dst.mme = ISA_MME_NONE;
    for (uint32_t i = 0; i < ISA_MAX_SRC; i++)
        inst->src[i].mme = ISA_MME_NONE;
    if (kv_get_inst_size(job->kv, pc) != inst->size)
        return bad_at(job, inst->pc, "libiga64 reads another length");
    inst->op = (uint8_t)lookup_opcode(job, kv_get_opcode(job->kv, pc));
    if (inst->op == ISA_OP_COUNT)
        return bad_at(job, inst->pc, "an opcode that Gen9 does not have");
    if (inst->op == ISA_OP_ILLEGAL || inst->op == ISA_OP_NOP) {
        inst->exec_size = 1;
        return IGPU_OK;
    }
    read_controls(job->kv, pc, inst);
    if (!valid_controls(inst))
        return bad_at(job, inst->pc, "execution size, mask or flag out of range");
    read_function(job->kv, pc, load32(raw), inst);
    if (!decode_operands(job->kv, raw, inst))
        return bad_at(job, inst->pc, "an operand outside the register file");
    if (is_align16(inst, raw) && !decode_align16(raw, inst))
        return bad_at(
            job, inst->pc,
            "an Align16 form that no compiler in use makes: all four channels "
            "of 32-bit elements, direct and not compacted, are expected");
    read_targets(job->kv, pc, inst);
    if (isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND)
        read_message(job->kv, pc, inst);
    return IGPU_OK;
}

static enum igpu_status check_targets(const struct job *job,
                                      const struct isa_kernel_code *code)
{
    bool has_eot = false;

    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_inst *inst = &code->inst[i];
        const int32_t target[2] = {inst->jip, inst->uip};

        has_eot = has_eot || inst->eot;
        for (uint32_t t = 0; t < 2; t++)
            if (target[t] != ISA_NO_TARGET &&
                (target[t] < 0 || isa_find(code, (uint32_t)target[t]) < 0))
                return bad_at(job, inst->pc,
                              "a branch to what is no instruction of the kernel");
    }
    if (!has_eot)
        return igpu_fail(job->err, IGPU_BAD_INPUT,
                         "kernel %s: no instruction ends the thread (EOT)", job->name);
    return IGPU_OK;
}

static enum igpu_status read_all(struct job *job, struct isa_kernel_code *code,
                                 uint32_t count)
{
    int32_t pc = 0;

    for (uint32_t i = 0; i < count; i++) {
        enum igpu_status status = read_inst(job, pc, &code->inst[i]);

        if (status != IGPU_OK)
            return status;
        pc += code->inst[i].size;
        code->count++;
    }
    code->text_bytes = (uint32_t)pc;
    return check_targets(job, code);
}

static enum igpu_status decode_view(struct job *job, struct isa_kernel_code *code,
                                    uint32_t count)
{
    char errors[256] = "";
    int iga_status = IGA_SUCCESS;
    enum igpu_status status;
    const char *missing = kv_missing();
    kv_t *kv;

    if (missing != NULL)
        return igpu_fail(job->err, IGPU_BAD_INPUT,
                         "kernel %s: no decoder (Debian's libigc1): %s", job->name,
                         missing);
    kv = kv_create(IGA_GEN9, job->text, job->bytes, &iga_status, errors, sizeof(errors),
                   0);
    errors[sizeof(errors) - 1] = '\0';
    errors[strcspn(errors, "\r\n")] = '\0';
    if (kv == NULL || iga_status != IGA_SUCCESS) {
        /* After an error the view's other functions are undefined. */
        if (kv != NULL)
            kv_delete(kv);
        return igpu_fail(job->err, IGPU_BAD_INPUT, "kernel %s: not Gen9 code: %s",
                         job->name, errors[0] != '\0' ? errors : "undecodable");
    }
    job->kv = kv;
    status = read_all(job, code, count);
    kv_delete(kv);
    return status;
}

enum igpu_status isa_decode(const char *name, const void *text, size_t bytes,
                            struct isa_kernel_code *code, struct igpu_err *err)
{
    struct job job = {.name = name, .text = text, .err = err};
    enum igpu_status status;
    uint32_t count;

    *code = (struct isa_kernel_code){0};
    if (bytes < MIN_TEXT_BYTES || bytes % 8 != 0 || bytes > ISA_MAX_TEXT_BYTES)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "kernel %s: %zu bytes of text; expected a multiple of 8 from "
                         "%d to %d",
                         name, bytes, MIN_TEXT_BYTES, ISA_MAX_TEXT_BYTES);
    status = measure(&job, bytes, &count);
    if (status != IGPU_OK)
        return status;
    if (job.bytes < MIN_TEXT_BYTES)
        return igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: the text is empty", name);
    code->inst = calloc(count, sizeof(*code->inst));
    if (code->inst == NULL)
        return igpu_no_memory(err, "kernel %s: %" PRIu32 " instructions", name, count);
    status = decode_view(&job, code, count);
    if (status == IGPU_OK)
        isa_find_descriptors(code);
    else
        isa_code_free(code);
    return status;
}

void isa_code_free(struct isa_kernel_code *code)
{
    free(code->inst);
    *code = (struct isa_kernel_code){0};
}
