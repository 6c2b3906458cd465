/* settle.c - see settle.h. */
#include "bridge/host/sample/settle.h"

#include <math.h>
#include <stdbool.h>

static double mean(const double *cost, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += cost[i];
    return sum / n;
}

/* The square of the mean's standard error, if they were independent. */
static double unsure(const double *cost, uint32_t n)
{
    double middle = mean(cost, n), squares = 0;

    for (uint32_t i = 0; i < n; i++)
        squares += (cost[i] - middle) * (cost[i] - middle);
    return squares / n / n;
}

/* Are the first `cut` further from the others the earlier they are? A part of the grid
 * that is unlike the rest is not. */
static bool approaches(const double *cost, uint32_t n, uint32_t cut)
{
    double later = mean(cost + cut, n - cut), all = mean(cost, cut) - later;
    double early = mean(cost, (cut + 1) / 2) - later;

    return all * early > 0 && fabs(early) >= fabs(all);
}

uint32_t settle_cut(const double *cost, uint32_t n)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i <= n / 2; i++)
        if (unsure(cost + i, n - i) < unsure(cost + best, n - best))
            best = i;
    return best > 0 && approaches(cost, n, best) ? best : 0;
}

double settle_bias(const double *cost, uint32_t n, uint32_t cut)
{
    double later = mean(cost + cut, n - cut);

    return fabs(mean(cost, n) - later) / later;
}

double settle_left(const double *cost, uint32_t n)
{
    uint32_t part = (n + 3) / 4;

    return (mean(cost, part) - mean(cost + n - part, part)) / mean(cost, n);
}

double settle_mean(double from, double to)
{
    return (from - to) / 4;
}
