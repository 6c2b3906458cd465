/* power_trace.c - see power_trace.h. What a launch has used at a cycle is evaluated
 * from its events up to there; an interval is the difference of two. How many lanes
 * were enabled is known of a whole launch, so that share is put in at its end; the last
 * interval is what is left of the launch's energy. */
#include "bridge/host/sim/power_trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

struct power_trace {
    const struct sim *sim;
    struct power_model model;
    uint64_t every; /* cycles */
    struct power_interval *interval;
    uint32_t count, capacity;
    /* The launch that runs. */
    bool running;
    uint32_t index, first;    /* of sim_energy()'s launches; its first interval */
    struct igpu_sample begin; /* at its first cycle */
    uint64_t at;              /* end of its last interval */
    double sum[POWER_PARTS];  /* of its intervals */
    enum igpu_status status;
    struct igpu_err err;
};

enum igpu_status power_every_parse(const char *option, const char *text,
                                   double *seconds, struct igpu_err *err)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    char *end;
    double number = strtod(text, &end);

    if (*text >= '0' && *text <= '9')
        for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
            if (strcmp(end, units[i].unit) == 0) {
                *seconds = number * units[i].seconds;
                if (*seconds >= 0.999e-7 && *seconds <= 1)
                    return IGPU_OK;
            }
    return igpu_fail(err, IGPU_USAGE, "%s %s: expected a time from 100ns to 1s (10us)",
                     option, text);
}

enum igpu_status power_trace_create(struct power_trace **trace,
                                    const struct igpu_config *config, double seconds,
                                    struct igpu_err *err)
{
    struct power_trace *t = calloc(1, sizeof(*t));

    *trace = t;
    if (t == NULL)
        return igpu_no_memory(err, "power trace");
    power_model_init(&t->model, config);
    t->every = (uint64_t)(seconds * (double)config->gpu_clock_hz + 0.5);
    if (t->every == 0)
        t->every = 1;
    return IGPU_OK;
}

void power_trace_destroy(struct power_trace *t)
{
    if (t != NULL)
        free(t->interval);
    free(t);
}

static void power_fail(struct power_trace *t)
{
    if (t->status == IGPU_OK)
        t->status = igpu_fail(&t->err, IGPU_NO_MEMORY,
                              "power trace: out of memory after %" PRIu32
                              " intervals; choose longer ones",
                              t->count);
}

/* The interval up to `to`, of this energy. */
static void append(struct power_trace *t, uint64_t to,
                   const double part_pj[POWER_PARTS])
{
    struct power_interval *i;

    if (!IGPU_RESERVE(t->interval, t->capacity, (size_t)t->count + 1)) {
        power_fail(t);
        return;
    }
    i = &t->interval[t->count++];
    i->launch = (uint32_t)t->begin.launch;
    i->from = t->at;
    i->to = to;
    for (unsigned p = 0; p < POWER_PARTS; p++) {
        i->part_pj[p] = part_pj[p];
        t->sum[p] += part_pj[p];
    }
    t->at = to;
}

static void take_sample(const struct power_trace *t, const struct igpu_sample *now,
                        struct power_events *events)
{
    const struct igpu_sample *was = &t->begin;

    events->lanes = UINT64_MAX; /* all, until the launch is over */
    events->cycles = now->cycle - was->cycle;
    events->eu_cycles = now->eu.active + now->eu.stall - was->eu.active - was->eu.stall;
    events->threads = now->eu.threads - was->eu.threads;
#define MEM_STAT(section, name, unit, text)                                            \
    events->mem.section##_##name =                                                     \
        now->mem.section##_##name - was->mem.section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
}

static void grid(struct power_trace *t, const struct igpu_sample *sample)
{
    struct power_events events;
    struct power_report report;
    double part[POWER_PARTS];

    if (!t->running || sample->launch != t->begin.launch || sample->cycle <= t->at)
        return;
    if (sim_energy_so_far(t->sim, sample->cycle, &events, NULL) != IGPU_OK) {
        power_fail(t);
        return;
    }
    take_sample(t, sample, &events);
    power_evaluate(&t->model, &events, &report);
    for (unsigned p = 0; p < POWER_PARTS; p++)
        part[p] = report.part_pj[p] - t->sum[p];
    append(t, sample->cycle, part);
}

