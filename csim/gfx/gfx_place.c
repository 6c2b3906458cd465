/* gfx_place.c - a block's pixels: which of them a primitive covers, and what their
 * thread needs of their places in it. Most triangles and rectangles are gfx_cover.c's
 * on a host with AVX2. */
#include "gfx_raster.h"

enum { GRID = 256 };

/* What the vertices weigh at the centres of a block's pixels: gfx_weigh() takes three
 * such numbers. */
struct weights {
    double at[3][4];
};

/* Barycentric coordinates and depth there, inside or not: gfx_weigh(). */
static void interpolate(const struct gfx_setup *s, const struct weights *e,
                        struct gfx_group *group, uint32_t first)
{
    double *restrict z = group->z + first, *restrict w = group->w + first;
    double *restrict b1 = group->b1 + first, *restrict b2 = group->b2 + first;

    for (uint32_t i = 0; i < 4 && s->t->kind == GFX_POINT; i++) {
        struct gfx_point p =
            gfx_weigh(s, (const double[3]){e->at[0][i], e->at[1][i], e->at[2][i]});

        z[i] = p.z;
        b1[i] = p.b1;
        b2[i] = p.b2;
        w[i] = p.w;
    }
    if (s->t->kind == GFX_POINT)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        w[i] = e->at[0][i] * s->inv_w[0] + e->at[1][i] * s->inv_w[1] +
               e->at[2][i] * s->inv_w[2];
        z[i] = s->z[0] + e->at[1][i] * (s->z[1] - s->z[0]) +
               e->at[2][i] * (s->z[2] - s->z[0]);
        b1[i] = e->at[1][i] * s->inv_w[1] / w[i];
        b2[i] = e->at[2][i] * s->inv_w[2] / w[i];
    }
}

/* Which of the block's pixels are in the triangle, and what their vertices weigh there
 * where any is. */
static uint32_t inside(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                       int32_t y, struct weights *weights)
{
    double area = s->thin ? 1 : fabs(s->area) * GRID * GRID;
    int64_t out[4] = {0, 0, 0, 0}; /* below 0: beside an edge */
    uint32_t mask = 0;

    for (uint32_t k = 0; k < 3; k++) {
        int64_t first = gfx_edge_at(&e[k], x, y), right = e[k].a * GRID,
                down = e[k].b * GRID;
        const int64_t value[4] = {first, first + right, first + down,
                                  first + right + down};

        for (uint32_t i = 0; i < 4; i++) {
            out[i] |= value[i] + e[k].bias;
            weights->at[k][i] = (double)value[i];
        }
    }
    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)(out[i] >= 0) << i;
    if (s->t->kind == GFX_RECTANGLE)
        mask = 15;
    if (s->conservative)
        mask = gfx_touches(s, e, x, y);
    for (uint32_t k = 0; k < 3 && mask != 0; k++)
        for (uint32_t i = 0; i < 4; i++)
            weights->at[k][i] /= area;
    for (uint32_t k = 0; k < 3 && s->thin; k++)
        for (uint32_t i = 0; i < 4; i++)
            weights->at[k][i] = k == 0;
    return mask;
}

uint32_t gfx_cover(const struct gfx *g, const struct gfx_setup *s,
                   const struct gfx_edge e[3], int32_t x, int32_t y,
                   struct gfx_group *group, uint32_t first)
{
    const int32_t rectangle[4] = {s->min_x, s->min_y, s->max_x, s->max_y};
    uint32_t mask = gfx_within(x, y, g->d.clip);
    struct weights weights;

    if (s->t->kind >= GFX_LINE) {
        for (uint32_t i = 0; i < 4; i++) {
            double weight[3], part = gfx_covers(s, (double)x + (i & 1) + 0.5,
                                                (double)y + (i >> 1) + 0.5, weight);

            for (uint32_t k = 0; k < 3; k++)
                weights.at[k][i] = weight[k];
            if (s->stippled && s->smooth)
                part *= gfx_stipple_part(g, s, weight[1]);
            group->part[first + i] = part;
            mask &= part > 0 ? 15 : ~(1u << i);
        }
    } else {
        mask &= inside(s, e, x, y, &weights);
        if (s->t->kind == GFX_RECTANGLE)
            mask &= gfx_within(x, y, rectangle);
    }
    for (uint32_t i = 0; i < 4 && s->stippled && !s->smooth; i++)
        if (!gfx_stipple(g, s, x + (int32_t)(i & 1), y + (int32_t)(i >> 1)))
            mask &= ~(1u << i);
    if (mask != 0)
        interpolate(s, &weights, group, first);
    return mask;
}

void gfx_place_edges(struct gfx *g, const struct gfx_setup *s)
{
    if (g->d.placed == s->number)
        return;
    g->d.placed = s->number;
    gfx_make_edges(s, g->d.edge);
#if defined(__x86_64__)
    if (s->simple)
        gfx_planes_avx2(s, g->d.edge, &g->d.planes);
#endif
}

void gfx_place(struct gfx *g, const struct gfx_setup *s, struct gfx_group *group)
{
#if defined(__x86_64__)
    const bool depths = !g->d.pixel.plain || g->d.late;
#endif

    gfx_place_edges(g, s);
    group->smooth = s->smooth;
    group->placed[0] = group->placed[1] = NULL;
#if defined(__x86_64__)
    if (s->simple) {
        gfx_place_avx2(&g->d.planes, group, depths);
        return;
    }
#endif
    for (uint32_t b = 0; b < group->count; b++)
        (void)gfx_cover(g, s, g->d.edge, group->x[b], group->y[b], group, 4 * b);
}
