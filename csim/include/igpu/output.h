/* output.h - result files that appear whole or not at all.
 *
 * What is written goes to a new file in PATH's folder that has no name, so that nothing
 * is left of it however the program ends. Close brings it to the disk, gives it a name
 * beside PATH that nobody else has (PATH.PID.RANDOM.part) and renames it to PATH, so of
 * several writers of one PATH the last that closes wins, whole. On a file system
 * without such files (O_TMPFILE), or without /proc, it has that name from the start. A
 * PATH that is a symbolic link keeps being one: the file that it names is replaced.
 *
 * A PATH that is there and no regular file (a device such as /dev/null, a pipe), or one
 * without a name any more (/proc/self/fd/N), is written directly: to rename a file over
 * it would replace it. "-" means what it means to the caller; see igpu_output_put().
 *
 * A program that called igpu_program_start() leaves nothing when a signal ends it where
 * the file has its name, either.
 * Any thread may use an output of its own.
 * Tests: tests/csim/test_output.c, tests/bridge/test_output.sh */
#ifndef IGPU_OUTPUT_H
#define IGPU_OUTPUT_H
#include <stdbool.h>
#include <stdio.h>

#include "igpu/err.h"

struct igpu_output {
    FILE *file;    /* NULL when not open */
    char *path;    /* what is to be made: as asked for, or where that link leads */
    char *name;    /* of what is being written: path itself, or a file beside it */
    bool unnamed;  /* it has that name when it is closed, and none yet */
    unsigned slot; /* among the names that a signal removes */
};

/* Create the file. IGPU_USAGE when it cannot be created. */
enum igpu_status igpu_output_open(struct igpu_output *o, const char *path,
                                  struct igpu_err *err);

/* Complete it. IGPU_SIM_ERROR when something could not be written or renamed; then
 * nothing is left, and an older file of that name is as it was. o is closed in every
 * case. */
enum igpu_status igpu_output_close(struct igpu_output *o, struct igpu_err *err);

/* Give up: nothing is left. Harmless when o is not open. */
void igpu_output_abort(struct igpu_output *o);

/* Open, let `write` write, close. For the path "-" it writes to stdout, whose failures
 * igpu_program_end() tells. */
enum igpu_status igpu_output_put(const char *path, void (*write)(FILE *out, void *ctx),
                                 void *ctx, struct igpu_err *err);

/* A file without a name in TMPDIR, which no end of the program leaves behind; path: by
 * which it is opened as often as wanted, as long as the descriptor is. -1: IGPU_USAGE.
 */
enum { IGPU_OUTPUT_UNNAMED = 64 };
int igpu_output_unnamed(char path[IGPU_OUTPUT_UNNAMED], struct igpu_err *err);

/* Can a file be made there? For work that takes long before it is written: IGPU_USAGE
 * at once. NULL and "-" are always good. Nothing is left or changed. */
enum igpu_status igpu_output_check(const char *path, struct igpu_err *err);

/* Remove what writers that were killed have left in the folder: files of the form above
 * whose process is gone. */
void igpu_output_sweep(const char *folder);

/* For igpu_program_start(): remove every file that is being written. May be called by a
 * signal handler. */
void igpu_output_remove_all(void);

#endif
