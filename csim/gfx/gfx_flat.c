/* gfx_flat.c - the short way for most of what is sampled: textures of two dimensions
 * and faces of cubes away from their edges, without comparison. Its results and counts
 * are, bit for bit, those of gfx_filter.c, which does all else: the same operations in
 * the same order, but what does not change within a message is settled once. Tests:
 * tests/csim/test_gfx_flat.c */
#include "gfx_plain.h"
#include "gfx_texture.h"

typedef float texel4 __attribute__((vector_size(16)));
typedef double sum4 __attribute__((vector_size(32)));

enum { LINE = 64 };

/* x / 255 of each byte x, rounded once. */
#define UNORM(x) (float)(x) / 255.0f
#define UNORM4(x) UNORM(x), UNORM((x) + 1), UNORM((x) + 2), UNORM((x) + 3)
#define UNORM16(x) UNORM4(x), UNORM4((x) + 4), UNORM4((x) + 8), UNORM4((x) + 12)
#define UNORM64(x) UNORM16(x), UNORM16((x) + 16), UNORM16((x) + 32), UNORM16((x) + 48)
static const float unorm8[256] = {UNORM64(0), UNORM64(64), UNORM64(128), UNORM64(192)};

void gfx_flat_init(struct gfx *g)
{
    for (uint32_t i = 0; i < 256; i++)
        g->cache.srgb[i] = tex_from_srgb(unorm8[i]);
}

bool gfx_flat_lanes(struct gfx *g, struct gfx_call *c)
{
#if defined(__x86_64__)
    gfx_bytes_fn *bytes =
        emu_has_avx512() ? gfx_sample_bytes_avx512 : gfx_sample_bytes_avx2;

    if (c->plain != NULL && bytes(g, c->plain, c))
        return true;
    if (emu_has_avx2())
        return gfx_sample_lanes_avx2(g, c);
#endif
    return gfx_sample_lanes_any(g, c);
}

/* ---- a message ---------------------------------------------------------- */

enum gfx_texels gfx_kind_of(const struct tex_format *f)
{
    bool bytes = f->bytes == 4 && f->channels == 4 && f->bits == 8 &&
                 f->type == TEX_UNORM && f->as == TEX_COLOUR && f->order != TEX_ABGR;

    return !bytes ? GFX_OTHERS : f->srgb ? GFX_SRGB_BYTES : GFX_BYTES;
}

void gfx_flat_settle(struct gfx_call *c)
{
    const struct gfx_surface *s = c->s;
    bool halves =
        c->sampler.wrap[0] == TEX_HALF_BORDER || c->sampler.wrap[1] == TEX_HALF_BORDER;

    c->flat.on = c->dims == 2 && !c->compares && !s->format->block &&
                 c->sampler.reduction < REDUCE_LEAST && s->tiling != GFX_TILE_W &&
                 (s->type == GFX_CUBE || (s->type == GFX_2D && !halves));
    if (!c->flat.on)
        return;
    c->flat.texels = c->flat.outside = c->flat.linear = c->flat.nearest = 0;
    c->flat.kind = gfx_kind_of(s->format);
    c->flat.red = s->format->order == TEX_BGRA ? 2 : 0;
    c->flat.alpha = s->format->alpha;
    c->flat.bytes = s->format->bytes;
    c->flat.tiling = s->tiling;
    c->flat.edges = s->type == GFX_CUBE && c->sampler.seamless;
    for (uint32_t d = 0; d < 2; d++)
        c->flat.wrap[d] = s->type == GFX_CUBE ? TEX_CLAMP : c->sampler.wrap[d];
}

void gfx_flat_begin(struct gfx_call *c)
{
    gfx_flat_settle(c);
    if (!c->flat.on)
        return;
    c->flat.plane[0].level = c->flat.plane[1].level = UINT32_MAX;
    memset(c->flat.line, UINT8_MAX, sizeof(c->flat.line));
    memcpy(c->flat.border, c->border, sizeof(c->flat.border));
}

void gfx_flat_end(struct gfx *g, struct gfx_call *c)
{
    const struct gfx_flat *f = &c->flat;

    if (!f->on)
        return;
    g->counters.texels_linear += f->linear;
    g->counters.texels_nearest += f->nearest;
    g->counters.texels_border += f->outside;
    gfx_count_texels(g, c->s->format, f->texels);
}

/* The first texel of so many lanes' filters along u or v, shifted by so much, and the
 * weight of the one behind it. */
static inline __attribute__((always_inline)) void
find_lows(const float *u, float shift, double scale, bool linear, uint32_t lanes,
          int32_t *restrict low, float *restrict weight)
{
    for (uint32_t i = 0; i < lanes; i++)
        tex_low((double)(u[i] + shift) * scale, linear, &low[i], &weight[i]);
}

/* A level's two planes are kept apart from its neighbours': trilinear filters take two
 * levels in turn. */
