/* gfx_target.c - messages to render targets: late tests, blending, writing. */
#include "gfx_target.h"
#include "gfx_depth.h"
#include "gfx_mcs.h"
#include "gfx_texture.h"

enum {
    GRF = 32,
    TYPE_WRITE = 12,
    DUAL_LOW = 2,
    DUAL_HIGH = 3,
    REPLICATED = 1,
    SIMD8 = 4
};

/* A message taken apart. */
struct write {
    const struct gfx_surface *target;
    uint32_t first, lanes, mask; /* of the group's pixels; mask from `first` on */
    bool replicated;
    uint8_t payload[GFX_PAYLOAD_BYTES];
    const uint8_t *colour, *depth; /* in it; depth NULL: none, as of the next three */
    const uint8_t *second, *mask_out, *stencil; /* second source, coverage, stencil */
    const uint8_t *alpha; /* of the first target; NULL: it is the colour's own */
    uint8_t references[GFX_BLOCKS * 4]; /* stencil's, by the group's pixels */
    uint32_t blend[3];                  /* BLEND_STATE's head, and the target's entry */
    uint32_t off;                       /* channels that stay */
    bool blends, reads;                 /* reads: what was there before matters */
    struct gfx_level level;             /* of the target */
    uint32_t width, height;             /* of the level */
    uint32_t *drawn_over;               /* how often each of its pixels; may be NULL */
    float constant[4];
};

/* ---- blending ----------------------------------------------------------- */

/* Of channel c; second: the second source, or anything. */
static float factor(uint32_t code, const float src[4], const float dst[4],
                    const float second[4], const float constant[4], uint32_t c)
{
    float value;

    switch (code & 15) {
    case 1: /* one; 17 zero */
        value = 1;
        break;
    case 2:
        value = src[c];
        break;
    case 3:
        value = src[3];
        break;
    case 4:
        value = dst[3];
        break;
    case 5:
        value = dst[c];
        break;
    case 6:
        return c == 3 ? 1 : fminf(src[3], 1 - dst[3]);
    case 7:
        value = constant[c];
        break;
    case 9:
        value = second[c];
        break;
    case 10:
        value = second[3];
        break;
    default: /* 8 */
        value = constant[3];
        break;
    }
    return code & 16 ? 1 - value : value;
}

static float combine(uint32_t function, float s, float fs, float d, float fd)
{
    switch (function) {
    case 1:
        return s * fs - d * fd;
    case 2:
        return d * fd - s * fs;
    case 3:
        return fminf(s, d);
    case 4:
        return fmaxf(s, d);
    default:
        return s * fs + d * fd;
    }
}

static void blend(const struct write *w, uint32_t lane, uint32_t rgba[4],
                  const uint32_t before[4])
{
    const uint32_t *e = w->blend + 1;
    uint8_t type = w->target->format->type;
    bool apart = gfx_part(w->blend, GFX_BLEND_ALPHA_APART),
         clamped = type == TEX_UNORM || type == TEX_SNORM;
    float low = type == TEX_SNORM ? -1 : 0;
    float src[4], dst[4], out[4], constant[4], second[4] = {0, 0, 0, 0};

    memcpy(src, rgba, sizeof(src));
    memcpy(dst, before, sizeof(dst));
    memcpy(constant, w->constant, sizeof(constant));
    for (uint32_t c = 0; c < 4 && w->second != NULL; c++)
        memcpy(&second[c], w->second + (c * w->lanes + lane) * 4, 4);
    for (uint32_t c = 0; c < 4 && clamped; c++) {
        src[c] = src[c] > low ? fminf(src[c], 1) : low;
        second[c] = second[c] > low ? fminf(second[c], 1) : low;
        constant[c] = constant[c] > low ? fminf(constant[c], 1) : low;
    }
    for (uint32_t c = 0; c < 4; c++) {
        bool alpha = apart && c == 3;
        uint32_t fs = gfx_part(e, alpha ? GFX_BLEND_ALPHA_FROM : GFX_BLEND_FROM);
        uint32_t fd = gfx_part(e, alpha ? GFX_BLEND_ALPHA_TO : GFX_BLEND_TO);
        uint32_t how = gfx_part(e, alpha ? GFX_BLEND_ALPHA_COMBINE : GFX_BLEND_COMBINE);

        out[c] = combine(how, src[c], factor(fs, src, dst, second, constant, c), dst[c],
                         factor(fd, src, dst, second, constant, c));
    }
    memcpy(rgba, out, sizeof(out));
}

