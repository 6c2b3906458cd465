/* gfx_sampler.c - sampler messages: parameters in, answers out. gfx_lod.c,
 * gfx_filter.c, gfx_flat.c and gfx_lanes.c do what lies between, gfx_load.c what is not
 * filtered. */
#include "gfx_plain.h"
#include "gfx_texture.h"

enum { GRF = 32 };

/* ---- state -------------------------------------------------------------- */

static enum igpu_status read_sampler(struct gfx *g, uint64_t at, struct gfx_sampler *s)
{
    uint32_t p[4];
    enum igpu_status status = gfx_read(g, at, p, sizeof(p));

    if (status != IGPU_OK)
        return status;
    *s = (struct gfx_sampler){
        .min_filter = gfx_part(p, GFX_SAMPLER_MIN_FILTER),
        .mag_filter = gfx_part(p, GFX_SAMPLER_MAG_FILTER),
        .mip = gfx_part(p, GFX_SAMPLER_MIP),
        .compare = gfx_part(p, GFX_SAMPLER_COMPARE),
        .wrap = {gfx_part(p, GFX_SAMPLER_WRAP_X), gfx_part(p, GFX_SAMPLER_WRAP_Y),
                 gfx_part(p, GFX_SAMPLER_WRAP_Z)},
        .bias = (float)((int32_t)(gfx_part(p, GFX_SAMPLER_BIAS) << 19) >> 19) / 256.0f,
        .max_lod = (float)gfx_part(p, GFX_SAMPLER_MAX_LOD) / 256.0f,
        .min_lod = (float)gfx_part(p, GFX_SAMPLER_MIN_LOD) / 256.0f,
        .most_probes = 2 * (float)(gfx_part(p, GFX_SAMPLER_ANISOTROPY) + 1),
        .seamless = gfx_part(p, GFX_SAMPLER_CUBE_SEAMLESS) ||
                    gfx_part(p, GFX_SAMPLER_WRAP_X) == TEX_WRAP_CUBE,
        .unnormalized = gfx_part(p, GFX_SAMPLER_UNNORMALIZED),
        .reduction = gfx_part(p, GFX_SAMPLER_REDUCES)
                         ? gfx_part(p, GFX_SAMPLER_REDUCTION)
                         : REDUCE_MEAN,
        .border = g->c->dynamic_base + gfx_part_offset(p, GFX_SAMPLER_BORDER),
    };
    if (s->min_filter > FILTER_ANISOTROPIC || s->mag_filter > FILTER_ANISOTROPIC)
        return gfx_refuse(g, "a filter %u, %u", s->min_filter, s->mag_filter);
    if (gfx_part(p, GFX_SAMPLER_CHROMA_KEY))
        return gfx_refuse(g, "a sampler with a chroma key");
    return IGPU_OK;
}

/* NULL after a refusal. */
static const struct gfx_sampler *find_sampler(struct gfx *g, uint64_t at)
{
    const uint32_t slot = at / 16 % GFX_SAMPLERS;

    if (g->d.sampler_at[slot] != at + 1) {
        g->d.sampler_at[slot] = 0;
        if (read_sampler(g, at, &g->d.sampler[slot]) != IGPU_OK)
            return NULL;
        g->d.sampler_at[slot] = at + 1;
    }
    return &g->d.sampler[slot];
}

/* ---- messages ----------------------------------------------------------- */

/* Register i of a message's; NULL: it has none there. */
static const uint8_t *register_of(const struct isa_inst *inst, const uint8_t *grf,
                                  uint32_t i)
{
    uint32_t reg = i < inst->msg.mlen ? inst->src[0].reg + i
                                      : inst->src[1].reg + i - inst->msg.mlen;

    return reg < ISA_GRF_COUNT ? grf + reg * GRF : NULL;
}

/* Of a message, those that it may have; trailing zeros are left out of it. */
static void load_parameters(const struct isa_inst *inst, const uint8_t *grf,
                            struct gfx_call *c)
{
    enum { PLAIN = 6 };
    bool gradients = c->type == GFX_SAMPLE_D || c->type == GFX_SAMPLE_D_C;
    uint32_t header = inst->msg.header, wide = c->lanes == GFX_LANES; /* 2 of each */
    uint32_t sent = (uint32_t)inst->msg.mlen + inst->msg.ext_mlen - header;
    uint32_t most = (gradients ? (uint32_t)GFX_PARAMETERS : PLAIN) << wide;

