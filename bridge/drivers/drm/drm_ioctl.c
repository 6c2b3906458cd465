/* drm_ioctl.c - the calls that Mesa 22.3 and Intel's compute driver make, answered as
 * an i915 kernel would whose GPU is always done at once. */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <i915_drm.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xf86drm.h>

/* Number of an i915 call among all of DRM's. */
#define I915(name) (DRM_COMMAND_BASE + DRM_I915_##name)

static int request_bad(void)
{
    errno = EINVAL;
    return -1;
}

/* No such object, or context. */
static int none(void)
{
    errno = ENOENT;
    return -1;
}

static int context_destroy(const struct drm_i915_gem_context_destroy *d)
{
    if (!drm_context_destroy(d->ctx_id))
        return none();
    drm_forget_context(d->ctx_id);
    return 0;
}

static bool buffer_close(uint32_t handle)
{
    struct drm_buffer gone;

    if (!drm_buffer_take(handle, &gone))
        return false;
    drm_forget(gone.id); /* behind a batch that is executed now */
    drm_buffer_release(&gone);
    return true;
}

/* ---- the driver --------------------------------------------------------- */

/* As the kernel: copy what fits, tell how long it is. */
static bool put_text(char *to, __kernel_size_t *bytes, const char *text)
{
    size_t n = strlen(text), room = *bytes;

    *bytes = n;
    return to == NULL || drm_put((uintptr_t)to, text, n < room ? n : room);
}

