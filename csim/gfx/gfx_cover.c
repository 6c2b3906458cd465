/* gfx_cover.c - a block's pixels of most triangles and rectangles side by side, on a
 * host with AVX2: the same numbers as gfx_raster.c's. Edges are whole numbers that
 * doubles hold. */
#include "gfx_raster.h"
#if defined(EMU_AVX2)
#include <immintrin.h>

enum { GRID = 256 };

static inline __m256d each(double x)
{
    return _mm256_set1_pd(x);
}

static inline __m256d edge_of(const struct gfx_edge *e, int32_t x, int32_t y)
{
    const double first =
        (double)(e->a * (x * GRID + GRID / 2) + e->b * (y * GRID + GRID / 2) + e->c);
    const double right = (double)(e->a * GRID), down = (double)(e->b * GRID);

    return each(first) + _mm256_setr_pd(0, right, down, right + down);
}

/* The pixels on the inner side of an edge. */
static inline uint32_t beside(__m256d edge, int64_t bias)
{
    return ~(uint32_t)_mm256_movemask_pd(edge + each((double)bias));
}

/* Edges at the pixels; which of those of mask are covered. */
static inline uint32_t covered(const struct gfx_setup *s, const struct gfx_edge e[3],
                               int32_t x, int32_t y, uint32_t mask, __m256d at[3])
{
    for (uint32_t k = 0; k < 3; k++)
        at[k] = edge_of(&e[k], x, y);
    if (s->t->kind != GFX_RECTANGLE)
        mask &= beside(at[0], e[0].bias) & beside(at[1], e[1].bias) &
                beside(at[2], e[2].bias);
    return mask;
}

static inline void put_depths(const struct gfx_setup *s, __m256d b, __m256d c,
                              double *z)
{
    _mm256_storeu_pd(z, each(s->z[0]) + b * each(s->z[1] - s->z[0]) +
                            c * each(s->z[2] - s->z[0]));
}

uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        int32_t x, int32_t y, uint32_t mask, struct gfx_group *group,
                        uint32_t first)
{
    const __m256d area = each(fabs(s->area) * GRID * GRID);
    __m256d at[3], w, along_b, along_c;

    mask = covered(s, e, x, y, mask, at);
    if (mask == 0)
        return 0;
    for (uint32_t k = 0; k < 3; k++)
        at[k] /= area;
    along_b = at[1] * each(s->inv_w[1]);
    along_c = at[2] * each(s->inv_w[2]);
    w = at[0] * each(s->inv_w[0]) + along_b + along_c;
    _mm256_storeu_pd(group->w + first, w);
    put_depths(s, at[1], at[2], group->z + first);
    _mm256_storeu_pd(group->b1 + first, along_b / w);
    _mm256_storeu_pd(group->b2 + first, along_c / w);
    return mask;
}

uint32_t gfx_cover_depths_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                               int32_t x, int32_t y, uint32_t mask,
                               struct gfx_group *group, uint32_t first)
{
    const __m256d area = each(fabs(s->area) * GRID * GRID);
    __m256d at[3];

    mask = covered(s, e, x, y, mask, at);
    if (mask != 0)
        put_depths(s, at[1] / area, at[2] / area, group->z + first);
    return mask;
}
#endif
