/* tex_block.c - compressed textures: BC1 to BC5 (S3TC, RGTC), ETC2 and EAC, a texel at
 * a time. Sources: the Khronos Data Format Specification, chapters 18, 19 and 21. */
#include <math.h>
#include <string.h>

#include "csim/tex/tex.h"

enum { R, G, B, A };

static int32_t clamped(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* n bits of a big-endian 64-bit word, from bit `low` on. */
static uint32_t word_bits(uint64_t word, uint32_t low, uint32_t n)
{
    return (uint32_t)(word >> low) & ((1u << n) - 1);
}

static uint64_t big_endian(const uint8_t *p)
{
    uint64_t word = 0;

    for (uint32_t i = 0; i < 8; i++)
        word = word << 8 | p[i];
    return word;
}

/* ---- BC ----------------------------------------------------------------- */

static void from_565(uint32_t c, float rgb[3])
{
    rgb[R] = (float)(c >> 11) / 31;
    rgb[G] = (float)(c >> 5 & 63) / 63;
    rgb[B] = (float)(c & 31) / 31;
}

/* The colours' half of BC1 to BC3; three: BC1, whose fourth colour may be none. */
static void bc_colour(const uint8_t *p, uint32_t x, uint32_t y, bool three,
                      float rgba[4])
{
    uint32_t c0 = p[0] | (uint32_t)p[1] << 8, c1 = p[2] | (uint32_t)p[3] << 8;
    uint32_t code = p[4 + y] >> 2 * x & 3;
    float a[3], b[3];

    from_565(c0, a);
    from_565(c1, b);
    for (uint32_t c = 0; c < 3; c++) {
        if (code < 2)
            rgba[c] = code ? b[c] : a[c];
        else if (c0 > c1 || !three)
            rgba[c] = code == 2 ? (2 * a[c] + b[c]) / 3 : (a[c] + 2 * b[c]) / 3;
        else
            rgba[c] = code == 2 ? (a[c] + b[c]) / 2 : 0;
    }
    rgba[A] = three && c0 <= c1 && code == 3 ? 0.0f : 1.0f;
}

/* The eight values of BC4, BC5 and of BC3's alpha, by their ends and the texel's code.
 */
static float bc_value(const uint8_t *p, uint32_t x, uint32_t y, bool is_signed)
{
    uint64_t codes = 0;
    int32_t e0 = is_signed ? (int8_t)p[0] : p[0], e1 = is_signed ? (int8_t)p[1] : p[1];
    uint32_t code;
    float most = is_signed ? 127.0f : 255.0f, low = is_signed ? -1.0f : 0.0f, a, b;

    for (uint32_t i = 0; i < 6; i++)
        codes |= (uint64_t)p[2 + i] << 8 * i;
    code = codes >> 3 * (4 * y + x) & 7;
    a = fmaxf((float)e0 / most, low);
    b = fmaxf((float)e1 / most, low);
    if (code < 2)
        return code ? b : a;
    if (e0 > e1)
        return ((float)(8 - code) * a + (float)(code - 1) * b) / 7;
    if (code >= 6)
        return code == 6 ? low : 1.0f;
    return ((float)(6 - code) * a + (float)(code - 1) * b) / 5;
}

/* ---- ETC ---------------------------------------------------------------- */

static const int16_t etc_step[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                       {18, 60}, {24, 80}, {33, 106}, {47, 183}};
static const uint8_t etc_distance[8] = {3, 6, 11, 16, 23, 32, 41, 64};

static uint32_t widened(uint32_t v, uint32_t bits)
{
    return bits == 4   ? v * 17
           : bits == 5 ? v << 3 | v >> 2
           : bits == 6 ? v << 2 | v >> 4
                       : v << 1 | v >> 6;
}

static int32_t signed3(uint32_t v)
{
    return v < 4 ? (int32_t)v : (int32_t)v - 8;
}

static void etc_base(uint64_t w, bool differential, bool second, int32_t base[3])
{
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t low = 56 - 8 * c;
        int32_t first = (int32_t)word_bits(w, low + 3, 5);

        if (!differential)
            base[c] = (int32_t)widened(word_bits(w, low + (second ? 0 : 4), 4), 4);
        else
            base[c] = (int32_t)widened(
                (uint32_t)(first + (second ? signed3(word_bits(w, low, 3)) : 0)) & 31,
                5);
    }
}

