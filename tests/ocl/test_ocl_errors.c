/* test_ocl_errors.c - misuse of the API: the error of the specification, no crash. */
#include "rig.h"
#include "tests/support/capture.h"

#include <unistd.h>

#define LONG_NAME                                                                      \
    "a_structure_with_a_name_of_more_than_sixty_four_letters_that_goes_on_and_on"

static const char source[] =
    "kernel void k(global int *a, int v, local int *l)\n"
    "{ l[get_local_id(0)] = v; a[get_global_id(0)] = l[get_local_id(0)]; }\n"
    "kernel void two(local int *l, local int *m) { l[0] = m[0] = 1; }\n"
    "struct " LONG_NAME " { int a[64]; };\n"
    "kernel void lengthy(struct " LONG_NAME " v, global int *a) { *a = v.a[63]; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global int *a)\n"
    "{ a[get_global_id(0)] = 8; }\n";

#define expect(call, error) assert_int_equal((call), (error))

/* A creating call that must fail with `error`, leaving it in *errcode_ret. */
#define refuse(call, error)                                                            \
    do {                                                                               \
        cl_int status = 99;                                                            \
        assert_null(call);                                                             \
        assert_int_equal(status, (error));                                             \
    } while (0)

static void null_handles_are_told(void **state)
{
    size_t n = 1;

    (void)state;
    expect(clRetainContext(NULL), CL_INVALID_CONTEXT);
    expect(clReleaseCommandQueue(NULL), CL_INVALID_COMMAND_QUEUE);
    expect(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
    expect(clReleaseProgram(NULL), CL_INVALID_PROGRAM);
    expect(clReleaseKernel(NULL), CL_INVALID_KERNEL);
    expect(clReleaseEvent(NULL), CL_INVALID_EVENT);
    expect(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
    expect(clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, &n), CL_INVALID_DEVICE);
    expect(clSetKernelArg(NULL, 0, 4, &n), CL_INVALID_KERNEL);
    expect(clFinish(NULL), CL_INVALID_COMMAND_QUEUE);
    expect(clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    refuse(clCreateBuffer(NULL, 0, 4, NULL, &status), CL_INVALID_CONTEXT);
    refuse(clCreateCommandQueue(NULL, NULL, 0, &status), CL_INVALID_CONTEXT);
    refuse(clCreateUserEvent(NULL, &status), CL_INVALID_CONTEXT);
}

static void released_and_mistaken_handles_are_told(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_mem mistaken = (cl_mem)(void *)rig->queue;
    int a = 0;

    check(clReleaseMemObject(buffer));
    expect(clRetainMemObject(buffer), CL_INVALID_MEM_OBJECT);
    expect(clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, 4, &a, 0, NULL, NULL),
           CL_INVALID_MEM_OBJECT);
    expect(clEnqueueReadBuffer(rig->queue, mistaken, CL_TRUE, 0, 4, &a, 0, NULL, NULL),
           CL_INVALID_MEM_OBJECT);
    expect(clFinish((cl_command_queue)(void *)rig->context), CL_INVALID_COMMAND_QUEUE);
}

/* Commands keep what they use; that does not make it the program's again. */
static void released_handles_are_told_while_commands_use_them(void **state)
{
    const struct rig *rig = *state;
    cl_command_queue queue =
        clCreateCommandQueue(rig->context, rig->device[0], 0, NULL);
    cl_kernel kernel = rig_kernel(rig, source, "eight");
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_event gate = clCreateUserEvent(rig->context, NULL), done;
    const size_t n = 8;
    int a[8] = {0};

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 1, &gate, &done));
    check(clReleaseKernel(kernel));
    check(clReleaseCommandQueue(queue));
    expect(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_INVALID_KERNEL);
    expect(clRetainKernel(kernel), CL_INVALID_KERNEL);
    expect(clReleaseKernel(kernel), CL_INVALID_KERNEL);
    expect(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL),
           CL_INVALID_KERNEL);
    expect(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, a, 0, NULL, NULL),
           CL_INVALID_COMMAND_QUEUE);
    expect(clRetainCommandQueue(queue), CL_INVALID_COMMAND_QUEUE);
    expect(clFinish(queue), CL_INVALID_COMMAND_QUEUE);
    check(clSetUserEventStatus(gate, CL_COMPLETE));
    check(clWaitForEvents(1, &done)); /* it ran all the same */
    rig_read(rig, buffer, a, sizeof(a));
    assert_int_equal(a[7], 8);
    check(clReleaseEvent(done));
    check(clReleaseEvent(gate));
    check(clReleaseMemObject(buffer));
}

