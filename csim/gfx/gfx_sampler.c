/* gfx_sampler.c - sampler messages: parameters in, answers out. gfx_lod.c and
 * gfx_filter.c do what lies between. */
#include "gfx_sample.h"

enum { GRF = 32 };
enum {
    SAMPLE = 0,
    SAMPLE_B,
    SAMPLE_L,
    SAMPLE_C,
    SAMPLE_D,
    SAMPLE_B_C,
    SAMPLE_L_C,
    LD,
    GATHER4,
    LOD,
    RESINFO,
    SAMPLEINFO,
    GATHER4_C = 16,
    GATHER4_PO,
    GATHER4_PO_C,
    SAMPLE_D_C = 20,
    SAMPLE_LZ = 24,
    SAMPLE_C_LZ,
    LD_LZ,
    LD2DMS_W = 28, /* of several samples; their MCS in two parameters */
    LD_MCS,
    LD2DMS
};

/* ---- state -------------------------------------------------------------- */

static enum igpu_status read_sampler(struct gfx *g, uint32_t index,
                                     struct gfx_sampler *s)
{
    uint32_t p[4];
    enum igpu_status status =
        gfx_read(g, g->d.samplers + (uint64_t)index * 16, p, sizeof(p));

    if (status != IGPU_OK)
        return status;
    *s = (struct gfx_sampler){
        .min_filter = gfx_bits(p[0], 14, 16),
        .mag_filter = gfx_bits(p[0], 17, 19),
        .mip = gfx_bits(p[0], 20, 21),
        .compare = gfx_bits(p[1], 1, 3),
        .wrap = {gfx_bits(p[3], 6, 8), gfx_bits(p[3], 3, 5), gfx_bits(p[3], 0, 2)},
        .bias = (float)((int32_t)(p[0] << 18) >> 19) / 256.0f,
        .max_lod = (float)gfx_bits(p[1], 8, 19) / 256.0f,
        .min_lod = (float)gfx_bits(p[1], 20, 31) / 256.0f,
        .most_probes = 2 * (float)(gfx_bits(p[3], 19, 21) + 1),
        .seamless = (p[1] & 1) || gfx_bits(p[3], 6, 8) == WRAP_CUBE,
        .unnormalized = p[3] >> 10 & 1,
        .border = g->c->dynamic_base + (p[2] & 0xFFFFC0),
    };
    if (s->min_filter > FILTER_ANISOTROPIC || s->mag_filter > FILTER_ANISOTROPIC)
        return gfx_refuse(g, "a filter %u, %u", s->min_filter, s->mag_filter);
    if (p[1] >> 7 & 1)
        return gfx_refuse(g, "a sampler with a chroma key");
    if (p[3] >> 9 & 1)
        return gfx_refuse(g, "a sampler that takes the least or greatest texel");
    return IGPU_OK;
}

/* ---- messages ----------------------------------------------------------- */

static void load_parameters(const struct isa_inst *inst, const uint8_t *grf,
                            struct gfx_call *c)
{
    uint32_t header = inst->msg.header, grfs = c->lanes / 8;
    uint32_t sent = (uint32_t)inst->msg.mlen + inst->msg.ext_mlen;

    for (uint32_t k = 0; k < GFX_PARAMETERS; k++)
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
    memcpy(to, from, GFX_LANES * sizeof(*to));
}

/* Of an array, the layer by parameter k. */
static void find_layers(struct gfx_call *c, uint32_t k)
{
    for (uint32_t i = 0; i < c->lanes && c->s->array; i++) {
        float f = gfx_float(c->p[k][i]);

        c->layer[i] = f > 0 ? (uint32_t)fminf(rintf(f), (float)(c->s->depth - 1)) : 0;
    }
}

/* Coordinates from parameter `first` on, the array's index behind them. */
static void coordinates(struct gfx_call *c, uint32_t first)
{
    for (uint32_t d = 0; d < c->dims; d++)
        floats(c->p[first + d], c->u[d]);
    find_layers(c, first + c->dims);
}

static enum igpu_status load(struct gfx *g, struct gfx_call *c)
{
    bool has_level = c->type == LD && c->s->type != GFX_BUFFER;
    uint32_t third = has_level ? 3 : 2;

