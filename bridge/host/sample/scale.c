/* scale.c - see scale.h. */
#include "bridge/host/sample/scale.h"

/* What does not add up: times, and peaks. */
struct fixed {
    uint64_t mem_avg, mem_p50, mem_p99, cpu_avg;
#define MEM_STAT(section, name, unit, text)
#define MEM_PEAK(section, name, unit, text) uint64_t section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
};

static struct fixed fixed_of(const struct sim_stats *s)
{
    struct fixed f = {.mem_avg = s->mem_latency_ns_avg,
                      .mem_p50 = s->mem_latency_ns_p50,
                      .mem_p99 = s->mem_latency_ns_p99,
                      .cpu_avg = s->cpu_latency_ns_avg};

#define MEM_STAT(section, name, unit, text)
#define MEM_PEAK(section, name, unit, text) f.section##_##name = s->section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    return f;
}

static void fixed_put(struct sim_stats *s, const struct fixed *f)
{
    s->mem_latency_ns_avg = f->mem_avg;
    s->mem_latency_ns_p50 = f->mem_p50;
    s->mem_latency_ns_p99 = f->mem_p99;
    s->cpu_latency_ns_avg = f->cpu_avg;
#define MEM_STAT(section, name, unit, text)
#define MEM_PEAK(section, name, unit, text) s->section##_##name = f->section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
}

void scale_stats(struct sim_stats *s, double cycles, const struct trace_totals *totals,
                 uint64_t threads)
{
    struct fixed keep = fixed_of(s);
    double times = s->run_cycles > 0 ? cycles / (double)s->run_cycles : 1;

#define IGPU_STAT(section, name, unit, text)                                           \
    s->section##_##name = (uint64_t)((double)s->section##_##name * times + 0.5);
#include "igpu/stats.def"
#undef IGPU_STAT
    fixed_put(s, &keep);
    s->run_instructions = totals->instructions;
    s->run_lane_instructions = totals->lane_instructions;
    s->run_flops = totals->flops;
    s->run_threads_dispatched = threads;
}

static uint64_t mean(uint64_t a, uint64_t na, uint64_t b, uint64_t nb)
{
    double n = (double)na + (double)nb;

    return n > 0 ? (uint64_t)(((double)a * (double)na + (double)b * (double)nb) / n)
                 : 0;
}

void scale_add(struct sim_stats *sum, const struct sim_stats *s)
{
    struct fixed all = fixed_of(sum), more = fixed_of(s);

    all.mem_avg = mean(all.mem_avg, sum->mem_requests, more.mem_avg, s->mem_requests);
    all.mem_p50 = mean(all.mem_p50, sum->mem_requests, more.mem_p50, s->mem_requests);
    all.mem_p99 = mean(all.mem_p99, sum->mem_requests, more.mem_p99, s->mem_requests);
    all.cpu_avg = mean(all.cpu_avg, sum->cpu_requests, more.cpu_avg, s->cpu_requests);
#define MEM_STAT(section, name, unit, text)
#define MEM_PEAK(section, name, unit, text)                                            \
    if (more.section##_##name > all.section##_##name)                                  \
        all.section##_##name = more.section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
#define IGPU_STAT(section, name, unit, text)                                           \
    sum->section##_##name += s->section##_##name;
#include "igpu/stats.def"
#undef IGPU_STAT
    fixed_put(sum, &all);
}
