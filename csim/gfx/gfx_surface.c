/* gfx_surface.c - formats of texels, and where a texel lies. */
#include "gfx_surface.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "igpu/half.h"

#define PLAIN(number, channels, bits, type)                                            \
    {                                                                                  \
        number, channels, bits, GFX_##type, (channels) * (bits) / 8, false, false,     \
            (channels) == 4, 0                                                         \
    }
/* number, bgr, srgb, alpha: four bytes */
#define BYTES4(number, bgr, srgb, alpha)                                               \
    {                                                                                  \
        number, 4, 8, GFX_UNORM, 4, bgr, srgb, alpha, 0                                \
    }
#define PACKED(number, channels, bytes, bgr)                                           \
    {                                                                                  \
        number, channels, 0, GFX_UNORM, bytes, bgr, false, (channels) == 4, 0          \
    }

/* number, enum gfx_block, bytes, type, srgb */
#define BLOCK(number, block, bytes, type, srgb)                                        \
    {                                                                                  \
        number, 4, 8, GFX_##type, bytes, false, srgb, true, GFX_##block                \
    }

enum { B5G6R5 = 0x100, B5G5R5A1 = 0x102, R10G10B10A2 = 0xC2, B10G10R10A2 = 0xD1 };
enum { R24_X8 = 0xD9, A8 = 0x144, I8 = 0x145, L8 = 0x146, L8A8 = 0x114 };
enum { B4G4R4A4 = 0x104, R11G11B10 = 0xD3, R9G9B9E5 = 0xED };

static const struct gfx_format formats[] = {
    PLAIN(0x000, 4, 32, FLOAT),
    PLAIN(0x001, 4, 32, SINT),
    PLAIN(0x002, 4, 32, UINT),
    PLAIN(0x040, 3, 32, FLOAT),
    PLAIN(0x041, 3, 32, SINT),
    PLAIN(0x042, 3, 32, UINT),
    PLAIN(0x080, 4, 16, UNORM),
    PLAIN(0x081, 4, 16, SNORM),
    PLAIN(0x082, 4, 16, SINT),
    PLAIN(0x083, 4, 16, UINT),
    PLAIN(0x084, 4, 16, FLOAT),
    PLAIN(0x085, 2, 32, FLOAT),
    PLAIN(0x086, 2, 32, SINT),
    PLAIN(0x087, 2, 32, UINT),
    BYTES4(0x0C0, true, false, true),
    BYTES4(0x0C1, true, true, true),
    PACKED(R10G10B10A2, 4, 4, false),
    BYTES4(0x0C7, false, false, true),
    BYTES4(0x0C8, false, true, true),
    PLAIN(0x0C9, 4, 8, SNORM),
    PLAIN(0x0CA, 4, 8, SINT),
    PLAIN(0x0CB, 4, 8, UINT),
    PLAIN(0x0CC, 2, 16, UNORM),
    PLAIN(0x0CD, 2, 16, SNORM),
    PLAIN(0x0CE, 2, 16, SINT),
    PLAIN(0x0CF, 2, 16, UINT),
    PLAIN(0x0D0, 2, 16, FLOAT),
    PACKED(B10G10R10A2, 4, 4, true),
    PLAIN(0x0D6, 1, 32, SINT),
    PLAIN(0x0D7, 1, 32, UINT),
    PLAIN(0x0D8, 1, 32, FLOAT),
    PACKED(R24_X8, 1, 4, false),
    BYTES4(0x0E9, true, false, false),
    BYTES4(0x0EA, true, true, false),
    BYTES4(0x0EB, false, false, false),
    BYTES4(0x0EC, false, true, false),
    PACKED(B5G6R5, 3, 2, true),
    PACKED(B5G5R5A1, 4, 2, true),
    PLAIN(0x106, 2, 8, UNORM),
    PLAIN(0x107, 2, 8, SNORM),
    PLAIN(0x108, 2, 8, SINT),
    PLAIN(0x109, 2, 8, UINT),
    PLAIN(0x10A, 1, 16, UNORM),
    PLAIN(0x10B, 1, 16, SNORM),
    PLAIN(0x10C, 1, 16, SINT),
    PLAIN(0x10D, 1, 16, UINT),
    PLAIN(0x10E, 1, 16, FLOAT),
    PLAIN(0x140, 1, 8, UNORM),
    PLAIN(0x141, 1, 8, SNORM),
    PLAIN(0x142, 1, 8, SINT),
    PLAIN(0x143, 1, 8, UINT),
    PLAIN(0x193, 3, 8, UNORM),
    PLAIN(0x19B, 3, 16, FLOAT),
    PACKED(B4G4R4A4, 4, 2, true),
    PLAIN(L8A8, 2, 8, UNORM),
    PLAIN(I8, 1, 8, UNORM),
    PACKED(R11G11B10, 3, 4, false),
    PACKED(R9G9B9E5, 3, 4, false),
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
    BLOCK(0x199, BC4, 8, SNORM, false),
    BLOCK(0x19A, BC5, 16, SNORM, false),
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
};

