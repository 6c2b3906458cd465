/* test_ocl_calls.c - calls that few programs make: OpenCL 1.0's and 1.1's forms of
 * later ones, shared memory's commands, images from and to the host, callbacks at the
 * end of a context, copies of kernels, sharing with OpenGL (which is not offered). */
#include "rig.h"

#include <CL/cl_icd.h>
#include <stdio.h>
#include <time.h>

static cl_int why;

/* The call fails with `wanted`; it has an argument &why. */
#define refuse(call, wanted)                                                           \
    do {                                                                               \
        why = CL_SUCCESS;                                                              \
        assert_null(call);                                                             \
        assert_int_equal(why, wanted);                                                 \
    } while (0)
#define expect(call, wanted) assert_int_equal((call), (wanted))

enum { N = 64 };

static const char add[] = "kernel void add(global int *a, int n)\n"
                          "{ a[get_global_id(0)] += n; }\n";

static void sharing_is_refused(void **state)
{
    const struct rig *rig = *state;
    struct _cl_icd_dispatch *call = *(struct _cl_icd_dispatch **)rig->platform;
    cl_context_properties none = 0;
    cl_context wrong = (cl_context)rig->queue;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_device_id part;
    cl_uint parts;

    refuse(call->clCreateFromGLBuffer(rig->context, 0, 1, &why), CL_INVALID_OPERATION);
    refuse(call->clCreateFromGLBuffer(wrong, 0, 1, &why), CL_INVALID_CONTEXT);
    refuse(call->clCreateFromGLTexture(rig->context, 0, 0, 0, 1, &why),
           CL_INVALID_OPERATION);
    refuse(call->clCreateFromGLTexture2D(rig->context, 0, 0, 0, 1, &why),
           CL_INVALID_OPERATION);
    refuse(call->clCreateFromGLRenderbuffer(rig->context, 0, 1, &why),
           CL_INVALID_OPERATION);
    expect(call->clGetGLObjectInfo(buffer, NULL, NULL), CL_INVALID_GL_OBJECT);
    expect(call->clGetGLObjectInfo((cl_mem)wrong, NULL, NULL), CL_INVALID_MEM_OBJECT);
    expect(call->clGetGLTextureInfo(buffer, 0, 0, NULL, NULL), CL_INVALID_GL_OBJECT);
    expect(call->clEnqueueAcquireGLObjects(rig->queue, 1, &buffer, 0, NULL, NULL),
           CL_INVALID_OPERATION);
    expect(call->clEnqueueReleaseGLObjects((cl_command_queue)buffer, 1, &buffer, 0,
                                           NULL, NULL),
           CL_INVALID_COMMAND_QUEUE);
    expect(call->clGetGLContextInfoKHR(&none, 0, 0, NULL, NULL), CL_INVALID_OPERATION);
    refuse(call->clCreateEventFromGLsyncKHR(rig->context, NULL, &why),
           CL_INVALID_OPERATION);
    refuse(call->clCreateFromEGLImageKHR(rig->context, NULL, NULL, 0, NULL, &why),
           CL_INVALID_OPERATION);
    refuse(call->clCreateEventFromEGLSyncKHR(wrong, NULL, NULL, &why),
           CL_INVALID_CONTEXT);
    expect(call->clCreateSubDevicesEXT(rig->device[0], NULL, 1, &part, &parts),
           CL_INVALID_VALUE);
    check(clReleaseMemObject(buffer));
}

static unsigned order[4], called;

static void CL_CALLBACK note_end(cl_context context, void *user)
{
    (void)context;
    order[called++ % 4] = (unsigned)(uintptr_t)user;
}

static void a_context_calls_back_at_its_end_last_first(void **state)
{
    const struct rig *rig = *state;
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, rig->device, NULL, NULL, &status);

    check(status);
    expect(clSetContextDestructorCallback(context, NULL, NULL), CL_INVALID_VALUE);
    expect(clSetContextDestructorCallback((cl_context)rig->queue, note_end, NULL),
           CL_INVALID_CONTEXT);
    for (uintptr_t i = 1; i <= 3; i++)
        check(clSetContextDestructorCallback(context, note_end, (void *)i));
    check(clReleaseContext(context));
    /* On the thread that runs commands: those of others come behind it. */
    for (unsigned i = 0; i < 2000 && called < 3; i++) {
        const struct timespec while_it_ends = {0, 1000000};

        check(clFinish(rig->queue));
        (void)nanosleep(&while_it_ends, NULL);
    }
    expect(called, 3);
    assert_true(order[0] == 3 && order[1] == 2 && order[2] == 1);
}

