/* gtpin_inst.c - a dump's fields as an instruction of isa.h, see gtpin.h.
 *
 * Fields that are zero are missing in a dump: a missing register file is ARF unless a
 * register list shows GRFs, a missing type is ud, missing numbers are 0. Flags are
 * never given by these dumps: comparisons are taken to write f0.0, and branches that
 * need a predicate to read it. */
#include <string.h>

#include "traces/convert/gtpin.h"

enum { FULL = 16, COMPACTED = 8, ARF_KINDS = 16, SFID_MASK = 15 };

struct builder {
    const struct gtpin_inst *in;
    struct isa_inst *out;
    const char *reason;
};

static int64_t value(const struct gtpin_inst *in, enum gtpin_field f, int64_t fallback)
{
    return in->have[f] ? in->value[f] : fallback;
}

static bool in_range(struct builder *b, int64_t v, int64_t last, const char *what)
{
    if (v < 0 || v > last) {
        b->reason = what;
        return false;
    }
    return true;
}

static uint8_t arf_file(int64_t number)
{
    static const uint8_t files[ARF_KINDS] = {
        ISA_FILE_NULL,   ISA_FILE_ADDR,   ISA_FILE_ACC,   ISA_FILE_FLAG,
        ISA_FILE_CHMASK, ISA_FILE_MSG,    ISA_FILE_SP,    ISA_FILE_STATE,
        ISA_FILE_CTRL,   ISA_FILE_NOTIFY, ISA_FILE_IP,    ISA_FILE_TDR,
        ISA_FILE_TIME,   ISA_FILE_OTHER,  ISA_FILE_OTHER, ISA_FILE_OTHER};

    return files[(number >> 4) % ARF_KINDS];
}

/* Which file operand `k` (0 dst, 1.. sources) is in. */
static enum gtpin_file file_of(const struct gtpin_inst *in, unsigned k)
{
    enum gtpin_field file = (enum gtpin_field)(k * GTPIN_OPERAND_FIELDS);

    if (in->have[file])
        return (enum gtpin_file)in->value[file];
    return in->grfs[k] ? GTPIN_GRF : GTPIN_ARF;
}

static bool region(struct builder *b, enum gtpin_field base, unsigned k,
                   struct isa_operand *o)
{
    const struct gtpin_inst *in = b->in;
    int64_t vert = value(in, base + GTPIN_DST_VERT, 0);
    int64_t width = value(in, base + GTPIN_DST_WIDTH, 0);
    int64_t horz = value(in, base + GTPIN_DST_HORZ, k == 0 ? 1 : 0);

    if (!in_range(b, vert, ISA_MAX_SIMD, "a vertical stride over 32") ||
        !in_range(b, width, ISA_MAX_SIMD, "a region width over 32") ||
        !in_range(b, horz, 4, "a horizontal stride over 4"))
        return false;
    o->hstride = (uint8_t)horz;
    if (k > 0) {
        o->vstride = (uint8_t)vert;
        o->width = (uint8_t)width;
    }
    return true;
}

static bool operand_place(struct builder *b, enum gtpin_field base, unsigned k,
                          struct isa_operand *o)
{
    const struct gtpin_inst *in = b->in;
    int64_t number = value(in, base + GTPIN_DST_REG, in->grfs[k] ? in->first[k] : 0);
    int64_t sub = value(in, base + GTPIN_DST_SUB, 0);
    uint32_t bytes = isa_type_bytes((enum isa_type)o->type);

    if (!in_range(b, sub, ISA_GRF_BYTES - 1, "a subregister outside its register"))
        return false;
    o->byte = (uint8_t)sub;
    o->subreg = (uint8_t)(sub / (bytes ? bytes : 4));
    if (file_of(in, k) == GTPIN_ARF) {
        if (!in_range(b, number, UINT8_MAX, "an architecture register over 255"))
            return false;
        o->file = arf_file(number);
        o->reg = (uint8_t)(number % ARF_KINDS);
        return true;
    }
    o->file = ISA_FILE_GRF;
    if (!in_range(b, number, ISA_GRF_COUNT - 1, "a GRF over 127"))
        return false;
    o->reg = (uint8_t)number;
    if (value(in, base + GTPIN_DST_MODE, 0) == 1) {
        int64_t sub_reg = value(in, base + GTPIN_DST_ADDR_SUB, 0);
        int64_t imm = value(in, base + GTPIN_DST_ADDR_IMM, 0);

        o->indirect = true;
        o->reg = o->byte = o->subreg = 0;
        if (!in_range(b, sub_reg, 15, "an address subregister over 15") ||
            !in_range(b, imm + 512, 1023, "an address immediate outside -512..511"))
            return false;
        o->addr_sub = (uint8_t)sub_reg;
        o->addr_imm = (int16_t)imm;
    }
    return true;
}

