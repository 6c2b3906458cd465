/* compile_run.h - find and run the compiler's program, for compile.c only. */
#ifndef TRACES_COMPILE_RUN_H
#define TRACES_COMPILE_RUN_H
#include <stddef.h>

#include "igpu/err.h"
#include "traces/program/compile.h"

/* Full path of `name` (NULL: "ocloc"), looked up in PATH unless it has a slash, into
 * path[cap]. IGPU_USAGE, with the package to install, when there is none. */
enum igpu_status compile_find(const char *name, char *path, size_t cap,
                              struct igpu_err *err);

/* What it is run in; NULL at the end. */
char *const *compile_environment(void);

/* Run program with arguments (NULL at the end; no shell), stdin empty, and wait.
 * *log: malloc'ed stdout and stderr, at most 1 MiB of it. *exit_code: its exit code,
 * or 256 + the signal that killed it. waiting: as in compile.h, or NULL. */
enum igpu_status compile_run(const char *program, char *const *arguments,
                             const struct compile_waiting *waiting, char **log,
                             int *exit_code, struct igpu_err *err);

/* Return when there is something to read, or the other end is gone; or at once if
 * nobody waits for word. */
void compile_wait_for(int fd, const struct compile_waiting *waiting);

/* Run a program that goes to the background with its stdin `in`, and wait until it has.
 * 0, or another number when it has not. */
int compile_start_server(const char *program, char *const *arguments, int in);

#endif
