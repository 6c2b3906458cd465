/* emu.h - functional Gen9 emulator: what a kernel computes, and what it did.
 *
 * A kernel is prepared once (emu_program_new) and launched any number of times on a
 * flat memory of host buffers (struct emu_mem). It knows nothing of time. What it
 * cannot execute is an error with kernel, pc, disassembly and reason, and so is an
 * access outside every buffer: never a wrong answer.
 *
 * Order   Groups run one after the other (x fastest), the threads of a group in turns:
 *         each until it waits for a barrier or ends, or has had its share of
 *         instructions, a small one in kernels with shared memory (so that threads
 *         which race on it do so about as on hardware); the lanes of a thread by
 *         lowest pc first; lanes of an atomic in lane order. Same input, same result
 *         on every host.
 * Floats  As the device computes them, whatever rounding or flushing the calling thread
 *         has set for its own, which it has again afterwards (igpu/floats.h).
 * Units   Sizes in bytes. Addresses are GPU virtual addresses below 2^47.
 * Source  docs/develop/sources.md#gen9-abi     Tests: tests/csim/test_emu_*.c */
#ifndef IGPU_EMU_H
#define IGPU_EMU_H
#include "igpu/emu_races.h"
#include "igpu/image.h"
#include "igpu/isa.h"
#include "igpu/told.h"
#include "igpu/values.h"

/* ---- memory ------------------------------------------------------------- */

/* The address space of one device: buffers of the host at GPU addresses. */
struct emu_mem;

enum { EMU_MAP_READ_ONLY = 1 };

/* NULL when memory is short. Free: every mapping goes, the host memory stays. */
struct emu_mem *emu_mem_new(void);
void emu_mem_free(struct emu_mem *mem);
/* *to has the mappings of *from, to the same host buffers, and no others; its hooks
 * stay. False: memory is short. */
bool emu_mem_copy(struct emu_mem *to, const struct emu_mem *from);

/* Map host[bytes] (owned by the caller, alive until unmapped, bytes > 0) and store
 * its address, a multiple of 64 KB chosen in order of mapping, in *va.
 * flags: 0 or EMU_MAP_READ_ONLY. IGPU_USAGE when the space is full. */
enum igpu_status emu_mem_map(struct emu_mem *mem, void *host, uint64_t bytes,
                             uint32_t flags, uint64_t *va, struct igpu_err *err);
/* The same at a given address; IGPU_USAGE when it overlaps a mapping. */
enum igpu_status emu_mem_map_at(struct emu_mem *mem, uint64_t va, void *host,
                                uint64_t bytes, uint32_t flags, struct igpu_err *err);
/* Remove the mapping that starts at va. Returns false when there is none. */
bool emu_mem_unmap(struct emu_mem *mem, uint64_t va);
/* The host address of [va, va + bytes) when it lies in one mapping, or in several that
 * follow one another for the GPU and for the host; else NULL. */
void *emu_mem_host(struct emu_mem *mem, uint64_t va, uint64_t bytes);

/* Mapping `index`, by addresses from 0 on: what it was mapped with. False: there are
 * fewer. */
bool emu_mem_mapping(const struct emu_mem *mem, uint32_t index, uint64_t *va,
                     const void **host, uint64_t *bytes, uint32_t *flags);

/* What stateless offsets count from, at first IGPU_VA_SCRATCH (igpu/va.h). */
void emu_mem_scratch(struct emu_mem *mem, uint64_t va);

/* Who is asked and told of memory, of threads that run one at a time; each may be NULL.
 */
struct emu_mem_hooks {
    void *ctx; /* the first argument */
    /* No mapping has va. True: now one has, by emu_mem_map_at(). */
    bool (*miss)(void *ctx, uint64_t va);
    /* So many bytes from va on, at host, are written next by a thread's message. */
    void (*write)(void *ctx, uint64_t va, uint64_t bytes, const uint8_t *host);
};
/* From now on; *hooks is copied. */
void emu_mem_hook(struct emu_mem *mem, const struct emu_mem_hooks *hooks);

/* ---- kernel ------------------------------------------------------------- */

