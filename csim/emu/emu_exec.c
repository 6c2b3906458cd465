/* emu_exec.c - one instruction in general: load, compute, flags, store. */
#include "emu_int.h"

/* ---- flags of a result --------------------------------------------------- */

static bool is_infinite(enum isa_type type, uint64_t bits)
{
    uint32_t width = 8 * isa_type_bytes(type);
    uint64_t top = (uint64_t)1 << (width - 1);
    uint64_t inf = type == ISA_TYPE_HF  ? 0x7C00
                   : type == ISA_TYPE_F ? 0x7F800000
                                        : (uint64_t)0x7FF << 52;

    return (bits & (top - 1)) == inf;
}

static bool lane_finite(enum emu_domain domain, const union emu_lanes *v, uint32_t i)
{
    double x = domain == EMU_DOM_F32 ? (double)v->f[i] : v->d[i];

    return x - x == 0;
}

/* Does a floating-point result exceed the destination's type: does it become infinite,
 * or, under a directed rounding, its largest number? */
static bool exceeds(const struct emu_thread *t, const struct emu_op *op,
                    const union emu_lanes *r, uint32_t i)
{
    enum isa_type type = (enum isa_type)op->dst.type;
    double x = op->dst.dom == EMU_DOM_F32 ? (double)r->f[i] : r->d[i];
    uint64_t bits;
    struct emu_num n;

    if (is_infinite(type, emu_float_bits(t, op, r, i)))
        return true;
    memcpy(&bits, &x, sizeof(bits));
    n = emu_num_unpack(bits, ISA_TYPE_DF);
    return emu_num_exceeds(&n, type);
}

/* Lanes whose result the destination does not hold; of floats if no source is infinite.
 * `wide` is what the alu returned. */
static uint32_t test_overflow(const struct emu_thread *t, const struct emu_op *op,
                              uint32_t wide, const union emu_lanes *r,
                              const union emu_lanes *s)
{
    enum isa_type type = (enum isa_type)op->dst.type;
    enum emu_domain domain = (enum emu_domain)op->dst.dom;
    uint32_t bits = 0;

    if (op->is_wide)
        return wide;
    for (uint32_t i = 0; i < op->exec; i++) {
        bool over = domain == EMU_DOM_INT ? emu_wrap(r->i[i], type) != r->i[i]
                                          : wide >> i & 1 || exceeds(t, op, r, i);

        for (uint32_t k = 0; k < op->nsrc && domain != EMU_DOM_INT; k++)
            over &= lane_finite(domain, &s[k], i);
        bits |= (uint32_t)over << i;
    }
    return bits;
}

/* Conditions hold for the result as its type holds it, before saturation: -0.8 as a
 * whole number is 0. So the compiler has it, which folds tests into conversions. An
 * integer that saturates is looked at whole: nGEN's products of matrices end by a
 * difference below 0 that saturates to an unsigned 0. */
static uint32_t test_result(const struct emu_thread *t, const struct emu_op *op,
                            const union emu_lanes *r)
{
    enum isa_type type = (enum isa_type)op->dst.type;
    enum emu_domain domain = (enum emu_domain)op->dst.dom;
    bool own = domain == EMU_DOM_F32 ? type == ISA_TYPE_F : type == ISA_TYPE_DF;
    uint32_t bits = 0;
    union emu_lanes v;

    if (domain == EMU_DOM_INT && isa_type_is_float(type)) {
        for (uint32_t i = 0; i < op->exec; i++) {
            emu_i128 x = op->opcode == ISA_OP_MOV ? emu_wide_value(op, 0, r->i[i])
                                                  : (emu_i128)r->i[i];

            v.i[i] = x < 0 ? -1 : x > 0;
        }
        return emu_test_zero(op, op->exec, EMU_DOM_INT, ISA_TYPE_Q, &v);
    }
    if (domain == EMU_DOM_INT && op->saturate)
        type = ISA_TYPE_Q;
    if (domain == EMU_DOM_INT || type == ISA_TYPE_NONE || (own && t->ftz == 0))
        return emu_test_zero(op, op->exec, domain, type, r);
    if (!isa_type_is_float(type)) {
        for (uint32_t i = 0; i < op->exec; i++) {
            double x = domain == EMU_DOM_F32 ? (double)r->f[i] : r->d[i];

            bits |= (uint32_t)(x != x) << i;
            v.i[i] = (int64_t)emu_float_bits(t, op, r, i);
        }
        if (op->cmod == ISA_CMOD_UN)
            return bits;
        return emu_test_zero(op, op->exec, EMU_DOM_INT, type, &v);
    }
    for (uint32_t i = 0; i < op->exec; i++)
        v.d[i] = emu_float_value(t, type, emu_float_bits(t, op, r, i));
    return emu_test_zero(op, op->exec, EMU_DOM_F64, type, &v);
}

