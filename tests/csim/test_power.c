/* test_power.c - the power model: what an instruction counts as, DRAM commands against
 * closed forms and a clock-by-clock count, sums, voltage, and the draws of the band. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/power.h"

static struct igpu_config config_of(const char *name)
{
    struct igpu_config config;
    struct igpu_err err;

    assert_int_equal(igpu_config_preset(&config, name, &err), IGPU_OK);
    return config;
}

/* ---- instructions -------------------------------------------------------- */

static struct isa_operand grf(uint8_t reg, enum isa_type type, uint8_t vstride,
                              uint8_t width, uint8_t hstride)
{
    return (struct isa_operand){.file = ISA_FILE_GRF,
                                .type = (uint8_t)type,
                                .reg = reg,
                                .vstride = vstride,
                                .width = width,
                                .hstride = hstride,
                                .mme = ISA_MME_NONE};
}

static struct isa_inst mad16(void)
{
    struct isa_inst inst = {.op = ISA_OP_MAD, .exec_size = 16, .size = 16, .nsrc = 3};

    inst.dst = grf(10, ISA_TYPE_F, 0, 0, 1);
    inst.src[0] = grf(20, ISA_TYPE_F, 8, 8, 1);
    inst.src[1] = grf(30, ISA_TYPE_F, 8, 8, 1);
    inst.src[2] = grf(40, ISA_TYPE_F, 0, 1, 0);
    return inst;
}

static void a_mad_reads_its_grfs_once_and_a_scalar_in_one_access(void **state)
{
    struct isa_inst inst = mad16();
    struct power_inst p;

    (void)state;
    power_inst_from(&inst, &p);
    assert_int_equal(p.cls, POWER_SINGLE_MAD);
    assert_int_equal(p.work, 16);
    assert_int_equal(p.reads, 2 + 2 + 1);
    assert_int_equal(p.writes, 2);
    assert_int_equal(p.regions, 0);
    assert_int_equal(p.accs, 0);
}

static void a_strided_operand_touches_more_grfs_and_needs_the_crossbar(void **state)
{
    struct isa_inst inst = mad16();
    struct power_inst p;

    (void)state;
    inst.src[1] = grf(30, ISA_TYPE_F, 16, 8, 2); /* every other element: 4 GRFs */
    power_inst_from(&inst, &p);
    assert_int_equal(p.reads, 2 + 4 + 1);
    assert_int_equal(p.regions, 4);
}

static void the_type_decides_the_class_and_the_passes(void **state)
{
    static const struct {
        enum isa_type type;
        enum power_class cls;
        unsigned writes;
    } cases[] = {{ISA_TYPE_HF, POWER_HALF_MAD, 1},
                 {ISA_TYPE_F, POWER_SINGLE_MAD, 2},
                 {ISA_TYPE_DF, POWER_DOUBLE_MAD, 4},
                 {ISA_TYPE_D, POWER_INT_MAD, 2}};

    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct isa_inst inst = mad16();
        struct power_inst p;

        inst.dst.type = (uint8_t)cases[i].type;
        for (unsigned k = 0; k < 3; k++)
            inst.src[k].type = (uint8_t)cases[i].type;
        power_inst_from(&inst, &p);
        assert_int_equal(p.cls, cases[i].cls);
        assert_int_equal(p.writes, cases[i].writes);
    }
}

static void a_send_moves_payload_and_response(void **state)
{
    struct isa_inst inst = {.op = ISA_OP_SENDS, .exec_size = 16, .size = 16};
    struct power_inst p;

    (void)state;
    inst.msg.mlen = 2;
    inst.msg.ext_mlen = 4;
    inst.msg.rlen = 8;
    power_inst_from(&inst, &p);
    assert_int_equal(p.cls, POWER_SEND);
    assert_int_equal(p.moved, 14);
    assert_int_equal(p.reads, 6);
    assert_int_equal(p.writes, 8);
    assert_int_equal(p.work, 0);
}

/* ---- DRAM ---------------------------------------------------------------- */

static void command(struct power_dram *d, enum dram_command what, uint32_t bank,
                    uint64_t clock)
{
    struct dram_issue issue = {clock, 0, 0, bank, what};

    power_dram_command(d, &issue);
}

