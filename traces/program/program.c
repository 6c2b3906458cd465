/* program.c - a zebin placed in an address space, its kernels described to the
 * emulator; see traces/program/program.h. */
#include "traces/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/isa_decode.h"

/* ---- program ------------------------------------------------------------ */

/* Give every data section an address and patch texts and data with them. */
static enum igpu_status place_data(struct program *p, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; status == IGPU_OK && i < p->image->datas; i++) {
        struct loader_data *d = &p->image->data[i];

        if (d->bytes > 0)
            status = emu_mem_map(p->mem, d->data, d->bytes, 0, &d->address, err);
    }
    return status == IGPU_OK ? loader_relocate(p->image, err) : status;
}

enum igpu_status program_open(struct loader_program *image, struct emu_mem *mem,
                              struct program **program, struct igpu_err *err)
{
    struct program *p = calloc(1, sizeof(*p));
    enum igpu_status status;

    *program = NULL;
    if (p == NULL) {
        loader_free(image);
        return igpu_no_memory(err, "a program");
    }
    p->image = image;
    p->mem = mem;
    status = place_data(p, err);
    if (status == IGPU_OK)
        *program = p;
    else
        program_free(p);
    return status;
}

enum igpu_status program_open_memory(const char *label, const void *bytes, size_t count,
                                     struct emu_mem *mem, struct program **program,
                                     struct igpu_err *err)
{
    struct loader_program *image;
    enum igpu_status status = loader_open_memory(label, bytes, count, &image, err);

    *program = NULL;
    return status == IGPU_OK ? program_open(image, mem, program, err) : status;
}

void program_free(struct program *program)
{
    if (program == NULL)
        return;
    for (uint32_t i = 0; i < program->image->datas; i++)
        if (program->image->data[i].address != 0)
            (void)emu_mem_unmap(program->mem, program->image->data[i].address);
    loader_free(program->image);
    free(program);
}

/* ---- arguments ---------------------------------------------------------- */

static uint8_t image_kind(const char *word)
{
    static const struct {
        const char *word;
        uint8_t kind;
    } kinds[] = {
        {"image_buffer", IMAGE_1D_BUFFER},
        {"image_1d", IMAGE_1D},
        {"image_1d_array", IMAGE_1D_ARRAY},
        {"image_2d", IMAGE_2D},
        {"image_2d_array", IMAGE_2D_ARRAY},
        {"image_2d_depth", IMAGE_2D},
        {"image_2d_array_depth", IMAGE_2D_ARRAY},
        {"image_3d", IMAGE_3D},
        /* as the source spells them, for arguments without use */
        {"image1d_buffer_t", IMAGE_1D_BUFFER},
        {"image1d_t", IMAGE_1D},
        {"image1d_array_t", IMAGE_1D_ARRAY},
        {"image2d_t", IMAGE_2D},
        {"image2d_array_t", IMAGE_2D_ARRAY},
        {"image2d_depth_t", IMAGE_2D},
        {"image2d_array_depth_t", IMAGE_2D_ARRAY},
        {"image3d_t", IMAGE_3D},
    };
    size_t length = strcspn(word, ";");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strlen(kinds[i].word) == length &&
            strncmp(kinds[i].word, word, length) == 0)
            return kinds[i].kind;
    return IMAGE_KIND_COUNT;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* What the source says of an argument; the payload, read later, knows better. */
static void read_info(const struct loader_arg_info *info, struct program_arg *arg)
{
    const char *size = strrchr(info->type_name, ';'); /* "uint;4" */

    arg->name = info->name;
    arg->type_name = info->type_name;
    if (starts_with(info->type_name, "image")) {
        arg->kind = EMU_ARG_IMAGE;
        arg->image_kind = image_kind(info->type_name);
    } else if (starts_with(info->type_name, "sampler_t")) {
        arg->kind = EMU_ARG_SAMPLER;
    } else if (strcmp(info->address_qualifier, "__local") == 0) {
        arg->kind = EMU_ARG_LOCAL;
    } else if (strcmp(info->address_qualifier, "__private") != 0) {
        arg->kind = EMU_ARG_BUFFER;
        arg->is_constant = strcmp(info->address_qualifier, "__constant") == 0;
    } else if (size != NULL && strlen(info->type_name) + 1 < sizeof(info->type_name)) {
        arg->value_bytes = (uint32_t)strtoul(size + 1, NULL, 10); /* not cut */
    }
}

