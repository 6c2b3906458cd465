/* drm_ioctl.c - the calls that Mesa 22.3 makes, answered as an i915 kernel would whose
 * GPU is always done at once. */
#include "bridge/drm/drm.h"

#include <errno.h>
#include <i915_drm.h>
#include <pthread.h>
#include <string.h>
#include <xf86drm.h>

/* Number of an i915 call among all of DRM's. */
#define I915(name) (DRM_COMMAND_BASE + DRM_I915_##name)

static int bad(void)
{
    errno = EINVAL;
    return -1;
}

static uint32_t next_number(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint32_t last;
    uint32_t number;

    (void)pthread_mutex_lock(&lock);
    number = ++last;
    (void)pthread_mutex_unlock(&lock);
    return number;
}

/* As the kernel: copy what fits, tell how long it is. */
static void copy_text(char *to, __kernel_size_t *bytes, const char *text)
{
    size_t n = strlen(text);

    if (to != NULL)
        memcpy(to, text, n < *bytes ? n : *bytes);
    *bytes = n;
}

static int version(struct drm_version *v)
{
    v->version_major = 1;
    v->version_minor = 6;
    v->version_patchlevel = 0;
    copy_text(v->name, &v->name_len, "i915");
    copy_text(v->date, &v->date_len, "20201103");
    copy_text(v->desc, &v->desc_len, "Vigpu");
    return 0;
}

static int get_cap(struct drm_get_cap *cap)
{
    switch (cap->capability) {
    case DRM_CAP_PRIME:
        cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
        return 0;
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE:
        cap->value = 1;
        return 0;
    default:
        cap->value = 0;
        return 0;
    }
}

/* Everything that anybody waits for has happened: every timeline is at its end. */
static int timeline_query(const struct drm_syncobj_timeline_array *t)
{
    uint64_t *points = (void *)(uintptr_t)t->points;

    for (uint32_t i = 0; i < t->count_handles; i++)
        points[i] = INT64_MAX;
    return 0;
}

static int sync_call(unsigned number, void *arg)
{
    switch (number) {
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
        ((struct drm_syncobj_create *)arg)->handle = next_number();
        return 0;
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD): {
        struct drm_syncobj_handle *h = arg;

        h->fd = drm_device_open();
        return h->fd < 0 ? -1 : 0;
    }
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
        ((struct drm_syncobj_handle *)arg)->handle = next_number();
        return 0;
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
        return timeline_query(arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
        return 0;
    default:
        drm_say("the driver makes DRM call 0x%x, which is not known here", number);
        return bad();
    }
}

/* ---- objects ------------------------------------------------------------ */

static int create(struct drm_i915_gem_create *c)
{
    c->handle = drm_buffer_new(c->size, NULL);
    if (c->handle == 0) {
        errno = ENOMEM;
        return -1;
    }
    c->size = drm_buffer_get(c->handle)->bytes;
    return 0;
}

static int userptr(struct drm_i915_gem_userptr *u)
{
    u->handle = drm_buffer_new(u->user_size, (void *)(uintptr_t)u->user_ptr);
    if (u->handle != 0)
        return 0;
    errno = ENOMEM;
    return -1;
}

static int set_tiling(struct drm_i915_gem_set_tiling *t)
{
    struct drm_buffer *b = drm_buffer_get(t->handle);

    if (b == NULL)
        return bad();
    b->tiling = t->tiling_mode;
    b->stride = t->stride;
    t->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int get_tiling(struct drm_i915_gem_get_tiling *t)
{
    const struct drm_buffer *b = drm_buffer_get(t->handle);

    if (b == NULL)
        return bad();
    t->tiling_mode = b->tiling;
    t->swizzle_mode = t->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

/* The same number asks for an offset, and in old form for an address. */
static int mmap_offset(struct drm_i915_gem_mmap_offset *m)
{
    const struct drm_buffer *b = drm_buffer_get(m->handle);

    if (b == NULL || b->offset == 0)
        return bad();
    m->offset = b->offset;
    return 0;
}

static int mmap_here(struct drm_i915_gem_mmap *m)
{
    const struct drm_buffer *b = drm_buffer_get(m->handle);

    if (b == NULL || m->offset > b->bytes)
        return bad();
    m->addr_ptr = (uintptr_t)(b->host + m->offset);
    return 0;
}

static int get_aperture(struct drm_i915_gem_get_aperture *a)
{
    a->aper_size = a->aper_available_size = (uint64_t)1 << 32;
    return 0;
}

/* Addresses end at 2^47, the emulator's own limit. */
static int context_getparam(struct drm_i915_gem_context_param *p)
{
    p->value = p->param == I915_CONTEXT_PARAM_GTT_SIZE ? (uint64_t)1 << 47 : 0;
    return 0;
}

static int reset_stats(struct drm_i915_reset_stats *r)
{
    r->reset_count = r->batch_active = r->batch_pending = 0;
    return 0;
}

static int prime_export(struct drm_prime_handle *p)
{
    p->fd = drm_prime_export(p->handle);
    return p->fd < 0 ? -1 : 0;
}

static int prime_import(struct drm_prime_handle *p)
{
    p->handle = drm_prime_import(p->fd);
    return p->handle != 0 ? 0 : bad();
}

static int object_call(unsigned number, void *arg)
{
    switch (number) {
    case I915(GEM_CREATE):
        return create(arg);
    case I915(GEM_USERPTR):
        return userptr(arg);
    case I915(GEM_MMAP_GTT):
        return mmap_offset(arg);
    case I915(GEM_MMAP):
        return mmap_here(arg);
    case I915(GEM_SET_TILING):
        return set_tiling(arg);
    case I915(GEM_GET_TILING):
        return get_tiling(arg);
    case I915(GEM_GET_APERTURE):
        return get_aperture(arg);
    case I915(GEM_BUSY):
        ((struct drm_i915_gem_busy *)arg)->busy = 0;
        return 0;
    case I915(GEM_MADVISE):
        ((struct drm_i915_gem_madvise *)arg)->retained = 1;
        return 0;
    case I915(GEM_SET_DOMAIN):
    case I915(GEM_SET_CACHING):
    case I915(GEM_WAIT):
        return 0;
    default:
        return sync_call(number, arg);
    }
}

int drm_ioctl(unsigned long request, void *arg)
{
    unsigned number = _IOC_NR(request);

    switch (number) {
    case _IOC_NR(DRM_IOCTL_VERSION):
        return version(arg);
    case _IOC_NR(DRM_IOCTL_GET_CAP):
        return get_cap(arg);
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
        drm_buffer_close(((struct drm_gem_close *)arg)->handle);
        return 0;
    case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
        return prime_export(arg);
    case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
        return prime_import(arg);
    case I915(GETPARAM):
        return drm_getparam(arg);
    case I915(QUERY):
        return drm_query(arg);
    case I915(GEM_EXECBUFFER2):
        return drm_execbuffer(arg);
    case I915(GEM_CONTEXT_CREATE):
        ((struct drm_i915_gem_context_create *)arg)->ctx_id = next_number();
        return 0;
    case I915(GEM_CONTEXT_GETPARAM):
        return context_getparam(arg);
    case I915(GEM_CONTEXT_SETPARAM):
    case I915(GEM_CONTEXT_DESTROY):
        return 0;
    case I915(REG_READ):
        ((struct drm_i915_reg_read *)arg)->val = 0;
        return 0;
    case I915(GET_RESET_STATS):
        return reset_stats(arg);
    default:
        return object_call(number, arg);
    }
}
