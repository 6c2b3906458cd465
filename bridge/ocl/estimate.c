/* estimate.c - see estimate.h. */
#include "bridge/ocl/estimate.h"

static void warm(const struct estimate *e, uint32_t place)
{
    warm_caches(&e->sample->warm[place], e->mem,
                place > 0 && place < e->sample->places);
}

static void go_on(struct estimate *e)
{
    uint64_t now = sim_now(e->sim);

    e->sum += e->open * (now - e->at);
    e->at = now;
}

static void on_launch(void *ctx, uint32_t launch)
{
    (void)ctx;
    (void)launch;
}

static void on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t thread)
{
    struct estimate *e = ctx;
    struct sample *s = e->sample;

    if (e->next < s->places && thread >= e->next_thread) {
        warm(e, e->next);
        s->seen[e->next].begin = sim_now(e->sim);
        e->next_thread += s->seen[e->next].threads;
        e->next++;
    }
    if (e->open == 0)
        e->at = sim_now(e->sim);
    go_on(e);
    e->open++;
    e->place[tile][eu][slot] = (uint8_t)(e->next - 1);
    e->since[tile][eu][slot] = e->at;
    e->last.cycle = e->at;
    e->last.sum = e->sum;
}

static void on_end(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    struct estimate *e = ctx;

    go_on(e);
    if (e->full.cycle == 0) {
        e->full.cycle = e->at;
        e->full.sum = e->sum;
    }
    e->open--;
    e->sample->seen[e->place[tile][eu][slot]].resident +=
        e->at - e->since[tile][eu][slot];
}

static void on_issue(void *ctx, const struct host_issue *issue)
{
    (void)ctx;
    (void)issue;
}

struct sim_watch estimate_watch(struct estimate *e, struct sample *sample,
                                struct mem_system *mem)
{
    *e = (struct estimate){.mem = mem, .sample = sample};
    return (struct sim_watch){e, on_launch, on_open, on_issue, on_end};
}

/* Of a share of the grid, how many times its place the rest is. */
static double times(const struct sample *s, const struct sample_seen *seen)
{
    return s->skip_rest ? (double)seen->rest_threads / (double)seen->threads
                        : (double)seen->rest_instructions / (double)seen->instructions;
}

uint64_t estimate_rest(struct estimate *e)
{
    const struct sample *s = e->sample;
    double at_a_time = (double)s->piece[0].hw_threads, resident = 0;

    warm(e, s->places);
    if (e->last.cycle > e->full.cycle && e->full.cycle > 0)
        at_a_time = (double)(e->last.sum - e->full.sum) /
                    (double)(e->last.cycle - e->full.cycle);
    for (uint32_t i = 0; i < s->places; i++)
        resident += (double)s->seen[i].resident * times(s, &s->seen[i]);
    return (uint64_t)(resident / at_a_time + 0.5);
}
