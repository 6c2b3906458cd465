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
    SIMD8 = 4,
    BYTES4 = 4
};

/* A message taken apart. */
struct write {
    const struct gfx_surface *target;
    uint32_t first, lanes, mask; /* of the group's pixels; mask from `first` on */
    bool replicated;
    bool splits;             /* a part of the payload lies in both its pieces */
    const uint8_t *piece[2]; /* of the payload, .. */
    uint32_t sent;           /* ..registers of the first */
    const uint8_t *colour[4],
        *depth; /* in it; depth NULL: none, as of the next three */
    const uint8_t *second, *mask_out, *stencil; /* second source, coverage, stencil */
    const uint8_t *alpha; /* of the first target; NULL: it is the colour's own */
    const struct gfx_target *how; /* that is written */
    /* From here on what a message does not use has no value. */
    uint8_t references[GFX_BLOCKS * 4]; /* stencil's, by the group's pixels */
    uint8_t copy[GFX_PAYLOAD_BYTES];    /* of a payload that is not taken as it lies */
};

/* ---- blending ----------------------------------------------------------- */

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
static void logic(uint32_t function, uint8_t new[16], const uint8_t *old,
                  uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes && i < 16; i++) {
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
        memcpy(&rgba[c], w->colour[c] + (w->replicated ? 0 : 4 * lane), 4);
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

/* From this lane on. */
static struct gfx_second second_of(const struct write *w, uint32_t lane)
{
    return (struct gfx_second){w->second != NULL ? w->second + lane * 4 : NULL,
                               (size_t)w->lanes * 4};
}

static void blend_one(const struct write *w, uint32_t lane, uint32_t rgba[4],
                      const uint32_t before[4])
{
    const struct gfx_second second = second_of(w, lane);
    struct gfx_operands o;

    for (uint32_t c = 0; c < 4; c++) {
        memcpy(o.from.rgba[c], &rgba[c], sizeof(rgba[c]));
        memcpy(o.to.rgba[c], &before[c], sizeof(before[c]));
    }
    gfx_blend(w->how, w->target->format, &second, 1, &o);
    for (uint32_t c = 0; c < 4; c++)
        memcpy(&rgba[c], o.from.rgba[c], sizeof(rgba[c]));
}

/* The new texel where an old one is. */
static void merge(struct gfx *g, const struct write *w, uint32_t lane, uint32_t rgba[4],
                  uint8_t *at)
{
    const struct tex_format *f = w->target->format;
    uint32_t before[4];
    uint8_t texel[16];

    if (w->how->blends || w->how->off != 0)
        tex_unpack(f, at, before);
    if (w->how->blends)
        blend_one(w, lane, rgba, before);
    for (uint32_t c = 0; c < 4; c++)
        if (w->how->off >> c & 1)
            rgba[c] = before[c];
    memcpy(texel, at, f->bytes);
    tex_pack(f, rgba, texel);
    if (gfx_part(w->how->blend + 1, GFX_BLEND_LOGIC_ON))
        logic(gfx_part(w->how->blend + 1, GFX_BLEND_LOGIC), texel, at, f->bytes);
    memcpy(at, texel, f->bytes);
    g->counters.pixels_blended += w->how->blends;
    g->counters.pixels_logic += gfx_part(w->how->blend + 1, GFX_BLEND_LOGIC_ON);
    g->counters.pixels_masked += w->how->off != 0;
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

    if (x >= w->how->width || y >= w->how->height)
        return IGPU_OK;
    va = s->va + gfx_offset_in(s, &w->how->level, x, y + down);
    at = gfx_host(g, va, s->format->bytes);
    if (at == NULL)
        return gfx_refuse(g, "pixel %u, %u lies outside the render target's memory", x,
                          y);
    gfx_tell_write(g, va, s->format->bytes, at);
    colour_of(w, lane, rgba);
    if (gfx_part(w->how->blend,
                 GFX_BLEND_ALPHA_TO_ONE)) /* alpha to one: coverage has taken it */
        rgba[3] = GFX_FLOAT_ONE;
    fade(g->d.group, p, s->format, rgba);
    gfx_touch_line(g, va / 64); /* as it finds the line */
    if (w->how->reads)
        merge(g, w, lane, rgba, at);
    else
        tex_pack(s->format, rgba, at);
    g->counters.target_bytes += s->format->bytes;
    if (down != 0)
        return IGPU_OK;
    g->counters.pixels_written++;
    if (w->how->drawn_over != NULL)
        w->how->drawn_over[(size_t)y * w->how->width + x]++;
    return IGPU_OK;
}

/* A block of the target, two rows of two pixels each. at NULL: one is none of the
 * target's, or memory is not there. */
struct block {
    uint32_t x, y;
    uint64_t va;
    uint8_t *at[2];
};

/* In a tile, or from one row to the next. */
static uint32_t row_bytes(const struct gfx_surface *s)
{
    enum { TILE_X = 512, TILE_Y = 16 };

    return s->tiling == GFX_TILE_Y   ? TILE_Y
           : s->tiling == GFX_TILE_X ? TILE_X
                                     : s->pitch;
}

static struct block find_block(struct gfx *g, const struct write *w, uint32_t number)
{
    const struct gfx_surface *s = w->target;
    struct block b = {(uint32_t)g->d.group->x[number],
                      (uint32_t)g->d.group->y[number],
                      0,
                      {NULL, NULL}};

    if (b.x + 1 >= w->how->width || b.y + 1 >= w->how->height)
        return b;
    b.va = s->va + gfx_offset_in(s, &w->how->level, b.x, b.y);
    if (s->tiling != GFX_LINEAR) { /* a block lies in one tile */
        b.at[0] = gfx_host(g, b.va, w->how->row + 2 * BYTES4);
        b.at[1] = b.at[0] != NULL ? b.at[0] + w->how->row : NULL;
        return b;
    }
    b.at[1] = gfx_host(g, b.va + w->how->row, 2 * BYTES4);
    if (b.at[1] != NULL)
        b.at[0] = gfx_host(g, b.va, 2 * BYTES4);
    return b;
}

/* Whoever is told, of the pixels of mask. */
static void tell_block(struct gfx *g, const struct write *w, uint32_t mask,
                       const struct block *b)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t va = b->va + i / 2 * w->how->row + i % 2 * BYTES4;

        if (!(mask >> i & 1))
            continue;
        gfx_tell_write(g, va, BYTES4, b->at[i / 2] + i % 2 * BYTES4);
        gfx_touch_line(g, va / 64);
    }
}

