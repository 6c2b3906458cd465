/* drm_real.c - names behind this library's own, and dlsym() itself: programs that load
 * libEGL at run time ask it for the functions that end a frame. */
#define _GNU_SOURCE /* dlvsym, RTLD_NEXT */
#include "bridge/drivers/drm/drm.h"

#include <dlfcn.h>
#include <string.h>

typedef void *lookup_fn(void *handle, const char *name);

/* The C library's, whose version differs between releases and machines. */
static lookup_fn *real_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    static lookup_fn *found;

    for (size_t i = 0; found == NULL && i < sizeof(versions) / sizeof(versions[0]);
         i++) {
        void *address = dlvsym(RTLD_NEXT, "dlsym", versions[i]);

        memcpy(&found, &address, sizeof(found));
    }
    return found;
}

/* Whose functions have hooks. A program that loads one at run time keeps it to itself:
 * RTLD_NEXT does not find it, and the library's own name for a function means ours. */
static const char *const loaded[] = {"libvulkan.so.1", "libEGL.so.1", "libGLX.so.0",
                                     "libGL.so.1"};

void *drm_real(const char *name)
{
    void *found = real_dlsym()(RTLD_NEXT, name);

    for (size_t i = 0; found == NULL && i < sizeof(loaded) / sizeof(loaded[0]); i++) {
        void *library = dlopen(loaded[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library == NULL)
            continue;
        found = real_dlsym()(library, name);
        (void)dlclose(library);
    }
    return found;
}

/* A lookup by RTLD_NEXT is answered by who asks: the compiler makes this call a jump,
 * so that the C library sees the program as its caller. */
DRM_PUBLIC void *dlsym(void *restrict handle, const char *restrict name)
{
    void *hook;

    if (handle == RTLD_NEXT ||
        (name[0] != 'e' && name[0] != 'g' && name[0] != 'v' && name[0] != 'z'))
        return real_dlsym()(handle, name);
    hook = real_dlsym()(handle, name);
    if (hook == NULL)
        return NULL;
    return name[0] == 'z' ? drm_ze_hook(name, hook) : drm_frames_hook(name, hook);
}