static void end(struct power_trace *t)
{
    const struct power_events *launch;
    struct power_events full;
    struct power_report report, all_lanes;
    double share = 1, rest[POWER_PARTS];
    uint64_t to;

    if (!t->running)
        return;
    t->running = false;
    (void)sim_energy(t->sim, &launch);
    full = launch[t->index++];
    to = t->begin.cycle + full.cycles;
    power_evaluate(&t->model, &full, &report);
    full.lanes = UINT64_MAX;
    power_evaluate(&t->model, &full, &all_lanes);
    if (all_lanes.part_pj[POWER_PART_fpu] > 0)
        share = report.part_pj[POWER_PART_fpu] / all_lanes.part_pj[POWER_PART_fpu];
    while (t->count > t->first && t->interval[t->count - 1].to > to) {
        struct power_interval *late = &t->interval[--t->count]; /* behind the end */

        for (unsigned p = 0; p < POWER_PARTS; p++)
            t->sum[p] -= late->part_pj[p];
        t->at = late->from;
    }
    for (uint32_t i = t->first; i < t->count; i++)
        t->interval[i].part_pj[POWER_PART_fpu] *= share;
    t->sum[POWER_PART_fpu] *= share;
    for (unsigned p = 0; p < POWER_PARTS; p++)
        rest[p] = report.part_pj[p] - t->sum[p];
    if (t->count > t->first && t->at >= to)
        for (unsigned p = 0; p < POWER_PARTS; p++)
            t->interval[t->count - 1].part_pj[p] += rest[p];
    else
        append(t, to, rest);
}

static void power_trace_take(void *ctx, enum sim_sample_kind kind,
                             const struct igpu_sample *sample)
{
    struct power_trace *t = ctx;

    if (kind == SIM_SAMPLE_GRID) {
        grid(t, sample);
    } else if (kind == SIM_SAMPLE_END) {
        end(t);
    } else {
        t->begin = *sample;
        t->running = true;
        t->first = t->count;
        t->at = sample->cycle;
        memset(t->sum, 0, sizeof(t->sum));
    }
}

static uint64_t edge_next(void *ctx, uint64_t from)
{
    const struct power_trace *t = ctx;

    return (from + t->every - 1) / t->every * t->every;
}

void power_trace_attach(struct power_trace *t, struct sim_options *options)
{
    options->energy = true;
    options->sampler[options->samplers++] =
        (struct sim_sampler){t, edge_next, power_trace_take};
}

void power_trace_watch(struct power_trace *t, const struct sim *sim)
{
    t->sim = sim;
}

enum igpu_status power_trace_get(const struct power_trace *t,
                                 const struct power_interval **interval,
                                 uint32_t *count, struct igpu_err *err)
{
    *interval = t->interval;
    *count = t->count;
    if (t->status != IGPU_OK && err != NULL)
        *err = t->err;
    return t->status;
}

/* ---- output -------------------------------------------------------------- */

static double seconds(const struct power_trace *t, uint64_t cycles)
{
    return (double)cycles / (double)t->model.config.gpu_clock_hz;
}

double power_interval_watts(const struct power_trace *t, const struct power_interval *i,
                            enum power_plane plane)
{
    struct power_report report;

    memcpy(report.part_pj, i->part_pj, sizeof(report.part_pj));
    power_sum_planes(&report);
    return report.plane_pj[plane] * 1e-12 / seconds(t, i->to - i->from);
}

void power_trace_csv(FILE *out, const struct power_trace *t)
{
    fputs("launch,from_us,to_us", out);
    for (unsigned p = 0; p < POWER_PLANES; p++)
        fprintf(out, ",%s_w", power_plane_name((enum power_plane)p));
    for (unsigned p = 0; p < POWER_PARTS; p++)
        fprintf(out, ",%s_w", power_part_name((enum power_part)p));
    fputc('\n', out);
    for (uint32_t k = 0; k < t->count; k++) {
        const struct power_interval *i = &t->interval[k];
        double length = seconds(t, i->to - i->from);

        fprintf(out, "%" PRIu32 ",%.6f,%.6f", i->launch, 1e6 * seconds(t, i->from),
                1e6 * seconds(t, i->to));
        for (unsigned p = 0; p < POWER_PLANES; p++)
            fprintf(out, ",%.6f", power_interval_watts(t, i, (enum power_plane)p));
        for (unsigned p = 0; p < POWER_PARTS; p++)
            fprintf(out, ",%.6f", i->part_pj[p] * 1e-12 / length);
        fputc('\n', out);
    }
}
