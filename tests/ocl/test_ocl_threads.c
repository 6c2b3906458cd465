/* test_ocl_threads.c - several threads of a program on the same queues: each waits,
 * runs what is ready, sets events that others wait for, is called back, and releases
 * what is still used. test_threads.sh runs it under ThreadSanitizer. */
#include "rig.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { WORKERS = 4, ROUNDS = 12, ITEMS = 64, BYTES = ITEMS * sizeof(int) };

static const char source[] =
    "kernel void add(global int *a, int v) { a[get_global_id(0)] += v; }\n";

/* Of the case at hand. */
static const struct rig *rig;
static cl_program program;
static cl_command_queue in_order, any_order;
static atomic_int reached[2], gone; /* callbacks: RUNNING, COMPLETE; of buffers */

/* What worker i has left: a user event for the first thread, which waits for nothing
 * else and sets it, and an event that the worker behind it looks at. */
static _Atomic(cl_event) left_gate[WORKERS], left_event[WORKERS];
static atomic_uint over; /* workers */

static void CL_CALLBACK count(cl_event event, cl_int status, void *user)
{
    cl_uint references = 0;

    (void)user;
    check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references),
                         &references, NULL));
    atomic_fetch_add(&reached[status == CL_COMPLETE], 1);
}

static void CL_CALLBACK count_gone(cl_mem mem, void *user)
{
    (void)mem;
    (void)user;
    atomic_fetch_add(&gone, 1);
}

/* The neighbour's event, in whatever state it is. */
static void look(cl_event event)
{
    cl_int status = 99;
    cl_ulong time;

    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                         &status, NULL));
    assert_true(status >= CL_COMPLETE && status <= CL_QUEUED);
    (void)clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time), &time,
                                  NULL);
    check(clReleaseEvent(event));
}

static void leave(_Atomic(cl_event) *at, cl_event event)
{
    check(clRetainEvent(event));
    while (atomic_load(at) != NULL)
        (void)sched_yield();
    atomic_store(at, event);
}

static cl_event take(_Atomic(cl_event) *at)
{
    cl_event event;

    while ((event = atomic_exchange(at, NULL)) == NULL)
        (void)sched_yield();
    return event;
}

static cl_mem make_buffer(void)
{
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(rig->context, CL_MEM_READ_WRITE, BYTES, NULL, &status);

    check(status);
    check(clSetMemObjectDestructorCallback(buffer, count_gone, NULL));
    return buffer;
}

/* Behind the gate, by events alone: the buffer filled, added to, read. */
static cl_event enqueue_chain(cl_mem buffer, cl_event gate, int value, int *to)
{
    static const size_t n = ITEMS;
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    cl_event fill, run, read;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(value), &value));
    check(clEnqueueFillBuffer(any_order, buffer, &value, sizeof(value), 0, BYTES, 1,
                              &gate, &fill));
    check(clEnqueueNDRangeKernel(any_order, kernel, 1, NULL, &n, NULL, 1, &fill, &run));
    check(clSetEventCallback(run, CL_RUNNING, count, NULL));
    check(clSetEventCallback(run, CL_COMPLETE, count, NULL));
    check(
        clEnqueueReadBuffer(any_order, buffer, CL_FALSE, 0, BYTES, to, 1, &run, &read));
    check(clReleaseKernel(kernel));
    check(clReleaseEvent(fill));
    check(clReleaseEvent(run));
    return read;
}

/* A queue that is released with its work still to be done. */
static cl_event enqueue_and_leave(cl_mem buffer, cl_event after, int *to)
{
    cl_command_queue queue =
        clCreateCommandQueue(rig->context, rig->device[0], 0, NULL);
    cl_event event;

    check(
        clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, BYTES, to, 1, &after, &event));
    check(clReleaseCommandQueue(queue));
    return event;
}

static void wait_somehow(unsigned how, cl_event event)
{
    if (how == 0)
        check(clFinish(any_order));
    else if (how == 1)
        check(clEnqueueBarrierWithWaitList(any_order, 0, NULL, NULL));
    else if (how == 2)
        check(clFinish(in_order));
    check(clWaitForEvents(1, &event));
}

/* On the common queue in order, waited for with it. */
static void use_in_order(unsigned how, int value)
{
    cl_mem buffer = make_buffer();
    int to[ITEMS] = {0};
    int *mapped;

    check(clEnqueueFillBuffer(in_order, buffer, &value, sizeof(value), 0, BYTES, 0,
                              NULL, NULL));
    if (how == 0) {
        check(clEnqueueReadBuffer(in_order, buffer, CL_TRUE, 0, BYTES, to, 0, NULL,
                                  NULL));
        assert_int_equal(to[ITEMS - 1], value);
    } else {
        mapped = clEnqueueMapBuffer(in_order, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0,
                                    NULL, NULL, NULL);
        assert_int_equal(mapped[ITEMS - 1], value);
        check(clEnqueueUnmapMemObject(in_order, buffer, mapped, 0, NULL, NULL));
    }
    check(clReleaseMemObject(buffer));
}

