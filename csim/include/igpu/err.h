/* err.h - one status with text for every recoverable failure.
 * Functions return enum igpu_status and, unless IGPU_OK, fill *err (when it is
 * not NULL) with one line: what, where (file, offset or key), what was
 * expected and what to do. The status is also the process's exit code. */
#ifndef IGPU_ERR_H
#define IGPU_ERR_H

#include <stdbool.h>

enum igpu_status {
    IGPU_OK = 0,
    IGPU_SIM_ERROR = 1, /* deadlock, a failed check, output that is lost */
    IGPU_USAGE = 2,     /* unknown key or option, value out of range */
    IGPU_BAD_INPUT = 3, /* a file that is missing, corrupt or unsupported */
    IGPU_STOPPED = 4,   /* --max-cycles or Ctrl-C; results so far are valid */
    IGPU_NO_MEMORY = 5  /* the host's, not the input's fault */
};

struct igpu_err {
    char text[512]; /* one line, no newline, always terminated */
    /* Kept for callers that see a failure as NULL or false and return a status of their
     * own: igpu_complain() ends with IGPU_NO_MEMORY all the same. */
    bool short_memory;
};

/* Format a line into *err (NULL is allowed) and return `status`. */
enum igpu_status igpu_fail(struct igpu_err *err, enum igpu_status status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where an allocation failed: `format` is what it was for. IGPU_NO_MEMORY. */
enum igpu_status igpu_no_memory(struct igpu_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What a function returns that tells faults as text and was short of memory: known by
 * its address, and IGPU_NO_MEMORY where a status is made of it. */
extern const char igpu_short_memory[];

#endif
