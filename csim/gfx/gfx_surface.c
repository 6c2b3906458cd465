/* gfx_surface.c - where a texel lies: tiles, mip levels, layers; many texels in one
 * colour. */
#include "gfx_int.h"

static uint32_t up(uint32_t size, uint32_t align)
{
    return (size + align - 1) / align * align;
}

/* Columns and rows of a level, in texels or blocks. */
static uint32_t columns(const struct gfx_surface *s, uint32_t level)
{
    uint32_t n = gfx_minify(s->width, level), wide = tex_block_width(s->format);

    return s->format->block ? (n + wide - 1) / wide : n;
}

static uint32_t rows(const struct gfx_surface *s, uint32_t level)
{
    uint32_t n = gfx_minify(s->height, level), high = tex_block_height(s->format);

    return s->format->block ? (n + high - 1) / high : n;
}

/* One dimension, no tiles: levels follow each other, each a whole number of 64 texels;
 * layers are qpitch texels apart. */
static uint64_t line_offset(const struct gfx_surface *s, uint32_t x, uint32_t level,
                            uint32_t layer)
{
    for (uint32_t i = 0; i < level; i++)
        x += up(gfx_minify(s->width, i), 64);
    return ((uint64_t)layer * s->qpitch + x + s->x_offset) * s->format->bytes;
}

struct gfx_level gfx_find_level(const struct gfx_surface *s, uint32_t level,
                                uint32_t layer)
{
    uint32_t slice = s->interleaved ? layer : layer << s->samples_log2;
    struct gfx_level l = {level, layer, s->x_offset, slice * s->qpitch + s->y_offset};

    /* Level 1 lies below level 0, the others in a column to the right of level 1. */
    if (level > 0)
        l.y += up(rows(s, 0), s->valign);
    if (level > 1)
        l.x += up(columns(s, 1), s->halign);
    for (uint32_t i = 2; i < level; i++)
        l.y += up(rows(s, i), s->valign);
    return l;
}

/* Do rows hold its levels? Then no two of them have a texel in common. */
static bool is_wide_enough(const struct gfx_surface *s)
{
    const uint64_t first = columns(s, 0),
                   others = (uint64_t)up(columns(s, 1), s->halign) + columns(s, 2),
                   bytes = s->format->bytes;

    return (first > others ? first : others) * bytes + s->x_offset * bytes <= s->pitch;
}

static bool is_same_place(const struct gfx_surface *s, const struct gfx_surface *t)
{
    return s->va == t->va && s->format->bytes == t->format->bytes &&
           s->tiling == t->tiling && s->width == t->width && s->height == t->height &&
           s->pitch == t->pitch && s->halign == t->halign && s->valign == t->valign &&
           s->x_offset == t->x_offset && s->y_offset == t->y_offset &&
           s->first_layer == t->first_layer && s->qpitch == t->qpitch;
}

bool gfx_is_other_level(const struct gfx_surface *s, const struct gfx_surface *target)
{
    return s->type == GFX_2D && target->type == GFX_2D && s->depth == 1 &&
           target->depth == 1 && s->samples_log2 == 0 && target->samples_log2 == 0 &&
           !s->format->block && !target->format->block && is_same_place(s, target) &&
           is_wide_enough(s) &&
           (target->level < s->min_lod || target->level >= s->min_lod + s->levels);
}

uint64_t gfx_texel_offset(const struct gfx_surface *s, uint32_t x, uint32_t y,
                          uint32_t level, uint32_t layer)
{
    struct gfx_level l;

    if (gfx_is_line(s))
        return line_offset(s, x, level, layer);
    l = gfx_find_level(s, level, layer);
    return gfx_offset_in(s, &l, x, y);
}

