/* test_sim.c - the host loop and the checker, on recorded samples with the reference
 * engine: what must not matter does not, and what is wrong is noticed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bridge/host/sim/check.h"
#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/run.h"
#include "igpu/ref.h"
#include "tests/support/capture.h"

#define SAMPLE "traces/samples/reduce_u32.pb"

/* Run SAMPLE to its end; the state it ends in. */
static enum sim_state run_sample(const struct sim_options *options,
                                 struct sim_stats *stats, struct igpu_err *err)
{
    enum igpu_status status;
    struct trace_reader *reader = trace_open(SAMPLE, &status, err);
    const struct sim_stats *launch;
    enum sim_state state;
    struct sim *sim;
    uint32_t launches;

    assert_non_null(reader);
    assert_int_equal(sim_create(&sim, reader, options, err), IGPU_OK);
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    *stats = *sim_stats(sim, &launches, &launch);
    (void)sim_status(sim, err);
    if (state == SIM_FAILED) {
        char *text = malloc(1 << 16);

        assert_non_null(text);
        sim_describe(sim, text, 1 << 16); /* must work in any state */
        free(text);
    }
    sim_destroy(sim);
    trace_close(reader);
    return state;
}

static struct sim_options options_for(struct igpu_config *config,
                                      const struct host_engine_ops *engine)
{
    struct sim_options options = {
        .engine = engine, .config = config, .host_threads = 1};

    assert_int_equal(igpu_config_preset(config, "skl-gt2", NULL), IGPU_OK);
    return options;
}

static void the_window_does_not_matter(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    struct sim_stats base, other;
    struct igpu_err err;

    (void)state;
    assert_int_equal(run_sample(&options, &base, &err), SIM_DONE);
    assert_true(base.run_cycles > 1000);
    for (uint64_t window = 1; window < sim_window(&config); window += 6) {
        options.window = window;
        assert_int_equal(run_sample(&options, &other, &err), SIM_DONE);
        assert_memory_equal(&base, &other, sizeof(base));
    }
}

static void a_window_that_is_too_long_is_noticed(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    struct sim_stats stats;
    struct igpu_err err;
    int status;
    pid_t child;

    (void)state;
    options.window = 8 * sim_window(&config);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)freopen("/dev/null", "w", stderr); /* the assertion's own words */
        (void)run_sample(&options, &stats, &err);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void latencies_at_their_minimum_work(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    static const char *const keys[] = {"disp.start_latency=1", "disp.end_latency=1",
                                       "dp.in_latency=0", "dp.out_latency=1"};
    struct sim_stats stats;
    struct igpu_err err;

    (void)state;
    for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        assert_int_equal(igpu_config_set(&config, keys[i], &err), IGPU_OK);
    assert_int_equal(sim_window(&config), 1);
    assert_int_equal(run_sample(&options, &stats, &err), SIM_DONE);
}

static void a_limit_stops_at_its_cycle(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    struct sim_stats stats;
    struct igpu_err err;

    (void)state;
    options.max_cycles = 777;
    assert_int_equal(run_sample(&options, &stats, &err), SIM_STOPPED);
    assert_int_equal(stats.run_cycles, 777);
    assert_false(stats.complete);
}

/* ---- launches that are extended ---- */

/* A sim that gets the second of its parts, if it does not know of it, when it must. */
struct halves {
    struct sim *sim;
    uint64_t opened, first; /* threads; of the first part */
    bool late;
};

static void halves_open(void *ctx, const struct sim_event *open)
{
    struct halves *h = ctx;

    (void)open;
    h->opened++;
    if (!h->late || h->opened + sim_extend_by(h->sim) < h->first)
        return;
    sim_extend(h->sim, 2);
    h->late = false;
}

static void halves_end(void *ctx, const struct sim_event *end)
{
    (void)ctx;
    (void)end;
}

/* The second half of SAMPLE's launch, then the first one; `late`: of which nobody knows
 * before it is needed. */
static void run_halves(bool late, struct sim_stats *stats)
{
    static const struct feeder_part part[2] = {{128, 128}, {0, 128}};
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    struct halves halves = {.first = part[0].threads, .late = late};
    struct igpu_err err;
    enum igpu_status status;
    struct trace_reader *reader = trace_open(SAMPLE, &status, &err);
    const struct sim_stats *launch;
    uint32_t launches;

    assert_non_null(reader);
    options.part = part;
    options.parts = late ? 1 : 2;
    options.threads = (struct sim_threads){&halves, halves_open, halves_end};
    assert_int_equal(igpu_config_set(&config, "gpu.subslices=1", &err), IGPU_OK);
    assert_int_equal(sim_create(&halves.sim, reader, &options, &err), IGPU_OK);
    while (sim_step(halves.sim) == SIM_RUNNING)
        ;
    assert_false(halves.late);
    assert_int_equal(halves.opened, 256);
    *stats = *sim_stats(halves.sim, &launches, &launch);
    assert_int_equal(stats->run_threads_dispatched, 256);
    sim_destroy(halves.sim);
    trace_close(reader);
}

