/* loader.h - device binaries to kernel images: zebins (ELF64, machine 205), and the
 * older patch tokens, bare or in the container that Intel's tools put them in.
 * Reads what the compiler wrote; places nothing: the caller chooses addresses of the
 * data sections and then asks for relocation. Offsets and sizes are in bytes.
 * Source: docs/develop/sources.md#zebin   Tests: tests/traces/test_loader.c */
#ifndef TRACES_LOADER_H
#define TRACES_LOADER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"

/* Limits on what a file may claim; the largest real ones are far below. */
enum {
    LOADER_MAX_FILE_BYTES = 256 << 20,
    LOADER_MAX_INFO_BYTES = 16 << 20,  /* of .ze_info */
    LOADER_MAX_BSS_BYTES = 256 << 20,  /* all .bss sections together */
    LOADER_MAX_NAMES_BYTES = 64 << 20, /* all symbols' names together */
    LOADER_MAX_SYMBOLS = 1 << 20,
    LOADER_MAX_SECTIONS = 65000,
    LOADER_MAX_KERNELS = 16384,
    LOADER_MAX_ITEMS = 4096, /* of one list of a kernel */
    LOADER_NAME_BYTES = 32,  /* of the short words of .ze_info */
    LOADER_MAX_LINES = 1 << 20,
    LOADER_MAX_SOURCES = 64,
    LOADER_MAX_CALLS = 4096, /* and ranges of them */
    LOADER_ARG_BYTES = 256   /* of an argument's name and type in the source */
};

/* X(enum suffix, word in .ze_info). What a piece of the payload holds. */
#define LOADER_ARG_TYPES(X)                                                            \
    X(LOCAL_ID, "local_id")                                                            \
    X(PACKED_LOCAL_IDS, "packed_local_ids")                                            \
    X(GLOBAL_ID_OFFSET, "global_id_offset")                                            \
    X(LOCAL_SIZE, "local_size")                                                        \
    X(ENQUEUED_LOCAL_SIZE, "enqueued_local_size")                                      \
    X(GLOBAL_SIZE, "global_size")                                                      \
    X(GROUP_COUNT, "group_count")                                                      \
    X(WORK_DIMENSIONS, "work_dimensions")                                              \
    X(BYVALUE, "arg_byvalue")                                                          \
    X(BYPOINTER, "arg_bypointer")                                                      \
    X(BUFFER_ADDRESS, "buffer_address")                                                \
    X(BUFFER_OFFSET, "buffer_offset")                                                  \
    X(PRIVATE_BASE, "private_base_stateless")                                          \
    X(PRINTF_BUFFER, "printf_buffer")                                                  \
    X(IMAGE_WIDTH, "image_width")                                                      \
    X(IMAGE_HEIGHT, "image_height")                                                    \
    X(IMAGE_DEPTH, "image_depth")                                                      \
    X(IMAGE_ARRAY_SIZE, "image_array_size")                                            \
    X(IMAGE_CHANNEL_DATA_TYPE, "image_channel_data_type")                              \
    X(IMAGE_CHANNEL_ORDER, "image_channel_order")                                      \
    X(IMAGE_NUM_SAMPLES, "image_num_samples")                                          \
    X(IMAGE_NUM_MIP_LEVELS, "image_num_mip_levels")                                    \
    X(SAMPLER_ADDRESS, "sampler_address")                                              \
    X(SAMPLER_NORMALIZED, "sampler_normalized")                                        \
    X(SAMPLER_SNAP_WA, "sampler_snap_wa")                                              \
    X(IMPLICIT_ARG_BUFFER, "implicit_arg_buffer")                                      \
    X(CONST_BASE, "const_base")                                                        \
    X(GLOBAL_BASE, "global_base")

enum loader_arg_type {
    LOADER_ARG_UNKNOWN, /* type_name says what */
#define LOADER_ENUM(id, word) LOADER_ARG_##id,
    LOADER_ARG_TYPES(LOADER_ENUM)
#undef LOADER_ENUM
        LOADER_ARG_TYPE_COUNT
};

enum loader_addrmode {
    LOADER_MODE_NONE,
    LOADER_MODE_STATEFUL,  /* through the binding table; the payload may be empty */
    LOADER_MODE_STATELESS, /* a 64-bit address in the payload */
    LOADER_MODE_BINDLESS,
    LOADER_MODE_SLM, /* __local pointer: 32-bit offset in the group's SLM, in 8 bytes */
    LOADER_MODE_COUNT
};

enum loader_addrspace {
    LOADER_SPACE_NONE,
    LOADER_SPACE_GLOBAL,
    LOADER_SPACE_LOCAL,
    LOADER_SPACE_CONSTANT,
    LOADER_SPACE_IMAGE,
    LOADER_SPACE_SAMPLER,
    LOADER_SPACE_COUNT
};