static void etc_planar(uint64_t w, uint32_t x, uint32_t y, int32_t rgb[3])
{
    const uint32_t o[3] = {
        word_bits(w, 57, 6), word_bits(w, 56, 1) << 6 | word_bits(w, 49, 6),
        word_bits(w, 48, 1) << 5 | word_bits(w, 43, 2) << 3 | word_bits(w, 39, 3)};
    const uint32_t h[3] = {word_bits(w, 34, 5) << 1 | word_bits(w, 32, 1),
                           word_bits(w, 25, 7), word_bits(w, 19, 6)};
    const uint32_t v[3] = {word_bits(w, 13, 6), word_bits(w, 6, 7), word_bits(w, 0, 6)};

    for (uint32_t c = 0; c < 3; c++) {
        uint32_t bits = c == 1 ? 7 : 6;
        int32_t at = (int32_t)widened(o[c], bits);

        rgb[c] =
            clamped(((int32_t)x * ((int32_t)widened(h[c], bits) - at) +
                     (int32_t)y * ((int32_t)widened(v[c], bits) - at) + 4 * at + 2) >>
                    2);
    }
}

/* Colour `code` of the T mode (one and a row of three) or the H mode (two pairs). */
static void etc_paint(uint64_t w, bool h_mode, uint32_t code, int32_t rgb[3])
{
    uint32_t a[3], b[3], d;
    int32_t away;

    if (h_mode) {
        a[R] = word_bits(w, 59, 4);
        a[G] = word_bits(w, 56, 3) << 1 | word_bits(w, 52, 1);
        a[B] = word_bits(w, 51, 1) << 3 | word_bits(w, 47, 3);
        b[R] = word_bits(w, 43, 4);
        b[G] = word_bits(w, 39, 4);
        b[B] = word_bits(w, 35, 4);
        d = word_bits(w, 34, 1) << 2 | word_bits(w, 32, 1) << 1 |
            ((a[R] << 8 | a[G] << 4 | a[B]) >= (b[R] << 8 | b[G] << 4 | b[B]));
    } else {
        a[R] = word_bits(w, 59, 2) << 2 | word_bits(w, 56, 2);
        a[G] = word_bits(w, 52, 4);
        a[B] = word_bits(w, 48, 4);
        b[R] = word_bits(w, 44, 4);
        b[G] = word_bits(w, 40, 4);
        b[B] = word_bits(w, 36, 4);
        d = word_bits(w, 34, 2) << 1 | word_bits(w, 32, 1);
    }
    away = etc_distance[d];
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t from = h_mode ? (code < 2 ? a[c] : b[c]) : (code == 0 ? a[c] : b[c]);
        int32_t step = h_mode ? (code & 1 ? -away : away)
                              : (code == 1   ? away
                                 : code == 3 ? -away
                                             : 0);

        rgb[c] = clamped((int32_t)widened(from, 4) + step);
    }
}

/* 0: two colours; 1: T; 2: H; 3: planar. By which sum of base and difference overflows.
 */
static uint32_t etc_mode(uint64_t w)
{
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t low = 56 - 8 * c;
        int32_t sum = (int32_t)word_bits(w, low + 3, 5) + signed3(word_bits(w, low, 3));

        if (sum < 0 || sum > 31)
            return c + 1;
    }
    return 0;
}

/* False: a texel that is none (punch-through alpha). */
static bool etc_texel(const uint8_t *p, uint32_t x, uint32_t y, bool punched,
                      int32_t rgb[3])
{
    uint64_t w = big_endian(p);
    uint32_t i = 4 * x + y, code = word_bits(w, 16 + i, 1) << 1 | word_bits(w, i, 1);
    bool flag = word_bits(w, 33, 1), differential = punched || flag,
         flip = word_bits(w, 32, 1);
    bool second = flip ? y >= 2 : x >= 2, opaque = !punched || flag;
    uint32_t mode = differential ? etc_mode(w) : 0;
    int32_t step, base[3];

    if (mode == 3) {
        etc_planar(w, x, y, rgb);
        return true;
    }
    if (!opaque && code == 2)
        return false;
    if (mode != 0) {
        etc_paint(w, mode == 2, code, rgb);
        return true;
    }
    etc_base(w, differential, second, base);
    step = etc_step[word_bits(w, second ? 34 : 37, 3)][code & 1];
    if (!opaque && code == 0)
        step = 0;
    for (uint32_t c = 0; c < 3; c++)
        rgb[c] = clamped(base[c] + (code & 2 ? -step : step));
    return true;
}

