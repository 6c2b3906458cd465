/* latency.c - `igpu bench latency`: nanoseconds of one step of a dependent chase over a
 * working set. The kernel (chase_a64 in traces/kernels/chase.cl) is launched twice with
 * the same arguments; the first launch warms the caches, the second is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/bench/bench.h"
#include "bridge/bench/bench_chase.h"
#include "bridge/bench/published.h"

enum { LEAST_STEPS = 4096, TURN_STEPS = 16 }; /* the kernel's turn */

static const struct bench_option options[] = {
    {"agent", "gpu", "gpu", "who chases"},
    {"ws", "LIST", "64K..256M,1M..9M:1M", "working sets in bytes; A..B doubles"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {{"agent", "", -1},
                                              {"ws_bytes", "B", 0},
                                              {"ns", "ns", 2},
                                              {"published_ns", "ns", 2},
                                              {"error_percent", "%", 2},
                                              {"l3_hits_percent", "%", 2},
                                              {"tlb_hits_percent", "%", 2},
                                              {"llc_hits_percent", "%", 2},
                                              {"edram_hits_percent", "%", 2},
                                              {"dram_row_hits", "", 0},
                                              {"dram_row_misses", "", 0},
                                              {"dram_row_conflicts", "", 0},
                                              {"dram_wait_ns", "ns", 2},
                                              {NULL, NULL, 0}};

static const char *const agents[] = {"gpu", NULL};

static void make_sim(uint64_t bytes, uint64_t steps, struct bench_sim *sim)
{
    sim->file = "chase.cl";
    sim->kernel = "chase_a64";
    (void)snprintf(sim->options, sizeof(sim->options),
                   "-DSIMD=8 -cl-intel-greater-than-4GB-buffer-required");
    sim->global = sim->local = 1;
    sim->repeat = 2;
    bench_sim_arg(sim, "buf:%llu:chaseidx:7", (unsigned long long)bytes);
    bench_sim_arg(sim, "buf:4");
    bench_sim_arg(sim, "i32:0");
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)(steps / TURN_STEPS));
}

static double percent(double part, double whole)
{
    return 100 * part / whole; /* NaN for nothing of nothing: left out */
}

static void fill_row(const struct bench_context *c, const struct bench_sim *sim,
                     struct bench_table *t, uint32_t i, uint64_t bytes, uint64_t steps)
{
    double ns = bench_sim_value(sim, "time_ns") / (double)steps;
    double reads = bench_sim_value(sim, "dram.reads");
    double known = published_latency(c->config.name, "gpu", bytes, NULL);

    bench_table_word(t, i, "agent", "gpu");
    bench_table_set(t, i, "ws_bytes", (double)bytes);
    bench_table_set(t, i, "ns", ns);
    bench_table_set(t, i, "published_ns", known);
    bench_table_set(t, i, "error_percent", published_error(ns, known));
    bench_table_set(
        t, i, "l3_hits_percent",
        percent(bench_sim_value(sim, "l3.hits"), bench_sim_value(sim, "l3.accesses")));
    bench_table_set(t, i, "tlb_hits_percent",
                    percent(bench_sim_value(sim, "tlb.hits"),
                            bench_sim_value(sim, "tlb.accesses")));
    bench_table_set(t, i, "llc_hits_percent",
                    percent(bench_sim_value(sim, "llc.hits"),
                            bench_sim_value(sim, "llc.accesses")));
    bench_table_set(t, i, "edram_hits_percent",
                    percent(bench_sim_value(sim, "edram.hits"),
                            bench_sim_value(sim, "edram.accesses")));
    bench_table_set(t, i, "dram_row_hits", bench_sim_value(sim, "dram.row_hits"));
    bench_table_set(t, i, "dram_row_misses", bench_sim_value(sim, "dram.row_misses"));
    bench_table_set(t, i, "dram_row_conflicts",
                    bench_sim_value(sim, "dram.row_conflicts"));
    bench_table_set(t, i, "dram_wait_ns",
                    bench_sim_value(sim, "dram.wait_clocks") / reads * 1e9 /
                        (double)c->config.dram_clock_hz);
}

static enum igpu_status run(const struct bench_context *c, struct bench_table *t,
                            struct igpu_err *err)
{
    struct bench_list ws = {0};
    struct bench_sim *sims = NULL;
    uint32_t agent;
    enum igpu_status status = bench_choice(c, "agent", agents, &agent, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "ws", true, 1024, UINT64_C(4) << 30, &ws, err);
    for (uint32_t i = 0; status == IGPU_OK && i < ws.count; i++)
        if (ws.value[i] % 1024 != 0)
            status = igpu_fail(err, IGPU_USAGE, "--ws %llu: expected multiples of 1K",
                               (unsigned long long)ws.value[i]);
    if (status == IGPU_OK)
        status = bench_table_create(t, columns, ws.count, err);
    if (status == IGPU_OK) {
        sims = calloc(t->rows, sizeof(*sims));
        for (uint32_t i = 0; sims != NULL && i < t->rows; i++)
            make_sim(ws.value[i],
                     bench_chase_steps(&c->config, ws.value[i], 1, LEAST_STEPS),
                     &sims[i]);
        status = sims != NULL ? bench_simulate(c, sims, t->rows, err)
                              : igpu_fail(err, IGPU_USAGE, "out of memory");
    }
    for (uint32_t i = 0; status == IGPU_OK && i < t->rows; i++)
        fill_row(c, &sims[i], t, i, ws.value[i],
                 bench_chase_steps(&c->config, ws.value[i], 1, LEAST_STEPS));
    bench_sims_free(sims, t->rows);
    free(ws.value);
    return status;
}

const struct bench bench_latency = {
    .name = "latency",
    .text = "time of one dependent access against the "
            "working set",
    .options = options,
    .columns = columns,
    .plot = {.title = "Access time of a dependent chase",
             .x_title = "working set [bytes]",
             .y_title = "time of an access [ns]",
             .x = "ws_bytes",
             .y = "ns",
             .series = "agent",
             .published = "published_ns",
             .x_log = true,
             .y_zero = true},
    .run = run};
