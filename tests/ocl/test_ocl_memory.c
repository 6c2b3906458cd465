/* test_ocl_memory.c - what buffers cost the host: memory that is used, while it is. */
#include <sys/resource.h>

#include "rig.h"

enum { BYTES = 64 << 20, ROUNDS = 10 };

/* The most that the process has held, in bytes. */
static size_t peak(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (size_t)usage.ru_maxrss << 10;
}

static void a_buffer_takes_memory_where_it_is_used(void **state)
{
    const struct rig *rig = *state;
    size_t before = peak();
    cl_mem buffer[ROUNDS];
    cl_int status;
    int last = 1;

    for (int i = 0; i < ROUNDS; i++) {
        buffer[i] = clCreateBuffer(rig->context, 0, BYTES, NULL, &status);
        check(status);
    }
    check(clEnqueueReadBuffer(rig->queue, buffer[0], CL_TRUE, BYTES - 4, 4, &last, 0,
                              NULL, NULL));
    assert_int_equal(last, 0);
    assert_true(peak() - before < (size_t)BYTES * 3);
    for (int i = 0; i < ROUNDS; i++)
        check(clReleaseMemObject(buffer[i]));
}

/* No kernel runs in between. `wait`: with a command under way at the release. */
static void fill_and_release(const struct rig *rig, cl_bool wait)
{
    const int one = 1;
    size_t before = peak();

    for (int i = 0; i < ROUNDS; i++) {
        cl_int status;
        cl_mem buffer = clCreateBuffer(rig->context, 0, BYTES, NULL, &status);

        check(status);
        check(clEnqueueFillBuffer(rig->queue, buffer, &one, sizeof(one), 0, BYTES, 0,
                                  NULL, NULL));
        if (!wait)
            check(clFinish(rig->queue));
        check(clReleaseMemObject(buffer));
        check(clFinish(rig->queue));
    }
    assert_true(peak() - before < (size_t)BYTES * ROUNDS / 2);
}

static void released_memory_is_free_without_a_launch(void **state)
{
    fill_and_release(*state, CL_FALSE);
    fill_and_release(*state, CL_TRUE);
}

static void a_fill_repeats_its_pattern(void **state)
{
    enum { N = 40000 };
    const struct rig *rig = *state;
    static uint8_t pattern[128], got[N + 384];
    cl_mem buffer = rig_buffer(rig, sizeof(got), NULL);

    for (unsigned i = 0; i < sizeof(pattern); i++)
        pattern[i] = (uint8_t)(i * 7 + 1);
    for (size_t bytes = 1; bytes <= sizeof(pattern); bytes *= 2) {
        size_t end = 128 + N / bytes * bytes;

        memset(got, 0, sizeof(got));
        check(clEnqueueWriteBuffer(rig->queue, buffer, CL_FALSE, 0, sizeof(got), got, 0,
                                   NULL, NULL));
        check(clEnqueueFillBuffer(rig->queue, buffer, pattern, bytes, 128, end - 128, 0,
                                  NULL, NULL));
        rig_read(rig, buffer, got, sizeof(got));
        for (size_t i = 0; i < sizeof(got); i++)
            assert_int_equal(got[i],
                             i < 128 || i >= end ? 0 : pattern[(i - 128) % bytes]);
    }
    check(clReleaseMemObject(buffer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_takes_memory_where_it_is_used),
        cmocka_unit_test(released_memory_is_free_without_a_launch),
        cmocka_unit_test(a_fill_repeats_its_pattern),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
