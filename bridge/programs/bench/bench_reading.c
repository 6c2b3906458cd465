/* bench_reading.c - see bench_reading.h. */
#include "bridge/programs/bench/bench_reading.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LAUNCHES = 100 };
#define LEAST_SECONDS 0.05 /* paper 2: RAPL needs 50 ms */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static void read_cycles(const struct bench_sim *sim, uint32_t count,
                        struct bench_reading *r)
{
    double cycles[MAX_LAUNCHES];

    for (uint32_t i = 0; i < count; i++)
        cycles[i] = bench_sim_launch_value(sim, "cycles", i + 1);
    qsort(cycles, count, sizeof(*cycles), ascending);
    r->cycles = count % 2 != 0 ? cycles[count / 2]
                               : (cycles[count / 2 - 1] + cycles[count / 2]) / 2;
    r->spread_percent = 100 * (cycles[count - 1] - cycles[0]) / r->cycles;
}

enum igpu_status bench_read(const struct igpu_config *config,
                            const struct bench_sim *sim, uint64_t seed,
                            struct bench_reading *r, struct igpu_err *err)
{
    static double pj[MAX_LAUNCHES][POWER_PLANES], seconds[MAX_LAUNCHES];
    uint32_t count = bench_sim_launches(sim);
    struct power_load load = {config, (const double(*)[POWER_PLANES])pj, seconds, 0};

    if (count < 2 || count > MAX_LAUNCHES + 1)
        return igpu_fail(err, IGPU_SIM_ERROR, "%u launches: expected 2 to %d", count,
                         MAX_LAUNCHES + 1);
    load.launches = count - 1;
    read_cycles(sim, load.launches, r);
    for (uint32_t i = 0; i < load.launches; i++)
        seconds[i] =
            bench_sim_launch_value(sim, "cycles", i + 1) / (double)config->gpu_clock_hz;
    for (unsigned p = 0; p < POWER_PLANES; p++) {
        char key[32];

        (void)snprintf(key, sizeof(key), "energy.%s_nj",
                       power_plane_name((enum power_plane)p));
        r->joules[p] = 0;
        for (uint32_t i = 0; i < load.launches; i++) {
            pj[i][p] = 1e3 * bench_sim_launch_value(sim, key, i + 1);
            r->joules[p] += pj[i][p] * 1e-12 / load.launches;
        }
    }
    r->mean_seconds = 0;
    for (uint32_t i = 0; i < load.launches; i++)
        r->mean_seconds += seconds[i] / load.launches;
    r->igpu_joules =
        r->joules[POWER_PKG] - r->joules[POWER_PP0] - r->joules[POWER_DRAM];
    power_read(&load, LEAST_SECONDS, seed, &r->power);
    return IGPU_OK;
}

static double eu_percent(const struct igpu_config *c, const struct bench_sim *sim,
                         const char *name)
{
    double eus = (double)(c->gpu_subslices * c->eu_count);

    return 100 * bench_sim_value(sim, name) / (eus * bench_sim_value(sim, "cycles"));
}

void bench_reading_fill(const struct igpu_config *c, const struct bench_sim *sim,
                        const struct bench_reading *r, struct bench_table *t,
                        uint32_t row)
{
    bench_table_set(t, row, "time_us", 1e6 * r->cycles / (double)c->gpu_clock_hz);
    bench_table_set(t, row, "time_spread_percent", r->spread_percent);
    bench_table_set(t, row, "eu_active_percent", eu_percent(c, sim, "eu.active"));
    bench_table_set(t, row, "eu_stall_percent", eu_percent(c, sim, "eu.stall"));
    bench_table_set(t, row, "fpu_both_percent", eu_percent(c, sim, "eu.fpu_both"));
    bench_table_set(t, row, "igpu_w", r->power.igpu_w);
    bench_table_set(t, row, "igpu_spread_percent", r->power.spread_percent);
    bench_table_set(t, row, "readings", r->power.readings);
    bench_table_set(t, row, "pkg_w", r->power.pkg_w);
    bench_table_set(t, row, "dram_w", r->power.dram_w);
}
