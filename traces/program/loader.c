/* loader.c - the ELF container of a zebin; see traces/program/loader.h. */
#include "loader_impl.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"
#include "igpu/grow.h"
#include "traces/program/file_cache.h"

enum { MACHINE_INTELGT = 205 };

/* One section as the file describes it, checked against the file's size. */
struct section {
    const char *name; /* libelf's */
    Elf_Scn *scn;
    GElf_Shdr header;
    const uint8_t *bytes; /* in the image; NULL for SHT_NOBITS */
    int32_t kernel, data; /* what it became in the program, or -1 */
    bool shared;          /* it is program->shared */
};

/* A load under way. */
struct load {
    struct loader_program *program;
    struct igpu_err *err;
    const uint8_t *image;
    size_t bytes;
    Elf *elf;
    struct section *section; /* by index; 0 unused */
    size_t sections;
    /* What was copied so far: sections of an honest file do not overlap. */
    uint64_t copied_bytes, bss_bytes, name_bytes;
};

static enum igpu_status bad_section(const struct load *l, const struct section *s,
                                    const char *what)
{
    return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: section %s at 0x%" PRIx64 ": %s",
                     l->program->label, s->name, (uint64_t)s->header.sh_offset, what);
}

static enum igpu_status no_memory(const struct load *l)
{
    return igpu_no_memory(l->err, "%s", l->program->label);
}

/* Bounds that libelf is not asked to check: the section table lies in the file. */
static enum igpu_status check_header(const struct load *l)
{
    Elf64_Ehdr header;
    uint64_t table;

    if (l->bytes >= sizeof(header)) {
        memcpy(&header, l->image, sizeof(header));
        if (memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
            header.e_ident[EI_CLASS] == ELFCLASS64 &&
            header.e_ident[EI_DATA] == ELFDATA2LSB &&
            header.e_machine == MACHINE_INTELGT) {
            table = (uint64_t)header.e_shnum * sizeof(Elf64_Shdr);
            if (header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr) ||
                header.e_shoff > l->bytes || table > l->bytes - header.e_shoff)
                return igpu_fail(l->err, IGPU_BAD_INPUT,
                                 "%s: cut off: the section table of %u entries at "
                                 "0x%" PRIx64 " is not in the file's %zu bytes",
                                 l->program->label, header.e_shnum,
                                 (uint64_t)header.e_shoff, l->bytes);
            return IGPU_OK;
        }
    }
    return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: %s", l->program->label,
                     loader_what_else(l->image, l->bytes));
}

static enum igpu_status read_section(struct load *l, Elf_Scn *scn, size_t names)
{
    struct section *s = &l->section[elf_ndxscn(scn)];

    s->scn = scn;
    if (gelf_getshdr(scn, &s->header) == NULL)
        return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: section %zu: %s",
                         l->program->label, elf_ndxscn(scn), elf_errmsg(-1));
    s->name = elf_strptr(l->elf, names, s->header.sh_name);
    if (s->name == NULL)
        return igpu_fail(l->err, IGPU_BAD_INPUT,
                         "%s: section %zu: its name is outside the string table",
                         l->program->label, elf_ndxscn(scn));
    if (s->header.sh_type == SHT_NOBITS)
        return IGPU_OK;
    if (s->header.sh_offset > l->bytes ||
        s->header.sh_size > l->bytes - s->header.sh_offset)
        return bad_section(l, s, "reaches beyond the end of the file");
    s->bytes = l->image + s->header.sh_offset;
    return IGPU_OK;
}

static enum igpu_status read_sections(struct load *l)
{
    size_t names;
    enum igpu_status status = IGPU_OK;

    if (elf_getshdrnum(l->elf, &l->sections) != 0 ||
        elf_getshdrstrndx(l->elf, &names) != 0 || l->sections > LOADER_MAX_SECTIONS)
        return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: bad section table: %s",
                         l->program->label, elf_errmsg(-1));
    l->section = calloc(l->sections, sizeof(*l->section));
    if (l->section == NULL)
        return no_memory(l);
    for (size_t i = 0; i < l->sections; i++) {
        l->section[i].name = "";
        l->section[i].kernel = l->section[i].data = -1;
    }
    for (Elf_Scn *scn = elf_nextscn(l->elf, NULL); scn != NULL && status == IGPU_OK;
         scn = elf_nextscn(l->elf, scn))
        status = read_section(l, scn, names);
    return status;
}

