/* tex.h - what is in a texel: formats of surfaces and vertices, compressed blocks,
 * numbers, for shaders and for kernels. Numbers of formats are those of SURFACE_FORMAT
 * in volume 2d, Command Reference: Structures. Tests: tests/tex,
 * tests/csim/test_gfx_astc.c */
#ifndef CSIM_TEX_H
#define CSIM_TEX_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A float as its bits, and back: words of r g b a are either. */
static inline uint32_t tex_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}
static inline float tex_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

/* Formats that something else than the table of them (formats.def) must know; behind
 * the last two are those of ASTC's blocks, by their sizes. */
enum {
    TEX_R11G11B10 = 0x0D3,
    TEX_R9G9B9E5 = 0x0ED,
    TEX_ASTC_SRGB = 0x200,
    TEX_ASTC_LINEAR = 0x240
};

enum tex_number {
    TEX_UNORM,
    TEX_SNORM,
    TEX_UINT,
    TEX_SINT,
    TEX_FLOAT,
    TEX_USCALED, /* integers that become floats: of vertices, as the next two */
    TEX_SSCALED,
    TEX_SFIXED /* 1/65536 */
};
enum tex_order { TEX_RGBA, TEX_BGRA, TEX_ABGR }; /* from the lowest address or bit on */
/* What the channels are; those of TEX_COLOUR are named by tex_order. */
enum tex_channels { TEX_COLOUR, TEX_ALPHA, TEX_GREY, TEX_INTENSITY, TEX_GREY_ALPHA };

/* A format whose channels all have one size, or one of the packed ones. */
struct tex_format {
    uint16_t number;
    uint8_t channels, bits; /* bits of a channel; packed: 0 */
    uint8_t type;           /* enum tex_number */
    uint8_t bytes;          /* of a block of texels where `block` is set */
    uint8_t order;          /* enum tex_order */
    bool srgb;
    bool alpha;       /* false: alpha reads 1, and the channel in memory is none */
    uint8_t block;    /* enum tex_block of a compressed format */
    uint8_t as;       /* enum tex_channels */
    uint8_t width[4]; /* of a packed format's channels: bits, from the lowest on */
};

enum tex_block {
    TEX_NO_BLOCK,
    TEX_BC1_RGB,
    TEX_BC1,
    TEX_BC2,
    TEX_BC3,
    TEX_BC4,
    TEX_BC5,
    TEX_ETC2_RGB,
    TEX_ETC2_PTA,
    TEX_ETC2_RGBA,
    TEX_EAC_R,
    TEX_EAC_RG,
    TEX_BC6H,
    TEX_BC6H_SIGNED,
    TEX_BC7,
    TEX_FXT1,
    TEX_ASTC
};
/* Texels across and down. The number of an ASTC format has both, three bits each. */
static inline uint32_t tex_astc_side(uint32_t code)
{
    return code == 7 ? 12 : 4 + code;
}
static inline uint32_t tex_block_width(const struct tex_format *f)
{
    return f->block == TEX_FXT1   ? 8
           : f->block == TEX_ASTC ? tex_astc_side(f->number >> 3 & 7)
                                  : 4;
}
static inline uint32_t tex_block_height(const struct tex_format *f)
{
    return f->block == TEX_ASTC ? tex_astc_side(f->number & 7) : 4;
}

/* NULL: not known here. */
const struct tex_format *tex_format(uint32_t number);
/* A texel to r g b a, floats or 32-bit integers by the format's type, and back. srgb is
 * undone and done. */
void tex_unpack(const struct tex_format *f, const uint8_t *texel, uint32_t rgba[4]);
/* Texel x, y of a block. */
void tex_unpack_block(const struct tex_format *f, const uint8_t *block, uint32_t x,
                      uint32_t y, uint32_t rgba[4]);
/* tex_fxt1.c: as floats. */
void tex_unpack_fxt1(const uint8_t *block, uint32_t x, uint32_t y, float rgba[4]);
/* tex_astc.c: the same; a block that is not legal, or of high dynamic range, is
 * magenta.
 */
void tex_unpack_astc(const struct tex_format *f, const uint8_t *block, uint32_t x,
                     uint32_t y, float rgba[4]);
/* tex_bptc.c: as floats, sRGB as it is stored; BC6H and BC7 alone. */
void tex_unpack_bptc(const struct tex_format *f, const uint8_t *block, uint32_t x,
                     uint32_t y, float rgba[4]);
void tex_pack(const struct tex_format *f, const uint32_t rgba[4], uint8_t *texel);
/* Is a texel four bytes of red, green, blue and alpha in some order, as of most
 * pictures? csim/tex/lanes.h has many of them at once. */
bool tex_is_bytes4(const struct tex_format *f);

/* IEC 61966-2-1, a channel from 0 to 1 as it is stored to linear and back, each the
 * float nearest to the formula's value. Back: below 0, and what is no number, 0; at
 * most 1. */
float tex_from_srgb(float c);
float tex_to_srgb(float c);
#endif
