/* drm_lookup.c - dlsym(): programs that load libEGL at run time ask it for the
 * functions that end a frame. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>

#include "bridge/drivers/drm/drm.h"

/* A lookup by RTLD_NEXT is answered by who asks: the compiler makes this call a jump,
 * so that the C library sees the program as its caller. */
DRM_PUBLIC void *dlsym(void *restrict handle, const char *restrict name)
{
    void *hook;

    if (handle == RTLD_NEXT ||
        (name[0] != 'e' && name[0] != 'g' && name[0] != 'v' && name[0] != 'z'))
        return drm_real_dlsym()(handle, name);
    hook = drm_real_dlsym()(handle, name);
    if (hook == NULL)
        return NULL;
    return name[0] == 'z' ? drm_ze_hook(name, hook) : drm_frames_hook(name, hook);
}
