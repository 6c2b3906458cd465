/* test_execute.c - launches executed while they are simulated
 * (docs/contract/execution.md) against the same launches recorded first: the buffers
 * are the emulator's and what the host's reference of the case expects, and where no
 * code has to be waited for the cycles and instructions are the recorded run's. Every
 * engine that executes.
 *
 *   test_execute                  every 9th of the suite's kernels and widths
 *   IGPU_LONG=1 test_execute      all of them
 *   test_execute --report [CASE]  a line for each: cycles recorded and executed, with
 *                                 icache.miss as configured and 0
 *
 * Can not find: what depends on time; that is test_execute_time.sh's.
 * tests/run: timeout=900 slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/host/sim/config_file.h"
#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"
#include "traces/kernels/cases.h"
#include "traces/kernels/check.h"
#include "traces/launch/launch.h"
#include "traces/record/record.h"

enum { PATH_BYTES = 512, EVERY = 9 };

static const char list[] = "traces/kernels/cases.yaml";

/* What a run showed. */
struct seen {
    uint64_t cycles, instructions;
};

struct pair {
    char trace[PATH_BYTES], launches[PATH_BYTES];
    const struct kernel_case *c;
    unsigned simd;
    struct record_program program;
    struct record_result result; /* the emulator's */
    bool ordered;                /* its atomics tell the order of groups */
    struct igpu_err err;
};

/* ---- a simulation -------------------------------------------------------- */

