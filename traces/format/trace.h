/* trace.h - trace files, format v1: writer and reader. traces/format/igpu_trace.proto
 * is the format; nothing of protobuf shows here.
 *
 * A trace is a header, kernels (static code and CFG), launches, and per hardware
 * thread two streams: the path (blocks in order of execution) and the accesses (one
 * record per executed send that accesses memory, in path order). Writer and reader
 * need bounded memory however long a thread is. No global state: any number of
 * writers and readers may be open, each used by one host thread at a time.
 *
 * Tests: tests/traces/test_trace_*.c */
#ifndef IGPU_TRACE_H
#define IGPU_TRACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/err.h"
#include "igpu/isa.h"
#include "igpu/toggles.h"
#include "igpu/told.h"
#include "igpu/values.h"

enum {
    TRACE_MAJOR = 1,  /* another major version is refused */
    TRACE_MINOR = 10, /* 1: accesses "as before"; 10: graphics, and no other trace has
                         it; unknown sections are skipped. Graphics of 2 to 5, 7 and 9,
                         whose addresses were other things too, are refused */
    TRACE_MINOR_LAUNCHES = 8, /* of launch files, which have no paths */
    TRACE_MINOR_IMAGES = 6,   /* of other traces, with kernels that read images */
    TRACE_MINOR_MOVED = 11,   /* of any trace with pieces that are moved */
    TRACE_MAX_LANES = 32,
    TRACE_MAX_ARGS = 256,
    TRACE_MAX_ARG_BYTES = 4096,
    TRACE_MAX_SOURCES = 64,  /* of a kernel */
    TRACE_MAX_CALLS = 4096,  /* of inlined functions in it */
    TRACE_MAX_TEXT = 1 << 16 /* bytes of any one string */
};

/* What the whole file is about. Strings are never NULL in what the reader returns;
 * NULL means "" to the writer. */
struct trace_header {
    const char *producer;     /* program and version that recorded */
    const char *device;       /* of igpu/device.h: "skl", "kbl", ... */
    const char *program;      /* source or binary of the kernels */
    const char *command_line; /* that made this trace */
    bool graphics;            /* writer: its kernels may have a stage */
    bool launches;            /* writer: a launch file (traces/launch/launch.h) */
};

/* Which shader a thread of graphics runs; pixel shaders' threads wait for what the
 * others deliver. Those of compute shaders are launches of their own, and have no
 * PAYLOAD message. */
enum trace_stage {
    TRACE_STAGE_COMPUTE,
    TRACE_STAGE_VERTEX,
    TRACE_STAGE_PIXEL,
    TRACE_STAGE_GEOMETRY,
    TRACE_STAGE_HULL,
    TRACE_STAGE_DOMAIN,
    TRACE_STAGES
};

/* Where an instruction comes from: a source of its kernel, counted from 1 (0: not
 * known), and a line of it. */
struct trace_line {
    uint32_t source, line;
    uint32_t
        call; /* of its kernel's, the innermost, from 1; 0: in no inlined function */
};
/* Where an inlined function is called; up: of the function that it is called in. */
struct trace_call {
    uint32_t source, line, up;
};
struct trace_source {
    const char *name, *text; /* text "": not recorded */
};

/* One kernel: static properties, instructions in full, blocks. */
struct trace_kernel {
    const char *name;
    const char *build_options;
    uint64_t source_hash; /* of source or binary, recorder's choice; 0 unknown */
    uint32_t simd;        /* work-items of a full thread: 8, 16 or 32 */
    uint32_t slm_bytes;   /* static SLM of a group, without local arguments */
    uint32_t grf_count;
    bool barriers; /* the kernel may execute a barrier */
    bool graphics; /* threads may also begin at a block behind one that ends the thread
                    */
    const struct trace_line *line; /* of each instruction; NULL: not recorded */
    const struct trace_source *source;
    uint32_t sources;              /* at most TRACE_MAX_SOURCES */
    const struct trace_call *call; /* with lines; up is an earlier one */
    uint32_t calls;
    struct isa_kernel_code code;
    struct isa_block_list blocks; /* as isa_blocks() makes them from code */
};

enum trace_arg_kind {
    TRACE_ARG_VALUE = 0,
    TRACE_ARG_BUFFER = 1,
    TRACE_ARG_LOCAL = 2,
    TRACE_ARG_IMAGE = 3,
    TRACE_ARG_SAMPLER = 4
};

