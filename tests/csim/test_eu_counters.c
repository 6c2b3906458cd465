/* test_eu_counters.c - busy, active and open cycles of an EU: cases with closed forms,
 * and random events against a model that marks each cycle in bit arrays of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/eu_counters.h"
#include "igpu/uop_cycles.h"
#include "tests/support/rng.h"

static void expect(const struct eu_counters *c, uint64_t active, uint64_t both,
                   uint64_t cover)
{
    assert_int_equal(c->active, active);
    assert_int_equal(c->fpu_both, both);
    assert_int_equal(c->cover, cover);
}

static void a_thread_is_open_from_start_to_end_both_inclusive(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 100);
    eu_counters_open(&c, 105);
    eu_counters_end(&c, 114);
    eu_counters_finish(&c, 200);
    expect(&c, 0, 0, 10);
    assert_int_equal(c.instructions, 0);
}

static void
overlapping_fpus_count_once_as_active_and_their_overlap_as_both(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU0, 10, 4); /* 10..13 */
    eu_counters_issue(&c, EU_FPU1, 12, 8); /* 12..19 */
    eu_counters_issue(&c, EU_FPU0, 14, 2); /* 14..15 */
    eu_counters_issue(&c, EU_FPU0, 18, 4); /* 18..21 */
    eu_counters_end(&c, 30);
    eu_counters_finish(&c, 40);
    assert_int_equal(c.busy[EU_FPU0], 10);
    assert_int_equal(c.busy[EU_FPU1], 8);
    assert_int_equal(c.busy[EU_SEND], 0);
    assert_int_equal(c.instructions, 4);
    expect(&c, 12, 2 + 2 + 2, 31);
}

static void fpus_one_behind_the_other_are_never_both_busy(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU0, 0, 4);
    eu_counters_issue(&c, EU_FPU1, 4, 4);
    eu_counters_end(&c, 7);
    eu_counters_finish(&c, 8);
    expect(&c, 8, 0, 8);
}

static void send_and_branch_are_active_but_no_fpu(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_SEND, 3, 5);
    eu_counters_issue(&c, EU_BRANCH, 3, 1);
    eu_counters_issue(&c, EU_BRANCH, 9, 1);
    eu_counters_end(&c, 19);
    eu_counters_finish(&c, 20);
    assert_int_equal(c.busy[EU_SEND], 5);
    assert_int_equal(c.busy[EU_BRANCH], 2);
    expect(&c, 6, 0, 20);
}

static void a_unit_busy_behind_the_last_end_is_covered(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU1, 8, 20); /* 8..27 */
    eu_counters_issue(&c, EU_SEND, 9, 1);
    eu_counters_end(&c, 9);
    eu_counters_finish(&c, 100);
    expect(&c, 20, 0, 28);
}

static void the_launchs_end_cuts_what_lies_behind_it(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU0, 5, 20); /* 5..24 */
    eu_counters_issue(&c, EU_FPU1, 6, 10); /* 6..15 */
    eu_counters_issue(&c, EU_SEND, 9, 1);
    eu_counters_end(&c, 9);
    eu_counters_finish(&c, 10);
    assert_int_equal(c.busy[EU_FPU0], 5);
    assert_int_equal(c.busy[EU_FPU1], 4);
    assert_int_equal(c.busy[EU_SEND], 1);
    expect(&c, 5, 4, 10);
}

static void a_run_stopped_early_covers_open_threads_up_to_its_end(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 50);
    eu_counters_open(&c, 60);
    eu_counters_issue(&c, EU_FPU0, 70, 4);
    eu_counters_finish(&c, 72);
    expect(&c, 2, 0, 12);
    assert_int_equal(c.busy[EU_FPU0], 2);
    assert_int_equal(c.open, 0);
}

static void two_threads_cover_their_union(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 2);
    eu_counters_open(&c, 5);
    eu_counters_end(&c, 7);
    eu_counters_end(&c, 11);
    eu_counters_open(&c, 20);
    eu_counters_end(&c, 20);
    eu_counters_finish(&c, 30);
    expect(&c, 0, 0, 10 + 1);
}

