/* test_launches.c - traces of many short launches that leave written and evicted lines
 * on their way behind them, with disp.launch_cycles from 0 up: the launches follow each
 * other as docs/contract/model.md, section 2, says, in the reference and in the RTL,
 * however the host cuts time into windows. IGPU_SEED, IGPU_LONG as in random_run.h.
 * tests/run: timeout=900 slow turn=2of3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/engine_array.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"
#include "side_by_side.h"
#include "tests/support/rng.h"
#include "traces/format/trace.h"

enum { MOST_LAUNCHES = 12, CI_CASES = 24, LONG_CASES = 300, TOP_EVERY = 6 };

/* Whose kernels write: whole lines, words far apart, private memory, atomics; with and
 * without local memory. */
static const char *const samples[] = {"copy",      "triad",           "strided_16",
                                      "atomics32", "stencil_tiled",   "reduce_u32",
                                      "ids_3d",    "histogram_local", "l3_stream"};
enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

/* ---- a trace of several launches ---- */

struct maker {
    struct rng r;
    struct trace_writer *w;
    struct trace_reader *sample[SAMPLES];
    uint32_t kernel[SAMPLES]; /* in the new trace */
    struct igpu_err err;
};

/* Copy a thread; its accesses to memory lie `moved` bytes higher. */
static void copy_thread(struct maker *m, struct trace_reader *from, uint32_t thread,
                        uint64_t moved)
{
    const struct isa_kernel_code *code = &trace_kernel(from, 0)->code;
    struct trace_cursor *c = trace_cursor_open(from, 0, thread, NULL, &m->err);
    struct trace_thread *t = trace_thread_begin(m->w, thread);
    struct trace_totals totals;
    struct trace_access a;
    uint32_t block;

    assert_non_null(c);
    while (trace_cursor_next_block(c, &block, &m->err) == TRACE_NEXT_OK)
        trace_thread_block(t, block);
    while (trace_cursor_next_access(c, &a, &m->err) == TRACE_NEXT_OK) {
        if (code->inst[a.inst].msg.addr_model != ISA_ADDR_SLM)
            for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
                a.addr[i] += moved;
        trace_thread_access(t, a.inst, a.mask, a.addr);
    }
    assert_int_equal(trace_cursor_totals(c, &totals, &m->err), IGPU_OK);
    trace_cursor_close(c);
    assert_int_equal(trace_thread_end(t, &totals, &m->err), IGPU_OK);
}

/* Some of a sample's groups, over memory that launches before have used or not. */
static void add_launch(struct maker *m)
{
    uint32_t which = (uint32_t)rng_in(&m->r, 0, SAMPLES - 1);
    struct trace_reader *from = m->sample[which];
    struct trace_launch l = *trace_launch(from, 0);
    uint32_t groups = l.threads / l.threads_per_group;
    uint64_t moved = rng_in(&m->r, 0, 15) << 17;

    if (rng_once_in(&m->r, 2))
        groups = (uint32_t)rng_in(&m->r, 1, groups);
    l.kernel = m->kernel[which];
    l.threads = groups * l.threads_per_group;
    l.dims = 1;
    l.global[0] = l.local[0] * l.local[1] * l.local[2] * groups;
    l.local[0] *= l.local[1] * l.local[2];
    l.global[1] = l.global[2] = l.local[1] = l.local[2] = 1;
    l.nargs = 0;
    assert_int_equal(trace_writer_launch_begin(m->w, &l, NULL, &m->err), IGPU_OK);
    for (uint32_t i = 0; i < l.threads; i++)
        copy_thread(m, from, i, moved);
    assert_int_equal(trace_writer_launch_end(m->w, &m->err), IGPU_OK);
}

static void make_trace(const char *path, uint64_t seed)
{
    static const struct trace_header header = {"test_launches", "skl", "", "",
                                               false,           false};
    struct maker m = {.r = {.state = seed}};
    uint64_t launches = rng_in(&m.r, 2, MOST_LAUNCHES);
    enum igpu_status status;
    char name[100];

    m.w = trace_writer_open(path, &header, &status, &m.err);
    assert_non_null(m.w);
    for (unsigned i = 0; i < SAMPLES; i++) {
        (void)snprintf(name, sizeof(name), "traces/samples/%s.pb", samples[i]);
        m.sample[i] = trace_open(name, &status, &m.err);
        assert_non_null(m.sample[i]);
        assert_int_equal(trace_writer_kernel(m.w, trace_kernel(m.sample[i], 0),
                                             &m.kernel[i], &m.err),
                         IGPU_OK);
    }
    for (; launches > 0; launches--)
        add_launch(&m);
    for (unsigned i = 0; i < SAMPLES; i++)
        trace_close(m.sample[i]);
    assert_int_equal(trace_writer_close(m.w, &m.err), IGPU_OK);
}

/* ---- a machine with small caches and slow ways out of them ---- */

