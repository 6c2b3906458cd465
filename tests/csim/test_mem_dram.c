/* test_mem_dram.c - DRAM alone: every command is checked against the timing rules by
 * a checker of its own, and each rule is met tightly; bandwidth and refresh against
 * closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/clock.h"
#include "csim/mem/dram.h"

enum { MAX_ISSUES = 400000, REQUESTS = 4096 };

static struct dram_issue issue[MAX_ISSUES];
static uint32_t issues;
static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % below);
}

static void watch(void *ctx, const struct dram_issue *i)
{
    (void)ctx;
    assert_true(issues < MAX_ISSUES);
    issue[issues++] = *i;
}

struct rig {
    struct igpu_config config;
    struct heap heap;
    struct dram dram;
    struct mem_stats stats;
};

static void build(struct rig *rig, const char *const *settings)
{
    memset(rig, 0, sizeof(*rig));
    assert_int_equal(igpu_config_preset(&rig->config, "skl-gt2", NULL), IGPU_OK);
    for (; settings != NULL && *settings != NULL; settings++)
        assert_int_equal(igpu_config_set(&rig->config, *settings, NULL), IGPU_OK);
    assert_true(heap_init(&rig->heap, 4 * REQUESTS));
    assert_true(
        dram_init(&rig->dram, &rig->config, REQUESTS, &rig->heap, 0, &rig->stats));
    rig->dram.watch = watch;
    issues = 0;
}

static void over(struct rig *rig)
{
    dram_free(&rig->dram);
    heap_free(&rig->heap);
}

static void run_until(struct rig *rig, uint64_t ps)
{
    while (dram_next_ps(&rig->dram) <= ps)
        dram_run(&rig->dram, dram_next_ps(&rig->dram));
}

static void run_all(struct rig *rig)
{
    while (dram_next_ps(&rig->dram) != UINT64_MAX)
        dram_run(&rig->dram, dram_next_ps(&rig->dram));
}

/* ---- the checker: least distance of each pair of commands ---- */

static bool same_bank(const struct dram_issue *a, const struct dram_issue *b)
{
    return a->bank == b->bank;
}

static uint32_t rank_of(const struct rig *rig, const struct dram_issue *i)
{
    return i->bank / rig->dram.banks_per_rank;
}

static bool same_group(const struct rig *rig, const struct dram_issue *a,
                       const struct dram_issue *b)
{
    return a->bank / rig->config.dram_banks == b->bank / rig->config.dram_banks;
}

static bool column(const struct dram_issue *i)
{
    return i->command == DRAM_RD || i->command == DRAM_WR;
}

/* Clocks that must lie between a and the later b (0: no rule). */
static uint64_t least(const struct rig *rig, const struct dram_issue *a,
                      const struct dram_issue *b)
{
    const struct igpu_config *c = &rig->config;
    bool bank = same_bank(a, b), group = same_group(rig, a, b);
    bool rank = rank_of(rig, a) == rank_of(rig, b);
    uint64_t need = 0, lead, gap;

    if (column(a) && column(b)) {
        lead = (a->command == DRAM_RD ? c->dram_cl : c->dram_cwl) + c->dram_burst;
        gap = rank && a->command == b->command ? 0 : c->dram_trtrs;
        lead += gap;
        gap = b->command == DRAM_RD ? c->dram_cl : c->dram_cwl;
        need = lead > gap ? lead - gap : 0;
        if (rank && need < (group ? c->dram_tccd_l : c->dram_tccd_s))
            need = group ? c->dram_tccd_l : c->dram_tccd_s;
        lead = c->dram_cwl + c->dram_burst + (group ? c->dram_twtr_l : c->dram_twtr_s);
        if (rank && a->command == DRAM_WR && b->command == DRAM_RD && need < lead)
            need = lead;
        return need;
    }
    if (a->command == DRAM_ACT && b->command == DRAM_ACT && rank)
        return group ? c->dram_trrd_l : c->dram_trrd_s;
    if (a->command == DRAM_REF && rank)
        return c->dram_trfc;
    if (b->command == DRAM_REF && rank)
        return a->command == DRAM_PRE ? c->dram_trp : 0;
    if (!bank)
        return 0;
    if (a->command == DRAM_ACT)
        return b->command == DRAM_PRE ? c->dram_tras : c->dram_trcd;
    if (a->command == DRAM_PRE)
        return c->dram_trp;
    if (b->command == DRAM_PRE)
        return a->command == DRAM_RD ? c->dram_trtp
                                     : c->dram_cwl + c->dram_burst + c->dram_twr;
    return 0;
}

