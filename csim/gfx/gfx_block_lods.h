/* gfx_block_lods.h - levels of detail of four blocks of pixels side by side, for
 * gfx_bytes.c: as gfx_find_block_lods()'s, bit for bit. */
#ifndef GFX_BLOCK_LODS_H
#define GFX_BLOCK_LODS_H
#include "gfx_sample.h"
#if defined(EMU_AVX2) || defined(EMU_AVX512)
#include <immintrin.h>

/* 1/3 + y/5 + y^2/7 .. + y^9/21, its terms side by side. */
static inline __m256d find_series(__m256d y)
{
    const __m256d y2 = y * y, y4 = y2 * y2;
    __m256d pair[5];

    for (int k = 0; k < 5; k++)
        pair[k] = _mm256_fmadd_pd(y, _mm256_set1_pd(1.0 / (4 * k + 5)),
                                  _mm256_set1_pd(1.0 / (4 * k + 3)));
    return _mm256_fmadd_pd(
        _mm256_fmadd_pd(y4, pair[4], _mm256_fmadd_pd(y2, pair[3], pair[2])), y4,
        _mm256_fmadd_pd(y2, pair[1], pair[0]));
}

/* log2() of four roots. The polynomial is off by less than 2^-50 of the result, libm by
 * no more: both round to the same float where the double does not lie next to the
 * middle between two. Where it does, and of zeros, infinities and NaN, libm is asked.
 */
static inline __m128 find_logs(__m256d root)
{
    enum { MANTISSA = 52, LOST = 29, NEAR = 64 }; /* bits of a double; its units */
    const __m256i bits = _mm256_castpd_si256(root);
    const __m256i root_of_half =
        _mm256_castpd_si256(_mm256_set1_pd(0x1.6a09e667f3bcdp-1));
    const __m256i up = _mm256_sub_epi64(bits, root_of_half);
    const __m256i exponent =
        _mm256_and_si256(up, _mm256_set1_epi64x(-(INT64_C(1) << MANTISSA)));
    const __m256d m = _mm256_castsi256_pd(_mm256_sub_epi64(bits, exponent));
    const __m256i high = _mm256_permutevar8x32_epi32(
        exponent, _mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7));
    const __m256d e =
        _mm256_cvtepi32_pd(_mm_srai_epi32(_mm256_castsi256_si128(high), 20));
    const __m256d one = _mm256_set1_pd(1), z = (m - one) / (m + one), y = z * z;
    const __m256d t = z * _mm256_set1_pd(0x1.71547652b82fep1); /* 2 / ln 2 */
    __m256d v;
    __m256i rest;
    uint32_t ask;
    __m128 lod;

    v = e + _mm256_fmadd_pd(t * y, find_series(y), t);
    lod = _mm256_cvtpd_ps(v);
    rest =
        _mm256_and_si256(_mm256_castpd_si256(v), _mm256_set1_epi64x((1 << LOST) - 1));
    rest = _mm256_add_epi64(rest, _mm256_set1_epi64x(NEAR - (1 << (LOST - 1))));
    rest = _mm256_and_si256(rest, _mm256_set1_epi64x(-2 * NEAR));
    rest = _mm256_cmpeq_epi64(rest, _mm256_setzero_si256());
    ask = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(rest)) |
          (uint32_t)_mm256_movemask_pd(
              _mm256_cmp_pd(root, _mm256_set1_pd(0x1p-500), _CMP_NGE_UQ)) |
          (uint32_t)_mm256_movemask_pd(
              _mm256_cmp_pd(root, _mm256_set1_pd(0x1p500), _CMP_GE_OQ));
    if (ask != 0) {
        double of[4];
        float to[4];

        _mm256_storeu_pd(of, root);
        _mm_storeu_ps(to, lod);
        for (; ask != 0; ask &= ask - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(ask);

            to[i] = (float)log2(of[i]);
        }
        lod = _mm_loadu_ps(to);
    }
    return lod;
}

/* Squares of what two pixels of each block are apart are added. */
static inline void add_squares(__m128 from, __m128 to, double scale, __m256d *sum)
{
    const __m256d apart = _mm256_cvtps_pd(to - from) * _mm256_set1_pd(scale);

    *sum = *sum + apart * apart;
}

/* Levels of four blocks, or their signs. */
static inline __m128 find_lods(const struct gfx_plain *p, const float *const u[2],
                               bool sign)
{
    const __m256d one = _mm256_set1_pd(GFX_ROOT_IS_ONE);
    __m256d x = _mm256_setzero_pd(), y = x, longer;

    for (uint32_t d = 0; d < 2; d++) {
        const __m128 a = _mm_loadu_ps(u[d]), b = _mm_loadu_ps(u[d] + 4),
                     e = _mm_loadu_ps(u[d] + 8), f = _mm_loadu_ps(u[d] + 12);
        const __m128 left = _mm_unpacklo_ps(a, b), right = _mm_unpacklo_ps(e, f);
        const __m128 first = _mm_movelh_ps(left, right);

        add_squares(first, _mm_movehl_ps(right, left), p->first[d], &x);
        add_squares(first, _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(e, f)),
                    p->first[d], &y);
    }
    if (sign) {
        const __m256d above = _mm256_or_pd(_mm256_cmp_pd(x, one, _CMP_GT_OQ),
                                           _mm256_cmp_pd(y, one, _CMP_GT_OQ));

        return _mm256_cvtpd_ps(
            _mm256_blendv_pd(_mm256_set1_pd(-1), _mm256_set1_pd(1), above));
    }
    longer = _mm256_or_pd(_mm256_cmp_pd(x, y, _CMP_GT_OQ),
                          _mm256_cmp_pd(y, y, _CMP_UNORD_Q));
    return find_logs(_mm256_sqrt_pd(_mm256_blendv_pd(y, x, longer)));
}
#endif
#endif
