/* gfx_lanes.c - all lanes of a sampler message at once: textures of two dimensions and
 * faces of cubes with 8 bits a channel, one filter, one or two levels for each lane.
 * Results and counts are, bit for bit, those of the lanes one by one: weights of a
 * filter have 16 bits and texels 31 behind the point (35 of sRGB), so the sums are
 * exact in a double and their order is free. Compiled twice (the Makefile's TWICE_gfx):
 * for any host, and for one with AVX2. Tests: tests/csim/test_gfx_flat.c */
/* GCC folds constants behind conditions, which keeps loops from vectors. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-pre")
#endif
#include "gfx_sample.h"
#include "gfx_texture.h"
#if defined(EMU_AVX2)
#include <immintrin.h>
#endif

enum { N = GFX_LANES, LINE = 64, TEXEL = 4 };

/* What the lanes `mask` read of a level each; the others do what the first one does. */
struct reads {
    uint32_t mask, first, texels;
    uint32_t level[N], layer[N];
    int32_t size[2][N];    /* of the level */
    uint32_t corner[2][N]; /* its first texel, in texels of the surface */
    int32_t at[2][2][N];   /* along u and v: the first texel and the second */
    float weight[2][N];    /* of the second one; 0: it is the first */
    bool two[2];           /* some lane's second one has a weight */
    uint32_t corners;      /* 4, or 1: none has */
    uint32_t offset[4][N]; /* of texels from the surface's address, bytes */
    uint32_t low;          /* the least of them.. */
    const uint8_t *host;   /* ..and where that lies */
};

typedef float value4 __attribute__((vector_size(16)));
typedef double sum4 __attribute__((vector_size(32)));

/* ---- levels ------------------------------------------------------------- */

static bool same(const uint32_t v[N], uint32_t lanes)
{
    uint32_t other = 0;

    for (uint32_t i = 0; i < lanes; i++)
        other |= v[i] ^ v[0];
    return other == 0;
}

/* Size and place of a lane's level. False: too far away for 32 bits. */
static bool find_level(const struct gfx_call *c, struct reads *r, uint32_t lane)
{
    const struct gfx_surface *s = c->s;
    struct gfx_level l = gfx_find_level(s, r->level[lane], r->layer[lane]);
    uint32_t width = gfx_minify(s->width, l.level),
             height = gfx_minify(s->height, l.level);
    uint64_t rows = (uint64_t)l.y + height + 32, bytes = (l.x + width + 128ull) * TEXEL;

    r->size[0][lane] = (int32_t)width;
    r->size[1][lane] = (int32_t)height;
    r->corner[0][lane] = l.x;
    r->corner[1][lane] = l.y;
    return rows * s->pitch + 32 * bytes < UINT32_MAX; /* of any tiling */
}

static void copy_level(struct reads *r, uint32_t from, uint32_t to)
{
    for (uint32_t d = 0; d < 2; d++) {
        r->size[d][to] = r->size[d][from];
        r->corner[d][to] = r->corner[d][from];
    }
}

static bool find_levels(const struct gfx_call *c, uint32_t lanes, struct reads *r)
{
    bool good = find_level(c, r, 0);

    if (same(r->level, lanes) && same(r->layer, lanes)) {
        for (uint32_t i = 1; i < lanes; i++)
            copy_level(r, 0, i);
        return good;
    }
    for (uint32_t i = 1; i < lanes && good; i++)
        if (r->level[i] == r->level[i - 1] && r->layer[i] == r->layer[i - 1])
            copy_level(r, i - 1, i);
        else
            good = find_level(c, r, i);
    return good;
}

/* ---- places ------------------------------------------------------------- */

/* The same of a division of doubles: it is exact enough for all 32-bit integers. */
static inline int32_t modulo(int32_t i, int32_t n)
{
    int32_t rest = i - (int32_t)((double)i / (double)n) * n;

    return rest < 0 ? rest + n : rest;
}