static uint64_t immediate(const struct gtpin_inst *in, uint8_t type)
{
    uint32_t bytes = type == ISA_TYPE_V || type == ISA_TYPE_UV || type == ISA_TYPE_VF
                         ? 4
                         : isa_type_bytes((enum isa_type)type);
    uint64_t imm = (uint64_t)value(in, GTPIN_IMM, 0);

    return bytes == 0 || bytes >= 8 ? imm : imm & ((UINT64_C(1) << 8 * bytes) - 1);
}

static bool operand(struct builder *b, unsigned k, struct isa_operand *o)
{
    const struct gtpin_inst *in = b->in;
    enum gtpin_field base = (enum gtpin_field)(k * GTPIN_OPERAND_FIELDS);

    o->type = (uint8_t)value(in, base + GTPIN_DST_TYPE, ISA_TYPE_UD);
    if (k > 0)
        o->mod = (uint8_t)value(in, base + GTPIN_DST_MOD, 0);
    if (file_of(in, k) == GTPIN_IMMEDIATE) {
        o->file = ISA_FILE_IMM;
        o->imm = immediate(in, o->type);
        return true;
    }
    return operand_place(b, base, k, o) && region(b, base, k, o);
}

static unsigned sources(enum isa_opcode op)
{
    static const uint8_t counts[ISA_OP_COUNT] = {
#define X(id, mnemonic, cls, n) [ISA_OP_##id] = (n),
        ISA_OPCODES(X)
#undef X
    };

    return counts[op];
}

/* math: one or two. Others: as many as the opcode takes. */
static unsigned sources_of(const struct gtpin_inst *in, enum isa_opcode op)
{
    if (op == ISA_OP_MATH && !in->have[GTPIN_SRC1_FILE] && in->grfs[2] == 0 &&
        !in->have[GTPIN_SRC1_TYPE])
        return 1;
    return sources(op);
}

/* Where a branch goes; these dumps give distances in bytes: jmpi's from the next
 * instruction, the others' from the branch. The caller drops what is not there. */
static int32_t target(const struct gtpin_inst *in, const struct isa_inst *out,
                      enum gtpin_field field)
{
    int64_t to;

    if (isa_opcode_class((enum isa_opcode)out->op) != ISA_CLASS_BRANCH ||
        !in->have[field])
        return ISA_NO_TARGET;
    to = (int64_t)out->pc + in->value[field];
    if (out->op == ISA_OP_JMPI)
        to += out->size;
    return to < 0 || to > INT32_MAX / 2 ? ISA_NO_TARGET : (int32_t)to;
}

static void flags(const struct gtpin_inst *in, struct isa_inst *out)
{
    int64_t reg = value(in, GTPIN_FLAG_REG, 0), sub = value(in, GTPIN_FLAG_SUB, 0);
    bool compares = out->op == ISA_OP_CMP || out->op == ISA_OP_CMPN;
    bool asks = isa_opcode_class((enum isa_opcode)out->op) == ISA_CLASS_BRANCH &&
                out->op != ISA_OP_ENDIF && out->op != ISA_OP_JOIN &&
                out->op != ISA_OP_ELSE && out->op != ISA_OP_CALL &&
                out->op != ISA_OP_RET;

    out->cmod = (uint8_t)value(in, GTPIN_COND_MODIFIER, compares ? ISA_CMOD_NE : 0);
    out->pred = (uint8_t)value(in, GTPIN_PRED_CTRL, asks ? ISA_PRED_SEQ : 0);
    out->pred_inverse = value(in, GTPIN_PRED_INV, 0) == 1;
    out->flag = -1;
    if (out->cmod || out->pred)
        out->flag = (int8_t)((reg & 1) * 2 + (sub & 1));
}

