/* emu_vector.c - instructions that look beyond their own lane: dot products, planes,
 * sums of absolute differences, indexed and scattered moves, and the division that
 * makes two results.
 * The manual gives the formulas, not the rounding of each step; here a dot product or
 * plane is one product and then fused multiply-adds, in the order in which it is
 * written, and lrp is src0 * src1 fused with the rounded src2 * (1 - src0). What goes
 * from step to step is a single float as any other: a denormal is flushed if cr0 says
 * so. */
#include "emu_int.h"

typedef union emu_lanes lanes;

/* A result for the next step. */
static void pass_on(const struct emu_thread *t, uint32_t n, lanes *r)
{
    emu_ud *bits = (emu_ud *)r->f;

    for (uint32_t i = 0; i < n && t->ftz & EMU_FTZ_F; i++)
        if ((bits[i] & 0x7F800000) == 0)
            bits[i] &= 0x80000000;
}

/* ---- dot products: groups of four lanes, all four get the sum ------------ */

/* Component c of each group, in every lane of the group; c = 4: ones. */
static void component(lanes *out, const lanes *from, uint32_t n, uint32_t c)
{
    for (uint32_t i = 0; i < n; i++)
        out->f[i] = c < 4 ? from->f[(i & ~3u) + c] : 1.0f;
}

static uint32_t dot(struct emu_thread *t, const struct emu_op *op, uint32_t n, lanes *r,
                    const lanes *s)
{
    uint32_t terms = op->opcode == ISA_OP_DP2 ? 2 : op->opcode == ISA_OP_DP3 ? 3 : 4;
    lanes v[3];

    for (uint32_t c = 0; c < terms; c++) {
        bool is_one = op->opcode == ISA_OP_DPH && c == 3;

        component(&v[1], &s[0], n, is_one ? 4 : c);
        component(&v[2], &s[1], n, c);
        if (c == 0)
            (void)emu_f32.mul(t, op, n, r, &v[1]);
        else
            (void)emu_f32.mad(t, op, n, r, v);
        v[0] = *r;
        pass_on(t, n, &v[0]);
    }
    return 0;
}

/* ---- interpolation ------------------------------------------------------ */

/* Element `at` of the plane equation, which src0 starts, for every lane. */
static void plane(struct emu_thread *t, const struct emu_op *op, uint32_t at,
                  uint32_t n, lanes *out)
{
    struct emu_src src = op->src[0];

    src.region = EMU_REG_SCALAR;
    src.off += (int32_t)at * 4;
    emu_fetch_from(t, op, &src, n, out);
}

static uint32_t line(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                     lanes *r, const lanes *s)
{
    lanes v[3];

    plane(t, op, 3, n, &v[0]);
    plane(t, op, 0, n, &v[1]);
    v[2] = s[1];
    return emu_f32.mad(t, op, n, r, v);
}

/* src1 is pairs of registers: eight u, then eight v. */
static void coordinates(struct emu_thread *t, const struct emu_op *op, uint32_t second,
                        uint32_t n, lanes *out)
{
    struct emu_gather gather;
    struct emu_src src = op->src[1];

    src.region = EMU_REG_TABLE;
    src.gather = &gather;
    for (uint32_t i = 0; i < n; i++)
        gather.off[i] =
            (int32_t)((i / 8 * 2 + second) * ISA_GRF_BYTES + i % 8 * sizeof(float));
    emu_fetch_from(t, op, &src, n, out);
}

static uint32_t pln(struct emu_thread *t, const struct emu_op *op, uint32_t n, lanes *r,
                    const lanes *s)
{
    lanes v[3];

    (void)s;
    plane(t, op, 3, n, &v[0]);
    plane(t, op, 0, n, &v[1]);
    coordinates(t, op, 0, n, &v[2]);
    (void)emu_f32.mad(t, op, n, r, v);
    v[0] = *r;
    pass_on(t, n, &v[0]);
    plane(t, op, 1, n, &v[1]);
    coordinates(t, op, 1, n, &v[2]);
    return emu_f32.mad(t, op, n, r, v);
}

static uint32_t lrp(struct emu_thread *t, const struct emu_op *op, uint32_t n, lanes *r,
                    const lanes *s)
{
    lanes v[3], rest;

    v[2] = s[2];
    for (uint32_t i = 0; i < n; i++) {
        v[0].f[i] = 1.0f;
        ((emu_ud *)v[1].f)[i] = ((const emu_ud *)s[0].f)[i] ^ 0x80000000;
    }
    (void)emu_f32.add(t, op, n, &rest, v);
    pass_on(t, n, &rest);
    v[0] = rest;
    v[1] = s[2];
    (void)emu_f32.mul(t, op, n, &rest, v);
    pass_on(t, n, &rest);
    v[0] = rest;
    v[1] = s[0];
    v[2] = s[1];
    return emu_f32.mad(t, op, n, r, v);
}