/* tex_wrap() of each lane, but for borders. */
static void wrap(uint32_t mode, const int32_t *size, uint32_t lanes, int32_t *at)
{
    int32_t odd = 0; /* some size is no power of two */

    switch (mode) {
    case TEX_WRAP:
        for (uint32_t i = 0; i < lanes; i++)
            odd |= size[i] & (size[i] - 1);
        for (uint32_t i = 0; i < lanes && odd == 0; i++)
            at[i] &= size[i] - 1;
        for (uint32_t i = 0; i < lanes && odd != 0; i++)
            at[i] = modulo(at[i], size[i]);
        break;
    case TEX_MIRROR:
        for (uint32_t i = 0; i < lanes; i++) {
            int32_t n = modulo(at[i], 2 * size[i]);

            at[i] = n < size[i] ? n : 2 * size[i] - 1 - n;
        }
        break;
    case TEX_MIRROR_ONCE:
        for (uint32_t i = 0; i < lanes; i++) {
            int32_t n = at[i] < 0 ? -1 - at[i] : at[i];

            at[i] = n < size[i] ? n : size[i] - 1;
        }
        break;
    default:
        for (uint32_t i = 0; i < lanes; i++) {
            int32_t n = at[i] < 0 ? 0 : at[i];

            at[i] = n < size[i] ? n : size[i] - 1;
        }
    }
}

static inline bool any_outside(const int32_t *at, const int32_t *size, uint32_t lanes)
{
    uint32_t outside = 0;

    for (uint32_t i = 0; i < lanes; i++)
        outside |= (uint32_t)(at[i] | (size[i] - 1 - at[i]));
    return outside >> 31;
}

/* Of lanes that read nothing here, the first one's that does. */
static inline void take_lanes(const struct reads *r, const uint32_t *restrict from,
                              uint32_t *restrict to, uint32_t lanes)
{
    const uint32_t mask = r->mask, first = from[r->first];

    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t own = from[i];

        to[i] = mask >> i & 1 ? own : first;
    }
}

static inline __attribute__((always_inline)) void
find_lows(const float *restrict u, const int32_t *restrict size, bool texels,
          bool linear, uint32_t lanes, int32_t *restrict low, float *restrict weight)
{
    const double fixed = texels ? 1 : 0, each = texels ? 0 : 1;

    for (uint32_t i = 0; i < lanes; i++) {
        double scale = fixed + each * (double)size[i];

        tex_low((double)u[i] * scale, linear, &low[i], &weight[i]);
    }
}

/* The same of linear filters, of places that are not far away: those of 8 bits behind
 * the point are integers. */
static inline __attribute__((always_inline)) bool
find_near(const float *restrict u, const int32_t *restrict size, bool texels,
          uint32_t lanes, int32_t *restrict low, float *restrict weight)
{
    const double whole = 0x1.8p52; /* adding it rounds, to the number's low bits */
    const double fixed = texels ? 1 : 0, each = texels ? 0 : 1;
    const float most = texels ? 0x1p20f : 0x1p6f; /* of surfaces of 2^14 texels */
    uint32_t far = 0;

    for (uint32_t i = 0; i < lanes; i++)
        far |= fabsf(u[i]) < most ? 0u : 1u;
    for (uint32_t i = 0; i < lanes; i++) {
        double scale = fixed + each * (double)size[i];
        double place = ((double)u[i] * scale - 0.5) * 256 + whole;
        uint64_t bits;
        int32_t n;

        memcpy(&bits, &place, sizeof(bits));
        n = (int32_t)(uint32_t)bits;
        low[i] = n >> 8;
        weight[i] = (float)(n & 255) * 0x1p-8f;
    }
    return far == 0;
}

/* The texels along u or v. False: one is the border, or another face's. */
static bool find_axis(const struct gfx_call *c, uint32_t d, bool linear, uint32_t lanes,
                      struct reads *restrict r)
{
    const int32_t *size = r->size[d], offset = c->offset[d];
    int32_t low[N];
    float u[N], weight[N];
    uint32_t two = 0;

