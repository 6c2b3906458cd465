/* gfx_surface.h - surfaces: formats, tiles, mip levels. */
#ifndef GFX_SURFACE_H
#define GFX_SURFACE_H
#include <stdbool.h>
#include <stdint.h>

enum gfx_number { GFX_UNORM, GFX_SNORM, GFX_UINT, GFX_SINT, GFX_FLOAT };

/* A format whose channels all have one size, or one of the packed ones. */
struct gfx_format {
    uint16_t number;
    uint8_t channels, bits; /* bits of a channel; packed: 0 */
    uint8_t type;           /* enum gfx_number */
    uint8_t bytes;          /* of a block of 4x4 texels where `block` is set */
    bool bgr;               /* first in memory is blue */
    bool srgb;
    bool alpha;    /* false: alpha reads 1, and the channel in memory is none */
    uint8_t block; /* enum gfx_block of a compressed format */
};

enum gfx_block {
    GFX_NO_BLOCK,
    GFX_BC1_RGB,
    GFX_BC1,
    GFX_BC2,
    GFX_BC3,
    GFX_BC4,
    GFX_BC5,
    GFX_ETC2_RGB,
    GFX_ETC2_PTA,
    GFX_ETC2_RGBA,
    GFX_EAC_R,
    GFX_EAC_RG
};

/* NULL: not known here. */
const struct gfx_format *gfx_format(uint32_t number);
/* A texel to r g b a, floats or 32-bit integers by the format's type, and back. srgb is
 * undone and done. */
void gfx_unpack(const struct gfx_format *f, const uint8_t *texel, uint32_t rgba[4]);
/* Texel x, y of a block of 4x4. */
void gfx_unpack_block(const struct gfx_format *f, const uint8_t *block, uint32_t x,
                      uint32_t y, uint32_t rgba[4]);
void gfx_pack(const struct gfx_format *f, const uint32_t rgba[4], uint8_t *texel);

float gfx_from_srgb(float c);

enum gfx_tiling { GFX_LINEAR, GFX_TILE_W, GFX_TILE_X, GFX_TILE_Y };
enum gfx_surface_type { GFX_1D, GFX_2D, GFX_3D, GFX_CUBE, GFX_BUFFER, GFX_NULL = 7 };

struct gfx_surface {
    const struct gfx_format *format;
    uint8_t type, tiling;
    bool array;
    uint64_t va;
    uint32_t width, height, depth, pitch, qpitch; /* qpitch: rows a layer */
    uint32_t halign, valign, levels, level, first_layer, min_lod;
    uint32_t x_offset, y_offset; /* texels */
    uint8_t select[4];           /* channel: 0, 1, or 4 to 7 for r g b a */
};

/* Byte offset of texel x, y of level and layer; of a compressed format those count
 * blocks. */
uint64_t gfx_texel_offset(const struct gfx_surface *s, uint32_t x, uint32_t y,
                          uint32_t level, uint32_t layer);
uint64_t gfx_tile_offset(enum gfx_tiling tiling, uint32_t pitch, uint32_t x_byte,
                         uint32_t y);
static inline uint32_t gfx_minify(uint32_t size, uint32_t level)
{
    return size >> level > 0 ? size >> level : 1;
}
#endif
