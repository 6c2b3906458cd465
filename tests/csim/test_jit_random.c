/* test_jit_random.c - random instructions and branches, translated
 * (docs/contract/jit.md) and interpreted, from the same registers: after each run the
 * registers that are read later (in most programs all), accumulators, macro registers,
 * flags, lanes, counts and the error's text are compared.
 *
 *   test_jit_random [SEED]        IGPU_LONG=1: 40 times as many programs
 *
 * IGPU_JIT_LIBRARY: another translator than the build's (tests/fail).
 * Can not find: messages, which test_jit's kernels have.
 * tests/run: timeout=900 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu_rig.h"

enum {
    PROGRAMS = 120,
    WITH_MATH = 20,
    WITH_ENDS = 60,
    WITH_MACROS = 60,
    LONGER = 40,
    LENGTH = 24,
    RUNS = 6,
    TURN = 300
};
enum { TRIES = 1000 };

static uint64_t seed;
static bool with_math;   /* whose NaNs leave the rest of a block to the emulator */
static bool with_macros; /* of divisions; most numbers are near 1 */
static bool with_ends;   /* few registers are read at the end; words of state are set */
static bool failed;      /* then no other programs run: tests/fail waits for each */
static unsigned long executed, translated_runs;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(emu_rig_random(&seed) >> 33) % n;
}

static bool one_in(uint32_t n)
{
    return below(n) == 0;
}

#define PICK(list) (list)[below((uint32_t)(sizeof(list) / sizeof((list)[0])))]

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
        emu_rig_src(2 + below(100), (enum isa_type)type, r[0], r[1], r[2]);

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
    switch (op) {
    case ISA_OP_MAD:
        return 3;
    case ISA_OP_MOV:
    case ISA_OP_NOT:
    case ISA_OP_RNDD:
    case ISA_OP_RNDE:
    case ISA_OP_RNDU:
    case ISA_OP_RNDZ:
    case ISA_OP_FRC:
    case ISA_OP_LZD:
    case ISA_OP_CBIT:
        return 1;
    default:
        return 2;
    }
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

/* Registers that are small as a whole where a thread is calm: all of a plane's terms
 * are to be denormal at once. */
enum { SMALL_GRFS = 10 };

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
        uint32_t grfs = one_in(3) ? SMALL_GRFS - 4 : 100;

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

static struct isa_inst random_alu(void)
{
    static const uint8_t sizes[] = {1, 2, 4, 8, 8, 8, 16, 16, 16, 32};
    struct isa_inst inst = emu_rig_inst(PICK(opcodes), PICK(sizes));
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
        inst = with_macros && !one_in(3) ? random_macro()
               : one_in(12)              ? random_product()
               : with_ends && one_in(20) ? random_state()
               : one_in(12)              ? random_plane()
               : with_math && one_in(4)  ? random_math()
                                         : random_alu();
        if (is_legal(&inst))
            return inst;
    }
    fail_msg("no legal instruction in %d", TRIES);
    return inst;
}

/* To anywhere: a turn's end stops what goes round. */
static struct isa_inst random_branch(uint32_t length)
{
    static const uint8_t branches[] = {
        ISA_OP_IF,   ISA_OP_ELSE, ISA_OP_WHILE, ISA_OP_BREAK, ISA_OP_CONT, ISA_OP_HALT,
        ISA_OP_GOTO, ISA_OP_GOTO, ISA_OP_JMPI,  ISA_OP_ENDIF, ISA_OP_JOIN};
    static const uint8_t sizes[] = {8, 16, 32, 32};
    struct isa_inst inst = emu_rig_inst(PICK(branches), PICK(sizes));

    inst.jip = (int32_t)(16 * below(length));
    inst.uip = (int32_t)(16 * below(length));
    inst.branch_ctrl = one_in(3);
    if (!one_in(5)) {
        inst.pred = (uint8_t)(one_in(6) ? below(ISA_PRED_COUNT) : ISA_PRED_SEQ);
        inst.pred_inverse = one_in(2);
        inst.flag = (int8_t)(2 * below(2));
    }
    if (inst.op == ISA_OP_JMPI) {
        inst.exec_size = 1;
        inst.no_mask = true;
    }
    return inst;
}

