/* gfx_cover.c - a block's pixels of most triangles and rectangles side by side, on a
 * host with AVX2: the same numbers as gfx_place.c's. Edges are whole numbers that
 * doubles hold. */
#include "gfx_raster.h"
#if defined(EMU_AVX2)
#include <immintrin.h>

enum { GRID = 256 };

static inline __m256d each(double x)
{
    return _mm256_set1_pd(x);
}

static inline __m256d load(const double from[4])
{
    return _mm256_loadu_pd(from);
}

/* At the pixels of a block at 0, 0, and of four blocks from there on at their pixel
 * that lies the furthest in. */
static void put_edge(const struct gfx_edge *e, struct gfx_slope *p)
{
    enum { HALF = GRID / 2, NEXT = GRID + HALF };
    const __m256d x = _mm256_setr_pd(HALF, NEXT, HALF, NEXT);
    const __m256d y = _mm256_setr_pd(HALF, HALF, NEXT, NEXT);
    const __m256d blocks = _mm256_setr_pd(0, 2 * GRID, 4 * GRID, 6 * GRID);
    const __m256d a = each((double)e->a), b = each((double)e->b),
                  c = each((double)e->c);

    _mm256_storeu_pd(p->a, a * each(GRID));
    _mm256_storeu_pd(p->b, b * each(GRID));
    _mm256_storeu_pd(p->pixels, a * x + b * y + c);
    _mm256_storeu_pd(p->blocks,
                     (a + b) * each(HALF) + c + a * blocks + each((double)e->most));
    _mm256_storeu_pd(p->bias, each((double)e->bias));
}

void gfx_planes_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                     struct gfx_planes *p)
{
    for (uint32_t k = 0; k < 3; k++)
        put_edge(&e[k], &p->edge[k]);
    _mm256_storeu_pd(p->area, each(fabs(s->area) * GRID * GRID));
    _mm256_storeu_pd(p->inverse, each(1 / (fabs(s->area) * GRID * GRID)));
    _mm256_storeu_pd(p->z[0], each(s->z[0]));
    _mm256_storeu_pd(p->z[1], each(s->z[1] - s->z[0]));
    _mm256_storeu_pd(p->z[2], each(s->z[2] - s->z[0]));
    for (uint32_t k = 0; k < 3; k++)
        _mm256_storeu_pd(p->w[k], each(s->inv_w[k]));
}

/* Edges in a row of blocks, at x 0. */
struct base {
    __m256d pixels[3], blocks[3];
};

static inline struct base base_of(const struct gfx_planes *p, int32_t y)
{
    const __m256d down = each(y);
    struct base base;

    for (uint32_t k = 0; k < 3; k++) {
        const __m256d b = load(p->edge[k].b);

        base.pixels[k] = _mm256_fmadd_pd(b, down, load(p->edge[k].pixels));
        base.blocks[k] = _mm256_fmadd_pd(b, down, load(p->edge[k].blocks));
    }
    return base;
}

