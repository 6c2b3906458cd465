/* gfx_bytes.c - sampler messages from textures of two dimensions with 8 bits a channel,
 * all lanes side by side, on a host with AVX2 or AVX-512; gfx_lanes.c does the others.
 * Sums are integers and exact, and rounded once, as a sum of doubles is there. Tests:
 * tests/csim/test_gfx_flat.c */
#include "gfx_plain.h"
#if defined(EMU_AVX2) || defined(EMU_AVX512)
#include "gfx_block_lods.h"
#include "gfx_wide.h"

enum { N = GFX_LANES, PARTS = N / WIDE, ALL = (1 << WIDE) - 1, LINE = 64 };

/* A message: u and v of all lanes, those that are off like the first one that is on. */
struct message {
    const struct gfx_surface *s;
    const struct gfx_sampler *t;
    const struct gfx_plain *p;
    uint32_t mask;
    const int32_t *offset;
    wide_float u[2][PARTS];
};

/* What the lanes `mask` read of a level each; the others read as well, uncounted. */
struct texels {
    uint32_t mask;
    bool linear; /* else one texel: the four are the same, and of the weights nothing */
    uint32_t axes;         /* bit d: a lane has weight along u or v, where seconds are
                              others */
    wide at[2][2][PARTS];  /* columns and rows of the surface; first, second */
    wide part[2][PARTS];   /* weights of second texels, in 256ths */
    wide offset[4][PARTS]; /* of texels, bytes */
};

static inline uint32_t of_part(uint32_t mask, uint32_t h)
{
    return mask >> h * WIDE & ALL;
}

/* ---- levels of detail --------------------------------------------------- */

void WIDE_HOST(gfx_find_block_lods)(const struct gfx_plain *p, const float *const u[2],
                                    bool sign, float lod[N])
{
    const __m128 of = find_lods(p, u, sign);

    for (uint32_t h = 0; h < PARTS; h++)
        wide_store(&lod[h * WIDE], wide_bits(wide_fours(of, h * WIDE / 4)), ALL);
}

/* What lanes do, as bits. */
struct kinds {
    uint32_t minified, between; /* between: two levels */
    wide level[PARTS];
    wide_float lod[PARTS]; /* from that level on */
};

/* gfx_within() and gfx_first_level() of all lanes. */
static inline void find_kinds(const struct message *m, const wide_float lod[PARTS],
                              struct kinds *k)
{
    const float last = (float)(m->s->levels - 1);
    const bool linear = m->t->mip == MIP_LINEAR;
    const wide_float zero = WIDE_OP(setzero_ps)();

    k->minified = k->between = 0;
    for (uint32_t h = 0; h < PARTS; h++) {
        wide_float at = lod[h] + WIDE_OP(set1_ps)(m->t->bias);

        /* NaN becomes the second operand: the least one, as 0 would. */
        at = WIDE_OP(max_ps)(at, WIDE_OP(set1_ps)(m->t->min_lod));
        at = WIDE_OP(min_ps)(at, WIDE_OP(set1_ps)(m->t->max_lod));
        k->minified |= wide_above(at, zero) << h * WIDE;
        at = WIDE_OP(max_ps)(at, zero);
        at = WIDE_OP(min_ps)(at, WIDE_OP(set1_ps)(m->t->mip == MIP_NONE ? 0 : last));
        k->level[h] = WIDE_OP(cvttps_epi32)(at + WIDE_OP(set1_ps)(linear ? 0 : 0.5f));
        k->lod[h] = at - WIDE_OP(cvtepi32_ps)(k->level[h]);
        if (linear)
            k->between |= wide_above(k->lod[h], zero) << h * WIDE;
    }
}

/* ---- places ------------------------------------------------------------- */

/* Rounded, or down: where floats' products are not exact enough. */
static __attribute__((noinline)) wide find_exactly(wide_float u, wide_float scale,
                                                   bool linear)
{
    float from[WIDE], by[WIDE];
    int32_t n[WIDE];

    memcpy(from, &u, sizeof(from));
    memcpy(by, &scale, sizeof(by));
    for (uint32_t i = 0; i < WIDE; i++) {
        double x = (double)from[i] * (double)by[i];

        n[i] = (int32_t)(linear ? rint(x) : floor(x / 256));
    }
    return wide_load(n);
}

/* In 256ths, as tex_place() of half a texel less, or the nearest texels. A size that is
 * a power of two makes exact products; of others the rest of it counts where the
 * product lies in the middle between two, or where it is whole. False: far away. */