/* Count a section's bytes before memory is asked for. */
static enum igpu_status claim(struct load *l, const struct section *s)
{
    uint64_t *sum = s->bytes != NULL ? &l->copied_bytes : &l->bss_bytes;
    uint64_t limit = s->bytes != NULL ? l->bytes : LOADER_MAX_BSS_BYTES;

    if (s->header.sh_size > limit - *sum)
        return bad_section(l, s,
                           s->bytes != NULL ? "overlaps other sections"
                                            : "claims more zeros than 256 MiB");
    *sum += s->header.sh_size;
    return IGPU_OK;
}

static const struct section *find_section(const struct load *l, const char *name)
{
    for (size_t i = 1; i < l->sections; i++)
        if (strcmp(l->section[i].name, name) == 0)
            return &l->section[i];
    return NULL;
}

static enum igpu_status load_info(struct load *l)
{
    const struct section *info = find_section(l, ".ze_info");
    const struct section *options = find_section(l, ".misc.buildOptions");
    const struct section *note = find_section(l, ".note.intelgt.compat");
    enum igpu_status status = IGPU_OK;

    if (note != NULL && note->bytes != NULL)
        status = loader_check_product(l->program->label, note->bytes,
                                      note->header.sh_size, l->err);
    if (status != IGPU_OK)
        return status;

    if (info != NULL && info->header.sh_size > LOADER_MAX_INFO_BYTES)
        return bad_section(l, info, "is larger than 16 MiB");
    if (note == NULL && (info == NULL || info->bytes == NULL))
        return igpu_fail(l->err, IGPU_BAD_INPUT,
                         "%s: has no .ze_info section; expected a zebin",
                         l->program->label);
    if (options != NULL && options->bytes != NULL)
        l->program->build_options =
            loader_copy_text((const char *)options->bytes, options->header.sh_size);
    else
        l->program->build_options = loader_copy_text("", 0);
    if (l->program->build_options == NULL)
        return no_memory(l);
    if (info == NULL || info->bytes == NULL)
        return IGPU_OK; /* a program without kernels */
    return zeinfo_parse(l->program, (const char *)info->bytes, info->header.sh_size,
                        l->err);
}

static void free_kernel(struct loader_kernel *k)
{
    free(k->name);
    free(k->text);
    free(k->per_thread_arg);
    free(k->arg);
    free(k->bti);
    free(k->buffer);
    free(k->sampler);
    free(k->arg_info);
    for (uint32_t i = 0; k->string != NULL && i < k->strings; i++)
        free(k->string[i]);
    free(k->string);
}

/* Forget the compiler's helper program, so that nobody takes it for a kernel. */
static void drop_void_program(struct loader_program *p)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->kernels; i++) {
        if (strcmp(p->kernel[i].name, LOADER_VOID_PROGRAM) == 0) {
            p->shared_simd = p->kernel[i].simd_size;
            free_kernel(&p->kernel[i]);
        } else {
            p->kernel[kept++] = p->kernel[i];
        }
    }
    p->kernels = kept;
}

static enum igpu_status load_text(struct load *l, struct loader_kernel *k,
                                  int32_t index)
{
    static const char prefix[] = ".text.";
    struct section *s = NULL;
    enum igpu_status status;

    for (size_t i = 1; i < l->sections && s == NULL; i++)
        if (strncmp(l->section[i].name, prefix, sizeof(prefix) - 1) == 0 &&
            strcmp(l->section[i].name + sizeof(prefix) - 1, k->name) == 0)
            s = &l->section[i];
    if (s == NULL || s->bytes == NULL || s->header.sh_size == 0)
        return igpu_fail(l->err, IGPU_BAD_INPUT,
                         "%s: kernel %s of .ze_info has no section .text.%s",
                         l->program->label, k->name, k->name);
    if (s->kernel >= 0)
        return bad_section(l, s, "belongs to two kernels of .ze_info");
    status = claim(l, s);
    if (status != IGPU_OK)
        return status;
    k->text = malloc(s->header.sh_size);
    if (k->text == NULL)
        return no_memory(l);
    memcpy(k->text, s->bytes, s->header.sh_size);
    k->text_bytes = s->header.sh_size;
    k->file_offset = s->header.sh_offset;
    s->kernel = index;
    return IGPU_OK;
}

/* Functions outside of every kernel, if the file has some. */
static enum igpu_status load_shared(struct load *l)
{
    struct section *s = NULL;
    enum igpu_status status;

