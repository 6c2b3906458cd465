/* refused.c - Intel's driver is told of a batch that was refused, and goes on; kernels
 * with private memory, of which threads have a part each by their number. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 512, V = 200, ROUNDS = 9 };

static const char source[] =
    "kernel void wild(global int *o, ulong p) { *(global int *)p = 1; o[0] = 2; }\n"
    "kernel void good(global int *o) { o[get_global_id(0)] = get_global_id(0); }\n"
    "kernel void own(global int *o, int n)\n"
    "{ int v[200];\n"
    "  for (int i = 0; i < 200; i++) v[i] = get_global_id(0) + i * n;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    for (int i = 0; i < 200; i++) v[i] += v[(i * 7 + k) % 200];\n"
    "  int s = 0;\n"
    "  for (int i = 0; i < 200; i++) s += v[i] * i;\n"
    "  o[get_global_id(0)] = s; }\n";

static cl_command_queue queue;
static cl_mem buffer;
static int failures;

static void check(int good, const char *what)
{
    printf("%s %s\n", good ? "ok" : "not ok", what);
    failures += !good;
}

/* What the kernel ends with, of n items, and o[]. */
static cl_int run(cl_kernel kernel, size_t n, int *o)
{
    cl_int status = clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);

    if (status == CL_SUCCESS)
        status =
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clFinish(queue);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, N * sizeof(int), o, 0,
                                     NULL, NULL);
    return status;
}

static int expected(int id)
{
    unsigned v[V], sum = 0;

    for (int i = 0; i < V; i++)
        v[i] = (unsigned)(id + i * ROUNDS);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < V; i++)
            v[i] += v[(i * 7 + k) % V];
    for (int i = 0; i < V; i++)
        sum += v[i] * (unsigned)i;
    return (int)sum;
}

int main(void)
{
    const char *text = source;
    const cl_ulong nowhere = 0x123456789000;
    const int rounds = ROUNDS;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status = clGetPlatformIDs(1, &platform, NULL), o[N];
    cl_context context;
    cl_program program;
    cl_kernel kernel;
    int bad = 0;

    if (status != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS)
        return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    buffer = clCreateBuffer(context, 0, sizeof(o), NULL, NULL);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
        return 2;
    kernel = clCreateKernel(program, "own", NULL);
    (void)clSetKernelArg(kernel, 1, sizeof(rounds), &rounds);
    status = run(kernel, N, o);
    for (int i = 0; i < N; i++)
        bad += o[i] != expected(i);
    check(status == CL_SUCCESS && bad == 0, "private memory");
    kernel = clCreateKernel(program, "wild", NULL);
    (void)clSetKernelArg(kernel, 1, sizeof(nowhere), &nowhere);
    check(run(kernel, 1, o) == CL_OUT_OF_RESOURCES, "a wild write is an error");
    status = run(clCreateKernel(program, "good", NULL), N, o);
    bad = 0;
    for (int i = 0; i < N; i++)
        bad += o[i] != i;
    check(status == CL_SUCCESS && bad == 0, "the next launch is executed");
    return failures != 0;
}
