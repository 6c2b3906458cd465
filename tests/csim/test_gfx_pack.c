/* test_gfx_pack.c - which pairs of lines of a compressed surface one line holds,
 * against sizes worked out by hand (docs/contract/frames.md, "Compressed colour"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_int.h"
#include "tests/support/rng.h"

#define BASE ((uint64_t)1 << 32)
enum { TILE = 4096, LINE = 64, PARTNER = 512, FIRST = 3 * LINE };
enum { RGBA8 = 0x0C7, RGBA16 = 0x080, R10G10B10A2 = 0x0C2, RGBA32F = 0x000 };

static uint8_t host[TILE];

static bool fits_with(uint32_t format, uint8_t aux, uint8_t tiling, uint32_t line)
{
    const struct gfx_buffer buffer = {BASE, TILE, host};
    const struct gfx_surface s = {.format = tex_format(format),
                                  .type = GFX_2D,
                                  .tiling = tiling,
                                  .aux = aux,
                                  .va = BASE};
    struct gfx *g = gfx_new();
    bool fits;

    assert_non_null(g);
    assert_non_null(s.format);
    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    gfx_touch_pairs(g, &s);
    fits = g->told.touched.packed != NULL && gfx_pair_fits(g, &s, BASE / LINE + line);
    gfx_free(g);
    return fits;
}

static bool fits(uint32_t format)
{
    bool first = fits_with(format, GFX_AUX_COLOUR, GFX_TILE_Y, FIRST / LINE);

    /* Either line names the pair. */
    assert_int_equal(
        first, fits_with(format, GFX_AUX_COLOUR, GFX_TILE_Y, (FIRST + PARTNER) / LINE));
    return first;
}

/* All texels of the pair's line, of 4 bytes. */
static void fill(uint32_t line, uint32_t texel)
{
    for (uint32_t i = 0; i < LINE; i += 4)
        memcpy(host + FIRST + line * PARTNER + i, &texel, 4);
}

static void one_colour_fits_and_noise_does_not(void **unused)
{
    uint32_t seed = 1;

    (void)unused;
    memset(host, 0x5A, sizeof(host));
    assert_true(fits(RGBA8));
    assert_true(fits(RGBA16));
    assert_true(fits(RGBA32F));
    for (uint32_t i = 0; i < TILE; i++)
        host[i] = (uint8_t)(lcg32_next(&seed) >> 24);
    assert_false(fits(RGBA8));
    assert_false(fits(RGBA16));
    assert_false(fits(RGBA32F));
}

/* 8 x 4 bits of widths and the first texel's 32 leave 448, 28 for each of 16 texels. */
static void widths_of_a_line_add_up_to_448_bits(void **unused)
{
    (void)unused;
    fill(0, 0x00000000);
    fill(1, 0x3F3F3F3F); /* four differences of 63: 7 bits each */
    assert_true(fits(RGBA8));
    fill(1, 0x3F3F3F40); /* 64 takes 8 */
    assert_false(fits(RGBA8));
    fill(0, 0x40404040);
    fill(1, 0x00000000); /* -64 takes 7 */
    assert_true(fits(RGBA8));
    fill(1, 0x000000FF); /* 191 takes 9: 30 */
    assert_false(fits(RGBA8));
    fill(0, 0x11111100);
    fill(1, 0x11111101); /* red differs by 1 from the pair's first texel: 2 bits.. */
    for (uint32_t c = 0; c < 3; c++)
        host[FIRST + 4 + c] += 0x7F;
    assert_true(fits(RGBA8)); /* ..and in the line itself three of 8: 26 */
    host[FIRST + 7] += 0x7F;
    assert_false(fits(RGBA8)); /* 34 */
}

/* A difference of two bits in a packed format's least channel. */
static void packed_formats_have_their_own_channels(void **unused)
{
    (void)unused;
    fill(0, 0xC0000000);
    fill(1, 0x00000001); /* alpha 3 to 0: 3 bits; red 1: 2 */
    assert_true(fits(R10G10B10A2));
    fill(1, 0x3FFFFFFF); /* 11 + 11 + 11 + 3 */
    assert_false(fits(R10G10B10A2));
}

static void only_compressed_surfaces_in_tile_y_have_pairs(void **unused)
{
    enum { BC1 = 0x186, R8 = 0x140 };

    (void)unused;
    memset(host, 0, sizeof(host));
    assert_true(fits_with(RGBA8, GFX_AUX_COLOUR, GFX_TILE_Y, 0));
    assert_false(fits_with(RGBA8, GFX_AUX_NONE, GFX_TILE_Y, 0));
    assert_false(fits_with(RGBA8, GFX_AUX_CLEAR, GFX_TILE_Y, 0));
    assert_false(fits_with(RGBA8, GFX_AUX_DEPTH, GFX_TILE_Y, 0));
    assert_false(fits_with(RGBA8, GFX_AUX_COLOUR, GFX_TILE_X, 0));
    assert_false(fits_with(BC1, GFX_AUX_COLOUR, GFX_TILE_Y, 0));
    assert_false(fits_with(R8, GFX_AUX_COLOUR, GFX_TILE_Y, 0));
    assert_false(
        fits_with(RGBA8, GFX_AUX_COLOUR, GFX_TILE_Y, TILE / LINE)); /* outside */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_colour_fits_and_noise_does_not),
        cmocka_unit_test(widths_of_a_line_add_up_to_448_bits),
        cmocka_unit_test(packed_formats_have_their_own_channels),
        cmocka_unit_test(only_compressed_surfaces_in_tile_y_have_pairs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
