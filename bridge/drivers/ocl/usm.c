/* usm.c - cl_intel_unified_shared_memory: host, device and shared allocations. All
 * three are memory of the one machine that CPU and GPU share, at one address (svm.c);
 * what differs is what the program may do with them, which is not checked. */
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"

/* What a property list asks for, and the most bytes that it allows; an error is what is
 * wrong with it. */
static cl_int read_properties(const cl_mem_properties_intel *p,
                              cl_mem_alloc_flags_intel *flags, cl_ulong *limit)
{
    const cl_mem_alloc_flags_intel known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                           CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

    *flags = 0;
    *limit = ocl_max_alloc();
    for (; p != NULL && *p != 0; p += 2) {
        if (*p == CL_MEM_FLAGS || *p == CL_MEM_FLAGS_INTEL) {
            *limit = ocl_alloc_limit(p[1]);
            if ((p[1] & ~(cl_bitfield)CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL) != 0)
                return CL_INVALID_PROPERTY;
            continue;
        }
        if (*p != CL_MEM_ALLOC_FLAGS_INTEL)
            return CL_INVALID_PROPERTY;
        *flags = p[1];
        if ((*flags & ~known) != 0)
            return CL_INVALID_PROPERTY;
    }
    return CL_SUCCESS;
}

static void *allocate(cl_context context, cl_unified_shared_memory_type_intel type,
                      cl_device_id device, const cl_mem_properties_intel *properties,
                      size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    cl_mem_alloc_flags_intel flags;
    struct ocl_svm *s;
    cl_ulong limit;
    cl_int status;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    status = read_properties(properties, &flags, &limit);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    if ((alignment & (alignment - 1)) != 0 || alignment > OCL_PAGE)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    if (size == 0 || size > limit)
        return ocl_result(errcode_ret, CL_INVALID_BUFFER_SIZE, NULL);
    ocl_lock();
    s = ocl_svm_make(context, size);
    if (s != NULL) {
        s->usm = type;
        s->device = device;
        s->usm_flags = flags;
    }
    ocl_unlock();
    return s != NULL ? ocl_result(errcode_ret, CL_SUCCESS, s->pointer)
                     : ocl_result(errcode_ret, CL_OUT_OF_RESOURCES, NULL);
}

CL_API_ENTRY void *CL_API_CALL
clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    return allocate(context, CL_MEM_TYPE_HOST_INTEL, NULL, properties, size, alignment,
                    errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL clDeviceMemAllocINTEL(
    cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    if (ocl_is(context, OCL_CONTEXT) && !ocl_context_has(context, device))
        return ocl_result(errcode_ret, CL_INVALID_DEVICE, NULL);
    return allocate(context, CL_MEM_TYPE_DEVICE_INTEL, device, properties, size,
                    alignment, errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL clSharedMemAllocINTEL(
    cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
    size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    if (ocl_is(context, OCL_CONTEXT) && device != NULL &&
        !ocl_context_has(context, device))
        return ocl_result(errcode_ret, CL_INVALID_DEVICE, NULL);
    return allocate(context, CL_MEM_TYPE_SHARED_INTEL, device, properties, size,
                    alignment, errcode_ret);
}

static cl_int pointer_release(cl_context context, void *ptr, bool wait)
{
    bool known;

    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (ptr == NULL)
        return CL_SUCCESS;
    ocl_lock();
    if (wait)
        ocl_context_drain(context);
    known = ocl_svm_drop(context, ptr);
    ocl_unlock();
    return known ? CL_SUCCESS : CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr)
{
    return pointer_release(context, ptr, false);
}

CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    return pointer_release(context, ptr, true);
}

/* Of memory that is not ours: type unknown, base and device NULL, the rest 0. */
CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(
    cl_context context, const void *ptr, cl_mem_info_intel param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    struct ocl_svm none = {.usm = CL_MEM_TYPE_UNKNOWN_INTEL}, *s;

    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    ocl_lock();
    s = ocl_svm_find(context, ptr);
    if (s != NULL && s->usm != 0)
        none = *s;
    ocl_unlock();
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        return ocl_answer_uint(&a, none.usm);
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return ocl_answer_pointer(&a, none.pointer);
    case CL_MEM_ALLOC_SIZE_INTEL:
        return ocl_answer_size(&a, none.bytes);
    case CL_MEM_ALLOC_DEVICE_INTEL:
        return ocl_answer_pointer(&a, none.device);
    case CL_MEM_ALLOC_FLAGS_INTEL:
        return ocl_answer_ulong(&a, none.usm_flags);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel,
                                                              cl_uint arg_index,
                                                              const void *arg_value)
{
    return clSetKernelArgSVMPointer(kernel, arg_index, arg_value);
}

/* ---- commands ------------------------------------------------------------------ */

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(
    cl_command_queue queue, void *dst_ptr, const void *pattern, size_t pattern_size,
    size_t size, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return ocl_svm_fill(queue, CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern, pattern_size,
                        size, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue queue,
                                                     void *dst_ptr, cl_int value,
                                                     size_t size, cl_uint num_events,
                                                     const cl_event *list,
                                                     cl_event *event)
{
    const cl_uchar byte = (cl_uchar)value;

    return clEnqueueMemFillINTEL(queue, dst_ptr, &byte, 1, size, num_events, list,
                                 event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(
    cl_command_queue queue, cl_bool blocking, void *dst_ptr, const void *src_ptr,
    size_t size, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return ocl_svm_copy(queue, CL_COMMAND_MEMCPY_INTEL, blocking != CL_FALSE, dst_ptr,
                        src_ptr, size, &waits, event);
}

/* Memory is where it is; the order among commands is all that is left of a hint. */
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(
    cl_command_queue queue, const void *ptr, size_t size, cl_mem_migration_flags flags,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    (void)size;
    (void)flags;
    return ocl_svm_nothing(queue, CL_COMMAND_MIGRATEMEM_INTEL, ptr, false, &waits,
                           event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(
    cl_command_queue queue, const void *ptr, size_t size, cl_mem_advice_intel advice,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    (void)size;
    (void)advice;
    return ocl_svm_nothing(queue, CL_COMMAND_MEMADVISE_INTEL, ptr, false, &waits,
                           event);
}
