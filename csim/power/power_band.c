/* power_band.c - the Monte Carlo over what is estimated (docs/contract/power.md,
 * section 6). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/hash.h"
#include "igpu/power.h"

static const struct {
    size_t offset; /* of the parameter in struct igpu_config */
    uint32_t low, high;
} bands[] = {
#define POWER_BAND(id, low, high) {offsetof(struct igpu_config, id), low, high},
#include "igpu/power_bands.def"
#undef POWER_BAND
};
enum { BANDS = sizeof(bands) / sizeof(bands[0]), PERCENTILES = 3 };

static uint64_t mix(uint64_t counter)
{
    return igpu_splitmix(&counter);
}

void power_draw(const struct igpu_config *config, uint64_t seed, uint32_t draw,
                struct igpu_config *out)
{
    *out = *config;
    for (uint32_t i = 0; i < BANDS; i++) {
        char *at = (char *)out + bands[i].offset;
        double low = bands[i].low > 0 ? bands[i].low / 1e3 : 1e-3;
        double unit = (double)(mix(mix(mix(seed) + draw) + i) >> 11) * 0x1p-53;
        uint64_t value;

        memcpy(&value, at, sizeof(value));
        value = (uint64_t)((double)value * low * pow(bands[i].high / 1e3 / low, unit) +
                           0.5);
        memcpy(at, &value, sizeof(value));
    }
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static void percentiles(double *values, uint32_t count, double out[PERCENTILES])
{
    static const double at[PERCENTILES] = {0.05, 0.5, 0.95};

    qsort(values, count, sizeof(*values), ascending);
    for (unsigned i = 0; i < PERCENTILES; i++)
        out[i] = values[(uint32_t)(at[i] * (count - 1) + 0.5)];
}

enum igpu_status power_band(const struct igpu_config *config,
                            const struct power_events *events, uint64_t seed,
                            uint32_t draws, struct power_band *band,
                            struct igpu_err *err)
{
    double *value = calloc((size_t)draws * (POWER_PLANES + 1), sizeof(*value));

    if (value == NULL)
        return igpu_no_memory(err, "energy: %u draws", draws);
    for (uint32_t d = 0; d < draws; d++) {
        struct igpu_config drawn;
        struct power_model model;
        struct power_report report;

        power_draw(config, seed, d, &drawn);
        power_model_init(&model, &drawn);
        power_evaluate(&model, events, &report);
        for (unsigned p = 0; p < POWER_PLANES; p++)
            value[p * draws + d] = report.plane_pj[p];
        value[POWER_PLANES * draws + d] = report.gflops_per_watt;
    }
    for (unsigned p = 0; p < POWER_PLANES; p++)
        percentiles(value + p * draws, draws, band->plane_pj[p]);
    percentiles(value + POWER_PLANES * draws, draws, band->gflops_per_watt);
    free(value);
    return IGPU_OK;
}
