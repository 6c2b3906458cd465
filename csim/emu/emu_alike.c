/* emu_alike.c - see emu_alike.h: how a group's number goes through instructions. A
 * branch, a mask or an address that is FREE ends the proof. */
#include "emu_alike.h"
#include "emu_lanes.h"

#include <stdlib.h>

/* All that the instruction may write. */
static void free_written(struct alike_thread *k, const struct isa_inst *inst)
{
    struct isa_regset reads, writes;

    isa_regs(inst, &reads, &writes);
    for (uint32_t r = 0; r < ISA_GRF_COUNT; r++)
        if (writes.grf[r / 64] >> r % 64 & 1)
            alike_free(k, r * ISA_GRF_BYTES, ISA_GRF_BYTES);
    for (uint32_t f = 0; f < 4; f++)
        if (writes.flags >> f & 1)
            k->free_flags |= UINT64_C(0xFFFF) << 16 * f;
    if (writes.addr != 0)
        alike_free(k, offsetof(struct emu_thread, addr),
                   sizeof(((struct emu_thread *)0)->addr));
}

/* Are all registers that the instruction reads, but for flags, the same? */
static bool reads_same(const struct alike_thread *k, const struct isa_inst *inst)
{
    struct isa_regset reads, writes;

    isa_regs(inst, &reads, &writes);
    for (uint32_t r = 0; r < ISA_GRF_COUNT; r++)
        if (reads.grf[r / 64] >> r % 64 & 1 &&
            !alike_all_same(k->mark + r * ISA_GRF_BYTES, ISA_GRF_BYTES))
            return false;
    return reads.acc == 0 &&
           (reads.addr == 0 ||
            alike_all_same(k->mark + offsetof(struct emu_thread, addr),
                           sizeof(((struct emu_thread *)0)->addr))) &&
           (reads.other & (ISA_OTHER_STATE | ISA_OTHER_TIME | ISA_OTHER_REST)) == 0;
}

/* ---- lanes -------------------------------------------------------------- */

/* Lanes of whose predicate nothing is known. */
static uint32_t free_predicates(const struct alike_thread *k, const struct emu_op *op)
{
    uint32_t flag[2] = {(uint32_t)k->free_flags, (uint32_t)(k->free_flags >> 32)};

    switch (op->pred) {
    case ISA_PRED_NONE:
        return 0;
    case ISA_PRED_SEQ:
        return flag[op->flag_reg] >> op->flag_shift & op->full;
    default: /* of any lanes */
        return k->free_flags != 0 ? op->full : 0;
    }
}

static void free_flags(struct alike_thread *k, const struct emu_op *op, uint32_t lanes,
                       uint32_t which)
{
    uint32_t shift = 32u * op->flag_reg + op->flag_shift;

    k->free_flags &= ~((uint64_t)lanes << shift);
    k->free_flags |= (uint64_t)which << shift;
}

/* ---- operands ----------------------------------------------------------- */

static int32_t place_of(const struct emu_src *s, uint32_t lane)
{
    return s->region == EMU_REG_SCALAR   ? 0
           : s->region == EMU_REG_LINEAR ? (int32_t)lane * s->stride
                                         : s->gather->off[lane];
}

/* `value` is the lane's, as the instruction reads it. */
static struct alike_number number_of(struct emu_alike *a, const struct alike_thread *k,
                                     const struct emu_thread *t,
                                     const struct emu_op *op, const struct emu_src *s,
                                     uint32_t lane, int64_t value)
{
    bool logic = op->opcode == ISA_OP_AND || op->opcode == ISA_OP_OR ||
                 op->opcode == ISA_OP_XOR || op->opcode == ISA_OP_NOT;
    struct alike_number n = {
        ALIKE_SAME, (uint8_t)isa_type_bytes((enum isa_type)s->type), s->type, value};

    if (s->region == EMU_REG_INDIRECT)
        n.slope = ALIKE_FREE;
    else if (!s->is_imm)
        n.slope =
            alike_read_at(a, k, t, (uint32_t)(s->off + place_of(s, lane)), n.bytes);
    if (s->mod == ISA_MOD_NONE || n.slope <= ALIKE_FREE)
        return n;
    if (logic || s->mod != ISA_MOD_NEG) {
        n.slope = ALIKE_FREE;
        return n;
    }
    /* The negative is no number of a type without sign. */
    if (!isa_type_is_signed((enum isa_type)n.type))
        n.type = ISA_TYPE_UQ;
    n.slope = alike_sum(a, n.slope, -1, ALIKE_SAME, 0, n.bytes);
    return n;
}

