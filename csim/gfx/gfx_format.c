/* gfx_format.c - formats of texels and vertices, by number; gfx_texel.c converts. */
#include <stddef.h>

#include "gfx_surface.h"

/* number, channels, bits of each, type; X: the last one in memory is none */
#define PLAIN(number, channels, bits, type)                                            \
    {                                                                                  \
        number, channels, bits, GFX_##type, (channels) * (bits) / 8, GFX_RGBA, false,  \
            (channels) == 4, 0, GFX_COLOUR,                                            \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
#define PLAIN_X(number, bits, type)                                                    \
    {                                                                                  \
        number, 4, bits, GFX_##type, 4 * (bits) / 8, GFX_RGBA, false, false, 0,        \
            GFX_COLOUR,                                                                \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, order, srgb, alpha: four bytes */
#define BYTES4(number, order, srgb, alpha)                                             \
    {                                                                                  \
        number, 4, 8, GFX_UNORM, 4, GFX_##order, srgb, alpha, 0, GFX_COLOUR,           \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, channels, bits, type, srgb, what they are */
#define GREY(number, channels, bits, type, srgb, as)                                   \
    {                                                                                  \
        number, channels, bits, GFX_##type, (channels) * (bits) / 8, GFX_RGBA, srgb,   \
            false, 0, GFX_##as,                                                        \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, bytes, order, type, srgb, and the bits of channels from the lowest on */
#define PACKED(number, bytes, order, type, srgb, a, b, c, d)                           \
    {                                                                                  \
        number, 4, 0, GFX_##type, bytes, GFX_##order, srgb, (d) != 0, 0, GFX_COLOUR,   \
        {                                                                              \
            a, b, c, d                                                                 \
        }                                                                              \
    }
/* number, enum gfx_block, bytes, type, srgb */
#define BLOCK(number, block, bytes, type, srgb)                                        \
    {                                                                                  \
        number, 4, 8, GFX_##type, bytes, GFX_RGBA, srgb, true, GFX_##block,            \
            GFX_COLOUR,                                                                \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* A size of blocks, as sRGB and not */
#define ASTC(size)                                                                     \
    BLOCK(0x200 + (size), ASTC, 16, UNORM, true),                                      \
        BLOCK(0x240 + (size), ASTC, 16, UNORM, false)

static const struct gfx_format formats[] = {
    PLAIN(0x000, 4, 32, FLOAT),
    PLAIN(0x001, 4, 32, SINT),
    PLAIN(0x002, 4, 32, UINT),
    PLAIN(0x003, 4, 32, UNORM),
    PLAIN(0x004, 4, 32, SNORM),
    PLAIN(0x007, 4, 32, SSCALED),
    PLAIN(0x008, 4, 32, USCALED),
    PLAIN(0x020, 4, 32, SFIXED),
    PLAIN(0x040, 3, 32, FLOAT),
    PLAIN(0x041, 3, 32, SINT),
    PLAIN(0x042, 3, 32, UINT),
    PLAIN(0x043, 3, 32, UNORM),
    PLAIN(0x044, 3, 32, SNORM),
    PLAIN(0x045, 3, 32, SSCALED),
    PLAIN(0x046, 3, 32, USCALED),
    PLAIN(0x050, 3, 32, SFIXED),
    PLAIN(0x080, 4, 16, UNORM),
    PLAIN(0x081, 4, 16, SNORM),
    PLAIN(0x082, 4, 16, SINT),
    PLAIN(0x083, 4, 16, UINT),
    PLAIN(0x084, 4, 16, FLOAT),
    PLAIN(0x093, 4, 16, SSCALED),
    PLAIN(0x094, 4, 16, USCALED),
    PLAIN(0x085, 2, 32, FLOAT),
    PLAIN(0x086, 2, 32, SINT),
    PLAIN(0x087, 2, 32, UINT),
    PLAIN(0x08B, 2, 32, UNORM),
    PLAIN(0x08C, 2, 32, SNORM),
    PLAIN(0x095, 2, 32, SSCALED),
    PLAIN(0x096, 2, 32, USCALED),
    PLAIN(0x0A0, 2, 32, SFIXED),
    PLAIN(0x0C9, 4, 8, SNORM),
    PLAIN(0x0CA, 4, 8, SINT),
    PLAIN(0x0CB, 4, 8, UINT),
    PLAIN(0x0F4, 4, 8, SSCALED),
    PLAIN(0x0F5, 4, 8, USCALED),
    PLAIN(0x0CC, 2, 16, UNORM),
    PLAIN(0x0CD, 2, 16, SNORM),
    PLAIN(0x0CE, 2, 16, SINT),
    PLAIN(0x0CF, 2, 16, UINT),
    PLAIN(0x0D0, 2, 16, FLOAT),
    PLAIN(0x0F6, 2, 16, SSCALED),
    PLAIN(0x0F7, 2, 16, USCALED),
    PLAIN(0x0D6, 1, 32, SINT),
    PLAIN(0x0D7, 1, 32, UINT),
    PLAIN(0x0D8, 1, 32, FLOAT),
    PLAIN(0x0F1, 1, 32, UNORM),
    PLAIN(0x0F2, 1, 32, SNORM),
    PLAIN(0x0F8, 1, 32, SSCALED),
    PLAIN(0x0F9, 1, 32, USCALED),
    PLAIN(0x1B2, 1, 32, SFIXED),
    PLAIN(0x106, 2, 8, UNORM),
    PLAIN(0x107, 2, 8, SNORM),
    PLAIN(0x108, 2, 8, SINT),
    PLAIN(0x109, 2, 8, UINT),
    PLAIN(0x11C, 2, 8, SSCALED),
    PLAIN(0x11D, 2, 8, USCALED),
    PLAIN(0x10A, 1, 16, UNORM),
    PLAIN(0x10B, 1, 16, SNORM),
    PLAIN(0x10C, 1, 16, SINT),
    PLAIN(0x10D, 1, 16, UINT),
    PLAIN(0x10E, 1, 16, FLOAT),
    PLAIN(0x11E, 1, 16, SSCALED),
    PLAIN(0x11F, 1, 16, USCALED),
    PLAIN(0x140, 1, 8, UNORM),
    PLAIN(0x141, 1, 8, SNORM),
    PLAIN(0x142, 1, 8, SINT),
    PLAIN(0x143, 1, 8, UINT),
    PLAIN(0x149, 1, 8, SSCALED),
    PLAIN(0x14A, 1, 8, USCALED),
    PLAIN(0x193, 3, 8, UNORM),
    PLAIN(0x194, 3, 8, SNORM),
    PLAIN(0x195, 3, 8, SSCALED),
    PLAIN(0x196, 3, 8, USCALED),
    PLAIN(0x1C8, 3, 8, UINT),
    PLAIN(0x1C9, 3, 8, SINT),
    PLAIN(0x19B, 3, 16, FLOAT),
    PLAIN(0x19C, 3, 16, UNORM),
    PLAIN(0x19D, 3, 16, SNORM),
    PLAIN(0x19E, 3, 16, SSCALED),
    PLAIN(0x19F, 3, 16, USCALED),
    PLAIN(0x1B0, 3, 16, UINT),
    PLAIN(0x1B1, 3, 16, SINT),
    PLAIN(0x0A1, 2, 32, UINT),
    PLAIN(0x021, 4, 32, UINT),
    PLAIN_X(0x006, 32, FLOAT),
    PLAIN_X(0x08E, 16, UNORM),
    PLAIN_X(0x08F, 16, FLOAT),
    BYTES4(0x0C0, BGRA, false, true),
    BYTES4(0x0C1, BGRA, true, true),
    BYTES4(0x0C7, RGBA, false, true),
    BYTES4(0x0C8, RGBA, true, true),
    BYTES4(0x0E9, BGRA, false, false),
    BYTES4(0x0EA, BGRA, true, false),
    BYTES4(0x0EB, RGBA, false, false),
    BYTES4(0x0EC, RGBA, true, false),
    GREY(0x08A, 2, 32, FLOAT, false, GREY_ALPHA),
    GREY(0x0DF, 2, 16, UNORM, false, GREY_ALPHA),
    GREY(0x0F0, 2, 16, FLOAT, false, GREY_ALPHA),
    GREY(0x114, 2, 8, UNORM, false, GREY_ALPHA),
    GREY(0x118, 2, 8, UNORM, true, GREY_ALPHA),
    GREY(0x0E3, 1, 32, FLOAT, false, INTENSITY),
    GREY(0x0E4, 1, 32, FLOAT, false, GREY),
    GREY(0x0E5, 1, 32, FLOAT, false, ALPHA),
    GREY(0x111, 1, 16, UNORM, false, INTENSITY),
    GREY(0x112, 1, 16, UNORM, false, GREY),
    GREY(0x113, 1, 16, UNORM, false, ALPHA),
    GREY(0x115, 1, 16, FLOAT, false, INTENSITY),
    GREY(0x116, 1, 16, FLOAT, false, GREY),
    GREY(0x117, 1, 16, FLOAT, false, ALPHA),
    GREY(0x144, 1, 8, UNORM, false, ALPHA),
    GREY(0x145, 1, 8, UNORM, false, INTENSITY),
    GREY(0x146, 1, 8, UNORM, false, GREY),
    GREY(0x14C, 1, 8, UNORM, true, GREY),
    PACKED(0x0C2, 4, RGBA, UNORM, false, 10, 10, 10, 2),
    PACKED(0x0C3, 4, RGBA, UNORM, true, 10, 10, 10, 2),
    PACKED(0x0C4, 4, RGBA, UINT, false, 10, 10, 10, 2),
    PACKED(0x0D1, 4, BGRA, UNORM, false, 10, 10, 10, 2),
    PACKED(0x0D2, 4, BGRA, UNORM, true, 10, 10, 10, 2),
    PACKED(0x0EE, 4, BGRA, UNORM, false, 10, 10, 10, 0),
    PACKED(0x1B3, 4, RGBA, SNORM, false, 10, 10, 10, 2),
    PACKED(0x1B4, 4, RGBA, USCALED, false, 10, 10, 10, 2),
    PACKED(0x1B5, 4, RGBA, SSCALED, false, 10, 10, 10, 2),
    PACKED(0x1B6, 4, RGBA, SINT, false, 10, 10, 10, 2),
    PACKED(0x1B7, 4, BGRA, SNORM, false, 10, 10, 10, 2),
    PACKED(0x1B8, 4, BGRA, USCALED, false, 10, 10, 10, 2),
    PACKED(0x1B9, 4, BGRA, SSCALED, false, 10, 10, 10, 2),
    PACKED(0x1BA, 4, BGRA, UINT, false, 10, 10, 10, 2),
    PACKED(0x1BB, 4, BGRA, SINT, false, 10, 10, 10, 2),
    PACKED(0x0D9, 4, RGBA, UNORM, false, 24, 0, 0, 0),
    PACKED(GFX_R11G11B10, 4, RGBA, FLOAT, false, 11, 11, 10, 0),
    PACKED(GFX_R9G9B9E5, 4, RGBA, FLOAT, false, 9, 9, 9, 0),
    PACKED(0x100, 2, BGRA, UNORM, false, 5, 6, 5, 0),
    PACKED(0x101, 2, BGRA, UNORM, true, 5, 6, 5, 0),
    PACKED(0x102, 2, BGRA, UNORM, false, 5, 5, 5, 1),
    PACKED(0x103, 2, BGRA, UNORM, true, 5, 5, 5, 1),
    PACKED(0x104, 2, BGRA, UNORM, false, 4, 4, 4, 4),
    PACKED(0x105, 2, BGRA, UNORM, true, 4, 4, 4, 4),
    PACKED(0x11A, 2, BGRA, UNORM, false, 5, 5, 5, 0),
    PACKED(0x11B, 2, BGRA, UNORM, true, 5, 5, 5, 0),
    PACKED(0x124, 2, ABGR, UNORM, false, 1, 5, 5, 5),
    PACKED(0x125, 2, ABGR, UNORM, false, 4, 4, 4, 4),
    BLOCK(0x180, BC1_RGB, 8, UNORM, true),
    BLOCK(0x186, BC1, 8, UNORM, false),
    BLOCK(0x187, BC2, 16, UNORM, false),
    BLOCK(0x188, BC3, 16, UNORM, false),
    BLOCK(0x189, BC4, 8, UNORM, false),
    BLOCK(0x18A, BC5, 16, UNORM, false),
    BLOCK(0x18B, BC1, 8, UNORM, true),
    BLOCK(0x18C, BC2, 16, UNORM, true),
    BLOCK(0x18D, BC3, 16, UNORM, true),
    BLOCK(0x191, BC1_RGB, 8, UNORM, false),
    BLOCK(0x192, FXT1, 16, UNORM, false),
    BLOCK(0x199, BC4, 8, SNORM, false),
    BLOCK(0x19A, BC5, 16, SNORM, false),
    BLOCK(0x1A1, BC6H_SIGNED, 16, FLOAT, false),
    BLOCK(0x1A2, BC7, 16, UNORM, false),
    BLOCK(0x1A3, BC7, 16, UNORM, true),
    BLOCK(0x1A4, BC6H, 16, FLOAT, false),
    BLOCK(0x1A9, ETC2_RGB, 8, UNORM, false),
    BLOCK(0x1AA, ETC2_RGB, 8, UNORM, false),
    BLOCK(0x1AB, EAC_R, 8, UNORM, false),
    BLOCK(0x1AC, EAC_RG, 16, UNORM, false),
    BLOCK(0x1AD, EAC_R, 8, SNORM, false),
    BLOCK(0x1AE, EAC_RG, 16, SNORM, false),
    BLOCK(0x1AF, ETC2_RGB, 8, UNORM, true),
    BLOCK(0x1C0, ETC2_PTA, 8, UNORM, false),
    BLOCK(0x1C1, ETC2_PTA, 8, UNORM, true),
    BLOCK(0x1C2, ETC2_RGBA, 16, UNORM, false),
    BLOCK(0x1C3, ETC2_RGBA, 16, UNORM, true),
    ASTC(0x00),
    ASTC(0x08),
    ASTC(0x09),
    ASTC(0x11),
    ASTC(0x12),
    ASTC(0x21),
    ASTC(0x22),
    ASTC(0x24),
    ASTC(0x31),
    ASTC(0x32),
    ASTC(0x34),
    ASTC(0x36),
    ASTC(0x3E),
    ASTC(0x3F),
};

const struct gfx_format *gfx_format(uint32_t number)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}
