/* x11_events.c - the queues by which Mesa hears of its windows: what it selects, and
 * events for it that come from x11_present.c, or from a look at the window's size. */
#define _XOPEN_SOURCE 700 /* clock_gettime */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <xcb/present.h>
#include <xcb/xcbext.h>

#include "bridge/drivers/drm/x11.h"
#include "igpu/clock.h"

X11_NEXT(X11_XCB, xcb_register_for_special_xge)
X11_NEXT(X11_XCB, xcb_poll_for_special_event)
X11_NEXT(X11_XCB, xcb_wait_for_special_event)
X11_NEXT(X11_XCB, xcb_unregister_for_special_event)
X11_NEXT(X11_XCB, xcb_change_window_attributes_checked)
X11_NEXT(X11_XCB, xcb_connection_has_error)
X11_NEXT(X11_XCB, xcb_get_geometry)
X11_NEXT(X11_XCB, xcb_get_geometry_reply)
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
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};

/* ---- queues ------------------------------------------------------------- */

/* With the lock held. NULL: not ours. */
static struct xcb_special_event *event_find(const xcb_connection_t *conn, uint32_t eid)
{
    struct xcb_special_event *s = table.first;

    while (s != NULL && (s->conn != conn || s->eid != eid))
        s = s->next;
    return s;
}

static bool is_ours(const struct xcb_special_event *special)
{
    const struct xcb_special_event *s;

    (void)pthread_mutex_lock(&table.lock);
    s = table.first;
    while (s != NULL && s != special)
        s = s->next;
    (void)pthread_mutex_unlock(&table.lock);
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
    (void)pthread_cond_broadcast(&table.arrived);
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

void x11_events_forget(const xcb_connection_t *conn)
{
    struct xcb_special_event **at = &table.first;

    (void)pthread_mutex_lock(&table.lock);
    while (*at != NULL)
        if ((*at)->conn == conn)
            drop(at);
        else
            at = &(*at)->next;
    (void)pthread_mutex_unlock(&table.lock);
}

/* ---- events sent -------------------------------------------------------- */

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

void x11_events_shown(const xcb_connection_t *c, xcb_window_t window,
                      xcb_pixmap_t pixmap, uint32_t serial, uint64_t msc)
{
    xcb_present_complete_notify_event_t shown =
        complete(XCB_PRESENT_COMPLETE_KIND_PIXMAP, window, serial, msc);
    xcb_present_idle_notify_event_t idle = {.response_type = GENERIC_EVENT,
                                            .event_type = XCB_PRESENT_IDLE_NOTIFY,
                                            .window = window,
                                            .serial = serial,
                                            .pixmap = pixmap};

    (void)pthread_mutex_lock(&table.lock);
    for (struct xcb_special_event *s = table.first; s != NULL; s = s->next)
        if (s->conn == c && s->window == window) {
            shown.event = idle.event = s->eid;
            push(s, &shown, sizeof(shown));
            push(s, &idle, sizeof(idle));
        }
    (void)pthread_mutex_unlock(&table.lock);
}

bool x11_events_for(const xcb_connection_t *c, uint32_t eid)
{
    bool found;

    (void)pthread_mutex_lock(&table.lock);
    found = event_find(c, eid) != NULL;
    (void)pthread_mutex_unlock(&table.lock);
    return found;
}

void x11_events_reached(const xcb_connection_t *c, xcb_window_t window, uint32_t eid,
                        uint32_t request, uint64_t msc)
{
    xcb_present_complete_notify_event_t event =
        complete(XCB_PRESENT_COMPLETE_KIND_NOTIFY_MSC, window, eid, msc);
    struct xcb_special_event *s;

    event.event = eid;
    event.full_sequence = request;
    (void)pthread_mutex_lock(&table.lock);
    s = event_find(c, eid);
    if (s != NULL)
        push(s, &event, sizeof(event));
    (void)pthread_mutex_unlock(&table.lock);
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
    (void)pthread_mutex_lock(&table.lock);
    if (width != s->width || height != s->height) {
        s->width = width;
        s->height = height;
        push(s, &event, sizeof(event));
    }
    (void)pthread_mutex_unlock(&table.lock);
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
    (void)pthread_mutex_lock(&table.lock);
    s->next = table.first;
    table.first = s;
    (void)pthread_mutex_unlock(&table.lock);
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

    (void)pthread_mutex_lock(&table.lock);
    s = event_find(c, eid);
    if (s != NULL)
        s->stamp = stamp;
    (void)pthread_mutex_unlock(&table.lock);
    return s != NULL ? s : next_xcb_register_for_special_xge()(c, ext, eid, stamp);
}

DRM_PUBLIC void xcb_unregister_for_special_event(xcb_connection_t *c,
                                                 xcb_special_event_t *se)
{
    struct xcb_special_event **at = &table.first;
    bool found;

    (void)pthread_mutex_lock(&table.lock);
    while (*at != NULL && *at != se)
        at = &(*at)->next;
    found = *at != NULL;
    if (found)
        drop(at);
    (void)pthread_mutex_unlock(&table.lock);
    if (!found)
        next_xcb_unregister_for_special_event()(c, se);
}

static xcb_generic_event_t *next_event(struct xcb_special_event *s)
{
    xcb_generic_event_t *event;

    (void)pthread_mutex_lock(&table.lock);
    event = pop(s);
    (void)pthread_mutex_unlock(&table.lock);
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
    (void)pthread_mutex_lock(&table.lock);
    while ((event = pop(se)) == NULL) {
        until = igpu_in(1, 0);
        if (pthread_cond_timedwait(&table.arrived, &table.lock, &until) == ETIMEDOUT &&
            next_xcb_connection_has_error()(c))
            break;
    }
    (void)pthread_mutex_unlock(&table.lock);
    return event;
}
