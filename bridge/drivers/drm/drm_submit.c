/* drm_submit.c - what a call hands to the GPU, taken apart and held against what i915
 * refuses: flags, objects, fences in their three forms. */
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <unistd.h>

#include "bridge/drivers/drm/drm.h"
#include "bridge/drivers/drm/x11.h"
#include "igpu/grow.h"
#include "traces/frame/frame.h"

enum { MAX_FENCES = 65536 };

struct fences {
    struct drm_fence *fence;
    uint32_t count;
};

/* ---- fences ------------------------------------------------------------- */

/* The program's array of fences, and of their points unless points is 0. */
static int take_fences(uint64_t array, uint64_t points, uint64_t count,
                       struct fences *f)
{
    if (count > MAX_FENCES - f->count)
        return EINVAL;
    if (!IGPU_RESIZE(f->fence, f->count + count))
        return ENOMEM;
    for (uint64_t i = 0; i < count; i++) {
        struct drm_i915_gem_exec_fence one;
        uint64_t point = 0;

        if (!drm_get(&one, array + i * sizeof(one), sizeof(one)) ||
            (points != 0 &&
             !drm_get(&point, points + i * sizeof(point), sizeof(point))))
            return EFAULT;
        if (one.flags & ~(uint32_t)(I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL))
            return EINVAL;
        f->fence[f->count++] =
            (struct drm_fence){one.handle, (one.flags & I915_EXEC_FENCE_WAIT) != 0,
                               (one.flags & I915_EXEC_FENCE_SIGNAL) != 0, point};
    }
    return 0;
}

/* A chain of what is added to the call. */
static int take_extensions(uint64_t at, struct fences *f)
{
    enum { LONGEST = 16 };
    struct drm_i915_gem_execbuffer_ext_timeline_fences e;
    int error = 0;

    for (uint32_t i = 0; at != 0 && error == 0; i++) {
        if (i == LONGEST)
            return E2BIG;
        if (!drm_get(&e.base, at, sizeof(e.base)))
            return EFAULT;
        if (e.base.name != DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES)
            return EINVAL;
        if (!drm_get(&e, at, sizeof(e)))
            return EFAULT;
        error = take_fences(e.handles_ptr, e.values_ptr, e.fence_count, f);
        at = e.base.next_extension;
    }
    return error;
}

static int fences_of(const struct drm_i915_gem_execbuffer2 *e, struct fences *f)
{
    const uint64_t flags = e->flags;
    int error = 0;

    if ((flags & I915_EXEC_FENCE_ARRAY) && (flags & I915_EXEC_USE_EXTENSIONS))
        return EINVAL;
    if (flags & I915_EXEC_FENCE_ARRAY)
        error = take_fences(e->cliprects_ptr, 0, e->num_cliprects, f);
    else if (flags & I915_EXEC_USE_EXTENSIONS)
        error = e->num_cliprects != 0 ? EINVAL : take_extensions(e->cliprects_ptr, f);
    else if (e->num_cliprects != 0)
        error = EINVAL;
    if ((flags & (I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT)) && error == 0 &&
        !drm_is_fence((int)(uint32_t)e->rsvd2))
        error = EINVAL;
    return error != 0 ? error : drm_fences_check(f->fence, f->count);
}

/* ---- objects ------------------------------------------------------------ */

static int execbuffer_check(const struct drm_i915_gem_execbuffer2 *e)
{
    const uint64_t ring = e->flags & I915_EXEC_RING_MASK;

    if ((e->flags & (uint64_t)__I915_EXEC_UNKNOWN_FLAGS) || e->DR1 != 0 || e->DR4 != 0)
        return EINVAL;
    if (ring != I915_EXEC_DEFAULT && ring != I915_EXEC_RENDER && ring != I915_EXEC_BLT)
        return EINVAL;
    if (((e->batch_start_offset | e->batch_len) & 7) != 0)
        return EINVAL;
    if (e->buffer_count == 0 || e->buffer_count > FRAME_MAX_BUFFERS)
        return EINVAL;
    return drm_context_is((uint32_t)e->rsvd1) ? 0 : ENOENT;
}

static int objects_of(const struct drm_i915_gem_execbuffer2 *e,
                      struct drm_i915_gem_exec_object2 **object)
{
    size_t bytes = e->buffer_count * sizeof(**object);

    *object = malloc(bytes);
    if (*object == NULL)
        return ENOMEM;
    if (!drm_get(*object, e->buffers_ptr, bytes))
        return EFAULT;
    return 0;
}

/* As the kernel: the program is told where its objects lie. */
static int tell_places(const struct drm_i915_gem_execbuffer2 *e,
                       const struct drm_i915_gem_exec_object2 *object)
{
    for (uint32_t i = 0; i < e->buffer_count; i++)
        if (!(object[i].flags & EXEC_OBJECT_PINNED) &&
            !drm_put(e->buffers_ptr + i * sizeof(*object) +
                         offsetof(struct drm_i915_gem_exec_object2, offset),
                     &object[i].offset, sizeof(object[i].offset)))
            return EFAULT;
    return 0;
}

int drm_execbuffer(struct drm_i915_gem_execbuffer2 *exec)
{
    struct drm_i915_gem_execbuffer2 own = *exec;
    struct drm_i915_gem_exec_object2 *object = NULL;
    struct fences f = {NULL, 0};
    int out = -1, error = execbuffer_check(exec);

    if (error == 0)
        error = objects_of(exec, &object);
    if (error == 0)
        error = fences_of(exec, &f);
    if (error == 0 && (exec->flags & I915_EXEC_FENCE_OUT)) {
        out = drm_fence_file();
        error = out < 0 ? errno : 0;
    }
    own.buffers_ptr = (uintptr_t)object;
    if (error == 0)
        error = drm_submit(&own);
    if (error == 0)
        error = tell_places(exec, object);
    if (error == 0) {
        x11_executed(&own);
        drm_fences_signal(f.fence, f.count);
        if (out >= 0)
            exec->rsvd2 = (exec->rsvd2 & UINT32_MAX) | (uint64_t)(uint32_t)out << 32;
    } else if (out >= 0) {
        (void)close(out);
    }
    free(object);
    free(f.fence);
    errno = error;
    return error == 0 ? 0 : -1;
}