static bool second_source(const uint32_t *e)
{
    const uint32_t code[4] = {
        gfx_part(e, GFX_BLEND_ALPHA_FROM), gfx_part(e, GFX_BLEND_FROM),
        gfx_part(e, GFX_BLEND_ALPHA_TO), gfx_part(e, GFX_BLEND_TO)};
    bool found = false;

    for (uint32_t i = 0; i < 4; i++)
        found |= (code[i] & 15) == 9 || (code[i] & 15) == 10;
    return found;
}

/* Bit i of the result is bit (source, destination) of the function's four. */
static void logic(uint32_t function, uint8_t *new, const uint8_t *old, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint32_t s = new[i], d = old[i], r = 0;

        r |= function & 1 ? ~s & ~d : 0;
        r |= function & 2 ? ~s & d : 0;
        r |= function & 4 ? s & ~d : 0;
        r |= function & 8 ? s & d : 0;
        new[i] = (uint8_t)r;
    }
}

/* ---- pixels ------------------------------------------------------------- */

static void colour_of(const struct write *w, uint32_t lane, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        memcpy(&rgba[c],
               w->replicated ? w->colour + 4 * c
                             : w->colour + (c * w->lanes + lane) * 4,
               4);
}

/* What a smooth line or point covers in part, it covers with less alpha. */
static void fade(const struct gfx_group *group, uint32_t p, const struct tex_format *f,
                 uint32_t rgba[4])
{
    float alpha;

    if (!group->smooth || f->type == TEX_UINT || f->type == TEX_SINT)
        return;
    memcpy(&alpha, &rgba[3], sizeof(alpha));
    alpha *= (float)group->part[p];
    memcpy(&rgba[3], &alpha, sizeof(alpha));
}

/* The new texel where an old one is. */
static void merge(struct gfx *g, const struct write *w, uint32_t lane, uint32_t rgba[4],
                  uint8_t *at)
{
    const struct tex_format *f = w->target->format;
    uint32_t before[4];
    uint8_t texel[16];

    if (w->blends || w->off != 0)
        tex_unpack(f, at, before);
    if (w->blends)
        blend(w, lane, rgba, before);
    for (uint32_t c = 0; c < 4; c++)
        if (w->off >> c & 1)
            rgba[c] = before[c];
    memcpy(texel, at, f->bytes);
    tex_pack(f, rgba, texel);
    if (gfx_part(w->blend + 1, GFX_BLEND_LOGIC_ON))
        logic(gfx_part(w->blend + 1, GFX_BLEND_LOGIC), texel, at, f->bytes);
    memcpy(at, texel, f->bytes);
    g->counters.pixels_blended += w->blends;
    g->counters.pixels_logic += gfx_part(w->blend + 1, GFX_BLEND_LOGIC_ON);
    g->counters.pixels_masked += w->off != 0;
    g->counters.target_bytes_read += f->bytes;
}

/* A pixel, or a sample of it, `down` rows below the first one. */
static enum igpu_status write_pixel(struct gfx *g, const struct write *w, uint32_t lane,
                                    uint32_t down)
{
    const struct gfx_surface *s = w->target;
    uint32_t p = w->first + lane, rgba[4];
    uint32_t x = (uint32_t)g->d.group->x[p / 4] + (p & 1);
    uint32_t y = (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1);
    uint8_t *at;
    uint64_t va;

    if (x >= w->width || y >= w->height)
        return IGPU_OK;
    va = s->va + gfx_offset_in(s, &w->level, x, y + down);
    at = gfx_host(g, va, s->format->bytes);
    if (at == NULL)
        return gfx_refuse(g, "pixel %u, %u lies outside the render target's memory", x,
                          y);
    gfx_tell_write(g, va, s->format->bytes, at);
    colour_of(w, lane, rgba);
    if (gfx_part(w->blend,
                 GFX_BLEND_ALPHA_TO_ONE)) /* alpha to one: coverage has taken it */
        rgba[3] = GFX_FLOAT_ONE;
    fade(g->d.group, p, s->format, rgba);
    gfx_touch_line(g, va / 64); /* as it finds the line */
    if (w->reads)
        merge(g, w, lane, rgba, at);
    else
        tex_pack(s->format, rgba, at);
    g->counters.target_bytes += s->format->bytes;
    if (down != 0)
        return IGPU_OK;
    g->counters.pixels_written++;
    if (w->drawn_over != NULL)
        w->drawn_over[(size_t)y * w->width + x]++;
    return IGPU_OK;
}

