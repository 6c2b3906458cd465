/* record_run.c - one launch, emulated and recorded; see record.h. */
#include <stdlib.h>
#include <string.h>

#include "traces/program/printf.h"
#include "traces/record/record.h"
#include "traces/record/record_hooks.h"
#include "traces/record/record_int.h"

/* ---- arguments ----------------------------------------------------------- */

static enum igpu_status make_buffer(struct record_program *p, uint32_t index,
                                    const struct argspec *spec,
                                    struct record_buffer *buffer, struct igpu_err *err)
{
    uint64_t room =
        spec->kind == ARGSPEC_IMAGE ? image_footprint(&spec->image) : spec->bytes;
    enum igpu_status status;

    if (spec->bytes == 0)
        return igpu_fail(err, IGPU_USAGE, "argument %u: a buffer of 0 bytes", index);
    buffer->host = calloc(1, room);
    if (buffer->host == NULL)
        return igpu_no_memory(err, "argument %u: a buffer of %llu bytes", index,
                              (unsigned long long)spec->bytes);
    buffer->bytes = spec->bytes;
    status = argspec_fill(spec, buffer->host, err);
    if (status != IGPU_OK)
        return status;
    return emu_mem_map(p->mem, buffer->host, room, 0, &buffer->va, err);
}

/* A value of another size would be cut or zero-extended without a word, and the bits of
 * an integer are another float. Signed and unsigned are the same bits. */
static enum igpu_status check_value(const struct record_program *p, uint32_t index,
                                    const struct argspec *spec, struct igpu_err *err)
{
    const struct program_arg *arg = &p->ready->arg[index];
    const char *element = program_arg_element(arg);

    if (element != NULL && ((element[0] == 'f') != (spec->type[0] == 'f') ||
                            strcmp(element + 1, spec->type + 1) != 0))
        return igpu_fail(err, IGPU_USAGE,
                         "argument %u: %s given, kernel %s takes a %.*s; use %s:VALUE",
                         index, spec->type, p->kernel->name,
                         (int)strcspn(arg->type_name, ";"), arg->type_name, element);
    if (arg->value_bytes == 0 || spec->bytes == arg->value_bytes)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE,
                     "argument %u: a value of %llu bytes, kernel %s takes one of %u",
                     index, (unsigned long long)spec->bytes, p->kernel->name,
                     arg->value_bytes);
}

/* An image or sampler where another kind is wanted, and the reverse, is found here with
 * the words of the command line. */
static enum igpu_status check_kind(const struct record_program *p, uint32_t index,
                                   enum argspec_kind given, struct igpu_err *err)
{
    static const uint8_t kinds[] = {
        [ARGSPEC_BUFFER] = EMU_ARG_BUFFER,   [ARGSPEC_LOCAL] = EMU_ARG_LOCAL,
        [ARGSPEC_VALUE] = EMU_ARG_VALUE,     [ARGSPEC_IMAGE] = EMU_ARG_IMAGE,
        [ARGSPEC_SAMPLER] = EMU_ARG_SAMPLER,
    };
    static const char *const words[] = {
        [EMU_ARG_VALUE] = "a value",
        [EMU_ARG_BUFFER] = "a buffer (buf:...)",
        [EMU_ARG_LOCAL] = "local memory (local:...)",
        [EMU_ARG_IMAGE] = "an image (image2d:...)",
        [EMU_ARG_SAMPLER] = "a sampler (sampler:...)",
    };
    const struct program_arg *arg = &p->ready->arg[index];

    if (arg->unused || arg->kind == kinds[given])
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE, "argument %u: %s given, kernel %s takes %s",
                     index, words[kinds[given]], p->kernel->name, words[arg->kind]);
}

static enum igpu_status make_arg(struct record_program *p, uint32_t index,
                                 const struct argspec *spec, struct emu_arg *arg,
                                 struct record_buffer *b, struct igpu_err *err)
{
    enum igpu_status status = check_kind(p, index, spec->kind, err);