static void contexts_and_queues_are_checked(void **state)
{
    const struct rig *rig = *state;
    const cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, 1, 0};
    const cl_context_properties property[] = {0x7777, 1, 0};
    const cl_queue_properties queue[] = {0x7777, 1, 0};
    const cl_queue_properties device_queue[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_uint n;

    refuse(clCreateContext(platform, 1, rig->device, NULL, NULL, &status),
           CL_INVALID_PLATFORM);
    refuse(clCreateContext(property, 1, rig->device, NULL, NULL, &status),
           CL_INVALID_PROPERTY);
    refuse(clCreateContext(NULL, 0, rig->device, NULL, NULL, &status),
           CL_INVALID_VALUE);
    refuse(clCreateContext(NULL, 1, rig->device, NULL, &n, &status), CL_INVALID_VALUE);
    refuse(clCreateCommandQueue(rig->context, rig->device[1], 0, &status),
           CL_INVALID_DEVICE);
    refuse(clCreateCommandQueue(rig->context, rig->device[0], 1 << 20, &status),
           CL_INVALID_VALUE);
    refuse(clCreateCommandQueueWithProperties(rig->context, rig->device[0], queue,
                                              &status),
           CL_INVALID_VALUE);
    refuse(clCreateCommandQueueWithProperties(rig->context, rig->device[0],
                                              device_queue, &status),
           CL_INVALID_QUEUE_PROPERTIES);
    expect(clGetDeviceIDs(rig->platform, CL_DEVICE_TYPE_CPU, 0, NULL, &n),
           CL_DEVICE_NOT_FOUND);
    expect(clGetDeviceIDs(rig->platform, 1 << 20, 0, NULL, &n), CL_INVALID_DEVICE_TYPE);
    expect(clGetDeviceIDs(rig->platform, CL_DEVICE_TYPE_GPU, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(clGetPlatformInfo(rig->platform, 0x7777, 0, NULL, NULL), CL_INVALID_VALUE);
}

static void answers_need_room(void **state)
{
    const struct rig *rig = *state;
    char small[4];
    cl_uint version;
    size_t need = 0;

    expect(clGetDeviceInfo(rig->device[0], CL_DEVICE_NAME, sizeof(small), small, &need),
           CL_INVALID_VALUE);
    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_NAME, 0, NULL, &need));
    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR,
                          sizeof(version), &version, NULL));
    assert_int_equal(version, CL_MAKE_VERSION_KHR(1, 2, 0)); /* clinfo asks */
    assert_true(need > sizeof(small));
    expect(clGetDeviceInfo(rig->device[0], 0x7777, 0, NULL, &need), CL_INVALID_VALUE);
}

