/* drm.h - the library that looks like an i915 render node to Mesa, inside: who does
 * what. `igpu gl` preloads it; everything it is told comes from the environment
 * (drm_settings.c). Nothing of it runs before a program looks for a GPU.
 * docs/guide/graphics.md tells what it does for a user. */
#ifndef BRIDGE_DRM_H
#define BRIDGE_DRM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "igpu/config.h"

#define DRM_NODE "/dev/dri/renderD128"
#define DRM_NODE_BY_PATH "/dev/dri/by-path/pci-0000:00:02.0-render"
/* A name that the preloaded library has instead of the C library's or libdrm's. */
#define DRM_PUBLIC __attribute__((visibility("default")))

/* ---- drm_settings.c ----------------------------------------------------- */

struct drm_settings {
    const char *out;      /* frame file, NULL: the program runs without a capture */
    const char *status;   /* file for the last word, for igpu gl */
    uint32_t first, last; /* frames; last 0: to the program's end */
    uint32_t pci, revision, slices;
    uint32_t mhz; /* the highest clock */
    const char *device;
    bool execute;               /* batches, at once */
    bool neo;                   /* for Intel's compute driver, by igpu run */
    bool time;                  /* simulated, on this machine with these settings; .. */
    const char *machine, *list; /* ..list: file for each launch, or NULL */
    char set[1024];
    char command[1024];
};

const struct drm_settings *drm_settings(void);
/* Where the status file has what was simulated, behind the last word. */
enum { DRM_STATUS_TIME = 4096 };
/* The machine that the settings name. */
enum igpu_status drm_machine(const struct drm_settings *s, struct igpu_config *config,
                             struct igpu_err *err);
/* Mesa's version as its loaded driver says it; "?" when it does not. */
void drm_mesa_version(char *to, size_t bytes);

/* ---- drm_real.c: what a name means without this library ----------------- */

void *drm_real(const char *name);
/* The C library's dlsym(). A call of it as a function's last act is a jump, so that the
 * C library sees the caller's caller. */
