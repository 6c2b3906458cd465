/* test_ocl_sample.c - IGPU_SAMPLE against full runs (docs/guide/opencl.md): a stream
 * that is repeated, a sparse matrix with rows of very different lengths, mandelbrot.
 * tests/run: timeout=600 slow turn=0of3 */
#include "rig.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/support/capture.h"

enum { LAUNCHES = 4, SEEDS = 2 };

static const char source[] =
    "kernel void copy(global const float *x, global float *y)\n"
    "{ y[get_global_id(0)] = x[get_global_id(0)]; }\n"
    "kernel void spmv(global const int *row, global const int *column,\n"
    "                 global const float *value, global const float *x,\n"
    "                 global float *y)\n"
    "{ int r = get_global_id(0); float sum = 0;\n"
    "  for (int i = row[r]; i < row[r + 1]; i++) sum += value[i] * x[column[i]];\n"
    "  y[r] = sum; }\n"
    "kernel void mandelbrot(global int *out, int most)\n"
    "{ float cr = get_global_id(0) * (3.0f / get_global_size(0)) - 2.2f;\n"
    "  float ci = get_global_id(1) * (2.0f / get_global_size(1)) - 1.0f;\n"
    "  float r = 0, i = 0; int n = 0;\n"
    "  for (; n < most && r * r + i * i < 4; n++) {\n"
    "    float t = r * r - i * i + cr; i = 2 * r * i + ci; r = t; }\n"
    "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n; }\n";

/* A rig of its own context, whose caches are cold. */
static struct rig cold(const struct rig *rig)
{
    struct rig own = *rig;
    cl_int status;

    own.context = clCreateContext(NULL, 1, rig->device, NULL, NULL, &status);
    check(status);
    own.queue = clCreateCommandQueue(own.context, own.device[0],
                                     CL_QUEUE_PROFILING_ENABLE, &status);
    check(status);
    return own;
}

static void release(struct rig *own, cl_kernel kernel, cl_mem *mem, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        check(clReleaseMemObject(mem[i]));
    check(clReleaseKernel(kernel));
    check(clReleaseCommandQueue(own->queue));
    check(clReleaseContext(own->context));
}

static double launch(const struct rig *rig, cl_kernel kernel, cl_uint dims,
                     const size_t *global, const size_t *local)
{
    cl_ulong start, end;
    cl_event event;

    check(clEnqueueNDRangeKernel(rig->queue, kernel, dims, NULL, global, local, 0, NULL,
                                 &event));
    check(clWaitForEvents(1, &event));
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start),
                                  &start, NULL));
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
                                  NULL));
    check(clReleaseEvent(event));
    return (double)(end - start);
}

static void sampled(bool on, bool skip)
{
    if (on)
        setenv("IGPU_SAMPLE", "error=2%", 1);
    else
        unsetenv("IGPU_SAMPLE");
    if (skip)
        setenv("IGPU_SKIP_REST", "1", 1);
    else
        unsetenv("IGPU_SKIP_REST");
}

/* n floats each way, LAUNCHES times: nanoseconds of each. */
static void run_copies(const struct rig *rig, size_t n, double ns[LAUNCHES])
{
    struct rig own = cold(rig);
    cl_kernel kernel = rig_kernel(&own, source, "copy");
    cl_mem mem[2];
    const size_t local = 64;

    for (cl_uint i = 0; i < 2; i++) {
        mem[i] = rig_buffer(&own, n * sizeof(float), NULL);
        check(clSetKernelArg(kernel, i, sizeof(mem[i]), &mem[i]));
    }
    for (unsigned i = 0; i < LAUNCHES; i++)
        ns[i] = launch(&own, kernel, 1, &n, &local);
    release(&own, kernel, mem, 2);
}

