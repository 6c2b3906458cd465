/* test_tex_pack.c - tex_pack_bytes4() of many texels gives tex_pack()'s of each, and
 * tex_unpack_bytes4() tex_unpack()'s: each
 * middle between two bytes and its neighbours, special numbers, random ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csim/tex/lanes.h"
#include "tests/support/rng.h"

enum { RGBA8 = 0x0C7, BGRA8 = 0x0C0, BGRX8 = 0x0E9, ROUNDS = 20000 };

static float value(struct rng *rng)
{
    static const float special[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-40f};
    uint64_t r = rng_next(rng);
    float middle = ((float)(r >> 40 & 255) + 0.5f) / 255;

    switch (r >> 60) {
    case 0:
        return special[r & 7];
    case 1:
        return tex_float((uint32_t)r);
    case 2:
        return nextafterf(middle, r & 1 ? 0.0f : 1.0f);
    case 3:
        return middle;
    default:
        return (float)(r >> 40 & 0xFFFF) / 0xFFFF * 1.1f - 0.05f;
    }
}

static void many_are_packed_as_one(void **state)
{
    const uint32_t numbers[] = {RGBA8, BGRA8, BGRX8};
    struct rng rng = {20261127};

    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const struct tex_format *f = tex_format(numbers[round % 3]);
        struct tex_texels t;
        uint8_t many[TEX_PACKED][4];

        assert_true(tex_is_bytes4(f));
        for (uint32_t i = 0; i < 4 * TEX_PACKED; i++)
            t.rgba[i % 4][i / 4] = value(&rng);
        tex_pack_bytes4(f, &t, many);
        for (uint32_t i = 0; i < TEX_PACKED; i++) {
            uint32_t bits[4];
            uint8_t one[4];

            for (uint32_t c = 0; c < 4; c++)
                bits[c] = tex_bits(t.rgba[c][i]);
            tex_pack(f, bits, one);
            assert_memory_equal(many[i], one, sizeof(one));
        }
    }
}

static void many_are_unpacked_as_one(void **state)
{
    const uint32_t numbers[] = {RGBA8, BGRA8, BGRX8};

    (void)state;
    for (uint32_t first = 0; first < 3 * 256; first += TEX_PACKED) {
        const struct tex_format *f = tex_format(numbers[first / 256]);
        uint8_t many[TEX_PACKED][4];
        struct tex_texels t;

        for (uint32_t i = 0; i < 4 * TEX_PACKED; i++)
            many[i / 4][i % 4] = (uint8_t)(first + i / 4 + 64 * (i % 4));
        tex_unpack_bytes4(f, many, &t);
        for (uint32_t i = 0; i < TEX_PACKED; i++) {
            uint32_t bits[4];

            tex_unpack(f, many[i], bits);
            for (uint32_t c = 0; c < 4; c++)
                assert_int_equal(tex_bits(t.rgba[c][i]), bits[c]);
        }
    }
}

static void others_are_not_four_bytes(void **state)
{
    enum { RGBA8_SRGB = 0x0C8, RGBA8_SNORM = 0x0C9 };

    (void)state;
    assert_false(tex_is_bytes4(tex_format(RGBA8_SRGB)));
    assert_false(tex_is_bytes4(tex_format(RGBA8_SNORM)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_are_packed_as_one),
        cmocka_unit_test(many_are_unpacked_as_one),
        cmocka_unit_test(others_are_not_four_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
