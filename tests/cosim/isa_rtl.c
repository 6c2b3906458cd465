/* isa_rtl.c - see isa_rtl.h: fields as rtl/include/igpu_isa.vh places them. */
#include "isa_rtl.h"

#include <string.h>

enum { DST = 36, SRC0 = 72, SRC_BITS = 45, IMM = 207, SRCS = 3 };
enum { FILE_NONE, FILE_GRF, FILE_ARF, FILE_IMM };
enum { OP_COUNT = 128 };

/* A comparison that is under way. */
struct look {
    const uint32_t *word;
    const struct isa_inst *in;
    const char *name;
    uint64_t got, want;
};

static uint64_t bits(const struct look *l, uint32_t at, uint32_t count)
{
    uint64_t v = 0;

    for (uint32_t i = count; i-- > 0;)
        v = v << 1 | (l->word[(at + i) / 32] >> ((at + i) % 32) & 1);
    return v;
}

static void is(struct look *l, const char *name, uint64_t got, uint64_t want)
{
    if (l->name != NULL || got == want)
        return;
    l->name = name;
    l->got = got;
    l->want = want;
}

/* Opcodes by the hardware's numbers: name, or NULL. */
static const char *const names[OP_COUNT] = {
    "illegal", "mov",   "sel",   "movi",  "not",    "and",   "or",          "xor",
    "shr",     "shl",   "smov",  NULL,    "asr",    NULL,    NULL,          NULL,
    "cmp",     "cmpn",  "csel",  NULL,    NULL,     NULL,    NULL,          "bfrev",
    "bfe",     "bfi1",  "bfi2",  NULL,    NULL,     NULL,    NULL,          NULL,
    "jmpi",    "brd",   "if",    "brc",   "else",   "endif", NULL,          "while",
    "break",   "cont",  "halt",  "calla", "call",   "ret",   "goto",        "join",
    "wait",    "send",  "sendc", "sends", "sendsc", NULL,    NULL,          NULL,
    "math",    NULL,    NULL,    NULL,    NULL,     NULL,    NULL,          NULL,
    "add",     "mul",   "avg",   "frc",   "rndu",   "rndd",  "rnde",        "rndz",
    "mac",     "mach",  "lzd",   "fbh",   "fbl",    "cbit",  "addc",        "subb",
    "sad2",    "sada2", NULL,    NULL,    "dp4",    "dph",   "dp3",         "dp2",
    NULL,      "line",  "pln",   "mad",   "lrp",    "madm",  [126] = "nop",
};

static uint64_t kind_of(const struct isa_inst *in)
{
    enum { NONE, FPU, MATH, BRANCH, SEND, NOTHING };

    switch (isa_opcode_class((enum isa_opcode)in->op)) {
    case ISA_CLASS_NONE:
        return NONE;
    case ISA_CLASS_MATH:
        return MATH;
    case ISA_CLASS_BRANCH:
        return BRANCH;
    case ISA_CLASS_SEND:
        return SEND;
    case ISA_CLASS_SYNC:
    case ISA_CLASS_NOP:
        return NOTHING;
    default:
        return FPU;
    }
}

static uint64_t file_of(const struct isa_operand *o)
{
    switch (o->file) {
    case ISA_FILE_NONE:
    case ISA_FILE_NULL:
        return FILE_NONE;
    case ISA_FILE_GRF:
        return FILE_GRF;
    case ISA_FILE_IMM:
        return FILE_IMM;
    default:
        return FILE_ARF;
    }
}

/* Of an element's place libiga64 keeps a multiple of its size; a table of compacted
 * instructions has others, for bytes. */
static uint64_t place(const struct look *l, uint32_t at, uint8_t type)
{
    uint32_t size = isa_type_bytes((enum isa_type)type);
    uint64_t byte = bits(l, at, 5);

    return l->in->compacted && size > 1 ? byte / size * size : byte;
}

static uint64_t stride(uint64_t code)
{
    return code == 0 ? 0 : (uint64_t)1 << (code - 1);
}

