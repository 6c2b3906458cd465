/* random_program_macro.c - see random_program.h: a start value of a quotient or a root,
 * and a few sums of products with mme registers, as the compiler's chains have them. A
 * chain reads only mme registers that it wrote, so that exponents stay small, and in
 * half of the programs one that the thread never wrote, which other programs did. Some
 * chains begin with a sum whose rounding is a tie or goes on to the next exponent. */
#include <string.h>

#include "tests/cosim/random_program.h"
#include "tests/csim/emu_rig.h"
#include "tests/csim/isa_encode.h"

enum {
    MATH = 0x138,
    MADM = 0x15D,
    INVM = 14,
    RSQTM = 15,
    NO_MME = 8,
    SPARED = 7,
    CODE_F = 7,
    CODE_DF = 6
};

struct chain {
    uint32_t exec;    /* its code */
    bool wide;        /* double floats */
    bool spares;      /* mme register 7, which it may read all the same */
    uint32_t written; /* mme registers, a bit each */
};

static void emit(struct random_program *p, const uint32_t w[4])
{
    uint8_t text[ISA_NATIVE_BYTES];

    memcpy(text, w, sizeof(text));
    random_program_emit(p, text);
}

static uint32_t reg(struct random_program *p)
{
    return random_program_data(p, 2);
}

/* An mme register that the chain wrote, or none. */
static uint32_t mme(struct random_program *p, const struct chain *c)
{
    uint32_t n = (uint32_t)rng_in(&p->rng, 0, 7);

    return c->written >> n & 1 || (n == SPARED && c->spares) ? n : NO_MME;
}

static uint32_t written_mme(struct random_program *p, const struct chain *c)
{
    return (uint32_t)rng_in(&p->rng, 0, c->spares ? SPARED - 1 : SPARED);
}

static void start(struct random_program *p, struct chain *c)
{
    uint32_t type = c->wide ? CODE_DF : CODE_F, to = written_mme(p, c);
    bool root = rng_once_in(&p->rng, 2);
    const uint32_t flag = 2 * (uint32_t)rng_in(&p->rng, 0, 1);
    const uint32_t rows = (c->wide ? 2u : 3u) << 21;
    const uint32_t w[4] = {
        MATH | c->exec << 21 | (root ? (uint32_t)RSQTM : (uint32_t)INVM) << 24,
        0x208u | flag | type << 5 | type << 11 | to << 16 | reg(p) << 21,
        NO_MME | reg(p) << 5 | rows | (root ? 0 : 1u << 25 | type << 27),
        root ? 0 : NO_MME | reg(p) << 5 | rows};

    emit(p, w);
    c->written |= 1u << to;
}

static void sum(struct random_program *p, struct chain *c)
{
    uint32_t to = rng_once_in(&p->rng, 8) ? (uint32_t)NO_MME : written_mme(p, c);
    uint32_t types = c->wide ? 3u << 14 | 3u << 11 : 0;
    const uint32_t w[4] = {MADM | c->exec << 21,
                           types | (uint32_t)rng_in(&p->rng, 0, 63) << 5 | to << 17 |
                               reg(p) << 24,
                           mme(p, c) << 1 | reg(p) << 12 | mme(p, c) << 22, 0};
    const uint32_t last = reg(p) << 1 | mme(p, c) << 11 | reg(p) << 22;

    emit(p, (const uint32_t[]){w[0], w[1], w[2], last});
    if (to != NO_MME)
        c->written |= 1u << to;
}

/* A register of single floats that are all this one. */
static uint32_t hard_number(struct random_program *p, uint32_t bits)
{
    struct isa_inst in = emu_rig_inst(ISA_OP_MOV, 8);
    uint32_t to = reg(p);

    in.no_mask = true;
    for (uint32_t i = 0; i < 2; i++) {
        in.nsrc = 1;
        in.dst = emu_rig_dst(to + i, ISA_TYPE_F, 1);
        in.src[0] = emu_rig_imm(ISA_TYPE_F, bits);
        random_program_put(p, &in);
    }
    return to;
}

/* s0 + s1 * s2 of single floats, into a general register. */
static void hard_sum(struct random_program *p)
{
    static const uint32_t hard[][3] = {
        {0, 0x3F800800, 0x3F800800},          /* 1 + 2^-11 and half of the last place */
        {0, 0x3F800800, 0x3F801800},          /* ... of an odd one */
        {0x3FFFFFFF, 0x33800000, 0x3F800000}, /* to 2, by a tie */
        {0x3FFFFFFF, 0x33C00000, 0x3F800000}, /* to 2 */
    };
    const uint32_t *n = hard[rng_in(&p->rng, 0, 3)];
    uint32_t a = hard_number(p, n[0]), b = hard_number(p, n[1]);
    uint32_t c = n[2] == n[1] ? b : hard_number(p, n[2]);
    const uint32_t w[4] = {MADM | 3u << 21, NO_MME << 17 | reg(p) << 24,
                           NO_MME << 1 | a << 12 | NO_MME << 22,
                           b << 1 | NO_MME << 11 | c << 22};

    emit(p, w);
}

void random_program_macro(struct random_program *p)
{
    struct chain c = {.wide = rng_once_in(&p->rng, 2), .spares = p->spares_mme};

    if (rng_once_in(&p->rng, 2))
        hard_sum(p);

    c.exec = c.wide ? (uint32_t)rng_in(&p->rng, 2, 3) : (uint32_t)rng_in(&p->rng, 3, 4);
    start(p, &c);
    for (uint32_t n = (uint32_t)rng_in(&p->rng, 1, 4); n > 0; n--)
        sum(p, &c);
}
