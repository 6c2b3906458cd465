/* launch_write.c - see launch.h: writing. */
#include <stdlib.h>

#include "igpu_trace.pb-c.h"
#include "traces/format/trace_sections.h"
#include "traces/launch/launch.h"

enum { PIECE_BYTES = 1 << 20, IMAGE_NUMBERS = 10, PAYLOAD_COLUMNS = 6 };

static enum igpu_status no_memory(struct igpu_err *err)
{
    return igpu_no_memory(err, "launch file");
}

static uint32_t sampler_state(const struct emu_sampler *s)
{
    return s->address | (s->normalized ? 8u : 0u) | (s->linear ? 16u : 0u);
}

/* ---- kernels ------------------------------------------------------------- */

static void put_payload(const struct emu_kernel *k, uint32_t *to,
                        Vigpu__Trace__Abi *abi)
{
    uint32_t n = k->payload_count;

    for (uint32_t i = 0; i < n; i++) {
        to[i] = k->payload[i].kind;
        to[n + i] = k->payload[i].offset;
        to[2 * n + i] = k->payload[i].size;
        to[3 * n + i] = k->payload[i].arg;
        to[4 * n + i] = k->payload[i].source_offset;
        to[5 * n + i] = k->payload[i].alignment;
    }
    abi->payload_kind = to;
    abi->payload_offset = to + n;
    abi->payload_size = to + 2 * (size_t)n;
    abi->payload_arg = to + 3 * (size_t)n;
    abi->payload_source = to + 4 * (size_t)n;
    abi->payload_align = to + 5 * (size_t)n;
    abi->n_payload_kind = abi->n_payload_offset = abi->n_payload_size = n;
    abi->n_payload_arg = abi->n_payload_source = abi->n_payload_align = n;
}

static void put_surfaces(const struct emu_kernel *k, uint32_t *to,
                         Vigpu__Trace__Abi *abi)
{
    uint32_t n = k->surface_count;

    for (uint32_t i = 0; i < n; i++) {
        to[i] = k->surface[i].bti;
        to[n + i] = k->surface[i].arg;
        to[2 * n + i] = k->surface[i].is_image;
    }
    abi->surface_bti = to;
    abi->surface_arg = to + n;
    abi->surface_image = to + 2 * (size_t)n;
    abi->n_surface_bti = abi->n_surface_arg = abi->n_surface_image = n;
}

static void put_samplers(const struct emu_kernel *k, uint32_t *to, int32_t *arg,
                         Vigpu__Trace__Abi *abi)
{
    uint32_t n = k->sampler_count;

    for (uint32_t i = 0; i < n; i++) {
        to[i] = k->sampler[i].index;
        to[n + i] = sampler_state(&k->sampler[i].fixed);
        arg[i] = k->sampler[i].arg;
    }
    abi->sampler_index = to;
    abi->sampler_state = to + n;
    abi->sampler_arg = arg;
    abi->n_sampler_index = abi->n_sampler_state = abi->n_sampler_arg = n;
}

enum igpu_status launch_write_abi(struct trace_writer *w, const struct emu_program *p,
                                  const void *text, size_t bytes, struct igpu_err *err)
{
    const struct emu_kernel *k = emu_program_kernel(p);
    Vigpu__Trace__Abi abi = VIGPU__TRACE__ABI__INIT;
    size_t surfaces = PAYLOAD_COLUMNS * (size_t)k->payload_count;
    size_t samplers = surfaces + 3 * (size_t)k->surface_count;
    uint32_t *column =
        calloc(samplers + 2 * (size_t)k->sampler_count + 1, sizeof(*column));
    int32_t *arg = calloc(k->sampler_count + 1u, sizeof(*arg));
    enum igpu_status status;

    if (column == NULL || arg == NULL) {
        free(column);
        free(arg);
        return no_memory(err);
    }
    abi.local_id_dims = k->local_id_dims;
    abi.walk_order = (uint32_t *)k->walk_order;
    abi.n_walk_order = 3;
    abi.scratch_bytes = k->scratch_bytes;
    abi.private_bytes = k->private_bytes;
    abi.arg_count = k->arg_count;
    abi.code.data = (uint8_t *)text;
    abi.code.len = bytes;
    put_payload(k, column, &abi);
    put_surfaces(k, column + surfaces, &abi);
    put_samplers(k, column + samplers, arg, &abi);
    status = trace_writer_add(w, TRACE_KIND_ABI, &abi.base, err);
    free(column);
    free(arg);
    return status;
}

