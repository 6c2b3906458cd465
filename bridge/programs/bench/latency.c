/* latency.c - `igpu bench latency`: nanoseconds of one step of a dependent chase over a
 * working set. The GPU's kernel (chase_a64 in traces/kernels/chase.cl) is launched
 * twice with the same arguments; the first launch warms the caches, the second is
 * measured. The CPU's agent walks the same numbers of steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/bench/bench.h"
#include "bridge/programs/bench/bench_chase.h"
#include "bridge/programs/bench/published.h"

enum { LEAST_STEPS = 4096 };

static const struct bench_option options[] = {
    {"agent", "gpu|cpu", "gpu", "who chases, alone"},
    {"ws", "LIST", "64K..256M,1M..9M:1M", "working sets in bytes; A..B doubles"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"agent", -1},        {"ws_bytes", 0},     {"ns", 2}, {"published_ns", 2},
    {"error_percent", 2}, BENCH_CHASE_COLUMNS, {NULL, 0}};

static const char *const agents[] = {"gpu", "cpu", NULL};

struct plan {
    uint32_t agent;
    struct bench_list ws;
};

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    uint64_t bytes = p->ws.value[i];
    uint64_t steps = bench_chase_steps(&c->config, bytes, 1, LEAST_STEPS);

    if (p->agent == 1)
        bench_chase_alone(sim, bytes, steps, steps);
    else
        bench_chase_sim(sim, bytes, steps);
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    bool cpu = p->agent == 1;
    uint64_t bytes = p->ws.value[i];
    uint64_t steps = bench_chase_steps(&c->config, bytes, 1, LEAST_STEPS);
    double known = published_latency(c->config.name, cpu ? "cpu" : "gpu", bytes, NULL);
    double ns =
        cpu ? bench_chase_cpu_ns(sim) : bench_sim_value(sim, "time_ns") / (double)steps;

    bench_table_word(t, i, "agent", cpu ? "cpu" : "gpu");
    bench_table_set(t, i, "ws_bytes", (double)bytes);
    bench_table_set(t, i, "ns", ns);
    bench_table_set(t, i, "published_ns", known);
    bench_table_set(t, i, "error_percent", published_error(ns, known));
    bench_chase_served(c, sim, t, i);
}

static enum igpu_status latency_run(const struct bench_context *c,
                                    struct bench_table *t, struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = bench_choice(c, "agent", agents, &p.agent, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "ws", true, 1024, UINT64_C(4) << 30, &p.ws, err);
    for (uint32_t i = 0; status == IGPU_OK && i < p.ws.count; i++)
        if (p.ws.value[i] % 1024 != 0)
            status = igpu_fail(err, IGPU_USAGE, "--ws %llu: expected multiples of 1K",
                               (unsigned long long)p.ws.value[i]);
    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.ws.count, t, err);
    free(p.ws.value);
    return status;
}

const struct bench bench_latency = {.name = "latency",
                                    .text = "time of one dependent access against the "
                                            "working set",
                                    .options = options,
                                    .columns = columns,
                                    .run = latency_run,
                                    .make = make_sim,
                                    .fill = fill_row};
