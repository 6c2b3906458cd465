/* test_emu_image.c - formats, layouts and tiles of images without a kernel. Reading
 * and writing by kernels: tests/traces/test_images.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/image.h"

static struct emu_image image_of(uint8_t kind, uint32_t width, uint32_t height,
                                 uint32_t depth, uint32_t layers)
{
    return (struct emu_image){.kind = kind,
                              .order = IMAGE_RGBA,
                              .type = IMAGE_UNORM8,
                              .width = width,
                              .height = height,
                              .depth = depth,
                              .array_size = layers};
}

static void a_layout_has_the_tightest_pitches(void **state)
{
    struct emu_image image = image_of(IMAGE_3D, 13, 7, 5, 1);
    struct igpu_err err = {.text = ""};
    uint64_t bytes;

    (void)state;
    assert_int_equal(image_layout(&image, &bytes, &err), IGPU_OK);
    assert_int_equal(image.row_pitch, 52);
    assert_int_equal(image.slice_pitch, 364);
    assert_int_equal(bytes, 5 * 364);
    image.row_pitch = 64; /* the last row ends with its last texel */
    image.slice_pitch = 0;
    assert_int_equal(image_layout(&image, &bytes, &err), IGPU_OK);
    assert_int_equal(image.slice_pitch, 448);
    assert_int_equal(bytes, 4 * 448 + 6 * 64 + 52);
}

static void sizes_that_an_image_cannot_have_are_refused(void **state)
{
    const struct emu_image bad[] = {
        image_of(IMAGE_2D, 0, 1, 1, 1),       image_of(IMAGE_2D, 16385, 1, 1, 1),
        image_of(IMAGE_1D, 8, 2, 1, 1),       image_of(IMAGE_2D, 8, 8, 2, 1),
        image_of(IMAGE_2D, 8, 8, 1, 2),       image_of(IMAGE_3D, 8, 8, 2049, 1),
        image_of(IMAGE_2D_ARRAY, 8, 8, 1, 0), image_of(IMAGE_KIND_COUNT, 8, 8, 1, 1)};
    struct emu_image wide = image_of(IMAGE_1D_BUFFER, 1 << 27, 1, 1, 1);
    struct igpu_err err = {.text = ""};

    (void)state;
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct emu_image image = bad[i];

        assert_int_equal(image_layout(&image, NULL, &err), IGPU_USAGE);
    }
    assert_int_equal(image_layout(&wide, NULL, &err), IGPU_OK);
    wide.width++;
    assert_int_equal(image_layout(&wide, NULL, &err), IGPU_USAGE);
}

/* Every texel has a place of its own inside of the footprint. */
static void tiles_do_not_overlap(void **state)
{
    struct emu_image image = image_of(IMAGE_2D_ARRAY, 37, 41, 1, 3);
    struct igpu_err err = {.text = ""};
    uint64_t bytes = 0, room;
    uint8_t *seen;

    (void)state;
    assert_int_equal(image_layout(&image, &bytes, &err), IGPU_OK);
    room = image_footprint(&image);
    assert_int_equal(room, 2 * 2 * 3 * 4096); /* 2 x 2 tiles in each of 3 layers */
    assert_true(room >= bytes);
    seen = calloc(1, room);
    assert_non_null(seen);
    for (uint32_t z = 0; z < 3; z++)
        for (uint32_t y = 0; y < 41; y++)
            for (uint32_t x = 0; x < 37; x++) {
                uint64_t at = image_tiled_offset(&image, x, y, z);

                assert_true(at + 4 <= room);
                assert_int_equal(seen[at]++, 0);
            }
    free(seen);
}

static void a_line_holds_four_texels_of_four_rows(void **state)
{
    struct emu_image image = image_of(IMAGE_2D, 64, 64, 1, 1);
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(image_layout(&image, NULL, &err), IGPU_OK);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            assert_int_equal(image_tiled_offset(&image, x, y, 0) / 64,
                             image_tiled_offset(&image, x / 4 * 4, y / 4 * 4, 0) / 64);
    assert_int_equal(image_tiled_offset(&image, 0, 4, 0), 64);
    assert_int_equal(image_tiled_offset(&image, 4, 0, 0), 512);
    assert_int_equal(image_tiled_offset(&image, 32, 0, 0), 4096);
    image.linear = true;
    assert_int_equal(image_tiled_offset(&image, 3, 2, 0), 2 * 256 + 12);
    assert_int_equal(image_footprint(&image), 64 * 256);
}

static uint32_t bits(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof(word));
    return word;
}

static void packing_rounds_to_even_and_saturates(void **state)
{
    const struct {
        uint32_t type;
        float value;
        uint32_t want;
    } cases[] = {
        {IMAGE_UNORM8, 0.5f / 255.0f, 0},  {IMAGE_UNORM8, 1.5f / 255.0f, 2},
        {IMAGE_UNORM8, 7.0f, 255},         {IMAGE_UNORM8, -7.0f, 0},
        {IMAGE_UNORM8, 0.0f / 0.0f, 0},    {IMAGE_SNORM8, -7.0f, 0x81},
        {IMAGE_SNORM8, 0.0f / 0.0f, 0},    {IMAGE_UNORM16, 1.0f, 65535},
        {IMAGE_SNORM16, -1.0f, 0x8001},    {IMAGE_HALF, 65520.0f, 0x7C00},
        {IMAGE_HALF, 1.0f / 3.0f, 0x3555}, {IMAGE_FLOAT, 1.0f, 0x3F800000},
        {IMAGE_UNORM8, 1.0f / 0.0f, 255},  {IMAGE_SNORM16, -1.0f / 0.0f, 0x8001},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t rgba[4] = {bits(cases[i].value), 0, 0, 0}, texel = 0;

        image_pack(IMAGE_R, cases[i].type, rgba, &texel);
        assert_int_equal(texel, cases[i].want);
    }
}

/* Unpacked and packed again, every pattern of 16 bits comes back (signed -128 as
 * -127, which is the same number). */
static void sixteen_bits_survive_the_way_there_and_back(void **state)
{
    static const uint32_t types[] = {IMAGE_UNORM16, IMAGE_SNORM16, IMAGE_SINT16,
                                     IMAGE_UINT16};

    (void)state;
    for (unsigned t = 0; t < 4; t++)
        for (uint32_t i = 0; i < 65536; i++) {
            uint16_t texel = (uint16_t)i, back = 0;
            uint32_t rgba[4];

            image_unpack(IMAGE_R, types[t], &texel, rgba);
            image_pack(IMAGE_R, types[t], rgba, &back);
            if (types[t] == IMAGE_SNORM16 && i == 0x8000)
                texel = 0x8001;
            assert_int_equal(back, texel);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layout_has_the_tightest_pitches),
        cmocka_unit_test(sizes_that_an_image_cannot_have_are_refused),
        cmocka_unit_test(tiles_do_not_overlap),
        cmocka_unit_test(a_line_holds_four_texels_of_four_rows),
        cmocka_unit_test(packing_rounds_to_even_and_saturates),
        cmocka_unit_test(sixteen_bits_survive_the_way_there_and_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