/* Every pair of commands near each other, the row a column command uses, and the
 * four-activate window. Returns how many pairs are exactly at their limit. */
static uint64_t check(const struct rig *rig)
{
    uint64_t tight = 0;

    for (uint32_t i = 0; i < issues; i++) {
        const struct dram_issue *b = &issue[i];
        uint32_t activates = 0;
        bool open_seen = false;

        for (uint32_t j = i; j-- > 0 && i - j < 400;) {
            const struct dram_issue *a = &issue[j];
            uint64_t need;

            if (a->channel != b->channel)
                continue;
            /* A refresh closes its rank's rows by itself, some time ahead. */
            if (b->clock >= a->clock) {
                need = least(rig, a, b);
                if (b->clock < a->clock + need)
                    fail_msg("command %d at %lu, %d at %lu: less than %lu apart",
                             a->command, a->clock, b->command, b->clock, need);
                tight += need != 0 && b->clock == a->clock + need;
            }
            if (b->command == DRAM_ACT && a->command == DRAM_ACT &&
                rank_of(rig, a) == rank_of(rig, b) && ++activates == 4)
                assert_true(b->clock >= a->clock + rig->config.dram_tfaw);
            if (column(b) && !open_seen && same_bank(a, b) && !column(a)) {
                assert_int_equal(a->command, DRAM_ACT);
                assert_true(a->row == b->row);
                open_seen = true;
            }
        }
    }
    return tight;
}

static void random_traffic(struct rig *rig, uint32_t count, uint32_t writes,
                           uint32_t lines, uint32_t gap_ps)
{
    uint64_t ps = 0;

    for (uint32_t i = 0; i < count; i++) {
        ps += draw(gap_ps + 1);
        run_until(rig, ps - (ps != 0));
        while (rig->dram.channel[0].reads.count + rig->dram.channel[1].reads.count >
               200)
            run_until(rig, ps = dram_next_ps(&rig->dram));
        if (draw(100) < writes && !dram_stalled(&rig->dram))
            dram_write(&rig->dram, ps, draw(lines));
        else
            dram_read(&rig->dram, ps, draw(lines), i);
    }
    run_all(rig);
}

static void no_command_breaks_a_rule(void **unused)
{
    static const char *const slow[] = {"dram.tccd_l=9",   "dram.trrd_l=11",
                                       "dram.tfaw=60",    "dram.twtr_l=20",
                                       "dram.trefi=1000", NULL};
    struct rig rig;
    uint64_t tight = 0;

    (void)unused;
    for (uint32_t kind = 0; kind < 6; kind++) {
        build(&rig, kind % 2 ? slow : NULL);
        random_traffic(&rig, 6000, kind * 12, kind < 3 ? 4096 : 1 << 24,
                       kind == 5 ? 30000 : 4000);
        assert_int_equal(rig.stats.dram_row_hits + rig.stats.dram_row_misses +
                             rig.stats.dram_row_conflicts,
                         rig.stats.dram_reads + rig.stats.dram_writes);
        assert_int_equal(rig.stats.dram_reads + rig.stats.dram_writes +
                             rig.stats.dram_forwarded,
                         6000);
        assert_int_equal(rig.heap.count,
                         rig.stats.dram_reads + rig.stats.dram_forwarded);
        tight += check(&rig);
        over(&rig);
    }
    assert_true(tight > 1000);
}

/* First command of two lines issued together, the distance of their column
 * commands. */
