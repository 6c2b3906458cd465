/* x11_pixmaps.c - which pixmaps of the server are pictures of GEM objects, and what is
 * asked of the server with them. */
#include "bridge/drivers/drm/x11.h"

#include <pthread.h>
#include <stdlib.h>

X11_NEXT(X11_XCB, xcb_create_gc_checked)
X11_NEXT(X11_XCB, xcb_free_gc_checked)
X11_NEXT(X11_XCB, xcb_free_pixmap)
X11_NEXT(X11_XCB, xcb_discard_reply)
X11_NEXT(X11_XCB, xcb_generate_id)
X11_NEXT(X11_XCB, xcb_copy_area)
X11_NEXT(X11_XCB, xcb_copy_area_checked)
X11_NEXT(X11_XCB, xcb_disconnect)

struct entry {
    struct entry *next;
    struct x11_pixmap pixmap;
};

static struct {
    pthread_mutex_t lock;
    struct entry *first;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the table ---------------------------------------------------------- */

/* With the lock held: the link to it, or to nothing. */
static struct entry **link_of(const xcb_connection_t *conn, xcb_drawable_t id)
{
    struct entry **at = &table.first;

    while (*at != NULL && ((*at)->pixmap.conn != conn || (*at)->pixmap.id != id))
        at = &(*at)->next;
    return at;
}

static bool pixmap_take(const xcb_connection_t *conn, xcb_drawable_t id,
                        struct x11_pixmap *to)
{
    struct entry **at, *e;

    (void)pthread_mutex_lock(&table.lock);
    at = link_of(conn, id);
    e = *at;
    if (e != NULL)
        *at = e->next;
    (void)pthread_mutex_unlock(&table.lock);
    if (e == NULL)
        return false;
    *to = e->pixmap;
    free(e);
    return true;
}

static void free_gc(const struct x11_pixmap *p)
{
    xcb_void_cookie_t cookie = next_xcb_free_gc_checked()(p->conn, p->gc);

    next_xcb_discard_reply()(p->conn, cookie.sequence);
}

void x11_pixmap_add(struct x11_pixmap *p)
{
    const uint32_t no_exposures = 0;
    struct entry *e = malloc(sizeof(*e));
    struct x11_pixmap old;
    xcb_void_cookie_t cookie;

    if (e == NULL)
        return;
    if (pixmap_take(p->conn, p->id, &old))
        free_gc(&old);
    p->gc = next_xcb_generate_id()(p->conn);
    cookie = next_xcb_create_gc_checked()(p->conn, p->gc, p->id,
                                          XCB_GC_GRAPHICS_EXPOSURES, &no_exposures);
    next_xcb_discard_reply()(p->conn, cookie.sequence);
    e->pixmap = *p;
    (void)pthread_mutex_lock(&table.lock);
    e->next = table.first;
    table.first = e;
    (void)pthread_mutex_unlock(&table.lock);
}

bool x11_pixmap_find(xcb_connection_t *conn, xcb_drawable_t id, struct x11_pixmap *to)
{
    const struct entry *e;

    (void)pthread_mutex_lock(&table.lock);
    e = *link_of(conn, id);
    if (e != NULL)
        *to = e->pixmap;
    (void)pthread_mutex_unlock(&table.lock);
    return e != NULL;
}

bool x11_pixmap_mirror(unsigned n, struct x11_pixmap *to)
{
    const struct entry *e;

    (void)pthread_mutex_lock(&table.lock);
    for (e = table.first; e != NULL; e = e->next)
        if (e->pixmap.mirror && n-- == 0) {
            *to = e->pixmap;
            break;
        }
    (void)pthread_mutex_unlock(&table.lock);
    return e != NULL;
}

static void connection_forget(const xcb_connection_t *conn)
{
    struct entry **at = &table.first;

    (void)pthread_mutex_lock(&table.lock);
    while (*at != NULL) {
        struct entry *e = *at;

        if (e->pixmap.conn == conn) {
            *at = e->next;
            free(e);
        } else {
            at = &e->next;
        }
    }
    (void)pthread_mutex_unlock(&table.lock);
}

/* ---- requests ----------------------------------------------------------- */

DRM_PUBLIC xcb_void_cookie_t xcb_free_pixmap(xcb_connection_t *c, xcb_pixmap_t pixmap)
{
    struct x11_pixmap p;

    if (pixmap_take(c, pixmap, &p))
        free_gc(&p);
    return next_xcb_free_pixmap()(c, pixmap);
}

/* The server copies between its pixmaps: the source's must have the object's picture
 * before, and the destination's object gets the pixmap's behind it. */
static void before_copy(xcb_connection_t *c, xcb_drawable_t src, struct x11_rect rect)
{
    struct x11_pixmap p;

    if (x11_pixmap_find(c, src, &p))
        x11_upload(&p, rect);
}

static void behind_copy(xcb_connection_t *c, xcb_drawable_t dst, struct x11_rect rect)
{
    struct x11_pixmap p;

    if (x11_pixmap_find(c, dst, &p))
        x11_download(&p, rect);
}

#define COPY_AREA(name)                                                                \
    DRM_PUBLIC xcb_void_cookie_t name(xcb_connection_t *c, xcb_drawable_t src,         \
                                      xcb_drawable_t dst, xcb_gcontext_t gc,           \
                                      int16_t src_x, int16_t src_y, int16_t dst_x,     \
                                      int16_t dst_y, uint16_t width, uint16_t height)  \
    {                                                                                  \
        xcb_void_cookie_t cookie;                                                      \
                                                                                       \
        before_copy(c, src, (struct x11_rect){src_x, src_y, width, height});           \
        cookie =                                                                       \
            next_##name()(c, src, dst, gc, src_x, src_y, dst_x, dst_y, width, height); \
        behind_copy(c, dst, (struct x11_rect){dst_x, dst_y, width, height});           \
        return cookie;                                                                 \
    }

COPY_AREA(xcb_copy_area)
COPY_AREA(xcb_copy_area_checked)

DRM_PUBLIC void xcb_disconnect(xcb_connection_t *c)
{
    connection_forget(c);
    x11_events_forget(c);
    x11_fences_forget(c);
    next_xcb_disconnect()(c);
}
