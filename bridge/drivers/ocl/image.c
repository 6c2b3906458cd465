/* image.c - image objects: formats, creation, information. The device sees an image as
 * linear memory with a description (igpu/image.h). See ocl.h. */
#include "bridge/drivers/ocl/image.h"

#include <stdlib.h>
#include <string.h>

static const cl_mem_flags read_and_write = CL_MEM_KERNEL_READ_AND_WRITE;

/* ---- formats ------------------------------------------------------------------- */

static const cl_channel_order order[] = {
#define ORDER(id, number, word) number,
    IMAGE_ORDERS(ORDER)
#undef ORDER
};
static const cl_channel_type type[] = {
#define TYPE(id, number, word) number,
    IMAGE_TYPES(TYPE)
#undef TYPE
};
enum {
    ORDERS = sizeof(order) / sizeof(order[0]),
    TYPES = sizeof(type) / sizeof(type[0])
};

/* Can an image of this kind and use have the format? sRGB can only be read, depth has
 * two dimensions; a kernel that reads and writes one image has neither. */
static bool is_supported(cl_mem_flags flags, cl_mem_object_type kind,
                         const cl_image_format *f)
{
    if (image_texel_bytes(f->image_channel_order, f->image_channel_data_type) == 0)
        return false;
    if (f->image_channel_order == CL_sRGBA || f->image_channel_order == CL_sBGRA)
        return (flags & CL_MEM_READ_ONLY) != 0 &&
               (flags & CL_MEM_KERNEL_READ_AND_WRITE) == 0;
    if (f->image_channel_order == CL_DEPTH)
        return (flags & CL_MEM_KERNEL_READ_AND_WRITE) == 0 &&
               (kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY);
    return true;
}

