/* gfx_bytes.c - sampler messages from textures of two dimensions with 8 bits a channel,
 * eight lanes side by side, on a host with AVX2; gfx_lanes.c
 * does the others. Sums are integers and exact, and rounded once, as a sum of doubles
 * is there. Tests: tests/csim/test_gfx_flat.c */
#include "gfx_sample.h"
#include "gfx_texture.h"
#if defined(EMU_AVX2)
#include <immintrin.h>

enum { N = GFX_LANES, HALF = 8, LINE = 64, TEXEL = 4 };

/* What the lanes `mask` read of a level each; the others do what the first one does. */
struct four {
    uint32_t mask;
    bool linear; /* else one texel: the four are the same, and of the weights nothing */
    uint32_t axes; /* bit d: a lane has weight along u or v, where seconds are others */
    __m256i level[2], size[2][2], corner[2][2]; /* sizes and places: x and y */
    __m256i part[2][2];   /* weights of second texels, in 256ths */
    __m256i offset[4][2]; /* of texels, bytes */
    uint32_t low, high;   /* the least and the greatest of them */
    const uint8_t *host;  /* where the least lies */
};

static inline __m256i splat(uint32_t x)
{
    return _mm256_set1_epi32((int32_t)x);
}

static inline uint32_t signs(__m256i x)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}

/* All ones in the lanes of a half's mask. */
static inline __m256i spread(uint32_t mask)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_cmpeq_epi32(_mm256_and_si256(splat(mask), bits), bits);
}

/* ---- levels of detail --------------------------------------------------- */

/* Squares of what two pixels of each block are apart are added. */
static inline void add_squares(__m128 from, __m128 to, double scale, __m256d *sum)
{
    const __m256d apart = _mm256_cvtps_pd(to - from) * _mm256_set1_pd(scale);

    *sum = _mm256_add_pd(*sum, _mm256_mul_pd(apart, apart));
}

/* Squares of the lengths of four blocks' gradients. */
static void find_squares(const struct gfx_call *c, __m256d *x, __m256d *y)
{
    const uint32_t size[2] = {c->s->width, c->s->height};

    *x = *y = _mm256_setzero_pd();
    for (uint32_t d = 0; d < 2; d++) {
        const double scale =
            c->sampler.unnormalized ? 1.0 : (double)gfx_minify(size[d], c->s->min_lod);
        const float *u = c->u[d];
        const __m128 a = _mm_loadu_ps(u), b = _mm_loadu_ps(u + 4),
                     e = _mm_loadu_ps(u + 8), f = _mm_loadu_ps(u + 12);
        const __m128 left = _mm_unpacklo_ps(a, b), right = _mm_unpacklo_ps(e, f);
        const __m128 first = _mm_movelh_ps(left, right);

        add_squares(first, _mm_movehl_ps(right, left), scale, x);
        add_squares(first, _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(e, f)),
                    scale, y);
    }
}

void gfx_find_block_lods_avx2(struct gfx_call *c, bool sign)
{
    const __m256d one = _mm256_set1_pd(GFX_ROOT_IS_ONE);
    __m256d x, y, longer;
    double root[4];
    float lod[4];

    find_squares(c, &x, &y);
    if (sign) {
        int above = _mm256_movemask_pd(_mm256_or_pd(_mm256_cmp_pd(x, one, _CMP_GT_OQ),
                                                    _mm256_cmp_pd(y, one, _CMP_GT_OQ)));

        for (uint32_t b = 0; b < 4; b++)
            lod[b] = above >> b & 1 ? 1.0f : -1.0f;
    } else {
        longer = _mm256_or_pd(_mm256_cmp_pd(x, y, _CMP_GT_OQ),
                              _mm256_cmp_pd(y, y, _CMP_UNORD_Q));
        _mm256_storeu_pd(root, _mm256_sqrt_pd(_mm256_blendv_pd(y, x, longer)));
        for (uint32_t b = 0; b < 4; b++)
            lod[b] =
                b > 0 && root[b] == root[b - 1] ? lod[b - 1] : (float)log2(root[b]);
    }
    for (uint32_t b = 0; b < 4; b++)
        _mm_storeu_ps(&c->lod[4 * b], _mm_set1_ps(lod[b]));
}

