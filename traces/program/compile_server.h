/* compile_server.h - the compiler kept loaded in processes beside ours, for compile.c.
 * A process for itself (compile_run.h) does the same, slower; it is what remains where
 * igpu_ocloc or libocloc is not found, or when a server ends without an answer. */
#ifndef TRACES_COMPILE_SERVER_H
#define TRACES_COMPILE_SERVER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/program/compile.h"

struct compile_file {
    const char *name; /* as the arguments name it */
    const void *bytes;
    size_t size;
    bool text; /* a source: the compiler is given a 0 behind it, as part of it */
};

struct compile_task {
    const char *program; /* full path of ocloc: its library is used */
    const char *const *argument;
    uint32_t arguments;
    const struct compile_file *file; /* in memory, in place of files on disk */
    uint32_t files;
    const char *ending; /* of the wanted output's name: ".bin" */
    bool ahead;         /* the only file is a source that includes nothing */
    struct compile_waiting waiting;
};

/* How many answers of this process came from a compiler that had read OpenCL's header
 * ahead (traces/ocloc/ocloc_ahead.h); for tests. */
unsigned compile_served_ahead(void);

/* Have a server do the task. True: it answered; *log is its text, malloc'ed, *exit_code
 * the compiler's, and *image the output, malloc'ed with a 0 behind it, or NULL. False:
 * no server, or it ended; nothing is set. Callable from any thread; each task under way
 * has a server of its own, and one or a few stay for the next. */
bool compile_serve(const struct compile_task *task, char **log, int *exit_code,
                   uint8_t **image, size_t *bytes);

#endif
