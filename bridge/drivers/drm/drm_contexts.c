/* drm_contexts.c - the contexts that a driver has made, and whether their batches are
 * executed. */
#include <errno.h>
#include <pthread.h>

#include <libdrm/i915_drm.h>

#include "bridge/drivers/drm/drm.h"
#include "igpu/grow.h"

struct context {
    uint32_t id;
    bool hung;   /* its last batch was refused */
    bool untold; /* one was, of which nobody was told yet */
};

static struct {
    pthread_mutex_t lock;
    struct context *live;
    uint32_t count, room, last;
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Numbers are never used again. */
int drm_context_create(struct drm_i915_gem_context_create *c)
{
    bool made;

    (void)pthread_mutex_lock(&contexts.lock);
    made = IGPU_APPEND(contexts.live, contexts.count, contexts.room,
                       (struct context){.id = contexts.last + 1});
    if (made)
        c->ctx_id = ++contexts.last;
    (void)pthread_mutex_unlock(&contexts.lock);
    errno = ENOMEM;
    return made ? 0 : -1;
}

/* With the lock held: where it is, or the count. */
static uint32_t find_context(uint32_t id)
{
    uint32_t i = 0;

    while (i < contexts.count && contexts.live[i].id != id)
        i++;
    return i;
}

bool drm_context_is(uint32_t id)
{
    bool found;

    (void)pthread_mutex_lock(&contexts.lock);
    found = id == 0 || find_context(id) < contexts.count; /* 0: the file's own */
    (void)pthread_mutex_unlock(&contexts.lock);
    return found;
}

bool drm_context_destroy(uint32_t id)
{
    uint32_t at;
    bool found;

    (void)pthread_mutex_lock(&contexts.lock);
    at = find_context(id);
    found = at < contexts.count;
    if (found)
        contexts.live[at] = contexts.live[--contexts.count];
    (void)pthread_mutex_unlock(&contexts.lock);
    return found;
}

void drm_context_did(uint32_t id, bool refused)
{
    uint32_t at;

    (void)pthread_mutex_lock(&contexts.lock);
    at = find_context(id);
    if (at < contexts.count) {
        contexts.live[at].hung = refused;
        contexts.live[at].untold |= refused;
    }
    (void)pthread_mutex_unlock(&contexts.lock);
}

/* The driver gives up what it waits for when it is told; later batches are executed
 * again. */
int drm_context_stats(struct drm_i915_reset_stats *r)
{
    uint32_t at;

    r->reset_count = r->batch_active = r->batch_pending = 0;
    (void)pthread_mutex_lock(&contexts.lock);
    at = find_context(r->ctx_id);
    if (at < contexts.count) {
        struct context *c = &contexts.live[at];

        r->batch_active = c->hung || c->untold;
        c->untold = false;
    }
    (void)pthread_mutex_unlock(&contexts.lock);
    return 0;
}
