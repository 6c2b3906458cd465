/* random_program.c - see random_program.h: what branches, and the whole. */
#include "tests/cosim/random_program.h"

#include <stdlib.h>
#include <string.h>

#include "tests/csim/emu_rig.h"
#include "tests/csim/isa_encode.h"

enum {
    COUNTERS = 2, /* two registers of words for each of nested loops */
    LINK = 120,
    DISTANCE = 123, /* of branches to where a register says */
    MAX_LOOPS = 3,
    MAX_DEPTH = 5,
    MAX_SUBS = 2
};
#define NOWHERE UINT32_MAX /* no label */

/* Opcodes, and what a branch has in its upper halves beside masks and distances. */
enum { JMPI = 32, IF = 34, ELSE = 36, ENDIF = 37, WHILE = 39, BREAK = 40, CONT = 41 };
enum { HALT = 42, CALL = 44, RET = 45, GOTO = 46, JOIN = 47, BRD = 33, BRC = 35 };
enum {
    BY_LANE = 0x34000E20,
    BY_REGISTER = 0x34000A20,
    ONE_ROW_OF_TWO = 0x00450000, /* <2;2,1>, in the third dword */
    TWO_TARGETS = 0x20000E00,
    ONE_TARGET = 0x20000000,
    ONE_TARGET_2 = 0x0E000000
};

void random_program_emit(struct random_program *p, const uint8_t *inst)
{
    if (p->bytes + ISA_NATIVE_BYTES > PROGRAM_BYTES)
        abort();
    memcpy(p->text + p->bytes, inst, ISA_NATIVE_BYTES);
    p->bytes += ISA_NATIVE_BYTES;
    p->budget -= p->budget > 0;
}

/* ---- labels, branches ---------------------------------------------------------- */

static uint32_t new_label(struct random_program *p)
{
    if (p->labels == PROGRAM_LABELS)
        abort();
    return p->labels++;
}

static void here(struct random_program *p, uint32_t label)
{
    p->label[label] = p->bytes;
}

static void put_dword(uint8_t *at, uint32_t x)
{
    memcpy(at, &x, sizeof(x));
}

static void emit(struct random_program *p, const uint32_t w[4])
{
    uint8_t text[ISA_NATIVE_BYTES];

    for (uint32_t i = 0; i < 4; i++)
        put_dword(text + 4 * i, w[i]);
    random_program_emit(p, text);
}

/* jmpi's distance is from the next instruction. */
static void emit_branch(struct random_program *p, const uint32_t w[4], uint32_t jip,
                        uint32_t uip)
{
    p->fixup[p->fixups].at = p->bytes;
    p->fixup[p->fixups].from =
        p->bytes + ((w[0] & 0x7F) == JMPI ? ISA_NATIVE_BYTES : 0);
    p->fixup[p->fixups].jip = jip;
    p->fixup[p->fixups++].uip = uip;
    emit(p, w);
}

/* A dword of DISTANCE becomes the way to a label from the branch that stands `behind`
 * further instructions later. */
static void put_distance(struct random_program *p, uint32_t dword, uint32_t behind,
                         uint32_t label)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 1);
    uint32_t at = p->bytes;

    in.nsrc = 1;
    in.no_mask = true;
    in.dst = emu_rig_dst(DISTANCE, ISA_TYPE_D, 1);
    in.dst.byte = (uint8_t)(4 * dword);
    in.src[0] = emu_rig_imm(ISA_TYPE_D, 0);
    random_program_put(p, &in);
    p->fixup[p->fixups].at = at;
    p->fixup[p->fixups].from = p->bytes + behind * ISA_NATIVE_BYTES;
    p->fixup[p->fixups].jip = label;
    p->fixup[p->fixups++].uip = NOWHERE;
}

static uint32_t exec_code(unsigned simd)
{
    return (simd == 8 ? 3u : simd == 16 ? 4u : 5u) << 21;
}

static uint32_t any_flag(struct random_program *p)
{
    return p->simd == 32 ? 2 * (uint32_t)rng_in(&p->rng, 0, 1)
                         : (uint32_t)rng_in(&p->rng, 0, 3);
}

/* Without predicate, or by some flag that is as it is: pred ~0 one at random. */
static void branch(struct random_program *p, uint32_t op, uint32_t pred, uint32_t flag,
                   uint32_t jip, uint32_t uip)
{
    bool two = uip != NOWHERE;
    const uint32_t w[4] = {op | exec_code(p->simd) | pred << 16,
                           (two ? TWO_TARGETS : ONE_TARGET) | flag,
                           two ? 0 : ONE_TARGET_2, 0};

    emit_branch(p, w, jip, uip);
}

