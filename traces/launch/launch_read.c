/* launch_read.c - see launch.h: reading. */
#include <stdlib.h>
#include <string.h>

#include "igpu_trace.pb-c.h"
#include "traces/format/trace_sections.h"
#include "traces/launch/launch.h"

enum { IMAGE_NUMBERS = 10, NORMALIZED = 8, LINEAR = 16, ADDRESS = 7 };

/* A launch as the emulator takes it, with what it points to. */
struct launch {
    struct emu_launch launch;
    struct emu_arg *arg;
    struct emu_image *image;
    struct emu_sampler *sampler;
};

struct memory {
    uint64_t va, bytes;
    uint8_t *host;
};

struct launch_file {
    struct trace_reader *reader;
    struct emu_mem *mem;
    bool own;
    struct emu_program **program; /* one for each kernel */
    struct trace_bytes *text;     /* the same, as encoded */
    struct launch *launch;
    uint32_t programs, launches; /* that have been read */
    struct memory *memory;
    uint32_t memories;
    uint64_t bytes;
    uint32_t section; /* that is being read */
    struct trace_bytes raw;
};

static enum igpu_status launch_bad(const struct launch_file *f, const char *what,
                                   struct igpu_err *err)
{
    return trace_section_bad(f->reader, f->section, what, err);
}

/* False: it is none. */
static bool read_sampler(uint32_t state, struct emu_sampler *to)
{
    to->address = state & ADDRESS;
    to->normalized = (state & NORMALIZED) != 0;
    to->linear = (state & LINEAR) != 0;
    return state < 2 * LINEAR && to->address < SAMPLER_ADDRESS_COUNT;
}

/* ---- kernels ------------------------------------------------------------- */

static const char *columns_fault(const Vigpu__Trace__Abi *a,
                                 const struct trace_kernel *k)
{
    size_t n = a->n_payload_kind, s = a->n_surface_bti, p = a->n_sampler_index;

    if (n > LAUNCH_MAX_PIECES || a->n_payload_offset != n || a->n_payload_size != n ||
        a->n_payload_arg != n || a->n_payload_source != n || a->n_payload_align != n)
        return "the payload's columns differ";
    if (s > LAUNCH_MAX_PIECES || a->n_surface_arg != s || a->n_surface_image != s)
        return "the surfaces' columns differ";
    if (p > LAUNCH_MAX_PIECES || a->n_sampler_arg != p || a->n_sampler_state != p)
        return "the samplers' columns differ";
    if (a->n_walk_order != 3 ||
        a->walk_order[0] + a->walk_order[1] + a->walk_order[2] != 3 ||
        a->walk_order[0] > 2 || a->walk_order[1] > 2 ||
        a->walk_order[0] == a->walk_order[1])
        return "the order of local ids is none";
    if (a->local_id_dims > 3 || a->arg_count > TRACE_MAX_ARGS)
        return "a count is too large";
    if (a->code.len != 0 && a->code.len != k->code.text_bytes)
        return "the encoded instructions are not the kernel's";
    if (a->scratch_bytes > 1u << 24 || a->private_bytes > 1u << 24)
        return "scratch or private memory is too large";
    return NULL;
}

struct pieces {
    struct emu_payload *payload;
    struct emu_surface *surface;
    struct emu_kernel_sampler *sampler;
};

static void free_pieces(struct pieces *p)
{
    free(p->payload);
    free(p->surface);
    free(p->sampler);
}

