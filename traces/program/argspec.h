/* argspec.h - kernel arguments written as text, and the buffers they describe.
 *
 *   buf:BYTES[:INIT]   a buffer; INIT is zero (the default), iota, fill:WORD,
 *                      ramp:FIRST:STEP, rand:SEED, randi32:SEED:LOW:HIGH,
 *                      randf16|randf32|randf64:SEED[:LOW:HIGH],
 *                      prefix:SEED:LOW:HIGH, chase:SEED[:REGIONS],
 *                      chaseidx:SEED[:REGIONS], chase64:SEED[:REGIONS],
 *                      file:PATH
 *   TYPE:V[,V]...      a value or vector; TYPE is i8 u8 i16 u16 i32 u32 i64 u64
 *                      f16 f32 f64, up to 16 elements
 *   local:BYTES        shared local memory
 *   image2d:WxH:FORMAT[:INIT]
 *                      an image with its memory's bytes as in buf; also image1d:W,
 *                      image1d_buffer:W, image1d_array:WxN, image2d_array:WxHxN,
 *                      image3d:WxHxD. FORMAT is ORDER-TYPE: r a rg ra rgba bgra argb
 *                      intensity luminance depth srgba sbgra; unorm8 unorm16 snorm8
 *                      snorm16 i8 i16 i32 u8 u16 u32 f16 f32
 *   sampler[:WORD]...  none (the default) clamp clamp_to_edge repeat mirrored_repeat;
 *                      nearest (default) linear; texels (default) normalized
 *
 * Byte counts take K, M and G (powers of 1024). The exact content of every
 * initialiser is defined in traces/kernels/README.md; the same text gives the
 * same bytes on every machine.
 * Tests: tests/traces/test_argspec.c */
#ifndef IGPU_ARGSPEC_H
#define IGPU_ARGSPEC_H

#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"
#include "igpu/image.h"

enum {
    ARGSPEC_MAX_VALUE = 128, /* bytes: 16 elements of 8 */
    ARGSPEC_MAX_PATH = 1024, /* bytes with the terminator */
    ARGSPEC_LINE = 64        /* bytes of a cache line, a chase's unit */
};
#define ARGSPEC_MAX_BYTES ((uint64_t)1 << 40)

enum argspec_kind {
    ARGSPEC_BUFFER,
    ARGSPEC_LOCAL,
    ARGSPEC_VALUE,
    ARGSPEC_IMAGE,
    ARGSPEC_SAMPLER
};

enum argspec_init {
    ARGSPEC_ZERO,
    ARGSPEC_IOTA,
    ARGSPEC_FILL,
    ARGSPEC_RAMP,
    ARGSPEC_RAND,
    ARGSPEC_RANDI32,
    ARGSPEC_RANDF16,
    ARGSPEC_RANDF32,
    ARGSPEC_RANDF64,
    ARGSPEC_PREFIX,
    ARGSPEC_CHASE,
    ARGSPEC_CHASEIDX,
    ARGSPEC_CHASE64,
    ARGSPEC_FILE
};

struct argspec {
    enum argspec_kind kind;
    enum argspec_init init;           /* buffers and images only */
    uint64_t bytes;                   /* of the buffer, image, SLM or value */
    const char *type;                 /* values: "i8" ... "f64" */
    uint64_t seed;                    /* rand*, prefix, chase* */
    uint64_t regions;                 /* chase*: 1 or more */
    double low, high;                 /* rand[if]*, prefix: both inclusive */
    uint32_t first, step;             /* fill: first; ramp: both */
    uint8_t value[ARGSPEC_MAX_VALUE]; /* values: little-endian, `bytes` of it */
    char path[ARGSPEC_MAX_PATH];      /* file */
    struct emu_image image;           /* images: without address */
    struct emu_sampler sampler;
};

/* Read one spec. IGPU_USAGE when it is not one: *err names it, what is wrong
 * and what is expected; *out is then not to be used. */
enum igpu_status argspec_parse(const char *text, struct argspec *out,
                               struct igpu_err *err);

/* Write the initial content to mem[0 .. spec->bytes). Only for buffers and images.
 * Only `file` can fail: IGPU_BAD_INPUT when it cannot be read or its size is
 * not spec->bytes; mem's content is then unspecified. */
enum igpu_status argspec_fill(const struct argspec *spec, void *mem,
                              struct igpu_err *err);

#endif
