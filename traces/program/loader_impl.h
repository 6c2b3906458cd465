/* loader_impl.h - what the parts of the loader share. */
#ifndef TRACES_LOADER_IMPL_H
#define TRACES_LOADER_IMPL_H
#include <stdlib.h>
#include <string.h>

#include "traces/program/loader.h"

/* The longest name that .ze_info or .symtab may give a kernel or symbol. */
enum { LOADER_MAX_NAME_BYTES = 4096, LOADER_MAX_PAYLOAD_BYTES = 65536 };

/* The compiler's helper program: no kernel, but the home of functions whose address is
 * taken, which any kernel may call. */
#define LOADER_VOID_PROGRAM "Intel_Symbol_Table_Void_Program"

/* Parse .ze_info text[bytes]: makes program->kernel[] without their text. */
enum igpu_status zeinfo_parse(struct loader_program *program, const char *text,
                              size_t bytes, struct igpu_err *err);

/* Patch tokens bytes[size] to all of *program, in any state on failure. */
enum igpu_status tokens_parse(struct loader_program *program, const uint8_t *bytes,
                              size_t size, struct igpu_err *err);

/* what_else.c: what a file that is no zebin looks like, and what to do about it: the
 * end of a message that begins with the file's name. */
const char *loader_what_else(const uint8_t *image, size_t bytes);

/* product.c: IGPU_BAD_INPUT when the content of .note.intelgt.compat names a product
 * that is no Gen9. */
enum igpu_status loader_check_product(const char *label, const uint8_t *note,
                                      size_t bytes, struct igpu_err *err);

/* link.c: append the shared functions to the kernels that use them, and copy the
 * relocations in them. IGPU_BAD_INPUT when memory is short. */
enum igpu_status loader_link(struct loader_program *program, struct igpu_err *err);

/* malloc'ed; NULL: no memory. */
static inline char *loader_copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* lines.c: program->line and source, where the file has them. */
struct Elf;
void loader_read_lines(struct Elf *elf, struct loader_program *program);
/* The number of the source in p->source, a new one if need be; LOADER_MAX_SOURCES:
 * there is no room, or no memory. */
uint32_t loader_source_of(struct loader_program *p, const char *name);
/* calls.c: calls of inlined functions, behind the lines. */
void loader_read_calls(struct Elf *elf, struct loader_program *program);

#endif