/* Nothing but colours of four bytes, stored as they come. */
static bool is_plain(const struct gfx *g, const struct write *w)
{
    return !w->reads && g->d.ms.count == 1 && !g->d.group->smooth &&
           !gfx_get(g, GFX_PS_FAST_CLEAR) &&
           !gfx_part(w->blend, GFX_BLEND_ALPHA_TO_ONE) &&
           tex_is_bytes4(w->target->format) && gfx_is_side_by_side(w->target) &&
           w->level.x % 2 == 0;
}

/* The pixels `mask`, at least one, of a row of a block; `texel`: of both. False: one is
 * none of the target's, or memory is not there. */
static bool write_pair(struct gfx *g, const struct write *w, uint32_t mask, uint32_t x,
                       uint32_t y, const uint8_t *texel)
{
    const struct gfx_surface *s = w->target;
    const uint32_t bytes = 4;
    uint64_t va;
    uint8_t *at;

    if (x + 1 >= w->width || y >= w->height)
        return false;
    va = s->va + gfx_offset_in(s, &w->level, x, y);
    at = gfx_host(g, va, 2 * bytes);
    if (at == NULL)
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (mask >> i & 1)
            gfx_tell_write(g, va + i * bytes, bytes, at + i * bytes);
    gfx_touch_line(g, va / 64);
    if (mask == 3)
        memcpy(at, texel, 8);
    else
        memcpy(at + (mask >> 1) * bytes, texel + (mask >> 1) * bytes, bytes);
    g->counters.target_bytes += (uint64_t)bytes << (mask == 3);
    g->counters.pixels_written += 1u << (mask == 3);
    if (w->drawn_over != NULL) {
        w->drawn_over[(size_t)y * w->width + x] += mask & 1;
        w->drawn_over[(size_t)y * w->width + x + 1] += mask >> 1;
    }
    return true;
}

/* All of the message's lanes are packed at once, and stored two by two. */
static enum igpu_status write_plain(struct gfx *g, const struct write *w, uint32_t mask)
{
    enum igpu_status status = IGPU_OK;
    struct tex_texels t = {{{0}}};
    uint8_t texel[TEX_PACKED][4];

    for (uint32_t c = 0; c < 4; c++)
        if (w->replicated)
            for (uint32_t i = 0; i < w->lanes; i++)
                memcpy(&t.rgba[c][i], w->colour + 4 * c, 4);
        else
            memcpy(t.rgba[c], w->colour + (size_t)c * w->lanes * 4, w->lanes * 4);
    tex_pack_bytes4(w->target->format, &t, texel);
    for (uint32_t lane = 0; lane < w->lanes && status == IGPU_OK; lane += 2) {
        uint32_t p = w->first + lane, some = mask >> lane & 3;

        if (some == 0 ||
            write_pair(g, w, some, (uint32_t)g->d.group->x[p / 4],
                       (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1), texel[lane]))
            continue;
        for (uint32_t i = 0; i < 2 && status == IGPU_OK; i++)
            if (some >> i & 1)
                status = write_pixel(g, w, lane + i, 0);
    }
    return status;
}