static void look_at_controls(struct look *l)
{
    const struct isa_inst *in = l->in;

    is(l, "execution size", 1u << bits(l, 7, 3), in->exec_size);
    is(l, "first channel", bits(l, 10, 5), in->chan_offset);
    is(l, "predicate", bits(l, 15, 4), in->pred);
    if (in->pred != ISA_PRED_NONE)
        is(l, "its inverse", bits(l, 19, 1), in->pred_inverse);
    if (in->cmod != ISA_CMOD_EO)
        is(l, "condition", bits(l, 20, 4), in->cmod);
    if (in->flag >= 0)
        is(l, "flag", bits(l, 24, 2), (uint64_t)in->flag);
    is(l, "no mask", bits(l, 26, 1), in->no_mask);
    is(l, "saturation", bits(l, 27, 1), in->saturate);
    is(l, "end of thread", bits(l, 29, 1), in->eot);
    if (in->op == ISA_OP_MATH)
        is(l, "function", bits(l, 30, 4), in->math);
}

/* JIP and UIP count from the instruction's start, of jmpi from its end. */
static void look_at_targets(struct look *l)
{
    const struct isa_inst *in = l->in;
    uint32_t base = in->pc + (in->op == ISA_OP_JMPI ? in->size : 0);

    if (in->op == ISA_OP_GOTO || in->op == ISA_OP_IF || in->op == ISA_OP_ELSE)
        is(l, "branch control", bits(l, 28, 1), in->branch_ctrl);
    if (in->jip != ISA_NO_TARGET)
        is(l, "JIP", (uint32_t)(base + bits(l, IMM, 32)), (uint32_t)in->jip);
    if (in->uip != ISA_NO_TARGET)
        is(l, "UIP", (uint32_t)(base + bits(l, IMM + 32, 32)), (uint32_t)in->uip);
}

static void look_at_message(struct look *l)
{
    const struct isa_inst *in = l->in;

    if (!in->msg.desc_reg)
        is(l, "descriptor", bits(l, IMM, 32), in->msg.desc);
    is(l, "descriptor in a0", bits(l, IMM + 36, 1), in->msg.desc_reg);
    is(l, "extended descriptor in a0", bits(l, IMM + 37, 1), in->msg.exdesc_reg);
    is(l, "shared function", bits(l, 30, 4), in->msg.sfid);
    if (!in->msg.exdesc_reg)
        is(l, "extended length", bits(l, IMM + 32, 4), in->msg.ext_mlen);
    is(l, "destination's file", bits(l, DST, 2), file_of(&in->dst));
    if (file_of(&in->dst) == FILE_GRF)
        is(l, "destination", bits(l, DST + 6, 8), in->dst.reg);
    is(l, "payload", bits(l, SRC0 + 8, 8), in->src[0].reg);
    if (in->nsrc > 1 && file_of(&in->src[1]) == FILE_GRF)
        is(l, "payload's second part", bits(l, SRC0 + SRC_BITS + 8, 8), in->src[1].reg);
}

static void look_at_destination(struct look *l)
{
    const struct isa_operand *d = &l->in->dst;

    is(l, "destination's file", bits(l, DST, 2), file_of(d));
    if (file_of(d) == FILE_NONE)
        return;
    is(l, "destination's type", bits(l, DST + 2, 4), d->type);
    is(l, "destination's mode", bits(l, DST + 21, 1), d->indirect);
    if (d->indirect) {
        is(l, "destination's address", bits(l, DST + 22, 4), d->addr_sub);
        is(l, "destination's offset", bits(l, DST + 26, 10),
           (uint64_t)d->addr_imm & 0x3FF);
    } else {
        is(l, "destination",
           bits(l, DST + 6, 8) & (file_of(d) == FILE_GRF ? 0xFF : 0x0F), d->reg);
        is(l, "destination's byte", place(l, DST + 14, d->type), d->byte);
    }
    if (l->in->exec_size > 1)
        is(l, "destination's stride", stride(bits(l, DST + 19, 2)), d->hstride);
}

