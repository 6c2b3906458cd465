/* ocl.h - the OpenCL driver's objects and what its parts ask of each other.
 *
 * The API functions have the names of CL/cl.h and are hidden in the library; the
 * loader reaches them through the dispatch table (icd.c).
 * Locking  One lock guards every object's state. API functions take it for short
 *          times; commands run without it on one device thread (sched.c), compilers
 *          without it on the caller's.
 * Handles  Every object starts with struct ocl_object. A released object stays
 *          recognisable for a while (object.c), so that its use is an error, no crash.
 * Layers   layers.txt says which source may use which.
 * Tests    tests/ocl/ */
#ifndef IGPU_OCL_H
#define IGPU_OCL_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Of Intel's driver, not in these headers: buffers of more than 4 GB, for programs
 * built with -cl-intel-greater-than-4GB-buffer-required. */
#ifndef CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL
#define CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL (1 << 23)
#endif
#ifndef CL_MEM_FLAGS_INTEL
#define CL_MEM_FLAGS_INTEL 0x10001
#endif
/* How an EU chooses among its threads: the same, for clSetKernelExecInfo(). */
#ifndef CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_INTEL
#define CL_DEVICE_SUPPORTED_THREAD_ARBITRATION_POLICY_INTEL 0x4208
#define CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_OLDEST_FIRST_INTEL 0x10022
#define CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_ROUND_ROBIN_INTEL 0x10023
#define CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_AFTER_DEPENDENCY_ROUND_ROBIN_INTEL \
    0x10024
#define CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_INTEL 0x10025
#define CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_STALL_BASED_ROUND_ROBIN_INTEL    \
    0x10026
#endif

#include "igpu/config.h"
#include "igpu/device.h"
#include "igpu/emu.h"
#include "igpu/image.h"

enum { OCL_DEVICES = 2, OCL_PAGE = 65536, OCL_ALIGN = 4096, OCL_MAX_GROUP = 256 };
enum { OCL_PIPE_PACKET = 1024 }; /* bytes, at most */
enum { OCL_HOLES = 1024 };       /* lists of them */

/* ---- objects (object.c) -------------------------------------------------------- */

enum ocl_type {
    OCL_PLATFORM = 0x0C1A0001, /* a word that memory hardly holds by chance */
    OCL_DEVICE,
    OCL_CONTEXT,
    OCL_QUEUE,
    OCL_MEM,
    OCL_SAMPLER,
    OCL_PROGRAM,
    OCL_KERNEL,
    OCL_EVENT
};

struct ocl_object {
    const struct _cl_icd_dispatch *dispatch; /* first: the loader reads it */
    _Atomic uint32_t type;                   /* enum ocl_type; else not alive */
    _Atomic uint32_t references;             /* the program's own */
    uint32_t holds;                          /* of other objects and of commands */
    void (*destroy)(void *object);           /* with the lock held; frees its parts */
};

void ocl_lock(void);
/* Then makes the calls that ocl_later() collected. */
void ocl_unlock(void);
/* Lock held: leave them to the device thread, which takes them. False: there are none.
 */
bool ocl_leave_calls(void);
bool ocl_take_calls(void);
/* What threads wait for. No pthread_cond_t: where a signal's handler that ends the
 * program runs amidst a wait, that would keep all who signal it for ever. */
struct ocl_bell {
    _Atomic uint32_t rings;
    uint32_t waiters;
};
/* Wait until somebody rings it, or for nothing; gives up the lock meanwhile. False: it
 * is `end` (of CLOCK_REALTIME; NULL: for ever). */
bool ocl_wait_on(struct ocl_bell *bell, const struct timespec *end);
void ocl_ring(struct ocl_bell *bell); /* lock held */
/* The same of any change. */
void ocl_wait_change(void);
void ocl_changed(void);
/* Call fn(a, b) once the lock is free; for the program's callbacks. */
void ocl_later(void (*fn)(void *a, void *b), void *a, void *b);
/* Lock held: wait until such calls have returned, but at most a second (they may wait
 * for us), and not from within one. */
void ocl_await_calls(void);

/* A zeroed object with one reference, or NULL. */
void *ocl_new(enum ocl_type type, size_t bytes, void (*destroy)(void *));
bool ocl_is(const void *object, enum ocl_type type);
void ocl_hold(void *object); /* lock held */
void ocl_drop(void *object); /* lock held; NULL is allowed */
/* The program's retain and release: `invalid` unless it is a live object of the type.
 * Take the lock themselves. */