static void buffers_are_checked(void **state)
{
    const struct rig *rig = *state;
    const cl_buffer_region outside = {128, 1024}, odd = {4, 64}, empty = {0, 0};
    cl_mem buffer = rig_buffer(rig, 1024, NULL), locked;
    uint8_t host[64];
    cl_int made;

    refuse(clCreateBuffer(rig->context, 0, 0, NULL, &status), CL_INVALID_BUFFER_SIZE);
    refuse(clCreateBuffer(rig->context, 0, SIZE_MAX, NULL, &status),
           CL_INVALID_BUFFER_SIZE);
    refuse(clCreateBuffer(rig->context, 1 << 30, 4, NULL, &status), CL_INVALID_VALUE);
    refuse(clCreateBuffer(rig->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL,
                          &status),
           CL_INVALID_VALUE);
    refuse(clCreateBuffer(rig->context, CL_MEM_USE_HOST_PTR, 4, NULL, &status),
           CL_INVALID_HOST_PTR);
    refuse(clCreateBuffer(rig->context, 0, 4, host, &status), CL_INVALID_HOST_PTR);
    refuse(
        clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &status),
        CL_INVALID_VALUE);
    refuse(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &status),
           CL_MISALIGNED_SUB_BUFFER_OFFSET);
    refuse(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &status),
           CL_INVALID_BUFFER_SIZE);
    expect(
        clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 1000, 64, host, 0, NULL, NULL),
        CL_INVALID_VALUE);
    expect(clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, SIZE_MAX, 64, host, 0, NULL,
                               NULL),
           CL_INVALID_VALUE);
    expect(
        clEnqueueWriteBuffer(rig->queue, buffer, CL_TRUE, 0, 64, NULL, 0, NULL, NULL),
        CL_INVALID_VALUE);
    expect(clEnqueueCopyBuffer(rig->queue, buffer, buffer, 0, 32, 64, 0, NULL, NULL),
           CL_MEM_COPY_OVERLAP);
    expect(clEnqueueFillBuffer(rig->queue, buffer, host, 3, 0, 63, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(clEnqueueFillBuffer(rig->queue, buffer, host, 4, 2, 64, 0, NULL, NULL),
           CL_INVALID_VALUE);
    locked = clCreateBuffer(rig->context, CL_MEM_HOST_NO_ACCESS, 64, NULL, &made);
    check(made);
    expect(clEnqueueReadBuffer(rig->queue, locked, CL_TRUE, 0, 64, host, 0, NULL, NULL),
           CL_INVALID_OPERATION);
    check(clReleaseMemObject(locked));
    check(clReleaseMemObject(buffer));
}

static void wait_lists_are_checked(void **state)
{
    const struct rig *rig = *state;
    cl_event nothing = NULL, foreign;
    cl_context other = clCreateContext(NULL, 1, rig->device, NULL, NULL, NULL);

    foreign = clCreateUserEvent(other, NULL);
    expect(clEnqueueMarkerWithWaitList(rig->queue, 1, NULL, NULL),
           CL_INVALID_EVENT_WAIT_LIST);
    expect(clEnqueueMarkerWithWaitList(rig->queue, 0, &foreign, NULL),
           CL_INVALID_EVENT_WAIT_LIST);
    expect(clEnqueueMarkerWithWaitList(rig->queue, 1, &nothing, NULL),
           CL_INVALID_EVENT_WAIT_LIST);
    expect(clEnqueueMarkerWithWaitList(rig->queue, 1, &foreign, NULL),
           CL_INVALID_CONTEXT);
    expect(clWaitForEvents(0, NULL), CL_INVALID_VALUE);
    expect(clWaitForEvents(1, &nothing), CL_INVALID_EVENT);
    check(clReleaseEvent(foreign));
    check(clReleaseContext(other));
}

static void programs_are_checked(void **state)
{
    const struct rig *rig = *state;
    const char *text = "kernel void k(global int *a) { *a = missing; }", *none = NULL;
    const unsigned char junk[64] = "not a program", *binary = junk;
    const size_t length = sizeof(junk);
    cl_int one = 0;
    cl_program program;
    cl_build_status build;
    char log[4096] = "";
    struct capture capture;

    refuse(clCreateProgramWithSource(rig->context, 0, &text, NULL, &status),
           CL_INVALID_VALUE);
    refuse(clCreateProgramWithSource(rig->context, 1, &none, NULL, &status),
           CL_INVALID_VALUE);
    capture_begin(&capture, STDERR_FILENO);
    refuse(clCreateProgramWithBinary(rig->context, 1, rig->device, &length, &binary,
                                     &one, &status),
           CL_INVALID_BINARY);
    capture_end(&capture, log, sizeof(log));
    assert_non_null(strstr(log, "vigpu: clCreateProgramWithBinary: neither"));
    expect(one, CL_INVALID_BINARY);
    refuse(clCreateProgramWithIL(rig->context, junk, sizeof(junk), &status),
           CL_INVALID_VALUE);
    program = clCreateProgramWithSource(rig->context, 1, &text, NULL, NULL);
    refuse(clCreateKernel(program, "k", &status), CL_INVALID_PROGRAM_EXECUTABLE);
    expect(clBuildProgram(program, 1, &rig->device[1], NULL, NULL, NULL),
           CL_INVALID_DEVICE);
    expect(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
           CL_BUILD_PROGRAM_FAILURE);
    check(clGetProgramBuildInfo(program, rig->device[0], CL_PROGRAM_BUILD_STATUS,
                                sizeof(build), &build, NULL));
    expect(build, CL_BUILD_ERROR);
    check(clGetProgramBuildInfo(program, rig->device[0], CL_PROGRAM_BUILD_LOG,
                                sizeof(log), log, NULL));
    assert_non_null(strstr(log, "undeclared identifier 'missing'"));
    assert_null(strstr(log, "ocloc"));
    expect(clBuildProgram(program, 0, NULL, "-no-such-option", NULL, NULL),
           CL_INVALID_BUILD_OPTIONS);
    check(clReleaseProgram(program));
}

static void kernels_are_checked(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, NULL);
    cl_kernel k = clCreateKernel(program, "k", NULL);
    cl_kernel eight = clCreateKernel(program, "eight", NULL);
    cl_mem buffer = rig_buffer(rig, 1024, NULL), dead = rig_buffer(rig, 64, NULL);
    const size_t n[3] = {64, 1, 1}, seven[3] = {7, 1, 1}, big[3] = {512, 1, 1};
    const size_t four[3] = {4, 1, 1}, zero[3] = {0, 0, 0};
    const int v = 1;

    refuse(clCreateKernel(program, "nobody", &status), CL_INVALID_KERNEL_NAME);
    refuse(clCreateKernel(program, NULL, &status), CL_INVALID_VALUE);
    expect(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, n, NULL, 0, NULL, NULL),
           CL_INVALID_KERNEL_ARGS);
    expect(clSetKernelArg(k, 3, 4, &v), CL_INVALID_ARG_INDEX);
    expect(clSetKernelArg(k, 0, 4, &buffer), CL_INVALID_ARG_SIZE);
    expect(clSetKernelArg(k, 1, 0, &v), CL_INVALID_ARG_SIZE);
    expect(clSetKernelArg(k, 1, 4, NULL), CL_INVALID_ARG_VALUE);
    expect(clSetKernelArg(k, 2, 0, NULL), CL_INVALID_ARG_SIZE);
    expect(clSetKernelArg(k, 2, 64, &v), CL_INVALID_ARG_VALUE);
    check(clSetKernelArg(k, 0, sizeof(dead), &dead));
    check(clReleaseMemObject(dead));
    expect(clSetKernelArg(k, 0, sizeof(dead), &dead), CL_INVALID_MEM_OBJECT);
    check(clSetKernelArg(k, 1, sizeof(v), &v));
    check(clSetKernelArg(k, 2, 65536 + 4, NULL));
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, n, NULL, 0, NULL, NULL),
           CL_INVALID_KERNEL_ARGS); /* the buffer is gone */
    check(clSetKernelArg(k, 0, sizeof(buffer), &buffer));
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, n, NULL, 0, NULL, NULL),
           CL_OUT_OF_RESOURCES); /* local memory */
    check(clSetKernelArg(k, 2, 1024, NULL));
    expect(clEnqueueNDRangeKernel(rig->queue, k, 0, NULL, n, NULL, 0, NULL, NULL),
           CL_INVALID_WORK_DIMENSION);
    expect(clEnqueueNDRangeKernel(rig->queue, k, 4, NULL, n, NULL, 0, NULL, NULL),
           CL_INVALID_WORK_DIMENSION);
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, n, seven, 0, NULL, NULL),
           CL_INVALID_WORK_GROUP_SIZE);
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, big, big, 0, NULL, NULL),
           CL_INVALID_WORK_ITEM_SIZE);
    expect(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, n, zero, 0, NULL, NULL),
           CL_INVALID_WORK_GROUP_SIZE);
    check(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, zero, NULL, 0, NULL, NULL));
    check(clEnqueueNDRangeKernel(rig->queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL));
    check(clSetKernelArg(eight, 0, sizeof(buffer), &buffer));
    expect(clEnqueueNDRangeKernel(rig->queue, eight, 1, NULL, n, four, 0, NULL, NULL),
           CL_INVALID_WORK_GROUP_SIZE);
    check(clEnqueueNDRangeKernel(rig->queue, eight, 1, NULL, n, NULL, 0, NULL, NULL));
    check(clFinish(rig->queue));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(k));
    check(clReleaseKernel(eight));
    check(clReleaseProgram(program));
}