static inline bool find_places(const struct gfx_plain *p, uint32_t d, wide_float u,
                               wide_float scale, bool linear, wide *n)
{
    const wide_float x = u * scale;
    const wide size = wide_bits(x) & wide_set(INT32_MAX);
    const wide far = wide_bits(WIDE_OP(set1_ps)(p->powers[d] ? 0x1p29f : 0x1p22f));
    wide_float whole;

    if (wide_negative(WIDE_OP(sub_epi32)(far, size)) != 0)
        return false;
    if (linear) {
        *n = WIDE_OP(cvtps_epi32)(x);
        whole = WIDE_OP(cvtepi32_ps)(*n);
        if (!p->powers[d] && wide_equal(wide_bits(x - whole) & wide_set(INT32_MAX),
                                        wide_bits(WIDE_OP(set1_ps)(0.5f))) != 0)
            *n = find_exactly(u, scale, true);
        *n = WIDE_OP(sub_epi32)(*n, wide_set(128));
        return true;
    }
    whole = wide_floor(x * WIDE_OP(set1_ps)(0x1p-8f));
    *n = WIDE_OP(cvttps_epi32)(whole);
    if (!p->powers[d] &&
        wide_equal(wide_bits(whole * WIDE_OP(set1_ps)(256)), wide_bits(x)) != 0)
        *n = find_exactly(u, scale, false);
    return true;
}

/* Texels behind an edge. False: not here. */
static inline bool wrap(uint32_t mode, bool power, wide last, wide at[2])
{
    if (mode == TEX_CLAMP) {
        for (uint32_t k = 0; k < 2; k++)
            at[k] = WIDE_OP(min_epi32)(WIDE_OP(max_epi32)(at[k], wide_set(0)), last);
        return true;
    }
    if (mode == TEX_WRAP && power) {
        at[0] &= last;
        at[1] &= last;
        return true;
    }
    return wide_negative(at[0] | WIDE_OP(sub_epi32)(last, at[1])) == 0;
}

/* Texels along u or v of a part's lanes. */
static inline bool find_axis(const struct message *m, uint32_t d, uint32_t h,
                             wide level, struct texels *r)
{
    const struct gfx_plain *p = m->p;
    const wide_float scale = wide_floats(wide_find(p->scale[d], level));
    const wide last = wide_find(p->last[d], level);
    const wide corner = wide_find(p->corner[d], level);
    wide n, part, at[2];

    if (!find_places(p, d, m->u[d][h], scale, r->linear, &n))
        return false;
    part = n & wide_set(r->linear ? 255 : 0);
    at[0] = WIDE_OP(add_epi32)(r->linear ? WIDE_OP(srai_epi32)(n, 8) : n,
                               wide_set((uint32_t)m->offset[d]));
    /* Without a weight the second one is the first. */
    at[1] = WIDE_OP(add_epi32)(at[0], WIDE_OP(min_epi32)(part, wide_set(1)));
    if (!wrap(m->t->wrap[d], p->powers[d], last, at))
        return false;
    r->part[d][h] = part;
    r->axes |= (uint32_t)(wide_nonzero(part) != 0) << d;
    for (uint32_t k = 0; k < 2; k++)
        r->at[d][k][h] = WIDE_OP(add_epi32)(at[k], corner);
    return true;
}

static inline wide shifted(wide x, uint32_t right, uint32_t mask, uint32_t left)
{
    return (wide)(((wide_unsigned)x >> right & mask) << left);
}

/* gfx_tile_offset() of a column of texels, and of a row. */
static inline wide find_column(uint32_t tiling, wide x)
{
    if (tiling == GFX_TILE_Y) /* 4 texels of each line, lines of a column 512 bytes */
        return (WIDE_OP(slli_epi32)(x, 7) & wide_set(~511u)) | shifted(x, 0, 3, 2);
    if (tiling == GFX_TILE_X)
        return shifted(x, 7, UINT32_MAX, 12) | shifted(x, 0, 127, 2);
    return WIDE_OP(slli_epi32)(x, 2);
}

static inline wide find_row(uint32_t tiling, uint32_t pitch, wide y)
{
    if (tiling == GFX_TILE_Y)
        return WIDE_OP(add_epi32)(WIDE_OP(mullo_epi32)(WIDE_OP(srli_epi32)(y, 5),
                                                       wide_set(pitch / 128 * 4096)),
                                  shifted(y, 0, 31, 4));
    if (tiling == GFX_TILE_X)
        return WIDE_OP(add_epi32)(WIDE_OP(mullo_epi32)(WIDE_OP(srli_epi32)(y, 3),
                                                       wide_set(pitch / 512 * 4096)),
                                  shifted(y, 0, 7, 9));
    return WIDE_OP(mullo_epi32)(y, wide_set(pitch));
}

