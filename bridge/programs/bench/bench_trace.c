/* bench_trace.c - traces recorded once and kept in the cache folder's `traces`, each
 * named by a hash of kernel source, compiler, recorder, options and arguments.
 * A trace is recorded under a name of its own and renamed when whole, so any number of
 * processes may want the same one: their files differ in that name alone, and where
 * one's trace comes to lie beside the other's sum it is recorded again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/bench/bench_path.h"
#include "bridge/programs/bench/bench_sim.h"
#include "traces/program/compile.h"
#include "traces/program/file_cache.h"
#include "traces/record/record.h"

enum { MAX_PATH = 4096 };

/* What decides the trace's content: the compiled kernel's key, this program, and what
 * is launched. */
static enum igpu_status make_key(const struct bench_sim *sim, const char *source,
                                 const char *device, char key[33], struct igpu_err *err)
{
    struct compile_request request = {
        .source_path = source, .device = device, .options = sim->options};
    struct compile_result built = {0};
    enum igpu_status status = compile_opencl(&request, &built, err);
    struct cache_hash hash = cache_hash_start();
    const uint64_t number[] = {sim->global, sim->local, sim->repeat, sim->again_arg,
                               sim->rows};

    if (status == IGPU_OK) {
        cache_hash_field(&hash, built.key, sizeof(built.key));
        cache_hash_file(&hash, BENCH_SELF);
        cache_hash_field(&hash, sim->kernel, strlen(sim->kernel));
        cache_hash_field(&hash, number, sizeof(number));
        for (uint32_t i = 0; i < sim->args; i++)
            cache_hash_field(&hash, sim->arg[i], strlen(sim->arg[i]));
        cache_hash_field(&hash, sim->again, strlen(sim->again));
        cache_hash_text(&hash, key);
    }
    compile_free(&built);
    return status;
}

static enum igpu_status parse_args(const struct bench_sim *sim,
                                   struct argspec arg[BENCH_SIM_ARGS],
                                   struct argspec *again, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; status == IGPU_OK && i < sim->args; i++)
        status = argspec_parse(sim->arg[i], &arg[i], err);
    if (status == IGPU_OK && sim->again[0] != '\0')
        status = argspec_parse(sim->again, again, err);
    return status;
}

static enum igpu_status record(const struct bench_sim *sim, const char *source,
                               const char *device, const char *trace,
                               struct igpu_err *err)
{
    struct argspec arg[BENCH_SIM_ARGS], again;
    struct record_job job = {.dims = sim->rows != 0 ? 2 : 1,
                             .global = {sim->global, sim->rows},
                             .local = {sim->local, sim->rows != 0 ? sim->local : 0},
                             .arg = arg,
                             .arg_count = sim->args,
                             .repeat = sim->repeat,
                             .again = sim->again[0] != '\0' ? &again : NULL,
                             .again_arg = sim->again_arg,
                             .trace = trace,
                             .device = device,
                             .file = source,
                             .command_line = "igpu bench"};
    struct record_program program;
    struct record_result result = {0};
    enum igpu_status status = parse_args(sim, arg, &again, err);

    if (status == IGPU_OK)
        status =
            record_open(&program, source, device, sim->options, sim->kernel, NULL, err);
    if (status != IGPU_OK)
        return status;
    status = record_run(&program, &job, &result, err);
    record_result_free(&program, &result);
    record_close(&program);
    return status;
}

/* Record into `beside`, then rename to `path`. */
static enum igpu_status record_beside(const struct bench_sim *sim, const char *source,
                                      const char *device, const char *beside,
                                      const char *path, struct igpu_err *err)
{
    enum igpu_status status = record(sim, source, device, beside, err);

    if (status == IGPU_OK && (!cache_note(beside, path) || rename(beside, path) != 0)) {
        (void)unlink(beside);
        return igpu_fail(err, IGPU_USAGE, "%s: cannot write: %s", path,
                         strerror(errno));
    }
    return status;
}

enum igpu_status bench_trace(const struct bench_sim *sim, const char *device,
                             char *path, uint32_t cap, struct igpu_err *err)
{
    char folder[MAX_PATH - 128], traces[MAX_PATH - 64], key[33], beside[MAX_PATH];
    char source[MAX_PATH];
    enum igpu_status status = bench_kernel_path(sim->file, source, sizeof(source), err);

    if (status == IGPU_OK)
        status = make_key(sim, source, device, key, err);
    if (status != IGPU_OK)
        return status;
    if (!cache_folder(NULL, folder, sizeof(folder)))
        return igpu_fail(err, IGPU_USAGE,
                         "no folder for traces: set HOME or XDG_CACHE_HOME to one that "
                         "can be written");
    (void)snprintf(traces, sizeof(traces), "%s/traces", folder);
    if (!cache_folder(traces, folder, sizeof(folder)) ||
        snprintf(path, cap, "%s/%s.pb", traces, key) >= (int)cap)
        return igpu_fail(err, IGPU_USAGE, "%s: no folder that can be written", traces);
    if (cache_is_as_noted(path))
        return IGPU_OK;
    cache_sweep(traces);
    (void)snprintf(beside, sizeof(beside), "%s/%s.%ld", traces, key, (long)getpid());
    return record_beside(sim, source, device, beside, path, err);
}
