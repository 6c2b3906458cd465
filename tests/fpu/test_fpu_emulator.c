/* test_fpu_emulator.c - the RTL's results equal the emulator's, bit for bit: random
 * operations, types, modifiers, conditions, modes and operands. What the emulator
 * refuses is left out, and what Gen9 does not have. */
#include "csim/emu/emu_int.h"
#include "fpu_random_op.h"
#include "fpu_rig_test.h"

static struct emu_thread thread;

static uint8_t isa_op(uint32_t op)
{
    static const uint8_t of[IGPU_FPU_OP_COUNT] = {
        [IGPU_FPU_OP_MOV] = ISA_OP_MOV,     [IGPU_FPU_OP_ADD] = ISA_OP_ADD,
        [IGPU_FPU_OP_MUL] = ISA_OP_MUL,     [IGPU_FPU_OP_MAD] = ISA_OP_MAD,
        [IGPU_FPU_OP_CMP] = ISA_OP_CMP,     [IGPU_FPU_OP_SEL] = ISA_OP_SEL,
        [IGPU_FPU_OP_CSEL] = ISA_OP_CSEL,   [IGPU_FPU_OP_RNDD] = ISA_OP_RNDD,
        [IGPU_FPU_OP_RNDU] = ISA_OP_RNDU,   [IGPU_FPU_OP_RNDE] = ISA_OP_RNDE,
        [IGPU_FPU_OP_RNDZ] = ISA_OP_RNDZ,   [IGPU_FPU_OP_FRC] = ISA_OP_FRC,
        [IGPU_FPU_OP_AND] = ISA_OP_AND,     [IGPU_FPU_OP_OR] = ISA_OP_OR,
        [IGPU_FPU_OP_XOR] = ISA_OP_XOR,     [IGPU_FPU_OP_NOT] = ISA_OP_NOT,
        [IGPU_FPU_OP_SHL] = ISA_OP_SHL,     [IGPU_FPU_OP_SHR] = ISA_OP_SHR,
        [IGPU_FPU_OP_ASR] = ISA_OP_ASR,     [IGPU_FPU_OP_AVG] = ISA_OP_AVG,
        [IGPU_FPU_OP_ADDC] = ISA_OP_ADDC,   [IGPU_FPU_OP_SUBB] = ISA_OP_SUBB,
        [IGPU_FPU_OP_MACH] = ISA_OP_MACH,   [IGPU_FPU_OP_BFE] = ISA_OP_BFE,
        [IGPU_FPU_OP_BFI1] = ISA_OP_BFI1,   [IGPU_FPU_OP_BFI2] = ISA_OP_BFI2,
        [IGPU_FPU_OP_BFREV] = ISA_OP_BFREV, [IGPU_FPU_OP_CBIT] = ISA_OP_CBIT,
        [IGPU_FPU_OP_FBH] = ISA_OP_FBH,     [IGPU_FPU_OP_FBL] = ISA_OP_FBL,
        [IGPU_FPU_OP_LZD] = ISA_OP_LZD,     [IGPU_FPU_OP_CMPN] = ISA_OP_CMPN};

    return of[op];
}

static bool is_float(uint32_t type)
{
    return isa_type_is_float((enum isa_type)type);
}

/* Integers that become a float other than by mov or a sum of at most 32 bits: Gen9 has
 * no such instruction (tests/csim/isa_gen9.def). The RTL cuts them to the slot and two
 * bits first, the emulator to 64. */
static bool not_gen9(const struct fpu_op *op)
{
    bool to_float = is_float(op->dtype) && !is_float(op->stype[0]);

    if (!to_float || op->op == IGPU_FPU_OP_MOV || op->op == IGPU_FPU_OP_CMP ||
        op->op == IGPU_FPU_OP_CMPN)
        return false;
    return fpu_slot_bits(op) == 64 || op->op != IGPU_FPU_OP_ADD;
}