/* Texel k of four may lie elsewhere than those before it. */
static inline bool is_other(const struct texels *r, uint32_t k)
{
    return (k & ~r->axes) == 0;
}

/* Of all that are others. */
static inline void find_offsets(const struct gfx_surface *s, struct texels *r)
{
    for (uint32_t h = 0; h < PARTS; h++) {
        wide column[2], row[2];

        column[0] = column[1] = find_column(s->tiling, r->at[0][0][h]);
        row[0] = row[1] = find_row(s->tiling, s->pitch, r->at[1][0][h]);
        if (is_other(r, 1))
            column[1] = find_column(s->tiling, r->at[0][1][h]);
        if (is_other(r, 2))
            row[1] = find_row(s->tiling, s->pitch, r->at[1][1][h]);
        for (uint32_t k = 0; k < 4; k++)
            r->offset[k][h] = WIDE_OP(add_epi32)(column[k & 1], row[k >> 1]);
    }
}

/* Where the texels lie of m's lanes at their levels, or so many above. False: not here.
 */
static inline bool find_texels(const struct message *m, const struct kinds *k,
                               uint32_t above, struct texels *r)
{
    const wide last = wide_set(m->s->levels - 1);

    r->axes = 0;
    for (uint32_t h = 0; h < PARTS; h++) {
        wide level = k->level[h];

        if (above != 0)
            level =
                WIDE_OP(min_epi32)(WIDE_OP(add_epi32)(level, wide_set(above)), last);
        for (uint32_t d = 0; d < 2; d++)
            if (!find_axis(m, d, h, level, r))
                return false;
    }
    find_offsets(m->s, r);
    return true;
}

/* ---- counts ------------------------------------------------------------- */

/* Lines of a surface in tiles that are columns of 16 bytes have 4 by 4 texels each.
 * Where those of a message lie within 8 by 8 of them each is a bit. False: they do not.
 */
static inline bool find_lines(const struct texels *r, uint64_t *lines)
{
    enum { SIDE = 8, BEFORE = 3 }; /* the first lane's line is not at the side */
    const uint32_t first = (uint32_t)__builtin_ctz(r->mask);
    wide from[2], out = wide_set(0), low = out, high = out;

    for (uint32_t d = 0; d < 2; d++)
        from[d] = WIDE_OP(sub_epi32)(
            WIDE_OP(srli_epi32)(wide_lane(r->at[d][0][first / WIDE], first % WIDE), 2),
            wide_set(BEFORE));
    for (uint32_t h = 0; h < PARTS; h++) {
        const wide own = wide_spread(of_part(r->mask, h));
        wide at[2][2], columns, down;

        for (uint32_t d = 0; d < 2; d++)
            for (uint32_t k = 0; k < 2; k++)
                at[d][k] =
                    WIDE_OP(sub_epi32)(WIDE_OP(srli_epi32)(r->at[d][k][h], 2), from[d]);
        out |= (at[0][0] | at[0][1] | at[1][0] | at[1][1]) & own;
        columns = (WIDE_OP(sllv_epi32)(wide_set(1), at[0][0]) |
                   WIDE_OP(sllv_epi32)(wide_set(1), at[0][1])) &
                  own;
        for (uint32_t k = 0; k < 2; k++) { /* a shift by 32 or more leaves nothing */
            down = WIDE_OP(slli_epi32)(at[1][k], 3);
            low |= WIDE_OP(sllv_epi32)(columns, down);
            high |=
                WIDE_OP(sllv_epi32)(columns, WIDE_OP(sub_epi32)(down, wide_set(32)));
        }
    }
    *lines = wide_or(WIDE_OP(unpacklo_epi32)(low, high) |
                     WIDE_OP(unpackhi_epi32)(low, high));
    return wide_nonzero(out & wide_set(~(SIDE - 1u))) == 0;
}

/* Do the lanes of a mask begin at one level? Then no line has texels of two. */
static inline bool is_one_level(const struct kinds *k, uint32_t mask)
{
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    const wide level = wide_lane(k->level[first / WIDE], first % WIDE);
    uint32_t other = 0;

    for (uint32_t h = 0; h < PARTS; h++)
        other |= wide_nonzero(k->level[h] ^ level) << h * WIDE;
    return (other & mask) == 0;
}

