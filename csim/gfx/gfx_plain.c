/* gfx_plain.c - what gfx_bytes.c needs of a texture and a sampler, found once a draw.
 */
#include "gfx_plain.h"

static bool is_power(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

/* Its size and where it lies. False: too far away for the lanes' offsets. */
static bool add_level(const struct gfx_surface *s, struct gfx_plain *p, uint32_t level,
                      uint64_t *bytes)
{
    const struct gfx_level at = gfx_find_level(s, s->min_lod + level, s->first_layer);
    const uint32_t size[2] = {gfx_minify(s->width, at.level),
                              gfx_minify(s->height, at.level)};
    const uint64_t columns = ((uint64_t)at.x + size[0]) * s->format->bytes,
                   rows = (uint64_t)at.y + size[1];
    uint64_t end;

    if (columns > s->pitch || rows > 1 << 20)
        return false;
    end = gfx_surface_bytes(s, (uint32_t)columns, (uint32_t)rows);
    *bytes = end > *bytes ? end : *bytes;
    for (uint32_t d = 0; d < 2; d++) {
        p->scale[d][level] = p->texels ? 256.0f : 256.0f * (float)size[d];
        p->last[d][level] = size[d] - 1;
        p->corner[d][level] = d == 0 ? at.x : at.y;
        p->powers[d] &= is_power(size[d]);
    }
    return true;
}

static bool is_known(const struct gfx_surface *s, const struct gfx_sampler *t)
{
    const struct tex_format *f = s->format;

    return s->type == GFX_2D && !(s->array && s->depth > 1) && f != NULL &&
           s->tiling != GFX_TILE_W && !f->block && gfx_kind_of(f) == GFX_BYTES &&
           t->reduction < REDUCE_LEAST && t->wrap[0] != TEX_HALF_BORDER &&
           t->wrap[1] != TEX_HALF_BORDER && t->min_filter != FILTER_ANISOTROPIC &&
           s->levels > 0 && s->levels <= GFX_PLAIN_LEVELS;
}

void gfx_plan(struct gfx *g, const struct gfx_surface *s, const struct gfx_sampler *t,
              struct gfx_plain *p)
{
    uint64_t bytes = 0;

    p->on = false;
    if (!is_known(s, t))
        return;
    p->texels = t->unnormalized;
    p->powers[0] = p->powers[1] = true;
    for (uint32_t level = 0; level < s->levels; level++)
        if (!add_level(s, p, level, &bytes))
            return;
    for (uint32_t d = 0; d < 2; d++) {
        uint32_t size = d == 0 ? s->width : s->height;

        p->first[d] = p->texels ? 1.0 : (double)gfx_minify(size, s->min_lod);
    }
    p->host = bytes <= INT32_MAX ? emu_mem_host(g->mem, s->va, bytes) : NULL;
    p->on = p->host != NULL;
}

const struct gfx_plain *gfx_find_plain(struct gfx *g, const struct gfx_surface *s,
                                       uint64_t sampler, const struct gfx_sampler *t)
{
    uint64_t binding;
    struct gfx_plain *p;

    if (s < g->d.binding || s >= g->d.binding + GFX_MAX_BINDINGS)
        return NULL; /* its place may be another's next */
    binding = (uint64_t)(s - g->d.binding);
    /* So that binding i with sampler i, and one with two of them, are apart. */
    p = &g->d.plain[(binding + 4 * (sampler / 16)) % GFX_PLAINS];
    if (p->sampler != sampler + 1 || p->binding != binding) {
        p->sampler = sampler + 1;
        p->binding = binding;
        gfx_plan(g, s, t, p);
    }
    return p->on ? p : NULL;
}
