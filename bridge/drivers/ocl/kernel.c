/* kernel.c - kernel objects and their arguments. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"

static void kernel_destroy(void *object)
{
    cl_kernel kernel = object;

    for (cl_uint i = 0; i < kernel->args && kernel->arg != NULL; i++)
        free(kernel->arg[i].value);
    free(kernel->arg);
    free(kernel->type);
    free(kernel->name);
    kernel->program->kernels--;
    ocl_drop(kernel->program);
}

static cl_kernel kernel_make(cl_program program, const struct loader_kernel *from)
{
    cl_kernel kernel = ocl_new(OCL_KERNEL, sizeof(*kernel), kernel_destroy);

    if (kernel == NULL)
        return NULL;
    kernel->program = program;
    ocl_hold(program);
    program->kernels++;
    kernel->type = ocl_signature(from, &kernel->args);
    kernel->name = strdup(from->name);
    kernel->arg = calloc(kernel->args + 1, sizeof(*kernel->arg));
    if (kernel->name == NULL || kernel->type == NULL || kernel->arg == NULL) {
        kernel->o.references = 0;
        kernel->o.holds = 1;
        ocl_drop(kernel);
        return NULL;
    }
    return kernel;
}

/* ---- creation ------------------------------------------------------------------ */

static bool is_executable(const struct ocl_build *build)
{
    return build->image != NULL && build->status == CL_BUILD_SUCCESS;
}

/* The first build with code. */
static const struct ocl_build *executable(cl_program program)
{
    for (cl_uint i = 0; i < program->devices; i++)
        if (is_executable(&program->build[i]))
            return &program->build[i];
    return NULL;
}

/* Are the kernel's arguments the same in each build that has it? A kernel object has
 * one list of arguments for all devices. */
static cl_int check_definition(cl_program program, const struct loader_kernel *from)
{
    cl_int status = CL_SUCCESS;
    uint32_t index;

    for (cl_uint i = 0; i < program->devices && status == CL_SUCCESS; i++) {
        const struct loader_kernel *other = NULL;

        if (is_executable(&program->build[i]))
            other = ocl_build_kernel(&program->build[i], from->name, &index);
        if (other != NULL && other != from)
            status = ocl_signature_compare(from, other);
    }
    return status;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name,
                                                  cl_int *errcode_ret)
{
    const struct loader_kernel *from = NULL;
    const struct ocl_build *build;
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = NULL;
    uint32_t index;

    if (!ocl_is(program, OCL_PROGRAM))
        return ocl_result(errcode_ret, CL_INVALID_PROGRAM, NULL);
    if (name == NULL)
        return ocl_result(errcode_ret, CL_INVALID_VALUE, NULL);
    ocl_lock();
    build = program->busy ? NULL : executable(program);
    if (build != NULL)
        from = ocl_build_kernel(build, name, &index);
    if (build == NULL)
        status = CL_INVALID_PROGRAM_EXECUTABLE;
    else if (from == NULL)
        status = CL_INVALID_KERNEL_NAME;
    else
        status = check_definition(program, from);
    if (status == CL_SUCCESS)
        kernel = kernel_make(program, from);
    ocl_unlock();
    if (status == CL_SUCCESS && kernel == NULL)
        status = CL_OUT_OF_HOST_MEMORY;
    return ocl_result(errcode_ret, status, kernel);
}

/* All kernels but those with other arguments on another device: to kernels[room],
 * unless NULL. Lock held. */
