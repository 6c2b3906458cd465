/* test_features.c - the features of launches that were counted by hand, over small
 * traces written here; parts: test_features_parts.c; against the emulator:
 * tests/bridge/test_features.sh. */
#include "tests/traces/feeder_rig.h"

#include "traces/features/features.h"

/* mad; read; a loop of one mad that uses what was read; the end. */
static struct trace_kernel waiting_kernel(void)
{
    struct trace_kernel k;

    make_kernel(&k, "loop", 4, 3);
    add_inst(&k, mad_inst(10));
    add_inst(&k, read_inst(20));
    add_block(&k)->succ[0] = 1;
    k.blocks.block[0].nsucc = 1;
    add_inst(&k, mad_inst(20));
    add_block(&k)->succ[0] = 2;
    k.blocks.block[1].succ[1] = 1;
    k.blocks.block[1].nsucc = 2;
    add_inst(&k, eot_inst());
    add_block(&k)->ends_thread = true;
    return k;
}

static void features_of(const char *name, double *value, uint64_t sample)
{
    struct trace_reader *reader = open_reader(name);
    struct features *f = features_new();
    struct igpu_err err = {.text = ""};

    assert_non_null(f);
    assert_ok(features_of_trace(f, reader, 0, sample, value, NULL, &err), err);
    features_free(f);
    trace_close(reader);
}

static void check_feature(const double *value, enum feature which, double wanted)
{
    double off = value[which] - wanted;

    if (off > 1e-9 || off < -1e-9)
        fail_msg("%s is %.9g; expected %.9g", feature_table[which].name, value[which],
                 wanted);
}

/* Thread 0 reads line 64; thread 1 reads lines 64 and 65, and goes round once more. */
static void make_two_threads(struct rig *rig)
{
    struct trace_kernel k = waiting_kernel();
    struct story s[2] = {
        {.blocks = "0112", .record = {{1, 0xffff, 0x1000, 4}}, .records = 1},
        {.blocks = "01112", .record = {{1, 0xffff, 0x1020, 4}}, .records = 1}};

    write_trace(rig, &k, plain_launch(0, 2, 1), s);
}

static void instructions_are_counted_by_their_blocks(void **state)
{
    double v[FEATURE_COUNT];
    struct rig rig;

    (void)state;
    make_two_threads(&rig);
    features_of(rig.name, v, 0);
    check_feature(v, FEATURE_INST_ALL, 5 + 6);
    check_feature(v, FEATURE_INST_SLOTS, 16 * 11);
    check_feature(v, FEATURE_INST_LANES, 16 * 11 + 1); /* totals_of() */
    check_feature(v, FEATURE_CLASS_ARITH, 3 + 4);
    check_feature(v, FEATURE_OP_MAD, 3 + 4);
    check_feature(v, FEATURE_TYPE_F, 3 + 4);
    check_feature(v, FEATURE_WIDTH_16, 11);
    check_feature(v, FEATURE_CLASS_SEND, 4); /* the ends too */
    check_feature(v, FEATURE_MSG_UNTYPED_READ, 2);
    check_feature(v, FEATURE_WORK_ALU32, 2 * 7); /* SIMD16 singles: two GRFs */
    check_feature(v, FEATURE_PATH_BLOCKS, 4 + 5);
    check_feature(v, FEATURE_PATH_BACK, 1 + 2);
    check_feature(v, FEATURE_PATH_JUMPS, 1 + 2);
    check_feature(v, FEATURE_PATH_COVERED, 1);
    check_feature(v, FEATURE_THREAD_MEAN, 5.5);
    check_feature(v, FEATURE_THREAD_MAX, 6);
    check_feature(v, FEATURE_THREAD_MIN, 5);
    check_feature(v, FEATURE_THREAD_CV, 0.5 / 5.5);
    assert_int_equal(remove(rig.name), 0);
}

static void lines_are_followed_in_turns(void **state)
{
    double v[FEATURE_COUNT];
    struct rig rig;

    (void)state;
    make_two_threads(&rig);
    features_of(rig.name, v, 0);
    check_feature(v, FEATURE_MEM_MESSAGES, 2);
    check_feature(v, FEATURE_MEM_LANES, 32);
    check_feature(v, FEATURE_MEM_READ_BYTES, 128);
    check_feature(v, FEATURE_LINE_READ, 3);
    check_feature(v, FEATURE_LINE_1, 1);
    check_feature(v, FEATURE_LINE_2, 1);
    check_feature(v, FEATURE_LINE_USED, 128.0 / 192);
    check_feature(v, FEATURE_STRIDE_UNIT, 30);
    check_feature(v, FEATURE_REUSE_COLD, 2); /* 64, 65 */
    check_feature(v, FEATURE_REUSE_16, 1);   /* 64 again */
    check_feature(v, FEATURE_FOOT_LINES, 2);
    check_feature(v, FEATURE_FOOT_NEW, 2);
    check_feature(v, FEATURE_FOOT_SHARED, 1);
    check_feature(v, FEATURE_FOOT_PAGES, 1);
    check_feature(v, FEATURE_PAGE_COLD, 1);
    check_feature(v, FEATURE_PAGE_16, 1);
    check_feature(v, FEATURE_DIV_MSG_FULL, 1);
    assert_int_equal(remove(rig.name), 0);
}

