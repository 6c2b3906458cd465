/* gfx_sampler.c - sampler messages: level of detail from blocks of 2x2
 * pixels, wrapping, filters of one, two and three dimensions, mip levels, comparison.
 * Weights are exact, where hardware keeps 8 bits of a fraction. */
#include "gfx_int.h"

enum { GRF = 32, LANES = 16, PARAMETERS = 9 };
enum {
    SAMPLE = 0,
    SAMPLE_B,
    SAMPLE_L,
    SAMPLE_C,
    SAMPLE_D,
    SAMPLE_B_C,
    SAMPLE_L_C,
    LD,
    RESINFO = 10,
    SAMPLE_LZ = 24,
    SAMPLE_C_LZ,
    LD_LZ
};
enum { WRAP, MIRROR, CLAMP, CUBE, CLAMP_BORDER, MIRROR_ONCE, HALF_BORDER };
enum { FILTER_NEAREST, FILTER_LINEAR, FILTER_ANISOTROPIC };
enum { MIP_NONE, MIP_NEAREST, MIP_LINEAR = 3 };

struct sampler {
    uint32_t min_filter, mag_filter, mip, compare;
    uint32_t wrap[3];
    float bias, min_lod, max_lod;
    bool unnormalized;
    uint64_t border;
};

struct call {
    const struct gfx_surface *s;
    struct sampler sampler;
    uint32_t lanes, mask, type, dims;
    uint32_t p[PARAMETERS][LANES]; /* as they came */
    float u[3][LANES], lod[LANES], ref[LANES];
    bool compares;
    uint32_t layer[LANES];
    uint32_t border[4];
    uint32_t rgba[4][LANES];
};

/* ---- state -------------------------------------------------------------- */

static enum igpu_status read_sampler(struct gfx *g, uint32_t index, struct sampler *s)
{
    uint32_t p[4];
    enum igpu_status status =
        gfx_read(g, g->d.samplers + (uint64_t)index * 16, p, sizeof(p));

    if (status != IGPU_OK)
        return status;
    *s = (struct sampler){
        .min_filter = gfx_bits(p[0], 14, 16),
        .mag_filter = gfx_bits(p[0], 17, 19),
        .mip = gfx_bits(p[0], 20, 21),
        .compare = gfx_bits(p[1], 1, 3),
        .wrap = {gfx_bits(p[3], 6, 8), gfx_bits(p[3], 3, 5), gfx_bits(p[3], 0, 2)},
        .bias = (float)((int32_t)(p[0] << 18) >> 19) / 256.0f,
        .max_lod = (float)gfx_bits(p[1], 8, 19) / 256.0f,
        .min_lod = (float)gfx_bits(p[1], 20, 31) / 256.0f,
        .unnormalized = p[3] >> 10 & 1,
        .border = g->c->dynamic_base + (p[2] & 0xFFFFC0),
    };
    if (s->min_filter > FILTER_LINEAR || s->mag_filter > FILTER_LINEAR)
        return gfx_refuse(g, "a filter %u, %u: anisotropic or of weights",
                          s->min_filter, s->mag_filter);
    return IGPU_OK;
}

/* ---- texels ------------------------------------------------------------- */

static const uint8_t *texel_at(struct gfx *g, const struct gfx_surface *s,
                               const int32_t at[3], uint32_t level, uint32_t layer)
{
    uint64_t offset;

    g->counters.texels++;
    if (s->type == GFX_BUFFER)
        offset = (uint64_t)(uint32_t)at[0] * s->pitch;
    else
        offset = gfx_texel_offset(s, (uint32_t)at[0], (uint32_t)at[1], level,
                                  s->first_layer + layer);
    return emu_mem_host(g->mem, s->va + offset, s->format->bytes);
}

/* False: outside of the batch's memory. */
static bool fetch(struct gfx *g, const struct call *c, const int32_t at[3],
                  uint32_t level, uint32_t layer, uint32_t rgba[4])
{
    const uint8_t *texel;

    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        memcpy(rgba, c->border, 4 * sizeof(*rgba));
        return true;
    }
    if (c->s->type == GFX_3D)
        layer = (uint32_t)at[2];
    texel = texel_at(g, c->s, at, level, layer);
    if (texel != NULL)
        gfx_unpack(c->s->format, texel, rgba);
    return texel != NULL;
}

