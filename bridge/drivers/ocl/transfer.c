/* transfer.c - commands that move or fill memory, on one form: a box of rows. The
 * public functions that use it are in buffer.c, svm.c and image.c. See ocl.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/device_config.h"
#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/ocl.h"

enum { MAX_PATTERN = 128 };

struct transfer {
    struct ocl_box box;
    cl_mem a, b;
    size_t pattern_bytes; /* 0: a copy */
    uint8_t pattern[MAX_PATTERN];
};

/* Copies of what is there already, in pieces that a cache holds. */
static void fill_row(const struct transfer *t, uint8_t *to)
{
    size_t most = t->pattern_bytes << 8, done = t->pattern_bytes;

    memcpy(to, t->pattern, done);
    while (done < t->box.row_bytes) {
        size_t rest = t->box.row_bytes - done, n = done < most ? done : most;

        n = n < rest ? n : rest;
        memcpy(to + done, to, n);
        done += n;
    }
}

static cl_int transfer_run(cl_event event, void *data)
{
    const struct transfer *t = data;
    const struct ocl_box *b = &t->box;

    for (size_t z = 0; z < b->slices; z++)
        for (size_t y = 0; y < b->rows; y++) {
            uint8_t *to = b->dst + z * b->dst_slice + y * b->dst_row;

            if (b->row_bytes == 0)
                continue;
            if (t->pattern_bytes > 0)
                fill_row(t, to);
            else
                memmove(to, b->src + z * b->src_slice + y * b->src_row, b->row_bytes);
        }
    if (device_time_simulated())
        device_time_transfer(b->row_bytes * b->rows * b->slices,
                             device_copy_rate(event->queue->device));
    return CL_SUCCESS;
}

static void transfer_release(void *data)
{
    struct transfer *t = data;

    ocl_drop(t->a);
    ocl_drop(t->b);
    free(t);
}

static struct transfer *transfer_make(const struct ocl_box *box, cl_mem a, cl_mem b)
{
    struct transfer *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return NULL;
    t->box = *box;
    t->a = a;
    t->b = b;
    if (a != NULL)
        ocl_hold(a);
    if (b != NULL)
        ocl_hold(b);
    return t;
}

static cl_int submit(cl_command_queue queue, cl_command_type type, struct transfer *t,
                     bool has_work, const struct ocl_wait_list *list, bool blocking,
                     cl_event *out)
{
    const struct ocl_command command = {has_work ? transfer_run : NULL,
                                        transfer_release, t};

    if (t == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    return ocl_submit(queue, type, OCL_PLAIN, list, &command, blocking, out);
}

cl_int ocl_submit_copy(cl_command_queue queue, cl_command_type type,
                       const struct ocl_box *box, cl_mem a, cl_mem b,
                       const struct ocl_wait_list *list, bool blocking, cl_event *out)
{
    return submit(queue, type, transfer_make(box, a, b), true, list, blocking, out);
}

cl_int ocl_submit_fill(cl_command_queue queue, cl_command_type type,
                       const struct ocl_box *box, const void *pattern,
                       size_t pattern_bytes, cl_mem mem,
                       const struct ocl_wait_list *list, cl_event *out)
{
    struct transfer *t = transfer_make(box, mem, NULL);

    if (t != NULL && pattern_bytes <= MAX_PATTERN) {
        t->pattern_bytes = pattern_bytes;
        memcpy(t->pattern, pattern, pattern_bytes);
    }
    return submit(queue, type, t, true, list, false, out);
}

cl_int ocl_submit_nothing(cl_command_queue queue, cl_command_type type, cl_mem mem,
                          const struct ocl_wait_list *list, bool blocking,
                          cl_event *out)
{
    static const struct ocl_box empty;

    return submit(queue, type, transfer_make(&empty, mem, NULL), false, list, blocking,
                  out);
}

bool ocl_mapping_add(cl_mem mem, void *pointer, cl_map_flags flags)
{
    struct ocl_mapping *m = malloc(sizeof(*m));

    if (m == NULL)
        return false;
    *m = (struct ocl_mapping){mem->mapping, pointer, flags};
    mem->mapping = m;
    return true;
}

bool ocl_mapping_remove(cl_mem mem, const void *pointer)
{
    struct ocl_mapping **at = &mem->mapping, *mapping;

    while (*at != NULL && (*at)->pointer != pointer)
        at = &(*at)->next;
    mapping = *at;
    if (mapping == NULL)
        return false;
    *at = mapping->next;
    free(mapping);
    return true;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue,
                                                        cl_mem mem, void *mapped_ptr,
                                                        cl_uint num_events,
                                                        const cl_event *list,
                                                        cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!ocl_is(mem, OCL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (mem->context != queue->context)
        return CL_INVALID_CONTEXT;
    status = ocl_check_waits(queue->context, &waits);
    if (status != CL_SUCCESS)
        return status;
    ocl_lock();
    status = CL_INVALID_VALUE;
    if (ocl_mapping_remove(mem, mapped_ptr))
        status = ocl_submit_nothing(queue, CL_COMMAND_UNMAP_MEM_OBJECT, mem, &waits,
                                    false, event);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mem_objects,
                           const cl_mem *mem_objects, cl_mem_migration_flags flags,
                           cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status;

    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_mem_objects == 0 || mem_objects == NULL ||
        (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
                                           CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) !=
            0)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        if (!ocl_is(mem_objects[i], OCL_MEM))
            return CL_INVALID_MEM_OBJECT;
        if (mem_objects[i]->context != queue->context)
            return CL_INVALID_CONTEXT;
    }
    status = ocl_check_waits(queue->context, &waits);
    if (status != CL_SUCCESS)
        return status;
    ocl_lock();
    status = ocl_submit_nothing(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, mem_objects[0],
                                &waits, false, event);
    ocl_unlock();
    return status;
}
