/* trace_dump.h - the parts of `igpu trace dump`. Internal to traces/trace_dump*.c. */
#ifndef IGPU_TRACE_DUMP_H
#define IGPU_TRACE_DUMP_H
#include "igpu/json.h"
#include "traces/format/trace.h"

/* Print one kernel: properties, blocks, and each instruction with the field names of
 * GED. `index` is the first part of ins_uid. */
void trace_dump_kernel(const struct trace_kernel *kernel, uint32_t index, FILE *out);

/* The instructions as JSON objects with the same fields, into the array that is open.
 */
void trace_json_instructions(const struct trace_kernel *kernel, uint32_t index,
                             struct igpu_json *json);

static inline const char *trace_arbiter_name(enum trace_arbiter arbiter)
{
    return arbiter == TRACE_ARBITER_OLDEST ? "oldest" : "rr";
}

/* The whole trace; see struct trace_dump_options. */
enum igpu_status trace_dump_json(struct trace_reader *r,
                                 const struct trace_dump_options *options, FILE *out,
                                 struct igpu_err *err);
enum igpu_status trace_dump_csv(struct trace_reader *r,
                                const struct trace_dump_options *options, FILE *out,
                                struct igpu_err *err);

#endif