/* Texel coordinate i in a level of this size; -1: the border. */
static int32_t wrapped(uint32_t mode, int64_t i, int32_t size)
{
    int64_t n = i;

    switch (mode) {
    case WRAP:
        n = i % size;
        return (int32_t)(n < 0 ? n + size : n);
    case MIRROR:
        n = i % (2 * (int64_t)size);
        n = n < 0 ? n + 2 * (int64_t)size : n;
        return (int32_t)(n < size ? n : 2 * (int64_t)size - 1 - n);
    case MIRROR_ONCE:
        n = i < 0 ? -1 - i : i;
        return (int32_t)(n < size ? n : size - 1);
    case CLAMP_BORDER:
    case HALF_BORDER:
        return i < 0 || i >= size ? -1 : (int32_t)i;
    default:
        return (int32_t)(i < 0 ? 0 : i >= size ? size - 1 : i);
    }
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

/* ---- filtering ---------------------------------------------------------- */

struct axis {
    int32_t at[2];
    float weight; /* of the second */
};

static void find_axis(const struct call *c, uint32_t d, float u, uint32_t size,
                      bool linear, struct axis *axis)
{
    double x = (double)u * (c->sampler.unnormalized ? 1.0 : (double)size), low;

    if (!(fabs(x) < 1e9)) /* infinities and NaN */
        x = 0;
    low = floor(linear ? x - 0.5 : x);
    axis->weight = linear ? (float)(x - 0.5 - low) : 0;
    axis->at[0] = wrapped(c->sampler.wrap[d], (int64_t)low, (int32_t)size);
    axis->at[1] = wrapped(c->sampler.wrap[d], (int64_t)low + 1, (int32_t)size);
}

static bool filter(struct gfx *g, const struct call *c, uint32_t lane, uint32_t level,
                   bool linear, float out[4])
{
    const struct gfx_surface *s = c->s;
    const uint32_t size[3] = {s->width, s->height, s->depth};
    struct axis axis[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};

    for (uint32_t d = 0; d < c->dims; d++)
        find_axis(c, d, c->u[d][lane], gfx_minify(size[d], level), linear, &axis[d]);
    memset(out, 0, 4 * sizeof(*out));
    for (uint32_t corner = 0; corner < (linear ? 1u << c->dims : 1u); corner++) {
        int32_t at[3];
        uint32_t rgba[4];
        float weight = 1;

        for (uint32_t d = 0; d < 3; d++) {
            bool high = corner >> d & 1;

            at[d] = axis[d].at[high];
            if (d < c->dims)
                weight *= high ? axis[d].weight : 1 - axis[d].weight;
        }
        if (weight == 0)
            continue;
        if (!fetch(g, c, at, level, c->layer[lane], rgba))
            return false;
        if (c->compares) {
            out[0] +=
                compare_fails(c->sampler.compare, gfx_float(rgba[0]), c->ref[lane])
                    ? 0
                    : weight;
            continue;
        }
        if (!linear) { /* bits, which may be integers */
            memcpy(out, rgba, 4 * sizeof(*out));
            return true;
        }
        for (uint32_t k = 0; k < 4; k++)
            out[k] += weight * gfx_float(rgba[k]);
    }
    return true;
}

static bool sample_lane(struct gfx *g, struct call *c, uint32_t lane)
{
    bool integer = c->s->format->type == GFX_UINT || c->s->format->type == GFX_SINT;
    float lod = c->lod[lane] + c->sampler.bias, out[4], next[4];
    uint32_t last = c->s->levels - 1, level;
    bool linear, good;

    lod = lod != lod ? 0 : lod;
    lod = fminf(fmaxf(lod, c->sampler.min_lod), c->sampler.max_lod);
    linear = !integer &&
             (lod > 0 ? c->sampler.min_filter : c->sampler.mag_filter) == FILTER_LINEAR;
    lod = c->sampler.mip == MIP_NONE ? 0 : fmaxf(lod, 0);
    lod = fminf(lod, (float)last);
    level = (uint32_t)(c->sampler.mip == MIP_LINEAR ? floorf(lod) : floorf(lod + 0.5f));
    good = filter(g, c, lane, c->s->min_lod + level, linear, out);
    if (good && c->sampler.mip == MIP_LINEAR && lod > (float)level && level < last &&
        !integer) {
        good = filter(g, c, lane, c->s->min_lod + level + 1, linear, next);
        for (uint32_t k = 0; k < 4; k++)
            out[k] += (lod - (float)level) * (next[k] - out[k]);
    }
    for (uint32_t k = 0; k < 4; k++)
        memcpy(&c->rgba[k][lane], &out[k], 4);
    return good;
}

/* ---- level of detail ---------------------------------------------------- */

static float rho(const struct call *c, const float d[3])
{
    const uint32_t size[3] = {c->s->width, c->s->height, c->s->depth};
    double sum = 0;

    for (uint32_t k = 0; k < c->dims; k++) {
        double scaled =
            (double)d[k] * (c->sampler.unnormalized
                                ? 1.0
                                : (double)gfx_minify(size[k], c->s->min_lod));

        sum += scaled * scaled;
    }
    return (float)sqrt(sum);
}

/* By differences within each block: right minus left, lower minus upper. */
static void find_lod(struct call *c)
{
    for (uint32_t b = 0; b < c->lanes; b += 4) {
        float dx[3], dy[3], lod;

        for (uint32_t d = 0; d < 3; d++) {
            dx[d] = c->u[d][b + 1] - c->u[d][b];
            dy[d] = c->u[d][b + 2] - c->u[d][b];
        }
        lod = log2f(fmaxf(rho(c, dx), rho(c, dy)));
        for (uint32_t i = 0; i < 4; i++)
            c->lod[b + i] = lod;
    }
}

/* ---- messages ----------------------------------------------------------- */

static void load_parameters(const struct isa_inst *inst, const uint8_t *grf,
                            struct call *c)
{
    uint32_t header = inst->msg.header, grfs = c->lanes / 8;
    uint32_t sent = (uint32_t)inst->msg.mlen + inst->msg.ext_mlen;

    for (uint32_t k = 0; k < PARAMETERS; k++)
        for (uint32_t r = 0; r < grfs; r++) {
            uint32_t at = header + k * grfs + r, reg;

            if (at >= sent) /* trailing zeros are left out */
                continue;
            reg = at < inst->msg.mlen ? inst->src[0].reg + at
                                      : inst->src[1].reg + at - inst->msg.mlen;
            if (reg < ISA_GRF_COUNT)
                memcpy(&c->p[k][8 * r], grf + reg * GRF, GRF);
        }
}

static void floats(const uint32_t *from, float *to)
{
    memcpy(to, from, LANES * sizeof(*to));
}

/* Coordinates from parameter `first` on, the array's index behind them. */
static void coordinates(struct call *c, uint32_t first)
{
    for (uint32_t d = 0; d < c->dims; d++)
        floats(c->p[first + d], c->u[d]);
    for (uint32_t i = 0; i < c->lanes && c->s->array; i++) {
        float f = gfx_float(c->p[first + c->dims][i]);

        c->layer[i] = f > 0 ? (uint32_t)fminf(rintf(f), (float)(c->s->depth - 1)) : 0;
    }
}

static enum igpu_status load(struct gfx *g, struct call *c)
{
    bool has_level = c->type == LD && c->s->type != GFX_BUFFER;
    uint32_t third = has_level ? 3 : 2;

    memset(c->border, 0, sizeof(c->border));
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = c->s->min_lod + (has_level ? c->p[2][i] : 0), rgba[4] = {0};
        int32_t at[3] = {(int32_t)c->p[0][i], c->dims > 1 ? (int32_t)c->p[1][i] : 0,
                         c->dims > 2 ? (int32_t)c->p[third][i] : 0};
        uint32_t layer = c->s->array ? c->p[c->dims > 1 ? third : 1][i] : 0;
        bool in = (c->mask >> i & 1) && level < 15 &&
                  (uint32_t)at[0] < gfx_minify(c->s->width, level) &&
                  (c->dims < 2 || (uint32_t)at[1] < gfx_minify(c->s->height, level)) &&
                  (c->dims < 3 || (uint32_t)at[2] < gfx_minify(c->s->depth, level));

        if (in && !fetch(g, c, at, level, layer, rgba))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        for (uint32_t k = 0; k < 4; k++)
            c->rgba[k][i] = rgba[k];
    }
    return IGPU_OK;
}