static struct power_events take(struct power_dram *d, uint64_t now)
{
    struct power_events events;
    struct igpu_err err;

    memset(&events, 0, sizeof(events));
    assert_int_equal(power_dram_take(d, now, &events, &err), IGPU_OK);
    return events;
}

static void rows_open_at_once_count_once(void **state)
{
    struct igpu_config config = config_of("skl-gt2");
    struct power_dram *d = power_dram_create(&config, 0);
    struct power_events e;

    (void)state;
    command(d, DRAM_ACT, 0, 100);
    command(d, DRAM_ACT, 1, 110);
    command(d, DRAM_PRE, 1, 150); /* 110..150 lies within 100..200 */
    command(d, DRAM_PRE, 0, 200);
    command(d, DRAM_ACT, 2, 190);
    command(d, DRAM_PRE, 2, 240); /* 40 more */
    e = take(d, 240);
    assert_int_equal(e.dram_acts, 3);
    assert_int_equal(e.dram_pres, 3);
    assert_int_equal(e.dram_open_clocks, 140);
    power_dram_destroy(d);
}

static void a_rank_is_powered_down_after_its_idle_time(void **state)
{
    struct igpu_config config = config_of("skl-gt2");
    struct power_dram *d;
    uint64_t ranks = config.dram_channels * config.dram_ranks;
    struct power_events e;

    (void)state;
    config.power_dram_down = 50;
    d = power_dram_create(&config, 0);
    command(d, DRAM_ACT, 0, 100);
    command(d, DRAM_PRE, 0, 140);
    e = take(d, 1000);
    assert_int_equal(e.dram_open_clocks, 40);
    /* This rank: 50..100 and 190..1000; each other: 50..1000. */
    assert_int_equal(e.dram_down_clocks, 50 + 810 + (ranks - 1) * 950);
    power_dram_destroy(d);
}

/* Random rows of 16 banks, some closed late, against clocks marked one by one; taken in
 * pieces, the pieces add up. */
static void any_commands_give_what_counting_clocks_gives(void **state)
{
    enum { CLOCKS = 20000 };
    static bool open[CLOCKS];
    struct igpu_config config = config_of("skl-gt2");

    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct power_dram *d = power_dram_create(&config, 0);
        uint64_t since[16] = {0}, expected = 0, sum = 0;
        bool is_open[16] = {false};

        srand(seed);
        memset(open, 0, sizeof(open));
        for (uint64_t now = 10; now < CLOCKS; now += 1 + (unsigned)rand() % 20) {
            uint32_t bank = (uint32_t)rand() % 16;

            if (rand() % 500 == 0)
                sum += take(d, now).dram_open_clocks;
            if (!is_open[bank]) {
                command(d, DRAM_ACT, bank, now);
                since[bank] = now;
            } else { /* told now, though it was earlier */
                uint64_t to = since[bank] + 1 + (uint64_t)rand() % (now - since[bank]);

                command(d, DRAM_PRE, bank, to);
                memset(open + since[bank], 1, to - since[bank]);
            }
            is_open[bank] = !is_open[bank];
        }
        for (uint32_t bank = 0; bank < 16; bank++)
            if (is_open[bank]) {
                command(d, DRAM_PRE, bank, CLOCKS);
                memset(open + since[bank], 1, CLOCKS - since[bank]);
            }
        for (unsigned i = 0; i < CLOCKS; i++)
            expected += open[i];
        sum += take(d, CLOCKS).dram_open_clocks;
        assert_int_equal(sum, expected);
        power_dram_destroy(d);
    }
}

static void dram_energies_are_those_of_the_currents(void **state)
{
    struct igpu_config config = config_of("skl-gt2");
    struct power_events e;
    struct power_report r;
    struct power_model m;

    (void)state;
    memset(&e, 0, sizeof(e));
    power_model_init(&m, &config);
    e.dram_acts = e.dram_pres = 1000;
    e.mem.dram_reads = 1000;
    power_evaluate(&m, &e, &r);
    /* 8 devices, 1.2 V: (58.5 - 41.75) mA for 36 clocks, (58.5 - 36) mA for 15, and
     * 4.05 mA at 2.5 V for all 51; a burst: (171 - 41.75) mA for 4 clocks. */
    assert_true(fabs(r.part_pj[POWER_PART_dram_act] / 1000 -
                     8e3 * (1.2 * (16.75 * 36 + 22.5 * 15) + 2.5 * 4.05 * 51) /
                         1066.666667) < 0.1);
    assert_true(fabs(r.part_pj[POWER_PART_dram_read] / 1000 -
                     8e3 * 1.2 * 129.25 * 4 / 1066.666667) < 0.1);
}