static const int8_t eac_step[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12},
    {-2, -5, -8, -13, 1, 4, 7, 12}, {-2, -4, -6, -13, 1, 3, 5, 12},
    {-3, -6, -8, -12, 2, 5, 7, 11}, {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},
    {-2, -6, -8, -10, 1, 5, 7, 9},  {-2, -5, -8, -10, 1, 4, 7, 9},
    {-2, -4, -8, -10, 1, 3, 7, 9},  {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},
    {-4, -6, -8, -9, 3, 5, 7, 8},   {-3, -5, -7, -9, 2, 4, 6, 8}};

/* Alpha of 8 bits. */
static float eac_alpha(const uint8_t *p, uint32_t x, uint32_t y)
{
    uint64_t w = big_endian(p);
    int32_t step = eac_step[p[1] & 15][word_bits(w, 45 - 3 * (4 * x + y), 3)];

    return (float)clamped(p[0] + step * (p[1] >> 4)) / 255;
}

/* A channel of 11 bits. */
static float eac_value(const uint8_t *p, uint32_t x, uint32_t y, bool is_signed)
{
    uint64_t w = big_endian(p);
    int32_t step = eac_step[p[1] & 15][word_bits(w, 45 - 3 * (4 * x + y), 3)];
    int32_t factor = p[1] >> 4 ? 8 * (p[1] >> 4) : 1, base = p[0], v;

    if (!is_signed) {
        v = base * 8 + 4 + step * factor;
        return (float)(v < 0 ? 0 : v > 2047 ? 2047 : v) / 2047;
    }
    base = (int8_t)p[0] < -127 ? -127 : (int8_t)p[0];
    v = base * 8 + step * factor;
    return (float)(v < -1023 ? -1023 : v > 1023 ? 1023 : v) / 1023;
}

/* ---- all ---------------------------------------------------------------- */

static void etc_colour(const uint8_t *p, uint32_t x, uint32_t y, bool punched,
                       float rgba[4])
{
    int32_t rgb[3] = {0, 0, 0};

    rgba[A] = etc_texel(p, x, y, punched, rgb) ? 1.0f : 0.0f;
    for (uint32_t c = 0; c < 3; c++)
        rgba[c] = (float)rgb[c] / 255;
}

static void decode(const struct tex_format *f, const uint8_t *p, uint32_t x, uint32_t y,
                   float rgba[4])
{
    bool is_signed = f->type == TEX_SNORM;

    switch (f->block) {
    case TEX_BC1_RGB:
    case TEX_BC1:
        bc_colour(p, x, y, true, rgba);
        rgba[A] = f->block == TEX_BC1_RGB ? 1.0f : rgba[A];
        break;
    case TEX_BC2:
        bc_colour(p + 8, x, y, false, rgba);
        rgba[A] = (float)(p[2 * y + x / 2] >> 4 * (x & 1) & 15) / 15;
        break;
    case TEX_BC3:
        bc_colour(p + 8, x, y, false, rgba);
        rgba[A] = bc_value(p, x, y, false);
        break;
    case TEX_BC5:
        rgba[G] = bc_value(p + 8, x, y, is_signed); /* fallthrough */
    case TEX_BC4:
        rgba[R] = bc_value(p, x, y, is_signed);
        break;
    case TEX_BC6H:
    case TEX_BC6H_SIGNED:
    case TEX_BC7:
        tex_unpack_bptc(f, p, x, y, rgba);
        break;
    case TEX_ASTC:
        tex_unpack_astc(f, p, x, y, rgba);
        break;
    case TEX_FXT1:
        tex_unpack_fxt1(p, x, y, rgba);
        break;
    case TEX_ETC2_RGBA:
        etc_colour(p + 8, x, y, false, rgba);
        rgba[A] = eac_alpha(p, x, y);
        break;
    case TEX_EAC_RG:
        rgba[G] = eac_value(p + 8, x, y, is_signed); /* fallthrough */
    case TEX_EAC_R:
        rgba[R] = eac_value(p, x, y, is_signed);
        break;
    default:
        etc_colour(p, x, y, f->block == TEX_ETC2_PTA, rgba);
        break;
    }
}

void tex_unpack_block(const struct tex_format *f, const uint8_t *block, uint32_t x,
                      uint32_t y, uint32_t rgba[4])
{
    float v[4] = {0, 0, 0, 1};

    decode(f, block, x, y, v);
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = tex_bits(f->srgb && c < 3 ? tex_from_srgb(v[c]) : v[c]);
}