/* ---- levels ------------------------------------------------------------- */

/* What lanes do, as bits. */
struct kinds {
    uint32_t minified, between; /* between: two levels */
};

/* gfx_within() and gfx_first_level() of a half's lanes. */
static void find_kinds(const struct gfx_call *c, uint32_t h, __m256 *lod,
                       __m256i *level, struct kinds *k)
{
    const float last = (float)(c->s->levels - 1);
    const bool linear = c->sampler.mip == MIP_LINEAR;
    const __m256 zero = _mm256_setzero_ps();
    __m256 at = _mm256_loadu_ps(&c->lod[h * HALF]) + _mm256_set1_ps(c->sampler.bias);

    at = _mm256_and_ps(at, _mm256_cmp_ps(at, at, _CMP_ORD_Q));
    at = _mm256_max_ps(at, _mm256_set1_ps(c->sampler.min_lod));
    at = _mm256_min_ps(at, _mm256_set1_ps(c->sampler.max_lod));
    k->minified |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(at, zero, _CMP_GT_OQ))
                   << h * HALF;
    at = _mm256_max_ps(at, zero);
    at = _mm256_min_ps(at, _mm256_set1_ps(c->sampler.mip == MIP_NONE ? 0 : last));
    *level = _mm256_cvttps_epi32(at + _mm256_set1_ps(linear ? 0 : 0.5f));
    *lod = at - _mm256_cvtepi32_ps(*level);
    if (linear)
        k->between |=
            (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(*lod, zero, _CMP_GT_OQ))
            << h * HALF;
}

/* False: too far away for 32 bits. */
static bool find_level(const struct gfx_surface *s, uint32_t level, uint32_t size[2],
                       uint32_t corner[2])
{
    struct gfx_level l = gfx_find_level(s, s->min_lod + level, s->first_layer);
    uint64_t rows, bytes;

    size[0] = gfx_minify(s->width, l.level);
    size[1] = gfx_minify(s->height, l.level);
    corner[0] = l.x;
    corner[1] = l.y;
    rows = (uint64_t)l.y + size[1] + 32;
    bytes = (l.x + size[0] + 128ull) * TEXEL;
    return rows * s->pitch + 32 * bytes < UINT32_MAX; /* of any tiling */
}

/* Of each lane by itself. */
static bool find_own_levels(const struct gfx_surface *s, struct four *r)
{
    uint32_t level[N], size[2][N], corner[2][N], own[2][2];

    memcpy(level, r->level, sizeof(level));
    for (uint32_t i = 0; i < N; i++) {
        if ((i == 0 || level[i] != level[i - 1]) &&
            !find_level(s, level[i], own[0], own[1]))
            return false;
        for (uint32_t d = 0; d < 2; d++) {
            size[d][i] = own[0][d];
            corner[d][i] = own[1][d];
        }
    }
    memcpy(r->size, size, sizeof(size));
    memcpy(r->corner, corner, sizeof(corner));
    return true;
}

static bool find_levels(const struct gfx_surface *s, struct four *r)
{
    const __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(r->level[0]));
    const __m256i other = _mm256_or_si256(_mm256_xor_si256(r->level[0], first),
                                          _mm256_xor_si256(r->level[1], first));
    uint32_t size[2], corner[2];

    if (!_mm256_testz_si256(other, other))
        return find_own_levels(s, r);
    if (!find_level(s, (uint32_t)_mm256_cvtsi256_si32(first), size, corner))
        return false;
    for (uint32_t h = 0; h < 2; h++)
        for (uint32_t d = 0; d < 2; d++) {
            r->size[d][h] = splat(size[d]);
            r->corner[d][h] = splat(corner[d]);
        }
    return true;
}

/* ---- places ------------------------------------------------------------- */

