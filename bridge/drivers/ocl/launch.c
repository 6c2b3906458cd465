/* launch.c - clEnqueueNDRangeKernel: checks, and the launch on the device thread. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bridge/drivers/ocl/alike.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/local_size.h"
#include "bridge/drivers/ocl/program.h"
#include "bridge/drivers/ocl/progress.h"
#include "bridge/drivers/ocl/setting.h"
#include "bridge/drivers/ocl/sink.h"
#include "bridge/drivers/ocl/timing.h"
#include "igpu/clock.h"
#include "igpu/hash.h"
#include "igpu/threads.h"
#include "igpu/va.h"
#include "traces/program/printf.h"

enum { PATH_BYTES = 4096, LOCAL_BYTES = 65536 };

/* Below the buffers of the context: the same in every launch. */

/* A launch with copies of its arguments. */
struct launch {
    cl_kernel kernel;
    cl_device_id device;
    struct ocl_build *build;
    const struct loader_kernel *info;
    struct ocl_code *code;
    cl_uint dims;
    uint64_t global[3], local[3], offset[3];
    enum trace_arbiter arbiter;
    cl_uint args;
    struct emu_arg *arg;
    struct emu_image *image; /* of each argument, if it is one */
    struct emu_sampler *sampler;
    cl_mem *mem; /* of each argument, or NULL */
};

static void free_launch(void *data)
{
    struct launch *l = data;

    for (cl_uint i = 0; i < l->args; i++) {
        free((void *)(uintptr_t)l->arg[i].value);
        ocl_drop(l->mem[i]);
    }
    ocl_drop(l->kernel);
    free(l->arg);
    free(l->image);
    free(l->sampler);
    free(l->mem);
    free(l);
}

/* ---- on the device thread ------------------------------------------------------- */

static enum igpu_status launch_prepare(struct launch *l, struct igpu_err *err)
{
    cl_context context = l->kernel->program->context;
    enum igpu_status status;

    ocl_lock();
    status = ocl_apply_maps(context, err);
    ocl_unlock();
    if (status != IGPU_OK || l->code->ready)
        return status;
    status = record_open_kernel(
        &l->code->record, l->build->image, context->mem, l->info->name,
        igpu_fnv(IGPU_FNV_BEGIN, l->build->binary, l->build->bytes), l->build->options,
        err);
    l->code->ready = status == IGPU_OK;
    l->code->trace_index = UINT32_MAX;
    return status;
}

/* On which the groups of a launch run: IGPU_HOST_THREADS, else the processors that this
 * process may use. */
static uint32_t host_threads(void)
{
    uint64_t wanted = setting_number(SETTING_HOST_THREADS, 1, igpu_processors());

    return wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
}

static void print(void *ctx, const char *text, size_t length)
{
    (void)ctx;
    (void)fwrite(text, 1, length, stdout);
}

/* Map a printf buffer for the launch; NULL when it needs none, or memory is short. */
static void *open_printf(struct launch *l, struct emu_launch *launch,
                         enum igpu_status *status, struct igpu_err *err)
{
    void *buffer;

    if (*status != IGPU_OK || !l->code->record.ready->uses_printf)
        return NULL;
    buffer = malloc(PRINTF_BUFFER_BYTES);
    if (buffer == NULL) {
        *status = igpu_no_memory(err, "printf");
        return NULL;
    }
    printf_buffer_clear(buffer);
    launch->printf_va = IGPU_VA_PRINTF;
    *status = emu_mem_map_at(l->code->record.mem, IGPU_VA_PRINTF, buffer,
                             PRINTF_BUFFER_BYTES, 0, err);
    return buffer;
}

static void close_printf(struct launch *l, void *buffer)
{
    struct igpu_err err;

    if (buffer == NULL)
        return;
    if (printf_print(buffer, PRINTF_BUFFER_BYTES, l->code->record.mem,
                     l->code->record.kernel, print, NULL, &err) != IGPU_OK)
        fprintf(stderr, "vigpu: %s\n", err.text);
    (void)fflush(stdout);
    if (printf_buffer_is_full(buffer))
        fprintf(stderr,
                "vigpu: kernel %s printed more than CL_DEVICE_PRINTF_BUFFER_SIZE, "
                "%d bytes: the rest is lost\n",
                l->kernel->name, PRINTF_BUFFER_BYTES);
    (void)emu_mem_unmap(l->code->record.mem, IGPU_VA_PRINTF);
    free(buffer);
}