/* Of the first n lanes. What an address in a0 leads to is FREE, whatever it is. */
static void read_values(struct emu_thread *t, const struct emu_op *op,
                        const struct emu_src *s, uint32_t n, union emu_lanes *v)
{
    if (s->region == EMU_REG_INDIRECT)
        memset(v->i, 0, n * sizeof(v->i[0]));
    else
        emu_fetch_from(t, op, s, n, v);
}

/* ---- instructions ------------------------------------------------------- */

static bool of_integers(const struct emu_op *op)
{
    bool floats = !op->dst.none && isa_type_is_float((enum isa_type)op->dst.type);

    for (uint32_t k = 0; k < op->nsrc; k++)
        floats |= isa_type_is_float((enum isa_type)op->src[k].type);
    return !floats ||
           (op->raw && op->opcode != ISA_OP_CMP && op->opcode != ISA_OP_CMPN);
}

/* Is the result a lane's, of that lane's operands, and all that is written? */
static bool is_lanewise(const struct emu_op *op)
{
    switch (op->opcode) {
    case ISA_OP_MATH:
    case ISA_OP_SMOV:
    case ISA_OP_MOVI:
    case ISA_OP_MADM:
    case ISA_OP_MAC:
    case ISA_OP_MACH:
    case ISA_OP_SADA2:
    case ISA_OP_ADDC:
    case ISA_OP_SUBB:
    case ISA_OP_PLN:
    case ISA_OP_LINE:
    case ISA_OP_DP2:
    case ISA_OP_DP3:
    case ISA_OP_DP4:
    case ISA_OP_DPH:
        return false;
    default:
        return op->reason == NULL && !op->dst.indirect && !op->reads_state &&
               op->dst.mme == ISA_MME_NONE;
    }
}

/* A lane's result; where it is SAME its bit of the flags is known. */
static uint16_t lane_result(struct emu_alike *a, const struct alike_thread *k,
                            const struct emu_thread *t, const struct emu_op *op,
                            const union emu_lanes *v, uint32_t lane, bool free,
                            bool first)
{
    uint32_t bytes = op->dst.none ? 4 : isa_type_bytes((enum isa_type)op->dst.type);
    struct alike_number n[ISA_MAX_SRC] = {{0}};

    if (!of_integers(op))
        return ALIKE_FREE;
    for (uint32_t s = 0; s < op->nsrc; s++)
        n[s] = number_of(a, k, t, op, &op->src[s], lane, v[s].i[lane]);
    switch (op->opcode) {
    case ISA_OP_CMP:
    case ISA_OP_CMPN:
        return alike_compare(a, &n[0], &n[1], op->cmod) ? ALIKE_SAME : ALIKE_FREE;
    case ISA_OP_SEL:
        return alike_selected(a, op, n, bytes, free, first);
    default:
        return alike_result(a, op, n, bytes);
    }
}

/* Has the source one slope in all lanes? Then *n is its first lane's number. */
static bool is_even(struct emu_alike *a, const struct alike_thread *k,
                    struct emu_thread *t, const struct emu_op *op, uint32_t s,
                    struct alike_number *n)
{
    const struct emu_src *src = &op->src[s];
    union emu_lanes v;
    uint32_t bytes = isa_type_bytes((enum isa_type)src->type);

    if (src->region == EMU_REG_INDIRECT || src->mod != ISA_MOD_NONE)
        return false;
    read_values(t, op, src, 1, &v);
    *n = number_of(a, k, t, op, src, 0, v.i[0]);
    if (src->is_imm || src->region == EMU_REG_SCALAR)
        return true;
    return bytes == ALIKE_DWORD && src->stride == ALIKE_DWORD &&
           src->region == EMU_REG_LINEAR &&
           (uint32_t)src->off + op->exec * ALIKE_DWORD <= EMU_GRF_SIZE &&
           alike_are_dwords(k, (uint32_t)src->off, op->exec, n->slope);
}

