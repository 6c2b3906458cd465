/* test_ocl_queue.c - events, order, callbacks, user events, several host threads. */
#include "rig.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "igpu/clock.h"

static const char add_one[] =
    "kernel void add(global int *a, int v) { a[get_global_id(0)] += v; }\n";

static cl_int status_of(cl_event event)
{
    cl_int status = 99;

    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                         &status, NULL));
    return status;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;

    check(clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL));
    return time;
}

static void profiling_times_ascend(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, add_one, "add");
    cl_mem buffer = rig_buffer(rig, 256, NULL);
    const size_t n = 64;
    cl_event event[2];
    const cl_int one = 1;

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clSetKernelArg(kernel, 1, sizeof(one), &one));
    for (int i = 0; i < 2; i++)
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 1, NULL, &n, NULL, 0, NULL,
                                     &event[i]));
    check(clWaitForEvents(2, event));
    for (int i = 0; i < 2; i++) {
        assert_true(time_of(event[i], CL_PROFILING_COMMAND_QUEUED) <=
                    time_of(event[i], CL_PROFILING_COMMAND_SUBMIT));
        assert_true(time_of(event[i], CL_PROFILING_COMMAND_SUBMIT) <=
                    time_of(event[i], CL_PROFILING_COMMAND_START));
        assert_true(time_of(event[i], CL_PROFILING_COMMAND_START) <
                    time_of(event[i], CL_PROFILING_COMMAND_END));
    }
    assert_true(time_of(event[0], CL_PROFILING_COMMAND_END) <=
                time_of(event[1], CL_PROFILING_COMMAND_START));
    check(clReleaseEvent(event[0]));
    check(clReleaseEvent(event[1]));
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void a_user_event_holds_back_what_waits_for_it(void **state)
{
    const struct rig *rig = *state;
    const int seven = 7;
    int got = 0;
    cl_mem buffer = rig_buffer(rig, sizeof(int), NULL);
    cl_int status;
    cl_event gate = clCreateUserEvent(rig->context, &status), write, read;

    check(status);
    assert_int_equal(status_of(gate), CL_SUBMITTED);
    check(clEnqueueWriteBuffer(rig->queue, buffer, CL_FALSE, 0, sizeof(int), &seven, 1,
                               &gate, &write));
    check(clEnqueueReadBuffer(rig->queue, buffer, CL_FALSE, 0, sizeof(int), &got, 0,
                              NULL, &read));
    assert_true(status_of(write) > CL_RUNNING);
    assert_true(status_of(read) > CL_RUNNING);
    assert_int_equal(clSetUserEventStatus(gate, CL_RUNNING), CL_INVALID_VALUE);
    check(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    check(clWaitForEvents(1, &read));
    assert_int_equal(got, 7);
    assert_int_equal(clSetUserEventStatus(write, CL_COMPLETE), CL_INVALID_EVENT);
    check(clReleaseEvent(gate));
    check(clReleaseEvent(write));
    check(clReleaseEvent(read));
    check(clReleaseMemObject(buffer));
}

static void a_failed_event_fails_what_waits_for_it(void **state)
{
    const struct rig *rig = *state;
    int got = 1;
    cl_mem buffer = rig_buffer(rig, sizeof(int), NULL);
    cl_int status;
    cl_event gate = clCreateUserEvent(rig->context, &status), read, after;

    check(status);
    check(clEnqueueReadBuffer(rig->queue, buffer, CL_FALSE, 0, sizeof(int), &got, 1,
                              &gate, &read));
    check(clEnqueueMarkerWithWaitList(rig->queue, 1, &read, &after));
    check(clSetUserEventStatus(gate, -42));
    assert_int_equal(clWaitForEvents(1, &after),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(gate), -42);
    assert_int_equal(status_of(read), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(got, 1);
    check(clFinish(rig->queue));
    check(clReleaseEvent(gate));
    check(clReleaseEvent(read));
    check(clReleaseEvent(after));
    check(clReleaseMemObject(buffer));
}

static void out_of_order_commands_follow_their_events_only(void **state)
{
    const struct rig *rig = *state;
    const int value[2] = {1, 2};
    int got[2] = {0, 0};
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(
        rig->context, rig->device[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    cl_mem buffer = rig_buffer(rig, sizeof(got), NULL);
    cl_event gate = clCreateUserEvent(rig->context, NULL), late, early, marker, barrier;

    check(status);
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value[0], 1, &gate,
                               &late));
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 4, 4, &value[1], 0, NULL,
                               &early));
    check(clWaitForEvents(1, &early)); /* overtakes the first */
    assert_true(status_of(late) > CL_RUNNING);
    check(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    check(clEnqueueBarrierWithWaitList(queue, 0, NULL, &barrier));
    check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof(got), got, 0, NULL,
                              NULL));
    assert_true(status_of(marker) > CL_COMPLETE);
    check(clSetUserEventStatus(gate, CL_COMPLETE));
    check(clFinish(queue));
    assert_int_equal(got[0], 1);
    assert_int_equal(got[1], 2);
    assert_int_equal(status_of(marker), CL_COMPLETE);
    assert_int_equal(status_of(barrier), CL_COMPLETE);
    check(clReleaseEvent(gate));
    check(clReleaseEvent(late));
    check(clReleaseEvent(early));
    check(clReleaseEvent(marker));
    check(clReleaseEvent(barrier));
    check(clReleaseMemObject(buffer));
    check(clReleaseCommandQueue(queue));
}