/* As the emulator would take it from the environment, where a wrong one is no error. */
static enum emu_jit_mode jit_mode(void)
{
    const char *set = setting_text(SETTING_JIT);

    if (set == NULL || emu_jit_choice(set))
        return EMU_JIT_AS_SET;
    setting_complain(SETTING_JIT, "expected on, off or now");
    return EMU_JIT_ON;
}

/* The launch as the emulator takes it. */
static struct emu_launch launch_describe(const struct launch *l)
{
    struct emu_launch launch = {.work_dim = l->dims,
                                .arg = l->arg,
                                .arg_count = l->args,
                                .hw_threads = ocl_device_threads(l->device),
                                .max_instructions =
                                    setting_number(SETTING_MAX_INSTRUCTIONS, 1, 0),
                                .jit = (uint8_t)jit_mode(),
                                .lenient = ocl_lenient(),
                                .lenient_hint = "; IGPU_LENIENT=1 or 'igpu run "
                                                "--lenient' passes what hardware does"};

    for (unsigned i = 0; i < 3; i++) {
        launch.global[i] = l->global[i];
        launch.local[i] = l->local[i];
        launch.offset[i] = l->offset[i];
    }
    return launch;
}

/* Once for each kernel: a sample's error is larger than asked for. */
static void tell_wide(struct launch *l, uint64_t launch, const struct estimate *time,
                      double error)
{
    double half = (time->statistical + time->allowed) / time->cycles;

    if (l->code->wide_told || error <= 0 || half <= error)
        return;
    l->code->wide_told = true;
    fprintf(stderr,
            "vigpu: launch %" PRIu64
            ", kernel %s: its cycles are known within %.1f %%, "
            "not %.1f %%: its groups differ; later launches of it are sampled more "
            "densely\n",
            launch, l->kernel->name, 100 * half, 100 * error);
}

/* Once for each kernel, of timed launches: what a kernel measures itself by its clock
 * is not what is simulated. */
static void tell_clock(struct launch *l)
{
    if (l->code->clock_told || !record_reads_clock(&l->code->record))
        return;
    l->code->clock_told = true;
    fprintf(
        stderr,
        "vigpu: kernel %s reads its clock: it counts the thread's instructions, not "
        "simulated time, which profiling events tell\n",
        l->kernel->name);
}

/* Of a kernel those of the first launch that has some. */
static void tell_race(void *ctx, const char *text)
{
    struct launch *l = ctx;

    l->code->races_told = true;
    fprintf(stderr, "vigpu: %s\n", text);
}

/* What the launch's sample shows for the kernel's next one. */
static void learn(struct launch *l, const struct sample *sample,
                  const struct sink_row *row, const struct estimate *time, double error)
{
    struct sample_hint *hint = &l->code->hint;

    hint->group_instructions = (double)row->counts.instructions /
                               (double)row->counts.threads *
                               (double)sample->group_threads;
    if (sample->plan.windows == 0 || error <= 0)
        return;
    hint->strata = sample->plan.windows - 2;
    hint->strata += measure_more_strata(time, error, hint->strata);
    if (hint->strata > SAMPLE_MOST_STRATA)
        hint->strata = SAMPLE_MOST_STRATA;
}

/* The launch was executed: its time. */
static enum igpu_status
take_time(struct launch *l, struct sample *sample, struct likes *likes,
          const struct sample_options *options, const char *path, struct emu_mem *mem,
          struct sink_row *row, struct counters_launch *counters, struct igpu_err *err)
{
    uint64_t space = l->kernel->program->context->space;
    struct estimate time;
    enum igpu_status status;