/* tex_place() of four lanes, in 256ths: each double's low bits. */
static inline __m256d find_256ths(__m128 u, __m128i size, bool texels)
{
    const __m256d whole = _mm256_set1_pd(0x1.8p52 - 128);
    __m256d scale = _mm256_set1_pd(256);

    if (!texels)
        scale = _mm256_mul_pd(_mm256_cvtepi32_pd(size), scale);
    return _mm256_fmadd_pd(_mm256_cvtps_pd(u), scale, whole);
}

/* The nearest texels of four lanes: each double's low bits. */
static inline __m256d find_floors(__m128 u, __m128i size, bool texels)
{
    __m256d x = _mm256_cvtps_pd(u);

    if (!texels)
        x = _mm256_mul_pd(x, _mm256_cvtepi32_pd(size));
    return _mm256_add_pd(_mm256_floor_pd(x), _mm256_set1_pd(0x1.8p52));
}

/* In 256ths, or the nearest ones. */
static inline __m256i find_places(__m256 u, __m256i size, bool texels, bool linear)
{
    const __m128 left = _mm256_castps256_ps128(u), right = _mm256_extractf128_ps(u, 1);
    const __m128i n = _mm256_castsi256_si128(size),
                  m = _mm256_extracti128_si256(size, 1);
    const __m256d first =
        linear ? find_256ths(left, n, texels) : find_floors(left, n, texels);
    const __m256d second =
        linear ? find_256ths(right, m, texels) : find_floors(right, m, texels);
    const __m256 low = _mm256_shuffle_ps(
        _mm256_castpd_ps(first), _mm256_castpd_ps(second), _MM_SHUFFLE(2, 0, 2, 0));

    return _mm256_permute4x64_epi64(_mm256_castps_si256(low), _MM_SHUFFLE(3, 1, 2, 0));
}

/* Not far away, of surfaces of 2^14 texels. */
static inline bool is_near(__m256 u, bool texels)
{
    const __m256 most = _mm256_set1_ps(texels ? 0x1p20f : 0x1p6f);
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), u);

    return _mm256_movemask_ps(_mm256_cmp_ps(size, most, _CMP_NLT_UQ)) == 0;
}

/* Texels behind an edge. False: not here. */
static inline bool wrap(uint32_t mode, __m256i size, __m256i at[2])
{
    const __m256i last = _mm256_sub_epi32(size, splat(1));

    if (mode == TEX_CLAMP) {
        for (uint32_t k = 0; k < 2; k++)
            at[k] = _mm256_min_epi32(_mm256_max_epi32(at[k], splat(0)), last);
        return true;
    }
    if (mode == TEX_WRAP && _mm256_testz_si256(size, last)) {
        at[0] = _mm256_and_si256(at[0], last);
        at[1] = _mm256_and_si256(at[1], last);
        return true;
    }
    return signs(at[0]) == 0 && signs(_mm256_sub_epi32(last, at[1])) == 0;
}

static inline __m256i shifted(__m256i x, int right, uint32_t mask, int left)
{
    x = _mm256_and_si256(_mm256_srli_epi32(x, right), splat(mask));
    return _mm256_slli_epi32(x, left);
}

/* gfx_tile_offset() of a column's byte, and of a row. */
static inline __m256i find_column(uint32_t tiling, __m256i x)
{
    if (tiling == GFX_TILE_Y)
        return _mm256_or_si256(
            _mm256_or_si256(shifted(x, 7, UINT32_MAX, 12), shifted(x, 4, 7, 9)),
            shifted(x, 0, 15, 0));
    if (tiling == GFX_TILE_X)
        return _mm256_or_si256(shifted(x, 9, UINT32_MAX, 12), shifted(x, 0, 511, 0));
    return x;
}

