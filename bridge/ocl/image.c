/* image.c - images: the emulator executes none yet, so no device has them, and each
 * function says what OpenCL has it say then. */
#include "bridge/ocl/ocl.h"

cl_bool ocl_has_images(void)
{
    return CL_FALSE;
}

static cl_mem no_image(cl_context context, cl_int *errcode_ret)
{
    return ocl_result(
        errcode_ret,
        ocl_is(context, OCL_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}

static cl_int no_command(cl_command_queue queue)
{
    return ocl_is(queue, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *format,
                                              const cl_image_desc *desc, void *host_ptr,
                                              cl_int *errcode_ret)
{
    (void)flags;
    (void)format;
    (void)desc;
    (void)host_ptr;
    return no_image(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
    cl_int *errcode_ret)
{
    (void)properties;
    return clCreateImage(context, flags, format, desc, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height,
                                                size_t row_pitch, void *host_ptr,
                                                cl_int *errcode_ret)
{
    (void)flags;
    (void)format;
    (void)width;
    (void)height;
    (void)row_pitch;
    (void)host_ptr;
    return no_image(context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height,
                                                size_t depth, size_t row_pitch,
                                                size_t slice_pitch, void *host_ptr,
                                                cl_int *errcode_ret)
{
    (void)depth;
    (void)slice_pitch;
    return clCreateImage2D(context, flags, format, width, height, row_pitch, host_ptr,
                           errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type type,
    cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats)
{
    (void)flags;
    (void)type;
    (void)num_entries;
    (void)formats;
    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (num_formats != NULL)
        *num_formats = 0;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size,
                                               void *param_value,
                                               size_t *param_value_size_ret)
{
    (void)image;
    (void)param_name;
    (void)param_value_size;
    (void)param_value;
    (void)param_value_size_ret;
    return CL_INVALID_MEM_OBJECT;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
    const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    (void)image;
    (void)blocking;
    (void)origin;
    (void)region;
    (void)row_pitch;
    (void)slice_pitch;
    (void)ptr;
    (void)num_events;
    (void)list;
    (void)event;
    return no_command(queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
    const size_t *region, size_t row_pitch, size_t slice_pitch, const void *ptr,
    cl_uint num_events, const cl_event *list, cl_event *event)
{
    return clEnqueueReadImage(queue, image, blocking, origin, region, row_pitch,
                              slice_pitch, (void *)(uintptr_t)ptr, num_events, list,
                              event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, cl_uint num_events,
    const cl_event *list, cl_event *event)
{
    (void)src;
    (void)dst;
    (void)src_origin;
    (void)dst_origin;
    (void)region;
    (void)num_events;
    (void)list;
    (void)event;
    return no_command(queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint num_events, const cl_event *list,
    cl_event *event)
{
    (void)dst_offset;
    return clEnqueueCopyImage(queue, src, dst, src_origin, NULL, region, num_events,
                              list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue queue, cl_mem src, cl_mem dst, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_events,
    const cl_event *list, cl_event *event)
{
    (void)src_offset;
    return clEnqueueCopyImage(queue, src, dst, NULL, dst_origin, region, num_events,
                              list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(
    cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
    const size_t *region, cl_uint num_events, const cl_event *list, cl_event *event)
{
    (void)color;
    return clEnqueueCopyImage(queue, image, image, origin, origin, region, num_events,
                              list, event);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(
    cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
    const size_t *origin, const size_t *region, size_t *row_pitch, size_t *slice_pitch,
    cl_uint num_events, const cl_event *list, cl_event *event, cl_int *errcode_ret)
{
    (void)image;
    (void)blocking;
    (void)flags;
    (void)origin;
    (void)region;
    (void)row_pitch;
    (void)slice_pitch;
    (void)num_events;
    (void)list;
    (void)event;
    return ocl_result(errcode_ret, no_command(queue), NULL);
}
