/* compile_progress.c - see compile_progress.h. */
#include "traces/program/compile_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "igpu/clock.h"

static void progress_tell(void *progress)
{
    struct compile_progress *p = progress;
    double now = igpu_seconds(CLOCK_MONOTONIC);

    if (now < p->next || p->quiet)
        return;
    p->next = now + (p->terminal ? PROGRESS_TERMINAL_EACH : PROGRESS_EACH);
    p->shown = true;
    fprintf(stderr, "%s%s: compiling for %s, %.0f s%s", p->terminal ? "\r" : "",
            p->program, p->device, now - p->begun, p->terminal ? "   " : "\n");
    (void)fflush(stderr);
}

struct compile_waiting compile_progress_begin(struct compile_progress *p,
                                              const char *program, const char *device,
                                              bool quiet)
{
    *p = (struct compile_progress){.program = program,
                                   .device = device,
                                   .begun = igpu_seconds(CLOCK_MONOTONIC),
                                   .quiet = quiet,
                                   .terminal = isatty(STDERR_FILENO) != 0};
    p->next = p->begun + (p->terminal ? PROGRESS_TERMINAL_FIRST : PROGRESS_FIRST);
    return (struct compile_waiting){.fn = progress_tell, .user = p};
}

void compile_progress_end(struct compile_progress *p)
{
    if (p->shown && p->terminal)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

void compile_progress_said(void *progress, const char *log, bool compiled)
{
    struct compile_progress *p = progress;
    size_t length = strlen(log);

    if (compiled && p->quiet)
        return;
    compile_progress_end(p);
    while (length > 0 && log[length - 1] == '\n')
        length--;
    fprintf(stderr, "%.*s\n", (int)length, log);
}
