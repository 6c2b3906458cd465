/* drm_sysfs.c - the files beside the render node that drivers look for: the list of
 * render nodes by their place on the bus, the GPU's clocks, and with simulated time
 * metric sets and leave to read their counters. What the host has there is another
 * GPU's. */
#define _GNU_SOURCE /* memfd_create, fopen64, struct dirent64 */
#include "bridge/drivers/drm/drm.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BY_PATH "/dev/dri/by-path"
#define BUS_FOLDER "/sys/bus/pci/devices/0000:00:02.0/drm"
#define NODE_FOLDER "/sys/dev/char/226:128/device/drm"
#define CARD "/card0/"
#define PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"

/* A folder of one entry. What the C library has in front of a DIR is a descriptor:
 * dirfd() of this one is none. */
struct folder {
    int fd;
    bool read;
    struct dirent entry;
    struct dirent64 entry64;
};

static struct folder *opened[16];
enum { FOLDERS = sizeof(opened) / sizeof(opened[0]) };

typedef DIR *opendir_fn(const char *path);
typedef struct dirent *readdir_fn(DIR *dir);
typedef struct dirent64 *readdir64_fn(DIR *dir);
typedef int closedir_fn(DIR *dir);
typedef FILE *fopen_fn(const char *path, const char *mode);

DRM_REAL(opendir_fn, opendir)
DRM_REAL(readdir_fn, readdir)
DRM_REAL(readdir64_fn, readdir64)
DRM_REAL(closedir_fn, closedir)
DRM_REAL(fopen_fn, fopen)
DRM_REAL(fopen_fn, fopen64)

/* ---- folders ------------------------------------------------------------ */

/* The entry that the folder has; NULL: it is none of ours. */
static const char *entry_of(const char *path)
{
    if (path == NULL)
        return NULL;
    if (strcmp(path, BY_PATH) == 0)
        return strrchr(DRM_NODE_BY_PATH, '/') + 1;
    return strcmp(path, BUS_FOLDER) == 0 || strcmp(path, NODE_FOLDER) == 0 ? "card0"
                                                                           : NULL;
}

/* Where *dir is among the opened; NULL: it is the C library's. */
static struct folder **folder_find(const DIR *dir)
{
    for (size_t i = 0; i < FOLDERS; i++)
        if (opened[i] != NULL && (const DIR *)(const void *)opened[i] == dir)
            return &opened[i];
    return NULL;
}

DRM_PUBLIC DIR *opendir(const char *path)
{
    const char *name = entry_of(path);
    struct folder *f, *none;

    if (name == NULL)
        return real_opendir()(path);
    f = calloc(1, sizeof(*f));
    if (f == NULL)
        return NULL;
    f->fd = -1;
    f->entry.d_ino = f->entry64.d_ino = 1;
    f->entry.d_type = f->entry64.d_type =
        strcmp(path, BY_PATH) == 0 ? DT_UNKNOWN : DT_DIR;
    (void)snprintf(f->entry.d_name, sizeof(f->entry.d_name), "%s", name);
    (void)snprintf(f->entry64.d_name, sizeof(f->entry64.d_name), "%s", name);
    for (size_t i = 0; i < FOLDERS; i++) {
        none = NULL;
        if (__atomic_compare_exchange_n(&opened[i], &none, f, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return (DIR *)(void *)f;
    }
    free(f);
    errno = EMFILE;
    return NULL;
}

static bool folder_next(struct folder *f)
{
    bool first = !f->read;

    f->read = true;
    return first;
}

DRM_PUBLIC struct dirent *readdir(DIR *dir)
{
    struct folder **f = folder_find(dir);

    if (f == NULL)
        return real_readdir()(dir);
    return folder_next(*f) ? &(*f)->entry : NULL;
}

DRM_PUBLIC struct dirent64 *readdir64(DIR *dir)
{
    struct folder **f = folder_find(dir);

    if (f == NULL)
        return real_readdir64()(dir);
    return folder_next(*f) ? &(*f)->entry64 : NULL;
}

DRM_PUBLIC int closedir(DIR *dir)
{
    struct folder **f = folder_find(dir);

    if (f == NULL)
        return real_closedir()(dir);
    free(__atomic_exchange_n(f, NULL, __ATOMIC_SEQ_CST));
    return 0;
}

/* ---- files of a number -------------------------------------------------- */

/* metrics/UUID/id: the number of a set. */
static bool number_of_set(const char *name, uint32_t *value)
{
    enum { UUID = 36 };

    *value = 0;
    if (drm_perf_there() && strlen(name) == UUID + strlen("/id") &&
        strcmp(name + UUID, "/id") == 0)
        *value = drm_perf_number(name);
    return *value != 0;
}

/* Is it the number of a file that is there? */
static bool value_of(const char *path, uint32_t *value)
{
    const char *name = NULL;

    *value = 0;
    if (strcmp(path, PARANOID) == 0)
        return drm_perf_there();
    if (strncmp(path, BUS_FOLDER CARD, strlen(BUS_FOLDER CARD)) == 0)
        name = path + strlen(BUS_FOLDER CARD);
    else if (strncmp(path, NODE_FOLDER CARD, strlen(NODE_FOLDER CARD)) == 0)
        name = path + strlen(NODE_FOLDER CARD);
    if (name == NULL)
        return false;
    *value = drm_settings()->mhz;
    return strcmp(name, "gt_max_freq_mhz") == 0 ||
           strcmp(name, "gt_min_freq_mhz") == 0 ||
           (strncmp(name, "metrics/", 8) == 0 && number_of_set(name + 8, value));
}

/* With a descriptor: C++'s streams read by that. -1: there is none. */
static int number_file(uint32_t value)
{
    int fd = memfd_create("number", MFD_CLOEXEC);

    if (fd < 0)
        return -1;
    if (dprintf(fd, "%u\n", (unsigned)value) < 0 || lseek(fd, 0, SEEK_SET) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

bool drm_sysfs_is(const char *path)
{
    uint32_t value;

    return path != NULL && value_of(path, &value);
}

int drm_sysfs_open(const char *path)
{
    uint32_t value;

    if (path == NULL || (strncmp(path, "/sys/", 5) != 0 && strcmp(path, PARANOID) != 0))
        return -2;
    if (value_of(path, &value))
        return number_file(value);
    if (strncmp(path, NODE_FOLDER, strlen(NODE_FOLDER)) != 0)
        return -2;
    errno = ENOENT;
    return -1;
}

static FILE *stream_of(const char *path, const char *mode, fopen_fn *real)
{
    int fd = drm_sysfs_open(path);
    FILE *file;

    if (fd == -2)
        return real(path, mode);
    file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL && fd >= 0)
        (void)close(fd);
    return file;
}

DRM_PUBLIC FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return stream_of(path, mode, real_fopen());
}

DRM_PUBLIC FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return stream_of(path, mode, real_fopen64());
}
