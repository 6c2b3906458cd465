/* isa_oracle.c - registers, regions, masks, predicates; the arithmetic is next door. */
#include "isa_oracle.h"

#include <string.h>

static uint32_t size_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type);
}

/* ---- reading ------------------------------------------------------------ */

static uint64_t vector_immediate(const struct isa_operand *o, uint32_t i)
{
    uint32_t imm = (uint32_t)o->imm;

    if (o->type == ISA_TYPE_VF) { /* sign, 3 bits of exponent less 3, 4 of fraction */
        uint32_t byte = imm >> 8 * (i % 4) & 0xFF, e = byte >> 4 & 7;

        if ((byte & 0x7F) == 0)
            return (uint64_t)(byte >> 7) << 31;
        return (uint64_t)(byte >> 7) << 31 | (e + 127 - 3) << 23 | (byte & 15) << 19;
    }
    imm = imm >> 4 * (i % 8) & 15;
    return o->type == ISA_TYPE_V && imm > 7 ? imm + 0xFFF0 : imm;
}

/* Whole numbers of a packed immediate lie where the destination's words do. */
static uint32_t nibble(const struct isa_inst *in, const struct isa_operand *o,
                       uint32_t i)
{
    uint32_t words = size_of(in->dst.type) / 2;

    return o->type == ISA_TYPE_VF || in->dst.file != ISA_FILE_GRF || words < 2
               ? i
               : i * words;
}

static uint64_t element(const struct oracle_state *s, const struct isa_inst *in,
                        const struct isa_operand *o, uint32_t i)
{
    uint32_t width = o->width ? o->width : 1, row = i / width, column = i % width;
    uint32_t size = size_of(o->type), at;
    uint64_t bits = 0;

    if (o->file == ISA_FILE_IMM)
        return o->type >= ISA_TYPE_V ? vector_immediate(o, nibble(in, o, i)) : o->imm;
    if (o->vxh)
        at = s->addr[o->addr_sub + row] + (uint32_t)o->addr_imm +
             column * o->hstride * size;
    else
        at = (o->indirect ? s->addr[o->addr_sub] + (uint32_t)o->addr_imm
                          : o->reg * 32u + o->byte) +
             (row * o->vstride + column * o->hstride) * size;
    if (at + size <= ORACLE_GRF_BYTES)
        memcpy(&bits, s->grf + at, size);
    return bits;
}

static void read_group(const struct oracle_state *s, const struct isa_inst *in,
                       uint32_t i, struct oracle_lane *l)
{
    for (uint32_t k = 0; k < 2 && k < in->nsrc; k++) {
        for (uint32_t c = 0; c < 4 && i / 4 * 4 + c < in->exec_size; c++)
            l->group[k][c] = element(s, in, &in->src[k], i / 4 * 4 + c);
        for (uint32_t c = 0; c < 2 && i / 2 * 2 + c < in->exec_size; c++)
            l->pair[k][c] = element(s, in, &in->src[k], i / 2 * 2 + c);
    }
}

static void read_plane(const struct oracle_state *s, const struct isa_inst *in,
                       uint32_t i, struct oracle_lane *l)
{
    for (uint32_t c = 0; c < 4; c++)
        memcpy(&l->plane[c], s->grf + in->src[0].reg * 32 + in->src[0].byte + 4 * c, 4);
    for (uint32_t c = 0; c < 2 && in->op == ISA_OP_PLN; c++)
        memcpy(&l->uv[c], s->grf + (in->src[1].reg + i / 8 * 2 + c) * 32 + i % 8 * 4,
               4);
}

static bool predicate(const struct oracle_state *s, const struct isa_inst *in,
                      uint32_t i)
{
    uint32_t bit = 16 * ((uint32_t)in->flag & 1) + in->chan_offset + i, k, first;
    uint32_t own = s->flag[in->flag >> 1];
    bool any = false, all = true, is;

    if (in->pred == ISA_PRED_ANYV || in->pred == ISA_PRED_ALLV) {
        any = (s->flag[0] >> bit | s->flag[1] >> bit) & 1;
        all = s->flag[0] >> bit & s->flag[1] >> bit & 1;
        return (in->pred == ISA_PRED_ANYV ? any : all) != in->pred_inverse;
    }
    k = in->pred == ISA_PRED_SEQ ? 1 : 2u << (in->pred - ISA_PRED_ANY2H) / 2;
    first = bit / k * k;
    for (uint32_t b = first; b < first + k; b++) {
        any |= own >> b & 1;
        all &= own >> b & 1;
    }
    is = in->pred != ISA_PRED_SEQ && (in->pred - ISA_PRED_ANY2H) % 2 == 0 ? any : all;
    return is != in->pred_inverse;
}

