/* drm_exec.c - batches into the frame file. The file is begun by the first batch, by
 * the process that claims igpu gl's status file first, and completed at the program's
 * end or after the last frame that was asked for. */
#define _GNU_SOURCE /* flock, syscall */
#include "bridge/drm/drm.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bridge/drm/x11.h"
#include "traces/frame/frame.h"

#define TESTED_MESA "22.3.6"

static struct {
    pthread_mutex_t lock;
    struct frame_writer *writer;
    pid_t owner;       /* a child of fork() leaves the file alone */
    int status;        /* claimed file; -1 */
    bool tried;        /* to begin */
    bool not_executed; /* a batch that should have been */
    uint64_t batches, batches_shown, frames;
    struct frame_buffer *buffer; /* of the batch at hand */
    uint32_t cap;
} capture = {.lock = PTHREAD_MUTEX_INITIALIZER, .status = -1};

/* This thread has the lock, or waits for it: a handler of a signal that runs in it now
 * must not ask for it. */
static _Thread_local volatile sig_atomic_t inside;

static void lock(void)
{
    inside = 1;
    (void)pthread_mutex_lock(&capture.lock);
}

static void unlock(void)
{
    (void)pthread_mutex_unlock(&capture.lock);
    inside = 0;
}

/* ---- begin and end ------------------------------------------------------ */

/* One line for igpu gl. */
static void last_word(const char *word, const char *text)
{
    char line[640];
    int n = snprintf(line, sizeof(line), "%s %" PRIu64 " %" PRIu64 " %s\n", word,
                     capture.frames, capture.batches, text);
    ssize_t done = 0;

    if (capture.status >= 0 && n > 0)
        done = pwrite(capture.status, line, (size_t)n, 0);
    (void)done;
}

static bool claim(const char *path)
{
    capture.status = open(path, O_RDWR | O_CLOEXEC);
    if (capture.status >= 0 && flock(capture.status, LOCK_EX | LOCK_NB) == 0)
        return true;
    drm_say("process %ld uses the GPU too: only the first one is captured",
            (long)getpid());
    return false;
}

static void fail(const struct igpu_err *err)
{
    drm_say("%s", err->text);
    last_word("failed", err->text);
    frame_abandon(capture.writer);
    capture.writer = NULL;
}

/* With the lock held. */
static void begin(void)
{
    const struct drm_settings *s = drm_settings();
    struct frame_info info = {
        .pci = s->pci, .first = s->first, .last = s->last, .executed = s->execute};
    struct igpu_err err = {""};

    if (capture.tried)
        return;
    capture.tried = true;
    if (s->out == NULL || (s->status != NULL && !claim(s->status)))
        return;
    (void)snprintf(info.device, sizeof(info.device), "%s", s->device);
    (void)snprintf(info.command, sizeof(info.command), "%s", s->command);
    drm_mesa_version(info.driver, sizeof(info.driver));
    if (strcmp(info.driver, TESTED_MESA) != 0)
        drm_say("Mesa %s: only %s is tested", info.driver, TESTED_MESA);
    capture.owner = getpid();
    capture.writer = frame_create(s->out, &info, &err);
    if (capture.writer == NULL)
        fail(&err);
    else
        last_word("cut", "");
}

/* With the lock held: what is captured is all. */
static void complete(void)
{
    struct igpu_err err = {""};

    if (capture.writer == NULL || capture.owner != getpid())
        return;
    if (capture.batches > capture.batches_shown) {
        capture.frames++; /* what the program drew and did not show */
        if (frame_end_frame(capture.writer, &err) != IGPU_OK) {
            fail(&err);
            return;
        }
    }
    if (frame_finish(capture.writer, &err) == IGPU_OK) {
        last_word(capture.not_executed ? "part" : "ok", "");
    } else {
        drm_say("%s", err.text);
        last_word("failed", err.text);
    }
    capture.writer = NULL;
}

__attribute__((destructor)) static void at_exit(void)
{
    if (inside)
        return;
    lock();
    complete();
    unlock();
}