/* Does the slope of a result depend on what the second source is, and is that one
 * number in all lanes? */
static bool has_one_value(const struct emu_op *op, uint32_t s)
{
    return (op->src[s].is_imm && op->src[s].gather == NULL) ||
           op->src[s].region == EMU_REG_SCALAR;
}

/* One slope for the results of all lanes; false: they have to be looked at each. */
static bool even_result(struct emu_alike *a, const struct alike_thread *k,
                        struct emu_thread *t, const struct emu_op *op, uint16_t *slope)
{
    uint32_t bytes =
        op->dst.none ? ALIKE_DWORD : isa_type_bytes((enum isa_type)op->dst.type);
    struct alike_number n[ISA_MAX_SRC] = {{0}};
    uint32_t all = 0, free = 0;

    if (!of_integers(op)) {
        *slope = ALIKE_FREE;
        return true;
    }
    for (uint32_t s = 0; s < op->nsrc; s++) {
        if (!is_even(a, k, t, op, s, &n[s]))
            return false;
        all |= n[s].slope;
        free |= n[s].slope == ALIKE_FREE;
    }
    *slope = ALIKE_SAME;
    if (all == ALIKE_SAME)
        return true;
    if (op->opcode == ISA_OP_SEL || op->opcode == ISA_OP_CMP ||
        op->opcode == ISA_OP_CMPN)
        return false;
    if (free == 0 && op->opcode != ISA_OP_MOV && op->opcode != ISA_OP_ADD &&
        !(op->opcode == ISA_OP_SHL && has_one_value(op, 1)) &&
        !(op->opcode == ISA_OP_MUL && has_one_value(op, n[0].slope != ALIKE_SAME)))
        return false;
    for (uint32_t s = 0; free == 0 && s < op->nsrc; s++)
        if (n[s].slope != ALIKE_SAME && n[s].bytes < bytes)
            return false;
    *slope = alike_result(a, op, n, bytes);
    return true;
}

static bool step_evenly(struct emu_alike *a, struct alike_thread *k,
                        struct emu_thread *t, const struct emu_op *op, uint32_t lanes)
{
    const struct emu_dst *d = &op->dst;
    uint16_t slope;

    if (lanes != op->full || op->pred != ISA_PRED_NONE || op->writes_mask ||
        (!d->none &&
         (d->stride != ALIKE_DWORD || isa_type_bytes(d->type) != ALIKE_DWORD ||
          (uint32_t)d->off + op->exec * ALIKE_DWORD > EMU_GRF_SIZE)) ||
        !even_result(a, k, t, op, &slope))
        return false;
    if (!d->none)
        alike_write_dwords(k, (uint32_t)d->off, op->exec, slope);
    if (op->cmod != ISA_CMOD_NONE && op->opcode != ISA_OP_SEL &&
        op->opcode != ISA_OP_CSEL)
        free_flags(k, op, lanes, slope == ALIKE_SAME ? 0 : lanes);
    return true;
}

static void step_alu(struct emu_alike *a, struct alike_thread *k, struct emu_thread *t,
                     const struct emu_op *op)
{
    uint32_t lanes = emu_unpredicated(t, op), free = free_predicates(k, op), known = 0;
    uint32_t bits = op->pred != ISA_PRED_NONE ? emu_predicate(t, op) : 0;
    uint16_t slope[EMU_LANES];
    union emu_lanes v[ISA_MAX_SRC];

    if (op->pred_on)
        lanes &= bits | free;
    if (lanes == 0)
        return;
    if (!is_lanewise(op)) {
        if (op->dst.indirect || op->reason != NULL)
            a->failed = true;
        free_written(k, op->inst);
        return;
    }
    if (step_evenly(a, k, t, op, lanes))
        return;
    for (uint32_t s = 0; s < op->nsrc && of_integers(op); s++)
        read_values(t, op, &op->src[s], op->exec, &v[s]);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);

        slope[i] = lane_result(a, k, t, op, v, i, free >> i & 1, bits >> i & 1);
        if (op->pred_on && free >> i & 1)
            slope[i] = ALIKE_FREE;
        known |= (uint32_t)(slope[i] == ALIKE_SAME) << i;
    }
    for (uint32_t rest = lanes; rest != 0 && !op->dst.none; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);

        alike_write(k, (uint32_t)(op->dst.off + (int32_t)i * op->dst.stride),
                    isa_type_bytes((enum isa_type)op->dst.type), slope[i]);
    }
    a->failed |= op->writes_mask && known != lanes;
    if (op->cmod != ISA_CMOD_NONE && op->opcode != ISA_OP_SEL &&
        op->opcode != ISA_OP_CSEL)
        free_flags(k, op, lanes, lanes & ~known);
}

