/* sim_sample.c - samples at the cycles of grids, and at launches' begins and ends.
 *
 * The engine's window is cut at a grid's cycle, so that all its events before that
 * cycle are there, and no other. The memory side is ahead by the messages' way in, so
 * it is asked beforehand, and what it says waits in a queue. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sim/sim_state.h"

static uint64_t grids_next(struct sim *s, uint64_t from)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t i = 0; i < s->options.samplers; i++) {
        const struct sim_sampler *sampler = &s->options.sampler[i];
        uint64_t at =
            sampler->next != NULL ? sampler->next(sampler->ctx, from) : UINT64_MAX;

        if (at < next)
            next = at;
    }
    return next;
}

static bool sampling_grow(struct sim_sampling *p)
{
    uint32_t capacity = p->capacity == 0 ? 4 : 2 * p->capacity;
    struct sim_mem_sample *grown = calloc(capacity, sizeof(*grown));

    if (grown == NULL)
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        grown[i] = p->queue[(p->head + i) % p->capacity];
    free(p->queue);
    p->queue = grown;
    p->capacity = capacity;
    p->head = 0;
    return true;
}

static uint64_t on_mem_sample(void *ctx, uint64_t cycle,
                              const struct sample_mem *sample)
{
    struct sim *s = ctx;
    struct sim_sampling *p = &s->sampling;

    if (p->count == p->capacity && !sampling_grow(p)) {
        p->out_of_memory = true;
        return UINT64_MAX;
    }
    p->queue[(p->head + p->count++) % p->capacity] =
        (struct sim_mem_sample){cycle, *sample};
    return grids_next(s, cycle + 1);
}

static void await_mem(struct sim *s, uint64_t cycle)
{
    mem_sample_from(s->mem, cycle, &(struct mem_sampler){s, on_mem_sample});
}

void sim_sample_start(struct sim *s)
{
    s->sampling.next = UINT64_MAX;
    if (s->options.samplers == 0)
        return;
    mem_sample(s->mem, &s->sampling.first);
    s->sampling.launch = s->launch;
    s->sampling.next = grids_next(s, s->options.start);
    await_mem(s, s->sampling.next);
}

void sim_sample_destroy(struct sim *s)
{
    if (s->options.samplers != 0 && s->mem != NULL)
        mem_sample_from(s->mem, UINT64_MAX, &(struct mem_sampler){NULL, NULL});
    free(s->sampling.queue);
}

void sim_sample_kinds(struct sim *s)
{
    const struct isa_kernel_code *code =
        &trace_kernel(s->reader, s->shape.kernel)->code;

    for (uint32_t i = 0; s->options.kinds && i < code->count; i++) {
        uint32_t sources = code->inst[i].nsrc;

        s->facts[i].kind = (uint8_t)(sources == 3   ? SAMPLE_TERNARY
                                     : sources == 2 ? SAMPLE_BINARY
                                                    : SAMPLE_MOVE);
    }
}

/* ---- one sample ---- */

/* How much of what lies before `until` lies at `cycle` or behind. */
static uint64_t beyond(uint64_t until, uint64_t cycle)
{
    return until > cycle ? until - cycle : 0;
}

/* Up to `cycle`: each pipe is busy with its last instruction beyond. */
static void add_kinds(struct sample_eu *sum, const struct sim_kinds *k, uint64_t cycle)
{
    uint64_t stage[SAMPLE_PIPES][SAMPLE_STAGES];

    memcpy(stage, k->stage, sizeof(stage));
    for (unsigned pipe = 0; pipe < SAMPLE_PIPES; pipe++) {
        stage[pipe][k->last_stage[pipe]] -= beyond(k->until[pipe], cycle);
        sum->compute[pipe] += stage[pipe][TRACE_STAGE_COMPUTE];
        sum->vertex[pipe] += stage[pipe][TRACE_STAGE_VERTEX];
        sum->pixel[pipe] += stage[pipe][TRACE_STAGE_PIXEL];
    }
    sum->pixel_both += k->pixel_both - beyond(k->both_until, cycle);
    for (unsigned fpu = 0; fpu < 2; fpu++) {
        for (unsigned i = 0; i < SAMPLE_KINDS; i++)
            sum->kind[fpu][i] += k->busy[fpu][i];
        sum->kind[fpu][k->last[fpu]] -= beyond(k->until[fpu], cycle);
    }
}

static void add_eu(struct sample_eu *sum, const struct eu_counters *c)
{
    sum->instructions += c->instructions;
    sum->active += c->active;
    sum->stall += c->cover - c->active;
    sum->fpu0 += c->busy[EU_FPU0];
    sum->fpu1 += c->busy[EU_FPU1];
    sum->fpu_both += c->fpu_both;
    sum->send += c->busy[EU_SEND];
    sum->branch += c->busy[EU_BRANCH];
    sum->resident += c->resident;
}