/* A predicate of a branch, plain or inverted or of neighbours. */
static uint32_t any_pred(struct random_program *p)
{
    static const uint8_t preds[] = {1, 1, 1, 0x11, 0x11, 2, 3, 4, 0x15, 6, 7, 8, 0x19};

    return preds[rng_in(&p->rng, 0, sizeof(preds) - 1)];
}

/* Random flags are mostly all or nothing after a while: a comparison first. */
static uint32_t compare(struct random_program *p)
{
    uint32_t flag = any_flag(p);
    struct isa_inst in = emu_rig_inst(ISA_OP_CMP, p->simd);

    in.nsrc = 2;
    in.cmod = (uint8_t)rng_in(&p->rng, ISA_CMOD_EQ, ISA_CMOD_LE);
    in.flag = (int8_t)flag;
    in.dst = emu_rig_dst(0, ISA_TYPE_W, 1);
    in.dst.file = ISA_FILE_NULL;
    in.src[0] = emu_rig_src(random_program_data(p, 2), ISA_TYPE_W, 16, 16, 1);
    in.src[1] = emu_rig_src(random_program_data(p, 2), ISA_TYPE_W, 16, 16, 1);
    if (p->simd == 8) {
        in.src[0].vstride = in.src[0].width = 8;
        in.src[1].vstride = in.src[1].width = 8;
    }
    random_program_put(p, &in);
    return flag;
}

/* ---- blocks ------------------------------------------------------------------------
 */

struct scope {            /* what breaks and continues lead to */
    uint32_t end, repeat; /* of the innermost construct, of the loop; NOWHERE: none */
};

static void statements(struct random_program *p, const struct scope *s);

static void if_else(struct random_program *p, const struct scope *s)
{
    uint32_t other = new_label(p), end = new_label(p), behind = new_label(p);
    struct scope in = {end, s->repeat};
    bool has_else = rng_once_in(&p->rng, 2);
    uint32_t flag = compare(p);

    branch(p, IF, any_pred(p), flag, has_else ? other : end, end);
    statements(p, &in);
    if (has_else) {
        branch(p, ELSE, 0, 0, end, end);
        here(p, other);
        statements(p, &in);
    }
    here(p, end);
    branch(p, ENDIF, 0, 0, behind, NOWHERE);
    here(p, behind);
}

static struct isa_operand counter(const struct random_program *p, bool source)
{
    uint32_t w = p->simd == 8 ? 8 : 16, reg = COUNTERS + 2 * p->loops;

    return source ? emu_rig_src(reg, ISA_TYPE_W, w, w, 1)
                  : emu_rig_dst(reg, ISA_TYPE_W, 1);
}

/* The counter of each lane that runs is 0 to 3; or it is one less. */
static void count(struct random_program *p, bool start)
{
    struct isa_inst in = emu_rig_inst(start ? ISA_OP_AND : ISA_OP_ADD, p->simd);

    in.nsrc = 2;
    in.dst = counter(p, false);
    in.src[0] = counter(p, true);
    if (start)
        in.src[0].reg = (uint8_t)random_program_data(p, 2);
    in.src[1] = emu_rig_imm(ISA_TYPE_W, start ? 3 : 0xFFFF);
    random_program_put(p, &in);
}

/* Returns the flag: the counter is below, or above, 0. */
static uint32_t test_counter(struct random_program *p, enum isa_cmod cmod)
{
    uint32_t flag = any_flag(p);
    struct isa_inst in = emu_rig_inst(ISA_OP_CMP, p->simd);

    in.nsrc = 2;
    in.cmod = (uint8_t)cmod;
    in.flag = (int8_t)flag;
    in.dst = emu_rig_dst(0, ISA_TYPE_W, 1);
    in.dst.file = ISA_FILE_NULL;
    in.src[0] = counter(p, true);
    in.src[1] = emu_rig_imm(ISA_TYPE_W, 0);
    random_program_put(p, &in);
    return flag;
}

/* while (counter-- > 0), left and repeated from within. */
static void loop_above(struct random_program *p)
{
    uint32_t top = new_label(p), end = new_label(p);
    struct scope in = {end, end};

    count(p, true);
    here(p, top);
    count(p, false);
    branch(p, BREAK, 1, test_counter(p, ISA_CMOD_LT), end, end);
    p->loops++;
    statements(p, &in);
    p->loops--;
    here(p, end);
    branch(p, WHILE, 0, 0, top, NOWHERE);
}

