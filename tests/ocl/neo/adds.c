/* adds.c - an OpenCL program for any driver: a sum of vectors, a group reversed through
 * local memory, atomics. Prints a line for each; exit status 1: one was wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096, GROUP = 64 };

static const char source[] =
    "kernel void add(global const int *a, global const int *b, global int *c)\n"
    "{ int i = get_global_id(0); c[i] = a[i] + b[i]; }\n"
    "kernel void turn(global const int *a, global const int *b, global int *c)\n"
    "{ local int l[64]; int i = get_local_id(0); l[i] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); c[get_global_id(0)] = l[63 - i]; }\n"
    "kernel void count(global const int *a, global const int *b, global int *c)\n"
    "{ atomic_add(&c[get_global_id(0) & 7], a[get_global_id(0)]); }\n";

static int expected(int kernel, const int *a, const int *b, int i)
{
    int sum = 0;

    if (kernel == 0)
        return a[i] + b[i];
    if (kernel == 1)
        return a[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
    for (int k = i; k < N && i < 8; k += 8)
        sum += a[k];
    return sum;
}

int main(void)
{
    static const char *const names[] = {"add", "turn", "count"};
    static int a[N], b[N], c[N];
    const char *text = source;
    const size_t global = N, local = GROUP;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem buffer[3];
    int failures = 0;

    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS)
        return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
        return 2;
    for (int i = 0; i < N; i++) {
        a[i] = 3 * i;
        b[i] = i;
    }
    for (int k = 0; k < 3; k++) {
        cl_kernel kernel = clCreateKernel(program, names[k], NULL);
        int bad = 0;

        for (int i = 0; i < N; i++)
            c[i] = 0;
        for (cl_uint i = 0; i < 3; i++) {
            buffer[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(a),
                                       i == 0   ? a
                                       : i == 1 ? b
                                                : c,
                                       NULL);
            if (clSetKernelArg(kernel, i, sizeof(buffer[i]), &buffer[i]) != CL_SUCCESS)
                return 2;
        }
        if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                   NULL) != CL_SUCCESS ||
            clEnqueueReadBuffer(queue, buffer[2], CL_TRUE, 0, sizeof(c), c, 0, NULL,
                                NULL) != CL_SUCCESS)
            return 2;
        for (int i = 0; i < N; i++)
            bad += c[i] != expected(k, a, b, i);
        printf("%s: %s\n", names[k], bad == 0 ? "right" : "wrong");
        failures += bad != 0;
    }
    return failures != 0;
}