struct trace_arg {
    enum trace_arg_kind kind;
    uint64_t bytes;       /* size of value, buffer, local memory or image */
    uint64_t address;     /* buffer, image: GPU virtual address, else 0 */
    const uint8_t *value; /* VALUE: `bytes` bytes (at most TRACE_MAX_ARG_BYTES), else
                             NULL */
};

/* What one thread, or all threads together, executed. */
struct trace_totals {
    uint64_t instructions;      /* hardware-thread instructions: the sum of the
                                   lengths of the path's blocks, EOT included */
    uint64_t lane_instructions; /* sum of enabled lanes */
    uint64_t flops;             /* per enabled lane: add sub mul math 1, mad 2 */
};

/* How an EU's units choose among their threads (docs/contract/model.md, 4.4). */
enum trace_arbiter {
    TRACE_ARBITER_ANY, /* not told: as the configuration says */
    TRACE_ARBITER_RR,
    TRACE_ARBITER_OLDEST
};

/* One launch. Threads are numbered in group-linear order: id = group *
 * threads_per_group + thread in group; group = x + y * groups_x + z * ... */
struct trace_launch {
    uint32_t kernel; /* index from trace_writer_kernel() */
    uint32_t dims;   /* 1..3 */
    uint64_t global[3], local[3], offset[3];
    uint32_t slm_bytes; /* of a group: static and local arguments */
    uint32_t threads_per_group, threads;
    uint32_t context; /* whose it was: 0, 1, ... as the program's queues; 0: not told */
    uint32_t draw;    /* of graphics: its first draw of the frame, from 1, dispatches
                         counted with them; 0: none */
    enum trace_arbiter arbiter; /* that its program asked for */
    uint32_t nargs;
    const struct trace_arg *args;
    /* Filled by writer and reader; ignored by trace_writer_launch_begin(). */
    struct trace_totals totals;
    uint64_t blocks, accesses, lane_accesses;
    uint32_t toggle_count; /* of the kernel's instructions, or 0: not recorded */
    const struct toggle_count *toggles; /* one for each, or NULL */
};

/* One executed send that accesses memory. Bit l of mask: lane l of the message
 * (lane 0 = first channel of the message, not of the thread) accesses addr[l], a byte
 * address: the GPU virtual address for surfaces, stateless, A64 and scratch messages
 * (scratch lies in a pool of the recorder); the offset in the group's SLM for SLM. A
 * block message has mask 1 and its first address. mask may be 0. addr[l] of a lane that
 * is off is 0. Sizes are static: code.inst[inst].msg. */
struct trace_access {
    uint32_t inst; /* index of the send in the kernel's code */
    uint32_t mask;
    uint64_t addr[TRACE_MAX_LANES];
};

/* May a thread of such a kernel begin with the block, which exists? */
static inline bool trace_may_begin(bool graphics, const struct isa_block_list *blocks,
                                   uint32_t block)
{
    return block == 0 || (graphics && blocks->block[block - 1].ends_thread);
}

/* What a message of graphics is about, beside the addresses of its access. PAYLOAD, the
 * first message of a thread: what fixed functions did for it, since the thread before
 * it of its draw and stage; it has no address. */
enum trace_work {
    TRACE_WORK_VERTICES,   /* given to the vertex shader */
    TRACE_WORK_BYTES,      /* of vertex buffers */
    TRACE_WORK_PRIMITIVES, /* assembled, and given to the clipper */
    TRACE_WORK_BLOCKS,     /* of 2x2 pixels with at least one covered */
    TRACE_WORK_TESTS,      /* pixels tested for depth or stencil before their shader */
    TRACE_WORK_HIZ,        /* blocks of 8x4 pixels tested by hierarchical depth */
    TRACE_WORKS
};
/* How a line of 64 B is touched: bits. WRITTEN, READ: by tests of depth or stencil,
 * whose it is (NOTE: hierarchical depth's). PACKED, PACKS: of a compressed surface, one
 * line holds it and the one 512 B beside it, as the message finds them / as it leaves
 * them. */