const char *program_arg_element(const struct program_arg *arg)
{
    static const struct {
        const char *name, *element;
    } types[] = {{"char", "i8"},  {"uchar", "u8"},  {"short", "i16"}, {"ushort", "u16"},
                 {"int", "i32"},  {"uint", "u32"},  {"long", "i64"},  {"ulong", "u64"},
                 {"half", "f16"}, {"float", "f32"}, {"double", "f64"}};
    size_t length = strcspn(arg->type_name, ";0123456789");

    if (arg->kind != EMU_ARG_VALUE ||
        arg->type_name[length + strspn(arg->type_name + length, "0123456789")] != ';')
        return NULL;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strlen(types[i].name) == length &&
            strncmp(types[i].name, arg->type_name, length) == 0)
            return types[i].element;
    return NULL;
}

static void read_pointer(const struct loader_arg *a, struct program_arg *arg)
{
    arg->is_constant = a->addrspace == LOADER_SPACE_CONSTANT;
    arg->access = a->access;
    if (a->addrspace == LOADER_SPACE_IMAGE) {
        arg->kind = EMU_ARG_IMAGE;
        arg->image_kind = image_kind(a->image_type);
    } else if (a->addrspace == LOADER_SPACE_SAMPLER) {
        arg->kind = EMU_ARG_SAMPLER;
    } else {
        arg->kind = a->addrmode == LOADER_MODE_SLM ? EMU_ARG_LOCAL : EMU_ARG_BUFFER;
    }
}

static enum igpu_status list_args(struct program_kernel *k, struct igpu_err *err)
{
    const struct loader_kernel *l = k->info;

    for (uint32_t i = 0; i < l->args; i++)
        if (l->arg[i].arg_index >= (int32_t)k->arg_count)
            k->arg_count = (uint32_t)l->arg[i].arg_index + 1;
    for (uint32_t i = 0; i < l->arg_infos; i++)
        if (l->arg_info[i].index >= (int32_t)k->arg_count)
            k->arg_count = (uint32_t)l->arg_info[i].index + 1;
    k->arg = calloc(k->arg_count + 1u, sizeof(*k->arg));
    if (k->arg == NULL)
        return igpu_no_memory(err, "kernel %s", l->name);
    for (uint32_t i = 0; i < k->arg_count; i++)
        k->arg[i] = (struct program_arg){.unused = true, .name = "", .type_name = ""};
    for (uint32_t i = 0; i < l->arg_infos; i++)
        if (l->arg_info[i].index >= 0)
            read_info(&l->arg_info[i], &k->arg[l->arg_info[i].index]);
    for (uint32_t i = 0; i < l->args; i++) {
        const struct loader_arg *a = &l->arg[i];

        if (a->arg_index >= 0) {
            k->arg[a->arg_index].unused = false;
            if (a->type == LOADER_ARG_BYPOINTER)
                read_pointer(a, &k->arg[a->arg_index]);
        }
    }
    return IGPU_OK;
}

/* ---- what the emulator is told ------------------------------------------ */

