/* progress.c - see progress.h. */
#include "bridge/drivers/ocl/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "bridge/drivers/ocl/setting.h"
#include "igpu/clock.h"
#include "traces/program/compile_progress.h"

static struct {
    bool on, terminal, shown;
    uint64_t launch, first; /* first: of those that followed each other closely */
    const char *kernel;
    double begun, next; /* of the launch */
    double together, told, ended;
} progress;

/* Launches that follow each other; they begin anew where the device was idle for long.
 */
static void tell_together(double now)
{
    if (progress.launch == 0 || now - progress.ended > PROGRESS_FIRST) {
        progress.together = now;
        progress.told = now - PROGRESS_EACH + PROGRESS_FIRST;
        progress.first = progress.launch;
    }
    if (now - progress.told < PROGRESS_EACH)
        return;
    progress.told = now;
    fprintf(stderr,
            "vigpu: %" PRIu64 " launches in %.0f s, next %" PRIu64 ", kernel %.60s\n",
            progress.launch - progress.first, now - progress.together, progress.launch,
            progress.kernel);
    (void)fflush(stderr);
}

void progress_begin(uint64_t launch, const char *kernel)
{
    progress.on = !setting_flag(SETTING_QUIET);
    progress.terminal = isatty(STDERR_FILENO) != 0;
    progress.shown = false;
    progress.launch = launch;
    progress.kernel = kernel;
    progress.begun = igpu_seconds(CLOCK_MONOTONIC);
    progress.next =
        progress.begun + (progress.terminal ? PROGRESS_TERMINAL_FIRST : PROGRESS_FIRST);
    if (progress.on)
        tell_together(progress.begun);
}

void progress_tell(const char *what, uint64_t done, uint64_t all)
{
    double now = progress.on ? igpu_seconds(CLOCK_MONOTONIC) : 0;

    if (!progress.on || now < progress.next)
        return;
    progress.next = now + (progress.terminal ? PROGRESS_TERMINAL_EACH : PROGRESS_EACH);
    progress.told = now; /* of the others, too */
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
    progress.ended = igpu_seconds(CLOCK_MONOTONIC);
}
