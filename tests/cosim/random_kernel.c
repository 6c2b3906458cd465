/* random_kernel.c - see random_kernel.h. Weights are biased to hazards: few
 * registers, many dependences, full queues. */
#include "random_kernel.h"

#include <string.h>

#include "igpu/icache.h"

/* The character of a kernel. */
struct profile {
    uint32_t first, registers; /* GRFs it works on */
    unsigned weight[4];        /* FPU_ANY, FPU1, SEND, BRANCH */
    bool wide;                 /* many GRFs executed and written */
    unsigned no_response;      /* one data-port message in so many has none */
    unsigned indirect;         /* one instruction in so many needs all GRFs */
};

static void random_profile(struct rng *r, struct profile *p)
{
    static const uint32_t registers[] = {2, 4, 8, 16, 40, 128};
    static const uint32_t firsts[] = {0, 10, 60, 88};
    static const unsigned weights[][4] = {{8, 2, 3, 2}, {1, 0, 0, 0}, {6, 6, 1, 1},
                                          {2, 1, 8, 1}, {2, 0, 1, 6}, {0, 1, 0, 0},
                                          {0, 0, 1, 0}, {4, 1, 2, 1}};

    p->registers = registers[rng_in(r, 0, 5)];
    p->first = p->registers == 128 ? 0 : firsts[rng_in(r, 0, 3)];
    memcpy(p->weight, weights[rng_in(r, 0, 7)], sizeof(p->weight));
    p->wide = rng_once_in(r, 3);
    p->no_response = (unsigned)rng_in(r, 1, 8);
    p->indirect = rng_once_in(r, 4) ? 20 : 400;
}

/* Mark `count` GRFs, or as many as the kernel has, from a random one on. */
static void mark(struct rng *r, const struct profile *p, uint64_t *bits, uint64_t count)
{
    uint64_t at;

    if (count > p->registers)
        count = p->registers;
    at = p->first + rng_in(r, 0, p->registers - count);
    for (; count > 0; count--, at++)
        bits[at / 64] |= UINT64_C(1) << (at % 64);
}

/* 1, 2, 4 or, rarely, anything to `most`. */
static uint8_t grf_count(struct rng *r, bool wide, uint64_t most)
{
    static const unsigned narrow_weight[] = {6, 6, 1, 1}, wide_weight[] = {1, 2, 3, 4};
    unsigned kind = rng_weighted(r, wide ? wide_weight : narrow_weight, 4);
    uint64_t n = kind == 3 ? rng_in(r, 1, most) : UINT64_C(1) << kind;

    return (uint8_t)(n > most ? most : n);
}

static uint8_t random_flag(struct rng *r)
{
    if (rng_once_in(r, 5))
        return UOP_X_F0_0 | UOP_X_F0_1;
    return (uint8_t)(1u << rng_in(r, 0, 3));
}

static void random_sources(struct rng *r, const struct profile *p, struct uop *u)
{
    for (uint64_t n = rng_in(r, 0, 3); n > 0; n--)
        mark(r, p, u->need, grf_count(r, p->wide, 8));
    if (rng_once_in(r, 6))
        u->need_x |= random_flag(r);
    if (rng_once_in(r, 10))
        u->need_x |= UOP_X_ACC;
    if (rng_once_in(r, 15))
        u->need_x |= UOP_X_ADDR;
    if (rng_once_in(r, 60))
        u->need_x |= UOP_X_CTL;
    if (rng_once_in(r, p->indirect))
        u->need[0] = u->need[1] = UINT64_MAX;
}

static void random_destination(struct rng *r, const struct profile *p, struct uop *u)
{
    static const unsigned kinds[] = {10, 3, 4, 1, 1, 1};

    u->dst = UOP_DST_GRF;
    switch (rng_weighted(r, kinds, 6)) {
    case 1: /* accumulator, perhaps with a GRF */
        u->dst = UOP_DST_ACC;
        u->set_x = UOP_X_ACC;
        if (rng_once_in(r, 2))
            return;
        break;
    case 2: /* flag */
        u->dst = UOP_DST_FLAG;
        u->set_x = random_flag(r);
        if (rng_once_in(r, 2))
            return;
        break;
    case 3:
        u->set_x = rng_once_in(r, 4) ? UOP_X_CTL : UOP_X_ADDR;
        return;
    case 4: /* null */
        return;
    case 5: /* indirect */
        if (!rng_once_in(r, p->indirect))
            break;
        u->set[0] = u->set[1] = UINT64_MAX;
        return;
    default:
        break;
    }
    mark(r, p, u->set, u->dst_grfs);
}

