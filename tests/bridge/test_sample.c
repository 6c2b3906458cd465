/* test_sample.c - samples of the counters (igpu/sample.h): the same whatever grid,
 * window or engine, adding up to the statistics, and changing none of them. The RTL
 * beside it: tests/bridge/test_oa_sim.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"

enum { MOST = 40000, EUS = 24, PORTS = 3 };

/* Samples that were taken, and the grid they were asked for on. */
struct taken {
    uint64_t period;
    uint32_t count;
    enum sim_sample_kind kind[MOST];
    struct igpu_sample *sample;
};

static uint64_t next(void *ctx, uint64_t from)
{
    const struct taken *t = ctx;

    return (from + t->period - 1) / t->period * t->period;
}

static void take(void *ctx, enum sim_sample_kind kind, const struct igpu_sample *sample)
{
    struct taken *t = ctx;

    assert_true(t->count < MOST);
    t->kind[t->count] = kind;
    t->sample[t->count++] = *sample;
}

struct run {
    struct sim_stats total;
    struct sim_stats launch[8];
    uint32_t launches;
    enum sim_state state;
};

static struct taken *new_taken(uint64_t period)
{
    struct taken *t = calloc(1, sizeof(*t));

    assert_non_null(t);
    t->period = period;
    t->sample = calloc(MOST, sizeof(*t->sample));
    assert_non_null(t->sample);
    return t;
}

static void free_taken(struct taken *t)
{
    free(t->sample);
    free(t);
}

static void add_sampler(struct sim_options *options, struct taken *t)
{
    options->sampler[options->samplers++] =
        (struct sim_sampler){t, t->period != 0 ? next : NULL, take};
}

static void simulate(const char *path, struct sim_options *options, struct run *run)
{
    enum igpu_status status;
    struct igpu_err err = {.text = ""};
    struct trace_reader *reader = trace_open(path, &status, &err);
    const struct sim_stats *launch;
    struct sim *sim;

    assert_non_null(reader);
    options->last_launch = trace_summary(reader)->launches - 1;
    assert_int_equal(sim_create(&sim, reader, options, &err), IGPU_OK);
    do
        run->state = sim_step(sim);
    while (run->state == SIM_RUNNING);
    run->total = *sim_stats(sim, &run->launches, &launch);
    assert_true(run->launches <= 8);
    memcpy(run->launch, launch, run->launches * sizeof(*launch));
    sim_destroy(sim);
    trace_close(reader);
}

static struct sim_options options_for(struct igpu_config *config)
{
    assert_int_equal(igpu_config_preset(config, "skl-gt2", NULL), IGPU_OK);
    return (struct sim_options){
        .engine = &host_engine_ref, .config = config, .host_threads = 1};
}

static const char *const paths[] = {
    "traces/samples/reduce_u32.pb",      "traces/samples/ping_pong.pb",
    "traces/samples/histogram_local.pb", "traces/samples/copy.pb",
    "traces/samples/strided_16.pb",      "traces/samples/private_small.pb"};
enum { PATHS = sizeof(paths) / sizeof(paths[0]) };

static void same_samples(const struct igpu_sample *a, const struct igpu_sample *b)
{
    assert_memory_equal(a, b, sizeof(*a));
}

