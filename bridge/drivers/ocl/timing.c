/* timing.c - see timing.h. */
#include "bridge/drivers/ocl/timing.h"
#include "igpu/ref.h"

#include <string.h>

#include "bridge/drivers/ocl/device_config.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/progress.h"
#include "bridge/drivers/ocl/repeat.h"
#include "bridge/drivers/ocl/setting.h"
#include "bridge/host/sim/config_file.h"
#include "bridge/host/sim/sim.h"
#include "igpu/cpu.h"
#include "traces/launch/launch.h"

/* What a device keeps between launches. */
struct machine {
    bool configured;
    struct igpu_config config;
    struct mem_system *mem; /* NULL: cold */
    uint64_t space, next;   /* next: cycle in which the next launch begins */
    struct repeat repeat;
    struct timing_energy energy; /* of the last launch */
    struct emu_counts counts;    /* of the last one that was executed in time */
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

static enum igpu_status machine_configure(struct machine *m, cl_device_id device,
                                          struct igpu_err *err)
{
    const struct igpu_config *config;
    enum igpu_status status = device_config(device, &config, err);

    if (status == IGPU_OK && !m->configured)
        m->config = *config;
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
    status = machine_configure(m, device, err);
    return status == IGPU_OK ? mem_create(&m->mem, &m->config, err) : status;
}

/* The caches get what is to be there before window `i` of *s, or behind the last. */
static void warm(const struct sample *s, struct mem_system *mem, uint32_t i)
{
    warm_caches(&s->warm[i], mem, i > 0 && i < s->plan.windows);
}

/* The sample that is simulated, and its machine. */
struct at_window {
    const struct sample *sample;
    struct mem_system *mem;
};

static void on_window(void *ctx, uint32_t i)
{
    const struct at_window *at = ctx;

    warm(at->sample, at->mem, i);
}

/* Runs the simulation to its end; *time: of all launches and what is extrapolated. */
static enum igpu_status launch_simulate(struct sim *sim, uint64_t threads,
                                        struct sample *sample, struct estimate *time,
                                        struct igpu_err *err)
{
    enum sim_state state = SIM_RUNNING;
    uint32_t launches;
    uint64_t cycles;
    const struct sim_stats *launch;

    while (state == SIM_RUNNING) {
        state = sim_step(sim);
        progress_tell("simulating", sim_threads_ended(sim), threads);
    }
    if (state == SIM_FAILED)
        return sim_status(sim, err);
    cycles = sim_stats(sim, &launches, &launch)->run_cycles;
    *time = sample->plan.windows > 0 ? measure_estimate(&sample->measure, cycles)
                                     : (struct estimate){.cycles = (double)cycles};
    return IGPU_OK;
}

/* What the simulated launches took, and by the cycle what was extrapolated. */
static void take_energy(struct machine *m, struct sim *sim, double cycles)
{
    const struct power_events *launch, *all = sim_energy(sim, &launch);
    struct power_model model;
    struct power_report report;
    double times;

    if (all == NULL || all->cycles == 0)
        return;
    times = cycles / (double)all->cycles / 1e3; /* pJ to nJ */
    power_model_init(&model, &m->config);
    power_evaluate(&model, all, &report);
    m->energy.pkg_nj = report.plane_pj[POWER_PKG] * times;
    m->energy.dram_nj = report.plane_pj[POWER_DRAM] * times;
    m->energy.igpu_nj = power_igpu_pj(&report) * times;
}

/* What the simulated launches executed. */
static void take_counts(struct machine *m, struct sim *sim)
{
    uint32_t launches;
    const struct sim_stats *launch, *all = sim_stats(sim, &launches, &launch);

    m->counts = (struct emu_counts){all->run_threads_dispatched, all->run_instructions,
                                    all->run_lane_instructions, all->run_flops};
}

/* The launches of the trace, from m->next on; *next: of the one behind them. */
static enum igpu_status simulate_trace(struct machine *m, const char *trace,
                                       struct emu_mem *mem, struct sample *sample,
                                       struct counters_launch *counters,
                                       struct estimate *time, uint64_t *next,
                                       struct igpu_err *err)
{
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = &m->config,
                                  .host_threads = 1,
                                  .energy = setting_flag(SETTING_ENERGY),
                                  .mem = m->mem,
                                  .start = m->next};
    struct at_window at = {sample, m->mem};
    enum igpu_status status = IGPU_OK;
    struct trace_reader *reader = mem != NULL ? trace_open_launches(trace, &status, err)
                                              : trace_open(trace, &status, err);
    struct launch_file *file = NULL;
    struct sim *sim = NULL;

