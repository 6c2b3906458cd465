/* container.c - see traces/program/container.h. */
#include "container.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

enum {
    FIRST_TYPE = 0xFF01, /* of the ELF: source, object, library, executable, ... */
    LAST_TYPE = 0xFF05,
    EXECUTABLE = 0xFF04,
    DEVICE_BINARY = (int)0xFF000005u, /* of a section */
    BESIDE = (int)0xFF0D5647u,        /* ours: a digest of the device binary, a zebin */
    DIGEST_BYTES = 8,
    SECTIONS = 4
};

static bool is_elf(const uint8_t *image, size_t bytes)
{
    return bytes >= sizeof(Elf64_Ehdr) && memcmp(image, ELFMAG, SELFMAG) == 0 &&
           image[EI_CLASS] == ELFCLASS64 && image[EI_DATA] == ELFDATA2LSB;
}

static bool is_tokens(const uint8_t *image, size_t bytes)
{
    return bytes >= 4 && memcmp(image, "CTNI", 4) == 0;
}

bool container_is(const uint8_t *image, size_t bytes)
{
    Elf64_Ehdr header;

    if (is_tokens(image, bytes))
        return true;
    if (!is_elf(image, bytes))
        return false;
    memcpy(&header, image, sizeof(header));
    return header.e_machine == 0 && header.e_type >= FIRST_TYPE &&
           header.e_type <= LAST_TYPE;
}

/* Do all sections lie in the image? */
static bool is_whole(const uint8_t *image, size_t bytes)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;

    memcpy(&header, image, sizeof(header));
    if (header.e_shentsize != sizeof(section) || header.e_shoff > bytes ||
        (uint64_t)header.e_shnum * sizeof(section) > bytes - header.e_shoff)
        return false;
    for (uint32_t i = 0; i < header.e_shnum; i++) {
        memcpy(&section, image + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type != SHT_NOBITS &&
            (section.sh_offset > bytes || section.sh_size > bytes - section.sh_offset))
            return false;
    }
    return true;
}

/* The first section of a type in an image that is whole; false: there is none. */
static bool find_section(const uint8_t *image, uint32_t type, struct container *c)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;

    memcpy(&header, image, sizeof(header));
    for (uint32_t i = 0; i < header.e_shnum; i++) {
        memcpy(&section, image + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type == type) {
            *c = (struct container){image + section.sh_offset, section.sh_size};
            return true;
        }
    }
    return false;
}

/* The zebin beside the device binary, if that is as it was. */
static void prefer_zebin(const uint8_t *image, struct container *c)
{
    struct container beside;
    uint64_t digest;

    if (!find_section(image, (uint32_t)BESIDE, &beside) || beside.bytes < DIGEST_BYTES)
        return;
    memcpy(&digest, beside.binary, sizeof(digest));
    if (digest == XXH3_64bits(c->binary, c->bytes))
        *c = (struct container){beside.binary + DIGEST_BYTES,
                                beside.bytes - DIGEST_BYTES};
}

enum igpu_status container_open(const char *label, const uint8_t *image, size_t bytes,
                                struct container *c, struct igpu_err *err)
{
    *c = (struct container){image, bytes};
    if (is_tokens(image, bytes))
        return IGPU_OK;
    if (!is_whole(image, bytes))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: cut off: its sections are not in the file", label);
    if (!find_section(image, (uint32_t)DEVICE_BINARY, c))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: holds no device binary, only sources or an intermediate "
                         "form; compile it with ocloc -device skl",
                         label);
    prefer_zebin(image, c);
    return IGPU_OK;
}

/* ---- making one --------------------------------------------------------- */

static void put_section(Elf64_Shdr *section, uint32_t name, uint32_t type, uint64_t *at,
                        uint64_t bytes)
{
    *at = (*at + 7) / 8 * 8;
    *section = (Elf64_Shdr){.sh_name = name,
                            .sh_type = type,
                            .sh_offset = *at,
                            .sh_size = bytes,
                            .sh_addralign = 8};
    *at += bytes;
}

/* The device binary is followed by what may move when it grows, in the same order as
 * the table has it: who replaces a kernel moves what follows by the difference. */
uint8_t *container_make(const uint8_t *image, size_t bytes, const uint8_t *zebin,
                        size_t zebin_bytes, size_t *made_bytes)
{
    static const char names[] = "\0Intel(R) OpenCL Device Binary\0Vigpu zebin\0"
                                ".shstrtab";
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                     ELFDATA2LSB, EV_CURRENT},
                         .e_type = EXECUTABLE,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof(header),
                         .e_ehsize = sizeof(header),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = SECTIONS - 1};
    Elf64_Shdr section[SECTIONS] = {{0}};
    uint64_t at = sizeof(header) + sizeof(section), digest;
    struct container c;
    uint8_t *made;

    if (!container_is(image, bytes) ||
        container_open("", image, bytes, &c, NULL) != IGPU_OK)
        return NULL;
    put_section(&section[1], 1, (uint32_t)DEVICE_BINARY, &at, c.bytes);
    put_section(&section[2], 31, (uint32_t)BESIDE, &at, DIGEST_BYTES + zebin_bytes);
    put_section(&section[3], 43, SHT_STRTAB, &at, sizeof(names));
    made = calloc(1, at);
    if (made == NULL)
        return NULL;
    digest = XXH3_64bits(c.binary, c.bytes);
    memcpy(made, &header, sizeof(header));
    memcpy(made + sizeof(header), section, sizeof(section));
    memcpy(made + section[1].sh_offset, c.binary, c.bytes);
    memcpy(made + section[2].sh_offset, &digest, sizeof(digest));
    memcpy(made + section[2].sh_offset + DIGEST_BYTES, zebin, zebin_bytes);
    memcpy(made + section[3].sh_offset, names, sizeof(names));
    *made_bytes = at;
    return made;
}
