/* cl_layer.c - this library as a layer between OpenCL's loader and Intel's compute
 * driver (OPENCL_LAYERS, set by igpu run): IL reaches the driver's compiler as that can
 * take it (traces/program/spirv.h). Programs that hide their loader from preloaded
 * libraries, as DPC++'s runtime does, meet it, too. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/drm/drm.h"
#include "traces/program/spirv.h"

static const cl_icd_dispatch *below;

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il,
                                             size_t length, cl_int *error)
{
    uint32_t *mended = NULL;
    size_t bytes = 0;
    cl_program program;

    if (il == NULL || !spirv_mend(il, length, &mended, &bytes) || mended == NULL)
        return below->clCreateProgramWithIL(context, il, length, error);
    program = below->clCreateProgramWithIL(context, mended, bytes, error);
    free(mended);
    return program;
}

static cl_int info_answer(const void *from, size_t bytes, size_t room, void *to,
                          size_t *bytes_ret)
{
    if (to != NULL && room < bytes)
        return CL_INVALID_VALUE;
    if (to != NULL)
        memcpy(to, from, bytes);
    if (bytes_ret != NULL)
        *bytes_ret = bytes;
    return CL_SUCCESS;
}

DRM_PUBLIC cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *to,
                                             size_t *bytes)
{
    static const char own[] = "vigpu";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;

    if (name == CL_LAYER_API_VERSION)
        return info_answer(&version, sizeof(version), room, to, bytes);
    if (name == CL_LAYER_NAME)
        return info_answer(own, sizeof(own), room, to, bytes);
    return CL_INVALID_VALUE;
}

DRM_PUBLIC cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                          const cl_icd_dispatch *target,
                                          cl_uint *own_entries,
                                          const cl_icd_dispatch **own)
{
    static cl_icd_dispatch dispatch;
    const cl_uint most = sizeof(dispatch) / sizeof(void *);
    const cl_uint least =
        offsetof(cl_icd_dispatch, clCreateProgramWithIL) / sizeof(void *) + 1;
    cl_uint known = entries < most ? entries : most;

    if (target == NULL || own_entries == NULL || own == NULL || known < least)
        return CL_INVALID_VALUE;
    memcpy(&dispatch, target, known * sizeof(void *));
    dispatch.clCreateProgramWithIL = create_with_il;
    below = target;
    *own_entries = known;
    *own = &dispatch;
    return CL_SUCCESS;
}