const struct gfx_format *gfx_format(uint32_t number)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (formats[i].number == number)
            return &formats[i];
    return NULL;
}

/* ---- numbers ------------------------------------------------------------ */

static uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static float float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

float gfx_from_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float c)
{
    return c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
}

static uint32_t to_unorm(float v, uint32_t bits)
{
    double most = (double)(((uint64_t)1 << bits) - 1);

    if (!(v > 0))
        return 0;
    return v >= 1 ? (uint32_t)most : (uint32_t)((double)v * most + 0.5);
}

static int32_t to_snorm(float v, uint32_t bits)
{
    double most = (double)((1u << (bits - 1)) - 1);
    double clamped = v != v ? 0 : v < -1 ? -1 : v > 1 ? 1 : (double)v;

    return (int32_t)floor(clamped * most + 0.5);
}

static uint32_t half_of(float f)
{
    uint32_t x = bits_of(f), sign = x >> 16 & 0x8000;
    int32_t exp = (int32_t)(x >> 23 & 0xFF) - 112;
    uint32_t man = x & 0x7FFFFF;

    if (exp >= 31)
        return sign | 0x7C00 | (exp == 143 && man != 0 ? 0x200 : 0);
    if (exp <= 0) {
        if (exp < -10)
            return sign;
        man |= 0x800000;
        return sign | ((man + (1u << (13 - exp))) >> (14 - exp));
    }
    return sign | ((((uint32_t)exp << 10) + ((man + 0x1000) >> 13)));
}

static uint32_t channel_in(const struct gfx_format *f, uint32_t raw)
{
    int32_t s = f->bits == 32 ? (int32_t)raw
                              : (int32_t)(raw << (32 - f->bits)) >> (32 - f->bits);

    switch (f->type) {
    case GFX_UNORM: /* at most 24 bits */
        return bits_of((float)raw / (float)((1u << f->bits) - 1));
    case GFX_SNORM: {
        float v = (float)s / (float)((1u << (f->bits - 1)) - 1);

        return bits_of(v < -1 ? -1 : v);
    }
    case GFX_SINT:
        return (uint32_t)s;
    case GFX_FLOAT:
        return f->bits == 16 ? bits_of(igpu_half_to_float((uint16_t)raw)) : raw;
    default:
        return raw;
    }
}

static uint32_t channel_out(const struct gfx_format *f, uint32_t value)
{
    uint32_t most = f->bits == 32 ? UINT32_MAX : (1u << f->bits) - 1;

    switch (f->type) {
    case GFX_UNORM:
        return to_unorm(float_of(value), f->bits);
    case GFX_SNORM:
        return (uint32_t)to_snorm(float_of(value), f->bits) & most;
    case GFX_FLOAT:
        return f->bits == 16 ? half_of(float_of(value)) : value;
    case GFX_UINT:
        return value < most ? value : most;
    default: {
        int32_t s = (int32_t)value, high = (int32_t)(most >> 1);

        return (uint32_t)(s > high ? high : s < -high - 1 ? -high - 1 : s) & most;
    }
    }
}

/* ---- texels ------------------------------------------------------------- */

