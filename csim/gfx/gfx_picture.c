/* gfx_picture.c - what was drawn last, as a picture. */
#include "gfx_mcs.h"
#include "gfx_pool.h"

#include <stdatomic.h>

#include "igpu/floats.h"

/* Of a piece for one of several host threads. */
enum { ROWS = 32, MANY = 128 };

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
        if (gfx_mcs_is_clear(g, s, x, y, s->first_layer))
            memcpy(rgba, s->clear, sizeof(rgba));
        else
            tex_unpack(f, at, rgba);
        for (uint32_t c = 0; c < 4 && !whole; c++)
            sum[c] += tex_float(rgba[c]) / (float)samples;
    }
    for (uint32_t c = 0; c < 4; c++)
        to[c] = to_byte(f, whole ? rgba[c] : tex_bits(sum[c]));
    return true;
}

typedef uint32_t texels4 __attribute__((vector_size(16)));

/* Four texels of four bytes as r g b a; opaque, turned: bits that become one, and of
 * red and blue, those that trade places. */
static inline texels4 show_four(texels4 texel, uint32_t opaque, uint32_t turned)
{
    const texels4 other = (texel ^ texel >> 16) & turned;

    return (texel ^ (other | other << 16)) | opaque;
}

static void show_texels(const struct tex_format *f, const uint8_t *restrict at,
                        uint32_t count, uint8_t *restrict to)
{
    const uint32_t opaque = f->alpha ? 0 : UINT32_C(255) << 24;
    const uint32_t turned = f->order == TEX_BGRA ? 255 : 0;
    const uint32_t whole = count / 4 * 16, rest = count % 4 * 4;
    texels4 texel = {0};

    for (uint32_t i = 0; i < whole; i += sizeof(texel)) {
        memcpy(&texel, at + i, sizeof(texel));
        texel = show_four(texel, opaque, turned);
        memcpy(to + i, &texel, sizeof(texel));
    }
    memcpy(&texel, at + whole, rest);
    texel = show_four(texel, opaque, turned);
    memcpy(to + whole, &texel, rest);
}

struct show {
    const struct gfx_surface *s;
    const struct tex_format *f;
    const struct gfx_picture *picture;
    uint64_t first;     /* the first rows' piece */
    atomic_bool failed; /* memory is in no buffer */
};

/* Rows whose texels are four bytes, of one sample: each byte is shown as itself. False:
 * they are others, or not in one buffer. */
static bool show_bytes(struct gfx *g, const struct show *show, uint32_t from,
                       uint32_t end)
{
    const struct gfx_surface *s = show->s;
    struct gfx_level level = gfx_find_level(s, s->level, s->first_layer);
    uint32_t w = show->picture->width;
    struct gfx_piece p = {.high = 1};

    if (!tex_is_bytes4(show->f) || s->samples_log2 > 0 || !gfx_is_side_by_side(s))
        return false;
    for (uint32_t y = from; y < end; y += p.high)
        for (uint32_t x = 0; x < w; x += p.wide) {
            uint64_t va = s->va + gfx_offset_in(s, &level, x, y);
            uint8_t *to = show->picture->rgba + 4 * ((size_t)w * y + x);
            const uint8_t *at;

            p = gfx_find_piece(s, &level, x, y, w, end);
            at = gfx_host(g, va, (p.high - 1) * p.stride + 4 * p.wide);
            if (at == NULL)
                return false;
            for (uint32_t i = 0; i < p.high; i++, to += 4 * (size_t)w, at += p.stride)
                show_texels(s->format, at, p.wide, to);
        }
    return true;
}

static void show_rows(struct gfx *g, struct show *show, uint32_t from, uint32_t rows)
{
    uint32_t w = show->picture->width, left = show->picture->height - from;
    uint32_t end = from + (rows < left ? rows : left);
    bool plain = show_bytes(g, show, from, end), good = true;

    for (uint32_t y = from; y < end && !plain; y++)
        for (uint32_t x = 0; x < w && good; x++)
            good = show_pixel(g, show->s, show->f, x, y,
                              show->picture->rgba + 4 * ((size_t)w * y + x));
    if (!good)
        atomic_store(&show->failed, true);
}

static enum igpu_status show_piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct show *show = ctx;

    show_rows(w, show, (uint32_t)(number - show->first) * ROWS, ROWS);
    return IGPU_OK;
}

static bool show(struct gfx *g, const struct gfx_surface *s, const struct tex_format *f,
                 const struct gfx_picture *picture)
{
    struct show all = {.s = s, .f = f, .picture = picture};
    struct igpu_floats floats;

    igpu_floats_begin(&floats);
    if (picture->height >= MANY &&
        gfx_pool_begin_rows(g, show_piece, &all, &all.first)) {
        gfx_pool_add(g, GFX_JOB_BACK, (picture->height + ROWS - 1) / ROWS);
        (void)gfx_pool_end(g, GFX_JOB_BACK);
    } else {
        show_rows(g, &all, 0, picture->height);
    }
    igpu_floats_end(&floats);
    return !all.failed;
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
