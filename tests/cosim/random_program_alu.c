/* random_program_alu.c - see random_program.h: instructions that compute. The forms are
 * those of tests/csim/isa_form.h, at any registers. */
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/random_program.h"
#include "tests/csim/emu_rig.h"
#include "tests/csim/isa_encode.h"
#include "tests/csim/isa_form.h"

enum {
    TRIES = 200,
    POINTERS = 14 /* register of addresses on their way to a0 */
};

uint32_t random_program_data(struct random_program *p, uint32_t registers)
{
    return (uint32_t)rng_in(&p->rng, PROGRAM_DATA, PROGRAM_DATA_END - registers);
}

void random_program_put(struct random_program *p, const struct isa_inst *inst)
{
    uint8_t text[ISA_NATIVE_BYTES];

    memset(text, 0, sizeof(text));
    if (!isa_encode(inst, text))
        abort();
    random_program_emit(p, text);
}

/* dst (a0, a register) of words or dwords from src0 and an immediate, without mask. */
static struct isa_inst simple(enum isa_opcode op, uint32_t exec, struct isa_operand dst,
                              struct isa_operand src)
{
    struct isa_inst in = emu_rig_inst(op, exec);

    in.no_mask = true;
    in.dst = dst;
    in.src[0] = src;
    in.nsrc = 1;
    return in;
}

static struct isa_operand address(uint32_t word)
{
    struct isa_operand o = emu_rig_dst(0, ISA_TYPE_UW, 1);

    o.file = ISA_FILE_ADDR;
    o.byte = (uint8_t)(2 * word);
    return o;
}

/* a0.word = an address of numbers, from which add is subtracted. */
static void point_one(struct random_program *p, uint32_t word, int32_t add,
                      uint32_t size)
{
    uint32_t at = random_program_data(p, 3) * ISA_GRF_BYTES +
                  (uint32_t)rng_in(&p->rng, 0, 3) * size;
    struct isa_inst in =
        simple(ISA_OP_MOV, 1, address(word),
               emu_rig_imm(ISA_TYPE_UW, (uint16_t)((int32_t)at - add)));

    random_program_put(p, &in);
}

/* a0.0 to a0.7 = addresses from a register's bits: 8 bytes apart, within 32 registers.
 */
static void point_many(struct random_program *p, int32_t add)
{
    struct isa_operand to = emu_rig_dst(POINTERS, ISA_TYPE_UW, 1);
    struct isa_operand from = emu_rig_src(POINTERS, ISA_TYPE_UW, 8, 8, 1);
    uint32_t first = (uint32_t)rng_in(&p->rng, PROGRAM_DATA, PROGRAM_DATA_END - 36);
    struct isa_inst in =
        simple(ISA_OP_AND, 8, to,
               emu_rig_src(random_program_data(p, 1), ISA_TYPE_UW, 8, 8, 1));

    in.nsrc = 2;
    in.src[1] = emu_rig_imm(ISA_TYPE_UW, 0x3F8);
    random_program_put(p, &in);
    in = simple(ISA_OP_ADD, 8, to, from);
    in.nsrc = 2;
    in.src[1] =
        emu_rig_imm(ISA_TYPE_UW, (uint16_t)((int32_t)(first * ISA_GRF_BYTES) - add));
    random_program_put(p, &in);
    in = simple(ISA_OP_MOV, 8, address(0), from);
    random_program_put(p, &in);
}

static void place(struct random_program *p, struct isa_inst *in)
{
    for (uint32_t k = 0; k < in->nsrc; k++) {
        struct isa_operand *o = &in->src[k];
        uint32_t size = isa_type_bytes((enum isa_type)o->type);

        if (o->file != ISA_FILE_GRF)
            continue;
        if (o->indirect && o->vxh)
            point_many(p, o->addr_imm);
        else if (o->indirect)
            point_one(p, o->addr_sub, o->addr_imm, size);
        else
            o->reg = (uint8_t)random_program_data(p, in->op == ISA_OP_PLN ? 4 : 3);
    }
    if (in->dst.indirect)
        point_one(p, in->dst.addr_sub, in->dst.addr_imm,
                  isa_type_bytes((enum isa_type)in->dst.type));
    else if (in->dst.file == ISA_FILE_GRF)
        in->dst.reg = (uint8_t)random_program_data(p, 8);
}