enum {
    TRACE_DEPTH_WRITTEN = 1,
    TRACE_DEPTH_READ = 2,
    TRACE_DEPTH_NOTE = 4,
    TRACE_LINE_PACKED = 8,
    TRACE_LINE_PACKS = 16
};
enum { TRACE_DEPTH_PAGE = 4096, TRACE_DEPTH_RUNS = 12 /* of a thread */ };
struct trace_depth {
    uint64_t page, lines; /* its address, and a bit for each of its lines */
    uint8_t how;          /* TRACE_DEPTH_ bits */
};
struct trace_payload {
    uint64_t work[TRACE_WORKS];
    uint64_t needed; /* so many of the launch's threads that are no pixel shaders' must
                        have ended, the first */
    uint32_t draw;   /* of the frame, from 1 */
    enum trace_stage stage;
    uint32_t runs; /* lines that the tests touch: */
    struct trace_depth depth[TRACE_DEPTH_RUNS];
};
/* The lanes of TEXTURE are lines of texels, those of TARGET lines of pixels and, where
 * `how` has WRITTEN or READ, of late tests. Lines beyond these are left out. */
enum { TRACE_TEXTURE_LINES = 31, TRACE_TARGET_LINES = 30 };
struct trace_graphics {
    uint8_t family; /* which of these: ISA_MSG_PAYLOAD, _TEXTURE, _TARGET */
    union {
        struct trace_payload payload;
        struct {
            uint32_t samples; /* bilinear ones of 32 bits */
        } texture;
        struct {
            uint32_t written, read; /* pixels; read: before. written 0: a read */
        } target;
    };
    uint8_t how[TRACE_MAX_LANES]; /* of each enabled lane's line, lowest lane first */
};

/* NULL when *kernel can be written, read and timed, else what is wrong with it; *inst
 * gets the index of the instruction or, if it is none's fault, 0. */
const char *trace_kernel_fault(const struct trace_kernel *kernel, uint32_t *inst);

/* Does the instruction have one struct trace_access each time it is executed? */
bool trace_has_access(const struct isa_inst *inst);

/* ---- writer ------------------------------------------------------------- */

struct trace_writer;
struct trace_thread;

/* Start `path`, which appears whole when it is closed (igpu/output.h). Strings are
 * copied. NULL and *err: *status (may be NULL) is IGPU_USAGE when the file cannot be
 * created, IGPU_BAD_INPUT when memory is short. */
struct trace_writer *trace_writer_open(const char *path,
                                       const struct trace_header *header,
                                       enum igpu_status *status, struct igpu_err *err);

/* Add a kernel (copied) and give its index, 0 for the first, to *index. Any time
 * outside a launch. */
enum igpu_status trace_writer_kernel(struct trace_writer *w,
                                     const struct trace_kernel *kernel, uint32_t *index,
                                     struct igpu_err *err);

/* Begin a launch (copied, arguments too); index to *index (may be NULL). One launch
 * at a time. */
enum igpu_status trace_writer_launch_begin(struct trace_writer *w,
                                           const struct trace_launch *launch,
                                           uint32_t *index, struct igpu_err *err);

/* Toggles of the launch's data, one for each instruction of its kernel's code (copied);
 * optional. The writer keeps an error. */
void trace_writer_toggles(struct trace_writer *w, const struct toggle_count *toggles);

/* End it. IGPU_SIM_ERROR unless each of its threads was begun and ended once. */
enum igpu_status trace_writer_launch_end(struct trace_writer *w, struct igpu_err *err);

/* Begin a thread of the launch. Threads may come in any order and interleave (those
 * of one group must be able to), but ordered by number the file is smallest and
 * fastest to read; each open one holds at most about 1 MB, all together about 64 MB.
 * Errors inside a thread are kept by the writer: the calls below go on harmlessly and
 * thread_end, launch_end and close report the first. NULL: memory is short or the
 * number is out of range; the writer has the error. The thread belongs to the writer.
 */
struct trace_thread *trace_thread_begin(struct trace_writer *w, uint32_t thread);

/* The thread enters block `block`. The first of a thread is 0, the kernel's entry. */
void trace_thread_block(struct trace_thread *t, uint32_t block);

/* The thread executed the send at instruction index `inst`; see struct trace_access.
 * Lanes of addr that are off in mask are not read. */
void trace_thread_access(struct trace_thread *t, uint32_t inst, uint32_t mask,
                         const uint64_t *addr);

/* The same of a PAYLOAD, TEXTURE or TARGET message: *g, copied, is of its family. addr
 * may be NULL where mask is 0. */
void trace_thread_graphics(struct trace_thread *t, uint32_t inst, uint32_t mask,
                           const uint64_t *addr, const struct trace_graphics *g);