/* What a piece of the cross-thread payload is filled with. */
enum emu_payload_kind {
    EMU_PAYLOAD_ARG_VALUE,   /* bytes source_offset.. of a value argument */
    EMU_PAYLOAD_ARG_ADDRESS, /* address of a buffer argument (stateless pointer) */
    EMU_PAYLOAD_ARG_SLM,     /* offset of a __local argument in the group's SLM */
    EMU_PAYLOAD_IMAGE_WIDTH, /* of the image argument: a dword each, down to.. */
    EMU_PAYLOAD_IMAGE_HEIGHT,
    EMU_PAYLOAD_IMAGE_DEPTH,
    EMU_PAYLOAD_IMAGE_ARRAY_SIZE,
    EMU_PAYLOAD_IMAGE_TYPE,
    EMU_PAYLOAD_IMAGE_ORDER,
    EMU_PAYLOAD_IMAGE_SAMPLES,
    EMU_PAYLOAD_IMAGE_LEVELS,    /* ..here */
    EMU_PAYLOAD_SAMPLER_ADDRESS, /* of the sampler argument: a dword each */
    EMU_PAYLOAD_SAMPLER_NORMALIZED,
    EMU_PAYLOAD_SAMPLER_SNAP,
    EMU_PAYLOAD_BUFFER_OFFSET, /* of va in its surface, which begins `before` it */
    EMU_PAYLOAD_GLOBAL_OFFSET, /* three dwords each, down to GROUP_COUNT */
    EMU_PAYLOAD_LOCAL_SIZE,
    EMU_PAYLOAD_ENQUEUED_LOCAL_SIZE,
    EMU_PAYLOAD_GLOBAL_SIZE,
    EMU_PAYLOAD_GROUP_COUNT,
    EMU_PAYLOAD_WORK_DIM,
    EMU_PAYLOAD_PRIVATE_BASE, /* the emulator's pool of private memory */
    EMU_PAYLOAD_PRINTF_BUFFER,
    EMU_PAYLOAD_ZERO, /* supplied, but without meaning here */
    EMU_PAYLOAD_BASE, /* an address that is the same in each launch */
    EMU_PAYLOAD_KIND_COUNT
};

struct emu_payload {
    uint8_t kind;           /* enum emu_payload_kind */
    uint32_t offset;        /* in the cross-thread payload */
    uint32_t size;          /* at most; what is beyond the kind's own size is zero */
    uint32_t arg;           /* argument index, for kinds down to BUFFER_OFFSET;
                               EMU_PAYLOAD_BASE: the address's low dword, */
    uint32_t source_offset; /* and its high one; EMU_PAYLOAD_ARG_VALUE */
    uint32_t alignment;     /* EMU_PAYLOAD_ARG_SLM; 0 means 16 */
};

/* Added to a surface's `arg`: it is no argument, but the mapping at the address in this
 * piece of the payload, an EMU_PAYLOAD_BASE. */
#define EMU_SURFACE_AT_BASE 0x80000000u

/* Binding table entry `bti` is the buffer or image argument `arg`. */
struct emu_surface {
    uint32_t bti, arg;
    bool is_image;
};

/* Sampler `index` of the kernel: an argument, or fixed in its source. */
struct emu_kernel_sampler {
    uint32_t index;           /* below 32 */
    int32_t arg;              /* -1: fixed */
    struct emu_sampler fixed; /* when arg is -1 */
};

/* A kernel as the loader describes it. emu_program_new() copies everything but code,
 * which must outlive the program. */
struct emu_kernel {
    const char *name;
    const struct isa_kernel_code *code;
    uint32_t simd;          /* 8, 16 or 32 */
    uint32_t slm_bytes;     /* static SLM */
    uint32_t local_id_dims; /* 0..3 dimensions in the per-thread payload */
    uint32_t walk_order[3]; /* dimension that advances first, second, third */
    uint32_t scratch_bytes; /* per thread, scratch space */
    uint32_t private_bytes; /* per work item, private memory in global memory */
    uint32_t arg_count;
    const struct emu_payload *payload;
    uint32_t payload_count;
    const struct emu_surface *surface;
    uint32_t surface_count;
    const struct emu_kernel_sampler *sampler;
    uint32_t sampler_count;
    bool keeps;   /* somebody looks at all registers of a thread where it stops */
    bool flushes; /* cr0 is as threads of graphics begin: denormals of halves alone
                     are kept; results do not depend on this, their speed does */
    /* For errors: where the instruction at byte `pc` is in the source, "FILE:LINE", or
     * "" (text is terminated); NULL: never known. */
    void (*place)(const void *place_user, uint32_t pc, char *text, size_t size);
    const void *place_user;
};

/* A kernel made ready to run: immutable, may be launched from several threads at a
 * time (each with its own memory). */
struct emu_program;

/* Decode once into the form that runs. NULL and *err (IGPU_BAD_INPUT's text) when the
 * description is inconsistent or memory is short. An instruction that cannot be
 * executed is no error before it is reached. */
struct emu_program *emu_program_new(const struct emu_kernel *kernel,
                                    struct igpu_err *err);
void emu_program_free(struct emu_program *program);
/* What it was made from; the program's. */
const struct emu_kernel *emu_program_kernel(const struct emu_program *program);
/* The basic blocks whose indices block() reports. */
const struct isa_block_list *emu_program_blocks(const struct emu_program *program);

