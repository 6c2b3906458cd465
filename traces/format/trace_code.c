/* trace_code.c - decoded instructions as protobuf messages and back, see
 * trace_code.h. */
#include "traces/format/trace_code.h"

#include <stdlib.h>
#include <string.h>

/* The numbers in a file are the .proto's and never move. Those of isa.h are the same
 * today; who changes them there gets an error here and writes a mapping. */
#define SAME(proto, isa)                                                               \
    _Static_assert((int)VIGPU__TRACE__##proto == (int)(isa), "numbers of " #proto)
#define SAME_FILE(n) SAME(REG_FILE__FILE_##n, ISA_FILE_##n)
SAME_FILE(NONE);
SAME_FILE(NULL);
SAME_FILE(GRF);
SAME_FILE(IMM);
SAME_FILE(ADDR);
SAME_FILE(ACC);
SAME_FILE(FLAG);
SAME_FILE(CHMASK);
SAME_FILE(MSG);
SAME_FILE(SP);
SAME_FILE(STATE);
SAME_FILE(CTRL);
SAME_FILE(NOTIFY);
SAME_FILE(IP);
SAME_FILE(TDR);
SAME_FILE(TIME);
SAME_FILE(OTHER);
#define SAME_TYPE(n) SAME(DATA_TYPE__TYPE_##n, ISA_TYPE_##n)
SAME_TYPE(NONE);
SAME_TYPE(UB);
SAME_TYPE(B);
SAME_TYPE(UW);
SAME_TYPE(W);
SAME_TYPE(UD);
SAME_TYPE(D);
SAME_TYPE(UQ);
SAME_TYPE(Q);
SAME_TYPE(HF);
SAME_TYPE(F);
SAME_TYPE(DF);
SAME_TYPE(V);
SAME_TYPE(UV);
SAME_TYPE(VF);
#define SAME_FAMILY(n) SAME(FAMILY__MSG_##n, ISA_MSG_##n)
SAME_FAMILY(NONE);
SAME_FAMILY(UNSUPPORTED);
SAME_FAMILY(UNTYPED_READ);
SAME_FAMILY(UNTYPED_WRITE);
SAME_FAMILY(UNTYPED_ATOMIC);
SAME_FAMILY(FLOAT_ATOMIC);
SAME_FAMILY(SCATTERED_READ);
SAME_FAMILY(SCATTERED_WRITE);
SAME_FAMILY(BLOCK_READ);
SAME_FAMILY(BLOCK_WRITE);
SAME_FAMILY(SCRATCH_READ);
SAME_FAMILY(SCRATCH_WRITE);
SAME_FAMILY(TYPED_READ);
SAME_FAMILY(TYPED_WRITE);
SAME_FAMILY(TYPED_ATOMIC);
SAME_FAMILY(SAMPLER);
SAME_FAMILY(SAMPLER_FLUSH);
SAME_FAMILY(FENCE);
SAME_FAMILY(BARRIER);
SAME_FAMILY(GATEWAY);
SAME_FAMILY(EOT);
SAME_FAMILY(PAYLOAD);
SAME_FAMILY(TEXTURE);
SAME_FAMILY(TARGET);
SAME_FAMILY(URB);
SAME(ADDR_MODEL__ADDR_NONE, ISA_ADDR_NONE);
SAME(ADDR_MODEL__ADDR_BTI, ISA_ADDR_BTI);
SAME(ADDR_MODEL__ADDR_SLM, ISA_ADDR_SLM);
SAME(ADDR_MODEL__ADDR_STATELESS, ISA_ADDR_STATELESS);
SAME(ADDR_MODEL__ADDR_A64, ISA_ADDR_A64);
SAME(ADDR_MODEL__ADDR_SCRATCH, ISA_ADDR_SCRATCH);
#define SAME_PRED(n) SAME(PRED__PRED_##n, ISA_PRED_##n)
SAME_PRED(NONE);
SAME_PRED(SEQ);
SAME_PRED(ANYV);
SAME_PRED(ALLV);
SAME_PRED(ANY2H);
SAME_PRED(ALL2H);
SAME_PRED(ANY32H);
SAME_PRED(ALL32H);
#define SAME_CMOD(n) SAME(COND_MOD__CMOD_##n, ISA_CMOD_##n)
SAME_CMOD(NONE);
SAME_CMOD(EQ);
SAME_CMOD(NE);
SAME_CMOD(GT);
SAME_CMOD(GE);
SAME_CMOD(LT);
SAME_CMOD(LE);
SAME_CMOD(OV);
SAME_CMOD(UN);
SAME_CMOD(EO);
SAME(SRC_MOD__MOD_ABS, ISA_MOD_ABS);
SAME(SRC_MOD__MOD_NEG, ISA_MOD_NEG);
SAME(SRC_MOD__MOD_NEGABS, ISA_MOD_NEGABS);
SAME(MATH_FUNCTION__MATH_INV, ISA_MATH_INV);
SAME(MATH_FUNCTION__MATH_IDIV, ISA_MATH_IDIV);
SAME(MATH_FUNCTION__MATH_RSQTM, ISA_MATH_RSQTM);

enum { BUDGET_INST = 4096, SIZE_COMPACTED = 8, SIZE_FULL = 16 };

/* ---- to the file -------------------------------------------------------- */

static void pack_operand(const struct isa_operand *o, Vigpu__Trace__Operand *to)
{
    vigpu__trace__operand__init(to);
    to->file = (Vigpu__Trace__RegFile)o->file;
    to->type = (Vigpu__Trace__DataType)o->type;
    to->mod = (Vigpu__Trace__SrcMod)o->mod;
    to->indirect = o->indirect;
    to->vxh = o->vxh;
    to->reg = o->reg;
    to->subreg = o->subreg;
    to->byte = o->byte;
    to->vert_stride = o->vstride;
    to->width = o->width;
    to->horz_stride = o->hstride;
    to->mme_plus1 = (uint32_t)(o->mme + 1);
    to->swizzle = o->swizzle;
    to->addr_sub_reg = o->addr_sub;
    to->addr_imm = o->addr_imm;
    to->imm = o->imm;
}

static void pack_message(const struct isa_message *m, Vigpu__Trace__Message *to)
{
    vigpu__trace__message__init(to);
    to->sfid = m->sfid;
    to->family = (Vigpu__Trace__Family)m->family;
    to->addr_model = (Vigpu__Trace__AddrModel)m->addr_model;
    to->atomic_op_plus1 = m->atomic_op == ISA_ATOMIC_NONE ? 0 : m->atomic_op + 1u;
    to->desc = m->desc;
    to->exdesc = m->exdesc;
    to->desc_reg = m->desc_reg;
    to->exdesc_reg = m->exdesc_reg;
    to->mlen = m->mlen;
    to->ext_mlen = m->ext_mlen;
    to->rlen = m->rlen;
    to->header = m->header;
    to->simd = m->simd;
    to->bti = m->bti;
    to->elements = m->elements;
    to->element_bytes = m->element_bytes;
    to->slot_bytes = m->slot_bytes;
    to->comp_mask = m->comp_mask;
    to->slot_group = m->slot_group;
    to->sub_type = m->sub_type;
    to->sampler_index = m->sampler_index;
    to->high_half = m->high_half;
    to->commit = m->commit;
    to->returns_data = m->returns_data;
    to->is_read = m->is_read;
    to->is_write = m->is_write;
    to->block_bytes = m->block_bytes;
    to->block_unit = m->block_unit;
    to->scratch_offset = m->scratch_offset;
}

static void pack_inst(const struct isa_inst *in, uint32_t expected_pc,
                      Vigpu__Trace__Instruction *to)
{
    to->pc_delta = in->pc - expected_pc;
    to->compacted = in->compacted;
    to->math = (Vigpu__Trace__MathFunction)in->math;
    to->exec_size = in->exec_size;
    to->chan_offset = in->chan_offset;
    to->no_mask = in->no_mask;
    to->pred = (Vigpu__Trace__Pred)in->pred;
    to->pred_inverse = in->pred_inverse;
    to->cmod = (Vigpu__Trace__CondMod)in->cmod;
    to->flag_plus1 = (uint32_t)(in->flag + 1);
    to->saturate = in->saturate;
    to->acc_wr_en = in->acc_wr_en;
    to->eot = in->eot;
    to->thread_switch = in->thread_switch;
    to->branch_ctrl = in->branch_ctrl;
    to->has_jip = in->jip != ISA_NO_TARGET;
    to->has_uip = in->uip != ISA_NO_TARGET;
    to->jip_delta = to->has_jip ? in->jip - (int32_t)in->pc : 0;
    to->uip_delta = to->has_uip ? in->uip - (int32_t)in->pc : 0;
}

static uint32_t opcode_index(enum isa_opcode op, enum isa_opcode *opcodes,
                             uint32_t *count)
{
    uint32_t i = 0;

    while (i < *count && opcodes[i] != op)
        i++;
    if (i == *count)
        opcodes[(*count)++] = op;
    return i;
}

void trace_code_pack(const struct isa_kernel_code *code, enum isa_opcode *opcodes,
                     uint32_t *count, struct trace_bytes *out)
{
    uint32_t pc = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_inst *in = &code->inst[i];
        Vigpu__Trace__Instruction inst = VIGPU__TRACE__INSTRUCTION__INIT;
        Vigpu__Trace__Operand dst, src[ISA_MAX_SRC], *srcs[ISA_MAX_SRC];
        Vigpu__Trace__Message msg;
        uint8_t *to;
        size_t size;

        pack_inst(in, pc, &inst);
        pc = in->pc + in->size;
        inst.opcode = opcode_index((enum isa_opcode)in->op, opcodes, count);
        if (in->dst.file != ISA_FILE_NONE) {
            pack_operand(&in->dst, &dst);
            inst.dst = &dst;
        }
        for (uint32_t s = 0; s < in->nsrc; s++) {
            pack_operand(&in->src[s], &src[s]);
            srcs[s] = &src[s];
        }
        inst.n_src = in->nsrc;
        inst.src = srcs;
        if (in->msg.family != ISA_MSG_NONE) {
            pack_message(&in->msg, &msg);
            inst.msg = &msg;
        }
        size = vigpu__trace__instruction__get_packed_size(&inst);
        trace_bytes_varint(out, size);
        to = trace_bytes_extend(out, size);
        if (to)
            vigpu__trace__instruction__pack(&inst, to);
    }
}