static inline __m256i find_row(uint32_t tiling, uint32_t pitch, __m256i y)
{
    if (tiling == GFX_TILE_Y)
        return _mm256_add_epi32(
            _mm256_mullo_epi32(_mm256_srli_epi32(y, 5), splat(pitch / 128 * 4096)),
            shifted(y, 0, 31, 4));
    if (tiling == GFX_TILE_X)
        return _mm256_add_epi32(
            _mm256_mullo_epi32(_mm256_srli_epi32(y, 3), splat(pitch / 512 * 4096)),
            shifted(y, 0, 7, 9));
    return _mm256_mullo_epi32(y, splat(pitch));
}

/* Texels along u or v of a half's lanes: columns or rows of the surface. */
static inline bool find_axis(const struct gfx_call *c, uint32_t d, uint32_t h, __m256 u,
                             struct four *r, __m256i at[2])
{
    const bool texels = c->sampler.unnormalized;
    const __m256i n = find_places(u, r->size[d][h], texels, r->linear);
    const __m256i low = _mm256_add_epi32(r->linear ? _mm256_srai_epi32(n, 8) : n,
                                         splat((uint32_t)c->offset[d]));
    const __m256i part = r->linear ? _mm256_and_si256(n, splat(255)) : splat(0);

    at[0] = low; /* without a weight the second one is the first */
    at[1] = _mm256_sub_epi32(low, _mm256_cmpgt_epi32(part, splat(0)));
    r->part[d][h] = part;
    r->axes |= (uint32_t)!_mm256_testz_si256(part, part) << d;
    if (!is_near(u, texels) || !wrap(c->flat.wrap[d], r->size[d][h], at))
        return false;
    at[0] = _mm256_add_epi32(at[0], r->corner[d][h]);
    at[1] = _mm256_add_epi32(at[1], r->corner[d][h]);
    return true;
}

/* Texel k of four may lie elsewhere than those before it. */
static inline bool is_other(const struct four *r, uint32_t k)
{
    return (k & ~r->axes) == 0;
}

static inline bool find_axes(const struct gfx_call *c, uint32_t h, struct four *r,
                             __m256i at[2][2])
{
    const uint32_t first = (uint32_t)__builtin_ctz(r->mask);
    const __m256 own = _mm256_castsi256_ps(spread(r->mask >> h * HALF));

    for (uint32_t d = 0; d < 2; d++) {
        __m256 u = _mm256_blendv_ps(_mm256_set1_ps(c->u[d][first]),
                                    _mm256_loadu_ps(&c->u[d][h * HALF]), own);

        if (!find_axis(c, d, h, u, r, at[d]))
            return false;
    }
    return true;
}

/* Of all that are others. */
static inline bool find_offsets(const struct gfx_call *c, struct four *r)
{
    __m256i at[2][2][2];

    r->axes = 0;
    for (uint32_t h = 0; h < 2; h++)
        if (!find_axes(c, h, r, at[h]))
            return false;
    for (uint32_t h = 0; h < 2; h++) {
        for (uint32_t k = 0; k < 2; k++) {
            if (is_other(r, k))
                at[h][0][k] =
                    find_column(c->s->tiling, _mm256_slli_epi32(at[h][0][k], 2));
            if (is_other(r, 2 * k))
                at[h][1][k] = find_row(c->s->tiling, c->s->pitch, at[h][1][k]);
        }
        for (uint32_t k = 0; k < 4; k++)
            if (is_other(r, k))
                r->offset[k][h] = _mm256_add_epi32(at[h][0][k & 1], at[h][1][k >> 1]);
    }
    return true;
}

static inline uint32_t least(__m256i x)
{
    __m128i m =
        _mm_min_epu32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    m = _mm_min_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(1, 0, 3, 2)));
    m = _mm_min_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(2, 3, 0, 1)));
    return (uint32_t)_mm_cvtsi128_si32(m);
}

/* NULL: they lie not in one buffer. */
static const uint8_t *find_host(struct gfx *g, uint64_t va, uint32_t bytes)
{
    return va % GFX_PAGE_BYTES + bytes <= GFX_PAGE_BYTES
               ? gfx_host(g, va, bytes)
               : emu_mem_host(g->mem, va, bytes);
}

