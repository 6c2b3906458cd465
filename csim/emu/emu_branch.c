/* emu_branch.c - where the lanes go after a branch.
 * Each lane has a pc; the lanes with the lowest pc run, the others wait at theirs. A
 * branch parks all active lanes at their targets, the scheduler then picks again. */
#include "emu_int.h"

#define NO_TARGET (UINT32_MAX - 1)

static void park(struct emu_thread *t, uint32_t lanes, uint32_t at)
{
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        t->pc[__builtin_ctz(rest)] = at;
}

/* Active lanes in the instruction's window whose predicate holds. */
static uint32_t taken(const struct emu_thread *t, const struct emu_op *op)
{
    uint32_t window = op->full << op->chan, bits = op->full;

    if (op->pred != ISA_PRED_NONE)
        bits = emu_predicate(t, op);
    return t->active & window & (bits << op->chan);
}

/* UIP of break and cont is the loop's while; a lane that breaks goes on behind it. */
static uint32_t behind_while(const struct emu_thread *t, uint32_t at)
{
    if (at != UINT32_MAX && t->m->p->op[at].opcode == ISA_OP_WHILE)
        return at + 1;
    return at;
}

static bool lanes_split(struct emu_thread *t, const struct emu_op *op, uint32_t there,
                        uint32_t target)
{
    uint32_t here = t->active & ~there;

    if (there != 0 && target >= t->m->p->code->count) {
        emu_error(t, op, "a branch without a target in the kernel");
        return false;
    }
    if (here != 0 && op->index + 1 >= t->m->p->code->count) {
        emu_error(t, op, "lanes run off the end of the kernel");
        return false;
    }
    if (t->active == t->live && (here == 0 || there == 0)) { /* nobody else waits */
        t->at = here == 0 ? target : op->index + 1;
        return true;
    }
    park(t, there, target);
    park(t, here, op->index + 1);
    t->active = 0;
    return true;
}

/* Where op goes: its label, or the distance in bytes from `base` that dword `word` of
 * its source register holds. A register may only lead to where a basic block starts,
 * because threads run and are recorded block by block. NO_TARGET after emu_error(). */
static uint32_t target(struct emu_thread *t, const struct emu_op *op, uint32_t word,
                       uint32_t base)
{
    const struct isa_operand *src = &op->inst->src[0];
    const struct emu_program *p = t->m->p;
    int32_t at;

    if (op->inst->jip != ISA_NO_TARGET)
        return op->opcode == ISA_OP_BRC ? op->uip : op->jip;
    if (op->inst->nsrc == 0 || src->file != ISA_FILE_GRF || src->indirect ||
        src->byte + 4 * (word + 1) > ISA_GRF_BYTES) {
        emu_error(t, op, "a branch to what is neither a label nor a register r");
        return NO_TARGET;
    }
    base += ((const emu_ud *)(t->grf + src->reg * ISA_GRF_BYTES + src->byte))[word];
    at = isa_find(p->code, base);
    if (at < 0 || p->blocks.block[p->blocks.block_of[at]].first != (uint32_t)at) {
        emu_error(t, op, "a computed branch to 0x%X, where no basic block starts",
                  base);
        return NO_TARGET;
    }
    return (uint32_t)at;
}

/* Leave the callee's lanes alone in a frame of their own; they wait at `at`. */
static bool enter_frame(struct emu_thread *t, const struct emu_op *op, uint32_t lanes,
                        uint32_t at, uint32_t back)
{
    if (t->depth == EMU_MAX_CALLS) {
        emu_error(t, op, "calls nest deeper than %d", EMU_MAX_CALLS);
        return false;
    }
    t->frame[t->depth].live = t->live & ~lanes;
    t->frame[t->depth].back = back;
    t->depth++;
    t->live = lanes;
    park(t, lanes, at);
    t->active = 0; /* the scheduler picks the callee's lanes */
    return true;
}

/* Lanes go back to `at` in the caller's frame, and wait there for the rest. */
static void leave_frame(struct emu_thread *t, uint32_t lanes, uint32_t at)
{
    park(t, lanes, at);
    t->active = 0;
    t->frame[t->depth - 1].live |= lanes;
    t->live &= ~lanes;
}

/* Functions whose address was taken are called by a jmpi through a register, behind an
 * instruction that adds to ip what gives the return address, and return by another. */
static bool is_call(const struct emu_thread *t, const struct emu_op *op)
{
    enum { LOOK_BACK = 4 };

    for (uint32_t k = 1; k <= LOOK_BACK && k <= op->index; k++) {
        const struct isa_inst *in = t->m->p->op[op->index - k].inst;

        if (in->op == ISA_OP_ADD && in->nsrc == 2 && in->src[0].file == ISA_FILE_IP &&
            in->src[1].file == ISA_FILE_IMM && in->dst.file == ISA_FILE_GRF &&
            in->pc + (uint32_t)in->src[1].imm == op->inst->pc + op->inst->size)
            return true;
    }
    return false;
}

