/* memory.c - `igpu bench memory`: read streams out of one level against vector type and
 * work-groups, with counters and power. */
#include <stdlib.h>

#include "bridge/programs/bench/bench_reading.h"
#include "bridge/programs/bench/bench_sweep.h"

static const struct bench_option options[] = {
    {"level", "LEVEL", "l3", "slm, l3, llc, edram or dram"},
    {"vector", "LIST", "1..16", "elements of the 32-bit vector type; A..B doubles"},
    {"work-groups", "LIST", "3,6..24:6,48..168:24", "work-groups of 32 work-items"},
    {"bytes", "BYTES", "2M", "read in a launch, for each subslice"},
    {"launches", "N", "3", "launches; the first warms up and does not count"},
    {"seed", "N", "1", "when the first reading of the energy counters begins"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"level", -1},         {"vector", 0},          {"work_groups", 0},
    {"gb_per_s", 2},       {"bytes_per_cycle", 2}, {"of_peak_percent", 1},
    BENCH_READING_COLUMNS, {"pj_per_byte", 2},     {NULL, 0}};

struct plan {
    uint32_t level;
    uint64_t bytes, launches, seed;
    struct bench_list vector, groups;
};

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    enum igpu_status status = sweep_level(c, &p->level, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "vector", true, 1, 16, &p->vector, err);
    for (uint32_t i = 0; status == IGPU_OK && i < p->vector.count; i++)
        if ((p->vector.value[i] & (p->vector.value[i] - 1)) != 0)
            status = igpu_fail(err, IGPU_USAGE, "--vector: powers of two, 1 to 16");
    if (status == IGPU_OK)
        status = bench_numbers(c, "work-groups", false, 1, 65536, &p->groups, err);
    if (status == IGPU_OK)
        status = bench_number(c, "bytes", 1 << 16, UINT64_C(1) << 32, &p->bytes, err);
    if (status == IGPU_OK)
        status = bench_number(c, "launches", 2, 100, &p->launches, err);
    return status == IGPU_OK ? bench_number(c, "seed", 0, 1000000, &p->seed, err)
                             : status;
}

static struct sweep sweep_of(const struct bench_context *c, const struct plan *p,
                             uint32_t i)
{
    return (struct sweep){p->level, SWEEP_ITEMS * p->groups.value[i % p->groups.count],
                          p->vector.value[i / p->groups.count], c->config.gpu_subslices,
                          p->bytes};
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    struct sweep sweep = sweep_of(c, p, i);

    sweep_sim(c, &sweep, sim);
    sim->repeat = (uint32_t)p->launches;
    sim->energy = true;
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    struct sweep sweep = sweep_of(c, p, i);
    double bytes = (double)(sweep.items * 4 * sweep.vector * sweep_loads(&sweep));
    double ghz = (double)c->config.gpu_clock_hz / 1e9, rate;
    struct bench_reading r;

    bench_table_word(t, i, "level", sweep_level_name(p->level));
    bench_table_set(t, i, "vector", (double)p->vector.value[i / p->groups.count]);
    bench_table_set(t, i, "work_groups", (double)p->groups.value[i % p->groups.count]);
    if (bench_read(&c->config, sim, p->seed, &r, NULL) != IGPU_OK)
        return;
    rate = bytes / r.cycles;
    bench_table_set(t, i, "gb_per_s", rate * ghz);
    bench_table_set(t, i, "bytes_per_cycle", rate);
    bench_table_set(
        t, i, "of_peak_percent",
        100 * rate / sweep_peak(&c->config, p->level, (double)c->config.gpu_subslices));
    bench_reading_fill(&c->config, sim, &r, t, i);
    bench_table_set(t, i, "pj_per_byte",
                    1e12 * (r.joules[POWER_PKG] + r.joules[POWER_DRAM]) / bytes);
}

static enum igpu_status memory_run(const struct bench_context *c, struct bench_table *t,
                                   struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = read_options(c, &p, err);

    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.vector.count * p.groups.count, t, err);
    free(p.vector.value);
    free(p.groups.value);
    return status;
}

const struct bench bench_memory = {
    .name = "memory",
    .text = "read streams by level, vector type and work-groups, with power",
    .options = options,
    .columns = columns,
    .run = memory_run,
    .make = make_sim,
    .fill = fill_row};
