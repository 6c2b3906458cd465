/* measure.c - see measure.h. */
#include "bridge/host/sample/measure.h"

#include <math.h>
#include <string.h>

/* Part of what is left out that windows may be wrong by in common: their begins, and
 * caches that were filled outside of time. From the comparison in
 * docs/guide/sampling.md. */
#define ALLOWED 0.01

/* Windows are made so many times as many at once, at most. */
enum { MOST_TIMES = 8 };

static void go_on(struct measure *m, uint64_t now)
{
    m->sum += m->open * (now - m->at);
    m->at = now;
}

/* The first thread of a window. */
static void window_begin(struct measure *m)
{
    const struct measure_window *w = &m->window[m->next];

    if (m->before != NULL)
        m->before(m->ctx, m->next);
    m->measured_from = m->next_thread + w->lead_threads;
    m->next_thread += w->threads;
    m->next++;
}

static void ask(struct measure *m)
{
    if (!m->asks || m->left == 0 || m->begun + m->left < m->threads)
        return;
    m->asks = false;
    m->near_end(m->ctx, m->sim);
}

static void on_open(void *ctx, const struct sim_event *e)
{
    struct measure *m = ctx;

    if (m->next < m->windows && e->value >= m->next_thread)
        window_begin(m);
    if (m->open == 0)
        m->at = e->cycle;
    go_on(m, e->cycle);
    m->open++;
    m->begun++;
    if (m->next > 0)
        m->window[m->next - 1].opened = m->at;
    m->thread[e->tile][e->eu][e->slot] = e->value;
    m->place[e->tile][e->eu][e->slot] =
        (uint16_t)(e->value >= m->measured_from ? m->next : 0);
    m->since[e->tile][e->eu][e->slot] = m->at;
    m->last.cycle = m->at;
    m->last.sum = m->sum;
    ask(m);
}

static void thread_end(void *ctx, const struct sim_event *e)
{
    struct measure *m = ctx;
    uint16_t place = m->place[e->tile][e->eu][e->slot];

    go_on(m, e->cycle);
    if (m->full.cycle == 0) {
        m->full.cycle = m->at;
        m->full.sum = m->sum;
    }
    m->open--;
    if (place > 0)
        m->window[place - 1].resident += m->at - m->since[e->tile][e->eu][e->slot];
    m->place[e->tile][e->eu][e->slot] = 0;
}

struct sim_threads measure_threads(struct measure *m)
{
    m->next = 0;
    m->next_thread = m->measured_from = m->begun = 0;
    memset(m->place, 0, sizeof(m->place));
    m->open = m->at = m->sum = 0;
    m->full.cycle = m->full.sum = m->last.cycle = m->last.sum = 0;
    for (uint32_t i = 0; i < m->windows; i++)
        m->window[i].resident = 0;
    return (struct sim_threads){m, on_open, thread_end};
}

bool measure_runs(const struct measure *m, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t *thread, uint32_t *window)
{
    uint16_t place = m->place[tile][eu][slot];

    if (place == 0)
        return false;
    *thread = m->thread[tile][eu][slot];
    *window = place - 1U;
    return true;
}

/* Between whole degrees linear in their inverse: within 2 % of t from two on, and too
 * wide by up to a fifth below. */
double measure_student(double degrees)
{
    static const double table[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31,
                                   2.26,  2.23, 2.20, 2.18, 2.16, 2.14, 2.13};
    uint32_t at = degrees > 1 ? (uint32_t)degrees : 1;

    if (at >= sizeof(table) / sizeof(table[0]))
        return 1.96 + 2.5 / degrees;
    return degrees <= 1 ? table[0]
                        : table[at] + (table[at - 1] - table[at]) * at *
                                          ((at + 1) / degrees - 1);
}

/* Of s^2 = the sum of squared changes / 2(n-1), of normal windows with variance v: its
 * variance is (3n - 4) / (n - 1)^2 v^2 (von Neumann, Kent, Bellinson, Hart: The Mean
 * Square Successive Difference, 1941), and one with d degrees of freedom has 2 / d v^2.
 * It is independent of the mean. That interval holds it in 95.0 to 96.3 % of all cases
 * for four windows or more. */