static char told[256];
static const void *told_user;

static void CL_CALLBACK note_error(const char *text, const void *data, size_t bytes,
                                   void *user)
{
    (void)data;
    (void)bytes;
    told_user = user;
    (void)snprintf(told, sizeof(told), "%s", text);
}

static void a_context_is_told_of_a_failed_launch(void **state)
{
    static const char wild[] = "kernel void wild(global int *a) { a[1 << 28] = 1; }\n";
    struct rig own = *(const struct rig *)*state;
    cl_mem buffer;
    cl_kernel kernel;
    size_t one = 1;
    cl_int status;

    own.context = clCreateContext(NULL, 1, own.device, note_error, told, &status);
    check(status);
    own.queue = clCreateCommandQueue(own.context, own.device[0], 0, &status);
    check(status);
    kernel = rig_kernel(&own, wild, "wild");
    buffer = rig_buffer(&own, 64, NULL);
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(
        clEnqueueNDRangeKernel(own.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    expect(clFinish(own.queue), CL_OUT_OF_RESOURCES);
    assert_non_null(strstr(told, "kernel wild"));
    assert_ptr_equal(told_user, told);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
    check(clReleaseCommandQueue(own.queue));
    check(clReleaseContext(own.context));
}

/* The kernel over all N items; then all are `wanted`. */
static void run_add(const struct rig *rig, cl_kernel kernel, cl_mem buffer, int wanted)
{
    int a[N];

    rig_run(rig, kernel, N, 0);
    rig_read(rig, buffer, a, sizeof(a));
    for (unsigned i = 0; i < N; i++)
        expect(a[i], wanted);
}

static void a_copy_of_a_kernel_has_its_arguments(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add, "add"), copy;
    cl_mem buffer = rig_buffer(rig, N * sizeof(int), NULL);
    const int one = 1, ten = 10;
    cl_int status;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(one), &one));
    copy = clCloneKernel(kernel, &status);
    check(status);
    check(clSetKernelArg(copy, 1, sizeof(ten), &ten)); /* of the copy only */
    run_add(rig, copy, buffer, 10);
    run_add(rig, kernel, buffer, 11);
    check(clReleaseKernel(kernel));
    run_add(rig, copy, buffer, 21);
    check(clReleaseKernel(copy));
    refuse(clCloneKernel((cl_kernel)buffer, &why), CL_INVALID_KERNEL);
    check(clReleaseMemObject(buffer));
}

static void a_task_is_one_work_item(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add, "add");
    cl_mem buffer = rig_buffer(rig, N * sizeof(int), NULL);
    const int five = 5;
    int a[N];

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(five), &five));
    check(clEnqueueTask(rig->queue, kernel, 0, NULL, NULL));
    check(clEnqueueMigrateMemObjects(rig->queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST,
                                     0, NULL, NULL));
    rig_read(rig, buffer, a, sizeof(a));
    expect(a[0], 5);
    expect(a[1], 0);
    expect(clEnqueueTask(rig->queue, (cl_kernel)buffer, 0, NULL, NULL),
           CL_INVALID_KERNEL);
    expect(clEnqueueMigrateMemObjects(rig->queue, 0, NULL, 0, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(
        clEnqueueMigrateMemObjects(rig->queue, 1, (cl_mem *)&kernel, 0, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(buffer));
}

static void a_local_size_is_suggested_that_divides(void **state)
{
    cl_int(CL_API_CALL * suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                  const size_t *, size_t *);
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add, "add");
    static const size_t global[][2] = {{1024, 16}, {96, 7}, {7, 3}, {1, 1}};
    size_t local[2];

    *(void **)&suggest = clGetExtensionFunctionAddressForPlatform(
        rig->platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    assert_non_null(*(void **)&suggest);
    for (unsigned i = 0; i < sizeof(global) / sizeof(*global); i++) {
        check(suggest(rig->queue, kernel, 2, NULL, global[i], local));
        assert_true(local[0] > 0 && local[1] > 0 && local[0] * local[1] <= 256);
        assert_true(global[i][0] % local[0] == 0 && global[i][1] % local[1] == 0);
    }
    expect(suggest(rig->queue, kernel, 2, NULL, NULL, local),
           CL_INVALID_GLOBAL_WORK_SIZE);
    expect(suggest(rig->queue, kernel, 2, NULL, global[0], NULL), CL_INVALID_VALUE);
    expect(suggest(rig->queue, kernel, 4, NULL, global[0], local),
           CL_INVALID_WORK_DIMENSION);
    check(clReleaseKernel(kernel));
}

static void hints_about_pointers_are_checked(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add, "add");
    void *pointer[2] = {NULL, NULL};
    const cl_bool yes = CL_TRUE, no = CL_FALSE;

    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointer),
                              pointer));
    expect(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, pointer),
           CL_INVALID_VALUE);
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                              sizeof(no), &no));
    expect(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                               sizeof(yes), &yes),
           CL_INVALID_OPERATION); /* the device has none */
    expect(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes),
        CL_INVALID_VALUE);
    expect(clSetKernelExecInfo(kernel, 1, sizeof(no), &no), CL_INVALID_VALUE);
    check(clReleaseKernel(kernel));
}

