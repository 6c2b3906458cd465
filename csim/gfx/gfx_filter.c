/* gfx_filter.c - texels of a call: wrapping, filters of one, two and three dimensions,
 * across the edges of cubes, between mip levels, comparison, gathering. Most filters of
 * two dimensions take the way of gfx_flat.c, to the same results. */
#include "gfx_sample.h"
#include "gfx_texture.h"

/* ---- texels ------------------------------------------------------------- */

static bool read_texel(struct gfx *g, const struct gfx_surface *s, const int32_t at[3],
                       uint32_t level, uint32_t layer, uint32_t rgba[4])
{
    uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1], block = s->format->block;
    uint32_t wide = tex_block_width(s->format), high = tex_block_height(s->format);
    const uint8_t *texel;
    uint64_t offset;

    gfx_count_texels(g, s->format, 1);
    if (s->type == GFX_BUFFER)
        offset = (uint64_t)x * s->pitch;
    else
        offset = gfx_texel_offset(s, block ? x / wide : x, block ? y / high : y, level,
                                  s->first_layer + layer);
    (void)gfx_count_line(g, (s->va + offset) / 64);
    texel = gfx_host(g, s->va + offset, s->format->bytes);
    if (texel == NULL)
        return false;
    if (block)
        tex_unpack_block(s->format, texel, x % wide, y % high, rgba);
    else
        tex_unpack(s->format, texel, rgba);
    return true;
}

bool gfx_fetch(struct gfx *g, const struct gfx_call *c, const int32_t at[3],
               uint32_t level, uint32_t layer, uint32_t rgba[4])
{
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        memcpy(rgba, c->border, 4 * sizeof(*rgba));
        g->counters.texels_border++;
        return true;
    }
    if (c->s->type == GFX_3D)
        layer = (uint32_t)at[2];
    return read_texel(g, c->s, at, level, layer, rgba);
}

static bool compare_fails(uint32_t function, float texel, float ref)
{
    switch (function) {
    case 0:
        return true;
    case 2:
        return texel < ref;
    case 3:
        return texel == ref;
    case 4:
        return texel <= ref;
    case 5:
        return texel > ref;
    case 6:
        return texel != ref;
    case 7:
        return texel >= ref;
    default:
        return false;
    }
}

/* ---- a level's texels --------------------------------------------------- */

struct axis {
    int32_t at[2];
    float weight; /* of the second */
};

/* The texels of a lane in a level, and their weights: 2^dims of them, or the first. */
struct corners {
    uint32_t count;
    int32_t at[8][3];
    uint32_t layer[8];
    float weight[8];
};

static bool is_seamless(const struct gfx_call *c)
{
    return c->s->type == GFX_CUBE && c->sampler.seamless;
}

static void find_axis(const struct gfx_call *c, uint32_t d, float u, uint32_t size,
                      bool linear, int32_t offset, struct axis *axis)
{
    double x = (double)u * (c->sampler.unnormalized ? 1.0 : (double)size);
    uint32_t mode = c->s->type == GFX_CUBE ? TEX_CLAMP : c->sampler.wrap[d];
    int32_t low;

    if (mode == TEX_HALF_BORDER) { /* the edge counts half, and the border */
        x = x == x ? fmin(fmax(x + offset, 0), (double)size) : 0;
        offset = 0;
        mode = linear ? TEX_CLAMP_BORDER : TEX_CLAMP;
    }
    tex_low(x, linear, &low, &axis->weight);
    for (int32_t k = 0; k < 2; k++) {
        int32_t i = low + k + offset;

        if (!is_seamless(c))
            axis->at[k] = tex_wrap(mode, i, (int32_t)size);
        else /* one step outside is the next face's */
            axis->at[k] = i < -1 ? -1 : i > (int32_t)size ? (int32_t)size : i;
    }
}

/* Texels outside of a face lie on another one; the one behind a cube's corner, that is
 * none, leaves its weight to the three others. */
static void across_edges(const struct gfx_call *c, uint32_t lane, uint32_t size,
                         struct corners *t)
{
    uint32_t none = 8;

