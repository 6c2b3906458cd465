/* launch.h - launch files: what launches start from, kernels, arguments and memory, in
 * the place of the paths that a trace has of them (docs/contract/formats.md, "Launch
 * files"). They are trace files otherwise: header, kernels and launches are read with
 * trace.h. Tests: tests/traces/test_launch_file.c */
#ifndef IGPU_LAUNCH_H
#define IGPU_LAUNCH_H
#include "igpu/emu.h"
#include "traces/format/trace.h"

enum {
    LAUNCH_MAX_MAPPINGS = 4096,
    LAUNCH_MAX_PIECES = 4096 /* of a kernel's payload; surfaces and samplers: fewer */
};
#define LAUNCH_MAX_BYTES ((uint64_t)1 << 36) /* of all memory */

/* ---- writing: trace_writer_open() with header.launches, then a kernel and its ABI,
 * memory, and each launch: inputs, trace_writer_launch_begin() and _end() ---- */

/* text: the kernel's instructions as encoded. */
enum igpu_status launch_write_abi(struct trace_writer *w, const struct emu_program *p,
                                  const void *text, size_t bytes, struct igpu_err *err);
/* All that is mapped, as it is now. */
enum igpu_status launch_write_memory(struct trace_writer *w, const struct emu_mem *mem,
                                     struct igpu_err *err);
enum igpu_status launch_write_inputs(struct trace_writer *w,
                                     const struct emu_launch *launch,
                                     struct igpu_err *err);

/* ---- reading ---- */

struct launch_file;

/* What the reader's file holds, ready to run: the reader outlives it. mem: where the
 * launches run; NULL: on memory of its own, filled from the file. IGPU_BAD_INPUT: the
 * file is damaged, or memory is short. */
enum igpu_status launch_file_open(struct launch_file **file,
                                  struct trace_reader *reader, struct emu_mem *mem,
                                  struct igpu_err *err);
void launch_file_close(struct launch_file *file); /* NULL is allowed */

const struct emu_program *launch_file_program(const struct launch_file *file,
                                              uint32_t launch);
const struct emu_launch *launch_file_launch(const struct launch_file *file,
                                            uint32_t launch);
/* The launch's kernel as encoded; NULL: the file has none, as those of before. */
const uint8_t *launch_file_text(const struct launch_file *file, uint32_t launch,
                                size_t *bytes);
struct emu_mem *launch_file_mem(const struct launch_file *file);
/* The bytes of argument `arg` of the launch, as they are now, and how many; NULL: it is
 * no buffer and no image. */
const void *launch_file_buffer(const struct launch_file *file, uint32_t launch,
                               uint32_t arg, uint64_t *bytes);
#endif
