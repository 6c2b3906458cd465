/* tex_texel.c - texels and vertices to floats or integers, and back. */
#include <math.h>
#include <string.h>

#include "csim/tex/tex.h"
#include "igpu/half.h"

/* ---- numbers ------------------------------------------------------------ */

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

/* `bits` bits as the format's type has them, to a word of r g b a. */
static uint32_t channel_in(uint32_t type, uint32_t bits, uint32_t raw)
{
    int32_t s =
        bits == 32 ? (int32_t)raw : (int32_t)(raw << (32 - bits)) >> (32 - bits);

    switch (type) {
    case TEX_UNORM:
        return bits > 24 ? tex_bits((float)((double)raw / (double)UINT32_MAX))
                         : tex_bits((float)raw / (float)((1u << bits) - 1));
    case TEX_SNORM: {
        float v = (float)s / (float)((1u << (bits - 1)) - 1);

        return tex_bits(v < -1 ? -1 : v);
    }
    case TEX_SINT:
        return (uint32_t)s;
    case TEX_FLOAT:
        return bits == 16 ? tex_bits(igpu_half_to_float((uint16_t)raw)) : raw;
    case TEX_SSCALED:
        return tex_bits((float)s);
    case TEX_USCALED:
        return tex_bits((float)raw);
    case TEX_SFIXED:
        return tex_bits((float)((double)s / 65536));
    default:
        return raw;
    }
}

/* Back. Scaled and fixed numbers are those of vertices: never written. */
static uint32_t channel_out(uint32_t type, uint32_t bits, uint32_t value)
{
    uint32_t most = bits == 32 ? UINT32_MAX : (1u << bits) - 1;

    switch (type) {
    case TEX_UNORM:
        return to_unorm(tex_float(value), bits);
    case TEX_SNORM:
        return (uint32_t)to_snorm(tex_float(value), bits) & most;
    case TEX_FLOAT:
        return bits == 16 ? igpu_float_to_half(tex_float(value)) : value;
    case TEX_UINT:
        return value < most ? value : most;
    default: {
        int32_t s = (int32_t)value, high = (int32_t)(most >> 1);

        return (uint32_t)(s > high ? high : s < -high - 1 ? -high - 1 : s) & most;
    }
    }
}

/* ---- texels ------------------------------------------------------------- */

/* Which of r g b a is channel i in memory. */
static uint32_t order(const struct tex_format *f, uint32_t i)
{
    if (f->as != TEX_COLOUR) /* grey, then alpha */
        return i == 1 || f->as == TEX_ALPHA ? 3 : 0;
    if (f->order == TEX_ABGR)
        return 3 - i;
    return f->order == TEX_BGRA && i < 3 ? 2 - i : i;
}

static void finish(const struct tex_format *f, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 3 && f->srgb; c++)
        rgba[c] = tex_bits(tex_from_srgb(tex_float(rgba[c])));
    if (f->as == TEX_GREY || f->as == TEX_GREY_ALPHA || f->as == TEX_INTENSITY)
        rgba[1] = rgba[2] = rgba[0];
    if (f->as == TEX_INTENSITY)
        rgba[3] = rgba[0];
}

/* Unsigned floats of 11, 11 and 10 bits, which are halves without sign and the last
 * bits; or mantissas of 9 bits with one exponent. */
static void unpack_floats(const struct tex_format *f, uint32_t word, uint32_t rgba[4])
{
    static const uint8_t at[3] = {0, 11, 22}, mantissa[3] = {6, 6, 5};

    for (uint32_t c = 0; c < 3; c++) {
        uint32_t raw = word >> at[c] & ((1u << (mantissa[c] + 5)) - 1);

        rgba[c] =
            f->number == TEX_R9G9B9E5
                ? tex_bits(
                      ldexpf((float)(word >> 9 * c & 511), (int)(word >> 27) - 15 - 9))
                : tex_bits(igpu_half_to_float((uint16_t)(raw << (10 - mantissa[c]))));
    }
}

/* Towards zero; what is negative becomes 0. TEX_R9G9B9E5 is never a target. */
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
        half = bits >> 31
                   ? 0
                   : igpu_float_to_half(tex_float(bits >> (13 + drop) << (13 + drop)));
        if (half == 0x7C00 && bits != 0x7F800000)
            half = 0x7BFF; /* too large, but not infinite */
        word |= half >> drop << at[c];
    }
    return word;
}

