/* tex_bptc.c - BC7 and BC6H, a texel at a time: up to three pairs of colours a block,
 * which of them a texel is between, and where. Source: the Khronos Data Format
 * Specification, chapter 20 (BPTC). */
#include <math.h>
#include <string.h>

#include "csim/tex/tex.h"

enum { R, G, B, A };

/* A block's bits, from the lowest on. */
struct bits {
    const uint8_t *block;
    uint32_t at;
};

static uint32_t bits_take(struct bits *b, uint32_t n)
{
    uint32_t v = 0;

    for (uint32_t i = 0; i < n; i++, b->at++)
        v |= (uint32_t)(b->block[b->at / 8] >> b->at % 8 & 1) << i;
    return v;
}

/* ---- partitions and indices --------------------------------------------- */

/* Of each of 64 partitions, a bit a texel, and of three subsets two bits. */
static const uint16_t two_subsets[64] = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC,
    0xFE80, 0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE,
    0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0,
    0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A,
    0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4,
    0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718,
    0xCCF0, 0x0FCC, 0x7744, 0xEE22,
};
static const uint32_t three_subsets[64] = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0,
    0x5A5A5050, 0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4,
    0xA9A59450, 0x2A0A4250, 0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454,
    0x6A6A4040, 0xA4A45000, 0x1A1A0500, 0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400,
    0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200, 0xA9A58000, 0x5090A0A8, 0xA8A09050,
    0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50, 0x500AA550, 0xAAAA4444,
    0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600, 0xAA444444,
    0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44,
    0x2A4A5254,
};
/* The texel whose index has a bit less, which is 0: of the second of two subsets, of
 * the second and of the third of three; of the first it is texel 0. */
static const char *const anchors[3] = {
    "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f",
    "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33",
    "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8",
};

static uint32_t subset_of(uint32_t subsets, uint32_t partition, uint32_t texel)
{
    if (subsets == 1)
        return 0;
    return subsets == 2 ? two_subsets[partition] >> texel & 1
                        : three_subsets[partition] >> 2 * texel & 3;
}

static uint32_t digit(char c)
{
    return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static bool is_anchor(uint32_t subsets, uint32_t partition, uint32_t texel)
{
    return texel == 0 || (subsets == 2 && texel == digit(anchors[0][partition])) ||
           (subsets == 3 && (texel == digit(anchors[1][partition]) ||
                             texel == digit(anchors[2][partition])));
}

/* Of 64: how far a texel is from the first colour of its pair; behind it, b is at the
 * end of the indices of n bits. */
static uint32_t weight(struct bits *b, uint32_t n, uint32_t subsets, uint32_t partition,
                       uint32_t texel)
{
    static const uint8_t weights[3][16] = {
        {0, 21, 43, 64},
        {0, 9, 18, 27, 37, 46, 55, 64},
        {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};
    uint32_t index = 0;

    for (uint32_t i = 0; i < 16; i++) {
        uint32_t v = bits_take(b, n - is_anchor(subsets, partition, i));

        index = i == texel ? v : index;
    }
    return weights[n - 2][index];
}

static int32_t between(int32_t a, int32_t b, uint32_t w)
{
    return (a * (64 - (int32_t)w) + b * (int32_t)w + 32) >> 6;
}

/* ---- BC7 ---------------------------------------------------------------- */

static const struct bc7_mode {
    uint8_t subsets, partition, rotation, selection; /* the last three: bits */
    uint8_t colour, alpha;                           /* bits */
    uint8_t own_low, shared_low; /* a lowest bit of each colour, of each pair */
    uint8_t index, second;       /* bits of indices */
} bc7_modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* Both colours of all pairs, as 8 bits a channel. */
static void bc7_ends(const struct bc7_mode *m, struct bits *b, int32_t end[6][4])
{
    uint32_t ends = 2u * m->subsets, low = m->own_low | m->shared_low, value[6][4];

    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t e = 0; e < ends; e++)
            value[e][c] = bits_take(b, c < A ? m->colour : m->alpha);
    for (uint32_t e = 0, bit = 0; e < ends; e++) {
        if (low && (m->own_low || e % 2 == 0))
            bit = bits_take(b, 1);
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t n = (c < A ? m->colour : m->alpha) + low;
            uint32_t v = low ? value[e][c] << 1 | bit : value[e][c];

            v = c == A && m->alpha == 0 ? 255 : v << (8 - n) | v >> (2 * n - 8);
            end[e][c] = (int32_t)v;
        }
    }
}