    arg->size = spec->bytes;
    if (status != IGPU_OK)
        return status;
    switch (spec->kind) {
    case ARGSPEC_BUFFER:
        arg->kind = EMU_ARG_BUFFER;
        status = make_buffer(p, index, spec, b, err);
        arg->va = b->va;
        return status;
    case ARGSPEC_IMAGE:
        arg->kind = EMU_ARG_IMAGE;
        status = make_buffer(p, index, spec, b, err);
        b->image = spec->image;
        b->image.va = b->va;
        arg->image = &b->image;
        return status;
    case ARGSPEC_SAMPLER:
        arg->kind = EMU_ARG_SAMPLER;
        arg->sampler = &spec->sampler;
        return IGPU_OK;
    case ARGSPEC_LOCAL:
        arg->kind = EMU_ARG_LOCAL;
        return IGPU_OK;
    default:
        arg->kind = EMU_ARG_VALUE;
        arg->value = spec->value;
        return check_value(p, index, spec, err);
    }
}

static enum igpu_status check_again(const struct record_program *p,
                                    const struct record_job *job, struct igpu_err *err)
{
    if (job->again == NULL)
        return IGPU_OK;
    if (job->again_arg >= job->arg_count || job->again->kind != ARGSPEC_VALUE ||
        job->arg[job->again_arg].kind != ARGSPEC_VALUE)
        return igpu_fail(err, IGPU_USAGE,
                         "argument %u: only a value can be another one in the launches "
                         "after the first",
                         job->again_arg);
    if (job->again->bytes != job->arg[job->again_arg].bytes)
        return igpu_fail(err, IGPU_USAGE, "argument %u: values of %llu and %llu bytes",
                         job->again_arg,
                         (unsigned long long)job->arg[job->again_arg].bytes,
                         (unsigned long long)job->again->bytes);
    return check_value(p, job->again_arg, job->again, err);
}

static enum igpu_status make_args(struct record_program *p,
                                  const struct record_job *job, struct emu_arg *args,
                                  struct record_result *result, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (job->arg_count != p->arg_count)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s takes %u arguments, %u given; one --arg for each, "
                         "in order",
                         p->kernel->name, p->arg_count, job->arg_count);
    result->buffer = calloc(job->arg_count + 1, sizeof(*result->buffer));
    if (result->buffer == NULL)
        return igpu_no_memory(err, "a recording");
    result->buffers = job->arg_count;
    for (uint32_t i = 0; status == IGPU_OK && i < job->arg_count; i++)
        status = make_arg(p, i, &job->arg[i], &args[i], &result->buffer[i], err);
    return status;
}

void record_result_free(struct record_program *p, struct record_result *result)
{
    for (uint32_t i = 0; i < result->buffers; i++)
        if (result->buffer[i].host != NULL) {
            (void)emu_mem_unmap(p->mem, result->buffer[i].va);
            free(result->buffer[i].host);
        }
    free(result->buffer);
    memset(result, 0, sizeof(*result));
}

/* ---- the launch's shape --------------------------------------------------- */

/* The compiler may have taken a required size for granted; groups that are cut off at
 * the end of the range are smaller all the same. */
static enum igpu_status check_required_size(const struct record_program *p,
                                            const struct emu_launch *launch,
                                            struct igpu_err *err)
{
    const uint32_t *size = p->kernel->required_work_group_size;
    const uint64_t *local =
        launch->part.local[0] != 0 ? launch->part.local : launch->local;

    if (size[0] == 0)
        return IGPU_OK;
    for (unsigned i = 0; i < 3; i++)
        if (local[i] != (size[i] == 0 ? 1 : size[i]))
            return igpu_fail(
                err, IGPU_USAGE,
                "kernel %s requires work-groups of %u x %u x %u; dimension "
                "%u has local size %llu",
                p->kernel->name, size[0], size[1], size[2], i,
                (unsigned long long)local[i]);
    return IGPU_OK;
}

static enum igpu_status count_threads(const struct record_program *p,
                                      const struct emu_launch *launch,
                                      uint32_t *threads, struct igpu_err *err)
{
    uint64_t items = 1, groups = 1;
    uint32_t tpg;

    for (unsigned i = 0; i < launch->work_dim; i++) {
        uint64_t g = launch->global[i], l = launch->local[i];

        if (l == 0 || g == 0 || l > 1024 || g % l != 0 || g > UINT32_MAX)
            return igpu_fail(err, IGPU_USAGE,
                             "dimension %u: global size %llu must be a multiple of the "
                             "local size %llu, both at least 1, local at most 1024",
                             i, (unsigned long long)g, (unsigned long long)l);
        items *= l;
        groups *= g / l;
        if (groups > UINT32_MAX)
            break;
    }
    if (items > 1024)
        return igpu_fail(err, IGPU_USAGE,
                         "a work-group of %llu work-items; expected at most 1024",
                         (unsigned long long)items);
    tpg = emu_threads_per_group(p->emu, items);
    if (groups > UINT32_MAX / tpg)
        return igpu_fail(err, IGPU_USAGE, "more than %u hardware threads in one launch",
                         UINT32_MAX);
    *threads = (uint32_t)groups * tpg;
    return IGPU_OK;
}

