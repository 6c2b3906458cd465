/* gfx_stipple.c - pixels that patterns leave out: of polygons by a pattern of 32x32 on
 * the screen, of lines by 16 bits along them. */
#include "gfx_int.h"

enum { SIDE = 32, BITS = 16 };

enum igpu_status gfx_find_stipple(struct gfx *g, struct gfx_setup *s)
{
    if (s->t->kind == GFX_TRIANGLE)
        s->stippled = gfx_get(g, GFX_WM_POLYGON_STIPPLE);
    if (s->t->kind != GFX_LINE || !gfx_get(g, GFX_WM_LINE_STIPPLE))
        return IGPU_OK;
    if (s->smooth || g->d.ms.count > 1)
        return gfx_refuse(g, "stippled lines that are smooth or of several samples");
    s->stippled = true;
    s->pixels_before = g->d.stipple_pixels;
    g->d.stipple_pixels += gfx_line_pixels(s, &s->first);
    return IGPU_OK;
}

static bool on_line(const struct gfx *g, const struct gfx_setup *s, int32_t x,
                    int32_t y)
{
    bool steep = fabs(s->y[1] - s->y[0]) > fabs(s->x[1] - s->x[0]);
    uint32_t step = (uint32_t)abs((steep ? y : x) - s->first);
    uint32_t repeat = g->c->line_stipple_repeat > 0 ? g->c->line_stipple_repeat : 1;

    return g->c->line_stipple >> (s->pixels_before + step) / repeat % BITS & 1;
}

bool gfx_stipple(const struct gfx *g, const struct gfx_setup *s, int32_t x, int32_t y)
{
    const uint32_t *offset = g->c->polygon_stipple_offset;
    uint32_t row = ((uint32_t)y + offset[1]) % SIDE;

    if (s->t->kind == GFX_LINE)
        return on_line(g, s, x, y);
    return g->c->polygon_stipple[row] >> (SIDE - 1 - ((uint32_t)x + offset[0]) % SIDE) &
           1;
}