/* An if for a few instructions, which run under its mask. */
static void put_short_if(struct isa_inst *text)
{
    static const uint8_t sizes[] = {4, 8, 16, 32, 32};
    uint32_t count = 1 + below(6), first = below(LENGTH - 3 - count);
    struct isa_inst *i = &text[first];

    *i = emu_rig_inst(ISA_OP_IF, PICK(sizes));
    i->pred = ISA_PRED_SEQ;
    i->pred_inverse = one_in(2);
    i->flag = (int8_t)below(4);
    i->chan_offset = (uint8_t)(below(32 / i->exec_size) * i->exec_size / 4 * 4);
    i->jip = i->uip = (int32_t)(16 * (first + count + 1));
    if (first > 0 && one_in(2)) { /* lanes wait in it already */
        i[-1] = random_branch(LENGTH);
        i[-1].jip = i[-1].uip = (int32_t)(16 * (first + 1));
    }
    for (uint32_t k = 1; k <= count; k++)
        i[k] = legal_alu();
    i[count + 1] = emu_rig_inst(ISA_OP_ENDIF, 32);
    i[count + 1].jip = (int32_t)(16 * (first + count + 2));
}

static void random_program(struct isa_inst *text)
{
    for (uint32_t i = 0; i + 1 < LENGTH; i++)
        text[i] = one_in(6) ? random_branch(LENGTH) : legal_alu();
    for (uint32_t i = below(3); i > 0; i--)
        put_short_if(text);
    for (uint32_t i = 0; i + 1 < LENGTH; i++)
        text[i].pc = 16 * i;
    text[LENGTH - 1] = emu_rig_eot();
    text[LENGTH - 1].pc = 16 * (LENGTH - 1);
    if (with_ends) {
        text[LENGTH - 1].nsrc = 1;
        text[LENGTH - 1].src[0] = emu_rig_packed(2 + below(90), ISA_TYPE_UD);
        text[LENGTH - 1].msg.mlen = (uint8_t)(1 + below(15));
    }
}

static void add_reads(const struct isa_inst *inst, uint64_t grf[2])
{
    struct isa_regset reads, writes;

    isa_regs(inst, &reads, &writes);
    for (uint32_t k = 0; k < 2; k++)
        grf[k] |= reads.indirect ? UINT64_MAX : reads.grf[k];
}

/* What block b, and what can come behind it, reads. */
static void add_from(const struct emu_program *p, uint32_t b, bool *seen,
                     uint64_t grf[2])
{
    const struct isa_block *block = &p->blocks.block[b];

    if (seen[b])
        return;
    seen[b] = true;
    for (uint32_t i = 0; i < block->count; i++)
        add_reads(&p->code->inst[block->first + i], grf);
    for (uint32_t i = 0; i < block->nsucc; i++)
        add_from(p, block->succ[i], seen, grf);
}

/* Registers that are read later; nothing is promised of others (docs/contract/jit.md).
 */
static void find_read(const struct emu_program *p, const struct emu_thread *t,
                      uint64_t grf[2])
{
    bool seen[LENGTH] = {false};
    uint32_t waiting = t->live & ~t->active;

    grf[0] = grf[1] = p->k.keeps ? UINT64_MAX : 0;
    if (t->stop == EMU_STOP_ERROR) /* somewhere in its block: nothing runs any more */
        return;
    if (t->stop == EMU_STOP_EOT)
        add_reads(&p->code->inst[LENGTH - 1], grf);
    else if (t->at < LENGTH)
        add_from(p, p->blocks.block_of[t->at], seen, grf);
    for (uint32_t i = 0; t->stop != EMU_STOP_EOT && i < EMU_LANES; i++)
        if ((waiting >> i & 1) && t->pc[i] < LENGTH)
            add_from(p, p->blocks.block_of[t->pc[i]], seen, grf);
}

/* ---- a thread ------------------------------------------------------------------- */

static uint32_t small_dword(void)
{
    /* The least normal floats, and what makes denormals of them. */
    static const uint32_t small[] = {0x00800000, 0x80800001, 0x00900000, 0x3F000000,
                                     0x3E800000, 0x00000000, 0x80A00000, 0xBF000000};

    return PICK(small);
}

