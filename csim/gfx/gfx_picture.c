/* gfx_picture.c - what was drawn last, as a picture. */
#include "gfx_int.h"

static uint8_t to_byte(const struct tex_format *f, uint32_t bits)
{
    float v = tex_float(bits);

    if (f->type == TEX_UINT || f->type == TEX_SINT)
        return (uint8_t)(bits < 255 ? bits : 255);
    return v > 0 ? v < 1 ? (uint8_t)((double)v * 255 + 0.5) : 255 : 0;
}

enum igpu_status gfx_get_picture(struct gfx *g, struct gfx_picture *picture,
                                 struct igpu_err *err)
{
    const struct gfx_surface *s = &g->shown;
    struct tex_format plain;
    uint32_t w, h;

    if (!g->has_shown)
        return igpu_fail(err, IGPU_SIM_ERROR, "nothing was drawn");
    plain = *s->format;
    plain.srgb = false; /* as it is shown */
    w = picture->width = gfx_minify(s->width, s->level);
    h = picture->height = gfx_minify(s->height, s->level);
    /* What is there would be shown many times over, of a damaged capture. */
    if (!gfx_is_line(s) && s->pitch < w * plain.bytes)
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "the picture's rows of %u pixels have %u bytes each", w,
                         s->pitch);
    picture->rgba = malloc((size_t)w * h * 4);
    if (picture->rgba == NULL)
        return igpu_no_memory(err, "a picture");
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++) {
            const uint8_t *at = emu_mem_host(
                g->mem, s->va + gfx_texel_offset(s, x, y, s->level, s->first_layer),
                plain.bytes);
            uint8_t *to = picture->rgba + 4 * ((size_t)y * w + x);
            uint32_t rgba[4];

            if (at == NULL) {
                free(picture->rgba);
                picture->rgba = NULL;
                return igpu_fail(err, IGPU_SIM_ERROR,
                                 "the picture's memory is in no buffer any more");
            }
            tex_unpack(&plain, at, rgba);
            for (uint32_t c = 0; c < 4; c++)
                to[c] = to_byte(&plain, rgba[c]);
        }
    return IGPU_OK;
}
