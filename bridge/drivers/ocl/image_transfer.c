/* image_transfer.c - commands on images: read, write, copy, fill, map. See ocl.h. */
#include <string.h>

#include "bridge/drivers/ocl/image.h"

static const cl_mem_flags no_read = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags no_write = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/* ---- boxes of texels ------------------------------------------------------------ */

/* Sizes as origin and region count them: a 1-D array's layers are its second. */
static void extent(cl_mem image, size_t size[3])
{
    const struct emu_image *i = &image->image;

    size[0] = i->width;
    size[1] = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? i->array_size : i->height;
    size[2] = image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? i->array_size : i->depth;
}

/* Is the box origin + region inside the image, as its kind counts dimensions? */
static bool ocl_image_inside(cl_mem image, const size_t *origin, const size_t *region)
{
    size_t size[3];

    if (origin == NULL || region == NULL)
        return false;
    extent(image, size);
    for (unsigned i = 0; i < 3; i++)
        if (region[i] == 0 || region[i] > size[i] || origin[i] > size[i] - region[i])
            return false;
    return true;
}

/* The distance of what counts as rows of a region: layers in 1-D arrays. */
static size_t ocl_image_row(cl_mem image)
{
    return (size_t)(image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY
                        ? image->image.slice_pitch
                        : image->image.row_pitch);
}

/* The texel at origin. */
static uint8_t *ocl_image_at(cl_mem image, const size_t *origin)
{
    return image->data + origin[0] * image->pixel_bytes +
           origin[1] * ocl_image_row(image) + origin[2] * image->image.slice_pitch;
}

