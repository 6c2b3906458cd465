/* test_ocl_subgroup.c - the functions of the sub-group extensions that the devices
 * offer, at each SIMD width, with all work-items and with some of them in a branch,
 * against a model of one sub-group on the host. */
#include "rig.h"

#include <stdint.h>
#include <stdio.h>

enum { ITEMS = 64, GROUP = 64 };

/* One list for kernel and host: a number and an expression of OpenCL C each. x: the
 * item's value (0 to 40), i: its lane, on: the branch is taken by lanes with i % 3. */
#define WHOLE                                                                          \
    R(0, sub_group_ballot(x & 1).x)                                                    \
    R(1, sub_group_ballot_bit_count(sub_group_ballot(x & 1)))                          \
    R(2, sub_group_ballot_inclusive_scan(sub_group_ballot(x & 1)))                     \
    R(3, sub_group_ballot_exclusive_scan(sub_group_ballot(x & 1)))                     \
    R(4, sub_group_ballot_find_lsb(sub_group_ballot(x > 2)))                           \
    R(5, sub_group_ballot_find_msb(sub_group_ballot(x > 2)))                           \
    R(6, sub_group_inverse_ballot((uint4)(0x5a5a5a5a, 0, 0, 0)))                       \
    R(7, sub_group_ballot_bit_extract((uint4)(0x33333333, 0, 0, 0), i))                \
    R(8, get_sub_group_eq_mask().x)                                                    \
    R(9, get_sub_group_ge_mask().x &((1ul << n) - 1))                                  \
    R(10, get_sub_group_gt_mask().x &((1ul << n) - 1))                                 \
    R(11, get_sub_group_le_mask().x)                                                   \
    R(12, get_sub_group_lt_mask().x)                                                   \
    R(13, sub_group_shuffle(x, (i * 5 + 1) % n))                                       \
    R(14, sub_group_shuffle_xor((short)x, 3))                                          \
    R(15, sub_group_shuffle_up((long)x, 2) * (i >= 2))                                 \
    R(16, sub_group_shuffle_down((char)x, 1) * (i + 1 < n))                            \
    R(17, sub_group_clustered_reduce_add(x, 4))                                        \
    R(18, sub_group_clustered_reduce_max((short)x, 8))                                 \
    R(19, sub_group_reduce_add((char)x))                                               \
    R(20, sub_group_scan_inclusive_add((ulong)x))                                      \
    R(21, sub_group_scan_exclusive_max((short)x))                                      \
    R(22, (long)sub_group_reduce_min((double)x))                                       \
    R(23, (long)sub_group_scan_inclusive_add((half)x))                                 \
    R(24, sub_group_broadcast((ushort2)(x, i), 3).y)                                   \
    R(25, intel_sub_group_shuffle((uchar)x, n - 1 - i))                                \
    R(26, intel_sub_group_shuffle_xor((ulong)x << 33, 1) >> 33)                        \
    R(27, sub_group_elect())                                                           \
    R(28, sub_group_non_uniform_all_equal(x / 64))

#define BRANCH                                                                         \
    R(0, sub_group_ballot(x & 1).x)                                                    \
    R(1, sub_group_elect())                                                            \
    R(2, sub_group_non_uniform_all(x >= 0))                                            \
    R(3, sub_group_non_uniform_any(x > 39))                                            \
    R(4, sub_group_non_uniform_all_equal(x))                                           \
    R(5, sub_group_non_uniform_broadcast(x, 4))                                        \
    R(6, sub_group_broadcast_first((char)x))                                           \
    R(7, sub_group_non_uniform_reduce_add(x))                                          \
    R(8, sub_group_non_uniform_reduce_mul((long)(x & 1) + 1))                          \
    R(9, sub_group_non_uniform_reduce_min((short)x))                                   \
    R(10, sub_group_non_uniform_reduce_max((uchar)x))                                  \
    R(11, sub_group_non_uniform_reduce_and(x))                                         \
    R(12, sub_group_non_uniform_reduce_or((ushort)x))                                  \
    R(13, sub_group_non_uniform_reduce_xor((ulong)x))                                  \
    R(14, sub_group_non_uniform_reduce_logical_and(x > 1))                             \
    R(15, sub_group_non_uniform_scan_inclusive_add(x))                                 \
    R(16, sub_group_non_uniform_scan_exclusive_add((long)x))                           \
    R(17, sub_group_non_uniform_scan_inclusive_max((char)x))                           \
    R(18, sub_group_non_uniform_scan_exclusive_xor((uint)x))                           \
    R(19, (long)sub_group_non_uniform_reduce_add((float)x))                            \
    R(20, (long)sub_group_non_uniform_scan_inclusive_max((double)x))                   \
    R(21, sub_group_shuffle(x, (i / 3) * 3 + 1))

