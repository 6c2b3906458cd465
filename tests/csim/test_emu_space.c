/* test_emu_space.c - the emulator's address space: where buffers go, what lies between
 * them. Does not find: what messages make of it (test_emu_memory.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "csim/emu/emu_int.h"

static void mappings_do_not_overlap(void **state)
{
    struct emu_mem *mem = emu_mem_new();
    static uint8_t host[300];
    struct igpu_err err;
    uint64_t a, b;

    (void)state;
    assert_int_equal(emu_mem_map(mem, host, 100, 0, &a, &err), IGPU_OK);
    assert_int_equal(emu_mem_map(mem, host + 100, 100, 0, &b, &err), IGPU_OK);
    assert_int_equal(a % 65536, 0);
    assert_true(b >= a + 65536);
    assert_ptr_equal(emu_mem_host(mem, a + 40, 60), host + 40);
    assert_null(emu_mem_host(mem, a + 40, 61));
    assert_null(emu_mem_host(mem, a - 1, 1));
    assert_int_equal(emu_mem_map_at(mem, a + 99, host + 200, 10, 0, &err), IGPU_USAGE);
    assert_int_equal(emu_mem_map_at(mem, a - 5, host + 200, 6, 0, &err), IGPU_USAGE);
    assert_int_equal(emu_mem_map_at(mem, a + 100, host + 200, 10, 0, &err), IGPU_OK);
    assert_null(emu_mem_host(mem, a + 95, 10)); /* apart in the host's memory */
    assert_int_equal(emu_mem_map_at(mem, a + 110, host + 210, 10, 0, &err), IGPU_OK);
    assert_ptr_equal(emu_mem_host(mem, a + 105, 15), host + 205);
    assert_ptr_equal(emu_mem_host(mem, a + 112, 8), host + 212);
    assert_null(emu_mem_host(mem, a + 105, 16));
    assert_int_equal(emu_mem_map_at(mem, (uint64_t)1 << 47, host, 10, 0, &err),
                     IGPU_USAGE);
    assert_int_equal(emu_mem_map_at(mem, b + 4096, host, 0, 0, &err), IGPU_USAGE);
    assert_true(emu_mem_unmap(mem, a));
    assert_false(emu_mem_unmap(mem, a));
    assert_null(emu_mem_host(mem, a, 1));
    assert_ptr_equal(emu_mem_host(mem, b, 100), host + 100);
    emu_mem_free(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mappings_do_not_overlap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
