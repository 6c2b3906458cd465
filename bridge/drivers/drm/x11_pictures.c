/* x11_pictures.c - pixels between GEM objects, whose rows are linear or in tiles, and
 * pixmaps of the server, to which rows go as they are. */
#include <i915_drm.h>
#include <stdlib.h>

#include "bridge/drivers/drm/x11.h"

X11_NEXT(X11_XCB, xcb_put_image_checked)
X11_NEXT(X11_XCB, xcb_get_image)
X11_NEXT(X11_XCB, xcb_get_image_reply)
X11_NEXT(X11_XCB, xcb_get_image_data)
X11_NEXT(X11_XCB, xcb_get_image_data_length)
X11_NEXT(X11_XCB, xcb_get_maximum_request_length)
X11_NEXT(X11_XCB, xcb_discard_reply)

enum {
    TILE = 4096,       /* bytes */
    X_ROW = 512,       /* bytes of a row in an X tile, of eight rows */
    Y_ROW = 128,       /* in a Y tile, of 32 rows: eight columns */
    COLUMN = 16,       /* bytes of a row in a Y tile's column */
    REQUEST_HEAD = 64, /* bytes of a request beside the picture, and more */
};

/* ---- tiles -------------------------------------------------------------- */

static uint32_t rows_of_tile(uint32_t tiling)
{
    return tiling == I915_TILING_X ? 8 : tiling == I915_TILING_Y ? 32 : 1;
}

static uint32_t row_of_tile(uint32_t tiling)
{
    return tiling == I915_TILING_X ? X_ROW : tiling == I915_TILING_Y ? Y_ROW : 1;
}

/* Where byte x of row y is, and *run: how many of the row follow it at once. */
static uint64_t pixel_place(const struct drm_buffer *b, uint32_t stride, uint32_t x,
                            uint32_t y, uint32_t *run)
{
    uint32_t row = row_of_tile(b->tiling), rows = rows_of_tile(b->tiling);
    uint64_t tile = (uint64_t)(y / rows) * (stride / row) + x / row;
    uint32_t in_x = x % row, in_y = y % rows;

    switch (b->tiling) {
    case I915_TILING_X:
        *run = X_ROW - in_x;
        return tile * TILE + in_y * X_ROW + in_x;
    case I915_TILING_Y:
        *run = COLUMN - in_x % COLUMN;
        return tile * TILE + in_x / COLUMN * (COLUMN * rows) + in_y * COLUMN +
               in_x % COLUMN;
    default:
        *run = stride - x;
        return (uint64_t)y * stride + x;
    }
}

/* The object, if the pixmap's picture fits in it. */
static const struct drm_buffer *object_of(const struct x11_pixmap *p)
{
    const struct drm_buffer *b = drm_buffer_get(p->handle);
    uint64_t rows;

    if (b == NULL || b->id != p->object || p->stride % row_of_tile(b->tiling) != 0 ||
        p->width * (p->bpp / 8u) > p->stride)
        return NULL;
    rows = (p->height + rows_of_tile(b->tiling) - 1) / rows_of_tile(b->tiling) *
           rows_of_tile(b->tiling);
    return rows * p->stride <= b->bytes ? b : NULL;
}

struct row {
    uint32_t x, y, bytes; /* x in bytes */
    uint8_t *pixels;
};

static void move_row(const struct drm_buffer *b, uint32_t stride, struct row r,
                     bool to_object)
{
    uint32_t done = 0, run;

    while (done < r.bytes) {
        uint8_t *at = b->host + pixel_place(b, stride, r.x + done, r.y, &run);

        if (run > r.bytes - done)
            run = r.bytes - done;
        if (to_object)
            memcpy(at, r.pixels + done, run);
        else
            memcpy(r.pixels + done, at, run);
        done += run;
    }
}

/* ---- to the server and back --------------------------------------------- */

struct x11_rect x11_whole(const struct x11_pixmap *p)
{
    return (struct x11_rect){0, 0, p->width, p->height};
}

static bool clip(const struct x11_pixmap *p, struct x11_rect *r)
{
    int right = r->x + r->width, bottom = r->y + r->height;

    r->x = r->x > 0 ? r->x : 0;
    r->y = r->y > 0 ? r->y : 0;
    r->width = (right < p->width ? right : p->width) - r->x;
    r->height = (bottom < p->height ? bottom : p->height) - r->y;
    return r->width > 0 && r->height > 0;
}

/* Rows begin at whole words. */
static uint32_t padded(const struct x11_pixmap *p, struct x11_rect r)
{
    return ((uint32_t)r.width * (p->bpp / 8u) + 3) / 4 * 4;
}

static void move_rows(const struct x11_pixmap *p, const struct drm_buffer *b,
                      struct x11_rect r, uint8_t *pixels, bool to_object)
{
    uint32_t pixel = p->bpp / 8u;

    for (int i = 0; i < r.height; i++) {
        struct row row = {(uint32_t)r.x * pixel, (uint32_t)(r.y + i),
                          (uint32_t)r.width * pixel, pixels + (size_t)i * padded(p, r)};

        move_row(b, p->stride, row, to_object);
    }
}

static void pixmap_put(const struct x11_pixmap *p, struct x11_rect r,
                       const uint8_t *pixels)
{
    xcb_void_cookie_t cookie = next_xcb_put_image_checked()(
        p->conn, XCB_IMAGE_FORMAT_Z_PIXMAP, p->id, p->gc, (uint16_t)r.width,
        (uint16_t)r.height, (int16_t)r.x, (int16_t)r.y, 0, p->depth,
        padded(p, r) * (uint32_t)r.height, pixels);

    next_xcb_discard_reply()(p->conn, cookie.sequence);
}

void x11_upload(const struct x11_pixmap *p, struct x11_rect rect)
{
    const struct drm_buffer *b = object_of(p);
    uint64_t most;
    uint8_t *pixels;
    int rows;

    if (b == NULL || !clip(p, &rect))
        return;
    most = (uint64_t)next_xcb_get_maximum_request_length()(p->conn) * 4;
    most = most > REQUEST_HEAD ? (most - REQUEST_HEAD) / padded(p, rect) : 0;
    rows = most < (uint64_t)rect.height ? (int)most : rect.height;
    pixels = rows > 0 ? calloc((size_t)rows, padded(p, rect)) : NULL;
    if (pixels == NULL)
        return;
    for (int y = 0; y < rect.height; y += rows) {
        struct x11_rect part = rect;

        part.y = rect.y + y;
        part.height = rect.height - y < rows ? rect.height - y : rows;
        move_rows(p, b, part, pixels, false);
        pixmap_put(p, part, pixels);
    }
    free(pixels);
}

void x11_download(const struct x11_pixmap *p, struct x11_rect rect)
{
    const struct drm_buffer *b = object_of(p);
    xcb_get_image_cookie_t cookie;
    xcb_get_image_reply_t *reply;
    int bytes;

    if (b == NULL || !clip(p, &rect))
        return;
    cookie = next_xcb_get_image()(p->conn, XCB_IMAGE_FORMAT_Z_PIXMAP, p->id,
                                  (int16_t)rect.x, (int16_t)rect.y,
                                  (uint16_t)rect.width, (uint16_t)rect.height, ~0u);
    reply = next_xcb_get_image_reply()(p->conn, cookie, NULL);
    if (reply == NULL)
        return;
    bytes = next_xcb_get_image_data_length()(reply);
    if (bytes > 0 && (uint32_t)bytes >= padded(p, rect) * (uint32_t)rect.height)
        move_rows(p, b, rect, next_xcb_get_image_data()(reply), true);
    free(reply);
}
