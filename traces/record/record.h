/* record.h - from a kernel's source or binary to a trace: compile, load, decode,
 * set the arguments, emulate, record. What `igpu record`, `make samples` and the
 * kernel suite's tests share. Tests: tests/traces/test_record.c */
#ifndef IGPU_RECORD_H
#define IGPU_RECORD_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/emu.h"
#include "igpu/err.h"
#include "traces/format/trace.h"
#include "traces/program/argspec.h"
#include "traces/program/compile.h"
#include "traces/program/program.h"

/* A program loaded into an address space, with one of its kernels ready to run. */
struct record_program {
    bool shared; /* image and mem belong to somebody else */
    struct loader_program *image;
    const struct loader_kernel *kernel;
    struct emu_mem *mem;
    struct program *program;      /* NULL when shared */
    struct program_kernel *ready; /* the kernel's; the next three are copies */
    struct isa_kernel_code code;
    struct emu_program *emu;
    uint32_t arg_count;
    uint64_t source_hash;
    char *build_options;
    char *file; /* the source that was compiled, where there is one; NULL */
    struct loader_program *lines; /* whose lines are the kernel's; NULL: the image's */
    uint32_t context;             /* of launches from now on: struct trace_launch */
    enum trace_arbiter arbiter;   /* the same */
};

/* Open FILE.cl (compiled for `device` with `options`, NULL: none) or a zebin, and
 * make `kernel` ready (NULL: the only one of the file). IGPU_USAGE: no such kernel;
 * IGPU_BAD_INPUT: does not compile, is no zebin, or needs what is not supported.
 * waiting: told while the compiler works; NULL: nobody. */
enum igpu_status record_open(struct record_program *p, const char *file,
                             const char *device, const char *options,
                             const char *kernel, const struct compile_waiting *waiting,
                             struct igpu_err *err);
/* The same for one kernel of a relocated image that the caller loaded, and mapped in
 * *mem: both outlive *p. build_options may be NULL. */
enum igpu_status record_open_kernel(struct record_program *p,
                                    struct loader_program *image, struct emu_mem *mem,
                                    const char *kernel, uint64_t source_hash,
                                    const char *build_options, struct igpu_err *err);
void record_close(struct record_program *p);
/* The kernel's source lines, where its binary has them, with the sources' texts as they
 * can be read now; without memory there are none. */
/* The lines of `kernel` into p->lines, where options ask the compiler for them and
 * *image, which is not relocated, has none as it has several kernels. */
void record_find_lines(struct record_program *p, const struct loader_program *image,
                       const char *device, const char *options, const char *kernel);
void record_lines(const struct record_program *p, struct trace_kernel *kernel);
void record_lines_free(struct trace_kernel *kernel);

/* Which FPU values go into the trace: of threads below `threads`, of each the first
 * `instructions` instructions of an FPU. Zero: all. Apart from that, whether their
 * toggles are counted (of all). */
struct record_values {
    bool on, toggles;
    uint64_t threads, instructions;
};

/* Run *launch on p->mem and record it as the next launch of *writer, with hooks of
 * our own (of the launch's, access and thread_end are called as well). values: NULL for
 * none. *kernel: the kernel's index in the trace, or UINT32_MAX, and then it is added
 * and its index stored. Statuses as for record_run(); unless IGPU_OK the writer is only
 * good for trace_writer_abort(). */
enum igpu_status record_launch(struct record_program *p,
                               const struct emu_launch *launch,
                               struct trace_writer *writer,
                               const struct record_values *values, uint32_t *kernel,
                               struct emu_counts *counts, struct igpu_err *err);
/* Parts of a launch's grid, in ascending order and apart from each other. */
struct record_place {
    uint64_t first, groups;
};
struct record_places {
    const struct record_place *place;
    uint32_t count;
    /* Called before place i is run, and at the end with i = count; what lies between
     * may be run then. Another status than IGPU_OK ends the launch. */
    enum igpu_status (*between)(void *ctx, uint32_t i, struct igpu_err *err);
    void *ctx;
};
/* Run and record the groups of these places alone, as one launch whose threads are
 * numbered without gaps; of the launch's hooks access and thread_end are called, with
 * the numbers of the whole launch. What ran is added to *counts. Else as
 * record_launch(). */
