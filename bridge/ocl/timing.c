/* timing.c - see timing.h. */
#include "bridge/ocl/timing.h"
#include "igpu/ref.h"

#include <string.h>

#include "bridge/ocl/device_time.h"
#include "bridge/ocl/estimate.h"
#include "bridge/ocl/progress.h"
#include "bridge/ocl/repeat.h"
#include "bridge/ocl/setting.h"
#include "bridge/sim/config_file.h"
#include "bridge/sim/sim.h"
#include "igpu/cpu.h"

/* The device's own configuration, or the user's; then each key=value of IGPU_SET,
 * blanks between. */
static enum igpu_status choose_config(cl_device_id device, struct igpu_config *config,
                                      struct igpu_err *err)
{
    const char *name = setting_text("IGPU_CONFIG"), *set = setting_text("IGPU_SET");
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

/* What a device keeps between launches. */
struct machine {
    bool configured;
    struct igpu_config config;
    struct mem_system *mem; /* NULL: cold */
    uint64_t space, next;   /* next: cycle in which the next launch begins */
    struct repeat repeat;
    struct timing_energy energy; /* of the last launch */
};

static struct machine machines[OCL_DEVICES];

static void cool(struct machine *m)
{
    if (m->mem != NULL)
        mem_destroy(m->mem);
    m->mem = NULL;
    m->next = 0;
    repeat_forget(&m->repeat);
}

static enum igpu_status configure(struct machine *m, cl_device_id device,
                                  struct igpu_err *err)
{
    enum igpu_status status =
        m->configured ? IGPU_OK : choose_config(device, &m->config, err);

    m->configured = status == IGPU_OK;
    return status;
}

/* The machine of a device for a launch in address space `space`. Launches of one
 * device come one after the other, and its configuration stays. */
static enum igpu_status ready(struct machine *m, cl_device_id device, uint64_t space,
                              struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (m->mem != NULL && m->space == space)
        return IGPU_OK;
    cool(m);
    m->space = space;
    status = configure(m, device, err);
    return status == IGPU_OK ? mem_create(&m->mem, &m->config, err) : status;
}

enum igpu_status timing_cache_lines(cl_device_id device, uint64_t *lines,
                                    struct igpu_err *err)
{
    struct machine *m = &machines[device - ocl_device(0)];
    enum igpu_status status = configure(m, device, err);

    *lines = (m->config.llc_size + m->config.edram_size) / 64;
    return status;
}

/* Runs the simulation to its end; *cycles: of all launches and what is extrapolated. */
static enum igpu_status simulate(struct sim *sim, uint64_t threads,
                                 struct estimate *estimate, uint64_t *cycles,
                                 struct igpu_err *err)
{
    enum sim_state state = SIM_RUNNING;
    uint32_t launches;
    const struct sim_stats *launch;

    estimate->sim = sim;
    while (state == SIM_RUNNING) {
        state = sim_step(sim);
        progress_tell("simulating", sim_threads_ended(sim), threads);
    }
    if (state == SIM_FAILED)
        return sim_status(sim, err);
    *cycles = sim_stats(sim, &launches, &launch)->run_cycles;
    if (estimate->sample->places > 0)
        *cycles += estimate_rest(estimate);
    return IGPU_OK;
}

/* What the simulated launches took, and by the cycle what was extrapolated. */
static void take_energy(struct machine *m, struct sim *sim, uint64_t cycles)
{
    const struct power_events *launch, *all = sim_energy(sim, &launch);
    struct power_model model;
    struct power_report report;
    double times;

    if (all == NULL || all->cycles == 0)
        return;
    times = (double)cycles / (double)all->cycles / 1e3; /* pJ to nJ */
    power_model_init(&model, &m->config);
    power_evaluate(&model, all, &report);
    m->energy.pkg_nj = report.plane_pj[POWER_PKG] * times;
    m->energy.dram_nj = report.plane_pj[POWER_DRAM] * times;
    m->energy.igpu_nj = power_igpu_pj(&report) * times;
}

/* The launches of the trace, from m->next on; *next: of the one behind them. */
static enum igpu_status simulate_trace(struct machine *m, const char *trace,
                                       struct sample *sample,
                                       struct counters_launch *counters,
                                       uint64_t *cycles, uint64_t *next,
                                       struct igpu_err *err)
{
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = &m->config,
                                  .host_threads = 1,
                                  .energy = setting_flag("IGPU_ENERGY"),
                                  .mem = m->mem,
                                  .start = m->next};
    struct estimate estimate = {.sample = sample};
    enum igpu_status status = IGPU_OK;
    struct trace_reader *reader = trace_open(trace, &status, err);
    struct sim *sim = NULL;

    if (reader == NULL)
        return status;
    options.last_launch = trace_summary(reader)->launches - 1;
    if (sample->places > 0)
        options.watch = estimate_watch(&estimate, sample, m->mem);
    else
        counters_begin(counters, &options);
    status = sim_create(&sim, reader, &options, err);
    if (status == IGPU_OK)
        status = simulate(sim, trace_summary(reader)->threads, &estimate, cycles, err);
    if (status == IGPU_OK) {
        *next = sim_next_launch(sim);
        take_energy(m, sim, *cycles);
    }
    if (status == IGPU_OK && sample->places == 0)
        status = counters_end(counters, &m->config, err);
    sim_destroy(sim);
    trace_close(reader);
    return status;
}

/* The same, unless they repeat those before. CPU agents never repeat. */
static enum igpu_status run_trace(struct machine *m, const char *trace,
                                  struct sample *sample,
                                  struct counters_launch *counters, uint64_t *cycles,
                                  struct igpu_err *err)
{
    bool may = m->config.cpu_agent == CPU_NONE && sample->places == 0 &&
               !counters_on(counters) && !setting_flag("IGPU_NO_REPEAT");
    uint64_t next = 0;
    enum igpu_status status;

    if (may && repeat_begin(&m->repeat, trace, m->mem, m->next)) {
        *cycles = m->repeat.cycles;
        m->next += m->repeat.span;
        return IGPU_OK;
    }
    status = simulate_trace(m, trace, sample, counters, cycles, &next, err);
    if (may && status == IGPU_OK)
        repeat_end(&m->repeat, m->mem, m->next, next, *cycles);
    else
        repeat_forget(&m->repeat);
    m->next = next;
    return status;
}

enum igpu_status timing_launch(cl_device_id device, uint64_t space, const char *trace,
                               struct sample *sample, struct counters_launch *counters,
                               uint64_t *cycles, uint64_t *ns,
                               struct timing_energy *energy, struct igpu_err *err)
{
    struct machine *m = &machines[device - ocl_device(0)];
    enum igpu_status status = ready(m, device, space, err);

    if (status == IGPU_OK)
        status = run_trace(m, trace, sample, counters, cycles, err);
    if (status == IGPU_OK) {
        *ns = (uint64_t)((double)*cycles * 1e9 / (double)m->config.gpu_clock_hz + 0.5);
        device_time_launch(*ns);
        *energy = m->energy;
    } else {
        cool(m);
    }
    return status;
}