/* Each line of a message counts once; there is room for all. apart: no level has lines
 * that another has. */
static void count_lines(struct gfx *g, const struct message *m, const struct texels *r,
                        bool apart)
{
    const uint64_t va = m->s->va;
    uint64_t lines;

    if (apart && m->s->tiling == GFX_TILE_Y && va % LINE == 0 &&
        find_lines(r, &lines)) {
        g->counters.sampler_lines += igpu_count_bits64(lines);
        return;
    }
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t offset[N];
        uint64_t before = UINT64_MAX;

        memcpy(offset, r->offset[k], sizeof(offset));
        for (uint32_t rest = is_other(r, k) ? r->mask : 0; rest != 0;
             rest &= rest - 1) {
            uint64_t line = (va + offset[__builtin_ctz(rest)]) / LINE;

            if (line != before)
                (void)gfx_count_line(g, line);
            before = line;
        }
    }
}

static inline uint32_t count_texels(const struct texels *r)
{
    uint32_t more[2] = {0, 0};

    if (r->axes == 0)
        return igpu_count_bits(r->mask);
    for (uint32_t h = 0; h < PARTS; h++)
        for (uint32_t d = 0; d < 2; d++)
            more[d] |= wide_nonzero(r->part[d][h]) << h * WIDE;
    return igpu_count_bits(r->mask) + igpu_count_bits(r->mask & more[0]) +
           igpu_count_bits(r->mask & more[1]) +
           igpu_count_bits(r->mask & more[0] & more[1]);
}

/* ---- filters ------------------------------------------------------------ */

/* Two channels of two texels, weighed; less 2^15, as `less` has the left bytes less
 * 2^7.
 */
static inline wide mix_pair(wide left, wide less, wide right, bool odd, wide weight)
{
    const wide bytes = WIDE_OP(set1_epi16)(255);
    wide more;

    if (odd) {
        more = WIDE_OP(sub_epi16)(WIDE_OP(srli_epi16)(right, 8),
                                  WIDE_OP(srli_epi16)(left, 8));
        less = (wide)(less & ~bytes);
    } else {
        more = WIDE_OP(sub_epi16)(right & bytes, left & bytes);
        less = WIDE_OP(slli_epi16)(less, 8);
    }
    return WIDE_OP(add_epi16)(less, WIDE_OP(mullo_epi16)(more, weight));
}

/* The four texels' sums by channel, 16 bits behind the point. weight[0]: of the right
 * texels, twice; weight[1]: of the upper and the lower ones. */
static inline void mix_four(const wide texel[4], const wide weight[2], wide out[4])
{
    const wide half = wide_set(1 << 23), tops = wide_set(UINT32_MAX / 255 * 128);
    const wide less[2] = {texel[0] ^ tops, texel[2] ^ tops};

    for (uint32_t k = 0; k < 2; k++) {
        wide high = mix_pair(texel[0], less[0], texel[1], k == 1, weight[0]);
        wide low = mix_pair(texel[2], less[1], texel[3], k == 1, weight[0]);
        wide even = wide_words(high, WIDE_OP(slli_epi32)(low, 16));
        wide odd = wide_words(WIDE_OP(srli_epi32)(high, 16), low);

        out[k] = WIDE_OP(add_epi32)(WIDE_OP(madd_epi16)(even, weight[1]), half);
        out[k + 2] = WIDE_OP(add_epi32)(WIDE_OP(madd_epi16)(odd, weight[1]), half);
    }
}

/* The highest bit of each byte. */
static inline wide find_tops(wide x)
{
    const wide nibble = WIDE_OP(set1_epi8)(15);
    const wide of_low =
        wide_sixteens(_mm_setr_epi8(0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8));
    const wide low = WIDE_OP(shuffle_epi8)(of_low, x & nibble);
    const wide high = WIDE_OP(shuffle_epi8)(of_low, WIDE_OP(srli_epi16)(x, 4) & nibble);

    return WIDE_OP(max_epu8)(low, WIDE_OP(slli_epi16)(high, 4));
}

/* Of a byte x, x / 255 as a float is x * 0x1.0101p-8 + t * 2^-31 where t is x's highest
 * bit (all 256 are tested). Sums of both by weights of 16 bits have 24, so a fused
 * multiply-add of them is the exact sum, rounded once. */
