/* gfx_pixel.c - pixel shader threads: payload, dispatch in SIMD8, 16 or 32, messages.
 * Which width runs is not public: here the widest that is enabled and full, SIMD16
 * before SIMD32, and SIMD8 for at most two blocks. */
#include "gfx_message.h"
#include "gfx_queue.h"
#include "gfx_raster.h"
#include "gfx_target.h"
#include "gfx_texture.h"

enum { GRF = 32, HALF = 8, BARYCENTRICS = 6, ATTRIBUTE_GRFS = 2, TARGET_READ = 13 };
/* Modes of barycentrics: where, with perspective; LINEAR more: without. */
enum { PIXEL, CENTROID, SAMPLE, LINEAR };

/* ---- attributes --------------------------------------------------------- */

/* The slot of attribute k, swizzled; constants and the primitive's number go to
 * value[4], with *fixed set. */
static enum igpu_status source_of(struct gfx *g, uint32_t k, const struct gfx_setup *s,
                                  uint32_t *slot, uint32_t *fixed, float value[4])
{
    uint32_t first = 2 * gfx_get(g, GFX_SBE_READ_OFFSET);
    uint32_t detail, constant, swizzle;

    *slot = first + k;
    *fixed = 0;
    if (k < 16 && gfx_get(g, GFX_SBE_SWIZZLE_ON)) {
        detail = g->c->state[gfx_kept(GFX_3DSTATE_SBE_SWIZ)][1 + k / 2] >> 16 * (k & 1);
        *slot = first + gfx_part(&detail, GFX_ATTRIBUTE_SLOT);
        *fixed = gfx_part(&detail, GFX_ATTRIBUTE_FIXED);
        constant = gfx_part(&detail, GFX_ATTRIBUTE_CONSTANT);
        swizzle = gfx_part(&detail, GFX_ATTRIBUTE_SWIZZLE);
        for (uint32_t c = 0; c < 4; c++)
            value[c] = constant == 2 || (constant == 1 && c == 3) ? 1.0f : 0.0f;
        if (swizzle > 1)
            return gfx_refuse(g, "a swizzle of attributes with W");
        if (swizzle == 1 && !s->front)
            ++*slot;
    }
    if (gfx_get(g, GFX_SBE_PRIMITIVE_ID_CHANNELS) != 0 &&
        k == gfx_get(g, GFX_SBE_PRIMITIVE_ID)) {
        *fixed |= gfx_get(g, GFX_SBE_PRIMITIVE_ID_CHANNELS);
        for (uint32_t c = 0; c < 4; c++)
            if (gfx_get(g, GFX_SBE_PRIMITIVE_ID_CHANNELS) >> c & 1)
                value[c] = tex_float(s->t->id);
    }
    return *slot < GFX_SLOTS ? IGPU_OK : gfx_refuse(g, "attribute slot %u", *slot);
}

/* A plane's equation for pln: along b1, along b2, nothing, at vertex 0. Made in one
 * piece, as it is read. */
typedef float plane __attribute__((vector_size(16)));

static inline plane plane_of(const struct gfx_setup *s, uint32_t slot, uint32_t c,
                             bool flat)
{
    const float a0 = s->t->v[0]->slot[slot][c];

    if (flat)
        return (plane){0, 0, 0, s->t->provoking->slot[slot][c]};
    return (plane){s->t->v[1]->slot[slot][c] - a0, s->t->v[2]->slot[slot][c] - a0, 0,
                   a0};
}

/* s and t of a point: the barycentrics themselves, or 1 - t. */
static plane sprite_plane(uint32_t c, bool bottom)
{
    const plane of[4] = {{1, 0, 0, 0},
                         {0, bottom ? -1.0f : 1.0f, 0, bottom ? 1.0f : 0.0f},
                         {0, 0, 0, 0},
                         {0, 0, 0, 1}};

    return of[c];
}

