/* trace_code.h - kernels, launches and the header as protobuf messages and back.
 * Internal to traces/trace_*.c. */
#ifndef IGPU_TRACE_CODE_H
#define IGPU_TRACE_CODE_H
#include "igpu_trace.pb-c.h"
#include "traces/format/trace.h"
#include "traces/format/trace_frame.h"

enum {
    TRACE_MINOR_COMPUTE = 1, /* of traces without graphics */
    TRACE_MAX_INSTS = 1 << 17,
    TRACE_MAX_THREADS = 1 << 28,
    TRACE_MAX_SLM_BYTES = 1 << 20 /* far above any hardware's; stops nonsense */
};

/* Append the packed instructions of *code to *out, each with its length as a varint
 * before it. opcodes[ISA_OP_COUNT] gets the opcodes used, in order of first use, and
 * *count how many; an instruction has the index of its opcode there. The kernel has no
 * fault, see below. */
void trace_code_pack(const struct isa_kernel_code *code, enum isa_opcode *opcodes,
                     uint32_t *count, struct trace_bytes *out);

/* Make code->inst[count] (freed by the caller with free()) from packed instructions;
 * opcode i of the file is opcodes[i]. NULL on success, else what is wrong. */
const char *trace_code_unpack(const void *data, size_t size, uint32_t count,
                              const enum isa_opcode *opcodes, uint32_t nopcodes,
                              struct isa_kernel_code *code);

/* Write a kernel or a launch as a section. */
enum igpu_status trace_kernel_write(struct trace_out *out,
                                    const struct trace_kernel *kernel,
                                    struct trace_section *section,
                                    struct igpu_err *err);
enum igpu_status trace_launch_write(struct trace_out *out,
                                    const struct trace_launch *launch,
                                    struct trace_section *section,
                                    struct igpu_err *err);
enum igpu_status trace_header_write(struct trace_out *out,
                                    const struct trace_header *header,
                                    struct trace_section *section,
                                    struct igpu_err *err);

/* NULL when *launch (of `kernels` kernels) can be written, read and timed, else what is
 * wrong with it. For kernels see trace.h. */
const char *trace_launch_fault(const struct trace_launch *launch, uint32_t kernels);

/* Make a structure from the raw message of a section. It and all it points to is one
 * owner's: free it with the function below. NULL: *what says what is wrong. */
struct trace_kernel *trace_kernel_read(const void *raw, size_t size, const char **what);
struct trace_launch *trace_launch_read(const void *raw, size_t size, const char **what);
struct trace_header *trace_header_read(const void *raw, size_t size, const char **what);
struct trace_launch *trace_launch_copy(const struct trace_launch *launch);
void trace_kernel_free(struct trace_kernel *kernel); /* NULL is allowed */
void trace_launch_free(struct trace_launch *launch);
void trace_header_free(struct trace_header *header);

#endif
