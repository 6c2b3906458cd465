/* progress.h - what takes long, on stderr; nothing with IGPU_QUIET=1.
 *
 * A launch is told of as traces/program/compile_progress.h tells of compilations. Short
 * launches that follow each other are told of together: after ten seconds, then once a
 * minute. */
#ifndef IGPU_OCL_PROGRESS_H
#define IGPU_OCL_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>

/* Launches: device thread only, but for progress_tell(), which hooks may call one at a
 * time. kernel must live until progress_end(). */
void progress_begin(uint64_t launch, const char *kernel);
/* `what` is being done; `done` of `all` threads are over. */
void progress_tell(const char *what, uint64_t done, uint64_t all);
/* Takes back the line of a terminal. */
void progress_end(void);
#endif