/* Payload kinds by loader_arg_type; the rest has none. */
static const uint8_t payload_kinds[LOADER_ARG_TYPE_COUNT] = {
    [LOADER_ARG_BYVALUE] = 1 + EMU_PAYLOAD_ARG_VALUE,
    [LOADER_ARG_BUFFER_ADDRESS] = 1 + EMU_PAYLOAD_ARG_ADDRESS,
    [LOADER_ARG_BUFFER_OFFSET] = 1 + EMU_PAYLOAD_BUFFER_OFFSET,
    [LOADER_ARG_GLOBAL_ID_OFFSET] = 1 + EMU_PAYLOAD_GLOBAL_OFFSET,
    [LOADER_ARG_LOCAL_SIZE] = 1 + EMU_PAYLOAD_LOCAL_SIZE,
    [LOADER_ARG_ENQUEUED_LOCAL_SIZE] = 1 + EMU_PAYLOAD_ENQUEUED_LOCAL_SIZE,
    [LOADER_ARG_GLOBAL_SIZE] = 1 + EMU_PAYLOAD_GLOBAL_SIZE,
    [LOADER_ARG_GROUP_COUNT] = 1 + EMU_PAYLOAD_GROUP_COUNT,
    [LOADER_ARG_WORK_DIMENSIONS] = 1 + EMU_PAYLOAD_WORK_DIM,
    [LOADER_ARG_PRIVATE_BASE] = 1 + EMU_PAYLOAD_PRIVATE_BASE,
    [LOADER_ARG_PRINTF_BUFFER] = 1 + EMU_PAYLOAD_PRINTF_BUFFER,
    [LOADER_ARG_IMAGE_WIDTH] = 1 + EMU_PAYLOAD_IMAGE_WIDTH,
    [LOADER_ARG_IMAGE_HEIGHT] = 1 + EMU_PAYLOAD_IMAGE_HEIGHT,
    [LOADER_ARG_IMAGE_DEPTH] = 1 + EMU_PAYLOAD_IMAGE_DEPTH,
    [LOADER_ARG_IMAGE_ARRAY_SIZE] = 1 + EMU_PAYLOAD_IMAGE_ARRAY_SIZE,
    [LOADER_ARG_IMAGE_CHANNEL_DATA_TYPE] = 1 + EMU_PAYLOAD_IMAGE_TYPE,
    [LOADER_ARG_IMAGE_CHANNEL_ORDER] = 1 + EMU_PAYLOAD_IMAGE_ORDER,
    [LOADER_ARG_IMAGE_NUM_SAMPLES] = 1 + EMU_PAYLOAD_IMAGE_SAMPLES,
    [LOADER_ARG_IMAGE_NUM_MIP_LEVELS] = 1 + EMU_PAYLOAD_IMAGE_LEVELS,
    [LOADER_ARG_SAMPLER_ADDRESS] = 1 + EMU_PAYLOAD_SAMPLER_ADDRESS,
    [LOADER_ARG_SAMPLER_NORMALIZED] = 1 + EMU_PAYLOAD_SAMPLER_NORMALIZED,
    [LOADER_ARG_SAMPLER_SNAP_WA] = 1 + EMU_PAYLOAD_SAMPLER_SNAP,
    [LOADER_ARG_CONST_BASE] = 1 + EMU_PAYLOAD_BASE,
    [LOADER_ARG_GLOBAL_BASE] = 1 + EMU_PAYLOAD_BASE,
};

/* Arrays that describe the kernel to the emulator; it copies them. */
struct description {
    struct emu_kernel k;
    struct emu_payload *payload;
    struct emu_surface *surface;
    struct emu_kernel_sampler *sampler;
};

static enum igpu_status unsupported(const struct loader_kernel *l, const char *what,
                                    const char *which, struct igpu_err *err)
{
    return igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: %s '%s' is not supported",
                     l->name, what, which);
}

/* Where the program's variables of a kind are; 0: it has none. */
static uint64_t base_of(const struct loader_program *image, enum loader_data_kind kind)
{
    for (uint32_t i = 0; i < image->datas; i++)
        if (image->data[i].kind == kind)
            return image->data[i].address;
    return 0;
}

static enum igpu_status describe_arg(const struct program_kernel *kernel,
                                     const struct loader_arg *a, struct description *d,
                                     struct igpu_err *err)
{
    const struct loader_kernel *l = kernel->info;
    struct emu_payload *out = &d->payload[d->k.payload_count];
    uint8_t kind = payload_kinds[a->type];