static atomic_int calls, destroyed;

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *user)
{
    (void)event;
    if (status == *(const cl_int *)user)
        atomic_fetch_add(&calls, 1);
}

static void CL_CALLBACK count_destroyed(cl_mem mem, void *user)
{
    (void)mem;
    /* Callbacks come in the reverse order of their registration. */
    if (atomic_load(&destroyed) == (int)(intptr_t)user)
        atomic_fetch_add(&destroyed, 1);
}

static void wait_for(atomic_int *counter, int value)
{
    const struct timespec pause = {0, 1000000};

    for (int i = 0; i < 5000 && atomic_load(counter) < value; i++)
        (void)nanosleep(&pause, NULL);
    assert_int_equal(atomic_load(counter), value);
}

static void callbacks_are_called_once(void **state)
{
    static const cl_int complete = CL_COMPLETE, running = CL_RUNNING;
    const struct rig *rig = *state;
    int got;
    cl_mem buffer = rig_buffer(rig, sizeof(int), NULL);
    cl_event gate = clCreateUserEvent(rig->context, NULL), read;

    atomic_store(&calls, 0);
    check(clEnqueueReadBuffer(rig->queue, buffer, CL_FALSE, 0, sizeof(int), &got, 1,
                              &gate, &read));
    check(
        clSetEventCallback(read, CL_RUNNING, count_call, (void *)(uintptr_t)&running));
    check(clSetEventCallback(read, CL_COMPLETE, count_call,
                             (void *)(uintptr_t)&complete));
    check(clSetUserEventStatus(gate, CL_COMPLETE));
    check(clFinish(rig->queue));
    wait_for(&calls, 2);
    check(clSetEventCallback(read, CL_COMPLETE, count_call,
                             (void *)(uintptr_t)&complete)); /* already so */
    wait_for(&calls, 3);
    check(clReleaseEvent(read));
    check(clReleaseEvent(gate));
    check(clSetMemObjectDestructorCallback(buffer, count_destroyed, (void *)1));
    check(clSetMemObjectDestructorCallback(buffer, count_destroyed, (void *)0));
    check(clReleaseMemObject(buffer));
    wait_for(&destroyed, 2);
}

struct worker {
    const struct rig *rig;
    pthread_t thread;
    bool good;
};

enum { WORKERS = 4, ROUNDS = 20, ITEMS = 64 };

/* Each host thread with a queue, a kernel object and a buffer of its own. */
static void *work(void *data)
{
    struct worker *w = data;
    cl_command_queue queue =
        clCreateCommandQueue(w->rig->context, w->rig->device[0], 0, NULL);
    cl_kernel kernel = rig_kernel(w->rig, add_one, "add");
    cl_mem buffer = clCreateBuffer(w->rig->context, 0, ITEMS * sizeof(int), NULL, NULL);
    const size_t n = ITEMS;
    const cl_int one = 1, zero = 0;
    int a[ITEMS];
    cl_int bad = 0;

    bad |= clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, sizeof(a), 0, NULL, NULL);
    bad |= clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    bad |= clSetKernelArg(kernel, 1, sizeof(one), &one);
    for (int i = 0; i < ROUNDS; i++)
        bad |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    bad |= clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(a), a, 0, NULL, NULL);
    w->good = bad == 0;
    for (int i = 0; i < ITEMS; i++)
        w->good = w->good && a[i] == ROUNDS;
    bad |= clReleaseMemObject(buffer);
    bad |= clReleaseKernel(kernel);
    bad |= clReleaseCommandQueue(queue);
    w->good = w->good && bad == 0;
    return NULL;
}

