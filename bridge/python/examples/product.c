/* product.c - an OpenCL program to try things with: the product of two matrices of N x
 * N numbers (product [N], 128 unless given), an element a work-item. cc -o product
 * product.c -lOpenCL && igpu run --time -- ./product */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const source =
    "kernel void product(global const float *a, global const float *b,\n"
    "                    global float *c, int n)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < n; k++)\n"
    "        sum += a[y * n + k] * b[k * n + x];\n"
    "    c[y * n + x] = sum;\n"
    "}\n";

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 128;
    const size_t size = (size_t)n, bytes = size * size * sizeof(float);
    const size_t global[2] = {size, size}, local[2] = {16, 1};
    cl_platform_id platform;
    cl_device_id device;
    cl_mem buffer[3];
    float *host = malloc(bytes), value = 0;

    if (host == NULL || n < 16 || n % 16 != 0 ||
        clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) != CL_SUCCESS) {
        fprintf(stderr, "product: needs a GPU, and N a multiple of 16\n");
        return 1;
    }
    for (size_t i = 0; i < size * size; i++)
        host[i] = (float)(i % 7);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, NULL);
    cl_int built = clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "product", NULL);

    for (cl_uint i = 0; i < 3; i++) {
        buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   bytes, host, NULL);
        (void)clSetKernelArg(kernel, i, sizeof(buffer[i]), &buffer[i]);
    }
    (void)clSetKernelArg(kernel, 3, sizeof(n), &n);
    (void)clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
    if (clEnqueueReadBuffer(queue, buffer[2], CL_TRUE, 0, sizeof(value), &value, 0,
                            NULL, NULL) != CL_SUCCESS ||
        built != CL_SUCCESS) {
        fprintf(stderr, "product: the device failed\n");
        return 1;
    }
    printf("c[0] = %g\n", (double)value);
    free(host);
    return 0;
}
