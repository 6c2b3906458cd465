/* drm_perf.c - i915-perf: metric sets by their numbers, and the one stream that a
 * program may have open. Its file is one end of a pair of sockets, in which a byte lies
 * while reports wait; read() of it is answered here, in whole records. */
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "igpu/oa_unit.h"

enum { MOST_REPORTS = 65536, MOST_BYTES = 256, FIRST_NUMBER = 1 };

/* What a program reads: a header, and a report unless some were lost. */
struct record {
    struct drm_i915_perf_record_header header;
    uint8_t report[MOST_BYTES];
};

static struct {
    pthread_mutex_t lock;
    atomic_bool opened; /* ever: read() has something to look for */
    struct drm_perf asked;
    int own;      /* this library's end; -1: there is no stream */
    dev_t device; /* of the program's end: */
    ino_t number;
    struct record *queue; /* a ring of MOST_REPORTS */
    uint32_t first, count;
} stream = {.lock = PTHREAD_MUTEX_INITIALIZER, .own = -1};

typedef ssize_t read_fn(int fd, void *to, size_t bytes);

DRM_REAL(read_fn, read)

static int fails(int error)
{
    errno = error;
    return -1;
}

/* ---- sets --------------------------------------------------------------- */

/* HD Graphics 530, whose sets csim/oa has. */
bool drm_perf_there(void)
{
    return drm_settings()->time && drm_settings()->slices == 1;
}

uint32_t drm_perf_number(const char *uuid)
{
    uint32_t count;
    const struct oa_set *set = oa_sets(&count);

    for (uint32_t i = 0; i < count; i++)
        if (strncmp(set[i].uuid, uuid, strlen(set[i].uuid)) == 0)
            return FIRST_NUMBER + i;
    return 0;
}

static const struct oa_set *set_of(uint64_t number)
{
    uint32_t count;
    const struct oa_set *set = oa_sets(&count);

    return number >= FIRST_NUMBER && number - FIRST_NUMBER < count
               ? &set[number - FIRST_NUMBER]
               : NULL;
}

/* All sets are there from the beginning; what the registers of another one would count
 * is not known. */
int drm_perf_add(const struct drm_i915_perf_oa_config *c)
{
    char uuid[sizeof(c->uuid) + 1] = {0};

    if (!drm_perf_there())
        return fails(ENODEV);
    memcpy(uuid, c->uuid, sizeof(c->uuid));
    return fails(drm_perf_number(uuid) != 0 ? EADDRINUSE : EINVAL);
}

int drm_perf_remove(uint64_t number)
{
    if (!drm_perf_there())
        return fails(ENODEV);
    return fails(set_of(number) != NULL ? EACCES : ENOENT);
}

/* ---- what waits to be read ---------------------------------------------- */

/* With the lock held, as all here. */
static void push(uint32_t kind, const uint8_t *report, uint32_t bytes)
{
    struct record *r = &stream.queue[(stream.first + stream.count) % MOST_REPORTS];
    ssize_t done = 1;

    r->header = (struct drm_i915_perf_record_header){
        .type = kind, .size = (uint16_t)(sizeof(r->header) + bytes)};
    if (bytes > 0)
        memcpy(r->report, report, bytes);
    if (stream.count++ == 0)
        done = send(stream.own, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)done;
}

static void drop_all(int fd)
{
    char byte;

    stream.count = 0;
    while (recv(fd, &byte, 1, MSG_DONTWAIT) > 0)
        ;
}

static void end_stream(void)
{
    (void)close(stream.own);
    free(stream.queue);
    stream.own = -1;
    stream.queue = NULL;
    stream.first = stream.count = 0;
    stream.asked = (struct drm_perf){.set = NULL};
}

/* Did the program close its end? */
static bool is_open(void)
{
    struct pollfd p = {.fd = stream.own};

    if (stream.own < 0)
        return false;
    if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR))) {
        end_stream();
        return false;
    }
    return true;
}

static bool is_stream(int fd)
{
    struct stat st;

    return stream.own >= 0 && fstat(fd, &st) == 0 && st.st_dev == stream.device &&
           st.st_ino == stream.number;
}

struct drm_perf drm_perf_asked(void)
{
    struct drm_perf now = {.set = NULL};

