/* test_trace_graphics.c - what messages of graphics are about: random ones as bytes and
 * back, the bytes that a reader refuses, and a trace of them written, read in both
 * ways, and refused in an older version. */
#include "tests/traces/test_trace_util.h"

#include "traces/format/trace_graphics.h"

enum { MESSAGES = 200, INSTS = 5, PAYLOAD = 0, TEXTURE, TARGET, PLAIN };

static const uint8_t families[] = {ISA_MSG_PAYLOAD, ISA_MSG_TEXTURE, ISA_MSG_TARGET};

/* Small and large, often 0. */
static uint64_t number(struct rng *r, uint32_t bits)
{
    return rng_below(r, 3) == 0 ? 0 : rng_next(r) >> (64 - bits) >> rng_below(r, bits);
}

static void random_payload(struct rng *r, struct trace_payload *p)
{
    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        p->work[w] = number(r, 64);
    p->needed = number(r, 64);
    p->draw = (uint32_t)number(r, 32);
    p->stage = (enum trace_stage)rng_below(r, TRACE_STAGES);
    p->runs = rng_below(r, TRACE_DEPTH_RUNS + 1);
    for (uint32_t i = 0; i < p->runs; i++)
        p->depth[i] = (struct trace_depth){number(r, 52) * TRACE_DEPTH_PAGE,
                                           number(r, 64), (uint8_t)rng_below(r, 8)};
}

static struct trace_graphics random_message(struct rng *r, uint32_t which,
                                            uint32_t lines)
{
    struct trace_graphics g;

    memset(&g, 0, sizeof(g)); /* the union's padding is compared */
    g.family = families[which];
    if (which == PAYLOAD)
        random_payload(r, &g.payload);
    else if (which == TEXTURE)
        g.texture.samples = (uint32_t)number(r, 32);
    else
        g.target.written = (uint32_t)number(r, 32);
    if (which == TARGET)
        g.target.read = (uint32_t)number(r, 32);
    for (uint32_t i = 0; i < lines; i++)
        g.how[i] =
            (uint8_t)(i > 0 && rng_below(r, 3) ? g.how[i - 1] : rng_below(r, 32));
    return g;
}

static void assert_same(const struct trace_graphics *a, const struct trace_graphics *b,
                        uint32_t lines)
{
    assert_int_equal(a->family, b->family);
    if (a->family == ISA_MSG_PAYLOAD) {
        assert_memory_equal(a->payload.work, b->payload.work, sizeof(a->payload.work));
        assert_int_equal(a->payload.needed, b->payload.needed);
        assert_int_equal(a->payload.draw, b->payload.draw);
        assert_int_equal(a->payload.stage, b->payload.stage);
        assert_int_equal(a->payload.runs, b->payload.runs);
        for (uint32_t i = 0; i < a->payload.runs; i++) {
            assert_int_equal(a->payload.depth[i].page, b->payload.depth[i].page);
            assert_int_equal(a->payload.depth[i].lines, b->payload.depth[i].lines);
            assert_int_equal(a->payload.depth[i].how, b->payload.depth[i].how);
        }
    } else if (a->family == ISA_MSG_TEXTURE) {
        assert_int_equal(a->texture.samples, b->texture.samples);
    } else {
        assert_int_equal(a->target.written, b->target.written);
        assert_int_equal(a->target.read, b->target.read);
    }
    assert_memory_equal(a->how, b->how, lines);
}

static void messages_come_back_as_they_went(void **state)
{
    struct rng r = {test_seed(27)};
    struct trace_graphics_out out;

    (void)state;
    memset(&out, 0, sizeof(out));
    for (uint32_t round = 0; round < 100; round++) {
        struct trace_graphics g[MESSAGES], back;
        uint32_t lines[MESSAGES], n = rng_below(&r, MESSAGES);
        struct trace_bytes bytes = {0};
        struct trace_graphics_in in;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t which = rng_below(&r, 3);

            lines[i] = which == PAYLOAD ? 0 : rng_below(&r, TRACE_MAX_LANES + 1);
            g[i] = random_message(&r, which, lines[i]);
            trace_graphics_put(&out, &g[i], lines[i]);
        }
        trace_graphics_encode(&out, &bytes);
        assert_true(trace_graphics_open(&in, bytes.data, bytes.size));
        for (uint32_t i = 0; i < n; i++) {
            assert_true(trace_graphics_next(&in, g[i].family, lines[i], &back));
            assert_same(&g[i], &back, lines[i]);
        }
        assert_true(trace_graphics_over(&in));
        trace_bytes_free(&bytes);
    }
    trace_graphics_free(&out);
}

/* Is a message read, and the whole column used, that has these numbers in one column?
 */
static bool is_read(uint8_t family, uint32_t lines, uint32_t column, uint64_t first,
                    uint64_t second)
{
    struct trace_bytes bytes = {0}, packed = {0};
    struct trace_graphics_in in;
    struct trace_graphics g;
    bool good;

    trace_bytes_varint(&packed, first);
    trace_bytes_varint(&packed, second);
    trace_bytes_varint(&bytes, column << 3 | 2);
    trace_bytes_varint(&bytes, packed.size);
    trace_bytes_put(&bytes, packed.data, packed.size);
    good = trace_graphics_open(&in, bytes.data, bytes.size) &&
           trace_graphics_next(&in, family, lines, &g) && trace_graphics_over(&in);
    trace_bytes_free(&bytes);
    trace_bytes_free(&packed);
    return good;
}

