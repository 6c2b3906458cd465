/* use_opencl.c - an OpenCL program outside the project: adds two vectors on the first
 * device of the platform Vigpu and says whether the sums are right. Links with the
 * loader alone; where the drivers are is the environment's or the system's affair. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000 };

static cl_device_id find_device(void)
{
    cl_platform_id platform[16];
    cl_device_id device;
    cl_uint count = 0;

    (void)clGetPlatformIDs(16, platform, &count);
    for (cl_uint i = 0; i < count && i < 16; i++) {
        char name[64] = "";

        (void)clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof(name), name,
                                NULL);
        if (strcmp(name, "Vigpu") == 0 &&
            clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) ==
                CL_SUCCESS)
            return device;
    }
    return NULL;
}

int main(void)
{
    const char *source = "kernel void add(global int *x, global const int *y)\n"
                         "{ x[get_global_id(0)] += y[get_global_id(0)]; }\n";
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const size_t n = N;
    cl_device_id device = find_device();
    int x[N], y[N], wrong = 0;

    if (device == NULL) {
        fprintf(stderr, "use_opencl: no platform Vigpu\n");
        return 1;
    }
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 7 * i;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl_int built = clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    cl_mem a = clCreateBuffer(context, flags, sizeof(x), x, NULL);
    cl_mem b = clCreateBuffer(context, flags, sizeof(y), y, NULL);

    (void)clSetKernelArg(kernel, 0, sizeof(a), &a);
    (void)clSetKernelArg(kernel, 1, sizeof(b), &b);
    (void)clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    (void)clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof(x), x, 0, NULL, NULL);
    for (int i = 0; i < N; i++)
        wrong += x[i] != 8 * i;
    printf("build %d, %d of %d sums wrong\n", built, wrong, N);
    return built != CL_SUCCESS || wrong > 0;
}
