/* bench_sim.c - a simulation's arguments and results; see bench_sim.h. */
#include "bridge/programs/bench/bench_sim.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_sim_arg(struct bench_sim *sim, const char *format, ...)
{
    va_list list;
    int n;

    assert(sim->args < BENCH_SIM_ARGS);
    va_start(list, format);
    n = vsnprintf(sim->arg[sim->args++], BENCH_SIM_TEXT, format, list);
    va_end(list);
    assert(n > 0 && n < BENCH_SIM_TEXT);
    (void)n;
}

void bench_sim_set(struct bench_sim *sim, const char *format, ...)
{
    va_list list;
    int n;

    assert(sim->settings < BENCH_SIM_SETTINGS);
    va_start(list, format);
    n = vsnprintf(sim->setting[sim->settings++], BENCH_SIM_TEXT, format, list);
    va_end(list);
    assert(n > 0 && n < BENCH_SIM_TEXT);
    (void)n;
}

/* Where field `index` of the line at `at` begins. */
static const char *csv_field(const char *at, unsigned index)
{
    for (; index > 0; index--) {
        at += strcspn(at, ",\n");
        if (*at == ',')
            at++;
    }
    return at;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

static unsigned column(const struct bench_sim *sim, const char *name)
{
    size_t length = strlen(name);
    unsigned index = 0;
    const char *at = sim->csv;

    /* Kernels' names hold no comma, so no field is quoted. */
    for (; *at != '\n' && *at != '\0'; index++) {
        size_t n = strcspn(at, ",\n");

        if (n == length && strncmp(at, name, n) == 0)
            break;
        at += n;
        if (*at == ',')
            at++;
    }
    assert(*at != '\n' && *at != '\0'); /* the statistic exists */
    return index;
}

uint32_t bench_sim_launches(const struct bench_sim *sim)
{
    uint32_t count = 0;

    for (const char *at = next_line(sim->csv);
         *at != '\0' && strncmp(at, "total,", 6) != 0; at = next_line(at))
        count++;
    return count;
}

double bench_sim_launch_value(const struct bench_sim *sim, const char *name,
                              uint32_t launch)
{
    const char *at = next_line(sim->csv);

    for (uint32_t i = 0; i < launch; i++)
        at = next_line(at);
    return strtod(csv_field(at, column(sim, name)), NULL);
}

double bench_sim_value(const struct bench_sim *sim, const char *name)
{
    uint32_t launches = bench_sim_launches(sim);

    return launches > 0 ? bench_sim_launch_value(sim, name, launches - 1) : 0;
}

void bench_sims_free(struct bench_sim *sims, uint32_t count)
{
    for (uint32_t i = 0; sims != NULL && i < count; i++)
        free(sims[i].csv);
    free(sims);
}