static const struct gfx_plane *find_plane(struct gfx_call *c, uint32_t lane,
                                          uint32_t level, bool linear)
{
    const struct gfx_surface *s = c->s;
    struct gfx_plane *p = &c->flat.plane[level & 1];
    uint32_t layer =
        c->layer[lane] * (s->type == GFX_CUBE ? 6 : 1) + c->face[lane] + s->first_layer;

    if (p->level == level && p->layer == layer && p->linear == linear)
        return p;
    if (p->level != level || p->linear != linear)
        for (uint32_t d = 0; d < 2; d++) {
            p->size[d] = (int32_t)gfx_minify(d == 0 ? s->width : s->height, level);
            p->scale[d] = c->sampler.unnormalized ? 1.0 : (double)p->size[d];
            find_lows(c->u[d], 0, p->scale[d], linear, GFX_LANES, p->low[d],
                      p->weight[d]);
        }
    p->level = level;
    p->layer = layer;
    p->linear = linear;
    p->at = gfx_find_level(s, level, layer);
    return p;
}

/* ---- texels ------------------------------------------------------------- */

struct axis {
    int32_t at[2];
    float weight[2];
};

/* The texels from i on, of which the second one has this weight. False: the face of a
 * seamless cube ends here. */
static inline bool find_axis(const struct gfx_call *c, uint32_t d,
                             const struct gfx_plane *p, int32_t i, float weight,
                             struct axis *axis)
{
    int32_t size = p->size[d];

    i += c->offset[d];
    axis->weight[0] = 1 - weight;
    axis->weight[1] = weight;
    axis->at[0] = i;
    axis->at[1] = i + 1;
    if (i >= 0 && i + 1 < size)
        return true;
    for (uint32_t k = 0; k < 1u + p->linear; k++) {
        if ((uint32_t)axis->at[k] < (uint32_t)size)
            continue;
        if (c->flat.edges)
            return false;
        axis->at[k] = tex_wrap(c->flat.wrap[d], axis->at[k], size);
    }
    return true;
}

/* Byte of a column and of a row: in every tiling the sum is the texel's. */
static inline uint64_t column(const struct gfx_call *c, const struct gfx_plane *p,
                              int32_t x)
{
    uint32_t byte = (p->at.x + (uint32_t)x) * c->flat.bytes;

    return gfx_tile_offset((enum gfx_tiling)c->flat.tiling, c->s->pitch, byte, 0);
}

static inline uint64_t row(const struct gfx_call *c, const struct gfx_plane *p,
                           int32_t y)
{
    return gfx_tile_offset((enum gfx_tiling)c->flat.tiling, c->s->pitch, 0,
                           p->at.y + (uint32_t)y);
}

/* Of 8 bits a channel. */
static inline texel4 decode_bytes(const struct gfx *g, const struct gfx_call *c,
                                  const uint8_t *texel)
{
    const float *colour = c->flat.kind == GFX_SRGB_BYTES ? g->cache.srgb : unorm8;
    uint32_t red = c->flat.red;

    return (texel4){colour[texel[red]], colour[texel[1]], colour[texel[2 - red]],
                    c->flat.alpha ? unorm8[texel[3]] : 1.0f};
}

static inline texel4 decode(const struct gfx *g, const struct gfx_call *c,
                            const uint8_t *texel)
{
    uint32_t bits[4];
    texel4 value;

    if (c->flat.kind == GFX_OTHERS) {
        tex_unpack(c->s->format, texel, bits);
        memcpy(&value, bits, sizeof(value));
        return value;
    }
    return decode_bytes(g, c, texel);
}

/* Of a line that the message has not touched lately. NULL: outside of the batch's
 * memory. */
static const uint8_t *find_texel(struct gfx *g, struct gfx_call *c, uint64_t va,
                                 uint32_t slot)
{
    bool counted = gfx_count_line(g, va / LINE);
    const uint8_t *whole = gfx_host(g, va / LINE * LINE, LINE);

    /* A buffer may end within a line. */
    if (whole == NULL || va % LINE + c->flat.bytes > LINE)
        return gfx_host(g, va, c->flat.bytes);
    if (counted) {
        c->flat.line[slot] = va / LINE;
        c->flat.host[slot] = whole;
    }
    return whole + va % LINE;
}

static inline uint32_t slot_of(uint64_t line)
{
    return (uint32_t)(line ^ line >> 3) % GFX_FLAT_LINES; /* tiles' columns */
}

/* False: outside of the batch's memory. */
static inline bool read_texel(struct gfx *g, struct gfx_call *c, uint64_t offset,
                              texel4 *value)
{
    uint64_t va = c->s->va + offset, line = va / LINE;
    uint32_t slot = slot_of(line);
    const uint8_t *texel;

    c->flat.texels++;
    if (line == c->flat.line[slot] && va % LINE + c->flat.bytes <= LINE)
        texel = c->flat.host[slot] + va % LINE;
    else
        texel = find_texel(g, c, va, slot);
    if (texel != NULL)
        *value = decode(g, c, texel);
    return texel != NULL;
}

