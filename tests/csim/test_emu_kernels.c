/* test_emu_kernels.c - whole kernels of the real compiler at SIMD8, 16 and 32, against
 * the same computation on the host. More of them: traces/kernels/cases.yaml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "emu_rig.h"
#include "traces/record/record.h"

static const char source[] = "tests/csim/test_emu_kernels.cl";
static const uint32_t widths[] = {8, 16, 32};

/* ---- running a kernel --------------------------------------------------- */

struct kernel_run {
    struct record_program p;
    struct emu_arg arg[8];
    struct emu_launch launch;
    struct emu_counts counts;
    uint64_t digest; /* of all that the hooks were told */
};

static void mix(struct kernel_run *k, uint64_t x)
{
    k->digest = (k->digest ^ x) * UINT64_C(0x100000001B3);
}

static bool on_begin(void *ctx, uint64_t thread)
{
    mix(ctx, thread);
    return true;
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    mix(ctx, thread << 32 | block);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *a)
{
    mix(ctx, thread << 32 | a->inst);
    mix(ctx, a->mask);
    for (uint32_t i = 0; i < ISA_MAX_SIMD; i++)
        if (a->mask >> i & 1)
            mix(ctx, a->addr[i]);
}

static void open_kernel(struct kernel_run *k, const char *name, uint32_t simd,
                        const char *more)
{
    char options[160];
    struct igpu_err err;

    memset(k, 0, sizeof(*k));
    snprintf(options, sizeof(options), "-DSIMD=%u %s", simd, more);
    if (record_open(&k->p, source, "skl", options, name, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    assert_int_equal(k->p.kernel->simd_size, simd);
    k->launch.arg = k->arg;
    k->launch.hooks = (struct emu_hooks){
        .ctx = k, .thread_begin = on_begin, .block = on_block, .access = on_access};
    k->launch.max_instructions = 100000000;
}

static void add_buffer(struct kernel_run *k, void *host, uint64_t bytes)
{
    struct emu_arg *arg = &k->arg[k->launch.arg_count++];
    struct igpu_err err;

    arg->kind = EMU_ARG_BUFFER;
    arg->size = bytes;
    if (emu_mem_map(k->p.mem, host, bytes, 0, &arg->va, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static void add_arg(struct kernel_run *k, enum emu_arg_kind kind, const void *value,
                    uint64_t bytes)
{
    struct emu_arg *arg = &k->arg[k->launch.arg_count++];

    arg->kind = (uint8_t)kind;
    arg->value = value;
    arg->size = bytes;
}

static void launch(struct kernel_run *k, uint64_t global, uint64_t local)
{
    struct igpu_err err;

    if (k->launch.work_dim == 0) {
        k->launch.work_dim = 1;
        k->launch.global[0] = global;
        k->launch.local[0] = local;
    }
    if (emu_run(k->p.emu, k->p.mem, &k->launch, &k->counts, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

/* ---- division ----------------------------------------------------------- */

enum { NUMBERS = 16384 };

static uint64_t awkward_double(uint64_t *seed)
{
    static const uint64_t corner[] = {0,
                                      1,
                                      UINT64_C(0x000FFFFFFFFFFFFF),
                                      UINT64_C(0x0010000000000000),
                                      UINT64_C(0x3FEFFFFFFFFFFFFF),
                                      UINT64_C(0x3FF0000000000000),
                                      UINT64_C(0x3FF0000000000001),
                                      UINT64_C(0x3FFFFFFFFFFFFFFF),
                                      UINT64_C(0x4008000000000000),
                                      UINT64_C(0x7FEFFFFFFFFFFFFF),
                                      UINT64_C(0x7FF0000000000000),
                                      UINT64_C(0x7FF8000000000000)};
    uint64_t r = emu_rig_random(seed), sign = emu_rig_random(seed) & (uint64_t)1 << 63;

    switch (r >> 60) {
    case 0:
    case 1:
        return corner[r % 12] | sign;
    case 2: /* denormal */
        return (emu_rig_random(seed) >> 12 >> r % 50) | sign;
    case 3: /* few bits, so that quotients are exact or lie half-way */
        return (UINT64_C(0x3FF) + r % 64) << 52 | (emu_rig_random(seed) & 0xFF) << 44 |
               sign;
    case 4: /* mantissa near all ones */
        return (emu_rig_random(seed) | UINT64_C(0x000FFFFFFFFFFF00)) &
               (UINT64_C(0x7FEFFFFFFFFFFFFF) | sign);
    default:
        return emu_rig_random(seed);
    }
}

static bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static void double_quotients_and_roots_are_correctly_rounded(void **state)
{
    static double a[NUMBERS], b[NUMBERS], out[3 * NUMBERS];
    uint64_t seed = 31;

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;

        for (uint32_t i = 0; i < NUMBERS; i++) {
            uint64_t x = awkward_double(&seed), y = awkward_double(&seed);

            memcpy(&a[i], &x, 8);
            memcpy(&b[i], &y, 8);
        }
        open_kernel(&k, "divide_double", widths[w], "");
        add_buffer(&k, a, sizeof(a));
        add_buffer(&k, b, sizeof(b));
        add_buffer(&k, out, sizeof(out));
        launch(&k, NUMBERS, 64);
        for (uint32_t i = 0; i < NUMBERS; i++)
            if (!same_double(out[i], a[i] / b[i]) ||
                !same_double(out[NUMBERS + i], sqrt(a[i])) ||
                !same_double(out[2 * NUMBERS + i], 1 / b[i]))
                fail_msg("SIMD%u: %a / %a: %a, root %a, inverse %a", widths[w], a[i],
                         b[i], out[i], out[NUMBERS + i], out[2 * NUMBERS + i]);
        record_close(&k.p);
    }
}

static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static void single_quotients_and_roots_are_correctly_rounded(void **state)
{
    static float a[NUMBERS], b[NUMBERS], out[3 * NUMBERS];
    uint64_t seed = 32;

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;

        for (uint32_t i = 0; i < NUMBERS; i++) {
            uint32_t x = (uint32_t)emu_rig_random(&seed),
                     y = (uint32_t)emu_rig_random(&seed);

            if (i % 3 == 0) { /* same magnitude, few bits */
                x = (x & 0x807FF000) | 0x3F800000;
                y = (y & 0x807FF000) | 0x40000000;
            }
            memcpy(&a[i], &x, 4);
            memcpy(&b[i], &y, 4);
        }
        open_kernel(&k, "divide_float", widths[w],
                    "-cl-fp32-correctly-rounded-divide-sqrt");
        add_buffer(&k, a, sizeof(a));
        add_buffer(&k, b, sizeof(b));
        add_buffer(&k, out, sizeof(out));
        launch(&k, NUMBERS, 64);
        for (uint32_t i = 0; i < NUMBERS; i++)
            if (!same_float(out[i], a[i] / b[i]) ||
                !same_float(out[NUMBERS + i], sqrtf(a[i])) ||
                !same_float(out[2 * NUMBERS + i], 1 / b[i]))
                fail_msg("SIMD%u: %a / %a: %a, root %a, inverse %a", widths[w],
                         (double)a[i], (double)b[i], (double)out[i],
                         (double)out[NUMBERS + i], (double)out[2 * NUMBERS + i]);
        record_close(&k.p);
    }
}

/* ---- ids ---------------------------------------------------------------- */

static void ids_in_three_dimensions_with_a_partial_thread(void **state)
{
    enum { X = 15, Y = 9, Z = 4, WORDS = 11 };
    static uint32_t out[X * Y * Z * WORDS];

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;
        uint32_t items = 5 * 3 * 2, threads = (items + widths[w] - 1) / widths[w];

        memset(out, 0xFF, sizeof(out));
        open_kernel(&k, "ids", widths[w], "");
        add_buffer(&k, out, sizeof(out));
        k.launch.work_dim = 3;
        memcpy(k.launch.global, ((uint64_t[]){X, Y, Z}), sizeof(k.launch.global));
        memcpy(k.launch.local, ((uint64_t[]){5, 3, 2}), sizeof(k.launch.local));
        memcpy(k.launch.offset, ((uint64_t[]){100, 200, 300}), sizeof(k.launch.offset));
        launch(&k, 0, 0);
        assert_int_equal(k.counts.threads, threads * 3 * 3 * 2);
        for (uint32_t i = 0; i < X * Y * Z; i++) {
            uint32_t x = i % X, y = i / X % Y, z = i / X / Y;
            uint32_t want[WORDS] = {x % 5,   y % 3,   z % 2, x / 5, y / 3, z / 2,
                                    x + 100, z + 300, 3,     3,     532};

            assert_memory_equal(out + i * WORDS, want, sizeof(want));
        }
        record_close(&k.p);
    }
}

/* ---- the rest ----------------------------------------------------------- */

static void denormals_by_build_option(void **state)
{
    enum { N = 64 };
    float a[N], out[N];

    (void)state;
    for (uint32_t w = 0; w < 6; w++) {
        struct kernel_run k;
        bool zero = w >= 3;

        for (uint32_t i = 0; i < N; i++)
            a[i] = ldexpf((float)(i * 2 + 1), (int)i - 160) * (i & 1 ? -1.0f : 1.0f);
        open_kernel(&k, "denormals", widths[w % 3], zero ? "-cl-denorms-are-zero" : "");
        add_buffer(&k, a, sizeof(a));
        add_buffer(&k, out, sizeof(out));
        launch(&k, N, 32);
        for (uint32_t i = 0; i < N; i++) {
            float x = zero && fabsf(a[i]) < 0x1p-126f ? 0 : a[i];
            float half = x * 0.5f, want;

            if (zero && fabsf(half) < 0x1p-126f)
                half = 0;
            want = half + (zero ? 0 : 0x1p-140f);
            if (zero && fabsf(want) < 0x1p-126f)
                want = 0;
            assert_true(out[i] == want);
        }
        record_close(&k.p);
    }
}

static uint32_t private_array_on_host(uint32_t in, uint32_t steps)
{
    uint32_t table[96], x = in;

    for (uint32_t k = 0; k < 96; k++)
        table[k] = x * k + 1;
    for (uint32_t k = 0; k < steps; k++) {
        x = x * 1664525u + 1013904223u;
        table[x % 96] += table[(x >> 8) % 96] ^ x;
    }
    return table[in % 96] + table[x % 96];
}

static void private_arrays_belong_to_their_items(void **state)
{
    enum { N = 448 };
    uint32_t in[N], out[N], steps = 50;
    uint64_t seed = 33;

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;

        for (uint32_t i = 0; i < N; i++)
            in[i] = (uint32_t)emu_rig_random(&seed);
        open_kernel(&k, "private_array", widths[w], "");
        add_buffer(&k, in, sizeof(in));
        add_buffer(&k, out, sizeof(out));
        add_arg(&k, EMU_ARG_VALUE, &steps, sizeof(steps));
        launch(&k, N, 64);
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(out[i], private_array_on_host(in[i], steps));
        record_close(&k.p);
    }
}

static int64_t limited(emu_i128 x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : (int64_t)x;
}

static uint64_t rotated(uint64_t x, uint32_t n)
{
    return n % 64 == 0 ? x : x << n % 64 | x >> (64 - n % 64);
}

static void narrow_on_host(const int8_t *c, const int16_t *s, const int64_t *l,
                           uint32_t n, uint32_t i, int64_t *want)
{
    int64_t next = l[(i + 1) % n];
    uint16_t u = (uint16_t)s[i];
    int16_t low = (int16_t)l[i];

    want[0] = limited(c[i] + (int8_t)(s[i] >> 3), INT8_MIN, INT8_MAX);
    want[1] = limited(s[i] - (int16_t)(c[i] * 300), INT16_MIN, INT16_MAX);
    want[2] = limited((emu_i128)l[i] + next, INT64_MIN, INT64_MAX);
    want[3] = (int64_t)(((emu_i128)l[i] * next) >> 64);
    want[4] = l[i] / (next | 1) + (l[i] >> (c[i] & 63));
    want[5] = limited(s[i], 0, UINT8_MAX) + limited(l[i], INT8_MIN, INT8_MAX) * 1000;
    want[6] = (int64_t)(rotated((uint64_t)l[i], (uint32_t)c[i]) ^
                        (uint64_t)__builtin_popcountll((uint64_t)l[i])) ^
              (u == 0 ? 16 : __builtin_clz(u) - 16);
    want[7] = ((c[i] + (int8_t)s[i]) >> 1) * ((s[i] + low + 1) >> 1);
}

static void narrow_and_wide_integers(void **state)
{
    enum { N = 256, RESULTS = 8 };
    static int8_t c[N];
    static int16_t s[N];
    static int64_t l[N], out[N * RESULTS];
    uint64_t seed = 34;

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;

        for (uint32_t i = 0; i < N; i++) {
            c[i] = (int8_t)emu_rig_random(&seed);
            s[i] = (int16_t)emu_rig_random(&seed);
            l[i] = (int64_t)emu_rig_random(&seed) >> emu_rig_random(&seed) % 60;
        }
        open_kernel(&k, "narrow", widths[w], "");
        add_buffer(&k, c, sizeof(c));
        add_buffer(&k, s, sizeof(s));
        add_buffer(&k, l, sizeof(l));
        add_buffer(&k, out, sizeof(out));
        launch(&k, N, 64);
        for (uint32_t i = 0; i < N; i++) {
            int64_t want[RESULTS];

            narrow_on_host(c, s, l, N, i, want);
            for (uint32_t r = 0; r < RESULTS; r++)
                if (out[r * N + i] != want[r])
                    fail_msg(
                        "SIMD%u result %u of %d, %d, %lld, %lld: %lld, expected %lld",
                        widths[w], r, c[i], s[i], (long long)l[i],
                        (long long)l[(i + 1) % N], (long long)out[r * N + i],
                        (long long)want[r]);
        }
        record_close(&k.p);
    }
}

static void sums_in_local_memory_are_the_same_every_time(void **state)
{
    enum { N = 1024, GROUP = 128 };
    uint32_t in[N], out[N / GROUP];
    uint64_t seed = 35;

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        uint64_t digest[2];

        for (uint32_t i = 0; i < N; i++)
            in[i] = (uint32_t)emu_rig_random(&seed);
        for (uint32_t again = 0; again < 2; again++) {
            struct kernel_run k;

            memset(out, 0, sizeof(out));
            open_kernel(&k, "local_sum", widths[w], "");
            add_buffer(&k, in, sizeof(in));
            add_buffer(&k, out, sizeof(out));
            add_arg(&k, EMU_ARG_LOCAL, NULL, GROUP * 4);
            launch(&k, N, GROUP);
            digest[again] = k.digest;
            record_close(&k.p);
        }
        assert_int_equal(digest[0], digest[1]);
        for (uint32_t g = 0; g < N / GROUP; g++) {
            uint32_t sum = 0;

            for (uint32_t i = g * GROUP; i < (g + 1) * GROUP; i++)
                for (uint32_t n = 0; n < in[i] % 9 && !(n == 5 && i % GROUP % 3 == 0);
                     n++)
                    sum += in[i] >> n;
            assert_int_equal(out[g], sum);
        }
    }
}

/* Without a barrier between clearing, counting and adding up, and with a wait for the
 * group's last item: right only where threads advance together, as on hardware. */
static void threads_of_a_group_advance_together(void **state)
{
    enum { N = 512, GROUP = 256 };
    uint32_t in[N], out[N / GROUP];
    uint64_t seed = 36;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        in[i] = (uint32_t)emu_rig_random(&seed);
    for (uint32_t w = 0; w < 3; w++) {
        struct kernel_run k;

        memset(out, 0, sizeof(out));
        open_kernel(&k, "racing_count", widths[w], "");
        add_buffer(&k, in, sizeof(in));
        add_buffer(&k, out, sizeof(out));
        k.launch.max_instructions = 1000000;
        launch(&k, N, GROUP);
        record_close(&k.p);
        for (uint32_t g = 0; g < N / GROUP; g++) {
            uint32_t odd = 0;

            for (uint32_t i = g * GROUP; i < (g + 1) * GROUP; i++)
                odd += in[i] & 1;
            assert_int_equal(out[g], odd);
        }
    }
}

/* Records: format string's address, then a type tag before each value. */
static void printf_fills_its_buffer(void **state)
{
    enum { N = 40, RECORD = 8 + 8 + 12, TAG_INT = 3, TAG_DOUBLE = 8 };

    (void)state;
    for (uint32_t w = 0; w < 3; w++) {
        static uint8_t buffer[65536];
        int32_t in[N], tag[2], value;
        struct kernel_run k;
        struct igpu_err err;
        uint32_t used = 4;

        memset(buffer, 0, sizeof(buffer));
        memcpy(buffer, &used, 4);
        for (int32_t i = 0; i < N; i++)
            in[i] = 3 * i - 20;
        open_kernel(&k, "print", widths[w], "");
        add_buffer(&k, in, sizeof(in));
        assert_int_equal(
            emu_mem_map(k.p.mem, buffer, sizeof(buffer), 0, &k.launch.printf_va, &err),
            IGPU_OK);
        launch(&k, N, 20);
        memcpy(&used, buffer, 4);
        assert_int_equal(used, 4 + N * RECORD);
        for (uint32_t i = 0; i < N; i++) {
            const uint8_t *r = buffer + 4 + i * RECORD;
            uint64_t format;
            double d;

            memcpy(&format, r, 8);
            memcpy(&tag[0], r + 8, 4);
            memcpy(&value, r + 12, 4);
            memcpy(&tag[1], r + 16, 4);
            memcpy(&d, r + 20, 8);
            assert_string_equal(emu_mem_host(k.p.mem, format, 7), "%d %f\n");
            assert_int_equal(tag[0], TAG_INT);
            assert_int_equal(tag[1], TAG_DOUBLE);
            assert_true(d == 0.5 * value);
        }
        record_close(&k.p);
    }
}

static void wrong_launches_are_refused(void **state)
{
    uint32_t out[4096], value = 1;
    struct kernel_run k;
    struct igpu_err err;

    (void)state;
    open_kernel(&k, "ids", 16, "");
    k.launch.work_dim = 1;
    k.launch.global[0] = 33;
    k.launch.local[0] = 16;
    assert_int_equal(emu_run(k.p.emu, k.p.mem, &k.launch, NULL, &err), IGPU_USAGE);
    k.launch.global[0] = 32;
    assert_int_equal(emu_run(k.p.emu, k.p.mem, &k.launch, NULL, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "0 arguments, expected 1"));
    add_arg(&k, EMU_ARG_VALUE, &value, 4);
    assert_int_equal(emu_run(k.p.emu, k.p.mem, &k.launch, NULL, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "must be a buffer"));
    k.launch.arg_count = 0;
    add_buffer(&k, out, sizeof(out));
    assert_int_equal(emu_run(k.p.emu, k.p.mem, &k.launch, NULL, &err), IGPU_OK);
    k.launch.work_dim = 4;
    assert_int_equal(emu_run(k.p.emu, k.p.mem, &k.launch, NULL, &err), IGPU_USAGE);
    record_close(&k.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_quotients_and_roots_are_correctly_rounded),
        cmocka_unit_test(single_quotients_and_roots_are_correctly_rounded),
        cmocka_unit_test(ids_in_three_dimensions_with_a_partial_thread),
        cmocka_unit_test(denormals_by_build_option),
        cmocka_unit_test(private_arrays_belong_to_their_items),
        cmocka_unit_test(narrow_and_wide_integers),
        cmocka_unit_test(sums_in_local_memory_are_the_same_every_time),
        cmocka_unit_test(threads_of_a_group_advance_together),
        cmocka_unit_test(printf_fills_its_buffer),
        cmocka_unit_test(wrong_launches_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
