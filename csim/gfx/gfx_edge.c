/* gfx_edge.c - a primitive's edges, exact on the grid of 1/256 pixel, by the top-left
 * rule. */
#include "gfx_raster.h"

enum { GRID = 256 };

void gfx_make_edges(const struct gfx_setup *s, struct gfx_edge e[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t from = (i + 1) % 3, to = (i + 2) % 3;
        int64_t ax, ay, bx, by;

        if (s->area < 0) {
            from = (i + 2) % 3;
            to = (i + 1) % 3;
        }
        ax = (int64_t)(s->x[from] * GRID); /* whole numbers: they lie on the grid */
        ay = (int64_t)(s->y[from] * GRID);
        bx = (int64_t)(s->x[to] * GRID);
        by = (int64_t)(s->y[to] * GRID);
        e[i].a = -(by - ay);
        e[i].b = bx - ax;
        e[i].c = (by - ay) * ax - (bx - ax) * ay;
        e[i].bias = by < ay || (by == ay && bx > ax) ? 0 : -1;
        e[i].most = e[i].bias + (e[i].a > 0 ? e[i].a * GRID : 0) +
                    (e[i].b > 0 ? e[i].b * GRID : 0);
        e[i].right = e[i].a * GRID;
        e[i].down = e[i].b * GRID;
        e[i].inverse = 1 / (fabs(s->area) * GRID * GRID);
        e[i].centre = (e[i].a + e[i].b) * (GRID / 2) + e[i].c;
        for (uint32_t k = 0; k < 4; k++)
            e[i].step[k] =
                (k & 1 ? (double)e[i].right : 0) + (k >> 1 ? (double)e[i].down : 0);
    }
}
