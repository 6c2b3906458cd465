/* bandwidth.c - `igpu bench bandwidth`: read streams out of one level, for vector types
 * and numbers of subslices (traces/kernels/bandwidth.cl). All work-items together read
 * the level's working set again and again; the compiler chooses the SIMD width. But for
 * DRAM, which is read once, the launch before the measured one warms the caches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/bench/bench_sweep.h"

static const struct bench_option options[] = {
    {"level", "LEVEL", "l3", "slm, l3, llc, edram or dram"},
    {"vector", "LIST", "1..16", "elements of the 32-bit vector type; A..B doubles"},
    {"subslices", "LIST", "all", "subslices that run, or all"},
    {"work-groups", "N", "56",
     "work-groups of 32 work-items for each subslice; in SLM a quarter, of 128"},
    {"bytes", "BYTES", "8M", "read in a launch, for each subslice"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {{"level", -1},
                                              {"vector", 0},
                                              {"subslices", 0},
                                              {"bytes_per_cycle", 2},
                                              {"gb_per_s", 2},
                                              {"peak_bytes_per_cycle", 2},
                                              {"of_peak_percent", 1},
                                              {"message_limit", 2},
                                              {"bytes_per_message", 1},
                                              {"lines_per_message", 2},
                                              {"gti_lines_per_cycle", 3},
                                              {"latency_ns", 1},
                                              {"dram_row_hits_percent", 1},
                                              {NULL, 0}};

struct plan {
    uint32_t level;
    uint64_t groups, bytes;
    struct bench_list vector, subslices;
};

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    uint64_t all = c->config.gpu_subslices;
    enum igpu_status status = sweep_level(c, &p->level, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "vector", true, 1, 16, &p->vector, err);
    for (uint32_t i = 0; status == IGPU_OK && i < p->vector.count; i++)
        if ((p->vector.value[i] & (p->vector.value[i] - 1)) != 0)
            status = igpu_fail(err, IGPU_USAGE, "--vector: powers of two, 1 to 16");
    if (status == IGPU_OK)
        status = bench_number(c, "work-groups", 1, 4096, &p->groups, err);
    if (status == IGPU_OK)
        status = bench_number(c, "bytes", 1 << 16, UINT64_C(1) << 32, &p->bytes, err);
    if (status == IGPU_OK && strcmp(bench_text(c, "subslices"), "all") == 0) {
        p->subslices.value = calloc(1, sizeof(uint64_t));
        if (p->subslices.value == NULL)
            return igpu_no_memory(err, "bandwidth curves");
        p->subslices.value[p->subslices.count++] = all;
    } else if (status == IGPU_OK) {
        status = bench_numbers(c, "subslices", false, 1, all, &p->subslices, err);
    }
    return status;
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    struct sweep sweep = {p->level, 0, p->vector.value[i / p->subslices.count],
                          p->subslices.value[i % p->subslices.count], p->bytes};
    uint64_t slices = c->config.gpu_slices;

    sweep.items = p->groups * sweep.subslices * SWEEP_ITEMS;
    sweep_sim(c, &sweep, sim);
    bench_sim_set(sim, "gpu.subslices=%u", (unsigned)sweep.subslices);
    bench_sim_set(sim, "gpu.slices=%u",
                  (unsigned)(sweep.subslices % slices == 0 ? slices : 1));
}

/* Messages in flight times their bytes over the time that one holds its place. */
static double message_limit(const struct igpu_config *config, double subslices,
                            double bytes)
{
    uint64_t held = config->dp_in_latency + config->l3_request_latency +
                    config->l3_latency + config->dp_out_latency +
                    config->dp_release_latency;

    return (double)config->dp_messages * subslices * bytes / (double)held;
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    uint64_t vector = p->vector.value[i / p->subslices.count];
    uint64_t subslices = p->subslices.value[i % p->subslices.count];
    struct sweep sweep = {p->level, sim->global, vector, subslices, p->bytes};
    double bytes = (double)(sim->global * 4 * vector * sweep_loads(&sweep));
    double rate = bytes / bench_sim_value(sim, "cycles");
    double top = sweep_peak(&c->config, p->level, (double)subslices);
    double requests = bench_sim_value(sim, "mem.requests");
    double bursts = bench_sim_value(sim, "dram.reads");

    bench_table_word(t, i, "level", sweep_level_name(p->level));
    bench_table_set(t, i, "vector", (double)vector);
    bench_table_set(t, i, "subslices", (double)subslices);
    bench_table_set(t, i, "bytes_per_cycle", rate);
    bench_table_set(t, i, "gb_per_s", rate * (double)c->config.gpu_clock_hz / 1e9);
    bench_table_set(t, i, "peak_bytes_per_cycle", top);
    bench_table_set(t, i, "of_peak_percent", 100 * rate / top);
    bench_table_set(t, i, "bytes_per_message", bytes / requests);
    bench_table_set(t, i, "latency_ns",
                    bench_sim_value(sim, "mem.latency_ps_avg") / 1e3);
    if (p->level != SWEEP_SLM)
        bench_table_set(t, i, "lines_per_message",
                        bench_sim_value(sim, "mem.lines") / requests);
    if (p->level == SWEEP_L3)
        bench_table_set(t, i, "message_limit",
                        message_limit(&c->config, (double)subslices, bytes / requests));
    if (p->level >= SWEEP_LLC)
        bench_table_set(t, i, "gti_lines_per_cycle",
                        bench_sim_value(sim, "gti.reads") /
                            bench_sim_value(sim, "cycles"));
    if (p->level == SWEEP_DRAM)
        bench_table_set(t, i, "dram_row_hits_percent",
                        100 * bench_sim_value(sim, "dram.row_hits") / bursts);
}

static enum igpu_status bandwidth_run(const struct bench_context *c,
                                      struct bench_table *t, struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = read_options(c, &p, err);

    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.vector.count * p.subslices.count, t, err);
    free(p.vector.value);
    free(p.subslices.value);
    return status;
}

const struct bench bench_bandwidth = {
    .name = "bandwidth",
    .text = "read streams out of SLM, L3, LLC, eDRAM or DRAM",
    .options = options,
    .columns = columns,
    .run = bandwidth_run,
    .make = make_sim,
    .fill = fill_row};
