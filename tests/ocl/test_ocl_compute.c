/* test_ocl_compute.c - kernels through plain OpenCL host code: results. */
#include "rig.h"

enum { N = 1000 };

static void a_kernel_adds_vectors(void **state)
{
    static const char source[] =
        "kernel void saxpy(global const float *x, global float *y, float a)\n"
        "{ y[get_global_id(0)] += a * x[get_global_id(0)]; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "saxpy");
    float x[N], y[N], a = 3;
    cl_mem bx, by;

    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = (float)(2 * i);
    }
    bx = rig_buffer(rig, sizeof(x), x);
    by = rig_buffer(rig, sizeof(y), y);
    check(clSetKernelArg(kernel, 0, sizeof(bx), &bx));
    check(clSetKernelArg(kernel, 1, sizeof(by), &by));
    check(clSetKernelArg(kernel, 2, sizeof(a), &a));
    rig_run(rig, kernel, N, 0);
    rig_read(rig, by, y, sizeof(y));
    for (int i = 0; i < N; i++)
        assert_true(y[i] == (float)(5 * i));
    check(clReleaseMemObject(bx));
    check(clReleaseMemObject(by));
    check(clReleaseKernel(kernel));
}

static void local_memory_and_barriers_reverse_a_group(void **state)
{
    static const char source[] =
        "kernel void reverse(global int *a, local int *l)\n"
        "{ int i = get_local_id(0), n = get_local_size(0);\n"
        "  l[i] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  a[get_global_id(0)] = l[n - 1 - i]; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "reverse");
    int a[256];
    cl_mem buffer;

    for (int i = 0; i < 256; i++)
        a[i] = i;
    buffer = rig_buffer(rig, sizeof(a), a);
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, 64 * sizeof(int), NULL));
    rig_run(rig, kernel, 256, 64);
    rig_read(rig, buffer, a, sizeof(a));
    for (int i = 0; i < 256; i++)
        assert_int_equal(a[i], i / 64 * 64 + 63 - i % 64);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void ids_follow_offset_and_three_dimensions(void **state)
{
    static const char source[] =
        "kernel void ids(global uint *a)\n"
        "{ size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "  size_t at = x - get_global_offset(0) + 12 * (y - get_global_offset(1)) +\n"
        "              12 * 6 * (z - get_global_offset(2));\n"
        "  a[at] = x + 100 * y + 10000 * z + 1000000 * get_group_id(0); }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "ids");
    const size_t offset[3] = {5, 7, 9}, global[3] = {12, 6, 4}, local[3] = {4, 3, 2};
    cl_uint a[12 * 6 * 4];
    cl_mem buffer = rig_buffer(rig, sizeof(a), NULL);

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 3, offset, global, local, 0, NULL,
                                 NULL));
    rig_read(rig, buffer, a, sizeof(a));
    for (cl_uint i = 0; i < 12 * 6 * 4; i++) {
        cl_uint x = i % 12, y = i / 12 % 6, z = i / 72;

        assert_int_equal(a[i],
                         x + 5 + 100 * (y + 7) + 10000 * (z + 9) + 1000000 * (x / 4));
    }
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void program_scope_variables_live_as_long_as_the_program(void **state)
{
    static const char source[] =
        "constant int table[4] = {10, 20, 30, 40};\n"
        "global int count = 5;\n"
        "kernel void add(global int *a)\n"
        "{ a[get_global_id(0)] = table[get_global_id(0) % 4] + count;\n"
        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "  if (get_global_id(0) == 0) count += 1; }\n";
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, "-cl-std=CL3.0");
    cl_mem buffer = rig_buffer(rig, 8 * sizeof(int), NULL);
    size_t bytes = 0;
    cl_int status;
    int a[8];

    check(clGetProgramBuildInfo(program, rig->device[0],
                                CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                sizeof(bytes), &bytes, NULL));
    assert_true(bytes >= sizeof(int));
    for (int round = 0; round < 3; round++) {
        cl_kernel kernel = clCreateKernel(program, "add", &status);

        check(status);
        check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
        rig_run(rig, kernel, 8, 8);
        rig_read(rig, buffer, a, sizeof(a));
        for (int i = 0; i < 8; i++)
            assert_int_equal(a[i], 10 * (i % 4 + 1) + 5 + round);
        check(clReleaseKernel(kernel));
    }
    check(clReleaseMemObject(buffer));
    check(clReleaseProgram(program));
}

