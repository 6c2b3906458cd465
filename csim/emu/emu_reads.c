/* emu_reads.c - what a thread begins with where nobody has written: undefined registers
 * hold EMU_POISON. Those that no instruction reads before it is written are left as the
 * thread before had them, which is most of a short thread's start. */
#include "emu_int.h"

/* Bytes of each register that have been written: a bit each. */
struct written {
    uint32_t bytes[ISA_GRF_COUNT];
};

static void mark(struct written *w, uint32_t first, uint32_t bytes)
{
    for (uint32_t b = first; b < first + bytes && b < EMU_GRF_SIZE; b++)
        w->bytes[b / ISA_GRF_BYTES] |= (uint32_t)1 << b % ISA_GRF_BYTES;
}

static bool covers(const struct written *w, uint32_t first, uint32_t bytes)
{
    for (uint32_t b = first; b < first + bytes; b++)
        if (b >= EMU_GRF_SIZE ||
            !(w->bytes[b / ISA_GRF_BYTES] >> b % ISA_GRF_BYTES & 1))
            return false;
    return true;
}

static uint32_t first_byte(const struct isa_operand *o)
{
    return o->reg * (uint32_t)ISA_GRF_BYTES + o->byte;
}

/* What the instruction writes where all lanes of a thread are on. */
static void mark_writes(const struct emu_program *p, const struct emu_op *op,
                        struct written *w)
{
    const struct isa_inst *inst = op->inst;
    const struct isa_operand *d = &inst->dst;
    uint32_t bytes = 0;

    if (d->file != ISA_FILE_GRF || d->indirect || op->reason != NULL || op->pred ||
        (!op->no_mask && op->chan + op->exec > p->k.simd))
        return;
    if (op->kind == EMU_KIND_ALU && (d->hstride == 1 || op->exec == 1))
        bytes = (uint32_t)op->exec * isa_type_bytes((enum isa_type)d->type);
    if (op->kind == EMU_KIND_SEND && inst->msg.family == ISA_MSG_UNTYPED_READ &&
        inst->msg.simd == op->exec && !inst->msg.desc_reg)
        bytes = (uint32_t)inst->msg.elements * inst->msg.simd * inst->msg.slot_bytes;
    mark(w, first_byte(d), bytes);
}

static bool is_scalar(const struct emu_op *op, const struct isa_operand *s)
{
    return op->kind == EMU_KIND_ALU && op->inst->op != ISA_OP_PLN &&
           op->inst->op != ISA_OP_LINE && s->file == ISA_FILE_GRF && !s->indirect &&
           s->width == 1 && s->vstride == 0 && s->hstride == 0;
}

/* Registers that it reads and that were not written before, as far as it reads them. */
static void add_reads(const struct emu_op *op, const struct written *w,
                      uint64_t need[2])
{
    struct isa_inst inst = *op->inst; /* without what it reads of one element */
    struct isa_regset reads, writes;

    for (uint32_t k = 0; k < inst.nsrc; k++) {
        const struct isa_operand *s = &op->inst->src[k];

        if (!is_scalar(op, s))
            continue;
        inst.src[k].file = ISA_FILE_IMM;
        if (!covers(w, first_byte(s), isa_type_bytes((enum isa_type)s->type)))
            need[s->reg / 64] |= (uint64_t)1 << s->reg % 64;
    }
    isa_regs(&inst, &reads, &writes);
    for (uint32_t r = 0; r < ISA_GRF_COUNT; r++)
        if ((reads.grf[r / 64] >> r % 64 & 1) &&
            (reads.indirect || w->bytes[r] != UINT32_MAX))
            need[r / 64] |= (uint64_t)1 << r % 64;
}

/* Registers that somebody may read as they were; `full`: in threads all of whose lanes
 * are on, at least to the first branch. */
static void find_reads(const struct emu_program *p, bool full, uint64_t need[2])
{
    struct written w = {.bytes = {UINT32_MAX}}; /* r0: the header */
    uint32_t straight = 0;

    for (uint32_t i = 0; full && i < p->blocks.block[0].count; i++, straight = i)
        if (p->op[i].writes_mask)
            break;
    need[0] = need[1] = 0;
    for (uint32_t i = 0; i < p->code->count; i++) {
        add_reads(&p->op[i], &w, need);
        if (i < straight)
            mark_writes(p, &p->op[i], &w);
    }
}

static void make_runs(struct emu_runs *runs, const uint64_t grf[2])
{
    for (uint32_t r = 0; r < ISA_GRF_COUNT; r++) {
        if (!(grf[r / 64] >> r % 64 & 1))
            continue;
        if (r == 0 || !(grf[(r - 1) / 64] >> (r - 1) % 64 & 1))
            runs->run[runs->count++] = (struct emu_run){r * ISA_GRF_BYTES, 0};
        runs->run[runs->count - 1].bytes += ISA_GRF_BYTES;
    }
}

/* Takes `bytes` of registers from `first` on out of *need. Returns where those of them
 * end that are in it, in bytes; their begin, where none is. */
static uint32_t take_end(uint64_t need[2], uint32_t first, uint32_t bytes)
{
    uint32_t end = first;

    for (uint32_t r = first; r < first + bytes / ISA_GRF_BYTES && r < ISA_GRF_COUNT;
         r++) {
        uint64_t bit = (uint64_t)1 << r % 64;

        if (need[r / 64] & bit)
            end = r + 1;
        need[r / 64] &= ~bit;
    }
    return end * ISA_GRF_BYTES;
}

void emu_note_reads(struct emu_program *p)
{
    uint64_t need[2];

    for (uint32_t full = 0; full < 2; full++) {
        find_reads(p, full == 1, need);
        p->begun[0] = need[0] | 1; /* of threads with all lanes; and r0 */
        p->begun[1] = need[1];
        p->id_end[full] = take_end(need, 1, emu_id_bytes(&p->k));
        p->cross_end[full] = take_end(need, p->cross_grf, p->cross_bytes);
        make_runs(&p->read[full], need);
    }
    for (uint32_t i = 0; i < p->code->count; i++) {
        struct isa_regset reads, writes;

        isa_regs(&p->code->inst[i], &reads, &writes);
        p->reads_state |= (reads.other & ISA_OTHER_STATE) != 0;
        p->has_acc |= reads.acc != 0 || writes.acc != 0 || p->op[i].acc != EMU_ACC_NONE;
    }
}