static int version(struct drm_version *v)
{
    v->version_major = 1;
    v->version_minor = 6;
    v->version_patchlevel = 0;
    return put_text(v->name, &v->name_len, "i915") &&
                   put_text(v->date, &v->date_len, "20201103") &&
                   put_text(v->desc, &v->desc_len, "Vigpu")
               ? 0
               : -1;
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

/* ---- objects ------------------------------------------------------------ */

static int create(struct drm_i915_gem_create *c)
{
    c->handle = drm_buffer_new(c->size, NULL);
    if (c->handle == 0)
        return -1;
    c->size = drm_buffer_get(c->handle)->bytes;
    return 0;
}

/* There is one region, the system's: any list that has it, or none, will do. */
static int region(uint64_t at)
{
    struct drm_i915_gem_create_ext_memory_regions list;
    struct drm_i915_gem_memory_class_instance r;

    if (!drm_get(&list, at, sizeof(list)))
        return -1;
    for (uint32_t i = 0; i < list.num_regions; i++) {
        if (!drm_get(&r, list.regions + i * sizeof(r), sizeof(r)))
            return -1;
        if (r.memory_class == I915_MEMORY_CLASS_SYSTEM && r.memory_instance == 0)
            return 0;
    }
    return request_bad();
}

static int create_ext(struct drm_i915_gem_create_ext *c)
{
    enum { LONGEST = 16 };
    struct i915_user_extension e = {.next_extension = c->extensions};

    if (c->flags != 0)
        return request_bad();
    for (uint32_t i = 0; e.next_extension != 0; i++) {
        uint64_t at = e.next_extension;

        if (i == LONGEST)
            return request_bad();
        if (!drm_get(&e, at, sizeof(e)))
            return -1;
        if (e.name != I915_GEM_CREATE_EXT_MEMORY_REGIONS)
            return request_bad();
        if (region(at) != 0)
            return -1;
    }
    c->handle = drm_buffer_new(c->size, NULL);
    if (c->handle == 0)
        return -1;
    c->size = drm_buffer_get(c->handle)->bytes;
    return 0;
}

static int userptr(struct drm_i915_gem_userptr *u)
{
    const uint32_t known =
        I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED | I915_USERPTR_PROBE;
    uint8_t *host = (void *)(uintptr_t)u->user_ptr;

    if ((u->flags & ~known) != 0 || ((u->user_ptr | u->user_size) & 4095) != 0 ||
        u->user_size == 0)
        return request_bad();
    if (host == NULL ||
        ((u->flags & I915_USERPTR_PROBE) != 0 && !drm_readable(host, u->user_size))) {
        errno = EFAULT;
        return -1;
    }
    u->handle = drm_buffer_new(u->user_size, host);
    return u->handle != 0 ? 0 : -1;
}

static int set_tiling(struct drm_i915_gem_set_tiling *t)
{
    struct drm_buffer *b = drm_buffer_get(t->handle);

    if (b == NULL)
        return none();
    b->tiling = t->tiling_mode;
    b->stride = t->stride;
    t->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

static int get_tiling(struct drm_i915_gem_get_tiling *t)
{
    const struct drm_buffer *b = drm_buffer_get(t->handle);

    if (b == NULL)
        return none();
    t->tiling_mode = b->tiling;
    t->swizzle_mode = t->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

/* The same number asks for an offset, and in old form for an address. */
static int mmap_offset(struct drm_i915_gem_mmap_offset *m)
{
    const struct drm_buffer *b = drm_buffer_get(m->handle);

    if (b == NULL)
        return none();
    if (b->offset == 0)
        return request_bad();
    m->offset = b->offset;
    return 0;
}

static int mmap_here(struct drm_i915_gem_mmap *m)
{
    const struct drm_buffer *b = drm_buffer_get(m->handle);

    if (b == NULL)
        return none();
    if (b->offset == 0 || m->offset > b->bytes || m->size > b->bytes - m->offset)
        return request_bad();
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

/* The render engine's clock is the only one that i915 lets read; bit 0: with all its
 * bits. */
static int reg_read(struct drm_i915_reg_read *r)
{
    enum { TIMESTAMP = 0x2358 };

    if ((r->offset & ~(uint64_t)I915_REG_READ_8B_WA) != TIMESTAMP)
        return request_bad();
    r->val = drm_time();
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
    return p->handle != 0 ? 0 : request_bad();
}

static int is_object(uint32_t handle)
{
    return drm_buffer_get(handle) != NULL ? 0 : none();
}

static int object_call(unsigned number, void *arg)
{
    switch (number) {
    case I915(GEM_CREATE):
        return create(arg);
    case I915(GEM_CREATE_EXT):
        return create_ext(arg);
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
        return is_object(((struct drm_i915_gem_busy *)arg)->handle);
    case I915(GEM_MADVISE):
        ((struct drm_i915_gem_madvise *)arg)->retained = 1;
        return is_object(((struct drm_i915_gem_madvise *)arg)->handle);
    case I915(GEM_SET_DOMAIN):
        return is_object(((struct drm_i915_gem_set_domain *)arg)->handle);
    case I915(GEM_SET_CACHING):
        return is_object(((struct drm_i915_gem_caching *)arg)->handle);
    case I915(GEM_WAIT): /* batches are done when their calls return */
        return is_object(((struct drm_i915_gem_wait *)arg)->bo_handle);
    default:
        return drm_sync_ioctl(number, arg);
    }
}

static int call(unsigned number, void *arg)
{
    switch (number) {
    case _IOC_NR(DRM_IOCTL_VERSION):
        return version(arg);
    case _IOC_NR(DRM_IOCTL_GET_CAP):
        return get_cap(arg);
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
        return buffer_close(((struct drm_gem_close *)arg)->handle) ? 0 : request_bad();
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
        return drm_context_create(arg);
    case I915(GEM_CONTEXT_GETPARAM):
        return context_getparam(arg);
    case I915(GEM_CONTEXT_SETPARAM):
        return 0;
    case I915(GEM_CONTEXT_DESTROY):
        return context_destroy(arg);
    case I915(REG_READ):
        return reg_read(arg);
    case I915(GET_RESET_STATS):
        return drm_context_stats(arg);
    case I915(PERF_OPEN):
        return drm_perf_open(arg);
    case I915(PERF_ADD_CONFIG):
        return drm_perf_add(arg);
    case I915(PERF_REMOVE_CONFIG):
        return drm_perf_remove(*(const uint64_t *)arg);
    default:
        return object_call(number, arg);
    }
}

/* The argument is copied in, and out again where the call answers in it: of the size
 * that the program's header has, the rest of a newer one being zeros. */
int drm_ioctl(unsigned long request, void *arg)
{
    enum { MOST = 256 };
    _Alignas(16) uint8_t own[MOST] = {0};
    size_t bytes = _IOC_SIZE(request) < MOST ? _IOC_SIZE(request) : MOST;
    int result, error;

    if ((_IOC_DIR(request) & _IOC_WRITE) && !drm_get(own, (uintptr_t)arg, bytes))
        return -1;
    result = call(_IOC_NR(request), own);
    error = errno;
    if ((_IOC_DIR(request) & _IOC_READ) && !drm_put((uintptr_t)arg, own, bytes))
        return -1;
    errno = error;
    return result;
}