struct slow_call {
    cl_command_queue queue;
    atomic_bool done;
};

/* Longer than a thread takes to return from clFinish(), which it may call itself. */
static void CL_CALLBACK call_slowly(cl_event event, cl_int status, void *user)
{
    const struct timespec time = {0, 50000000};
    struct slow_call *call = user;

    (void)event;
    (void)status;
    (void)nanosleep(&time, NULL);
    (void)clFinish(call->queue);
    atomic_store(&call->done, true);
}

static void a_finished_queue_has_made_its_callbacks(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);

    for (int i = 0; i < 5; i++) {
        struct slow_call call = {rig->queue, false};
        cl_event gate, read;
        cl_int status;
        char data[64];

        gate = clCreateUserEvent(rig->context, &status);
        check(status);
        check(clEnqueueReadBuffer(rig->queue, buffer, CL_FALSE, 0, 64, data, 1, &gate,
                                  &read));
        check(clSetEventCallback(read, CL_COMPLETE, call_slowly, &call));
        check(clSetUserEventStatus(gate, CL_COMPLETE));
        check(clFinish(rig->queue));
        assert_true(atomic_load(&call.done));
        check(clReleaseEvent(gate));
        check(clReleaseEvent(read));
    }
    check(clReleaseMemObject(buffer));
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void CL_CALLBACK count_locked(cl_event event, cl_int status, void *user)
{
    pthread_mutex_lock(&held);
    count_call(event, status, user);
    pthread_mutex_unlock(&held);
}

/* The one that waits may run the command; a callback may want what it holds. */
static void callbacks_may_want_what_a_waiting_thread_holds(void **state)
{
    static cl_int reached[] = {CL_RUNNING, CL_COMPLETE};
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    const int value = 5;
    cl_event event;
    int got = 0;

    atomic_store(&calls, 0);
    for (int i = 0; i < 20; i++) {
        cl_event gate = clCreateUserEvent(rig->context, NULL);

        check(clEnqueueWriteBuffer(rig->queue, buffer, CL_FALSE, 0, 4, &value, 1, &gate,
                                   &event));
        for (int k = 0; k < 2; k++)
            check(clSetEventCallback(event, reached[k], count_locked, &reached[k]));
        pthread_mutex_lock(&held);
        check(clSetUserEventStatus(gate, CL_COMPLETE));
        check(clWaitForEvents(1, &event));
        check(clEnqueueReadBuffer(rig->queue, buffer, CL_TRUE, 0, 4, &got, 0, NULL,
                                  NULL));
        pthread_mutex_unlock(&held);
        assert_int_equal(got, value);
        wait_for(&calls, 2 * i + 2);
        assert_int_equal(atomic_load(&calls), 2 * i + 2);
        check(clReleaseEvent(event));
        check(clReleaseEvent(gate));
    }
    check(clReleaseMemObject(buffer));
}

/* Behind a busy time, in which the device thread looks for commands by itself, and
 * behind a long rest, in which it has to be woken. */
static void what_nobody_waits_for_runs(void **state)
{
    static const struct timespec rest[] = {{0, 0}, {0, 200000000}};
    const struct timespec look = {0, 1000000};
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    const int value = 5;

    for (int i = 0; i < 6; i++) {
        cl_event event;

        (void)nanosleep(&rest[i % 2], NULL);
        check(clEnqueueWriteBuffer(rig->queue, buffer, CL_FALSE, 0, 4, &value, 0, NULL,
                                   &event));
        for (int k = 0; k < 5000 && status_of(event) != CL_COMPLETE; k++)
            (void)nanosleep(&look, NULL);
        assert_int_equal(status_of(event), CL_COMPLETE);
        check(clReleaseEvent(event));
    }
    check(clReleaseMemObject(buffer));
}