static void sizes_of_arguments_are_checked(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, NULL);
    cl_kernel two = clCreateKernel(program, "two", NULL);
    cl_kernel lengthy = clCreateKernel(program, "lengthy", NULL);
    static const int value[256];
    const size_t n = 1;
    char name[200];

    for (cl_uint i = 0; i < 2; i++) /* their sum is 0 again */
        check(clSetKernelArg(two, i, (size_t)1 << 63, NULL));
    expect(clEnqueueNDRangeKernel(rig->queue, two, 1, NULL, &n, NULL, 0, NULL, NULL),
           CL_OUT_OF_RESOURCES);
    expect(clSetKernelArg(lengthy, 0, 0, value), CL_INVALID_ARG_SIZE);
    check(clSetKernelArg(lengthy, 0, 256, value));
    check(clGetKernelArgInfo(lengthy, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(name), name,
                             NULL));
    assert_non_null(strstr(name, LONG_NAME));
    check(clReleaseKernel(two));
    check(clReleaseKernel(lengthy));
    check(clReleaseProgram(program));
}

/* The emulator's refusal reaches the program. */
static void an_access_outside_every_buffer_fails_the_launch(void **state)
{
    static const char wild[] =
        "kernel void wild(global int *a) { a[get_global_id(0) + 100000000] = 1; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, wild, "wild");
    cl_mem buffer = rig_buffer(rig, 256, NULL);
    const size_t n = 64;
    cl_int status = 0;
    cl_event event;
    int a = 0;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(
        clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL, &event));
    expect(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                         &status, NULL));
    expect(status, CL_OUT_OF_RESOURCES);
    expect(clFinish(rig->queue), CL_OUT_OF_RESOURCES);
    check(clFinish(rig->queue)); /* said once */
    check(clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, 4, &a, 0, NULL, NULL));
    check(clReleaseEvent(event));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* Intel's driver takes what fits, over what was there. */
