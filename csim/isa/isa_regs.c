/* isa_regs.c - registers that an instruction reads and writes. */
#include "igpu/isa.h"

#include <string.h>

enum { ACC_BOTH = 3, MME_SHIFT = 2, FLAG_WORDS = 4, ADDR_WORDS = 16 };

/* A span of bytes within a register file, for each element in turn. */
struct span {
    uint32_t first, last; /* bytes from the start of the file */
};

static void add_all_grfs(struct isa_regset *set)
{
    set->grf[0] = set->grf[1] = UINT64_MAX;
    set->indirect = true;
}

static void add_grf(struct isa_regset *set, uint32_t reg)
{
    if (reg < ISA_GRF_COUNT)
        set->grf[reg / 64] |= UINT64_C(1) << (reg % 64);
}

static void add_grf_run(struct isa_regset *set, uint32_t reg, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_grf(set, reg + i);
}

static uint8_t other_bit(enum isa_file file)
{
    switch (file) {
    case ISA_FILE_NOTIFY:
        return ISA_OTHER_NOTIFY;
    case ISA_FILE_CTRL:
        return ISA_OTHER_CTRL;
    case ISA_FILE_STATE:
        return ISA_OTHER_STATE;
    case ISA_FILE_IP:
        return ISA_OTHER_IP;
    case ISA_FILE_TIME:
        return ISA_OTHER_TIME;
    default:
        return ISA_OTHER_REST;
    }
}

/* Mark the units of `unit` bytes, of which the file has at most `limit`, in span. */
static uint32_t unit_mask(struct span span, uint32_t unit, uint32_t limit)
{
    uint32_t mask = 0;

    for (uint32_t i = span.first / unit; i <= span.last / unit && i < limit; i++)
        mask |= 1u << i;
    return mask;
}

static void add_span(struct isa_regset *set, const struct isa_operand *op,
                     struct span span)
{
    switch (op->file) {
    case ISA_FILE_GRF:
        add_grf_run(set, span.first / ISA_GRF_BYTES,
                    span.last / ISA_GRF_BYTES - span.first / ISA_GRF_BYTES + 1);
        break;
    case ISA_FILE_ACC:
        set->acc = (uint16_t)(set->acc | unit_mask(span, ISA_GRF_BYTES, 2));
        break;
    case ISA_FILE_FLAG: /* f1 follows f0: 4 bytes each */
        set->flags = (uint8_t)(set->flags | unit_mask(span, 2, FLAG_WORDS));
        break;
    case ISA_FILE_ADDR:
        set->addr = (uint16_t)(set->addr | unit_mask(span, 2, ADDR_WORDS));
        break;
    case ISA_FILE_NONE:
    case ISA_FILE_NULL:
    case ISA_FILE_IMM:
        break;
    default:
        set->other = (uint8_t)(set->other | other_bit((enum isa_file)op->file));
        break;
    }
}

/* Byte offset of the operand's element 0 in its file. */
static uint32_t operand_base(const struct isa_operand *op)
{
    uint32_t reg_bytes = op->file == ISA_FILE_FLAG ? 4 : ISA_GRF_BYTES;

    return op->reg * reg_bytes + op->byte;
}

static uint32_t operand_size(const struct isa_operand *op)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)op->type);

    return bytes == 0 ? 4 : bytes;
}

static void add_element(struct isa_regset *set, const struct isa_operand *op,
                        uint32_t element)
{
    uint32_t size = operand_size(op), first = operand_base(op) + element * size;

    add_span(set, op, (struct span){first, first + size - 1});
}

/* The a0 words that an indirect operand reads; `rows` addresses for VxH. */
static void add_address(struct isa_regset *reads, const struct isa_operand *op,
                        uint32_t rows)
{
    for (uint32_t i = op->addr_sub; i < op->addr_sub + rows && i < ADDR_WORDS; i++)
        reads->addr = (uint16_t)(reads->addr | 1u << i);
}

static bool has_mme(const struct isa_operand *op)
{
    return op->file == ISA_FILE_GRF && op->mme >= 0 && op->mme < ISA_MME_NOMME;
}

static void add_source(struct isa_regset *reads, const struct isa_operand *op,
                       uint32_t exec_size)
{
    uint32_t width = op->width == 0 ? 1 : op->width;

    if (op->indirect) {
        add_address(reads, op, op->vxh ? (exec_size + width - 1) / width : 1);
        add_all_grfs(reads);
        return;
    }
    for (uint32_t i = 0; i < exec_size; i++)
        add_element(reads, op, i / width * op->vstride + i % width * op->hstride);
    if (has_mme(op))
        reads->acc = (uint16_t)(reads->acc | 1u << (MME_SHIFT + op->mme));
}

static void add_dest(const struct isa_inst *inst, struct isa_regset *reads,
                     struct isa_regset *writes, uint32_t elements)
{
    const struct isa_operand *op = &inst->dst;

    if (op->indirect) {
        add_address(reads, op, 1);
        add_all_grfs(writes);
        return;
    }
    for (uint32_t i = 0; i < elements; i++)
        add_element(writes, op, i * op->hstride);
    if (has_mme(op))
        writes->acc = (uint16_t)(writes->acc | 1u << (MME_SHIFT + op->mme));
}

