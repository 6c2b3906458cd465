/* test_trace_golden.c - the committed trace of format version 1 reads as it did when
 * it was made, and a trace of the same content written today reads the same.
 * TRACE_GOLDEN_WRITE=1 makes the two golden files anew: for a new version only. */
#include "tests/traces/test_trace_util.h"

static const char golden_trace[] = "tests/golden/trace_v1.pb";
static const char golden_text[] = "tests/golden/trace_v1.txt";

/* ---- content ------------------------------------------------------------ */

static struct isa_operand imm(uint64_t value, enum isa_type type)
{
    struct isa_operand o = grf(0, type);

    o.file = ISA_FILE_IMM;
    o.vstride = o.width = o.hstride = 0;
    o.imm = value;
    return o;
}

static struct isa_inst binary(enum isa_opcode op, uint8_t dst, struct isa_operand a,
                              struct isa_operand b)
{
    struct isa_inst i = plain_inst(op);

    i.dst = grf(dst, (enum isa_type)a.type);
    i.nsrc = 2;
    i.src[0] = a;
    i.src[1] = b;
    return i;
}

static struct isa_inst branch(enum isa_opcode op, int32_t jip, int32_t uip)
{
    struct isa_inst i = plain_inst(op);

    i.jip = jip;
    i.uip = uip;
    return i;
}

static struct isa_inst slm_write(void)
{
    struct isa_inst i = read_inst(60);

    i.op = ISA_OP_SENDS;
    i.dst.file = ISA_FILE_NULL;
    i.nsrc = 2;
    i.src[1] = grf(62, ISA_TYPE_UD);
    i.msg.family = ISA_MSG_UNTYPED_WRITE;
    i.msg.addr_model = ISA_ADDR_SLM;
    i.msg.bti = 254;
    i.msg.ext_mlen = 2;
    i.msg.rlen = 0;
    i.msg.is_read = i.msg.returns_data = false;
    i.msg.is_write = true;
    return i;
}

/* if (x < 8) { read } else { compute } and a loop around it. */
static void branchy_kernel(struct trace_kernel *k)
{
    struct isa_inst cmp =
        binary(ISA_OP_CMP, 0, grf(20, ISA_TYPE_D), imm(8, ISA_TYPE_D));
    struct isa_inst mov = plain_inst(ISA_OP_MOV), math = plain_inst(ISA_OP_MATH);
    struct isa_inst jump = branch(ISA_OP_IF, 0xb0, 0xe0);
    struct isa_inst loop = branch(ISA_OP_WHILE, 0x20, ISA_NO_TARGET);
    struct isa_block *b;

    make_kernel(k, "branchy", 32, 6);
    k->simd = 16;
    k->slm_bytes = 4096;
    k->barriers = true;
    k->source_hash = 0x0123456789abcdef;
    mov.dst = grf(127, ISA_TYPE_UD);
    mov.exec_size = 8;
    mov.no_mask = true;
    mov.nsrc = 1;
    mov.src[0] = grf(0, ISA_TYPE_UD);
    add_inst(k, mov);
    mov.src[0].mod = ISA_MOD_NEG;
    mov.chan_offset = 8;
    add_inst(k, mov);
    b = add_block(k);
    b->succ[b->nsucc++] = 1;

    cmp.dst.file = ISA_FILE_NULL;
    cmp.cmod = ISA_CMOD_LT;
    cmp.flag = 1;
    add_inst(k, cmp);
    jump.pred = ISA_PRED_SEQ;
    jump.flag = 1;
    add_inst(k, jump);
    b = add_block(k);
    b->succ[b->nsucc++] = 2;
    b->succ[b->nsucc++] = 3;

    add_inst(k, read_inst(40));
    add_inst(k, slm_write());
    add_inst(k, mad_inst(44));
    mov.compacted = true;
    mov.size = 8;
    mov.src[0].indirect = true;
    mov.src[0].addr_sub = 2;
    mov.src[0].addr_imm = -64;
    add_inst(k, mov);
    add_inst(k, mov);
    mov.compacted = false;
    mov.size = 16;
    add_inst(k, mov);
    add_inst(k, branch(ISA_OP_ELSE, 0xe0, 0xe0));
    b = add_block(k);
    b->succ[b->nsucc++] = 3;
    b->succ[b->nsucc++] = 4;

    math.math = ISA_MATH_SQT;
    math.dst = grf(50, ISA_TYPE_F);
    math.nsrc = 1;
    math.src[0] = grf(52, ISA_TYPE_F);
    math.saturate = true;
    add_inst(k, math);
    add_inst(k, binary(ISA_OP_ADD, 54, grf(50, ISA_TYPE_F), grf(52, ISA_TYPE_F)));
    b = add_block(k);
    b->succ[b->nsucc++] = 4;

    add_inst(k, branch(ISA_OP_ENDIF, 0xf0, ISA_NO_TARGET));
    loop.pred = ISA_PRED_ANY16H;
    loop.pred_inverse = true;
    loop.flag = 0;
    add_inst(k, loop);
    b = add_block(k);
    b->succ[b->nsucc++] = 5;
    b->succ[b->nsucc++] = 1;

    add_inst(k, eot_inst());
    add_block(k)->ends_thread = true;
}