    take_lanes(r, (const uint32_t *)c->u[d], (uint32_t *)u, lanes);
    if (!linear)
        find_lows(u, size, c->sampler.unnormalized, false, lanes, low, weight);
    else if (!find_near(u, size, c->sampler.unnormalized, lanes, low, weight))
        find_lows(u, size, c->sampler.unnormalized, true, lanes, low, weight);
    for (uint32_t i = 0; i < lanes; i++) {
        r->weight[d][i] = weight[i];
        r->at[d][0][i] = low[i] + offset;
        r->at[d][1][i] = low[i] + offset + (weight[i] != 0 ? 1 : 0);
        two |= weight[i] != 0 ? 1u : 0u;
    }
    r->two[d] = two;
    for (uint32_t k = 0; k <= two; k++) {
        if (!any_outside(r->at[d][k], size, lanes))
            continue;
        if (c->flat.edges || c->flat.wrap[d] == TEX_CLAMP_BORDER)
            return false;
        wrap(c->flat.wrap[d], size, lanes, r->at[d][k]);
    }
    return true;
}

static inline __attribute__((always_inline)) void
find_offsets_in(const struct gfx_surface *s, enum gfx_tiling tiling, uint32_t lanes,
                struct reads *restrict r)
{
    uint32_t column[2][N], row[2][N];

    for (uint32_t k = 0; k <= r->two[0]; k++)
        for (uint32_t i = 0; i < lanes; i++) {
            uint32_t x = (r->corner[0][i] + (uint32_t)r->at[0][k][i]) * TEXEL;

            column[k][i] = (uint32_t)gfx_tile_offset(tiling, s->pitch, x, 0);
        }
    for (uint32_t k = 0; k <= r->two[1]; k++)
        for (uint32_t i = 0; i < lanes; i++) {
            uint32_t y = r->corner[1][i] + (uint32_t)r->at[1][k][i];

            row[k][i] = (uint32_t)gfx_tile_offset(tiling, s->pitch, 0, y);
        }
    r->corners = r->two[0] || r->two[1] ? 4 : 1;
    for (uint32_t k = 0; k < r->corners; k++) {
        const uint32_t *x = column[k & r->two[0]], *y = row[k >> 1 & r->two[1]];

        for (uint32_t i = 0; i < lanes; i++)
            r->offset[k][i] = x[i] + y[i];
    }
}

static void find_offsets(const struct gfx_surface *s, uint32_t lanes, struct reads *r)
{
    if (s->tiling == GFX_TILE_Y)
        find_offsets_in(s, GFX_TILE_Y, lanes, r);
    else if (s->tiling == GFX_TILE_X)
        find_offsets_in(s, GFX_TILE_X, lanes, r);
    else
        find_offsets_in(s, GFX_LINEAR, lanes, r);
}

/* NULL: they lie not in one buffer. */
static const uint8_t *find_host(struct gfx *g, uint64_t va, uint32_t bytes)
{
    return va % GFX_PAGE_BYTES + bytes <= GFX_PAGE_BYTES
               ? gfx_host(g, va, bytes)
               : emu_mem_host(g->mem, va, bytes);
}

/* Where the texels lie. False: not all in one buffer, or as find_axis(). */
static bool find_texels(struct gfx *g, const struct gfx_call *c, bool linear,
                        uint32_t lanes, struct reads *r)
{
    uint32_t low = UINT32_MAX, high = 0;

    if (!find_levels(c, lanes, r) || !find_axis(c, 0, linear, lanes, r) ||
        !find_axis(c, 1, linear, lanes, r))
        return false;
    find_offsets(c->s, lanes, r);
    for (uint32_t k = 0; k < r->corners; k++)
        for (uint32_t i = 0; i < lanes; i++) {
            low = r->offset[k][i] < low ? r->offset[k][i] : low;
            high = r->offset[k][i] > high ? r->offset[k][i] : high;
        }
    r->low = low;
    r->host = find_host(g, c->s->va + low, high - low + TEXEL);
    return r->host != NULL;
}

/* ---- counts ------------------------------------------------------------- */

/* In the order in which the lanes one by one touch lines; a corner without weight is
 * another one. */
static void touch_in_order(struct gfx *g, const struct gfx_call *c, uint32_t lanes,
                           const struct reads r[2], uint32_t levels)
{
    for (uint32_t i = 0; i < lanes; i++)
        for (uint32_t l = 0; l < levels; l++)
            for (uint32_t k = 0; k < r[l].corners && (r[l].mask >> i & 1); k++)
                (void)gfx_count_line(g, (c->s->va + r[l].offset[k][i]) / LINE);
}

