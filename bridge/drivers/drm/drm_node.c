/* drm_node.c - the names by which Mesa finds the device and reaches it: the C
 * library's open, stat and ioctl for one path and its descriptors, and libdrm's answers
 * to what devices there are. Everything else is passed on. */
#define _GNU_SOURCE /* openat64, stat64 */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <xf86drm.h>

enum { DRM_MAJOR_NUMBER = 226, NODE_MINOR = 128, BUS_DEVICE = 2, VENDOR = 0x8086 };

/* ---- the C library's ---------------------------------------------------- */

typedef int open_fn(const char *path, int flags, mode_t mode);
typedef int openat_fn(int folder, const char *path, int flags, mode_t mode);
typedef int stat_fn(const char *path, void *st);
typedef int fstat_fn(int fd, void *st);
typedef int ioctl_fn(int fd, unsigned long request, void *arg);

DRM_REAL(open_fn, open)
DRM_REAL(open_fn, open64)
DRM_REAL(openat_fn, openat)
DRM_REAL(openat_fn, openat64)
DRM_REAL(stat_fn, stat)
DRM_REAL(stat_fn, stat64)
DRM_REAL(fstat_fn, fstat)
DRM_REAL(fstat_fn, fstat64)
DRM_REAL(ioctl_fn, ioctl)

static bool is_node(const char *path)
{
    return path != NULL &&
           (strcmp(path, DRM_NODE) == 0 || strcmp(path, DRM_NODE_BY_PATH) == 0);
}

static mode_t mode_of(int flags, va_list args)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

#define OPEN(name)                                                                     \
    DRM_PUBLIC int name(const char *path, int flags, ...)                              \
    {                                                                                  \
        va_list args;                                                                  \
        mode_t mode;                                                                   \
        int own;                                                                       \
                                                                                       \
        va_start(args, flags);                                                         \
        mode = mode_of(flags, args);                                                   \
        va_end(args);                                                                  \
        if (is_node(path))                                                             \
            return drm_device_open();                                                  \
        own = drm_sysfs_open(path);                                                    \
        return own != -2 ? own : real_##name()(path, flags, mode);                     \
    }

#define OPENAT(name)                                                                   \
    DRM_PUBLIC int name(int folder, const char *path, int flags, ...)                  \
    {                                                                                  \
        va_list args;                                                                  \
        mode_t mode;                                                                   \
                                                                                       \
        va_start(args, flags);                                                         \
        mode = mode_of(flags, args);                                                   \
        va_end(args);                                                                  \
        return is_node(path) ? drm_device_open()                                       \
                             : real_##name()(folder, path, flags, mode);               \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

/* What fortified programs call. */
DRM_PUBLIC int __open_2(const char *path, int flags)
{
    return open(path, flags, 0);
}

DRM_PUBLIC int __open64_2(const char *path, int flags)
{
    return open64(path, flags, 0);
}

#define PRETEND(st)                                                                    \
    do {                                                                               \
        memset((st), 0, sizeof(*(st)));                                                \
        (st)->st_mode = S_IFCHR | 0666;                                                \
        (st)->st_nlink = 1;                                                            \
        (st)->st_rdev = makedev(DRM_MAJOR_NUMBER, NODE_MINOR);                         \
    } while (0)

#define STAT(name, type)                                                               \
    DRM_PUBLIC int name(const char *restrict path, struct type *restrict st)           \
    {                                                                                  \
        if (!is_node(path) && !drm_sysfs_is(path))                                     \
            return real_##name()(path, st);                                            \
        PRETEND(st);                                                                   \
        return 0;                                                                      \
    }

#define FSTAT(name, type)                                                              \
    DRM_PUBLIC int name(int fd, struct type *st)                                       \
    {                                                                                  \
        if (!drm_device_is(fd))                                                        \
            return real_##name()(fd, st);                                              \
        PRETEND(st);                                                                   \
        return 0;                                                                      \
    }

STAT(stat, stat)
STAT(stat64, stat64)
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

DRM_PUBLIC int ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    void *arg;
    int result;

    va_start(args, request);
    arg = va_arg(args, void *);
    va_end(args);
    if (_IOC_TYPE(request) == DRM_IOCTL_BASE && drm_device_is(fd))
        return drm_ioctl(request, arg);
    if (_IOC_TYPE(request) == 'i' &&
        drm_perf_ioctl(fd, request, (uintptr_t)arg, &result))
        return result;
    if ((_IOC_TYPE(request) == SYNC_IOC_MAGIC || _IOC_TYPE(request) == DMA_BUF_BASE) &&
        drm_file_ioctl(fd, request, (uintptr_t)arg, &result))
        return result;
    return real_ioctl()(fd, request, arg);
}