/* do .. while (--counter > 0), by while or goto. */
static void loop_below(struct random_program *p)
{
    uint32_t top = new_label(p), behind = new_label(p), flag;
    struct scope in = {NOWHERE, NOWHERE};

    count(p, true);
    here(p, top);
    p->loops++;
    statements(p, &in);
    p->loops--;
    count(p, false);
    flag = test_counter(p, ISA_CMOD_GT);
    if (rng_once_in(&p->rng, 2)) {
        branch(p, WHILE, 1, flag, top, NOWHERE);
        return;
    }
    { /* goto.b: lanes whose predicate holds */
        const uint32_t w[4] = {GOTO | exec_code(p->simd) | 1u << 16 | 1u << 28,
                               TWO_TARGETS | flag, 0, 0};

        emit_branch(p, w, top, top);
    }
    branch(p, JOIN, 0, 0, behind, NOWHERE);
    here(p, behind);
}

/* Lanes whose predicate holds leave for where a register says. Another branch leads
 * there by its label, so that a block begins at it. brc's first dword, which nobody is
 * to take, leads to the next instruction. */
static void forward_by_register(struct random_program *p, uint32_t end)
{
    bool both = rng_once_in(&p->rng, 2);
    uint32_t dword = (uint32_t)rng_in(&p->rng, 0, both ? 3 : 7) << both;
    uint32_t next = new_label(p), flag = compare(p);
    const uint32_t w[4] = {(both ? BRC : BRD) | exec_code(p->simd) | any_pred(p) << 16,
                           BY_REGISTER | flag,
                           (both ? ONE_ROW_OF_TWO : 0) | DISTANCE << 5 | dword << 2, 0};

    if (both)
        put_distance(p, dword, 1, next);
    put_distance(p, dword + both, 0, end);
    emit(p, w);
    here(p, next);
}

static void forward(struct random_program *p, const struct scope *s)
{
    uint32_t end = new_label(p), behind = new_label(p);
    struct scope in = {end, s->repeat};
    uint32_t flag = compare(p);

    if (rng_once_in(&p->rng, 2)) {
        branch(p, GOTO, any_pred(p), flag, end, end);
    } else if (rng_once_in(&p->rng, 2)) {
        branch(p, GOTO, 1, flag, end, end);
        forward_by_register(p, end);
    } else { /* lanes whose predicate holds leave */
        bool both = rng_once_in(&p->rng, 2);
        const uint32_t w[4] = {(both ? BRC : BRD) | exec_code(p->simd) |
                                   any_pred(p) << 16,
                               BY_LANE | flag, 0, 0};

        emit_branch(p, w, end, both ? end : NOWHERE);
    }
    statements(p, &in);
    here(p, end);
    branch(p, JOIN, 0, 0, behind, NOWHERE);
    here(p, behind);
}

/* The thread's lanes all jump, or none, over straight code. */
static void jump(struct random_program *p)
{
    uint32_t to = new_label(p), flag = compare(p);
    const uint32_t w[4] = {JMPI | 1u << 16 | (uint32_t)rng_in(&p->rng, 0, 1) << 20,
                           0x34000004 | flag, 0x0E001400, 0};

    emit_branch(p, w, to, NOWHERE);
    for (uint32_t n = (uint32_t)rng_in(&p->rng, 1, 4); n > 0; n--)
        random_program_alu(p);
    here(p, to);
}

static void leave_loop(struct random_program *p, const struct scope *s)
{
    uint32_t flag = compare(p);

    branch(p, rng_once_in(&p->rng, 2) ? BREAK : CONT, any_pred(p), flag, s->end,
           s->repeat);
}

/* Labels 1 and 2 are the functions, of which a later one is called by an earlier. */
static void call(struct random_program *p)
{
    uint32_t to = (uint32_t)rng_in(&p->rng, p->sub + 1, MAX_SUBS), flag = compare(p);
    uint32_t pred = rng_once_in(&p->rng, 2) ? any_pred(p) : 0;
    const uint32_t w[4] = {CALL | exec_code(p->simd) | pred << 16,
                           0x20000028 | flag | (LINK + to) << 21, 0x0E450000, 0};
    const uint32_t dword = (uint32_t)rng_in(&p->rng, 0, 7);
    const uint32_t by_register[4] = {w[0], w[1], 0x0A450000,
                                     DISTANCE << 5 | dword << 2};

    if (rng_once_in(&p->rng, 2)) {
        emit_branch(p, w, to, NOWHERE);
        return;
    }
    put_distance(p, dword, 0, to);
    emit(p, by_register);
}

