/* measure.c - see measure.h. */
#include "bridge/host/sample/measure.h"

#include <math.h>

/* Part of what is left out that windows may be wrong by in common: their begins, and
 * caches that were filled outside of time. From the comparison in
 * docs/guide/sampling.md. */
#define ALLOWED 0.01

static void go_on(struct measure *m)
{
    uint64_t now = sim_now(m->sim);

    m->sum += m->open * (now - m->at);
    m->at = now;
}

static void on_launch(void *ctx, uint32_t launch)
{
    (void)ctx;
    (void)launch;
}

static void on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t thread)
{
    struct measure *m = ctx;

    if (m->next < m->windows && thread >= m->next_thread) {
        const struct measure_window *w = &m->window[m->next];

        if (m->before != NULL)
            m->before(m->before_ctx, m->next);
        m->measured_from = m->next_thread + w->lead_threads;
        m->next_thread += w->threads;
        m->next++;
    }
    if (m->open == 0)
        m->at = sim_now(m->sim);
    go_on(m);
    m->open++;
    m->place[tile][eu][slot] = (uint16_t)(thread >= m->measured_from ? m->next : 0);
    m->since[tile][eu][slot] = m->at;
    m->last.cycle = m->at;
    m->last.sum = m->sum;
}

static void on_end(void *ctx, unsigned tile, unsigned eu, unsigned slot, uint64_t cycle)
{
    (void)cycle;
    struct measure *m = ctx;
    uint16_t place = m->place[tile][eu][slot];

    go_on(m);
    if (m->full.cycle == 0) {
        m->full.cycle = m->at;
        m->full.sum = m->sum;
    }
    m->open--;
    if (place > 0)
        m->window[place - 1].resident += m->at - m->since[tile][eu][slot];
}

static void on_issue(void *ctx, const struct host_issue *issue)
{
    (void)ctx;
    (void)issue;
}

struct sim_watch measure_watch(struct measure *m)
{
    m->next = 0;
    m->next_thread = m->measured_from = 0;
    m->open = m->at = m->sum = 0;
    m->full.cycle = m->full.sum = m->last.cycle = m->last.sum = 0;
    for (uint32_t i = 0; i < m->windows; i++)
        m->window[i].resident = 0;
    return (struct sim_watch){m, on_launch, on_open, on_issue, on_end};
}

double measure_student(double degrees)
{
    static const double table[] = {12.71, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36,
                                   2.31,  2.26,  2.23, 2.20, 2.18, 2.16, 2.14, 2.13};
    uint32_t at = degrees > 0 ? (uint32_t)degrees : 0;

    return at < sizeof(table) / sizeof(table[0]) ? table[at] : 1.96 + 2.5 / degrees;
}

double measure_cost(const struct measure_window *w)
{
    return w->instructions > 0 ? (double)w->resident / (double)w->instructions : 0;
}

/* Costs of the later strata's windows less those of the earlier, by their mean. */
static double trend(const struct measure *m)
{
    double half[2] = {0, 0};
    uint32_t strata = m->windows - 2;

    for (uint32_t i = 0; i < strata; i++)
        if (2 * i + 1 != strata)
            half[2 * i >= strata] += measure_cost(&m->window[i + 1]);
    return (half[1] - half[0]) * 2 / (half[0] + half[1]);
}

struct estimate measure_estimate(const struct measure *m, uint64_t cycles)
{
    double at_a_time =
        (double)(m->last.sum - m->full.sum) / (double)(m->last.cycle - m->full.cycle);
    double strata = (double)m->windows - 2, rest = 0, variance = 0;
    struct estimate e;

    for (uint32_t i = 1; i + 1 < m->windows; i++) {
        const struct measure_window *w = &m->window[i];
        double change;

        rest += (double)w->rest_instructions * measure_cost(w);
        if (i == 1)
            continue;
        /* Neighbours tell how sure each is: a slow change along the grid is no error.
         */
        change = (measure_cost(w) - measure_cost(w - 1)) *
                 (double)(w->rest_instructions + w[-1].rest_instructions) / 2;
        variance += change * change * strata / (2 * (strata - 1));
    }
    e.cycles = (double)cycles + rest / at_a_time;
    e.statistical = measure_student((strata - 1) * 2 / 3) * sqrt(variance) / at_a_time;
    e.allowed = ALLOWED * rest / at_a_time;
    e.trend = trend(m);
    return e;
}

uint32_t measure_more_strata(const struct estimate *e, double error, uint32_t strata)
{
    double wanted = error * e->cycles - e->allowed, times;

    if (e->statistical <= wanted)
        return 0;
    if (wanted <= 0)
        return SAMPLE_MOST_STRATA;
    times = e->statistical / wanted;
    times *= times;
    times = times < 2 ? 2 : times > 8 ? 8 : times;
    return (uint32_t)((times - 1) * strata);
}