static const char *read_pieces(const Vigpu__Trace__Abi *a, struct pieces *p)
{
    p->payload = calloc(a->n_payload_kind + 1, sizeof(*p->payload));
    p->surface = calloc(a->n_surface_bti + 1, sizeof(*p->surface));
    p->sampler = calloc(a->n_sampler_index + 1, sizeof(*p->sampler));
    if (p->payload == NULL || p->surface == NULL || p->sampler == NULL)
        return igpu_short_memory;
    for (size_t i = 0; i < a->n_payload_kind; i++) {
        if (a->payload_kind[i] >= EMU_PAYLOAD_KIND_COUNT)
            return "a piece of the payload is of no known kind";
        p->payload[i] = (struct emu_payload){.kind = (uint8_t)a->payload_kind[i],
                                             .offset = a->payload_offset[i],
                                             .size = a->payload_size[i],
                                             .arg = a->payload_arg[i],
                                             .source_offset = a->payload_source[i],
                                             .alignment = a->payload_align[i]};
    }
    for (size_t i = 0; i < a->n_surface_bti; i++)
        p->surface[i] = (struct emu_surface){a->surface_bti[i], a->surface_arg[i],
                                             a->surface_image[i] != 0};
    for (size_t i = 0; i < a->n_sampler_index; i++) {
        p->sampler[i].index = a->sampler_index[i];
        p->sampler[i].arg = a->sampler_arg[i];
        if (!read_sampler(a->sampler_state[i], &p->sampler[i].fixed))
            return "a sampler is none";
    }
    return NULL;
}

static bool keep_text(struct trace_bytes *to, const Vigpu__Trace__Abi *a)
{
    to->data = malloc(a->code.len + 1);
    if (to->data == NULL)
        return false;
    if (a->code.len != 0)
        memcpy(to->data, a->code.data, a->code.len);
    to->size = a->code.len;
    return true;
}

/* The next kernel's. */
static enum igpu_status read_abi(struct launch_file *f, struct igpu_err *err)
{
    const struct trace_kernel *k;
    Vigpu__Trace__Abi *a;
    struct pieces pieces = {NULL, NULL, NULL};
    const char *what = NULL;
    enum igpu_status status = IGPU_OK;

    if (f->programs == trace_summary(f->reader)->kernels)
        return launch_bad(f, "more of its kind than kernels", err);
    k = trace_kernel(f->reader, f->programs);
    a = vigpu__trace__abi__unpack(NULL, f->raw.size, f->raw.data);
    what = a == NULL ? "it cannot be read" : columns_fault(a, k);
    if (what == NULL)
        what = read_pieces(a, &pieces);
    if (what == NULL) {
        struct emu_kernel kernel = {.name = k->name,
                                    .code = &k->code,
                                    .simd = k->simd,
                                    .slm_bytes = k->slm_bytes,
                                    .local_id_dims = a->local_id_dims,
                                    .scratch_bytes = a->scratch_bytes,
                                    .private_bytes = a->private_bytes,
                                    .arg_count = a->arg_count,
                                    .payload = pieces.payload,
                                    .payload_count = (uint32_t)a->n_payload_kind,
                                    .surface = pieces.surface,
                                    .surface_count = (uint32_t)a->n_surface_bti,
                                    .sampler = pieces.sampler,
                                    .sampler_count = (uint32_t)a->n_sampler_index};

        memcpy(kernel.walk_order, a->walk_order, sizeof(kernel.walk_order));
        if (!keep_text(&f->text[f->programs], a))
            what = igpu_short_memory;
        f->program[f->programs] = emu_program_new(&kernel, err);
        if (f->program[f->programs++] == NULL)
            status = IGPU_BAD_INPUT;
    }
    free_pieces(&pieces);
    if (a != NULL)
        vigpu__trace__abi__free_unpacked(a, NULL);
    return what != NULL ? launch_bad(f, what, err) : status;
}

/* ---- memory -------------------------------------------------------------- */

static enum igpu_status new_mapping(struct launch_file *f,
                                    const Vigpu__Trace__Memory *m, struct igpu_err *err)
{
    struct memory *to = &f->memory[f->memories];

    if (f->memories == LAUNCH_MAX_MAPPINGS || m->bytes > LAUNCH_MAX_BYTES - f->bytes)
        return launch_bad(f, "more memory than a launch file has", err);
    f->bytes += m->bytes;
    *to = (struct memory){m->address, m->bytes, calloc(1, m->bytes)};
    if (to->host == NULL)
        return igpu_no_memory(err, "launch file: a buffer of %llu bytes",
                              (unsigned long long)m->bytes);
    f->memories++;
    if (emu_mem_map_at(f->mem, m->address, to->host, m->bytes,
                       m->read_only ? EMU_MAP_READ_ONLY : 0, err) != IGPU_OK)
        return IGPU_BAD_INPUT;
    return IGPU_OK;
}