static inline void filter_linear(const struct gfx_plain *p, const struct texels *r,
                                 uint32_t h, wide_float out[4])
{
    const wide_float once = WIDE_OP(set1_ps)(0x1.0101p-24f),
                     top = WIDE_OP(set1_ps)(0x1p-47f);
    const wide u = r->part[0][h], v = r->part[1][h];
    const wide weight[2] = {u | WIDE_OP(slli_epi32)(u, 16),
                            WIDE_OP(sub_epi32)(wide_set(256), v) |
                                WIDE_OP(slli_epi32)(v, 16)};
    wide texel[4], sum[4], more[4];

    for (uint32_t k = 0; k < 4; k++)
        texel[k] =
            is_other(r, k) ? wide_gather(p->host, r->offset[k][h]) : texel[k & r->axes];
    mix_four(texel, weight, sum);
    for (uint32_t k = 0; k < 4; k++)
        texel[k] = find_tops(texel[k]);
    mix_four(texel, weight, more);
    for (uint32_t k = 0; k < 4; k++)
        out[k] = WIDE_OP(fmadd_ps)(WIDE_OP(cvtepi32_ps)(sum[k]), once,
                                   WIDE_OP(cvtepi32_ps)(more[k]) * top);
}

/* The same of one texel, which has all of the weight. */
static inline void filter_nearest(const struct gfx_plain *p, const struct texels *r,
                                  uint32_t h, wide_float out[4])
{
    wide texel = wide_gather(p->host, r->offset[0][h]), top = find_tops(texel);

    for (uint32_t k = 0; k < 4; k++) {
        const wide_float x = WIDE_OP(cvtepi32_ps)(texel & wide_set(255));
        const wide_float t = WIDE_OP(cvtepi32_ps)(top & wide_set(255));

        out[k] = WIDE_OP(fmadd_ps)(x, WIDE_OP(set1_ps)(0x1.0101p-8f),
                                   t * WIDE_OP(set1_ps)(0x1p-31f));
        texel = WIDE_OP(srli_epi32)(texel, 8);
        top = WIDE_OP(srli_epi32)(top, 8);
    }
}

static inline void filter(const struct gfx_plain *p, const struct texels *r, uint32_t h,
                          wide_float out[4])
{
    if (r->axes != 0)
        filter_linear(p, r, h, out);
    else
        filter_nearest(p, r, h, out);
}

/* Of a part's lanes, and between their two levels: by tex_place(); r g b a. */
static inline void answer(const struct message *m, uint32_t h, const struct texels r[2],
                          uint32_t levels, wide_float lod, wide_float out[4])
{
    wide_float next[4];

    filter(m->p, &r[0], h, out);
    if (levels == 2) {
        const wide own = wide_spread(of_part(r[1].mask, h));
        wide_float place = wide_round(lod * WIDE_OP(set1_ps)(256));

        place = wide_floats(wide_bits(place * WIDE_OP(set1_ps)(0x1p-8f)) & own);
        filter(m->p, &r[1], h, next);
        for (uint32_t k = 0; k < 4; k++)
            out[k] += place * (next[k] - out[k]);
    }
    if (!m->s->format->alpha)
        out[3] = WIDE_OP(set1_ps)(1);
    if (m->s->format->order == TEX_BGRA) {
        next[0] = out[0];
        out[0] = out[2];
        out[2] = next[0];
    }
}

/* ---- a message ---------------------------------------------------------- */

/* The filter of all lanes; FILTER_ANISOTROPIC: there are several. */
static inline uint32_t filter_of(const struct message *m, uint32_t minified)
{
    const uint32_t below = m->t->min_filter, above = m->t->mag_filter;
    const uint32_t own = minified != 0 ? below : above;

    return minified != m->mask && own != above ? FILTER_ANISOTROPIC : own;
}

static inline void begin(struct message *m, const struct gfx_plain *p,
                         const struct gfx_surface *s, const struct gfx_sampler *t,
                         uint32_t mask, const int32_t *offset, const float *const u[2])
{
    const uint32_t first = (uint32_t)__builtin_ctz(mask);

    m->s = s;
    m->t = t;
    m->p = p;
    m->mask = mask;
    m->offset = offset;
    for (uint32_t d = 0; d < 2; d++)
        for (uint32_t h = 0; h < PARTS; h++) {
            const wide own = wide_spread(of_part(m->mask, h));
            const wide other = wide_bits(WIDE_OP(set1_ps)(u[d][first]));
            const wide as_is = wide_load(u[d] + h * WIDE);

            m->u[d][h] = of_part(m->mask, h) == ALL
                             ? wide_floats(as_is)
                             : wide_floats((as_is & own) | (other & ~own));
        }
}

