/* rig.c - see rig.h. */
#include "rig.h"

#include <stdio.h>

bool rig_neo(void)
{
    const char *driver = getenv("IGPU_GL_DRIVER");

    return driver != NULL && strcmp(driver, "neo") == 0;
}

void rig_environment(void)
{
    const char *build = getenv("IGPU_BUILD");
    char path[4096];

    cmocka_set_test_filter(getenv("IGPU_TEST_ONLY"));
    if (rig_neo())
        return;
    snprintf(path, sizeof(path), "%s/lib", build != NULL ? build : "build");
    setenv("OCL_ICD_VENDORS", path, 1);
}

/* With this many devices at most; how many there are. */
static cl_uint open_devices(void **state, cl_uint most)
{
    struct rig *rig = calloc(1, sizeof(*rig));
    cl_uint devices = 0;
    cl_int status;

    check(clGetPlatformIDs(1, &rig->platform, NULL));
    check(
        clGetDeviceIDs(rig->platform, CL_DEVICE_TYPE_GPU, most, rig->device, &devices));
    rig->context = clCreateContext(NULL, 1, rig->device, NULL, NULL, &status);
    check(status);
    rig->queue = clCreateCommandQueue(rig->context, rig->device[0],
                                      CL_QUEUE_PROFILING_ENABLE, &status);
    check(status);
    *state = rig;
    return devices;
}

int rig_open(void **state)
{
    assert_int_equal(open_devices(state, 2), rig_neo() ? 1 : 2);
    return 0;
}

int rig_open_first(void **state)
{
    (void)open_devices(state, 1);
    return 0;
}

int rig_close(void **state)
{
    struct rig *rig = *state;

    check(clFinish(rig->queue));
    check(clReleaseCommandQueue(rig->queue));
    check(clReleaseContext(rig->context));
    free(rig);
    return 0;
}

cl_program rig_program(const struct rig *rig, const char *source, const char *options)
{
    cl_int status;
    cl_program program =
        clCreateProgramWithSource(rig->context, 1, &source, NULL, &status);

    check(status);
    if (clBuildProgram(program, 0, NULL, options, NULL, NULL) != CL_SUCCESS) {
        char log[4096] = "";

        (void)clGetProgramBuildInfo(program, rig->device[0], CL_PROGRAM_BUILD_LOG,
                                    sizeof(log), log, NULL);
        fail_msg("does not build: %s", log);
    }
    return program;
}

cl_kernel rig_kernel(const struct rig *rig, const char *source, const char *name)
{
    cl_program program = rig_program(rig, source, NULL);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    check(status);
    check(clReleaseProgram(program));
    return kernel;
}

cl_mem rig_buffer(const struct rig *rig, size_t bytes, const void *data)
{
    cl_mem_flags flags = data != NULL ? CL_MEM_COPY_HOST_PTR : 0;
    cl_int status;
    cl_mem buffer = clCreateBuffer(rig->context, CL_MEM_READ_WRITE | flags, bytes,
                                   (void *)(uintptr_t)data, &status);

    check(status);
    return buffer;
}

void rig_run(const struct rig *rig, cl_kernel kernel, size_t n, size_t local)
{
    check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n,
                                 local > 0 ? &local : NULL, 0, NULL, NULL));
    check(clFinish(rig->queue));
}

void rig_read(const struct rig *rig, cl_mem buffer, void *to, size_t bytes)
{
    check(
        clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}