static enum igpu_status read_memory(struct launch_file *f, struct igpu_err *err)
{
    Vigpu__Trace__Memory *m =
        vigpu__trace__memory__unpack(NULL, f->raw.size, f->raw.data);
    const struct memory *to;
    enum igpu_status status = IGPU_OK;

    if (m == NULL)
        return launch_bad(f, "it cannot be read", err);
    if (m->bytes != 0)
        status = new_mapping(f, m, err);
    to = f->memories > 0 ? &f->memory[f->memories - 1] : NULL;
    if (status == IGPU_OK &&
        (to == NULL || m->address < to->va || m->data.len > to->bytes ||
         m->address - to->va > to->bytes - m->data.len))
        status = launch_bad(f, "memory outside its buffer", err);
    if (status == IGPU_OK && m->data.len != 0)
        memcpy(to->host + (m->address - to->va), m->data.data, m->data.len);
    vigpu__trace__memory__free_unpacked(m, NULL);
    return status;
}

/* ---- launches ------------------------------------------------------------ */

static const char *read_image(const Vigpu__Trace__Input *from, uint64_t address,
                              struct emu_image *to, uint64_t *bytes)
{
    const uint64_t *n = from->image;
    struct igpu_err unused;

    if (from->n_image != IMAGE_NUMBERS)
        return "an image is not described";
    for (unsigned k = 0; k < 8; k++)
        if (n[k] > UINT32_MAX)
            return "an image's size is not valid";
    *to = (struct emu_image){
        .kind = (uint8_t)(n[0] < IMAGE_KIND_COUNT ? n[0] : IMAGE_KIND_COUNT),
        .linear = n[1] != 0,
        .order = (uint32_t)n[2],
        .type = (uint32_t)n[3],
        .width = (uint32_t)n[4],
        .height = (uint32_t)n[5],
        .depth = (uint32_t)n[6],
        .array_size = (uint32_t)n[7],
        .row_pitch = n[8],
        .slice_pitch = n[9],
        .va = address};
    if (to->kind == IMAGE_KIND_COUNT || image_layout(to, bytes, &unused) != IGPU_OK)
        return "an image's description is not valid";
    return NULL;
}

static const char *read_arg(const Vigpu__Trace__Input *from,
                            const struct trace_arg *told, struct launch *l, uint32_t i)
{
    struct emu_arg *arg = &l->arg[i];
    uint64_t bytes = 0;

    arg->size = told->bytes;
    switch (told->kind) {
    case TRACE_ARG_VALUE:
        arg->kind = EMU_ARG_VALUE;
        arg->value = told->value;
        return NULL;
    case TRACE_ARG_BUFFER:
        arg->kind = EMU_ARG_BUFFER;
        arg->va = told->address;
        arg->before = from->before;
        return arg->before > arg->va ? "a buffer begins before all memory" : NULL;
    case TRACE_ARG_LOCAL:
        arg->kind = EMU_ARG_LOCAL;
        return NULL;
    case TRACE_ARG_IMAGE:
        arg->kind = EMU_ARG_IMAGE;
        arg->image = &l->image[i];
        return read_image(from, told->address, &l->image[i], &bytes);
    default:
        arg->kind = EMU_ARG_SAMPLER;
        arg->sampler = &l->sampler[i];
        return read_sampler(from->sampler, &l->sampler[i]) ? NULL : "a sampler is none";
    }
}

