/* gfx_stipple.c - pixels that patterns leave out: of polygons by a pattern of 32x32 on
 * the screen, of lines by 16 bits along them: by their pixels, or where they are
 * rectangles (smooth ones, and those of several samples) by pieces of a pixel's length,
 * as GL divides these. */
#include "gfx_raster.h"

enum { SIDE = 32, BITS = 16 };

static double length_of(const struct gfx_setup *s)
{
    return hypot(s->x[1] - s->x[0], s->y[1] - s->y[0]);
}

void gfx_find_stipple(struct gfx *g, struct gfx_setup *s)
{
    if (s->t->kind == GFX_TRIANGLE)
        s->stippled = gfx_get(g, GFX_WM_POLYGON_STIPPLE);
    if (s->t->kind != GFX_LINE || !gfx_get(g, GFX_WM_LINE_STIPPLE))
        return;
    s->stippled = true;
    s->pixels_before = g->d.stipple_pixels;
    if (s->smooth || g->d.ms.count > 1)
        g->d.stipple_pixels += (uint32_t)ceil(length_of(s));
    else
        g->d.stipple_pixels += gfx_line_pixels(s, &s->first);
}

/* Is piece `step` of the line drawn? */
static bool is_drawn(const struct gfx *g, const struct gfx_setup *s, uint32_t step)
{
    uint32_t repeat = g->c->line_stipple_repeat > 0 ? g->c->line_stipple_repeat : 1;

    return g->c->line_stipple >> (s->pixels_before + step) / repeat % BITS & 1;
}

bool gfx_stipple_place(const struct gfx *g, const struct gfx_setup *s, double along)
{
    double length = length_of(s), at = along * length;

    return at >= 0 && at < length && is_drawn(g, s, (uint32_t)at);
}

double gfx_stipple_part(const struct gfx *g, const struct gfx_setup *s, double along)
{
    double length = length_of(s), from = along * length - 0.5, to = from + 1, part = 0;

    from = fmax(from, 0);
    to = fmin(to, length);
    for (double piece = floor(from); piece < to; piece++) /* two, or one and its ends */
        if (is_drawn(g, s, (uint32_t)piece))
            part += fmin(to, piece + 1) - fmax(from, piece);
    return part;
}

static bool on_line(const struct gfx *g, const struct gfx_setup *s, int32_t x,
                    int32_t y)
{
    bool steep = fabs(s->y[1] - s->y[0]) > fabs(s->x[1] - s->x[0]);

    return is_drawn(g, s, (uint32_t)abs((steep ? y : x) - s->first));
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
