/* drm_real.c - names behind this library's own. */
#define _GNU_SOURCE /* dlvsym, RTLD_NEXT */
#include "bridge/drivers/drm/drm.h"

#include <dlfcn.h>
#include <string.h>

/* Its version differs between releases and machines. */
drm_lookup_fn *drm_real_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    static drm_lookup_fn *found;

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
    void *found = drm_real_dlsym()(RTLD_NEXT, name);

    for (size_t i = 0; found == NULL && i < sizeof(loaded) / sizeof(loaded[0]); i++) {
        void *library = dlopen(loaded[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library == NULL)
            continue;
        found = drm_real_dlsym()(library, name);
        (void)dlclose(library);
    }
    return found;
}