/* ---- sums, voltage, bands ------------------------------------------------ */

static struct power_events some_events(void)
{
    struct power_events e;
    struct isa_inst inst = mad16();
    struct power_inst p;

    memset(&e, 0, sizeof(e));
    power_inst_from(&inst, &p);
    power_count(&e, &p, 100000);
    e.lanes = 1600000;
    e.flops = 3200000;
    e.cycles = 10000;
    e.eu_cycles = 200000;
    e.mem.l3_accesses = 4000;
    e.mem.gti_reads = e.mem.llc_accesses = 1000;
    e.mem.dram_reads = 800;
    e.dram_acts = e.dram_pres = 100;
    return e;
}

static void planes_are_the_sums_of_their_parts(void **state)
{
    struct igpu_config config = config_of("kbl-gt3e");
    struct power_events e = some_events();
    struct power_model m;
    struct power_report r;
    double all = 0, classes = 0, eu;

    (void)state;
    power_model_init(&m, &config);
    power_evaluate(&m, &e, &r);
    for (unsigned i = 0; i < POWER_PARTS; i++) {
        assert_true(r.part_pj[i] >= 0);
        all += r.part_pj[i];
    }
    assert_true(fabs(all - r.plane_pj[POWER_PKG] - r.plane_pj[POWER_DRAM]) <
                1e-9 * all);
    assert_true(r.plane_pj[POWER_PKG] > r.plane_pj[POWER_PP0] + r.plane_pj[POWER_PP1]);
    for (unsigned i = 0; i < POWER_CLASSES; i++)
        classes += r.class_pj[i];
    eu = r.part_pj[POWER_PART_fpu] + r.part_pj[POWER_PART_grf] +
         r.part_pj[POWER_PART_front_end] + r.part_pj[POWER_PART_icache] +
         r.part_pj[POWER_PART_send];
    assert_true(fabs(classes - eu) < 1e-9 * eu);
}

static void twice_the_events_are_twice_the_energy(void **state)
{
    struct igpu_config config = config_of("skl-gt2");
    struct power_events e = some_events(), both = e;
    struct power_model m;
    struct power_report one, two;

    (void)state;
    power_add(&both, &e);
    power_model_init(&m, &config);
    power_evaluate(&m, &e, &one);
    power_evaluate(&m, &both, &two);
    for (unsigned i = 0; i < POWER_PARTS; i++)
        assert_true(fabs(two.part_pj[i] - 2 * one.part_pj[i]) <= 1e-9 * two.part_pj[i]);
    assert_true(fabs(two.gflops_per_watt - one.gflops_per_watt) < 1e-6);
}

static void lanes_that_are_off_do_not_switch(void **state)
{
    struct igpu_config config = config_of("skl-gt2");
    struct power_events e = some_events();
    struct power_model m;
    struct power_report all, half;

    (void)state;
    power_model_init(&m, &config);
    power_evaluate(&m, &e, &all);
    e.lanes /= 2;
    power_evaluate(&m, &e, &half);
    assert_true(fabs(half.part_pj[POWER_PART_fpu] * 2 - all.part_pj[POWER_PART_fpu]) <
                1e-6 * all.part_pj[POWER_PART_fpu]);
    assert_true(half.part_pj[POWER_PART_front_end] ==
                all.part_pj[POWER_PART_front_end]);
}