/* A wide alu has saturated its result already; within 64 bits it keeps its sign. */
static uint32_t test_unsaturated(struct emu_thread *t, const struct emu_op *op,
                                 const union emu_lanes *r, const union emu_lanes *s)
{
    struct emu_op plain;
    union emu_lanes raw;

    if (!op->is_wide || !op->saturate)
        return test_result(t, op, r);
    plain = *op;
    plain.dst.type = ISA_TYPE_Q;
    (void)op->alu(t, &plain, op->exec, &raw, s);
    return test_result(t, &plain, &raw);
}

/* ---- execution ---------------------------------------------------------- */

/* acc0 keeps more of an integer than its visible 32 bits. */
static void write_wide(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                       const union emu_lanes *r)
{
    for (uint32_t i = 0; i < op->exec; i++) {
        if (!(mask >> i & 1))
            continue;
        if (op->acc == EMU_ACC_RESULT)
            t->acc_wide[i] = r->i[i];
        else
            ((emu_ud *)t->acc)[i] = (uint32_t)t->acc_wide[i];
    }
}

void emu_exec_general(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    union emu_lanes s[ISA_MAX_SRC], r;
    uint32_t bits;

    t->mask = mask;
    if (op->reads_state)
        emu_refresh_state(t, op);
    for (uint32_t k = 0; k < op->nsrc; k++)
        emu_fetch(t, op, k, &s[k]);
    bits = op->alu(t, op, op->exec, &r, s);
    if (t->stop == EMU_STOP_ERROR)
        return;
    if (op->cmod == ISA_CMOD_OV)
        emu_set_flags(t, op, mask, test_overflow(t, op, bits, &r, s));
    else if (op->cmod && op->opcode != ISA_OP_SEL && op->opcode != ISA_OP_CSEL)
        emu_set_flags(t, op, mask, test_unsaturated(t, op, &r, s));
    if (!op->dst.none || op->acc_wr)
        emu_store(t, op, mask, &r);
    if (op->acc)
        write_wide(t, op, mask, &r);
    if (op->writes_ctrl)
        emu_ctrl_changed(t);
    if (op->writes_mask)
        emu_mask_changed(t, op);
}

void emu_exec_cmp(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    union emu_lanes s[ISA_MAX_SRC], r;
    uint32_t bits;

    t->mask = mask;
    if (op->reads_state)
        emu_refresh_state(t, op);
    for (uint32_t k = 0; k < op->nsrc; k++)
        emu_fetch(t, op, k, &s[k]);
    bits = op->alu(t, op, op->exec, &r, s);
    emu_set_flags(t, op, mask, bits);
    if (op->dst.none)
        return;
    for (uint32_t i = 0; i < op->exec; i++)
        r.i[i] = bits >> i & 1 ? -1 : 0;
    emu_store(t, op, mask, &r);
}

/* sel with a predicate: the predicate chooses, it does not disable. */
void emu_exec_sel(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    union emu_lanes s[ISA_MAX_SRC], r;
    uint32_t bits = emu_predicate(t, op);

    for (uint32_t k = 0; k < op->nsrc; k++)
        emu_fetch(t, op, k, &s[k]);
    for (uint32_t i = 0; i < op->exec; i++) {
        uint32_t k = bits >> i & 1 ? 0 : 1;

        if (op->src_dom == EMU_DOM_F32)
            r.f[i] = s[k].f[i];
        else if (op->src_dom == EMU_DOM_INT && op->saturate)
            r.i[i] = emu_wide_clamp(op, k, s[k].i[i]);
        else
            r.i[i] = s[k].i[i];
    }
    emu_quiet((enum emu_domain)op->src_dom, op->exec, &r);
    if (!op->dst.none)
        emu_store(t, op, mask, &r);
}

void emu_exec_reason(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    (void)mask;
    emu_error(t, op, "%s", op->reason);
}
