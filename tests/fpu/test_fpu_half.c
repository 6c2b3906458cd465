/* test_fpu_half.c - half precision in RTL against MPFR: every input of every unary
 * operation and conversion in each rounding and denormal mode; pairs of corners. A
 * commit has each input in four of the eight modes, another one in the others, and half
 * of the pairs; --long all.
 *
 * tests/run: timeout=600 slow */
#include "fpu_rig_test.h"

enum { HALVES = 65536, MODES = FPU_MODES };

static uint32_t step(void)
{
    return fpu_test_long() ? 1 : 2;
}

static uint32_t first(uint32_t mode)
{
    return fpu_test_long() ? 0 : (mode + fpu_test_half()) % 2;
}

/* op on all inputs, each in half of the modes. */
static void every_half(struct fpu_op op)
{
    op.nsrc = 1;
    op.stype[0] = ISA_TYPE_HF;
    for (uint32_t mode = 0; mode < MODES; mode++) {
        struct fpu_case c = {.op = op};

        fpu_test_mode(&c.op, mode);
        for (uint32_t bits = first(mode); bits < HALVES; bits += step()) {
            c.src[0] = bits;
            fpu_test_case(&c);
        }
    }
}

static void test_every_half_rounds_to_whole_numbers(void **state)
{
    (void)state;
    for (uint8_t op = IGPU_FPU_OP_RNDD; op <= IGPU_FPU_OP_FRC; op++)
        every_half((struct fpu_op){.op = op, .dtype = ISA_TYPE_HF});
    fpu_test_finish("rndd rndu rnde rndz frc");
}

static void test_every_half_converts_to_every_type(void **state)
{
    (void)state;
    for (uint8_t type = ISA_TYPE_UB; type <= ISA_TYPE_DF; type++)
        if (type != ISA_TYPE_HF)
            every_half((struct fpu_op){.op = IGPU_FPU_OP_MOV, .dtype = type});
    fpu_test_finish("mov to other types");
}

static void test_every_half_takes_each_modifier(void **state)
{
    (void)state;
    for (uint8_t mod = ISA_MOD_NONE; mod <= ISA_MOD_NEGABS; mod++)
        every_half(
            (struct fpu_op){.op = IGPU_FPU_OP_MOV, .dtype = ISA_TYPE_HF, .mod = {mod}});
    every_half(
        (struct fpu_op){.op = IGPU_FPU_OP_MOV, .dtype = ISA_TYPE_HF, .saturate = true});
    for (uint8_t cmod = ISA_CMOD_EQ; cmod <= ISA_CMOD_UN; cmod++)
        every_half(
            (struct fpu_op){.op = IGPU_FPU_OP_MOV, .dtype = ISA_TYPE_HF, .cmod = cmod});
    fpu_test_finish("modifiers, saturation, conditions");
}

static void test_every_word_converts_to_half(void **state)
{
    (void)state;
    for (uint8_t type = ISA_TYPE_UW; type <= ISA_TYPE_W; type++)
        for (uint32_t mode = 0; mode < MODES; mode++) {
            struct fpu_case c = {
                .op = {.op = IGPU_FPU_OP_MOV, .nsrc = 1, .dtype = ISA_TYPE_HF}};

            c.op.stype[0] = type;
            fpu_test_mode(&c.op, mode);
            for (uint32_t bits = first(mode); bits < HALVES; bits += step()) {
                c.src[0] = bits;
                fpu_test_case(&c);
            }
        }
    fpu_test_finish("words to half");
}

/* Half of the pairs of more than 2,000 corners; a mode for each pair, or (long) all in
 * every mode. */
static void test_pairs_of_corners_add_and_multiply(void **state)
{
    static uint64_t corner[2300];
    size_t n = fpu_corners(ISA_TYPE_HF, 5, corner, 2300);
    struct fpu_case c = {
        .op = {.nsrc = 2, .dtype = ISA_TYPE_HF, .stype = {ISA_TYPE_HF, ISA_TYPE_HF}}};

    (void)state;
    assert_true(n >= 2000);
    for (uint8_t op = IGPU_FPU_OP_ADD; op <= IGPU_FPU_OP_MUL; op++)
        for (uint32_t mode = 0; mode < MODES; mode++) {
            c.op.op = op;
            fpu_test_mode(&c.op, mode);
            for (size_t i = 0; i < n; i++)
                for (size_t k = fpu_test_long() ? 0
                                                : (i + mode) % MODES +
                                                      (size_t)MODES * fpu_test_half();
                     k < n; k += fpu_test_long() ? 1 : 2 * MODES) {
                    c.src[0] = corner[i];
                    c.src[1] = corner[k];
                    fpu_test_case(&c);
                }
        }
    fpu_test_finish("pairs of corners");
}

static void test_random_operands(void **state)
{
    static const uint8_t ops[] = {IGPU_FPU_OP_ADD, IGPU_FPU_OP_MUL, IGPU_FPU_OP_MAD,
                                  IGPU_FPU_OP_CMP, IGPU_FPU_OP_SEL, IGPU_FPU_OP_CSEL};
    uint64_t seed = 0x4001, count = fpu_test_long() ? 10000000 : 600000;
    struct fpu_case c = {.op = {.dtype = ISA_TYPE_HF}};

    (void)state;
    printf("# seed %#llx\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 64 == 0) {
            uint64_t r = fpu_random(&seed);

            c.op.op = ops[i / 64 % 6];
            c.op.nsrc =
                c.op.op == IGPU_FPU_OP_MAD || c.op.op == IGPU_FPU_OP_CSEL ? 3 : 2;
            c.op.cmod = (uint8_t)(1 + (r >> 8) % 6);
            for (uint32_t k = 0; k < 3; k++) {
                c.op.stype[k] = ISA_TYPE_HF;
                c.op.mod[k] = r >> (20 + 2 * k) & 3;
            }
            c.op.saturate = c.op.op != IGPU_FPU_OP_CMP && (r >> 30 & 7) == 0;
            c.op.dtype = ISA_TYPE_HF;
            if ((r >> 33 & 3) == 0 && c.op.op != IGPU_FPU_OP_CMP)
                c.op.dtype = (uint8_t)(ISA_TYPE_UB + (r >> 35) % 11);
            fpu_test_mode(&c.op, r >> 44 & 7);
        }
        for (uint32_t k = 0; k < 3; k++)
            c.src[k] = fpu_random_value(&seed, ISA_TYPE_HF);
        fpu_test_case(&c);
    }
    fpu_test_finish("random");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_half_rounds_to_whole_numbers),
        cmocka_unit_test(test_every_half_converts_to_every_type),
        cmocka_unit_test(test_every_half_takes_each_modifier),
        cmocka_unit_test(test_every_word_converts_to_half),
        cmocka_unit_test(test_pairs_of_corners_add_and_multiply),
        cmocka_unit_test(test_random_operands),
    };

    return cmocka_run_group_tests(tests, fpu_test_setup, fpu_test_teardown);
}