/* Some programs end without their libraries' destructors. A child of fork() or vfork(),
 * whose memory this may be, has nothing to complete. Where a handler of a signal ends
 * the program amidst a batch there is no whole file to be had. */
DRM_PUBLIC void _exit(int status)
{
    if (capture.writer != NULL && capture.owner == getpid())
        at_exit();
    for (;;)
        (void)syscall(SYS_exit_group, status);
}

DRM_PUBLIC void _Exit(int status)
{
    _exit(status);
}

void drm_end_frame(void)
{
    const struct drm_settings *s = drm_settings();
    struct igpu_err err = {""};
    bool over = false;

    lock();
    if (capture.writer != NULL && capture.owner == getpid() &&
        capture.batches > capture.batches_shown) {
        capture.frames++;
        capture.batches_shown = capture.batches;
        if (frame_end_frame(capture.writer, &err) != IGPU_OK)
            fail(&err);
        over = s->last != 0 && capture.frames >= s->last;
        if (over)
            complete();
    }
    unlock();
    if (over)
        _exit(0); /* the rest of the program is of no use */
}

void drm_forget(uint32_t id)
{
    struct igpu_err err = {""};

    lock();
    if (capture.writer != NULL && capture.owner == getpid() &&
        frame_drop_buffer(capture.writer, id, &err) != IGPU_OK)
        fail(&err);
    unlock();
}

/* ---- a batch ------------------------------------------------------------ */

static bool reserve(uint32_t count)
{
    struct frame_buffer *bigger;

    if (count <= capture.cap)
        return true;
    bigger = realloc(capture.buffer, count * sizeof(*bigger));
    if (bigger == NULL)
        return false;
    capture.buffer = bigger;
    capture.cap = count;
    return true;
}

/* With the lock held: the call as a batch; false: a handle is none. */
static bool describe(const struct drm_i915_gem_execbuffer2 *e, struct frame_batch *b)
{
    const struct drm_i915_gem_exec_object2 *o = (void *)(uintptr_t)e->buffers_ptr;
    const uint64_t below = ((uint64_t)1 << 48) - 1; /* addresses are sign-extended */
    uint32_t batch = e->flags & I915_EXEC_BATCH_FIRST ? 0 : e->buffer_count - 1;

    if (e->buffer_count == 0 || !reserve(e->buffer_count))
        return false;
    for (uint32_t i = 0; i < e->buffer_count; i++) {
        const struct drm_buffer *own = drm_buffer_get(o[i].handle);

        if (own == NULL || o[i].relocation_count != 0)
            return false;
        capture.buffer[i] =
            (struct frame_buffer){own->id, o[i].offset & below, own->bytes, own->host};
    }
    *b = (struct frame_batch){.context = (uint32_t)e->rsvd1,
                              .engine =
                                  (e->flags & I915_EXEC_RING_MASK) == I915_EXEC_BLT,
                              .start = capture.buffer[batch].va + e->batch_start_offset,
                              .bytes = e->batch_len,
                              .buffer = capture.buffer,
                              .count = e->buffer_count};
    return true;
}

static bool execute(const struct frame_batch *b)
{
    if (!drm_settings()->execute)
        return false;
    capture.not_executed |= !drm_run(b, capture.batches);
    return !capture.not_executed;
}

int drm_execbuffer(struct drm_i915_gem_execbuffer2 *exec)
{
    struct igpu_err err = {""};
    struct frame_batch batch;
    bool good;

    lock();
    begin();
    good = describe(exec, &batch);
    if (good && capture.writer != NULL && capture.owner == getpid()) {
        capture.batches++;
        if (frame_add_batch(capture.writer, &batch, &err) != IGPU_OK ||
            (execute(&batch) &&
             frame_executed(capture.writer, &batch, &err) != IGPU_OK))
            fail(&err);
    }
    unlock();
    if (good) {
        x11_executed(exec);
        return 0;
    }
    drm_say("a batch with relocations, or of objects that are not there");
    errno = EINVAL;
    return -1;
}