static void values_of_any_size_are_taken(void **state)
{
    static const char text[] = "kernel void sum(global int *o, int v, char c, int2 w)\n"
                               "{ o[0] = v; o[1] = c; o[2] = w.x; o[3] = w.y; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, text, "sum");
    const cl_long wide = 5 | (cl_long)7 << 32;
    const cl_short narrow = 9;
    const int pair[2] = {1, 2}, byte = 0x203;
    int got[4];
    cl_mem o = rig_buffer(rig, sizeof(got), NULL);

    check(clSetKernelArg(kernel, 0, sizeof(o), &o));
    check(clSetKernelArg(kernel, 1, sizeof(wide), &wide));
    check(clSetKernelArg(kernel, 2, sizeof(byte), &byte));
    check(clSetKernelArg(kernel, 3, sizeof(pair), pair));
    rig_run(rig, kernel, 1, 1);
    rig_read(rig, o, got, sizeof(got));
    assert_memory_equal(got, ((int[4]){5, 3, 1, 2}), sizeof(got));
    check(clSetKernelArg(kernel, 1, sizeof(narrow), &narrow));
    check(clSetKernelArg(kernel, 3, sizeof(narrow), &narrow));
    rig_run(rig, kernel, 1, 1);
    rig_read(rig, o, got, sizeof(got));
    assert_memory_equal(got, ((int[4]){9, 3, 9, 2}), sizeof(got));
    check(clReleaseMemObject(o));
    check(clReleaseKernel(kernel));
}

/* PyOpenCL calls a blocking command again that is out of resources: it must hear so
 * again. clFinish() has the last word. */
