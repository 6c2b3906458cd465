/* gfx_binding.c - surfaces of a stage's binding table. */
#include "gfx_texture.h"

#include <inttypes.h>

static uint32_t alignment(uint32_t code)
{
    return code == 0 ? 4 : 2u << code; /* 1: 4, 2: 8, 3: 16 */
}

static enum igpu_status decode(struct gfx *g, const uint32_t *p, struct gfx_surface *s)
{
    *s = (struct gfx_surface){
        .type = (uint8_t)gfx_part(p, GFX_SURFACE_TYPE),
        .array = gfx_part(p, GFX_SURFACE_ARRAY),
        .format = tex_format(gfx_part(p, GFX_SURFACE_FORMAT)),
        .valign = alignment(gfx_part(p, GFX_SURFACE_VALIGN)),
        .halign = alignment(gfx_part(p, GFX_SURFACE_HALIGN)),
        .tiling = (uint8_t)gfx_part(p, GFX_SURFACE_TILING),
        .qpitch = gfx_part(p, GFX_SURFACE_QPITCH) * 4,
        .width = gfx_part(p, GFX_SURFACE_WIDTH) + 1,
        .height = gfx_part(p, GFX_SURFACE_HEIGHT) + 1,
        .depth = gfx_part(p, GFX_SURFACE_DEPTH) + 1,
        .pitch = gfx_part(p, GFX_SURFACE_PITCH) + 1,
        .first_layer = gfx_part(p, GFX_SURFACE_FIRST_LAYER),
        .last_layer = gfx_part(p, GFX_SURFACE_LAST_LAYER),
        .min_lod = gfx_part(p, GFX_SURFACE_MIN_LOD),
        .level = gfx_part(p, GFX_SURFACE_LEVEL),
        .x_offset = gfx_part(p, GFX_SURFACE_X_OFFSET) * 4,
        .y_offset = gfx_part(p, GFX_SURFACE_Y_OFFSET) * 4,
        .va = gfx_part_address(p, GFX_SURFACE_ADDRESS),
        .aux_va = gfx_part_address(p, GFX_SURFACE_AUX_ADDRESS),
        .aux_pitch = (gfx_part(p, GFX_SURFACE_AUX_PITCH) + 1) * 128,
        .aux_qpitch = gfx_part(p, GFX_SURFACE_AUX_QPITCH) * 4,
        .clear = {p[12], p[13], p[14], p[15]},
        .select = {(uint8_t)gfx_part(p, GFX_SURFACE_SELECT_RED),
                   (uint8_t)gfx_part(p, GFX_SURFACE_SELECT_GREEN),
                   (uint8_t)gfx_part(p, GFX_SURFACE_SELECT_BLUE),
                   (uint8_t)gfx_part(p, GFX_SURFACE_SELECT_ALPHA)},
    };
    s->levels = s->level + 1;
    if (s->type == GFX_NULL)
        return IGPU_OK;
    if (s->type == GFX_BUFFER) {
        s->width = (gfx_part(p, GFX_BUFFER_ENTRIES_LOW) |
                    gfx_part(p, GFX_BUFFER_ENTRIES_MIDDLE) << 7 |
                    gfx_part(p, GFX_BUFFER_ENTRIES_HIGH) << 21) +
                   1;
        return IGPU_OK;
    }
    if (s->format == NULL)
        return gfx_refuse(g, "a surface of format 0x%x",
                          gfx_part(p, GFX_SURFACE_FORMAT));
    s->samples_log2 = (uint8_t)gfx_part(p, GFX_SURFACE_SAMPLES_LOG2);
    s->interleaved = gfx_part(p, GFX_SURFACE_INTERLEAVED);
    if (s->samples_log2 > 4)
        return gfx_refuse(g, "a surface of %u samples", 1u << s->samples_log2);
    /* Nothing is compressed: each pixel, and each sample, is in its place. */
    s->aux = (uint8_t)gfx_part(p, GFX_SURFACE_AUX_MODE);
    if (s->aux != GFX_AUX_NONE && s->aux != GFX_AUX_CLEAR && s->aux != GFX_AUX_DEPTH &&
        s->aux != GFX_AUX_COLOUR)
        return gfx_refuse(g, "a surface of auxiliary mode %u", s->aux);
    if (gfx_part(p, GFX_SURFACE_TILED_RESOURCE) != 0)
        return gfx_refuse(g, "a surface in tiles of 64 KB");
    return IGPU_OK;
}

