/* test_mem_dram_rules.c - each timing rule of the DRAM by itself: the model issues the
 * second command of a pair exactly t clocks after the first; at t the checker is
 * content, at t - 1 (the model with the rule one shorter) it names the rule. Then
 * latencies, bandwidth and refresh against closed forms, to the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/clock.h"
#include "tests/csim/dram_rig.h"

enum { LATE = 200, MAX_SETTINGS = 8 }; /* a clock at which rows are long open */

/* ---- requests to chosen places of channel 0 ---- */

static uint64_t line_at(const struct dram_rig *rig, uint32_t rank, uint32_t bank,
                        uint64_t row, uint32_t column)
{
    uint64_t lines = rig->config.dram_row_bytes / 64 * rig->dram.channels *
                     rig->dram.ranks * rig->dram.banks_per_rank;

    for (uint64_t line = row * lines; line < (row + 1) * lines; line++) {
        struct dram_place p;

        dram_place(&rig->dram, line, &p);
        if (p.channel == 0 && p.bank == rank * rig->dram.banks_per_rank + bank &&
            p.row == row && p.column == column)
            return line;
    }
    fail_msg("no line at rank %u, bank %u", rank, bank);
    return 0;
}

static uint64_t ps_of(const struct dram_rig *rig, uint64_t clock)
{
    return clock_ps(clock, rig->config.dram_clock_hz);
}

/* Bank b of group g is 4 g + b. */
static void read_at(struct dram_rig *rig, uint64_t clock, uint32_t rank, uint32_t bank,
                    uint64_t row, uint32_t column)
{
    dram_rig_run_until(rig, ps_of(rig, clock) - (clock != 0));
    dram_read(&rig->dram, ps_of(rig, clock), line_at(rig, rank, bank, row, column), 0,
              DRAM_GPU);
}

static void write_at(struct dram_rig *rig, uint64_t clock, uint32_t bank,
                     uint32_t column)
{
    dram_rig_run_until(rig, ps_of(rig, clock) - (clock != 0));
    dram_write(&rig->dram, ps_of(rig, clock), line_at(rig, 0, bank, 0, column));
}

/* ---- scenarios ---- */

static void one_read(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
}

static void two_rows(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
    read_at(rig, 1, 0, 0, 1, 0);
}

static void two_rows_late(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
    read_at(rig, LATE, 0, 0, 1, 0);
}

static void written_row(struct dram_rig *rig)
{
    write_at(rig, 0, 0, 0);
    read_at(rig, 16, 0, 0, 1, 0);
}

static void two_groups(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
    read_at(rig, 0, 0, 4, 0, 0);
}

static void two_banks_of_a_group(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
    read_at(rig, 0, 0, 1, 0, 0);
}

static void five_banks(struct dram_rig *rig)
{
    for (uint32_t group = 0; group < 4; group++)
        read_at(rig, 0, 0, 4 * group, 0, 0);
    read_at(rig, 0, 0, 1, 0, 0);
}

static void two_open_groups(struct dram_rig *rig)
{
    two_groups(rig);
    read_at(rig, LATE, 0, 0, 0, 1);
    read_at(rig, LATE, 0, 4, 0, 1);
}

static void one_open_row(struct dram_rig *rig)
{
    one_read(rig);
    read_at(rig, LATE, 0, 0, 0, 1);
    read_at(rig, LATE, 0, 0, 0, 2);
}

static void two_open_ranks(struct dram_rig *rig)
{
    read_at(rig, 0, 0, 0, 0, 0);
    read_at(rig, 0, 1, 0, 0, 0);
    read_at(rig, LATE, 0, 0, 0, 1);
    read_at(rig, LATE, 1, 0, 0, 1);
}

static void write_then_read_other_group(struct dram_rig *rig)
{
    two_groups(rig);
    write_at(rig, LATE, 0, 1);
    read_at(rig, LATE + 1, 0, 4, 0, 1);
}

static void write_then_read(struct dram_rig *rig)
{
    one_read(rig);
    write_at(rig, LATE, 0, 1);
    read_at(rig, LATE + 1, 0, 0, 0, 2);
}

static void read_then_write(struct dram_rig *rig)
{
    one_read(rig);
    read_at(rig, LATE, 0, 0, 0, 1);
    write_at(rig, LATE + 1, 0, 2);
}

static void read_when_refresh_is_due(struct dram_rig *rig)
{
    read_at(rig, rig->config.dram_trefi, 0, 0, 0, 0);
}

static void open_row_when_refresh_is_due(struct dram_rig *rig)
{
    read_at(rig, LATE, 0, 0, 0, 0);
    read_at(rig, rig->config.dram_trefi, 0, 0, 0, 0);
}

static void three_intervals(struct dram_rig *rig)
{
    read_at(rig, 3 * rig->config.dram_trefi + 1, 0, 0, 0, 0);
}

/* ---- the rules ---- */

#define QUIET "dram.trefi=0", "dram.idle_close=0"
#define REFRESH "dram.ranks=1", "dram.idle_close=0", "dram.trefi=1000"