static void bc7(const uint8_t *block, uint32_t texel, float rgba[4])
{
    uint32_t number = block[0] ? (uint32_t)__builtin_ctz(block[0]) : 8;
    struct bits b = {block, number + 1};
    const struct bc7_mode *m = &bc7_modes[number & 7];
    uint32_t partition, rotation, pair, w[2];
    int32_t end[6][4], v[4];
    bool other;

    memset(rgba, 0, 4 * sizeof(*rgba));
    if (number == 8)
        return;
    partition = bits_take(&b, m->partition);
    rotation = bits_take(&b, m->rotation);
    other = bits_take(&b, m->selection);
    bc7_ends(m, &b, end);
    w[0] = w[1] = weight(&b, m->index, m->subsets, partition, texel);
    if (m->second)
        w[1] = weight(&b, m->second, 1, 0, texel);
    pair = 2 * subset_of(m->subsets, partition, texel);
    for (uint32_t c = 0; c < 4; c++)
        v[c] = between(end[pair][c], end[pair + 1][c], w[(c == A) != other]);
    if (rotation > 0) {
        int32_t alpha = v[A];

        v[A] = v[rotation - 1];
        v[rotation - 1] = alpha;
    }
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = (float)v[c] / 255;
}

/* ---- BC6H --------------------------------------------------------------- */

/* A mode: bits of a colour, whether the others are differences from the first and of
 * how many bits, whether there are two pairs; and its fields in the block's order: the
 * channel, one of the colours w to z, and the field's highest and lowest bit (the first
 * one in the block is the last one named). */
static const struct bc6h_mode {
    uint8_t number, bits;
    bool differences, pairs;
    uint8_t delta[3];
    const char *fields;
} bc6h_modes[] = {
    {0x00,
     10,
     true,
     true,
     {5, 5, 5},
     "gy44by44bz44rw90gw90bw90rx40gz44gy30gx40bz00gz30bx40bz11"
     "by30ry40bz22rz40bz33"},
    {0x01,
     7,
     true,
     true,
     {6, 6, 6},
     "gy55gz44gz55rw60bz00bz11by44gw60by55bz22gy44bw60bz33bz55"
     "bz44rx50gy30gx50gz30bx50by30ry50rz50"},
    {0x02,
     11,
     true,
     true,
     {5, 4, 4},
     "rw90gw90bw90rx40rwaagy30gx30gwaabz00gz30bx30bwaabz11by30"
     "ry40bz22rz40bz33"},
    {0x03, 10, false, false, {10, 10, 10}, "rw90gw90bw90rx90gx90bx90"},
    {0x06,
     11,
     true,
     true,
     {4, 5, 4},
     "rw90gw90bw90rx30rwaagz44gy30gx40gwaagz30bx30bwaabz11by30"
     "ry30bz00bz22rz30gy44bz33"},
    {0x07, 11, true, false, {9, 9, 9}, "rw90gw90bw90rx80rwaagx80gwaabx80bwaa"},
    {0x0A,
     11,
     true,
     true,
     {4, 4, 5},
     "rw90gw90bw90rx30rwaaby44gy30gx30gwaabz00gz30bx40bwaaby30"
     "ry30bz11bz22rz30bz44bz33"},
    {0x0B, 12, true, false, {8, 8, 8}, "rw90gw90bw90rx70rwabgx70gwabbx70bwab"},
    {0x0E,
     9,
     true,
     true,
     {5, 5, 5},
     "rw80by44gw80gy44bw80bz44rx40gz44gy30gx40bz00gz30bx40bz11"
     "by30ry40bz22rz40bz33"},
    {0x0F, 16, true, false, {4, 4, 4}, "rw90gw90bw90rx30rwafgx30gwafbx30bwaf"},
    {0x12,
     8,
     true,
     true,
     {6, 5, 5},
     "rw70gz44by44gw70bz22gy44bw70bz33bz44rx50gy30gx40bz00gz30"
     "bx40bz11by30ry50rz50"},
    {0x16,
     8,
     true,
     true,
     {5, 6, 5},
     "rw70bz00by44gw70gy55gy44bw70gz55bz44rx40gz44gy30gx50gz30"
     "bx40bz11by30ry40bz22rz40bz33"},
    {0x1A,
     8,
     true,
     true,
     {5, 5, 6},
     "rw70bz11by44gw70by55gy44bw70bz55bz44rx40gz44gy30gx40bz00"
     "gz30bx50by30ry40bz22rz40bz33"},
    {0x1E,
     6,
     false,
     true,
     {6, 6, 6},
     "rw50gz44bz00bz11by44gw50gy55by55bz22gy44bw50gz55bz33bz55"
     "bz44rx50gy30gx50gz30bx50by30ry50rz50"},
};

