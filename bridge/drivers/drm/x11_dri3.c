/* x11_dri3.c - what Mesa asks about DRI3 and Present, answered as by a server of our
 * device: which buffer is a pixmap's, and the other way round. Version 1.0 of both has
 * no modifiers: a picture's tiles are those of SET_TILING. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/xcbext.h>

#include "bridge/drivers/drm/x11.h"

X11_NEXT(X11_XCB, xcb_get_extension_data)
X11_NEXT(X11_XCB, xcb_create_pixmap_checked)
X11_NEXT(X11_XCB, xcb_discard_reply)
X11_NEXT(X11_XCB, xcb_get_geometry)
X11_NEXT(X11_XCB, xcb_get_geometry_reply)
X11_NEXT(X11_DRI3, xcb_dri3_query_version)
X11_NEXT(X11_DRI3, xcb_dri3_query_version_reply)
X11_NEXT(X11_DRI3, xcb_dri3_open)
X11_NEXT(X11_DRI3, xcb_dri3_open_reply)
X11_NEXT(X11_DRI3, xcb_dri3_pixmap_from_buffer)
X11_NEXT(X11_DRI3, xcb_dri3_buffer_from_pixmap)
X11_NEXT(X11_DRI3, xcb_dri3_buffer_from_pixmap_reply)
X11_NEXT(X11_PRESENT, xcb_present_query_version)
X11_NEXT(X11_PRESENT, xcb_present_query_version_reply)
X11_NEXT(X11_PRESENT, xcb_present_query_capabilities)
X11_NEXT(X11_PRESENT, xcb_present_query_capabilities_reply)

enum { STRIDE_ALIGNMENT = 64 }; /* bytes, of a linear render target */

static void no_error(xcb_generic_error_t **e)
{
    if (e != NULL)
        *e = NULL;
}

/* ---- what there is ------------------------------------------------------ */

DRM_PUBLIC const struct xcb_query_extension_reply_t *
xcb_get_extension_data(xcb_connection_t *c, xcb_extension_t *ext)
{
    static const struct xcb_query_extension_reply_t there = {.response_type = 1,
                                                             .present = 1};

    if ((strcmp(ext->name, "DRI3") == 0 || strcmp(ext->name, "Present") == 0) &&
        X11_CALLED_BY_LOADER())
        return &there;
    return next_xcb_get_extension_data()(c, ext);
}

/* A query that asks nothing of the server; its reply is version 1.0. */
#define QUERY_VERSION(ext)                                                             \
    DRM_PUBLIC xcb_##ext##_query_version_cookie_t xcb_##ext##_query_version(           \
        xcb_connection_t *c, uint32_t major, uint32_t minor)                           \
    {                                                                                  \
        if (X11_CALLED_BY_LOADER())                                                    \
            return (xcb_##ext##_query_version_cookie_t){0};                            \
        return next_xcb_##ext##_query_version()(c, major, minor);                      \
    }                                                                                  \
                                                                                       \
    DRM_PUBLIC xcb_##ext##_query_version_reply_t *xcb_##ext##_query_version_reply(     \
        xcb_connection_t *c, xcb_##ext##_query_version_cookie_t cookie,                \
        xcb_generic_error_t **e)                                                       \
    {                                                                                  \
        xcb_##ext##_query_version_reply_t *reply;                                      \
                                                                                       \
        if (!X11_CALLED_BY_LOADER())                                                   \
            return next_xcb_##ext##_query_version_reply()(c, cookie, e);               \
        no_error(e);                                                                   \
        reply = calloc(1, sizeof(*reply));                                             \
        if (reply != NULL)                                                             \
            reply->major_version = 1;                                                  \
        return reply;                                                                  \
    }

QUERY_VERSION(dri3)
QUERY_VERSION(present)

DRM_PUBLIC xcb_present_query_capabilities_cookie_t
xcb_present_query_capabilities(xcb_connection_t *c, uint32_t target)
{
    if (X11_CALLED_BY_LOADER())
        return (xcb_present_query_capabilities_cookie_t){0};
    return next_xcb_present_query_capabilities()(c, target);
}

DRM_PUBLIC xcb_present_query_capabilities_reply_t *
xcb_present_query_capabilities_reply(xcb_connection_t *c,
                                     xcb_present_query_capabilities_cookie_t cookie,
                                     xcb_generic_error_t **e)
{
    if (!X11_CALLED_BY_LOADER())
        return next_xcb_present_query_capabilities_reply()(c, cookie, e);
    no_error(e);
    return calloc(1, sizeof(xcb_present_query_capabilities_reply_t));
}

/* ---- the device --------------------------------------------------------- */

DRM_PUBLIC xcb_dri3_open_cookie_t xcb_dri3_open(xcb_connection_t *c,
                                                xcb_drawable_t drawable,
                                                uint32_t provider)
{
    if (X11_CALLED_BY_LOADER())
        return (xcb_dri3_open_cookie_t){0};
    return next_xcb_dri3_open()(c, drawable, provider);
}

/* A reply of that many bytes with a descriptor behind it, where xcb's functions look
 * for it; NULL: there is none. */
static void *reply_with(int fd, size_t bytes)
{
    char *reply = fd >= 0 ? calloc(1, bytes + sizeof(fd)) : NULL;

    if (reply != NULL)
        memcpy(reply + bytes, &fd, sizeof(fd));
    else if (fd >= 0)
        (void)close(fd);
    return reply;
}

