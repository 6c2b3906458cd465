/* timing.h - launches in simulated time, on the device's time line (device_time.h).
 *
 * A device's caches, TLB and open rows stay as one launch leaves them for the next one,
 * as in a trace that holds both. What the host or another context does in between is
 * not simulated; a launch in another context finds everything cold. */
#ifndef IGPU_OCL_TIMING_H
#define IGPU_OCL_TIMING_H
#include "bridge/drivers/ocl/counters.h"
#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/sample.h"

/* A launch's, with IGPU_ENERGY=1 (docs/contract/power.md); else 0. igpu: PKG - PP0 -
 * DRAM. */
struct timing_energy {
    double pkg_nj, dram_nj, igpu_nj;
};

/* Simulate the launches of the trace, one after the other, on the device's
 * configuration (or that of IGPU_CONFIG and IGPU_SET) and move the time line on.
 * space: whose addresses they are; launches of the same space share the caches.
 * The trace of a sample with windows stands for the whole launch: *time is estimated.
 * It is not counted; its energy is taken by the cycle.
 * mem: the trace is a launch file without memory, and is executed there in time; NULL:
 * it has paths. */
enum igpu_status timing_launch(cl_device_id device, uint64_t space, const char *trace,
                               struct emu_mem *mem, struct sample *sample,
                               struct counters_launch *counters, struct estimate *time,
                               uint64_t *ns, struct timing_energy *energy,
                               struct igpu_err *err);
/* What the last launch that was executed in time has executed. */
struct emu_counts timing_counts(cl_device_id device);
/* A launch that is not simulated takes *time; sample->warm[0] is what it used. */
enum igpu_status timing_skip(cl_device_id device, uint64_t space,
                             const struct sample *sample, const struct estimate *time,
                             uint64_t *ns, struct igpu_err *err);
/* The configuration that the device's launches are timed on. */
enum igpu_status timing_config(cl_device_id device, const struct igpu_config **config,
                               struct igpu_err *err);
#endif
