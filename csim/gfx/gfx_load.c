/* gfx_load.c - sampler messages without a filter: texels by their place, and what a
 * surface is. */
#include "gfx_mcs.h"
#include "gfx_sample.h"
#include "gfx_texture.h"

/* Is the texel there? Where one is not zeros are read. */
static bool is_texel(const struct gfx_surface *s, uint32_t dims, const int32_t at[3],
                     uint32_t level, uint32_t layer)
{
    return level < s->levels && (!s->array || layer < s->depth) &&
           (uint32_t)at[0] < gfx_minify(s->width, s->min_lod + level) &&
           (dims < 2 || (uint32_t)at[1] < gfx_minify(s->height, s->min_lod + level)) &&
           (dims < 3 || (uint32_t)at[2] < gfx_minify(s->depth, s->min_lod + level));
}

enum igpu_status gfx_load(struct gfx *g, struct gfx_call *c)
{
    bool has_level = c->type == GFX_LD && c->s->type != GFX_BUFFER;
    uint32_t third = has_level ? 3 : 2;

    memset(c->border, 0, sizeof(c->border));
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = has_level ? c->p[2][i] : 0, rgba[4] = {0};
        int32_t at[3] = {
            (int32_t)c->p[0][i] + c->offset[0],
            c->dims > 1 ? (int32_t)c->p[1][i] + c->offset[1] : 0,
            c->dims > 2 ? (int32_t)c->p[third][i] + c->offset[2] : 0,
        };
        uint32_t layer = c->s->array ? c->p[c->dims > 1 ? third : 1][i] : 0;

        if ((c->mask >> i & 1) && is_texel(c->s, c->dims, at, level, layer) &&
            !gfx_fetch(g, c, at, c->s->min_lod + level, layer, rgba))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        for (uint32_t k = 0; k < 4; k++)
            c->rgba[k][i] = rgba[k];
    }
    return IGPU_OK;
}

/* What a sample is whose pixel is clear. */
static void clear_sample(const struct gfx_surface *s, uint32_t rgba[4])
{
    uint8_t texel[16] = {0};

    tex_pack(s->format, s->clear, texel);
    tex_unpack(s->format, texel, rgba);
}

/* A texel's sample: where it belongs, or clear. */
enum igpu_status gfx_load_sample(struct gfx *g, struct gfx_call *c)
{
    uint32_t first = c->type == GFX_LD2DMS_W ? 3 : 2,
             samples = 1u << c->s->samples_log2;
    struct gfx_call plain = *c;
    struct gfx_surface slice = *c->s;

    memset(c->rgba, 0, sizeof(c->rgba));
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t x = c->p[first][i] + (uint32_t)c->offset[0], k = c->p[0][i];
        uint32_t y = c->p[first + 1][i] + (uint32_t)c->offset[1], rgba[4];
        uint32_t layer = c->s->array ? c->p[first + 2][i] : 0;
        int32_t at[3] = {0, 0, 0};
        bool clear;

        if (!(c->mask >> i & 1) || x >= c->s->width || y >= c->s->height ||
            k >= samples || layer >= c->s->depth)
            continue;
        clear = gfx_mcs_is_clear(g, c->s, x, y, c->s->first_layer + layer);
        if (c->s->interleaved)
            gfx_interleave(samples, k, &x, &y);
        else
            slice.y_offset = c->s->y_offset + k * c->s->qpitch;
        at[0] = (int32_t)x;
        at[1] = (int32_t)y;
        plain.s = &slice;
        if (!gfx_fetch(g, &plain, at, c->s->min_lod, layer, rgba))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        if (clear)
            clear_sample(c->s, rgba);
        for (uint32_t channel = 0; channel < 4; channel++)
            c->rgba[channel][i] = rgba[channel];
    }
    return IGPU_OK;
}

void gfx_count_samples(struct gfx_call *c)
{
    for (uint32_t i = 0; i < c->lanes; i++) {
        c->rgba[0][i] = 1u << c->s->samples_log2;
        c->rgba[1][i] = c->rgba[2][i] = c->rgba[3][i] = 0;
    }
}

/* Where each sample's value is: each at its own place, as there is no compression. */
void gfx_sample_places(struct gfx_call *c)
{
    uint64_t places = gfx_mcs_places(c->s->samples_log2);

    memset(c->rgba, 0, sizeof(c->rgba));
    for (uint32_t i = 0; i < c->lanes; i++) {
        c->rgba[0][i] = (uint32_t)places;
        c->rgba[1][i] = (uint32_t)(places >> 32);
    }
}

/* Of a level that there is not: 0 for each length, and how many there are. Buffers tell
 * their elements, those without a format their bytes. */
void gfx_describe(struct gfx_call *c)
{
    const struct gfx_surface *s = c->s;
    uint32_t layers = s->array ? s->depth : 0;

    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = s->min_lod + c->p[0][i];
        bool there = s->type == GFX_BUFFER || c->p[0][i] < s->levels;
        uint32_t size[3] = {s->type == GFX_BUFFER ? s->width
                                                  : gfx_minify(s->width, level & 15),
                            s->type == GFX_1D       ? layers
                            : s->type == GFX_BUFFER ? 0
                                                    : gfx_minify(s->height, level & 15),
                            s->type == GFX_3D   ? gfx_minify(s->depth, level & 15)
                            : s->type == GFX_1D ? 0
                                                : layers};

        for (uint32_t k = 0; k < 3; k++)
            c->rgba[k][i] = there ? size[k] : 0;
        c->rgba[3][i] = s->type == GFX_BUFFER ? 0 : s->levels;
    }
}
