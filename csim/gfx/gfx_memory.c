/* gfx_memory.c - the memory of batches: buffers that they are given, those that
 * somebody else knows of, and what is written; and large arrays of the pipeline's own.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "gfx_int.h"

#include <inttypes.h>
#include <sys/mman.h>

#include "igpu/grow.h"

/* ---- buffers ------------------------------------------------------------ */

static enum igpu_status map(struct gfx *g, const struct gfx_buffer *b,
                            struct igpu_err *err)
{
    const size_t count = (size_t)g->batch.mapped_count + 1;

    if (!IGPU_RESERVE(g->batch.mapped, g->batch.mapped_cap, count))
        return igpu_no_memory(err, "%zu buffers", count);
    if (emu_mem_map_at(g->mem, b->va, b->host, b->bytes, 0, err) != IGPU_OK)
        return IGPU_SIM_ERROR;
    g->batch.mapped[g->batch.mapped_count++] = b->va;
    return IGPU_OK;
}

enum igpu_status gfx_map(struct gfx *g, const struct gfx_buffer *buffer, uint32_t count,
                         struct igpu_err *err)
{
    while (g->batch.mapped_count > 0)
        (void)emu_mem_unmap(g->mem, g->batch.mapped[--g->batch.mapped_count]);
    memset(g->cache.page, 0, sizeof(g->cache.page));
    for (uint32_t i = 0; i < count; i++)
        if (map(g, &buffer[i], err) != IGPU_OK) {
            (void)gfx_map(g, NULL, 0, NULL);
            return IGPU_SIM_ERROR;
        }
    return IGPU_OK;
}

static bool find_more(void *ctx, uint64_t va)
{
    struct gfx *g = ctx;
    struct gfx_buffer b;
    bool found;

    if (g->finding != NULL)
        (void)pthread_mutex_lock(g->finding);
    found = g->told.memory.find(g->told.memory.ctx, va, &b);
    if (g->finding != NULL)
        (void)pthread_mutex_unlock(g->finding);
    return found && map(g, &b, NULL) == IGPU_OK;
}

/* Scratch space is nobody else's. */
static void tell_write(void *ctx, uint64_t va, uint64_t bytes, const uint8_t *host)
{
    const struct gfx *g = ctx;

    if (host < g->thread.scratch || host >= g->thread.scratch + g->thread.scratch_bytes)
        g->told.memory.write(g->told.memory.ctx, va, bytes, host);
}

void gfx_watch_memory(struct gfx *g, const struct gfx_memory *memory)
{
    const struct gfx_memory nobody = {NULL, NULL, NULL};
    struct emu_mem_hooks hooks = {.ctx = g};

    g->told.memory = memory != NULL ? *memory : nobody;
    hooks.miss = g->told.memory.find != NULL ? find_more : NULL;
    hooks.write = g->told.memory.write != NULL ? tell_write : NULL;
    emu_mem_hook(g->mem, &hooks);
}

/* ---- reading and writing ------------------------------------------------ */

uint8_t *gfx_find_host(struct gfx *g, uint64_t va, uint32_t bytes)
{
    uint64_t number = va / GFX_PAGE_BYTES;
    uint8_t *host = emu_mem_host(g->mem, number * GFX_PAGE_BYTES, GFX_PAGE_BYTES);

    if (host != NULL)
        g->cache.page[number % GFX_PAGES] = (struct gfx_page){number, host};
    return emu_mem_host(g->mem, va, bytes);
}

enum igpu_status gfx_read(struct gfx *g, uint64_t va, void *to, size_t bytes)
{
    const void *host = bytes <= GFX_PAGE_BYTES ? gfx_host(g, va, (uint32_t)bytes)
                                               : emu_mem_host(g->mem, va, bytes);

    if (host == NULL)
        return gfx_refuse(
            g, "a read of %zu bytes at 0x%" PRIx64 ", outside the batch's buffers",
            bytes, va);
    memcpy(to, host, bytes);
    return IGPU_OK;
}

enum igpu_status gfx_write(struct gfx *g, uint64_t va, const void *from, size_t bytes)
{
    void *host = emu_mem_host(g->mem, va, bytes);

    if (host == NULL)
        return gfx_refuse(
            g, "a write of %zu bytes at 0x%" PRIx64 ", outside the batch's buffers",
            bytes, va);
    gfx_tell_write(g, va, bytes, host);
    memcpy(host, from, bytes);
    return IGPU_OK;
}

/* ---- arrays ------------------------------------------------------------- */

void *gfx_new_array(size_t count, size_t bytes)
{
    uint8_t *array = calloc(count, bytes);
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)2 << 20;
    const size_t before = array != NULL ? -(uintptr_t)array % page : 0;

    if (array != NULL && count * bytes >= before + page)
        (void)madvise(array + before, (count * bytes - before) / page * page,
                      MADV_HUGEPAGE);
#endif
    return array;
}
