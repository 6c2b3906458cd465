/* power_rapl.c - planes as RAPL's energy counters, and paper 2's way to read them
 * (docs/contract/power.md, section 7). */
#include <math.h>
#include <stdlib.h>

#include "igpu/power.h"

enum { STEADY = 3 };
#define MOVED 1e-3      /* of the median, at most, to be steady */
#define HOST_GAP 137e-6 /* the host's own time between two readings, s */

static double cycle_seconds(const struct power_load *load)
{
    double sum = 0;

    for (uint32_t i = 0; i < load->launches; i++)
        sum += load->seconds[i];
    return sum;
}

double power_load_joules(const struct power_load *load, enum power_plane plane,
                         double seconds)
{
    double cycle = cycle_seconds(load), whole = floor(seconds / cycle);
    double rest = seconds - whole * cycle, all = 0, part = 0;

    for (uint32_t i = 0; i < load->launches; i++) {
        double pj = load->plane_pj[i][plane], s = load->seconds[i];

        all += pj;
        if (rest >= s)
            part += pj;
        else if (rest > 0)
            part += pj * rest / s;
        rest -= s;
    }
    return (whole * all + part) * 1e-12;
}

static double update(const struct power_load *load)
{
    return (double)load->config->power_rapl_us * 1e-6;
}

static double unit(const struct power_load *load)
{
    return ldexp(1, -(int)load->config->power_rapl_unit);
}

uint32_t power_rapl(const struct power_load *load, enum power_plane plane,
                    double seconds)
{
    double at = floor(seconds / update(load)) * update(load);

    return (uint32_t)(uint64_t)(power_load_joules(load, plane, at) / unit(load));
}

/* End of the launch that runs at `seconds`. */
static double launch_end(const struct power_load *load, double seconds)
{
    double cycle = cycle_seconds(load), end = floor(seconds / cycle) * cycle;

    for (uint32_t i = 0; i < load->launches && end <= seconds; i++)
        end += load->seconds[i];
    return end > seconds ? end : seconds;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(const double *value, uint32_t count)
{
    double sorted[POWER_MAX_READINGS];

    for (uint32_t i = 0; i < count; i++)
        sorted[i] = value[i];
    qsort(sorted, count, sizeof(*sorted), ascending);
    return count % 2 != 0 ? sorted[count / 2]
                          : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

struct readings {
    double watts[POWER_PLANES][POWER_MAX_READINGS], igpu[POWER_MAX_READINGS];
    uint32_t count;
};

/* One reading from `from` on; returns when it ended. */
static double read_once(const struct power_load *load, double from, double least,
                        struct readings *r)
{
    double to = launch_end(load, from + least);

    for (unsigned p = 0; p < POWER_PLANES; p++) {
        uint32_t counts = power_rapl(load, (enum power_plane)p, to) -
                          power_rapl(load, (enum power_plane)p, from);

        r->watts[p][r->count] = (double)counts * unit(load) / (to - from);
    }
    r->igpu[r->count] = r->watts[POWER_PKG][r->count] - r->watts[POWER_PP0][r->count] -
                        r->watts[POWER_DRAM][r->count];
    r->count++;
    return to;
}

static double spread(const double *value, uint32_t count)
{
    double low = value[0], high = value[0], middle = median(value, count);

    for (uint32_t i = 1; i < count; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    return middle != 0 ? 100 * (high - low) / fabs(middle) : 0;
}

void power_read(const struct power_load *load, double least, uint64_t seed,
                struct power_reading *reading)
{
    struct readings r = {.count = 0};
    /* The fraction of an update in which the first reading begins: a Weyl sequence. */
    double from = update(load) * fmod((double)(seed % 1000003) * 0.6180339887498949, 1);
    double before = 0;
    uint32_t steady = 0;

    while (steady < STEADY && r.count < POWER_MAX_READINGS) {
        double now;

        from = read_once(load, from, least, &r) + HOST_GAP;
        now = median(r.igpu, r.count);
        steady =
            r.count > 1 && fabs(now - before) <= MOVED * fabs(now) ? steady + 1 : 0;
        before = now;
    }
    reading->pkg_w = median(r.watts[POWER_PKG], r.count);
    reading->pp0_w = median(r.watts[POWER_PP0], r.count);
    reading->pp1_w = median(r.watts[POWER_PP1], r.count);
    reading->dram_w = median(r.watts[POWER_DRAM], r.count);
    reading->igpu_w = median(r.igpu, r.count);
    reading->spread_percent = spread(r.igpu, r.count);
    /* An update more or less of every plane, and a count of each of three counters. */
    reading->error_percent =
        100 * (update(load) / least +
               3 * unit(load) / (least * fabs(reading->igpu_w) + unit(load)));
    reading->readings = r.count;
    reading->settled = steady >= STEADY;
}