static const struct bc6h_mode *bc6h_mode(struct bits *b)
{
    uint32_t number = bits_take(b, 2);

    if (number > 1)
        number |= bits_take(b, 3) << 2;
    for (uint32_t i = 0; i < sizeof(bc6h_modes) / sizeof(bc6h_modes[0]); i++)
        if (bc6h_modes[i].number == number)
            return &bc6h_modes[i];
    return NULL;
}

static int32_t extended(uint32_t v, uint32_t bits)
{
    return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static void bc6h_fields(const struct bc6h_mode *m, struct bits *b, uint32_t end[4][3])
{
    memset(end, 0, 12 * sizeof(end[0][0]));
    for (const char *f = m->fields; *f != '\0'; f += 4) {
        uint32_t *to = &end[f[1] - 'w'][f[0] == 'r' ? R : f[0] == 'g' ? G : B];
        uint32_t last = digit(f[2]), i = digit(f[3]);

        *to |= bits_take(b, 1) << i;
        while (i != last) {
            i += last > i ? 1 : UINT32_MAX;
            *to |= bits_take(b, 1) << i;
        }
    }
}

/* To 16 bits, and a sign. */
static int32_t unquantized(int32_t v, uint32_t bits, bool is_signed)
{
    int32_t size = v < 0 ? -v : v;

    if (bits >= (is_signed ? 16 : 15) || v == 0)
        return v;
    if (!is_signed)
        return v == (1 << bits) - 1 ? 0xFFFF : ((v << 15) + 0x4000) >> (bits - 1);
    size =
        size >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((size << 15) + 0x4000) >> (bits - 1);
    return v < 0 ? -size : size;
}

static int32_t bc6h_end(const struct bc6h_mode *m, uint32_t end[4][3], uint32_t e,
                        uint32_t c, bool is_signed)
{
    uint32_t v = end[e][c];

    if (m->differences && e > 0)
        v = (end[0][c] + (uint32_t)extended(v, m->delta[c])) & ((1u << m->bits) - 1);
    return unquantized(is_signed ? extended(v, m->bits) : (int32_t)v, m->bits,
                       is_signed);
}

/* A half by its bits, which are never those of a NaN. */
static float half(int32_t bits)
{
    int32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    float v = exponent == 0 ? ldexpf((float)fraction, -24)
                            : ldexpf((float)(fraction | 1024), exponent - 25);

    return bits & 0x8000 ? -v : v;
}

static void bc6h(const uint8_t *block, uint32_t texel, bool is_signed, float rgba[4])
{
    struct bits b = {block, 0};
    const struct bc6h_mode *m = bc6h_mode(&b);
    uint32_t partition = 0, end[4][3], subsets, pair, w;

    rgba[R] = rgba[G] = rgba[B] = 0;
    rgba[A] = 1;
    if (m == NULL)
        return;
    subsets = m->pairs ? 2 : 1;
    bc6h_fields(m, &b, end);
    if (m->pairs)
        partition = bits_take(&b, 5);
    w = weight(&b, m->pairs ? 3 : 4, subsets, partition, texel);
    pair = 2 * subset_of(subsets, partition, texel);
    for (uint32_t c = 0; c < 3; c++) {
        int32_t v = between(bc6h_end(m, end, pair, c, is_signed),
                            bc6h_end(m, end, pair + 1, c, is_signed), w);

        if (!is_signed)
            rgba[c] = half(v * 31 >> 6);
        else
            rgba[c] = half(v < 0 ? (-v * 31 >> 5) | 0x8000 : v * 31 >> 5);
    }
}

void tex_unpack_bptc(const struct tex_format *f, const uint8_t *block, uint32_t x,
                     uint32_t y, float rgba[4])
{
    if (f->block == TEX_BC7)
        bc7(block, 4 * y + x, rgba);
    else
        bc6h(block, 4 * y + x, f->block == TEX_BC6H_SIGNED, rgba);
}