/* Where the texels lie of r->mask's lanes; level: of all lanes. False: not here. */
static bool find_texels(struct gfx *g, const struct gfx_call *c, const __m256i level[2],
                        uint32_t above, struct four *r)
{
    const uint32_t first = (uint32_t)__builtin_ctz(r->mask);
    const __m256i at = _mm256_permutevar8x32_epi32(level[first / HALF], splat(first));
    __m256i low = splat(UINT32_MAX), high = splat(UINT32_MAX);

    for (uint32_t h = 0; h < 2; h++)
        r->level[h] = _mm256_add_epi32(
            _mm256_blendv_epi8(at, level[h], spread(r->mask >> h * HALF)),
            splat(above));
    if (!find_levels(c->s, r))
        return false;
    if (!find_offsets(c, r))
        return false;
    for (uint32_t i = 0; i < 8; i++) {
        const __m256i offset = r->offset[i % 4][i / 4];

        if (!is_other(r, i % 4))
            continue;
        low = _mm256_min_epu32(low, offset);
        high = _mm256_min_epu32(high, _mm256_xor_si256(offset, splat(UINT32_MAX)));
    }
    r->low = least(low);
    r->high = ~least(high);
    if (r->high - r->low >= (UINT16_MAX - 1u) * LINE) /* count_lines() */
        return false;
    r->host = find_host(g, c->s->va + r->low, r->high - r->low + TEXEL);
    return r->host != NULL;
}

/* ---- counts ------------------------------------------------------------- */

static inline uint32_t least_of_words(const __m256i *line, uint32_t n)
{
    __m256i m = line[0];
    __m128i four;

    for (uint32_t k = 1; k < n; k++)
        m = _mm256_min_epu16(m, line[k]);
    four = _mm_min_epu16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1));
    return (uint32_t)_mm_cvtsi128_si32(_mm_minpos_epu16(four)) & UINT16_MAX;
}

/* Each line once: the least is counted and taken away, until there is none. Fewer lines
 * than the table has room for, so each counts once, and their order is free. */
static void count_lines(struct gfx *g, const struct gfx_call *c, const struct four *r)
{
    const uint64_t first = c->s->va + r->low;
    const __m256i within = splat((uint32_t)(first % LINE) - r->low);
    __m256i line[4];
    uint32_t own, n = 0;

    for (uint32_t k = 0; k < 4; k++)
        if (is_other(r, k))
            line[n++] = _mm256_packus_epi32(
                _mm256_srli_epi32(_mm256_add_epi32(r->offset[k][0], within), 6),
                _mm256_srli_epi32(_mm256_add_epi32(r->offset[k][1], within), 6));
    while ((own = least_of_words(line, n)) != UINT16_MAX) {
        const __m256i same = _mm256_set1_epi16((int16_t)own);

        (void)gfx_count_line(g, first / LINE + own);
        for (uint32_t k = 0; k < n; k++)
            line[k] = _mm256_or_si256(line[k], _mm256_cmpeq_epi16(line[k], same));
    }
}

static uint32_t count_texels(const struct four *r)
{
    const __m256i zero = splat(0);
    uint32_t more[2] = {0, 0};

    if (r->axes == 0)
        return (uint32_t)__builtin_popcount(r->mask);
    for (uint32_t h = 0; h < 2; h++)
        for (uint32_t d = 0; d < 2; d++)
            more[d] |= signs(_mm256_cmpgt_epi32(r->part[d][h], zero)) << h * HALF;
    return (uint32_t)(__builtin_popcount(r->mask) +
                      __builtin_popcount(r->mask & more[0]) +
                      __builtin_popcount(r->mask & more[1]) +
                      __builtin_popcount(r->mask & more[0] & more[1]));
}

/* ---- filters ------------------------------------------------------------ */