/* With this launch's EUs up to `cycle`, or to its end. */
static struct sample_eu eus_at(const struct sim *s, uint64_t cycle)
{
    struct sample_eu sum = s->sampling.before;

    if (!s->running)
        return sum;
    if (s->over && s->end < cycle)
        cycle = s->end;
    for (unsigned i = 0; i < s->config->gpu_subslices; i++) {
        sum.threads += s->tile[i].opened;
        for (unsigned j = 0; j < s->config->eu_count; j++) {
            struct eu_counters c = s->tile[i].eu[j].counters;

            eu_counters_finish(&c, cycle);
            add_eu(&sum, &c);
            add_kinds(&sum, &s->tile[i].eu[j].kinds, cycle);
        }
    }
    return sum;
}

/* Counters are 64 bits wide and lie one behind the other. */
static void subtract(struct sample_mem *from, const struct sample_mem *what)
{
    uint64_t *to = (uint64_t *)from;
    const uint64_t *by = (const uint64_t *)what;

    for (size_t i = 0; i < sizeof(*from) / sizeof(*to); i++)
        to[i] -= by[i];
}

/* A trace counts its contexts from 0, CTX_ID from 1. */
static uint64_t context_of(const struct sim *s)
{
    return (uint64_t)trace_launch(s->reader, s->sampling.launch)->context + 1;
}

static void sample_fill(const struct sim *s, uint64_t cycle,
                        const struct sample_mem *mem, struct igpu_sample *sample)
{
    *sample = (struct igpu_sample){.cycle = cycle,
                                   .busy = cycle - s->options.start,
                                   .launch = s->sampling.launch,
                                   .context = context_of(s),
                                   .eu = eus_at(s, cycle),
                                   .graphics = s->sampling.graphics,
                                   .mem = *mem};
    subtract(&sample->mem, &s->sampling.first);
}

static void tell_all(struct sim *s, enum sim_sample_kind kind, uint64_t cycle)
{
    struct igpu_sample sample;
    struct sample_mem mem;

    mem_sample(s->mem, &mem);
    sim_calls_count(s);
    sample_fill(s, cycle, &mem, &sample);
    for (uint32_t i = 0; i < s->options.samplers; i++)
        s->options.sampler[i].take(s->options.sampler[i].ctx, kind, &sample);
}

/* The grids' cycle sampling.next, with what the memory side said of it; if it has not
 * come there, it is at rest, and what it says now holds. */
static void take_next(struct sim *s)
{
    struct sim_sampling *p = &s->sampling;
    struct igpu_sample sample;

    sim_calls_count(s);
    if (p->count != 0 && p->queue[p->head].cycle == p->next) {
        sample_fill(s, p->next, &p->queue[p->head].mem, &sample);
        p->head = (p->head + 1) % p->capacity;
        p->count--;
    } else {
        struct sample_mem mem;

        assert(p->count == 0);
        mem_sample(s->mem, &mem);
        sample_fill(s, p->next, &mem, &sample);
    }
    for (uint32_t i = 0; i < s->options.samplers; i++) {
        const struct sim_sampler *sampler = &s->options.sampler[i];

        if (sampler->next != NULL && sampler->next(sampler->ctx, p->next) == p->next)
            sampler->take(sampler->ctx, SIM_SAMPLE_GRID, &sample);
    }
    p->next = grids_next(s, p->next + 1);
}

/* A launch that is over waits until it is known when it settled: what comes up to then
 * goes before its end's sample, the rest behind. */
void sim_sample_due(struct sim *s)
{
    while (!s->over && s->sampling.next <= s->now && !s->sampling.out_of_memory)
        take_next(s);
}

/* ---- launches ---- */

/* All up to `until`, not included, where the memory side is at rest. */
static void take_until(struct sim *s, uint64_t until)
{
    while (s->sampling.next < until && !s->sampling.out_of_memory)
        take_next(s);
    if (mem_sample_next(s->mem) < s->sampling.next)
        await_mem(s, s->sampling.next);
}

void sim_sample_begin(struct sim *s, uint64_t cycle)
{
    if (s->options.samplers == 0)
        return;
    take_until(s, cycle);
    s->sampling.launch = s->launch;
    tell_all(s, SIM_SAMPLE_BEGIN, cycle);
}

void sim_sample_end(struct sim *s, uint64_t cycle)
{
    if (s->options.samplers == 0)
        return;
    take_until(s, cycle + 1);
    tell_all(s, SIM_SAMPLE_END, cycle);
    s->sampling.before = eus_at(s, cycle);
}
