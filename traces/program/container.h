/* container.h - the ELF that Intel's older tools put device binaries in: what ocloc
 * writes without --format zebin and clGetProgramInfo(CL_PROGRAM_BINARIES) returns.
 * Source: docs/develop/sources.md#patch-tokens   Tests: tests/traces/test_tokens.c */
#ifndef TRACES_CONTAINER_H
#define TRACES_CONTAINER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"

/* The device binary in image[bytes]; the image's own memory. */
struct container {
    const uint8_t *binary; /* patch tokens ("CTNI"), or a zebin */
    size_t bytes;
};

/* Is it such a container, or bare patch tokens? */
bool container_is(const uint8_t *image, size_t bytes);

/* Find the device binary. One that container_make() put beside a zebin and nobody
 * changed since gives the zebin. IGPU_BAD_INPUT: cut off, or without a device binary;
 * `label` begins the message. */
enum igpu_status container_open(const char *label, const uint8_t *image, size_t bytes,
                                struct container *c, struct igpu_err *err);

/* A container, malloc'ed, with the device binary of image[bytes], which is one, and
 * beside it the same program as a zebin. NULL: memory is short, or the image is none.
 */
uint8_t *container_make(const uint8_t *image, size_t bytes, const uint8_t *zebin,
                        size_t zebin_bytes, size_t *made_bytes);
#endif
