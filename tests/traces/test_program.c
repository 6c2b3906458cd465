/* test_program.c - programs as real applications have them (test_program.cl), each
 * kernel against plain C on the host, once as the compiler optimises it and once with
 * -cl-opt-disable, which leaves calls, stacks and addresses of functions. Does not
 * find: what these kernels do not use. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rng.h"
#include "traces/program/compile.h"
#include "traces/program/printf.h"
#include "traces/program/program.h"

enum { ITEMS = 64, WORDS = 1024 };

struct built {
    struct emu_mem *mem;
    struct program *program;
    uint64_t va[2];
    int32_t word[2][WORDS];
};

static struct built built[2]; /* optimised, and not */

static void open_program(struct built *b, const char *options)
{
    const char *dir = getenv("IGPU_TMP");
    struct compile_request request = {.source_path = "tests/traces/test_program.cl",
                                      .device = "skl",
                                      .options = options,
                                      .cache_dir = dir != NULL ? dir : ""};
    struct compile_result result;
    struct igpu_err err = {.text = ""};

    b->mem = emu_mem_new();
    if (compile_opencl(&request, &result, &err) != IGPU_OK ||
        program_open_memory("test_program.cl", result.image, result.bytes, b->mem,
                            &b->program, &err) != IGPU_OK)
        fail_msg("%s\n%s", err.text, result.log);
    compile_free(&result);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(
            emu_mem_map(b->mem, b->word[i], sizeof(b->word[i]), 0, &b->va[i], &err),
            IGPU_OK);
}

static int set_up(void **state)
{
    (void)state;
    open_program(&built[0], "-cl-std=CL2.0");
    open_program(&built[1], "-cl-std=CL2.0 -cl-opt-disable");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        program_free(built[i].program);
        emu_mem_free(built[i].mem);
    }
    return 0;
}

static struct emu_arg buffer(const struct built *b, unsigned i)
{
    return (struct emu_arg){
        .kind = EMU_ARG_BUFFER, .va = b->va[i], .size = sizeof(b->word[i])};
}

static struct emu_arg value(const void *at, size_t bytes)
{
    return (struct emu_arg){.kind = EMU_ARG_VALUE, .value = at, .size = bytes};
}