    for (uint32_t i = 0; i < t->count; i++) {
        int32_t *x = &t->at[i][0], *y = &t->at[i][1];
        bool out_x = *x < 0 || *x >= (int32_t)size,
             out_y = *y < 0 || *y >= (int32_t)size;
        uint32_t face = c->face[lane];

        if (out_x && out_y)
            none = i;
        if (out_x || out_y)
            gfx_cube_neighbour(size, &face, x, y);
        t->layer[i] += face - c->face[lane];
    }
    if (none == 8 || t->count != 4)
        return;
    for (uint32_t i = 0; i < 4; i++)
        if (i != none)
            t->weight[i] += t->weight[none] / 3;
    t->weight[none] = 0;
}

static void find_corners(const struct gfx_call *c, uint32_t lane, uint32_t level,
                         bool linear, const float shift[3], const int32_t more[2],
                         struct corners *t)
{
    const uint32_t size[3] = {c->s->width, c->s->height, c->s->depth};
    struct axis axis[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};

    for (uint32_t d = 0; d < c->dims; d++)
        find_axis(c, d, c->u[d][lane] + shift[d], gfx_minify(size[d], level), linear,
                  c->offset[d] + (d < 2 ? more[d] : 0), &axis[d]);
    t->count = linear ? 1u << c->dims : 1;
    for (uint32_t i = 0; i < t->count; i++) {
        t->weight[i] = 1;
        t->layer[i] = c->layer[lane] * (c->s->type == GFX_CUBE ? 6 : 1) + c->face[lane];
        for (uint32_t d = 0; d < 3; d++) {
            bool high = i >> d & 1;

            t->at[i][d] = axis[d].at[high];
            if (d < c->dims)
                t->weight[i] *= high ? axis[d].weight : 1 - axis[d].weight;
        }
    }
    if (is_seamless(c))
        across_edges(c, lane, gfx_minify(size[0], level), t);
}

/* ---- filtering ---------------------------------------------------------- */

/* Least or greatest of what a filter reads, each channel by itself. */
static bool reduces(const struct gfx_call *c)
{
    return c->sampler.reduction >= REDUCE_LEAST && !c->compares;
}

static void reduce(const struct gfx_call *c, float out[4], const float more[4])
{
    for (uint32_t k = 0; k < 4; k++)
        out[k] = c->sampler.reduction == REDUCE_LEAST ? fminf(out[k], more[k])
                                                      : fmaxf(out[k], more[k]);
}

static bool filter(struct gfx *g, struct gfx_call *c, uint32_t lane, uint32_t level,
                   bool linear, const float *shift, float out[4])
{
    static const float still[3] = {0, 0, 0};
    static const int32_t none[2] = {0, 0};
    double sum[4] = {0, 0, 0, 0};
    struct corners t;

    if (c->flat.on) {
        enum gfx_flat_result result =
            gfx_flat_filter(g, c, lane, level, linear, shift, out);

        if (result != GFX_FLAT_NOT)
            return result == GFX_FLAT_DONE;
    }
    find_corners(c, lane, level, linear, shift != NULL ? shift : still, none, &t);
    for (uint32_t k = 0; k < 4; k++) /* what nothing changes */
        out[k] = c->sampler.reduction == REDUCE_LEAST ? INFINITY : -INFINITY;
    for (uint32_t i = 0; i < t.count; i++) {
        float texel[4];
        uint32_t rgba[4];

        if (t.weight[i] == 0)
            continue;
        *(linear ? &g->counters.texels_linear : &g->counters.texels_nearest) += 1;
        if (!gfx_fetch(g, c, t.at[i], level, t.layer[i], rgba))
            return false;
        if (c->compares) {
            sum[0] +=
                compare_fails(c->sampler.compare, tex_float(rgba[0]), c->ref[lane])
                    ? 0
                    : (double)t.weight[i];
            continue;
        }
        if (!linear) { /* bits, which may be integers */
            memcpy(out, rgba, 4 * sizeof(*out));
            return true;
        }
        memcpy(texel, rgba, sizeof(texel));
        if (reduces(c))
            reduce(c, out, texel);
        for (uint32_t k = 0; k < 4; k++)
            sum[k] += (double)t.weight[i] * (double)texel[k];
    }
    for (uint32_t k = 0; k < 4 && !reduces(c); k++)
        out[k] = (float)sum[k];
    return true;
}

