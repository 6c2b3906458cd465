/* gfx_wrap.c - what the two ways of filtering share: where texels are behind an edge,
 * and how they are counted. */
#include "gfx_sample.h"
#include "gfx_texture.h"

void gfx_count_texels(struct gfx *g, const struct tex_format *f, uint64_t count)
{
    struct gfx_counters *c = &g->counters;

    c->texels += count;
    c->texel_bytes += count * f->bytes;
    if (f->block)
        c->texels_compressed += count;
    else if (f->type == TEX_UINT || f->type == TEX_SINT)
        c->texels_integer += count;
    else if (f->type == TEX_FLOAT)
        c->texels_float += count;
    else if (f->bits == 8)
        c->texels_unorm8 += count;
    else
        c->texels_other += count;
}

int32_t gfx_wrap_texel(uint32_t mode, int64_t i, int32_t size)
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
        return i < 0 || i >= size ? -1 : (int32_t)i;
    default:
        return (int32_t)(i < 0 ? 0 : i >= size ? size - 1 : i);
    }
}
