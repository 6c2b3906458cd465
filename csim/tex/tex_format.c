/* tex_format.c - formats of texels and vertices, by number; tex_texel.c converts. */
#include <stddef.h>

#include "csim/tex/tex.h"

/* number, channels, bits of each, type; X: the last one in memory is none */
#define PLAIN(number, channels, bits, type)                                            \
    {                                                                                  \
        number, channels, bits, TEX_##type, (channels) * (bits) / 8, TEX_RGBA, false,  \
            (channels) == 4, 0, TEX_COLOUR,                                            \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
#define PLAIN_X(number, bits, type)                                                    \
    {                                                                                  \
        number, 4, bits, TEX_##type, 4 * (bits) / 8, TEX_RGBA, false, false, 0,        \
            TEX_COLOUR,                                                                \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, order, srgb, alpha: four bytes */
#define BYTES4(number, order, srgb, alpha)                                             \
    {                                                                                  \
        number, 4, 8, TEX_UNORM, 4, TEX_##order, srgb, alpha, 0, TEX_COLOUR,           \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, channels, bits, type, srgb, what they are */
#define GREY(number, channels, bits, type, srgb, as)                                   \
    {                                                                                  \
        number, channels, bits, TEX_##type, (channels) * (bits) / 8, TEX_RGBA, srgb,   \
            false, 0, TEX_##as,                                                        \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* number, bytes, order, type, srgb, and the bits of channels from the lowest on */
#define PACKED(number, bytes, order, type, srgb, a, b, c, d)                           \
    {                                                                                  \
        number, 4, 0, TEX_##type, bytes, TEX_##order, srgb, (d) != 0, 0, TEX_COLOUR,   \
        {                                                                              \
            a, b, c, d                                                                 \
        }                                                                              \
    }
/* number, enum tex_block, bytes, type, srgb */
#define BLOCK(number, block, bytes, type, srgb)                                        \
    {                                                                                  \
        number, 4, 8, TEX_##type, bytes, TEX_RGBA, srgb, true, TEX_##block,            \
            TEX_COLOUR,                                                                \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
/* A size of blocks, as sRGB and not */
#define ASTC(size)                                                                     \
    BLOCK(TEX_ASTC_SRGB + (size), ASTC, 16, UNORM, true),                              \
        BLOCK(TEX_ASTC_LINEAR + (size), ASTC, 16, UNORM, false)

static const struct tex_format formats[] = {
#include "formats.def"
};

const struct tex_format *tex_format(uint32_t number)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}