double measure_degrees(uint32_t windows)
{
    double n = windows;

    return 2 * (n - 1) * (n - 1) / (3 * n - 4);
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

/* Those that count, and the instructions that each stands for: its stratum's, and of
 * strata whose windows do not count half of each to the nearest on both sides. */
static uint32_t weigh(const struct measure *m, const struct measure_window **real,
                      double *weight)
{
    uint32_t n = 0;
    double without = 0; /* instructions behind the last that counts */

    for (uint32_t i = 1; i + 1 < m->windows; i++) {
        const struct measure_window *w = &m->window[i];

        if (w->instructions == 0) {
            without += (double)w->rest_instructions;
            continue;
        }
        real[n] = w;
        weight[n] = (double)w->rest_instructions + (n > 0 ? without / 2 : without);
        if (n > 0)
            weight[n - 1] += without / 2;
        without = 0;
        n++;
    }
    weight[n - 1] += without;
    return n;
}

/* The square of the standard error of a sum of n windows, each times its weight, by
 * that of the changes from each to the next, each times the mean of both weights. */
static double by_changes(const double *weight, uint32_t n)
{
    double squares = 0, between = 0;

    for (uint32_t i = 0; i < n; i++) {
        double mean = i > 0 ? (weight[i] + weight[i - 1]) / 2 : 0;

        squares += weight[i] * weight[i];
        between += mean * mean;
    }
    return n > 1 ? squares / (2 * between) : 0;
}

struct estimate measure_estimate(const struct measure *m, uint64_t cycles)
{
    const struct measure_window *real[SAMPLE_MOST_STRATA];
    double weight[SAMPLE_MOST_STRATA];
    double at_a_time =
        (double)(m->last.sum - m->full.sum) / (double)(m->last.cycle - m->full.cycle);
    uint32_t n = weigh(m, real, weight);
    double rest = weight[0] * measure_cost(real[0]), changes = 0;
    struct estimate e;

    for (uint32_t i = 1; i < n; i++) {
        /* Neighbours tell how sure each is: a slow change along the grid is no error.
         */
        double change = (measure_cost(real[i]) - measure_cost(real[i - 1])) *
                        (weight[i] + weight[i - 1]) / 2;

        rest += weight[i] * measure_cost(real[i]);
        changes += change * change;
    }
    e.count = n;
    e.rest = rest / at_a_time;
    e.at_a_time = at_a_time;
    e.cycles = (double)cycles + e.rest;
    e.scatter = sqrt(changes * by_changes(weight, n)) / at_a_time;
    e.statistical = measure_student(measure_degrees(n)) * e.scatter;
    e.allowed = ALLOWED * e.rest;
    e.fades = 0;
    e.trend = trend(m);
    return e;
}

static double wait_cost(const struct measure_window *w, unsigned reason)
{
    return (double)w->wait[reason] / (double)w->instructions;
}

void measure_waits(const struct measure *m, double rest[PROFILE_REASONS],
                   double half[PROFILE_REASONS])
{
    const struct measure_window *real[SAMPLE_MOST_STRATA];
    double weight[SAMPLE_MOST_STRATA];
    uint32_t n = weigh(m, real, weight);
    double by = by_changes(weight, n);

    for (unsigned k = 0; k < PROFILE_REASONS; k++) {
        double changes = 0;

        rest[k] = weight[0] * wait_cost(real[0], k);
        for (uint32_t i = 1; i < n; i++) {
            double change = (wait_cost(real[i], k) - wait_cost(real[i - 1], k)) *
                            (weight[i] + weight[i - 1]) / 2;

            rest[k] += weight[i] * wait_cost(real[i], k);
            changes += change * change;
        }
        half[k] = measure_student(measure_degrees(n)) * sqrt(changes * by) +
                  ALLOWED * rest[k];
    }
}

uint32_t measure_more_strata(const struct estimate *e, double error, uint32_t strata)
{
    double wanted = error * e->cycles - (e->allowed - e->fades), times;

    if (e->statistical <= wanted)
        return 0;
    if (wanted <= 0)
        return SAMPLE_MOST_STRATA;
    times = e->statistical / wanted;
    times *= times;
    times = times < 2 ? 2 : times > MOST_TIMES ? MOST_TIMES : times;
    return (uint32_t)((times - 1) * strata);
}

uint32_t measure_more(const struct estimate *e, double error)
{
    double wanted = error * e->cycles - (e->allowed - e->fades), half;
    uint32_t more = 0;

    do {
        double count = e->count + ++more;

        half = MEASURE_AGAIN * measure_student(measure_degrees(e->count + more)) *
               e->scatter * sqrt(e->count / count);
    } while (half > wanted && more < (MOST_TIMES - 1) * e->count);
    return more;
}