static void a_slot_reopened_in_the_cycle_of_its_end_counts_that_cycle_once(void **state)
{
    struct eu_counters c;

    (void)state;
    for (int end_first = 0; end_first < 2; end_first++) {
        eu_counters_reset(&c, 0);
        eu_counters_open(&c, 0);
        if (end_first)
            eu_counters_end(&c, 9);
        eu_counters_open(&c, 9);
        if (!end_first)
            eu_counters_end(&c, 9);
        eu_counters_end(&c, 19);
        eu_counters_finish(&c, 30);
        expect(&c, 0, 0, 20);
    }
}

static void a_thread_opened_under_a_busy_tail_counts_each_cycle_once(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU0, 4, 16); /* 4..19 */
    eu_counters_end(&c, 5);
    eu_counters_open(&c, 12);
    eu_counters_end(&c, 15);
    eu_counters_open(&c, 25);
    eu_counters_end(&c, 29);
    eu_counters_finish(&c, 40);
    expect(&c, 16, 0, 20 + 5);
}

static void the_next_launch_starts_at_zero(void **state)
{
    struct eu_counters c;

    (void)state;
    eu_counters_reset(&c, 0);
    eu_counters_open(&c, 0);
    eu_counters_issue(&c, EU_FPU0, 1, 200);
    eu_counters_end(&c, 2);
    eu_counters_finish(&c, 3);
    eu_counters_reset(&c, 100);
    eu_counters_open(&c, 100);
    eu_counters_issue(&c, EU_FPU1, 101, 4);
    eu_counters_end(&c, 109);
    eu_counters_finish(&c, 110);
    expect(&c, 4, 0, 10);
    assert_int_equal(c.busy[EU_FPU0], 0);
    assert_int_equal(c.instructions, 1);
}

/* ---- random events ------------------------------------------------------ */

enum { START = 1000, SPAN = 600, SLOTS = 7, MAX_OCC = 40 };

static uint64_t next(uint64_t *s)
{
    return xorshift_next(s) >> 11;
}

/* What each cycle saw, from the same events. */
struct model {
    bool busy[EU_UNITS][SPAN + MAX_OCC + 1], open[SPAN + MAX_OCC + 1];
};

static void play(struct model *m, struct eu_counters *c, uint64_t *seed, unsigned end)
{
    unsigned free_at[EU_UNITS] = {0}, since[SLOTS] = {0};
    bool running[SLOTS] = {false};
    unsigned density = 1 + (unsigned)(next(seed) % 12);

    for (unsigned t = 0; t < end; t++) {
        unsigned threads = 0;

        for (unsigned u = 0; u < EU_UNITS; u++) {
            uint32_t occ = u == EU_BRANCH ? 1 : 1 + (uint32_t)(next(seed) % MAX_OCC);

            for (unsigned s = 0; s < SLOTS; s++)
                threads += running[s];
            if (threads == 0 || t < free_at[u] || next(seed) % density != 0)
                continue;
            eu_counters_issue(c, u, START + t, occ);
            free_at[u] = t + occ;
            memset(&m->busy[u][t], 1, occ);
        }
        for (unsigned s = 0; s < SLOTS; s++) {
            if (running[s] && next(seed) % 20 == 0) {
                eu_counters_end(c, START + t);
                memset(&m->open[since[s]], 1, t + 1 - since[s]);
                running[s] = false;
            }
            if (!running[s] && next(seed) % 200 == 0) {
                eu_counters_open(c, START + t);
                running[s] = true;
                since[s] = t;
            }
        }
    }
    for (unsigned s = 0; s < SLOTS; s++)
        if (running[s])
            memset(&m->open[since[s]], 1, end - since[s]);
    eu_counters_finish(c, START + end);
}

