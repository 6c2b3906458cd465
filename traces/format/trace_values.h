/* trace_values.h - the values section of a trace: the code of one record, for writer
 * and reader. Internal to traces/trace_*.c; the format is told in the .proto. */
#ifndef IGPU_TRACE_VALUES_H
#define IGPU_TRACE_VALUES_H
#include "igpu/values.h"
#include "traces/format/trace_bytes.h"

/* Append one record of `inst`, whose shape is *shape. */
void trace_values_put(struct trace_bytes *out, const struct isa_inst *inst,
                      const struct fpu_shape *shape, const struct fpu_values *v);

/* Read the next record of `code` to *v, immediates too; lanes that are off keep what
 * they had. NULL, or what is wrong. */
const char *trace_values_get(struct trace_view *in, const struct isa_kernel_code *code,
                             struct fpu_values *v);

#endif