static void widths(const struct gfx_format *f, uint8_t w[4])
{
    static const uint8_t ten[4] = {10, 10, 10, 2}, six[4] = {5, 6, 5, 0},
                         one[4] = {5, 5, 5, 1}, four[4] = {4, 4, 4, 4},
                         deep[4] = {24, 0, 0, 0};

    memcpy(w,
           f->number == B5G6R5     ? six
           : f->number == B5G5R5A1 ? one
           : f->number == B4G4R4A4 ? four
           : f->number == R24_X8   ? deep
                                   : ten,
           4);
}

static uint32_t order(const struct gfx_format *f, uint32_t i)
{
    return f->bgr && i != 1 && i < 3 ? 2 - i : i;
}

static void finish(const struct gfx_format *f, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 3 && f->srgb; c++)
        rgba[c] = bits_of(gfx_from_srgb(float_of(rgba[c])));
    if (f->number == A8) {
        rgba[3] = rgba[0];
        rgba[0] = 0;
    } else if (f->number == L8A8) {
        rgba[3] = rgba[1];
        rgba[1] = rgba[2] = rgba[0];
    } else if (f->number == L8 || f->number == I8) {
        rgba[1] = rgba[2] = rgba[0];
        rgba[3] = f->number == I8 ? rgba[0] : rgba[3];
    }
}

/* Unsigned floats of 11, 11 and 10 bits, which are halves without sign and the last
 * bits; or mantissas of 9 bits with one exponent. */
static void unpack_floats(const struct gfx_format *f, uint32_t word, uint32_t rgba[4])
{
    static const uint8_t at[3] = {0, 11, 22}, mantissa[3] = {6, 6, 5};

    for (uint32_t c = 0; c < 3; c++) {
        uint32_t raw = word >> at[c] & ((1u << (mantissa[c] + 5)) - 1);

        rgba[c] =
            f->number == R9G9B9E5
                ? bits_of(
                      ldexpf((float)(word >> 9 * c & 511), (int)(word >> 27) - 15 - 9))
                : bits_of(igpu_half_to_float((uint16_t)(raw << (10 - mantissa[c]))));
    }
}

/* Towards zero; what is negative becomes 0. R9G9B9E5 is never a target. */
static uint32_t pack_floats(const uint32_t rgba[4])
{
    static const uint8_t at[3] = {0, 11, 22}, mantissa[3] = {6, 6, 5};
    uint32_t word = 0;

    for (uint32_t c = 0; c < 3; c++) {
        uint32_t bits = rgba[c], drop = 10 - mantissa[c], half;

        if ((bits & 0x7FFFFFFF) > 0x7F800000) { /* not a number */
            word |= 0x7FFFu >> drop << at[c];
            continue;
        }
        half = bits >> 31 ? 0 : half_of(float_of(bits >> (13 + drop) << (13 + drop)));
        if (half == 0x7C00 && bits != 0x7F800000)
            half = 0x7BFF; /* too large, but not infinite */
        word |= half >> drop << at[c];
    }
    return word;
}

/* Four bytes of red, green, blue and alpha in some order: most pictures. */
static bool is_bytes4(const struct gfx_format *f)
{
    return f->bytes == 4 && f->bits == 8 && f->type == GFX_UNORM && !f->srgb;
}

static void unpack_bytes4(const struct gfx_format *f, const uint8_t *texel,
                          uint32_t rgba[4])
{
    uint32_t red = f->bgr ? 2 : 0;

    rgba[0] = bits_of((float)texel[red] / 255);
    rgba[1] = bits_of((float)texel[1] / 255);
    rgba[2] = bits_of((float)texel[2 - red] / 255);
    rgba[3] = bits_of(f->alpha ? (float)texel[3] / 255 : 1.0f);
}

static void pack_bytes4(const struct gfx_format *f, const uint32_t rgba[4],
                        uint8_t *texel)
{
    uint32_t red = f->bgr ? 2 : 0;

    texel[red] = (uint8_t)to_unorm(float_of(rgba[0]), 8);
    texel[1] = (uint8_t)to_unorm(float_of(rgba[1]), 8);
    texel[2 - red] = (uint8_t)to_unorm(float_of(rgba[2]), 8);
    texel[3] = (uint8_t)to_unorm(float_of(rgba[3]), 8);
}

