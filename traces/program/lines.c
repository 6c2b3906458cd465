/* lines.c - source lines of a program's only kernel, from .debug_line by libdw; see
 * loader.h. The compiler writes it with -gline-tables-only or -g, and only for a
 * program of one kernel (igc 1.0.12504). What is damaged has no lines: nothing depends
 * on them. */
#include <ctype.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/program/loader_impl.h"

uint32_t loader_source_of(struct loader_program *p, const char *name)
{
    uint32_t i = 0;

    while (i < p->sources && strcmp(p->source[i], name) != 0)
        i++;
    if (i < p->sources || i == LOADER_MAX_SOURCES)
        return i;
    p->source[i] = loader_copy_text(name, strlen(name));
    if (p->source[i] == NULL)
        return LOADER_MAX_SOURCES;
    return p->sources++;
}

static void add_line(struct loader_program *p, Dwarf_Line *from)
{
    const char *name = dwarf_linesrc(from, NULL, NULL);
    struct loader_line *line = &p->line[p->lines];
    Dwarf_Addr at;
    int number;
    bool end;

    if (name == NULL || dwarf_lineaddr(from, &at) != 0 ||
        dwarf_lineno(from, &number) != 0 || dwarf_lineendsequence(from, &end) != 0 ||
        (p->lines > 0 && line[-1].at > at))
        return;
    line->at = at;
    line->line = end || number < 0 ? 0 : (uint32_t)number;
    line->source = loader_source_of(p, name);
    p->lines += line->source < LOADER_MAX_SOURCES;
}

/* One table of lines; the compiler makes one for a kernel. */
static void read_table(struct loader_program *p, Dwarf *dwarf)
{
    Dwarf_Off next;
    Dwarf_CU *unit = NULL;
    Dwarf_Files *files;
    Dwarf_Lines *lines;
    size_t file_count, line_count;

    if (dwarf_next_lines(dwarf, 0, &next, &unit, &files, &file_count, &lines,
                         &line_count) != 0 ||
        line_count > LOADER_MAX_LINES)
        return;
    p->line = calloc(line_count + 1, sizeof(*p->line));
    p->source = calloc(LOADER_MAX_SOURCES, sizeof(*p->source));
    for (size_t i = 0; p->line != NULL && p->source != NULL && i < line_count; i++)
        add_line(p, dwarf_onesrcline(lines, i));
}

void loader_read_lines(struct Elf *elf, struct loader_program *program)
{
    Dwarf *dwarf;

    if (program->kernels != 1)
        return;
    dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (dwarf == NULL)
        return;
    read_table(program, dwarf);
    (void)dwarf_end(dwarf);
}

const struct loader_line *loader_line_of(const struct loader_program *program,
                                         uint64_t at)
{
    uint32_t low = 0, high = program->lines;

    while (low < high) { /* the first that begins behind `at` */
        uint32_t middle = (low + high) / 2;

        if (program->line[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && program->line[low - 1].line != 0 ? &program->line[low - 1] : NULL;
}

/* It has a number, or, with -g, the name of a file of the compiler's own that is gone.
 */
bool loader_own_source(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;

    return strcmp(base, "<stdin>") == 0 || isdigit((unsigned char)base[0]) ||
           (strcmp(base, "kernel.cl") == 0 && access(name, F_OK) != 0);
}
