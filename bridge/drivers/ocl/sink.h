/* sink.h - which launches are recorded, where, and the list of all launches.
 *
 *   IGPU_TRACE_DIR           folder (made when missing); without it nothing is recorded
 *   IGPU_TRACE_ONE=1         one trace.pb for all launches instead of one file for each
 *                            (not with simulated time)
 *   IGPU_TRACE_KERNEL        only kernels whose name matches this shell pattern
 *   IGPU_TRACE_LAUNCHES=A..B only launches A to B of the process, counted from 0
 *   IGPU_TRACE_EVERY=K       of those, the first and each K-th after it
 *   IGPU_TRACE_INSTRUCTIONS=N  no further launch once N instructions are recorded
 *
 * DIR/launches.csv has a line for each launch, recorded or not; a second process of
 * the same DIR uses launches.1.csv and names that start with "1-", and so on.
 * Used by the device thread only, but for sink_close(). */
#ifndef IGPU_OCL_SINK_H
#define IGPU_OCL_SINK_H
#include "bridge/drivers/ocl/exec.h"
#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/timing.h"

/* One line of launches.csv. */
struct sink_row {
    uint64_t launch;
    uint32_t queue; /* of this process, from 0 */
    const char *kernel, *device;
    const uint64_t *global, *local;
    struct emu_counts counts;
    double host_seconds;
    uint64_t cycles, ns;         /* simulated; 0: not */
    uint64_t low, high;          /* bounds of the cycles, if they are extrapolated */
    struct timing_energy energy; /* written with IGPU_ENERGY=1 */
    const char *trace;           /* file name in DIR, or "" */
    uint64_t sampled;            /* threads recorded and timed, when not all; 0: all */
    const char *error;           /* "" */
};

/* Number of the next launch: 0, 1, ... */
uint64_t sink_next(void);

/* What one command runs, and where it goes. */
struct sink_work {
    struct exec exec;
    const char *device;
    uint32_t *index; /* see record_launch(), for the common trace */
};

/* Run the launch, recording it or its sample if it is wanted, or timed (then at least
 * into a file without a name). *path[cap]: the trace to simulate, good
 * until the next launch, "" when none; row->trace is set. */
enum igpu_status sink_run(const struct sink_work *work, char *path, size_t cap,
                          struct sink_row *row, struct igpu_err *err);
/* The same without running it: a launch file, with memory if it is wanted. */
enum igpu_status sink_launch(const struct sink_work *work, char *path, size_t cap,
                             struct sink_row *row, struct igpu_err *err);
void sink_row(const struct sink_row *row);
#endif