/* One element of a region, whose row and column do not matter, has no region. */
static void look_at_region(struct look *l, const struct isa_operand *o, uint32_t at)
{
    uint32_t v = (uint32_t)stride(bits(l, at + 21, 3)), w = 1u << bits(l, at + 24, 3);
    uint32_t h = (uint32_t)stride(bits(l, at + 27, 2));
    uint32_t width = o->width != 0 ? o->width : 1;

    for (uint32_t i = 0; i < l->in->exec_size; i++) {
        uint32_t got = (o->vxh ? 0 : i / w * v) + i % w * h;
        uint32_t want = (o->vxh ? 0 : i / width * o->vstride) + i % width * o->hstride;

        is(l, "a source's region", got, want);
        if (o->vxh)
            is(l, "a source's rows", i / w, i / width);
    }
}

static void look_at_source(struct look *l, uint32_t k)
{
    const struct isa_operand *o = &l->in->src[k];
    uint32_t at = SRC0 + SRC_BITS * k;

    is(l, "a source's file", bits(l, at, 2), file_of(o));
    if (file_of(o) == FILE_NONE)
        return;
    is(l, "a source's type", bits(l, at + 2, 4), o->type);
    if (o->file == ISA_FILE_IMM) {
        is(l, "immediate", bits(l, IMM, 64), o->imm);
        return;
    }
    is(l, "a source's modifiers", bits(l, at + 6, 2), o->mod);
    is(l, "a source's mode", bits(l, at + 29, 1), o->indirect);
    if (o->indirect) {
        is(l, "a source's rows of addresses", bits(l, at + 30, 1), o->vxh);
        is(l, "a source's address", bits(l, at + 31, 4), o->addr_sub);
        is(l, "a source's offset", bits(l, at + 35, 10), (uint64_t)o->addr_imm & 0x3FF);
    } else {
        is(l, "a source", bits(l, at + 8, 8) & (file_of(o) == FILE_GRF ? 0xFF : 0x0F),
           o->reg);
        is(l, "a source's byte", place(l, at + 16, o->type), o->byte);
    }
    /* csim takes those of compacted architecture registers as scalars. */
    if (l->in->exec_size > 1 && !(l->in->compacted && file_of(o) == FILE_ARF))
        look_at_region(l, o, at);
}

static bool is_macro(const struct isa_inst *in)
{
    return in->op == ISA_OP_MADM ||
           (in->op == ISA_OP_MATH && in->math >= ISA_MATH_INVM);
}

static void look_at_operands(struct look *l)
{
    const struct isa_inst *in = l->in;
    uint32_t n = (uint32_t)bits(l, 34, 2);

    is(l, "AccWrEn", bits(l, 28, 1), in->acc_wr_en);
    if (in->op != ISA_OP_MATH)
        is(l, "sources", n, in->nsrc);
    if (is_macro(in)) /* registers' numbers beside mme numbers: libiga64 has others */
        return;
    look_at_destination(l);
    for (uint32_t k = 0; k < n && k < in->nsrc; k++)
        look_at_source(l, k);
}

/* Of compacted instructions in Align16, which no compiler in use makes, csim reads the
 * operands as if they were not. */
static bool is_odd(const struct look *l)
{
    return l->in->compacted && bits(l, 272, 1);
}

const char *isa_rtl_differs(const uint32_t *word, const struct isa_inst *inst,
                            uint64_t *got, uint64_t *want)
{
    struct look l = {.word = word, .in = inst};
    const char *name = names[bits(&l, 0, 7)];
    bool same =
        name != NULL && strcmp(name, isa_opcode_name((enum isa_opcode)inst->op)) == 0;

    is(&l, "opcode", same, true);
    is(&l, "kind", bits(&l, 273, 3), kind_of(inst));
    is(&l, "length", 8 + 8 * bits(&l, 271, 1), inst->size);
    if (inst->op != ISA_OP_NOP && inst->op != ISA_OP_ILLEGAL) {
        look_at_controls(&l);
        if (isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_BRANCH)
            look_at_targets(&l);
        else if (isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND)
            look_at_message(&l);
        else if (inst->op != ISA_OP_WAIT && !is_odd(&l))
            look_at_operands(&l);
    }
    *got = l.got;
    *want = l.want;
    return l.name;
}
