/* record_program.c - a kernel made ready to run; see record.h. */
#include "traces/record.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/isa_decode.h"
#include "traces/compile.h"

uint64_t record_hash(const void *data, uint64_t bytes)
{
    const uint8_t *p = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (uint64_t i = 0; i < bytes; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static enum igpu_status open_image(struct record_program *p, const char *file,
                                   const char *device, const char *options,
                                   struct igpu_err *err)
{
    struct compile_request request = {
        .source_path = file, .device = device, .options = options};
    struct compile_result built = {0};
    enum igpu_status status;

    if (!ends_with(file, ".cl")) {
        status = loader_open_file(file, &p->image, err);
        if (status == IGPU_OK)
            p->build_options = strdup(p->image->build_options);
        return status;
    }
    status = compile_opencl(&request, &built, err);
    if (status == IGPU_OK) {
        p->source_hash = record_hash(built.image, built.bytes);
        p->build_options = strdup(options != NULL ? options : "");
        status = loader_open_memory(file, built.image, built.bytes, &p->image, err);
    }
    compile_free(&built);
    return status;
}

/* Give every data section an address and patch texts and data with them. */
static enum igpu_status place_data(struct record_program *p, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; status == IGPU_OK && i < p->image->datas; i++) {
        struct loader_data *d = &p->image->data[i];

        if (d->bytes > 0)
            status = emu_mem_map(p->mem, d->data, d->bytes, 0, &d->address, err);
    }
    return status == IGPU_OK ? loader_relocate(p->image, err) : status;
}

static enum igpu_status choose_kernel(struct record_program *p, const char *file,
                                      const char *name, struct igpu_err *err)
{
    if (name == NULL && p->image->kernels == 1)
        name = p->image->kernel[0].name;
    if (name == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "%s has %u kernels; choose one with -k, e.g. -k %s", file,
                         p->image->kernels,
                         p->image->kernels > 0 ? p->image->kernel[0].name : "NAME");
    p->kernel = loader_find(p->image, name);
    if (p->kernel == NULL)
        return igpu_fail(err, IGPU_USAGE, "%s has no kernel %s; its first is %s", file,
                         name,
                         p->image->kernels > 0 ? p->image->kernel[0].name : "(none)");
    return IGPU_OK;
}

/* A binary whose code has another width than its source demands would number its
 * sub-groups, and so compute, differently from what its author wrote. */
static enum igpu_status check_width(const struct record_program *p,
                                    struct igpu_err *err)
{
    const struct loader_kernel *k = p->kernel;

    if (k->required_sub_group_size == 0 || k->required_sub_group_size == k->simd_size)
        return IGPU_OK;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "kernel %s requires sub-groups of %u work-items but was compiled "
                     "to SIMD%u; compile it again, with 8, 16 or 32 in "
                     "intel_reqd_sub_group_size",
                     k->name, k->required_sub_group_size, k->simd_size);
}

static bool payload_kind(const struct loader_arg *a, uint8_t *kind)
{
    switch (a->type) {
    case LOADER_ARG_BYVALUE:
        *kind = EMU_PAYLOAD_ARG_VALUE;
        return true;
    case LOADER_ARG_BYPOINTER:
        *kind = a->addrmode == LOADER_MODE_SLM ? EMU_PAYLOAD_ARG_SLM
                                               : EMU_PAYLOAD_ARG_ADDRESS;
        return a->addrspace != LOADER_SPACE_IMAGE &&
               a->addrspace != LOADER_SPACE_SAMPLER;
    case LOADER_ARG_BUFFER_ADDRESS:
        *kind = EMU_PAYLOAD_ARG_ADDRESS;
        return true;
    case LOADER_ARG_BUFFER_OFFSET:
        *kind = EMU_PAYLOAD_BUFFER_OFFSET;
        return true;
    case LOADER_ARG_GLOBAL_ID_OFFSET:
        *kind = EMU_PAYLOAD_GLOBAL_OFFSET;
        return true;
    case LOADER_ARG_LOCAL_SIZE:
        *kind = EMU_PAYLOAD_LOCAL_SIZE;
        return true;
    case LOADER_ARG_ENQUEUED_LOCAL_SIZE:
        *kind = EMU_PAYLOAD_ENQUEUED_LOCAL_SIZE;
        return true;
    case LOADER_ARG_GLOBAL_SIZE:
        *kind = EMU_PAYLOAD_GLOBAL_SIZE;
        return true;
    case LOADER_ARG_GROUP_COUNT:
        *kind = EMU_PAYLOAD_GROUP_COUNT;
        return true;
    case LOADER_ARG_WORK_DIMENSIONS:
        *kind = EMU_PAYLOAD_WORK_DIM;
        return true;
    case LOADER_ARG_PRIVATE_BASE:
        *kind = EMU_PAYLOAD_PRIVATE_BASE;
        return true;
    case LOADER_ARG_PRINTF_BUFFER:
        *kind = EMU_PAYLOAD_PRINTF_BUFFER;
        return true;
    default:
        return false;
    }
}

/* Arrays that describe the kernel to the emulator; it copies them. */
struct description {
    struct emu_payload *payload;
    struct emu_surface *surface;
};

