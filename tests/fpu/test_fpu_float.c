/* test_fpu_float.c - single and double precision in RTL against MPFR: products of
 * corners, then seeded random operands, in every rounding and denormal mode.
 * tests/run: timeout=900 */
#include "fpu_rig_test.h"

/* ---- corners ------------------------------------------------------------ */

/* op on the pairs of the corners, half of them by the commit, a mode for each pair; mad
 * takes a third one. */
static void corner_pairs(uint8_t op, uint8_t type, uint32_t density)
{
    static uint64_t corner[2300];
    size_t n = fpu_corners(type, density, corner, 2300);
    struct fpu_case c = {.op = {.op = op, .nsrc = 2, .dtype = type}};
    const size_t part = fpu_test_long() ? 2 : fpu_test_half(); /* 2: all */

    memset(c.op.stype, type, sizeof(c.op.stype));
    if (op == IGPU_FPU_OP_MAD)
        c.op.nsrc = 3;
    for (uint32_t mode = 0; mode < FPU_MODES; mode++) {
        fpu_test_mode(&c.op, mode);
        c.op.cmod = op == IGPU_FPU_OP_CMP ? (uint8_t)(1 + mode % 6) : 0;
        for (size_t i = 0; i < n; i++)
            for (size_t k = (i + mode) % FPU_MODES + (part < 2 ? FPU_MODES * part : 0);
                 k < n; k += part < 2 ? 2 * FPU_MODES : FPU_MODES) {
                c.src[0] = corner[i];
                c.src[1] = corner[k];
                c.src[2] = corner[(i * 31 + k * 17 + mode) % n];
                fpu_test_case(&c);
            }
    }
}

static void all_corner_pairs(uint8_t type)
{
    static const uint8_t ops[] = {IGPU_FPU_OP_ADD, IGPU_FPU_OP_MUL, IGPU_FPU_OP_MAD,
                                  IGPU_FPU_OP_CMP};

    for (uint32_t i = 0; i < 4; i++)
        corner_pairs(ops[i], type, fpu_test_long() ? 5 : 2);
    fpu_test_finish("pairs of corners");
}

static void test_corners_of_single_precision(void **state)
{
    (void)state;
    all_corner_pairs(ISA_TYPE_F);
}

static void test_corners_of_double_precision(void **state)
{
    (void)state;
    all_corner_pairs(ISA_TYPE_DF);
}

/* ---- random ------------------------------------------------------------- */

/* An operation on floats of the types up to `widest`, mostly of that one. */
static void random_op(struct fpu_op *op, uint8_t widest, uint64_t *seed)
{
    static const uint8_t ops[] = {
        IGPU_FPU_OP_MAD,  IGPU_FPU_OP_ADD,  IGPU_FPU_OP_MUL,  IGPU_FPU_OP_MAD,
        IGPU_FPU_OP_MOV,  IGPU_FPU_OP_CMP,  IGPU_FPU_OP_SEL,  IGPU_FPU_OP_CSEL,
        IGPU_FPU_OP_RNDD, IGPU_FPU_OP_RNDU, IGPU_FPU_OP_RNDE, IGPU_FPU_OP_RNDZ,
        IGPU_FPU_OP_FRC,  IGPU_FPU_OP_ADD,  IGPU_FPU_OP_MUL,  IGPU_FPU_OP_MAD};
    static const uint8_t sources[] = {2, 2, 2, 3, 1, 2, 2, 3, 1, 1, 1, 1, 1, 2, 2, 3};
    uint64_t r = fpu_random(seed);
    uint32_t pick = (uint32_t)(r >> 60);

    memset(op, 0, sizeof(*op));
    op->op = ops[pick];
    op->nsrc = sources[pick];
    if (op->op == IGPU_FPU_OP_MAD)
        op->nsrc = 3;
    memset(op->stype, widest, sizeof(op->stype));
    op->dtype = widest;
    if ((r & 15) < 2)
        op->dtype = (uint8_t)(ISA_TYPE_UB + (r >> 4) % 11); /* any */
    else if ((r & 15) < 4)
        op->stype[r >> 4 & 1] = (uint8_t)(ISA_TYPE_HF + (r >> 8) % 3);
    else if (op->op == IGPU_FPU_OP_MOV)
        op->dtype = (uint8_t)(ISA_TYPE_UB + (r >> 4) % 11);
    if (widest == ISA_TYPE_F && op->stype[0] == ISA_TYPE_DF)
        op->stype[0] = ISA_TYPE_F;
    if (widest == ISA_TYPE_F && op->stype[1] == ISA_TYPE_DF)
        op->stype[1] = ISA_TYPE_F;
    for (uint32_t k = 0; k < op->nsrc; k++)
        op->mod[k] = r >> (16 + 4 * k) & 1 ? r >> (17 + 4 * k) & 3 : 0;
    if (op->op == IGPU_FPU_OP_CMP || op->op == IGPU_FPU_OP_CSEL || (r >> 32 & 1))
        op->cmod = (uint8_t)(1 + (r >> 33) % (op->op == IGPU_FPU_OP_CMP ? 6 : 8));
    if (op->op == IGPU_FPU_OP_CSEL || op->op == IGPU_FPU_OP_SEL)
        op->cmod = op->cmod ? (uint8_t)(1 + op->cmod % 6) : 0;
    op->saturate = op->op != IGPU_FPU_OP_CMP && (r >> 40 & 7) == 0;
    fpu_test_mode(op, r >> 44 & 7);
    op->int_round = r >> 47 & 1;
}

