/* x11_present.c - pictures in windows, and the events that tell Mesa of them. A picture
 * is in its window when the request returns, and its buffer is free again: complete and
 * idle at once. The screen's counter (MSC) goes on by one with each picture, or to
 * where it is wanted, and by one at each look; so nobody waits for it. */
#define _XOPEN_SOURCE 700 /* clock_gettime */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <xcb/present.h>
#include <xcb/xcbext.h>

#include "bridge/drm/x11.h"

X11_NEXT(X11_XCB, xcb_register_for_special_xge)
X11_NEXT(X11_XCB, xcb_poll_for_special_event)
X11_NEXT(X11_XCB, xcb_wait_for_special_event)
X11_NEXT(X11_XCB, xcb_unregister_for_special_event)
X11_NEXT(X11_XCB, xcb_change_window_attributes_checked)
X11_NEXT(X11_XCB, xcb_connection_has_error)
X11_NEXT(X11_XCB, xcb_copy_area_checked)
X11_NEXT(X11_XCB, xcb_discard_reply)
X11_NEXT(X11_XCB, xcb_flush)
X11_NEXT(X11_XCB, xcb_get_geometry)
X11_NEXT(X11_XCB, xcb_get_geometry_reply)
X11_NEXT(X11_PRESENT, xcb_present_pixmap)
X11_NEXT(X11_PRESENT, xcb_present_notify_msc)
X11_NEXT(X11_PRESENT, xcb_present_select_input)
X11_NEXT(X11_PRESENT, xcb_present_select_input_checked)

enum { GENERIC_EVENT = 35, MICROSECONDS_PER_FRAME = 16667 };

struct event {
    struct event *next;
    xcb_generic_event_t *event; /* the receiver's to free */
};

/* A queue of events, made when they are selected. */
struct xcb_special_event {
    struct xcb_special_event *next;
    xcb_connection_t *conn;
    uint32_t eid, *stamp;
    xcb_window_t window;
    uint16_t width, height; /* last told */
    struct event *first, **last;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct xcb_special_event *first;
    uint64_t msc;
    uint32_t looks; /* at the MSC */
} present = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};

/* ---- queues ------------------------------------------------------------- */

/* With the lock held. NULL: not ours. */
static struct xcb_special_event *find(const xcb_connection_t *conn, uint32_t eid)
{
    struct xcb_special_event *s = present.first;

    while (s != NULL && (s->conn != conn || s->eid != eid))
        s = s->next;
    return s;
}

static bool is_ours(const struct xcb_special_event *special)
{
    const struct xcb_special_event *s;

    (void)pthread_mutex_lock(&present.lock);
    s = present.first;
    while (s != NULL && s != special)
        s = s->next;
    (void)pthread_mutex_unlock(&present.lock);
    return s != NULL;
}

/* With the lock held: a copy of the event, of that many bytes. */
static void push(struct xcb_special_event *s, const void *event, size_t bytes)
{
    struct event *e = malloc(sizeof(*e));

    if (e == NULL)
        return;
    *e = (struct event){NULL, malloc(bytes)};
    if (e->event == NULL) {
        free(e);
        return;
    }
    memcpy(e->event, event, bytes);
    *s->last = e;
    s->last = &e->next;
    if (s->stamp != NULL)
        ++*s->stamp;
    (void)pthread_cond_broadcast(&present.arrived);
}

/* With the lock held. */
static xcb_generic_event_t *pop(struct xcb_special_event *s)
{
    struct event *e = s->first;
    xcb_generic_event_t *event = e != NULL ? e->event : NULL;

    if (e == NULL)
        return NULL;
    s->first = e->next;
    if (s->first == NULL)
        s->last = &s->first;
    free(e);
    return event;
}

/* With the lock held: out of the list and gone. */
static void drop(struct xcb_special_event **at)
{
    struct xcb_special_event *s = *at;
    xcb_generic_event_t *event;

    *at = s->next;
    while ((event = pop(s)) != NULL)
        free(event);
    free(s);
}

void x11_present_forget(const xcb_connection_t *conn)
{
    struct xcb_special_event **at = &present.first;

    (void)pthread_mutex_lock(&present.lock);
    while (*at != NULL)
        if ((*at)->conn == conn)
            drop(at);
        else
            at = &(*at)->next;
    (void)pthread_mutex_unlock(&present.lock);
}

/* ---- windows ------------------------------------------------------------ */

static bool geometry(xcb_connection_t *c, xcb_window_t window, uint16_t *width,
                     uint16_t *height)
{
    xcb_get_geometry_reply_t *g =
        next_xcb_get_geometry_reply()(c, next_xcb_get_geometry()(c, window), NULL);

    if (g == NULL)
        return false;
    *width = g->width;
    *height = g->height;
    free(g);
    return true;
}

