/* zeinfo.c - .ze_info (YAML) of a zebin to struct loader_kernel.
 * Unknown keys are passed over, as newer compilers add some; unknown words where this
 * side must know the meaning are kept as text and fail where they are used.
 * Source: docs/develop/sources.md#zebin */
#include "loader_impl.h"

#include <stdlib.h>
#include <string.h>

#include "zeinfo_yaml.h"

static const char *const arg_type_words[LOADER_ARG_TYPE_COUNT] = {"unknown",
#define WORD(id, word) word,
                                                                  LOADER_ARG_TYPES(WORD)
#undef WORD
};

const char *loader_arg_type_name(enum loader_arg_type type)
{
    return (unsigned)type < LOADER_ARG_TYPE_COUNT ? arg_type_words[type] : "unknown";
}

static void read_arg(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    static const char *const modes[LOADER_MODE_COUNT] = {
        "none", "stateful", "stateless", "bindless", "slm"};
    static const char *const spaces[LOADER_SPACE_COUNT] = {
        "none", "global", "local", "constant", "image", "sampler"};
    static const char *const accesses[LOADER_ACCESS_COUNT] = {"none", "readonly",
                                                              "writeonly", "readwrite"};
    struct loader_arg *arg = item;

    arg->arg_index = arg->sampler_index = -1;
    zeinfo_text(z, node, "arg_type", arg->type_name, sizeof(arg->type_name));
    zeinfo_text(z, node, "image_type", arg->image_type, sizeof(arg->image_type));
    zeinfo_text(z, node, "sampler_type", arg->sampler_type, sizeof(arg->sampler_type));
    arg->type = zeinfo_word(z, node, "arg_type", arg_type_words, LOADER_ARG_TYPE_COUNT);
    arg->addrmode = zeinfo_word(z, node, "addrmode", modes, LOADER_MODE_COUNT);
    arg->addrspace = zeinfo_word(z, node, "addrspace", spaces, LOADER_SPACE_COUNT);
    arg->access = zeinfo_word(z, node, "access_type", accesses, LOADER_ACCESS_COUNT);
    zeinfo_u32(z, node, "offset", &arg->offset, LOADER_MAX_PAYLOAD_BYTES);
    zeinfo_u32(z, node, "size", &arg->size, LOADER_MAX_PAYLOAD_BYTES);
    zeinfo_u32(z, node, "source_offset", &arg->source_offset, LOADER_MAX_PAYLOAD_BYTES);
    zeinfo_u32(z, node, "slm_alignment", &arg->slm_alignment, LOADER_MAX_PAYLOAD_BYTES);
    zeinfo_index(z, node, "arg_index", &arg->arg_index);
    zeinfo_index(z, node, "sampler_index", &arg->sampler_index);
    if (arg->type_name[0] == '\0')
        zeinfo_fail(z, node, "arg_type", "is missing");
    if (arg->offset + arg->size > LOADER_MAX_PAYLOAD_BYTES)
        zeinfo_fail(z, node, "size", "reaches beyond any payload");
}

static void read_bti(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    struct loader_bti *bti = item;

    bti->arg_index = -1;
    zeinfo_index(z, node, "arg_index", &bti->arg_index);
    zeinfo_u32(z, node, "bti_value", &bti->bti, 255);
    if (bti->arg_index < 0)
        zeinfo_fail(z, node, "arg_index", "is missing");
}

static void read_buffer(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    static const char *const types[LOADER_BUFFER_TYPE_COUNT] = {"other", "scratch",
                                                                "global", "slm"};
    static const char *const usages[LOADER_USAGE_COUNT] = {
        "other", "private_space", "spill_fill_space", "single_space"};
    struct loader_thread_buffer *buffer = item;

    buffer->type = zeinfo_word(z, node, "type", types, LOADER_BUFFER_TYPE_COUNT);
    buffer->usage = zeinfo_word(z, node, "usage", usages, LOADER_USAGE_COUNT);
    zeinfo_u32(z, node, "size", &buffer->size, 1u << 30);
    zeinfo_u32(z, node, "slot", &buffer->slot, 255);
    zeinfo_bool(z, node, "is_simt_thread", &buffer->is_simt_thread);
    if (buffer->size == 0)
        zeinfo_fail(z, node, "size", "is missing or 0");
}

