/* drm_timing.c - simulated time: what threads of draws and dispatches do is recorded
 * while batches are executed (traces/draws) and run through the cycle model on the C
 * reference, whenever somebody looks at the GPU's clock and behind each batch. Caches
 * stay as they are from one to the next. The host takes no time. */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW, dladdr */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bridge/drivers/drm/drm.h"
#include "bridge/host/sim/sim.h"
#include "igpu/output.h"
#include "igpu/ref.h"
#include "traces/draws/frame_threads.h"

static struct {
    bool on, failed;
    struct igpu_config config;
    struct mem_system *mem;
    struct frame_threads threads;
    int fd; /* of the trace that is recorded, */
    char path[IGPU_OUTPUT_UNNAMED];
    uint64_t next;           /* cycle of the memory side in which a launch begins */
    _Atomic uint64_t cycles; /* on the time line */
    uint64_t launches, batch;
    struct igpu_output list;
} timing = {.fd = -1};

/* ---- the time line ------------------------------------------------------ */

static uint64_t drm_timing_ns(void)
{
    return drm_clock_ns(timing.config.gpu_clock_hz, timing.cycles);
}

uint64_t drm_timing_ticks(void)
{
    return drm_clock_ticks(timing.config.gpu_clock_hz, timing.cycles);
}

/* ---- one trace ---------------------------------------------------------- */

static void stop(const struct igpu_err *err)
{
    timing.failed = true;
    timing.threads.on = false;
    drm_say("batch %" PRIu64 ": %s; from here on time stands still", timing.batch,
            err->text);
}

static bool open_trace(struct igpu_err *err)
{
    const struct trace_header header = {"igpu " IGPU_VERSION,
                                        drm_settings()->slices > 1 ? "kbl" : "skl",
                                        "batches",
                                        drm_settings()->command,
                                        true,
                                        false};
    enum igpu_status status;

    timing.fd = igpu_output_unnamed(timing.path, err);
    if (timing.fd < 0)
        return false;
    timing.threads.writer = trace_writer_open(timing.path, &header, &status, err);
    return timing.threads.writer != NULL;
}

/* What was recorded is forgotten; state of the pipeline stays. */
static void close_trace(void)
{
    frame_kernels_free(&timing.threads.kernels);
    memset(&timing.threads.kernels, 0, sizeof(timing.threads.kernels));
    timing.threads.launches = 0;
    if (timing.fd >= 0)
        (void)close(timing.fd);
    timing.fd = -1;
}

/* A line of the list for each launch; *at: the cycle of the time line in which it
 * begins. */
static void list_launches(struct trace_reader *r, struct sim *sim)
{
    uint32_t launches;
    const struct sim_stats *launch, *total = sim_stats(sim, &launches, &launch);
    uint64_t at = timing.cycles;

    for (uint32_t i = 0; i < launches && timing.list.file != NULL; i++) {
        const struct trace_launch *l = trace_launch(r, i);
        bool dispatch =
            trace_kernel(r, l->kernel)->code.inst[0].msg.family != ISA_MSG_PAYLOAD;

        fprintf(timing.list.file,
                "%" PRIu64 ",%" PRIu64 ",%s,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                timing.launches + i, timing.batch, dispatch ? "dispatch" : "draws",
                l->threads, launch[i].run_instructions, launch[i].run_cycles,
                drm_clock_ns(timing.config.gpu_clock_hz, at));
        at += launch[i].run_cycles;
    }
    timing.launches += launches;
    timing.cycles += total->run_cycles;
}

static enum igpu_status trace_simulate(struct trace_reader *r, struct igpu_err *err)
{
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = &timing.config,
                                  .host_threads = 1,
                                  .mem = timing.mem,
                                  .start = timing.next};
    struct sim *sim = NULL;
    enum sim_state state = SIM_RUNNING;
    enum igpu_status status;

    options.last_launch = trace_summary(r)->launches - 1;
    drm_oa_begin(&options, timing.cycles);
    status = sim_create(&sim, r, &options, err);
    drm_oa_watch(sim);
    while (status == IGPU_OK && state == SIM_RUNNING)
        state = sim_step(sim);
    if (status == IGPU_OK)
        status = sim_status(sim, err);
    drm_oa_end(status == IGPU_OK ? sim : NULL);
    if (status == IGPU_OK) {
        list_launches(r, sim);
        timing.next = sim_next_launch(sim);
    }
    sim_destroy(sim);
    return status;
}

