/* random_text.c - see random_text.h */
#include "random_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TRIES = 1000 };

struct random_text random_text;

/* ---- an instruction ---------------------------------------------------------------
 */

static const uint8_t opcodes[] = {
    ISA_OP_MOV,  ISA_OP_MOV,  ISA_OP_MOV,  ISA_OP_ADD,  ISA_OP_ADD,  ISA_OP_MUL,
    ISA_OP_MUL,  ISA_OP_MAD,  ISA_OP_MAD,  ISA_OP_AND,  ISA_OP_OR,   ISA_OP_XOR,
    ISA_OP_NOT,  ISA_OP_SHL,  ISA_OP_SHR,  ISA_OP_ASR,  ISA_OP_SEL,  ISA_OP_SEL,
    ISA_OP_SEL,  ISA_OP_CMP,  ISA_OP_CMP,  ISA_OP_CMPN, ISA_OP_RNDD, ISA_OP_RNDE,
    ISA_OP_RNDU, ISA_OP_RNDZ, ISA_OP_FRC,  ISA_OP_AVG,  ISA_OP_LZD,  ISA_OP_CBIT,
    ISA_OP_ADDC, ISA_OP_MACH, ISA_OP_MACH,
};
static const uint8_t types[] = {
    ISA_TYPE_D,  ISA_TYPE_D, ISA_TYPE_UD, ISA_TYPE_UD, ISA_TYPE_F,
    ISA_TYPE_F,  ISA_TYPE_F, ISA_TYPE_W,  ISA_TYPE_UW, ISA_TYPE_B,
    ISA_TYPE_UB, ISA_TYPE_Q, ISA_TYPE_UQ, ISA_TYPE_DF, ISA_TYPE_HF,
};

static struct isa_operand random_source(uint32_t type)
{
    static const uint8_t regions[][3] = {{0, 1, 0},  {8, 8, 1}, {16, 16, 1}, {4, 4, 1},
                                         {16, 8, 2}, {2, 1, 0}, {4, 1, 0},   {1, 4, 0},
                                         {8, 8, 1},  {8, 8, 1}, {0, 4, 1}};
    const uint8_t *r = PICK(regions);
    struct isa_operand o =
        emu_rig_src(below(102), (enum isa_type)type, r[0], r[1], r[2]);

    if (r[0] == 0 || one_in(8)) {
        o.subreg = (uint8_t)below(32 / isa_type_bytes((enum isa_type)type));
        o.byte = (uint8_t)(o.subreg * isa_type_bytes((enum isa_type)type));
    }
    if (one_in(5))
        o.mod = (uint8_t)below(4);
    return o;
}

static struct isa_operand random_imm(uint32_t type)
{
    static const uint64_t values[] = {0,    1,      3,          31,
                                      0x80, 0xFFFF, 0x3F800000, 0xC0490FDB};
    uint64_t ones = UINT64_MAX >> (64 - 8 * isa_type_bytes((enum isa_type)type));

    return emu_rig_imm((enum isa_type)type, PICK(values) & ones);
}

static uint32_t sources_of(uint32_t op)
{
#define SOURCES(id, mnemonic, cls, nsrc) nsrc,
    static const uint8_t sources[] = {ISA_OPCODES(SOURCES)};
#undef SOURCES

    return sources[op];
}

static void random_mask(struct isa_inst *inst)
{
    inst->no_mask = one_in(4);
    inst->chan_offset =
        (uint8_t)(below(32 / inst->exec_size) * inst->exec_size / 4 * 4);
    if (one_in(3) || (inst->op == ISA_OP_SEL && one_in(2)))
        inst->pred = (uint8_t)(one_in(4) ? below(ISA_PRED_COUNT) : ISA_PRED_SEQ);
    inst->pred_inverse = one_in(2);
    if (one_in(4) || inst->op == ISA_OP_CMP || inst->op == ISA_OP_CMPN ||
        (inst->op == ISA_OP_SEL && !inst->pred))
        inst->cmod = (uint8_t)(1 + below(ISA_CMOD_UN));
    if (inst->pred || inst->cmod)
        inst->flag = (int8_t)below(4);
}