void gfx_unpack(const struct gfx_format *f, const uint8_t *texel, uint32_t rgba[4])
{
    bool integer = f->type == GFX_UINT || f->type == GFX_SINT;
    uint32_t word = 0;
    uint8_t w[4];

    if (is_bytes4(f)) {
        unpack_bytes4(f, texel, rgba);
        return;
    }
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = integer ? 1 : bits_of(1.0f);
    if (f->bits == 0) {
        memcpy(&word, texel, f->bytes);
        if (f->number == R11G11B10 || f->number == R9G9B9E5) {
            unpack_floats(f, word, rgba);
            return;
        }
        widths(f, w);
        for (uint32_t i = 0; i < f->channels; word >>= w[i], i++)
            rgba[order(f, i)] =
                bits_of((float)(word & ((1u << w[i]) - 1)) / (float)((1u << w[i]) - 1));
        return;
    }
    for (uint32_t i = 0; i < f->channels; i++) {
        uint32_t raw = 0;

        if (i == 3 && !f->alpha)
            break;
        memcpy(&raw, texel + i * f->bits / 8, f->bits / 8u);
        rgba[order(f, i)] = channel_in(f, raw);
    }
    finish(f, rgba);
}

void gfx_pack(const struct gfx_format *f, const uint32_t rgba[4], uint8_t *texel)
{
    uint32_t word = 0, shift = 0;
    uint8_t w[4];

    if (is_bytes4(f)) {
        pack_bytes4(f, rgba, texel);
        return;
    }
    if (f->bits == 0) {
        if (f->number == R11G11B10) {
            word = pack_floats(rgba);
            memcpy(texel, &word, f->bytes);
            return;
        }
        widths(f, w);
        for (uint32_t i = 0; i < f->channels; shift += w[i], i++)
            word |= to_unorm(float_of(rgba[order(f, i)]), w[i]) << shift;
        memcpy(texel, &word, f->bytes);
        return;
    }
    for (uint32_t i = 0; i < f->channels; i++) {
        uint32_t c = order(f, i), value = rgba[f->number == A8 ? 3 : c], raw;

        if (f->srgb && c < 3)
            value = bits_of(to_srgb(float_of(value)));
        raw = channel_out(f, value);
        memcpy(texel + i * f->bits / 8, &raw, f->bits / 8u);
    }
}

/* ---- places ------------------------------------------------------------- */

static uint32_t up(uint32_t size, uint32_t align)
{
    return (size + align - 1) / align * align;
}

/* Rows or columns of a level, in texels or blocks. */
static uint32_t extent(const struct gfx_surface *s, uint32_t size, uint32_t level)
{
    uint32_t n = gfx_minify(size, level);

    return s->format->block ? (n + 3) / 4 : n;
}

/* One dimension: levels follow each other, each a whole number of 64 texels; layers
 * are qpitch texels apart. */
static uint64_t line_offset(const struct gfx_surface *s, uint32_t x, uint32_t level,
                            uint32_t layer)
{
    for (uint32_t i = 0; i < level; i++)
        x += up(gfx_minify(s->width, i), 64);
    return ((uint64_t)layer * s->qpitch + x + s->x_offset) * s->format->bytes;
}

struct gfx_level gfx_find_level(const struct gfx_surface *s, uint32_t level,
                                uint32_t layer)
{
    struct gfx_level l = {level, layer, s->x_offset, layer * s->qpitch + s->y_offset};

    /* Level 1 lies below level 0, the others in a column to the right of level 1. */
    if (level > 0)
        l.y += up(extent(s, s->height, 0), s->valign);
    if (level > 1)
        l.x += up(extent(s, s->width, 1), s->halign);
    for (uint32_t i = 2; i < level; i++)
        l.y += up(extent(s, s->height, i), s->valign);
    return l;
}

uint64_t gfx_texel_offset(const struct gfx_surface *s, uint32_t x, uint32_t y,
                          uint32_t level, uint32_t layer)
{
    struct gfx_level l;

    if (s->type == GFX_1D)
        return line_offset(s, x, level, layer);
    l = gfx_find_level(s, level, layer);
    return gfx_offset_in(s, &l, x, y);
}
