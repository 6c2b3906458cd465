/* what_else.c - files that are no zebin, and what to do about them. */
#include <elf.h>
#include <string.h>

#include "loader_impl.h"

/* What an ELF is that is neither a zebin nor a container of patch tokens. */
static const char *which_elf(const uint8_t *image, size_t bytes)
{
    if (image[EI_CLASS] == ELFCLASS32)
        return "is a 32-bit ELF; expected a zebin for a 64-bit device: compile it "
               "with ocloc ... -64 --format zebin";
    if (image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != ELFDATA2LSB ||
        bytes < sizeof(Elf64_Ehdr))
        return "is a damaged or foreign ELF; expected a zebin, as ocloc compile "
               "--format zebin writes it";
    return "is an ELF, but not for Intel GPUs (machine 205); expected a zebin, as "
           "ocloc "
           "compile --format zebin writes it";
}

const char *loader_what_else(const uint8_t *image, size_t bytes)
{
    static const struct {
        const char *magic;
        size_t length;
        const char *what;
    } formats[] = {
        {"\x03\x02\x23\x07", 4, "is SPIR-V; compile it to a zebin first"},
        {"BC\xC0\xDE", 4, "is LLVM bitcode; compile it to a zebin first"},
        {"!<arch>", 7, "is an archive of binaries; extract the one for Gen9"},
    };

    if (bytes == 0)
        return "is empty";
    if (bytes >= EI_NIDENT && memcmp(image, ELFMAG, SELFMAG) == 0)
        return which_elf(image, bytes);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (bytes >= formats[i].length &&
            memcmp(image, formats[i].magic, formats[i].length) == 0)
            return formats[i].what;
    return "is not a zebin (no ELF header)";
}
