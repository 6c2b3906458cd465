/* coalescing.c - `igpu bench coalescing`: each work-item reads 256 words, neighbouring
 * work-items `stride` words apart, no word twice, and no line by two messages (kernel
 * coalesce of traces/kernels/bandwidth.cl); nothing is cached at the start. Bandwidth
 * is that of whole lines, 64 B each, which a larger stride uses less of. */
#include <stdio.h>
#include <stdlib.h>

#include "bridge/programs/bench/bench.h"

enum { WORDS = 256 };

static const struct bench_option options[] = {
    {"groups", "LIST", "1..512", "work-groups; A..B doubles"},
    {"items", "LIST", "32", "work-items of a group"},
    {"stride", "LIST", "1..16",
     "words between neighbouring work-items: 1, 2, 4, 8, 16"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {{"groups", 0},
                                              {"items", 0},
                                              {"stride", 0},
                                              {"bytes_per_cycle", 3},
                                              {"gb_per_s", 3},
                                              {"peak_gb_per_s", 2},
                                              {"of_peak_percent", 2},
                                              {"lines_per_message", 3},
                                              {"latency_ns", 1},
                                              {"messages_inflight_peak", 0},
                                              {"dram_row_hits_percent", 1},
                                              {NULL, 0}};

struct plan {
    struct bench_list groups, items, stride;
};

/* Rows are in the order of stride, items, groups. */
struct point {
    uint64_t groups, items, stride;
};

static struct point point_of(const struct plan *p, uint32_t i)
{
    return (struct point){.groups = p->groups.value[i % p->groups.count],
                          .items = p->items.value[i / p->groups.count % p->items.count],
                          .stride =
                              p->stride.value[i / p->groups.count / p->items.count]};
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct point at = point_of(plan, i);
    unsigned shift = 0;

    (void)c;
    while ((UINT64_C(1) << shift) < at.stride)
        shift++;
    sim->file = "bandwidth.cl";
    sim->kernel = "coalesce";
    sim->global = at.groups * at.items;
    sim->local = at.items;
    sim->repeat = 1;
    bench_sim_arg(sim, "buf:%llu",
                  (unsigned long long)(sim->global * WORDS * 4 * at.stride));
    bench_sim_arg(sim, "buf:%llu", (unsigned long long)(sim->global * 4));
    bench_sim_arg(sim, "u32:%d", WORDS);
    bench_sim_arg(sim, "u32:%u", shift);
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct point at = point_of(plan, i);
    double ghz = (double)c->config.gpu_clock_hz / 1e9;
    double rate =
        (double)(sim->global * WORDS * 4 * at.stride) / bench_sim_value(sim, "cycles");
    double top =
        16 * (double)c->config.dram_channels * (double)c->config.dram_clock_hz / 1e9;
    double writes = bench_sim_value(sim, "l3.writes"); /* one line a message */
    double bursts = bench_sim_value(sim, "dram.reads");

    bench_table_set(t, i, "groups", (double)at.groups);
    bench_table_set(t, i, "items", (double)at.items);
    bench_table_set(t, i, "stride", (double)at.stride);
    bench_table_set(t, i, "bytes_per_cycle", rate);
    bench_table_set(t, i, "gb_per_s", rate * ghz);
    bench_table_set(t, i, "peak_gb_per_s", top);
    bench_table_set(t, i, "of_peak_percent", 100 * rate * ghz / top);
    bench_table_set(t, i, "lines_per_message",
                    bench_sim_value(sim, "l3.reads") /
                        (bench_sim_value(sim, "mem.requests") - writes));
    bench_table_set(t, i, "latency_ns",
                    bench_sim_value(sim, "mem.latency_ps_avg") / 1e3);
    bench_table_set(t, i, "messages_inflight_peak",
                    bench_sim_value(sim, "mem.messages_inflight_peak"));
    bench_table_set(t, i, "dram_row_hits_percent",
                    100 * bench_sim_value(sim, "dram.row_hits") / bursts);
}

static enum igpu_status read_options(const struct bench_context *c, struct plan *p,
                                     struct igpu_err *err)
{
    enum igpu_status status =
        bench_numbers(c, "groups", true, 1, 4096, &p->groups, err);

    if (status == IGPU_OK)
        status = bench_numbers(c, "items", true, 1, 256, &p->items, err);
    if (status == IGPU_OK)
        status = bench_numbers(c, "stride", true, 1, 16, &p->stride, err);
    for (uint32_t i = 0; status == IGPU_OK && i < p->stride.count; i++)
        if ((p->stride.value[i] & (p->stride.value[i] - 1)) != 0)
            status = igpu_fail(err, IGPU_USAGE, "--stride: powers of two, 1 to 16");
    return status;
}

static enum igpu_status coalescing_run(const struct bench_context *c,
                                       struct bench_table *t, struct igpu_err *err)
{
    struct plan p = {0};
    enum igpu_status status = read_options(c, &p, err);

    if (status == IGPU_OK)
        status = bench_measure(c, &p, p.groups.count * p.items.count * p.stride.count,
                               t, err);
    free(p.groups.value);
    free(p.items.value);
    free(p.stride.value);
    return status;
}

const struct bench bench_coalescing = {
    .name = "coalescing",
    .text = "bandwidth from DRAM against threads and stride",
    .options = options,
    .columns = columns,
    .run = coalescing_run,
    .make = make_sim,
    .fill = fill_row};