    memset(c->border, 0, sizeof(c->border));
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = c->s->min_lod + (has_level ? c->p[2][i] : 0), rgba[4] = {0};
        int32_t at[3] = {
            (int32_t)c->p[0][i] + c->offset[0],
            c->dims > 1 ? (int32_t)c->p[1][i] + c->offset[1] : 0,
            c->dims > 2 ? (int32_t)c->p[third][i] + c->offset[2] : 0,
        };
        uint32_t layer = c->s->array ? c->p[c->dims > 1 ? third : 1][i] : 0;
        bool in = (c->mask >> i & 1) && level < 15 &&
                  (uint32_t)at[0] < gfx_minify(c->s->width, level) &&
                  (c->dims < 2 || (uint32_t)at[1] < gfx_minify(c->s->height, level)) &&
                  (c->dims < 3 || (uint32_t)at[2] < gfx_minify(c->s->depth, level));

        if (in && !gfx_fetch(g, c, at, level, layer, rgba))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        for (uint32_t k = 0; k < 4; k++)
            c->rgba[k][i] = rgba[k];
    }
    return IGPU_OK;
}

/* A texel's sample. What the MCS says, it is where it belongs. */
static enum igpu_status load_sample(struct gfx *g, struct gfx_call *c)
{
    uint32_t first = c->type == LD2DMS_W ? 3 : 2, samples = 1u << c->s->samples_log2;
    struct gfx_call plain = *c;
    struct gfx_surface slice = *c->s;

    memset(c->rgba, 0, sizeof(c->rgba));
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t x = c->p[first][i] + (uint32_t)c->offset[0], k = c->p[0][i];
        uint32_t y = c->p[first + 1][i] + (uint32_t)c->offset[1], rgba[4];
        uint32_t layer = c->s->array ? c->p[first + 2][i] : 0;
        int32_t at[3] = {0, 0, 0};

        if (!(c->mask >> i & 1) || x >= c->s->width || y >= c->s->height ||
            k >= samples || layer >= c->s->depth)
            continue;
        if (c->s->interleaved)
            gfx_interleave(samples, k, &x, &y);
        else
            slice.y_offset = c->s->y_offset + k * c->s->qpitch;
        at[0] = (int32_t)x;
        at[1] = (int32_t)y;
        plain.s = &slice;
        if (!gfx_fetch(g, &plain, at, c->s->min_lod, layer, rgba))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        for (uint32_t channel = 0; channel < 4; channel++)
            c->rgba[channel][i] = rgba[channel];
    }
    return IGPU_OK;
}

static void count_samples(struct gfx_call *c)
{
    for (uint32_t i = 0; i < c->lanes; i++) {
        c->rgba[0][i] = 1u << c->s->samples_log2;
        c->rgba[1][i] = c->rgba[2][i] = c->rgba[3][i] = 0;
    }
}

/* Where each sample's value is: each at its own place, as there is no compression. */
static void sample_places(struct gfx_call *c)
{
    static const uint32_t low[5] = {0, 0x2, 0xE4, 0x76543210, 0x76543210};

    memset(c->rgba, 0, sizeof(c->rgba));
    for (uint32_t i = 0; i < c->lanes; i++) {
        c->rgba[0][i] = low[c->s->samples_log2];
        c->rgba[1][i] = c->s->samples_log2 == 4 ? 0xFEDCBA98 : 0;
    }
}

static void information(struct gfx_call *c)
{
    for (uint32_t i = 0; i < c->lanes; i++) {
        uint32_t level = c->s->min_lod + (c->p[0][i] & 15);

        c->rgba[0][i] = gfx_minify(c->s->width, level);
        c->rgba[1][i] = c->s->type == GFX_1D && c->s->array
                            ? c->s->depth
                            : gfx_minify(c->s->height, level);
        c->rgba[2][i] = c->s->array ? c->s->depth : gfx_minify(c->s->depth, level);
        c->rgba[3][i] = c->s->levels;
    }
}

static bool compares(uint32_t type)
{
    return type == SAMPLE_C || type == SAMPLE_B_C || type == SAMPLE_L_C ||
           type == SAMPLE_C_LZ || type == GATHER4_C || type == GATHER4_PO_C ||
           type == SAMPLE_D_C;
}

/* Parameters in front of the coordinates, by message. */
static uint32_t in_front(struct gfx_call *c)
{
    uint32_t at = 0;

    c->compares = compares(c->type);
    if (c->compares)
        floats(c->p[at++], c->ref);
    return at + (c->type == SAMPLE_B || c->type == SAMPLE_L || c->type == SAMPLE_B_C ||
                 c->type == SAMPLE_L_C);
}

/* Coordinates with two gradients each between them. */
static void with_gradients(struct gfx_call *c, uint32_t first)
{
    for (uint32_t d = 0; d < c->dims; d++) {
        floats(c->p[first + 3 * d], c->u[d]);
        floats(c->p[first + 3 * d + 1], c->dx[d]);
        floats(c->p[first + 3 * d + 2], c->dy[d]);
    }
    find_layers(c, first + 3 * c->dims);
}

