/* test_cases_check.c - traces/kernels/check.c and the host references. That the
 * references agree with the kernels is shown where kernels run; here: they fit their
 * cases, do something, know published results, and the comparison can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/check.h"

enum { MAX_ARGS = 16 };

/* A launch of a case whose kernel did exactly what the reference expects. */
struct run {
    struct check_input in;
    void *mem[MAX_ARGS];
};

static void start(struct run *run, const struct kernel_case *c, unsigned simd)
{
    struct igpu_err err = {.text = ""};

    assert_in_range(c->arg_count, 1, MAX_ARGS);
    if (check_expect(c, simd, run->mem, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    run->in.c = c;
    run->in.simd = simd;
    run->in.after = (const void *const *)run->mem;
}

static void finish(struct run *run)
{
    for (size_t i = 0; i < run->in.c->arg_count; i++)
        free(run->mem[i]);
}

static struct case_list cases;

static int load(void **state)
{
    struct igpu_err err = {.text = ""};

    (void)state;
    return cases_load("traces/kernels/cases.yaml", &cases, &err) == IGPU_OK ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    cases_free(&cases);
    return 0;
}

static const struct kernel_case *named(const char *name)
{
    const struct kernel_case *c = cases_find(&cases, name);

    if (c == NULL)
        fail_msg("no case %s", name);
    return c;
}

static void every_reference_fits_its_case_and_changes_something(void **state)
{
    (void)state;
    for (size_t i = 0; i < cases.count; i++) {
        const struct kernel_case *c = &cases.cases[i];
        struct run run;
        struct igpu_err err = {.text = ""};
        int changed = 0;

        start(&run, c, c->simd[0]);
        if (check_run(&run.in, &err) != IGPU_OK)
            fail_msg("%s", err.text);
        for (size_t a = 0; a < c->arg_count; a++) {
            void *before;

            if (run.mem[a] == NULL)
                continue;
            before = malloc(c->args[a].bytes);
            assert_non_null(before);
            assert_int_equal(argspec_fill(&c->args[a], before, &err), IGPU_OK);
            changed += memcmp(before, run.mem[a], c->args[a].bytes) != 0;
            free(before);
        }
        if (changed == 0)
            fail_msg("%s: the reference changes no buffer", c->name);
        finish(&run);
    }
}

/* One element of one buffer, the last: its top exponent or high bit flipped. */
static void a_wrong_element_is_found_in_every_buffer(void **state)
{
    (void)state;
    for (size_t i = 0; i < cases.count; i++) {
        const struct kernel_case *c = &cases.cases[i];
        struct run run;

        start(&run, c, c->simd[0]);
        for (size_t a = 0; a < c->arg_count; a++) {
            struct igpu_err err = {.text = ""};
            uint8_t *byte = run.mem[a];

            if (byte == NULL)
                continue;
            byte += c->args[a].bytes - 1;
            *byte ^= 0x40;
            if (check_run(&run.in, &err) != IGPU_SIM_ERROR ||
                strstr(err.text, c->name) == NULL)
                fail_msg("%s, argument %zu: %s", c->name, a, err.text);
            *byte ^= 0x40;
        }
        finish(&run);
    }
}

static void the_first_difference_is_named_with_both_values(void **state)
{
    struct run run;
    struct igpu_err err = {.text = ""};
    float *out;

    (void)state;
    start(&run, named("copy_partial"), 16);
    out = run.mem[1];
    out[7] = 2.5f;
    out[9] = 1.0f;
    assert_int_equal(check_run(&run.in, &err), IGPU_SIM_ERROR);
    assert_non_null(
        strstr(err.text, "case copy_partial, SIMD16: argument 1, element 7"));
    assert_non_null(strstr(err.text, "got 2.5 (0x40200000)"));
    finish(&run);
}

/* ext_native allows 4 ulp in its first six sections: 4 pass, 5 do not. */
static void tolerances_are_tight(void **state)
{
    struct run run;
    struct igpu_err err = {.text = ""};
    uint32_t *out;

    (void)state;
    start(&run, named("ext_native"), 8);
    out = run.mem[2];
    out[512] += 4;
    assert_int_equal(check_run(&run.in, &err), IGPU_OK);
    out[512] += 1;
    assert_int_equal(check_run(&run.in, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "element 512:"));
    finish(&run);
    start(&run, named("ext_double"), 8); /* division: exact; then rsqrt: 2 ulp */
    ((uint64_t *)run.mem[2])[513] += 2;
    assert_int_equal(check_run(&run.in, &err), IGPU_OK);
    ((uint64_t *)run.mem[2])[3] += 1;
    assert_int_equal(check_run(&run.in, &err), IGPU_SIM_ERROR);
    finish(&run);
}

static void nan_is_never_a_number(void **state)
{
    struct run run;
    struct igpu_err err = {.text = ""};

    (void)state;
    start(&run, named("ext_trig"), 8); /* absolute tolerance */
    ((float *)run.mem[1])[3] = NAN;
    assert_int_equal(check_run(&run.in, &err), IGPU_SIM_ERROR);
    ((float *)run.mem[1])[3] = INFINITY;
    assert_int_equal(check_run(&run.in, &err), IGPU_SIM_ERROR);
    finish(&run);
}

/* A case that does not fit its reference is refused, whatever is wrong with it. */
static void a_misfit_is_bad_input(void **state)
{
    static struct {
        const char *name;
        size_t arg;
        const char *spec;
    } misfits[] = {
        {"copy", 0, "buf:64K"},         /* too small */
        {"copy", 1, "f32:1"},           /* not a buffer */
        {"scale", 2, "f64:1"},          /* wrong width */
        {"reduce_u32", 2, "local:512"}, /* too little local memory */
        {"matmul_tiled", 3, "i32:32"},  /* not the global size */
        {"strided_16", 3, "u32:0"},     /* no stride */
        {"strided_16", 3, "u32:7"},     /* does not divide */
        {"chase", 0, "buf:64K:rand:1"}, /* leaves the buffer */
        {"chase_n", 2, "u32:16777216"}, /* starts outside */
        {"chase_long", 0, "buf:64K:rand:1"},
        {"spmv", 1, "buf:16K:randi32:31:0:256"},
        {"spmv", 0, "buf:1028:prefix:30:0:120"},
        {"atomics32", 1, "buf:1K:zero"},
        {"mad_sp", 0, "buf:21508"},
        {"slm_transpose", 2, "u32:64"},
        {"l3_stream", 3, "u32:4294967295"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(misfits) / sizeof(misfits[0]); i++) {
        struct kernel_case c = *named(misfits[i].name);
        struct argspec args[MAX_ARGS];
        void *mem[MAX_ARGS];
        struct igpu_err err = {.text = ""};

        memcpy(args, c.args, c.arg_count * sizeof(args[0]));
        assert_int_equal(argspec_parse(misfits[i].spec, &args[misfits[i].arg], &err),
                         IGPU_OK);
        c.args = args;
        if (check_expect(&c, 8, mem, &err) != IGPU_BAD_INPUT)
            fail_msg("misfit %zu was taken", i);
        assert_non_null(strstr(err.text, c.name));
        for (size_t a = 0; a < c.arg_count; a++)
            assert_null(mem[a]);
    }
}

/* CRC-32 of "12345678", as every zlib gives it. */
static void crc32_knows_a_published_value(void **state)
{
    struct kernel_case c = *named("crc32");
    struct argspec args[3];
    void *mem[3];
    struct igpu_err err = {.text = ""};

    (void)state;
    c.args = args;
    c.global[0] = c.local[0] = 1;
    assert_int_equal(argspec_parse("buf:8:ramp:0x34333231:0x04040404", &args[0], &err),
                     IGPU_OK);
    assert_int_equal(argspec_parse("buf:4", &args[1], &err), IGPU_OK);
    assert_int_equal(argspec_parse("u32:2", &args[2], &err), IGPU_OK);
    assert_int_equal(check_expect(&c, 8, mem, &err), IGPU_OK);
    assert_int_equal(*(uint32_t *)mem[1], 0x9ae0daaf);
    free(mem[0]);
    free(mem[1]);
}

/* Steps of 27 to 1: 111, the textbook's. Inputs are 0, 1, 2, ... */
static void collatz_knows_the_textbook(void **state)
{
    struct run run;

    (void)state;
    start(&run, named("collatz"), 8);
    assert_int_equal(((uint32_t *)run.mem[1])[27], 111);
    assert_int_equal(((uint32_t *)run.mem[1])[97], 118);
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_fits_its_case_and_changes_something),
        cmocka_unit_test(a_wrong_element_is_found_in_every_buffer),
        cmocka_unit_test(the_first_difference_is_named_with_both_values),
        cmocka_unit_test(tolerances_are_tight),
        cmocka_unit_test(nan_is_never_a_number),
        cmocka_unit_test(a_misfit_is_bad_input),
        cmocka_unit_test(crc32_knows_a_published_value),
        cmocka_unit_test(collatz_knows_the_textbook),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
