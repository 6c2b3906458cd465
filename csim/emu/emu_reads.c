/* emu_reads.c - what a thread begins with where nobody has written: undefined registers
 * hold EMU_POISON. Those that no instruction reads before it is written are left as the
 * thread before had them, which is most of a short thread's start. */
#include "emu_int.h"

/* Registers that the instruction writes whole where all lanes of a thread are on. */
static void whole_writes(const struct emu_program *p, const struct emu_op *op,
                         uint64_t grf[2])
{
    const struct isa_inst *inst = op->inst;
    const struct isa_operand *d = &inst->dst;
    uint32_t first = d->reg * (uint32_t)ISA_GRF_BYTES + d->byte, bytes = 0;

    if (d->file != ISA_FILE_GRF || d->indirect || op->reason != NULL || op->pred ||
        (!op->no_mask && op->chan + op->exec > p->k.simd))
        return;
    if (op->kind == EMU_KIND_ALU && d->hstride == 1)
        bytes = (uint32_t)op->exec * isa_type_bytes((enum isa_type)d->type);
    if (op->kind == EMU_KIND_SEND && inst->msg.family == ISA_MSG_UNTYPED_READ &&
        inst->msg.simd == op->exec && !inst->msg.desc_reg)
        bytes = (uint32_t)inst->msg.elements * inst->msg.simd * inst->msg.slot_bytes;
    for (uint32_t r = (first + ISA_GRF_BYTES - 1) / ISA_GRF_BYTES;
         (r + 1) * ISA_GRF_BYTES <= first + bytes && r < ISA_GRF_COUNT; r++)
        grf[r / 64] |= (uint64_t)1 << r % 64;
}

static void add_registers(uint64_t grf[2], uint32_t first, uint32_t bytes)
{
    for (uint32_t r = first; r < first + bytes / ISA_GRF_BYTES && r < ISA_GRF_COUNT;
         r++)
        grf[r / 64] |= (uint64_t)1 << r % 64;
}

/* Registers that somebody may read as they were; `full`: in threads all of whose lanes
 * are on, at least to the first branch. */
static void find_reads(const struct emu_program *p, bool full, uint64_t need[2])
{
    uint64_t written[2] = {1, 0}; /* r0: the header */
    uint32_t straight = 0;

    add_registers(written, 1, emu_id_bytes(&p->k));
    add_registers(written, p->cross_grf, p->cross_bytes);
    for (uint32_t i = 0; full && i < p->blocks.block[0].count; i++, straight = i)
        if (p->op[i].writes_mask)
            break;
    need[0] = need[1] = 0;
    for (uint32_t i = 0; i < p->code->count; i++) {
        struct isa_regset reads, writes;

        isa_regs(&p->code->inst[i], &reads, &writes);
        for (uint32_t k = 0; k < 2; k++)
            need[k] |= reads.indirect ? UINT64_MAX : reads.grf[k] & ~written[k];
        if (i < straight)
            whole_writes(p, &p->op[i], written);
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

void emu_note_reads(struct emu_program *p)
{
    uint64_t need[2];

    for (uint32_t full = 0; full < 2; full++) {
        find_reads(p, full == 1, need);
        make_runs(&p->read[full], need);
    }
    for (uint32_t i = 0; i < p->code->count; i++) {
        struct isa_regset reads, writes;

        isa_regs(&p->code->inst[i], &reads, &writes);
        p->has_acc |= reads.acc != 0 || writes.acc != 0 || p->op[i].acc != EMU_ACC_NONE;
    }
}

/* Bytes of a thread behind its registers. Of a size that it knows a compiler makes a
 * string instruction, behind which loads wait until memory has everything. */
static const volatile size_t rest =
    offsetof(struct emu_thread, none) - offsetof(struct emu_thread, flag);

void emu_clear(struct emu_thread *t, const struct emu_program *p, enum emu_clear how)
{
    const struct emu_runs *runs = &p->read[how == EMU_CLEAR_FULL];

    if (how == EMU_CLEAR_ALL) {
        memset(t->grf, EMU_POISON, sizeof(t->grf));
        memset(t->pc, 0, sizeof(t->pc));
    }
    for (uint32_t i = 0; how != EMU_CLEAR_ALL && i < runs->count; i++)
        memset(t->grf + runs->run[i].at, EMU_POISON, runs->run[i].bytes);
    memset((uint8_t *)t + offsetof(struct emu_thread, flag), 0, rest);
    if (how == EMU_CLEAR_ALL || p->has_acc) {
        memset(t->acc, EMU_POISON, sizeof(t->acc));
        memset(t->acc_wide, 0, sizeof(t->acc_wide));
    }
    for (uint32_t i = 0; p->has_macros && i < EMU_MME_COUNT; i++) {
        t->mme[i].near = UINT32_MAX;
        memset(t->mme[i].value, 0, sizeof(t->mme[i].value));
    }
}