/* Does OpenCL know the format at all? */
static bool is_format(const cl_image_format *f)
{
    bool packed = f->image_channel_data_type == CL_UNORM_SHORT_565 ||
                  f->image_channel_data_type == CL_UNORM_SHORT_555 ||
                  f->image_channel_data_type == CL_UNORM_INT_101010;
    bool rgb = f->image_channel_order == CL_RGB || f->image_channel_order == CL_RGBx;
    bool known = f->image_channel_order >= CL_R && f->image_channel_order <= CL_ABGR &&
                 f->image_channel_data_type >= CL_SNORM_INT8 &&
                 f->image_channel_data_type <= CL_UNORM_INT_101010_2;

    if (!known || packed != rgb)
        return false;
    switch (f->image_channel_order) {
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
        return f->image_channel_data_type == CL_UNORM_INT8 ||
               f->image_channel_data_type == CL_SNORM_INT8 ||
               f->image_channel_data_type == CL_SIGNED_INT8 ||
               f->image_channel_data_type == CL_UNSIGNED_INT8;
    case CL_INTENSITY:
    case CL_LUMINANCE:
        return f->image_channel_data_type <= CL_UNORM_INT16 ||
               f->image_channel_data_type >= CL_HALF_FLOAT;
    default:
        return true;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
    cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats)
{
    cl_uint count = 0;

    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (image_type < CL_MEM_OBJECT_IMAGE2D ||
        image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER ||
        (num_entries == 0 && formats != NULL) ||
        ocl_check_mem_flags(flags & ~read_and_write, NULL) == CL_INVALID_VALUE)
        return CL_INVALID_VALUE;
    for (unsigned o = 0; o < ORDERS; o++)
        for (unsigned t = 0; t < TYPES; t++) {
            const cl_image_format f = {order[o], type[t]};

            if (!is_supported(flags, image_type, &f))
                continue;
            if (formats != NULL && count < num_entries)
                formats[count] = f;
            count++;
        }
    if (num_formats != NULL)
        *num_formats = count;
    return CL_SUCCESS;
}

/* ---- creation ------------------------------------------------------------------ */

static const struct {
    cl_mem_object_type type;
    uint8_t kind;
} kinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, IMAGE_1D},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, IMAGE_1D_BUFFER},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, IMAGE_1D_ARRAY},
    {CL_MEM_OBJECT_IMAGE2D, IMAGE_2D},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, IMAGE_2D_ARRAY},
    {CL_MEM_OBJECT_IMAGE3D, IMAGE_3D},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool is_array(cl_mem_object_type t)
{
    return t == CL_MEM_OBJECT_IMAGE1D_ARRAY || t == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static bool has_height(cl_mem_object_type t)
{
    return t == CL_MEM_OBJECT_IMAGE2D || t == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           t == CL_MEM_OBJECT_IMAGE3D;
}

/* The description as the device takes it, with limits checked. */
static cl_int image_describe(const cl_image_format *f, const cl_image_desc *d,
                             bool has_host, struct emu_image *image)
{
    uint64_t widest = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? IMAGE_MAX_BUFFER
                                                                    : IMAGE_MAX_SIDE;
    unsigned i = 0;

    while (i < KINDS && kinds[i].type != d->image_type)
        i++;
    if (i == KINDS || d->num_mip_levels != 0 || d->num_samples != 0 ||
        (!has_host && (d->image_row_pitch != 0 || d->image_slice_pitch != 0)))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (d->image_width == 0 || d->image_width > widest ||
        (has_height(d->image_type) &&
         (d->image_height == 0 || d->image_height > IMAGE_MAX_SIDE)) ||
        (d->image_type == CL_MEM_OBJECT_IMAGE3D &&
         (d->image_depth == 0 || d->image_depth > IMAGE_MAX_DEPTH)) ||
        (is_array(d->image_type) &&
         (d->image_array_size == 0 || d->image_array_size > IMAGE_MAX_DEPTH)))
        return CL_INVALID_IMAGE_SIZE;
    *image = (struct emu_image){
        .kind = kinds[i].kind,
        .order = f->image_channel_order,
        .type = f->image_channel_data_type,
        .width = (uint32_t)d->image_width,
        .height = has_height(d->image_type) ? (uint32_t)d->image_height : 1,
        .depth = d->image_type == CL_MEM_OBJECT_IMAGE3D ? (uint32_t)d->image_depth : 1,
        .array_size = is_array(d->image_type) ? (uint32_t)d->image_array_size : 1};
    return CL_SUCCESS;
}

static size_t layers(const struct emu_image *image)
{
    return (size_t)image->depth * image->array_size;
}

/* Copy the host's image into ours, whose pitches are the tightest. */
static void copy_in(cl_mem mem, const struct emu_image *from, const uint8_t *host)
{
    const struct emu_image *to = &mem->image;
    size_t row = (size_t)to->width * mem->pixel_bytes;

    for (size_t z = 0; z < layers(to); z++)
        for (size_t y = 0; y < to->height; y++)
            memcpy(mem->data + z * to->slice_pitch + y * to->row_pitch,
                   host + z * from->slice_pitch + y * from->row_pitch, row);
}

/* An image over a buffer's memory. */
static cl_int back_with_buffer(cl_mem mem, cl_mem buffer, const cl_image_desc *d)
{
    uint64_t bytes;

    mem->image.row_pitch = d->image_row_pitch;
    mem->image.linear = true;
    if (image_layout(&mem->image, &bytes, NULL) != IGPU_OK)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (bytes > buffer->size)
        return CL_INVALID_IMAGE_SIZE;
    mem->parent = buffer;
    ocl_hold(buffer);
    mem->data = buffer->data;
    mem->va = buffer->va;
    mem->size = (size_t)bytes;
    mem->host_ptr = buffer->host_ptr;
    return CL_SUCCESS;
}

static cl_int back_with_memory(cl_mem mem, cl_mem_flags flags, const cl_image_desc *d,
                               void *host_ptr)
{
    struct emu_image host = mem->image;
    uint64_t bytes;
    cl_int status;

    host.row_pitch = d->image_row_pitch;
    host.slice_pitch = d->image_slice_pitch;
    if (image_layout(&host, &bytes, NULL) != IGPU_OK)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
        mem->image = host;
        mem->image.linear = true;
        return ocl_mem_back(mem, (size_t)bytes, flags, host_ptr);
    }
    if (image_layout(&mem->image, &bytes, NULL) != IGPU_OK)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    bytes = image_footprint(&mem->image);
    if (bytes > ocl_max_alloc())
        return CL_INVALID_IMAGE_SIZE;
    status = ocl_mem_back(mem, (size_t)bytes,
                          flags & ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR, NULL);
    if (status == CL_SUCCESS && (flags & CL_MEM_COPY_HOST_PTR) != 0)
        copy_in(mem, &host, host_ptr);
    return status;
}

/* The buffer that an image shall be of. */
static cl_int check_buffer(cl_context context, const cl_image_desc *desc,
                           cl_mem_flags *flags, const void *host_ptr)
{
    cl_mem buffer = desc->mem_object;
    cl_mem_flags own = *flags & ~read_and_write;
    cl_int status;

    if (!ocl_is_buffer(buffer) || buffer->context != context ||
        (desc->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
         desc->image_type != CL_MEM_OBJECT_IMAGE2D))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    status = ocl_inherit_flags(buffer, &own);
    *flags = own | (*flags & read_and_write);
    return status == CL_SUCCESS && host_ptr != NULL ? CL_INVALID_HOST_PTR : status;
}