/* From byte `at` of the registers on, and of others, unless that is NULL. */
static enum igpu_status put_attributes(struct gfx *g, const struct gfx_setup *s,
                                       uint8_t *grf, uint8_t *other, uint32_t at)
{
    uint32_t count = g->d.pixel.attributes;

    if (at + count * ATTRIBUTE_GRFS * GRF > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a pixel shader's payload of too many registers");
    g->counters.ps_attributes += count;
    for (uint32_t k = 0; k < count; k++) {
        bool flat = gfx_get(g, GFX_SBE_CONSTANT) >> (k & 31) & 1;
        bool sprite = s->t->kind == GFX_POINT &&
                      (gfx_get(g, GFX_SBE_POINT_SPRITE) >> (k & 31) & 1);
        bool bottom = gfx_get(g, GFX_SBE_SPRITE_BOTTOM);
        uint32_t slot, fixed;
        float value[4] = {0, 0, 0, 0};

        if (source_of(g, k, s, &slot, &fixed, value) != IGPU_OK)
            return IGPU_SIM_ERROR;
        for (uint32_t c = 0; c < 4; c++, at += sizeof(plane)) {
            const plane p = fixed >> c & 1 ? (plane){0, 0, 0, value[c]}
                            : sprite       ? sprite_plane(c, bottom)
                                           : plane_of(s, slot, c, flat);

            memcpy(grf + at, &p, sizeof(p));
            if (other != NULL)
                memcpy(other + at, &p, sizeof(p));
        }
    }
    return IGPU_OK;
}

/* ---- the rest of the payload -------------------------------------------- */

static void put_float(uint8_t *grf, uint32_t at, uint32_t lane, double value)
{
    float f = (float)value;

    memcpy(grf + at + lane * 4, &f, 4);
}

/* Coordinates of both barycentrics, eight lanes a register each. Linear ones divide the
 * perspective out again. */
static void put_barycentrics(const struct gfx *g, const struct gfx_setup *s,
                             const struct gfx_group *group, uint32_t first,
                             uint32_t lanes, uint32_t mode, uint8_t *grf, uint32_t at)
{
    const struct gfx_places *other = g->d.ms.count == 1 || mode % 3 == PIXEL ? NULL
                                     : mode % 3 == CENTROID ? &g->d.ms.centroid
                                                            : &g->d.ms.at_sample;
    const double *from_w = other ? other->w : group->w;
    const double *from_b1 = other ? other->b1 : group->b1;
    const double *from_b2 = other ? other->b2 : group->b2;
    const bool linear = mode >= LINEAR && s->t->kind != GFX_POINT;

    for (uint32_t r = 0; r < lanes; r += HALF) {
        const double *w = from_w + first + r, *b1 = from_b1 + first + r,
                     *b2 = from_b2 + first + r;
        float b[2][HALF];

        for (uint32_t i = 0; i < HALF; i++) {
            b[0][i] = (float)b1[i];
            b[1][i] = (float)b2[i];
        }
        for (uint32_t i = 0; i < HALF && linear; i++) {
            b[0][i] = (float)(b1[i] * w[i] / s->inv_w[1]);
            b[1][i] = (float)(b2[i] * w[i] / s->inv_w[2]);
        }
        memcpy(grf + at + r / HALF * sizeof(b), b, sizeof(b));
    }
}

static void put_primitive(const struct gfx *g, const struct gfx_setup *s, uint8_t *grf)
{
    /* Shaders negate the low word to learn the facing: its topology is never 0. */
    uint32_t first = gfx_get(g, GFX_TOPOLOGY) | (s->front ? 0 : 1u << 15) |
                     g->d.layer << 16 | g->d.viewport << 27;

    memcpy(grf, &first, sizeof(first));
}

static void put_header(const struct gfx *g, const struct gfx_setup *s,
                       const struct gfx_group *group, uint32_t width, uint8_t *grf)
{
    put_primitive(g, s, grf);
    gfx_put_pointers(g, grf);
    for (uint32_t half = 0; half < (width == 32 ? 2u : 1u); half++) {
        uint8_t *r = grf + (1 + half) * GRF;
        uint32_t mask = group->mask >> 16 * half & UINT16_MAX;

        for (uint32_t b = 0; b < 4 && 4 * half + b < group->count; b++) {
            uint16_t corner[2] = {(uint16_t)group->x[4 * half + b],
                                  (uint16_t)group->y[4 * half + b]};

            memcpy(r + 8 + 4 * b, corner, sizeof(corner));
        }
        memcpy(r + 28, &mask, sizeof(mask));
        for (uint32_t b = 0; b < 4 && g->d.ms.each; b++)
            r[b / 2] |= (uint8_t)(g->d.ms.slot[4 * half + b] << 4 * (b & 1));
    }
}

/* Places of samples, x and y in 1/16 pixel for each lane, and their coverage. */
static uint32_t put_samples(const struct gfx *g, const struct gfx_setup *s,
                            const struct gfx_group *group, uint32_t first,
                            uint32_t lanes, uint8_t *grf, uint32_t at)
{
    enum { INNER = 2 };

    const struct gfx_multisample *m = &g->d.ms;
    bool places = gfx_get(g, GFX_PS_POSITION_OFFSET) != 0;
    uint32_t coverage = gfx_get(g, GFX_PS_INPUT_COVERAGE), enclosed = 0;
    bool inner = coverage == INNER && s->conservative;

    for (uint32_t i = 0; i < lanes && places; i++) {
        uint8_t k = m->each ? m->slot[(first + i) / 4] : 0;

        grf[at + 2 * i] = m->spread ? m->x[k] : 8;
        grf[at + 2 * i + 1] = m->spread ? m->y[k] : 8;
    }
    at += places ? GRF : 0;
    for (uint32_t i = 0; i < lanes && coverage != 0; i++) {
        uint32_t p = first + i,
                 mask = m->count > 1 ? m->covered[p] : group->mask >> p & 1;

        if (inner && p % 4 == 0)
            enclosed = gfx_encloses(s, group->x[p / 4], group->y[p / 4]);
        if (inner && !(enclosed >> p % 4 & 1))
            mask = 0;
        memcpy(grf + at + 4 * i, &mask, sizeof(mask));
    }
    return at + (coverage != 0 ? lanes / 8 * GRF : 0);
}

/* Returns 0 after a refusal, else the byte behind what precedes constants. */
static uint32_t put_half(struct gfx *g, const struct gfx_setup *s,
                         const struct gfx_group *group, uint32_t first, uint32_t lanes,
                         uint8_t *grf, uint32_t at)
{
    uint32_t modes = gfx_get(g, GFX_WM_BARYCENTRICS);

    for (uint32_t m = 0; m < BARYCENTRICS; m++)
        if (modes >> m & 1) {
            put_barycentrics(g, s, group, first, lanes, m, grf, at);
            at += lanes / 8 * 2 * GRF;
        }
    for (uint32_t i = 0; i < lanes && gfx_get(g, GFX_PS_USES_DEPTH); i++)
        put_float(grf, at + i / 8 * GRF, i % 8, group->z[first + i]);
    at += gfx_get(g, GFX_PS_USES_DEPTH) ? lanes / 8 * GRF : 0;
    for (uint32_t i = 0; i < lanes && gfx_get(g, GFX_PS_USES_W); i++)
        put_float(grf, at + i / 8 * GRF, i % 8, 1.0 / group->w[first + i]);
    at += gfx_get(g, GFX_PS_USES_W) ? lanes / 8 * GRF : 0;
    return put_samples(g, s, group, first, lanes, grf, at);
}

void gfx_find_payload(struct gfx *g)
{
    static const enum gfx_field start[3] = {GFX_PS_GRF_0, GFX_PS_GRF_2, GFX_PS_GRF_1};
    const uint32_t widths = gfx_get(g, GFX_PS_WIDTHS);
    const bool single = (widths & (widths - 1)) == 0;
    struct gfx_payload *p = &g->d.pixel;

    p->plain = emu_has_avx2() && !g->told.beside &&
               gfx_get(g, GFX_WM_BARYCENTRICS) == 1 << PIXEL && g->d.ms.count == 1 &&
               !gfx_get(g, GFX_PS_USES_DEPTH) && !gfx_get(g, GFX_PS_USES_W) &&
               gfx_get(g, GFX_PS_POSITION_OFFSET) == 0 &&
               gfx_get(g, GFX_PS_INPUT_COVERAGE) == 0;
    p->vector_mask = gfx_get(g, GFX_PS_VECTOR_MASK);
    for (uint32_t i = 0; i < 3; i++)
        p->start[i] = gfx_get(g, start[single ? 0 : i]) * GRF;
    p->attributes = gfx_get(g, GFX_SBE_ATTRIBUTES);
}

#if defined(__x86_64__)
/* Behind another thread of that width in a draw whose payloads are plain: into the
 * thread's own registers, and what is the primitive's for the threads behind it, too.
 * Nothing is read here that was just written in smaller pieces. */
static enum igpu_status put_next(struct gfx *g, const struct gfx_setup *s,
                                 const struct gfx_group *group, uint32_t which)
{
    const uint32_t behind = (2 + (2u << which)) * GRF;
    struct gfx_registers *image = &g->d.registers[which];
    uint8_t *own = emu_shader_place(g->thread.machine, image->bytes);
    enum igpu_status status;

    memcpy(own, image->grf, GRF);
    memcpy(own + behind, image->grf + behind, image->bytes - behind);
    gfx_put_group_avx2(group, 8u << which, own);
    g->d.payload = image->bytes;
    if (image->kept == s->number) {
        g->counters.ps_attributes += g->d.pixel.attributes;
        return IGPU_OK;
    }
    image->kept = 0;
    put_primitive(g, s, image->grf);
    put_primitive(g, s, own);
    status = put_attributes(g, s, image->grf, own,
                            g->d.pixel.start[which] + g->d.constant_bytes);
    if (status == IGPU_OK)
        image->kept = s->number;
    else
        (void)emu_shader_place(g->thread.machine, 0);
    return status;
}
#endif

/* Of a primitive's thread behind another one of that width the constants and attributes
 * are there already. */
static enum igpu_status put_payload(struct gfx *g, const struct gfx_setup *s,
                                    const struct gfx_group *group, uint32_t which)
{
    const uint32_t width = 8u << which, lanes = width < 16 ? width : 16;
    struct gfx_registers *image = &g->d.registers[which];
    uint32_t first = g->d.pixel.start[which], at = (width == 32 ? 3 : 2) * GRF;
    bool same = image->kept == s->number;
    enum igpu_status status;

#if defined(__x86_64__)
    if (image->kept != 0 && g->d.pixel.plain && width <= 16)
        return put_next(g, s, group, which);
#endif
    memset(image->grf, 0, same ? first : image->filled);
    put_header(g, s, group, width, image->grf);
    for (uint32_t i = 0; i < width; i += lanes)
        at = put_half(g, s, group, i, lanes, image->grf, at);
    g->d.payload =
        first + g->d.constant_bytes + g->d.pixel.attributes * ATTRIBUTE_GRFS * GRF;
    if (same) {
        g->counters.ps_attributes += g->d.pixel.attributes;
        return IGPU_OK;
    }
    image->kept = 0;
    image->filled = sizeof(image->grf); /* unless all is well */
    if (first + g->d.constant_bytes > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a pixel shader's payload of too many registers");
    g->d.invariant = first;
    memcpy(image->grf + first, g->d.constants, g->d.constant_bytes);
    status = put_attributes(g, s, image->grf, NULL, first + g->d.constant_bytes);
    if (status != IGPU_OK)
        return status;
    image->bytes = g->d.payload;
    image->filled = at > image->bytes ? at : image->bytes;
    image->kept = at <= first ? s->number : 0;
    return IGPU_OK;
}

/* ---- running ------------------------------------------------------------ */

static enum igpu_status pixel_message(void *ctx, const struct isa_inst *inst,
                                      uint8_t *grf, uint32_t mask, struct igpu_err *err)
{
    struct gfx *g = ctx;

    (void)err;
    if (inst->msg.sfid == ISA_SFID_RENDER && gfx_queue_await(g) != IGPU_OK)
        return IGPU_SIM_ERROR;
    if (inst->msg.sfid == ISA_SFID_RENDER)
        return gfx_part(&inst->msg.desc, GFX_TARGET_OPERATION) == TARGET_READ
                   ? gfx_target_read(g, inst, grf, mask)
                   : gfx_target_write(g, inst, grf, mask);
    if (inst->msg.sfid == ISA_SFID_PIXEL)
        return gfx_interpolate(g, inst, grf, mask);
    return gfx_common_message(g, inst, grf, mask, "pixel");
}

/* The pixels' lanes; with the vector mask those of their blocks' neighbours too. */
static uint32_t lanes_of(const struct gfx *g, const struct gfx_group *group)
{
    uint32_t any = group->mask;

    if (!g->d.pixel.vector_mask)
        return group->mask;
    any |= any >> 1;
    any |= any >> 2;
    return (any & UINT32_MAX / 15) * 15;
}

static uint32_t choose(const struct gfx *g, uint32_t count)
{
    if (g->d.ps[0] != NULL && (count <= 2 || (!g->d.ps[1] && !g->d.ps[2])))
        return 0;
    return g->d.ps[1] != NULL ? 1 : 2;
}

static enum igpu_status shade_now(struct gfx *g, const struct gfx_setup *s,
                                  const struct gfx_group *group)
{
    uint32_t which = choose(g, group->count), width = 8u << which,
             lanes = lanes_of(g, group);
    struct emu_counts counts = {0};
    struct emu_shader_classes classes = {{0}};
    enum igpu_status status;

    status = gfx_bind_buffers(g, g->d.ps[which]);
    if (status == IGPU_OK)
        status = put_payload(g, s, group, which);
    if (status != IGPU_OK)
        return status;
    if (!gfx_put_ahead(g))
        return gfx_refuse(g, "memory is short for lines of depth");
    g->d.group = group;
    g->d.setup = s;
    g->d.in_pixels = true;
    g->d.front = s->front;
    g->d.width = width;
    g->d.tested = 0;
    g->d.passed = 0;
    status = gfx_run_thread(g,
                            &(struct gfx_run){g->d.ps[which], g->d.registers[which].grf,
                                              lanes, pixel_message, g},
                            &counts, &classes);
    g->counters.ps_invocations += igpu_count_bits(group->mask);
    g->counters.ps_threads8 += which == 0;
    g->counters.ps_threads16 += which == 1;
    g->counters.ps_threads32 += which == 2;
    g->counters.ps_instructions += counts.instructions;
    g->counters.ps_lane_instructions += counts.lane_instructions;
    g->counters.ps_flops += counts.flops;
    gfx_count_classes(&g->counters.ps_move, &classes);
    g->counters.ps_blocks += group->count;
    g->counters.ps_full_threads += group->count == width / 4;
    g->counters.ps_helper_lanes += igpu_count_bits(lanes & ~group->mask);
    if (status == IGPU_OK)
        gfx_thread_ended(g, GFX_STAGE_PIXEL, g->d.ps[which], &counts);
    return status;
}

/* Slots up to the last one that an attribute may come from. */
static uint32_t slots_read(const struct gfx *g)
{
    const uint32_t *swizzles = &g->c->state[gfx_kept(GFX_3DSTATE_SBE_SWIZ)][1];
    uint32_t first = 2 * gfx_get(g, GFX_SBE_READ_OFFSET), slots = 0;

    for (uint32_t k = 0; k < gfx_get(g, GFX_SBE_ATTRIBUTES); k++) {
        uint32_t slot = first + k, detail;

        if (k < 16 && gfx_get(g, GFX_SBE_SWIZZLE_ON)) { /* or that of its back */
            detail = swizzles[k / 2] >> 16 * (k & 1);
            slot = first + gfx_part(&detail, GFX_ATTRIBUTE_SLOT) + 1;
        }
        slots = slot >= slots ? slot + 1 : slots;
    }
    return slots < GFX_SLOTS ? slots : GFX_SLOTS;
}

enum igpu_status gfx_shade_later(struct gfx *w, const struct gfx_setup *s,
                                 struct gfx_group *group)
{
    /* A width's first thread of the draw takes all. */
    if (group->placed[0] == NULL || w->d.registers[choose(w, group->count)].kept == 0)
        gfx_place(w, s, group);
    return shade_now(w, s, group);
}

enum igpu_status gfx_shade(struct gfx *g, const struct gfx_setup *s,
                           const struct gfx_group *group)
{
    static const struct gfx_shades shades = {gfx_shade_later, slots_read};

    if (g->d.ps[0] == NULL && g->d.ps[1] == NULL && g->d.ps[2] == NULL)
        return IGPU_OK; /* depth and stencil alone */
    return gfx_queue_takes(g, &shades) ? gfx_queue_add(g, s, group)
                                       : shade_now(g, s, group);
}