static const struct rule {
    const char *name; /* parameter, without "dram." */
    uint64_t t;
    void (*scenario)(struct dram_rig *rig);
    enum dram_command first, second;
    uint32_t nth_first, nth_second; /* of such commands, from 0 */
    uint64_t fixed;                 /* clocks between them beside t */
    const char *settings[MAX_SETTINGS];
} rules[] = {
    {"trcd", 15, one_read, DRAM_ACT, DRAM_RD, 0, 0, 0, {QUIET}},
    {"trp", 15, two_rows_late, DRAM_PRE, DRAM_ACT, 0, 1, 0, {QUIET}},
    {"tras", 36, two_rows, DRAM_ACT, DRAM_PRE, 0, 0, 0, {QUIET}},
    {"trtp", 8, two_rows, DRAM_RD, DRAM_PRE, 0, 0, 0, {QUIET, "dram.tras=16"}},
    {"twr", 16, written_row, DRAM_WR, DRAM_PRE, 0, 0, 11 + 4, {QUIET}},
    {"trrd_s", 4, two_groups, DRAM_ACT, DRAM_ACT, 0, 1, 0, {QUIET}},
    {"trrd_l", 6, two_banks_of_a_group, DRAM_ACT, DRAM_ACT, 0, 1, 0, {QUIET}},
    {"tfaw", 23, five_banks, DRAM_ACT, DRAM_ACT, 0, 4, 0, {QUIET, "dram.trcd=40"}},
    {"burst", 4, two_open_groups, DRAM_RD, DRAM_RD, 2, 3, 0, {QUIET, "dram.tccd_s=1"}},
    {"tccd_s", 6, two_open_groups, DRAM_RD, DRAM_RD, 2, 3, 0, {QUIET, "dram.tccd_l=8"}},
    {"tccd_l", 6, one_open_row, DRAM_RD, DRAM_RD, 1, 2, 0, {QUIET}},
    {"trtrs", 2, two_open_ranks, DRAM_RD, DRAM_RD, 2, 3, 4, {QUIET}},
    {"trtrs", 2, read_then_write, DRAM_RD, DRAM_WR, 1, 0, 15 + 4 - 11, {QUIET}},
    {"twtr_s", 3, write_then_read_other_group, DRAM_WR, DRAM_RD, 0, 2, 15, {QUIET}},
    {"twtr_l", 8, write_then_read, DRAM_WR, DRAM_RD, 0, 1, 15, {QUIET}},
    {"trfc", 374, read_when_refresh_is_due, DRAM_REF, DRAM_ACT, 0, 0, 0, {REFRESH}},
    {"trp", 15, open_row_when_refresh_is_due, DRAM_PRE, DRAM_REF, 0, 0, 0, {REFRESH}},
    {"trefi", 1000, three_intervals, DRAM_REF, DRAM_REF, 0, 1, 0, {REFRESH}},
};

/* The n-th command of a kind. */
static const struct dram_issue *nth(const struct dram_rig *rig,
                                    enum dram_command command, uint32_t n)
{
    for (uint32_t i = 0; i < rig->issues; i++)
        if (rig->issue[i].command == command && n-- == 0)
            return &rig->issue[i];
    fail_msg("no command %d", command);
    return NULL;
}

static void set(struct igpu_config *config, const char *name, uint64_t value)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "dram.%s=%llu", name, (unsigned long long)value);
    assert_int_equal(igpu_config_set(config, text, NULL), IGPU_OK);
}

/* Run the scenario under the rule at `t`; its pair must be exactly so far apart. */
static void run_rule(struct dram_rig *rig, const struct rule *rule, uint64_t t)
{
    const char *settings[MAX_SETTINGS + 1] = {NULL};
    char own[64];
    uint64_t apart;

    memcpy(settings, rule->settings, sizeof(rule->settings));
    for (uint32_t i = 0; i <= MAX_SETTINGS; i++)
        if (settings[i] == NULL) {
            (void)snprintf(own, sizeof(own), "dram.%s=%llu", rule->name,
                           (unsigned long long)t);
            settings[i] = own;
            break;
        }
    dram_rig_build(rig, settings);
    rule->scenario(rig);
    dram_rig_run(rig);
    apart = nth(rig, rule->second, rule->nth_second)->clock -
            nth(rig, rule->first, rule->nth_first)->clock;
    if (apart != rule->fixed + t)
        fail_msg("%s: %lu clocks apart, not %lu", rule->name, apart, rule->fixed + t);
}

static void expect_broken(const struct dram_rig *rig, const struct igpu_config *under,
                          const char *name)
{
    struct dram_broken broken = dram_rig_check(rig, under, NULL);

    if (name == NULL && broken.rule != NULL)
        fail_msg("%s is broken", broken.rule);
    if (name != NULL && (broken.rule == NULL || strcmp(name, broken.rule) != 0))
        fail_msg("%s: the checker says %s", name, broken.rule ? broken.rule : "none");
}