static void put_block(struct trace_thread *t, const struct trace_kernel *k,
                      uint32_t block, struct trace_totals *totals)
{
    trace_thread_block(t, block);
    totals->instructions += k->blocks.block[block].count;
    totals->lane_instructions += 16u * k->blocks.block[block].count;
}

static void branchy_thread(struct trace_writer *w, const struct trace_kernel *k,
                           uint32_t id)
{
    struct trace_thread *t = trace_thread_begin(w, id);
    struct trace_totals totals = {0, 0, 32};
    uint32_t first = k->blocks.block[2].first;
    struct igpu_err err;

    put_block(t, k, 0, &totals);
    for (uint32_t turn = 0; turn < 6; turn++) {
        put_block(t, k, 1, &totals);
        if (turn != 3) {
            uint64_t addr[16], slm[16];

            for (uint32_t l = 0; l < 16; l++) {
                addr[l] = 0x7f0000001000u + 0x400u * id + 64 * turn + 4 * l;
                slm[l] = turn == 4 ? l * l : 16 * l;
            }
            put_block(t, k, 2, &totals);
            trace_thread_access(t, first, turn == 5 ? 0 : 0xffffu >> turn, addr);
            trace_thread_access(t, first + 1, 0xf00fu, slm);
        }
        if (turn != 2)
            put_block(t, k, 3, &totals);
        put_block(t, k, 4, &totals);
    }
    put_block(t, k, 5, &totals);
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

static void write_golden(const char *name)
{
    static const uint8_t value[4] = {0x78, 0x56, 0x34, 0x12};
    const struct trace_arg args[] = {{TRACE_ARG_BUFFER, 65536, 0x7f0000001000u, NULL},
                                     {TRACE_ARG_VALUE, sizeof(value), 0, value},
                                     {TRACE_ARG_LOCAL, 1024, 0, NULL}};
    struct isa_inst body[2] = {mad_inst(30), mad_inst(32)};
    struct trace_kernel k[2];
    struct trace_writer *w = open_writer(name);
    struct igpu_err err;
    uint32_t index;

    branchy_kernel(&k[0]);
    loop_kernel(&k[1], "mad", body, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_ok(trace_writer_kernel(w, &k[i], &index, &err), err);
    for (uint32_t i = 0; i < 3; i++) {
        struct trace_launch l = plain_launch(i == 1, 2, 2);

        if (i != 1) {
            l.nargs = 3;
            l.args = args;
            l.slm_bytes = 5120;
        }
        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t id = 0; id < l.threads; id++) {
            if (i != 1) {
                branchy_thread(w, &k[0], id);
            } else {
                struct trace_thread *t = trace_thread_begin(w, id);
                struct trace_totals totals = {0, 0, 64};

                put_block(t, &k[1], 0, &totals);
                for (uint32_t turn = 0; turn < 1000; turn++)
                    put_block(t, &k[1], 1, &totals);
                put_block(t, &k[1], 2, &totals);
                assert_ok(trace_thread_end(t, &totals, &err), err);
            }
        }
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k[0]);
    free_kernel(&k[1]);
}

/* ---- comparison --------------------------------------------------------- */

/* Dump `trace` into the file `text`, without the lines of assembly (their syntax is the
 * disassembler's business, not the format's) and without the version. */
static void dump_to(const char *trace, const char *text)
{
    const struct trace_dump_options all = {0,          UINT32_MAX, 0,
                                           UINT32_MAX, true,       TRACE_DUMP_TEXT};
    struct trace_reader *r = open_reader(trace);
    FILE *whole = tmpfile(), *out = fopen(text, "w");
    char line[8192];
    struct igpu_err err;

    assert_non_null(whole);
    assert_non_null(out);
    assert_ok(trace_verify(r, &err), err);
    assert_ok(trace_print_dump(r, &all, whole, &err), err);
    rewind(whole);
    while (fgets(line, sizeof(line), whole))
        if (strncmp(line, "  asm: ", 7) != 0 && strncmp(line, "format: ", 8) != 0)
            fputs(line, out);
    fclose(whole);
    assert_int_equal(fclose(out), 0);
    trace_close(r);
}

static void check_text(const char *trace)
{
    char name[256];
    uint8_t *got, *expected;
    size_t got_size, expected_size;

    dump_to(trace, temp_name(name, sizeof(name), "dump"));
    got = read_file(name, &got_size);
    expected = read_file(golden_text, &expected_size);
    remove(name);
    assert_int_equal(got_size, expected_size);
    assert_memory_equal(got, expected, got_size);
    free(got);
    free(expected);
}

static void test_the_golden_trace_reads_as_ever(void **state)
{
    (void)state;
    check_text(golden_trace);
}

static void test_the_same_content_written_today_reads_the_same(void **state)
{
    char name[256];

    (void)state;
    write_golden(temp_name(name, sizeof(name), "golden"));
    check_text(name);
    remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_golden_trace_reads_as_ever),
        cmocka_unit_test(test_the_same_content_written_today_reads_the_same),
    };

    if (getenv("TRACE_GOLDEN_WRITE")) {
        write_golden(golden_trace);
        dump_to(golden_trace, golden_text);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
