/* svm.c - the calls of shared virtual memory, coarse-grained and of fine-grained
 * buffers, which are one here. The memory: address.c. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"

CL_API_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags,
                                          size_t size, cl_uint alignment)
{
    const cl_svm_mem_flags access =
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    struct ocl_svm *s;

    if (!ocl_is(context, OCL_CONTEXT) || size == 0 || size > ocl_alloc_limit(flags) ||
        (flags & ~(access | CL_MEM_SVM_FINE_GRAIN_BUFFER |
                   CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL)) != 0 ||
        ((flags & access) & ((flags & access) - 1)) != 0 || alignment > OCL_PAGE ||
        (alignment & (alignment - 1)) != 0)
        return NULL;
    ocl_lock();
    s = ocl_svm_make(context, size);
    if (s != NULL)
        s->flags = flags;
    ocl_unlock();
    return s != NULL ? s->pointer : NULL;
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *pointer)
{
    if (!ocl_is(context, OCL_CONTEXT) || pointer == NULL)
        return;
    ocl_lock();
    (void)ocl_svm_drop(context, pointer); /* unknown addresses are ignored */
    ocl_unlock();
}

/* ---- commands ------------------------------------------------------------------ */

struct free_job {
    void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void *[], void *);
    void *user;
    cl_uint count;
    void *pointer[];
};

static cl_int run_free(cl_event event, void *data)
{
    struct free_job *job = data;

    if (job->fn != NULL) {
        job->fn(event->queue, job->count, job->pointer, job->user);
        return CL_SUCCESS;
    }
    ocl_lock();
    for (cl_uint i = 0; i < job->count; i++)
        (void)ocl_svm_drop(event->context, job->pointer[i]);
    ocl_unlock();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue queue, cl_uint num_pointers, void *pointers[],
    void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void *[], void *), void *user_data,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct ocl_command command = {run_free, free, NULL};
    struct free_job *job;
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if ((num_pointers == 0) != (pointers == NULL))
        return CL_INVALID_VALUE;
    status = ocl_check_waits(queue->context, &waits);
    if (status != CL_SUCCESS)
        return status;
    job = malloc(sizeof(*job) + num_pointers * sizeof(void *));
    if (job == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *job = (struct free_job){fn, user_data, num_pointers};
    if (num_pointers > 0)
        memcpy(job->pointer, pointers, num_pointers * sizeof(void *));
    command.data = job;
    ocl_lock();
    status = ocl_submit(queue, CL_COMMAND_SVM_FREE, OCL_PLAIN, &waits, &command, false,
                        event);
    ocl_unlock();
    return status;
}

static cl_int queue_check(cl_command_queue queue, const struct ocl_wait_list *waits)
{
    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return ocl_check_waits(queue->context, waits);
}

cl_int ocl_svm_copy(cl_command_queue queue, cl_command_type type, bool blocking,
                    void *dst, const void *src, size_t size,
                    const struct ocl_wait_list *waits, cl_event *event)
{
    const struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, src, dst};
    cl_int status = queue_check(queue, waits);

    if (status != CL_SUCCESS)
        return status;
    if (dst == NULL || src == NULL)
        return CL_INVALID_VALUE;
    if (size > 0 && box.src < box.dst + size && box.dst < box.src + size)
        return CL_MEM_COPY_OVERLAP;
    ocl_lock();
    status = ocl_submit_copy(queue, type, &box, NULL, NULL, waits, blocking, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(
    cl_command_queue queue, cl_bool blocking, void *dst, const void *src, size_t size,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return ocl_svm_copy(queue, CL_COMMAND_SVM_MEMCPY, blocking != CL_FALSE, dst, src,
                        size, &waits, event);
}

cl_int ocl_svm_fill(cl_command_queue queue, cl_command_type type, void *ptr,
                    const void *pattern, size_t pattern_size, size_t size,
                    const struct ocl_wait_list *waits, cl_event *event)
{
    const struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, NULL, ptr};
    cl_int status = queue_check(queue, waits);

    if (status != CL_SUCCESS)
        return status;
    if (ptr == NULL || pattern == NULL || pattern_size == 0 || pattern_size > 128 ||
        (pattern_size & (pattern_size - 1)) != 0 || size % pattern_size != 0 ||
        (uintptr_t)ptr % pattern_size != 0)
        return CL_INVALID_VALUE;
    ocl_lock();
    status =
        ocl_submit_fill(queue, type, &box, pattern, pattern_size, NULL, waits, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(
    cl_command_queue queue, void *ptr, const void *pattern, size_t pattern_size,
    size_t size, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return ocl_svm_fill(queue, CL_COMMAND_SVM_MEMFILL, ptr, pattern, pattern_size, size,
                        &waits, event);
}

cl_int ocl_svm_nothing(cl_command_queue queue, cl_command_type type, const void *ptr,
                       bool blocking, const struct ocl_wait_list *waits,
                       cl_event *event)
{
    cl_int status = queue_check(queue, waits);

    if (status != CL_SUCCESS)
        return status;
    if (ptr == NULL)
        return CL_INVALID_VALUE;
    ocl_lock();
    status = ocl_submit_nothing(queue, type, NULL, waits, blocking, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue,
                                                cl_bool blocking, cl_map_flags flags,
                                                void *ptr, size_t size,
                                                cl_uint num_events,
                                                const cl_event *list, cl_event *event)
{
    const cl_map_flags known =
        CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = queue_check(queue, &waits);

    if (status != CL_SUCCESS)
        return status;
    if (size == 0 || (flags & ~known) != 0)
        return CL_INVALID_VALUE;
    return ocl_svm_nothing(queue, CL_COMMAND_SVM_MAP, ptr, blocking != CL_FALSE, &waits,
                           event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *ptr,
                                                  cl_uint num_events,
                                                  const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return ocl_svm_nothing(queue, CL_COMMAND_SVM_UNMAP, ptr, false, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(
    cl_command_queue queue, cl_uint num_pointers, const void **pointers,
    const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events,
    const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = queue_check(queue, &waits);

    (void)sizes;
    if (status != CL_SUCCESS)
        return status;
    if (num_pointers == 0 || pointers == NULL ||
        (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                           CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) !=
            0)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_pointers; i++)
        if (pointers[i] == NULL)
            return CL_INVALID_VALUE;
    return ocl_svm_nothing(queue, CL_COMMAND_SVM_MIGRATE_MEM, pointers, false, &waits,
                           event);
}
