/* isa_descriptor.c - descriptors of messages that code puts together in a0. */
#include <string.h>

#include "igpu/isa.h"

/* What a register adds to a descriptor: the binding table index, and of a sampler's
 * message the sampler's number above it. */
enum { TABLE = 0xFF, TABLE_AND_SAMPLER = 0xFFF };

static uint32_t from_register(const struct isa_message *m)
{
    return m->sfid == ISA_SFID_SAMPLER ? TABLE_AND_SAMPLER : TABLE;
}

/* Bytes of a0 where they are. */
enum { DESCRIPTOR = 0, EXTENDED = 4 };

static bool is_at(const struct isa_operand *o, uint32_t byte)
{
    return o->file == ISA_FILE_ADDR && !o->indirect && o->reg == 0 && o->byte >= byte &&
           o->byte < byte + 4;
}

/* It is made of immediates that are added to or combined with registers, or is one,
 * or is a register's low bits. False: it is made in another way. */
static bool makes(const struct isa_inst *in, uint32_t byte)
{
    return (in->op == ISA_OP_ADD || in->op == ISA_OP_OR || in->op == ISA_OP_MOV ||
            in->op == ISA_OP_AND) &&
           in->exec_size == 1 && in->pred == ISA_PRED_NONE && in->dst.byte == byte &&
           isa_type_bytes((enum isa_type)in->dst.type) == 4;
}

/* What the instructions in front of `send`, up to the nearest branch, say of these
 * bytes of a0; 0: nothing. */
static uint32_t known_of(const struct isa_inst *first, const struct isa_inst *send,
                         uint32_t byte)
{
    uint32_t known = 0;

    for (const struct isa_inst *in = send; in-- > first;) {
        bool more = false;

        if (isa_opcode_class((enum isa_opcode)in->op) == ISA_CLASS_BRANCH)
            return 0;
        if (!is_at(&in->dst, byte))
            continue;
        if (!makes(in, byte))
            return 0;
        for (uint32_t s = 0; s < in->nsrc && in->op != ISA_OP_AND; s++) {
            known += in->src[s].file == ISA_FILE_IMM ? (uint32_t)in->src[s].imm : 0;
            more |= is_at(&in->src[s], byte);
        }
        if (!more)
            return known;
    }
    return 0;
}

void isa_find_descriptors(struct isa_kernel_code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct isa_inst *in = &code->inst[i];

        if (!in->msg.desc_reg && !in->msg.exdesc_reg)
            continue;
        if (in->msg.exdesc_reg) {
            in->msg.exdesc = known_of(code->inst, in, EXTENDED) & ISA_EXDESC_KIND;
            isa_message_decode(&in->msg);
        }
        if (in->msg.desc_reg)
            in->msg.desc =
                known_of(code->inst, in, DESCRIPTOR) & ~from_register(&in->msg);
        isa_message_decode(&in->msg);
        in->msg.returns_data &= in->dst.file == ISA_FILE_GRF;
    }
}

bool isa_resolve(const struct isa_inst *from, uint32_t desc, struct isa_inst *to)
{
    *to = *from;
    to->msg.desc = desc;
    to->msg.desc_reg = false;
    isa_message_decode(&to->msg);
    to->msg.returns_data &= from->dst.file == ISA_FILE_GRF;
    return ((desc ^ from->msg.desc) & ~from_register(&from->msg)) == 0 &&
           to->msg.family == from->msg.family &&
           to->msg.addr_model == from->msg.addr_model;
}