/* Two channels of two texels, weighed; less 2^15. */
static inline __m256i mix_pair(__m256i left, __m256i right, bool odd, __m256i weight)
{
    const __m256i bytes = _mm256_set1_epi16(255), half = _mm256_set1_epi16(INT16_MIN);

    left = odd ? _mm256_srli_epi16(left, 8) : _mm256_and_si256(left, bytes);
    right = odd ? _mm256_srli_epi16(right, 8) : _mm256_and_si256(right, bytes);
    right = _mm256_mullo_epi16(_mm256_sub_epi16(right, left), weight);
    left = _mm256_slli_epi16(left, 8);
    return _mm256_xor_si256(_mm256_add_epi16(left, right), half);
}

/* The four texels' sums by channel, 16 bits behind the point. weight[0]: of the right
 * texels, twice; weight[1]: of the upper and the lower ones. */
static inline void mix_four(const __m256i texel[4], const __m256i weight[2],
                            __m256i out[4])
{
    enum { ODD = 2 + 8 + 32 + 128 };
    const __m256i half = splat(1 << 23);

    for (uint32_t k = 0; k < 2; k++) {
        __m256i high = mix_pair(texel[0], texel[1], k == 1, weight[0]);
        __m256i low = mix_pair(texel[2], texel[3], k == 1, weight[0]);
        __m256i even = _mm256_blend_epi16(high, _mm256_slli_epi32(low, 16), ODD);
        __m256i odd = _mm256_blend_epi16(_mm256_srli_epi32(high, 16), low, ODD);

        out[k] = _mm256_add_epi32(_mm256_madd_epi16(even, weight[1]), half);
        out[k + 2] = _mm256_add_epi32(_mm256_madd_epi16(odd, weight[1]), half);
    }
}

/* The highest bit of each byte. */
static inline __m256i find_tops(__m256i x)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i of_low = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8));
    const __m256i low = _mm256_shuffle_epi8(of_low, _mm256_and_si256(x, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(of_low, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));

    return _mm256_max_epu8(low, _mm256_slli_epi16(high, 4));
}

static inline __m256i gather(const struct four *r, uint32_t k, uint32_t h)
{
    return _mm256_i32gather_epi32((const int *)(const void *)r->host,
                                  _mm256_sub_epi32(r->offset[k][h], splat(r->low)), 1);
}

/* Of a byte x, x / 255 as a float is x * 0x1.0101p-8 + t * 2^-31 where t is x's highest
 * bit (all 256 are tested). Sums of both by weights of 16 bits have 24, so a fused
 * multiply-add of them is the exact sum, rounded once. */
static inline void filter_linear(const struct four *r, uint32_t h, __m256 out[4])
{
    const __m256 once = _mm256_set1_ps(0x1.0101p-24f), top = _mm256_set1_ps(0x1p-47f);
    const __m256i u = r->part[0][h], v = r->part[1][h];
    const __m256i weight[2] = {
        _mm256_or_si256(u, _mm256_slli_epi32(u, 16)),
        _mm256_or_si256(_mm256_sub_epi32(splat(256), v), _mm256_slli_epi32(v, 16))};
    __m256i texel[4], sum[4], more[4];

    for (uint32_t k = 0; k < 4; k++)
        texel[k] = is_other(r, k) ? gather(r, k, h) : texel[k & r->axes];
    mix_four(texel, weight, sum);
    for (uint32_t k = 0; k < 4; k++)
        texel[k] = find_tops(texel[k]);
    mix_four(texel, weight, more);
    for (uint32_t k = 0; k < 4; k++)
        out[k] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum[k]), once,
                                 _mm256_mul_ps(_mm256_cvtepi32_ps(more[k]), top));
}

/* The same of one texel, which has all of the weight. */
static inline void filter_nearest(const struct four *r, uint32_t h, __m256 out[4])
{
    __m256i texel = gather(r, 0, h), top = find_tops(texel);

    for (uint32_t k = 0; k < 4; k++) {
        const __m256 x = _mm256_cvtepi32_ps(_mm256_and_si256(texel, splat(255)));
        const __m256 t = _mm256_cvtepi32_ps(_mm256_and_si256(top, splat(255)));

        out[k] = _mm256_fmadd_ps(x, _mm256_set1_ps(0x1.0101p-8f),
                                 _mm256_mul_ps(t, _mm256_set1_ps(0x1p-31f)));
        texel = _mm256_srli_epi32(texel, 8);
        top = _mm256_srli_epi32(top, 8);
    }
}