    if (sample->skipped) {
        time = likes_guess(likes, row->counts.instructions);
        status = timing_skip(l->device, space, sample, &time, &row->ns, err);
        row->sampled = 0;
    } else {
        status = timing_launch(l->device, space, path, mem, sample, counters, &time,
                               &row->ns, &row->energy, err);
    }
    if (mem != NULL)
        row->counts = timing_counts(l->device);
    if (status != IGPU_OK)
        return status;
    row->cycles = (uint64_t)(time.cycles + 0.5);
    if (sample->skipped || sample->plan.windows > 0) {
        double half = time.statistical + time.allowed;

        row->low = time.cycles > half ? (uint64_t)(time.cycles - half + 0.5) : 0;
        row->high = (uint64_t)(time.cycles + half + 0.5);
    }
    if (likes == NULL)
        return IGPU_OK;
    if (sample->skipped)
        likes_leave(likes);
    else
        likes_take(likes, &time, row->counts.instructions);
    if (!sample->skipped)
        tell_wide(l, row->launch, &time, options->error);
    learn(l, sample, row, &time, options->error);
    return IGPU_OK;
}

static enum igpu_status launch_execute(struct launch *l, struct sink_row *row,
                                       struct counters_launch *counters,
                                       struct igpu_err *err)
{
    struct emu_launch launch = launch_describe(l);
    struct sample *sample = calloc(1, sizeof(*sample));
    bool timed = device_time_simulated(), executed = device_time_executed();
    struct emu_races races = {l, tell_race};
    struct sink_work work = {
        .exec = {.program = &l->code->record,
                 .sample = sample,
                 .timed = timed,
                 .host_threads = host_threads(),
                 .races = setting_flag(SETTING_RACES) && !l->code->races_told ? &races
                                                                              : NULL},
        .device = l->device->known->name,
        .index = &l->code->trace_index};
    char path[PATH_BYTES] = "";
    enum igpu_status status = launch_prepare(l, err);
    struct sample_options options = {.error = 0};
    const struct igpu_config *config = NULL;
    struct likes *likes = NULL;
    void *printf_buffer;

    if (sample == NULL)
        return igpu_no_memory(err, "the launch");
    if (status == IGPU_OK)
        status = timing_config(l->device, &config, err);
    if (status == IGPU_OK)
        work.exec.lines = (config->llc_size + config->edram_size) / 64;
    if (!executed && sample_wanted(&options) && timed && !counters_on(counters))
        likes = alike_find(l->code, l->device, l->global, l->local, l->arbiter);
    /* One trace of all tells whose launch it is; a trace of its own need not, and so is
     * the same as that of an equal launch. */
    l->code->record.context =
        setting_flag(SETTING_TRACE_ONE) ? counters->context - 1 : 0;
    l->code->record.arbiter = l->arbiter;
    printf_buffer = open_printf(l, &launch, &status, err);
    if (status == IGPU_OK) {
        sample_cut(&l->code->record, &launch, config, timed ? &l->code->hint : NULL,
                   sample);
        if (executed)
            sample->plan.windows = 0;
        sample->skipped = likes != NULL && !likes_wanted(likes, &options);
        status = executed ? sink_launch(&work, path, sizeof(path), row, err)
                          : sink_run(&work, path, sizeof(path), row, err);
    }
    if (status == IGPU_OK && executed) /* what is printed is known afterwards */
        status = take_time(l, sample, NULL, &options, path, l->code->record.mem, row,
                           counters, err);
    close_printf(l, printf_buffer);
    if (timed && !executed)
        tell_clock(l);
    if (status == IGPU_OK && timed && !executed)
        status = take_time(l, sample, likes, &options, path, NULL, row, counters, err);
    sample_free(sample);
    free(sample);
    return status;
}

