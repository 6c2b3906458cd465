/* gfx_clear.c - clears of depth and stencil by 3DSTATE_WM_HZ_OP, its resolves, and fast
 * clears of colour. Both clears write what they clear: no block is ever a mere note
 * that it is clear, so resolves change no depth and no colour, and who reads needs no
 * notes. Sources: docs/develop/sources.md#gen9-graphics; the areas that a pixel of a
 * fast clear stands for are the PRM's (volume 7, "MCS/CCS buffers, render target fast
 * clear"). */
#include "gfx_depth.h"
#include "gfx_mcs.h"
#include "gfx_pool.h"
#include "gfx_target.h"

/* Of a piece for one of several host threads; rows and columns that are worth it. */
enum { ROWS = 32, MANY = 128 };

/* ---- depth and stencil -------------------------------------------------- */

struct rectangle {
    uint32_t x0, y0, x1, y1, samples, mask;
};

static struct rectangle rectangle_of(const struct gfx *g, const struct gfx_surface *s)
{
    uint32_t width = gfx_minify(s->width, s->level);
    uint32_t height = gfx_minify(s->height, s->level);
    struct rectangle r = {gfx_get(g, GFX_HZ_X0),
                          gfx_get(g, GFX_HZ_Y0),
                          gfx_get(g, GFX_HZ_X1),
                          gfx_get(g, GFX_HZ_Y1),
                          1u << gfx_get(g, GFX_HZ_SAMPLES_LOG2),
                          gfx_get(g, GFX_HZ_SAMPLE_MASK)};

    r.x1 = r.x1 < width ? r.x1 : width;
    r.y1 = r.y1 < height ? r.y1 : height;
    return r;
}

/* One sample of a pixel: its depth, or with s->format of a byte its stencil. */
static enum igpu_status clear_sample(struct gfx *g, const struct gfx_surface *s,
                                     const struct gfx_level *level, uint32_t x,
                                     uint32_t y)
{
    uint64_t va = s->va + gfx_offset_in(s, level, x, y);
    uint8_t *at = gfx_host(g, va, s->format->bytes);

    if (at == NULL)
        return gfx_refuse(g, "pixel %u, %u lies outside the buffer to clear", x, y);
    gfx_tell_write(g, va, s->format->bytes, at);
    if (s->tiling == GFX_TILE_W)
        *at = (uint8_t)gfx_get(g, GFX_HZ_STENCIL);
    else
        gfx_store_depth(s, (double)gfx_get_float(g, GFX_CLEAR_DEPTH), at);
    return IGPU_OK;
}

static enum igpu_status clear_row(struct gfx *g, const struct gfx_surface *s,
                                  const struct gfx_level *level,
                                  const struct rectangle *r, uint32_t row)
{
    enum igpu_status status = gfx_spend(g, (r->x1 - r->x0) * r->samples);

    for (uint32_t column = r->x0; column < r->x1 && status == IGPU_OK; column++)
        for (uint32_t k = 0; k < r->samples && status == IGPU_OK; k++) {
            uint32_t x = column, y = row;

            if (r->samples > 1)
                gfx_interleave(r->samples, k, &x, &y);
            if (r->mask >> k & 1)
                status = clear_sample(g, s, level, x, y);
        }
    return status;
}

struct clears {
    const struct gfx_surface *s;
    struct gfx_level level;
    struct rectangle r;
    uint64_t first; /* of several host threads: the first rows' piece */
};

/* Depths of one sample that lie side by side. False: not done. */
static bool clear_depths(struct gfx *g, const struct clears *c, uint32_t y,
                         uint32_t rows)
{
    const struct gfx_surface *s = c->s;
    const struct rectangle *r = &c->r;
    uint32_t bytes = s->format->bytes, stored;
    uint64_t work = (uint64_t)(r->x1 - r->x0) * rows;
    uint8_t texels[GFX_SIDE_BY_SIDE] = {0}, kept[GFX_SIDE_BY_SIDE] = {0};

    if (r->samples != 1 || !(r->mask & 1) || work > g->batch.most_work - g->batch.work)
        return false;
    stored = gfx_store_depths(s, (double)gfx_get_float(g, GFX_CLEAR_DEPTH), texels,
                              GFX_SIDE_BY_SIDE / bytes);
    for (uint32_t i = 0; i < GFX_SIDE_BY_SIDE; i++)
        kept[i] = i % bytes < stored ? 0 : UINT8_MAX;
    return gfx_fill_texels(g, s, &c->level,
                           (const uint32_t[4]){r->x0, y, r->x1, y + rows}, texels,
                           kept) &&
           gfx_spend(g, work) == IGPU_OK;
}