    for (size_t i = 1; i < l->sections && s == NULL; i++)
        if (strcmp(l->section[i].name, ".text." LOADER_VOID_PROGRAM) == 0)
            s = &l->section[i];
    if (s == NULL || s->bytes == NULL || s->header.sh_size == 0 || s->kernel >= 0)
        return IGPU_OK;
    status = claim(l, s);
    if (status != IGPU_OK)
        return status;
    l->program->shared = malloc(s->header.sh_size);
    if (l->program->shared == NULL)
        return no_memory(l);
    memcpy(l->program->shared, s->bytes, s->header.sh_size);
    l->program->shared_bytes = s->header.sh_size;
    s->shared = true;
    return IGPU_OK;
}

static bool data_kind(const char *name, enum loader_data_kind *kind)
{
    static const struct {
        const char *name;
        enum loader_data_kind kind;
    } kinds[] = {
        {".data.const", LOADER_DATA_CONST},
        {".data.const.string", LOADER_DATA_STRING},
        {".data.global", LOADER_DATA_GLOBAL},
        {".bss.const", LOADER_DATA_CONST},
        {".bss.global", LOADER_DATA_GLOBAL},
    };

    *kind = LOADER_DATA_OTHER;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(name, kinds[i].name) == 0)
            *kind = kinds[i].kind;
    return *kind != LOADER_DATA_OTHER || strncmp(name, ".data.", 6) == 0 ||
           strncmp(name, ".bss", 4) == 0;
}

static enum igpu_status load_data_section(struct load *l, struct section *s,
                                          enum loader_data_kind kind)
{
    struct loader_data *d = &l->program->data[l->program->datas];
    uint64_t align = s->header.sh_addralign;
    enum igpu_status status;

    if (align == 0)
        align = 1;
    if ((align & (align - 1)) != 0 || align > 1u << 16)
        return bad_section(l, s, "its alignment is not a power of two up to 64 KiB");
    status = claim(l, s);
    if (status != IGPU_OK)
        return status;
    d->name = loader_copy_text(s->name, strlen(s->name));
    d->data = calloc(1, s->header.sh_size + 1);
    l->program->datas++;
    if (d->name == NULL || d->data == NULL)
        return no_memory(l);
    if (s->bytes != NULL)
        memcpy(d->data, s->bytes, s->header.sh_size);
    d->kind = kind;
    d->bytes = s->header.sh_size;
    d->align = align;
    s->data = (int32_t)(l->program->datas - 1);
    return IGPU_OK;
}

static enum igpu_status load_data(struct load *l)
{
    enum igpu_status status = IGPU_OK;

    l->program->data = calloc(l->sections, sizeof(*l->program->data));
    if (l->program->data == NULL)
        return no_memory(l);
    for (size_t i = 1; i < l->sections && status == IGPU_OK; i++) {
        enum loader_data_kind kind;

        if (data_kind(l->section[i].name, &kind))
            status = load_data_section(l, &l->section[i], kind);
    }
    return status;
}

static enum igpu_status load_symbol(struct load *l, const struct section *table,
                                    const GElf_Sym *sym, struct loader_symbol *out)
{
    const char *name = elf_strptr(l->elf, table->header.sh_link, sym->st_name);
    const struct section *home;

    out->data = out->kernel = -1;
    if (name == NULL || strlen(name) > LOADER_MAX_NAME_BYTES)
        return bad_section(l, table, "a symbol's name is outside the string table");
    l->name_bytes += strlen(name) + 1;
    if (l->name_bytes > LOADER_MAX_NAMES_BYTES)
        return bad_section(l, table, "its names are longer than 64 MiB");
    out->name = loader_copy_text(name, strlen(name));
    if (out->name == NULL)
        return no_memory(l);
    out->value = sym->st_value;
    out->size = sym->st_size;
    out->is_undefined = sym->st_shndx == SHN_UNDEF;
    if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
        return IGPU_OK;
    if (sym->st_shndx >= l->sections)
        return bad_section(l, table, "a symbol lies in a section that does not exist");
    home = &l->section[sym->st_shndx];
    if (sym->st_value > home->header.sh_size)
        return bad_section(l, table, "a symbol lies outside its section");
    out->data = home->data;
    out->kernel = home->kernel;
    out->is_shared = home->shared;
    return IGPU_OK;
}

static enum igpu_status load_symbols(struct load *l)
{
    const struct section *table = find_section(l, ".symtab");
    Elf_Data *data;
    size_t count;
    enum igpu_status status = IGPU_OK;

