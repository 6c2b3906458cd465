/* bench_sweep.c - see bench_sweep.h. */
#include "bridge/programs/bench/bench_sweep.h"

#include <stdio.h>

enum { SLM_ITEMS = 128, UNROLL = 8 };

static const char *const levels[] = {"slm", "l3", "llc", "edram", "dram", NULL};

enum igpu_status sweep_level(const struct bench_context *c, uint32_t *level,
                             struct igpu_err *err)
{
    enum igpu_status status = bench_choice(c, "level", levels, level, err);

    if (status == IGPU_OK && *level == SWEEP_EDRAM && c->config.edram_size == 0)
        return igpu_fail(err, IGPU_USAGE, "--level edram: %s has none; try -c kbl-gt3e",
                         c->config.name);
    return status;
}

const char *sweep_level_name(uint32_t level)
{
    return levels[level];
}

/* A power of two that lies in the level with room to spare: the L3 holds 512 KB a
 * slice; what is twice as large as a level is never found there, as long as it is read
 * in order and replaced by true LRU. */
static uint64_t working_set(const struct bench_context *c, const struct sweep *s)
{
    uint64_t bytes = c->config.llc_size / 4;

    if (s->level == SWEEP_L3)
        return UINT64_C(256) << 10;
    if (s->level == SWEEP_EDRAM)
        bytes = 4 * c->config.llc_size;
    if (s->level == SWEEP_DRAM)
        bytes = 2 * s->bytes * c->config.gpu_subslices - 1; /* to be rounded down */
    while ((bytes & (bytes - 1)) != 0)
        bytes &= bytes - 1;
    return bytes;
}

uint64_t sweep_loads(const struct sweep *s)
{
    uint64_t loads = s->bytes * s->subslices / (s->items * 4 * s->vector);

    return (loads + UNROLL - 1) / UNROLL * UNROLL;
}

void sweep_sim(const struct bench_context *c, const struct sweep *s,
               struct bench_sim *sim)
{
    bool slm = s->level == SWEEP_SLM;

    sim->file = "bandwidth.cl";
    sim->kernel = slm ? "sweep_slm" : "sweep";
    if (s->vector == 1)
        (void)snprintf(sim->options, sizeof(sim->options), "-DV=uint");
    else
        (void)snprintf(sim->options, sizeof(sim->options), "-DV=uint%u",
                       (unsigned)s->vector);
    sim->global = s->items;
    sim->local = slm && s->items % SLM_ITEMS == 0 ? SLM_ITEMS : SWEEP_ITEMS;
    sim->repeat = s->level == SWEEP_DRAM ? 1 : 2;
    if (!slm)
        bench_sim_arg(sim, "buf:%llu", (unsigned long long)working_set(c, s));
    bench_sim_arg(sim, "buf:%llu", (unsigned long long)(s->items * 4 * s->vector));
    bench_sim_arg(sim, "u32:%llu", (unsigned long long)sweep_loads(s));
    if (!slm)
        bench_sim_arg(sim, "u32:%llu",
                      (unsigned long long)(working_set(c, s) / (4 * s->vector) - 1));
}

double sweep_peak(const struct igpu_config *config, uint32_t level, double subslices)
{
    double hz = (double)config->gpu_clock_hz;

    if (level == SWEEP_SLM)
        return 4 * (double)config->slm_banks * subslices;
    if (level == SWEEP_L3)
        return 64 * (double)config->dp_lines * subslices;
    if (level == SWEEP_LLC)
        return (double)config->gti_read_bytes;
    if (level == SWEEP_EDRAM)
        return (double)config->edram_bus_bytes * (double)config->edram_clock_hz / hz;
    return 64 * (double)config->dram_channels * (double)config->dram_clock_hz / hz /
           (double)config->dram_burst;
}
