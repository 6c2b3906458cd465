/* test_toggles.c - Hamming distances on the FPUs' ports, counted by hand and against
 * random data, and what they change in an energy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "igpu/power.h"
#include "igpu/toggles.h"

static struct isa_operand grf(enum isa_type type)
{
    return (struct isa_operand){.file = ISA_FILE_GRF,
                                .type = (uint8_t)type,
                                .vstride = 8,
                                .width = 8,
                                .hstride = 1,
                                .mme = ISA_MME_NONE};
}

static struct isa_inst add8(enum isa_type type)
{
    struct isa_inst inst = {.op = ISA_OP_ADD, .exec_size = 8, .size = 16, .nsrc = 2};

    inst.dst = inst.src[0] = inst.src[1] = grf(type);
    return inst;
}

/* Lanes 0 to 7 hold 1 to 8: the wires of lane i held what lane i - 4 brought (singles),
 * zeros (halves), or what lane i - 2 brought (doubles). */
static void neighbours_on_a_wire_are_sixteen_bytes_apart(void **state)
{
    static const struct {
        enum isa_type type;
        uint64_t toggles;
    } cases[] = {
        {ISA_TYPE_UD, (1 + 1 + 2 + 1) + (1 + 1 + 1 + 2)},
        {ISA_TYPE_UW, 1 + 1 + 2 + 1 + 2 + 2 + 3 + 1},
        {ISA_TYPE_UQ, 1 + 1 + 1 + 2 + 2 + 1 + 1 + 3},
    };

    (void)state;
    for (unsigned c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        struct isa_inst inst = add8(cases[c].type);
        struct toggle_ports ports = {0};
        struct toggle_count sum = {0};
        struct fpu_values v = {.mask = 0xff};

        for (uint32_t i = 0; i < 8; i++)
            v.src[0][i] = i + 1;
        toggle_add(&inst, &v, &ports, &sum);
        assert_int_equal(sum.operand_toggles, cases[c].toggles);
        assert_int_equal(sum.operand_bits, 2 * 64 * isa_type_bytes(cases[c].type));
        assert_int_equal(sum.result_bits, 64 * isa_type_bytes(cases[c].type));
        assert_int_equal(sum.result_toggles, 0);
    }
}

static void disabled_lanes_and_repeated_data_move_nothing(void **state)
{
    struct isa_inst inst = add8(ISA_TYPE_F);
    struct toggle_ports ports = {0};
    struct toggle_count first = {0}, again = {0};
    struct fpu_values v = {.mask = 0x0f};

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        v.src[0][i] = v.src[1][i] = i < 4 ? 0xffff0000 : 0x12345678;
        v.result[i] = 0xff;
    }
    toggle_add(&inst, &v, &ports, &first);
    assert_int_equal(first.operand_bits, 2 * 4 * 32);
    assert_int_equal(first.operand_toggles, 2 * 4 * 16);
    assert_int_equal(first.result_bits, 4 * 32);
    assert_int_equal(first.result_toggles, 4 * 8);
    toggle_add(&inst, &v, &ports, &again);
    assert_int_equal(again.operand_bits, first.operand_bits);
    assert_int_equal(again.operand_toggles + again.result_toggles, 0);
}

static void a_message_passes_no_fpu(void **state)
{
    struct isa_inst inst = {.op = ISA_OP_SEND, .exec_size = 16};
    struct toggle_ports ports = {0};
    struct toggle_count sum = {0};
    struct fpu_values v = {.mask = 0xffff};

    (void)state;
    v.src[0][0] = v.result[0] = UINT64_MAX;
    toggle_add(&inst, &v, &ports, &sum);
    assert_int_equal(sum.operand_bits + sum.result_bits, 0);
}

/* ---- energy ---------------------------------------------------------------- */

static double eu_pj(const struct igpu_config *config, const struct toggle_count *t)
{
    struct isa_inst inst = add8(ISA_TYPE_F);
    struct power_events events = {.lanes = UINT64_MAX};
    struct power_report report;
    struct power_model model;
    struct power_inst p;

    power_inst_from(&inst, &p);
    if (t != NULL)
        power_inst_toggles(&p, t);
    power_count(&events, &p, 1000);
    power_model_init(&model, config);
    power_evaluate(&model, &events, &report);
    return report.part_pj[POWER_PART_fpu] + report.part_pj[POWER_PART_grf];
}

static void energy_follows_the_share_that_is_the_data_s(void **state)
{
    static const struct toggle_count still = {1000, 0, 1000, 0},
                                     half = {1000, 500, 1000, 500},
                                     all = {1000, 1000, 1000, 1000}, none = {0};
    struct igpu_config config;
    struct igpu_err err;
    double random, least;

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", &err), IGPU_OK);
    random = eu_pj(&config, NULL);
    assert_true(random > 0);
    assert_true(eu_pj(&config, &half) == random && eu_pj(&config, &none) == random);
    least = random * (1 - (double)config.power_data_share / 1e3);
    assert_true(fabs(eu_pj(&config, &still) - least) < 1e-9 * random);
    assert_true(fabs(eu_pj(&config, &all) - (2 * random - least)) < 1e-9 * random);
    config.power_data_share = 0;
    assert_true(eu_pj(&config, &all) == random && eu_pj(&config, &still) == random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_on_a_wire_are_sixteen_bytes_apart),
        cmocka_unit_test(disabled_lanes_and_repeated_data_move_nothing),
        cmocka_unit_test(a_message_passes_no_fpu),
        cmocka_unit_test(energy_follows_the_share_that_is_the_data_s),
    };

    return cmocka_run_group_tests_name("toggles", tests, NULL, NULL);
}