static void a_sub_buffer_is_a_part_of_its_parent(void **state)
{
    static const char source[] =
        "kernel void fill(global int *a) { a[get_global_id(0)] = 7; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "fill");
    const cl_buffer_region region = {256, 128};
    int a[256];
    cl_mem parent = rig_buffer(rig, sizeof(a), NULL), part;
    cl_int status;
    size_t offset = 0;

    part = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status);
    check(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof(offset), &offset, NULL));
    assert_int_equal(offset, 256);
    check(clSetKernelArg(kernel, 0, sizeof(part), &part));
    rig_run(rig, kernel, 32, 0);
    rig_read(rig, parent, a, sizeof(a));
    for (int i = 0; i < 256; i++)
        assert_int_equal(a[i], i >= 64 && i < 96 ? 7 : 0);
    check(clReleaseMemObject(parent)); /* the part keeps it */
    check(clEnqueueReadBuffer(rig->queue, part, CL_TRUE, 0, 128, a, 0, NULL, NULL));
    assert_int_equal(a[0], 7);
    check(clReleaseMemObject(part));
    check(clReleaseKernel(kernel));
}

static void host_pointers_are_used_in_place(void **state)
{
    static const char source[] =
        "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "twice");
    int host[64], *mapped;
    cl_int status;
    cl_mem buffer;

    for (int i = 0; i < 64; i++)
        host[i] = i;
    buffer =
        clCreateBuffer(rig->context, CL_MEM_USE_HOST_PTR, sizeof(host), host, &status);
    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, (const size_t[]){64},
                                 NULL, 0, NULL, NULL));
    mapped = clEnqueueMapBuffer(rig->queue, buffer, CL_TRUE, CL_MAP_READ, 16,
                                sizeof(host) - 16, 0, NULL, NULL, &status);
    check(status);
    assert_ptr_equal(mapped, host + 4);
    for (int i = 4; i < 64; i++)
        assert_int_equal(mapped[i - 4], 2 * i);
    check(clEnqueueUnmapMemObject(rig->queue, buffer, mapped, 0, NULL, NULL));
    assert_int_equal(clEnqueueUnmapMemObject(rig->queue, buffer, mapped, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    check(clFinish(rig->queue));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void shared_virtual_memory_holds_pointers(void **state)
{
    static const char source[] =
        "struct node { global struct node *next; int value; };\n"
        "kernel void sum(global struct node *n, global int *result)\n"
        "{ int s = 0; for (; n; n = n->next) s += n->value; *result = s; }\n";
    struct node {
        struct node *next;
        int value;
    };
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "sum");
    struct node *node =
        clSVMAlloc(rig->context, CL_MEM_READ_WRITE, 10 * sizeof(*node), 0);
    cl_mem result = rig_buffer(rig, sizeof(int), NULL);
    int sum = 0;

    assert_non_null(node);
    check(clEnqueueSVMMap(rig->queue, CL_TRUE, CL_MAP_WRITE, node, 10 * sizeof(*node),
                          0, NULL, NULL));
    for (int i = 0; i < 10; i++)
        node[i] = (struct node){i < 9 ? &node[i + 1] : NULL, i};
    check(clEnqueueSVMUnmap(rig->queue, node, 0, NULL, NULL));
    check(clSetKernelArgSVMPointer(kernel, 0, &node[2]));
    check(clSetKernelArg(kernel, 1, sizeof(result), &result));
    rig_run(rig, kernel, 1, 1);
    rig_read(rig, result, &sum, sizeof(sum));
    assert_int_equal(sum, 44);
    clSVMFree(rig->context, node);
    check(clReleaseMemObject(result));
    check(clReleaseKernel(kernel));
}

static void devices_tell_what_they_are_made_of(void **state)
{
    static const cl_uint want[2][6] = {{0x90000, 0x1912, 1, 3, 8, 7},
                                       {0x90000, 0x5927, 2, 3, 8, 7}};
    const struct rig *rig = *state;
    cl_device_feature_capabilities_intel features = 1;
    cl_uint got;

    for (unsigned d = 0; d < 2; d++) {
        for (cl_device_info i = 0; i < 6; i++) {
            check(clGetDeviceInfo(rig->device[d], CL_DEVICE_IP_VERSION_INTEL + i,
                                  sizeof(got), &got, NULL));
            assert_int_equal(got, want[d][i]);
        }
        check(clGetDeviceInfo(rig->device[d], CL_DEVICE_FEATURE_CAPABILITIES_INTEL,
                              sizeof(features), &features, NULL));
        assert_int_equal(features, 0);
    }
}

/* No map: what the host writes the kernel sees, and the other way round. */
static void fine_grained_buffers_need_no_map(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(
        rig, "kernel void k(global int *a) { a[get_global_id(0)] *= 3; }", "k");
    cl_device_svm_capabilities able;
    int *a = clSVMAlloc(rig->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                        64 * sizeof(*a), 0);

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_SVM_CAPABILITIES, sizeof(able),
                          &able, NULL));
    assert_int_equal(able, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                               CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    assert_non_null(a);
    assert_null(clSVMAlloc(rig->context,
                           CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 64, 0));
    check(clSetKernelArgSVMPointer(kernel, 0, a));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 64; i++)
            a[i] = i + round;
        rig_run(rig, kernel, 64, 0);
        for (int i = 0; i < 64; i++)
            assert_int_equal(a[i], 3 * (i + round));
    }
    clSVMFree(rig->context, a);
    check(clReleaseKernel(kernel));
}

