/* test_ocl_time.c - profiling under simulated time, as igpu run --time sets it:
 * launches follow each other on one time line, and find the caches as the one before
 * left them. */
#include "rig.h"

#include <time.h>

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;

    check(clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL));
    return time;
}

enum { LAUNCH_NS = 30000 }; /* disp.launch_ps */

/* Launches that wait in a queue start one behind the other, and copies take the DRAM's
 * time. */
static void a_launch_behind_another_starts_at_once(void **state)
{
    const struct rig *rig = *state;
    const size_t n = 1 << 20;
    cl_mem buffer = rig_buffer(rig, n, NULL);
    cl_kernel kernel =
        rig_kernel(rig, "kernel void one(global int *a) { a[0] += 1; }\n", "one");
    char *bytes = calloc(1, n);
    cl_event event[3];
    cl_ulong queued, ns;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    for (int i = 0; i < 2; i++)
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &(size_t){1}, NULL, 0,
                                     NULL, &event[i]));
    check(clEnqueueWriteBuffer(rig->queue, buffer, CL_TRUE, 0, n, bytes, 0, NULL,
                               &event[2]));
    queued = time_of(event[0], CL_PROFILING_COMMAND_QUEUED);
    ns = time_of(event[2], CL_PROFILING_COMMAND_END) -
         time_of(event[2], CL_PROFILING_COMMAND_START);
    if (getenv("IGPU_TIME") != NULL) {
        assert_int_equal(time_of(event[0], CL_PROFILING_COMMAND_START),
                         queued + LAUNCH_NS);
        assert_int_equal(time_of(event[1], CL_PROFILING_COMMAND_START),
                         time_of(event[0], CL_PROFILING_COMMAND_END));
        /* 85 % of 34.1 GB/s, twice */
        assert_true(ns > n * 1000 / 14600 && ns < n * 1000 / 14400);
    }
    for (int i = 0; i < 3; i++)
        check(clReleaseEvent(event[i]));
    free(bytes);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void launches_lie_on_one_time_line(void **state)
{
    static const char source[] =
        "kernel void saxpy(global const float *x, global float *y, float a)\n"
        "{ y[get_global_id(0)] += a * x[get_global_id(0)]; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "saxpy");
    const size_t n = 4096;
    const float a = 2;
    cl_mem x = rig_buffer(rig, n * sizeof(float), NULL);
    cl_mem y = rig_buffer(rig, n * sizeof(float), NULL);
    cl_ulong start[3], end[3];
    cl_event event;

    check(clSetKernelArg(kernel, 0, sizeof(x), &x));
    check(clSetKernelArg(kernel, 1, sizeof(y), &y));
    check(clSetKernelArg(kernel, 2, sizeof(a), &a));
    for (int i = 0; i < 3; i++) {
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL,
                                     &event));
        check(clWaitForEvents(1, &event));
        start[i] = time_of(event, CL_PROFILING_COMMAND_START);
        end[i] = time_of(event, CL_PROFILING_COMMAND_END);
        check(clReleaseEvent(event));
        assert_true(start[i] < end[i]);
        assert_true(i == 0 || end[i - 1] <= start[i]);
    }
    if (getenv("IGPU_TIME") != NULL) {
        assert_true((end[1] - start[1]) * 10 < (end[0] - start[0]) * 9); /* hits */
        assert_true((end[2] - start[2]) * 10 > (end[1] - start[1]) * 9);
        assert_int_equal(start[2], end[1] + LAUNCH_NS); /* the host takes no time */
    }
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
    check(clReleaseKernel(kernel));
}

static cl_ulong time_of_copy(const struct rig *rig, cl_mem to, cl_mem from, size_t n)
{
    cl_kernel kernel =
        rig_kernel(rig,
                   "kernel void copy(global int *to, global const int *from)\n"
                   "{ to[get_global_id(0)] = from[get_global_id(0)]; }\n",
                   "copy");
    cl_event event;
    cl_ulong ns;

    check(clSetKernelArg(kernel, 0, sizeof(to), &to));
    check(clSetKernelArg(kernel, 1, sizeof(from), &from));
    check(
        clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL, &event));
    check(clWaitForEvents(1, &event));
    ns = time_of(event, CL_PROFILING_COMMAND_END) -
         time_of(event, CL_PROFILING_COMMAND_START);
    check(clReleaseEvent(event));
    check(clReleaseKernel(kernel));
    return ns;
}