/* The block's pixels `mask`; `texel`: of all four. */
static void write_block(const struct write *w, uint32_t mask, const struct block *b,
                        uint8_t texel[4][BYTES4])
{
    uint32_t *over = w->how->drawn_over;

    for (uint32_t i = 0; i < 2; i++)
        if ((mask >> 2 * i & 3) == 3)
            memcpy(b->at[i], texel[2 * i], 2 * BYTES4);
        else if ((mask >> 2 * i & 3) != 0) {
            uint32_t k = mask >> 2 * i & 1 ? 0 : 1;

            memcpy(b->at[i] + k * BYTES4, texel[2 * i + k], BYTES4);
        }
    over = over != NULL ? over + (size_t)b->y * w->how->width + b->x : NULL;
    for (uint32_t i = 0; i < 2 && over != NULL; i++, over += w->how->width) {
        over[0] += mask >> 2 * i & 1;
        over[1] += mask >> (2 * i + 1) & 1;
    }
}

/* So many pixels that were written as blocks. */
static void count_blocks(struct gfx *g, const struct write *w, uint32_t pixels)
{
    g->counters.target_bytes += BYTES4 * pixels;
    g->counters.pixels_written += pixels;
    if (!w->how->reads)
        return;
    g->counters.pixels_blended += w->how->blends ? pixels : 0;
    g->counters.pixels_masked += w->how->off != 0 ? pixels : 0;
    g->counters.target_bytes_read += BYTES4 * pixels;
}

/* The message's colours, o->from, as they are to be stored. */
static void merge_blocks(const struct write *w, const struct block *b,
                         struct gfx_operands *o, uint8_t texel[TEX_PACKED][BYTES4])
{
    const struct gfx_second second = second_of(w, 0);

