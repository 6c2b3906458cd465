/* test_ocl_time.c - profiling under simulated time, as igpu run --time sets it: the
 * same launch takes the same time, launches follow each other on one time line. */
#include "rig.h"

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;

    check(clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL));
    return time;
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
        assert_int_equal(end[1] - start[1], end[0] - start[0]);
        assert_int_equal(start[2], end[1]); /* the host takes no time */
    }
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
    check(clReleaseKernel(kernel));
}

/* A program that computes its own GFLOP/s gets the modelled GPU's: 16 a clock and EU.
 */
static void a_mad_chain_reaches_the_devices_peak(void **state)
{
    static const char source[] =
        "#define M(x) x = fma(x, a, b);\n"
        "#define M8 M(v0) M(v1) M(v2) M(v3) M(v4) M(v5) M(v6) M(v7)\n"
        "kernel __attribute__((intel_reqd_sub_group_size(16)))\n"
        "void mad(global float *out, float a, float b)\n"
        "{ float v0 = get_local_id(0), v1 = v0 + 1, v2 = v0 + 2, v3 = v0 + 3;\n"
        "  float v4 = v0 + 4, v5 = v0 + 5, v6 = v0 + 6, v7 = v0 + 7;\n"
        "  for (int i = 0; i < 64; i++) { M8 M8 M8 M8 M8 M8 M8 M8 }\n"
        "  out[get_global_id(0)] = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7; }\n";
    const struct rig *rig = *state;
    const float a = 0.5f, b = 1;
    cl_kernel kernel = rig_kernel(rig, source, "mad");
    cl_uint units = 0, mhz = 0;
    size_t n, local = 16;
    double flops, peak;
    cl_ulong ns;
    cl_event event;
    cl_mem out;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units),
                          &units, NULL));
    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(mhz),
                          &mhz, NULL));
    n = (size_t)units * 7 * local; /* a hardware thread in every slot */
    out = rig_buffer(rig, n * sizeof(float), NULL);
    check(clSetKernelArg(kernel, 0, sizeof(out), &out));
    check(clSetKernelArg(kernel, 1, sizeof(a), &a));
    check(clSetKernelArg(kernel, 2, sizeof(b), &b));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, &local, 0, NULL,
                                 &event));
    check(clWaitForEvents(1, &event));
    ns = time_of(event, CL_PROFILING_COMMAND_END) -
         time_of(event, CL_PROFILING_COMMAND_START);
    flops = (double)n * 64 * 64 * 2;
    peak = (double)units * mhz * 1e6 * 16 * 1e-9; /* a nanosecond */
    print_message("%.1f GFLOP/s of %.1f\n", flops / (double)ns, peak);
    if (getenv("IGPU_TIME") != NULL)
        assert_true(flops / (double)ns > 0.90 * peak && flops / (double)ns < peak);
    check(clReleaseEvent(event));
    check(clReleaseMemObject(out));
    check(clReleaseKernel(kernel));
}

/* igpu run -d offers but one device, so rig_open() is not for here. */
static int open_first(void **state)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    cl_int status;

    check(clGetPlatformIDs(1, &rig->platform, NULL));
    check(clGetDeviceIDs(rig->platform, CL_DEVICE_TYPE_GPU, 1, rig->device, NULL));
    rig->context = clCreateContext(NULL, 1, rig->device, NULL, NULL, &status);
    check(status);
    rig->queue = clCreateCommandQueue(rig->context, rig->device[0],
                                      CL_QUEUE_PROFILING_ENABLE, &status);
    check(status);
    *state = rig;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_lie_on_one_time_line),
        cmocka_unit_test(a_mad_chain_reaches_the_devices_peak),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, open_first, rig_close);
}