static void information(struct call *c)
{
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = c->s->min_lod + (c->p[0][i] & 15);

        c->rgba[0][i] = gfx_minify(c->s->width, level);
        c->rgba[1][i] = gfx_minify(c->s->height, level);
        c->rgba[2][i] = c->s->array ? c->s->depth : gfx_minify(c->s->depth, level);
        c->rgba[3][i] = c->s->levels;
    }
}

/* Parameters in front of the coordinates, by message. */
static uint32_t in_front(struct call *c)
{
    uint32_t at = 0;

    if (c->type == SAMPLE_C || c->type == SAMPLE_B_C || c->type == SAMPLE_L_C ||
        c->type == SAMPLE_C_LZ) {
        c->compares = true;
        floats(c->p[at++], c->ref);
    }
    at += c->type == SAMPLE_B || c->type == SAMPLE_L || c->type == SAMPLE_B_C ||
          c->type == SAMPLE_L_C;
    return at;
}

static enum igpu_status sample(struct gfx *g, struct call *c, uint32_t index)
{
    uint32_t front = in_front(c);
    enum igpu_status status = read_sampler(g, index, &c->sampler);

    for (uint32_t d = 0; d < c->dims && status == IGPU_OK; d++)
        if (c->sampler.wrap[d] == CLAMP_BORDER || c->sampler.wrap[d] == HALF_BORDER)
            status = gfx_read(g, c->sampler.border, c->border, sizeof(c->border));
    if (status != IGPU_OK)
        return status;
    coordinates(c, front);
    if (c->type == SAMPLE_L || c->type == SAMPLE_L_C)
        floats(c->p[front - 1], c->lod);
    else if (c->type != SAMPLE_LZ && c->type != SAMPLE_C_LZ && g->d.in_pixels)
        find_lod(c);
    for (uint32_t i = 0; i < c->lanes && (c->type == SAMPLE_B || c->type == SAMPLE_B_C);
         i++)
        c->lod[i] += gfx_float(c->p[front - 1][i]);
    for (uint32_t i = 0; i < c->lanes; i++)
        if (c->mask >> i & 1 && !sample_lane(g, c, i))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
    return IGPU_OK;
}

