/* test_mem_dram.c - DRAM alone under random traffic: no command breaks a timing rule;
 * bandwidth, refresh, addresses. Each rule by itself: test_mem_dram_rules.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/clock.h"
#include "tests/csim/dram_rig.h"
#include "tests/support/rng.h"

static uint64_t state = 1;

static void random_traffic(struct dram_rig *rig, uint32_t count, uint32_t writes,
                           uint32_t lines, uint32_t gap_ps)
{
    uint64_t ps = 0;

    for (uint32_t i = 0; i < count; i++) {
        ps += lcg_below(&state, gap_ps + 1);
        dram_rig_run_until(rig, ps - (ps != 0));
        while (rig->dram.channel[0].reads.count + rig->dram.channel[1].reads.count >
               200)
            dram_rig_run_until(rig, ps = dram_next_ps(&rig->dram));
        if (lcg_below(&state, 100) < writes && !dram_stalled(&rig->dram))
            dram_write(&rig->dram, ps, lcg_below(&state, lines));
        else
            dram_read(&rig->dram, ps, lcg_below(&state, lines), i, DRAM_GPU);
    }
    dram_rig_run(rig);
}

static void no_command_breaks_a_rule(void **unused)
{
    static const char *const slow[] = {"dram.tccd_l=9",   "dram.trrd_l=11",
                                       "dram.tfaw=60",    "dram.twtr_l=20",
                                       "dram.trefi=1000", NULL};
    struct dram_broken broken;
    struct dram_rig rig;
    uint64_t tight = 0, ps;

    (void)unused;
    for (uint32_t kind = 0; kind < 6; kind++) {
        dram_rig_build(&rig, kind % 2 ? slow : NULL);
        random_traffic(&rig, 6000, kind * 12, kind < 3 ? 4096 : 1 << 24,
                       kind == 5 ? 30000 : 4000);
        assert_int_equal(rig.stats.dram_row_hits + rig.stats.dram_row_misses +
                             rig.stats.dram_row_conflicts,
                         rig.stats.dram_reads + rig.stats.dram_writes);
        assert_int_equal(rig.stats.dram_reads + rig.stats.dram_writes +
                             rig.stats.dram_forwarded,
                         6000);
        assert_int_equal(dram_rig_answers(&rig, &ps),
                         rig.stats.dram_reads + rig.stats.dram_forwarded);
        broken = dram_rig_check(&rig, &rig.config, &tight);
        if (broken.rule != NULL)
            fail_msg("command %u breaks %s", broken.at, broken.rule);
        dram_rig_over(&rig);
    }
    assert_true(tight > 1000);
}

/* A request every gap_ps / 2 on average, the same for every rig. */
static void even_traffic(struct dram_rig *rig, uint32_t writes, uint32_t lines,
                         uint32_t gap_ps)
{
    uint64_t ps = 0;

    state = 1;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t line = lcg_below(&state, lines);
        bool write = lcg_below(&state, 100) < writes;

        ps += lcg_below(&state, gap_ps + 1);
        dram_rig_run_until(rig, ps - (ps != 0));
        if (write && !dram_stalled(&rig->dram))
            dram_write(&rig->dram, ps, line);
        else
            dram_read(&rig->dram, ps, line, i, DRAM_GPU);
    }
    dram_rig_run(rig);
}

/* Against the same controller that looks at every request in each clock behind a
 * command and as one comes. */
static void what_is_not_looked_at_changes_no_command(void **unused)
{
    static const char *const near[] = {"dram.trefi=600", "dram.age_limit=70",
                                       "dram.queue=8",   "dram.write_high=6",
                                       "dram.trfc=20",   NULL};
    static const char *const few[] = {"dram.ranks=1", "dram.groups=1",
                                      "dram.idle_close=16", "dram.trefi=1000", NULL};
    static const char *const *const settings[] = {NULL, near, few};
    struct dram_rig rig[2];

    (void)unused;
    for (uint32_t kind = 0; kind < 24; kind++) {
        for (unsigned i = 0; i < 2; i++) {
            dram_rig_build(&rig[i], settings[kind % 3]);
            assert_true(rig[i].dram.only_delays);
            rig[i].dram.only_delays = i == 0;
            even_traffic(&rig[i], kind / 3 % 2 ? 25 : 0, kind / 6 % 2 ? 2048 : 1 << 24,
                         kind / 12 ? 40000 : 9000);
        }
        assert_true(rig[0].issues >= 5000 && rig[0].issues == rig[1].issues);
        for (uint32_t at = 0; at < rig[0].issues; at++) {
            const struct dram_issue *a = &rig[0].issue[at], *b = &rig[1].issue[at];

            if (a->clock != b->clock || a->row != b->row || a->channel != b->channel ||
                a->bank != b->bank || a->command != b->command)
                fail_msg("traffic %u: command %u is another one", kind, at);
        }
        assert_memory_equal(&rig[0].stats, &rig[1].stats, sizeof(rig[0].stats));
        dram_rig_over(&rig[0]);
        dram_rig_over(&rig[1]);
    }
}