/* A multiplication whose product acc0 keeps. */
static struct isa_inst random_product(void)
{
    static const uint8_t sizes[] = {4, 8, 8, 16, 16, 32};
    static const uint8_t whole[] = {ISA_TYPE_D, ISA_TYPE_UD, ISA_TYPE_UW, ISA_TYPE_W};
    struct isa_inst inst =
        emu_rig_inst(one_in(2) ? ISA_OP_MUL : ISA_OP_MACH, PICK(sizes));

    inst.nsrc = 2;
    inst.no_mask = one_in(4);
    inst.pred = (uint8_t)(one_in(3) ? ISA_PRED_SEQ : ISA_PRED_NONE);
    if (inst.pred)
        inst.flag = (int8_t)below(4);
    inst.acc_wr_en = inst.op == ISA_OP_MACH;
    inst.src[0] = random_source(PICK(whole));
    inst.src[1] = one_in(3) ? random_imm(PICK(whole)) : random_source(PICK(whole));
    inst.dst = emu_rig_dst(2 + below(100), PICK(whole), 1);
    if (inst.op == ISA_OP_MUL || one_in(4)) {
        inst.dst.reg = 0;
        inst.dst.file = ISA_FILE_ACC;
    }
    return inst;
}

/* What pixel shaders interpolate with, and mix. */
static struct isa_inst random_plane(void)
{
    static const uint8_t sizes[] = {8, 8, 16, 16, 4};
    struct isa_inst inst =
        emu_rig_inst(one_in(2) ? ISA_OP_PLN : ISA_OP_LRP, PICK(sizes));

    inst.nsrc = inst.op == ISA_OP_PLN ? 2 : 3;
    random_mask(&inst);
    inst.saturate = one_in(4);
    for (uint32_t k = 0; k < inst.nsrc; k++)
        inst.src[k] = random_source(ISA_TYPE_F);
    if (inst.op == ISA_OP_PLN) {
        uint32_t grfs = one_in(3) ? RANDOM_SMALL_GRFS - 4 : 100;

        inst.src[0] = emu_rig_src(2 + below(grfs), ISA_TYPE_F, 0, 1, 0);
        inst.src[0].subreg = (uint8_t)(4 * below(2));
        inst.src[0].byte = (uint8_t)(4 * inst.src[0].subreg);
        inst.src[0].mod = (uint8_t)(one_in(4) ? below(4) : 0);
        inst.src[1] = emu_rig_packed(2 + below(grfs), ISA_TYPE_F);
        inst.src[1].mod = (uint8_t)(one_in(4) ? below(4) : 0);
    }
    inst.dst = emu_rig_dst(2 + below(100), ISA_TYPE_F, one_in(5) ? 2 : 1);
    return inst;
}

static struct isa_inst random_math(void)
{
    static const uint8_t sizes[] = {8, 8, 16, 16, 4};
    static const uint8_t functions[] = {ISA_MATH_INV, ISA_MATH_SQT,  ISA_MATH_RSQT,
                                        ISA_MATH_LOG, ISA_MATH_FDIV, ISA_MATH_EXP,
                                        ISA_MATH_POW, ISA_MATH_SIN,  ISA_MATH_COS};
    struct isa_inst inst = emu_rig_inst(ISA_OP_MATH, PICK(sizes));

    inst.math = PICK(functions);
    inst.nsrc = inst.math == ISA_MATH_FDIV || inst.math == ISA_MATH_POW ? 2 : 1;
    random_mask(&inst);
    inst.saturate = one_in(4);
    for (uint32_t k = 0; k < inst.nsrc; k++) {
        inst.src[k] = random_source(one_in(8) ? ISA_TYPE_HF : ISA_TYPE_F);
        if (k == 0 && one_in(2)) /* most have a root */
            inst.src[k].mod = ISA_MOD_ABS;
    }
    inst.dst = emu_rig_dst(2 + below(100), ISA_TYPE_F, one_in(5) ? 2 : 1);
    return inst;
}