/* ---- messages ------------------------------------------------------------ */

/* The slope of an address that the payload has at `at`, in units of `unit` bytes. */
static uint16_t address_slope(struct emu_alike *a, const struct alike_thread *k,
                              const struct emu_thread *t, const struct isa_message *msg,
                              uint32_t at, uint32_t unit)
{
    bool a64 = msg->addr_model == ISA_ADDR_A64;
    struct alike_number n = {.bytes = a64 ? 8 : 4,
                             .type = a64 ? ISA_TYPE_Q : ISA_TYPE_UD};

    n.slope = alike_read_at(a, k, t, at, n.bytes);
    n.value = a64 ? *(const emu_q *)(t->grf + at) : *(const emu_ud *)(t->grf + at);
    if (n.slope <= ALIKE_FREE)
        return n.slope;
    if (msg->addr_model == ISA_ADDR_SLM || !alike_in_type(a, &n))
        return ALIKE_FREE;
    return alike_sum(a, n.slope, unit, ALIKE_SAME, 0, 8);
}

/* All lanes of a message have one slope, each time. */
static void note_way(struct emu_alike *a, const struct emu_thread *t,
                     const struct emu_op *op, uint16_t slope)
{
    uint32_t index = (uint32_t)(t->number - t->m->group.first);
    uint16_t *way = &a->way[index * a->p->code->count + op->index];

    if (*way == ALIKE_UNSENT)
        *way = slope;
    if (slope == ALIKE_FREE || *way != slope)
        a->failed = true;
}

static void step_lanes(struct emu_alike *a, struct alike_thread *k,
                       const struct emu_thread *t, const struct emu_op *op,
                       uint32_t lanes)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t bytes = msg->addr_model == ISA_ADDR_A64 ? 8 : 4;
    uint32_t unit = 1u << emu_offset_shift(msg);
    uint32_t at = emu_payload_at(op->inst, msg->header),
             n = bytes / ALIKE_DWORD * msg->simd;

    lanes &= igpu_low_bits(msg->simd);
    if (lanes != 0 && at + n * ALIKE_DWORD <= EMU_GRF_SIZE &&
        alike_are_dwords(k, at, n, ALIKE_SAME)) {
        note_way(a, t, op, ALIKE_SAME);
        return;
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        note_way(a, t, op,
                 address_slope(a, k, t, msg, at + (uint32_t)__builtin_ctz(rest) * bytes,
                               unit));
}

static void step_block(struct emu_alike *a, struct alike_thread *k,
                       const struct emu_thread *t, const struct emu_op *op)
{
    const struct isa_message *msg = &op->inst->msg;
    bool a64 = msg->addr_model == ISA_ADDR_A64;
    uint32_t at = emu_payload_at(op->inst, 0) + (a64 ? 0 : 8);

    note_way(a, t, op, address_slope(a, k, t, msg, at, a64 ? 1 : msg->block_unit));
}

/* Is the scratch base that stateless messages count from the same? */
static bool same_base(const struct alike_thread *k, const struct isa_inst *inst)
{
    enum { BASE = 5 * 4 };

    return !inst->msg.header || inst->msg.addr_model != ISA_ADDR_STATELESS ||
           alike_read(k, emu_payload_at(inst, 0) + BASE, 4) == ALIKE_SAME;
}

