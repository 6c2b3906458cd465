/* rig.h - what the tests of the OpenCL driver share: the system's loader pointed at
 * the build's driver, a context on the first device, and programs in one call. */
#ifndef TESTS_OCL_RIG_H
#define TESTS_OCL_RIG_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct rig {
    cl_platform_id platform;
    cl_device_id device[2];
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
};

/* Does the test run on Intel's own driver (test_ocl_neo.sh)? */
bool rig_neo(void);
/* Before the first call of OpenCL. IGPU_TEST_ONLY, if set, names the one test that
 * runs. */
void rig_environment(void);
/* cmocka's set-up and tear-down; *state is a struct rig *. */
int rig_open(void **state);
/* The same with the first device alone, where there may be no other. */
int rig_open_first(void **state);
int rig_close(void **state);

/* A built program, or the test fails with the build log. */
cl_program rig_program(const struct rig *rig, const char *source, const char *options);
/* The same and its kernel `name`; the program is released with the kernel. */
cl_kernel rig_kernel(const struct rig *rig, const char *source, const char *name);
/* A buffer with a copy of bytes at data, or zeroed. */
cl_mem rig_buffer(const struct rig *rig, size_t bytes, const void *data);
/* Run a kernel over n items in groups of `local` (0: the driver's choice); wait. */
void rig_run(const struct rig *rig, cl_kernel kernel, size_t n, size_t local);
void rig_read(const struct rig *rig, cl_mem buffer, void *to, size_t bytes);

#define check(call) assert_int_equal((call), CL_SUCCESS)

#endif
