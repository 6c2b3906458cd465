/* x11_mirrors.c - pixmaps of the program that follow GEM objects, and the other way
 * round, batch by batch. */
#include <i915_drm.h>

#include "bridge/drivers/drm/x11.h"

X11_NEXT(X11_XCB, xcb_flush)

static bool writes(const struct drm_i915_gem_execbuffer2 *exec, uint32_t handle)
{
    const struct drm_i915_gem_exec_object2 *o = (void *)(uintptr_t)exec->buffers_ptr;

    for (uint32_t i = 0; i < exec->buffer_count; i++)
        if (o[i].handle == handle)
            return (o[i].flags & EXEC_OBJECT_WRITE) != 0;
    return false;
}

void x11_executed(const struct drm_i915_gem_execbuffer2 *exec)
{
    struct x11_pixmap p;

    for (unsigned i = 0; x11_pixmap_mirror(i, &p); i++)
        if (writes(exec, p.handle)) {
            x11_upload(&p, x11_whole(&p));
            (void)next_xcb_flush()(p.conn);
        }
}

void x11_refresh(void)
{
    struct x11_pixmap p;

    for (unsigned i = 0; x11_pixmap_mirror(i, &p); i++)
        x11_download(&p, x11_whole(&p));
}
