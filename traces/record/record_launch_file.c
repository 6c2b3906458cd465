/* record_launch_file.c - launches as they will be, and what they start from; see
 * record.h. */
#include "traces/launch/launch.h"
#include "traces/record/record.h"
#include "traces/record/record_int.h"

static enum igpu_status write_launch(struct record_program *p,
                                     const struct emu_launch *launch,
                                     struct trace_writer *writer, uint32_t *kernel,
                                     struct igpu_err *err)
{
    uint32_t threads = 0;
    enum igpu_status status = record_check_sizes(p, launch, &threads, err);

    if (status == IGPU_OK)
        status = launch_write_inputs(writer, launch, err);
    if (status == IGPU_OK)
        status = record_begin_launch(
            p, launch, writer, kernel, threads,
            emu_threads_per_group(p->emu, launch->local[0] * launch->local[1] *
                                              launch->local[2]),
            err);
    return status == IGPU_OK ? trace_writer_launch_end(writer, err) : status;
}

enum igpu_status record_write_launch(struct record_program *p,
                                     const struct emu_launch *launch,
                                     struct trace_writer *writer, bool memory,
                                     uint32_t *kernel, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (*kernel == UINT32_MAX) {
        status = record_add_kernel(p, writer, kernel, err);
        if (status == IGPU_OK)
            status = launch_write_abi(writer, p->emu, p->kernel->text,
                                      p->code.text_bytes, err);
        if (status == IGPU_OK && memory)
            status = launch_write_memory(writer, p->mem, err);
    }
    return status == IGPU_OK ? write_launch(p, launch, writer, kernel, err) : status;
}

enum igpu_status record_write_launches(struct record_program *p,
                                       const struct record_job *job,
                                       const struct emu_launch *launch,
                                       struct emu_arg *arg, struct igpu_err *err)
{
    struct trace_header header = {"igpu record " IGPU_VERSION, job->device, job->file,
                                  job->command_line,           false,       true};
    enum igpu_status status = IGPU_OK;
    struct trace_writer *w = trace_writer_open(job->launches, &header, &status, err);
    struct emu_launch part[EMU_MAX_PARTS];
    uint32_t kernel = UINT32_MAX, parts = emu_split(launch, part);
    uint64_t repeat = job->repeat > 1 ? job->repeat : 1;
    const void *first = job->again != NULL ? arg[job->again_arg].value : NULL;

    if (w == NULL)
        return status;
    for (uint32_t i = 0; status == IGPU_OK && i < repeat * parts; i++) {
        if (job->again != NULL && i >= parts)
            arg[job->again_arg].value = job->again->value;
        status = record_write_launch(p, &part[i % parts], w, true, &kernel, err);
    }
    if (job->again != NULL)
        arg[job->again_arg].value = first;
    if (status == IGPU_OK)
        return trace_writer_close(w, err);
    trace_writer_abort(w);
    return status;
}