cl_int ocl_retain(void *object, enum ocl_type type, cl_int invalid);
cl_int ocl_release(void *object, enum ocl_type type, cl_int invalid);

/* ---- answers to clGet*Info (info.c) -------------------------------------------- */

struct ocl_answer {
    size_t size; /* the program's buffer */
    void *value;
    size_t *needed;
};
cl_int ocl_answer_bytes(const struct ocl_answer *a, const void *data, size_t bytes);
cl_int ocl_answer_text(const struct ocl_answer *a, const char *text);
cl_int ocl_answer_uint(const struct ocl_answer *a, cl_uint value);
cl_int ocl_answer_ulong(const struct ocl_answer *a, cl_ulong value);
cl_int ocl_answer_size(const struct ocl_answer *a, size_t value);
cl_int ocl_answer_pointer(const struct ocl_answer *a, const void *pointer);

/* *errcode_ret = status when it is not NULL; returns what. */
void *ocl_result(cl_int *errcode_ret, cl_int status, void *what);

/* ---- platform and devices (platform.c, device_info.c) -------------------------- */

struct _cl_platform_id {
    struct ocl_object o;
};

struct _cl_device_id {
    struct ocl_object o;
    const struct igpu_device *known;
    const char *name; /* CL_DEVICE_NAME */
    struct igpu_config config;
};

extern struct _cl_icd_dispatch ocl_dispatch; /* filled by icd.c, never changed */
struct _cl_platform_id *ocl_platform(void);
/* The devices offered (all, or the one of IGPU_DEVICE). */
struct _cl_device_id *ocl_device(unsigned index);
cl_uint ocl_device_threads(const struct _cl_device_id *device);
const char *ocl_extensions(void);
cl_int ocl_answer_extensions(const struct ocl_answer *a);
cl_ulong ocl_max_alloc(void); /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
/* The most bytes of an allocation with these flags. */
cl_ulong ocl_alloc_limit(cl_bitfield flags);

/* ---- context (context.c, address.c) --------------------------------------------- */

/* A change of the address space that the device thread makes before it runs on. */
struct ocl_map_op {
    struct ocl_map_op *next;
    uint64_t va, bytes; /* bytes 0: unmap */
    void *host;
    void *release; /* host memory to free afterwards, or NULL */
};

struct ocl_va_hole {
    struct ocl_va_hole *next;
    uint64_t va, bytes;
};

struct ocl_destructor {
    struct ocl_destructor *next;
    void (*fn)(void *object, void *user);
    void *user;
};

struct _cl_context {
    struct ocl_object o;
    cl_device_id device[OCL_DEVICES];
    cl_uint devices;
    cl_context_properties *properties;
    size_t properties_count;
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_user;
    struct ocl_destructor *destructor;
    struct emu_mem *mem; /* the device thread's */
    uint64_t space; /* number of its address space: no two contexts have the same */
    uint64_t next_va;
    struct ocl_va_hole *hole[OCL_HOLES]; /* addresses that are free again, by size */
    struct ocl_map_op *op, **op_end;
    struct ocl_svm *svm;
    uint32_t commands;       /* that are not complete, in all its queues.. */
    cl_command_queue queues; /* ..one of them */
};

bool ocl_context_has(cl_context context, cl_device_id device);
/* Give host[bytes] an address (lock held); 0: memory is short. */
uint64_t ocl_map(cl_context context, void *host, uint64_t bytes);
/* Take the address back; `release` is freed when the device no longer sees it. */
void ocl_unmap(cl_context context, uint64_t va, uint64_t bytes, void *release);
/* Lock held, while no launch runs: apply what ocl_map() and ocl_unmap() asked. */
enum igpu_status ocl_apply_maps(cl_context context, struct igpu_err *err);
/* The same if no command is under way, so that released memory is freed without one. */
void ocl_release_maps(cl_context context);
/* The end of its address space, and of all shared virtual memory in it. */
void ocl_address_free(cl_context context);
/* Tell the user on stderr, and the context's callback. Lock not held. */
void ocl_report(cl_context context, const char *text);

/* ---- queues, events, commands (queue.c, event.c, event_calls.c, sched.c) --------- */

struct _cl_command_queue {
    struct ocl_object o;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    cl_queue_properties *list;
    size_t list_count;
    cl_command_queue next;         /* of the context's */
    cl_event first, last;          /* commands that are not complete, in order */
    cl_event barrier;              /* out of order: what later commands wait for */
    cl_int failed;                 /* of a command since the last clFinish */
    cl_ulong end;                  /* of its commands so far, the latest */
    uint32_t number;               /* of queues of this process, from 1 */
    const struct oa_set *counters; /* a performance counter queue's metric set; NULL */
};