    if (!atomic_load(&stream.opened))
        return now;
    (void)pthread_mutex_lock(&stream.lock);
    if (is_open())
        now = stream.asked;
    (void)pthread_mutex_unlock(&stream.lock);
    return now;
}

void drm_perf_report(const struct oa_counters *counters)
{
    uint8_t report[MOST_BYTES];
    enum oa_format format;

    (void)pthread_mutex_lock(&stream.lock);
    if (is_open() && stream.asked.on) {
        format = (enum oa_format)stream.asked.format;
        oa_report_write(format, counters, report);
        if (stream.count >= MOST_REPORTS - 1) {
            stream.count = 1; /* its byte stays */
            stream.queue[stream.first].header = (struct drm_i915_perf_record_header){
                .type = DRM_I915_PERF_RECORD_OA_BUFFER_LOST,
                .size = sizeof(struct drm_i915_perf_record_header)};
        }
        push(DRM_I915_PERF_RECORD_SAMPLE, report, oa_report_bytes(format));
    }
    (void)pthread_mutex_unlock(&stream.lock);
}

void drm_perf_lost(void)
{
    (void)pthread_mutex_lock(&stream.lock);
    if (is_open() && stream.count < MOST_REPORTS)
        push(DRM_I915_PERF_RECORD_OA_BUFFER_LOST, NULL, 0);
    (void)pthread_mutex_unlock(&stream.lock);
}

/* ---- reading ------------------------------------------------------------ */

/* As many whole records as there is room for; *wait: there are none. */
static ssize_t perf_take(int fd, uint8_t *to, size_t bytes, bool *wait)
{
    size_t done = 0;

    *wait = stream.count == 0;
    while (stream.count > 0) {
        const struct record *r = &stream.queue[stream.first];

        if (r->header.size > bytes - done)
            break;
        if (!drm_put((uintptr_t)to + done, r, r->header.size))
            return -1;
        done += r->header.size;
        stream.first = (stream.first + 1) % MOST_REPORTS;
        stream.count--;
    }
    if (stream.count == 0)
        drop_all(fd);
    if (done == 0 && !*wait)
        return fails(ENOSPC);
    return (ssize_t)done;
}

static ssize_t read_records(int fd, void *to, size_t bytes)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    bool wait = true;
    ssize_t done;

    for (;;) {
        (void)pthread_mutex_lock(&stream.lock);
        done = stream.asked.on ? perf_take(fd, to, bytes, &wait) : fails(EIO);
        (void)pthread_mutex_unlock(&stream.lock);
        if (done != 0 || !wait)
            return done;
        if (fcntl(fd, F_GETFL) & O_NONBLOCK)
            return fails(EAGAIN);
        if (poll(&p, 1, -1) < 0)
            return -1;
    }
}

static bool is_ours(int fd)
{
    bool ours = false;

    if (atomic_load(&stream.opened)) {
        (void)pthread_mutex_lock(&stream.lock);
        ours = is_stream(fd);
        (void)pthread_mutex_unlock(&stream.lock);
    }
    return ours;
}

DRM_PUBLIC ssize_t read(int fd, void *to, size_t bytes)
{
    return is_ours(fd) ? read_records(fd, to, bytes) : real_read()(fd, to, bytes);
}

ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);

/* What fortified programs call. */
DRM_PUBLIC ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    if (bytes > room)
        abort();
    return read(fd, to, bytes);
}

/* read() may be called by a handler of a signal, which must not look for it. */
static void __attribute__((constructor)) find_read(void)
{
    (void)real_read();
}

/* ---- opening ------------------------------------------------------------ */

static int property(struct drm_perf *p, uint64_t id, uint64_t value, bool *samples)
{
    enum { SHORTEST_POLL_NS = 100000 };

    switch (id) {
    case DRM_I915_PERF_PROP_CTX_HANDLE:
        p->alone = true;
        p->context = (uint32_t)value;
        return value <= UINT32_MAX && drm_context_is(p->context) ? 0 : ENOENT;
    case DRM_I915_PERF_PROP_SAMPLE_OA:
        *samples = value != 0;
        return 0;
    case DRM_I915_PERF_PROP_OA_METRICS_SET:
        p->set = set_of(value);
        return p->set != NULL ? 0 : EINVAL;
    case DRM_I915_PERF_PROP_OA_FORMAT:
        p->format = (uint32_t)value;
        return value >= OA_C4_B8 && value <= OA_A32U40_A4U32_B8_C8 ? 0 : EINVAL;
    case DRM_I915_PERF_PROP_OA_EXPONENT:
        p->timer = true;
        p->exponent = (uint32_t)value;
        return value < OA_EXPONENTS ? 0 : EINVAL;
    case DRM_I915_PERF_PROP_HOLD_PREEMPTION: /* there is none; all EUs are on */
    case DRM_I915_PERF_PROP_GLOBAL_SSEU:
        return 0;
    case DRM_I915_PERF_PROP_POLL_OA_PERIOD: /* what is counted is there at once */
        return value >= SHORTEST_POLL_NS ? 0 : EINVAL;
    default:
        return EINVAL;
    }
}

