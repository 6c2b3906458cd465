/* cpu_source.c - see cpu_source.h. */
#include "csim/mem/cpu_source.h"

#include "csim/mem/clock.h"
#include "csim/mem/scatter.h"

/* The CPU's pages lie apart from the GPU's. */
#define CPU_SPACE (UINT64_C(1) << 50)
#define SMALL_SPACE (UINT64_C(3) << 50)
enum { CPU_KEY = 1000003, SMALL_BITS = 6 }; /* 4 KB */

uint32_t cpu_source_threads(const struct igpu_config *config)
{
    if (config->cpu_agent == CPU_TRACE)
        return 1;
    if (config->cpu_threads != 0)
        return (uint32_t)config->cpu_threads;
    return config->cpu_agent == CPU_STREAM ? (uint32_t)config->cpu_cores : 1;
}

/* Line `line` on a page of 2^bits lines. */
static uint64_t physical(const struct cpu *cpu, uint64_t line, uint32_t bits)
{
    uint64_t page = scatter(line >> bits, cpu->config->page_seed + CPU_KEY);

    return (bits == SMALL_BITS ? SMALL_SPACE : CPU_SPACE) | page << bits |
           (line & ((UINT64_C(1) << bits) - 1));
}

/* The last part of what a core works on is too short for large pages. */
static uint64_t access_place(const struct cpu *cpu, const struct cpu_core *core,
                             uint64_t at)
{
    const struct igpu_config *c = cpu->config;
    uint64_t share =
        cpu->agent == CPU_STREAM ? c->cpu_stream_small : c->cpu_chase_small;
    bool small = at >= core->lines - core->lines * share / 100;

    return physical(cpu, core->first_line + at,
                    small ? SMALL_BITS : cpu->page_line_bits);
}

/* One working set, contiguous, in parts of equal size. */
void cpu_source_init(struct cpu *cpu)
{
    uint64_t lines = cpu->config->cpu_ws / 64 / cpu->cores;

    for (uint32_t i = 0; i < cpu->cores; i++) {
        cpu->core[i].lines = lines != 0 ? lines : 1;
        cpu->core[i].first_line = i * cpu->core[i].lines;
    }
}

/* The line at position `at` of the core's lap. */
static uint64_t lap_line(const struct cpu *cpu, const struct cpu_core *core,
                         uint64_t at)
{
    if (cpu->agent == CPU_CHASE)
        at = scatter_below(at, core->lines, cpu->config->cpu_seed);
    return access_place(cpu, core, at);
}

bool cpu_source_wants_pair(struct cpu *cpu)
{
    return scatter(cpu->pairs_missed++, cpu->config->cpu_seed) % 100 <
           cpu->config->cpu_pair_fetch;
}

void cpu_source_warm(struct cpu *cpu)
{
    uint64_t lines = cpu->core[0].lines, most = cpu->config->llc_size / 64 * 2;
    uint64_t first = lines > most ? lines - most : 0;
    bool pairs = cpu->config->cpu_adjacent != 0 && cpu->agent != CPU_STREAM;

    for (uint64_t at = first; at < lines; at++)
        for (uint32_t i = 0; i < cpu->cores; i++) {
            uint64_t line = lap_line(cpu, &cpu->core[i], at);

            llc_cpu_warm(cpu->llc, line, true);
            if (pairs)
                llc_cpu_warm(cpu->llc, line ^ 1, cpu_source_wants_pair(cpu));
        }
}

static void next_of_list(struct cpu *cpu, struct cpu_core *core)
{
    const struct cpu_access *a = &cpu->list[core->at];

    core->next_line = physical(cpu, a->addr / 64, cpu->page_line_bits);
    core->next_write = a->write;
    core->next_dependent = a->dependent;
    core->next_gap_ps = clock_ps(a->gap, cpu->config->cpu_clock_hz);
    if (++core->at == cpu->list_count)
        core->at = 0;
}

bool cpu_source_next(struct cpu *cpu, struct cpu_core *core)
{
    if (cpu->agent == CPU_TRACE) {
        if (cpu->list_count == 0)
            return false;
        next_of_list(cpu, core);
    } else {
        core->next_line = lap_line(cpu, core, core->at);
        core->next_gap_ps = cpu->agent == CPU_STREAM ? cpu->gap_ps : 0;
        if (++core->at == core->lines)
            core->at = 0;
    }
    core->have_next = true;
    return true;
}
