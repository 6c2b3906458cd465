/* random_program_send.c - see random_program.h: messages. Addresses are made of numbers
 * by a mask, so that all lanes stay within bounds. */
#include <string.h>

#include "tests/cosim/random_program.h"
#include "tests/csim/emu_rig.h"
#include "tests/csim/isa_encode.h"

enum {
    ADDRESS = 10, /* four registers: of lanes, 32 or 64 bits each */
    HEADER = 15,
    SENDS = 51,
    SENDSC = 52,
    DC0 = 10,
    DC1 = 12,
    SLM = 254
};

#define NO_DATA UINT32_MAX

/* sends: exec channels from chan on, a descriptor. to, data: NO_DATA, or registers. */
struct message {
    uint32_t exec, chan, sfid, desc, from, to, data, data_regs;
    bool no_mask;
};

static void put(uint8_t *out, uint32_t at, uint64_t value)
{
    for (uint32_t i = 0; value >> i != 0; i++)
        if (value >> i & 1)
            out[(at + i) / 8] = (uint8_t)(out[(at + i) / 8] | 1u << ((at + i) % 8));
}

static void message(struct random_program *p, const struct message *m)
{
    uint8_t t[ISA_NATIVE_BYTES] = {rng_once_in(&p->rng, 8) ? SENDSC : SENDS};
    bool some = !m->no_mask && rng_once_in(&p->rng, 4);

    put(t, 11, m->chan / 4 & 1);
    put(t, 12, m->chan / 8);
    put(t, 16, some); /* for lanes whose flag is set, or not */
    put(t, 20, some && rng_once_in(&p->rng, 2));
    put(t, 21, m->exec == 8 ? 3 : m->exec == 16 ? 4 : m->exec == 1 ? 0 : 5);
    put(t, 24, m->sfid);
    put(t, 32,
        m->chan + m->exec <= 16 ? rng_in(&p->rng, 0, 3) : 2 * rng_in(&p->rng, 0, 1));
    put(t, 34, m->no_mask);
    if (m->to != NO_DATA)
        put(t, 53, m->to);
    put(t, 35, m->to != NO_DATA);
    put(t, 36, m->data != NO_DATA);
    if (m->data != NO_DATA)
        put(t, 44, m->data);
    put(t, 64, m->data_regs);
    put(t, 69, m->from);
    put(t, 96, m->desc);
    random_program_emit(p, t);
}

/* reg = numbers' bits under a mask, plus base, of exec channels without mask. */
static void offsets(struct random_program *p, uint32_t reg, uint32_t exec,
                    uint32_t mask, uint32_t base)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_AND, exec);
    uint32_t from = random_program_data(p, 4);

    in.no_mask = true;
    in.nsrc = 2;
    in.dst = emu_rig_dst(reg, ISA_TYPE_UD, 1);
    in.src[0] = exec == 1 ? emu_rig_src(from, ISA_TYPE_UD, 0, 1, 0)
                          : emu_rig_packed(from, ISA_TYPE_UD);
    in.src[1] = emu_rig_imm(ISA_TYPE_UD, mask);
    random_program_put(p, &in);
    if (base == 0)
        return;
    in.op = ISA_OP_ADD;
    in.src[0] = exec == 1 ? emu_rig_src(reg, ISA_TYPE_UD, 0, 1, 0)
                          : emu_rig_packed(reg, ISA_TYPE_UD);
    in.src[1].imm = base;
    random_program_put(p, &in);
}

/* 64-bit addresses of the buffer for exec lanes, from offsets in a spare register. */
static void long_addresses(struct random_program *p, uint32_t exec, uint32_t mask)
{
    for (uint32_t i = 0; i < exec; i += 8) {
        struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 8);

        offsets(p, HEADER, 8, mask, PROGRAM_VA);
        in.no_mask = true;
        in.nsrc = 1;
        in.dst = emu_rig_dst(ADDRESS + i / 4, ISA_TYPE_UQ, 1);
        in.src[0] = emu_rig_packed(HEADER, ISA_TYPE_UD);
        random_program_put(p, &in);
    }
}