static void make_config(struct igpu_config *c, uint64_t seed)
{
    struct rng r = {.state = seed + 1};

    assert_int_equal(igpu_config_preset(c, "skl-gt2", NULL), IGPU_OK);
    c->disp_launch_cycles = rng_once_in(&r, 3)   ? 0
                            : rng_once_in(&r, 2) ? rng_in(&r, 0, 4)
                                                 : rng_in(&r, 0, 400);
    c->l3_sets = UINT64_C(1) << rng_in(&r, 0, 1);
    c->l3_ways = rng_in(&r, 2, 8);
    c->l3_ways_slm = rng_in(&r, 1, c->l3_ways);
    c->l3_write_buffer = rng_in(&r, 1, 32);
    c->llc_size = 65536;
    c->gti_writes = rng_in(&r, 1, 16);
    c->gti_request_latency = rng_in(&r, 0, 200);
    c->dram_clock_hz = rng_in(&r, 3, 11) * 100000000;
    if (rng_once_in(&r, 2))
        c->edram_size = 1 << 20;
    if (rng_once_in(&r, 2)) {
        c->dp_in_latency = rng_in(&r, 0, 63);
        c->dp_out_latency = rng_in(&r, 1, 63);
        c->disp_start_latency = rng_in(&r, 1, 40);
        c->disp_end_latency = rng_in(&r, 1, 40);
    }
    if (rng_once_in(&r, 4))
        c->eu_count = 2;
}

/* ---- runs ---- */

/* What one run shows of its launches. */
struct seen {
    struct sim_stats launch[MOST_LAUNCHES];
    uint64_t start[MOST_LAUNCHES];    /* first cycle */
    uint64_t answered[MOST_LAUNCHES]; /* last DONE; 0: none */
    uint32_t launches;
};

/* `l`: the launch that the last step belonged to. */
static void look(struct seen *seen, uint32_t l, const struct sim *sim,
                 const struct igpu_config *config)
{
    uint32_t count;

    for (unsigned i = 0; i < config->gpu_subslices; i++) {
        const struct sim_event *e = sim_events(sim, i, &count);

        for (; count > 0; count--, e++) {
            if (e->kind == SIM_ANSWER && e->cycle > seen->answered[l])
                seen->answered[l] = e->cycle;
            /* The first dispatch may be, and so is, in the first cycle. */
            if (e->kind == SIM_OPEN && e->value == 0)
                seen->start[l] = e->cycle - config->disp_start_latency;
        }
    }
}

static void run(const char *path, struct sim_options *options, struct seen *seen)
{
    struct igpu_err err = {.text = ""};
    struct trace_reader *reader = trace_open(path, NULL, &err);
    const struct sim_stats *launch;
    enum sim_state state = SIM_RUNNING;
    struct sim *sim;

    assert_non_null(reader);
    memset(seen, 0, sizeof(*seen));
    options->log = true;
    options->last_launch = trace_summary(reader)->launches - 1;
    assert_int_equal(sim_create(&sim, reader, options, &err), IGPU_OK);
    while (state == SIM_RUNNING) {
        uint32_t l = sim_launch(sim);

        state = sim_step(sim);
        look(seen, l, sim, options->config);
    }
    (void)sim_status(sim, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(state, SIM_DONE);
    (void)sim_stats(sim, &seen->launches, &launch);
    memcpy(seen->launch, launch, seen->launches * sizeof(*launch));
    sim_destroy(sim);
    trace_close(reader);
}

/* Each start against the contract; returns how many launches waited for the memory
 * side to be quiet. */
static unsigned check_starts(const struct seen *seen, const struct igpu_config *config)
{
    unsigned waited = 0;

    assert_int_equal(seen->start[0], 0);
    for (uint32_t i = 1; i < seen->launches; i++) {
        uint64_t ready = seen->start[i - 1] + seen->launch[i - 1].run_cycles;

        if (seen->answered[i - 1] > ready)
            ready = seen->answered[i - 1];
        ready += config->disp_launch_cycles;
        assert_true(seen->start[i] >= ready);
        waited += seen->start[i] > ready;
    }
    return waited;
}

static void launches_follow_each_other_as_the_contract_says(void **state)
{
    const char *text = getenv("IGPU_SEED"), *tmp = getenv("IGPU_TMP");
    uint64_t first = text != NULL ? strtoull(text, NULL, 0) : 1, launches = 0;
    uint64_t cases = getenv("IGPU_LONG") != NULL ? LONG_CASES : CI_CASES;
    unsigned waited = 0;
    char path[300];

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/launches.pb", tmp != NULL ? tmp : "/tmp");
    for (uint64_t seed = first; seed < first + cases; seed++) {
        static struct seen seen, other;
        struct igpu_config config;
        struct sim_options options = {
            .engine = &host_engine_ref, .config = &config, .host_threads = 1};
        struct rng r = {.state = seed + 2};

        make_trace(path, rng_mix(seed));
        make_config(&config, rng_mix(seed));
        run(path, &options, &seen);
        waited += check_starts(&seen, &config);
        launches += seen.launches;
        options.window = rng_in(&r, 1, sim_window(&config));
        run(path, &options, &other);
        assert_memory_equal(&seen, &other, sizeof(seen));
        check_side_by_side(path, &config, &host_engine_rtl, seed);
        if (seed % TOP_EVERY == 0)
            check_side_by_side(path, &config, &host_engine_array, seed);
        (void)remove(path);
    }
    print_message("%llu launches, %u waited for the memory side\n",
                  (unsigned long long)launches, waited);
    assert_true(cases < CI_CASES || waited > launches / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_follow_each_other_as_the_contract_says)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
