/* gfx_wide.h - vectors of 32-bit lanes, of the width for which a file is compiled:
 * AVX2, or AVX-512 where EMU_AVX512 is set; operators do what they do to integers and
 * floats. Masks of lanes are bits. */
#ifndef GFX_WIDE_H
#define GFX_WIDE_H
#if defined(EMU_AVX2) || defined(EMU_AVX512)
#include <immintrin.h>
#include <stdint.h>

#if defined(EMU_AVX512)
enum { WIDE = 16 };
typedef __m512i wide;
typedef __m512 wide_float;
#define WIDE_OP(name) _mm512_##name
#define WIDE_HOST(name) name##_avx512
#else
enum { WIDE = 8 };
typedef __m256i wide;
typedef __m256 wide_float;
#define WIDE_OP(name) _mm256_##name
#define WIDE_HOST(name) name##_avx2
#endif
typedef uint32_t wide_unsigned __attribute__((vector_size(4 * WIDE)));
/* A table of this many words, by a lane's number. */
enum { WIDE_TABLE = 16 };

static inline wide wide_set(uint32_t x)
{
    return WIDE_OP(set1_epi32)((int32_t)x);
}

/* Of floats as of their bits. */
#if defined(EMU_AVX512)
static inline wide wide_bits(wide_float x)
{
    return _mm512_castps_si512(x);
}

static inline wide_float wide_floats(wide x)
{
    return _mm512_castsi512_ps(x);
}

static inline wide wide_load(const void *from)
{
    return _mm512_loadu_si512(from);
}

/* All ones in the lanes of a mask. */
static inline wide wide_spread(uint32_t mask)
{
    return _mm512_maskz_set1_epi32((__mmask16)mask, -1);
}

static inline uint32_t wide_nonzero(wide x)
{
    return _mm512_test_epi32_mask(x, x);
}

static inline uint32_t wide_negative(wide x)
{
    return _mm512_movepi32_mask(x);
}

static inline uint32_t wide_above(wide_float x, wide_float y)
{
    return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ);
}

static inline uint32_t wide_equal(wide x, wide y)
{
    return _mm512_cmpeq_epi32_mask(x, y);
}

static inline wide wide_lane(wide x, uint32_t lane)
{
    return _mm512_permutexvar_epi32(wide_set(lane), x);
}

static inline wide wide_find(const void *table, wide at)
{
    return _mm512_permutexvar_epi32(at, _mm512_loadu_si512(table));
}

static inline wide wide_gather(const void *from, wide offset)
{
    return _mm512_i32gather_epi32(offset, from, 1);
}

static inline wide_float wide_round(wide_float x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline wide_float wide_floor(wide_float x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/* Even words of the first, odd ones of the second. */
static inline wide wide_words(wide even, wide odd)
{
    return _mm512_mask_mov_epi16(even, UINT32_MAX / 3 * 2, odd);
}

/* 16 bytes in each part of that size. */
static inline wide wide_sixteens(__m128i x)
{
    return _mm512_broadcast_i32x4(x);
}

/* Of its parts of 64 bits. */
static inline uint64_t wide_or(wide x)
{
    __m256i y = _mm512_castsi512_si256(x) | _mm512_extracti64x4_epi64(x, 1);
    __m128i z = _mm256_castsi256_si128(y) | _mm256_extracti128_si256(y, 1);

    return (uint64_t)_mm_cvtsi128_si64(z | _mm_unpackhi_epi64(z, z));
}

static inline void wide_store(void *to, wide x, uint32_t mask)
{
    _mm512_mask_storeu_epi32(to, (__mmask16)mask, x);
}

/* Each of four floats in four lanes, from 4 * first lanes on. */
static inline wide_float wide_fours(__m128 x, uint32_t first)
{
    const wide at = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);

    (void)first;
    return _mm512_permutexvar_ps(at, _mm512_castps128_ps512(x));
}
#else
static inline wide wide_bits(wide_float x)
{
    return _mm256_castps_si256(x);
}

static inline wide_float wide_floats(wide x)
{
    return _mm256_castsi256_ps(x);
}

static inline wide wide_load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline wide wide_spread(uint32_t mask)
{
    const wide bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_cmpeq_epi32(wide_set(mask) & bits, bits);
}

static inline uint32_t wide_negative(wide x)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}

static inline uint32_t wide_equal(wide x, wide y)
{
    return wide_negative(_mm256_cmpeq_epi32(x, y));
}

static inline uint32_t wide_nonzero(wide x)
{
    return wide_equal(x, _mm256_setzero_si256()) ^ UINT8_MAX;
}

static inline uint32_t wide_above(wide_float x, wide_float y)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_GT_OQ));
}

static inline wide wide_lane(wide x, uint32_t lane)
{
    return _mm256_permutevar8x32_epi32(x, wide_set(lane));
}

static inline wide wide_find(const void *table, wide at)
{
    const wide *half = table;
    const wide low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(&half[0]), at);
    const wide high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(&half[1]), at);

    return _mm256_blendv_epi8(low, high,
                              _mm256_cmpgt_epi32(at, wide_set(WIDE_TABLE / 2 - 1)));
}

static inline wide wide_gather(const void *from, wide offset)
{
    return _mm256_i32gather_epi32(from, offset, 1);
}

static inline wide_float wide_round(wide_float x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline wide_float wide_floor(wide_float x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

static inline wide wide_words(wide even, wide odd)
{
    return _mm256_blend_epi16(even, odd, UINT8_MAX / 3 * 2);
}

static inline wide wide_sixteens(__m128i x)
{
    return _mm256_broadcastsi128_si256(x);
}

static inline uint64_t wide_or(wide x)
{
    __m128i y = _mm256_castsi256_si128(x) | _mm256_extracti128_si256(x, 1);

    return (uint64_t)_mm_cvtsi128_si64(y | _mm_unpackhi_epi64(y, y));
}

static inline void wide_store(void *to, wide x, uint32_t mask)
{
    if (mask == UINT8_MAX)
        _mm256_storeu_si256(to, x);
    else
        _mm256_maskstore_epi32(to, wide_spread(mask), x);
}

static inline wide_float wide_fours(__m128 x, uint32_t first)
{
    const wide at = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);

    return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(x),
                                    _mm256_add_epi32(at, wide_set(first)));
}
#endif
#endif
#endif
