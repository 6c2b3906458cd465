/* info.c - answers of the clGet*Info functions. See ocl.h. */
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"

cl_int ocl_answer_bytes(const struct ocl_answer *a, const void *data, size_t bytes)
{
    if (a->value != NULL) {
        if (a->size < bytes)
            return CL_INVALID_VALUE;
        if (bytes > 0)
            memcpy(a->value, data, bytes);
    }
    if (a->needed != NULL)
        *a->needed = bytes;
    return CL_SUCCESS;
}

cl_int ocl_answer_text(const struct ocl_answer *a, const char *text)
{
    return ocl_answer_bytes(a, text, strlen(text) + 1);
}

cl_int ocl_answer_uint(const struct ocl_answer *a, cl_uint value)
{
    return ocl_answer_bytes(a, &value, sizeof(value));
}

cl_int ocl_answer_ulong(const struct ocl_answer *a, cl_ulong value)
{
    return ocl_answer_bytes(a, &value, sizeof(value));
}

cl_int ocl_answer_size(const struct ocl_answer *a, size_t value)
{
    return ocl_answer_bytes(a, &value, sizeof(value));
}

cl_int ocl_answer_pointer(const struct ocl_answer *a, const void *pointer)
{
    return ocl_answer_bytes(a, &pointer, sizeof(pointer));
}

void *ocl_result(cl_int *errcode_ret, cl_int status, void *what)
{
    if (errcode_ret != NULL)
        *errcode_ret = status;
    return what;
}
