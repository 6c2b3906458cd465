/* drm_bind.c - which objects lie where in a hardware context's address space. An object
 * that a call listed stays at its address behind it, as on hardware, until the program
 * closes it, another one takes the place, or the context goes: drivers count on that
 * and list what a batch reads by state of earlier batches no more. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/drm/drm.h"
#include "igpu/grow.h"
#include "traces/frame/frame.h"

struct space {
    uint32_t context;
    struct frame_buffer *bound; /* by address; none overlap */
    uint32_t count, cap;
};

static struct {
    struct space *space;
    uint32_t count, cap;
} spaces;

static struct space *space_of(uint32_t context)
{
    for (uint32_t i = spaces.count; i > 0; i--)
        if (spaces.space[i - 1].context == context)
            return &spaces.space[i - 1];
    if (!IGPU_APPEND(spaces.space, spaces.count, spaces.cap,
                     (struct space){.context = context}))
        return NULL;
    return &spaces.space[spaces.count - 1];
}

/* Index of the first one that ends behind va. */
static uint32_t space_find(const struct space *s, uint64_t va)
{
    uint32_t low = 0, high = s->count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (s->bound[mid].va + s->bound[mid].bytes <= va)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void take_out(struct space *s, uint32_t first, uint32_t count)
{
    s->count -= count;
    memmove(&s->bound[first], &s->bound[first + count],
            (s->count - first) * sizeof(*s->bound));
}

static void take_out_object(struct space *s, uint32_t id)
{
    for (uint32_t i = s->count; i > 0; i--)
        if (s->bound[i - 1].id == id)
            take_out(s, i - 1, 1);
}

static bool bind(struct space *s, const struct frame_buffer *b)
{
    uint32_t at = space_find(s, b->va), over = 0;

    if (at < s->count && s->bound[at].id == b->id && s->bound[at].va == b->va)
        return true;
    take_out_object(s, b->id); /* it was elsewhere */
    at = space_find(s, b->va);
    while (at + over < s->count && s->bound[at + over].va < b->va + b->bytes)
        over++;
    take_out(s, at, over);
    if (!IGPU_RESERVE(s->bound, s->cap, (size_t)s->count + 1))
        return false;
    memmove(&s->bound[at + 1], &s->bound[at], (s->count - at) * sizeof(*s->bound));
    s->bound[at] = *b;
    s->count++;
    return true;
}

int drm_bind(uint32_t context, const struct frame_buffer *b, uint32_t count)
{
    struct space *s = space_of(context);

    for (uint32_t i = 0; s != NULL && i < count; i++)
        if (!bind(s, &b[i]))
            s = NULL;
    if (s == NULL)
        return ENOMEM;
    for (uint32_t i = 0; i < count; i++) { /* one of the call took another's place */
        uint32_t at = space_find(s, b[i].va);

        if (at == s->count || s->bound[at].id != b[i].id || s->bound[at].va != b[i].va)
            return ENOSPC;
    }
    return 0;
}

uint64_t drm_choose(uint32_t context, const struct frame_buffer *b, uint64_t end)
{
    enum { FIRST = 1 << 20 }; /* small numbers are no addresses */
    const struct space *s = space_of(context);
    uint64_t at = FIRST;

    for (uint32_t i = 0; s != NULL && i < s->count; i++)
        if (s->bound[i].id == b->id && s->bound[i].va + b->bytes <= end)
            return s->bound[i].va;
    for (uint32_t i = 0; s != NULL && i < s->count; i++) {
        if (s->bound[i].va >= at && s->bound[i].va - at >= b->bytes)
            break;
        if (s->bound[i].va + s->bound[i].bytes > at)
            at = s->bound[i].va + s->bound[i].bytes;
    }
    return at + b->bytes <= end ? at : 0;
}

const struct frame_buffer *drm_bound_at(uint32_t context, uint64_t va)
{
    const struct space *s = space_of(context);
    uint32_t at = s != NULL ? space_find(s, va) : 0;

    return s != NULL && at < s->count && s->bound[at].va <= va ? &s->bound[at] : NULL;
}

const struct frame_buffer *drm_bound(uint32_t context, uint32_t *count)
{
    const struct space *s = space_of(context);

    *count = s != NULL ? s->count : 0;
    return s != NULL ? s->bound : NULL;
}

void drm_unbind(uint32_t id)
{
    for (uint32_t i = 0; i < spaces.count; i++)
        take_out_object(&spaces.space[i], id);
}

void drm_unbind_context(uint32_t context)
{
    for (uint32_t i = 0; i < spaces.count; i++)
        if (spaces.space[i].context == context) {
            free(spaces.space[i].bound);
            spaces.space[i] = spaces.space[--spaces.count];
            return;
        }
}