/* Which of the lanes' lines of a corner those of the lane before and of the corners
 * before are not; line[.][0]: of no lane. */
static inline __attribute__((always_inline)) uint32_t
find_fresh(uint32_t line[4][N + 1], uint32_t corner, uint32_t corners, uint32_t lanes)
{
    uint32_t fresh = 0, old[N];

    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t own = line[corner][i + 1];

        old[i] = own == line[0][i];
        for (uint32_t k = 1; k < corners; k++)
            old[i] |= own == line[k][i];
        for (uint32_t k = 0; k < corner; k++)
            old[i] |= own == line[k][i + 1];
    }
    for (uint32_t i = 0; i < lanes; i++)
        fresh |= (old[i] ^ 1) << i;
    return fresh;
}

/* Each line once, most at least. Fewer lines than the table has room for, so each
 * counts once. */
static void count_lines(struct gfx *g, const struct gfx_call *c, uint32_t lanes,
                        const struct reads *r)
{
    const uint32_t within = (uint32_t)(c->s->va % LINE);
    const uint64_t base = c->s->va / LINE;
    uint32_t line[4][N + 1], fresh[4] = {0};

    for (uint32_t k = 0; k < r->corners; k++) {
        line[k][0] = UINT32_MAX;
        for (uint32_t i = 0; i < lanes; i++)
            line[k][i + 1] = (r->offset[k][i] + within) / LINE;
    }
    if (r->corners == 1)
        fresh[0] = find_fresh(line, 0, 1, lanes);
    else {
        fresh[0] = find_fresh(line, 0, 4, lanes);
        fresh[1] = find_fresh(line, 1, 4, lanes);
        fresh[2] = find_fresh(line, 2, 4, lanes);
        fresh[3] = find_fresh(line, 3, 4, lanes);
    }
    for (uint32_t k = 0; k < r->corners; k++)
        for (uint32_t rest = fresh[k]; rest != 0; rest &= rest - 1)
            (void)gfx_count_line(g, base + line[k][__builtin_ctz(rest) + 1]);
}

static uint32_t count_texels(const struct reads *r, uint32_t lanes)
{
    const uint32_t mask = r->mask;
    uint32_t n = 0;

    for (uint32_t i = 0; i < lanes; i++)
        n += (mask >> i & 1) << (r->weight[0][i] != 0 ? 1 : 0)
                             << (r->weight[1][i] != 0 ? 1 : 0);
    return n;
}

static void count(struct gfx *g, struct gfx_call *c, bool linear, uint32_t lanes,
                  const struct reads r[2], uint32_t levels)
{
    uint64_t texels = 0;

    for (uint32_t l = 0; l < levels; l++)
        texels += count_texels(&r[l], lanes);
    c->flat.texels += texels;
    *(linear ? &c->flat.linear : &c->flat.nearest) += texels;
    if (g->told.threads.message != NULL) {
        touch_in_order(g, c, lanes, r, levels);
        return;
    }
    for (uint32_t l = 0; l < levels; l++)
        count_lines(g, c, lanes, &r[l]);
}

/* ---- filters ------------------------------------------------------------ */

/* x / 255 rounded once is the byte again and again behind the point. Both products are
 * exact, and the sum decides as what is left out would (all 256 are tested). */
#define ONCE 0x1.0101p-8f
#define AGAIN 0x1.01p-32f
/* The fourth channels of both. */
#define ALPHAS (1 << 7 | 1 << 3)

/* The channels of two texels, weighed, are added; colours are made linear where there
 * is a table. */
static inline __attribute__((always_inline)) void
add_pair(uint64_t pair, const float *table, double left, double right, sum4 *sum)
{
#if defined(EMU_AVX2)
    /* What GCC 12 makes of conversions between vectors goes through memory. */
    const __m256i bytes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)pair));
    const __m256 x = _mm256_cvtepi32_ps(bytes);
    __m256 value = _mm256_fmadd_ps(x, _mm256_set1_ps(ONCE), x * AGAIN);

    if (table != NULL)
        value = _mm256_blend_ps(_mm256_i32gather_ps(table, bytes, 4), value, ALPHAS);
    *sum += left * _mm256_cvtps_pd(_mm256_castps256_ps128(value));
    *sum += right * _mm256_cvtps_pd(_mm256_extractf128_ps(value, 1));
