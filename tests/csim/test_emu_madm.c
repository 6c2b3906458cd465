/* test_emu_madm.c - madm and the starts of divisions and roots in all lanes by the host
 * (csim/emu/emu_madm.c) against exact arithmetic, lane by lane (emu_macro.c): random
 * operands in registers and macro registers, exponents over the whole range and near
 * the limits, zeros, infinities, NaNs, denormals, all widths, masks, modifiers and
 * rounding modes. Both kinds of hosts' code where this host has both.
 *
 *   test_emu_madm [OPERATIONS]    default 200,000
 *
 * Can not find: what exact arithmetic does wrong (tests/fpu/test_math_macros.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/emu/emu_host.h"
#include "tests/support/rng.h"

enum { REGISTERS = 16, FIRST = 16, EACH = 4 * ISA_GRF_BYTES };

static long operations = 200000;
static struct rng rng = {20261128};

static uint32_t below(uint32_t n)
{
    return rng_below(&rng, n);
}

/* A number of the type, by its bits: most have an exponent to `range`. */
static uint64_t random_bits(bool is_double, int range)
{
    uint64_t r = rng_next(&rng), fraction = is_double ? r >> 12 : r >> 41;
    int most = is_double ? 1024 : 128, bias = most - 1;
    int exp = (int)below(2u * (unsigned)range + 1) - range;
    unsigned shift = is_double ? 52 : 23;

    switch (below(1000)) {
    case 0:
        return (r & 1) << (is_double ? 63 : 31);
    case 1:
        exp = most; /* infinite or NaN */
        fraction = below(2) ? fraction : 0;
        break;
    case 2:
        exp = -bias; /* denormal */
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        fraction = 0;
        break;
    default:
        break;
    }
    exp = exp > most ? most : exp < -bias ? -bias : exp;
    return (r & 1) << (is_double ? 63 : 31) | (uint64_t)(exp + bias) << shift |
           fraction;
}

static void random_thread(struct emu_thread *t, bool is_double)
{
    static const int ranges[] = {0, 2, 30, 31, 40, 70, 127, 254, 255, 300, 600, 1023};
    int range = ranges[below(sizeof(ranges) / sizeof(ranges[0]))];

    memset(t, 0, sizeof(*t));
    t->flag[0] = (uint32_t)rng_next(&rng);
    t->round = (uint8_t)(below(4) == 0 ? below(4) : EMU_RNE);
    for (uint32_t at = 0; at < (FIRST + 4 * REGISTERS) * ISA_GRF_BYTES;
         at += is_double ? 8 : 4) {
        uint64_t bits = random_bits(is_double, range);

        memcpy(t->grf + at, &bits, is_double ? 8 : 4);
    }
    for (uint32_t m = 0; m < EMU_MME_COUNT; m++)
        for (uint32_t i = 0; i < EMU_LANES; i++) {
            enum isa_type type = is_double ? ISA_TYPE_DF : ISA_TYPE_F;
            struct emu_num n = emu_num_unpack(random_bits(is_double, range), type);

            if (n.cls == EMU_FINITE && below(1000) == 0)
                n.exp *= 3; /* wider than the type's own */
            emu_mme_put(&t->mme[m], i, n);
        }
}

static void random_op(struct emu_op *op, bool is_double)
{
    static const uint8_t widths[] = {1, 2, 4, 8, 16};
    uint32_t bytes = is_double ? 8 : 4;

    memset(op, 0, sizeof(*op));
    op->opcode = below(4) == 0 ? ISA_OP_MATH : ISA_OP_MADM;
    op->math = below(2) == 0 ? ISA_MATH_INVM : ISA_MATH_RSQTM;
    op->nsrc = op->opcode == ISA_OP_MADM ? 3 : op->math == ISA_MATH_INVM ? 2 : 1;
    op->cmod = (uint8_t)(below(2) == 0 ? ISA_CMOD_EO : ISA_CMOD_NONE);
    op->flag_shift = (uint8_t)(below(2) * 16);
    op->exec = widths[below(is_double ? 4 : 5)];
    op->dst.type = is_double ? ISA_TYPE_DF : ISA_TYPE_F;
    op->dst.off = (int32_t)(FIRST * ISA_GRF_BYTES + below(REGISTERS) * EACH);
    op->dst.mme = (int8_t)(below(4) == 0 ? ISA_MME_NOMME : below(EMU_MME_COUNT));
    for (uint32_t k = 0; k < 3; k++) {
        struct emu_src *s = &op->src[k];

        s->type = op->dst.type;
        s->region = below(6) == 0 ? EMU_REG_SCALAR : EMU_REG_LINEAR;
        s->stride = (int32_t)bytes;
        s->off = (int32_t)(FIRST * ISA_GRF_BYTES + below(REGISTERS) * EACH);
        s->mme = (int8_t)(below(2) == 0 ? ISA_MME_NOMME : below(EMU_MME_COUNT));
        s->mod = (uint8_t)(below(3) == 0   ? ISA_MOD_NEG
                           : below(5) == 0 ? ISA_MOD_ABS
                                           : 0);
    }
}

static void compare(const struct emu_thread *exact, const struct emu_thread *t, long at)
{
    if (memcmp(exact->grf, t->grf, sizeof(t->grf)) != 0)
        fail_msg("operation %ld: registers differ", at);
    assert_int_equal(exact->flag[0], t->flag[0]);
    for (uint32_t m = 0; m < EMU_MME_COUNT; m++)
        for (uint32_t i = 0; i < EMU_LANES; i++) {
            struct emu_num a = emu_mme_number(&exact->mme[m], i);
            struct emu_num b = emu_mme_number(&t->mme[m], i);

            if (a.cls != b.cls || a.sign != b.sign ||
                (a.cls == EMU_FINITE && (a.exp != b.exp || a.mant != b.mant)))
                fail_msg("operation %ld: mme%u of lane %u: class %u, 0x%llx 2^%d, "
                         "exactly %u, 0x%llx 2^%d",
                         at, m, i, b.cls, (unsigned long long)(b.mant >> 64), b.exp,
                         a.cls, (unsigned long long)(a.mant >> 64), a.exp);
        }
}

static void run_all(emu_run_fn *madm)
{
    static struct emu_thread exact, t;
    bool is_double = false;

    for (long at = 0; at < operations; at++) {
        struct emu_op op;
        uint32_t mask;

        if (at % 64 == 0) { /* then its own results are operands */
            is_double = below(2) == 0;
            random_thread(&exact, is_double);
            memcpy(&t, &exact, sizeof(t));
        }
        random_op(&op, below(16) == 0 ? !is_double : is_double);
        mask = below(3) != 0 ? UINT32_MAX : (uint32_t)rng_next(&rng);
        mask &= (1u << op.exec) - 1;
        emu_exec_macro(&exact, &op, mask);
        madm(&t, &op, mask);
        compare(&exact, &t, at);
    }
}

static void test_any_host(void **unused)
{
    (void)unused;
    run_all(emu_exec_madm_any);
}

static void test_this_host(void **unused)
{
    (void)unused;
    run_all(emu_pick_madm());
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_host),
                                       cmocka_unit_test(test_this_host)};

    if (argc > 1)
        operations = atol(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