/* A message without a descriptor that decodes: from its name, sizes and registers. */
static void guess_message(const struct gtpin_inst *in, struct isa_message *m)
{
    int64_t type = value(in, GTPIN_MSG_TYPE, 0);
    bool write = (type & GTPIN_MSG_WRITE) || value(in, GTPIN_IS_MEM_WRITE, 0);
    bool block = (type & GTPIN_MSG_BLOCK) != 0, atomic = (type & GTPIN_MSG_ATOMIC) != 0;
    bool a64 = (type & GTPIN_MSG_A64) != 0, wide = value(in, GTPIN_EXEC_SIZE, 8) > 8;
    int64_t size = value(in, GTPIN_MEM_SIZE, 4);

    memset(m, 0, sizeof(*m));
    m->sfid = ISA_SFID_DC1;
    m->atomic_op = atomic ? ISA_ATOMIC_ADD : ISA_ATOMIC_NONE;
    m->family = atomic  ? ISA_MSG_UNTYPED_ATOMIC
                : block ? (write ? ISA_MSG_BLOCK_WRITE : ISA_MSG_BLOCK_READ)
                : type & GTPIN_MSG_UNTYPED
                    ? (write ? ISA_MSG_UNTYPED_WRITE : ISA_MSG_UNTYPED_READ)
                    : (write ? ISA_MSG_SCATTERED_WRITE : ISA_MSG_SCATTERED_READ);
    m->addr_model = a64 ? ISA_ADDR_A64 : ISA_ADDR_BTI;
    m->mlen = in->grfs[1] ? in->grfs[1] : 1;
    m->ext_mlen = in->grfs[2];
    m->rlen = write && !atomic ? 0 : in->grfs[0];
    m->simd = block ? 1 : wide ? 16 : 8;
    m->elements = 1;
    m->element_bytes = size == 1 || size == 8 ? (uint8_t)size : 4;
    m->slot_bytes = m->element_bytes == 8 ? 8 : 4;
    m->comp_mask = 1;
    if (block) /* one register at least, and eight at most */
        m->block_bytes = (uint16_t)(ISA_GRF_BYTES * (m->rlen == 0  ? 1
                                                     : m->rlen > 8 ? 8
                                                                   : m->rlen));
    m->returns_data = m->rlen > 0;
    m->is_read = !write || atomic;
    m->is_write = write || atomic;
}

static void inst_message(const struct gtpin_inst *in, struct isa_inst *out,
                         bool *guessed)
{
    struct isa_message *m = &out->msg;

    m->desc = (uint32_t)value(in, GTPIN_MSG_DESC, 0);
    m->exdesc = (uint32_t)value(in, GTPIN_EX_MSG_DESC, 0);
    if (in->have[GTPIN_MSG_DESC])
        isa_message_decode(m);
    if (value(in, GTPIN_IS_MEMOP, 0) && !m->is_read && !m->is_write) {
        guess_message(in, m);
        *guessed = true;
    } else if (!in->have[GTPIN_MSG_DESC] && value(in, GTPIN_EOT, 0) != 1) {
        m->family = ISA_MSG_UNSUPPORTED;
        m->mlen = in->grfs[1] ? in->grfs[1] : 1;
        m->rlen = in->grfs[0];
        *guessed = true;
    }
    if (value(in, GTPIN_EOT, 0) == 1)
        m->family = ISA_MSG_EOT;
    out->eot = m->family == ISA_MSG_EOT;
    if (out->dst.file == ISA_FILE_NULL)
        m->returns_data = false;
}

bool gtpin_to_isa(const struct gtpin_inst *in, uint32_t pc, struct isa_inst *out,
                  bool *guessed, const char **reason)
{
    struct builder b = {in, out, NULL};
    int64_t exec = value(in, GTPIN_EXEC_SIZE, 1);
    bool good = true;

    memset(out, 0, sizeof(*out));
    out->dst.mme = ISA_MME_NONE;
    for (unsigned k = 0; k < ISA_MAX_SRC; k++)
        out->src[k].mme = ISA_MME_NONE;
    out->msg.atomic_op = ISA_ATOMIC_NONE;
    out->pc = pc;
    out->compacted = value(in, GTPIN_INS_SIZE, FULL) == COMPACTED;
    out->size = out->compacted ? COMPACTED : FULL;
    out->op = (uint8_t)value(in, GTPIN_OPCODE, ISA_OP_ILLEGAL);
    out->math = (uint8_t)value(in, GTPIN_MATH_FC, 0);
    out->exec_size = (uint8_t)exec;
    out->chan_offset = (uint8_t)value(in, GTPIN_CHANNEL_OFFSET, 0);
    out->no_mask = value(in, GTPIN_MASK_CTRL, 0) == 1;
    out->saturate = value(in, GTPIN_SATURATE, 0) == 1;
    out->acc_wr_en = value(in, GTPIN_ACC_WR, 0) == 1;
    if (exec < 1 || exec > ISA_MAX_SIMD || (exec & (exec - 1)))
        b.reason = "an exec_size that is no power of two up to 32";
    if (out->op == ISA_OP_ILLEGAL)
        b.reason = "no opcode";
    flags(in, out);
    out->nsrc = (uint8_t)sources_of(in, (enum isa_opcode)out->op);
    out->jip = target(in, out, GTPIN_JIP);
    out->uip = target(in, out, GTPIN_UIP);
    if (isa_opcode_class((enum isa_opcode)out->op) == ISA_CLASS_BRANCH) {
        if (out->jip != ISA_NO_TARGET)
            out->nsrc = 0;
    } else if (out->op != ISA_OP_NOP) {
        good = operand(&b, 0, &out->dst);
    }
    for (unsigned k = 0; k < out->nsrc && good; k++)
        good = operand(&b, k + 1, &out->src[k]);
    if (isa_opcode_class((enum isa_opcode)out->op) == ISA_CLASS_SEND)
        inst_message(in, out, guessed);
    *reason = b.reason;
    return b.reason == NULL;
}
