/* test_ocl_memory.c - what buffers cost the host: memory that is used, while it is.
 * Measures time. tests/run: alone */
#include <sys/resource.h>
#include <time.h>

#include "rig.h"

enum { BYTES = 64 << 20, FILLED = 16 << 20, ROUNDS = 10 };

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
        cl_mem buffer = clCreateBuffer(rig->context, 0, FILLED, NULL, &status);

        check(status);
        check(clEnqueueFillBuffer(rig->queue, buffer, &one, sizeof(one), 0, FILLED, 0,
                                  NULL, NULL));
        if (!wait)
            check(clFinish(rig->queue));
        check(clReleaseMemObject(buffer));
        check(clFinish(rig->queue));
    }
    assert_true(peak() - before < (size_t)FILLED * ROUNDS / 2);
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

/* CPU seconds to make and release buffers of `count` sizes from the first on. */
static double time_of_sizes(const struct rig *rig, size_t first, size_t count)
{
    clock_t begin = clock();

    for (size_t i = first; i < first + count; i++) {
        cl_mem buffer = clCreateBuffer(rig->context, 0, i * 65536 + 1, NULL, NULL);

        assert_non_null(buffer);
        check(clReleaseMemObject(buffer));
    }
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static void many_sizes_take_no_longer_than_few(void **state)
{
    double first = time_of_sizes(*state, 1, 3000), last;

    (void)time_of_sizes(*state, 3001, 24000);
    last = time_of_sizes(*state, 27001, 3000);
    if (last > 4 * first)
        fail_msg("the first 3000 sizes took %.3f s, the last %.3f s", first, last);
}

/* A rectangle of one buffer whose origin or region has no address. */
static void rectangles_beyond_all_addresses_are_refused(void **state)
{
    static const struct {
        size_t origin[3], region[3], row, slice;
    } cases[] = {
        {{0, 0, SIZE_MAX}, {16, 1, 2}, 16, 16},
        {{0, SIZE_MAX, 0}, {16, 2, 1}, 16, 0},
        {{SIZE_MAX - 4, 0, 0}, {16, 1, 1}, 16, 0},
        {{0, 0, 0}, {2, (size_t)1 << 63, 1}, 2, 1024},
        {{0, 0, 0}, {16, 1, SIZE_MAX / 16 + 2}, 16, 16},
    };
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 4096, NULL), other = rig_buffer(rig, 4096, NULL);
    const size_t zero[3] = {0, 0, 0};
    uint8_t host[64];

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(clEnqueueReadBufferRect(rig->queue, buffer, CL_TRUE,
                                                 cases[i].origin, zero, cases[i].region,
                                                 cases[i].row, cases[i].slice, 0, 0,
                                                 host, 0, NULL, NULL),
                         CL_INVALID_VALUE);
        assert_int_equal(
            clEnqueueCopyBufferRect(rig->queue, buffer, other, cases[i].origin, zero,
                                    cases[i].region, cases[i].row, cases[i].slice,
                                    cases[i].row, cases[i].slice, 0, NULL, NULL),
            CL_INVALID_VALUE);
    }
    check(clReleaseMemObject(buffer));
    check(clReleaseMemObject(other));
}