static void a_row_stream_reaches_the_bus_limit(void **unused)
{
    static const char *const no[] = {"dram.trefi=0", NULL};
    struct dram_rig rig;
    uint64_t end = 0;
    double share;

    (void)unused;
    for (int refresh = 0; refresh < 2; refresh++) {
        uint64_t sent = 0, ps = 0;

        dram_rig_build(&rig, refresh ? NULL : no);
        rig.dram.watch = NULL;
        while (sent < 100000) {
            while (rig.dram.channel[0].reads.count < 64 &&
                   rig.dram.channel[1].reads.count < 64 && sent < 100000)
                dram_read(&rig.dram, ps, sent++, 0, DRAM_GPU);
            dram_rig_run_until(&rig, ps = dram_next_ps(&rig.dram));
            (void)dram_rig_answers(&rig, &end);
        }
        dram_rig_run(&rig);
        (void)dram_rig_answers(&rig, &end);
        /* 64 B in 4 clocks of each channel. */
        share = 100000.0 * 64 / ((double)end / 1e12) / (2 * 64.0 / 4 * 1066666667);
        print_message("refresh %d: %.3f of the peak\n", refresh, share);
        assert_true(share <= 1.0);
        assert_true(share > (refresh ? 0.88 : 0.97));
        dram_rig_over(&rig);
    }
}

static void ranks_refresh_every_interval(void **unused)
{
    struct dram_rig rig;
    uint64_t ps = clock_ps(8320 * 100 + 1, 1066666667);

    (void)unused;
    dram_rig_build(&rig, NULL);
    dram_read(&rig.dram, ps, 0, 0, DRAM_GPU);
    dram_read(&rig.dram, ps, 1, 0, DRAM_GPU);
    dram_rig_run(&rig);
    /* Two channels x two ranks: all that were due, also after a long idle time. */
    assert_in_range(rig.stats.dram_refreshes, 4 * 100 - 2, 4 * 100);
    dram_rig_over(&rig);
}

static void a_read_of_a_waiting_write_is_forwarded(void **unused)
{
    struct agenda_event event;
    struct dram_rig rig;

    (void)unused;
    dram_rig_build(&rig, NULL);
    dram_write(&rig.dram, 1000, 77);
    dram_read(&rig.dram, 1000, 77, 5, DRAM_GPU);
    assert_int_equal(rig.stats.dram_forwarded, 1);
    agenda_take(&rig.agenda, &event);
    assert_int_equal(event.tag, 5);
    dram_rig_run(&rig);
    assert_int_equal(rig.stats.dram_writes, 1);
    dram_rig_over(&rig);
}

static void places_are_unique(void **unused)
{
    struct dram_rig rig;
    static uint8_t seen[1 << 16];

    (void)unused;
    dram_rig_build(&rig, NULL);
    memset(seen, 0, sizeof(seen));
    for (uint64_t line = 0; line < 1 << 16; line++) {
        struct dram_place p;
        uint64_t at;

        dram_place(&rig.dram, line, &p);
        assert_true(p.channel < 2 && p.bank < 32 && p.column < 128);
        at = ((p.row * 2 + p.channel) * 32 + p.bank) * 128 + p.column;
        assert_true(at < 1 << 16);
        assert_int_equal(seen[at]++, 0);
    }
    dram_rig_over(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_breaks_a_rule),
        cmocka_unit_test(what_is_not_looked_at_changes_no_command),
        cmocka_unit_test(a_row_stream_reaches_the_bus_limit),
        cmocka_unit_test(ranks_refresh_every_interval),
        cmocka_unit_test(a_read_of_a_waiting_write_is_forwarded),
        cmocka_unit_test(places_are_unique)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
