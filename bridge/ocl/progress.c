/* progress.c - see progress.h. */
#include "bridge/ocl/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bridge/ocl/setting.h"

enum { FIRST_SECONDS = 2, TERMINAL_SECONDS = 1, FILE_SECONDS = 60 };

static struct {
    bool on, terminal, shown;
    uint64_t launch;
    const char *kernel;
    double begun, next;
} progress;

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_begin(uint64_t launch, const char *kernel)
{
    progress.on = !setting_flag("IGPU_QUIET");
    progress.terminal = isatty(STDERR_FILENO) != 0;
    progress.shown = false;
    progress.launch = launch;
    progress.kernel = kernel;
    progress.begun = seconds();
    progress.next = progress.begun + (progress.terminal ? FIRST_SECONDS : FILE_SECONDS);
}

void progress_tell(const char *what, uint64_t done, uint64_t all)
{
    double now = progress.on ? seconds() : 0;

    if (!progress.on || now < progress.next)
        return;
    progress.next = now + (progress.terminal ? TERMINAL_SECONDS : FILE_SECONDS);
    progress.shown = true;
    fprintf(stderr,
            "%svigpu: launch %" PRIu64 ", kernel %.60s: %s, %.0f s, thread %" PRIu64
            " of %" PRIu64 "%s",
            progress.terminal ? "\r" : "", progress.launch, progress.kernel, what,
            now - progress.begun, done, all, progress.terminal ? "   " : "\n");
    (void)fflush(stderr);
}

void progress_end(void)
{
    if (progress.shown && progress.terminal)
        fputs("\r\033[K", stderr);
    progress.on = false;
}
