/* test_sim_threads.c - who is told of threads (struct sim_threads of sim.h): the same
 * of each engine and however the host cuts time, and so is what is done to the caches
 * then. The RTL beside it: tests/bridge/test_sampling.sh.
 *   test_sim_threads [N]     of the first N paths alone */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"

enum { MOST = 4096, EVERY = 5, LINES = 48 };

/* What was told, and messages whose lines are warmed: those after each's. */
struct told {
    struct mem_system *mem;
    bool warms;
    uint32_t count, opens;
    struct sim_event event[MOST];
    uint64_t sent, line[LINES];
};

static void keep(struct told *t, const struct sim_event *e)
{
    assert_true(t->count < MOST);
    t->event[t->count++] = *e;
}

static void on_open(void *ctx, const struct sim_event *open)
{
    struct told *t = ctx;

    assert_int_equal(open->kind, SIM_OPEN);
    assert_int_equal(open->value, t->opens);
    keep(t, open);
    if (t->opens++ % EVERY != 0 || !t->warms)
        return;
    for (uint32_t i = 0; i < LINES && i < t->sent; i++)
        mem_warm_below(t->mem, t->line[i], i % 3 == 0);
}

static void on_end(void *ctx, const struct sim_event *end)
{
    assert_int_equal(end->kind, SIM_END);
    keep(ctx, end);
}

static void on_sent(void *ctx, uint32_t launch, const struct mem_msg *msg)
{
    struct told *t = ctx;

    (void)launch;
    if (msg->space == MEM_GLOBAL && msg->lanes > 0)
        t->line[t->sent++ % LINES] = mem_lane(msg, 0) / 64 + 64;
}

static void on_answer(void *ctx, const struct mem_done *done, const struct mem_way *way)
{
    (void)ctx;
    (void)done;
    (void)way;
}

static struct sim_stats simulate(const char *path, const struct host_engine_ops *engine,
                                 uint64_t window, bool warms, struct told *t)
{
    struct igpu_config config;
    struct sim_options options = {
        .engine = engine, .config = &config, .host_threads = 1, .window = window};
    enum igpu_status status;
    struct igpu_err err = {.text = ""};
    struct trace_reader *reader = trace_open(path, &status, &err);
    const struct sim_stats *launch;
    struct sim_stats stats;
    struct sim *sim;
    uint32_t launches;

    assert_non_null(reader);
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.gpu_subslices = 2; /* so few that threads come until the end */
    config.eu_count = 4;
    memset(t, 0, sizeof(*t));
    t->warms = warms;
    assert_int_equal(mem_create(&t->mem, &config, NULL), IGPU_OK);
    options.mem = t->mem;
    options.threads = (struct sim_threads){t, on_open, on_end};
    options.messages = (struct sim_messages){t, on_sent, on_answer};
    assert_int_equal(sim_create(&sim, reader, &options, &err), IGPU_OK);
    while (sim_step(sim) == SIM_RUNNING)
        ;
    stats = *sim_stats(sim, &launches, &launch);
    assert_true(stats.complete);
    sim_destroy(sim);
    mem_destroy(t->mem);
    trace_close(reader);
    assert_int_equal(t->opens, stats.run_threads_dispatched);
    assert_int_equal(t->count, 2 * t->opens);
    return stats;
}

static void in_order(const struct told *t)
{
    for (uint32_t i = 1; i < t->count; i++) {
        const struct sim_event *a = &t->event[i - 1], *b = &t->event[i];

        assert_true(a->cycle <= b->cycle);
        if (a->cycle == b->cycle)
            assert_true(a->tile < b->tile ||
                        (a->tile == b->tile && b->kind == SIM_END));
    }
}

/* Of barriers and shared memory, of reads and of writes that fill the caches. */
static const char *const paths[] = {
    "traces/samples/stencil_tiled.pb", "traces/samples/histogram_local.pb",
    "traces/samples/stencil.pb", "traces/samples/triad.pb", "traces/samples/copy.pb"};
static unsigned long used = sizeof(paths) / sizeof(paths[0]);

static bool same(const struct sim_event *a, const struct sim_event *b)
{
    return a->cycle == b->cycle && a->value == b->value && a->kind == b->kind &&
           a->tile == b->tile && a->eu == b->eu && a->slot == b->slot;
}

/* `first` is of the reference and its longest window. */
static void the_same_otherwise(const char *path, bool warms, const struct told *first,
                               const struct sim_stats *stats, struct told *other)
{
    static const uint64_t windows[] = {1, 2, 5, 7, 0};

    for (unsigned i = 0; i < 2 * sizeof(windows) / sizeof(windows[0]); i++) {
        struct sim_stats now =
            simulate(path, i % 2 ? &host_engine_ref : &host_engine_ref_reverse,
                     windows[i / 2], warms, other);

        assert_memory_equal(&now, stats, sizeof(now));
        assert_int_equal(other->count, first->count);
        for (uint32_t k = 0; k < first->count; k++)
            assert_true(same(&other->event[k], &first->event[k]));
    }
}

static void threads_are_told_in_their_cycles(void **state)
{
    struct told *first = malloc(sizeof(*first)), *other = malloc(sizeof(*other));

    (void)state;
    assert_true(first != NULL && other != NULL);
    for (unsigned p = 0; p < used; p++) {
        struct sim_stats stats = simulate(paths[p], &host_engine_ref, 0, false, first);

        in_order(first);
        the_same_otherwise(paths[p], false, first, &stats, other);
    }
    free(first);
    free(other);
}

static void what_is_warmed_at_an_open_is_warmed_in_its_cycle(void **state)
{
    struct told *first = malloc(sizeof(*first)), *other = malloc(sizeof(*other));
    unsigned changed = 0;

    (void)state;
    assert_true(first != NULL && other != NULL);
    for (unsigned p = 0; p < used; p++) {
        struct sim_stats cold = simulate(paths[p], &host_engine_ref, 0, false, other);
        struct sim_stats stats = simulate(paths[p], &host_engine_ref, 0, true, first);

        changed += cold.run_cycles != stats.run_cycles;
        the_same_otherwise(paths[p], true, first, &stats, other);
    }
    assert_true(changed + 1 >= used);
    free(first);
    free(other);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_told_in_their_cycles),
        cmocka_unit_test(what_is_warmed_at_an_open_is_warmed_in_its_cycle)};

    used = argc > 1 ? strtoul(argv[1], NULL, 10) : used;
    return cmocka_run_group_tests_name("sim_threads", tests, NULL, NULL);
}