enum igpu_status record_check_sizes(const struct record_program *p,
                                    const struct emu_launch *launch, uint32_t *threads,
                                    struct igpu_err *err)
{
    enum igpu_status status = check_required_size(p, launch, err);

    return status == IGPU_OK ? count_threads(p, launch, threads, err) : status;
}

uint32_t record_slm_bytes(const struct record_program *p,
                          const struct emu_launch *launch)
{
    uint64_t bytes = p->kernel->slm_size;

    for (uint32_t i = 0; i < launch->arg_count; i++)
        if (launch->arg[i].kind == EMU_ARG_LOCAL)
            bytes = ((bytes + 15) & ~UINT64_C(15)) + launch->arg[i].size;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

bool record_uses_barrier(const struct record_program *p)
{
    for (uint32_t i = 0; i < p->code.count; i++)
        if (p->code.inst[i].msg.family == ISA_MSG_BARRIER)
            return true;
    return false;
}

/* ---- recording ------------------------------------------------------------ */

static struct trace_kernel describe_kernel(const struct record_program *p)
{
    return (struct trace_kernel){.name = p->kernel->name,
                                 .build_options = p->build_options,
                                 .source_hash = p->source_hash,
                                 .simd = p->kernel->simd_size,
                                 .slm_bytes = p->kernel->slm_size,
                                 .grf_count = p->kernel->grf_count,
                                 .barriers = record_uses_barrier(p),
                                 .code = p->code,
                                 .blocks = *emu_program_blocks(p->emu)};
}

enum igpu_status record_add_kernel(const struct record_program *p,
                                   struct trace_writer *writer, uint32_t *index,
                                   struct igpu_err *err)
{
    struct trace_kernel kernel = describe_kernel(p);
    enum igpu_status status;

    if (*index != UINT32_MAX)
        return IGPU_OK;
    record_lines(p, &kernel);
    status = trace_writer_kernel(writer, &kernel, index, err);
    record_lines_free(&kernel);
    return status;
}

static void describe_arg(const struct emu_arg *from, struct trace_arg *to)
{
    static const enum trace_arg_kind kinds[] = {
        [EMU_ARG_VALUE] = TRACE_ARG_VALUE,     [EMU_ARG_BUFFER] = TRACE_ARG_BUFFER,
        [EMU_ARG_LOCAL] = TRACE_ARG_LOCAL,     [EMU_ARG_IMAGE] = TRACE_ARG_IMAGE,
        [EMU_ARG_SAMPLER] = TRACE_ARG_SAMPLER,
    };

    to->kind = kinds[from->kind];
    to->bytes = from->size;
    to->address = from->kind == EMU_ARG_IMAGE ? from->image->va : from->va;
    to->value = from->kind == EMU_ARG_VALUE ? from->value : NULL;
}

/* args: room for from->arg_count. */
static struct trace_launch describe_launch(const struct record_program *p,
                                           const struct emu_launch *from,
                                           uint32_t threads, uint32_t tpg,
                                           struct trace_arg *args)
{
    struct trace_launch launch = {.dims = from->work_dim,
                                  .slm_bytes = record_slm_bytes(p, from),
                                  .threads_per_group = tpg,
                                  .threads = threads,
                                  .context = p->context,
                                  .arbiter = p->arbiter,
                                  .nargs = from->arg_count,
                                  .args = args};

    for (uint32_t i = 0; i < from->arg_count; i++)
        describe_arg(&from->arg[i], &args[i]);
    for (unsigned i = 0; i < 3; i++) {
        launch.global[i] = from->global[i];
        launch.local[i] = from->local[i];
        launch.offset[i] = from->offset[i];
    }
    return launch;
}

enum igpu_status record_begin_launch(struct record_program *p,
                                     const struct emu_launch *from,
                                     struct trace_writer *writer, uint32_t *kernel,
                                     uint32_t threads, uint32_t tpg,
                                     struct igpu_err *err)
{
    struct trace_arg *args = calloc(from->arg_count + 1, sizeof(*args));
    enum igpu_status status = record_add_kernel(p, writer, kernel, err);

    if (args == NULL && status == IGPU_OK)
        status = igpu_no_memory(err, "a recording");
    if (status == IGPU_OK) {
        struct trace_launch launch = describe_launch(p, from, threads, tpg, args);

        launch.kernel = *kernel;
        status = trace_writer_launch_begin(writer, &launch, NULL, err);
    }
    free(args);
    return status;
}

/* Run what `launch` names of its groups, into the launch that the writer has begun. */
static enum igpu_status run_recorded(struct record_program *p, struct recorder *r,
                                     const struct emu_launch *launch,
                                     struct emu_counts *counts, struct igpu_err *err)
{
    struct emu_launch traced = *launch;

    r->also = &launch->hooks;
    traced.hooks = recorder_hooks(r);
    return emu_run(p->emu, p->mem, &traced, counts, err);
}

static void add_counts(struct emu_counts *sum, const struct emu_counts *more)
{
    sum->threads += more->threads;
    sum->instructions += more->instructions;
    sum->lane_instructions += more->lane_instructions;
    sum->flops += more->flops;
}

/* A hook stops the run only for an error that the writer has. */
static enum igpu_status end_launch(struct trace_writer *writer, enum igpu_status status,
                                   struct igpu_err *err)
{
    enum igpu_status ended;

    if (status != IGPU_OK && status != IGPU_STOPPED)
        return status;
    ended = trace_writer_launch_end(writer, err);
    return status == IGPU_OK ? ended : IGPU_BAD_INPUT;
}

enum igpu_status record_launch(struct record_program *p,
                               const struct emu_launch *launch,
                               struct trace_writer *writer,
                               const struct record_values *values, uint32_t *kernel,
                               struct emu_counts *counts, struct igpu_err *err)
{
    struct recorder r = {.writer = writer, .code = &p->code};
    uint32_t threads = 0, tpg;
    enum igpu_status status = record_check_sizes(p, launch, &threads, err);

    if (status != IGPU_OK)
        return status;
    if (values != NULL)
        r.values = *values;
    if (!recorder_toggles(&r))
        status = igpu_no_memory(err, "a recording");
    tpg = emu_threads_per_group(p->emu,
                                launch->local[0] * launch->local[1] * launch->local[2]);
    if (status == IGPU_OK)
        status = record_begin_launch(p, launch, writer, kernel, threads, tpg, err);
    if (status == IGPU_OK) {
        status = run_recorded(p, &r, launch, counts, err);
        if (r.toggles != NULL)
            trace_writer_toggles(writer, r.toggles);
        status = end_launch(writer, status, err);
    }
    recorder_free(&r);
    return status;
}

/* The launch that a trace of these groups alone shows: its groups in one dimension. */
static struct emu_launch in_one_dimension(const struct emu_launch *launch,
                                          uint64_t groups)
{
    struct emu_launch flat = *launch;

    flat.work_dim = 1;
    flat.local[0] = launch->local[0] * launch->local[1] * launch->local[2];
    flat.global[0] = flat.local[0] * groups;
    flat.global[1] = flat.global[2] = flat.local[1] = flat.local[2] = 1;
    return flat;
}

enum igpu_status record_places(struct record_program *p,
                               const struct emu_launch *launch,
                               const struct record_places *places,
                               struct trace_writer *writer, uint32_t *kernel,
                               struct emu_counts *counts, struct igpu_err *err)
{
    struct recorder r = {.writer = writer};
    uint64_t groups = 0, recorded = 0;
    struct emu_launch part = *launch;
    uint32_t threads = 0, tpg;
    enum igpu_status status = record_check_sizes(p, launch, &threads, err);

    for (uint32_t i = 0; i < places->count; i++)
        groups += places->place[i].groups;
    if (status != IGPU_OK)
        return status;
    tpg = emu_threads_per_group(p->emu,
                                launch->local[0] * launch->local[1] * launch->local[2]);
    part = in_one_dimension(launch, groups);
    status =
        record_begin_launch(p, &part, writer, kernel, (uint32_t)groups * tpg, tpg, err);
    part = *launch;
    for (uint32_t i = 0; i <= places->count && status == IGPU_OK; i++) {
        struct emu_counts more = {0};

        status = places->between(places->ctx, i, err);
        if (status != IGPU_OK || i == places->count)
            break;
        part.first_group = places->place[i].first;
        part.group_count = places->place[i].groups;
        r.less = part.first_group * tpg - recorded;
        status = run_recorded(p, &r, &part, &more, err);
        recorded += part.group_count * tpg;
        add_counts(counts, &more);
    }
    return end_launch(writer, status, err);
}

/* Run the pieces of the launch that the observer wants; 0: all of it at once. */
static enum igpu_status observe_pieces(struct record_program *p,
                                       const struct emu_launch *launch,
                                       const struct record_observer *o, uint32_t pieces,
                                       struct emu_counts *counts, struct igpu_err *err)
{
    struct emu_launch part = *launch;
    enum igpu_status status = IGPU_OK;

    part.hooks = o->hooks;
    for (uint32_t i = 0; (i == 0 || i < pieces) && status == IGPU_OK; i++) {
        struct emu_counts more = {0};

        if (pieces > 0)
            o->piece(o->ctx, i, &part.first_group, &part.group_count);
        status = emu_run(p->emu, p->mem, &part, &more, err);
        add_counts(counts, &more);
    }
    /* A hook that stops the run has a reason, which end() tells. */
    return status == IGPU_STOPPED ? IGPU_OK : status;
}

static enum igpu_status observe_launch(struct record_program *p,
                                       const struct emu_launch *launch,
                                       const struct record_observer *o,
                                       struct emu_counts *counts, struct igpu_err *err)
{
    struct trace_arg *args = calloc(launch->arg_count + 1, sizeof(*args));
    struct trace_kernel kernel = describe_kernel(p);
    struct trace_launch shape;
    uint32_t threads = 0, pieces = 0;
    enum igpu_status status = record_check_sizes(p, launch, &threads, err);

    if (args == NULL && status == IGPU_OK)
        status = igpu_no_memory(err, "a recording");
    if (status == IGPU_OK) {
        shape = describe_launch(
            p, launch, threads,
            emu_threads_per_group(p->emu, launch->local[0] * launch->local[1] *
                                              launch->local[2]),
            args);
        status = o->begin(o->ctx, &kernel, &shape, &pieces, err);
    }
    if (status == IGPU_OK)
        status = observe_pieces(p, launch, o, pieces, counts, err);
    if (status == IGPU_OK)
        status = o->end(o->ctx, err);
    free(args);
    return status;
}

/* job->repeat times the launch's parts, into the writer if there is one. *arg are the
 * launch's arguments. */
static enum igpu_status run_launches(struct record_program *p,
                                     const struct record_job *job,
                                     const struct emu_launch *launch,
                                     struct emu_arg *arg, struct trace_writer *writer,
                                     struct emu_counts *sum, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    struct emu_launch part[EMU_MAX_PARTS];
    uint32_t kernel = UINT32_MAX, parts = emu_split(launch, part);
    uint64_t repeat = job->repeat > 1 ? job->repeat : 1;

    for (uint32_t i = 0; status == IGPU_OK && i < repeat * parts; i++) {
        struct emu_counts counts = {0};
        const struct emu_launch *now = &part[i % parts];

        if (writer != NULL)
            status = record_launch(p, now, writer, &job->values, &kernel, &counts, err);
        else if (job->observer != NULL)
            status = observe_launch(p, now, job->observer, &counts, err);
        else
            status = emu_run(p->emu, p->mem, now, &counts, err);
        add_counts(sum, &counts);
        if (job->again != NULL && i + 1 >= parts)
            arg[job->again_arg].value = job->again->value;
    }
    return status;
}

static enum igpu_status run_traced(struct record_program *p,
                                   const struct record_job *job,
                                   const struct emu_launch *launch, struct emu_arg *arg,
                                   struct record_result *result, struct igpu_err *err)
{
    struct trace_header header = {"igpu record " IGPU_VERSION, job->device, job->file,
                                  job->command_line,           false,       false};
    enum igpu_status status = IGPU_OK;
    struct trace_writer *writer = trace_writer_open(job->trace, &header, &status, err);

    if (writer == NULL)
        return status;
    status = run_launches(p, job, launch, arg, writer, &result->counts, err);
    if (status == IGPU_OK)
        return trace_writer_close(writer, err);
    trace_writer_abort(writer);
    return status;
}

/* Groups may be cut off at the end from OpenCL C 2.0 on. */
static bool allows_cut_groups(const struct record_program *p)
{
    const char *o = p->build_options != NULL ? p->build_options : "";

    return (strstr(o, "-cl-std=CL2") != NULL || strstr(o, "-cl-std=CL3") != NULL) &&
           strstr(o, "-cl-uniform-work-group-size") == NULL;
}

static enum igpu_status check_parts(const struct record_program *p,
                                    const struct emu_launch *launch,
                                    struct igpu_err *err)
{
    struct emu_launch part[EMU_MAX_PARTS];
    uint32_t count = allows_cut_groups(p) ? emu_split(launch, part) : 0, threads;
    enum igpu_status status = IGPU_OK;

    if (count == 0)
        return record_check_sizes(p, launch, &threads, err);
    for (uint32_t i = 0; i < count && status == IGPU_OK; i++)
        status = record_check_sizes(p, &part[i], &threads, err);
    return status;
}

/* A printf buffer for the launch, when the kernel has one. */
static enum igpu_status map_printf(struct record_program *p, struct emu_launch *launch,
                                   void **buffer, struct igpu_err *err)
{
    *buffer = NULL;
    if (!p->ready->uses_printf)
        return IGPU_OK;
    *buffer = calloc(1, PRINTF_BUFFER_BYTES);
    if (*buffer == NULL)
        return igpu_no_memory(err, "the printf buffer");
    printf_buffer_clear(*buffer);
    return emu_mem_map(p->mem, *buffer, PRINTF_BUFFER_BYTES, 0, &launch->printf_va,
                       err);
}

/* What the kernel printed until it ended, also with an error. */
static enum igpu_status print_output(struct record_program *p,
                                     const struct record_job *job, void *buffer,
                                     uint64_t va, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (buffer != NULL && job->print != NULL)
        status = printf_print(buffer, PRINTF_BUFFER_BYTES, p->mem, p->kernel,
                              job->print, job->print_ctx, err);
    if (buffer != NULL)
        (void)emu_mem_unmap(p->mem, va);
    free(buffer);
    return status;
}

enum igpu_status record_run(struct record_program *p, const struct record_job *job,
                            struct record_result *result, struct igpu_err *err)
{
    struct emu_arg *args = calloc(job->arg_count + 1, sizeof(*args));
    struct emu_launch launch = {.work_dim = job->dims,
                                .arg = args,
                                .arg_count = job->arg_count,
                                .max_instructions = job->max_instructions,
                                .host_threads = job->host_threads,
                                .races = job->races};
    enum igpu_status status, printed;
    void *prints = NULL;

    memset(result, 0, sizeof(*result));
    if (args == NULL)
        return igpu_no_memory(err, "a recording");
    for (unsigned i = 0; i < 3; i++) {
        launch.global[i] = i < job->dims ? job->global[i] : 1;
        launch.local[i] = i < job->dims ? job->local[i] : 1;
        launch.offset[i] = i < job->dims ? job->offset[i] : 0;
    }
    status = check_parts(p, &launch, err);
    if (status == IGPU_OK)
        status = make_args(p, job, args, result, err);
    if (status == IGPU_OK)
        status = check_again(p, job, err);
    if (status == IGPU_OK)
        status = map_printf(p, &launch, &prints, err);
    if (status == IGPU_OK && job->launches != NULL)
        status = record_write_launches(p, job, &launch, args, err);
    if (status == IGPU_OK && job->trace != NULL)
        status = run_traced(p, job, &launch, args, result, err);
    else if (status == IGPU_OK && !job->only_launches)
        status = run_launches(p, job, &launch, args, NULL, &result->counts, err);
    printed =
        print_output(p, job, prints, launch.printf_va, status == IGPU_OK ? err : NULL);
    free(args);
    return status == IGPU_OK ? printed : status;
}