static void read_sampler(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    struct loader_inline_sampler *sampler = item;

    sampler->sampler_index = -1;
    zeinfo_index(z, node, "sampler_index", &sampler->sampler_index);
    zeinfo_text(z, node, "addrmode", sampler->addrmode, sizeof(sampler->addrmode));
    zeinfo_text(z, node, "filtermode", sampler->filtermode,
                sizeof(sampler->filtermode));
    zeinfo_bool(z, node, "normalized", &sampler->normalized);
    if (sampler->sampler_index < 0)
        zeinfo_fail(z, node, "sampler_index", "is missing");
}

static void read_arg_info(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    struct loader_arg_info *info = item;

    info->index = -1;
    zeinfo_index(z, node, "index", &info->index);
    zeinfo_text(z, node, "name", info->name, sizeof(info->name));
    zeinfo_text(z, node, "type_name", info->type_name, sizeof(info->type_name));
    zeinfo_text(z, node, "address_qualifier", info->address_qualifier,
                sizeof(info->address_qualifier));
    zeinfo_text(z, node, "access_qualifier", info->access_qualifier,
                sizeof(info->access_qualifier));
    zeinfo_text(z, node, "type_qualifiers", info->type_qualifiers,
                sizeof(info->type_qualifiers));
}

/* Each dimension once. */
static bool is_permutation(const uint32_t order[3])
{
    return order[0] < 3 && order[1] < 3 && order[2] < 3 &&
           (1u << order[0] | 1u << order[1] | 1u << order[2]) == 7;
}

static void check_execution_env(struct zeinfo *z, const yaml_node_t *env,
                                const struct loader_kernel *k)
{
    if (k->simd_size != 1 && k->simd_size != 8 && k->simd_size != 16 &&
        k->simd_size != 32)
        zeinfo_fail(z, env, "simd_size", "must be 1, 8, 16 or 32");
    if (k->grf_count != 128)
        zeinfo_fail(z, env, "grf_count", "must be 128 on Gen9");
    if (!is_permutation(k->walk_order))
        zeinfo_fail(z, env, "work_group_walk_order_dimensions",
                    "must hold 0, 1 and 2 once each");
}

static void read_execution_env(struct zeinfo *z, const yaml_node_t *kernel,
                               struct loader_kernel *k)
{
    const yaml_node_t *env = zeinfo_map(z, kernel, "execution_env");

    for (uint32_t i = 0; i < 3; i++)
        k->walk_order[i] = i;
    k->grf_count = 128;
    if (env == NULL) {
        zeinfo_fail(z, kernel, "execution_env", "is missing");
        return;
    }
    zeinfo_u32(z, env, "simd_size", &k->simd_size, 32);
    zeinfo_u32(z, env, "grf_count", &k->grf_count, 256);
    zeinfo_u32(z, env, "slm_size", &k->slm_size, 1u << 20);
    zeinfo_u32(z, env, "barrier_count", &k->barrier_count, 32);
    zeinfo_u32(z, env, "inline_data_payload_size", &k->inline_data_payload_size,
               LOADER_MAX_PAYLOAD_BYTES);
    zeinfo_u32(z, env, "required_sub_group_size", &k->required_sub_group_size, 32);
    zeinfo_u32x3(z, env, "required_work_group_size", k->required_work_group_size,
                 1u << 20);
    zeinfo_u32x3(z, env, "work_group_walk_order_dimensions", k->walk_order, 2);
    zeinfo_bool(z, env, "has_stack_calls", &k->has_stack_calls);
    zeinfo_bool(z, env, "has_global_atomics", &k->has_global_atomics);
    zeinfo_bool(z, env, "disable_mid_thread_preemption",
                &k->disable_mid_thread_preemption);
    zeinfo_bool(z, env, "has_no_stateless_write", &k->has_no_stateless_write);
    check_execution_env(z, env, k);
}

