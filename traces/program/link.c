/* link.c - functions that lie outside of the kernels, such as those whose address is
 * taken, appended to each kernel that uses them. Addresses of functions are offsets in
 * the kernel's text, which is what the register ip holds. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "loader_impl.h"

/* Zeros behind the text, as the compiler leaves them. */
enum { PADDING = 128 };

/* Bytes of text up to the end of its last instruction that is not zero. Bit 29 tells
 * an instruction of 8 bytes. */
static size_t used_bytes(const uint8_t *text, size_t bytes)
{
    size_t last = bytes, pc = 0;

    while (last > 0 && text[last - 1] == 0)
        last--;
    while (pc < last && bytes - pc >= 8)
        pc += text[pc + 3] >> 5 & 1 ? 8 : 16;
    return pc < bytes ? pc : bytes;
}

static bool uses_shared(const struct loader_program *p, int32_t kernel)
{
    for (uint32_t i = 0; i < p->relocs; i++)
        if (p->reloc[i].kernel == kernel && p->symbol[p->reloc[i].symbol].is_shared)
            return true;
    return false;
}

static bool append(struct loader_program *p, int32_t kernel, size_t shared_bytes)
{
    struct loader_kernel *k = &p->kernel[kernel];
    size_t at = used_bytes(k->text, k->text_bytes);
    uint8_t *text = calloc(1, at + shared_bytes + PADDING);

    if (text == NULL)
        return false;
    memcpy(text, k->text, at);
    memcpy(text + at, p->shared, shared_bytes);
    free(k->text);
    k->text = text;
    k->text_bytes = at + shared_bytes + PADDING;
    k->shared_at = at;
    return true;
}

/* Relocations in the shared functions, once more for their copy in the kernel. */
static bool copy_relocs(struct loader_program *p, int32_t kernel, size_t shared_bytes)
{
    uint32_t count = p->relocs, more = 0;

    for (uint32_t i = 0; i < count; i++)
        more += p->reloc[i].in_shared && p->reloc[i].offset + 8 <= shared_bytes;
    if (!IGPU_RESIZE(p->reloc, (size_t)count + more))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct loader_reloc *r = &p->reloc[p->relocs];

        if (!p->reloc[i].in_shared || p->reloc[i].offset + 8 > shared_bytes)
            continue;
        *r = p->reloc[i];
        r->in_shared = false;
        r->kernel = kernel;
        r->offset += p->kernel[kernel].shared_at;
        p->relocs++;
    }
    return true;
}

enum igpu_status loader_link(struct loader_program *p, struct igpu_err *err)
{
    size_t bytes = p->shared != NULL ? used_bytes(p->shared, p->shared_bytes) : 0;

    for (uint32_t k = 0; bytes > 0 && k < p->kernels; k++) {
        if (!uses_shared(p, (int32_t)k))
            continue;
        if (!append(p, (int32_t)k, bytes) || !copy_relocs(p, (int32_t)k, bytes))
            return igpu_no_memory(err, "%s", p->label);
    }
    return IGPU_OK;
}
