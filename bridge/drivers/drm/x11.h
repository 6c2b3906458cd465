/* x11.h - windows of an X server, inside: who does what. Mesa's loader reaches its
 * server by DRI3 and Present, through functions of libxcb's family. Where it means to
 * hand over a buffer of our device those functions here answer instead, and the server,
 * which needs no GPU and no DRI3, gets pictures by core requests alone. What others
 * call by these names goes to the libraries. docs/contract/frames.md tells what a
 * user sees.
 *
 * No function here holds a lock while it waits for the server. */
#ifndef BRIDGE_X11_H
#define BRIDGE_X11_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <xcb/xcb.h>

#include "bridge/drivers/drm/drm.h"

/* ---- x11_real.c --------------------------------------------------------- */

#define X11_XCB "libxcb.so.1"
#define X11_DRI3 "libxcb-dri3.so.0"
#define X11_PRESENT "libxcb-present.so.0"
#define X11_SYNC "libxcb-sync.so.1"
#define X11_SHMFENCE "libxshmfence.so.1"

/* A name of a library that the process has loaded, be it in a scope of its own. NULL:
 * it has none. */
void *x11_real(const char *library, const char *name);
/* Is the code at that address the part of Mesa that talks to an X server? */
bool x11_is_loader(const void *code);
#define X11_CALLED_BY_LOADER() x11_is_loader(__builtin_return_address(0))

/* next_NAME(): the library's function, looked up once. */
#define X11_NEXT(library, name)                                                        \
    static __typeof__(&name) next_##name(void)                                         \
    {                                                                                  \
        static __typeof__(&name) found;                                                \
        void *address;                                                                 \
                                                                                       \
        if (found == NULL) {                                                           \
            address = x11_real(library, #name);                                        \
            memcpy(&found, &address, sizeof(found));                                   \
        }                                                                              \
        return found;                                                                  \
    }

/* ---- x11_pixmaps.c ------------------------------------------------------ */

/* A pixmap of the server that has the picture of a GEM object. */
struct x11_pixmap {
    xcb_connection_t *conn;
    xcb_pixmap_t id;
    xcb_gcontext_t gc;       /* of its depth */
    uint32_t handle, object; /* the GEM object, and its number, never used again */
    uint32_t stride;         /* bytes */
    uint16_t width, height;
    uint8_t depth, bpp;
    bool mirror; /* the program's pixmap, not Mesa's: each follows the other */
};

/* Enter *p, with a gc that is made for it; in place of one of the same id. */
void x11_pixmap_add(struct x11_pixmap *p);
/* False: *to is unchanged. */
bool x11_pixmap_find(xcb_connection_t *conn, xcb_drawable_t id, struct x11_pixmap *to);
/* The mirror number n, from 0. */
bool x11_pixmap_mirror(unsigned n, struct x11_pixmap *to);

/* ---- x11_pictures.c ----------------------------------------------------- */

struct x11_rect {
    int x, y, width, height;
};

struct x11_rect x11_whole(const struct x11_pixmap *p);
/* The GEM object's pixels to the server, and back. What lies outside is left out;
 * nothing happens if the object is gone. */
void x11_upload(const struct x11_pixmap *p, struct x11_rect rect);
void x11_download(const struct x11_pixmap *p, struct x11_rect rect);

/* ---- x11_mirrors.c ------------------------------------------------------ */

/* A batch that may write to these objects is executed: their mirrors show it. */
struct drm_i915_gem_execbuffer2;
void x11_executed(const struct drm_i915_gem_execbuffer2 *exec);
/* The program wants to see what the server drew in its pixmaps. */
void x11_refresh(void);

/* ---- x11_fences.c ------------------------------------------------------- */

/* What the server is to do behind a fence is done: let who waits go on. */
void x11_fence_trigger(xcb_connection_t *conn, uint32_t fence);
/* The connection is closed. */
void x11_fences_forget(const xcb_connection_t *conn);

/* ---- x11_events.c ------------------------------------------------------- */

/* Tell who listens to the window that the pixmap was shown, by request `serial`, and is
 * free again. */
void x11_events_shown(const xcb_connection_t *c, xcb_window_t window,
                      xcb_pixmap_t pixmap, uint32_t serial, uint64_t msc);
/* Is that number one by which Mesa selected events? */
bool x11_events_for(const xcb_connection_t *c, uint32_t eid);
/* Tell that one alone that the counter is there, in answer to request `request`. */
void x11_events_reached(const xcb_connection_t *c, xcb_window_t window, uint32_t eid,
                        uint32_t request, uint64_t msc);
/* The connection is closed. */
void x11_events_forget(const xcb_connection_t *conn);

#endif
