/* err.c - see igpu/err.h. */
#include "igpu/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char igpu_short_memory[] = "out of memory";

/* What a message quotes may hold line ends, or a terminal's commands. */
static void one_line(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == '\x7f')
            *text = '?';
}

enum igpu_status igpu_fail(struct igpu_err *err, enum igpu_status status,
                           const char *format, ...)
{
    va_list args;

    if (err == NULL)
        return status;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    one_line(err->text);
    err->short_memory = status == IGPU_NO_MEMORY;
    return status;
}

enum igpu_status igpu_no_memory(struct igpu_err *err, const char *format, ...)
{
    static const char tail[] = ": out of memory; free some, or raise ulimit -v";
    va_list args;

    if (err == NULL)
        return IGPU_NO_MEMORY;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof(err->text) - sizeof(tail), format, args);
    va_end(args);
    one_line(err->text);
    memcpy(err->text + strlen(err->text), tail, sizeof(tail));
    err->short_memory = true;
    return IGPU_NO_MEMORY;
}
