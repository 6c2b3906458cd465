/* image.h - OpenCL images and samplers, as the emulator executes them.
 *
 * An image is linear memory, mapped with emu_mem_map(), and a description of what
 * lies there; an argument (EMU_ARG_IMAGE) points to the description. The numbers of
 * channel orders, channel types and addressing modes are those that kernels see, the
 * first two also those of the OpenCL host API (cl_channel_order, cl_channel_type).
 *
 * Reading  Follows OpenCL 1.2, chapter 8, in single precision. Where the text leaves
 *          the result open: coordinates outside without a sampler read the border
 *          colour, integer formats are never filtered, the mode NONE clamps to the
 *          edge, and unnormalised coordinates repeat as normalised ones would.
 *          Reads through a sampler make 32-bit denormals zeros.
 * Writing  Rounds to nearest even and saturates. Coordinates outside write nothing.
 * Units    Sizes in texels, pitches and offsets in bytes.
 * Source   docs/develop/sources.md#images     Tests: tests/csim/test_emu_image.c,
 *          tests/traces/test_images.c */
#ifndef IGPU_IMAGE_H
#define IGPU_IMAGE_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"

/* X(enum suffix, number, word): words as `--arg image2d:...` takes them. */
#define IMAGE_ORDERS(X)                                                                \
    X(R, 0x10B0, "r")                                                                  \
    X(A, 0x10B1, "a")                                                                  \
    X(RG, 0x10B2, "rg")                                                                \
    X(RA, 0x10B3, "ra")                                                                \
    X(RGBA, 0x10B5, "rgba")                                                            \
    X(BGRA, 0x10B6, "bgra")                                                            \
    X(ARGB, 0x10B7, "argb")                                                            \
    X(INTENSITY, 0x10B8, "intensity")                                                  \
    X(LUMINANCE, 0x10B9, "luminance")                                                  \
    X(DEPTH, 0x10BD, "depth")                                                          \
    X(SRGBA, 0x10C1, "srgba")                                                          \
    X(SBGRA, 0x10C2, "sbgra")

#define IMAGE_TYPES(X)                                                                 \
    X(SNORM8, 0x10D0, "snorm8")                                                        \
    X(SNORM16, 0x10D1, "snorm16")                                                      \
    X(UNORM8, 0x10D2, "unorm8")                                                        \
    X(UNORM16, 0x10D3, "unorm16")                                                      \
    X(SINT8, 0x10D7, "i8")                                                             \
    X(SINT16, 0x10D8, "i16")                                                           \
    X(SINT32, 0x10D9, "i32")                                                           \
    X(UINT8, 0x10DA, "u8")                                                             \
    X(UINT16, 0x10DB, "u16")                                                           \
    X(UINT32, 0x10DC, "u32")                                                           \
    X(HALF, 0x10DD, "f16")                                                             \
    X(FLOAT, 0x10DE, "f32")

#define IMAGE_ENUM_ORDER(id, number, word) IMAGE_##id = number,
#define IMAGE_ENUM_TYPE(id, number, word) IMAGE_##id = number,
enum image_order { IMAGE_ORDERS(IMAGE_ENUM_ORDER) };
enum image_type { IMAGE_TYPES(IMAGE_ENUM_TYPE) };
#undef IMAGE_ENUM_ORDER
#undef IMAGE_ENUM_TYPE

enum image_kind {
    IMAGE_1D,
    IMAGE_1D_BUFFER, /* of a buffer's memory; up to 2^27 texels */
    IMAGE_1D_ARRAY,
    IMAGE_2D,
    IMAGE_2D_ARRAY,
    IMAGE_3D,
    IMAGE_KIND_COUNT
};

enum { IMAGE_MAX_SIDE = 16384, IMAGE_MAX_DEPTH = 2048, IMAGE_MAX_BUFFER = 1 << 27 };

struct emu_image {
    uint8_t kind; /* enum image_kind */
    bool linear;  /* the recorded addresses are those of the memory; else those of
                     the tiled layout that the driver gives 2-D and 3-D images */
    uint32_t order, type;          /* enum image_order, enum image_type */
    uint32_t width, height, depth; /* 1 for dimensions that the kind does not have */
    uint32_t array_size;           /* 1 unless an array */
    uint64_t row_pitch;            /* image_layout() fills what is 0 */
    uint64_t slice_pitch;          /* from slice to slice or layer to layer */
    uint64_t va;                   /* of texel 0, in the launch's address space */
};

/* What a sampler's addressing mode is called in .ze_info and by kernels. */
enum sampler_address {
    SAMPLER_NONE,
    SAMPLER_CLAMP, /* border colour */
    SAMPLER_CLAMP_TO_EDGE,
    SAMPLER_REPEAT,
    SAMPLER_MIRRORED_REPEAT,
    SAMPLER_ADDRESS_COUNT
};

struct emu_sampler {
    uint8_t address; /* enum sampler_address */
    bool normalized;
    bool linear;
};

/* Bytes of a texel, or 0 when order and type do not go together: A, INTENSITY and
 * LUMINANCE have no integer types but A; BGRA and ARGB have 8-bit types only; DEPTH
 * has UNORM16 and FLOAT; the sRGB orders have UNORM8. */
uint32_t image_texel_bytes(uint32_t order, uint32_t type);

/* Dimensions that the image has, its array index not counted: 1, 2 or 3. */
uint32_t image_dims(uint8_t kind);

/* Check an image's description and fill pitches that are 0 with the tightest ones.
 * *bytes (may be NULL) is what its memory must hold from texel 0 on.
 * IGPU_USAGE: an unknown format, a size of 0 or over a limit above, or a pitch that is
 * too small or no multiple of the texel. */
enum igpu_status image_layout(struct emu_image *image, uint64_t *bytes,
                              struct igpu_err *err);

/* One texel to and from r g b a. The four words are floats, except signed or unsigned
 * integers where the type is SINT or UINT. Channels that the order lacks read 0, a
 * lacking alpha reads 1. Unpack a format that image_texel_bytes() knows only. */
void image_unpack(uint32_t order, uint32_t type, const void *texel, uint32_t rgba[4]);
void image_pack(uint32_t order, uint32_t type, const uint32_t rgba[4], void *texel);

/* What coordinates outside read under SAMPLER_CLAMP: 0 0 0 0, or 0 0 0 1 for orders
 * without alpha. */
void image_border(uint32_t order, uint32_t type, uint32_t rgba[4]);

/* Byte offset of the texel at x, y, z (z: slice or layer; y: layer of a 1-D array) in
 * what the trace records: Y-major tiles of 128 bytes by 32 rows, whose
 * 64-byte lines hold 16 bytes of 4 rows. Coordinates must be inside. */
uint64_t image_tiled_offset(const struct emu_image *image, uint32_t x, uint32_t y,
                            uint32_t z);

/* Bytes to reserve so that the recorded addresses, too, lie in the image's own
 * mapping: what image_layout() says, or the tiles if they take more. */
uint64_t image_footprint(const struct emu_image *image);

#endif