static cl_int launch_run(cl_event event, void *data)
{
    struct launch *l = data;
    struct igpu_err err = {.text = ""};
    struct counters_launch counters = {.context = event->queue->number,
                                       .set = event->queue->counters};
    struct sink_row row = {.launch = sink_next(),
                           .queue = counters.context - 1,
                           .kernel = l->kernel->name,
                           .device = l->device->known->name,
                           .global = l->global,
                           .local = l->local,
                           .trace = "",
                           .error = ""};
    double start = igpu_seconds(CLOCK_MONOTONIC);
    enum igpu_status status;
    char text[768];

    progress_begin(row.launch, row.kernel);
    status = launch_execute(l, &row, &counters, &err);
    progress_end();
    event->report = counters.report; /* read once the event is complete */

    row.host_seconds = igpu_seconds(CLOCK_MONOTONIC) - start;
    if (status != IGPU_OK)
        row.error = err.text;
    sink_row(&row);
    if (status == IGPU_OK)
        return CL_SUCCESS;
    snprintf(text, sizeof(text), "launch %" PRIu64 ", kernel %s: %s", row.launch,
             row.kernel, err.text);
    ocl_report(event->context, text);
    return CL_OUT_OF_RESOURCES;
}

/* ---- checks -------------------------------------------------------------------- */

static cl_int check_args(cl_kernel kernel)
{
    for (cl_uint i = 0; i < kernel->args; i++) {
        const struct ocl_arg *arg = &kernel->arg[i];

        if (!arg->set || (arg->mem != NULL && !ocl_is(arg->mem, OCL_MEM)) ||
            (arg->sampler != NULL && !ocl_is(arg->sampler, OCL_SAMPLER)))
            return CL_INVALID_KERNEL_ARGS;
    }
    return CL_SUCCESS;
}

/* Where the program leaves it to us. */
static void choose_local(const struct loader_kernel *k, cl_kernel kernel, cl_uint dims,
                         const size_t *global, uint64_t local[3])
{
    struct local_size_kernel of = {.simd = k->simd_size,
                                   .slm_bytes = k->slm_size,
                                   .barriers = k->barrier_count > 0};

    for (cl_uint i = 0; i < kernel->args; i++) {
        of.images |= kernel->type[i].kind == OCL_ARG_IMAGE;
        if (kernel->type[i].kind == OCL_ARG_LOCAL &&
            kernel->arg[i].bytes <= LOCAL_BYTES)
            of.slm_bytes += (uint32_t)kernel->arg[i].bytes;
    }
    local_size_choose(&of, dims, global, local);
    if (k->required_work_group_size[0] > 0)
        for (cl_uint i = 0; i < dims; i++)
            local[i] =
                k->required_work_group_size[i] > 0 ? k->required_work_group_size[i] : 1;
}

