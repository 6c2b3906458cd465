/* program.h - device binaries made ready to run: a zebin placed in an address space,
 * and its kernels. What an OpenCL driver needs between the compiler and emu_run():
 *
 *   emu_mem_new() -> program_open_memory() -> program_kernel_new() for each kernel
 *   set emu_arg[i] by kernel->arg[i].kind -> emu_run(kernel->emu, ...)
 *   with kernel->uses_printf: printf_buffer_clear() before, printf_print() after
 *
 * Program-scope variables live as long as the program and are shared by its kernels
 * and launches.
 * Tests: tests/traces/test_program.c, test_record.c */
#ifndef TRACES_PROGRAM_H
#define TRACES_PROGRAM_H
#include "igpu/emu.h"
#include "traces/program/loader.h"

/* A loaded program. image says what the file holds. */
struct program {
    struct loader_program *image;
    struct emu_mem *mem; /* the caller's */
};

/* Take over *image (also when this fails): map its data sections into mem, which must
 * outlive the program, and relocate. IGPU_BAD_INPUT: a symbol that cannot be resolved;
 * IGPU_USAGE: no room. */
enum igpu_status program_open(struct loader_program *image, struct emu_mem *mem,
                              struct program **program, struct igpu_err *err);
/* loader_open_memory() and program_open(). */
enum igpu_status program_open_memory(const char *label, const void *image, size_t bytes,
                                     struct emu_mem *mem, struct program **program,
                                     struct igpu_err *err);
/* Frees the image and unmaps its data; its kernels must be freed before. */
void program_free(struct program *program);

/* What clSetKernelArg() must be given for an argument. */
struct program_arg {
    uint8_t kind;         /* enum emu_arg_kind */
    uint8_t image_kind;   /* enum image_kind, of EMU_ARG_IMAGE */
    uint8_t access;       /* enum loader_access, of images */
    bool is_constant;     /* EMU_ARG_BUFFER in __constant */
    bool unused;          /* the compiler dropped it: any value will do */
    uint32_t value_bytes; /* EMU_ARG_VALUE: size in the source; 0 when not known */
    const char *name, *type_name; /* as in the source, "" when not known */
};

/* A number type of OpenCL C, or a vector of it: what an element is, as --arg calls it
 * ("i8" ... "u64", "f16" ...). NULL: a structure, another name for a type, not known.
 */
const char *program_arg_element(const struct program_arg *arg);

/* A kernel ready to run: immutable; emu is good for any number of launches. */
struct program_kernel {
    const struct loader_program *image;
    const struct loader_kernel *info;   /* of it: name, SIMD width, required sizes */
    const struct loader_program *lines; /* has its source lines: the image, until the
                                           caller knows better */
    struct isa_kernel_code code;
    struct emu_program *emu;
    struct program_arg *arg;
    uint32_t arg_count;
    bool uses_printf; /* emu_launch.printf_va is needed */
};

/* A kernel of an image that is placed and relocated, and outlives it. NULL and *err:
 * IGPU_BAD_INPUT's text. The image has no such kernel, its code cannot be decoded, or
 * it needs what is not modelled. */
struct program_kernel *program_kernel_new(const struct loader_program *image,
                                          const char *name, struct igpu_err *err);
void program_kernel_free(struct program_kernel *kernel);

#endif