static cl_int make_all(cl_program program, cl_uint room, cl_kernel *kernels,
                       cl_uint *made)
{
    const struct ocl_build *build = program->busy ? NULL : executable(program);
    const struct loader_kernel *from = build == NULL ? NULL : build->image->kernel;
    cl_uint count = 0;

    if (build == NULL)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    for (uint32_t i = 0; i < build->image->kernels; i++)
        count += check_definition(program, &from[i]) == CL_SUCCESS;
    if (kernels != NULL && room < count)
        return CL_INVALID_VALUE;
    if (made != NULL)
        *made = count;
    for (uint32_t i = 0; kernels != NULL && i < build->image->kernels; i++) {
        if (check_definition(program, &from[i]) != CL_SUCCESS)
            continue;
        *kernels = kernel_make(program, &from[i]);
        if (*kernels++ == NULL)
            return CL_OUT_OF_HOST_MEMORY;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program,
                                                         cl_uint num_kernels,
                                                         cl_kernel *kernels,
                                                         cl_uint *num_kernels_ret)
{
    cl_int status = CL_INVALID_PROGRAM;

    ocl_lock();
    if (ocl_is(program, OCL_PROGRAM))
        status = make_all(program, num_kernels, kernels, num_kernels_ret);
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel)
{
    return ocl_retain(kernel, OCL_KERNEL, CL_INVALID_KERNEL);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel)
{
    return ocl_release(kernel, OCL_KERNEL, CL_INVALID_KERNEL);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source, cl_int *errcode_ret)
{
    cl_kernel kernel;
    cl_int status;

    if (!ocl_is(source, OCL_KERNEL))
        return ocl_result(errcode_ret, CL_INVALID_KERNEL, NULL);
    kernel = clCreateKernel(source->program, source->name, &status);
    if (kernel != NULL)
        kernel->arbiter = source->arbiter;
    for (cl_uint i = 0; kernel != NULL && i < kernel->args; i++) {
        kernel->arg[i] = source->arg[i];
        kernel->arg[i].value = NULL;
        if (source->arg[i].value == NULL)
            continue;
        kernel->arg[i].value = malloc(source->arg[i].bytes);
        kernel->arg[i].set = kernel->arg[i].value != NULL;
        if (kernel->arg[i].set)
            memcpy(kernel->arg[i].value, source->arg[i].value, source->arg[i].bytes);
    }
    return ocl_result(errcode_ret, status, kernel);
}

/* ---- arguments ----------------------------------------------------------------- */

/* Of a value that is too long the first bytes, of a short one all, over what the
 * argument had: Intel's driver takes any size, and programs of its own (oneMKL) count
 * on it. */
static cl_int set_value(const struct ocl_arg_type *t, struct ocl_arg *arg, size_t size,
                        const void *value)
{
    size_t bytes = t->bytes != 0 ? t->bytes : size;
    void *copy;

    if (value == NULL)
        return CL_INVALID_ARG_VALUE;
    if (size == 0)
        return CL_INVALID_ARG_SIZE;
    copy = calloc(1, bytes);
    if (copy == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    if (arg->value != NULL && arg->bytes == bytes)
        memcpy(copy, arg->value, bytes);
    memcpy(copy, value, size < bytes ? size : bytes);
    free(arg->value);
    arg->value = copy;
    arg->bytes = bytes;
    return CL_SUCCESS;
}

static cl_int set_mem(const struct ocl_arg_type *t, struct ocl_arg *arg, size_t size,
                      const void *value, cl_context context)
{
    cl_mem mem = NULL;

    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (value != NULL)
        memcpy(&mem, value, sizeof(mem));
    if (t->kind == OCL_ARG_IMAGE && !ocl_is_image(mem))
        return CL_INVALID_ARG_VALUE;
    if (t->kind == OCL_ARG_BUFFER && mem != NULL && !ocl_is_buffer(mem) &&
        !ocl_is_pipe(mem)) /* a pipe's argument is a pointer like others */
        return ocl_is_image(mem) ? CL_INVALID_ARG_VALUE : CL_INVALID_MEM_OBJECT;
    if (mem != NULL && mem->context != context)
        return CL_INVALID_MEM_OBJECT;
    if (t->kind == OCL_ARG_IMAGE && ((t->access == LOADER_ACCESS_READONLY &&
                                      (mem->flags & CL_MEM_WRITE_ONLY) != 0) ||
                                     (t->access == LOADER_ACCESS_WRITEONLY &&
                                      (mem->flags & CL_MEM_READ_ONLY) != 0)))
        return CL_INVALID_ARG_VALUE;
    arg->mem = mem;
    arg->svm = NULL;
    return CL_SUCCESS;
}

static cl_int set_sampler(struct ocl_arg *arg, size_t size, const void *value)
{
    cl_sampler sampler = NULL;

    if (value == NULL)
        return CL_INVALID_ARG_VALUE;
    if (size != sizeof(cl_sampler))
        return CL_INVALID_ARG_SIZE;
    memcpy(&sampler, value, sizeof(sampler));
    if (!ocl_is(sampler, OCL_SAMPLER))
        return CL_INVALID_SAMPLER;
    arg->sampler = sampler;
    return CL_SUCCESS;
}

static cl_int set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const struct ocl_arg_type *t = &kernel->type[index];
    struct ocl_arg *arg = &kernel->arg[index];

    switch (t->kind) {
    case OCL_ARG_LOCAL:
        if (value != NULL)
            return CL_INVALID_ARG_VALUE;
        if (size == 0)
            return CL_INVALID_ARG_SIZE;
        arg->bytes = size;
        return CL_SUCCESS;
    case OCL_ARG_BUFFER:
    case OCL_ARG_IMAGE:
        return set_mem(t, arg, size, value, kernel->program->context);
    case OCL_ARG_SAMPLER:
        return set_sampler(arg, size, value);
    case OCL_ARG_VALUE:
    default:
        return set_value(t, arg, size, value);
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index,
                                               size_t arg_size, const void *arg_value)
{
    cl_int status;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->args)
        return CL_INVALID_ARG_INDEX;
    ocl_lock();
    status = set_arg(kernel, arg_index, arg_size, arg_value);
    if (status == CL_SUCCESS)
        kernel->arg[arg_index].set = true;
    ocl_unlock();
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel,
                                                         cl_uint arg_index,
                                                         const void *arg_value)
{
    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->args)
        return CL_INVALID_ARG_INDEX;
    if (kernel->type[arg_index].kind != OCL_ARG_BUFFER)
        return CL_INVALID_ARG_VALUE;
    ocl_lock();
    kernel->arg[arg_index].mem = NULL;
    kernel->arg[arg_index].svm = arg_value;
    kernel->arg[arg_index].set = true;
    ocl_unlock();
    return CL_SUCCESS;
}

