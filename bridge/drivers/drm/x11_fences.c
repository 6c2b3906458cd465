/* x11_fences.c - fences that Mesa shares with its server, whose part is played here. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <xcb/dri3.h>
#include <xcb/sync.h>

#include "bridge/drivers/drm/x11.h"

struct xshmfence; /* the library's own */
struct xshmfence *xshmfence_map_shm(int fd);
int xshmfence_trigger(struct xshmfence *fence);
void xshmfence_unmap_shm(struct xshmfence *fence);

X11_NEXT(X11_DRI3, xcb_dri3_fence_from_fd)
X11_NEXT(X11_SYNC, xcb_sync_trigger_fence)
X11_NEXT(X11_SYNC, xcb_sync_destroy_fence)
X11_NEXT(X11_SHMFENCE, xshmfence_map_shm)
X11_NEXT(X11_SHMFENCE, xshmfence_trigger)
X11_NEXT(X11_SHMFENCE, xshmfence_unmap_shm)

struct fence {
    struct fence *next;
    const xcb_connection_t *conn;
    uint32_t id;
    struct xshmfence *memory;
};

static struct {
    pthread_mutex_t lock;
    struct fence *first;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held; id 0: the connection's first one. */
static struct fence **link_of(const xcb_connection_t *conn, uint32_t id)
{
    struct fence **at = &table.first;

    while (*at != NULL && ((*at)->conn != conn || (id != 0 && (*at)->id != id)))
        at = &(*at)->next;
    return at;
}

static bool trigger(const xcb_connection_t *conn, uint32_t id)
{
    const struct fence *f;

    (void)pthread_mutex_lock(&table.lock);
    f = id != 0 ? *link_of(conn, id) : NULL;
    if (f != NULL)
        (void)next_xshmfence_trigger()(f->memory);
    (void)pthread_mutex_unlock(&table.lock);
    return f != NULL;
}

static bool fence_destroy(const xcb_connection_t *conn, uint32_t id)
{
    struct fence **at, *f;

    (void)pthread_mutex_lock(&table.lock);
    at = link_of(conn, id);
    f = *at;
    if (f != NULL)
        *at = f->next;
    (void)pthread_mutex_unlock(&table.lock);
    if (f == NULL)
        return false;
    next_xshmfence_unmap_shm()(f->memory);
    free(f);
    return true;
}

void x11_fence_trigger(xcb_connection_t *conn, uint32_t fence)
{
    (void)trigger(conn, fence);
}

void x11_fences_forget(const xcb_connection_t *conn)
{
    while (fence_destroy(conn, 0))
        ;
}

/* ---- requests ----------------------------------------------------------- */

DRM_PUBLIC xcb_void_cookie_t xcb_dri3_fence_from_fd(xcb_connection_t *c,
                                                    xcb_drawable_t drawable,
                                                    uint32_t fence,
                                                    uint8_t initially_triggered,
                                                    int32_t fence_fd)
{
    struct fence *f;

    if (!X11_CALLED_BY_LOADER())
        return next_xcb_dri3_fence_from_fd()(c, drawable, fence, initially_triggered,
                                             fence_fd);
    f = malloc(sizeof(*f));
    if (f != NULL) {
        *f = (struct fence){NULL, c, fence, next_xshmfence_map_shm()(fence_fd)};
        if (f->memory == NULL) {
            free(f);
            f = NULL;
        }
    }
    (void)close(fence_fd);
    if (f != NULL) {
        (void)pthread_mutex_lock(&table.lock);
        f->next = table.first;
        table.first = f;
        (void)pthread_mutex_unlock(&table.lock);
        if (initially_triggered)
            (void)trigger(c, fence);
    }
    return (xcb_void_cookie_t){0};
}

DRM_PUBLIC xcb_void_cookie_t xcb_sync_trigger_fence(xcb_connection_t *c,
                                                    xcb_sync_fence_t fence)
{
    if (trigger(c, fence))
        return (xcb_void_cookie_t){0};
    return next_xcb_sync_trigger_fence()(c, fence);
}

DRM_PUBLIC xcb_void_cookie_t xcb_sync_destroy_fence(xcb_connection_t *c,
                                                    xcb_sync_fence_t fence)
{
    if (fence != 0 && fence_destroy(c, fence))
        return (xcb_void_cookie_t){0};
    return next_xcb_sync_destroy_fence()(c, fence);
}
