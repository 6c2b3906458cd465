/* emu_state.c - a thread's predicates, flags and control register. */
#include "emu_int.h"

/* ---- predicates and flags ----------------------------------------------- */

/* Lanes of each group of `width` for which any, or every, bit is set. */
static uint32_t group_bits(uint32_t bits, uint32_t width, bool all)
{
    uint32_t out = 0, ones = igpu_low_bits(width);

    for (uint32_t i = 0; i < 32; i += width) {
        uint32_t group = bits >> i & ones;

        if (all ? group == ones : group != 0)
            out |= ones << i;
    }
    return out;
}

uint32_t emu_predicate(const struct emu_thread *t, const struct emu_op *op)
{
    uint32_t bits = t->flag[op->flag_reg] >> op->flag_shift;

    if (op->pred >= ISA_PRED_ANY2H && op->pred <= ISA_PRED_ALL32H) {
        uint32_t k = op->pred - ISA_PRED_ANY2H;

        bits = group_bits(t->flag[op->flag_reg], 2u << k / 2, k & 1) >> op->flag_shift;
    } else if (op->pred == ISA_PRED_ANYV) {
        bits = (t->flag[0] | t->flag[1]) >> op->flag_shift;
    } else if (op->pred == ISA_PRED_ALLV) {
        bits = (t->flag[0] & t->flag[1]) >> op->flag_shift;
    }
    return (op->pred_inverse ? ~bits : bits) & op->full;
}

void emu_set_flags(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                   uint32_t bits)
{
    uint32_t *flag = &t->flag[op->flag_reg];

    mask <<= op->flag_shift;
    *flag = (*flag & ~mask) | (bits << op->flag_shift & mask);
}

static bool relation(uint32_t cmod, bool is_zero, bool is_below, bool is_nan)
{
    switch (cmod) {
    case ISA_CMOD_EQ:
        return is_zero;
    case ISA_CMOD_NE:
        return !is_zero;
    case ISA_CMOD_GT:
        return !is_zero && !is_below && !is_nan;
    case ISA_CMOD_GE:
        return !is_below && !is_nan;
    case ISA_CMOD_LT:
        return is_below;
    case ISA_CMOD_UN:
        return is_nan;
    default:
        return is_below || is_zero;
    }
}

uint32_t emu_test_zero(const struct emu_op *op, uint32_t n, enum emu_domain domain,
                       enum isa_type type, const union emu_lanes *r)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < n; i++) {
        bool zero, below, nan = false;

        if (domain == EMU_DOM_INT) {
            int64_t x = emu_wrap(r->i[i], type);

            zero = x == 0;
            below = x < 0 && type != ISA_TYPE_UQ;
        } else {
            double x = domain == EMU_DOM_F32 ? (double)r->f[i] : r->d[i];

            zero = x == 0;
            below = x < 0;
            nan = x != x;
        }
        bits |= (uint32_t)relation(op->cmod, zero, below, nan) << i;
    }
    return bits;
}

/* ---- control register --------------------------------------------------- */

void emu_ctrl_changed(struct emu_thread *t)
{
    emu_set_mode(t, emu_mode(t->ctrl[0]));
}

void emu_mask_changed(struct emu_thread *t, const struct emu_op *op)
{
    if (t->next_pc != UINT32_MAX || t->depth != 0)
        return;
    if (t->state[2] == 0)
        emu_error(t, op, "a dispatch mask without lanes");
    else
        t->live = t->active = t->state[2];
}

void emu_refresh_state(struct emu_thread *t, const struct emu_op *op)
{
    uint64_t now = t->m->clock != NULL ? *t->m->clock : t->counts.instructions;

    t->ip[0] = op->inst->pc;
    t->chmask[0] = t->active;
    t->time[0] = (uint32_t)now;
    t->time[1] = (uint32_t)(now >> 32);
}
