/* gfx_conservative.c - conservative rasterization: a triangle covers every pixel that
 * it may touch, exactly, in halves of the grid's 1/256 pixel. Vertices were moved by up
 * to 1/512 pixel to lie on the grid, so a pixel counts as a square that is so much
 * larger on each side (Mesa's driver tells programs of this 1/512). It is touched where
 * no edge and no side parts it from the triangle, and lies in the triangle as a whole
 * where all four of its corners do. */
#include "gfx_raster.h"

enum { GRID = 256, HALF_SIDE = GRID / 2 * 2 + 1 }; /* of the square, in 1/512 pixel */

bool gfx_is_conservative(const struct gfx *g, const struct gfx_triangle *t)
{
    return t->kind == GFX_TRIANGLE && gfx_get(g, GFX_CONSERVATIVE);
}

/* Twice the edge at the centre of pixel x, y, and how much it changes from there to the
 * square's corners at most. */
static int64_t twice(const struct gfx_edge *e, int32_t x, int32_t y, int64_t *reach)
{
    int64_t cx = (int64_t)x * GRID + GRID / 2, cy = (int64_t)y * GRID + GRID / 2;

    *reach = (llabs(e->a) + llabs(e->b)) * HALF_SIDE;
    return 2 * (e->a * cx + e->b * cy + e->c);
}

/* Are the places from low to high apart from a pixel's square, in this direction? */
static bool beside(const double at[3], int32_t pixel)
{
    int64_t low = llround(fmin(fmin(at[0], at[1]), at[2]) * 2 * GRID);
    int64_t high = llround(fmax(fmax(at[0], at[1]), at[2]) * 2 * GRID);
    int64_t centre = (int64_t)pixel * 2 * GRID + GRID;

    return low > centre + HALF_SIDE || high < centre - HALF_SIDE;
}

static bool touches(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                    int32_t y)
{
    for (uint32_t k = 0; k < 3; k++) {
        int64_t reach, at = twice(&e[k], x, y, &reach);

        if (at + reach < 0 || (s->thin && at - reach > 0))
            return false;
    }
    return !beside(s->x, x) && !beside(s->y, y);
}

static bool encloses(const struct gfx_edge e[3], int32_t x, int32_t y)
{
    for (uint32_t k = 0; k < 3; k++) {
        int64_t reach, at = twice(&e[k], x, y, &reach);

        if (at - reach < 0)
            return false;
    }
    return true;
}

uint32_t gfx_touches(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                     int32_t y)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)touches(s, e, x + (int32_t)(i & 1), y + (int32_t)(i >> 1))
                << i;
    return mask;
}

uint32_t gfx_encloses(const struct gfx_setup *s, int32_t x, int32_t y)
{
    struct gfx_edge e[3];
    uint32_t mask = 0;

    gfx_make_edges(s, e);
    for (uint32_t i = 0; i < 4 && !s->thin; i++)
        mask |= (uint32_t)encloses(e, x + (int32_t)(i & 1), y + (int32_t)(i >> 1)) << i;
    return mask;
}