/* The lanes of a message: of SIMD32 kernels the lower or the upper half. */
static void lanes(struct random_program *p, struct message *m)
{
    m->exec = p->simd == 8 || rng_once_in(&p->rng, 3) ? 8 : 16;
    m->chan = (uint32_t)rng_in(&p->rng, 0, p->simd / m->exec - 1) * m->exec;
    m->from = ADDRESS;
    m->to = m->data = NO_DATA;
    m->no_mask = rng_once_in(&p->rng, 8);
}

/* Where its data come from, or go to: `regs` registers. */
static void data(struct random_program *p, struct message *m, bool write, uint32_t regs)
{
    uint32_t at = random_program_data(p, 16);

    if (!write) {
        m->to = at;
        m->desc |= regs << 20;
        return;
    }
    m->data = at;
    m->data_regs = regs;
}

static void untyped(struct random_program *p)
{
    struct message m = {.sfid = DC1};
    bool write = rng_once_in(&p->rng, 2), slm = rng_once_in(&p->rng, 2);
    uint32_t parts = (uint32_t)rng_in(&p->rng, 1, 4);

    lanes(p, &m);
    offsets(p, ADDRESS, m.exec, slm ? PROGRAM_SLM - 16 : PROGRAM_BUFFER - 16, 0);
    m.desc = (write ? 0x09u : 0x01u) << 14 | (m.exec == 16 ? 1u : 2u) << 12 |
             (0xFu << parts & 0xF) << 8 | (slm ? SLM : 0u) | m.exec / 8 << 25;
    data(p, &m, write, parts * m.exec / 8);
    message(p, &m);
}

static void bytes(struct random_program *p)
{
    struct message m = {.sfid = DC0};
    bool write = rng_once_in(&p->rng, 2), slm = rng_once_in(&p->rng, 2);

    lanes(p, &m);
    offsets(p, ADDRESS, m.exec, slm ? PROGRAM_SLM - 4 : PROGRAM_BUFFER - 4, 0);
    m.desc = (write ? 0xCu : 0x4u) << 14 | (uint32_t)rng_in(&p->rng, 0, 2) << 10 |
             (m.exec == 16 ? 1u : 0u) << 8 | (slm ? SLM : 0u) | m.exec / 8 << 25;
    data(p, &m, write, m.exec / 8);
    message(p, &m);
}

static void scattered(struct random_program *p)
{
    struct message m = {.sfid = DC1};
    bool write = rng_once_in(&p->rng, 2), wide = rng_once_in(&p->rng, 3);
    uint32_t log = (uint32_t)rng_in(&p->rng, 0, wide ? 1 : 2), regs;

    lanes(p, &m);
    long_addresses(p, m.exec, PROGRAM_BUFFER - 16);
    regs = (1u << log) * (wide ? 2 : 1) * m.exec / 8;
    m.desc = (write ? 0x1Au : 0x10u) << 14 | (wide ? 2u : 1u) << 8 | log << 10 |
             (m.exec == 16 ? 1u : 0u) << 12 | m.exec / 4 << 25 | 0xFF;
    data(p, &m, write, regs);
    message(p, &m);
}

static void atomic(struct random_program *p)
{
    static const uint8_t ops[] = {ISA_ATOMIC_AND,  ISA_ATOMIC_OR,   ISA_ATOMIC_XOR,
                                  ISA_ATOMIC_XCHG, ISA_ATOMIC_INC,  ISA_ATOMIC_ADD,
                                  ISA_ATOMIC_IMAX, ISA_ATOMIC_UMIN, ISA_ATOMIC_CMPXCHG};
    struct message m = {.sfid = DC1};
    uint32_t op = ops[rng_in(&p->rng, 0, sizeof(ops) - 1)];
    uint32_t sources = emu_atomic_operands(op);
    bool slm = rng_once_in(&p->rng, 2), back = rng_once_in(&p->rng, 2);

    lanes(p, &m);
    offsets(p, ADDRESS, m.exec, slm ? PROGRAM_SLM - 4 : PROGRAM_BUFFER - 4, 0);
    m.desc = 0x02u << 14 | (m.exec == 8 ? 1u : 0u) << 12 | op << 8 |
             (back ? 1u : 0u) << 13 | (slm ? SLM : 0u) | m.exec / 8 << 25;
    if (back)
        data(p, &m, false, m.exec / 8);
    if (sources != 0)
        data(p, &m, true, sources * m.exec / 8);
    message(p, &m);
}