/* Of Gen9's two policies Intel's driver writes oldest first for all but round-robin. */
static cl_int set_arbiter(cl_kernel kernel, size_t size, const void *value)
{
    cl_uint policy = 0;
    enum trace_arbiter arbiter = TRACE_ARBITER_OLDEST;

    if (size != sizeof(policy))
        return CL_INVALID_VALUE;
    memcpy(&policy, value, sizeof(policy));
    switch (policy) {
    case CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_ROUND_ROBIN_INTEL:
        arbiter = TRACE_ARBITER_RR;
        break;
    case CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_OLDEST_FIRST_INTEL:
    case CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_AFTER_DEPENDENCY_ROUND_ROBIN_INTEL:
    case CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_STALL_BASED_ROUND_ROBIN_INTEL:
        break;
    default:
        return CL_INVALID_VALUE;
    }
    ocl_lock();
    kernel->arbiter = arbiter;
    ocl_unlock();
    return CL_SUCCESS;
}

/* Kernels see all shared memory of the context anyway. */
CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel,
                                                    cl_kernel_exec_info param_name,
                                                    size_t param_value_size,
                                                    const void *param_value)
{
    cl_bool fine = CL_FALSE;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    if (param_value == NULL)
        return CL_INVALID_VALUE;
    switch (param_name) {
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return param_value_size == sizeof(cl_bool) ? CL_SUCCESS : CL_INVALID_VALUE;
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
        return param_value_size > 0 && param_value_size % sizeof(void *) == 0
                   ? CL_SUCCESS
                   : CL_INVALID_VALUE;
    case CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_INTEL:
        return set_arbiter(kernel, param_value_size, param_value);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
        if (param_value_size != sizeof(cl_bool))
            return CL_INVALID_VALUE;
        memcpy(&fine, param_value, sizeof(fine));
        return fine ? CL_INVALID_OPERATION : CL_SUCCESS;
    default:
        return CL_INVALID_VALUE;
    }
}