/* Run kernel `name`; the sizes are in *l, the arguments in arg. */
static void run(struct built *b, const char *name, struct emu_launch l,
                const struct emu_arg *arg, uint32_t args)
{
    struct igpu_err err = {.text = ""};
    struct program_kernel *k = program_kernel_new(b->program->image, name, &err);

    if (k == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(k->arg_count, args);
    for (uint32_t i = 0; i < args; i++)
        assert_true(k->arg[i].unused || k->arg[i].kind == arg[i].kind);
    l.arg = arg;
    l.arg_count = args;
    if (emu_run(k->emu, b->mem, &l, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    program_kernel_free(k);
}

static const struct emu_launch line = {
    .work_dim = 1, .global = {ITEMS}, .local = {ITEMS}};

#define EACH_BUILD(b) for (struct built *b = built; b < built + 2; b++)

/* ---- program scope ------------------------------------------------------ */

static void variables_start_with_their_values_and_outlive_launches(void **state)
{
    static const int32_t table[5] = {3, 1, 4, 1, 5};

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg = buffer(b, 0);

        for (int32_t launch = 0; launch < 3; launch++) {
            run(b, "bump", line, &arg, 1);
            for (int32_t i = 0; i < ITEMS; i++)
                assert_int_equal(b->word[0][i],
                                 table[i % 5] + 5 + 10 * launch +
                                     (launch > 0 && i % 16 == 1 ? 100 : 0));
        }
        run(b, "peek", line, &arg, 1); /* another kernel of the program */
        assert_int_equal(b->word[0][7], 5 + 30 + 100);
    }
}

/* ---- calls -------------------------------------------------------------- */

static int32_t ackermann(int32_t m, int32_t n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void recursive_functions_keep_a_stack_for_each_work_item(void **state)
{
    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg = buffer(b, 0);

        run(b, "recurse", line, &arg, 1);
        for (int32_t i = 0; i < ITEMS; i++)
            assert_int_equal(b->word[0][i], i % 2 ? ackermann(i % 3, i % 4) : -i);
    }
}

static void functions_are_called_by_some_of_the_work_items(void **state)
{
    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg[2] = {buffer(b, 0), buffer(b, 1)};
        float a[ITEMS][4], f[ITEMS], got[4];

        for (int i = 0; i < ITEMS; i++) {
            f[i] = 0.25f * (float)i;
            for (int c = 0; c < 4; c++)
                a[i][c] = (float)(i - c);
        }
        memcpy(b->word[0], a, sizeof(a));
        memcpy(b->word[1], f, sizeof(f));
        run(b, "call", line, arg, 2);
        for (int i = 0; i < ITEMS; i++) {
            float by = f[i] + 1.0f;

            memcpy(got, &b->word[0][4 * i], sizeof(got));
            for (int c = 0; c < 4; c++)
                assert_true(got[c] == (i % 5 == 2   ? a[i][c]
                                       : i % 3 != 0 ? a[i][c] * by
                                                    : a[i][c] - by * 0.5f));
        }
    }
}

/* A function whose address is taken lies outside of the kernel's text: some build of
 * this program must have one, or the test tests nothing. */
static void functions_outside_of_the_kernel_are_linked_to_it(void **state)
{
    (void)state;
    for (unsigned b = 0; b < 2; b++) {
        const struct loader_program *image = built[b].program->image;
        uint32_t linked = 0;

        for (uint32_t i = 0; i < image->kernels; i++)
            linked += image->kernel[i].shared_at != 0;
        assert_int_equal(linked > 0, b == 1);
    }
}

/* ---- printf ------------------------------------------------------------- */

struct text {
    char at[16384];
    size_t length;
};

static void keep(void *ctx, const char *text, size_t length)
{
    struct text *t = ctx;

    assert_true(t->length + length < sizeof(t->at));
    memcpy(t->at + t->length, text, length);
    t->length += length;
    t->at[t->length] = '\0';
}

/* What work item i prints, by the host's printf. */
static void spoken(int i, double f, struct text *t)
{
    char *p = t->at + t->length;
    size_t room = sizeof(t->at) - t->length;
    int n = snprintf(
        p, room,
        "%d|%5d|%-5d|%05d|%+d|%x|%#X|%o|%u\n"
        "%f|%.2f|%e|%g|%a|%8.1f|%c|%s|%%\n"
        "%f,%f,%f,%f %d,%d %f,%f,%f,%f\n"
        "%hd %hhd %ld %lx %hu,%hu,%hu %hhx,%hhx,%hhx,%hhx,%hhx,%hhx,%hhx,%hhx\n"
        "%s\nno arguments\n",
        i, i, i, i, i, (unsigned)i, (unsigned)i, (unsigned)i, (unsigned)-i, f, f, f, f,
        f, f, 'a' + i, "text", 1.0, 2.0, 3.0, f, i, -i, f, f, f, f, (short)-i,
        (signed char)i, (long)i << 40, (unsigned long)i << 36, (unsigned short)65535,
        (unsigned short)2, (unsigned short)3, (unsigned char)255, (unsigned char)i,
        (unsigned char)2, (unsigned char)3, (unsigned char)4, (unsigned char)5,
        (unsigned char)6, (unsigned char)7, i > 16 ? "big" : "small");

    assert_true(n > 0 && (size_t)n < room);
    t->length += (size_t)n;
}

static void printf_writes_what_the_hosts_printf_would(void **state)
{
    static char prints[PRINTF_BUFFER_BYTES];
    struct emu_launch l = {.work_dim = 1, .global = {16}, .local = {16}};
    float f = -1.375f;

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg[2] = {buffer(b, 0), value(&f, 4)};
        struct text want = {.length = 0}, got = {.length = 0};
        struct igpu_err err = {.text = ""};
        uint64_t va;

        printf_buffer_clear(prints);
        assert_int_equal(emu_mem_map(b->mem, prints, sizeof(prints), 0, &va, &err),
                         IGPU_OK);
        l.printf_va = va;
        run(b, "speak", l, arg, 2);
        spoken(3, (double)f, &want);
        if (printf_print(prints, sizeof(prints), b->mem, NULL, keep, &got, &err) !=
            IGPU_OK)
            fail_msg("%s", err.text);
        assert_string_equal(got.at, want.at);
        assert_true(emu_mem_unmap(b->mem, va));
    }
}