/* What lanes read is found and counted. 0: not here; else how many levels. */
static inline uint32_t find_all(struct gfx *g, const struct message *m,
                                const struct kinds *k, struct texels r[2])
{
    const uint32_t minified = k->minified & m->mask, filter = filter_of(m, minified);
    const uint32_t levels = (k->between & m->mask) != 0 ? 2 : 1;
    uint32_t texels = 0;
    bool apart;

    if (filter == FILTER_ANISOTROPIC)
        return 0;
    r[0].mask = m->mask;
    r[1].mask = k->between & m->mask;
    for (uint32_t l = 0; l < levels; l++) {
        r[l].linear = filter == FILTER_LINEAR;
        if (!find_texels(m, k, l, &r[l]))
            return 0;
    }
    apart = levels == 1 || is_one_level(k, m->mask);
    for (uint32_t l = 0; l < levels; l++) {
        count_lines(g, m, &r[l], apart);
        texels += count_texels(&r[l]);
    }
    gfx_count_texels(g, m->s->format, texels);
    *(filter == FILTER_LINEAR ? &g->counters.texels_linear
                              : &g->counters.texels_nearest) += texels;
    g->counters.minified_lanes += igpu_count_bits(minified);
    g->counters.magnified_lanes += igpu_count_bits(m->mask & ~minified);
    if (levels == 2)
        g->counters.trilinear_lanes += igpu_count_bits(r[1].mask);
    return levels;
}

bool WIDE_HOST(gfx_sample_bytes)(struct gfx *g, const struct gfx_plain *p,
                                 struct gfx_call *c)
{
    const uint32_t mask = c->mask & (c->lanes == N ? UINT16_MAX : UINT8_MAX);
    const float *const u[2] = {c->u[0], c->u[1]};
    struct message m;
    struct texels r[2];
    struct kinds k;
    wide_float lod[PARTS], out[4];
    uint32_t levels;

    if (g->told.threads.message != NULL || mask == 0 || c->compares)
        return false;
    memcpy(lod, c->lod, sizeof(lod));
    begin(&m, p, c->s, &c->sampler, mask, c->offset, u);
    find_kinds(&m, lod, &k);
    levels = find_all(g, &m, &k, r);
    for (uint32_t h = 0; h < PARTS && levels > 0; h++) {
        answer(&m, h, r, levels, k.lod[h], out);
        for (uint32_t i = 0; i < 4; i++)
            wide_store(&c->rgba[i][h * WIDE], wide_bits(out[i]), of_part(mask, h));
    }
    return levels > 0;
}

/* A channel as the surface selects it. */
static inline wide selected(uint32_t select, const wide_float rgba[4])
{
    if (select >= 4)
        return wide_bits(rgba[select - 4]);
    return wide_set(select == 0 ? 0 : GFX_FLOAT_ONE);
}

static inline void find_message_lods(const struct gfx_plain *p,
                                     const struct gfx_plain_message *m,
                                     wide_float lod[PARTS])
{
    const __m128 of = m->blocks ? find_lods(p, m->u, m->sign) : _mm_setzero_ps();

    for (uint32_t h = 0; h < PARTS; h++) {
        lod[h] = wide_fours(of, h * WIDE / 4);
        if (m->level != NULL)
            lod[h] += wide_floats(wide_load(m->level + h * WIDE));
    }
}

bool WIDE_HOST(gfx_sample_plain)(struct gfx *g, const struct gfx_plain *p,
                                 const struct gfx_plain_message *to)
{
    static const int32_t none[2] = {0, 0};
    struct message m;
    struct texels r[2];
    struct kinds k;
    wide_float lod[PARTS], out[4];
    uint32_t levels;

    find_message_lods(p, to, lod);
    begin(&m, p, to->s, to->t, to->mask, none, to->u);
    find_kinds(&m, lod, &k);
    levels = find_all(g, &m, &k, r);
    for (uint32_t h = 0; h * WIDE < to->lanes && levels > 0; h++) {
        answer(&m, h, r, levels, k.lod[h], out);
        for (uint32_t i = 0; i < to->channels; i++)
            wide_store(to->to + i * to->lanes * 4 + h * sizeof(wide),
                       selected(to->s->select[i], out), of_part(to->mask, h));
    }
    return levels > 0;
}
#endif