    if (table == NULL || table->header.sh_size == 0)
        return IGPU_OK;
    if (table->header.sh_type != SHT_SYMTAB ||
        table->header.sh_entsize != sizeof(Elf64_Sym))
        return bad_section(l, table, "is not a table of 64-bit symbols");
    data = elf_getdata(table->scn, NULL);
    count = table->header.sh_size / sizeof(Elf64_Sym);
    if (count > LOADER_MAX_SYMBOLS)
        return bad_section(l, table, "has more than a million symbols");
    if (data == NULL || data->d_size < count * sizeof(Elf64_Sym))
        return bad_section(l, table, "cannot be read");
    l->program->symbol = calloc(count, sizeof(*l->program->symbol));
    if (l->program->symbol == NULL)
        return no_memory(l);
    for (size_t i = 0; i < count && status == IGPU_OK; i++) {
        GElf_Sym sym;

        if (gelf_getsym(data, (int)i, &sym) == NULL)
            return bad_section(l, table, "has a symbol that cannot be read");
        status = load_symbol(l, table, &sym, &l->program->symbol[i]);
        l->program->symbols++;
    }
    return status;
}

/* Bytes that a relocation type patches. */
static uint64_t reloc_bytes(uint32_t type)
{
    return type == LOADER_RELOC_64 ? 8 : 4;
}

static enum igpu_status load_reloc(struct load *l, const struct section *table,
                                   const GElf_Rela *rela)
{
    struct loader_reloc *r = &l->program->reloc[l->program->relocs];
    const struct section *target = &l->section[table->header.sh_info];

    r->type = (uint32_t)GELF_R_TYPE(rela->r_info);
    r->symbol = (uint32_t)GELF_R_SYM(rela->r_info);
    r->offset = rela->r_offset;
    r->addend = rela->r_addend;
    r->kernel = target->kernel;
    r->data = target->data;
    r->in_shared = target->shared;
    if (r->symbol >= l->program->symbols)
        return bad_section(l, table, "names a symbol that does not exist");
    if (r->offset > target->header.sh_size ||
        reloc_bytes(r->type) > target->header.sh_size - r->offset)
        return bad_section(l, table, "patches beyond the end of its section");
    l->program->relocs++;
    return IGPU_OK;
}

static enum igpu_status load_reloc_table(struct load *l, const struct section *table)
{
    bool rela = table->header.sh_type == SHT_RELA;
    size_t entry = rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    size_t count = table->header.sh_size / entry;
    Elf_Data *data;
    enum igpu_status status = IGPU_OK;

    if (table->header.sh_entsize != entry || table->header.sh_info >= l->sections)
        return bad_section(l, table, "is not a relocation table of 64-bit entries");
    if (count == 0 || (l->section[table->header.sh_info].kernel < 0 &&
                       l->section[table->header.sh_info].data < 0 &&
                       !l->section[table->header.sh_info].shared))
        return IGPU_OK; /* for what is not loaded, such as debug information */
    data = elf_getdata(table->scn, NULL);
    if (data == NULL || data->d_size < count * entry)
        return bad_section(l, table, "cannot be read");
    if (!IGPU_RESIZE(l->program->reloc, l->program->relocs + count))
        return no_memory(l);
    for (size_t i = 0; i < count && status == IGPU_OK; i++) {
        GElf_Rela one = {0};
        GElf_Rel plain;

        if (rela ? gelf_getrela(data, (int)i, &one) == NULL
                 : gelf_getrel(data, (int)i, &plain) == NULL)
            return bad_section(l, table, "has an entry that cannot be read");
        if (!rela) {
            one.r_offset = plain.r_offset;
            one.r_info = plain.r_info;
        }
        status = load_reloc(l, table, &one);
    }
    return status;
}

static enum igpu_status load_relocs(struct load *l)
{
    enum igpu_status status = IGPU_OK;

    for (size_t i = 1; i < l->sections && status == IGPU_OK; i++)
        if (l->section[i].header.sh_type == SHT_REL ||
            l->section[i].header.sh_type == SHT_RELA)
            status = load_reloc_table(l, &l->section[i]);
    return status;
}

static enum igpu_status load_parts(struct load *l)
{
    enum igpu_status status = read_sections(l);

