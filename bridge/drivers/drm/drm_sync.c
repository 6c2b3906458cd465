/* drm_sync.c - synchronization objects and files of fences. A batch is executed while
 * its call lasts, so a fence that is there is signalled; what has a state is whether
 * one is there, and how far a timeline is. Who waits for one that is not yet there
 * waits here, until another thread submits or signals it: so submissions that the
 * driver keeps back until the program's own signal come in the program's order. Answers
 * as of the kernel's drm_syncobj.c. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <i915_drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "bridge/drivers/drm/drm.h"
#include "igpu/clock.h"
#include "igpu/grow.h"

enum { MAX_WAITED = 65536 };
#define NANOSECONDS INT64_C(1000000000)
/* As long as the kernel waits for a point to be submitted that is transferred. */
#define TRANSFER_NS (5 * NANOSECONDS)

struct object {
    struct object *next; /* that has ever been exported: those stay */
    uint32_t handles;
    uint32_t id;
    bool exported;
    bool fence;     /* there is one */
    bool timeline;  /* of a timeline, up to.. */
    uint64_t point; /* ..this point */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_once_t once;
    struct object **object; /* of each handle, which counts from 1; NULL: none */
    uint32_t count;
    uint32_t ids;
    struct object *exported;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

/* ---- objects ------------------------------------------------------------ */

static void make_condition(void)
{
    pthread_condattr_t attr;

    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&table.changed, &attr);
    (void)pthread_condattr_destroy(&attr);
}

static void lock(void)
{
    (void)pthread_once(&table.once, make_condition);
    (void)pthread_mutex_lock(&table.lock);
}

static void unlock(void)
{
    (void)pthread_mutex_unlock(&table.lock);
}

static int fails(int error)
{
    errno = error;
    return -1;
}

/* All with the lock held from here on. */

static struct object *sync_find(uint32_t handle)
{
    return handle > 0 && handle <= table.count ? table.object[handle - 1] : NULL;
}

/* A handle of the object; 0: memory is short. */
static uint32_t add_handle(struct object *o)
{
    uint32_t at = 0;

    while (at < table.count && table.object[at] != NULL)
        at++;
    if (!IGPU_RESERVE_ZERO(table.object, table.count, (size_t)at + 1))
        return 0;
    table.object[at] = o;
    o->handles++;
    return at + 1;
}

/* A fence of no timeline replaces what was there; a point is added to a timeline. */
static void signal_now(struct object *o, uint64_t point)
{
    if (point == 0 || !o->fence || !o->timeline)
        o->point = point;
    else if (point > o->point)
        o->point = point;
    o->fence = true;
    o->timeline = point != 0;
    (void)pthread_cond_broadcast(&table.changed);
}

/* Is there a fence at or behind the point? Point 0 asks for any. */
static bool is_there(const struct object *o, uint64_t point)
{
    return o->fence && (point == 0 || (o->timeline && o->point >= point));
}

/* ---- waiting ------------------------------------------------------------ */

struct wanted {
    const uint32_t *handle;
    const uint64_t *point; /* NULL: any */
    uint32_t count;
    bool all;
    uint32_t first; /* that was there */
};

/* 0, ETIME: not yet, ENOENT: a handle is none. */
static int sync_look(struct wanted *w)
{
    uint32_t there = 0;

    for (uint32_t i = 0; i < w->count; i++) {
        const struct object *o = sync_find(w->handle[i]);

        if (o == NULL)
            return ENOENT;
        if (!is_there(o, w->point != NULL ? w->point[i] : 0))
            continue;
        w->first = there++ == 0 ? i : w->first;
        if (!w->all)
            return 0;
    }
    return there == w->count ? 0 : ETIME;
}

/* until: of the clock that does not jump, in ns. An object that the program destroys
 * meanwhile will not be signalled. */