/* The same operation as the emulator prepares it. */
static void prepare(struct emu_op *e, const struct fpu_op *op, struct isa_inst *inst)
{
    memset(e, 0, sizeof(*e));
    memset(inst, 0, sizeof(*inst));
    inst->dst.file = ISA_FILE_GRF;
    e->inst = inst;
    e->kind = EMU_KIND_ALU;
    e->exec = 8;
    e->full = 0xFF;
    e->opcode = isa_op(op->op);
    e->nsrc = op->nsrc;
    e->cmod = op->cmod;
    e->saturate = op->saturate;
    e->acc_wr = op->op >= IGPU_FPU_OP_ADDC && op->op <= IGPU_FPU_OP_MACH;
    if (op->op == IGPU_FPU_OP_SEL && !op->cmod)
        e->pred = ISA_PRED_SEQ;
    for (uint32_t k = 0; k < op->nsrc; k++) {
        e->src[k].type = op->stype[k];
        e->src[k].mod = op->stype[k] == ISA_TYPE_UQ ? op->mod[k] & ISA_MOD_NEG
                                                    : op->mod[k]; /* |x| = x */
        e->src[k].region = EMU_REG_LINEAR;
        e->src[k].off = (int32_t)(64 * k);
        e->src[k].stride = (int32_t)isa_type_bytes((enum isa_type)op->stype[k]);
        e->src[k].mme = -1;
    }
    e->dst.type = op->dtype;
    e->dst.off = 64 * 3;
    e->dst.stride = (int32_t)isa_type_bytes((enum isa_type)op->dtype);
    e->dst.mme = -1;
    emu_pick(e);
}

static void random_operands(struct fpu_case *c, struct emu_op *e, uint64_t *seed)
{
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < c[i].op.nsrc; k++) {
            uint32_t bytes = isa_type_bytes((enum isa_type)c[i].op.stype[k]);

            c[i].src[k] = fpu_random_value(seed, c[i].op.stype[k]);
            memcpy(thread.grf + e->src[k].off + i * bytes, &c[i].src[k], bytes);
        }
    thread.flag[0] = (uint32_t)fpu_random(seed) & 0xFF;
    for (uint32_t i = 0; i < 8; i++)
        c[i].pred = thread.flag[0] >> i & 1;
    if (c->op.op != IGPU_FPU_OP_MACH)
        return;
    for (uint32_t i = 0; i < 8; i++) { /* what the mul before it leaves */
        bool is_signed = c->op.stype[0] == ISA_TYPE_D;
        int64_t x = is_signed ? (int32_t)c[i].src[0] : (int64_t)(uint32_t)c[i].src[0];

        thread.acc_wide[i] = (int64_t)((uint64_t)x * (uint16_t)c[i].src[1]);
    }
}

static void run_eight(const struct fpu_op *op, struct emu_op *e, uint64_t *seed)
{
    struct fpu_case c[8];
    uint32_t bytes = isa_type_bytes((enum isa_type)op->dtype);

    memset(c, 0, sizeof(c));
    for (uint32_t i = 0; i < 8; i++)
        c[i].op = *op;
    random_operands(c, e, seed);
    e->run(&thread, e, 0xFF);
    assert_int_equal(thread.stop, EMU_STOP_NONE);
    for (uint32_t i = 0; i < 8; i++) {
        memcpy(&c[i].want.bits, thread.grf + e->dst.off + i * bytes, bytes);
        c[i].want.any_exc = true;
        c[i].want.any_flag = op->op == IGPU_FPU_OP_SEL || op->op == IGPU_FPU_OP_CSEL;
        c[i].want.flag = thread.flag[0] >> i & 1;
        c[i].want.carry = thread.acc_wide[i] & 1;
        fpu_rig_add(fpu_test_rig, &c[i]);
    }
}

static void test_results_equal_the_emulators(void **state)
{
    uint64_t seed = 0xE001, count = fpu_test_long() ? 400000 : 40000, refused = 0;
    uint32_t seen[IGPU_FPU_OP_COUNT] = {0};

    (void)state;
    printf("# seed %#llx\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < count; i++) {
        struct emu_op e;
        struct isa_inst inst;
        struct fpu_op op;

        fpu_random_op(&op, &seed);
        prepare(&e, &op, &inst);
        if (e.reason != NULL || not_gen9(&op)) {
            refused++;
            continue;
        }
        seen[op.op]++;
        thread.ctrl[0] = (uint32_t)op.rnd << 4 | (uint32_t)op.int_round << 12 |
                         (op.ftz & FPU_FTZ_DF ? 0 : 1u << 6) |
                         (op.ftz & FPU_FTZ_F ? 0 : 1u << 7) |
                         (op.ftz & FPU_FTZ_HF ? 0 : 1u << 10);
        emu_ctrl_changed(&thread);
        for (uint32_t k = 0; k < 4; k++)
            run_eight(&op, &e, &seed);
    }
    for (uint32_t k = 0; k < IGPU_FPU_OP_COUNT; k++)
        assert_true(seen[k] > 100);
    printf("# %llu of %llu operations left out\n", (unsigned long long)refused,
           (unsigned long long)count);
    fpu_test_finish("emulator");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_equal_the_emulators)};

    return cmocka_run_group_tests(tests, fpu_test_setup, fpu_test_teardown);
}
