/* gfx_blocks.c - depth tests of blocks of 2x2 pixels, one after the other. Compiled
 * twice, as gfx_lanes.c is (the Makefile's TWICE_gfx); both give the same bits. Tests:
 * tests/csim/test_gfx_depth.c */
#include "gfx_depth.h"
#if defined(EMU_AVX2)
#include <float.h>
#include <immintrin.h>
#endif

enum { ROW = GFX_SIDE_BY_SIDE }; /* bytes from a block's first row to its second */

enum kind { HALVES, WORDS, FLOATS };

#define ALWAYS static inline __attribute__((always_inline))

/* Lanes from the bits of a mask, and back. */
ALWAYS gfx_flags4 lanes_of(uint32_t mask)
{
    const gfx_flags4 bits = {1, 2, 4, 8};
    const int32_t all = (int32_t)mask;

    return ((gfx_flags4){all, all, all, all} & bits) == bits;
}

ALWAYS uint32_t mask_of(gfx_flags4 lanes)
{
#if defined(EMU_AVX2)
    return (uint32_t)_mm_movemask_ps((__m128)lanes);
#else
    const gfx_flags4 bits = lanes & (gfx_flags4){1, 2, 4, 8};

    return (uint32_t)(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

/* As the buffer has them: gfx_depth.c's depth_of() and quantize(). */
ALWAYS gfx_depths4 depths_of(const struct gfx_tests *t, enum kind kind,
                             const double z[4])
{
    const double most = kind == HALVES ? 65535.0 : 16777215.0;
#if defined(EMU_AVX2)
    __m256d v = _mm256_max_pd(_mm256_loadu_pd(z), _mm256_set1_pd((double)t->low));

    v = _mm256_min_pd(v, _mm256_set1_pd((double)t->high));
    if (kind == FLOATS)
        return (gfx_depths4)_mm256_cvtpd_ps(v);
    v = _mm256_min_pd(_mm256_max_pd(v, _mm256_setzero_pd()), _mm256_set1_pd(1));
    return (gfx_depths4)_mm_cvtepi32_ps(
        _mm256_cvttpd_epi32(v * _mm256_set1_pd(most) + _mm256_set1_pd(0.5)));
#else
    const double low = (double)t->low, high = (double)t->high;
    gfx_depths4 d;

    for (uint32_t i = 0; i < 4; i++) {
        double v = z[i] > low ? z[i] : low;

        v = v < high ? v : high;
        if (kind != FLOATS) {
            v = v > 0 ? v : 0;
            v = v < 1 ? v : 1;
            v = (double)(int32_t)(v * most + 0.5);
        }
        d[i] = (float)v;
    }
    return d;
#endif
}

/* From registers: what is written in pieces is not read together. */
ALWAYS gfx_flags4 load_words(const uint8_t *at)
{
    typedef uint64_t rows __attribute__((vector_size(16)));
    uint64_t row[2];

    memcpy(&row[0], at, sizeof(row[0]));
    memcpy(&row[1], at + ROW, sizeof(row[1]));
    return (gfx_flags4)(rows){row[0], row[1]};
}

ALWAYS gfx_flags4 load(enum kind kind, const uint8_t *at)
{
    uint16_t half[4];

    if (kind != HALVES)
        return load_words(at);
    memcpy(half, at, sizeof(half) / 2);
    memcpy(half + 2, at + ROW, sizeof(half) / 2);
    return (gfx_flags4){half[0], half[1], half[2], half[3]};
}

ALWAYS gfx_depths4 to_depths(enum kind kind, gfx_flags4 word)
{
    return kind == FLOATS ? (gfx_depths4)word
                          : __builtin_convertvector(word & GFX_DEPTH_24, gfx_depths4);
}

/* Those of `on`; word: what is there. */
ALWAYS void save(enum kind kind, gfx_flags4 word, gfx_depths4 d, gfx_flags4 on,
                 uint8_t *at)
{
    const gfx_flags4 now =
        kind == FLOATS ? (gfx_flags4)d : __builtin_convertvector(d, gfx_flags4);
    uint16_t half[4];

    if (kind == WORDS)
        on &= GFX_DEPTH_24;
    word = (word & ~on) | (now & on);
    if (kind != HALVES) {
        memcpy(at, &word, sizeof(word) / 2);
        memcpy(at + ROW, (const uint8_t *)&word + sizeof(word) / 2, sizeof(word) / 2);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        half[i] = (uint16_t)word[i];
    memcpy(at, half, sizeof(half) / 2);
    memcpy(at + ROW, half + 2, sizeof(half) / 2);
}

/* Returns the pixels of mask that pass. */
ALWAYS uint32_t test(const struct gfx_tests *t, enum kind kind, uint32_t mask,
                     const double *z, uint8_t *const at[GFX_BLOCKS],
                     struct gfx_depths now[GFX_BLOCKS])
{
    uint32_t passed = 0;

    for (uint32_t b = 0, rest = mask; rest != 0; b++, rest >>= 4) {
        gfx_flags4 on = lanes_of(rest), word;
        uint32_t some;
        gfx_depths4 d;

        if ((rest & 15) == 0)
            continue;
        d = depths_of(t, kind, z + 4 * b);
        word = load(kind, at[b]);
        if (t->depth_test)
            on &= gfx_compare_depths(t->function, d, to_depths(kind, word));
        if (t->depth_write)
            save(kind, word, d, on, at[b]);
        some = mask_of(on);
        passed |= some << 4 * b;
        if (some != 15 && some != 0) {
            const float one = d[__builtin_ctz(some)];
            const gfx_depths4 all = {one, one, one, one};

            d = (gfx_depths4)(((gfx_flags4)d & on) | ((gfx_flags4)all & ~on));
        }
        memcpy(now[b].of, &d, sizeof(d));
    }
    return passed;
}

/* ---- for notes ---------------------------------------------------------- */

#if defined(EMU_AVX2)
static inline double less(double a, double b)
{
    return a < b ? a : b;
}

static inline double more(double a, double b)
{
    return a > b ? a : b;
}

static inline double least_of(__m256d v)
{
    const __m128d low = _mm256_castpd256_pd128(v), high = _mm256_extractf128_pd(v, 1);
    const __m128d both =
        _mm_min_pd(_mm_unpacklo_pd(low, high), _mm_unpackhi_pd(low, high));

    return _mm_cvtsd_f64(_mm_min_sd(both, _mm_unpackhi_pd(both, both)));
}

static inline double most_of(__m256d v)
{
    const __m128d low = _mm256_castpd256_pd128(v), high = _mm256_extractf128_pd(v, 1);
    const __m128d both =
        _mm_max_pd(_mm_unpacklo_pd(low, high), _mm_unpackhi_pd(low, high));

    return _mm_cvtsd_f64(_mm_max_sd(both, _mm_unpackhi_pd(both, both)));
}

/* Edges of such primitives are whole numbers that doubles hold. */
bool gfx_find_span_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        const int64_t from[2], const int64_t size[2], double z[2],
                        double *sum)
{
    enum { GRID = 256 };
    const double wide = (double)size[0], high = (double)size[1];
    const __m256d x = (double)from[0] + _mm256_setr_pd(0, wide, 0, wide);
    const __m256d y = (double)from[1] + _mm256_setr_pd(0, 0, high, high);
    const double area = fabs(s->area) * GRID * GRID;
    __m256d here = _mm256_setzero_pd(), all = here;

    for (uint32_t k = 0; k < 3; k++) {
        const __m256d edge = (double)e[k].a * x + (double)e[k].b * y + (double)e[k].c;
        const __m256d part = edge / area * s->z[k];

        here += part;
        all += _mm256_andnot_pd(_mm256_set1_pd(-0.0), part);
    }
    z[0] = least_of(here);
    z[1] = most_of(here);
    if (s->t->kind == GFX_TRIANGLE) {
        z[0] = more(z[0], less(less(s->z[0], s->z[1]), s->z[2]));
        z[1] = less(z[1], more(more(s->z[0], s->z[1]), s->z[2]));
    }
    *sum = most_of(all);
    return _mm256_movemask_pd(
               _mm256_cmp_pd(all, _mm256_set1_pd(DBL_MAX), _CMP_LE_OQ)) == 15;
}
#else
typedef double corners __attribute__((vector_size(32)));
typedef int64_t places __attribute__((vector_size(32)));

void gfx_find_planes(const struct gfx_setup *s, const struct gfx_edge e[3],
                     const int64_t from[2], const int64_t size[2], double z[4],
                     double sum[4])
{
    enum { GRID = 256 };
    const double area = fabs(s->area) * GRID * GRID;
    corners here = {0, 0, 0, 0}, all = here;

    for (uint32_t k = 0; k < 3; k++) {
        const int64_t first = e[k].a * from[0] + e[k].b * from[1] + e[k].c,
                      right = e[k].a * size[0], down = e[k].b * size[1];
        const corners edge = {(double)first, (double)(first + right),
                              (double)(first + down), (double)(first + right + down)};
        const corners part = edge / area * s->z[k];

        here += part;
        all += (corners)((places)part & INT64_MAX); /* fabs() */
    }
    memcpy(z, &here, sizeof(here));
    memcpy(sum, &all, sizeof(all));
}
#endif

/* `a` where it is less (more), and else b, which no number is neither. */
ALWAYS gfx_depths4 less_of(gfx_depths4 a, gfx_depths4 b)
{
#if defined(EMU_AVX2)
    return (gfx_depths4)_mm_min_ps((__m128)a, (__m128)b);
#else
    const gfx_flags4 less = a < b;

    return (gfx_depths4)(((gfx_flags4)a & less) | ((gfx_flags4)b & ~less));
#endif
}

ALWAYS gfx_depths4 more_of(gfx_depths4 a, gfx_depths4 b)
{
#if defined(EMU_AVX2)
    return (gfx_depths4)_mm_max_ps((__m128)a, (__m128)b);
#else
    const gfx_flags4 more = a > b;

    return (gfx_depths4)(((gfx_flags4)a & more) | ((gfx_flags4)b & ~more));
#endif
}

ALWAYS void find_range(uint32_t count, const struct gfx_depths *v, float range[2])
{
    gfx_depths4 least, most, own;

    memcpy(&least, v->of, sizeof(least));
    most = least;
    for (uint32_t b = 1; b < count; b++) {
        memcpy(&own, v[b].of, sizeof(own));
        least = less_of(own, least);
        most = more_of(own, most);
    }
    range[0] = least[0];
    range[1] = most[0];
    for (uint32_t i = 1; i < 4; i++) {
        range[0] = least[i] < range[0] ? least[i] : range[0];
        range[1] = most[i] > range[1] ? most[i] : range[1];
    }
}

ALWAYS bool are_within(bool floats, const uint8_t *at, float least, float most)
{
    const gfx_depths4 from = {least, least, least, least},
                      to = {most, most, most, most};
    gfx_flags4 within = {-1, -1, -1, -1};

    for (uint32_t i = 0; i < 2 * GFX_NOTE_HIGH; i++) {
        const uint8_t *row = at + i % 2 * GFX_NEXT_COLUMN + i / 2 * ROW;
        gfx_flags4 word;
        gfx_depths4 z;

        memcpy(&word, row, sizeof(word));
        z = to_depths(floats ? FLOATS : WORDS, word);
        within &= (z >= from) & (z <= to);
    }
    return mask_of(within) == 15;
}

#if defined(EMU_AVX2)
void gfx_find_range_avx2(uint32_t count, const struct gfx_depths *v, float range[2])
#else
void gfx_find_range_any(uint32_t count, const struct gfx_depths *v, float range[2])
#endif
{
    find_range(count, v, range);
}

#if defined(EMU_AVX2)
bool gfx_are_within_avx2(bool floats, const uint8_t *at, float least, float most)
#else
bool gfx_are_within_any(bool floats, const uint8_t *at, float least, float most)
#endif
{
    return floats ? are_within(true, at, least, most)
                  : are_within(false, at, least, most);
}

#if defined(EMU_AVX2)
uint32_t gfx_test_blocks_avx2(const struct gfx_surface *s, const struct gfx_tests *t,
                              uint32_t mask, const double *z,
                              uint8_t *const at[GFX_BLOCKS],
                              struct gfx_depths now[GFX_BLOCKS])
#else
uint32_t gfx_test_blocks_any(const struct gfx_surface *s, const struct gfx_tests *t,
                             uint32_t mask, const double *z,
                             uint8_t *const at[GFX_BLOCKS],
                             struct gfx_depths now[GFX_BLOCKS])
#endif
{
    return s->format->type == TEX_FLOAT ? test(t, FLOATS, mask, z, at, now)
           : s->format->bytes == 2      ? test(t, HALVES, mask, z, at, now)
                                        : test(t, WORDS, mask, z, at, now);
}
