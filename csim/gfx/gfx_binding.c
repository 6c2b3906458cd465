/* gfx_binding.c - surfaces of a stage's binding table. */
#include "gfx_int.h"

#include <inttypes.h>

static uint32_t alignment(uint32_t code)
{
    return code == 0 ? 4 : 2u << code; /* 1: 4, 2: 8, 3: 16 */
}

static enum igpu_status decode(struct gfx *g, const uint32_t *p, struct gfx_surface *s)
{
    *s = (struct gfx_surface){
        .type = (uint8_t)gfx_bits(p[0], 29, 31),
        .array = gfx_bits(p[0], 28, 28),
        .format = gfx_format(gfx_bits(p[0], 18, 27)),
        .valign = alignment(gfx_bits(p[0], 16, 17)),
        .halign = alignment(gfx_bits(p[0], 14, 15)),
        .tiling = (uint8_t)gfx_bits(p[0], 12, 13),
        .qpitch = gfx_bits(p[1], 0, 14) * 4,
        .width = gfx_bits(p[2], 0, 13) + 1,
        .height = gfx_bits(p[2], 16, 29) + 1,
        .depth = gfx_bits(p[3], 21, 31) + 1,
        .pitch = gfx_bits(p[3], 0, 17) + 1,
        .first_layer = gfx_bits(p[4], 18, 28),
        .last_layer = gfx_bits(p[4], 7, 17),
        .min_lod = gfx_bits(p[5], 4, 7),
        .level = gfx_bits(p[5], 0, 3),
        .x_offset = gfx_bits(p[5], 25, 31) * 4,
        .y_offset = gfx_bits(p[5], 21, 23) * 4,
        .va = (uint64_t)(p[9] & 0xFFFF) << 32 | p[8],
        .aux_va = ((uint64_t)(p[11] & 0xFFFF) << 32 | p[10]) & ~(uint64_t)4095,
        .aux_pitch = (gfx_bits(p[6], 3, 11) + 1) * 128,
        .clear = {p[12], p[13], p[14], p[15]},
    };
    s->levels = s->level + 1;
    for (uint32_t c = 0; c < 4; c++)
        s->select[c] = (uint8_t)gfx_bits(p[7], 25 - 3 * c, 27 - 3 * c);
    if (s->type == GFX_NULL)
        return IGPU_OK;
    if (s->type == GFX_BUFFER) {
        s->width = ((p[2] & 0x7F) | gfx_bits(p[2], 16, 29) << 7 |
                    gfx_bits(p[3], 21, 31) << 21) +
                   1;
        return IGPU_OK;
    }
    if (s->format == NULL)
        return gfx_refuse(g, "a surface of format 0x%x", gfx_bits(p[0], 18, 27));
    s->samples_log2 = (uint8_t)gfx_bits(p[4], 3, 5);
    s->interleaved = p[4] >> 6 & 1;
    if (s->samples_log2 > 4)
        return gfx_refuse(g, "a surface of %u samples", 1u << s->samples_log2);
    /* Nothing is compressed: each pixel, and each sample, is in its place. */
    s->aux = (uint8_t)gfx_bits(p[6], 0, 2);
    if (s->aux != GFX_AUX_NONE && s->aux != GFX_AUX_CLEAR && s->aux != GFX_AUX_DEPTH &&
        s->aux != GFX_AUX_COLOUR)
        return gfx_refuse(g, "a surface of auxiliary mode %u", s->aux);
    if (gfx_bits(p[5], 18, 19) != 0)
        return gfx_refuse(g, "a surface in tiles of 64 KB");
    return IGPU_OK;
}

void gfx_forget_bindings(struct gfx *g)
{
    memset(g->d.known, 0, sizeof(g->d.known));
    g->d.bindless_known = 0;
}

void gfx_bind_stage(struct gfx *g, uint32_t table, uint32_t samplers)
{
    uint64_t at = g->c->surface_base + (g->c->state[table][1] & 0xFFE0);

    if (at != g->d.table)
        gfx_forget_bindings(g);
    g->d.table = at;
    g->d.samplers = g->c->dynamic_base + (g->c->state[samplers][1] & ~31u);
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
        gfx_read(g, g->c->surface_base + (entry & ~63u), state, 64) != IGPU_OK ||
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
    emu_shader_bind(g->machine, index, s->va, (uint64_t)s->width * s->pitch);
    return IGPU_OK;
}

enum igpu_status gfx_bind_buffers(struct gfx *g, const struct gfx_shader *shader)
{
    for (uint32_t i = 0; i < EMU_SHADER_BINDING_WORDS; i++)
        for (uint64_t rest = shader->buffers[i]; rest != 0; rest &= rest - 1)
            if (gfx_bind_buffer(g, 64 * i + (uint32_t)__builtin_ctzll(rest)) != IGPU_OK)
                return IGPU_SIM_ERROR;
    return IGPU_OK;
}
