/* test_astc_peer.c - ASTC blocks against Arm's own decoder (Debian's libastcenc):
 * noise, and what its encoder makes of pictures, in all 28 formats, every texel's bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_surface.h"
#include "igpu/half.h"
#include "tests/support/rng.h"
#include "tests/tex/astc_peer.h"

enum { BLOCKS = 64, ROUNDS = 24, MOST = BLOCKS * 12 * 12, CHANNELS = 4, FORMATS = 28 };

static uint64_t state = 1;

static uint32_t next(void)
{
    return (uint32_t)(lcg_next(&state) >> 33);
}

/* Format `i`: of 14 sizes, sRGB first. */
static const struct tex_format *format(uint32_t i)
{
    static const uint8_t sizes[14] = {0x00, 0x08, 0x09, 0x11, 0x12, 0x21, 0x22,
                                      0x24, 0x31, 0x32, 0x34, 0x36, 0x3E, 0x3F};

    return tex_format((i < 14 ? 0x200u : 0x240u) + sizes[i % 14]);
}

static struct astc_peer *peer_of(const struct tex_format *f)
{
    struct astc_peer *peer =
        astc_peer_new(tex_block_width(f), tex_block_height(f), BLOCKS, f->srgb);

    assert_non_null(peer);
    return peer;
}

/* A texel: bytes with sRGB, before that is undone; else halves. A block that is not
 * legal is magenta, in halves as well, where the peer has what is no number (both are
 * allowed: Khronos Data Format Specification, 23.24) or, of colours of high dynamic
 * range, a magenta that it has not widened to 16 bits. */
static void peers(const struct tex_format *f, const uint16_t *pixels, size_t at,
                  float rgba[CHANNELS])
{
    static const uint16_t wrong[2][CHANNELS] = {{0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF},
                                                {0x3BF8, 0, 0x3BF8, 0x3BF8}};
    static const float magenta[CHANNELS] = {1, 0, 1, 1};

    for (uint32_t c = 0; c < CHANNELS; c++)
        rgba[c] = f->srgb ? (float)((const uint8_t *)pixels)[at + c] / 255
                          : igpu_half_to_float(pixels[at + c]);
    for (uint32_t i = 0; i < 2 && !f->srgb; i++)
        if (memcmp(pixels + at, wrong[i], sizeof(wrong[i])) == 0)
            memcpy(rgba, magenta, sizeof(magenta));
}

/* Texels of the row of blocks that differ. */
static uint32_t differing(const struct tex_format *f, struct astc_peer *peer,
                          const uint8_t *blocks)
{
    static uint16_t pixels[CHANNELS * MOST];
    uint32_t wide = tex_block_width(f), wrong = 0;

    assert_true(astc_peer_decode(peer, blocks, pixels));
    for (uint32_t y = 0; y < tex_block_height(f); y++)
        for (uint32_t x = 0; x < BLOCKS * wide; x++) {
            size_t at = CHANNELS * ((size_t)y * BLOCKS * wide + x);
            float rgba[CHANNELS], want[CHANNELS];

            tex_unpack_astc(f, blocks + x / wide * 16, x % wide, y, rgba);
            peers(f, pixels, at, want);
            wrong += memcmp(rgba, want, sizeof(want)) != 0;
        }
    return wrong;
}

/* An eighth of the blocks has one colour, as most blocks of noise have not. */
static void fill_noise(uint8_t *blocks)
{
    for (uint32_t i = 0; i < 16 * BLOCKS; i++)
        blocks[i] = (uint8_t)next();
    for (uint32_t i = 0; i < BLOCKS / 8; i++) {
        blocks[16 * i] = 0xFC;
        blocks[16 * i + 1] = 0xFD;
        memset(blocks + 16 * i + 2, 0xFF, i % 2 ? 6 : 0);
    }
}

static void noise_is_read_as_the_peer_reads_it(void **unused)
{
    uint8_t blocks[16 * BLOCKS];

    (void)unused;
    for (uint32_t i = 0; i < FORMATS; i++) {
        const struct tex_format *f = format(i);
        struct astc_peer *peer = peer_of(f);
        uint32_t wrong = 0;

        for (uint32_t round = 0; round < ROUNDS; round++) {
            fill_noise(blocks);
            wrong += differing(f, peer, blocks);
        }
        astc_peer_free(peer);
        if (wrong != 0)
            print_message("# format 0x%X: %u texels differ\n", f->number, wrong);
        assert_int_equal(wrong, 0);
    }
}

/* Slopes, edges and noise, so that the encoder uses many modes. */
static void draw(uint8_t *pixels, uint32_t wide, uint32_t high)
{
    uint32_t slope[CHANNELS], kind = next() % 3;

    for (uint32_t c = 0; c < CHANNELS; c++)
        slope[c] = next() % 64;
    for (uint32_t y = 0; y < high; y++)
        for (uint32_t x = 0; x < wide; x++)
            for (uint32_t c = 0; c < CHANNELS; c++)
                pixels[CHANNELS * (y * wide + x) + c] =
                    (uint8_t)(kind == 0   ? slope[c] * x / 4 + y * 7
                              : kind == 1 ? ((x / 3 + y / 2 + c) % 2 ? 255 : slope[c])
                                          : next());
}

static void what_its_encoder_makes_is_read_as_the_peer_reads_it(void **unused)
{
    static uint8_t pixels[CHANNELS * MOST];
    uint8_t blocks[16 * BLOCKS];

    (void)unused;
    for (uint32_t i = 0; i < FORMATS / 2; i++) {
        const struct tex_format *f = format(i);
        struct astc_peer *peer = peer_of(f);
        uint32_t wrong = 0;

        for (uint32_t round = 0; round < ROUNDS / 2; round++) {
            draw(pixels, BLOCKS * tex_block_width(f), tex_block_height(f));
            assert_true(astc_peer_encode(peer, pixels, blocks));
            wrong += differing(f, peer, blocks);
        }
        astc_peer_free(peer);
        assert_int_equal(wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_read_as_the_peer_reads_it),
        cmocka_unit_test(what_its_encoder_makes_is_read_as_the_peer_reads_it)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
