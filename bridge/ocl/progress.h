/* progress.h - what takes long, on stderr; nothing with IGPU_QUIET=1.
 *
 * A launch or a compilation is told of on a terminal after two seconds, in a line that
 * is rewritten each second; elsewhere after ten seconds, then once a minute. Short
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

/* A compilation, on any thread. */
struct progress_compile {
    const char *device;
    double begun, next;
    bool terminal, shown;
};
void progress_compile_begin(struct progress_compile *c, const char *device);
/* The compiler is still at work: a struct progress_compile. */
void progress_compile_tell(void *compile);
void progress_compile_end(const struct progress_compile *c);
#endif
