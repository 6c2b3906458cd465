/* test_release.c - when a thread of graphics has its payload (docs/graphics.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "traces/feed/release.h"

static struct igpu_config config;

static uint64_t release(enum trace_work kind, uint64_t count)
{
    uint64_t work[TRACE_WORKS] = {1, 1, 1, 1, 1};

    work[kind] = count;
    return feed_release(&config, work) - config.ff_latency;
}

static void the_slowest_function_decides(void **unused)
{
    (void)unused;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.ff_vertex_cycles = 3;
    config.ff_fetch_bytes = 64;
    config.ff_primitive_cycles = 2;
    config.ff_pixels = 16;
    config.ff_tests = 8;
    assert_int_equal(release(TRACE_WORK_VERTICES, 100), 300);
    assert_int_equal(release(TRACE_WORK_BYTES, 640), 10);
    assert_int_equal(release(TRACE_WORK_BYTES, 641), 11);
    assert_int_equal(release(TRACE_WORK_PRIMITIVES, 100), 200);
    assert_int_equal(release(TRACE_WORK_BLOCKS, 100), 25);
    assert_int_equal(release(TRACE_WORK_TESTS, 100), 13);
    assert_int_equal(release(TRACE_WORK_TESTS, 0), 3); /* one vertex */
    config.ff_vertex_cycles = config.ff_primitive_cycles = 0;
    assert_int_equal(release(TRACE_WORK_VERTICES, 1000), 1);
}

static void any_count_is_far_from_an_overflow(void **unused)
{
    (void)unused;
    config.ff_vertex_cycles = 1000;
    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        assert_true(release((enum trace_work)w, UINT64_MAX) < UINT64_C(1) << 48);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slowest_function_decides),
        cmocka_unit_test(any_count_is_far_from_an_overflow)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
