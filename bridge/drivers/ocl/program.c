/* program.c - program objects and what they tell. Building: program_build.c. */
#include "bridge/drivers/ocl/program.h"

#include <stdlib.h>
#include <string.h>

void ocl_build_clear(cl_program program, struct ocl_build *build)
{
    if (build->image != NULL) {
        for (uint32_t i = 0; i < build->image->kernels; i++)
            if (build->code[i].ready)
                record_close(&build->code[i].record);
        for (uint32_t i = 0; i < build->image->datas; i++)
            if (build->image->data[i].address != 0)
                ocl_unmap(program->context, build->image->data[i].address,
                          build->image->data[i].bytes, NULL);
        loader_free(build->image);
    }
    free(build->code);
    free(build->binary);
    free(build->offered);
    free(build->options);
    free(build->log);
    memset(build, 0, sizeof(*build));
    build->status = CL_BUILD_NONE;
}

static void program_destroy(void *object)
{
    cl_program program = object;

    for (cl_uint i = 0; i < program->devices; i++)
        ocl_build_clear(program, &program->build[i]);
    free(program->source);
    free(program->il);
    ocl_drop(program->context);
}

cl_program ocl_program_new(cl_context context, cl_uint devices,
                           const cl_device_id *device)
{
    cl_program program = ocl_new(OCL_PROGRAM, sizeof(*program), program_destroy);

    if (program == NULL)
        return NULL;
    program->context = context;
    program->devices = devices;
    for (cl_uint i = 0; i < devices; i++) {
        program->device[i] = device[i];
        program->build[i].status = CL_BUILD_NONE;
    }
    ocl_lock();
    ocl_hold(context);
    ocl_unlock();
    return program;
}

/* ---- creation ------------------------------------------------------------------ */

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context,
                                                              cl_uint count,
                                                              const char **strings,
                                                              const size_t *lengths,
                                                              cl_int *errcode_ret)
{
    cl_program program;
    size_t total = 0, at = 0;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    if (count == 0 || strings == NULL)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    for (cl_uint i = 0; i < count; i++) {
        if (strings[i] == NULL)
            return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
        total += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    }
    program = ocl_program_new(context, context->devices, context->device);
    if (program != NULL)
        program->source = malloc(total + 1);
    if (program == NULL || program->source == NULL) {
        (void)ocl_release(program, OCL_PROGRAM, 0);
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    }
    for (cl_uint i = 0; i < count; i++) {
        size_t n = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);

        memcpy(program->source + at, strings[i], n);
        at += n;
    }
    program->source[at] = '\0';
    return ocl_result(errcode_ret, CL_SUCCESS, program);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context,
                                                          const void *il, size_t length,
                                                          cl_int *errcode_ret)
{
    cl_program program;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    if (il == NULL || length == 0 || ocl_form_of(il, length) != COMPILE_SPIRV)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    program = ocl_program_new(context, context->devices, context->device);
    if (program != NULL)
        program->il = malloc(length);
    if (program == NULL || program->il == NULL) {
        (void)ocl_release(program, OCL_PROGRAM, 0);
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    }
    memcpy(program->il, il, length);
    program->il_bytes = length;
    return ocl_result(errcode_ret, CL_SUCCESS, program);
}