static void each_rule_is_met_at_t_and_broken_at_t_minus_1(void **unused)
{
    struct dram_rig rig;

    (void)unused;
    for (uint32_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const struct rule *rule = &rules[i];
        struct igpu_config under;

        run_rule(&rig, rule, rule->t);
        under = rig.config;
        expect_broken(&rig, &under, NULL);
        dram_rig_over(&rig);
        run_rule(&rig, rule, rule->t - 1);
        expect_broken(&rig, &rig.config, NULL);
        expect_broken(&rig, &under, rule->name);
        dram_rig_over(&rig);
    }
}

static void the_checker_sees_one_command_moved(void **unused)
{
    struct dram_rig rig;

    (void)unused;
    for (uint32_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const struct rule *rule = &rules[i];
        const struct dram_issue *second;

        run_rule(&rig, rule, rule->t);
        second = nth(&rig, rule->second, rule->nth_second);
        rig.issue[second - rig.issue].clock--;
        expect_broken(&rig, &rig.config, rule->name);
        dram_rig_over(&rig);
    }
}

/* ---- closed forms ---- */

/* Clocks from the last request at `clock` to its data. */
static uint64_t data_after(struct dram_rig *rig, uint64_t clock)
{
    uint64_t ps = 0, n = 0;

    dram_rig_run(rig);
    (void)dram_rig_answers(rig, &ps);
    while (ps_of(rig, clock + n) < ps)
        n++;
    assert_int_equal(ps_of(rig, clock + n), ps);
    return n;
}

static uint64_t latency(void (*scenario)(struct dram_rig *), uint64_t clock,
                        uint64_t cl)
{
    static const char *const quiet[] = {QUIET, NULL};
    struct dram_rig rig;
    uint64_t n;

    dram_rig_build(&rig, quiet);
    set(&rig.config, "cl", cl);
    rig.dram.cl = cl;
    scenario(&rig);
    n = data_after(&rig, clock);
    dram_rig_over(&rig);
    return n;
}

static void one_late_hit(struct dram_rig *rig)
{
    one_read(rig);
    read_at(rig, LATE, 0, 0, 0, 1);
}

static void latencies_are_those_of_the_standard(void **unused)
{
    (void)unused;
    for (uint64_t cl = 14; cl <= 15; cl++) {
        assert_int_equal(latency(one_late_hit, LATE, cl), cl + 4);
        assert_int_equal(latency(one_read, 0, cl), 15 + cl + 4);
        assert_int_equal(latency(two_rows_late, LATE, cl), 15 + 15 + cl + 4);
    }
}

/* Every column of one open row in each of `groups` groups, all asked for at once:
 * clocks from the first request to the last data. */
static uint64_t stream(struct dram_rig *rig, uint32_t groups, uint32_t columns)
{
    for (uint32_t column = 0; column < columns; column++)
        for (uint32_t group = 0; group < groups; group++)
            dram_read(&rig->dram, 0, line_at(rig, 0, 4 * group, 0, column), 0,
                      DRAM_GPU);
    return data_after(rig, 0);
}

static void a_stream_fills_the_bus_or_waits_for_its_group(void **unused)
{
    static const char *const quiet[] = {QUIET, NULL};
    struct dram_rig rig;

    (void)unused;
    /* The peak: 64 B every 4 clocks after the first row is open. */
    dram_rig_build(&rig, quiet);
    assert_int_equal(stream(&rig, 4, 128), 15 + 15 + 4 + 4 * (512 - 1));
    dram_rig_over(&rig);
    /* One bank group: tCCD_L. */
    dram_rig_build(&rig, quiet);
    assert_int_equal(stream(&rig, 1, 128), 15 + 15 + 4 + 6 * (128 - 1));
    dram_rig_over(&rig);
}

/* A rank's refresh costs a stream in one row: tRTP from the last read before it is due,
 * then tRP + tRFC + tRCD until the next. */
static void a_refresh_costs_what_its_rules_say(void **unused)
{
    static const char *const often[] = {REFRESH, NULL};
    struct dram_rig rig;
    uint64_t lost = 0, last = 0, due = 1000;

    (void)unused;
    dram_rig_build(&rig, often);
    (void)stream(&rig, 4, 128);
    for (uint32_t i = 0; i < rig.issues; i++) {
        const struct dram_issue *c = &rig.issue[i];

        if (c->command != DRAM_RD)
            continue;
        if (c->clock >= due && last < due) {
            uint64_t close = due > last + 8 ? due : last + 8;

            assert_int_equal(c->clock, close + 15 + 374 + 15);
            lost += c->clock - last - 4;
            due += 1000;
        }
        last = c->clock;
    }
    assert_int_equal(rig.stats.dram_refreshes, 2);
    assert_int_equal(last, 15 + 4 * (512 - 1) + lost);
    dram_rig_over(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_met_at_t_and_broken_at_t_minus_1),
        cmocka_unit_test(the_checker_sees_one_command_moved),
        cmocka_unit_test(latencies_are_those_of_the_standard),
        cmocka_unit_test(a_stream_fills_the_bus_or_waits_for_its_group),
        cmocka_unit_test(a_refresh_costs_what_its_rules_say)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