/* Another context has other memory at the same addresses. */
static void a_new_context_starts_cold(void **state)
{
    const struct rig *rig = *state;
    const size_t n = 16384;
    cl_ulong ns[2][2];

    for (unsigned i = 0; i < 2; i++) {
        struct rig other = *rig;
        cl_mem from, to;
        cl_int status;

        other.context = clCreateContext(NULL, 1, rig->device, NULL, NULL, &status);
        check(status);
        other.queue = clCreateCommandQueue(other.context, rig->device[0],
                                           CL_QUEUE_PROFILING_ENABLE, &status);
        check(status);
        from = rig_buffer(&other, n * sizeof(cl_int), NULL);
        to = rig_buffer(&other, n * sizeof(cl_int), NULL);
        for (unsigned j = 0; j < 2; j++)
            ns[i][j] = time_of_copy(&other, to, from, n);
        check(clReleaseMemObject(from));
        check(clReleaseMemObject(to));
        check(clReleaseCommandQueue(other.queue));
        check(clReleaseContext(other.context));
    }
    if (getenv("IGPU_TIME") != NULL) {
        assert_int_equal(ns[1][0], ns[0][0]);
        assert_int_equal(ns[1][1], ns[0][1]);
        assert_true(ns[0][1] < ns[0][0]);
    }
}

/* 64 multiply-adds a round in a SIMD16 thread. */
static const char mad[] =
    "#define M(x) x = fma(x, a, b);\n"
    "#define M8 M(v0) M(v1) M(v2) M(v3) M(v4) M(v5) M(v6) M(v7)\n"
    "kernel __attribute__((intel_reqd_sub_group_size(16)))\n"
    "void mad(global float *out, float a, float b, int rounds)\n"
    "{ float v0 = get_local_id(0), v1 = v0 + 1, v2 = v0 + 2, v3 = v0 + 3;\n"
    "  float v4 = v0 + 4, v5 = v0 + 5, v6 = v0 + 6, v7 = v0 + 7;\n"
    "  for (int i = 0; i < rounds; i++) { M8 M8 M8 M8 M8 M8 M8 M8 }\n"
    "  out[get_global_id(0)] = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7; }\n";

/* Nanoseconds of n items in groups of 16, each with `rounds` rounds; policy: Intel's
 * for its threads, or 0. */
static cl_ulong run_mad_by(const struct rig *rig, cl_mem out, size_t n, cl_int rounds,
                           cl_uint policy)
{
    const float a = 0.5f, b = 1;
    const size_t local = 16;
    cl_kernel kernel = rig_kernel(rig, mad, "mad");
    cl_event event;
    cl_ulong ns;

    if (policy != 0)
        check(clSetKernelExecInfo(kernel, 0x10025, sizeof(policy), &policy));

    check(clSetKernelArg(kernel, 0, sizeof(out), &out));
    check(clSetKernelArg(kernel, 1, sizeof(a), &a));
    check(clSetKernelArg(kernel, 2, sizeof(b), &b));
    check(clSetKernelArg(kernel, 3, sizeof(rounds), &rounds));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, &local, 0, NULL,
                                 &event));
    check(clWaitForEvents(1, &event));
    ns = time_of(event, CL_PROFILING_COMMAND_END) -
         time_of(event, CL_PROFILING_COMMAND_START);
    check(clReleaseEvent(event));
    check(clReleaseKernel(kernel));
    return ns;
}

static cl_ulong run_mad(const struct rig *rig, cl_mem out, size_t n, cl_int rounds)
{
    return run_mad_by(rig, out, n, rounds, 0);
}

