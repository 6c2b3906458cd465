/* stacks.c - for tests/perf/two_stacks.py: `stacks KERNELS.cl NAME` runs one kernel
 * once and prints a hash of its machine code and of its results. Its buffers are the
 * host's memory at the addresses where our driver has a context's first buffers, so
 * that Intel's driver, which leaves a host's memory where it is, has them there, too.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    N = 65536,
    PAGE = 65536,
    KERNEL_CODE = 0x407D /* CL_KERNEL_BINARY_PROGRAM_INTEL */
};
#define FIRST 0x100000000u /* IGPU_VA_FIRST of igpu/va.h */

static const struct {
    const char *name;
    unsigned dims;
    size_t global[2], local[2];
} shapes[] = {
    {"wide", 1, {N / 4, 1}, {256, 1}},    {"transpose", 2, {256, 256}, {16, 16}},
    {"tiles", 2, {256, 256}, {16, 16}},   {"matmul", 2, {128, 128}, {16, 16}},
    {"stencil", 2, {256, 256}, {32, 8}},  {"own", 1, {4096, 1}, {64, 1}},
    {"precise", 1, {16384, 1}, {256, 1}},
};

static void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, status);
    exit(1);
}

static uint64_t hash(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = 1469598103934665603u; /* FNV-1a */

    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    static char text[1 << 16];

    must(file != NULL ? CL_SUCCESS : -1, path);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

/* As ocl_map() does: whole pages, and two more. */
static float *new_array(unsigned number)
{
    const size_t bytes = N * sizeof(float), step = bytes + 2 * (size_t)PAGE;
    void *at = (void *)(FIRST + number * step);
    void *array = mmap(at, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    must(array == at ? CL_SUCCESS : -1, "memory at a fixed address");
    return array;
}

int main(int argc, char **argv)
{
    const char *text = read_file(argc > 2 ? argv[1] : "");
    size_t global[2] = {N, 1}, local[2] = {256, 1}, bytes = 0;
    float *array[3];
    cl_mem buffer[3];
    unsigned dims = 1;
    const cl_int n = N;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_int status;
    void *code;

    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    must(status, "queue");
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    must(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL), "build");
    kernel = clCreateKernel(program, argv[2], &status);
    must(status, argv[2]);
    for (unsigned i = 0; i < 3; i++)
        array[i] = new_array(i);
    for (int i = 0; i < N; i++) {
        array[0][i] = (float)(i % 97) * 0.03125f;
        array[1][i] = (float)(i % 61) * 0.015625f;
    }
    for (unsigned i = 0; i < 3; i++) {
        buffer[i] = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N * sizeof(float),
                                   array[i], &status);
        must(status, "buffer");
        must(clSetKernelArg(kernel, i, sizeof(buffer[i]), &buffer[i]), "argument");
    }
    must(clSetKernelArg(kernel, 3, sizeof(n), &n), "argument");
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        if (strcmp(shapes[i].name, argv[2]) == 0) {
            dims = shapes[i].dims;
            memcpy(global, shapes[i].global, sizeof(global));
            memcpy(local, shapes[i].local, sizeof(local));
        }
    must(
        clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, local, 0, NULL, NULL),
        "launch");
    must(clFinish(queue), "finish");
    must(clEnqueueReadBuffer(queue, buffer[2], CL_TRUE, 0, N * sizeof(float), array[2],
                             0, NULL, NULL),
         "read");
    must(clGetKernelInfo(kernel, KERNEL_CODE, 0, NULL, &bytes), "code");
    code = malloc(bytes + 1);
    must(clGetKernelInfo(kernel, KERNEL_CODE, bytes, code, NULL), "code");
    printf("code %016llx %zu result %016llx\n", (unsigned long long)hash(code, bytes),
           bytes, (unsigned long long)hash(array[2], N * sizeof(float)));
    return 0;
}
