/* mlp.c - `igpu bench mlp`: N work-groups of one work-item, each chasing in a region of
 * its own; the time of as many steps against N, relative to the first N. It stays flat
 * as long as one access of each can be in flight. The kernel (chase_n in
 * traces/kernels/chase.cl) is launched twice; the second launch is measured. */
#include <stdio.h>
#include <stdlib.h>

#include "bridge/bench/bench.h"
#include "bridge/bench/bench_chase.h"

enum { LEAST_STEPS = 1024 };

static const struct bench_option options[] = {
    {"ws", "LIST", "64,2K,1M,8M", "working set of each thread in bytes"},
    {"threads", "LIST", "14..168:14", "work-groups of one work-item"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {{"ws_bytes", "B", 0},
                                              {"threads", "", 0},
                                              {"relative_time", "", 3},
                                              {"ns_per_step", "ns", 2},
                                              {"knee", "", 1},
                                              {"in_flight_peak", "", 0},
                                              {"llc_hits_percent", "%", 2},
                                              {"dram_gb_per_s", "GB/s", 2},
                                              {NULL, NULL, 0}};

static uint64_t steps_of(const struct bench_context *c, uint64_t ws, uint64_t threads)
{
    return bench_chase_steps(&c->config, ws, threads, LEAST_STEPS);
}

static void make_sim(uint64_t ws, uint64_t threads, uint64_t steps,
                     struct bench_sim *sim)
{
    sim->file = "chase.cl";
    sim->kernel = "chase_n";
    (void)snprintf(sim->options, sizeof(sim->options), "-DSIMD=32");
    sim->global = threads;
    sim->local = 1;
    sim->repeat = 2;
    bench_sim_arg(sim, "buf:%llu:chase:5:%u", (unsigned long long)(threads * ws),
                  (unsigned)threads);
    bench_sim_arg(sim, "buf:%u", (unsigned)(4 * threads));
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)ws);
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)steps);
}

/* Rows are in the order of ws, then threads. */
static void fill(const struct bench_context *c, const struct bench_list *ws,
                 const struct bench_list *threads, const struct bench_sim *sims,
                 struct bench_table *t)
{
    for (uint32_t i = 0; i < t->rows; i++) {
        uint32_t first = i - i % threads->count;
        uint64_t n = threads->value[i % threads->count];
        uint64_t bytes = ws->value[i / threads->count];
        double ns =
            bench_sim_value(&sims[i], "time_ns") / (double)steps_of(c, bytes, n);
        double accesses = bench_sim_value(&sims[i], "llc.accesses");

        bench_table_set(t, i, "ws_bytes", (double)bytes);
        bench_table_set(t, i, "threads", (double)n);
        bench_table_set(t, i, "ns_per_step", ns);
        bench_table_set(t, i, "relative_time",
                        ns / bench_table_get(t, first, "ns_per_step"));
        bench_table_set(t, i, "knee",
                        (double)n / bench_table_get(t, i, "relative_time"));
        bench_table_set(t, i, "in_flight_peak",
                        bench_sim_value(&sims[i], "mem.messages_inflight_peak"));
        bench_table_set(t, i, "llc_hits_percent",
                        100 * bench_sim_value(&sims[i], "llc.hits") / accesses);
        bench_table_set(t, i, "dram_gb_per_s",
                        bench_sim_value(&sims[i], "dram.bytes") /
                            bench_sim_value(&sims[i], "time_ns"));
    }
}

static enum igpu_status check(const struct bench_list *ws,
                              const struct bench_list *threads, struct igpu_err *err)
{
    for (uint32_t i = 0; i < ws->count; i++)
        if (ws->value[i] % 64 != 0 ||
            ws->value[i] * threads->value[threads->count - 1] > UINT32_MAX)
            return igpu_fail(
                err, IGPU_USAGE,
                "--ws %llu: expected multiples of 64, all threads together "
                "below 4G",
                (unsigned long long)ws->value[i]);
    return IGPU_OK;
}

static enum igpu_status run(const struct bench_context *c, struct bench_table *t,
                            struct igpu_err *err)
{
    struct bench_list ws = {0}, threads = {0};
    struct bench_sim *sims = NULL;
    enum igpu_status status =
        bench_numbers(c, "ws", true, 64, UINT64_C(1) << 30, &ws, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "threads", false, 1, 4096, &threads, err);
    if (status == IGPU_OK)
        status = check(&ws, &threads, err);
    if (status == IGPU_OK)
        status = bench_table_create(t, columns, ws.count * threads.count, err);
    if (status == IGPU_OK) {
        sims = calloc(t->rows, sizeof(*sims));
        for (uint32_t i = 0; sims != NULL && i < t->rows; i++) {
            uint64_t n = threads.value[i % threads.count];
            uint64_t bytes = ws.value[i / threads.count];

            make_sim(bytes, n, steps_of(c, bytes, n), &sims[i]);
        }
        status = sims != NULL ? bench_simulate(c, sims, t->rows, err)
                              : igpu_fail(err, IGPU_USAGE, "out of memory");
    }
    if (status == IGPU_OK)
        fill(c, &ws, &threads, sims, t);
    bench_sims_free(sims, t->rows);
    free(ws.value);
    free(threads.value);
    return status;
}

const struct bench bench_mlp = {
    .name = "mlp",
    .text = "memory accesses in flight: time against the "
            "number of chasing threads",
    .options = options,
    .columns = columns,
    .plot = {.title = "Memory-level parallelism",
             .x_title = "threads, one dependent access each",
             .y_title = "time relative to the fewest threads",
             .x = "threads",
             .y = "relative_time",
             .series = "ws_bytes",
             .y_zero = true},
    .run = run};
