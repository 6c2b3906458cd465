/* test_trace_size.c - how small traces are: multiply-add loops, pointer chases over
 * one and several laps, short threads with regular accesses. The limits are those of
 * the format's contract; each test prints what it measured. */
#include <math.h>

#include "tests/traces/test_trace_util.h"

enum { LINE = 64 };

/* ---- helpers ------------------------------------------------------------ */

/* A loop kernel's path: entry, `turns` times the body, end. */
static struct trace_totals put_loop(struct trace_thread *t,
                                    const struct trace_kernel *k, uint32_t turns)
{
    struct trace_totals totals = {0, 0, 0};
    const struct isa_block *b = k->blocks.block;

    trace_thread_block(t, 0);
    for (uint32_t i = 0; i < turns; i++)
        trace_thread_block(t, 1);
    trace_thread_block(t, 2);
    totals.instructions = b[0].count + (uint64_t)turns * b[1].count + b[2].count;
    totals.lane_instructions = 16 * totals.instructions;
    totals.flops = 2 * totals.lane_instructions;
    return totals;
}

struct sizes {
    uint64_t file, instructions;
};

static struct sizes finish(struct trace_writer *w, const char *name)
{
    struct igpu_err err;
    struct trace_reader *r;
    struct sizes s;

    assert_ok(trace_writer_launch_end(w, &err), err);
    assert_ok(trace_writer_close(w, &err), err);
    r = open_reader(name);
    assert_ok(trace_verify(r, &err), err);
    s.file = file_bytes(name);
    s.instructions = trace_summary(r)->totals.instructions;
    trace_close(r);
    remove(name);
    return s;
}

/* ---- multiply-add ------------------------------------------------------- */

/* 168 threads alike, each writing its results once: 16 lanes, 4 bytes apart. */
static double mad_bytes_per_instruction(uint32_t turns)
{
    struct isa_inst body[64];
    struct trace_kernel k;
    char name[256];
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "mad"));
    struct trace_launch l = plain_launch(0, 168, 1);
    struct igpu_err err;
    struct sizes s;
    uint32_t index;

    for (uint8_t i = 0; i < 64; i++)
        body[i] = mad_inst((uint8_t)(20 + i % 2));
    loop_kernel(&k, "mad", body, 64);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < l.threads; i++) {
        struct trace_thread *t = trace_thread_begin(w, i);
        struct trace_totals totals = put_loop(t, &k, turns);

        assert_ok(trace_thread_end(t, &totals, &err), err);
    }
    s = finish(w, name);
    free_kernel(&k);
    printf("mad, %u turns: %llu bytes, %.6f per instruction\n", turns,
           (unsigned long long)s.file, (double)s.file / (double)s.instructions);
    return (double)s.file / (double)s.instructions;
}

static void test_mad_loops_take_less_than_a_twentieth_of_a_byte(void **state)
{
    (void)state;
    assert_true(mad_bytes_per_instruction(25) < 0.05);
    assert_true(mad_bytes_per_instruction(1000) < 0.002);
    assert_true(mad_bytes_per_instruction(100000) < 0.00002);
}

/* ---- pointer chases ----------------------------------------------------- */

/* One random cycle through all lines: next[i] is the line after line i. */
static uint32_t *random_cycle(uint32_t lines, uint64_t seed)
{
    struct rng g = {seed};
    uint32_t *order = malloc(lines * sizeof(*order));
    uint32_t *next = malloc(lines * sizeof(*next));

    assert_non_null(order);
    assert_non_null(next);
    for (uint32_t i = 0; i < lines; i++)
        order[i] = i;
    for (uint32_t i = lines - 1; i > 0; i--) {
        uint32_t j = rng_below(&g, i + 1), swap = order[i];

        order[i] = order[j];
        order[j] = swap;
    }
    for (uint32_t i = 0; i < lines; i++)
        next[order[i]] = order[(i + 1) % lines];
    free(order);
    return next;
}

/* How a chase is compiled: reads a turn, and whether each comes with a second half
 * that has no lane on. */
struct shape {
    uint32_t unroll;
    bool halves;
};

/* Bytes of the thread sections of one chase of `steps`; `seed` is its lap's. */
static uint64_t chase_bytes(uint32_t lines, uint32_t steps, struct shape shape,
                            uint64_t seed)
{
    struct isa_inst body[64];
    struct trace_kernel k;
    char name[256];
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "chase"));
    struct trace_launch l = plain_launch(0, 1, 1);
    uint32_t *next = random_cycle(lines, seed), at = 0, n = 0, index;
    struct trace_thread *t;
    struct trace_totals totals;
    struct trace_reader *r;
    struct igpu_err err;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < shape.unroll * (1u + shape.halves); i++)
        body[n++] = read_inst(20);
    loop_kernel(&k, "chase", body, n);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    t = trace_thread_begin(w, 0);
    totals = put_loop(t, &k, steps / shape.unroll);
    for (uint32_t i = 0; i < steps / shape.unroll; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint64_t addr = 0x10000400u + (uint64_t)at * LINE;

            if (shape.halves && j % 2) {
                trace_thread_access(t, k.blocks.block[1].first + j, 0, NULL);
                continue;
            }
            trace_thread_access(t, k.blocks.block[1].first + j, 1, &addr);
            at = next[at];
        }
    assert_ok(trace_thread_end(t, &totals, &err), err);
    assert_ok(trace_writer_launch_end(w, &err), err);
    assert_ok(trace_writer_close(w, &err), err);
    r = open_reader(name);
    assert_ok(trace_verify(r, &err), err);
    for (uint32_t i = 0; i < trace_summary(r)->chunks; i++)
        if (strcmp(trace_chunk(r, i).kind, "threads") == 0)
            bytes += trace_chunk(r, i).bytes;
    trace_close(r);
    remove(name);
    free_kernel(&k);
    free(next);
    return bytes;
}

