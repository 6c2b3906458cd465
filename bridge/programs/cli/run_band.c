/* run_band.c - see run_band.h. */
#include "bridge/programs/cli/run_band.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/run.h"

enum { SETS = 16, BISECTIONS = 200 };

/* Of each parameter its default when the sets were made, and its value in each. */
static const struct parameter {
    const char *key;
    uint64_t was, set[SETS];
} parameters[] = {
#define BAND_ERROR(...)
#define BAND_PARAMETER(key, was, ...) {key, was, {__VA_ARGS__}},
#include "bridge/programs/cli/band.def"
#undef BAND_ERROR
#undef BAND_PARAMETER
};

/* Of the logarithm of (cycles of a real machine / cycles of the model), over programs
 * that calibrated nothing: mean and standard deviation, and by what an interval made of
 * these is widened at both ends to hold as many of them as it says. */
#define BAND_ERROR(bias, spread, widen)                                                \
    static const double error_bias = bias, error_spread = spread, error_widen = widen;
#define BAND_PARAMETER(...)
#include "bridge/programs/cli/band.def"
#undef BAND_ERROR
#undef BAND_PARAMETER

static uint64_t *parameter_find(struct igpu_config *config, const char *key,
                                const struct igpu_param_info **info)
{
    size_t count;
    const struct igpu_param_info *all = igpu_params(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].key, key) == 0) {
            *info = &all[i];
            return (uint64_t *)(void *)((char *)config + all[i].offset);
        }
    return NULL;
}

/* The machine's own value, in the proportion of the set's to the default, within its
 * range; as it was where a rule of several keys forbids that. */
static void move(struct igpu_config *config, const struct parameter *p, uint32_t set)
{
    const struct igpu_param_info *info;
    uint64_t *value = parameter_find(config, p->key, &info), was;

    assert(value != NULL);
    was = *value;
    *value = (was * p->set[set] + p->was / 2) / p->was;
    if (*value < info->min)
        *value = info->min;
    if (*value > info->max)
        *value = info->max;
    if (igpu_config_check(config, NULL) != IGPU_OK)
        *value = was;
}

/* ---- an interval ------------------------------------------------------------ */

/* The share of machines that take at most e^x cycles. */
static double share_below(const double cycles[SETS], double x)
{
    double sum = 0;

    for (uint32_t i = 0; i < SETS; i++)
        sum += erfc((log(cycles[i]) + error_bias - x) / (error_spread * sqrt(2))) / 2;
    return sum / SETS;
}

/* Its logarithm. */
static double quantile(const double cycles[SETS], double share)
{
    double low = 0, high = log((double)UINT64_MAX);

    for (uint32_t i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;

        if (share_below(cycles, middle) < share)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void summarise(const double cycles[SETS], struct stats_band *band)
{
    double least = cycles[0], most = cycles[0];

    for (uint32_t i = 1; i < SETS; i++) {
        least = cycles[i] < least ? cycles[i] : least;
        most = cycles[i] > most ? cycles[i] : most;
    }
    *band = (struct stats_band){
        .low = (uint64_t)(exp(quantile(cycles, 0.05) - error_widen) + 0.5),
        .high = (uint64_t)(exp(quantile(cycles, 0.95) + error_widen) + 0.5),
        .least = (uint64_t)least,
        .most = (uint64_t)most,
        .sets = SETS};
}

/* ---- simulations ------------------------------------------------------------ */

static enum igpu_status trace_simulate(struct trace_reader *reader,
                                       struct sim_options *so,
                                       const volatile sig_atomic_t *interrupted,
                                       double *cycles, struct igpu_err *err)
{
    enum sim_state state = SIM_RUNNING;
    struct sim *sim = NULL;
    uint32_t launches;
    const struct sim_stats *launch;
    enum igpu_status status = sim_create(&sim, reader, so, err);

    while (status == IGPU_OK && state == SIM_RUNNING && !*interrupted)
        state = sim_step(sim);
    if (state == SIM_FAILED)
        status = sim_status(sim, err);
    if (status == IGPU_OK && state == SIM_DONE)
        *cycles = (double)sim_stats(sim, &launches, &launch)->run_cycles;
    sim_destroy(sim);
    return status;
}

static enum igpu_status simulate_all(const struct run_options *o,
                                     struct trace_reader *reader,
                                     const struct engine_set *engines,
                                     const volatile sig_atomic_t *interrupted,
                                     double cycles[SETS], struct igpu_err *err)
{
    struct sim_options so = {.engine = engine_reference(engines)->ops,
                             .host_threads = 1};
    bool shown = !o->quiet && isatty(STDERR_FILENO);
    enum igpu_status status = options_launches(o, reader, &so, err);

    if (status == IGPU_OK)
        status = trace_verify_launches(reader, so.first_launch, so.last_launch, err);
    for (uint32_t set = 0; set < SETS && status == IGPU_OK && !*interrupted; set++) {
        struct igpu_config config = o->config;

        for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
            move(&config, &parameters[i], set);
        so.config = &config;
        if (shown)
            fprintf(stderr, "\rband: set %" PRIu32 " of %d   ", set + 1, (int)SETS);
        status = trace_simulate(reader, &so, interrupted, &cycles[set], err);
    }
    if (shown)
        fputc('\n', stderr);
    return status;
}

enum igpu_status run_band(const struct run_options *options,
                          const struct engine_set *engines,
                          const volatile sig_atomic_t *interrupted,
                          struct stats_band *band, struct igpu_err *err)
{
    double cycles[SETS] = {0};
    enum igpu_status status = IGPU_OK;
    struct trace_reader *reader = trace_open(options->trace, &status, err);

    *band = (struct stats_band){.sets = 0};
    if (reader == NULL)
        return status;
    status = simulate_all(options, reader, engines, interrupted, cycles, err);
    trace_close(reader);
    if (status == IGPU_OK && !*interrupted)
        summarise(cycles, band);
    return status;
}
