/* host.c - one kernel on the first OpenCL device, launched four times (or $TIMES): the
 * process' CPU seconds of each launch. For docs/lab/2026-11-jit.md, which has the
 * command.
 *
 *   host FILE KERNEL OPTIONS GLOBAL_X GLOBAL_Y LOCAL_X LOCAL_Y ARG...
 *
 * GLOBAL_Y 0: one dimension. ARG: b:BYTES, a buffer of floats in [0, 1) that are the
 * same everywhere; i:N an int; f:X a float. Exit status 1 after an error. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../support/rng.h"

enum { SOURCE_BYTES = 1 << 20, FIRST_ARG = 8 };

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "host: %s: OpenCL error %d\n", what, error);
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static cl_mem make_buffer(cl_context context, size_t bytes)
{
    float *host = malloc(bytes);
    unsigned r = 1;
    cl_int error;
    cl_mem buffer;

    if (host == NULL)
        exit(1);
    for (size_t i = 0; i < bytes / sizeof(*host); i++)
        host[i] = (float)(lcg32_next(&r) >> 8) / 16777216.0f;
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                            host, &error);
    check(error, "buffer");
    free(host);
    return buffer;
}

static void set_arg(cl_context context, cl_kernel kernel, cl_uint index,
                    const char *text)
{
    cl_int number = atoi(text + 2);
    cl_float real = (cl_float)atof(text + 2);
    cl_mem buffer;

    if (text[0] == 'b') {
        buffer = make_buffer(context, strtoull(text + 2, NULL, 10));
        check(clSetKernelArg(kernel, index, sizeof(buffer), &buffer), text);
    } else {
        check(clSetKernelArg(kernel, index, 4,
                             text[0] == 'i' ? (void *)&number : (void *)&real),
              text);
    }
}

static cl_kernel build(cl_context context, cl_device_id device, char **argv)
{
    static char source[SOURCE_BYTES];
    const char *text = source;
    FILE *in = fopen(argv[1], "r");
    size_t length = in ? fread(source, 1, sizeof(source) - 1, in) : 0;
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &error);
    cl_kernel kernel;

    check(error, argv[1]);
    check(clBuildProgram(program, 1, &device, argv[3], NULL, NULL), argv[1]);
    kernel = clCreateKernel(program, argv[2], &error);
    check(error, argv[2]);
    if (in != NULL)
        (void)fclose(in);
    return kernel;
}

int main(int argc, char **argv)
{
    int times = getenv("TIMES") != NULL ? atoi(getenv("TIMES")) : 4;
    size_t global[2], local[2];
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_int error;

    if (argc < FIRST_ARG) {
        fputs("usage: host FILE KERNEL OPTIONS GX GY LX LY ARG...\n", stderr);
        return 1;
    }
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "context");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "queue");
    kernel = build(context, device, argv);
    for (int i = 0; i < 2; i++) {
        global[i] = strtoull(argv[4 + i], NULL, 10);
        local[i] = strtoull(argv[6 + i], NULL, 10);
    }
    for (int i = FIRST_ARG; i < argc; i++)
        set_arg(context, kernel, (cl_uint)(i - FIRST_ARG), argv[i]);
    for (int i = 0; i < times; i++) {
        double start = cpu_seconds();

        check(clEnqueueNDRangeKernel(queue, kernel, global[1] ? 2 : 1, NULL, global,
                                     local, 0, NULL, NULL),
              "launch");
        check(clFinish(queue), "launch");
        printf("%.5f ", cpu_seconds() - start);
    }
    putchar('\n');
    return 0;
}
