/* steady_pictures.c - part of the library steady.c: frames that come to the X server as
 * pictures, which is how Mesa's Vulkan drivers show them where there is no GPU.
 *
 * STEADY_PICTURES: the folder for pictures NNNNNNNNNN.ppm, numbered from 1. Each counts
 * as a shown frame. Pixels are 4 bytes, blue first; rows hold as many as the call says.
 */
#define _GNU_SOURCE
#include "steady.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Z_PIXMAP = 2, PIXEL = 4 };

struct cookie {
    unsigned sequence;
};

struct geometry {
    uint8_t answer, depth;
    uint16_t sequence;
    uint32_t length, root;
    int16_t x, y;
    uint16_t width, height, border;
};

static void symbol_find(const char *name, void *fn)
{
    void *address = dlsym(RTLD_NEXT, name);

    if (address == NULL)
        address = dlsym(dlopen("libxcb.so.1", RTLD_NOW), name);
    memcpy(fn, &address, sizeof(address));
}

static unsigned window_width(void *connection, uint32_t window)
{
    struct cookie (*ask)(void *, uint32_t);
    struct geometry *(*reply)(void *, struct cookie, void **), *geometry;
    unsigned width;

    symbol_find("xcb_get_geometry", &ask);
    symbol_find("xcb_get_geometry_reply", &reply);
    geometry = reply(connection, ask(connection, window), NULL);
    if (geometry == NULL)
        abort();
    width = geometry->width;
    free(geometry);
    return width;
}

void steady_keep(const char *folder, const uint8_t *pixels, unsigned pitch,
                 unsigned width, unsigned height)
{
    static unsigned number;
    char path[4096];
    FILE *out;

    (void)snprintf(path, sizeof(path), "%s/%010u.ppm", folder, ++number);
    out = fopen(path, "wb");
    if (out == NULL) {
        perror(path);
        abort();
    }
    (void)fprintf(out, "P6 %u %u 255\n", width, height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        const uint8_t *p = pixels + (i / width * pitch + i % width) * PIXEL;

        (void)fwrite((uint8_t[]){p[2], p[1], p[0]}, 3, 1, out);
    }
    if (fclose(out) != 0)
        abort();
}

struct cookie xcb_put_image(void *connection, uint8_t format, uint32_t drawable,
                            uint32_t context, uint16_t width, uint16_t height,
                            int16_t x, int16_t y, uint8_t pad, uint8_t depth,
                            uint32_t bytes, const uint8_t *data);
struct cookie xcb_put_image(void *connection, uint8_t format, uint32_t drawable,
                            uint32_t context, uint16_t width, uint16_t height,
                            int16_t x, int16_t y, uint8_t pad, uint8_t depth,
                            uint32_t bytes, const uint8_t *data)
{
    struct cookie (*real)(void *, uint8_t, uint32_t, uint32_t, uint16_t, uint16_t,
                          int16_t, int16_t, uint8_t, uint8_t, uint32_t,
                          const uint8_t *);
    const char *folder = getenv("STEADY_PICTURES");
    struct cookie cookie;
    unsigned shown;

    symbol_find("xcb_put_image", &real);
    cookie = real(connection, format, drawable, context, width, height, x, y, pad,
                  depth, bytes, data);
    if (folder != NULL && format == Z_PIXMAP &&
        bytes >= (uint32_t)width * height * PIXEL) {
        shown = window_width(connection, drawable);
        steady_keep(folder, data, width, shown < width ? shown : width, height);
        steady_shown();
    }
    return cookie;
}
