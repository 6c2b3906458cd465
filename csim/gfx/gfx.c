/* gfx.c - the pipeline as a whole, made and freed. */
#include "gfx_band.h"
#include "gfx_depth.h"
#include "gfx_pool.h"
#include "gfx_queue.h"
#include "gfx_sample.h"
#include "gfx_texture.h"

#include "igpu/limits.h"
#include "igpu/va.h"

_Static_assert((int)GFX_MAX_HW_THREADS >= (int)LIMIT_PLACES, "the largest machine's");

/* Hours of this model's time. */
#define MOST_WORK ((uint64_t)1 << 36)

struct gfx *gfx_new(void)
{
    struct gfx *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return NULL;
    g->mem = emu_mem_new();
    g->thread.machine = g->mem != NULL ? emu_shader_machine_new(g->mem) : NULL;
    g->thread.scratch = calloc(1, GFX_SCRATCH_BYTES);
    g->thread.scratch_bytes = GFX_SCRATCH_BYTES;
    g->batch.most_work = MOST_WORK;
    gfx_flat_init(g);
    if (g->thread.machine != NULL)
        emu_shader_bind_by(g->thread.machine, gfx_bind_buffer, g);
    g->hw.threads = GFX_HW_THREADS;
    g->host_threads = 1;
    if (g->mem != NULL)
        emu_mem_scratch(g->mem, IGPU_VA_GFX_SCRATCH);
    if (g->thread.machine != NULL && g->thread.scratch != NULL &&
        emu_mem_map_at(g->mem, IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP,
                       g->thread.scratch, GFX_SCRATCH_BYTES, 0, NULL) == IGPU_OK)
        return g;
    gfx_free(g);
    return NULL;
}

void gfx_free(struct gfx *g)
{
    if (g == NULL)
        return;
    for (uint32_t i = 0; i < g->cache.shaders; i++) {
        emu_shader_free(g->cache.shader[i]->shader);
        free(g->cache.shader[i]);
    }
    for (uint32_t i = 0; i < g->hw.contexts; i++)
        free(g->hw.context[i]);
    free(g->hw.context);
    gfx_pool_free(g);
    gfx_queue_free(g);
    gfx_bands_free(g);
    gfx_forget_overdraw(g);
    gfx_hiz_free(g);
    free(g->gs.entry);
    free(g->vertices.v);
    free(g->ready);
    free(g->told.touched.page);
    free(g->told.touched.slot);
    free(g->told.touched.ahead);
    free(g->thread.scratch);
    free(g->cache.shader);
    free(g->batch.mapped);
    emu_shader_machine_free(g->thread.machine);
    emu_mem_free(g->mem);
    free(g);
}