static void a_failure_stays_until_the_queue_is_finished(void **state)
{
    static const char wild[] =
        "kernel void wild(global int *a) { a[get_global_id(0) + 100000000] = 1; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, wild, "wild");
    cl_mem buffer = rig_buffer(rig, 256, NULL);
    const size_t n = 64;
    int a = 0, status;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
    for (int i = 0; i < 3; i++)
        expect(
            clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, 4, &a, 0, NULL, NULL),
            CL_OUT_OF_RESOURCES);
    (void)clEnqueueMapBuffer(rig->queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL,
                             NULL, &status);
    expect(status, CL_OUT_OF_RESOURCES);
    expect(clFinish(rig->queue), CL_OUT_OF_RESOURCES);
    check(clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, 4, &a, 0, NULL, NULL));
    check(clFinish(rig->queue));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* The message names the way out. */
static void overruns_tell_of_leniency(void **state)
{
    static char text[4096];
    static const char past[] = "kernel void past(global int *a) { a[1 << 20] = 1; }\n";
    const struct rig *rig = *state;
    const size_t one = 1;
    cl_kernel kernel = rig_kernel(rig, past, "past");
    cl_mem a = rig_buffer(rig, 64, NULL);
    struct capture printed;

    check(clSetKernelArg(kernel, 0, sizeof(a), &a));
    capture_begin(&printed, STDERR_FILENO);
    check(
        clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    (void)clFinish(rig->queue);
    capture_end(&printed, text, sizeof(text));
    assert_non_null(strstr(text, "IGPU_LENIENT=1 or 'igpu run --lenient'"));
    check(clReleaseMemObject(a));
    check(clReleaseKernel(kernel));
}

/* A read behind the buffer's end but in its page, or far from it: an error, unless
 * asked otherwise. */
static void overruns_are_errors_unless_lenient(void **state)
{
    static const char next[] = "kernel void next(global int *a, global int *b) { *b = "
                               "a[16] + a[b[1]] + 5; }\n";
    const struct rig *rig = *state;
    const size_t one = 1;
    int both[2] = {0, -3}, got = 0;

    for (int lenient = 0; lenient < 2; lenient++) {
        cl_kernel kernel;
        cl_mem a, b;

        setenv("IGPU_LENIENT", lenient ? "1" : "0", 1);
        kernel = rig_kernel(rig, next, "next");
        a = rig_buffer(rig, 64, NULL);
        b = rig_buffer(rig, sizeof(both), both);
        check(clSetKernelArg(kernel, 0, sizeof(a), &a));
        check(clSetKernelArg(kernel, 1, sizeof(b), &b));
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &one, NULL, 0, NULL,
                                     NULL));
        expect(clFinish(rig->queue), lenient ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
        check(clEnqueueReadBuffer(rig->queue, b, CL_TRUE, 0, sizeof(got), &got, 0, NULL,
                                  NULL));
        expect(got, lenient ? 5 : 0);
        check(clReleaseMemObject(a));
        check(clReleaseMemObject(b));
        check(clReleaseKernel(kernel));
    }
    unsetenv("IGPU_LENIENT");
}

/* The compiler reads 16 bytes for the first kernel's 12, and 32 for the second's 28. */
static void merged_loads_may_pass_the_end(void **state)
{
    static const char text[] =
        "kernel void sum(constant int *in, global int *out)\n"
        "{ int2 a = vload2(0, in); out[0] = a.x + a.y + in[2]; }\n"
        "kernel void all(global const int *in, global int *out)\n"
        "{ int s = 0; for (int i = 0; i < 7; i++) s += in[i]; out[0] = s; }\n";
    static const struct {
        const char *name;
        int words, sum;
    } cases[] = {{"sum", 3, 6}, {"all", 7, 28}};
    const cl_int in[] = {1, 2, 3, 4, 5, 6, 7};
    const struct rig *rig = *state;

    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = rig_kernel(rig, text, cases[i].name);
        cl_mem from = rig_buffer(rig, (size_t)cases[i].words * sizeof(cl_int), in);
        cl_mem to = rig_buffer(rig, sizeof(cl_int), NULL);
        cl_int got = 0;

        check(clSetKernelArg(kernel, 0, sizeof(from), &from));
        check(clSetKernelArg(kernel, 1, sizeof(to), &to));
        rig_run(rig, kernel, 1, 0);
        rig_read(rig, to, &got, sizeof(got));
        assert_int_equal(got, cases[i].sum);
        check(clReleaseMemObject(from));
        check(clReleaseMemObject(to));
        check(clReleaseKernel(kernel));
    }
}

