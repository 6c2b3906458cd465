/* record_program.c - a kernel made ready to run; see record.h. */
#include "traces/record/record.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/hash.h"
#include "traces/program/compile.h"

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static enum igpu_status open_image(struct record_program *p, const char *file,
                                   const char *device, const char *options,
                                   const struct compile_waiting *waiting,
                                   struct loader_program **image, struct igpu_err *err)
{
    struct compile_request request = {
        .source_path = file, .device = device, .options = options};
    struct compile_result built = {0};
    enum igpu_status status;

    if (!ends_with(file, ".cl")) {
        status = loader_open_file(file, image, err);
        if (status == IGPU_OK)
            p->build_options = strdup((*image)->build_options);
        return status;
    }
    if (waiting != NULL)
        request.waiting = *waiting;
    status = compile_opencl(&request, &built, err);
    if (status == IGPU_OK) {
        p->source_hash = igpu_fnv(IGPU_FNV_BEGIN, built.image, built.bytes);
        p->build_options = strdup(options != NULL ? options : "");
        p->file = strdup(file);
        status = loader_open_memory(file, built.image, built.bytes, image, err);
    }
    compile_free(&built);
    return status;
}

/* Decode and prepare the kernel called name; the image is placed and relocated. */
static enum igpu_status make_ready(struct record_program *p, const char *name,
                                   struct igpu_err *err)
{
    p->kernel = loader_find(p->image, name);
    p->ready = program_kernel_new(p->image, name, err);
    if (p->ready == NULL)
        return IGPU_BAD_INPUT;
    if (p->lines != NULL)
        p->ready->lines = p->lines;
    p->code = p->ready->code;
    p->emu = p->ready->emu;
    p->arg_count = p->ready->arg_count;
    return IGPU_OK;
}

static enum igpu_status choose_kernel(struct record_program *p, const char *file,
                                      const char *name, struct igpu_err *err)
{
    const char *first = p->image->kernels > 0 ? p->image->kernel[0].name : NULL;

    if (name == NULL && p->image->kernels == 1)
        name = first;
    if (first == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s has no kernels", file);
    if (name == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "%s has %u kernels; choose one with -k, e.g. -k %s", file,
                         p->image->kernels, first);
    if (loader_find(p->image, name) == NULL)
        return igpu_fail(err, IGPU_USAGE, "%s has no kernel %s; its first is %s", file,
                         name, first);
    return make_ready(p, name, err);
}

enum igpu_status record_open(struct record_program *p, const char *file,
                             const char *device, const char *options,
                             const char *kernel, const struct compile_waiting *waiting,
                             struct igpu_err *err)
{
    struct loader_program *image = NULL;
    enum igpu_status status;

    memset(p, 0, sizeof(*p));
    p->mem = emu_mem_new();
    if (p->mem == NULL)
        return igpu_no_memory(err, "%s", file);
    status = open_image(p, file, device, options, waiting, &image, err);
    if (status == IGPU_OK)
        record_find_lines(p, image, device, options, kernel);
    if (status == IGPU_OK)
        status = program_open(image, p->mem, &p->program, err);
    if (status == IGPU_OK) {
        p->image = p->program->image;
        status = choose_kernel(p, file, kernel, err);
    }
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
    if (status != IGPU_OK)
        record_close(p);
    return status;
}

void record_close(struct record_program *p)
{
    program_kernel_free(p->ready);
    program_free(p->program);
    if (p->mem != NULL && !p->shared)
        emu_mem_free(p->mem);
    free(p->build_options);
    free(p->file);
    loader_free(p->lines);
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

bool record_reads_clock(const struct record_program *p)
{
    for (uint32_t i = 0; i < p->code.count; i++)
        for (uint32_t k = 0; k < p->code.inst[i].nsrc; k++)
            if (p->code.inst[i].src[k].file == ISA_FILE_TIME)
                return true;
    return false;
}
