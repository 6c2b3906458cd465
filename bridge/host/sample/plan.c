/* plan.c - see plan.h. */
#include "bridge/host/sample/plan.h"
#include "igpu/hash.h"

/* A window measures at least one filling of the device, and this many instructions: a
 * memory that is asked for so little takes longer than that to show its rate. */
enum { MEASURED_INSTRUCTIONS = 1 << 14, LEAD_PART = 4 };

uint64_t sample_at_once(const struct igpu_config *config, uint64_t group_threads,
                        bool pinned, uint64_t slm_kb)
{
    uint64_t slots = config->eu_count * config->eu_threads;
    uint64_t groups;

    if (!pinned) {
        groups = config->gpu_subslices * slots / group_threads;
    } else {
        groups = slots / group_threads;
        if (groups > config->disp_barriers)
            groups = config->disp_barriers;
        if (slm_kb > 0 && groups > config->disp_slm_kb / slm_kb)
            groups = config->disp_slm_kb / slm_kb;
        groups *= config->gpu_subslices;
    }
    return groups > 0 ? groups : 1;
}

/* A number below `below` for stratum i of n: SplitMix64's output (Steele, Lea, Flood:
 * Fast Splittable Pseudorandom Number Generators). */
static uint64_t draw(uint64_t seed, uint64_t n, uint64_t i, uint64_t below)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

    return igpu_mix(((seed << 20 | n) * step + i + 1) * step) % below;
}

static bool window_fits(uint64_t middle, uint64_t size, uint64_t strata)
{
    return strata <= SAMPLE_MOST_STRATA && middle / 2 / size >= strata;
}

/* Stratum i of n: by halves down to the finest plan's strata, so that the window of one
 * is the window of one of its halves. */
static uint64_t window_place(uint64_t seed, uint64_t middle, uint64_t size, uint64_t n,
                             uint64_t i)
{
    uint64_t begin;

    for (; window_fits(middle, size, 2 * n); n *= 2)
        i = 2 * i + draw(seed, n, i, 2);
    begin = middle * i / n;
    return begin + draw(seed, n, i, middle * (i + 1) / n - begin - size + 1);
}

bool sample_plan_make(struct sample_plan *plan, const struct sample_shape *shape,
                      uint32_t strata)
{
    double instructions = shape->group_instructions * (double)shape->at_once;
    double wanted = instructions > 0 ? MEASURED_INSTRUCTIONS / instructions : 1;
    uint64_t fills = wanted > 1e6 ? 1000000 : (uint64_t)wanted + 1;
    uint64_t lead = (fills + LEAD_PART - 1) / LEAD_PART * shape->at_once;
    uint64_t tail = fills * shape->at_once, size = lead + tail;
    uint64_t head = shape->head * shape->at_once, middle;

    plan->windows = 0;
    head = head > size ? head : size;
    if (shape->groups / 2 < head + tail)
        return false;
    middle = shape->groups - head - tail;
    if (!window_fits(middle, size, strata))
        return false;
    plan->windows = strata + 2;
    plan->window[0] = (struct sample_window){0, head, 0};
    plan->window[strata + 1] = (struct sample_window){head + middle, tail, 0};
    for (uint32_t i = 0; i < strata; i++)
        plan->window[i + 1] = (struct sample_window){
            head + window_place(shape->seed, middle, size, strata, i), size, lead};
    return true;
}

struct sample_window sample_plan_gap(const struct sample_plan *plan, uint32_t i)
{
    const struct sample_window *w = &plan->window[i];
    uint64_t begin = i > 0 ? w[-1].first + w[-1].groups : 0;

    return (struct sample_window){begin, w->first - begin, 0};
}

struct sample_window sample_plan_stratum(const struct sample_plan *plan, uint32_t i)
{
    uint64_t strata = plan->windows - 2, head = plan->window[0].groups;
    uint64_t middle = plan->window[plan->windows - 1].first - head;
    uint64_t begin = middle * (i - 1) / strata;

    return (struct sample_window){head + begin, middle * i / strata - begin, 0};
}