    if (reader == NULL)
        return status;
    if (mem != NULL)
        status = launch_file_open(&file, reader, mem, err);
    options.execute = file;
    options.last_launch = trace_summary(reader)->launches - 1;
    sample->measure.before = on_window;
    sample->measure.ctx = &at;
    if (sample->plan.windows > 0)
        options.threads = measure_threads(&sample->measure);
    else
        counters_begin(counters, &options);
    if (status == IGPU_OK)
        status = sim_create(&sim, reader, &options, err);
    if (status == IGPU_OK)
        status =
            launch_simulate(sim, trace_summary(reader)->threads, sample, time, err);
    if (status == IGPU_OK) {
        *next = sim_next_launch(sim);
        take_counts(m, sim);
        take_energy(m, sim, time->cycles);
        if (sample->plan.windows > 0)
            warm(sample, m->mem, sample->plan.windows);
    }
    if (status == IGPU_OK && sample->plan.windows == 0)
        status = counters_end(counters, &m->config, err);
    sim_destroy(sim);
    launch_file_close(file);
    trace_close(reader);
    return status;
}

/* The same, unless they repeat those before. CPU agents never repeat. */
static enum igpu_status run_trace(struct machine *m, const char *trace,
                                  struct emu_mem *mem, struct sample *sample,
                                  struct counters_launch *counters,
                                  struct estimate *time, struct igpu_err *err)
{
    bool may = mem == NULL && m->config.cpu_agent == CPU_NONE &&
               sample->plan.windows == 0 && !counters_on(counters) &&
               !setting_flag(SETTING_NO_REPEAT);
    uint64_t next = 0;
    enum igpu_status status;

    if (may && repeat_begin(&m->repeat, trace, m->mem, m->next)) {
        *time = (struct estimate){.cycles = (double)m->repeat.cycles};
        m->next += m->repeat.span;
        return IGPU_OK;
    }
    status = simulate_trace(m, trace, mem, sample, counters, time, &next, err);
    if (may && status == IGPU_OK)
        repeat_end(&m->repeat, m->mem, m->next, next, (uint64_t)time->cycles);
    else
        repeat_forget(&m->repeat);
    m->next = next;
    return status;
}

/* The device's time line moves on. */
static uint64_t move_on(const struct machine *m, const struct estimate *time)
{
    uint64_t ns = (uint64_t)(time->cycles * 1e9 / (double)m->config.gpu_clock_hz + 0.5);

    device_time_launch(ns);
    return ns;
}

enum igpu_status timing_launch(cl_device_id device, uint64_t space, const char *trace,
                               struct emu_mem *mem, struct sample *sample,
                               struct counters_launch *counters, struct estimate *time,
                               uint64_t *ns, struct timing_energy *energy,
                               struct igpu_err *err)
{
    struct machine *m = &machines[device - ocl_device(0)];
    enum igpu_status status = ready(m, device, space, err);

    if (status == IGPU_OK)
        status = run_trace(m, trace, mem, sample, counters, time, err);
    if (status == IGPU_OK) {
        *ns = move_on(m, time);
        *energy = m->energy;
    } else {
        cool(m);
    }
    return status;
}

enum igpu_status timing_skip(cl_device_id device, uint64_t space,
                             const struct sample *sample, const struct estimate *time,
                             uint64_t *ns, struct igpu_err *err)
{
    struct machine *m = &machines[device - ocl_device(0)];
    enum igpu_status status = ready(m, device, space, err);

    if (status != IGPU_OK)
        return status;
    warm(sample, m->mem, 0);
    repeat_forget(&m->repeat);
    *ns = move_on(m, time);
    return IGPU_OK;
}

struct emu_counts timing_counts(cl_device_id device)
{
    return machines[device - ocl_device(0)].counts;
}

enum igpu_status timing_config(cl_device_id device, const struct igpu_config **config,
                               struct igpu_err *err)
{
    struct machine *m = &machines[device - ocl_device(0)];

    *config = &m->config;
    return machine_configure(m, device, err);
}
