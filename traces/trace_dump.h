/* trace_dump.h - the dump's two halves. Internal to traces/trace_dump*.c. */
#ifndef IGPU_TRACE_DUMP_H
#define IGPU_TRACE_DUMP_H
#include "traces/trace.h"

/* Print one kernel: properties, blocks, and each instruction with the field names of
 * GED. `index` is the first part of ins_uid. */
void trace_dump_kernel(const struct trace_kernel *kernel, uint32_t index, FILE *out);

#endif