static enum igpu_status clear_rows(struct gfx *g, const struct clears *c, uint32_t y,
                                   uint32_t rows)
{
    enum igpu_status status = IGPU_OK;

    rows = rows < c->r.y1 - y ? rows : c->r.y1 - y;
    if (clear_depths(g, c, y, rows))
        return IGPU_OK;
    for (uint32_t i = 0; i < rows && status == IGPU_OK; i++)
        status = clear_row(g, c->s, &c->level, &c->r, y + i);
    return status;
}

static enum igpu_status clear_piece(struct gfx *w, void *ctx, uint64_t number)
{
    const struct clears *c = ctx;

    return clear_rows(w, c, c->r.y0 + (uint32_t)(number - c->first) * ROWS, ROWS);
}

static enum igpu_status clear(struct gfx *g, const struct gfx_surface *s)
{
    struct clears c = {s, gfx_find_level(s, s->level, s->first_layer),
                       rectangle_of(g, s), 0};
    const struct rectangle *r = &c.r;

    if (r->x0 >= r->x1 || r->y0 >= r->y1)
        return IGPU_OK;
    if (r->y1 - r->y0 < MANY || r->x1 - r->x0 < MANY || gfx_is_watched(g) ||
        !gfx_pool_begin_rows(g, clear_piece, &c, &c.first))
        return clear_rows(g, &c, r->y0, r->y1 - r->y0);
    gfx_pool_add(g, GFX_JOB_BACK, (r->y1 - r->y0 + ROWS - 1) / ROWS);
    return gfx_pool_end(g, GFX_JOB_BACK);
}

/* The lines that hardware writes for it: those of hierarchical depth. Of all levels and
 * layers those of the first: only where lines lie differs. */
static enum igpu_status touch_notes(struct gfx *g, const struct gfx_surface *s)
{
    enum { WIDE = GFX_NOTE_WIDE, HIGH = GFX_NOTE_HIGH };
    struct rectangle r = rectangle_of(g, s);
    uint32_t pitch = gfx_get(g, GFX_HIER_PITCH) + 1;
    uint64_t va = gfx_get_address(g, GFX_HIER_ADDRESS);
    bool (*touch)(struct gfx *, uint64_t, bool, bool) =
        g->hiz.ignored ? gfx_touch_depth : gfx_touch_note;

    if (g->told.threads.message == NULL || r.x0 >= r.x1 || r.y0 >= r.y1)
        return IGPU_OK;
    for (uint32_t y = r.y0 / HIGH; y < (r.y1 + HIGH - 1) / HIGH; y++) {
        enum igpu_status status = gfx_spend(g, (r.x1 - r.x0) / WIDE + 1);

        if (status != IGPU_OK)
            return status;
        for (uint32_t x = r.x0 / WIDE; x < (r.x1 + WIDE - 1) / WIDE; x++)
            if (!touch(g,
                       va + gfx_tile_offset(GFX_TILE_Y, pitch, x * GFX_NOTE_BYTES, y),
                       false, true))
                return gfx_refuse(g, "memory is short for lines of depth");
    }
    return IGPU_OK;
}

static void note(struct gfx *g, const struct gfx_surface *s)
{
    struct rectangle r = rectangle_of(g, s);
    uint32_t all = (1u << r.samples) - 1;

    if (r.x0 < r.x1 && r.y0 < r.y1)
        gfx_hiz_cleared(g, s, (const uint32_t[4]){r.x0, r.y0, r.x1, r.y1},
                        (r.mask & all) == all || r.samples == 1,
                        gfx_depth_value(s, (double)gfx_get_float(g, GFX_CLEAR_DEPTH)));
}

/* A resolve, or the end of an operation. */
static enum igpu_status resolve(struct gfx *g)
{
    bool depth = gfx_get(g, GFX_HZ_RESOLVES_DEPTH);
    struct gfx_surface s;
    struct rectangle r;

    if ((!depth && !gfx_get(g, GFX_HZ_RESOLVES_NOTES)) || !gfx_get(g, GFX_DEPTH_HIZ) ||
        gfx_find_depth_buffer(g, &s) != IGPU_OK)
        return IGPU_OK;
    r = rectangle_of(g, &s);
    return gfx_hiz_resolve(g, &s, (const uint32_t[4]){r.x0, r.y0, r.x1, r.y1}, depth);
}

enum igpu_status gfx_hz_operation(struct gfx *g)
{
    struct gfx_surface s;
    enum igpu_status status = IGPU_OK;
    bool depth = gfx_get(g, GFX_HZ_CLEARS_DEPTH);