static void round_of(unsigned worker, unsigned round)
{
    unsigned before = (worker + WORKERS - 1) % WORKERS;
    cl_event gate = clCreateUserEvent(rig->context, NULL), read, again;
    int first[ITEMS] = {0}, second[ITEMS] = {0}, value = (int)(worker * 100 + round);
    cl_mem buffer = make_buffer();

    read = enqueue_chain(buffer, gate, value, first);
    again = enqueue_and_leave(buffer, read, second);
    check(clReleaseMemObject(buffer));
    leave(&left_gate[worker], gate);
    leave(&left_event[worker], read);
    check(clReleaseEvent(gate));
    use_in_order(round % 2, value);
    look(take(&left_event[before]));
    wait_somehow((worker + round) % 4, again);
    for (unsigned i = 0; i < ITEMS; i++) {
        assert_int_equal(first[i], 2 * value);
        assert_int_equal(second[i], 2 * value);
    }
    check(clReleaseEvent(read));
    check(clReleaseEvent(again));
}

static void *work(void *data)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        round_of((unsigned)(uintptr_t)data, i);
    atomic_fetch_add(&over, 1);
    return NULL;
}

static void open_gates(void)
{
    while (atomic_load(&over) < WORKERS) {
        for (unsigned i = 0; i < WORKERS; i++) {
            cl_event event = atomic_exchange(&left_gate[i], NULL);

            if (event == NULL)
                continue;
            check(clSetUserEventStatus(event, CL_COMPLETE));
            check(clReleaseEvent(event));
        }
        (void)sched_yield();
    }
}

static void threads_share_queues(void **state)
{
    pthread_t thread[WORKERS];
    cl_int status;

    rig = *state;
    program = rig_program(rig, source, NULL);
    in_order = rig->queue;
    any_order = clCreateCommandQueue(
        rig->context, rig->device[0],
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &status);
    check(status);
    for (uintptr_t i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, (void *)i), 0);
    open_gates();
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    check(clFinish(any_order));
    check(clFinish(in_order));
    assert_int_equal(atomic_load(&reached[0]), WORKERS * ROUNDS);
    assert_int_equal(atomic_load(&reached[1]), WORKERS * ROUNDS);
    assert_int_equal(atomic_load(&gone), 2 * WORKERS * ROUNDS);
    check(clReleaseCommandQueue(any_order));
    check(clReleaseProgram(program));
}

/* ---- a wait is for what came before it --------------------------------------------
 */

struct waiting {
    cl_context context;
    cl_command_queue queue;
    clMemBlockingFreeINTEL_fn free; /* NULL: clFinish() */
    atomic_bool begun, over;
};

static void *wait_for_all(void *data)
{
    struct waiting *w = data;
    void *memory = clSVMAlloc(w->context, CL_MEM_READ_WRITE, BYTES, 0);

    atomic_store(&w->begun, true);
    if (w->free != NULL) {
        check(w->free(w->context, memory));
    } else {
        check(clFinish(w->queue));
        clSVMFree(w->context, memory);
    }
    atomic_store(&w->over, true);
    return NULL;
}

static cl_event marker_behind_a_gate(cl_command_queue queue)
{
    cl_event event = clCreateUserEvent(rig->context, NULL);

    check(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL));
    return event;
}

static void open_gate(cl_event event)
{
    check(clSetUserEventStatus(event, CL_COMPLETE));
    check(clReleaseEvent(event));
}

/* Does the thread return while a command is pending that came after its call (or, where
 * the thread is late, before it)? */
static bool returns(cl_command_queue queue, clMemBlockingFreeINTEL_fn release)
{
    const struct timespec start = {0, 50000000}, look = {0, 5000000};
    struct waiting w = {rig->context, queue, release, false, false};
    cl_event before = marker_behind_a_gate(queue), after;
    pthread_t thread;
    bool good;

    assert_int_equal(pthread_create(&thread, NULL, wait_for_all, &w), 0);
    while (!atomic_load(&w.begun))
        (void)sched_yield();
    (void)nanosleep(&start, NULL);
    after = marker_behind_a_gate(queue);
    open_gate(before);
    for (unsigned i = 0; i < 400 && !atomic_load(&w.over); i++)
        (void)nanosleep(&look, NULL);
    good = atomic_load(&w.over);
    open_gate(after);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return good;
}

static void a_wait_is_for_what_came_before_it(void **state)
{
    clMemBlockingFreeINTEL_fn release = NULL;

    rig = *state;
    *(void **)&release = clGetExtensionFunctionAddressForPlatform(
        rig->platform, "clMemBlockingFreeINTEL");
    any_order = clCreateCommandQueue(rig->context, rig->device[0],
                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    for (unsigned i = 0; i < 4; i++) {
        cl_command_queue queue = i % 2 == 0 ? rig->queue : any_order;
        bool good = false;

        for (unsigned k = 0; k < 3 && !good; k++)
            good = returns(queue, i < 2 ? NULL : release);
        assert_true(good);
    }
    check(clReleaseCommandQueue(any_order));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_queues),
        cmocka_unit_test(a_wait_is_for_what_came_before_it),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
