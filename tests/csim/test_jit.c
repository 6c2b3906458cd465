/* test_jit.c - kernels that are translated (docs/contract/jit.md) against the
 * interpreter: every case of the suite at each width, all buffers and counts byte for
 * byte, and recorded, by one host thread or two in turn, the traces; faults and limits,
 * with their texts.
 *
 *   test_jit         the cases of traces/kernels/cases.yaml, each at one width,
 * recorded and run in turn; with IGPU_LONG at each width, in both ways test_jit CASE
 * one of them, in all ways
 *
 * Can not find: what both do wrong; that is the other tests' of the emulator.
 * tests/run: timeout=900 slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "traces/kernels/cases.h"
#include "traces/record/record.h"

enum { PATH_BYTES = 512, MAX_BUFFERS = 32 };

static const char list[] = "traces/kernels/cases.yaml";

/* How to run, and what a run left behind. */
struct how {
    const char *jit, *trace; /* trace: file to write; NULL: none */
    uint64_t limit;
    uint32_t host_threads;
};
struct seen {
    enum igpu_status status;
    struct igpu_err err;
    struct emu_counts counts;
    struct record_buffer buffer[MAX_BUFFERS];
    uint32_t buffers;
};

static void run(const struct case_list *cases, const struct kernel_case *c,
                unsigned simd, const struct how *how, struct seen *seen)
{
    struct record_job job = {.dims = c->dims,
                             .arg = c->args,
                             .arg_count = (uint32_t)c->arg_count,
                             .device = "skl",
                             .file = c->file,
                             .max_instructions = how->limit,
                             .host_threads = how->host_threads,
                             .trace = how->trace,
                             .command_line = ""};
    char source[PATH_BYTES], options[PATH_BYTES];
    struct record_program program;
    struct record_result result;

    memset(seen, 0, sizeof(*seen));
    assert_int_equal(setenv("IGPU_JIT", how->jit, 1), 0);
    for (unsigned i = 0; i < 3; i++) {
        job.global[i] = c->global[i];
        job.local[i] = c->local[i];
    }
    snprintf(source, PATH_BYTES, "%s/%s", cases->folder, c->file);
    assert_int_equal(case_options(c, simd, options, sizeof(options)), 0);
    if (record_open(&program, source, "skl", options, c->kernel, NULL, &seen->err) !=
        IGPU_OK)
        fail_msg("%s SIMD%u: %s", c->name, simd, seen->err.text);
    memset(&result, 0, sizeof(result));
    seen->status = record_run(&program, &job, &result, &seen->err);
    seen->counts = result.counts;
    seen->buffers = result.buffers;
    assert_true(result.buffers <= MAX_BUFFERS);
    for (uint32_t i = 0; i < result.buffers; i++) {
        seen->buffer[i] = result.buffer[i];
        seen->buffer[i].host = NULL;
        if (result.buffer[i].host == NULL)
            continue;
        seen->buffer[i].host = malloc(result.buffer[i].bytes);
        assert_non_null(seen->buffer[i].host);
        memcpy(seen->buffer[i].host, result.buffer[i].host, result.buffer[i].bytes);
    }
    record_result_free(&program, &result);
    record_close(&program);
}

static void forget(struct seen *seen)
{
    for (uint32_t i = 0; i < seen->buffers; i++)
        free(seen->buffer[i].host);
}

static void compare(const struct kernel_case *c, unsigned simd, const struct seen *a,
                    const struct seen *b)
{
    if (a->status != b->status || strcmp(a->err.text, b->err.text) != 0)
        fail_msg("%s SIMD%u: \"%s\", translated \"%s\"", c->name, simd, a->err.text,
                 b->err.text);
    if (memcmp(&a->counts, &b->counts, sizeof(a->counts)) != 0)
        fail_msg("%s SIMD%u: %llu instructions, %llu lanes, %llu flops; translated "
                 "%llu, %llu, %llu",
                 c->name, simd, (unsigned long long)a->counts.instructions,
                 (unsigned long long)a->counts.lane_instructions,
                 (unsigned long long)a->counts.flops,
                 (unsigned long long)b->counts.instructions,
                 (unsigned long long)b->counts.lane_instructions,
                 (unsigned long long)b->counts.flops);
    assert_int_equal(a->buffers, b->buffers);
    for (uint32_t i = 0; i < a->buffers; i++) {
        const uint8_t *x = a->buffer[i].host, *y = b->buffer[i].host;

        for (uint64_t k = 0; x != NULL && k < a->buffer[i].bytes; k++)
            if (x[k] != y[k])
                fail_msg("%s SIMD%u: byte %llu of buffer %u is 0x%02x, translated "
                         "0x%02x",
                         c->name, simd, (unsigned long long)k, i, x[k], y[k]);
    }
}

