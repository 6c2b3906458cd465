/* jit_image.c - an ELF object as LLVM makes it for x86-64, linked to one stretch of
 * bytes that runs wherever it is put: sections one behind the other, and distances
 * between them. What needs more (an address, data that is written, a function of the
 * host's) is left to LLVM's own linker. Source: System V ABI, AMD64 supplement, 4.4. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "jit_int.h"

enum { MAX_SECTIONS = 256, MAX_IMAGE = 64 << 20 };

struct object {
    const uint8_t *data;
    size_t size;
    const Elf64_Shdr *section;
    uint32_t count;
    const char *names; /* of sections */
    const Elf64_Sym *symbol;
    uint32_t symbols;
    const char *symbol_names;
    uint64_t at[MAX_SECTIONS]; /* in the image; NOT_THERE: not in it */
    struct jit_code *code;
};
static const uint64_t NOT_THERE = UINT64_MAX;

static const void *contents(const struct object *o, const Elf64_Shdr *s)
{
    bool inside = s->sh_offset <= o->size && s->sh_size <= o->size - s->sh_offset;

    return inside && s->sh_offset % 8 == 0 ? o->data + s->sh_offset : NULL;
}

static bool open_object(struct object *o)
{
    Elf64_Ehdr head;

    if (o->size < sizeof(head) || (uintptr_t)o->data % 8 != 0)
        return false;
    memcpy(&head, o->data, sizeof(head));
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != EM_X86_64 ||
        head.e_type != ET_REL || head.e_shnum == 0 || head.e_shnum > MAX_SECTIONS ||
        head.e_shoff % 8 != 0 || head.e_shoff > o->size ||
        head.e_shnum * sizeof(Elf64_Shdr) > o->size - head.e_shoff ||
        head.e_shstrndx >= head.e_shnum)
        return false;
    o->section = (const void *)(o->data + head.e_shoff);
    o->count = head.e_shnum;
    o->names = (const char *)o->data + o->section[head.e_shstrndx].sh_offset;
    for (uint32_t i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->section[i];

        if (s->sh_type != SHT_SYMTAB || s->sh_link >= o->count)
            continue;
        o->symbol = contents(o, s);
        o->symbols = (uint32_t)(s->sh_size / sizeof(*o->symbol));
        o->symbol_names = (const char *)o->data + o->section[s->sh_link].sh_offset;
    }
    return o->symbol != NULL;
}

/* Those that are looked at when it runs; how frames are unwound is not asked. */
static bool is_wanted(const struct object *o, const Elf64_Shdr *s)
{
    return (s->sh_flags & SHF_ALLOC) != 0 && s->sh_size > 0 &&
           strcmp(o->names + s->sh_name, ".eh_frame") != 0;
}

static bool place_sections(struct object *o)
{
    uint64_t end = 0;

    for (uint32_t i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->section[i];
        uint64_t align = s->sh_addralign ? s->sh_addralign : 1;

        o->at[i] = NOT_THERE;
        if (!is_wanted(o, s))
            continue;
        if (s->sh_type != SHT_PROGBITS || (s->sh_flags & (SHF_WRITE | SHF_TLS)) != 0 ||
            align > JIT_IMAGE_ALIGN || s->sh_offset > o->size ||
            s->sh_size > o->size - s->sh_offset)
            return false;
        o->at[i] = (end + align - 1) / align * align;
        end = o->at[i] + s->sh_size;
        if (end > MAX_IMAGE)
            return false;
    }
    o->code->image_bytes = end;
    o->code->image = calloc(1, end + 1);
    for (uint32_t i = 0; o->code->image != NULL && i < o->count; i++)
        if (o->at[i] != NOT_THERE)
            memcpy(o->code->image + o->at[i], o->data + o->section[i].sh_offset,
                   o->section[i].sh_size);
    return o->code->image != NULL && end > 0;
}

/* Where a symbol is in the image; false: it is not there. */
static bool symbol_place(const struct object *o, uint64_t index, uint64_t *at)
{
    const Elf64_Sym *s = &o->symbol[index];

    if (index >= o->symbols || s->st_shndx >= o->count ||
        o->at[s->st_shndx] == NOT_THERE)
        return false;
    *at = o->at[s->st_shndx] + s->st_value;
    return true;
}

static bool relocate(struct object *o, const Elf64_Rela *r, uint32_t section)
{
    uint64_t type = ELF64_R_TYPE(r->r_info), to;
    uint32_t bytes = type == R_X86_64_PC64 ? 8 : 4;
    int64_t value;

    if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32 && type != R_X86_64_PC64) ||
        !symbol_place(o, ELF64_R_SYM(r->r_info), &to) ||
        r->r_offset + bytes > o->section[section].sh_size)
        return false;
    value = (int64_t)to + r->r_addend - (int64_t)(o->at[section] + r->r_offset);
    memcpy(o->code->image + o->at[section] + r->r_offset, &value, bytes); /* LE */
    return bytes == 8 || value == (int32_t)value;
}

static bool relocate_all(struct object *o)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const Elf64_Shdr *s = &o->section[i];
        const Elf64_Rela *r = contents(o, s);

        if ((s->sh_type != SHT_RELA && s->sh_type != SHT_REL) ||
            s->sh_info >= o->count || o->at[s->sh_info] == NOT_THERE)
            continue;
        if (s->sh_type == SHT_REL || r == NULL)
            return false;
        for (uint64_t k = 0; k < s->sh_size / sizeof(*r); k++)
            if (!relocate(o, &r[k], s->sh_info))
                return false;
    }
    return true;
}

static bool find_entry(struct object *o)
{
    uint64_t at;

    for (uint32_t i = 0; i < o->symbols; i++)
        if (strcmp(o->symbol_names + o->symbol[i].st_name, "run") == 0 &&
            symbol_place(o, i, &at)) {
            o->code->entry = (uint32_t)at;
            return true;
        }
    return false;
}

bool jit_image(const uint8_t *data, size_t size, struct jit_code *code)
{
    struct object *o = calloc(1, sizeof(*o));
    bool good = o != NULL;

    if (good) {
        o->data = data;
        o->size = size;
        o->code = code;
        good = open_object(o) && place_sections(o) && relocate_all(o) && find_entry(o);
    }
    free(o);
    if (good)
        return true;
    free(code->image);
    code->image = NULL;
    code->image_bytes = 0;
    return false;
}
