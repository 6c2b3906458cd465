/* sink.h - which launches are recorded, where, and the list of all launches.
 *
 *   IGPU_TRACE_DIR           folder (made when missing); without it nothing is recorded
 *   IGPU_TRACE_ONE=1         one trace.pb for all launches instead of one file for each
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
#include "bridge/ocl/ocl.h"
#include "traces/record.h"

/* One line of launches.csv. */
struct sink_row {
    uint64_t launch;
    const char *kernel, *device;
    const uint64_t *global, *local;
    struct emu_counts counts;
    double host_seconds;
    uint64_t cycles, ns; /* simulated; 0: not */
    const char *trace;   /* file name in DIR, or "" */
    const char *error;   /* "" */
};

/* Number of the next launch: 0, 1, ... */
uint64_t sink_next(void);

/* Run *launch, recording it if it is wanted, or if `timed` (then at least into a
 * temporary file). *path[cap]: the trace to simulate, "" when none; *row->trace is
 * set. *index: see record_launch(), for the common trace. */
enum igpu_status sink_run(struct record_program *program, const char *device,
                          const struct emu_launch *launch, uint32_t *index, bool timed,
                          char *path, size_t cap, struct sink_row *row,
                          struct igpu_err *err);
/* After the simulation: remove the trace if it is temporary. */
void sink_done(const char *path);
void sink_row(const struct sink_row *row);
#endif