    if (w->how->reads)
        memset(texel, 0, TEX_PACKED * sizeof(*texel));
    for (uint32_t lane = 0; lane < w->lanes && w->how->reads; lane += 2)
        if (b[lane / 4].at[0] != NULL)
            memcpy(texel[lane], b[lane / 4].at[lane / 2 % 2], 2 * BYTES4);
#if defined(__x86_64__)
    if (emu_has_avx2()) {
        gfx_merge_lanes_avx2(w->how, w->target->format, &second, w->lanes, o, texel);
        return;
    }
#endif
    gfx_merge_lanes_any(w->how, w->target->format, &second, w->lanes, o, texel);
}

static void load_colours(const struct write *w, struct tex_texels *t)
{
    if (w->lanes < TEX_PACKED)
        memset(t, 0, sizeof(*t));
    for (uint32_t c = 0; c < 4; c++)
        if (w->replicated)
            for (uint32_t i = 0; i < w->lanes; i++)
                memcpy(&t->rgba[c][i], w->colour[c], 4);
        else if (w->lanes == TEX_PACKED)
            memcpy(t->rgba[c], w->colour[c], sizeof(t->rgba[c]));
        else
            memcpy(t->rgba[c], w->colour[c], w->lanes * 4);
}

/* All of the message's lanes are blended and packed at once, and stored by blocks. */
static enum igpu_status write_plain(struct gfx *g, const struct write *w, uint32_t mask)
{
    bool tells = g->told.memory.write != NULL || g->told.threads.message != NULL;
    enum igpu_status status = IGPU_OK;
    struct block block[TEX_PACKED / 4];
    uint8_t texel[TEX_PACKED][BYTES4];
    uint32_t written = 0;
    struct gfx_operands o;

    load_colours(w, &o.from);
    for (uint32_t b = 0; b < w->lanes / 4; b++)
        if ((mask >> 4 * b & 15) != 0)
            block[b] = find_block(g, w, w->first / 4 + b);
        else
            block[b].at[0] = NULL;
    merge_blocks(w, block, &o, texel);
    for (uint32_t b = 0; b < w->lanes / 4 && status == IGPU_OK; b++) {
        uint32_t some = mask >> 4 * b & 15;

        if (some != 0 && block[b].at[0] != NULL) {
            if (tells)
                tell_block(g, w, some, &block[b]);
            write_block(w, some, &block[b], &texel[4 * b]);
            written |= some << 4 * b;
            continue;
        }
        for (uint32_t i = 0; i < 4 && status == IGPU_OK; i++)
            if (some >> i & 1)
                status = write_pixel(g, w, 4 * b + i, 0);
    }
    count_blocks(g, w, igpu_count_bits(written));
    return status;
}