/* ---- launch ------------------------------------------------------------- */

enum emu_arg_kind {
    EMU_ARG_VALUE,
    EMU_ARG_BUFFER,
    EMU_ARG_LOCAL,
    EMU_ARG_IMAGE,
    EMU_ARG_SAMPLER
};

struct emu_arg {
    uint8_t kind;      /* enum emu_arg_kind */
    const void *value; /* VALUE: size bytes */
    uint64_t size;     /* VALUE, LOCAL: bytes; BUFFER: length of the surface */
    uint64_t va;       /* BUFFER: address; 0 with size 0 is a null pointer */
    uint64_t before;   /* BUFFER: bytes of its memory in front of va, which kernels that
                          are told the offset (EMU_PAYLOAD_BUFFER_OFFSET) may reach */
    const struct emu_image *image;     /* IMAGE: its memory is mapped at image->va */
    const struct emu_sampler *sampler; /* SAMPLER */
};

enum emu_space { EMU_SPACE_GLOBAL, EMU_SPACE_SLM };

/* One dynamic send that touches memory. Lane i of the message is bit i of mask; its
 * address is addr[i], undefined where the bit is 0. Block and scratch messages have
 * one lane: bit 0, the block's first byte. In SLM addresses are offsets in the
 * group's SLM. Every execution of such a send makes one of these, if need be with
 * mask 0. What it moves is in the instruction's isa_message. Messages to images have
 * one texel a lane, also when several are filtered; a lane whose texel is outside has
 * no bit; addresses follow the image's tiles (igpu/image.h). */
struct emu_access {
    uint32_t inst; /* index in isa_kernel_code */
    uint32_t mask;
    enum emu_space space;
    const uint64_t *addr; /* ISA_MAX_SIMD entries, valid during the call */
};

struct emu_counts {
    uint64_t threads;
    uint64_t instructions;      /* of hardware threads, EOT included */
    uint64_t lane_instructions; /* enabled lanes summed over those */
    uint64_t flops;             /* per enabled lane: add sub mul math 1, mad 2 */
};

/* A thread that did what one before it did, of which hooks were told all: it entered
 * the same blocks, and of each of its messages of instruction inst[i] all addresses are
 * way[i] bytes further, modulo 2^64; those of other messages are the same. */
struct emu_alike_thread {
    uint64_t thread, like; /* their numbers */
    uint32_t sends;
    const uint32_t *inst;
    const uint64_t *way;
};

/* For launches of many groups: of threads that are proved to be like those of the first
 * group thread() is told, in the order in which they end, instead of all else. */
struct emu_alike_hooks {
    /* The launch's first threads begin, of which it may be told later. */
    void (*begin)(void *ctx, uint64_t first, uint32_t threads);
    /* They have ended. True: thread() may be called; `proved`: it will be. */
    bool (*ended)(void *ctx, bool proved);
    void (*thread)(void *ctx, const struct emu_alike_thread *a,
                   const struct emu_counts *counts);
};

/* Called while a launch runs; each may be NULL. A thread's number is
 * group * threads_per_group + thread. The calls of one thread are in its program
 * order; those of the threads of a group interleave. */
/* Groups come in order, one after the other, but for those that wait for a later one
 * (emu_resident.c): then threads of several groups are open at a time, whose numbers
 * lie within one hw_threads of each other. */
struct emu_hooks {
    void *ctx;
    /* Before the first block of a thread. False ends the launch (IGPU_STOPPED). */
    bool (*thread_begin)(void *ctx, uint64_t thread);
    /* A basic block is entered at its first instruction; it runs to its end. */
    void (*block)(void *ctx, uint64_t thread, uint32_t block);
    void (*access)(void *ctx, uint64_t thread, const struct emu_access *access);
    /* After EOT; counts of this thread (threads = 1). */
    void (*thread_end)(void *ctx, uint64_t thread, const struct emu_counts *counts);
    /* An instruction of an FPU was executed, if need be with mask 0; valid during the
     * call. Slow: one host thread runs the launch. */
    void (*values)(void *ctx, uint64_t thread, const struct fpu_values *values);
    bool global_only; /* access() is not told of shared local memory: faster */
    /* Instead of block() and access(), which must be there all the same, where they
     * would be called for much: what they would be told next of a thread (igpu/told.h).
     */
    void (*told)(void *ctx, uint64_t thread, const uint64_t *word, size_t words);
    const struct emu_alike_hooks *alike; /* NULL: they are told of each thread */
};

/* What a kernel is told when the launch is a part of a larger one: see emu_split(). */
struct emu_part {
    uint64_t global[3]; /* of the whole */
    uint64_t local[3];  /* as enqueued: of groups that are not cut off */
    uint64_t first[3];  /* number of the part's first group */
};

