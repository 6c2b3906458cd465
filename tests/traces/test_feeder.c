/* test_feeder.c - runs, work, launches and errors of the feeder, over small traces
 * written here. Messages: test_feeder_messages.c. */
#include "tests/traces/feeder_rig.h"

/* ---- runs --------------------------------------------------------------- */

/* Blocks of sizes[n] instructions each; the last ends the thread. */
static struct trace_kernel straight(const uint32_t *sizes, uint32_t n)
{
    struct trace_kernel k;
    uint32_t total = 0;

    for (uint32_t i = 0; i < n; i++)
        total += sizes[i];
    make_kernel(&k, "straight", total, n);
    for (uint32_t i = 0; i < n; i++) {
        struct isa_block *b;

        for (uint32_t j = 0; j < sizes[i]; j++)
            add_inst(&k, i == n - 1 && j == sizes[i] - 1 ? eot_inst() : mad_inst(10));
        b = add_block(&k);
        b->ends_thread = i == n - 1;
        if (i < n - 1)
            b->succ[b->nsucc++] = i + 1;
    }
    return k;
}

static void contiguous_blocks_make_one_run(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1, 4, 1};
    struct trace_kernel k = straight(sizes, 5);
    struct story s = {.blocks = "01234"};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 11);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void a_run_ends_where_the_path_jumps(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1, 4, 1};
    struct trace_kernel k = straight(sizes, 5);
    struct story s = {.blocks = "0111234"}; /* a loop over block 1 */
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 5, 7, 6, 0), 0, 5);
    expect_run(feeder_next(rig.feeder, 5, 7, 6), 3, 2);
    expect_run(feeder_next(rig.feeder, 5, 7, 6), 3, 8);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void a_skipped_block_splits_the_run(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1, 4, 1};
    struct trace_kernel k = straight(sizes, 5);
    struct story s = {.blocks = "024"};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 3);
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 5, 1);
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 10, 1);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void a_run_has_at_most_4095_uops(void **state)
{
    static const uint32_t fits[] = {3000, 1095, 5}, over[] = {3000, 1096, 5};
    struct trace_kernel k = straight(fits, 3);
    struct story s = {.blocks = "012"};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 4095);
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 4095, 5);
    end_rig(&rig);
    k = straight(over, 3);
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 3000);
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 3000, 1101);
    expect_no_error(&rig);
    end_rig(&rig);
}

static void a_block_longer_than_a_run_makes_several(void **state)
{
    static const uint32_t sizes[] = {2, 10000, 2};
    struct trace_kernel k = straight(sizes, 3);
    struct story s = {.blocks = "0112"};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 2);
    for (unsigned lap = 0; lap < 2; lap++) {
        expect_run(feeder_next(rig.feeder, 0, 0, 0), 2, 4095);
        expect_run(feeder_next(rig.feeder, 0, 0, 0), 4097, 4095);
        expect_run(feeder_next(rig.feeder, 0, 0, 0), 8192, lap == 0 ? 1810 : 1812);
    }
    expect_no_error(&rig);
    end_rig(&rig);
}

static void long_paths_add_up_to_their_blocks(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1, 4, 1};
    enum { STEPS = 50000 }; /* more than a segment of the trace holds */
    struct trace_kernel k = straight(sizes, 5);
    struct story s;
    struct rng rng = {7};
    struct rig rig;
    char *path = malloc(STEPS + 1);
    struct uop_run run;
    uint32_t at = 0, first[] = {0, 3, 5, 6, 10};

    (void)state;
    assert_non_null(path);
    for (uint32_t i = 0; i < STEPS; i++)
        path[i] = (char)('0' + (i == 0 ? 0 : rng_below(&rng, 4)));
    path[STEPS - 1] = '4';
    path[STEPS] = '\0';
    s = (struct story){.blocks = path};
    make_rig(&rig, &k, 1, &s);
    run = feeder_open(rig.feeder, 0, 0, 0, 0);
    while (at < STEPS) {
        assert_true(run.len >= 1 && run.len <= UOP_RUN_MAX);
        for (uint32_t end = run.pc + run.len; run.pc < end; at++) {
            uint32_t block = (uint32_t)(path[at] - '0');

            assert_int_equal(run.pc, first[block]);
            run.pc += sizes[block];
            assert_true(run.pc <= end);
        }
        if (at < STEPS)
            run = feeder_next(rig.feeder, 0, 0, 0);
    }
    expect_no_error(&rig);
    end_rig(&rig);
    free(path);
}

