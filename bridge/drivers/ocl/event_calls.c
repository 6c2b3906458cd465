/* event_calls.c - the calls on events: callbacks, waits, user events, times. */
#include <stdlib.h>

#include "bridge/drivers/ocl/counters.h"
#include "bridge/drivers/ocl/ocl.h"

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(
    cl_event event, cl_int type,
    void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *), void *user_data)
{
    struct ocl_event_callback *callback, **end;

    if (!ocl_is(event, OCL_EVENT))
        return CL_INVALID_EVENT;
    if (pfn_notify == NULL ||
        (type != CL_COMPLETE && type != CL_RUNNING && type != CL_SUBMITTED))
        return CL_INVALID_VALUE;
    callback = malloc(sizeof(*callback));
    if (callback == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *callback = (struct ocl_event_callback){NULL, type, pfn_notify, user_data};
    ocl_lock();
    if (event->status <= type) {
        ocl_event_notify(event, callback, event->status);
        free(callback);
    } else {
        for (end = &event->callback; *end != NULL; end = &(*end)->next)
            continue;
        *end = callback;
    }
    ocl_unlock();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint num_events,
                                                const cl_event *event_list)
{
    cl_int status = CL_SUCCESS;

    if (num_events == 0 || event_list == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_events; i++)
        if (!ocl_is(event_list[i], OCL_EVENT))
            return CL_INVALID_EVENT;
    for (cl_uint i = 1; i < num_events; i++)
        if (event_list[i]->context != event_list[0]->context)
            return CL_INVALID_CONTEXT;
    ocl_lock();
    for (cl_uint i = 0; i < num_events; i++)
        ocl_hold(event_list[i]);
    for (cl_uint i = 0; i < num_events; i++) {
        while (event_list[i]->status > CL_COMPLETE)
            ocl_wait(event_list[i]->queue);
        ocl_host_saw(event_list[i]->time[OCL_END]);
        if (event_list[i]->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    for (cl_uint i = 0; i < num_events; i++)
        ocl_drop(event_list[i]);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event)
{
    return ocl_retain(event, OCL_EVENT, CL_INVALID_EVENT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    return ocl_release(event, OCL_EVENT, CL_INVALID_EVENT);
}

/* ---- user events --------------------------------------------------------------- */

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context,
                                                    cl_int *errcode_ret)
{
    cl_event event;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    ocl_lock();
    event = ocl_event_new(context, NULL, CL_COMMAND_USER);
    ocl_unlock();
    return ocl_result(errcode_ret, event != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY,
                      event);
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event,
                                                     cl_int execution_status)
{
    cl_int status = CL_SUCCESS;

    if (!ocl_is(event, OCL_EVENT) || event->queue != NULL)
        return CL_INVALID_EVENT;
    if (execution_status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    ocl_lock();
    if (event->status <= CL_COMPLETE) {
        status = CL_INVALID_OPERATION;
    } else {
        event->time[OCL_END] = ocl_host_now();
        ocl_event_finish(event, execution_status);
    }
    ocl_unlock();
    return status;
}

/* ---- information --------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name,
                                               size_t param_value_size,
                                               void *param_value,
                                               size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    cl_int status;

    if (!ocl_is(event, OCL_EVENT))
        return CL_INVALID_EVENT;
    switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE:
        return ocl_answer_pointer(&a, event->queue);
    case CL_EVENT_CONTEXT:
        return ocl_answer_pointer(&a, event->context);
    case CL_EVENT_COMMAND_TYPE:
        return ocl_answer_uint(&a, event->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        ocl_lock();
        status = event->status;
        if (status <= CL_COMPLETE)
            ocl_host_saw(event->time[OCL_END]);
        ocl_unlock();
        return ocl_answer_bytes(&a, &status, sizeof(status));
    case CL_EVENT_REFERENCE_COUNT:
        return ocl_answer_uint(&a, event->o.references);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event,
                                                        cl_profiling_info param_name,
                                                        size_t param_value_size,
                                                        void *param_value,
                                                        size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    cl_ulong time[OCL_TIMES];
    cl_int status;

    if (!ocl_is(event, OCL_EVENT))
        return CL_INVALID_EVENT;
    if (event->queue == NULL ||
        (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    ocl_lock();
    status = event->status;
    for (unsigned i = 0; i < OCL_TIMES; i++)
        time[i] = event->time[i];
    ocl_unlock();
    if (status != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (param_name) {
    case CL_PROFILING_COMMAND_QUEUED:
        return ocl_answer_ulong(&a, time[OCL_QUEUED]);
    case CL_PROFILING_COMMAND_SUBMIT:
        return ocl_answer_ulong(&a, time[OCL_SUBMIT]);
    case CL_PROFILING_COMMAND_START:
        return ocl_answer_ulong(&a, time[OCL_START]);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
        return ocl_answer_ulong(&a, time[OCL_END]);
    case OCL_PROFILING_PERFCOUNTERS:
        if (event->queue->counters == NULL)
            return CL_INVALID_VALUE;
        return event->report == NULL
                   ? CL_PROFILING_INFO_NOT_AVAILABLE
                   : ocl_answer_bytes(&a, event->report, COUNTERS_REPORT_BYTES);
    default:
        return CL_INVALID_VALUE;
    }
}