/* As the compiler does where it copies bytes. */
static void the_word_that_holds_the_last_byte_can_be_read(void **state)
{
    static const char text[] = "kernel void word(global uint *a, global uint *b)\n"
                               "{ b[0] = a[63]; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, text, "word");
    unsigned char bytes[255];
    cl_uint got = 0;
    cl_mem a, b = rig_buffer(rig, sizeof(got), NULL);

    memset(bytes, 0x11, sizeof(bytes));
    a = rig_buffer(rig, sizeof(bytes), bytes);
    check(clSetKernelArg(kernel, 0, sizeof(a), &a));
    check(clSetKernelArg(kernel, 1, sizeof(b), &b));
    rig_run(rig, kernel, 1, 0);
    rig_read(rig, b, &got, sizeof(got));
    assert_int_equal(got, 0x111111);
    check(clReleaseMemObject(a));
    check(clReleaseMemObject(b));
    check(clReleaseKernel(kernel));
}

/* What is not offered says so. */
static void what_is_not_offered_is_an_error(void **state)
{
    const struct rig *rig = *state;
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    const cl_device_partition_property unknown[] = {CL_DEVICE_NAME, 2, 0};
    cl_device_id part;
    cl_uint n;

    expect(clCreateSubDevices(rig->device[0], equally, 1, &part, &n),
           CL_DEVICE_PARTITION_FAILED);
    expect(clCreateSubDevices(rig->device[0], equally, 0, NULL, &n),
           CL_DEVICE_PARTITION_FAILED);
    expect(clCreateSubDevices(rig->device[0], NULL, 1, &part, &n), CL_INVALID_VALUE);
    expect(clCreateSubDevices(rig->device[0], unknown, 1, &part, &n), CL_INVALID_VALUE);
    expect(clCreateSubDevices(rig->device[0], equally, 0, &part, &n), CL_INVALID_VALUE);
    expect(
        clEnqueueNativeKernel(rig->queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    expect(clSetDefaultDeviceCommandQueue(rig->context, rig->device[0], rig->queue),
           CL_INVALID_OPERATION);
    expect(clSetDefaultDeviceCommandQueue(rig->context, rig->device[0], NULL),
           CL_INVALID_OPERATION);
    refuse(clCreateProgramWithBuiltInKernels(rig->context, 1, rig->device, "none",
                                             &status),
           CL_INVALID_VALUE);
    assert_null(clGetExtensionFunctionAddressForPlatform(rig->platform, "clNoSuch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_handles_are_told),
        cmocka_unit_test(released_and_mistaken_handles_are_told),
        cmocka_unit_test(released_handles_are_told_while_commands_use_them),
        cmocka_unit_test(contexts_and_queues_are_checked),
        cmocka_unit_test(answers_need_room),
        cmocka_unit_test(buffers_are_checked),
        cmocka_unit_test(wait_lists_are_checked),
        cmocka_unit_test(programs_are_checked),
        cmocka_unit_test(kernels_are_checked),
        cmocka_unit_test(sizes_of_arguments_are_checked),
        cmocka_unit_test(an_access_outside_every_buffer_fails_the_launch),
        cmocka_unit_test(a_failure_stays_until_the_queue_is_finished),
        cmocka_unit_test(values_of_any_size_are_taken),
        cmocka_unit_test(overruns_are_errors_unless_lenient),
        cmocka_unit_test(overruns_tell_of_leniency),
        cmocka_unit_test(merged_loads_may_pass_the_end),
        cmocka_unit_test(the_word_that_holds_the_last_byte_can_be_read),
        cmocka_unit_test(what_is_not_offered_is_an_error),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
