/* drm_prime.c - GEM objects as file descriptors. Such a descriptor is a file of the
 * object's size that has nothing but a note of which object is meant: processes of a
 * program do not share objects, and nobody maps it. */
#define _GNU_SOURCE /* memfd_create */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct note {
    char magic[16];
    uint32_t handle, id;
};

static const char magic[16] = "igpu gem object";

int drm_prime_export(uint32_t handle)
{
    const struct drm_buffer *b = drm_buffer_get(handle);
    struct note note = {.handle = handle};
    int fd;

    if (b == NULL) {
        errno = ENOENT;
        return -1;
    }
    note.id = b->id;
    memcpy(note.magic, magic, sizeof(magic));
    fd = memfd_create("igpu-object", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)b->bytes) == 0 &&
        pwrite(fd, &note, sizeof(note), 0) == sizeof(note))
        return fd;
    (void)close(fd);
    errno = ENOMEM;
    return -1;
}

uint32_t drm_prime_import(int fd)
{
    const struct drm_buffer *b;
    struct note note;

    if (pread(fd, &note, sizeof(note), 0) != sizeof(note) ||
        memcmp(note.magic, magic, sizeof(magic)) != 0)
        return 0;
    b = drm_buffer_get(note.handle);
    return b != NULL && b->id == note.id ? note.handle : 0;
}
