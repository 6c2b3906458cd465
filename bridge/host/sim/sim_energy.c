/* sim_energy.c - see sim_energy.h. */
#include "bridge/host/sim/sim_energy.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/icache.h"
#include "igpu/uop.h"

/* The DRAM's clock in a GPU cycle. */
static uint64_t dram_clock(const struct igpu_config *config, uint64_t cycle)
{
    return (uint64_t)((double)cycle / (double)config->gpu_clock_hz *
                      (double)config->dram_clock_hz);
}

enum igpu_status sim_energy_create(struct sim_energy **energy,
                                   const struct igpu_config *config, uint32_t launches,
                                   uint64_t start, struct igpu_err *err)
{
    struct sim_energy *e = calloc(1, sizeof(*e));
    bool whole = e != NULL;

    *energy = e;
    if (whole) {
        e->config = config;
        e->capacity = launches;
        e->launch = calloc(launches, sizeof(*e->launch));
        e->inst = calloc(UOP_MAX_KERNEL, sizeof(*e->inst));
        e->line = calloc(UOP_MAX_KERNEL, sizeof(*e->line));
        e->dram = power_dram_create(config, dram_clock(config, start));
        whole =
            e->launch != NULL && e->inst != NULL && e->line != NULL && e->dram != NULL;
    }
    for (unsigned i = 0; whole && i < config->gpu_subslices; i++) {
        e->issued[i] = calloc(UOP_MAX_KERNEL, sizeof(*e->issued[i]));
        whole = e->issued[i] != NULL;
    }
    if (whole)
        return IGPU_OK;
    return igpu_no_memory(err, "energy of %u launches", launches);
}

void sim_energy_destroy(struct sim_energy *e)
{
    if (e == NULL)
        return;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        free(e->issued[i]);
    power_dram_destroy(e->dram);
    free(e->inst);
    free(e->line);
    free(e->launch);
    free(e);
}

void sim_energy_begin(struct sim_energy *e, const struct isa_kernel_code *code,
                      const struct toggle_count *toggles)
{
    e->count = code->count;
    for (uint32_t i = 0; i < code->count; i++) {
        power_inst_from(&code->inst[i], &e->inst[i]);
        if (toggles != NULL)
            power_inst_toggles(&e->inst[i], &toggles[i]);
        e->line[i] = (code->inst[i].pc + code->inst[i].size - 1) / ICACHE_LINE_BYTES;
    }
    for (unsigned i = 0; i < e->config->gpu_subslices; i++)
        memset(e->issued[i], 0, code->count * sizeof(*e->issued[i]));
}

/* A subslice fetches each line of code that it executes once: all kernels but a few
 * fit into its instruction cache. */
static uint64_t code_lines(const struct sim_energy *e, const uint64_t *issued)
{
    uint64_t lines = 0;
    uint32_t last = UINT32_MAX;

    for (uint32_t i = 0; i < e->count; i++)
        if (issued[i] != 0 && e->line[i] != last) {
            lines++;
            last = e->line[i];
        }
    return lines;
}

static void take_instructions(const struct sim_energy *e, struct power_events *events)
{
    for (unsigned t = 0; t < e->config->gpu_subslices; t++) {
        for (uint32_t i = 0; i < e->count; i++)
            if (e->issued[t][i] != 0)
                power_count(events, &e->inst[i], e->issued[t][i]);
        events->code_lines += code_lines(e, e->issued[t]);
    }
}

static void take_stats(struct power_events *events, const struct sim_stats *s)
{
    events->lanes = s->run_lane_instructions;
    events->flops = s->run_flops;
    events->cycles = s->run_cycles;
    events->eu_cycles = s->eu_active + s->eu_stall;
    events->threads = s->run_threads_dispatched;
#define MEM_STAT(section, name, unit, text)                                            \
    events->mem.section##_##name = s->section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
}

enum igpu_status sim_energy_look(const struct sim_energy *e, uint64_t cycle,
                                 struct power_events *events, struct igpu_err *err)
{
    memset(events, 0, sizeof(*events));
    take_instructions(e, events);
    return power_dram_look(e->dram, dram_clock(e->config, cycle), events, err);
}

enum igpu_status sim_energy_end(struct sim_energy *e, const struct sim_stats *stats,
                                uint64_t end, struct igpu_err *err)
{
    struct power_events *events = &e->launch[e->launches++];
    enum igpu_status status;

    take_instructions(e, events);
    take_stats(events, stats);
    status = power_dram_take(e->dram, dram_clock(e->config, end), events, err);
    power_add(&e->total, events);
    return status;
}
