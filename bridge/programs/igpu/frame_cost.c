/* frame_cost.c - see frame_cost.h. */
#include "bridge/programs/igpu/frame_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/frame_measure.h"
#include "igpu/ref.h"

static const char *const parts[FRAME_GPU_PARTS] = {"fixed", "shaders", "sampler",
                                                   "targets", "memory"};

/* ---- shares ------------------------------------------------------------- */

/* Counters whose work may lie ahead of the cycle in which it is counted. */
enum { FIXED_UNITS = 6, LEFTS = FIXED_UNITS + 7 };

/* The share of `cycles` in which so many units are busy. What does not fit into them is
 * left to the draws behind, in *left. */
static double share(double busy, double units, uint64_t cycles, double *left)
{
    double most = units * (double)cycles, work = *left + busy;
    double done = work < most ? work : most;

    *left = work - done;
    return most > 0 ? done / most : 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* L3 banks, GTI and DRAM each at their peak rate. */
static double memory_share(const struct mem_stats *s, const struct igpu_config *c,
                           uint64_t cycles, double left[4])
{
    double bytes = (double)(c->dram_channels * c->dram_clock_hz) * 16; /* a second */
    double l3 = share((double)s->l3_accesses, (double)(c->l3_banks * c->gpu_slices),
                      cycles, &left[0]);
    double gti =
        share((double)s->gti_reads * 64, (double)c->gti_read_bytes, cycles, &left[1]);
    double dram =
        share((double)s->dram_bytes, bytes / (double)c->gpu_clock_hz, cycles, &left[2]);
    double out =
        share((double)s->gti_writes * 64, (double)c->gti_write_bytes, cycles, &left[3]);

    return larger(larger(l3, larger(gti, out)), dram);
}

static double fixed_share(const struct mem_stats *s, uint64_t cycles,
                          double left[FIXED_UNITS])
{
    const uint64_t busy[FIXED_UNITS] = {s->ff_vertex_cycles,    s->ff_fetch_cycles,
                                        s->ff_primitive_cycles, s->ff_pixel_cycles,
                                        s->ff_test_cycles,      s->ff_hiz_cycles};
    double most = 0;

    for (unsigned i = 0; i < FIXED_UNITS; i++)
        most = larger(most, share((double)busy[i], 1, cycles, &left[i]));
    return most;
}

/* What was counted from one mark to the next. */
static void find_shares(struct frame_cost *f, const struct frame_mark *from,
                        const struct frame_mark *to, const struct igpu_config *c,
                        double left[LEFTS])
{
    struct mem_stats s = to->mem;
    uint64_t fpu[2] = {to->fpu[0] - from->fpu[0], to->fpu[1] - from->fpu[1]};

    mem_stats_sub(&s, &from->mem);
    f->share[FRAME_PART_FIXED] = fixed_share(&s, f->cycles, left);
    left += FIXED_UNITS;
    f->share[FRAME_PART_SHADERS] =
        share((double)fpu[fpu[1] > fpu[0]], (double)(c->gpu_subslices * c->eu_count),
              f->cycles, &left[0]);
    f->share[FRAME_PART_SAMPLER] =
        share((double)s.tex_busy_cycles, (double)c->gpu_subslices, f->cycles, &left[1]);
    f->share[FRAME_PART_TARGETS] =
        share((double)s.rt_busy_cycles, (double)c->gpu_slices, f->cycles, &left[2]);
    f->share[FRAME_PART_MEMORY] = memory_share(&s, c, f->cycles, left + 3);
}

/* ---- simulation --------------------------------------------------------- */

/* When the launch of a draw began, as its ends count. */
static uint64_t begin_of(const struct frame_measure *m, uint32_t draw,
                         const struct sim_stats *launch)
{
    uint32_t last = draw, number = m->draw[draw].cost.launch;

    for (uint32_t i = draw; i < m->draws; i++)
        if (m->draw[i].cost.draw != 0 && m->draw[i].cost.launch == number)
            last = i;
    return m->draw[last].mark.cycle - launch[number].run_cycles;
}

static enum igpu_status costs_fill(struct frame_costs *c, struct frame_measure *m,
                                   struct sim *sim, struct igpu_err *err)
{
    const struct sim_stats *launch, *total = sim_stats(sim, &c->launches, &launch);
    struct frame_mark before = {0};
    double left[LEFTS] = {0};
    uint32_t in = UINT32_MAX;

    c->cycles = total->run_cycles;
    c->cost = calloc(m->draws + 1u, sizeof(*c->cost));
    if (c->cost == NULL)
        return igpu_no_memory(err, "draws");
    for (uint32_t i = 0; i < m->draws; i++) {
        struct frame_cost *f = &c->cost[c->count];

        *f = m->draw[i].cost;
        if (f->draw == 0)
            continue;
        if (f->launch != in) {
            before.cycle = begin_of(m, i, launch);
            memset(left, 0, sizeof(left));
        }
        in = f->launch;
        f->cycles = m->draw[i].mark.cycle - before.cycle;
        find_shares(f, &before, &m->draw[i].mark, m->config, left);
        before = m->draw[i].mark;
        c->count++;
    }
    return IGPU_OK;
}

static enum igpu_status costs_run(struct frame_measure *m, struct sim *sim,
                                  struct igpu_err *err)
{
    enum sim_state state;

    do
        state = sim_step(sim);
    while (state == SIM_RUNNING && m->status == IGPU_OK);
    if (m->status != IGPU_OK)
        *err = m->err;
    return m->status != IGPU_OK ? m->status : sim_status(sim, err);
}

static enum igpu_status frame_simulate(struct frame_costs *c, struct trace_reader *r,
                                       const struct igpu_config *config,
                                       struct igpu_err *err)
{
    struct frame_measure m = {.reader = r, .config = config};
    struct sim_options options = {
        .engine = &host_engine_ref, .config = config, .host_threads = 1};
    struct sim *sim = NULL;
    enum igpu_status status;

    options.last_launch = trace_summary(r)->launches - 1;
    options.watch = frame_measure_watch(&m);
    status = trace_verify_launches(r, 0, options.last_launch, err);
    if (status == IGPU_OK)
        status = mem_create(&m.mem, config, err);
    options.mem = m.mem;
    if (status == IGPU_OK)
        status = sim_create(&sim, r, &options, err);
    if (status == IGPU_OK)
        status = costs_run(&m, sim, err);
    if (status == IGPU_OK)
        status = costs_fill(c, &m, sim, err);
    sim_destroy(sim);
    mem_destroy(m.mem);
    frame_measure_free(&m);
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
        status = frame_simulate(c, r, config, err);
    trace_close(r);
    return status;
}

void frame_costs_free(struct frame_costs *c)
{
    free(c->cost);
}

/* ---- printing ----------------------------------------------------------- */

/* The columns of threads. */
static const struct {
    const char *name;
    enum trace_stage stage;
    int width;
} stages[] = {{"vertex", TRACE_STAGE_VERTEX, 7}, {"hull", TRACE_STAGE_HULL, 6},
              {"domain", TRACE_STAGE_DOMAIN, 7}, {"geometry", TRACE_STAGE_GEOMETRY, 8},
              {"pixel", TRACE_STAGE_PIXEL, 7},   {"compute", TRACE_STAGE_COMPUTE, 8}};

enum { STAGES = sizeof(stages) / sizeof(stages[0]), NAME = 16 };

/* Draws and dispatches each by their own number: `*dispatches` are those up to here. */
static void put_name(char name[NAME], const struct frame_cost *f, uint32_t *dispatches)
{
    bool dispatch = f->threads[TRACE_STAGE_COMPUTE] > 0;

    *dispatches += dispatch;
    (void)snprintf(name, NAME, "%s%" PRIu32, dispatch ? "c" : "",
                   dispatch ? *dispatches : f->draw - *dispatches);
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
    uint32_t dispatches = 0;
    char name[NAME];

    fprintf(out, "%4s %6s", "draw", "launch");
    for (uint32_t k = 0; k < STAGES; k++)
        fprintf(out, " %*s", stages[k].width, stages[k].name);
    fprintf(out, " %12s %10s", "instructions", "cycles");
    for (uint32_t i = 0; i < FRAME_GPU_PARTS; i++)
        fprintf(out, " %8s", parts[i]);
    fprintf(out, "  held up by\n");
    for (uint32_t i = 0; i < c->count; i++) {
        const struct frame_cost *f = &c->cost[i];

        put_name(name, f, &dispatches);
        fprintf(out, "%4s %6" PRIu32, name, f->launch + 1);
        for (uint32_t k = 0; k < STAGES; k++)
            fprintf(out, " %*" PRIu64, stages[k].width, f->threads[stages[k].stage]);
        fprintf(out, " %12" PRIu64 " %10" PRIu64, f->instructions, f->cycles);
        for (uint32_t k = 0; k < FRAME_GPU_PARTS; k++)
            fprintf(out, " %6.1f %%", 100 * f->share[k]);
        fprintf(out, "  %s\n", slowest(f));
    }
    fprintf(out,
            "frame: %" PRIu64 " cycles, %.3f ms at %.0f MHz; %" PRIu32
            " launches, each alone; a draw's cycles are those behind the draws before\n"
            "as measured on Gen9: instructions' times, dispatch, L3 and what is below\n"
            "estimates: fixed functions, sizes of the sampler's caches, render targets "
            "(docs/contract/fixed-functions.md)\n",
            c->cycles, (double)c->cycles / hz * 1e3, hz / 1e6, c->launches);
}

void frame_costs_csv(FILE *out, const struct frame_costs *c)
{
    uint32_t dispatches = 0;
    char name[NAME];

    fprintf(out, "draw,launch");
    for (uint32_t k = 0; k < STAGES; k++)
        fprintf(out, ",%s_threads", stages[k].name);
    fprintf(out, ",instructions,cycles");
    for (uint32_t i = 0; i < FRAME_GPU_PARTS; i++)
        fprintf(out, ",%s", parts[i]);
    fputc('\n', out);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct frame_cost *f = &c->cost[i];

        put_name(name, f, &dispatches);
        fprintf(out, "%s,%" PRIu32, name, f->launch + 1);
        for (uint32_t k = 0; k < STAGES; k++)
            fprintf(out, ",%" PRIu64, f->threads[stages[k].stage]);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, f->instructions, f->cycles);
        for (uint32_t k = 0; k < FRAME_GPU_PARTS; k++)
            fprintf(out, ",%.2f", 100 * f->share[k]);
        fputc('\n', out);
    }
}
