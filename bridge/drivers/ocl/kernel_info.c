/* kernel_info.c - what kernels tell about themselves. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"

/* The kernel's machine code, as it is run: of Intel's driver, in none of the headers.
 */
enum { KERNEL_BINARY_PROGRAM_INTEL = 0x407D };

static void add_word(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_word(char *text, size_t bytes, const char *format, ...)
{
    size_t used = strlen(text);
    va_list values;

    if (used > 0 && used + 1 < bytes)
        text[used++] = ' ';
    va_start(values, format);
    (void)vsnprintf(text + used, bytes - used, format, values);
    va_end(values);
}

/* Words that the source attached to the kernel, as far as the compiler tells them. */
static cl_int answer_attributes(const struct ocl_answer *a,
                                const struct loader_kernel *k)
{
    char text[256] = "";
    const uint32_t *size = k->required_work_group_size, *hint = k->work_group_size_hint;

    if (size[0] > 0)
        add_word(text, sizeof(text), "reqd_work_group_size(%u,%u,%u)", size[0], size[1],
                 size[2]);
    if (hint[0] > 0)
        add_word(text, sizeof(text), "work_group_size_hint(%u,%u,%u)", hint[0], hint[1],
                 hint[2]);
    if (k->vec_type_hint[0] != '\0')
        add_word(text, sizeof(text), "vec_type_hint(%s)", k->vec_type_hint);
    if (k->required_sub_group_size > 0)
        add_word(text, sizeof(text), "intel_reqd_sub_group_size(%u)",
                 k->required_sub_group_size);
    return ocl_answer_text(a, text);
}

/* The kernel for a device, or for any when device is NULL and it has but one. */
static const struct loader_kernel *kernel_of_device(cl_kernel kernel,
                                                    cl_device_id device, cl_int *status)
{
    cl_program program = kernel->program;
    const struct ocl_build *build = NULL;
    uint32_t index;

    *status = CL_SUCCESS;
    if (device != NULL)
        build = ocl_is(device, OCL_DEVICE) ? ocl_program_build(program, device) : NULL;
    else if (program->devices == 1)
        build = &program->build[0];
    if (build == NULL) {
        *status = CL_INVALID_DEVICE;
        return NULL;
    }
    return ocl_build_kernel(build, kernel->name, &index);
}

static const struct loader_kernel *find_any(cl_kernel kernel)
{
    const struct loader_kernel *found = NULL;
    uint32_t index;

    for (cl_uint i = 0; i < kernel->program->devices && found == NULL; i++)
        found = ocl_build_kernel(&kernel->program->build[i], kernel->name, &index);
    return found;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel,
                                                cl_kernel_info param_name,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    const struct loader_kernel *found;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME:
        return ocl_answer_text(&a, kernel->name);
    case CL_KERNEL_NUM_ARGS:
        return ocl_answer_uint(&a, kernel->args);
    case CL_KERNEL_REFERENCE_COUNT:
        return ocl_answer_uint(&a, kernel->o.references);
    case CL_KERNEL_CONTEXT:
        return ocl_answer_pointer(&a, kernel->program->context);
    case CL_KERNEL_PROGRAM:
        return ocl_answer_pointer(&a, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
        return answer_attributes(&a, find_any(kernel));
    case KERNEL_BINARY_PROGRAM_INTEL:
        found = find_any(kernel);
        return found == NULL ? CL_INVALID_PROGRAM_EXECUTABLE
                             : ocl_answer_bytes(&a, found->text, found->text_bytes);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_ulong private_bytes(const struct loader_kernel *k)
{
    cl_ulong bytes = 0;

    for (uint32_t i = 0; i < k->buffers; i++) {
        cl_ulong size = k->buffer[i].size;

        bytes += k->buffer[i].is_simt_thread ? size : size / (k->simd_size | 1);
    }
    return bytes;
}

static cl_ulong local_bytes(cl_kernel kernel, const struct loader_kernel *k)
{
    cl_ulong bytes = k->slm_size;

    for (cl_uint i = 0; i < kernel->args; i++)
        if (kernel->type[i].kind == OCL_ARG_LOCAL)
            bytes += kernel->arg[i].bytes;
    return bytes;
}

static size_t group_limit(const struct loader_kernel *k)
{
    size_t limit = OCL_MAX_GROUP;
    const uint32_t *r = k->required_work_group_size;

    if (r[0] > 0)
        limit = (size_t)r[0] * (r[1] > 0 ? r[1] : 1) * (r[2] > 0 ? r[2] : 1);
    return limit < OCL_MAX_GROUP ? limit : OCL_MAX_GROUP;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    const struct loader_kernel *k;
    size_t required[3];
    cl_int status;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    k = kernel_of_device(kernel, device, &status);
    if (k == NULL)
        return status != CL_SUCCESS ? status : CL_INVALID_DEVICE;
    switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return ocl_answer_size(&a, group_limit(k));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        for (unsigned i = 0; i < 3; i++)
            required[i] = k->required_work_group_size[i];
        return ocl_answer_bytes(&a, required, sizeof(required));
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return ocl_answer_ulong(&a, local_bytes(kernel, k));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return ocl_answer_size(&a, k->simd_size);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return ocl_answer_ulong(&a, private_bytes(k));
    case CL_KERNEL_GLOBAL_WORK_SIZE: /* custom devices and built-in kernels only */
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- arguments ----------------------------------------------------------------- */

static cl_int answer_word(const struct ocl_answer *a, const char *word,
                          const char *const *words, const cl_uint *values,
                          unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return ocl_answer_uint(a, values[i]);
    return ocl_answer_uint(a, values[count - 1]);
}

static cl_int answer_qualifiers(const struct ocl_answer *a, const char *text)
{
    cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;

    if (strstr(text, "const") != NULL)
        bits |= CL_KERNEL_ARG_TYPE_CONST;
    if (strstr(text, "restrict") != NULL)
        bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (strstr(text, "volatile") != NULL)
        bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
    if (strstr(text, "pipe") != NULL)
        bits |= CL_KERNEL_ARG_TYPE_PIPE;
    return ocl_answer_bytes(a, &bits, sizeof(bits));
}

static cl_int answer_type_name(const struct ocl_answer *a, const char *type)
{
    char name[LOADER_ARG_BYTES];

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(type, ";"), type);
    return ocl_answer_text(a, name);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index,
                                                   cl_kernel_arg_info param_name,
                                                   size_t param_value_size,
                                                   void *param_value,
                                                   size_t *param_value_size_ret)
{
    static const char *const spaces[] = {"__global", "__constant", "__local",
                                         "__private"};
    static const cl_uint space_values[] = {
        CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE};
    static const char *const accesses[] = {
        "__read_only",  "read_only",  "__write_only", "write_only",
        "__read_write", "read_write", "NONE"};
    static const cl_uint access_values[] = {
        CL_KERNEL_ARG_ACCESS_READ_ONLY,  CL_KERNEL_ARG_ACCESS_READ_ONLY,
        CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
        CL_KERNEL_ARG_ACCESS_READ_WRITE, CL_KERNEL_ARG_ACCESS_READ_WRITE,
        CL_KERNEL_ARG_ACCESS_NONE};
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    const struct loader_arg_info *info;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    if (arg_index >= kernel->args)
        return CL_INVALID_ARG_INDEX;
    info = kernel->type[arg_index].info;
    if (info == NULL)
        return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return answer_word(&a, info->address_qualifier, spaces, space_values, 4);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return answer_word(&a, info->access_qualifier, accesses, access_values, 7);
    case CL_KERNEL_ARG_TYPE_NAME:
        return answer_type_name(&a, info->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return answer_qualifiers(&a, info->type_qualifiers);
    case CL_KERNEL_ARG_NAME:
        return ocl_answer_text(&a, info->name);
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- sub-groups ---------------------------------------------------------------- */

/* Work-items of the local size input[bytes]; 0: not one. */
static size_t items_of(size_t bytes, const void *input)
{
    const size_t *size = input;
    size_t items = 1;

    if (input == NULL || bytes % sizeof(size_t) != 0 || bytes == 0 ||
        bytes > 3 * sizeof(size_t))
        return 0;
    for (size_t i = 0; i < bytes / sizeof(size_t); i++)
        items *= size[i];
    return items;
}

/* The local size with so many sub-groups: one row. */
static cl_int answer_local_size(const struct ocl_answer *a, size_t sub_groups,
                                const struct loader_kernel *k)
{
    size_t size[3] = {sub_groups * k->simd_size, 1, 1};

    if (size[0] > group_limit(k))
        size[0] = size[1] = size[2] = 0;
    return ocl_answer_bytes(
        a, size, a->value == NULL || a->size >= sizeof(size) ? sizeof(size) : a->size);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
    size_t input_value_size, const void *input_value, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    const struct loader_kernel *k;
    size_t items, count = 0;
    cl_int status;

    if (!ocl_is(kernel, OCL_KERNEL))
        return CL_INVALID_KERNEL;
    k = kernel_of_device(kernel, device, &status);
    if (k == NULL)
        return status != CL_SUCCESS ? status : CL_INVALID_DEVICE;
    switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        items = items_of(input_value_size, input_value);
        return items == 0 ? CL_INVALID_VALUE : ocl_answer_size(&a, k->simd_size);
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        items = items_of(input_value_size, input_value);
        return items == 0
                   ? CL_INVALID_VALUE
                   : ocl_answer_size(&a, (items + k->simd_size - 1) / k->simd_size);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        if (input_value == NULL || input_value_size != sizeof(count))
            return CL_INVALID_VALUE;
        memcpy(&count, input_value, sizeof(count));
        return answer_local_size(&a, count, k);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return ocl_answer_size(&a, (group_limit(k) + k->simd_size - 1) / k->simd_size);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return ocl_answer_size(&a, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return ocl_answer_size(&a, k->required_sub_group_size);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
    size_t input_value_size, const void *input_value, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
    return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size,
                                   input_value, param_value_size, param_value,
                                   param_value_size_ret);
}