/* The device rounds as it does, whatever the program has set for its own thread. */
static void a_programs_rounding_is_its_own(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig,
                                  "kernel void two(global float *a) { a[2] = a[0] + "
                                  "a[1]; a[3] = a[0] - a[1]; }\n",
                                  "two");
    const float from[] = {1, 1e-9f, 0, 0};
    cl_mem buffer = rig_buffer(rig, sizeof(from), from);
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint32_t got[4], first[2] = {0, 0};

    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        rig_run(rig, kernel, 1, 1);
        rig_read(rig, buffer, got, sizeof(got));
        assert_int_equal(fegetround(), modes[i]);
        if (i == 0)
            memcpy(first, got + 2, sizeof(first));
        assert_memory_equal(first, got + 2, sizeof(first));
    }
    (void)fesetround(FE_TONEAREST);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

static void host_threads_share_a_context(void **state)
{
    struct worker worker[WORKERS];

    for (int i = 0; i < WORKERS; i++) {
        worker[i] = (struct worker){.rig = *state};
        assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(worker[i].thread, NULL), 0);
        assert_true(worker[i].good);
    }
}

static void reference_counts_are_the_programs_own(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    cl_uint count = 0;

    check(clRetainMemObject(buffer));
    check(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof(count), &count,
                             NULL));
    assert_int_equal(count, 2);
    check(clReleaseMemObject(buffer));
    check(clReleaseMemObject(buffer));
    assert_int_equal(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
    check(clGetContextInfo(rig->context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count),
                           &count, NULL));
    assert_int_equal(count, 1);
}

static atomic_int gate;

static void CL_CALLBACK wait_at_gate(cl_event event, cl_int status, void *user)
{
    const struct timespec pause = {0, 1000000};

    (void)event;
    (void)status;
    (void)user;
    while (atomic_load(&gate) == 0)
        (void)nanosleep(&pause, NULL);
}

/* CPU seconds to enqueue `count` commands that could run at once, were the device not
 * busy with a callback. */
static double time_of_commands(const struct rig *rig, cl_command_queue queue,
                               cl_mem buffer, unsigned count)
{
    const cl_int zero = 0;
    cl_event event, start;
    clock_t begin;
    double seconds;

    atomic_store(&gate, 0);
    start = clCreateUserEvent(rig->context, NULL);
    check(clEnqueueMarkerWithWaitList(queue, 1, &start, &event));
    check(clSetEventCallback(event, CL_COMPLETE, wait_at_gate, NULL));
    check(clSetUserEventStatus(start, CL_COMPLETE));
    begin = clock();
    for (unsigned i = 0; i < count; i++)
        check(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 4, 0, NULL, NULL));
    seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    atomic_store(&gate, 1);
    check(clReleaseEvent(start));
    check(clReleaseEvent(event));
    check(clFinish(queue));
    return seconds;
}

