/* drm_run.c - batches executed at once, so that what the program reads is there. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>

#include "bridge/drivers/drm/drm.h"
#include "igpu/clock.h"
#include "igpu/gfx.h"
#include "igpu/grow.h"
#include "igpu/threads.h"
#include "traces/frame/frame.h"

enum { START_NS = 1000000 /* no GPU's clock starts at 0 */ };

/* The host's clock as the GPU's: since the program asked first. */
static uint64_t host_time(void *ctx)
{
    static _Atomic uint64_t first;
    uint64_t none = 0, ns = igpu_nanoseconds(CLOCK_MONOTONIC);

    (void)ctx;
    (void)atomic_compare_exchange_strong(&first, &none, ns - START_NS);
    return (ns - first) * (DRM_TIMESTAMP_HZ / 1000000) / 1000;
}

/* GL's and Vulkan's clock: between two batches it is the host's, so that who waits
 * finds that time went by; a batch takes what its work is thought to, not what it took
 * here. */
static struct {
    pthread_mutex_t lock;
    uint64_t ahead;  /* ticks, of host_time() */
    uint64_t stands; /* while a batch is executed: where; else 0 */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Under its lock. */
static uint64_t line_look(void)
{
    return line.stands != 0 ? line.stands : host_time(NULL) + line.ahead;
}

static uint64_t line_time(void)
{
    uint64_t ticks;

    (void)pthread_mutex_lock(&line.lock);
    ticks = line_look();
    (void)pthread_mutex_unlock(&line.lock);
    return ticks;
}

/* A batch begins: when. */
static uint64_t line_stop(void)
{
    uint64_t ticks;

    (void)pthread_mutex_lock(&line.lock);
    ticks = line.stands = line_look();
    (void)pthread_mutex_unlock(&line.lock);
    return ticks;
}

/* It ends when the GPU's clock shows `ticks`. */
static void line_go_on(uint64_t ticks)
{
    (void)pthread_mutex_lock(&line.lock);
    line.ahead = ticks - host_time(NULL); /* modulo 2^64 */
    line.stands = 0;
    (void)pthread_mutex_unlock(&line.lock);
}

uint64_t drm_time(void)
{
    if (drm_settings()->time)
        return drm_timing_ticks();
    return drm_settings()->neo ? host_time(NULL) : line_time();
}

static struct {
    struct gfx *gfx;
    struct gfx_buffer *buffer;
    bool failed;
} run;

static bool give_up(uint64_t number, const char *why)
{
    if (drm_settings()->neo) {
        drm_say("batch %" PRIu64 ": %s; its driver is told that the GPU hung", number,
                why);
        return false;
    }
    run.failed = true;
    drm_say("batch %" PRIu64 ": %s; from here on nothing is executed, and what the "
            "program reads of it is wrong",
            number, why);
    return false;
}

static struct gfx *new_gfx(void)
{
    struct gfx *g = gfx_new();
    struct igpu_err err;
    uint32_t threads;

    if (g == NULL)
        return NULL;
    if (igpu_host_threads(&threads, &err) != IGPU_OK)
        drm_say("%s", err.text);
    gfx_use_host_threads(g, threads);
    gfx_set_threads(g, drm_settings()->slices * GFX_HW_THREADS);
    if (drm_settings()->time)
        drm_timing_begin(g);
    else if (drm_settings()->neo)
        gfx_set_clock(g, host_time, NULL);
    return g;
}

bool drm_run(const struct frame_batch *batch, uint64_t number,
             const struct gfx_memory *memory)
{
    struct igpu_err err;
    bool done;

    if (run.failed)
        return false;
    if (run.gfx == NULL)
        run.gfx = new_gfx();
    if (run.gfx == NULL || !IGPU_RESIZE(run.buffer, batch->count)) {
        (void)igpu_no_memory(&err, "a batch");
        return give_up(number, err.text);
    }
    gfx_watch_memory(run.gfx, memory);
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct frame_buffer *b = &batch->buffer[i];

        run.buffer[i] =
            (struct gfx_buffer){b->va, b->bytes, (uint8_t *)(uintptr_t)b->host};
    }
    gfx_pass_time(run.gfx, line_stop());
    done = gfx_map(run.gfx, run.buffer, batch->count, &err) == IGPU_OK &&
           gfx_batch(run.gfx, batch->context, batch->start, &err) == IGPU_OK;
    line_go_on(gfx_time(run.gfx));
    return done || give_up(number, err.text);
}
