/* random_program_macro.c - see random_program.h: a start value of a quotient or a root,
 * and a few sums of products with mme registers, as the compiler's chains have them. A
 * chain reads only mme registers that it wrote, so that exponents stay small. */
#include <string.h>

#include "tests/cosim/random_program.h"
#include "tests/csim/isa_encode.h"

enum {
    MATH = 0x138,
    MADM = 0x15D,
    INVM = 14,
    RSQTM = 15,
    NO_MME = 8,
    CODE_F = 7,
    CODE_DF = 6
};

struct chain {
    uint32_t exec;    /* its code */
    bool wide;        /* double floats */
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

    return c->written >> n & 1 ? n : NO_MME;
}

static void start(struct random_program *p, struct chain *c)
{
    uint32_t type = c->wide ? CODE_DF : CODE_F, to = (uint32_t)rng_in(&p->rng, 0, 7);
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
    uint32_t to = (uint32_t)rng_in(&p->rng, 0, NO_MME);
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

void random_program_macro(struct random_program *p)
{
    struct chain c = {.wide = rng_once_in(&p->rng, 2)};

    c.exec = c.wide ? (uint32_t)rng_in(&p->rng, 2, 3) : (uint32_t)rng_in(&p->rng, 3, 4);
    start(p, &c);
    for (uint32_t n = (uint32_t)rng_in(&p->rng, 1, 4); n > 0; n--)
        sum(p, &c);
}