static void voltage_follows_the_table_and_switching_its_square(void **state)
{
    struct igpu_config config = config_of("skl-gt2"), slow = config;
    struct power_events e = some_events();
    struct power_model m;
    struct power_report fast, low;
    double ratio;

    (void)state;
    assert_true(power_volts(&config, 100e6) == 0.62);
    assert_true(power_volts(&config, 300e6) == 0.62);
    assert_true(fabs(power_volts(&config, 400e6) - 0.64) < 1e-12);
    assert_true(fabs(power_volts(&config, 975e6) - 0.90) < 1e-12);
    assert_true(power_volts(&config, 2e9) == 1.02);
    slow.gpu_clock_hz = 300000000;
    power_model_init(&m, &config);
    power_evaluate(&m, &e, &fast);
    power_model_init(&m, &slow);
    power_evaluate(&m, &e, &low);
    ratio = 0.62 / 1.02;
    assert_true(fabs(low.part_pj[POWER_PART_fpu] / fast.part_pj[POWER_PART_fpu] -
                     ratio * ratio) < 1e-9);
    /* The same cycles take longer; leakage's power goes with the cube. */
    assert_true(fabs(low.part_pj[POWER_PART_leak] / fast.part_pj[POWER_PART_leak] -
                     ratio * ratio * ratio * 1150 / 300) < 1e-9);
}

static void every_estimate_has_a_band_and_draws_stay_within(void **state)
{
    static const struct {
        size_t offset;
        double low, high;
    } bands[] = {
#define POWER_BAND(id, low, high)                                                      \
    {offsetof(struct igpu_config, id), low / 1e3, high / 1e3},
#include "igpu/power_bands.def"
#undef POWER_BAND
    };
    size_t count, with = sizeof(bands) / sizeof(bands[0]);
    const struct igpu_param_info *params = igpu_params(&count);
    struct igpu_config config = config_of("kbl-gt2"), drawn, again;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool found = false;

        if (strncmp(params[i].key, "power.", 6) != 0)
            continue;
        for (size_t k = 0; k < with; k++)
            found = found || bands[k].offset == params[i].offset;
        if (!found && (strncmp(params[i].source, "estimate", 8) == 0 ||
                       strncmp(params[i].source, "calibrated", 10) == 0))
            fail_msg("%s is an estimate without a band", params[i].key);
    }
    for (uint32_t d = 0; d < 100; d++) {
        power_draw(&config, 7, d, &drawn);
        power_draw(&config, 7, d, &again);
        assert_memory_equal(&drawn, &again, sizeof(drawn));
        for (size_t k = 0; k < with; k++) {
            uint64_t was, is;

            memcpy(&was, (char *)&config + bands[k].offset, sizeof(was));
            memcpy(&is, (char *)&drawn + bands[k].offset, sizeof(is));
            assert_true((double)is >= (double)was * bands[k].low - 1);
            assert_true((double)is <= (double)was * bands[k].high + 1);
        }
    }
}

static void a_band_lies_around_the_value_and_is_the_seed_s(void **state)
{
    struct igpu_config config = config_of("kbl-gt2");
    struct power_events e = some_events();
    struct power_model m;
    struct power_report r;
    struct power_band one, same, other;
    struct igpu_err err;

    (void)state;
    power_model_init(&m, &config);
    power_evaluate(&m, &e, &r);
    assert_int_equal(power_band(&config, &e, 1, 500, &one, &err), IGPU_OK);
    assert_int_equal(power_band(&config, &e, 1, 500, &same, &err), IGPU_OK);
    assert_int_equal(power_band(&config, &e, 2, 500, &other, &err), IGPU_OK);
    assert_memory_equal(&one, &same, sizeof(one));
    assert_memory_not_equal(&one, &other, sizeof(one));
    for (unsigned p = 0; p < POWER_PLANES; p++) {
        assert_true(one.plane_pj[p][0] < r.plane_pj[p]);
        assert_true(one.plane_pj[p][2] > r.plane_pj[p]);
    }
}

/* ---- energy counters ----------------------------------------------------- */

static const double two_pj[2][POWER_PLANES] = {{20e6, 2e6, 16e6, 3e6},
                                               {8e6, 1e6, 5e6, 1e6}};
static const double two_seconds[2] = {2e-6, 1e-6};

