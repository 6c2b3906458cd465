/* event.c - events: their life, status and callbacks. Calls: event_calls.c. */
#include <stdlib.h>

#include "bridge/drivers/ocl/ocl.h"

static void event_destroy(void *object)
{
    cl_event event = object;
    struct ocl_event_callback *callback, *next;

    for (callback = event->callback; callback != NULL; callback = next) {
        next = callback->next;
        free(callback);
    }
    free(event->report);
    ocl_drop(event->queue);
    ocl_drop(event->context);
}

cl_event ocl_event_new(cl_context context, cl_command_queue queue, cl_command_type type)
{
    cl_event event = ocl_new(OCL_EVENT, sizeof(*event), event_destroy);

    if (event == NULL)
        return NULL;
    event->context = context;
    event->queue = queue;
    event->type = type;
    event->status = queue != NULL ? CL_QUEUED : CL_SUBMITTED;
    event->time[OCL_QUEUED] = ocl_host_now();
    ocl_hold(context);
    if (queue != NULL)
        ocl_hold(queue);
    return event;
}

/* ---- status and callbacks ------------------------------------------------------ */

/* A callback under way: the event stays until it returned. */
struct notice {
    struct ocl_event_callback callback;
    cl_int status;
};

static void call_back(void *a, void *b)
{
    cl_event event = a;
    struct notice *notice = b;

    notice->callback.fn(event, notice->status, notice->callback.user);
    free(notice);
    ocl_lock();
    ocl_drop(event);
    ocl_unlock();
}

void ocl_event_notify(cl_event event, const struct ocl_event_callback *callback,
                      cl_int status)
{
    struct notice *notice = malloc(sizeof(*notice));

    if (notice == NULL)
        return;
    *notice = (struct notice){*callback, status < 0 ? status : callback->status};
    ocl_hold(event);
    ocl_later(call_back, event, notice);
}

void ocl_event_status(cl_event event, cl_int status)
{
    struct ocl_event_callback **at = &event->callback, *callback;

    event->status = status;
    while ((callback = *at) != NULL) {
        if (callback->status < status) { /* not yet reached */
            at = &callback->next;
            continue;
        }
        *at = callback->next;
        ocl_event_notify(event, callback, status);
        free(callback);
    }
    ocl_changed();
}

/* ---- waits --------------------------------------------------------------------- */

cl_int ocl_check_waits(cl_context context, const struct ocl_wait_list *list)
{
    if ((list->count == 0) != (list->event == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < list->count; i++)
        if (!ocl_is(list->event[i], OCL_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < list->count; i++)
        if (list->event[i]->context != context)
            return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}
