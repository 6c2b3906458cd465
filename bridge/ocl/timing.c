/* timing.c - see timing.h. */
#include "bridge/ocl/timing.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bridge/config_file.h"
#include "bridge/sim.h"

/* Copies go through memory twice, at the peak of two channels of DDR4-2133: an
 * estimate, since no copy is simulated. Each command takes at least a tick. */
#define COPY_BYTES_PER_US ((uint64_t)34128 / 2)

static atomic_ullong simulated_ns = 1000000; /* no real device starts at 0 */

static bool simulated;

static void __attribute__((constructor)) set_up(void)
{
    const char *on = getenv("IGPU_TIME");

    simulated = on != NULL && on[0] != '\0' && strcmp(on, "0") != 0;
}

bool timing_on(void)
{
    return simulated;
}

cl_ulong ocl_now(void)
{
    struct timespec t;

    if (timing_on())
        return (cl_ulong)simulated_ns;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (cl_ulong)t.tv_sec * 1000000000 + (cl_ulong)t.tv_nsec;
}

void timing_transfer(size_t bytes)
{
    if (timing_on())
        simulated_ns += bytes * 1000 / COPY_BYTES_PER_US + 1;
}

/* The device's own configuration, or the user's; then each key=value of IGPU_SET,
 * blanks between. */
static enum igpu_status choose_config(cl_device_id device, struct igpu_config *config,
                                      struct igpu_err *err)
{
    const char *name = getenv("IGPU_CONFIG"), *set = getenv("IGPU_SET");
    enum igpu_status status =
        config_load(config, name != NULL ? name : device->preset, err);
    char pair[256];

    for (const char *p = set != NULL ? set : ""; status == IGPU_OK && *p != '\0';) {
        size_t n = strcspn(p, " ");

        if (n >= sizeof(pair))
            return igpu_fail(err, IGPU_USAGE, "IGPU_SET: a setting is too long");
        memcpy(pair, p, n);
        pair[n] = '\0';
        if (n > 0)
            status = igpu_config_set(config, pair, err);
        p += n + (p[n] != '\0');
    }
    return status == IGPU_OK ? igpu_config_check(config, err) : status;
}

enum igpu_status timing_launch(cl_device_id device, const char *trace, uint64_t *cycles,
                               uint64_t *ns, struct igpu_err *err)
{
    struct igpu_config config;
    struct sim_options options = {
        .engine = &host_engine_ref, .config = &config, .host_threads = 1};
    struct trace_reader *reader = NULL;
    struct sim *sim = NULL;
    enum sim_state state = SIM_RUNNING;
    enum igpu_status status = choose_config(device, &config, err);

    if (status == IGPU_OK) {
        reader = trace_open(trace, &status, err);
        if (reader != NULL) {
            options.first_launch = options.last_launch =
                trace_summary(reader)->launches - 1;
            status = sim_create(&sim, reader, &options, err);
        }
    }
    while (status == IGPU_OK && state == SIM_RUNNING)
        state = sim_step(sim);
    if (status == IGPU_OK && state == SIM_FAILED)
        status = sim_status(sim, err);
    if (status == IGPU_OK) {
        uint32_t launches;
        const struct sim_stats *launch;
        const struct sim_stats *total = sim_stats(sim, &launches, &launch);

        *cycles = total->run_cycles;
        *ns = (uint64_t)((double)*cycles * 1e9 / (double)config.gpu_clock_hz + 0.5);
        simulated_ns += *ns > 0 ? *ns : 1;
    }
    sim_destroy(sim);
    trace_close(reader);
    return status;
}