static void a_launch_that_is_extended_is_one_of_as_many_threads(void **state)
{
    struct sim_stats known, late;

    (void)state;
    run_halves(false, &known);
    run_halves(true, &late);
    assert_memory_equal(&known, &late, sizeof(known));
}

/* ---- engines with a defect ---- */

/* Loses every completion: threads wait for ever. */
static void stopped_before_its_first_cycle_it_is_not_complete(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, &host_engine_ref);
    struct igpu_err err;
    enum igpu_status status;
    struct trace_reader *reader = trace_open(SAMPLE, &status, &err);
    const struct sim_stats *launch;
    struct sim *sim;
    uint32_t launches;

    (void)state;
    assert_non_null(reader);
    assert_int_equal(sim_create(&sim, reader, &options, &err), IGPU_OK);
    sim_stop(sim);
    assert_int_equal(sim_step(sim), SIM_STOPPED);
    assert_false(sim_stats(sim, &launches, &launch)->complete);
    assert_int_equal(launches, 0);
    sim_destroy(sim);
    trace_close(reader);
}

static void lose_done(void *engine, const struct host_done *done)
{
    (void)engine;
    (void)done;
}

static void a_deadlock_is_explained(void **state)
{
    struct igpu_config config;
    struct host_engine_ops lossy = host_engine_ref;
    struct sim_options options = options_for(&config, &lossy);
    struct sim_stats stats;
    struct igpu_err err;

    (void)state;
    lossy.done = lose_done;
    assert_int_equal(run_sample(&options, &stats, &err), SIM_FAILED);
    assert_non_null(strstr(err.text, "deadlock at cycle"));
}

/* The line to repeat it with holds all that was given. */
static void a_deadlock_can_be_repeated(void **state)
{
    struct host_engine_ops lossy = host_engine_ref;
    const struct engine engine = {.name = "ref", .ops = &lossy};
    const struct engine_set engines = {
        .program = "igpu ref", .engine = &engine, .engines = 1};
    char *argv[] = {"ref", "-s", "dp.release_latency=9", "--quiet", SAMPLE, NULL};
    static char text[1 << 16];
    struct capture printed;

    (void)state;
    lossy.done = lose_done;
    capture_begin(&printed, STDERR_FILENO);
    assert_int_equal(run_main(5, argv, &engines), IGPU_SIM_ERROR);
    capture_end(&printed, text, sizeof(text));
    assert_non_null(
        strstr(text, "reproduce: ./igpu ref -s dp.release_latency=9 --quiet " SAMPLE
                     " --max-cycles "));
}

static enum igpu_status create_slower(void **engine, const struct igpu_config *config,
                                      const struct host_calls *calls,
                                      struct igpu_err *err)
{
    struct igpu_config other = *config;

    other.eu_alu32_lat++;
    return host_engine_ref.create(engine, &other, calls, err);
}

/* Compare the reference with `ops`; the text of the difference, "" if none. */
static void compare(const struct host_engine_ops *ops, struct igpu_err *err)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config, ops);
    struct trace_reader *reader[2];
    struct sim *sim[2];
    struct check *check;
    enum sim_state state;
    enum igpu_status status;

    options.log = true;
    for (unsigned i = 0; i < 2; i++) {
        reader[i] = trace_open(SAMPLE, &status, err);
        assert_non_null(reader[i]);
        assert_int_equal(sim_create(&sim[i], reader[i], &options, err), IGPU_OK);
        options.engine = &host_engine_ref;
    }
    assert_int_equal(check_create(&check, sim[0], sim[1], err), IGPU_OK);
    do
        state = check_step(check);
    while (state == SIM_RUNNING);
    err->text[0] = '\0';
    if (state == SIM_FAILED)
        assert_int_equal(check_status(check, err), IGPU_SIM_ERROR);
    else
        assert_true(check_events(check) > 10000);
    check_destroy(check);
    for (unsigned i = 0; i < 2; i++) {
        sim_destroy(sim[i]);
        trace_close(reader[i]);
    }
}

static void the_checker_finds_one_cycle_more(void **state)
{
    struct host_engine_ops slower = host_engine_ref;
    struct igpu_err err;

    (void)state;
    compare(&host_engine_ref, &err);
    assert_string_equal(err.text, "");
    slower.create = create_slower;
    compare(&slower, &err);
    assert_non_null(strstr(err.text, "engines differ first at cycle"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_does_not_matter),
        cmocka_unit_test(a_window_that_is_too_long_is_noticed),
        cmocka_unit_test(latencies_at_their_minimum_work),
        cmocka_unit_test(a_limit_stops_at_its_cycle),
        cmocka_unit_test(stopped_before_its_first_cycle_it_is_not_complete),
        cmocka_unit_test(a_launch_that_is_extended_is_one_of_as_many_threads),
        cmocka_unit_test(a_deadlock_is_explained),
        cmocka_unit_test(a_deadlock_can_be_repeated),
        cmocka_unit_test(the_checker_finds_one_cycle_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