/* The low half of a product in acc0, and its high half, as the compiler has it. */
static void high_product(struct random_program *p)
{
    enum isa_type type = rng_once_in(&p->rng, 2) ? ISA_TYPE_D : ISA_TYPE_UD;
    struct isa_inst in = emu_rig_inst(ISA_OP_MUL, 8);
    uint32_t factor = random_program_data(p, 1);

    in.nsrc = 2;
    in.dst = emu_rig_dst(0, type, 1);
    in.dst.file = ISA_FILE_ACC;
    in.src[0] = emu_rig_packed(random_program_data(p, 1), type);
    in.src[1] = emu_rig_src(factor, ISA_TYPE_UW, 16, 8, 2); /* its low halves */
    random_program_put(p, &in);
    in.src[1] = emu_rig_packed(factor, type);
    in.op = ISA_OP_MACH;
    in.acc_wr_en = true;
    in.dst = emu_rig_dst(random_program_data(p, 1), type, 1);
    random_program_put(p, &in);
}

/* Rounding and denormals from here on. */
static void control(struct random_program *p)
{
    static const uint32_t modes[] = {0x4C0, 0x4D0, 0x4E0, 0x4F0, 0x000, 0x14F0, 0x4C0};
    struct isa_operand to = emu_rig_dst(0x80, ISA_TYPE_UD, 1);
    struct isa_inst in;

    to.file = ISA_FILE_CTRL;
    in = simple(ISA_OP_MOV, 1, to,
                emu_rig_imm(ISA_TYPE_UD, modes[rng_in(&p->rng, 0, 6)]));
    in.thread_switch = true;
    random_program_put(p, &in);
}

/* Opcodes alike, though some have hundreds of forms: they are sorted by them. */
static const struct isa_form *draw_form(struct rng *rng)
{
    static struct isa_form *forms; /* the same for every program */
    static uint32_t count, ops, first[ISA_OP_COUNT + 1];
    uint32_t op;

    if (forms == NULL) {
        forms = isa_forms(&count);
        for (uint32_t i = 0; i < count; i++)
            if (i == 0 || forms[i].op != forms[i - 1].op)
                first[ops++] = i;
        first[ops] = count;
    }
    op = (uint32_t)rng_in(rng, 0, ops - 1);
    return &forms[rng_in(rng, first[op], first[op + 1] - 1)];
}

static bool draw(struct random_program *p, struct isa_inst *in)
{
    uint64_t seed = rng_next(&p->rng);
    const struct isa_form *f = draw_form(&p->rng);
    bool result = rng_once_in(&p->rng, 2);
    uint32_t bins = result ? BINS_RESULT : BINS_SOURCE;

    if (f->op == ISA_OP_MACH || /* of a pair: high_product() */
        !(result ? isa_form_result : isa_form_source)(
            f, (uint32_t)rng_in(&p->rng, 0, bins - 1), &seed, in))
        return false;
    if (!in->no_mask && in->chan_offset >= p->simd)
        in->chan_offset = 0;
    return true;
}

void random_program_alu(struct random_program *p)
{
    struct isa_inst in;

    if (rng_once_in(&p->rng, 40)) {
        high_product(p);
        return;
    }
    if (rng_once_in(&p->rng, 60)) {
        control(p);
        return;
    }
    if (rng_once_in(&p->rng, 30)) {
        random_program_macro(p);
        return;
    }
    for (uint32_t i = 0; i < TRIES; i++) {
        uint8_t text[ISA_NATIVE_BYTES] = {0};

        if (!draw(p, &in) || !isa_encode(&in, text))
            continue;
        place(p, &in);
        random_program_put(p, &in);
        return;
    }
}