enum loader_access {
    LOADER_ACCESS_NONE,
    LOADER_ACCESS_READONLY,
    LOADER_ACCESS_WRITEONLY,
    LOADER_ACCESS_READWRITE,
    LOADER_ACCESS_COUNT
};

/* One entry of payload_arguments or per_thread_payload_arguments. The same argument
 * may have several. */
struct loader_arg {
    uint8_t type;           /* enum loader_arg_type */
    uint8_t addrmode;       /* enum loader_addrmode */
    uint8_t addrspace;      /* enum loader_addrspace */
    uint8_t access;         /* enum loader_access */
    int32_t arg_index;      /* of the OpenCL argument; -1: implicit */
    uint32_t offset;        /* in the cross-thread or per-thread payload */
    uint32_t size;          /* 0: nothing in the payload */
    uint32_t source_offset; /* by value: where in the argument its bytes are */
    uint32_t slm_alignment; /* __local pointers; 0 when absent */
    int32_t sampler_index;  /* -1 when absent */
    char type_name[LOADER_NAME_BYTES]; /* the word in the file */
    char image_type[LOADER_NAME_BYTES];
    char sampler_type[LOADER_NAME_BYTES];
};

/* In the place of an argument: the program's constants, its global variables. */
enum { LOADER_BTI_CONST = -2, LOADER_BTI_GLOBAL = -3 };

struct loader_bti {
    int32_t arg_index;
    uint32_t bti;
};

enum loader_buffer_type {
    LOADER_BUFFER_OTHER,
    LOADER_BUFFER_SCRATCH,
    LOADER_BUFFER_GLOBAL,
    LOADER_BUFFER_SLM,
    LOADER_BUFFER_TYPE_COUNT
};
enum loader_buffer_usage {
    LOADER_USAGE_OTHER,
    LOADER_USAGE_PRIVATE,      /* private_space */
    LOADER_USAGE_SPILL_FILL,   /* spill_fill_space */
    LOADER_USAGE_SINGLE_SPACE, /* single_space */
    LOADER_USAGE_COUNT
};

struct loader_thread_buffer {
    uint8_t type;        /* enum loader_buffer_type */
    uint8_t usage;       /* enum loader_buffer_usage */
    bool is_simt_thread; /* size is per work item, else per hardware thread */
    uint32_t size;
    uint32_t slot;
};

struct loader_inline_sampler {
    int32_t sampler_index;
    bool normalized;
    char addrmode[LOADER_NAME_BYTES];   /* none repeat clamp_edge ... */
    char filtermode[LOADER_NAME_BYTES]; /* nearest linear */
};

/* From kernels_misc_info: the source's view of an argument. */
struct loader_arg_info {
    int32_t index;
    char name[LOADER_ARG_BYTES];
    char address_qualifier[LOADER_NAME_BYTES];
    char access_qualifier[LOADER_NAME_BYTES];
    char type_name[LOADER_ARG_BYTES];        /* "float*;8": type and bytes */
    char type_qualifiers[LOADER_NAME_BYTES]; /* "NONE", "const restrict" ... */
};

struct loader_kernel {
    char *name;
    uint8_t *text; /* owned by the program; relocation patches it */
    size_t text_bytes;
    uint64_t file_offset; /* of the text, for messages */
    size_t shared_at;     /* where the program's shared functions were appended to the
                             text, for kernels that use their addresses; else 0 */
    uint32_t simd_size;   /* 8, 16, 32; 1 for kernels without lanes */
    uint32_t grf_count;
    uint32_t slm_size;
    uint32_t barrier_count;
    uint32_t inline_data_payload_size;
    bool has_stack_calls, has_global_atomics;
    bool disable_mid_thread_preemption, has_no_stateless_write;
    uint32_t required_sub_group_size;        /* 0: none */
    uint32_t required_work_group_size[3];    /* 0: none */
    uint32_t work_group_size_hint[3];        /* the same */
    char vec_type_hint[16];                  /* "": none */
    uint32_t walk_order[3];                  /* dimensions, fastest first: 0 1 2 */
    struct loader_arg *per_thread_arg, *arg; /* in file order */
    uint32_t per_thread_args, args;
    struct loader_bti *bti;
    uint32_t btis;
    struct loader_thread_buffer *buffer;
    uint32_t buffers;
    struct loader_inline_sampler *sampler;
    uint32_t samplers;
    struct loader_arg_info *arg_info;
    uint32_t arg_infos;
    char **string; /* of patch tokens: texts that printf's buffer names by number */
    uint32_t strings;
};

enum loader_data_kind {
    LOADER_DATA_CONST,  /* .data.const and .bss.const */
    LOADER_DATA_STRING, /* .data.const.string: printf formats */
    LOADER_DATA_GLOBAL, /* .data.global and .bss.global */
    LOADER_DATA_OTHER
};

