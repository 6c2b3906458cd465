/* record_lines.c - a kernel's source lines for the trace; see record.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/record/record.h"

/* The file's text; "" where it cannot be read or is too long. NULL: memory is short. */
static char *read_text(const char *path)
{
    char *text = calloc(TRACE_MAX_TEXT + 1, 1);
    FILE *in = path != NULL && text != NULL ? fopen(path, "r") : NULL;
    size_t size;

    if (in == NULL)
        return text;
    size = fread(text, 1, TRACE_MAX_TEXT, in);
    if (size == TRACE_MAX_TEXT || memchr(text, '\0', size) != NULL)
        text[0] = '\0';
    (void)fclose(in);
    return text;
}

/* The compiler was given the source without its name: it has a number. */
static bool is_the_source(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;

    return strcmp(base, "<stdin>") == 0 || isdigit((unsigned char)base[0]);
}

static bool add_sources(const struct record_program *p, struct trace_source *source)
{
    for (uint32_t i = 0; i < p->image->sources; i++) {
        const char *name = p->image->source[i];
        bool own = is_the_source(name);

        source[i].name = strdup(own && p->file != NULL ? p->file : name);
        source[i].text = read_text(own ? p->file : name);
        if (source[i].name == NULL || source[i].text == NULL)
            return false;
    }
    return true;
}

void record_lines(const struct record_program *p, struct trace_kernel *kernel)
{
    uint32_t sources = p->image->sources;
    struct trace_source *source;
    struct trace_line *line;

    if (p->image->lines == 0)
        return;
    source = calloc(sources, sizeof(*source));
    line = calloc(p->code.count, sizeof(*line));
    kernel->source = source;
    kernel->line = line;
    kernel->sources = source != NULL ? sources : 0;
    if (source == NULL || line == NULL || !add_sources(p, source)) {
        record_lines_free(kernel);
        return;
    }
    for (uint32_t i = 0; i < p->code.count; i++) {
        const struct loader_line *at = loader_line_of(p->image, p->code.inst[i].pc);

        if (at != NULL)
            line[i] = (struct trace_line){at->source + 1, at->line};
    }
}

void record_lines_free(struct trace_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->sources; i++) {
        free((char *)kernel->source[i].name);
        free((char *)kernel->source[i].text);
    }
    free((struct trace_source *)kernel->source);
    free((struct trace_line *)kernel->line);
    kernel->source = NULL;
    kernel->line = NULL;
    kernel->sources = 0;
}
