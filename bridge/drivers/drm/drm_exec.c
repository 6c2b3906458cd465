/* drm_exec.c - batches executed, and written to the frame file where one is wanted. The
 * file is begun by the first batch, by the process that claims igpu gl's status file
 * first, and completed at the program's end or after the last frame that was asked for.
 */
#define _GNU_SOURCE /* flock, syscall */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "igpu/floats.h"
#include "igpu/gfx.h"
#include "igpu/grow.h"
#include "traces/frame/frame.h"

#define TESTED_MESA "22.3.6"

static struct {
    pthread_mutex_t lock;
    struct frame_writer *writer;
    pid_t owner;       /* a child of fork() leaves the file alone, .. */
    bool child;        /* ..and has no GPU */
    int status;        /* claimed file; -1 */
    bool tried;        /* to begin */
    bool not_executed; /* a batch that should have been */
    uint64_t batches, batches_shown, frames;
    struct frame_buffer *buffer; /* of the batch at hand */
    uint32_t cap;
    uint64_t calls;                /* that handed over a batch */
    struct frame_written *written; /* by executing the batch at hand */
    uint32_t context;              /* its own */
    struct igpu_err error;         /* of what executing it asked for */
    bool failed;
} capture = {.lock = PTHREAD_MUTEX_INITIALIZER, .status = -1};

/* This thread has the lock, or waits for it: a handler of a signal that runs in it now
 * must not ask for it. */
static _Thread_local volatile sig_atomic_t inside;

/* What a thread is spared while it has the lock: handlers of signals, which may end it
 * (pthread_exit(), siglongjmp()), and being cancelled. And what simulates and writes
 * is: how the thread rounds. */
struct guard {
    sigset_t before;
    int cancel;
    struct igpu_floats floats;
};

/* Those that a thread's own instruction raises cannot wait. */
static void but_own(sigset_t *set)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        (void)sigdelset(set, own[i]);
}