/* ---- from the file ------------------------------------------------------ */

/* An operand that is not there: mme has its own "none". */
static void no_operand(struct isa_operand *o)
{
    memset(o, 0, sizeof(*o));
    o->mme = ISA_MME_NONE;
}

/* What follows checks only that a number fits where it goes; trace_kernel_fault()
 * checks what it says. */
static bool unpack_operand(const Vigpu__Trace__Operand *from, struct isa_operand *o)
{
    if ((uint32_t)from->file > UINT8_MAX || (uint32_t)from->type > UINT8_MAX ||
        (uint32_t)from->mod > UINT8_MAX || from->reg > UINT8_MAX ||
        from->subreg > UINT8_MAX || from->byte > UINT8_MAX ||
        from->vert_stride > UINT8_MAX || from->width > UINT8_MAX ||
        from->horz_stride > UINT8_MAX || from->swizzle >= 2 * ISA_SWIZZLED ||
        from->mme_plus1 > INT8_MAX || from->addr_sub_reg > UINT8_MAX ||
        from->addr_imm < INT16_MIN || from->addr_imm > INT16_MAX)
        return false;
    o->file = (uint8_t)from->file;
    o->type = (uint8_t)from->type;
    o->mod = (uint8_t)from->mod;
    o->indirect = from->indirect;
    o->vxh = from->vxh;
    o->reg = (uint8_t)from->reg;
    o->subreg = (uint8_t)from->subreg;
    o->byte = (uint8_t)from->byte;
    o->vstride = (uint8_t)from->vert_stride;
    o->width = (uint8_t)from->width;
    o->hstride = (uint8_t)from->horz_stride;
    o->mme = (int8_t)((int32_t)from->mme_plus1 - 1);
    o->swizzle = (uint16_t)from->swizzle;
    o->addr_sub = (uint8_t)from->addr_sub_reg;
    o->addr_imm = (int16_t)from->addr_imm;
    o->imm = from->imm;
    return true;
}