/* Tell of a new size. */
static void look_at_window(struct xcb_special_event *s)
{
    xcb_present_configure_notify_event_t event = {.response_type = GENERIC_EVENT,
                                                  .event_type =
                                                      XCB_PRESENT_CONFIGURE_NOTIFY,
                                                  .event = s->eid,
                                                  .window = s->window};
    uint16_t width, height;

    if (!geometry(s->conn, s->window, &width, &height))
        return;
    event.width = event.pixmap_width = width;
    event.height = event.pixmap_height = height;
    (void)pthread_mutex_lock(&present.lock);
    if (width != s->width || height != s->height) {
        s->width = width;
        s->height = height;
        push(s, &event, sizeof(event));
    }
    (void)pthread_mutex_unlock(&present.lock);
}

static void select_events(xcb_connection_t *c, xcb_window_t window, uint32_t eid)
{
    struct xcb_special_event *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return;
    s->conn = c;
    s->window = window;
    s->eid = eid;
    s->last = &s->first;
    (void)geometry(c, window, &s->width, &s->height);
    (void)pthread_mutex_lock(&present.lock);
    s->next = present.first;
    present.first = s;
    (void)pthread_mutex_unlock(&present.lock);
}

/* A request without an effect that fails, as this one, where there is no window: so
 * Mesa knows a pixmap. */
static xcb_void_cookie_t is_window(xcb_connection_t *c, xcb_window_t window)
{
    return next_xcb_change_window_attributes_checked()(c, window, 0, NULL);
}

DRM_PUBLIC xcb_void_cookie_t xcb_present_select_input_checked(xcb_connection_t *c,
                                                              xcb_present_event_t eid,
                                                              xcb_window_t window,
                                                              uint32_t event_mask)
{
    if (!X11_CALLED_BY_LOADER())
        return next_xcb_present_select_input_checked()(c, eid, window, event_mask);
    if (event_mask != XCB_PRESENT_EVENT_MASK_NO_EVENT)
        select_events(c, window, eid);
    return is_window(c, window);
}

DRM_PUBLIC xcb_void_cookie_t xcb_present_select_input(xcb_connection_t *c,
                                                      xcb_present_event_t eid,
                                                      xcb_window_t window,
                                                      uint32_t event_mask)
{
    if (!X11_CALLED_BY_LOADER())
        return next_xcb_present_select_input()(c, eid, window, event_mask);
    if (event_mask != XCB_PRESENT_EVENT_MASK_NO_EVENT)
        select_events(c, window, eid);
    return (xcb_void_cookie_t){0};
}

/* ---- events received ---------------------------------------------------- */

DRM_PUBLIC xcb_special_event_t *xcb_register_for_special_xge(xcb_connection_t *c,
                                                             xcb_extension_t *ext,
                                                             uint32_t eid,
                                                             uint32_t *stamp)
{
    struct xcb_special_event *s;

    (void)pthread_mutex_lock(&present.lock);
    s = find(c, eid);
    if (s != NULL)
        s->stamp = stamp;
    (void)pthread_mutex_unlock(&present.lock);
    return s != NULL ? s : next_xcb_register_for_special_xge()(c, ext, eid, stamp);
}

DRM_PUBLIC void xcb_unregister_for_special_event(xcb_connection_t *c,
                                                 xcb_special_event_t *se)
{
    struct xcb_special_event **at = &present.first;
    bool found;

    (void)pthread_mutex_lock(&present.lock);
    while (*at != NULL && *at != se)
        at = &(*at)->next;
    found = *at != NULL;
    if (found)
        drop(at);
    (void)pthread_mutex_unlock(&present.lock);
    if (!found)
        next_xcb_unregister_for_special_event()(c, se);
}

static xcb_generic_event_t *next_event(struct xcb_special_event *s)
{
    xcb_generic_event_t *event;

    (void)pthread_mutex_lock(&present.lock);
    event = pop(s);
    (void)pthread_mutex_unlock(&present.lock);
    return event;
}

DRM_PUBLIC xcb_generic_event_t *xcb_poll_for_special_event(xcb_connection_t *c,
                                                           xcb_special_event_t *se)
{
    xcb_generic_event_t *event;

    if (!is_ours(se))
        return next_xcb_poll_for_special_event()(c, se);
    event = next_event(se);
    if (event != NULL)
        return event;
    look_at_window(se);
    return next_event(se);
}

/* All that Mesa waits for has happened before, unless another of its threads brings it
 * about. */
DRM_PUBLIC xcb_generic_event_t *xcb_wait_for_special_event(xcb_connection_t *c,
                                                           xcb_special_event_t *se)
{
    xcb_generic_event_t *event;
    struct timespec until;

    if (!is_ours(se))
        return next_xcb_wait_for_special_event()(c, se);
    (void)pthread_mutex_lock(&present.lock);
    while ((event = pop(se)) == NULL) {
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        if (pthread_cond_timedwait(&present.arrived, &present.lock, &until) ==
                ETIMEDOUT &&
            next_xcb_connection_has_error()(c))
            break;
    }
    (void)pthread_mutex_unlock(&present.lock);
    return event;
}

