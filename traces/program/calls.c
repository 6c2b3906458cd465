/* calls.c - where the functions that a program's only kernel inlines are called, from
 * .debug_info by libdw; see loader.h. The compiler writes which instructions they have
 * with -g only (igc 1.0.12504), by relocations, which libdw leaves to others: they are
 * applied to a copy. What is damaged has no calls: nothing depends on them. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "traces/program/loader_impl.h"

/* R_ZE_SYM_ADDR and R_ZE_SYM_ADDR_32 of the compiler's ELF. */
enum { ADDR_64 = 1, ADDR_32 = 2, MAX_DEPTH = 64 };

static void apply(const GElf_Rela *rela, Elf_Data *symbols, Elf_Data *to)
{
    size_t bytes = GELF_R_TYPE(rela->r_info) == ADDR_32 ? 4 : 8;
    GElf_Sym symbol;
    uint64_t value;

    if (GELF_R_TYPE(rela->r_info) != ADDR_64 && bytes == 8)
        return;
    if (to->d_size < bytes || rela->r_offset > to->d_size - bytes ||
        gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &symbol) == NULL)
        return;
    value = symbol.st_value + (uint64_t)rela->r_addend;
    memcpy((char *)to->d_buf + rela->r_offset, &value, bytes);
}

static void relocate(Elf *elf)
{
    GElf_Shdr header, target;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        Elf_Scn *to;
        Elf_Data *from, *data, *symbols;
        const char *name;
        GElf_Rela rela;

        if (gelf_getshdr(s, &header) == NULL || header.sh_type != SHT_RELA ||
            (to = elf_getscn(elf, header.sh_info)) == NULL ||
            gelf_getshdr(to, &target) == NULL ||
            (name = elf_strptr(elf, names, target.sh_name)) == NULL ||
            strncmp(name, ".debug", 6) != 0)
            continue;
        from = elf_getdata(s, NULL);
        data = elf_getdata(to, NULL);
        symbols = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
        for (int i = 0; from != NULL && data != NULL && data->d_buf != NULL &&
                        symbols != NULL && gelf_getrela(from, i, &rela) != NULL;
             i++)
            apply(&rela, symbols, data);
    }
}

static void add_ranges(struct loader_program *p, Dwarf_Die *die, uint32_t call)
{
    Dwarf_Addr base, from, to;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &from, &to)) > 0;)
        if (from < to && p->ranges < LOADER_MAX_CALLS)
            p->range[p->ranges++] = (struct loader_range){from, to, call};
}

/* Returns the number of the call, from 1; `up` if it is not known where. */
static uint32_t add_call(struct loader_program *p, Dwarf_Die *die, Dwarf_Files *files,
                         uint32_t up)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    const char *name;
    uint32_t source;

    if (p->calls == LOADER_MAX_CALLS ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 ||
        line > UINT32_MAX || (name = dwarf_filesrc(files, file, NULL, NULL)) == NULL)
        return up;
    source = loader_source_of(p, name);
    if (source == LOADER_MAX_SOURCES)
        return up;
    p->call[p->calls++] = (struct loader_call){source, (uint32_t)line, up};
    add_ranges(p, die, p->calls);
    return p->calls;
}

/* A function inlined in another comes behind it, so that its ranges do too. */
static void walk(struct loader_program *p, Dwarf_Die *die, Dwarf_Files *files,
                 uint32_t up, unsigned depth)
{
    Dwarf_Die child;

    if (depth == MAX_DEPTH || dwarf_child(die, &child) != 0)
        return;
    do {
        uint32_t call = up;

        if (dwarf_tag(&child) == DW_TAG_inlined_subroutine)
            call = add_call(p, &child, files, up);
        walk(p, &child, files, call, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void read_units(struct loader_program *p, Dwarf *dwarf)
{
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count, header;
    Dwarf_Off next;

    for (Dwarf_Off at = 0;
         dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next)
        if (dwarf_offdie(dwarf, at + header, &unit) != NULL &&
            dwarf_getsrcfiles(&unit, &files, &count) == 0)
            walk(p, &unit, files, 0, 0);
}

void loader_read_calls(struct Elf *from, struct loader_program *p)
{
    size_t size = 0;
    const char *image = elf_rawfile(from, &size);
    char *copy = image != NULL && p->source != NULL ? malloc(size) : NULL;
    Elf *elf = NULL;
    Dwarf *dwarf = NULL;

    p->call = calloc(LOADER_MAX_CALLS, sizeof(*p->call));
    p->range = calloc(LOADER_MAX_CALLS, sizeof(*p->range));
    if (copy != NULL && p->call != NULL && p->range != NULL) {
        memcpy(copy, image, size);
        elf = elf_memory(copy, size);
    }
    if (elf != NULL) {
        relocate(elf);
        dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    }
    if (dwarf != NULL) {
        read_units(p, dwarf);
        (void)dwarf_end(dwarf);
    }
    if (elf != NULL)
        (void)elf_end(elf);
    free(copy);
}

uint32_t loader_call_of(const struct loader_program *p, uint64_t at)
{
    uint32_t call = 0;

    for (uint32_t i = 0; i < p->ranges; i++)
        if (p->range[i].from <= at && at < p->range[i].to)
            call = p->range[i].call;
    return call;
}
