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
    return each((double)(e->right * x + e->down * y + e->centre)) +
           _mm256_loadu_pd(e->step);
}

/* The pixels on the inner side of an edge. */
static inline uint32_t beside(__m256d edge, int64_t bias)
{
    return ~(uint32_t)_mm256_movemask_pd(edge + each((double)bias));
}

/* a / b, of which one_by_b is 1 / b, rounded: the first quotient is off by less than
 * two units, the second one by less than one, and from there the sum with what is left
 * of a, which is exact, rounds as the quotient does (Markstein, 1990). */
static inline __m256d divided(__m256d a, __m256d b, __m256d one_by_b)
{
    __m256d q = a * one_by_b;

    q = _mm256_fmadd_pd(_mm256_fnmadd_pd(q, b, a), one_by_b, q);
    return _mm256_fmadd_pd(_mm256_fnmadd_pd(q, b, a), one_by_b, q);
}

uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        int32_t x, int32_t y, uint32_t mask, struct gfx_group *group,
                        uint32_t first)
{
    const __m256d area = each(fabs(s->area) * GRID * GRID),
                  inverse = each(e[0].inverse);
    __m256d a = edge_of(&e[0], x, y), b = edge_of(&e[1], x, y),
            c = edge_of(&e[2], x, y);
    __m256d w, along_b, along_c;

    if (s->t->kind != GFX_RECTANGLE)
        mask &= beside(a, e[0].bias) & beside(b, e[1].bias) & beside(c, e[2].bias);
    if (mask == 0)
        return 0;
    a = divided(a, area, inverse);
    b = divided(b, area, inverse);
    c = divided(c, area, inverse);
    along_b = b * each(s->inv_w[1]);
    along_c = c * each(s->inv_w[2]);
    w = a * each(s->inv_w[0]) + along_b + along_c;
    _mm256_storeu_pd(group->w + first, w);
    _mm256_storeu_pd(group->z + first, each(s->z[0]) + b * each(s->z[1] - s->z[0]) +
                                           c * each(s->z[2] - s->z[0]));
    _mm256_storeu_pd(group->b1 + first, along_b / w);
    _mm256_storeu_pd(group->b2 + first, along_c / w);
    return mask;
}

/* So many numbers as floats; 256 bits at once, as they are read. */
static inline __m256 narrow(const double *from)
{
    const __m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(from));

    return _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                _mm256_cvtpd_ps(_mm256_loadu_pd(from + 4)), 1);
}

void gfx_put_group_avx2(const struct gfx_group *group, uint32_t lanes, uint8_t *to)
{
    enum { HIGH = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7 };    /* halves of words */
    enum { CORNERS = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 }; /* words of the register */
    const __m128i x = _mm_loadu_si128((const __m128i *)group->x);
    const __m128i y = _mm_loadu_si128((const __m128i *)group->y);
    const __m128i there = _mm_cmpgt_epi32(_mm_set1_epi32((int32_t)group->count),
                                          _mm_setr_epi32(0, 1, 2, 3));
    const __m128i corner = _mm_blend_epi16(x, _mm_slli_epi32(y, 16), HIGH) & there;
    const __m256i head = _mm256_permutevar8x32_epi32(
        _mm256_castsi128_si256(corner), _mm256_setr_epi32(0, 0, 0, 1, 2, 3, 0, 0));
    const __m256i mask =
        _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, group->mask & UINT16_MAX);

    to += ISA_GRF_BYTES;
    _mm256_storeu_si256((__m256i *)to,
                        _mm256_blend_epi32(_mm256_setzero_si256(), head, CORNERS) |
                            mask);
    for (uint32_t first = 0; first < lanes; first += 8) {
        to += ISA_GRF_BYTES;
        _mm256_storeu_ps((float *)(void *)to, narrow(group->b1 + first));
        to += ISA_GRF_BYTES;
        _mm256_storeu_ps((float *)(void *)to, narrow(group->b2 + first));
    }
}
#endif