/* The EU's and the memory side's counters from sample *from to *to. */
static void is_the_launch(const struct igpu_sample *from, const struct igpu_sample *to,
                          const struct sim_stats *s)
{
    assert_int_equal(to->eu.active - from->eu.active, s->eu_active);
    assert_int_equal(to->eu.stall - from->eu.stall, s->eu_stall);
    assert_int_equal(to->eu.fpu_both - from->eu.fpu_both, s->eu_fpu_both);
    assert_int_equal(to->eu.instructions - from->eu.instructions, s->run_instructions);
    assert_int_equal(to->eu.threads - from->eu.threads, s->run_threads_dispatched);
    assert_true(to->eu.resident - from->eu.resident >= s->eu_active);
    assert_int_equal(s->eu_active + s->eu_stall + s->eu_idle, s->run_cycles * EUS);
#define MEM_STAT(section, name, unit, text)                                            \
    assert_int_equal(to->mem.section##_##name - from->mem.section##_##name,            \
                     s->section##_##name);
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
}

/* Samples at launches' begins and ends differ by the launch's statistics. */
static void launches_are_their_statistics(void **state)
{
    struct igpu_config config;
    struct taken *t = new_taken(0);

    (void)state;
    for (unsigned p = 0; p < PATHS; p++) {
        struct sim_options options = options_for(&config);
        struct run run;

        t->count = 0;
        add_sampler(&options, t);
        simulate(paths[p], &options, &run);
        assert_int_equal(run.state, SIM_DONE);
        assert_int_equal(t->count, 2 * run.launches);
        for (uint32_t i = 0; i < run.launches; i++) {
            assert_int_equal(t->kind[2 * i], SIM_SAMPLE_BEGIN);
            assert_int_equal(t->kind[2 * i + 1], SIM_SAMPLE_END);
            assert_int_equal(t->sample[2 * i].launch, i);
            assert_true(t->sample[2 * i + 1].cycle - t->sample[2 * i].cycle >=
                        run.launch[i].run_cycles);
            is_the_launch(&t->sample[2 * i], &t->sample[2 * i + 1], &run.launch[i]);
        }
    }
    free_taken(t);
}

static uint64_t lines_of(const struct sample_mem *m)
{
    uint64_t lines = 0;

    for (unsigned i = 0; i < SAMPLE_PORTS; i++)
        for (unsigned op = 0; op < SAMPLE_OPS; op++)
            lines += m->port[i].lines[op];
    return lines;
}

static void parts_are_the_whole(const struct sample_mem *m)
{
    uint64_t reads = 0, writes = 0, accesses = 0;

    for (unsigned i = 0; i < SAMPLE_BANKS; i++) {
        reads += m->bank[i].gti_reads;
        writes += m->bank[i].gti_writes;
        accesses += m->bank[i].accesses;
    }
    assert_int_equal(reads, m->gti_reads);
    assert_int_equal(writes, m->gti_writes);
    assert_int_equal(accesses, m->l3_accesses);
    assert_int_equal(lines_of(m), m->mem_lines);
    assert_int_equal(m->slm_read_blocks + m->slm_write_blocks,
                     m->slm_cycles - m->slm_conflict_cycles);
}

/* No grid changes a statistic, and two grids agree where they meet, whatever the
 * window. */
static void grids_agree(void **state)
{
    struct igpu_config config;
    struct taken *fine = new_taken(97), *coarse = new_taken(5 * 97);

    (void)state;
    for (unsigned p = 0; p < PATHS; p++) {
        struct sim_options options = options_for(&config);
        struct run plain, run;
        uint32_t j = 0;

        simulate(paths[p], &options, &plain);
        fine->count = coarse->count = 0;
        add_sampler(&options, fine);
        simulate(paths[p], &options, &run);
        assert_memory_equal(&plain.total, &run.total, sizeof(plain.total));
        options = options_for(&config);
        options.window = 7;
        add_sampler(&options, coarse);
        simulate(paths[p], &options, &run);
        assert_memory_equal(&plain.total, &run.total, sizeof(plain.total));
        assert_true(coarse->count > 3);
        for (uint32_t i = 0; i < coarse->count; i++) {
            while (j < fine->count &&
                   (fine->kind[j] != coarse->kind[i] ||
                    fine->sample[j].cycle != coarse->sample[i].cycle))
                j++;
            assert_true(j < fine->count);
            same_samples(&coarse->sample[i], &fine->sample[j]);
            parts_are_the_whole(&coarse->sample[i].mem);
        }
    }
    free_taken(fine);
    free_taken(coarse);
}

/* Every counter grows, cycles ascend, and no interval holds more than its time. */
static void intervals_hold_no_more_than_their_time(void **state)
{
    struct igpu_config config;
    struct taken *t = new_taken(31);

    (void)state;
    for (unsigned p = 0; p < PATHS; p++) {
        struct sim_options options = options_for(&config);
        struct run run;

        t->count = 0;
        add_sampler(&options, t);
        simulate(paths[p], &options, &run);
        for (uint32_t i = 1; i < t->count; i++) {
            const struct igpu_sample *a = &t->sample[i - 1], *b = &t->sample[i];
            const uint64_t *x = (const uint64_t *)&a->mem;
            const uint64_t *y = (const uint64_t *)&b->mem;
            uint64_t cycles = b->cycle - a->cycle;

            assert_true(a->cycle <= b->cycle);
            for (size_t k = 0; k < sizeof(a->mem) / sizeof(*x); k++)
                assert_true(x[k] <= y[k]);
            assert_true(b->eu.active - a->eu.active + b->eu.stall - a->eu.stall <=
                        cycles * EUS);
            assert_true(b->eu.fpu0 - a->eu.fpu0 <= cycles * EUS);
            assert_true(b->eu.resident - a->eu.resident <= cycles * EUS * 7);
            assert_true(b->mem.gti_reads - a->mem.gti_reads <= cycles);
            assert_true(b->mem.mem_lines - a->mem.mem_lines + b->mem.slm_read_blocks -
                            a->mem.slm_read_blocks + b->mem.slm_write_blocks -
                            a->mem.slm_write_blocks <=
                        cycles * PORTS);
            assert_true(b->mem.slm_cycles - a->mem.slm_cycles <= cycles * PORTS);
        }
    }
    free_taken(t);
}

/* A second sampler gets its own grid and does not disturb the first. */
static void two_samplers_do_not_disturb_each_other(void **state)
{
    struct igpu_config config;
    struct taken *alone = new_taken(500), *one = new_taken(500), *two = new_taken(333);
    struct sim_options options = options_for(&config);
    struct run run;

    (void)state;
    add_sampler(&options, alone);
    simulate(paths[0], &options, &run);
    options = options_for(&config);
    add_sampler(&options, two);
    add_sampler(&options, one);
    simulate(paths[0], &options, &run);
    assert_int_equal(alone->count, one->count);
    for (uint32_t i = 0; i < one->count; i++)
        same_samples(&alone->sample[i], &one->sample[i]);
    for (uint32_t i = 0; i < two->count; i++)
        assert_true(two->kind[i] != SIM_SAMPLE_GRID || two->sample[i].cycle % 333 == 0);
    assert_true(two->count > one->count);
    free_taken(alone);
    free_taken(one);
    free_taken(two);
}

/* A run that stops early ends with a sample of what its statistics say. */
static void a_stopped_run_adds_up(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config);
    struct taken *t = new_taken(100);
    struct run run;

    (void)state;
    options.max_cycles = 1777;
    add_sampler(&options, t);
    simulate(paths[0], &options, &run);
    assert_int_equal(run.state, SIM_STOPPED);
    assert_int_equal(t->kind[t->count - 1], SIM_SAMPLE_END);
    assert_int_equal(t->sample[t->count - 1].cycle, 1777);
    is_the_launch(&t->sample[0], &t->sample[t->count - 1], &run.total);
    free_taken(t);
}

/* CPU agents go on while the GPU ends a launch: they count the same with samples. */
static void agents_do_not_notice(void **state)
{
    struct igpu_config config;
    struct sim_options options = options_for(&config);
    struct taken *t = new_taken(100);
    struct igpu_err err;
    struct run plain, run;

    (void)state;
    assert_int_equal(cpu_agent_set(&config, "stream:2M:2", &err), IGPU_OK);
    simulate(paths[3], &options, &plain);
    add_sampler(&options, t);
    simulate(paths[3], &options, &run);
    assert_true(plain.total.cpu_requests > 10);
    assert_memory_equal(&plain.total, &run.total, sizeof(plain.total));
    free_taken(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_their_statistics),
        cmocka_unit_test(grids_agree),
        cmocka_unit_test(intervals_hold_no_more_than_their_time),
        cmocka_unit_test(two_samplers_do_not_disturb_each_other),
        cmocka_unit_test(a_stopped_run_adds_up),
        cmocka_unit_test(agents_do_not_notice),
    };

    return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