/* A block of 32 to 128 bytes of the buffer, or of the thread's scratch memory. */
static void block(struct random_program *p)
{
    struct message m = {.exec = 8, .to = NO_DATA, .data = NO_DATA, .no_mask = true};
    bool scratch = rng_once_in(&p->rng, 2), write = rng_once_in(&p->rng, 2);
    uint32_t log = (uint32_t)rng_in(&p->rng, 0, 2); /* registers */
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 8);

    m.sfid = DC0;
    m.from = scratch ? 0 : HEADER;
    m.desc = 1u << 19 | 1u << 25;
    if (scratch) {
        m.desc |= 1u << 18 | (write ? 1u : 0u) << 17 | 1u << 16 | log << 12 |
                  (uint32_t)rng_in(&p->rng, 0, PROGRAM_SCRATCH / 32 - 4);
    } else {
        in.no_mask = true;
        in.nsrc = 1;
        in.dst = emu_rig_dst(HEADER, ISA_TYPE_UD, 1);
        in.src[0] = emu_rig_imm(ISA_TYPE_UD, 0);
        random_program_put(p, &in);
        offsets(p, ADDRESS, 1, write ? PROGRAM_BUFFER / 16 - 8 : PROGRAM_BUFFER - 128,
                0);
        in = emu_rig_inst(ISA_OP_MOV, 1);
        in.no_mask = true;
        in.nsrc = 1;
        in.dst = emu_rig_dst(HEADER, ISA_TYPE_UD, 1);
        in.dst.byte = 8;
        in.src[0] = emu_rig_src(ADDRESS, ISA_TYPE_UD, 0, 1, 0);
        random_program_put(p, &in);
        m.desc |= (write ? 0x8u : 0x1u) << 14 | (2 + log) << 8;
    }
    data(p, &m, write, 1u << log);
    message(p, &m);
}

void random_program_send(struct random_program *p)
{
    static void (*const kinds[])(struct random_program *) = {
        untyped, untyped, bytes, block, scattered, atomic};

    kinds[rng_in(&p->rng, 0, 5)](p);
}

void random_program_load(struct random_program *p)
{
    for (uint32_t reg = PROGRAM_DATA; reg < PROGRAM_DATA_END; reg += 4) {
        struct message m = {.exec = 8,
                            .sfid = DC1,
                            .from = ADDRESS,
                            .to = reg,
                            .data = NO_DATA,
                            .no_mask = true};
        struct isa_inst in = emu_rig_inst(ISA_OP_MUL, 8);

        /* Other numbers in other threads: by local and group number. */
        in.no_mask = true;
        in.nsrc = 2;
        in.dst = emu_rig_dst(ADDRESS, ISA_TYPE_UD, 1);
        in.src[0] = emu_rig_src(1, ISA_TYPE_UW, 8, 8, 1);
        in.src[1] = emu_rig_imm(ISA_TYPE_UW, rng_in(&p->rng, 1, 255) * 16);
        random_program_put(p, &in);
        in.op = ISA_OP_ADD;
        in.src[0] = emu_rig_packed(ADDRESS, ISA_TYPE_UD);
        in.src[1] = emu_rig_src(0, ISA_TYPE_UD, 0, 1, 0);
        in.src[1].byte = 4;
        random_program_put(p, &in);
        in.op = ISA_OP_AND;
        in.src[1] = emu_rig_imm(ISA_TYPE_UD, PROGRAM_BUFFER - 16);
        random_program_put(p, &in);
        m.desc = 0x01u << 14 | 2u << 12 | 4u << 20 | 1u << 25;
        message(p, &m);
    }
}