/* Adopt a copy of a binary. */
static cl_int take_binary(cl_context context, struct ocl_build *build,
                          const unsigned char *binary, size_t bytes)
{
    enum compile_form form;
    struct igpu_err err = {.text = ""};

    if (binary == NULL || bytes == 0)
        return CL_INVALID_VALUE;
    form = ocl_form_of(binary, bytes);
    if (form == COMPILE_SOURCE) {
        ocl_report(context, "clCreateProgramWithBinary: neither a program of Intel's "
                            "compiler (ELF) nor SPIR-V");
        return CL_INVALID_BINARY;
    }
    if (form == COMPILE_ZEBIN) { /* would it load? */
        struct loader_program *image = NULL;

        if (ocl_open_image(binary, bytes, &image, &err) != IGPU_OK) {
            ocl_report(context, err.text);
            return CL_INVALID_BINARY;
        }
        loader_free(image);
    }
    build->binary = malloc(bytes);
    if (build->binary == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(build->binary, binary, bytes);
    build->bytes = bytes;
    build->type = form == COMPILE_ZEBIN   ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                  : form == COMPILE_SPIRV ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
                                          : CL_PROGRAM_BINARY_TYPE_LIBRARY;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(
    cl_context context, cl_uint num_devices, const cl_device_id *device_list,
    const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
    cl_int *errcode_ret)
{
    cl_int status = CL_SUCCESS, one;
    cl_program program;

    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    if (num_devices == 0 || device_list == NULL || lengths == NULL || binaries == NULL)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!ocl_is(device_list[i], OCL_DEVICE) ||
            !ocl_context_has(context, device_list[i]) || i >= OCL_DEVICES)
            return ocl_result(errcode_ret, CL_INVALID_DEVICE, NULL);
    program = ocl_program_new(context, num_devices, device_list);
    if (program == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    program->from_binary = true;
    for (cl_uint i = 0; i < num_devices; i++) {
        one = take_binary(context, &program->build[i], binaries[i], lengths[i]);
        if (binary_status != NULL)
            binary_status[i] = one;
        status = status != CL_SUCCESS ? status : one;
    }
    if (status != CL_SUCCESS) {
        (void)ocl_release(program, OCL_PROGRAM, 0);
        program = NULL;
    }
    return ocl_result(errcode_ret, status, program);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint num_devices, const cl_device_id *device_list,
    const char *names, cl_int *errcode_ret)
{
    if (!ocl_is(context, OCL_CONTEXT))
        return ocl_result(errcode_ret, CL_INVALID_CONTEXT, NULL);
    if (num_devices == 0 || device_list == NULL || names == NULL)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!ocl_is(device_list[i], OCL_DEVICE) ||
            !ocl_context_has(context, device_list[i]))
            return ocl_result(errcode_ret, CL_INVALID_DEVICE, NULL);
    return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL); /* there are none */
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program)
{
    return ocl_retain(program, OCL_PROGRAM, CL_INVALID_PROGRAM);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
    return ocl_release(program, OCL_PROGRAM, CL_INVALID_PROGRAM);
}

/* Deprecated, and not offered: no program has initializers or finalizers. */
CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *pfn_notify)(cl_program, void *),
    void *user_data)
{
    (void)pfn_notify;
    (void)user_data;
    return ocl_is(program, OCL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program,
                                                                   cl_uint id,
                                                                   size_t size,
                                                                   const void *value)
{
    (void)id;
    (void)size;
    (void)value;
    if (!ocl_is(program, OCL_PROGRAM) || program->il == NULL)
        return CL_INVALID_PROGRAM;
    return CL_INVALID_OPERATION; /* the offline compiler takes none */
}

/* ---- information --------------------------------------------------------------- */

struct ocl_build *ocl_program_build(cl_program program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->devices; i++)
        if (program->device[i] == device)
            return &program->build[i];
    return NULL;
}

const struct loader_kernel *ocl_build_kernel(const struct ocl_build *build,
                                             const char *name, uint32_t *index)
{
    for (uint32_t i = 0; build->image != NULL && i < build->image->kernels; i++)
        if (strcmp(build->image->kernel[i].name, name) == 0) {
            *index = i;
            return &build->image->kernel[i];
        }
    return NULL;
}

static cl_int build_info(const struct ocl_build *build, cl_program_build_info name,
                         const struct ocl_answer *a)
{
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return ocl_answer_bytes(a, &build->status, sizeof(build->status));
    case CL_PROGRAM_BUILD_OPTIONS:
        return ocl_answer_text(a, build->options != NULL ? build->options : "");
    case CL_PROGRAM_BUILD_LOG:
        return ocl_answer_text(a, build->log != NULL ? build->log : "");
    case CL_PROGRAM_BINARY_TYPE:
        return ocl_answer_uint(a, build->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return ocl_answer_size(a, build->global_bytes);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(
    cl_program program, cl_device_id device, cl_program_build_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    cl_int status = CL_INVALID_PROGRAM;

    ocl_lock();
    if (ocl_is(program, OCL_PROGRAM)) {
        const struct ocl_build *build = ocl_program_build(program, device);

        status = build == NULL ? CL_INVALID_DEVICE : build_info(build, param_name, &a);
    }
    ocl_unlock();
    return status;
}