static void random_fpu(struct rng *r, const struct profile *p, struct uop *u)
{
    static const uint8_t any[] = {UOP_ALU32, UOP_ALU32, UOP_ALU32,
                                  UOP_ALU64, UOP_DOT,   UOP_LRP};
    static const uint8_t fpu1[] = {UOP_DF, UOP_DF, UOP_MATH, UOP_MATH2, UOP_IDIV};

    u->cls = u->unit == UOP_FPU_ANY ? any[rng_in(r, 0, 5)] : fpu1[rng_in(r, 0, 4)];
    u->exec_grfs = grf_count(r, p->wide, 8);
    u->dst_grfs = rng_once_in(r, 3) ? grf_count(r, p->wide, 8) : u->exec_grfs;
    u->conflicts = rng_once_in(r, 6) ? (uint8_t)rng_in(r, 1, 8) : 0;
    random_sources(r, p, u);
    random_destination(r, p, u);
}

static void random_message(struct rng *r, const struct profile *p, struct uop *u,
                           bool gates)
{
    static const unsigned sizes[] = {6, 4, 3, 1};
    unsigned kind = rng_weighted(r, sizes, 4);

    u->cls = UOP_MSG;
    u->payload = (uint8_t)(kind == 3 ? rng_in(r, 1, 31) : 1u << kind);
    if (gates && rng_once_in(r, 4)) {
        u->payload = 1;
        u->flags = UOP_GATE | UOP_WB;
        u->need_x = u->set_x = UOP_X_N0;
        mark(r, p, u->need, 1);
        return;
    }
    u->flags = UOP_PORT;
    mark(r, p, u->need, u->payload);
    if (rng_once_in(r, 8))
        u->need_x |= random_flag(r);
    if (rng_once_in(r, 8))
        u->need_x |= UOP_X_ADDR;
    if (rng_once_in(r, p->no_response))
        return;
    u->flags |= UOP_WB;
    u->rlen = grf_count(r, p->wide, 16);
    mark(r, p, u->set, u->rlen);
}

static void random_branch(struct rng *r, struct uop *u, bool gates)
{
    u->cls = rng_once_in(r, 3) ? UOP_NOP : UOP_CTRL;
    if (u->cls == UOP_CTRL && !rng_once_in(r, 3))
        u->need_x = random_flag(r);
    if (u->cls == UOP_NOP && gates && !rng_once_in(r, 4))
        u->need_x = UOP_X_N0; /* wait */
}

static void random_uop(struct rng *r, const struct profile *p, struct uop *u,
                       bool gates)
{
    memset(u, 0, sizeof(*u));
    u->unit = (uint8_t)rng_weighted(r, p->weight, 4);
    u->exec_grfs = u->dst_grfs = u->payload = 1;
    if (u->unit == UOP_SEND)
        random_message(r, p, u, gates);
    else if (u->unit == UOP_BRANCH)
        random_branch(r, u, gates);
    else
        random_fpu(r, p, u);
    u->switches = rng_once_in(r, 12);
    u->need[0] |= u->set[0];
    u->need[1] |= u->set[1];
    u->need_x |= u->set_x;
}

void random_kernel(struct rng *r, struct rt_kernel *kernel, bool large)
{
    static const uint64_t sizes[] = {1, 3, 12, 60, 250, RT_MAX_UOPS};
    static const unsigned weights[] = {4, 20, 60, 60, 30, 1};
    unsigned size = rng_weighted(r, weights, 6);
    uint32_t spread; /* bytes that some instructions lie apart: more lines */
    struct profile p;

    if (large)
        size = sizeof(sizes) / sizeof(sizes[0]) - 1;
    random_profile(r, &p);
    kernel->gates = rng_once_in(r, 3);
    kernel->count = (uint32_t)rng_in(r, size ? sizes[size - 1] : 1, sizes[size]);
    for (uint32_t i = 0; i + 1 < kernel->count; i++)
        random_uop(r, &p, &kernel->uop[i], kernel->gates);
    spread = rng_once_in(r, 2) ? 0 : ICACHE_LINE_BYTES;
    kernel->uop[kernel->count - 1] = (struct uop){.unit = UOP_SEND,
                                                  .cls = UOP_MSG,
                                                  .flags = UOP_EOT,
                                                  .need = {1u << 2, 0},
                                                  .exec_grfs = 1,
                                                  .dst_grfs = 1,
                                                  .payload = (uint8_t)rng_in(r, 1, 2)};
    for (uint32_t i = 0, at = 0; i < kernel->count; i++) {
        struct uop *u = &kernel->uop[i];

        u->at = at;
        u->bytes = rng_once_in(r, 3) ? 8 : 16;
        at += u->bytes + (rng_once_in(r, 4) ? spread : 0);
    }
}