/* With a handler: what ends the whole process need not wait for a batch. */
static void handled(sigset_t *set)
{
    struct sigaction now;

    (void)sigemptyset(set);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (sigaction(i, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
            now.sa_handler != SIG_IGN)
            (void)sigaddset(set, i);
}

/* batch: it takes as long as a batch does. */
static void lock(struct guard *guard, bool batch)
{
    sigset_t set;

    if (batch)
        handled(&set);
    else
        (void)sigfillset(&set);
    but_own(&set);
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
    (void)pthread_sigmask(SIG_BLOCK, &set, &guard->before);
    inside = 1;
    igpu_floats_begin(&guard->floats);
    (void)pthread_mutex_lock(&capture.lock);
}

static void unlock(const struct guard *guard)
{
    (void)pthread_mutex_unlock(&capture.lock);
    igpu_floats_end(&guard->floats);
    inside = 0;
    (void)pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
    (void)pthread_setcancelstate(guard->cancel, NULL);
}

/* A child of fork() has no capture, and nobody in it has the lock. A batch may have
 * been amidst its execution: it executes none. */
static void in_child(void)
{
    (void)pthread_mutex_init(&capture.lock, NULL);
    capture.writer = NULL;
    capture.child = true;
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
    drm_say("process %ld uses the GPU too: only the first one is captured, or listed",
            (long)getpid());
    return false;
}

static void exec_fail(const struct igpu_err *err)
{
    drm_say("%s", err->text);
    last_word("failed", err->text);
    frame_abandon(capture.writer);
    capture.writer = NULL;
}

/* A file that grows too large (ulimit -f) is an error to be told, not a signal. */
static void ignore_limit(void)
{
    struct sigaction now;

    if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        (void)signal(SIGXFSZ, SIG_IGN);
}

/* With the lock held. */
static void recording_begin(void)
{
    const struct drm_settings *s = drm_settings();
    struct frame_info info = {
        .pci = s->pci, .first = s->first, .last = s->last, .executed = s->execute};
    struct igpu_err err = {.text = ""};

    if (capture.tried)
        return;
    capture.tried = true;
    (void)pthread_atfork(NULL, NULL, in_child);
    if ((s->out == NULL && !s->time) || (s->status != NULL && !claim(s->status)))
        return;
    capture.owner = getpid();
    if (s->time && s->list != NULL)
        drm_timing_list(s->list);
    if (s->out == NULL)
        return;
    (void)snprintf(info.device, sizeof(info.device), "%s", s->device);
    (void)snprintf(info.command, sizeof(info.command), "%s", s->command);
    drm_mesa_version(info.driver, sizeof(info.driver));
    if (strcmp(info.driver, "?") != 0 && strcmp(info.driver, TESTED_MESA) != 0)
        drm_say("Mesa %s: only %s is tested", info.driver, TESTED_MESA);
    ignore_limit();
    capture.writer = frame_create(s->out, &info, &err);
    if (capture.writer == NULL) {
        exec_fail(&err);
        return;
    }
    frame_skip_holes(capture.writer, drm_buffer_data);
    last_word("cut", "");
}

/* With the lock held: what is captured is all. */
static void complete(void)
{
    struct igpu_err err = {.text = ""};

    if (capture.writer == NULL || capture.owner != getpid())
        return;
    if (capture.batches > capture.batches_shown) {
        capture.frames++; /* what the program drew and did not show */
        if (frame_end_frame(capture.writer, &err) != IGPU_OK) {
            exec_fail(&err);
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
    struct guard guard;

    if (inside || capture.owner == 0 || capture.owner != getpid())
        return;
    lock(&guard, false);
    complete();
    drm_timing_end();
    unlock(&guard);
}

/* Some programs end without their libraries' destructors. A child of fork() or vfork(),
 * whose memory this may be, has nothing to complete. Where a handler of a signal ends
 * the program amidst a batch there is no whole file to be had. */
DRM_PUBLIC void _exit(int status)
{
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
    struct igpu_err err = {.text = ""};
    struct guard guard;
    bool over = false;

    lock(&guard, false);
    if (capture.writer != NULL && capture.owner == getpid() &&
        capture.batches > capture.batches_shown) {
        capture.frames++;
        capture.batches_shown = capture.batches;
        if (frame_end_frame(capture.writer, &err) != IGPU_OK)
            exec_fail(&err);
        over = s->last != 0 && capture.frames >= s->last;
        if (over)
            complete();
    }
    unlock(&guard);
    if (over)
        _exit(0); /* the rest of the program is of no use */
}

void drm_forget(uint32_t id)
{
    struct igpu_err err = {.text = ""};
    struct guard guard;

    lock(&guard, false);
    drm_unbind(id);
    if (capture.writer != NULL && capture.owner == getpid() &&
        frame_drop_buffer(capture.writer, id, &err) != IGPU_OK)
        exec_fail(&err);
    unlock(&guard);
}

void drm_forget_context(uint32_t context)
{
    struct guard guard;

    lock(&guard, false);
    drm_unbind_context(context);
    unlock(&guard);
}

/* ---- a batch ------------------------------------------------------------ */

/* With the lock held: where the object lies, or is to lie. 0 or an errno. */
static int object_place(uint32_t context, const struct drm_i915_gem_exec_object2 *o,
                        struct frame_buffer *b)
{
    const uint64_t below = ((uint64_t)1 << 48) - 1; /* addresses are sign-extended */
    const bool wide = (o->flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS) != 0;

    if (o->flags & EXEC_OBJECT_PINNED) {
        b->va = o->offset & below;
        return frame_buffer_flaw(b) != NULL ? EINVAL : 0;
    }
    b->va = drm_choose(context, b, (uint64_t)1 << (wide ? 47 : 32));
    return b->va == 0 ? ENOSPC : 0;
}

static int list_one(uint32_t context, const struct drm_i915_gem_exec_object2 *o,
                    uint32_t *count)
{
    struct drm_buffer *own = drm_buffer_get(o->handle);
    struct frame_buffer b;
    int error;

    if (own == NULL)
        return ENOENT;
    b = (struct frame_buffer){own->id, 0, own->bytes, own->host};
    error = object_place(context, o, &b);
    if (error != 0)
        return error;
    if (own->listed ==
        capture.calls) /* Intel's driver of Level Zero lists some twice */
        return capture.buffer[own->at].va == b.va ? 0 : EINVAL;
    if (!drm_buffer_there(own->host, own->bytes))
        return EFAULT;
    own->listed = capture.calls;
    own->at = *count;
    capture.buffer[(*count)++] = b;
    return drm_bind(context, &b, 1);
}

/* With the lock held: the call's objects, each once, those first whose addresses the
 * driver chose. 0 or an errno. */
static int list(const struct drm_i915_gem_execbuffer2 *e, uint32_t *count)
{
    struct drm_i915_gem_exec_object2 *o = (void *)(uintptr_t)e->buffers_ptr;
    int error = IGPU_RESERVE(capture.buffer, capture.cap, e->buffer_count) ? 0 : ENOMEM;

    capture.calls++;
    *count = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < e->buffer_count && error == 0; i++)
            if (((o[i].flags & EXEC_OBJECT_PINNED) == 0) == (pass == 1))
                error = list_one((uint32_t)e->rsvd1, &o[i], count);
    for (uint32_t i = 0; i < e->buffer_count && error == 0; i++)
        o[i].offset = capture.buffer[drm_buffer_get(o[i].handle)->at].va;
    return error;
}

/* With the lock held: addresses that the object's memory has of others, where they are
 * not what the program took them for. */
static int relocate(const struct drm_i915_gem_execbuffer2 *e,
                    const struct drm_i915_gem_exec_object2 *o)
{
    const struct drm_i915_gem_exec_object2 *all = (void *)(uintptr_t)e->buffers_ptr;
    const struct drm_buffer *in = drm_buffer_get(o->handle);
    struct drm_i915_gem_relocation_entry r;

    for (uint32_t i = 0; i < o->relocation_count; i++) {
        const uint64_t at = o->relocs_ptr + i * sizeof(r);
        const struct drm_buffer *target;
        uint64_t va;

        if (!drm_get(&r, at, sizeof(r)))
            return EFAULT;
        if ((e->flags & I915_EXEC_HANDLE_LUT) && r.target_handle >= e->buffer_count)
            return ENOENT;
        target =
            drm_buffer_get(e->flags & I915_EXEC_HANDLE_LUT ? all[r.target_handle].handle
                                                           : r.target_handle);
        if (target == NULL || target->listed != capture.calls)
            return ENOENT;
        if (r.offset % 4 != 0 || r.offset > in->bytes - sizeof(va))
            return EINVAL;
        va = capture.buffer[target->at].va;
        if (r.presumed_offset == va)
            continue;
        r.presumed_offset = va;
        va += r.delta;
        memcpy(in->host + r.offset, &va, sizeof(va));
        if (!drm_put(at, &r, sizeof(r)))
            return EFAULT;
    }
    return 0;
}

/* With the lock held: the call as a batch. 0 or an errno. */
static int batch_describe(const struct drm_i915_gem_execbuffer2 *e,
                          struct frame_batch *b)
{
    const struct drm_i915_gem_exec_object2 *o = (void *)(uintptr_t)e->buffers_ptr;
    uint32_t batch = e->flags & I915_EXEC_BATCH_FIRST ? 0 : e->buffer_count - 1;
    const struct frame_buffer *commands;
    uint32_t count;
    int error = list(e, &count);

    for (uint32_t i = 0; i < e->buffer_count && error == 0; i++)
        error = relocate(e, &o[i]);
    if (error != 0)
        return error;
    commands = &capture.buffer[drm_buffer_get(o[batch].handle)->at];
    if (e->batch_start_offset >= commands->bytes ||
        e->batch_len > commands->bytes - e->batch_start_offset)
        return EINVAL;
    *b = (struct frame_batch){.context = (uint32_t)e->rsvd1,
                              .engine =
                                  (e->flags & I915_EXEC_RING_MASK) == I915_EXEC_BLT,
                              .start = commands->va + e->batch_start_offset,
                              .bytes = e->batch_len,
                              .buffer = capture.buffer,
                              .count = count};
    return drm_bind(b->context, capture.buffer, count);
}

/* ---- executing ---------------------------------------------------------- */

static bool use(const struct frame_buffer *b)
{
    if (!drm_buffer_there(b->host, b->bytes))
        return false;
    if (capture.writer != NULL && !capture.failed)
        capture.failed = frame_use_buffer(capture.writer, b, &capture.error) != IGPU_OK;
    return !capture.failed;
}

/* An address that the call does not list, of what is bound there since an earlier one.
 */
static bool find_bound(void *ctx, uint64_t va, struct gfx_buffer *buffer)
{
    const struct frame_buffer *b = drm_bound_at(capture.context, va);

    (void)ctx;
    if (b == NULL || !use(b))
        return false;
    *buffer = (struct gfx_buffer){b->va, b->bytes, (uint8_t *)(uintptr_t)b->host};
    return true;
}

static void note_write(void *ctx, uint64_t va, uint64_t bytes, const uint8_t *host)
{
    frame_written_add(ctx, va, bytes, host);
}

static bool batch_execute(const struct frame_batch *b)
{
    const struct gfx_memory memory = {capture.written, find_bound,
                                      capture.writer != NULL ? note_write : NULL};
    bool done;

    if (!drm_settings()->execute || capture.written == NULL)
        return false;
    frame_written_clear(capture.written);
    done = drm_run(b, capture.batches, &memory);
    capture.not_executed |= !done;
    if (drm_settings()->neo)
        drm_context_did(b->context, !done);
    return done;
}

/* What a batch that is not executed reads is not known: it has all that is bound. */
static void use_all(const struct frame_batch *b)
{
    uint32_t count;
    const struct frame_buffer *bound = drm_bound(b->context, &count);

    for (uint32_t i = 0; i < count; i++) {
        bool listed = false;

        for (uint32_t k = 0; k < b->count && !listed; k++)
            listed = b->buffer[k].id == bound[i].id;
        if (!listed)
            (void)use(&bound[i]);
    }
}

/* For igpu gl, behind the last word. */
static void tell_time(uint32_t context)
{
    struct drm_timed t;
    char line[128];
    ssize_t done;
    int n;

    drm_timing_settle(&t, context);
    n = snprintf(line, sizeof(line), "time %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                 t.launches, t.cycles, t.hz);
    if (capture.status >= 0 && n > 0) {
        done = pwrite(capture.status, line, (size_t)n, DRM_STATUS_TIME);
        (void)done;
    }
}

/* With the lock held. */
static void batch_add(const struct frame_batch *b)
{
    bool executed = false;

    capture.batches++;
    capture.failed = false;
    capture.context = b->context;
    if (capture.written == NULL)
        capture.written = frame_written_new();
    if (capture.writer != NULL &&
        frame_begin_batch(capture.writer, b, &capture.error) != IGPU_OK)
        exec_fail(&capture.error);
    drm_timing_batch(capture.batches, b->context);
    executed = batch_execute(b);
    if (drm_settings()->time)
        tell_time(b->context);
    if (capture.writer == NULL)
        return;
    if (!executed)
        use_all(b);
    if (capture.failed ||
        frame_end_batch(capture.writer, executed ? capture.written : NULL,
                        &capture.error) != IGPU_OK)
        exec_fail(&capture.error);
}

int drm_submit(const struct drm_i915_gem_execbuffer2 *exec)
{
    struct frame_batch batch;
    struct guard guard;
    int error;

    lock(&guard, true);
    recording_begin();
    error = batch_describe(exec, &batch);
    if (error == 0 && !capture.child)
        batch_add(&batch);
    unlock(&guard);
    return error;
}
