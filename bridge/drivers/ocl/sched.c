/* sched.c - who runs what and when: commands wait for events and for their queue's
 * order; one device thread runs those that are ready, the one that came first first:
 * with one host thread in the order in which they came, however fast that is.
 * A device has one command streamer, so kernels never overlap. See ocl.h. */
#include <pthread.h>
#include <stdlib.h>

#include "bridge/drivers/ocl/device_config.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/ocl.h"
#include "igpu/order.h"

static cl_event ready,
    last_ready; /* a list by number; the last is valid unless empty */
static pthread_t worker;
static bool started, stopping, stopped;

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

/* ---- the device thread --------------------------------------------------------- */

static void run_one(cl_event event)
{
    cl_int status = CL_SUCCESS;

    if (event->failed_before) {
        event->time[OCL_START] = event->time[OCL_END] = ocl_now();
        ocl_event_finish(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    if (device_time_simulated() && event->type == CL_COMMAND_NDRANGE_KERNEL)
        device_time_await(event->time[OCL_SUBMIT] +
                          device_launch_ns(event->queue->device));
    event->time[OCL_START] = ocl_now();
    ocl_event_status(event, CL_RUNNING);
    if (event->command.run != NULL) {
        ocl_unlock();
        status = event->command.run(event, event->command.data);
        ocl_lock();
    }
    event->time[OCL_END] = ocl_now();
    if (status != CL_SUCCESS)
        event->queue->failed = status;
    ocl_event_finish(event, status == CL_SUCCESS ? CL_COMPLETE : status);
}

/* The first of those that are ready; NULL: none. */
static cl_event take_ready(void)
{
    cl_event event = ready;

    if (event != NULL) {
        ready = event->ready;
        event->ready = NULL;
    }
    return event;
}

static bool run_late(void)
{
    cl_event event = stopped ? take_ready() : NULL;

    if (event != NULL)
        run_one(event);
    return event != NULL;
}

void ocl_wait(void)
{
    if (!run_late())
        ocl_wait_change();
}

static void *device_thread(void *unused)
{
    (void)unused;
    ocl_lock();
    while (!stopping) {
        cl_event event = take_ready();

        if (event == NULL) {
            ocl_wait();
            continue;
        }
        run_one(event);
        ocl_unlock(); /* makes the callbacks */
        ocl_lock();
    }
    stopped = true;
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
    stopping = true;
    ocl_changed();
    while (!stopped)
        ocl_wait();
    ocl_unlock();
}

/* In a child of fork(): the device thread and what it has to run are the parent's. */
static void threads_forget(void)
{
    ready = NULL;
    started = stopping = stopped = false;
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
}

/* ---- submission ---------------------------------------------------------------- */

static cl_int wait_for(cl_event event)
{
    cl_int status;

    ocl_hold(event);
    while (event->status > CL_COMPLETE)
        ocl_wait();
    status = event->status;
    ocl_host_saw(event->time[OCL_END]);
    ocl_drop(event);
    return status;
}

cl_int ocl_submit(cl_command_queue queue, cl_command_type type, enum ocl_order order,
                  const struct ocl_wait_list *list, const struct ocl_command *command,
                  bool blocking, cl_event *out)
{
    static uint64_t commands;
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

void ocl_queue_drain(cl_command_queue queue)
{
    while (queue->first != NULL)
        ocl_wait();
    ocl_host_saw(queue->end);
}

void ocl_context_drain(cl_context context)
{
    while (context->commands > 0)
        ocl_wait();
}
