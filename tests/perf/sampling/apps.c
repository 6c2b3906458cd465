/* apps.c - six programs of many launches, for the comparison in docs/guide/sampling.md:
 * apps NAME, in a folder with apps.cl. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/rng.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int status)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "apps: OpenCL error %d\n", status);
        exit(1);
    }
}

static cl_mem floats(size_t count)
{
    float *data = malloc(count * sizeof(*data));
    cl_mem mem;

    for (size_t i = 0; i < count; i++)
        data[i] = (float)(i * 2654435761U % 1000) / 500 - 1;
    mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof(*data), data,
                         NULL);
    free(data);
    return mem;
}

static cl_mem numbers(size_t count, unsigned below)
{
    cl_uint *data = malloc(count * sizeof(*data)), seed = 1;
    cl_mem mem;

    for (size_t i = 0; i < count; i++) {
        data[i] = lcg32_next(&seed) >> 8;
        data[i] = below == 0 ? data[i] : data[i] % below;
    }
    mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof(*data), data,
                         NULL);
    free(data);
    return mem;
}

static cl_kernel kernel(const char *name)
{
    cl_int status;
    cl_kernel made = clCreateKernel(program, name, &status);

    check(status);
    return made;
}

static void mem(cl_kernel k, cl_uint i, cl_mem m)
{
    check(clSetKernelArg(k, i, sizeof(m), &m));
}

static void number(cl_kernel k, cl_uint i, cl_uint n)
{
    check(clSetKernelArg(k, i, sizeof(n), &n));
}

static void run(cl_kernel k, size_t x, size_t y, size_t local)
{
    const size_t global[2] = {x, y}, group[2] = {local, 1};

    check(clEnqueueNDRangeKernel(queue, k, y > 0 ? 2 : 1, NULL, global, group, 0, NULL,
                                 NULL));
    check(clFinish(queue));
}

/* Conjugate gradients' kernels: 42 turns, 210 launches. */
static void cg(void)
{
    enum { N = 1 << 16 };
    cl_kernel product = kernel("spmv"), dot = kernel("dot_part"), axpy = kernel("axpy");
    cl_mem p = floats(N), q = floats(N), r = floats(N), part = floats(N / 128);
    const float a = 1e-3F;

    mem(product, 0, numbers(8 * N, N));
    mem(product, 1, floats(8 * N));
    mem(product, 2, p);
    mem(product, 3, q);
    mem(dot, 2, part);
    check(clSetKernelArg(dot, 3, 128 * sizeof(float), NULL));
    check(clSetKernelArg(axpy, 2, sizeof(a), &a));
    for (int i = 0; i < 42; i++) {
        run(product, N, 0, 64);
        mem(dot, 0, p);
        mem(dot, 1, q);
        run(dot, N, 0, 128);
        mem(axpy, 0, r);
        mem(axpy, 1, q);
        run(axpy, N, 0, 64);
        mem(dot, 0, r);
        mem(dot, 1, r);
        run(dot, N, 0, 128);
        mem(axpy, 0, p);
        mem(axpy, 1, r);
        run(axpy, N, 0, 64);
    }
}

static void jacobi(void)
{
    enum { W = 512, H = 512 };
    cl_kernel relax = kernel("relax");
    cl_mem grid[2] = {floats(W * H), floats(W * H)};

    for (int i = 0; i < 60; i++) {
        mem(relax, 0, grid[i % 2]);
        mem(relax, 1, grid[1 - i % 2]);
        run(relax, W, H, 64);
    }
}

/* Each launch smaller than the one before. */
static void lu(void)
{
    enum { N = 512 };
    cl_kernel row = kernel("lu_row");

    mem(row, 0, floats(N * N));
    number(row, 1, N);
    for (cl_uint k = 0; k < N - 64; k += 4) {
        number(row, 2, k);
        run(row, (N - k + 15) / 16 * 16, N - k, 16);
    }
}

static void sort(void)
{
    enum { N = 1 << 17 };
    cl_kernel compare = kernel("compare");

    mem(compare, 0, numbers(N, 0));
    for (cl_uint size = 2; size <= N; size *= 2)
        for (cl_uint step = size / 2; step > 0; step /= 2) {
            number(compare, 1, size);
            number(compare, 2, step);
            run(compare, N / 2, 0, 64);
        }
}

/* Levels with few and with many vertices, from several starts. */
static void bfs(void)
{
    enum { N = 1 << 16 };
    cl_kernel frontier = kernel("frontier");
    cl_mem level = numbers(N, 1);
    const cl_uint far = 1000, zero = 0;

    mem(frontier, 0, numbers(6 * N, N));
    mem(frontier, 1, level);
    for (size_t start = 0; start < 8; start++) {
        check(clEnqueueFillBuffer(queue, level, &far, 4, 0, N * 4, 0, NULL, NULL));
        check(clEnqueueFillBuffer(queue, level, &zero, 4, start * 4096, 4, 0, NULL,
                                  NULL));
        for (cl_uint now = 0; now < 9; now++) {
            number(frontier, 2, now);
            run(frontier, N, 0, 64);
        }
    }
}

static void nbody(void)
{
    enum { N = 4096 };
    cl_kernel forces = kernel("forces"), move = kernel("move");
    cl_mem body = floats(4 * N), force = floats(4 * N);

    mem(forces, 0, body);
    mem(forces, 1, force);
    number(forces, 2, N / 8);
    mem(move, 0, body);
    mem(move, 1, force);
    for (int i = 0; i < 30; i++) {
        run(forces, N, 0, 32);
        run(move, N, 0, 32);
    }
}

static void build(void)
{
    static char source[1 << 16];
    const char *text = source;
    FILE *in = fopen("apps.cl", "r");
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    if (in == NULL || fread(source, 1, sizeof(source) - 1, in) == 0) {
        fprintf(stderr, "apps: no apps.cl here\n");
        exit(1);
    }
    (void)fclose(in);
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } apps[] = {{"cg", cg},     {"jacobi", jacobi}, {"lu", lu},
                {"sort", sort}, {"bfs", bfs},       {"nbody", nbody}};

    for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++)
        if (argc == 2 && strcmp(argv[1], apps[i].name) == 0) {
            build();
            apps[i].run();
            return 0;
        }
    fprintf(stderr, "usage: apps cg|jacobi|lu|sort|bfs|nbody\n");
    return 2;
}
