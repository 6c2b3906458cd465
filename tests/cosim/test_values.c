/* test_values.c - launches whose values the RTL computes, in lock-step with the
 * emulator (docs/contract/execution.md, --rtl-values): of the suite's kernels every
 * instruction's results, flags, payload, channels and next instruction. Cycles are
 * those of the run without.
 *
 *   test_values                  every 72nd of the suite's kernels and widths, by the
 *                                commit's first digit one of four sets
 *   IGPU_LONG=1 test_values      all of them
 *   test_values --report [CASE]  a line for each
 *
 * Can not find: what the emulator does wrongly too.
 * tests/run: timeout=1800 slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/engines/rtl/lockstep.h"
#include "bridge/host/sim/config_file.h"
#include "bridge/host/sim/sim.h"
#include "traces/kernels/cases.h"
#include "traces/launch/launch.h"
#include "traces/record/record.h"

enum { PATH_BYTES = 512, EVERY = 72 };

static const char list[] = "traces/kernels/cases.yaml";
static char launches[PATH_BYTES];

static void record(const struct case_list *cases, const struct kernel_case *c,
                   unsigned simd)
{
    struct record_job job = {.dims = c->dims,
                             .arg = c->args,
                             .arg_count = (uint32_t)c->arg_count,
                             .launches = launches,
                             .device = "skl",
                             .file = c->file,
                             .command_line = ""};
    char source[PATH_BYTES], options[PATH_BYTES];
    struct record_program program;
    struct record_result result;
    struct igpu_err err;

    for (unsigned i = 0; i < 3; i++) {
        job.global[i] = c->global[i];
        job.local[i] = c->local[i];
    }
    snprintf(source, PATH_BYTES, "%s/%s", cases->folder, c->file);
    assert_int_equal(case_options(c, simd, options, sizeof(options)), 0);
    if (record_open(&program, source, "skl", options, c->kernel, NULL, &err) !=
            IGPU_OK ||
        record_run(&program, &job, &result, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    record_result_free(&program, &result);
    record_close(&program);
}

/* Bits of a native instruction: its first operand's register and negation. */
enum { BIT_REGISTER = 69, BIT_NEGATED = 78 };

/* An instruction is another one, by this bit, for the RTL than for the emulator. */
static void damage(const struct launch_file *file, const struct trace_reader *reader,
                   unsigned bit)
{
    const struct isa_kernel_code *code =
        &trace_kernel(reader, trace_launch(reader, 0)->kernel)->code;
    size_t bytes;
    uint8_t *text = (uint8_t *)launch_file_text(file, 0, &bytes);

    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_inst *in = &code->inst[i];

        if (in->compacted || in->op != ISA_OP_ADD || in->src[0].file != ISA_FILE_GRF)
            continue;
        text[in->pc + bit / 8] ^= 1u << bit % 8;
        return;
    }
    fail_msg("no instruction to change");
}

/* Cycles of the launches; with values, if it is given. wrong: of a kernel damaged by
 * `bit`, which ends with this error. */