/* calm: no NaN, by which translated code leaves most of what computes with floats. */
static uint32_t random_dword(bool calm)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x7F800000,
                                       0x7FC00001, 0x007FFFFF, 0xFFFFFFFF, 0x7F7FFFFF,
                                       0x3F800000, 0x80000001, 0x4F000000, 0x7FA00000};
    float f = (float)(int32_t)(below(2000) - 1000) / 16;
    uint32_t u;

    if (calm && !with_macros && one_in(3))
        return small_dword();
    if (!calm && one_in(60))
        return PICK(special);
    if (!calm && one_in(3))
        return below(2000) - 1000;
    if (!calm && one_in(6))
        return (uint32_t)emu_rig_random(&seed);
    memcpy(&u, &f, sizeof(u));
    return u;
}

/* Doubles; in few lanes others. */
static void random_macros(struct emu_thread *t, bool calm)
{
    for (uint32_t m = 0; m < EMU_MME_COUNT; m++)
        for (uint32_t i = 0; i < EMU_LANES; i++) {
            uint64_t bits = (uint64_t)random_dword(calm) << 32 | below(1u << 31);

            emu_mme_put(&t->mme[m], i, emu_num_unpack(bits, ISA_TYPE_DF));
        }
}

static void random_thread(struct emu_thread *t, uint32_t simd, bool flushes)
{
    enum { KEEP = 0x4C0, FLUSH = 0x400 };
    uint32_t all = simd == 32 ? UINT32_MAX : (1u << simd) - 1;
    bool calm = one_in(2);

    memset(t, 0, sizeof(*t));
    for (uint32_t i = 0; i < EMU_GRF_SIZE / 4; i++)
        ((emu_ud *)t->grf)[i] = calm && !with_macros && i / 8 < SMALL_GRFS
                                    ? small_dword()
                                    : random_dword(calm);
    for (uint32_t i = 0; i < sizeof(t->acc) / 4; i++)
        ((emu_ud *)t->acc)[i] = random_dword(calm);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        t->acc_wide[i] = (int64_t)emu_rig_random(&seed);
    for (uint32_t i = 0; i < 2; i++)
        t->flag[i] = one_in(3) ? UINT32_MAX : (uint32_t)emu_rig_random(&seed);
    t->ctrl[0] = one_in(6) ? below(0x800) : one_in(6) ? 0 : flushes ? FLUSH : KEEP;
    t->live = one_in(2) ? all : (uint32_t)emu_rig_random(&seed) & all;
    t->live = t->live ? t->live : 1;
    t->active = t->live;
    t->next_pc = UINT32_MAX;
    emu_ctrl_changed(t);
    random_macros(t, calm);
}

static void run(struct emu_machine *m, struct emu_thread *t, enum emu_jit_mode mode)
{
    ((struct emu_launch *)m->launch)->jit = (uint8_t)mode;
    assert_int_equal(emu_jit_set_up(m, m->err), IGPU_OK);
    emu_jit_choose(m);
    t->m = m;
    t->turn_end = TURN;
    emu_thread_run(t);
    translated_runs += m->translated != NULL;
    free(m->places);
    m->places = NULL;
    m->translated = NULL;
    t->m = NULL;
}

static void tell_program(const struct isa_inst *text)
{
    for (uint32_t i = 0; i < LENGTH; i++) {
        char line[200];

        (void)isa_disasm(&text[i], line, sizeof(line));
        printf("# %3u %s\n", i, line);
    }
}

static void differ(const struct isa_inst *text, unsigned program, const char *what,
                   uint32_t at)
{
    tell_program(text);
    failed = true;
    fail_msg("program %u: %s differs at %u", program, what, at);
}

static bool same_number(const struct emu_mme *a, const struct emu_mme *b, uint32_t i)
{
    struct emu_num x = emu_mme_number(a, i), y = emu_mme_number(b, i);

    return x.cls == y.cls && x.sign == y.sign &&
           (x.cls != EMU_FINITE || (x.exp == y.exp && x.mant == y.mant));
}