static void what_no_message_has_is_refused(void **state)
{
    static const uint8_t cut[] = {1 << 3 | 2, 5, 1},
                         twice[] = {1 << 3 | 2, 0, 1 << 3 | 2, 0},
                         loose[] = {1 << 3 | 0, 5},
                         later[] = {0x98, 6, 7} /* field 99 */;
    struct trace_graphics_in in;

    (void)state;
    assert_true(is_read(ISA_MSG_PAYLOAD, 0, TRACE_G_WORK, UINT64_MAX, 1));
    assert_false(is_read(ISA_MSG_PAYLOAD, 1, TRACE_G_WORK, 1, 1)); /* it has no line */
    assert_false(is_read(ISA_MSG_PAYLOAD, 0, TRACE_G_NEEDED, 1, 2)); /* of two */
    assert_false(is_read(ISA_MSG_PAYLOAD, 0, TRACE_G_STAGE, TRACE_STAGES, 0));
    assert_false(is_read(ISA_MSG_PAYLOAD, 0, TRACE_G_RUNS, TRACE_DEPTH_RUNS + 1, 0));
    assert_false(is_read(ISA_MSG_TEXTURE, 1, TRACE_G_SAMPLES, UINT64_C(1) << 32, 0));
    assert_false(is_read(ISA_MSG_TARGET, 1, TRACE_G_SAMPLES, 1, 0));
    assert_false(is_read(ISA_MSG_TARGET, 2, TRACE_G_HOW, 1, 1)); /* runs of no line */
    assert_false(is_read(ISA_MSG_TARGET, 2, TRACE_G_HOW_LINES, 3, 0)); /* of two */
    assert_false(is_read(ISA_MSG_TARGET, 2, TRACE_G_HOW, 32, 0));
    assert_false(trace_graphics_open(&in, cut, sizeof(cut)));
    assert_false(trace_graphics_open(&in, twice, sizeof(twice)));
    assert_false(trace_graphics_open(&in, loose, sizeof(loose)));
    assert_true(trace_graphics_open(&in, later, sizeof(later)));
}

/* ---- a trace ------------------------------------------------------------ */

static struct isa_inst code[INSTS];

static void graphics_kernel(struct trace_kernel *k, struct igpu_err *err)
{
    static const uint8_t of[INSTS] = {ISA_MSG_PAYLOAD, ISA_MSG_TEXTURE, ISA_MSG_TARGET,
                                      ISA_MSG_UNTYPED_READ, ISA_MSG_EOT};

    memset(code, 0, sizeof(code));
    for (uint32_t i = 0; i < INSTS; i++) {
        code[i] = (struct isa_inst){.op = ISA_OP_SEND,
                                    .pc = 16 * i,
                                    .size = 16,
                                    .exec_size = 8,
                                    .flag = -1,
                                    .nsrc = 1,
                                    .jip = ISA_NO_TARGET,
                                    .uip = ISA_NO_TARGET,
                                    .eot = i == INSTS - 1};
        code[i].dst = (struct isa_operand){
            .file = ISA_FILE_GRF, .type = ISA_TYPE_UD, .mme = ISA_MME_NONE};
        for (unsigned s = 0; s < ISA_MAX_SRC; s++)
            code[i].src[s].mme = ISA_MME_NONE;
        code[i].src[0] = code[i].dst;
        code[i].msg.atomic_op = ISA_ATOMIC_NONE;
        code[i].msg.family = of[i];
        code[i].msg.mlen = 1;
        code[i].msg.rlen = i == PLAIN ? 1 : 0;
        code[i].msg.is_read = code[i].msg.returns_data = i != INSTS - 1;
        code[i].msg.elements = code[i].msg.element_bytes = i == PLAIN ? 4 : 0;
        code[i].msg.sfid = i == TEXTURE  ? ISA_SFID_SAMPLER
                           : i == TARGET ? ISA_SFID_RENDER
                           : i == PLAIN  ? ISA_SFID_DC1
                                         : ISA_SFID_SPAWNER;
    }
    memset(k, 0, sizeof(*k));
    k->name = "shaders";
    k->simd = 8;
    k->grf_count = ISA_GRF_COUNT;
    k->graphics = true;
    k->code = (struct isa_kernel_code){
        .inst = code, .count = INSTS, .text_bytes = 16 * INSTS};
    assert_int_equal(isa_blocks(&k->code, &k->blocks, err), IGPU_OK);
}

struct told {
    struct trace_graphics g[3]; /* of PAYLOAD, TEXTURE, TARGET */
    uint32_t mask[3];
};

enum { THREADS = 40 };

