/* lanes.h - tex_pack() and tex_unpack() of sixteen texels of tex_is_bytes4()'s formats.
 * Here, so that who compiles them for a host's vectors has them so. Tests:
 * tests/tex/test_tex_pack.c */
#ifndef CSIM_TEX_LANES_H
#define CSIM_TEX_LANES_H
#include "csim/tex/tex.h"

enum { TEX_PACKED = 16 };
struct tex_texels {
    float rgba[4][TEX_PACKED];
};

/* to_unorm() of 8 bits without a branch, of all lanes at once; two loops, or GCC makes
 * branches of the bounds. Where the host has fused products one of them rounds to a
 * whole number, which is in a float's lowest bits then: half way, of 0.5 alone, to the
 * even 128, which is up as well. */
static inline void tex_to_bytes(const float *in, int32_t *restrict byte)
{
    float v[TEX_PACKED];

    for (uint32_t i = 0; i < TEX_PACKED; i++) {
        v[i] = in[i] > 0 ? in[i] : 0;
        v[i] = v[i] < 1 ? v[i] : 1;
    }
#if defined(__FP_FAST_FMAF)
    for (uint32_t i = 0; i < TEX_PACKED; i++)
        v[i] = __builtin_fmaf(v[i], 255, 0x1p23f);
    for (uint32_t i = 0; i < TEX_PACKED; i++)
        byte[i] = (int32_t)(tex_bits(v[i]) & UINT8_MAX);
#else
    for (uint32_t i = 0; i < TEX_PACKED; i++)
        byte[i] = (int32_t)((double)v[i] * 255 + 0.5);
#endif
}

static inline void tex_pack_bytes4(const struct tex_format *f,
                                   const struct tex_texels *t,
                                   uint8_t texel[TEX_PACKED][4])
{
    const uint32_t red = f->order == TEX_BGRA ? 2 : 0;
    int32_t byte[4][TEX_PACKED];
    uint32_t word[TEX_PACKED];

    tex_to_bytes(t->rgba[red], byte[0]);
    tex_to_bytes(t->rgba[1], byte[1]);
    tex_to_bytes(t->rgba[2 - red], byte[2]);
    tex_to_bytes(t->rgba[3], byte[3]);
    for (uint32_t i = 0; i < TEX_PACKED; i++)
        word[i] = (uint32_t)byte[0][i] | (uint32_t)byte[1][i] << 8 |
                  (uint32_t)byte[2][i] << 16 | (uint32_t)byte[3][i] << 24;
    memcpy(texel, word, sizeof(word));
}

static inline void tex_unpack_bytes4(const struct tex_format *f,
                                     uint8_t texel[TEX_PACKED][4], struct tex_texels *t)
{
    const uint32_t red = f->order == TEX_BGRA ? 2 : 0, at[4] = {red, 1, 2 - red, 3};

    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t i = 0; i < TEX_PACKED; i++) {
            uint32_t word;

            memcpy(&word, texel[i], sizeof(word));
            t->rgba[c][i] = (float)(int32_t)(word >> 8 * at[c] & 255) / 255;
        }
    for (uint32_t i = 0; i < TEX_PACKED && !f->alpha; i++)
        t->rgba[3][i] = 1;
}
#endif
