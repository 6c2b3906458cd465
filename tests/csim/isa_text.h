/* isa_text.h - compare decoded instructions with libiga64's own disassembly. */
#ifndef TESTS_ISA_TEXT_H
#define TESTS_ISA_TEXT_H
#include "igpu/isa.h"

/* Disassemble text[bytes] with libiga64 and, from *code, with isa_disasm(); compare
 * token by token (floats by value, targets as absolute pcs, comments and the default
 * types of payloads aside). Prints the first few differences with `name` to stderr.
 * Returns how many instructions differ. */
uint32_t compare_with_iga(const char *name, const void *text, size_t bytes,
                          const struct isa_kernel_code *code);

#endif