/* ---- events made -------------------------------------------------------- */

/* With the lock held: the counter when it has reached what is wanted. */
static uint64_t reach(uint64_t target, uint64_t divisor, uint64_t remainder)
{
    present.msc++;
    if (present.msc < target)
        present.msc = target;
    else if (divisor != 0 && present.msc % divisor != remainder % divisor)
        present.msc +=
            (remainder % divisor + divisor - present.msc % divisor) % divisor;
    return present.msc;
}

static xcb_present_complete_notify_event_t complete(uint8_t kind, xcb_window_t window,
                                                    uint32_t serial, uint64_t msc)
{
    return (xcb_present_complete_notify_event_t){.response_type = GENERIC_EVENT,
                                                 .event_type =
                                                     XCB_PRESENT_COMPLETE_NOTIFY,
                                                 .kind = kind,
                                                 .mode = XCB_PRESENT_COMPLETE_MODE_COPY,
                                                 .window = window,
                                                 .serial = serial,
                                                 .ust = msc * MICROSECONDS_PER_FRAME,
                                                 .msc = msc};
}

static void tell(const xcb_connection_t *c, xcb_pixmap_t pixmap,
                 xcb_present_complete_notify_event_t shown)
{
    xcb_present_idle_notify_event_t idle = {.response_type = GENERIC_EVENT,
                                            .event_type = XCB_PRESENT_IDLE_NOTIFY,
                                            .window = shown.window,
                                            .serial = shown.serial,
                                            .pixmap = pixmap};

    for (struct xcb_special_event *s = present.first; s != NULL; s = s->next)
        if (s->conn == c && s->window == shown.window) {
            shown.event = idle.event = s->eid;
            push(s, &shown, sizeof(shown));
            push(s, &idle, sizeof(idle));
        }
}

DRM_PUBLIC xcb_void_cookie_t xcb_present_pixmap(
    xcb_connection_t *c, xcb_window_t window, xcb_pixmap_t pixmap, uint32_t serial,
    xcb_xfixes_region_t valid, xcb_xfixes_region_t update, int16_t x_off, int16_t y_off,
    xcb_randr_crtc_t target_crtc, xcb_sync_fence_t wait_fence,
    xcb_sync_fence_t idle_fence, uint32_t options, uint64_t target_msc,
    uint64_t divisor, uint64_t remainder, uint32_t notifies_len,
    const xcb_present_notify_t *notifies)
{
    struct x11_pixmap p;
    xcb_void_cookie_t cookie;

    if (!x11_pixmap_find(c, pixmap, &p))
        return next_xcb_present_pixmap()(c, window, pixmap, serial, valid, update,
                                         x_off, y_off, target_crtc, wait_fence,
                                         idle_fence, options, target_msc, divisor,
                                         remainder, notifies_len, notifies);
    x11_upload(&p, x11_whole(&p));
    cookie = next_xcb_copy_area_checked()(c, pixmap, window, p.gc, 0, 0, x_off, y_off,
                                          p.width, p.height);
    next_xcb_discard_reply()(c, cookie.sequence);
    (void)next_xcb_flush()(c);
    x11_fence_trigger(c, idle_fence);
    (void)pthread_mutex_lock(&present.lock);
    tell(c, pixmap,
         complete(XCB_PRESENT_COMPLETE_KIND_PIXMAP, window, serial,
                  reach(target_msc, divisor, remainder)));
    (void)pthread_mutex_unlock(&present.lock);
    return (xcb_void_cookie_t){0};
}

/* The event has the request's number, by which Mesa knows it. */
DRM_PUBLIC xcb_void_cookie_t
xcb_present_notify_msc(xcb_connection_t *c, xcb_window_t window, uint32_t serial,
                       uint64_t target_msc, uint64_t divisor, uint64_t remainder)
{
    xcb_present_complete_notify_event_t event;
    struct xcb_special_event *s;
    xcb_void_cookie_t cookie = {0};

    (void)pthread_mutex_lock(&present.lock);
    s = find(c, serial);
    if (s != NULL) {
        cookie.sequence = ++present.looks;
        event = complete(XCB_PRESENT_COMPLETE_KIND_NOTIFY_MSC, window, serial,
                         reach(target_msc, divisor, remainder));
        event.event = s->eid;
        event.full_sequence = cookie.sequence;
        push(s, &event, sizeof(event));
    }
    (void)pthread_mutex_unlock(&present.lock);
    if (s != NULL)
        return cookie;
    return next_xcb_present_notify_msc()(c, window, serial, target_msc, divisor,
                                         remainder);
}
