/* frame_cost.c - see frame_cost.h. */
#include "bridge/igpu/frame_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/sim/sim.h"
#include "igpu/ref.h"
#include "traces/feed/release.h"

static const char *const parts[FRAME_GPU_PARTS] = {"fixed", "shaders", "sampler",
                                                   "targets", "memory"};

/* ---- shares ------------------------------------------------------------- */

static double share(double busy, double units, uint64_t cycles)
{
    return cycles != 0 ? busy / (units * (double)cycles) : 0;
}

/* L3 banks, GTI and DRAM each at their peak rate. */
static double memory_share(const struct sim_stats *s, const struct igpu_config *c)
{
    double banks = (double)(c->l3_banks * c->gpu_slices);
    double bytes = (double)(c->dram_channels * c->dram_clock_hz) * 16; /* a second */
    double l3 = share((double)s->l3_accesses, banks, s->run_cycles);
    double gti =
        share((double)s->gti_reads * 64, (double)c->gti_read_bytes, s->run_cycles);
    double dram =
        share((double)s->dram_bytes, bytes / (double)c->gpu_clock_hz, s->run_cycles);

    return l3 > gti ? (l3 > dram ? l3 : dram) : gti > dram ? gti : dram;
}

static void find_shares(struct frame_cost *f, const struct sim_stats *s,
                        const struct igpu_config *c, uint64_t made)
{
    uint64_t fpu = s->eu_fpu0 > s->eu_fpu1 ? s->eu_fpu0 : s->eu_fpu1;

    f->share[FRAME_PART_FIXED] = share((double)made, 1, f->cycles);
    f->share[FRAME_PART_SHADERS] =
        share((double)fpu, (double)(c->gpu_subslices * c->eu_count), f->cycles);
    f->share[FRAME_PART_SAMPLER] =
        share((double)s->tex_busy_cycles, (double)c->gpu_subslices, f->cycles);
    f->share[FRAME_PART_TARGETS] =
        share((double)s->rt_busy_cycles, (double)c->gpu_slices, f->cycles);
    f->share[FRAME_PART_MEMORY] = memory_share(s, c);
}

/* When fixed functions have made what the launch's last thread begins with. */
static enum igpu_status last_release(struct trace_reader *r, uint32_t launch,
                                     const struct igpu_config *config, uint64_t *made,
                                     struct igpu_err *err)
{
    uint64_t addr[TRACE_MAX_LANES] = {0};
    enum igpu_status status;
    uint32_t inst, mask;
    struct trace_cursor *c = trace_cursor_open(
        r, launch, trace_launch(r, launch)->threads - 1, &status, err);

    if (c == NULL)
        return status;
    if (trace_cursor_next_lanes(c, &inst, &mask, addr, err) == TRACE_NEXT_ERROR)
        status = IGPU_BAD_INPUT;
    trace_cursor_close(c);
    *made = feed_release(config, addr);
    return status;
}

/* ---- simulation --------------------------------------------------------- */

static enum igpu_status fill(struct frame_costs *c, struct trace_reader *r,
                             struct sim *sim, const struct igpu_config *config,
                             struct igpu_err *err)
{
    const struct sim_stats *launch, *total;
    enum igpu_status status = IGPU_OK;

    total = sim_stats(sim, &c->count, &launch);
    c->cycles = total->run_cycles;
    c->cost = calloc(c->count + 1u, sizeof(*c->cost));
    if (c->cost == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "out of memory for launches");
    for (uint32_t i = 0; i < c->count && status == IGPU_OK; i++) {
        const struct trace_launch *l = trace_launch(r, i);
        struct frame_cost *f = &c->cost[i];
        uint64_t made = 0;

        f->draw = l->draw;
        f->stage = trace_kernel(r, l->kernel)->stage;
        (void)snprintf(f->kernel, sizeof(f->kernel), "%.31s", launch[i].kernel);
        f->threads = launch[i].run_threads_dispatched;
        f->instructions = launch[i].run_instructions;
        f->cycles = launch[i].run_cycles;
        status = last_release(r, i, config, &made, err);
        find_shares(f, &launch[i], config, made);
    }
    return status;
}