static cl_int transfer_check(cl_command_queue queue, cl_mem a, cl_mem b,
                             const struct ocl_wait_list *waits)
{
    if (!ocl_is(queue, OCL_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!ocl_is(a, OCL_MEM) || !ocl_is(b, OCL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (a->context != queue->context || b->context != queue->context)
        return CL_INVALID_CONTEXT;
    return ocl_check_waits(queue->context, waits);
}

static cl_int submit(cl_command_queue queue, cl_command_type type,
                     const struct ocl_box *box, cl_mem a, cl_mem b,
                     const struct ocl_wait_list *waits, bool blocking, cl_event *event)
{
    cl_int status;

    ocl_lock();
    status = ocl_submit_copy(queue, type, box, a, b, waits, blocking, event);
    ocl_unlock();
    return status;
}

/* The box with the image's side as source or destination. */
static struct ocl_box box_of(cl_mem image, const size_t *region, bool image_is_source,
                             const size_t *origin)
{
    struct ocl_box box = {.row_bytes = region[0] * image->pixel_bytes,
                          .rows = region[1],
                          .slices = region[2]};

    if (image_is_source) {
        box.src = ocl_image_at(image, origin);
        box.src_row = ocl_image_row(image);
        box.src_slice = (size_t)image->image.slice_pitch;
    } else {
        box.dst = ocl_image_at(image, origin);
        box.dst_row = ocl_image_row(image);
        box.dst_slice = (size_t)image->image.slice_pitch;
    }
    return box;
}

/* ---- host memory ----------------------------------------------------------------- */

/* Complete the host's pitches; a 1-D array's rows are its slices. */
static bool host_pitches(cl_mem image, const size_t *region, size_t *row, size_t *slice)
{
    size_t least = region[0] * image->pixel_bytes;
    bool layered = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

    if (*row == 0)
        *row = least;
    if (*row < least)
        return false;
    if (layered) {
        *slice = *slice != 0 ? *slice : *row;
        least = *row;
        *row = *slice;
        return *slice >= least;
    }
    if (*slice == 0)
        *slice = *row * region[1];
    return region[2] == 1 || *slice >= *row * region[1];
}

static cl_int host_copy(cl_command_queue queue, cl_mem image, bool write, bool blocking,
                        const size_t *origin, const size_t *region, size_t row,
                        size_t slice, uint8_t *ptr, const struct ocl_wait_list *waits,
                        cl_event *event)
{
    cl_int status = transfer_check(queue, image, image, waits);
    struct ocl_box box;

    if (status != CL_SUCCESS)
        return status;
    if (!ocl_is_image(image))
        return CL_INVALID_MEM_OBJECT;
    if (ptr == NULL || !ocl_image_inside(image, origin, region) ||
        !host_pitches(image, region, &row, &slice))
        return CL_INVALID_VALUE;
    if ((image->flags & (write ? no_write : no_read)) != 0)
        return CL_INVALID_OPERATION;
    box = box_of(image, region, !write, origin);
    if (write) {
        box.src = ptr;
        box.src_row = row;
        box.src_slice = slice;
    } else {
        box.dst = ptr;
        box.dst_row = row;
        box.dst_slice = slice;
    }
    return submit(queue, write ? CL_COMMAND_WRITE_IMAGE : CL_COMMAND_READ_IMAGE, &box,
                  image, NULL, waits, blocking, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
    const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return host_copy(queue, image, false, blocking != CL_FALSE, origin, region,
                     row_pitch, slice_pitch, ptr, &waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
    const size_t *region, size_t row_pitch, size_t slice_pitch, const void *ptr,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return host_copy(queue, image, true, blocking != CL_FALSE, origin, region,
                     row_pitch, slice_pitch, (uint8_t *)(uintptr_t)ptr, &waits, event);
}

/* ---- copies on the device ---------------------------------------------------------
 */

static bool same_format(cl_mem a, cl_mem b)
{
    return a->format.image_channel_order == b->format.image_channel_order &&
           a->format.image_channel_data_type == b->format.image_channel_data_type;
}

static bool boxes_overlap(const size_t *a, const size_t *b, const size_t *region)
{
    for (unsigned i = 0; i < 3; i++)
        if (a[i] + region[i] <= b[i] || b[i] + region[i] <= a[i])
            return false;
    return true;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, cl_uint num_events,
    const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = transfer_check(queue, src, dst, &waits);
    struct ocl_box box, to;

    if (status != CL_SUCCESS)
        return status;
    if (!ocl_is_image(src) || !ocl_is_image(dst))
        return CL_INVALID_MEM_OBJECT;
    if (!same_format(src, dst))
        return CL_IMAGE_FORMAT_MISMATCH;
    if (!ocl_image_inside(src, src_origin, region) ||
        !ocl_image_inside(dst, dst_origin, region))
        return CL_INVALID_VALUE;
    if (src == dst && boxes_overlap(src_origin, dst_origin, region))
        return CL_MEM_COPY_OVERLAP;
    box = box_of(src, region, true, src_origin);
    to = box_of(dst, region, false, dst_origin);
    box.dst = to.dst;
    box.dst_row = to.dst_row;
    box.dst_slice = to.dst_slice;
    return submit(queue, CL_COMMAND_COPY_IMAGE, &box, src, dst, &waits, false, event);
}

/* Between an image and the packed texels at an offset of a buffer. */
static cl_int buffer_copy(cl_command_queue queue, cl_mem image, cl_mem buffer,
                          bool to_image, const size_t *origin, const size_t *region,
                          size_t offset, const struct ocl_wait_list *waits,
                          cl_event *event)
{
    cl_int status = transfer_check(queue, image, buffer, waits);
    struct ocl_box box;
    size_t bytes;

    if (status != CL_SUCCESS)
        return status;
    if (!ocl_is_image(image) || !ocl_is_buffer(buffer))
        return CL_INVALID_MEM_OBJECT;
    if (!ocl_image_inside(image, origin, region))
        return CL_INVALID_VALUE;
    box = box_of(image, region, !to_image, origin);
    bytes = box.row_bytes * box.rows * box.slices;
    if (bytes > buffer->size || offset > buffer->size - bytes)
        return CL_INVALID_VALUE;
    if (to_image) {
        box.src = buffer->data + offset;
        box.src_row = box.row_bytes;
        box.src_slice = box.row_bytes * box.rows;
    } else {
        box.dst = buffer->data + offset;
        box.dst_row = box.row_bytes;
        box.dst_slice = box.row_bytes * box.rows;
    }
    return submit(queue,
                  to_image ? CL_COMMAND_COPY_BUFFER_TO_IMAGE
                           : CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                  &box, image, buffer, waits, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint num_events, const cl_event *list,
    cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return buffer_copy(queue, src, dst, false, src_origin, region, dst_offset, &waits,
                       event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue queue, cl_mem src, cl_mem dst, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_events,
    const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};

    return buffer_copy(queue, dst, src, true, dst_origin, region, src_offset, &waits,
                       event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(
    cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
    const size_t *region, cl_uint num_events, const cl_event *list, cl_event *event)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = transfer_check(queue, image, image, &waits);
    uint32_t rgba[4];
    uint8_t texel[16];
    struct ocl_box box;

    if (status != CL_SUCCESS)
        return status;
    if (!ocl_is_image(image))
        return CL_INVALID_MEM_OBJECT;
    if (color == NULL || !ocl_image_inside(image, origin, region))
        return CL_INVALID_VALUE;
    memset(rgba, 0, sizeof(rgba)); /* a depth image takes one float */
    memcpy(rgba, color, image->format.image_channel_order == CL_DEPTH ? 4 : 16);
    image_pack(image->image.order, image->image.type, rgba, texel);
    box = box_of(image, region, false, origin);
    ocl_lock();
    status = ocl_submit_fill(queue, CL_COMMAND_FILL_IMAGE, &box, texel,
                             image->pixel_bytes, image, &waits, event);
    ocl_unlock();
    return status;
}

/* ---- map ----------------------------------------------------------------------- */

static cl_int check_map(cl_mem image, cl_map_flags flags, const size_t *origin,
                        const size_t *region, const size_t *row_pitch,
                        const size_t *slice_pitch)
{
    const cl_map_flags known =
        CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    bool deep = image->type != CL_MEM_OBJECT_IMAGE1D &&
                image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
                image->type != CL_MEM_OBJECT_IMAGE2D;

    if (!ocl_image_inside(image, origin, region) || row_pitch == NULL ||
        (deep && slice_pitch == NULL) || (flags & ~known) != 0 ||
        ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 &&
         (flags & (CL_MAP_READ | CL_MAP_WRITE)) != 0))
        return CL_INVALID_VALUE;
    if (((flags & CL_MAP_READ) != 0 && (image->flags & no_read) != 0) ||
        ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0 &&
         (image->flags & no_write) != 0))
        return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
    const size_t *origin, const size_t *region, size_t *row_pitch, size_t *slice_pitch,
    cl_uint num_events, const cl_event *list, cl_event *event, cl_int *errcode_ret)
{
    const struct ocl_wait_list waits = {num_events, list};
    cl_int status = transfer_check(queue, image, image, &waits);
    uint8_t *pointer = NULL;

    if (status == CL_SUCCESS && !ocl_is_image(image))
        status = CL_INVALID_MEM_OBJECT;
    if (status == CL_SUCCESS)
        status = check_map(image, flags, origin, region, row_pitch, slice_pitch);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    pointer = ocl_image_at(image, origin);
    ocl_lock();
    if (!ocl_mapping_add(image, pointer, flags))
        status = CL_OUT_OF_HOST_MEMORY;
    else
        status = ocl_submit_nothing(queue, CL_COMMAND_MAP_IMAGE, image, &waits,
                                    blocking != CL_FALSE, event);
    if (status != CL_SUCCESS)
        (void)ocl_mapping_remove(image, pointer);
    ocl_unlock();
    *row_pitch = (size_t)image->image.row_pitch;
    if (slice_pitch != NULL)
        *slice_pitch = image->type == CL_MEM_OBJECT_IMAGE2D ||
                               image->type == CL_MEM_OBJECT_IMAGE1D ||
                               image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER
                           ? 0
                           : (size_t)image->image.slice_pitch;
    return ocl_result(errcode_ret, status, status == CL_SUCCESS ? pointer : NULL);
}