static void a_thread_waits_for_what_it_uses(void **state)
{
    struct trace_kernel k = waiting_kernel();
    struct story s = {
        .blocks = "0112", .record = {{1, 0xff, 0x1000, 128}}, .records = 1};
    double v[FEATURE_COUNT];
    struct rig rig;

    (void)state;
    write_trace(&rig, &k, plain_launch(0, 1, 1), &s);
    features_of(rig.name, v, 0);
    check_feature(v, FEATURE_DEP_NONE, 3.0 / 5); /* mad, read, end */
    check_feature(v, FEATURE_DEP_1, 2.0 / 5);
    check_feature(v, FEATURE_ILP_ALL, 5.0 / 3); /* read, mad, mad */
    check_feature(v, FEATURE_CHAIN_SEND, 1);
    check_feature(v, FEATURE_CHAIN_ALU, 2);
    check_feature(v, FEATURE_WAIT_COUNT, 1);
    check_feature(v, FEATURE_WAIT_DEPTH, 1);
    check_feature(v, FEATURE_USE_2, 1);
    check_feature(v, FEATURE_DIV_MSG_HALF, 1);
    check_feature(v, FEATURE_LINE_8, 1);
    check_feature(v, FEATURE_STRIDE_PAGE, 7);
    assert_int_equal(remove(rig.name), 0);
}

static void a_program_remembers_its_launches(void **state)
{
    struct features *f = features_new();
    struct trace_reader *reader;
    struct igpu_err err = {.text = ""};
    double v[FEATURE_COUNT];
    struct rig rig;

    (void)state;
    make_two_threads(&rig);
    reader = open_reader(rig.name);
    for (unsigned again = 0; again < 2; again++)
        assert_ok(features_of_trace(f, reader, 0, 0, v, NULL, &err), err);
    check_feature(v, FEATURE_REUSE_COLD, 0);
    check_feature(v, FEATURE_REUSE_16, 3);
    check_feature(v, FEATURE_FOOT_LINES, 2);
    check_feature(v, FEATURE_FOOT_NEW, 0);
    features_free(f);
    trace_close(reader);
    assert_int_equal(remove(rig.name), 0);
}

static void a_sample_is_scaled_up(void **state)
{
    enum { THREADS = 1680 };
    struct story *s = calloc(THREADS, sizeof(*s));
    struct trace_kernel k = waiting_kernel();
    double v[FEATURE_COUNT];
    struct rig rig;

    (void)state;
    assert_non_null(s);
    for (uint32_t i = 0; i < THREADS; i++)
        s[i] = (struct story){
            .blocks = "0112", .record = {{1, 0xffff, 64 * i, 4}}, .records = 1};
    write_trace(&rig, &k, plain_launch(0, THREADS, 1), s);
    features_of(rig.name, v, 336);
    check_feature(v, FEATURE_GEO_THREADS, THREADS);
    check_feature(v, FEATURE_INST_ALL, 5.0 * THREADS);
    check_feature(v, FEATURE_LINE_READ, THREADS);
    check_feature(v, FEATURE_FOOT_LINES, THREADS);
    check_feature(v, FEATURE_THREAD_MEAN, 5);
    free(s);
    assert_int_equal(remove(rig.name), 0);
}

static void pieces_lie_apart_and_inside(void **state)
{
    uint64_t first, count, last = 0;
    uint32_t pieces;

    (void)state;
    assert_int_equal(features_piece(100, 8, 0, 0, &first, &count), 1);
    assert_int_equal(count, 100);
    assert_int_equal(features_piece(100, 8, 800, 0, &first, &count), 1);
    assert_int_equal(count, 100);
    pieces = features_piece(10000, 8, 8 * 21 * 3, 0, &first, &count);
    assert_int_equal(pieces, 3);
    for (uint32_t i = 0; i < pieces; i++) {
        assert_int_equal(features_piece(10000, 8, 8 * 21 * 3, i, &first, &count), 3);
        assert_int_equal(count, 21);
        assert_true(first >= last && first + count <= 10000);
        last = first + count;
    }
    assert_int_equal(last, 10000);
}

static void names_are_unique_and_enough(void **state)
{
    uint32_t native = 0;

    (void)state;
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        native += feature_table[i].set == FEATURE_SET_NATIVE;
        for (uint32_t j = 0; j < i; j++)
            assert_string_not_equal(feature_table[i].name, feature_table[j].name);
    }
    assert_true(FEATURE_COUNT >= 174 && native >= 105);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_counted_by_their_blocks),
        cmocka_unit_test(lines_are_followed_in_turns),
        cmocka_unit_test(a_thread_waits_for_what_it_uses),
        cmocka_unit_test(a_program_remembers_its_launches),
        cmocka_unit_test(a_sample_is_scaled_up),
        cmocka_unit_test(pieces_lie_apart_and_inside),
        cmocka_unit_test(names_are_unique_and_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