struct ocl_edge {
    struct ocl_edge *next;
    cl_event to;
    bool strict; /* an error goes on: an explicit wait list */
};

struct ocl_event_callback {
    struct ocl_event_callback *next;
    cl_int status;
    void(CL_CALLBACK *fn)(cl_event, cl_int, void *);
    void *user;
};

/* What a command does, on the device thread or one that waits for it. */
struct ocl_command {
    cl_int (*run)(cl_event event, void *data); /* NULL: nothing */
    void (*free)(void *data);                  /* lock held; NULL: nothing */
    void *data;
};

enum { OCL_QUEUED, OCL_SUBMIT, OCL_START, OCL_END, OCL_TIMES };

struct _cl_event {
    struct ocl_object o;
    cl_context context;
    cl_command_queue queue; /* NULL: user event */
    cl_command_type type;
    cl_int status;
    cl_ulong time[OCL_TIMES];
    cl_ulong after;        /* end of the events of its wait list, the latest */
    uint64_t number;       /* of commands, in the order in which they came */
    uint32_t waits;        /* events that must be complete first */
    bool failed_before;    /* one of them failed */
    struct ocl_edge *edge; /* who waits for this one */
    struct ocl_event_callback *callback;
    struct ocl_command command;
    cl_event prev, next; /* in the queue */
    cl_event ready;      /* next to run */
    uint8_t *report;     /* of a performance counter queue's kernel; NULL: none */
};

struct ocl_wait_list {
    cl_uint count;
    const cl_event *event;
};

/* CL_SUCCESS, or what is wrong with a wait list for commands of `context`. */
cl_int ocl_check_waits(cl_context context, const struct ocl_wait_list *list);

enum ocl_order {
    OCL_PLAIN,  /* in order: after the command before */
    OCL_AFTER,  /* after its wait list or, when that is empty, all before */
    OCL_BARRIER /* the same, and all later ones after it */
};

/* Queue a command; lock held. Takes command->data in every case. blocking: return
 * when it is complete. out may be NULL. */
cl_int ocl_submit(cl_command_queue queue, cl_command_type type, enum ocl_order order,
                  const struct ocl_wait_list *list, const struct ocl_command *command,
                  bool blocking, cl_event *out);
/* Set an event's end: CL_COMPLETE or negative. Lock held. */
void ocl_event_finish(cl_event event, cl_int status);
void ocl_event_status(cl_event event, cl_int status);
/* Have the callback, whose status is reached, called. Lock held. */
void ocl_event_notify(cl_event event, const struct ocl_event_callback *callback,
                      cl_int status);
/* Everything the event waited for is over: it may be run. Lock held. */
void ocl_sched_ready(cl_event event);
/* Wait for a change of any event; gives up the lock meanwhile. Or, if the next command
 * that is ready is one of the queue (NULL: of none) and none is run, run it here. At
 * exit, when the device thread has ended, whatever is ready is run here, for a library
 * that ends after this one and waits for it. */
void ocl_wait(cl_command_queue queue);
cl_event ocl_event_new(cl_context context, cl_command_queue queue,
                       cl_command_type type);
/* Wait until the commands that a queue has now are complete: not for those that other
 * threads queue meanwhile, which may wait for this one. Lock held. */
void ocl_queue_drain(cl_command_queue queue);
/* The same of all queues of a context. */
void ocl_context_drain(cl_context context);

/* Nanoseconds on the device's time line: the host's, or simulated (device_time.c). */
cl_ulong ocl_now(void);
/* When the host is at work. Its code takes no simulated time, so that this is the end
 * of the last command that it waited for, wherever the device thread may be. */
cl_ulong ocl_host_now(void);
/* The host learns that a command ended at `time`. */
void ocl_host_saw(cl_ulong time);

/* ---- memory objects (mem.c, svm.c, image.c) ------------------------------------ */

struct ocl_mapping {
    struct ocl_mapping *next;
    uint8_t *pointer;
    cl_map_flags flags;
};

struct _cl_mem {
    struct ocl_object o;
    cl_context context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    uint8_t *data; /* what the device sees */
    void *host_ptr;
    void *owned; /* to free, or NULL */
    uint64_t va;
    cl_mem parent; /* sub-buffer, image of a buffer */
    size_t origin;
    struct ocl_mapping *mapping;
    struct ocl_destructor *destructor;
    cl_mem_properties *properties;
    size_t properties_count;
    bool svm; /* host_ptr came from clSVMAlloc */
    cl_image_format format;
    struct emu_image image; /* images: as the device takes it */
    size_t pixel_bytes;
    cl_uint packet_bytes, packets; /* pipes */
};