bool tex_is_bytes4(const struct tex_format *f)
{
    return f->bytes == 4 && f->bits == 8 && f->type == TEX_UNORM && !f->srgb;
}

static void unpack_bytes4(const struct tex_format *f, const uint8_t *texel,
                          uint32_t rgba[4])
{
    uint32_t red = f->order == TEX_BGRA ? 2 : 0;

    rgba[0] = tex_bits((float)texel[red] / 255);
    rgba[1] = tex_bits((float)texel[1] / 255);
    rgba[2] = tex_bits((float)texel[2 - red] / 255);
    rgba[3] = tex_bits(f->alpha ? (float)texel[3] / 255 : 1.0f);
}

static void pack_bytes4(const struct tex_format *f, const uint32_t rgba[4],
                        uint8_t *texel)
{
    uint32_t red = f->order == TEX_BGRA ? 2 : 0;

    texel[red] = (uint8_t)to_unorm(tex_float(rgba[0]), 8);
    texel[1] = (uint8_t)to_unorm(tex_float(rgba[1]), 8);
    texel[2 - red] = (uint8_t)to_unorm(tex_float(rgba[2]), 8);
    texel[3] = (uint8_t)to_unorm(tex_float(rgba[3]), 8);
}

static void unpack_word(const struct tex_format *f, uint32_t word, uint32_t rgba[4])
{
    if (f->number == TEX_R11G11B10 || f->number == TEX_R9G9B9E5) {
        unpack_floats(f, word, rgba);
        return;
    }
    for (uint32_t i = 0; i < 4 && f->width[i] > 0; word >>= f->width[i], i++)
        rgba[order(f, i)] =
            channel_in(f->type, f->width[i], word & ((1u << f->width[i]) - 1));
    finish(f, rgba);
}

void tex_unpack(const struct tex_format *f, const uint8_t *texel, uint32_t rgba[4])
{
    bool integer = f->type == TEX_UINT || f->type == TEX_SINT;

    if (tex_is_bytes4(f)) {
        unpack_bytes4(f, texel, rgba);
        return;
    }
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = integer ? 1 : tex_bits(1.0f);
    if (f->bits == 0) {
        uint32_t word = 0;

        memcpy(&word, texel, f->bytes);
        unpack_word(f, word, rgba);
        return;
    }
    for (uint32_t i = 0; i < f->channels; i++) {
        uint32_t raw = 0;

        if (i == 3 && !f->alpha)
            break;
        memcpy(&raw, texel + i * f->bits / 8, f->bits / 8u);
        rgba[order(f, i)] = channel_in(f->type, f->bits, raw);
    }
    if (f->srgb || f->as != TEX_COLOUR)
        finish(f, rgba);
}

static uint32_t pack_word(const struct tex_format *f, const uint32_t rgba[4])
{
    uint32_t word = 0, shift = 0;

    if (f->number == TEX_R11G11B10)
        return pack_floats(rgba);
    for (uint32_t i = 0; i < 4 && f->width[i] > 0; shift += f->width[i], i++) {
        uint32_t c = order(f, i), value = rgba[c];

        if (f->srgb && c < 3)
            value = tex_bits(tex_to_srgb(tex_float(value)));
        word |= channel_out(f->type, f->width[i], value) << shift;
    }
    return word;
}

void tex_pack(const struct tex_format *f, const uint32_t rgba[4], uint8_t *texel)
{
    if (tex_is_bytes4(f)) {
        pack_bytes4(f, rgba, texel);
        return;
    }
    if (f->bits == 0) {
        uint32_t word = pack_word(f, rgba);

        memcpy(texel, &word, f->bytes);
        return;
    }
    for (uint32_t i = 0; i < f->channels; i++) {
        uint32_t c = order(f, i), value = rgba[c], raw;

        if (f->srgb && c < 3)
            value = tex_bits(tex_to_srgb(tex_float(value)));
        raw = channel_out(f->type, f->bits, value);
        memcpy(texel + i * f->bits / 8, &raw, f->bits / 8u);
    }
}
