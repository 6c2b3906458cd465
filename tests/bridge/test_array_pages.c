/* test_array_pages.c - a kernel larger than the instruction store: what is promised
 * stays where it is, and every page is written before it is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include "bridge/engines/rtl/array_pages.h"

enum { PAGE = 8, KERNEL = 20 * PAGE - 3, STORE = 4 * PAGE };

static void what_is_promised_stays_in_its_place(void **state)
{
    struct array_pages *p = array_pages_create(KERNEL, STORE, PAGE);
    uint32_t place[4];
    bool load;

    (void)state;
    assert_non_null(p);
    for (uint32_t i = 0; i < 4; i++) {
        place[i] = array_pages_promise(p, 3 * i * PAGE + i, 2, &load);
        assert_true(load);
        assert_int_equal(place[i] % PAGE, i);
        assert_int_equal(array_pages_uop(p, place[i]), 3 * i * PAGE + i);
    }
    assert_int_equal(array_pages_promise(p, KERNEL - 1, 1, &load), UINT32_MAX);
    assert_int_equal(array_pages_promise(p, 3 * PAGE, 1, &load), place[1] - 1);
    assert_false(load);
    for (uint32_t i = 0; i < 3; i++) /* three promises of page 3 */
        array_pages_release(p, 3 * PAGE + 1);
    place[1] = array_pages_promise(p, KERNEL - 1, 1, &load);
    assert_true(load); /* in the only free page, which page 3 leaves */
    assert_int_equal(array_pages_uop(p, place[1]), KERNEL - 1);
    assert_int_equal(array_pages_place(p, KERNEL - 1), place[1]);
    assert_true(array_pages_have(p, KERNEL - 1));
    assert_false(array_pages_have(p, 3 * PAGE)); /* its page went */
    array_pages_release(p, 0);
    array_pages_release(p, 1);
    (void)array_pages_promise(p, 3 * PAGE, 1, &load);
    assert_true(load);
    array_pages_destroy(p);
}

static void a_page_without_promises_need_not_be_written_again(void **state)
{
    struct array_pages *p = array_pages_create(KERNEL, STORE, PAGE);
    bool load;

    (void)state;
    assert_non_null(p);
    for (uint32_t turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < 4; i++) {
            (void)array_pages_promise(p, i * PAGE, 1, &load);
            assert_int_equal(load, turn == 0);
            array_pages_release(p, i * PAGE);
        }
    (void)array_pages_promise(p, 4 * PAGE, 1, &load);
    assert_true(load);
    array_pages_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_promised_stays_in_its_place),
        cmocka_unit_test(a_page_without_promises_need_not_be_written_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
