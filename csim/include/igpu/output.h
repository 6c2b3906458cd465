/* output.h - result files that appear whole or not at all.
 *
 * What is written goes to PATH.part, which close renames to PATH. A PATH that is there
 * and no regular file (a device such as /dev/null, a pipe), or one without a name any
 * more (/proc/self/fd/N), is written directly: to rename a file over it would replace
 * it.
 * Tests: tests/csim/test_output.c */
#ifndef IGPU_OUTPUT_H
#define IGPU_OUTPUT_H
#include <stdbool.h>
#include <stdio.h>

#include "igpu/err.h"

struct igpu_output {
    FILE *file; /* NULL when not open */
    char *path; /* as asked for */
    char *name; /* of what is being written: the same, or with ".part" added */
};

/* Create the file. IGPU_USAGE when it cannot be created. */
enum igpu_status igpu_output_open(struct igpu_output *o, const char *path,
                                  struct igpu_err *err);

/* Complete it. IGPU_BAD_INPUT when something could not be written or renamed; then
 * nothing is left. o is closed in every case. */
enum igpu_status igpu_output_close(struct igpu_output *o, struct igpu_err *err);

/* Give up: nothing is left. Harmless when o is not open. */
void igpu_output_abort(struct igpu_output *o);

#endif
