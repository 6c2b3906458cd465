/* sched.c - who runs what and when: commands wait for events and for their queue's
 * order; those that are ready are run one at a time, the one that came first first:
 * with one host thread in the order in which they came, however fast that is.
 * A device has one command streamer, so kernels never overlap. They are run by the
 * device thread, or by a thread that waits for their queue: to wake one that sleeps
 * takes longer than a small launch. See ocl.h. */
#define _GNU_SOURCE /* pthread_getattr_np */
#include <pthread.h>
#include <stdlib.h>

#include "bridge/drivers/ocl/device_config.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/ocl.h"
#include "igpu/clock.h"
#include "igpu/floats.h"
#include "igpu/order.h"

static cl_event ready,
    last_ready; /* a list by number; the last is valid unless empty */
static pthread_t worker;
static bool started, stopping, stopped;
static bool busy;        /* a command is run.. */
static pthread_t runner; /* ..by this thread */
static uint64_t commands;

/* While commands come the device thread looks for them by itself, and nobody wakes it;
 * when none has come for so many looks, it sleeps until it is woken. */
enum { LOOK_NS = 1000000, LOOKS = 50 };
static struct ocl_bell wanted;
static bool sleeps;

/* A thread of the program runs commands only with so much stack left. */
enum { LEAST_STACK = 2 << 20 };

/* ---- dependencies -------------------------------------------------------------- */

/* An event of its wait list is over. */
static void follow(cl_event event, cl_event before)
{
    event->failed_before |= before->status < 0;
    event->after = igpu_later(event->after, before->time[OCL_END]);
}

static bool depend(cl_event event, cl_event on, bool strict)
{
    struct ocl_edge *edge;

    if (on->status <= CL_COMPLETE) {
        if (strict)
            follow(event, on);
        return true;
    }
    edge = malloc(sizeof(*edge));
    if (edge == NULL)
        return false;
    *edge = (struct ocl_edge){on->edge, event, strict};
    on->edge = edge;
    ocl_hold(event);
    event->waits++;
    return true;
}