static void compare(const struct emu_program *p, unsigned program,
                    const struct emu_thread *a, const struct emu_thread *b)
{
    const struct isa_inst *text = p->code->inst;
    uint64_t read[2];

    find_read(p, a, read);
    for (uint32_t i = 0; i < EMU_GRF_SIZE; i++)
        if ((read[i / ISA_GRF_BYTES / 64] >> i / ISA_GRF_BYTES % 64 & 1) &&
            a->grf[i] != b->grf[i])
            differ(text, program, "a register's byte", i);
    for (uint32_t i = 0; i < sizeof(a->acc); i++)
        if (a->acc[i] != b->acc[i])
            differ(text, program, "an accumulator's byte", i);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (a->acc_wide[i] != b->acc_wide[i])
            differ(text, program, "a product of lane", i);
    for (uint32_t i = 0; i < EMU_MME_COUNT * EMU_LANES; i++) {
        uint32_t m = i / EMU_LANES, lane = i % EMU_LANES;

        if (!same_number(&a->mme[m], &b->mme[m], lane))
            differ(text, program, "a macro register's lane", i);
    }
    for (uint32_t i = 0; i < 2; i++)
        if (a->flag[i] != b->flag[i])
            differ(text, program, "flag", i);
    if (a->ctrl[0] != b->ctrl[0] || a->notify[0] != b->notify[0] ||
        memcmp(&a->round, &b->round, 4) != 0)
        differ(text, program, "a word of state, cr0.0", a->ctrl[0]);
    if (a->stop != b->stop || (a->stop == EMU_STOP_TURN && a->at != b->at))
        differ(text, program, "where the thread is", a->at);
    if (a->active != b->active || a->live != b->live || a->next_pc != b->next_pc)
        differ(text, program, "lanes", a->active);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (((a->live & ~a->active) >> i & 1) && a->pc[i] != b->pc[i])
            differ(text, program, "a lane's place", i);
    if (memcmp(&a->counts, &b->counts, sizeof(a->counts)) != 0)
        differ(text, program, "a count, of instructions",
               (uint32_t)a->counts.instructions);
}

static void test_program(unsigned number)
{
    static const uint32_t widths[] = {8, 16, 32, 32};
    static struct emu_thread a, b;
    struct isa_inst text[LENGTH];
    struct isa_kernel_code code = {text, LENGTH, 16 * LENGTH};
    struct emu_kernel kernel = {.name = "random",
                                .code = &code,
                                .simd = PICK(widths),
                                .walk_order = {0, 1, 2},
                                .flushes = one_in(2),
                                .keeps = !with_ends};
    struct igpu_err err = {.text = ""};
    struct emu_launch launch = {.work_dim = 1};
    struct emu_machine m = {.launch = &launch, .mem = emu_mem_new()};

    random_program(text);
    m.p = emu_program_new(&kernel, &err);
    if (m.p == NULL)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < RUNS; i++) {
        struct igpu_err errors[2] = {{.text = ""}, {.text = ""}};

        random_thread(&a, kernel.simd, kernel.flushes);
        b = a;
        m.err = &errors[0];
        m.status = IGPU_OK;
        run(&m, &a, EMU_JIT_OFF);
        m.err = &errors[1];
        m.status = IGPU_OK;
        run(&m, &b, EMU_JIT_NOW);
        if (emu_jit_refused(m.p) != NULL)
            fail_msg("program %u: %s", number, emu_jit_refused(m.p));
        executed += a.counts.instructions;
        compare(m.p, number, &a, &b);
        assert_string_equal(errors[0].text, errors[1].text);
    }
    emu_program_free((struct emu_program *)m.p);
    emu_mem_free(m.mem);
}

static void test_programs(unsigned count)
{
    if (failed)
        skip();
    count *= getenv("IGPU_LONG") != NULL ? LONGER : 1;
    executed = translated_runs = 0;
    for (unsigned i = 0; i < count; i++)
        test_program(i);
    printf("# %u programs, %lu instructions, %lu translated runs\n", count, executed,
           translated_runs);
    assert_int_equal(translated_runs, (unsigned long)count * RUNS);
}

static void test_random_programs(void **state)
{
    (void)state;
    test_programs(PROGRAMS);
}

static void test_random_math(void **state)
{
    (void)state;
    with_math = true;
    test_programs(WITH_MATH);
    with_math = false;
}

static void test_random_macros(void **state)
{
    (void)state;
    with_macros = true;
    test_programs(WITH_MACROS);
    with_macros = false;
}

static void test_random_ends(void **state)
{
    (void)state;
    with_ends = true;
    test_programs(WITH_ENDS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs), cmocka_unit_test(test_random_math),
        cmocka_unit_test(test_random_ends), cmocka_unit_test(test_random_macros)};

    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261126;
    if (!emu_rig_use_jit()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    printf("# seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