static void counters_stand_still_between_updates_and_count_the_unit(void **state)
{
    struct igpu_config config = config_of("kbl-gt2");
    struct power_load load = {&config, two_pj, two_seconds, 2};
    double unit = 1.0 / 16384;
    uint32_t last = 0;

    (void)state;
    /* 28 uJ each 3 us: 28 / 3 W. */
    assert_true(fabs(power_load_joules(&load, POWER_PKG, 3e-3) - 28e-3) < 1e-9);
    assert_true(fabs(power_load_joules(&load, POWER_PKG, 1e-6) - 10e-6) < 1e-12);
    assert_true(fabs(power_load_joules(&load, POWER_PKG, 2.5e-6) - 24e-6) < 1e-12);
    assert_int_equal(power_rapl(&load, POWER_PKG, 0.99e-3), 0);
    assert_int_equal(power_rapl(&load, POWER_PKG, 1.01e-3),
                     power_rapl(&load, POWER_PKG, 1.99e-3));
    for (unsigned ms = 1; ms < 200; ms++) {
        uint32_t now = power_rapl(&load, POWER_PKG, ms * 1e-3 + 1e-6);

        assert_true(now > last);
        assert_true(fabs(now * unit - ms * 1e-3 * 28 / 3) <= unit + 28e-6);
        last = now;
    }
}

static void a_counter_wraps_after_its_32_bits(void **state)
{
    struct igpu_config config = config_of("kbl-gt2");
    struct power_load load = {&config, two_pj, two_seconds, 2};
    double wrap = 4294967296.0 / 16384 / (28.0 / 3); /* s */
    uint32_t before = power_rapl(&load, POWER_PKG, wrap - 2e-3);
    uint32_t after = power_rapl(&load, POWER_PKG, wrap + 2e-3);

    (void)state;
    assert_true(after < before);
    assert_true((uint32_t)(after - before) < 1000);
}

/* What paper 2's method reads is what the model has summed up, within the error that
 * it states; whenever the reading begins. */
static void the_method_agrees_with_the_sum_within_its_error(void **state)
{
    struct igpu_config config = config_of("kbl-gt2");
    struct power_load load = {&config, two_pj, two_seconds, 2};
    double igpu = (28.0 - 3 - 4) / 3;

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct power_reading r;

        power_read(&load, 0.05, seed, &r);
        assert_true(r.settled);
        assert_true(r.readings >= 4);
        assert_true(fabs(r.igpu_w - igpu) <= igpu * r.error_percent / 100);
        assert_true(fabs(r.pkg_w - 28.0 / 3) <= 28.0 / 3 * r.error_percent / 100);
        assert_true(r.spread_percent <= 2 * r.error_percent);
    }
}

/* A reading far shorter than an update sees nothing or far too much: the reason for
 * the 50 ms. */
static void a_short_reading_is_wrong(void **state)
{
    struct igpu_config config = config_of("kbl-gt2");
    struct power_load load = {&config, two_pj, two_seconds, 2};
    struct power_reading r;

    (void)state;
    power_read(&load, 20e-6, 1, &r);
    assert_true(r.error_percent > 100);
    assert_true(fabs(r.igpu_w - 7) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mad_reads_its_grfs_once_and_a_scalar_in_one_access),
        cmocka_unit_test(a_strided_operand_touches_more_grfs_and_needs_the_crossbar),
        cmocka_unit_test(the_type_decides_the_class_and_the_passes),
        cmocka_unit_test(a_send_moves_payload_and_response),
        cmocka_unit_test(rows_open_at_once_count_once),
        cmocka_unit_test(a_rank_is_powered_down_after_its_idle_time),
        cmocka_unit_test(any_commands_give_what_counting_clocks_gives),
        cmocka_unit_test(dram_energies_are_those_of_the_currents),
        cmocka_unit_test(planes_are_the_sums_of_their_parts),
        cmocka_unit_test(twice_the_events_are_twice_the_energy),
        cmocka_unit_test(lanes_that_are_off_do_not_switch),
        cmocka_unit_test(voltage_follows_the_table_and_switching_its_square),
        cmocka_unit_test(every_estimate_has_a_band_and_draws_stay_within),
        cmocka_unit_test(a_band_lies_around_the_value_and_is_the_seed_s),
        cmocka_unit_test(counters_stand_still_between_updates_and_count_the_unit),
        cmocka_unit_test(a_counter_wraps_after_its_32_bits),
        cmocka_unit_test(the_method_agrees_with_the_sum_within_its_error),
        cmocka_unit_test(a_short_reading_is_wrong),
    };

    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