static int wait_for(struct wanted *w, int64_t until)
{
    struct timespec end = {until > 0 ? until / NANOSECONDS : 0,
                           until > 0 ? until % NANOSECONDS : 0};
    int error = sync_look(w), late = 0;

    while (error == ETIME && late == 0) {
        late = pthread_cond_timedwait(&table.changed, &table.lock, &end);
        error = sync_look(w);
    }
    return error;
}

/* handles and points: the program's arrays; points 0: none. */
static int wait_call(uint64_t handles, uint64_t points, uint32_t count, uint32_t flags,
                     int64_t until, uint32_t *first)
{
    const uint32_t later =
        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    struct wanted w = {.count = count,
                       .all = (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0};
    uint32_t *handle;
    uint64_t *point;
    int error;

    if (count == 0 || count > MAX_WAITED)
        return fails(EINVAL);
    handle = malloc(count * sizeof(*handle));
    point = malloc(count * sizeof(*point));
    error = handle == NULL || point == NULL ? ENOMEM : 0;
    if (error == 0 &&
        (!drm_get(handle, handles, count * sizeof(*handle)) ||
         (points != 0 && !drm_get(point, points, count * sizeof(*point)))))
        error = EFAULT;
    w.handle = handle;
    w.point = points != 0 ? point : NULL;
    lock();
    if (error == 0)
        error = sync_look(&w);
    if (error == ETIME && !(flags & later))
        error = EINVAL; /* nothing was submitted that could signal it */
    if (error == ETIME)
        error = wait_for(&w, until);
    unlock();
    *first = w.first;
    free(handle);
    free(point);
    return error == 0 ? 0 : fails(error);
}

/* ---- files -------------------------------------------------------------- */

/* What a descriptor stands for: a synchronization object, by its id, or fences, all of
 * which are signalled: a file of memory that is always ready to be read. */
struct note {
    char magic[16];
    pid_t pid; /* whose objects they are */
    uint32_t id;
};

static const char magic[16] = "igpu fence file";

static int make_file(uint32_t id)
{
    struct note note = {.pid = getpid(), .id = id};
    int fd = memfd_create("igpu-fence", MFD_CLOEXEC);

    memcpy(note.magic, magic, sizeof(magic));
    if (fd < 0 || pwrite(fd, &note, sizeof(note), 0) == sizeof(note))
        return fd;
    (void)close(fd);
    return fails(ENOMEM);
}

static bool read_file(int fd, struct note *note)
{
    return pread(fd, note, sizeof(*note), 0) == sizeof(*note) &&
           memcmp(note->magic, magic, sizeof(magic)) == 0;
}

static int export(struct drm_syncobj_handle *h)
{
    struct object *o;
    uint32_t id = 0;
    int error = 0;

    if (h->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
        return fails(EINVAL);
    lock();
    o = sync_find(h->handle);
    if (o == NULL || (h->flags != 0 && !o->fence))
        error = EINVAL;
    else if (h->flags == 0)
        id = o->id;
    if (id != 0 && !o->exported) {
        o->exported = true;
        o->next = table.exported;
        table.exported = o;
    }
    unlock();
    if (error != 0)
        return fails(error);
    h->fd = make_file(id);
    return h->fd < 0 ? -1 : 0;
}

static int import(struct drm_syncobj_handle *h)
{
    struct note note;
    struct object *o = NULL;
    int error = EINVAL;

    if (h->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE ||
        !read_file(h->fd, &note) || (h->flags != 0) != (note.id == 0))
        return fails(EINVAL);
    lock();
    if (h->flags != 0) {
        o = sync_find(h->handle);
        if (o != NULL)
            signal_now(o, 0);
        error = o != NULL ? 0 : ENOENT;
    }
    if (h->flags == 0 && note.pid == getpid())
        for (o = table.exported; o != NULL && o->id != note.id;)
            o = o->next;
    if (h->flags == 0 && o != NULL) {
        h->handle = add_handle(o);
        error = h->handle != 0 ? 0 : ENOMEM;
    }
    unlock();
    return error == 0 ? 0 : fails(error);
}

bool drm_is_fence(int fd)
{
    struct note note;

    return read_file(fd, &note) && note.id == 0;
}

int drm_fence_file(void)
{
    return make_file(0);
}

static int merge(uint64_t arg)
{
    struct sync_merge_data m;

    if (!drm_get(&m, arg, sizeof(m)))
        return -1;
    if (!drm_is_fence(m.fd2))
        return fails(ENOENT);
    m.fence = make_file(0);
    if (m.fence < 0 || drm_put(arg, &m, sizeof(m)))
        return m.fence < 0 ? -1 : 0;
    (void)close(m.fence);
    return fails(EFAULT);
}

static int file_info(uint64_t arg)
{
    struct sync_fence_info fence = {
        .obj_name = "igpu", .driver_name = "i915", .status = 1};
    struct sync_file_info info;
    uint32_t room;

    if (!drm_get(&info, arg, sizeof(info)))
        return -1;
    room = info.num_fences;
    memcpy(info.name, "igpu", sizeof("igpu"));
    info.status = 1;
    info.num_fences = 1;
    if (room > 0 && !drm_put(info.sync_fence_info, &fence, sizeof(fence)))
        return -1;
    return drm_put(arg, &info, sizeof(info)) ? 0 : -1;
}

bool drm_file_ioctl(int fd, unsigned long request, uint64_t arg, int *result)
{
    const bool of_fence = _IOC_TYPE(request) == SYNC_IOC_MAGIC;
    struct dma_buf_export_sync_file e;

    if ((of_fence && !drm_is_fence(fd)) || (!of_fence && drm_prime_import(fd) == 0))
        return false;
    if (request == SYNC_IOC_MERGE) {
        *result = merge(arg);
    } else if (request == SYNC_IOC_FILE_INFO) {
        *result = file_info(arg);
    } else if (request == DMA_BUF_IOCTL_SYNC) {
        *result = 0;
    } else if (request == DMA_BUF_IOCTL_EXPORT_SYNC_FILE) {
        *result = drm_get(&e, arg, sizeof(e)) ? 0 : -1;
        e.fd = *result == 0 ? make_file(0) : -1;
        if (*result == 0)
            *result = e.fd >= 0 && drm_put(arg, &e, sizeof(e)) ? 0 : -1;
    } else if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE) {
        struct dma_buf_import_sync_file i;

        *result = !drm_get(&i, arg, sizeof(i)) ? -1
                  : drm_is_fence(i.fd)         ? 0
                                               : fails(EINVAL);
    } else {
        *result = fails(ENOTTY);
    }
    return true;
}

/* ---- calls -------------------------------------------------------------- */

static int create(struct drm_syncobj_create *c)
{
    struct object *o;

    if (c->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
        return fails(EINVAL);
    o = calloc(1, sizeof(*o));
    if (o == NULL)
        return fails(ENOMEM);
    lock();
    o->id = ++table.ids;
    o->fence = c->flags != 0;
    c->handle = add_handle(o);
    unlock();
    if (c->handle != 0)
        return 0;
    free(o);
    return fails(ENOMEM);
}

static int sync_destroy(const struct drm_syncobj_destroy *d)
{
    struct object *o;

    lock();
    o = sync_find(d->handle);
    if (o != NULL) {
        table.object[d->handle - 1] = NULL;
        if (--o->handles == 0 && !o->exported)
            free(o);
        (void)pthread_cond_broadcast(&table.changed);
    }
    unlock();
    return o != NULL ? 0 : fails(EINVAL);
}

/* What is done to each of an array. points: 0, or as many numbers, which `query` writes
 * to. */
enum what { RESET, SIGNAL, QUERY };

static void apply(enum what what, struct object *o, uint64_t *point)
{
    if (what == RESET)
        o->fence = false;
    else if (what == SIGNAL)
        signal_now(o, *point);
    else
        *point = o->fence && o->timeline ? o->point : 0;
}

static int each(enum what what, uint64_t handles, uint64_t points, uint32_t count)
{
    uint32_t handle;
    uint64_t point = 0;
    bool known = true;

    if (count == 0 || count > MAX_WAITED)
        return fails(EINVAL);
    for (uint32_t pass = 0; pass < 2; pass++) /* all are there, or nothing is done */
        for (uint32_t i = 0; i < count; i++) {
            struct object *o;

            if (!drm_get(&handle, handles + 4 * (uint64_t)i, 4) ||
                (points != 0 && !drm_get(&point, points + 8 * (uint64_t)i, 8)))
                return -1;
            lock();
            o = sync_find(handle);
            known = known && o != NULL;
            if (pass == 1 && o != NULL)
                apply(what, o, &point);
            unlock();
            if (!known)
                return fails(ENOENT);
            if (pass == 1 && what == QUERY &&
                !drm_put(points + 8 * (uint64_t)i, &point, 8))
                return -1;
        }
    return 0;
}

static int transfer(const struct drm_syncobj_transfer *t)
{
    const uint64_t point = t->src_point;
    struct wanted w = {&t->src_handle, &point, 1, true, 0};
    struct object *to;
    int64_t now;
    int error;

    if (t->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
        return fails(EINVAL);
    now = (int64_t)igpu_nanoseconds(CLOCK_MONOTONIC);
    lock();
    error = sync_look(&w);
    if (error == ETIME && t->flags == 0)
        error = EINVAL;
    if (error == ETIME)
        error = wait_for(&w, now + TRANSFER_NS);
    to = sync_find(t->dst_handle);
    if (error == 0 && to == NULL)
        error = ENOENT;
    if (error == 0)
        signal_now(to, t->dst_point);
    unlock();
    return error == 0 ? 0 : fails(error);
}

/* Each number once. */
static void say_unknown(unsigned number)
{
    static bool told[256];
    bool again;

    lock();
    again = told[number & 255];
    told[number & 255] = true;
    unlock();
    if (!again)
        drm_say("the driver makes DRM call 0x%x, which is not known here", number);
}

int drm_sync_ioctl(unsigned number, void *arg)
{
    struct drm_syncobj_wait *w = arg;
    struct drm_syncobj_timeline_wait *t = arg;
    const struct drm_syncobj_array *a = arg;
    const struct drm_syncobj_timeline_array *p = arg;

    switch (number) {
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
        return create(arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
        return sync_destroy(arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
        return export(arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
        return import(arg);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
        return wait_call(w->handles, 0, w->count_handles, w->flags, w->timeout_nsec,
                         &w->first_signaled);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
        return wait_call(t->handles, t->points, t->count_handles, t->flags,
                         t->timeout_nsec, &t->first_signaled);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
        return each(RESET, a->handles, 0, a->count_handles);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
        return each(SIGNAL, a->handles, 0, a->count_handles);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
        return p->flags != 0 ? fails(EINVAL)
                             : each(SIGNAL, p->handles, p->points, p->count_handles);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
        return p->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED
                   ? fails(EINVAL)
                   : each(QUERY, p->handles, p->points, p->count_handles);
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
        return transfer(arg);
    default:
        say_unknown(number);
        return fails(EINVAL);
    }
}

/* ---- fences of a batch -------------------------------------------------- */

int drm_fences_check(const struct drm_fence *f, uint32_t count)
{
    int error = 0;

    lock();
    for (uint32_t i = 0; i < count && error == 0; i++) {
        const struct object *o = sync_find(f[i].handle);

        if (o == NULL)
            error = ENOENT;
        else if (f[i].waits && !is_there(o, f[i].point))
            error = EINVAL; /* as of a kernel: nothing was submitted that signals it */
    }
    unlock();
    return error;
}

void drm_fences_signal(const struct drm_fence *f, uint32_t count)
{
    lock();
    for (uint32_t i = 0; i < count; i++) {
        struct object *o = f[i].signals ? sync_find(f[i].handle) : NULL;

        if (o != NULL)
            signal_now(o, f[i].point);
    }
    unlock();
}
