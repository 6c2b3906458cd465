/* test_trace_verify.c - igpu trace verify finds paths and accesses that cannot be, and
 * the command's exit statuses are the contract's. */
#include "bridge/programs/igpu/commands.h"
#include "tests/traces/test_trace_util.h"

/* ---- traces with a wrong thread ----------------------------------------- */

/* What to write: blocks of the loop kernel (entry 0, loop 1, end 2; the loop's reads
 * are its instructions 0 and 2), and which reads leave records. */
struct story {
    const char *blocks;   /* one digit each */
    const char *records;  /* instructions within the loop, one digit each */
    const char *expected; /* in the message; NULL: all is well */
};

static void write_story(const char *name, const struct story *s)
{
    struct isa_inst body[3] = {read_inst(20), mad_inst(24), read_inst(28)};
    struct trace_launch l = plain_launch(0, 1, 1);
    struct trace_kernel k;
    struct trace_writer *w = open_writer(name);
    struct trace_totals totals = {0, 0, 0};
    struct trace_thread *t;
    struct igpu_err err;
    uint32_t index;

    loop_kernel(&k, "story", body, 3);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    t = trace_thread_begin(w, 0);
    for (const char *c = s->blocks; *c; c++) {
        trace_thread_block(t, (uint32_t)(*c - '0'));
        totals.instructions += k.blocks.block[*c - '0'].count;
    }
    for (const char *c = s->records; *c; c++) {
        const uint64_t addr = 0x1000;

        trace_thread_access(t, k.blocks.block[1].first + (uint32_t)(*c - '0'), 1,
                            &addr);
    }
    assert_ok(trace_thread_end(t, &totals, &err), err);
    assert_ok(trace_writer_launch_end(w, &err), err);
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

static void test_verify_tells_what_cannot_be(void **state)
{
    static const struct story stories[] = {
        {"0112", "0202", NULL},
        {"0112", "020", "no access is recorded for instruction 10"},
        {"0112", "002", "no access is recorded for instruction"},
        {"0112", "02022", "an access is left over, of instruction 10"},
        {"0112", "2020", "no access is recorded for instruction 8"},
        {"012", "0212", "left over, of instruction 9"},
        {"02", "", "the CFG has no way to block 2"},
        {"01012", "0202", NULL}, /* a branch may lead anywhere */
        {"01", "02", "does not end the thread"},
        {"01212", "0202", "the CFG has no way to block 1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
        const struct story *s = &stories[i];
        char name[256];
        struct igpu_err err = {.text = ""};
        struct trace_reader *r;
        enum igpu_status status;
        const char *expected = s->expected;

        write_story(temp_name(name, sizeof(name), "story"), s);
        r = open_reader(name);
        status = trace_verify(r, &err);
        trace_close(r);
        remove(name);
        assert_int_equal(status, expected ? IGPU_BAD_INPUT : IGPU_OK);
        if (expected && !strstr(err.text, expected))
            fail_msg("'%s' does not say '%s'", err.text, expected);
    }
}

/* ---- kernels that cannot be ---------------------------------------------- */

static void ends_by_a_write(struct trace_kernel *k)
{
    struct isa_inst *last = &k->code.inst[k->code.count - 1];

    last->msg.family = ISA_MSG_UNTYPED_WRITE;
    last->msg.sfid = ISA_SFID_DC1;
    last->msg.is_write = true;
}

static void ends_in_a_block(struct trace_kernel *k)
{
    uint32_t pc = k->code.inst[2].pc;

    k->code.inst[2] = eot_inst();
    k->code.inst[2].pc = pc;
}

static void ends_without_its_flag(struct trace_kernel *k)
{
    k->blocks.block[2].ends_thread = false;
}

static void ends_by_no_send(struct trace_kernel *k)
{
    k->code.inst[k->code.count - 1].op = ISA_OP_MOV;
}

static void hides_a_barrier(struct trace_kernel *k)
{
    struct isa_message *m = &k->code.inst[8].msg;

    m->family = ISA_MSG_BARRIER;
    m->is_read = false;
}

static void moves_without_end(struct trace_kernel *k)
{
    k->code.inst[8].msg.family = ISA_MSG_BLOCK_READ;
    k->code.inst[8].msg.block_bytes = 257;
}

static void reads_but_says_fence(struct trace_kernel *k)
{
    k->code.inst[8].msg.family = ISA_MSG_FENCE;
}

static void has_an_unknown_type(struct trace_kernel *k)
{
    k->code.inst[3].dst.type = 255;
}

static void goes_backwards(struct trace_kernel *k)
{
    k->code.inst[3].pc = 0;
}

/* What no engine can time, the writer does not store; so neither does anybody read
 * it. (The reader checks by the same function.) */
static void test_kernels_that_no_engine_can_time_are_not_written(void **state)
{
    static const struct {
        void (*change)(struct trace_kernel *k);
        const char *expected;
    } kernels[] = {
        {ends_by_a_write,
         "at instruction 12: an end of thread (EOT) that is no message"},
        {ends_in_a_block, "at instruction 2: its blocks and its ends of thread"},
        {ends_without_its_flag, "at instruction 12: its blocks and its ends of thread"},
        {ends_by_no_send, "at instruction 12: an instruction that is no send"},
        {hides_a_barrier, "at instruction 8: a barrier in a kernel"},
        {moves_without_end, "at instruction 8: a message moves more bytes"},
        {reads_but_says_fence, "at instruction 8: a message's family and its read"},
        {has_an_unknown_type, "at instruction 3: an instruction has a field"},
        {goes_backwards, "at instruction 3: an instruction's pc"},
    };
    struct isa_inst body[3] = {read_inst(20), mad_inst(24), read_inst(28)};
    char name[256];

    (void)state;
    temp_name(name, sizeof(name), "kernel");
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        struct trace_writer *w = open_writer(name);
        struct trace_kernel k;
        struct igpu_err err = {.text = ""};
        uint32_t index;

        loop_kernel(&k, "k", body, 3);
        kernels[i].change(&k);
        assert_int_equal(trace_writer_kernel(w, &k, &index, &err), IGPU_SIM_ERROR);
        if (!strstr(err.text, kernels[i].expected))
            fail_msg("'%s' does not say '%s'", err.text, kernels[i].expected);
        trace_writer_abort(w);
        free_kernel(&k);
    }
}

/* ---- the command -------------------------------------------------------- */

static int run(const char *a, const char *b, const char *c, const char *d)
{
    char text[5][256] = {"trace"};
    char *argv[6] = {text[0]};
    const char *given[] = {a, b, c, d};
    int argc = 1;

    for (int i = 0; i < 4 && given[i]; i++) {
        snprintf(text[argc], sizeof(text[0]), "%s", given[i]);
        argv[argc] = text[argc];
        argc++;
    }
    return cmd_trace(argc, argv);
}

static void test_exit_statuses_are_the_contracts(void **state)
{
    static const struct story story = {"0112", "0202", NULL};
    char name[256];

    (void)state;
    write_story(temp_name(name, sizeof(name), "command"), &story);
    assert_int_equal(run("info", name, NULL, NULL), 0);
    assert_int_equal(run("verify", name, NULL, NULL), 0);
    assert_int_equal(run("dump", "--threads", "0..0", name), 0);
    assert_int_equal(run("dump", "--no-code", name, NULL), 0);
    assert_int_equal(run("dump", "--format", "text", name), 0);
    assert_int_equal(run("--help", NULL, NULL, NULL), 0);
    assert_int_equal(run(NULL, NULL, NULL, NULL), 2);
    assert_int_equal(run("explain", name, NULL, NULL), 2);
    assert_int_equal(run("info", NULL, NULL, NULL), 2);
    assert_int_equal(run("info", name, name, NULL), 2);
    assert_int_equal(run("info", "--threads", "0", name), 2);
    assert_int_equal(run("dump", "--threads", "3..1", name), 2);
    assert_int_equal(run("dump", "--threads", "x", name), 2);
    assert_int_equal(run("dump", "--threads", "99999999999", name), 2);
    assert_int_equal(run("dump", "--format", "xml", name), 2);
    assert_int_equal(run("dump", name, "--threads", NULL), 2);
    remove(name);
    assert_int_equal(run("info", name, NULL, NULL), 3);
    write_file(name, "nonsense", 8);
    assert_int_equal(run("info", name, NULL, NULL), 3);
    assert_int_equal(run("dump", name, NULL, NULL), 3);
    assert_int_equal(run("verify", name, NULL, NULL), 3);
    remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verify_tells_what_cannot_be),
        cmocka_unit_test(test_kernels_that_no_engine_can_time_are_not_written),
        cmocka_unit_test(test_exit_statuses_are_the_contracts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