static void many_commands_can_be_ready(void **state)
{
    const struct rig *rig = *state;
    cl_command_queue queue = clCreateCommandQueue(
        rig->context, rig->device[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    double few = time_of_commands(rig, queue, buffer, 2000);
    double many = time_of_commands(rig, queue, buffer, 40000);

    if (many > 100 * few) /* 20 times as many */
        fail_msg("2000 commands took %.3f s, 40000 %.3f s", few, many);
    check(clReleaseMemObject(buffer));
    check(clReleaseCommandQueue(queue));
}

/* The child ends as others do, with the exit of a library that has work to end, and can
 * compute on its own. */
static void a_child_of_fork_ends_and_computes(void **state)
{
    const struct rig *rig = *state;
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    struct rig own = *rig;
    int status = -1, value = 7;
    pid_t child;

    check(clFinish(rig->queue));
    for (int computes = 0; computes < 2; computes++) {
        child = fork();
        if (child == 0) {
            alarm(60);
            if (computes) {
                own.context = clCreateContext(NULL, 1, rig->device, NULL, NULL, NULL);
                own.queue = clCreateCommandQueue(own.context, rig->device[0], 0, NULL);
                rig_read(&own, rig_buffer(&own, 4, &value), &status, 4);
                value = status;
            }
            exit(value);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 7);
    }
    rig_read(rig, buffer, &value, sizeof(value));
    check(clReleaseMemObject(buffer));
}

static void leave_the_program(int signal)
{
    (void)signal;
    exit(9);
}

/* Kernels that take longer and longer, up to what Intel's driver's device takes for no
 * hang; then a tenth of a second passes with one after the other before a signal comes.
 */
static void run_long(const struct rig *rig)
{
    enum { FIRST = 1 << 10, LONGEST = 1 << 20 };
    const struct itimerval soon = {.it_value = {0, 100000}};
    cl_kernel kernel = rig_kernel(rig,
                                  "kernel void spin(global volatile int *a, int n) {"
                                  " for (int i = 0; i < n; i++) a[0] = a[0] * 3 + 1; }",
                                  "spin");
    cl_mem buffer = rig_buffer(rig, 64, NULL);
    bool armed = false;

    (void)clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    (void)signal(SIGALRM, leave_the_program);
    for (cl_int n = FIRST;;) {
        double begin = igpu_seconds(CLOCK_MONOTONIC);

        (void)clSetKernelArg(kernel, 1, sizeof(n), &n);
        rig_run(rig, kernel, 1, 1);
        if (armed)
            continue;
        if (n == LONGEST || igpu_seconds(CLOCK_MONOTONIC) - begin > 0.2)
            armed = setitimer(ITIMER_REAL, &soon, NULL) == 0;
        else
            n *= 4;
    }
}

/* Also where the thread that the signal interrupts runs the command itself. */
static void a_signals_handler_may_end_the_program(void **state)
{
    const struct rig *rig = *state;
    const struct timespec look = {0, 50000000};
    struct rig own = *rig;
    int status = -1;
    pid_t child;

    check(clFinish(rig->queue));
    child = fork();
    if (child == 0) {
        own.context = clCreateContext(NULL, 1, rig->device, NULL, NULL, NULL);
        own.queue = clCreateCommandQueue(own.context, rig->device[0], 0, NULL);
        run_long(&own);
    }
    for (int i = 0; i < 400 && waitpid(child, &status, WNOHANG) == 0; i++)
        (void)nanosleep(&look, NULL);
    if (status == -1)
        (void)kill(child, SIGKILL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 9);
}

struct loading {
    const struct rig *rig;
    unsigned char *binary;
    size_t bytes;
    atomic_bool stop;
};

/* What takes the driver's lock of the ELF library. */
static bool load(const struct loading *l, cl_context context)
{
    cl_program program =
        clCreateProgramWithBinary(context, 1, l->rig->device, &l->bytes,
                                  (const unsigned char **)&l->binary, NULL, NULL);

    return program != NULL && clReleaseProgram(program) == CL_SUCCESS;
}

static void *load_on(void *data)
{
    struct loading *l = data;

    while (!atomic_load(&l->stop))
        (void)load(l, l->rig->context);
    return NULL;
}

static void a_child_of_fork_inherits_no_locked_lock(void **state)
{
    const struct rig *rig = *state;
    struct loading l = {.rig = rig};
    cl_program program = rig_program(rig, add_one, NULL);
    pthread_t thread[2];
    int status = -1;

    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(l.bytes), &l.bytes,
                           NULL));
    l.binary = malloc(l.bytes);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(l.binary), &l.binary,
                           NULL));
    check(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, load_on, &l), 0);
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();

        if (child == 0) {
            alarm(20);
            _exit(load(&l, rig->context) ? 7 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) {
            atomic_store(&l.stop, true);
            fail_msg("child %d: status 0x%x", i, (unsigned)status);
        }
    }
    atomic_store(&l.stop, true);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    free(l.binary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiling_times_ascend),
        cmocka_unit_test(a_user_event_holds_back_what_waits_for_it),
        cmocka_unit_test(a_failed_event_fails_what_waits_for_it),
        cmocka_unit_test(out_of_order_commands_follow_their_events_only),
        cmocka_unit_test(callbacks_are_called_once),
        cmocka_unit_test(a_finished_queue_has_made_its_callbacks),
        cmocka_unit_test(callbacks_may_want_what_a_waiting_thread_holds),
        cmocka_unit_test(what_nobody_waits_for_runs),
        cmocka_unit_test(a_programs_rounding_is_its_own),
        cmocka_unit_test(host_threads_share_a_context),
        cmocka_unit_test(reference_counts_are_the_programs_own),
        cmocka_unit_test(many_commands_can_be_ready),
        cmocka_unit_test(a_child_of_fork_ends_and_computes),
        cmocka_unit_test(a_signals_handler_may_end_the_program),
        cmocka_unit_test(a_child_of_fork_inherits_no_locked_lock),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