static enum igpu_status simulate(struct frame_costs *c, struct trace_reader *r,
                                 const struct igpu_config *config, struct igpu_err *err)
{
    struct sim_options options = {
        .engine = &host_engine_ref, .config = config, .host_threads = 1};
    enum sim_state state;
    enum igpu_status status;
    struct sim *sim;

    options.last_launch = trace_summary(r)->launches - 1;
    status = trace_verify_launches(r, 0, options.last_launch, err);
    if (status == IGPU_OK)
        status = sim_create(&sim, r, &options, err);
    if (status != IGPU_OK)
        return status;
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    status = sim_status(sim, err);
    if (status == IGPU_OK)
        status = fill(c, r, sim, config, err);
    sim_destroy(sim);
    return status;
}

enum igpu_status frame_costs_find(struct frame_costs *c, const char *trace,
                                  const struct igpu_config *config,
                                  struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    struct trace_reader *r = trace_open(trace, &status, err);

    memset(c, 0, sizeof(*c));
    if (r == NULL)
        return status;
    if (trace_summary(r)->launches == 0 || trace_launch(r, 0)->draw == 0)
        status =
            igpu_fail(err, IGPU_BAD_INPUT,
                      "%s: no trace of a frame; igpu frame trace makes one", trace);
    if (status == IGPU_OK)
        status = simulate(c, r, config, err);
    trace_close(r);
    return status;
}

void frame_costs_free(struct frame_costs *c)
{
    free(c->cost);
}

/* ---- printing ----------------------------------------------------------- */

static const char *stage_name(uint8_t stage)
{
    return stage == TRACE_STAGE_VERTEX ? "vertex" : "pixel";
}

static const char *slowest(const struct frame_cost *f)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < FRAME_GPU_PARTS; i++)
        most = f->share[i] > f->share[most] ? i : most;
    return f->share[most] >= 0.5 ? parts[most] : "-";
}

void frame_costs_print(FILE *out, const struct frame_costs *c,
                       const struct igpu_config *config)
{
    double hz = (double)config->gpu_clock_hz;

    fprintf(out, "%4s %-6s %8s %12s %10s", "draw", "stage", "threads", "instructions",
            "cycles");
    for (uint32_t i = 0; i < FRAME_GPU_PARTS; i++)
        fprintf(out, " %8s", parts[i]);
    fprintf(out, "  held up by\n");
    for (uint32_t i = 0; i < c->count; i++) {
        const struct frame_cost *f = &c->cost[i];

        fprintf(out, "%4" PRIu32 " %-6s %8" PRIu64 " %12" PRIu64 " %10" PRIu64, f->draw,
                stage_name(f->stage), f->threads, f->instructions, f->cycles);
        for (uint32_t k = 0; k < FRAME_GPU_PARTS; k++)
            fprintf(out, " %6.1f %%", 100 * f->share[k]);
        fprintf(out, "  %s\n", slowest(f));
    }
    fprintf(out,
            "frame: %" PRIu64 " cycles, %.3f ms at %.0f MHz; each launch alone\n"
            "as measured on Gen9: instructions' times, dispatch, L3 and what is below\n"
            "estimates: fixed functions, sizes of the sampler's caches, render targets "
            "(docs/graphics.md)\n",
            c->cycles, (double)c->cycles / hz * 1e3, hz / 1e6);
}

void frame_costs_csv(FILE *out, const struct frame_costs *c)
{
    fprintf(out, "draw,stage,kernel,threads,instructions,cycles");
    for (uint32_t i = 0; i < FRAME_GPU_PARTS; i++)
        fprintf(out, ",%s", parts[i]);
    fputc('\n', out);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct frame_cost *f = &c->cost[i];

        fprintf(out, "%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, f->draw,
                stage_name(f->stage), f->kernel, f->threads, f->instructions,
                f->cycles);
        for (uint32_t k = 0; k < FRAME_GPU_PARTS; k++)
            fprintf(out, ",%.2f", 100 * f->share[k]);
        fputc('\n', out);
    }
}
