/* test_fpu_int.c - integer operations in RTL against their definitions, seeded random
 * types, modifiers, conditions and operands. */
#include "fpu_rig_test.h"

/* How many sources, and the types an operation is defined for. */
enum kind { ANY, DWORD, UNSIGNED_DWORD };
struct int_op {
    uint8_t op, nsrc, kind;
};

static const struct int_op ops[] = {
    {IGPU_FPU_OP_MOV, 1, ANY},
    {IGPU_FPU_OP_ADD, 2, ANY},
    {IGPU_FPU_OP_MUL, 2, ANY},
    {IGPU_FPU_OP_MAD, 3, ANY},
    {IGPU_FPU_OP_CMP, 2, ANY},
    {IGPU_FPU_OP_SEL, 2, ANY},
    {IGPU_FPU_OP_CSEL, 3, ANY},
    {IGPU_FPU_OP_AND, 2, ANY},
    {IGPU_FPU_OP_OR, 2, ANY},
    {IGPU_FPU_OP_XOR, 2, ANY},
    {IGPU_FPU_OP_NOT, 1, ANY},
    {IGPU_FPU_OP_SHL, 2, ANY},
    {IGPU_FPU_OP_SHR, 2, ANY},
    {IGPU_FPU_OP_ASR, 2, ANY},
    {IGPU_FPU_OP_AVG, 2, ANY},
    {IGPU_FPU_OP_MACH, 2, DWORD},
    {IGPU_FPU_OP_BFE, 3, DWORD},
    {IGPU_FPU_OP_BFI1, 2, DWORD},
    {IGPU_FPU_OP_BFI2, 3, DWORD},
    {IGPU_FPU_OP_FBH, 1, DWORD},
    {IGPU_FPU_OP_ADDC, 2, UNSIGNED_DWORD},
    {IGPU_FPU_OP_SUBB, 2, UNSIGNED_DWORD},
    {IGPU_FPU_OP_BFREV, 1, UNSIGNED_DWORD},
    {IGPU_FPU_OP_CBIT, 1, UNSIGNED_DWORD},
    {IGPU_FPU_OP_FBL, 1, UNSIGNED_DWORD},
    {IGPU_FPU_OP_LZD, 1, UNSIGNED_DWORD},
};

static bool shifts(const struct fpu_op *op)
{
    return op->op >= IGPU_FPU_OP_SHL && op->op <= IGPU_FPU_OP_ASR;
}

/* Its exact result needs more than the oracle's 128 bits. */
static bool too_wide(const struct fpu_op *op)
{
    return fpu_slot_bits(op) == 64 &&
           (shifts(op) || op->op == IGPU_FPU_OP_MUL || op->op == IGPU_FPU_OP_MAD);
}

static void random_types(struct fpu_op *op, enum kind kind, uint64_t r)
{
    uint8_t dword = (uint8_t)(ISA_TYPE_UD + (r & 1));
    uint32_t types = r >> 1 & 3 ? 6 : 8; /* 64-bit ones less often */

    if (r >> 3 & 1) /* 16-bit slots */
        types = 4;
    op->dtype = (uint8_t)(ISA_TYPE_UB + (r >> 8) % types);
    for (uint32_t k = 0; k < 3; k++)
        op->stype[k] = (uint8_t)(ISA_TYPE_UB + (r >> (12 + 4 * k)) % types);
    if (kind == ANY)
        return;
    op->dtype = kind == DWORD ? dword : ISA_TYPE_UD;
    memset(op->stype, op->dtype, sizeof(op->stype));
}

static void random_op(struct fpu_op *op, uint64_t *seed)
{
    uint64_t r = fpu_random(seed);
    const struct int_op *o = &ops[(r >> 40) % (sizeof(ops) / sizeof(ops[0]))];

    memset(op, 0, sizeof(*op));
    op->op = o->op;
    op->nsrc = o->nsrc;
    random_types(op, (enum kind)o->kind, fpu_random(seed));
    for (uint32_t k = 0; k < op->nsrc && o->kind == ANY; k++)
        op->mod[k] = r >> (4 * k) & 1 ? r >> (4 * k + 1) & 3 : 0;
    if (op->op >= IGPU_FPU_OP_AND && op->op <= IGPU_FPU_OP_NOT)
        for (uint32_t k = 0; k < op->nsrc; k++)
            op->mod[k] &= ISA_MOD_NEG;
    if (op->op == IGPU_FPU_OP_CMP || op->op == IGPU_FPU_OP_CSEL || (r >> 16 & 1))
        op->cmod = (uint8_t)(1 + (r >> 17) % 6);
    op->saturate = o->kind == ANY && op->op != IGPU_FPU_OP_CMP && (r >> 24 & 3) == 0 &&
                   !too_wide(op);
    if (op->cmod && !too_wide(op) && !shifts(op) && op->op <= IGPU_FPU_OP_MAD &&
        op->op != IGPU_FPU_OP_CMP && (r >> 26 & 3) == 0)
        op->cmod = ISA_CMOD_OV;
}

static void test_random_integers(void **state)
{
    uint64_t seed = 0x1001, count = fpu_test_long() ? 50000000 : 2000000;
    struct fpu_case c;

    (void)state;
    memset(&c, 0, sizeof(c));
    printf("# seed %#llx\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 16 == 0)
            random_op(&c.op, &seed);
        for (uint32_t k = 0; k < c.op.nsrc; k++)
            c.src[k] = fpu_random_value(&seed, c.op.stype[k]);
        c.pred = fpu_random(&seed) >> 63;
        fpu_test_case(&c);
    }
    fpu_test_finish("integers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_integers)};

    return cmocka_run_group_tests(tests, fpu_test_setup, fpu_test_teardown);
}
