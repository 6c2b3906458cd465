/* err.h - one status with text for every recoverable failure.
 * Functions return enum igpu_status and, unless IGPU_OK, fill *err (when it is
 * not NULL) with one line: what, where (file, offset or key), what was
 * expected and what to do. The status is also the process's exit code. */
#ifndef IGPU_ERR_H
#define IGPU_ERR_H

enum igpu_status {
    IGPU_OK = 0,
    IGPU_SIM_ERROR = 1, /* deadlock, a failed check, output that is lost */
    IGPU_USAGE = 2,     /* unknown key or option, value out of range */
    IGPU_BAD_INPUT = 3, /* a file that is missing, corrupt or unsupported */
    IGPU_STOPPED = 4    /* --max-cycles or Ctrl-C; results so far are valid */
};

struct igpu_err {
    char text[512]; /* one line, no newline, always terminated */
};

/* Format a line into *err (NULL is allowed) and return `status`. */
enum igpu_status igpu_fail(struct igpu_err *err, enum igpu_status status,
                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
