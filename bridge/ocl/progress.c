/* progress.c - see progress.h. */
#include "bridge/ocl/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bridge/ocl/setting.h"

enum { TERMINAL_FIRST = 2, TERMINAL_EACH = 1, FIRST = 10, EACH = 60 }; /* seconds */

static struct {
    bool on, terminal, shown;
    uint64_t launch, first; /* first: of those that followed each other closely */
    const char *kernel;
    double begun, next; /* of the launch */
    double together, told, ended;
} progress;

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool on_terminal(void)
{
    return isatty(STDERR_FILENO) != 0;
}

/* Launches that follow each other; they begin anew where the device was idle for long.
 */
static void tell_together(double now)
{
    if (progress.launch == 0 || now - progress.ended > FIRST) {
        progress.together = now;
        progress.told = now - EACH + FIRST;
        progress.first = progress.launch;
    }
    if (now - progress.told < EACH)
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
    progress.on = !setting_flag("IGPU_QUIET");
    progress.terminal = on_terminal();
    progress.shown = false;
    progress.launch = launch;
    progress.kernel = kernel;
    progress.begun = seconds();
    progress.next = progress.begun + (progress.terminal ? TERMINAL_FIRST : FIRST);
    if (progress.on)
        tell_together(progress.begun);
}

void progress_tell(const char *what, uint64_t done, uint64_t all)
{
    double now = progress.on ? seconds() : 0;

    if (!progress.on || now < progress.next)
        return;
    progress.next = now + (progress.terminal ? TERMINAL_EACH : EACH);
    progress.told = now; /* of the others, too */
    progress.shown = true;
    fprintf(stderr,
            "%svigpu: launch %" PRIu64 ", kernel %.60s: %s, %.0f s, thread %" PRIu64
            " of %" PRIu64 "%s",
            progress.terminal ? "\r" : "", progress.launch, progress.kernel, what,
            now - progress.begun, done, all, progress.terminal ? "   " : "\n");
    (void)fflush(stderr);
}

static void take_back(bool shown)
{
    if (shown)
        fputs("\r\033[K", stderr);
}

void progress_end(void)
{
    take_back(progress.shown && progress.terminal);
    progress.on = false;
    progress.ended = seconds();
}

void progress_compile_begin(struct progress_compile *c, const char *device)
{
    *c = (struct progress_compile){
        .device = device, .begun = seconds(), .terminal = on_terminal()};
    c->next = c->begun + (c->terminal ? TERMINAL_FIRST : FIRST);
}

void progress_compile_tell(void *compile)
{
    struct progress_compile *c = compile;
    double now = seconds();

    if (now < c->next || setting_flag("IGPU_QUIET"))
        return;
    c->next = now + (c->terminal ? TERMINAL_EACH : EACH);
    c->shown = true;
    fprintf(stderr, "%svigpu: compiling for %s, %.0f s%s", c->terminal ? "\r" : "",
            c->device, now - c->begun, c->terminal ? "   " : "\n");
    (void)fflush(stderr);
}

void progress_compile_end(const struct progress_compile *c)
{
    take_back(c->shown && c->terminal);
}