/* Newer compilers repeat the source's attributes here. */
static void read_user_attributes(struct zeinfo *z, const yaml_node_t *kernel,
                                 struct loader_kernel *k)
{
    const yaml_node_t *attributes = zeinfo_map(z, kernel, "user_attributes");

    if (attributes == NULL)
        return;
    zeinfo_u32x3(z, attributes, "reqd_work_group_size", k->required_work_group_size,
                 1u << 20);
    zeinfo_u32(z, attributes, "intel_reqd_sub_group_size", &k->required_sub_group_size,
               32);
    zeinfo_u32x3(z, attributes, "work_group_size_hint", k->work_group_size_hint,
                 UINT32_MAX);
    zeinfo_text(z, attributes, "vec_type_hint", k->vec_type_hint,
                sizeof(k->vec_type_hint));
}

static void read_kernel(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    struct loader_kernel *k = item;

    k->name = zeinfo_name(z, node, "name");
    if (k->name == NULL)
        return;
    z->kernel = k->name;
    read_execution_env(z, node, k);
    read_user_attributes(z, node, k);
    k->per_thread_arg =
        zeinfo_list(z, node, "per_thread_payload_arguments", sizeof(*k->per_thread_arg),
                    &k->per_thread_args, read_arg);
    k->arg =
        zeinfo_list(z, node, "payload_arguments", sizeof(*k->arg), &k->args, read_arg);
    k->bti = zeinfo_list(z, node, "binding_table_indices", sizeof(*k->bti), &k->btis,
                         read_bti);
    k->buffer = zeinfo_list(z, node, "per_thread_memory_buffers", sizeof(*k->buffer),
                            &k->buffers, read_buffer);
    k->sampler = zeinfo_list(z, node, "inline_samplers", sizeof(*k->sampler),
                             &k->samplers, read_sampler);
    z->kernel = NULL;
}

/* One entry of kernels_misc_info belongs to the kernel of its name. */
static void read_misc(struct zeinfo *z, const yaml_node_t *node, void *item)
{
    struct loader_program *program = z->program;
    char *name = zeinfo_name(z, node, "name");

    (void)item;
    for (uint32_t i = 0; name != NULL && i < program->kernels; i++) {
        struct loader_kernel *k = &program->kernel[i];

        if (strcmp(k->name, name) != 0 || k->arg_info != NULL)
            continue;
        z->kernel = k->name;
        k->arg_info = zeinfo_list(z, node, "args_info", sizeof(*k->arg_info),
                                  &k->arg_infos, read_arg_info);
        z->kernel = NULL;
    }
    free(name);
}

enum igpu_status zeinfo_parse(struct loader_program *program, const char *text,
                              size_t bytes, struct igpu_err *err)
{
    struct zeinfo z = {.program = program, .err = err, .status = IGPU_OK};
    const yaml_node_t *root = zeinfo_open(&z, text, bytes);
    uint32_t miscs = 0;
    void *misc;

    if (root != NULL) {
        program->kernel = zeinfo_list(&z, root, "kernels", sizeof(*program->kernel),
                                      &program->kernels, read_kernel);
        if (z.status == IGPU_OK && program->kernels == 0)
            zeinfo_fail(&z, root, "kernels", "is missing or empty");
        if (z.status == IGPU_OK) {
            misc = zeinfo_list(&z, root, "kernels_misc_info", 1, &miscs, read_misc);
            free(misc);
        }
    }
    zeinfo_close(&z);
    return z.status;
}