/* Of a division or a root: most are generated. */
static struct isa_inst random_macro(void)
{
    static const uint8_t sizes[] = {4, 4, 4, 8, 8, 16};
    struct isa_inst inst =
        emu_rig_inst(one_in(4) ? ISA_OP_MATH : ISA_OP_MADM, PICK(sizes));
    enum isa_type type = one_in(12) ? ISA_TYPE_F : ISA_TYPE_DF;

    random_mask(&inst);
    inst.cmod = ISA_CMOD_NONE;
    if (inst.op == ISA_OP_MATH) {
        inst.math = one_in(8) ? ISA_MATH_RSQTM : ISA_MATH_INVM;
        inst.cmod = one_in(8) ? ISA_CMOD_NONE : ISA_CMOD_EO;
        inst.flag = (int8_t)below(4);
    }
    inst.nsrc = inst.op == ISA_OP_MADM ? 3 : inst.math == ISA_MATH_INVM ? 2 : 1;
    for (uint32_t k = 0; k < inst.nsrc; k++) {
        inst.src[k] = one_in(8) ? emu_rig_src(2 + below(100), type, 0, 1, 0)
                                : emu_rig_packed(2 + below(100), type);
        inst.src[k].mme = (int8_t)(one_in(3) ? ISA_MME_NOMME : below(EMU_MME_COUNT));
        inst.src[k].mod = (uint8_t)(one_in(4) ? below(4) : 0);
    }
    inst.dst = emu_rig_dst(2 + below(100), type, 1);
    inst.dst.mme = (int8_t)(one_in(4) ? ISA_MME_NOMME : below(EMU_MME_COUNT));
    return inst;
}

/* ---- messages ----------------------------------------------------------------- */

/* The descriptor without its lengths and where it leads; *grfs of data. */
static uint32_t untyped(bool wide, uint32_t simd, bool write, uint32_t *grfs)
{
    uint32_t comps = 1 + below(15), type = wide ? 0x11 : 0x01;

    *grfs = (uint32_t)__builtin_popcount(comps) * simd / 8;
    return (type + (write ? 8u : 0u)) << 14 | (simd == 16 ? 1u : 2u) << 12 |
           (~comps & 15) << 8;
}

static uint32_t bytes_of_lanes(bool wide, uint32_t simd, bool write, uint32_t *grfs)
{
    *grfs = simd / 8;
    if (wide)
        return (write ? 0x1Au : 0x10u) << 14 | below(3) << 10 |
               (simd == 16 ? 1u : 0u) << 12;
    return (write ? 0xCu : 0x4u) << 14 | below(3) << 10 | (simd == 16 ? 1u : 0u) << 8;
}

/* Dwords and, of addresses, qwords. */
static uint32_t words_of_lanes(bool wide, uint32_t simd, bool write, uint32_t *grfs)
{
    uint32_t size = wide && one_in(2) ? 8 : 4, log_count = wide ? below(4) : 0;

    *grfs = (1u << log_count) * simd * size / 32;
    if (wide)
        return (write ? 0x1Au : 0x10u) << 14 | (size == 8 ? 2u : 1u) << 8 |
               log_count << 10 | (simd == 16 ? 1u : 0u) << 12;
    return (write ? 0xBu : 0x3u) << 14 | (simd == 16 ? 1u : 0u) << 8;
}

/* An addition, whose old numbers come back. */
static uint32_t atomic_of_lanes(bool wide, uint32_t simd, uint32_t *grfs)
{
    *grfs = simd / 8;
    return wide ? 0x12u << 14 | 7u << 8 | 1u << 13
                : 0x02u << 14 | 7u << 8 | 1u << 13 | (simd == 8 ? 1u : 0u) << 12;
}

static struct isa_inst random_message(void)
{
    enum { SLM = 254, STATELESS = 255, DC0 = 10, DC1 = 12, MOST = 15 };
    uint32_t kind = below(10), where = below(3), data = MOST + 1, desc = 0, sfid = DC1;
    bool wide = where == 2, write = one_in(2), atomic = kind == 9;
    uint32_t simd = one_in(2) && !(atomic && wide) ? 16 : 8;
    uint32_t mlen = (wide ? 2 : 1) * simd / 8;
    struct isa_inst inst;

