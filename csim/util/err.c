/* err.c - see igpu/err.h. */
#include "igpu/err.h"

#include <stdarg.h>
#include <stdio.h>

enum igpu_status igpu_fail(struct igpu_err *err, enum igpu_status status,
                           const char *format, ...)
{
    va_list args;

    if (err == NULL)
        return status;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    /* What a message quotes may hold line ends, or a terminal's commands. */
    for (char *c = err->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == '\x7f')
            *c = '?';
    return status;
}
