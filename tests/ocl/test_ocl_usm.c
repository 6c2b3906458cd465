/* test_ocl_usm.c - cl_intel_unified_shared_memory: allocations, what is known of them,
 * kernels that follow pointers in them, commands, and misuse. */
#include "rig.h"

#include <stdint.h>

/* The functions, as a program gets them: from the loader, by name. */
static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn mem_free;
static clMemBlockingFreeINTEL_fn blocking_free;
static clGetMemAllocInfoINTEL_fn alloc_info;
static clSetKernelArgMemPointerINTEL_fn set_arg;
static clEnqueueMemFillINTEL_fn fill;
static clEnqueueMemcpyINTEL_fn copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;

static void load(const struct rig *rig, const char *name, void *function)
{
    void *address = clGetExtensionFunctionAddressForPlatform(rig->platform, name);

    assert_non_null(address);
    memcpy(function, &address, sizeof(address));
}

static int open_usm(void **state)
{
    int status = rig_open(state);
    const struct rig *rig = *state;

    load(rig, "clHostMemAllocINTEL", &host_alloc);
    load(rig, "clDeviceMemAllocINTEL", &device_alloc);
    load(rig, "clSharedMemAllocINTEL", &shared_alloc);
    load(rig, "clMemFreeINTEL", &mem_free);
    load(rig, "clMemBlockingFreeINTEL", &blocking_free);
    load(rig, "clGetMemAllocInfoINTEL", &alloc_info);
    load(rig, "clSetKernelArgMemPointerINTEL", &set_arg);
    load(rig, "clEnqueueMemFillINTEL", &fill);
    load(rig, "clEnqueueMemcpyINTEL", &copy);
    load(rig, "clEnqueueMigrateMemINTEL", &migrate);
    load(rig, "clEnqueueMemAdviseINTEL", &advise);
    return status;
}

struct node {
    uint64_t next; /* address, in device memory */
    int32_t value, seen;
};

/* The kernel has only the list's head: all else is reached through pointers. */
static void a_kernel_follows_pointers(void **state)
{
    static const char source[] =
        "struct node { ulong next; int value, seen; };\n"
        "kernel void walk(global struct node *head, global int *sum)\n"
        "{ int s = 0;\n"
        "  for (global struct node *n = head; n != 0;\n"
        "       n = (global struct node *)n->next) { s += n->value; n->seen = 1; }\n"
        "  *sum = s; }\n";
    enum { NODES = 9 };
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "walk");
    const cl_bool yes = CL_TRUE;
    struct node *node[NODES];
    int32_t *sum, total = 0;
    cl_int status;

    for (int i = 0; i < NODES; i++) {
        node[i] = shared_alloc(rig->context, rig->device[0], NULL, sizeof(**node), 0,
                               &status);
        check(status);
        *node[i] =
            (struct node){i > 0 ? (uint64_t)(uintptr_t)node[i - 1] : 0, i * i, 0};
        total += i * i;
    }
    sum = host_alloc(rig->context, NULL, sizeof(*sum), 64, &status);
    check(status);
    check(set_arg(kernel, 0, node[NODES - 1]));
    check(set_arg(kernel, 1, sum));
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
                              sizeof(yes), &yes));
    rig_run(rig, kernel, 1, 1);
    check(clFinish(rig->queue));
    assert_int_equal(*sum, total);
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(node[i]->seen, 1);
        check(mem_free(rig->context, node[i]));
    }
    check(mem_free(rig->context, sum));
    check(clReleaseKernel(kernel));
}

/* An argument may point into its allocation, and the kernel reach back: by an offset
 * through the binding table, and by an address. */