static enum igpu_status write_samples(struct gfx *g, const struct write *w,
                                      uint32_t lane)
{
    uint32_t p = w->first + lane, covered = g->d.ms.covered[p];
    uint32_t x = (uint32_t)g->d.group->x[p / 4] + (p & 1);
    uint32_t y = (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1);
    enum igpu_status status = IGPU_OK;

    if (covered != 0 && x < w->width && y < w->height)
        status = gfx_mcs_place(g, w->target, x, y, w->level.layer);
    for (uint32_t rest = covered; rest != 0 && status == IGPU_OK; rest &= rest - 1)
        status =
            write_pixel(g, w, lane, (uint32_t)__builtin_ctz(rest) * w->target->qpitch);
    return status;
}

static enum igpu_status clear_pixel(struct gfx *g, const struct write *w, uint32_t lane)
{
    uint32_t p = w->first + lane;

    return gfx_fast_clear(g, w->target, (uint32_t)g->d.group->x[p / 4] + (p & 1),
                          (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1));
}

/* ---- tests -------------------------------------------------------------- */

/* What tests and coverage go by: of all targets the first one's, which a message to
 * another one brings along. */
static float alpha_of(const struct write *w, uint32_t lane)
{
    uint32_t rgba[4];
    float alpha;

    if (w->alpha != NULL)
        memcpy(&alpha, w->alpha + 4 * lane, sizeof(alpha));
    else
        colour_of(w, lane, rgba);
    return w->alpha != NULL ? alpha : tex_float(rgba[3]);
}

static uint32_t alpha_test(struct gfx *g, const struct write *w, uint32_t mask,
                           enum igpu_status *status)
{
    uint32_t function = gfx_part(w->blend, GFX_BLEND_ALPHA_FUNCTION), ref = 0,
             passed = 0;

    if (!gfx_part(w->blend, GFX_BLEND_ALPHA_TEST))
        return mask;
    *status = gfx_read(
        g, g->c->dynamic_base + gfx_get_offset(g, GFX_COLOUR_POINTER) + 4, &ref, 4);
    for (uint32_t i = 0; i < w->lanes; i++) {
        float a = alpha_of(w, i), r = tex_float(ref);

        if (mask >> i & 1 &&
            (function == 0 || (function == 2 && a < r) || (function == 3 && a == r) ||
             (function == 4 && a <= r) || (function == 5 && a > r) ||
             (function == 6 && a != r) || (function == 7 && a >= r)))
            passed |= 1u << i;
    }
    g->counters.alpha_killed += (uint32_t)__builtin_popcount(mask & ~passed);
    return passed;
}

/* Of a pixel's samples as many as its alpha says, from the first on. */
static uint32_t alpha_samples(const struct write *w, uint32_t lane, uint32_t count)
{
    float alpha = alpha_of(w, lane);

    alpha = alpha > 0 ? fminf(alpha, 1) : 0;
    return (1u << (uint32_t)(alpha * (float)count + 0.5f)) - 1;
}

/* Coverage that the shader computes, or its alpha; pixels that are left. */
static uint32_t cover(struct gfx *g, const struct write *w, uint32_t mask)
{
    struct gfx_multisample *m = &g->d.ms;
    bool by_alpha = gfx_part(w->blend, GFX_BLEND_ALPHA_TO_COVERAGE) && m->count > 1;
    uint32_t left = 0;

    if (w->mask_out == NULL && !by_alpha)
        return mask;
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t p = w->first + i, samples = UINT32_MAX;
        uint16_t own = UINT16_MAX;

        if (w->mask_out != NULL)
            memcpy(&own, w->mask_out + 2 * i, sizeof(own));
        if (by_alpha)
            samples = alpha_samples(w, i, m->count);
        samples &= own;
        if (m->count > 1)
            samples = m->covered[p] &= samples;
        left |= (uint32_t)((samples & (m->count > 1 ? UINT32_MAX : 1)) != 0) << i;
    }
    return mask & left;
}

/* Depth and stencil of pixels that no message has had before. */
static uint32_t late_tests(struct gfx *g, struct write *w, uint32_t mask,
                           enum igpu_status *status)
{
    uint32_t pixels = mask << w->first, fresh = pixels & ~g->d.tested, passed;
    double z[GFX_BLOCKS * 4];

