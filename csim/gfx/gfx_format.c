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
    BLOCK(GFX_ASTC_SRGB + (size), ASTC, 16, UNORM, true),                              \
        BLOCK(GFX_ASTC_LINEAR + (size), ASTC, 16, UNORM, false)

static const struct gfx_format formats[] = {
#include "formats.def"
};

const struct gfx_format *gfx_format(uint32_t number)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}