    if (!depth && !gfx_get(g, GFX_HZ_CLEARS_STENCIL))
        return resolve(g);
    g->counters.depth_clears++;
    if (gfx_get(g, GFX_HZ_SCISSOR))
        return gfx_refuse(g, "3DSTATE_WM_HZ_OP: a clear with scissors");
    if (gfx_get(g, GFX_HZ_SAMPLES_LOG2) > 4)
        return gfx_refuse(g, "3DSTATE_WM_HZ_OP: a reserved number of samples");
    /* Of the layers that can be drawn to its rectangle is on the first: drivers clear
     * layer by layer. */
    if (depth) {
        if (!gfx_get(g, GFX_DEPTH_HIZ))
            return gfx_refuse(g, "3DSTATE_WM_HZ_OP: a clear without hierarchical "
                                 "depth");
        status = gfx_find_depth_buffer(g, &s);
        if (status == IGPU_OK)
            status = clear(g, &s);
        if (status == IGPU_OK)
            status = touch_notes(g, &s);
        if (status == IGPU_OK)
            note(g, &s);
    }
    if (gfx_get(g, GFX_HZ_CLEARS_STENCIL) && gfx_get(g, GFX_STENCIL_ON) &&
        status == IGPU_OK) {
        gfx_find_stencil_buffer(g, &s);
        status = clear(g, &s);
    }
    return status;
}

/* ---- colour ------------------------------------------------------------- */

enum { NOTE_BYTES = 16 };

/* What a pixel of the clear's rectangle stands for: so many bytes of notes. */
static enum igpu_status area_of(struct gfx *g, const struct gfx_surface *s,
                                uint32_t *wide, uint32_t *high)
{
    static const uint8_t of_samples[5] = {0, 8, 8, 2, 1};

    *high = s->samples_log2 > 0 ? 2 : 32;
    *wide = s->samples_log2 > 0     ? of_samples[s->samples_log2]
            : s->format->bytes == 4 ? 64
            : s->format->bytes == 8 ? 32
                                    : 16;
    if (s->tiling != GFX_TILE_Y || s->interleaved ||
        (s->samples_log2 == 0 && s->format->bytes < 4))
        return gfx_refuse(g, "a fast clear of a surface that has no notes for it");
    if (s->aux == GFX_AUX_NONE || s->aux == GFX_AUX_DEPTH)
        return gfx_refuse(g, "a fast clear of a surface without notes");
    return IGPU_OK;
}

/* Pixels of one sample. False: not done. */
static bool clear_texels(struct gfx *g, const struct gfx_surface *s, uint32_t layer,
                         const uint32_t area[4], const uint8_t texel[16])
{
    static const uint8_t kept[GFX_SIDE_BY_SIDE];
    const struct gfx_level level = gfx_find_level(s, s->level, layer);
    uint8_t texels[GFX_SIDE_BY_SIDE];

    for (uint32_t i = 0; i < sizeof(texels); i++)
        texels[i] = texel[i % s->format->bytes];
    return s->samples_log2 == 0 && gfx_fill_texels(g, s, &level, area, texels, kept);
}

/* Of an area what lies in the level. */
static enum igpu_status clear_area(struct gfx *g, const struct gfx_surface *s,
                                   const uint32_t area[4])
{
    const uint32_t width = gfx_minify(s->width, s->level),
                   height = gfx_minify(s->height, s->level),
                   layer = s->first_layer + g->d.layer;
    const uint32_t in[4] = {area[0], area[1], area[2] < width ? area[2] : width,
                            area[3] < height ? area[3] : height};
    uint8_t texel[16] = {0};

    tex_pack(s->format, s->clear, texel);
    if (clear_texels(g, s, layer, in, texel))
        return IGPU_OK;
    for (uint32_t y = in[1]; y < in[3]; y++)
        for (uint32_t x = in[0]; x < in[2]; x++)
            if (gfx_mcs_clear(g, s, x, y, layer, texel) != IGPU_OK)
                return IGPU_SIM_ERROR;
    return IGPU_OK;
}

enum igpu_status gfx_fast_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                                uint32_t y)
{
    uint32_t wide = 1, high = 1;
    enum igpu_status status = area_of(g, s, &wide, &high);
    const uint32_t area[4] = {x * wide, y * high, (x + 1) * wide, (y + 1) * high};

    if (status == IGPU_OK)
        status = gfx_spend(g, (uint64_t)wide * high);
    if (status == IGPU_OK)
        status = clear_area(g, s, area);
    if (status != IGPU_OK)
        return status;
    if (g->told.draw_cycles != NULL)
        gfx_count_cleared(g, s, area);
    gfx_touch_line(
        g, (s->aux_va + gfx_tile_offset(GFX_TILE_Y, s->aux_pitch, x * NOTE_BYTES, y)) /
               64);
    g->counters.target_bytes += NOTE_BYTES;
    g->counters.pixels_written++;
    return IGPU_OK;
}