    if (!g->d.late || *status != IGPU_OK)
        return mask;
    memcpy(z, g->d.group->z, sizeof(z));
    for (uint32_t i = 0; i < w->lanes && w->depth != NULL; i++) {
        float f;

        memcpy(&f, w->depth + 4 * i, sizeof(f));
        z[w->first + i] = (double)f;
    }
    for (uint32_t i = 0; i < w->lanes && w->stencil != NULL; i++)
        w->references[w->first + i] = w->stencil[i];
    g->d.references = w->stencil != NULL ? w->references : NULL;
    g->d.tested |= fresh;
    passed = g->d.ms.count > 1
                 ? gfx_multisample_late(g, fresh, w->depth != NULL ? z : NULL, status)
                 : gfx_depth_stencil(g, g->d.group, fresh, z, g->d.front, status);
    g->d.references = NULL;
    g->counters.late_killed += (uint32_t)__builtin_popcount(fresh & ~passed);
    g->d.passed |= passed;
    return (pixels & g->d.passed) >> w->first;
}

/* ---- the message -------------------------------------------------------- */

static enum igpu_status read_blend(struct gfx *g, uint32_t target, struct write *w)
{
    uint64_t va = g->c->dynamic_base + gfx_get_offset(g, GFX_BLEND_POINTER);
    enum igpu_status status = gfx_read(g, va, w->blend, 4);
    bool blends;

    if (status == IGPU_OK)
        status = gfx_read(g, va + 4 + 8 * (uint64_t)target, w->blend + 1, 8);
    blends = gfx_part(w->blend + 1, GFX_BLEND_ON);
    if (status == IGPU_OK && blends)
        status =
            gfx_read(g, g->c->dynamic_base + gfx_get_offset(g, GFX_COLOUR_POINTER) + 8,
                     w->constant, sizeof(w->constant));
    if (status == IGPU_OK && blends && second_source(w->blend + 1) && w->second == NULL)
        return gfx_refuse(g, "blending with a second source that there is not");
    return status;
}

/* The next part of a payload, of so many registers; NULL: it is not there. */
static const uint8_t *payload_part(const struct write *w, bool there, uint32_t grfs,
                                   uint32_t *at)
{
    const uint8_t *p = w->payload + *at * GRF;

    *at += there ? grfs : 0;
    return there ? p : NULL;
}

/* Header, source 0's alpha, coverage, colours, depth, stencil: as far as there. */
static enum igpu_status take_apart(struct gfx *g, const struct isa_inst *inst,
                                   const uint8_t *grf, struct write *w)
{
    uint32_t desc = inst->msg.desc, type = gfx_part(&desc, GFX_TARGET_KIND);
    uint32_t at = inst->msg.header ? 2 : 0, sent = gfx_payload(inst, grf, w->payload);
    bool dual = type == DUAL_LOW || type == DUAL_HIGH, alpha;
    uint32_t wide;

    if (gfx_part(&desc, GFX_TARGET_OPERATION) != TYPE_WRITE || type > SIMD8)
        return gfx_refuse(g, "a render target message 0x%08x", desc);
    w->replicated = type == REPLICATED;
    w->lanes = type == SIMD8 || dual ? 8 : 16;
    w->first = gfx_part(&desc, GFX_TARGET_UPPER) * 16 + (type == DUAL_HIGH) * 8u;
    wide = w->lanes / 8;
    alpha = inst->msg.header && (w->payload[1] >> 3 & 1);
    w->alpha = payload_part(w, alpha, wide, &at);
    w->mask_out = payload_part(w, gfx_get(g, GFX_PS_OMASK), 1, &at);
    w->colour = payload_part(w, true, w->replicated ? 1 : 4 * wide, &at);
    w->second = payload_part(w, dual, 4, &at);
    w->depth =
        payload_part(w, gfx_get(g, GFX_PS_COMPUTED_DEPTH) && at < sent, wide, &at);
    w->stencil =
        payload_part(w, gfx_get(g, GFX_PS_COMPUTES_STENCIL) && at < sent, 1, &at);
    if (at != sent)
        return gfx_refuse(g, "a render target message of %u registers", sent);
    return IGPU_OK;
}

