/* buffer.c - commands on buffers: read, write, copy, fill, rectangles, map.
 * See ocl.h. */
#include "bridge/drivers/ocl/ocl.h"

/* Queue, objects, context and wait list of a command on one or two buffers. */
static cl_int copy_check(cl_command_queue queue, cl_mem a, cl_mem b,
                         const struct ocl_wait_list *list)
{
    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!ocl_is_buffer(a) || !ocl_is_buffer(b))
        return CL_INVALID_MEM_OBJECT;
    if (a->context != queue->context || b->context != queue->context)
        return CL_INVALID_CONTEXT;
    return ocl_check_waits(queue->context, list);
}

static bool inside(cl_mem mem, size_t offset, size_t size)
{
    return size <= mem->size && offset <= mem->size - size;
}

static cl_int submit_copy(cl_command_queue queue, cl_command_type type,
                          const struct ocl_box *box, cl_mem a, cl_mem b,
                          const struct ocl_wait_list *list, bool blocking,
                          cl_event *event)
{
    cl_int status;

    ocl_lock();
    status = ocl_submit_copy(queue, type, box, a, b, list, blocking, event);
    ocl_unlock();
    return status;
}

static const cl_mem_flags no_read = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags no_write = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
    void *ptr, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, NULL, ptr};
    cl_int status = copy_check(queue, mem, mem, &waits);

    if (status != CL_SUCCESS)
        return status;
    if (ptr == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    if ((mem->flags & no_read) != 0)
        return CL_INVALID_OPERATION;
    box.src = mem->data + offset;
    return submit_copy(queue, CL_COMMAND_READ_BUFFER, &box, mem, NULL, &waits,
                       blocking != CL_FALSE, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t size,
    const void *ptr, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, ptr, NULL};
    cl_int status = copy_check(queue, mem, mem, &waits);

    if (status != CL_SUCCESS)
        return status;
    if (ptr == NULL || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    if ((mem->flags & no_write) != 0)
        return CL_INVALID_OPERATION;
    box.dst = mem->data + offset;
    return submit_copy(queue, CL_COMMAND_WRITE_BUFFER, &box, mem, NULL, &waits,
                       blocking != CL_FALSE, event);
}

/* Do two pieces of what may be the same memory overlap? */
static bool overlap(const uint8_t *a, const uint8_t *b, size_t size)
{
    return a < b + size && b < a + size;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src,
                                                    cl_mem dst, size_t src_offset,
                                                    size_t dst_offset, size_t size,
                                                    cl_uint num_events,
                                                    const cl_event *list,
                                                    cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, NULL, NULL};
    cl_int status = copy_check(queue, src, dst, &waits);

    if (status != CL_SUCCESS)
        return status;
    if (!inside(src, src_offset, size) || !inside(dst, dst_offset, size))
        return CL_INVALID_VALUE;
    box.src = src->data + src_offset;
    box.dst = dst->data + dst_offset;
    if (overlap(box.src, box.dst, size))
        return CL_MEM_COPY_OVERLAP;
    return submit_copy(queue, CL_COMMAND_COPY_BUFFER, &box, src, dst, &waits, false,
                       event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem,
                                                    const void *pattern,
                                                    size_t pattern_size, size_t offset,
                                                    size_t size, cl_uint num_events,
                                                    const cl_event *list,
                                                    cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct ocl_box box = {size, 1, 1, 0, 0, 0, 0, NULL, NULL};
    cl_int status = copy_check(queue, mem, mem, &waits);

    if (status != CL_SUCCESS)
        return status;
    if (pattern == NULL || pattern_size == 0 || pattern_size > 128 ||
        (pattern_size & (pattern_size - 1)) != 0 || offset % pattern_size != 0 ||
        size % pattern_size != 0 || !inside(mem, offset, size))
        return CL_INVALID_VALUE;
    box.dst = mem->data + offset;
    ocl_lock();
    status = ocl_submit_fill(queue, CL_COMMAND_FILL_BUFFER, &box, pattern, pattern_size,
                             mem, &waits, event);
    ocl_unlock();
    return status;
}

/* ---- rectangles ---------------------------------------------------------------- */

struct rect {
    const size_t *origin;
    size_t row, slice; /* pitches; 0: packed */
};

/* *to = *to * by + more; true: too large. */
static bool mul_add(size_t *to, size_t by, size_t more)
{
    return __builtin_mul_overflow(*to, by, to) || __builtin_add_overflow(*to, more, to);
}

/* Complete the pitches and store the offset of the first byte and the end of the
 * last. False: not a rectangle, or too large for an address. */
static bool place_rect(struct rect *r, const size_t *region, size_t *first, size_t *end)
{
    size_t rows = region[1], slices = region[2] - 1;

    if (r->row == 0)
        r->row = region[0];
    if (r->row < region[0] || mul_add(&rows, r->row, 0))
        return false;
    if (r->slice == 0)
        r->slice = rows;
    *first = r->origin[1];
    if (r->slice < rows || r->slice % r->row != 0 ||
        mul_add(first, r->row, r->origin[0]))
        return false;
    *end = r->origin[2];
    if (mul_add(end, r->slice, *first))
        return false;
    *first = *end; /* the rows above the last are whole: rows - row < slice */
    return !mul_add(&slices, r->slice, rows - r->row + region[0]) &&
           !__builtin_add_overflow(*end, slices, end);
}

static bool good_region(const size_t *region)
{
    return region != NULL && region[0] > 0 && region[1] > 0 && region[2] > 0;
}

/* A rectangle of a buffer and one of the host's memory. */
static cl_int host_rect(cl_command_queue queue, cl_mem mem, bool write, bool blocking,
                        struct rect buffer, struct rect host, const size_t *region,
                        uint8_t *ptr, const struct ocl_wait_list *waits,
                        cl_event *event)
{
    cl_int status = copy_check(queue, mem, mem, waits);
    size_t buffer_first, buffer_end, host_first, host_end;
    struct ocl_box box;

    if (status != CL_SUCCESS)
        return status;
    if (ptr == NULL || buffer.origin == NULL || host.origin == NULL ||
        !good_region(region) ||
        !place_rect(&buffer, region, &buffer_first, &buffer_end) ||
        !place_rect(&host, region, &host_first, &host_end) || buffer_end > mem->size)
        return CL_INVALID_VALUE;
    if ((mem->flags & (write ? no_write : no_read)) != 0)
        return CL_INVALID_OPERATION;
    box = (struct ocl_box){region[0], region[1], region[2], 0, 0, 0, 0, NULL, NULL};
    box.src_row = write ? host.row : buffer.row;
    box.src_slice = write ? host.slice : buffer.slice;
    box.dst_row = write ? buffer.row : host.row;
    box.dst_slice = write ? buffer.slice : host.slice;
    box.src = write ? ptr + host_first : mem->data + buffer_first;
    box.dst = write ? mem->data + buffer_first : ptr + host_first;
    return submit_copy(
        queue, write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT, &box,
        mem, NULL, waits, blocking, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
    void *ptr, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return host_rect(queue, mem, false, blocking != CL_FALSE,
                     (struct rect){buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                     (struct rect){host_origin, host_row_pitch, host_slice_pitch},
                     region, ptr, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row_pitch,
    size_t buffer_slice_pitch, size_t host_row_pitch, size_t host_slice_pitch,
    const void *ptr, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return host_rect(queue, mem, true, blocking != CL_FALSE,
                     (struct rect){buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                     (struct rect){host_origin, host_row_pitch, host_slice_pitch},
                     region, (uint8_t *)(uintptr_t)ptr, &waits, event);
}

static uintptr_t row_at(const uint8_t *first, size_t i, size_t rows, size_t row,
                        size_t slice)
{
    return (uintptr_t)first + i / rows * slice + i % rows * row;
}

/* Do source and destination share a byte? The rows of both ascend, so that one walk
 * over the two lists tells. */
static bool sides_overlap(const struct ocl_box *b)
{
    size_t count = b->rows * b->slices, i = 0, j = 0;

    while (i < count && j < count) {
        uintptr_t from = row_at(b->src, i, b->rows, b->src_row, b->src_slice);
        uintptr_t to = row_at(b->dst, j, b->rows, b->dst_row, b->dst_slice);

        if (from + b->row_bytes <= to)
            i++;
        else if (to + b->row_bytes <= from)
            j++;
        else
            return true;
    }
    return false;
}

/* The buffer whose memory it is. */
static cl_mem root(cl_mem mem)
{
    return mem->parent != NULL ? mem->parent : mem;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    struct rect from = {src_origin, src_row_pitch, src_slice_pitch};
    struct rect to = {dst_origin, dst_row_pitch, dst_slice_pitch};
    cl_int status = copy_check(queue, src, dst, &waits);
    size_t src_first, src_end, dst_first, dst_end;
    struct ocl_box box;

    if (status != CL_SUCCESS)
        return status;
    if (src_origin == NULL || dst_origin == NULL || !good_region(region) ||
        !place_rect(&from, region, &src_first, &src_end) ||
        !place_rect(&to, region, &dst_first, &dst_end) || src_end > src->size ||
        dst_end > dst->size)
        return CL_INVALID_VALUE;
    if (src == dst && (from.row != to.row || from.slice != to.slice))
        return CL_INVALID_VALUE;
    box = (struct ocl_box){region[0],
                           region[1],
                           region[2],
                           from.row,
                           from.slice,
                           to.row,
                           to.slice,
                           src->data + src_first,
                           dst->data + dst_first};
    if (root(src) == root(dst) && sides_overlap(&box))
        return CL_MEM_COPY_OVERLAP;
    return submit_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, &box, src, dst, &waits,
                       false, event);
}

/* ---- map ----------------------------------------------------------------------- */

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem,
                                                  cl_bool blocking, cl_map_flags flags,
                                                  size_t offset, size_t size,
                                                  cl_uint num_events,
                                                  const cl_event *list, cl_event *event,
                                                  cl_int *errcode_ret)
{
    const cl_map_flags known =
        CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = copy_check(queue, mem, mem, &waits);

    if (status == CL_SUCCESS &&
        (size == 0 || !inside(mem, offset, size) || (flags & ~known) != 0 ||
         ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 &&
          (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0)))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS &&
        (((flags & CL_MAP_READ) != 0 && (mem->flags & no_read) != 0) ||
         ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0 &&
          (mem->flags & no_write) != 0)))
        status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    ocl_lock();
    if (!ocl_mapping_add(mem, mem->data + offset, flags))
        status = CL_OUT_OF_HOST_MEMORY;
    else
        status = ocl_submit_nothing(queue, CL_COMMAND_MAP_BUFFER, mem, &waits,
                                    blocking != CL_FALSE, event);
    if (status != CL_SUCCESS)
        (void)ocl_mapping_remove(mem, mem->data + offset);
    ocl_unlock();
    return ocl_result(errcode_ret, status,
                      status == CL_SUCCESS ? mem->data + offset : NULL);
}