/* Offsets that each lane has of its own lie between v and what is behind it. */
static enum igpu_status gather(struct gfx *g, struct gfx_call *c, uint32_t first,
                               uint32_t channel)
{
    bool own = c->type == GATHER4_PO || c->type == GATHER4_PO_C;

    if (own && c->s->type == GFX_CUBE)
        return gfx_refuse(g, "offsets into a cube map");
    if (own)
        find_layers(c, first + 4);
    if (c->s->type == GFX_CUBE)
        gfx_find_faces(c, false);
    for (uint32_t i = 0; i < c->lanes; i++) {
        int32_t more[2] = {0, 0};

        if (!(c->mask >> i & 1))
            continue;
        for (uint32_t k = 0; k < 2 && own; k++)
            more[k] = (int32_t)c->p[first + 2 + k][i];
        if (!gfx_gather_lane(g, c, i, channel, more))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
    }
    return IGPU_OK;
}

static void find_levels(const struct gfx *g, struct gfx_call *c, uint32_t front)
{
    bool biased = c->type == SAMPLE_B || c->type == SAMPLE_B_C;
    bool given = c->type == SAMPLE_D || c->type == SAMPLE_D_C;

    if (!given && g->d.in_pixels)
        gfx_find_gradients(c);
    if (c->s->type == GFX_CUBE)
        gfx_find_faces(c, !given && g->d.in_pixels);
    if (c->type == SAMPLE_L || c->type == SAMPLE_L_C)
        floats(c->p[front - 1], c->lod);
    else if (c->type != SAMPLE_LZ && c->type != SAMPLE_C_LZ &&
             (given || g->d.in_pixels))
        gfx_find_lod(c);
    for (uint32_t i = 0; i < c->lanes && biased; i++)
        c->lod[i] += gfx_float(c->p[front - 1][i]);
}

static enum igpu_status read_border(struct gfx *g, struct gfx_call *c)
{
    for (uint32_t d = 0; d < c->dims; d++)
        if (c->sampler.wrap[d] == CLAMP_BORDER || c->sampler.wrap[d] == HALF_BORDER)
            return gfx_read(g, c->sampler.border, c->border, sizeof(c->border));
    return IGPU_OK;
}

static enum igpu_status sample(struct gfx *g, struct gfx_call *c, uint32_t index,
                               uint32_t channel)
{
    uint32_t front = in_front(c);
    enum igpu_status status = read_sampler(g, index, &c->sampler);

    if (status == IGPU_OK)
        status = read_border(g, c);
    if (status != IGPU_OK)
        return status;
    if (c->type == SAMPLE_D || c->type == SAMPLE_D_C)
        with_gradients(c, front);
    else
        coordinates(c, front);
    if (c->type == GATHER4 || (c->type >= GATHER4_C && c->type <= GATHER4_PO_C))
        return gather(g, c, front, channel);
    find_levels(g, c, front);
    if (c->type == LOD) {
        for (uint32_t i = 0; i < c->lanes; i++)
            gfx_lod_lane(c, i);
        return IGPU_OK;
    }
    for (uint32_t i = 0; i < c->lanes; i++)
        if (c->mask >> i & 1 && !gfx_sample_lane(g, c, i))
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
    return IGPU_OK;
}

/* ---- the answer --------------------------------------------------------- */

static uint32_t selected(const struct gfx_call *c, uint32_t channel, uint32_t lane)
{
    uint32_t select = c->s->select[channel];
    bool integer = c->s->format->type == GFX_UINT || c->s->format->type == GFX_SINT;
    bool gathers =
        c->type == GATHER4 || (c->type >= GATHER4_C && c->type <= GATHER4_PO_C);

    if (c->type == RESINFO || c->type == SAMPLEINFO || c->type == LOD ||
        c->type == LD_MCS || gathers)
        return c->rgba[channel][lane];
    if (select >= 4)
        return c->rgba[select - 4][lane];
    return select == 0 ? 0 : integer ? 1 : 0x3F800000;
}