static void a_kernel_reaches_behind_and_before_its_pointer(void **state)
{
    static const char source[] =
        "kernel void back(global const int *p, global int *o, int d)\n"
        "{ int i = (int)get_global_id(0); o[i - 16] = p[i * d]; }\n"
        "kernel void address(global const int *p, global ulong *o)\n"
        "{ o[0] = (ulong)(p - 1); o[1] = (ulong)p[-1]; }\n";
    enum { N = 32, AT = 100 };
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, NULL);
    cl_int status;
    cl_kernel back = clCreateKernel(program, "back", &status);
    cl_kernel address = clCreateKernel(program, "address", &status);
    int *a = clSVMAlloc(rig->context, CL_MEM_READ_WRITE, 4096, 64);
    int *o = shared_alloc(rig->context, rig->device[0], NULL, 4096, 0, &status);
    uint64_t *pair = clSVMAlloc(rig->context, CL_MEM_READ_WRITE, 64, 0);

    check(status);
    for (int i = 0; i < 1024; i++)
        a[i] = i;
    for (int d = -3; d <= 3; d += 6) {
        check(clSetKernelArgSVMPointer(back, 0, a + AT));
        check(set_arg(back, 1, o + 16));
        check(clSetKernelArg(back, 2, sizeof(d), &d));
        rig_run(rig, back, N, 16);
        for (int i = 0; i < N; i++)
            assert_int_equal(o[i], AT + i * d);
    }
    check(clSetKernelArgSVMPointer(address, 0, a + AT));
    check(clSetKernelArgSVMPointer(address, 1, pair));
    rig_run(rig, address, 1, 1);
    assert_true(pair[0] == (uint64_t)(uintptr_t)(a + AT - 1) && pair[1] == AT - 1);
    clSVMFree(rig->context, a);
    clSVMFree(rig->context, pair);
    check(mem_free(rig->context, o));
    check(clReleaseKernel(back));
    check(clReleaseKernel(address));
    check(clReleaseProgram(program));
}

static void memory_is_filled_copied_and_freed(void **state)
{
    enum { N = 1000 };
    const struct rig *rig = *state;
    const uint32_t pattern = 0xdeadbeef;
    uint32_t *a, got[N] = {0};
    cl_event gate, event;
    cl_command_type type;
    cl_int status;

    a = device_alloc(rig->context, rig->device[0], NULL, sizeof(got), 0, &status);
    check(status);
    gate = clCreateUserEvent(rig->context, &status);
    check(status);
    check(fill(rig->queue, a, &pattern, sizeof(pattern), sizeof(got), 1, &gate, NULL));
    check(migrate(rig->queue, a, sizeof(got), 0, 0, NULL, NULL));
    check(advise(rig->queue, a, sizeof(got), 0, 0, NULL, NULL));
    check(copy(rig->queue, CL_FALSE, got, a, sizeof(got), 0, NULL, &event));
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL));
    assert_int_equal(type, CL_COMMAND_MEMCPY_INTEL);
    assert_int_equal(got[0], 0);
    check(clSetUserEventStatus(gate, CL_COMPLETE));
    check(blocking_free(rig->context, a)); /* waits for the copy */
    for (int i = 0; i < N; i++)
        assert_int_equal(got[i], pattern);
    check(clReleaseEvent(gate));
    check(clReleaseEvent(event));
}

static void allocations_are_known(void **state)
{
    const struct rig *rig = *state;
    const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                  CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    cl_unified_shared_memory_type_intel type;
    cl_mem_alloc_flags_intel flags;
    cl_device_id device;
    cl_ulong can;
    size_t size;
    void *base;
    cl_int status;
    char *a =
        device_alloc(rig->context, rig->device[0], properties, 5000, 128, &status);

    check(status);
    check(alloc_info(rig->context, a + 4999, CL_MEM_ALLOC_TYPE_INTEL, sizeof(type),
                     &type, NULL));
    assert_int_equal(type, CL_MEM_TYPE_DEVICE_INTEL);
    check(alloc_info(rig->context, a + 7, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof(base),
                     &base, NULL));
    assert_ptr_equal(base, a);
    check(alloc_info(rig->context, a, CL_MEM_ALLOC_SIZE_INTEL, sizeof(size), &size,
                     NULL));
    assert_int_equal(size, 5000);
    check(alloc_info(rig->context, a, CL_MEM_ALLOC_DEVICE_INTEL, sizeof(device),
                     &device, NULL));
    assert_ptr_equal(device, rig->device[0]);
    check(alloc_info(rig->context, a, CL_MEM_ALLOC_FLAGS_INTEL, sizeof(flags), &flags,
                     NULL));
    assert_int_equal(flags, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    check(alloc_info(rig->context, &size, CL_MEM_ALLOC_TYPE_INTEL, sizeof(type), &type,
                     NULL));
    assert_int_equal(type, CL_MEM_TYPE_UNKNOWN_INTEL);
    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
                          sizeof(can), &can, NULL));
    assert_true((can & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0);
    check(mem_free(rig->context, a));
    check(alloc_info(rig->context, a, CL_MEM_ALLOC_TYPE_INTEL, sizeof(type), &type,
                     NULL));
    assert_int_equal(type, CL_MEM_TYPE_UNKNOWN_INTEL);
}