/* Blocks and accesses of what the thread did next, in bulk: igpu/told.h. */
void trace_thread_told(struct trace_thread *t, const uint64_t *word, size_t words);

/* The launch's next threads, from `first` on: others will be like them. When all of
 * them have ended, may trace_thread_alike() be called for the launch? `proved`: it
 * will be. False too where one of them is in several pieces, or memory is short. */
void trace_writer_alike_begin(struct trace_writer *w, uint32_t first, uint32_t threads);
bool trace_writer_alike_ended(struct trace_writer *w, bool proved);
/* Thread `thread`, from its begin to its end, did what thread `like`, one of those,
 * did, but that of its accesses by instruction inst[i] all addresses are way[i]
 * further, modulo 2^64. The file is the one that it would be if it had been told of. */
void trace_thread_alike(struct trace_writer *w, uint32_t thread, uint32_t like,
                        uint32_t sends, const uint32_t *inst, const uint64_t *way,
                        const struct trace_totals *totals);

/* The thread executed an instruction of an FPU: optional, see igpu/values.h. From a
 * thread's first such instruction on, in order, without a gap. */
void trace_thread_values(struct trace_thread *t, const struct fpu_values *values);

/* The thread ended; t is gone. */
enum igpu_status trace_thread_end(struct trace_thread *t,
                                  const struct trace_totals *totals,
                                  struct igpu_err *err);

/* Complete the file and rename it to its path. In every case the writer and all its
 * memory are gone; unless IGPU_OK the temporary file is, too. */
enum igpu_status trace_writer_close(struct trace_writer *w, struct igpu_err *err);

/* Give up: remove the temporary file, free everything. NULL is allowed. */
void trace_writer_abort(struct trace_writer *w);

/* ---- reader ------------------------------------------------------------- */

struct trace_reader;
struct trace_cursor;

struct trace_summary {
    uint32_t major, minor;
    uint32_t kernels, launches, chunks; /* chunks: sections of every kind */
    uint64_t threads, blocks, accesses, lane_accesses;
    struct trace_totals totals;
    uint64_t file_bytes;
    uint64_t path_bytes, access_bytes; /* thread sections' content before zstd */
    uint64_t values, values_bytes;     /* records of FPU values, theirs */
};

/* One section of the file, in file order. */
struct trace_chunk_info {
    const char *kind; /* "header", "kernel", "launch", "threads", "values", "unknown" */
    uint64_t offset;  /* of its frame in the file */
    uint32_t bytes, raw_bytes;
    uint32_t launch, first_thread, last_thread; /* "threads" only */
};

/* Open and check header, footer, kernels and launches; thread sections are read and
 * checked when they are needed. NULL and *err when the file is missing, no trace, cut
 * short, corrupt or of another major version: IGPU_BAD_INPUT in *status (may be
 * NULL). */
struct trace_reader *trace_open(const char *path, enum igpu_status *status,
                                struct igpu_err *err);
/* The same of a launch file, which trace_open() refuses; a trace is refused here. */
struct trace_reader *trace_open_launches(const char *path, enum igpu_status *status,
                                         struct igpu_err *err);
/* The same of either. */
struct trace_reader *trace_open_any(const char *path, enum igpu_status *status,
                                    struct igpu_err *err);
void trace_close(struct trace_reader *r); /* NULL is allowed; closes no cursor */

/* What the reader returns stays valid until trace_close(). Indices must be in range. */
const struct trace_header *trace_header(const struct trace_reader *r);
const struct trace_summary *trace_summary(const struct trace_reader *r);
const struct trace_launch *trace_launch(const struct trace_reader *r, uint32_t index);
const struct trace_kernel *trace_kernel(const struct trace_reader *r, uint32_t index);
struct trace_chunk_info trace_chunk(const struct trace_reader *r, uint32_t index);

/* Check one section's checksum. IGPU_BAD_INPUT and the offset in *err. */
enum igpu_status trace_chunk_check(struct trace_reader *r, uint32_t index,
                                   struct igpu_err *err);

/* Everything that trace_open() has not checked: checksums, every path against the CFG,
 * every access against its path, FPU values against theirs, every count against the
 * footer's. What passes, an engine runs: a configuration may be too small for it, the
 * trace gives no other reason to refuse. */
enum igpu_status trace_verify(struct trace_reader *r, struct igpu_err *err);

