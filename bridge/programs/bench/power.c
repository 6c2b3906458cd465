/* power.c - `igpu bench power`: paper 2's way to measure power, carried out on the
 * model's energy counters, for the kernels of the group flop, against work-groups and
 * the GPU's clock; beside it the model's own sum, and what a launch costs if the GPU
 * sleeps until the slowest clock would have been through with it (race to idle). */
#include <stdlib.h>

#include "bridge/programs/bench/bench_arith.h"
#include "bridge/programs/bench/bench_reading.h"

static const struct bench_option options[] = {
    {"work-groups", "LIST", "21", "work-groups"},
    {"clock", "LIST", "0", "MHz, 300 to 1150; 0: the configuration's"},
    ARITH_OPTIONS,
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {{"kernel", -1},
                                              {"vector", 0},
                                              {"work_groups", 0},
                                              {"clock_mhz", 0},
                                              {"volts", 3},
                                              {"gflops", 2},
                                              {"time_us", 3},
                                              {"pkg_w", 3},
                                              {"pp0_w", 3},
                                              {"pp1_w", 3},
                                              {"dram_w", 3},
                                              {"igpu_w", 3},
                                              {"igpu_spread_percent", 2},
                                              {"readings", 0},
                                              {"model_igpu_w", 3},
                                              {"method_error_percent", 2},
                                              {"launch_uj", 3},
                                              {"idle_uj", 3},
                                              {"gflops_per_watt", 2},
                                              {NULL, 0}};

struct plan {
    struct arith arith;
    struct bench_list clocks;
};

struct point {
    uint64_t vector, groups, mhz;
};

/* Rows: vector types, of each the groups, of each the clocks. */
static struct point point_of(const struct plan *p, uint32_t i)
{
    const struct arith *a = &p->arith;
    uint32_t clock = i % p->clocks.count, rest = i / p->clocks.count;

    return (struct point){a->vector.value[rest / a->groups.count],
                          a->groups.value[rest % a->groups.count],
                          p->clocks.value[clock]};
}

static struct igpu_config config_of(const struct bench_context *c, uint64_t mhz)
{
    struct igpu_config config = c->config;

    if (mhz != 0)
        config.gpu_clock_hz = mhz * 1000000;
    return config;
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    struct point at = point_of(p, i);

    (void)c;
    arith_sim(&p->arith, at.vector, at.groups, sim);
    if (at.mhz != 0)
        bench_sim_set(sim, "gpu.clock_hz=%u000000", (unsigned)at.mhz);
}

/* PKG and DRAM of a launch and of the sleep behind it, until as much time is over as
 * the first clock of the list needs. */
static double idle_uj(const struct bench_table *t, const struct igpu_config *config,
                      uint32_t row, uint32_t first, double launch_uj, double time_us)
{
    double watts[POWER_PLANES], period = time_us;

    if (row != first)
        period = bench_table_get(t, first, "time_us");
    power_idle(config, watts);
    return launch_uj + (period - time_us) * (watts[POWER_PKG] + watts[POWER_DRAM]);
}

static void fill_power(const struct bench_reading *r, double seconds,
                       struct bench_table *t, uint32_t i)
{
    const struct power_reading *w = &r->power;

    bench_table_set(t, i, "pkg_w", w->pkg_w);
    bench_table_set(t, i, "pp0_w", w->pp0_w);
    bench_table_set(t, i, "pp1_w", w->pp1_w);
    bench_table_set(t, i, "dram_w", w->dram_w);
    bench_table_set(t, i, "igpu_w", w->igpu_w);
    bench_table_set(t, i, "igpu_spread_percent", w->spread_percent);
    bench_table_set(t, i, "readings", w->readings);
    bench_table_set(t, i, "model_igpu_w", r->igpu_joules / seconds);
    bench_table_set(t, i, "method_error_percent", w->error_percent);
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    struct point at = point_of(p, i);
    struct igpu_config config = config_of(c, at.mhz);
    struct bench_reading r;
    double hz = (double)config.gpu_clock_hz, gflops, launch;

    bench_table_word(t, i, "kernel", arith_name(&p->arith, at.vector));
    bench_table_set(t, i, "vector", (double)at.vector);
    bench_table_set(t, i, "work_groups", (double)at.groups);
    bench_table_set(t, i, "clock_mhz", hz / 1e6);
    bench_table_set(t, i, "volts", power_volts(&config, hz));
    if (bench_read(&config, sim, p->arith.seed, &r, NULL) != IGPU_OK)
        return;
    gflops = arith_operations(&p->arith, at.vector, at.groups) / r.cycles * hz / 1e9;
    launch = 1e6 * (r.joules[POWER_PKG] + r.joules[POWER_DRAM]);
    bench_table_set(t, i, "gflops", gflops);
    bench_table_set(t, i, "time_us", 1e6 * r.cycles / hz);
    fill_power(&r, r.mean_seconds, t, i);
    bench_table_set(t, i, "launch_uj", launch);
    bench_table_set(
        t, i, "idle_uj",
        idle_uj(t, &config, i, i - i % p->clocks.count, launch, 1e6 * r.cycles / hz));
    bench_table_set(t, i, "gflops_per_watt", gflops / r.power.igpu_w);
}

static enum igpu_status read_clocks(const struct bench_context *c, struct plan *p,
                                    struct igpu_err *err)
{
    enum igpu_status status =
        bench_numbers(c, "clock", false, 0, 1150, &p->clocks, err);

    for (uint32_t i = 0; status == IGPU_OK && i < p->clocks.count; i++)
        if (p->clocks.value[i] < 300 && (p->clocks.value[i] != 0 || i > 0))
            status = igpu_fail(err, IGPU_USAGE,
                               "--clock %llu: expected 0 alone, or 300 to 1150",
                               (unsigned long long)p->clocks.value[i]);
    if (status == IGPU_OK && p->clocks.count > 1 && p->clocks.value[0] == 0)
        status =
            igpu_fail(err, IGPU_USAGE, "--clock: expected 0 alone, or 300 to 1150");
    return status;
}

static enum igpu_status power_run(const struct bench_context *c, struct bench_table *t,
                                  struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = arith_read(c, &p.arith, "work-groups", err);

    if (status == IGPU_OK)
        status = read_clocks(c, &p, err);
    if (status == IGPU_OK)
        status = bench_measure(
            c, &p, p.arith.vector.count * p.arith.groups.count * p.clocks.count, t,
            err);
    arith_free(&p.arith);
    free(p.clocks.value);
    return status;
}

const struct bench bench_power = {
    .name = "power",
    .text = "the same kernels' power by RAPL's counters, against work-groups and clock",
    .options = options,
    .columns = columns,
    .run = power_run,
    .make = make_sim,
    .fill = fill_row};
