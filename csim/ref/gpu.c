/* gpu.c - the engine of igpu/ref.h: dispatcher and tiles, in windows in
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

static void ref_destroy(void *engine)
{
    struct ref_gpu *gpu = engine;

    if (gpu == NULL)
        return;
    for (unsigned i = 0; i < gpu->tiles; i++)
        icache_destroy(gpu->env.icache[i]);
    free(gpu->source);
    free(gpu->uops);
    free(gpu);
}

static enum igpu_status ref_create(void **engine, const struct igpu_config *config,
                                   const struct host_calls *calls, struct igpu_err *err)
{
    unsigned tiles = (unsigned)config->gpu_subslices;
    struct ref_gpu *g;

    if (tiles < 1 || tiles > HOST_MAX_TILES || config->eu_count < 1 ||
        config->eu_count > HOST_EUS || config->eu_threads < 1 ||
        config->eu_threads > HOST_SLOTS)
        return igpu_fail(err, IGPU_USAGE,
                         "the C reference has up to %d subslices (gpu.subslices) of %d "
                         "EUs (eu.count) with %d threads (eu.threads)",
                         HOST_MAX_TILES, HOST_EUS, HOST_SLOTS);
    g = calloc(1, sizeof(*g) + tiles * sizeof(g->tile[0]));
    if (g == NULL)
        return igpu_no_memory(err, "the C reference engine");
    g->env.config = *config;
    g->env.calls = *calls;
    g->env.told = calls->issue != NULL || calls->list != NULL;
    g->tiles = tiles;
    g->window = window(config);
    ref_disp_init(&g->disp, config);
    for (unsigned i = 0; i < tiles; i++) {
        enum igpu_status status = host_icache(&g->env.icache[i], config, calls, i, err);

        if (status != IGPU_OK) {
            ref_destroy(g);
            return status;
        }
        ref_tile_init(&g->tile[i], i, config);
    }
    *engine = g;
    return IGPU_OK;
}

static enum igpu_status ref_create_reverse(void **engine,
                                           const struct igpu_config *config,
                                           const struct host_calls *calls,
                                           struct igpu_err *err)
{
    enum igpu_status status = ref_create(engine, config, calls, err);

    if (status == IGPU_OK)
        ((struct ref_gpu *)*engine)->reverse = true;
    return status;
}

static enum igpu_status ref_load(void *engine, const struct uop *uops, uint32_t count,
                                 struct igpu_err *err)
{
    struct ref_gpu *gpu = engine;
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
        return igpu_no_memory(err, "a kernel's instructions");
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

static void ref_launch(void *engine, const struct host_launch *launch)
{
    struct ref_gpu *gpu = engine;

    assert(gpu->uops != NULL);
    gpu->now = launch->cycle;
    gpu->env.oldest = launch->oldest;
    gpu->env.waits = gpu->env.calls.list != NULL ? gpu->env.calls.list->waits : NULL;
    ref_disp_launch(&gpu->disp, launch);
    for (unsigned i = 0; i < gpu->tiles; i++)
        icache_launch(gpu->env.icache[i]);
    for (unsigned i = 0; i < gpu->tiles; i++)
        ref_tile_launch(&gpu->tile[i], &gpu->env, launch->cycle);
}

static void ref_extend(void *engine, uint32_t threads)
{
    struct ref_gpu *gpu = engine;

    ref_disp_extend(&gpu->disp, threads);
}

static void ref_done(void *engine, const struct host_done *done)
{
    struct ref_gpu *gpu = engine;

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

static void ref_run(void *engine, uint64_t until)
{
    struct ref_gpu *gpu = engine;

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

static void ref_count(void *engine, unsigned tile, unsigned eu,
                      struct host_counts *counts)
{
    const struct ref_gpu *gpu = engine;

    *counts = gpu->tile[tile].eu[eu].counts;
}

static void ref_thread(void *engine, unsigned tile, unsigned eu, unsigned slot,
                       uint64_t *last, uint32_t *next)
{
    const struct ref_gpu *gpu = engine;
    const struct ref_eu *e = &gpu->tile[tile].eu[eu];
    const struct ref_thread *th = &e->thread[slot];

    *last = th->last;
    *next = e->open >> slot & 1 ? (th->head != NULL ? th->head : th->next)->index : 0;
}

static uint64_t ref_next_event(void *engine)
{
    const struct ref_gpu *gpu = engine;
    uint64_t next = ref_disp_next(&gpu->disp);

    for (unsigned i = 0; i < gpu->tiles && next > gpu->now; i++) {
        uint64_t at = ref_tile_next(&gpu->tile[i]);

        if (at < next)
            next = at;
    }
    return next;
}

static void ref_skip(void *engine, uint64_t cycle)
{
    struct ref_gpu *gpu = engine;

    assert(cycle >= gpu->now && cycle <= ref_next_event(gpu));
    gpu->now = cycle;
    gpu->disp.now = cycle;
    for (unsigned i = 0; i < gpu->tiles; i++)
        ref_tile_skip(&gpu->tile[i], cycle);
}

static bool ref_launch_over(void *engine, uint64_t *end)
{
    const struct ref_gpu *gpu = engine;

    if (gpu->disp.over)
        *end = gpu->disp.end;
    return gpu->disp.over;
}

/* The engine, and the one that ticks its units in reverse order: for tests. */
#define REF_ENGINE(NAME, CREATE)                                                       \
    {                                                                                  \
        .name = (NAME), .create = (CREATE), .destroy = ref_destroy, .load = ref_load,  \
        .launch = ref_launch, .done = ref_done, .run = ref_run,                        \
        .next_event = ref_next_event, .skip = ref_skip,                                \
        .launch_over = ref_launch_over, .count = ref_count, .lists = true,             \
        .thread = ref_thread, .extend = ref_extend                                     \
    }

const struct host_engine_ops host_engine_ref = REF_ENGINE("ref", ref_create);
const struct host_engine_ops host_engine_ref_reverse =
    REF_ENGINE("ref-reverse", ref_create_reverse);