static void both(const struct case_list *cases, const struct kernel_case *c,
                 unsigned simd, uint64_t limit)
{
    const struct how off = {.jit = "off", .limit = limit};
    const struct how now = {.jit = "now", .limit = limit};
    struct seen a, b;

    run(cases, c, simd, &off, &a);
    run(cases, c, simd, &now, &b);
    compare(c, simd, &a, &b);
    forget(&a);
    forget(&b);
}

/* ---- recorded ----------------------------------------------------------------------
 */

static char traces[2][PATH_BYTES];

/* The files' bytes. */
static bool same_files(void)
{
    FILE *f[2] = {fopen(traces[0], "rb"), fopen(traces[1], "rb")};
    static uint8_t bytes[2][65536];
    size_t got[2] = {0, 0}, all = 0;
    bool same = f[0] != NULL && f[1] != NULL;

    while (same) {
        for (unsigned i = 0; i < 2; i++)
            got[i] = fread(bytes[i], 1, sizeof(bytes[i]), f[i]);
        same = got[0] == got[1] && memcmp(bytes[0], bytes[1], got[0]) == 0;
        all += got[0];
        if (got[0] == 0)
            break;
    }
    for (unsigned i = 0; i < 2; i++)
        if (f[i] != NULL)
            (void)fclose(f[i]);
    return same && all > 0;
}

static void both_traces(const struct case_list *cases, const struct kernel_case *c,
                        unsigned simd, uint32_t threads)
{
    const struct how off = {.jit = "off", .trace = traces[0]};
    const struct how now = {.jit = "now", .trace = traces[1], .host_threads = threads};
    struct seen a, b;

    run(cases, c, simd, &off, &a);
    run(cases, c, simd, &now, &b);
    compare(c, simd, &a, &b);
    if (!same_files())
        fail_msg("%s SIMD%u, %u host threads: the traces differ", c->name, simd,
                 threads);
    forget(&a);
    forget(&b);
}

/* Interpreted, translated, and translated to what tells: one error. */
static void fails(const struct case_list *cases, const struct kernel_case *c,
                  unsigned simd, const char *says)
{
    const struct how off = {.jit = "off", .limit = 100000};
    const struct how now[] = {{.jit = "now", .limit = 100000},
                              {.jit = "now", .limit = 100000, .trace = traces[0]}};
    struct seen a, b;

    run(cases, c, simd, &off, &a);
    if (a.status != IGPU_SIM_ERROR || strstr(a.err.text, says) == NULL)
        fail_msg("%s SIMD%u: \"%s\" lacks \"%s\"", c->name, simd, a.err.text, says);
    for (unsigned i = 0; i < 2; i++) {
        run(cases, c, simd, &now[i], &b);
        compare(c, simd, &a, &b);
        forget(&b);
    }
    forget(&a);
}

static const char *only;

/* Without IGPU_LONG: of twelve widths one, another for each case (`number` counts
 * widths of all cases), and every second case recorded. */
static bool is_due(bool traced, size_t number, size_t i)
{
    return only != NULL || getenv("IGPU_LONG") != NULL ||
           ((number + i) % 12 == 0 && traced == (i % 2 == 0));
}