/* Intel's, in no public header. */
enum {
    POLICIES = 0x4208,
    OLDEST_FIRST = 0x10022,
    ROUND_ROBIN,
    AFTER_DEPENDENCY,
    POLICY,
    STALL_BASED
};

static void the_order_of_threads_can_be_chosen(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add, "add");
    cl_uint policy = OLDEST_FIRST, supported[4];
    size_t bytes = 0;

    for (; policy <= STALL_BASED; policy++)
        expect(clSetKernelExecInfo(kernel, POLICY, sizeof(policy), &policy),
               policy == POLICY ? CL_INVALID_VALUE : CL_SUCCESS);
    policy = 0;
    expect(clSetKernelExecInfo(kernel, POLICY, sizeof(policy), &policy),
           CL_INVALID_VALUE);
    policy = ROUND_ROBIN;
    expect(clSetKernelExecInfo(kernel, POLICY, 8, &policy), CL_INVALID_VALUE);
    expect(clSetKernelExecInfo(kernel, POLICY, sizeof(policy), NULL), CL_INVALID_VALUE);
    check(clGetDeviceInfo(rig->device[0], POLICIES, sizeof(supported), supported,
                          &bytes));
    assert_int_equal(bytes, 3 * sizeof(cl_uint));
    assert_int_equal(supported[0], OLDEST_FIRST);
    assert_int_equal(supported[1], ROUND_ROBIN);
    check(clReleaseKernel(kernel));
}

static unsigned freed;
static cl_command_queue freed_in;

static void CL_CALLBACK free_both(cl_command_queue queue, cl_uint count,
                                  void *pointer[], void *user)
{
    const struct rig *rig = user;

    freed_in = queue;
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(rig->context, pointer[i]);
    freed += count;
}