/* ---- the answer --------------------------------------------------------- */

static uint32_t selected(const struct call *c, uint32_t channel, uint32_t lane)
{
    uint32_t select = c->s->select[channel];
    bool integer = c->s->format->type == GFX_UINT || c->s->format->type == GFX_SINT;

    if (c->type == RESINFO || c->compares)
        return c->rgba[channel][lane];
    if (select >= 4)
        return c->rgba[select - 4][lane];
    return select == 0 ? 0 : integer ? 1 : 0x3F800000;
}

static void respond(const struct isa_inst *inst, uint8_t *grf, const struct call *c)
{
    uint32_t grfs = c->lanes / 8, off = 0, at = inst->dst.reg,
             end = at + inst->msg.rlen;

    if (inst->msg.header) {
        memcpy(&off, grf + inst->src[0].reg * GRF + 8, 4);
        off = off >> 12 & 15;
    }
    for (uint32_t k = 0; k < 4; k++) {
        if (off >> k & 1)
            continue;
        if (at + grfs > end || end > ISA_GRF_COUNT)
            return;
        for (uint32_t i = 0; i < c->lanes; i++) {
            uint32_t value = selected(c, k, i);

            if (c->mask >> i & 1)
                memcpy(grf + at * GRF + i * 4, &value, 4);
        }
        at += grfs;
    }
}

static enum igpu_status check(struct gfx *g, const struct isa_inst *inst,
                              const struct call *c)
{
    bool known = c->type <= SAMPLE_C || (c->type >= SAMPLE_B_C && c->type <= LD) ||
                 c->type == RESINFO || (c->type >= SAMPLE_LZ && c->type <= LD_LZ);

    if (!known)
        return gfx_refuse(g, "a sampler message of type %u", c->type);
    if (inst->msg.desc >> 30 & 1)
        return gfx_refuse(g, "a sampler message that returns halves");
    if (inst->dst.file != ISA_FILE_GRF || inst->msg.family == ISA_MSG_UNSUPPORTED)
        return gfx_refuse(g, "a sampler message 0x%08x", inst->msg.desc);
    if (c->s->type == GFX_CUBE)
        return gfx_refuse(g, "cube maps");
    if (c->s->format == NULL && c->s->type != GFX_NULL)
        return gfx_refuse(g, "a buffer without a format");
    return IGPU_OK;
}

enum igpu_status gfx_sample(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                            uint32_t mask)
{
    static const uint8_t dims[8] = {
        [GFX_1D] = 1, [GFX_2D] = 2, [GFX_3D] = 3, [GFX_BUFFER] = 1};
    struct call c = {.lanes = inst->msg.simd,
                     .mask = mask,
                     .type = inst->msg.sub_type,
                     .s = gfx_binding(g, inst->msg.bti)};
    uint32_t index = inst->msg.sampler_index, far = 0;
    enum igpu_status status;

    if (c.s == NULL)
        return IGPU_SIM_ERROR;
    status = check(g, inst, &c);
    if (status != IGPU_OK)
        return status;
    g->counters.sampler_messages++;
    c.dims = dims[c.s->type];
    load_parameters(inst, grf, &c);
    if (inst->msg.header)
        memcpy(&far, grf + inst->src[0].reg * GRF + 12, 4);
    if (c.s->type == GFX_NULL)
        ; /* zeros */
    else if (c.type == RESINFO)
        information(&c);
    else if (c.type == LD || c.type == LD_LZ)
        status = load(g, &c);
    else
        status = sample(g, &c, index + (far & ~31u) / 16);
    if (status == IGPU_OK && c.s->type != GFX_NULL)
        respond(inst, grf, &c);
    else if (status == IGPU_OK)
        return gfx_refuse(g, "sampling without a surface");
    return status;
}
