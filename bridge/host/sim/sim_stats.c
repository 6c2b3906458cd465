/* sim_stats.c - see sim_stats.h. */
#include "bridge/host/sim/sim_stats.h"

#include <stdlib.h>
#include <string.h>

enum { MEDIAN_PERMILLE = 500, TAIL_PERMILLE = 990 };

enum igpu_status sim_accounts_create(struct sim_accounts *a, uint32_t launches,
                                     const struct mem_stats *mem, uint64_t start,
                                     struct igpu_err *err)
{
    memset(a, 0, sizeof(*a));
    a->launch = calloc(launches, sizeof(*a->launch));
    if (a->launch == NULL)
        return igpu_no_memory(err, "statistics of %u launches", launches);
    a->capacity = launches;
    a->total.complete = true;
    a->first = a->before = *mem;
    a->start = start;
    return IGPU_OK;
}

void sim_accounts_destroy(struct sim_accounts *a)
{
    free(a->launch);
    memset(a, 0, sizeof(*a));
}

static void fold_mem(struct sim_stats *s, const struct mem_stats *mem,
                     const struct igpu_config *config)
{
#define MEM_STAT(section, name, unit, text) s->section##_##name = mem->section##_##name;
#define MEM_PEAK(section, name, unit, text) s->section##_##name = mem->section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    s->cpu_latency_ns_avg =
        mem->cpu_requests != 0 ? mem->cpu_latency_ns_sum / mem->cpu_requests : 0;
    s->mem_latency_ns_avg = mem_stats_latency_avg_ps(mem, config->gpu_clock_hz);
    s->mem_latency_ns_p50 =
        mem_stats_latency_ps(mem, MEDIAN_PERMILLE, config->gpu_clock_hz);
    s->mem_latency_ns_p99 =
        mem_stats_latency_ps(mem, TAIL_PERMILLE, config->gpu_clock_hz);
}

/* Add one EU; eu_idle first gathers the cycles that its cover leaves. */
static void fold_eu(struct sim_stats *s, const struct eu_counters *c, uint64_t cycles)
{
    s->run_instructions += c->instructions;
    s->eu_active += c->active;
    s->eu_stall += c->cover - c->active;
    s->eu_idle += cycles - c->cover;
    s->eu_fpu0 += c->busy[EU_FPU0];
    s->eu_fpu1 += c->busy[EU_FPU1];
    s->eu_fpu_both += c->fpu_both;
    s->eu_send += c->busy[EU_SEND];
    s->eu_branch += c->busy[EU_BRANCH];
}

static void add_compute(struct sim_stats *sum, const struct sim_stats *s)
{
    sum->run_instructions += s->run_instructions;
    sum->run_lane_instructions += s->run_lane_instructions;
    sum->run_flops += s->run_flops;
    sum->run_threads_dispatched += s->run_threads_dispatched;
    sum->eu_active += s->eu_active;
    sum->eu_stall += s->eu_stall;
    sum->eu_idle += s->eu_idle;
    sum->eu_fpu0 += s->eu_fpu0;
    sum->eu_fpu1 += s->eu_fpu1;
    sum->eu_fpu_both += s->eu_fpu_both;
    sum->eu_send += s->eu_send;
    sum->eu_branch += s->eu_branch;
    sum->icache_accesses += s->icache_accesses;
    sum->icache_hits += s->icache_hits;
    sum->icache_misses += s->icache_misses;
    sum->icache_merged += s->icache_merged;
}

void sim_accounts_launch(struct sim_accounts *a, struct sim_launch_facts *f)
{
    struct sim_stats *s = &a->launch[a->count++];
    struct mem_stats mem = *f->mem, all = *f->mem;
    uint64_t cycles = f->end - f->start;

    memset(s, 0, sizeof(*s));
    strncpy(s->kernel, f->kernel, sizeof(s->kernel) - 1);
    s->index = f->index;
    s->queue = f->queue;
    s->complete = f->complete;
    s->run_cycles = cycles;
    s->run_threads_dispatched = f->opened;
    s->run_lane_instructions = f->lane_instructions;
    s->run_flops = f->flops;
    s->icache_accesses = f->code_lines;
    s->icache_hits = f->code_lines - f->code_misses - f->code_merged;
    s->icache_misses = f->code_misses;
    s->icache_merged = f->code_merged;
    for (uint64_t i = 0; i < f->config->gpu_subslices; i++)
        for (uint64_t j = 0; j < f->config->eu_count; j++) {
            struct eu_counters *c = &f->eu[i * HOST_EUS + j];

            eu_counters_finish(c, f->end);
            fold_eu(s, c, cycles);
        }
    mem_stats_sub(&mem, &a->before);
    fold_mem(s, &mem, f->config);
    a->before = *f->mem;

    add_compute(&a->total, s);
    mem_stats_sub(&all, &a->first);
    fold_mem(&a->total, &all, f->config);
    a->total.run_cycles = f->end - a->start;
    a->total.complete = a->total.complete && f->complete;
}