static void shared_memory_is_copied_filled_and_freed_in_order(void **state)
{
    const struct rig *rig = *state;
    int *a = clSVMAlloc(rig->context, 0, N * sizeof(int), 0);
    int *b = clSVMAlloc(rig->context, 0, N * sizeof(int), 0);
    void *both[2] = {a, b}, *one = clSVMAlloc(rig->context, 0, 64, 0);
    const void *moved[2] = {a, NULL};
    const int pattern = 0x01020304;
    cl_event event;
    cl_command_type type = 0;

    assert_true(a != NULL && b != NULL && one != NULL);
    check(clEnqueueSVMMemFill(rig->queue, a, &pattern, sizeof(pattern), N * sizeof(int),
                              0, NULL, NULL));
    check(clEnqueueSVMMigrateMem(rig->queue, 1, moved, NULL, 0, 0, NULL, NULL));
    check(
        clEnqueueSVMMemcpy(rig->queue, CL_TRUE, b, a, N * sizeof(int), 0, NULL, NULL));
    for (unsigned i = 0; i < N; i++)
        expect(b[i], pattern);
    expect(clEnqueueSVMMemcpy(rig->queue, CL_TRUE, b, b + 1, N, 0, NULL, NULL),
           CL_MEM_COPY_OVERLAP);
    expect(clEnqueueSVMMemcpy(rig->queue, CL_TRUE, NULL, a, N, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(clEnqueueSVMMigrateMem(rig->queue, 2, moved, NULL, 0, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(clEnqueueSVMMigrateMem(rig->queue, 0, NULL, NULL, 0, 0, NULL, NULL),
           CL_INVALID_VALUE);
    expect(clEnqueueSVMFree(rig->queue, 1, NULL, NULL, NULL, 0, NULL, NULL),
           CL_INVALID_VALUE);
    check(clEnqueueSVMFree(rig->queue, 2, both, free_both, (void *)(uintptr_t)rig, 0,
                           NULL, NULL));
    check(clEnqueueSVMFree(rig->queue, 1, &one, NULL, NULL, 0, NULL, &event));
    check(clWaitForEvents(1, &event));
    expect(freed, 2);
    assert_ptr_equal(freed_in, rig->queue);
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL));
    expect(type, CL_COMMAND_SVM_FREE);
    check(clReleaseEvent(event));
}

enum { W = 9, H = 5, BYTES = W * H * 4 };

/* Bytes that differ, into *bytes. */
static void number_them(unsigned char bytes[BYTES])
{
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + 3);
}

static void images_go_from_and_to_host_and_buffer(void **state)
{
    const struct rig *rig = *state;
    const cl_image_format format = {CL_BGRA, CL_UNORM_INT8};
    const size_t origin[3] = {0, 0, 0}, region[3] = {W, H, 1};
    const size_t inner[3] = {2, 1, 0}, part[3] = {3, 2, 1};
    unsigned char in[BYTES], out[BYTES], small[24];
    cl_mem buffer, image;
    cl_int status;

    number_them(in);
    image = clCreateImage2D(rig->context, 0, &format, W, H, 0, NULL, &status);
    check(status);
    buffer = rig_buffer(rig, BYTES, in);
    check(clEnqueueWriteImage(rig->queue, image, CL_TRUE, origin, region, 0, 0, in, 0,
                              NULL, NULL));
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, inner, part, 0, 0, small, 0,
                             NULL, NULL));
    for (unsigned y = 0; y < 2; y++)
        assert_memory_equal(small + 12 * y, in + 4 * (W * (1 + y) + 2), 12);
    memset(out, 0, sizeof(out));
    check(clEnqueueWriteImage(rig->queue, image, CL_TRUE, origin, region, 0, 0, out, 0,
                              NULL, NULL));
    check(clEnqueueCopyBufferToImage(rig->queue, buffer, image, 0, origin, region, 0,
                                     NULL, NULL));
    check(clEnqueueReadImage(rig->queue, image, CL_TRUE, origin, region, 0, 0, out, 0,
                             NULL, NULL));
    assert_memory_equal(out, in, BYTES);
    expect(clEnqueueCopyBufferToImage(rig->queue, image, image, 0, origin, region, 0,
                                      NULL, NULL),
           CL_INVALID_MEM_OBJECT);
    expect(clEnqueueCopyImage(rig->queue, buffer, image, origin, origin, region, 0,
                              NULL, NULL),
           CL_INVALID_MEM_OBJECT);
    check(clReleaseMemObject(image));
    check(clReleaseMemObject(buffer));
}

/* The host's memory is the image's: what a kernel or command writes is there. */
static void an_image_lies_in_the_hosts_memory(void **state)
{
    const struct rig *rig = *state;
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = W,
                                .image_height = H,
                                .image_row_pitch = 64};
    const size_t origin[3] = {1, 2, 0}, region[3] = {1, 1, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    unsigned char *host = aligned_alloc(4096, 4096), *mapped;
    size_t row = 0;
    cl_int status;
    cl_mem image =
        clCreateImage(rig->context, CL_MEM_USE_HOST_PTR, &format, &desc, host, &status);

    check(status);
    memset(host, 0xEE, 4096);
    check(clEnqueueFillImage(rig->queue, image, color, origin, region, 0, NULL, NULL));
    mapped = clEnqueueMapImage(rig->queue, image, CL_TRUE, CL_MAP_READ, origin, region,
                               &row, NULL, 0, NULL, NULL, &status);
    check(status);
    expect(row, 64);
    assert_ptr_equal(mapped, host + 2 * 64 + 4);
    assert_memory_equal(mapped, ((unsigned char[]){1, 2, 3, 4, 0xEE}), 5);
    check(clEnqueueUnmapMemObject(rig->queue, image, mapped, 0, NULL, NULL));
    check(clFinish(rig->queue));
    refuse(clEnqueueMapImage(rig->queue, image, CL_TRUE,
                             CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, origin,
                             region, &row, NULL, 0, NULL, NULL, &why),
           CL_INVALID_VALUE);
    check(clReleaseMemObject(image));
    image = clCreateImage3D(rig->context, CL_MEM_HOST_NO_ACCESS, &format, W, H, 2, 0, 0,
                            NULL, &status);
    check(status);
    refuse(clEnqueueMapImage(rig->queue, image, CL_TRUE, CL_MAP_READ, origin, region,
                             &row, &row, 0, NULL, NULL, &why),
           CL_INVALID_OPERATION);
    check(clReleaseMemObject(image));
    refuse(clCreateImage2D(rig->context, 0, &format, 0, H, 0, NULL, &why),
           CL_INVALID_IMAGE_SIZE); /* the word of OpenCL 1.1 */
    refuse(clCreateImage3D(rig->context, 0, &format, W, 0, 2, 0, 0, NULL, &why),
           CL_INVALID_IMAGE_SIZE);
    free(host);
}

