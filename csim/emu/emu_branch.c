/* emu_branch.c - where the lanes go after a branch.
 * Each lane has a pc; the lanes with the lowest pc run, the others wait at theirs. A
 * branch parks all active lanes at their targets, the scheduler then picks again. */
#include "emu_int.h"

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

static bool split(struct emu_thread *t, const struct emu_op *op, uint32_t there,
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

/* One decision for the thread, from the flag bit of its first channel. */
static bool branch_jmpi(struct emu_thread *t, const struct emu_op *op)
{
    bool jump = op->pred == ISA_PRED_NONE || (emu_predicate(t, op) & 1);

    if (op->inst->jip == ISA_NO_TARGET) {
        emu_error(t, op, "jmpi to a register is not modelled");
        return false;
    }
    return split(t, op, jump ? t->active : 0, op->jip);
}

/* Lanes that do not call stay in the caller's frame, at the next instruction. */
static bool branch_call(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);
    const struct isa_operand *dst = &op->inst->dst;
    emu_ud *link;

    if (op->inst->jip == ISA_NO_TARGET || op->opcode == ISA_OP_CALLA) {
        emu_error(t, op, "a call to a register or an absolute address");
        return false;
    }
    if (dst->file != ISA_FILE_GRF || dst->indirect || dst->byte > 24) {
        emu_error(t, op, "a call with this link register is not modelled");
        return false;
    }
    if (t->depth == EMU_MAX_CALLS) {
        emu_error(t, op, "calls nest deeper than %d", EMU_MAX_CALLS);
        return false;
    }
    if (!split(t, op, 0, 0) || lanes == 0)
        return lanes == 0;
    park(t, t->active, op->index + 1); /* when split() saw no need to */
    link = (emu_ud *)(t->grf + dst->reg * ISA_GRF_BYTES + dst->byte);
    link[0] = op->inst->pc + op->inst->size;
    link[1] = lanes;
    t->frame[t->depth].live = t->live & ~lanes;
    t->depth++;
    t->live = lanes;
    park(t, lanes, op->jip);
    t->active = 0; /* the scheduler picks the callee's lanes */
    return true;
}

static bool branch_ret(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);
    const struct isa_operand *src = &op->inst->src[0];
    struct emu_frame *frame;
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
    if (!split(t, op, lanes, (uint32_t)back))
        return false;
    park(t, lanes, (uint32_t)back); /* when split() saw no need to */
    park(t, t->active & ~lanes, op->index + 1);
    t->active = 0;
    frame = &t->frame[t->depth - 1];
    frame->live |= lanes; /* they wait there for the rest of the call */
    t->live &= ~lanes;
    return true;
}

bool emu_branch(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t lanes = taken(t, op);

    switch (op->opcode) {
    case ISA_OP_IF: /* lanes outside the window have no part in the block */
        return split(t, op, t->active & ~lanes, op->jip);
    case ISA_OP_ELSE:
        return split(t, op, t->active, op->jip);
    case ISA_OP_WHILE:
        return split(t, op, lanes, op->jip);
    case ISA_OP_BREAK:
        return split(t, op, lanes, behind_while(t, op->uip));
    case ISA_OP_CONT:
    case ISA_OP_HALT:
        return split(t, op, lanes, op->uip);
    case ISA_OP_GOTO: /* forward: lanes whose predicate is false leave */
        if (op->inst->branch_ctrl)
            return split(t, op, lanes, op->uip);
        return split(t, op, t->active & (op->full << op->chan) & ~lanes, op->uip);
    case ISA_OP_JMPI:
        return branch_jmpi(t, op);
    case ISA_OP_CALL:
    case ISA_OP_CALLA:
        return branch_call(t, op);
    case ISA_OP_RET:
        return branch_ret(t, op);
    default:
        emu_error(t, op, "this branch is not modelled");
        return false;
    }
}
