/* test_ocl_pocl.c - the same kernels on pocl, another implementation: integers equal,
 * floats within the sum of both sides' limits (OpenCL C 1.2, 7.4). */
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 4096 };

static const char source[] =
    "kernel void integers(global const uint *x, global const uint *y,\n"
    "                     global ulong *o)\n"
    "{ int i = get_global_id(0), n = get_global_size(0);\n"
    "  uint a = x[i], b = y[i]; int s = (int)a, t = (int)b;\n"
    "  ulong w = ((ulong)a << 32) | b; long v = (long)w;\n"
    "  o[i] = mul_hi(a, b) + (ulong)(uint)mul_hi(s, t) * 7;\n"
    "  o[n + i] = rotate(a, b) ^ popcount(a) ^ clz(b);\n"
    "  o[2 * n + i] = (uint)add_sat(s, t) ^ (ulong)sub_sat(a, b) << 20;\n"
    "  o[3 * n + i] = w * (w ^ 0x9E3779B97F4A7C15ul) + w / (b | 1) + w % (a | 1);\n"
    "  o[4 * n + i] = (ulong)(v / (t | 1) + v % (s | 1)) ^ (ulong)(v >> (a & 63));\n"
    "  o[5 * n + i] = (uint)(s / (t | 1)) ^ (ulong)(uint)(s % (t | 1)) << 32;\n"
    "  o[6 * n + i] = convert_uchar_sat(s) | convert_short_sat(t) << 8;\n"
    "  o[7 * n + i] = as_uint(convert_float(s)) ^ (ulong)abs_diff(s, t) << 32; }\n"
    "kernel void floats(global const float *x, global const float *y,\n"
    "                   global float *o)\n"
    "{ int i = get_global_id(0), n = get_global_size(0);\n"
    "  float a = x[i], b = y[i], p = fabs(a) + 0.001f;\n"
    "  o[i] = fma(a, b, p); o[n + i] = a / b; o[2 * n + i] = sqrt(p);\n"
    "  o[3 * n + i] = exp(a); o[4 * n + i] = log(p); o[5 * n + i] = sin(a);\n"
    "  o[6 * n + i] = cos(b); o[7 * n + i] = atan2(a, b); }\n"
    "kernel void doubles(global const float *x, global const float *y,\n"
    "                    global double *o)\n"
    "{ int i = get_global_id(0), n = get_global_size(0);\n"
    "  double a = x[i], b = y[i];\n"
    "  o[i] = fma(a, b, a); o[n + i] = a / b; o[2 * n + i] = sqrt(fabs(a)); }\n";

/* Ulps of each result, both sides together: 7.4's limit twice, exact ones zero. */
static const double float_ulps[8] = {0, 5, 6, 6, 6, 8, 8, 12};