struct gfx_piece gfx_find_piece(const struct gfx_surface *s, const struct gfx_level *l,
                                uint32_t x, uint32_t y, uint32_t x1, uint32_t y1)
{
    bool column = s->tiling == GFX_TILE_Y;
    uint32_t bytes = s->format->bytes, first = (l->x + x) * bytes, row = l->y + y;
    uint32_t stride = column                    ? GFX_SIDE_BY_SIDE
                      : s->tiling == GFX_TILE_X ? 512
                                                : s->pitch;
    uint32_t rows = column ? 32 : s->tiling == GFX_TILE_X ? 8 : 1;
    uint32_t wide = (stride - first % stride) / bytes, high = rows - row % rows;

    return (struct gfx_piece){wide < x1 - x ? wide : x1 - x,
                              high < y1 - y ? high : y1 - y, stride};
}

void gfx_interleave(uint32_t samples, uint32_t sample, uint32_t *x, uint32_t *y)
{
    uint32_t left = samples >= 8 ? *x << 2 & ~7u : *x << 1 & ~3u;
    uint32_t top = samples == 16 ? *y << 2 & ~7u : *y << 1 & ~3u;

    /* Bits 0 and 2 of the sample go across, 1 and 3 down, each above the pixel's own.
     */
    *x = left | (samples >= 8 ? sample & 4 : 0) | (sample & 1) << 1 | (*x & 1);
    if (samples > 2)
        *y = top | (samples == 16 ? sample >> 1 & 4 : 0) | (sample & 2) | (*y & 1);
}

typedef uint64_t side_by_side __attribute__((vector_size(GFX_SIDE_BY_SIDE)));

static inline void fill_one(uint8_t *to, side_by_side set, side_by_side old)
{
    side_by_side now;

    memcpy(&now, to, sizeof(now));
    now = (now & old) | set;
    memcpy(to, &now, sizeof(now));
}

/* The bytes at `to` become those of texels, over and over, but for bits of kept. */
static void fill(uint8_t *to, uint32_t bytes, const uint8_t texels[GFX_SIDE_BY_SIDE],
                 const uint8_t kept[GFX_SIDE_BY_SIDE])
{
    enum { ONE = GFX_SIDE_BY_SIDE, FOUR = 4 * ONE };
    side_by_side set, old;

    memcpy(&set, texels, sizeof(set));
    memcpy(&old, kept, sizeof(old));
    if ((old[0] | old[1]) == 0)
        for (; bytes >= FOUR; bytes -= FOUR, to += FOUR)
            for (uint32_t i = 0; i < FOUR; i += ONE)
                memcpy(to + i, &set, sizeof(set));
    for (; bytes >= FOUR; bytes -= FOUR, to += FOUR)
        for (uint32_t i = 0; i < FOUR; i += ONE)
            fill_one(to + i, set, old);
    for (; bytes >= ONE; bytes -= ONE, to += ONE)
        fill_one(to, set, old);
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)((to[i] & kept[i]) | texels[i]);
}

bool gfx_fill_texels(struct gfx *g, const struct gfx_surface *s,
                     const struct gfx_level *level, const uint32_t at[4],
                     const uint8_t texels[GFX_SIDE_BY_SIDE],
                     const uint8_t kept[GFX_SIDE_BY_SIDE])
{
    struct gfx_piece p = {.high = 1};

    if (!gfx_is_side_by_side(s) || GFX_SIDE_BY_SIDE % s->format->bytes != 0 ||
        g->told.memory.write != NULL)
        return false;
    for (uint32_t y = at[1]; y < at[3]; y += p.high)
        for (uint32_t x = at[0]; x < at[2]; x += p.wide) {
            uint64_t va = s->va + gfx_offset_in(s, level, x, y);
            uint32_t bytes, rows, together;
            uint8_t *to;

            p = gfx_find_piece(s, level, x, y, at[2], at[3]);
            bytes = p.wide * s->format->bytes;
            together = bytes == p.stride ? p.high : 1;
            to = gfx_host(g, va, (p.high - 1) * p.stride + bytes);
            if (to == NULL)
                return false;
            for (rows = 0; rows < p.high; rows += together, to += p.stride)
                fill(to, bytes * together, texels, kept);
        }
    return true;
}