static void a_full_printf_buffer_drops_the_rest(void **state)
{
    static char prints[PRINTF_BUFFER_BYTES];
    struct built *b = &built[0];
    float f = 1.0f;
    struct emu_arg arg[2] = {buffer(b, 0), value(&f, 4)};
    struct emu_launch l = {.work_dim = 1, .global = {16}, .local = {16}};
    struct text got = {.length = 0};
    struct igpu_err err = {.text = ""};
    uint32_t used = PRINTF_BUFFER_BYTES - 16;

    (void)state;
    printf_buffer_clear(prints);
    assert_int_equal(emu_mem_map(b->mem, prints, sizeof(prints), 0, &l.printf_va, &err),
                     IGPU_OK);
    memcpy(prints, &used, sizeof(used)); /* as if other calls had filled it */
    run(b, "speak", l, arg, 2);
    assert_int_equal(
        printf_print(prints + sizeof(prints) - 20, 20, b->mem, NULL, keep, &got, &err),
        IGPU_OK);
    assert_int_equal(got.length, 0);
    assert_true(emu_mem_unmap(b->mem, l.printf_va));
}

static void a_damaged_printf_buffer_is_refused(void **state)
{
    static const uint32_t cases[][8] = {
        {12, 0x1234, 0x7FFF}, /* a format that is not mapped */
    };
    struct text got = {.length = 0};
    struct igpu_err err = {.text = ""};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(printf_print(cases[i], sizeof(cases[i]), built[0].mem, NULL,
                                      keep, &got, &err),
                         IGPU_BAD_INPUT);
        assert_non_null(strstr(err.text, "damaged"));
    }
    assert_int_equal(printf_print(cases, 2, built[0].mem, NULL, keep, &got, &err),
                     IGPU_BAD_INPUT);
}

/* Random formats and arguments, most of them damaged: text or one line, no crash. */
static void random_printf_buffers_are_formatted_or_refused(void **state)
{
    static const char letters[] = "%%dfs cvhl2.48#-+0xgapn\n";
    static uint8_t prints[256];
    static char formats[64];
    struct igpu_err err = {.text = ""};
    uint64_t va, seed = 4;
    unsigned good = 0;

    (void)state;
    assert_int_equal(emu_mem_map(built[0].mem, formats, sizeof(formats), 0, &va, &err),
                     IGPU_OK);
    for (unsigned round = 0; round < 3000; round++) {
        struct text got = {.length = 0};
        uint32_t used = 4;

        for (unsigned i = 0; i + 1 < sizeof(formats); i++)
            formats[i] = letters[lcg_below(&seed, sizeof(letters) - 1)];
        while (used + 24 < sizeof(prints) && (used == 4 || lcg_below(&seed, 4) > 0)) {
            uint32_t kind = 1 + lcg_below(&seed, 15), word = lcg_below(&seed, 300);
            uint64_t at = va + 40 + lcg_below(&seed, 22);

            memcpy(prints + used, &at, 8);
            memcpy(prints + used + 8, &kind, 4);
            memcpy(prints + used + 12, &word, 4);
            memcpy(prints + used + 16, &at, 8);
            used += 8 + lcg_below(&seed, 6) * 4;
        }
        memcpy(prints, &used, 4);
        if (printf_print(prints, sizeof(prints), built[0].mem, NULL, keep, &got,
                         &err) == IGPU_OK)
            good++;
        else
            assert_non_null(strstr(err.text, "damaged"));
    }
    assert_true(good > 0 && good < 3000);
    assert_true(emu_mem_unmap(built[0].mem, va));
}

