/* flop.c - `igpu bench flop`: paper 2's throughput kernels, an operation on a type, by
 * vector type, variant and work-groups, with counters and power. */
#include "bridge/programs/bench/bench_arith.h"
#include "bridge/programs/bench/bench_reading.h"

static const struct bench_option options[] = {
    {"work-groups", "LIST", "1..12,15..42:3", "work-groups"},
    ARITH_OPTIONS,
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"kernel", -1},        {"vector", 0},          {"work_groups", 0},
    {"gflops", 2},         {"peak_gflops", 1},     {"of_peak_percent", 2},
    BENCH_READING_COLUMNS, {"gflops_per_watt", 2}, {NULL, 0}};

static uint64_t vector_of(const struct arith *a, uint32_t i)
{
    return a->vector.value[i / a->groups.count];
}

static uint64_t groups_of(const struct arith *a, uint32_t i)
{
    return a->groups.value[i % a->groups.count];
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct arith *a = plan;

    (void)c;
    arith_sim(a, vector_of(a, i), groups_of(a, i), sim);
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct arith *a = plan;
    uint64_t vector = vector_of(a, i), groups = groups_of(a, i);
    double ghz = (double)c->config.gpu_clock_hz / 1e9;
    double peak = arith_peak(a, &c->config);
    struct bench_reading r;
    double rate;

    bench_table_word(t, i, "kernel", arith_name(a, vector));
    bench_table_set(t, i, "vector", (double)vector);
    bench_table_set(t, i, "work_groups", (double)groups);
    if (bench_read(&c->config, sim, a->seed, &r, NULL) != IGPU_OK)
        return;
    rate = arith_operations(a, vector, groups) / r.cycles;
    bench_table_set(t, i, "gflops", rate * ghz);
    if (peak > 0) {
        bench_table_set(t, i, "peak_gflops", peak * ghz);
        bench_table_set(t, i, "of_peak_percent", 100 * rate / peak);
    }
    bench_reading_fill(&c->config, sim, &r, t, i);
    bench_table_set(t, i, "gflops_per_watt", rate * ghz / r.power.igpu_w);
}

static enum igpu_status flop_run(const struct bench_context *c, struct bench_table *t,
                                 struct igpu_err *err)
{
    struct arith a = {0};
    enum igpu_status status = arith_read(c, &a, "work-groups", err);

    if (status == IGPU_OK)
        status = bench_measure(c, &a, a.vector.count * a.groups.count, t, err);
    arith_free(&a);
    return status;
}

const struct bench bench_flop = {
    .name = "flop",
    .text = "an operation by type, vector type, variant and work-groups, with power",
    .options = options,
    .columns = columns,
    .run = flop_run,
    .make = make_sim,
    .fill = fill_row};