static void respond(const struct isa_inst *inst, uint8_t *grf, const struct gfx_call *c)
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
                              const struct gfx_call *c)
{
    bool known = c->type <= RESINFO || c->type == SAMPLEINFO ||
                 (c->type >= LD2DMS_W && c->type <= LD2DMS) ||
                 (c->type >= GATHER4_C && c->type <= GATHER4_PO_C) ||
                 c->type == SAMPLE_D_C || (c->type >= SAMPLE_LZ && c->type <= LD_LZ);

    if (!known)
        return gfx_refuse(g, "a sampler message of type %u", c->type);
    if (inst->msg.desc >> 30 & 1)
        return gfx_refuse(g, "a sampler message that returns halves");
    if (inst->dst.file != ISA_FILE_GRF || inst->msg.family == ISA_MSG_UNSUPPORTED)
        return gfx_refuse(g, "a sampler message 0x%08x", inst->msg.desc);
    if (c->s->type == GFX_CUBE && (c->type == LD || c->type == LD_LZ))
        return gfx_refuse(g, "ld of a cube map");
    if (c->s->format == NULL && c->s->type != GFX_NULL)
        return gfx_refuse(g, "a buffer without a format");
    return IGPU_OK;
}

static uint64_t *counter_of(struct gfx_counters *n, uint32_t type)
{
    switch (type) {
    case SAMPLE_B:
    case SAMPLE_B_C:
        return &n->bias_messages;
    case SAMPLE_L:
    case SAMPLE_L_C:
        return &n->level_messages;
    case SAMPLE_D:
    case SAMPLE_D_C:
        return &n->gradient_messages;
    case GATHER4:
    case GATHER4_C:
    case GATHER4_PO:
    case GATHER4_PO_C:
        return &n->gather_messages;
    case LD:
    case LD_LZ:
    case LD2DMS_W:
    case LD2DMS:
        return &n->load_messages;
    case LOD:
    case RESINFO:
    case SAMPLEINFO:
    case LD_MCS:
        return &n->info_messages;
    default:
        return &n->sample_messages;
    }
}

static void count_message(struct gfx *g, const struct gfx_call *c)
{
    struct gfx_counters *n = &g->counters;
    uint64_t *const kind[8] = {[GFX_1D] = &n->lanes_1d,
                               [GFX_2D] = &n->lanes_2d,
                               [GFX_3D] = &n->lanes_3d,
                               [GFX_CUBE] = &n->lanes_cube,
                               [GFX_BUFFER] = &n->lanes_buffer};
    uint64_t lanes = (uint64_t)__builtin_popcount(c->mask & ((1u << c->lanes) - 1));

    g->stamp++;
    n->sampler_messages++;
    *(g->d.in_pixels ? &n->ps_sampler_messages : &n->vs_sampler_messages) += 1;
    *counter_of(n, c->type) += 1;
    n->compare_messages += compares(c->type);
    n->sampled_lanes += lanes;
    n->lanes_array += c->s->array && c->s->depth > 1 ? lanes : 0;
    if (kind[c->s->type] != NULL)
        *kind[c->s->type] += lanes;
}

enum igpu_status gfx_sample(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                            uint32_t mask)
{
    static const uint8_t dims[8] = {
        [GFX_1D] = 1, [GFX_2D] = 2, [GFX_3D] = 3, [GFX_CUBE] = 3, [GFX_BUFFER] = 1};
    struct gfx_call c = {.lanes = inst->msg.simd,
                         .mask = mask,
                         .type = inst->msg.sub_type,
                         .s = gfx_binding(g, inst->msg.bti)};
    uint32_t index = inst->msg.sampler_index, detail = 0, far = 0;
    enum igpu_status status;

    if (c.s == NULL)
        return IGPU_SIM_ERROR;
    status = check(g, inst, &c);
    if (status != IGPU_OK)
        return status;
    count_message(g, &c);
    c.dims = dims[c.s->type];
    load_parameters(inst, grf, &c);
    if (inst->msg.header) {
        memcpy(&detail, grf + inst->src[0].reg * GRF + 8, 4);
        memcpy(&far, grf + inst->src[0].reg * GRF + 12, 4);
    }
    for (uint32_t d = 0; d < 3; d++) /* four bits each, u on top */
        c.offset[d] = (int32_t)(detail << (20 + 4 * d)) >> 28;
    if (c.s->type == GFX_NULL)
        ; /* zeros */
    else if (c.type == RESINFO)
        information(&c);
    else if (c.type == LD || c.type == LD_LZ)
        status = load(g, &c);
    else if (c.type == LD2DMS_W || c.type == LD2DMS)
        status = load_sample(g, &c);
    else if (c.type == LD_MCS)
        sample_places(&c);
    else if (c.type == SAMPLEINFO)
        count_samples(&c);
    else
        status = sample(g, &c, index + (far & ~31u) / 16, detail >> 16 & 3);
    if (status == IGPU_OK && c.s->type != GFX_NULL)
        respond(inst, grf, &c);
    else if (status == IGPU_OK)
        return gfx_refuse(g, "sampling without a surface");
    return status;
}