/* What of its queue the command must wait for. */
static bool depend_on_queue(cl_event event, enum ocl_order order, bool has_list)
{
    cl_command_queue queue = event->queue;
    bool good = true;

    if ((queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
        return queue->last == NULL || depend(event, queue->last, false);
    if (queue->barrier != NULL)
        good = depend(event, queue->barrier, false);
    if (order != OCL_PLAIN && !has_list)
        for (cl_event e = queue->first; e != NULL && good; e = e->next)
            good = depend(event, e, false);
    return good;
}

static void enter(cl_event event)
{
    cl_command_queue queue = event->queue;

    event->prev = queue->last;
    if (queue->last != NULL)
        queue->last->next = event;
    else
        queue->first = event;
    queue->last = event;
    queue->context->commands++;
}

static void leave(cl_event event)
{
    cl_command_queue queue = event->queue;

    if (event->prev != NULL)
        event->prev->next = event->next;
    else
        queue->first = event->next;
    if (event->next != NULL)
        event->next->prev = event->prev;
    else
        queue->last = event->prev;
    event->prev = event->next = NULL;
    queue->end = igpu_later(queue->end, event->time[OCL_END]);
    queue->context->commands--;
    ocl_release_maps(queue->context);
    if (queue->barrier == event) {
        queue->barrier = NULL;
        ocl_drop(event);
    }
}

static void free_command(cl_event event)
{
    if (event->command.free != NULL)
        event->command.free(event->command.data);
    event->command = (struct ocl_command){NULL, NULL, NULL};
}

/* The event is complete: those who wait for it may go on. Lock held. */
static void ocl_sched_done(cl_event event)
{
    struct ocl_edge *edge = event->edge, *next;

    event->edge = NULL;
    for (; edge != NULL; edge = next) {
        cl_event to = edge->to;

        next = edge->next;
        if (edge->strict)
            follow(to, event);
        if (--to->waits == 0)
            ocl_sched_ready(to);
        ocl_drop(to);
        free(edge);
    }
    if (event->queue != NULL) {
        leave(event);
        free_command(event);
        ocl_drop(event); /* the scheduler's hold */
    }
}

void ocl_event_finish(cl_event event, cl_int status)
{
    ocl_event_status(event, status);
    ocl_sched_done(event);
}

/* ---- one command --------------------------------------------------------------- */

/* What is simulated and written rounds, as what is executed does, whatever the program
 * has set for its own; nobody ends the thread meanwhile. */
static cl_int run_command(cl_event event)
{
    int status, cancel;
    struct igpu_floats floats;

    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    igpu_floats_begin(&floats);
    status = event->command.run(event, event->command.data);
    igpu_floats_end(&floats);
    (void)pthread_setcancelstate(cancel, NULL);
    return status;
}

static void leave_calls(void)
{
    if (ocl_leave_calls())
        ocl_ring(&wanted);
}

/* The program's callbacks are left to the device thread, and if it runs the command,
 * until that is over: they may want what a thread holds that waits for it. */
static void run_one(cl_event event)
{
    cl_int status = CL_SUCCESS;

    if (event->failed_before) {
        event->time[OCL_START] = event->time[OCL_END] = ocl_now();
        ocl_event_finish(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        leave_calls();
        return;
    }
    if (device_time_simulated() && event->type == CL_COMMAND_NDRANGE_KERNEL)
        device_time_await(event->time[OCL_SUBMIT] +
                          device_launch_ns(event->queue->device));
    event->time[OCL_START] = ocl_now();
    ocl_event_status(event, CL_RUNNING);
    if (event->command.run != NULL) {
        busy = true;
        runner = pthread_self();
        leave_calls();
        ocl_unlock();
        status = run_command(event);
        ocl_lock();
        busy = false;
    }
    event->time[OCL_END] = ocl_now();
    if (status != CL_SUCCESS)
        event->queue->failed = status;
    ocl_event_finish(event, status == CL_SUCCESS ? CL_COMPLETE : status);
    leave_calls();
}

/* The first of those that are ready; NULL: none, or one is run. */
static cl_event take_ready(void)
{
    cl_event event = busy ? NULL : ready;

    if (event != NULL) {
        ready = event->ready;
        event->ready = NULL;
    }
    return event;
}

/* ---- a thread that waits ------------------------------------------------------- */

static bool look_at_stack(void)
{
    pthread_attr_t attr;
    void *lowest = NULL;
    size_t bytes;
    bool known;

    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return false;
    known = pthread_attr_getstack(&attr, &lowest, &bytes) == 0;
    (void)pthread_attr_destroy(&attr);
    return known && (uintptr_t)&attr - (uintptr_t)lowest >= LEAST_STACK;
}

static bool has_stack(void)
{
    static _Thread_local enum { UNKNOWN, NO, YES } has;

    if (has == UNKNOWN)
        has = look_at_stack() ? YES : NO;
    return has == YES;
}

void ocl_wait(cl_command_queue queue)
{
    cl_event event = NULL;

    if (stopped || (!stopping && ready != NULL && queue != NULL &&
                    ready->queue == queue && has_stack()))
        event = take_ready();
    if (event == NULL) {
        ocl_wait_change();
        return;
    }
    run_one(event);
    if (ready != NULL && (sleeps || ready->queue != queue))
        ocl_ring(&wanted);
}

/* ---- the device thread --------------------------------------------------------- */

/* Until there may be something to do. */
static void device_rest(void)
{
    static unsigned looks;
    static uint64_t seen;
    struct timespec end;

    looks = commands == seen ? looks + 1 : 0;
    seen = commands;
    if (looks < LOOKS) {
        end = igpu_in(0, LOOK_NS);
        (void)ocl_wait_on(&wanted, &end);
        return;
    }
    sleeps = true;
    (void)ocl_wait_on(&wanted, NULL);
    sleeps = false;
    looks = 0;
}

static void *device_thread(void *unused)
{
    (void)unused;
    ocl_lock();
    while (!stopping) {
        bool calls = ocl_take_calls();
        cl_event event = calls ? NULL : take_ready();

        if (event != NULL)
            run_one(event);
        else if (!calls)
            device_rest();
        (void)ocl_take_calls();
        ocl_unlock(); /* makes the callbacks */
        ocl_lock();
    }
    stopped = true;
    (void)ocl_take_calls();
    ocl_changed();
    ocl_unlock();
    return NULL;
}

/* At exit: the command under way ends, so that its trace is whole; what is still
 * queued is dropped, as a driver would, unless somebody waits for it. */
static void __attribute__((destructor)) stop(void)
{
    if (!started || pthread_equal(pthread_self(), worker))
        return;
    ocl_lock();
    if (busy &&
        pthread_equal(pthread_self(), runner)) { /* a signal's handler ends it */
        ocl_unlock();
        return;
    }
    stopping = true;
    ocl_ring(&wanted);
    while (!stopped || busy)
        ocl_wait_change();
    ocl_unlock();
}

/* In a child of fork(): the device thread and what it has to run are the parent's. */
static void threads_forget(void)
{
    ready = NULL;
    started = stopping = stopped = busy = sleeps = false;
    wanted = (struct ocl_bell){.waiters = 0};
}

static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(NULL, NULL, threads_forget);
}

static bool scheduler_start(void)
{
    if (!started && pthread_create(&worker, NULL, device_thread, NULL) == 0) {
        started = true;
        (void)pthread_detach(worker);
    }
    return started;
}

void ocl_sched_ready(cl_event event)
{
    cl_event *at = &ready;

    event->time[OCL_SUBMIT] = device_time_simulated()
                                  ? igpu_later(event->time[OCL_QUEUED], event->after)
                                  : ocl_now();
    ocl_event_status(event, CL_SUBMITTED);
    if (ready != NULL && last_ready->number < event->number)
        at = &last_ready->ready;
    while (*at != NULL && (*at)->number < event->number)
        at = &(*at)->ready;
    event->ready = *at;
    *at = event;
    if (event->ready == NULL)
        last_ready = event;
    ocl_changed();
    if (sleeps)
        ocl_ring(&wanted);
}

/* ---- submission ---------------------------------------------------------------- */

static cl_int wait_for(cl_event event)
{
    cl_int status;

    ocl_hold(event);
    while (event->status > CL_COMPLETE)
        ocl_wait(event->queue);
    status = event->status;
    ocl_host_saw(event->time[OCL_END]);
    ocl_drop(event);
    return status;
}

cl_int ocl_submit(cl_command_queue queue, cl_command_type type, enum ocl_order order,
                  const struct ocl_wait_list *list, const struct ocl_command *command,
                  bool blocking, cl_event *out)
{
    cl_event event =
        scheduler_start() ? ocl_event_new(queue->context, queue, type) : NULL;
    cl_int status = CL_SUCCESS;
    bool good = true;

    if (event == NULL) {
        if (command->free != NULL)
            command->free(command->data);
        return CL_OUT_OF_HOST_MEMORY;
    }
    event->command = *command;
    event->number = ++commands;
    ocl_hold(event);  /* the scheduler's */
    event->waits = 1; /* until all is set up */
    for (cl_uint i = 0; i < list->count && good; i++)
        good = depend(event, list->event[i], true);
    good = good && depend_on_queue(event, order, list->count > 0);
    enter(event);
    if (order == OCL_BARRIER &&
        (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0) {
        ocl_drop(queue->barrier);
        queue->barrier = event;
        ocl_hold(event);
    }
    if (!good) { /* memory is short: it must not run before the others */
        event->failed_before = true;
        status = CL_OUT_OF_HOST_MEMORY;
    }
    if (--event->waits == 0)
        ocl_sched_ready(event);
    if (out != NULL) {
        event->o.references++;
        *out = event;
    }
    if (blocking && wait_for(event) < 0)
        status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (blocking && queue->failed != CL_SUCCESS) /* of this or one before */
        status = CL_OUT_OF_RESOURCES;            /* until clFinish() has told it */
    event->o.references--;                       /* the one it was made with */
    ocl_hold(event);
    ocl_drop(event); /* buried when it is complete and nobody has it */
    return status;
}

static bool has_up_to(cl_command_queue queue, uint64_t number)
{
    return queue->first != NULL && queue->first->number <= number;
}

void ocl_queue_drain(cl_command_queue queue)
{
    uint64_t last = commands;

    while (has_up_to(queue, last))
        ocl_wait(queue);
    ocl_host_saw(queue->end);
}

static bool any_has_up_to(cl_context context, uint64_t number)
{
    cl_command_queue queue = context->queues;

    while (queue != NULL && !has_up_to(queue, number))
        queue = queue->next;
    return queue != NULL;
}

void ocl_context_drain(cl_context context)
{
    uint64_t last = commands;

    while (any_has_up_to(context, last))
        ocl_wait(NULL);
}