void gfx_forget_bindings(struct gfx *g)
{
    memset(g->d.known, 0, sizeof(g->d.known));
    memset(g->d.sampler_at, 0, sizeof(g->d.sampler_at));
    for (uint32_t i = 0; i < GFX_PLAINS; i++)
        g->d.plain[i].sampler = 0;
    g->d.bindless_known = 0;
}

void gfx_bind_stage(struct gfx *g, enum gfx_stage stage)
{
    static const struct {
        enum gfx_field table, samplers;
    } of[] = {
        [GFX_STAGE_VERTEX] = {GFX_VS_BINDINGS, GFX_VS_SAMPLERS},
        [GFX_STAGE_HULL] = {GFX_HS_BINDINGS, GFX_HS_SAMPLERS},
        [GFX_STAGE_DOMAIN] = {GFX_DS_BINDINGS, GFX_DS_SAMPLERS},
        [GFX_STAGE_GEOMETRY] = {GFX_GS_BINDINGS, GFX_GS_SAMPLERS},
        [GFX_STAGE_PIXEL] = {GFX_PS_BINDINGS, GFX_PS_SAMPLERS},
    };
    uint64_t at = g->c->surface_base + gfx_get_offset(g, of[stage].table);

    if (at != g->d.table)
        gfx_forget_bindings(g);
    g->d.table = at;
    g->d.samplers = g->c->dynamic_base + gfx_get_offset(g, of[stage].samplers);
}

const struct gfx_surface *gfx_binding(struct gfx *g, uint32_t index)
{
    struct gfx_surface *s = &g->d.binding[index % GFX_MAX_BINDINGS];
    uint32_t entry, state[16];

    if (index >= GFX_MAX_BINDINGS) {
        (void)gfx_refuse(g, "binding table entry %u", index);
        return NULL;
    }
    if (g->d.known[index / 64] >> index % 64 & 1)
        return s;
    if (gfx_read(g, g->d.table + (uint64_t)index * 4, &entry, 4) != IGPU_OK ||
        gfx_read(g, g->c->surface_base + gfx_part_offset(&entry, GFX_BINDING_SURFACE),
                 state, 64) != IGPU_OK ||
        decode(g, state, s) != IGPU_OK)
        return NULL;
    g->d.known[index / 64] |= (uint64_t)1 << index % 64;
    return s;
}

/* Number n is the n-th state of 64 bytes from the base on. */
static const struct gfx_surface *bindless(struct gfx *g, uint32_t number)
{
    uint32_t at = number % GFX_BINDLESS, state[16];
    struct gfx_surface *s = &g->d.bindless[at];

    if (g->d.bindless_known >> at & 1 && g->d.bindless_number[at] == number)
        return s;
    g->d.bindless_known &= ~((uint64_t)1 << at);
    if (gfx_read(g, g->c->bindless_base + (uint64_t)number * 64, state, 64) !=
            IGPU_OK ||
        decode(g, state, s) != IGPU_OK)
        return NULL;
    g->d.bindless_number[at] = number;
    g->d.bindless_known |= (uint64_t)1 << at;
    return s;
}

const struct gfx_surface *gfx_surface_of(struct gfx *g, const struct isa_message *m)
{
    enum { BINDLESS = 252 };

    return m->exdesc_reg && m->bti == BINDLESS ? bindless(g, m->exdesc >> 12)
                                               : gfx_binding(g, m->bti);
}

enum igpu_status gfx_bind_buffer(void *ctx, uint32_t index)
{
    struct gfx *g = ctx;
    const struct gfx_surface *s = gfx_binding(g, index);

    if (s == NULL)
        return IGPU_SIM_ERROR;
    if (s->type != GFX_BUFFER)
        return gfx_refuse(g, "surface %u, of type %u, through the data port", index,
                          s->type);
    emu_shader_bind(g->thread.machine, index, s->va, (uint64_t)s->width * s->pitch);
    return IGPU_OK;
}

enum igpu_status gfx_bind_buffers(struct gfx *g, const struct gfx_shader *shader)
{
    for (uint32_t i = 0; i < EMU_SHADER_BINDING_WORDS && shader->has_buffers; i++)
        for (uint64_t rest = shader->buffers[i]; rest != 0; rest &= rest - 1)
            if (gfx_bind_buffer(g, 64 * i + (uint32_t)__builtin_ctzll(rest)) != IGPU_OK)
                return IGPU_SIM_ERROR;
    return IGPU_OK;
}