static inline bool read_corner(struct gfx *g, struct gfx_call *c, int32_t x, int32_t y,
                               uint64_t offset, texel4 *value)
{
    if ((x | y) >= 0)
        return read_texel(g, c, offset, value);
    c->flat.outside++;
    memcpy(value, c->flat.border, sizeof(*value));
    return true;
}

/* Of the first texel; of the four, each times its weight. */
static inline bool nearest(struct gfx *g, struct gfx_call *c, const struct gfx_plane *p,
                           const struct axis a[2], texel4 *out)
{
    int32_t x = a[0].at[0], y = a[1].at[0];

    c->flat.nearest++;
    return read_corner(g, c, x, y, column(c, p, x) + row(c, p, y), out);
}

/* The line that holds all four texels of 8 bits a channel, if the message has touched
 * it; NULL: one by one. */
static inline const uint8_t *line_of(const struct gfx_call *c, const struct axis a[2],
                                     const uint64_t columns[2], const uint64_t rows[2])
{
    const uint64_t first = c->s->va + columns[0] + rows[0], line = first / LINE;
    const uint64_t others = (first ^ (c->s->va + columns[1] + rows[0])) |
                            (first ^ (c->s->va + columns[0] + rows[1])) |
                            (first ^ (c->s->va + columns[1] + rows[1]));
    uint32_t slot = slot_of(line);

    if (c->flat.kind == GFX_OTHERS ||
        (a[0].at[0] | a[0].at[1] | a[1].at[0] | a[1].at[1]) < 0)
        return NULL;
    if (others >= LINE || first % 4 != 0 || c->flat.line[slot] != line)
        return NULL;
    return c->flat.host[slot];
}

/* What bilinear() does, of such a line; a texel without weight adds 0 there. */
static inline texel4 in_line(const struct gfx *g, struct gfx_call *c,
                             const struct axis a[2], const uint64_t columns[2],
                             const uint64_t rows[2], const uint8_t *host)
{
    uint32_t texels = (1u + (a[0].weight[1] != 0)) * (1u + (a[1].weight[1] != 0));
    sum4 sum = {0, 0, 0, 0};

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t x = i & 1, y = i >> 1;
        double weight = (double)(a[0].weight[x] * a[1].weight[y]);
        uint64_t at = (c->s->va + columns[x] + rows[y]) % LINE;

        sum += weight * __builtin_convertvector(decode_bytes(g, c, host + at), sum4);
    }
    c->flat.linear += texels;
    c->flat.texels += texels;
    return __builtin_convertvector(sum, texel4);
}

static inline bool bilinear(struct gfx *g, struct gfx_call *c,
                            const struct gfx_plane *p, const struct axis a[2],
                            texel4 *out)
{
    const uint64_t columns[2] = {column(c, p, a[0].at[0]), column(c, p, a[0].at[1])};
    const uint64_t rows[2] = {row(c, p, a[1].at[0]), row(c, p, a[1].at[1])};

    const uint8_t *host = line_of(c, a, columns, rows);
    double sum[4] = {0, 0, 0, 0};

    if (host != NULL) {
        *out = in_line(g, c, a, columns, rows, host);
        return true;
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t x = i & 1, y = i >> 1;
        float weight = a[0].weight[x] * a[1].weight[y];
        texel4 value;

        if (weight == 0)
            continue;
        c->flat.linear++;
        if (!read_corner(g, c, a[0].at[x], a[1].at[y], columns[x] + rows[y], &value))
            return false;
        for (uint32_t k = 0; k < 4; k++)
            sum[k] += (double)weight * (double)value[k];
    }
    *out = (texel4){(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
    return true;
}

enum gfx_flat_result gfx_flat_filter(struct gfx *g, struct gfx_call *c, uint32_t lane,
                                     uint32_t level, bool linear, const float *shift,
                                     float out[4])
{
    const struct gfx_plane *p = find_plane(c, lane, level, linear);
    texel4 value = {0, 0, 0, 0};
    struct axis a[2];
    bool good;

    for (uint32_t d = 0; d < 2; d++) {
        int32_t low = p->low[d][lane];
        float weight = p->weight[d][lane];

        if (shift != NULL)
            find_lows(&c->u[d][lane], shift[d], p->scale[d], linear, 1, &low, &weight);
        if (!find_axis(c, d, p, low, weight, &a[d]))
            return GFX_FLAT_NOT;
    }
    good = linear ? bilinear(g, c, p, a, &value) : nearest(g, c, p, a, &value);
    memcpy(out, &value, sizeof(value));
    return good ? GFX_FLAT_DONE : GFX_FLAT_FAULT;
}
