/* test_trace_toggles.c - toggles of data in a trace: what is written is read, launch by
 * launch, and what cannot be is told. */
#include "test_trace_util.h"
#include "traces/format/trace_toggles.h"

enum { LAUNCHES = 3 };

/* Launch 1 of three has none. */
static void write_three(const char *name, const struct trace_kernel *k,
                        const struct toggle_count *toggles)
{
    struct trace_writer *w = open_writer(name);
    uint32_t index;
    struct igpu_err err;

    assert_ok(trace_writer_kernel(w, k, &index, &err), err);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        struct trace_launch l = plain_launch(index, 1, 1);
        struct trace_totals totals = {.instructions = k->code.count};
        struct trace_thread *t;

        l.toggles = toggles; /* the writer does not take them from here */
        l.toggle_count = 1;
        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        t = trace_thread_begin(w, 0);
        for (uint32_t b = 0; b < 3; b++)
            trace_thread_block(t, b);
        assert_ok(trace_thread_end(t, &totals, &err), err);
        if (i != 1)
            trace_writer_toggles(w, toggles + i);
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
}

static void what_is_written_is_read(void **state)
{
    struct isa_inst body = mad_inst(20);
    struct toggle_count toggles[64 + LAUNCHES];
    struct rng g = {test_seed(7)};
    struct trace_reader *r;
    struct trace_kernel k;
    char name[256];

    (void)state;
    for (uint32_t i = 0; i < sizeof(toggles) / sizeof(toggles[0]); i++) {
        toggles[i].operand_bits = rng_next(&g) >> rng_below(&g, 64);
        toggles[i].operand_toggles = toggles[i].operand_bits >> rng_below(&g, 64);
        toggles[i].result_bits = rng_next(&g) >> rng_below(&g, 64);
        toggles[i].result_toggles = toggles[i].result_bits >> rng_below(&g, 64);
    }
    temp_name(name, sizeof(name), "toggles");
    loop_kernel(&k, "toggles", &body, 1);
    write_three(name, &k, toggles);
    r = open_reader(name);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        const struct trace_launch *l = trace_launch(r, i);

        assert_int_equal(l->toggle_count, i == 1 ? 0 : k.code.count);
        if (i == 1)
            assert_null(l->toggles);
        else
            assert_memory_equal(l->toggles, toggles + i,
                                k.code.count * sizeof(toggles[0]));
    }
    trace_close(r);
    (void)remove(name);
    free_kernel(&k);
}

static void what_cannot_be_is_a_fault(void **state)
{
    static const struct toggle_count more[] = {{8, 9, 8, 8}, {8, 8, 8, 9}},
                                     fine[] = {{8, 8, 8, 8}, {0}};
    struct trace_launch l = {.toggles = fine, .toggle_count = 2};

    (void)state;
    assert_null(trace_toggles_fault(&l, 2));
    assert_string_equal(trace_toggles_fault(&l, 3),
                        "its toggles are not one entry for each instruction");
    l.toggle_count = 1;
    for (unsigned i = 0; i < 2; i++) {
        l.toggles = more + i;
        assert_string_equal(trace_toggles_fault(&l, 1),
                            "more bits toggle than there are");
    }
}

static void columns_have_one_length(void **state)
{
    uint64_t bits[3] = {8, 8, 8};
    Vigpu__Trace__Toggles message = VIGPU__TRACE__TOGGLES__INIT;
    struct trace_launch l = {0};

    (void)state;
    message.operand_bits = message.operand_toggles = bits;
    message.result_bits = message.result_toggles = bits;
    message.n_operand_bits = message.n_operand_toggles = message.n_result_bits = 3;
    message.n_result_toggles = 2;
    assert_string_equal(trace_toggles_read(&message, &l),
                        "its columns of toggles have different lengths");
    message.n_result_toggles = 3;
    assert_null(trace_toggles_read(&message, &l));
    assert_int_equal(l.toggle_count, 3);
    free((struct toggle_count *)l.toggles);
}

static void the_writer_refuses_what_the_reader_would(void **state)
{
    static const struct toggle_count more[64] = {{8, 9, 8, 8}};
    struct isa_inst body = mad_inst(20);
    struct trace_launch l = plain_launch(0, 1, 1);
    struct trace_writer *w;
    struct trace_kernel k;
    struct igpu_err err;
    uint32_t index;
    char name[256];

    (void)state;
    temp_name(name, sizeof(name), "toggles-more");
    loop_kernel(&k, "toggles", &body, 1);
    w = open_writer(name);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    trace_writer_toggles(w, more); /* outside a launch */
    assert_int_equal(trace_writer_launch_begin(w, &l, NULL, &err), IGPU_SIM_ERROR);
    trace_writer_abort(w);
    w = open_writer(name);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    trace_writer_toggles(w, more);
    assert_int_equal(trace_writer_launch_end(w, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "more bits toggle than there are"));
    trace_writer_abort(w);
    free_kernel(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_cannot_be_is_a_fault),
        cmocka_unit_test(columns_have_one_length),
        cmocka_unit_test(the_writer_refuses_what_the_reader_would),
    };

    return cmocka_run_group_tests_name("trace_toggles", tests, NULL, NULL);
}