/* cut: groups at the end may be smaller. */
static cl_int check_local(const struct loader_kernel *k, bool cut, cl_uint dims,
                          const size_t *global, const uint64_t *local)
{
    const uint32_t *required = k->required_work_group_size;
    uint64_t items = 1;

    for (cl_uint i = 0; i < 3; i++) {
        uint64_t have = i < dims ? local[i] : 1;

        if (required[0] > 0 && have != (required[i] > 0 ? required[i] : 1))
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    for (cl_uint i = 0; i < dims; i++) {
        if (local[i] == 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        if (local[i] > OCL_MAX_GROUP)
            return CL_INVALID_WORK_ITEM_SIZE;
        items *= local[i];
        if (items > OCL_MAX_GROUP || (global[i] % local[i] != 0 && !cut))
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

static cl_int check_range(cl_uint dims, const size_t *offset, const size_t *global)
{
    if (dims < 1 || dims > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint i = 0; i < dims; i++) {
        if (global[i] > UINT32_MAX)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (offset != NULL && offset[i] > UINT32_MAX - global[i])
            return CL_INVALID_GLOBAL_OFFSET;
    }
    return CL_SUCCESS;
}

static cl_int check_local_memory(const struct loader_kernel *k, cl_kernel kernel)
{
    size_t left = k->slm_size <= LOCAL_BYTES ? LOCAL_BYTES - k->slm_size : 0;

    for (cl_uint i = 0; i < kernel->args; i++) {
        if (kernel->type[i].kind != OCL_ARG_LOCAL)
            continue;
        if (kernel->arg[i].bytes > left)
            return CL_OUT_OF_RESOURCES;
        left -= kernel->arg[i].bytes;
    }
    return k->slm_size <= LOCAL_BYTES ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* ---- copying the arguments ------------------------------------------------------- */

static void copy_sampler(cl_sampler from, struct emu_sampler *to)
{
    static const uint8_t address[] = {SAMPLER_NONE, SAMPLER_CLAMP_TO_EDGE,
                                      SAMPLER_CLAMP, SAMPLER_REPEAT,
                                      SAMPLER_MIRRORED_REPEAT};

    to->address = address[from->addressing - CL_ADDRESS_NONE];
    to->normalized = from->normalized != CL_FALSE;
    to->linear = from->filter == CL_FILTER_LINEAR;
}

static bool copy_arg(cl_kernel kernel, cl_uint i, struct launch *l)
{
    const struct ocl_arg *from = &kernel->arg[i];
    struct emu_arg *to = &l->arg[i];
    struct ocl_svm *svm;
    void *value;

    switch (kernel->type[i].kind) {
    case OCL_ARG_LOCAL:
        to->kind = EMU_ARG_LOCAL;
        to->size = from->bytes;
        return true;
    case OCL_ARG_VALUE:
        value = malloc(from->bytes);
        if (value == NULL)
            return false;
        memcpy(value, from->value, from->bytes);
        to->kind = EMU_ARG_VALUE;
        to->size = from->bytes;
        to->value = value;
        return true;
    case OCL_ARG_IMAGE:
        to->kind = EMU_ARG_IMAGE;
        l->image[i] = from->mem->image;
        to->image = &l->image[i];
        to->size = from->mem->size;
        to->va = from->mem->va;
        l->mem[i] = from->mem;
        ocl_hold(from->mem);
        return true;
    case OCL_ARG_SAMPLER:
        to->kind = EMU_ARG_SAMPLER;
        copy_sampler(from->sampler, &l->sampler[i]);
        to->sampler = &l->sampler[i];
        return true;
    default:
        to->kind = EMU_ARG_BUFFER;
        if (from->mem != NULL) {
            to->va = from->mem->va;
            to->size = ocl_visible_bytes(from->mem, from->mem->size);
            l->mem[i] = from->mem;
            ocl_hold(from->mem);
        } else if (from->svm != NULL) {
            svm = ocl_svm_find(kernel->program->context, from->svm);
            to->va = (uint64_t)(uintptr_t)from->svm;
            to->before = svm == NULL ? 0 : to->va - (uint64_t)(uintptr_t)svm->pointer;
            to->size = svm == NULL ? 0 : svm->bytes - to->before;
        }
        return true;
    }
}

static struct launch *launch_make(cl_command_queue queue, cl_kernel kernel,
                                  struct ocl_build *build,
                                  const struct loader_kernel *info, uint32_t index)
{
    struct launch *l = calloc(1, sizeof(*l));
    bool good;

    if (l == NULL)
        return NULL;
    l->kernel = kernel;
    ocl_hold(kernel);
    l->device = queue->device;
    l->build = build;
    l->info = info;
    l->arbiter = kernel->arbiter;
    l->code = &build->code[index];
    l->arg = calloc(kernel->args + 1, sizeof(*l->arg));
    l->mem = calloc(kernel->args + 1, sizeof(cl_mem));
    l->image = calloc(kernel->args + 1, sizeof(*l->image));
    l->sampler = calloc(kernel->args + 1, sizeof(*l->sampler));
    good = l->arg != NULL && l->mem != NULL && l->image != NULL && l->sampler != NULL;
    if (good)
        l->args = kernel->args;
    for (cl_uint i = 0; i < l->args && good; i++)
        good = copy_arg(kernel, i, l);
    if (good)
        return l;
    free_launch(l);
    return NULL;
}

static void set_sizes(struct launch *l, cl_uint dims, const size_t *offset,
                      const size_t *global, const uint64_t *local)
{
    l->dims = dims;
    for (cl_uint i = 0; i < 3; i++) {
        l->global[i] = i < dims ? global[i] : 1;
        l->local[i] = i < dims ? local[i] : 1;
        l->offset[i] = i < dims && offset != NULL ? offset[i] : 0;
    }
}

/* Lock held. */
static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                      const size_t *offset, const size_t *global, const size_t *local,
                      cl_command_type type, const struct ocl_wait_list *waits,
                      cl_event *event)
{
    struct ocl_build *build = ocl_program_build(kernel->program, queue->device);
    struct ocl_command command = {launch_run, free_launch, NULL};
    static const size_t nothing[3];
    const struct loader_kernel *info;
    uint64_t size[3] = {1, 1, 1};
    bool empty = false;
    uint32_t index = 0;
    cl_int status;

    info = build != NULL ? ocl_build_kernel(build, kernel->name, &index) : NULL;
    if (info == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    global = global != NULL ? global : nothing; /* since OpenCL 2.1 */
    status = check_args(kernel);
    if (status == CL_SUCCESS)
        status = check_range(dims, offset, global);
    for (cl_uint i = 0; status == CL_SUCCESS && i < dims; i++) {
        empty |= global[i] == 0;
        size[i] = local != NULL ? local[i] : 1;
    }
    if (status == CL_SUCCESS && local == NULL)
        choose_local(info, kernel, dims, global, size);
    if (status == CL_SUCCESS)
        status = check_local(info, build->cut_groups, dims, global, size);
    if (status == CL_SUCCESS)
        status = check_local_memory(info, kernel);
    if (status != CL_SUCCESS)
        return status;
    if (empty) { /* since OpenCL 2.1 an empty range is a command that does nothing */
        command = (struct ocl_command){NULL, NULL, NULL};
        return ocl_submit(queue, type, OCL_PLAIN, waits, &command, false, event);
    }
    command.data = launch_make(queue, kernel, build, info, index);
    if (command.data == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    set_sizes(command.data, dims, offset, global, size);
    return ocl_submit(queue, type, OCL_PLAIN, waits, &command, false, event);
}

static cl_int check_objects(cl_command_queue queue, cl_kernel kernel,
                            const struct ocl_wait_list *waits)
{
    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context)
        return CL_INVALID_CONTEXT;
    return ocl_check_waits(queue->context, waits);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                       const size_t *global_work_offset, const size_t *global_work_size,
                       const size_t *local_work_size, cl_uint num_events,
                       const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = check_objects(queue, kernel, &waits);

    if (status != CL_SUCCESS)
        return status;
    ocl_lock();
    status = enqueue(queue, kernel, work_dim, global_work_offset, global_work_size,
                     local_work_size, CL_COMMAND_NDRANGE_KERNEL, &waits, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint num_events, const cl_event *list,
                                              cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    const size_t one = 1;
    cl_int status = check_objects(queue, kernel, &waits);

    if (status != CL_SUCCESS)
        return status;
    ocl_lock();
    status =
        enqueue(queue, kernel, 1, NULL, &one, &one, CL_COMMAND_TASK, &waits, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *user_func)(void *),
                      void *args, size_t cb_args, cl_uint num_mem_objects,
                      const cl_mem *mem_list, const void **args_mem_loc,
                      cl_uint num_events, const cl_event *list, cl_event *event)
{
    (void)user_func;
    (void)args;
    (void)cb_args;
    (void)num_mem_objects;
    (void)mem_list;
    (void)args_mem_loc;
    (void)num_events;
    (void)list;
    (void)event;
    return ocl_is(queue, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* cl_khr_suggested_local_work_size */
CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(
    cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size)
{
    const struct ocl_wait_list none = {0, NULL};
    cl_int status = check_objects(queue, kernel, &none);
    const struct loader_kernel *info;
    struct ocl_build *build;
    uint64_t local[3];
    uint32_t index;

    if (status == CL_SUCCESS)
        status = global_work_size == NULL
                     ? CL_INVALID_GLOBAL_WORK_SIZE
                     : check_range(work_dim, global_work_offset, global_work_size);
    if (status != CL_SUCCESS)
        return status;
    if (suggested_local_work_size == NULL)
        return CL_INVALID_VALUE;
    build = ocl_program_build(kernel->program, queue->device);
    info = build != NULL ? ocl_build_kernel(build, kernel->name, &index) : NULL;
    if (info == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    choose_local(info, kernel, work_dim, global_work_size, local);
    for (cl_uint i = 0; i < work_dim; i++)
        suggested_local_work_size[i] = (size_t)local[i];
    return CL_SUCCESS;
}
