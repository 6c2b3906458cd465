/* gfx_picture.c - what was drawn last, as a picture. */
#include "gfx_int.h"

static uint8_t to_byte(const struct tex_format *f, uint32_t bits)
{
    float v = tex_float(bits);

    if (f->type == TEX_UINT || f->type == TEX_SINT)
        return (uint8_t)(bits < 255 ? bits : 255);
    return v > 0 ? v < 1 ? (uint8_t)((double)v * 255 + 0.5) : 255 : 0;
}

/* Of several samples the mean, as a window gets it; of whole numbers the first. False:
 * its memory is in no buffer. */
static bool show_pixel(struct gfx *g, const struct gfx_surface *s,
                       const struct tex_format *f, uint32_t x, uint32_t y,
                       uint8_t to[4])
{
    bool whole = f->type == TEX_UINT || f->type == TEX_SINT;
    uint32_t samples = whole || s->interleaved ? 1 : 1u << s->samples_log2, rgba[4];
    struct gfx_surface slice = *s;
    float sum[4] = {0, 0, 0, 0};

    for (uint32_t k = 0; k < samples; k++) {
        const uint8_t *at;

        slice.y_offset = s->y_offset + k * s->qpitch;
        at = emu_mem_host(
            g->mem, s->va + gfx_texel_offset(&slice, x, y, s->level, s->first_layer),
            f->bytes);
        if (at == NULL)
            return false;
        tex_unpack(f, at, rgba);
        for (uint32_t c = 0; c < 4 && !whole; c++)
            sum[c] += tex_float(rgba[c]) / (float)samples;
    }
    for (uint32_t c = 0; c < 4; c++)
        to[c] = to_byte(f, whole ? rgba[c] : tex_bits(sum[c]));
    return true;
}

/* A row whose texels are four bytes, of one sample: each byte is shown as itself. */
static bool show_row(struct gfx *g, const struct gfx_surface *s, uint32_t y, uint32_t w,
                     uint8_t *to)
{
    struct gfx_level level = gfx_find_level(s, s->level, s->first_layer);
    uint32_t red = s->format->order == TEX_BGRA ? 2 : 0, texel = s->format->bytes;
    const uint8_t *at = NULL;

    for (uint32_t x = 0; x < w; x++, to += 4) {
        uint64_t va = s->va + gfx_offset_in(s, &level, x, y);
        uint32_t piece = GFX_SIDE_BY_SIDE - va % GFX_SIDE_BY_SIDE,
                 rest = (w - x) * texel;

        at = at != NULL && piece != GFX_SIDE_BY_SIDE
                 ? at + texel
                 : gfx_host(g, va, piece < rest ? piece : rest);
        if (at == NULL)
            return false;
        to[0] = at[red];
        to[1] = at[1];
        to[2] = at[2 - red];
        to[3] = s->format->alpha ? at[3] : 255;
    }
    return true;
}

static bool show(struct gfx *g, const struct gfx_surface *s, const struct tex_format *f,
                 const struct gfx_picture *picture)
{
    uint32_t w = picture->width;
    bool plain = tex_is_bytes4(f) && s->samples_log2 == 0 && gfx_is_side_by_side(s);
    bool good = true;

    for (uint32_t y = 0; y < picture->height && good; y++) {
        uint8_t *to = picture->rgba + 4 * (size_t)w * y;

        if (plain)
            good = show_row(g, s, y, w, to);
        for (uint32_t x = 0; x < w && !plain && good; x++)
            good = show_pixel(g, s, f, x, y, to + 4 * (size_t)x);
    }
    return good;
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
    if (show(g, s, &plain, picture))
        return IGPU_OK;
    free(picture->rgba);
    picture->rgba = NULL;
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "the picture's memory is in no buffer any more");
}
