/* signature.c - what a kernel's arguments are, from what the compiler tells of them. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"

static cl_uint count_args(const struct loader_kernel *k)
{
    int32_t last = -1;

    for (uint32_t i = 0; i < k->args; i++)
        last = k->arg[i].arg_index > last ? k->arg[i].arg_index : last;
    for (uint32_t i = 0; i < k->arg_infos; i++)
        last = k->arg_info[i].index > last ? k->arg_info[i].index : last;
    return (cl_uint)(last + 1);
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* From the source's view: the only one of an argument that the code does not use. */
static void type_from_info(const struct loader_arg_info *info, struct ocl_arg_type *t)
{
    const char *size = strrchr(info->type_name, ';'); /* "uint;4" */

    t->info = info;
    if (starts_with(info->type_name, "image"))
        t->kind = OCL_ARG_IMAGE;
    else if (starts_with(info->type_name, "sampler_t"))
        t->kind = OCL_ARG_SAMPLER;
    else if (strcmp(info->address_qualifier, "__local") == 0)
        t->kind = OCL_ARG_LOCAL;
    else if (strcmp(info->address_qualifier, "__global") == 0 ||
             strcmp(info->address_qualifier, "__constant") == 0)
        t->kind = OCL_ARG_BUFFER;
    else if (size != NULL && strlen(info->type_name) + 1 < sizeof(info->type_name))
        t->bytes = strtoul(size + 1, NULL, 10);
}

static void type_from_payload(const struct loader_arg *a, struct ocl_arg_type *t)
{
    if (a->type == LOADER_ARG_BYVALUE) {
        size_t end = a->source_offset + a->size;

        if (t->info == NULL && end > t->bytes)
            t->bytes = end;
    } else if (a->type == LOADER_ARG_BYPOINTER) {
        t->kind = a->addrmode == LOADER_MODE_SLM         ? OCL_ARG_LOCAL
                  : a->addrspace == LOADER_SPACE_IMAGE   ? OCL_ARG_IMAGE
                  : a->addrspace == LOADER_SPACE_SAMPLER ? OCL_ARG_SAMPLER
                                                         : OCL_ARG_BUFFER;
        t->access = a->access;
    }
}

struct ocl_arg_type *ocl_signature(const struct loader_kernel *k, cl_uint *args)
{
    struct ocl_arg_type *type;

    *args = count_args(k);
    type = calloc(*args + 1, sizeof(*type));
    for (uint32_t i = 0; type != NULL && i < k->arg_infos; i++)
        if (k->arg_info[i].index >= 0)
            type_from_info(&k->arg_info[i], &type[k->arg_info[i].index]);
    for (uint32_t i = 0; type != NULL && i < k->args; i++)
        if (k->arg[i].arg_index >= 0)
            type_from_payload(&k->arg[i], &type[k->arg[i].arg_index]);
    return type;
}

/* Of an argument without a type by name only its kind and size are known. */
static bool is_same(const struct ocl_arg_type *a, const struct ocl_arg_type *b)
{
    return a->kind == b->kind && a->bytes == b->bytes &&
           (a->info == NULL || b->info == NULL ||
            strcmp(a->info->type_name, b->info->type_name) == 0);
}

cl_int ocl_signature_compare(const struct loader_kernel *a,
                             const struct loader_kernel *b)
{
    cl_uint count = 0, other = 0;
    struct ocl_arg_type *left = ocl_signature(a, &count);
    struct ocl_arg_type *right = ocl_signature(b, &other);
    cl_int status = CL_SUCCESS;

    if (left == NULL || right == NULL)
        status = CL_OUT_OF_HOST_MEMORY;
    else if (count != other)
        status = CL_INVALID_KERNEL_DEFINITION;
    for (cl_uint i = 0; i < count && status == CL_SUCCESS; i++)
        if (!is_same(&left[i], &right[i]))
            status = CL_INVALID_KERNEL_DEFINITION;
    free(left);
    free(right);
    return status;
}