static unsigned builds;

static void CL_CALLBACK note_build(cl_program program, void *user)
{
    builds += program != NULL && user == &builds;
}

static void builds_call_back(void **state)
{
    const struct rig *rig = *state;
    const char *text = add;
    cl_int status;
    cl_program linked,
        program = clCreateProgramWithSource(rig->context, 1, &text, NULL, &status);

    check(status);
    check(clBuildProgram(program, 0, NULL, NULL, note_build, &builds));
    expect(builds, 1);
    check(clReleaseProgram(program));
    program = clCreateProgramWithSource(rig->context, 1, &text, NULL, &status);
    check(status);
    check(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, note_build, &builds));
    expect(builds, 2);
    linked = clLinkProgram(rig->context, 0, NULL, NULL, 1, &program, note_build,
                           &builds, &status);
    check(status);
    expect(builds, 3);
    refuse(clLinkProgram(rig->context, 1, (cl_device_id *)&program, NULL, 1, &program,
                         NULL, NULL, &why),
           CL_INVALID_DEVICE);
    expect(clCompileProgram(program, 0, NULL, NULL, 1, &linked, &text, NULL, NULL),
           CL_INVALID_VALUE); /* a header is a program with source */
    expect(clSetProgramReleaseCallback(program, note_build, &builds),
           CL_INVALID_OPERATION);
    expect(clSetProgramSpecializationConstant(program, 0, 4, &status),
           CL_INVALID_PROGRAM); /* not of IL */
    check(clReleaseProgram(linked));
    check(clReleaseProgram(program));
}

static void programs_need_a_context_devices_and_content(void **state)
{
    const struct rig *rig = *state;
    cl_context wrong = (cl_context)rig->queue;
    cl_device_id none = (cl_device_id)rig->queue;
    const unsigned char byte = 0, *binary = &byte;
    const char *text = add;
    const size_t one = 1;

    refuse(clCreateProgramWithSource(wrong, 1, &text, NULL, &why), CL_INVALID_CONTEXT);
    refuse(clCreateProgramWithIL(wrong, &byte, 1, &why), CL_INVALID_CONTEXT);
    refuse(clCreateProgramWithBinary(wrong, 1, rig->device, &one, &binary, NULL, &why),
           CL_INVALID_CONTEXT);
    refuse(clCreateProgramWithBinary(rig->context, 0, rig->device, &one, &binary, NULL,
                                     &why),
           CL_INVALID_VALUE);
    refuse(clCreateProgramWithBinary(rig->context, 1, &none, &one, &binary, NULL, &why),
           CL_INVALID_DEVICE);
    refuse(clCreateProgramWithBuiltInKernels(wrong, 1, rig->device, "x", &why),
           CL_INVALID_CONTEXT);
    refuse(clCreateProgramWithBuiltInKernels(rig->context, 1, &none, "x", &why),
           CL_INVALID_DEVICE);
    refuse(clCreateProgramWithBuiltInKernels(rig->context, 1, rig->device, NULL, &why),
           CL_INVALID_VALUE);
    refuse(clCreateKernel((cl_program)wrong, "add", &why), CL_INVALID_PROGRAM);
    refuse(clCreateUserEvent(wrong, &why), CL_INVALID_CONTEXT);
    refuse(clCreateSampler(wrong, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &why),
           CL_INVALID_CONTEXT);
    refuse(clCreateImage(wrong, 0, NULL, NULL, NULL, &why), CL_INVALID_CONTEXT);
    refuse(clCreateContext(NULL, 1, &none, NULL, NULL, &why), CL_INVALID_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharing_is_refused),
        cmocka_unit_test(a_context_calls_back_at_its_end_last_first),
        cmocka_unit_test(a_context_is_told_of_a_failed_launch),
        cmocka_unit_test(a_copy_of_a_kernel_has_its_arguments),
        cmocka_unit_test(a_task_is_one_work_item),
        cmocka_unit_test(a_local_size_is_suggested_that_divides),
        cmocka_unit_test(hints_about_pointers_are_checked),
        cmocka_unit_test(the_order_of_threads_can_be_chosen),
        cmocka_unit_test(shared_memory_is_copied_filled_and_freed_in_order),
        cmocka_unit_test(images_go_from_and_to_host_and_buffer),
        cmocka_unit_test(an_image_lies_in_the_hosts_memory),
        cmocka_unit_test(builds_call_back),
        cmocka_unit_test(programs_need_a_context_devices_and_content),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
