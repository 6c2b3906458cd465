/* test_ocl_counters.c - Intel's performance counter queues: a program reads a report of
 * each kernel from its event. Under `igpu run --time --oa` its two queues alternate
 * (test_ocl_oa.sh). Layout of a report: bridge/drivers/ocl/counters.h. */
#include "rig.h"

/* As the headers of Intel's runtime have them. */
#define CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL 0x407F
#define CL_QUEUE_MDAPI_PROPERTIES_INTEL 0x425E
#define CL_QUEUE_MDAPI_CONFIGURATION_INTEL 0x425F
typedef cl_command_queue(CL_API_CALL *create_fn)(cl_context, cl_device_id,
                                                 cl_command_queue_properties, cl_uint,
                                                 cl_int *);
typedef cl_int(CL_API_CALL *configure_fn)(cl_device_id, cl_uint, cl_uint *, cl_uint *);

enum { REPORT_BYTES = 672, A = 2, B = 38, C = 46 }; /* first of each, in 8 bytes */
enum { ITEMS = 4096, ROUNDS = 3, RENDER_BASIC = 1, COMPUTE_BASIC = 2 };

static create_fn create_queue;
static configure_fn configure;

static void find_calls(const struct rig *rig)
{
    void *call = clGetExtensionFunctionAddressForPlatform(
        rig->platform, "clCreatePerfCountersCommandQueueINTEL");

    assert_non_null(call);
    memcpy(&create_queue, &call, sizeof(call));
    call = clGetExtensionFunctionAddressForPlatform(
        rig->platform, "clSetPerformanceConfigurationINTEL");
    assert_non_null(call);
    memcpy(&configure, &call, sizeof(call));
}

static cl_kernel make_kernel(const struct rig *rig, cl_mem *x, cl_mem *y)
{
    cl_kernel kernel = rig_kernel(
        rig,
        "kernel void saxpy(global const float *x, global float *y, float a)\n"
        "{ y[get_global_id(0)] += a * x[get_global_id(0)]; }\n",
        "saxpy");
    const float a = 2;

    *x = rig_buffer(rig, ITEMS * sizeof(float), NULL);
    *y = rig_buffer(rig, ITEMS * sizeof(float), NULL);
    check(clSetKernelArg(kernel, 0, sizeof(*x), x));
    check(clSetKernelArg(kernel, 1, sizeof(*y), y));
    check(clSetKernelArg(kernel, 2, sizeof(a), &a));
    return kernel;
}

/* Run the kernel; its report, and how long its event says it took. */
static cl_ulong run(cl_command_queue queue, cl_kernel kernel, uint64_t *report)
{
    const size_t n = ITEMS, local = 64;
    cl_ulong start, end;
    cl_event event;
    size_t size = 0;

    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, &event));
    check(clWaitForEvents(1, &event));
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL,
                                  REPORT_BYTES, report, &size));
    assert_int_equal(size, REPORT_BYTES);
    assert_int_equal(clGetEventProfilingInfo(event,
                                             CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL,
                                             REPORT_BYTES - 1, report, NULL),
                     CL_INVALID_VALUE);
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start),
                                  &start, NULL));
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
                                  NULL));
    check(clReleaseEvent(event));
    return end - start;
}

/* 4096 work-items read two floats each and write one. */
static void each_kernel_has_its_report(void **state)
{
    const struct rig *rig = *state;
    cl_command_queue compute, render;
    cl_kernel kernel;
    cl_mem x, y;
    cl_int status;

    find_calls(rig);
    kernel = make_kernel(rig, &x, &y);
    compute = create_queue(rig->context, rig->device[0], CL_QUEUE_PROFILING_ENABLE,
                           COMPUTE_BASIC, &status);
    check(status);
    render = create_queue(rig->context, rig->device[0], CL_QUEUE_PROFILING_ENABLE,
                          RENDER_BASIC, &status);
    check(status);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t r[REPORT_BYTES / 8];
        cl_ulong ns = run(compute, kernel, r);

        assert_true(r[0] + 84 >= ns && r[0] < 2 * ns); /* in steps of 83 ns */
        assert_true(r[1] * 1000 >= ns * 1150 && r[1] < 2300 * ns);
        assert_int_equal(r[A + 4], ITEMS / 32); /* threads of SIMD32 */
        assert_true(r[A + 7] > 0 && r[A + 8] > 0);
        assert_int_equal(r[A + 32], 3 * ITEMS * sizeof(float) / 64); /* lines */
        /* ComputeBasic: lines read and written, by subslice. */
        assert_int_equal(r[B + 6] + r[B + 7] + r[C], 2 * ITEMS * sizeof(float) / 64);
        assert_int_equal(r[C + 1] + r[C + 2] + r[C + 3], ITEMS * sizeof(float) / 64);
        assert_int_equal(r[C + 4], i == 0 ? 512 : 0); /* then they are in the L3 */

        (void)run(render, kernel, r);
        assert_int_equal(r[A + 32], 3 * ITEMS * sizeof(float) / 64);
        assert_int_equal(r[C + 6], 0);
        assert_int_equal(r[A + 10], 0); /* no vertex shader's FPU */
    }
    check(clReleaseCommandQueue(compute));
    check(clReleaseCommandQueue(render));
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
}