static const char *read_args(const Vigpu__Trace__Inputs *in,
                             const struct trace_launch *t, struct launch *l)
{
    const char *what = NULL;

    if (in->n_input != t->nargs)
        return "it has other arguments than its launch";
    l->arg = calloc(t->nargs + 1u, sizeof(*l->arg));
    l->image = calloc(t->nargs + 1u, sizeof(*l->image));
    l->sampler = calloc(t->nargs + 1u, sizeof(*l->sampler));
    if (l->arg == NULL || l->image == NULL || l->sampler == NULL)
        return igpu_short_memory;
    for (uint32_t i = 0; i < t->nargs && what == NULL; i++)
        what = read_arg(in->input[i], &t->args[i], l, i);
    return what;
}

static const char *read_part(const Vigpu__Trace__Inputs *in, struct emu_part *part)
{
    if (in->n_part == 0)
        return NULL;
    if (in->n_part != 9)
        return "the launch that it is a part of is not described";
    memcpy(part->global, in->part, sizeof(part->global));
    memcpy(part->local, in->part + 3, sizeof(part->local));
    memcpy(part->first, in->part + 6, sizeof(part->first));
    for (unsigned d = 0; d < 3; d++)
        if (part->local[d] == 0)
            return "the launch that it is a part of has a size of 0";
    return NULL;
}

static const char *check_threads(const struct launch_file *f, const struct launch *l,
                                 const struct trace_launch *t)
{
    uint64_t items = t->local[0] * t->local[1] * t->local[2];

    (void)l;
    if (t->kernel >= f->programs)
        return "its kernel has not come yet";
    if (t->local[0] > 1024 || t->local[1] > 1024 || t->local[2] > 1024 ||
        emu_threads_per_group(f->program[t->kernel], items) != t->threads_per_group)
        return "its groups have another number of threads";
    return NULL;
}

static enum igpu_status read_inputs(struct launch_file *f, struct igpu_err *err)
{
    const struct trace_launch *t;
    Vigpu__Trace__Inputs *in;
    struct launch *l = &f->launch[f->launches];
    const char *what;

    if (f->launches == trace_summary(f->reader)->launches)
        return launch_bad(f, "more of its kind than launches", err);
    t = trace_launch(f->reader, f->launches++);
    in = vigpu__trace__inputs__unpack(NULL, f->raw.size, f->raw.data);
    what = in == NULL ? "it cannot be read" : check_threads(f, l, t);
    if (what == NULL)
        what = read_args(in, t, l);
    if (what == NULL)
        what = read_part(in, &l->launch.part);
    if (what == NULL) {
        l->launch.work_dim = t->dims;
        memcpy(l->launch.global, t->global, sizeof(l->launch.global));
        memcpy(l->launch.local, t->local, sizeof(l->launch.local));
        memcpy(l->launch.offset, t->offset, sizeof(l->launch.offset));
        l->launch.arg = l->arg;
        l->launch.arg_count = t->nargs;
        l->launch.printf_va = in->printf_address;
        l->launch.hw_threads = in->hw_threads;
        l->launch.lenient = in->lenient;
        l->launch.max_instructions = in->max_instructions;
    }
    if (in != NULL)
        vigpu__trace__inputs__free_unpacked(in, NULL);
    return what != NULL ? launch_bad(f, what, err) : IGPU_OK;
}

/* ---- the file ------------------------------------------------------------ */

static enum igpu_status read_section(struct launch_file *f, struct igpu_err *err)
{
    enum trace_kind kind = trace_section_kind(f->reader, f->section);
    enum igpu_status status;

    if (kind != TRACE_KIND_ABI && kind != TRACE_KIND_INPUTS &&
        (kind != TRACE_KIND_MEMORY || !f->own))
        return IGPU_OK;
    status = trace_section_read(f->reader, f->section, &f->raw, err);
    if (status != IGPU_OK)
        return status;
    return kind == TRACE_KIND_ABI      ? read_abi(f, err)
           : kind == TRACE_KIND_INPUTS ? read_inputs(f, err)
                                       : read_memory(f, err);
}

