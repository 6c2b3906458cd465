/* compile_log.c - see compile_log.h. */
#include "compile_log.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_noise(const char *line)
{
    static const char *const noise[] = {"Build succeeded.", "Build failed with error",
                                        "Command was:", "Compilation from IR",
                                        "Linker execution has succeeded"};

    for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
        if (starts_with(line, noise[i]))
            return true;
    return false;
}

/* With its end of line, if it has one. */
static size_t line_length(const char *line)
{
    size_t n = strcspn(line, "\n");

    return n + (line[n] == '\n');
}

void compile_log_clean(char *log)
{
    char *to = log;

    while (log != NULL && *log != '\0') {
        size_t n = line_length(log);

        if (!is_noise(log)) {
            memmove(to, log, n);
            to += n;
        }
        log += n;
    }
    if (log != NULL)
        *to = '\0';
}

void compile_log_first(const char *log, char *line, size_t cap)
{
    const char *found = strstr(log, "error:");
    const char *start = found == NULL ? log + strspn(log, " \r\n") : found;

    while (start > log && start[-1] != '\n')
        start--;
    snprintf(line, cap, "%.*s", (int)strcspn(start, "\r\n"), start);
    for (char *p = line; *p != '\0'; p++)
        if (!isprint((unsigned char)*p))
            *p = ' ';
}

/* A number and a colon at *p: step over them. */
static bool log_number(const char **p)
{
    const char *end = *p;

    while (isdigit((unsigned char)*end))
        end++;
    if (end == *p || *end != ':')
        return false;
    *p = end + 1;
    return true;
}

/* Where in the line the source's number stands, `*digits` long; NULL: it has none. The
 * forms are "1:LINE:COLUMN: error: ..." and "In file included from 1:LINE:"; another
 * line may be of the source itself. */
static const char *source_number(const char *line, size_t *digits)
{
    static const char included[] = "In file included from ";
    bool includes = starts_with(line, included);
    const char *at = includes ? line + sizeof(included) - 1 : line, *p = at;

    if (!log_number(&p))
        return NULL;
    *digits = (size_t)(p - at) - 1;
    if (!log_number(&p))
        return NULL;
    return includes || (log_number(&p) && *p == ' ') ? at : NULL;
}

char *compile_log_named(const char *log, const char *name)
{
    size_t lines = 1, digits = 0;
    char *named, *to;

    for (const char *p = log; *p != '\0'; p++)
        lines += *p == '\n';
    named = malloc(strlen(log) + lines * strlen(name) + 1);
    to = named;
    while (named != NULL && *log != '\0') {
        size_t n = line_length(log);
        const char *at = source_number(log, &digits);

        if (at != NULL)
            to += sprintf(to, "%.*s%s", (int)(at - log), log, name);
        at = at != NULL ? at + digits : log;
        memcpy(to, at, n - (size_t)(at - log));
        to += n - (size_t)(at - log);
        log += n;
    }
    if (named != NULL)
        *to = '\0';
    return named;
}