static void compare_buffers(const struct pair *p, const struct launch_file *file)
{
    const void *after[TRACE_MAX_ARGS] = {NULL};
    struct check_input in = {.c = p->c, .simd = p->simd, .after = after};
    struct igpu_err err;

    for (uint32_t i = 0; i < p->result.buffers; i++) {
        const struct record_buffer *b = &p->result.buffer[i];
        uint64_t bytes = 0;

        after[i] = launch_file_buffer(file, 0, i, &bytes);
        assert_int_equal(after[i] != NULL, b->host != NULL);
        if (b->host == NULL)
            continue;
        assert_int_equal(bytes, b->bytes);
        if (!p->ordered && memcmp(after[i], b->host, bytes) != 0)
            fail_msg("%s SIMD%u: buffer %u is not the emulator's", p->c->name, p->simd,
                     i);
    }
    if (check_run(&in, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static struct seen simulate(const struct pair *p, const struct host_engine_ops *engine,
                            bool execute, const char *setting)
{
    struct igpu_config config;
    struct sim_options so = {.engine = engine, .config = &config, .host_threads = 1};
    struct launch_file *file = NULL;
    struct trace_reader *reader;
    struct sim *sim = NULL;
    enum sim_state state;
    struct igpu_err err = {.text = ""};
    const struct sim_stats *launch;
    struct seen seen;
    uint32_t launches;

    assert_int_equal(config_load(&config, "skl-gt2", &err), IGPU_OK);
    if (setting != NULL)
        assert_int_equal(igpu_config_set(&config, setting, &err), IGPU_OK);
    reader = execute ? trace_open_launches(p->launches, NULL, &err)
                     : trace_open(p->trace, NULL, &err);
    if (reader == NULL)
        fail_msg("%s", err.text);
    if (execute && launch_file_open(&file, reader, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    so.execute = file;
    if (sim_create(&sim, reader, &so, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    while ((state = sim_step(sim)) == SIM_RUNNING) {
    }
    if (state != SIM_DONE && sim_status(sim, &err) != IGPU_OK)
        fail_msg("%s SIMD%u: %s", p->c->name, p->simd, err.text);
    seen.cycles = sim_stats(sim, &launches, &launch)->run_cycles;
    seen.instructions = sim_stats(sim, &launches, &launch)->run_instructions;
    if (execute)
        compare_buffers(p, file);
    sim_destroy(sim);
    launch_file_close(file);
    trace_close(reader);
    return seen;
}

/* ---- cases --------------------------------------------------------------- */

static void record(struct pair *p, const struct case_list *cases)
{
    const struct kernel_case *c = p->c;
    struct record_job job = {.dims = c->dims,
                             .arg = c->args,
                             .arg_count = (uint32_t)c->arg_count,
                             .trace = p->trace,
                             .launches = p->launches,
                             .device = "skl",
                             .file = c->file,
                             .command_line = ""};
    const char *tmp = getenv("IGPU_TMP");
    char source[PATH_BYTES], options[PATH_BYTES];

    for (unsigned i = 0; i < 3; i++) {
        job.global[i] = c->global[i];
        job.local[i] = c->local[i];
    }
    snprintf(p->trace, PATH_BYTES, "%s/execute.pb", tmp != NULL ? tmp : "/tmp");
    snprintf(p->launches, PATH_BYTES, "%s/execute.launch", tmp != NULL ? tmp : "/tmp");
    snprintf(source, PATH_BYTES, "%s/%s", cases->folder, c->file);
    assert_int_equal(case_options(c, p->simd, options, sizeof(options)), 0);
    if (record_open(&p->program, source, "skl", options, c->kernel, NULL, &p->err) !=
        IGPU_OK)
        fail_msg("%s", p->err.text);
    p->ordered = record_order_matters(&p->program);
    if (record_run(&p->program, &job, &p->result, &p->err) != IGPU_OK)
        fail_msg("%s", p->err.text);
}

static void forget(struct pair *p)
{
    record_result_free(&p->program, &p->result);
    record_close(&p->program);
    (void)remove(p->trace);
    (void)remove(p->launches);
}

/* Shares of the pools go round among threads that run at a time: a thread's address of
 * scratch or private memory depends on who has ended. */
static bool shares_pools(const struct pair *p)
{
    const struct emu_kernel *k = emu_program_kernel(p->program.emu);

    return k->scratch_bytes != 0 || k->private_bytes != 0;
}

static const struct host_engine_ops *const engines[] = {&host_engine_ref,
                                                        &host_engine_rtl};
enum { ENGINES = sizeof(engines) / sizeof(engines[0]) };

static void check(struct pair *p)
{
    struct seen recorded = simulate(p, engines[0], false, "icache.miss=0");

    for (unsigned i = 0; i < ENGINES; i++) {
        struct seen executed = simulate(p, engines[i], true, "icache.miss=0");

        (void)simulate(p, engines[i], true, NULL);
        if (p->ordered || (shares_pools(p) && p->result.counts.threads > 168))
            continue;
        if (executed.cycles != recorded.cycles ||
            executed.instructions != recorded.instructions)
            fail_msg(
                "%s SIMD%u: %llu cycles and %llu instructions executed in %s, %llu "
                "and %llu recorded",
                p->c->name, p->simd, (unsigned long long)executed.cycles,
                (unsigned long long)executed.instructions, engines[i]->name,
                (unsigned long long)recorded.cycles,
                (unsigned long long)recorded.instructions);
    }
}

static void report(struct pair *p)
{
    struct seen r = simulate(p, engines[0], false, NULL);
    struct seen e = simulate(p, engines[0], true, NULL);
    struct seen r0 = simulate(p, engines[0], false, "icache.miss=0");
    struct seen e0 = simulate(p, engines[0], true, "icache.miss=0");

    printf("%s_simd%u %llu %llu %+.2f%% %llu %llu %s%s\n", p->c->name, p->simd,
           (unsigned long long)r.cycles, (unsigned long long)e.cycles,
           100.0 * ((double)e.cycles / (double)r.cycles - 1),
           (unsigned long long)r0.cycles, (unsigned long long)e0.cycles,
           e0.cycles == r0.cycles && e0.instructions == r0.instructions ? "equal"
                                                                        : "differs",
           p->ordered        ? ", by the order of its atomics"
           : shares_pools(p) ? ", shares of private memory"
                             : "");
    fflush(stdout);
}

static void for_all(void (*what)(struct pair *p), unsigned every, const char *only)
{
    struct case_list cases;
    struct igpu_err err;
    unsigned number = 0;

    if (cases_load(list, &cases, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < cases.count; i++)
        for (size_t k = 0; k < cases.cases[i].simd_count; k++) {
            struct pair p = {.c = &cases.cases[i], .simd = cases.cases[i].simd[k]};

            if ((only != NULL && strcmp(only, p.c->name) != 0) || number++ % every != 0)
                continue;
            record(&p, &cases);
            what(&p);
            forget(&p);
        }
    cases_free(&cases);
}

static void executed_runs_equal_recorded_ones(void **state)
{
    (void)state;
    for_all(check, getenv("IGPU_LONG") != NULL ? 1 : EVERY, NULL);
}

static const char *only;

static void all_cases(void **state)
{
    (void)state;
    for_all(report, 1, only);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executed_runs_equal_recorded_ones)};
    const struct CMUnitTest reports[] = {cmocka_unit_test(all_cases)};

    if (argc > 1 && strcmp(argv[1], "--report") == 0) {
        only = argc > 2 ? argv[2] : NULL;
        return cmocka_run_group_tests(reports, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