static bool message_fits(const Vigpu__Trace__Message *m)
{
    const uint32_t bytes[] = {
        m->sfid,       m->mlen,     m->ext_mlen,      m->rlen,           m->simd,
        m->bti,        m->elements, m->slot_bytes,    m->element_bytes,  m->comp_mask,
        m->slot_group, m->sub_type, m->sampler_index, m->atomic_op_plus1};

    for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
        if (bytes[i] > UINT8_MAX)
            return false;
    return (uint32_t)m->family <= UINT8_MAX && (uint32_t)m->addr_model <= UINT8_MAX &&
           m->block_bytes <= UINT16_MAX && m->block_unit <= UINT16_MAX &&
           m->atomic_op_plus1 <= ISA_ATOMIC_NONE;
}

static bool unpack_message(const Vigpu__Trace__Message *from, struct isa_message *m)
{
    if (!message_fits(from))
        return false;
    m->sfid = (uint8_t)from->sfid;
    m->family = (uint8_t)from->family;
    m->addr_model = (uint8_t)from->addr_model;
    m->atomic_op = (uint8_t)(from->atomic_op_plus1 ? from->atomic_op_plus1 - 1
                                                   : (uint32_t)ISA_ATOMIC_NONE);
    m->desc = from->desc;
    m->exdesc = from->exdesc;
    m->desc_reg = from->desc_reg;
    m->exdesc_reg = from->exdesc_reg;
    m->mlen = (uint8_t)from->mlen;
    m->ext_mlen = (uint8_t)from->ext_mlen;
    m->rlen = (uint8_t)from->rlen;
    m->header = from->header;
    m->simd = (uint8_t)from->simd;
    m->bti = (uint8_t)from->bti;
    m->elements = (uint8_t)from->elements;
    m->element_bytes = (uint8_t)from->element_bytes;
    m->slot_bytes = (uint8_t)from->slot_bytes;
    m->comp_mask = (uint8_t)from->comp_mask;
    m->slot_group = (uint8_t)from->slot_group;
    m->sub_type = (uint8_t)from->sub_type;
    m->sampler_index = (uint8_t)from->sampler_index;
    m->high_half = from->high_half;
    m->commit = from->commit;
    m->returns_data = from->returns_data;
    m->is_read = from->is_read;
    m->is_write = from->is_write;
    m->block_bytes = (uint16_t)from->block_bytes;
    m->block_unit = (uint16_t)from->block_unit;
    m->scratch_offset = from->scratch_offset;
    return true;
}