static void each_case(bool traced)
{
    struct case_list cases;
    struct igpu_err err;
    unsigned ran = 0;
    size_t number = 0;

    assert_int_equal(cases_load(list, &cases, &err), IGPU_OK);
    for (size_t i = 0; i < cases.count; i++) {
        const struct kernel_case *c = &cases.cases[i];

        for (size_t k = 0; k < c->simd_count; k++) {
            if (only != NULL && strcmp(only, c->name) != 0)
                continue;
            if (!is_due(traced, number++, i))
                continue;
            if (traced)
                both_traces(&cases, c, c->simd[k], 1 + ran % 2);
            else
                both(&cases, c, c->simd[k], 0);
            ran++;
        }
    }
    printf("# %u kernels and widths\n", ran);
    assert_true(ran > 0);
    cases_free(&cases);
}

static void test_every_case(void **state)
{
    (void)state;
    each_case(false);
}

static void test_every_trace(void **state)
{
    (void)state;
    each_case(true);
}

/* The limit ends a launch at the same block, with the same text and counts. */
static void test_limits(void **state)
{
    static const char *const names[] = {"mad_sp", "divergent", "matmul_tiled"};
    struct case_list cases;
    struct igpu_err err;

    (void)state;
    assert_int_equal(cases_load(list, &cases, &err), IGPU_OK);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        for (uint64_t limit = 1; limit < 20000; limit = limit * 9 + 1)
            both(&cases, cases_find(&cases, names[i]), 16, limit);
    cases_free(&cases);
}

/* Kernels that end badly: the text names the same instruction, thread and lane, and the
 * buffers hold what was written until then. */
static void test_faults(void **state)
{
    static const struct {
        char *kernel, *options;
        const char *arg[2], *says;
    } fault[] = {
        {"wild", "", {"buf:16384", "i32:5"}, "accesses 4 bytes at offset"},
        {"wild_pointer", "", {"buf:8192:rand:1", "buf:4096"}, "in no buffer"},
        {"wild_local", "", {"buf:4096", "i32:9"}, "shared memory"},
        {"endless", "", {"buf:4096", NULL}, "limit of instructions"},
        {"stack", "", {"buf:4096", "i32:1000"}, "calls nest deeper"},
        {"stack", "-cl-opt-disable", {"buf:4096", "i32:1000"}, "calls nest deeper"},
    };
    struct case_list none = {.folder = "tests/csim"};

    (void)state;
    for (unsigned i = 0; i < sizeof(fault) / sizeof(fault[0]); i++) {
        struct argspec arg[2];
        struct kernel_case c = {.name = fault[i].kernel,
                                .kernel = fault[i].kernel,
                                .options = fault[i].options,
                                .file = "test_jit_faults.cl",
                                .dims = 1,
                                .global = {1024, 1, 1},
                                .local = {64, 1, 1},
                                .args = arg};
        struct igpu_err err;

        for (; c.arg_count < 2 && fault[i].arg[c.arg_count] != NULL; c.arg_count++)
            assert_int_equal(
                argspec_parse(fault[i].arg[c.arg_count], &arg[c.arg_count], &err),
                IGPU_OK);
        for (unsigned simd = 8; simd <= 32; simd *= 2)
            if (getenv("IGPU_LONG") != NULL || simd == 8u << i % 3)
                fails(&none, &c, simd, fault[i].says);
    }
}

static bool use_library(void)
{
    const char *build = getenv("IGPU_BUILD");
    char folder[PATH_BYTES], path[2 * PATH_BYTES];

    if (build == NULL)
        build = "build";
    if (build[0] != '/' && getcwd(folder, sizeof(folder)) == NULL)
        return false;
    snprintf(path, sizeof(path), "%s/%s/lib/libigpu_jit.so",
             build[0] == '/' ? "" : folder, build);
    emu_jit_library(path);
    return access(path, R_OK) == 0;
}

/* Files for traces, in the test's folder. */
static int name_traces(void **state)
{
    const char *folder = getenv("IGPU_TMP");

    (void)state;
    for (unsigned i = 0; folder != NULL && i < 2; i++)
        (void)snprintf(traces[i], PATH_BYTES, "%s/%u.pb", folder, i);
    return folder == NULL;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case),
        cmocka_unit_test(test_every_trace),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_faults),
    };

    only = argc > 1 ? argv[1] : NULL;
    if (!use_library()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    return cmocka_run_group_tests(tests, name_traces, NULL);
}
