/* gpu.c - the whole engine of igpu/ref.h: dispatcher and tiles, in windows in
 * which no part can feel another. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "disp.h"
#include "eu.h"
#include "igpu/ref.h"
#include "tile.h"
#include "timing.h"

struct ref_gpu {
    uint64_t now;
    uint64_t window; /* cycles that parts may run ahead of each other */
    bool reverse;
    unsigned tiles;
    struct uop *source;   /* owned: the kernel as it was given, for the icaches */
    struct ref_uop *uops; /* owned; env.uops */
    struct ref_env env;
    struct ref_disp disp;
    struct ref_tile tile[];
};

/* How far an EU or a tile may run ahead of the others. */
static uint64_t window(const struct igpu_config *config)
{
    uint64_t w = config->disp_start_latency;

    if (config->disp_end_latency < w)
        w = config->disp_end_latency;
    if (config->icache_miss > 0 && config->icache_miss < w)
        w = config->icache_miss;
    return w;
}

enum igpu_status ref_gpu_create(struct ref_gpu **gpu, const struct igpu_config *config,
                                const struct ref_calls *calls, struct igpu_err *err)
{
    unsigned tiles = (unsigned)config->gpu_subslices;
    struct ref_gpu *g;

    if (tiles < 1 || tiles > REF_TILES || config->eu_count < 1 ||
        config->eu_count > REF_EUS || config->eu_threads < 1 ||
        config->eu_threads > REF_SLOTS)
        return igpu_fail(err, IGPU_USAGE,
                         "the C reference has up to %d subslices (gpu.subslices) of %d "
                         "EUs (eu.count) with %d threads (eu.threads)",
                         REF_TILES, REF_EUS, REF_SLOTS);
    g = calloc(1, sizeof(*g) + tiles * sizeof(g->tile[0]));
    if (g == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "no memory for the C reference engine");
    g->env.config = *config;
    g->env.calls = *calls;
    g->tiles = tiles;
    g->window = window(config);
    ref_disp_init(&g->disp, config);
    for (unsigned i = 0; i < tiles; i++) {
        enum igpu_status status = icache_create(&g->env.icache[i], config, err);

        if (status != IGPU_OK) {
            ref_gpu_destroy(g);
            return status;
        }
        ref_tile_init(&g->tile[i], i, config);
    }
    *gpu = g;
    return IGPU_OK;
}

void ref_gpu_destroy(struct ref_gpu *gpu)
{
    if (gpu == NULL)
        return;
    for (unsigned i = 0; i < gpu->tiles; i++)
        icache_destroy(gpu->env.icache[i]);
    free(gpu->source);
    free(gpu->uops);
    free(gpu);
}

enum igpu_status ref_gpu_load(struct ref_gpu *gpu, const struct uop *uops,
                              uint32_t count, struct igpu_err *err)
{
    struct ref_uop *decoded;
    struct uop *source;
    enum igpu_status status;

    assert(gpu->disp.over);
    if (count < 1 || count > UOP_MAX_KERNEL)
        return igpu_fail(err, IGPU_USAGE,
                         "a kernel of %u instructions; the C reference holds 1 to %d",
                         (unsigned)count, UOP_MAX_KERNEL);
    decoded = malloc(count * sizeof(*decoded));
    source = malloc(count * sizeof(*source));
    if (decoded == NULL || source == NULL) {
        free(decoded);
        free(source);
        return igpu_fail(err, IGPU_SIM_ERROR, "no memory for a kernel's instructions");
    }
    status = ref_timing_decode(decoded, uops, count, &gpu->env.config, err);
    if (status != IGPU_OK) {
        free(decoded);
        free(source);
        return status;
    }
    memcpy(source, uops, count * sizeof(*source));
    free(gpu->source);
    gpu->source = source;
    for (unsigned i = 0; i < gpu->tiles && status == IGPU_OK; i++)
        status = icache_load(gpu->env.icache[i], source, count, err);
    free(gpu->uops);
    gpu->uops = decoded;
    gpu->env.uops = decoded;
    gpu->env.count = count;
    return status;
}

void ref_gpu_launch(struct ref_gpu *gpu, const struct ref_launch *launch)
{
    assert(gpu->uops != NULL);
    gpu->now = launch->cycle;
    ref_disp_launch(&gpu->disp, launch);
    for (unsigned i = 0; i < gpu->tiles; i++)
        icache_launch(gpu->env.icache[i]);
    for (unsigned i = 0; i < gpu->tiles; i++)
        ref_tile_launch(&gpu->tile[i], &gpu->env, launch->cycle);
}

void ref_gpu_done(struct ref_gpu *gpu, const struct ref_done *done)
{
    assert(done->tile < gpu->tiles);
    ref_tile_done(&gpu->tile[done->tile], &gpu->env, done);
}

static void run_disp(struct ref_gpu *gpu, uint64_t until)
{
    struct ref_start start;

    while (ref_disp_run(&gpu->disp, until, &start))
        ref_tile_start(&gpu->tile[start.tile], &start);
}

static void run_tile(struct ref_gpu *gpu, unsigned i, uint64_t until)
{
    struct ref_tile *tile = &gpu->tile[i];

    ref_tile_run(tile, &gpu->env, until, gpu->reverse);
    for (unsigned k = 0; k < tile->out.ends; k++)
        ref_disp_end(&gpu->disp, i,
                     tile->out.end[k].cycle + gpu->env.config.disp_end_latency,
                     tile->out.end[k].bslot);
}

void ref_gpu_run(struct ref_gpu *gpu, uint64_t until)
{
    assert(until >= gpu->now);
    while (gpu->now < until) {
        uint64_t step = until - gpu->now < gpu->window ? until : gpu->now + gpu->window;

        /* No token made in [now, step) takes effect in it: any order will do. */
        if (!gpu->reverse)
            run_disp(gpu, step);
        for (unsigned k = 0; k < gpu->tiles; k++)
            run_tile(gpu, gpu->reverse ? gpu->tiles - 1 - k : k, step);
        if (gpu->reverse)
            run_disp(gpu, step);
        gpu->now = step;
    }
}

uint64_t ref_gpu_next_event(const struct ref_gpu *gpu)
{
    uint64_t next = ref_disp_next(&gpu->disp);

    for (unsigned i = 0; i < gpu->tiles && next > gpu->now; i++) {
        uint64_t at = ref_tile_next(&gpu->tile[i]);

        if (at < next)
            next = at;
    }
    return next;
}

void ref_gpu_skip(struct ref_gpu *gpu, uint64_t cycle)
{
    assert(cycle >= gpu->now && cycle <= ref_gpu_next_event(gpu));
    gpu->now = cycle;
    gpu->disp.now = cycle;
    for (unsigned i = 0; i < gpu->tiles; i++)
        ref_tile_skip(&gpu->tile[i], cycle);
}

bool ref_gpu_over(const struct ref_gpu *gpu, uint64_t *end)
{
    if (gpu->disp.over)
        *end = gpu->disp.end;
    return gpu->disp.over;
}

void ref_gpu_reverse(struct ref_gpu *gpu, bool reverse)
{
    gpu->reverse = reverse;
}