static inline void filter(const struct four *r, uint32_t h, __m256 out[4])
{
    if (r->axes != 0)
        filter_linear(r, h, out);
    else
        filter_nearest(r, h, out);
}

/* Of a half's lanes, and between their two levels: by tex_place(). */
static void answer(struct gfx_call *c, uint32_t h, const struct four r[2],
                   uint32_t levels, __m256 lod)
{
    enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
    __m256 out[4], next[4];

    filter(&r[0], h, out);
    if (levels == 2) {
        __m256 place = _mm256_round_ps(lod * _mm256_set1_ps(256), NEAREST) *
                       _mm256_set1_ps(0x1p-8f);

        place =
            _mm256_and_ps(place, _mm256_castsi256_ps(spread(r[1].mask >> h * HALF)));
        filter(&r[1], h, next);
        for (uint32_t k = 0; k < 4; k++)
            out[k] += place * (next[k] - out[k]);
    }
    if (!c->flat.alpha)
        out[3] = _mm256_set1_ps(1);
    for (uint32_t k = 0; k < 4; k++)
        _mm256_storeu_ps((float *)&c->rgba[k % 2 == 0 ? k ^ c->flat.red : k][h * HALF],
                         out[k]);
}

/* ---- a message ---------------------------------------------------------- */

/* The filter of all lanes; FILTER_ANISOTROPIC: there are several, or not one here. */
static uint32_t filter_of(const struct gfx_call *c, uint32_t minified, uint32_t mask)
{
    const uint32_t below = c->sampler.min_filter, above = c->sampler.mag_filter;
    const uint32_t own = minified != 0 ? below : above;

    if (below == FILTER_ANISOTROPIC || (minified != mask && own != above))
        return FILTER_ANISOTROPIC;
    return own;
}

bool gfx_sample_bytes_avx2(struct gfx *g, struct gfx_call *c)
{
    const uint32_t mask = c->mask & (c->lanes == N ? UINT16_MAX : UINT8_MAX);
    struct kinds k = {0, 0};
    struct four r[2];
    uint32_t levels, texels = 0, filter;
    __m256i level[2];
    __m256 lod[2];

    if (!c->flat.on || c->flat.kind != GFX_BYTES || c->s->type != GFX_2D ||
        (c->s->array && c->s->depth > 1) || g->told.threads.message != NULL ||
        mask == 0)
        return false;
    for (uint32_t h = 0; h < 2; h++)
        find_kinds(c, h, &lod[h], &level[h], &k);
    k.minified &= mask;
    filter = filter_of(c, k.minified, mask);
    if (filter == FILTER_ANISOTROPIC)
        return false;
    r[0].linear = r[1].linear = filter == FILTER_LINEAR;
    levels = (k.between & mask) != 0 ? 2 : 1;
    r[0].mask = mask;
    r[1].mask = k.between & mask;
    for (uint32_t l = 0; l < levels; l++)
        if (!find_texels(g, c, level, l, &r[l]))
            return false;
    for (uint32_t l = 0; l < levels; l++) {
        count_lines(g, c, &r[l]);
        texels += count_texels(&r[l]);
    }
    c->flat.texels += texels;
    *(filter == FILTER_LINEAR ? &c->flat.linear : &c->flat.nearest) += texels;
    g->counters.minified_lanes += (uint32_t)__builtin_popcount(k.minified);
    g->counters.magnified_lanes += (uint32_t)__builtin_popcount(mask & ~k.minified);
    if (levels == 2)
        g->counters.trilinear_lanes += (uint32_t)__builtin_popcount(r[1].mask);
    for (uint32_t h = 0; h < c->lanes / HALF; h++)
        answer(c, h, r, levels, lod[h]);
    return true;
}
#endif
