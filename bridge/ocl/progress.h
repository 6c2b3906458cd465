/* progress.h - what a long launch is doing, on stderr: a line that is rewritten each
 * second on a terminal, one line a minute elsewhere; nothing in a launch's first two
 * seconds, and nothing at all with IGPU_QUIET=1. Device thread only, but for
 * progress_tell(), which hooks may call one at a time. */
#ifndef IGPU_OCL_PROGRESS_H
#define IGPU_OCL_PROGRESS_H
#include <stdint.h>

/* kernel must live until progress_end(). */
void progress_begin(uint64_t launch, const char *kernel);
/* `what` is being done; `done` of `all` threads are over. */
void progress_tell(const char *what, uint64_t done, uint64_t all);
/* Takes back the line of a terminal. */
void progress_end(void);
#endif
