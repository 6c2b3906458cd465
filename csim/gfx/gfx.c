/* gfx.c - the pipeline as a whole, made and freed. */
#include "gfx_sample.h"

#include "igpu/va.h"

/* Hours of this model's time. */
#define MOST_WORK ((uint64_t)1 << 36)

struct gfx *gfx_new(void)
{
    struct gfx *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return NULL;
    g->mem = emu_mem_new();
    g->machine = g->mem != NULL ? emu_shader_machine_new(g->mem) : NULL;
    g->scratch = calloc(1, GFX_SCRATCH_BYTES);
    g->scratch_bytes = GFX_SCRATCH_BYTES;
    g->most_work = MOST_WORK;
    gfx_flat_init(g);
    if (g->machine != NULL)
        emu_shader_bind_by(g->machine, gfx_bind_buffer, g);
    g->hw_threads = GFX_HW_THREADS;
    if (g->mem != NULL)
        emu_mem_scratch(g->mem, IGPU_VA_GFX_SCRATCH);
    if (g->machine != NULL && g->scratch != NULL &&
        emu_mem_map_at(g->mem, IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP, g->scratch,
                       GFX_SCRATCH_BYTES, 0, NULL) == IGPU_OK)
        return g;
    gfx_free(g);
    return NULL;
}

void gfx_free(struct gfx *g)
{
    if (g == NULL)
        return;
    for (uint32_t i = 0; i < g->shaders; i++) {
        emu_shader_free(g->shader[i]->shader);
        free(g->shader[i]->text);
        free(g->shader[i]);
    }
    for (uint32_t i = 0; i < g->contexts; i++)
        free(g->context[i]);
    free(g->context);
    gfx_forget_overdraw(g);
    gfx_hiz_free(g);
    free(g->gs.entry);
    free(g->touched.page);
    free(g->touched.slot);
    free(g->touched.ahead);
    free(g->scratch);
    free(g->shader);
    free(g->mapped);
    emu_shader_machine_free(g->machine);
    emu_mem_free(g->mem);
    free(g);
}