    sent = sent < most ? sent : most;
    if (!wide)
        memset(c->p, 0, sizeof(c->p));
    else
        memset(c->p[sent / 2], 0, (most + 1 - sent) / 2 * sizeof(c->p[0]));
    for (uint32_t i = 0; i < sent; i++) {
        const uint8_t *from = register_of(inst, grf, header + i);

        if (from != NULL)
            memcpy(&c->p[i >> wide][(i & wide) * 8], from, GRF);
        else
            memset(&c->p[i >> wide][(i & wide) * 8], 0, GRF);
    }
}

static void floats(const uint32_t *from, float *to)
{
    memcpy(to, from, GFX_LANES * sizeof(*to));
}

/* Of an array, the layer by parameter k. */
static void find_layers(struct gfx_call *c, uint32_t k)
{
    for (uint32_t i = 0; i < c->lanes && c->s->array && c->s->depth > 1; i++) {
        float f = tex_float(c->p[k][i]);

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

static bool compares(uint32_t type)
{
    return type == GFX_SAMPLE_C || type == GFX_SAMPLE_B_C || type == GFX_SAMPLE_L_C ||
           type == GFX_SAMPLE_C_LZ || type == GFX_GATHER4_C ||
           type == GFX_GATHER4_PO_C || type == GFX_SAMPLE_D_C;
}

/* Does a level, or what is added to it, lie in front of the coordinates? */
static bool leads(uint32_t type)
{
    return type == GFX_SAMPLE_B || type == GFX_SAMPLE_L || type == GFX_SAMPLE_B_C ||
           type == GFX_SAMPLE_L_C;
}

/* Parameters in front of the coordinates, by message. */
static uint32_t in_front(struct gfx_call *c)
{
    uint32_t at = 0;

    c->compares = compares(c->type);
    if (c->compares)
        floats(c->p[at++], c->ref);
    return at + leads(c->type);
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
    bool own = c->type == GFX_GATHER4_PO || c->type == GFX_GATHER4_PO_C;

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

/* There is one level, and one probe: of the level of detail only its sign is asked for,
 * by which the filter is chosen. */
static bool sign_alone(uint32_t type, const struct gfx_sampler *t)
{
    bool plain = type == GFX_SAMPLE || type == GFX_SAMPLE_C || type == GFX_SAMPLE_D ||
                 type == GFX_SAMPLE_D_C;

    return plain && t->mip == MIP_NONE && t->bias == 0 &&
           t->min_filter != FILTER_ANISOTROPIC;
}

static void find_levels(const struct gfx *g, struct gfx_call *c, uint32_t front)
{
    bool biased = c->type == GFX_SAMPLE_B || c->type == GFX_SAMPLE_B_C;
    bool given = c->type == GFX_SAMPLE_D || c->type == GFX_SAMPLE_D_C;
    bool blocks = !given && g->d.in_pixels && c->s->type != GFX_CUBE &&
                  c->sampler.min_filter != FILTER_ANISOTROPIC;

    c->share = 1;
    if (!given && g->d.in_pixels && !blocks)
        gfx_find_gradients(c);
    else if (!given && c->s->type == GFX_CUBE) { /* they are turned, and not used */
        memset(c->dx, 0, sizeof(c->dx));
        memset(c->dy, 0, sizeof(c->dy));
    }
    if (c->s->type == GFX_CUBE)
        gfx_find_faces(c, !given && g->d.in_pixels);
    if (c->type == GFX_SAMPLE_L || c->type == GFX_SAMPLE_L_C)
        floats(c->p[front - 1], c->lod);
    else if (c->type != GFX_SAMPLE_LZ && c->type != GFX_SAMPLE_C_LZ &&
             (given || g->d.in_pixels)) {
        if (blocks)
            gfx_find_block_lods(c, sign_alone(c->type, &c->sampler));
        else if (sign_alone(c->type, &c->sampler))
            gfx_find_lod_sign(c);
        else
            gfx_find_lod(c);
    }
    for (uint32_t i = 0; i < c->lanes && biased; i++)
        c->lod[i] += tex_float(c->p[front - 1][i]);
}

static enum igpu_status read_border(struct gfx *g, struct gfx_call *c)
{
    for (uint32_t d = 0; d < c->dims; d++)
        if (c->sampler.wrap[d] == TEX_CLAMP_BORDER ||
            c->sampler.wrap[d] == TEX_HALF_BORDER)
            return gfx_read(g, c->sampler.border, c->border, sizeof(c->border));
    return IGPU_OK;
}

static enum igpu_status sample(struct gfx *g, struct gfx_call *c, uint64_t sampler,
                               uint32_t channel)
{
    uint32_t front = in_front(c);
    bool good = true;
    const struct gfx_sampler *state = find_sampler(g, sampler);

    if (state == NULL)
        return IGPU_SIM_ERROR;
    c->sampler = *state;
    if (read_border(g, c) != IGPU_OK)
        return IGPU_SIM_ERROR;
    if (c->type == GFX_SAMPLE_D || c->type == GFX_SAMPLE_D_C)
        with_gradients(c, front);
    else
        coordinates(c, front);
    if (c->type == GFX_GATHER4 ||
        (c->type >= GFX_GATHER4_C && c->type <= GFX_GATHER4_PO_C))
        return gather(g, c, front, channel);
    find_levels(g, c, front);
    if (c->type == GFX_LOD) {
        for (uint32_t i = 0; i < c->lanes; i++)
            gfx_lod_lane(c, i);
        return IGPU_OK;
    }
    if (emu_has_avx2())
        c->plain = gfx_find_plain(g, c->s, sampler, &c->sampler);
    gfx_flat_begin(c);
    if (!gfx_flat_lanes(g, c))
        for (uint32_t i = 0; i < c->lanes && good; i++)
            good = !(c->mask >> i & 1) || gfx_sample_lane(g, c, i);
    gfx_flat_end(g, c);
    return good ? IGPU_OK : gfx_refuse(g, "a texel lies outside the batch's buffers");
}

/* Of floats, 32-bit denormals are zeros of their sign, as of our own driver's images
 * (csim/emu/emu_sampler.c); ld keeps them. */
static void flush_denormals(struct gfx_call *c)
{
    const uint32_t exponent = 0x7F800000, sign = 0x80000000;

    if (c->s->format->type != TEX_FLOAT)
        return;
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < c->lanes; i++)
            if ((c->rgba[k][i] & exponent) == 0)
                c->rgba[k][i] &= sign;
}

/* ---- the answer --------------------------------------------------------- */

/* Does the answer have the channels as they are, whatever the surface selects? */
static bool as_is(const struct gfx_call *c)
{
    return c->s->type == GFX_NULL || c->type == GFX_RESINFO ||
           c->type == GFX_SAMPLEINFO || c->type == GFX_LOD || c->type == GFX_LD_MCS ||
           c->type == GFX_GATHER4 ||
           (c->type >= GFX_GATHER4_C && c->type <= GFX_GATHER4_PO_C);
}

/* What the surface selects, for all lanes; fixed: room for one of one value. */
static const uint32_t *selected(const struct gfx_call *c, uint32_t select,
                                uint32_t fixed[GFX_LANES])
{
    bool integer = c->s->format != NULL &&
                   (c->s->format->type == TEX_UINT || c->s->format->type == TEX_SINT);
    uint32_t value = select == 0 ? 0 : integer ? 1 : GFX_FLOAT_ONE;

    if (select >= 4)
        return c->rgba[select - 4];
    for (uint32_t i = 0; i < GFX_LANES; i++)
        fixed[i] = value;
    return fixed;
}

static void put_lanes(const struct gfx_call *c, const uint32_t *lanes, uint8_t *to)
{
    const uint32_t all = (1u << c->lanes) - 1;

    if ((c->mask & all) == all && c->lanes == GFX_LANES)
        memcpy(to, lanes, GFX_LANES * sizeof(*lanes));
    else
        for (uint32_t i = 0; i < c->lanes; i++)
            if (c->mask >> i & 1)
                memcpy(to + i * 4, &lanes[i], 4);
}

static void respond(const struct isa_inst *inst, uint8_t *grf, const struct gfx_call *c)
{
    uint32_t grfs = c->lanes / 8, off = 0, at = inst->dst.reg,
             end = at + inst->msg.rlen, fixed[GFX_LANES];
    const bool plain = as_is(c);

    if (inst->msg.header) {
        memcpy(&off, grf + inst->src[0].reg * GRF + 8, 4);
        off = off >> 12 & 15;
    }
    for (uint32_t k = 0; k < 4; k++) {
        if (off >> k & 1)
            continue;
        if (at + grfs > end || end > ISA_GRF_COUNT)
            return;
        put_lanes(c, plain ? c->rgba[k] : selected(c, c->s->select[k], fixed),
                  grf + at * GRF);
        at += grfs;
    }
}

static enum igpu_status message_check(struct gfx *g, const struct isa_inst *inst,
                                      const struct gfx_call *c)
{
    bool known = c->type <= GFX_RESINFO || c->type == GFX_SAMPLEINFO ||
                 (c->type >= GFX_LD2DMS_W && c->type <= GFX_LD2DMS) ||
                 (c->type >= GFX_GATHER4_C && c->type <= GFX_GATHER4_PO_C) ||
                 c->type == GFX_SAMPLE_D_C ||
                 (c->type >= GFX_SAMPLE_LZ && c->type <= GFX_LD_LZ);

    if (!known)
        return gfx_refuse(g, "a sampler message of type %u", c->type);
    if (gfx_part(&inst->msg.desc, GFX_SAMPLER_HALVES))
        return gfx_refuse(g, "a sampler message that returns halves");
    if (inst->dst.file != ISA_FILE_GRF || inst->msg.family == ISA_MSG_UNSUPPORTED)
        return gfx_refuse(g, "a sampler message 0x%08x", inst->msg.desc);
    if (c->s->type == GFX_CUBE && (c->type == GFX_LD || c->type == GFX_LD_LZ))
        return gfx_refuse(g, "ld of a cube map");
    if (c->s->format == NULL && c->s->type != GFX_NULL && c->type != GFX_RESINFO)
        return gfx_refuse(g, "a buffer without a format");
    return IGPU_OK;
}

static uint64_t *counter_of(struct gfx_counters *n, uint32_t type)
{
    switch (type) {
    case GFX_SAMPLE_B:
    case GFX_SAMPLE_B_C:
        return &n->bias_messages;
    case GFX_SAMPLE_L:
    case GFX_SAMPLE_L_C:
        return &n->level_messages;
    case GFX_SAMPLE_D:
    case GFX_SAMPLE_D_C:
        return &n->gradient_messages;
    case GFX_GATHER4:
    case GFX_GATHER4_C:
    case GFX_GATHER4_PO:
    case GFX_GATHER4_PO_C:
        return &n->gather_messages;
    case GFX_LD:
    case GFX_LD_LZ:
    case GFX_LD2DMS_W:
    case GFX_LD2DMS:
        return &n->load_messages;
    case GFX_LOD:
    case GFX_RESINFO:
    case GFX_SAMPLEINFO:
    case GFX_LD_MCS:
        return &n->info_messages;
    default:
        return &n->sample_messages;
    }
}

static void count_message(struct gfx *g, const struct gfx_surface *s, uint32_t type,
                          uint32_t mask)
{
    static const uint16_t kind[8] = {
        [GFX_1D] = offsetof(struct gfx_counters, lanes_1d),
        [GFX_2D] = offsetof(struct gfx_counters, lanes_2d),
        [GFX_3D] = offsetof(struct gfx_counters, lanes_3d),
        [GFX_CUBE] = offsetof(struct gfx_counters, lanes_cube),
        [GFX_BUFFER] = offsetof(struct gfx_counters, lanes_buffer)};
    struct gfx_counters *n = &g->counters;
    const uint64_t lanes = igpu_count_bits(mask);

    g->cache.stamp++;
    n->sampler_messages++;
    *(g->d.in_pixels ? &n->ps_sampler_messages : &n->vs_sampler_messages) += 1;
    *counter_of(n, type) += 1;
    n->compare_messages += compares(type);
    n->sampled_lanes += lanes;
    n->lanes_array += s->array && s->depth > 1 ? lanes : 0;
    if (kind[s->type] != 0)
        gfx_count(g, kind[s->type], lanes);
}

#if defined(__x86_64__)
/* A message that sample_plain() may answer: u and v, perhaps a level or what is added
 * to it in front of them. */
static bool is_plain(const struct gfx *g, const struct isa_inst *inst, uint32_t mask)
{
    const struct isa_message *m = &inst->msg;
    const uint32_t wide = m->simd / 8u;

    return wide > 0 && wide <= 2 &&
           (m->sub_type <= GFX_SAMPLE_L || m->sub_type == GFX_SAMPLE_LZ) &&
           !m->header && m->mlen % wide == 0 && m->rlen <= 4 * wide &&
           m->rlen % wide == 0 && inst->dst.file == ISA_FILE_GRF &&
           inst->dst.reg + m->rlen <= ISA_GRF_COUNT &&
           m->family != ISA_MSG_UNSUPPORTED &&
           !gfx_part(&m->desc, GFX_SAMPLER_HALVES) && g->told.threads.message == NULL &&
           mask != 0 && emu_has_avx2();
}

/* Parameter k, of sixteen lanes even where there are eight. NULL: it has none there. */
static const float *plain_parameter(const struct isa_inst *inst, const uint8_t *grf,
                                    uint32_t k)
{
    const uint32_t at = k * inst->msg.simd / 8;
    const uint8_t *from = register_of(inst, grf, at);
    bool sent =
        at + inst->msg.simd / 8u <= (uint32_t)inst->msg.mlen + inst->msg.ext_mlen;

    if (!sent || from == NULL || from > grf + (size_t)(ISA_GRF_COUNT - 2) * GRF)
        return NULL;
    return (const float *)(const void *)from;
}

static struct gfx_sampling *sampling_of(struct gfx *g, const struct isa_inst *inst)
{
    return &g->d.sampling[(uintptr_t)inst / sizeof(*inst) % GFX_SAMPLINGS];
}

/* What is the same for the next message of its instruction. */
static void keep_sampling(struct gfx *g, const struct isa_inst *inst,
                          const uint8_t *grf, const struct gfx_plain *p,
                          const struct gfx_plain_message *m)
{
    struct gfx_counters *n = &g->counters;

    if (!g->d.in_pixels || !gfx_is_lasting(g, inst))
        return;
    *sampling_of(g, inst) = (struct gfx_sampling){
        .inst = inst,
        .state = p->sampler,
        .plain = (uint16_t)(p - g->d.plain),
        .binding = (uint16_t)p->binding,
        .sampler = (uint16_t)(m->t - g->d.sampler),
        .from = {(uint16_t)((const uint8_t *)m->u[0] - grf),
                 (uint16_t)((const uint8_t *)m->u[1] - grf),
                 (uint16_t)(m->level != NULL ? (const uint8_t *)m->level - grf : 0)},
        .to = (uint16_t)(m->to - grf),
        .count =
            (uint16_t)((uint8_t *)counter_of(n, inst->msg.sub_type) - (uint8_t *)n),
        .lanes = (uint8_t)m->lanes,
        .channels = (uint8_t)m->channels,
        .level = m->level != NULL,
        .blocks = m->blocks,
        .sign = m->sign};
}

/* A message as one before it. False: nothing has happened. */
static bool sample_again(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                         uint32_t mask)
{
    const struct gfx_sampling *a = sampling_of(g, inst);
    const struct gfx_plain *p = &g->d.plain[a->plain];
    struct gfx_counters *n = &g->counters;
    const uint32_t lanes = igpu_count_bits(mask);
    const struct gfx_plain_message m = {
        .s = &g->d.binding[a->binding],
        .t = &g->d.sampler[a->sampler],
        .u = {(const float *)(const void *)(grf + a->from[0]),
              (const float *)(const void *)(grf + a->from[1])},
        .level = a->level ? (const float *)(const void *)(grf + a->from[2]) : NULL,
        .blocks = a->blocks,
        .sign = a->sign,
        .lanes = a->lanes,
        .mask = mask,
        .channels = a->channels,
        .to = grf + a->to};

    if (a->inst != inst || !p->on || g->told.threads.message != NULL ||
        p->sampler != a->state || p->binding != a->binding ||
        g->d.sampler_at[a->sampler] != a->state || mask == 0)
        return false;
    g->cache.stamp++;
    if (!(emu_has_avx512() ? gfx_sample_plain_avx512(g, p, &m)
                           : gfx_sample_plain_avx2(g, p, &m)))
        return false;
    n->sampler_messages++;
    n->ps_sampler_messages++;
    gfx_count(g, a->count, 1);
    n->sampled_lanes += lanes;
    n->lanes_2d += lanes;
    return true;
}

/* Most messages, with what those need alone. False: nothing has happened, gfx_sample()
 * must. */
static bool sample_plain(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                         uint32_t mask)
{
    const struct gfx_surface *s = gfx_surface_of(g, &inst->msg);
    const uint64_t state = g->d.samplers + inst->msg.sampler_index * UINT64_C(16);
    const struct gfx_sampler *t = s != NULL ? find_sampler(g, state) : NULL;
    const struct gfx_plain *p = t != NULL ? gfx_find_plain(g, s, state, t) : NULL;
    const uint32_t type = inst->msg.sub_type;
    const bool front = leads(type);
    struct gfx_plain_message m = {
        .s = s,
        .t = t,
        .u = {plain_parameter(inst, grf, front), plain_parameter(inst, grf, front + 1)},
        .level = front ? plain_parameter(inst, grf, 0) : NULL,
        .blocks = g->d.in_pixels && (type == GFX_SAMPLE || type == GFX_SAMPLE_B),
        .sign = t != NULL && sign_alone(type, t),
        .lanes = inst->msg.simd,
        .mask = mask,
        .channels = inst->msg.rlen * 8u / inst->msg.simd,
        .to = grf + (size_t)inst->dst.reg * GRF};
    bool done;

    if (p == NULL || m.u[0] == NULL || m.u[1] == NULL || (front && m.level == NULL))
        return false;
    g->cache.stamp++; /* of lines; once more by count_message() is as good */
    done = emu_has_avx512() ? gfx_sample_plain_avx512(g, p, &m)
                            : gfx_sample_plain_avx2(g, p, &m);
    if (done) {
        count_message(g, s, type, m.mask);
        keep_sampling(g, inst, grf, p, &m);
    }
    return done;
}
#endif

enum igpu_status gfx_sample(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                            uint32_t mask)
{
    static const uint8_t dims[8] = {
        [GFX_1D] = 1, [GFX_2D] = 2, [GFX_3D] = 3, [GFX_CUBE] = 3, [GFX_BUFFER] = 1};
    struct gfx_call c;
    uint64_t samplers = g->d.samplers;
    uint32_t detail = 0, from;
    enum igpu_status status;

#if defined(__x86_64__)
    const uint32_t own = mask & (inst->msg.simd == 8 ? UINT8_MAX : UINT16_MAX);

    if (sample_again(g, inst, grf, own) ||
        (is_plain(g, inst, own) && sample_plain(g, inst, grf, own)))
        return IGPU_OK;
#endif
    memset(&c, 0, offsetof(struct gfx_call, rgba));
    c.flat.on = false;
    c.lanes = inst->msg.simd;
    c.mask = mask;
    c.type = inst->msg.sub_type;
    c.s = gfx_surface_of(g, &inst->msg);
    if (c.s == NULL)
        return IGPU_SIM_ERROR;
    status = message_check(g, inst, &c);
    if (status != IGPU_OK)
        return status;
    count_message(g, c.s, c.type, c.mask & ((1u << c.lanes) - 1));
    gfx_touch_pairs(g, c.s);
    c.dims = dims[c.s->type];
    load_parameters(inst, grf, &c);
    if (inst->msg.header) {
        memcpy(&detail, grf + inst->src[0].reg * GRF + 8, 4);
        memcpy(&from, grf + inst->src[0].reg * GRF + 12, 4);
        samplers = g->c->dynamic_base + (from & ~31u);
    }
    for (uint32_t d = 0; d < 3; d++) /* four bits each, u on top */
        c.offset[d] = (int32_t)(detail << (20 + 4 * d)) >> 28;
    if (c.s->type == GFX_NULL)
        memset(c.rgba, 0, sizeof(c.rgba));
    else if (c.type == GFX_RESINFO)
        gfx_describe(&c);
    else if (c.type == GFX_LD || c.type == GFX_LD_LZ)
        status = gfx_load(g, &c);
    else if (c.type == GFX_LD2DMS_W || c.type == GFX_LD2DMS)
        status = gfx_load_sample(g, &c);
    else if (c.type == GFX_LD_MCS)
        gfx_sample_places(&c);
    else if (c.type == GFX_SAMPLEINFO)
        gfx_count_samples(&c);
    else {
        status = sample(g, &c, samplers + inst->msg.sampler_index * UINT64_C(16),
                        detail >> 16 & 3);
        flush_denormals(&c);
    }
    if (status == IGPU_OK)
        respond(inst, grf, &c);
    return status;
}
