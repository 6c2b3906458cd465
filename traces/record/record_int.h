/* record_int.h - what the files of traces/record share. */
#ifndef RECORD_INT_H
#define RECORD_INT_H
#include "traces/record/record.h"

/* record_run.c: the program's kernel into the trace, if *index is UINT32_MAX; a
 * launch's begin. */
enum igpu_status record_add_kernel(const struct record_program *p,
                                   struct trace_writer *writer, uint32_t *index,
                                   struct igpu_err *err);
enum igpu_status record_begin_launch(struct record_program *p,
                                     const struct emu_launch *from,
                                     struct trace_writer *writer, uint32_t *kernel,
                                     uint32_t threads, uint32_t tpg,
                                     struct igpu_err *err);
/* record_launch_file.c: the job's launches to job->launches. *arg: of the launch. */
enum igpu_status record_write_launches(struct record_program *p,
                                       const struct record_job *job,
                                       const struct emu_launch *launch,
                                       struct emu_arg *arg, struct igpu_err *err);
#endif
