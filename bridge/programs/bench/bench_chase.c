/* bench_chase.c - see bench_chase.h. */
#include "bridge/programs/bench/bench_chase.h"

#include <stdio.h>

enum { TURN_STEPS = 16 }; /* of kernel chase_a64 */

uint64_t bench_chase_steps(const struct igpu_config *config, uint64_t bytes,
                           uint64_t chases, uint64_t least)
{
    uint64_t lap = bytes / 64;
    uint64_t most = 2 * (config->llc_size + config->edram_size) / 64 / chases;

    if (lap >= most && most >= least)
        return most;
    return lap >= least ? lap : (least + lap - 1) / lap * lap;
}

static void kernel(struct bench_sim *sim, const char *name, uint64_t bytes)
{
    sim->file = "chase.cl";
    sim->kernel = name;
    (void)snprintf(sim->options, sizeof(sim->options),
                   "-DSIMD=8 -cl-intel-greater-than-4GB-buffer-required");
    sim->global = sim->local = 1;
    bench_sim_arg(sim, "buf:%llu:chaseidx:7", (unsigned long long)bytes);
    bench_sim_arg(sim, "buf:4");
}

void bench_chase_sim(struct bench_sim *sim, uint64_t bytes, uint64_t steps)
{
    kernel(sim, "chase_a64", bytes);
    sim->repeat = 2;
    bench_sim_arg(sim, "i32:0");
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)(steps / TURN_STEPS));
}

void bench_chase_on_sim(struct bench_sim *sim, uint64_t bytes, uint64_t first,
                        uint32_t more, uint64_t steps)
{
    kernel(sim, "chase_on", bytes);
    sim->repeat = 1 + more;
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)(first / TURN_STEPS));
    sim->again_arg = 2;
    (void)snprintf(sim->again, sizeof(sim->again), "u32:%llu",
                   (unsigned long long)(steps / TURN_STEPS));
}

void bench_chase_alone(struct bench_sim *sim, uint64_t bytes, uint64_t warm,
                       uint64_t measured)
{
    sim->warm = warm;
    sim->measured = measured;
    bench_sim_set(sim, "cpu.agent=1");
    bench_sim_set(sim, "cpu.ws=%llu", (unsigned long long)bytes);
}

double bench_chase_cpu_ns(const struct bench_sim *sim)
{
    return bench_sim_value(sim, "cpu.latency_ps_sum") / 1e3 /
           bench_sim_value(sim, "cpu.requests");
}

static double percent(const struct bench_sim *sim, const char *part, const char *whole)
{
    /* NaN for nothing of nothing: left out */
    return 100 * bench_sim_value(sim, part) / bench_sim_value(sim, whole);
}

void bench_chase_served(const struct bench_context *c, const struct bench_sim *sim,
                        struct bench_table *t, uint32_t i)
{
    double read_ns =
        1e9 / (double)c->config.dram_clock_hz / bench_sim_value(sim, "dram.reads");
    double cpu_hits = bench_sim_value(sim, "cpu.llc_hits");
    double cpu_all = cpu_hits + bench_sim_value(sim, "cpu.llc_misses") +
                     bench_sim_value(sim, "cpu.llc_merged");

    bench_table_set(t, i, "l3_hits_percent", percent(sim, "l3.hits", "l3.accesses"));
    bench_table_set(t, i, "tlb_hits_percent", percent(sim, "tlb.hits", "tlb.accesses"));
    bench_table_set(t, i, "llc_hits_percent", percent(sim, "llc.hits", "llc.accesses"));
    bench_table_set(t, i, "cpu_llc_hits_percent", 100 * cpu_hits / cpu_all);
    bench_table_set(t, i, "edram_hits_percent",
                    percent(sim, "edram.hits", "edram.accesses"));
    bench_table_set(t, i, "dram_row_hits", bench_sim_value(sim, "dram.row_hits"));
    bench_table_set(t, i, "dram_row_misses", bench_sim_value(sim, "dram.row_misses"));
    bench_table_set(t, i, "dram_row_conflicts",
                    bench_sim_value(sim, "dram.row_conflicts"));
    bench_table_set(t, i, "dram_wait_ns",
                    bench_sim_value(sim, "dram.wait_clocks") * read_ns);
    bench_table_set(t, i, "dram_queue_ns",
                    bench_sim_value(sim, "dram.queue_clocks") * read_ns);
}
