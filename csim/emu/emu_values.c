/* emu_values.c - what an instruction computed with, for hooks.values: its sources are
 * read before it runs, its results afterwards, so no handler knows of it. */
#include "emu_int.h"

static uint64_t value_cut(uint64_t value, uint32_t type)
{
    uint32_t bits = 8 * isa_type_bytes((enum isa_type)type);

    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static struct fpu_wide wide_of(const struct emu_num *n)
{
    return (struct fpu_wide){(uint64_t)(n->mant >> 64), n->exp, n->cls, n->sign};
}

/* The elements as they lie in the registers: as integers, without modifier. */
static void read_source(struct emu_thread *t, const struct emu_op *op, uint32_t k,
                        uint64_t *out)
{
    struct emu_op plain = *op;
    struct emu_src s = op->src[k];
    union emu_lanes lanes;

    s.mod = ISA_MOD_NONE;
    s.load = emu_pick_load((enum isa_type)s.type, EMU_DOM_INT);
    plain.src_dom = EMU_DOM_INT;
    if (s.load == NULL)
        return;
    emu_fetch_from(t, &plain, &s, op->exec, &lanes);
    for (uint32_t i = 0; i < op->exec; i++)
        out[i] = value_cut((uint64_t)lanes.i[i], s.type);
}

/* acc0 as the instruction reads it: a float, or more of an integer than shows. */
static void read_acc(const struct emu_thread *t, const struct emu_op *op, uint64_t *out)
{
    for (uint32_t i = 0; i < op->exec; i++)
        if (op->src_dom == EMU_DOM_INT)
            out[i] = (uint64_t)t->acc_wide[i];
        else if (op->dst.type == ISA_TYPE_HF)
            out[i] = ((const emu_uw *)t->acc)[i];
        else if (op->src_dom == EMU_DOM_F64)
            out[i] = ((const emu_uq *)t->acc)[i];
        else
            out[i] = ((const emu_ud *)t->acc)[i];
}

static void before(struct emu_thread *t, const struct emu_op *op,
                   const struct fpu_shape *shape, struct fpu_values *v)
{
    if (op->reads_state)
        emu_refresh_state(t, op);
    for (uint32_t k = 0; k < shape->nsrc; k++)
        if (shape->form[k] == FPU_FORM_WIDE)
            for (uint32_t i = 0; i < op->exec; i++) {
                struct emu_num n = emu_macro_source(t, op, k, i);

                v->wide[k][i] = wide_of(&n);
            }
        else
            read_source(t, op, k, v->src[k]);
    if (shape->has_acc)
        read_acc(t, op, v->acc);
    if (shape->has_pred)
        v->pred = emu_predicate(t, op);
}

static void read_packed(const uint8_t *p, int32_t stride, uint32_t type, uint32_t n,
                        uint64_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        memcpy(&out[i], p + (int32_t)i * stride, isa_type_bytes((enum isa_type)type));
}

/* Where lane 0 of the result is; an instruction that changes a0 has kept the one it
 * used in *addr. */
static const uint8_t *result_at(const struct emu_thread *t, const struct emu_op *op,
                                uint16_t addr)
{
    if (op->dst.indirect)
        return t->grf + addr + op->dst.addr_imm;
    return (const uint8_t *)t + op->dst.off;
}

static void wide_result(const struct emu_thread *t, const struct emu_op *op,
                        struct fpu_values *v)
{
    for (uint32_t i = 0; i < op->exec; i++) {
        struct emu_num n;

        if (emu_is_mme(op->dst.mme)) {
            n = emu_mme_number(&t->mme[op->dst.mme], i);
        } else {
            uint64_t bits = 0;

            read_packed(result_at(t, op, 0) + i * isa_type_bytes(op->dst.type), 0,
                        op->dst.type, 1, &bits);
            n = emu_num_unpack(bits, (enum isa_type)op->dst.type);
        }
        v->wide[ISA_MAX_SRC][i] = wide_of(&n);
    }
}

static void after(const struct emu_thread *t, const struct emu_op *op,
                  const struct fpu_shape *shape, uint16_t addr, struct fpu_values *v)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);

    if (shape->result_form == FPU_FORM_WIDE)
        wide_result(t, op, v);
    else if (shape->result_form != FPU_FORM_NONE && op->dst.none)
        read_packed(t->acc, size, op->dst.type, op->exec, v->result);
    else if (shape->result_form != FPU_FORM_NONE)
        read_packed(result_at(t, op, addr), op->dst.stride, op->dst.type, op->exec,
                    v->result);
    if (shape->has_second)
        read_packed(result_at(t, op, addr) + (op->exec + 7) / 8 * ISA_GRF_BYTES,
                    op->dst.stride, op->dst.type, op->exec, v->second);
    if (shape->has_carry)
        read_packed(t->acc, 4, ISA_TYPE_UD, op->exec, v->carry);
    if (shape->has_flags)
        v->flags = t->flag[op->flag_reg] >> op->flag_shift & op->full;
}

void emu_run_told(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct emu_hooks *hooks = &t->m->launch->hooks;
    struct fpu_values v;
    struct fpu_shape shape;
    uint16_t addr = t->addr[op->dst.addr_sub];

    fpu_shape_of(op->inst, &shape);
    memset(&v, 0, sizeof(v));
    v.inst = op->index;
    v.mask = mask;
    v.mode = (uint8_t)(t->round | (t->int_round ? FPU_MODE_INT_ROUND : 0) |
                       (t->ftz & EMU_FTZ_HF ? FPU_MODE_FTZ_HF : 0) |
                       (t->ftz & EMU_FTZ_F ? FPU_MODE_FTZ_F : 0) |
                       (t->ftz & EMU_FTZ_DF ? FPU_MODE_FTZ_DF : 0));
    if (mask != 0 && op->reason == NULL)
        before(t, op, &shape, &v);
    if (mask != 0 && t->stop == EMU_STOP_NONE)
        op->run(t, op, mask);
    if (t->stop != EMU_STOP_NONE)
        return;
    if (mask != 0)
        after(t, op, &shape, addr, &v);
    hooks->values(hooks->ctx, t->number, &v);
}