static void slots_do_not_mix_their_threads(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1};
    struct trace_kernel k = straight(sizes, 3);
    struct story s[3] = {{.blocks = "012"}, {.blocks = "02"}, {.blocks = "0112"}};
    struct feeder_where where;
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 3, s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 6);
    expect_run(feeder_open(rig.feeder, 0, 0, 1, 1), 0, 3);
    expect_run(feeder_open(rig.feeder, 0, 1, 0, 2), 0, 5);
    expect_run(feeder_next(rig.feeder, 0, 0, 1), 5, 1);
    expect_run(feeder_next(rig.feeder, 0, 1, 0), 3, 3);
    assert_true(feeder_where(rig.feeder, 0, 1, 0, &where));
    assert_int_equal(where.thread, 2);
    assert_false(feeder_where(rig.feeder, 1, 0, 0, &where));
    assert_int_equal(feeder_begin(rig.feeder, 0, NULL), IGPU_OK); /* all slots empty */
    assert_false(feeder_where(rig.feeder, 0, 1, 0, &where));
    expect_run(feeder_open(rig.feeder, 0, 1, 0, 1), 0, 3);
    expect_no_error(&rig);
    end_rig(&rig);
}

/* ---- work --------------------------------------------------------------- */

static void expect_work(struct rig *rig, uint64_t lanes, uint64_t flops)
{
    uint64_t l = 0, f = 0;

    feeder_work(rig->feeder, &l, &f);
    assert_int_equal(l, lanes);
    assert_int_equal(f, flops);
}

static void work_counts_ended_threads_whole_and_running_ones_in_proportion(void **state)
{
    static const uint32_t sizes[] = {9, 11};
    struct trace_kernel k = straight(sizes, 2);
    struct story s[3] = {{.blocks = "01"}, {.blocks = "01"}, {.blocks = "01"}};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 3, s); /* 20 instructions: 320 + t lanes, 100 (t + 1) FLOPs */
    expect_work(&rig, 0, 0);
    (void)feeder_open(rig.feeder, 0, 0, 0, 0);
    (void)feeder_open(rig.feeder, 1, 0, 0, 1);
    expect_work(&rig, 0, 0);
    for (unsigned i = 0; i < 5; i++)
        feeder_issued(feeder_issues(rig.feeder, 1, 0, 0), false);
    expect_work(&rig, 80, 50);
    expect_work(&rig, 80, 50); /* asking changes nothing */
    feeder_end(rig.feeder, 0, 0, 0);
    expect_work(&rig, 320 + 80, 100 + 50);
    feeder_end(rig.feeder, 1, 0, 0);
    expect_work(&rig, 320 + 321, 100 + 200);
    assert_int_equal(feeder_begin(rig.feeder, 0, NULL), IGPU_OK);
    expect_work(&rig, 0, 0);
    expect_no_error(&rig);
    end_rig(&rig);
}

/* ---- launches ----------------------------------------------------------- */

static void a_launchs_shape_follows_barriers_and_slm(void **state)
{
    static const uint32_t sizes[] = {2};
    static const struct {
        uint32_t bytes;
        uint8_t kb;
        bool pinned;
    } c[] = {{0, 0, false},
             {1, 4, true},
             {4096, 4, true},
             {5000, 5, true},
             {65536, 64, true}};
    struct feeder_launch shape;
    struct igpu_err err = {.text = ""};

    (void)state;
    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
        struct trace_kernel k = straight(sizes, 1);
        struct trace_launch l = plain_launch(0, 1, 2);
        struct story s[2] = {{.blocks = "0"}, {.blocks = "0"}};
        struct rig rig;
        uint32_t count = 0;

        l.slm_bytes = c[i].bytes;
        write_trace(&rig, &k, l, s);
        open_feeder(&rig);
        assert_ok(feeder_launch(rig.feeder, 0, &shape, &err), err);
        assert_int_equal(shape.threads, 2);
        assert_int_equal(shape.tpg, 2);
        assert_int_equal(shape.slm_kb, c[i].kb);
        assert_int_equal(shape.pinned, c[i].pinned);
        assert_non_null(feeder_uops(rig.feeder, 0, &count));
        assert_int_equal(count, 2);
        end_rig(&rig);
    }
}