static size_t hardware_threads(const struct rig *rig)
{
    cl_uint units = 0;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units),
                          &units, NULL));
    return (size_t)units * 7;
}

/* A program that computes its own GFLOP/s gets the modelled GPU's: 16 a clock and EU.
 */
static void a_mad_chain_reaches_the_devices_peak(void **state)
{
    const struct rig *rig = *state;
    size_t n = hardware_threads(rig) * 16; /* a hardware thread in every slot */
    cl_mem out = rig_buffer(rig, n * sizeof(float), NULL);
    cl_uint mhz = 0;
    double flops = (double)n * 64 * 64 * 2, peak;
    cl_ulong ns = run_mad(rig, out, n, 64);

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(mhz),
                          &mhz, NULL));
    peak = (double)hardware_threads(rig) / 7 * mhz * 1e6 * 16 * 1e-9; /* a nanosecond */
    print_message("%.1f GFLOP/s of %.1f\n", flops / (double)ns, peak);
    if (getenv("IGPU_TIME") != NULL)
        assert_true(flops / (double)ns > 0.90 * peak && flops / (double)ns < peak);
    check(clReleaseMemObject(out));
}

/* What clSetKernelExecInfo() says about an EU's threads is simulated; round-robin is
 * what a kernel has that does not say. */
static void threads_are_chosen_as_the_program_says(void **state)
{
    enum { OLDEST_FIRST = 0x10022, ROUND_ROBIN };
    const struct rig *rig = *state;
    size_t n = hardware_threads(rig) * 16 * 2;
    cl_mem out = rig_buffer(rig, n * sizeof(float), NULL);
    cl_ulong plain, turns, oldest;

    (void)run_mad(rig, out, n, 8); /* code and buffer are in the caches now */
    plain = run_mad(rig, out, n, 8);
    oldest = run_mad_by(rig, out, n, 8, OLDEST_FIRST);
    turns = run_mad_by(rig, out, n, 8, ROUND_ROBIN);
    print_message("ns: %llu, in turns %llu, oldest first %llu\n",
                  (unsigned long long)plain, (unsigned long long)turns,
                  (unsigned long long)oldest);
    if (getenv("IGPU_TIME") != NULL) {
        assert_int_equal(plain, turns);
        assert_true(oldest != turns);
    }
    check(clReleaseMemObject(out));
}

/* Timed by a part of its threads, a launch takes about as long as timed by all, and
 * does the same work unless it is asked to leave out the rest. */
static void a_sample_tells_the_time_of_all(void **state)
{
    const struct rig *rig = *state;
    size_t n = hardware_threads(rig) * 16 * 48;
    float *full = malloc(n * sizeof(float)), *part = calloc(n, sizeof(float));
    cl_mem out = rig_buffer(rig, n * sizeof(float), NULL);
    cl_ulong all, sampled;
    size_t done = 0;

    all = run_mad(rig, out, n, 2);
    rig_read(rig, out, full, n * sizeof(float));
    check(clEnqueueWriteBuffer(rig->queue, out, CL_TRUE, 0, n * sizeof(float), part, 0,
                               NULL, NULL));
    setenv("IGPU_SAMPLE", "windows=3", 1);
    sampled = run_mad(rig, out, n, 2);
    rig_read(rig, out, part, n * sizeof(float));
    assert_memory_equal(full, part, n * sizeof(float));
    print_message("%lu ns of all threads, %lu ns of a sample\n", (unsigned long)all,
                  (unsigned long)sampled);
    if (getenv("IGPU_TIME") != NULL)
        assert_true(sampled > all * 97 / 100 && sampled < all * 103 / 100);

    memset(part, 0, n * sizeof(float));
    check(clEnqueueWriteBuffer(rig->queue, out, CL_TRUE, 0, n * sizeof(float), part, 0,
                               NULL, NULL));
    setenv("IGPU_SKIP_REST", "1", 1);
    sampled = run_mad(rig, out, n, 2);
    if (getenv("IGPU_TIME") != NULL)
        assert_true(sampled > all * 97 / 100 && sampled < all * 103 / 100);
    rig_read(rig, out, part, n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        assert_true(part[i] == full[i] || part[i] == 0);
        done += part[i] != 0;
    }
    assert_true(done > 0 && done < n / 2);
    unsetenv("IGPU_SAMPLE");
    unsetenv("IGPU_SKIP_REST");
    free(full);
    free(part);
    check(clReleaseMemObject(out));
}