    while (data > MOST) {
        desc = atomic     ? atomic_of_lanes(wide, simd, &data)
               : kind < 5 ? untyped(wide, simd, write, &data)
               : kind < 7 ? bytes_of_lanes(wide, simd, write, &data)
                          : words_of_lanes(wide, simd, write, &data);
    }
    if (kind >= 5 && !atomic && !wide)
        sfid = DC0;
    inst = emu_rig_inst(write || atomic ? ISA_OP_SENDS : ISA_OP_SEND, simd);
    random_mask(&inst);
    inst.cmod = ISA_CMOD_NONE;
    if (one_in(20) && mlen + data <= MOST) /* more than it takes, or the data too */
        mlen += write || atomic ? data : 1;
    inst.msg.desc = desc | mlen << 25 | (write && !atomic ? 0 : data) << 20 |
                    (wide         ? STATELESS
                     : where == 1 ? SLM
                                  : RANDOM_BTI);
    inst.msg.exdesc = sfid | (write || atomic ? data : 0) << 6;
    isa_message_decode(&inst.msg);
    inst.nsrc = write || atomic ? 2 : 1;
    inst.src[0] = emu_rig_dst(wide ? RANDOM_ADDRESSES + 4 * below(RANDOM_ADDRESS_SETS)
                                   : RANDOM_OFFSETS + 2 * below(RANDOM_OFFSET_SETS),
                              ISA_TYPE_UD, 1);
    inst.src[1] = emu_rig_dst(2 + below(80), ISA_TYPE_UD, 1);
    inst.dst = emu_rig_dst(2 + below(80), ISA_TYPE_UD, 1);
    if (inst.msg.rlen == 0)
        inst.dst.file = ISA_FILE_NULL;
    return inst;
}

/* ---- any -------------------------------------------------------------------------
 */

static struct isa_inst alu_of(uint32_t op)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 8, 8, 16, 16, 16, 32};
    struct isa_inst inst = emu_rig_inst((enum isa_opcode)op, PICK(sizes));
    uint32_t type = PICK(types), bytes;

    inst.nsrc = (uint8_t)sources_of(inst.op);
    random_mask(&inst);
    inst.saturate = one_in(8);
    inst.acc_wr_en = inst.op == ISA_OP_ADDC || inst.op == ISA_OP_MACH;
    for (uint32_t k = 0; k < inst.nsrc; k++) {
        uint32_t own = one_in(3) ? PICK(types) : type;

        inst.src[k] =
            k + 1u == inst.nsrc && one_in(4) ? random_imm(own) : random_source(own);
    }
    if (one_in(3))
        type = PICK(types);
    bytes = isa_type_bytes((enum isa_type)type);
    inst.dst = emu_rig_dst(2 + below(100), (enum isa_type)type, one_in(5) ? 2 : 1);
    if (one_in(5)) {
        inst.dst.subreg = (uint8_t)below(32 / bytes);
        inst.dst.byte = (uint8_t)(inst.dst.subreg * bytes);
    }
    if ((inst.op == ISA_OP_CMP && one_in(2)) || one_in(30))
        inst.dst.file = ISA_FILE_NULL;
    if (inst.exec_size == 1 && one_in(6)) { /* a whole flag register */
        inst.dst = emu_rig_dst(below(2), ISA_TYPE_UD, 1);
        inst.dst.file = ISA_FILE_FLAG;
    }
    return inst;
}

static struct isa_inst random_alu(void)
{
    return alu_of(PICK(opcodes));
}

/* A place that is no direct region of general registers. */
static void put_elsewhere(struct isa_operand *o, bool source)
{
    static const uint8_t files[] = {
        ISA_FILE_ACC,  ISA_FILE_ACC,    ISA_FILE_ACC, ISA_FILE_ADDR,  ISA_FILE_FLAG,
        ISA_FILE_CTRL, ISA_FILE_CHMASK, ISA_FILE_IP,  ISA_FILE_STATE, ISA_FILE_TIME};

    if (one_in(2)) {
        o->indirect = true;
        o->reg = o->subreg = o->byte = 0;
        o->addr_sub = (uint8_t)below(8);
        o->addr_imm = (int16_t)(16 * below(16));
        o->vxh = source && one_in(3);
        return;
    }
    o->file = PICK(files);
    o->reg =
        (uint8_t)(o->file == ISA_FILE_ACC || o->file == ISA_FILE_FLAG ? below(2) : 0);
    o->subreg = o->byte = 0;
    if (o->file == ISA_FILE_STATE && one_in(2)) { /* the mask, which may be written */
        o->subreg = 2;
        o->byte = 8;
    }
}