/* ---- writing ------------------------------------------------------------ */

static bool is_nan(uint64_t bits, uint32_t type)
{
    uint64_t inf = type == ISA_TYPE_HF  ? 0x7C00
                   : type == ISA_TYPE_F ? 0x7F800000
                                        : (uint64_t)0x7FF << 52;
    uint64_t top = (uint64_t)1 << (8 * size_of(type) - 1);

    return (bits & (top - 1)) > inf;
}

/* Numbers of a type in order, so that neighbours differ by one. */
static int64_t rank(uint64_t bits, uint32_t type)
{
    uint64_t top = (uint64_t)1 << (8 * size_of(type) - 1);
    int64_t magnitude = (int64_t)(bits & (top - 1));

    return bits & top ? -magnitude : magnitude;
}

static void store(struct oracle_state *s, const struct isa_inst *in, uint32_t i,
                  const struct oracle_result *r, const uint8_t *got)
{
    const struct isa_operand *o = &in->dst;
    uint32_t size = size_of(o->type), at;
    uint64_t seen = 0, want = r->bits;

    if (o->file != ISA_FILE_GRF)
        return;
    at = (o->indirect ? s->addr[o->addr_sub] + (uint32_t)o->addr_imm
                      : o->reg * 32u + o->byte) +
         i * o->hstride * size;
    memcpy(&seen, got + at, size);
    if (r->any_nan && is_nan(want, o->type) && is_nan(seen, o->type))
        want = seen;
    if (r->ulps != 0 && !is_nan(seen, o->type) && !is_nan(want, o->type)) {
        int64_t far = rank(seen, o->type) - rank(want, o->type);

        if (far <= (int64_t)r->ulps && -far <= (int64_t)r->ulps)
            want = seen;
    }
    memcpy(s->grf + at, &want, size);
    if (in->op == ISA_OP_MATH && in->math == ISA_MATH_IDIV)
        memcpy(s->grf + at + (in->exec_size + 7u) / 8 * 32, &r->second, size);
}

static bool enabled(const struct oracle_state *s, const struct isa_inst *in,
                    uint32_t active, uint32_t i)
{
    bool on = in->no_mask || (active >> (in->chan_offset + i) & 1);

    if (in->pred != ISA_PRED_NONE && in->op != ISA_OP_SEL)
        on = on && predicate(s, in, i);
    if (in->op == ISA_OP_SMOV)
        on = on && (in->src[1].imm >> (in->chan_offset + i) & 1);
    if (in->op == ISA_OP_SAD2 || in->op == ISA_OP_SADA2)
        on = on && i % 2 == 0;
    return on;
}

static bool is_float_path(const struct isa_inst *in)
{
    return isa_type_is_float((enum isa_type)in->src[0].type);
}

static bool one_lane(const struct oracle_state *before, struct oracle_state *s,
                     const struct isa_inst *in, uint32_t i, const uint8_t *got)
{
    struct oracle_lane l = {0};
    struct oracle_result r = {0};
    uint32_t bit = 16 * ((uint32_t)in->flag & 1) + in->chan_offset + i;
    bool writes_flag =
        in->cmod != ISA_CMOD_NONE && in->op != ISA_OP_SEL && in->op != ISA_OP_CSEL;
    uint32_t size = size_of(in->dst.type);

    for (uint32_t k = 0; k < in->nsrc; k++)
        l.src[k] = element(before, in, &in->src[k], i);
    read_group(before, in, i, &l);
    if (in->op == ISA_OP_LINE || in->op == ISA_OP_PLN)
        read_plane(before, in, i, &l);
    memcpy(&l.acc, before->acc + i * size, size);
    l.wide = before->acc_wide[i];
    l.chosen = in->op == ISA_OP_SEL && in->pred ? predicate(before, in, i) : false;
    if (!(is_float_path(in) ? oracle_float(in, &l, &r, before->ctrl)
                            : oracle_integer(in, &l, &r, before->ctrl)))
        return false;
    store(s, in, i, &r, got);
    s->acc_wide[i] = r.wide;
    if (writes_flag)
        s->flag[in->flag >> 1] =
            (s->flag[in->flag >> 1] & ~(1u << bit)) | (uint32_t)r.flag << bit;
    return true;
}

bool oracle_run(const struct isa_inst *in, struct oracle_state *s, uint32_t active,
                const uint8_t *got)
{
    static struct oracle_state before;

    before = *s;
    for (uint32_t i = 0; i < in->exec_size; i++)
        if (enabled(&before, in, active, i) && !one_lane(&before, s, in, i, got))
            return false;
    return true;
}
