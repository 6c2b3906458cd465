/* test_trace_misuse.c - sections that this version does not know, misuse of the writer,
 * and that a failed recording leaves no file. Damaged content:
 * tests/bridge/test_agree.c and tests/fuzzing/fuzz_trace.c. */
#include <glob.h>

#include "tests/support/trace_parts.h"

static char name[256];

/* ---- a trace in parts --------------------------------------------------- */

/* Loops, branches both ways, affine and irregular accesses, references. */
static void write_rich(void)
{
    struct isa_inst body[3] = {read_inst(20), mad_inst(24), read_inst(28)};
    struct trace_kernel k;
    struct trace_writer *w = open_writer(name);
    struct rng g = {77};
    struct igpu_err err;
    uint32_t index;

    loop_kernel(&k, "rich", body, 3);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    for (uint32_t i = 0; i < 2; i++) {
        struct trace_launch l = plain_launch(0, 3, 2);

        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t id = 0; id < l.threads; id++) {
            struct trace_thread *t = trace_thread_begin(w, id);
            struct trace_totals totals = {8, 7, 9};

            trace_thread_block(t, 0);
            for (uint32_t n = 0; n < 40; n++) {
                uint64_t addr[16];

                for (uint32_t lane = 0; lane < 16; lane++)
                    addr[lane] = id % 2 ? rng_next(&g) & 0xffffc : 64 * n + 4 * lane;
                trace_thread_block(t, 1);
                trace_thread_access(t, 8, 0xffff, addr);
                trace_thread_access(t, 10, n % 7 ? 0xf1u << n % 8 : 0, addr);
            }
            trace_thread_block(t, 2);
            totals.instructions = k.blocks.block[0].count +
                                  40u * k.blocks.block[1].count +
                                  k.blocks.block[2].count;
            assert_ok(trace_thread_end(t, &totals, &err), err);
        }
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

static void split(struct trace_parts *p)
{
    temp_name(name, sizeof(name), "fuzz");
    write_rich();
    parts_read(p, name);
}

static void drop(struct trace_parts *p)
{
    parts_free(p);
    remove(name);
}

/* Open, verify and dump; true when all of it went well. */
static bool reads(void)
{
    const struct trace_dump_options all = {0,          UINT32_MAX, 0,
                                           UINT32_MAX, true,       TRACE_DUMP_TEXT};
    enum igpu_status status;
    struct igpu_err err = {.text = ""};
    struct trace_reader *r = trace_open(name, &status, &err);
    FILE *nowhere = fopen("/dev/null", "w");

    assert_non_null(nowhere);
    if (r)
        status = trace_verify(r, &err);
    if (r && trace_print_dump(r, &all, nowhere, &err) != IGPU_OK)
        status = IGPU_BAD_INPUT;
    fclose(nowhere);
    trace_close(r);
    assert_true(status == IGPU_OK || status == IGPU_BAD_INPUT);
    if (status != IGPU_OK) {
        assert_non_null(strstr(err.text, name));
        assert_null(strchr(err.text, '\n'));
    }
    return status == IGPU_OK;
}

/* ---- tests -------------------------------------------------------------- */

static void test_sections_of_unknown_kinds_are_skipped(void **state)
{
    struct trace_parts p;
    uint8_t noise[100];

    (void)state;
    split(&p);
    /* Room in the index: an added section in the place of the last launch would lose
     * that, so the arrays are made longer. */
    p.footer->offset = realloc(p.footer->offset, (p.count + 1u) * sizeof(uint64_t));
    p.footer->kind = realloc(p.footer->kind, (p.count + 1u) * sizeof(uint32_t));
    p.footer->checksum = realloc(p.footer->checksum, (p.count + 1u) * sizeof(uint32_t));
    p.footer->raw_size = realloc(p.footer->raw_size, (p.count + 1u) * sizeof(uint32_t));
    p.footer->n_offset = p.footer->n_kind = p.footer->n_checksum =
        p.footer->n_raw_size = p.count + 1;
    memset(noise, 0x5a, sizeof(noise));
    p.part[p.count] = p.part[p.count - 1];
    memset(&p.part[p.count - 1], 0, sizeof(p.part[0]));
    p.part[p.count - 1].kind = 77;
    trace_bytes_put(&p.part[p.count - 1].raw, noise, sizeof(noise));
    p.count++;
    parts_write(&p, NULL, name);
    assert_true(reads());
    drop(&p);
}

/* ---- the writer --------------------------------------------------------- */

static void no_file_left(void)
{
    char beginning[300];
    glob_t found;

    snprintf(beginning, sizeof(beginning), "%s*", name);
    assert_int_equal(glob(beginning, 0, NULL, &found), GLOB_NOMATCH);
}

static void test_an_unfinished_recording_leaves_no_file(void **state)
{
    struct isa_inst body[1] = {mad_inst(20)};
    struct trace_launch l = plain_launch(0, 2, 1);
    struct trace_kernel k;
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "unfinished"));
    struct trace_totals totals = {9, 9, 9};
    struct trace_thread *t;
    struct igpu_err err;
    uint32_t index;

    (void)state;
    assert_int_equal(access(name, F_OK), -1);
    trace_writer_abort(w);
    no_file_left();
    loop_kernel(&k, "k", body, 1);

    w = open_writer(name); /* a launch with a thread too few */
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    t = trace_thread_begin(w, 1);
    assert_null(trace_thread_begin(w, 1));
    trace_thread_block(t, 0);
    assert_int_not_equal(trace_thread_end(t, &totals, &err), IGPU_OK);
    assert_int_not_equal(trace_writer_launch_end(w, &err), IGPU_OK);
    assert_int_equal(trace_writer_close(w, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "thread 1"));
    no_file_left();

    w = open_writer(name); /* a path of another length than the totals say */
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    t = trace_thread_begin(w, 0);
    trace_thread_block(t, 0);
    trace_thread_block(t, 2);
    totals.instructions = 10;
    assert_int_equal(trace_thread_end(t, &totals, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "its path has 9"));
    assert_int_equal(trace_writer_close(w, &err), IGPU_SIM_ERROR);
    no_file_left();
    free_kernel(&k);
}

static void test_a_place_that_cannot_be_written_is_named(void **state)
{
    struct trace_header header = {"", "", "", "", false, false};
    enum igpu_status status = IGPU_OK;
    struct igpu_err err;

    (void)state;
    assert_null(trace_writer_open("/nonexistent/x.pb", &header, &status, &err));
    assert_int_equal(status, IGPU_USAGE);
    assert_non_null(strstr(err.text, "/nonexistent/x.pb"));
}

static void test_nothing_more_is_not_memory_that_ran_out(void **state)
{
    struct trace_bytes b = {0};

    (void)state;
    assert_non_null(trace_bytes_extend(&b, 0));
    assert_false(b.failed);
    trace_bytes_u8(&b, 7);
    assert_ptr_equal(trace_bytes_extend(&b, 0), b.data + 1);
    assert_int_equal(b.size, 1);
    trace_bytes_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_of_unknown_kinds_are_skipped),
        cmocka_unit_test(test_an_unfinished_recording_leaves_no_file),
        cmocka_unit_test(test_a_place_that_cannot_be_written_is_named),
        cmocka_unit_test(test_nothing_more_is_not_memory_that_ran_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
