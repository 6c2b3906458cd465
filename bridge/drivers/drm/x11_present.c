/* x11_present.c - pictures in windows. One is in its window when the request returns,
 * and its buffer is free again: complete and idle at once. The screen's counter (MSC)
 * goes on by one with each picture, or to where it is wanted, and by one at each look;
 * so nobody waits for it. */
#include <pthread.h>
#include <xcb/present.h>

#include "bridge/drivers/drm/x11.h"

X11_NEXT(X11_XCB, xcb_copy_area_checked)
X11_NEXT(X11_XCB, xcb_discard_reply)
X11_NEXT(X11_XCB, xcb_flush)
X11_NEXT(X11_PRESENT, xcb_present_pixmap)
X11_NEXT(X11_PRESENT, xcb_present_notify_msc)

static struct {
    pthread_mutex_t lock;
    uint64_t msc;
    uint32_t looks; /* at the MSC */
} screen = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The counter when it has reached what is wanted. */
static uint64_t reach(uint64_t target, uint64_t divisor, uint64_t remainder)
{
    uint64_t msc;

    (void)pthread_mutex_lock(&screen.lock);
    msc = screen.msc + 1;
    if (msc < target)
        msc = target;
    else if (divisor != 0)
        msc += (remainder % divisor + divisor - msc % divisor) % divisor;
    screen.msc = msc;
    (void)pthread_mutex_unlock(&screen.lock);
    return msc;
}

/* A number for a look at the counter; not 0. */
static uint32_t next_look(void)
{
    uint32_t look;

    (void)pthread_mutex_lock(&screen.lock);
    screen.looks += screen.looks == UINT32_MAX ? 2 : 1;
    look = screen.looks;
    (void)pthread_mutex_unlock(&screen.lock);
    return look;
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
    x11_events_shown(c, window, pixmap, serial, reach(target_msc, divisor, remainder));
    return (xcb_void_cookie_t){0};
}

/* The event has the request's number, by which Mesa knows it. */
DRM_PUBLIC xcb_void_cookie_t
xcb_present_notify_msc(xcb_connection_t *c, xcb_window_t window, uint32_t serial,
                       uint64_t target_msc, uint64_t divisor, uint64_t remainder)
{
    xcb_void_cookie_t cookie;

    if (x11_events_for(c, serial)) {
        cookie.sequence = next_look();
        x11_events_reached(c, window, serial, cookie.sequence,
                           reach(target_msc, divisor, remainder));
        return cookie;
    }
    return next_xcb_present_notify_msc()(c, window, serial, target_msc, divisor,
                                         remainder);
}
