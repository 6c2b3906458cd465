/* bandwidth.c - `igpu bench bandwidth`: read streams out of one level, for vector types
 * and numbers of subslices (traces/kernels/bandwidth.cl). All work-items together read
 * the level's working set again and again; the compiler chooses the SIMD width. But for
 * DRAM, which is read once, the launch before the measured one warms the caches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/bench/bench.h"

enum { ITEMS = 32, SLM_ITEMS = 128, UNROLL = 8 };

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

enum { SLM, L3, LLC, EDRAM, DRAM };
static const char *const levels[] = {"slm", "l3", "llc", "edram", "dram", NULL};

struct plan {
    uint32_t level;
    uint64_t groups, bytes;
    struct bench_list vector, subslices;
};

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    uint64_t all = c->config.gpu_subslices;
    enum igpu_status status = bench_choice(c, "level", levels, &p->level, err);

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
            return igpu_fail(err, IGPU_USAGE, "out of memory");
        p->subslices.value[p->subslices.count++] = all;
    } else if (status == IGPU_OK) {
        status = bench_numbers(c, "subslices", false, 1, all, &p->subslices, err);
    }
    if (status == IGPU_OK && p->level == EDRAM && c->config.edram_size == 0)
        return igpu_fail(err, IGPU_USAGE, "--level edram: %s has none; try -c kbl-gt3e",
                         c->config.name);
    return status;
}

/* A power of two that lies in the level with room to spare: the L3 holds 512 KB a
 * slice; what is twice as large as a level is never found there, as long as it is read
 * in order and replaced by true LRU. */
static uint64_t working_set(const struct bench_context *c, const struct plan *p)
{
    uint64_t bytes = c->config.llc_size / 4;

    if (p->level == L3)
        return UINT64_C(256) << 10;
    if (p->level == EDRAM)
        bytes = 4 * c->config.llc_size;
    if (p->level == DRAM)
        bytes = 2 * p->bytes * c->config.gpu_subslices - 1; /* to be rounded down */
    while ((bytes & (bytes - 1)) != 0)
        bytes &= bytes - 1;
    return bytes;
}

static uint64_t loads_of(const struct plan *p, uint64_t items, uint64_t subslices,
                         uint64_t vector)
{
    uint64_t loads = p->bytes * subslices / (items * 4 * vector);

    return (loads + UNROLL - 1) / UNROLL * UNROLL;
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    uint64_t vector = p->vector.value[i / p->subslices.count];
    uint64_t subslices = p->subslices.value[i % p->subslices.count];
    uint64_t items = p->groups * subslices * ITEMS;
    uint64_t slices = c->config.gpu_slices;

    sim->file = "bandwidth.cl";
    sim->kernel = p->level == SLM ? "sweep_slm" : "sweep";
    if (vector == 1)
        (void)snprintf(sim->options, sizeof(sim->options), "-DV=uint");
    else
        (void)snprintf(sim->options, sizeof(sim->options), "-DV=uint%u",
                       (unsigned)vector);
    sim->global = items;
    sim->local = p->level == SLM && items % SLM_ITEMS == 0 ? SLM_ITEMS : ITEMS;
    sim->repeat = p->level == DRAM ? 1 : 2;
    if (p->level != SLM)
        bench_sim_arg(sim, "buf:%llu", (unsigned long long)working_set(c, p));
    bench_sim_arg(sim, "buf:%llu", (unsigned long long)(items * 4 * vector));
    bench_sim_arg(sim, "u32:%llu",
                  (unsigned long long)loads_of(p, items, subslices, vector));
    if (p->level != SLM)
        bench_sim_arg(sim, "u32:%llu",
                      (unsigned long long)(working_set(c, p) / (4 * vector) - 1));
    bench_sim_set(sim, "gpu.subslices=%u", (unsigned)subslices);
    bench_sim_set(sim, "gpu.slices=%u",
                  (unsigned)(subslices % slices == 0 ? slices : 1));
}

static double peak(const struct igpu_config *config, uint32_t level, double subslices)
{
    double hz = (double)config->gpu_clock_hz;

    if (level == SLM)
        return 4 * (double)config->slm_banks * subslices;
    if (level == L3)
        return 64 * (double)config->dp_lines * subslices;
    if (level == LLC)
        return (double)config->gti_read_bytes;
    if (level == EDRAM)
        return (double)config->edram_bus_bytes * (double)config->edram_clock_hz / hz;
    return 64 * (double)config->dram_channels * (double)config->dram_clock_hz / hz /
           (double)config->dram_burst;
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
    double bytes = (double)(sim->global * 4 * vector *
                            loads_of(p, sim->global, subslices, vector));
    double rate = bytes / bench_sim_value(sim, "cycles");
    double top = peak(&c->config, p->level, (double)subslices);
    double requests = bench_sim_value(sim, "mem.requests");
    double bursts = bench_sim_value(sim, "dram.reads");

    bench_table_word(t, i, "level", levels[p->level]);
    bench_table_set(t, i, "vector", (double)vector);
    bench_table_set(t, i, "subslices", (double)subslices);
    bench_table_set(t, i, "bytes_per_cycle", rate);
    bench_table_set(t, i, "gb_per_s", rate * (double)c->config.gpu_clock_hz / 1e9);
    bench_table_set(t, i, "peak_bytes_per_cycle", top);
    bench_table_set(t, i, "of_peak_percent", 100 * rate / top);
    bench_table_set(t, i, "bytes_per_message", bytes / requests);
    bench_table_set(t, i, "latency_ns",
                    bench_sim_value(sim, "mem.latency_ps_avg") / 1e3);
    if (p->level != SLM)
        bench_table_set(t, i, "lines_per_message",
                        bench_sim_value(sim, "mem.lines") / requests);
    if (p->level == L3)
        bench_table_set(t, i, "message_limit",
                        message_limit(&c->config, (double)subslices, bytes / requests));
    if (p->level >= LLC)
        bench_table_set(t, i, "gti_lines_per_cycle",
                        bench_sim_value(sim, "gti.reads") /
                            bench_sim_value(sim, "cycles"));
    if (p->level == DRAM)
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
