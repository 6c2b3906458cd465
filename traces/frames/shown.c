/* shown.c - with steady_pictures.c a library to preload in Wine: frames that
 * Mesa's llvmpipe shows by Xlib are kept as pictures, too. No clocks: a Windows
 * program's come from Wine's server, and its children are the server's business. What
 * Wine itself paints (frames of windows, what GDI draws) is told from Mesa's by who
 * calls. */
#define _GNU_SOURCE
#include "steady.h"

#include <X11/Xlib.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void steady_shown(void)
{
}

static void symbol_next(const char *name, void *fn)
{
    void *address = dlsym(RTLD_NEXT, name);

    memcpy(fn, &address, sizeof(address));
}

/* A picture from Mesa's GLX is a frame: what of it is in the window, since llvmpipe's
 * are whole tiles. */
static void shown(const void *caller, Display *display, Drawable window,
                  const XImage *image)
{
    const char *folder = getenv("STEADY_PICTURES");
    unsigned width, height, border, depth;
    Window root;
    Dl_info from;
    int x, y;

    if (folder == NULL || dladdr(caller, &from) == 0 || from.dli_fname == NULL ||
        strstr(from.dli_fname, "libGLX_mesa") == NULL || image->bits_per_pixel != 32 ||
        !XGetGeometry(display, window, &root, &x, &y, &width, &height, &border, &depth))
        return;
    steady_keep(folder, (const uint8_t *)image->data,
                (unsigned)image->bytes_per_line / 4,
                width < (unsigned)image->width ? width : (unsigned)image->width,
                height < (unsigned)image->height ? height : (unsigned)image->height);
}

int XPutImage(Display *display, Drawable drawable, GC context, XImage *image,
              int from_x, int from_y, int x, int y, unsigned width, unsigned height)
{
    int (*real)(Display *, Drawable, GC, XImage *, int, int, int, int, unsigned,
                unsigned);

    shown(__builtin_return_address(0), display, drawable, image);
    symbol_next("XPutImage", &real);
    return real(display, drawable, context, image, from_x, from_y, x, y, width, height);
}

int XShmPutImage(Display *display, Drawable drawable, GC context, XImage *image,
                 int from_x, int from_y, int x, int y, unsigned width, unsigned height,
                 Bool event);
int XShmPutImage(Display *display, Drawable drawable, GC context, XImage *image,
                 int from_x, int from_y, int x, int y, unsigned width, unsigned height,
                 Bool event)
{
    int (*real)(Display *, Drawable, GC, XImage *, int, int, int, int, unsigned,
                unsigned, Bool);

    shown(__builtin_return_address(0), display, drawable, image);
    symbol_next("XShmPutImage", &real);
    return real(display, drawable, context, image, from_x, from_y, x, y, width, height,
                event);
}
