/* tex_astc.c - ASTC of low dynamic range, blocks of two dimensions, a texel at a time:
 * a grid of weights from the block's end backwards, one to four pairs of colours from
 * its front. Source: the Khronos Data Format Specification, chapter 23 (ASTC). */
#include <string.h>

#include "csim/tex/tex.h"

enum { R, G, B, A, BLOCK_BITS = 128, MOST_WEIGHTS = 64, MOST_COLOURS = 18 };
enum { WEIGHT_BITS_LEAST = 24, WEIGHT_BITS_MOST = 96 };

/* ---- bounded integers --------------------------------------------------- */

/* How numbers from 0 to a range's end are stored: bits, below a digit to base 3 or 5.
 */
struct range {
    uint8_t base, bits;
};

/* From bit `at` on, to before bit `end`; what is behind reads 0. */
struct stream {
    const uint8_t *block;
    uint32_t at, end;
};

static uint32_t block_bits(const uint8_t *block, uint32_t at, uint32_t count)
{
    uint32_t v = 0;

    for (uint32_t i = 0; i < count; i++)
        v |= (uint32_t)(block[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return v;
}

static uint32_t stream_take(struct stream *s, uint32_t count)
{
    uint32_t left = s->at < s->end ? s->end - s->at : 0;
    uint32_t v = block_bits(s->block, s->at, count < left ? count : left);

    s->at += count;
    return v;
}

static uint32_t stored_bits(struct range r, uint32_t count)
{
    uint32_t digits = r.base == 3   ? (8 * count + 4) / 5
                      : r.base == 5 ? (7 * count + 2) / 3
                                    : 0;

    return digits + r.bits * count;
}

/* Five digits to base 3 in eight bits. */
static void split_trits(uint32_t t, uint32_t digit[5])
{
    uint32_t c = t & 31;

    if ((t >> 2 & 7) == 7) {
        c = (t >> 5 & 7) << 2 | (t & 3);
        digit[3] = digit[4] = 2;
    } else if ((t >> 5 & 3) == 3) {
        digit[4] = 2;
        digit[3] = t >> 7;
    } else {
        digit[4] = t >> 7;
        digit[3] = t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        digit[2] = 2;
        digit[1] = c >> 4;
        digit[0] = (c >> 2 & 2) | (c >> 2 & ~(c >> 3) & 1);
    } else if ((c >> 2 & 3) == 3) {
        digit[2] = digit[1] = 2;
        digit[0] = c & 3;
    } else {
        digit[2] = c >> 4;
        digit[1] = c >> 2 & 3;
        digit[0] = (c & 2) | (c & ~(c >> 1) & 1);
    }
}

/* Three digits to base 5 in seven bits. */
static void split_quints(uint32_t q, uint32_t digit[5])
{
    uint32_t c = q & 31, low = q & 1;

    if ((q >> 1 & 3) == 3 && q >> 5 == 0) {
        digit[2] = low << 2 | (q >> 4 & ~low & 1) << 1 | (q >> 3 & ~low & 1);
        digit[1] = digit[0] = 4;
        return;
    }
    if ((q >> 1 & 3) == 3) {
        digit[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | low;
    } else {
        digit[2] = q >> 5;
    }
    digit[1] = (c & 7) == 5 ? 4 : c >> 3;
    digit[0] = (c & 7) == 5 ? c >> 3 : c & 7;
}

/* `count` numbers: each its bits, and its digit above them. */
static void read_numbers(struct stream *s, struct range r, uint32_t count,
                         uint8_t number[])
{
    static const uint8_t trit_bits[5] = {2, 2, 1, 2, 1}, quint_bits[3] = {3, 2, 2};
    const uint8_t *piece = r.base == 3 ? trit_bits : quint_bits;
    uint32_t together = r.base == 3 ? 5 : r.base == 5 ? 3 : 1;

    for (uint32_t i = 0; i < count; i += together) {
        uint32_t low[5], digit[5] = {0}, packed = 0, shift = 0;

        for (uint32_t k = 0; k < together; k++) {
            low[k] = stream_take(s, r.bits);
            if (r.base == 0)
                continue;
            packed |= stream_take(s, piece[k]) << shift;
            shift += piece[k];
        }
        if (r.base == 3)
            split_trits(packed, digit);
        else if (r.base == 5)
            split_quints(packed, digit);
        for (uint32_t k = 0; k < together && i + k < count; k++)
            number[i + k] = (uint8_t)(digit[k] << r.bits | low[k]);
    }
}

/* The bits of n again and again, from the top of `width` on. */
static uint32_t repeat(uint32_t n, uint32_t bits, uint32_t width)
{
    uint32_t v = 0;

    for (int32_t at = (int32_t)(width - bits); at > -(int32_t)bits; at -= (int32_t)bits)
        v |= at >= 0 ? n << at : n >> -at;
    return v;
}

/* The bits above the lowest one, spread as the format says: `where` has for each bit of
 * the result, from its top on, which it is ('0': none). */
static uint32_t spread(uint32_t n, const char *where)
{
    uint32_t v = 0;

    for (; *where != '\0'; where++)
        v = v << 1 | (*where == '0' ? 0 : n >> (*where - 'a') & 1);
    return v;
}

/* A colour from 0 to 255. */
static uint8_t colour_of(struct range r, uint32_t n)
{
    static const struct {
        uint8_t step;
        const char *where;
    } three[7] = {{0, ""},           {204, ""},         {93, "b000b0bb0"},
                  {44, "cb000cbcb"}, {22, "dcb000dcb"}, {11, "edcb000ed"},
                  {5, "fedcb000f"}},
      five[6] = {{0, ""},           {113, ""},         {54, "b0000bb00"},
                 {26, "cb0000cbc"}, {13, "dcb0000dc"}, {6, "edcb0000e"}};
    uint32_t flip = n & 1 ? 0x1FF : 0, digit = n >> r.bits, t;

    if (r.base == 0)
        return (uint8_t)repeat(n, r.bits, 8);
    t = r.base == 3 ? digit * three[r.bits].step + spread(n, three[r.bits].where)
                    : digit * five[r.bits].step + spread(n, five[r.bits].where);
    t ^= flip;
    return (uint8_t)((flip & 0x80) | t >> 2);
}

/* A weight from 0 to 64. */
static uint8_t weight_of(struct range r, uint32_t n)
{
    static const uint8_t thirds[3] = {0, 32, 63}, fifths[5] = {0, 16, 32, 47, 63};
    static const struct {
        uint8_t step;
        const char *where;
    } three[4] = {{0, ""}, {50, ""}, {23, "b000b0b"}, {11, "cb000cb"}},
      five[3] = {{0, ""}, {28, ""}, {13, "b0000b0"}};
    uint32_t flip = n & 1 ? 0x7F : 0, digit = n >> r.bits, t;

    if (r.base == 0) {
        t = repeat(n, r.bits, 6);
    } else if (r.bits == 0) {
        t = r.base == 3 ? thirds[digit] : fifths[digit];
    } else {
        t = r.base == 3 ? digit * three[r.bits].step + spread(n, three[r.bits].where)
                        : digit * five[r.bits].step + spread(n, five[r.bits].where);
        t ^= flip;
        t = (flip & 0x20) | t >> 2;
    }
    return (uint8_t)(t > 32 ? t + 1 : t);
}

/* ---- what a block has --------------------------------------------------- */

struct block {
    const uint8_t *bits;
    uint32_t wide, high;       /* texels */
    uint32_t columns, rows;    /* of weights */
    uint32_t planes, apart;    /* 2: channel `apart` has the second one's weights */
    uint32_t parts, seed;      /* pairs of colours, and how texels have them */
    uint32_t mode[4];          /* how each pair is stored */
    uint32_t weight_bits, end; /* end: of the bits that colours can have */
    struct range weights;
};

/* The grid's size and its weights' range. False: no such mode. */
static bool read_mode(struct block *b)
{
    static const struct range ranges[2][6] = {
        {{0, 1}, {3, 0}, {0, 2}, {5, 0}, {3, 1}, {0, 3}},
        {{5, 1}, {3, 2}, {0, 4}, {5, 2}, {3, 3}, {0, 5}}};
    uint32_t mode = block_bits(b->bits, 0, 11), a = mode >> 5 & 3, n = mode >> 7 & 3;
    uint32_t high = mode >> 9 & 1, range;

    b->planes = 1 + (mode >> 10 & 1);
    if ((mode & 3) != 0) {
        static const uint8_t more[4] = {4, 8, 2, 2};
        uint32_t which = mode >> 2 & 3, m = which == 3 ? n & 1 : n;

        range = (mode & 3) << 1 | (mode >> 4 & 1);
        b->columns = which < 2 ? m + more[which] : which == 2 || n < 2 ? a + 2 : m + 2;
        b->rows = which < 2 ? a + 2 : which == 2 ? m + 8 : n < 2 ? m + 6 : a + 2;
    } else {
        range = (mode >> 2 & 3) << 1 | (mode >> 4 & 1);
        if (n == 3 && a > 1)
            return false;
        b->columns = n == 0 ? 12 : n == 1 ? a + 2 : n == 2 ? a + 6 : a == 0 ? 6 : 10;
        b->rows = n == 0   ? a + 2
                  : n == 1 ? 12
                  : n == 2 ? (mode >> 9 & 3) + 6
                           : (a == 0 ? 10 : 6);
        if (n == 2) {
            high = 0;
            b->planes = 1;
        }
    }
    if (range < 2)
        return false;
    b->weights = ranges[high][range - 2];
    return true;
}

/* How each pair of colours is stored. */
static void read_colour_modes(struct block *b)
{
    uint32_t kind = block_bits(b->bits, 23, 2), word = block_bits(b->bits, 25, 4), more;

    if (b->parts == 1) {
        b->mode[0] = block_bits(b->bits, 13, 4);
        return;
    }
    for (uint32_t i = 0; i < b->parts; i++)
        b->mode[i] = word;
    if (kind == 0)
        return;
    more = 3 * b->parts - 4;
    b->end -= more;
    word |= block_bits(b->bits, b->end, more) << 4;
    for (uint32_t i = 0; i < b->parts; i++)
        b->mode[i] =
            (kind - 1 + (word >> i & 1)) * 4 + (word >> (b->parts + 2 * i) & 3);
}

/* False: the block is not a legal one. */
static bool read_block(struct block *b)
{
    uint32_t count;

    if (!read_mode(b))
        return false;
    count = b->columns * b->rows * b->planes;
    b->weight_bits = count <= MOST_WEIGHTS ? stored_bits(b->weights, count) : 0;
    b->parts = 1 + block_bits(b->bits, 11, 2);
    b->seed = block_bits(b->bits, 13, 10);
    if (b->columns > b->wide || b->rows > b->high ||
        b->weight_bits < WEIGHT_BITS_LEAST || b->weight_bits > WEIGHT_BITS_MOST ||
        (b->planes == 2 && b->parts == 4))
        return false;
    b->end = BLOCK_BITS - b->weight_bits;
    read_colour_modes(b);
    if (b->planes == 2) {
        b->end -= 2;
        b->apart = block_bits(b->bits, b->end, 2);
    }
    return true;
}

/* ---- a texel's pair of colours ------------------------------------------ */

static uint32_t hash(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    return p ^ p >> 17;
}

/* Which pair a texel of the block has. */
static uint32_t pair_of(const struct block *b, uint32_t x, uint32_t y)
{
    static const uint8_t from[8] = {0, 4, 8, 12, 16, 20, 24, 28},
                         add[4] = {14, 10, 6, 2};
    uint32_t seed = b->seed + (b->parts - 1) * 1024, random = hash(seed), best = 0;
    uint32_t some = seed & 2 ? 4 : 5, other = b->parts == 3 ? 6 : 5, value[4];
    uint32_t across = seed & 1 ? some : other, down = seed & 1 ? other : some;

    if (b->wide * b->high < 31) {
        x <<= 1;
        y <<= 1;
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t u = random >> from[2 * i] & 15, v = random >> from[2 * i + 1] & 15;

        value[i] =
            ((u * u >> across) * x + (v * v >> down) * y + (random >> add[i])) & 63;
        if (i < b->parts && value[i] > value[best])
            best = i;
    }
    return best;
}

static int32_t bounded(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* A signed difference: its sign's bit was the top one of the base's seven others. */
static void transfer(int32_t *difference, int32_t *base)
{
    *base = *base >> 1 | (*difference & 0x80);
    *difference = *difference >> 1 & 0x3F;
    *difference -= *difference & 0x20 ? 0x40 : 0;
}

static void contract_blue(int32_t c[4])
{
    c[R] = (c[R] + c[B]) >> 1;
    c[G] = (c[G] + c[B]) >> 1;
}

static void swap(int32_t colour[2][4])
{
    int32_t first[4];

    memcpy(first, colour[0], sizeof(first));
    memcpy(colour[0], colour[1], sizeof(first));
    memcpy(colour[1], first, sizeof(first));
    contract_blue(colour[0]);
    contract_blue(colour[1]);
}

/* Two colours that are each for itself, or a base and differences; of `channels`. */
static void direct(const int32_t *v, uint32_t channels, int32_t colour[2][4])
{
    for (uint32_t c = 0; c < channels; c++) {
        colour[0][c] = v[2 * c];
        colour[1][c] = v[2 * c + 1];
    }
    if (v[1] + v[3] + v[5] < v[0] + v[2] + v[4])
        swap(colour);
}

static void offset(const int32_t *v, uint32_t channels, int32_t colour[2][4])
{
    int32_t sum = 0;

    for (uint32_t c = 0; c < channels; c++) {
        int32_t base = v[2 * c], difference = v[2 * c + 1];

        transfer(&difference, &base);
        colour[0][c] = base;
        colour[1][c] = base + difference;
        sum += c < 3 ? difference : 0;
    }
    if (sum < 0)
        swap(colour);
}

static void scaled(const int32_t *v, int32_t colour[2][4])
{
    for (uint32_t c = 0; c < 3; c++) {
        colour[0][c] = v[c] * v[3] >> 8;
        colour[1][c] = v[c];
    }
}

/* Grey, and alpha if there is any. */
static void grey(uint32_t mode, const int32_t *v, int32_t colour[2][4])
{
    int32_t e[2] = {v[0], v[1]}, a[2] = {255, 255};

    if (mode == 1) {
        e[0] = v[0] >> 2 | (v[1] & 0xC0);
        e[1] = e[0] + (v[1] & 0x3F);
    } else if (mode == 4) {
        a[0] = v[2];
        a[1] = v[3];
    } else if (mode == 5) {
        a[0] = v[2];
        a[1] = v[3];
        transfer(&e[1], &e[0]);
        transfer(&a[1], &a[0]);
        e[1] += e[0];
        a[1] += a[0];
    }
    for (uint32_t k = 0; k < 2; k++) {
        colour[k][R] = colour[k][G] = colour[k][B] = e[k];
        colour[k][A] = a[k];
    }
}

/* False: a mode of high dynamic range. */
static bool unpack_pair(uint32_t mode, const int32_t *v, int32_t colour[2][4])
{
    colour[0][A] = colour[1][A] = 255;
    switch (mode) {
    case 0:
    case 1:
    case 4:
    case 5:
        grey(mode, v, colour);
        break;
    case 10:
        colour[0][A] = v[4];
        colour[1][A] = v[5]; /* fallthrough */
    case 6:
        scaled(v, colour);
        break;
    case 8:
    case 12:
        direct(v, mode == 12 ? 4 : 3, colour);
        break;
    case 9:
    case 13:
        offset(v, mode == 13 ? 4 : 3, colour);
        break;
    default:
        return false;
    }
    for (uint32_t c = 0; c < 8; c++)
        colour[c / 4][c % 4] = bounded(colour[c / 4][c % 4]);
    return true;
}

/* Numbers of a pair's mode. */
static uint32_t numbers_of(uint32_t mode)
{
    return 2 * (mode / 4 + 1);
}

/* The colours of pair `which`. False: not legal, or of high dynamic range. */
static bool read_pair(const struct block *b, uint32_t which, int32_t colour[2][4])
{
    static const struct range ranges[] = {
        {0, 8}, {3, 6}, {5, 5}, {0, 7}, {3, 5}, {5, 4}, {0, 6}, {3, 4}, {5, 3},
        {0, 5}, {3, 3}, {5, 2}, {0, 4}, {3, 2}, {5, 1}, {0, 3}, {3, 1}};
    struct stream s = {b->bits, b->parts == 1 ? 17 : 29, 0};
    uint32_t count = 0, before = 0, k = 0;
    uint8_t number[MOST_COLOURS];
    int32_t v[8];

    for (uint32_t i = 0; i < b->parts; i++) {
        before += i < which ? numbers_of(b->mode[i]) : 0;
        count += numbers_of(b->mode[i]);
    }
    if (count > MOST_COLOURS || b->end < s.at)
        return false;
    while (k < sizeof(ranges) / sizeof(*ranges) &&
           stored_bits(ranges[k], count) > b->end - s.at)
        k++; /* the finest that there is room for */
    if (k == sizeof(ranges) / sizeof(*ranges))
        return false;
    s.end = s.at + stored_bits(ranges[k], count);
    read_numbers(&s, ranges[k], count, number);
    for (uint32_t i = 0; i < numbers_of(b->mode[which]); i++)
        v[i] = colour_of(ranges[k], number[before + i]);
    return unpack_pair(b->mode[which], v, colour);
}

/* ---- a texel's weights -------------------------------------------------- */

/* The block's bits from its last one backwards. */
static void turn(const uint8_t *block, uint8_t turned[16])
{
    memset(turned, 0, 16);
    for (uint32_t i = 0; i < BLOCK_BITS; i++)
        turned[i / 8] |= (uint8_t)((block[15 - i / 8] >> (7 - i % 8) & 1) << i % 8);
}

/* A place along one side, in 1/16 of the grid's steps. */
static uint32_t weight_place(uint32_t at, uint32_t texels, uint32_t weights)
{
    uint32_t step = (1024 + texels / 2) / (texels - 1);

    return (step * at * (weights - 1) + 32) >> 6;
}

static void read_weights(const struct block *b, uint32_t x, uint32_t y,
                         uint32_t weight[2])
{
    uint8_t turned[16], number[MOST_WEIGHTS + 2 * 16] = {0};
    struct stream s = {turned, 0, b->weight_bits};
    uint32_t across = weight_place(x, b->wide, b->columns),
             down = weight_place(y, b->high, b->rows);
    uint32_t fx = across & 15, fy = down & 15, both = (fx * fy + 8) >> 4;
    uint32_t share[4] = {16 - fx - fy + both, fx - both, fy - both, both};
    uint32_t first = (down >> 4) * b->columns + (across >> 4);

    turn(b->bits, turned);
    read_numbers(&s, b->weights, b->columns * b->rows * b->planes, number);
    for (uint32_t p = 0; p < b->planes; p++) {
        weight[p] = 8;
        for (uint32_t k = 0; k < 4; k++) /* where nothing is its share is 0 */
            if (share[k] > 0) {
                uint32_t at = first + (k & 1) + (k >> 1) * b->columns;

                weight[p] +=
                    share[k] * weight_of(b->weights, number[at * b->planes + p]);
            }
        weight[p] >>= 4;
    }
}

/* ---- all ---------------------------------------------------------------- */

/* 16 bits as hardware has them: 8 of them of sRGB, else what a half can hold. */
static float finished(uint32_t c, bool srgb)
{
    if (srgb)
        return (float)(c >> 8) / 255;
    if (c == 0xFFFF)
        return 1;
    if (c >> 11 != 0) /* towards zero */
        c &= ~((1u << (21 - __builtin_clz(c))) - 1);
    return (float)c / 65536;
}

static void texel_fail(float rgba[4])
{
    rgba[R] = rgba[B] = rgba[A] = 1;
    rgba[G] = 0;
}

/* A block of one colour; where it goes on in blocks beside it does not matter. */
static void one_colour(const uint8_t *block, bool srgb, float rgba[4])
{
    uint32_t left = block_bits(block, 12, 13), right = block_bits(block, 25, 13);
    uint32_t top = block_bits(block, 38, 13), bottom = block_bits(block, 51, 13);
    bool unsaid = (left & right & top & bottom) == 0x1FFF;

    if (block_bits(block, 9, 3) != 6 || (!unsaid && (left >= right || top >= bottom))) {
        texel_fail(rgba);
        return;
    }
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = finished(block_bits(block, 64 + 16 * c, 16), srgb);
}

void tex_unpack_astc(const struct tex_format *f, const uint8_t *block, uint32_t x,
                     uint32_t y, float rgba[4])
{
    struct block b = {
        .bits = block, .wide = tex_block_width(f), .high = tex_block_height(f)};
    uint32_t weight[2] = {0};
    int32_t colour[2][4];

    if (block_bits(block, 0, 9) == 0x1FC) {
        one_colour(block, f->srgb, rgba);
        return;
    }
    if (!read_block(&b) ||
        !read_pair(&b, b.parts > 1 ? pair_of(&b, x, y) : 0, colour)) {
        texel_fail(rgba);
        return;
    }
    read_weights(&b, x, y, weight);
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t w = weight[b.planes == 2 && b.apart == c];
        uint32_t low = (uint32_t)colour[0][c], high = (uint32_t)colour[1][c];

        low = low << 8 | (f->srgb ? 0x80 : low);
        high = high << 8 | (f->srgb ? 0x80 : high);
        rgba[c] = finished((low * (64 - w) + high * w + 32) >> 6, f->srgb);
    }
}
