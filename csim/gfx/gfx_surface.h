/* gfx_surface.h - surfaces: tiles, mip levels; formats are csim/tex's. */
#ifndef GFX_SURFACE_H
#define GFX_SURFACE_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/tex/tex.h"
#include "gfx_packet.h"

enum { GFX_FLOAT_ONE = 127 << 23 }; /* 1, as the bits of a float */

enum gfx_tiling { GFX_LINEAR, GFX_TILE_W, GFX_TILE_X, GFX_TILE_Y };
/* Notes on blocks of a surface; what they are about is always in its place as well, so
 * only clears look at them. */
enum gfx_aux { GFX_AUX_NONE, GFX_AUX_CLEAR = 1, GFX_AUX_DEPTH = 3, GFX_AUX_COLOUR = 5 };
enum gfx_surface_type { GFX_1D, GFX_2D, GFX_3D, GFX_CUBE, GFX_BUFFER, GFX_NULL = 7 };

struct gfx_surface {
    const struct tex_format *format;
    uint8_t type, tiling;
    bool array;
    /* Several samples a pixel are layers each, or between the pixels of one. */
    uint8_t samples_log2;
    bool interleaved;
    uint64_t va;
    uint32_t width, height, depth, pitch, qpitch; /* qpitch: rows a layer */
    uint32_t halign, valign, levels, level, first_layer, min_lod;
    uint32_t last_layer;         /* behind first_layer, that can be drawn to */
    uint32_t x_offset, y_offset; /* texels */
    uint8_t select[4];           /* channel: 0, 1, or 4 to 7 for r g b a */
    uint8_t aux;                 /* enum gfx_aux: notes on its blocks */
    uint64_t aux_va;
    uint32_t aux_pitch, aux_qpitch; /* aux_qpitch: rows a layer */
    uint32_t clear[4];              /* clear: what a fast clear stands for, r g b a */
};

/* Within a tile of 64x64 bytes the bits of x and y alternate. */
static inline uint64_t gfx_w_tile_offset(uint32_t pitch, uint32_t x, uint32_t y)
{
    uint64_t tile = (uint64_t)(y / 64) * (pitch / 128) + x / 64;

    return tile * 4096 + 512 * (x >> 3 & 7) + 64 * (y >> 3 & 7) + 32 * (y >> 2 & 1) +
           16 * (x >> 2 & 1) + 8 * (y >> 1 & 1) + 4 * (x >> 1 & 1) + 2 * (y & 1) +
           (x & 1);
}

static inline uint64_t gfx_tile_offset(enum gfx_tiling tiling, uint32_t pitch,
                                       uint32_t x_byte, uint32_t y)
{
    switch (tiling) {
    case GFX_TILE_Y: /* 128 bytes by 32 rows: columns of 16 bytes */
        return ((uint64_t)(y / 32) * (pitch / 128) + x_byte / 128) * 4096 +
               x_byte % 128 / 16 * 512 + y % 32 * 16 + x_byte % 16;
    case GFX_TILE_X: /* 512 bytes by 8 rows */
        return ((uint64_t)(y / 8) * (pitch / 512) + x_byte / 512) * 4096 + y % 8 * 512 +
               x_byte % 512;
    case GFX_TILE_W:
        return gfx_w_tile_offset(pitch, x_byte, y);
    default:
        return (uint64_t)y * pitch + x_byte;
    }
}

/* A surface of one dimension in tiles, one of depths, is one of two that is one high.
 */
static inline bool gfx_is_line(const struct gfx_surface *s)
{
    return s->type == GFX_1D && s->tiling == GFX_LINEAR;
}

/* 16 bytes of a row, from a multiple of 16 on, lie side by side. */
enum { GFX_SIDE_BY_SIDE = 16 };
static inline bool gfx_is_side_by_side(const struct gfx_surface *s)
{
    return s->tiling != GFX_TILE_W && !gfx_is_line(s) &&
           s->va % GFX_SIDE_BY_SIDE == 0 && s->pitch % GFX_SIDE_BY_SIDE == 0;
}

/* Is level target->level, which is drawn to, none of those that s has, of the same
 * surface, and does it share no byte with them? Of one layer and sample. */
bool gfx_is_other_level(const struct gfx_surface *s, const struct gfx_surface *target);
/* Byte offset of texel x, y of level and layer; of a compressed format those count
 * blocks. */
uint64_t gfx_texel_offset(const struct gfx_surface *s, uint32_t x, uint32_t y,
                          uint32_t level, uint32_t layer);

/* A level and layer of which many texels are looked for, one after the other: where its
 * first one lies, in texels of the surface; not for one dimension. */
struct gfx_level {
    uint32_t level, layer, x, y;
};
struct gfx_level gfx_find_level(const struct gfx_surface *s, uint32_t level,
                                uint32_t layer);
static inline uint64_t gfx_offset_in(const struct gfx_surface *s,
                                     const struct gfx_level *l, uint32_t x, uint32_t y)
{
    if (gfx_is_line(s))
        return gfx_texel_offset(s, x, y, l->level, l->layer);
    return gfx_tile_offset((enum gfx_tiling)s->tiling, s->pitch,
                           (l->x + x) * s->format->bytes, l->y + y);
}

/* Of a rectangle of a surface whose bytes lie side by side (gfx_is_side_by_side()),
 * that ends before x1, y1, the part from x, y on that lies in one piece: `wide` texels
 * of each of `high` rows, `stride` bytes apart. How high it is depends on y alone. */
struct gfx_piece {
    uint32_t wide, high, stride;
};
struct gfx_piece gfx_find_piece(const struct gfx_surface *s, const struct gfx_level *l,
                                uint32_t x, uint32_t y, uint32_t x1, uint32_t y1);

/* Bytes from a surface's first one to the end of the tile with the last of so many
 * columns, in bytes, and rows: each buffer is whole pages. */
static inline uint64_t gfx_surface_bytes(const struct gfx_surface *s, uint32_t columns,
                                         uint32_t rows)
{
    uint64_t last =
        gfx_tile_offset((enum gfx_tiling)s->tiling, s->pitch, columns - 1, rows - 1);

    return s->tiling == GFX_LINEAR ? last + 1 : (last / 4096 + 1) * 4096;
}

/* Where sample `sample` of pixel x, y lies among them. */
void gfx_interleave(uint32_t samples, uint32_t sample, uint32_t *x, uint32_t *y);

static inline uint32_t gfx_minify(uint32_t size, uint32_t level)
{
    return size >> level > 0 ? size >> level : 1;
}
#endif
