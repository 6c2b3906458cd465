/* test_grow.c - arrays that grow: what they hold stays, rooms double, what is new is
 * zero where that is asked for, and what cannot be had or counted leaves all as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "igpu/grow.h"

static void append_keeps_what_was_there(void **state)
{
    struct pair {
        uint64_t a, b;
    } *pair = NULL;
    uint32_t count = 0, room = 0, grown = 0;

    (void)state;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t had = room;

        assert_true(IGPU_APPEND(pair, count, room, (struct pair){i, ~i}));
        assert_int_equal(count, i + 1);
        assert_true(room >= count && (room == had || room >= 2 * had));
        grown += room != had;
    }
    assert_in_range(grown, 1, 10); /* 16 to 8192: doubled nine times */
    for (uint32_t i = 0; i < count; i++)
        assert_true(pair[i].a == i && pair[i].b == (uint32_t)~i);
    free(pair);
}

static void new_elements_are_zero(void **state)
{
    uint16_t *array = NULL;
    size_t room = 0;

    (void)state;
    for (size_t want = 1; want < 3000; want = 2 * want + 3) {
        size_t had = room;

        assert_true(IGPU_RESERVE_ZERO(array, room, want));
        assert_true(room >= want);
        for (size_t i = had; i < room; i++) {
            assert_int_equal(array[i], 0);
            array[i] = 0xBEEF; /* of what is there already nothing is cleared */
        }
        for (size_t i = 0; i < had; i++)
            assert_int_equal(array[i], 0xBEEF);
    }
    free(array);
}

static void room_that_is_there_is_kept(void **state)
{
    char *array = NULL, *was;
    uint32_t room = 0;

    (void)state;
    assert_true(IGPU_RESERVE(array, room, 100));
    was = array;
    assert_int_equal(room, 100);
    assert_true(IGPU_RESERVE(array, room, 100) &&
                IGPU_RESERVE(array, room, room - 100));
    assert_true(array == was && room == 100);
    free(array);
}

static void a_size_is_exact(void **state)
{
    uint32_t *array = NULL;

    (void)state;
    assert_true(IGPU_RESIZE(array, 0)); /* an address that is none of an element */
    assert_non_null(array);
    assert_true(IGPU_RESIZE(array, 1000));
    for (uint32_t i = 0; i < 1000; i++)
        array[i] = i;
    assert_true(IGPU_RESIZE(array, 10));
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(array[i], i);
    free(array);
}

/* Sizes that no multiplication may wrap, counts that no room may wrap, and memory that
 * no machine has: false, and the array is as it was. A sanitizer ends the program where
 * the last of these is asked for. */
static void what_cannot_be_had_changes_nothing(void **state)
{
    const size_t uncounted = (size_t)UINT32_MAX + 1, wraps = SIZE_MAX / 8 + 2;
    uint64_t *array = NULL, *was;
    uint32_t narrow = 0;
    size_t wide = 20;

    (void)state;
    assert_true(IGPU_RESERVE(array, narrow, 20));
    was = array;
    array[19] = 7;
    assert_false(igpu_grow(&array, 8, &narrow, sizeof(narrow), uncounted, false));
    assert_false(igpu_grow(&array, SIZE_MAX / 16, &narrow, sizeof(narrow), 21, true));
    assert_false(IGPU_RESERVE_ZERO(array, wide, wraps));
    assert_false(IGPU_RESIZE(array, wraps));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_false(IGPU_RESERVE(array, wide, SIZE_MAX / 8));
    assert_false(IGPU_RESIZE(array, SIZE_MAX / 8));
#endif
    assert_true(array == was && narrow == 20 && wide == 20 && array[19] == 7);
    free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(append_keeps_what_was_there),
        cmocka_unit_test(new_elements_are_zero),
        cmocka_unit_test(room_that_is_there_is_kept),
        cmocka_unit_test(a_size_is_exact),
        cmocka_unit_test(what_cannot_be_had_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
