/* printf.h - what a kernel's printf() left in the printf buffer, as text.
 *
 * The buffer starts with a dword that counts its used bytes, itself included. Each
 * call of printf adds the 64-bit address of its format and, for each argument, a
 * dword with its kind and its bytes. A kernel that runs out of room drops the output.
 * Tests: tests/traces/test_program.c   Source: docs/develop/sources.md#printf */
#ifndef TRACES_PRINTF_H
#define TRACES_PRINTF_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/emu.h"
#include "traces/program/loader.h"

/* The compiler's own number: kernels check against it. */
enum { PRINTF_BUFFER_BYTES = 4 << 20 };

/* Make buffer[PRINTF_BUFFER_BYTES] empty, before a launch. Map it and give its address
 * as emu_launch.printf_va. */
void printf_buffer_clear(void *buffer);

/* Was there no room for some of what the kernel printed? */
bool printf_buffer_is_full(const void *buffer);

/* Format all that is in buffer[bytes], in its order, and hand the text to write() in
 * pieces that are not terminated and may hold zeros (%c). Formats and strings are read
 * from mem. Conversions are those of OpenCL C 3.0, 6.15.14; what a format asks for
 * beyond its arguments prints nothing. A kernel of patch tokens names formats and
 * strings by their numbers in kernel->string; kernel may be NULL. IGPU_BAD_INPUT when
 * the content is damaged: a format or string that is not mapped or not terminated, an
 * unknown argument kind; what was before it has been written. */
enum igpu_status printf_print(const void *buffer, uint64_t bytes, struct emu_mem *mem,
                              const struct loader_kernel *kernel,
                              void (*write)(void *ctx, const char *text, size_t length),
                              void *ctx, struct igpu_err *err);

#endif
