/* compile_progress.h - a compilation that takes long, told on stderr: on a terminal
 * after two seconds, in a line that is rewritten each second; elsewhere after ten
 * seconds, then once a minute.
 * Tests: tests/bridge/test_cli.sh, tests/ocl/test_ocl_run.sh */
#ifndef TRACES_COMPILE_PROGRESS_H
#define TRACES_COMPILE_PROGRESS_H
#include <stdbool.h>

#include "traces/program/compile.h"

enum { /* seconds; for what else takes long, too */
       PROGRESS_TERMINAL_FIRST = 2,
       PROGRESS_TERMINAL_EACH = 1,
       PROGRESS_FIRST = 10,
       PROGRESS_EACH = 60
};

/* On any thread, one at a time. */
struct compile_progress {
    const char *program, *device;
    double begun, next;
    bool quiet, terminal, shown;
};

/* Begins now; program stands before each line, device is the compiler's target. Both
 * must live until the end. For compile_request.waiting. */
struct compile_waiting compile_progress_begin(struct compile_progress *p,
                                              const char *program, const char *device,
                                              bool quiet);
/* Takes back the line of a terminal. */
void compile_progress_end(struct compile_progress *p);
/* For compile_waiting.said with such a progress as user: the diagnostics on stderr;
 * with `quiet`, not mere warnings. */
void compile_progress_said(void *progress, const char *log, bool compiled);
#endif
