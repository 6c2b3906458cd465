/* drm_run.c - batches executed at once, so that what the program reads is there. */
#include <inttypes.h>
#include <stdlib.h>

#include "bridge/drm/drm.h"
#include "igpu/gfx.h"
#include "traces/frame/frame.h"

static _Atomic uint64_t now; /* behind the last batch */

uint64_t drm_time(void)
{
    return now;
}

static struct {
    struct gfx *gfx;
    struct gfx_buffer *buffer;
    bool failed;
} run;

static bool give_up(uint64_t number, const char *why)
{
    run.failed = true;
    drm_say("batch %" PRIu64 ": %s; from here on nothing is executed, and what the "
            "program reads of it is wrong",
            number, why);
    return false;
}

bool drm_run(const struct frame_batch *batch, uint64_t number,
             const struct gfx_memory *memory)
{
    struct igpu_err err = {"out of memory"};
    struct gfx_buffer *bigger;

    if (run.failed)
        return false;
    if (run.gfx == NULL)
        run.gfx = gfx_new();
    bigger = realloc(run.buffer, (batch->count + (size_t)1) * sizeof(*bigger));
    if (run.gfx == NULL || bigger == NULL)
        return give_up(number, err.text);
    run.buffer = bigger;
    gfx_watch_memory(run.gfx, memory);
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct frame_buffer *b = &batch->buffer[i];

        run.buffer[i] =
            (struct gfx_buffer){b->va, b->bytes, (uint8_t *)(uintptr_t)b->host};
    }
    if (gfx_map(run.gfx, run.buffer, batch->count, &err) != IGPU_OK ||
        gfx_batch(run.gfx, batch->context, batch->start, &err) != IGPU_OK)
        return give_up(number, err.text);
    now = gfx_time(run.gfx);
    return true;
}