/* igpu run -d offers but one device, so rig_open() is not for here. */
enum { COMMANDS = 9, TIMES = 4 };

/* The same commands in two queues of a new context, the host resting between them;
 * times since the first came. */
static void run_commands(const struct rig *rig, long rest_ns,
                         cl_ulong time[COMMANDS][TIMES])
{
    static const cl_command_queue_properties modes[2] = {
        CL_QUEUE_PROFILING_ENABLE,
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    const struct timespec rest = {0, rest_ns};
    struct rig own = *rig;
    const size_t n = 1024;
    cl_command_queue queue[2];
    cl_event event[COMMANDS];
    cl_kernel kernel;
    cl_ulong begin;
    cl_mem out;

    own.context = clCreateContext(NULL, 1, rig->device, NULL, NULL, NULL);
    for (unsigned i = 0; i < 2; i++)
        queue[i] = clCreateCommandQueue(own.context, rig->device[0], modes[i], NULL);
    out = rig_buffer(&own, n * sizeof(cl_int), NULL);
    kernel = rig_kernel(&own,
                        "kernel void add(global int *a)\n"
                        "{ a[get_global_id(0)] += get_local_id(0); }\n",
                        "add");
    check(clSetKernelArg(kernel, 0, sizeof(out), &out));
    for (unsigned i = 0; i < COMMANDS; i++) {
        bool waits = i == 4 || i == 5;

        check(clEnqueueNDRangeKernel(queue[i % 3 > 0], kernel, 1, NULL, &n, NULL, waits,
                                     waits ? &event[0] : NULL, &event[i]));
        (void)nanosleep(&rest, NULL);
        if (i == 6)
            check(clWaitForEvents(1, &event[2]));
    }
    check(clFinish(queue[0]));
    check(clFinish(queue[1]));
    begin = time_of(event[0], CL_PROFILING_COMMAND_QUEUED);
    for (unsigned i = 0; i < COMMANDS; i++) {
        for (unsigned t = 0; t < TIMES; t++)
            time[i][t] = time_of(event[i], CL_PROFILING_COMMAND_QUEUED + t) - begin;
        check(clReleaseEvent(event[i]));
    }
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(out));
    check(clReleaseCommandQueue(queue[0]));
    check(clReleaseCommandQueue(queue[1]));
    check(clReleaseContext(own.context));
}

static void times_do_not_tell_of_the_hosts_speed(void **state)
{
    cl_ulong fast[COMMANDS][TIMES], slow[COMMANDS][TIMES];

    run_commands(*state, 0, fast);
    run_commands(*state, 10000000, slow);
    if (getenv("IGPU_TIME") == NULL)
        return;
    for (unsigned i = 0; i < COMMANDS; i++)
        for (unsigned t = 0; t < TIMES; t++) {
            assert_int_equal(fast[i][t], slow[i][t]);
            assert_true(t == 0 || fast[i][t - 1] <= fast[i][t]);
        }
    assert_int_equal(fast[1][0], 0);
    assert_int_equal(fast[4][1], fast[0][3]); /* submitted when its event is over */
    assert_int_equal(fast[7][0], fast[2][3]); /* the host waited for it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_lie_on_one_time_line),
        cmocka_unit_test(a_launch_behind_another_starts_at_once),
        cmocka_unit_test(a_new_context_starts_cold),
        cmocka_unit_test(a_mad_chain_reaches_the_devices_peak),
        cmocka_unit_test(threads_are_chosen_as_the_program_says),
        cmocka_unit_test(a_sample_tells_the_time_of_all),
        cmocka_unit_test(times_do_not_tell_of_the_hosts_speed),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open_first, rig_close);
}