    if (status == IGPU_OK)
        status = load_info(l);
    if (status == IGPU_OK)
        drop_void_program(l->program);
    for (uint32_t i = 0; i < l->program->kernels && status == IGPU_OK; i++)
        status = load_text(l, &l->program->kernel[i], (int32_t)i);
    if (status == IGPU_OK)
        status = load_shared(l);
    if (status == IGPU_OK)
        status = load_data(l);
    if (status == IGPU_OK)
        status = load_symbols(l);
    if (status == IGPU_OK)
        status = load_relocs(l);
    return status == IGPU_OK ? loader_link(l->program, l->err) : status;
}

static enum igpu_status load_zebin(struct load *l)
{
    enum igpu_status status = check_header(l);

    if (status != IGPU_OK)
        return status;
    (void)elf_version(EV_CURRENT);
    l->elf = elf_memory((char *)(uintptr_t)l->image, l->bytes); /* only reads */
    if (l->elf == NULL)
        return igpu_fail(l->err, IGPU_BAD_INPUT, "%s: %s", l->program->label,
                         elf_errmsg(-1));
    status = load_parts(l);
    if (status == IGPU_OK)
        loader_read_lines(l->elf, l->program);
    if (status == IGPU_OK && l->program->lines != 0)
        loader_read_calls(l->elf, l->program);
    free(l->section);
    (void)elf_end(l->elf);
    return status;
}

/* Patch tokens, or a zebin, in a container or not. */
static enum igpu_status load_image(struct load *l)
{
    struct container c = {l->image, l->bytes};
    enum igpu_status status = IGPU_OK;

    if (l->bytes > LOADER_MAX_FILE_BYTES)
        return igpu_fail(l->err, IGPU_BAD_INPUT,
                         "%s: %zu bytes are too many for a zebin", l->program->label,
                         l->bytes);
    if (!container_is(l->image, l->bytes))
        return load_zebin(l);
    status = container_open(l->program->label, l->image, l->bytes, &c, l->err);
    if (status != IGPU_OK)
        return status;
    l->image = c.binary;
    l->bytes = c.bytes;
    if (l->bytes >= SELFMAG && memcmp(l->image, ELFMAG, SELFMAG) == 0)
        return load_zebin(l);
    status = tokens_parse(l->program, l->image, l->bytes, l->err);
    if (status == IGPU_OK)
        drop_void_program(l->program);
    return status;
}

/* Names come from the file: keep the message one readable line. */
static void clean_line(struct igpu_err *err)
{
    for (char *p = err == NULL ? NULL : err->text; p != NULL && *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            *p = '?';
}

enum igpu_status loader_open_memory(const char *label, const void *image, size_t bytes,
                                    struct loader_program **program,
                                    struct igpu_err *err)
{
    struct load l = {.err = err, .image = image, .bytes = bytes};
    enum igpu_status status;

    *program = NULL;
    l.program = calloc(1, sizeof(*l.program));
    if (l.program != NULL)
        l.program->label = loader_copy_text(label, strlen(label));
    if (l.program == NULL || l.program->label == NULL) {
        free(l.program);
        return igpu_no_memory(err, "%s", label);
    }
    status = load_image(&l);
    if (status == IGPU_OK)
        *program = l.program;
    else
        loader_free(l.program);
    if (status != IGPU_OK)
        clean_line(err);
    return status;
}

enum igpu_status loader_open_file(const char *path, struct loader_program **program,
                                  struct igpu_err *err)
{
    size_t bytes = 0;
    uint8_t *image = read_whole_file(path, LOADER_MAX_FILE_BYTES, &bytes);
    enum igpu_status status;

    *program = NULL;
    if (image == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot read: %s", path,
                         strerror(errno));
    status = loader_open_memory(path, image, bytes, program, err);
    free(image);
    return status;
}

void loader_free(struct loader_program *program)
{
    if (program == NULL)
        return;
    for (uint32_t i = 0; i < program->kernels; i++)
        free_kernel(&program->kernel[i]);
    for (uint32_t i = 0; i < program->datas; i++) {
        free(program->data[i].name);
        free(program->data[i].data);
    }
    for (uint32_t i = 0; i < program->symbols; i++)
        free(program->symbol[i].name);
    free(program->kernel);
    free(program->shared);
    free(program->data);
    free(program->symbol);
    free(program->reloc);
    for (uint32_t i = 0; i < program->sources; i++)
        free(program->source[i]);
    free(program->source);
    free(program->line);
    free(program->call);
    free(program->range);
    free(program->label);
    free(program->build_options);
    free(program);
}
