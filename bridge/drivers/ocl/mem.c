/* mem.c - buffers and what all memory objects share. See ocl.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/setting.h"

static const cl_mem_flags access_flags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

bool ocl_is_buffer(cl_mem mem)
{
    return ocl_is(mem, OCL_MEM) && mem->type == CL_MEM_OBJECT_BUFFER;
}

bool ocl_is_image(cl_mem mem)
{
    return ocl_is(mem, OCL_MEM) && mem->type != CL_MEM_OBJECT_BUFFER &&
           mem->type != CL_MEM_OBJECT_PIPE;
}

static bool at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

cl_int ocl_check_mem_flags(cl_mem_flags flags, const void *host_ptr)
{
    if ((flags & ~(access_flags | pointer_flags | host_flags)) != 0 ||
        !at_most_one(flags & access_flags) || !at_most_one(flags & host_flags) ||
        ((flags & CL_MEM_USE_HOST_PTR) != 0 &&
         (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0))
        return CL_INVALID_VALUE;
    if ((host_ptr != NULL) !=
        ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0))
        return CL_INVALID_HOST_PTR;
    return CL_SUCCESS;
}

/* ---- life ---------------------------------------------------------------------- */

static void call_destructor(void *a, void *b)
{
    struct ocl_destructor *d = b;

    d->fn(a, d->user);
    free(d);
}

void ocl_mem_destroy(void *object)
{
    cl_mem mem = object;
    struct ocl_mapping *mapping, *next;
    struct ocl_destructor *d, *following;

    for (mapping = mem->mapping; mapping != NULL; mapping = next) {
        next = mapping->next;
        free(mapping);
    }
    for (d = mem->destructor; d != NULL; d = following) { /* the last one first */
        following = d->next;
        ocl_later(call_destructor, mem, d);
    }
    if (mem->parent == NULL && mem->va != 0 && !mem->svm)
        ocl_unmap(mem->context, mem->va, ocl_visible_bytes(mem, mem->size), mem->owned);
    else
        free(mem->owned);
    free(mem->properties);
    ocl_drop(mem->parent);
    ocl_drop(mem->context);
}

bool ocl_lenient(void)
{
    return setting_flag(SETTING_LENIENT);
}

size_t ocl_visible_bytes(cl_mem mem, size_t bytes)
{
    size_t grain = ocl_lenient() && mem->owned != NULL ? OCL_ALIGN : 4;

    if (((uintptr_t)mem->data & 3) != 0) /* the host's memory may end with it */
        return bytes;
    return (bytes + grain - 1) / grain * grain;
}

/* Zeroed memory from a page's start, to be freed at *owned; NULL: memory is short. Its
 * pages are the system's, touched only when they are used. */
static uint8_t *zeroed_pages(size_t bytes, void **owned)
{
    *owned = calloc(1, bytes + OCL_ALIGN);
    if (*owned == NULL)
        return NULL;
    return (uint8_t *)*owned + (-(uintptr_t)*owned & (OCL_ALIGN - 1));
}

cl_int ocl_mem_back(cl_mem mem, size_t bytes, cl_mem_flags flags, void *host_ptr)
{
    struct ocl_svm *svm = (flags & CL_MEM_USE_HOST_PTR) != 0
                              ? ocl_svm_find(mem->context, host_ptr)
                              : NULL;
    size_t whole = (bytes + OCL_ALIGN - 1) / OCL_ALIGN * OCL_ALIGN;

    mem->size = bytes;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
        mem->data = host_ptr;
        mem->host_ptr = host_ptr;
    } else {
        mem->data = zeroed_pages(whole, &mem->owned);
        if (mem->data == NULL)
            return CL_MEM_OBJECT_ALLOCATION_FAILURE;
        if ((flags & CL_MEM_COPY_HOST_PTR) != 0)
            memcpy(mem->data, host_ptr, bytes);
    }
    mem->svm = svm != NULL;
    mem->va = svm != NULL
                  ? (uint64_t)(uintptr_t)host_ptr
                  : ocl_map(mem->context, mem->data, ocl_visible_bytes(mem, bytes));
    return mem->va != 0 ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* Of Intel's extensions: memory is the host's anyway. */
static const cl_mem_flags intel_flags =
    CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL | CL_MEM_FORCE_HOST_MEMORY_INTEL;

static cl_int check_properties(const cl_mem_properties *properties)
{
    return properties == NULL || properties[0] == 0 ? CL_SUCCESS : CL_INVALID_PROPERTY;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    size_t size, void *host_ptr, cl_int *errcode_ret)
{
    cl_int status = CL_INVALID_CONTEXT;
    cl_mem mem;

    if (ocl_is(context, OCL_CONTEXT))
        status = check_properties(properties);
    if (status == CL_SUCCESS)
        status = ocl_check_mem_flags(flags & ~intel_flags, host_ptr);
    if (status == CL_SUCCESS && (size == 0 || size > ocl_alloc_limit(flags)))
        status = CL_INVALID_BUFFER_SIZE;
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    mem = ocl_new(OCL_MEM, sizeof(*mem), ocl_mem_destroy);
    if (mem == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    mem->context = context;
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->flags = (flags & access_flags) != 0 ? flags : flags | CL_MEM_READ_WRITE;
    if (properties != NULL) {
        mem->properties = calloc(1, sizeof(*mem->properties));
        mem->properties_count = mem->properties != NULL ? 1 : 0;
    }
    ocl_lock();
    ocl_hold(context);
    status = ocl_mem_back(mem, size, flags, host_ptr);
    ocl_unlock();
    if (status != CL_SUCCESS) {
        (void)ocl_release(mem, OCL_MEM, 0);
        mem = NULL;
    }
    return ocl_result(errcode_ret, status, mem);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags,
                                               size_t size, void *host_ptr,
                                               cl_int *errcode_ret)
{
    return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr,
                                        errcode_ret);
}