enum igpu_status record_places(struct record_program *p,
                               const struct emu_launch *launch,
                               const struct record_places *places,
                               struct trace_writer *writer, uint32_t *kernel,
                               struct emu_counts *counts, struct igpu_err *err);
/* Write *launch as the next launch of a launch file, whose kernel and, if wanted,
 * memory come before the first one. *kernel: as for record_launch(); one kernel a file.
 */
enum igpu_status record_write_launch(struct record_program *p,
                                     const struct emu_launch *launch,
                                     struct trace_writer *writer, bool memory,
                                     uint32_t *kernel, struct igpu_err *err);
/* SLM of a group of the launch, in bytes, and whether the kernel may meet a barrier. */
uint32_t record_slm_bytes(const struct record_program *p,
                          const struct emu_launch *launch);
bool record_uses_barrier(const struct record_program *p);
/* Would the sizes run? Else IGPU_USAGE. *threads: hardware threads of the launch. */
enum igpu_status record_check_sizes(const struct record_program *p,
                                    const struct emu_launch *launch, uint32_t *threads,
                                    struct igpu_err *err);

/* Who is told of each launch while it runs, beside a trace or instead of one. */
struct record_observer {
    void *ctx;
    /* A launch begins; *launch and *kernel live until end(). *pieces: in how many
     * pieces its grid is to be run; 0, as it comes, for all of it (a part makes no
     * sense beside a trace, and leaves buffers as the whole launch would not). */
    enum igpu_status (*begin)(void *ctx, const struct trace_kernel *kernel,
                              const struct trace_launch *launch, uint32_t *pieces,
                              struct igpu_err *err);
    /* Before each piece: its groups. */
    void (*piece)(void *ctx, uint32_t i, uint64_t *first_group, uint64_t *groups);
    struct emu_hooks hooks; /* thread numbers are those of the whole launch */
    enum igpu_status (*end)(void *ctx, struct igpu_err *err);
};

struct record_buffer {
    uint8_t *host; /* NULL unless the argument is a buffer or image */
    uint64_t bytes, va;
    struct emu_image image; /* of an image argument */
};

struct record_job {
    uint32_t dims;
    uint64_t global[3], local[3], offset[3];
    const struct argspec *arg; /* one for each argument */
    uint32_t arg_count;
    uint32_t repeat; /* launches, one after the other; 0: one */
    /* Unless NULL: the value of argument `again_arg` in all launches but the first. */
    const struct argspec *again;
    uint32_t again_arg;
    uint64_t max_instructions;     /* of each launch; 0: no limit */
    uint32_t host_threads;         /* that run its groups; 0: one */
    const char *trace;             /* file to write; NULL: run without recording */
    const char *launches;          /* launch file to write; NULL: none */
    bool only_launches;            /* nothing is run */
    const struct emu_races *races; /* who looks for races; NULL: nobody */
    struct record_values values;
    const struct record_observer *observer; /* or NULL; only without a trace */
    const char *device, *file, *command_line;
    /* Called with the output of printf() after the launch; NULL: it is dropped. */
    void (*print)(void *ctx, const char *text, size_t length);
    void *print_ctx;
};

struct record_result {
    struct record_buffer *buffer; /* one for each argument; content after the run */
    uint32_t buffers;
    struct emu_counts counts;
};

/* Run the launch (job->repeat times, on what the buffers then hold; counts add up).
 * *result is freed by record_result_free() after every call. IGPU_USAGE: arguments or
 * sizes do not fit; IGPU_SIM_ERROR: the kernel does something that cannot be executed.
 * No trace file is left then. */
enum igpu_status record_run(struct record_program *p, const struct record_job *job,
                            struct record_result *result, struct igpu_err *err);
void record_result_free(struct record_program *p, struct record_result *result);

/* True when the kernel uses values that atomics return, so that its recorded path
 * may be one of several that real timing would allow. */
bool record_order_matters(const struct record_program *p);

/* True when the kernel reads its clock (tm0), which counts the thread's instructions:
 * when they run is only known later. */
bool record_reads_clock(const struct record_program *p);
#endif
