/* gfx_samples.c - the samples of a pixel: where they lie, and their tests behind the
 * pixel shader. */
#include "gfx_depth.h"

static const uint8_t pattern_place[5] = {30, 28, 24, 16, 0}; /* bytes, by samples */

void gfx_find_samples(struct gfx *g)
{
    struct gfx_multisample *m = &g->d.ms;
    uint32_t log2 = gfx_get(g, GFX_SAMPLES_LOG2);

    m->count = log2 < 5 ? 1u << log2 : 1;
    m->spread = m->count > 1 && gfx_get(g, GFX_MULTISAMPLE_RASTER);
    m->each = m->count > 1 && gfx_get(g, GFX_PS_VALID) && gfx_get(g, GFX_PS_PER_SAMPLE);
    m->sample = 0;
    m->all = m->count > 1 ? gfx_get(g, GFX_SAMPLE_MASK) & ((1u << m->count) - 1) : 1;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t byte = pattern_place[log2 < 5 ? log2 : 0] + i;
        uint8_t at = 8 << 4 | 8; /* the middle */

        if (m->count == 8) /* the first four lie behind the others */
            byte ^= 4;
        if (m->count > 1)
            at = (uint8_t)(g->c->pattern[byte / 4] >> 8 * (byte % 4));
        m->x[i] = at >> 4;
        m->y[i] = at & 15;
    }
}

/* own: each pixel's depth, which its shader computed; NULL: the samples' own. */
uint32_t gfx_multisample_late(struct gfx *g, uint32_t pixels, const double *own,
                              enum igpu_status *status)
{
    struct gfx_multisample *m = &g->d.ms;
    uint32_t left = 0;

    for (uint32_t k = 0; k < m->count && *status == IGPU_OK; k++) {
        uint32_t mask = 0, passed;

        for (uint32_t i = 0; i < GFX_BLOCKS * 4; i++)
            mask |= (m->covered[i] >> k & 1) << i;
        mask &= pixels;
        m->sample = k;
        passed = gfx_depth_stencil(g, g->d.group, mask, own != NULL ? own : m->z[k],
                                   g->d.front, status);
        for (uint32_t rest = mask & ~passed; rest != 0; rest &= rest - 1)
            m->covered[__builtin_ctz(rest)] &= ~(1u << k);
        left |= passed;
    }
    return left;
}
