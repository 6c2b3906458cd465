/* test_values_checker.c - the comparison of --check-values can fail: for each kind of
 * instruction the RTL's own result passes, and one wrong bit in the expected result, in
 * a flag or a carry is found, in the lane where it is. */
#include "bridge/engines/rtl/values_fpu.h"
#include "bridge/engines/rtl/values_macro.h"
#include "igpu/fpu_math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

struct kind {
    uint8_t op, math, type, nsrc, cmod;
    bool acc_wr;
    uint64_t src[3], result; /* of every lane */
    uint32_t flags, carry;   /* a bit each, the same in every lane */
};

static const struct kind kinds[] = {
    {ISA_OP_MAD,
     0,
     ISA_TYPE_F,
     3,
     0,
     false,
     {0x3e800000, 0x3fc00000, 0x40000000},
     0x40500000,
     0,
     0},
    {ISA_OP_ADD, 0, ISA_TYPE_HF, 2, 0, false, {0x3c00, 0x4000}, 0x4200, 0, 0},
    {ISA_OP_MUL,
     0,
     ISA_TYPE_DF,
     2,
     0,
     false,
     {0x4000000000000000, 0x4008000000000000},
     0x4018000000000000,
     0,
     0},
    {ISA_OP_MUL, 0, ISA_TYPE_D, 2, 0, false, {70000, 30000}, 2100000000, 0, 0},
    {ISA_OP_AND, 0, ISA_TYPE_UD, 2, ISA_CMOD_NE, false, {0xF0F0, 0xFF00}, 0xF000, 1, 0},
    {ISA_OP_SHL, 0, ISA_TYPE_UW, 2, 0, false, {3, 4}, 48, 0, 0},
    {ISA_OP_CMP,
     0,
     ISA_TYPE_F,
     2,
     ISA_CMOD_LT,
     false,
     {0x3f800000, 0x40000000},
     0xFFFFFFFF,
     1,
     0},
    {ISA_OP_ADDC, 0, ISA_TYPE_UD, 2, 0, true, {0xFFFFFFFF, 2}, 1, 0, 1},
    {ISA_OP_MATH,
     ISA_MATH_INV,
     ISA_TYPE_F,
     1,
     0,
     false,
     {0x40800000},
     0x3e800000,
     0,
     0},
    {ISA_OP_MATH, ISA_MATH_IQOT, ISA_TYPE_D, 2, 0, false, {17, 5}, 3, 0, 0},
};

enum { LANES = 16, WRONG_LANE = 11 };

static void make(const struct kind *k, struct isa_inst *inst, struct fpu_values *v)
{
    memset(inst, 0, sizeof(*inst));
    memset(v, 0, sizeof(*v));
    inst->op = k->op;
    inst->math = k->math;
    inst->exec_size = LANES;
    inst->cmod = k->cmod;
    inst->acc_wr_en = k->acc_wr;
    inst->nsrc = k->nsrc;
    inst->dst.file = ISA_FILE_GRF;
    inst->dst.type = k->type;
    inst->dst.hstride = 1;
    for (uint32_t i = 0; i < k->nsrc; i++) {
        inst->src[i].file = ISA_FILE_GRF;
        inst->src[i].type = k->type;
        inst->src[i].vstride = 8;
        inst->src[i].width = 8;
        inst->src[i].hstride = 1;
    }
    v->mask = 0xFFFF;
    v->mode = FPU_MODE_FTZ_F;
    v->flags = k->flags ? 0xFFFF : 0;
    for (uint32_t i = 0; i < LANES; i++) {
        for (uint32_t s = 0; s < k->nsrc; s++)
            v->src[s][i] = k->src[s];
        v->result[i] = k->result;
        v->carry[i] = k->carry;
    }
}

static struct values_difference run(const struct kind *k, uint32_t result_bit,
                                    uint32_t flag_bit, uint32_t carry_bit)
{
    static struct values_fpu fpu;
    struct values_origin at = {.cycle = 7};
    struct values_difference found;
    struct values_plan plan;
    struct fpu_values v;
    struct isa_inst inst;

    make(k, &inst, &v);
    v.result[WRONG_LANE] ^= (uint64_t)result_bit << 9;
    v.flags ^= flag_bit << WRONG_LANE;
    v.carry[WRONG_LANE] ^= carry_bit;
    values_plan_make(&inst, &plan);
    assert_null(plan.reason);
    assert_true(values_fpu_make(&fpu));
    values_fpu_issue(&fpu, &plan, &v, &at);
    values_fpu_drain(&fpu);
    found = fpu.first;
    values_fpu_free(&fpu);
    return found;
}

static void test_equal_results_pass(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (run(&kinds[i], 0, 0, 0).found)
            fail_msg("kind %u differs", i);
}