static enum igpu_status write_samples(struct gfx *g, const struct write *w,
                                      uint32_t lane)
{
    uint32_t p = w->first + lane, covered = g->d.ms.covered[p];
    uint32_t x = (uint32_t)g->d.group->x[p / 4] + (p & 1);
    uint32_t y = (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1);
    enum igpu_status status = IGPU_OK;

    if (covered != 0 && x < w->how->width && y < w->how->height)
        status = gfx_mcs_place(g, w->target, x, y, w->how->level.layer);
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
    uint32_t function = gfx_part(w->how->blend, GFX_BLEND_ALPHA_FUNCTION), ref = 0,
             passed = 0;

    if (!gfx_part(w->how->blend, GFX_BLEND_ALPHA_TEST))
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
    bool by_alpha =
        gfx_part(w->how->blend, GFX_BLEND_ALPHA_TO_COVERAGE) && m->count > 1;
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

static enum igpu_status read_blend(struct gfx *g, uint32_t number, struct gfx_target *t)
{
    uint64_t va = g->c->dynamic_base + gfx_get_offset(g, GFX_BLEND_POINTER);
    enum igpu_status status = gfx_read(g, va, t->blend, 4);
    bool blends;

    if (status == IGPU_OK)
        status = gfx_read(g, va + 4 + 8 * (uint64_t)number, t->blend + 1, 8);
    blends = gfx_part(t->blend + 1, GFX_BLEND_ON);
    if (status == IGPU_OK && blends)
        status =
            gfx_read(g, g->c->dynamic_base + gfx_get_offset(g, GFX_COLOUR_POINTER) + 8,
                     t->constant, sizeof(t->constant));
    t->second = blends && second_source(t->blend + 1);
    return status;
}

/* The next part of a payload, of so many registers; NULL: it is not there. */
static const uint8_t *payload_part(struct write *w, bool there, uint32_t grfs,
                                   uint32_t *at)
{
    uint32_t from = *at, k = from >= w->sent;

    if (!there)
        return NULL;
    *at += grfs;
    w->splits |= !k && *at > w->sent;
    return w->piece[k] + (from - k * w->sent) * GRF;
}

/* Header, source 0's alpha, coverage, colours, depth, stencil: as far as there. */
static uint32_t find_parts(const struct gfx *g, const struct isa_inst *inst, bool dual,
                           uint32_t sent, struct write *w)
{
    uint32_t at = inst->msg.header ? 2 : 0, wide = w->lanes / 8;

    w->alpha =
        payload_part(w, inst->msg.header && (w->piece[0][1] >> 3 & 1), wide, &at);
    w->mask_out = payload_part(w, gfx_get(g, GFX_PS_OMASK), 1, &at);
    w->colour[0] = payload_part(w, true, w->replicated ? 1 : wide, &at);
    for (uint32_t c = 1; c < 4; c++)
        w->colour[c] =
            w->replicated ? w->colour[0] + 4 * c : payload_part(w, true, wide, &at);
    w->second = payload_part(w, dual, 4, &at);
    w->depth =
        payload_part(w, gfx_get(g, GFX_PS_COMPUTED_DEPTH) && at < sent, wide, &at);
    w->stencil =
        payload_part(w, gfx_get(g, GFX_PS_COMPUTES_STENCIL) && at < sent, 1, &at);
    return at;
}

/* A payload's pieces are taken as they lie, unless they reach behind the last register,
 * the first is empty, or a part lies in both. */
static enum igpu_status take_apart(struct gfx *g, const struct isa_inst *inst,
                                   const uint8_t *grf, struct write *w)
{
    uint32_t desc = inst->msg.desc, type = gfx_part(&desc, GFX_TARGET_KIND);
    uint32_t sent = inst->msg.mlen + inst->msg.ext_mlen, at = 0;
    bool dual = type == DUAL_LOW || type == DUAL_HIGH;

    if (gfx_part(&desc, GFX_TARGET_OPERATION) != TYPE_WRITE || type > SIMD8)
        return gfx_refuse(g, "a render target message 0x%08x", desc);
    w->replicated = type == REPLICATED;
    w->lanes = type == SIMD8 || dual ? 8 : 16;
    w->first = gfx_part(&desc, GFX_TARGET_UPPER) * 16 + (type == DUAL_HIGH) * 8u;
    w->sent = inst->msg.mlen;
    w->piece[0] = grf + inst->src[0].reg * GRF;
    w->piece[1] = grf + inst->src[1].reg * GRF;
    w->splits = inst->msg.mlen == 0 ||
                inst->src[0].reg + inst->msg.mlen > ISA_GRF_COUNT ||
                (inst->msg.ext_mlen > 0 &&
                 inst->src[1].reg + inst->msg.ext_mlen > ISA_GRF_COUNT);
    if (!w->splits)
        at = find_parts(g, inst, dual, sent, w);
    if (w->splits) {
        w->sent = sent = gfx_payload(inst, grf, w->copy);
        w->piece[0] = w->copy;
        at = find_parts(g, inst, dual, sent, w);
    }
    if (at != sent)
        return gfx_refuse(g, "a render target message of %u registers", sent);
    return IGPU_OK;
}

static bool is_plain(const struct gfx *g, const struct gfx_surface *s,
                     const struct gfx_target *t)
{
    return !gfx_part(t->blend + 1, GFX_BLEND_LOGIC_ON) && g->d.ms.count == 1 &&
           !gfx_get(g, GFX_PS_FAST_CLEAR) &&
           !gfx_part(t->blend, GFX_BLEND_ALPHA_TO_ONE) && tex_is_bytes4(s->format) &&
           gfx_is_side_by_side(s) && t->level.x % 2 == 0 && t->level.y % 2 == 0;
}

/* What is the same for all of the target's pixels, once there is one to be written. */
static void find_how(struct gfx *g, const struct gfx_surface *s, struct gfx_target *t)
{
    const uint32_t *e = t->blend + 1;
    bool on = gfx_part(e, GFX_BLEND_ON);

    if (t->known)
        return;
    t->known = true;
    t->off = gfx_part(e, GFX_BLEND_NO_RED) | gfx_part(e, GFX_BLEND_NO_GREEN) << 1 |
             gfx_part(e, GFX_BLEND_NO_BLUE) << 2 | gfx_part(e, GFX_BLEND_NO_ALPHA) << 3;
    t->blends = on && s->format->type != TEX_UINT && s->format->type != TEX_SINT;
    t->reads = on || t->off != 0 || gfx_part(e, GFX_BLEND_LOGIC_ON);
    t->level = gfx_find_level(s, s->level, s->first_layer + g->d.layer);
    t->width = gfx_minify(s->width, s->level);
    t->height = gfx_minify(s->height, s->level);
    t->row = row_bytes(s);
    t->plain = is_plain(g, s, t);
    t->drawn_over = gfx_count_pixels(g, s);
}

/* The draw's state of target `number`, entry `binding` of the table. */
static enum igpu_status find_target(struct gfx *g, uint32_t binding, uint32_t number,
                                    struct write *w)
{
    struct gfx_target *t = &g->d.target;
    enum igpu_status status = IGPU_OK;

    w->how = t;
    if (!t->known || t->binding != binding || t->number != number ||
        t->layer != g->d.layer) {
        *t = (struct gfx_target){
            .binding = binding, .number = number, .layer = g->d.layer};
        status = read_blend(g, number, t);
    }
    if (status == IGPU_OK && t->second && w->second == NULL)
        return gfx_refuse(g, "blending with a second source that there is not");
    return status;
}

#if defined(__x86_64__)
/* Nothing but colours in the message, each in registers by itself, and nothing to be
 * asked but which pixels there are. */
static void find_store(struct gfx *g, const struct isa_inst *inst, const uint8_t *grf,
                       const struct write *w)
{
    struct gfx_store store = {inst, w->first, w->lanes, {0}};

    if (inst->msg.header || w->replicated || w->second != NULL || w->mask_out != NULL ||
        w->depth != NULL || w->stencil != NULL || w->piece[0] == w->copy || g->d.late ||
        gfx_part(w->how->blend, GFX_BLEND_ALPHA_TEST) || !emu_has_avx2() ||
        !gfx_is_lasting(g, inst))
        return;
    for (uint32_t c = 0; c < 4; c++)
        store.colour[c] = (uint32_t)(w->colour[c] - grf);
    gfx_find_store(g, w->target, &store);
}
#endif

static enum igpu_status target_write(struct gfx *g, const struct isa_inst *inst,
                                     const uint8_t *grf, uint32_t mask)
{
    struct write w;
    uint32_t bti = gfx_part(&inst->msg.desc, GFX_TARGET_BINDING), target = 0, shaded;
    enum igpu_status status;

    memset(&w, 0, offsetof(struct write, references));
    status = take_apart(g, inst, grf, &w);
    if (status != IGPU_OK)
        return status;
    if (inst->msg.header)
        memcpy(&target, w.piece[0] + 8, 4);
    w.target = gfx_binding(g, bti);
    if (w.target == NULL)
        return IGPU_SIM_ERROR;
    status = find_target(g, bti, target & 7, &w);
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
        find_how(g, w.target, &g->d.target);
    if (!gfx_get(g, GFX_PS_FAST_CLEAR)) /* which touches lines of notes */
        gfx_touch_pairs(g, w.target);
    if (mask != 0 && status == IGPU_OK && w.how->plain && !g->d.group->smooth) {
#if defined(__x86_64__)
        find_store(g, inst, grf, &w);
#endif
        return write_plain(g, &w, mask);
    }
    for (uint32_t rest = mask; rest != 0 && status == IGPU_OK; rest &= rest - 1)
        status = gfx_get(g, GFX_PS_FAST_CLEAR)
                     ? clear_pixel(g, &w, (uint32_t)__builtin_ctz(rest))
                 : g->d.ms.count > 1
                     ? write_samples(g, &w, (uint32_t)__builtin_ctz(rest))
                     : write_pixel(g, &w, (uint32_t)__builtin_ctz(rest), 0);
    return status;
}

enum igpu_status gfx_target_write(struct gfx *g, const struct isa_inst *inst,
                                  const uint8_t *grf, uint32_t mask)
{
#if defined(__x86_64__)
    if (gfx_store_avx2(g, inst, grf, mask))
        return IGPU_OK;
#endif
    return target_write(g, inst, grf, mask);
}