/* ---- sums of absolute differences: pairs of lanes, the first gets the sum - */

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

static uint32_t sad(struct emu_thread *t, const struct emu_op *op, uint32_t n, lanes *r,
                    const lanes *s)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = i & ~1u;

        r->i[i] = distance(s[0].i[first], s[1].i[first]) +
                  distance(s[0].i[first + 1], s[1].i[first + 1]);
        if (op->opcode == ISA_OP_SADA2)
            r->i[i] += t->acc_wide[i];
    }
    return 0;
}

void emu_exec_pairs(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    emu_exec_general(t, op, mask & 0x55555555);
}

/* ---- moves -------------------------------------------------------------- */

/* Bit of the lane's channel in src1 is one more predicate. */
void emu_exec_smov(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    uint32_t width = 8 * isa_type_bytes((enum isa_type)op->src[1].type);
    union emu_lanes select;

    emu_fetch(t, op, 1, &select);
    mask &=
        (uint32_t)((uint64_t)select.i[0] >> (width < 32 ? op->chan % width : op->chan));
    if (mask != 0)
        emu_exec_general(t, op, mask);
}

/* ---- quotient and remainder --------------------------------------------- */

void emu_exec_idiv(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    struct emu_op rest = *op;
    union emu_lanes s[2], r;

    emu_fetch(t, op, 0, &s[0]);
    emu_fetch(t, op, 1, &s[1]);
    rest.math = ISA_MATH_IQOT;
    (void)op->alu(t, &rest, op->exec, &r, s);
    emu_store(t, op, mask, &r);
    rest.math = ISA_MATH_IREM;
    rest.dst.off += (op->exec + 7) / 8 * ISA_GRF_BYTES;
    (void)op->alu(t, &rest, op->exec, &r, s);
    emu_store(t, &rest, mask, &r);
}

/* ---- choice ------------------------------------------------------------- */

static const char *check_plane(const struct emu_op *op)
{
    const struct emu_src *p = &op->src[0], *at = &op->src[1];
    int32_t last = (int32_t)(op->exec + 7u) / 8 * 2 * ISA_GRF_BYTES;

    if (p->is_imm || p->region != EMU_REG_SCALAR || p->off % 16 != 0)
        return "a plane equation that is not four floats from a multiple of 16 bytes";
    if (op->opcode == ISA_OP_PLN &&
        (at->is_imm || at->region == EMU_REG_INDIRECT || op->exec < 8 ||
         at->off % ISA_GRF_BYTES != 0 || at->off + last > EMU_GRF_SIZE))
        return "pln takes whole registers of coordinates for 8 or 16 channels";
    return NULL;
}

static const char *all_float(const struct emu_op *op)
{
    bool same = op->dst.none || op->dst.type == ISA_TYPE_F;

    for (uint32_t k = 0; k < op->nsrc; k++)
        same &= op->src[k].type == ISA_TYPE_F;
    return same ? NULL : "Gen9 has this instruction for :f only";
}

static const char *check_pairs(const struct emu_op *op)
{
    bool bytes = true;

    for (uint32_t k = 0; k < op->nsrc; k++)
        bytes &= op->src[k].type == ISA_TYPE_B || op->src[k].type == ISA_TYPE_UB;
    if (!bytes || (op->dst.type != ISA_TYPE_W && op->dst.type != ISA_TYPE_UW))
        return "Gen9 has this instruction for words from bytes only";
    return op->exec < 2 ? "sums of pairs for a single channel" : NULL;
}

const char *emu_pick_vector(struct emu_op *op)
{
    switch (op->opcode) {
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
        op->alu = dot;
        return op->exec < 4 ? "a dot product of less than four channels"
                            : all_float(op);
    case ISA_OP_LINE:
    case ISA_OP_PLN:
        op->alu = op->opcode == ISA_OP_LINE ? line : pln;
        return all_float(op) ? all_float(op) : check_plane(op);
    case ISA_OP_LRP:
        op->alu = lrp;
        return all_float(op);
    case ISA_OP_SAD2:
    case ISA_OP_SADA2:
        op->alu = sad;
        op->run = emu_exec_pairs;
        return check_pairs(op);
    default:
        return NULL;
    }
}