#else
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t byte = pair >> 8 * k & 255;
        float x = (float)(int32_t)byte, value = x * ONCE + x * AGAIN;

        if (table != NULL && k % 4 < 3)
            value = table[byte];
        (*sum)[k % 4] += (k < 4 ? left : right) * (double)value;
    }
#endif
}

static inline uint32_t read_texel(const struct reads *r, uint32_t corner, uint32_t lane)
{
    uint32_t texel;

    memcpy(&texel, r->host + (r->offset[corner][lane] - r->low), TEXEL);
    return texel;
}

static inline uint64_t read_pair(const struct reads *r, uint32_t row, uint32_t lane)
{
    uint32_t left = 2 * row, right = left + (r->corners > 1);

    return read_texel(r, left, lane) | (uint64_t)read_texel(r, right, lane) << 32;
}

static inline __attribute__((always_inline)) void
filter_by(const struct reads *r, const float *table, uint32_t lanes, value4 *out)
{
    for (uint32_t i = 0; i < lanes; i++) {
        double u = (double)r->weight[0][i], v = (double)r->weight[1][i];
        sum4 sum = {0, 0, 0, 0};

        add_pair(read_pair(r, 0, i), table, (1 - u) * (1 - v), u * (1 - v), &sum);
        if (v != 0)
            add_pair(read_pair(r, 1, i), table, (1 - u) * v, u * v, &sum);
#if defined(EMU_AVX2)
        out[i] = _mm256_cvtpd_ps(sum);
#else
        out[i] = __builtin_convertvector(sum, value4);
#endif
    }
}

static void filter(const struct gfx *g, const struct gfx_call *c, uint32_t lanes,
                   const struct reads *r, value4 *out)
{
    if (c->flat.kind == GFX_SRGB_BYTES)
        filter_by(r, g->cache.srgb, lanes, out);
    else
        filter_by(r, NULL, lanes, out);
}

/* Between two levels, of the lanes that read both. */
static void mix(uint32_t lanes, const float *lod, const uint32_t *level, uint32_t both,
                value4 *first, const value4 *second)
{
    for (uint32_t i = 0; i < lanes; i++) {
        float place = (float)tex_place((double)(lod[i] - (float)(int32_t)level[i]));

        first[i] += (both >> i & 1 ? place : 0) * (second[i] - first[i]);
    }
}

/* Lanes to channels, in their order. */
static void answer(struct gfx_call *c, uint32_t lanes, const value4 *texel)
{
    const uint32_t red = c->flat.red;

    for (uint32_t i = 0; i < lanes; i++)
        for (uint32_t k = 0; k < 4; k++)
            memcpy(&c->rgba[k % 2 == 0 ? k ^ red : k][i], (const float *)&texel[i] + k,
                   sizeof(float));
}

/* The same of lanes that read one texel each, of one level. */
static void answer_nearest(struct gfx_call *c, uint32_t lanes, const struct reads *r)
{
    const uint32_t shift[4] = {8 * c->flat.red, 8, 16 - 8 * c->flat.red, 24};
    uint32_t texel[N];

    for (uint32_t i = 0; i < lanes; i++)
        texel[i] = read_texel(r, 0, i);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < lanes; i++) {
            float x = (float)(int32_t)(texel[i] >> shift[k] & 255),
                  value = x * ONCE + x * AGAIN;

            memcpy(&c->rgba[k][i], &value, sizeof(value));
        }
}

static void find_answers(const struct gfx *g, struct gfx_call *c, uint32_t lanes,
                         const struct reads r[2], uint32_t levels, const float *lod,
                         const uint32_t *level)
{
    const float opaque = 1;
    value4 texel[2][N];

    if (levels == 1 && r->corners == 1 && c->flat.kind == GFX_BYTES)
        answer_nearest(c, lanes, r);
    else {
        for (uint32_t l = 0; l < levels; l++)
            filter(g, c, lanes, &r[l], texel[l]);
        if (levels == 2)
            mix(lanes, lod, level, r[1].mask, texel[0], texel[1]);
        answer(c, lanes, texel[0]);
    }
    for (uint32_t i = 0; i < lanes && !c->flat.alpha; i++)
        memcpy(&c->rgba[3][i], &opaque, sizeof(opaque));
}