static struct isa_inst random_other(void)
{
    static const uint8_t whole[] = {ISA_MATH_IDIV, ISA_MATH_IQOT, ISA_MATH_IREM};
    struct isa_inst inst = alu_of(ISA_OP_MOV + below(ISA_OP_JMPI - ISA_OP_MOV));

    if (one_in(15)) {
        inst = emu_rig_inst(ISA_OP_NOP, 8);
    } else if (inst.op == ISA_OP_MATH) {
        inst.math = PICK(whole);
        for (uint32_t k = 0; k < 2; k++)
            inst.src[k].type = (uint8_t)(ISA_TYPE_UD + below(2));
        inst.dst.type = ISA_TYPE_D;
    } else if (one_in(3)) {
        put_elsewhere(&inst.dst, false);
    } else if (inst.nsrc > 0 && one_in(2)) {
        put_elsewhere(&inst.src[below(inst.nsrc)], true);
    }
    if (one_in(8))
        inst.acc_wr_en = true;
    return inst;
}

/* Would the emulator execute it? */
static bool is_legal(const struct isa_inst *inst)
{
    struct isa_inst text[2] = {*inst, emu_rig_eot()};
    struct isa_kernel_code code = {text, 2, 32};
    struct emu_kernel kernel = {
        .name = "random", .code = &code, .simd = 32, .walk_order = {0, 1, 2}};
    struct igpu_err err;
    struct emu_program *p = emu_program_new(&kernel, &err);
    bool legal = p != NULL && p->op[0].reason == NULL;

    emu_program_free(p);
    return legal;
}

/* cr0.0 | value, or n0.0 = value. */
static struct isa_inst random_state(void)
{
    static const uint32_t bits[] = {0x4C0, 0x80, 0x10, 0x1430};
    struct isa_inst inst = emu_rig_inst(ISA_OP_OR, 1);

    inst.no_mask = true;
    inst.dst = emu_rig_dst(0, ISA_TYPE_UD, 1);
    inst.dst.file = ISA_FILE_CTRL;
    inst.nsrc = 2;
    inst.src[0] = emu_rig_src(0, ISA_TYPE_UD, 0, 1, 0);
    inst.src[0].file = ISA_FILE_CTRL;
    inst.src[1] = emu_rig_imm(ISA_TYPE_UD, PICK(bits));
    if (one_in(3)) {
        inst.op = ISA_OP_MOV;
        inst.dst.file = ISA_FILE_NOTIFY;
        inst.nsrc = 1;
        inst.src[0] = inst.src[1];
    }
    return inst;
}

static struct isa_inst legal_alu(void)
{
    struct isa_inst inst;

    for (uint32_t i = 0; i < TRIES; i++) {
        inst = random_text.sends && one_in(4)     ? random_message()
               : random_text.others && one_in(2)  ? random_other()
               : random_text.macros && !one_in(3) ? random_macro()
               : one_in(12)                       ? random_product()
               : random_text.states && one_in(20) ? random_state()
               : one_in(12)                       ? random_plane()
               : random_text.math && one_in(4)    ? random_math()
                                                  : random_alu();
        if (is_legal(&inst))
            return inst;
    }
    fail_msg("no legal instruction in %d", TRIES);
    return inst;
}

