/* mlp.c - `igpu bench mlp`: N work-groups of one work-item, each chasing in a region of
 * its own; the time of as many steps against N, relative to the first N. It stays flat
 * as long as one access of each can be in flight. The kernel (chase_n in
 * traces/kernels/chase.cl) is launched twice; the second launch is measured. */
#include <stdio.h>
#include <stdlib.h>

#include "bridge/programs/bench/bench.h"
#include "bridge/programs/bench/bench_chase.h"

enum { LEAST_STEPS = 1024 };

static const struct bench_option options[] = {
    {"ws", "LIST", "64,2K,1M,8M", "working set of each thread in bytes"},
    {"threads", "LIST", "14..168:14", "work-groups of one work-item"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"ws_bytes", 0},         {"threads", 0},       {"relative_time", 3},
    {"ns_per_step", 2},      {"knee", 1},          {"in_flight_peak", 0},
    {"llc_hits_percent", 2}, {"dram_gb_per_s", 2}, {NULL, 0}};

static uint64_t steps_of(const struct bench_context *c, uint64_t ws, uint64_t threads)
{
    return bench_chase_steps(&c->config, ws, threads, LEAST_STEPS);
}

struct plan {
    struct bench_list ws, threads; /* rows: in the order of ws, then threads */
};

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    uint64_t ws = p->ws.value[i / p->threads.count];
    uint64_t threads = p->threads.value[i % p->threads.count];

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
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)steps_of(c, ws, threads));
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    uint32_t first = i - i % p->threads.count;
    uint64_t bytes = p->ws.value[i / p->threads.count];
    uint64_t n = p->threads.value[i % p->threads.count];
    double time = bench_sim_value(sim, "time_ns");
    double ns = time / (double)steps_of(c, bytes, n);

    bench_table_set(t, i, "ws_bytes", (double)bytes);
    bench_table_set(t, i, "threads", (double)n);
    bench_table_set(t, i, "ns_per_step", ns);
    bench_table_set(t, i, "relative_time",
                    ns / bench_table_get(t, first, "ns_per_step"));
    bench_table_set(t, i, "knee", (double)n / bench_table_get(t, i, "relative_time"));
    bench_table_set(t, i, "in_flight_peak",
                    bench_sim_value(sim, "mem.messages_inflight_peak"));
    bench_table_set(t, i, "llc_hits_percent",
                    100 * bench_sim_value(sim, "llc.hits") /
                        bench_sim_value(sim, "llc.accesses"));
    bench_table_set(t, i, "dram_gb_per_s", bench_sim_value(sim, "dram.bytes") / time);
}

static enum igpu_status plan_check(const struct plan *p, struct igpu_err *err)
{
    uint64_t most = p->threads.value[p->threads.count - 1];

    for (uint32_t i = 0; i < p->ws.count; i++)
        if (p->ws.value[i] % 64 != 0 || p->ws.value[i] * most > UINT32_MAX)
            return igpu_fail(
                err, IGPU_USAGE,
                "--ws %llu: expected multiples of 64, all threads together "
                "below 4G",
                (unsigned long long)p->ws.value[i]);
    return IGPU_OK;
}

static enum igpu_status mlp_run(const struct bench_context *c, struct bench_table *t,
                                struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status =
        bench_numbers(c, "ws", true, 64, UINT64_C(1) << 30, &p.ws, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "threads", false, 1, 4096, &p.threads, err);
    if (status == IGPU_OK)
        status = plan_check(&p, err);
    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.ws.count * p.threads.count, t, err);
    free(p.ws.value);
    free(p.threads.value);
    return status;
}

const struct bench bench_mlp = {.name = "mlp",
                                .text = "memory accesses in flight: time against the "
                                        "number of chasing threads",
                                .options = options,
                                .columns = columns,
                                .run = mlp_run,
                                .make = make_sim,
                                .fill = fill_row};