static void properties_make_such_a_queue(void **state)
{
    const struct rig *rig = *state;
    const cl_queue_properties good[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_PROFILING_ENABLE,
                                        CL_QUEUE_MDAPI_PROPERTIES_INTEL,
                                        1,
                                        CL_QUEUE_MDAPI_CONFIGURATION_INTEL,
                                        COMPUTE_BASIC,
                                        0};
    const cl_queue_properties bad[] = {CL_QUEUE_MDAPI_PROPERTIES_INTEL, 1, 0};
    uint64_t r[REPORT_BYTES / 8];
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem x, y;
    cl_int status;

    kernel = make_kernel(rig, &x, &y);
    queue =
        clCreateCommandQueueWithProperties(rig->context, rig->device[0], good, &status);
    check(status);
    (void)run(queue, kernel, r);
    assert_int_equal(r[C + 1] + r[C + 2] + r[C + 3], ITEMS * sizeof(float) / 64);
    check(clReleaseCommandQueue(queue));
    assert_null(
        clCreateCommandQueueWithProperties(rig->context, rig->device[0], bad, &status));
    assert_int_equal(status, CL_INVALID_QUEUE_PROPERTIES);
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
}

static void what_is_wrong_is_told(void **state)
{
    const struct rig *rig = *state;
    uint64_t r[REPORT_BYTES / 8];
    cl_command_queue queue;
    cl_event event;
    cl_int status;

    find_calls(rig);
    assert_null(create_queue(rig->context, rig->device[0], 0, 0, &status));
    assert_int_equal(status, CL_INVALID_QUEUE_PROPERTIES);
    assert_null(create_queue(rig->context, rig->device[0], CL_QUEUE_PROFILING_ENABLE,
                             99, &status));
    assert_int_equal(status, CL_INVALID_OPERATION);
    assert_null(create_queue(rig->context, rig->device[0],
                             CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE, 0,
                             &status));
    assert_int_equal(status, CL_INVALID_QUEUE_PROPERTIES);
    assert_null(create_queue(NULL, rig->device[0], CL_QUEUE_PROFILING_ENABLE, 0, NULL));
    assert_int_equal(configure(rig->device[0], 0, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(configure(NULL, 0, NULL, NULL), CL_INVALID_DEVICE);
    /* A queue that counts nothing, and a command that is no kernel. */
    check(clEnqueueMarkerWithWaitList(rig->queue, 0, NULL, &event));
    check(clWaitForEvents(1, &event));
    assert_int_equal(clGetEventProfilingInfo(event,
                                             CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL,
                                             sizeof(r), r, NULL),
                     CL_INVALID_VALUE);
    check(clReleaseEvent(event));
    queue = create_queue(rig->context, rig->device[0], CL_QUEUE_PROFILING_ENABLE, 0,
                         &status);
    check(status);
    check(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
    check(clWaitForEvents(1, &event));
    assert_int_equal(clGetEventProfilingInfo(event,
                                             CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL,
                                             sizeof(r), r, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    check(clReleaseEvent(event));
    check(clReleaseCommandQueue(queue));
}

/* For a trace of all launches: two plain queues in turn. */
static void two_queues_take_turns(void **state)
{
    const struct rig *rig = *state;
    const size_t n = ITEMS, local = 64;
    cl_command_queue other;
    cl_kernel kernel;
    cl_mem x, y;
    cl_int status;

    kernel = make_kernel(rig, &x, &y);
    other = clCreateCommandQueue(rig->context, rig->device[0], 0, &status);
    check(status);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        cl_command_queue queue = i % 2 == 0 ? rig->queue : other;

        check(
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
        check(clFinish(queue));
    }
    check(clReleaseCommandQueue(other));
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
}

/* In a program without simulated time there is nothing to count. */
static void without_simulated_time_there_are_none(void **state)
{
    const struct rig *rig = *state;
    cl_int status;

    find_calls(rig);
    assert_null(create_queue(rig->context, rig->device[0], CL_QUEUE_PROFILING_ENABLE, 0,
                             &status));
    assert_int_equal(status, CL_INVALID_DEVICE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_has_its_report),
        cmocka_unit_test(properties_make_such_a_queue),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    const struct CMUnitTest untimed[] = {
        cmocka_unit_test(without_simulated_time_there_are_none),
    };

    const struct CMUnitTest plain[] = {cmocka_unit_test(two_queues_take_turns)};

    if (argc > 1 && strcmp(argv[1], "--plain") == 0)
        return cmocka_run_group_tests(plain, rig_open_first, rig_close);
    if (argc > 1 && strcmp(argv[1], "--untimed") == 0) {
        rig_environment();
        return cmocka_run_group_tests(untimed, rig_open_first, rig_close);
    }
    if (getenv("IGPU_TIME") == NULL) { /* else `igpu run` has set all up */
        rig_environment();
        setenv("IGPU_TIME", "1", 1);
        setenv("IGPU_DEVICE", "skl", 1);
    }
    return cmocka_run_group_tests(tests, rig_open_first, rig_close);
}
