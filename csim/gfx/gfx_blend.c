/* gfx_blend.c - what pixels of a target become: blending of all lanes of a message, and
 * texels of four bytes. Compiled twice, as gfx_lanes.c is (the Makefile's TWICE_gfx);
 * both give the same bits. Tests: tests/bridge/test_gfx.sh, tests/tex/test_tex_pack.c
 */
#include "gfx_target.h"

/* Of channel c. */
static void find_factor(const struct gfx_operands *o, uint32_t code, uint32_t c,
                        uint32_t lanes, float *restrict out)
{
    const float *value = o->constant.rgba[3]; /* 8 */
    bool less = code & 16;

    switch (code & 15) {
    case 1: /* one; 17 zero */
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = less ? 0 : 1;
        return;
    case 2:
        value = o->from.rgba[c];
        break;
    case 3:
        value = o->from.rgba[3];
        break;
    case 4:
        value = o->to.rgba[3];
        break;
    case 5:
        value = o->to.rgba[c];
        break;
    case 6:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = c == 3 ? 1 : fminf(o->from.rgba[3][i], 1 - o->to.rgba[3][i]);
        return;
    case 7:
        value = o->constant.rgba[c];
        break;
    case 9:
        value = o->second.rgba[c];
        break;
    case 10:
        value = o->second.rgba[3];
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < lanes; i++)
        out[i] = less ? 1 - value[i] : value[i];
}

static void combine(uint32_t function, uint32_t lanes, const float *restrict s,
                    const float *restrict fs, const float *restrict d,
                    const float *restrict fd, float *restrict out)
{
    switch (function) {
    case 1:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = s[i] * fs[i] - d[i] * fd[i];
        return;
    case 2:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = d[i] * fd[i] - s[i] * fs[i];
        return;
    case 3:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = fminf(s[i], d[i]);
        return;
    case 4:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = fmaxf(s[i], d[i]);
        return;
    default:
        for (uint32_t i = 0; i < lanes; i++)
            out[i] = s[i] * fs[i] + d[i] * fd[i];
    }
}

static void limit(struct tex_texels *t, float low, uint32_t lanes)
{
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t i = 0; i < lanes; i++) {
            float value = t->rgba[c][i];

            value = value > low ? value : low;
            t->rgba[c][i] = value < 1 ? value : 1;
        }
}

/* What o->from becomes; o->second has no value yet. */
static void blend(const struct gfx_target *how, const struct tex_format *f,
                  const struct gfx_second *second, uint32_t lanes,
                  struct gfx_operands *o)
{
    const uint32_t *e = how->blend + 1;
    bool apart = gfx_part(how->blend, GFX_BLEND_ALPHA_APART);
    float low = f->type == TEX_SNORM ? -1 : 0, by[2][TEX_PACKED], out[4][TEX_PACKED];

    for (uint32_t c = 0; c < 4; c++) {
        memset(o->second.rgba[c], 0, lanes * sizeof(float));
        if (second->colour != NULL)
            memcpy(o->second.rgba[c], second->colour + c * second->stride,
                   lanes * sizeof(float));
        for (uint32_t i = 0; i < lanes; i++)
            o->constant.rgba[c][i] = how->constant[c];
    }
    if (f->type == TEX_UNORM || f->type == TEX_SNORM) {
        limit(&o->from, low, lanes);
        limit(&o->second, low, lanes);
        limit(&o->constant, low, lanes);
    }
    for (uint32_t c = 0; c < 4; c++) {
        bool alpha = apart && c == 3;
        uint32_t fs = gfx_part(e, alpha ? GFX_BLEND_ALPHA_FROM : GFX_BLEND_FROM);
        uint32_t fd = gfx_part(e, alpha ? GFX_BLEND_ALPHA_TO : GFX_BLEND_TO);
        uint32_t by_what =
            gfx_part(e, alpha ? GFX_BLEND_ALPHA_COMBINE : GFX_BLEND_COMBINE);

        find_factor(o, fs, c, lanes, by[0]);
        find_factor(o, fd, c, lanes, by[1]);
        combine(by_what, lanes, o->from.rgba[c], by[0], o->to.rgba[c], by[1], out[c]);
    }
    for (uint32_t c = 0; c < 4; c++)
        memcpy(o->from.rgba[c], out[c], lanes * sizeof(float));
}

#if defined(EMU_AVX2)
void gfx_merge_lanes_avx2(const struct gfx_target *how, const struct tex_format *f,
                          const struct gfx_second *second, uint32_t lanes,
                          struct gfx_operands *o, uint8_t texel[TEX_PACKED][4])
#else
void gfx_blend(const struct gfx_target *how, const struct tex_format *f,
               const struct gfx_second *second, uint32_t lanes, struct gfx_operands *o)
{
    blend(how, f, second, lanes, o);
}

void gfx_merge_lanes_any(const struct gfx_target *how, const struct tex_format *f,
                         const struct gfx_second *second, uint32_t lanes,
                         struct gfx_operands *o, uint8_t texel[TEX_PACKED][4])
#endif
{
    if (how->reads)
        tex_unpack_bytes4(f, texel, &o->to);
    if (how->blends)
        blend(how, f, second, lanes, o);
    for (uint32_t c = 0; c < 4; c++)
        if (how->off >> c & 1)
            memcpy(o->from.rgba[c], o->to.rgba[c], sizeof(o->from.rgba[c]));
    tex_pack_bytes4(f, &o->from, texel);
}