enum { EMU_MAX_HW_THREADS = 512 };

/* Are kernels translated (docs/contract/jit.md)? AS_SET: as the environment's IGPU_JIT
 * says: off, now (before the first thread), else on: once a kernel has run long enough.
 */
enum emu_jit_mode { EMU_JIT_AS_SET, EMU_JIT_OFF, EMU_JIT_ON, EMU_JIT_NOW };
/* Where the library is that translates: an absolute path, copied; before the first
 * launch. Without it nothing is translated. */
void emu_jit_library(const char *path);
/* Where translations are kept from one process to the next: by a key of bytes that says
 * all that they depend on. Both may be called by several threads at once. */
struct emu_jit_keep {
    /* What was kept, malloc'ed, to *data and *size; false: nothing that is whole. */
    bool (*find)(const void *key, size_t bytes, uint8_t **data, size_t *size);
    void (*keep)(const void *key, size_t bytes, const uint8_t *data, size_t size);
};
/* Copied; before the first launch. Without it nothing is kept. */
void emu_jit_kept_by(const struct emu_jit_keep *keep);
/* Is the text one that IGPU_JIT may have? */
bool emu_jit_choice(const char *text);

struct emu_launch {
    uint32_t work_dim; /* 1..3; sizes beyond are 1 */
    uint64_t global[3], local[3], offset[3];
    struct emu_part part; /* all zero: the launch is whole */
    /* Of the launch's groups, in their order, those that run; count 0: all from the
     * first on. Threads keep the numbers that they have in the launch. */
    uint64_t first_group, group_count;
    const struct emu_arg *arg;
    uint32_t arg_count;
    uint64_t printf_va;        /* printf buffer, 0: none */
    uint32_t hw_threads;       /* resident threads of the device, at most
                                  EMU_MAX_HW_THREADS; the pools of scratch and private
                                  memory repeat after it. 0: 168 */
    uint64_t max_instructions; /* of the launch; 0: no limit */
    bool lenient;              /* outside a surface, and of lanes outside the SLM, reads
                                  give 0 and writes are dropped, as on hardware; false:
                                  an error. Stateless addresses outside every buffer
                                  are always one. A barrier does not wait for
                                  threads that ended without it; false: an error */
    const char *lenient_hint;  /* ends the text of such errors, or NULL */
    struct emu_hooks hooks;
    uint32_t host_threads; /* to run groups on; 0: one. Results and hooks are the same,
                              unless groups race on memory. One is used where the order
                              of groups shows: global atomics that return a value or
                              differ in operation, and with max_instructions */
    uint8_t jit;           /* enum emu_jit_mode; results never depend on it */
    uint64_t alone; /* instructions of whole groups that one host thread runs before
                       others start; 0: 65,536, for starting them takes as long as
                       some thousand */
    uint64_t alike; /* groups of a launch from which on those are looked for that are
                       like the first; 0: 1,024 */
    const struct emu_races *races; /* NULL: nobody looks for them */
};

/* OpenCL 2.0 allows a global size that is no multiple of the local size: the last
 * groups are smaller. The machine runs such a launch in parts, each with groups of one
 * size; so does this emulator. Writes the parts of *whole, which is none itself, in
 * order of their groups, and returns how many (1 when nothing is cut off, 0 when a size
 * is 0). */
enum { EMU_MAX_PARTS = 8 };
uint32_t emu_split(const struct emu_launch *whole,
                   struct emu_launch part[EMU_MAX_PARTS]);

/* Threads a group of `items` work items has. */
uint32_t emu_threads_per_group(const struct emu_program *program, uint64_t items);

/* Run a launch to its end. *counts (may be NULL) is what ran, also after an error.
 * IGPU_USAGE: arguments or sizes do not fit the kernel (nothing ran).
 * IGPU_SIM_ERROR: an instruction that cannot be executed, an access outside every
 * buffer, a barrier that not all threads reach, the instruction limit.
 * IGPU_STOPPED: a hook asked for it. Memory keeps what was written until then. */
enum igpu_status emu_run(const struct emu_program *program, struct emu_mem *mem,
                         const struct emu_launch *launch, struct emu_counts *counts,
                         struct igpu_err *err);

/* Which handlers this host runs: "AVX2", or "portable" where it has no AVX2 and FMA, or
 * where the environment has IGPU_EMU_PORTABLE, which is for tests. Results are the
 * same. */
const char *emu_host_name(void);
bool emu_has_avx2(void);   /* it is the former */
bool emu_has_avx512(void); /* and has AVX-512's F, BW, DQ and VL */

#endif