/* Completes the flags. */
static cl_int image_check(cl_context context, cl_mem_flags *flags,
                          const cl_image_format *format, const cl_image_desc *desc,
                          void *host_ptr, struct emu_image *image)
{
    cl_int flags_status = ocl_check_mem_flags(*flags & ~read_and_write, host_ptr),
           status;
    bool of_buffer = desc != NULL && desc->mem_object != NULL;

    if (!of_buffer && flags_status == CL_INVALID_VALUE)
        return CL_INVALID_VALUE;
    if (format == NULL || !is_format(format))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (desc == NULL ||
        (!of_buffer && desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    status = of_buffer ? check_buffer(context, desc, flags, host_ptr) : CL_SUCCESS;
    if (status == CL_SUCCESS)
        status = image_describe(format, desc, host_ptr != NULL || of_buffer, image);
    if (status == CL_SUCCESS && !of_buffer)
        status = flags_status;
    if (status != CL_SUCCESS)
        return status;
    if ((*flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE)) == 0)
        *flags |= CL_MEM_READ_WRITE;
    return is_supported(*flags, desc->image_type, format)
               ? CL_SUCCESS
               : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
    cl_int *errcode_ret)
{
    struct emu_image image;
    cl_int status;
    cl_mem mem;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    if (properties != NULL && properties[0] != 0)
        return ocl_result(errcode_ret, CL_INVALID_PROPERTY, NULL);
    status = image_check(context, &flags, format, desc, host_ptr, &image);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    mem = ocl_new(OCL_MEM, sizeof(*mem), ocl_mem_destroy);
    if (mem == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    mem->context = context;
    mem->type = desc->image_type;
    mem->flags = flags;
    if (properties != NULL) {
        mem->properties = calloc(1, sizeof(*mem->properties));
        mem->properties_count = mem->properties != NULL ? 1 : 0;
    }
    mem->format = *format;
    mem->image = image;
    mem->pixel_bytes = image_texel_bytes(image.order, image.type);
    ocl_lock();
    ocl_hold(context);
    status = desc->mem_object != NULL ? back_with_buffer(mem, desc->mem_object, desc)
                                      : back_with_memory(mem, flags, desc, host_ptr);
    ocl_unlock();
    if (status != CL_SUCCESS) {
        (void)ocl_release(mem, OCL_MEM, 0);
        mem = NULL;
    } else {
        mem->image.va = mem->va;
    }
    return ocl_result(errcode_ret, status, mem);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *format,
                                              const cl_image_desc *desc, void *host_ptr,
                                              cl_int *errcode_ret)
{
    return clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr,
                                       errcode_ret);
}

/* OpenCL 1.1 has its own word for what is wrong with a size or pitch. */
static cl_mem create_old(cl_context context, cl_mem_flags flags,
                         const cl_image_format *format, const cl_image_desc *desc,
                         void *host_ptr, cl_int *errcode_ret)
{
    cl_int status;
    cl_mem mem = clCreateImage(context, flags, format, desc, host_ptr, &status);

    return ocl_result(
        errcode_ret,
        status == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : status, mem);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height,
                                                size_t row_pitch, void *host_ptr,
                                                cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = width,
                                .image_height = height,
                                .image_row_pitch = row_pitch};

    return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *format,
                                                size_t width, size_t height,
                                                size_t depth, size_t row_pitch,
                                                size_t slice_pitch, void *host_ptr,
                                                cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = width,
                                .image_height = height,
                                .image_depth = depth,
                                .image_row_pitch = row_pitch,
                                .image_slice_pitch = slice_pitch};

    return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size,
                                               void *param_value,
                                               size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    const struct emu_image *i;
    bool deep;

    if (!ocl_is_image(image))
        return CL_INVALID_MEM_OBJECT;
    i = &image->image;
    deep = image->type == CL_MEM_OBJECT_IMAGE3D || is_array(image->type);
    switch (param_name) {
    case CL_IMAGE_FORMAT:
        return ocl_answer_bytes(&a, &image->format, sizeof(image->format));
    case CL_IMAGE_ELEMENT_SIZE:
        return ocl_answer_size(&a, image->pixel_bytes);
    case CL_IMAGE_ROW_PITCH:
        return ocl_answer_size(&a, (size_t)i->row_pitch);
    case CL_IMAGE_SLICE_PITCH:
        return ocl_answer_size(&a, deep ? (size_t)i->slice_pitch : 0);
    case CL_IMAGE_WIDTH:
        return ocl_answer_size(&a, i->width);
    case CL_IMAGE_HEIGHT:
        return ocl_answer_size(&a, has_height(image->type) ? i->height : 0);
    case CL_IMAGE_DEPTH:
        return ocl_answer_size(&a, image->type == CL_MEM_OBJECT_IMAGE3D ? i->depth : 0);
    case CL_IMAGE_ARRAY_SIZE:
        return ocl_answer_size(&a, is_array(image->type) ? i->array_size : 0);
    case CL_IMAGE_BUFFER:
        return ocl_answer_pointer(&a, image->parent);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return ocl_answer_uint(&a, 0);
    default:
        return CL_INVALID_VALUE;
    }
}