static enum igpu_status allocate(struct launch_file *f, struct igpu_err *err)
{
    const struct trace_summary *s = trace_summary(f->reader);

    f->program = calloc(s->kernels + 1u, sizeof(struct emu_program *));
    f->text = calloc(s->kernels + 1u, sizeof(*f->text));
    f->launch = calloc(s->launches + 1u, sizeof(*f->launch));
    f->memory = calloc(LAUNCH_MAX_MAPPINGS, sizeof(*f->memory));
    if (f->own)
        f->mem = emu_mem_new();
    if (f->program == NULL || f->text == NULL || f->launch == NULL ||
        f->memory == NULL || f->mem == NULL)
        return igpu_no_memory(err, "launch file");
    return IGPU_OK;
}

enum igpu_status launch_file_open(struct launch_file **file,
                                  struct trace_reader *reader, struct emu_mem *mem,
                                  struct igpu_err *err)
{
    struct launch_file *f = calloc(1, sizeof(*f));
    enum igpu_status status;

    *file = NULL;
    if (f == NULL)
        return igpu_no_memory(err, "launch file");
    f->reader = reader;
    f->mem = mem;
    f->own = mem == NULL;
    status = allocate(f, err);
    for (; status == IGPU_OK && f->section < trace_sections(reader); f->section++)
        status = read_section(f, err);
    f->section = 0;
    if (status == IGPU_OK && (f->programs != trace_summary(reader)->kernels ||
                              f->launches != trace_summary(reader)->launches))
        status = launch_bad(f, "a kernel or launch without its description", err);
    if (status != IGPU_OK) {
        launch_file_close(f);
        return status;
    }
    *file = f;
    return IGPU_OK;
}

void launch_file_close(struct launch_file *f)
{
    if (f == NULL)
        return;
    for (uint32_t i = 0; f->program != NULL && i < f->programs; i++)
        emu_program_free(f->program[i]);
    for (uint32_t i = 0; f->text != NULL && i < f->programs; i++)
        trace_bytes_free(&f->text[i]);
    for (uint32_t i = 0; f->launch != NULL && i < f->launches; i++) {
        free(f->launch[i].arg);
        free(f->launch[i].image);
        free(f->launch[i].sampler);
    }
    if (f->own)
        emu_mem_free(f->mem);
    for (uint32_t i = 0; f->memory != NULL && i < f->memories; i++)
        free(f->memory[i].host);
    free((void *)f->program);
    free(f->text);
    free(f->launch);
    free(f->memory);
    trace_bytes_free(&f->raw);
    free(f);
}

const uint8_t *launch_file_text(const struct launch_file *f, uint32_t launch,
                                size_t *bytes)
{
    const struct trace_bytes *t = &f->text[trace_launch(f->reader, launch)->kernel];

    *bytes = t->size;
    return t->size != 0 ? t->data : NULL;
}

const struct emu_program *launch_file_program(const struct launch_file *f,
                                              uint32_t launch)
{
    return f->program[trace_launch(f->reader, launch)->kernel];
}

const struct emu_launch *launch_file_launch(const struct launch_file *f,
                                            uint32_t launch)
{
    return &f->launch[launch].launch;
}

struct emu_mem *launch_file_mem(const struct launch_file *f)
{
    return f->mem;
}

const void *launch_file_buffer(const struct launch_file *f, uint32_t launch,
                               uint32_t arg, uint64_t *bytes)
{
    const struct emu_launch *l = &f->launch[launch].launch;
    const struct emu_arg *a = arg < l->arg_count ? &l->arg[arg] : NULL;

    if (a == NULL || (a->kind != EMU_ARG_BUFFER && a->kind != EMU_ARG_IMAGE))
        return NULL;
    *bytes = a->size;
    return emu_mem_host(f->mem, a->kind == EMU_ARG_BUFFER ? a->va : a->image->va,
                        a->size);
}