/* The same for launches first..last (which exist) and the sections that hold them. */
enum igpu_status trace_verify_launches(struct trace_reader *r, uint32_t first,
                                       uint32_t last, struct igpu_err *err);

enum trace_next { TRACE_NEXT_ERROR = -1, TRACE_NEXT_END = 0, TRACE_NEXT_OK = 1 };

/* A cursor reads one thread's two streams, each at its own pace, each once from the
 * front. It keeps one segment of each (segments in use by several cursors are shared)
 * and is closed before its reader. NULL and *err: no such launch or thread
 * (IGPU_USAGE), a corrupt section or short memory (IGPU_BAD_INPUT). */
struct trace_cursor *trace_cursor_open(struct trace_reader *r, uint32_t launch,
                                       uint32_t thread, enum igpu_status *status,
                                       struct igpu_err *err);
void trace_cursor_close(struct trace_cursor *c); /* NULL is allowed */

/* The next block of the path. END: the thread is over. ERROR: *err (may be NULL). */
enum trace_next trace_cursor_next_block(struct trace_cursor *c, uint32_t *block,
                                        struct igpu_err *err);

/* The same for many at once: *blocks[*count], count >= 1, valid until the next call
 * on this cursor; they count as read. */
enum trace_next trace_cursor_blocks(struct trace_cursor *c, const uint32_t **blocks,
                                    uint32_t *count, struct igpu_err *err);

/* The next access. */
enum trace_next trace_cursor_next_access(struct trace_cursor *c,
                                         struct trace_access *access,
                                         struct igpu_err *err);
/* The same without gaps: the enabled lanes' addresses to addr[TRACE_MAX_LANES], lowest
 * lane first. */
enum trace_next trace_cursor_next_lanes(struct trace_cursor *c, uint32_t *inst,
                                        uint32_t *mask, uint64_t *addr,
                                        struct igpu_err *err);
/* What the access that was read last is about, until the next one is read. NULL: it is
 * none of graphics. */
const struct trace_graphics *trace_cursor_graphics(const struct trace_cursor *c);
/* The next access, but *even says whether the enabled lanes have no gap and lie *stride
 * apart (0 with one lane); then only addr[0] is set. */
enum trace_next trace_cursor_next_even(struct trace_cursor *c, uint32_t *inst,
                                       uint32_t *mask, uint64_t *addr, bool *even,
                                       uint64_t *stride, struct igpu_err *err);
/* The same of the next instruction for which wanted[] says true; those before it are
 * passed over, which is quick. */
enum trace_next trace_cursor_next_of(struct trace_cursor *c, const bool *wanted,
                                     uint32_t *inst, uint32_t *mask, uint64_t *addr,
                                     bool *even, uint64_t *stride,
                                     struct igpu_err *err);

/* A cursor over the FPU values that are stored of a thread (the launch and thread
 * exist); closed before its reader. NULL and *err: memory is short. */
struct trace_values_cursor;
struct trace_values_cursor *trace_values_open(struct trace_reader *r, uint32_t launch,
                                              uint32_t thread, struct igpu_err *err);
void trace_values_close(struct trace_values_cursor *c); /* NULL is allowed */
/* The next record, immediates filled in; lanes that are off are undefined. END: no
 * more is stored. */
enum trace_next trace_values_next(struct trace_values_cursor *c, struct fpu_values *v,
                                  struct igpu_err *err);

/* The thread's totals, whatever the cursor's positions are. */
enum igpu_status trace_cursor_totals(struct trace_cursor *c,
                                     struct trace_totals *totals, struct igpu_err *err);

/* ---- text --------------------------------------------------------------- */

enum trace_dump_format {
    TRACE_DUMP_TEXT, /* paper 1's field names, GED's */
    TRACE_DUMP_JSON, /* one object */
    TRACE_DUMP_CSV   /* a row per executed instruction */
};

struct trace_dump_options {
    uint32_t launch_first, launch_last; /* inclusive */
    uint32_t first, last;               /* threads, inclusive */
    bool code; /* kernels' instructions, fields named as GED does */
    enum trace_dump_format format;
};

/* Totals, bytes per instruction, a table of kernels and one of launches. */
enum igpu_status trace_print_info(struct trace_reader *r, FILE *out,
                                  struct igpu_err *err);
enum igpu_status trace_print_dump(struct trace_reader *r,
                                  const struct trace_dump_options *options, FILE *out,
                                  struct igpu_err *err);

#endif