static void step_message(struct emu_alike *a, struct alike_thread *k,
                         const struct emu_thread *t, const struct emu_op *op)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t lanes = emu_unpredicated(t, op);

    if (op->pred_on) {
        a->failed |= (lanes & free_predicates(k, op)) != 0;
        lanes &= emu_predicate(t, op);
    }
    if (op->reason != NULL || msg->desc_reg || msg->exdesc_reg ||
        !same_base(k, op->inst)) {
        a->failed = true;
        return;
    }
    switch (msg->family) {
    case ISA_MSG_UNTYPED_READ:
    case ISA_MSG_UNTYPED_WRITE:
    case ISA_MSG_UNTYPED_ATOMIC:
    case ISA_MSG_FLOAT_ATOMIC:
    case ISA_MSG_SCATTERED_READ:
    case ISA_MSG_SCATTERED_WRITE:
        step_lanes(a, k, t, op, lanes);
        break;
    case ISA_MSG_BLOCK_READ:
    case ISA_MSG_BLOCK_WRITE:
        if (lanes != 0)
            step_block(a, k, t, op);
        break;
    default: /* scratch has a thread's place on the device; images are not looked at */
        a->failed |= msg->is_read || msg->is_write;
        break;
    }
    free_written(k, op->inst);
}

void emu_alike_step(struct emu_thread *t, const struct emu_op *op)
{
    struct emu_alike *a = t->m->proves;
    struct alike_thread *k = &a->thread[t->number - t->m->group.first];

    switch (op->kind) {
    case EMU_KIND_ALU:
        step_alu(a, k, t, op);
        break;
    case EMU_KIND_SEND:
        step_message(a, k, t, op);
        break;
    case EMU_KIND_BRANCH:
    case EMU_KIND_EOT:
        a->failed |= (emu_unpredicated(t, op) & free_predicates(k, op)) != 0;
        if (op->kind == EMU_KIND_BRANCH) {
            a->failed |= op->inst->nsrc > 0 && !reads_same(k, op->inst);
            free_written(k, op->inst);
        }
        break;
    default:
        break;
    }
}

/* ---- the begin ----------------------------------------------------------- */

void emu_alike_know(struct emu_alike *a, uint32_t index, uint32_t at, uint32_t bytes,
                    struct alike_slope s)
{
    alike_write(&a->thread[index], at, bytes, alike_slope_of(a, s, bytes));
}

/* Of r0: the group in three dimensions, and the share of the pools. */
static void begin_thread(struct emu_alike *a, uint32_t index)
{
    static const uint8_t word[3] = {1, 6, 7};

    for (uint32_t d = 0; d < 3; d++) {
        struct alike_slope s = {{0}};

        s.by[d] = 1;
        emu_alike_know(a, index, word[d] * 4u, 4, s);
    }
    alike_write(&a->thread[index], 5 * 4, 4, ALIKE_FREE);
}

struct emu_alike *emu_alike_new(const struct emu_machine *m)
{
    struct emu_alike *a = calloc(1, sizeof(*a));
    size_t ways = (size_t)m->threads_per_group * m->p->code->count;

    if (a == NULL)
        return NULL;
    a->p = m->p;
    a->threads = m->threads_per_group;
    a->slopes = ALIKE_FREE + 1;
    a->thread = calloc(a->threads, sizeof(*a->thread));
    a->way = malloc(ways * sizeof(*a->way));
    if (a->thread == NULL || a->way == NULL) {
        emu_alike_free(a);
        return NULL;
    }
    a->number = m->group.first;
    for (uint32_t d = 0; d < 3; d++) {
        a->first[d] = m->group.at[d];
        a->most[d] = m->groups[d] - 1 - m->group.at[d];
    }
    memset(a->way, 0xFF, ways * sizeof(*a->way));
    for (uint32_t i = 0; i < a->threads; i++)
        begin_thread(a, i);
    return a;
}

bool emu_alike_gather(struct emu_alike *a)
{
    uint32_t count = a->p->code->count;

    for (uint32_t k = 0; k < a->threads; k++) {
        const uint16_t *way = a->way + (size_t)k * count;
        struct alike_thread *t = &a->thread[k];

        t->send = malloc((count + 1u) * sizeof(*t->send));
        if (t->send == NULL)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (way[i] != ALIKE_UNSENT && way[i] != ALIKE_SAME)
                t->send[t->sends++] = (struct alike_send){i, way[i]};
    }
    return true;
}

void emu_alike_free(struct emu_alike *a)
{
    if (a == NULL)
        return;
    for (uint32_t k = 0; a->thread != NULL && k < a->threads; k++)
        free(a->thread[k].send);
    free(a->thread);
    free(a->way);
    free(a);
}