/* ---- memory -------------------------------------------------------------- */

static bool is_zero(const uint8_t *p, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (p[i] != 0)
            return false;
    return true;
}

static enum igpu_status write_mapping(struct trace_writer *w, uint64_t va,
                                      const uint8_t *host, uint64_t bytes,
                                      bool read_only, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint64_t at = 0; at < bytes && status == IGPU_OK; at += PIECE_BYTES) {
        Vigpu__Trace__Memory piece = VIGPU__TRACE__MEMORY__INIT;
        uint64_t n = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
        bool zero = is_zero(host + at, n);

        if (zero && at != 0)
            continue;
        piece.address = va + at;
        piece.bytes = at == 0 ? bytes : 0;
        piece.read_only = read_only;
        piece.data.data = (uint8_t *)(uintptr_t)(host + at);
        piece.data.len = zero ? 0 : (size_t)n;
        status = trace_writer_add(w, TRACE_KIND_MEMORY, &piece.base, err);
    }
    return status;
}

enum igpu_status launch_write_memory(struct trace_writer *w, const struct emu_mem *mem,
                                     struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    const void *host;
    uint64_t va, bytes;
    uint32_t flags;

    for (uint32_t i = 0;
         status == IGPU_OK && emu_mem_mapping(mem, i, &va, &host, &bytes, &flags); i++)
        status = write_mapping(w, va, host, bytes, flags & EMU_MAP_READ_ONLY, err);
    return status;
}

/* ---- launches ------------------------------------------------------------ */

struct input {
    Vigpu__Trace__Input message;
    uint64_t image[IMAGE_NUMBERS];
};

static void put_input(const struct emu_arg *arg, struct input *to)
{
    vigpu__trace__input__init(&to->message);
    to->message.before = arg->before;
    if (arg->kind == EMU_ARG_SAMPLER)
        to->message.sampler = sampler_state(arg->sampler);
    if (arg->kind == EMU_ARG_IMAGE) {
        const struct emu_image *i = arg->image;
        const uint64_t number[IMAGE_NUMBERS] = {
            i->kind,   i->linear, i->order,      i->type,      i->width,
            i->height, i->depth,  i->array_size, i->row_pitch, i->slice_pitch};

        for (unsigned k = 0; k < IMAGE_NUMBERS; k++)
            to->image[k] = number[k];
        to->message.image = to->image;
        to->message.n_image = IMAGE_NUMBERS;
    }
}

enum igpu_status launch_write_inputs(struct trace_writer *w,
                                     const struct emu_launch *launch,
                                     struct igpu_err *err)
{
    Vigpu__Trace__Inputs inputs = VIGPU__TRACE__INPUTS__INIT;
    struct input *input = calloc(launch->arg_count + 1u, sizeof(*input));
    Vigpu__Trace__Input **list = calloc(launch->arg_count + 1u, sizeof(void *));
    uint64_t part[9];
    enum igpu_status status;

    if (input == NULL || list == NULL) {
        free(input);
        free((void *)list);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        put_input(&launch->arg[i], &input[i]);
        list[i] = &input[i].message;
    }
    for (unsigned d = 0; d < 3; d++) {
        part[d] = launch->part.global[d];
        part[3 + d] = launch->part.local[d];
        part[6 + d] = launch->part.first[d];
    }
    inputs.input = list;
    inputs.n_input = launch->arg_count;
    inputs.part = part;
    inputs.n_part = launch->part.local[0] != 0 ? 9 : 0;
    inputs.printf_address = launch->printf_va;
    inputs.hw_threads = launch->hw_threads;
    inputs.lenient = launch->lenient;
    inputs.max_instructions = launch->max_instructions;
    status = trace_writer_add(w, TRACE_KIND_INPUTS, &inputs.base, err);
    free(input);
    free((void *)list);
    return status;
}
