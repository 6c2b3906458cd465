/* drm_oa.c - the OA unit beside simulated time: what the cycle model counts while
 * batches are simulated, sim after sim, and the reports that are made of it: where a
 * batch asks for one, where a context begins and ends, by the timer. Time is that of
 * the time line, which goes from a launch's last thread to the next launch. */
#include <string.h>

#include "bridge/drivers/drm/drm.h"
#include "bridge/host/sim/sim.h"
#include "igpu/grow.h"
#include "igpu/oa_unit.h"

enum { MOST_REPORTS = 65536 }; /* as i915's buffer of 16 MB has room for */

/* A report of the timer. */
struct tick {
    uint32_t launch; /* of the sim */
    uint64_t rest;   /* cycles since that began: it may be over */
    struct oa_counters counters;
};

static struct {
    struct drm_perf asked; /* as the sim began */
    const struct igpu_config *config;
    struct igpu_sample sum, now; /* of the sims before; with this one */
    struct sim *sim;
    uint64_t base, line; /* cycle of the time line: the sim's, the launch's first.. */
    uint64_t begin;      /* ..which is this of the sim's */
    uint32_t launch, context;
    struct tick *tick;
    size_t ticks, room;
    bool lost;
} oa;

/* ---- counters ----------------------------------------------------------- */

static struct oa_counters counters_at(const struct drm_perf *p,
                                      const struct igpu_config *config,
                                      const struct igpu_sample *sample, uint64_t line)
{
    struct igpu_sample at = *sample;
    struct oa_counters c = {0};

    at.cycle = at.busy = line;
    oa_unit_read(p->set, config, &at, &c);
    c.timestamp = drm_clock_ticks(config->gpu_clock_hz, line);
    return c;
}

/* Counters are 64 bits wide and lie one behind the other. */
static void counters_add(uint64_t *to, const uint64_t *what, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*to); i++)
        to[i] += what[i];
}

static void go_on(const struct igpu_sample *sample)
{
    oa.now = *sample;
    counters_add((uint64_t *)&oa.now.eu, (const uint64_t *)&oa.sum.eu,
                 sizeof(oa.now.eu));
    counters_add((uint64_t *)&oa.now.graphics, (const uint64_t *)&oa.sum.graphics,
                 sizeof(oa.now.graphics));
    counters_add((uint64_t *)&oa.now.mem, (const uint64_t *)&oa.sum.mem,
                 sizeof(oa.now.mem));
}

/* ---- the sampler -------------------------------------------------------- */

/* Where the timer goes off, in the sim's cycles: it runs on the time line, whose first
 * cycle is not the clock's 0. */
static uint64_t on_next(void *ctx, uint64_t from)
{
    const uint64_t hz = oa.config->gpu_clock_hz;
    const uint64_t start = drm_clock_ticks(hz, 0) * hz / OA_TIMESTAMP_HZ;
    uint64_t line = oa.line + (from > oa.begin ? from - oa.begin : 0);

    (void)ctx;
    line = oa_timer_next(oa.asked.exponent, hz, start + line) - start;
    return oa.begin + (line - oa.line);
}

static void add_tick(uint64_t rest)
{
    if (oa.ticks == MOST_REPORTS) {
        oa.lost = true;
        return;
    }
    oa.lost |= !IGPU_APPEND(
        oa.tick, oa.ticks, oa.room,
        (struct tick){oa.launch, rest,
                      counters_at(&oa.asked, oa.config, &oa.now, oa.line + rest)});
}

/* The launch begins on the time line where those before it have ended. */
static void begin_launch(uint64_t cycle)
{
    uint32_t launches = 0;
    const struct sim_stats *launch = NULL;

    if (oa.sim != NULL)
        (void)sim_stats(oa.sim, &launches, &launch);
    oa.line = oa.base;
    for (uint32_t i = 0; i < launches; i++)
        oa.line += launch[i].run_cycles;
    oa.launch = launches;
    oa.begin = cycle;
}

static void on_take(void *ctx, enum sim_sample_kind kind,
                    const struct igpu_sample *sample)
{
    (void)ctx;
    go_on(sample);
    if (kind == SIM_SAMPLE_BEGIN)
        begin_launch(sample->cycle);
    else if (kind == SIM_SAMPLE_GRID && sample->cycle >= oa.begin)
        add_tick(sample->cycle - oa.begin);
}

void drm_oa_begin(struct sim_options *options, uint64_t line)
{
    oa.asked = drm_perf_asked();
    oa.config = options->config;
    oa.sim = NULL;
    oa.base = oa.line = line;
    oa.begin = options->start;
    oa.ticks = 0;
    oa.lost = false;
    if (oa.asked.set == NULL)
        return;
    options->kinds = oa_unit_kinds(oa.asked.set);
    options->sampler[options->samplers++] = (struct sim_sampler){
        NULL, oa.asked.on && oa.asked.timer ? on_next : NULL, on_take};
}

void drm_oa_watch(struct sim *sim)
{
    oa.sim = sim;
}

static bool is_for(const struct drm_perf *p, uint32_t context)
{
    return p->on && (!p->alone || p->context == context);
}

/* Behind a launch's last thread its time is over, but not its memory's. */
static void give_ticks(struct sim *sim)
{
    uint32_t launches;
    const struct sim_stats *launch;

    (void)sim_stats(sim, &launches, &launch);
    for (size_t i = 0; i < oa.ticks; i++) {
        struct tick *t = &oa.tick[i];

        if (t->launch >= launches || t->rest > launch[t->launch].run_cycles)
            continue;
        t->counters.report_id = (uint32_t)OA_REASON_TIMER | OA_CONTEXT_VALID;
        t->counters.context = oa.context;
        drm_perf_report(&t->counters);
    }
}

void drm_oa_end(struct sim *sim)
{
    if (oa.asked.set == NULL)
        return;
    if (oa.lost)
        drm_perf_lost();
    else if (sim != NULL && is_for(&oa.asked, oa.context))
        give_ticks(sim);
    oa.sum = oa.now;
    oa.sim = NULL;
}

/* ---- reports ------------------------------------------------------------ */

uint32_t drm_oa_report(const struct igpu_config *config, uint64_t line,
                       uint32_t context, uint32_t id, uint8_t *report)
{
    struct drm_perf p = drm_perf_asked();
    struct oa_counters c = {.timestamp = drm_clock_ticks(config->gpu_clock_hz, line),
                            .clocks = line};

    if (p.set != NULL)
        c = counters_at(&p, config, &oa.sum, line);
    else
        p.format = OA_A32U40_A4U32_B8_C8;
    c.report_id = id;
    c.context = context;
    oa_report_write((enum oa_format)p.format, &c, report);
    return oa_report_bytes((enum oa_format)p.format);
}

void drm_oa_switch(const struct igpu_config *config, uint64_t line, uint32_t context,
                   bool begins)
{
    struct drm_perf p = drm_perf_asked();
    struct oa_counters c;

    oa.context = context;
    if (p.set == NULL || !is_for(&p, context))
        return;
    c = counters_at(&p, config, &oa.sum, line);
    c.report_id = (uint32_t)OA_REASON_CONTEXT_SWITCH | (begins ? OA_CONTEXT_VALID : 0);
    c.context = context;
    drm_perf_report(&c);
}