enum { RESULTS = 32 };

#define TEXT(...) #__VA_ARGS__
#define R(number, ...) "    out[" TEXT(number) "] = " TEXT(__VA_ARGS__) ";\n"
static const char source[] =
    "#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(WIDTH))) void\n"
    "#define BEGIN int g = get_global_id(0), i = get_sub_group_local_id(); \\\n"
    "    int n = get_sub_group_size(), x = in[g]; out += g * 32;\n"
    "KERNEL whole(global const int *in, global long *out)\n{ BEGIN\n" WHOLE "}\n"
    "KERNEL branch(global const int *in, global long *out)\n"
    "{ BEGIN\n  if (i % 3) {\n" BRANCH "  } }\n";
#undef R

/* A sub-group on the host: n lanes, those of `on` active. */
struct group {
    int n;
    const int *x;
    uint32_t on;
};

static int is_on(const struct group *g, int lane)
{
    return g->on >> lane & 1;
}

static uint32_t ballot(const struct group *g, int more_than, int odd)
{
    uint32_t bits = 0;

    for (int i = 0; i < g->n; i++)
        if (is_on(g, i) && (odd ? g->x[i] & 1 : g->x[i] > more_than))
            bits |= UINT32_C(1) << i;
    return bits;
}

static long count(uint32_t bits)
{
    long n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

static long lowest(uint32_t bits)
{
    long n = 0;

    while (!(bits >> n & 1))
        n++;
    return n;
}

static long highest(uint32_t bits)
{
    long n = 31;

    while (!(bits >> n & 1))
        n--;
    return n;
}

/* Fold active lanes first..last by + * < > & | ^. */
static long fold(const struct group *g, int first, int last, char op, long start)
{
    long a = start;

    for (int i = first; i <= last; i++) {
        long x = g->x[i];

        if (is_on(g, i))
            a = op == '+'   ? a + x
                : op == '*' ? a * ((x & 1) + 1)
                : op == '<' ? (x < a ? x : a)
                : op == '>' ? (x > a ? x : a)
                : op == '&' ? (a & x)
                : op == '|' ? (a | x)
                            : (a ^ x);
    }
    return a;
}

static uint32_t lanes(const struct group *g)
{
    return g->n == 32 ? UINT32_MAX : (UINT32_C(1) << g->n) - 1;
}

static void want_whole(const struct group *g, int i, long want[RESULTS])
{
    const uint32_t bit = UINT32_C(1) << i, odd = ballot(g, 0, 1), all = lanes(g);
    const long values[] = {
        odd,
        count(odd),
        count(odd & (bit | (bit - 1))),
        count(odd & (bit - 1)),
        lowest(ballot(g, 2, 0)),
        highest(ballot(g, 2, 0)),
        0x5a5a5a5a >> i & 1,
        0x33333333 >> i & 1,
        bit,
        all & ~(bit - 1),
        all & ~(bit | (bit - 1)),
        bit | (bit - 1),
        bit - 1,
        g->x[(i * 5 + 1) % g->n],
        g->x[i ^ 3],
        i >= 2 ? g->x[i - 2] : 0,
        i + 1 < g->n ? g->x[i + 1] : 0,
        fold(g, i & ~3, i | 3, '+', 0),
        fold(g, i & ~7, i | 7, '>', 0),
        (int8_t)fold(g, 0, g->n - 1, '+', 0),
        fold(g, 0, i, '+', 0),
        fold(g, 0, i - 1, '>', INT16_MIN),
        fold(g, 0, g->n - 1, '<', 1000),
        fold(g, 0, i, '+', 0),
        3,
        g->x[g->n - 1 - i],
        g->x[i ^ 1],
        i == 0,
        1,
    };

    memcpy(want, values, sizeof(values));
}

static void want_branch(const struct group *g, int i, long want[RESULTS])
{
    const int last = g->n - 1;
    const long values[] = {
        ballot(g, 0, 1),
        i == 1,
        1,
        ballot(g, 39, 0) != 0,
        fold(g, 0, last, '<', 1000) == fold(g, 0, last, '>', -1),
        g->x[4],
        g->x[1],
        fold(g, 0, last, '+', 0),
        fold(g, 0, last, '*', 1),
        fold(g, 0, last, '<', 1000),
        fold(g, 0, last, '>', 0),
        fold(g, 0, last, '&', -1),
        fold(g, 0, last, '|', 0),
        fold(g, 0, last, '^', 0),
        fold(g, 0, last, '<', 1000) > 1,
        fold(g, 0, i, '+', 0),
        fold(g, 0, i - 1, '+', 0),
        fold(g, 0, i, '>', 0),
        fold(g, 0, i - 1, '^', 0),
        fold(g, 0, last, '+', 0),
        fold(g, 0, i, '>', 0),
        g->x[i / 3 * 3 + 1],
    };

    memcpy(want, values, sizeof(values));
}

static void compare(const struct rig *rig, cl_program program, const char *name, int n,
                    void (*model)(const struct group *, int, long *), int results)
{
    long out[ITEMS][RESULTS], want[RESULTS];
    int in[ITEMS];
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    cl_mem from, to = rig_buffer(rig, sizeof(out), NULL);

    check(status);
    for (int i = 0; i < ITEMS; i++)
        in[i] = (i * 29 + i / 7) % 41;
    from = rig_buffer(rig, sizeof(in), in);
    check(clSetKernelArg(kernel, 0, sizeof(from), &from));
    check(clSetKernelArg(kernel, 1, sizeof(to), &to));
    rig_run(rig, kernel, ITEMS, GROUP);
    rig_read(rig, to, out, sizeof(out));
    for (int i = 0; i < ITEMS; i++) {
        struct group g = {.n = n, .x = &in[i / n * n], .on = UINT32_MAX};

        for (int j = 0; j < n && model == want_branch; j += 3)
            g.on &= ~(UINT32_C(1) << j);
        if (!is_on(&g, i % n))
            continue;
        model(&g, i % n, want);
        for (int r = 0; r < results; r++)
            if (out[i][r] != want[r])
                fail_msg("%s, SIMD%d, item %d, result %d: %ld, expected %ld", name, n,
                         i, r, out[i][r], want[r]);
    }
    check(clReleaseMemObject(from));
    check(clReleaseMemObject(to));
    check(clReleaseKernel(kernel));
}

static void sub_group_functions_equal_the_model(void **state)
{
    const struct rig *rig = *state;

    for (int n = 8; n <= 32; n *= 2) {
        char options[64];
        cl_program program;

        (void)snprintf(options, sizeof(options), "-cl-std=CL3.0 -DWIDTH=%d", n);
        program = rig_program(rig, source, options);
        compare(rig, program, "whole", n, want_whole, 29);
        compare(rig, program, "branch", n, want_branch, 22);
        check(clReleaseProgram(program));
    }
}

/* What the compiler's macros promise stands in the device's list. */
static void the_extensions_are_listed(void **state)
{
    static const char *const names[] = {
        "cl_khr_subgroup_ballot",           "cl_khr_subgroup_clustered_reduce",
        "cl_khr_subgroup_extended_types",   "cl_khr_subgroup_non_uniform_arithmetic",
        "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_shuffle",
        "cl_khr_subgroup_shuffle_relative", "cl_intel_subgroups_char",
        "cl_intel_subgroups_long",          "cl_intel_device_attribute_query"};
    const struct rig *rig = *state;
    char list[4096];

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_EXTENSIONS, sizeof(list), list,
                          NULL));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strstr(list, names[i]) == NULL)
            fail_msg("%s is not listed", names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sub_group_functions_equal_the_model),
        cmocka_unit_test(the_extensions_are_listed),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