/* What is the same for all of the message's pixels. */
static void find_kind(struct gfx *g, struct write *w)
{
    const struct gfx_surface *s = w->target;
    const uint32_t *e = w->blend + 1;
    bool on = gfx_part(e, GFX_BLEND_ON);

    w->off = gfx_part(e, GFX_BLEND_NO_RED) | gfx_part(e, GFX_BLEND_NO_GREEN) << 1 |
             gfx_part(e, GFX_BLEND_NO_BLUE) << 2 | gfx_part(e, GFX_BLEND_NO_ALPHA) << 3;
    w->blends = on && s->format->type != TEX_UINT && s->format->type != TEX_SINT;
    w->reads = on || w->off != 0 || gfx_part(e, GFX_BLEND_LOGIC_ON);
    w->level = gfx_find_level(s, s->level, s->first_layer + g->d.layer);
    w->width = gfx_minify(s->width, s->level);
    w->height = gfx_minify(s->height, s->level);
    w->drawn_over = gfx_count_pixels(g, s);
}

enum igpu_status gfx_target_write(struct gfx *g, const struct isa_inst *inst,
                                  const uint8_t *grf, uint32_t mask)
{
    struct write w = {.replicated = false};
    uint32_t bti = gfx_part(&inst->msg.desc, GFX_TARGET_BINDING), target = 0, shaded;
    enum igpu_status status = take_apart(g, inst, grf, &w);

    if (status != IGPU_OK)
        return status;
    if (inst->msg.header)
        memcpy(&target, w.payload + 8, 4);
    w.target = gfx_binding(g, bti);
    if (w.target == NULL)
        return IGPU_SIM_ERROR;
    status = read_blend(g, target & 7, &w);
    if (status != IGPU_OK)
        return status;
    g->counters.target_messages++;
    g->counters.target_messages_8 += w.lanes == 8;
    g->counters.target_messages_16 += w.lanes == 16 && !w.replicated;
    g->counters.target_messages_replicated += w.replicated;
    shaded = g->d.group->mask >> w.first & (w.lanes == 16 ? UINT16_MAX : UINT8_MAX);
    mask &= shaded;
    mask = cover(g, &w, alpha_test(g, &w, mask, &status));
    mask = late_tests(g, &w, mask, &status);
    if (w.target->type == GFX_NULL)
        return status;
    if (g->told.draw_cycles != NULL && !gfx_get(g, GFX_PS_FAST_CLEAR))
        gfx_count_shaded(g, w.target, shaded << w.first);
    if (!gfx_get(g, GFX_PS_WRITEABLE_TARGET))
        return status;
    if (w.target->type != GFX_2D && w.target->type != GFX_CUBE &&
        w.target->type != GFX_3D && w.target->type != GFX_1D)
        return gfx_refuse(g, "a render target of surface type %u", w.target->type);
    if (w.target->format->block || w.target->format->number == TEX_R9G9B9E5)
        return gfx_refuse(g, "a render target of format 0x%x",
                          w.target->format->number);
    if (gfx_get(g, GFX_VS_ON) && (target & 7) == 0) {
        g->shown = *w.target;
        g->has_shown = g->batch.drawn = true;
    }
    if (g->d.layer > w.target->last_layer) /* that a shader chose: there is none */
        mask = 0;
    if (mask != 0)
        find_kind(g, &w);
    if (!gfx_get(g, GFX_PS_FAST_CLEAR)) /* which touches lines of notes */
        gfx_touch_pairs(g, w.target);
    if (mask != 0 && status == IGPU_OK && is_plain(g, &w))
        return write_plain(g, &w, mask);
    for (uint32_t rest = mask; rest != 0 && status == IGPU_OK; rest &= rest - 1)
        status = gfx_get(g, GFX_PS_FAST_CLEAR)
                     ? clear_pixel(g, &w, (uint32_t)__builtin_ctz(rest))
                 : g->d.ms.count > 1
                     ? write_samples(g, &w, (uint32_t)__builtin_ctz(rest))
                     : write_pixel(g, &w, (uint32_t)__builtin_ctz(rest), 0);
    return status;
}
