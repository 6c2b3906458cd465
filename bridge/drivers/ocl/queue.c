/* queue.c - command queues, markers and barriers. See ocl.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/counters.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/ocl.h"

static const cl_command_queue_properties known =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

static void queue_destroy(void *object)
{
    cl_command_queue queue = object, *at = &queue->context->queues;

    while (*at != queue)
        at = &(*at)->next;
    *at = queue->next;
    free(queue->list);
    ocl_drop(queue->context);
}

/* counters: of a performance counter queue; NULL: it is none. */
static cl_command_queue queue_make(cl_context context, cl_device_id device,
                                   cl_command_queue_properties properties,
                                   const struct oa_set *counters,
                                   const cl_queue_properties *list, size_t count,
                                   cl_int *errcode_ret)
{
    static uint32_t queues;
    cl_command_queue queue = ocl_new(OCL_QUEUE, sizeof(*queue), queue_destroy);

    if (queue == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    if (count > 0) {
        queue->list = malloc(count * sizeof(*list));
        if (queue->list == NULL) {
            free(queue);
            return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
        }
        memcpy(queue->list, list, count * sizeof(*list));
        queue->list_count = count;
    }
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    queue->counters = counters;
    ocl_lock();
    queue->number = ++queues;
    queue->next = context->queues;
    context->queues = queue;
    ocl_hold(context);
    ocl_unlock();
    return ocl_result(errcode_ret, CL_SUCCESS, queue);
}

static cl_int check_place(cl_context context, cl_device_id device)
{
    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (!ocl_is(device, OCL_DEVICE) || !ocl_context_has(context, device))
        return CL_INVALID_DEVICE;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties, cl_int *errcode_ret)
{
    cl_int status = check_place(context, device);

    if (status == CL_SUCCESS && (properties & ~known) != 0)
        status = CL_INVALID_VALUE;
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    return queue_make(context, device, properties, NULL, NULL, 0, errcode_ret);
}

/* The metric set of a performance counter queue: events need profiling, and counters a
 * simulation. */
static cl_int choose_counters(cl_context context,
                              cl_command_queue_properties properties,
                              cl_uint configuration, const struct oa_set **set)
{
    if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        return CL_INVALID_QUEUE_PROPERTIES;
    *set = counters_set(configuration);
    if (*set == NULL)
        return CL_INVALID_OPERATION;
    if (device_time_simulated())
        return CL_SUCCESS;
    ocl_report(context, "performance counters are of simulated launches: use igpu run "
                        "--time, or IGPU_TIME=1");
    return CL_INVALID_DEVICE;
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreatePerfCountersCommandQueueINTEL(
    cl_context context, cl_device_id device, cl_command_queue_properties properties,
    cl_uint configuration, cl_int *errcode_ret)
{
    const struct oa_set *set = NULL;
    cl_int status = check_place(context, device);

    if (status == CL_SUCCESS && (properties & ~known) != 0)
        status = CL_INVALID_QUEUE_PROPERTIES;
    if (status == CL_SUCCESS)
        status = choose_counters(context, properties, configuration, &set);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    return queue_make(context, device, properties, set, NULL, 0, errcode_ret);
}

/* Of registers and values, for which Intel's runtime has no use any more either: a set
 * is chosen with the queue. */
CL_API_ENTRY cl_int CL_API_CALL clSetPerformanceConfigurationINTEL(cl_device_id device,
                                                                   cl_uint count,
                                                                   cl_uint *offsets,
                                                                   cl_uint *values)
{
    (void)count;
    (void)offsets;
    (void)values;
    return ocl_is(device, OCL_DEVICE) ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
}

/* Which of the engines: the one there is, named whole or not at all. */
static cl_int check_family(const cl_queue_properties *properties)
{
    bool family = false, index = false, other = false;

    for (; properties != NULL && properties[0] != 0; properties += 2) {
        family |= properties[0] == CL_QUEUE_FAMILY_INTEL;
        index |= properties[0] == CL_QUEUE_INDEX_INTEL;
        other |= (properties[0] == CL_QUEUE_FAMILY_INTEL ||
                  properties[0] == CL_QUEUE_INDEX_INTEL) &&
                 properties[1] != 0;
    }
    return family == index && !other ? CL_SUCCESS : CL_INVALID_QUEUE_PROPERTIES;
}

/* Taken, and of no consequence: one engine takes commands as they come. */
static bool is_hint(cl_queue_properties name)
{
    return name == CL_QUEUE_PRIORITY_KHR || name == CL_QUEUE_THROTTLE_KHR ||
           name == CL_QUEUE_FAMILY_INTEL || name == CL_QUEUE_INDEX_INTEL;
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *errcode_ret)
{
    cl_int status = check_place(context, device);
    cl_command_queue_properties bits = 0;
    const struct oa_set *set = NULL;
    cl_uint configuration = 0;
    bool counts = false;
    size_t n = 0;

    for (; status == CL_SUCCESS && properties != NULL && properties[n] != 0; n += 2) {
        if (properties[n] == CL_QUEUE_PROPERTIES)
            bits = properties[n + 1];
        else if (properties[n] == OCL_QUEUE_MDAPI_PROPERTIES)
            counts = (properties[n + 1] & OCL_QUEUE_MDAPI_ENABLE) != 0;
        else if (properties[n] == OCL_QUEUE_MDAPI_CONFIGURATION)
            configuration = (cl_uint)properties[n + 1];
        else if (is_hint(properties[n]))
            continue;
        else if (properties[n] != CL_QUEUE_SIZE)
            status = CL_INVALID_VALUE;
        else
            status = CL_INVALID_QUEUE_PROPERTIES; /* device queues only */
        if (status == CL_SUCCESS && (bits & ~known) != 0)
            status =
                (bits & ~(known | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)) != 0
                    ? CL_INVALID_VALUE
                    : CL_INVALID_QUEUE_PROPERTIES;
    }
    if (status == CL_SUCCESS)
        status = check_family(properties);
    if (status == CL_SUCCESS && counts)
        status = choose_counters(context, bits, configuration, &set);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    return queue_make(context, device, bits, set, properties,
                      properties != NULL ? n + 1 : 0, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context,
                                                               cl_device_id device,
                                                               cl_command_queue queue)
{
    cl_int status = check_place(context, device);

    (void)queue; /* no device queues: none is looked at */
    return status != CL_SUCCESS ? status : CL_INVALID_OPERATION;
}

/* Removed in OpenCL 1.1: a queue's properties do not change. */
CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(
    cl_command_queue queue, cl_command_queue_properties properties, cl_bool enable,
    cl_command_queue_properties *old_properties)
{
    (void)enable;
    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if ((properties & ~known) != 0)
        return CL_INVALID_VALUE;
    if (old_properties != NULL)
        *old_properties = queue->properties;
    return CL_INVALID_OPERATION;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue queue)
{
    return ocl_retain(queue, OCL_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

/* Its commands go on: they hold it. */
CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue)
{
    return ocl_release(queue, OCL_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue,
                                                      cl_command_queue_info param_name,
                                                      size_t param_value_size,
                                                      void *param_value,
                                                      size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    switch (param_name) {
    case CL_QUEUE_CONTEXT:
        return ocl_answer_pointer(&a, queue->context);
    case CL_QUEUE_DEVICE:
        return ocl_answer_pointer(&a, queue->device);
    case CL_QUEUE_REFERENCE_COUNT:
        return ocl_answer_uint(&a, queue->o.references);
    case CL_QUEUE_PROPERTIES:
        return ocl_answer_ulong(&a, queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return ocl_answer_bytes(&a, queue->list,
                                queue->list_count * sizeof(*queue->list));
    case CL_QUEUE_FAMILY_INTEL:
    case CL_QUEUE_INDEX_INTEL:
        return ocl_answer_uint(&a, 0);
    case CL_QUEUE_DEVICE_DEFAULT:
        return ocl_answer_pointer(&a, NULL);
    case CL_QUEUE_SIZE:
        return CL_INVALID_COMMAND_QUEUE; /* no device queue */
    default:
        return CL_INVALID_VALUE;
    }
}

/* Commands start as soon as they can: there is nothing to flush. */
CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue)
{
    return ocl_is(queue, OCL_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    ocl_lock();
    ocl_hold(queue);
    ocl_queue_drain(queue);
    ocl_await_calls(); /* programs count on the callbacks of what is finished */
    status = queue->failed == CL_SUCCESS ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    queue->failed = CL_SUCCESS;
    ocl_drop(queue);
    ocl_unlock();
    return status;
}

/* ---- markers and barriers ------------------------------------------------------ */

static cl_int submit_order(cl_command_queue queue, cl_command_type type,
                           enum ocl_order order, const struct ocl_wait_list *list,
                           cl_event *event)
{
    static const struct ocl_command nothing;
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    status = ocl_check_waits(queue->context, list);
    if (status != CL_SUCCESS)
        return status;
    ocl_lock();
    status = ocl_submit(queue, type, order, list, &nothing, false, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue,
                                                            cl_uint num_events,
                                                            const cl_event *list,
                                                            cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return submit_order(queue, CL_COMMAND_MARKER, OCL_AFTER, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue,
                                                             cl_uint num_events,
                                                             const cl_event *list,
                                                             cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return submit_order(queue, CL_COMMAND_BARRIER, OCL_BARRIER, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    if (ocl_is(queue, OCL_QUEUE) && event == NULL)
        return CL_INVALID_VALUE;
    return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue)
{
    return clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue,
                                                       cl_uint num_events,
                                                       const cl_event *list)
{
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_events == 0 || list == NULL)
        return CL_INVALID_VALUE;
    status = clEnqueueBarrierWithWaitList(queue, num_events, list, NULL);
    return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}