cl_bool ocl_has_images(void);
bool ocl_is_buffer(cl_mem mem);
bool ocl_is_image(cl_mem mem);
bool ocl_is_pipe(cl_mem mem);
cl_int ocl_check_mem_flags(cl_mem_flags flags, const void *host_ptr);
/* Complete the flags of a sub-buffer, or of an image of a buffer, by its parent's.
 * CL_INVALID_VALUE when they contradict those. */
cl_int ocl_inherit_flags(cl_mem parent, cl_mem_flags *flags);
/* Fill the common parts, allocate or adopt memory, map it. Lock held. */
cl_int ocl_mem_back(cl_mem mem, size_t bytes, cl_mem_flags flags, void *host_ptr);
void ocl_mem_destroy(void *object);
/* Bytes of an object of `bytes` that kernels may touch: whole words, since the compiler
 * reads the word that holds the last byte, and a surface's size counts in words; with
 * IGPU_LENIENT=1 whole pages of memory that is ours. */
size_t ocl_visible_bytes(cl_mem mem, size_t bytes);
/* IGPU_LENIENT=1 */
bool ocl_lenient(void);

struct ocl_svm {
    struct ocl_svm *next;
    uint8_t *pointer;
    size_t bytes;
    cl_svm_mem_flags flags;
    /* Of Intel's extension only (usm.c); else 0, NULL, 0. */
    cl_unified_shared_memory_type_intel usm;
    cl_device_id device;
    cl_mem_alloc_flags_intel usm_flags;
};
/* Memory for kernels and host at one address; NULL: there is none. Lock held. */
struct ocl_svm *ocl_svm_make(cl_context context, size_t bytes);
/* Free what clSVMAlloc() or usm.c gave; false: it was not. No command may use it any
 * more. Lock held. */
bool ocl_svm_drop(cl_context context, void *pointer);
/* The allocation that holds the address, or NULL. Lock held. */
struct ocl_svm *ocl_svm_find(cl_context context, const void *pointer);
/* Commands on such memory, or on any other of the host's; everything is checked. */
cl_int ocl_svm_copy(cl_command_queue queue, cl_command_type type, bool blocking,
                    void *dst, const void *src, size_t size,
                    const struct ocl_wait_list *waits, cl_event *event);
cl_int ocl_svm_fill(cl_command_queue queue, cl_command_type type, void *ptr,
                    const void *pattern, size_t pattern_size, size_t size,
                    const struct ocl_wait_list *waits, cl_event *event);
cl_int ocl_svm_nothing(cl_command_queue queue, cl_command_type type, const void *ptr,
                       bool blocking, const struct ocl_wait_list *waits,
                       cl_event *event);

/* A box of bytes moved from one place to another. */
struct ocl_box {
    size_t row_bytes, rows, slices;
    size_t src_row, src_slice, dst_row, dst_slice; /* pitches */
    const uint8_t *src;
    uint8_t *dst;
};
/* Queue its copy, holding the memory objects (either may be NULL). Lock held. */
cl_int ocl_submit_copy(cl_command_queue queue, cl_command_type type,
                       const struct ocl_box *box, cl_mem a, cl_mem b,
                       const struct ocl_wait_list *list, bool blocking, cl_event *out);
/* Queue the filling of a box (its dst) with a pattern. Lock held. */
cl_int ocl_submit_fill(cl_command_queue queue, cl_command_type type,
                       const struct ocl_box *box, const void *pattern,
                       size_t pattern_bytes, cl_mem mem,
                       const struct ocl_wait_list *list, cl_event *out);
/* Map or unmap: a command that copies nothing. Lock held. */
cl_int ocl_submit_nothing(cl_command_queue queue, cl_command_type type, cl_mem mem,
                          const struct ocl_wait_list *list, bool blocking,
                          cl_event *out);
/* Remember a mapping; lock held. False: memory is short. */
bool ocl_mapping_add(cl_mem mem, void *pointer, cl_map_flags flags);
/* Forget one of the mappings at the address; lock held. False: there is none. */
bool ocl_mapping_remove(cl_mem mem, const void *pointer);

struct _cl_sampler {
    struct ocl_object o;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties *properties;
    size_t properties_count;
};

#endif
