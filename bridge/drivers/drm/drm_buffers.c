/* drm_buffers.c - the device's file and the GEM objects in it. */
#define _GNU_SOURCE /* memfd_create, MADV_REMOVE, SEEK_DATA */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/frame/frame.h"

enum { MAX_BUFFERS = 65536, PAGE = 4096, FIRST_FD = 16 };
/* A frame file's buffers have no more. */
#define MOST_BYTES ((uint64_t)FRAME_MAX_BUFFER_PAGES * PAGE)
/* Less is not worth a GPU. */
#define LEAST_DEVICE_BYTES ((uint64_t)64 << 20)
/* Ranges are not used again: of addresses there are enough. */
#define DEVICE_BYTES ((uint64_t)1 << 38)

static struct {
    pthread_mutex_t lock;
    int fd;
    dev_t dev;
    ino_t ino;
    uint8_t *base;
    uint64_t bytes, top; /* of the file; what is taken of it */
    uint32_t handles, next_id;
    struct drm_buffer buffer[MAX_BUFFERS];
} device = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, .top = PAGE, .next_id = 1};

typedef int fstat_fn(int fd, struct stat *st);

static int real_fstat(int fd, struct stat *st)
{
    static fstat_fn *real;
    void *address;

    if (real == NULL) {
        address = drm_real("fstat");
        memcpy(&real, &address, sizeof(real));
    }
    return real(fd, st);
}

/* As large as files may be (ulimit -f), of which it is one. 0: too small, and errno. */
static uint64_t device_bytes(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= DEVICE_BYTES)
        return DEVICE_BYTES;
    if (limit.rlim_cur >= LEAST_DEVICE_BYTES) {
        drm_say("the GPU has %u MB of memory, the limit of files' sizes (ulimit -f)",
                (unsigned)(limit.rlim_cur >> 20));
        return limit.rlim_cur / PAGE * PAGE;
    }
    drm_say(
        "files may have %u KB (ulimit -f), of which a GPU's memory is one: at least "
        "65536 are needed",
        (unsigned)(limit.rlim_cur >> 10));
    errno = EFBIG;
    return 0;
}

/* With the lock held. False: errno says why. */
static bool make_device(void)
{
    struct stat st;
    void *base;

    if (device.fd >= 0)
        return true;
    device.bytes = device_bytes();
    if (device.bytes == 0)
        return false;
    device.fd = memfd_create("igpu", MFD_CLOEXEC);
    if (device.fd < 0)
        return false;
    base = ftruncate(device.fd, (off_t)device.bytes) == 0
               ? mmap(NULL, device.bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, device.fd, 0)
               : MAP_FAILED;
    if (base == MAP_FAILED || real_fstat(device.fd, &st) != 0) {
        drm_say("no memory for a GPU: %s", strerror(errno));
        (void)close(device.fd);
        device.fd = -1;
        return false;
    }
    device.base = base;
    device.dev = st.st_dev;
    device.ino = st.st_ino;
    return true;
}

int drm_device_open(void)
{
    int fd = -1;

    (void)pthread_mutex_lock(&device.lock);
    if (make_device())
        fd = fcntl(device.fd, F_DUPFD_CLOEXEC, FIRST_FD);
    (void)pthread_mutex_unlock(&device.lock);
    return fd;
}

bool drm_device_is(int fd)
{
    struct stat st;

    return device.fd >= 0 && fd >= 0 && real_fstat(fd, &st) == 0 &&
           st.st_dev == device.dev && st.st_ino == device.ino;
}

/* With the lock held: a handle that is free, 0 when there is none. */
static uint32_t free_handle(void)
{
    if (device.handles + 1 < MAX_BUFFERS)
        return ++device.handles;
    for (uint32_t i = 1; i < MAX_BUFFERS; i++)
        if (device.buffer[i].id == 0)
            return i;
    return 0;
}

uint32_t drm_buffer_new(uint64_t bytes, void *user)
{
    uint64_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    uint32_t handle = 0;

    if (bytes == 0 || whole < bytes || whole > MOST_BYTES) {
        errno = bytes == 0 ? EINVAL : E2BIG;
        return 0;
    }
    (void)pthread_mutex_lock(&device.lock);
    if (user != NULL ||
        (device.top < device.bytes && whole <= device.bytes - device.top))
        handle = free_handle();
    errno = ENOMEM;
    if (handle != 0) {
        struct drm_buffer *b = &device.buffer[handle];

        *b = (struct drm_buffer){.id = device.next_id++, .bytes = whole, .host = user};
        if (user == NULL) {
            b->offset = device.top;
            b->host = device.base + device.top;
            device.top += whole;
        }
    }
    (void)pthread_mutex_unlock(&device.lock);
    return handle;
}

struct drm_buffer *drm_buffer_get(uint32_t handle)
{
    if (handle == 0 || handle >= MAX_BUFFERS || device.buffer[handle].id == 0)
        return NULL;
    return &device.buffer[handle];
}

bool drm_buffer_take(uint32_t handle, struct drm_buffer *gone)
{
    uint32_t index = handle < MAX_BUFFERS ? handle : 0;

    (void)pthread_mutex_lock(&device.lock);
    *gone = device.buffer[index];
    device.buffer[index] = (struct drm_buffer){.id = 0};
    (void)pthread_mutex_unlock(&device.lock);
    return gone->id != 0;
}

void drm_buffer_release(const struct drm_buffer *gone)
{
    if (gone->offset != 0)
        (void)madvise(gone->host, gone->bytes, MADV_REMOVE);
}

static bool in_file(const uint8_t *host)
{
    return host >= device.base && host < device.base + device.bytes;
}

bool drm_buffer_there(const uint8_t *host, uint64_t bytes)
{
    return in_file(host) || drm_readable(host, bytes);
}

uint64_t drm_buffer_data(const uint8_t *host, uint64_t from, uint64_t end)
{
    off_t at, in;

    if (!in_file(host))
        return from; /* the program's own memory */
    in = host - device.base;
    at = lseek(device.fd, in + (off_t)from, SEEK_DATA);
    if (at < 0)
        return errno == ENXIO ? end : from;
    return (uint64_t)(at - in) < end ? (uint64_t)(at - in) : end;
}