    if (a->type == LOADER_ARG_BYPOINTER)
        kind = a->addrmode == LOADER_MODE_SLM ? 1 + EMU_PAYLOAD_ARG_SLM
                                              : 1 + EMU_PAYLOAD_ARG_ADDRESS;
    if (kind == 0)
        return unsupported(l, "an argument of type", a->type_name, err);
    if (a->addrspace == LOADER_SPACE_SAMPLER) {
        if (a->sampler_index < 0)
            return unsupported(l, "a sampler of type", a->sampler_type, err);
        d->sampler[d->k.sampler_count++] = (struct emu_kernel_sampler){
            .index = (uint32_t)a->sampler_index, .arg = a->arg_index};
    }
    if (a->size == 0)
        return IGPU_OK; /* stateful only: the binding table has it */
    if (a->addrspace == LOADER_SPACE_IMAGE || a->addrspace == LOADER_SPACE_SAMPLER)
        return unsupported(l, "a bindless argument of type", a->type_name, err);
    out->kind = kind - 1;
    out->offset = a->offset;
    out->size = a->size;
    out->arg = a->arg_index >= 0 ? (uint32_t)a->arg_index : 0;
    out->source_offset = a->source_offset;
    out->alignment = a->slm_alignment;
    if (out->kind == EMU_PAYLOAD_BASE) {
        uint64_t base = base_of(kernel->image, a->type == LOADER_ARG_CONST_BASE
                                                   ? LOADER_DATA_CONST
                                                   : LOADER_DATA_GLOBAL);

        out->arg = (uint32_t)base;
        out->source_offset = (uint32_t)(base >> 32);
    }
    d->k.payload_count++;
    return IGPU_OK;
}

static enum igpu_status describe_sampler(const struct loader_kernel *l,
                                         const struct loader_inline_sampler *s,
                                         struct description *d, struct igpu_err *err)
{
    static const char *const modes[SAMPLER_ADDRESS_COUNT] = {
        "none", "clamp_border", "clamp_edge", "repeat", "mirror"};
    struct emu_kernel_sampler *out = &d->sampler[d->k.sampler_count++];
    uint8_t mode = 0;

    while (mode < SAMPLER_ADDRESS_COUNT && strcmp(modes[mode], s->addrmode) != 0)
        mode++;
    if (mode == SAMPLER_ADDRESS_COUNT)
        return unsupported(l, "a sampler with addressing mode", s->addrmode, err);
    if (strcmp(s->filtermode, "nearest") != 0 && strcmp(s->filtermode, "linear") != 0)
        return unsupported(l, "a sampler with filter mode", s->filtermode, err);
    out->index = (uint32_t)s->sampler_index;
    out->arg = -1;
    out->fixed = (struct emu_sampler){.address = mode,
                                      .normalized = s->normalized,
                                      .linear = s->filtermode[0] == 'l'};
    return IGPU_OK;
}

/* A surface that holds variables is where the payload has their address. */
static void describe_base(const struct loader_kernel *l, const struct loader_bti *bti,
                          struct description *d)
{
    enum loader_arg_type type = bti->arg_index == LOADER_BTI_CONST
                                    ? LOADER_ARG_CONST_BASE
                                    : LOADER_ARG_GLOBAL_BASE;
    uint32_t piece = 0;

    if (bti->arg_index != LOADER_BTI_CONST && bti->arg_index != LOADER_BTI_GLOBAL)
        return;
    for (uint32_t i = 0; i < l->args; i++) { /* empty pieces were not described */
        if (l->arg[i].type == type && l->arg[i].size != 0)
            d->surface[d->k.surface_count++] =
                (struct emu_surface){bti->bti, EMU_SURFACE_AT_BASE + piece, false};
        piece += l->arg[i].size != 0;
    }
}

static enum igpu_status describe_args(const struct program_kernel *kernel,
                                      struct description *d, struct igpu_err *err)
{
    const struct loader_kernel *l = kernel->info;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < l->args && status == IGPU_OK; i++)
        status = describe_arg(kernel, &l->arg[i], d, err);
    for (uint32_t i = 0; i < l->samplers && status == IGPU_OK; i++)
        status = describe_sampler(l, &l->sampler[i], d, err);
    for (uint32_t i = 0; i < l->btis; i++) {
        int32_t arg = l->bti[i].arg_index;

        describe_base(l, &l->bti[i], d);
        if (arg < 0 || (uint32_t)arg >= kernel->arg_count)
            continue; /* the compiler's own */
        d->surface[d->k.surface_count++] = (struct emu_surface){
            l->bti[i].bti, (uint32_t)arg, kernel->arg[arg].kind == EMU_ARG_IMAGE};
    }
    return status;
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