/* Operands whose sum or product cancels with the third now and then. */
static void random_operands(struct fpu_case *c, uint64_t *seed)
{
    uint64_t r;

    for (uint32_t k = 0; k < c->op.nsrc; k++)
        c->src[k] = fpu_random_value(seed, c->op.stype[k]);
    r = fpu_random(seed);
    c->pred = r & 1;
    if (c->op.nsrc > 1 && (r >> 8 & 7) == 0 && c->op.stype[0] == c->op.stype[1])
        c->src[1] = c->src[0] ^ (r >> 11 & 3) ^
                    (uint64_t)1
                        << (isa_type_bytes((enum isa_type)c->op.stype[0]) * 8 - 1);
    if (c->op.op == IGPU_FPU_OP_MAD && (r >> 13 & 3) == 0 &&
        c->op.stype[0] == ISA_TYPE_F && c->op.stype[1] == ISA_TYPE_F &&
        c->op.stype[2] == ISA_TYPE_F) {
        float x = (float)fpu_value(c->src[1], ISA_TYPE_F), y;
        float z = (float)fpu_value(c->src[2], ISA_TYPE_F);
        uint32_t bits;

        y = -(x * z);
        memcpy(&bits, &y, sizeof(bits));
        c->src[0] = bits + (r >> 16 & 1);
    }
}

static void random_campaign(uint8_t type, uint64_t seed, uint64_t count)
{
    struct fpu_case c;

    memset(&c, 0, sizeof(c));
    printf("# seed %#llx\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 32 == 0)
            random_op(&c.op, type, &seed);
        random_operands(&c, &seed);
        fpu_test_case(&c);
    }
    fpu_test_finish("random");
}

static void test_random_single_precision(void **state)
{
    (void)state;
    random_campaign(ISA_TYPE_F, 0x5001, fpu_test_long() ? 100000000 : 1500000);
}

static void test_random_double_precision(void **state)
{
    (void)state;
    random_campaign(ISA_TYPE_DF, 0xD001, fpu_test_long() ? 20000000 : 1000000);
}

/* ---- integers to floats ------------------------------------------------- */

static void test_integers_become_floats(void **state)
{
    uint64_t seed = 0x1F01, count = fpu_test_long() ? 10000000 : 500000;
    struct fpu_case c;

    (void)state;
    memset(&c, 0, sizeof(c));
    printf("# seed %#llx\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 16 == 0) {
            uint64_t r = fpu_random(&seed);

            c.op.op = IGPU_FPU_OP_MOV;
            c.op.nsrc = 1;
            c.op.stype[0] = (uint8_t)(ISA_TYPE_UB + r % 8);
            c.op.dtype = (uint8_t)(ISA_TYPE_HF + (r >> 8) % 3);
            c.op.mod[0] = r >> 16 & 3;
            c.op.saturate = (r >> 20 & 7) == 0;
            fpu_test_mode(&c.op, r >> 24 & 7);
        }
        c.src[0] = fpu_random_value(&seed, c.op.stype[0]);
        fpu_test_case(&c);
    }
    fpu_test_finish("integers to floats");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corners_of_single_precision),
        cmocka_unit_test(test_corners_of_double_precision),
        cmocka_unit_test(test_random_single_precision),
        cmocka_unit_test(test_random_double_precision),
        cmocka_unit_test(test_integers_become_floats),
    };

    return cmocka_run_group_tests(tests, fpu_test_setup, fpu_test_teardown);
}