/* The mean of the probes of an anisotropic filter, which lie evenly along its way. */
static bool probe(struct gfx *g, struct gfx_call *c, uint32_t lane, uint32_t level,
                  bool linear, float out[4])
{
    uint32_t n = c->probes[lane];
    double sum[4] = {0, 0, 0, 0};
    float most[4] = {0, 0, 0, 0}; /* or least */
    bool good = true;

    if (n <= 1 || !linear)
        return filter(g, c, lane, level, linear, NULL, out);
    for (uint32_t i = 0; i < n && good; i++) {
        float place = ((float)i + 0.5f) / (float)n - 0.5f, shift[3] = {0, 0, 0};

        for (uint32_t d = 0; d < c->dims; d++)
            shift[d] = place * c->way[d][lane];
        good = filter(g, c, lane, level, linear, shift, out);
        if (reduces(c) && i > 0)
            reduce(c, most, out);
        else
            memcpy(most, out, sizeof(most));
        for (uint32_t k = 0; k < 4; k++)
            sum[k] += (double)out[k];
    }
    for (uint32_t k = 0; k < 4; k++)
        out[k] = reduces(c) ? most[k] : (float)(sum[k] / n);
    return good;
}

static bool is_integer(const struct gfx_call *c)
{
    return c->s->format->type == TEX_UINT || c->s->format->type == TEX_SINT;
}

void gfx_lod_lane(struct gfx_call *c, uint32_t lane)
{
    float all = c->lod[lane] + c->sampler.bias, read = gfx_within(c, all);
    uint32_t level = gfx_first_level(c, &read);

    if (c->sampler.mip != MIP_LINEAR)
        read = (float)level;
    memcpy(&c->rgba[0][lane], &read, 4);
    memcpy(&c->rgba[1][lane], &all, 4);
    c->rgba[2][lane] = c->rgba[3][lane] = 0;
}

bool gfx_sample_lane(struct gfx *g, struct gfx_call *c, uint32_t lane)
{
    float lod = gfx_within(c, c->lod[lane] + c->sampler.bias), out[4], next[4];
    uint32_t last = c->s->levels - 1, level;
    bool linear, good;

    linear = !is_integer(c) && (lod > 0 ? c->sampler.min_filter
                                        : c->sampler.mag_filter) != FILTER_NEAREST;
    *(lod > 0 ? &g->counters.minified_lanes : &g->counters.magnified_lanes) += 1;
    g->counters.anisotropic_lanes += c->probes[lane] > 1 && linear;
    level = gfx_first_level(c, &lod);
    good = probe(g, c, lane, c->s->min_lod + level, linear, out);
    if (good && c->sampler.mip == MIP_LINEAR && lod > (float)level && level < last &&
        !is_integer(c)) {
        g->counters.trilinear_lanes++;
        good = probe(g, c, lane, c->s->min_lod + level + 1, linear, next);
        if (reduces(c))
            reduce(c, out, next);
        for (uint32_t k = 0; k < 4 && !reduces(c); k++)
            out[k] +=
                (float)tex_place((double)(lod - (float)level)) * (next[k] - out[k]);
    }
    for (uint32_t k = 0; k < 4; k++)
        memcpy(&c->rgba[k][lane], &out[k], 4);
    return good;
}

bool gfx_gather_lane(struct gfx *g, struct gfx_call *c, uint32_t lane, uint32_t channel,
                     const int32_t more[2])
{
    /* Lower left, lower right, upper right, upper left in texture space. */
    static const uint8_t order[4] = {2, 3, 1, 0};
    static const float shift[3] = {0, 0, 0};
    uint32_t select = c->s->select[channel];
    struct corners t;

    find_corners(c, lane, c->s->min_lod, true, shift, more, &t);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t i = order[k], rgba[4], value;

        if (!gfx_fetch(g, c, t.at[i], c->s->min_lod, t.layer[i], rgba))
            return false;
        value = select >= 4   ? rgba[select - 4]
                : select == 0 ? 0
                              : (is_integer(c) ? 1 : GFX_FLOAT_ONE);
        if (c->compares)
            value = compare_fails(c->sampler.compare, tex_float(rgba[0]), c->ref[lane])
                        ? 0
                        : GFX_FLOAT_ONE;
        c->rgba[k][lane] = value;
    }
    return true;
}