static enum igpu_status describe_args(struct record_program *p, struct emu_kernel *k,
                                      struct description *d, struct igpu_err *err)
{
    for (uint32_t i = 0; i < p->kernel->args; i++) {
        const struct loader_arg *a = &p->kernel->arg[i];
        struct emu_payload *out = &d->payload[k->payload_count];

        if (a->arg_index >= 0 && (uint32_t)a->arg_index + 1 > k->arg_count)
            k->arg_count = (uint32_t)a->arg_index + 1;
        if (!payload_kind(a, &out->kind))
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "kernel %s: an argument of type %s is not supported "
                             "(images and samplers are not modelled)",
                             p->kernel->name, a->type_name);
        if (a->size == 0)
            continue; /* stateful only: the binding table has it */
        out->offset = a->offset;
        out->size = a->size;
        out->arg = a->arg_index >= 0 ? (uint32_t)a->arg_index : 0;
        out->source_offset = a->source_offset;
        out->alignment = a->slm_alignment;
        k->payload_count++;
    }
    for (uint32_t i = 0; i < p->kernel->btis; i++)
        if (p->kernel->bti[i].arg_index >= 0) {
            d->surface[k->surface_count].bti = p->kernel->bti[i].bti;
            d->surface[k->surface_count++].arg = (uint32_t)p->kernel->bti[i].arg_index;
        }
    return IGPU_OK;
}

static void describe_thread(const struct loader_kernel *l, struct emu_kernel *k)
{
    uint32_t per_dim = l->simd_size > 16 ? 64 : 32; /* one 16-bit id per lane */

    for (uint32_t i = 0; i < l->per_thread_args; i++)
        if (l->per_thread_arg[i].type == LOADER_ARG_LOCAL_ID)
            k->local_id_dims += l->per_thread_arg[i].size / per_dim;
    for (unsigned i = 0; i < 3; i++)
        k->walk_order[i] = l->walk_order[i];
    for (uint32_t i = 0; i < l->buffers; i++) {
        const struct loader_thread_buffer *b = &l->buffer[i];

        if (b->type == LOADER_BUFFER_SCRATCH)
            k->scratch_bytes += b->size;
        else if (b->type == LOADER_BUFFER_GLOBAL && b->usage == LOADER_USAGE_PRIVATE)
            k->private_bytes += b->size;
    }
}

static enum igpu_status make_emu(struct record_program *p, struct igpu_err *err)
{
    const struct loader_kernel *l = p->kernel;
    struct emu_kernel k = {.name = l->name,
                           .code = &p->code,
                           .simd = l->simd_size,
                           .slm_bytes = l->slm_size};
    struct description d = {calloc(l->args + 1, sizeof(*d.payload)),
                            calloc(l->btis + 1, sizeof(*d.surface))};
    enum igpu_status status = IGPU_OK;

    if (d.payload == NULL || d.surface == NULL)
        status = igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: out of memory", l->name);
    if (status == IGPU_OK)
        status = describe_args(p, &k, &d, err);
    if (status == IGPU_OK) {
        describe_thread(l, &k);
        k.payload = d.payload;
        k.surface = d.surface;
        p->arg_count = k.arg_count;
        p->emu = emu_program_new(&k, err);
        status = p->emu != NULL ? IGPU_OK : IGPU_BAD_INPUT;
    }
    free(d.payload);
    free(d.surface);
    return status;
}

/* Decode and prepare p->kernel; the image is placed and relocated. */
static enum igpu_status make_ready(struct record_program *p, struct igpu_err *err)
{
    enum igpu_status status = isa_decode(p->kernel->name, p->kernel->text,
                                         p->kernel->text_bytes, &p->code, err);

    return status == IGPU_OK ? make_emu(p, err) : status;
}

enum igpu_status record_open(struct record_program *p, const char *file,
                             const char *device, const char *options,
                             const char *kernel, struct igpu_err *err)
{
    enum igpu_status status;

    memset(p, 0, sizeof(*p));
    p->mem = emu_mem_new();
    if (p->mem == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: out of memory", file);
    status = open_image(p, file, device, options, err);
    if (status == IGPU_OK)
        status = choose_kernel(p, file, kernel, err);
    if (status == IGPU_OK)
        status = check_width(p, err);
    if (status == IGPU_OK)
        status = place_data(p, err);
    if (status == IGPU_OK)
        status = make_ready(p, err);
    if (status != IGPU_OK)
        record_close(p);
    return status;
}

enum igpu_status record_open_kernel(struct record_program *p,
                                    struct loader_program *image, struct emu_mem *mem,
                                    const char *kernel, uint64_t source_hash,
                                    const char *build_options, struct igpu_err *err)
{
    enum igpu_status status;

    memset(p, 0, sizeof(*p));
    p->shared = true;
    p->image = image;
    p->mem = mem;
    p->source_hash = source_hash;
    p->build_options = strdup(build_options != NULL ? build_options : "");
    status = choose_kernel(p, image->label, kernel, err);
    if (status == IGPU_OK)
        status = check_width(p, err);
    if (status == IGPU_OK)
        status = make_ready(p, err);
    if (status != IGPU_OK)
        record_close(p);
    return status;
}

void record_close(struct record_program *p)
{
    if (p->emu != NULL)
        emu_program_free(p->emu);
    isa_code_free(&p->code);
    if (p->mem != NULL && !p->shared)
        emu_mem_free(p->mem);
    if (p->image != NULL && !p->shared)
        loader_free(p->image);
    free(p->build_options);
    memset(p, 0, sizeof(*p));
}

bool record_order_matters(const struct record_program *p)
{
    for (uint32_t i = 0; i < p->code.count; i++) {
        const struct isa_message *m = &p->code.inst[i].msg;

        if ((m->family == ISA_MSG_UNTYPED_ATOMIC ||
             m->family == ISA_MSG_FLOAT_ATOMIC) &&
            m->addr_model != ISA_ADDR_SLM && m->returns_data)
            return true;
    }
    return false;
}
