/* compile_log.h - what the compiler says, made fit for its reader.
 * Tests: tests/traces/test_compile_log.c */
#ifndef TRACES_COMPILE_LOG_H
#define TRACES_COMPILE_LOG_H
#include <stddef.h>

/* Take the lines of the compiler's driver out; NULL is allowed. */
void compile_log_clean(char *log);

/* The first line of the log that says error, else its first line, as one printable line
 * of at most cap - 1 characters. */
void compile_log_first(const char *log, char *line, size_t cap);

/* A copy of the log with `name` where a diagnostic, or what it says of the file that
 * includes it, begins with the number that the compiler gave the source. To be freed;
 * NULL: no memory. */
char *compile_log_named(const char *log, const char *name);

#endif
