/* context.c - contexts. Their address spaces: address.c. See ocl.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"
#include "igpu/va.h"

static void run_destructor(void *a, void *b)
{
    struct ocl_destructor *d = b;

    d->fn(a, d->user);
    free(d);
}

static void context_destroy(void *object)
{
    cl_context context = object;
    struct ocl_destructor *d, *following;

    for (d = context->destructor; d != NULL; d = following) {
        following = d->next;
        ocl_later(run_destructor, context, d);
    }
    ocl_address_free(context);
    free(context->properties);
}

/* Number of entries with the final 0; 0: no list. CL_INVALID_*, or CL_SUCCESS. */
static cl_int check_properties(const cl_context_properties *p, size_t *count)
{
    size_t n = 0;
    bool platform = false;

    *count = 0;
    if (p == NULL)
        return CL_SUCCESS;
    for (; p[n] != 0; n += 2) {
        if (p[n] == CL_CONTEXT_PLATFORM) {
            if (platform)
                return CL_INVALID_PROPERTY;
            platform = true;
            if (p[n + 1] != (cl_context_properties)(intptr_t)ocl_platform())
                return CL_INVALID_PLATFORM;
        } else if (p[n] != CL_CONTEXT_INTEROP_USER_SYNC) {
            return CL_INVALID_PROPERTY;
        }
    }
    *count = n + 1;
    return CL_SUCCESS;
}

static cl_context context_make(const cl_context_properties *properties, size_t count)
{
    static atomic_ullong spaces;
    cl_context context = ocl_new(OCL_CONTEXT, sizeof(*context), context_destroy);

    if (context == NULL)
        return NULL;
    context->mem = emu_mem_new();
    context->space = ++spaces;
    context->next_va = IGPU_VA_FIRST;
    context->op_end = &context->op;
    if (count > 0)
        context->properties = malloc(count * sizeof(*properties));
    if (context->mem == NULL || (count > 0 && context->properties == NULL)) {
        if (context->mem != NULL)
            emu_mem_free(context->mem);
        free(context->properties);
        free(context);
        return NULL;
    }
    if (count > 0)
        memcpy(context->properties, properties, count * sizeof(*properties));
    context->properties_count = count;
    return context;
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(
    const cl_context_properties *properties, cl_uint num_devices,
    const cl_device_id *devices,
    void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
    void *user_data, cl_int *errcode_ret)
{
    size_t count;
    cl_int status = check_properties(properties, &count);
    cl_context context;

    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    if (devices == NULL || num_devices == 0 ||
        (pfn_notify == NULL && user_data != NULL))
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!ocl_is(devices[i], OCL_DEVICE))
            return ocl_result(errcode_ret, CL_INVALID_DEVICE, NULL);
    context = context_make(properties, count);
    if (context == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    context->notify = pfn_notify;
    context->notify_user = user_data;
    for (cl_uint i = 0; i < num_devices; i++)
        if (!ocl_context_has(context, devices[i]))
            context->device[context->devices++] = devices[i];
    return ocl_result(errcode_ret, CL_SUCCESS, context);
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type device_type,
    void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
    void *user_data, cl_int *errcode_ret)
{
    cl_device_id device[OCL_DEVICES];
    cl_uint count = 0;
    cl_int status =
        clGetDeviceIDs(ocl_platform(), device_type, OCL_DEVICES, device, &count);

    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    return clCreateContext(properties, count, device, pfn_notify, user_data,
                           errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context)
{
    return ocl_retain(context, OCL_CONTEXT, CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context)
{
    return ocl_release(context, OCL_CONTEXT, CL_INVALID_CONTEXT);
}

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context,
                                                 cl_context_info param_name,
                                                 size_t param_value_size,
                                                 void *param_value,
                                                 size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};

    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return ocl_answer_uint(&a, context->o.references);
    case CL_CONTEXT_NUM_DEVICES:
        return ocl_answer_uint(&a, context->devices);
    case CL_CONTEXT_DEVICES:
        return ocl_answer_bytes(&a, context->device,
                                context->devices * sizeof(cl_device_id));
    case CL_CONTEXT_PROPERTIES:
        return ocl_answer_bytes(&a, context->properties,
                                context->properties_count *
                                    sizeof(cl_context_properties));
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *pfn_notify)(cl_context, void *),
    void *user_data)
{
    struct ocl_destructor *d;

    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (pfn_notify == NULL)
        return CL_INVALID_VALUE;
    d = malloc(sizeof(*d));
    if (d == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    ocl_lock();
    *d = (struct ocl_destructor){context->destructor,
                                 (void (*)(void *, void *))pfn_notify, user_data};
    context->destructor = d;
    ocl_unlock();
    return CL_SUCCESS;
}

bool ocl_context_has(cl_context context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->devices; i++)
        if (context->device[i] == device)
            return true;
    return false;
}

void ocl_report(cl_context context, const char *text)
{
    fprintf(stderr, "vigpu: %s\n", text);
    if (context->notify != NULL)
        context->notify(text, NULL, 0, context->notify_user);
}