/* The mean of seeds 1 to SEEDS. */
static void run_sampled_copies(const struct rig *rig, size_t n, bool skip,
                               double ns[LAUNCHES])
{
    double one[LAUNCHES];
    char words[32];

    for (unsigned i = 0; i < LAUNCHES; i++)
        ns[i] = 0;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        sampled(true, skip);
        (void)snprintf(words, sizeof(words), "error=2%%,seed=%u", seed);
        setenv("IGPU_SAMPLE", words, 1);
        run_copies(rig, n, one);
        for (unsigned i = 0; i < LAUNCHES; i++)
            ns[i] += one[i] / SEEDS;
    }
}

static void compare(const char *what, double full, double part, double percent)
{
    print_message("%s: %.0f ns of all, %.0f of a sample (%+.1f %%)\n", what, full, part,
                  100 * (part / full - 1));
    assert_true(part > full * (1 - percent / 100) && part < full * (1 + percent / 100));
}

/* With the LLC's 1 MB: what does not fit into it, and what does. */
static void a_repeated_stream_is_no_faster_than_the_memory(void **state)
{
    static const struct {
        size_t n;
        const char *name;
    } sizes[] = {{1 << 20, "8 MB copied"}, {1 << 16, "512 KB copied"}};

    for (unsigned s = 0; s < 2; s++) {
        double full[LAUNCHES], part[LAUNCHES], skip[LAUNCHES];

        sampled(false, false);
        run_copies(*state, sizes[s].n, full);
        run_sampled_copies(*state, sizes[s].n, false, part);
        run_sampled_copies(*state, sizes[s].n, true, skip);
        for (unsigned i = 0; i < LAUNCHES; i++) {
            /* asked are 2 %; 20 seeds of the first launch of 8 MB are 1.0 % too slow on
             * average and scatter by 1.6, two together by 1.1 */
            compare(sizes[s].name, full[i], part[i], 3);
            compare("  the rest skipped", full[i], skip[i], 6);
        }
    }
}

enum { ROWS = 1 << 16, SHORT = 4, LONG = 60 };

static double run_spmv(const struct rig *rig)
{
    struct rig own = cold(rig);
    cl_kernel kernel = rig_kernel(&own, source, "spmv");
    const size_t rows = ROWS, local = 64;
    cl_int *row = malloc((ROWS + 1) * sizeof(*row)), *column;
    cl_mem mem[5];
    double ns;

    row[0] = 0; /* the last eighth of the rows is long */
    for (int r = 0; r < ROWS; r++)
        row[r + 1] = row[r] + (r < ROWS / 8 * 7 ? SHORT : LONG);
    column = malloc((size_t)row[ROWS] * sizeof(*column));
    for (int i = 0; i < row[ROWS]; i++)
        column[i] = (int)((unsigned)i * 2654435761U % ROWS);
    mem[0] = rig_buffer(&own, (ROWS + 1) * sizeof(*row), row);
    mem[1] = rig_buffer(&own, (size_t)row[ROWS] * sizeof(*column), column);
    mem[2] = rig_buffer(&own, (size_t)row[ROWS] * sizeof(float), NULL);
    mem[3] = rig_buffer(&own, ROWS * sizeof(float), NULL);
    mem[4] = rig_buffer(&own, ROWS * sizeof(float), NULL);
    for (cl_uint i = 0; i < 5; i++)
        check(clSetKernelArg(kernel, i, sizeof(mem[i]), &mem[i]));
    ns = launch(&own, kernel, 1, &rows, &local);
    release(&own, kernel, mem, 5);
    free(row);
    free(column);
    return ns;
}

static void long_rows_at_the_end_count(void **state)
{
    double full, part;

    sampled(false, false);
    full = run_spmv(*state);
    sampled(true, false);
    part = run_spmv(*state);
    compare("spmv", full, part, 15);
}