static void write_trace(const char *path, struct told told[THREADS], struct rng *r)
{
    const struct trace_header header = {"test", "skl", "", "", true, false};
    struct trace_launch launch = {.dims = 1,
                                  .global = {THREADS, 1, 1},
                                  .local = {1, 1, 1},
                                  .threads_per_group = 1,
                                  .threads = THREADS,
                                  .draw = 1};
    const struct trace_totals totals = {INSTS, INSTS, 0};
    uint64_t addr[TRACE_MAX_LANES];
    struct trace_kernel kernel;
    struct igpu_err err;
    struct trace_writer *w = trace_writer_open(path, &header, NULL, &err);

    assert_non_null(w);
    graphics_kernel(&kernel, &err);
    if (trace_writer_kernel(w, &kernel, &launch.kernel, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    isa_blocks_free(&kernel.blocks);
    assert_int_equal(trace_writer_launch_begin(w, &launch, NULL, &err), IGPU_OK);
    for (uint32_t i = 0; i < TRACE_MAX_LANES; i++)
        addr[i] = 0x1000 * (uint64_t)i * i;
    for (uint32_t n = 0; n < THREADS; n++) {
        struct trace_thread *t = trace_thread_begin(w, n);

        trace_thread_block(t, 0);
        for (uint32_t i = 0; i < PLAIN; i++) {
            told[n].mask[i] = i == PAYLOAD ? 0 : (uint32_t)rng_next(r);
            told[n].g[i] =
                random_message(r, i, (uint32_t)__builtin_popcount(told[n].mask[i]));
            trace_thread_graphics(t, i, told[n].mask[i], addr, &told[n].g[i]);
        }
        trace_thread_access(t, PLAIN, 0xF, addr);
        if (trace_thread_end(t, &totals, &err) != IGPU_OK)
            fail_msg("%s", err.text);
    }
    assert_int_equal(trace_writer_launch_end(w, &err), IGPU_OK);
    if (trace_writer_close(w, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static void read_trace(struct trace_reader *r, const struct told told[THREADS])
{
    static const bool targets[INSTS] = {[TARGET] = true};
    uint64_t addr[TRACE_MAX_LANES], stride;
    uint32_t inst, mask;
    struct igpu_err err;
    bool even;

    for (uint32_t n = 0; n < THREADS; n++) {
        struct trace_cursor *c = trace_cursor_open(r, 0, n, NULL, &err);

        for (uint32_t i = 0; i < PLAIN; i++) {
            assert_int_equal(trace_cursor_next_lanes(c, &inst, &mask, addr, &err),
                             TRACE_NEXT_OK);
            assert_int_equal(mask, told[n].mask[i]);
            assert_same(trace_cursor_graphics(c), &told[n].g[i],
                        (uint32_t)__builtin_popcount(mask));
        }
        assert_int_equal(trace_cursor_next_lanes(c, &inst, &mask, addr, &err),
                         TRACE_NEXT_OK);
        assert_null(trace_cursor_graphics(c));
        trace_cursor_close(c);
        c = trace_cursor_open(r, 0, n, NULL, &err); /* all but one passed over */
        assert_int_equal(
            trace_cursor_next_of(c, targets, &inst, &mask, addr, &even, &stride, &err),
            TRACE_NEXT_OK);
        assert_same(trace_cursor_graphics(c), &told[n].g[TARGET],
                    (uint32_t)__builtin_popcount(mask));
        trace_cursor_close(c);
    }
}

static void a_trace_of_graphics_is_read_as_written_and_refused_when_older(void **state)
{
    struct told *told = calloc(THREADS, sizeof(*told));
    struct rng rng = {test_seed(28)};
    char path[300];
    struct igpu_err err;
    enum igpu_status status;
    struct trace_reader *r;
    FILE *file;

    (void)state;
    assert_non_null(told);
    write_trace(temp_name(path, sizeof(path), "graphics"), told, &rng);
    r = trace_open(path, &status, &err);
    if (r == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(trace_summary(r)->minor, TRACE_MINOR);
    if (trace_verify(r, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    read_trace(r, told);
    trace_close(r);
    file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 7, SEEK_SET), 0);
    assert_int_equal(fputc(9, file), 9);
    assert_int_equal(fclose(file), 0);
    assert_null(trace_open(path, &status, &err));
    assert_int_equal(status, IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "version 1.9"));
    assert_non_null(strstr(err.text, "igpu frame trace -o"));
    unlink(path);
    free(told);
}

/* Whole files of such versions, kept as they were written. */
static void frames_of_older_versions_are_refused(void **state)
{
    static const char *const file[] = {"tests/fuzzing/corpus/trace/frame_1.5",
                                       "tests/fuzzing/corpus/trace/frame_1.7"};
    enum igpu_status status;
    struct igpu_err err;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        assert_null(trace_open(file[i], &status, &err));
        assert_int_equal(status, IGPU_BAD_INPUT);
        assert_non_null(strstr(err.text, i == 0 ? "version 1.5" : "version 1.7"));
        assert_non_null(strstr(err.text, "igpu frame trace -o"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_back_as_they_went),
        cmocka_unit_test(what_no_message_has_is_refused),
        cmocka_unit_test(a_trace_of_graphics_is_read_as_written_and_refused_when_older),
        cmocka_unit_test(frames_of_older_versions_are_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