/* All that was executed so far is over. */
static void settle(void)
{
    struct igpu_err err = {.text = ""};
    struct trace_reader *r = NULL;
    enum igpu_status status = IGPU_OK;

    if (timing.failed)
        return;
    frame_threads_flush(&timing.threads);
    if (timing.threads.failed) {
        stop(&timing.threads.err);
        return;
    }
    if (timing.threads.launches == 0)
        return;
    status = trace_writer_close(timing.threads.writer, &err);
    timing.threads.writer = NULL;
    if (status == IGPU_OK)
        r = trace_open(timing.path, &status, &err);
    if (r != NULL)
        status = trace_simulate(r, &err);
    trace_close(r);
    close_trace();
    if (status != IGPU_OK || !open_trace(&err))
        stop(&err);
}

/* ---- the pipeline's ----------------------------------------------------- */

static uint64_t time_look(void *ctx)
{
    (void)ctx;
    settle();
    return drm_timing_ticks();
}

static uint32_t write_report(void *ctx, uint32_t context, uint32_t id, uint8_t *report)
{
    (void)ctx;
    settle();
    return drm_oa_report(&timing.config, timing.cycles, context, id, report);
}

static enum igpu_status timing_configure(struct igpu_err *err)
{
    enum igpu_status status = drm_machine(drm_settings(), &timing.config, err);

    return status == IGPU_OK ? mem_create(&timing.mem, &timing.config, err) : status;
}

void drm_timing_begin(struct gfx *gfx)
{
    struct igpu_err err = {.text = ""};

    timing.on = true;
    if (timing_configure(&err) != IGPU_OK || !open_trace(&err)) {
        stop(&err);
    } else {
        timing.threads.on = true;
        frame_threads_watch(&timing.threads, gfx);
    }
    gfx_set_clock(gfx, time_look, NULL);
    gfx_set_reports(gfx, write_report, NULL);
}

/* Is this code of Wine's? It hands the times of this clock to its server, a process
 * whose clock goes on: with one that stands still each wait there is over at once, and
 * no window comes up. */
static bool is_wine(void *code)
{
    static void *_Atomic last; /* the caller that was Wine's */
    Dl_info info;

    if (code == last)
        return true;
    if (dladdr(code, &info) == 0 || info.dli_fname == NULL ||
        strstr(info.dli_fname, "/wine/") == NULL)
        return false;
    last = code;
    return true;
}

/* Drivers hold the host's clock against the GPU's by this one: both stand still while
 * the host works. */
DRM_PUBLIC int clock_gettime(clockid_t clock, struct timespec *t)
{
    typedef int clock_fn(clockid_t, struct timespec *);
    static clock_fn *real;
    void *address;
    uint64_t ns;

    if (clock == CLOCK_MONOTONIC_RAW && drm_settings()->time &&
        !is_wine(__builtin_return_address(0))) {
        ns = drm_timing_ns();
        t->tv_sec = (time_t)(ns / 1000000000);
        t->tv_nsec = (long)(ns % 1000000000);
        return 0;
    }
    if (real == NULL) {
        address = drm_real("clock_gettime");
        memcpy(&real, &address, sizeof(real));
    }
    return real(clock, t);
}

/* ---- what is told ------------------------------------------------------- */

void drm_timing_list(const char *path)
{
    struct igpu_err err = {.text = ""};

    if (igpu_output_open(&timing.list, path, &err) != IGPU_OK)
        drm_say("%s", err.text);
    else
        fputs("launch,batch,kind,threads,instructions,cycles,start_ns\n",
              timing.list.file);
}

void drm_timing_end(void)
{
    struct igpu_err err = {.text = ""};

    if (timing.list.file != NULL && igpu_output_close(&timing.list, &err) != IGPU_OK)
        drm_say("%s", err.text);
    timing.list.file = NULL;
}

void drm_timing_batch(uint64_t number, uint32_t context)
{
    timing.batch = number;
    if (timing.on)
        drm_oa_switch(&timing.config, timing.cycles, context, true);
}

void drm_timing_settle(struct drm_timed *to, uint32_t context)
{
    if (timing.on) {
        settle();
        drm_oa_switch(&timing.config, timing.cycles, context, false);
    }
    *to =
        (struct drm_timed){timing.launches, timing.cycles, timing.config.gpu_clock_hz};
}