/* By Intel's flag, which is 1 << 23; neither allocation is touched. */
static void allocations_may_pass_4_gb_when_asked(void **state)
{
    const cl_mem_properties_intel any_size[] = {CL_MEM_FLAGS, 1 << 23, 0};
    const struct rig *rig = *state;
    const size_t bytes = ((size_t)1 << 32) + (1 << 20);
    cl_ulong memory;
    cl_int status;
    void *p;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory),
                          &memory, NULL));
    if (memory < bytes)
        skip();
    assert_null(host_alloc(rig->context, NULL, bytes, 0, &status));
    assert_null(clSVMAlloc(rig->context, 0, bytes, 0));
    p = host_alloc(rig->context, any_size, bytes, 0, &status);
    check(status);
    check(mem_free(rig->context, p));
    p = clSVMAlloc(rig->context, CL_MEM_READ_WRITE | 1 << 23, bytes, 0);
    assert_non_null(p);
    clSVMFree(rig->context, p);
}

static void misuse_is_an_error(void **state)
{
    const struct rig *rig = *state;
    const cl_mem_properties_intel unknown[] = {0x1234, 1, 0};
    const cl_mem_properties_intel bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0};
    const cl_mem_properties_intel any_size[] = {CL_MEM_FLAGS, 1 << 23, 0};
    const cl_mem_properties_intel read_only[] = {CL_MEM_FLAGS, CL_MEM_READ_ONLY, 0};
    char byte = 0;
    cl_int status;

    assert_null(host_alloc(NULL, NULL, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_CONTEXT);
    assert_null(host_alloc(rig->context, NULL, 0, 0, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    assert_null(host_alloc(rig->context, NULL, SIZE_MAX, 0, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    assert_null(host_alloc(rig->context, any_size, SIZE_MAX, 0, &status));
    assert_int_equal(status, CL_INVALID_BUFFER_SIZE);
    assert_null(host_alloc(rig->context, read_only, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    assert_null(host_alloc(rig->context, NULL, 64, 48, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(host_alloc(rig->context, unknown, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    assert_null(host_alloc(rig->context, bits, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    assert_null(device_alloc(rig->context, rig->device[1], NULL, 64, 0, &status));
    assert_int_equal(status, CL_INVALID_DEVICE); /* not of this context */
    assert_null(device_alloc(rig->context, NULL, NULL, 64, 0, NULL));
    assert_int_equal(mem_free(rig->context, &byte), CL_INVALID_VALUE);
    assert_int_equal(mem_free(rig->context, NULL), CL_SUCCESS);
    assert_int_equal(copy(rig->queue, CL_TRUE, NULL, &byte, 1, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(copy(NULL, CL_TRUE, &byte, &byte, 1, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(fill(rig->queue, &byte, &byte, 3, 3, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(migrate(rig->queue, NULL, 1, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(alloc_info(rig->context, &byte, 1, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_follows_pointers),
        cmocka_unit_test(a_kernel_reaches_behind_and_before_its_pointer),
        cmocka_unit_test(memory_is_filled_copied_and_freed),
        cmocka_unit_test(allocations_are_known),
        cmocka_unit_test(allocations_may_pass_4_gb_when_asked),
        cmocka_unit_test(misuse_is_an_error),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, open_usm, rig_close);
}
