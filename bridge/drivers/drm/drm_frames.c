/* drm_frames.c - where a frame ends: the calls by which programs show a picture. Each
 * is passed on first, since that brings the last batch of the frame. And those by which
 * they wait for what the X server drew. */
#include "bridge/drivers/drm/drm.h"

#include <string.h>

#include "bridge/drivers/drm/x11.h"

typedef void any_fn(void);
typedef unsigned egl_swap_fn(void *display, void *surface);
typedef unsigned egl_damage_fn(void *display, void *surface, int *rects, int count);
typedef void glx_swap_fn(void *display, unsigned long drawable);
typedef int64_t glx_timed_swap_fn(void *display, unsigned long drawable,
                                  int64_t target_msc, int64_t divisor,
                                  int64_t remainder);
typedef void glx_bind_fn(void *display, unsigned long drawable, int buffer,
                         const int *attributes);
typedef void glx_wait_fn(void);
typedef int vk_present_fn(void *queue, const void *info);
typedef any_fn *egl_lookup_fn(const char *name);
typedef any_fn *glx_lookup_fn(const unsigned char *name);
typedef any_fn *vk_lookup_fn(void *object, const char *name);

unsigned eglSwapBuffers(void *display, void *surface);
unsigned eglSwapBuffersWithDamageKHR(void *display, void *surface, int *rects,
                                     int count);
unsigned eglSwapBuffersWithDamageEXT(void *display, void *surface, int *rects,
                                     int count);
void glXSwapBuffers(void *display, unsigned long drawable);
int64_t glXSwapBuffersMscOML(void *display, unsigned long drawable, int64_t target_msc,
                             int64_t divisor, int64_t remainder);
void glXBindTexImageEXT(void *display, unsigned long drawable, int buffer,
                        const int *attributes);
void glXWaitX(void);
int vkQueuePresentKHR(void *queue, const void *info);
any_fn *eglGetProcAddress(const char *name);
any_fn *glXGetProcAddress(const unsigned char *name);
any_fn *glXGetProcAddressARB(const unsigned char *name);
any_fn *vkGetDeviceProcAddr(void *device, const char *name);
any_fn *vkGetInstanceProcAddr(void *instance, const char *name);

/* X(name, its type): what is passed on to is what the program last got, else the next
 * of that name. */
#define HOOKS(X)                                                                       \
    X(eglSwapBuffers, egl_swap_fn)                                                     \
    X(eglSwapBuffersWithDamageKHR, egl_damage_fn)                                      \
    X(eglSwapBuffersWithDamageEXT, egl_damage_fn)                                      \
    X(glXSwapBuffers, glx_swap_fn)                                                     \
    X(glXSwapBuffersMscOML, glx_timed_swap_fn)                                         \
    X(glXBindTexImageEXT, glx_bind_fn)                                                 \
    X(glXWaitX, glx_wait_fn)                                                           \
    X(vkQueuePresentKHR, vk_present_fn)                                                \
    X(eglGetProcAddress, egl_lookup_fn)                                                \
    X(glXGetProcAddress, glx_lookup_fn)                                                \
    X(glXGetProcAddressARB, glx_lookup_fn)                                             \
    X(vkGetDeviceProcAddr, vk_lookup_fn)                                               \
    X(vkGetInstanceProcAddr, vk_lookup_fn)

#define HOOK_ENUM(name, type) HOOK_##name,
enum hook { HOOKS(HOOK_ENUM) HOOK_COUNT };
#undef HOOK_ENUM

static const char *const names[HOOK_COUNT] = {
#define HOOK_NAME(name, type) #name,
    HOOKS(HOOK_NAME)
#undef HOOK_NAME
};

static void *behind[HOOK_COUNT];

static void *ours(enum hook hook)
{
    void *address = NULL;

    switch (hook) {
#define HOOK_OURS(name, type)                                                          \
    case HOOK_##name: {                                                                \
        type *fn = name;                                                               \
                                                                                       \
        memcpy(&address, &fn, sizeof(address));                                        \
        break;                                                                         \
    }
        HOOKS(HOOK_OURS)
#undef HOOK_OURS
    default:
        break;
    }
    return address;
}

void *drm_frames_hook(const char *name, void *real)
{
    for (unsigned i = 0; i < HOOK_COUNT; i++) {
        void *own;

        if (strcmp(name, names[i]) != 0)
            continue;
        own = ours((enum hook)i);
        if (real != own)
            behind[i] = real;
        return own;
    }
    return real;
}

static void hook_next(enum hook hook, void *fn)
{
    if (behind[hook] == NULL)
        behind[hook] = drm_real(names[hook]);
    memcpy(fn, &behind[hook], sizeof(behind[hook]));
}