static bool inst_fits(const Vigpu__Trace__Instruction *from, uint64_t pc)
{
    int64_t jip = (int64_t)pc + from->jip_delta, uip = (int64_t)pc + from->uip_delta;

    return pc <= INT32_MAX / 2 && (uint32_t)from->math <= UINT8_MAX &&
           from->exec_size <= UINT8_MAX && from->chan_offset <= UINT8_MAX &&
           (uint32_t)from->pred <= UINT8_MAX && (uint32_t)from->cmod <= UINT8_MAX &&
           from->flag_plus1 <= INT8_MAX && from->n_src <= ISA_MAX_SRC && jip >= 0 &&
           jip <= INT32_MAX && uip >= 0 && uip <= INT32_MAX;
}

static bool unpack_inst(const Vigpu__Trace__Instruction *from, uint32_t expected_pc,
                        struct isa_inst *in)
{
    uint64_t pc = (uint64_t)expected_pc + from->pc_delta;

    if (!inst_fits(from, pc))
        return false;
    in->pc = (uint32_t)pc;
    in->size = from->compacted ? SIZE_COMPACTED : SIZE_FULL;
    in->compacted = from->compacted;
    in->math = (uint8_t)from->math;
    in->exec_size = (uint8_t)from->exec_size;
    in->chan_offset = (uint8_t)from->chan_offset;
    in->no_mask = from->no_mask;
    in->pred = (uint8_t)from->pred;
    in->pred_inverse = from->pred_inverse;
    in->cmod = (uint8_t)from->cmod;
    in->flag = (int8_t)((int32_t)from->flag_plus1 - 1);
    in->saturate = from->saturate;
    in->acc_wr_en = from->acc_wr_en;
    in->eot = from->eot;
    in->thread_switch = from->thread_switch;
    in->branch_ctrl = from->branch_ctrl;
    in->jip = from->has_jip ? (int32_t)pc + from->jip_delta : ISA_NO_TARGET;
    in->uip = from->has_uip ? (int32_t)pc + from->uip_delta : ISA_NO_TARGET;
    in->nsrc = (uint8_t)from->n_src;
    no_operand(&in->dst);
    if (from->dst && !unpack_operand(from->dst, &in->dst))
        return false;
    for (uint32_t s = 0; s < ISA_MAX_SRC; s++) {
        no_operand(&in->src[s]);
        if (s < from->n_src && !unpack_operand(from->src[s], &in->src[s]))
            return false;
    }
    in->msg.atomic_op = ISA_ATOMIC_NONE;
    return !from->msg || unpack_message(from->msg, &in->msg);
}

