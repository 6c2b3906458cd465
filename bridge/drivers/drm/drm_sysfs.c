/* drm_sysfs.c - the files beside the render node that Intel's compute driver looks for:
 * the list of render nodes by their place on the bus, and the GPU's highest clock. What
 * the host has there is another GPU's. */
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
#define CLOCK_FILE BUS_FOLDER "/card0/gt_max_freq_mhz"

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
    return strcmp(path, BUS_FOLDER) == 0 ? "card0" : NULL;
}

/* Where *dir is among the opened; NULL: it is the C library's. */
static struct folder **find(const DIR *dir)
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
    f->entry.d_type = f->entry64.d_type = DT_UNKNOWN;
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

static bool next(struct folder *f)
{
    bool first = !f->read;

    f->read = true;
    return first;
}

DRM_PUBLIC struct dirent *readdir(DIR *dir)
{
    struct folder **f = find(dir);

    if (f == NULL)
        return real_readdir()(dir);
    return next(*f) ? &(*f)->entry : NULL;
}

DRM_PUBLIC struct dirent64 *readdir64(DIR *dir)
{
    struct folder **f = find(dir);

    if (f == NULL)
        return real_readdir64()(dir);
    return next(*f) ? &(*f)->entry64 : NULL;
}

DRM_PUBLIC int closedir(DIR *dir)
{
    struct folder **f = find(dir);

    if (f == NULL)
        return real_closedir()(dir);
    free(__atomic_exchange_n(f, NULL, __ATOMIC_SEQ_CST));
    return 0;
}

/* ---- the clock ---------------------------------------------------------- */

/* A file with a descriptor: C++'s streams read by that. */
static FILE *clock_file(void)
{
    int fd = memfd_create("gt_max_freq_mhz", MFD_CLOEXEC);

    if (fd < 0)
        return NULL;
    if (dprintf(fd, "%u\n", (unsigned)drm_settings()->mhz) < 0 ||
        lseek(fd, 0, SEEK_SET) != 0) {
        (void)close(fd);
        return NULL;
    }
    return fdopen(fd, "r");
}

DRM_PUBLIC FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return path != NULL && strcmp(path, CLOCK_FILE) == 0 ? clock_file()
                                                         : real_fopen()(path, mode);
}

DRM_PUBLIC FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return path != NULL && strcmp(path, CLOCK_FILE) == 0 ? clock_file()
                                                         : real_fopen64()(path, mode);
}
