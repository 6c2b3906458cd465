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

/* Edges as functions of a block's place: sums of whole numbers of 50 bits are exact in
 * any order. */
struct edges {
    __m256d a[3], b[3], c[3]; /* c: at the pixels of the block at 0, 0 */
};

static inline struct edges edges_of(const struct gfx_edge e[3])
{
    enum { HALF = GRID / 2, NEXT = GRID + HALF };
    const __m256d x = _mm256_setr_pd(HALF, NEXT, HALF, NEXT);
    const __m256d y = _mm256_setr_pd(HALF, HALF, NEXT, NEXT);
    struct edges all;

    for (uint32_t k = 0; k < 3; k++) {
        const __m256d a = each((double)e[k].a), b = each((double)e[k].b);

        all.a[k] = a * each(GRID);
        all.b[k] = b * each(GRID);
        all.c[k] = a * x + b * y + each((double)e[k].c);
    }
    return all;
}

static inline void edges_at(const struct edges *all, int32_t x, int32_t y,
                            __m256d at[3])
{
    for (uint32_t k = 0; k < 3; k++)
        at[k] = all->a[k] * each(x) + all->b[k] * each(y) + all->c[k];
}

/* What a primitive's numbers are made with. */
struct factors {
    __m256d area, z, z_b, z_c, w_a, w_b, w_c;
};

static inline struct factors factors_of(const struct gfx_setup *s)
{
    return (struct factors){.area = each(fabs(s->area) * GRID * GRID),
                            .z = each(s->z[0]),
                            .z_b = each(s->z[1] - s->z[0]),
                            .z_c = each(s->z[2] - s->z[0]),
                            .w_a = each(s->inv_w[0]),
                            .w_b = each(s->inv_w[1]),
                            .w_c = each(s->inv_w[2])};
}

static inline void put_depths(const struct factors *f, const __m256d at[3],
                              struct gfx_group *group, uint32_t first)
{
    _mm256_storeu_pd(group->z + first,
                     f->z + at[1] / f->area * f->z_b + at[2] / f->area * f->z_c);
}

static inline void put_weights(const struct factors *f, const __m256d at[3],
                               struct gfx_group *group, uint32_t first)
{
    const __m256d along_b = at[1] / f->area * f->w_b;
    const __m256d along_c = at[2] / f->area * f->w_c;
    const __m256d w = at[0] / f->area * f->w_a + along_b + along_c;

    _mm256_storeu_pd(group->w + first, w);
    _mm256_storeu_pd(group->b1 + first, along_b / w);
    _mm256_storeu_pd(group->b2 + first, along_c / w);
}

/* gfx_cover_avx2(), of triangles, and with weights or without. */
static inline __attribute__((always_inline)) uint32_t
cover(const struct gfx_setup *s, const struct gfx_edge e[3], struct gfx_row *row,
      struct gfx_group *group, uint32_t first, uint32_t end, bool all_inside,
      bool weights)
{
    const struct edges edges = edges_of(e);
    const struct factors f = factors_of(s);
    uint32_t found = 0, to = first;
    __m256d at[3], bias[3], step[3];

    edges_at(&edges, row->x, row->y, at);
    for (uint32_t k = 0; k < 3; k++) {
        bias[k] = each((double)e[k].bias);
        step[k] = edges.a[k] + edges.a[k];
    }
    for (; row->x < row->end && to < end; row->x += 2) {
        uint32_t mask = gfx_within(row->x, row->y, row->box);

        if (!all_inside) /* on the inner sides */
            mask &= ~(uint32_t)_mm256_movemask_pd(_mm256_or_pd(
                _mm256_or_pd(at[0] + bias[0], at[1] + bias[1]), at[2] + bias[2]));
        if (mask != 0) {
            group->x[to] = row->x;
            group->y[to] = row->y;
            put_depths(&f, at, group, 4 * to);
            if (weights)
                put_weights(&f, at, group, 4 * to);
            found |= mask << 4 * to++;
        }
        for (uint32_t k = 0; k < 3; k++)
            at[k] += step[k];
    }
    return found;
}

uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        struct gfx_row *row, struct gfx_group *group, uint32_t first,
                        uint32_t end)
{
    if (s->t->kind == GFX_RECTANGLE)
        return cover(s, e, row, group, first, end, true, true);
    return s->later ? cover(s, e, row, group, first, end, false, false)
                    : cover(s, e, row, group, first, end, false, true);
}

void gfx_place_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                    struct gfx_group *group)
{
    const struct edges edges = edges_of(e);
    const struct factors f = factors_of(s);

    for (uint32_t b = 0; b < group->count; b++) {
        __m256d at[3];

        edges_at(&edges, group->x[b], group->y[b], at);
        put_depths(&f, at, group, 4 * b);
        put_weights(&f, at, group, 4 * b);
    }
}
#endif