cl_int ocl_inherit_flags(cl_mem parent, cl_mem_flags *flags)
{
    cl_mem_flags f = *flags, p = parent->flags;

    if ((f & ~(access_flags | host_flags)) != 0 || !at_most_one(f & access_flags) ||
        !at_most_one(f & host_flags))
        return CL_INVALID_VALUE;
    if (((p & CL_MEM_WRITE_ONLY) && (f & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
        ((p & CL_MEM_READ_ONLY) && (f & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
        ((p & CL_MEM_HOST_WRITE_ONLY) && (f & CL_MEM_HOST_READ_ONLY)) ||
        ((p & CL_MEM_HOST_READ_ONLY) && (f & CL_MEM_HOST_WRITE_ONLY)) ||
        ((p & CL_MEM_HOST_NO_ACCESS) &&
         (f & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
        return CL_INVALID_VALUE;
    if ((f & access_flags) == 0)
        f |= p & access_flags;
    if ((f & host_flags) == 0)
        f |= p & host_flags;
    *flags = f | (p & pointer_flags);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                  cl_buffer_create_type type,
                                                  const void *info, cl_int *errcode_ret)
{
    const cl_buffer_region *region = info;
    cl_int status;
    cl_mem mem;

    if (!ocl_is_buffer(buffer) || buffer->parent != NULL)
        return ocl_result(errcode_ret, CL_INVALID_MEM_OBJECT, NULL);
    status = ocl_inherit_flags(buffer, &flags);
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    if (type != CL_BUFFER_CREATE_TYPE_REGION || region == NULL)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    if (region->size == 0)
        return ocl_result(errcode_ret, CL_INVALID_BUFFER_SIZE, NULL);
    if (region->size > buffer->size || region->origin > buffer->size - region->size)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    if (region->origin % (1024 / 8) != 0) /* CL_DEVICE_MEM_BASE_ADDR_ALIGN bits */
        return ocl_result(errcode_ret, CL_MISALIGNED_SUB_BUFFER_OFFSET, NULL);
    mem = ocl_new(OCL_MEM, sizeof(*mem), ocl_mem_destroy);
    if (mem == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    mem->context = buffer->context;
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->flags = flags;
    mem->size = region->size;
    mem->origin = region->origin;
    mem->parent = buffer;
    mem->data = buffer->data + region->origin;
    mem->va = buffer->va + region->origin;
    if (buffer->host_ptr != NULL)
        mem->host_ptr = (uint8_t *)buffer->host_ptr + region->origin;
    ocl_lock();
    ocl_hold(buffer->context);
    ocl_hold(buffer);
    ocl_unlock();
    return ocl_result(errcode_ret, CL_SUCCESS, mem);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem mem)
{
    return ocl_retain(mem, OCL_MEM, CL_INVALID_MEM_OBJECT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem mem)
{
    return ocl_release(mem, OCL_MEM, CL_INVALID_MEM_OBJECT);
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(
    cl_mem mem, void(CL_CALLBACK *pfn_notify)(cl_mem, void *), void *user_data)
{
    struct ocl_destructor *d;

    if (!ocl_is(mem, OCL_MEM))
        return CL_INVALID_MEM_OBJECT;
    if (pfn_notify == NULL)
        return CL_INVALID_VALUE;
    d = malloc(sizeof(*d));
    if (d == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    ocl_lock();
    *d = (struct ocl_destructor){mem->destructor, (void (*)(void *, void *))pfn_notify,
                                 user_data};
    mem->destructor = d;
    ocl_unlock();
    return CL_SUCCESS;
}

static cl_uint map_count(cl_mem mem)
{
    cl_uint count = 0;

    ocl_lock();
    for (const struct ocl_mapping *m = mem->mapping; m != NULL; m = m->next)
        count++;
    ocl_unlock();
    return count;
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name,
                                                   size_t param_value_size,
                                                   void *param_value,
                                                   size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};

    if (!ocl_is(mem, OCL_MEM))
        return CL_INVALID_MEM_OBJECT;
    switch (param_name) {
    case CL_MEM_TYPE:
        return ocl_answer_uint(&a, mem->type);
    case CL_MEM_FLAGS:
        return ocl_answer_ulong(&a, mem->flags);
    case CL_MEM_SIZE:
        return ocl_answer_size(&a, mem->size);
    case CL_MEM_HOST_PTR:
        return ocl_answer_pointer(&a, mem->host_ptr);
    case CL_MEM_MAP_COUNT:
        return ocl_answer_uint(&a, map_count(mem));
    case CL_MEM_REFERENCE_COUNT:
        return ocl_answer_uint(&a, mem->o.references);
    case CL_MEM_CONTEXT:
        return ocl_answer_pointer(&a, mem->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return ocl_answer_pointer(&a, mem->parent);
    case CL_MEM_OFFSET:
        return ocl_answer_size(&a, mem->origin);
    case CL_MEM_USES_SVM_POINTER:
        return ocl_answer_uint(&a, mem->svm);
    case CL_MEM_PROPERTIES:
        return ocl_answer_bytes(&a, mem->properties,
                                mem->properties_count * sizeof(*mem->properties));
    default:
        return CL_INVALID_VALUE;
    }
}