struct side {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

struct both {
    struct side side[2]; /* Vigpu, pocl */
};

static void open_side(struct side *s, const char *wanted)
{
    cl_platform_id platform[8];
    cl_uint platforms = 0, p;
    cl_device_id device;
    const char *text = source;
    char name[128] = "";
    cl_int status;

    check(clGetPlatformIDs(8, platform, &platforms));
    for (p = 0; p < platforms; p++) {
        check(
            clGetPlatformInfo(platform[p], CL_PLATFORM_NAME, sizeof(name), name, NULL));
        if (strcmp(name, wanted) == 0)
            break;
    }
    if (p == platforms)
        fail_msg("no platform '%s'; on Debian: apt-get install pocl-opencl-icd",
                 wanted);
    check(clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    s->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    s->queue = clCreateCommandQueue(s->context, device, 0, &status);
    check(status);
    s->program = clCreateProgramWithSource(s->context, 1, &text, NULL, &status);
    check(status);
    check(clBuildProgram(s->program, 0, NULL, NULL, NULL, NULL));
}

static int open_both(void **state)
{
    struct both *both = calloc(1, sizeof(*both));

    open_side(&both->side[0], "Vigpu");
    open_side(&both->side[1], "Portable Computing Language");
    *state = both;
    return 0;
}

static int close_both(void **state)
{
    struct both *both = *state;

    for (int i = 0; i < 2; i++) {
        check(clReleaseProgram(both->side[i].program));
        check(clReleaseCommandQueue(both->side[i].queue));
        check(clReleaseContext(both->side[i].context));
    }
    free(both);
    return 0;
}

static void run(const struct side *s, const char *name, const void *x, const void *y,
                void *out, size_t bytes)
{
    const size_t n = N, local = 64;
    cl_int status;
    cl_kernel kernel = clCreateKernel(s->program, name, &status);
    cl_mem b[3];

    check(status);
    b[0] = clCreateBuffer(s->context, CL_MEM_COPY_HOST_PTR, N * 4, (void *)(uintptr_t)x,
                          NULL);
    b[1] = clCreateBuffer(s->context, CL_MEM_COPY_HOST_PTR, N * 4, (void *)(uintptr_t)y,
                          NULL);
    b[2] = clCreateBuffer(s->context, 0, bytes, NULL, NULL);
    for (cl_uint i = 0; i < 3; i++)
        check(clSetKernelArg(kernel, i, sizeof(b[i]), &b[i]));
    check(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL));
    check(clEnqueueReadBuffer(s->queue, b[2], CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    for (int i = 0; i < 3; i++)
        check(clReleaseMemObject(b[i]));
    check(clReleaseKernel(kernel));
}

/* xorshift, from a fixed seed: every run has the same inputs. */
static uint32_t draw(void)
{
    static uint32_t state = 2463534242u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static float draw_float(void)
{
    return (float)((double)draw() / 4294967296.0 * 20 - 10);
}

static void integers_are_equal(void **state)
{
    const struct both *both = *state;
    static uint32_t x[N], y[N];
    static uint64_t out[2][8 * N];

    for (int i = 0; i < N; i++) {
        x[i] = draw() >> (i % 32);
        y[i] = draw() << (i % 31);
    }
    for (int i = 0; i < 2; i++)
        run(&both->side[i], "integers", x, y, out[i], sizeof(out[i]));
    for (int i = 0; i < 8 * N; i++)
        if (out[0][i] != out[1][i])
            fail_msg("result %d of %u, %u: %llx, pocl %llx", i / N, x[i % N], y[i % N],
                     (unsigned long long)out[0][i], (unsigned long long)out[1][i]);
}

static void floats_are_within_their_limits(void **state)
{
    const struct both *both = *state;
    static float x[N], y[N], out[2][8 * N];

    for (int i = 0; i < N; i++) {
        x[i] = draw_float();
        y[i] = draw_float();
    }
    for (int i = 0; i < 2; i++)
        run(&both->side[i], "floats", x, y, out[i], sizeof(out[i]));
    for (int i = 0; i < 8 * N; i++) {
        double a = out[0][i], b = out[1][i];
        double ulp = ldexp(1, ilogb(b == 0 ? 1e-38 : b) - 23);

        if (!(fabs(a - b) <= float_ulps[i / N] * ulp))
            fail_msg("result %d of %a, %a: %a, pocl %a", i / N, (double)x[i % N],
                     (double)y[i % N], a, b);
    }
}

static void doubles_are_correctly_rounded(void **state)
{
    const struct both *both = *state;
    static float x[N], y[N];
    static double out[2][3 * N];

    for (int i = 0; i < N; i++) {
        x[i] = draw_float();
        y[i] = draw_float();
    }
    for (int i = 0; i < 2; i++)
        run(&both->side[i], "doubles", x, y, out[i], sizeof(out[i]));
    assert_memory_equal(out[0], out[1], sizeof(out[0]));
}

/* A folder that names both drivers. */
static void offer_both(void)
{
    const char *tmp = getenv("IGPU_TMP"), *build = getenv("IGPU_BUILD");
    char folder[4096], command[9000];

    snprintf(folder, sizeof(folder), "%s/vendors", tmp != NULL ? tmp : "/tmp");
    snprintf(command, sizeof(command),
             "mkdir -p %s && cp %s/lib/vigpu.icd /etc/OpenCL/vendors/pocl.icd %s",
             folder, build != NULL ? build : "build", folder);
    if (system(command) == 0)
        setenv("OCL_ICD_VENDORS", folder, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_equal),
        cmocka_unit_test(floats_are_within_their_limits),
        cmocka_unit_test(doubles_are_correctly_rounded),
    };

    /* Without it pocl's hwloc finds no processor, and pocl aborts. */
    if (access("/sys/devices/system/cpu", R_OK) != 0) {
        puts("1..0 # SKIP pocl needs /sys, which is not mounted here");
        return 0;
    }
    offer_both();
    return cmocka_run_group_tests(tests, open_both, close_both);
}
