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
    };

    rig_environment();
    return cmocka_run_group_tests(tests, open_first, rig_close);
}