/* What a lookup found, or ours instead. */
static any_fn *replaced(const char *name, any_fn *found)
{
    void *address;

    memcpy(&address, &found, sizeof(address));
    if (address != NULL)
        address = drm_frames_hook(name, address);
    memcpy(&found, &address, sizeof(found));
    return found;
}

/* On some platforms a swap leaves the batch open: glFlush() of the program's GL, which
 * the swap stands for anyway, closes it. */
static void flush_egl(void)
{
    egl_lookup_fn *lookup;
    any_fn *flush;

    hook_next(HOOK_eglGetProcAddress, &lookup);
    flush = lookup != NULL ? lookup("glFlush") : NULL;
    if (flush != NULL)
        flush();
}

DRM_PUBLIC unsigned eglSwapBuffers(void *display, void *surface)
{
    egl_swap_fn *real;
    unsigned result;

    hook_next(HOOK_eglSwapBuffers, &real);
    flush_egl();
    result = real(display, surface);
    drm_end_frame();
    return result;
}

static unsigned swap_damage(enum hook hook, void *display, void *surface, int *rects,
                            int count)
{
    egl_damage_fn *real;
    unsigned result;

    hook_next(hook, &real);
    flush_egl();
    result = real(display, surface, rects, count);
    drm_end_frame();
    return result;
}

DRM_PUBLIC unsigned eglSwapBuffersWithDamageKHR(void *display, void *surface,
                                                int *rects, int count)
{
    return swap_damage(HOOK_eglSwapBuffersWithDamageKHR, display, surface, rects,
                       count);
}

DRM_PUBLIC unsigned eglSwapBuffersWithDamageEXT(void *display, void *surface,
                                                int *rects, int count)
{
    return swap_damage(HOOK_eglSwapBuffersWithDamageEXT, display, surface, rects,
                       count);
}

DRM_PUBLIC void glXSwapBuffers(void *display, unsigned long drawable)
{
    glx_swap_fn *real;

    hook_next(HOOK_glXSwapBuffers, &real);
    real(display, drawable);
    drm_end_frame();
}

DRM_PUBLIC int64_t glXSwapBuffersMscOML(void *display, unsigned long drawable,
                                        int64_t target_msc, int64_t divisor,
                                        int64_t remainder)
{
    glx_timed_swap_fn *real;
    int64_t result;

    hook_next(HOOK_glXSwapBuffersMscOML, &real);
    result = real(display, drawable, target_msc, divisor, remainder);
    drm_end_frame();
    return result;
}

DRM_PUBLIC void glXBindTexImageEXT(void *display, unsigned long drawable, int buffer,
                                   const int *attributes)
{
    glx_bind_fn *real;

    hook_next(HOOK_glXBindTexImageEXT, &real);
    x11_refresh();
    real(display, drawable, buffer, attributes);
}

DRM_PUBLIC void glXWaitX(void)
{
    glx_wait_fn *real;

    hook_next(HOOK_glXWaitX, &real);
    x11_refresh();
    real();
}

DRM_PUBLIC int vkQueuePresentKHR(void *queue, const void *info)
{
    vk_present_fn *real;
    int result;

    hook_next(HOOK_vkQueuePresentKHR, &real);
    result = real(queue, info);
    drm_end_frame();
    return result;
}

DRM_PUBLIC any_fn *eglGetProcAddress(const char *name)
{
    egl_lookup_fn *real;

    hook_next(HOOK_eglGetProcAddress, &real);
    return replaced(name, real(name));
}

DRM_PUBLIC any_fn *glXGetProcAddress(const unsigned char *name)
{
    glx_lookup_fn *real;

    hook_next(HOOK_glXGetProcAddress, &real);
    return replaced((const char *)name, real(name));
}

DRM_PUBLIC any_fn *glXGetProcAddressARB(const unsigned char *name)
{
    glx_lookup_fn *real;

    hook_next(HOOK_glXGetProcAddressARB, &real);
    return replaced((const char *)name, real(name));
}

DRM_PUBLIC any_fn *vkGetDeviceProcAddr(void *device, const char *name)
{
    vk_lookup_fn *real;

    hook_next(HOOK_vkGetDeviceProcAddr, &real);
    return replaced(name, real(device, name));
}

DRM_PUBLIC any_fn *vkGetInstanceProcAddr(void *instance, const char *name)
{
    vk_lookup_fn *real;

    hook_next(HOOK_vkGetInstanceProcAddr, &real);
    return replaced(name, real(instance, name));
}