typedef void *drm_lookup_fn(void *handle, const char *name);
drm_lookup_fn *drm_real_dlsym(void);
/* A function real_NAME() that gives it, looked up once. */
#define DRM_REAL(type, name)                                                           \
    static type *real_##name(void)                                                     \
    {                                                                                  \
        static type *found;                                                            \
        void *address;                                                                 \
                                                                                       \
        if (found == NULL) {                                                           \
            address = drm_real(#name);                                                 \
            memcpy(&found, &address, sizeof(found));                                   \
        }                                                                              \
        return found;                                                                  \
    }

/* ---- drm_buffers.c ------------------------------------------------------ */

/* A GEM object. The device's file is a sparse file in memory and an object a range of
 * it: so mmap() of the device at the object's offset is the object, and needs no help
 * of ours. */
struct drm_buffer {
    uint32_t id;     /* unique in the process; 0: no such object */
    uint64_t offset; /* in the device's file */
    uint64_t bytes;  /* whole pages */
    uint8_t *host;   /* where this library has it mapped, or the program's memory */
    uint32_t tiling, stride;
    uint64_t listed; /* number of the call that listed it last, .. */
    uint32_t at;     /* ..and where (drm_exec.c) */
};

/* A new file descriptor of the device; -1 and errno. */
int drm_device_open(void);
bool drm_device_is(int fd);
/* Handle of a new object, or 0 and errno. user: the program's memory, or NULL. */
uint32_t drm_buffer_new(uint64_t bytes, void *user);
/* The handle is nobody's from now on. False: there is no such object; else *gone is it.
 */
bool drm_buffer_take(uint32_t handle, struct drm_buffer *gone);
/* Its memory goes back to the host. */
void drm_buffer_release(const struct drm_buffer *gone);
/* NULL: no such object. */
struct drm_buffer *drm_buffer_get(uint32_t handle);
/* Is an object's memory there? A program may have given its own back. */
bool drm_buffer_there(const uint8_t *host, uint64_t bytes);
/* The first byte of host[from .. end) that the device's file has, or end: what lies
 * before it was never written. */
uint64_t drm_buffer_data(const uint8_t *host, uint64_t from, uint64_t end);

/* ---- drm_user.c --------------------------------------------------------- */

/* Copy from, or to, an address that the program gave. False: it is none; errno is
 * EFAULT. */
bool drm_get(void *to, uint64_t from, size_t bytes);
bool drm_put(uint64_t to, const void *from, size_t bytes);
/* Can each page from host on be read? */
bool drm_readable(const uint8_t *host, uint64_t bytes);

/* ---- drm_bind.c: called by drm_exec.c, with its lock held --------------- */

struct frame_buffer;

/* These lie in the context's space from now on. 0 or an errno: ENOMEM, ENOSPC: two of
 * them overlap. */
int drm_bind(uint32_t context, const struct frame_buffer *b, uint32_t count);
/* Where an object that may lie anywhere below `end` is to lie: where it does, or else
 * the lowest place that has room. 0: there is none. */
uint64_t drm_choose(uint32_t context, const struct frame_buffer *b, uint64_t end);
/* What lies at va, or NULL; all that lies there, by address. */
const struct frame_buffer *drm_bound_at(uint32_t context, uint64_t va);
const struct frame_buffer *drm_bound(uint32_t context, uint32_t *count);
/* The object, or the context, is there no more. */
void drm_unbind(uint32_t id);
void drm_unbind_context(uint32_t context);

/* ---- drm_sync.c --------------------------------------------------------- */

/* Calls whose numbers are those of DRM_IOCTL_SYNCOBJ_*; arg is their argument, copied.
 */
int drm_sync_ioctl(unsigned number, void *arg);
/* A fence of a batch: of a synchronization object; point 0: of no timeline. */
struct drm_fence {
    uint32_t handle;
    bool waits, signals;
    uint64_t point;
};
/* Are those that the batch waits for there? 0 or an errno. */
int drm_fences_check(const struct drm_fence *f, uint32_t count);
/* The batch is done. */
void drm_fences_signal(const struct drm_fence *f, uint32_t count);
/* Files of fences: is it one; a new one; what is asked of them, or of objects' files
 * (false: the descriptor is neither). */
bool drm_is_fence(int fd);
int drm_fence_file(void);
bool drm_file_ioctl(int fd, unsigned long request, uint64_t arg, int *result);

/* ---- drm_prime.c -------------------------------------------------------- */

/* A new file descriptor that stands for the object; -1 and errno. */
int drm_prime_export(uint32_t handle);
/* The object's handle; 0: the descriptor stands for none. */
uint32_t drm_prime_import(int fd);

/* ---- drm_param.c, drm_submit.c, drm_exec.c, drm_ioctl.c, drm_frames.c ---- */

struct drm_i915_getparam;
struct drm_i915_query;
struct drm_i915_gem_execbuffer2;

/* Results as of an ioctl: 0, or -1 and errno. */
int drm_getparam(struct drm_i915_getparam *param);
int drm_query(struct drm_i915_query *query);
int drm_execbuffer(struct drm_i915_gem_execbuffer2 *exec);
/* Into the capture, and executed: a call whose objects have been copied, buffers_ptr
 * being this library's; it is told where they lie. 0 or an errno. */
int drm_submit(const struct drm_i915_gem_execbuffer2 *exec);

/* ---- drm_contexts.c ------------------------------------------------------ */

struct drm_i915_gem_context_create;
struct drm_i915_reset_stats;
/* Results as of an ioctl. */
int drm_context_create(struct drm_i915_gem_context_create *context);
int drm_context_stats(struct drm_i915_reset_stats *stats);
/* False: it is not there. */
bool drm_context_destroy(uint32_t context);
/* Was it made, and is it there still? */
bool drm_context_is(uint32_t context);
/* A batch of it was refused, or executed: GET_RESET_STATS tells of a refused one at
 * least once, and until one is executed. */
void drm_context_did(uint32_t context, bool refused);
/* arg: the program's. */
int drm_ioctl(unsigned long request, void *arg);
struct frame_batch;
struct gfx_memory;
/* drm_run.c: execute the batch; memory: who is asked and told of it. False: it was not,
 * or something of it was not, which is told once; then no later one is, unless Intel's
 * compute driver runs: it is told, and goes on. */
bool drm_run(const struct frame_batch *batch, uint64_t number,
             const struct gfx_memory *memory);
/* What the GPU's clock shows, from any thread. */
enum {
    DRM_TIMESTAMP_HZ = 12000000,
    DRM_START_NS = 1000000 /* no GPU's clock starts at 0 */
};
uint64_t drm_time(void);

/* ---- the time line, in cycles of a machine of `hz` ----------------------- */

/* cycles * scale / hz, without an overflow for days. */
static inline uint64_t drm_clock_scaled(uint64_t hz, uint64_t cycles, uint64_t scale)
{
    if (cycles == 0) /* before there is a machine, too */
        return 0;
    return cycles / hz * scale + cycles % hz * scale / hz;
}
static inline uint64_t drm_clock_ns(uint64_t hz, uint64_t cycles)
{
    return DRM_START_NS + drm_clock_scaled(hz, cycles, 1000000000);
}
static inline uint64_t drm_clock_ticks(uint64_t hz, uint64_t cycles)
{
    return (uint64_t)DRM_START_NS / 1000 * (DRM_TIMESTAMP_HZ / 1000000) +
           drm_clock_scaled(hz, cycles, DRM_TIMESTAMP_HZ);
}

/* ---- drm_timing.c: all but the clock with drm_exec.c's lock held --------- */

struct gfx;
/* The pipeline's work takes simulated time from now on, where that is asked for. */
void drm_timing_begin(struct gfx *gfx);
/* The clock: both are as they were behind what was looked at or executed last. */
uint64_t drm_timing_ticks(void);
/* Each launch gets a line in this file, which is complete when the program ends. */
void drm_timing_list(const char *path);
void drm_timing_end(void);
/* Batch `number` of a context is executed next; it was, and *to is what all took. */
void drm_timing_batch(uint64_t number, uint32_t context);
struct drm_timed {
    uint64_t launches, cycles, hz;
};
void drm_timing_settle(struct drm_timed *to, uint32_t context);

/* ---- drm_oa.c: the OA unit; with drm_exec.c's lock held ------------------- */

struct sim;
struct sim_options;

/* A sim from this cycle of the time line on, which *options is for; it is created; it
 * is over, NULL: it failed. */
void drm_oa_begin(struct sim_options *options, uint64_t line);
void drm_oa_watch(struct sim *sim);
void drm_oa_end(struct sim *sim);
/* A report of all up to this cycle of the time line: of MI_REPORT_PERF_COUNT, its bytes
 * are returned; of a context that begins or ends, to the stream. */
uint32_t drm_oa_report(const struct igpu_config *config, uint64_t line,
                       uint32_t context, uint32_t id, uint8_t *report);
void drm_oa_switch(const struct igpu_config *config, uint64_t line, uint32_t context,
                   bool begins);

/* ---- drm_perf.c: i915-perf's one stream ---------------------------------- */

struct oa_counters;
struct oa_set;

/* What the program asks of the OA unit. */
struct drm_perf {
    const struct oa_set *set; /* NULL: nothing */
    uint32_t format;          /* enum oa_format */
    bool on, timer;           /* reports go to the stream, by the timer too.. */
    uint32_t exponent;        /* ..of this period */
    bool alone;               /* those of this context alone */
    uint32_t context;
};

/* Is it there? Only with simulated time, on the GPU whose sets are known. */
bool drm_perf_there(void);
/* From any thread. */
struct drm_perf drm_perf_asked(void);
/* The number of a set by the UUID of its configuration, 0: there is none. */
uint32_t drm_perf_number(const char *uuid);
/* Into the stream. */
void drm_perf_report(const struct oa_counters *counters);
/* Reports were lost, all that wait. */
void drm_perf_lost(void);
/* Calls of the node, and of the stream's own file (false: it is none). */
struct drm_i915_perf_open_param;
struct drm_i915_perf_oa_config;
int drm_perf_open(const struct drm_i915_perf_open_param *p);
int drm_perf_add(const struct drm_i915_perf_oa_config *c);
int drm_perf_remove(uint64_t number);
bool drm_perf_ioctl(int fd, unsigned long request, uint64_t arg, int *result);

/* ---- drm_sysfs.c: files beside the node ----------------------------------- */

/* The file's descriptor; -1 and errno: there is none in a folder that is ours; -2: it
 * is not ours. */
int drm_sysfs_open(const char *path);
/* Is it there, of ours? */
bool drm_sysfs_is(const char *path);

/* ---- drm_exec.c again ---------------------------------------------------- */

/* The program closed an object that a batch may have had; it ended a context. */
void drm_forget(uint32_t id);
void drm_forget_context(uint32_t context);
/* The program showed a picture. */
void drm_end_frame(void);
/* "igpu gl: TEXT" on stderr; the command is the one that started the program. */
void drm_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Our function of that name, or NULL: for the programs that ask for addresses. `real`
 * is what they would have got. */
void *drm_frames_hook(const char *name, void *real);
/* ze_module.c: the same for the loader of Level Zero. */
void *drm_ze_hook(const char *name, void *real);

#endif
