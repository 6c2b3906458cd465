/* series_file.h - `--series`: the statistics over time, as CSV: a line for every
 * --series-every cycles and at each launch's begin and end, with what was counted since
 * the line before, of EUs, of the memory side, of each data port and of each bank of
 * the L3 (docs/guide/profile.md, section 10). Lines of a run add up to its statistics.
 * Tests: tests/bridge/test_series.sh */
#ifndef BRIDGE_CLI_SERIES_FILE_H
#define BRIDGE_CLI_SERIES_FILE_H
#include "bridge/host/sim/sim.h"
#include "bridge/host/sim/timeline.h"
#include "igpu/output.h"

struct series_file;

/* Create `path` and have *options tell it every `every` cycles (1 or more). It is whole
 * or not there at all. */
enum igpu_status series_file_open(struct series_file **file, const char *path,
                                  uint64_t every, struct sim_options *options,
                                  struct igpu_err *err);
/* Complete it and free *file; NULL is allowed, and is harmless. */
/* From now on also as counter tracks of *timeline, which outlives the last step. */
void series_file_tracks(struct series_file *file, struct timeline *timeline);
enum igpu_status series_file_close(struct series_file *file, struct igpu_err *err);
void series_file_abort(struct series_file *file); /* NULL is allowed */
#endif