/* ---- a message ---------------------------------------------------------- */

/* What lanes do, as bits. */
struct kinds {
    uint32_t minified, probed, between; /* between: two levels */
};

/* Levels of detail and the first of each lane's levels. */
static struct kinds find_kinds(const struct gfx_call *c, uint32_t lanes,
                               float lod[restrict N], uint32_t level[restrict N])
{
    const uint32_t last = c->s->levels - 1;
    uint32_t minified = 0, probed = 0, between = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        float at = gfx_within(c, c->lod[i] + c->sampler.bias);

        minified |= (at > 0 ? 1u : 0u) << i;
        level[i] = gfx_first_level(c, &at);
        lod[i] = at;
    }
    for (uint32_t i = 0; i < lanes; i++) {
        between |= ((lod[i] > (float)(int32_t)level[i] ? 1u : 0u) &
                    (level[i] < last ? 1u : 0u))
                   << i;
        probed |= (c->probes[i] > 1 ? 1u : 0u) << i;
    }
    between = c->sampler.mip == MIP_LINEAR ? between : 0;
    return (struct kinds){minified, probed, between};
}

/* These lanes read such levels of theirs and the next `above`. */
static void begin(const struct gfx_call *c, uint32_t lanes, uint32_t mask,
                  const uint32_t *level, uint32_t above, struct reads *restrict r)
{
    const uint32_t layers = c->s->type == GFX_CUBE ? 6 : 1,
                   first_layer = c->s->first_layer;
    uint32_t face[N];

    above += c->s->min_lod;
    r->mask = mask;
    r->first = (uint32_t)__builtin_ctz(mask);
    take_lanes(r, level, r->level, lanes);
    take_lanes(r, c->layer, r->layer, lanes);
    take_lanes(r, c->face, face, lanes);
    for (uint32_t i = 0; i < lanes; i++) {
        r->level[i] += above;
        r->layer[i] = r->layer[i] * layers + face[i] + first_layer;
    }
}

#if defined(EMU_AVX2)
bool gfx_sample_lanes_avx2(struct gfx *g, struct gfx_call *c)
#else
bool gfx_sample_lanes_any(struct gfx *g, struct gfx_call *c)
#endif
{
    const uint32_t lanes = c->lanes == 16 ? 16 : 8,
                   mask = c->mask & ((1u << lanes) - 1);
    uint32_t level[N], minified, levels;
    struct reads r[2];
    struct kinds k;
    float lod[N];
    bool linear;

    if (!c->flat.on || c->flat.kind == GFX_OTHERS || c->lanes != lanes || mask == 0)
        return false;
    k = find_kinds(c, lanes, lod, level);
    minified = k.minified & mask;
    linear = (minified != 0 ? c->sampler.min_filter : c->sampler.mag_filter) !=
             FILTER_NEAREST;
    if (minified != 0 && minified != mask &&
        linear != (c->sampler.mag_filter != FILTER_NEAREST))
        return false;
    if (linear && (k.probed & mask) != 0)
        return false;
    levels = 1 + ((k.between & mask) != 0);
    for (uint32_t l = 0; l < levels; l++) {
        begin(c, lanes, l == 0 ? mask : k.between & mask, level, l, &r[l]);
        if (!find_texels(g, c, linear, lanes, &r[l]))
            return false;
    }
    g->counters.minified_lanes += (uint32_t)__builtin_popcount(minified);
    g->counters.magnified_lanes += (uint32_t)__builtin_popcount(mask & ~minified);
    count(g, c, linear, lanes, r, levels);
    if (levels == 2)
        g->counters.trilinear_lanes += (uint32_t)__builtin_popcount(r[1].mask);
    find_answers(g, c, lanes, r, levels, lod, level);
    return true;
}