static const char *unpack_all(struct trace_view *view, const enum isa_opcode *opcodes,
                              uint32_t nopcodes, struct isa_kernel_code *code)
{
    uint32_t pc = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        struct trace_budget budget;
        Vigpu__Trace__Instruction *inst;
        uint64_t size = trace_view_varint(view);
        const uint8_t *at = trace_view_bytes(view, (size_t)size);
        bool fits;

        if (!at)
            return "its instructions end early";
        trace_budget_init(&budget, BUDGET_INST);
        inst = vigpu__trace__instruction__unpack(&budget.allocator, (size_t)size, at);
        if (!inst)
            return "an instruction cannot be read";
        fits = inst->opcode < nopcodes && unpack_inst(inst, pc, &code->inst[i]);
        if (fits)
            code->inst[i].op = (uint8_t)opcodes[inst->opcode];
        vigpu__trace__instruction__free_unpacked(inst, &budget.allocator);
        if (!fits)
            return "an instruction has a field out of range";
        pc = code->inst[i].pc + code->inst[i].size;
    }
    code->text_bytes = pc;
    return view->at == view->end ? NULL : "more instructions than it counts";
}

const char *trace_code_unpack(const void *data, size_t size, uint32_t count,
                              const enum isa_opcode *opcodes, uint32_t nopcodes,
                              struct isa_kernel_code *code)
{
    struct trace_view view = trace_view_of(data, size);
    const char *what;

    memset(code, 0, sizeof(*code));
    if (count == 0 || count > TRACE_MAX_INSTS || count > size)
        return "its number of instructions is not valid";
    code->inst = calloc(count, sizeof(*code->inst));
    if (!code->inst)
        return igpu_short_memory;
    code->count = count;
    what = unpack_all(&view, opcodes, nopcodes, code);
    if (what) {
        free(code->inst);
        memset(code, 0, sizeof(*code));
    }
    return what;
}