/* Flag words of the instruction's channels, as bits of isa_regset.flags. */
static uint8_t flag_words(const struct isa_inst *inst)
{
    uint32_t reg = (uint32_t)inst->flag / 2;
    uint32_t low = 16 * ((uint32_t)inst->flag % 2) + inst->chan_offset;
    uint32_t high = low + inst->exec_size - 1, mask = 0;

    for (uint32_t word = low / 16; word <= high / 16; word++)
        mask |= 1u << (2 * reg + (word & 1));
    return (uint8_t)mask;
}

static void add_predicate(const struct isa_inst *inst, struct isa_regset *reads)
{
    uint8_t words;

    if (inst->pred == ISA_PRED_NONE || inst->flag < 0)
        return;
    words = flag_words(inst);
    if (inst->pred == ISA_PRED_ANYV || inst->pred == ISA_PRED_ALLV)
        words = (uint8_t)(words | words << 2 | words >> 2);
    else if (inst->pred >= ISA_PRED_ANY32H)
        words = (uint8_t)(3u << (inst->flag & 2));
    reads->flags = (uint8_t)(reads->flags | (words & 0xF));
}

/* sel and csel use cmod to choose and leave the flag alone. */
static void add_cmod(const struct isa_inst *inst, struct isa_regset *writes)
{
    if (inst->cmod == ISA_CMOD_NONE || inst->flag < 0 || inst->op == ISA_OP_SEL ||
        inst->op == ISA_OP_CSEL)
        return;
    writes->flags = (uint8_t)(writes->flags | flag_words(inst));
}

/* Which accumulator an implicit access takes depends on channel offset and type in
 * ways the public documents leave open: both count. */
static void add_implicit_acc(const struct isa_inst *inst, struct isa_regset *reads,
                             struct isa_regset *writes)
{
    if (inst->op == ISA_OP_MAC || inst->op == ISA_OP_MACH || inst->op == ISA_OP_SADA2)
        reads->acc |= ACC_BOTH;
    if (inst->acc_wr_en)
        writes->acc |= ACC_BOTH;
}

static void add_payload(struct isa_regset *set, const struct isa_operand *op,
                        uint32_t grfs, bool unknown)
{
    if (op->file != ISA_FILE_GRF)
        return;
    if (unknown || op->indirect)
        add_all_grfs(set);
    else
        add_grf_run(set, op->reg, grfs);
}

static void send_regs(const struct isa_inst *inst, struct isa_regset *reads,
                      struct isa_regset *writes)
{
    const struct isa_message *msg = &inst->msg;

    add_payload(reads, &inst->src[0], msg->mlen, !isa_message_is_known(msg));
    if (inst->nsrc > 1)
        add_payload(reads, &inst->src[1], msg->ext_mlen, !isa_message_is_extended(msg));
    add_payload(writes, &inst->dst, msg->rlen, !isa_message_is_known(msg));
    for (uint32_t i = 0; i < inst->nsrc; i++)
        if (inst->src[i].indirect)
            add_address(reads, &inst->src[i], 1);
    if (inst->dst.indirect)
        add_address(reads, &inst->dst, 1);
    if (msg->desc_reg) /* a descriptor is two words of a0 */
        reads->addr |= 3u;
    if (msg->exdesc_reg)
        reads->addr |= isa_message_is_extended(msg) ? 0xCu : 0xFFFFu;
}

/* Elements of a source: branches that go where a register says take one distance from
 * it, brc two, and a return pc and mask, however many channels and whatever region they
 * have. */
static uint32_t source_elements(const struct isa_inst *inst)
{
    if (inst->op == ISA_OP_BRD || inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA)
        return 1;
    return inst->op == ISA_OP_BRC || inst->op == ISA_OP_RET ? 2 : inst->exec_size;
}

/* Elements of dst: a call stores the return pc and the call mask. */
static uint32_t dest_elements(const struct isa_inst *inst)
{
    return inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA ? 2 : inst->exec_size;
}

/* Interpolation reads more than its regions say: four floats of plane, and for pln
 * two coordinates. idiv writes the remainder behind the quotient. */
static void add_irregular(const struct isa_inst *inst, struct isa_regset *reads,
                          struct isa_regset *writes)
{
    if (inst->op == ISA_OP_LINE || inst->op == ISA_OP_PLN)
        add_source(reads, &inst->src[0], 1);
    if (inst->op == ISA_OP_PLN && !inst->src[1].indirect)
        add_grf_run(reads, inst->src[1].reg, inst->exec_size / 4u);
    if (inst->op == ISA_OP_MATH && inst->math == ISA_MATH_IDIV && !inst->dst.indirect)
        add_grf_run(writes, inst->dst.reg, (inst->exec_size + 7u) / 8 * 2);
}

void isa_regs(const struct isa_inst *inst, struct isa_regset *reads,
              struct isa_regset *writes)
{
    memset(reads, 0, sizeof(*reads));
    memset(writes, 0, sizeof(*writes));
    add_predicate(inst, reads);
    add_cmod(inst, writes);
    if (isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND) {
        send_regs(inst, reads, writes);
        return;
    }
    for (uint32_t i = 0; i < inst->nsrc; i++)
        add_source(reads, &inst->src[i], source_elements(inst));
    add_dest(inst, reads, writes, dest_elements(inst));
    add_implicit_acc(inst, reads, writes);
    add_irregular(inst, reads, writes);
    if (inst->op == ISA_OP_WAIT)
        writes->other |= ISA_OTHER_NOTIFY;
}