static void through_registers(struct isa_inst *inst)
{
    bool call = inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA;
    uint32_t from = inst->op == ISA_OP_RET ? RANDOM_LINK : RANDOM_TARGET;

    if (inst->op == ISA_OP_WAIT) {
        inst->pred = ISA_PRED_NONE;
        inst->flag = -1;
    }
    if (inst->op == ISA_OP_WAIT || inst->op == ISA_OP_RET || one_in(3))
        inst->jip = inst->uip = ISA_NO_TARGET;
    inst->nsrc = inst->jip == ISA_NO_TARGET;
    inst->src[0] = emu_rig_src(from, ISA_TYPE_UD, 0, 1, 0);
    if (inst->op == ISA_OP_WAIT)
        inst->src[0].file = ISA_FILE_NOTIFY, inst->src[0].reg = 0;
    if (call)
        inst->dst = emu_rig_dst(RANDOM_LINK, ISA_TYPE_UD, 1);
}

/* To anywhere: a turn's end stops what goes round. */
static struct isa_inst random_branch(uint32_t length)
{
    static const uint8_t branches[] = {
        ISA_OP_IF,   ISA_OP_ELSE, ISA_OP_WHILE, ISA_OP_BREAK, ISA_OP_CONT, ISA_OP_HALT,
        ISA_OP_GOTO, ISA_OP_GOTO, ISA_OP_JMPI,  ISA_OP_ENDIF, ISA_OP_JOIN};
    static const uint8_t sizes[] = {8, 16, 32, 32};
    static const uint8_t others[] = {ISA_OP_CALL, ISA_OP_CALL, ISA_OP_CALLA,
                                     ISA_OP_RET,  ISA_OP_BRD,  ISA_OP_BRC,
                                     ISA_OP_JMPI, ISA_OP_WAIT};
    bool other = random_text.others && one_in(2);
    struct isa_inst inst =
        emu_rig_inst(other ? PICK(others) : PICK(branches), PICK(sizes));

    inst.jip = (int32_t)(16 * below(length));
    inst.uip = (int32_t)(16 * below(length));
    inst.branch_ctrl = one_in(3);
    if (!one_in(5)) {
        inst.pred = (uint8_t)(one_in(6) ? below(ISA_PRED_COUNT) : ISA_PRED_SEQ);
        inst.pred_inverse = one_in(2);
        inst.flag = (int8_t)(2 * below(2));
    }
    if (inst.op == ISA_OP_JMPI || inst.op == ISA_OP_WAIT) {
        inst.exec_size = 1;
        inst.no_mask = true;
    }
    if (other)
        through_registers(&inst);
    return inst;
}

/* An if for a few instructions, which run under its mask. */
static void put_short_if(struct isa_inst *text)
{
    static const uint8_t sizes[] = {4, 8, 16, 32, 32};
    uint32_t count = 1 + below(6), first = below(RANDOM_TEXT - 3 - count);
    struct isa_inst *i = &text[first];

    *i = emu_rig_inst(ISA_OP_IF, PICK(sizes));
    i->pred = ISA_PRED_SEQ;
    i->pred_inverse = one_in(2);
    i->flag = (int8_t)below(4);
    i->chan_offset = (uint8_t)(below(32 / i->exec_size) * i->exec_size / 4 * 4);
    i->jip = i->uip = (int32_t)(16 * (first + count + 1));
    if (first > 0 && one_in(2)) { /* lanes wait in it already */
        i[-1] = random_branch(RANDOM_TEXT);
        i[-1].jip = i[-1].uip = (int32_t)(16 * (first + 1));
    }
    for (uint32_t k = 1; k <= count; k++)
        i[k] = legal_alu();
    i[count + 1] = emu_rig_inst(ISA_OP_ENDIF, 32);
    i[count + 1].jip = (int32_t)(16 * (first + count + 2));
}

void random_text_put(struct isa_inst *text)
{
    for (uint32_t i = 0; i + 1 < RANDOM_TEXT; i++)
        text[i] = one_in(6) ? random_branch(RANDOM_TEXT) : legal_alu();
    for (uint32_t i = below(3); i > 0; i--)
        put_short_if(text);
    for (uint32_t i = 0; random_text.states && i < below(4); i++)
        text[i] = random_state();
    for (uint32_t i = 0; i + 1 < RANDOM_TEXT; i++)
        text[i].pc = 16 * i;
    text[RANDOM_TEXT - 1] = emu_rig_eot();
    text[RANDOM_TEXT - 1].pc = 16 * (RANDOM_TEXT - 1);
}