static void a_group_that_fits_no_subslice_is_refused_with_the_key(void **state)
{
    static const uint32_t sizes[] = {1};
    struct trace_launch l = plain_launch(0, 1, 57); /* 8 EUs of 7 threads are 56 */
    struct story *s = calloc(57, sizeof(*s));

    (void)state;
    assert_non_null(s);
    for (unsigned i = 0; i < 57; i++)
        s[i].blocks = "0";
    for (unsigned barrier = 0; barrier < 2; barrier++) {
        struct trace_kernel k = straight(sizes, 1);
        struct feeder_launch shape;
        struct igpu_err err = {.text = ""};
        struct rig rig;

        k.barriers = barrier != 0;
        write_trace(&rig, &k, l, s);
        open_feeder(&rig);
        assert_int_equal(feeder_launch(rig.feeder, 0, &shape, &err),
                         barrier ? IGPU_USAGE : IGPU_OK);
        if (barrier)
            assert_non_null(strstr(err.text, "eu.count x eu.threads = 56"));
        end_rig(&rig);
    }
    l.slm_bytes = 65537;
    {
        struct trace_kernel k = straight(sizes, 1);
        struct feeder_launch shape;
        struct igpu_err err = {.text = ""};
        struct rig rig;

        write_trace(&rig, &k, l, s);
        open_feeder(&rig);
        assert_int_equal(feeder_launch(rig.feeder, 0, &shape, &err), IGPU_USAGE);
        assert_non_null(strstr(err.text, "needs 65 KB of SLM"));
        end_rig(&rig);
    }
    free(s);
}

/* ---- errors ------------------------------------------------------------- */

static void a_path_without_an_end_leads_to_eot_and_is_reported(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1};
    struct trace_kernel k = straight(sizes, 3);
    struct story s = {.blocks = "01"};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 0, 5);
    expect_no_error(&rig);
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 5, 1);
    expect_error(&rig, "launch 0, thread 0: its path ends without EOT");
    expect_run(feeder_next(rig.feeder, 0, 0, 0), 5, 1);
    feeder_end(rig.feeder, 0, 0, 0);
    end_rig(&rig);
}

static void a_thread_that_is_not_there_leads_to_eot_and_is_reported(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1};
    struct trace_kernel k = straight(sizes, 3);
    struct story s = {.blocks = "012"};
    struct igpu_err err = {.text = ""};
    struct rig rig;

    (void)state;
    make_rig(&rig, &k, 1, &s);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 9), 5, 1);
    assert_int_equal(feeder_error(rig.feeder, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "no thread 9 in launch 0"));
    feeder_end(rig.feeder, 0, 0, 0);
    end_rig(&rig);
}

static void a_damaged_section_leads_to_eot_and_is_reported(void **state)
{
    static const uint32_t sizes[] = {3, 2, 1};
    struct trace_kernel k = straight(sizes, 3);
    struct story s = {.blocks = "0112"};
    struct trace_reader *r;
    struct rig rig;
    uint8_t *data;
    size_t size;
    uint32_t i = 0;

    (void)state;
    write_trace(&rig, &k, plain_launch(0, 1, 1), &s);
    r = open_reader(rig.name);
    while (strcmp(trace_chunk(r, i).kind, "threads") != 0)
        i++;
    data = read_file(rig.name, &size);
    data[trace_chunk(r, i).offset + trace_chunk(r, i).bytes - 3] ^= 0x10;
    write_file(rig.name, data, size);
    trace_close(r);
    free(data);
    open_feeder(&rig);
    expect_run(feeder_open(rig.feeder, 0, 0, 0, 0), 5, 1);
    expect_error(&rig, rig.name);
    feeder_end(rig.feeder, 0, 0, 0);
    end_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_blocks_make_one_run),
        cmocka_unit_test(a_run_ends_where_the_path_jumps),
        cmocka_unit_test(a_skipped_block_splits_the_run),
        cmocka_unit_test(a_run_has_at_most_4095_uops),
        cmocka_unit_test(a_block_longer_than_a_run_makes_several),
        cmocka_unit_test(long_paths_add_up_to_their_blocks),
        cmocka_unit_test(slots_do_not_mix_their_threads),
        cmocka_unit_test(
            work_counts_ended_threads_whole_and_running_ones_in_proportion),
        cmocka_unit_test(a_launchs_shape_follows_barriers_and_slm),
        cmocka_unit_test(a_group_that_fits_no_subslice_is_refused_with_the_key),
        cmocka_unit_test(a_path_without_an_end_leads_to_eot_and_is_reported),
        cmocka_unit_test(a_thread_that_is_not_there_leads_to_eot_and_is_reported),
        cmocka_unit_test(a_damaged_section_leads_to_eot_and_is_reported),
    };

    return cmocka_run_group_tests_name("feeder", tests, NULL, NULL);
}
