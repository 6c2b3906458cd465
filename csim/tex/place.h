/* place.h - where the texels of a filter lie along a coordinate, and what they weigh:
 * for kernels' images and shaders' textures alike. Tests: tests/tex/test_tex_place.c */
#ifndef CSIM_TEX_PLACE_H
#define CSIM_TEX_PLACE_H
#include <stdbool.h>
#include <stdint.h>

/* What lies behind an edge: address control modes as SAMPLER_STATE numbers them (volume
 * 2d). TEX_WRAP_CUBE goes on on the next face, which is the caller's. */
enum tex_wrap {
    TEX_WRAP,
    TEX_MIRROR,
    TEX_CLAMP,
    TEX_WRAP_CUBE,
    TEX_CLAMP_BORDER,
    TEX_MIRROR_ONCE,
    TEX_HALF_BORDER
};

/* A place between texels: fractions, and so weights, have 8 bits, as the manual says
 * (volume 2d, SAMPLER_STATE). Those of a place add up to 1, and their products with
 * texels are exact in a double: a filter over equal texels gives just that. */
static inline double tex_place(double texels)
{
    const double whole = 0x1.8p52; /* adding it rounds to integers */

    return (texels * 256 + whole - whole) / 256;
}

/* The texel at x, or the first of two and the weight of the second. x in texels; far
 * outside of every surface is as good as any place there, and NaN is 0. */
static inline __attribute__((always_inline)) void tex_low(double x, bool linear,
                                                          int32_t *low, float *weight)
{
    const double far = 1e9;
    int32_t n;
    double y;

    x = x == x ? x : 0.0;
    x = x > far ? far : x;
    x = x < -far ? -far : x;
    y = linear ? tex_place(x - 0.5) : x;
    n = (int32_t)y;
    n -= (double)n > y;
    *low = n;
    *weight = linear ? (float)(y - (double)n) : 0.0f;
}

/* Texel coordinate i along `size` of them; -1: the border. */
static inline int32_t tex_wrap(uint32_t mode, int32_t i, int32_t size)
{
    int64_t n, twice = 2 * (int64_t)size;

    if ((uint32_t)i < (uint32_t)size)
        return i;
    switch (mode) {
    case TEX_WRAP:
        n = i % size;
        return (int32_t)(n < 0 ? n + size : n);
    case TEX_MIRROR:
        n = i % twice;
        n = n < 0 ? n + twice : n;
        return (int32_t)(n < size ? n : twice - 1 - n);
    case TEX_MIRROR_ONCE:
        n = i < 0 ? -1 - (int64_t)i : i;
        return (int32_t)(n < size ? n : size - 1);
    case TEX_CLAMP_BORDER:
        return -1;
    default:
        return i < 0 ? 0 : size - 1;
    }
}
#endif