/* Two parts of one buffer: what counts is where they lie in it. */
static void rectangles_of_sub_buffers_may_overlap(void **state)
{
    const struct rig *rig = *state;
    const size_t zero[3] = {0, 0, 0}, below[3] = {0, 64, 0}, region[3] = {16, 4, 1};
    const size_t beside[3] = {16, 64, 0};
    cl_buffer_region part[2] = {{0, 2048}, {1024, 2048}};
    cl_mem buffer = rig_buffer(rig, 4096, NULL), sub[2];
    cl_int status;

    for (unsigned i = 0; i < 2; i++) {
        sub[i] = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part[i],
                                   &status);
        check(status);
    }
    assert_int_equal(clEnqueueCopyBufferRect(rig->queue, sub[0], sub[1], below, zero,
                                             region, 16, 0, 16, 0, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    check(clEnqueueCopyBufferRect(rig->queue, sub[0], sub[1], zero, zero, region, 16, 0,
                                  16, 0, 0, NULL, NULL));
    assert_int_equal(clEnqueueCopyBufferRect(rig->queue, buffer, buffer, below, beside,
                                             region, 32, 0, 64, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE); /* one buffer, two pitches */
    check(clEnqueueCopyBufferRect(rig->queue, buffer, buffer, below, beside, region, 32,
                                  0, 32, 0, 0, NULL, NULL)); /* rows in turn */
    check(clFinish(rig->queue));
    for (unsigned i = 0; i < 2; i++)
        check(clReleaseMemObject(sub[i]));
    check(clReleaseMemObject(buffer));
}

static void a_map_that_fails_is_none(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_event failed = clCreateUserEvent(rig->context, NULL);
    cl_uint count = 9;
    cl_int status;

    check(clSetUserEventStatus(failed, -7));
    assert_null(clEnqueueMapBuffer(rig->queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 1,
                                   &failed, NULL, &status));
    assert_int_equal(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL));
    assert_int_equal(count, 0);
    check(clReleaseEvent(failed));
    check(clReleaseMemObject(buffer));
}

/* Since OpenCL 2.1. */
static void commands_may_move_nothing(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL), other = rig_buffer(rig, 64, NULL);
    uint8_t host = 0;

    check(
        clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 64, 0, &host, 0, NULL, NULL));
    check(
        clEnqueueWriteBuffer(rig->queue, buffer, CL_TRUE, 0, 0, &host, 0, NULL, NULL));
    check(clEnqueueCopyBuffer(rig->queue, buffer, other, 0, 0, 0, 0, NULL, NULL));
    check(clEnqueueFillBuffer(rig->queue, buffer, &host, 1, 0, 0, 0, NULL, NULL));
    check(clFinish(rig->queue));
    check(clReleaseMemObject(buffer));
    check(clReleaseMemObject(other));
}

static const char *big_source =
    "kernel void mark(global uint *to, ulong i) { to[i] = 0x600DF00D; }\n";

/* Mark the last word by a program built with `options`; how that ended. */
static cl_int mark_last(const struct rig *rig, cl_mem big, cl_ulong last,
                        const char *options)
{
    cl_program program = rig_program(rig, big_source, options);
    const size_t one = 1;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "mark", &status);

    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(big), &big));
    check(clSetKernelArg(kernel, 1, sizeof(last), &last));
    check(
        clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    status = clFinish(rig->queue);
    check(clReleaseKernel(kernel));
    check(clReleaseProgram(program));
    return status;
}

/* More than surfaces can address, by Intel's flag; only its ends are touched. */
static void a_buffer_may_pass_4_gb_when_asked(void **state)
{
    enum { UNRESTRICTED = 1 << 23 };
    const struct rig *rig = *state;
    const size_t bytes = ((size_t)1 << 32) + (1 << 20);
    const cl_ulong last = bytes / 4 - 1;
    cl_int status;
    uint32_t got[2] = {0, 0};
    cl_ulong memory;
    cl_mem big;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory),
                          &memory, NULL));
    if (memory < bytes)
        skip();
    assert_null(clCreateBuffer(rig->context, 0, bytes, NULL, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    big = clCreateBuffer(rig->context, UNRESTRICTED, bytes, NULL, &status);
    check(status);
    assert_int_equal(mark_last(rig, big, last, ""), CL_OUT_OF_RESOURCES);
    check(mark_last(rig, big, last, "-cl-intel-greater-than-4GB-buffer-required"));
    check(clEnqueueReadBuffer(rig->queue, big, CL_TRUE, last * 4, 4, &got[0], 0, NULL,
                              NULL));
    check(clEnqueueReadBuffer(rig->queue, big, CL_TRUE, last * 4 % ((size_t)1 << 32), 4,
                              &got[1], 0, NULL, NULL));
    assert_int_equal(got[0], 0x600DF00D);
    assert_int_equal(got[1], 0);
    check(clReleaseMemObject(big));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_takes_memory_where_it_is_used),
        cmocka_unit_test(released_memory_is_free_without_a_launch),
        cmocka_unit_test(a_fill_repeats_its_pattern),
        cmocka_unit_test(many_sizes_take_no_longer_than_few),
        cmocka_unit_test(rectangles_beyond_all_addresses_are_refused),
        cmocka_unit_test(rectangles_of_sub_buffers_may_overlap),
        cmocka_unit_test(a_map_that_fails_is_none),
        cmocka_unit_test(commands_may_move_nothing),
        cmocka_unit_test(a_buffer_may_pass_4_gb_when_asked),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
