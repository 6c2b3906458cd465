/* program.h - what every command does first and last: its streams, its signals, its
 * complaints. For programs only; a library in somebody else's process (the OpenCL
 * driver) calls nothing of it.
 * Tests: tests/bridge/test_output.sh */
#ifndef IGPU_PROGRAM_H
#define IGPU_PROGRAM_H
#include "igpu/err.h"

/* First in main(). A standard stream that the caller closed becomes one that fails, so
 * that no file takes its number. A signal that ends the program removes files that are
 * half written (igpu/output.h); one that the caller ignores, as nohup does, stays
 * ignored. A file size limit is an error of the write, not a signal. */
void igpu_program_start(void);

/* Last in main(): flush stdout. Returns `status`, or IGPU_SIM_ERROR with a line on
 * stderr when it was IGPU_OK and something that was printed is lost. */
int igpu_program_end(const char *program, int status);

/* "PROGRAM: TEXT" on stderr, one line. Returns `status`, for the caller to return, or
 * IGPU_NO_MEMORY where the error says so. */
int igpu_complain(const char *program, enum igpu_status status,
                  const struct igpu_err *err);

/* The same of a text that is formatted here. */
int igpu_complain_of(const char *program, enum igpu_status status, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* What getopt_long() with opterr 0 did not take: "PROGRAM: ARGUMENT: unknown option, or
 * its value is missing; see PROGRAM --help". Returns IGPU_USAGE. */
int igpu_complain_of_option(const char *program, const char *argument);

#endif