static void check_found(const struct values_difference *d, bool is_flag)
{
    assert_true(d->found);
    assert_int_equal(d->lane, WRONG_LANE);
    assert_int_equal(d->is_flag, is_flag);
    assert_int_equal(d->at.cycle, 7);
}

static void test_one_wrong_bit_is_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct values_difference d = run(&kinds[i], 1, 0, 0);

        check_found(&d, false);
        assert_int_equal(d.got ^ d.want, 1 << 9);
        if (kinds[i].cmod) {
            d = run(&kinds[i], 0, 1, 0);
            check_found(&d, true);
        }
        if (kinds[i].acc_wr) {
            d = run(&kinds[i], 0, 0, 1);
            check_found(&d, true);
        }
    }
}

/* Lanes that are off are not compared. */
static void test_a_lane_that_is_off_may_hold_anything(void **state)
{
    static struct values_fpu fpu;
    struct values_origin at = {.cycle = 1};
    struct values_plan plan;
    struct fpu_values v;
    struct isa_inst inst;

    (void)state;
    make(&kinds[0], &inst, &v);
    v.result[WRONG_LANE] ^= 1;
    v.mask &= ~(1u << WRONG_LANE);
    values_plan_make(&inst, &plan);
    assert_true(values_fpu_make(&fpu));
    values_fpu_issue(&fpu, &plan, &v, &at);
    values_fpu_drain(&fpu);
    assert_false(fpu.first.found);
    values_fpu_free(&fpu);
}

/* ---- macros: numbers far outside the encoding --------------------------- */

static struct fpu_wide number(uint64_t top, int32_t exp)
{
    return (struct fpu_wide){top << 32, exp, 1, 0};
}

/* 1.5 2^300 * 2^-280 + 2^20, and the start values of 1 / (1.5 2^200) and of
 * 1 / sqrt(1.5 2^201); bit is flipped in lane WRONG_LANE's result. */
static struct values_difference run_macro(uint8_t math, int32_t addend, uint64_t bit,
                                          uint32_t *mask)
{
    static const struct kind kind = {ISA_OP_MADM, 0,   ISA_TYPE_F, 3, 0,
                                     false,       {0}, 0,          0, 0};
    static struct values_fpu fpu;
    struct values_origin at = {.cycle = 7};
    struct values_difference found;
    struct values_plan plan;
    struct fpu_values v;
    struct isa_inst inst;

    make(&kind, &inst, &v);
    if (math) {
        inst.op = ISA_OP_MATH;
        inst.math = math;
        inst.nsrc = 2;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        v.wide[0][i] = math ? number(0xC0000000, 201) : number(0x80000000, addend);
        v.wide[1][i] = number(0xC0000000, math ? 200 : 300);
        v.wide[2][i] = number(0x80000000, -280);
        v.wide[ISA_MAX_SRC][i] = number(0xA0000000, 21);
        if (math == ISA_MATH_INVM)
            v.wide[ISA_MAX_SRC][i] =
                number((uint64_t)fpu_math_start_inverse(3ull << 62) << 8, -201);
        if (math == ISA_MATH_RSQTM)
            v.wide[ISA_MAX_SRC][i] =
                number((uint64_t)fpu_math_start_root(3ull << 62, 1) << 8, -101);
    }
    v.wide[ISA_MAX_SRC][WRONG_LANE].mant ^= bit;
    values_plan_make(&inst, &plan);
    assert_null(plan.reason);
    assert_true(plan.macro);
    values_macro(&plan, &v);
    *mask = v.mask;
    assert_true(values_fpu_make(&fpu));
    values_fpu_issue(&fpu, &plan, &v, &at);
    values_fpu_drain(&fpu);
    found = fpu.first;
    values_fpu_free(&fpu);
    return found;
}

static void test_macros_are_compared(void **state)
{
    static const uint8_t math[] = {0, ISA_MATH_INVM, ISA_MATH_RSQTM};
    uint32_t mask;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct values_difference d = run_macro(math[i], 20, (uint64_t)1 << 49, &mask);

        assert_int_equal(mask, 0xFFFF);
        check_found(&d, false);
        assert_false(run_macro(math[i], 20, 0, &mask).found);
    }
}

static void test_summands_too_far_apart_are_left_out(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 2; bit++) {
        uint32_t mask = 1;

        assert_false(run_macro(0, -500, (uint64_t)bit << 49, &mask).found);
        assert_int_equal(mask, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_results_pass),
        cmocka_unit_test(test_one_wrong_bit_is_found),
        cmocka_unit_test(test_a_lane_that_is_off_may_hold_anything),
        cmocka_unit_test(test_macros_are_compared),
        cmocka_unit_test(test_summands_too_far_apart_are_left_out)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
