/* alike.h - launches of one kernel and size, of which some stand for the others
 * (docs/guide/sampling.md, section 4). Device thread only. */
#ifndef IGPU_OCL_ALIKE_H
#define IGPU_OCL_ALIKE_H
#include "bridge/drivers/ocl/ocl.h"
#include "bridge/host/sample/likes.h"
#include "traces/format/trace.h"

/* What the launches of `code` (any address that tells kernels apart) on the device with
 * these sizes and this arbiter have shown so far; never NULL: when memory is short, one
 * that has seen nothing. */
struct likes *alike_find(const void *code, cl_device_id device, const uint64_t *global,
                         const uint64_t *local, enum trace_arbiter arbiter);
#endif