/* ---- libdrm's ----------------------------------------------------------- */

struct answer {
    drmDevice device;
    drmPciBusInfo bus;
    drmPciDeviceInfo pci;
    char *node[DRM_NODE_MAX];
    char primary[32], render[32];
};

static drmDevicePtr describe(void)
{
    struct answer *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return NULL;
    strcpy(a->primary, "/dev/dri/card0");
    strcpy(a->render, DRM_NODE);
    a->node[DRM_NODE_PRIMARY] = a->primary;
    a->node[DRM_NODE_RENDER] = a->render;
    a->bus.dev = BUS_DEVICE;
    a->pci.vendor_id = VENDOR;
    a->pci.device_id = (uint16_t)drm_settings()->pci;
    a->pci.revision_id = (uint8_t)drm_settings()->revision;
    a->device.nodes = a->node;
    a->device.available_nodes = 1 << DRM_NODE_RENDER;
    a->device.bustype = DRM_BUS_PCI;
    a->device.businfo.pci = &a->bus;
    a->device.deviceinfo.pci = &a->pci;
    return &a->device;
}

DRM_PUBLIC int drmGetDevices2(uint32_t flags, drmDevicePtr devices[], int max)
{
    (void)flags;
    if (devices == NULL || max < 1)
        return 1;
    devices[0] = describe();
    return devices[0] != NULL ? 1 : -ENOMEM;
}

DRM_PUBLIC int drmGetDevices(drmDevicePtr devices[], int max)
{
    return drmGetDevices2(0, devices, max);
}

DRM_PUBLIC int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *to)
{
    (void)flags;
    if (!drm_device_is(fd))
        return -ENODEV;
    *to = describe();
    return *to != NULL ? 0 : -ENOMEM;
}

DRM_PUBLIC int drmGetDevice(int fd, drmDevicePtr *to)
{
    return drmGetDevice2(fd, 0, to);
}

DRM_PUBLIC int drmGetDeviceFromDevId(dev_t number, uint32_t flags, drmDevicePtr *to)
{
    (void)flags;
    if (number != makedev(DRM_MAJOR_NUMBER, NODE_MINOR))
        return -ENODEV;
    *to = describe();
    return *to != NULL ? 0 : -ENOMEM;
}

DRM_PUBLIC void drmFreeDevice(drmDevicePtr *device)
{
    if (device == NULL)
        return;
    free(*device); /* a struct answer, which begins with it */
    *device = NULL;
}

DRM_PUBLIC void drmFreeDevices(drmDevicePtr devices[], int count)
{
    for (int i = 0; devices != NULL && i < count; i++)
        drmFreeDevice(&devices[i]);
}

DRM_PUBLIC int drmDevicesEqual(drmDevicePtr a, drmDevicePtr b)
{
    return a != NULL && b != NULL; /* there is but one */
}

DRM_PUBLIC int drmGetNodeTypeFromFd(int fd)
{
    return drm_device_is(fd) ? DRM_NODE_RENDER : -1;
}

static char *node_name(int fd)
{
    return drm_device_is(fd) ? strdup(DRM_NODE) : NULL;
}

DRM_PUBLIC char *drmGetDeviceNameFromFd2(int fd)
{
    return node_name(fd);
}

DRM_PUBLIC char *drmGetRenderDeviceNameFromFd(int fd)
{
    return node_name(fd);
}
