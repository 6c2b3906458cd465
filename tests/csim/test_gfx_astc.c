/* test_gfx_astc.c - ASTC blocks whose texels were worked out by hand, and all that must
 * be magenta. tests/bridge/test_gfx.sh compares noise with Mesa's decoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_surface.h"

enum { PLAIN_4X4 = 0x240, SRGB_4X4 = 0x200, PLAIN_12X12 = 0x27F };

struct bits {
    uint8_t block[16];
};

static void put(struct bits *b, uint32_t at, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = at + i;

        b->block[to / 8] &= (uint8_t) ~(1u << to % 8);
        b->block[to / 8] |= (uint8_t)((value >> i & 1) << to % 8);
    }
}

static void texel(uint32_t format, const struct bits *b, uint32_t x, uint32_t y,
                  float rgba[4])
{
    tex_unpack_astc(tex_format(format), b->block, x, y, rgba);
}

static bool is(uint32_t format, const struct bits *b, uint32_t x, uint32_t y, float red,
               float green, float blue, float alpha)
{
    const float want[4] = {red, green, blue, alpha};
    float rgba[4];

    texel(format, b, x, y, rgba);
    return memcmp(rgba, want, sizeof(want)) == 0;
}

static bool is_wrong(uint32_t format, const struct bits *b)
{
    return is(format, b, 1, 2, 1, 0, 1, 1);
}

static void sizes_are_those_of_the_formats(void **unused)
{
    static const uint8_t side[14][3] = {
        {0x00, 4, 4},  {0x08, 5, 4},   {0x09, 5, 5},   {0x11, 6, 5},  {0x12, 6, 6},
        {0x21, 8, 5},  {0x22, 8, 6},   {0x24, 8, 8},   {0x31, 10, 5}, {0x32, 10, 6},
        {0x34, 10, 8}, {0x36, 10, 10}, {0x3E, 12, 10}, {0x3F, 12, 12}};

    (void)unused;
    for (uint32_t i = 0; i < 28; i++) {
        const struct tex_format *f =
            tex_format((i < 14 ? 0x200u : 0x240u) + side[i % 14][0]);

        assert_non_null(f);
        assert_int_equal(tex_block_width(f), side[i % 14][1]);
        assert_int_equal(tex_block_height(f), side[i % 14][2]);
        assert_int_equal(f->srgb, i < 14);
    }
}

/* Red one half, green all of it, blue 0x1234, of which a half keeps 11 bits. */
static struct bits one_colour(void)
{
    struct bits b = {{0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x80, 0xFF,
                      0xFF, 0xF7, 0xFF, 0x34, 0x12}};

    return b;
}

static void a_block_of_one_colour_has_it(void **unused)
{
    struct bits b = one_colour();

    (void)unused;
    assert_true(
        is(PLAIN_4X4, &b, 3, 3, 0.5f, 1, (float)0xFFE0 / 65536, (float)0x1234 / 65536));
    assert_true(is(SRGB_4X4, &b, 0, 0, 128 / 255.0f, 1, 1, 0x12 / 255.0f));
    /* It may go on in blocks beside it, from a lower to a higher place. */
    put(&b, 12, 13, 5);
    put(&b, 25, 13, 6);
    put(&b, 38, 13, 0);
    put(&b, 51, 13, 0x1FFF);
    assert_false(is_wrong(PLAIN_4X4, &b));
    put(&b, 25, 13, 5);
    assert_true(is_wrong(PLAIN_4X4, &b));
    put(&b, 25, 13, 6);
    put(&b, 51, 13, 0);
    assert_true(is_wrong(PLAIN_4X4, &b));
    for (uint32_t bit = 9; bit < 12; bit++) { /* high range; reserved ones */
        b = one_colour();
        put(&b, bit, 1, bit == 9);
        assert_true(is_wrong(PLAIN_4X4, &b));
    }
}

/* A grid of 4x4 weights of two bits, grey from v to w; weight i is i mod 4. */
static struct bits grey(uint32_t v, uint32_t w)
{
    struct bits b = {{0}};

    put(&b, 0, 11, 0x042);
    put(&b, 17, 8, v);
    put(&b, 25, 8, w);
    for (uint32_t i = 0; i < 16; i++) { /* backwards from the top */
        put(&b, 127 - 2 * i, 1, i & 1);
        put(&b, 126 - 2 * i, 1, i >> 1 & 1);
    }
    return b;
}

/* Weights 0, 21, 43 and 64 of 64 between 0 and 65535, rounded, and what a half keeps.
 */
static void weights_lie_between_two_colours(void **unused)
{
    static const uint32_t want[4] = {0, 21504, 44000, 65536};
    struct bits b = grey(0, 255);

    (void)unused;
    for (uint32_t i = 0; i < 16; i++) {
        float v = (float)want[i % 4] / 65536;

        assert_true(is(PLAIN_4X4, &b, i % 4, i / 4, v, v, v, 1));
    }
    b = grey(0, 255); /* sRGB: 8 bits of colours that end in half a step */
    assert_true(is(SRGB_4X4, &b, 1, 0, 84 / 255.0f, 84 / 255.0f, 84 / 255.0f, 1));
}

/* Modes that no block may have: no range of weights, reserved ones, weights of 8, 120
 * and of more than 64; grids larger than the block; too many colours; HDR. */
static void blocks_that_are_not_legal_are_magenta(void **unused)
{
    static const uint16_t wrong[] = {0x000, 0x010, 0x1C4, 0x1E4, 0x001, 0x077, 0x465};
    struct bits b = grey(10, 20);

    (void)unused;
    assert_false(is_wrong(PLAIN_12X12, &b));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        put(&b, 0, 11, wrong[i]);
        assert_true(is_wrong(PLAIN_12X12, &b));
    }
    b = grey(10, 20);
    put(&b, 0, 11, 0x0C2); /* 5x4 weights: only where blocks are that wide */
    assert_true(is_wrong(PLAIN_4X4, &b));
    assert_false(is_wrong(PLAIN_12X12, &b));
    put(&b, 0, 11, 0x442); /* two planes, and four pairs */
    assert_false(is_wrong(PLAIN_4X4, &b));
    put(&b, 11, 2, 3);
    assert_true(is_wrong(PLAIN_4X4, &b));
    b = grey(10, 20);
    put(&b, 11, 2, 3); /* four pairs of eight numbers are more than 18 */
    put(&b, 23, 6, 12 << 2);
    assert_true(is_wrong(PLAIN_4X4, &b));
    for (uint32_t mode = 0; mode < 16; mode++) {
        bool high = 0xC88C >> mode & 1;

        b = grey(10, 20);
        put(&b, 13, 4, mode);
        assert_int_equal(is_wrong(PLAIN_4X4, &b), high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_the_formats),
        cmocka_unit_test(a_block_of_one_colour_has_it),
        cmocka_unit_test(weights_lie_between_two_colours),
        cmocka_unit_test(blocks_that_are_not_legal_are_magenta)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