static uint64_t simulate(struct lockstep *values, unsigned bit, struct igpu_err *wrong)
{
    struct igpu_config config;
    struct sim_options so = {
        .engine = &host_engine_rtl, .config = &config, .host_threads = 1};
    struct launch_file *file = NULL;
    struct trace_reader *reader;
    const struct sim_stats *launch;
    struct sim *sim = NULL;
    enum sim_state state;
    struct igpu_err err = {.text = ""};
    uint32_t count;
    uint64_t cycles;

    assert_int_equal(config_load(&config, "skl-gt2", &err), IGPU_OK);
    reader = trace_open_launches(launches, NULL, &err);
    if (reader == NULL || launch_file_open(&file, reader, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    if (wrong != NULL)
        damage(file, reader, bit);
    so.execute = file;
    so.beside = values != NULL ? lockstep_beside(values) : NULL;
    if (sim_create(&sim, reader, &so, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    while ((state = sim_step(sim)) == SIM_RUNNING) {
    }
    if (wrong != NULL)
        assert_int_equal(sim_status(sim, wrong), IGPU_SIM_ERROR);
    else if (state != SIM_DONE && sim_status(sim, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    cycles = sim_stats(sim, &count, &launch)->run_cycles;
    sim_destroy(sim);
    launch_file_close(file);
    trace_close(reader);
    return cycles;
}

static void check(const struct case_list *cases, const struct kernel_case *c,
                  unsigned simd, bool report)
{
    struct lockstep *values;
    struct igpu_err err;

    record(cases, c, simd);
    assert_int_equal(lockstep_create(&values, &err), IGPU_OK);
    if (report)
        printf("%s_simd%u\n", c->name, simd);
    fflush(stdout);
    assert_int_equal(simulate(values, 0, NULL), simulate(NULL, 0, NULL));
    if (report)
        lockstep_print(values, stdout);
    fflush(stdout);
    lockstep_destroy(values);
    (void)remove(launches);
}

static unsigned first_of_commit(void)
{
    const char *commit = getenv("IGPU_COMMIT");
    char digit[] = {commit != NULL ? commit[0] : '0', 0};

    return 4 + (unsigned)strtoul(digit, NULL, 16) % 4 * (EVERY / 4);
}

static void all(unsigned every, const char *only, bool report)
{
    const char *tmp = getenv("IGPU_TMP");
    unsigned first = first_of_commit();
    struct case_list cases;
    struct igpu_err err;
    unsigned number = 0, ran = 0;

    snprintf(launches, PATH_BYTES, "%s/values.launch", tmp != NULL ? tmp : "/tmp");
    if (cases_load(list, &cases, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < cases.count; i++)
        for (size_t k = 0; k < cases.cases[i].simd_count; k++) {
            if ((only != NULL && strcmp(only, cases.cases[i].name) != 0) ||
                number++ % every != first % every)
                continue;
            check(&cases, &cases.cases[i], cases.cases[i].simd[k], report);
            ran++;
        }
    cases_free(&cases);
    print_message("%u kernels and widths\n", ran);
}

static void values_are_the_emulators(void **state)
{
    (void)state;
    all(getenv("IGPU_LONG") != NULL ? 1 : EVERY, NULL, false);
}

static void a_damaged_kernel_ends(unsigned bit, const char *const *parts)
{
    const char *tmp = getenv("IGPU_TMP"), *at;
    struct igpu_err err = {.text = ""};
    struct case_list cases;
    struct lockstep *values;

    snprintf(launches, PATH_BYTES, "%s/values.launch", tmp != NULL ? tmp : "/tmp");
    assert_int_equal(cases_load(list, &cases, &err), IGPU_OK);
    record(&cases, cases_find(&cases, "binary_search"), 16);
    assert_int_equal(lockstep_create(&values, &err), IGPU_OK);
    (void)simulate(values, bit, &err);
    at = err.text;
    for (; *parts != NULL; parts++)
        if ((at = strstr(at, *parts)) == NULL)
            fail_msg("no \"%s\" in: %s", *parts, err.text);
    print_message("%s\n", err.text);
    lockstep_destroy(values);
    cases_free(&cases);
    (void)remove(launches);
}

static void the_first_difference_ends_the_run(void **state)
{
    static const char *const parts[] = {
        "thread ",    "instruction at 0x", "(",        "add ",
        ", channel ", "expected 0x",       "found 0x", NULL};

    (void)state;
    a_damaged_kernel_ends(BIT_NEGATED, parts);
}

static void other_registers_end_it_before_it_begins(void **state)
{
    static const char *const parts[] = {"instruction at 0x", "(add ",
                                        "need of r0 to r63", "expected 0x",
                                        "found 0x",          NULL};

    (void)state;
    a_damaged_kernel_ends(BIT_REGISTER, parts);
}

static const char *only;

static void all_cases(void **state)
{
    (void)state;
    all(1, only, true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_difference_ends_the_run),
        cmocka_unit_test(other_registers_end_it_before_it_begins),
        cmocka_unit_test(values_are_the_emulators)};
    const struct CMUnitTest reports[] = {cmocka_unit_test(all_cases)};

    if (argc > 1 && strcmp(argv[1], "--report") == 0) {
        only = argc > 2 ? argv[2] : NULL;
        return cmocka_run_group_tests(reports, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
