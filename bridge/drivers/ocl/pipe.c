/* pipe.c - pipes: memory whose first word, the packets that fit and one, is set here;
 * the rest is what the compiler's functions make of it. The layout is that of Intel's
 * driver: a header of 128 bytes, then the packets. */
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"

enum { HEADER_BYTES = 128 };

bool ocl_is_pipe(cl_mem mem)
{
    return ocl_is(mem, OCL_MEM) && mem->type == CL_MEM_OBJECT_PIPE;
}

static cl_int pipe_check(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                         cl_uint max_packets, const cl_pipe_properties *properties)
{
    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if ((flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)) != 0 ||
        properties != NULL)
        return CL_INVALID_VALUE;
    if (packet_size == 0 || packet_size > OCL_PIPE_PACKET || max_packets == 0)
        return CL_INVALID_PIPE_SIZE;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags,
                                             cl_uint packet_size, cl_uint max_packets,
                                             const cl_pipe_properties *properties,
                                             cl_int *errcode_ret)
{
    uint64_t bytes = (uint64_t)packet_size * ((uint64_t)max_packets + 1) + HEADER_BYTES;
    cl_int status = pipe_check(context, flags, packet_size, max_packets, properties);
    cl_uint first = max_packets + 1;
    cl_mem pipe;

    if (status == CL_SUCCESS && bytes > ocl_max_alloc())
        status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    pipe = ocl_new(OCL_MEM, sizeof(*pipe), ocl_mem_destroy);
    if (pipe == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    pipe->context = context;
    pipe->type = CL_MEM_OBJECT_PIPE;
    pipe->flags = flags != 0 ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    pipe->packet_bytes = packet_size;
    pipe->packets = max_packets;
    ocl_lock();
    ocl_hold(context);
    status = ocl_mem_back(pipe, bytes, 0, NULL);
    if (status == CL_SUCCESS)
        memcpy(pipe->data, &first, sizeof(first));
    ocl_unlock();
    if (status != CL_SUCCESS) {
        (void)ocl_release(pipe, OCL_MEM, 0);
        pipe = NULL;
    }
    return ocl_result(errcode_ret, status, pipe);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info name,
                                              size_t size, void *value, size_t *needed)
{
    const struct ocl_answer a = {size, value, needed};

    if (!ocl_is_pipe(pipe))
        return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_PIPE_PACKET_SIZE:
        return ocl_answer_uint(&a, pipe->packet_bytes);
    case CL_PIPE_MAX_PACKETS:
        return ocl_answer_uint(&a, pipe->packets);
    case CL_PIPE_PROPERTIES:
        return ocl_answer_bytes(&a, NULL, 0);
    default:
        return CL_INVALID_VALUE;
    }
}