static void check_chase(uint32_t lines, uint32_t laps, struct shape shape)
{
    double entropy = log2((double)lines) - 1.44; /* bits a step of one lap */
    uint64_t one = 0, all = 0;
    uint32_t chases = lines <= 1 << 14 ? 4 : 1;
    double bits;

    for (uint64_t seed = 7; seed < 7 + chases; seed++) {
        one += chase_bytes(lines, lines, shape, seed) / chases;
        all += chase_bytes(lines, laps * lines, shape, seed) / chases;
    }
    bits = 8.0 * (double)one / lines;
    printf("chase, %7u lines, unrolled %2u%s: %8llu bytes, %5.2f bits a step = %.2f x "
           "entropy; %2u laps: %8llu bytes = %.3f x one lap\n",
           lines, shape.unroll, shape.halves ? " in halves" : "",
           (unsigned long long)one, bits, bits / entropy, laps, (unsigned long long)all,
           (double)all / (double)one);
    assert_true(bits <= 1.25 * entropy);
    /* Where laps begin anew, segments are stored twice until a cut is where one was: by
     * chance, of short laps 0 to 17 % (12 chases of 16,384 lines). */
    assert_true((double)all <= 1.05 * (double)one + 1500);
}

static void test_a_chase_costs_its_entropy_and_laps_are_nearly_free(void **state)
{
    const struct shape plain = {1, false}, halves = {1, true}, unrolled = {16, true};

    (void)state;
    for (uint32_t lines = 1u << 12; lines <= 1u << 18; lines *= 4) {
        check_chase(lines, 4, plain);
        check_chase(lines, 4, halves);
        check_chase(lines, 4, unrolled);
    }
    check_chase(1u << 20, 3, halves);
    check_chase(1u << 13, 200, halves);
    check_chase(3000, 200, plain);
    check_chase(48 * 1024, 20, halves);
    check_chase(100003, 6, plain);
}

/* ---- regular accesses --------------------------------------------------- */

/* c[i] = a[i] + b[i]: many short threads, 22 instructions each. */
static void test_short_regular_threads_take_under_a_byte(void **state)
{
    struct isa_inst body[3] = {read_inst(20), read_inst(24), read_inst(28)};
    struct trace_kernel k;
    char name[256];
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "regular"));
    struct trace_launch l = plain_launch(0, 2048, 8);
    struct igpu_err err;
    struct sizes s;
    uint32_t index;

    (void)state;
    loop_kernel(&k, "add", body, 3);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < l.threads; i++) {
        struct trace_thread *t = trace_thread_begin(w, i);
        struct trace_totals totals = put_loop(t, &k, 2);

        for (uint32_t j = 0; j < 6; j++) {
            uint64_t addr[16], from = 0x7f0000000000u + 0x1000000u * (j % 3);

            for (uint32_t lane = 0; lane < 16; lane++)
                addr[lane] = from + 4 * (i * 32 + j / 3 * 16 + lane);
            trace_thread_access(t, k.blocks.block[1].first + j % 3, 0xffff, addr);
        }
        assert_ok(trace_thread_end(t, &totals, &err), err);
    }
    s = finish(w, name);
    free_kernel(&k);
    printf("regular: %llu bytes, %.3f per instruction\n", (unsigned long long)s.file,
           (double)s.file / (double)s.instructions);
    assert_true((double)s.file / (double)s.instructions < 1.0);
}

/* A transposed copy and a 5-point stencil's reads: strides and overlapping rows. */
static void test_long_regular_threads_take_a_tenth_of_a_byte(void **state)
{
    struct isa_inst body[6];
    struct trace_kernel k;
    char name[256];
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "stencil"));
    struct trace_launch l = plain_launch(0, 64, 1);
    struct igpu_err err;
    struct sizes s;
    uint32_t index;

    (void)state;
    for (uint8_t i = 0; i < 6; i++)
        body[i] = read_inst((uint8_t)(20 + 2 * i));
    loop_kernel(&k, "stencil", body, 6);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < l.threads; i++) {
        static const int32_t at[5] = {0, -4, 4, -4096, 4096};
        struct trace_thread *t = trace_thread_begin(w, i);
        struct trace_totals totals = put_loop(t, &k, 5000);

        for (uint32_t turn = 0; turn < 5000; turn++)
            for (uint32_t j = 0; j < 6; j++) {
                uint64_t addr[16];

                for (uint32_t lane = 0; lane < 16; lane++)
                    addr[lane] = j < 5 ? 0x40000000u + 4096u * i + 64u * (turn % 64) +
                                             65536u * (turn / 64) + 4u * lane +
                                             (uint64_t)(int64_t)at[j]
                                       : 0x90000000u + 4u * turn + 32768u * lane;
                trace_thread_access(t, k.blocks.block[1].first + j, 0xffff, addr);
            }
        assert_ok(trace_thread_end(t, &totals, &err), err);
    }
    s = finish(w, name);
    free_kernel(&k);
    printf("stencil: %llu bytes, %.4f per instruction\n", (unsigned long long)s.file,
           (double)s.file / (double)s.instructions);
    assert_true((double)s.file / (double)s.instructions < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mad_loops_take_less_than_a_twentieth_of_a_byte),
        cmocka_unit_test(test_a_chase_costs_its_entropy_and_laps_are_nearly_free),
        cmocka_unit_test(test_short_regular_threads_take_under_a_byte),
        cmocka_unit_test(test_long_regular_threads_take_a_tenth_of_a_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
