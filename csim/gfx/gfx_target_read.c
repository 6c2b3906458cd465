/* gfx_target_read.c - messages that read a render target: what a pixel shader finds at
 * its own pixel, or at its sample of it. */
#include "gfx_mcs.h"
#include "gfx_target.h"
#include "gfx_texture.h"

enum { GRF = 32, SIMD8 = 1 };

/* What the target has at pixel p of the group; NULL: outside of it, or of memory. */
static const uint8_t *texel_of(struct gfx *g, const struct gfx_surface *s, uint32_t p,
                               bool *missing)
{
    const struct gfx_level level =
        gfx_find_level(s, s->level, s->first_layer + g->d.layer);
    uint32_t x = (uint32_t)g->d.group->x[p / 4] + (p & 1);
    uint32_t y = (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1);
    uint32_t sample = g->d.ms.each ? g->d.ms.slot[p / 4] : 0;
    const uint8_t *at;
    uint64_t va;

    if (g->d.layer > s->last_layer || x >= gfx_minify(s->width, s->level) ||
        y >= gfx_minify(s->height, s->level))
        return NULL;
    if (s->samples_log2 > 0 && gfx_mcs_place(g, s, x, y, level.layer) != IGPU_OK)
        return NULL;
    va = s->va + gfx_offset_in(s, &level, x, y + sample * s->qpitch);
    at = gfx_host(g, va, s->format->bytes);
    *missing |= at == NULL;
    gfx_touch_line(g, va / 64);
    g->told.touched.pixels_read++;
    g->counters.target_bytes_read += s->format->bytes;
    return at;
}

static enum igpu_status message_check(struct gfx *g, const struct isa_inst *inst,
                                      const struct gfx_surface *s, uint32_t lanes)
{
    if (inst->dst.file != ISA_FILE_GRF || inst->msg.rlen != lanes / 2 ||
        inst->dst.reg + inst->msg.rlen > ISA_GRF_COUNT)
        return gfx_refuse(g, "a render target message 0x%08x", inst->msg.desc);
    if (s->type > GFX_CUBE || s->format->block)
        return gfx_refuse(g, "a read of a render target of surface type %u", s->type);
    return IGPU_OK;
}

enum igpu_status gfx_target_read(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask)
{
    uint32_t desc = inst->msg.desc, type = gfx_part(&desc, GFX_TARGET_KIND);
    uint32_t lanes = type == SIMD8 ? 8 : 16,
             first = gfx_part(&desc, GFX_TARGET_UPPER) * 16;
    const struct gfx_surface *s = gfx_binding(g, gfx_part(&desc, GFX_TARGET_BINDING));
    bool missing = false;
    enum igpu_status status;

    if (s == NULL)
        return IGPU_SIM_ERROR;
    if (type != SIMD8 && type != 0)
        return gfx_refuse(g, "a render target message 0x%08x", desc);
    status = message_check(g, inst, s, lanes);
    gfx_touch_pairs(g, s);
    for (uint32_t i = 0; i < lanes && status == IGPU_OK; i++) {
        uint32_t p = first + i, rgba[4] = {0, 0, 0, 0};
        const uint8_t *at;

        if (!(mask >> i & 1) || p / 4 >= g->d.group->count)
            continue;
        at = texel_of(g, s, p, &missing);
        if (at != NULL)
            tex_unpack(s->format, at, rgba);
        for (uint32_t c = 0; c < 4; c++)
            memcpy(grf + (inst->dst.reg + c * (lanes / 8)) * GRF + 4 * i, &rgba[c], 4);
    }
    return status == IGPU_OK && missing
               ? gfx_refuse(g, "a pixel lies outside the render target's memory")
               : status;
}
