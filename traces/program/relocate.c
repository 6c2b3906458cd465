/* relocate.c - relocation and small questions about a loaded program. */
#include "loader_impl.h"

#include <inttypes.h>
#include <string.h>

/* Where a relocation points; err says why it cannot be known. */
static enum igpu_status resolve(const struct loader_program *p,
                                const struct loader_reloc *r, uint64_t *address,
                                struct igpu_err *err)
{
    const struct loader_symbol *s = &p->symbol[r->symbol];

    if (r->type < LOADER_RELOC_64 || r->type > LOADER_RELOC_HIGH32)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: relocation at 0x%" PRIx64 ": type %" PRIu32
                         " is not supported (1, 2 and 3 are)",
                         p->label, r->offset, r->type);
    if (r->in_shared) { /* its copies in the kernels count */
        *address = 0;
        return IGPU_OK;
    }
    if (r->kernel >= 0 && (s->is_shared || s->kernel == r->kernel)) {
        *address = (s->is_shared ? p->kernel[r->kernel].shared_at : 0) + s->value +
                   (uint64_t)r->addend;
        return IGPU_OK;
    }
    if (s->data < 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: relocation at 0x%" PRIx64 ": symbol '%s' is %s; only "
                         "data and functions that the kernel itself calls have an "
                         "address",
                         p->label, r->offset, s->name,
                         s->is_undefined ? "defined nowhere"
                         : s->kernel >= 0 || s->is_shared
                             ? "a function"
                             : "in a section that is not loaded");
    *address = p->data[s->data].address + s->value + (uint64_t)r->addend;
    return IGPU_OK;
}

static uint64_t load_le(const uint8_t *p, uint32_t bytes)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static void store_le(uint8_t *p, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

/* Text holds a placeholder that is overwritten; data holds an addend. */
static void patch(struct loader_program *p, const struct loader_reloc *r,
                  uint64_t address)
{
    uint32_t bytes = r->type == LOADER_RELOC_64 ? 8 : 4;
    uint64_t value = r->type == LOADER_RELOC_HIGH32 ? address >> 32 : address;
    uint8_t *at;

    if (r->in_shared)
        return;
    if (r->kernel >= 0) {
        at = p->kernel[r->kernel].text + r->offset;
    } else {
        at = p->data[r->data].data + r->offset;
        value += load_le(at, bytes);
    }
    store_le(at, value, bytes);
}

enum igpu_status loader_relocate(struct loader_program *program, struct igpu_err *err)
{
    uint64_t address = 0;

    if (program->relocated)
        return igpu_fail(err, IGPU_USAGE, "%s: is relocated already", program->label);
    for (uint32_t i = 0; i < program->relocs; i++) {
        enum igpu_status status = resolve(program, &program->reloc[i], &address, err);

        if (status != IGPU_OK)
            return status;
    }
    for (uint32_t i = 0; i < program->relocs; i++) {
        (void)resolve(program, &program->reloc[i], &address, NULL);
        patch(program, &program->reloc[i], address);
    }
    program->relocated = true;
    return IGPU_OK;
}

const struct loader_kernel *loader_find(const struct loader_program *program,
                                        const char *name)
{
    for (uint32_t i = 0; i < program->kernels; i++)
        if (strcmp(program->kernel[i].name, name) == 0)
            return &program->kernel[i];
    return NULL;
}

uint32_t loader_cross_thread_bytes(const struct loader_kernel *kernel)
{
    uint32_t end = 0;

    for (uint32_t i = 0; i < kernel->args; i++) {
        uint32_t reach = kernel->arg[i].offset + kernel->arg[i].size;

        if (reach > end)
            end = reach;
    }
    return (end + 31) / 32 * 32;
}

int32_t loader_bti_of(const struct loader_kernel *kernel, int32_t arg_index)
{
    for (uint32_t i = 0; i < kernel->btis; i++)
        if (kernel->bti[i].arg_index == arg_index)
            return (int32_t)kernel->bti[i].bti;
    return -1;
}
