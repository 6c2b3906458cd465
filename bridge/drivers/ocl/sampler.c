/* sampler.c - samplers. See ocl.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"

static void sampler_destroy(void *object)
{
    cl_sampler sampler = object;

    free(sampler->properties);
    ocl_drop(sampler->context);
}

static bool known(cl_addressing_mode addressing, cl_filter_mode filter,
                  cl_bool normalized)
{
    return addressing >= CL_ADDRESS_NONE && addressing <= CL_ADDRESS_MIRRORED_REPEAT &&
           (filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR) &&
           normalized <= CL_TRUE;
}

static cl_sampler sampler_make(cl_context context, cl_bool normalized,
                               cl_addressing_mode addressing, cl_filter_mode filter,
                               const cl_sampler_properties *properties, size_t count,
                               cl_int *errcode_ret)
{
    cl_sampler sampler;

    if (!known(addressing, filter, normalized))
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    if (!ocl_has_images())
        return ocl_result(errcode_ret, CL_INVALID_OPERATION, NULL);
    sampler = ocl_new(OCL_SAMPLER, sizeof(*sampler), sampler_destroy);
    if (sampler != NULL && count > 0)
        sampler->properties = malloc(count * sizeof(*properties));
    if (sampler == NULL || (count > 0 && sampler->properties == NULL)) {
        free(sampler);
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    }
    if (count > 0)
        memcpy(sampler->properties, properties, count * sizeof(*properties));
    sampler->properties_count = count;
    sampler->context = context;
    sampler->normalized = normalized;
    sampler->addressing = addressing;
    sampler->filter = filter;
    ocl_lock();
    ocl_hold(context);
    ocl_unlock();
    return ocl_result(errcode_ret, CL_SUCCESS, sampler);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context,
                                                    cl_bool normalized,
                                                    cl_addressing_mode addressing,
                                                    cl_filter_mode filter,
                                                    cl_int *errcode_ret)
{
    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    return sampler_make(context, normalized, addressing, filter, NULL, 0, errcode_ret);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret)
{
    cl_sampler_properties normalized = CL_TRUE, addressing = CL_ADDRESS_CLAMP,
                          filter = CL_FILTER_NEAREST;
    unsigned seen = 0, bit;
    size_t n = 0;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    for (; properties != NULL && properties[n] != 0; n += 2) {
        bit = 1;
        if (properties[n] == CL_SAMPLER_NORMALIZED_COORDS) {
            normalized = properties[n + 1];
        } else if (properties[n] == CL_SAMPLER_ADDRESSING_MODE) {
            addressing = properties[n + 1];
            bit = 2;
        } else if (properties[n] == CL_SAMPLER_FILTER_MODE) {
            filter = properties[n + 1];
            bit = 4;
        } else {
            return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
        }
        if ((seen & bit) != 0)
            return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
        seen |= bit;
    }
    return sampler_make(context, (cl_bool)normalized, (cl_addressing_mode)addressing,
                        (cl_filter_mode)filter, properties,
                        properties != NULL ? n + 1 : 0, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
    return ocl_retain(sampler, OCL_SAMPLER, CL_INVALID_SAMPLER);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
    return ocl_release(sampler, OCL_SAMPLER, CL_INVALID_SAMPLER);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler,
                                                 cl_sampler_info param_name,
                                                 size_t param_value_size,
                                                 void *param_value,
                                                 size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};

    if (!ocl_is(sampler, OCL_SAMPLER))
        return CL_INVALID_SAMPLER;
    switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return ocl_answer_uint(&a, sampler->o.references);
    case CL_SAMPLER_CONTEXT:
        return ocl_answer_pointer(&a, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return ocl_answer_uint(&a, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return ocl_answer_uint(&a, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return ocl_answer_uint(&a, sampler->filter);
    case CL_SAMPLER_PROPERTIES:
        return ocl_answer_bytes(&a, sampler->properties,
                                sampler->properties_count *
                                    sizeof(*sampler->properties));
    default:
        return CL_INVALID_VALUE;
    }
}