static double run_mandelbrot(const struct rig *rig)
{
    struct rig own = cold(rig);
    cl_kernel kernel = rig_kernel(&own, source, "mandelbrot");
    const size_t global[2] = {256, 512}, local[2] = {32, 1};
    cl_mem mem = rig_buffer(&own, global[0] * global[1] * sizeof(cl_int), NULL);
    const cl_int most = 200;
    double ns;

    check(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    check(clSetKernelArg(kernel, 1, sizeof(most), &most));
    ns = launch(&own, kernel, 2, global, local);
    release(&own, kernel, &mem, 1);
    return ns;
}

static void rows_through_the_middle_count(void **state)
{
    double full, part;

    sampled(false, false);
    full = run_mandelbrot(*state);
    sampled(true, false);
    part = run_mandelbrot(*state);
    compare("mandelbrot", full, part, 15);
}

/* Mandelbrot three times, on cold caches: what the driver says meanwhile. */
static void hear(const struct rig *rig, const char *sample, char *text, size_t cap)
{
    struct rig own = cold(rig);
    cl_kernel kernel = rig_kernel(&own, source, "mandelbrot");
    const size_t global[2] = {256, 512}, local[2] = {32, 1};
    cl_mem mem = rig_buffer(&own, 256 * 512 * sizeof(cl_int), NULL);
    const cl_int most = 200;
    struct capture capture;

    check(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    check(clSetKernelArg(kernel, 1, sizeof(most), &most));
    setenv("IGPU_SAMPLE", sample, 1);
    capture_begin(&capture, STDERR_FILENO);
    for (unsigned i = 0; i < 3; i++)
        (void)launch(&own, kernel, 2, global, local);
    capture_end(&capture, text, cap);
    release(&own, kernel, &mem, 1);
}

static void an_error_that_is_not_reached_is_told_once_for_a_kernel(void **state)
{
    static const char words[] = "kernel mandelbrot: its cycles are known within ";
    const char *line;
    char text[2048];

    hear(*state, "error=0.2%", text, sizeof(text));
    line = strstr(text, words);
    if (line == NULL)
        fail_msg("'%s' does not say '%s'", text, words);
    assert_non_null(strstr(line, "not 0.2 %"));
    assert_null(strstr(line + 1, "vigpu:"));
    hear(*state, "error=50%", text, sizeof(text));
    assert_string_equal(text, "");
}

/* Of many launches that do the same, a few tell the time of all. */
static void launches_that_repeat_others_take_their_time(void **state)
{
    enum { TIMES = 24, N = 1 << 17 };
    struct rig own = cold(*state);
    cl_kernel kernel = rig_kernel(&own, source, "copy");
    const size_t n = N, local = 64;
    double ns[2] = {0, 0};
    cl_mem mem[2];

    for (cl_uint i = 0; i < 2; i++) {
        mem[i] = rig_buffer(&own, N * sizeof(float), NULL);
        check(clSetKernelArg(kernel, i, sizeof(mem[i]), &mem[i]));
    }
    for (unsigned on = 0; on < 2; on++) {
        sampled(on != 0, false);
        for (unsigned i = 0; i < TIMES; i++)
            ns[on] += launch(&own, kernel, 1, &n, &local);
    }
    compare("24 copies", ns[0], ns[1], 3);
    release(&own, kernel, mem, 2);
}

static int open_first(void **state)
{
    struct rig *rig = calloc(1, sizeof(*rig));

    check(clGetPlatformIDs(1, &rig->platform, NULL));
    check(clGetDeviceIDs(rig->platform, CL_DEVICE_TYPE_GPU, 1, rig->device, NULL));
    rig->context = clCreateContext(NULL, 1, rig->device, NULL, NULL, NULL);
    rig->queue = clCreateCommandQueue(rig->context, rig->device[0], 0, NULL);
    *state = rig;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repeated_stream_is_no_faster_than_the_memory),
        cmocka_unit_test(long_rows_at_the_end_count),
        cmocka_unit_test(rows_through_the_middle_count),
        cmocka_unit_test(an_error_that_is_not_reached_is_told_once_for_a_kernel),
        cmocka_unit_test(launches_that_repeat_others_take_their_time),
    };

    setenv("IGPU_TIME", "1", 1);
    setenv("IGPU_DEVICE", "skl", 1);
    setenv("IGPU_SET", "llc.size=1M", 1);
    setenv("IGPU_QUIET", "1", 1);
    rig_environment();
    return cmocka_run_group_tests(tests, open_first, rig_close);
}