static int properties(const struct drm_i915_perf_open_param *o, struct drm_perf *p)
{
    uint64_t pair[2];
    bool samples = false;
    int error = 0;

    if (o->num_properties == 0 || o->num_properties >= DRM_I915_PERF_PROP_MAX)
        return EINVAL;
    for (uint32_t i = 0; i < o->num_properties && error == 0; i++)
        error = drm_get(pair, o->properties_ptr + i * sizeof(pair), sizeof(pair))
                    ? property(p, pair[0], pair[1], &samples)
                    : EFAULT;
    if (error == 0 && (!samples || p->set == NULL || p->format == 0))
        error = EINVAL;
    return error;
}

/* With the lock held: the program's end. */
static int new_stream(const struct drm_perf *p, uint32_t flags)
{
    struct stat st;
    int pair[2];

    stream.queue = calloc(MOST_REPORTS, sizeof(*stream.queue));
    if (stream.queue == NULL)
        return fails(ENOMEM);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        free(stream.queue);
        return -1;
    }
    if (!(flags & I915_PERF_FLAG_FD_CLOEXEC))
        (void)fcntl(pair[1], F_SETFD, 0);
    if (flags & I915_PERF_FLAG_FD_NONBLOCK)
        (void)fcntl(pair[1], F_SETFL, O_NONBLOCK);
    (void)fstat(pair[1], &st);
    stream.own = pair[0];
    stream.device = st.st_dev;
    stream.number = st.st_ino;
    stream.first = stream.count = 0;
    stream.asked = *p;
    stream.asked.on = !(flags & I915_PERF_FLAG_DISABLED);
    atomic_store(&stream.opened, true);
    return pair[1];
}

int drm_perf_open(const struct drm_i915_perf_open_param *o)
{
    const uint32_t known = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK |
                           I915_PERF_FLAG_DISABLED;
    struct drm_perf p = {.set = NULL};
    int fd, error;

    if (!drm_perf_there())
        return fails(ENODEV);
    error = (o->flags & ~known) != 0 ? EINVAL : properties(o, &p);
    if (error != 0)
        return fails(error);
    (void)pthread_mutex_lock(&stream.lock);
    fd = is_open() ? fails(EBUSY) : new_stream(&p, o->flags);
    (void)pthread_mutex_unlock(&stream.lock);
    return fd;
}

/* Another set from now on; the number of the one before is returned. */
static int choose(uint64_t number)
{
    const struct oa_set *set = set_of(number);
    uint32_t before = drm_perf_number(stream.asked.set->uuid);

    if (set == NULL)
        return fails(EINVAL);
    stream.asked.set = set;
    return (int)before;
}

bool drm_perf_ioctl(int fd, unsigned long request, uint64_t arg, int *result)
{
    bool ours;

    if (!atomic_load(&stream.opened))
        return false;
    (void)pthread_mutex_lock(&stream.lock);
    ours = is_stream(fd);
    *result = 0;
    if (ours && request == I915_PERF_IOCTL_CONFIG)
        *result = choose(arg);
    else if (ours && request == I915_PERF_IOCTL_DISABLE)
        stream.asked.on = false;
    else if (ours && request == I915_PERF_IOCTL_ENABLE && !stream.asked.on)
        stream.asked.on = true;
    else if (ours && request != I915_PERF_IOCTL_ENABLE)
        *result = fails(EINVAL);
    if (ours && *result == 0 && request == I915_PERF_IOCTL_DISABLE)
        drop_all(fd); /* as i915: a stream begins anew when it is enabled */
    (void)pthread_mutex_unlock(&stream.lock);
    return ours;
}