/* A data section. The caller places it: sets `address`, calls loader_relocate(), then
 * copies data[bytes] there. */
struct loader_data {
    char *name;
    enum loader_data_kind kind;
    uint8_t *data; /* owned; a .bss section's is zeroed */
    size_t bytes;
    uint64_t align; /* the file's: power of two, mostly 1; place at 64 or more */
    uint64_t address;
};

struct loader_symbol {
    char *name;
    int32_t data;      /* index in program->data, or -1 */
    int32_t kernel;    /* index in program->kernel, or -1 */
    bool is_shared;    /* a function in program->shared */
    bool is_undefined; /* to be supplied by others */
    uint64_t value;    /* offset in its section */
    uint64_t size;
};

enum { LOADER_RELOC_64 = 1, LOADER_RELOC_LOW32 = 2, LOADER_RELOC_HIGH32 = 3 };

struct loader_reloc {
    uint32_t type;
    int32_t kernel, data; /* what is patched: one of them is not -1 */
    bool in_shared;       /* program->shared is patched; copied with it to kernels */
    uint64_t offset;
    uint32_t symbol; /* index in program->symbol */
    int64_t addend;  /* 0 for SHT_REL */
};

/* From byte `at` of the kernel's text on, instructions are of this line; 0: of none. */
struct loader_line {
    uint64_t at;
    uint32_t line, source; /* source: index in program->source */
};

/* Where an inlined function is called: `up` is the call of the function that this one
 * is in, from 1 and an earlier one; 0: the kernel itself. */
struct loader_call {
    uint32_t source, line, up;
};
/* Instructions of a call, by bytes of the kernel's text. */
struct loader_range {
    uint64_t from, to;
    uint32_t call; /* from 1 */
};

struct loader_program {
    char *label;         /* file name, for messages */
    char *build_options; /* "" when the file does not say */
    struct loader_kernel *kernel;
    uint32_t kernels;
    uint8_t *shared; /* functions that all kernels may call, from the compiler's
                        helper program; NULL: none */
    size_t shared_bytes;
    uint32_t shared_simd; /* the width they were compiled for; this compiler lets a
                             kernel of another width call them, as the machine would */
    struct loader_data *data;
    uint32_t datas;
    struct loader_symbol *symbol; /* in the file's order, number 0 included */
    uint32_t symbols;
    struct loader_reloc *reloc;
    uint32_t relocs;
    bool relocated;
    /* Where the file has lines of its only kernel: ascending; names of sources as the
     * compiler has them. */
    struct loader_line *line;
    char **source;
    uint32_t lines, sources;
    struct loader_call *call;
    struct loader_range *range; /* inner ones behind those around them */
    uint32_t calls, ranges;
};

/* Read a file, or image[bytes] (not kept; `label` names it in messages), into a new
 * *program, freed with loader_free(). The compiler's helper program that only holds
 * symbol tables is left out. IGPU_BAD_INPUT: not a zebin, cut off, inconsistent, or
 * over a limit above; err names the file and the offset, section or key, and *program
 * is NULL. */
enum igpu_status loader_open_file(const char *path, struct loader_program **program,
                                  struct igpu_err *err);
enum igpu_status loader_open_memory(const char *label, const void *image, size_t bytes,
                                    struct loader_program **program,
                                    struct igpu_err *err);
void loader_free(struct loader_program *program);
/* The line of the instruction at byte `at` of the only kernel's text; NULL: not known.
 */
const struct loader_line *loader_line_of(const struct loader_program *program,
                                         uint64_t at);

/* Is a source of this name in the lines the one that the compiler was given without its
 * name? */
bool loader_own_source(const char *name);

/* The innermost call that the instruction is of, from 1; 0: none that is known. */
uint32_t loader_call_of(const struct loader_program *program, uint64_t at);

/* Patch texts and data with the addresses in program->data[].address: overwrite in
 * text, add in data. Once per program (a second call is IGPU_USAGE and changes
 * nothing). IGPU_BAD_INPUT names a symbol or relocation type that cannot be resolved;
 * then nothing was changed. */
enum igpu_status loader_relocate(struct loader_program *program, struct igpu_err *err);

/* The kernel called name, or NULL. */
const struct loader_kernel *loader_find(const struct loader_program *program,
                                        const char *name);

/* Bytes of the cross-thread payload: the end of its last argument, up to whole GRFs of
 * 32 bytes. */
uint32_t loader_cross_thread_bytes(const struct loader_kernel *kernel);

/* The bti of an argument, or -1. */
int32_t loader_bti_of(const struct loader_kernel *kernel, int32_t arg_index);

const char *loader_arg_type_name(enum loader_arg_type type);

#endif
