/* program_info.c - what a program tells, and the binaries that it gives away. Intel's
 * driver of Gen9 gives patch tokens in their container; programs that put machine code
 * of their own into such a binary (nGEN, so oneDNN) look for them. The compiler makes
 * them when they are asked for, from the source once more; the zebin lies beside them,
 * and counts as long as nobody changes them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"
#include "traces/program/container.h"

/* One thread at a time, as another would ask for the same. */
static pthread_mutex_t offering = PTHREAD_MUTEX_INITIALIZER;

static bool wants_offer(cl_program program, const struct ocl_build *b)
{
    return (program->source != NULL || program->il != NULL) && b->offered == NULL &&
           b->status == CL_BUILD_SUCCESS &&
           b->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

static void offer(cl_program program, cl_uint device)
{
    struct ocl_build *b = &program->build[device];
    struct compile_result result = {0};
    struct igpu_err err;

    if (ocl_build_tokens(program, b, program->device[device]->known->name, &result,
                         &err) == IGPU_OK)
        b->offered = container_make(result.image, result.bytes, b->binary, b->bytes,
                                    &b->offered_bytes);
    compile_free(&result);
}

/* Make what CL_PROGRAM_BINARIES gives of a program from source or IL. Where that fails
 * it is the zebin. Takes the lock. */
static void offer_binaries(cl_program program)
{
    bool wanted[OCL_DEVICES] = {false}, any = false;

    (void)pthread_mutex_lock(&offering);
    ocl_lock();
    for (cl_uint i = 0; i < program->devices && !program->busy; i++) {
        wanted[i] = wants_offer(program, &program->build[i]);
        any = any || wanted[i];
    }
    program->busy = program->busy || any;
    ocl_unlock();
    for (cl_uint i = 0; any && i < program->devices; i++)
        if (wanted[i])
            offer(program, i);
    ocl_lock();
    if (any)
        program->busy = false;
    ocl_unlock();
    (void)pthread_mutex_unlock(&offering);
}

static const struct loader_program *any_image(cl_program program)
{
    for (cl_uint i = 0; i < program->devices; i++)
        if (program->build[i].image != NULL)
            return program->build[i].image;
    return NULL;
}

/* All kernels' names with ';' between. */
static cl_int answer_names(const struct ocl_answer *a,
                           const struct loader_program *image)
{
    size_t bytes = 1;
    cl_int status;
    char *text;

    for (uint32_t i = 0; i < image->kernels; i++)
        bytes += strlen(image->kernel[i].name) + 1;
    text = calloc(1, bytes);
    if (text == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < image->kernels; i++) {
        if (i > 0)
            strcat(text, ";");
        strcat(text, image->kernel[i].name);
    }
    status = ocl_answer_text(a, text);
    free(text);
    return status;
}

static cl_int answer_binaries(cl_program program, const struct ocl_answer *a)
{
    unsigned char **to = a->value;

    if (a->needed != NULL)
        *a->needed = program->devices * sizeof(*to);
    if (to == NULL)
        return CL_SUCCESS;
    if (a->size < program->devices * sizeof(*to))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < program->devices; i++) {
        const struct ocl_build *b = &program->build[i];

        if (to[i] != NULL && b->offered != NULL)
            memcpy(to[i], b->offered, b->offered_bytes);
        else if (to[i] != NULL && b->bytes > 0)
            memcpy(to[i], b->binary, b->bytes);
    }
    return CL_SUCCESS;
}

static cl_int program_info(cl_program program, cl_program_info name,
                           const struct ocl_answer *a)
{
    const struct loader_program *image = any_image(program);
    size_t sizes[OCL_DEVICES];

    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return ocl_answer_uint(a, program->o.references);
    case CL_PROGRAM_CONTEXT:
        return ocl_answer_pointer(a, program->context);
    case CL_PROGRAM_NUM_DEVICES:
        return ocl_answer_uint(a, program->devices);
    case CL_PROGRAM_DEVICES:
        return ocl_answer_bytes(a, program->device,
                                program->devices * sizeof(cl_device_id));
    case CL_PROGRAM_SOURCE:
        return ocl_answer_text(a, program->source != NULL ? program->source : "");
    case CL_PROGRAM_IL:
        return ocl_answer_bytes(a, program->il, program->il_bytes);
    case CL_PROGRAM_BINARY_SIZES:
        for (cl_uint i = 0; i < program->devices; i++)
            sizes[i] = program->build[i].offered != NULL
                           ? program->build[i].offered_bytes
                           : program->build[i].bytes;
        return ocl_answer_bytes(a, sizes, program->devices * sizeof(size_t));
    case CL_PROGRAM_BINARIES:
        return answer_binaries(program, a);
    case CL_PROGRAM_NUM_KERNELS:
        return image == NULL ? CL_INVALID_PROGRAM_EXECUTABLE
                             : ocl_answer_size(a, image->kernels);
    case CL_PROGRAM_KERNEL_NAMES:
        return image == NULL ? CL_INVALID_PROGRAM_EXECUTABLE : answer_names(a, image);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return ocl_answer_uint(a, CL_FALSE);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program,
                                                 cl_program_info param_name,
                                                 size_t param_value_size,
                                                 void *param_value,
                                                 size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    cl_int status = CL_INVALID_PROGRAM;

    if ((param_name == CL_PROGRAM_BINARY_SIZES || param_name == CL_PROGRAM_BINARIES) &&
        ocl_is(program, OCL_PROGRAM))
        offer_binaries(program);
    ocl_lock();
    if (ocl_is(program, OCL_PROGRAM))
        status = program_info(program, param_name, &a);
    ocl_unlock();
    return status;
}