/* ---- arguments, shapes, sub-groups --------------------------------------- */

static void generic_pointers_reach_every_address_space(void **state)
{
    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg[2] = {buffer(b, 0),
                                 {.kind = EMU_ARG_LOCAL, .size = 4 * ITEMS}};

        for (int32_t i = 0; i < ITEMS; i++)
            b->word[0][i] = 3 * i;
        run(b, "any_space", line, arg, 2);
        for (int32_t i = 0; i < ITEMS; i++) {
            int32_t own = 7 * i + (i % 3 == 0), shared = i + (i % 3 == 1);
            int32_t got = i % 3 == 0 ? own : i % 3 == 1 ? shared : 3 * i + 1;

            assert_int_equal(b->word[0][i],
                             got + 1000 * own + (i % 3 == 2 ? 1000000 : 0) + shared);
        }
    }
}

static void arguments_of_odd_types_arrive_whole(void **state)
{
    struct pair {
        int32_t a;
        float b;
        char c[8];
        int64_t d;
    } s = {1000, 200.5f, {9, 9, 9, 9, 30, 9, 9, 9}, 4};
    int32_t v[4] = {5, 6, 7, 99};
    uint8_t c = 250;
    int16_t h[2] = {-3, 11};
    double d = 1e6;
    int64_t unused = 1;

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg[8] = {buffer(b, 0),
                                 value(&s, sizeof(s)),
                                 value(v, sizeof(v)),
                                 value(&c, 1),
                                 value(h, sizeof(h)),
                                 value(&d, 8),
                                 {.kind = EMU_ARG_LOCAL, .size = 8 * ITEMS},
                                 value(&unused, 8)};

        run(b, "odd", line, arg, 8);
        for (int32_t i = 0; i < ITEMS; i++)
            assert_int_equal(b->word[0][i],
                             1000 + 200 + 30 + 4 + 30 - 7 + 250 - 3 - 11 + 1000000);
    }
}

static void shapes_of_three_dimensions_have_offsets(void **state)
{
    struct emu_launch l = {
        .work_dim = 3, .global = {6, 4, 2}, .local = {3, 2, 2}, .offset = {10, 20, 30}};

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg = buffer(b, 0);

        run(b, "shape", l, &arg, 1);
        for (int32_t z = 0; z < 2; z++)
            for (int32_t y = 0; y < 4; y++)
                for (int32_t x = 0; x < 6; x++) {
                    const int32_t *w = &b->word[0][4 * (x + 6 * (y + 4 * z))];

                    assert_int_equal(w[0], (x + 10) | (y + 20) << 8 | (z + 30) << 16);
                    assert_int_equal(w[1], x % 3 | y % 2 << 8 | z << 16);
                    assert_int_equal(w[2], x / 3 | y / 2 << 8 | 2 << 24);
                    assert_int_equal(w[3], 6 | 2 << 8 | 3 << 16 | 2 << 24);
                }
    }
}

static void the_last_groups_may_be_smaller(void **state)
{
    struct emu_launch whole = {
        .work_dim = 3, .global = {7, 5, 3}, .local = {3, 2, 2}, .offset = {1, 2, 3}};
    struct emu_launch part[EMU_MAX_PARTS];
    uint32_t parts = emu_split(&whole, part);

    (void)state;
    assert_int_equal(parts, 8);
    EACH_BUILD(b)
    {
        struct emu_arg arg = buffer(b, 0);

        memset(b->word[0], 0, sizeof(b->word[0]));
        for (uint32_t i = 0; i < parts; i++)
            run(b, "shape", part[i], &arg, 1);
        for (int32_t i = 0; i < 7 * 5 * 3; i++) {
            int32_t x = i % 7, y = i / 7 % 5, z = i / 35;
            const int32_t *w = &b->word[0][4 * i];

            assert_int_equal(w[0], (x + 1) | (y + 2) << 8 | (z + 3) << 16);
            assert_int_equal(w[1], x % 3 | y % 2 << 8 | z % 2 << 16);
            assert_int_equal(w[2], x / 3 | y / 2 << 8 | z / 2 << 16 | 3 << 24);
            assert_int_equal(w[3], 7 | (y < 4 ? 2 : 1) << 8 | 3 << 16 | 2 << 24);
        }
    }
    whole.global[0] = 6;
    whole.global[1] = 4;
    whole.global[2] = 2;
    assert_int_equal(emu_split(&whole, part), 1);
    whole.global[2] = 1; /* smaller than a group */
    assert_int_equal(emu_split(&whole, part), 1);
    assert_int_equal(part[0].local[2], 1);
    whole.local[0] = 0;
    assert_int_equal(emu_split(&whole, part), 0);
}

