/* pieces.h - the launches of a trace cut into pieces that are simulated side by side
 * (docs/sampling.md, section 5). Where it is cut follows from the trace alone, so the
 * results are the same for any number of processes. */
#ifndef IGPU_SAMPLE_PIECES_H
#define IGPU_SAMPLE_PIECES_H
#include "bridge/sample/launches.h"

enum { PIECES = 16, PIECES_MOST_JOBS = 64 };

/* Launches first..last of the trace at `path`, which *m has open, on `jobs` processes.
 * *m's engine is made in these; its stop() is asked there, and here. *l is freed by
 * launches_free() after every call. */
enum igpu_status pieces_run(struct launches *l, const struct machine *m,
                            const char *path, uint32_t first, uint32_t last,
                            uint32_t jobs, struct igpu_err *err);
#endif