static void finish_sub(struct random_program *p)
{
    const uint32_t w[4] = {RET | exec_code(p->simd), 0x20000A00, (LINK + p->sub) << 5,
                           0};
    uint8_t text[ISA_NATIVE_BYTES];

    for (uint32_t i = 0; i < 4; i++)
        put_dword(text + 4 * i, w[i]);
    if (rng_once_in(&p->rng, 2)) { /* some return early */
        put_dword(text, w[0] | any_pred(p) << 16);
        put_dword(text + 4, w[1] | compare(p));
        random_program_emit(p, text);
        for (uint32_t n = (uint32_t)rng_in(&p->rng, 1, 3); n > 0; n--)
            random_program_alu(p);
        put_dword(text, w[0]);
        put_dword(text + 4, w[1]);
    }
    random_program_emit(p, text);
}

static void statement(struct random_program *p, const struct scope *s)
{
    static const unsigned weights[] = {60, 14, 8, 5, 4, 5, 4, 3, 2, 4};
    unsigned what = rng_weighted(&p->rng, weights, 10);
    bool nests = p->depth < MAX_DEPTH, loops = nests && p->loops < MAX_LOOPS;

    if (what == 1)
        random_program_send(p);
    else if (what == 2 && nests)
        if_else(p, s);
    else if (what == 3 && loops)
        loop_above(p);
    else if (what == 4 && loops)
        loop_below(p);
    else if (what == 5 && nests)
        forward(p, s);
    else if (what == 6)
        jump(p);
    else if (what == 7 && s->repeat != NOWHERE)
        leave_loop(p, s);
    else if (what == 8 && p->sub == 0)
        branch(p, HALT, any_pred(p), compare(p), p->halt, p->halt);
    else if (what == 9 && p->sub < MAX_SUBS && p->loops <= 2)
        call(p);
    else
        random_program_alu(p);
}

static void statements(struct random_program *p, const struct scope *s)
{
    p->depth++;
    for (uint32_t n = (uint32_t)rng_in(&p->rng, 1, 10); n > 0 && p->budget > 0; n--)
        statement(p, s);
    p->depth--;
}

/* ---- the whole ----------------------------------------------------------------------
 */

static void end_thread(struct random_program *p)
{
    static const uint8_t eot[ISA_NATIVE_BYTES] = {0x31, 0x00, 0x60, 0x07, 0x04, 0x02,
                                                  0x00, 0x20, 0xE0, 0x0F, 0x00, 0x06,
                                                  0x10, 0x00, 0x00, 0x82};
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 8);

    in.nsrc = 1;
    in.no_mask = true;
    in.dst = emu_rig_dst(127, ISA_TYPE_UD, 1);
    in.src[0] = emu_rig_packed(0, ISA_TYPE_UD);
    random_program_put(p, &in);
    random_program_emit(p, eot);
}

/* Distances to labels, in branches and in registers. */
static void fix(struct random_program *p)
{
    for (uint32_t i = 0; i < p->fixups; i++) {
        uint32_t at = p->fixup[i].at;
        uint32_t from = p->fixup[i].from;
        uint8_t *text = p->text + at;

        put_dword(text + 12, p->label[p->fixup[i].jip] - from);
        if (p->fixup[i].uip != NOWHERE)
            put_dword(text + 8, p->label[p->fixup[i].uip] - from);
    }
}

/* (W) mov (1|M0) sr0.2<1>:ud: of its lanes any, and more than the program has, as the
 * hand-made kernels of libraries do. */
static void write_dispatch_mask(struct random_program *p)
{
    enum { MOV = 1, SR0 = 0x70 };
    const uint32_t w[4] = {
        MOV, 1u << 2 | 3u << 9 | 8u << 16 | (uint32_t)SR0 << 21 | 1u << 29, 0,
        (uint32_t)rng_next(&p->rng) | 1};

    emit(p, w);
}

void random_program_make(struct random_program *p, uint64_t seed)
{
    static const struct scope top = {NOWHERE, NOWHERE};

    memset(p, 0, sizeof(*p));
    p->rng.state = seed;
    p->simd = 8u << rng_in(&p->rng, 0, 2);
    p->spares_mme = seed % 2 != 0;
    p->halt = new_label(p);
    for (uint32_t i = 0; i < MAX_SUBS; i++)
        (void)new_label(p);
    random_program_load(p);
    if (rng_in(&p->rng, 0, 3) == 0)
        write_dispatch_mask(p);
    p->budget = (uint32_t)rng_in(&p->rng, 40, 250);
    while (p->budget > 0)
        statement(p, &top);
    here(p, p->halt);
    end_thread(p);
    p->loops = 2; /* counters of callers below */
    for (p->sub = 1; p->sub <= MAX_SUBS; p->sub++) {
        here(p, p->sub);
        p->budget = 30;
        statements(p, &top);
        finish_sub(p);
    }
    fix(p);
}
