/* test_spirv.c - SPIR-V whose loads of a built-in vector's components the compiler
 * cannot take: what becomes of them, and that nothing else changes. That the compiler
 * takes it: tests/ocl/test_ocl_program.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/isa_material.h"
#include "tests/support/spirv_module.h"
#include "traces/program/spirv.h"

enum {
    WORDS = sizeof(spirv_module) / sizeof(spirv_module[0]),
    HEADER = 5,
    BOUND = 3,
    LOAD = 61,
    COMPOSITE_EXTRACT = 81,
    IN_BOUNDS_PTR_ACCESS_CHAIN = 70
};

static uint32_t count(const uint32_t *word, size_t words, uint32_t opcode)
{
    uint32_t found = 0;

    for (size_t at = HEADER; at < words; at += word[at] >> 16)
        found += (word[at] & 0xFFFF) == opcode;
    return found;
}

static void loads_of_components_become_loads_of_vectors(void **state)
{
    uint32_t *mended;
    size_t bytes, words, loads = 0;

    (void)state;
    assert_true(spirv_mend(spirv_module, sizeof(spirv_module), &mended, &bytes));
    assert_non_null(mended);
    words = bytes / 4;
    /* two loads, as many extracts, and of three pointers the one that is stored to */
    assert_int_equal(mended[BOUND], spirv_module[BOUND] + 2);
    assert_int_equal(count(mended, words, LOAD), 2);
    assert_int_equal(count(mended, words, COMPOSITE_EXTRACT), 2);
    assert_int_equal(count(mended, words, IN_BOUNDS_PTR_ACCESS_CHAIN), 1);
    assert_int_equal(count(spirv_module, WORDS, IN_BOUNDS_PTR_ACCESS_CHAIN), 3);
    for (size_t at = HEADER; at < words; at += mended[at] >> 16)
        if ((mended[at] & 0xFFFF) == COMPOSITE_EXTRACT) {
            assert_int_equal(mended[at + 4], loads); /* x, then y, .. */
            assert_int_equal(mended[at + 3], spirv_module[BOUND] + loads); /* ..of */
            assert_int_equal(mended[at - 2], mended[at + 3]);
            loads++;
        }
    assert_int_equal(loads, 2);
    free(mended);
}

static void what_has_none_stays(void **state)
{
    uint32_t other[WORDS], *mended;
    size_t bytes;

    (void)state;
    memcpy(other, spirv_module, sizeof(other));
    for (size_t at = HEADER; at < WORDS; at += other[at] >> 16)
        if ((other[at] & 0xFFFF) == 71 && other[at + 2] == 11)
            other[at + 2] = 22; /* no built-in variable */
    assert_true(spirv_mend(other, sizeof(other), &mended, &bytes));
    assert_null(mended);
    other[0] = __builtin_bswap32(other[0]); /* of the other byte order */
    assert_true(spirv_mend(other, sizeof(other), &mended, &bytes));
    assert_null(mended);
    assert_true(spirv_mend("SPIR", 4, &mended, &bytes));
    assert_null(mended);
}

/* Another use of a pointer keeps it. */
static void pointers_that_others_use_stay(void **state)
{
    uint32_t other[WORDS + 4], *mended;
    size_t bytes, end = WORDS - 2; /* in front of return and the function's end */

    (void)state;
    memcpy(other, spirv_module, sizeof(spirv_module));
    for (size_t at = HEADER; at < WORDS; at += other[at] >> 16)
        if ((other[at] & 0xFFFF) == LOAD) {
            memmove(other + end + 3, other + end, 2 * sizeof(*other));
            other[end] = 3u << 16 | 62; /* stored to */
            other[end + 1] = other[at + 3];
            other[end + 2] = other[at + 2];
            break;
        }
    assert_true(spirv_mend(other, (WORDS + 3) * sizeof(*other), &mended, &bytes));
    assert_non_null(mended);
    assert_int_equal(count(mended, bytes / 4, IN_BOUNDS_PTR_ACCESS_CHAIN), 2);
    free(mended);
}

/* Damaged modules are left or rewritten; what comes out is as whole as what went in. */
static void damaged_modules_do_no_harm(void **state)
{
    uint64_t seed = 31;
    uint32_t rewritten = 0;

    (void)state;
    for (uint32_t n = 0; n < 200000; n++) {
        uint32_t *word = malloc(sizeof(spirv_module)), *mended;
        size_t bytes = 4 * (material_random(&seed) % (WORDS + 1)), out;

        memcpy(word, spirv_module, sizeof(spirv_module));
        for (uint32_t i = material_random(&seed) % 4; i > 0; i--)
            word[material_random(&seed) % WORDS] =
                material_random(&seed) >> material_random(&seed) % 32;
        if (n % 2)
            bytes = sizeof(spirv_module);
        assert_true(spirv_mend(word, bytes, &mended, &out));
        for (size_t at = HEADER; mended != NULL && at < out / 4; at += mended[at] >> 16)
            assert_true(mended[at] >> 16 != 0 && mended[at] >> 16 <= out / 4 - at);
        rewritten += mended != NULL;
        free(mended);
        free(word);
    }
    assert_true(rewritten > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_components_become_loads_of_vectors),
        cmocka_unit_test(what_has_none_stays),
        cmocka_unit_test(pointers_that_others_use_stay),
        cmocka_unit_test(damaged_modules_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