/* One decision for the thread, from the flag bit of its first channel. */
static bool branch_jmpi(struct emu_thread *t, const struct emu_op *op)
{
    bool jump = op->pred == ISA_PRED_NONE || (emu_predicate(t, op) & 1);

    uint32_t at = jump ? target(t, op, 0, op->inst->pc + op->inst->size) : 0;

    if (at == NO_TARGET)
        return false;
    if (jump && op->inst->jip == ISA_NO_TARGET && t->depth > 0 &&
        t->frame[t->depth - 1].back == at) {
        leave_frame(t, t->active, at);
        return true;
    }
    if (jump && op->inst->jip == ISA_NO_TARGET && is_call(t, op)) {
        if (op->index + 1 >= t->m->p->code->count) {
            emu_error(t, op, "a call without an instruction to return to");
            return false;
        }
        return enter_frame(t, op, t->active, at, op->index + 1);
    }
    return lanes_split(t, op, jump ? t->active : 0, at);
}

/* Lanes that do not call stay in the caller's frame, at the next instruction. */
static bool branch_call(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);
    const struct isa_operand *dst = &op->inst->dst;
    uint32_t at =
        lanes ? target(t, op, 0, op->opcode == ISA_OP_CALLA ? 0 : op->inst->pc) : 0;
    emu_ud *link;

    if (at == NO_TARGET)
        return false;
    if (dst->file != ISA_FILE_GRF || dst->indirect || dst->byte > 24) {
        emu_error(t, op, "a call with this link register is not modelled");
        return false;
    }
    if (!lanes_split(t, op, 0, 0) || lanes == 0)
        return lanes == 0;
    park(t, t->active, op->index + 1); /* when lanes_split() saw no need to */
    link = (emu_ud *)(t->grf + dst->reg * ISA_GRF_BYTES + dst->byte);
    link[0] = op->inst->pc + op->inst->size;
    link[1] = lanes;
    return enter_frame(t, op, lanes, at, UINT32_MAX);
}

static bool branch_ret(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);
    const struct isa_operand *src = &op->inst->src[0];
    int32_t back;

    if (op->inst->nsrc == 0 || src->file != ISA_FILE_GRF || src->indirect) {
        emu_error(t, op, "a return with this link register is not modelled");
        return false;
    }
    back = isa_find(t->m->p->code,
                    *(const emu_ud *)(t->grf + src->reg * ISA_GRF_BYTES + src->byte));
    if (t->depth == 0 || back < 0) {
        emu_error(t, op,
                  t->depth == 0 ? "a return without a call"
                                : "a return to where no instruction is");
        return false;
    }
    if (!lanes_split(t, op, lanes, (uint32_t)back))
        return false;
    park(t, t->active & ~lanes, op->index + 1); /* when lanes_split() saw no need to */
    leave_frame(t, lanes, (uint32_t)back);
    return true;
}

/* brd and brc: lanes whose predicate holds leave, the others go on. */
static bool branch_lanes(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op), at = 0;

    if (lanes != 0)
        at = target(t, op, op->opcode == ISA_OP_BRC, op->inst->pc);
    return at != NO_TARGET && lanes_split(t, op, lanes, at);
}

bool emu_branch(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);

    switch (op->opcode) {
    case ISA_OP_IF: /* lanes outside the window have no part in the block */
        return lanes_split(t, op, t->active & ~lanes, op->jip);
    case ISA_OP_ELSE:
        return lanes_split(t, op, t->active, op->jip);
    case ISA_OP_WHILE:
        return lanes_split(t, op, lanes, op->jip);
    case ISA_OP_BREAK:
        return lanes_split(t, op, lanes, behind_while(t, op->uip));
    case ISA_OP_CONT:
    case ISA_OP_HALT:
        return lanes_split(t, op, lanes, op->uip);
    case ISA_OP_GOTO: /* forward: lanes whose predicate is false leave */
        if (op->inst->branch_ctrl)
            return lanes_split(t, op, lanes, op->uip);
        return lanes_split(t, op, t->active & (op->full << op->chan) & ~lanes, op->uip);
    case ISA_OP_JMPI:
        return branch_jmpi(t, op);
    case ISA_OP_CALL:
    case ISA_OP_CALLA:
        return branch_call(t, op);
    case ISA_OP_RET:
        return branch_ret(t, op);
    case ISA_OP_BRD:
    case ISA_OP_BRC:
        return branch_lanes(t, op);
    default:
        emu_error(t, op, "no branch of Gen9");
        return false;
    }
}
