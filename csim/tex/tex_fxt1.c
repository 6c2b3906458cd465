/* tex_fxt1.c - FXT1: blocks of 8x4 texels in 16 bytes, a texel at a time. Source: the
 * specification of GL_3DFX_texture_compression_FXT1. */
#include <string.h>

#include "csim/tex/tex.h"

enum { R, G, B, A };
enum { HALF = 16 }; /* texels of the left 4x4, then those of the right */

/* `count` bits of the block's 128 from bit `at` on; fewer than 32. */
static uint32_t block_bits(const uint8_t *p, uint32_t at, uint32_t count)
{
    uint64_t word = 0;

    for (uint32_t i = 0; i < 5 && at / 8 + i < 16; i++)
        word |= (uint64_t)p[at / 8 + i] << 8 * i;
    return (uint32_t)(word >> at % 8) & ((1u << count) - 1);
}

/* 5 or 6 bits as 8. */
static uint32_t up5(uint32_t c)
{
    return c << 3 | c >> 2;
}

static uint32_t up6(uint32_t c, uint32_t low)
{
    c = c << 1 | low;
    return c << 2 | c >> 4;
}

/* Five bits each of blue, green and red, from bit `at` on. */
static void colour(const uint8_t *p, uint32_t at, uint32_t rgba[4])
{
    rgba[B] = up5(block_bits(p, at, 5));
    rgba[G] = up5(block_bits(p, at + 5, 5));
    rgba[R] = up5(block_bits(p, at + 10, 5));
    rgba[A] = 255;
}

/* t of n steps from a to b. */
static void between(const uint32_t a[4], const uint32_t b[4], uint32_t t, uint32_t n,
                    uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = ((n - t) * a[c] + t * b[c] + n / 2) / n;
}

static void nothing(uint32_t rgba[4])
{
    memset(rgba, 0, 4 * sizeof(*rgba));
}

/* Seven colours between two for all texels, and none. */
static void high(const uint8_t *p, uint32_t t, uint32_t rgba[4])
{
    uint32_t index = block_bits(p, 3 * t, 3), end[2][4];

    colour(p, 96, end[0]);
    colour(p, 111, end[1]);
    if (index == 7)
        nothing(rgba);
    else
        between(end[0], end[1], index, 6, rgba);
}

/* The texel's two bits. */
static uint32_t index_of(const uint8_t *p, uint32_t t)
{
    return block_bits(p, 2 * t, 2);
}

/* Four colours. */
static void chroma(const uint8_t *p, uint32_t t, uint32_t rgba[4])
{
    colour(p, 64 + 15 * index_of(p, t), rgba);
}

/* Two colours of each half, whose green has a sixth bit. */
static void mixed(const uint8_t *p, uint32_t t, uint32_t rgba[4])
{
    bool right = t >= HALF, transparent = block_bits(p, 124, 1);
    uint32_t at = right ? 94 : 64, low = block_bits(p, right ? 126 : 125, 1);
    uint32_t first = block_bits(p, right ? 33 : 1, 1), index = index_of(p, t),
             end[2][4];

    colour(p, at, end[0]);
    colour(p, at + 15, end[1]);
    end[1][G] = up6(block_bits(p, at + 20, 5), low);
    if (!transparent) {
        end[0][G] = up6(block_bits(p, at + 5, 5), low ^ first);
        between(end[0], end[1], index, 3, rgba);
    } else if (index == 3) {
        nothing(rgba);
    } else {
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] = index == 0   ? end[0][c]
                      : index == 2 ? end[1][c]
                                   : (end[0][c] + end[1][c]) / 2;
    }
}

/* Three colours with alpha: each for itself, or each half's own and a common one. */
static void with_alpha(const uint8_t *p, uint32_t t, uint32_t rgba[4])
{
    uint32_t index = index_of(p, t), own = t >= HALF ? 2 : 0, end[2][4];

    if (!block_bits(p, 124, 1)) {
        if (index == 3) {
            nothing(rgba);
            return;
        }
        colour(p, 64 + 15 * index, rgba);
        rgba[A] = up5(block_bits(p, 109 + 5 * index, 5));
        return;
    }
    colour(p, 64 + 15 * own, end[0]);
    end[0][A] = up5(block_bits(p, 109 + 5 * own, 5));
    colour(p, 79, end[1]);
    end[1][A] = up5(block_bits(p, 114, 5));
    between(end[0], end[1], index, 3, rgba);
}

void tex_unpack_fxt1(const uint8_t *block, uint32_t x, uint32_t y, float rgba[4])
{
    uint32_t t = (x & 3) + 4 * y + (x & 4 ? HALF : 0), mode = block_bits(block, 125, 3);
    uint32_t v[4];

    if (mode >= 4)
        mixed(block, t, v);
    else if (mode == 3)
        with_alpha(block, t, v);
    else if (mode == 2)
        chroma(block, t, v);
    else
        high(block, t, v);
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = (float)v[c] / 255;
}
