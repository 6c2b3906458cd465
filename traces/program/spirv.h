/* spirv.h - SPIR-V as Intel's compiler of Debian 12 can take it. DPC++ 2023.2 and later
 * read one component of a built-in vector (a global id) through a pointer to it, by
 * which IGC 1.0.12504 ends in a crash; a load of the vector and what is taken of it say
 * the same.
 * Tests: tests/traces/test_spirv.c */
#ifndef TRACES_SPIRV_H
#define TRACES_SPIRV_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *mended: the module with such loads rewritten, malloc'ed, of *mended_bytes; NULL: it
 * has none, or is no module of the host's byte order. False: memory is short. */
bool spirv_mend(const void *module, size_t bytes, uint32_t **mended,
                size_t *mended_bytes);
#endif