static bool agrees(const struct model *m, const struct eu_counters *c, unsigned end)
{
    uint64_t busy[EU_UNITS] = {0}, both = 0, active = 0, cover = 0;

    for (unsigned t = 0; t < end; t++) {
        bool any = false;

        for (unsigned u = 0; u < EU_UNITS; u++) {
            busy[u] += m->busy[u][t];
            any = any || m->busy[u][t];
        }
        both += m->busy[EU_FPU0][t] && m->busy[EU_FPU1][t];
        active += any;
        cover += any || m->open[t];
    }
    return memcmp(busy, c->busy, sizeof(busy)) == 0 && both == c->fpu_both &&
           active == c->active && cover == c->cover;
}

static void random_events_agree_with_a_count_of_each_cycle(void **state)
{
    const char *text = getenv("EU_SEED");
    uint64_t first = text ? strtoull(text, NULL, 0) : 1;

    (void)state;
    for (uint64_t run = first; run < first + 3000; run++) {
        uint64_t seed = run * UINT64_C(0x9e3779b97f4a7c15);
        static struct model m;
        struct eu_counters c;
        unsigned end;

        memset(&m, 0, sizeof(m));
        for (unsigned i = 0; i < 8; i++)
            (void)next(&seed);
        end = 1 + (unsigned)(next(&seed) % SPAN);
        eu_counters_reset(&c, START);
        play(&m, &c, &seed, end);
        if (!agrees(&m, &c, end))
            fail_msg("run %llu differs (repeat with EU_SEED=%llu): active %llu, both "
                     "%llu, cover %llu",
                     (unsigned long long)run, (unsigned long long)run,
                     (unsigned long long)c.active, (unsigned long long)c.fpu_both,
                     (unsigned long long)c.cover);
    }
}

/* ---- occupancy ---------------------------------------------------------- */

static void occupancy_is_passes_times_the_classes_parameter(void **state)
{
    struct igpu_config config;
    struct uop u = {.unit = UOP_FPU_ANY, .exec_grfs = 4};
    uint64_t *const occ[] = {&config.eu_alu32_occ, &config.eu_alu64_occ,
                             &config.eu_df_occ,    &config.eu_math_occ,
                             &config.eu_math2_occ, &config.eu_idiv_occ,
                             &config.eu_dot_occ,   &config.eu_lrp_occ};

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    for (uint8_t cls = 0; cls < 8; cls++)
        *occ[cls] = cls + 2u;
    for (uint8_t cls = 0; cls < 8; cls++) {
        u.cls = cls;
        assert_int_equal(uop_occupancy(&config, &u), 4 * (cls + 2));
    }
    config.eu_lrp_occ = 64;
    assert_int_equal(uop_occupancy(&config, &u), 255);
    u = (struct uop){.unit = UOP_SEND, .cls = UOP_MSG, .payload = 6};
    config.eu_send_grf = 3;
    assert_int_equal(uop_occupancy(&config, &u), 18);
    u = (struct uop){.unit = UOP_BRANCH, .cls = UOP_CTRL, .exec_grfs = 1};
    assert_int_equal(uop_occupancy(&config, &u), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_is_open_from_start_to_end_both_inclusive),
        cmocka_unit_test(
            overlapping_fpus_count_once_as_active_and_their_overlap_as_both),
        cmocka_unit_test(fpus_one_behind_the_other_are_never_both_busy),
        cmocka_unit_test(send_and_branch_are_active_but_no_fpu),
        cmocka_unit_test(a_unit_busy_behind_the_last_end_is_covered),
        cmocka_unit_test(the_launchs_end_cuts_what_lies_behind_it),
        cmocka_unit_test(a_run_stopped_early_covers_open_threads_up_to_its_end),
        cmocka_unit_test(two_threads_cover_their_union),
        cmocka_unit_test(
            a_slot_reopened_in_the_cycle_of_its_end_counts_that_cycle_once),
        cmocka_unit_test(a_thread_opened_under_a_busy_tail_counts_each_cycle_once),
        cmocka_unit_test(the_next_launch_starts_at_zero),
        cmocka_unit_test(random_events_agree_with_a_count_of_each_cycle),
        cmocka_unit_test(occupancy_is_passes_times_the_classes_parameter),
    };

    return cmocka_run_group_tests_name("eu_counters", tests, NULL, NULL);
}