/* emu_kernel.place */
static void tell_place(const void *user, uint32_t pc, char *text, size_t size)
{
    const struct program_kernel *kernel = user;
    const struct loader_line *at = loader_line_of(kernel->lines, pc);
    const char *name = at != NULL ? kernel->lines->source[at->source] : NULL;

    text[0] = '\0';
    if (at != NULL)
        (void)snprintf(text, size, "%s:%u",
                       loader_own_source(name) ? kernel->image->label : name, at->line);
}

static enum igpu_status make_emu(struct program_kernel *kernel, struct igpu_err *err)
{
    const struct loader_kernel *l = kernel->info;
    struct description d = {
        .k = {.name = l->name,
              .code = &kernel->code,
              .simd = l->simd_size,
              .slm_bytes = l->slm_size,
              .arg_count = kernel->arg_count,
              .place = tell_place,
              .place_user = kernel},
        .payload = calloc(l->args + 1u, sizeof(*d.payload)),
        .surface = calloc(l->btis + 1u, sizeof(*d.surface)),
        .sampler = calloc(l->args + l->samplers + 1u, sizeof(*d.sampler)),
    };
    enum igpu_status status = IGPU_OK;

    if (d.payload == NULL || d.surface == NULL || d.sampler == NULL)
        status = igpu_no_memory(err, "kernel %s", l->name);
    if (status == IGPU_OK)
        status = describe_args(kernel, &d, err);
    if (status == IGPU_OK) {
        describe_thread(l, &d.k);
        d.k.payload = d.payload;
        d.k.surface = d.surface;
        d.k.sampler = d.sampler;
        kernel->emu = emu_program_new(&d.k, err);
        status = kernel->emu != NULL ? IGPU_OK : IGPU_BAD_INPUT;
    }
    free(d.payload);
    free(d.surface);
    free(d.sampler);
    return status;
}

/* ---- kernel ------------------------------------------------------------- */

/* A binary whose code has another width than its source demands would number its
 * sub-groups, and so compute, differently from what its author wrote. */
static enum igpu_status check_width(const struct loader_kernel *k, struct igpu_err *err)
{
    if (k->required_sub_group_size == 0 || k->required_sub_group_size == k->simd_size)
        return IGPU_OK;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "kernel %s requires sub-groups of %u work-items but was compiled "
                     "to SIMD%u; compile it again, with 8, 16 or 32 in "
                     "intel_reqd_sub_group_size",
                     k->name, k->required_sub_group_size, k->simd_size);
}

static bool has_printf(const struct loader_kernel *k)
{
    for (uint32_t i = 0; i < k->args; i++)
        if (k->arg[i].type == LOADER_ARG_PRINTF_BUFFER)
            return true;
    return false;
}

static enum igpu_status fill_kernel(struct program_kernel *k, struct igpu_err *err)
{
    enum igpu_status status = check_width(k->info, err);

    if (status == IGPU_OK)
        status = isa_decode(k->info->name, k->info->text, k->info->text_bytes, &k->code,
                            err);
    if (status == IGPU_OK)
        status = list_args(k, err);
    if (status == IGPU_OK)
        status = make_emu(k, err);
    k->uses_printf = has_printf(k->info);
    return status;
}

struct program_kernel *program_kernel_new(const struct loader_program *image,
                                          const char *name, struct igpu_err *err)
{
    const struct loader_kernel *info = loader_find(image, name);
    struct program_kernel *k = calloc(1, sizeof(*k));

    if (info == NULL)
        (void)igpu_fail(err, IGPU_BAD_INPUT, "%s has no kernel %s", image->label, name);
    else if (k == NULL)
        (void)igpu_no_memory(err, "kernel %s", name);
    if (info != NULL && k != NULL) {
        k->info = info;
        k->image = k->lines = image;
        if (fill_kernel(k, err) == IGPU_OK)
            return k;
    }
    program_kernel_free(k);
    return NULL;
}

void program_kernel_free(struct program_kernel *kernel)
{
    if (kernel == NULL)
        return;
    if (kernel->emu != NULL)
        emu_program_free(kernel->emu);
    isa_code_free(&kernel->code);
    free(kernel->arg);
    free(kernel);
}
