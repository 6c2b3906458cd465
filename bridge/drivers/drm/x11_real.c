/* x11_real.c - the functions behind ours, and who calls. */
#define _GNU_SOURCE /* dladdr */
#include "bridge/drivers/drm/x11.h"

#include <dlfcn.h>
#include <stddef.h>

/* Mesa's libraries are loaded in scopes of their own, and theirs with them. */
void *x11_real(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle != NULL ? dlsym(handle, name) : NULL;

    if (found == NULL)
        found = drm_real(name);
    if (found == NULL)
        drm_say("no %s in %s", name, library);
    return found;
}

/* With a dispatcher of vendors between, and without. */
bool x11_is_loader(const void *code)
{
    static const char *const names[] = {"libGLX_mesa.so", "libEGL_mesa.so", "libGL.so",
                                        "libEGL.so"};
    Dl_info info;
    const char *name;

    if (dladdr(code, &info) == 0 || info.dli_fname == NULL)
        return false;
    name = strrchr(info.dli_fname, '/');
    name = name != NULL ? name + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}