static uint64_t apart(uint64_t line_a, bool write_a, uint64_t line_b, bool write_b,
                      const char *const *settings)
{
    uint64_t at[2] = {0, 0};
    struct rig rig;
    int n = 0;

    build(&rig, settings);
    if (write_a)
        dram_write(&rig.dram, 0, line_a);
    else
        dram_read(&rig.dram, 0, line_a, 0);
    if (write_a != write_b)
        run_all(&rig);
    if (write_b)
        dram_write(&rig.dram, 0, line_b);
    else
        dram_read(&rig.dram, 0, line_b, 1);
    run_all(&rig);
    for (uint32_t i = 0; i < issues && n < 2; i++)
        if (column(&issue[i]))
            at[n++] = issue[i].clock;
    over(&rig);
    assert_int_equal(n, 2);
    return at[1] - at[0];
}

static void column_gaps_are_exact(void **unused)
{
    static const char *const no[] = {"dram.trefi=0", "dram.idle_close=0", NULL};

    (void)unused;
    /* Lines 0 and 16: one row. Lines 0 and 2: the next bank group. */
    assert_int_equal(apart(0, false, 16, false, no), 6);
    /* The second group's activate follows tRRD_S = 4 later: 4 apart, as tCCD_S. */
    assert_int_equal(apart(0, false, 2, false, no), 4);
}

static void a_row_stream_reaches_the_bus_limit(void **unused)
{
    static const char *const no[] = {"dram.trefi=0", NULL};
    struct rig rig;
    uint64_t end = 0;
    double share;

    (void)unused;
    for (int refresh = 0; refresh < 2; refresh++) {
        uint64_t sent = 0, ps = 0;

        build(&rig, refresh ? NULL : no);
        rig.dram.watch = NULL;
        while (sent < 100000) {
            while (rig.dram.channel[0].reads.count < 64 &&
                   rig.dram.channel[1].reads.count < 64 && sent < 100000)
                dram_read(&rig.dram, ps, sent++, 0);
            run_until(&rig, ps = dram_next_ps(&rig.dram));
            while (rig.heap.count != 0)
                end = heap_take(&rig.heap).ps;
        }
        run_all(&rig);
        while (rig.heap.count != 0)
            end = heap_take(&rig.heap).ps;
        /* 64 B in 4 clocks of each channel. */
        share = 100000.0 * 64 / ((double)end / 1e12) / (2 * 64.0 / 4 * 1066666667);
        print_message("refresh %d: %.3f of the peak\n", refresh, share);
        assert_true(share <= 1.0);
        assert_true(share > (refresh ? 0.88 : 0.97));
        over(&rig);
    }
}

static void ranks_refresh_every_interval(void **unused)
{
    struct rig rig;
    uint64_t ps = clock_ps(8320 * 100 + 1, 1066666667);

    (void)unused;
    build(&rig, NULL);
    dram_read(&rig.dram, ps, 0, 0);
    dram_read(&rig.dram, ps, 1, 0);
    run_all(&rig);
    /* Two channels x two ranks: all that were due, also after a long idle time. */
    assert_in_range(rig.stats.dram_refreshes, 4 * 100 - 2, 4 * 100);
    over(&rig);
}

static void a_read_of_a_waiting_write_is_forwarded(void **unused)
{
    struct rig rig;

    (void)unused;
    build(&rig, NULL);
    dram_write(&rig.dram, 1000, 77);
    dram_read(&rig.dram, 1000, 77, 5);
    assert_int_equal(rig.stats.dram_forwarded, 1);
    assert_int_equal(heap_take(&rig.heap).tag, 5);
    run_all(&rig);
    assert_int_equal(rig.stats.dram_writes, 1);
    over(&rig);
}

static void places_are_unique(void **unused)
{
    struct rig rig;
    static uint8_t seen[1 << 16];

    (void)unused;
    build(&rig, NULL);
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
    over(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_breaks_a_rule),
        cmocka_unit_test(column_gaps_are_exact),
        cmocka_unit_test(a_row_stream_reaches_the_bus_limit),
        cmocka_unit_test(ranks_refresh_every_interval),
        cmocka_unit_test(a_read_of_a_waiting_write_is_forwarded),
        cmocka_unit_test(places_are_unique)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