DRM_PUBLIC xcb_dri3_open_reply_t *xcb_dri3_open_reply(xcb_connection_t *c,
                                                      xcb_dri3_open_cookie_t cookie,
                                                      xcb_generic_error_t **e)
{
    xcb_dri3_open_reply_t *reply;

    if (!X11_CALLED_BY_LOADER())
        return next_xcb_dri3_open_reply()(c, cookie, e);
    no_error(e);
    reply = reply_with(drm_device_open(), sizeof(*reply));
    if (reply != NULL)
        reply->nfd = 1;
    return reply;
}

/* ---- a pixmap for a buffer ---------------------------------------------- */

/* With the object's number; false: no such object. */
static bool set_object(struct x11_pixmap *p, uint32_t handle)
{
    const struct drm_buffer *b = drm_buffer_get(handle);

    if (b == NULL)
        return false;
    p->handle = handle;
    p->object = b->id;
    return true;
}

DRM_PUBLIC xcb_void_cookie_t xcb_dri3_pixmap_from_buffer(
    xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_drawable_t drawable, uint32_t size,
    uint16_t width, uint16_t height, uint16_t stride, uint8_t depth, uint8_t bpp,
    int32_t pixmap_fd)
{
    struct x11_pixmap p = {.conn = c,
                           .id = pixmap,
                           .stride = stride,
                           .width = width,
                           .height = height,
                           .depth = depth,
                           .bpp = bpp};
    xcb_void_cookie_t cookie;

    if (!X11_CALLED_BY_LOADER())
        return next_xcb_dri3_pixmap_from_buffer()(
            c, pixmap, drawable, size, width, height, stride, depth, bpp, pixmap_fd);
    cookie =
        next_xcb_create_pixmap_checked()(c, depth, pixmap, drawable, width, height);
    next_xcb_discard_reply()(c, cookie.sequence);
    if (set_object(&p, drm_prime_import(pixmap_fd)))
        x11_pixmap_add(&p);
    (void)close(pixmap_fd);
    return (xcb_void_cookie_t){0};
}

/* ---- a buffer for a pixmap ---------------------------------------------- */

static uint8_t bits_of_depth(uint8_t depth)
{
    return depth > 16 ? 32 : depth > 8 ? 16 : 8;
}

/* A mirror of the program's pixmap, with its picture. */
static bool make_mirror(xcb_connection_t *c, xcb_pixmap_t pixmap, struct x11_pixmap *p)
{
    xcb_get_geometry_reply_t *geometry =
        next_xcb_get_geometry_reply()(c, next_xcb_get_geometry()(c, pixmap), NULL);

    if (geometry == NULL)
        return false;
    *p = (struct x11_pixmap){.conn = c,
                             .id = pixmap,
                             .width = geometry->width,
                             .height = geometry->height,
                             .depth = geometry->depth,
                             .bpp = bits_of_depth(geometry->depth),
                             .mirror = true};
    free(geometry);
    p->stride = (p->width * (p->bpp / 8u) + STRIDE_ALIGNMENT - 1) / STRIDE_ALIGNMENT *
                STRIDE_ALIGNMENT;
    if (p->stride > UINT16_MAX ||
        !set_object(p, drm_buffer_new((uint64_t)p->stride * p->height, NULL)))
        return false;
    x11_pixmap_add(p);
    return true;
}

/* The cookie is the pixmap: the reply is made when it is asked for. */
DRM_PUBLIC xcb_dri3_buffer_from_pixmap_cookie_t
xcb_dri3_buffer_from_pixmap(xcb_connection_t *c, xcb_pixmap_t pixmap)
{
    if (X11_CALLED_BY_LOADER())
        return (xcb_dri3_buffer_from_pixmap_cookie_t){pixmap};
    return next_xcb_dri3_buffer_from_pixmap()(c, pixmap);
}

DRM_PUBLIC xcb_dri3_buffer_from_pixmap_reply_t *
xcb_dri3_buffer_from_pixmap_reply(xcb_connection_t *c,
                                  xcb_dri3_buffer_from_pixmap_cookie_t cookie,
                                  xcb_generic_error_t **e)
{
    xcb_dri3_buffer_from_pixmap_reply_t *reply;
    const struct drm_buffer *b;
    struct x11_pixmap p;

    if (!X11_CALLED_BY_LOADER())
        return next_xcb_dri3_buffer_from_pixmap_reply()(c, cookie, e);
    no_error(e);
    b = x11_pixmap_find(c, cookie.sequence, &p) ? drm_buffer_get(p.handle) : NULL;
    if ((b == NULL || b->id != p.object) && !make_mirror(c, cookie.sequence, &p))
        return NULL;
    if (p.mirror)
        x11_download(&p, x11_whole(&p));
    reply = reply_with(drm_prime_export(p.handle), sizeof(*reply));
    if (reply == NULL)
        return NULL;
    reply->nfd = 1;
    reply->size = p.stride * p.height;
    reply->width = p.width;
    reply->height = p.height;
    reply->stride = (uint16_t)p.stride;
    reply->depth = p.depth;
    reply->bpp = p.bpp;
    return reply;
}