static inline void edges_at(const struct gfx_planes *p, const struct base *base,
                            int32_t x, __m256d at[3])
{
    for (uint32_t k = 0; k < 3; k++)
        at[k] = _mm256_fmadd_pd(load(p->edge[k].a), each(x), base->pixels[k]);
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

/* Of a block's pixels, by its edges there, those numbers of the group that are wanted.
 */
static inline __attribute__((always_inline)) void
put_numbers(const struct gfx_planes *p, const __m256d at[3], struct gfx_group *group,
            uint32_t first, bool depths, bool weights)
{
    const __m256d area = load(p->area), inverse = load(p->inverse);
    const __m256d b = divided(at[1], area, inverse), c = divided(at[2], area, inverse);
    __m256d along_b, along_c, w;

    if (depths)
        _mm256_storeu_pd(group->z + first,
                         load(p->z[0]) + b * load(p->z[1]) + c * load(p->z[2]));
    if (!weights)
        return;
    along_b = b * load(p->w[1]);
    along_c = c * load(p->w[2]);
    w = divided(at[0], area, inverse) * load(p->w[0]) + along_b + along_c;
    _mm256_storeu_pd(group->w + first, w);
    _mm256_storeu_pd(group->b1 + first, along_b / w);
    _mm256_storeu_pd(group->b2 + first, along_c / w);
}

/* On the inner side of all three. */
static inline uint32_t within_edges(__m256d a, __m256d b, __m256d c)
{
    return ~(uint32_t)_mm256_movemask_pd(_mm256_or_pd(_mm256_or_pd(a, b), c)) & 15;
}

/* Of four blocks from x on those that may have pixels inside. */
static inline uint32_t find_blocks(const struct gfx_planes *p, const struct base *base,
                                   int32_t x, int32_t stop)
{
    const __m256d at = each(x);
    const uint32_t left = (uint32_t)(stop - x + 1) / 2;
    const uint32_t some =
        within_edges(_mm256_fmadd_pd(load(p->edge[0].a), at, base->blocks[0]),
                     _mm256_fmadd_pd(load(p->edge[1].a), at, base->blocks[1]),
                     _mm256_fmadd_pd(load(p->edge[2].a), at, base->blocks[2]));

    return left < 4 ? some & ((1u << left) - 1) : some;
}

/* gfx_cover_avx2(), with weights or without, of triangles, or of rectangles, which
 * have no edges but their box's. */
static inline __attribute__((always_inline)) uint32_t
cover(const struct gfx_planes *p, struct gfx_walk *walk, struct gfx_group *group,
      uint32_t first, uint32_t end, bool rectangle, bool weights)
{
    uint32_t found = 0, to = first;

    for (; walk->y < walk->until; walk->y += 2, walk->x = walk->start) {
        const struct base base = base_of(p, walk->y);

        for (int32_t x = walk->x; x < walk->stop; x += 8) {
            uint32_t some = rectangle ? 15 : find_blocks(p, &base, x, walk->stop);

            for (; some != 0; some &= some - 1) {
                const int32_t at_x = x + 2 * __builtin_ctz(some);
                uint32_t mask = gfx_within(at_x, walk->y, walk->box);
                __m256d at[3];

                edges_at(p, &base, at_x, at);
                if (!rectangle)
                    mask &= within_edges(at[0] + load(p->edge[0].bias),
                                         at[1] + load(p->edge[1].bias),
                                         at[2] + load(p->edge[2].bias));
                if (mask == 0)
                    continue;
                group->x[to] = at_x;
                group->y[to] = walk->y;
                put_numbers(p, at, group, 4 * to, true, weights);
                found |= mask << 4 * to++;
                walk->x = at_x + 2;
                if (to == end)
                    return found;
            }
        }
    }
    return found;
}

uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_planes *p,
                        struct gfx_walk *walk, struct gfx_group *group, uint32_t first,
                        uint32_t end)
{
    if (s->t->kind == GFX_RECTANGLE)
        return cover(p, walk, group, first, end, true, true);
    return s->later ? cover(p, walk, group, first, end, false, false)
                    : cover(p, walk, group, first, end, false, true);
}

static inline __attribute__((always_inline)) void
place(const struct gfx_planes *p, struct gfx_group *group, bool depths)
{
    for (uint32_t b = 0; b < group->count; b++) {
        const struct base base = base_of(p, group->y[b]);
        __m256d at[3];

        edges_at(p, &base, group->x[b], at);
        put_numbers(p, at, group, 4 * b, depths, true);
    }
}

void gfx_place_avx2(const struct gfx_planes *p, struct gfx_group *group, bool depths)
{
    if (depths)
        place(p, group, true);
    else
        place(p, group, false);
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
        _mm256_storeu_ps((float *)(void *)to,
                         group->placed[0] != NULL
                             ? _mm256_loadu_ps(group->placed[0] + first)
                             : narrow(group->b1 + first));
        to += ISA_GRF_BYTES;
        _mm256_storeu_ps((float *)(void *)to,
                         group->placed[1] != NULL
                             ? _mm256_loadu_ps(group->placed[1] + first)
                             : narrow(group->b2 + first));
    }
}

void gfx_keep_group_avx2(const struct gfx_group *group, float *b1, float *b2)
{
    for (uint32_t first = 0; first < 16; first += 8) {
        _mm256_storeu_ps(b1 + first, narrow(group->b1 + first));
        _mm256_storeu_ps(b2 + first, narrow(group->b2 + first));
    }
}
#endif