static void rectangles_copies_and_fills_move_the_right_bytes(void **state)
{
    const struct rig *rig = *state;
    const size_t from[3] = {1, 2, 0}, to[3] = {4, 1, 1}, region[3] = {3, 2, 2};
    uint8_t a[8 * 8 * 4], b[sizeof(a)], c[3 * 2 * 2];
    const size_t zero[3] = {0, 0, 0};
    cl_mem x, y;

    for (size_t i = 0; i < sizeof(a); i++)
        a[i] = (uint8_t)i;
    x = rig_buffer(rig, sizeof(a), a);
    y = rig_buffer(rig, sizeof(a), NULL);
    check(clEnqueueFillBuffer(rig->queue, y, "\1\2", 2, 0, sizeof(a), 0, NULL, NULL));
    check(clEnqueueCopyBufferRect(rig->queue, x, y, from, to, region, 8, 64, 8, 64, 0,
                                  NULL, NULL));
    rig_read(rig, y, b, sizeof(b));
    for (size_t i = 0; i < sizeof(b); i++) {
        size_t col = i % 8, row = i / 8 % 8, slice = i / 64;
        bool in = col >= 4 && col < 7 && row >= 1 && row < 3 && slice >= 1 && slice < 3;

        assert_int_equal(b[i], in ? a[col - 3 + (row + 1) * 8 + (slice - 1) * 64]
                                  : 1 + i % 2);
    }
    check(clEnqueueReadBufferRect(rig->queue, x, CL_TRUE, from, zero, region, 8, 64, 0,
                                  0, c, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof(c); i++)
        assert_int_equal(c[i], a[1 + i % 3 + (2 + i / 3 % 2) * 8 + i / 6 * 64]);
    check(clReleaseMemObject(x));
    check(clReleaseMemObject(y));
}

/* The compiler makes them a lock, with pauses between the attempts to get it. */
static void atomics_of_64_bits_work_in_local_memory(void **state)
{
    static const char source[] =
        "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "kernel void sum(global long *a)\n"
        "{ local long l; if (get_local_id(0) == 0) l = 0x100000000;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE); atom_add(&l, (long)get_local_id(0));\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (get_local_id(0) == 0) a[get_group_id(0)] = l; }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "sum");
    cl_long a[4];
    cl_mem buffer = rig_buffer(rig, sizeof(a), NULL);

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    rig_run(rig, kernel, 256, 64);
    rig_read(rig, buffer, a, sizeof(a));
    for (int i = 0; i < 4; i++)
        assert_int_equal(a[i], 0x100000000 + 64 * 63 / 2);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* Barriers over all groups, by a global counter: each waits for those behind it. */
static void groups_wait_for_each_other(void **state)
{
    enum { GROUPS = 24, LOCAL = 32, ROUNDS = 5 };
    static const char source[] =
        "kernel void meet(volatile global int *met, volatile global int *a, int "
        "rounds)\n"
        "{ local int mine; int g = get_group_id(0), n = get_num_groups(0);\n"
        "  if (get_local_id(0) == 0) mine = g;\n"
        "  for (int r = 0; r < rounds; r++) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) {\n"
        "      mine += a[r * n + (g + 1) % n];\n"
        "      a[(r + 1) * n + g] = mine;\n"
        "      atomic_inc(met);\n"
        "      while (atomic_add(met, 0) < (r + 1) * n) {}\n"
        "    }\n"
        "  } }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "meet");
    cl_int rounds = ROUNDS, a[(ROUNDS + 1) * GROUPS] = {0}, model[2][GROUPS];
    cl_mem met = rig_buffer(rig, sizeof(cl_int), NULL), data;

    for (int g = 0; g < GROUPS; g++)
        a[g] = g * g + 1;
    data = rig_buffer(rig, sizeof(a), a);
    check(clSetKernelArg(kernel, 0, sizeof(met), &met));
    check(clSetKernelArg(kernel, 1, sizeof(data), &data));
    check(clSetKernelArg(kernel, 2, sizeof(rounds), &rounds));
    rig_run(rig, kernel, (size_t)GROUPS * LOCAL, LOCAL);
    for (int g = 0; g < GROUPS; g++) {
        model[0][g] = g * g + 1;
        model[1][g] = g; /* what the group holds */
    }
    rig_read(rig, data, a, sizeof(a));
    for (int r = 0; r < ROUNDS; r++) {
        for (int g = 0; g < GROUPS; g++)
            model[1][g] += model[0][(g + 1) % GROUPS];
        memcpy(model[0], model[1], sizeof(model[0]));
        assert_memory_equal(a + (r + 1) * GROUPS, model[0], sizeof(model[0]));
    }
    check(clReleaseMemObject(met));
    check(clReleaseMemObject(data));
    check(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_adds_vectors),
        cmocka_unit_test(local_memory_and_barriers_reverse_a_group),
        cmocka_unit_test(ids_follow_offset_and_three_dimensions),
        cmocka_unit_test(program_scope_variables_live_as_long_as_the_program),
        cmocka_unit_test(a_sub_buffer_is_a_part_of_its_parent),
        cmocka_unit_test(host_pointers_are_used_in_place),
        cmocka_unit_test(shared_virtual_memory_holds_pointers),
        cmocka_unit_test(fine_grained_buffers_need_no_map),
        cmocka_unit_test(devices_tell_what_they_are_made_of),
        cmocka_unit_test(rectangles_copies_and_fills_move_the_right_bytes),
        cmocka_unit_test(atomics_of_64_bits_work_in_local_memory),
        cmocka_unit_test(groups_wait_for_each_other),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