static uint32_t subgroup_result(const uint32_t *in, uint32_t item)
{
    uint32_t group = item / 32, lane = item % 8, base = item - lane, x = in[item];
    uint32_t sum = 0, scan = 0, most = 0, some = 0, all = 1;

    for (uint32_t i = 0; i < 8; i++) {
        uint32_t y = in[base + i];

        sum += y;
        scan += i < lane ? y : 0;
        most = y > most ? y : most;
        some |= y == 40;
        all &= y < 1000;
    }
    return x + 3 * sum + 5 * scan + 7 * in[base + (lane + 3) % 8] +
           11 * (lane > 0 ? in[item - 1] : 0) + 13 * in[base + (lane ^ 5)] +
           17 * (some + 2 * all) + 19 * most + 23 * in[base + 2] +
           29 * in[group * 32 % 16 + lane] + 31 * in[group * 32 % 16 + 8 + lane] +
           37 * 4;
}

static void subgroups_exchange_and_move_blocks(void **state)
{
    struct emu_launch l = {.work_dim = 1, .global = {ITEMS}, .local = {32}};

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg[2] = {buffer(b, 0), buffer(b, 1)};
        uint32_t in[ITEMS];

        for (uint32_t i = 0; i < ITEMS; i++)
            in[i] = i * i % 97 + (i == 20 ? 2000 : 0);
        memcpy(b->word[0], in, sizeof(in));
        run(b, "subgroup", l, arg, 2);
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_int_equal((uint32_t)b->word[1][i], subgroup_result(in, i));
    }
}

static void work_group_functions_cover_the_group(void **state)
{
    struct emu_launch l = {.work_dim = 1, .global = {ITEMS}, .local = {32}};

    (void)state;
    EACH_BUILD(b)
    {
        struct emu_arg arg = buffer(b, 0);

        run(b, "group_functions", l, &arg, 1);
        for (int32_t i = 0; i < ITEMS; i++) {
            int32_t first = i / 32 * 32, most = 0;

            for (int32_t k = first; k <= i; k++)
                most = k % 7 > most ? k % 7 : most;
            assert_int_equal(b->word[0][i],
                             32 * first + 31 * 16 + 3 * most + 1000 * (first + 5));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_start_with_their_values_and_outlive_launches),
        cmocka_unit_test(recursive_functions_keep_a_stack_for_each_work_item),
        cmocka_unit_test(functions_are_called_by_some_of_the_work_items),
        cmocka_unit_test(functions_outside_of_the_kernel_are_linked_to_it),
        cmocka_unit_test(printf_writes_what_the_hosts_printf_would),
        cmocka_unit_test(a_full_printf_buffer_drops_the_rest),
        cmocka_unit_test(a_damaged_printf_buffer_is_refused),
        cmocka_unit_test(random_printf_buffers_are_formatted_or_refused),
        cmocka_unit_test(generic_pointers_reach_every_address_space),
        cmocka_unit_test(arguments_of_odd_types_arrive_whole),
        cmocka_unit_test(shapes_of_three_dimensions_have_offsets),
        cmocka_unit_test(the_last_groups_may_be_smaller),
        cmocka_unit_test(subgroups_exchange_and_move_blocks),
        cmocka_unit_test(work_group_functions_cover_the_group),
    };

    return cmocka_run_group_tests_name("program", tests, set_up, tear_down);
}
