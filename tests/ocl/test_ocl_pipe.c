/* test_ocl_pipe.c - pipes: packets, reservations, error codes. */
#include "rig.h"

enum { N = 64 };

static const char source[] =
    "kernel void put(global int *a, write_only pipe int p)\n"
    "{ a[N + get_global_id(0)] = write_pipe(p, &a[get_global_id(0)]); }\n"
    "kernel void take(global int *a, read_only pipe int p)\n"
    "{ int i = get_global_id(0), v; a[N + i] = read_pipe(p, &v); a[i] = v; }\n"
    "kernel void room(global int *a, read_only pipe int p)\n"
    "{ a[0] = get_pipe_max_packets(p); a[1] = get_pipe_num_packets(p); }\n"
    "kernel void reserve(global int *a, write_only pipe int p)\n"
    "{ reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "  int i = get_global_id(0);\n"
    "  a[N + i] = !is_valid_reserve_id(r);\n"
    "  if (is_valid_reserve_id(r)) {\n"
    "    write_pipe(p, r, get_local_id(0), &a[i]);\n"
    "    work_group_commit_write_pipe(p, r); } }\n";

/* Run a kernel on 2 * N ints and the pipe, N work-items, groups of 16. */
static void run(const struct rig *rig, cl_program program, const char *name,
                cl_mem pipe, int *ints)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    cl_mem buffer = rig_buffer(rig, 2 * N * sizeof(*ints), ints);

    check(status);
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(pipe), &pipe));
    rig_run(rig, kernel, N, 16);
    rig_read(rig, buffer, ints, 2 * N * sizeof(*ints));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* What was put is taken, each packet once. A read of an empty pipe, or a write to a
 * full one, is left out: the compiler's functions (IGC 1.0.12504) then keep the pipe's
 * lock. */
static void take_all(const struct rig *rig, cl_program program, cl_mem pipe)
{
    int ints[2 * N] = {0};
    bool seen[N] = {false};

    run(rig, program, "room", pipe, ints);
    assert_int_equal(ints[0], N);
    assert_int_equal(ints[1], N);
    run(rig, program, "take", pipe, ints);
    for (int i = 0; i < N; i++) {
        assert_int_equal(ints[N + i], 0);
        assert_in_range(ints[i], 1000, 1000 + N - 1);
        assert_false(seen[ints[i] - 1000]);
        seen[ints[i] - 1000] = true;
    }
    run(rig, program, "room", pipe, ints);
    assert_int_equal(ints[1], 0);
}

static void packets_come_out_once(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, source, "-cl-std=CL3.0 -DN=64");
    static const char *const how[] = {"put", "reserve"};
    cl_int status;
    cl_mem pipe = clCreatePipe(rig->context, 0, sizeof(int), N, NULL, &status);
    int ints[2 * N];

    check(status);
    for (unsigned k = 0; k < 2; k++) {
        for (int i = 0; i < 2 * N; i++)
            ints[i] = 1000 + i;
        run(rig, program, how[k], pipe, ints);
        for (int i = 0; i < N; i++)
            assert_int_equal(ints[N + i], 0);
        take_all(rig, program, pipe);
    }
    check(clReleaseMemObject(pipe));
    check(clReleaseProgram(program));
}

static void wrong_pipes_are_refused(void **state)
{
    const struct rig *rig = *state;
    const cl_pipe_properties none[] = {0};
    cl_int status;
    cl_mem pipe = clCreatePipe(rig->context, CL_MEM_READ_WRITE, 8, 5, NULL, &status);
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_uint value = 0;

    check(status);
    check(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof(value), &value, NULL));
    assert_int_equal(value, 8);
    check(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof(value), &value, NULL));
    assert_int_equal(value, 5);
    check(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof(value), &value, NULL));
    assert_int_equal(value, CL_MEM_OBJECT_PIPE);
    assert_int_equal(clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof(value), &value, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, 4, &value, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(
        clEnqueueReadBuffer(rig->queue, pipe, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
        CL_INVALID_MEM_OBJECT);
    assert_null(clCreatePipe(NULL, 0, 4, 4, NULL, &status));
    assert_int_equal(status, CL_INVALID_CONTEXT);
    assert_null(clCreatePipe(rig->context, CL_MEM_READ_ONLY, 4, 4, NULL, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreatePipe(rig->context, 0, 4, 4, none, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreatePipe(rig->context, 0, 0, 4, NULL, &status));
    assert_int_equal(status, CL_INVALID_PIPE_SIZE);
    assert_null(clCreatePipe(rig->context, 0, 1025, 4, NULL, &status));
    assert_int_equal(status, CL_INVALID_PIPE_SIZE);
    assert_null(clCreatePipe(rig->context, 0, 4, 0, NULL, &status));
    assert_int_equal(status, CL_INVALID_PIPE_SIZE);
    check(clReleaseMemObject(pipe));
    check(clReleaseMemObject(buffer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_come_out_once),
        cmocka_unit_test(wrong_pipes_are_refused),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
