/* steady_keys.c - part of the library steady.c: keys pressed behind given frames.
 *
 * STEADY_KEYS: FRAMES:KEY,... where FRAMES is N (pressed behind the N-th shown frame,
 * released behind the next one) or N-M (released behind the M-th), and KEY one of X's
 * names, ButtonN of the mouse, or Pointer=X/Y, to where the pointer goes. They come by
 * XTEST on a connection of their own to the X server, which has sent the program its
 * events when this returns. Without libXtst, or with a key that the server does not
 * know, the process ends. */
#include "steady.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, NOW = 0 };

static struct {
    void *display;
    unsigned long (*keysym)(const char *);
    unsigned char (*keycode)(void *, unsigned long);
    int (*key)(void *, unsigned, int, unsigned long);
    int (*button)(void *, unsigned, int, unsigned long);
    int (*motion)(void *, int, int, int, unsigned long);
    int (*sync)(void *, int);
} x;

_Noreturn static void fail(const char *why, const char *what)
{
    (void)fprintf(stderr, "steady: %s %s\n", why, what);
    abort();
}

static void symbol_find(void *library, const char *name, void *fn)
{
    void *address = library == NULL ? NULL : dlsym(library, name);

    if (address == NULL)
        fail("there is no", name);
    memcpy(fn, &address, sizeof(address));
}

static void connect_to_server(void)
{
    void *xlib = dlopen("libX11.so.6", RTLD_NOW),
         *xtst = dlopen("libXtst.so.6", RTLD_NOW);
    void *(*open)(const char *);

    symbol_find(xlib, "XOpenDisplay", &open);
    symbol_find(xlib, "XStringToKeysym", &x.keysym);
    symbol_find(xlib, "XKeysymToKeycode", &x.keycode);
    symbol_find(xlib, "XSync", &x.sync);
    symbol_find(xtst, "XTestFakeKeyEvent", &x.key);
    symbol_find(xtst, "XTestFakeButtonEvent", &x.button);
    symbol_find(xtst, "XTestFakeMotionEvent", &x.motion);
    x.display = open(NULL);
    if (x.display == NULL)
        fail("no X server at", "DISPLAY");
}

static void act(const char *name, bool down)
{
    unsigned char code;
    unsigned button;
    int at[2];

    if (x.display == NULL)
        connect_to_server();
    if (sscanf(name, "Pointer=%d/%d", &at[0], &at[1]) == 2) {
        if (down)
            (void)x.motion(x.display, -1, at[0], at[1], NOW);
    } else if (sscanf(name, "Button%u", &button) == 1) {
        (void)x.button(x.display, button, down, NOW);
    } else {
        code = x.keycode(x.display, x.keysym(name));
        if (code == 0)
            fail("the X server has no key", name);
        (void)x.key(x.display, code, down, NOW);
    }
    (void)x.sync(x.display, 0);
}

void steady_keys(unsigned long long frame)
{
    const char *at = getenv("STEADY_KEYS");
    char name[LONGEST];
    unsigned long long from, to;
    int read;

    for (; at != NULL && *at != '\0'; at += read + (at[read] == ',')) {
        if (sscanf(at, "%llu-%llu:%63[^,]%n", &from, &to, name, &read) != 3) {
            if (sscanf(at, "%llu:%63[^,]%n", &from, name, &read) != 2)
                fail("expected FRAMES:KEY,... as STEADY_KEYS at", at);
            to = from + 1;
        }
        if (frame == from || frame == to)
            act(name, frame == from);
    }
}
